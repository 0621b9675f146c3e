"""Folders of logs: which runs are there, whose they are, and the same table whatever the order of files."""

from __future__ import annotations

import os
import shutil
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

import runoff as ro
from runoff.reading.logs import claims
from runoff.reading.logs.config import read_config
from tests.places import LOGS
from tests.reading.logs.make_logs import MAKERS
from tests.reference import logs as twin

HEAD = "Epoch\tAverageEpRet\tTotalEnvInteracts\n"


def progress(*returns: float) -> str:
    return HEAD + "".join(f"{i}\t{value}\t{100 * (i + 1)}\n" for i, value in enumerate(returns))


def event_file(*returns: float, tag: str = "AverageEpRet") -> bytes:
    return twin.event_file(*(twin.event(100 * (i + 1), {tag: value}) for i, value in enumerate(returns)))


@pytest.fixture
def tree(put):
    """Two algorithms with two runs each."""
    for a, name in enumerate(("PPO", "SAC")):
        for seed in (0, 1):
            put(f"tree/{name}/Ant-v4/s{seed}/progress.txt", progress(1.0 + a, 2.0 + a + seed))
    return put("tree/notes.docx", "x").parent


def test_a_folder_of_logs_is_curves_and_their_ends_are_scores(tree):
    curves = ro.read_curves(tree)
    assert (curves.algorithms, curves.tasks, curves.n_runs.tolist()) == (("PPO", "SAC"), ("Ant-v4",), [[2], [2]])
    scores = ro.read_scores(tree)
    assert (scores.cell("PPO", "Ant-v4").tolist(), scores.cell("SAC", "Ant-v4").tolist()) == ([2.0, 3.0], [3.0, 4.0])
    assert ro.read_scores(tree, lower_is_better=True).cell("PPO", "Ant-v4").tolist() == [-2.0, -3.0]


def test_what_was_understood_and_what_was_not_is_said(tree):
    origin = ro.read_curves(tree).provenance
    assert (origin.format, dict(origin.columns)) == (
        "Spinning Up",
        {"score": "AverageEpRet", "step": "TotalEnvInteracts"},
    )
    notes = " | ".join(origin.notes)
    assert all(
        sentence in notes
        for sentence in (
            "the score is 'AverageEpRet'",
            "steps are counted by",
            "the algorithm is named by the names of folders",
        )
    )
    assert "not understood as runs: 1 file(s) (1 .docx), for example notes.docx" in notes


def test_the_order_of_files_and_the_number_of_threads_change_nothing(tree, monkeypatch):
    first = ro.read_curves(tree)
    listed = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: sorted(listed(path), reverse=True))
    monkeypatch.setenv("RUNOFF_THREADS", "1")
    copy = tree.parent / "copy"
    for path in sorted(tree.rglob("*"), reverse=True):
        if path.is_file():
            (copy / path.relative_to(tree)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy / path.relative_to(tree))
    second = ro.read_curves(copy)
    assert second.to_frame().equals(first.to_frame())
    assert (second.provenance.sha256, second.provenance.notes) == (first.provenance.sha256, first.provenance.notes)


def test_another_byte_in_a_log_is_another_digest(tree):
    before = ro.read_curves(tree).provenance.sha256
    (tree / "PPO" / "Ant-v4" / "s0" / "progress.txt").write_text(progress(1.0, 2.5))
    assert ro.read_curves(tree).provenance.sha256 != before


def test_links_that_lead_back_and_hidden_folders_are_not_walked(tree):
    (tree / "PPO" / "loop").symlink_to(tree)
    (tree / "latest").symlink_to(tree / "PPO")
    (tree / "SAC").rename(tree / ".trash")
    assert [record.path for record in ro.scan(tree).rows] == [
        str(tree / "PPO" / "Ant-v4" / seed) for seed in ("s0", "s1")
    ]


