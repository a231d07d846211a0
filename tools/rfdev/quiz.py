"""Questions that answer back: ``{quiz}`` and ``{quiz-number}``, and the question bank of a learning platform.

A choice is a line ``- [x] text :: answer`` of the directive, with ``[ ]`` where it is wrong; a longer one goes on in
lines that are indented.  Of a number the text is the value, with ``± tolerance`` if there is one, or ``else``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from xml.etree import ElementTree

from markdown_it import MarkdownIt

from rfdev.cells import Notebook, read_notebook
from rfdev.lint.markdown import QUIZZES, Directive, directives
from rfdev.numbers import chapter_number, pages, titles

ELSE = "else"  # any other number
_LINE = re.compile(r"^[-*] \[([ xX])\] (.*)$")
_NUMBER = re.compile(r"^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s*±\s*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))?$")
_MATH = re.compile(r"(?<!\\)\$([^$]+)\$")


@dataclass(frozen=True)
class Choice:
    """One thing that may be answered, and what is said to it."""

    text: str
    right: bool
    answer: str
    value: float | None = None  # of a number that is asked for; None stands for all others
    tolerance: float = 0.0


@dataclass(frozen=True)
class Quiz:
    """A question with its choices."""

    question: str
    choices: tuple[Choice, ...]
    numeric: bool = False

    @property
    def right(self) -> Choice:
        """The one that is right."""
        return next(choice for choice in self.choices if choice.right)


def _choices(body: str) -> Iterator[tuple[bool, str, str]]:
    """Whether it is right, text and answer of each choice."""
    found: list[list[str]] = []
    for line in body.split("\n"):
        if m := _LINE.match(line):
            found.append([m[1], m[2]])
        elif line.strip():
            if not found or not line[0].isspace():
                raise ValueError(f"{line.strip()!r} is no choice: begin it with '- [ ] ' or '- [x] ', or indent it")
            found[-1][1] += " " + line.strip()
    for mark, said in found:
        text, _, answer = said.partition(" :: ")
        yield mark != " ", text.strip(), answer.strip()


def read(part: Directive) -> Quiz:
    """The quiz that a directive is; ValueError says what is wrong with it."""
    numeric = part.name == "quiz-number"
    choices = []
    for right, text, answer in _choices(part.body):
        value, tolerance = None, 0.0
        if numeric and text != ELSE:
            m = _NUMBER.match(text)
            if m is None:
                raise ValueError(f"{text!r} is no number: write '0.5', '0.5 ± 0.01' or, for all others, 'else'")
            value, tolerance = float(m[1]), float(m[2] or 0)
        choices.append(Choice(text, right, answer, value, tolerance))
    return Quiz(part.argument, tuple(choices), numeric)


def faults(part: Directive) -> Iterator[str]:
    """What is wrong with a quiz, each as the end of a sentence."""
    try:
        quiz = read(part)
    except ValueError as error:
        yield str(error)
        return
    if not quiz.question.endswith("?"):
        yield "its title is no question: end it with '?'"
    if len(quiz.choices) < 3:
        yield f"it has {len(quiz.choices)} choices: give at least three"
    if (n := sum(choice.right for choice in quiz.choices)) != 1:
        yield f"{n} of its choices are right: mark exactly one by [x]"
    for choice in quiz.choices:
        if not choice.answer:
            yield f"nothing is answered to {choice.text!r}: write ' :: ' and the answer behind it"
    if len({choice.text for choice in quiz.choices}) < len(quiz.choices):
        yield "two of its choices are the same"
    if re.search(r"\{[a-z:-]+\}`|\]\(", " ".join([quiz.question, *(f"{c.text} {c.answer}" for c in quiz.choices)])):
        yield "it has a reference, which no question bank can follow: say it in words"
    if quiz.numeric:
        yield from _numeric_faults(quiz)


def _numeric_faults(quiz: Quiz) -> Iterator[str]:
    rest = [choice for choice in quiz.choices if choice.value is None]
    if len(rest) != 1 or rest[0].right:
        yield "it must have one wrong choice 'else', for all other numbers"
    for i, a in enumerate(quiz.choices):
        for b in quiz.choices[i + 1 :]:
            if a.value is not None and b.value is not None and abs(a.value - b.value) <= a.tolerance + b.tolerance:
                yield f"{a.text} and {b.text} overlap"


def of_notebook(nb: Notebook) -> list[Quiz]:
    """All quizzes of a page, in their order."""
    return [read(part) for cell in nb.markdown() for part in directives(cell.source) if part.name in QUIZZES]


@cache
def of_the_book(root: Path) -> tuple[tuple[str, tuple[Quiz, ...]], ...]:
    """Name of each chapter that has quizzes, with its number, and its quizzes."""
    found = []
    for page in pages(root):
        if quizzes := of_notebook(read_notebook(root / page, root)):
            number = chapter_number(page)
            found.append((f"{number} {titles(root)[page]}" if number else titles(root)[page], tuple(quizzes)))
    return tuple(found)


# ---- the bank


def as_html(text: str, formula=lambda tex: tex) -> str:
    r"""Text of a quiz as HTML, its formulas between ``\(`` and ``\)`` as learning platforms take them."""
    kept: list[str] = []

    def keep(m: re.Match) -> str:
        kept.append(rf"\({escape(formula(m[1]), quote=False)}\)")
        return f"\ue000{len(kept) - 1}\ue001"

    said = MarkdownIt("commonmark").renderInline(_MATH.sub(keep, text))
    return re.sub("\ue000(\\d+)\ue001", lambda m: kept[int(m[1])], said)


def _number(value: float) -> str:
    return f"{value:.12g}"


def _name(chapter: str, i: int) -> str:
    return f"{chapter}, question {i}"


def gift(book, formula=lambda tex: tex) -> str:
    """The bank in Moodle's GIFT format, one category per chapter."""
    def said(text: str) -> str:
        return re.sub(r"([\\~=#{}:])", r"\\\1", as_html(text, formula))

    out = []
    for chapter, quizzes in book:
        out.append(f"$CATEGORY: rfbook/{chapter.replace('/', '//')}\n")
        for i, quiz in enumerate(quizzes, 1):
            lines = [f"::{said(_name(chapter, i))}::[html]{said(quiz.question)} {{" + "#" * quiz.numeric]
            # what is said to all other numbers is last
            for choice in sorted(quiz.choices, key=lambda choice: quiz.numeric and choice.value is None):
                if quiz.numeric and choice.value is None:
                    lines.append(f"~#{said(choice.answer)}")
                elif quiz.numeric:
                    what = f"{_number(choice.value)}:{_number(choice.tolerance)}"
                    lines.append(f"={'' if choice.right else '%0%'}{what}#{said(choice.answer)}")
                else:
                    lines.append(f"{'=' if choice.right else '~'}{said(choice.text)}#{said(choice.answer)}")
            out.append("\n".join([*lines, "}\n"]))
    return "\n".join(out)


