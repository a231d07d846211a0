"""Plain copies: pages of the book as notebooks for any Jupyter, without MyST and without this repository.

MyST is taken apart by the book's own parser.  A directive or role that is not known here is an error, so that nothing
is left raw; numbers are those of the site (``rfdev/numbers.py``).
"""

from __future__ import annotations

import configparser
import copy
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import nbformat
import yaml
from markdown_it import MarkdownIt

from rfdev import ROOT, dependence, exercises, numbers, parts, plan, quiz, works
from rfdev.cells import to_students
from rfdev.lint.markdown import Directive, directive, labels, parser
from rfdev.reader import translate
from rfdev.routes import spell, with_minutes

SHOW = "Show: "
FOLDER = "notebooks"  # of the copies, in _build and on the site
BRANCH = "notebooks"  # of the public repository, from which Colab opens the copies
BIBLIOGRAPHY, GLOSSARY = "nbs/8_appendix/86_bibliography.ipynb", "nbs/8_appendix/85_glossary.ipynb"
_COLAB = "https://colab.research.google.com/github"
_KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
           "language_info": {"name": "python"}}
_LINKED = re.compile(r"(.*?)\s*<([^<>]+)>$", flags=re.S)  # the words <label> of a role
_CLOSED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
_QUIET = {"hide-output", "hide-cell", "remove-output", "remove-cell"}


def copy_of(page: str) -> str:
    """Path of the copy of a page among the copies."""
    return page.removeprefix("nbs/")


def repository() -> tuple[str, str]:
    """OWNER/NAME on GitHub, as RFBOOK_REPOSITORY in the environment says, and the commit; empty where it does not.

    The commit is that of which GITHUB_SHA tells, or else the one that is checked out.
    """
    name = os.environ.get("RFBOOK_REPOSITORY", "")
    if not name:
        return "", ""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise ValueError(f"RFBOOK_REPOSITORY is {name!r}; it must be OWNER/NAME of a repository on GitHub")
    asked = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    commit = os.environ.get("GITHUB_SHA") or subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return name, commit.strip() or "main"


@cache
def _settings() -> configparser.SectionProxy:
    settings = configparser.ConfigParser(delimiters=["="], interpolation=None)
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    return settings["DEFAULT"]


def solutions() -> bool:
    """Whether solutions are published; RFBOOK_SOLUTIONS=no, as by `make book SOLUTIONS=no`, says that they are not."""
    return os.environ.get("RFBOOK_SOLUTIONS", "") != "no"


def version() -> str:
    """Version of the library."""
    return _settings()["version"]


def lacking(nb: nbformat.NotebookNode) -> list[str]:
    """Packages that a notebook imports at the top of a cell, and that neither library nor extra brings."""
    said = f"{_settings()['requirements']} {_settings()['notebooks_requirements']}"
    brought = {re.split("[<>=]", word)[0] for word in said.split()} | {"sklearn", "rfbook", "IPython", "llvmlite"}
    code = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    return sorted(set(re.findall(r"^(?:import|from) (\w+)", code, flags=re.M)) - brought - sys.stdlib_module_names)


@dataclass(frozen=True)
class Edition:
    """Where the book is to be had; empty where it is not."""

    site: str = ""  # address
    repository: str = ""  # OWNER/NAME on GitHub
    commit: str = ""  # what the copies install from there
    version: str = ""
    solutions: bool = True  # whether its copies have those of the exercises

    def colab(self, page: str) -> str:
        """Address under which Colab opens the copy of a page."""
        return f"{_COLAB}/{self.repository}/blob/{BRANCH}/{copy_of(page)}" if self.repository else ""

    def url(self, page: str, here: str, anchor: str = "", on_site: str = "") -> str:
        """Link to a page, or to an anchor on it, from the copy of page `here`."""
        if page == here and anchor:
            return "#" + anchor
        if self.site:
            at = f"{self.site.rstrip('/')}/{page.removesuffix('.ipynb')}.html"
            anchor = on_site or anchor
        else:
            at = posixpath.relpath(copy_of(page), posixpath.dirname(copy_of(here)) or ".")
        return at + (f"#{anchor}" if anchor else "")


