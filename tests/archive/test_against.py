"""Published runs beside one's own: which are joined, under what names, and which may be tested."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro

RAW = {"unit": "raw return"}
MINE = {"ours": {"ALE/Pong-v5": [3.0, 9.0, 6.0], "Alien": [700.0, 800.0, 650.0], "Tetris": [1.0, 2.0, 3.0]}}


@pytest.fixture
def mine() -> ro.Scores:
    return ro.Scores.from_dict(MINE)


def test_published_runs_stand_after_ones_own_on_shared_tasks(mine):
    scores = ro.archive.joined(mine, "atari_100k:SPR,DrQ")
    assert scores.algorithms == ("ours", "atari_100k:DrQ", "atari_100k:SPR")
    assert scores.tasks == ("ALE/Pong-v5", "Alien")
    published = ro.archive.load("atari_100k", algorithms=["SPR"])
    np.testing.assert_array_equal(scores.cell("atari_100k:SPR", "ALE/Pong-v5"), published.cell("SPR", "Pong"))


def test_what_did_not_match_is_named():
    mine = ro.Scores.from_dict({"ours": {"Pong": [3.0, 4.0], "Alein": [1.0, 2.0]}})
    notes = " ".join(ro.archive.joined(mine, "atari_100k:SPR").provenance.notes)
    assert "'Alein' (Did you mean 'Alien'?)" in notes


def test_published_scores_are_normalised_as_ones_own_are(mine):
    own = mine.normalize("atari", unreferenced="drop")
    scores = ro.archive.joined(own, "atari_100k:SPR")
    published = ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Alien"]).normalize("atari")
    np.testing.assert_array_equal(scores.cell("atari_100k:SPR", "Alien"), published.cell("SPR", "Alien"))


def test_pairs_of_published_algorithms_are_not_tested(mine):
    result = ro.compare(mine, against="atari_100k:SPR,DrQ", protocol=RAW)
    assert [(pair.a, pair.b) for pair in result.pairs] == [("ours", "atari_100k:DrQ"), ("ours", "atari_100k:SPR")]


def test_an_assumed_protocol_stands_in_every_sentence_and_in_the_first_note(mine):
    result = ro.compare(mine, against="atari_100k:SPR,DrQ", assume_same_protocol=True)
    assert all("(protocol assumed)" in pair.sentence for pair in result.pairs)
    assert "(protocol assumed)" in result.sentence
    joined = ro.archive.joined(mine, "atari_100k:SPR", assume_same_protocol=True)
    assert "assumed" in joined.provenance.notes[0]


def test_the_same_protocol_is_tested_and_nothing_is_assumed(mine):
    pair = ro.compare(mine, against="atari_100k:SPR", protocol=RAW, assume_same_protocol=True).pairs[0]
    assert pair.b == "atari_100k:SPR"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({}, r"not known whether .*\(unit=raw return\).*assume_same_protocol=True"),
        ({"protocol": {"unit": "HNS"}}, "another protocol .unit: HNS here, raw return there"),
        ({"protocol": {"unit": "HNS"}, "assume_same_protocol": True}, "another protocol"),
    ],
)
def test_another_or_an_unknown_protocol_is_shown_and_not_tested(mine, how, words):
    with pytest.raises(ro.DesignError, match=words):
        ro.compare(mine, against="atari_100k:SPR", **how)
    shown = ro.aggregate(ro.archive.joined(mine, "atari_100k:SPR", **how))
    assert {record.algorithm for record in shown.records} == {"ours", "atari_100k:SPR"}


@pytest.mark.parametrize(("factor", "tested"), [(1.0, True), (2.0, False)])
def test_numbers_of_a_protocol_are_equal_however_they_are_written(factor, tested):
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [1000.0, 1500.0]}})
    budget = factor * float(ro.archive.info("simbav2").protocol("sac")["budget"])
    joined = ro.archive.joined(mine, "simbav2:sac", protocol={"budget": f"{budget:e}"}, assume_same_protocol=True)
    assert [why == "" for _, why in joined.provenance.published] == [tested]


def test_algorithms_of_several_protocols_are_not_all_assumed_to_be_alike():
    mine = ro.Scores.from_dict({"ours": {"cheetah-run": [100.0, 150.0]}})
    with pytest.raises(ro.DesignError, match=r"several protocols \(.*observations"):
        ro.compare(mine, against="primacy_dmc:DRQ,SAC RR1", assume_same_protocol=True)


def test_a_copy_of_published_runs_is_not_compared_with_them():
    runs = ro.archive.load("atari_100k", algorithms=["SPR"], tasks=["Pong", "Alien"])
    copy = ro.Scores.from_dict({"ours": {task: runs.cell("SPR", task)[:20] for task in runs.tasks}})
    with pytest.raises(ro.DesignError, match="to the last digit"):
        ro.compare(copy, against="atari_100k:SPR", protocol=RAW)


@pytest.mark.parametrize(
    ("against", "kind", "words"),
    [
        ("atari100k", ro.OptionError, "Did you mean 'atari_100k'"),
        ("atari_100k:SRP", ro.OptionError, "Did you mean 'SPR'"),
        ("brax_tuning", ro.DesignError, "a sweep"),
        ("simbav2", ro.DesignError, "none of these tasks"),
        ("primacy_atari100k", ro.DataError, "normalised by the source"),
        (["atari_100k:SPR", "atari_100k:SPR"], ro.DesignError, "the same runs"),
    ],
)
def test_what_cannot_stand_beside_these_runs_is_refused(mine, against, kind, words):
    with pytest.raises(kind, match=words):
        ro.archive.joined(mine, against)


def test_runs_of_two_sets_are_never_counted_twice():
    mine = ro.Scores.from_dict({"ours": {"dog-run": [100.0, 150.0]}})
    with pytest.raises(ro.DesignError, match="in part the same runs"):
        ro.archive.joined(mine, ["simba:sac", "simbav2:sac"])


def test_another_version_is_told():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v5": [1000.0, 1500.0]}})
    with pytest.raises(ro.DesignError, match="has 'Hopper-v4', another version"):
        ro.archive.joined(mine, "simbav2:sac")


def test_normalised_scores_beside_raw_ones_are_refused_unless_they_are_raw():
    mine = ro.Scores.from_dict({"ours": {"Hopper-v4": [0.9, 1.1], "Ant-v4": [0.5, 0.7]}})
    with pytest.raises(ro.DataError, match="look normalised already"):
        ro.archive.joined(mine, "simbav2:sac")
    assert ro.archive.joined(mine, "simbav2:sac", check_units=False).n_algorithms == 2


def test_single_runs_are_shown_and_never_tested():
    mine = ro.Scores.from_dict({"ours": {"CartPole-v1": [400.0, 500.0]}})
    with pytest.raises(ro.DesignError, match="never an opponent"):
        ro.compare(mine, against="sb3_zoo_agents:PPO", assume_same_protocol=True)


def test_scores_of_shared_runs_cannot_stand_beside_published_ones():
    mine = ro.Scores.from_dict({"ours": {"Pong": [1.0, 2.0], "Alien": [1.0, 2.0]}}, runs="shared")
    with pytest.raises(ro.DesignError, match="each of one task"):
        ro.archive.joined(mine, "atari_100k:SPR")


def test_costs_are_not_compared_with_published_scores(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("algorithm,task,run,score\nours,Pong,0,3\nours,Pong,1,4\n")
    with pytest.raises(ro.DataError, match="lower was better"):
        ro.archive.joined(ro.read_scores(path, higher_is_better=False), "atari_100k:SPR")
