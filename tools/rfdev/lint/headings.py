"""Headings in sentence case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rfdev.cells import Notebook
from rfdev.lint.findings import Finding, found
from rfdev.lint.markdown import headings_of

# words of a heading that keep their capital; surnames come from references.bib, API names from code spans
PROPER = set("""
    Adult Archimedes Bernstein Bessel Bochner Carlo Cauchy Chebyshev Cholesky Euler Fourier Fubini Gauss
    Gaussian Gaussians Gram Hadamard Hankel Hausdorff Hermite Hilbert Hoeffding I Jacobi Jensen Khinchin
    Krylov Lanczos Laplace Laplacian Lebesgue Lipschitz Lévy Markov Matern Matérn Maclaurin McDiarmid Mercer
    Metropolis Monte Nyström Parseval Plancherel Poisson Polya Pólya Python Riemann Schoenberg Schwarz Sobol
    Sobolev Student Taylor Tikhonov Toeplitz Vandermonde Weierstrass Wiener Woodbury Numba Jupyter Linux Gradescope
    Algorithm
""".split())
LOWER = {"rfbook", "scikit-learn", "numba"}  # names that begin a heading with a small letter


def proper_names(root: Path) -> set[str]:
    """Words that keep their capital in a heading."""
    bib = root / "references.bib"
    text = bib.read_text(encoding="utf-8") if bib.exists() else ""
    authors = " ".join(re.findall(r"^\s*(?:author|editor)\s*=\s*\{(.*?)\}\s*,?\s*$", text, flags=re.M | re.S))
    authors = re.sub(r"\\[^\w{]|[{}]", "", authors)
    return PROPER | set(re.findall(r"[A-Z][\w-]+", authors))


def _case(text: str, names: set[str]) -> Iterator[str]:
    """Sentences about the capitals of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    plain = re.sub(r"`[^`]*`|\$[^$]*\$|\{[\w:]+\}", " 0 ", plain)
    tokens = re.findall(r"[^\W_][\w'’.-]*|[:?!.;—–]", plain)
    if tokens and tokens[0][:1].islower() and tokens[0] not in LOWER:
        yield f"the heading {text!r} starts with a small letter: write it in sentence case"
    start = True
    for token in tokens:
        if token in set(":?!.;—–"):
            start = True
            continue
        word = re.sub(r"['’]s?$|[.]$", "", token)
        known = word in names or all(w in names or not w[:1].isupper() for w in re.split("[-–]", word))
        if not start and word[:1].isupper() and word[1:].islower() and not known:
            yield (f"the heading {text!r} has a capital in {word!r}: write it in sentence case, or add the name to "
                   "PROPER in tools/rfdev/lint/headings.py")
        start = token.endswith(".")


def check_headings(books: Iterable[Notebook], names: set[str]) -> Iterator[Finding]:
    """Headings are in sentence case: a capital at the start and in proper names, nowhere else."""
    for nb in books:
        for cell, _, text in headings_of(nb):
            for message in _case(text, names):
                yield found(nb, cell, "heading", message)
