"""Counts of episodes stand in place of a file: `ours=17/20 base=11/20`."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.cli.app import run


def test_counts_are_the_rows_that_they_stand_for(capsys):
    assert run(["compare", "A=17/20", "B=11/20", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    rows = {"A": [1.0] * 17 + [0.0] * 3, "B": [1.0] * 11 + [0.0] * 9}
    (own,) = ro.compare(ro.Scores.from_dict(rows, unit="episode"))
    assert answer["records"][0]["pvalue"] == own.pvalue
    assert answer["records"][0]["estimate"] == own.estimate


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["A=17/20", "B=21/20"], "B=21/20 has more successes than episodes"),
        (["A=17/20", "A=3/20"], "A=3/20 is a second count of one policy"),
        (["A=0/0", "B=1/2"], "A=0/0 counts no episode"),
    ],
)
def test_counts_that_are_none_are_refused(words, what, capsys):
    assert run(["compare", *words]) == 2
    assert f"{what}; give each policy once, as NAME=SUCCESSES/EPISODES" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--lower-is-better"], ["--incomplete", "drop"], ["--unit", "item"]])
@pytest.mark.parametrize("verb", ["compare", "aggregate"])
def test_what_says_how_files_are_read_means_nothing_of_counts(verb, options, capsys):
    assert run([verb, "A=17/20", "B=12/20", *options]) == 2
    assert f"{options[0]} says how a file is read, and these are counts of successes" in capsys.readouterr().err


def test_counts_of_several_policies_are_one_batch(capsys):
    assert run(["sequential", "A=3/15", "B=14/15", "--json"]) == 0
    rows = {"A": [1.0] * 3 + [0.0] * 12, "B": [1.0] * 14 + [0.0]}
    own = ro.anytime([ro.Scores.from_dict(rows, unit="episode")])
    assert json.loads(capsys.readouterr().out)["sentence"] == own.sentence


@pytest.mark.parametrize("file", ["A=1/2", "A=1/2/runs.csv"])
def test_a_file_or_folder_of_that_name_is_read(tmp_path, monkeypatch, capsys, file):
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("algorithm,score\nP,1\nP,2\nQ,4\nQ,6\n")
    assert run(["compare", "A=1/2", *(["--format", "csv"] if file == "A=1/2" else [])]) == 0
    assert "Q" in capsys.readouterr().out


def test_a_published_set_beside_files_is_sent_to_against(tmp_path, capsys):
    path = tmp_path / "own.csv"
    path.write_text("algorithm,task,score\nP,Pong,1\nP,Pong,2\n")
    assert run(["compare", str(path), "atari_100k"]) == 2
    assert f"runoff compare {path} --against atari_100k" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["compare"], pytest.param(["plan", "--effect", "0.1"], marks=pytest.mark.slow)])
def test_counts_are_no_rows_in_the_order_of_a_training(capsys, words):
    assert run([*words, "A=17/20", "B=11/20"]) == 0
    assert "R030" not in capsys.readouterr().out
