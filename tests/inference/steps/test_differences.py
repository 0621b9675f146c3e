"""Differences at every step, and all steps together, against slow twins."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.bootstrap import Largest
from runoff._inference.pairs import NEVER, PairData
from runoff._inference.steps import differences
from runoff._inference.steps.differences import STEP_CORRECTIONS, stretches
from runoff.base.random import IntervalOptions, streams
from tests.amount import examples
from tests.reference.steps import joint_pvalues, rueger, step_pvalues

RNG = np.random.default_rng(3)


def walks(*shape):
    """Runs whose steps depend on each other."""
    return RNG.normal(size=shape).cumsum(axis=-1)


def pair(x, y, **facts):
    tasks = [f"t{i}" for i in range(len(x))]
    columns = [([row[:, s] for row in x], [row[:, s] for row in y]) for s in range(x[0].shape[1])]
    return [
        PairData(a="a", b="b", x=first, y=second, tasks=tasks, relabelling=NEVER, **facts) for first, second in columns
    ]


def judged(x, y, n_resamples=1000, **facts):
    (result,) = differences([pair(x, y, **facts)], IntervalOptions(n_resamples=n_resamples, streams=streams(0)))
    return result


@pytest.mark.parametrize("sizes", [[(4, 3)], [(3, 3), (2, 6)], [(5, 5)]])
def test_p_values_of_a_step_and_of_all_steps_are_those_of_the_slow_twins(sizes):
    x, y = [walks(a, 6) for a, _ in sizes], [walks(b, 6) + 2 for _, b in sizes]
    result = judged(x, y, n_resamples=100_000)
    assert result.pvalues == pytest.approx(step_pvalues(x, y))
    assert result.adjusted == pytest.approx(joint_pvalues(x, y), abs=0.006)


@pytest.mark.parametrize("n", [19, 50, 999])
def test_a_step_is_below_level_exactly_where_its_band_leaves_0_out(n):
    result = judged([walks(6, 9)], [walks(6, 9) + 3], n_resamples=n)
    for alpha in (0.01, 0.03, 0.05, 0.2, 0.5):
        outside = [not low <= 0 <= high for low, high in result.band(1 - alpha, 1)]
        assert outside == (result.adjusted <= alpha).tolist()


def test_the_band_of_rates_is_their_own_interval_at_the_level_of_all_steps():
    x, y = np.zeros((10, 3)), np.zeros((10, 3))
    x[:, 1:], y[:5, 2] = 1.0, 1.0  # at two of three steps no run varies
    result = judged([x], [y], binary=True, rates=True)
    joint = 1 - result.largest.critical(0.05)
    assert joint > 0.98
    assert result.band(0.95, 1) == [law.interval(joint) for law in result.laws]
    assert result.adjusted == pytest.approx(result.largest.adjusted(result.pvalues))


def test_draws_of_the_smallest_p_value_count_themselves_and_bound_no_level_from_below():
    largest = Largest(np.array([0.01, 0.02, 0.03, 0.2]), 100)
    assert largest.adjusted(np.array([0.001, 0.02, 0.0201, 0.9])) == pytest.approx([0.1, 0.6, 0.6, 1.0])
    assert [largest.critical(alpha) for alpha in (0.05, 0.6, 0.8)] == [0.0005, 0.03, 0.2]
    alike = Largest(np.full(4, 0.9), 1)
    assert (alike.critical(0.5), alike.adjusted(np.array([0.7])).tolist()) == (0.5, [0.7])


def test_a_step_that_one_task_decides_has_no_smaller_p_value_among_all_steps_than_alone():
    rng = np.random.default_rng(1)
    first, *others = ([np.repeat(rng.normal(size=(3, 1)), 2, axis=1)] * 2 for _ in range(9))
    x = [first[0] + 8] + [own[0] * [0.0, 0.4] for own in others]
    y = [rng.normal(size=(3, 1)) * [1.0, 1.0]] + [rng.normal(size=(3, 1)) * [0.0, 0.4] for _ in others]
    result = judged(x, y)
    steady = result.largest.adjusted(np.array([law.pvalue() for law in result.steady]))
    assert steady[0] < result.pvalues[0] == result.adjusted[0]
    for inner, outer in zip(result.pointwise(0.9), result.band(0.9, 1), strict=True):
        assert outer[0] <= inner[0] < inner[1] <= outer[1]


def test_bands_of_success_rates_hold_newcombes_interval_at_the_level_of_all_steps():
    rng, share = np.random.default_rng(2), np.linspace(0, 0.95, 6)
    x, y = (rng.random((8, 6)) < share).astype(float), (rng.random((8, 6)) < 0.3 * share).astype(float)
    result = judged([x], [y], binary=True, rates=True)
    level = 1 - result.largest.critical(0.05)
    for law, (low, high) in zip(result.laws, result.band(0.95, 1), strict=True):
        inner = law.interval(level)
        assert -1 <= low <= inner[0] < inner[1] <= high <= 1
    x[:, 1:], y[:, 1:] = [1, 0, 0, 0, 0], 0.0
    result = judged([x], [y], binary=True, rates=True)
    for alpha in np.geomspace(1e-6, 0.9, 60):
        outside = [not low <= 0 <= high for low, high in result.band(1 - alpha, 1)]
        assert outside == (result.adjusted <= alpha).tolist()


def test_bands_of_several_pairs_hold_all_of_them_by_bonferroni():
    result = judged([walks(6, 5)], [walks(6, 5)], n_resamples=5000)
    assert result.band(0.9, 4) == result.band(1 - 0.1 / 4, 1)


def test_many_steps_that_say_the_same_count_as_one_and_other_steps_add_to_them():
    x, y = walks(12, 1), walks(12, 1)
    n = examples(20_000, 4_000)
    alone, same = (judged([np.repeat(x, k, axis=1)], [np.repeat(y, k, axis=1)], n) for k in (1, 40))
    other = judged([RNG.normal(size=(12, 40))], [RNG.normal(size=(12, 40))], n)
    levels = [result.largest.critical(0.05) for result in (alone, same, other)]
    assert levels[0] == 0.05
    assert 0.05 / 4 < levels[1] < 0.05
    assert levels[2] < 0.05 / 20


def test_p_values_far_out_are_those_of_bonferroni_however_few_the_draws():
    result = judged([walks(9, 5)], [walks(9, 5) + 100], n_resamples=20)
    steady = np.array([law.pvalue() for law in result.steady])
    assert result.adjusted.max() < 1e-6
    assert result.adjusted == pytest.approx(np.maximum(5 * steady, result.pvalues))


def test_a_step_at_which_runs_happen_to_agree_is_judged_by_what_they_vary_along_training():
    x, y = walks(5, 8), walks(5, 8)
    x[:, 3], y[:, 3] = 0.5 + 1e-3 * RNG.normal(size=5), 1e-3 * RNG.normal(size=5)
    result = judged([x], [y])
    assert result.pvalues[3] < 1e-6
    assert result.adjusted[3] > 0.2


def test_steps_without_spread_are_judged_by_the_others_and_have_no_interval_of_their_own():
    x, y = walks(4, 3), walks(4, 3)
    x[:, :2], y[:, :2] = [0.0, 1e3], 0.0
    result = judged([x], [y])
    assert result.pointwise(0.95)[:2] == [None, None]
    assert result.statistics[:2] == [0.0, np.inf]
    assert (result.pvalues[0], result.adjusted[0]) == (1.0, 1.0)
    assert result.adjusted[1] < 0.01
    assert all(band is not None for band in result.band(0.95, 1))


def test_curves_that_never_vary_say_nothing():
    result = judged([np.ones((4, 3))], [np.zeros((4, 3))])
    assert result.adjusted.tolist() == [1.0, 1.0, 1.0]
    assert result.band(0.95, 1) == [None, None, None]


@pytest.mark.parametrize("scale", [1e-140, 1.0, 1e140])
def test_units_of_scores_change_no_p_value(scale):
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(5, 4)), rng.normal(size=(5, 4)) + 1
    plain, scaled = (judged([x * k], [y * k]) for k in (1.0, scale))
    assert scaled.adjusted == pytest.approx(plain.adjusted)


@pytest.mark.parametrize("criterion", [0.3, 0.5, 0.9])
def test_the_smallest_p_value_by_colas_is_that_of_the_criterion(criterion):
    x, y = walks(6, 10), walks(6, 10) + 2
    result = judged([x], [y])
    (adjusted,) = STEP_CORRECTIONS["colas2019"]([result], criterion)
    assert adjusted.min() == pytest.approx(
        min(1.0, rueger(result.pvalues.tolist(), np.sign(result.estimates), criterion))
    )


def test_stretches_are_broken_where_nothing_is_found_and_where_the_leader_changes():
    result = stretches("a", "b", np.arange(6.0), [1, 1, 1, -1, -1, 1.0], [True, False, True, True, True, True])
    assert [(s.ahead, s.first, s.last) for s in result] == [("a", 0, 0), ("a", 2, 2), ("b", 3, 4), ("a", 5, 5)]


def test_pairs_together_are_each_pair_by_itself():
    sizes = [(6, 6, 3), (6, 6, 3), (2, 3, 3), (6, 5, 3)]
    many = [([walks(n, steps), walks(4, steps)], [walks(m, steps) + 1, walks(4, steps)]) for n, m, steps in sizes]
    drawing = IntervalOptions(n_resamples=3000, streams=streams(0))
    for together, (x, y) in zip(differences([pair(*own) for own in many], drawing), many, strict=True):
        assert together.adjusted.tolist() == judged(x, y, 3000).adjusted.tolist()
