"""Where a lead comes from, against its slow twins: the few tasks that make it, how much tasks differ, and one task at a time."""

from __future__ import annotations

from itertools import combinations
from math import ceil

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs import all_pairs, few_tasks
from runoff._inference.power import detectable, needed_multiple
from tests.reference import record
from tests.reference import where as slow

TASK_NUMBERS = np.arange(12)
TASKS = [f"t{t}" for t in TASK_NUMBERS]


def drawn(seed, n_tasks, most=None, measure="mean"):
    """Cells of a and of b: a is far ahead on the first tasks, by little on the others; for chances with more runs and nothing beside."""
    rng, chance = np.random.default_rng(seed), measure == "improvement"
    leads = 0.0 * TASK_NUMBERS[:n_tasks] if chance else rng.normal(0.3, 0.5, n_tasks)
    leads[: ceil(n_tasks / 10)] = rng.uniform(0, 6) if most is None else most
    low, high = (10, 16) if chance else (3, 7)
    level = -3.0 if measure == "optimality_gap" else 0.0
    x = [rng.normal(level + lead, 0.4 * rng.lognormal(), rng.integers(low, high)) for lead in leads]
    return x, [rng.normal(level, 0.4 * rng.lognormal(), rng.integers(low, high)) for _ in leads]


def pair_of(x, y, **options):
    sides = {"a": dict(zip(TASKS, x, strict=False)), "b": dict(zip(TASKS, y, strict=False))}
    return all_pairs(ro.Scores.from_dict(sides, **options), [(0, 1)])[0]


def of_tasks(x, y, measure):
    """Leads of a, and their squared errors."""
    if measure == "improvement":
        chances = [record.chance(a, b) for a, b in zip(x, y, strict=True)]
        return [value - 0.5 for value, _ in chances], [square for _, square in chances]
    if measure == "optimality_gap":
        x, y = ([np.maximum(1 - cell, 0) for cell in side] for side in (y, x))
    both = list(zip(x, y, strict=True))
    return [np.mean(a) - np.mean(b) for a, b in both], [slow.squared_error(a, b) for a, b in both]


