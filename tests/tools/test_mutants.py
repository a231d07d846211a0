"""Mutants: what the operators write, which are drawn, and that a jury sees those that are there to be seen."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from rfbook.records import read_records
from rfdev import ROOT
from rfdev.mutation import jury
from rfdev.mutation.operators import FLOW, mutations, sound
from rfdev.mutation.run import RESULTS, Settings, equivalents, main, report, survives, witnessed
from rfdev.mutation.sample import PACKAGES, package_of, sample, shares, sites

if not (ROOT / "tools" / "mutants.py").exists():
    pytest.skip("no repository around the tests", allow_module_level=True)


def made(line):
    """Operators and texts of the mutants of a function with one line."""
    return [(m.operator, " ".join(m.after.split())) for m in mutations(f"def f(a, b):\n    {line}\n")
            if m.operator not in FLOW]


def flowing(body, arguments="X, y, weights"):
    """The same of those of the flow of data, with the texts that they replace."""
    return [(m.operator, m.before, " ".join(m.after.split())) for m in mutations(f"def f({arguments}):\n    {body}\n")
            if m.operator in FLOW]


@pytest.mark.parametrize(("line", "expected"), [
    ("return a < b", [("boundary", "(a <= b)"), ("comparison", "(a >= b)")]),
    ("return a != b", [("comparison", "(a == b)")]),
    ("return a in b", [("comparison", "(a not in b)")]),
    ("return a < b < a", [("boundary", "(a <= b < a)"), ("comparison", "(a >= b < a)"), ("boundary", "(a < b <= a)"),
                          ("comparison", "(a < b >= a)")]),
    ("return a * b", [("arithmetic", "(a / b)")]),
    ("return a**b", [("arithmetic", "(a * b)")]),
    ("return a - (b + a)", [("arithmetic", "(a + (b + a))"), ("arithmetic", "(b - a)")]),
    ("return a and b", [("boolean", "(a or b)")]),
    ("return not a", [("removed not", "(a)".strip("()"))]),
    ("return -a", [("sign", "a")]),
    ("return 3", [("constant", "4"), ("constant", "6")]),
    ("return 0", [("constant", "1")]),
    ("return 0.5", [("constant", "1.0")]),
    ("return True", [("constant", "False")]),
    ("return a[0]", [("index", "1")]),
    ("return a(b, a)", [("swapped arguments", "a(a, b)")]),
    ("return np.maximum(b, a)", [("neighbour", "np.minimum")]),
    ("return zip(a, b, strict=True)", [("swapped arguments", "zip(b, a, strict=True)")]),
    ("with np.errstate(over=a + b): pass", []),
    ("return a(b, key=b)", [("dropped keyword", "a(b)")]),
    ("return a.max(b)", [("neighbour", "a.min")]),
    ("return self.max(b)", []),
    ("return max(a)", [("neighbour", "min")]),
    ("return a if b else f", [("condition", "(not (b))")]),
    ("a.b = b", [("deleted statement", "pass")]),
    ("a(b)", [("deleted statement", "pass")]),
    ("a += b", [("deleted statement", "pass")]),
    ("c = b", []),
    ("'a text'", []),
    ("return f'{a + 1} and {b < 2}'", []),
    ("warnings.warn(a + b)", [("deleted statement", "pass")]),
    ("raise ValueError(f'{a}', 1)", [("deleted statement", "pass")]),
])
def test_operators(line, expected):
    assert sorted(made(line)) == sorted(expected)


@pytest.mark.parametrize(("line", "arguments", "expected"), [
    ("return g(q, weights)", "q, weights", [("weights", "g(q, weights)", "g(q, None)")]),
    ("return g(q, sample_weight=v)", "q, v", [("weights", "g(q, sample_weight=v)", "g(q, sample_weight=None)")]),
    ("return g(q, weights=None)", "q", []),
    ("return check_integer(q, w)", "q, w", []), ("return g(w)", "w", []),
    ("return g(X_test)", "X, X_test", [("exchanged data", "X_test", "X")]),
    ("return g(X_test)", "X_test", []),
    ("return held - rest", "held, rest", [("summand", "held - rest", "held"), ("exchanged data", "held", "rest"),
                                          ("exchanged data", "rest", "held")]),
    ("return split.X_test", "split", [("exchanged data", "split.X_test", "split.X")]),
    ("return data.y_train", "data", [("exchanged data", "data.y_train", "data.y_test")]),
    ("return g(random_state=seed)", "seed", [("reused stream", "g(random_state=seed)", "g(random_state=0)")]),
    ("return default_rng([p, q])", "p, q", []),
    ("return np.random.default_rng([p, q])", "p, q",
     [("reused stream", "np.random.default_rng([p, q])", "np.random.default_rng([q])"),
      ("reused stream", "np.random.default_rng([p, q])", "np.random.default_rng([p])")]),
    ("p, q = streams(r, 2); return g(p, q)", "r", [("reused stream", "p", "q"), ("reused stream", "q", "p")]),
    ("return p + q", "p, q", [("summand", "p + q", "p"), ("summand", "p + q", "q")]),
    ("return p - q", "p, q", [("summand", "p - q", "p")]),
    ("return p + 1", "p", []), ("return 'a' + p", "p", []), ("return p * q", "p, q", []),
    ("return p.mean(0)", "p", [("centre", "p.mean(0)", "(0 * p.mean(0))")]),
    ("return p.std(axis=0)", "p", [("centre", "p.std(axis=0)", "(1 + 0 * p.std(axis=0))")]),
    ("return p.mean()", "p", []), ("return p.mean(1)", "p", []),
])
def test_operators_of_the_flow_of_data(line, arguments, expected):
    assert sorted(flowing(line, arguments)) == sorted(expected)


def test_names_are_exchanged_where_both_are_in_scope():
    source = """def f(X):
    def g(X_test):
        return X
    return X
