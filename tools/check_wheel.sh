#!/bin/sh
# Install the wheel in dist/ alone and see that library and command line work there, without the tools of the book.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
wheel=$(ls dist/rfbook-*.whl)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# it holds the package and its metadata, nothing else
.venv/bin/python - "$wheel" dist/rfbook-*.tar.gz <<'PYTHON'
import sys, tarfile, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
stray = [n for n in names if not n.startswith(("rfbook/", "rfbook-")) or n.endswith("_modidx.py")]
missing = [n for n in ("rfbook/__init__.py", "rfbook/py.typed", "rfbook/_data/results/bench.jsonl") if n not in names]
missing += [] if any(n.endswith("licenses/LICENSE") for n in names) else ["LICENSE"]
tops = {n.split("/")[1] for n in tarfile.open(sys.argv[2]).getnames() if "/" in n}
stray += tops - {"rfbook", "rfbook.egg-info", "settings.ini", "setup.py", "setup.cfg", "pyproject.toml", "README.md",
                 "LICENSE", "MANIFEST.in", "PKG-INFO", "data"}
if stray or missing:
    sys.exit(f"make wheel: stray {stray}, missing {missing}")
PYTHON

# the versions of the lock, without its hashes: the wheel itself has none
sed -n 's/ *\\$//; /^[a-z0-9]/p' requirements/lock.txt > "$tmp/constraints.txt"
.venv/bin/python -m venv --without-pip "$tmp/venv"
if [ "${UV:-}" != no ] && uv --version >/dev/null 2>&1; then
    uv pip install --quiet --python "$tmp/venv/bin/python" -c "$tmp/constraints.txt" "$root/$wheel"
else
    "$tmp/venv/bin/python" -m ensurepip >/dev/null
    "$tmp/venv/bin/python" -m pip install -q --disable-pip-version-check -c "$tmp/constraints.txt" "$root/$wheel"
fi

cd "$tmp"
unset PYTHONPATH PYTHONHOME RFBOOK_DATA
export PYTHONNOUSERSITE=1 XDG_CACHE_HOME="$tmp/cache"
venv/bin/python - "$tmp" <<'PYTHON'
import importlib.util as u, pathlib, sys
import rfbook
assert pathlib.Path(rfbook.__file__).is_relative_to(pathlib.Path(sys.argv[1]).resolve()), rfbook.__file__
for tool in ("sphinx", "nbdev", "jupyter_book", "matplotlib"):
    assert u.find_spec(tool) is None, f"{tool} came with the wheel"
for name in rfbook.__all__:
    if name != "figures":  # needs the extra rfbook[figures]
        getattr(rfbook, name)
import numpy as np
X, y = np.random.default_rng(0).normal(size=(50, 3)), np.arange(50.0)
assert rfbook.RandomFourierFeatures(n_components=64).fit_transform(X).shape == (50, 64)
assert np.isfinite(rfbook.RandomFeatureRegressor(random_state=0).fit(X, y).predict(X)).all()
PYTHON
venv/bin/rfbook --help >/dev/null
venv/bin/rfbook datasets >/dev/null
venv/bin/rfbook claims fourier >/dev/null
echo "$(basename "$wheel") holds only rfbook and works alone"
