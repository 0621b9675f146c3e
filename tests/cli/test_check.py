"""`runoff check`: the conclusion in words first, both tables, and every misuse in one sentence."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import runoff as ro
from runoff import lab
from runoff.cli.app import run
from tests.refusals import n_sentences

FAST = ["--n-repeats", "16", "--n-resamples", "100"]
OPTIONS = {"n_repeats": 16, "n_resamples": 100}


@pytest.fixture
def runs(tmp_path):
    values = np.random.default_rng(1).normal(size=(20, 1))
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"PPO": values}, tasks=["Pong"]).to_frame().write_csv(path)
    return str(path)


def test_the_conclusion_comes_first_and_both_tables_follow(runs, capsys):
    assert run(["check", runs, *FAST, "--n-runs", "3", "--n-runs", "5"]) == 0
    out = capsys.readouterr().out
    options = OPTIONS | {"n_runs": [3, 5]}
    tests, intervals = lab.false_positive_rate(runs, **options), lab.coverage(runs, **options)
    assert out.startswith(f"{tests.sentence}\n{intervals.sentence}\n")
    shown = " ".join(out.split())
    rates = {r.n_runs: r.rate for r in tests.rows if r.test == "welch"}
    assert " ".join(["Welch", *(f"{100 * rate:.1f} %" for rate in rates.values())]) in shown
    (t,) = [r for r in intervals["PPO", "iqm", 5] if r.interval == "t"]
    (other,) = [r for r in intervals["PPO", "iqm", 3] if r.interval == "t"]
    coverage = f"{100 * other.coverage:.1f} % {100 * t.coverage:.1f} %"
    assert f" t {coverage} {other.mean_width:.3g} {t.mean_width:.3g} percentile bootstrap " in shown


def test_json_is_the_conclusion_and_both_lists_of_records(runs, capsys):
    sizes = ["--n-runs", "3", "--n-runs", "5"]
    options = [*sizes, "--measure", "mean", "--interval", "t", "--seed", "4", "--confidence-level", "0.8"]
    assert run(["check", runs, *FAST, *options, "--test", "welch", "--alpha", "0.1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    shared = {**OPTIONS, "n_runs": [3, 5], "rng": 4}
    tests = lab.false_positive_rate(runs, test="welch", alpha=0.1, **shared)
    intervals = lab.coverage(runs, measure="mean", interval="t", confidence_level=0.8, **shared)
    assert answer["false_positive_rate"] == tests.to_records()
    assert answer["coverage"] == intervals.to_records()
    assert (answer["alpha"], answer["confidence_level"]) == (0.1, 0.8)
    assert answer["conclusion"] == [tests.sentence, intervals.sentence]


def test_an_algorithm_that_is_left_out_is_named(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    ro.Scores.from_dict({"PPO": np.random.default_rng(1).normal(size=20), "few": [1.0, 2.0]}).to_frame().write_csv(path)
    assert run(["check", str(path), "--n-repeats", "10", "--n-resamples", "100", "--n-runs", "3"]) == 0
    assert "few is left out: 'few' has 2 runs on" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_out_holds_tables_figures_and_the_conclusion(runs, tmp_path, capsys):
    out = tmp_path / "check"
    options = ["--n-resamples", "100", "--n-repeats", "100", "--n-runs", "3", "--measure", "iqm"]
    assert run(["check", runs, *options, "-o", str(out)]) == 0
    assert str(out) in capsys.readouterr().out
    rows = list(csv.DictReader((out / "coverage.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["interval"] for row in rows} == {"t", "percentile", "basic", "bca"}
    names = ("false_positive_rate-PPO", "coverage-PPO-iqm")
    assert all((out / f"{name}.{kind}").stat().st_size > 1000 for name in names for kind in ("svg", "pdf", "png"))
    assert json.loads((out / "check.json").read_text())["schema"] == "runoff.check/1"
    assert "With 3 runs your percentile intervals" in (out / "README.txt").read_text(encoding="utf-8")


def test_few_runs_are_told_once_with_what_can_be_drawn(tmp_path, capsys):
    (tmp_path / "few.csv").write_text("algorithm,run,score\n" + "".join(f"A,{i},{i * i}\n" for i in range(6)))
    assert run(["check", str(tmp_path / "few.csv"), *FAST]) == 0
    out = capsys.readouterr().out
    assert out.count("These runs are too few to judge by: 6 runs") == 1
    assert "groups of 2 or 3 runs can be drawn" in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--n-runs", "11"], "groups of up to 10 can be drawn"),
        (["--test", "welchh"], "Did you mean 'welch'?"),
        (["--interval", "percentil"], "Did you mean 'percentile'?"),
        (["--measure", "iqmm"], "Did you mean 'iqm'?"),
        (["--alpha", "2"], "alpha must lie strictly between 0 and 1"),
        (["--confidence-level", "2"], "confidence_level must lie strictly between 0 and 1"),
        (["--n-repeats", "0"], "n_repeats must be a whole number of at least 1"),
        (["--algorithms", "DQN"], "DQN"),
    ],
)
def test_misuse_is_one_sentence(options, sentence, runs, capsys):
    fast = FAST[2:] if "--n-repeats" in options else FAST
    assert run(["check", runs, *fast, *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert n_sentences(captured.err) == 1
    assert sentence in captured.err
