"""The unit of scores is not read off one of them: within five hundredths of [0, 1] it stays, farther out it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference.pairs import unit_words
from tests.amount import examples


def shares(score: float | None = None, *, n_tasks: int = 12, seed: int = 0, **sampling: str) -> ro.Scores:
    """Two algorithms with five runs on each task, the best of the first, or its worst, being of this score."""
    runs = np.random.default_rng(seed).beta([[[3.0]], [[2.0]]], 2.0, (2, 5, n_tasks))
    if score is not None:
        at = np.argmax(runs[0]) if score > 0.5 else np.argmin(runs[0])
        runs[0].flat[at] = score
    return ro.Scores.from_dict(dict(zip("AB", runs, strict=True)), **sampling)


def questions(result) -> list[str]:
    return [advice.text for advice in result.advice if advice.code == "R029"]


WITHIN = [(1.001, "up to 1.001"), (1.05, "up to 1.05"), (-0.01, "down to −0.01"), (-0.05, "down to −0.05")]


@pytest.mark.parametrize(("score", "words"), WITHIN)
def test_within_five_hundredths_the_unit_stays_and_the_range_is_told(score, words):
    scores = shares(score)
    assert ro.compare(scores).measure == "iqm"
    assert ro.compare(scores, over="tasks").measure == "mean"
    assert ro.aggregate(scores).measures == ("iqm", "median", "mean", "optimality_gap")
    assert unit_words(scores) == f"not normalised, taken to be in one unit: all lie within 0.05 of [0, 1], {words}"
    assert unit_words(shares()) == "not normalised"
    assert questions(ro.compare(scores)) == []


@pytest.mark.parametrize("score", [1.06, 1.2, 40.0, -0.06])
@pytest.mark.parametrize("over", ["runs", "tasks"])
def test_farther_out_the_unit_is_asked_for_with_both_ways_to_say_it(score, over):
    scores = shares(score, n_tasks=26)
    result = ro.compare(scores, over=over)
    (text,) = questions(result)
    assert result.measure == "improvement"
    assert text.startswith("say what unit the scores have: 1 of 260 lie more than 0.05 outside [0, 1], the farthest at")
    assert "normalize=" in text
    assert "score_unit='shared'" in text


def test_the_unit_is_not_asked_for_where_it_chose_nothing_or_does_not_hang_on_few_scores():
    scores = shares(1.2)
    declared = shares(1.2, score_unit="shared")
    normalised = scores.normalize(dict.fromkeys(scores.tasks, (0.0, 1.0)), assume_raw=True)
    for result in (
        ro.compare(declared),
        ro.compare(normalised),
        ro.compare(scores, measure="improvement"),
        ro.compare(scores, test="mack_skillings"),
        ro.compare(scores.select(tasks=scores.tasks[:1])),
        ro.compare({name: 100 * np.random.default_rng(1).random((5, 4)) for name in "AB"}),
    ):
        assert questions(result) == []


@pytest.mark.slow
def test_a_best_run_of_a_thousandth_more_changes_no_measure_and_hardly_a_p_value():
    for seed in range(examples(60, most=6)):
        whole, more = (ro.compare(shares(score, n_tasks=4, seed=seed)) for score in (1.0, 1.001))
        assert (more.measure, more.pairs[0].test) == (whole.measure, whole.pairs[0].test), seed
        assert more.pairs[0].pvalue == pytest.approx(whole.pairs[0].pvalue, abs=0.005), seed


def test_over_tasks_an_interval_ends_where_such_scores_can_not_where_shares_do():
    high = {"A": np.full((1, 12), 1.05), "B": np.array([[-0.05] * 6 + [0.0] * 6])}
    pair = ro.compare(high, over="tasks").pairs[0]
    assert pair.measure == "mean"
    assert pair.estimate == pytest.approx(1.075)
    assert pair.own_low < pair.estimate < pair.own_high <= 1.1


def test_what_scores_lack_of_one_is_never_below_nothing():
    scores = shares(1.04)
    gap = ro.aggregate(scores, measure=["optimality_gap"])["A", "optimality_gap"].estimate
    assert gap == pytest.approx(np.maximum(1 - scores.dense("A"), 0).mean())


def test_over_runs_and_tasks_a_mean_of_such_scores_has_its_interval():
    record = ro.aggregate(shares(1.001), measure=["mean"], over="runs_and_tasks").rows[0]
    assert record.low < record.estimate < record.high


@pytest.mark.parametrize("side", ["fractions", "percent"])
def test_percentages_beside_fractions_are_seen_whatever_one_score_is(side):
    runs = np.random.default_rng(2).beta(2, 2, (2, 5, 3))
    runs[0, 0, 0] = 1.004
    data = {"A": runs[0], "B": 100 * runs[1]} if side == "fractions" else {"A": 100 * runs[0], "B": runs[1]}
    (advice,) = (a for a in ro.compare(data).advice if a.code == "R020")
    assert "seems to be in percent" in advice.text
