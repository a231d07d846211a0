"""Random Fourier features as a library: scikit-learn's rules, layouts and types, threads, memory, errors."""

import os
import pickle
import re
import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.kernel_approximation import RBFSampler as SklearnRBFSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tests import test_kernel_approximation as theirs
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.fixes import CSR_CONTAINERS

import rfbook._parallel
from rfbook import RandomFeatureRegressor, RandomFourierFeatures, kernels
from rfbook.bounds import fourier_variance
from rfbook.features.fourier import fourier_features
from rfbook.maps.base import BLOCK

PHASES = ("paired", "offset")
FLOATS = (np.float64, np.float32)
TOLERANCE = {np.float64: 1e-13, np.float32: 1e-5}


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((1100, 7))  # more than two blocks


def reference(rff, X):
    """What NumPy makes of the same frequencies and phases."""
    offset = getattr(rff, "random_offset_", None)
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return fourier_features(X.astype(float), rff.random_weights_.astype(float), offset)


# ---- scikit-learn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_scikit_learns_checks_pass_without_exception(phase):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # checks that do not apply are skipped with a warning
        results = check_estimator(RandomFourierFeatures(length_scale=1.0, n_components=16, phase=phase))
    assert len(results) > 30
    assert [r["check_name"] for r in results if r["status"] not in {"passed", "skipped"}] == []
    assert sum(r["status"] == "skipped" for r in results) <= 2


class RBFSampler(RandomFourierFeatures):
    """The offset map with the name, the parameters and the private attribute of scikit-learn's."""

    def __init__(self, *, gamma=1.0, n_components=100, random_state=None):
        super().__init__(gamma=gamma, n_components=n_components, phase="offset", random_state=random_state)

    @property
    def _gamma(self):
        return 1 / (2 * self.kernel_.length_scale**2)


class TheirDraw(RBFSampler):
    """The same, with the frequencies and phases that scikit-learn draws from the same seed.

    ``test_rbf_sampler`` asks that a mean error stays below half of its own standard deviation; scikit-learn's draw for
    its seed 42 does, but of the seeds 0 to 59 forty fail it there and 37 here.  So that test judges our arithmetic
    on their draw; our draws are judged by exact variances, here and in the ledger.
    """

    def fit(self, X, y=None):
        super().fit(X)
        peer = SklearnRBFSampler(**self.get_params()).fit(X)
        self.random_weights_, self.random_offset_ = peer.random_weights_, peer.random_offset_
        return self


THEIRS = [
    ("test_rbf_sampler", {}),
    *(("test_rbf_sampler_fitted_attributes_dtype", {"global_dtype": dtype}) for dtype in FLOATS),
    ("test_rbf_sampler_dtype_equivalence", {}),
    ("test_rbf_sampler_gamma_scale", {}),
    *(("test_input_validation", {"csr_container": container}) for container in CSR_CONTAINERS),
    ("test_get_feature_names_out", {"Estimator": RBFSampler}),
]


@pytest.mark.parametrize(("name", "arguments"), THEIRS)
def test_scikit_learns_own_tests_of_rbf_sampler(name, arguments, monkeypatch):
    monkeypatch.setattr(theirs, "RBFSampler", TheirDraw if name == "test_rbf_sampler" else RBFSampler)
    getattr(theirs, name)(**arguments)


def test_none_of_scikit_learns_tests_is_left_out():
    speak_of_it = {name for name in vars(theirs) if name.startswith("test_rbf_sampler")}
    assert speak_of_it == {name for name, _ in THEIRS if "rbf" in name}


def test_the_same_draws_give_the_features_of_rbf_sampler(X):
    peer = SklearnRBFSampler(gamma=0.3, n_components=50, random_state=0).fit(X)
    ours = RBFSampler(gamma=0.3, n_components=50, random_state=0).fit(X)
    ours.random_weights_, ours.random_offset_ = peer.random_weights_, peer.random_offset_
    assert np.abs(ours.transform(X) - peer.transform(X)).max() < 1e-13


