"""Learning curves on one grid: by step, never beyond a run's ends but by a named policy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import runoff as ro
from runoff._inference.steps import align
from tests.reference.steps import interpolated


def curves(grids, algorithm="A", task="t"):
    """Curves of {run: steps}; the score of run i at a step is 10 · i + step / 100, so that interpolation is exact."""
    rows = [
        (algorithm, task, run, s, 10.0 * i + s / 100) for i, (run, steps) in enumerate(grids.items()) for s in steps
    ]
    names = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame({name: [row[k] for row in rows] for k, name in enumerate(names)})


SHARED = curves({"0": range(0, 101, 10), "1": range(0, 101, 10)})


def test_steps_at_which_all_runs_were_evaluated_are_the_grid():
    assert align(SHARED).steps.tolist() == list(range(0, 101, 10))
    mixed = align(curves({"0": range(0, 101, 10), "1": [0, 5, 20, 60, 100]}))
    assert mixed.steps.tolist() == [0, 5, 20, 60, 100]
    assert "runs were evaluated at different steps: each is interpolated at the 5 of one of them" in mixed.notes


def test_runs_evaluated_equally_often_at_other_steps_are_interpolated_and_the_note_says_so():
    mixed = align(curves({"0": [0, 10, 40, 100], "1": [0, 30, 40, 100]}))
    assert mixed.steps.tolist() == [0, 10, 40, 100]
    assert "runs were evaluated at different steps: each is interpolated at the 4 of one of them" in mixed.notes


def test_scores_between_evaluations_are_those_of_a_slow_twin():
    rng = np.random.default_rng(0)
    steps = np.cumsum(rng.integers(1, 9, 12)).astype(float)
    values = rng.normal(size=12)
    table = {
        "algorithm": ["A"] * 24,
        "run": [0] * 12 + [1] * 12,
        "step": [*steps, *steps],
        "score": [*values, *values[::-1]],
    }
    options = np.linspace(steps[0], steps[-1], 17)
    result = align(ro.Curves.from_frame(table), steps=options).rows(0, 0)
    assert result[0] == pytest.approx([interpolated(steps.tolist(), values.tolist(), s) for s in options])


def test_a_number_of_steps_is_spread_evenly_over_what_all_runs_have():
    assert align(
        curves({"0": range(0, 101, 10), "1": range(20, 91, 10)}), steps=3, incomplete="drop"
    ).steps.tolist() == [0, 50, 100]
    assert align(curves({"0": range(101), "1": range(20, 101)}), steps=3).steps.tolist() == [20, 60, 100]


def test_a_grid_that_was_not_asked_for_is_thinned_and_says_so():
    result = align(curves({"0": range(1000), "1": range(1000)}))
    assert (result.steps.size, result.steps[0], result.steps[-1]) == (200, 0, 999)
    assert "200 of the 1000 steps at which runs were evaluated are shown, evenly chosen" in result.notes


EARLY = curves({"0": range(0, 101, 10), "1": range(0, 101, 10), "2": range(0, 51, 10)})


def test_runs_that_ended_early_are_refused_with_each_way_out():
    with pytest.raises(ro.DesignError, match=r"run '2' at step 50 of 100.*incomplete='drop'.*'carry'.*steps=\[…, 50\]"):
        align(EARLY)


@pytest.mark.parametrize(
    ("policy", "last"),
    [
        ("drop", [1, 11]),
        ("complete", [1, 11]),
        ("carry", [1, 11, 20.5]),
        ("carry_forward", [1, 11, 20.5]),
        ("worst", [1, 11, 1]),
    ],
)
def test_each_policy_for_early_ends_is_counted_and_told(policy, last):
    result = align(EARLY, incomplete=policy)
    assert result.rows(0, 0)[:, -1].tolist() == last
    assert result.treated.notes[0].startswith("1 of 3 runs ended early")
    assert [caveat.code for caveat in result.provenance.caveats] == ["R019"]


def test_a_run_counts_as_the_worst_of_its_task_at_every_step_but_never_as_better_than_itself():
    both = curves({"low": range(0, 101, 10), "early": range(0, 51, 10)})
    rows = align(both, incomplete="worst").rows(0, 0)
    early, low = align(both, incomplete="carry").rows(0, 0)
    assert rows.min(axis=0).tolist() == np.minimum(early, low).tolist()
    assert rows[0].tolist() == rows[1].tolist() if both.run_labels[0] == "early" else rows[1].tolist() == low.tolist()


def test_the_end_score_has_the_same_worst_policy():
    assert EARLY.final(incomplete="worst").cell("A", "t").tolist() == [1, 11, 1]
    assert EARLY.at(80, incomplete="worst").cell("A", "t").tolist() == pytest.approx([0.8, 10.8, 0.8])


def test_ends_within_one_per_cent_need_no_policy_and_nothing_is_extrapolated():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = align(curves({"0": range(0, 1001, 5), "1": range(0, 996, 5)}), most=None)
    assert result.steps[-1] == 995


@pytest.mark.parametrize(
    ("grids", "steps", "words"),
    [
        (
            {"0": [0, 10], "1": [20, 30]},
            None,
            "do not overlap: .*run '1' begins at step 20, after .*run '0' ended at 10",
        ),
        ({"0": [0, 10], "1": [5, 10]}, [0, 10], "run '1' was first evaluated at step 5, after 0; begin there"),
        (
            {"0": [0, 10], "1": [0, 10]},
            [5, 11],
            "no run of task 't' was evaluated after step 10, so there is no score at 11",
        ),
        ({"0": [5], "1": [5]}, None, "share a single evaluation, which is no curve"),
        ({"0": [5], "1": [5]}, 4, "share a single evaluation, which is no curve"),
        ({"0": [0, 10]}, [5, 5], "steps must increase, but 5 follows 5"),
        ({"0": [0, 10]}, [5, 4], "steps must increase, but 4 follows 5"),
        ({"0": [0, 10]}, [1, float("nan")], "steps must be finite numbers; number 1 is not"),
        ({"0": [0, 10]}, [], "at least one step"),
        ({"0": [0, 10]}, ["soon"], "steps must be numbers"),
        ({"0": [0, 10]}, 1, "steps must be a whole number of at least 2"),
    ],
)
def test_what_cannot_be_aligned_is_refused_in_a_sentence(grids, steps, words):
    with pytest.raises(ro.RunoffError, match=words):
        align(curves(grids), steps=steps)


def test_tasks_of_different_length_end_where_the_shortest_ends_and_the_notes_say_where():
    both = {
        "algorithm": ["A"] * 6,
        "task": ["s"] * 3 + ["l"] * 3,
        "run": [0] * 6,
        "step": [0, 5, 10, 0, 10, 20],
        "score": [1.0] * 6,
    }
    result = align(ro.Curves.from_frame(both))
    assert result.steps.tolist() == [0, 10]
    assert "the curves end at step 10, the last evaluation of algorithm 'A', task 's', run '0'" in result.notes


@pytest.mark.parametrize(
    ("rows", "resumed"), [([0, 1, 2, 3, 2.5, 3.5], True), ([3, 4, 5, 0, 1, 2], False), (range(6), False)]
)
def test_a_resumed_run_is_named(rows, resumed):
    table = {"algorithm": ["A"] * 6, "run": ["r"] * 6, "step": list(rows), "score": [1.0] * 6}
    caveats = ro.Curves.from_frame(table).provenance.caveats
    assert [caveat.code for caveat in caveats] == ["R402"] * resumed
    if resumed:
        assert "steps go back from 3 to 2.5 in row 4 (algorithm 'A', task 'task', run 'r')" in caveats[0].text


def test_curves_stand_against_time_and_episodes_where_the_data_tell_them():
    table = {
        "algorithm": ["A"] * 3,
        "run": [0] * 3,
        "step": [1, 2, 3],
        "time": [0.5, 1.0, 2.0],
        "score": [1.0, 2.0, 4.0],
    }
    result = ro.Curves.from_frame(table).along("time")
    assert (result.axis, result.steps.tolist()) == ("time", [0.5, 1.0, 2.0])
    assert result.along("time") is result
    with pytest.raises(ro.DataError, match="the data do not tell 'episodes' of every evaluation"):
        result.along("episodes")
    with pytest.raises(ro.DataError, match="'time' does not increase"):
        ro.Curves.from_frame(table | {"time": [1.0, 1.0, 2.0]}).along("time")


def test_the_best_score_so_far_never_falls_and_is_said_to_be_biased():
    table = {"algorithm": ["A"] * 4, "run": [0, 0, 0, 1], "step": [1, 2, 3, 3], "score": [1.0, 5.0, 2.0, -1.0]}
    best = ro.Curves.from_frame(table).best_so_far()
    assert best.values.tolist() == [1, 5, 5, -1]
    assert "R401" in [row.code for row in ro.aggregate(best.final(), measure=["mean"], n_resamples=100).advice]


def test_normalised_curves_are_the_curves_of_normalised_scores():
    reference = {"t": (-5.0, 15.0)}
    scaled = SHARED.normalize(reference)
    assert scaled.final() == SHARED.final().normalize(reference)
    assert scaled.provenance.reference is not None
    with pytest.raises(ro.DataError, match="normalised already"):
        scaled.normalize(reference)


def test_curves_that_begin_later_are_compared_from_there_and_the_note_says_so():
    aligned = align(curves({"0": range(50), "1": range(20, 50)}))
    assert aligned.steps[0] == 20
    assert any("the curves begin at step 20, the first evaluation of" in note for note in aligned.notes)
