"""The small errors: what one place of a source may be replaced by, each as a text that stands for another text."""

from __future__ import annotations

import ast
import copy
import functools
import itertools
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
# data that are taken for one another, where both are in scope; as names, or asked of an object
_KINDS = [("X", "X_test", "new", "rows"), ("y", "y_test", "later", "targets"), ("train", "test"), ("fit", "judge"),
          ("held", "rest", "kept", "trained", "few", "whole", "tune", "left"), ("A", "B"), ("a", "b"),
          ("inside", "outside"), ("weights", "shares"), ("now", "new"), ("gram", "right"), ("S", "X")]
_PARTS = {"split": {"X": "X_test", "X_test": "X", "y": "y_test", "y_test": "y"},
          "data": {"X_train": "X_test", "X_test": "X_train", "y_train": "y_test", "y_test": "y_train"}}
_WEIGHTS = {"weights", "sample_weight", "weight", "w", "shares"}
_SEEDS = {"random_state", "seed"}
_STREAMS = {"streams", "spawn"}  # calls that give several generators
_CENTRES, _UNITS = {"mean", "average", "median"}, {"std", "max", "ptp"}  # of columns
FLOW = ("weights", "exchanged data", "reused stream", "summand", "centre")  # operators of the flow of data
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


def _none():
    return ast.Constant(None)


def _without_weights(node):
    """A call whose weights are None; what is only checked has other names."""
    if getattr(node.func, "attr", getattr(node.func, "id", "")).startswith(_REFUSING):
        return
    for i, value in enumerate(node.args):
        if isinstance(value, ast.Name) and value.id in _WEIGHTS and len(node.args) + len(node.keywords) > 1:
            new = copy.copy(node)
            new.args = [*node.args[:i], _none(), *node.args[i + 1 :]]
            yield "weights", new
    for i, keyword in enumerate(node.keywords):
        if keyword.arg in _WEIGHTS and not isinstance(keyword.value, ast.Constant):
            new = copy.copy(node)
            new.keywords = [*node.keywords[:i], ast.keyword(keyword.arg, _none()), *node.keywords[i + 1 :]]
            yield "weights", new


def _reused(node):
    """A call with the same seed for all: 0 for a seed that is a name, a list of seeds without one of them."""
    for i, keyword in enumerate(node.keywords):
        if keyword.arg in _SEEDS and isinstance(keyword.value, ast.Name):
            new = copy.copy(node)
            new.keywords = [*node.keywords[:i], ast.keyword(keyword.arg, ast.Constant(0)), *node.keywords[i + 1 :]]
            yield "reused stream", new
    if getattr(node.func, "attr", "") == "default_rng" and node.args and isinstance(node.args[0], ast.List):
        seeds = node.args[0].elts
        for i in range(len(seeds) if len(seeds) > 1 else 0):
            new = copy.copy(node)
            new.args = [ast.List([*seeds[:i], *seeds[i + 1 :]], ast.Load()), *node.args[1:]]
            yield "reused stream", new


def _moments(node):
    """A centre of columns that is 0, or a unit that is 1, of the same shape."""
    name, columns = getattr(node.func, "attr", ""), any(
        isinstance(a, ast.Constant) and a.value == 0 and not isinstance(a.value, bool)
        for a in (*node.args, *(k.value for k in node.keywords if k.arg == "axis")))
    if columns and name in _CENTRES | _UNITS:
        nothing = ast.BinOp(ast.Constant(0), ast.Mult(), node)
        yield "centre", nothing if name in _CENTRES else ast.BinOp(ast.Constant(1), ast.Add(), nothing)


def _summands(node):
    """A sum or difference without its last, or first, summand; texts are put together in the same way."""
    parts = (node.left, node.right)
    if any(isinstance(p, ast.JoinedStr | ast.Constant | ast.List | ast.Tuple | ast.ListComp) for p in parts):
        return
    yield "summand", node.left
    if isinstance(node.op, ast.Add):
        yield "summand", node.right


