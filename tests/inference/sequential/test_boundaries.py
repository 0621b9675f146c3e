"""Boundaries against published constants, rpact, and the multivariate normal law."""

from __future__ import annotations

import json

import numpy as np
import pytest

from runoff._inference.sequential import bounds_of, exits, spent_by
from runoff.errors import OptionError
from tests.places import GOLDEN
from tests.reference import sequential as slow

CASES = json.loads((GOLDEN / "sequential.json").read_text(encoding="utf-8"))["cases"]
every = pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['spending']} {c['alpha']} {len(c['information'])}")


def equal(n_looks):
    return tuple((k + 1) / n_looks for k in range(n_looks))


@pytest.mark.parametrize(
    ("spending", "constants"),
    [("pocock_1977", (2.178, 2.289, 2.361, 2.413)), ("obrien_fleming_1979", (1.977, 2.004, 2.024, 2.040))],
)
def test_the_constants_of_jennison_and_turnbull(spending, constants):
    bounds = [bounds_of(spending, 0.05, equal(n))[-1] for n in range(2, 6)]
    assert [round(bound, 3) for bound in bounds] == list(constants)


def test_the_classic_bounds_have_their_shapes():
    flat, falling = (bounds_of(name, 0.05, equal(4)) for name in ("pocock_1977", "obrien_fleming_1979"))
    assert flat == pytest.approx([flat[-1]] * 4)
    assert falling == pytest.approx([falling[-1] * np.sqrt(4 / (k + 1)) for k in range(4)])


def test_the_bounds_of_lan_and_demets_that_are_printed():
    bounds = bounds_of("obrien_fleming", 0.05, equal(5))
    assert [round(bound, 2) for bound in bounds] == [4.88, 3.36, 2.68, 2.29, 2.03]
    assert [round(bound, 3) for bound in bounds_of("pocock", 0.05, equal(5))] == [2.438, 2.427, 2.410, 2.397, 2.386]


@every
def test_bounds_errors_and_power_are_those_of_rpact(case):
    information = tuple(case["information"])
    bounds = bounds_of(case["spending"], case["alpha"], information)
    assert bounds == pytest.approx(case["critical"], abs=1e-7)
    assert spent_by(case["spending"], case["alpha"], information) == pytest.approx(case["spent"], abs=2e-8)
    chances = [exits(bounds, [-b for b in bounds], information, drift=drift).total for drift in case["drifts"]]
    assert chances == pytest.approx(case["power"], abs=1e-7)


@pytest.mark.parametrize("drift", [0.0, 2.0])
@pytest.mark.parametrize("n_looks", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4))])
def test_what_does_not_leave_is_the_box_of_a_multivariate_normal_law(drift, n_looks):
    information, bounds = (0.1, 0.35, 0.6, 1.0)[-n_looks:], (2.5, 2.2, 2.6, 1.9)[-n_looks:]
    chances = exits(bounds, [-b for b in bounds], information, drift=drift)
    assert 1.0 - chances.total == pytest.approx(slow.stay(bounds, information, drift), abs=1e-6)


def test_a_path_that_has_begun_leaves_as_a_brownian_motion_does():
    information, bounds, n = (0.6, 1.0), (2.2, 1.9), 400_000
    rng = np.random.default_rng(1)
    first = 0.5 + 2.0 * 0.3 + np.sqrt(0.3) * rng.normal(size=n)
    second = first + 2.0 * 0.4 + np.sqrt(0.4) * rng.normal(size=n)
    above = [first > bounds[0] * np.sqrt(0.6), (np.abs(first) <= bounds[0] * np.sqrt(0.6)) & (second > bounds[1])]
    chances = exits(bounds, [-b for b in bounds], information, drift=2.0, start=(0.3, 0.5))
    for share, hits in zip(chances.above, above, strict=True):
        assert share == pytest.approx(hits.mean(), abs=5 * hits.std() / np.sqrt(n))


def test_looks_that_are_close_together_spend_no_more_than_one():
    information = (0.5, 0.5001, 0.9999, 1.0)
    bounds = bounds_of("pocock", 0.05, information)
    assert exits(bounds, [-b for b in bounds], information).total == pytest.approx(0.05, abs=1e-9)


@pytest.mark.slow
def test_many_looks_and_a_small_alpha_are_met():
    information = equal(20)
    bounds = bounds_of("obrien_fleming", 1e-6, information)
    assert bounds[0] == float("inf")
    assert exits(bounds, [-b for b in bounds], information).total == pytest.approx(1e-6, rel=1e-6)


def test_an_alpha_that_no_constant_meets_is_refused():
    with pytest.raises(OptionError, match="alpha must be larger for 3 looks"):
        bounds_of("pocock_1977", 1e-300, equal(3))
