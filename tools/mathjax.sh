#!/bin/sh
# Put MathJax beside the book (_vendor/mathjax), so that the site reads without a network.
# Without npm, or without a package index, the book still builds and takes MathJax from the network.
set -eu
cd "$(dirname "$0")/.."
here=requirements/mathjax
to=_vendor/mathjax
mark=.cache/mathjax.stamp
stamp="$(cksum < $here/package-lock.json)"
if [ -f $to/tex-mml-chtml.js ] && [ "$(cat $mark 2>/dev/null)" = "$stamp" ]; then exit 0; fi
without() {
    rm -rf _vendor
    echo "$1: the book will take MathJax from the network, and its formulas need one."
    exit 0
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
why=$(sh tools/npm.sh mathjax "$tmp") || without "$why"
rm -rf _vendor
mkdir -p $to .cache
from="$tmp/node_modules/mathjax"
cp "$from/LICENSE" "$from/es5/tex-mml-chtml.js" $to
for part in a11y input output sre ui; do cp -R "$from/es5/$part" $to; done
printf '%s\n' "$stamp" > $mark