def test_clone_pickle_and_pipeline(X):
    rff = RandomFourierFeatures("matern32", n_components=20, length_scale=2.0, random_state=3)
    copy = clone(rff)
    assert copy.get_params() == rff.get_params() and not hasattr(copy, "n_components_")
    Z = rff.fit_transform(X)
    assert np.array_equal(pickle.loads(pickle.dumps(rff)).transform(X), Z)
    assert np.array_equal(copy.fit_transform(X), Z)
    assert make_pipeline(StandardScaler(), rff).fit_transform(X).shape == (1100, 20)
    with_object = RandomFourierFeatures(kernels.Gaussian(2.0))
    assert clone(with_object).kernel.length_scale == 2.0


def test_feature_names_and_set_output(X):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=3, random_state=0).fit(X)
    names = [f"randomfourierfeatures{i}" for i in range(4)]
    assert list(rff.get_feature_names_out()) == names
    try:
        import pandas  # noqa: F401
    except ImportError:
        assert isinstance(rff.set_output(transform="default").transform(X), np.ndarray)
    else:
        assert list(rff.set_output(transform="pandas").transform(X).columns) == names
        assert rff.approximate_kernel(X[:5]).shape == (5, 5)


# ---- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("width", [1, 2, 33, 64])
def test_features_are_those_of_the_reference(X, width, phase, dtype):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=width, phase=phase, random_state=1).fit(X.astype(dtype))
    Z = rff.transform(X.astype(dtype))
    expected = width + width % 2 if phase == "paired" else width
    assert Z.dtype == dtype and Z.shape == (1100, expected) == (1100, rff.n_components_)
    assert rff.n_components == width
    assert rff.random_weights_.shape == (7, expected // 2 if phase == "paired" else width)
    assert hasattr(rff, "random_offset_") == (phase == "offset")
    assert np.abs(Z - reference(rff, X.astype(dtype))).max() < TOLERANCE[dtype]
    if phase == "paired":
        assert np.abs((Z**2).sum(1) - 1).max() < TOLERANCE[dtype]


def test_a_float64_fit_serves_float32_data(X):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=32, random_state=1).fit(X)
    Z = rff.transform(X.astype(np.float32))
    assert Z.dtype == np.float32 and np.abs(Z - rff.transform(X)).max() < 1e-5
    integers = rff.transform(np.arange(14).reshape(2, 7))
    assert integers.dtype == np.float64


@pytest.mark.parametrize("phase", PHASES)
def test_layouts_of_x_make_no_difference(X, phase):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=20, phase=phase, random_state=0).fit(X)
    want = rff.transform(X)
    wide = np.zeros((2200, 14))
    wide[::2, ::2] = X
    views = {"Fortran": np.asfortranarray(X), "strided": wide[::2, ::2], "reversed": X[::-1][::-1], "list": X.tolist()}
    for name, view in views.items():
        assert np.abs(rff.transform(view) - want).max() < 1e-14, name
    readonly = X.copy()
    readonly.flags.writeable = False
    assert np.array_equal(rff.transform(readonly), want)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("container", CSR_CONTAINERS)
def test_csr_input(X, container, phase, dtype):
    dense = np.where(np.abs(X) > 1, X, 0).astype(dtype)
    dense[600] = 0
    S = container(dense)
    rff = RandomFourierFeatures(length_scale=1.0, n_components=21, phase=phase, random_state=0).fit(S)
    Z = rff.transform(S)
    assert Z.dtype == dtype and np.abs(Z - reference(rff, S)).max() < TOLERANCE[dtype]
    for i in range(S.shape[0]):  # the same matrix with the indices of each row in reverse
        row = slice(S.indptr[i], S.indptr[i + 1])
        S.indices[row], S.data[row] = S.indices[row][::-1].copy(), S.data[row][::-1].copy()
    S.has_sorted_indices = False
    assert np.abs(rff.transform(S) - Z).max() < TOLERANCE[dtype]
    assert not S.has_sorted_indices and np.array_equal(S.toarray(), dense)
    assert np.abs(rff.transform(sparse.csc_matrix(dense)) - Z).max() < TOLERANCE[dtype]
    assert rff.approximate_kernel(S[:3], S[3:7]).shape == (3, 4)


