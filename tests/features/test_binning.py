"""Random binning as a library: the partition, layouts and types, words, sparse rows, threads, errors."""

import math
import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.fixes import CSR_CONTAINERS
from threadpoolctl import threadpool_limits

import rfbook._parallel
from rfbook import RandomBinningFeatures, RandomFeatureRegressor, bounds, kernels
from rfbook._jit import binning as loops
from rfbook._jit.binning import WORD, plan_words
from rfbook.features.binning import binning_codes

FLOATS = (np.float64, np.float32)


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((1100, 4))  # more than one block


def boxes(rb, X):
    """Number of the box of each row in each grid by NumPy: sorting of codes, then renumbering by first appearance."""
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    out = []
    for codes in binning_codes(X, rb.random_pitches_, rb.random_shifts_):
        _, first, inverse = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        out.append(np.argsort(np.argsort(first))[inverse.ravel()])
    return np.array(out)


def same_partition(rb, X, Z):
    """Check that Z holds 1 / sqrt(P) at the boxes of the rows of X, which are those of `fit`."""
    numbers, P = boxes(rb, X), rb.n_grids
    assert np.array_equal(numbers.max(1) + 1, rb.n_bins_)
    offsets = np.concatenate([[0], np.cumsum(rb.n_bins_)[:-1]])
    assert Z.shape == (X.shape[0], rb.n_components_) and Z.nnz == X.shape[0] * P
    assert np.array_equal(Z.indices.reshape(-1, P).T, numbers + offsets[:, None])
    assert (Z.data == Z.dtype.type(1 / math.sqrt(P))).all()


# ---- scikit-learn --------------------------------------------------------------------------------------------------


def test_scikit_learns_checks_pass_without_exception():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # checks that do not apply are skipped with a warning
        results = check_estimator(RandomBinningFeatures(length_scale=1.0, n_grids=8), on_fail=None)
    assert len(results) > 30
    assert [r["check_name"] for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


def test_clone_pickle_and_pipeline(X):
    rb = RandomBinningFeatures(kernels.InversePower(2.0), n_grids=20, random_state=3)
    copy = clone(rb)
    assert copy.kernel.power == 2.0 and not hasattr(copy, "n_components_")
    Z = rb.fit_transform(X)
    again = pickle.loads(pickle.dumps(rb))
    assert (again.transform(X) != Z).nnz == 0 and (copy.fit_transform(X) != Z).nnz == 0
    assert make_pipeline(StandardScaler(), rb).fit_transform(X).nnz == 20 * 1100


def test_a_machine_on_grids(X):
    y = np.sign(X[:, 0])
    machine = RandomFeatureRegressor(RandomBinningFeatures(n_grids=32, length_scale=3.0), alpha=1.0, random_state=0)
    assert machine.fit(X[:800], y[:800]).score(X[800:], y[800:]) > 0.5


def test_feature_names(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=3, random_state=0).fit(X)
    names = rb.get_feature_names_out()
    assert len(names) == rb.n_components_ and names[0] == "randombinningfeatures0"
    assert names[-1] == f"randombinningfeatures{rb.n_components_ - 1}"
    assert not any("name" in attribute for attribute in vars(rb) if attribute != "feature_names_in_")  # made when asked


def test_set_output(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=3, random_state=0).fit(X)
    assert sparse.issparse(rb.set_output(transform="default").transform(X))
    pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="sparse"):
        rb.set_output(transform="pandas").transform(X)
    frame = rb.set_params(sparse_output=False).transform(X)
    assert frame.columns[0] == "randombinningfeatures0" and frame.shape == (1100, rb.n_components_)
    assert frame.equals(rb.fit_transform(X)) and (frame.to_numpy() > 0).sum(1).tolist() == [3] * 1100


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_dense_output_has_the_same_numbers(X, make, dtype):
    X, few = make(X.astype(dtype)), RandomBinningFeatures(length_scale=1.0, n_grids=6, random_state=0)
    dense = clone(few).set_params(sparse_output=False)
    Z = few.fit_transform(X[:300])
    for found in (dense.fit_transform(X[:300]), dense.transform(X[:300])):
        assert type(found) is np.ndarray and found.dtype == dtype and np.array_equal(found, Z.toarray())
    assert np.array_equal(dense.transform(X), few.transform(X).toarray())  # some boxes are new
    out = np.empty((300, dense.n_components_), dtype)
    assert dense.transform(X[:300], out=out) is out and np.array_equal(out, Z.toarray())
    assert np.array_equal(dense.approximate_kernel(X[:9], X[9:20]), few.approximate_kernel(X[:9], X[9:20]))


