"""Misuse is answered by what was seen and the command that works, with the user's own file and options in it."""

from __future__ import annotations

import pytest

from runoff.cli.app import run

ROWS = [f"{a},{t},{s},{s * 0.1 + (a == 'SAC')}" for a in ("PPO", "SAC") for t in ("Pong", "Qbert") for s in range(5)]
FILES = {
    "two.csv": ROWS,
    "one.csv": ROWS[:10],
    "nan.csv": [*ROWS[:3], "PPO,Pong,9,nan", *ROWS[4:]],
}
ITEMS = ["model,question,success", *(f"{m},q{i},{(i + (m == 'A')) % 3 % 2}" for m in "AB" for i in range(40))]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, rows in FILES.items():
        (tmp_path / name).write_text("\n".join(["algorithm,task,seed,score", *rows]) + "\n")
    (tmp_path / "items.csv").write_text("\n".join(ITEMS) + "\n")


def refused(capsys, line):
    """The sentence and the commands below it."""
    assert run(line.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    sentence, *commands = shown.err.splitlines()
    assert sentence.startswith("error: ")
    return sentence, [command.strip() for command in commands]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("comapre two.csv --alpha 0.1", "Did you mean runoff compare two.csv --alpha 0.1?"),
        ("rank two.csv --draws 100", "Did you mean runoff rank two.csv --n-resamples 100?"),
        ("aggregate two.csv --metric iqm", "Did you mean runoff aggregate two.csv --measure iqm?"),
        ("compare two.csv --random-state=3", "Did you mean runoff compare two.csv --seed=3?"),
        ("study list --budget 1m", "Did you mean runoff study list --time-limit 1m?"),
        ("compare two.csv --tset welch", "Did you mean runoff compare two.csv --test welch?"),
        ("compare two.csv --alpa=0.1", "Did you mean runoff compare two.csv --alpha=0.1?"),
        ("compare two.csv --confidence 0.9 --json", "Did you mean runoff compare two.csv --alpha 0.1 --json?"),
        ("rank two.csv --confidence-level=99", "Did you mean runoff rank two.csv --alpha 0.01?"),
        ("--vers", "Did you mean runoff --version?"),
        ("two.csv", "runoff report two.csv writes a report of it"),
        ("report two.csv --cluster topic", "--cluster is an option of runoff compare"),
        ("compare --alpha 0.1", "runoff compare needs the runs: runoff compare items.csv --alpha 0.1"),
        ("reproduce two.csv", "runoff reproduce needs --published ("),
        ("compare two.csv --alpha x", "--alpha takes a number, not x"),
        ("compare two.csv --seed=1.5", "--seed takes a whole number, not 1.5"),
        ("compare two.csv --alpha", "--alpha needs a value: False positive rate"),
        ("xyzzy", "there is no verb 'xyzzy'"),
    ],
)
def test_a_word_that_no_verb_understands_is_answered_by_the_command_that_was_meant(typed, meant, capsys):
    assert meant in refused(capsys, typed)[0]


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("compare two.csv --test welsh", ["compare two.csv --test welch"]),
        ("compare two.csv --control PP --alpha 0.1", ["compare two.csv --control PPO --alpha 0.1"]),
        ("compare two.csv --algorithms PPO,SCA", ["compare two.csv --algorithms PPO,SAC"]),
        ("compare two.csv --normalize=atary", ["compare two.csv --normalize=atari"]),
        ("compare two.csv --against atari_100k:SRP", ["compare two.csv --against atari_100k:SPR"]),
        ("compare tow.csv", ["compare two.csv"]),
        ("archive atari", ["archive atari_100k"]),
        ("study colas2019/tabel15", ["study colas2019/table15"]),
        ("compare nan.csv --seed 1", [f"compare nan.csv --seed 1 --incomplete {how}" for how in ("worst", "drop")]),
        ("compare items.csv --alpha 0.1", ["compare items.csv --alpha 0.1 --over tasks"]),
        ("compare one.csv --columns run=seed --alpha 0.1", ["aggregate one.csv --columns run=seed"]),
        ("compare two.csv --margin 0.1 --where PPO SAC", ["compare two.csv --where PPO SAC"]),
        ("curves two.csv", ["compare two.csv"]),
        ("curves two.csv --last 3", ["curves two.csv"]),
        ("gate two.csv two.csv --algorithm PPO", ["gate two.csv two.csv --algorithm PPO --margin 1sd"]),
        ("report two.csv -o two.csv", ["report two.csv -o runoff-report"]),
        ("compare classic_control --keys task", ["compare classic_control"]),
        ("tuning two.csv", []),
        ("compare two.csv --columns score=NAME", []),
    ],
)
def test_a_refusal_ends_with_the_commands_that_work(typed, commands, capsys):
    assert refused(capsys, typed)[1] == [f"runoff {command}" for command in commands]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            "sequential d.toml two.csv",
            "make one before the first run: runoff sequential d.toml --new --looks 5,10,15,20.",
        ),
        ("plan --std 1", "runoff plan --effect 0.5 --std 1"),
        ("compare two.csv --columns nonsense", "--columns takes ROLE=NAME, as score=return, not 'nonsense'"),
        ("convert two.csv -o x.csv", "name it with --columns step=NAME; one score per run is read by report"),
        ("gate two.csv", "BASELINE and CANDIDATE, not 1"),
    ],
)
def test_a_refusal_says_what_would_be_right(typed, sentence, capsys):
    assert sentence in refused(capsys, typed)[0]


def test_the_version_says_all_that_a_bug_report_needs(capsys):
    assert run(["--version", "-v"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 8
    for word in ("runoff ", "CPython 3", "numpy ", "polars ", "matplotlib ", "numba", "cores, ", "compiled kernels: "):
        assert any(word in line for line in lines), word
