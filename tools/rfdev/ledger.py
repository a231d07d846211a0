"""Run the ledger once for the library as it is, on all cores; chapters, appendix and tests take its verdicts."""

from __future__ import annotations

import json
import os
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from unittest import mock

from rfbook.lab import claims

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# in a fresh clone these wait longest for the compiler, and others would wait for them at the end, or compile the same
FIRST = ("structured.transform_is_fast", "binning.line", "stretch.plain_steps")


def _names() -> list[str]:
    """Names of all claims; asked of another process, for this one must not import what it takes the state of."""
    return [claim.name for claim in claims.registry()]


def _judge(name: str) -> tuple:
    """What a verdict is made of; the claim itself cannot be sent.

    One that warns has none: wherever it was judged anew, in a notebook of somebody's own, it would warn there.
    """
    claim = next(c for c in claims.registry() if c.name == name)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        verdict = claims.judge(claim)
    return name, verdict.evidence, verdict.against, verdict.seconds, verdict.calls


def _last_seconds(folder: Path) -> dict[str, float]:
    """Seconds of each claim when it was last judged, whatever the library was then."""
    files = sorted(folder.glob("*.json"), key=lambda p: p.stat().st_mtime)
    try:
        return {name: record["seconds"] for name, record in json.loads(files[-1].read_text(encoding="utf-8")).items()}
    except (IndexError, OSError, ValueError):
        return {}


@contextmanager
def one_thread_each(workers: int):
    """Processes that have one thread of BLAS each: two that have two each, on two cores, wait for one another."""
    with mock.patch.dict(os.environ, _ONE_THREAD), ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield pool


def run_ledger(workers: int) -> None:
    """Judge the claims that have no verdict yet, then the bounds that they call and that have none.

    Nothing is said of a claim that fails and nothing is kept of it: the appendix, its chapter and its test judge it
    again, and say why.  So it is with bounds.
    """
    folder = os.environ.get(claims.VERDICTS)
    if not folder:
        return
    state, start, judged, pinned = claims.library_state(), time.perf_counter(), [], []
    with one_thread_each(workers) as pool:
        missing = set(pool.submit(_names).result()) - claims.kept().keys()
        seconds = _last_seconds(Path(folder))
        for name in sorted(missing, key=lambda name: (-seconds.get(name, 60.0 if name in FIRST else 1.0), name)):
            judged.append(pool.submit(_judge, name))
        made = [future.result() for future in as_completed(judged) if future.exception() is None]
        records, known = claims.kept(), {claim.name: claim for claim in claims.registry()}
        verdicts = [claims.Verdict(known[name], *rest) for name, *rest in made]
        before = [verdict for claim in known.values() if (verdict := claims.recall(claim, records))]
        for name, asked in claims.callers([*before, *verdicts]).items():
            if name not in records:
                pinned.append(pool.submit(claims.pin, name, *asked))
        verdicts += [future.result() for future in pinned if future.exception() is None]
    if verdicts:
        claims.keep(verdicts, state)
        good = claims.kept().keys()
        print(f"{len(missing)} claims and {len(pinned)} bounds judged in {time.perf_counter() - start:.0f} s, "
              f"{len(good & known.keys())} claims upheld, {len(good - known.keys())} bounds pinned", flush=True)
