"""Verdict, measure and interval are one story: where two of them point apart, one clause says why.

The default test and the interval of its measure are one law, which the adjustment over the family and another level alone set apart. Tests of
ranks by name, and those of rates, have intervals of another law. What another measure says is `other_measures`.
"""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest

import runoff as ro

WHY = (
    "points the other way",
    "does not leave out “no difference”",
    "leaves out “no difference”",
)
CLAUSES = ("not adjusted for the other pairs", "approximate, and the test decides")
ONE_LAW = {"jackknife", "mann_whitney"}
"""Tests that are one law with the interval of their measure."""
SEEDS = {
    "auto": (8, 17, 32, 50, 58, 82),
    "jackknife": (22, 26, 33),
    "studentized_permutation": (17, 28, 71),
    "welch": (22, 58, 100),
    "mack_skillings": (22, 26, 28),
    "van_elteren": (22, 26, 28),
    "stratified_permutation": (17, 28, 71),
}
"""Tests, and seeds beside the first few whose small designs meet a clause that is rare."""


def design(rng: np.random.Generator, *, small: bool) -> dict[str, dict[str, list[float]]]:
    """2 to 5 algorithms, 1 to 6 tasks, 2 to 40 runs a cell, small: 3, 3 and 15; ties, shapes and missing cells."""
    k, n = int(rng.integers(2, 4 if small else 6)), int(rng.integers(1, 4 if small else 7))
    most = int(rng.choice([3, 6, 15 if small else 40]))
    shape = rng.choice(["normal", "lognormal", "ties", "binary"])
    algorithms: dict[str, dict[str, list[float]]] = {}
    for a in range(k):
        cells = {}
        for t in range(n):
            if t and rng.random() < 0.15:
                continue
            c, shift = int(rng.integers(2, most + 1)), rng.choice([0.0, 0.0, 0.6, 2.0])
            runs = shift + (rng.lognormal(0, 1, c) if shape == "lognormal" else rng.normal(t, 1 + a, c))
            runs = {"ties": np.round(runs), "binary": (runs > t).astype(float)}.get(str(shape), runs)
            cells[f"t{t}"] = runs.tolist()
        algorithms[f"a{a}"] = cells
    return algorithms


def contradictions(pair) -> list[str]:
    """Return the numbers that point another way than the verdict, or say more or less than it."""
    equal = 0.5 if pair.measure == "improvement" else 0.0
    side = {"a_better": 1, "b_better": -1}.get(pair.verdict, 0) * (-1 if pair.measure == "optimality_gap" else 1)
    reasons = ["the other way"] if side * (pair.estimate - equal) < 0 else []
    if pair.low is not None and (pair.low <= equal <= pair.high) == bool(side):
        reasons.append("interval")
    return reasons


@cache
def contradicted(seed: int, test: str, *, small: bool = True, **options: object) -> tuple[str, ...]:
    """Assert that every contradiction of one design has its clause; return the sentences that have one."""
    data = ro.Scores.from_dict(design(np.random.default_rng(seed), small=small))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        try:
            pairs = ro.compare(data, test=test, n_resamples=300, **options).pairs
        except ro.DesignError:  # no shared task, or nothing varies
            return ()
    for pair in pairs:
        assert bool(contradictions(pair)) == any(words in pair.sentence for words in WHY), (seed, pair.sentence)
        assert ("80\u00a0% power" in pair.sentence) <= (pair.detectable_difference is not None)
        assert not (pair.test in ONE_LAW and "approximate" in pair.sentence), (seed, pair.sentence)
    return tuple(pair.sentence for pair in pairs if contradictions(pair))


def few(test: str, **options: object) -> list[str]:
    """Return the sentences of a few small designs whose numbers point apart."""
    seeds = (*range(3), *SEEDS[test])
    return [sentence for seed in seeds for sentence in contradicted(seed, test, **options)]


@pytest.mark.parametrize("test", SEEDS)
def test_on_random_designs_no_contradiction_is_left_without_its_clause(test):
    assert all(any(words in sentence for words in WHY) for sentence in few(test))


@pytest.mark.parametrize("clause", CLAUSES)
def test_these_designs_meet_every_clause(clause):
    assert any(clause in sentence for test in SEEDS for sentence in few(test))


@pytest.mark.parametrize("options", [{"confidence_level": 0.8}, {"alpha": 0.2}], ids=str)
def test_other_levels_and_corrections_have_their_clauses_too(options):
    assert few("auto", **options)


def test_of_the_improvement_by_its_own_law_nothing_has_to_be_explained():
    options = {"measure": "improvement", "correction": "none"}
    for test in ("jackknife", "auto"):
        assert not [s for seed in range(12) for s in contradicted(seed, test, **options)]


@pytest.mark.parametrize("measure", ["mean", "iqm"])
def test_of_a_difference_by_its_own_law_nothing_has_to_be_explained(measure):
    assert not [s for seed in range(24) for s in contradicted(seed, "jackknife", measure=measure, correction="none")]


def test_a_rank_test_that_weighs_tasks_by_their_runs_may_deny_the_average_over_tasks():
    data = {"A": {"t": [*range(9, 25)], "u": [0.0, 1.0]}, "B": {"t": [*range(16)], "u": [2.0, 3.0]}}
    (pair,) = ro.compare(data, test="mack_skillings").pairs
    assert (pair.verdict, pair.improvement < 0.5) == ("a_better", True)
    assert "The probability of improvement points the other way: the test weighs tasks by their runs." in pair.sentence


def test_the_winner_by_an_optimality_gap_is_that_of_the_lower_one():
    cells = {"A": np.linspace(0.2, 0.5, 24).reshape(6, 4), "B": np.linspace(0.5, 0.9, 24).reshape(6, 4)}
    data = ro.Scores.from_dict(cells).normalize({f"task {t}": (0.0, 1.0) for t in range(1, 5)})
    (pair,) = ro.compare(data, measure="optimality_gap").pairs
    assert pair.verdict == "b_better"
    assert not contradictions(pair)
    assert not any(words in pair.sentence for words in WHY)


@pytest.mark.slow
@pytest.mark.parametrize(("test", "designs"), [("auto", 1000), *((test, 200) for test in list(SEEDS)[1:])])
def test_on_a_thousand_designs_no_contradiction_is_left_without_its_clause(test, designs):
    assert sum(len(contradicted(seed, test, small=False)) for seed in range(designs)) > 10
