"""Guard the book: figures, statements and their claims, the anatomy of chapters, floors of imports.

``python tools/lint_book.py`` prints one line per finding, ``file: cell: what is wrong and how to mend it``,
and exits with 1 if there is any.  The conventions are those of CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]

MAX_WORDS = 3500
MAX_EXPORTS = 12
MIN_EXERCISES = 4
RECALL = range(4, 7)  # numbers of recall questions that a chapter may have
STATEMENTS = {"theorem", "lemma", "proposition", "corollary"}
SECTIONS = ["the picture", "the naive way", "implementation", "theory meets experiment", "break it", "in practice",
            "summary", "exercises", "sources"]
CARD = ["Question.", "Before this.", "Time.", "Exports."]

# a module of rfbook imports only from floors below its own; the same package and floor 0 are free among themselves
FLOORS = {
    "_designs": 0, "_jit": 0, "_parallel": 0, "_solve": 0, "_validation": 0, "datasets": 0, "ledger": 0, "records": 0,
    "solvers": 1,
    "kernels": 2, "bounds": 2,
    "draws": 3,
    "features": 4,
    "_machine": 5,
    "adaptive": 6,
    "learning": 7,
    "baselines": 8,
    "bench": 9,
    "claims": 10, "coursework": 10, "experiments": 10, "figures": 10,
    "cli": 11, "__main__": 12,
}

# words of a heading that keep their capital; surnames come from references.bib, API names from code spans
PROPER = set("""
    Adult Bernstein Bessel Bochner Carlo Cauchy Chebyshev Cholesky Euler Fourier Fubini Gauss Gaussian Gaussians Gram
    Hadamard Hankel Hausdorff Hermite Hilbert Hoeffding I Jacobi Jensen Khinchin Krylov Lanczos Laplace Laplacian Lebesgue
    Lipschitz Lévy Markov Matern Matérn Maclaurin McDiarmid Mercer Metropolis Monte Nyström Parseval Plancherel Poisson
    Polya Pólya Python Riemann Schoenberg Schwarz Sobol Sobolev Student Taylor Tikhonov Toeplitz Vandermonde Weierstrass
    Wiener Woodbury Archimedes Numba Jupyter Linux Algorithm
""".split())


LOWER = {"rfbook", "scikit-learn", "numba"}  # names that begin a heading with a small letter


@dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend."""

    path: str
    cell: int  # counted from 1; 0 means the whole file
    rule: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}: cell {self.cell}" if self.cell else self.path
        return f"{where}: {self.message} [{self.rule}]"


