"""Every map and machine comes back from a file with the same bits; what is damaged or foreign is refused."""

import inspect
import json
import os
import re
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PowerTransformer, StandardScaler

import rfbook
import rfbook.maps.boxes
from rfbook import persistence
from rfbook.persistence import FORMAT, PersistenceError

rng = np.random.default_rng(0)
X = rng.standard_normal((120, 4))
Y = np.column_stack([np.sin(X[:, 0]) + X[:, 1], X[:, 2] ** 2])
LABELS = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], [-0.5, 0.5])]
SMALL = {"n_components": 24, "n_candidates": 60, "n_steps": 3, "n_epochs": 2, "n_centers": 20, "n_iter": 2,
         "random_state": 0}
ESTIMATORS = [kind for name in rfbook.__all__ if isinstance(kind := getattr(rfbook, name), type)
              and issubclass(kind, BaseEstimator)]


def small(kind, **given):
    """An estimator whose fit takes little."""
    names = {name for name, one in inspect.signature(kind.__init__).parameters.items()
             if name != "n_candidates" or one.default != 1}  # of a machine: how many fits are averaged
    return kind(**{**{name: value for name, value in SMALL.items() if name in names}, **given})


def fitted(machine, X=X):
    """Fitted to labels, to numbers or to nothing, as it needs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return machine.fit(X, LABELS if is_classifier(machine) else Y[:, 0])


def answers(machine, X=X):
    """All that it can be asked."""
    names = ("transform", "predict", "predict_proba", "decision_function")
    return [getattr(machine, name)(X) for name in names if hasattr(machine, name)]


def same(a, b):
    """Whether two answers have the same bits and dtype."""
    if sparse.issparse(a):
        return same(a.data, b.data) and np.array_equal(a.indices, b.indices) and np.array_equal(a.indptr, b.indptr)
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def check(machine, path, X=X):
    """Save, load, and compare answers; returns what came back."""
    rfbook.save(machine, path)
    again = rfbook.load(path)
    assert type(again) is type(machine) and repr(again) == repr(machine)
    mine, others = answers(machine, X), answers(again, X)
    assert mine and len(mine) == len(others) and all(map(same, mine, others))
    return again


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_estimator_keeps_its_bits(kind, tmp_path):
    machine = fitted(small(kind))
    again = check(machine, tmp_path / "machine.npz")
    assert vars(again).keys() == vars(machine).keys()
    rfbook.save(again, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "machine.npz").read_bytes()


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_estimator_that_was_not_fitted(kind, tmp_path):
    rfbook.save(kind(), tmp_path / "machine.npz")
    assert repr(rfbook.load(tmp_path / "machine.npz")) == repr(kind())


@pytest.mark.parametrize("kind", [rfbook.SRFFRegressor, rfbook.HARFERegressor])
def test_a_ridge_that_was_chosen(kind, tmp_path):
    machine = fitted(small(kind, alpha="auto"))
    assert check(machine, tmp_path / "machine.npz").alpha_ == machine.alpha_


KERNELS = [rfbook.Gaussian([1.0, 2.0, 3.0, 4.0]), rfbook.Laplacian(2.0), rfbook.Exponential(), rfbook.Cauchy(),
           rfbook.Matern(nu=2.5), rfbook.StretchedExponential(power=0.7), rfbook.InversePower(power=1.5),
           rfbook.SumKernel([rfbook.Gaussian(), rfbook.ProductKernel([rfbook.Cauchy(), rfbook.Matern(0.7)])], [1, 2.5])]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_kernels_inside_and_alone(kernel, tmp_path):
    check(fitted(rfbook.RandomFourierFeatures(kernel, n_components=20, random_state=1)), tmp_path / "map.npz")
    rfbook.save(kernel, tmp_path / "kernel.npz")
    assert same(rfbook.load(tmp_path / "kernel.npz")(X), kernel(X))


@pytest.mark.parametrize("sampling", ["orthogonal", "sobol", "halton", "structured", "fastfood"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_draws_of_every_kind(sampling, dtype, phase, tmp_path):
    rff = rfbook.RandomFourierFeatures(n_components=20, sampling=sampling, phase=phase, random_state=1)
    check(fitted(rff, X.astype(dtype)), tmp_path / "map.npz", X.astype(dtype))


def test_targets_weights_losses_and_grids(tmp_path):
    path, weights = tmp_path / "machine.npz", rng.uniform(0.5, 2, len(X))
    check(small(rfbook.RandomFeatureRegressor).fit(X, Y, weights), path)
    check(small(rfbook.RandomFeatureRegressor, scaling="power", alpha=[0.1, 1.0]).fit(X, Y), path)
    check(fitted(small(rfbook.RandomFeatureClassifier, loss="logistic")), path)
    check(fitted(rfbook.RandomFeatureRegressor(rfbook.RandomBinningFeatures(n_grids=8, random_state=0))), path)
    check(fitted(rfbook.RandomFeatureRegressor(rfbook.EERF(n_components=12, n_candidates=40, random_state=0))), path)
    rows = sparse.csr_array(np.maximum(X, 0))
    check(small(rfbook.RandomFeatureRegressor).fit(rows, Y[:, 0]), path, rows)


def test_pipelines_frames_and_names(tmp_path):
    frame, path = pd.DataFrame(X, columns=list("abcd")), tmp_path / "machine.npz"
    pipeline = make_pipeline(PowerTransformer(), small(rfbook.RandomFourierFeatures), StandardScaler(),
                             small(rfbook.RandomFeatureClassifier))
    again = check(fitted(pipeline, frame), path, frame)
    assert again.feature_names_in_.tolist() == list("abcd")
    rff = fitted(small(rfbook.RandomFourierFeatures).set_output(transform="pandas"), frame)
    rfbook.save(rff, path)
    pd.testing.assert_frame_equal(rfbook.load(path).transform(frame), rff.transform(frame))


@pytest.mark.parametrize("kind", [rfbook.RandomFeatureRegressor, rfbook.RandomFeatureClassifier])
@pytest.mark.parametrize("rows", [slice(0, 10), slice(0, 60)])
def test_a_stream_goes_on_where_it_was(kind, rows, tmp_path):
    """With fewer rows than features these are kept, with more their sums; both come back."""
    y = LABELS if kind is rfbook.RandomFeatureClassifier else Y[:, 0]
    given = {"classes": np.unique(LABELS)} if kind is rfbook.RandomFeatureClassifier else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = small(kind, length_scale=1.0).partial_fit(X[rows], y[rows], **given)
        rfbook.save(machine, tmp_path / "machine.npz")
        again = rfbook.load(tmp_path / "machine.npz")
        for one in (machine, again):
            one.partial_fit(X[60:], y[60:], **given)
        assert same(machine.predict(X), again.predict(X)) and same(machine.feature_coef_, again.feature_coef_)


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_a_generator_goes_on_where_it_was(bits, tmp_path):
    generator = np.random.Generator(getattr(np.random, bits)(5))
    generator.standard_normal(3), generator.spawn(2)
    rfbook.save(rfbook.RandomFourierFeatures(random_state=generator), tmp_path / "map.npz")
    again = rfbook.load(tmp_path / "map.npz").random_state
    assert same(again.standard_normal(5), generator.standard_normal(5))
    assert same(again.spawn(1)[0].random(3), generator.spawn(1)[0].random(3))


def test_old_generators_and_seeds(tmp_path):
    old, seeds = np.random.RandomState(3), np.random.SeedSequence(4)
    old.random_sample(7), seeds.spawn(1)
    for state, draw in ((old, lambda s: s.random_sample(4)), (seeds, lambda s: s.spawn(1)[0].generate_state(4))):
        rfbook.save(rfbook.RandomFourierFeatures(random_state=state), tmp_path / "map.npz")
        assert same(draw(rfbook.load(tmp_path / "map.npz").random_state), draw(state))


def test_what_is_shared_stays_shared(tmp_path):
    machine = fitted(small(rfbook.RandomFeatureRegressor))
    machine.other_ = machine.features_
    rfbook.save(machine, tmp_path / "machine.npz")
    again = rfbook.load(tmp_path / "machine.npz")
    assert again.other_ is again.features_


def test_scalars_and_odd_numbers_keep_their_kind(tmp_path):
    rff = rfbook.RandomFourierFeatures(n_components=10)
    rff.held = [np.float32(0.1), np.int64(3), np.bool_(True), float("inf"), -0.0, 1, True, "é", (1, [2]), {3: "x"},
                slice(None, 4), np.float32, np.dtype("int16"), np.array(["a", None, 1.5], object), np.str_("b"), 10**40]
    rfbook.save(rff, tmp_path / "map.npz")
    held = rfbook.load(tmp_path / "map.npz").held
    assert [type(item) for item in held] == [type(item) for item in rff.held]
    assert str(held) == str(rff.held)


class Mine(rfbook.Gaussian):
    """Of a user's own."""


