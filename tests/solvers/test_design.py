"""Designs: all kinds are their matrix, and the problem in the space of the rows is the one by columns."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import FunctionTransformer

from rfbook.solvers import design as design_module
from rfbook.solvers.design import (
    DenseDesign,
    Design,
    FilledDesign,
    GridDesign,
    RowSpace,
    SparseDesign,
    TransformedDesign,
    feature_matrix,
)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def one_hot(ids, counts):
    """The matrix of grids, written out."""
    return np.hstack([np.eye(c)[i] for i, c in zip(ids, counts, strict=True)]) / np.sqrt(len(ids))


def designs(rng):
    """Every kind of design, and its matrix."""
    counts = np.array([3, 40, 1, 17])
    ids = np.array([rng.integers(0, c, 90) for c in counts], dtype=np.int32)
    grids, Z, X = one_hot(ids, counts), rng.standard_normal((90, 6)), rng.standard_normal((90, 2))
    thin = Z * (rng.random(Z.shape) < 0.3)
    square = FunctionTransformer(lambda X: np.hstack([X, X**2]))
    return [(DenseDesign(Z), Z), (FilledDesign(lambda: DenseDesign(Z).fill, Z.shape, float), Z),
            (TransformedDesign(square, X), square.transform(X)), (SparseDesign(sparse.csr_array(thin)), thin),
            (GridDesign(ids, counts), grids)]


def test_designs_are_their_matrix(rng):
    for design, Z in designs(rng):
        assert design.shape == Z.shape and design.dtype == np.float64
        out = np.empty((20, Z.shape[1]))
        design.filler()(slice(30, 50), out)
        np.testing.assert_allclose(out, Z[30:50])
        if design.products:
            for k in (1, 3):
                V = rng.standard_normal((90, k))
                np.testing.assert_allclose(design.gram(V), Z @ (Z.T @ V), atol=1e-12)
                np.testing.assert_allclose(design.project(V), Z.T @ V, atol=1e-12)
            np.testing.assert_allclose(design.whole(), Z @ Z.T, atol=1e-12)


def test_threads_do_not_change_a_bit(rng):
    ids = rng.integers(0, 30, (30, 400)).astype(np.int32)
    design, V = GridDesign(ids, np.full(30, 30)), rng.standard_normal((400, 2))
    assert (design.gram(V, 1) == design.gram(V, 4)).all() and (design.project(V, 1) == design.project(V, 4)).all()


def test_products_use_the_threads_that_are_asked_for(rng, monkeypatch):
    asked, run = [], design_module.run_blocks

    def noted(*arguments, n_jobs=None, **more):
        asked.append(n_jobs)
        return run(*arguments, n_jobs=n_jobs, **more)

    monkeypatch.setattr(design_module, "run_blocks", noted)
    for design, _ in designs(rng):
        if design.products:
            asked.clear()
            design.gram(np.ones((90, 1)), 3), design.project(np.ones((90, 1)), 3), design.whole(3)
            assert set(asked) <= {3} and (asked or not isinstance(design, GridDesign))


def test_rows_are_centred_and_weighted(rng):
    w, Y = rng.uniform(0.5, 2.0, 90), rng.standard_normal((90, 2)) + 5
    root = np.sqrt(w)[:, None]
    for design, Z in designs(rng):
        if design.products:
            rows, A = RowSpace(design, Y, w), root * (Z - w @ Z / w.sum())
            np.testing.assert_allclose(rows.matrix(), A @ A.T, atol=1e-12)
            np.testing.assert_allclose(rows.gram(Y), A @ A.T @ Y, atol=1e-11)
            np.testing.assert_allclose(rows.right, root * (Y - w @ Y / w.sum()), atol=1e-12)
            beta, shift = rows.coefficients(Y)
            np.testing.assert_allclose(beta, A.T @ Y, atol=1e-11)
            np.testing.assert_allclose(shift, w @ Z / w.sum() @ beta, atol=1e-10)


def test_a_single_precision_transformer_stays_single():
    X = np.ones((5, 2), np.float32)
    assert TransformedDesign(FunctionTransformer(), X).dtype == np.float32
    assert TransformedDesign(FunctionTransformer(lambda X: X > 0), X).dtype == np.float64


def test_what_is_no_matrix_of_features_is_refused():
    for Z in (np.ones(5), np.ones((4, 2)), np.ones((5, 3)), np.full((5, 2), "a"), np.ones((5, 0))):
        with pytest.raises(ValueError, match="features gave"):
            feature_matrix(Z, 5, 2)
    with pytest.raises(NotImplementedError, match="Design has neither fill nor filler"):
        Design().filler()(slice(0, 1), np.empty((1, 1)))
