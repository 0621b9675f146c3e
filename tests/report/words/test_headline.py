"""The answer in sentences: who leads, over whom, how sure, the caution that concerns the leaders, what next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.base import Advice
from runoff.page.answers.all import standing_of
from runoff.page.words.headline import headline, sentences
from runoff.words.numbers import chances
from tests.report.answers.test_standing import NONE, with_verdicts
from tests.report.made import answers_of, by_chance, scores


def headline_of(results):
    return headline(results, standing_of(results))


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ((NONE, NONE, NONE), "SAC has the highest mean, but these runs cannot tell it from A2C and PPO."),
        (("b_better", "b_better", NONE), "SAC has the highest mean, but these runs cannot tell it from A2C."),
        (
            ("b_better", "b_better", "b_better"),
            "SAC has the highest mean of 3, 0.75 above A2C [0.16, 1.36], the nearest, over 2 tasks.",
        ),
        ((NONE, "equivalent", "equivalent"), "SAC, A2C and PPO are equivalent by the mean, within a margin of 0.5."),
        (
            ("b_better", "a_better", "b_better"),
            "Nobody leads: SAC beats A2C, A2C beats PPO and PPO beats SAC. SAC has the highest mean.",
        ),
    ],
)
def test_the_headline_is_the_answer(verdicts, words):
    assert headline_of(with_verdicts(*verdicts)).answer == words


def test_a_clear_lead_says_how_often_a_run_wins_and_nothing_more():
    lead = headline_of(with_verdicts("b_better", "b_better", NONE))
    assert lead.beaten.startswith("It was found above PPO: 1.08 above PPO [")
    assert ", and a run of it beats one of PPO " in lead.beaten
    assert "of the time" in lead.beaten


def test_how_sure_is_said_of_all_pairs():
    words = "Over all 3 pairs, the chance of even one false positive is about 5\u00a0% at most"
    assert words in headline_of(with_verdicts(NONE, NONE, NONE)).sure


def test_the_caution_is_about_the_leaders():
    of_last = Advice(
        code="R1", severity="warning", text="'PPO' is odd. x", source="s", subjects=("PPO",)
    )  # A2C is the nearest rival
    of_first = Advice(code="R2", severity="caution", text="'SAC' is odd. x", source="s", subjects=("SAC",))
    results = with_verdicts("b_better", "b_better", "b_better")
    comparison = replace(
        results.comparison,
        advice=(of_last, of_first),
        pairs=tuple(replace(p, advice=()) for p in results.comparison.pairs),
    )
    results = replace(results, comparison=comparison)
    results = replace(
        results, aggregates=replace(results.aggregates, advice=()), task_means=replace(results.task_means, advice=())
    )
    assert headline_of(results).caution == "R2: 'SAC' is odd."


def test_a_leader_that_the_first_clause_leaves_out_is_named_after_it():
    many = Advice(
        code="R1", severity="warning", text="'PPO' and 2 more are odd. x", source="s", subjects=("PPO", "SAC")
    )
    results = with_verdicts("b_better", "b_better", "b_better")
    results = replace(results, comparison=replace(results.comparison, advice=(many,)))
    assert headline_of(results).caution == "R1: 'PPO' and 2 more are odd (this concerns SAC too)."


def test_one_pair_is_told_without_a_family():
    results = answers_of(scores(("A", "B")))
    assert "Where two algorithms are alike, this test finds a difference in about 5" in headline_of(results).sure
    assert all(sentences(results))


def test_a_chance_that_points_the_other_way_is_named_before_others():
    rng = np.random.default_rng(0)
    low, steady = rng.normal(1, 0.1, 20), rng.normal(2, 0.1, 20)
    rare = np.where(np.arange(20) < 8, 60.0, 0.0) + rng.normal(0, 0.1, 20)
    results = answers_of(ro.Scores.from_dict({"Low": low, "Rare": rare, "Steady": steady}))
    assert headline_of(results).beaten.startswith("Yet a run of it beats one of Steady only 40\N{NO-BREAK SPACE}%")


def test_equal_estimates_lead_nothing():
    cell = {"x": [1.0, 2.0, 3.0, 4.5], "y": [2.0, 3.5, 5.0, 5.5]}
    assert headline_of(answers_of(ro.Scores.from_dict({"A": cell, "B": cell}))).answer == (
        "In these runs A and B have the same chance to beat a run of the other; no difference was found, which does not make them equal."
    )
    own = {task: np.array(runs) / 10 for task, runs in cell.items()}
    answer = headline_of(answers_of(ro.Scores.from_dict({"A": own, "B": own}))).answer
    assert answer.startswith("In these runs A and B have the same mean; no difference was found")


def rates_of(*won, of):
    """Successes of A and B on tasks of so many episodes each."""
    tasks = [f"t{i}" for i in range(len(won[0]))]
    cells = [{t: [1] * k + [0] * (of - k) for t, k in zip(tasks, own, strict=True)} for own in won]
    return ro.Scores.from_dict(dict(zip("AB", cells, strict=True)))


def test_equal_rates_are_no_claim_of_equality():
    answer = headline_of(answers_of(rates_of([10], [10], of=20))).answer
    assert answer == (
        "In these runs A and B have the same success rate; no difference was found, which does not make them equal."
    )


def test_no_error_rate_is_promised_where_a_caution_takes_it_back():
    few = answers_of(rates_of([2, 2], [0, 1], of=2))
    rng = np.random.default_rng(0)
    groups = np.concatenate([rng.normal(0, 0.1, 5), rng.normal(9, 0.1, 5)])
    split = answers_of(ro.Scores.from_dict({"A": groups, "B": groups + rng.normal(0, 0.1, 10)}))
    for answers, code in ((few, "R001"), (split, "R303")):
        assert code in {item.code for item in answers.reservations}
        assert headline_of(answers).sure == ""


@pytest.mark.parametrize("second", [[65.4, 57.2], [5.0, 5.1]])
def test_that_ranks_could_not_differ_is_no_warning_on_a_verdict_whose_own_test_can_find_a_difference(second):
    answers = answers_of(ro.Scores.from_dict({"ours": [63.2, 65.8], "baseline": second}))
    assert (answers.comparison.pairs[0].winner == "ours") == (second[0] < 50)
    assert "R016" in {item.code for item in answers.ranking.advice}
    (of_ranks,) = [item for item in answers.advice if item.code == "R016"]
    assert of_ranks.severity == "info"
    lead = "leave out the test of average ranks, which decides no pair: the Mack-Skillings test cannot find"
    assert of_ranks.text.startswith(lead)


def test_tasks_in_units_of_their_own_are_answered_by_chances():
    results = by_chance()
    headline, pair = headline_of(results), standing_of(results).beside("A2C")
    assert pair.verdict == "a_better"
    nearest = "A2C, the nearest of 2 others,"
    assert (
        headline.answer
        == f"A run of SAC beats a run of {nearest} {chances(pair.estimate, pair.low, pair.high)} of the time, over 2 tasks."
    )
    assert pair.low > 0.5


def test_ties_are_said_to_count_half():
    scores = ro.Scores.from_dict({"A": {"x": [5.0, 6.0, 7.0, 8.0, 9.0]}, "B": {"x": [0.0, 1.0, 2.0, 3.0, 5.0]}})
    assert "ties counting half" in headline_of(answers_of(scores)).beaten