@pytest.mark.parametrize("phase", PHASES)
def test_out(X, phase):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=20, phase=phase, random_state=0).fit(X)
    want = rff.transform(X)
    out = np.empty_like(want)
    assert rff.transform(X, out=out) is out and np.array_equal(out, want)
    table = np.full((2200, 30), 5.0)
    view = table[::2, 4:24]
    assert rff.transform(X, out=view) is view and np.array_equal(view, want)
    assert (table[1::2] == 5).all() and (table[:, :4] == 5).all() and (table[:, 24:] == 5).all()


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        (np.empty((1100, 21)), r"out has shape \(1100, 21\)"),
        (np.empty((1099, 20)), r"it may have shape \(1100, 20\)"),
        (np.empty((1100, 20), np.float32), "dtype float32; it may have .* dtype float64"),
        (np.empty((20, 1100)).T, "strided along rows"),
        (np.broadcast_to(np.empty(20), (1100, 20)), "out is read-only"),
        ([[0.0] * 20] * 1100, "out is a list"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(X, out, sentence):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=20, random_state=0).fit(X)
    with pytest.raises(ValueError, match=sentence):
        rff.transform(X, out=out)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_bits_do_not_depend_on_the_number_of_threads(X, phase, make, monkeypatch):
    data = make(np.vstack([X, X]))
    rff = RandomFourierFeatures(length_scale=1.0, n_components=40, phase=phase, random_state=0).fit(data)
    want = rff.transform(data)
    for threads in (1, 2, 3, 8):
        monkeypatch.setattr(rfbook._parallel, "count_threads", lambda n_jobs, default, threads=threads: threads)
        assert all(np.array_equal(rff.transform(data), want) for _ in range(3)), threads


@pytest.mark.parametrize("kernel", list(kernels.NAMES))
def test_draws_are_nested_and_differ_between_seeds(X, kernel):
    def draw(width, phase, seed):
        return RandomFourierFeatures(kernel, n_components=width, phase=phase, random_state=seed).fit(X)

    for phase in PHASES:
        few, many, other = draw(10, phase, 4), draw(64, phase, 4), draw(10, phase, 5)
        m = few.random_weights_.shape[1]
        assert np.array_equal(few.random_weights_, many.random_weights_[:, :m])
        assert not (few.random_weights_ == other.random_weights_).any()
        if phase == "offset":
            assert np.array_equal(few.random_offset_, many.random_offset_[:m])
            assert not (few.random_offset_ == other.random_offset_).any()
    assert np.array_equal(draw(20, "paired", 4).random_weights_, draw(10, "offset", 4).random_weights_)


def test_a_generator_moves_on_and_a_seed_does_not(X):
    rng = np.random.default_rng(0)
    rff = RandomFourierFeatures(length_scale=1.0, n_components=4, random_state=rng)
    assert not np.array_equal(rff.fit(X).random_weights_, rff.fit(X).random_weights_)
    rff.set_params(random_state=0)
    assert np.array_equal(rff.fit(X).random_weights_, rff.fit(X).random_weights_)
    assert RandomFourierFeatures(length_scale=1.0, n_components=4,
                                 random_state=np.random.RandomState(0)).fit(X).n_components_ == 4


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kernel", list(kernels.NAMES))
def test_the_estimate_is_near_the_kernel(X, kernel, phase):
    """Six exact standard deviations: the largest of 400 errors stays within them."""
    rff = RandomFourierFeatures(kernel, n_components=20_000, length_scale=2.0, phase=phase, random_state=0).fit(X)
    K, K2 = rff.kernel_(X[:20]), rff.kernel_(2 * X[:20])
    error = np.abs(rff.approximate_kernel(X[:20]) - K)
    assert (error <= 6 * np.sqrt(fourier_variance(K, K2, 20_000, phase)) + 1e-12).all()


