"""Which mutants are made: a sample of all that could be, the same for the same seed, whatever else is edited."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .operators import FLOW, Mutation, mutations, sound

ROOT_MODULES = "."  # as if they were a package
PACKAGES = ("bounds", "kernels", "draws", "maps", "features", "machines", "learning", "solvers", "_jit", "adaptive",
            "lab/baselines", "datasets", "lab/experiments", "lab", ROOT_MODULES)
_SPARED = {"__init__.py", "__main__.py", "cli.py"}  # that hand on what others compute


@dataclass(frozen=True)
class Site:
    """A mutation and the module, a path below ``rfbook/``, that it is made in."""

    module: str
    mutation: Mutation

    @property
    def identity(self) -> str:
        """Name of the mutant, in which no line number stands."""
        return f"{self.module} {self.mutation.identity}"


def package_of(module: str) -> str:
    """The package of a module, a path below ``rfbook/``."""
    return Path(module).parent.as_posix()


@functools.cache
def _mutations(source: str) -> tuple[Mutation, ...]:
    """Those of a source, which are found once for all samples of a process."""
    return tuple(mutations(source))


def sites(root: Path, packages: tuple[str, ...] = PACKAGES) -> Iterator[Site]:
    """Everything that could be made wrong in some packages of the library below `root`."""
    for package in packages:
        folder = root / "rfbook" / package
        for path in sorted(folder.glob("*.py")):
            if path.name not in _SPARED:
                module = path.relative_to(root / "rfbook").as_posix()
                yield from (Site(module, m) for m in _mutations(path.read_text(encoding="utf-8")))


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """`count` divided in proportion to sizes, by largest remainders."""
    exact = {name: count * size / (sum(sizes.values()) or 1) for name, size in sizes.items()}
    given = {name: int(x) for name, x in exact.items()}
    for name in sorted(exact, key=lambda name: (given[name] - exact[name], name))[: count - sum(given.values())]:
        given[name] += 1
    return given


def sample(root: Path, count: int, seed: int, packages: tuple[str, ...] = PACKAGES,
           kept: frozenset[str] = frozenset(), flow: int = 0) -> list[Site]:
    """A random sample of `count` sites and `flow` of the flow of data, from each package its share of each.

    A site's place in the lot is a digest of the seed and of its identity: an edit of the library changes the sample
    where it changes the sites, and nowhere else.  Sites whose identity is in `kept`, drawn before such an edit, stay in
    as long as they exist, and only what is missing is drawn.
    """
    found = list(sites(root, packages))
    others, flowing = ([s for s in found if (s.mutation.operator in FLOW) == flows] for flows in (False, True))
    return (_drawn(root, others, count, seed, packages, kept, by_operator=False)
            + _drawn(root, flowing, flow, seed, packages, kept, by_operator=True))


def _drawn(root, found, count, seed, packages, kept, by_operator):
    """A sample of sites, from each package as many as its share of all; of each operator as many as of the others."""
    lots: dict[str, list[Site]] = {package: [] for package in packages}
    for site in found:
        lots[package_of(site.module)].append(site)
    stay = {package: sum(site.identity in kept for site in lot) for package, lot in lots.items()}
    given = shares({package: len(lot) for package, lot in lots.items()}, count)
    more = shares({package: max(0, given[package] - stay[package]) for package in lots},
                  max(0, count - sum(stay.values())))

    def place(site):
        return site.identity not in kept, hashlib.sha256(f"{seed} {site.identity}".encode()).digest()

    chosen = []
    for package, lot in lots.items():
        lot.sort(key=place)
        if by_operator:
            seen: Counter = Counter()
            turns = {}
            for site in lot:
                turns[site.identity] = seen[site.mutation.operator]
                seen[site.mutation.operator] += 1
            lot.sort(key=lambda site: (place(site)[0], turns[site.identity], place(site)[1]))
        good = (s for s in lot if sound((root / "rfbook" / s.module).read_bytes(), s.mutation))
        chosen += itertools.islice(good, stay[package] + more[package])
    return chosen
