"""`runoff plan` with runs that there are: a pilot, or runs to which more are added."""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

import runoff as ro
from runoff.cli.app import run
from runoff.words.numbers import count, digits
from tests.refusals import n_sentences

RNG = np.random.default_rng(0)
BENCH = ro.Scores.from_dict({"A": RNG.normal(1, 0.3, (5, 3)), "B": RNG.normal(1.1, 0.5, (5, 3))})
FAST = ["--n-repeats", "100"]


def printed(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.fixture
def pilot(tmp_path):
    BENCH.to_frame().write_csv(tmp_path / "pilot.csv")
    return str(tmp_path / "pilot.csv")


def test_the_runs_come_first_and_power_at_other_numbers_follows(pilot, capsys):
    assert (
        run(["plan", pilot, "--effect", "50%", "--power", "0.9", "--hours-per-run", "2", "--cost-per-run", "3", *FAST])
        == 0
    )
    plan = ro.plan(BENCH, effect="50%", power=0.9, hours_per_run=2, cost_per_run=3, n_repeats=100)
    out = printed(capsys)
    assert out.startswith(" ".join(plan.sentence.split()))
    assert re.search(rf" {plan.n_runs} [\d.]+ % [\d.]+ % yes ", out)
    assert all(" ".join(note.split()) in out for note in plan.notes if "option" not in note)


def test_json_is_the_record_and_every_option_reaches_the_library(pilot, capsys):
    options = ["--effect-unit", "sd", "--test", "welch", "--alpha", "0.01", "--assurance", "0.8", "--seed", "3"]
    assert run(["plan", pilot, "--effect", "0.9", *options, *FAST, "--tasks", "task 1,task 2", "--json"]) == 0
    settings = {"effect_unit": "sd", "test": "welch", "alpha": 0.01, "assurance": 0.8, "rng": 3, "n_repeats": 100}
    expected = ro.plan(BENCH.select(tasks=["task 1", "task 2"]), effect=0.9, **settings).to_records()
    assert json.loads(capsys.readouterr().out)["records"] == expected


def test_shared_runs_and_episodes_are_said_by_the_options_of_other_verbs(pilot, capsys):
    assert run(["plan", pilot, "--effect", "0.5", "--runs", "shared", "--unit", "episode", *FAST]) == 0
    out = printed(capsys)
    assert "each scored on all 3 tasks" in out
    assert "--unit episode" in out


def test_out_holds_the_curve_and_the_figure(pilot, tmp_path, capsys):
    assert run(["plan", pilot, "--effect", "0.5", *FAST, "-o", str(tmp_path / "plan")]) == 0
    assert str(tmp_path / "plan") in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "plan" / "power.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["assumed_spread"] for row in rows} == {"pilot", "upper"}
    assert (tmp_path / "plan" / "power.svg").stat().st_size > 1000
    written = (tmp_path / "plan" / "README.txt").read_text(encoding="utf-8")
    assert "90\u00a0% assurance" in written
    assert "\n\nNote: the pilot has " in written


def test_next_names_the_cells_to_run_and_what_they_buy(pilot, capsys):
    assert run(["plan", "--next-runs", pilot, "--budget", "12h", "--hours-per-run", "2"]) == 0
    expected = ro.next_runs(BENCH, budget=12, cost_per_run=2)
    out = printed(capsys)
    assert out.startswith(" ".join(expected.sentence.split()))
    assert all(f"{r.algorithm} {r.task} 5 {r.std:.4g} {r.more}" in out for r in expected.rows if r.more)
    assert run(["plan", "--next-runs", pilot, "--budget", "5", "--control", "A", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == ro.next_runs(BENCH, budget=5, control="A").to_records()


def test_json_of_a_table_says_what_it_is_about(pilot, capsys):
    assert run(["plan", pilot, "--json"]) == 0
    answer, table = json.loads(capsys.readouterr().out), ro.plan(BENCH)
    assert answer["records"] == table.to_records()
    for name in ("a", "b", "measure", "test", "alpha", "power", "assurance", "sentence", "outlying"):
        assert answer[name] == getattr(table, name)
    assert [note[:20] for note in answer["notes"]] == [note[:20] for note in table.notes]
    assert run(["plan", pilot, "--effect", "50%", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == list(ro.plan(BENCH, effect="50%").notes)


def test_the_answer_has_its_row_where_the_curve_is_thinned(pilot, capsys):
    for effect in range(5, 12):
        assert run(["plan", pilot, "--effect", f"{effect}%"]) == 0
        n_runs = ro.plan(BENCH, effect=f"{effect}%").n_runs
        assert re.search(rf" no {n_runs} [\d.]+ % [\d.]+ % yes ", printed(capsys))


def test_a_probability_has_a_dash_in_place_of_assurance(pilot, capsys):
    assert run(["plan", pilot, "--measure", "improvement"]) == 0
    row = ro.plan(BENCH, measure="improvement")["detectable"]
    assert f"{row.n_runs_naive} {row.n_runs_average} – {row.total_runs} " in printed(capsys)
    assert run(["plan", pilot, "--effect", "0.8", "--effect-unit", "improvement"]) == 0
    assert "% assurance" not in printed(capsys)


def test_without_an_effect_there_is_a_row_for_each_difference(pilot, capsys):
    assert run(["plan", pilot, "--hours-per-run", "2"]) == 0
    table, out = ro.plan(BENCH, hours_per_run=2), printed(capsys)
    assert out.startswith(" ".join(table.sentence.split()))
    row = table["10%"]
    sizes = (
        f"10 % of B {digits(0.5 + row.effect)} {row.n_runs_naive} {row.n_runs_average} {row.n_runs} {row.total_runs}"
    )
    assert " ".join(f"{sizes} {count(round(row.hours))}".split()) in out
    assert run(["plan", pilot, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == ro.plan(BENCH).to_records()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["PILOT", "--effect-unit", "sd"], "--effect-unit sd belongs to one effect"),
        (["PILOT", "--effect-unit", "improvement"], "state it (--effect 0.7)"),
        (["PILOT", "-o", "x"], "--out is for the curve of power"),
        (["PILOT", "--effect", "0"], "effect must not be 0"),
        (["PILOT", "--effect", "1", "--effect", "2"], "--effect is given once with a pilot"),
        (["PILOT", "--effect", "1", "--std", "2"], "--std says how runs spread, and a pilot shows it"),
        (["PILOT", "--effect", "1", "--formula", "exact"], "--formula means nothing with a pilot"),
        (["PILOT", "--effect", "1", "--ratio", "2"], "--ratio means nothing with a pilot"),
        (["PILOT", "--effect", "1", "--cost-per-run", "2,3"], "--cost-per-run is one number with a pilot"),
        (["PILOT", "--effect", "1", "--n-runs", "5"], "--n-runs means nothing with a pilot"),
        (["PILOT", "--effect", "1", "--budget", "5"], "--budget belongs to --next-runs"),
        (["PILOT", "--effect", "1", "--test", "student"], "student compares two samples of one task"),
        (["missing.csv", "--effect", "1"], "there is no such file"),
        (["--effect", "1", "--std", "1", "--assurance", "0.9"], "--assurance is about runs that there are"),
        (["--effect", "10%", "--std", "1"], "is a share of the mean of pilot runs"),
        (
            ["--next-runs", "PILOT"],
            "next_runs needs a budget (--budget 40): a probability of improvement of 0.6 of B over A (a tenth of its range above ½) "
            "would take about",
        ),
        (["--next-runs", "PILOT", "--budget", "3h"], "--budget 3h is a time"),
        (["--next-runs", "PILOT", "--budget", "many"], "--budget takes a number of runs"),
        (["--next-runs", "PILOT", "--budget", "3", "--effect", "1"], "--effect means nothing with --next-runs"),
        (["--next-runs", "PILOT", "--budget", "3", "PILOT"], "--next-runs names its runs itself: write --next-runs "),
        (["--next-runs", "PILOT", "--budget", "3", "--seed", "0"], "--seed means nothing with --next-runs"),
        (["--next-runs", "PILOT", "--budget", "3", "-o", "x"], "--out is for the curve of power"),
    ],
)
def test_misuse_is_one_sentence(arguments, sentence, pilot, capsys):
    assert run(["plan", *(pilot if word == "PILOT" else word for word in arguments)]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert (captured.out, n_sentences(captured.err)) == ("", 1)
