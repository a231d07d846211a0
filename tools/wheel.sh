#!/bin/sh
# Build sdist and wheel in dist/: by the environment of the book where there is one, else by uv, else by `build` in an
# environment that is thrown away.  PY names the Python of the last.
set -eu
cd "$(dirname "$0")/.."
rm -rf build dist
if [ -f .venv/.stamp ]; then
    sh tools/run.sh python -m build --no-isolation
elif [ "${UV:-}" != no ] && uv --version >/dev/null 2>&1; then
    uv build
else
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    "${PY:-python3}" -m venv "$tmp"
    "$tmp/bin/python" -m pip install -q --disable-pip-version-check build
    "$tmp/bin/python" -m build
fi
rm -rf build
