"""Places that are possible: what they agree with, what they do not depend on, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import runoff as ro
from tests.amount import examples

RNG = np.random.default_rng(8)
DATA = {name: RNG.normal(m, 1, (5, 3)) for name, m in (("A", 0.0), ("B", 0.8), ("C", 2.5), ("D", 2.6))}
SCORES = ro.Scores.from_dict(DATA)


def places(scores, **options):
    """What is said of each algorithm, without its estimate."""
    records = ro.rank_intervals(scores, n_resamples=1_000, **options).rows
    return {r.algorithm: (r.place, r.low, r.high, r.joint_low, r.joint_high, pytest.approx(r.p_best)) for r in records}


@pytest.mark.parametrize("measure", ["mean", "iqm", "improvement"])
def test_the_order_of_algorithms_tasks_and_rows_changes_nothing(measure):
    rows, tasks = RNG.permutation(5), RNG.permutation(3)
    turned = {name: DATA[name][rows][:, tasks] for name in ("C", "A", "D", "B")}
    again = ro.Scores.from_dict(turned, tasks=[f"task {t + 1}" for t in tasks])
    assert places(SCORES, measure=measure) == places(again, measure=measure)


@pytest.mark.parametrize("scale", [1e-70, 2.0, 1e70])
def test_units_change_nothing(scale):
    scaled = ro.Scores.from_dict({name: scale * (cells + 3) for name, cells in DATA.items()})
    assert places(scaled, measure="iqm") == places(SCORES, measure="iqm")


def test_chances_of_all_places_sum_to_one_both_ways_and_the_first_is_p_best():
    records = ro.rank_intervals(SCORES, measure="iqm").rows
    shares = np.array([r.p_places for r in records])
    assert shares.sum(axis=0) == pytest.approx(1)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert [r.p_best for r in records] == shares[:, 0].tolist()


@pytest.mark.parametrize("lead", [0.0, 3.0, -4.0])
def test_of_two_algorithms_p_best_is_that_of_independent_t_laws(lead):
    """The Behrens-Fisher law: P(b + e_b T > a + e_a T') with T, T' of each side's degrees of freedom."""
    a, b, n = [1.0, 2.0, 4.0, 3.5, 9.0], [2.0 + lead, 5.0 + lead, 4.5 + lead], 200_000
    wide, narrow = stats.sem(a), stats.sem(b)
    grid = (np.arange(20_000) + 0.5) / 20_000
    wanted = stats.t.cdf((np.mean(b) + narrow * stats.t.ppf(grid, 2) - np.mean(a)) / wide, 4).mean()
    best = ro.rank_intervals({"A": a, "B": b}, n_resamples=n)["B"].p_best
    assert abs(best - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / n)


def test_algorithms_that_are_plainly_apart_have_a_place_of_their_own():
    distant = ro.Scores.from_dict({f"a{i}": 10.0 * i + RNG.normal(0, 0.1, (3, 2)) for i in range(4)})
    for record in ro.rank_intervals(distant).rows:
        place = 4 - int(record.algorithm[1:])
        assert {record.place, record.low, record.high, record.joint_low, record.joint_high} == {place}


def test_lower_is_better_for_an_optimality_gap():
    data = ro.Scores.from_dict({"bad": [0.1, 0.2, 0.15, 0.1], "good": [0.9, 0.95, 0.92, 0.9]})
    result = ro.rank_intervals(data, measure="optimality_gap")
    assert [(r.algorithm, r.place, r.high) for r in result.best_first] == [("good", 1, 1), ("bad", 2, 2)]


def test_of_scores_below_1_the_least_gap_is_as_sure_as_the_highest_mean():
    data = ro.Scores.from_dict({name: RNG.uniform(0.1 * at, 0.7 + 0.1 * at, (4, 2)) for at, name in enumerate("ABC")})
    gap, mean = (ro.rank_intervals(data, measure=measure, n_resamples=1_000) for measure in ("optimality_gap", "mean"))
    assert [r.p_places for r in gap.rows] == [pytest.approx(r.p_places) for r in mean.rows]
    assert [(r.place, r.low, r.high) for r in gap.rows] == [(r.place, r.low, r.high) for r in mean.rows]


def test_the_chances_of_shared_runs_are_those_of_the_means_of_runs():
    data = {name: RNG.normal(0.3 * at, 1, (5, 1)) + RNG.normal(0, 0.3, (5, 4)) for at, name in enumerate("ABC")}
    whole = ro.rank_intervals(ro.Scores.from_dict(data, runs="shared"), measure="mean", n_resamples=1_000)
    means = ro.rank_intervals({name: cells.mean(axis=1) for name, cells in data.items()}, n_resamples=1_000)
    assert [r.p_places for r in whole.rows] == [pytest.approx(r.p_places) for r in means.rows]
    assert [(r.low, r.high) for r in whole.rows] == [(r.low, r.high) for r in means.rows]


def test_at_a_level_of_nine_tenths_three_runs_have_the_places_of_compare_at_a_tenth():
    """The p-value of three runs beside three is 0.1, and 1 − 0.9 is a little less in doubles."""
    data = {"A": [7.0, 8.0, 9.0], "B": [1.0, 2.0, 3.0]}
    (pair,) = ro.compare(data, measure="improvement", alpha=0.1).pairs
    places = ro.rank_intervals(data, measure="improvement", confidence_level=0.9)
    assert pair.verdict == "a_better"
    assert [(r.algorithm, r.low, r.high, r.joint_high) for r in places.rows] == [("A", 1, 1, 1), ("B", 2, 2, 2)]


def test_shared_runs_are_judged_by_whole_runs():
    common = np.linspace(-4, 4, 6)[:, None]
    data = {"A": common + RNG.normal(0, 0.1, (6, 8)), "B": common[::-1] + 2 + RNG.normal(0, 0.1, (6, 8))}
    separate, whole = (ro.rank_intervals(ro.Scores.from_dict(data, runs=runs)) for runs in ("per_task", "shared"))
    assert separate["B"].high == 1
    assert whole["B"].high == 2


def test_success_rates_without_spread_are_not_taken_for_certain():
    data = ro.Scores.from_dict({"A": [1.0] * 4, "B": [0.0, 1.0, 1.0, 1.0], "C": [0.0] * 4})
    result = ro.rank_intervals(data)
    assert [(r.low, r.high) for r in result.rows[:2]] == [(1, 2), (1, 3)]
    assert "R011" not in {advice.code for advice in result.advice}


def test_a_single_run_may_take_any_place_and_says_so():
    data = ro.Scores.from_dict({"A": {"t": [1.0, 2.0, 3.0], "u": [4.0]}, "B": {"t": [1.0, 2.0], "u": [1.0, 2.0]}})
    result = ro.rank_intervals(data, measure="mean")
    assert [(r.low, r.high, r.p_best) for r in result.rows] == [(1, 2, None)] * 2
    assert "R002" in {advice.code for advice in result.advice}


@pytest.mark.parametrize(("n_single", "says_best"), [(2, True), (1, False)])
def test_the_chance_of_being_best_has_a_column_and_its_words_where_it_is_known(n_single, says_best):
    data = {"A": {"t": [1.0, 2.0, 3.0], "u": [4.0, 3.0][:n_single]}, "B": {"t": [1.0, 2.0], "u": [1.0, 2.0]}}
    (table,) = ro.rank_intervals(ro.Scores.from_dict(data), measure="mean").tables()
    assert ("P(best)" in [column.head for column in table.columns]) is says_best
    assert ("P(best)" in table.caption) is says_best


def test_a_published_value_is_left_out_and_no_spread_is_told():
    data = ro.Scores.from_dict({"A": [1.0, 2.0], "B": [3.0, 3.0], "paper": [2.0]})
    result = ro.rank_intervals(data)
    assert result.algorithms == ("A", "B")
    assert {"R021", "R011"} <= {advice.code for advice in result.advice}


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: ro.rank_intervals({"A": [1.0, 2.0]}), "the data have one"),
        (lambda: ro.rank_intervals({"A": {"t": [1.0, 2.0], "u": [1.0]}, "B": {"t": [1.0, 2.0]}}), "select the 1 task"),
        (lambda: ro.rank_intervals(SCORES, measure="best"), "measures are auto"),
        (lambda: ro.rank_intervals(SCORES, confidence_level=95), "strictly between 0 and 1"),
        (lambda: ro.rank_intervals(SCORES, n_resamples=3), "n_resamples"),
        (lambda: ro.rank_intervals({"A": [1.0, float("nan")], "B": [1.0, 2.0]}), "not finite"),
    ],
)
def test_what_cannot_be_ranked_is_refused_with_the_repair(ask, words):
    with pytest.raises(ro.RunoffError, match=words):
        ask()


