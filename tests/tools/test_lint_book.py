"""Each rule of the book lint is seen to fire, on tiny books that break it and nothing else."""

import textwrap
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from rfdev.lint import book as lint_book
from rfdev.lint import house, markdown, modules

CHAPTER = "nbs/2_features/21_probe.ipynb"

TITLE = """# Probe features

You will be able to break a rule.

```{admonition} Card
:class: card
**Question.** Which?
**Before this.** Nothing.
**Time.** A minute.
**Exports.** `probe.f`.
```
"""
STATED = """## The theorem

```{prf:theorem} Hoeffding
:label: thm-probe
All is $\\le 1$.
```
"""
EXERCISE = """```{{exercise-start}} Count ★★
:label: ex-{0}
```
Count.
```{{exercise-end}}
```

```{{solution-start}} ex-{0}
:class: dropdown
```
One.
```{{solution-end}}
```
"""
QUESTION = """```{{admonition}} What is asked for the {0}th time?
:class: dropdown recall
This, and it is answered in one line.
```
"""
RECALL = "## Recall\n\n" + "\n".join(QUESTION.format(i) for i in range(4))
QUIZ = """```{{quiz}} Which of them is the {0}th?
- [x] this one :: Yes.
- [ ] that one :: No.
- [ ] none :: No.
```
"""
QUIZZES = "## Check yourself\n\n" + "\n".join(QUIZ.format(i) for i in range(3))
REST = [f"## {s}" for s in ("Implementation", "Theory meets experiment", "Break it", "In practice", "Summary")]
EXERCISES = "## Exercises\n\n" + "\n".join(EXERCISE.format(i) for i in range(4))
CLAIM = SimpleNamespace(label="thm-probe", mutants=["wrong constant"])


def figure(source="fig, ax = plt.subplots()", name="fig-probe", caption="A line.", alt="A line that falls."):
    """Return a code cell with a figure."""
    meta = {"mystnb": {"figure": {"caption": caption, "name": name}, "image": {"alt": alt}}}
    return new_code_cell(source, metadata=meta)


def chapter():
    """Return the cells of a chapter that breaks no rule."""
    texts = [TITLE, "## The picture", "## The naive way", STATED, *REST, EXERCISES, "## Sources\n\n" + QUIZZES, RECALL]
    cells = [new_markdown_cell(t) for t in texts]
    cells.insert(2, figure())
    return cells


