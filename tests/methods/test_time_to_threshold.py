"""Steps until a score is reached; runs that never reach it are censored."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import runoff as ro
from runoff._inference.steps.reach import Times
from runoff.exits.text import joined, rows_of


def curves(ends, n_steps=10):
    """Runs of {algorithm: [step at which it reaches 1, or None]}; scores are 0 before."""
    rows = [
        (name, i, s, float(at is not None and s >= at))
        for name, runs in ends.items()
        for i, at in enumerate(runs)
        for s in range(n_steps)
    ]
    columns = ("algorithm", "run", "step", "score")
    return ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)})


DATA = {"A": [2, 3, 3, 4, 5], "B": [6, 7, None, None, 8]}


def test_the_median_counts_runs_that_never_reach_the_score():
    a, b = ro.time_to_threshold(curves(DATA), 1.0).rows
    assert (a.estimate, a.n_reached) == (3.0, 5)
    assert (b.estimate, b.n_reached, b.n_runs) == (8.0, 3, 5)
    most_fail = ro.time_to_threshold(curves({"A": [2, None, None, 3, None]}), 1.0)
    assert most_fail.rows[0].estimate is None
    assert most_fail.sentence == "Half of the runs reach a score of 1 in 0 of 1 cell."
    (table,) = most_fail.tables()
    assert list(map(joined, rows_of(table, table.columns)[0])) == ["task", "A", "–", "2 of 5"]


def evaluated(every, first=0, *, noise=0.0, seed=0):
    """Rows of five runs whose score at each step is the step, with noise, evaluated so often."""
    draw = np.random.default_rng(seed)
    return [(run, step, step + noise * draw.normal()) for run in range(5) for step in range(first, 1001, every)]


def of_rows(**algorithms):
    rows = [(name, *row) for name, own in algorithms.items() for row in own]
    return ro.Curves.from_frame(
        {c: [row[k] for row in rows] for k, c in enumerate(("algorithm", "run", "step", "score"))}
    )


@pytest.mark.parametrize("other", [evaluated(50), evaluated(10, 500), evaluated(70, 3)])
def test_whoever_is_evaluated_more_often_or_earlier_is_not_sooner(other):
    result = ro.time_to_threshold(of_rows(A=evaluated(10), B=other), 310)
    assert [pair.sooner for pair in result.pairs] == [None]
    assert result.rows[0].estimate == result.rows[1].estimate
    assert "runs were evaluated at different steps" in result.notes[0]


def test_neither_of_two_schedules_lags_behind_over_all_thresholds():
    both = of_rows(A=evaluated(33), B=evaluated(40))
    sooner = [ro.time_to_threshold(both, float(score)).pairs[0].sooner for score in range(300, 700, 7)]
    assert abs(sooner.count("A") - sooner.count("B")) <= 5


def test_more_evaluations_of_noise_are_no_more_chances_to_reach_a_score():
    sooner = 0
    for seed in range(40):
        often, seldom = evaluated(5, noise=300.0, seed=seed), evaluated(100, noise=300.0, seed=seed + 99)
        sooner += ro.time_to_threshold(of_rows(A=often, B=seldom), 900.0, n_resamples=500).pairs[0].sooner == "A"
    assert sooner <= 6


def test_runs_that_end_early_on_one_schedule_are_looked_at_as_they_were_evaluated():
    crashed = [row for row in evaluated(10) if row[0] or row[1] < 400]
    result = ro.time_to_threshold(of_rows(A=evaluated(10), B=crashed), 500)
    assert result.notes == ()
    assert [row.n_reached for row in result.rows] == [5, 4]


def losses(sign=1.0):
    """Losses of five runs of A and B that fall from 10, B's twice as fast; negated where sign is −1."""
    rows = [(name, run, step) for name in "AB" for run in range(5) for step in range(11)]
    return {
        "algorithm": [row[0] for row in rows],
        "run": [row[1] for row in rows],
        "step": [row[2] for row in rows],
        "score": [sign * 10 / (1 + row[2] * (1 + (row[0] == "B"))) for row in rows],
    }


@pytest.mark.parametrize("threshold", [2.0, -2.0])
def test_a_cost_to_reach_is_given_as_a_cost_or_as_its_score(threshold):
    curves = ro.load(losses(), lower_is_better=True)
    result = ro.time_to_threshold(curves, threshold)
    assert [(row.threshold, row.estimate, row.n_reached) for row in result.rows] == [(-2.0, 4.0, 5), (-2.0, 2.0, 5)]
    note = "scores are negated costs: a cost of 2 is a score of −2"
    assert result.notes == ((note,) if threshold > 0 else ())