"""
    assert [(m.line, m.after) for m in mutations(source)] == [(3, "X_test")]  # not in the outer one


def test_what_is_not_mutated():
    source = '''"""Docstring 1."""
__all__ = ["a"] * 1
if TYPE_CHECKING:
    x = 1
class A:
    "2"
    def __repr__(self):
        return 1 + 2
    @decorated(3)
    def g(self, a: "list[4]", b: int = 5) -> "6":
        """7."""
'''
    assert [(m.function, m.after) for m in mutations(source)] == [("A.g", "6"), ("A.g", "10")]


def test_places():
    source = '''x = 1
class A:
    y = 2.0
    def g(self):
        def h():
            return self < 3
        if self.q > 4:
            raise ValueError
        check_number("q", h, most=5)
        if h > 6:
            warnings.warn("seven")
        return h
def _warn_of(x):
    return x > 7
'''
    found = [(m.function, m.before, m.guard) for m in mutations(source) if m.operator in ("constant", "boundary")]
    assert found == [("", "1", False), ("A", "2.0", False), ("A.g", "self < 3", False), ("A.g", "3", False),
                     ("A.g", "3", False), ("A.g", "self.q > 4", True), ("A.g", "4", True), ("A.g", "4", True),
                     ("A.g", "5", True), ("A.g", "5", True),
                     ("A.g", "h > 6", True), ("A.g", "6", True), ("A.g", "6", True),
                     ("_warn_of", "x > 7", True), ("_warn_of", "7", True), ("_warn_of", "7", True)]


def test_a_name_outlives_an_edit_elsewhere_and_tells_twins_apart():
    source = "def f(a):\n    return a + 1, a + 1\n"
    names = [m.identity for m in mutations(source)]
    assert len(set(names)) == len(names) == 4
    assert [m.identity for m in mutations("# a comment: é\n\n\ny = 7\n\n" + source)][2:] == names


def test_only_the_place_changes():
    source = 'é = "é"\ndef f(a):\n    return (a < 1  # why\n            and a)\n'
    texts = {m.operator: m.apply(source.encode()).decode() for m in mutations(source)}
    assert texts["boundary"] == source.replace("a < 1", "(a <= 1)")
    assert texts["boolean"] == 'é = "é"\ndef f(a):\n    return ((a < 1 or a))\n'


# ---- the sample ---------------------------------------------------------------------------------------------------

def test_shares_add_up():
    assert shares({"a": 1, "b": 1, "c": 1}, 5) == {"a": 2, "b": 2, "c": 1}
    assert shares({"a": 90, "b": 10}, 10) == {"a": 9, "b": 1}


def test_the_sample_is_the_same_for_a_seed_and_all_of_it_are_programs():
    drawn = sample(ROOT, Settings.count, Settings.seed)
    assert [s.identity for s in drawn] == [s.identity for s in sample(ROOT, Settings.count, Settings.seed)]
    assert len({s.identity for s in drawn}) == Settings.count >= 150
    assert {package_of(s.module) for s in drawn} == set(PACKAGES)
    assert not {s.mutation.operator for s in drawn} & {*FLOW}
    assert all(sound((ROOT / "rfbook" / s.module).read_bytes(), s.mutation) for s in drawn)
    assert {s.identity for s in drawn} != {s.identity for s in sample(ROOT, Settings.count, Settings.seed + 1)}


def test_the_flow_of_data_is_sampled_in_all_packages_and_by_all_operators():
    drawn = sample(ROOT, 0, 0, flow=Settings.flow)
    assert len(drawn) == Settings.flow >= 60 and {s.mutation.operator for s in drawn} == {*FLOW}
    assert {package_of(s.module) for s in drawn} >= {"lab/experiments", "adaptive", "learning", "solvers", "_jit"}
    kept = frozenset(s.identity for s in drawn[:50])
    assert kept <= {s.identity for s in sample(ROOT, 0, 1, kept=kept, flow=Settings.flow)}
    assert all(sound((ROOT / "rfbook" / s.module).read_bytes(), s.mutation) for s in drawn)


def test_what_was_drawn_stays_and_what_is_missing_is_drawn():
    first = [s.identity for s in sample(ROOT, 40, 1)]
    other = [s.identity for s in sample(ROOT, 40, 2)]
    kept = frozenset([*other[:30], "bounds/gone.py f: sign: -a -> a"])
    found = [s.identity for s in sample(ROOT, 40, 1, kept=kept)]
    assert len(set(found)) == 40 and kept & set(found) == set(other[:30])
    assert set(found) - kept <= set(first)
    assert [s.identity for s in sample(ROOT, 40, 1, kept=frozenset(first))] == first


# ---- a library of our own -----------------------------------------------------------------------------------------

LIBRARY = '''"""A toy."""

# AUTOGENERATED! DO NOT EDIT! File to edit: ../../nbs/toy.ipynb.


def bound(n):
    """The claim checks this, the tests do not."""
    return 2 * n


def refused(n):
    """The tests check this."""
    if n < 0:
        raise ValueError("n is negative")
    return n


def idle(n):
    """0 * 1 is 0 * 2: a constant that does not matter."""
    return 0.0 * n


def untested(n):
    """Nobody looks."""
    return n - 1


def endless(n):
    """A sign, and it does not end."""
    while n > 0:
        n = n - 1
    return n


def told(n):
    """A cell of the notebook checks this."""
    return n + 4
'''

CELLS = ["#| default_exp bounds.toy", "def told(n):\n    return 0", "assert told(1) == 9  # false as it is",
         "#| export\ndef told(n):\n    return n + 4", "assert told(3) == 7"]

CLAIMS = '''"""As much of a registry as is needed."""
import importlib


class Claim:
    label, mutants = "thm-toy", ()

    def __init__(self, check):
        self.check, self.name = check, "toy.doubled"

    def __call__(self, seed):
        class Evidence:
            holds = self.check()
        return Evidence


def locate(target):
    raise AssertionError(target)


def registry():
    return [importlib.import_module("rfbook.lab.claims.toy").doubled]
'''

CLAIM = '''from rfbook.bounds.toy import bound
from rfbook.lab.claims import Claim


def check():
    return bound(3) == 6


doubled = Claim(check)
'''

TESTS = '''import pytest
from rfbook.bounds.toy import bound, endless, idle, refused


def test_idle():
    assert idle(3) == 0.0 and bound(1) > 0


def test_refused():
    assert refused(0) == 0 and endless(3) == 0
    with pytest.raises(ValueError):
        refused(-1)
'''


@pytest.fixture
def toy(tmp_path):
    """A repository with a library of six functions, one claim, two tests, a notebook, and our tools."""
    cells = [{"cell_type": "code", "source": source} for source in CELLS]
    files = {"rfbook/__init__.py": "", "rfbook/_jit/__init__.py": "", "rfbook/bounds/__init__.py": "",
             "rfbook/lab/__init__.py": "", "rfbook/bounds/toy.py": LIBRARY,
             "rfbook/lab/claims/__init__.py": CLAIMS, "rfbook/lab/claims/toy.py": CLAIM,
             "tests/bounds/test_toy.py": TESTS, "nbs/toy.ipynb": json.dumps({"cells": cells}), "data/results/.keep": "",
             "pyproject.toml": "[tool.pytest.ini_options]\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    return tmp_path


def content(root):
    """Digest of each file, but for caches and results."""
    return {p.relative_to(root).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in root.rglob("*")
            if p.is_file() and ".cache" not in p.parts and p.suffix not in (".jsonl", ".lock", ".pyc")}


def test_what_is_seen_and_what_is_not(toy, capsys, monkeypatch):
    monkeypatch.setattr(jury, "_LEAST", 2)  # what does not end is waited for, and all others are done at once
    before = content(toy)
    count = len(list(sites(toy)))
    assert main(["--count", str(count)], toy) == 1
    rows = {r["id"]: r for r in read_records(toy / RESULTS)[1]}
    assert len(rows) == count and content(toy) == before

    def fate(words):
        [row] = [r for name, r in rows.items() if words in name]
        return row["tests"], row["ledger"]

    assert fate("bound: arithmetic") == ("", "toy.doubled")  # 2 / 1 is larger than 0, too
    assert fate("bound: constant: 2 -> 3") == ("", "toy.doubled")
    assert fate("refused: boundary") == fate("refused: comparison") == ("tests/bounds/test_toy.py::test_refused", "")
    assert fate("refused: deleted statement") == ("tests/bounds/test_toy.py::test_refused", "")
    assert fate("idle: arithmetic") == ("", "")
    assert fate("untested: arithmetic") == ("", "")
    assert fate("endless: arithmetic") == ("hang", "")
    assert fate("told: arithmetic") == fate("told: constant: 4 -> 5") == ("cell of toy 4", "")
    assert {r["function"]: r["statements"] for r in rows.values()} == {
        "bound": ["thm-toy"], "refused": [], "idle": [], "untested": [], "endless": [],
        "told": []}
    assert "survives: bounds/toy.py untested: arithmetic" in capsys.readouterr().out


def test_who_was_noticed_by_a_claim_that_is_gone_is_judged_anew(toy):
    for ledger, stands in {"toy.doubled": True, "gone.doubled": False, "": True, "hang": True}.items():
        assert witnessed({"ledger": ledger}, toy) is stands


INTERRUPTED = """
import os, signal, sys, time
from pathlib import Path
from rfdev.mutation import run