def test_without_compilation_the_numbers_are_the_same():
    code = """if True:
        import sys
        import numpy as np
        from rfbook import RandomFourierFeatures
        X = np.linspace(-3, 3, 40).reshape(10, 4)
        for phase in ("paired", "offset"):
            for dtype in (np.float64, np.float32):
                rff = RandomFourierFeatures(length_scale=1.0, n_components=6, phase=phase, random_state=0)
                Z = rff.fit_transform(X.astype(dtype))
                assert Z.dtype == dtype
                sys.stdout.buffer.write(Z.astype(float).tobytes())
    """
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env)
    plain = iter(np.frombuffer(run.stdout).reshape(4, 10, 6))
    X = np.linspace(-3, 3, 40).reshape(10, 4)
    for phase in PHASES:
        for dtype, tolerance in ((np.float64, 1e-15), (np.float32, 1e-6)):
            rff = RandomFourierFeatures(length_scale=1.0, n_components=6, phase=phase, random_state=0)
            assert np.abs(next(plain) - rff.fit_transform(X.astype(dtype))).max() <= tolerance


# ---- memory --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_transform_needs_its_output_and_a_bounded_workspace(phase, dtype):
    X = np.random.default_rng(0).standard_normal((20_000, 8)).astype(dtype)
    rff = RandomFourierFeatures(length_scale=1.0, n_components=256, phase=phase, random_state=0).fit(X)
    rff.transform(X[:600])
    threads = os.cpu_count()
    output, workspace = 20_000 * 256 * X.itemsize, 2 * threads * BLOCK * 256 * X.itemsize + 2**20
    assert workspace < output / 2 or threads > 8
    for out, allowed in ((None, output + workspace), (np.empty((20_000, 256), dtype), workspace)):
        tracemalloc.start()
        rff.transform(X, out=out)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= allowed


