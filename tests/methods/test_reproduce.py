"""Is my baseline a good one: three answers, and never by a large p-value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.reproduce import _needed

SET, TASKS = "atari_100k:SPR", ["Alien", "Qbert", "Seaquest"]
SAME = {"protocol": {"unit": "raw return"}}


def drawn(n_runs: int, factor: float = 1.0) -> ro.Scores:
    """Return runs like those of SPR, a little off so that they are no copies, times a factor."""
    published, rng = ro.archive.load("atari_100k", algorithms=["SPR"]), np.random.default_rng(1)
    cells = {task: factor * rng.choice(published.cell("SPR", task), n_runs) + rng.random(n_runs) for task in TASKS}
    return ro.Scores.from_dict({"my SPR": cells})


def test_runs_of_the_published_algorithm_agree_where_there_are_enough():
    result = ro.reproduce(drawn(60), SET, margin=400.0, **SAME)
    assert {record.verdict for record in result.rows} == {"agrees"}
    assert "ruled out" in result.sentence


def test_lower_runs_are_lower_by_an_interval():
    record = ro.reproduce(drawn(60, 0.4), SET, **SAME).overall
    assert record.verdict == "lower"
    assert record.low < record.difference < record.high < 0


def test_few_runs_without_a_difference_do_not_agree():
    result = ro.reproduce(drawn(3), SET, margin=50.0, **SAME)
    record = result.overall
    assert (record.verdict, record.pvalue_difference > 0.05) == ("cannot_be_said", True)
    assert record.runs_needed is None or record.runs_needed > 3


def test_the_runs_that_are_needed_are_more_than_there_are():
    records = [r for r in ro.reproduce(drawn(4), SET, **SAME).rows if r.verdict == "cannot_be_said"]
    assert records
    assert all(f"{r.runs_needed} own runs decide it" in r.sentence and r.runs_needed > 4 for r in records)


def test_tasks_that_are_not_published_are_named():
    cells = drawn(4).to_dict()["my SPR"]
    result = ro.reproduce({"my SPR": {**cells, "Tetris": [1.0, 2.0]}}, SET, **SAME)
    assert any("Tetris" in note for note in result.notes)


def test_a_task_of_a_single_run_does_not_count_over_all():
    cells = drawn(20, 0.4).to_dict()["my SPR"]
    result = ro.reproduce({"my SPR": {**cells, "Alien": cells["Alien"][:1]}}, SET, **SAME)
    rest = ro.reproduce({"my SPR": {task: cells[task] for task in TASKS[1:]}}, SET, **SAME).overall
    assert (result.overall.difference, result.overall.low, result.overall.pvalue_difference) == (
        rest.difference,
        rest.low,
        rest.pvalue_difference,
    )
    assert "over the 2 of 3 tasks on which both have two runs or more" in result.overall.sentence
    assert [a.text for a in result.advice if "a single run on 'Alien'" in a.text]


def test_the_only_task_of_several_runs_says_what_the_mean_over_it_says():
    # Holm's steps counted the tasks of single runs: one row said "agrees", the other "cannot be said", of the same numbers.
    cells = drawn(60).to_dict()["my SPR"]
    result = ro.reproduce({"my SPR": {t: cells[t][: None if t == "Alien" else 1] for t in TASKS}}, SET, **SAME)
    alien, whole = result["Alien"], result.overall
    assert (alien.pvalue_equivalence, alien.pvalue_difference) == (whole.pvalue_equivalence, whole.pvalue_difference)
    assert [(row.verdict, row.margin) for row in (alien, whole)] == [(alien.verdict, alien.margin)] * 2
    assert "in margins" not in result.tables()[0].caption


def test_a_margin_of_1_is_in_the_unit_of_the_scores():
    assert "in margins" not in ro.reproduce(drawn(4), SET, margin=1.0, **SAME).sentence


def test_the_margin_is_half_of_the_range_of_the_published_means():
    record = ro.reproduce(drawn(5), SET, **SAME).single[0]
    published = ro.archive.load("atari_100k")
    means = [published.cell(a, "Alien").mean() for a in published.algorithms]
    assert record.margin == pytest.approx(np.ptp(means) / 2)


def test_over_all_tasks_the_difference_counts_in_margins():
    result = ro.reproduce(drawn(20), SET, **SAME)
    assert result.overall.margin == 1
    assert result.overall.difference == pytest.approx(np.mean([r.difference / r.margin for r in result.single]))


def test_a_set_of_one_algorithm_needs_a_margin():
    mine = {"my Dreamer": {"walker_walk": [900.0, 950.0, 800.0]}}
    with pytest.raises(ro.OptionError, match=r"1 published algorithm, and .*margin="):
        ro.reproduce(mine, "dreamer_v1:dreamer", assume_same_protocol=True)


@pytest.mark.parametrize(
    ("published", "how", "words"),
    [
        (SET, {}, "not known whether"),
        (SET, {"protocol": {"unit": "HNS"}}, "another protocol"),
        ("atari_100k", SAME, "name one of them: atari_100k:DER, "),
        ("atari_100k:SRP", SAME, "Did you mean 'SPR'"),
        ("spr", SAME, "It is an algorithm: atari_100k:SPR, primacy_atari100k:SPR"),
    ],
)
def test_what_cannot_be_compared_is_refused(published, how, words):
    with pytest.raises(ro.RunoffError, match=words):
        ro.reproduce(drawn(5), published, **how)


def test_several_own_algorithms_are_refused_until_one_is_named():
    cells = drawn(5).to_dict()
    both = {**cells, "other": cells["my SPR"]}
    with pytest.raises(ro.DesignError, match="runs of 2 algorithms"):
        ro.reproduce(both, SET, **SAME)
    assert ro.reproduce(both, SET, algorithm="other", **SAME).algorithm == "other"


def test_the_prediction_interval_is_that_of_the_mean_of_as_many_new_runs():
    record = ro.reproduce(drawn(4), SET, **SAME).single[0]
    y, t = np.array(record.published_scores), 1.9842169515086827  # of 99 degrees of freedom
    assert len(record.scores) == 4
    half = t * y.std(ddof=1) * np.sqrt(1 / 4 + 1 / y.size)
    assert (record.predicted_low, record.predicted_high) == pytest.approx((y.mean() - half, y.mean() + half))


@pytest.mark.slow
def test_the_prediction_interval_holds_means_of_new_runs():
    from runoff.methods.reproduce import _predicted

    rng = np.random.default_rng(8)
    ends = [(*_predicted(tuple(rng.normal(size=8)), 5, 0.95), rng.normal(size=5).mean()) for _ in range(20_000)]
    assert np.mean([low <= mean <= high for low, high, mean in ends]) == pytest.approx(0.95, abs=0.006)


def test_one_published_run_predicts_nothing():
    from runoff.methods.reproduce import _predicted

    assert _predicted((3.0,), 5, 0.95) == (None, None)


def test_over_all_nothing_agrees_where_tasks_are_lower_and_higher():
    published = ro.archive.load("atari_100k", algorithms=["SPR"])
    margin = {r.task: r.margin for r in ro.reproduce(drawn(60), SET, **SAME).single}
    shifts = dict(zip(TASKS[:2], (4.0, -4.0), strict=True))
    cells = {task: published.cell("SPR", task)[:60] + shift * margin[task] for task, shift in shifts.items()}
    result = ro.reproduce(ro.Scores.from_dict({"mine": cells}), SET, **SAME)
    assert [record.verdict for record in result.rows] == ["higher", "lower", "cannot_be_said"]
    assert "does not agree" in result.sentence
    assert "lower on 1 task and higher on 1 task of 2" in result.sentence


def test_all_that_is_lacking_is_said_at_once():
    mine = {name: {"HalfCheetah-v4": [4000.0, 4200.0, 4100.0]} for name in ("first", "second")}
    with pytest.raises(ro.DesignError) as refusal:
        ro.reproduce(mine, "simbav2")
    for words in (
        "name one (algorithm=)",
        "'simbav2' has several published",
        "(assume_same_protocol=True)",
    ):
        assert words in str(refusal.value)
    with pytest.raises(ro.DesignError, match=r"protocol of .*Also: .*name a margin"):
        ro.reproduce(ro.archive.load("primacy_dmc", algorithms=["DRQ"]), "drq_dreamer:DrQ")
    with pytest.raises(ro.OptionError, match="name a margin"):
        ro.reproduce(ro.archive.load("primacy_dmc", algorithms=["DRQ"]), "drq_dreamer:DrQ", assume_same_protocol=True)


def test_a_single_own_run_needs_two_or_more_and_a_single_published_one_has_no_number():
    result = ro.reproduce(drawn(1), SET, margin=50.0, **SAME)
    assert {record.verdict for record in result.rows} == {"cannot_be_said"}
    own = [_needed(record) for record in result.rows]
    assert own == ["2 or more"] * len(own)
    several = replace(result.rows[0], n_runs=(5,), n_published=(1,), runs_needed=None)
    assert _needed(several) == "no number"
