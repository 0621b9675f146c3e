"""Interrupts: a block that they do not divide, and files that are whole or absent."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import runoff as ro
from runoff.base import writing
from runoff.base.asked import append, write_asked, write_new
from runoff.base.interrupts import WrittenFiles, undivided, unfinished
from runoff.base.writing import write_whole


def interrupt(*_call: object, **_options: object) -> None:
    raise KeyboardInterrupt


def steps_of_an_interrupted_block(steps: list[str]) -> None:
    with undivided():
        with undivided():
            signal.raise_signal(signal.SIGINT)
            steps.append("inner")
        steps.append("outer")
    steps.append("after")


def test_ctrl_c_waits_for_the_end_of_an_undivided_block() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    steps: list[str] = []
    try:
        with pytest.raises(KeyboardInterrupt):
            steps_of_an_interrupted_block(steps)
        assert steps == ["inner", "outer"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("call", ["write_bytes", "replace"])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "s.json"
    write_whole(place, "old", "state")
    monkeypatch.setattr(*((Path, call) if call == "write_bytes" else (os, call)), interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(place, "new", "state")
    assert place.read_text() == "old"
    assert os.listdir(tmp_path) == ["s.json"]


def test_a_file_that_came_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    place = tmp_path / "b.json"
    write_asked(place, "theirs", "baseline", force=False)
    with pytest.raises(ro.OutputError, match="is there already"):
        write_asked(place, "mine", "baseline", force=False)
    assert place.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["b.json"]


def test_unfinished_folders_vanish(tmp_path: Path) -> None:
    with unfinished(tmp_path / "hidden") as folder:
        folder.mkdir()
        (folder / "page").touch()
    assert not folder.exists()


def test_the_sentence_names_what_was_written() -> None:
    files = WrittenFiles()
    assert files.words() == "nothing was written; run the same command again."
    files.note(Path("seq"), last=False)
    assert files.words() == "written in full: seq; run the same command again to go on."
    assert not files.concluding
    files.note(Path("s.json"))
    assert files.words().startswith("written in full: seq, s.json;")
    assert files.concluding


def test_an_answer_is_taken_down_and_a_cache_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "WRITTEN_FILES", files := WrittenFiles())
    write_whole(tmp_path / "cache", "1", "cache", answer=False)
    assert (list(files.written), files.concluding) == ([], False)
    write_whole(tmp_path / "s.json", "1", "state")
    assert (list(files.written), files.concluding) == ([str(tmp_path / "s.json")], True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("write", [write_whole, write_new, append])
def test_a_signal_waits_until_a_file_is_written_and_taken_down(
    write: Callable[[Path, str, str], None], number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def note(_files: WrittenFiles, _path: Path) -> None:
        signal.raise_signal(number)
        steps.append("noted")

    monkeypatch.setattr(WrittenFiles, "note", note)
    before = signal.signal(number, lambda *_: steps.append("signal"))
    try:
        write(tmp_path / "s.json", "1", "state")
    finally:
        signal.signal(number, before)
    assert steps == ["noted", "signal"]