@dataclass
class Directive:
    """A MyST directive: ```` ```{name} argument ````, its options, its body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str


_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>[^`]*)$")
_DIRECTIVE_INFO = re.compile(r"^\{([^}]+)\}\s*(.*)$")
_OPTION = re.compile(r"^:([\w-]+):\s*(.*)$")
_CODE_DIRECTIVES = {"code", "code-block", "code-cell", "sourcecode", "eval-rst", "math", "mermaid", "raw", "glue:math"}


def _split(source: str) -> Iterator[str | Directive]:
    """Yield the lines outside fences, and the top-level directives; fenced code is left out."""
    lines = source.split("\n")
    i = 0
    while i < len(lines):
        m = _FENCE.match(lines[i])
        if not m:
            yield lines[i]
            i += 1
            continue
        closing = re.compile(rf"^[ \t]*{re.escape(m['fence'][0])}{{{len(m['fence'])},}}[ \t]*$")
        end = next((j for j in range(i + 1, len(lines)) if closing.match(lines[j])), len(lines))
        if info := _DIRECTIVE_INFO.match(m["info"].strip()):
            inner, options, k = lines[i + 1 : end], {}, 0
            if inner and inner[0].strip() == "---":
                k = 1
                while k < len(inner) and inner[k].strip() != "---":
                    key, _, value = inner[k].partition(":")
                    options[key.strip()] = value.strip()
                    k += 1
                k += 1
            else:
                while k < len(inner) and (o := _OPTION.match(inner[k].strip())):
                    options[o[1]] = o[2].strip()
                    k += 1
            yield Directive(info[1].strip(), info[2].strip(), options, "\n".join(inner[k:]))
        i = end + 1


def directives(source: str) -> Iterator[Directive]:
    """Yield all directives of `source`, nested ones too."""
    for part in _split(source):
        if isinstance(part, Directive):
            yield part
            if part.name not in _CODE_DIRECTIVES:
                yield from directives(part.body)


def prose(source: str) -> str:
    """Text of a Markdown cell, bodies of directives included, code and options left out."""
    out = []
    for part in _split(source):
        if isinstance(part, str):
            out.append(part)
        elif part.name not in _CODE_DIRECTIVES:
            out += [part.argument, prose(part.body)]
        elif part.name == "math":
            out.append(part.body)
    return "\n".join(out)


def words(source: str) -> int:
    """Number of words of a Markdown cell; formulas count as they are written, code does not."""
    text = re.sub(r"<!--.*?-->", " ", prose(source), flags=re.S)
    text = re.sub(r"\]\([^)]*\)", "] ", text)
    text = re.sub(r"`[^`\n]*`", " ", text)
    return sum(bool(re.search(r"\w", w)) for w in text.split())


_NBDEV = re.compile(r"^\s*#\s*\|\s*([\w-]+)\s*:?\s*(.*?)\s*$")


@dataclass
class Cell:
    """A cell with its position, nbdev directives taken apart from its source."""

    number: int
    kind: str
    source: str
    metadata: dict
    outputs: bool
    nbdev: dict[str, str] = field(default_factory=dict)
    code: str = ""

    def __post_init__(self) -> None:
        lines = self.source.split("\n")
        if self.kind == "code":
            while lines and (m := _NBDEV.match(lines[0])):
                self.nbdev[m[1]] = m[2]
                lines.pop(0)
        self.code = "\n".join(lines)

    @cached_property
    def tree(self) -> ast.Module | None:
        """Syntax tree of a code cell, None where it holds magics or is broken."""
        try:
            return ast.parse(self.code)
        except SyntaxError:
            return None

    @property
    def tags(self) -> set[str]:
        """Jupyter tags."""
        return set(self.metadata.get("tags", []))

    @property
    def shown(self) -> bool:
        """Whether the reader sees what the cell puts out."""
        hidden = {"hide", "hide_output", "default_exp", "export", "exports", "exporti"}
        return not (hidden & self.nbdev.keys() or {"remove-cell", "remove-output"} & self.tags)


@dataclass
class Notebook:
    """A notebook under nbs/."""

    path: str  # relative to the root, with slashes
    cells: list[Cell]

    @property
    def part(self) -> str:
        """First digit of the folder, empty for notebooks outside the numbered parts."""
        m = re.match(r"nbs/(\d)_[^/]*/", self.path)
        return m[1] if m else ""

    @property
    def is_chapter(self) -> bool:
        """Whether the anatomy of a chapter is asked of it (parts 1 to 6)."""
        return self.part in set("123456")

    def markdown(self) -> Iterator[Cell]:
        """Markdown cells."""
        return (c for c in self.cells if c.kind == "markdown")

    def code_cells(self) -> Iterator[Cell]:
        """Code cells."""
        return (c for c in self.cells if c.kind == "code")

    def found(self, cell: Cell | int, rule: str, message: str) -> Finding:
        """Make a finding about this notebook."""
        return Finding(self.path, cell if isinstance(cell, int) else cell.number, rule, message)


def read(root: Path) -> list[Notebook]:
    """Read all notebooks under `root`/nbs."""
    books = []
    for path in sorted((root / "nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        nb = nbformat.read(path, as_version=4)
        cells = [Cell(i, c.cell_type, c.source, c.metadata,
                      bool(c.get("outputs")) or c.get("execution_count") is not None)
                 for i, c in enumerate(nb.cells, 1)]
        books.append(Notebook(path.relative_to(root).as_posix(), cells))
    return books


# ---- figures ------------------------------------------------------------------------------------------------------

_NOT_A_FIGURE = {"close", "rc", "rcdefaults", "style", "rcParams", "rc_context", "switch_backend", "ioff", "ion"}


def _calls(tree: ast.AST) -> Iterator[list[str]]:
    """Yield the dotted names called at run time of the cell (not inside functions that it only defines)."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Call):
            name, f = [], node.func
            while isinstance(f, ast.Attribute):
                name.append(f.attr)
                f = f.value
            if isinstance(f, ast.Name):
                name.append(f.id)
            yield name[::-1]
        yield from _calls(node)


