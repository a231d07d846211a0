#!/bin/sh
# Put Marp in .cache/marp for `make slides`; print its path, or say in one sentence why it is not there.
set -eu
cd "$(dirname "$0")/.."
here=requirements/slides
to=.cache/marp
main=$to/node_modules/@marp-team/marp-cli/marp-cli.js
stamp="$(cksum < $here/package-lock.json)"
if [ -f $main ] && [ "$(cat $to/stamp 2>/dev/null)" = "$stamp" ]; then echo $main; exit 0; fi
without() {
    echo "make slides: $1, so that the slides stay Markdown and no HTML is made." >&2
    exit 3
}
command -v node >/dev/null 2>&1 || without 'node is not installed'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
why=$(sh tools/npm.sh slides "$tmp") || without "$why"
rm -rf $to
mkdir -p $to
cp -R "$tmp/node_modules" $to
printf '%s\n' "$stamp" > $to/stamp
echo $main
