/* What the search puts first: titles and headings, then chapters; reference, engine and sources come after them. */
var Scorer = {
  score: ([page, , , , score]) => {
    if (/^nbs\/([1-7]_|0_start|parts)/.test(page)) return 1.5 * score;
    if (/^(api\/|nbs\/9_engine|nbs\/8_appendix\/84|_modules)/.test(page)) return 0.4 * score;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 40,
  partialTitle: 15,
  term: 5,
  partialTerm: 2,
};
