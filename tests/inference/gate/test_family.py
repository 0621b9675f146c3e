"""Labellings; the statistics under each, against the relabelled runs computed plainly; all units together: p-values and limits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.gate import adjusted, family_of
from runoff._inference.gate.family import (
    ALIKE,
    alone,
    block_of,
    freedom,
    labellings,
    limits,
    n_draws,
    n_labellings,
    shared_out,
    step_down,
)
from runoff._inference.pairs import run_means
from runoff.base.random import Streams, streams
from tests.inference.gate.pairs import drawn, pair_of

# ── labellings ──────────


def rows_of(size, n):
    return labellings(size, n, Streams(3), 0)


@pytest.mark.parametrize(("size", "count"), [((2, 2), 6), ((3, 3), 20), ((10, 3), 286), ((10, 10), 184_756)])
def test_the_labellings_of_a_block_are_counted(size, count):
    assert n_labellings(size) == count


def test_what_nobody_could_draw_is_not_counted_to_the_end():
    assert 10**20 < n_labellings((41, 41)) < n_labellings((100_000, 100_000)) < 10**300


@pytest.mark.parametrize("size", [(3, 3), (2, 5), (10, 10)])
def test_the_first_labelling_is_that_of_the_data_and_all_have_the_same_counts(size):
    rows = rows_of(size, 400)
    assert rows[0].tolist() == [1.0] * size[0] + [0.0] * size[1]
    assert (rows.sum(axis=1) == size[0]).all()


def test_few_labellings_come_equally_often_whatever_the_seed():
    for seed in range(3):
        rows = labellings((3, 3), 60, Streams(seed), 0)
        counts = np.unique(rows, axis=0, return_counts=True)[1]
        assert counts.tolist() == [3] * 20


def test_the_order_of_few_labellings_depends_on_the_seed_and_the_block():
    first = labellings((3, 3), 400, Streams(1), 0)
    assert not np.array_equal(first, labellings((3, 3), 400, Streams(2), 0))
    assert not np.array_equal(first, labellings((3, 3), 400, Streams(1), 1))


def test_many_labellings_are_drawn_and_every_run_is_the_baselines_as_often():
    rows = labellings((8, 12), 20_001, Streams(0), 0)
    assert np.abs(rows[1:].mean(axis=0) - 0.4).max() < 4 * np.sqrt(0.24 / 20_000)


@pytest.mark.parametrize(
    ("sizes", "n"),
    [
        ([(3, 3)], 20),
        ([(5, 5)], 252),
        ([(10, 10)], 20_000),
        ([(3, 3)] * 4, 20_000),
        ([(5, 5)] * 2, 20_160),
        ([(3, 3), (5, 5)], 20_160),
    ],
)
def test_one_block_of_few_labellings_has_all_of_them_and_several_have_multiples(sizes, n):
    assert n_draws(sizes, 20_000) == n


def test_degrees_of_freedom_are_those_of_welch_with_equal_spreads():
    assert freedom([(5, 5)]) == pytest.approx(8)
    assert freedom([(3, 3)] * 4) == pytest.approx(16)
    squared = 1 / 10 + 1 / 3
    assert freedom([(10, 3)]) == pytest.approx(squared**2 / (1 / 900 + 1 / 18))


# ── statistics ──────────


def family_from(pair, n_resamples=2_000, seed=0):
    return family_of(pair, n_resamples=n_resamples, streams=streams(seed))


def exact_pvalue(x, y):
    """Return the one-sided p-value of a drop by all relabellings under Welch's t."""
    pooled, n = np.concatenate([x, y]), len(x)
    every = [(pooled[list(c)], np.delete(pooled, list(c))) for c in combinations(range(pooled.size), n)]
    statistics = [stats.ttest_ind(a, b, equal_var=False).statistic for a, b in every]
    return float(np.mean(np.array(statistics) >= statistics[0] - 1e-9))


@pytest.mark.parametrize("sizes", [(3, 3), (4, 3), (5, 5), (2, 6)])
def test_one_task_has_the_pvalue_of_all_relabellings(sizes):
    pair = drawn(sizes, [0.8], seed=sum(sizes))
    assert alone(family_from(pair).drops())[0] == pytest.approx(exact_pvalue(pair.x[0], pair.y[0]))