def test_a_threshold_beyond_scores_that_are_no_costs_stays_what_it_is():
    assert {row.n_reached for row in ro.time_to_threshold(ro.load(losses(-1.0)), 2.0).rows} == {0}


def numerator(times, reached, side):
    """Events of one side, observed minus expected, event by event."""
    total = 0.0
    for event in sorted(set(times[reached])):
        at_risk, now = times >= event, reached & (times == event)
        total += (now & side).sum() - now.sum() * (at_risk & side).sum() / at_risk.sum()
    return total


@pytest.mark.parametrize(
    "ends", [DATA, {"A": [2, None, 3], "B": [3, 5, None, None]}, {"A": [1, 1, 2, None], "B": [None, 4]}]
)
def test_the_test_counts_all_relabellings_of_runs(ends):
    (pair,) = ro.time_to_threshold(curves(ends), 1.0).pairs
    runs = [*ends["A"], *ends["B"]]
    times = np.array([9.0 if end is None else end for end in runs])
    reached = np.array([end is not None for end in runs])
    sides = [np.isin(np.arange(len(runs)), chosen) for chosen in combinations(range(len(runs)), len(ends["A"]))]
    deviations = np.abs([numerator(times, reached, side) for side in sides])
    assert (pair.pvalue, pair.method) == (pytest.approx(np.mean(deviations >= deviations[0] - 1e-9)), "exact")


def test_the_large_sample_law_is_scipys_log_rank():
    (pair,) = ro.time_to_threshold(curves(DATA), 1.0, test="logrank").pairs
    b = stats.CensoredData(uncensored=[6, 7, 8], right=[9, 9])
    assert pair.pvalue == pytest.approx(stats.logrank([2, 3, 3, 4, 5], b).pvalue)
    assert (pair.rejected, pair.method) == (True, "asymptotic")


def test_the_algorithm_whose_runs_reach_it_sooner_is_named_first():
    for data in (DATA, dict(zip("AB", (DATA["B"], DATA["A"]), strict=True))):
        (pair,) = ro.time_to_threshold(curves(data), 1.0).pairs
        sooner = "A" if data["A"] == DATA["A"] else "B"
        assert pair.sooner == sooner
        assert pair.sentence.startswith(f"{sooner} reaches a score of 1 on task sooner than ")


def test_many_runs_are_relabelled_at_random_and_repeat_with_the_seed():
    many = {"A": [1, 3, 2, 5, None] * 5, "B": [2, 4, 3, 8, None] * 5}
    first, again = (ro.time_to_threshold(curves(many), 1.0, rng=3).pairs[0] for _ in range(2))
    assert first == again
    assert first.method == "monte_carlo"
    large = ro.time_to_threshold(curves(many), 1.0, test="logrank").pairs[0]
    assert first.pvalue == pytest.approx(large.pvalue, abs=0.03)


def test_the_curves_are_one_minus_kaplan_and_meier():
    _, b = ro.time_to_threshold(curves({"A": [1], "B": [6, 7, None, None, 8]}), 1.0).curves
    assert (b.steps, b.ended) == ((6.0, 7.0, 8.0), (9.0, 9.0))
    assert b.shares == pytest.approx((0.2, 0.4, 0.6))


def test_the_interval_is_where_scipys_band_comes_down_to_a_half():
    record = ro.time_to_threshold(curves({"A": [1, 2, 3, 4, 5, 6, 7, 8]}), 1.0).rows[0]
    with pytest.warns(RuntimeWarning, match="undefined at some observations"):
        band = stats.ecdf(np.arange(1.0, 9)).sf.confidence_interval(method="log-log")
    assert record.low == next(q for q, p in zip(band.low.quantiles, band.low.probabilities, strict=True) if p <= 0.5)
    assert record.low <= record.estimate <= record.high


@pytest.mark.filterwarnings("ignore:The confidence interval is undefined")
def test_median_and_interval_are_scipys_for_censored_times_with_ties():
    rng = np.random.default_rng(0)
    for _ in range(200):
        times, reached = rng.integers(1, 8, 9).astype(float), rng.random(9) < 0.7
        times, reached = np.append(times, [1.0, 2.0]), np.append(reached, [True, True])
        survival = stats.ecdf(stats.CensoredData(uncensored=times[reached], right=times[~reached])).sf
        band = survival.confidence_interval(0.9, method="log-log")
        low = np.where(np.isnan(band.low.probabilities), survival.probabilities, band.low.probabilities)
        bands = (survival.probabilities, low, np.nan_to_num(band.high.probabilities, nan=1.0))
        ours = Times(times=times, reached=reached).median(0.9)
        assert ours == tuple(next(iter(survival.quantiles[chances <= 0.5 + 1e-12]), None) for chances in bands)


