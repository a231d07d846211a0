/* What scrolls must be reachable without a mouse: a box that is wider than its window becomes a stop of the Tab key,
   and stops being one when it fits again.  Whether it scrolls depends on the window, so no builder can know it. */
(() => {
  const boxes = "pre, .highlight, div.math, mjx-container[display=true], .rf-broad, p, dd, figcaption, .pst-scrollable-table-container, .text_html, .output";
  const look = () => {
    for (const box of document.querySelectorAll(boxes)) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
      if (scrolls && !box.hasAttribute("tabindex")) {
        box.tabIndex = 0;
        box.dataset.rfReach = "";
      } else if (!scrolls && "rfReach" in box.dataset) {
        box.removeAttribute("tabindex");
        delete box.dataset.rfReach;
      }
    }
  };
  let waiting;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 100);
  };
  addEventListener("resize", soon);
  // a fold that opens, and formulas that arrive, change widths too
  addEventListener("click", soon);
  document.addEventListener("toggle", soon, true);
  addEventListener("load", () => {
    // pictures of several panels, side by side or in a grid, get a box, in which they scroll on a telephone (custom.css)
    for (const img of document.querySelectorAll("article figure > img")) {
      const {naturalWidth: wide, naturalHeight: high} = img;
      const row = wide > 1.8 * high;
      if (!(row || (wide > 600 && (wide < 1.15 * high || wide > 690)))) continue;
      const box = document.createElement("div");
      box.className = "rf-broad";
      box.style.setProperty("--rf-width", row ? `${(17 * wide) / high}rem` : `${wide / 20}rem`);
      img.replaceWith(box);
      box.append(img);
    }
    look();
    window.MathJax?.startup?.promise?.then(soon);
  });
})();
