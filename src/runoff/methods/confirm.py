"""Which fresh runs confirm the settings that a sweep chose?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from runoff._inference import planning
from runoff._inference.bootstrap import t_law
from runoff._inference.power import detectable
from runoff._inference.tuning import SweepRuns, chosen_for_all, cross_fitted, orders_of, pooled_error, read_sweep
from runoff.answer.plan import NextRunsResult, NextRunsRow
from runoff.base.arrays import Floats, Ints
from runoff.base.validate import is_number
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, nearest
from runoff.words.numbers import counted, digits, percent
from runoff.words.speech import Sentence, choice, option

FEWEST = 2
"""The fewest fresh runs of a setting on a task that judge it."""
MOST = 1_000_000
"""The most runs that a budget may buy: they are placed one at a time."""
Parts = tuple[Floats, Floats]
"""Squared errors of independent parts of a mean, and their degrees of freedom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """The settings that a sweep chose for all its tasks: of each cell the variance of a run, its freedom, and the price of a run.

    crossed: of each algorithm what its own runs know of its score, where each judges what the others chose.
    """

    sweep: SweepRuns
    configs: tuple[str, ...]
    variances: Floats
    freedom: Floats
    prices: Floats
    crossed: tuple[Parts, ...]

    @property
    def cells(self) -> planning.AllocationCells:
        """The cells with two fresh runs each."""
        weights = self.variances * (2 / len(self.sweep.algorithms)) / len(self.sweep.tasks) ** 2
        return planning.AllocationCells(weights=weights, sizes=np.full(weights.size, FEWEST), prices=self.prices)

    def of_fresh(self, n_runs: Ints) -> list[Parts]:
        """Return what so many fresh runs of each cell will know of each algorithm."""
        n = len(self.sweep.tasks)
        errors = self.variances / n_runs / n**2
        return [(errors[i : i + n], self.freedom[i : i + n]) for i in range(0, errors.size, n)]


def runs_to_confirm(
    scores: Scores,
    measure: str,
    control: str | None,
    budget: float | None,
    cost: float | Mapping[str, float],
    *,
    power: float,
    alpha: float,
) -> NextRunsResult:
    """Return how many fresh runs of the chosen setting each algorithm gets on each task: they alone judge, the runs that chose do not."""
    if measure not in ("auto", "mean") or control is not None:
        raise OptionError("next_runs confirms means of all pairs of a sweep: leave out measure= and control=.")
    chosen = _chosen(read_sweep(scores, "auto"), cost)
    least = float(chosen.prices.sum()) * FEWEST
    spendable = _spendable(budget, least, float(chosen.prices.min()))
    cells = chosen.cells
    more = FEWEST + planning.cheapest_gain(cells, spendable - least)
    even = FEWEST + planning.evenly(cells, spendable - least)
    errors = [
        _over_pairs(parts, alpha, power) for parts in (chosen.crossed, chosen.of_fresh(more), chosen.of_fresh(even))
    ]
    rows = tuple(_rows(chosen, more))
    (before, sees), (after, sees_after), (evenly, _) = errors
    return NextRunsResult(
        rows=rows,
        measure="mean",
        budget=spendable,
        spent=sum(row.cost for row in rows),
        error=before,
        error_after=after,
        error_even=evenly,
        detectable=sees,
        detectable_after=sees_after,
        power=power,
        alpha=alpha,
        sentence=Sentence(_sentence(rows, after, sees_after, power)),
        notes=(
            *chosen.sweep.notes,
            "errors before are those of the sweep's own runs, each judging what the others choose",
        ),
    ).with_origin(scores)


def _spendable(budget: float | None, least: float, cheapest: float) -> float:
    """Return a budget; refuse one that leaves a cell with fewer than two fresh runs."""
    if not is_number(budget) or budget < least:
        enough = choice(f"budget={least:g}", f"--budget {least:g}")
        raise OptionError(
            f"the runs that chose a setting do not confirm it: next_runs needs a budget for {FEWEST} fresh runs of each chosen setting on each "
            f"task, which cost {least:g} ({enough}), not {budget!r}."
        )
    if budget / cheapest > MOST:
        raise OptionError(f"budget must buy at most {MOST:,} runs, not {budget / cheapest:,.0f}.")
    return float(budget)


