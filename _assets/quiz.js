/* A quiz answers: what stands in its fold is said, for the choice that was made, in its status line. */
(() => {
  for (const quiz of document.querySelectorAll(".rf-quiz")) {
    const [button, said, fold] = ["button", ".rf-quiz-said", "details"].map((what) => quiz.querySelector(what));
    const answers = [...fold.querySelectorAll("li")];
    const number = quiz.querySelector("input[type=number]");
    const chosen = () => {
      if (!number) return answers[quiz.querySelector("input:checked")?.value];
      const value = number.valueAsNumber;
      if (Number.isNaN(value)) return undefined;
      const near = (li) => {
        const aim = Number(li.dataset.value);
        return "value" in li.dataset && Math.abs(value - aim) <= Number(li.dataset.tolerance ?? 0) + 1e-9 * Math.abs(aim);
      };
      return answers.find(near) ?? answers.find((li) => !("value" in li.dataset));
    };
    const check = () => {
      const answer = chosen();
      said.className = "rf-quiz-said" + (answer ? ("right" in answer.dataset ? " right" : " wrong") : "");
      said.replaceChildren(answer ? answer.querySelector("span").cloneNode(true)
        : number ? "Type a number first." : "Choose an answer first.");
      if (said.querySelector(".math:not(:has(mjx-container))")) window.MathJax?.typesetPromise?.([said]);
    };
    button.hidden = false;
    fold.hidden = true;
    button.addEventListener("click", check);
    number?.addEventListener("keydown", (e) => e.key === "Enter" && check());
    // an answer belongs to the choice that it was given to
    quiz.addEventListener("input", () => { said.replaceChildren(); said.className = "rf-quiz-said"; });
    addEventListener("beforeprint", () => { fold.hidden = false; fold.open = true; });
    addEventListener("afterprint", () => { fold.hidden = true; fold.open = false; });
  }
})();
