"""What is compiled is kept under a key that covers all of it."""

import ast
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = sorted((ROOT / "rfbook").rglob("*.py"))

if not (ROOT / "tools" / "run.sh").exists():
    pytest.skip("no repository around the tests", allow_module_level=True)


def imports(path):
    """Packages and modules that a file imports, relative ones with their dots."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_only_compiled_modules_compile():
    """Numba is used in rfbook/_jit alone, whose modules take from each other and from no other place of the library."""
    for path in LIBRARY:
        names = set(imports(path))
        if path.parent.name == "_jit":
            assert not {n for n in names if n.startswith("..") or n.startswith("rfbook")}, path
        else:
            assert not {n for n in names if n.partition(".")[0] == "numba"}, path


@pytest.fixture
def repository(tmp_path):
    """A repository whose tools/run.sh prints where compiled loops go."""
    for name in ("tools/run.sh", *(p.relative_to(ROOT) for p in LIBRARY if p.parent.name == "_jit")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "rfbook" / "ridge.py").write_text("")

    def where():
        done = subprocess.run(["sh", "tools/run.sh", "sh", "-c", 'echo "$NUMBA_CACHE_DIR"'], cwd=tmp_path, text=True,
                              capture_output=True, check=True, env={"PATH": os.environ["PATH"]})
        return done.stdout.strip()

    return tmp_path, where


def test_a_change_of_what_is_compiled_makes_the_cache_new_and_another_does_not(repository):
    root, where = repository
    first = where()
    assert Path(first).is_dir() and where() == first
    (root / "rfbook" / "ridge.py").write_text("changed = True")
    assert where() == first
    loops = root / "rfbook" / "_jit" / "cosine.py"
    loops.write_text(loops.read_text() + "\n_more = 1\n")
    assert where() != first


def test_old_caches_go(repository):
    root, where = repository
    for i in range(12):
        (root / "rfbook" / "_jit" / "more.py").write_text(f"x = {i}")
        last = where()
    kept = sorted(p.name for p in (root / ".cache" / "numba").iterdir())
    assert len(kept) == 8 and Path(last).name in kept
