"""Which files are one run: each file counts once, folders keep their names however they are given, nothing is lost without a word."""

from __future__ import annotations

import gzip
import os
import shutil

import numpy as np
import pytest

import runoff as ro
from runoff.reading.logs.base import Folder
from tests.places import LOGS
from tests.reference import logs as twin

HEAD = "Epoch\tAverageEpRet\tTotalEnvInteracts\n"
MONITOR = '#{{"t_start": {start}, "env_id": "Ant-v4"}}\nr,l,t\n1.0,10,1.0\n{last},10,2.0\n'


def progress(*returns: float) -> str:
    return HEAD + "".join(f"{i}\t{value}\t{100 * (i + 1)}\n" for i, value in enumerate(returns))


def monitor(last: float, start: float) -> str:
    return MONITOR.format(last=last, start=start)


def runs_of(path) -> list[tuple[str, str, str]]:
    return [(record.algorithm, record.task, record.run) for record in ro.scan(path).rows]


@pytest.fixture
def tree(put):
    """PPO with the seeds 0 and 1, SAC with 2 and 3."""
    for name, seeds in (("PPO", (0, 1)), ("SAC", (2, 3))):
        for seed in seeds:
            put(f"runs/{name}/s{seed}/progress.txt", progress(1.0, 2.0 + seed))
    return put("runs/notes.docx", "x").parent


@pytest.mark.parametrize("size", [10, 5_000, 10_000_000])
def test_no_more_of_a_compressed_file_is_looked_at_than_of_a_plain_file(put, size):
    content = b"{" + b" " * size
    root = put("a.json", content).parent
    put("a.json.gz", gzip.compress(content))
    folder = Folder(path=root, parts=(), files=("a.json", "a.json.gz"), folders=())
    assert folder.opened("a.json.gz") == folder.opened("a.json") == content[:65_536]


# ── the paths ──────────


@pytest.mark.parametrize("given", ["runs/PPO runs/SAC", "runs runs/PPO", "runs", "runs/PPO/s0 runs/PPO/s1 runs/SAC"])
def test_several_relative_paths_keep_their_names_and_each_run_counts_once(tree, monkeypatch, given):
    monkeypatch.chdir(tree.parent)
    scores = ro.read_scores(given.split())
    assert {name: scores.cell(name, 0).tolist() for name in scores.algorithms} == {"PPO": [2.0, 3.0], "SAC": [4.0, 5.0]}
    assert scores.run_labels == ("0", "1", "2", "3")


def test_single_files_are_read_as_the_folder_that_holds_them(tree):
    files = sorted(tree.rglob("progress.txt"))
    assert ro.read_scores(files).to_dict() == ro.read_scores(tree).to_dict()


def test_the_folder_in_which_one_stands_has_a_name(tree, monkeypatch):
    monkeypatch.chdir(tree / "PPO")
    assert runs_of(".") == [("PPO", "task", "0"), ("PPO", "task", "1")]
    monkeypatch.chdir(tree / "PPO" / "s0")
    assert ro.read_scores(".").n_runs.tolist() == [[1]]


@pytest.mark.skipif(os.getuid() == 0, reason="the system's user may read all")
def test_a_folder_that_may_not_be_read_is_told(tree):
    (tree / "SAC" / "s3").chmod(0)
    try:
        with pytest.warns(ro.RunoffWarning, match="1 folder.s. or link.s. were not searched"):
            assert ro.read_scores(tree).n_runs.sum() == 3
    finally:
        (tree / "SAC" / "s3").chmod(0o755)


def test_folders_that_lie_too_deep_are_told(put, monkeypatch):
    monkeypatch.setattr("runoff.reading.logs.claims.DEEPEST", 2)
    for depth in ("a/s1", "a/b/c/s2"):
        put(f"runs/{depth}/progress.txt", progress(1.0, 2.0))
    with pytest.warns(ro.RunoffWarning, match="were not searched.*a/b: folders are searched 2 levels deep"):
        ro.read_scores(put("runs/x", "").parent)


# ── whose a file is ──────────


