"""Streams that are closed or full: a sentence where there is a place for one, and an exit code that is never the gate's 1."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from runoff.cli.app import run
from runoff.cli.streams import UNDELIVERED, own_streams

NO_ROOM = "error: the answer cannot be written to standard output: No space left on device.\n"
REGRESSED = ["gate", "before.csv", "after.csv", "--margin", "1", "--n-resamples", "200"]


@pytest.fixture
def full() -> Iterator[io.TextIOWrapper]:
    with open("/dev/full", "w", encoding="utf-8") as stream:
        yield stream


@pytest.fixture
def broken() -> Iterator[io.TextIOWrapper]:
    """A pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as stream:
        yield stream


@pytest.fixture
def regressed(tmp_path, monkeypatch) -> None:
    for name, level in (("before", 20.0), ("after", 2.0)):
        rows = [f"PPO,Pong,{run},{level + run / 10 + len(name) / 1000}" for run in range(6)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["algorithm,task,run,score", *rows]))
    monkeypatch.chdir(tmp_path)


def code_of(arguments: list[str]) -> int:
    with own_streams():
        return run(arguments)


@pytest.mark.parametrize("arguments", [["--version"], ["compare", "-h"], ["archive"], ["archive", "--json"]])
def test_an_answer_that_a_full_disk_does_not_take_is_told_on_stderr(arguments, full, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", full)
    assert code_of(arguments) == UNDELIVERED
    assert capsys.readouterr().err == NO_ROOM


@pytest.mark.usefixtures("regressed")
@pytest.mark.parametrize("form", [[], ["--json"], ["--markdown", "-"]])
def test_a_gate_that_cannot_answer_does_not_say_that_a_candidate_regressed(form, full, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", full)
    assert code_of([*REGRESSED, *form]) == UNDELIVERED
    assert capsys.readouterr().err == NO_ROOM


@pytest.mark.usefixtures("regressed")
@pytest.mark.parametrize("form", [[], ["--json"], ["--markdown", "-"]])
def test_a_gate_whose_reader_has_seen_enough_keeps_its_exit_code(form, broken, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", broken)
    assert code_of([*REGRESSED, *form]) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["compare", "nothere.csv"], ["compare", "--nothere"], ["nothere"]])
def test_a_refusal_that_stderr_does_not_take_is_a_refusal(arguments, full, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", full)
    assert code_of(arguments) == 2
    assert capsys.readouterr().out == ""


def test_talk_that_stderr_does_not_take_keeps_no_answer_back(full, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", full)
    assert code_of(["--version"]) == 0
    assert capsys.readouterr().out.startswith("runoff ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("streams", "code", "sentence"),
    [
        (">&-", UNDELIVERED, "error: the answer cannot be written to standard output: it is closed.\n"),
        (">&- 2>&-", UNDELIVERED, ""),
        ("2>&-", 0, ""),
        ("<&- >&- 2>&-", UNDELIVERED, ""),
    ],
)
def test_streams_may_be_closed(streams, code, sentence):
    command = ["sh", "-c", f'exec "$0" -m runoff --version {streams}', sys.executable]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (code, sentence)


def test_no_table_is_written_to_a_file_that_took_the_place_of_a_closed_stream(tmp_path):
    body = """
import os, sys
from runoff.cli.streams import own_streams
with own_streams():
    file = os.open(sys.argv[1], os.O_CREAT)
sys.exit(file)
"""
    command = ["sh", "-c", 'exec "$0" -c "$1" "$2" <&- >&- 2>&-', sys.executable, body, str(tmp_path / "file")]
    assert subprocess.run(command, check=False).returncode > 2


def test_the_processes_that_a_verb_starts_have_all_three_streams():
    body = """
import subprocess, sys
from runoff.cli.streams import own_streams
with own_streams():
    streams = "import os; [os.fstat(number) for number in range(3)]"
    sys.exit(subprocess.run([sys.executable, "-c", streams]).returncode)
"""
    command = ["sh", "-c", 'exec "$0" -c "$1" <&- >&- 2>&-', sys.executable, body]
    assert subprocess.run(command, check=False).returncode == 0


def test_a_closed_stdin_is_refused_where_it_is_to_be_read(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["compare", "-"]) == 2
    assert capsys.readouterr().err == "error: stdin: standard input is closed; pipe a table into it, or name a file.\n"


def test_a_panic_is_an_error_of_runoff_and_not_the_code_of_the_gate():
    body = """
import runoff.cli.app as app
def run(_):
    raise BaseException('panic')
app.run = run
from runoff.cli import main
main([])
"""
    process = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True, check=False)
    assert (process.returncode, "panic" in process.stderr) == (70, True)


def test_a_stream_that_takes_nothing_now_has_not_taken_the_answer(monkeypatch, capsys):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with open(reading, "rb"), open(writing, "w", encoding="utf-8") as stream:
        while stream.buffer.raw.write(bytes(4096)):
            pass
        monkeypatch.setattr(sys, "stdout", stream)
        assert code_of(["--version"]) == UNDELIVERED
    assert capsys.readouterr().err.endswith("standard output: it takes no more without being waited for.\n")


def test_what_was_written_is_delivered_at_the_end_and_the_streams_are_those_of_before(capsys):
    before = sys.stdout, sys.stderr
    with own_streams():
        own = sys.stdout, sys.stderr
        for stream, text in zip(own, ("answer", "talk"), strict=True):
            stream.write(text)
    assert tuple(capsys.readouterr()) == ("answer", "talk")
    assert (sys.stdout, sys.stderr) == before
