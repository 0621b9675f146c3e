"""Axes without names: learning curves are not read as tasks or as runs, and columns of steps are not read as algorithms."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

import runoff as ro

RISING = np.linspace(0, 300, 40)[None, :] ** 1.1 + np.random.default_rng(0).normal(0, 3, (5, 40))
"""Five learning curves of forty evaluations."""


def saved(array: object) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize(("curves", "axes"), [(RISING, "run,step"), (RISING.T, "step,run")])
def test_a_matrix_that_is_smooth_along_an_axis_is_refused_until_its_axes_are_named(put, curves, axes):
    file = put("PPO.npy", saved(curves))
    with pytest.raises(ro.DataError, match=f"neighbours along it are alike.* dims='{axes}', or dims='run,task'"):
        ro.read_scores(file)
    read = ro.read_curves(file, dims=axes)
    assert (read.n_runs.tolist(), read.final().cell("PPO", "task").tolist()) == ([[5]], RISING[:, -1].tolist())
    assert ro.read_scores(file, dims="run,task").n_runs.shape == (1, curves.shape[1])


@pytest.mark.parametrize("shape", [(5, 101), (101, 5)])
def test_a_long_axis_is_refused_though_it_is_not_smooth(put, shape):
    noise = np.random.default_rng(1).normal(size=shape)
    with pytest.raises(
        ro.DataError, match=r"its axis of 101 would be .*, but an axis of runs or tasks is seldom that long"
    ):
        ro.read_scores(put("PPO.npy", saved(noise)))


def test_the_reading_of_a_matrix_is_said_with_the_other(put):
    matrix = "[[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]]"
    notes = ro.read_scores(put("runs.json", f'{{"PPO": {matrix}, "SAC": {matrix}}}')).provenance.notes
    assert any("2 runs x 6 tasks; dims='run,step' if the second axis holds evaluations" in note for note in notes)


def test_matrices_of_json_and_of_text_are_read_by_the_axes_named(put):
    matrix = put("runs.json", json.dumps({"PPO": RISING.tolist(), "SAC": RISING.tolist()}))
    with pytest.raises(ro.DataError, match="array 'PPO' has the shape"):
        ro.read_scores(matrix)
    assert ro.read_curves(matrix, dims="run,step").n_runs.tolist() == [[5], [5]]
    text = put("SAC.txt", "1 2 3\n4 5 6\n")
    assert ro.read_curves(text).n_runs.tolist() == [[3]]
    assert ro.read_curves(text, dims="run,step").n_runs.tolist() == [[2]]


def test_a_list_in_which_neighbours_are_alike_is_refused_until_it_is_said_what_it_counts(put):
    file = put("runs.json", json.dumps({"PPO": RISING[0].tolist()}))
    with pytest.raises(ro.DataError, match="dims='step', or dims='run' if it has one score per run, sorted"):
        ro.read_scores(file)
    assert ro.read_scores(file, dims="run").n_runs.tolist() == [[40]]
    assert ro.read_curves(file, dims="step").steps.tolist() == list(range(1, 41))


TWO = {"PPO": [[3.0, 1.0, 2.0], [5.0, 4.0, 6.0]], "SAC": [[7.0, 9.0, 8.0], [2.0, 0.0, 1.0]]}
"""Two runs of three evaluations each, of two algorithms."""
LAYOUTS = {
    "lists below three levels of names": (
        {name: {"t": {f"seed_{i}": run for i, run in enumerate(runs)}} for name, runs in TWO.items()},
        None,
    ),
    "matrices below two levels of names": ({name: {"t": runs} for name, runs in TWO.items()}, "run,step"),
    "matrices below two levels, turned": (
        {name: {"t": np.transpose(runs).tolist()} for name, runs in TWO.items()},
        "step,run",
    ),
    "matrices": (TWO, "run,step"),
    "matrices turned": ({name: np.transpose(runs).tolist() for name, runs in TWO.items()}, "step,run"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_evaluations_without_steps_are_at_steps_from_1_in_every_layout(put, layout):
    content, dims = LAYOUTS[layout]
    curves = ro.read_curves(put("runs.json", json.dumps(content)), **({} if dims is None else {"dims": dims}))
    assert curves.algorithms == ("PPO", "SAC")
    assert curves.steps.tolist() == [1, 2, 3] * 4
    assert curves.values.tolist() == [value for runs in TWO.values() for run in runs for value in run]


def test_scores_in_no_order_are_runs_as_before(put):
    rng = np.random.default_rng(2)
    content = {"PPO": rng.normal(size=60).tolist(), "SAC": rng.normal(size=60).tolist()}
    assert ro.read_scores(put("runs.json", json.dumps(content))).n_runs.tolist() == [[60], [60]]
    tasks = np.exp(rng.normal(0, 3, 57)) * rng.normal(1, 0.1, (10, 57))
    assert ro.read_scores(put("DQN.npy", saved(tasks))).n_runs.tolist() == [[10] * 57]


@pytest.mark.parametrize(
    ("axes", "sentence"),
    [
        ("seed,step", "are run, task or step"),
        ("run,run", "each at most once"),
        ("run", "names 1 axes, but the array has"),
    ],
)
def test_axes_that_do_not_fit_are_refused(put, axes, sentence):
    with pytest.raises(ro.OptionError, match=sentence):
        ro.read_scores(put("PPO.npy", saved(RISING)), dims=axes)


def test_axes_of_a_table_with_heads_are_refused(put):
    with pytest.raises(ro.OptionError, match="because the file has no arrays"):
        ro.read_scores(put("runs.csv", "algo,score\nPPO,1\n"), dims="run,step")


@pytest.mark.parametrize("head", ["Frames (M)", "Steps [1e6]", "x", ""])
def test_a_first_column_of_steps_is_no_algorithm_and_is_not_dropped(put, head):
    rows = "".join(f"{i / 10:.1f},{100 + i % 3},{130 - i % 2}\n" for i in range(9))
    with pytest.raises(ro.DataError, match="holds steps, but no column is recognised as the score"):
        ro.read_scores(put("runs.csv", f"{head},PPO,SAC\n{rows}"))


def test_a_first_column_that_counts_rows_is_left_out_and_one_that_is_named_as_scores_is_read(put):
    rows = "".join(f"{i},{100 + i % 3},{130 - i % 2}\n" for i in range(9))
    assert ro.read_scores(put("counted.csv", f",PPO,SAC\n{rows}")).algorithms == ("PPO", "SAC")
    even = "".join(f"{2 * i},{100 + i % 3}\n" for i in range(9))
    scores = ro.read_scores(put("even.csv", f"x,PPO\n{even}"), keys="algorithm")
    assert scores.algorithms == ("PPO", "x")


@pytest.mark.parametrize("axis", ["Relative Time (Wall)", "Relative Time (Process)", "Step", "trainer/global_step"])
def test_a_chart_of_weights_and_biases_over_any_axis_holds_curves(put, axis):
    heads = ",".join(f'"{run} - eval/return"' for run in ("PPO-s0", "PPO-s1", "SAC-s0", "SAC-s1"))
    rows = "".join(f'"{100 * i}","1","2","3","{i}"\n' for i in range(6))
    curves = ro.read_curves(put("chart.csv", f'"{axis}",{heads}\n{rows}'))
    assert (curves.algorithms, curves.n_runs.tolist()) == (("PPO", "SAC"), [[2], [2]])


# ── marks of decimals and thousands ──────────

GERMAN = "algorithm;seed;return\nPPO;0;940\nPPO;1;985\nSAC;0;1.002\nSAC;1;1.040\n"


def test_points_that_may_part_thousands_are_refused_until_the_mark_is_named(put):
    file = put("german.csv", GERMAN)
    with pytest.raises(ro.DataError, match=r"line 4: .*'1.002' beside '940'.*decimal='comma'.*decimal='point'"):
        ro.read_scores(file)
    assert ro.read_scores(file, decimal="comma").cell("SAC", "task").tolist() == [1002, 1040]
    assert ro.read_scores(file, decimal="point").cell("SAC", "task").tolist() == [1.002, 1.04]


@pytest.mark.parametrize(
    "numbers", [("0.998", "1"), ("1.5", "2"), ("1.125", "1.250"), ("1.125", "2500"), ("1.125", "2.0")]
)
def test_points_that_cannot_part_thousands_are_decimals(put, numbers):
    rows = "".join(f"PPO,{i},{number}\n" for i, number in enumerate(numbers))
    scores = ro.read_scores(put("runs.csv", f"algorithm,seed,return\n{rows}"))
    assert scores.cell("PPO", "task").tolist() == [float(number) for number in numbers]


def test_commas_are_decimals_where_the_mark_is_named(put):
    file = put("german.csv", "algorithm;seed;return\nPPO;0;1.940,5\nPPO;1;985\n")
    assert ro.read_scores(file).cell("PPO", "task").tolist() == [1940.5, 985]
    assert ro.read_scores(file, decimal="comma").cell("PPO", "task").tolist() == [1940.5, 985]


@pytest.mark.parametrize("n_steps", [6, 8, 10, 15])
@pytest.mark.parametrize(
    "shape", [np.linspace, lambda a, b, n: b * (1 - np.exp(-np.linspace(0, 4, n)))], ids=["even", "saturating"]
)
def test_curves_of_few_evaluations_are_smooth_and_as_many_tasks_are_not(put, n_steps, shape):
    noise = np.random.default_rng(2).normal(size=(5, n_steps))
    curves = shape(0.0, 90.0, n_steps) + noise
    with pytest.raises(ro.DataError, match="neighbours along it are alike"):
        ro.read_scores(put("PPO.npy", saved(curves)))
    tasks = np.random.default_rng(3).permutation(curves.mean(axis=0)) + noise
    assert ro.read_scores(put("SAC.npy", saved(tasks))).n_tasks == n_steps


@pytest.mark.parametrize(
    "label", ["SE", "σ", "Ø", "IQM", "95% CI", "Mean (3 seeds)", "Mittelwert", "Durchschnitt", "AVG", "stderr"]
)
def test_a_row_that_sums_up_the_runs_is_left_out_by_whatever_name(put, label):
    file = put("runs.csv", f"seed,PPO,SAC\n0,9.8,12.1\n1,10.3,11.7\n2,9.6,12.6\n{label},0.4,0.5\n")
    with pytest.warns(ro.RunoffWarning, match="left out: 2 row"):
        assert ro.read_scores(file).n_runs.tolist() == [[3], [3]]


@pytest.mark.parametrize("name", ["Best (ours)", "SE", "SD"])
def test_an_algorithm_that_is_called_like_a_summary_is_no_summary(put, name):
    rows = "".join(f"{a},Pong,{seed},{seed + 1.5}\n" for a in (name, "PPO") for seed in range(3))
    assert set(ro.read_scores(put("runs.csv", f"algorithm,task,seed,score\n{rows}")).algorithms) == {name, "PPO"}


def test_a_hundred_runs_of_a_benchmark_are_not_too_many(put):
    scores = np.random.default_rng(1).normal(size=(100, 26))
    assert ro.load(put("PPO.npy", saved(scores))).n_runs.tolist() == [[100] * 26]