class Waves(rfbook.draws.Waves):
    """Another of the same name."""


def test_what_is_not_the_librarys_is_named(tmp_path):
    path = tmp_path / "machine.npz"
    with pytest.raises(PersistenceError, match=r"machine\.kernel is Mine.*not the library's"):
        rfbook.save(rfbook.RandomFourierFeatures(Mine()), path)
    rff = fitted(small(rfbook.RandomFourierFeatures))
    for thing in (Waves(np.eye(4)), len, lambda x: x, np.zeros(2, "M8[s]"), open, {1, 2}):
        rff.extra = thing
        with pytest.raises(PersistenceError, match=r"machine\.extra is"):
            rfbook.save(rff, path)
    for thing in (3, "machine", np.zeros(3), rfbook.RandomFourierFeatures, None, [rff], LABELS):
        with pytest.raises(PersistenceError, match="machine is"):
            rfbook.save(thing, path)
    assert list(tmp_path.iterdir()) == []


def saved(path):
    rfbook.save(fitted(rfbook.RandomFourierFeatures(n_components=4, random_state=0)), path)
    return path.read_bytes()


def test_cut_anywhere(tmp_path):
    path = tmp_path / "map.npz"
    whole = saved(path)
    for size in [*range(0, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(PersistenceError, match=r"map\.npz is (damaged|no file)"):
            rfbook.load(path)


def test_a_changed_byte_is_refused_or_changes_nothing(tmp_path):
    """Every byte once: what an archive says of dates and systems may change, numbers and words may not."""
    path = tmp_path / "map.npz"
    whole = saved(path)
    right, refused = answers(rfbook.load(path)), 0
    for i in range(0, len(whole), 3):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ (1 << i % 8)]) + whole[i + 1 :])
        try:
            again = rfbook.load(path)
        except PersistenceError as error:
            refused += 1
            assert "\n" not in str(error)
        else:
            assert all(map(same, answers(again), right))
    assert refused > 0.7 * len(range(0, len(whole), 3))


