"""Can these tests be trusted on runs like mine? Two groups of one algorithm's runs, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from runoff.base.random import RNG, Streams, in_threads, streams
from runoff.base.validate import check_alpha, check_count, check_resamples
from runoff.io.given import ScoresLike, as_scores
from runoff.results.check import FalsePositiveRecord, FalsePositiveResult
from runoff.studies.batch import Batch
from runoff.studies.check.runs import OwnRuns, blocks, group_sizes, own_runs
from runoff.studies.check.splits import all_splits, halves, n_splits
from runoff.studies.check.tests import applicable, chosen_tests, label_of, taken
from runoff.studies.check.words import about_rates


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    alpha: float
    n_repeats: int
    n_resamples: int
    streams: Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """One algorithm, one number of runs."""

    runs: OwnRuns
    tests: tuple[str, ...]
    n: int


def false_positive_rate(
    runs: ScoresLike,
    *,
    tests: str | Sequence[str] | None = None,
    n_runs: int | Sequence[int] | None = None,
    n_repeats: int = 1000,
    alpha: float = 0.05,
    n_resamples: int = 2000,
    rng: RNG = 0,
    threads: int | None = None,
) -> FalsePositiveResult:
    """Can these tests be trusted on runs like mine?

    Two groups of runs are drawn from all runs of one algorithm, task by task, and put to each test, again and again. There is no
    difference to be found; how often does a test find one?

    Parameters
    ----------
    runs : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made. Each algorithm is checked by itself, and needs 4 runs or more on
        each of its tasks; from 10 on they can be judged by, and 20 are better.
    tests : str or sequence of str, optional
        Names of `compare` and `rank_test`; "auto" is the test that `compare` takes by itself. None: all that apply.
    n_runs : int or sequence of int, optional
        Runs of each group, from 2 to half of all. None: some numbers in that range.
    n_repeats : int
        Splits. Where there are no more, each is taken once.
    alpha : float
        Level of the tests.
    n_resamples : int
        Relabellings and bootstrap resamples of each test.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    FalsePositiveResult
        Records by algorithm, number of runs, test.

    Raises
    ------
    DesignError
        No algorithm has runs enough, or `n_runs` is more than half of them.
    OptionError
        An unknown test, one that is not made for so many tasks, or another argument that means nothing.

    Notes
    -----
    The groups share no run and come from all runs (Colas 2018, section 5.1). Over all sets of runs that might have been trained they are two
    independent samples, so that the rate estimates, without bias, that of N new runs against N. Given these runs the groups depend on each
    other, and the variance of their difference of means is 2 s²/N all the same.

    What one set of runs cannot show: repeats share runs, so that their number makes the rate exact for *these* runs only. With N half of
    all, every repeat splits the same runs, and a test that relabels runs (permutation, ranks) then keeps its level *whatever the runs
    are*. `n_disjoint` says how many independent experiments there are. The null is that of equal distributions; unequal ones are another
    question (`runoff.studies.real_world`).

    Shared runs are drawn, and tested, as a whole: each by its mean over the tasks. Monte Carlo tests use one set of draws for 20 splits
    (docs/design/studies.md). A twin with the public functions: tests/studies/check/test_false_positives.py.

    References
    ----------
    Colas et al. 2018, "How many random seeds?", section 5.1 and figure 6.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.load_example("classic_control").final().select(algorithms=["ARS"], tasks=["Pendulum-v1"])
    >>> result = ro.false_positive_rate(scores, tests=["welch", "bootstrap"], n_runs=5)
    >>> for record in result.records:
    ...     print(record.test, record.rate)
    welch 0.041
    bootstrap 0.04
    """
    scores = as_scores(runs)
    plan = _Plan(
        alpha=check_alpha(alpha),
        n_repeats=check_count("n_repeats", n_repeats),
        n_resamples=check_resamples(n_resamples),
        streams=streams(rng),
    )
    found, notes = own_runs(scores)
    cells = [
        _Cell(runs=one, tests=chosen_tests(one, tests), n=n)
        for one in (each.as_means() for each in found)
        for n in group_sizes(one, n_runs)
    ]
    work = [(c, block, size) for c, cell in enumerate(cells) for block, size in _blocks(cell, plan)]
    tallies = in_threads(lambda task: _rejections(cells[task[0]], task[1], task[2], plan), work, threads)
    records: list[FalsePositiveRecord] = []
    for c, cell in enumerate(cells):
        mine = [tally for (own, _, _), tally in zip(work, tallies, strict=True) if own == c]
        records += _records(cell, mine, plan)
    return FalsePositiveResult(
        records=tuple(records),
        alpha=plan.alpha,
        n_resamples=plan.n_resamples,
        seed=plan.streams.seed,
        labels=tuple((name, label_of(name)) for name in dict.fromkeys(record.test for record in records)),
        notes=tuple(notes),
        sentence=about_rates(records, plan.alpha),
    )


def _blocks(cell: _Cell, plan: _Plan) -> list[tuple[int, int]]:
    """Return the number and the splits of each block: one block of all splits, where they are few."""
    splits = n_splits(cell.runs, cell.n)
    return [(0, splits)] if splits <= plan.n_repeats else list(blocks(plan.n_repeats))


def _rejections(cell: _Cell, block: int, size: int, plan: _Plan) -> dict[str, int]:
    """Return how many splits of a block each test rejects, by the name of the test itself."""
    key = (cell.runs.key, cell.n, block)
    counted = n_splits(cell.runs, cell.n) <= plan.n_repeats
    scores = (
        all_splits(cell.runs, cell.n)
        if counted
        else halves(cell.runs, cell.n, size, plan.streams.block("check/halves", *key))
    )
    batch = Batch(scores=scores, alpha=plan.alpha, n_resamples=plan.n_resamples, streams=plan.streams, key=key)
    decide = applicable(cell.runs)
    names = dict.fromkeys(taken(cell.runs, name, cell.n, plan.alpha) for name in cell.tests)
    rejected = {one: int(np.count_nonzero(one(batch))) for one in {decide[name] for name in names}}
    return {name: rejected[decide[name]] for name in names}


def _records(cell: _Cell, tallies: Sequence[dict[str, int]], plan: _Plan) -> list[FalsePositiveRecord]:
    runs, splits = cell.runs, n_splits(cell.runs, cell.n)
    counted = splits <= plan.n_repeats
    n = min(splits, plan.n_repeats)
    found = []
    for name in cell.tests:
        itself = taken(runs, name, cell.n, plan.alpha)
        rate = sum(tally[itself] for tally in tallies) / n
        found.append(
            FalsePositiveRecord(
                algorithm=runs.algorithm,
                test=name,
                taken=itself,
                n_runs=cell.n,
                rate=rate,
                rate_error=0.0 if counted else sqrt(rate * (1.0 - rate) / n),
                n_repeats=n,
                counted=counted,
                n_disjoint=runs.n_all // (2 * cell.n),
                n_all=runs.n_all,
                n_tasks=len(runs.tasks),
            )
        )
    return found
