"""Which mutants are made: a sample of all that could be, the same for the same seed, whatever else is edited."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .operators import Mutation, mutations, sound

PACKAGES = ("bounds", "kernels", "draws", "features", "learning", "solvers", "_jit")


@dataclass(frozen=True)
class Site:
    """A mutation and the module, a path below ``rfbook/``, that it is made in."""

    module: str
    mutation: Mutation

    @property
    def identity(self) -> str:
        """Name of the mutant, in which no line number stands."""
        return f"{self.module} {self.mutation.identity}"


def sites(root: Path, packages: tuple[str, ...] = PACKAGES) -> Iterator[Site]:
    """Everything that could be made wrong in some packages of the library below `root`."""
    for package in packages:
        for path in sorted((root / "rfbook" / package).rglob("*.py")):
            if path.name != "__init__.py":
                module = path.relative_to(root / "rfbook").as_posix()
                yield from (Site(module, m) for m in mutations(path.read_text(encoding="utf-8")))


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """`count` divided in proportion to sizes, by largest remainders."""
    exact = {name: count * size / (sum(sizes.values()) or 1) for name, size in sizes.items()}
    given = {name: int(x) for name, x in exact.items()}
    for name in sorted(exact, key=lambda name: (given[name] - exact[name], name))[: count - sum(given.values())]:
        given[name] += 1
    return given


def sample(root: Path, count: int, seed: int, packages: tuple[str, ...] = PACKAGES,
           kept: frozenset[str] = frozenset()) -> list[Site]:
    """A random sample of `count` sites, from each package as many as its share of all sites.

    A site's place in the lot is a digest of the seed and of its identity: an edit of the library changes the sample
    where it changes the sites, and nowhere else.  Sites whose identity is in `kept`, drawn before such an edit, stay in
    as long as they exist, and only what is missing is drawn.
    """
    lots: dict[str, list[Site]] = {package: [] for package in packages}
    for site in sites(root, packages):
        lots[site.module.partition("/")[0]].append(site)
    stay = {package: sum(site.identity in kept for site in lot) for package, lot in lots.items()}
    given = shares({package: len(lot) for package, lot in lots.items()}, count)
    more = shares({package: max(0, given[package] - stay[package]) for package in lots},
                  max(0, count - sum(stay.values())))

    def place(site):
        return site.identity not in kept, hashlib.sha256(f"{seed} {site.identity}".encode()).digest()

    chosen = []
    for package, lot in lots.items():
        lot.sort(key=place)
        good = (s for s in lot if sound((root / "rfbook" / s.module).read_bytes(), s.mutation))
        chosen += [site for site, _ in zip(good, range(stay[package] + more[package]), strict=False)]
    return chosen