def rewritten(path, change, **parts):
    """The file with another header, with check sums that are right."""
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(held["header.json"])
    change(header)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (held | {"header.json": json.dumps(header)} | parts).items():
            archive.writestr(name, content)


def test_a_newer_format_is_refused(tmp_path):
    saved(path := tmp_path / "map.npz")
    rewritten(path, lambda header: header.update(version=FORMAT + 1, versions={"rfbook": "99.0"}))
    with pytest.raises(PersistenceError, match=rf"format {FORMAT + 1}, of rfbook 99.0.*install a newer"):
        rfbook.load(path)


@pytest.mark.parametrize("name", ["os.system", "Popen", "eval", "_Writer", "BaseEstimator", "PersistenceError"])
def test_no_name_is_imported(name, tmp_path):
    saved(path := tmp_path / "map.npz")
    rewritten(path, lambda header: header["machine"].update({"class": name}))
    with pytest.raises(PersistenceError, match=r"map\.npz holds an object of class .*, of which this library has none"):
        rfbook.load(path)


def test_two_classes_of_one_name(tmp_path, monkeypatch):
    path, rff = tmp_path / "map.npz", fitted(small(rfbook.RandomFourierFeatures))
    rff.extra = [rfbook.Gaussian(2.0), rff.draws_]
    rfbook.save(rff, path)
    assert [type(thing).__name__ for thing in rfbook.load(path).extra] == ["Gaussian", "Waves"]
    of_first_format(path)
    monkeypatch.setitem(persistence._classes(), "draws.elsewhere.Waves", Waves)
    with pytest.raises(PersistenceError, match=r"map\.npz holds an object of class 'Waves', .*more than one; load it"):
        rfbook.load(path)


def test_an_object_that_says_nothing_of_its_state_is_not_saved(tmp_path):
    rff = fitted(small(rfbook.RandomFourierFeatures))
    rff.extra = rfbook.maps.boxes.Rows(X)
    with pytest.raises(PersistenceError, match=r"machine\.extra is .*Rows object"):
        rfbook.save(rff, tmp_path / "map.npz")


