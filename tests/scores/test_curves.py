"""`Curves`: steps sorted, and the ways to make one score of a curve."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import runoff as ro

COLUMNS = {
    "algo": ["PPO"] * 6 + ["A2C"] * 2,
    "seed": [0, 0, 0, 1, 1, 1, 0, 0],
    "step": [20, 0, 10, 0, 10, 20, 0, 20],
    "return": [4.0, 0.0, 2.0, 1.0, 1.0, 7.0, 3.0, 5.0],
}


@pytest.fixture
def curves() -> ro.Curves:
    return ro.Curves.from_frame(COLUMNS)


def test_steps_increase_within_each_run_whatever_the_order_of_rows(curves):
    shuffled = ro.Curves.from_frame(pl.DataFrame(COLUMNS).sample(fraction=1, shuffle=True, seed=1))
    assert curves.steps.tolist() == shuffled.steps.tolist() == [0, 20, 0, 10, 20, 0, 10, 20]
    assert curves.values.tolist() == shuffled.values.tolist()


def test_the_frame_it_leaves_as_makes_it_again(curves):
    again = ro.Curves.from_frame(curves.to_frame())
    assert again.to_frame().equals(curves.to_frame())


def test_the_final_score_is_the_mean_of_the_last_evaluations(curves):
    assert curves.final().to_dict() == {"A2C": {"task": [5.0]}, "PPO": {"task": [4.0, 7.0]}}
    assert curves.final(last=2).to_dict() == {"A2C": {"task": [4.0]}, "PPO": {"task": [3.0, 4.0]}}
    with pytest.raises(ro.DesignError, match="algorithm 'A2C', task 'task', run '0' has fewer than 3"):
        curves.final(last=3)


def test_a_score_at_a_step_is_interpolated_never_extrapolated(curves):
    assert curves.at(15).to_dict() == {"A2C": {"task": [4.5]}, "PPO": {"task": [3.0, 4.0]}}
    with pytest.raises(ro.DesignError, match="was evaluated from step 0 to 20, not at 21"):
        curves.at(21)


def test_the_area_is_divided_by_the_span_of_steps(curves):
    assert curves.auc().to_dict() == {"A2C": {"task": [4.0]}, "PPO": {"task": [2.0, 2.5]}}
    single = ro.Curves.from_frame({"algo": ["PPO"], "seed": [0], "step": [5], "score": [1]})
    with pytest.raises(ro.DesignError, match="an area needs two"):
        single.auc()


def test_nothing_can_be_changed(curves):
    for array in (curves.steps, curves.values, curves.run_offsets, curves.cell_offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"step": [0, 0, 10, 0, 10, 20, 0, 20]},
            r"run '0', step 0 appears twice, in row 0 and row 1; .*mean.* .episodes",
        ),
        ({"step": [0, 5, None, 0, 10, 20, 0, 20]}, "row 2: the step .* is missing"),
        ({"step": [0, 5, np.inf, 0, 10, 20, 0, 20]}, "row 2: the step .* is inf"),
    ],
)
def test_bad_steps_are_refused_with_their_row(change, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.Curves.from_frame(COLUMNS | change)


@pytest.mark.parametrize(("role", "column"), [("step", "step"), ("score", "return")])
def test_curves_need_steps_runs_and_scores(role, column):
    with pytest.raises(ro.DataError, match=f"no column is recognised as the {role}"):
        ro.Curves.from_frame({name: values for name, values in COLUMNS.items() if name != column})