def test_dense_output_is_asked_for_by_a_truth_value(X):
    with pytest.raises(ValueError, match="sparse_output is 'no'; it may be True or False"):
        RandomBinningFeatures(length_scale=1.0, n_grids=2, sparse_output="no").fit(X)


# ---- the partition -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kernel", ["laplacian", kernels.StretchedExponential(0.5), kernels.InversePower(1.0)])
def test_the_partition_is_that_of_the_reference(X, kernel, dtype):
    X = X.astype(dtype)
    rb = RandomBinningFeatures(kernel, n_grids=25, random_state=1)
    Z = rb.fit_transform(X)
    assert Z.dtype == dtype
    same_partition(rb, X, Z)
    assert (rb.transform(X) != Z).nnz == 0
    numbers = boxes(rb, X)
    share = np.mean(numbers[:, :50, None] == numbers[:, None, :50], axis=0)
    K = rb.approximate_kernel(X[:50])
    assert K.dtype == dtype and np.array_equal(K, share.astype(dtype)) and (np.diag(K) == 1).all()
    assert np.abs((Z[:50] @ Z[:50].T).toarray() - share).max() < 50 * np.finfo(dtype).eps


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("d", [1, 10, 100])
def test_one_word_and_several(d, make):
    dense = np.random.default_rng(d).standard_normal((1500, d)) * (np.random.default_rng(1).random((1500, d)) < 0.3)
    data = make(dense)
    rb = RandomBinningFeatures(n_grids=12, length_scale=0.1 * d, random_state=0)
    Z = rb.fit_transform(data)
    same_partition(rb, dense, Z)
    assert (rb.transform(data) != Z).nnz == 0 and (rb.transform(dense) != Z).nnz == 0
    words = rb._tables.n_words.max()
    assert (words > 1) == (d == 100)


def test_boxes_of_one_hash_are_told_apart_by_their_words():
    """Boxes (a, b) of two words whose hashes agree: that of b is hidden by what a becomes."""
    first = np.array([1.0, 2.0]).view(np.uint64) * loops._MIX
    turned = first ^ (first >> np.uint64(32))
    second = np.full(2, 3.0).view(np.uint64)
    second[1] ^= turned[0] ^ turned[1]
    H, ids, tags = np.stack([[1.0, 2.0], second.view(float)])[None], np.empty(2, np.int32), np.empty(2, np.uint64)
    loops._tags(H[0].view(np.uint64), 2, tags)
    assert tags[0] == tags[1] and np.isfinite(H).all()
    assert loops.number(H, loops.empty_table(2), 0, ids)[1] == 2 and ids.tolist() == [0, 1]
    table, _ = loops.number(H[..., :1].copy(), loops.empty_table(2), 0, ids[:1])
    loops.look(H, np.zeros((1, 2)), table, ids)
    assert ids.tolist() == [0, -1]


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_codes_beyond_the_integers_of_a_double(make):
    dense = np.random.default_rng(0).standard_normal((300, 3))
    dense[:, 1] *= 1e17  # an outlying column: its codes exceed 2^53
    dense[100:200, 1] = dense[:100, 1]
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=30, random_state=0)
    same_partition(rb, dense, rb.fit_transform(make(dense)))
    codes = binning_codes(dense, rb.random_pitches_, rb.random_shifts_)
    assert (np.ptp(codes[..., 1], axis=1) > WORD).all()


