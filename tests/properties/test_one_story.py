"""Verdict, measure, improvement and their intervals are one story: where two of them point apart, one clause says why.

The default test and the interval of its measure are one law, which the adjustment over the family and another level alone set apart. Tests by
name, and those of rates, have intervals that are approximate; and beside a difference stands the improvement, which is another question.
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
    "leave out “no difference”",
)
CLAUSES = (
    *("not adjusted for the other pairs", "made from the spread", "approximate, and at the margin"),
    *("approximate, and the test decides", "which is another question", "two intervals leave out"),
)
ONE_LAW = {"jackknife", "mann_whitney"}
"""Tests that are one law with the interval of their measure."""
SEEDS = {
    "auto": (8, 17, 32, 50, 58, 82),
    "jackknife": (22, 26, 33, 53),
    "studentized_permutation": (22, 26, 31, 50),
    "welch": (12, 22, 28, 119),
    "mack_skillings": (22, 26, 28),
    "van_elteren": (22, 26, 28),
    "stratified_permutation": (22, 26, 31),
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
    reasons = []
    numbers = [(pair.improvement_low, pair.improvement, pair.improvement_high, 0.5)]
    if pair.measure != "improvement":
        numbers.append((pair.low, pair.estimate, pair.high, 0.0))
    for low, estimate, high, equal in numbers:
        side = {"a_better": 1, "b_better": -1}.get(pair.verdict, 0)
        if side and side * (estimate - equal) < 0:
            reasons.append("the other way")
        if low is not None and (low <= equal <= high) == bool(side):
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
    seeds = (*range(6), *SEEDS[test])
    return [sentence for seed in seeds for sentence in contradicted(seed, test, **options)]


@pytest.mark.parametrize("test", SEEDS)
def test_on_random_designs_no_contradiction_is_left_without_its_clause(test):
    assert few(test)


@pytest.mark.parametrize("clause", CLAUSES)
def test_these_designs_meet_every_clause(clause):
    assert any(clause in sentence for test in SEEDS for sentence in few(test))


@pytest.mark.parametrize("options", [{"confidence_level": 0.8}, {"alpha": 0.2}, {"correction": "none"}], ids=str)
def test_other_levels_and_corrections_have_their_clauses_too(options):
    assert few("auto", **options)


def test_of_the_improvement_by_its_own_law_nothing_has_to_be_explained():
    options = {"measure": "improvement", "correction": "none"}
    assert not [s for seed in range(40) for s in contradicted(seed, "jackknife", **options)]
    sentences = [s for seed in range(40) for s in contradicted(seed, "auto", **options)]
    assert all("Boschloo" in s or "permutation" in s for s in sentences)  # of rates


@pytest.mark.parametrize("measure", ["mean", "iqm"])
def test_of_a_difference_by_its_own_law_only_the_improvement_beside_it_is_explained(measure):
    sentences = [s for seed in range(80) for s in contradicted(seed, "jackknife", measure=measure, correction="none")]
    of_improvement = ("of the improvement leaves out", "of the probability of improvement does not leave out")
    assert sentences
    assert all(any(words in s for words in of_improvement) and "two intervals" not in s for s in sentences)


@pytest.mark.slow
@pytest.mark.parametrize(("test", "designs"), [("auto", 1000), *((test, 200) for test in list(SEEDS)[1:])])
def test_on_a_thousand_designs_no_contradiction_is_left_without_its_clause(test, designs):
    assert sum(len(contradicted(seed, test, small=False)) for seed in range(designs)) > 10