def test_a_few_rows_need_few_buffers():
    X = np.zeros((2, 3))
    rff = RandomFourierFeatures(length_scale=1.0, n_components=20_000, random_state=0).fit(X)
    tracemalloc.start()
    rff.transform(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 20_000 * (2 + 2 + 3) + 2**17  # output, angles, frequencies in turns


# ---- kernels and scales --------------------------------------------------------------------------------------------


class Comb:
    """A user's kernel: one method, no base class."""

    def sample_frequencies(self, n, d, rng):
        return np.pi * rng.integers(-1, 2, (n, d))


def test_a_users_kernel_needs_only_a_sampler(X):
    kernel = Comb()
    rff = RandomFourierFeatures(kernel, n_components=8, random_state=0).fit(X)
    assert rff.kernel_ is kernel and rff.kernel is kernel
    assert np.abs(rff.transform(X + 2) - rff.transform(X)).max() < 1e-12  # every wave has period 2


def test_length_scales(X):
    def scale(**parameters):
        return RandomFourierFeatures(n_components=4, random_state=0, **parameters).fit(X).kernel_.length_scale

    assert scale() == scale(length_scale="median") and scale(length_scale=0.5) == 0.5 and scale(length_scale=None) == 1
    assert scale(kernel=kernels.Gaussian(2.0)) == 2.0 and np.isclose(scale(gamma=0.5), 1)  # the default gives way
    vector = np.arange(1.0, 8.0)
    assert np.array_equal(scale(length_scale=vector), vector)
    one, ard = (RandomFourierFeatures(n_components=4, random_state=0, length_scale=s).fit(X) for s in (None, vector))
    assert np.allclose(ard.random_weights_ * vector[:, None], one.random_weights_)
    from scipy.spatial.distance import cdist, pdist

    assert abs(scale(length_scale="median") / np.median(pdist(X)) - 1) < 0.05
    assert abs(scale(length_scale="knn") / np.sort(cdist(X, X), axis=1)[:, 50].mean() - 1) < 0.02
    S = sparse.csr_matrix(X)
    for rule in ("median", "knn"):
        fitted = RandomFourierFeatures(n_components=4, random_state=0, length_scale=rule).fit(S)
        assert np.isclose(fitted.kernel_.length_scale, scale(length_scale=rule))


def test_gamma_is_scikit_learns(X):
    for data in (X, X.astype(np.float32), sparse.csr_matrix(X), np.ones((5, 2))):
        peer = SklearnRBFSampler(gamma="scale").fit(data)
        ours = RBFSampler(gamma="scale").fit(data)
        assert np.isclose(ours._gamma, peer._gamma, rtol=1e-6)
    assert np.isclose(RandomFourierFeatures(gamma=2.0).fit(X).kernel_.length_scale, 0.5)
    assert np.isclose(RandomFourierFeatures("rbf", gamma="auto").fit(X).kernel_.length_scale, np.sqrt(X.shape[1] / 2))


def test_rules_on_data_without_a_scale():
    for data in (np.ones((5, 2)), np.ones((1, 2))):
        for rule in ("median", "knn"):
            assert RandomFourierFeatures(n_components=4, length_scale=rule).fit(data).kernel_.length_scale == 1.0


# ---- edges and errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_one_row_one_column_and_huge_values(phase):
    for data in (np.zeros((1, 3)), np.zeros((4, 1)), np.zeros((1, 1))):
        Z = RandomFourierFeatures(length_scale=1.0, n_components=5, phase=phase, random_state=0).fit_transform(data)
        assert Z.shape[0] == len(data) and np.isfinite(Z).all()
    rff = RandomFourierFeatures(length_scale=1.0, n_components=6, phase=phase, random_state=0)
    huge = np.array([[1e300, -1e300], [1e15, 3.0], [5e-324, 0.0]])
    with pytest.warns(UserWarning, match="too large for float64"):
        Z = rff.fit_transform(huge)
    assert np.isfinite(Z).all() and np.abs(Z).max() <= np.sqrt(2 / 6) + 1e-15
    with pytest.warns(UserWarning, match="too large for float32"):
        Z = rff.fit_transform(np.float32([[1e37], [1e-45]]))
    assert np.isfinite(Z).all() and np.abs(Z).max() <= np.sqrt(2 / 6) + 1e-6


@pytest.mark.parametrize("phase", PHASES)
def test_angles_that_overflow_are_refused(phase):
    rff = RandomFourierFeatures(n_components=6, phase=phase, length_scale=1e-3, random_state=0)
    for data in (np.full((2, 3), 1e38, np.float32), np.full((2, 3), 1e307)):
        for X in (data, np.asfortranarray(data), sparse.csr_matrix(data)):
            with pytest.raises(ValueError, match="overflow"):
                rff.fit_transform(X)
            with pytest.raises(ValueError, match="overflow"):
                RandomFeatureRegressor(rff, alpha=1.0).fit(X, [0.0, 1.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(X, bad):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=4, random_state=0).fit(X)
    spoiled = X.copy()
    spoiled[3, 2] = bad
    for data in (spoiled, sparse.csr_matrix(spoiled), spoiled.astype(np.float32)):
        for method in (rff.transform, clone(rff).fit, rff.approximate_kernel):
            with pytest.raises(ValueError, match="NaN|infinity"):
                method(data)


def test_wrong_data_are_refused(X):
    rff = RandomFourierFeatures(length_scale=1.0, n_components=4, random_state=0)
    with pytest.raises(NotFittedError):
        rff.transform(X)
    rff.fit(X)
    with pytest.raises(ValueError, match="X has 6 features, but RandomFourierFeatures is expecting 7"):
        rff.transform(X[:, :6])
    with pytest.raises(ValueError, match="0 sample"):
        rff.transform(X[:0])
    with pytest.raises(ValueError, match="0 feature"):
        rff.fit(X[:, :0])
    with pytest.raises(ValueError, match="2D array"):
        rff.fit(X[0])


class Wrong:
    """A kernel whose sampler returns what it is told to."""

    def __init__(self, value):
        self.value = value

    def sample_frequencies(self, n, d, rng):
        return self.value


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_components": 0}, "n_components is 0; it may be an integer that is at least 1"),
        ({"n_components": 2.5}, "n_components is 2.5; it may be an integer"),
        ({"n_components": True}, "n_components is True; it may be an integer"),
        ({"phase": "both"}, "phase is 'both'; it may be one of 'paired', 'offset'"),
        ({"sampling": "random"}, "sampling is 'random'; it may be one of 'iid'"),
        ({"kernel": "rfb"}, "kernel is 'rfb'; it may be a kernel object or one of gaussian, rbf, laplacian"),
        ({"kernel": 3}, "kernel is 3; it may be a kernel's name or have sample_frequencies"),
        ({"gamma": 0.5, "length_scale": 2.0}, "gamma is 0.5 and length_scale is 2.0; give one, as gamma = 1 /"),
        ({"gamma": 0.5, "kernel": "laplacian"}, "gamma is 0.5 with kernel 'laplacian'; it goes with 'gaussian'"),
        ({"gamma": -1.0}, "gamma is -1.0; it may be a finite number above 0"),
        ({"gamma": np.nan}, "gamma is nan; it may be a finite number above 0"),
        ({"gamma": "median"}, "gamma is 'median'; it may be a number or one of 'scale', 'auto'"),
        ({"sampling": "orthogonl"}, "'halton', 'structured', 'fastfood'; did you mean 'orthogonal'?"),
        ({"kernel": "Gauss"}, "matern52; did you mean 'gaussian'?"),
        ({"length_scale": "mean"}, "length_scale is 'mean'; it may be a number or one of 'median', 'knn'"),
        ({"length_scale": 0.0}, "length_scale is 0.0; it may be positive finite numbers only"),
        ({"length_scale": np.inf}, "length_scale is inf; it may be positive finite numbers only"),
        ({"length_scale": [1.0, 2.0]}, "length_scale has shape (2,); it may be a number or a vector of length 7"),
        ({"kernel": kernels.Gaussian(), "length_scale": 2.0}, "length_scale and gamma go with a kernel's name"),
        ({"kernel": kernels.Gaussian(), "gamma": 2.0}, "length_scale and gamma go with a kernel's name"),
        ({"kernel": Wrong(np.zeros((3, 7)))}, "drew frequencies of shape (3, 7); they must be finite, (512, 7)"),
        ({"kernel": Wrong(np.full((512, 7), np.nan))}, "they must be finite, (512, 7)"),
        ({"random_state": "seed"}, "random_state is 'seed'; it may be None, an integer, a Generator or a RandomState"),
        ({"random_state": -1}, "random_state is -1; a seed may not be negative"),
    ],
)
def test_a_wrong_parameter_costs_one_sentence(X, parameters, sentence):
    rff = RandomFourierFeatures(**parameters)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        rff.fit(X)
    assert not hasattr(rff, "n_components_")


# ---- the bound -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("length_scale", [1e-3, 1.0, 1e4])
def test_ordinary_data_are_transformed_in_silence(X, dtype, length_scale):
    rff = RandomFourierFeatures(n_components=6, length_scale=length_scale, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(nothing in common|all rows are alike)")  # told apart in test_defaults
        rff.fit(X.astype(dtype)).transform(X.astype(dtype))
        rff.random_weights_ = np.zeros_like(rff.random_weights_)
        assert np.ptp(rff.transform(X.astype(dtype)), axis=0).max() == 0
