"""The tests of `compare`: two algorithms on the tasks they share; one name, one procedure.

mack_skillings, van_elteren, stratified_permutation   task by task (blocked)
welch                                                  the difference of task means; on one task Welch's t test
all other two-sample tests                             one task only
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._arrays import Floats
from runoff._inference.about import SMALLEST, AboutTest
from runoff._inference.blocked import BLOCKED, run_blocked
from runoff._inference.bootstrap import Mean
from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff._random import Streams
from runoff._validate import check_choice
from runoff.errors import DesignError


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData:
    """Cells of a and b on the tasks they share, and the stratified difference of their means."""

    a: str
    b: str
    x: Sequence[Floats]
    y: Sequence[Floats]
    tasks: Sequence[str]
    difference: Mean


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """A test's answer for a pair; `direction` is positive where the test favours a."""

    test: str
    about: AboutTest
    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | None
    null: str
    alternative: str
    direction: float


Procedure = Callable[[PairData, Streams, int], PairOutcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """One name of `compare(test=...)`; `about` is None for "auto", which takes one of the others."""

    run: Procedure
    about: AboutTest | None
    several_tasks: bool


def run_pair(test: str, pair: PairData, streams: Streams, n_resamples: int) -> PairOutcome:
    """Run a test of `PAIR_TESTS` on a pair.

    "auto" is Welch's t test on one task and the Mack-Skillings test on several: docs/calibration.md shows their error rates.

    Raises
    ------
    OptionError
        An unknown test.
    DesignError
        A one-task test on several tasks, or a test of spread where a cell has one run.
    """
    check_choice("test", test, PAIR_TESTS)
    return PAIR_TESTS[test].run(pair, streams, n_resamples)


def _auto(pair: PairData, streams: Streams, n_resamples: int) -> PairOutcome:
    return run_pair("welch" if len(pair.tasks) == 1 else "mack_skillings", pair, streams, n_resamples)


def _blocked(name: str, pair: PairData, streams: Streams, n_resamples: int) -> PairOutcome:
    cells = [*pair.x, *pair.y]
    offsets = np.concatenate([[0], np.cumsum([cell.size for cell in cells])]).astype(np.int64)
    found = run_blocked(
        name, np.concatenate(cells), offsets, 2, len(pair.tasks), streams=streams, n_resamples=n_resamples
    )  # fmt: skip
    about = BLOCKED[name].about
    return PairOutcome(
        test=name,
        about=about,
        statistic=found.statistic,
        pvalue=found.pvalue,
        pvalue_error=found.pvalue_error,
        method=found.method,
        df=found.df if isinstance(found.df, float) or found.df is None else None,
        null="on every task the scores of both come from one distribution",
        alternative=ALTERNATIVES[about.compares],
        direction=found.direction,
    )


def _welch(pair: PairData, streams: Streams, n_resamples: int) -> PairOutcome:
    del streams, n_resamples
    single = [task for x, y, task in zip(pair.x, pair.y, pair.tasks, strict=True) if min(x.size, y.size) < 2]
    if single:
        raise DesignError(
            f"Welch's test of {pair.a!r} and {pair.b!r} needs two runs per cell, but one of them has a single run on task {single[0]!r}; "
            "add runs, or compare on several tasks with test='mack_skillings'."
        )
    if len(pair.tasks) == 1:
        return _one_task("welch", pair, Streams(0), 1)
    mean = pair.difference
    if mean.df is None:
        raise DesignError(
            f"the runs of {pair.a!r} and {pair.b!r} have no spread on any task; use test='mack_skillings'."
        )
    statistic = mean.estimate / mean.error
    return PairOutcome(
        test="welch",
        about=TWO_SAMPLE["welch"].about,
        statistic=statistic,
        pvalue=max(float(2 * special.stdtr(mean.df, -abs(statistic))), SMALLEST),
        pvalue_error=0.0,
        method="asymptotic",
        df=mean.df,
        null="the mean scores, averaged over tasks, are equal",
        alternative="they differ",
        direction=statistic,
    )


def _one_task(name: str, pair: PairData, streams: Streams, n_resamples: int) -> PairOutcome:
    if len(pair.tasks) > 1:
        able = [known for known, entry in PAIR_TESTS.items() if entry.several_tasks and entry.about is not None]
        raise DesignError(
            f"{name} compares two samples of one task, but {pair.a!r} and {pair.b!r} share {len(pair.tasks)}; "
            f"use {', '.join(able[:-1])} or {able[-1]}, or select one task."
        )
    found = run_two_sample(name, pair.x[0][None], pair.y[0][None], streams=streams, n_resamples=n_resamples)
    test = TWO_SAMPLE[name]
    return PairOutcome(
        test=name,
        about=test.about,
        statistic=float(found.statistic[0]),
        pvalue=float(found.pvalue[0]),
        pvalue_error=float(found.pvalue_error[0]),
        method=str(found.method[0]),
        df=None if found.df is None else float(found.df[0]),
        null=_named(test.null, pair),
        alternative=_named(test.claims["two-sided"], pair),
        direction=float(found.statistic[0]) - test.centre(pair.x[0].size, pair.y[0].size),
    )


def _named(words: str, pair: PairData) -> str:
    return words.replace("x and y", f"{pair.a} and {pair.b}")


ALTERNATIVES = {"order": "on some task one of the two tends to score higher", "means": "the mean scores differ"}
"""What a test over tasks is about -> its alternative in words."""


def _pair_test(name: str) -> PairTest:
    if name == "welch":
        return PairTest(run=_welch, about=TWO_SAMPLE[name].about, several_tasks=True)
    if name in TWO_SAMPLE:
        return PairTest(run=partial(_one_task, name), about=TWO_SAMPLE[name].about, several_tasks=False)
    return PairTest(run=partial(_blocked, name), about=BLOCKED[name].about, several_tasks=True)


_OVER_TASKS = [name for name, test in BLOCKED.items() if test.pairwise]
_OF_TWO_SAMPLES = [name for name, test in TWO_SAMPLE.items() if test.about.claim is not None]
PAIR_TESTS: Mapping[str, PairTest] = MappingProxyType(
    {"auto": PairTest(run=_auto, about=None, several_tasks=True)}
    | {name: _pair_test(name) for name in (*_OVER_TASKS, *_OF_TWO_SAMPLES)}
)
"""Every test that names a winner; kolmogorov_smirnov does not (Colas et al. 2018, footnote 3)."""


def about_test(name: str) -> AboutTest:
    """Return what is known about a test of either registry."""
    return BLOCKED[name].about if name in BLOCKED else TWO_SAMPLE[name].about