def test_links_out_of_the_tree_are_left_out_and_named(tree, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (tree / "SAC").rename(outside / "SAC")
    (tree / "SAC").symlink_to(outside / "SAC")
    with pytest.warns(ro.RunoffWarning, match="SAC: a link out of the folder"):
        curves = ro.read_curves(tree)
    assert curves.algorithms == ("PPO",)
    assert any("SAC" in note and "a link out of the folder" in note for note in curves.provenance.notes)


def test_a_tree_that_is_too_large_is_refused(tree, monkeypatch):
    monkeypatch.setattr(claims, "MOST_ENTRIES", 5)
    with pytest.raises(ro.DataError, match="more than 5 files and folders"):
        ro.scan(tree)


def test_a_folder_without_logs_is_read_as_tables(put):
    put("plain/runs.csv", "algorithm,run,score\nPPO,0,1\n")
    assert ro.read_scores(put("plain/readme.txt", "").parent / "runs.csv").algorithms == ("PPO",)
    toml = put("plain/names.toml", "")
    with pytest.raises(ro.OptionError, match="no log of a tool"):
        ro.read_scores(toml.parent / "runs.csv", pattern=toml)


def test_several_folders_of_logs_are_read_as_one(tree):
    both = ro.read_curves([tree / "PPO", tree / "PPO"]).to_frame()
    assert both.equals(ro.read_curves(tree / "PPO").to_frame())


@pytest.mark.parametrize("name", ["empty", "configs"])
def test_folders_without_runs_are_scanned_as_such(put, tmp_path, name):
    (tmp_path / "empty").mkdir()
    put("configs/a/config.json", "{}")
    scan = ro.scan(tmp_path / name)
    assert (scan.rows, str(scan)) == ((), f"{tmp_path / name}: no runs.")


def test_nothing_at_a_path_is_refused(tmp_path):
    with pytest.raises(ro.DataError, match="there is no such file or folder"):
        ro.scan(tmp_path / "nosuch")


# ── two tools ──────────


def test_of_two_tools_in_one_folder_the_first_is_read_and_said(tree, put):
    put("tree/PPO/Ant-v4/s0/events.out.tfevents.1.h", event_file(7, 8))
    curves = ro.read_curves(tree)
    assert curves.curve(0)[1].tolist() == [1.0, 2.0]
    assert any("logged by two tools" in note and "s0: TensorBoard" in note for note in curves.provenance.notes)


def test_one_run_in_the_folders_of_two_tools_is_taken_once_if_the_values_agree(tree, put):
    put("tree/tb/PPO/Ant-v4/s0/events.out.tfevents.1.h", event_file(1.0, 2.0))
    curves = ro.read_curves(tree)
    assert curves.n_runs.tolist() == [[2], [2]]
    put("tree/tb/PPO/Ant-v4/s0/events.out.tfevents.1.h", event_file(1.0, 2.25))
    with pytest.raises(ro.DataError, match="two runs are named algorithm 'PPO'"):
        ro.read_curves(tree)


def test_tools_with_series_of_other_names_are_each_said(tree, put):
    for seed in (0, 1):
        put(f"tree/tb/DQN/Ant-v4/s{seed}/events.out.tfevents.1.h", event_file(5.0, 6.0, tag="eval/return"))
    with pytest.warns(ro.RunoffWarning, match="make sure that the") as warned:
        curves = ro.read_curves(tree)
    assert len(warned) == 2  # of scores, of steps
    assert curves.algorithms == ("DQN", "PPO", "SAC")
    assert [column for role, column in curves.provenance.columns if role == "score"] == ["eval/return", "AverageEpRet"]


# ── runs that are not whole ──────────


def test_a_log_that_is_cut_off_is_read_up_to_there_with_a_warning(put):
    data = event_file(1, 2, 3)
    put("A/s0/events.out.tfevents.1.h", data)
    root = put("A/s1/events.out.tfevents.1.h", data[:-9]).parents[2]
    with pytest.warns(
        ro.RunoffWarning, match=r"1 log\(s\) are cut off or damaged in the middle of a record.*A/s1.*after 3 records"
    ):
        curves = ro.read_curves(root)
    assert [curves.curve(i)[0].size for i in (0, 1)] == [3, 2]


def test_a_run_without_the_score_is_left_out_with_a_warning(put):
    put("A/s0/events.out.tfevents.1.h", event_file(1, 2))
    put("A/s1/events.out.tfevents.1.h", event_file(1, tag="loss"))
    root = put("A/s2/events.out.tfevents.1.h", b"").parents[2]
    with pytest.warns(
        ro.RunoffWarning, match=r"2 run\(s\) do not have the series.*A/s1: it has loss; A/s2: it has no series"
    ):
        curves = ro.read_curves(root)
    assert curves.run_labels == ("0",)


def test_a_log_that_cannot_be_read_does_not_stop_the_others(put):
    put("A/s0/evaluations.npz", b"PK\x03\x04 timesteps.npy nothing")
    root = put("A/s1/progress.txt", progress(1, 2)).parents[2]
    with pytest.warns(
        ro.RunoffWarning,
        match=r"1 log\(s\) cannot be read and are left out \(A/s0: .*evaluations.npz: this is not a whole NumPy file",
    ):
        assert ro.read_curves(root).run_labels == ("1",)


def test_a_tree_of_which_nothing_can_be_read_is_refused_with_the_reason(put):
    root = put("A/s0/evaluations.npz", b"PK\x03\x04 timesteps.npy nothing").parents[1]
    with pytest.raises(ro.DataError, match=r"no log can be read: .*not a whole NumPy file"):
        ro.read_curves(root)


def test_a_tree_without_any_score_is_refused_with_the_series_there_are(put):
    root = put("A/s0/events.out.tfevents.1.h", event_file(1, tag="loss")).parents[1]
    with pytest.raises(
        ro.DataError, match=r"the series are 'loss'; use columns={'score': 'loss'}, lower_is_better=True"
    ):
        ro.read_curves(root)
    assert ro.read_curves(root, series="loss").values.tolist() == [1.0]


def test_runs_that_share_no_series_are_not_mixed(put):
    put("A/s0/events.out.tfevents.1.h", event_file(1, tag="eval/return"))
    root = put("A/s1/events.out.tfevents.1.h", event_file(1, tag="return")).parents[2]
    with pytest.raises(ro.DataError, match="no series that looks like the score is in all runs"):
        ro.read_curves(root)


def test_an_infinite_score_is_refused_with_its_run_and_step(put):
    root = put("A/s0/events.out.tfevents.1.h", event_file(1, float("inf"))).parents[1]
    with pytest.raises(ro.DataError, match="s0, step 200: the score is inf"):
        ro.read_curves(root)


def test_a_sparse_file_of_two_gigabytes_ends_at_its_first_record(tmp_path):
    path = tmp_path / "A" / "s0" / "events.out.tfevents.1.h"
    path.parent.mkdir(parents=True)
    with open(path, "wb") as stream:
        stream.truncate(1 << 31)
    (record,) = ro.scan(tmp_path).rows
    assert record.series is None


# ── one file ──────────


def test_a_single_log_is_read_with_what_lies_beside_it(put):
    put("PPO/progress.txt", progress(1, 2))
    path = put("PPO/config.json", '{"algo": "ppo", "env": "Ant-v4", "seed": 3}').with_name("progress.txt")
    curves = ro.read_curves(path)
    assert (curves.algorithms, curves.tasks, curves.run_labels) == (("ppo",), ("Ant-v4",), ("3",))


def test_the_table_reaches_the_report_and_the_answers_on_the_command_line(tree, capsys):
    from runoff.cli.app import run

    assert run(["compare", str(tree), "--n-resamples", "200"]) == 0
    answer = capsys.readouterr().out
    assert "(Spinning Up)" in answer
    assert "the score is 'AverageEpRet'" in answer


def test_the_samples_of_all_tools_together_are_all_named():
    scan = ro.scan(LOGS)
    assert len(scan.rows) == sum(len(ro.scan(LOGS / tool).rows) for tool in MAKERS) >= 31
    assert {record.tool for record in scan.rows} >= {
        "TensorBoard",
        "Weights & Biases",
        "Stable-Baselines3",
        "RLlib and Ray Tune",
    }
    assert "not understood as runs" in scan.not_understood


@pytest.mark.parametrize(
    "name", ["rllib", "sb3_zoo", "spinningup/stackelberg", "sb3_tensorboard", "sacred_epymarl", "torchrl_csv"]
)
def test_logs_of_the_field_are_read_as_their_authors_left_them(shared: Path, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        curves = ro.read_curves(shared / "formats" / name)
    assert np.isfinite(curves.values).all()
    left_out = 1 if name == "spinningup/stackelberg" else 0  # stac_test, of which nothing names the task
    assert len(curves.run_labels) == len(ro.scan(shared / "formats" / name).rows) - left_out


@pytest.mark.slow
def test_six_hundred_runs_of_marl_eval_are_ten_in_each_cell(shared: Path):
    curves = ro.read_curves(shared / "marl_eval" / "matrax_metrics.json.gz")
    assert (len(curves.algorithms), len(curves.tasks), set(curves.n_runs.flat)) == (5, 12, {10})


def test_folders_of_add_scalars_are_series_of_one_run(put):
    for seed in (0, 1):
        put(f"sum/ppo/s{seed}/events.out.tfevents.1.h", event_file(0.5, 0.4, tag="loss"))
        for key, value in (("train", 1.0), ("eval", 5.0)):
            put(
                f"sum/ppo/s{seed}/eval_return_{key}/events.out.tfevents.1.h",
                event_file(value, value + seed, tag="eval/return"),
            )
    root = put("sum/notes.docx", "x").parent
    assert set(ro.scan(root).rows[0].all_series) == {"loss", "train/eval/return", "eval/eval/return"}
    assert ro.read_curves(root, series="eval/eval/return").final().values.tolist() == [5, 6]


def test_a_run_below_a_folder_with_stray_events_stays_a_run(put):
    put("stray/events.out.tfevents.1.h", event_file(0.5, tag="other"))
    for seed in (0, 1):
        put(f"stray/PPO_s{seed}/events.out.tfevents.1.h", event_file(1.0, 2.0, tag="return"))
    root = put("stray/notes.docx", "x").parent
    assert {r.run for r in ro.scan(root).rows if r.algorithm == "PPO"} == {"0", "1"}


def test_tables_without_logs_are_no_missing_runs_to_scan(put):
    for name in ("ppo", "sac"):
        root = put(f"plain/{name}/s0/progress.csv", "epoch,return\n0,1\n1,2\n").parents[2]
    scan = ro.scan(root)
    assert [note for note in scan.notes if "are tables, which this survey of logs does not open" in note]
    assert not [note for note in scan.notes if "they are missing" in note]
    assert ro.read_scores(root).algorithms == ("ppo", "sac")


def test_two_tables_of_evaluations_of_one_run_are_refused_as_such(put):
    for name in ("ppo", "sac"):
        for kind in ("test", "eval"):
            root = put(f"kinds/{name}/0/{kind}.csv", "step,return\n0,1\n1,2\n").parents[2]
    with pytest.raises(ro.DataError, match="two kinds of data of one run"):
        ro.read_scores(root)


def test_a_series_that_ends_before_the_step_it_had_reached_is_warned_of(put):
    steps = (*range(100, 1000, 100), 800)
    text = HEAD + "".join(f"{i}\t{i}\t{step}\n" for i, step in enumerate(steps))
    root = put("order/PPO/s0/progress.txt", text).parents[2]
    with pytest.warns(ro.RunoffWarning, match="end before the highest step that they reached"):
        ro.read_curves(root)


BOMBS = {
    "aliases": "\n".join(
        ["a0: &a0 {x: [y]}", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12))]
    ),
    "mappings": "\n".join(["a0: &a0 {x: [y]}", *(f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}}}" for i in range(1, 40))]),
    "merges": "\n".join(["a0: &a0 {x: y}", *(f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 40))]),
    "itself": "a: &a [*a]",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_aliases_of_yaml_are_counted_before_they_are_written_out(tree, bomb):
    file = tree / "PPO" / "Ant-v4" / "s0" / "config.yaml"
    file.write_text(bomb)
    with pytest.raises(ro.DataError, match=r"config\.yaml: .*its aliases stand for more than 100,000 entries"):
        read_config(file)
    assert ro.read_curves(tree).algorithms == ("PPO", "SAC")


