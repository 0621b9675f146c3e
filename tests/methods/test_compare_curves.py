"""Where two algorithms differ along training."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs import PairData


def curves(shift=0.0, n_runs=6, n_steps=10, names=("A", "B"), tasks=("t",), from_step=5, **how):
    """Random walks; the first algorithm is `shift` ahead from a step on."""
    rng = np.random.default_rng(8)
    rows = []
    for name in names:
        for task in tasks:
            for run in range(n_runs):
                scores = rng.normal(size=n_steps).cumsum() / 3
                ahead = shift * (np.arange(n_steps) >= from_step) * (name == names[0])
                rows += [(name, task, run, s, score) for s, score in enumerate((scores + ahead).tolist())]
    columns = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)}, **how)


APART = curves(20.0)


def test_the_stretch_at_which_one_is_ahead_is_found_and_said():
    result = ro.compare_curves(APART, n_resamples=500)
    assert [(s.ahead, s.first, s.last, s.n_steps) for s in result.stretches] == [("A", 5, 9, 5)]
    assert result.sentence == "The mean of A is above that of B from step 5 to 9 (5 of 10 steps)."
    assert result.how.startswith("Pairs were compared at each step by the jackknife t test, max-T over the steps")
    assert [r.rejected for r in result.rows] == [False] * 5 + [True] * 5


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_success_rates_are_called_so_and_their_test_is_named(n_tasks):
    rows = [
        (a, t, r, s, int(a == "A" and s > 0)) for a in "AB" for t in range(n_tasks) for r in range(8) for s in (0, 1, 2)
    ]
    columns = ("algorithm", "task", "run", "step", "score")
    data = ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)})
    result = ro.compare_curves(data, n_resamples=500)
    assert result.sentence == "The success rate of A is above that of B from step 1 to 2 (2 of 3 steps)."
    assert "Pairs were compared at each step by the Miettinen-Nurminen score test, max-T" in result.how
    assert {r.measure for r in ro.curves(data, n_resamples=500).rows} == {"mean"}


def test_nothing_found_is_no_finding_of_equality():
    result = ro.compare_curves(curves(), n_resamples=500)
    assert not result.stretches
    assert "at any of 10 steps, which does not make them equal." in result.sentence


@pytest.mark.parametrize("correction", ["max_t", "bonferroni"])
def test_a_step_is_rejected_exactly_where_its_band_does_not_hold_0(correction):
    for data in (APART, curves(1.0), curves(0.5), curves(1.0, names=("A", "B", "C"))):
        for r in ro.compare_curves(data, correction=correction, n_resamples=999).rows:
            outside = r.low is not None and not r.low <= 0 <= r.high
            assert r.rejected == outside


def test_the_p_value_at_a_step_is_that_of_compare():
    for r in ro.compare_curves(APART, steps=[2, 7], n_resamples=300).rows:
        pair = ro.compare(APART.at(r.step), measure="mean").pairs[0]
        assert (r.pvalue, r.difference, r.own_low, r.own_high) == pytest.approx(
            (pair.pvalue, pair.difference, pair.difference_low, pair.difference_high)
        )


def test_the_band_of_a_correction_by_steps_is_bonferronis():
    rows = ro.compare_curves(APART, steps=[2, 5, 7], correction="holm", n_resamples=300).rows
    for row in rows:
        pair = ro.compare(APART.at(row.step), measure="mean", alpha=0.05 / len(rows)).pairs[0]
        assert (row.low, row.high) == pytest.approx((pair.difference_low, pair.difference_high))


@pytest.mark.parametrize("correction", ["max_t", "holm", "bh", "none", "colas2019"])
def test_adjusted_p_values_are_at_least_their_own(correction):
    result = ro.compare_curves(curves(1.0, names=("A", "B", "C")), correction=correction, n_resamples=300)
    assert all(0 < r.pvalue <= r.pvalue_adjusted <= 1 for r in result.rows)
    assert result.correction == correction


def test_p_values_of_all_steps_of_three_pairs_are_three_times_those_of_a_pair_alone():
    three = curves(2.0, names=("A", "B", "C"))
    together = {(r.a, r.b, r.step): r.pvalue_adjusted for r in ro.compare_curves(three, n_resamples=500).rows}
    for pair in (("A", "B"), ("A", "C"), ("B", "C")):
        alone = ro.compare_curves(three.select(algorithms=list(pair)), n_resamples=500)
        assert [together[*pair, r.step] for r in alone.rows] == pytest.approx(
            [min(1.0, 3 * r.pvalue_adjusted) for r in alone.rows]
        )


def test_exchanging_the_two_turns_every_number_round():
    result = ro.compare_curves(APART, pairs=[("A", "B")], n_resamples=300)
    other = ro.compare_curves(APART, pairs=[("B", "A")], n_resamples=300)
    for r, q in zip(result.rows, other.rows, strict=True):
        assert (q.difference, q.statistic, q.rejected) == (-r.difference, -r.statistic, r.rejected)
        assert (q.own_low, q.own_high) == (-r.own_high, -r.own_low)


def test_success_along_training_has_the_law_of_rates_at_a_step_and_bands_within_1():
    rng, share = np.random.default_rng(2), np.linspace(0, 0.95, 6)
    wins = np.concatenate([rng.random((8, 6)) < share, rng.random((8, 6)) < 0.3 * share]).astype(float)
    table = {"algorithm": np.repeat(["A", "B"], 48), "run": np.tile(np.repeat(np.arange(8), 6), 2)}
    data = ro.Curves.from_frame(table | {"step": np.tile(np.arange(6), 16), "score": wins.ravel()})
    for r in ro.compare_curves(data, n_resamples=2000).rows:
        x, y = (side[:, int(r.step)] for side in (wins[:8], wins[8:]))
        law = PairData(a="A", b="B", x=[x], y=[y], tasks=["t"], binary=True, rates=True).law("mean")
        least, most = law.interval(0.95)
        assert (r.own_low, r.own_high) == pytest.approx((least, most))
        assert -1 <= r.low < least < most < r.high <= 1
        assert r.rejected == (not r.low <= 0 <= r.high)


def test_three_runs_that_are_far_apart_differ():
    result = ro.compare_curves(curves(50.0, n_runs=3))
    assert [r.rejected for r in result.rows] == [False] * 5 + [True] * 5
    assert {note.code for note in result.advice} == {"R001"}


def test_equal_means_of_unlike_curves_are_not_told_apart_because_runs_happen_to_agree():
    wrong = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        steady, rare = rng.normal(0, 0.01, (5, 8)), np.where(rng.random((5, 1)) < 0.1, 0.9, -0.1)
        rare = rare + rng.normal(0, 0.01, (5, 8)) + rng.normal(0, 0.3, (5, 8)) * (np.arange(8) < 4)
        table = {"algorithm": ["A"] * 40 + ["B"] * 40, "run": np.tile(np.repeat(np.arange(5), 8), 2)}
        table |= {"step": np.tile(np.arange(8), 10), "score": np.concatenate([steady.ravel(), rare.ravel()])}
        wrong += bool(ro.compare_curves(ro.Curves.from_frame(table), n_resamples=500).stretches)
    assert wrong <= 6  # relabelling whole runs: 25


def test_runs_that_tasks_share_count_as_one():
    alone = curves(3.0, tasks=("t",))
    frame = alone.to_frame()
    import polars as pl

    doubled = pl.concat([frame, frame.with_columns(task=pl.lit("u"))])
    shared = ro.compare_curves(ro.Curves.from_frame(doubled, runs="shared"), n_resamples=400)
    single = ro.compare_curves(alone, n_resamples=400)
    assert [r.pvalue_adjusted for r in shared.rows] == pytest.approx([r.pvalue_adjusted for r in single.rows])
    assert [r.own_low for r in shared.rows] == pytest.approx([r.own_low for r in single.rows])


def test_success_of_runs_that_tasks_share_has_a_t_law():
    rng = np.random.default_rng(4)
    wins = (rng.random((2, 6, 2, 3)) < 0.6).astype(float)
    algorithm, run, task, step = (index.ravel() for index in np.indices(wins.shape))
    table = {"algorithm": algorithm.astype(str), "run": run, "task": task.astype(str), "step": step}
    shared = ro.Curves.from_frame(table | {"score": wins.ravel()}, runs="shared")
    means = ro.Curves.from_frame(
        {"algorithm": np.repeat(["0", "1"], 18), "run": np.tile(np.repeat(np.arange(6), 3), 2)}
        | {"step": np.tile(np.arange(3), 12), "score": wins.mean(axis=2).ravel()}
    )
    lows = [[r.own_low for r in ro.compare_curves(data, n_resamples=100).rows] for data in (shared, means)]
    assert lows[0] == pytest.approx(lows[1])


def test_a_control_is_compared_with_every_other():
    result = ro.compare_curves(curves(1.0, names=("A", "B", "C")), control="B", n_resamples=300)
    assert result.pairs == (("A", "B"), ("C", "B"))
    assert len(result.curve("C", "B")) == 10


def test_colas_criterion_counts_rejections_of_one_direction():
    mostly = ro.compare_curves(curves(20.0, from_step=3), correction="colas2019")
    rarely = ro.compare_curves(curves(20.0, from_step=7), correction="colas2019")
    assert (len(mostly.stretches), len(rarely.stretches)) == (1, 0)
    assert mostly.sentences[0].startswith("The mean of A is above that of B: 7 of 10 steps reject")
    assert "from step" not in mostly.sentences[0]
    eased = ro.compare_curves(curves(20.0, from_step=7), correction="colas2019", criterion=0.2)
    assert len(eased.stretches) == 1


@pytest.mark.parametrize("scale", [1e-70, 1e70])
def test_scores_of_any_size_have_the_same_p_values(scale):
    frame = APART.to_frame()
    scaled = ro.Curves.from_frame(frame.with_columns(score=frame["score"] * scale))
    result, other = (ro.compare_curves(data, n_resamples=300).rows for data in (APART, scaled))
    assert [r.pvalue_adjusted for r in result] == pytest.approx([r.pvalue_adjusted for r in other])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"correction": "fdr"}, "correction must be one of .*max_t, colas2019"),
        ({"correction": "colas2019", "criterion": 1}, "criterion is the share of steps"),
        ({"pairs": [("A", "A")]}, "a pair is two different names"),
        ({"alpha": 0}, "alpha must lie strictly between 0 and 1"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(options, words):
    with pytest.raises(ro.OptionError, match=words):
        ro.compare_curves(APART, **options)


def without(data, *cells):
    """Return curves of which an algorithm has but its first run on a task."""
    frame = data.to_frame()
    for algorithm, task in cells:
        keep = (frame["algorithm"] != algorithm) | (frame["task"] != task) | (frame["run"] == "0")
        frame = frame.filter(keep)
    return ro.Curves.from_frame(frame)


def test_a_task_of_a_single_run_is_left_out_of_its_pair_and_named():
    data = without(curves(20.0, names=("A", "B", "C"), tasks=("t", "u", "v")), ("B", "u"))
    result = ro.compare_curves(data, n_resamples=500, correction="none")
    whole = ro.compare_curves(data.select(tasks=["t", "v"]), n_resamples=500, correction="none")
    assert [r for r in result.rows if "B" in (r.a, r.b)] == [r for r in whole.rows if "B" in (r.a, r.b)]
    assert result.sentences[0].endswith("over the 2 of 3 tasks on which both have two runs or more.")
    assert "two runs or more" not in result.sentences[1]
    assert [("'A' and 'B'" in a.text, "'u'" in a.text) for a in result.advice if a.code == "R002"] == [
        (True, True),
        (False, True),
    ]


def test_a_pair_of_single_runs_is_not_compared_and_counts_in_no_correction():
    data = without(curves(1.0, names=("A", "B", "C")), ("C", "t"))
    result = ro.compare_curves(data, n_resamples=500)
    assert result.rows == ro.compare_curves(data.select(algorithms=["A", "B"]), n_resamples=500).rows
    assert len([a for a in result.advice if a.code == "R002" and "no verdict is given" in a.text]) == 2


def test_single_runs_and_single_algorithms_cannot_be_compared():
    with pytest.raises(ro.DesignError, match="has a single run on task 't'"):
        ro.compare_curves(curves(n_runs=1))
    with pytest.raises(ro.DesignError, match="a comparison needs two algorithms"):
        ro.compare_curves(APART.select(algorithms=["A"]))


def test_the_sentence_is_about_who_is_ahead_at_the_end_and_the_nearest_that_it_was_found_above():
    rng = np.random.default_rng(5)
    rows = [
        (name, "t", run, step, level * step + rng.normal(0, 0.3))
        for name, level in (("A", 0.0), ("B", 0.5), ("C", 1.0))
        for run in range(8)
        for step in range(10)
    ]
    columns = ("algorithm", "task", "run", "step", "score")
    result = ro.compare_curves(ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)}))
    assert result._foremost() in {("C", "B"), ("B", "C")}
    assert result.sentence.startswith("The mean of C is above that of B ")
    assert result.sentence.endswith("Of 3 pairs 3 differ at some step.")
