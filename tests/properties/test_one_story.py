"""Verdict, measure and interval are one story: a sentence gives the interval that decided, and has nothing to explain.

Tests of ranks by name, and those of rates, have intervals of another law; where such an interval points elsewhere the sentence has none. What
another measure says is `other_measures`.
"""

from __future__ import annotations

import re
import warnings
from functools import cache

import numpy as np
import pytest

import runoff as ro
from tests.amount import LONG, examples

pytestmark = pytest.mark.usefixtures("few_relabellings")
OTHER_WAY = "points the other way"
APOLOGIES = ("leave out", "leaves out", "not adjusted for", "the test decides")
SEEDS = {
    "auto": (8, 17, 32, 50, 58, 82),
    "jackknife": (22, 26, 33),
    "studentized_permutation": (17, 28, 71),
    "welch": (22, 58, 100),
    "mack_skillings": (22, 26, 28),
    "van_elteren": (22, 26, 28),
    "stratified_permutation": (17, 28, 71),
}
"""Tests, and seeds beside the first few whose small designs have intervals of another law."""


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


def even(pair) -> float:
    return 0.5 if pair.measure == "improvement" else 0.0


def is_turned(pair) -> bool:
    """Return whether the measure points another way than the verdict."""
    side = {"a_better": 1, "b_better": -1}.get(pair.verdict, 0) * (-1 if pair.measure == "optimality_gap" else 1)
    return side * (pair.estimate - even(pair)) < 0


def ends_in(pair) -> list[float]:
    """Return the first interval of the sentence of a pair."""
    interval = re.search(r"\[([−\d.e]+), ([−\d.e]+)\]", pair.sentence.split(", probability")[0])
    # Chances are said in percent.
    unit = 100 if pair.measure == "improvement" else 1
    return [float(end.replace("−", "-")) / unit for end in interval.groups()] if interval else []


@cache
def spoken(seed: int, test: str, *, small: bool = True, **options: object) -> tuple[str, ...]:
    """Assert of one design that no sentence contradicts itself; return the sentences whose own intervals would."""
    data = ro.Scores.from_dict(design(np.random.default_rng(seed), small=small))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        try:
            pairs = ro.compare(data, test=test, n_resamples=300, **options).pairs
        except ro.DesignError:  # no shared task, or nothing varies
            return ()
    for pair in pairs:
        assert is_turned(pair) == (OTHER_WAY in pair.sentence), (seed, pair.sentence)
        # What the interval of more runs will leave out is a promise; only of these runs it would be an apology.
        now = pair.sentence.partition("if they spread as these do")[0]
        assert not any(words in now for words in APOLOGIES), (seed, pair.sentence)
        assert ("80\u00a0% power" in pair.sentence) <= (pair.detectable_difference is not None)
        if (ends := ends_in(pair)) and not pair.unjudged:  # two units have an interval, and no verdict
            low, high = ends
            assert (low <= even(pair) <= high) != bool(pair.winner) or even(pair) in ends, (seed, pair.sentence)
    return tuple(
        pair.sentence for pair in pairs if pair.own_low is not None and (pair.own_low, pair.own_high) != pair.spoken
    )


def few(test: str, **options: object) -> list[str]:
    """Return the sentences of a few small designs whose own intervals would point apart."""
    seeds = (*range(3), *SEEDS[test])
    return [sentence for seed in seeds for sentence in spoken(seed, test, **options)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("test", SEEDS)
def test_on_random_designs_no_sentence_contradicts_itself(test):
    assert few(test)


def test_at_other_levels_the_interval_is_the_deciding_one():
    assert any("corrected interval [" in sentence for sentence in few("auto", alpha=0.2))


def test_of_one_law_without_a_correction_each_interval_is_that_which_decided():
    for options in ({"measure": "improvement"}, {"measure": "mean"}, {"measure": "iqm"}):
        assert not [
            s for seed in range(examples(12, 6)) for s in spoken(seed, "jackknife", correction="none", **options)
        ]


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
    assert not is_turned(pair)
    assert OTHER_WAY not in pair.sentence


@pytest.mark.parametrize("n_designs", [pytest.param(40, marks=pytest.mark.slow), pytest.param(200, marks=LONG)])
@pytest.mark.parametrize("test", SEEDS)
def test_on_hundreds_of_designs_no_sentence_contradicts_itself(test, n_designs):
    assert sum(len(spoken(seed, test, small=False)) for seed in range(n_designs)) > n_designs / 20
