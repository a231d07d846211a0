#!/bin/sh
# Put axe-core in .cache/axe for `make a11y`; print its path, or say in one sentence why it is not there.
set -eu
cd "$(dirname "$0")/.."
here=requirements/axe
to=.cache/axe
stamp="$(cksum < $here/package-lock.json)"
if [ -f $to/axe.min.js ] && [ "$(cat $to/stamp 2>/dev/null)" = "$stamp" ]; then echo $to/axe.min.js; exit 0; fi
without() {
    echo "make a11y: $1, so that axe-core is not there and accessibility is not checked." >&2
    exit 3
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
why=$(sh tools/npm.sh axe "$tmp") || without "$why"
mkdir -p $to
cp "$tmp/node_modules/axe-core/axe.min.js" "$tmp/node_modules/axe-core/LICENSE" $to
printf '%s\n' "$stamp" > $to/stamp
echo $to/axe.min.js
