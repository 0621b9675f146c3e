"""What someone who had not seen the code read on the answers and could not believe, each mended at its cause."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro


def successes(n_runs=20, n_tasks=6):
    rng = np.random.default_rng(5)
    return {name: (rng.random((n_runs, n_tasks)) < rate) * 1.0 for name, rate in (("A", 0.55), ("B", 0.45))}


def test_a_thousand_items_that_differ_are_not_called_level():
    rng = np.random.default_rng(1)
    sentence = ro.compare({name: rng.random((1, 1076)) for name in "AB"}, over="tasks").pairs[0].sentence
    assert "level on every task" not in sentence
    assert "The detectable difference of" in sentence


@pytest.mark.parametrize("measure", ["iqm", "median", "trimmed_mean_10", "optimality_gap"])
def test_the_power_of_a_measure_of_successes_is_of_its_own_error(measure):
    pair = ro.compare(successes(), measure=measure).pairs[0]
    half = (pair.own_high - pair.own_low) / 2
    # 80 % power at α = .05 takes 2.8 standard errors, and 1.96 of them are half the interval, nearly.
    assert pair.detectable_difference / half == pytest.approx(2.8 / 1.96, rel=0.03)


def test_published_values_are_no_comparisons_of_inferential_intervals():
    scores = {"A": [1.0, 2, 3, 4, 5], "B": [3.6, 4.7, 5.5, 6.8, 7.4], "C": [2.5], "D": [3.0]}
    assert [pair.winner for pair in ro.compare(scores).pairs] == ["B"]
    assert [reading.rejected for reading in ro.inferential_intervals(scores).pairs] == [True]


def test_algorithms_with_one_value_have_the_lead_together_in_any_order():
    scores = {"A": [1.0, 0, 1, 0, 1], "B": [0.0, 1, 1, 1, 0], "C": [0.0, 0, 0, 1, 0]}
    sentences = {ro.compare(dict(items)).sentence for items in (scores.items(), reversed(scores.items()))}
    assert sentences == {"A and B have the highest success rate, but these runs cannot tell them from C."}


def test_no_power_is_promised_of_the_bootstrap_test():
    pair = ro.compare({"A": [5.5, 8.5, 8.5], "B": [1.5, 1.0, 1.0]}, test="bootstrap").pairs[0]
    assert pair.detectable_difference is None
    assert "is not known" in pair.sentence


def test_the_tasks_of_an_open_lead_are_those_against_the_rival_that_the_headline_names():
    rng = np.random.default_rng(3)
    scores = {name: rng.normal(mean, 1.0, (5, 6)) for name, mean in (("A", 3.0), ("B", 0.0), ("D", 2.9))}
    result = ro.compare(ro.Scores.from_dict(scores), measure="mean")
    assert result.real.holds is None
    assert f"higher than that of {result.standing.own[0].b} on" in result.across_tasks.sentence


def test_spreads_do_not_speak_against_the_law_of_the_improvement():
    rng = np.random.default_rng(0)
    scores = {name: {f"t{t}": rng.normal(0, s, 12) for t in range(3)} for name, s in (("A", 1.0), ("B", 20.0))}
    codes = [
        {advice.code for advice in ro.compare(scores, measure="improvement", **how).pairs[0].advice}
        for how in ({}, {"test": "mack_skillings"})
    ]
    assert ["R005" in listed for listed in codes] == [False, True]


def test_a_measure_that_has_no_value_of_one_algorithm_is_named_as_the_reason():
    with pytest.raises(ro.DesignError, match=r"the chance to beat others is of pairs.*name another measure"):
        ro.inferential_intervals({"A": [1.0, 2, 3], "B": [2.0, 4, 5]}, measure="improvement")


@pytest.mark.filterwarnings("ignore::runoff.RunoffWarning")
def test_pairs_on_other_tasks_and_rank_tests_of_single_runs_have_holms_correction_everywhere():
    rng = np.random.default_rng(1)
    cells = {name: {f"t{t}": rng.random(1 if (name, t) == ("C", 0) else 3) for t in range(6)} for name in "ABC"}
    results = [ro.compare(cells), ro.inferential_intervals(cells)]
    single = {name: {task: runs[:1] for task, runs in row.items()} for name, row in cells.items()}
    results.append(ro.compare(single, test="mack_skillings"))
    assert {result.correction for result in results} == {"holm"}


def test_a_published_value_that_is_higher_is_not_denied_by_the_headline():
    scores = {"A": [0.1, 0.2, 0.3, 0.2], "B": [0.6, 0.5, 0.7, 0.6], "C": [0.9]}
    assert ro.compare(scores).sentence.startswith("B has the higher mean of those tested, 0.40 above A")