@pytest.mark.filterwarnings("ignore:X holds")
@pytest.mark.parametrize("pair", [(2.0**53 - 1, 2.0**53), (2.0**53 + 2, 2.0**53 + 4)])  # c + 1 - 1 is one for both
def test_sparse_and_dense_codes_beyond_2_to_53_agree(pair):
    dense = np.array([[v, 1.0] for v in (*pair, -(2.0**54), 0.0)])
    S, rb = sparse.csr_matrix(dense), RandomBinningFeatures(Draws(1.0), n_grids=6, random_state=0)
    Z = rb.fit_transform(dense)
    assert (rb.transform(S) != Z).nnz == 0
    assert (clone(rb).fit_transform(S) != Z).nnz == 0 and (clone(rb).fit(S).transform(dense) != Z).nnz == 0


def test_words_name_codes_without_ambiguity():
    rng = np.random.default_rng(0)
    for _ in range(30):
        d = int(rng.integers(1, 12))
        codes = np.floor(rng.standard_normal((200, d)) * 10 ** rng.uniform(0, 12, d))
        low, _, _, stride, word = (part[0] for part in plan_words(codes.min(0)[None], codes.max(0)[None]))
        words = np.zeros((200, word.max() + 1))
        for j in range(d):
            words[:, word[j]] += stride[j] * (codes[:, j] - low[j])
        assert words.max() < WORD
        assert len(np.unique(words, axis=0)) == len(np.unique(codes, axis=0))


def test_layouts_of_x_make_no_difference(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=20, random_state=0).fit(X)
    want = rb.transform(X)
    wide = np.zeros((2200, 8))
    wide[::2, ::2] = X
    readonly = X.copy()
    readonly.flags.writeable = False
    views = {"Fortran": np.asfortranarray(X), "strided": wide[::2, ::2], "reversed": X[::-1][::-1], "list": X.tolist(),
             "read-only": readonly}
    for name, view in views.items():
        assert (rb.transform(view) != want).nnz == 0, name
        assert (clone(rb).fit_transform(view) != want).nnz == 0, name


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("container", CSR_CONTAINERS)
def test_csr_input(X, container, dtype):
    dense = np.where(np.abs(X) > 1, X, 0).astype(dtype)
    dense[600] = 0
    S = container(dense)
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=21, random_state=0)
    Z = rb.fit_transform(S)
    same_partition(rb, dense, Z)
    assert Z.dtype == dtype and (rb.transform(dense) != Z).nnz == 0
    for i in range(S.shape[0]):  # the same matrix with the indices of each row in reverse
        row = slice(S.indptr[i], S.indptr[i + 1])
        S.indices[row], S.data[row] = S.indices[row][::-1].copy(), S.data[row][::-1].copy()
    S.has_sorted_indices = False
    assert (rb.transform(S) != Z).nnz == 0 and np.array_equal(S.toarray(), dense)
    assert (rb.transform(sparse.csc_matrix(dense)) != Z).nnz == 0
    assert np.array_equal(rb.approximate_kernel(S[:3], S[3:7]), rb.approximate_kernel(dense[:3], dense[3:7]))


def test_csr_with_duplicates_and_explicit_zeros():
    twice = sparse.csr_matrix((np.array([0.5, 1.5, 0.0, -3.0]), np.array([1, 1, 0, 2]), np.array([0, 3, 4])), (2, 3))
    plain = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, -3.0]])
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=40, random_state=0).fit(plain)
    assert (rb.transform(twice) != rb.transform(plain)).nnz == 0 and twice.nnz == 4


@pytest.mark.filterwarnings("ignore:X holds")
def test_duplicates_are_summed_once():
    """A sum's rounding depends on its order: the range of codes and the codes must come from one sum."""
    kernel = Draws(1e-3)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = rng.standard_normal(60) * 10.0 ** rng.integers(0, 13, 60)
        S = sparse.csr_matrix((values, rng.integers(0, 3, 60), [0, 60]), (1, 3))
        once = S.copy()
        once.sum_duplicates()
        rb = RandomBinningFeatures(kernel, n_grids=20, random_state=0).fit(S)
        assert rb.transform(S).nnz == rb.transform(once).nnz == 20
        assert (rb.approximate_kernel(S, once) == 1).all() and S.nnz == 60