@pytest.fixture
def book(tmp_path):
    """Write notebooks under a fresh root and lint it."""

    def lint(cells, path=CHAPTER, claims=(CLAIM,), files=None, more=None):
        for name, content in {path: cells, **(more or {})}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(new_notebook(cells=content), tmp_path / name)
        for name, text in (files or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return lint_book.lint(tmp_path, claims)

    lint.root = tmp_path
    return lint


def only(found, rule, *parts):
    """Assert that `found` holds findings of one rule, and that they speak of `parts`."""
    assert found, f"{rule} did not fire"
    assert {f.rule for f in found} == {rule}, [str(f) for f in found]
    for part in parts:
        assert any(part in str(f) for f in found), [str(f) for f in found]


def replaced(old, new):
    """Return the cells of the good chapter with a text replaced in all of them."""
    cells = chapter()
    assert any(old in c.source for c in cells)
    for cell in cells:
        cell.source = cell.source.replace(old, new)
    return cells


def test_a_good_chapter_passes(book):
    assert book(chapter()) == []


@pytest.mark.parametrize(("change", "says"), [
    ({"caption": " "}, "no caption"), ({"caption": "The blue line."}, "says 'blue'"),
    ({"name": "error"}, "no name"), ({"name": ""}, "no name"), ({"alt": ""}, "no alt text"),
])
def test_figure_cells(book, change, says):
    cells = chapter()
    cells[2] = figure(**change)
    only(book(cells), "figure", "cell 3", says)


LABEL = {"tags": ["hide-input"], "mystnb": {"code_prompt_show": "Show: twenty-one names"}}
LONG = "\n".join(f"x{i} = {i}" for i in range(21))


@pytest.mark.parametrize(("source", "says"), [(LONG, "21 lines of code"), ("x = " + "1" * 85, "89 columns")])
def test_code_that_is_shown_is_short(book, source, says):
    only(book([*chapter(), new_code_cell(source)]), "page", "cell 14", says)
    assert book([*chapter(), new_code_cell(source, metadata=LABEL)]) == []
    assert book([new_code_cell(source)], path="nbs/9_engine/probe.ipynb") == []


@pytest.mark.parametrize(("metadata", "says"), [
    ({"tags": ["hide-input"]}, "no label"), ({"tags": ["hide-cell"], "mystnb": {"code_prompt_show": "Show: "}}, "no label"),
    ({"tags": ["hide-output"], "mystnb": {"code_prompt_show": "hidden"}}, "no label"),
    ({"tags": ["hide-input"], "mystnb": {"code_prompt_show": "Show: a\nb"}}, "no label"),
    ({"tags": ["remove-input"]}, "hidden"), ({"tags": ["remove-cell"]}, "hidden"),
])
def test_what_is_folded_says_what_it_is(book, metadata, says):
    only(book([*chapter(), new_code_cell("x = 1", metadata=metadata)]), "fold", "cell 14", says)


def test_two_folds_in_a_row_say_different_things(book):
    def fold(figure=None):
        return new_code_cell("x = 1", metadata={**LABEL, "mystnb": {**LABEL["mystnb"], **(figure or {})}})

    only(book([*chapter(), fold(), fold()]), "fold", "cell 15", "twice in a row")
    assert book([*chapter(), fold(), new_markdown_cell("Once more."), fold()]) == []
    shown = {"figure": {"caption": "A line.", "name": "fig-second"}, "image": {"alt": "A line."}}
    assert book([*chapter(), fold(shown), fold()]) == []


def test_margin_notes_are_few(book):
    note = "```{margin}\nTwo pi.\n```"
    assert book([*chapter(), new_markdown_cell(f"{note}\n\n{note}")]) == []
    only(book([*chapter(), *(new_markdown_cell(note) for _ in range(3))]), "margin", "cell 16", "3 margin notes")


@pytest.mark.parametrize("directive", ["hide", "hide_input"])
def test_nothing_is_hidden(book, directive):
    only(book([*chapter(), new_code_cell(f"#| {directive}\nx = 1")]), "fold", "cell 14", "hidden")
    assert book([*chapter(), new_code_cell(f"#| {directive}\n")]) == []


@pytest.mark.parametrize("source", [
    "plt.plot([1])", "fig, ax = plt.subplots()", "fig, axes = subplots(2)", "rfbook.figures.error_curve(records)",
    "import matplotlib.pyplot as plt\nfor i in range(3):\n    plt.plot([i])", "%time plt.plot([1])",
])
def test_cells_that_draw_are_found(book, source):
    only(book([*chapter(), new_code_cell(source)]), "figure", "no caption", "no name", "no alt text")


@pytest.mark.parametrize("source", [
    "import matplotlib.pyplot as plt", "plt.rcParams.update({})", "plt.style.use('default')", "figures.use_style()",
    "def draw():\n    plt.plot([1])", "fig, ax = plt.subplots()\nplt.close(fig)", "#| hide_output\nplt.plot([1])",
    "#| export\nfig, ax = plt.subplots()",
])
def test_cells_that_show_no_figure_pass(book, source):
    assert book([*chapter(), new_code_cell(source)]) == []


SLIDER = "def f(v):\n    return v\n\n\nslider(f, 'D', [1, 2], alt='A line.')"


def test_a_slider_is_a_figure_whose_alt_text_stands_in_the_call(book):
    meta = {"mystnb": {"figure": {"caption": "A line that moves.", "name": "fig-moves"}}}
    assert book([*chapter(), new_code_cell(SLIDER, metadata=meta)]) == []
    found = book([*chapter(), new_code_cell(SLIDER.replace("slider(", "figures.slider("))])
    only(found, "figure", "no caption", "no name")
    assert not any("alt" in str(f) for f in found)


@pytest.mark.parametrize(("source", "says"), [
    (SLIDER + ";", "semicolon"), (SLIDER + "\nprint(1)", "last line"),
])
def test_a_slider_that_nobody_sees(book, source, says):
    meta = {"mystnb": {"figure": {"caption": "A line that moves.", "name": "fig-moves"}}}
    only(book([*chapter(), new_code_cell(source, metadata=meta)]), "figure", says)


@pytest.mark.parametrize(("old", "new", "says"), [
    ("## Recall", "## Memory", "does not end with"),
    ("## Recall", "### Recall", "does not end with"),
    ("```{admonition} What is asked for the 3th", "```{note} What is asked for the 3th", "is no question"),
    ("the 0th time?", "the first time", "is no question"),
    (":class: dropdown recall", ":class: recall", "not hidden"),
    ("in one line.\n", "in one line.\nAnd another.\n", "not one line"),
    ("This, and it is answered in one line.\n", "", "not one line"),
])
def test_recall(book, old, new, says):
    only(book(replaced(old, new)), "recall", says)


def test_recall_stands_last(book):
    only(book([*chapter(), new_markdown_cell("## Sequel")]), "recall", "does not end with")


@pytest.mark.parametrize("number", [0, 3, 7])
def test_recall_asks_four_to_six(book, number):
    cells = chapter()
    cells[-1].source = "## Recall\n\n" + "\n".join(QUESTION.format(i) for i in range(number))
    only(book(cells), "recall", f"{number} recall questions")


@pytest.mark.parametrize("number", [5, 6])
def test_recall_in_several_cells(book, number):
    cells = chapter()
    cells[-1].source = "## Recall"
    assert book([*cells, *(new_markdown_cell(QUESTION.format(i)) for i in range(number))]) == []


@pytest.mark.parametrize(("old", "new", "says"), [
    ("## Check yourself", "## Quiz", "directly before"),
    ("```{quiz} Which of them is the 2th?", "```{note} 2", "has 2 quizzes"),
    ("- [ ] none :: No.", "", "2 choices"), ("the 1th?", "the first.", "no question"),
])
def test_quizzes(book, old, new, says):
    only(book(replaced(old, new)), "quiz", says)


def test_quizzes_stand_before_recall(book):
    cells = chapter()
    cells[-2].source += "\n## More sources"
    only(book(cells), "quiz", "directly before")
    cells = chapter()
    cells.insert(3, new_markdown_cell(QUIZ.format("last")))
    only(book(cells), "quiz", "outside of")


def test_parts_6_and_7_need_no_quiz(book):
    cells = chapter()
    cells[-2].source = "## Sources"
    only(book(cells), "quiz", "0 quizzes")
    assert not [f for f in book(chapter(), more={"nbs/7_experiments/71_probe.ipynb": cells}) if f.rule == "quiz"]


@pytest.mark.parametrize(("text", "says"), [
    ("![](a.svg)", "image has no alt"), ('<img src="a.svg">', "<img> has no alt"),
    ("```{image} a.svg\n```", "the image a.svg has no alt"),
    ("```{figure} a.svg\n:name: fig-a\n\nCaption.\n```", "has no alt"),
    ("```{figure} a.svg\n:alt: A line.\n\nCaption.\n```", "has no name"),
    ("```{figure} a.svg\n:alt: A line.\n:name: fig-a\n```", "has no caption"),
])
def test_markdown_images(book, text, says):
    only(book([*chapter(), new_markdown_cell(text)]), "figure", says)


@pytest.mark.parametrize("text", [
    "![A line](a.svg)", "`![](a.svg)`", "````md\n```{figure} a.svg\n```\n````",
    "```{figure} a.svg\n:alt: A line.\n:name: fig-a\n\nCaption.\n```",
])
def test_good_images_and_quoted_ones_pass(book, text):
    assert book([*chapter(), new_markdown_cell(text)]) == []


@pytest.mark.parametrize("cell", [
    figure(), new_markdown_cell("(fig-probe)=\n"), new_markdown_cell("$$\nx\n$$ (fig-probe)"),
    new_markdown_cell("```{math}\n:label: thm-probe\nx\n```"),
])
def test_labels_are_unique_across_the_book(book, cell):
    only(book(chapter(), more={"nbs/9_engine/80_other.ipynb": [cell]}), "label", "is taken by nbs/2_features/21_probe.ipynb")


def test_a_labelled_formula_needs_a_blank_line(book):
    text = "Then\n{}$$ x = 1 $$ (eq-x)\nholds.\n\n$$\ny\n$$ (eq-y)"
    only(book([*chapter(), new_markdown_cell(text.format(""))]), "label", "the formula eq-x")
    assert book([*chapter(), new_markdown_cell(text.format("\n"))]) == []


@pytest.mark.parametrize("kind", ["theorem", "lemma", "proposition", "corollary"])
def test_statements_need_a_label_and_a_claim(book, kind):
    stated = "```{{prf:{}}} Name\n{}All.\n```"
    only(book([*chapter(), new_markdown_cell(stated.format(kind, ""))]), "claim", "has no label")
    only(book([*chapter(), new_markdown_cell(stated.format(kind, ":label: new\n"))]), "claim", f"the {kind} new has no claim")


def test_a_statement_inside_another_directive_is_found(book):
    text = "````{note}\n```{prf:lemma}\nAll.\n```\n````"
    only(book([*chapter(), new_markdown_cell(text)]), "claim", "has no label")


def test_definitions_need_no_claim(book):
    assert book([*chapter(), new_markdown_cell("```{prf:definition}\n:label: def-a\nAll.\n```")]) == []


def test_claims_need_a_statement_and_a_mutant(book):
    only(book(chapter(), claims=[CLAIM, SimpleNamespace(label="thm-gone", mutants=["m"])]), "claim", "thm-gone speaks of nothing")
    only(book(chapter(), claims=[SimpleNamespace(label="thm-probe", mutants=[])]), "claim", "thm-probe has no mutant")


def test_card(book):
    only(book(replaced(":class: card", ":class: note")), "card", "has no card")
    only(book(replaced("**Time.**", "**Duration.**")), "card", "lacks **Time.**")


def test_exercises(book):
    fewer = chapter()
    fewer[-3].source = "## Exercises\n\n" + EXERCISE.format(0)
    only(book(fewer), "exercise", "has 1 exercises")
    only(book(replaced("{solution-start} ex-2", "{solution-start} ex-3")), "exercise", "ex-2 has no solution")
    only(book(replaced(":class: dropdown\n", ":class: note\n")), "exercise", "is not hidden")
    only(book(replaced("★★", "")), "exercise", "has no stars")
    only(book(replaced(":label: ex-1", ":class: c")), "exercise", "has no label")
    begin = "```{exercise-start} Count ★★\n:label: ex-2"
    open_ended = replaced("One.\n```{solution-end}\n```\n\n" + begin, "One.\n\n" + begin)
    only(book(open_ended), "exercise", "exercise-start stands inside a solution")


def test_sections(book):
    only(book(replaced("## Break it", "## Broken")), "section", "'## Break it' is missing")


def test_sections_have_any_order_and_most_have_any_name(book):
    moved = chapter()
    moved[5], moved[6] = moved[6], moved[5]
    assert book(moved) == []
    for name in ("The picture", "The naive way", "The theorem", "Implementation", "Summary"):
        assert book(replaced(f"## {name}", "## What we want")) == []


def test_experiments_are_free_in_their_sections_but_not_in_the_rest(book):
    cells = replaced("## Break it", "## Broken")
    path = "nbs/7_experiments/61_probe.ipynb"
    assert book(cells, path=path) == []
    cells[0].source = "# Probe"
    only(book(cells, path=path), "card", path)


def test_orientation_appendix_and_engine_are_free_in_form(book):
    cells = [new_markdown_cell("# Notation\n\nFree.")]
    for path in ("nbs/0_start/01_probe.ipynb", "nbs/8_appendix/75_probe.ipynb", "nbs/9_engine/80_probe.ipynb"):
        assert [f for f in book(cells, path=path, claims=()) if f.path == path] == []


def test_words(book):
    long = "word " * 5100
    only(book([*chapter(), new_markdown_cell(long)]), "words", "keep it to 5000")
    assert book([*chapter(), new_markdown_cell(f"```python\n{long}\n```")]) == []
    box = "```{{admonition}} {}\n:class: {}\n{}\n```"
    fine = box.format("Fine print: the constant", "dropdown", long)
    assert book([*chapter(), new_markdown_cell(f"````{{note}}\n{fine}\n````")]) == []
    for title, kind in (("Fine print", "note"), ("A remark", "dropdown")):
        only(book([*chapter(), new_markdown_cell(box.format(title, kind, long))]), "words", "keep it to 5000")


def test_words_count_formulas_and_directives_and_leave_code_out():
    text = "One $x + y$ [two](a/b.ipynb) `code here` <!-- no -->\n\n```{note} three\n:class: c\nfour\n```\n\n```python\nno\n```"
    assert markdown.words(text) == len(["One", "x", "y", "two", "three", "four"])


def test_exports(book):
    many = "#| export\n" + "\n".join(f"def f{i}(): ..." for i in range(13))
    only(book([*chapter(), new_code_cell(many)]), "exports", "exports 13 public names")
    for source in (many.replace("def f", "def _f"), many.replace("export", 'export lab.claims.probe\n"""Probes."""'), many.replace("export", "exporti")):
        assert book([*chapter(), new_code_cell(source)]) == []


def test_exported_functions_are_short(book):
    long = '#| export features.probe\n"""Probes."""\n\n\ndef f():\n' + "    x = 1\n" * 40
    says = "the function f has 41 lines of code: keep it to 40"
    only(book([*chapter(), new_code_cell(long, metadata=LABEL)]), "size", says)
    inside = '#| export features.probe\n"""Probes."""\n\n\nclass Probe:\n' + textwrap.indent(long.split("\n\n\n", 1)[1], "    ")
    only(book([*chapter(), new_code_cell(inside, metadata=LABEL)]), "size", says)
    spared = '    """Say.\n\n    more\n    """\n\n    # why\n'
    short = long.replace("    x = 1\n", spared, 1)
    two = short + "\n\n" + short.split("\n", 1)[1].replace("def f", "def g")
    for source in (short, two, long.replace("#| export features.probe\n", "")):
        assert book([*chapter(), new_code_cell(source, metadata=LABEL)]) == []


def exported(module, doc="", name="f"):
    """A folded cell that goes into a module, with the docstring that it may begin with."""
    return new_code_cell(f"#| export {module}\n{doc}def {name}(): ...", metadata={"tags": LABEL["tags"], "mystnb": {
        "code_prompt_show": f"Show: {name}"}})


def test_a_module_has_a_docstring_in_one_of_its_cells(book):
    bare, said = exported("bounds.probe"), exported("bounds.probe", '"""Probes."""\n\n\n', "g")
    only(book([*chapter(), bare]), "docstring", "cell 14", "bounds.probe has no docstring")
    assert book([*chapter(), bare, said]) == []
    only(book([*chapter(), said, exported("bounds.probe", '"""More."""\n')]), "docstring", "cell 15", "already")


def test_a_notebook_says_under_its_title_what_its_own_module_is_for(book):
    own, path = [new_code_cell("#| default_exp probe"), new_code_cell("#| export\ndef f(): ...")], "nbs/9_engine/probe.ipynb"
    only(book([new_markdown_cell("# Probes\n\nNot quoted."), *own], path=path, claims=()), "docstring", "the module probe")
    assert book([new_markdown_cell("# Probes\n\n> What probes are."), *own], path=path, claims=()) == []


def test_a_notebook_writes_one_module_of_a_room(book, monkeypatch):
    cells = [exported(f"{module}.probe", '"""Probes."""\n', module) for module in ("bounds", "claims")]
    assert book([*chapter(), *cells]) == []
    cells += [exported("bounds.other", '"""Others."""\n', "other")]
    only(book([*chapter(), *cells]), "module", "writes bounds.other, bounds.probe")
    monkeypatch.setattr(modules, "SEVERAL", {CHAPTER: {"bounds", "claims"}})
    only(book([*chapter(), *cells]), "module", "one module of claims at most: take it out")


@pytest.mark.parametrize("heading", ["## Two Words", "## two words", "### A Bound of Hoeffding"])
def test_headings_in_sentence_case(book, heading):
    title, *cells = chapter()
    only(book([title, new_markdown_cell(heading), *cells]), "heading", "in sentence case")


@pytest.mark.parametrize("heading", [
    "### The law of Bochner", "### Speed: How it was measured", "### `Gaussian` and $K_D$", "### What SVC costs", "### 3 bounds",
    "### Hoeffding's bound", "### With [Rahimi and Recht](a.ipynb)", "### The Monte-Carlo error", "### NumPy first", "### rfbook claims",
    "### A book by Schoelkopf",
])
def test_good_headings(book, heading):
    bib = "@book{a,\n  author = {Schoelkopf, Bernhard and Rahimi, Ali\n            and Recht, Benjamin},\n}"
    assert book([*chapter(), new_markdown_cell(heading)], files={"references.bib": bib}) == []


def test_outputs(book):
    with_output = new_code_cell("1", outputs=[new_output("stream", text="1")])
    only(book([*chapter(), with_output]), "output", "carries output")
    only(book([*chapter(), new_code_cell("1", execution_count=3)]), "output", "execution count")


@pytest.mark.parametrize("text", ["```{admonition} What does `out` do?\n:class: tip\nThis.\n```",
                                  "````{tip}\n```{note} See {ref}`there`\nThis.\n```\n````"])
def test_a_directive_has_no_backticks_in_its_title(book, text):
    only(book([*chapter(), new_markdown_cell(text)]), "fence", "cell 14", "opens nothing")


@pytest.mark.parametrize(("text", "shown"), [("| a | b |\n|---|---|\n| far | below $|x|$ |", "$"),
                                             ("There is:\n\n$$\nx\n$$\n\nof size one.\n2. Or not.", "2. Or not."),
                                             ("```{note}\nIt costs $5.\n```", "$5.")])
def test_nothing_is_printed_as_it_stands(book, text, shown):
    only(book([*chapter(), new_markdown_cell(text)]), "swallowed", "cell 14", repr(shown))


@pytest.mark.parametrize("text", ["| a |\n|---|\n| $\\lvert x\\rvert$, `$x`, 5 \\$ |", "One.\n\n2. Two.\n3. Three."])
def test_what_is_set_is_not_reported(book, text):
    assert not book([*chapter(), new_markdown_cell(text)])


def test_a_directive_that_is_quoted_passes(book):
    for text in ("A box is ```` ```{admonition} Of `x` ````.", "````md\n```{admonition} Of `x`\n```\n````"):
        assert book([*chapter(), new_markdown_cell(text)]) == []


@pytest.mark.parametrize("text", ["see /home/ada/book", "in `/work/x.csv`", "(/root)", "http://localhost:8888/tree"])
def test_nothing_of_one_machine(book, text):
    only(book([*chapter(), new_markdown_cell(text)]), "machine", "of one machine")
    only(book(chapter(), files={"README.md": text}), "machine", "README.md")


@pytest.mark.parametrize("text", ["net/work and home/page", "http://example.org/work/", "a/root"])
def test_other_paths_pass(book, text):
    assert book([*chapter(), new_markdown_cell(text)]) == []


def test_toc(book):
    good = "root: nbs/index\nparts:\n  - chapters:\n    - file: nbs/2_features/21_probe\n"
    index = {"nbs/index.ipynb": [new_markdown_cell("# Probe")]}
    assert book(chapter(), files={"_toc.yml": good}, more=index) == []
    only(book(chapter(), files={"_toc.yml": "root: nbs/index\n"}, more=index), "toc", f"{CHAPTER}: the notebook is not in the book")
    only(book(chapter(), files={"_toc.yml": good + "    - file: nbs/gone\n"}, more=index), "toc", "nbs/gone is not there")
    only(book(chapter(), files={"_toc.yml": good + "    - file: nbs/2_features/21_probe\n"}, more=index), "toc", "listed twice")


@pytest.mark.parametrize(("module", "line", "says"), [
    ("kernels.py", "from .features.fourier import f", "imports rfbook.features (floor 5) into floor 2"),
    ("kernels.py", "from . import bounds", "imports rfbook.bounds (floor 2) into floor 2"),
    ("kernels.py", "import rfbook.learning.ridge", "rfbook.learning"),
    ("features/fourier.py", "def f():\n    from ..learning import ridge", "line 2 imports rfbook.learning"),
    ("features/fourier.py", "from rfbook.lab.claims.fourier import x", "rfbook.lab.claims"),
    ("figures.py", "from .lab.experiments import run", "rfbook.lab.experiments"),
    ("solvers/direct.py", "from ..kernels import Gaussian", "rfbook.kernels"),
    ("learning/ridge.py", "from .. import RandomFourierFeatures", "import it from its module"),
    ("stray.py", "import numpy", "has no floor"),
])
def test_floors(book, module, line, says):
    only(book(chapter(), files={f"rfbook/{module}": line}), "floor", f"rfbook/{module}", says)


@pytest.mark.parametrize(("module", "line"), [
    ("features/fourier.py", "from ..kernels import Gaussian\nfrom .binning import g\nimport numpy as np"),
    ("solvers/direct.py", "from .._parallel import pool\nfrom .._jit.gram import gram"),
    ("lab/claims/fourier.py", "from ...features.fourier import f\nfrom ..ledger import claim\nfrom ... import bounds\nfrom .. import ledger"),
    ("cli.py", "from . import figures, __version__\nfrom .lab import experiments"),
    ("__init__.py", "from .cli import main"),
])
def test_imports_from_below_pass(book, module, line):
    assert book(chapter(), files={f"rfbook/{module}": line}) == []


def test_a_public_name_comes_from_its_module_and_not_through_the_lazy_root(book):
    init = {"rfbook/__init__.py": "_HOMES = {'learning': 'Regressor'}"}
    line = "from rfbook import Regressor"
    direct = "from rfbook.learning import Regressor"
    allowed = {**init, "rfbook/cli.py": line, "rfbook/lab/experiments/first.py": direct}
    assert book(chapter(), files=allowed) == []
    only(book(chapter(), files={"rfbook/lab/experiments/first.py": line}), "floor", "import it from rfbook.learning")
    only(book(chapter(), files={"rfbook/lab/experiments/first.py": direct, "rfbook/kernels.py": direct}), "floor",
         f"rfbook.learning (floor {house.FLOORS['learning']}) into floor 2")


def test_few_private_names_cross_from_room_to_room(book):
    line = "from ..kernels import _a, _b, _c\nfrom rfbook.draws.waves import _d, e\nfrom .. import _parallel"
    few = {"rfbook/kernels/__init__.py": "", "rfbook/kernels/_taylor.py": "", "rfbook/_parallel.py": "",
           "rfbook/features/fourier.py": line, "rfbook/features/binning.py": "from .fourier import _f\nfrom ._maps import g",
           "rfbook/draws/waves.py": "from ..kernels import _taylor\nfrom ..kernels._taylor import series",
           "rfbook/lab/claims/fourier.py": "from ...features.fourier import _a, _b, _c"}
    assert book(chapter(), files=few) == []
    found = book(chapter(), files={"rfbook/learning/ridge.py": "from ..features.fourier import _a, _b"})
    only(found, "door", "rfbook/features/fourier.py: line 2 uses the private _d", "rfbook/learning/ridge.py: line 1",
         "one of 6", "keep them to 5")
    assert len(found) == 6


@pytest.mark.parametrize("line", [
    "from ..draws import waves\nwaves._a", "from ..draws import waves as w\nw._a", "from .. import draws\ndraws._a",
    "import rfbook.draws.waves as w\nw._a"])
def test_private_names_asked_of_a_module_are_counted(book, line):
    own = "from . import fourier, fourier as f\nfrom .. import draws\nfourier._a, f._b, f.__doc__, draws.waves, draws._made"
    line += "\nfrom ..draws import _b, _c, _d, _e"
    few = {"rfbook/draws/__init__.py": "", "rfbook/draws/waves.py": "", "rfbook/draws/_made.py": "",
           "rfbook/features/fourier.py": line, "rfbook/features/binning.py": own}
    assert book(chapter(), files=few) == []
    only(book(chapter(), files={"rfbook/learning/ridge.py": "from ..draws import waves\nf = waves._g"}), "door",
         "rfbook/learning/ridge.py: line 2 uses the private _g", "one of 6")