def slides(cell: Cell) -> ast.Call | None:
    """Return the call of ``figures.slider`` in a cell that shows one."""
    for line in cell.tree.body if cell.kind == "code" and cell.shown and cell.tree else ():
        call = line.value if isinstance(line, ast.Expr) else None
        if isinstance(call, ast.Call) and "slider" in (getattr(call.func, "attr", ""), getattr(call.func, "id", "")):
            return call
    return None


def draws(cell: Cell) -> bool:
    """Whether the cell shows a figure, as far as its source says."""
    if cell.kind != "code" or not cell.shown:
        return False
    if slides(cell):
        return True
    if cell.tree is None:
        return bool(re.search(r"\bsubplots\(|\bplt\.(plot|figure|imshow)\(", cell.code))
    drawn = False
    for name in _calls(cell.tree):
        if name[:2] == ["plt", "close"]:
            return False
        drawn |= (
            (len(name) > 1 and name[0] == "plt" and name[1] not in _NOT_A_FIGURE)
            or name[-1:] == ["subplots"]
            or (len(name) > 1 and name[-2] == "figures" and not re.search("style|theme|setup", name[-1]))
        )
    return drawn


def check_figures(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Every figure has a caption, a name and alt text."""
    for nb in books:
        for cell in nb.code_cells():
            meta = cell.metadata.get("mystnb", {})
            figure = meta.get("figure") or {}
            if not (draws(cell) or "figure" in meta):
                continue
            if not str(figure.get("caption", "")).strip():
                yield nb.found(cell, "figure", "the figure has no caption: set mystnb.figure.caption in the cell's metadata")
            if not str(figure.get("name", "")).startswith("fig-"):
                yield nb.found(cell, "figure", "the figure has no name: set mystnb.figure.name to fig-... in the cell's metadata")
            if call := slides(cell):  # it has its alt text in the call, which says so itself when there is none
                if getattr(cell.tree.body[-1], "value", None) is not call:
                    yield nb.found(cell, "figure", "the slider is not shown: make slider(...) the last line of the cell")
                elif cell.code.rstrip().endswith(";"):
                    yield nb.found(cell, "figure", "the slider is not shown: take the semicolon away from its end")
            elif not str((meta.get("image") or {}).get("alt", "")).strip():
                yield nb.found(cell, "figure", "the figure has no alt text: say what it shows in mystnb.image.alt in the cell's metadata")
        for cell in nb.markdown():
            text = re.sub(r"`[^`\n]*`", "", prose(cell.source))
            if re.search(r"!\[\s*\]\(", text):
                yield nb.found(cell, "figure", "an image has no alt text: write ![what it shows](path)")
            for tag in re.findall(r"<img\b[^>]*>", text):
                if not re.search(r"\balt\s*=\s*[\"'][^\"']", tag):
                    yield nb.found(cell, "figure", "an <img> has no alt text: add alt=\"what it shows\"")
            for d in directives(cell.source):
                if d.name in {"figure", "image"} and not d.options.get("alt"):
                    yield nb.found(cell, "figure", f"the {d.name} {d.argument} has no alt text: add :alt: what it shows")
                if d.name == "figure" and not d.options.get("name", "").startswith("fig-"):
                    yield nb.found(cell, "figure", f"the figure {d.argument} has no name: add :name: fig-...")
                if d.name == "figure" and not d.body.strip():
                    yield nb.found(cell, "figure", f"the figure {d.argument} has no caption: write one in its body")


# ---- labels, statements, claims -----------------------------------------------------------------------------------


def labels(cell: Cell) -> list[str]:
    """Return all labels that a cell defines."""
    out = []
    if cell.kind == "code":
        name = (cell.metadata.get("mystnb", {}).get("figure") or {}).get("name")
        return [str(name)] if name else []
    for d in directives(cell.source):
        out += [d.options[k] for k in ("label", "name") if d.options.get(k)]
    text = prose(cell.source)
    out += re.findall(r"^\s*\(([\w:.-]+)\)=\s*$", text, flags=re.M)
    out += re.findall(r"\$\$[ \t]*\(([\w:.-]+)\)", text)
    return out


def check_labels(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Labels and names are unique across the book; a labelled formula starts a block of its own."""
    seen: dict[str, str] = {}
    for nb in books:
        for cell in nb.cells:
            for label in labels(cell):
                if label in seen:
                    yield nb.found(cell, "label", f"the label {label} is taken by {seen[label]}: choose another")
                seen.setdefault(label, f"{nb.path} cell {cell.number}")
            if cell.kind == "markdown":
                for label in _glued(cell.source):
                    yield nb.found(cell, "label", f"the formula {label} would not be set: put a blank line before its $$")


def _glued(source: str) -> Iterator[str]:
    """Labels of displayed formulas that follow a line of text directly."""
    lines = prose(source).split("\n")
    opened: int | None = None
    for i, line in enumerate(lines):
        if (n := line.count("$$")) == 0:
            continue
        start = i if opened is None else opened
        if n == 1 and opened is None:
            opened = i
            continue
        opened = None
        label = re.search(r"\$\$[ \t]*\(([\w:.-]+)\)", line)
        if label and lines[start].lstrip().startswith("$$") and start and lines[start - 1].strip():
            yield label[1]


def check_statements(books: Iterable[Notebook], claims: Iterable | None) -> Iterator[Finding]:
    """Every theorem, lemma, proposition and corollary has a label and a claim with a mutant, and the other way round.

    Parameters
    ----------
    books : iterable of Notebook
    claims : iterable or None
        Objects with ``label`` and ``mutants``; None leaves the claims unchecked.
    """
    registered = None if claims is None else {c.label: c for c in claims}
    known: set[str] = set()
    for nb in books:
        for cell in nb.markdown():
            known.update(labels(cell))
            for d in directives(cell.source):
                kind = d.name.removeprefix("prf:")
                if not d.name.startswith("prf:") or kind not in STATEMENTS:
                    continue
                label = d.options.get("label", "")
                if not label:
                    yield nb.found(cell, "claim", f"the {kind} {d.argument!r} has no label: add :label: and a claim under it")
                elif registered is not None and label not in registered:
                    yield nb.found(cell, "claim", f"the {kind} {label} has no claim: register one with @claim({label!r}, ...)")
    for label, claim in (registered or {}).items():
        if label not in known:
            yield Finding("rfbook.claims", 0, "claim", f"the claim {label} speaks of nothing: no notebook has that label")
        if not claim.mutants:
            yield Finding("rfbook.claims", 0, "claim", f"the claim {label} has no mutant: add a wrong version that it must reject")


# ---- anatomy of a chapter -----------------------------------------------------------------------------------------


def headings(nb: Notebook) -> Iterator[tuple[Cell, int, str]]:
    """Yield cell, level and text of all headings outside code."""
    for cell in nb.markdown():
        for part in _split(cell.source):
            if isinstance(part, str) and (m := re.match(r"^(#{1,6})\s+(.*?)\s*#*\s*$", part)):
                yield cell, len(m[1]), m[2]


def exports(nb: Notebook) -> list[str]:
    """Public names that a notebook adds to the library; claims are not counted."""
    names: list[str] = []
    for cell in nb.code_cells():
        target = cell.nbdev.get("export", cell.nbdev.get("exports"))
        if target is None or target.startswith("claims") or cell.tree is None:
            continue
        for node in cell.tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                if not any(isinstance(d, ast.Name) and d.id.startswith("patch") for d in node.decorator_list):
                    names.append(node.name)
            elif isinstance(node, ast.Assign):
                names += [t.id for t in node.targets if isinstance(t, ast.Name)]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.append(node.target.id)
    return [n for n in dict.fromkeys(names) if not n.startswith("_")]


def check_chapters(books: Iterable[Notebook]) -> Iterator[Finding]:
    """Chapters of parts 1 to 6 have their card, exercises, sections and budgets."""
    for nb in books:
        if not nb.is_chapter:
            continue
        everything = [(c, d) for c in nb.markdown() for d in directives(c.source)]

        cards = [(c, d) for c, d in everything if d.name == "admonition" and "card" in d.options.get("class", "").split()]
        if not cards:
            yield nb.found(0, "card", "the chapter has no card: add an admonition with :class: card after the title")
        for cell, d in cards:
            if missing := [w for w in CARD if f"**{w}**" not in d.body]:
                yield nb.found(cell, "card", "the card lacks " + ", ".join(f"**{w}**" for w in missing) + ": add it")

        exercises = [(c, d) for c, d in everything if d.name in {"exercise", "exercise-start"}]
        solutions = {d.argument: (c, d) for c, d in everything if d.name in {"solution", "solution-start"}}
        if len(exercises) < MIN_EXERCISES:
            yield nb.found(0, "exercise", f"the chapter has {len(exercises)} exercises: write at least {MIN_EXERCISES}")
        for cell, d in exercises:
            label = d.options.get("label", "")
            if not label:
                yield nb.found(cell, "exercise", f"the exercise {d.argument!r} has no label: add :label: ex-...")
            elif label not in solutions:
                yield nb.found(cell, "exercise", f"the exercise {label} has no solution: add a solution-start with that label")
            if not 1 <= d.argument.count("★") <= 3:
                yield nb.found(cell, "exercise", f"the exercise {label or d.argument!r} has no stars: put ★, ★★ or ★★★ into its title")
        for label, (cell, d) in solutions.items():
            if "dropdown" not in d.options.get("class", "").split():
                yield nb.found(cell, "exercise", f"the solution of {label} is not hidden: add :class: dropdown")

        if nb.part != "6":
            yield from _sections(nb)
        yield from _recall(nb)
        if (n := sum(words(c.source) for c in nb.markdown())) > MAX_WORDS:
            yield nb.found(0, "words", f"the chapter has {n} words of Markdown: keep it to {MAX_WORDS}")
        if len(names := exports(nb)) > MAX_EXPORTS:
            yield nb.found(0, "exports", f"the chapter exports {len(names)} public names: keep it to {MAX_EXPORTS}")


def _sections(nb: Notebook) -> Iterator[Finding]:
    """The sections of CONTRIBUTING.md, spelled and ordered as there."""
    top = [(cell, re.sub(r"[^\w\s]", "", text).strip().lower()) for cell, level, text in headings(nb) if level == 2]
    names = [t for _, t in top]
    for s in SECTIONS:
        if s not in names:
            yield nb.found(0, "section", f"the section '## {s.capitalize()}' is missing: add it, spelled so")
    at = [(names.index(s), s) for s in SECTIONS if s in names]
    for (i, a), (j, b) in zip(at, at[1:], strict=False):
        if i > j:
            yield nb.found(top[j][0], "section", f"the section '{b.capitalize()}' stands before '{a.capitalize()}': exchange them")
    if {"the naive way", "implementation"} <= set(names):
        i, j = names.index("the naive way"), names.index("implementation")
        if i < j and j - i < 2:
            yield nb.found(top[j][0], "section", "nothing is stated between 'The naive way' and 'Implementation': add '## The theorem'")


def _recall(nb: Notebook) -> Iterator[Finding]:
    """The chapter ends with questions; each is the title of a closed dropdown that holds its answer in one line."""
    top = [(cell, text) for cell, level, text in headings(nb) if level == 2]
    if not top or top[-1][1] != "Recall":
        yield nb.found(0, "recall", "the chapter does not end with '## Recall': add it after the sources")
        return
    start = top[-1][0]
    asked = []
    for cell in nb.markdown():
        if cell.number >= start.number:
            source = cell.source.split("## Recall", 1)[1] if cell is start else cell.source
            asked += [(cell, d) for d in directives(source) if "recall" in d.options.get("class", "").split()]
    if len(asked) not in RECALL:
        yield nb.found(start, "recall", f"the chapter has {len(asked)} recall questions: ask {RECALL[0]} to {RECALL[-1]}, each "
                                        "an admonition with :class: dropdown recall")
    for cell, d in asked:
        if d.name != "admonition" or not d.argument.endswith("?"):
            yield nb.found(cell, "recall", f"{d.argument!r} is no question: make the title of the admonition one")
        if "dropdown" not in d.options["class"].split():
            yield nb.found(cell, "recall", f"the answer to {d.argument!r} is not hidden: write :class: dropdown recall")
        if len([line for line in d.body.split("\n") if line.strip()]) != 1:
            yield nb.found(cell, "recall", f"the answer to {d.argument!r} is not one line: say it in one")


def proper_names(root: Path) -> set[str]:
    """Words that keep their capital in a heading."""
    bib = root / "references.bib"
    text = bib.read_text(encoding="utf-8") if bib.exists() else ""
    authors = " ".join(re.findall(r"^\s*(?:author|editor)\s*=\s*\{(.*?)\}\s*,?\s*$", text, flags=re.M | re.S))
    authors = re.sub(r"\\[^\w{]|[{}]", "", authors)
    return PROPER | set(re.findall(r"[A-Z][\w-]+", authors))


def check_headings(books: Iterable[Notebook], names: set[str]) -> Iterator[Finding]:
    """Headings are in sentence case: a capital at the start and in proper names, nowhere else."""
    for nb in books:
        for cell, _, text in headings(nb):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
            plain = re.sub(r"`[^`]*`|\$[^$]*\$|\{[\w:]+\}", " 0 ", plain)
            tokens = re.findall(r"[^\W_][\w'’.-]*|[:?!.;—–]", plain)
            if tokens and tokens[0][:1].islower() and tokens[0] not in LOWER:
                yield nb.found(cell, "heading", f"the heading {text!r} starts with a small letter: write it in sentence case")
            start = True
            for token in tokens:
                if token in set(":?!.;—–"):
                    start = True
                    continue
                word = re.sub(r"['’]s?$|[.]$", "", token)
                known = word in names or all(w in names or not w[:1].isupper() for w in re.split("[-–]", word))
                if not start and word[:1].isupper() and word[1:].islower() and not known:
                    yield nb.found(cell, "heading", f"the heading {text!r} has a capital in {word!r}: write it in sentence "
                                                    "case, or add the name to PROPER in tools/lint_book.py")
                start = token.endswith(".")


# ---- hygiene ------------------------------------------------------------------------------------------------------

_MACHINE = re.compile(r"(?<![\w.~-])/(?:work|root|home/[\w.-]+|Users/[\w.-]+)(?=[/\s'\"`),;:]|$)", flags=re.M)
_LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])")
_TEXT = ("rfbook/**/*.py", "_ext/*.py", "_assets/*.css", "*.md", "*.yml", "*.toml", "*.ini", "*.cff", "*.bib", "Makefile")


