#!/bin/sh
# Make or update the virtual environment from the hashed lock: sh tools/setup.sh DIRECTORY
# PY: the Python to use (default: the first that fits).  UV=no: use pip although uv is there.
set -eu
venv=${1:-.venv}

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}
version() {
    "$1" -c 'import platform; print(platform.python_version())' 2>/dev/null || echo 'not there'
}

if [ -n "${PY:-}" ]; then
    fits "$PY" || { echo "make setup: PY=$PY is $(version "$PY"); Python 3.11 to 3.14 is needed." >&2; exit 1; }
    python=$PY
else
    python=
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if fits "$candidate"; then python=$candidate; break; fi
    done
    [ -n "$python" ] || { echo "make setup: python3 is Python $(version python3); Python 3.11 to 3.14 is needed: install one, or name it with make PY=/path/to/python." >&2; exit 1; }
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
log=.cache/setup.log
mkdir -p .cache
# Installers go on about their own configuration, hundreds of lines of it: all is kept in the log, and a failure shows
# what is about the project.
logged() {
    "$@" >>"$log" 2>&1 && return
    grep -v -e '^WARNING: ' -e '^DEPRECATION: ' -e '^Looking in ' -e '^\[notice\]' -e '^$' "$log" | tail -n 20 >&2
    echo "make setup: the packages could not be installed; all that was said is in $log." >&2
    exit 1
}

echo "Setting up $venv with Python $(version "$python") and $([ $uv = yes ] && echo uv || echo 'pip, which takes about two minutes') (log: $log)"
: >"$log"
if [ $uv = yes ]; then
    [ -e "$venv" ] || logged uv venv --no-project --python "$python" "$venv"
    logged uv pip install --python "$venv/bin/python" --require-hashes -r requirements/lock.txt
    logged uv pip install --python "$venv/bin/python" --no-deps --no-build-isolation -e .
else
    [ -e "$venv" ] || "$python" -m venv "$venv" >>"$log" 2>&1 || {
        rm -rf "$venv"
        echo "make setup: $python cannot make virtual environments; on Debian and Ubuntu install python3-venv." >&2
        exit 1
    }
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || logged "$venv/bin/python" -m ensurepip --upgrade
    pip() { logged "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off "$@"; }
    pip --require-hashes -r requirements/lock.txt
    pip --no-deps --no-build-isolation -e .
fi
