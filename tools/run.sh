#!/bin/sh
# Run a command inside the project's environment: sh tools/run.sh COMMAND [ARGUMENT...]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# Numba's cache does not see a change in a callee of another module: key it by the content of all that it compiles,
# which is rfbook/_jit, whose modules take nothing from the rest of the library (tests/tools/test_run.py holds that).
# Nothing else is keyed, so downloaded data stay, and an edit of a chapter leaves the machine code where it is.
key=$(cd "$root" && find rfbook/_jit -type f -name '*.py' -exec cksum {} + | LC_ALL=C sort | cksum | tr -dc '0-9')
numba="$root/.cache/numba"
if [ ! -d "$numba/$key" ]; then
    mkdir -p "$numba/$key"
    # keep the eight newest caches; directory names are digits, so that word splitting is safe
    (cd "$numba" && ls -1t | sed 1,8d | while read -r old; do rm -rf "./$old"; done)
fi

PATH="$root/.venv/bin:$PATH"
VIRTUAL_ENV="$root/.venv"
NUMBA_CACHE_DIR="$numba/$key"
# no cache for cells of notebooks: there it sees neither another cell nor a global
NUMBA_CACHE_LOCATOR_CLASSES=UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator
# the ledger is run once for one state of the library; `rfbook claims` runs it always
RFBOOK_VERDICTS="$root/.cache/claims"
MPLCONFIGDIR="$root/.cache/mpl"
IPYTHONDIR="$root/.cache/ipython"
# where Python is told to keep no bytecode, and uv has made none, each of a hundred processes would compile all packages
if [ -n "${PYTHONDONTWRITEBYTECODE:-}" ]; then
    unset PYTHONDONTWRITEBYTECODE
    export PYTHONPYCACHEPREFIX="$root/.cache/pycache"
fi
PYTHONNOUSERSITE=1
JUPYTER_PREFER_ENV_PATH=1
PYDEVD_DISABLE_FILE_VALIDATION=1
export PATH VIRTUAL_ENV NUMBA_CACHE_DIR NUMBA_CACHE_LOCATOR_CLASSES RFBOOK_VERDICTS MPLCONFIGDIR IPYTHONDIR \
       PYTHONNOUSERSITE JUPYTER_PREFER_ENV_PATH PYDEVD_DISABLE_FILE_VALIDATION
# these would change what the kernels import and draw
unset PYTHONHOME PYTHONPATH MPLBACKEND 2>/dev/null || true
profile="$IPYTHONDIR/profile_default"
mkdir -p "$MPLCONFIGDIR" "$profile"
# one line of advice about transport encryption per notebook is noise
[ -f "$profile/ipython_kernel_config.py" ] ||
    echo 'get_config().IPKernelApp.log_level = "ERROR"' > "$profile/ipython_kernel_config.py"
exec "$@"
