"""Plain copies of the pages: nothing of MyST left, numbers and references in words, code that runs elsewhere."""

import json
import re

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rfdev import ROOT, downloads, numbers, plain, works
from rfdev.cells import HIDDEN, SOLUTION

if not (ROOT / "_toc.yml").exists():
    pytest.skip("no repository around the tests", allow_module_level=True)

FOURIER = "nbs/2_features/21_fourier.ipynb"
EDITION = plain.Edition(version="1.2.3")


@pytest.fixture(scope="module")
def copies():
    return {page: plain.plain((ROOT / page).read_text(encoding="utf-8"), page, EDITION) for page in numbers.pages(ROOT)}


def test_nothing_is_left_raw(copies):
    """In any copy: roles, directives, labels, empty links, nbdev's comments, the book's own macros."""
    assert len(copies) > 100
    raw = {page: found for page, nb in copies.items() if (found := plain.left_raw(nb))}
    assert not raw


@pytest.mark.parametrize("text", [
    "See {prf:ref}`thm-x`.", "By {cite:t}`rahimi2007`", "```{note}\nText\n```", ":::{note}\nText\n:::",
    "> ```{margin}\n> x", "$$\na\n$$ (eq-a)", "(place)=\n# A", "[](other.ipynb)", ":class: dropdown", r"$\E x$",
    "[words]()"])
def test_what_is_raw_is_seen(text):
    assert plain.left_raw(new_notebook(cells=[new_markdown_cell(text)]))
    shown = new_notebook(cells=[new_markdown_cell(f"````\n{text}\n````")])
    assert not plain.left_raw(shown)


def test_directives_of_nbdev_are_seen_in_code():
    assert plain.left_raw(new_notebook(cells=[new_code_cell("#| export\nx = 1")]))
    assert not plain.left_raw(new_notebook(cells=[new_code_cell("x = '{eq}`a`'")]))


def test_links_between_copies_lead_to_copies(copies):
    """Without an address of the site; anchors on the same page are there."""
    for page, nb in copies.items():
        text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
        names = set(re.findall(r'<a name="([^"]+)">', text))
        for link in re.findall(r"(?<!\\)\]\(([^()\s]+)\)", re.sub(r"\$[^$]*\$|`[^`]*`", "", text)):
            name, _, anchor = link.partition("#")
            if re.match("[a-z]+:", link):
                continue
            if name:
                target = (ROOT / page).parent / name
                assert target.resolve().relative_to(ROOT).as_posix() in copies, (page, link)
            elif anchor:
                assert anchor in names, (page, link)


def page(text, path=FOURIER, **where):
    return plain.Page(path, plain.Edition(**where)).text(text)