def moodle(book, formula=lambda tex: tex) -> str:
    """The bank in Moodle's XML format, one category per chapter."""
    root = ElementTree.Element("quiz")

    def text(parent, tag: str, said: str, html: bool = True):
        element = ElementTree.SubElement(parent, tag, {"format": "html"} if html else {})
        ElementTree.SubElement(element, "text").text = said
        return element

    for chapter, quizzes in book:
        category = ElementTree.SubElement(root, "question", type="category")
        text(category, "category", "$course$/top/rfbook/" + chapter.replace("/", "//"), html=False)
        for i, quiz in enumerate(quizzes, 1):
            question = ElementTree.SubElement(root, "question", type="numerical" if quiz.numeric else "multichoice")
            text(question, "name", _name(chapter, i), html=False)
            text(question, "questiontext", as_html(quiz.question, formula))
            ElementTree.SubElement(question, "defaultgrade").text = "1"
            if not quiz.numeric:
                for tag, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "abc")):
                    ElementTree.SubElement(question, tag).text = value
            for choice in quiz.choices:
                value = "*" if choice.value is None else _number(choice.value)
                answer = ElementTree.SubElement(question, "answer", fraction="100" if choice.right else "0",
                                                format="moodle_auto_format" if quiz.numeric else "html")
                ElementTree.SubElement(answer, "text").text = value if quiz.numeric else as_html(choice.text, formula)
                if quiz.numeric and choice.value is not None:
                    ElementTree.SubElement(answer, "tolerance").text = _number(choice.tolerance)
                text(answer, "feedback", as_html(choice.answer, formula))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
