"""The intervals of the probability of improvement: the enumerated bootstrap, and where that has no width, Newcombe's score interval."""

from __future__ import annotations

import pytest

import runoff as ro
from tests.reference import bootstrap, intervals

X, Y = [[0.2, 0.5, 4.0], [0.1, 2.3]], [[0.4, 0.5], [0.0, 0.3, 2.3, 9.0]]  # two ties
LEVEL, N = 0.9, 50_000


def asked(x, y, **options):
    """The one record of the improvement of x over y."""
    a, b = ({f"task {t}": cell for t, cell in enumerate(cells)} for cells in (x, y))
    settings = {"confidence_level": LEVEL, "n_resamples": N} | options
    return ro.probability_of_improvement(ro.Scores.from_dict({"A": a, "B": b}), **settings).records[0]


def apart(*sizes):
    """Cells of these (n_x, n_y) in which every run of x is ahead."""
    return [[100.0 + i for i in range(n)] for n, _ in sizes], [[1.0 * i for i in range(m)] for _, m in sizes]


@pytest.mark.parametrize(("x", "y"), [(X, Y), (Y, X)])
def test_ends_are_quantiles_of_the_enumerated_bootstrap_of_both_sides(x, y):
    found, law = asked(x, y), intervals.improvement_law(x, y)
    assert (found.estimate, found.interval) == (pytest.approx(bootstrap.improvement(x, y)), "percentile")
    for end, level in ((found.low, 0.05), (found.high, 0.95)):
        error = intervals.error_of_a_share(level, N)
        assert law.has_quantile(end, level - error, level + error)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("sizes", [[(3, 3)], [(5, 5)], [(2, 9)], [(5, 5), (5, 5)], [(3, 8), (10, 4), (2, 2)]])
def test_of_runs_fully_apart_the_end_is_where_hanley_and_mcneils_variance_just_excludes_them(sizes, level):
    found = asked(*apart(*sizes), confidence_level=level)
    assert (found.estimate, found.interval, found.high, found.n_resamples) == (1.0, "score", 1.0, 0)
    assert found.low == pytest.approx(intervals.score_end(sizes, level), rel=1e-7)  # two root finders


@pytest.mark.parametrize("sizes", [[(3, 3)], [(3, 8), (10, 4)]])
def test_the_score_interval_of_the_loser_is_the_winners_mirrored(sizes):
    x, y = apart(*sizes)
    winner, loser = asked(x, y), asked(y, x)
    assert (loser.estimate, loser.low) == (0.0, 0.0)
    assert loser.high == pytest.approx(1 - winner.low, rel=1e-7)  # two root finders


def test_more_runs_bring_the_end_of_the_score_interval_nearer():
    lows = [asked(*apart((n, n))).low for n in (3, 5, 10, 30)]
    assert lows == sorted(lows)
    assert lows[-1] > 0.9


def test_the_percentile_interval_survives_any_increasing_map_of_the_scores():
    bent = [[[1000 * x**3 - 7 for x in cell] for cell in cells] for cells in (X, Y)]
    assert asked(*bent) == asked(X, Y)


def test_a_task_of_ties_alone_pulls_both_ends_towards_a_half():
    found = asked([[1.0, 2.0, 3.0], [5.0, 5.0]], [[2.5, 4.0, 0.0], [5.0, 5.0, 5.0]])
    alone = asked([[1.0, 2.0, 3.0]], [[2.5, 4.0, 0.0]])
    for field in ("estimate", "low", "high"):
        assert getattr(found, field) == pytest.approx((getattr(alone, field) + 0.5) / 2, abs=1 / 18)  # one atom


def test_two_runs_in_a_cell_are_enough_for_an_interval_and_one_is_not():
    for runs, known in (([1.0, 4.0], True), ([1.0], False)):
        data = ro.Scores.from_dict({"A": runs, "B": [2.0, 3.0, 5.0]})
        assert (ro.probability_of_improvement(data, n_resamples=200).records[0].low is not None) == known
