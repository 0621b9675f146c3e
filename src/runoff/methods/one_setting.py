"""Who is better with one setting for all tasks, or with settings that fresh runs judge?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Law, t_law
from runoff._inference.tuning import (
    ConfiguredRuns,
    SweepRuns,
    chosen_for_all,
    cross_fitted,
    in_unit_of,
    orders_of,
    pooled_error,
    refuse_own_runs,
    refuse_unchosen,
    unsaid,
)
from runoff.answer.chosen import ChosenPair, ChosenResult, ChosenRow
from runoff.answer.pair import PairVerdict
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.speech import option


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSide:
    """An algorithm with its settings: expected score, the squared errors of its tasks and their degrees of freedom; the same by pooled runs."""

    row: ChosenRow
    parts: Floats
    freedom: Floats
    pooled: Floats
    pooled_freedom: Floats


def one_setting(
    sweep: SweepRuns, scores: Scores, fresh: Scores | None, *, per_task: bool, alpha: float
) -> ChosenResult:
    """Return the comparison of algorithms with the settings chosen by a sweep, for all tasks or for each, on runs that did not choose."""
    if not per_task and len(sweep.tasks) == 1:
        equal = option("view", "equal")
        raise DesignError(
            f"one setting for all tasks needs two tasks or more, and there is one ({sweep.tasks[0]!r}): {equal} is that answer."
        )
    notes = list(sweep.notes)
    if fresh is None:
        sides = [_crossed(runs, notes) for runs in sweep.algorithms]
    else:
        again, fresh = fresh, _in_unit_of(sweep, fresh)
        chosen = [(runs, _chosen(runs, sweep.tasks, per_task=per_task)) for runs in sweep.algorithms]
        notes += ["fresh runs are in the unit of the runs of the sweep"] * (sweep.scale != "none")
        sides = [_judged(runs, configs, fresh, sweep.tasks, per_task=per_task) for runs, configs in chosen]
        refuse_own_runs(sweep, again)
        notes += unsaid(chosen, fresh)
    notes += _unequal_tuning(sides)
    names = list(combinations(range(len(sides)), 2))
    level = 1 - alpha / max(len(names), 1)
    return ChosenResult(
        rows=tuple(_row(side, 1 - alpha) for side in sides),
        pairs=tuple(_pair(sides[i], sides[j], level) for i, j in names),
        tasks=sweep.tasks,
        fresh=fresh is not None,
        alpha=alpha,
        confidence_level=1 - alpha,
        pair_level=level,
        notes=tuple(notes),
        advice=rules.collected(*rules.about_data(scores)),
    ).with_origin(scores)


def _unequal_tuning(sides: Sequence[ChosenSide]) -> list[str]:
    """Return the note on algorithms that chose among more settings than others, which alone makes them better."""
    counts = [side.row.n_configs for side in sides]
    among = ", ".join(f"{side.row.algorithm} {side.row.n_configs}" for side in sides)
    where = option("view", "equal")
    note = f"the best of more settings is better by that alone: {among}; at equal tuning they are compared by {where}"
    return [note] * (min(counts) < max(counts))


def _crossed(runs: ConfiguredRuns, notes: list[str]) -> ChosenSide:
    """Return an algorithm with one setting, each run judging what the others choose."""
    configs, cells = runs.common, runs.cells()
    if not configs:
        raise DesignError(
            f"no configuration of {runs.name!r} has runs on every task: one setting for all cannot be chosen; leave out tasks, or run one."
        )
    notes += runs.left_out
    estimate, parts, freedom = cross_fitted(orders_of(cells), chosen_for_all)
    # The choice of all runs is what is reported; each of the folds may choose another.
    best = int(np.mean([[cell.mean() for cell in task] for task in cells], axis=0).argmax())
    row = ChosenRow(
        algorithm=runs.name, config=configs[best], n_configs=len(configs), estimate=estimate, low=None, high=None
    )
    return ChosenSide(row=row, parts=parts, freedom=freedom, pooled=np.zeros(1), pooled_freedom=np.ones(1))


def _in_unit_of(sweep: SweepRuns, fresh: Scores) -> Scores:
    """Return the fresh runs on the tasks of the sweep, in its unit; refuse those that came in another one."""
    there, here = sweep.scores.provenance.reference, fresh.provenance.reference
    if there != here:
        raise DesignError(
            f"the sweep is {_normalised(there)}, and the fresh runs are {_normalised(here)}: normalise both alike, or neither."
        )
    tasks = [task for task in fresh.tasks if task in sweep.tasks]
    return in_unit_of(fresh.select(tasks=tasks), sweep.scores, sweep.scale) if tasks else fresh


def _normalised(reference: str | None) -> str:
    return "not normalised" if reference is None else f"normalised by {reference.split(';')[0]}"


def _chosen(runs: ConfiguredRuns, tasks: Sequence[str], *, per_task: bool) -> list[str]:
    """Return the configuration that the sweep chose for each task."""
    means = [{config: float(values.mean()) for config, values in of_task.items()} for of_task in runs.by_task]
    if per_task:
        return [max(of_task, key=of_task.__getitem__) for of_task in means]
    over_tasks = {config: float(np.mean([of_task[config] for of_task in means])) for config in runs.common}
    return [max(over_tasks, key=over_tasks.__getitem__)] * len(tasks)


def _judged(
    runs: ConfiguredRuns, chosen: Sequence[str], fresh: Scores, tasks: Sequence[str], *, per_task: bool
) -> ChosenSide:
    """Return an algorithm with the settings of the sweep, judged by fresh runs of them; refuse fresh runs of other settings."""
    cells = [_fresh_runs(fresh, runs, task, config) for task, config in zip(tasks, chosen, strict=True)]
    n_tasks = len(cells)
    errors = np.array([cell.var(ddof=1) / cell.size for cell in cells]) / n_tasks**2
    own = [pooled_error(list(of_task.values()), cell.size) for of_task, cell in zip(runs.by_task, cells, strict=True)]
    row = ChosenRow(
        algorithm=runs.name,
        config="" if per_task else chosen[0],
        n_configs=min(map(len, runs.by_task)),
        estimate=float(np.mean([cell.mean() for cell in cells])),
        low=None,
        high=None,
    )
    return ChosenSide(
        row=row,
        parts=errors,
        freedom=np.array([cell.size - 1.0 for cell in cells]),
        pooled=np.array([error for error, _ in own]) / n_tasks**2,
        pooled_freedom=np.array([freedom for _, freedom in own]),
    )


def _fresh_runs(fresh: Scores, runs: ConfiguredRuns, task: str, config: str) -> Floats:
    """Return the fresh runs of a chosen setting; refuse where there are fewer than two, or of another setting."""
    algorithm = runs.name
    where = f"algorithm {algorithm!r} on task {task!r}"
    if algorithm not in fresh.algorithms or task not in fresh.tasks:
        raise DesignError(
            f"{option('judged')} has no runs of {where}: train the chosen setting {config!r} again there."
        )
    labels, values = fresh.labelled(fresh.algorithms.index(algorithm), fresh.tasks.index(task))
    refuse_unchosen(where, runs, config, fresh, labels)
    if len(values) < 2:
        raise DesignError(
            f"{option('judged')} has {len(values)} run(s) of {where}: two or more of setting {config!r} are needed."
        )
    return values


# ── laws ──────────


def _law(value: float, sides: Sequence[ChosenSide]) -> Law:
    """Return the law of an algorithm, or of a lead: the wider of its runs' and, of fresh runs, that of all settings' runs pooled."""
    own = [np.concatenate([side.parts for side in sides]), np.concatenate([side.freedom for side in sides])]
    pool = [np.concatenate([side.pooled for side in sides]), np.concatenate([side.pooled_freedom for side in sides])]
    return Law(value, tuple(t_law(parts, freedom, 0.0) for parts, freedom in (own, pool) if parts.sum() > 0))


def _row(side: ChosenSide, level: float) -> ChosenRow:
    row = side.row
    low, high = _law(row.estimate, [side]).interval(level) or (None, None)
    return ChosenRow(
        algorithm=row.algorithm, config=row.config, n_configs=row.n_configs, estimate=row.estimate, low=low, high=high
    )


def _pair(a: ChosenSide, b: ChosenSide, level: float) -> ChosenPair:
    difference = a.row.estimate - b.row.estimate
    low, high = _law(difference, [a, b]).interval(level) or (None, None)
    verdict: PairVerdict = "no_difference_found"
    if low is not None and high is not None and not low <= 0 <= high:
        verdict = "a_better" if low > 0 else "b_better"
    names = {"a": a.row.algorithm, "b": b.row.algorithm}
    return ChosenPair(**names, difference=difference, low=low, high=high, verdict=verdict)
