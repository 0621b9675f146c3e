"""What `print` and `repr` say of answers: sentences with names and numbers as a reader knows them, and one short line."""

from __future__ import annotations

import re
from typing import get_args

import numpy as np
import pytest

import runoff as ro
from runoff._inference.bootstrap import METRICS
from runoff._inference.family import CORRECTIONS
from runoff.words import names as _spoken
from runoff.words.names import BlockedTestName, PairTestName, TwoSampleTestName


def sample_scores():
    """Runs of three algorithms on two tasks."""
    draw = np.random.default_rng(0)
    data = {name: draw.normal(size=(5, 2)) for name in "ABC"}
    return ro.Scores.from_dict(data, score_unit="shared")


ANSWERS = {
    "aggregate": lambda s: ro.aggregate(s),
    "task_means": lambda s: ro.aggregate(s, by="task"),
    "compare": lambda s: ro.compare(s),
    "improvement": lambda s: ro.probability_of_improvement(s),
    "profile": lambda s: ro.performance_profile(s),
    "effects": lambda s: ro.effect_sizes(s),
    "rank_test": lambda s: ro.rank_test(s),
    "critical_difference": lambda s: ro.critical_difference(s),
    "rank_intervals": lambda s: ro.rank_intervals(s),
    "robustness": lambda s: ro.robustness(s),
    "inferential": lambda s: ro.inferential_intervals(s),
    "describe": lambda s: ro.describe(s),
    "variance": lambda s: ro.variance(s),
    "two_sample": lambda s: ro.two_sample_test(s.cell("A", 0), s.cell("B", 0)),
    "power": lambda s: ro.power(effect=1.0, std=1.0, n_runs=5),
    "next_runs": lambda s: ro.next_runs(s, budget=5),
}
every_answer = pytest.mark.parametrize("name", ANSWERS)


@pytest.fixture(scope="module")
def answers():
    scores = sample_scores()
    return {name: ask(scores) for name, ask in ANSWERS.items()}


@every_answer
def test_the_repr_of_an_answer_is_one_short_line(name, answers):
    assert len(repr(answers[name])) < 120
    assert "\n" not in repr(answers[name])


@every_answer
def test_what_is_printed_uses_words_for_codes_and_true_minus_signs(name, answers):
    text = re.sub(r"result\.\w+", "", str(answers[name]))
    assert not re.search(r"[a-z]_[a-z]|\(s\)|alpha|\biqm\b|\bholm\b|monte_carlo", text)
    assert not re.search(r"(?<![\w.])-\d", text)


@every_answer
def test_a_printed_p_value_has_three_decimals_or_a_bound(name, answers):
    assert [
        p for p in re.findall(r"\bp [=<] ([\d.]+\d)", str(answers[name])) if not re.fullmatch(r"\d\.\d{3,4}", p)
    ] == []


def test_every_test_metric_and_correction_has_its_name_for_readers():
    tests = {*get_args(TwoSampleTestName), *get_args(BlockedTestName), *get_args(PairTestName)} - {"auto"}
    assert tests - set(_spoken.TESTS) == set()
    assert ({*METRICS, "improvement", "hodges_lehmann"}, set(CORRECTIONS)) == (
        set(_spoken.METRICS),
        set(_spoken.CORRECTIONS),
    )


COSTS = {"algorithm": ["new", "old"] * 4, "cost": [1.0, 9.0, 1.5, 8.0, 1.2, 9.5, 1.1, 8.8]}


def test_a_sentence_on_costs_says_that_they_are_negated_unless_a_scale_turns_them():
    costs = ro.load({**COSTS, "task": ["t"] * 8}, score="cost", lower_is_better=True)
    result = ro.compare(costs)
    sentences = [result.sentence, result[0].sentence, result["old", "new"].sentence, str(result)]
    assert all("Scores are negated costs" in sentence for sentence in sentences)
    assert "costs and were negated" in " ".join(str(ro.rank(costs)).split())
    scaled = ro.compare(costs.normalize({"t": (10.0, 1.0)}))
    assert scaled.leader == "new"
    assert "negated costs" not in scaled.sentence + scaled[0].sentence
    as_scores = ro.compare(ro.load({**COSTS, "task": ["t"] * 8}, score="cost", lower_is_better=False))
    assert "negated" not in str(as_scores)


def test_print_says_which_score_of_a_curve_counts_and_nothing_of_a_value_as_it_is():
    curves = ro.load_example("classic_control").select(algorithms=["ARS", "CEM"])
    assert "the mean of the last 3 evaluations" in " ".join(str(ro.compare(curves.final(last=3))).split())
    assert "score of a run" not in str(ro.compare({"A": [1.0, 2.0, 3.0], "B": [2.0, 3.5, 5.0]}))
