"""What `--json` of every verb prints is what src/runoff/cli/schema.json says, and the file is that of the code."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest

import runoff as ro
from docs import make_schema
from runoff.cli.app import run
from tests.cli.test_json import OPTIONS

FAST = ["--n-resamples", "200"]
TABLE = "Task,Ours,Base\nPong,20 ± 1,15 ± 2\nQbert,8 ± 1,9 ± 1\n"
CALLS = {
    **{verb: [words] for verb, words in OPTIONS.items()},
    "compare": [["RUNS", *FAST], ["RUNS", "--where", "A", "B"], ["RUNS", "--margin", "0.3", *FAST], ["THREE", *FAST]],
    "plan": [
        ["RUNS", "--effect", "1", "--algorithms", "A", "--n-repeats", "100"],
        ["RUNS"],
        ["--effect", "1", "--std", "2"],
        ["--effect", "1", "--std", "2", "--n-runs", "5"],
        ["--next-runs", "RUNS", "--budget", "4"],
    ],
    "rank": [["THREE", *FAST], ["RUNS"]],
    "gate": [
        ["RUNS", "RUNS", "--algorithm", "A", "--candidate-algorithm", "B", "--margin", "1", "--n-resamples", "2000"]
    ],
    "claims": [["TABLE", "--n-runs", "5"], ["TABLE"]],
    "reproduce": [
        [
            "primacy_dmc",
            "--algorithms",
            "DRQ",
            "--published",
            "drq_dreamer:DrQ",
            "--margin",
            "100",
            "--assume-same-protocol",
        ]
    ],
    "tuning": [["neorl_tuning", "--algorithms", "bcq,cql", "--tasks", "HalfCheetah-v3-high-1000"]],
    "diff": [["RUNS", "THREE"]],
    "report": [["THREE", "-o", "FOLDER", *FAST], ["CURVES", "-o", "FOLDER", *FAST]],
    "curves": [["CURVES", "--steps", "3", "--threshold", "-500"]],
    "archive": [["alm"], []],
    "check": [OPTIONS["check"], ["colas2018/figure8", "--n-repeats", "20", "--workers", "1"]],
    "sequential": [OPTIONS["sequential"], ["RUNS"]],
}
SLOW = {"check", "report", "tuning"}


def valid(verb, answer):
    whole = make_schema.schema() | {"$ref": f"#/$defs/{verb}"}
    if error := jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(whole).iter_errors(answer)):
        raise AssertionError(f"{verb}: {error.json_path}: {error.message[:200]}")


@pytest.fixture
def paths(tmp_path):
    draw = np.random.default_rng(0)
    for name, algorithms in (("runs", "AB"), ("three", "ABC")):
        rows = {a: {t: draw.normal(i, 1.0, 6) for t in ("x", "y")} for i, a in enumerate(algorithms)}
        ro.Scores.from_dict(rows).to_frame().drop("run").write_csv(tmp_path / f"{name}.csv")
    example = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"], tasks=["Pendulum-v1"])
    example.to_frame().write_csv(tmp_path / "curves.csv")
    (tmp_path / "design.toml").write_text("looks = [6, 12]\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")
    names = {"RUNS": "runs.csv", "THREE": "three.csv", "CURVES": "curves.csv", "DESIGN": "design.toml"}
    return {
        key: str(tmp_path / name)
        for key, name in (
            names | {"OUT": "out.csv", "FOLDER": "out", "TABLE": "table.csv", "LEDGER": "night.jsonl"}
        ).items()
    }


@pytest.mark.parametrize(
    "verb", [pytest.param(verb, marks=pytest.mark.slow if verb in SLOW else ()) for verb in sorted(CALLS)]
)
def test_the_answer_of_a_verb_is_what_its_schema_says(verb, paths, capsys):
    for words in CALLS[verb]:
        assert run([verb, *(paths.get(word, word) for word in words), "--json"]) in (0, 1)
        valid(verb, json.loads(capsys.readouterr().out))


def test_the_schema_refuses_what_no_verb_prints():
    answer = {"records": [], "data": None, "notes": [], "warnings": [], "advice": []}
    for wrong in ({"recordz": []}, {"notes": "one"}, {"advice": [{"code": "R001"}]}):
        with pytest.raises(AssertionError, match="scan: "):
            valid("scan", answer | {"path": "runs", "not_understood": []} | wrong)


def test_the_file_is_that_of_the_code():
    assert make_schema.FILE.read_text(encoding="utf-8") == make_schema.text(), "run `make names`"
    jsonschema.Draft202012Validator.check_schema(make_schema.schema())
    verbs = set(make_schema.ANSWERS) | set(make_schema.OWN) | {"demo"}
    assert verbs == set(CALLS) | {"demo"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["compare", "RUNS", "--algorithms", "A,Z"], "design"),
        (["compare", "RUNS", "--alpha", "2"], "option"),
        (["compare", "nothing.csv"], "data"),
        (["compare", "RUNS", "--mesure", "iqm"], "usage"),
        (["convert", "RUNS", "-o", "RUNS"], "output"),
    ],
)
def test_a_refusal_is_a_record_for_a_program_that_asked_for_json(words, code, paths, capsys):
    assert run([*(paths.get(word, word) for word in words), "--json"]) == 2
    out, err = capsys.readouterr()
    answer = json.loads(out)
    valid("refusal", answer)
    assert answer["code"] == code
    assert err.startswith(f"error: {answer['message']}")
    assert all(line in err for line in answer["repair"])


def test_a_refusal_without_json_prints_nothing_that_could_be_an_answer(paths, capsys):
    assert run(["compare", paths["RUNS"], "--alpha", "2"]) == 2
    assert capsys.readouterr().out == ""
