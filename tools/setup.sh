#!/bin/sh
# Make or update the virtual environment from the hashed lock: sh tools/setup.sh DIRECTORY
# PY: the Python to use (default: the first that fits).  UV=no: use pip although uv is there.
set -eu
venv=${1:-.venv}

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}
version() {
    "$1" -c 'import platform; print(platform.python_version())' 2>/dev/null || echo 'not there'
}

if [ -n "${PY:-}" ]; then
    fits "$PY" || { echo "make setup: PY=$PY is $(version "$PY"); Python 3.11, 3.12 or 3.13 is needed." >&2; exit 1; }
    python=$PY
else
    python=
    for candidate in python3 python3.13 python3.12 python3.11 python; do
        if fits "$candidate"; then python=$candidate; break; fi
    done
    [ -n "$python" ] || { echo "make setup: python3 is Python $(version python3); Python 3.11, 3.12 or 3.13 is needed: install one, or name it with make PY=/path/to/python." >&2; exit 1; }
fi

if [ "${UV:-}" != no ] && uv --version >/dev/null 2>&1; then uv=yes; else uv=no; fi
# an environment of another Python than was asked for, or of one that no longer fits or is gone, is made anew
if [ -e "$venv" ]; then
    if ! fits "$venv/bin/python" || { [ -n "${PY:-}" ] && [ "$(version "$PY")" != "$(version "$venv/bin/python")" ]; }; then
        rm -rf "$venv"
    else
        python=$venv/bin/python
    fi
fi
echo "Setting up $venv with Python $(version "$python") and $([ $uv = yes ] && echo uv || echo 'pip (about two minutes)')"
if [ $uv = yes ]; then
    [ -e "$venv" ] || uv venv --quiet --no-project --python "$python" "$venv"
    uv pip install --quiet --python "$venv/bin/python" --require-hashes -r requirements/lock.txt
    uv pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation -e .
else
    [ -e "$venv" ] || "$python" -m venv "$venv" || {
        rm -rf "$venv"
        echo "make setup: $python cannot make virtual environments; on Debian and Ubuntu install python3-venv." >&2
        exit 1
    }
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip --upgrade >/dev/null
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r requirements/lock.txt
    "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
fi
