"""Verdicts on papers: false ones are as rare as promised, and what knows nothing of its error decides nothing."""

import math

import numpy as np
import pytest
from scipy import stats

from rfbook.lab.experiments import verdicts
from rfbook.lab.experiments.verdicts import Budget, Difference, Share, difference, judge

SAME = Budget("10 runs", "10 runs")


@pytest.mark.parametrize("runs", [2, 3, 10])
def test_limits_are_those_of_t(runs):
    values = np.random.default_rng(runs).standard_normal((2, runs))
    for level in (0.05, 0.01):
        wanted = stats.ttest_rel(*values).confidence_interval(1 - level)
        assert difference(*values).limits(level) == pytest.approx((wanted.low, wanted.high))
        wanted = stats.ttest_ind(*values, equal_var=False).confidence_interval(1 - level)
        assert difference(*values, paired=False).limits(level) == pytest.approx((wanted.low, wanted.high))
    assert Difference(0.0, 1.0, math.inf).limits() == pytest.approx((-1.959964, 1.959964), abs=1e-6)


@pytest.mark.parametrize("hits,runs", [(0, 5), (3, 7), (7, 7)])
def test_limits_of_shares_are_exact(hits, runs):
    wanted = stats.binomtest(hits, runs).proportion_ci(0.95, "exact")
    assert Share(hits, runs).limits() == pytest.approx((wanted.low, wanted.high))


def test_a_printed_mean_is_another_sample():
    values = np.random.default_rng(0).standard_normal(4)
    theirs = np.random.default_rng(1).standard_normal(7)
    one = verdicts.against_printed(values, theirs.mean(), theirs.std(ddof=1) / 7**0.5, 7)
    assert one == pytest.approx(difference(values, theirs, paired=False))
    assert verdicts.against_printed([], 1.0) is None


@pytest.mark.parametrize(("ours", "theirs"), [(3, 1), (3, 10), (10, 3)])
def test_a_printed_mean_without_an_error_is_one_of_as_many_runs_as_are_told(ours, theirs):
    """Both scatter alike, so that limits are left with the probability of t: of 20,000 pairs, to six deviations."""
    rng, pairs = np.random.default_rng(ours), 20_000
    found = [verdicts.against_printed(rng.standard_normal(ours), rng.standard_normal(theirs).mean(), runs=theirs)
             for _ in range(pairs)]
    inside = np.mean([low <= 0 <= high for low, high in (one.limits() for one in found)])
    assert inside == pytest.approx(0.95, abs=6 * math.sqrt(0.95 * 0.05 / pairs))


@pytest.mark.parametrize("first,second", [([1.0], [0.0]), ([2.0, 2.0], [1.0, 1.0]), ([math.nan, 3.0], [0.0, 0.1]),
                                          ([math.inf, 3.0], [0.0, 0.1]), ({0: 5.0}, {0: 1.0, 1: 1.0})])
@pytest.mark.parametrize("claim", [lambda one: one, lambda one: one.within(9.0), lambda one: one.above(-9.0)])
def test_what_knows_nothing_of_its_error_decides_nothing(first, second, claim):
    assert judge([claim(difference(first, second))], budget=SAME).word == "undecided"


def test_pairs_are_seeds_that_both_have():
    assert difference({3: 1.0, 1: 2.0, 2: 5.0}, {2: 1.0, 1: 1.0, 9: 7.0}) == pytest.approx(
        difference([2.0, 5.0], [1.0, 1.0]))
    assert difference({0: 1.0}, {1: 1.0}) is None and difference({0: 1.0}, {1: 1.0}, paired=False).mean == 0.0


def test_words_are_seldom_wrong():
    """Of 4,000 experiments with three seeds and eight comparisons, at most 5 % and six deviations are wrong."""
    rng, runs, most = np.random.default_rng(0), 4000, 0.05 + 6 * math.sqrt(0.05 * 0.95 / 4000)
    wrong = dict.fromkeys(("not ahead", "ahead", "alike", "unlike"), 0)
    for values in rng.standard_normal((runs, 3, 8)):
        parts = [difference(column, [0.0] * 3) for column in values.T]
        far = [Difference(50.0, 1.0, 2)] * 7
        wrong["ahead"] += judge([parts[0], *far], budget=SAME).word == "reproduced"
        wrong["not ahead"] += judge(parts, budget=SAME).word == "not reproduced"
        edge = [part._replace(mean=part.mean + 1.0) for part in parts]  # at the margin, neither within nor without
        wrong["alike"] += judge([edge[0].within(1.0)], budget=SAME).word == "reproduced"
        wrong["unlike"] += judge([part.within(1.0) for part in edge], budget=SAME).word == "not reproduced"
    assert max(wrong.values()) < most * runs and min(wrong["ahead"], wrong["not ahead"]) > 0


def test_a_budget_that_is_less_cannot_refute():
    against = [Difference(-5.0, 1.0, 9)]
    assert judge(against, budget=SAME).word == "not reproduced"
    small = judge(against, budget=Budget("1 pass", "2 passes", less=True))
    assert (small.word, small.behind, str(small.budget)) == ("undecided", 1, "1 pass; paper: 2 passes")
    assert judge(against, budget=SAME, subset=True).word == judge([None], budget=SAME).word == "not testable here"