def resumed(put, folder, starts, name="ppo"):
    """Write a folder of Weights & Biases for each start of a run, with the steps and the value that it logged."""
    for start, (steps, value) in starts.items():
        config = twin.run_record({"algo": f'"{name}"', "env_id": '"Ant-v4"', "seed": "3"})
        rows = [twin.history(i, {"global_step": str(s), "eval/return": str(s + value)}) for i, s in enumerate(steps)]
        put(f"{folder}/{start}-abc{name}/run-abc{name}.wandb", twin.wandb_file(config, *rows))


@pytest.mark.parametrize(
    "starts", [("run-20240131_102030", "offline-run-20240201_000000"), ("run-20240131_102030", "run-20240131_102031")]
)
def test_a_run_of_wandb_that_was_resumed_is_one_run_and_later_starts_win(put, tmp_path, starts):
    first, second = starts
    resumed(put, "wandb", {second: ([3, 4, 5, 6], 0.5), first: ([0, 1, 2, 3, 4], 0.0)})
    curves = ro.read_curves(tmp_path)
    assert curves.steps.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert curves.values.tolist() == [0, 1, 2, 3.5, 4.5, 5.5, 6.5]
    assert "1 run(s) have a folder for each of 2 starts, with one id" in "".join(curves.provenance.notes)