def of_first_format(path):
    """The file with bare names of classes, as the first format had them."""
    def change(header):
        header |= {"version": 1, "machine": json.loads(re.sub(
            r'("class": ")[\w.]+\.(\w+)"', r'\1\2"', json.dumps(header["machine"])))}

    rewritten(path, change)


@pytest.mark.parametrize("make", [
    lambda: fitted(make_pipeline(StandardScaler(), small(rfbook.RandomFeatureRegressor))),
    lambda: fitted(rfbook.RandomFeatureClassifier(rfbook.RandomBinningFeatures(random_state=0))),
    lambda: small(rfbook.RandomFeatureRegressor, alpha="cv").partial_fit(X, Y[:, 0]),
    lambda: fitted(small(rfbook.RandomFeatureGP, posterior="exact")),
    lambda: fitted(small(rfbook.RandomFourierFeatures, sampling="fastfood", kernel=rfbook.Matern(1.5)))])
def test_files_of_the_first_format_and_of_classes_that_have_moved(make, tmp_path):
    """Maps of the first format load; machines were made of other parts, which is said."""
    want = answers(make())
    rfbook.save(make(), path := tmp_path / "machine.npz")
    rewritten(path, lambda header: header.update(machine=json.loads(
        json.dumps(header["machine"]).replace('"class": "learning.', '"class": "elsewhere.'))))
    assert all(map(same, answers(rfbook.load(path)), want))
    of_first_format(path)
    if hasattr(make(), "predict"):
        with pytest.raises(PersistenceError, match=r"machine\.npz holds a machine of format 1.*fit it again"):
            rfbook.load(path)
    else:
        assert all(map(same, answers(rfbook.load(path)), want))


@pytest.mark.parametrize("word", [{"made": ["x"]}, {"items": [1]}, {"again": 99}, {"array": 99}, {"eval": "1"}, {},
                                  [[]] * 3, {"Generator": ["default_rng", {}, {}]}, {"number": 7}])
def test_words_that_mean_nothing(word, tmp_path):
    saved(path := tmp_path / "map.npz")

    def change(header):
        header["machine"]["state"]["draws_"] = word
        if isinstance(word, dict) and ("made" in word or "items" in word):
            header["machine"] = {"number": 0, "class": "RandomFourierFeatures"} | word

    rewritten(path, change)
    with pytest.raises(PersistenceError, match="whose draws_ is a list" if isinstance(word, list) else "damaged"):
        rfbook.load(path)


def test_pickles_inside_are_not_read(tmp_path):
    import io

    saved(path := tmp_path / "map.npz")
    file = io.BytesIO()
    np.save(file, np.array([{}], object), allow_pickle=True)
    rewritten(path, lambda header: None, **{"0.npy": file.getvalue()})
    with pytest.raises(PersistenceError, match="damaged"):
        rfbook.load(path)


def test_foreign_files(tmp_path):
    path = tmp_path / "file.npz"
    np.savez(path, X=X)
    foreign = [path.read_bytes(), b"", b"no archive at all", os.urandom(5000)]
    for content in foreign:
        path.write_bytes(content)
        with pytest.raises(PersistenceError, match="no file that rfbook.save has written"):
            rfbook.load(path)
    saved(path)
    rewritten(path, lambda header: header.update(format="another"))
    with pytest.raises(PersistenceError, match="no file that rfbook.save has written"):
        rfbook.load(path)
    with pytest.raises(FileNotFoundError):
        rfbook.load(tmp_path / "none.npz")


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "map.npz"
    before = saved(path)
    rff = fitted(rfbook.RandomFourierFeatures(n_components=6, random_state=0))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"map\.npz cannot be written \(No space left on device\)"):
        rfbook.save(rff, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    with pytest.raises(OSError, match="cannot be written"):
        rfbook.save(rff, tmp_path / "no folder" / "map.npz")
    with pytest.raises(OSError, match="cannot be written"):
        rfbook.save(rff, tmp_path)


def test_another_scikit_learn_is_said(tmp_path):
    path = tmp_path / "machine.npz"
    rfbook.save(fitted(small(rfbook.RandomFeatureRegressor, scaling="standard")), path)
    rewritten(path, lambda header: header["versions"].update({"scikit-learn": "0.1"}))
    with pytest.warns(UserWarning, match=r"objects of scikit-learn 0\.1"):
        rfbook.load(path)
    saved(path)
    rewritten(path, lambda header: header["versions"].update({"scikit-learn": "0.1"}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rfbook.load(path)  # it holds none
