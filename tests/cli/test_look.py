"""`runoff` alone says what lies in the folder and what can be asked of it; without runs it is the help."""

from __future__ import annotations

import json
import shlex

import pytest

from runoff.cli.app import run
from tests.report.made import scores


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def seen(capsys):
    """The lines of what is there, and the commands."""
    assert run([]) == 0
    lines = capsys.readouterr().out.splitlines()
    return lines[: lines.index("")], [line.strip() for line in lines if line.startswith("  runoff ")]


def test_a_table_is_named_with_its_size_and_three_commands_that_run(folder, capsys):
    scores().to_frame().write_csv(folder / "my runs.csv")
    there, commands = seen(capsys)
    assert there == ["my runs.csv: end scores of 36 runs of 3 algorithms on 2 tasks."]
    assert commands == [f"runoff {verb} 'my runs.csv'" for verb in ("report", "compare", "plan")]
    assert run(shlex.split(commands[1])[1:]) == 0


def test_learning_curves_are_offered_as_curves_and_a_table_of_something_else_is_passed_over(folder, capsys):
    rows = [f"{a},t,{s},{step},{step + s}" for a in "AB" for s in range(3) for step in (1, 2)]
    (folder / "curves.csv").write_text("\n".join(["algorithm,task,run,step,score", *rows]))
    (folder / "addresses.csv").write_text("name,street\nA,B\n")
    there, commands = seen(capsys)
    assert there == ["curves.csv: learning curves of 6 runs of 2 algorithms on 1 task."]
    assert commands[2] == "runoff curves curves.csv"


def test_of_one_algorithm_nothing_is_compared(folder, capsys):
    scores(("PPO",)).to_frame().write_csv(folder / "runs.csv")
    _, commands = seen(capsys)
    assert commands[1:] == ["runoff aggregate runs.csv", "runoff gate runs.csv --save baseline.json"]


def test_logs_are_what_scan_finds_of_them(folder, capsys):
    for algorithm in ("PPO", "SAC"):
        log = folder / algorithm / "Hopper-v4" / "s0" / "progress.txt"
        log.parent.mkdir(parents=True)
        log.write_text("Epoch\tAverageEpRet\tTotalEnvInteracts\n0\t12.5\t4000\n1\t20.0\t8000\n")
    there, commands = seen(capsys)
    assert there[0].startswith(".: 2 runs of 2 algorithms on 1 task")
    assert commands == ["runoff report .", "runoff compare .", "runoff curves ."]


def test_a_report_that_is_there_can_be_held_against_the_runs(folder, capsys):
    scores().to_frame().write_csv(folder / "runs.csv")
    (folder / "rep").mkdir()
    (folder / "rep" / "results.json").write_text(json.dumps({"schema": "runoff.report/3"}))
    (folder / "other").mkdir()
    (folder / "other" / "results.json").write_text("{}")
    there, commands = seen(capsys)
    assert there[1:] == ["rep: a report."]
    assert commands[2] == "runoff diff rep runs.csv"


def test_a_folder_without_runs_shows_the_help(folder, capsys):
    assert run([]) == 0
    assert capsys.readouterr().out.startswith("Usage: ")
