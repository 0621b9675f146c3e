"""The first words of advice say what to do, in the words of whoever is spoken to."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from runoff._inference import advice as rules
from runoff._inference.advice import algorithm
from runoff._inference.advice import pair as both_of

BOTH, ONE = both_of("A", "B"), algorithm("A")
SCORES = ro.Scores.from_dict(
    {name: np.random.default_rng(i).normal(size=(6, 2)) * [1, 50] for i, name in enumerate("AB")}
)


@pytest.mark.parametrize(
    ("advice", "text"),
    [
        (
            rules.few_runs([3, 3], BOTH),
            "add runs: the pair 'A' and 'B' has 3 in its smallest cell, from which only",
        ),
        (rules.one_run(["Pong"], ONE), "add runs: algorithm 'A' has a single run on 'Pong', where the spread"),
        (rules.one_run(["Pong"], ONE, published=True), "algorithm 'A' has a single run on 'Pong', where the spread"),
        (
            rules.multiple([0.04, 0.03, 0.5], [0.09, 0.09, 0.5], "none", 0.05),
            "use correction='holm', by which 2 of 3 pairs would not differ: without correction the chance",
        ),
        (
            rules.multiple([0.04, 0.001, 0.5], [0.08, 0.003, 0.5], "holm", 0.05),
            "name a control, compare(control='NAME'), if one new algorithm was the question from the start: 1 of 3 pairs",
        ),
        (
            rules.one_task(1, "tasks", ONE),
            "use over='runs': no interval over tasks is given for algorithm 'A', because",
        ),
        (rules.narrow_band(3), "take band='wilson': percentile bands of a profile from 3 runs per task"),
        (rules.omnibus_disagrees(0.2, 0.05, 1), "treat the pair that differs as exploratory: the test of all"),
        (rules.omnibus_disagrees(0.2, 0.05, 2), "treat the 2 pairs that differ as exploratory: the test of all"),
        (
            rules.in_groups({("A", "Pong"): (4, 8)}, 1),
            "report the share of each group: the runs of 'A' on 'Pong' (4 low, 8 high) fall into",
        ),
        (rules.risks_described(5), "read the three risks as descriptions of these runs: they rest on rare falls"),
        (rules.one_task_curves(1, 5, "pointwise"), "add tasks or runs, or read the pointwise intervals as too narrow"),
    ],
)
def test_a_text_begins_with_what_to_do(advice, text):
    assert advice.text.startswith(text)
    assert advice.text.endswith(".")