@cache
def _macros(root: Path) -> tuple[tuple[re.Pattern, str], ...]:
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    macros = config["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    return tuple((re.compile(rf"\\{name}(?![A-Za-z])"), value) for name, value in macros.items())


def formula(tex: str, root: Path = ROOT) -> str:
    """A formula without the macros of the book."""
    for pattern, value in _macros(root):
        tex = pattern.sub(lambda _, v=value: v, tex)
    return tex


def quote(text: str) -> str:
    """A box: a block quotation, whose formulas stand in one line, since Jupyter takes a > in them for part of them."""
    text = re.sub(r"\$\$.+?\$\$", lambda m: " ".join(m[0].split()), text.strip(), flags=re.S)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) + "\n"


def fold(title: str, body: str) -> str:
    """What opens at a click; a title with a formula is a paragraph, for VS Code reads none inside an element."""
    said = f"\n\n{title}\n\n" if "$" in title else MarkdownIt("commonmark").renderInline(title)
    return f"<details>\n<summary>{said}</summary>\n\n{body.strip()}\n\n</details>\n"


def _at(source: str, text: str, start: int) -> tuple[int, int]:
    """Where a piece that the parser found stands in the source, which may break its lines and quote them."""
    at = source.find(text, start)
    if at >= 0:
        return at, at + len(text)
    words = r"[\s>]+".join(map(re.escape, text.split()))
    if m := re.compile(words).search(source, start):
        return m.span()
    raise ValueError(f"{text!r} is not where the parser saw it")


