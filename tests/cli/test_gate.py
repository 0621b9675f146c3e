"""`runoff gate`: exit codes, the words, --json, --markdown, a saved baseline, and every misuse in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from tests.refusals import n_sentences

FAST = ["--n-resamples", "2000"]


def written(path, means, n, seed, name="PPO"):
    rng = np.random.default_rng(seed)
    rows = [(name, task, i, mean + rng.normal()) for task, mean in means.items() for i in range(n)]
    lines = "".join(f"{a},{t},{i},{score}\n" for a, t, i, score in rows)
    path.write_text(f"algorithm,task,seed,return\n{lines}", encoding="utf-8")
    return str(path)


@pytest.fixture
def base(tmp_path):
    return written(tmp_path / "base.csv", {"Pong": 20, "Qbert": 15}, 8, 0)


@pytest.fixture
def same(tmp_path):
    return written(tmp_path / "same.csv", {"Pong": 20, "Qbert": 15}, 6, 1)


@pytest.fixture
def worse(tmp_path):
    return written(tmp_path / "worse.csv", {"Pong": 20, "Qbert": 9}, 6, 2)


def printed(capsys):
    return " ".join(capsys.readouterr().out.split())


def refused(capsys, *arguments):
    assert run(["gate", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" or "--json" in arguments
    assert n_sentences(error) == 1
    return error


def test_a_candidate_that_holds_exits_with_0(base, same, capsys):
    assert run(["gate", base, same, "--margin", "3", *FAST]) == 0
    out = printed(capsys)
    assert out.startswith("Over 2 tasks a drop of 3 or more is ruled out:")
    assert "Means: margin 3, α = 0.05 over all rows, limits by permutation" in out


def test_a_candidate_that_has_regressed_exits_with_1_and_says_where(base, worse, capsys):
    assert run(["gate", base, worse, "--margin", "3", *FAST]) == 1
    out = printed(capsys)
    assert "1 regressed (Qbert), 1 held." in out
    assert "On 'Qbert' the candidate has regressed" in out


def test_underpowered_exits_with_1_only_if_asked(base, tmp_path, capsys):
    few = written(tmp_path / "few.csv", {"Pong": 20, "Qbert": 15}, 3, 3)
    gate = ["gate", base, few, "--margin", "0.5", *FAST]
    assert [run(gate), run([*gate, "--fail-on", "suspect,underpowered"])] == [0, 1]
    assert "the smallest drop this could call" in printed(capsys)


def test_a_single_task_that_is_underpowered_is_enough_if_asked(base, tmp_path):
    rng = np.random.default_rng(0)
    rows = [(t, i, m + sd * rng.normal()) for t, m, sd in (("Pong", 20, 0.3), ("Qbert", 15, 6)) for i in range(6)]
    path = tmp_path / "loose.csv"
    path.write_text("algorithm,task,seed,return\n" + "".join(f"PPO,{t},{i},{s}\n" for t, i, s in rows))
    verdicts = {record.task or "": record.verdict for record in ro.gate(base, path, margin=3.0, n_resamples=2000)}
    assert verdicts == {"Pong": "held", "Qbert": "underpowered", "": "held"}
    gate = ["gate", base, str(path), "--margin", "3", *FAST]
    assert [run(gate), run([*gate, "--fail-on", "underpowered"])] == [0, 1]


def test_json_is_the_records_and_keeps_the_exit_code(base, worse, capsys):
    assert run(["gate", base, worse, "--margin", "3", "--json", *FAST]) == 1
    answer, result = json.loads(capsys.readouterr().out), ro.gate(base, worse, margin=3.0, n_resamples=2000)
    assert (answer["records"], answer["confirmation"]) == (result.to_records(), None)
    assert answer["data"]["path"] == worse
    assert {"verdict", "sentence", "notes", "warnings", "advice"} <= set(answer)


def test_markdown_is_printed_or_added_to_a_file(base, same, tmp_path, capsys):
    gate = ["gate", base, same, "--margin", "3", *FAST]
    assert run([*gate, "--markdown", "-"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("### runoff gate: held\n")
    for _ in range(2):
        assert run([*gate, "--markdown", str(tmp_path / "summary.md")]) == 0
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == 2 * text


def test_a_saved_baseline_stands_for_its_runs_and_changes_only_on_request(base, same, worse, tmp_path, capsys):
    kept = str(tmp_path / "kept.json")
    save = ["gate", base, "--save", kept, "--margin", "3"]
    assert run(save) == 0
    assert printed(capsys) == f"Baseline: {kept}, 16 scores on 2 tasks."
    assert [run(["gate", kept, path, *FAST]) for path in (same, worse)] == [0, 1]
    capsys.readouterr()
    assert "is not overwritten: name another file, or use --force" in refused(capsys, *save[1:])
    assert run([*save, "--force"]) == 0


def test_options_of_reading_reach_both_sides_but_not_a_saved_baseline(base, same, tmp_path):
    reference = tmp_path / "reference.json"
    reference.write_text(json.dumps({"Pong": [0, 40], "Qbert": [0, 30]}), encoding="utf-8")
    kept, normal = str(tmp_path / "kept.json"), ["--normalize", str(reference)]
    assert run(["gate", base, "--save", kept, *normal]) == 0
    assert run(["gate", kept, same, "--margin", "0.1", *normal, *FAST]) == 0
    assert run(["gate", base, same, "--margin", "0.1", *normal, *FAST]) == 0


def test_algorithms_are_chosen_by_name_in_one_file(tmp_path, capsys):
    both = tmp_path / "both.csv"
    written(both, {"Pong": 20}, 8, 0)
    other = written(tmp_path / "other.csv", {"Pong": 12}, 8, 1, "A2C")
    with both.open("a", encoding="utf-8") as file:
        file.write("".join((tmp_path / "other.csv").read_text(encoding="utf-8").splitlines(keepends=True)[1:]))
    gate = ["gate", str(both), str(both), "--margin", "3"]
    assert "the baseline holds 2 algorithms ('A2C', 'PPO')" in refused(capsys, *gate[1:])
    assert run([*gate, "--algorithm", "PPO", "--candidate-algorithm", "A2C"]) == 1
    assert run(["gate", str(both), other, "--algorithm", "PPO", "--candidate-algorithm", "A2C", "--margin", "3"]) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--margin", "0"], "must be a finite number above 0"),
        (["--margin", "nan"], "must be a finite number above 0"),
        (["--margin", "-2"], "must be a finite number above 0"),
        ([], "a gate needs a margin, the smallest drop that matters, and the baseline has none: give --margin 1sd"),
        (["--margin", "3", "--fail-on", "held"], "--fail-on takes suspect or underpowered, not 'held'"),
        (["--margin", "3", "--force"], "--force belongs to --save"),
        (["--margin", "3", "--nights", "7", "--save", "x.json"], "--nights judges a candidate, and --save judges none"),
        (["--margin", "3", "--markdown", "-", "--json"], "--json and --markdown - both print to standard output"),
    ],
)
def test_a_misuse_is_one_sentence(base, same, capsys, options, words):
    assert words in refused(capsys, base, same, *options)


def test_other_tasks_single_runs_the_same_file_and_nothing_are_one_sentence_each(base, tmp_path, capsys):
    margin = ["--margin", "3"]
    other = written(tmp_path / "other.csv", {"Pong": 20, "Alien": 15}, 5, 1)
    single = written(tmp_path / "single.csv", {"Pong": 20, "Qbert": 15}, 1, 1)
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    assert "lacks 'Qbert' of the baseline and has 'Alien'" in refused(capsys, base, other, *margin)
    assert "the candidate has a single run on task 'Pong'" in refused(capsys, base, single, *margin)
    assert f"the candidate's scores ({base}) are those of the baseline" in refused(capsys, base, base, *margin)
    assert "empty" in refused(capsys, base, str(tmp_path / "empty.csv"), *margin)
    assert "BASELINE and CANDIDATE, not 1" in refused(capsys, base, *margin)
    assert "--save needs the runs to save: runoff gate RUNS --save x.json" in refused(capsys, "--save", "x.json")
    assert "--seed judges a candidate" in refused(capsys, base, "--save", "x.json", "--seed", "1")


def test_a_baseline_that_is_not_there_yet_is_answered_by_the_command_that_saves_it(base, capsys):
    assert run(["gate", "nightly.json", str(base)]) == 2
    assert "save it first: runoff gate RUNS --save nightly.json." in capsys.readouterr().err


def test_an_error_that_nobody_foresaw_is_not_a_regression():
    code = "from runoff.cli import app, main\napp.run = lambda _: 1 / 0\nmain([])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (70, "")
    assert ended.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_a_summary_that_is_no_file_is_refused_before_the_runs_are_judged(base, same, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("runoff.cli.gate.GateRuns.judged", None)
    assert "it is no file; name a file" in refused(capsys, base, same, "--markdown", str(tmp_path))
