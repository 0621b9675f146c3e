"""How many more runs an undecided pair needs: from its interval and the lead that matters, whatever lead was seen."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.pairs import PairData, margin_of_range
from runoff._inference.pairs.outlook import BEYOND, first_enough

DESIGNS = pytest.mark.parametrize(("n_tasks", "n"), [(1, 3), (1, 8), (3, 5), (6, 3)])


def scores_of(n_tasks, n, *, lead=0.0, scale=1.0, seed=0):
    rng = np.random.default_rng([seed, n_tasks, n])
    runs = {name: scale * (rng.normal(0, 1, (n, n_tasks)) + ahead) for name, ahead in (("A", lead), ("B", 0.0))}
    return ro.Scores.from_dict(runs, score_unit="shared")


def undecided(n_tasks, n, **options):
    """The pairs of some data sets that are not decided."""
    pairs = [ro.compare(scores_of(n_tasks, n, seed=seed), measure="mean", **options).pairs[0] for seed in range(3)]
    return [pair for pair in pairs if pair.winner is None]


@pytest.mark.slow
@DESIGNS
@pytest.mark.parametrize("margin", [None, 0.05, 0.6, 4.0])
def test_the_interval_and_the_margin_say_which_of_three_outcomes_it_is(n_tasks, n, margin):
    for pair in undecided(n_tasks, n, margin=margin):
        if pair.verdict == "equivalent":  # within the margin that was named, which is a verdict
            assert (pair.planning_margin, pair.outlook, pair.needed_runs) == (None, "", None)
            continue
        beyond = sum(end > pair.planning_margin for end in (-pair.deciding[0], pair.deciding[1]))
        assert pair.outlook == ("ruled_out", "one_side", "both_sides")[beyond]
        assert (pair.needed_runs is None) == (beyond == 0)
        assert pair.needed_runs is None or pair.needed_runs > n
        assert (margin or pair.planning_margin) == pair.planning_margin


def width(pair, cells, runs):
    """The width of Student's interval of so many runs of each, whose variances are those of these."""
    variance = sum(cell.var(ddof=1) for cell in cells) / len(pair_tasks(cells)) ** 2
    df = len(cells) * (runs - 1)
    return 2 * stats.t.ppf(0.975, df) * sqrt(variance / runs)


def pair_tasks(cells):
    return cells[: len(cells) // 2]


@pytest.mark.parametrize(
    ("measure", "either"),
    [("mean", "no difference or that lead"), ("improvement", "50\N{NO-BREAK SPACE}% or that probability")],
)
def test_the_sentence_promises_no_more_than_that_the_interval_leaves_out_one_of_two(measure, either):
    (pair,) = ro.compare(scores_of(3, 5), measure=measure).pairs
    assert pair.sentence.endswith(
        f"; with {pair.needed_runs} runs of each on each task, if they spread as these do, the interval leaves out either {either}."
    )


@pytest.mark.parametrize("n_tasks", [1, 4])
def test_so_many_runs_and_no_fewer_make_the_interval_as_narrow_as_the_margin(n_tasks):
    # With twenty runs Welch's degrees of freedom are nearly Student's.
    scores = scores_of(n_tasks, 20, seed=3)
    (pair,) = ro.compare(scores, measure="mean", margin=0.1).pairs
    cells = [*scores.cells("A"), *scores.cells("B")]
    assert width(pair, cells, pair.needed_runs) == pytest.approx(0.1, rel=0.01)


def test_the_lead_that_was_seen_has_no_say():
    needed = {
        ro.compare(scores_of(1, 8, lead=lead), measure="mean", margin=0.2).pairs[0].needed_runs
        for lead in (-0.2, 0.0, 0.1, 0.3)
    }
    assert len(needed) == 1


def test_a_smaller_margin_needs_more_runs_and_the_unit_has_no_say():
    runs = [ro.compare(scores_of(3, 5), measure="mean", margin=m).pairs[0].needed_runs for m in (0.4, 0.2, 0.1)]
    assert runs == sorted(runs)
    assert runs[0] < runs[-1]
    small, large = (ro.compare(scores_of(3, 5, scale=scale), measure="mean").pairs[0] for scale in (1.0, 1000.0))
    assert large.planning_margin == pytest.approx(1000 * small.planning_margin)
    assert (large.outlook, large.needed_runs) == (small.outlook, small.needed_runs)


@pytest.mark.parametrize("measure", ["mean", "iqm", "median", "improvement"])
def test_a_pair_turned_has_the_same_outlook_and_the_margin_is_what_a_tenth_of_the_range_makes(measure):
    scores = scores_of(5, 4, seed=1)
    (pair,) = ro.compare(scores, measure=measure).pairs
    (other,) = ro.compare(scores, measure=measure, pairs=[("B", "A")]).pairs
    assert (other.planning_margin, other.outlook, other.needed_runs) == (
        pytest.approx(pair.planning_margin),
        pair.outlook,
        pair.needed_runs,
    )
    ranges = [np.ptp(np.concatenate(both)) for both in zip(scores.cells("A"), scores.cells("B"), strict=True)]
    expected = {"mean": np.mean(ranges) / 10, "improvement": 0.1}.get(measure)
    assert expected is None or pair.planning_margin == pytest.approx(expected)
    assert 0 < pair.planning_margin <= max(ranges) / 10


def test_of_rates_a_tenth_of_their_range_matters_and_of_their_chance_half_of_it():
    cells = {name: {"t": [1.0] * k + [0.0] * (12 - k), "u": [1.0] * 6 + [0.0] * 6} for name, k in (("A", 9), ("B", 7))}
    pair = PairData.of(ro.Scores.from_dict(cells), 0, 1)
    assert margin_of_range(pair, "mean") == 2 * margin_of_range(pair, "improvement") == 0.1
    assert margin_of_range(replace(pair, binary=False), "improvement") == 0.1


def test_where_one_was_found_better_nothing_is_said_of_more_runs():
    (pair,) = ro.compare(scores_of(1, 8, lead=9.0), measure="mean").pairs
    assert (pair.winner, pair.planning_margin, pair.outlook, pair.needed_runs) == ("A", None, "", None)
    assert "would" not in pair.sentence


@pytest.mark.parametrize("test", ["welch", "mack_skillings", "bootstrap"])
def test_a_test_by_name_has_the_outlook_of_its_interval(test):
    (pair,) = ro.compare(scores_of(1, 6), test=test, n_resamples=200).pairs
    assert (pair.outlook != "") == (pair.deciding[0] is not None)


@pytest.mark.parametrize(
    ("n", "df", "goal"), [(2, 1.0, 0.1), (3, 4.0, 1.5), (5, 37.3, 0.02), (20, 30.0, 5.0), (4, 3.0, 1e-3)]
)
def test_the_first_number_of_runs_that_is_enough_is_that_of_a_search_from_the_first(n, df, goal):
    def reach(runs):
        return 2 * sqrt(n / runs) * stats.t.ppf(0.995, max(df * (runs - 1) / (n - 1), 1.0))

    enough = first_enough(n, 1.0, df, 0.01, goal)
    assert reach(enough) <= goal * (1 + 1e-12)
    assert enough == n or reach(enough - 1) > goal
    assert first_enough(n, 1.0, df, 0.01, 1e-9) == BEYOND  # more than are ever said
