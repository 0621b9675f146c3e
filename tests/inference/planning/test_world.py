"""Simulated experiments: they have the spread of the pilot, the effect, and the runs of smaller experiments at their front."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.planning import AS_SEEN, SpreadLimit, limit_factor, parsed_effect, pilot_of, world_of
from runoff.base.random import Streams

RNG = np.random.default_rng(0)
CELLS = {
    "A": {"Pong": [1.0, 2.0, 4.0], "Breakout": RNG.exponential(30, 12)},
    "B": {"Pong": [3.0, 3.5, 5.0, 9.0], "Breakout": RNG.exponential(50, 7)},
}
PILOT = pilot_of(ro.Scores.from_dict(CELLS))
N_BATCH = 40_000


def drawn(pilot, effect, margin=AS_SEEN, n_runs=2):
    return world_of(pilot, effect, margin).draw(Streams(1), 0, N_BATCH, n_runs)


def test_simulated_runs_have_the_unbiased_variances_of_the_cells():
    for side, name in zip(drawn(PILOT, parsed_effect(1.0, "raw")), "AB", strict=True):
        for task, runs in zip(PILOT.pair.tasks, side.transpose(1, 0, 2), strict=True):
            true = np.var(CELLS[name][task], ddof=1)
            assert runs.var() == pytest.approx(true, rel=0.05)
            assert np.corrcoef(runs.T)[0, 1] == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize(
    ("effect", "unit", "expected"),
    [
        (5.0, "raw", [5.0, 5.0]),
        (-5.0, "raw", [-5.0, -5.0]),
        ("10%", "raw", 0.1 * PILOT.means),
        (0.5, "sd", 0.5 * np.sqrt(PILOT.variances.mean(axis=0))),
    ],
)
def test_the_second_is_ahead_of_the_first_mean_by_the_effect(effect, unit, expected):
    world = world_of(PILOT, parsed_effect(effect, unit), AS_SEEN)
    assert world.second.means - world.first.means == pytest.approx(np.asarray(expected), rel=1e-12)
    assert world.first.means == pytest.approx(PILOT.means)
    first, second = world.draw(Streams(1), 0, N_BATCH, 2)
    assert (second.mean(axis=(0, 2)) - first.mean(axis=(0, 2))) / expected == pytest.approx(1, abs=0.25)


@pytest.mark.slow
def test_an_assurance_stretches_all_spreads_by_the_limit_of_the_variance_of_the_difference():
    effect = parsed_effect(1.0, "raw")
    seen, far = drawn(PILOT, effect)[0], drawn(PILOT, effect, SpreadLimit(assurance=0.9))[0]
    factor = limit_factor(PILOT.terms(), 0.9)
    assert (far - far.mean(axis=(0, 2), keepdims=True)).std() ** 2 > 1.5 * seen.std() ** 2 / 4
    ratio = (far - PILOT.means[:, None]) / (seen - PILOT.means[:, None])
    assert ratio == pytest.approx(factor**0.5, rel=1e-9)


def test_an_experiment_of_more_runs_begins_with_that_of_fewer():
    world = world_of(PILOT, parsed_effect(1.0, "raw"), AS_SEEN)
    few, many = (world.draw(Streams(3), 4, 5, n) for n in (3, 11))
    assert all(np.array_equal(a, b[:, :, :3]) for a, b in zip(few, many, strict=True))
    assert not np.array_equal(few[0], world.draw(Streams(3), 5, 5, 3)[0])


def test_shared_runs_keep_their_covariance_over_tasks():
    rows = RNG.normal(size=(6, 3)) + RNG.normal(size=(6, 1))
    pilot = pilot_of(ro.Scores.from_dict({"A": rows}, runs="shared"))
    first, _ = drawn(pilot, parsed_effect(1.0, "raw"), n_runs=1)
    assert np.cov(first[:, :, 0].T) == pytest.approx(np.cov(rows.T), rel=0.1, abs=0.05)


def test_a_lift_multiplies_the_scores_of_the_only_algorithm():
    pilot = pilot_of(ro.Scores.from_dict({"A": CELLS["A"]}))
    first, second = drawn(pilot, parsed_effect("50%", "raw"))
    assert second.std(axis=(0, 2)) / first.std(axis=(0, 2)) == pytest.approx([1.5, 1.5], rel=0.05)
    assert second.mean(axis=(0, 2)) / first.mean(axis=(0, 2)) == pytest.approx([1.5, 1.5], rel=0.02)


@pytest.mark.parametrize("effect", [0.2, "40%"])
def test_success_rates_are_moved_until_their_mean_has_the_effect(effect):
    pilot = pilot_of(ro.Scores.from_dict({"A": {"x": [0, 0, 1, 0], "y": [1, 1, 1, 1], "z": [0, 1, 0, 1.0]}}))
    world = world_of(pilot, parsed_effect(effect, "raw"), AS_SEEN)
    assert world.first.means == pytest.approx([0.3, 0.9, 0.5])
    expected = 0.2 if effect == 0.2 else 0.4 * world.first.means.mean()
    assert world.effect == pytest.approx(expected, abs=1e-9)
    first, second = world.draw(Streams(0), 0, N_BATCH, 2)
    assert set(np.unique(second)) == {0.0, 1.0}
    assert second.mean() - first.mean() == pytest.approx(expected, abs=0.01)


def test_assurance_makes_success_rates_vary_more_or_a_lift_smaller():
    pilot = pilot_of(ro.Scores.from_dict({"A": {"x": [0, 0, 1, 0], "y": [1, 1, 1, 1], "z": [0, 1, 0, 1.0]}}))
    sure = SpreadLimit(assurance=0.9)
    for effect, wanted in ((parsed_effect(0.1, "raw"), "variance"), (parsed_effect("10%", "raw"), "effect")):
        seen, far = (world_of(pilot, effect, margin) for margin in (AS_SEEN, sure))
        if wanted == "effect":
            assert 0 < far.effect < seen.effect
        else:
            spread = [float((w.first.means * (1 - w.first.means)).sum()) for w in (seen, far)]
            assert spread[1] > spread[0]
