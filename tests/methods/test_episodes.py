"""Episodes of one policy are called episodes, whoever answers, and successes and failures have no shape but their rate."""

from __future__ import annotations

import re

import numpy as np
import pytest

import runoff as ro
from runoff._inference.planning.world import TrueLead, shifted_rates
from runoff.page.words.more_runs import more_runs, slider_words
from runoff.page.words.terms import terms_of
from runoff.words.nouns import OF_EPISODES, OF_RUNS
from tests.report.made import answers_of

WON = {"A": {"t": 17, "u": 12, "v": 20}, "B": {"t": 9, "u": 12, "v": 19}}
CELLS = {name: {task: [1] * k + [0] * (20 - k) for task, k in own.items()} for name, own in WON.items()}
EPISODES = ro.Scores.from_dict(CELLS, unit="episode")
QUESTIONS = {
    "next_runs": lambda data: ro.next_runs(data, budget=30),
    "describe": ro.describe,
    "robustness": ro.robustness,
    "plan": lambda data: ro.plan(data, effect=0.1, n_repeats=200),
    "plan without an effect": ro.plan,
    "compare": ro.compare,
}


@pytest.mark.parametrize(
    "question", [pytest.param(name, marks=pytest.mark.slow) if name.startswith("plan ") else name for name in QUESTIONS]
)
def test_no_answer_about_episodes_calls_them_runs(question):
    assert " runs" not in str(QUESTIONS[question](EPISODES))


def test_no_answer_about_episodes_of_other_scores_calls_them_runs():
    rng = np.random.default_rng(0)
    cells = {name: {t: rng.normal(size=20).tolist() for t in "tuvw"} for name in "AB"}
    data = ro.Scores.from_dict(cells, unit="episode", score_unit="shared")
    assert "runs" not in str(ro.describe(data)).lower()
    assert not re.search(r"\bruns?\b", str(ro.plan(ro.Scores.from_dict(cells, unit="episode"))))
    answers = answers_of(data)
    assert "these episodes cannot tell" in answers.comparison.sentence
    needs = slider_words(more_runs(answers, answers.comparison.standing))["needs"]
    assert all("episodes" in words for words in needs)


def test_terms_say_what_an_episode_is():
    terms = terms_of(OF_EPISODES)
    assert terms["run"].title == "episode"
    assert "one trained policy" in terms["run"].means
    assert terms["needed"].title == "episodes per task to decide"
    assert terms_of(OF_RUNS)["run"].means.startswith("one independent training")


def test_the_policies_are_what_is_equivalent():
    pair = ro.equivalence(EPISODES.select(tasks=["u"]), margin=0.8).pairs[0]
    assert pair.sentence.startswith("The policy of A and the policy of B are equivalent")
    assert pair.turned().sentence.startswith("The policy of B and the policy of A are equivalent")


def test_rates_are_not_judged_for_normality():
    result = ro.describe(ro.Scores.from_dict(CELLS))
    assert result.sentence == "All scores are 0 or 1, so that each cell has a success rate and no other shape."
    assert all(record.normal is None for record in result.rows)
    assert not {item.code for item in result.advice} & {"R302", "R304"}
    halves = ro.describe(ro.Scores.from_dict({"A": [0.0, 0.5, 1.0, 0.0, 1.0]}))
    assert "0 or 1" not in halves.sentence


def test_the_spread_of_rates_over_tasks_is_at_most_1():
    cells = {
        "A": {"t": [1, 1, 1, 0], "u": [1, 1, 0, 0], "v": [1, 1, 1, 1]},
        "B": {"t": [0] * 4, "u": [1] * 4, "v": [0, 0, 0, 1]},
    }
    assert ro.where(ro.Scores.from_dict(cells), "A", "B").heterogeneity.tau_high == 1.0


def test_equal_scores_do_not_say_where_more_of_them_help():
    with pytest.raises(ro.DesignError, match="spread them evenly"):
        ro.next_runs(ro.Scores.from_dict({"A": [1] * 20, "B": [1] * 20}), budget=10)


def test_a_plan_tells_the_rate_that_it_takes_from_the_one_that_was_seen():
    cell = np.array([1.0] * 9 + [0.0])
    with pytest.raises(ro.DesignError, match=r"rate of 86.4 % \(the pilot's was 90 %\)"):
        shifted_rates(np.array([9.5 / 11]), TrueLead(value=0.2, unit="raw"), [cell])


@pytest.mark.parametrize("unit", ["raw", "lift"])
def test_a_rate_of_0_or_1_is_no_effect_and_what_lies_below_is_the_mean_of_the_second(unit):
    rates = np.array([0.25, 0.75])
    for wanted in (0.0, 1.0):
        with pytest.raises(ro.DesignError, match="lies between 0 and 100 %"):
            shifted_rates(rates, TrueLead(value=(wanted - 0.5) / (0.5 if unit == "lift" else 1), unit=unit))
    near = shifted_rates(rates, TrueLead(value=0.48 / (0.5 if unit == "lift" else 1), unit=unit))
    assert near.mean() == pytest.approx(0.98)


def test_boschlos_missing_power_has_one_reason():
    data = ro.Scores.from_dict({"A": [1] * 10 + [0] * 10, "B": [1] * 10 + [0] * 10})
    reason = (
        "compare does not compute the power of Boschloo's test; plan() does, for a difference that is named (effect=)"
    )
    assert reason in ro.compare(data, test="boschloo").pairs[0].sentence


def test_curves_of_rates_on_one_task_have_a_band_where_all_runs_agree():
    rows = [("A", "t", r, s, int(s > 0)) for r in range(10) for s in (0, 1)]
    columns = ("algorithm", "task", "run", "step", "score")
    data = ro.Curves.from_frame({c: [row[k] for row in rows] for k, c in enumerate(columns)})
    first, last = ro.curves(data, by="task").rows
    wilson = ro.aggregate(data.final(), measure=["mean"]).rows[0]
    assert (last.low, last.high) == pytest.approx((wilson.low, wilson.high))
    assert (first.low, first.high) == pytest.approx((1 - wilson.high, 1 - wilson.low))