def test_a_survey_lists_runs_by_number_with_the_points_and_the_last_step_that_are_read(put, tmp_path):
    for seed in (2, 10, 1):
        for part, steps in enumerate(((100, 200), (300, 300 + seed))):  # a run that went on has a further file
            events = [twin.event(step, {"eval/return": step / 7}, wall=float(step)) for step in steps]
            put(f"ppo/s{seed}/events.out.tfevents.{part}.h", twin.event_file(*events))
    curves = ro.read_curves(tmp_path)
    read = {
        label: (steps.size, steps[-1])
        for label, (steps, _) in zip(curves.run_labels, map(curves.curve, range(3)), strict=True)
    }
    surveyed = [(row.run, (row.points, row.steps)) for row in ro.scan(tmp_path).rows]
    assert surveyed == [(run, read[run]) for run in ("1", "2", "10")]


def test_one_id_below_two_folders_is_two_runs(put, tmp_path):
    for name in ("ppo", "sac"):
        resumed(put, f"{name}/wandb", {"20240131_102030": ([0, 1], 0.0)}, "x")
    assert len(ro.scan(tmp_path).rows) == 2


def settings_event(**settings: float) -> bytes:
    """Return an Event with the settings of a run, as `SummaryWriter.add_hparams` writes it."""
    entries = b"".join(
        twin.chunk(1, twin.chunk(1, key.encode()) + twin.chunk(2, b"\x11" + struct.pack("<d", value)))
        for key, value in settings.items()
    )
    plugin = twin.chunk(1, twin.chunk(1, b"hparams") + twin.chunk(2, twin.chunk(3, entries)))
    value = twin.chunk(1, b"_hparams_/session_start_info") + twin.chunk(9, plugin)
    return b"\x09" + struct.pack("<d", 0.0) + twin.chunk(5, twin.chunk(1, value))


