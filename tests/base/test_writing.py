"""Single files: whole or not at all, and never through a link."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest

import runoff as ro
from runoff.base import locks
from runoff.base.asked import append, refuse_overwriting, write_asked, write_new
from runoff.base.writing import guarded, unguarded, write_whole
from runoff.reading import write_runs


@contextmanager
def no_room():
    """A disk that takes 100 bytes of a file, and refuses the rest; for the call alone, since pytest's own output may go to a file."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("write", [write_whole, write_new, append])
def test_nothing_is_written_through_a_link(write, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("link", "dangling"):
        with pytest.raises(ro.OutputError, match=f"{name} is a link to .*; remove the link"):
            write(tmp_path / name, "new", "table")
        with pytest.raises(ro.OutputError, match="is a link to"):
            refuse_overwriting(tmp_path / name, force=True)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "link", "dangling"}
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("write", [write_whole, write_new, append])
def test_a_full_disk_leaves_nothing(write, tmp_path):
    with no_room(), pytest.raises(ro.OutputError, match=r"the table .*new\.csv cannot be written: File too large"):
        write(tmp_path / "new.csv", "x" * 200, "table")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [write_whole, append])
def test_a_full_disk_leaves_a_file_as_it_was(write, tmp_path):
    (tmp_path / "old.csv").write_text("old")
    with no_room(), pytest.raises(ro.OutputError, match="cannot be written"):
        write(tmp_path / "old.csv", "x" * 200, "table")
    assert (tmp_path / "old.csv").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_there_is_not_written_anew_and_is_added_to(tmp_path):
    file = tmp_path / "file"
    write_new(file, "a", "design")
    with pytest.raises(FileExistsError):
        write_new(file, "b", "design")
    append(file, "c", "summary")
    assert file.read_text() == "ac"


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ro.OutputError, match="it is no file; name a file"):
        append(tmp_path / "pipe", "text", "summary")


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(ro.OutputError, match=r"'a\\x00b' is no name that a file can have"):
        write_whole(Path("a\0b"), "text", "table")


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".csv"])
def test_curves_that_do_not_fit_on_the_disk_are_refused_in_a_sentence(suffix, tmp_path):
    curves = ro.load_example("classic_control")
    with no_room(), pytest.raises(ro.OutputError, match=r"the table .* cannot be written: File too large"):
        write_runs(curves, tmp_path / f"runs{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_a_design_that_does_not_fit_on_the_disk_leaves_nothing(tmp_path):
    from runoff.methods.sequential import write_design

    design = ro.SequentialDesign(looks=(5, 10))
    with no_room(), pytest.raises(ro.OutputError, match=r"the design .*d\.toml cannot be written"):
        write_design(design, tmp_path / "d.toml")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_waits_for_whoever_writes_one_there(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with locks.locked(tmp_path / "b.json", "baseline"), pytest.raises(ro.OutputError, match="another call of runoff"):
        write_asked(tmp_path / "b.json", "mine", "baseline", force=False)
    assert list(tmp_path.iterdir()) == []


def test_folders_above_a_file_that_cannot_be_made_are_taken_away_again(tmp_path):
    with pytest.raises(ro.OutputError, match=r"the table .* cannot be written: File name too long"):
        write_whole(tmp_path / "a" / "b" / ("x" * 300) / "file.csv", "text", "table", folders=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "'"])
@pytest.mark.parametrize("rest", ["SUM(A1)", "cmd|' /C calc'!A0", " LN"])
def test_no_text_begins_like_a_formula_of_a_spreadsheet(first, rest):
    assert guarded(first + rest) == f"'{first}{rest}"
    assert unguarded(guarded(first + rest)) == first + rest


@pytest.mark.parametrize("text", ["PPO", "-1.5", "+2e3", "", "a=b", "x@y", " =1", "3"])
def test_numbers_and_other_texts_stay_as_they_are(text):
    assert guarded(text) == unguarded(text) == text


@pytest.mark.parametrize("text", ["PPO, 'tuned'", "'", "''=1", "'PPO"])
def test_what_was_guarded_comes_back_and_no_other_apostrophe_goes(text):
    assert unguarded(guarded(text)) == text
    assert unguarded("'PPO") == "'PPO"


@pytest.mark.parametrize("folders", [False, True])
def test_a_folder_that_is_not_there_is_made_by_request_alone(tmp_path, folders):
    file = tmp_path / "typo" / "runs.csv"
    if folders:
        write_asked(file, "a\n", "table", force=False, folders=True)
    else:
        with pytest.raises(ro.OutputError, match="typo"):
            write_asked(file, "a\n", "table", force=False)
    assert file.exists() is file.parent.exists() is folders
