"""A plan holds as often as it says, over pilots; its simulations reject true nulls at the level, and find what a world of real draws shows."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs import rates_power
from runoff._inference.planning import AS_SEEN, PlanOptions, pilot_of, world_of
from runoff._inference.planning.chance import PLAN_TESTS, simulated
from runoff._inference.planning.world import TrueLead
from runoff.base.random import Streams

SIGMA = ((1.0, 1.0), (1.0, 3.0))
NOTHING = TrueLead(value=0.0, unit="raw")


def share_assured(sigma, n_pilot, n_pilots, alike):
    """Return the share of pilots whose planned runs have the power asked for, at the true standard deviations."""
    rng, enough = np.random.default_rng(n_pilot), 0
    for _ in range(n_pilots):
        first, second = (rng.normal(0, s, n_pilot) for s in sigma)
        n_runs = ro.plan(first if alike else (first, second), effect=1.0, curve_to=3).n_runs
        enough += ro.power(effect=1.0, std=sigma, n_runs=n_runs, formula="exact").power >= 0.8
    return enough / n_pilots


@pytest.mark.slow
@pytest.mark.parametrize("n_pilot", [3, 5, 20])
@pytest.mark.parametrize(("sigma", "alike"), [(SIGMA[0], True), (SIGMA[0], False), (SIGMA[1], False)])
def test_a_plan_of_one_task_has_its_power_as_often_as_assured(sigma, alike, n_pilot):
    assert share_assured(sigma, n_pilot, 500, alike) > 0.9 - 3 * sqrt(0.09 / 500)


def test_a_plan_of_one_task_has_its_power_as_often_as_assured_in_a_few_pilots():
    assert share_assured(SIGMA[1], 5, 60, alike=False) > 0.9 - 3 * sqrt(0.09 / 60)


@pytest.mark.slow
def test_a_plan_of_a_benchmark_has_its_power_as_often_as_assured():
    """Welch's test of 8 tasks whose spreads differ by a factor of 8; the truth from a simulation of 20,000 experiments."""
    rng, enough = np.random.default_rng(0), 0
    sigma = 2.0 ** np.linspace(0, 3, 8)
    truth = {}
    for repeat in range(150):
        pilot = ro.Scores.from_dict({name: rng.normal(0, sigma, (5, 8)) for name in "AB"})
        n = ro.plan(pilot, effect=2.0, test="welch", n_repeats=1_000, rng=repeat, threads=1).n_runs
        truth.setdefault(n, true_power(n, sigma))
        enough += truth[n] >= 0.8
    assert enough / 150 > 0.9 - 3 * sqrt(0.09 / 150)


def true_power(n_runs, sigma):
    from runoff._inference.planning import PLAN_TESTS, Experiments

    rng = np.random.default_rng(n_runs)
    x, y = (rng.normal(m, 1, (20_000, 8, n_runs)) * sigma[:, None] + 0 for m in (0, 0))
    drawn = Experiments(x=x + 2.0, y=y, alpha=0.05, n_resamples=100, streams=Streams(0), key=(0,))
    return float(PLAN_TESTS["welch"].decide(drawn).mean())


@pytest.mark.parametrize(
    ("n_pilot", "rate", "effect"),
    [(5, 0.3, 0.4), *(pytest.param(20, rate, 0.3, marks=pytest.mark.slow) for rate in (0.2, 0.4))],
)
def test_a_plan_of_success_rates_has_its_power_as_often_as_assured(n_pilot, rate, effect):
    """Over every result that a pilot can have; one whose rate leaves no room for the effect is refused."""
    reached = refused = 0.0
    for won in range(n_pilot + 1):
        chance = stats.binom.pmf(won, n_pilot, rate)
        try:
            n = ro.plan([1.0] * won + [0.0] * (n_pilot - won), effect=effect, curve_to=3).n_runs
        except ro.DesignError:
            refused += chance
            continue
        reached += chance * (rates_power(rate + effect, n, rate, n, 0.05) >= 0.8)
    assert reached / (1 - refused) > 0.9


@pytest.mark.parametrize("test", ["welch", "mack_skillings"])
@pytest.mark.parametrize("n_runs", [3, 10])
def test_without_an_effect_the_simulated_test_rejects_at_its_level(test, n_runs):
    rng = np.random.default_rng(1)
    pilot = pilot_of(ro.Scores.from_dict({"A": rng.normal(0, [1, 2, 5, 9], (7, 4))}))
    options = PlanOptions(
        effect=NOTHING, test=test, alpha=0.05, n_repeats=4_000, n_resamples=2_000, streams=Streams(2), threads=2
    )
    rate = simulated(world_of(pilot, NOTHING, AS_SEEN), options, n_runs, PLAN_TESTS[test].decide).power
    assert abs(rate - 0.05) < 4 * sqrt(0.0475 / 4_000) or (rate < 0.05 and n_runs == 3)


@pytest.mark.slow
def test_simulated_power_is_on_average_that_of_the_world_of_which_the_pilot_came():
    """The power of a plan depends on a variance, whose estimate has no bias: over pilots it lies about the true one."""
    rng, sigma, powers = np.random.default_rng(3), np.array([1.0, 2.0, 4.0, 1.0]), []
    for repeat in range(60):
        pilot = ro.Scores.from_dict({"A": rng.normal(0, sigma, (20, 4))})
        points = ro.plan(pilot, effect=1.6, test="welch", curve_to=10, rng=repeat, n_repeats=1_000).points("pilot")
        powers.append({point.n_runs: point.power for point in points}[10])
    x, y = (rng.normal(0, sigma, (20_000, 10, 4)).transpose(0, 2, 1) for _ in "xy")
    error = np.sqrt((x.var(axis=2, ddof=1) + y.var(axis=2, ddof=1)).sum(axis=1) / 10) / 4
    t = ((x - y).mean(axis=(1, 2)) + 1.6) / error
    assert np.mean(powers) == pytest.approx((np.abs(t) > 2.0).mean(), abs=0.03)
