"""Where the scores come from on the command line: several paths, standard input, patterns, and what is said of it."""

from __future__ import annotations

import io
import json

import pytest

from runoff.cli.app import run

FAST = ["--n-resamples", "200"]
CURVE = "num_steps,eval/episode_reward\n1000,{}\n2000,{}\n"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i, path in enumerate(f"{a}/Hopper/seed_{s}.csv" for a in ("PPO", "SAC") for s in range(3)):
        file = tmp_path / "logs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(CURVE.format(i, i + i % 3))
    return "logs"


def test_several_paths_are_one_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("PPO", "SAC"):
        (tmp_path / f"{name}.csv").write_text("return\n1\n2\n4\n")
    assert run(["compare", "PPO.csv", "SAC.csv", *FAST]) == 0
    out = capsys.readouterr().out
    assert "Data: PPO.csv, SAC.csv (csv)" in out
    assert "from the path: algorithm = the file name" in out


def test_what_was_understood_is_printed_as_a_table_with_steps(tree, capsys):
    assert run(["compare", tree, *FAST]) == 0
    out = capsys.readouterr().out
    assert "from the path: algorithm = folder 1, run = the file name, task = folder 2" in out
    assert "columns: score = eval/episode_reward, step = num_steps" in out
    assert "1000 to 2000, 2 per run" in out


def test_the_report_says_what_was_understood_and_its_command_gives_it_again(tree, tmp_path, undrawn, capsys):
    pattern = "{algorithm}/{task}/seed_{run}"
    assert run(["report", tree, "--pattern", pattern, "-o", "out", "--json", *FAST]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["command"] == f"runoff report logs --pattern '{pattern}' --n-resamples 200"
    assert answer["data"]["tasks"] == ["Hopper"]
    assert answer["data"]["parts"]["task"] == "the pattern {algorithm}/{task}/seed_{run}"
    page = (tmp_path / "out" / "report.html").read_text()
    assert "From the path" in page
    assert "1000 to 2000, 2 per run" in page


def test_a_dash_reads_standard_input(monkeypatch, capsys):
    class Stdin:
        buffer = io.BytesIO(b"algo,return\nPPO,1\nPPO,2\nSAC,3\nSAC,5\n")

    monkeypatch.setattr("sys.stdin", Stdin)
    assert run(["compare", "-", *FAST]) == 0
    assert "Data: stdin (csv)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("algo,level,return\nPPO,1,2\nPPO,2,3\n", "--columns run=row if each row is one run"),
        ("algo,x\nPPO,2\n", "name it with --columns score=x"),
        ("PPO,SAC,loss\n1,2,3\n", "--keys algorithm"),
        ("algo,return,reward\nPPO,2,2\n", "--columns score=return"),
    ],
)
def test_messages_name_options_as_the_command_line_does(tmp_path, capsys, content, sentence):
    (tmp_path / "runs.csv").write_text(content)
    assert run(["compare", str(tmp_path / "runs.csv")]) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert "columns={" not in message


def test_keys_take_one_of_several_tables(tmp_path, capsys):
    for name in ("PPO", "SAC"):
        (tmp_path / f"{name}.json").write_text('{"100k": {"Pong": [1, 2]}, "500k": {"Pong": [3, 4]}}')
    assert run(["compare", str(tmp_path), "--keys", "100k/task", *FAST]) == 0
    assert "only the content of '100k' is read" in capsys.readouterr().out
