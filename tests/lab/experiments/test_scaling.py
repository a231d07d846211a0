"""Scaling: a cluster is given all the rows."""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from rfbook.lab.experiments import scaling


def test_blocks_of_a_cluster_are_all_rows(monkeypatch):
    dask = pytest.importorskip("dask", reason="dask is not installed: pip install rfbook[dask]")
    distributed = pytest.importorskip("dask.distributed", reason="pip install rfbook[dask]")
    given = []
    fake = SimpleNamespace(set_params=lambda **parameters: fake, fit=given.append, _stream=SimpleNamespace(folds=[]))
    monkeypatch.setattr(distributed, "LocalCluster", lambda **options: nullcontext())
    monkeypatch.setattr(distributed, "Client", nullcontext)
    monkeypatch.setattr(scaling, "machine", lambda settings, width: fake)
    monkeypatch.setattr(scaling, "_timed", lambda settings, fit: {"seconds": fit()})
    found = scaling.on_a_cluster(scaling.QUICK, 1)
    blocks = dask.compute(*given[0], scheduler="sync")
    assert sum(len(X) for X, _ in blocks) == found["rows"] == 4 * scaling.QUICK.rows
    assert [len(X) for X, _ in blocks[:-1]] == [scaling.QUICK.block] * (len(blocks) - 1)
    for number in (0, len(blocks) - 1):
        start = number * scaling.QUICK.block
        want = scaling.block_of(scaling.QUICK, start, start + len(blocks[number][0]))
        assert all(np.array_equal(a, b) for a, b in zip(blocks[number], want, strict=True))
