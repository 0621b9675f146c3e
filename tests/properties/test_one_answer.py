"""One answer: whichever verb or page is asked about the same runs, at the same level and by the same measure."""

from __future__ import annotations

import numpy as np
import pytest

import runoff as ro
from tests.properties.test_one_law import samples_of_tasks

sizes = pytest.mark.parametrize("n", [20, pytest.param(200, marks=pytest.mark.slow)])


@sizes
@pytest.mark.parametrize("measure", ["auto", "mean", "improvement"])
def test_whether_a_lead_holds_across_tasks_is_what_tasks_as_the_sample_say(measure, n):
    for seed, scores, _ in samples_of_tasks(n):
        runs = () if scores.of_items else ro.compare(scores, measure=measure).pairs
        for pair in runs:
            reading = pair.over_tasks
            assert (reading is None) == (scores.n_tasks < 6), seed
            if reading is not None:
                other = ro.compare(scores, over="tasks", measure=reading.measure).pair(pair.a, pair.b)
                assert (reading.estimate, reading.verdict) == (other.estimate, other.verdict), seed
                assert reading.pvalue_adjusted == other.pvalue_adjusted, seed


@pytest.mark.parametrize(
    ("n_tasks", "unit_of_scores", "measure", "tested_by"),
    [
        (5, "shared", "iqm", None),
        (6, "shared", "iqm", "hodges_lehmann"),
        (10, "shared", "improvement", "hodges_lehmann"),
        (26, "shared", "improvement", "improvement"),
        (25, "per_task", "improvement", None),
        (26, "per_task", "improvement", "improvement"),
    ],
)
def test_tasks_as_the_sample_are_asked_by_the_measure_of_the_runs_or_by_that_of_the_design(
    n_tasks, unit_of_scores, measure, tested_by
):
    runs = np.random.default_rng(n_tasks).normal(0, 10, (2, 3, n_tasks))
    scores = ro.Scores.from_dict({"A": runs[0], "B": runs[1]}, unit_of_scores=unit_of_scores)
    pair = ro.compare(scores, measure=measure).pairs[0]
    assert (pair.over_tasks and pair.over_tasks.measure) == tested_by
    assert pair.across_tasks.holds is None
    assert ("So few tasks, 5, cannot tell" in pair.across_tasks.sentence) == (n_tasks < 6)
    assert ("in units of their own that takes 26 tasks" in pair.across_tasks.sentence) == (n_tasks == 25)


def test_a_lead_that_tasks_as_the_sample_deny_is_not_said_to_hold():
    rng = np.random.default_rng(4)
    leads = np.where(np.arange(12) < 2, 9.0, -0.4)
    runs = {"A": rng.normal(leads, 0.1, (4, 12)), "B": rng.normal(0, 0.1, (4, 12))}
    pair = ro.compare(ro.Scores.from_dict(runs, unit_of_scores="shared"), measure="mean").pairs[0]
    assert (pair.winner, pair.over_tasks.verdict) == ("A", "no_difference_found")
    assert pair.across_tasks.holds is False  # few tasks make the lead
    assert pair.turned().across_tasks == pair.across_tasks
    assert pair.turned().over_tasks == pair.over_tasks.turned()
