"""The small errors: what one place of a source may be replaced by, each as a text that stands for another text."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_OPPOSITE = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
             ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
               ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
               ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd}
# words of formulas that are taken for one another
_NEIGHBOURS = [("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("sin", "cos"), ("floor", "ceil"),
               ("any", "all"), ("zeros", "ones"), ("sum", "mean"), ("exp", "expm1"), ("log", "log1p")]
_NEIGHBOUR = {a: b for pair in _NEIGHBOURS for a, b in (pair, pair[::-1])}
_BUILTIN = {"min", "max", "any", "all"}  # those that have a neighbour without a module before them
# what prints, names or documents computes nothing
_SPARED_FUNCTIONS = {"__repr__", "__str__", "__dir__", "__getattr__", "_repr_html_"}
_SPARED_CALLS = {"warn", "warning", "info", "debug", "errstate"}
_SPARED_KEYWORDS = {"strict"}  # of zip: a check that the library makes of itself
_REFUSING = ("check_", "numbers_where")  # calls that give their argument back or refuse it
# in their first two arguments
_SYMMETRIC = {"min", "max", "minimum", "maximum", "add", "multiply", "hypot", "swapaxes"}
_STATEMENTS = (ast.Expr, ast.AugAssign, ast.Assign, ast.Raise)


@dataclass(frozen=True)
class Mutation:
    """One error: the text between two positions of a source is replaced.

    ``function`` is the dotted name of the outermost function or method around it, empty at the level of the module;
    ``guard`` says that the place only decides whether an argument is refused, or a user warned.
    """

    operator: str
    function: str
    line: int
    start: int  # in bytes of the source
    stop: int
    before: str
    after: str
    guard: bool
    count: int = 0  # how many with the same words stand before it in this function

    @property
    def identity(self) -> str:
        """What stays the same while lines move: where it is by name, and both texts."""
        again = f" #{self.count + 1}" if self.count else ""
        return f"{self.function or '(module)'}: {self.operator}: {_short(self.before)} -> {_short(self.after)}{again}"

    def apply(self, source: bytes) -> bytes:
        """The source with this error in it."""
        return source[: self.start] + self.after.encode() + source[self.stop :]


def _short(text: str) -> str:
    return " ".join(text.split())


def _swapped(node, other):
    """The expression with another operator."""
    new = copy.copy(node)
    new.op = other()
    return new


def _tells(node):
    """Whether a statement warns, or imports what it warns of."""
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and getattr(getattr(node.value, "func", None), "attr", "") == "warn")


def _comparisons(node):
    for i, op in enumerate(node.ops):
        for name, table in (("boundary", _BOUNDARY), ("comparison", _OPPOSITE)):
            if type(op) in table:
                new = copy.copy(node)
                new.ops = [*node.ops[:i], table[type(op)](), *node.ops[i + 1 :]]
                yield name, new


def _constants(node, index):
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "index" if index else "constant", ast.Constant(value + 1)
        if not index and value > 1:
            yield "constant", ast.Constant(value * 2)
    elif isinstance(value, float):
        yield "constant", ast.Constant(value * 2 if value else 1.0)


def _calls(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    plain = name not in _SYMMETRIC and not any(isinstance(a, ast.Starred) for a in node.args[:2])
    if len(node.args) >= 2 and plain and ast.dump(node.args[0]) != ast.dump(node.args[1]):
        new = copy.copy(node)
        new.args = [node.args[1], node.args[0], *node.args[2:]]
        yield "swapped arguments", new
    for i, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg not in _SPARED_KEYWORDS:
            new = copy.copy(node)
            new.keywords = node.keywords[:i] + node.keywords[i + 1 :]
            yield "dropped keyword", new


def _neighbours(node):
    name = node.attr if isinstance(node, ast.Attribute) else node.id
    own = getattr(getattr(node, "value", None), "id", "") in ("self", "cls")  # a name of ours that looks like one
    if not own and name in (_NEIGHBOUR if isinstance(node, ast.Attribute) else _BUILTIN):
        new = copy.copy(node)
        setattr(new, "attr" if isinstance(node, ast.Attribute) else "id", _NEIGHBOUR[name])
        yield "neighbour", new


def _replacements(node: ast.AST, index: bool) -> Iterator[tuple[str, ast.expr]]:
    """The wrong versions of an expression, each with the name of its operator."""
    if isinstance(node, ast.Compare):
        yield from _comparisons(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield "arithmetic", _swapped(node, _ARITHMETIC[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        yield "boolean", _swapped(node, ast.Or if isinstance(node.op, ast.And) else ast.And)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", node.operand
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "removed not", node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node, index)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from _neighbours(node)


class _Finder:
    """Walks a module and notes every error that can be made in it."""

    def __init__(self, source: str):
        self.source = source.encode()
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[Mutation] = []
        self.seen: dict = {}

    def offset(self, line, column):
        return self.lines[line - 1] + column

    def note(self, operator, node, after, where):
        function, guard = where
        start, stop = self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)
        before = self.source[start:stop].decode()
        words = (operator, function, _short(before), _short(after))
        count = self.seen[words] = self.seen.get(words, -1) + 1
        self.found.append(Mutation(operator, function, node.lineno, start, stop, before, after, guard, count))

    def statements(self, body, where):
        for node in body:
            self.statement(node, where)

    def statement(self, node, where):
        function, guard = where
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name not in _SPARED_FUNCTIONS:
                guard = guard or node.name.lstrip("_").startswith("warn")
                inner = where if function and self.inside else (f"{function}.{node.name}".lstrip("."), guard)
                was, self.inside = self.inside, True
                for value in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                    self.expression(value, inner)
                self.statements(node.body, inner)
                self.inside = was
        elif isinstance(node, ast.ClassDef):
            self.statements(node.body, where if self.inside else (f"{function}.{node.name}".lstrip("."), guard))
        elif isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.Pass):
            return
        elif isinstance(node, ast.If):
            self.branch(node, where)
        elif not self.spared(node):
            if self.inside and isinstance(node, _STATEMENTS) and self.deletable(node):
                tells = isinstance(node, ast.Raise) or _tells(node)
                self.note("deleted statement", node, "pass", (function, guard or tells))
            if not isinstance(node, ast.Raise):  # its words are a message
                self.parts(node, where)

    inside = False  # of a function

    def branch(self, node, where):
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        refuses = (isinstance(node.body[-1], ast.Raise) or all(map(_tells, node.body))) and not node.orelse
        self.expression(node.test, (where[0], where[1] or refuses))
        if not isinstance(node.test, ast.Compare | ast.BoolOp) and not (
                isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)):
            test = ast.unparse(node.test)
            self.note("condition", node.test, f"(not ({test}))", (where[0], where[1] or refuses))
        self.statements(node.body, where)
        self.statements(node.orelse, where)

    @staticmethod
    def deletable(node):
        """Whether its loss leaves a program that runs: names that nobody has bound are found by any test."""
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Call)
        if isinstance(node, ast.Assign):
            return all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets)
        return True

    @staticmethod
    def spared(node):
        """Docstrings, lists of names, messages."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True
        names = [t.id for t in getattr(node, "targets", ()) if isinstance(t, ast.Name)]
        return any(name.startswith("__") for name in names)

    def parts(self, node, where):
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_comment", "msg"):
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.stmt):
                    self.statement(part, where)
                elif isinstance(part, ast.expr):
                    self.expression(part, where)
                elif isinstance(part, ast.ExceptHandler):
                    self.statements(part.body, where)
                elif isinstance(part, ast.AST) and getattr(part, "arg", None) not in _SPARED_KEYWORDS:
                    self.parts(part, where)

    def expression(self, node, where, index=False):
        """Note the errors of an expression and of its parts; a text that is formatted is a message."""
        if isinstance(node, ast.JoinedStr):
            return
        called = getattr(node, "func", None)
        name = getattr(called, "attr", getattr(called, "id", ""))
        if name in _SPARED_CALLS:
            return
        if name.startswith(_REFUSING):
            where = (where[0], True)
        if isinstance(node, ast.Subscript):
            self.expression(node.value, where)
            self.expression(node.slice, where, index=isinstance(node.slice, ast.Constant))
            return
        for operator, new in _replacements(node, index):
            text = ast.unparse(new)
            plain = isinstance(new, ast.Constant | ast.Name | ast.Attribute | ast.Call)
            self.note(operator, node, text if plain else f"({text})", where)
        if isinstance(node, ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self.note("condition", node.test, f"(not ({ast.unparse(node.test)}))", where)
        self.parts(node, where)


def mutations(source: str) -> list[Mutation]:
    """All errors that can be made in a source, in the order of their places.

    Comparisons (the boundary moved, the opposite), arithmetic, constants, indices, and / or, a `not` or a sign lost,
    a condition turned round, two arguments exchanged, a keyword argument dropped, a statement deleted, a function taken
    for its neighbour.  Docstrings, texts, annotations, decorators, ``__repr__``, lists of names, what is printed,
    raised or warned of are left alone; that something is raised is not.
    """
    finder = _Finder(source)
    finder.statements(ast.parse(source).body, ("", False))
    return finder.found


def sound(source: bytes, mutation: Mutation) -> bool:
    """Whether the mutant is a program, and another one."""
    try:
        return ast.dump(ast.parse(mutation.apply(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False
