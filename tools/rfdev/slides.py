"""Slides of the parts as Marp Markdown, from the plain copies of their chapters.

A chapter gives its question with the first lines of code that are shown, statements, figures and its Recall, whose
answers are notes for the speaker; a deck takes of each what matters most, until it is full.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml

from rfdev import parts, plain

MOST = 30  # slides of a deck
SHOWN = 4  # questions on the slide of a Recall
LINES, COLUMNS = range(2, 8), 84  # of code on a slide
LONG = 1300  # characters of a statement that no slide holds
_RANK = ("question", "statement", "figure", "recall")  # what a chapter has at least, if it has it
_KINDS = "Theorem|Proposition|Lemma|Corollary"

STYLE = """
section { font-size: 27px; padding: 56px 70px; place-content: safe start stretch; }
section h2 { color: #0b5870; font-size: 36px; margin-bottom: 0.5em; }
section.middle { font-size: 23px; }
section.small { font-size: 19px; }
section.title { place-content: safe center stretch; }
section img { display: block; height: 400px; margin: 0 auto; max-width: 100%; object-fit: contain; }
section.figure p { font-size: 0.8em; }
section pre { font-size: 20px; }
section footer { color: #6a7480; }
"""


@dataclass(frozen=True)
class Slide:
    """One slide."""

    kind: str
    title: str
    text: str
    at: int  # where in the chapter it stands

    def markdown(self) -> str:
        """The slide for Marp; long text is set smaller."""
        seen = len(re.sub(r"<!--.*?-->|```.*?```", "", self.text, flags=re.S))  # code has a size of its own
        size = "" if self.kind in {"title", "figure"} or seen <= 520 else "middle" if seen <= 900 else "small"
        classes = " ".join(filter(None, [self.kind if self.kind in {"title", "figure"} else "", size]))
        return (f"<!-- _class: {classes} -->\n\n" if classes else "") + f"## {self.title}\n\n{self.text.strip()}\n"


def spoken(text: str) -> str:
    """Text without links and places, and with each displayed formula on lines of its own."""
    text = re.sub(r'<a name="[^"]*"></a>', "", text)
    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"[ \t]*\$\$\s*(.+?)\s*\$\$[ \t]*\n?", lambda m: f"\n\n$$\n{m[1]}\n$$\n\n", text, flags=re.S)


def _open(text: str) -> str:
    """Text of a copy without what is folded in it."""
    return re.sub(r"<details>.*?</details>", "", text, flags=re.S)


def statements(text: str) -> list[tuple[str, str]]:
    """Name and text of the statements of a copy that stand in view, and are short enough."""
    found = []
    for box in re.findall(r"(?:^>.*\n?)+", _open(text), flags=re.M):
        said = re.sub(r"^> ?", "", box, flags=re.M).strip()
        m = re.match(rf"\*\*((?:{_KINDS}) [\d.]+(?: \(.*?\))?)\.\*\*\s*(.*)", said, flags=re.S)
        if m and len(m[2]) <= LONG:
            found.append((spoken(m[1]), spoken(m[2])))
    return found


def recall(text: str) -> list[tuple[str, str]]:
    """Questions and answers of a Recall."""
    after = text.partition("## Recall")[2]
    folds = re.findall(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", after, flags=re.S)
    return [(spoken(question).strip(), spoken(answer).strip()) for question, answer in folds]


def _is_short(source: str) -> bool:
    lines = source.strip().split("\n")
    return (len(lines) in LINES and max(map(len, lines)) <= COLUMNS and not source.lstrip().startswith(("#", "%"))
            and not re.search(r"loadtxt|book_file|read_csv|\b_[a-z]\w*\(", source)  # nor what a reader cannot call
            and not all(line.startswith(("import ", "from ")) for line in lines))


def of_chapter(copy: nbformat.NotebookNode, title: str, question: str,
               figures: dict[str, tuple[str, str]]) -> list[Slide]:
    """All slides that a chapter could give, in its order.

    Parameters
    ----------
    copy : NotebookNode
        Its plain copy.
    title, question : str
    figures : dict
        Path and alt text of the figure that the cell with an identifier draws.
    """
    found, code, asked = [], "", []
    for i, cell in enumerate(copy.cells):
        if cell.cell_type == "code":
            hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
            if not code and not hidden and _is_short(cell.source):
                code = f"\n\n```python\n{cell.source.strip()}\n```"
            continue
        for name, said in statements(cell.source):
            found.append(Slide("statement", name, said, i))
        asked = asked or recall(cell.source if "## Recall" in cell.source else "")
        drawn = cell.get("id", "").removesuffix("-caption")
        if drawn != cell.get("id", "") and drawn in figures and "<details>" not in cell.source:
            path, alt = figures[drawn]
            m = re.match(r"\*\*(.*?)\.\*\*\s*(.*)", spoken(cell.source).strip(), flags=re.S)
            image = f'<img src="{html.escape(path)}" alt="{html.escape(alt)}">'
            found.append(Slide("figure", m[1] if m else title, f"{image}\n\n{m[2] if m else ''}", i))
    first = Slide("question", title, spoken(question) + code, -1)
    if not asked:
        return [first, *found]
    notes = "\n\n".join(f"{i}. {answer}" for i, (_, answer) in enumerate(asked[:SHOWN], 1)).replace("--", "- -")
    listed = "\n".join(f"{i}. {' '.join(question.split())}" for i, (question, _) in enumerate(asked[:SHOWN], 1))
    last = Slide("recall", f"Recall: {title}", f"{listed}\n\n<!--\n{notes}\n-->", len(copy.cells))
    return [first, *found, last]


def chosen(slides: list[Slide], number: int) -> list[Slide]:
    """A number of slides of a chapter: one of each kind, theorems before all other statements, then what is first."""
    def rank(slide: Slide) -> tuple[bool, int]:
        return slide.kind == "statement" and not slide.title.startswith("Theorem"), slide.at

    best = sorted(slides, key=rank)
    first = [next((s for s in best if s.kind == kind), None) for kind in _RANK]
    taken = [slide for slide in first if slide is not None]
    taken += [slide for slide in best if slide not in taken]
    return sorted(taken[:number], key=lambda slide: slide.at)


def shared(sizes: list[int], most: int) -> list[int]:
    """How many slides each chapter gets, as even as its own number allows."""
    given = [0] * len(sizes)
    while sum(given) < min(most, sum(sizes)):
        least = min((i for i in range(len(sizes)) if given[i] < sizes[i]), key=lambda i: given[i])
        given[least] += 1
    return given


def deck(title: str, chapters: list[tuple[str, list[Slide]]], most: int = MOST) -> str:
    """Marp Markdown of a part: a slide with its chapters, then theirs."""
    numbers = shared([len(slides) for _, slides in chapters], most - 1)
    listed = "\n".join(f"- {name}" for name, _ in chapters)
    slides = [Slide("title", title, listed, 0)]
    for (_, all_of_it), number in zip(chapters, numbers, strict=True):
        slides += chosen(all_of_it, number)
    style = "\n".join(f"  {line}" for line in STYLE.strip().split("\n"))
    head = "---\nmarp: true\nmath: mathjax\npaginate: true\nfooter: Random features for kernel machines\n"
    head += f"style: |\n{style}\n---\n\n"
    return head + "\n---\n\n".join(slide.markdown() for slide in slides)


def caption(part: str, root: Path) -> str:
    """What the table of contents calls a part."""
    spec = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    pages = [c.page for c in parts.chapters(root) if str(c.number)[0] == part]
    for entry in spec["parts"]:
        if any(pages[0] == file for file in re.findall(r"'file': '([^']*)'", repr(entry))):
            return entry["caption"]
    raise ValueError(f"no part of the book is {part!r}")


def of_part(part: str, root: Path, figures_of) -> str:
    """The deck of a part; `figures_of` gives the figures of a page (see `of_chapter`)."""
    chapters = []
    for chapter in parts.chapters(root):
        if str(chapter.number)[0] != part:
            continue
        page = chapter.page + ".ipynb"
        text = (root / page).read_text(encoding="utf-8")
        copy = plain.plain(text, page, plain.Edition(), root)
        question = plain.Page(page, plain.Edition(), root).text(chapter.question)
        slides = of_chapter(copy, f"{chapter.number} {chapter.title}", question, figures_of(page))
        chapters.append((f"{chapter.number} {chapter.title}", slides))
    return deck(caption(part, root), chapters)


def alt_texts(page: str, root: Path) -> dict[str, str]:
    """Alt text of each figure of a page, by the identifier of its cell."""
    raw = nbformat.read(root / page, as_version=4)
    said = {cell.get("id", ""): cell.metadata.get("mystnb", {}) for cell in raw.cells}
    return {name: meta.get("image", {}).get("alt", "") for name, meta in said.items() if "figure" in meta}


