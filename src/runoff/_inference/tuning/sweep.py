"""The runs of a sweep by algorithm, task and configuration; units in which tasks are averaged; levels of the settings of configurations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._inference.pairs import one_unit
from runoff.base.arrays import Floats, read_only
from runoff.base.validate import check_choice
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.tables.equal import ConfigSettings
from runoff.words.names import ScaleName
from runoff.words.speech import call, choice

SCALES: tuple[ScaleName, ...] = ("auto", "none", "percentile", "cdf")
LOWEST, HIGHEST = 5, 95
"""The percentiles of all runs of a task that become 0 and 1 (Adkins et al. 2024)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredRuns:
    """The runs of each configuration of an algorithm, by task; the settings of each configuration, by its label."""

    name: str
    by_task: tuple[Mapping[str, Floats], ...]
    settings: Mapping[str, ConfigSettings]

    @property
    def common(self) -> tuple[str, ...]:
        """The configurations that have runs on every task."""
        return tuple(config for config in self.by_task[0] if all(config in runs for runs in self.by_task))

    @property
    def left_out(self) -> list[str]:
        """What is noted of configurations that lack runs on some task."""
        n = len({config for of_task in self.by_task for config in of_task}) - len(self.common)
        return [f"{n} configuration(s) of {self.name} without runs on some task are left out"] * (n > 0)

    def cells(self) -> list[list[Floats]]:
        """Return the runs of the common configurations on each task."""
        return [[runs[config] for config in self.common] for runs in self.by_task]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRuns:
    """The runs of all algorithms on the tasks that all have, in one unit; `scale`: what made it one; notes on what was left out.

    scores: the same runs in the units that they came in, by which fresh runs come to this unit.
    """

    algorithms: tuple[ConfiguredRuns, ...]
    tasks: tuple[str, ...]
    scale: ScaleName
    notes: tuple[str, ...]
    scores: Scores


def read_sweep(scores: Scores, scale: ScaleName, *, fewest: int = 2) -> SweepRuns:
    """Return the runs of a sweep; refuse scores without configurations, tasks that algorithms do not share, configurations of too few runs."""
    check_choice("scale", scale, SCALES)
    if any(caveat.code == "R036" for caveat in scores.provenance.caveats):
        variants = choice("data.variants()", "--variants")
        raise DesignError(
            f"{variants} treats each configuration as an algorithm, so that nothing is tuned: leave it out."
        )
    if not scores.sampling.configs:
        column = choice("config='COLUMN', or from_frame(config=)", "--columns settings=COLUMN")
        raise DesignError(
            f"no algorithm has runs of two configurations on one task, so that nothing is tuned: {call('compare')} compares them, or name "
            f"the column that holds settings, {column}."
        )
    tasks = tuple(task for task, n in zip(scores.tasks, scores.n_runs.min(axis=0).tolist(), strict=True) if n)
    if not tasks:
        raise DesignError(
            "no task has runs of all algorithms: choose algorithms that share a task (select, --algorithms)."
        )
    chosen = scores if len(tasks) == scores.n_tasks else scores.select(tasks=tasks)
    if scores.sampling.shared and len(tasks) > 1:
        raise DesignError(
            f"tuning sets single runs aside, and these are shared by {len(tasks)} tasks: choose one task "
            f"({choice('data.select(tasks=…)', '--tasks')})."
        )
    if scale == "auto":
        scale = "none" if one_unit(chosen) else "percentile"
    left_out = [task for task in scores.tasks if task not in tasks]
    notes = [f"tasks without runs of some algorithm are left out: {', '.join(left_out)}"] if left_out else []
    notes += [WORDS[scale]] if scale in WORDS else []
    unit = in_one_unit(chosen, scale)
    runs = tuple(_configured(unit, name, fewest) for name in unit.algorithms)
    return SweepRuns(algorithms=runs, tasks=tasks, scale=scale, notes=tuple(notes), scores=chosen)


WORDS: Mapping[str, str] = {
    "percentile": f"scores are scaled on each task so that percentiles {LOWEST} and {HIGHEST} of all runs are 0 and 1 (Adkins et al. 2024)",
    "cdf": "scores are shares of runs that a run is above, on each task, the mean over algorithms (Patterson et al. 2024)",
}


def in_one_unit(scores: Scores, scale: ScaleName) -> Scores:
    """Return the scores with each task in the unit of its runs: by percentiles of all, or by the share of runs below."""
    return in_unit_of(scores, scores, scale)


