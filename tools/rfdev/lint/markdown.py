"""MyST as the book's own parser takes it apart: blocks, directives, headings, prose, words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import yaml
from docutils.parsers.rst import Directive as _Docutils
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import parse_directive_text
from myst_parser.parsers.mdit import create_md_parser

from rfdev import ROOT
from rfdev.cells import Cell, Notebook

_INFO = re.compile(r"^\{([^\s}]+)\}\s*(.*)$")
QUIZZES, CHECK = {"quiz", "quiz-number"}, "Check yourself"  # the heading over them
CODE = {"code", "code-block", "code-cell", "sourcecode", "eval-rst", "math", "mermaid", "raw", "glue:math"}


@dataclass(frozen=True)
class Directive:
    """A MyST directive: ```` ```{name} argument ````, its options, its body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str


class _Options(dict):
    """Any option, as the text that it is."""

    def __missing__(self, name: str) -> type:
        return str


class _Any(_Docutils):
    """Stands for whatever directive: the rules look at the text, Sphinx at the rest."""

    optional_arguments, final_argument_whitespace, has_content = 1, True, True
    option_spec = _Options({"class": str})


@cache
def parser(inline: bool = False) -> MarkdownIt:
    """The book's parser: as far as blocks, or with what stands in a line too."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["parse"]
    config = MdParserConfig(enable_extensions=set(settings["myst_enable_extensions"]),
                            dmath_double_inline=settings["myst_dmath_double_inline"])
    md = create_md_parser(config, RendererHTML)
    if not inline:
        md.core.ruler.enableOnly(["normalize", "block"])
    return md


@cache
def _tokens(source: str) -> list[Token]:
    return parser().parse(source)


def directive(token: Token) -> Directive | None:
    """The directive that a fence is, if it is one."""
    info = _INFO.match(token.info.strip()) if token.type in {"fence", "colon_fence"} else None
    return _directive(info[1], info[2], token.content) if info else None


def blocks(source: str) -> Iterator[tuple[Token, Directive | None]]:
    """Yield the tokens of `source` in their order, each with the directive that it is; none of those inside one."""
    for token in _tokens(source):
        yield token, directive(token)


def _directive(name: str, argument: str, content: str) -> Directive:
    parsed = parse_directive_text(_Any, argument, content)
    options = {key: (value or "").strip() for key, value in parsed.options.items()}
    return Directive(name, argument.strip(), options, "\n".join(parsed.body))


@cache
def _blocks(source: str) -> list[str | Directive]:
    """The lines outside fences, and the outer directives; fenced code is left out."""
    lines, parts, at = source.split("\n"), [], 0
    for token in _tokens(source):
        if token.type in {"fence", "colon_fence"} and token.map and token.map[0] >= at:
            parts += lines[at : token.map[0]]
            if info := _INFO.match(token.info.strip()):
                parts.append(_directive(info[1], info[2], token.content))
            at = token.map[1]
    return [*parts, *lines[at:]]


def directives(source: str) -> Iterator[Directive]:
    """Yield all directives of `source`, nested ones too."""
    for part in _blocks(source):
        if isinstance(part, Directive):
            yield part
            if part.name not in CODE:
                yield from directives(part.body)


def is_fine_print(part: Directive) -> bool:
    """Whether a directive is a closed box of what only few readers want."""
    closed = part.name == "admonition" and "dropdown" in part.options.get("class", "").split()
    return closed and part.argument.lower().startswith("fine print")


def prose(source: str, fine_print: bool = True) -> str:
    """Text of a Markdown cell with bodies of directives, without code and options, or fine print and quiz."""
    out = []
    for part in _blocks(source):
        if isinstance(part, str):
            out += [part] if fine_print or part != f"## {CHECK}" else []
        elif not fine_print and (is_fine_print(part) or part.name in QUIZZES):
            continue
        elif part.name not in CODE:
            out += [part.argument, prose(part.body, fine_print)]
        elif part.name == "math":
            out.append(part.body)
    return "\n".join(out)


def headings(source: str) -> Iterator[tuple[int, str]]:
    """Level and text of the headings of a cell."""
    tokens = _tokens(source)
    for token, text in zip(tokens, tokens[1:], strict=False):
        if token.type == "heading_open":
            yield int(token.tag[1:]), text.content


def headings_of(nb: Notebook) -> Iterator[tuple[Cell, int, str]]:
    """Cell, level and text of the headings of a notebook."""
    for cell in nb.markdown():
        for level, text in headings(cell.source):
            yield cell, level, text


def words(source: str, fine_print: bool = True) -> int:
    """Number of words of a Markdown cell; formulas count as they are written, code does not, fine print if so asked."""
    text = re.sub(r"<!--.*?-->", " ", prose(source, fine_print), flags=re.S)
    text = re.sub(r"\]\([^)]*\)", "] ", text)
    text = re.sub(r"`[^`\n]*`", " ", text)
    return sum(bool(re.search(r"\w", w)) for w in text.split())


_EQUATION = re.compile(r"\$\$[ \t]*\(([\w:.-]+)\)")


def glued(source: str) -> Iterator[str]:
    """Labels of displayed formulas that stand in a paragraph, where they are not set as such."""
    for token in _tokens(source):
        if token.type == "inline":
            yield from _EQUATION.findall(re.sub(r"`[^`]*`", "", token.content))
    for part in _blocks(source):
        if isinstance(part, Directive) and part.name not in CODE:
            yield from glued(part.body)


def unopened(source: str) -> Iterator[str]:
    """Lines that look like the first of a directive and are text, because a backtick stands in the title."""
    for token in _tokens(source):
        if token.type == "inline":
            yield from re.findall(r"^`{3,}\{.*$", token.content, flags=re.M)
    for part in _blocks(source):
        if isinstance(part, Directive) and part.name not in CODE:
            yield from unopened(part.body)


def swallowed(source: str) -> Iterator[str]:
    """What is printed as it stands: a formula that a bar in a table cuts, an item that continues a paragraph."""
    for token in _tokens(source):
        if token.type == "inline":
            text = re.sub(r"`[^`]*`|\\\$", "", token.content)
            if text.count("$") % 2:
                yield text[text.rindex("$") :][:40]
            yield from (item[:40] for item in re.findall(r"^(?:[2-9]|\d\d)\. .*$", text, flags=re.M))
    for part in _blocks(source):
        if isinstance(part, Directive) and part.name not in CODE:
            yield from swallowed(part.body)


def labels(source: str) -> list[str]:
    """All labels that a Markdown cell defines: of directives, of places, of formulas."""
    found = [d.options[key] for d in directives(source) for key in ("label", "name") if d.options.get(key)]
    return [*found, *_places(source), *glued(source)]


def _places(source: str) -> Iterator[str]:
    """Labels of ``(place)=`` and of formulas that are set, those inside directives too."""
    for token in _tokens(source):
        if token.type == "myst_target":
            yield token.content
        elif token.type == "math_block_label":
            yield token.info
    for part in _blocks(source):
        if isinstance(part, Directive) and part.name not in CODE:
            yield from _places(part.body)
