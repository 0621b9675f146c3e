"""`--json` of every verb: the records, and with them the data, the notes, the warnings and the advice."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import command, run

FAST = ["--n-resamples", "200"]
OPTIONS = {
    "aggregate": ["RUNS", *FAST],
    "compare": ["RUNS", *FAST],
    "rank": ["RUNS", "--n-resamples", "200"],
    "curves": ["CURVES", "--steps", "3"],
    "plan": ["RUNS", "--effect", "1", "--algorithms", "A", "--n-repeats", "100"],
    "sequential": ["DESIGN", "RUNS"],
    "check": ["RUNS", "--n-repeats", "20", "--n-resamples", "100", "--n-runs", "3"],
    "keep": ["LEDGER", "--champion", "RUNS", "--algorithms", "A", "--mode", "gain"],
    "scan": ["CURVES"],
    "archive": ["alm"],
    "convert": ["CURVES", "-o", "OUT"],
}
OWN = {"report", "demo", "mcp", "watch"}
"""The first two print results.json, whose `data` holds the notes and which has the advice; `mcp` answers in a protocol of its own, `watch` in
a line a look."""


@pytest.fixture
def paths(tmp_path):
    draw = np.random.default_rng(0)
    rows = {a: {t: draw.normal(i, 1.0, 6) for t in ("x", "y")} for i, a in enumerate(("A", "B"))}
    ro.Scores.from_dict(rows).to_frame().drop("run").write_csv(tmp_path / "runs.csv")
    example = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks=["Pendulum-v1"])
    example.to_frame().write_csv(tmp_path / "curves.csv")
    (tmp_path / "design.toml").write_text("looks = [6, 12]\n", encoding="utf-8")
    names = {
        "RUNS": "runs.csv",
        "CURVES": "curves.csv",
        "DESIGN": "design.toml",
        "OUT": "out.csv",
        "LEDGER": "night.jsonl",
    }
    return {key: str(tmp_path / name) for key, name in names.items()}


def answer_to(verb, paths, capsys):
    assert run([verb, *(paths.get(word, word) for word in OPTIONS[verb]), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("verb", OPTIONS)
def test_the_answer_comes_with_data_notes_warnings_and_advice(verb, paths, capsys):
    answer = answer_to(verb, paths, capsys)
    assert {"data", "notes", "warnings", "advice"} <= set(answer)
    assert len(set(answer) - {"data", "notes", "warnings", "advice"}) > 0
    if verb != "scan":
        assert {"path", "sha256", "algorithms", "tasks", "n_runs"} <= set(answer["data"])


def test_every_verb_has_json():
    verbs = {*command().commands}
    assert (
        verbs - set(OPTIONS) - OWN - {"gate", "claims", "archive", "reproduce", "tuning", "diff"} == set()
    )  # each has tests of its own


def test_notes_of_the_reader_are_there(paths, capsys):
    assert "there is no run column: each row is taken as one independent run" in " ".join(
        answer_to("aggregate", paths, capsys)["notes"]
    )


def test_a_warning_on_stderr_is_in_the_json_too(tmp_path, capsys):
    path = tmp_path / "crashed.csv"
    rows = [f"{a},{r},{s},{s + r}" for a in "AB" for r in range(4) for s in (0, 60, 100) if (a, r, s) != ("A", 0, 100)]
    path.write_text("\n".join(["algorithm,run,step,score", *rows]) + "\n", encoding="utf-8")
    assert run(["compare", str(path), "--json", *FAST]) == 0
    captured = capsys.readouterr()
    warned = [line.removeprefix("warning: ") for line in captured.err.splitlines() if line.startswith("warning: ")]
    assert warned
    assert json.loads(captured.out)["warnings"] == list(dict.fromkeys(warned))


def test_advice_about_all_pairs_is_there(tmp_path, capsys):
    path = tmp_path / "three.csv"
    runs = np.array([1.0, 2.0, 3.5, 4.0, 2.5])
    ro.Scores.from_dict({"A": runs, "B": runs + 1.9, "C": runs + 0.1}).to_frame().write_csv(path)
    assert run(["compare", str(path), "--json", *FAST]) == 0
    assert {advice["code"] for advice in json.loads(capsys.readouterr().out)["advice"]} >= {"R007"}


def test_one_call_does_not_remember_the_warnings_of_the_last(paths, capsys):
    first = answer_to("compare", paths, capsys)["warnings"]
    assert answer_to("compare", paths, capsys)["warnings"] == first


def test_advice_of_an_answer_is_there_once(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    path.write_text("algorithm,task,score\nA,x,1\nA,x,2\nA,x,4\nB,x,3\n")
    assert run(["aggregate", str(path), "--json", *FAST]) == 0
    codes = [advice["code"] for advice in json.loads(capsys.readouterr().out)["advice"]]
    assert "R002" in codes
    assert len(codes) == len(set(codes))