def in_unit_of(scores: Scores, sweep: Scores, scale: ScaleName) -> Scores:
    """Return scores on tasks of a sweep in the unit that the runs of the sweep give each task."""
    if scale == "none":
        return scores
    values = scores.values.copy()
    for t, task in enumerate(scores.tasks):
        cells = [sweep.cell(a, sweep.tasks.index(task)) for a in range(sweep.n_algorithms)]
        low, high = np.percentile(np.concatenate(cells), (LOWEST, HIGHEST))
        if scale == "percentile" and high <= low:
            raise DesignError(
                f"all runs on task {task!r} have one score ({low:g}) up to single ones: leave the task out."
            )
        for a in range(scores.n_algorithms):
            at = a * scores.n_tasks + t
            own = slice(scores.offsets[at], scores.offsets[at + 1])
            runs = scores.values[own]
            values[own] = (runs - low) / (high - low) if scale == "percentile" else _shares_below(runs, cells)
    origin = scores.provenance.treating(WORDS[scale].removeprefix("scores are "))
    return replace(scores, values=read_only(values), provenance=origin)


def _shares_below(runs: Floats, cells: Sequence[Floats]) -> Floats:
    """Return of each run the share of an algorithm's runs strictly below it, the mean over algorithms: of runs, never of means."""
    shares: Floats = np.mean([np.searchsorted(np.sort(own), runs, side="left") / own.size for own in cells], axis=0)
    return shares


def _configured(scores: Scores, algorithm: str, fewest: int) -> ConfiguredRuns:
    """Return the runs of each configuration on each task; refuse one of too few runs."""
    of_run, a, by_task = dict(scores.sampling.configs), scores.algorithms.index(algorithm), []
    for t, task in enumerate(scores.tasks):
        runs: dict[str, list[float]] = defaultdict(list)
        for label, value in zip(*scores.labelled(a, t), strict=True):
            if label not in of_run:
                raise DesignError(
                    f"run {label!r} of {algorithm!r} lost its configuration when names were merged; leave out {choice('merge=True', '--merge')}."
                )
            runs[of_run[label]].append(float(value))
        single = [name for name, values in runs.items() if len(values) < fewest]
        if single:
            more = f", as {len(single) - 1} more have" if len(single) > 1 else ""
            raise DesignError(
                f"configuration {single[0]!r} of algorithm {algorithm!r} has one run on task {task!r}{more}: a run that selects is no "
                "evidence, so that each needs two runs or more, one to be judged by; run it again, or leave it out."
            )
        by_task.append({name: np.array(values) for name, values in runs.items()})
    settings = {config: scores.sampling.settings_of(config) for runs in by_task for config in runs}
    return ConfiguredRuns(name=algorithm, by_task=tuple(by_task), settings=settings)


# ── settings of configurations ──────────


def levels_of(configs: Sequence[ConfigSettings]) -> tuple[tuple[str, ...], NDArray[np.integer[Any]]] | None:
    """Return the settings in which configurations differ, and the level of each in each configuration, (K, D); None where they name none.

    A setting that some of them lack has a level for that.

    >>> levels_of([{"lr": "0.1", "width": "8"}, {"lr": "0.1", "width": "16"}])[1].tolist()
    [[1], [0]]
    """
    names = dict.fromkeys(name for config in configs for name in config)
    columns = {name: np.unique([config.get(name, "") for config in configs], return_inverse=True)[1] for name in names}
    varied = [name for name, own in columns.items() if own.max() > 0]
    # What follows from another setting that comes with several values of others is no dimension of its own.
    repeated = [name for name in varied if np.bincount(columns[name]).min() > 1]
    follows = {name for name in varied for source in repeated if _follows(columns, name, source)}
    varied = [name for name in varied if name not in follows]
    return (tuple(varied), np.array([columns[name] for name in varied]).T) if varied else None


def _follows(columns: Mapping[str, NDArray[np.integer[Any]]], name: str, source: str) -> bool:
    """Return whether a setting has one value for each of another one; of two that do so of each other, the second does."""
    values, of_source = columns[name], columns[source]
    pairs = {*zip(values.tolist(), of_source.tolist(), strict=True)}
    names = list(columns)
    mutual = len(pairs) == values.max() + 1
    return (
        len(pairs) == of_source.max() + 1 and name != source and (not mutual or names.index(source) < names.index(name))
    )