def test_files_of_an_earlier_tool_are_no_run_of_a_later_one(tmp_path):
    source = next(path for path in sorted((LOGS / "acme").rglob("logs")) if path.is_dir()).parent
    shutil.copytree(source, tmp_path / "agent")
    shutil.copytree(source / "logs" / "evaluator", tmp_path / "agent" / "logs" / "actor")
    assert len(runs_of(tmp_path)) == 1


@pytest.mark.parametrize(
    ("tool", "file"), [("sacred", "metrics.json"), ("lightning_csv", "metrics.csv"), ("verl", None), ("dreamer", None)]
)
def test_two_parts_of_one_run_are_read_together(tmp_path, tool, file):
    first = sorted((LOGS / tool).rglob(file or "*.jsonl"))[0]
    for part in ("train", "eval"):
        folder = tmp_path / "PPO_s1" / part
        shutil.copytree(first.parent, folder)
    notes = ro.scan(tmp_path).notes
    assert not any("cannot be read" in note for note in notes)


def test_monitors_of_environments_are_one_run_and_named_ones_are_runs(put):
    for name in ("0", "1", "2"):
        put(f"together/ppo/{name}.monitor.csv", monitor(5, 100.0))
        put(f"named/ppo/seed{name}.monitor.csv", monitor(5, 100.0))
        folder = put(f"after/ppo/{name}.monitor.csv", monitor(5, 100.0 + 60 * int(name))).parents[2]
    assert [len(runs_of(folder / name)) for name in ("together", "named", "after")] == [1, 3, 3]
    assert runs_of(folder / "named")[2] == ("ppo", "Ant-v4", "2")
    with pytest.warns(ro.RunoffWarning, match="recorded one after another"):
        assert ro.read_scores(folder / "after").n_runs.tolist() == [[3]]


def test_monitors_of_two_algorithms_in_one_folder_are_theirs(put):
    for name in ("ppo_0", "ppo_1", "sac_0"):
        folder = put(f"runs/{name}.monitor.csv", monitor(5, 100.0)).parent
    assert runs_of(folder) == [("ppo", "Ant-v4", "0"), ("ppo", "Ant-v4", "1"), ("sac", "Ant-v4", "0")]


# ── what is in it ──────────


def test_values_that_are_no_numbers_are_counted(put):
    text = progress(1.0, 2.0) + "2\ttensor(500.)\t300\n"
    with pytest.warns(ro.RunoffWarning, match=r"1 value\(s\) of 1 log\(s\) are not numbers"):
        assert ro.read_scores(put("PPO/s1/progress.txt", text)).values.tolist() == [2.0]


def test_a_quotation_mark_that_nothing_closes_is_told(put):
    text = 'epoch,step,reward/mean\n0,1,1.5\n1,2,2.5\n2,"3,3.5\n3,4,4.5\n'
    with pytest.warns(ro.RunoffWarning, match="are cut off or damaged in the middle of a record"):
        ro.read_scores(put("a/version_0/metrics.csv", text).parents[1])


def test_two_runs_of_equal_length_in_one_folder_are_warned_of(put):
    events = [twin.event(100 * (i + 1), {"AverageEpRet": i + 10 * run}) for run in (0, 1) for i in range(5)]
    folder = put("PPO/events.out.tfevents.1.h", twin.event_file(*events)).parent
    with pytest.warns(ro.RunoffWarning, match="several trainings one after another"):
        ro.read_scores(folder)


def test_values_that_were_logged_without_a_step_are_warned_of(put):
    events = [twin.event(0, {"AverageEpRet": float(i)}) for i in range(5)]
    folder = put("PPO/events.out.tfevents.1.h", twin.event_file(*events)).parent
    with pytest.warns(ro.RunoffWarning, match="all their values at one step"):
        ro.read_scores(folder)


@pytest.mark.parametrize(
    "steps", [np.array(["a", "b"]), np.zeros((0,)), np.zeros((2, 2)), np.array([{}, {}], dtype=object)]
)
def test_evaluations_without_steps_are_refused(tmp_path, steps):
    np.savez(tmp_path / "evaluations.npz", timesteps=steps, results=np.ones((2, 3)))
    with pytest.raises(ro.DataError, match="no log can be read"):
        ro.read_scores(tmp_path)


