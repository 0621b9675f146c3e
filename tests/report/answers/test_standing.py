"""Who leads: one verdict, that of the pairs, seen from the leader."""

from __future__ import annotations

from dataclasses import replace

import pytest

import runoff as ro
from runoff.answer.base import Advice
from runoff.page.answers.all import leaders_first, standing_of
from runoff.page.tables import best_of, bold_words
from tests.report.made import answers, answers_of

NONE = "no_difference_found"


def with_verdicts(*verdicts):
    """PPO – A2C, PPO – SAC, A2C – SAC; by the first metric SAC is best, then A2C."""
    results = answers()
    margins = [0.5 if v == "equivalent" else None for v in verdicts]
    rows = zip(results.comparison.pairs, verdicts, margins, strict=True)
    pairs = tuple(replace(p, verdict=v, margin=margin) for p, v, margin in rows)
    return replace(results, comparison=replace(results.comparison, pairs=pairs))


@pytest.mark.parametrize(
    ("verdicts", "leader", "places"),
    [
        ((NONE, NONE, NONE), "SAC", {"A2C": "no difference found", "PPO": "no difference found"}),
        (("b_better", "b_better", NONE), "SAC", {"A2C": "no difference found", "PPO": "behind"}),
        (("b_better", "b_better", "b_better"), "SAC", {"A2C": "behind", "PPO": "behind"}),
        ((NONE, NONE, "a_better"), "A2C", {"SAC": "behind", "PPO": "no difference found"}),
        ((NONE, NONE, "equivalent"), "SAC", {"A2C": "equivalent", "PPO": "no difference found"}),
        (("b_better", "a_better", "b_better"), "SAC", {"A2C": "behind", "PPO": "ahead"}),
    ],
)
def test_the_leader_is_the_best_of_those_that_no_test_finds_worse(verdicts, leader, places):
    standing = standing_of(with_verdicts(*verdicts))
    assert standing.leader == leader
    assert {name: place for name, place in standing.places.items() if name != leader} == places
    assert standing.best == {leader, *(name for name, place in places.items() if place != "behind")}


def about(code, *subjects, severity="caution"):
    return Advice(code=code, severity=severity, text="x", source="s", subjects=subjects)


def test_of_one_code_what_concerns_the_leader_and_its_rivals_stands_first():
    standing = standing_of(with_verdicts("b_better", "b_better", NONE))
    assert standing.leading == ("SAC", "A2C", "PPO")
    advice = [about("R1", *names) for names in (("SAC",), ("SAC", "PPO"), ("PPO", "A2C"), ("A2C", "SAC"), ())]
    graver = about("R2", "PPO", severity="warning")
    assert leaders_first([about("R1", "PPO"), *advice, graver], standing) == (
        graver,
        about("R1"),
        about("R1", "A2C", "SAC"),
        about("R1", "SAC", "PPO"),
        about("R1", "SAC"),
        about("R1", "PPO", "A2C"),
        about("R1", "PPO"),
    )


def test_pairs_have_the_better_one_first_and_stand_in_the_order():
    standing = standing_of(with_verdicts("a_better", NONE, "b_better"))
    assert [(pair.a, pair.b) for pair in standing.pairs] == [("SAC", "A2C"), ("SAC", "PPO"), ("PPO", "A2C")]


def test_a_pair_that_is_turned_says_the_same_from_the_other_side():
    pair = answers().comparison.pairs[1]
    other = pair.turned()
    assert (other.a, other.difference, other.improvement) == (pair.b, -pair.difference, 1 - pair.improvement)
    assert (other.difference_low, other.difference_high) == (-pair.difference_high, -pair.difference_low)
    assert (other.wins, other.losses) == (pair.losses, pair.wins)
    assert other.turned().verdict == pair.verdict
    assert other.turned().improvement == pytest.approx(pair.improvement)


def test_an_algorithm_without_runs_of_a_task_is_not_in_bold_whatever_its_value():
    cells = {a: {t: [lead + r for r in range(4)] for t in ("x", "y")} for a, lead in (("A", 9.0), ("B", 5.0))}
    given = answers_of(ro.Scores.from_dict({**cells, "C": {"x": [20.0, 21.0, 22.0, 23.0]}}, score_unit="shared"))
    assert "C" in standing_of(given).best
    assert "C" not in best_of(given)


def test_what_bold_means_is_said_of_algorithms_with_all_tasks_where_another_would_be_in_bold():
    cells = {a: {t: [lead + r for r in range(4)] for t in ("x", "y")} for a, lead in (("A", 9.0), ("B", 5.0))}
    of_all = "the best mean of algorithms with all tasks that no test of pairs"
    for more, words in (({"C": {"x": [10.0, 11.0, 12.0, 13.0]}}, of_all), ({}, "the best mean that no test of pairs")):
        given = answers_of(ro.Scores.from_dict({**cells, **more}, score_unit="shared"))
        assert best_of(given) == {"A"}
        assert f"Bold: {words}" in bold_words(given, best_of(given))
