#!/bin/sh
# Install the locked npm packages of requirements/NAME in a folder: sh tools/npm.sh NAME FOLDER; says why where it cannot.
set -eu
command -v npm >/dev/null 2>&1 || { echo 'npm is not installed'; exit 1; }
cp "requirements/$1/package.json" "requirements/$1/package-lock.json" "$2"
(cd "$2" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) >"$2/log" 2>&1 ||
    { echo "npm could not fetch $1"; exit 1; }
