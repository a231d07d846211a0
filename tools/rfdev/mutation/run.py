"""The sample judged, mutant by mutant, into ``data/results/mutants.jsonl``: python tools/mutants.py [--only survivors].

A row is written as soon as its mutant is judged, and a run that was stopped goes on where it stopped.  Mutants that are
no errors at all, since the library computes the same with them, are listed with the reason in ``equivalents.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from rfbook.records import read_records, run_tasks, write_records
from rfdev import ROOT

from .copies import Copy
from .jury import LESS, Jury
from .sample import Site, sample

RESULTS = Path("data") / "results" / "mutants.jsonl"
EQUIVALENTS = Path(__file__).with_name("equivalents.json")
_CACHE = Path(".cache") / "mutants"


@dataclass(frozen=True)
class Settings:
    """What the sample depends on."""

    count: int = 154
    seed: int = 0
    flow: int = 60  # of the flow of data


def equivalents() -> dict[str, str]:
    """Why a mutant computes the same as the library, by its identity."""
    return json.loads(EQUIVALENTS.read_text(encoding="utf-8"))


_KEPT = {"tests": ("ledger", "statements"), "ledger": ("tests",)}  # of a row, when one jury is asked anew


def row(site: Site, jury: Jury, known: dict) -> dict:
    """What both juries say of a mutant; what is known of it already is not asked again."""
    m, found = site.mutation, dict(known)
    if "tests" not in known:
        found["tests"] = jury.by_tests(site)
    if "ledger" not in known:
        found["statements"] = [] if m.guard else jury.spoken(site)
        brief = found["tests"] and not found["statements"]
        found["ledger"] = jury.by_ledger(site, LESS) if brief else jury.by_ledger(site)
    if "tests" not in known and survives(found):
        found["tests"] = jury.by_others(site)
    return {"module": site.module, "function": m.function, "line": m.line, "operator": m.operator, "before": m.before,
            "after": m.after, "guard": m.guard, "statements": found["statements"], "tests": found["tests"],
            "ledger": found["ledger"], "equivalent": ""}


def survives(row: dict) -> bool:
    """Whether neither jury has noticed."""
    return not (row["tests"] or row["ledger"])


def witnessed(row: dict, root: Path) -> bool:
    """Whether the claim that has noticed a mutant may still be there: its chapter's module is."""
    chapter, named, _ = row["ledger"].partition(".")
    return not named or (root / "rfbook" / "lab" / "claims" / f"{chapter}.py").exists()


def rewrite(path: Path, sites: dict[str, Site], keep=lambda row: True) -> None:
    """Keep some rows of the results, with the places and the reasons as they are now."""
    header, rows = read_records(path)
    reasons, kept = equivalents(), []
    for r in map(dict, rows):
        if r["id"] in sites and keep(r):
            m = sites[r["id"]].mutation
            r |= {"line": m.line, "guard": m.guard, "statements": [] if m.guard else r["statements"]}
            kept.append({**r, "equivalent": reasons.get(r["id"], "") if survives(r) else ""})
    if kept != rows:
        write_records(path, header, kept)


def _drawn(path: Path, settings: Settings) -> frozenset[str]:
    """Mutants that have been drawn before, by their names."""
    if not path.exists():
        return frozenset()
    header, rows = read_records(path)
    return frozenset(r["id"] for r in rows) if header["settings"] == asdict(settings) else frozenset()


@contextmanager
def _judged(pending: list[Site], known: dict[str, dict], root: Path, jobs: int) -> Iterator[dict]:
    """Functions that wait for the row of each mutant, by its name; meanwhile as many juries as are allowed judge."""
    idle: queue.SimpleQueue = queue.SimpleQueue()

    def judge(site):
        jury = idle.get()
        try:
            return row(site, jury, known.get(site.identity, {}))
        finally:
            idle.put(jury)

    with ExitStack() as ends:
        jobs = max(1, min(jobs, len(pending)))
        pool = ThreadPoolExecutor(jobs)
        ends.callback(pool.shutdown)
        for number in range(jobs if pending else 0):
            folder = root / _CACHE / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            idle.put(ends.enter_context(closing(Jury(Copy(root, folder), root / _CACHE))))
        ends.callback(pool.shutdown, wait=False, cancel_futures=True)
        yield {site.identity: pool.submit(judge, site).result for site in pending}


def report(rows: list[dict]) -> str:
    """The score in words."""
    real = [r for r in rows if not r["equivalent"]]
    spoken = [r for r in real if r["statements"]]
    either = sum(not survives(r) for r in real)
    tests, ledger = sum(bool(r["tests"]) for r in real), sum(bool(r["ledger"]) for r in spoken)
    return (f"{len(rows)} mutants, {len(rows) - len(real)} equivalent; of {len(real)} tests kill {tests}, "
            f"tests and ledger {either}; of {len(spoken)} that a theorem speaks of the ledger alone kills {ledger}")


def main(argv: list[str] | None = None, root: Path = ROOT) -> int:
    """The command line, for the repository at `root`."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=Settings.count, help="mutants (default: %(default)s)")
    parser.add_argument("--flow", type=int, default=Settings.flow,
                        help="mutants of the flow of data (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=Settings.seed, help="of the sample (default: %(default)s)")
    parser.add_argument("--only", metavar="WHAT", default="",
                        help="judge anew: survivors, unspoken (the ledger missed them), or a part of an identity")
    parser.add_argument("--by", choices=sorted(_KEPT), help="with --only: the jury that is asked anew (default: both)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="judged at a time (default: %(default)s)")
    parser.add_argument("--fresh", action="store_true", help="judge all anew")
    parser.add_argument("--list", action="store_true", help="print the sample and judge nothing")
    parser.add_argument("--results", type=Path, default=root / RESULTS, help="file of the rows (default: %(default)s)")
    options = parser.parse_args(argv)
    settings = Settings(options.count, options.seed, options.flow)
    drawn = sample(root, settings.count, settings.seed, kept=_drawn(options.results, settings), flow=settings.flow)
    chosen = {site.identity: site for site in drawn}
    if options.list:
        print("\n".join(chosen))
        return 0
    known = {}
    if options.results.exists():
        if options.fresh:
            options.results.unlink()
        else:
            known = {r["id"]: {k: r[k] for k in _KEPT.get(options.by, ())} for r in read_records(options.results)[1]}
            rewrite(options.results, chosen, lambda r: witnessed(r, root) and not _again(r, options.only))
    done = {r["id"] for r in read_records(options.results)[1]} if options.results.exists() else set()
    chosen = dict(sorted(chosen.items(), key=lambda item: item[0] not in known))  # what is drawn anew takes longest
    pending = [site for name, site in chosen.items() if name not in done]
    with _judged(pending, known, root, options.jobs) as verdicts:
        tasks = [({"id": name}, verdicts.get(name)) for name in chosen]
        run_tasks("mutants", settings, tasks, options.results)
    rewrite(options.results, chosen)
    rows = read_records(options.results)[1]
    for r in rows:
        if survives(r) and not r["equivalent"]:
            print(f"survives: {r['id']} (line {r['line']})")
    print(report(rows))
    return int(any(survives(r) and not r["equivalent"] for r in rows))


def _again(row, what):
    """Whether a row is to be made anew."""
    if what == "survivors":
        return survives(row) and row["id"] not in equivalents()
    if what == "unspoken":
        return bool(row["statements"]) and not row["ledger"] and row["id"] not in equivalents()
    return bool(what) and what in row["id"]
