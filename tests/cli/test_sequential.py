"""`runoff sequential`: the outcome in a sentence first, a design that is written once, and every misuse in one sentence."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.methods.sequential import read_design
from tests.refusals import n_sentences

NEW = ["--new", "--looks", "4,8", "--n-resamples", "999"]


@pytest.fixture
def design(tmp_path, capsys):
    path = tmp_path / "design.toml"
    options = ["--algorithms", "A,B", "--tasks", "T", "--margin", "0.2", "--effect", "1", "--cost-per-run", "3"]
    assert run(["sequential", str(path), *NEW, *options, "--budget", "60", "--alpha", "0.1", "--seed", "3"]) == 0
    assert "looks after 4, 8 runs per task" in printed(capsys)
    return path


@pytest.fixture
def runs(tmp_path):
    rng, path = np.random.default_rng(1), tmp_path / "look1.csv"
    rows = [(a, "T", i, 0.5 * (a == "B") + rng.normal()) for a in "AB" for i in range(4)]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("algorithm", "task", "seed", "score"), *rows])
    return path


def printed(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_new_writes_the_design_that_the_options_declare(design):
    settings = {"margin": 0.2, "effect": 1.0, "cost_per_run": 3.0, "budget": 60.0, "alpha": 0.1, "seed": 3}
    assert read_design(design) == ro.SequentialDesign(
        looks=(4, 8), n_resamples=999, algorithms=("A", "B"), tasks=("T",), **settings
    )


def test_looks_without_a_last_one_spend_what_no_last_look_changes(tmp_path, capsys):
    path = tmp_path / "open.toml"
    assert run(["sequential", str(path), "--new", "--looks", "1.."]) == 0
    assert read_design(path) == ro.SequentialDesign(looks=range(1, 201), spending="open")
    assert "looks after 1, 2, 3, …, 200 runs per task" in printed(capsys)


def test_the_outcome_comes_first_then_pairs_looks_and_cost(design, runs, tmp_path, capsys):
    state = tmp_path / "state.json"
    assert run(["sequential", str(design), str(runs), "--state", str(state)]) == 0
    out = printed(capsys)
    assert out.startswith("After look 1 of 2 (4 runs per task) it goes on: the next look takes 4 more runs of A and B")
    for words in (
        "A and B: not decided yet",
        "spent so far 0.06",
        "Cost so far: 24 of a budget of 60;",
        f"State: {state}",
    ):
        assert words in out
    assert run(["sequential", str(design), "--state", str(state)]) == 0
    assert printed(capsys).startswith("After look 1 of 2")


def test_without_a_state_nothing_is_kept_and_that_is_said(design, runs, capsys):
    assert run(["sequential", str(design), str(runs)]) == 0
    assert "nothing was kept; name a file by --state" in printed(capsys)
    assert run(["sequential", str(design)]) == 0
    assert printed(capsys).startswith("Nothing has been seen yet: the first look takes 4 runs per task of A and B.")


def test_json_is_the_records(design, runs, capsys):
    assert run(["sequential", str(design), str(runs), "--json"]) == 0
    expected = ro.sequential(ro.read_scores(runs), design=design).to_records()
    assert json.loads(capsys.readouterr().out)["records"] == expected


def test_out_holds_the_figure_its_table_and_the_answer(design, runs, tmp_path, capsys):
    assert run(["sequential", str(design), str(runs), "-o", str(tmp_path / "out")]) == 0
    answer = json.loads((tmp_path / "out" / "sequential.json").read_text(encoding="utf-8"))
    assert (answer["next_look"], answer["pairs"][0]["decision"]) == (8, "go_on")
    rows = list(csv.DictReader((tmp_path / "out" / "trajectory.csv").read_text(encoding="utf-8").splitlines()))
    assert float(rows[0]["statistic"]) == answer["trajectory"][0]["statistic"]
    assert all((tmp_path / "out" / f"trajectory.{kind}").stat().st_size > 1000 for kind in ("svg", "pdf", "png"))
    assert run(["sequential", str(design), str(runs), "-o", str(runs)]) == 2
    assert "is another file of this call, and is not overwritten" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["new.toml", "--new"], "--new needs --looks"),
        (["new.toml", "--new", "--looks", "5;10"], "--looks takes whole numbers with commas between, not '5;10'"),
        (["new.toml", "runs.csv", *NEW], "--new writes a design before there are runs"),
        (["new.toml", "--new", "--looks", "10,5"], "looks must increase"),
        (["new.toml", "--new", "--looks", "1..", "--spending", "pocock"], "has no last look, which pocock takes"),
        (["new.toml", "--new", "--looks", "50..1"], "--looks takes the smaller number first, 1..50, not '50..1'"),
        (["new.toml", *NEW, "--spending", "haybittle"], "spending must be one of pocock"),
        (["new.toml", *NEW, "--margin", "-1"], "margin must be a finite number greater than 0"),
        (["none.toml"], "the design none.toml cannot be read"),
        (["none.toml", "--alpha", "0.1"], "--alpha belongs to the design, which is not changed"),
        (["none.toml", "--n-resamples", "999"], "--n-resamples belongs to the design"),
    ],
)
def test_misuse_is_one_sentence(arguments, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["sequential", *arguments]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert (captured.out, n_sentences(captured.err), list(tmp_path.iterdir())) == ("", 1, [])


def test_the_same_file_twice_is_refused_as_the_shell_speaks(design, runs, tmp_path, capsys):
    command = ["sequential", str(design), str(runs), "--state", str(tmp_path / "state.json")]
    assert (run(command), run(command)) == (0, 2)
    err = capsys.readouterr().err
    assert "of 'A' on 'T' in look 2 was in look 1 already, with the same score" in err
    assert "--columns run=row" in err
