"""The plan of a course, in weeks and in meetings."""

from pathlib import Path

import pytest

from rfdev import ROOT, parts, plan

HERE = Path("nbs/coursework")


def test_a_cut_is_as_even_as_can_be():
    assert plan.cut([1] * 9, 3) == [3, 3, 3]
    assert plan.cut([60, 10, 10, 40], 3) == [1, 2, 1]


def test_nothing_is_read_before_what_it_needs():
    order = [*plan.READ]
    for chapter in parts.chapters(ROOT):
        if chapter.number in plan.READ:
            before = chapter.before & set(order)
            assert all(order.index(n) < order.index(chapter.number) for n in before), chapter.number


def test_every_assignment_is_planned_and_the_shares_leave_some_for_exercises():
    some = plan.assignments(ROOT)
    assert [a.number for a in some] == list(range(1, len(some) + 1))
    assert set().union(*(a.needs for a in some)) == set(plan.READ)  # nothing is read that no assignment asks for
    assert 10 <= 100 - sum(a.share for a in some) <= 30
    assert [a.number for a in some if a.share == plan.CAPSTONE] == [6]


@pytest.mark.parametrize("number", [10, 13])
def test_an_assignment_goes_out_and_comes_back_after_what_it_needs(number):
    found = plan.sessions(ROOT, number)
    assert len(found) == number and [n for s in found for n in s.chapters] == [*plan.READ]
    at = {n: i for i, s in enumerate(found) for n in s.chapters}
    for a in plan.assignments(ROOT):
        [out], [due] = ([i for i, s in enumerate(found) if a.number in getattr(s, kind)] for kind in ("out", "due"))
        assert out < due and max(at[n] for n in a.needs) < due
    minutes = [sum(plan.minutes(ROOT)[n] for n in s.chapters) for s in found[:-1]]
    assert max(minutes) < 1.6 * min(minutes)
    assert max(len(s.due) for s in found) <= 2


def test_the_two_plans_are_one_list():
    weeks, meetings = ([n for s in plan.sessions(ROOT, k) for n in s.chapters] for k in (10, 13))
    assert weeks == meetings
    said = "\n".join(plan.lines(ROOT, HERE, "13 meetings"))
    assert said.startswith("| Meeting |") and "| 13 |" in said and "(../../nbs/1_kernels/13_bochner.ipynb)" in said
    assert "[assignment 6](../../nbs/coursework/assignment6.ipynb), 25 %" in said
    assert "the same for each week" in "\n".join(plan.lines(ROOT, HERE, "10 weeks"))
