"""Differences at every step and the relabelling of whole runs, against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from runoff._inference.pairs import PairData
from runoff._inference.steps import differences, relabelled_together
from runoff._inference.steps.differences import STEP_CORRECTIONS, StepTests, stretches
from runoff._kernels.blocked.stratified import farthest
from runoff.base.random import streams
from tests.reference.steps import max_t_pvalues, rueger, stratified_pvalues, welch

RNG = np.random.default_rng(3)


def walks(*shape):
    """Runs whose steps depend on each other."""
    return RNG.normal(size=shape).cumsum(axis=-1)


def pair(x, y):
    tasks = [f"t{i}" for i in range(len(x))]
    steps = range(x[0].shape[1])
    return [PairData(a="a", b="b", x=[row[:, s] for row in x], y=[row[:, s] for row in y], tasks=tasks) for s in steps]


def relabelled(x, y, **options):
    (result,) = relabelled_together([(x, y)], by_step=True, **options)
    return result


@pytest.mark.parametrize("sizes", [[(4, 3)], [(3, 3), (2, 3)]])
def test_all_relabellings_of_whole_runs_give_the_p_values_of_the_slow_twin(sizes):
    x, y = [walks(a, 6) for a, _ in sizes], [walks(b, 6) + 1 for _, b in sizes]
    result = relabelled(x, y, streams=streams(0), n_resamples=1000)
    assert result.exact
    assert result.observed == pytest.approx(stratified_pvalues(x, y))
    assert result.adjusted == pytest.approx(max_t_pvalues(x, y))


def test_drawn_relabellings_are_near_all_of_them_and_never_give_0():
    x, y = [walks(5, 8)], [walks(5, 8) + 1]
    every, some = (relabelled(x, y, streams=streams(1), n_resamples=n) for n in (252, 251))
    assert (every.exact, some.exact) == (True, False)
    some = relabelled(x, y, streams=streams(1), n_resamples=251)
    assert some.adjusted.min() >= 1 / 252
    assert np.abs(every.adjusted - some.adjusted).max() < 0.12


@pytest.mark.parametrize("n", [50, 999])
def test_a_step_is_rejected_exactly_where_its_p_value_is_below_the_critical_one(n):
    result = relabelled([walks(6, 9)], [walks(6, 9) + 2], streams=streams(2), n_resamples=n)
    for alpha in (0.01, 0.03, 0.05, 0.2, 0.5):
        beyond = result.observed < result.critical(alpha) * (1 - 1e-9)
        assert beyond.tolist() == (result.adjusted <= alpha).tolist()


def test_three_runs_each_have_no_relabelling_that_is_rare_enough():
    result = relabelled([walks(3, 4)], [walks(3, 4) + 100], streams=streams(0), n_resamples=1000)
    assert result.adjusted.min() == 0.1
    assert result.critical(0.05) == 0
    assert differences(pair([walks(3, 4)], [walks(3, 4)])).band(0.0, 0.95) == [None] * 4


def test_p_values_of_one_task_are_scipys():
    x, y = walks(7, 5), walks(4, 5)
    assert differences(pair([x], [y])).pvalues == pytest.approx(welch(x, y))


def test_a_band_never_lies_within_the_pointwise_interval():
    result = differences(pair([walks(5, 5)], [walks(5, 5)]))
    for low, high in zip(result.band(0.1, 0.95), result.pointwise(0.95), strict=True):
        assert low == high


def test_steps_without_spread_are_equal_or_wholly_apart():
    x = np.column_stack([np.zeros(4), np.ones(4), walks(4)])
    y = np.column_stack([np.zeros(4), np.zeros(4), walks(4)])
    result = differences(pair([x], [y]))
    assert result.pvalues[:2].tolist() == pytest.approx([1.0, 2 / 70])
    assert result.pointwise(0.95)[:2] == [None, None]
    assert relabelled([x], [y], streams=streams(0), n_resamples=99).observed[1] < 1e-300


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_units_of_scores_change_no_p_value(scale):
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(5, 4)), rng.normal(size=(5, 4)) + 1
    plain, scaled = (relabelled([x * k], [y * k], streams=streams(0), n_resamples=300) for k in (1.0, scale))
    assert scaled.adjusted.tolist() == plain.adjusted.tolist()


@pytest.mark.parametrize("criterion", [0.3, 0.5, 0.9])
def test_the_smallest_p_value_by_colas_is_that_of_the_criterion(criterion):
    x, y = walks(6, 10), walks(6, 10) + 2
    result = differences(pair([x], [y]))
    (adjusted,) = STEP_CORRECTIONS["colas2019"](
        [StepTests(differences=result, pvalues=result.pvalues, relabelled=None)], criterion
    )
    assert adjusted.min() == pytest.approx(
        min(1.0, rueger(result.pvalues.tolist(), np.sign(result.estimates), criterion))
    )


def test_stretches_are_broken_where_nothing_is_found_and_where_the_leader_changes():
    result = stretches(
        "a", "b", np.arange(6.0), np.array([1, 1, 1, -1, -1, 1.0]), [True, False, True, True, True, True]
    )
    assert [(s.ahead, s.first, s.last) for s in result] == [("a", 0, 0), ("a", 2, 2), ("b", 3, 4), ("a", 5, 5)]


def test_pairs_that_are_relabelled_together_are_each_pair_by_itself_on_any_number_of_threads():
    sizes = [(6, 6, 3), (6, 6, 3), (2, 3, 3), (6, 5, 3), (6, 6, 4)]
    many = [([walks(n, steps), walks(4, steps)], [walks(m, steps) + 1, walks(4, steps)]) for n, m, steps in sizes]
    for by_step in (True, False):
        for threads in (1, 3):
            options = {"streams": streams(3), "n_resamples": 600, "threads": threads}
            result = relabelled_together(many, by_step=by_step, **options)
            for first, (x, y) in zip(result, many, strict=True):
                alone = relabelled(x, y, streams=streams(3), n_resamples=600)
                assert first.smallest.tolist() == alone.smallest.tolist()
                assert first.observed.tolist() == alone.observed.tolist()
                assert first.pvalues is None if not by_step else first.pvalues.tolist() == alone.pvalues.tolist()


def test_the_smallest_p_value_is_among_the_steps_that_no_other_leaves_behind():
    rng = np.random.default_rng(4)
    t, df = np.round(rng.normal(0, 2, (400, 9)), 1), rng.choice([1.5, 4.0, 30.0, 31.0], (400, 9))
    t[0], df[0], t[1] = 0.0, 4.0, np.inf
    kept = farthest(t, df)
    p = 2 * special.stdtr(df, -np.abs(t))
    assert np.where(kept, p, 2.0).min(axis=1).tolist() == p.min(axis=1).tolist()
    assert kept.any(axis=1).all()
    assert kept.sum() < kept.size / 2
