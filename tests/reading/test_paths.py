"""Files, folders, globs and lists: what is read, what is left out and named, what is refused."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

import runoff as ro
from runoff.page.files.folder import WRITTEN
from runoff.reading._paths import find

PPO = '{"Pong": [1, 2], "Alien": [3]}'


def test_each_file_of_a_folder_names_its_algorithm(put):
    folder = put("PPO.json", PPO).parent
    put("DrQ(eps).json", '{"Pong": [4]}')
    assert ro.read_scores(folder).algorithms == ("DrQ(eps)", "PPO")


def test_a_list_has_the_files_of_all_its_folders_and_what_each_leaves_out(put):
    folders = []
    for name in ("one", "two"):
        folders.append(put(f"{name}/PPO.json", PPO).parent)
        put(f"{name}/picture.png", "text")
    both, first, second = (find(paths) for paths in (folders, *folders))
    assert both.files == first.files + second.files
    assert both.left_out == first.left_out + second.left_out
    assert first.left_out
    assert second.left_out


def test_what_holds_no_runs_is_left_out_and_named_in_a_note_and_a_warning(put):
    folder = put("PPO.json", PPO).parent
    for name in ("normalization.json", "README.md", "SOURCE.txt", "inner/params.json", ".hidden.json"):
        put(name, '{"random": {"Pong": -20.7}}')
    with pytest.warns(ro.RunoffWarning, match=r"1 file.* left out, for example .*normalization.json"):
        scores = ro.read_scores(folder)
    left_out = [note for note in scores.provenance.notes if note.startswith("left out: ")]
    assert len(left_out) == 4
    assert all(name in str(left_out) for name in ("inner", "normalization.json", "README.md", "SOURCE.txt"))


@pytest.mark.parametrize("n", [7, 8, 9, 20])
def test_of_files_that_are_left_out_eight_are_named_and_the_others_counted(put, n):
    folder = put("PPO.json", PPO).parent
    for at in range(n):
        put(f"about{'abcdefghijklmnopqrst'[at]}.md", "No runs.")
    notes = [note for note in ro.read_scores(folder).provenance.notes if note.startswith("left out: ")]
    assert sum("about" in note for note in notes) == min(n, 8)
    assert [note for note in notes if "about" not in note] == [f"left out: {n - 8} more file(s)"] * (n > 8)


def test_a_bad_number_in_one_file_of_a_folder_refuses_the_folder(put):
    put("PPO.json", PPO)
    folder = put("SAC.json", '{"Pong": [1, NaN]}').parent
    with pytest.raises(ro.DataError, match=r"SAC.json, algorithm 'SAC', task 'Pong', run '1': the score is nan"):
        ro.read_scores(folder)


@pytest.mark.parametrize("name", ["SAC.json", "seed_2.json", "SAC/results.json"])
def test_an_empty_file_that_is_called_like_an_algorithm_or_a_run_is_refused_not_skipped(put, name):
    folder = put("PPO.json", PPO).parent
    put(name, "")
    with pytest.raises(ro.DataError, match=rf"{name}: the file is empty"):
        ro.read_scores(folder)


def test_a_glob_reads_what_it_matches_also_in_folders_inside(put, tmp_path):
    put("a/PPO.json", PPO)
    put("b/SAC.json", PPO)
    put("b/TD3.csv", "score\n1\n")
    assert ro.read_scores(str(tmp_path / "**" / "*.json")).algorithms == ("PPO", "SAC")


def test_a_list_of_files_is_joined(put):
    files = [put("a/PPO.json", PPO), put("b/SAC.csv", "task,return\nPong,1\n")]
    assert ro.read_scores(files).to_dict()["SAC"] == {"Pong": [1.0]}


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(put):
    assert ro.read_scores(str(put("PPO[1].json", PPO))).algorithms == ("PPO[1]",)


def test_batches_of_one_algorithm_in_several_files_are_joined_with_runs_named_by_the_file(put):
    folder = put("batch1.csv", ",PPO\n0,1\n1,2\n").parent
    put("batch2.csv", ",PPO\n0,3\n")
    with pytest.warns(ro.RunoffWarning, match=r"the runs of 'PPO' come from 2 numbered files .* taken as batches"):
        assert ro.read_scores(folder).run_labels == ("batch1:0", "batch1:1", "batch2:0")


def test_one_algorithm_in_files_that_nothing_tells_apart_is_refused(put):
    put("one.csv", "PPO,SAC\n1,2\n")
    with pytest.raises(
        ro.DataError, match=r"files 'one', 'two' hold the same runs of the algorithms 'PPO', 'SAC'.*pattern='{task}'"
    ):
        ro.read_scores(put("two.csv", "PPO,SAC\n3,4\n").parent)


def test_a_run_in_two_files_is_refused_with_both_places(put):
    folder = put("one.csv", "algo,seed,score\nPPO,0,1\n").parent
    put("two.csv", "algo,seed,score\nPPO,1,1\nPPO,0,2\n")
    with pytest.raises(ro.DataError, match=r"run '0' appears twice, in one.csv line 2 and two.csv line 3"):
        ro.read_scores(folder)


def test_files_of_one_name_are_told_apart_by_their_folders(put):
    files = [put("a/runs.json", PPO), put("b/runs.json", PPO)]
    assert ro.read_scores(files).algorithms == ("a", "b")


def test_curves_and_scores_are_not_mixed(put):
    folder = put("PPO.txt", "1\n2\n").parent
    put("SAC.txt", "1 2\n3 4\n")
    with pytest.raises(ro.DataError, match=r"SAC.txt has learning curves, .*PPO.txt one score per run"):
        ro.read_scores(folder)


def test_files_that_name_their_steps_differently_are_joined_with_a_warning(put):
    folder = put("one.csv", "algo,seed,step,score\nPPO,0,10,1\n").parent
    put("two.csv", "algo,seed,frame,score\nSAC,0,10,1\n")
    with pytest.warns(ro.RunoffWarning, match="name the step differently .*one unit"):
        curves = ro.read_curves(folder)
    assert curves.provenance.columns.count(("step", "frame")) == 1


@pytest.mark.parametrize(
    ("path", "error", "sentence"),
    [
        ("", ro.DataError, "the path is empty"),
        ("a\0b", ro.DataError, "null character"),
        ("nowhere.csv", ro.DataError, "there is no such file or folder"),
        ("nowhere*.csv", ro.DataError, "no file matches this pattern"),
        ("x" * 5000, ro.DataError, "cannot be read: file name too long"),
        (os.devnull, ro.DataError, "a pipe, a socket or a device"),
        ([], ro.DataError, "the list of paths is empty"),
        (3, ro.OptionError, "not int"),
        (b"runs.csv", ro.OptionError, "not int"),
        ([None], ro.OptionError, "not NoneType"),
    ],
)
def test_paths_that_lead_to_no_file_are_refused(path, error, sentence):
    with pytest.raises(error, match=sentence):
        ro.read_scores(path)


def test_a_missing_file_suggests_its_neighbour(put):
    put("results.csv", "algorithm,score\nPPO,1\n")
    with pytest.raises(ro.DataError, match=r"Did you mean 'results.csv'\?"):
        ro.read_scores(put("x", "").parent / "result.csv")


def test_a_broken_link_a_pipe_and_a_socket_are_refused_at_once(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "gone.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(ro.DataError, match=r"the target of this link is missing \(.*gone.csv\)"):
        ro.read_scores(tmp_path / "link.csv")
    with pytest.raises(ro.DataError, match="a pipe, a socket or a device"):
        ro.read_scores(tmp_path / "pipe.csv")
    with pytest.raises(ro.DataError, match="has no file of a type that runoff reads"):
        ro.read_scores(tmp_path)


def test_folders_inside_folders_are_read_and_links_that_lead_back_end_nowhere(put, tmp_path):
    put("inner/deeper/PPO.json", PPO)
    (tmp_path / "inner" / "back").symlink_to(tmp_path)
    assert ro.read_scores(tmp_path).algorithms == ("PPO",)


def test_links_out_of_the_folder_are_left_out_and_named(put, tmp_path):
    put("out/SAC.json", PPO)
    put("in/PPO.json", PPO)
    (tmp_path / "in" / "elsewhere").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "SAC.json").symlink_to(tmp_path / "out" / "SAC.json")
    (tmp_path / "in" / "A2C.json").symlink_to(tmp_path / "in" / "PPO.json")
    scores = ro.read_scores(tmp_path / "in")
    assert scores.algorithms == ("PPO",)
    assert all(
        any(f"{name}: a link out of the folder" in note for note in scores.provenance.notes)
        for name in ("elsewhere", "SAC.json")
    )


@pytest.mark.parametrize("path", [".", "*/eval.csv", ["latest", "ppo_s0", "ppo_s1"]])
def test_what_a_link_leads_to_is_read_once_under_its_own_name(put, tmp_path, monkeypatch, path):
    for run in range(2):
        put(f"ppo_s{run}/eval.csv", f"step,return\n1,{run}\n2,{run + 5}\n")
    (tmp_path / "latest").symlink_to(tmp_path / "ppo_s1")
    monkeypatch.chdir(tmp_path)
    assert ro.read_scores(path).to_dict() == {"ppo": {"task": [5.0, 6.0]}}


def test_a_run_with_a_header_alone_is_left_out_with_a_warning(put, tmp_path):
    for run in range(3):
        put(f"ppo_s{run}/eval.csv", "step,return\n" + f"1,{run}\n2,{run + 5}\n" * (run < 2))
    with pytest.warns(ro.RunoffWarning, match="1 file.* no readable runs .*ppo_s2/eval.csv: there are no rows of data"):
        assert ro.read_scores(tmp_path).run_labels == ("0", "1")


def test_a_table_in_a_text_beside_files_of_results_is_not_read(put, tmp_path):
    put("scores.csv", "algorithm,seed,score\nours,0,1\nours,1,2\n")
    put("README.md", "Numbers of another paper:\n\n| game | DQN |\n|---|---|\n| Pong | 18.9 |\n| Breakout | 401.2 |\n")
    scores = ro.read_scores(tmp_path)
    assert scores.algorithms == ("ours",)
    assert any(note.endswith("README.md: a text beside files of results") for note in scores.provenance.notes)


def test_a_file_without_permission_is_refused(put, monkeypatch):
    file = put("runs.csv", "algorithm,score\nPPO,1\n")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("runoff.reading._paths.os.open", refuse)
    with pytest.raises(ro.DataError, match=r"runs.csv: this cannot be read: permission denied"):
        ro.read_scores(file)


def test_names_that_are_not_unicode_are_shown_escaped(tmp_path):
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/PP\xff.json"))
    file.write_text(PPO)
    scores = ro.read_scores(file)
    assert scores.algorithms == ("PP\\xff",)
    assert scores.provenance.path.endswith("PP\\xff.json")


def test_a_line_break_in_a_file_name_does_not_break_the_sentence(put):
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(put("a\nb.csv", "algorithm,score\nPPO,x\n"))
    assert "a\\nb.csv, line 2" in str(refusal.value)


def test_a_pipe_that_takes_the_place_of_a_file_is_still_refused(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr("runoff.reading._paths.stat.S_ISREG", lambda _mode: False)
    with pytest.raises(ro.DataError, match="a pipe, a socket or a device"):
        ro.read_scores(tmp_path / "pipe.csv")


def test_a_unix_socket_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.csv")
        with pytest.raises(ro.DataError, match="a pipe, a socket or a device"):
            ro.read_scores("s.csv")


def test_a_folder_without_runs_tells_how_many_more_files_hold_none(put):
    for name in "abc":
        folder = put(f"{name}.csv", "loss,time\nx,y\n").parent
    with pytest.raises(ro.DataError, match=r"\(2 more file\(s\) there have no runs either\)"):
        ro.read_scores(folder)


def test_a_folder_of_one_file_without_runs_tells_of_no_other(put):
    with pytest.raises(ro.DataError) as caught:
        ro.read_scores(put("a.csv", "loss,time\nx,y\n").parent)
    assert "more file" not in str(caught.value)


def test_a_folder_of_a_report_is_no_data_but_its_copy_of_the_scores_is(put, tmp_path):
    put("report/results.json", "{}")
    put(f"report/{WRITTEN}", "{}")
    put("report/tables/where.csv", "verdict,score\nnone,1\n")
    put("report/tables/scores/PPO.csv", "task,run,score\nx,0,1\n")
    with pytest.raises(ro.DataError, match=r"is a report of runoff, which has answers but no runs; .*/tables/scores\."):
        ro.load(tmp_path / "report")
    assert ro.load(tmp_path / "report" / "tables" / "scores").cell("PPO", "x").tolist() == [1]
    put("SAC.csv", "task,run,score\nx,0,2\n")
    beside = ro.load(tmp_path)
    assert (beside.algorithms, beside.cell("SAC", "x").tolist()) == (("SAC",), [2])
    assert any("report: a report of runoff" in note for note in beside.provenance.notes)


def test_a_file_that_is_not_there_is_no_picture_of_a_like_name(tmp_path):
    for name in ("profile.png", "runs.csv"):
        (tmp_path / name).write_bytes(b"")
    for missing, near in (("nofile.csv", ""), ("rans.csv", " Did you mean 'runs.csv'?")):
        with pytest.raises(ro.DataError) as refusal:
            ro.load(str(tmp_path / missing))
        assert str(refusal.value).endswith(f"there is no such file or folder.{near}")


def test_a_pointer_of_git_lfs_says_how_its_file_is_fetched(put):
    file = put("ppo_s0.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:04ce\nsize 2532\n")
    with pytest.raises(ro.DataError, match=r"a pointer of Git LFS, .* git lfs pull"):
        ro.read_scores(file.parent)


@pytest.mark.parametrize("name", ["Thumbs.db", "~$runs.xlsx", ".~lock.runs.csv#"])
def test_what_desktops_and_office_programs_keep_beside_files_is_no_table(put, name):
    put(name, b"\xd0\xcf\x11\xe0")
    file = put("runs.csv", "algorithm,score\nPPO,1\nPPO,2\n")
    scores = ro.read_scores(file.parent)
    assert (scores.to_dict(), [note for note in scores.provenance.notes if name in note]) == (
        {"PPO": {"task": [1.0, 2.0]}},
        [],
    )


@pytest.mark.parametrize("store", [".aim", ".neptune"])
def test_results_beside_the_store_of_a_tracker_are_read_and_a_store_alone_has_a_way_out(put, store):
    folder = put("PPO.json", PPO).parent
    put(f"{store}/own/data.bin", "x")
    put("setup.yaml", "lr: 0.1\n")
    assert [file.path.name for file in find(folder).files if file.path.suffix == ".json"] == ["PPO.json"]
    (folder / "PPO.json").unlink()
    with pytest.raises(
        ro.DataError, match=r"has no file of a type that runoff reads .*This is (a|an offline) store of"
    ):
        find(folder)
