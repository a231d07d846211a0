#!/bin/sh
# An environment with the wheel and its extra `notebooks` alone: sh tools/bare.sh DIRECTORY
# It is made anew where the lock has changed, and the wheel is built and installed again where the library has.
set -eu
cd "$(dirname "$0")/.."
venv=${1:-.venv-notebooks}
log=.cache/bare.log
mkdir -p .cache
: > "$log"
# installers say much: it is kept in the log, and shown if they fail
quietly() { "$@" >> "$log" 2>&1 || { tail -n 20 "$log" >&2; echo "$0: $1 failed; all that was said is in $log." >&2; exit 1; }; }
wheel=$(ls dist/rfbook-*.whl 2>/dev/null || true)
if [ -z "$wheel" ] || [ -n "$(find rfbook data setup.py settings.ini pyproject.toml -type f -newer "$wheel" \
        ! -path '*__pycache__*' | head -n 1)" ]; then
    quietly make --no-print-directory wheel
    wheel=$(ls dist/rfbook-*.whl)
fi
# the versions of the lock, without its hashes: the wheel itself has none
state=$(cat requirements/lock.txt setup.py settings.ini tools/bare.sh | cksum | tr -dc '0-9')
if [ "$(cat "$venv/.state" 2>/dev/null)" != "$state" ]; then
    rm -rf "$venv"
    .venv/bin/python -m venv --without-pip "$venv"
    sed -n 's/ *\\$//; /^[a-z0-9]/p' requirements/lock.txt > "$venv/constraints.txt"
fi
if [ "${UV:-}" != no ] && uv --version >/dev/null 2>&1; then
    install() { quietly uv pip install --python "$venv/bin/python" "$@"; }
else
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || quietly "$venv/bin/python" -m ensurepip
    install() { quietly "$venv/bin/python" -m pip install --disable-pip-version-check "$@"; }
fi
if [ ! -f "$venv/.state" ]; then
    install -c "$venv/constraints.txt" "$wheel[notebooks]"
elif [ "$wheel" -nt "$venv/.state" ]; then
    install --force-reinstall --no-deps "$wheel"
fi
echo "$state" > "$venv/.state"