@pytest.mark.parametrize(("n", "places"), [(200, {1, 2, 3}), (2, {1})])
def test_of_equal_values_one_that_was_found_below_another_does_not_share_its_place(n, places):
    dice = {
        "A": [2.0, 4.0, 9.0],
        "B": [1.0, 6.0, 8.0],
        "C": [3.0, 5.0, 7.0],
    }  # each beats the next in five of nine throws
    rows = ro.rank_intervals(
        {name: n * sides for name, sides in dice.items()}, measure="improvement", n_resamples=200
    ).rows
    assert {row.estimate for row in rows} == {0.5}
    assert {row.place for row in rows} == places


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=4), min_size=2, max_size=5))
def test_the_estimated_place_is_always_possible(cells):
    data = ro.Scores.from_dict({f"a{i}": {"t": cell} for i, cell in enumerate(cells)})
    points = [float(np.mean(cell)) for cell in cells]
    for record, point in zip(ro.rank_intervals(data, n_resamples=200).rows, points, strict=True):
        assert record.place == 1 + sum(other > point for other in points)
        assert 1 <= record.joint_low <= record.low <= record.high <= record.joint_high <= len(cells)
        if not data.rates:
            assert record.low <= record.place <= record.high


def test_by_the_gap_of_success_rates_the_best_policy_has_the_highest_chance_of_being_best():
    data = ro.Scores.from_dict({"bad": [0.0] * 15 + [1.0] * 5, "good": [1.0] * 16 + [0.0] * 4, "fair": [0.0, 1.0] * 10})
    gap, mean = (ro.rank_intervals(data, measure=measure, n_resamples=1_000) for measure in ("optimality_gap", "mean"))
    assert [r.algorithm for r in sorted(gap.rows, key=lambda r: -r.p_best)] == ["good", "fair", "bad"]
    assert {r.algorithm: pytest.approx(r.p_best) for r in gap.rows} == {r.algorithm: r.p_best for r in mean.rows}