def _machine(text: str, links: bool = True) -> Iterator[str]:
    """Sentences about what of one machine is written into `text`; `links` looks for addresses too."""
    if m := _MACHINE.search(text):
        yield f"{m[0]} is a path of one machine: write a relative one"
    if links and (m := _LOCAL.search(text)):
        yield f"{m[0]} is an address of one machine: leave it out"


def check_hygiene(root: Path, books: Iterable[Notebook]) -> Iterator[Finding]:
    """Notebooks carry no output; nothing names a path or an address of one machine."""
    for nb in books:
        for cell in nb.cells:
            if cell.outputs:
                yield nb.found(cell, "output", "the cell carries output or an execution count: run make clean-nbs")
            for message in _machine(cell.source, links=cell.kind == "markdown"):
                yield nb.found(cell, "machine", message)
    for pattern in _TEXT:
        for path in sorted(root.glob(pattern)):
            for message in _machine(path.read_text(encoding="utf-8"), links=path.suffix != ".py"):
                yield Finding(path.relative_to(root).as_posix(), 0, "machine", message)


def check_toc(root: Path, books: Iterable[Notebook]) -> Iterator[Finding]:
    """Every notebook stands in _toc.yml once, and nothing else does."""
    toc = root / "_toc.yml"
    if not toc.exists():
        return
    listed = re.findall(r"^\s*(?:- )?(?:file|root):\s*(\S+)", toc.read_text(encoding="utf-8"), flags=re.M)
    there = [nb.path.removesuffix(".ipynb") for nb in books]
    for name in there:
        if name not in listed:
            yield Finding(f"{name}.ipynb", 0, "toc", "the notebook is not in the book: list it in _toc.yml")
    for name in listed:
        if name not in there:
            yield Finding("_toc.yml", 0, "toc", f"{name} is not there: write the notebook or take it out")
        if listed.count(name) > 1:
            yield Finding("_toc.yml", 0, "toc", f"{name} is listed twice: keep one")