@pytest.mark.parametrize(("text", "want"), [
    ("{prf:ref}`thm-fourier-unbiased` and {eq}`eq-fourier-moments`",
     "[Theorem 21.2](#thm-fourier-unbiased) and [(21.1)](#eq-fourier-moments)"),
    ("{ref}`the exercise <ex-fourier-quarter>`", "[the exercise](#ex-fourier-quarter)"),
    ("{numref}`fig-fourier-picture`", "[Fig. 21.1](#fig-fourier-picture)"),
    ("{cite:t}`yu2016`", "[Yu et al. (2016)](#work-yu2016)"),
    ("({cite:p}`rahimi2007`)", "(([Rahimi and Recht, 2007](#work-rahimi2007)))"),
    ("[](../1_kernels/13_bochner.ipynb)", "[Bochner's theorem](../1_kernels/13_bochner.ipynb)"),
    ("[*there*](../1_kernels/13_bochner.ipynb)", "[*there*](../1_kernels/13_bochner.ipynb)"),
    ("$\\E|x|\\in\\R^d$, not \\R or `$\\E$`", "$\\mathbb{E}|x|\\in\\mathbb{R}^d$, not \\R or `$\\E$`"),
    ("$$\na\n$$ (eq-fourier-sums)\n", "$$\na \\tag{21.2}\n$$\n"),
    ("- item\n\n  $$a$$ (eq-fourier-sums)\n", "- item\n\n  $$a\\tag{21.2}$$\n"),
    ("`{eq}` and ``{eq}`eq-fourier-sums` `` stay", "`{eq}` and ``{eq}`eq-fourier-sums` `` stay"),
    ("```python\n{eq}`a`\n```", "```python\n{eq}`a`\n```"),
    ("```{prf:theorem} Of $x$\n:label: thm-fourier-unbiased\nSo\n\n$$\na\n$$\n```\n",
     "> **Theorem 21.2 (Of $x$).**\n>\n> So\n>\n> $$ a $$\n"),
    ("````{admonition} Fine print: *more*\n:class: dropdown\n```{margin}\nNote\n```\n````",
     "<details>\n<summary>Fine print: <em>more</em></summary>\n\n> Note\n\n</details>\n"),
    ("```{admonition} At $x$\n:class: dropdown\nNo\n```",
     "<details>\n<summary>\n\nAt $x$\n\n</summary>\n\nNo\n\n</details>\n"),
])
def test_words_in_place_of_myst(text, want):
    assert page(text) == want


def test_with_an_address_other_pages_are_those_of_the_site():
    said = page("{prf:ref}`thm-bochner-converse`, {prf:ref}`thm-fourier-unbiased`, [](../1_kernels/13_bochner.ipynb)",
                site="https://there.org/book/")
    at = "https://there.org/book/nbs/1_kernels/13_bochner.html"
    assert f"]({at}#thm-bochner-converse)" in said and f"]({at})" in said and "](#thm-fourier-unbiased)" in said
    said = page("{eq}`eq-fourier-moments`", "nbs/2_features/22_how_many.ipynb", site="https://there.org")
    assert said == "[(21.1)](https://there.org/nbs/2_features/21_fourier.html#equation-eq-fourier-moments)"


@pytest.mark.parametrize(("text", "message"), [
    ("{unknown}`a`", "role {unknown}"), ("```{unknown}\n```", "directive {unknown}"), ("{eq}`eq-none`", "'eq-none'"),
    ("[](none.ipynb)", "none.ipynb"), ("- a\n\n  ```{note}\n  b\n  ```", "in a list")])
def test_what_is_not_known_is_an_error_that_names_the_page(text, message):
    with pytest.raises(ValueError, match=message) as error:
        page(text)
    assert FOURIER in str(error.value)
    with pytest.raises(KeyError, match="nobody1900"):
        works.cite(ROOT, "nobody1900", textual=True)


def test_folded_cells_are_closed_and_say_what_is_in_them(copies):
    cells = {cell.id: cell for cell in copies[FOURIER].cells}
    for raw in json.loads((ROOT / FOURIER).read_text(encoding="utf-8"))["cells"]:
        if "hide-input" in raw["metadata"].get("tags", []):
            cell, label = cells[raw["id"]], raw["metadata"]["mystnb"]["code_prompt_show"].removeprefix("Show: ")
            assert cell.metadata.jupyter.source_hidden and cell.metadata.cellView == "form"
            assert cell.source.split("\n")[0].lower() == f"# @title {label}".lower()
    assert sum("# @title" not in cell.source for cell in cells.values() if cell.cell_type == "code") > 10


def test_solutions_wait_behind_a_summary(copies):
    """The text of each solution is in elements that open and close in one cell, its code is folded."""
    cells = copies[FOURIER].cells
    text = "\n".join(cell.source for cell in cells)
    assert text.count("<summary>Solution of Exercise 21.") >= 6
    at = next(i for i, cell in enumerate(cells) if "Solution of Exercise 21.1<" in cell.source)
    assert "</details>" in cells[at].source.partition("Solution of Exercise 21.1<")[2]
    assert cells[at + 1].cell_type == "code" and cells[at + 1].metadata.jupyter.outputs_hidden
    for nb in copies.values():
        for cell in nb.cells:
            assert cell.cell_type == "code" or cell.source.count("<details>") == cell.source.count("</details>")