@dataclass
class Page:
    """The text of one page, as its copy has it.

    Parameters
    ----------
    path : str
        Of the notebook, relative to the root.
    """

    path: str
    edition: Edition
    root: Path = ROOT
    cited: set[str] = field(default_factory=set)

    def text(self, source: str) -> str:
        """Markdown in place of MyST."""
        out, at = [], 0
        for start, end, new in self._edits(source):
            out += [source[at:start], new]
            at = end
        return "".join([*out, source[at:]])

    def _edits(self, source: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and replacement of what is no plain Markdown."""
        lines = [0]
        for line in source.split("\n"):
            lines.append(lines[-1] + len(line) + 1)
        at = 0
        for token in parser(inline=True).parse(source):
            if token.map and token.type in {"fence", "colon_fence", "myst_target", "math_block", "math_block_label"}:
                at = max(at, lines[token.map[0]])
            if token.type in {"fence", "colon_fence"}:
                end = min(lines[token.map[1]], len(source))
                if part := directive(token):
                    if token.level:
                        raise ValueError(f"{self.path}: {{{part.name}}} stands in a list or a quotation")
                    yield at, end, self.directive(part)
                at = end
            elif token.type == "myst_target":
                start, at = at, min(lines[token.map[1]], len(source))
                yield start, at, ""
            elif token.type in {"math_block", "math_block_label"}:
                start, at = _at(source, f"$${token.content}$$", at)
                tag = ""
                if token.type == "math_block_label":
                    at = re.compile(r"[ \t]*\([^)\n]*\)").match(source, at).end()
                    tag = rf"\tag{{{self.target(token.info).words.strip('()')}}}"
                body = formula(source[start:at].rpartition("$$")[0].removeprefix("$$"), self.root)
                yield start, at, f"$${body.rstrip()} {tag}\n$$" if tag and "\n" in body else f"$${body}{tag}$$"
            elif token.type == "inline":
                for start, end, new in self._inline_edits(source, token.children, at):
                    if new is not None:
                        yield start, end, new
                    at = end

    def _inline_edits(self, source, children, at) -> Iterator[tuple[int, int, str | None]]:
        """The same for what stands in a line; None for what stays."""
        opened: list = []
        for child in children:
            new: str | None = None
            if child.type == "code_inline":
                start, at = _at(source, child.markup, at)
                at = _at(source, child.content.strip(), at)[1]
                at = source.index(child.markup, at) + len(child.markup)
            elif child.type.startswith("math_inline"):
                sign = "$$" if child.type == "math_inline_double" else "$"
                start, at = _at(source, sign + child.content + sign, at)
                new = formula(source[start:at], self.root)
            elif child.type == "myst_role":
                start, at = _at(source, f"{{{child.meta['name']}}}`", at)
                at = _at(source, child.content.strip(), at)[1]
                at = source.index("`", at) + 1
                new = self.role(child.meta["name"], child.content)
            elif child.type == "link_open" and child.markup != "autolink":
                start, at = _at(source, "[", at)
                opened.append((child.attrs["href"], at))
            elif child.type == "link_close" and opened and child.markup != "autolink":
                href, begun = opened.pop()
                start, at = _at(source, "](", at)
                at = source.index(")", at + len(href) - 1) + 1
                new = self.link(href, empty=start == begun)
            else:
                continue
            yield start, at, new

    # ---- references

    def target(self, label: str) -> numbers.Target:
        """What a label stands for."""
        try:
            return numbers.targets(self.root)[label]
        except KeyError:
            raise ValueError(f"{self.path}: nothing is labelled {label!r}") from None

    def _to(self, label: str, words: str = "") -> str:
        target = self.target(label)
        on_site = f"equation-{label}" if target.kind == "displaymath" else ""
        if not (words or target.words):
            raise ValueError(f"{self.path}: a reference to {label!r} needs words")
        return f"[{words or target.words}]({self.edition.url(target.page, self.path, label, on_site)})"

    def _page(self, name: str) -> str:
        """Path of the page that a relative link means."""
        found = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name)).removesuffix(".ipynb") + ".ipynb"
        if found not in numbers.titles(self.root):
            raise ValueError(f"{self.path}: no page is {name!r}")
        return found

    def role(self, name: str, content: str) -> str:
        """A reference in words, with its link."""
        content = " ".join(content.split())
        words, label = m.groups() if (m := _LINKED.match(content)) else ("", content)
        if name in {"cite:t", "cite:p"}:
            said, keys = works.cite(self.root, content, textual=name == "cite:t")
            self.cited.update(keys)
            return said
        if name in {"prf:ref", "eq", "ref", "numref"}:
            return self._to(label, words)
        if name == "term":
            return f"[{words or label}]({self.edition.url(GLOSSARY, self.path, term_anchor(label))})"
        if name == "doc":
            page = self._page(label)
            return f"[{words or numbers.titles(self.root)[page]}]({self.edition.url(page, self.path)})"
        if name in {"class", "func", "meth", "mod", "attr", "data", "exc"}:
            return f"`{words or (label.rpartition('.')[2] if label.startswith('~') else label)}`"
        raise ValueError(f"{self.path}: plain copies do not know the role {{{name}}}")

    def link(self, href: str, empty: bool) -> str:
        """What follows the words of a link: `](...)`, and the title of a page if it has no words."""
        if re.match(r"[a-z]+:", href):
            return f"]({href})"
        name, _, anchor = href.partition("#")
        if not name.endswith(".ipynb"):
            label = anchor or name
            return self._to(label, "" if empty else "words")[1 if empty else 6 :]
        page = self._page(name)
        return f"{numbers.titles(self.root)[page] if empty else ''}]({self.edition.url(page, self.path, anchor)})"

    # ---- directives

    def directive(self, part: Directive) -> str:
        """A directive as Markdown."""
        name, kind = part.name, part.name.removeprefix("prf:")
        title, closed = self.text(part.argument), "dropdown" in part.options.get("class", "").split()
        label = part.options.get("label", "")
        if kind in {*dependence.KINDS, "remark"}:
            said = self.target(label).words if label else kind.capitalize()
            return quote(f"**{said}{f' ({title})' if title else ''}.**\n\n{self.text(part.body)}")
        if kind == "proof":
            said = f"*Proof{f' ({title})' if title else ''}.* {self.text(part.body).strip()} $\\blacksquare$\n"
            return fold("Proof", said) if closed else said
        if name in {"admonition", "note", "tip", "warning", "important", "margin"}:
            body = self.text(part.body)
            head = title or ("" if name == "margin" else name.capitalize())
            return fold(head, body) if closed else quote(f"**{head}**\n\n{body}" if head else body)
        if name in _OTHERS:
            return _OTHERS[name](self, part)
        raise ValueError(f"{self.path}: plain copies do not know the directive {{{name}}}")

    def exercise(self, part: Directive) -> str:
        """The line over an exercise."""
        said = self.target(part.options["label"]).words
        return f"**{said} ({self.text(part.argument)}).**\n" if part.argument else f"**{said}.**\n"

    def part(self, part: Directive) -> str:
        """The chapters of a part and what they ask; the picture is the site's."""
        listed = parts.lines(part.argument, self.root, Path(self.path).parent)
        return self.text("\n".join(line for line in listed if line.startswith("- ")))

    def exercises(self, part: Directive) -> str:
        """All exercises of the book."""
        return self.text("\n".join(exercises.lines(exercises.of_the_book(self.root), Path(self.path).parent)))

    def quiz(self, part: Directive) -> str:
        """A question with its choices, and the answers in a fold."""
        asked = quiz.read(part)
        listed = [] if asked.numeric else [f"{i}. {self.text(c.text)}" for i, c in enumerate(asked.choices, 1)]
        lines = []
        for i, choice in enumerate(asked.choices, 1):
            said = "Right. " if choice.right else "Not right. " if choice.text != quiz.ELSE else "Otherwise: "
            what = "" if choice.text == quiz.ELSE else f"{choice.text}: " if asked.numeric else ""
            lines.append(f"{i}. {'**' if choice.right else ''}{said.strip()}{'**' if choice.right else ''} "
                         f"{what}{self.text(choice.answer)}")
        return f"**{self.text(asked.question)}**\n\n" + "\n".join([*listed, "", fold("Answers", "\n".join(lines))])

    def grid(self, part: Directive) -> str:
        """What a grid holds, one after the other."""
        return self.text(part.body)

    def card(self, part: Directive) -> str:
        """A card of a grid, whose title is its link."""
        head = self._to(part.options["link"], part.argument) if part.options.get("link") else part.argument
        return quote(f"**{head}**\n\n{self.text(part.body)}") + "\n"

    def button(self, part: Directive) -> str:
        """A button, which is a link."""
        page = self._page(part.argument)
        return f"**[{part.body.strip()}]({self.edition.url(page, self.path)})**\n"

    def route(self, part: Directive) -> str:
        """Chapters with their minutes."""
        lines, total, _ = with_minutes(part.body.split("\n"), (self.root / self.path).parent)
        return self.text("\n".join(lines)) + f"\n\nTogether about {spell(total)}.\n"

    def plan(self, part: Directive) -> str:
        """A course in weeks or meetings."""
        return self.text("\n".join(plan.lines(self.root, Path(self.path).parent, part.argument)))

    def statements(self, part: Directive) -> str:
        """All numbered statements."""
        found, _ = dependence.of_the_book(self.root)
        return self.text("\n".join(dependence.lines(found, Path(self.path).parent)))

    def glossary(self, part: Directive) -> str:
        """Terms, each with what it means."""
        out: list[str] = []
        for line in part.body.split("\n"):
            if line and not line[0].isspace():
                out += ["", f'<a name="{term_anchor(line)}"></a>**{self.text(line.strip())}**:']
            else:
                out.append(line.strip())
        return self.text_of_lines(out)

    def text_of_lines(self, lines: list[str]) -> str:
        """Lines of Markdown, of which some are plain already."""
        return "\n".join(self.text(line) if not line.startswith("<a name=") else line for line in lines) + "\n"

    def bibliography(self, part: Directive) -> str:
        """All works."""
        return works.listed(self.root) + "\n"

    def include(self, part: Directive) -> str:
        """Another file, from the line after the one that is named."""
        path = (self.root / self.path).parent / part.argument
        text = path.read_text(encoding="utf-8")
        return self.text(text.partition(part.options.get("start-after", ""))[2] or text)

    def reference(self, part: Directive) -> str:
        """The modules that a page of the reference documents; what is in them is told by `help`."""
        modules = re.findall(r"automodule:: ([\w.]+)", part.body)
        if not modules:
            raise ValueError(f"{self.path}: plain copies know {{eval-rst}} with automodule only")
        return "\n".join(f"`import {module}; help({module})`\n" for module in modules)


def term_anchor(term: str) -> str:
    """Identifier of a term of the glossary."""
    return "term-" + re.sub(r"\W+", "-", " ".join(term.split())).strip("-")


_OTHERS = {"exercise-start": Page.exercise, "exercise-end": lambda page, part: "", "grid": Page.grid,
           "grid-item-card": Page.card, "button-ref": Page.button, "route": Page.route, "plan": Page.plan,
           "statements": Page.statements, "part": Page.part, "glossary": Page.glossary,
           "bibliography": Page.bibliography, "include": Page.include, "exercises": Page.exercises, "quiz": Page.quiz,
           "quiz-number": Page.quiz, "eval-rst": Page.reference}


# ---- notebooks

_SOLUTION = {"solution-start", "solution-end"}


def _stretches(source: str, within: str) -> tuple[list[tuple[str, str]], str]:
    """Cut the text of a cell where solutions begin and end.

    Parameters
    ----------
    source : str
    within : str
        Label of the exercise in whose solution the cell begins, empty if in none.

    Returns
    -------
    stretches : list of (label, text)
    within : str
        The same at the end of the cell.
    """
    out, lines, at = [], source.split("\n"), 0
    for token in parser().parse(source):
        part = directive(token)
        if part is not None and part.name in _SOLUTION and token.level == 0:
            out.append((within, "\n".join(lines[at : token.map[0]])))
            within = part.argument.strip() if part.name == "solution-start" else ""
            at = token.map[1]
    return [*out, (within, "\n".join(lines[at:]))], within


def without_solutions(nb: nbformat.NotebookNode) -> None:
    """Take the solutions of exercises out of a notebook."""
    kept, within = [], ""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            stretches, within = _stretches(cell.source, within)
            text = "\n".join(text.strip("\n") + "\n" for label, text in stretches if not label and text.strip())
            if text.strip() or not cell.source.strip():
                kept.append(cell)
                cell.source = text.strip("\n") if len(stretches) > 1 else cell.source
        elif not within:
            kept.append(cell)
    nb.cells = kept


def _anchored(source: str, text: str) -> str:
    """Text with the places that links go to: at its top, or under the heading with which it begins."""
    names = "".join(f'<a name="{label}"></a>' for label in labels(source))
    if not names:
        return text
    head, line, rest = text.partition("\n") if text.startswith("#") else ("", "", text)
    return f"{head}{line}{line}{names}\n\n{rest.lstrip()}"


def _markdown(source: str, page: Page, within: str, told: set[str]) -> tuple[str, str]:
    """A Markdown cell in plain words; parts of solutions are folded each by itself, since no element spans cells."""
    out = []
    stretches, after = _stretches(source, within)
    for label, text in stretches:
        if not text.strip():
            continue
        plain = page.text(text.strip("\n"))
        if label:
            name = page.target(label).words
            plain = fold(f"Solution of {name}" + (", continued" if label in told else ""), plain)
            told.add(label)
        out.append(plain.strip("\n"))
    return _anchored(source, "\n\n".join(out)), after


def _code(cell, page: Page, within: str) -> Iterator[nbformat.NotebookNode]:
    """A code cell, folded as on the page or because it solves an exercise, and the caption of its figure."""
    tags, said = set(cell.metadata.get("tags", [])), cell.metadata.get("mystnb", {})
    label = said.get("code_prompt_show", "").removeprefix(SHOW) or ("code of the solution" if within else "code")
    label = label[0].upper() + label[1:]
    if not cell.source.strip():
        return
    if "skip-execution" in tags:  # as on the page, where it is shown and not run
        text = fold(f"{label} (not run here)", f"```python\n{cell.source}\n```")
        yield nbformat.v4.new_markdown_cell(text, id=cell.id)
        return
    closed, quiet = bool(within or _CLOSED & tags), bool(within or _QUIET & tags)
    metadata = {key: value for key, value in cell.metadata.items() if key == "nbgrader"}
    if closed or quiet:
        hidden = {"source_hidden": closed, "outputs_hidden": quiet}
        metadata["jupyter"] = {what: True for what, said_so in hidden.items() if said_so}
    if closed and not cell.source.startswith("%%"):
        # Colab makes it the title of a form, JupyterLab and VS Code show it where the cell is folded
        cell.source = f"# @title {label}\n{cell.source}"
        metadata["cellView"] = "form"
    cell.metadata = metadata
    yield cell
    if figure := said.get("figure"):
        name = page.target(figure["name"]).words if figure.get("name") in numbers.targets(page.root) else "Figure"
        caption = f"**{name}.** {page.text(figure.get('caption', ''))}"
        caption = fold("Solution, continued", caption) if within else caption
        place = f'<a name="{figure["name"]}"></a>' if figure.get("name") else ""
        yield nbformat.v4.new_markdown_cell(place + caption if not within else caption, id=f"{cell.id}-caption"[:64])


def _needs(page: Page, more: list[str]) -> Iterator[nbformat.NotebookNode]:
    """What stands under the title: where the copy is from, how to get the library, and what else it imports."""
    edition, title = page.edition, numbers.titles(page.root)[page.path]
    origin = f"[{title}]({edition.url(page.path, page.path)})" if edition.site else f"“{title}”"
    wheel = f"rfbook-{edition.version}-py3-none-any.whl"
    install = ("the cell below installs it where it is missing" if edition.repository else
               f'`pip install "{wheel}[notebooks]"` installs it from its wheel')
    others = f" It also imports {', '.join(f'`{name}`' for name in more)}." if more else ""
    yield nbformat.v4.new_markdown_cell(
        f"*A plain copy of {origin}, a page of “Random features for kernel machines”, for any Jupyter. "
        f"It needs the library `rfbook` {edition.version}: {install}.{others}*", id="rfbook-copy")
    if edition.repository:
        source = f"https://github.com/{edition.repository}/archive/{edition.commit}.zip"
        yield nbformat.v4.new_code_cell(
            "# @title Install the library where it is missing\nimport importlib.util\n\n"
            f'if importlib.util.find_spec("rfbook") is None:\n    %pip install -q "rfbook[notebooks] @ {source}"',
            id="rfbook-install")


def plain(text: str, path: str, edition: Edition, root: Path = ROOT) -> nbformat.NotebookNode:
    """The plain copy of a notebook.

    Parameters
    ----------
    text : str
        Of the notebook.
    path : str
        Its path relative to the root.
    edition : Edition
    root : Path
        Of the repository.
    """
    nb, page = translate(text), Page(path, edition, root)
    to_students(nb)
    if not edition.solutions:
        without_solutions(nb)
    cells: list[nbformat.NotebookNode] = []
    within, told, begun = "", set[str](), False
    runs = any(cell.cell_type == "code" and cell.source.strip() for cell in nb.cells)
    for cell in nb.cells:
        cell = copy.deepcopy(cell)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cells += _code(cell, page, within)
            continue
        if cell.cell_type == "markdown":
            cell.source, within = _markdown(cell.source, page, within, told)
            if not cell.source.strip():
                continue
            cell.metadata = {key: value for key, value in cell.metadata.items() if key == "nbgrader"}
        cells.append(cell)
        if not begun and runs:
            cells += _needs(page, lacking(nb))
            begun = True
    if page.cited and path != BIBLIOGRAPHY:
        cells.append(nbformat.v4.new_markdown_cell("## Works cited\n\n" + works.listed(root, page.cited),
                                                   id="rfbook-works"))
    nb.cells, nb.metadata = cells, nbformat.from_dict(_KERNEL)
    nbformat.validate(nb)
    return nb


def write_copies(folder: Path, edition: Edition, root: Path = ROOT, paths: Iterable[str] = ()) -> list[Path]:
    """Write the plain copies of pages, all if no paths are given, and return where they are."""
    written = []
    for path in paths or numbers.pages(root):
        out = folder / copy_of(path)
        out.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(plain((root / path).read_text(encoding="utf-8"), path, edition, root), out)
        written.append(out)
    return written


# ---- what must not be left

_RAW = {
    "a directive": re.compile(r"^[ >]*(?:`{3,}|:{3,})\{[^}]*\}", flags=re.M),
    "a role": re.compile(r"(?<!`)\{[a-z][a-z:-]*\}`[^`]*`"),
    "a label of a formula": re.compile(r"\$\$[ \t]*\([\w:.-]+\)"),
    "a place": re.compile(r"^\([\w:.-]+\)=", flags=re.M),
    "a link without words": re.compile(r"(?<!`)\[\]\("),
    "an option of a directive": re.compile(r"^[ >]*:(?:label|class|name|width|link|style):", flags=re.M),
    "a directive of nbdev": re.compile(r"^#\s*\|\s*(?:export|exporti|hide|default_exp|eval|slow|notest)\b", flags=re.M),
    "a macro of the book": re.compile(r"\\[ER](?![A-Za-z])"),
    "an empty reference": re.compile(r"\]\(#?\)"),
}


def left_raw(nb: nbformat.NotebookNode) -> list[str]:
    """What of MyST, of nbdev or of the book's macros a copy still has; code spans and code are no text."""
    found = []
    for cell in nb.cells:
        text = cell.source
        if cell.cell_type == "markdown":
            text = re.sub(r"^ {0,3}(`{3,})(?!\{).*?^ {0,3}\1[ \t]*$", "", text, flags=re.S | re.M)
            text = re.sub(r"(?<![`}])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "code", text)
        kinds = _RAW if cell.cell_type == "markdown" else {k: v for k, v in _RAW.items() if k == "a directive of nbdev"}
        found += [f"{what}: {m[0].strip()}" for what, pattern in kinds.items() for m in pattern.finditer(text)]
    return found
