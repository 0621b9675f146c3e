"""`coverage`: what `aggregate` gives group by group, held against all runs; known truths are found, nonsense is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff import lab
from runoff._inference.bootstrap import INTERVALS, parse_metric
from runoff.base.random import Streams
from runoff.lab.contenders.estimates import estimates_of, true_of_runs
from runoff.lab.contenders.registry import Batch
from runoff.lab.own_runs.covering import Errors, about_coverage, ends_of, share_drawn
from runoff.lab.own_runs.runs import OwnRuns, groups, own_runs
from tests.places import SHARED

RNG = np.random.default_rng(4)
TASKS = ro.Scores.from_dict({"A": RNG.normal(size=(20, 3))})
METRICS = ("iqm", "median", "mean", "optimality_gap", "trimmed_mean_10")


def batch_of(scores, n, n_batch, n_resamples=2000):
    (runs,), _ = own_runs(scores)
    drawn = groups(runs, n, n_batch, np.random.default_rng(1))[:, None]
    return runs, Batch(scores=drawn, alpha=0.05, n_resamples=n_resamples, streams=Streams(0), key=(1, 2, 3))


def aggregated(batch, i, metric, interval, n_resamples=2000):
    """Return what `aggregate` says of group i, from the seed that the study gives it."""
    scores = ro.Scores.from_dict({"A": batch.scores[i, 0].T})
    seed = int(batch.generator(f"coverage {interval}", i).integers(2**63))
    return ro.aggregate(scores, measure=[metric], interval=interval, n_resamples=n_resamples, rng=seed).rows[0]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("interval", ["t", "bca"])
def test_estimates_and_ends_are_those_of_aggregate(metric, interval):
    _, batch = batch_of(TASKS, 6, 4)
    points = estimates_of(batch, 0, parse_metric(metric))
    ends = ends_of(batch, [parse_metric(metric)], interval, shared=False)[0]
    for i in range(4):
        record = aggregated(batch, i, metric, interval)
        assert points[i] == pytest.approx(record.estimate, abs=1e-12)
        assert ends[:, i] == pytest.approx([record.low, record.high], abs=1e-12)


@pytest.mark.parametrize("metric", METRICS[:4])
@pytest.mark.parametrize("interval", ["percentile", "basic"])
def test_ends_from_shared_resamples_are_those_of_aggregate_up_to_the_draws(metric, interval):
    _, batch = batch_of(TASKS, 6, 4)
    ends = ends_of(batch, [parse_metric(metric)], interval, shared=False)[0]
    records = [aggregated(batch, i, metric, interval, 20_000) for i in range(4)]
    wide = np.array([record.high - record.low for record in records])
    # 2,000 resamples place an end of a 95 % interval to a standard error of about a fortieth of its width.
    assert np.all(np.abs(ends - [[r.low for r in records], [r.high for r in records]]) < 0.1 * wide)


@pytest.mark.parametrize("interval", ["t", "percentile", "basic", "bca"])
def test_groups_without_spread_have_no_interval(interval):
    flat = Batch(scores=np.full((3, 1, 1, 4), 2.0), alpha=0.05, n_resamples=100, streams=Streams(0), key=(1, 1, 0))
    assert np.isnan(ends_of(flat, [parse_metric("iqm")], interval, shared=False)).all()


def test_closed_intervals_of_the_mean_are_exactly_those_of_aggregate_and_so_is_their_coverage():
    runs, batch = batch_of(TASKS, 5, 200)
    records = [aggregated(batch, i, "mean", "t") for i in range(200)]
    truth = np.mean([cell.mean() for cell in runs.cells])
    points = np.array([record.estimate for record in records])
    shift, keep = points.mean() - truth, np.sqrt(1 - 5 / 20)
    errors = shift / keep**2 + (points - points.mean()) / keep
    expected = [r.low <= r.estimate - e <= r.high for r, e in zip(records, errors, strict=True)]
    low, high = ends_of(batch, [parse_metric("mean")], "t", shared=False)[0]
    covered = Errors(points, true_of_runs(runs.cells, parse_metric("mean")), share_drawn(runs, 5)).cover(low, high)
    assert covered.tolist() == expected


def test_the_records_are_the_shares_of_the_groups():
    result = lab.coverage(TASKS, measure="mean", interval=["t", "percentile"], n_runs=5, n_repeats=400)
    t, percentile = result.rows
    assert percentile.coverage < t.coverage
    assert t.coverage_error == pytest.approx((t.coverage * (1 - t.coverage) / 400) ** 0.5)
    assert (t.truth, t.n_all, t.n_tasks, t.no_interval) == (pytest.approx(TASKS.values.mean()), 20, 3, 0.0)
    assert abs(t.bias) < 4 * t.bias_error


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 10])
def test_over_all_sets_of_normal_runs_students_interval_covers_as_promised_up_to_half_of_them(n):
    sets = np.random.default_rng(7).normal(size=(14, 20))
    rates = [
        lab.coverage({"A": {"Pong": runs}}, measure="mean", interval="t", n_runs=n, n_repeats=100).rows[0].coverage
        for runs in sets
    ]
    assert abs(np.mean(rates) - 0.95) < 4 * np.std(rates) / len(rates) ** 0.5


@pytest.mark.slow
def test_groups_that_are_not_widened_would_cover_too_well():
    runs, batch = batch_of(TASKS, 10, 2000)
    metric = parse_metric("mean")
    low, high = ends_of(batch, [metric], "t", shared=False)[0]
    truth = true_of_runs(runs.cells, metric)
    widened = Errors(estimates_of(batch, 0, metric), truth, share_drawn(runs, 10)).cover(low, high).mean()
    assert ((low <= truth) & (truth <= high)).mean() > 0.98
    assert 0.92 < widened < 0.98


def test_spread_is_that_of_new_runs_and_bias_grows_by_the_share_that_is_drawn():
    cell = np.random.default_rng(3).exponential(size=200)
    runs = OwnRuns(algorithm="A", tasks=("Pong",), cells=(cell,))
    points = groups(runs, 100, 4000, np.random.default_rng(0)).mean(axis=(1, 2))
    errors = Errors(points, float(cell.mean()), 0.5)
    assert errors.estimate_std == pytest.approx(cell.std(ddof=1) / 10, rel=0.05)
    assert errors.bias == pytest.approx(2 * (points.mean() - cell.mean()))


@pytest.mark.slow
def test_the_median_of_skewed_tasks_is_biased_as_by_a_plain_simulation():
    cells = np.random.default_rng(11).lognormal(sigma=1.5, size=(60, 5))
    record = lab.coverage({"A": cells}, measure="median", interval="t", n_runs=3, n_repeats=1500, n_resamples=100).rows[
        0
    ]
    new = np.random.default_rng(2).integers(0, 60, size=(15_000, 3, 5))
    medians = np.median(np.take_along_axis(cells[None], new, axis=1).mean(axis=1), axis=1)
    bias = medians.mean() - np.median(cells.mean(axis=0))
    assert abs(record.bias - bias) < 4 * (record.bias_error**2 + medians.var() / 15_000) ** 0.5 + 0.05 * abs(bias)


def test_threads_other_sizes_and_other_algorithms_change_no_number():
    many = ro.Scores.from_dict({name: RNG.normal(size=(12, 2)) for name in "AB"})
    options = {"measure": "iqm", "interval": "percentile", "n_repeats": 700, "n_resamples": 100}
    whole = lab.coverage(many, n_runs=[3, 5], threads=2, **options)
    alone = lab.coverage(many.select(algorithms=["B"]), n_runs=5, threads=1, **options)
    assert alone.rows[0] in whole.rows


@pytest.mark.slow
def test_shared_runs_are_drawn_as_a_whole():
    rows = RNG.normal(size=(30, 1)) + np.zeros((30, 4))
    shared = ro.Scores.from_dict({"A": rows}, runs="shared")
    result = lab.coverage(shared, measure="mean", n_runs=5, n_repeats=300, n_resamples=200)
    assert set(result.intervals) == {"t", "percentile", "basic"}
    assert result.rows[0].estimate_std == pytest.approx(rows[:, 0].std() / 5**0.5, rel=0.15)


def test_the_sentence_names_what_is_covered_and_what_to_use():
    result = lab.coverage(TASKS, measure="iqm", n_runs=3, n_repeats=150, n_resamples=200)
    covered = {r.interval: 100 * r.coverage for r in result.rows}
    assert result.sentence.startswith(
        f"With 3 runs your percentile intervals for the interquartile mean cover {covered['percentile']:.1f}\u00a0%, not 95\u00a0%; "
        f"use t ({covered['t']:.1f}\u00a0%)."
    )


@pytest.mark.parametrize("wide", [("basic", "bca"), ("bca", "basic")])
def test_of_intervals_that_cover_the_narrowest_by_its_widest_algorithm_is_named(wide):
    row = lab.coverage(TASKS, measure="mean", interval="t", n_runs=3, n_repeats=50, n_resamples=100).rows[0]
    widths = {"percentile": (0.1, 0.2), wide[0]: (1.0, 9.0), wide[1]: (2.0, 3.0)}
    rows = [
        replace(
            row, algorithm=a, interval=interval, mean_width=width, coverage=0.5 if interval == "percentile" else 0.95
        )
        for interval, both in widths.items()
        for a, width in zip("AB", both, strict=True)
    ]
    assert about_coverage(rows, 0.95).endswith(f"use {INTERVALS[wide[1]].label} (95.0\u00a0%).")


def test_where_no_interval_covers_that_with_the_best_worst_case_comes_nearest():
    row = lab.coverage(TASKS, measure="mean", interval="t", n_runs=3, n_repeats=50, n_resamples=100).rows[0]
    shares = {"percentile": (0.5, 0.6), "basic": (0.4, 0.8), "bca": (0.6, 0.7)}
    for order in (shares, dict(reversed(shares.items()))):
        rows = [
            replace(row, algorithm=a, interval=interval, coverage=share)
            for interval, both in order.items()
            for a, share in zip("AB", both, strict=True)
        ]
        assert f"{INTERVALS['bca'].label} (60.0 to 70.0\u00a0%) comes nearest." in about_coverage(rows, 0.95)


def test_the_sentences_of_both_checks_say_over_how_many_algorithms_they_speak():
    runs = {name: np.random.default_rng(5).normal(size=12) for name in "ABC"}
    several, alone = (ro.Scores.from_dict({name: {"Pong": runs[name]} for name in names}) for names in ("ABC", "A"))
    covering, testing = {"measure": "mean", "interval": "t"}, {"test": "welch"}
    for check, options, among in (
        (lab.coverage, covering, "over 3 algorithms"),
        (lab.false_positive_rate, testing, "of 3 algorithms"),
    ):
        assert among in check(several, n_runs=3, n_repeats=50, **options).sentence
        assert "algorithm" not in check(alone, n_runs=3, n_repeats=50, **options).sentence


def test_few_runs_are_not_judged():
    assert (
        "too few to judge"
        in lab.coverage({"A": {"Pong": [1.0, 2.0, 4.0, 3.0]}}, n_repeats=20, n_resamples=100).sentence
    )


REFUSED = [
    ({"data": {"A": {"Pong": [1.0, 2.0]}}}, ro.DesignError, "'A' has 2 runs on 'Pong'"),
    ({"n_runs": 11}, ro.DesignError, "groups of up to 10 can be drawn"),
    ({"measure": "iqmm"}, ro.OptionError, "Did you mean 'iqm'"),
    ({"measure": []}, ro.OptionError, "measure is empty"),
    ({"interval": "percentil"}, ro.OptionError, "Did you mean 'percentile'"),
    ({"interval": []}, ro.OptionError, "interval is empty"),
    ({"confidence_level": 1.0}, ro.OptionError, "confidence_level must lie strictly between 0 and 1"),
    ({"n_resamples": 3}, ro.OptionError, "n_resamples"),
]


@pytest.mark.parametrize(("options", "kind", "sentence"), REFUSED)
def test_what_cannot_be_answered_is_refused_in_a_sentence(options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        lab.coverage(**({"data": TASKS} | options))


@pytest.mark.skipif(not (SHARED / "atari_100k").is_dir(), reason="the runs are not part of the project")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["DER", "OTRainbow", "SPR", "DrQ(eps)"])
def test_percentile_intervals_of_the_iqm_are_good_from_ten_runs_on_atari_100k(name):
    scores = ro.read_scores(SHARED / "atari_100k" / f"{name}.json").normalize("atari")
    result = lab.coverage(scores, measure="iqm", interval="percentile", n_runs=[3, 5, 10, 25], n_resamples=1000)
    three, five, ten, many = (record.coverage for record in result.rows)
    assert three < five < 0.94
    assert min(ten, many) > 0.91
    assert max(ten, many) < 0.98