(toy, results), judge, asked = map(Path, sys.argv[1:]), run.row, []
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background are told to ignore it


def row(*given):
    asked.append(given)
    if len(asked) == 2:  # as the second is asked for, and the first is written
        while results.read_text().count("\\n") < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)
    return judge(*given)


run.row = row
"""


def test_an_interrupt_leaves_the_repository_alone_and_what_is_judged_stands(toy):
    before = content(toy)
    arguments, results = ["--count", "6", "--jobs", "1"], toy / RESULTS
    code = f"{INTERRUPTED}\nrun.main({arguments}, toy)"
    process = subprocess.run([sys.executable, "-c", code, str(toy), str(results)], check=False,
                             env={**os.environ, "PYTHONPATH": f"{ROOT / 'tools'}{os.pathsep}{ROOT}"},
                             capture_output=True, text=True)
    assert process.stderr.rstrip().endswith("KeyboardInterrupt") and content(toy) == before
    rows = read_records(results)[1]
    assert len(rows) == 1
    main(arguments, toy)
    assert read_records(results)[1][: len(rows)] == rows and content(toy) == before


# ---- what is committed --------------------------------------------------------------------------------------------

ROWS = read_records(ROOT / RESULTS)[1] if (ROOT / RESULTS).exists() else []


def test_the_committed_rows_have_the_reasons_of_the_list():
    reasons = equivalents()
    assert all(r["equivalent"] == (reasons.get(r["id"], "") if survives(r) else "") for r in ROWS)
    assert set(reasons) <= {r["id"] for r in ROWS}
    assert all(reason.strip() and "\n" not in reason for reason in reasons.values())


def test_the_score():
    rows = [{"tests": t, "ledger": c, "equivalent": e, "statements": s} for t, c, e, s in [
        ("t", "", "", []), ("t", "c", "", ["thm-x"]), ("", "", "why", []), ("", "", "", ["thm-x"]), ("", "c", "", [])]]
    assert report(rows) == ("5 mutants, 1 equivalent; of 4 tests kill 2, tests and ledger 3; "
                            "of 2 that a theorem speaks of the ledger alone kills 1")
    assert [survives(r) for r in rows] == [False, False, True, True, False]
