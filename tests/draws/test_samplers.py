"""Ways of drawing frequencies under one name, or by a function of one's own."""

import numpy as np
import pytest
from sklearn.base import clone

from rfbook import Gaussian, RandomFeatureClassifier, RandomFeatureRegressor, RandomFourierFeatures
from rfbook.draws.samplers import FREQUENCIES, check_sampling, sample_waves

X = np.random.default_rng(0).standard_normal((60, 3))


def quiet(kernel, n, d, rng):
    """What "iid" does, under another name."""
    return kernel.sample_frequencies(n, d, rng)


@pytest.mark.parametrize("phase", ["paired", "offset"])
def test_a_function_that_does_what_a_name_does_gives_its_bits(phase):
    one, other = (RandomFourierFeatures(n_components=20, phase=phase, sampling=given, random_state=0).fit_transform(X)
                  for given in ("iid", quiet))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("machine", [RandomFeatureRegressor, RandomFeatureClassifier])
def test_machines_hand_it_on(machine):
    y = X[:, 0] > 0
    made = machine(n_components=20, sampling=quiet, length_scale=1.0, random_state=0)
    named = clone(made).set_params(sampling="iid").fit(X, y)
    assert np.array_equal(clone(made).fit(X, y).predict(X), named.predict(X))


@pytest.mark.parametrize("name", list(FREQUENCIES))
def test_every_name_is_a_function(name):
    assert check_sampling(name) is FREQUENCIES[name]
    assert check_sampling(quiet) is quiet


@pytest.mark.parametrize("wrong,sentence", [
    ("at random", "sampling is 'at random'; it may be one of "), (3, "sampling is 3; it may be a name such as "),
    (Gaussian, "sampling is <class"), (None, "sampling is None"), (["iid"], "sampling is "),
    (lambda kernel, n, d, rng: np.ones(n), r"^sampling .* drew frequencies of shape \(10,\); they must be finite"),
    (lambda kernel, n, d, rng: np.full((n, d), np.nan), "^sampling .* drew frequencies that are not finite"),
    (lambda kernel, n, d, rng: np.ones((n, d), complex), "^sampling .* drew frequencies of shape")])
def test_what_is_no_sampling_is_named(wrong, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        RandomFourierFeatures(n_components=20, sampling=wrong).fit(X)
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=sentence):
        sample_waves(Gaussian(), 10, 3, np.random.default_rng(0), sampling=wrong)


def test_phases_do_not_depend_on_how_much_the_frequencies_take():
    def wasteful(kernel, n, d, rng):
        frequencies = quiet(kernel, n, d, rng)
        rng.random(1000)
        return frequencies

    one, other = (sample_waves(Gaussian(), 8, 3, np.random.default_rng(0), sampling=given, phase="offset")
                  for given in (quiet, wasteful))
    assert np.array_equal(one.frequencies, other.frequencies) and np.array_equal(one.phases, other.phases)
