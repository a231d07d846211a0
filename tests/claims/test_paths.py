"""The covering design, what stops early, and the formulas against what else the library says of the same features."""

import itertools
import math

import numpy as np
import pytest
from scipy import sparse

from rfbook.claims import _paths, adapted, machines, paths
from rfbook.features import RandomFourierFeatures
from rfbook.features.arc_cosine import arc_cosine_features
from rfbook.features.binning import RandomBinningFeatures
from rfbook.features.fourier import fourier_features
from rfbook.kernels import Laplacian


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2, 2), (7, 1, 3, 3), (13, 4, 3, 2, 3, 2, 2), (2,) * 9])
def test_any_two_levels_meet_in_few_cells(sizes):
    factors = {f"f{i}": range(size) for i, size in enumerate(sizes)}
    cells = _paths.covering(**factors)
    met = {(i, cell[i], j, cell[j]) for cell in cells for i, j in itertools.combinations(factors, 2)}
    assert len(met) == sum(a * b for a, b in itertools.combinations(sizes, 2))
    longest = sorted(sizes)[-2:]
    assert math.prod(longest) <= len(cells) <= math.prod(longest) + 8
    assert cells == _paths.covering(**factors)


def test_sizes_at_an_edge_are_apart():
    cells = _paths.covered((1, 2), 0, a="xy", b="uvw")
    inner, edge = ([cell for cell in cells if (cell["size"] == 0) is at] for at in (False, True))
    for part in (inner, edge):
        assert {(cell["a"], cell["b"]) for cell in part} == set(itertools.product("xy", "uvw"))


def test_every_design_has_a_cell_for_each_type_and_layout():
    for module in (paths, machines, adapted):
        for cells in (value for value in vars(module).values() if isinstance(value, list) and value):
            if isinstance(cells[0], dict) and "layout" in cells[0]:
                both = {(cell["loop"][1] if "loop" in cell else cell["dtype"], cell["layout"]) for cell in cells}
                assert both == set(itertools.product(_paths.TYPES, _paths.LAYOUTS))


def test_the_worst_is_found_and_nothing_is_done_after_it():
    seen = []

    def check(a):
        seen.append(a)
        return a

    assert _paths.worst([{"a": 0.5}, {"a": 0.2}], check, 1e-9) == (0.5, 1.0, 1e-9) and len(seen) == 2
    assert not _paths.worst([{"a": math.nan}, {"a": 0.0}], check).holds and len(seen) == 3
    assert _paths.worst([{"a": 3.0}, {"a": 9.0}], check).statistic == 3.0 and len(seen) == 4


def test_rows_keep_their_values_in_every_layout():
    X = _paths.thin(np.random.default_rng(0), 9, 4)
    assert 0 < (X == 0).sum() < 27 and (X[:, 0] != 0).all()
    for dtype, layout in itertools.product(_paths.TYPES, _paths.LAYOUTS):
        rows = _paths.stored(X, dtype, layout)
        assert rows.dtype == dtype and sparse.issparse(rows) is (layout == "csr")
        assert np.array_equal(_paths.exact(rows), X.astype(dtype).astype(float))
    assert not _paths.stored(X, float, "strided").flags.contiguous


def test_formulas_are_those_of_the_references():
    X = _paths.thin(np.random.default_rng(0), 9, 3)
    for phase in ("paired", "offset"):
        rff = RandomFourierFeatures(length_scale=1.0, n_components=8, phase=phase, random_state=0).fit(X)
        b = rff.random_offset_ if phase == "offset" else None
        want = fourier_features(X, rff.random_weights_, b)
        for m in (None, len(rff.waves_)):
            Z, error = _paths.formula(rff.draws_, X, float, m)
            assert np.abs(Z - want).max() < 1e-14 and (error > 0).all() and error.max() < 1e-12
    made = paths.ArcCosineFeatures(2, n_components=8, random_state=0).fit(X)
    Z, _ = _paths.formula(made.draws_, X, float)
    assert np.abs(Z - arc_cosine_features(X, made.random_weights_, 2)).max() < 1e-13
    with pytest.raises(NotImplementedError, match="int has no formula"):
        _paths.formula(3, X, float)


def test_the_share_of_boxes():
    X = _paths.thin(np.random.default_rng(0), 9, 3)
    grids = RandomBinningFeatures(Laplacian(3.0), n_grids=20, random_state=0).fit(X)
    K = grids.approximate_kernel(X)
    assert 0.1 < K[0, 1:].max() < 1 and np.abs(_paths.kernel_of(grids, X, X, float) - K).max() < 1e-15


def test_what_cannot_be_compared_is_infinitely_far():
    Z = np.zeros((2, 3))
    assert _paths.off(None, Z, 1.0) == math.inf == _paths.off(Z[:, :2], Z, 1.0)
    assert _paths.off(Z + 0.5, Z, 0.25) == 2.0
    rff = RandomFourierFeatures(length_scale=1.0, n_components=8, random_state=0).fit(Z)
    for layout in ("rows", "strided"):
        assert _paths.features_of(rff, Z, layout, 8).shape == (2, 8) and _paths.features_of(rff, Z, layout, 7) is None