def test_small_and_degenerate_data():
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=6, random_state=0)
    assert rb.fit_transform(np.array([[0.3, -2.0]])).shape == (1, 6)
    assert rb.fit_transform(np.zeros((5, 2))).shape == (5, 6)  # constant columns, duplicates
    assert rb.fit_transform(sparse.csr_matrix((5, 2))).shape == (5, 6)
    table = np.repeat(np.random.default_rng(0).standard_normal((7, 3)), 400, axis=0)
    Z = rb.fit_transform(table)
    same_partition(rb, table, Z)
    assert (rb.n_bins_ <= 7).all() and (rb.approximate_kernel(table[:400]) == 1).all()


def test_a_boundary_belongs_to_the_box_on_its_right(monkeypatch):
    monkeypatch.setattr("rfbook.features.binning_map._draw_shifts", lambda rng, n, d: np.full((n, d), 0.5))
    monkeypatch.setattr(kernels.Laplacian, "_sample_pitches", lambda self, n, d, rng: np.full((n, d), 2.0))
    table = np.array([[-3.0], [-1.0], [0.9999], [1.0], [2.999], [3.0]])  # cuts at ..., -1, 1, 3, ...
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=1)
    assert rb.fit_transform(table).indices.tolist() == [0, 1, 1, 2, 2, 3]


def test_one_wide_row_needs_no_block_of_a_thousand():
    row = np.random.default_rng(0).standard_normal((1, 20_000))
    rb = RandomBinningFeatures(n_grids=3, length_scale=2e4, random_state=0).fit(row)
    tracemalloc.start()
    try:
        assert rb.transform(row).nnz == 3
        assert tracemalloc.get_traced_memory()[1] < 100 * row.nbytes
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n", [1, 2, 7, 1023, 1024, 1025])
def test_blocks_of_all_sizes(n):
    table = np.random.default_rng(n).standard_normal((n, 3))
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=9, random_state=0)
    Z = rb.fit_transform(table)
    same_partition(rb, table, Z)
    assert (rb.transform(table) != Z).nnz == 0 and rb.transform(table + 1e6).nnz == 0


# ---- rows that were not in fit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_boxes_that_fit_has_not_seen_give_zeros(X, make):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=50, random_state=0).fit(make(X[:300]))
    Z, new = rb.transform(make(X[:300])), rb.transform(make(X[300:]))
    want = rb.approximate_kernel(X[300:], X[:300])
    assert np.abs((new @ Z.T).toarray() - want).max() < 1e-13
    assert new.has_sorted_indices and new.nnz < 800 * 50
    assert rb.transform(make(np.array([[1e6, -1e6, 1e6, 0.0], [1e300, 0, 0, 0]]))).nnz == 0
    numbers = boxes(rb, X)  # the rows of fit come first, so that boxes which only others have get larger numbers
    assert np.array_equal((numbers[:, 300:] < rb.n_bins_[:, None]).sum(0), np.diff(new.indptr))
    full = rb.approximate_kernel(X[300:400])
    assert np.array_equal(full, np.mean(numbers[:, 300:400, None] == numbers[:, None, 300:400], axis=0))


@pytest.mark.filterwarnings("error")
def test_transform_of_numbers_beyond_the_dtype_of_fit():
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=5, random_state=0).fit(np.ones((3, 2), np.float32))
    assert rb.transform(np.array([[1e300, 1.0], [-1e300, 1e300]])).nnz == 0
    assert rb.transform(np.ones((1, 2))).dtype == np.float64 and rb.transform(np.ones((1, 2))).nnz == 5


def test_chunks_equal_the_whole(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=20, random_state=0).fit(X[:500])
    whole = rb.transform(X)
    for size in (1, 7, 1024):
        parts = [rb.transform(X[i : i + size]) for i in range(0, 200 if size == 1 else len(X), size)]
        stacked = sparse.vstack(parts, "csr")
        assert (stacked != whole[: stacked.shape[0]]).nnz == 0


