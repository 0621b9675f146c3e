"""The tests that two groups of one algorithm's runs can be put to: those of `compare`, of two samples, and of ranks over tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import runoff._inference.pairs as pairs
from runoff._inference.blocked import BLOCKED
from runoff._inference.two_sample import TWO_SAMPLE, boschloo
from runoff.base.arrays import Bools
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.studies.batch import Batch
from runoff.studies.check.runs import OwnRuns
from runoff.studies.contenders import CONTENDERS
from runoff.studies.contenders.registry import Decide

AUTO = "auto"
"""The test that `compare` takes, by the number of runs."""
BY_TASK: Mapping[str, str] = {
    "welch": "welch_by_task",
    "studentized_permutation": "studentized_permutation_by_task",
    "stratified_permutation": "stratified_permutation_by_task",
    "mack_skillings": "mack_skillings_by_task",
    "van_elteren": "mack_skillings_by_task",  # with equal numbers of runs they are one test
    "friedman": "friedman",
    "iman_davenport": "iman_davenport",
    "skillings_mack": "skillings_mack",
}
"""Test over tasks -> contender."""


def boschloo_decision(batch: Batch) -> Bools:
    """Return whether Boschloo's test tells two groups of zeros and ones apart."""
    n = batch.n_runs
    won = batch.scores.sum(axis=(2, 3)).astype(np.int64)
    results, which = np.unique(won, axis=0, return_inverse=True)
    pvalues = np.array([boschloo(last, n, first, n) for first, last in results.tolist()])
    return np.asarray(pvalues[which.reshape(-1)] <= batch.alpha)


def applicable(runs: OwnRuns) -> Mapping[str, Decide]:
    """Return the tests that these runs can be put to, by name."""
    if len(runs.tasks) > 1:
        return {name: CONTENDERS[at].decide for name, at in BY_TASK.items()}
    tests = {
        name: CONTENDERS[name].decide
        for name, test in TWO_SAMPLE.items()
        if not runs.means or (test.about.claim is not None and not test.about.by_rank)
    }
    return tests | ({"boschloo": boschloo_decision} if runs.rates else {})


def chosen_tests(runs: OwnRuns, choice: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the tests asked for; all that apply, if none are.

    Raises
    ------
    OptionError
        An unknown name, or a test that is not made for as many tasks.
    """
    able = (AUTO, *applicable(runs))
    if choice is None:
        return able
    names = dict.fromkeys([choice] if isinstance(choice, str) else choice)
    if not names:
        raise OptionError(f"tests is empty: name some of {', '.join(able)}.")
    for name in names:
        check_choice("tests", name, dict.fromkeys((AUTO, *TWO_SAMPLE, *BLOCKED, "boschloo")))
        if name not in able:
            raise OptionError(
                f"{name} is not made for {_kind(runs)}; tests that are: {', '.join(able)}{_repair(runs, name)}."
            )
    return tuple(names)


def _kind(runs: OwnRuns) -> str:
    if runs.means:
        return "the means of runs that are scored on all tasks"
    scores = "scores of 0 and 1" if runs.rates else "scores that are not only 0 and 1"
    return f"{scores} on {len(runs.tasks)} tasks" if len(runs.tasks) > 1 else f"{scores} on one task"


def _repair(runs: OwnRuns, name: str) -> str:
    return "; or select one task" if len(runs.tasks) > 1 and name in TWO_SAMPLE else ""


def resolved_test(runs: OwnRuns, name: str, n: int, alpha: float) -> str:
    """Return the test that stands behind a name: `auto` is decided by the design."""
    if name != AUTO:
        return name
    cells = [np.zeros(n)] * len(runs.tasks)
    pair = pairs.PairData(a="a", b="b", x=cells, y=cells, tasks=runs.tasks, rates=runs.rates)
    return pairs.chosen_test(pair, alpha)


def label_of(name: str) -> str:
    """Return what a test is called in figures and tables."""
    return "default of compare" if name == AUTO else pairs.about_test(name).label
