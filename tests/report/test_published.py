"""Published runs in a report: beside one's own, with or without a verdict, cited and grey."""

from __future__ import annotations

import pytest

import runoff as ro
from runoff.page.answers.all import answer
from runoff.page.sheet.build import build
from runoff.page.words.headline import sentences
from runoff.page.words.paragraph import methods_paragraph
from runoff.plots import marks

RAW = {"unit": "raw return"}
OWN = {"ours": {"Pong": [3.0, 9.0, 6.0], "Alien": [700.0, 800.0, 650.0]}}


def answers_of(against, own=OWN, **how):
    scores = ro.Scores.from_dict(own).normalize("atari").beside(against, **how)
    return answer(scores, alpha=0.05, seed=0, n_resamples=200, command="")


@pytest.fixture(scope="module")
def untested():
    return answers_of("atari_100k:SPR,DrQ")


def test_where_nothing_may_be_tested_runs_stand_side_by_side_without_a_verdict(untested):
    first = sentences(untested)[0]
    assert first == "No verdict: ours stands beside atari_100k:DrQ and atari_100k:SPR, and no pair is tested."
    page = build(untested)
    assert "Side by side" in page
    assert "Who leads" not in page
    assert "it is not known whether these runs have the protocol" in page


def test_a_lead_among_some_is_said_to_be_of_those_tested():
    answers = answers_of(["atari_100k:SPR", "dreamerv3_atari57:muzero"], protocol=RAW)
    assert "of those tested" in answers.comparison.sentence
    assert "dreamerv3_atari57:muzero is published, and shown without a test" in " ".join(sentences(answers))


def test_published_runs_are_cited_and_their_protocol_is_in_the_methods(untested):
    methods = methods_paragraph(untested)
    assert "[agarwal2021deep]" in methods.text
    assert "unit: raw return" in methods.text
    assert methods.entries[0].startswith("@inproceedings{agarwal2021deep")
    assert "Agarwal et al. (2021). Deep Reinforcement Learning at the Edge" in build(untested)


def test_published_runs_are_grey_and_differ_in_their_marker():
    own, first, other = (
        marks(["ours", "atari_100k:SPR", "atari_100k:DrQ"])[name]
        for name in ("ours", "atari_100k:SPR", "atari_100k:DrQ")
    )
    assert first.color == other.color != own.color
    assert first.marker != other.marker
