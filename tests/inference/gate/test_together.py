"""All units together: halves of the error rate, step-down within tasks, limits that agree with the decisions."""

from __future__ import annotations

import numpy as np
import pytest

from runoff._inference.gate import adjusted, family_of
from runoff._inference.gate.family import alone, limits, shared_out, step_down
from runoff.base.random import streams
from tests.inference.gate.pairs import drawn, pair_of

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
    family = family_of(pair, n_resamples=2_000, streams=streams(0))
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


def test_no_limit_where_labellings_are_too_few():
    pair = drawn((2, 2), [0.0])
    family = family_of(pair, n_resamples=999, streams=streams(0))
    assert limits(family, [pair.difference], [0.05], 1.0, [False]) == [None]
