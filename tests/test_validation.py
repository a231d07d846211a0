"""Checks of arguments: what they take, what they refuse in one sentence, and the generators that they make."""

import warnings
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from rfbook._validation import (
    LONGEST,
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_real,
    generator,
    meant,
    near,
    outside,
    shown,
    streams,
    unmasked,
)


def test_what_is_shown_is_one_line_of_bounded_length():
    assert shown("a") == "'a'" and shown(2.5) == "2.5"
    for long in (np.arange(1000.0).reshape(10, 100), "x" * 10_000):
        text = shown(long)
        assert "\n" not in text and len(text) < 140
    assert shown("y" * 118) == repr("y" * 118) and shown("y" * 119).endswith("... (121 characters)")


@pytest.mark.parametrize("value", [1, 7, np.int8(7), np.uint64(7), LONGEST])
def test_integers(value):
    got = check_integer("n", value, most=LONGEST)
    assert got == value and type(got) is int


@pytest.mark.parametrize("value", [0, -1, True, np.True_, 1.0, np.float64(2), "1", None, [1],
                                   np.array([1]), Fraction(2), Decimal(2), 1j, LONGEST + 1],
                         ids=lambda value: type(value).__name__)
def test_what_is_no_integer(value):
    with pytest.raises(ValueError, match=f"n is .*; it may be an integer that is at least 1 and at most {LONGEST}$"):
        check_integer("n", value, most=LONGEST)


def test_bounds_of_integers_are_their_own():
    assert check_integer("k", -3, least=-3, most=-3) == -3
    with pytest.raises(ValueError, match="k is 4; it may be an integer that is at least 5$"):
        check_integer("k", 4, least=5)


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.int16(3), Fraction(1, 3), 5e-324, 1.7e308])
def test_numbers(value):
    got = check_number("x", value)
    assert got == float(value) and type(got) is float


@pytest.mark.parametrize("value", [0, -0.0, -1, np.nan, np.inf, -np.inf, True, "1", None, 1j, Decimal(1),
                                   np.array(1.0), [1.0]])
def test_what_is_no_positive_number(value):
    with pytest.raises(ValueError, match="x is .*; it may be a finite number above 0$"):
        check_number("x", value)


def test_the_least_number_is_taken_unless_strict():
    assert check_number("x", 0, strict=False) == 0 and check_number("x", -2, least=-2.0, strict=False) == -2
    with pytest.raises(ValueError, match="x is -3; it may be a finite number not below -2"):
        check_number("x", -3, least=-2.0, strict=False)
    assert check_number("x", -1e308, least=-np.inf) == -1e308
    with pytest.raises(ValueError, match="x is -inf"):
        check_number("x", -np.inf, least=-np.inf, strict=False)


def test_choices():
    assert check_choice("phase", "paired", ("paired", "offset")) == "paired"
    for value in ("Paired", "", "pair", None, 1, ["paired"], np.array("paired"), {"paired": 1}):
        with pytest.raises(ValueError, match="phase is .*; it may be one of 'paired', 'offset'"):
            check_choice("phase", value, ("paired", "offset"))


def test_flags():
    assert check_flag("replace", np.False_) is False and check_flag("replace", True) is True
    for value in (1, 0.0, None, "True", np.array(True)):
        with pytest.raises(ValueError, match="replace is .*; it may be True or False$"):
            check_flag("replace", value)


KERNELS = ("gaussian", "rbf", "exponential", "matern", "matern12", "matern32", "cauchy")


@pytest.mark.parametrize(("value", "found"), [
    ("gausian", ["gaussian"]), ("Gauss", ["gaussian"]), ("RBF", ["rbf"]), ("Matern", ["matern"]),
    ("matern-3/2", ["matern32"]), ("matern72", ["matern32", "matern12", "matern"]), ("rbf_kernel", ["rbf"]),
    ("squared_exponential", []),  # which is the Gaussian
    ("linear", []), ("rb", []), ("", []), (None, []), (3, []), (["rbf"], []),
])
def test_what_a_misspelt_name_may_mean(value, found):
    assert near(value, KERNELS)[: len(found)] == found and (found or not near(value, KERNELS))
    assert len(near(value, KERNELS)) <= 3