def test_evaluations_under_the_names_of_their_runs_are_runs(tmp_path):
    for i, name in enumerate(
        ["sac_Hopper-v4_seed0", "sac_Hopper-v4_seed1", "tqc_Hopper-v4_seed0", "tqc_Hopper-v4_seed1"]
    ):
        file = tmp_path / f"{name}_evaluations.npz"
        np.savez(file, timesteps=np.array([10, 20]), results=np.array([[0.0, 0.0], [i, i + 1]]))
    read = ro.load(tmp_path)
    assert read.algorithms == ("sac", "tqc")
    assert read.tasks == ("Hopper-v4",)
    assert [read.final(last=1).cell(a, 0).tolist() for a in read.algorithms] == [[0.5, 1.5], [2.5, 3.5]]


# ── what the user says ──────────


@pytest.mark.parametrize(
    ("toml", "what"),
    [
        ('leave_out = ["s9"]', "leave_out: no run is at 's9'"),
        ('[runs."Q/*"]\nrun = 5', "runs: no run is at 'Q/"),
        ('[algorithm]\nPPQ = "ours"', "no run has the algorithm 'PPQ'. Did you mean 'PPO'"),
    ],
)
def test_what_a_file_of_names_says_of_no_run_is_refused(tree, put, toml, what):
    with pytest.raises(ro.OptionError, match=what):
        ro.read_scores(tree, pattern=put("names.toml", toml))


def test_what_is_left_out_as_asked_is_told(tree, put):
    scores = ro.read_scores(tree, pattern=put("names.toml", 'leave_out = ["s1"]'))
    assert scores.run_labels == ("0", "2", "3")
    assert any("1 run(s) are left out by the pattern (PPO/s1)" in note for note in scores.provenance.notes)


# ── what was missed ──────────


def test_a_log_that_is_empty_and_a_table_beside_logs_are_warned_of(tree, put):
    put("runs/SAC/s4/progress.txt", "")
    put("runs/more.csv", "algo,seed,score\nDQN,0,1\n")
    with pytest.warns(
        ro.RunoffWarning, match=r"2 file\(s\) have the names of logs or tables.*SAC/s4/progress.txt; more.csv"
    ):
        assert ro.read_scores(tree).n_runs.sum() == 4


def test_a_last_line_without_its_end_is_torn(put):
    with pytest.warns(ro.RunoffWarning, match="the last row is cut off after 1 rows"):
        scores = ro.read_scores(put("PPO/s1/progress.txt", (progress(1.0, 20.0))[:-1]).parent)
    assert scores.values.tolist() == [1.0]


def test_a_mark_of_the_order_of_bytes_hides_no_log(put):
    assert ro.read_scores(put("PPO/s1/progress.txt", "\ufeff" + progress(1.0, 2.0)).parent).values.tolist() == [2.0]


def evaluated(put, name: str, tags: dict[str, float]):
    events = [twin.event(100 * (i + 1), {tag: value + i for tag, value in tags.items()}) for i in range(5)]
    return put(f"runs/{name}/events.out.tfevents.1.h", twin.event_file(*events)).parents[1]


def test_a_better_series_that_one_algorithm_lacks_is_warned_of(put):
    for name in ("PPO_s0", "PPO_s1", "SAC_s0"):
        evaluated(put, name, {"rollout/return": 1.0, "eval/return": 5.0})
    with pytest.warns(ro.RunoffWarning, match=r"'rollout/return', because 1 of 4 run.s. lack 'eval/return'"):
        ro.read_scores(evaluated(put, "TD3_s1", {"rollout/return": 1.0}))


def test_series_that_nothing_orders_are_warned_of(put):
    tags = {"eval/hopper/return": 1.0, "eval/walker/return": 5.0}
    with pytest.warns(ro.RunoffWarning, match="are equally likely scores, and the first is used"):
        ro.read_scores(evaluated(put, "PPO_s0", tags))


def test_scores_and_steps_of_other_names_are_warned_of(tree, put):
    evaluated(put, "TD3/s0", {"eval/return": 1.0})
    with pytest.warns(ro.RunoffWarning) as warned:
        ro.read_curves(tree)
    warnings = " | ".join(str(warning.message) for warning in warned)
    assert (
        "the logs name the score differently ('AverageEpRet' of Spinning Up, 'eval/return' of TensorBoard)" in warnings
    )
    assert "make sure that these count the same steps" in warnings
