"""`Scores`: made of any table, ragged, immutable, checked."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import runoff as ro

COLUMNS = {
    "agent": ["PPO", "PPO", "A2C", "PPO"],
    "env_id": ["Pong", "Pong", "Pong", "Alien"],
    "seed": [10, 9, 1, 1],
    "episodic_return": [18.0, 20.0, 9.0, 300.0],
}
EXPECTED = {"A2C": {"Pong": [9.0]}, "PPO": {"Alien": [300.0], "Pong": [20.0, 18.0]}}


@pytest.fixture
def scores() -> ro.Scores:
    return ro.Scores.from_frame(COLUMNS)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, dict])
def test_any_table_gives_the_same_scores_with_runs_in_natural_order(make):
    scores = ro.Scores.from_frame(make(COLUMNS))
    assert scores.to_dict() == EXPECTED
    assert scores.run_labels == ("1", "1", "9", "10")


def test_a_missing_cell_is_empty_and_counted(scores):
    assert scores.n_runs.tolist() == [[0, 1], [1, 2]]
    assert scores.cell("A2C", "Alien").size == 0
    assert repr(scores) == "Scores(2 algorithms × 2 tasks × 1 to 2 runs, 1 missing cell(s))"


def test_the_frame_it_leaves_as_makes_it_again(scores):
    assert ro.Scores.from_frame(scores.to_frame()) == scores


def test_rows_in_another_order_make_the_same_scores(scores):
    shuffled = pl.DataFrame(COLUMNS).sample(fraction=1, shuffle=True, seed=3)
    assert ro.Scores.from_frame(shuffled) == scores


def test_nothing_can_be_changed(scores):
    with pytest.raises(FrozenInstanceError):
        scores.tasks = ()
    for array in (scores.values, scores.offsets, scores.cell("PPO", "Pong")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_callers_array_is_copied():
    given = np.ones((3, 2))
    scores = ro.Scores.from_dict({"PPO": given})
    given[:] = 7
    assert scores.values.max() == 1
    assert given.flags.writeable


def test_arrays_need_no_task_names_but_take_them():
    assert ro.Scores.from_dict({"PPO": np.ones((3, 2))}).tasks == ("task 1", "task 2")
    assert ro.Scores.from_dict({"PPO": np.ones((3, 2))}, tasks=["Pong", "Alien"]).tasks == ("Pong", "Alien")


def test_what_is_excluded_is_left_out_of_what_is_kept():
    cells = {a: {t: [float(k) for k in range(3)] for t in ("x", "y", "z")} for a in ("A", "B", "C")}
    scores = ro.Scores.from_dict(cells)
    kept = scores.select(algorithms=["C", "A", "B"], exclude=["A", "y"])
    assert (kept.algorithms, kept.tasks) == (("C", "B"), ("x", "z"))
    assert scores.select(exclude="A") == scores.select(algorithms=["B", "C"])
    with pytest.raises(ro.DesignError, match=r"no algorithm or task 'D'"):
        scores.select(exclude=["D"])
    for every, noun in ((["A", "B", "C"], "algorithms"), (["x", "y", "z"], "tasks")):
        with pytest.raises(ro.OptionError, match=rf"exclude= leaves no {noun}; keep one at least"):
            scores.select(exclude=every)


def test_select_keeps_the_order_named_and_suggests_what_was_meant(scores):
    assert scores.select(algorithms=["PPO", "A2C"], tasks=["Pong"]).algorithms == ("PPO", "A2C")
    with pytest.raises(ro.DesignError, match=r"no algorithm 'PP0'.* Did you mean 'PPO'\?"):
        scores.select(algorithms=["PP0"])


def test_dense_is_runs_by_tasks_and_refuses_ragged_cells(scores):
    dense = ro.Scores.from_dict({"PPO": np.arange(6).reshape(3, 2)}).dense("PPO")
    assert dense.tolist() == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ro.DesignError, match=r"'PPO' is ragged: 1 run.s. on 'Alien', 2 on 'Pong'"):
        scores.dense("PPO")


def test_a_subsample_draws_each_cell_on_its_own_and_shared_runs_whole():
    runs = {task: list(range(30)) for task in ("Pong", "Hero")}
    cells = {"PPO": runs, "A2C": runs}
    drawn = ro.Scores.from_dict(cells).subsample(10)
    assert len({tuple(drawn.cell(a, t)) for a in range(2) for t in range(2)}) == 4
    whole = ro.Scores.from_dict(cells, runs="shared").subsample(10)
    assert np.array_equal(whole.cell("PPO", "Pong"), whole.cell("PPO", "Hero"))
    assert not np.array_equal(whole.cell("PPO", "Pong"), whole.cell("A2C", "Pong"))


def test_a_subsample_is_drawn_without_replacement_and_by_its_seed():
    scores = ro.Scores.from_dict({"PPO": {"Pong": list(range(100))}, "A2C": {"Pong": list(range(100))}})
    drawn = scores.subsample(10, rng=1)
    assert drawn == scores.subsample(10, rng=1)
    assert drawn != scores.subsample(10, rng=2)
    assert len(set(drawn.cell("PPO", "Pong"))) == 10
    assert set(drawn.cell("PPO", "Pong")) != set(drawn.cell("A2C", "Pong"))


def test_a_subsample_larger_than_a_cell_is_refused(scores):
    with pytest.raises(ro.DesignError, match="cannot draw 2 runs of algorithm 'A2C' on task 'Pong': it has 1"):
        scores.subsample(2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"episodic_return": [1.0, None, 3.0, 4.0]}, r"row 1: the score \(column 'episodic_return'\) is missing"),
        ({"episodic_return": [1.0, 2.0, float("nan"), 4.0]}, "row 2: the score .* is nan"),
        ({"episodic_return": ["1", "2", "high", "4"]}, "row 2: the score .* is 'high', which is not a number"),
        ({"episodic_return": [1, 2, 10**400, 4]}, "row 2: the score .* is inf"),
        ({"episodic_return": [1, 2, -(10**400), 4]}, "row 2: the score .* is -inf"),
        ({"seed": [9, 9, 1, 1]}, "algorithm 'PPO', task 'Pong', run '9' appears twice, in row 0 and row 1"),
        ({"seed": [9, 9, 1, 1], "step": [1, 2, 1, 2]}, r"column 'step' is that of learning curves.*final\(\)"),
        ({"agent": ["PPO", " ", "A2C", "PPO"]}, "row 1: the algorithm .* is empty"),
        ({"seed": [1, 2]}, "column 'seed' has 2 rows, 'agent' has 4"),
        ({"Agent": ["a"] * 4}, "the columns 'agent', 'Agent' could each be the algorithm"),
    ],
)
def test_bad_columns_are_refused_with_their_row(change, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.Scores.from_frame(COLUMNS | change)


@pytest.mark.parametrize("frame", [None, 3, [1, 2], "runs.csv", {}, pd.DataFrame(), pd.Series([1.0])])
def test_what_is_no_table_is_refused(frame):
    with pytest.raises(ro.DataError):
        ro.Scores.from_frame(frame)


def test_a_frame_with_a_column_name_twice_is_refused():
    frame = pd.DataFrame([["PPO", 1.0, 2.0]], columns=["algorithm", "score", "score"])
    with pytest.raises(ro.DataError, match=r"unique column names, got: - 'score' 2 times"):
        ro.Scores.from_frame(frame)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "no algorithm"),
        ({"PPO": []}, "no scores"),
        ({"PPO": {"Pong": [1.0]}, "A2C": {"Pong": []}}, "algorithm 'A2C' has no scores"),
        ({"PPO": {"Pong": [1.0], "Hero": []}}, "task 'Hero' has no scores"),
        ({"PPO": [[1, 2], [3]]}, "algorithm 'PPO' must hold numbers only"),
        ({"PPO": {"Pong": [1.0, np.inf]}}, "algorithm 'PPO', task 'Pong' holds 1 value"),
        ({"PPO": np.ones((2, 2, 2))}, "its shape is"),
    ],
)
def test_bad_dicts_are_refused_with_algorithm_and_task(given, sentence):
    with pytest.raises(ro.DataError, match=sentence):
        ro.Scores.from_dict(given)


def test_without_task_and_run_columns_the_assumption_is_noted():
    scores = ro.Scores.from_frame({"algo": ["PPO", "PPO"], "score": [1, 2]})
    assert scores.run_labels == ("0", "1")
    assert len(scores.provenance.notes) == 2


def test_chosen_columns_are_not_taken_for_another_role():
    scores = ro.Scores.from_frame(
        {"agent": ["a", "b"], "env": ["x", "y"], "value": [1, 2]}, algorithm="env", task="agent"
    )
    assert (scores.algorithms, scores.tasks) == (("x", "y"), ("a", "b"))


@pytest.mark.parametrize("slip", [1e80, 1e-80])
def test_a_task_whose_scores_have_no_fourth_power_is_refused_by_name(slip):
    cells = {"A": {"x": [1.0, 2.0], "y": [slip, 0.0]}, "B": {"x": [1e-300, 2.0], "y": [0.0, 0.0]}}
    with pytest.raises(ro.DataError, match=r"largest score on y is 1e.80; .* choose another unit"):
        ro.Scores.from_dict(cells)
    table = {"algorithm": ["A"] * 2, "task": ["y"] * 2, "run": [0] * 2, "step": [0, 1], "score": [0.0, slip]}
    with pytest.raises(ro.DataError, match="largest score on y"):
        ro.Curves.from_frame(table)


def test_whole_numbers_name_the_same_run_as_integers_or_floats():
    as_floats = ro.Scores.from_frame(COLUMNS | {"seed": [10.0, 9.0, 1.0, 1.0]})
    as_numpy = ro.Scores.from_frame(COLUMNS | {"seed": np.array([10, 9, 1, 1], dtype=np.float32)})
    assert as_floats == as_numpy == ro.Scores.from_frame(COLUMNS)


@pytest.mark.parametrize("other", [np.ones((5, 4)), np.ones(5)])
def test_columns_that_nobody_named_are_not_matched_by_their_place(other):
    wide = np.arange(15.0).reshape(5, 3)
    with pytest.raises(ro.DataError, match="nobody has named their tasks, so that they cannot be matched"):
        ro.Scores.from_dict({"A": wide, "B": other})
    named = ro.Scores.from_dict({"A": dict(zip("xyz", wide.T, strict=True)), "B": {"x": other.ravel()[:5]}})
    assert named.tasks == ("x", "y", "z")


@pytest.mark.parametrize("stepped", [False, True])
def test_variants_of_a_sweep_hold_the_runs_of_their_task_and_configuration(stepped):
    rows = [
        (a, lr, t, s, k) for a in ("sac", "ppo") for lr in (0.1, 0.2) for t in "xy" for s in range(3) for k in (1, 2)
    ]
    score = {row: float(n) for n, row in enumerate(rows)}
    kept = [row for row in rows if stepped or row[4] == 2]
    columns = {
        "algorithm": [r[0] for r in kept],
        "lr": [r[1] for r in kept],
        "task": [r[2] for r in kept],
        "seed": [r[3] for r in kept],
    }
    columns |= {"step": [r[4] for r in kept]} if stepped else {}
    sweep = (ro.Curves if stepped else ro.Scores).from_frame(columns | {"score": [score[r] for r in kept]}).variants()
    ends = sweep.final(1) if stepped else sweep
    assert ends.algorithms == ("ppo (lr 0.1)", "ppo (lr 0.2)", "sac (lr 0.1)", "sac (lr 0.2)")
    for a, lr in ((a, lr) for a in ("sac", "ppo") for lr in (0.1, 0.2)):
        for t in "xy":
            assert ends.cell(f"{a} (lr {lr})", t).tolist() == [score[a, lr, t, s, 2] for s in range(3)]


def test_rows_that_are_episodes_are_not_called_runs():
    rows = {"policy": ["P"] * 3 + ["Q"] * 3, "score": [0.0, 1.0, 1.0, 0.0, 0.0, 1.0]}
    notes = ro.Scores.from_frame(rows, algorithm="policy", unit="episode").provenance.notes
    assert not any("independent run" in note for note in notes)
    assert any("independent run" in note for note in ro.Scores.from_frame(rows, algorithm="policy").provenance.notes)


@pytest.mark.parametrize("n", [10, 40])
def test_outcomes_in_an_order_are_no_learning_curves(n):
    # Tasks from easy to hard: every run solves the first ones.
    solved = np.arange(n)[None, :] < np.array([[n // 2], [n // 3], [n // 2]])
    scores = ro.Scores.from_dict({"A": solved.astype(float), "B": solved[::-1].astype(float)})
    assert (scores.n_algorithms, scores.n_tasks) == (2, n)


def test_a_name_of_two_things_is_left_out_by_its_role():
    scores = ro.Scores.from_dict({"A": {"x": [1.0], "A": [2.0]}, "B": {"x": [3.0], "A": [4.0]}})
    with pytest.raises(ro.OptionError, match="say which is left out, exclude='algorithm:A' or exclude='task:A'"):
        scores.select(exclude="A")
    assert scores.select(exclude="task:A") == scores.select(tasks="x")
    assert scores.select(exclude="algorithm:A") == scores.select(algorithms="B")
    with pytest.raises(ro.DesignError, match="there is no task 'B'"):
        scores.select(exclude="task:B")


@pytest.mark.parametrize(
    ("n_tasks", "runs", "rates"), [(1, "shared", True), (2, "shared", False), (2, "per_task", True)]
)
def test_outcomes_are_rates_unless_whole_runs_are_shared_by_several_tasks(n_tasks, runs, rates):
    cells = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])[:, :n_tasks]
    assert ro.Scores.from_dict({"A": cells, "B": 1.0 - cells}, runs=runs).rates is rates
