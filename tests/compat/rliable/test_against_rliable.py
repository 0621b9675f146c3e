"""What rliable itself computed: points to 1e-12, ends of 50,000 resamples within four standard errors, and the numbers on the guide's page."""

from __future__ import annotations

import json
import re
from functools import cache

import numpy as np
import pytest
from scipy import stats

from runoff.base.random import streams
from runoff.compat.rliable import library as rly
from runoff.compat.rliable import metrics
from runoff.compat.rliable._bootstrap import METHODS, bootstrapped
from tests.places import DOCS, GOLDEN

*CASES, DIFFER = json.loads((GOLDEN / "rliable.json").read_text(encoding="utf-8"))["cases"]
THRESHOLDS = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0]
SLACK = 1e-9
"""Golden ends have ten digits."""


def four(x):
    return np.array(
        [
            metrics.aggregate_median(x),
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )


FUNCTIONS = {
    "four": four,
    "iqm_of_steps": lambda x: np.array([metrics.aggregate_iqm(x[..., step]) for step in range(x.shape[-1])]),
    "trimmed_columns": lambda x: stats.trim_mean(x, proportiontocut=0.25, axis=0),
    "spread": np.std,
    "improvement": metrics.probability_of_improvement,
    "profile": lambda x: rly.score_distributions(x, THRESHOLDS),
    "average_profile": lambda x: rly.average_score_distributions(x, THRESHOLDS),
}
FAST = {"r3x4_t2_unequal_runs: improvement", "r5_t5: profile", "r20_t6: profile"}
"""Cases of `make test`; the functions of the others are called 50,000 times."""
EVERY = [
    pytest.param(case, method, id=f"{case['name']}: {method}", marks=[] if case["name"] in FAST else [pytest.mark.slow])
    for case in CASES
    for method in case["drawn"]["between"]
]


@cache
def law_of(number):
    """What the function of a case gives of its arrays and of their resamples, for every method."""
    case = CASES[number]
    arrays, reps = [np.array(array) for array in case["arrays"]], case["drawn"]["reps"]
    function = FUNCTIONS[case["function"]]
    return bootstrapped(function, arrays, reps, drawn_by=streams(0), over_tasks=case["task_bootstrap"])


def estimated(case, method):
    """Points and ends of the drop-in."""
    if case["function"] == "profile" and method != "bc":
        profiles, bands = rly.create_performance_profile({"A": np.array(case["arrays"][0])}, THRESHOLDS, method=method)
        return profiles["A"], bands["A"]
    law = law_of(CASES.index(case))
    return law.estimate, np.vstack(METHODS[method](law, (0.025, 0.975)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("case", "method"), EVERY)
def test_points_and_ends_are_rliables(case, method):
    points, ends = estimated(case, method)
    np.testing.assert_allclose(points, np.atleast_1d(case["point"]), rtol=1e-12, atol=1e-12)
    lowest, highest = np.moveaxis(np.array(case["drawn"]["between"][method]), -1, 0)
    assert ends.shape == lowest.shape
    assert (ends >= lowest - SLACK).all()
    assert (ends <= highest + SLACK).all()


def test_the_brackets_are_narrow_enough_to_tell():
    widths = [np.ptp(np.array(c["drawn"]["between"]["percentile"]), axis=-1) for c in CASES if c["function"] == "four"]
    spans = [
        np.diff(np.array(c["drawn"]["between"]["percentile"]).mean(axis=-1), axis=0)
        for c in CASES
        if c["function"] == "four"
    ]
    assert max(float((w / s).mean()) for w, s in zip(widths, spans, strict=True)) < 0.08


def test_the_page_for_those_who_come_from_rliable_has_rliables_numbers():
    page = (DOCS / "evidence" / "rliable.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^rliable, ([^:\n]+): (.+)$", page, re.MULTILINE))
    assert shown.keys() == DIFFER["drawn"].keys()
    for name, text in shown.items():
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", text)]
        np.testing.assert_allclose(numbers, np.ravel(DIFFER["drawn"][name]), atol=0.0005 + 1e-9)
