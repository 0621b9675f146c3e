"""Laws of reading that small slips break: who wins where several name the same, what the last row is, and what spelling does not change."""

from __future__ import annotations

import json

import numpy as np
import openpyxl
import polars as pl
import pytest

import runoff as ro

HEAD = "Epoch\tAverageEpRet\tTotalEnvInteracts\n"
ROWS = [(name, seed, 10.0 * seed + place) for place, name in enumerate(["A", "B"]) for seed in range(3)]
MARKDOWN = "| algorithm | task | seed | score |\n|---|---|---|---|\n" + "".join(
    f"| {name} | X, hard, old, new | {seed} | {score} |\n" for name, seed, score in ROWS
)


@pytest.fixture
def spinning_up(put):
    """Write a run of Spinning Up; below it, in a folder, what its configuration says."""

    def write(path: str, config: dict[str, object] | None = None, end: str = "\n") -> None:
        put(f"tree/{path}/progress.txt", f"{HEAD}0\t1.5\t100\n1\t2\t200\n".replace("\n", end))
        if config is not None:
            put(f"tree/{path}/config.json", json.dumps(config))

    return write


def names(root) -> list[tuple[str, str, str]]:
    return [(record.algorithm, record.task, record.run) for record in ro.scan(root).rows]


def cells(scores):
    return {(a, t): scores.cell(a, t).tolist() for a in scores.algorithms for t in scores.tasks}


def test_the_deepest_of_two_seeds_in_a_path_is_the_run(spinning_up, tmp_path):
    for seed in (2, 3):
        spinning_up(f"PPO/Hopper-v4/seed_1/seed_{seed}")
    assert names(tmp_path / "tree") == [("PPO", "Hopper-v4", "2"), ("PPO", "Hopper-v4", "3")]


def test_the_configuration_beside_a_run_wins_over_the_one_above_it(spinning_up, put, tmp_path):
    for seed in (0, 1):
        spinning_up(f"PPO/Hopper-v4/s{seed}", {"algo": "near", "seed": seed})
    put("tree/PPO/Hopper-v4/config.json", json.dumps({"algo": "far", "env_id": "Ant-v4"}))
    assert {algorithm for algorithm, *_ in names(tmp_path / "tree")} == {"near"}


def test_a_variant_with_a_single_run_is_a_variant_beside_one_with_several(spinning_up, tmp_path):
    for variant, seed in (("small", 0), ("large", 0), ("large", 1)):
        spinning_up(f"Hopper-v4/ppo_{variant}/s{seed}", {"algo": "ppo", "env": "Hopper-v4", "seed": seed})
    assert sorted({algorithm for algorithm, *_ in names(tmp_path / "tree")}) == ["ppo_large", "ppo_small"]


@pytest.mark.parametrize("nothing", ["nan", "None", "null", ""])
def test_what_says_nothing_in_a_configuration_names_no_task(nothing, spinning_up, tmp_path):
    for seed in (0, 1):
        spinning_up(f"a/s{seed}", {"algo": "ppo", "env": nothing, "seed": seed})
    assert {task for _, task, _ in names(tmp_path / "tree")} == {"task"}