@pytest.mark.parametrize("dtype", FLOATS)
def test_out(X, dtype):
    X = X.astype(dtype)
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=10, random_state=0).fit(X[:100])
    want = rb.transform(X).toarray()
    out = np.full(want.shape, 5, dtype)
    assert rb.transform(X, out=out) is out and np.array_equal(out, want)
    table = np.full((2200, want.shape[1] + 6), 5, dtype)
    view = table[::2, 4:-2]
    assert rb.transform(X, out=view) is view and np.array_equal(view, want) and (table[1::2] == 5).all()
    for bad in (np.empty((1100, 3), dtype), np.empty(want.shape, np.float16), want.tolist()):
        with pytest.raises(ValueError, match="out "):
            rb.transform(X, out=bad)


# ---- randomness and threads ----------------------------------------------------------------------------------------


def test_draws_are_nested_and_differ_between_seeds(X):
    few, many, other = (RandomBinningFeatures(length_scale=1.0, n_grids=P, random_state=s).fit(X)
                        for P, s in ((5, 4), (40, 4), (5, 5)))
    for name in ("random_pitches_", "random_shifts_", "n_bins_"):
        assert np.array_equal(getattr(few, name), getattr(many, name)[:5]), name
    assert not (few.random_pitches_ == other.random_pitches_).any()
    assert (few.random_shifts_ >= 0).all() and (few.random_shifts_ < 1).all()
    first = many.transform(X)[:, : few.n_components_]
    assert np.array_equal(first.indices, few.transform(X).indices)


def test_a_generator_moves_on_and_a_seed_does_not(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=4, random_state=np.random.default_rng(0))
    assert not np.array_equal(rb.fit(X).random_pitches_, rb.fit(X).random_pitches_)
    rb.set_params(random_state=0)
    assert np.array_equal(rb.fit(X).random_pitches_, rb.fit(X).random_pitches_)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_bits_do_not_depend_on_the_number_of_threads(X, make, monkeypatch):
    data = make(np.vstack([X, X + 0.5]))
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=30, random_state=0)
    with threadpool_limits(1):
        want = rb.fit_transform(data)
        K = rb.approximate_kernel(data[:40])
    for threads in (1, 2, 3, 8):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        Z = rb.fit_transform(data)
        assert np.array_equal(Z.indices, want.indices) and np.array_equal(Z.data, want.data), threads
        assert (rb.transform(data) != want).nnz == 0 and np.array_equal(rb.approximate_kernel(data[:40]), K)


@pytest.mark.parametrize("kernel", ["laplacian", kernels.StretchedExponential(0.6), kernels.InversePower(1.5),
                                    kernels.Laplacian([0.5, 1.0, 2.0, 4.0])])
def test_the_estimate_is_near_the_kernel(X, kernel):
    """Six exact standard deviations and a term for the tails of rare collisions."""
    rb = RandomBinningFeatures(kernel, n_grids=10_000, random_state=0).fit(X[:20])
    K = rb.kernel_(X[:20])
    error = np.abs(rb.approximate_kernel(X[:20]) - K)
    assert (error <= 6 * np.sqrt(bounds.binning_variance(K, 10_000)) + 1e-3).all()


# ---- errors --------------------------------------------------------------------------------------------------------


class Draws:
    """A user's kernel that draws what it is told to."""

    def __init__(self, value):
        self.value = value

    def sample_pitches(self, n, d, rng):
        return np.broadcast_to(self.value, (n, d)) if np.ndim(self.value) == 0 else self.value


def test_a_users_kernel_needs_only_pitches(X):
    assert RandomBinningFeatures(Draws(1.5), n_grids=3, random_state=0).fit(X).n_bins_.shape == (3,)


