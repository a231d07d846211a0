#!/bin/sh
# Run a command inside the project's environment: sh tools/run.sh COMMAND [ARGUMENT...]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

# Numba's cache sees neither a change in a callee of another module nor, in notebook cells, in a global:
# key it by the content of everything that it compiles.  Nothing else is keyed, so downloaded data stay.
key=$(cd "$root" && find rfbook nbs -type f \( -name '*.py' -o -name '*.ipynb' \) ! -path '*/.ipynb_checkpoints/*' \
      -exec cksum {} + | LC_ALL=C sort | cksum | tr -dc '0-9')
numba="$root/.cache/numba"
if [ ! -d "$numba/$key" ]; then
    mkdir -p "$numba/$key"
    # keep the eight newest caches; directory names are digits, so that word splitting is safe
    (cd "$numba" && ls -1t | sed 1,8d | while read -r old; do rm -rf "./$old"; done)
fi

PATH="$root/.venv/bin:$PATH"
VIRTUAL_ENV="$root/.venv"
NUMBA_CACHE_DIR="$numba/$key"
MPLCONFIGDIR="$root/.cache/mpl"
IPYTHONDIR="$root/.cache/ipython"
PYTHONNOUSERSITE=1
JUPYTER_PREFER_ENV_PATH=1
PYDEVD_DISABLE_FILE_VALIDATION=1
export PATH VIRTUAL_ENV NUMBA_CACHE_DIR MPLCONFIGDIR IPYTHONDIR PYTHONNOUSERSITE \
       JUPYTER_PREFER_ENV_PATH PYDEVD_DISABLE_FILE_VALIDATION
# these would change what the kernels import and draw
unset PYTHONHOME PYTHONPATH MPLBACKEND 2>/dev/null || true
profile="$IPYTHONDIR/profile_default"
mkdir -p "$MPLCONFIGDIR" "$profile"
# one line of advice about transport encryption per notebook is noise
[ -f "$profile/ipython_kernel_config.py" ] ||
    echo 'get_config().IPKernelApp.log_level = "ERROR"' > "$profile/ipython_kernel_config.py"
exec "$@"
