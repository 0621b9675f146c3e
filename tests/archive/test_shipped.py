"""Runs that come with runoff are data by their name, in Python as on the command line."""

from __future__ import annotations

import json

import pytest

import runoff as ro
from runoff.archive.shipped import shipped
from runoff.cli.app import run
from runoff.errors import DataError, DesignError, OptionError

PART = {"algorithms": ["SPR"], "tasks": ["Pong"]}


def test_the_name_of_a_set_is_its_end_scores():
    assert ro.load("atari_100k").to_frame().equals(ro.archive.load("atari_100k").to_frame())


def test_what_is_kept_stands_beside_the_name():
    own, loaded = ro.aggregate("atari_100k", by="task", **PART), ro.archive.load("atari_100k", **PART)
    assert own.rows == ro.aggregate(loaded, by="task").rows


def test_curves_are_those_of_the_set_and_their_last_scores_count_where_that_is_asked_for():
    curves = ro.archive.load("simba", curves=True)
    kept = {"algorithms": [*curves.algorithms][:1], "tasks": [*curves.tasks][:2]}
    assert ro.curves("simba", **kept).rows == ro.curves(curves.select(**kept)).rows
    assert (
        ro.aggregate("simba", last=3, by="task", **kept).rows
        == ro.aggregate(curves.select(**kept).final(last=3), by="task").rows
    )


def test_the_example_is_compared_by_its_name_as_the_command_line_does(capsys):
    assert run(["compare", "classic_control", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sentence"] == ro.compare("classic_control").sentence


def test_known_problems_are_those_of_the_algorithms_and_of_runs_that_bear_no_name_of_one():
    for name in [of.name for of in ro.archive.list()]:
        source = ro.archive.info(name)
        part, *others = source.algorithms
        of_others = [
            note
            for note in source.notes()
            if any(f" of {a} left out" in note or f" of {a} for several" in note for a in others)
        ]
        assert source.notes([part]) == tuple(note for note in source.notes() if note not in of_others)


def test_a_file_of_that_name_goes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atari_100k").write_text("algorithm,task,run,score\nA,x,0,1\nA,x,1,2\n")
    assert ro.load("atari_100k").algorithms == ("A",)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ro.compare("atari_10k"), DataError, "there is no such file"),
        (lambda: ro.compare("atari_100k", score="return"), OptionError, "which is read as it is"),
        (lambda: ro.curves("atari_100k"), DesignError, "has end scores and no learning curves"),
    ],
)
def test_what_a_set_cannot_be_is_said(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("words", "n_rows", "columns"),
    [
        (["atari_100k", "--algorithms", "SPR", "--tasks", "Pong"], 100, {"algorithm", "task", "run", "score"}),
        (["classic_control", "--last", "3", "--tasks", "Acrobot-v1"], 350, {"algorithm", "task", "run", "score"}),
    ],
)
def test_convert_writes_what_is_chosen(tmp_path, words, n_rows, columns):
    assert run(["convert", *words, "-o", str(tmp_path / "out.csv")]) == 0
    frame = ro.load(str(tmp_path / "out.csv")).to_frame()
    assert (frame.height, {*frame.columns}) == (n_rows, columns)


@pytest.mark.parametrize(("name", "kind"), [("alm", ro.Curves), ("atari_100k", ro.Scores)])
def test_all_that_a_set_has_is_its_curves_or_its_end_scores(name, kind):
    assert isinstance(shipped(name, curves=None), kind)
    assert isinstance(shipped(name, curves=False), ro.Scores)


def test_the_list_of_sets_is_of_those_with_the_algorithms_and_tasks_that_are_named():
    for named in (
        {"tasks": "ALE/Pong-v5", "algorithms": ["spr", "DrQ"]},
        {"tasks": ["Pong", "Hero"], "algorithms": "SPR"},
    ):
        (card,) = [card for card in ro.archive.list(**named) if card.name == "atari_100k"]
        assert {"SPR", "DrQ"} <= {*card.algorithms}
        assert all("Pong" in card.tasks for card in ro.archive.list(**named))
    with pytest.warns(ro.RunoffWarning, match="reads task='Pong' as tasks='Pong'"):
        assert ro.archive.list(task="Pong") == ro.archive.list(tasks="Pong")
    with pytest.raises(ro.OptionError, match=r"no set of the archive has Pongg\. Did you mean 'Pong'"):
        ro.archive.list(tasks="Pongg")
