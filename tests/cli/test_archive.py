"""`runoff archive`: the list, a set, and a table of its runs."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import runoff as ro
from runoff.cli.app import run
from runoff.cli.archive import answer_of


def test_the_list_has_a_row_for_each_set(capsys):
    assert run(["archive"]) == 0
    out = capsys.readouterr().out
    assert "26 sets" in out
    assert all(card.name in out for card in ro.archive.list())
    assert "sb3_zoo_agents (single)" in out


def test_a_set_shows_origin_protocol_aggregates_and_citation(capsys):
    assert run(["archive", "dreamerv3_atari100k"]) == 0
    out = capsys.readouterr().out
    for words in (
        "danijar/dreamerv3",
        "license: MIT",
        "sticky actions",
        "Ranking by IQM",
        "dreamerv3",
        "@article{hafner2025dreamerv3",
    ):
        assert words in out


def test_the_iqm_stands_before_the_mean():
    scores = ro.Scores.from_dict({"A": [1.0, 2.0, 4.0], "B": [2.0, 5.0, 3.0]})
    card = replace(ro.archive.info("primacy_atari100k"), reference=None)
    assert answer_of(card, scores).measures == ("iqm", "mean")


def test_a_set_without_reference_scores_shows_means_by_task(capsys):
    assert run(["archive", "simbav2", "--algorithms", "crossq,sac", "--tasks", "Ant-v4,Hopper-v4"]) == 0
    out = capsys.readouterr().out
    assert "6 980 [6 811, 7 148]".replace(" ", "\u202f").split("\u202f")[0] in out
    assert "Mean score by task" in out


def test_a_sweep_shows_its_algorithms_and_no_interval(capsys):
    assert run(["archive", "eop_tuning"]) == 0
    out = capsys.readouterr().out
    assert "configurations and not repeated runs" in out
    assert "interval" not in out


def test_the_records_of_a_set_are_those_of_the_library(capsys):
    assert run(["archive", "alm", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["records"] == json.loads(json.dumps(ro.aggregate(ro.archive.load("alm"), by="task").to_records()))
    assert answer["set"]["protocol"]["score"] == "evaluation return"


def test_an_exported_set_is_read_back(tmp_path, capsys):
    out = tmp_path / "runs.csv"
    assert run(["archive", "export", "atari_100k", str(out), "--algorithms", "SPR"]) == 0
    assert "2600 runs" in capsys.readouterr().out
    scores = ro.archive.load("atari_100k", algorithms=["SPR"])
    assert sorted(ro.read_scores(out).cell("SPR", "Pong")) == sorted(scores.cell("SPR", "Pong"))
    assert run(["archive", "export", "atari_100k", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_words_that_are_no_set_are_refused_in_one_sentence(capsys):
    assert run(["archive", "atari100k"]) == 2
    assert "Did you mean 'atari_100k'?" in capsys.readouterr().err
    assert run(["archive", "export", "alm"]) == 2
    assert "export SET FILE" in capsys.readouterr().err


def test_the_runs_of_a_page_are_those_of_the_export(tmp_path, capsys):
    tasks = ["cheetah-run", "dog-run"]
    scores = ro.archive.load("simba", algorithms=["bro"], tasks=tasks)
    assert run(["archive", "simba", "--tasks", ",".join(tasks)]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("bro "))
    assert [int(n) for n in re.findall(r"(\d+) runs: ", row)] == scores.n_runs[0].tolist()
    assert run(["archive", "export", "simba", str(tmp_path / "runs.csv"), "--algorithms", "bro"]) == 0
    assert "no score: 100 runs of bro (success)" in capsys.readouterr().out
