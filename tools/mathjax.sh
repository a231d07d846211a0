#!/bin/sh
# Put MathJax beside the book (_vendor/mathjax), so that the site reads without a network.
# Without npm, or without a package index, the book still builds and takes MathJax from the network.
# Of MathJax come the parts that `loader` in _config.yml names, and fonts and commands that they may ask for.
set -eu
cd "$(dirname "$0")/.."
here=requirements/mathjax
to=_vendor/mathjax
mark=.cache/mathjax.stamp
stamp="$(cat $here/package-lock.json tools/mathjax.sh | cksum)"
if [ -f $to/startup.js ] && [ "$(cat $mark 2>/dev/null)" = "$stamp" ]; then exit 0; fi
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
cp "$from/LICENSE" "$from/es5/startup.js" "$from/es5/core.js" $to
for part in input/tex.js input/tex/extensions output/chtml.js output/chtml/fonts a11y/assistive-mml.js; do
    mkdir -p "$to/$(dirname $part)"
    cp -R "$from/es5/$part" "$to/$(dirname $part)"
done
printf '%s\n' "$stamp" > $mark
