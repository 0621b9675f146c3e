"""Sums, comparisons and costs stand beside algorithms and tasks, and are neither."""

from __future__ import annotations

import pytest

from runoff.errors import DataError
from runoff.reading.published.read import TableOptions, read_table

COMPARED = ("Improvement", "Improvement (%)", "Δ", "Gain", "p-value", "p", "Diff.")
COSTS = ("#params", "Params (M)", "Time (h)", "Time", "Runtime", "Steps", "FPS", "GPU memory", "Training time")
SUMS = ("Norm. score", "Mean HNS", "Avg. return", "Rank", "Average", "Normalized return", "IQM")


@pytest.mark.parametrize("name", [*COMPARED, *COSTS, *SUMS])
def test_a_column_beside_algorithms_that_is_none_is_left_out(name):
    text = f"| Task | PPO | SAC | {name} |\n|---|---|---|---|\n| Hopper | 10.0 ± 1.0 | 12.0 ± 1.0 | 2.0 ± 1.4 |\n"
    table = read_table(text, TableOptions())
    assert table.algorithms == ("PPO", "SAC")
    assert any(note.startswith("Left out, since it ") and name in note for note in table.notes)


@pytest.mark.parametrize("name", [*COMPARED, *COSTS, *SUMS])
def test_a_column_beside_tasks_that_is_none_is_left_out(name):
    text = f"| Method | Hopper | {name} |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    table = read_table(text, TableOptions())
    assert table.tasks == ("Hopper",)
    assert any(note.startswith("Left out, since it ") and name in note for note in table.notes)


@pytest.mark.parametrize(
    "name", ["Time Pilot", "Step-Maze", "Memory", "DeltaNet", "Goal-p", "Steps to goal", "Mean Girls"]
)
def test_a_task_that_only_sounds_so_is_kept(name):
    text = f"| Method | Hopper | {name} |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    assert read_table(text, TableOptions()).tasks == ("Hopper", name)


@pytest.mark.parametrize(("head", "lower"), [("Time (h) ↓", "arrows"), ("Time (h)", "Time (h)")])
def test_a_cost_whose_direction_is_told_is_kept_and_not_averaged_beside_scores(head, lower):
    text = f"| Method | Hopper | {head} |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    table = read_table(text, TableOptions(lower=lower))
    assert (table.tasks, table.lower, table.averages) == (("Hopper", "Time (h)"), ("Time (h)",), False)


@pytest.mark.parametrize(
    "names", [("100k", "500k"), ("Return", "Length"), ("Train", "Test"), ("Return @100k", "Return @1M")]
)
def test_columns_that_are_no_algorithms_are_asked_for(names):
    text = f"| Env | {names[0]} | {names[1]} |\n|---|---|---|\n| Walker | 10.0 ± 1.0 | 12.0 ± 1.4 |\n"
    with pytest.raises(DataError, match=r"are budgets, metrics, splits or seeds, not algorithms; .* use rows='tasks'"):
        read_table(text, TableOptions())
    assert read_table(text, TableOptions(rows="tasks", lower="none")).algorithms == names


def test_columns_that_are_seeds_are_no_tasks():
    text = "| Method | Seed 1 | Seed 2 |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    with pytest.raises(DataError, match="Seed 1, Seed 2 are runs, not tasks"):
        read_table(text, TableOptions())


def test_costs_that_go_up_are_not_averaged_beside_scores():
    text = "| Method | Hopper ↑ | FPS ↑ |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    table = read_table(text, TableOptions())
    assert (table.tasks, table.averages) == (("Hopper", "FPS"), False)
    assert any("some are costs and others scores" in note for note in table.notes)


@pytest.mark.parametrize(
    ("names", "kept"),
    [(("Average", "p-value"), ("Average",)), (("Time (h) ↓", "Improvement"), ("Time (h)",)), (("Rank", "IQM"), None)],
)
def test_sums_and_costs_are_kept_where_there_is_nothing_else(names, kept):
    text = f"| Method | {names[0]} | {names[1]} |\n|---|---|---|\n| PPO | 10.0 ± 1.0 | 2.0 ± 1.4 |\n| SAC | 12.0 ± 1.0 | 3.0 ± 1.4 |\n"
    if kept is None:
        with pytest.raises(DataError, match="only means can be tested from a table"):
            read_table(text, TableOptions())
    else:
        assert read_table(text, TableOptions()).tasks == kept


def test_a_comparison_need_not_be_a_number_and_a_table_of_nothing_else_is_refused():
    text = "| Task | PPO | SAC | p |\n|---|---|---|---|\n| Hopper | 10.0 ± 1.0 | 12.0 ± 1.0 | < 0.001 |\n"
    assert read_table(text, TableOptions()).algorithms == ("PPO", "SAC")
    with pytest.raises(DataError, match="no score with a ± is left"):
        read_table(text.replace("PPO", "Time").replace("SAC", "FPS"), TableOptions())


@pytest.mark.parametrize("names", [("1", "2"), ("4", "6"), ("#1", "#2")])
def test_algorithms_may_be_numbers(names):
    text = f"| Env | {names[0]} | {names[1]} |\n|---|---|---|\n| Walker | 10.0 ± 1.0 | 12.0 ± 1.4 |\n"
    assert read_table(text, TableOptions()).algorithms == names
