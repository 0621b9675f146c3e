"""The interval of the probability of improvement: that of the law of tests."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs.chance import improvement_law
from tests.reference import bootstrap, intervals

X, Y = [[0.2, 0.5, 4.0], [0.1, 2.3]], [[0.4, 0.5], [0.0, 0.3, 2.3, 9.0]]  # two ties
LEVEL = 0.9


def improvement(x, y, **options):
    """The one record of the improvement of x over y."""
    a, b = ({f"task {t}": cell for t, cell in enumerate(cells)} for cells in (x, y))
    settings = {"confidence_level": LEVEL} | options
    return ro.probability_of_improvement(ro.Scores.from_dict({"A": a, "B": b}), **settings).rows[0]


def separated(*sizes):
    """Cells of these (n_x, n_y) in which every run of x is ahead."""
    return [[100.0 + i for i in range(n)] for n, _ in sizes], [[1.0 * i for i in range(m)] for _, m in sizes]


def test_the_interval_survives_any_increasing_map_of_the_scores():
    bent = [[[1000 * x**3 - 7 for x in cell] for cell in cells] for cells in (X, Y)]
    assert improvement(*bent) == improvement(X, Y)


def test_two_runs_in_a_cell_are_enough_for_an_interval_and_one_is_not():
    for runs, expected in (([1.0, 4.0], True), ([1.0], False)):
        result = ro.probability_of_improvement(ro.Scores.from_dict({"A": runs, "B": [2.0, 3.0, 5.0]}))
        assert (result.rows[0].low is not None, "R002" in {a.code for a in result.advice}) == (
            expected,
            not expected,
        )


# ── the law that `compare` tests by ──────────

TIED = [[0.2, 0.5, 4.0, 4.0, 6.0]], [[0.4, 0.5, 0.5, 3.0]]


@pytest.mark.parametrize("level", [0.8, 0.9])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (X, Y),
        (Y, X),
        separated((3, 8), (10, 4)),
        ([[2.0, 2.0]] * 2, [[2.0, 0.0]] * 2),
        (X[:1], Y[:1]),
        TIED,
        TIED[::-1],
        separated((3, 3)),
        separated((4, 5)),
    ],
)
def test_the_interval_is_that_of_a_slow_twin(x, y, level):
    result = improvement(x, y, confidence_level=level)
    assert result.interval == ("mann_whitney" if len(x) == 1 else "t")
    assert result.estimate == pytest.approx(bootstrap.improvement(x, y))
    low, high = intervals.placed(x, y, level)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-9)  # bisection


@pytest.mark.parametrize(("x", "y"), [(X, Y), TIED])
def test_the_interval_of_the_loser_is_the_winners_mirrored(x, y):
    there, back = improvement(x, y), improvement(y, x)
    assert (back.low, back.high) == pytest.approx((1 - there.high, 1 - there.low))


def test_three_runs_that_are_all_ahead_do_not_exclude_a_half_and_four_do():
    lows = [improvement(*separated((n, n)), confidence_level=0.95).low for n in (3, 4, 10, 30, 90)]
    assert lows[0] == 0.0
    assert 0.5 < lows[1] < lows[2] < 0.9 < lows[3] < 0.95 < lows[4]


@pytest.mark.parametrize("n", [3, 6, 9])
def test_on_one_task_the_interval_leaves_a_half_out_where_scipys_mann_whitney_rejects(n):
    rng, rejected = np.random.default_rng(n), 0
    for shift in np.linspace(0, 2.5, 30):
        x, y = rng.normal(shift, 1, n), rng.normal(0, 1, n + 1)
        result = improvement([x.tolist()], [y.tolist()], confidence_level=0.9)
        pvalue = stats.mannwhitneyu(x, y, method="exact").pvalue
        assert (result.low > 0.5 or result.high < 0.5) == (pvalue <= 0.1)
        rejected += pvalue <= 0.1
    assert 3 <= rejected <= 27


@pytest.mark.slow
@pytest.mark.parametrize(("n_tasks", "n", "m"), [(1, 3, 3), (1, 10, 10), (6, 3, 3), (6, 2, 8), (6, 10, 10), (26, 5, 5)])
@pytest.mark.parametrize("shift", [0.0, 0.5, 1.2])
def test_the_interval_covers_the_true_improvement(n_tasks, n, m, shift):
    """Of 1,000 experiments 95 %, less four standard errors."""
    rng, true, n_held = np.random.default_rng([n_tasks, n, m]), 0.5 * (1 + erf(shift / 2)), 0
    for _ in range(1_000):
        x, y = rng.normal(shift, 1, (n_tasks, n)), rng.normal(0, 1, (n_tasks, m))
        low, high = improvement_law(list(x), list(y)).interval(0.95)
        n_held += low <= true <= high
    assert n_held / 1_000 > 0.95 - 4 * 0.0069
