"""`runoff aggregate`: the aggregates as a table, or as the library's records."""

from __future__ import annotations

import json
import re

import pytest

import runoff as ro
from runoff.cli.app import run
from tests.refusals import n_sentences

FAST = ["--n-resamples", "200"]


def test_it_prints_the_data_the_ranking_and_the_advice(table, capsys):
    assert run(["aggregate", table, "--score-unit", "shared", "--measure", "iqm", *FAST]) == 0
    out = capsys.readouterr().out
    assert all(part in out for part in ("Data: ", "Ranking by IQM", "with 95\u00a0% t intervals", "Advice"))


def test_json_is_the_records_of_the_library(table, capsys):
    choice = ["--measure", "mean", "--measure", "trimmed_mean_10", "--interval", "bca", "--seed", "3"]
    assert run(["aggregate", table, *choice, "--json", *FAST]) == 0
    metrics = ["mean", "trimmed_mean_10"]
    expected = ro.aggregate(ro.read_scores(table), measure=metrics, interval="bca", rng=3, n_resamples=200)
    assert json.loads(capsys.readouterr().out)["records"] == json.loads(json.dumps(expected.to_records()))


def test_the_best_algorithm_stands_first_where_lower_is_better(table, capsys):
    assert run(["aggregate", table, "--measure", "optimality_gap", *FAST]) == 0
    names = re.findall(r"^(\S+) .*\[", capsys.readouterr().out, re.MULTILINE)[1:4]
    gaps = {r.algorithm: r.estimate for r in ro.aggregate(ro.read_scores(table), measure=["optimality_gap"]).rows}
    assert names == sorted(gaps, key=gaps.__getitem__)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--measure", "iqr"], "Did you mean 'iqm'?"),
        (["--interval", "bcaa"], "Did you mean 'bca'?"),
        (["--over", "evaluations"], "over must be one of runs, runs_and_tasks"),
    ],
)
def test_a_refusal_is_one_sentence(table, arguments, sentence, capsys):
    assert run(["aggregate", table, *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert n_sentences(captured.err) == 1