@pytest.mark.parametrize("margin", [0.5, 2.0, 40.0])
def test_a_margin_raises_the_candidate_and_looks_the_other_way(margin):
    pair = drawn((4, 4), [0.2], seed=4)
    assert alone(family_from(pair).below([margin]))[0] == pytest.approx(exact_pvalue(pair.y[0] + margin, pair.x[0]))


def test_the_first_statistics_are_welchs_and_that_of_the_mean_adds_errors():
    pair = drawn((5, 4), [0.3, 1.0, -0.4])
    statistics = [unit.statistic(0.0)[0] for unit in family_from(pair).units]
    expected = [stats.ttest_ind(x, y, equal_var=False).statistic for x, y in zip(pair.x, pair.y, strict=True)]
    assert statistics[:-1] == pytest.approx(expected)
    assert statistics[-1] == pytest.approx(pair.difference.estimate / pair.difference.error)


def test_shared_runs_are_relabelled_whole():
    pair = drawn((3, 3), [0.0, 0.5, 1.0], shared=True)
    family = family_from(pair)
    means = [run_means(side) for side in (pair.x, pair.y)]
    assert family.units[-1].n_labellings == 20
    assert alone(family.drops())[-1] == pytest.approx(exact_pvalue(*means))


def test_runs_in_another_order_give_the_same_bits():
    pair = drawn((6, 5), [0.4, 0.0], seed=2)
    turned = pair_of([cell[::-1] for cell in pair.x], [cell[::-1] for cell in pair.y])
    assert np.array_equal(family_from(pair).drops(), family_from(turned).drops())


@pytest.mark.parametrize("factor", [1e-9, 1e9])
def test_the_unit_of_the_scores_does_not_matter(factor):
    pair = drawn((5, 5), [0.4, 1.0], seed=2)
    other = pair_of([factor * cell for cell in pair.x], [factor * cell for cell in pair.y])
    assert family_from(other).drops() == pytest.approx(family_from(pair).drops(), rel=1e-6)
    assert family_from(other).below([2 * factor] * 3) == pytest.approx(family_from(pair).below([2.0] * 3), rel=1e-6)


def test_a_far_mean_costs_no_digits():
    pair = drawn((5, 5), [0.4])
    far = pair_of([pair.x[0] + 1e6], [pair.y[0] + 1e6])
    assert alone(family_from(far).drops()) == pytest.approx(alone(family_from(pair).drops()))


def test_runs_without_spread_are_as_far_apart_as_their_labellings_are_rare():
    family = family_from(pair_of([[5.0] * 4], [[3.0] * 4]))
    assert alone(family.drops())[0] == pytest.approx(1 / 70)
    assert alone(family.below([0.0]))[0] == 1.0


def test_more_labellings_than_a_float_holds_are_enough():
    family = family_from(drawn((20, 20), [0.0] * 57), n_resamples=50)
    assert family.units[-1].n_labellings > 10**320
    assert family.able(0.05).all()


def test_equal_runs_everywhere_say_nothing():
    family = family_from(pair_of([[5.0] * 4], [[5.0] * 4]))
    assert alone(family.drops())[0] == alone(family.below([0.0]))[0] == 1.0


def test_the_pvalue_of_three_runs_beside_three_does_not_depend_on_the_seed():
    pair = pair_of([[9.0, 10.1, 11.5]] * 3 + [[10.0, 10.1, 10.2]], [[8.6, 10.9, 12.1]] * 3 + [[0.0, 0.2, 0.1]])
    pvalues = [step_down(family_from(pair, seed=seed).drops()[:-1], np.ones(4, bool))[3] for seed in range(5)]
    assert pvalues == pytest.approx([1 / 20] * 5, abs=1e-12)


# ── p-values and limits of all units ──────────


EVERY = np.ones(3, bool)


def test_a_single_unit_is_not_adjusted():
    tails = np.array([[0.2, 0.1, 0.3, 0.2]])
    assert adjusted(tails, EVERY[:1]) == pytest.approx([0.75])


def test_step_down_compares_each_task_with_those_that_are_not_clearer():
    tails = np.array([[0.10, 0.50, 0.05, 0.90], [0.20, 0.15, 0.60, 0.90], [0.30, 0.02, 0.90, 0.25]])
    assert step_down(tails, EVERY) == pytest.approx([0.75, 0.75, 0.75])
    assert step_down(tails[:, [0, 3, 3, 3]], EVERY) == pytest.approx([0.25, 0.25, 1.0])


