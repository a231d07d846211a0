"""All rules together."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rfdev import ROOT
from rfdev.cells import read_notebooks
from rfdev.lint.chapters import check_chapters
from rfdev.lint.figures import check_figures
from rfdev.lint.findings import Finding
from rfdev.lint.headings import check_headings, proper_names
from rfdev.lint.house import check_doors, check_floors, check_functions, read_modules
from rfdev.lint.hygiene import check_fences, check_hygiene, check_toc
from rfdev.lint.modules import check_modules
from rfdev.lint.pages import check_pages
from rfdev.lint.quizzes import check_quizzes
from rfdev.lint.statements import check_labels, check_statements


def lint(root: Path, claims: Iterable | None) -> list[Finding]:
    """Apply all rules to the tree at `root`, with the registered `claims`."""
    books, modules = read_notebooks(root), read_modules(root)
    findings = [
        *check_figures(books),
        *check_labels(books),
        *check_statements(books, claims),
        *check_chapters(books),
        *check_pages(books),
        *check_quizzes(books),
        *check_headings(books, proper_names(root)),
        *check_hygiene(root, books),
        *check_fences(books),
        *check_toc(root, books),
        *check_modules(books),
        *check_functions(books),
        *check_floors(root, modules),
        *check_doors(modules),
    ]
    return sorted(set(findings))


def main() -> int:
    """Lint the book of this repository."""
    sys.path.insert(0, str(ROOT))
    claims, broken = None, []
    try:
        from rfbook.lab.claims import registry

        claims = registry()
    except Exception as error:  # the lint must speak of everything else too
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        message = f"the claims cannot be read ({what}): make `rfbook claims` work"
        broken = [Finding("rfbook.lab.claims", 0, "claim", message)]
    findings = broken + lint(ROOT, claims)
    for finding in findings:
        print(finding)
    n = len(findings)
    print(f"the book lint found {n} thing{'s' * (n != 1)} to mend" if n else "the book lint is content")
    return bool(findings)