def test_figures_have_their_captions_and_citations_their_works(copies):
    text = [cell.source for cell in copies[FOURIER].cells]
    assert any("**Fig. 21.1.** Thirty draws" in source for source in text)
    assert text[-1].startswith("## Works cited") and '<a name="work-rahimi2007"></a>Ali Rahimi' in text[-1]


def test_assignments_come_without_their_solutions(copies):
    nb = copies["nbs/coursework/assignment1.ipynb"]
    assert any("NotImplementedError" in cell.source and "nbgrader" in cell.metadata for cell in nb.cells)
    assert not any(SOLUTION.search(cell.source) or HIDDEN.search(cell.source) for cell in nb.cells)


def test_the_library_is_installed_from_a_repository_only_if_there_is_one(monkeypatch):
    text = (ROOT / FOURIER).read_text(encoding="utf-8")
    monkeypatch.delenv("RFBOOK_REPOSITORY", raising=False)
    assert plain.repository() == ("", "") and plain.Edition().colab(FOURIER) == ""
    assert "rfbook-1.2.3-py3-none-any.whl[notebooks]" in plain.plain(text, FOURIER, EDITION).cells[1].source
    monkeypatch.setenv("RFBOOK_REPOSITORY", "owner/name")
    monkeypatch.setenv("GITHUB_SHA", "abc123")
    edition = plain.Edition("", *plain.repository(), version="1.2.3")
    assert edition.colab(FOURIER) == ("https://colab.research.google.com/github/owner/name/blob/notebooks/"
                                      "2_features/21_fourier.ipynb")
    install = plain.plain(text, FOURIER, edition).cells[2]
    assert "rfbook[notebooks] @ https://github.com/owner/name/archive/abc123.zip" in install.source
    monkeypatch.setenv("RFBOOK_REPOSITORY", "https://github.com/owner/name")
    with pytest.raises(ValueError, match="OWNER/NAME"):
        plain.repository()


def test_numbers_that_differ_from_the_site_are_told():
    target = numbers.targets(ROOT)["thm-fourier-unbiased"]
    name = target.page.removesuffix(".ipynb")
    mine = {label: t for label, t in numbers.targets(ROOT).items() if t.page == target.page and t.kind}
    seen = {name: {"all": {f"equation-{label}" if t.kind == "displaymath" else label: t.number
                           for label, t in mine.items()}}}
    assert numbers.differing(ROOT, seen, {name}) == []
    seen[name]["all"]["thm-fourier-unbiased"] = (21, 99)
    del seen[name]["all"]["equation-eq-fourier-moments"]
    wrong = numbers.differing(ROOT, seen, {name})
    assert len(wrong) == 2 and any("Theorem 21.2 here" in w and "(21, 99)" in w for w in wrong)


def test_pages_are_chosen_by_name():
    assert downloads.chosen(["all"], ROOT) == numbers.pages(ROOT)
    assert [plain.copy_of(page) for page in downloads.chosen(["sample"], ROOT)] == list(downloads.SAMPLE)
    assert downloads.chosen([FOURIER, "nbs/2_features"], ROOT)[0] == FOURIER
    with pytest.raises(ValueError, match="'nowhere'"):
        downloads.chosen(["nowhere"], ROOT)


def test_the_extra_brings_what_the_chapters_import(copies):
    """What pages for developers need besides is said under their titles."""
    assert not {page: more for page, nb in copies.items() if re.match(r"nbs/[0-7]_", page)
                and plain.copy_of(page) not in downloads.SAYS and (more := plain.lacking(nb))}
    said = copies["nbs/9_engine/validation.ipynb"].cells[1].source
    assert "It also imports" in said and "`pytest`" in said
