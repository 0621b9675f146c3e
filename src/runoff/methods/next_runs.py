"""Which cells should be run next, and what does that buy?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff._inference.pairs import chosen_pairs, run_means
from runoff._inference.planning import Cells, cheapest_gain, evenly, next_notes, next_words
from runoff._inference.power import detectable, required_power
from runoff.base.arrays import Floats
from runoff.base.validate import check_alpha
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, nearest
from runoff.io.given import ScoresLike, as_scores
from runoff.results.plan import NextRunsRecord, NextRunsResult

MOST_NEXT = 1_000_000
"""Runs to add, one at a time."""


def next_runs(
    scores: ScoresLike,
    *,
    budget: float,
    cost: float | Mapping[str, float] = 1.0,
    control: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> NextRunsResult:
    """Which cells should be run next, so that the difference of means is known best for a budget, and what does that buy?

    Parameters
    ----------
    scores : Scores, or whatever `compare` takes
        Two algorithms or more, each with at least two runs on every task.
    budget : float
        In the unit of `cost`: runs, unless it says otherwise.
    cost : float or mapping of task to float
        Of a run: hours, for example.
    control : str, optional
        Only differences from this algorithm count, so that it gets more runs.
    power, alpha : float
        Of the difference that could be detected, before and after.

    Returns
    -------
    NextRunsResult
        `records` say how many runs each cell gets.

    Raises
    ------
    DesignError
        One algorithm, a missing cell, a cell with one run, or runs that do not vary.
    OptionError
        A budget that buys no run, or a cost that is not above 0.

    Notes
    -----
    The squared error of a difference of means is Σ s² / n over the cells of both, divided by T²; over all pairs, or those with the control,
    it is the sum of these. Each run goes where it lowers this error most for its price. With one price for all runs, no other allocation
    has a smaller error. Shared runs are one cell for each algorithm.

    The standard deviations are those of the runs so far, and uncertain if these are few: ask again after some of the new runs. Runs are
    placed by spread alone. A test then keeps its level only if it is done once, after the runs that were planned, whoever leads.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = {"A": {"Pong": [18, 20, 19], "Breakout": [30, 90, 60]}, "B": {"Pong": [12, 13, 12], "Breakout": [20, 50, 80]}}
    >>> found = ro.next_runs(runs, budget=8)
    >>> [(r.algorithm, r.task, r.more) for r in found.records if r.more]
    [('A', 'Breakout', 4), ('B', 'Breakout', 4)]
    """
    scores = as_scores(scores)
    required = required_power(power, check_alpha(alpha))
    pairs = chosen_pairs(scores, "all", control)
    named = _cells(scores, pairs, cost)
    _check_budget(budget, named)
    more = cheapest_gain(named.cells, budget)
    nothing = np.zeros_like(more)
    errors = [named.cells.error(added) for added in (nothing, more, evenly(named.cells, budget))]
    sees = [detectable(named.cells.error(a), named.cells.df(a), alpha, required) for a in (nothing, more)]
    records = _records(named, more.tolist())
    spent = sum(record.cost for record in records)
    return NextRunsResult(
        records=records,
        budget=float(budget),
        spent=spent,
        error=errors[0],
        error_then=errors[1],
        error_even=errors[2],
        detectable=sees[0],
        detectable_then=sees[1],
        power=required,
        alpha=float(alpha),
        sentence=next_words(records, errors, sees, required),
        notes=next_notes(named.cells.sizes, len(pairs), several_prices=len(set(named.cells.prices.tolist())) > 1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """The cells with their names: (algorithm, task), the task None where runs are shared."""

    names: tuple[tuple[str, str | None], ...]
    stds: Floats
    cells: Cells


def _cells(scores: Scores, pairs: list[tuple[int, int]], cost: float | Mapping[str, float]) -> _Named:
    shared = scores.sampling.shared and scores.n_tasks > 1
    if (scores.n_runs == 0).any():
        a, t = np.argwhere(scores.n_runs == 0)[0].tolist()
        raise DesignError(
            f"{scores.algorithms[a]!r} has no runs on task {scores.tasks[t]!r}: where nothing was run nothing is known of the spread; run 2 "
            "there first, or select the tasks that all have."
        )
    times = np.bincount(np.array(pairs).ravel(), minlength=scores.n_algorithms) / len(pairs)
    names: list[tuple[str, str | None]] = []
    samples: list[Floats] = []
    for a, name in enumerate(scores.algorithms):
        if shared:
            names.append((name, None))
            samples.append(run_means(scores.cells(a)))
        else:
            names += [(name, task) for task in scores.tasks]
            samples += scores.cells(a)
    _refuse_unknown_spread(names, samples)
    n_tasks = 1 if shared else scores.n_tasks
    stds = np.array([float(sample.std(ddof=1)) for sample in samples])
    cells = Cells(
        weights=np.repeat(times, n_tasks) * (stds / n_tasks) ** 2,
        sizes=np.array([sample.size for sample in samples], np.int64),
        prices=np.array([_price(cost, task, scores.tasks) for _, task in names]),
    )
    return _Named(names=tuple(names), stds=stds, cells=cells)


def _refuse_unknown_spread(names: list[tuple[str, str | None]], samples: list[Floats]) -> None:
    for (algorithm, task), sample in zip(names, samples, strict=True):
        if sample.size < 2:
            where = "" if task is None else f" on task {task!r}"
            raise DesignError(f"{algorithm!r} has one run{where}: one run shows no spread; add a second there first.")
    if all(float(np.ptp(sample)) == 0 for sample in samples):
        raise DesignError("runs do not vary in any cell, so that more of them would buy nothing.")


def _price(cost: Any, task: str | None, tasks: tuple[str, ...]) -> float:
    if isinstance(cost, Mapping):
        if task is None:
            raise OptionError("cost must be one number where each run is scored on all tasks.")
        unknown = [name for name in cost if name not in tasks]
        if unknown or task not in cost:
            name = unknown[0] if unknown else task
            lack = (
                f"there is no task {name!r} to price.{nearest(str(name), tasks)}"
                if unknown
                else f"cost says nothing of task {task!r}."
            )
            raise OptionError(lack)
        cost = cost[task]
    number = isinstance(cost, int | float | np.number) and not isinstance(cost, bool)
    if not number or not np.isfinite(cost) or cost <= 0:
        raise OptionError(f"cost must be a number above 0 a run, not {cost!r}.")
    return float(cost)


def _check_budget(budget: Any, named: _Named) -> None:
    number = isinstance(budget, int | float | np.number) and not isinstance(budget, bool)
    least = float(named.cells.prices.min())
    if not number or not np.isfinite(budget) or budget < least:
        raise OptionError(f"budget must buy a run, which costs {least:g}, not {budget!r}.")
    if budget / least > MOST_NEXT:
        raise OptionError(f"budget must buy at most {MOST_NEXT:,} runs, not {budget / least:,.0f}.")


def _records(named: _Named, more: list[int]) -> tuple[NextRunsRecord, ...]:
    columns = (named.names, more, named.stds.tolist(), named.cells.sizes.tolist(), named.cells.prices.tolist())
    return tuple(
        NextRunsRecord(algorithm=algorithm, task=task, n_runs=n, more=added, std=std, cost=added * price)
        for (algorithm, task), added, std, n, price in zip(*columns, strict=True)
    )