def _chosen(sweep: SweepRuns, cost: float | Mapping[str, float]) -> Confirmed:
    if len(sweep.algorithms) < 2:
        raise DesignError("next_runs confirms which algorithm is better, and there is only one algorithm.")
    configs, crossed, pools = [], [], []
    for runs in sweep.algorithms:
        if not runs.common:
            raise DesignError(
                f"no configuration of {runs.name!r} has runs on every task: one setting for all cannot be chosen."
            )
        cells = runs.cells()
        configs.append(runs.common[int(np.mean([[cell.mean() for cell in task] for task in cells], axis=0).argmax())])
        crossed.append(cross_fitted(orders_of(cells), chosen_for_all)[1:])
        # Of all settings' runs: a collapse that the few of the chosen setting do not show.
        pools += [pooled_error(list(of_task.values()), 1) for of_task in runs.by_task]
    variances, freedom = (np.array(column) for column in zip(*pools, strict=True))
    if not variances.any():
        raise DesignError(
            "all runs of each setting are equal, so that their spread does not say how many more confirm it."
        )
    prices = np.array([price_of(cost, task, sweep.tasks) for _ in sweep.algorithms for task in sweep.tasks])
    return Confirmed(
        sweep=sweep, configs=tuple(configs), variances=variances, freedom=freedom, prices=prices, crossed=tuple(crossed)
    )


def _over_pairs(sides: Sequence[Parts], alpha: float, power: float) -> tuple[float, float]:
    """Return the error of a difference, and the difference that is found with a power: roots of mean squares over the pairs."""
    laws = [
        t_law(np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]), 0.0)
        for a, b in combinations(sides, 2)
        if a[0].sum() + b[0].sum() > 0
    ]
    squares = [(error**2, detectable(error, df, alpha, power) ** 2) for error, df in laws] or [(0.0, 0.0)]
    error, lead = np.sqrt(np.mean(squares, axis=0)).tolist()
    return error, lead


def _rows(chosen: Confirmed, more: Ints) -> list[NextRunsRow]:
    columns = iter(zip(more.tolist(), np.sqrt(chosen.variances).tolist(), chosen.prices.tolist(), strict=True))
    rows = []
    for runs, config in zip(chosen.sweep.algorithms, chosen.configs, strict=True):
        for task, of_task in zip(chosen.sweep.tasks, runs.by_task, strict=True):
            n, std, price = next(columns)
            there = of_task[config].size
            rows.append(
                NextRunsRow(
                    algorithm=runs.name, task=task, n_runs=there, more=n, std=std, cost=n * price, config=config
                )
            )
    return rows


def _sentence(rows: Sequence[NextRunsRow], error: float, lead: float, power: float) -> str:
    settings = {row.algorithm: row.config for row in rows}
    named = ", ".join(f"{name} ({config})" for name, config in settings.items())
    counts = [row.more for row in rows]
    judged = f"{option('judged')} of {choice('tuning', 'runoff tuning')}"
    return (
        f"Train {named} again, {counted(counts, 'run')} on a task: these {counted([sum(counts)], 'fresh run')} alone judge ({judged}), with a "
        f"standard error of {digits(error)} of the difference, and find one of {digits(lead)} with {percent(power)} power."
    )


def price_of(cost: Any, task: str | None, tasks: Sequence[str]) -> float:
    """Return what a run on a task costs; None: on all of them."""
    if isinstance(cost, Mapping):
        if task is None:
            raise OptionError("cost_per_run must be one number where each run is scored on all tasks.")
        unknown = [name for name in cost if name not in tasks]
        if unknown or task not in cost:
            name = unknown[0] if unknown else task
            lack = (
                f"there is no task {name!r} to price.{nearest(str(name), tasks)}"
                if unknown
                else f"cost_per_run says nothing of task {task!r}."
            )
            raise OptionError(lack)
        cost = cost[task]
    if not is_number(cost) or cost <= 0:
        raise OptionError(f"cost_per_run must be a number above 0 a run, not {cost!r}.")
    return float(cost)