# ---- floors -------------------------------------------------------------------------------------------------------


def _imports(path: Path, package: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield line and dotted name of all imports of rfbook in a module that lives in `package`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name.split(".")) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            if base == ["rfbook"]:
                yield from ((node.lineno, [*base, a.name]) for a in node.names)
            else:
                yield node.lineno, base


def _homes(root: Path) -> dict[str, str]:
    """Public names of the package and their modules, as ``_NAMES`` of rfbook/__init__.py says."""
    init = root / "rfbook" / "__init__.py"
    for node in ast.parse(init.read_text(encoding="utf-8")).body if init.exists() else ():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_NAMES":
            return ast.literal_eval(node.value)
    return {}


def check_floors(root: Path) -> Iterator[Finding]:
    """A module imports only from floors below its own."""
    homes = _homes(root)
    for path in sorted((root / "rfbook").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = path.relative_to(root).as_posix()
        if parts[1] in {"__init__", "_modidx"}:
            continue
        own = parts[1]
        if own not in FLOORS:
            yield Finding(name, 0, "floor", f"the module {own} has no floor: give it one in FLOORS of tools/lint_book.py")
            continue
        for line, target in _imports(path, list(parts[:-1])):
            if len(target) < 2 or target[0] != "rfbook" or target[1].startswith("__"):
                continue
            target[1] = homes.get(target[1], target[1]).split(".")[0]
            if target[1] == own:
                continue
            there = FLOORS.get(target[1])
            if there is None:
                yield Finding(name, 0, "floor", f"line {line} imports {target[1]} from rfbook: import it from its module")
            elif there > FLOORS[own] or (there == FLOORS[own] and there > 0):
                yield Finding(name, 0, "floor", f"line {line} imports rfbook.{target[1]} (floor {there}) into floor "
                                                f"{FLOORS[own]}: import only from floors below")


# ---- all together -------------------------------------------------------------------------------------------------


def lint(root: Path, claims: Iterable | None) -> list[Finding]:
    """Apply all rules to the tree at `root`, with the registered `claims`."""
    books = read(root)
    found = [
        *check_figures(books),
        *check_labels(books),
        *check_statements(books, claims),
        *check_chapters(books),
        *check_headings(books, proper_names(root)),
        *check_hygiene(root, books),
        *check_toc(root, books),
        *check_floors(root),
    ]
    return sorted(set(found))


def main() -> int:
    """Lint the book that this file belongs to."""
    sys.path.insert(0, str(ROOT))
    claims, broken = None, []
    try:
        from rfbook.ledger import registry

        claims = registry()  # imports rfbook.claims
    except Exception as error:  # the lint must speak of everything else too
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        broken = [Finding("rfbook.claims", 0, "claim", f"the claims cannot be read ({what}): make `import rfbook.claims` work")]
    found = broken + lint(ROOT, claims)
    for f in found:
        print(f)
    print(f"the book lint found {len(found)} thing{'s' * (len(found) != 1)} to mend" if found else "the book lint is content")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
