/* Excerpts on the page of the search show prose: no code, no output, no card. */
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined" || !Search.htmlToText) return;
  const text = Search.htmlToText;
  Search.htmlToText = (page, anchor) => {
    const read = new DOMParser().parseFromString(page, "text/html");
    for (const one of read.querySelectorAll(".cell, div.highlight, .card, .rf-part-box, script")) one.remove();
    return text(read.documentElement.outerHTML, anchor);
  };
});