def test_the_folder_of_settings_that_tensorboard_makes_in_a_run_is_no_run(put, tmp_path):
    for seed, rate in ((0, 0.1), (1, 0.2)):
        put(f"ppo/s{seed}/events.out.tfevents.1.h", event_file(1.0, 2.0, tag="eval/return"))
        last = twin.event(0, {"hparam/return": 2.0})
        put(f"ppo/s{seed}/1700000000.5/events.out.tfevents.1.h", twin.event_file(settings_event(lr=rate), last))
    assert [(row.run, row.series) for row in ro.scan(tmp_path).rows] == [("0", "eval/return"), ("1", "eval/return")]
    assert ro.read_curves(tmp_path).values.tolist() == [1.0, 2.0, 1.0, 2.0]


def test_folders_called_by_a_time_without_settings_stay_runs(put, tmp_path):
    for name in ("", "1700000000.5/"):
        put(f"ppo/{name}events.out.tfevents.1.h", event_file(1.0, 2.0, tag="eval/return"))
    assert len(ro.scan(tmp_path).rows) == 2


@pytest.mark.parametrize("file", ["log.json", "eval.csv"])
def test_an_algorithm_that_no_tool_reads_is_not_left_out_of_a_comparison(put, tmp_path, file):
    for seed in range(2):
        put(f"ppo/Pong/{seed}/progress.csv", "time/total_timesteps,eval/mean_reward\n10,1\n20,2\n")
        put(f"dqn/Pong/{seed}/{file}", "step,return\n10,1\n20,2\n")
    with pytest.raises(ro.DataError, match=r"the runs of 'dqn' would be missing \(for example dqn/Pong/0/"):
        ro.read_scores(tmp_path)


