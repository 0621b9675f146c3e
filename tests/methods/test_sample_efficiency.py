"""A metric against steps: the aggregate of every step, whole runs resampled."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import runoff as ro

RNG = np.random.default_rng(5)


def table(n_runs=6, n_steps=8, algorithms=("A", "B"), tasks=("t", "u")):
    rows = []
    for a in algorithms:
        for t in tasks:
            for run in range(n_runs):
                scores = RNG.normal(size=n_steps).cumsum() + run / 3
                rows += [(a, t, run, 10 * s, score) for s, score in enumerate(scores.tolist())]
    return {name: [row[k] for row in rows] for k, name in enumerate(("algorithm", "task", "run", "step", "score"))}


CURVES = ro.Curves.from_frame(table())
FAST = {"n_resamples": 500}


@pytest.mark.parametrize("metric", ["iqm", "mean", "median", "optimality_gap", "trimmed_mean_10"])
def test_the_interval_at_a_step_is_that_of_aggregate(metric):
    result = ro.curves(CURVES, measure=metric, **FAST)
    for record in result.rows:
        alone = ro.aggregate(CURVES.at(record.step), measure=[metric], **FAST)[record.algorithm, metric]
        expected = pytest.approx((alone.estimate, alone.low, alone.high), rel=1e-12)
        assert (record.estimate, record.low, record.high) == expected


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca"])
def test_every_interval_at_one_step_is_that_of_aggregate(interval):
    (record, *_) = ro.curves(CURVES, steps=[45], interval=interval, **FAST).rows
    alone = ro.aggregate(CURVES.at(45), measure=["mean"], interval=interval, **FAST)["A", "mean"]
    assert (record.low, record.high) == pytest.approx((alone.low, alone.high), rel=1e-12)


def test_shared_runs_have_the_interval_of_aggregate_too():
    shared = ro.Curves.from_frame(table(), runs="shared")
    for interval in ("auto", "percentile"):
        (record, *_) = ro.curves(shared, steps=[45], interval=interval, **FAST).rows
        alone = ro.aggregate(shared.at(45), measure=["mean"], interval=interval, **FAST)["A", "mean"]
        assert (record.low, record.high) == pytest.approx((alone.low, alone.high), rel=1e-9)


@pytest.mark.parametrize("options", [{"interval": "percentile"}, {"band": "simultaneous"}, {}])
def test_the_order_of_rows_runs_and_algorithms_changes_nothing(options):
    data = table()
    order = np.random.default_rng(0).permutation(len(data["step"]))
    shuffled = {name: [column[i] for i in order] for name, column in data.items()}
    shuffled["run"] = [{0: 4, 4: 0}.get(run, run) for run in shuffled["run"]]
    result, other = (ro.curves(ro.Curves.from_frame(d), **options, **FAST) for d in (data, shuffled))
    assert result.to_records() == other.to_records()
    alone = ro.curves(ro.Curves.from_frame(data).select(algorithms=["B"]), **options, **FAST)
    assert alone.to_records() == [r for r in result.to_records() if r["algorithm"] == "B"]


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
def test_units_of_scores_go_through_to_every_end(band):
    data = table()
    scaled = data | {"score": [8 * score - 64 for score in data["score"]]}
    result, other = (ro.curves(ro.Curves.from_frame(d), band=band, **FAST).rows for d in (data, scaled))
    for r, q in zip(result, other, strict=True):
        assert (q.estimate, q.low, q.high) == pytest.approx((8 * r.estimate - 64, 8 * r.low - 64, 8 * r.high - 64))


def test_a_single_run_has_estimates_without_intervals_and_a_warning():
    lonely = ro.Curves.from_frame(table(n_runs=1, algorithms=("A",)))
    with pytest.warns(ro.RunoffWarning, match="R002"):
        result = ro.curves(lonely, **FAST)
    assert {(r.low, r.high, r.interval) for r in result.rows} == {(None, None, None)}


@pytest.mark.parametrize(("band", "share"), [("pointwise", "79 to 92 %"), ("simultaneous", "88 to 96 %")])
def test_of_one_task_it_is_said_how_often_intervals_held_real_curves(band, share):
    codes = {}
    for tasks in (("t",), ("t", "u")):
        result = ro.curves(ro.Curves.from_frame(table(tasks=tasks)), measure="mean", band=band, **FAST)
        codes |= {len(tasks): {note.code: note.text for note in result.advice}}
    assert share in codes[1]["R405"]
    assert "R405" not in codes[2]


def test_constant_scores_have_no_interval_of_no_width():
    flat = table(tasks=("t",)) | {"score": [1.5] * 96}
    for options in ({}, {"interval": "percentile"}, {"band": "simultaneous"}):
        assert {r.low for r in ro.curves(ro.Curves.from_frame(flat), **options, **FAST).rows} == {None}


def test_areas_resample_whole_runs_where_draws_at_every_step_would_be_too_narrow():
    rng = np.random.default_rng(1)
    level = rng.normal(size=40)
    rows = [("A", run, s, level[run]) for run in range(40) for s in range(50)]
    curves = ro.Curves.from_frame(
        {n: [row[k] for row in rows] for k, n in enumerate(("algorithm", "run", "step", "score"))}
    )
    area = ro.aggregate(curves.auc(), measure=["mean"], **FAST).rows[0]
    step = ro.curves(curves, measure="mean", **FAST).rows[0]
    assert area.high - area.low == pytest.approx(step.high - step.low, rel=1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"band": "both"}, "band must be one of pointwise, simultaneous, not 'both'"),
        ({"band": "simultaneous", "interval": "bca"}, "interval='bca' has no simultaneous band; use 't'"),
        ({"measure": "best"}, "metrics are iqm, iqm_whole, mean"),
        ({"interval": "exact"}, "interval must be one of auto"),
        ({"along": "cost"}, "axis must be one of time, episodes"),
        ({"incomplete": "ignore"}, "incomplete must be one of"),
        ({"steps": [30, 20]}, "steps must increase"),
        ({"n_resamples": 3}, "n_resamples must be a whole number of at least 100"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(options, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.curves(CURVES, **options)


def test_end_scores_are_no_learning_curves():
    with pytest.raises(ro.DataError, match="these are end scores, one per run"):
        ro.curves(CURVES.final())
    with pytest.raises(ro.DataError, match="not as int"):
        ro.compare_curves(3)


def test_a_table_and_a_path_are_read_as_curves(tmp_path):
    CURVES.to_frame().write_csv(tmp_path / "runs.csv")
    for given in (table(), tmp_path / "runs.csv"):
        assert len(ro.curves(given, steps=3, **FAST).rows) == 6


def test_the_sentence_tells_the_last_step_and_a_curve_its_records():
    result = ro.curves(CURVES, steps=[0, 70], **FAST)
    assert re.match(r"[AB] has the higher mean of 2 algorithms at step 70, [\d.−]+ \[", result.sentence)
    assert [r.step for r in result.curve("B")] == [0.0, 70.0]


def test_the_sentence_names_the_lower_gap_of_two():
    table = {"algorithm": [*"AABB"], "run": [0, 1] * 2, "step": [1.0] * 4, "score": [0.5, 0.6, 0.8, 0.9]}
    result = ro.curves(ro.Curves.from_frame(table), steps=[1], measure="optimality_gap", **FAST)
    assert result.sentence.startswith("B has the lower ")


def test_more_steps_than_memory_holds_are_refused_with_the_bound():
    curves = ro.Curves.from_frame({"algorithm": ["A", "A"], "run": [0, 0], "step": [0, 9], "score": [1.0, 2.0]})
    for steps in (10_000_001, np.linspace(0, 9, 5_000_001)):
        with pytest.raises(ro.DataError, match="RUNOFF_MAX_VALUES"):
            ro.curves(curves, steps=steps)


@pytest.mark.parametrize(("later", "kind"), [(0.5, None), (1.0, "wilson")])
def test_zeros_at_one_step_are_no_success_rates_unless_all_steps_are(later, kind):
    rows = [("A", run, step, later * step * (run > 0)) for run in range(3) for step in (0, 1)]
    names = ("algorithm", "run", "step", "score")
    curves = ro.Curves.from_frame({name: [row[k] for row in rows] for k, name in enumerate(names)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        first = ro.curves(curves, measure="mean", **FAST).rows[0]
    assert first.interval == kind
    assert (first.low is None) == (kind is None)


def test_the_level_of_a_curve_is_that_of_aggregate_at_its_step():
    rows = {"algorithm": ["A"] * 12, "run": [r for r in range(4) for _ in range(3)], "step": [0, 5, 9] * 4}
    data = ro.Curves.from_frame(rows | {"score": np.random.default_rng(0).normal(size=12)})
    (last,) = [row for row in ro.curves(data, measure="mean", confidence_level=0.8) if row.step == 9]
    (alone,) = ro.aggregate(data.final(), measure="mean", confidence_level=0.8)
    assert (last.low, last.high) == pytest.approx((alone.low, alone.high))
