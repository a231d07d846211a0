"""The roofs of a machine and the bound under them. Nothing here is timed."""

import numpy as np
import pytest

from rfbook.lab.bench import roofline, runner


@pytest.fixture(scope="module")
def roofs():
    """Measurements on arrays so small that they mean nothing."""
    made = []
    for (key, function) in roofline.tasks(quick=True):
        rate, threads, unit, _, fixed = function.args
        small = {"product": (fixed[0], 32), "read": ("read", 4096), "write": ("write", 4096),
                 "update": ("update", 4096)}.get(key["case"], (*fixed[:-1], 1e-6))
        made.append({**key, **roofline._roof(rate, threads, unit, 1, small)})
    return made


def test_roofs_are_positive_and_complete(roofs):
    assert all(np.isfinite(row["rate"]) and row["rate"] > 0 for row in roofs)
    assert all(row["count"] == 1 for row in roofs if row["threads"] == "one")
    assert all(row["count"] >= 1 and row["repeats"] == 1 and row["unit"].endswith("/s") for row in roofs)
    assert len({runner._key(row) for row in roofs}) == len(roofs)
    for dtype in ("float32", "float64"):
        for threads in ("one", "all"):
            found = roofline.rates(roofs, dtype, threads)
            assert {"NumPy cosine", *roofline.GROUPS} == set(found)
            row = next(r for r in roofs if (r["case"], r["dtype"], r["threads"]) == ("cosine", dtype, threads))
            alone = roofline.rates(roofs, dtype, "one")["cosine"]
            assert found["cosine"] == (max(row["rate"], alone) if threads == "all" else row["rate"])


def test_loops_of_the_roofs_do_what_they_are_counted_for():
    def arrays(worker):
        worker(0)
        return dict(zip(worker.__code__.co_freevars, (c.cell_contents for c in worker.__closure__), strict=True))

    for dtype in ("float32", "float64"):
        made = {ours: arrays(roofline._cosine_worker(dtype, ours)) for ours in (True, False)}
        entries = roofline._ROWS * roofline._COLUMNS
        assert made[True]["out"].size == made[False]["out"].size == entries  # cosines and sines, or cosines
        assert made[True]["out"].dtype == made[False]["out"].dtype == dtype
        half = roofline._COLUMNS // 2
        np.testing.assert_allclose(made[True]["out"][:, :half], np.cos(2 * np.pi * made[True]["angles"].astype(float)),
                                   atol=1e-5)
        np.testing.assert_array_equal(made[False]["out"], np.cos(made[False]["T"]))
        seen = arrays(roofline._hadamard_worker(dtype))
        assert seen["X"].size == entries and seen["signs"].shape == (roofline._CHAIN, 1, roofline._LENGTH)
        # the scaled chain is orthogonal: no overflow and nothing lost on the way
        np.testing.assert_allclose(np.linalg.norm(seen["out"], axis=1), np.linalg.norm(seen["X"], axis=1), rtol=1e-4)


def test_work_and_rates_agree(roofs):
    """A ceiling is the quotient of amounts and rates, whatever was measured."""
    machine = roofline.rates(roofs, "float32")
    work = {"product": 1e6, "cosine": 1e4, "read": 1e3, "write": 1e5}
    busy = roofline.loads(work, machine)
    assert busy["arithmetic"] == pytest.approx(1e6 / machine["product"] + 1e4 / machine["cosine"])
    assert busy["memory"] == pytest.approx(1e3 / machine["read"] + 1e5 / machine["write"])
    assert roofline.least_seconds(work, machine) == max(busy.values())
    assert roofline.least_seconds({}, machine) == 0.0
    one_kind = {"product": 1e6, "update": 1e5}
    F, B = roofline.flops(one_kind, "float32"), roofline.traffic(one_kind)
    assert F / roofline.least_seconds(one_kind, machine) == pytest.approx(
        roofline.attainable(F / B, machine["product"], machine["update"]))


@pytest.mark.parametrize(("work", "rates", "said"), [
    ({"disk": 1.0}, {"disk": 1.0}, "resource of work"),
    ({"product": -1.0}, {"product": 1.0}, r"work\['product'\]"),
    ({"product": float("nan")}, {"product": 1.0}, r"work\['product'\]"),
    ({"product": 1.0}, {}, r"rates\['product'\]"),
    ({"product": 1.0}, {"product": 0.0}, r"rates\['product'\]"),
])
def test_wrong_work_is_one_sentence(work, rates, said):
    with pytest.raises(ValueError, match=said) as caught:
        roofline.loads(work, rates)
    assert "\n" not in str(caught.value)


def test_wrong_names_of_rates():
    with pytest.raises(ValueError, match="dtype"):
        roofline.rates([], "float16")
    with pytest.raises(ValueError, match="threads"):
        roofline.rates([], "float32", "two")
    with pytest.raises(ValueError, match="dtype"):
        roofline.flops({"cosine": 1}, "int8")