@pytest.mark.parametrize(
    ("mean", "task", "adjusted_mean", "adjusted_task"),
    [(0.01, 0.04, 0.02, 0.04), (0.2, 0.01, 0.4, 0.02), (0.2, 0.3, 0.4, 0.4), (0.9, 0.9, 1.0, 1.0)],
)
def test_a_half_passes_on_where_the_mean_is_decided(mean, task, adjusted_mean, adjusted_task):
    assert shared_out(mean, np.array([task])) == pytest.approx([adjusted_task, adjusted_mean])


def test_a_task_that_can_never_be_decided_stands_in_nobodys_way():
    rng = np.random.default_rng(0)
    pair = pair_of([[9.0, 9.1], rng.normal(5, 1, 10)], [[0.0, 0.1], rng.normal(0, 1, 10)])
    family = family_from(pair)
    able = family.able(0.05)
    assert able.tolist() == [False, True, True]
    pvalues = adjusted(family.drops(), able)
    assert pvalues[0] > 0.05
    assert pvalues[1] < 0.01


@pytest.mark.parametrize("seed", range(6))
def test_adjusted_pvalues_are_no_smaller_than_those_of_each_alone(seed):
    family = family_of(drawn((5, 4), [0.0, 1.0, 2.0], seed), n_resamples=999, streams=streams(seed))
    tails = family.drops()
    assert (adjusted(tails, family.able(0.05)) >= alone(tails) - 1e-12).all()


@pytest.mark.parametrize("sizes", [(4, 4), (6, 3), (8, 8)])
def test_the_limit_of_one_task_is_where_the_test_begins_to_rule_out(sizes):
    pair = drawn(sizes, [0.3], seed=1)
    family = family_of(pair, n_resamples=20_000, streams=streams(0))
    (high,) = limits(family, [pair.difference], [0.05], 1.0, [False])
    assert high is not None
    assert alone(family.below([high * 1.01 + 0.01]))[0] <= 0.05
    assert alone(family.below([high * 0.99 - 0.01]))[0] > 0.05


@pytest.mark.parametrize("seed", range(8))
def test_no_tail_that_is_left_out_would_have_changed_a_comparison(seed):
    pair = drawn((5, 4), [0.0, 1.0, 2.0], seed)
    pair = pair if seed % 2 else pair_of([np.round(cell) for cell in pair.x], [np.round(cell) for cell in pair.y])
    family = family_of(pair, n_resamples=2_000, streams=streams(seed))
    ends = [-1.0, 0.5, 3.0, 50.0]
    tails = family.below(ends, 500)
    others = np.random.default_rng(seed).uniform(0, 1, tails.shape)
    assert np.array_equal(family.as_low(ends, others), np.minimum(tails, others) <= tails[:, :1] * (1 + ALIKE))


def test_no_limit_where_labellings_are_too_few():
    pair = drawn((2, 2), [0.0])
    family = family_of(pair, n_resamples=999, streams=streams(0))
    assert limits(family, [pair.difference], [0.05], 1.0, [False]) == [None]


@pytest.mark.parametrize("shift", [0.0, 0.37])
@pytest.mark.parametrize("seed", range(10))
def test_a_labelling_that_moves_no_run_has_the_numbers_of_the_data_to_the_last_bit(seed, shift):
    x, y = np.random.default_rng(seed).normal(0.1, 1 / 3, (2, 4))
    task = block_of(x, y, 0.7, 210, streams(seed), number=0)
    difference, squared = task.at(shift)
    own = task.moved == 0
    assert own.sum() == 3
    assert (set(difference[own]), set(squared[own])) == ({task.mean[0] - shift}, {task.mean[1]})


@pytest.mark.parametrize("place", range(3))
def test_who_can_never_be_decided_keeps_its_place_among_the_tasks(place):
    rng = np.random.default_rng(place)
    tails, able = rng.permuted(np.tile(np.arange(1.0, 201.0) / 200, (4, 1)), axis=1), np.ones(4, dtype=np.bool_)
    tails[:, 0] = 0.01
    able[place] = False
    order = np.roll(np.arange(3), 1)
    whole = [*order, 3]
    turned = adjusted(tails[whole], able[whole])
    assert turned.tolist() == adjusted(tails, able)[whole].tolist()
