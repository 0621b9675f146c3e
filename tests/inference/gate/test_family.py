"""The statistics under every labelling are those of the relabelled runs, computed plainly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from runoff._inference.gate import family_of
from runoff._inference.gate.family import alone, step_down
from runoff._inference.pairs import run_means
from runoff.base.random import streams
from tests.inference.gate.pairs import drawn, pair_of


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
    assert alone(family.rises())[0] == 1.0


def test_more_labellings_than_a_float_holds_are_enough():
    family = family_from(drawn((20, 20), [0.0] * 57), n_resamples=50)
    assert family.units[-1].n_labellings > 10**320
    assert family.able(0.05).all()


def test_equal_runs_everywhere_say_nothing():
    family = family_from(pair_of([[5.0] * 4], [[5.0] * 4]))
    assert alone(family.drops())[0] == alone(family.rises())[0] == 1.0


def test_the_pvalue_of_three_runs_beside_three_does_not_depend_on_the_seed():
    pair = pair_of([[9.0, 10.1, 11.5]] * 3 + [[10.0, 10.1, 10.2]], [[8.6, 10.9, 12.1]] * 3 + [[0.0, 0.2, 0.1]])
    pvalues = [step_down(family_from(pair, seed=seed).drops()[:-1], np.ones(4, bool))[3] for seed in range(5)]
    assert pvalues == pytest.approx([1 / 20] * 5, abs=1e-12)
