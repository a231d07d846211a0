/* A link may lead into a closed box, to a statement of the fine print: open the boxes around its target, then go there. */
(() => {
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = ".toggle-hidden, details:not([open])";
    let opened = false;
    for (let box = target?.parentElement?.closest(closed); box; box = box.parentElement?.closest(closed)) {
      if (box.tagName === "DETAILS") box.open = true;
      else box.querySelector(":scope > .admonition-title")?.click();
      opened = true;
    }
    if (opened) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  addEventListener("load", open); // after the boxes have been closed
  // a second click on the same link changes no hash
  addEventListener("click", (e) => e.target.closest?.('a[href*="#"]') && setTimeout(open));
})();