@pytest.mark.parametrize(("parameters", "sentence"), [
    ({"kernel": "gaussian"}, "has no pitch law in dimension 4"), ({"kernel": "cauchy"}, "no pitch law"),
    ({"kernel": "exponential"}, "no product"), ({"kernel": "rfb"}, "kernel is 'rfb'; it may be"),
    ({"kernel": kernels.Gaussian()}, "no pitch law"), ({"kernel": kernels.Laplacian}, "kernel is <class"),
    ({"kernel": 3}, "kernel is 3; it may be"), ({"n_grids": 0}, "n_grids is 0"), ({"n_grids": 2.5}, "n_grids is 2.5"),
    ({"n_grids": True}, "n_grids is True"), ({"n_grids": None}, "n_grids is None"),
    ({"length_scale": 0.0}, "length_scale is 0.0"), ({"length_scale": "mean"}, "length_scale is 'mean'"),
    ({"length_scale": [1.0, 2.0]}, r"length_scale has shape \(2,\)"),
    ({"length_scale": np.nan}, "length_scale is nan"),
    ({"kernel": kernels.Laplacian(), "length_scale": 2.0}, "length_scale goes with a kernel's name"),
    ({"random_state": -1}, "random_state is -1"),
    ({"kernel": Draws(0.0)}, "drew pitches"), ({"kernel": Draws(-1.0)}, "must be positive"),
    ({"kernel": Draws(np.inf)}, "finite"), ({"kernel": Draws(np.nan)}, "finite"),
    ({"kernel": Draws(np.ones((3, 3)))}, r"of shape \(3, 3\)"), ({"kernel": Draws([1.0, 2.0])}, r"shape \(2,\)"),
    ({"kernel": Draws("wide")}, "drew pitches"), ({"kernel": Draws(1j)}, "drew pitches"),
    ({"kernel": Draws(None)}, "drew pitches"),
])
@pytest.mark.filterwarnings("error")
def test_wrong_parameters(X, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        RandomBinningFeatures(**{"n_grids": 4, **parameters}).fit(X)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_x_that_is_too_large(make):
    rb = RandomBinningFeatures(n_grids=4, length_scale=1e-10, random_state=0)
    with pytest.raises(ValueError, match="codes overflow float64; scale X"):
        rb.fit(make(np.array([[1e300], [1.0]])))
    with pytest.raises(ValueError, match="codes overflow float32"):
        rb.fit(make(np.array([[1e30], [1.0]], np.float32)))
    with pytest.warns(UserWarning, match="narrower than the rounding of float32"):
        rb.set_params(length_scale=1.0).fit(make(np.array([[1e12], [1.0]], np.float32)))


@pytest.mark.parametrize("wrong", [{"n_grids": 0}, {"kernel": "gaussian"}, {"kernel": Draws(0.0)},
                                   {"length_scale": 1e-300}])
def test_a_fit_that_fails_leaves_no_map(X, wrong):
    rb = RandomBinningFeatures(n_grids=4, random_state=0).fit(X)
    for broken in (rb.set_params(**wrong), RandomBinningFeatures(**wrong)):
        wide = np.full((3, 9), 1e100)  # not the width of the first fit
        with pytest.raises(ValueError, match=r"n_grids|pitch|overflow"):
            broken.fit(wide)
        for call in (broken.transform, broken.approximate_kernel, broken.get_feature_names_out):
            with pytest.raises(NotFittedError):
                call(wide)


def test_wrong_data(X):
    rb = RandomBinningFeatures(length_scale=1.0, n_grids=4, random_state=0)
    with pytest.raises(NotFittedError):
        rb.transform(X)
    with pytest.raises(NotFittedError):
        rb.approximate_kernel(X)
    rb.fit(X)
    for bad, sentence in ((X[:, :3], "3 features"), (X[0], "1D array"), (X[:0], "0 sample")):
        with pytest.raises(ValueError, match=sentence):
            rb.transform(bad)
    for value in (np.nan, np.inf):
        bad = X.copy()
        bad[5, 1] = value
        for call in (clone(rb).fit, rb.transform, rb.approximate_kernel, lambda B: rb.approximate_kernel(X, B)):
            with pytest.raises(ValueError, match="NaN|infinity"):
                call(bad)


@pytest.mark.filterwarnings("error")
def test_huge_spans_are_planned_in_silence():
    word = plan_words(np.zeros((1, 4)), np.array([[2.0**30, 2.0**30, 1e300, 7.0]]))[-1]
    assert word.tolist() == [[0, 1, 2, 3]]