def test_the_question_ends_the_sentence():
    with pytest.raises(ValueError, match=r"; it may be one of 'paired', 'offset'; did you mean 'paired'\?$"):
        check_choice("phase", "pared", ("paired", "offset"))
    with pytest.raises(ValueError, match="phase is 'x'; it may be one of 'paired', 'offset'$"):
        check_choice("phase", "x", ("paired", "offset"))
    assert meant("matern2", KERNELS).startswith("; did you mean 'matern") and " or " in meant("matern2", KERNELS)


def test_arrays():
    X = np.ones((3, 2))
    assert check_real("X", X) is X  # no copy that is not needed
    for value in ([[1, True], [2, 3]], np.ones((2, 2), np.float16), [[Fraction(1, 2), Decimal(1)]], range(3), 4):
        assert check_real("X", value).dtype == float
    assert check_real("X", X, dtype=np.float32).dtype == np.float32
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(check_real("X", [1e300], dtype=np.float32))
    assert np.isnan(check_real("X", [np.nan, None])).all()  # as NumPy has it; whoever wants finite numbers says so


@pytest.mark.parametrize("value", [[[1], [1, 2]], "text", ["1"], [1j], [date(2020, 1, 1)], {}, {1},
                                   np.array(["2020"], "datetime64"), object(), [{}]])
def test_what_is_no_array_of_numbers(value):
    with pytest.raises(ValueError, match=f"X is a {type(value).__name__}; it may be a dense array of numbers") as error:
        check_real("X", value)
    assert error.value.__cause__ is None and error.value.__suppress_context__


def test_kinds_of_arrays():
    with pytest.raises(ValueError, match="y is a list"):
        check_real("y", [0.5], kinds="iu", dtype=np.int64)
    assert check_real("y", [3], kinds="iu", dtype=np.int64).dtype == np.int64


def test_masks():
    clear = np.ma.masked_array([1.0, 2.0], [False, False])
    assert unmasked("X", clear) is clear and unmasked("X", 3) == 3 and (check_real("X", clear) == [1, 2]).all()
    for check in (unmasked, check_real):
        with pytest.raises(ValueError, match="X is an array with masked entries; it may have none: fill or drop them"):
            check("X", np.ma.masked_array([1.0, 2.0], [False, True]))


def test_a_warning_points_at_the_caller_outside():
    """From code that says that it is the library's, called by code that says that it is scikit-learn's."""
    inner, between = {"__name__": "rfbook.inner", "outside": outside, "warnings": warnings}, {"__name__": "sklearn.x"}
    exec("def warn():\n    warnings.warn('careful', stacklevel=outside())", inner)
    exec("def call(f):\n    f()", between)
    with pytest.warns(UserWarning, match="careful") as caught:
        between["call"](inner["warn"])
    assert caught[0].filename == __file__
    assert outside() == 1


@pytest.mark.parametrize("make", [lambda: 3, lambda: np.int64(3), lambda: np.random.SeedSequence(3),
                                  lambda: np.random.RandomState(3), lambda: np.random.default_rng(3)])
def test_a_seed_decides_all(make):
    assert np.array_equal(generator(make()).random(5), generator(make()).random(5))
    a, b = ([g.random(4) for g in streams(make(), n)] for n in (3, 7))
    assert np.array_equal(a, b[:3])  # the first ones do not depend on how many there are
    assert len({x[0] for x in b}) == 7


def test_generators():
    rng = np.random.default_rng(0)
    assert generator(rng) is rng
    assert np.array_equal(generator(3).random(3), np.random.default_rng(3).random(3))
    assert generator(None).random() != generator(None).random()
    legacy = np.random.RandomState(1)
    assert generator(legacy).random() != generator(legacy).random()  # it moves on, as a generator does


def test_streams_of_a_generator_without_a_seed_sequence():
    def made():
        return np.random.Generator(np.random.RandomState(5)._bit_generator)

    a, b = ([g.random() for g in streams(made(), n)] for n in (2, 4))
    assert a == b[:2] and len(set(b)) == 4


@pytest.mark.parametrize("value", [True, 1.5, "0", [1], np.random, object(), np.random.PCG64(0)])
def test_what_is_no_random_state(value):
    with pytest.raises(ValueError, match="random_state is .*; it may be None, an integer, a Generator or a Ra"):
        generator(value)


def test_a_negative_seed():
    for seed in (-1, np.int8(-1)):
        with pytest.raises(ValueError, match="random_state is .*-1.*; a seed may not be negative"):
            generator(seed)
