"""Laws of `claims`: what must not change what is said of a table, and what must follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import runoff as ro
from tests.amount import examples

NAMES = ("PPO", "SAC", "TD3")
TASKS = ("Hopper", "Ant")
CELL = st.tuples(st.integers(1000, 9999), st.integers(1, 900))
GRID = st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=2, max_size=2)
few = settings(max_examples=examples(16, 10), deadline=None)


def text_of(grid, names=NAMES, tasks=TASKS, factor=1.0, places=3):
    rows = [[f"{m * factor:.{places}f} ± {w * factor:.{places}f}" for m, w in row] for row in grid]
    lines = [f"| {task} | {' | '.join(row)} |" for task, row in zip(tasks, rows, strict=True)]
    return "\n".join([f"| Task | {' | '.join(names)} |", "|---|---|---|---|", *lines, ""])


def verdicts_of(result):
    """Return what is said of each pair, whatever the order."""
    return {
        (c.a, c.b, c.task): (
            c.verdict,
            tuple((r.spread, r.pvalue, r.pvalue_adjusted, r.runs_needed) for r in c.readings),
        )
        for c in result.claims
    }


def assert_alike(first, second):
    assert first.keys() == second.keys()
    for key, (supported, readings) in first.items():
        assert second[key][0] == supported
        for mine, theirs in zip(readings, second[key][1], strict=True):
            assert mine[0] == theirs[0]
            assert mine[1:3] == pytest.approx(theirs[1:3]) or mine[1:3] == theirs[1:3]
            assert mine[3] == theirs[3]


@few
@given(GRID, st.sampled_from([None, 3, 10]))
def test_the_unit_of_the_scores_changes_nothing(grid, n):
    assert_alike(
        verdicts_of(ro.claims(text_of(grid), algorithm="PPO", n_runs=n)),
        verdicts_of(ro.claims(text_of(grid, factor=0.001, places=6), algorithm="PPO", n_runs=n)),
    )


@few
@given(GRID, st.sampled_from([None, 5]))
def test_the_order_of_rows_changes_nothing(grid, n):
    turned = ro.claims(text_of(grid[::-1], tasks=TASKS[::-1]), algorithm="SAC", n_runs=n)
    assert_alike(verdicts_of(ro.claims(text_of(grid), algorithm="SAC", n_runs=n)), verdicts_of(turned))


@few
@given(GRID, st.permutations(range(3)))
def test_the_order_of_columns_changes_nothing(grid, order):
    moved = text_of([[row[i] for i in order] for row in grid], names=[NAMES[i] for i in order])
    assert_alike(
        verdicts_of(ro.claims(text_of(grid), algorithm="SAC", n_runs=5)),
        verdicts_of(ro.claims(moved, algorithm="SAC", n_runs=5)),
    )


@few
@given(GRID)
def test_other_names_change_the_names_only(grid):
    other = ro.claims(text_of(grid, names=("DQN", "A2C", "TRPO")), algorithm="A2C", n_runs=5)
    renamed = dict(zip(("DQN", "A2C", "TRPO"), NAMES, strict=True))
    assert_alike(
        verdicts_of(ro.claims(text_of(grid), algorithm="SAC", n_runs=5)),
        {(renamed[a], renamed[b], task): value for (a, b, task), value in verdicts_of(other).items()},
    )


@few
@given(GRID)
def test_costs_are_scores_negated(grid):
    negated = [[(-m, w) for m, w in row] for row in grid]
    costs = ro.claims(text_of(negated), algorithm="TD3", n_runs=5, lower_is_better="all")
    assert_alike(verdicts_of(ro.claims(text_of(grid), algorithm="TD3", n_runs=5)), verdicts_of(costs))


@few
@given(GRID, st.integers(2, 30))
def test_a_standard_error_is_the_standard_deviation_over_the_root_of_n(grid, n):
    rows = [[(m, w * np.sqrt(n)) for m, w in row] for row in grid]
    sd = ro.claims(text_of(rows, places=9), algorithm="PPO", n_runs=n, spread="sd", accept_wide=True)
    se = ro.claims(text_of(grid, places=9), algorithm="PPO", n_runs=n, spread="se")
    for claim, other in zip(sd.claims, se.claims, strict=True):
        assert claim.readings[0].pvalue == pytest.approx(other.readings[0].pvalue, rel=1e-5)


@few
@given(GRID, st.integers(2, 30))
def test_an_adjusted_pvalue_is_never_below_its_own_and_rounding_never_helps(grid, n):
    # Where all means are equal nothing is claimed.
    assume(any(len({m for m, _ in row}) > 1 for row in grid))
    for claim in ro.claims(text_of(grid, places=0), n_runs=n).claims:
        for reading in claim.readings:
            assert reading.pvalue <= reading.pvalue_adjusted <= reading.pvalue_rounded


@few
@given(GRID)
def test_the_n_that_is_needed_carries_the_claim_and_one_run_less_does_not(grid):
    for claim in ro.claims(text_of(grid), algorithm="PPO", spread="sd").claims:
        needed = claim.readings[0].runs_needed
        if needed is not None and needed > 2:
            same = [ro.claims(text_of(grid), algorithm="PPO", spread="sd", n_runs=n) for n in (needed, needed - 1)]
            verdicts = [
                next(c for c in result.claims if (c.b, c.task) == (claim.b, claim.task)).verdict for result in same
            ]
            assert (verdicts[0] == "yes", verdicts[1] == "yes") == (True, False)