def _flowing(node: ast.AST, bound: set[str], streams: dict[str, str]) -> Iterator[tuple[str, ast.expr]]:
    """The versions of an expression in which other data arrive than should, where some names are bound."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        others = [kind[(kind.index(node.id) + 1 + i) % len(kind)] for kind in _KINDS if node.id in kind
                  for i in range(len(kind) - 1)]
        for other in [name for name in others if name in bound][:1]:
            yield "exchanged data", ast.Name(other, ast.Load())
        if node.id in streams:
            yield "reused stream", ast.Name(streams[node.id], ast.Load())
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if other := _PARTS.get(getattr(node.value, "id", ""), {}).get(node.attr):
            yield "exchanged data", ast.Attribute(node.value, other, ast.Load())
    elif isinstance(node, ast.Call):
        yield from _without_weights(node)
        yield from _reused(node)
        yield from _moments(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _summands(node)


def _bound(function):
    """Names that a function binds, and for each that is one of several streams the one before it."""
    arguments = function.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    streams: dict[str, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Tuple):
            called = node.value.func
            several = [t.id for t in node.targets[0].elts if isinstance(t, ast.Name)]
            if getattr(called, "attr", getattr(called, "id", "")) in _STREAMS and len(several) > 1:
                streams |= {name: several[i - 1] for i, name in enumerate(several)}
    return names, streams


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
        self.bound: set[str] = set()
        self.streams: dict[str, str] = {}

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
                was, self.inside = (self.inside, self.bound, self.streams), True
                names, streams = _bound(node)
                self.bound, self.streams = self.bound | names, self.streams | streams
                for value in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                    self.expression(value, inner)
                self.statements(node.body, inner)
                self.inside, self.bound, self.streams = was
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
        for operator, new in (*_replacements(node, index), *_flowing(node, self.bound, self.streams)):
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
    for its neighbour.  And other data than should arrive (``FLOW``): weights are None, names of the training and the
    test part, or of what is held and what is kept, are exchanged, a seed is 0 or a generator the one before, a summand
    is dropped, a centre of columns is 0 or their unit 1.  Docstrings, texts, annotations, decorators, ``__repr__``,
    lists of names, what is printed, raised or warned of are left alone; that something is raised is not.
    """
    finder = _Finder(source)
    finder.statements(ast.parse(source).body, ("", False))
    return finder.found


@functools.lru_cache(64)  # most of a package, whose mutants are asked about one after the other
def _statements(source: bytes) -> list[tuple[int, int]]:
    """Where the lines of each statement of a module begin and end."""
    ends = list(itertools.accumulate((len(line) for line in source.splitlines(keepends=True)), initial=0))
    found = []
    for node in ast.parse(source).body:
        first = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
        found.append((ends[first - 1], ends[node.end_lineno or first]))
    return found


@functools.lru_cache(64)
def _parsed(source: bytes) -> ast.Module:
    return ast.parse(source)


def _same(a, b) -> bool:
    """Whether two trees, or parts of trees, are one program; places do not count."""
    if type(a) is not type(b):
        return False
    if isinstance(a, ast.AST):
        return all(_same(getattr(a, name, None), getattr(b, name, None)) for name in a._fields)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return repr(a) == repr(b)


@functools.lru_cache(4096)  # samples of several seeds begin alike
def sound(source: bytes, mutation: Mutation) -> bool:
    """Whether the mutant is a program, and another one; no more is read than the statement of the module it is in."""
    whole = (0, len(source))
    first, last = next(((a, b) for a, b in _statements(source) if a <= mutation.start < b), whole)
    changed = source[first : mutation.start] + mutation.after.encode() + source[mutation.stop : last]
    try:
        return not _same(ast.parse(changed), _parsed(source[first:last]))
    except SyntaxError:
        return False