def test_the_median_of_runs_that_all_reach_it_is_the_middle_time_whatever_rounding_makes_of_a_half():
    for n in range(1, 130):
        assert Times(times=np.arange(1.0, n + 1), reached=np.ones(n, bool)).median(0.9)[0] == (n + 1) // 2


def test_a_single_run_that_reaches_it_gives_no_interval():
    alone = Times(times=np.array([2.0, 9.0, 9.0]), reached=np.array([True, False, False]))
    assert alone.median(0.95) == (None, None, None)


def test_runs_that_ended_early_are_censored_and_need_no_policy():
    early = curves(DATA).to_frame()
    short = ro.Curves.from_frame(early.filter((early["run"] != "2") | (early["step"] <= 3)))
    assert [r.n_reached for r in ro.time_to_threshold(short, 1.0).rows] == [5, 3]


def test_nobody_reaches_it_is_no_difference():
    (pair,) = ro.time_to_threshold(curves(DATA), 9.0).pairs
    assert (pair.pvalue, pair.rejected) == (1.0, False)


def test_single_runs_have_a_time_and_no_interval():
    record = ro.time_to_threshold(curves({"A": [4]}), 1.0).rows[0]
    assert (record.estimate, record.low, record.high) == (4.0, None, None)


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (float("nan"), "threshold must be a finite score"),
        ("high", "not 'high'"),
        ({"u": 1.0}, "names the task 'u', which is not there"),
    ],
)
def test_a_threshold_that_is_no_score_is_refused(threshold, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.time_to_threshold(curves(DATA), threshold)


def test_however_many_pairs_there_are_a_difference_can_be_found():
    # Twelve algorithms of 25 runs: of as few draws as are asked for no p-value could pass Holm's correction over 66 tests.
    ends = {f"m{i:02}": [*range(1 + 25 * (i % 2), 26 + 25 * (i % 2))] for i in range(12)}
    pairs = ro.time_to_threshold(curves(ends, n_steps=60), 1.0, n_resamples=100).pairs
    assert (len(pairs), {pair.method for pair in pairs}) == (66, {"monte_carlo"})
    unlike = [pair for pair in pairs if int(pair.a[1:]) % 2 != int(pair.b[1:]) % 2]
    assert max(pair.pvalue_adjusted for pair in unlike) < 0.05


@pytest.mark.parametrize(
    ("n_runs", "last", "words"), [(5, 9.0, ", though all of them reach it"), (5, 0.0, ""), (30, 9.0, None)]
)
def test_a_median_without_an_upper_end_says_that_runs_are_few(n_runs, last, words):
    # Run k arrives at step k + 1, the last one only where its last score says so.
    rows = [
        ("A", run, step, last if run == n_runs - 1 and step == n_runs else 9.0 * (step > run and run < n_runs - 1))
        for run in range(n_runs)
        for step in range(1, n_runs + 1)
    ]
    names = ("algorithm", "run", "step", "score")
    result = ro.time_to_threshold(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), 5.0)
    assert (result[0].high is None) == (words is not None)
    text = "The runs of A are too few to bound the median from above (∞), though all of them reach it."
    text = text if words else "Too few runs of A reach it to bound the median from above (∞)."
    assert (text in result.sentence) == (words is not None)
    assert ("to bound the median" in result.sentence) == (words is not None)
    caption = result.tables()[0].caption
    assert ("infinite where the runs do not bound them" in caption) == (words is not None)


def test_an_algorithm_without_curves_on_a_task_is_compared_on_the_others():
    columns = {name: [] for name in ("algorithm", "task", "run", "step", "score")}
    for algorithm, task in (("A", "t"), ("A", "u"), ("B", "t")):
        for run, end in enumerate(DATA[algorithm]):
            for step in range(10):
                row = (algorithm, task, run, step, float(end is not None and step >= end))
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
    result, alone = ro.time_to_threshold(columns, 1.0), ro.time_to_threshold(curves(DATA), 1.0)
    assert [(row.algorithm, row.task) for row in result.rows] == [("A", "t"), ("A", "u"), ("B", "t")]
    assert [(pair.task, pair.pvalue) for pair in result.pairs] == [("t", alone.pairs[0].pvalue)]


def test_where_all_runs_reach_it_at_one_step_the_large_sample_law_knows_no_difference():
    (pair,) = ro.time_to_threshold(curves({"A": [3] * 4, "B": [3] * 5}), 1.0, test="logrank").pairs
    assert pair.pvalue == 1.0