@pytest.mark.parametrize("name", ["README.md", "ReadMe.MD", "readme.md"])
def test_what_lies_beside_runs_is_no_log_however_it_is_spelled(name, spinning_up, put, tmp_path):
    for seed in (0, 1):
        spinning_up(f"PPO/Hopper-v4/s{seed}")
    put(f"tree/PPO/{name}", "About these runs")
    assert "not understood" not in str(ro.scan(tmp_path / "tree"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_last_row_of_a_log_counts_whatever_ends_its_lines(end, spinning_up, tmp_path):
    for seed in (0, 1):
        spinning_up(f"PPO/Hopper-v4/s{seed}", end=end)
    curves = ro.load(tmp_path / "tree")
    assert curves.steps.tolist() == [100, 200] * 2
    assert curves.values.tolist() == [1.5, 2] * 2


def monitors(put, starts, rows):
    for seed in (0, 1):
        for place, (start, own) in enumerate(zip(starts, rows, strict=True)):
            head = "#" + json.dumps({"t_start": start, "env_id": "Hopper-v4"})
            lines = [head, "r,l,t", *(f"{reward},10,{time}" for reward, time in own)]
            put(f"tree/PPO/s{seed}/{place}.monitor.csv", "\n".join(lines) + "\n")


def test_episodes_of_several_monitors_are_timed_from_the_start_of_the_first(put, tmp_path):
    monitors(put, (1005.0, 1000.0), [[(1, 1.0), (2, 4.0)], [(5, 2.0), (6, 8.0)]])
    curves = ro.load(tmp_path / "tree")
    assert curves.values.tolist() == [5, 1, 6, 2] * 2
    assert curves.time.tolist() == [2, 6, 8, 9] * 2


def test_the_episodes_of_a_continued_run_follow_those_before(put, tmp_path):
    monitors(put, (1000.0, 1000.0), [[(1, 1.0), (2, 9.0), (3, 2.0)], [(4, 3.0), (5, 8.0), (6, 1.0)]])
    curves = ro.load(tmp_path / "tree")
    assert [set(part) for part in np.split(curves.values[:6], [4])] == [{1, 2, 4, 5}, {3, 6}]


@pytest.mark.parametrize("heads", ["a,b,n,p", "p,n,b,a"])
def test_letters_beside_each_other_are_all_algorithms(heads, put):
    scores = ro.load(put("runs.csv", f"{heads}\n1,2,3,4\n2,3,4,5\n1.5,2,4,4\n"))
    assert sorted(scores.algorithms) == ["a", "b", "n", "p"]


def test_counts_of_wins_beside_a_return_are_no_scores(put):
    rows = [f"{name},X,{seed},{score},{seed},10" for name, seed, score in ROWS]
    scores = ro.load(put("runs.csv", "\n".join(["algorithm,task,seed,return,wins,trials", *rows]) + "\n"))
    assert cells(scores) == {("A", "X"): [0, 10, 20], ("B", "X"): [1, 11, 21]}


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_frame_with_a_failed_run_has_the_scores_of_its_file(lower_is_better, tmp_path):
    costs = [1.0, 2.0, None, 4.0, 5.0, 6.0]
    frame = pl.DataFrame({"algorithm": list("AAABBB"), "task": ["X"] * 6, "seed": [0, 1, 2] * 2, "score": costs})
    frame.write_csv(tmp_path / "runs.csv")
    how = {"incomplete": "worst", "lower_is_better": lower_is_better}
    own, of_file = ro.load(frame, **how), ro.load(tmp_path / "runs.csv", **how)
    assert cells(own) == cells(of_file)
    assert own.cell("A", "X").min() == own.values.min()


def test_a_table_of_markdown_is_one_whatever_its_file_is_called(put):
    assert cells(ro.load(put("runs.txt", MARKDOWN))) == cells(ro.load(put("runs.md", MARKDOWN)))


@pytest.mark.parametrize("marks", ["()", "[]"])
def test_units_of_all_columns_are_no_row(marks, tmp_path):
    book = openpyxl.Workbook()
    for cell in (["PPO", "SAC"], [f"{marks[0]}points{marks[1]}"] * 2, [1.5, 2.5], [2.5, 3], [3, 4]):
        book.active.append(cell)
    book.save(tmp_path / "runs.xlsx")
    scores = ro.load(tmp_path / "runs.xlsx")
    assert cells(scores) == {("PPO", "task"): [1.5, 2.5, 3], ("SAC", "task"): [2.5, 3, 4]}


def test_only_the_algorithm_whose_runs_are_of_several_kinds_is_named_by_them(put):
    kinds = [("A", "cnn"), ("A", "mlp"), ("B", "cnn")]
    rows = [f"{name},X,{seed},{kind},{seed + place}" for place, (name, kind) in enumerate(kinds) for seed in range(3)]
    with pytest.warns(ro.RunoffWarning, match="the runs of 'A' differ in 'encoder'"):
        scores = ro.load(put("runs.csv", "\n".join(["algorithm,task,seed,encoder,score", *rows]) + "\n"))
    assert scores.algorithms == ("A (encoder cnn)", "A (encoder mlp)", "B")


def test_the_key_below_which_the_runs_lie_is_noted(put):
    runs = {"PPO": {"Pong": [1.0, 2.0, 3.0]}, "SAC": {"Pong": [2.0, 3.0, 4.0]}}
    scores = ro.load(put("runs.json", json.dumps({"results": runs})), keys="algorithm/task")
    assert "the content of the key 'results' is read" in scores.provenance.notes


@pytest.mark.parametrize("lacking", ["PPO", "SAC"])
def test_a_name_without_the_measure_that_is_the_score_is_asked_about(lacking, put):
    heads = [f"{name}_{what}" for name in ("PPO", "SAC") for what in ("return", "len", "time")]
    heads.remove(f"{lacking}_return")
    path = put("runs.csv", f"seed,{','.join(heads)}\n0,1,2,3,4,5\n1,2,3,4,5,6\n2,3,4,5,6,7\n")
    with pytest.raises(ro.DataError, match="_return'"):
        ro.load(path)