@pytest.mark.parametrize("file", ["plots/Pong/0/curve.csv", "eval/Pong/0/summary.json", "dqn/Pong/0/progress.csv"])
def test_folders_of_figures_and_empty_files_beside_runs_are_left_out(put, tmp_path, file):
    for seed in range(2):
        put(f"ppo/Pong/{seed}/progress.csv", "time/total_timesteps,eval/mean_reward\n10,1\n20,2\n")
    put(file, "" if file.endswith("progress.csv") else "x,y\n1,2\n" if file.endswith("csv") else '{"x": 1}')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = ro.read_curves(tmp_path)
    assert read.algorithms == ("ppo",)
    assert file in " ".join(read.provenance.notes)


@pytest.mark.parametrize("config", ['{"lr": 0.1}', '{"algo": "ppo"}'])
def test_rows_of_several_parts_of_one_run_are_refused_at_their_place(put, monkeypatch, config):
    rows = [f'{{"step": {step}, "split": "{part}", "eval/return": {step}}}' for step in (1, 2) for part in "ab"]
    folder = put("runs/metrics.jsonl", "\n".join(rows)).parent
    put("runs/config.json", config)
    monkeypatch.chdir(folder.parent)
    with pytest.raises(
        ro.DataError, match=r"^runs(/metrics\.jsonl)?: .*at one step there are scores of several 'split'"
    ):
        ro.read_curves("runs")


def test_a_file_called_like_a_log_whose_rows_name_several_runs_is_read_as_a_table(put):
    rows = [
        f'{{"algo": "{a}", "seed": {seed}, "step": {step}, "eval/return_sampled": 1, "eval/return_greedy": {step + seed}}}'
        for a in ("ppo", "pqn")
        for seed in (0, 1)
        for step in (1, 2)
    ]
    file = put("metrics.jsonl", "\n".join(rows))
    with pytest.raises(
        ro.DataError, match=r"'eval/return_sampled'.*, or .*'eval/return_greedy'.*, whichever is the score"
    ):
        ro.read_scores(file)
    assert ro.read_scores(file, columns={"score": "eval/return_greedy"}).algorithms == ("ppo", "pqn")