@pytest.mark.parametrize("seeds", [range(29, 50), pytest.param(range(240), marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("measure", ["mean", "improvement", "optimality_gap"])
def test_the_few_tasks_that_make_a_lead_are_those_of_the_slow_twin(measure, seeds):
    counts = []
    for seed in seeds:
        x, y = drawn(seed, (4, 5, 8, 12)[seed % 4], measure=measure)
        leads, squares = of_tasks(x, y, measure)
        side = 1 if sum(leads) >= 0 else -1
        wanted = slow.few([side * lead for lead in leads], slow.error_by_task(squares))
        assert few_tasks(pair_of(x, y), measure) == tuple(TASKS[t] for t in wanted), seed
        counts.append(len(wanted))
    assert 0.04 < np.mean([count > 0 for count in counts]) < 0.96


@pytest.mark.parametrize("n_seeds", [20, pytest.param(120, marks=pytest.mark.slow)])
def test_of_shared_runs_the_few_tasks_have_the_error_of_whole_runs(n_seeds):
    flagged = 0
    for seed in range(n_seeds):
        rng = np.random.default_rng(seed)
        x, y = (rng.normal(0, 1, (8, 4)) + rng.normal(0, 2, 4) * rng.normal(0, 1, (8, 1)) for _ in "ab")
        x[0] += rng.uniform(0, 20)
        x[1:] += 0.5
        sides = x, y

        def error(weights, sides=sides):
            return sum(np.var(np.array(weights) @ side, ddof=1) / 4 for side in sides) ** 0.5

        leads = x.mean(axis=1) - y.mean(axis=1)
        wanted = slow.few((leads if leads.mean() >= 0 else -leads).tolist(), error)
        assert few_tasks(pair_of(x, y, runs="shared"), "mean") == tuple(TASKS[t] for t in wanted), seed
        flagged += bool(wanted)
    assert 0.06 < flagged / n_seeds < 0.94


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_the_pvalue_of_q_is_the_share_of_all_relabellings_without_the_mean_lead(seed):
    rng, n = np.random.default_rng(seed), 4_000
    x = [rng.normal(5 + t, 1, 3) for t in rng.normal(0, 1, 3)]
    y = [rng.normal(0, 1, 2) for _ in range(3)]
    both = {"A": dict(zip(TASKS, x, strict=False)), "B": dict(zip(TASKS, y, strict=False))}
    spread = ro.where(both, "A", "B", measure="mean", n_resamples=n).heterogeneity
    wanted = slow.heterogeneity_pvalue(x, y)
    assert spread.q == pytest.approx(slow.heterogeneity(x, y))
    assert abs(spread.pvalue - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / n) + 1 / n


@pytest.mark.parametrize("seed", range(6))
def test_the_ends_of_tau_are_those_of_a_chi_squared_law(seed):
    x, y = drawn(seed, 8, most=1.0 + seed % 3)
    both = {"A": dict(zip(TASKS, x, strict=False)), "B": dict(zip(TASKS, y, strict=False))}
    spread = ro.where(both, "A", "B", measure="mean", alpha=0.2, n_resamples=100).heterogeneity
    leads, squares = of_tasks(x, y, "mean")
    assert (spread.tau_low, spread.tau_high) == pytest.approx(slow.tau_ends(leads, squares, 0.8))
    assert spread.tau == pytest.approx(max(np.var(leads, ddof=1) - np.mean(squares), 0) ** 0.5)


@pytest.mark.parametrize("measure", ["mean", "improvement"])
def test_the_intervals_of_all_tasks_at_once_are_those_of_compare_at_a_share_of_the_error(measure):
    x, y = drawn(3, 5)
    scores = ro.Scores.from_dict({"A": dict(zip(TASKS, x, strict=False)), "B": dict(zip(TASKS, y, strict=False))})
    for task in ro.where(scores, "A", "B", measure=measure, alpha=0.2, n_resamples=100).rows:
        (pair,) = ro.compare(scores.select(tasks=[task.task]), measure=measure, alpha=0.2 / 5).pairs
        assert (task.joint_low, task.joint_high) == pytest.approx((pair.own_low, pair.own_high))
        assert task.pvalue == pytest.approx(pair.pvalue)


@pytest.mark.parametrize("seed", range(5))
def test_the_runs_that_call_a_task_are_those_of_compare_on_the_clearest_at_a_share_of_alpha(seed):
    rng = np.random.default_rng(seed)
    scores = ro.Scores.from_dict({"A": rng.normal(0.4, 1, (4, 6)), "B": rng.normal(0, 1, (4, 6))})
    alone = [ro.compare(scores.select(tasks=[task]), measure="mean", alpha=0.1 / 6).pairs[0] for task in scores.tasks]
    clearest = max(alone, key=lambda pair: abs(pair.difference) / (pair.own_high - pair.own_low))
    result = ro.where(scores, "A", "B", measure="mean", alpha=0.1, n_resamples=100)
    error = clearest.detectable_difference / detectable(1.0, clearest.detectable_df, 0.1 / 6)
    multiple = needed_multiple(clearest.difference, error, clearest.detectable_df, 4, 0.1 / 6)
    assert result.runs_to_test == max(2, ceil(4 * multiple))


def shared(x, y, **options):
    return ro.where(
        ro.Scores.from_dict({"A": x, "B": y}, runs="shared"), "A", "B", measure="mean", **options
    ).heterogeneity


@pytest.mark.parametrize("seed", range(4))
def test_what_a_shared_run_has_on_all_tasks_says_nothing_of_how_they_differ(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0, 1, (5, 7)) + rng.normal(0, 1, 7), rng.normal(0, 1, (4, 7))
    moved = shared(x + rng.normal(0, 50, (5, 1)), y + rng.normal(0, 50, (4, 1)), n_resamples=200)
    for name, value in vars_of(shared(x, y, n_resamples=200)).items():
        assert vars_of(moved)[name] == pytest.approx(value, abs=1e-9), name


def vars_of(spread):
    return {
        name: getattr(spread, name) for name in ("q", "pvalue", "tau", "tau_low", "tau_high", "i2", "i2_low", "i2_high")
    }


@pytest.mark.parametrize("n_runs", [3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_of_shared_runs_the_error_of_a_lead_is_that_about_the_mean_of_all_tasks(seed, n_runs):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 2, (n_runs, 1)) + rng.normal(0, 0.3, (n_runs, 6)) + rng.normal(0, 1, 6)
    y = rng.normal(0, 0.3, (3, 6))
    own, squared = slow.errors_about_the_mean(x, y)
    leads = x.mean(axis=0) - y.mean(axis=0)
    spread = shared(x, y, alpha=0.2, n_resamples=100)
    assert spread.q == pytest.approx(5 * np.var(leads, ddof=1) / own)
    assert spread.tau == pytest.approx(max(np.var(leads, ddof=1) - own, 0) ** 0.5)
    assert (spread.tau_low, spread.tau_high) == pytest.approx(slow.tau_ends_of(leads, own, squared, 0.8))


@pytest.mark.parametrize("seed", range(3))
def test_the_pvalue_of_q_of_shared_runs_is_the_share_of_all_relabellings_of_whole_runs(seed):
    rng, n = np.random.default_rng(seed), 4_000
    x, y = rng.normal(0, 1, (4, 5)) + rng.normal(0, 0.8, 5), rng.normal(0, 1, (3, 5))
    both = np.vstack([x - (x.mean(axis=0) - y.mean(axis=0)).mean(), y])

    def q_of(first):
        a, b = both[list(first)], np.delete(both, list(first), axis=0)
        own, _ = slow.errors_about_the_mean(a, b)
        return np.var(a.mean(axis=0) - b.mean(axis=0), ddof=1) / own

    observed = q_of(range(4))
    wanted = np.mean([q_of(first) >= observed * (1 - 1e-9) for first in combinations(range(7), 4)])
    assert abs(shared(x, y, n_resamples=n).pvalue - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / n) + 1 / n


@pytest.mark.calibration
@pytest.mark.parametrize(("groups", "least"), [(0.0, 0.92), (1.0, 0.86)])
def test_tau_of_shared_runs_is_covered(groups, least):
    covered, n = 0, 400
    for seed in range(n):
        rng = np.random.default_rng(seed)
        sides = [
            rng.normal(0, 1, (5, 1))
            + groups * rng.normal(0, 1, (5, 2))[:, np.arange(12) % 2]
            + rng.normal(0, 0.5, (5, 12))
            for _ in "AB"
        ]
        spread = shared(sides[0] + rng.normal(0, 0.4, 12), sides[1], n_resamples=100)
        covered += spread.tau_low <= 0.4 <= spread.tau_high
    assert least < covered / n < 0.98
