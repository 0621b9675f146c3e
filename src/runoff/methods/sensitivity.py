"""How much does an algorithm need tuning per task?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import Law, t_law
from runoff._inference.tuning import (
    CellMeans,
    ConfiguredRuns,
    SweepRuns,
    chosen_for_all,
    chosen_per_task,
    cross_fitted,
    dimensions,
    is_grid,
    levels_of,
    orders_of,
    region,
    smallest_set,
    surfaces,
    tuned,
    with_one,
)
from runoff.answer.sensitivity import SensitivityPair, SensitivityResult, SensitivityRow
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.speech import option

DRAWS = 2000
"""Draws of the surface of an algorithm."""
OF_DIMENSION = 400
"""The number of these draws for the dimension, which considers every subset of settings."""
MOST_SETTINGS = 10
"""The most settings whose subsets are all looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """An algorithm's row, and draws of its sensitivity; None where a cell has one run."""

    row: SensitivityRow
    draws: Floats | None


def sensitivity(sweep: SweepRuns, scores: Scores, *, alpha: float, streams: Streams) -> SensitivityResult:
    """Return the sensitivity of each algorithm in a sweep, its dimension, and the pairs in which one is more sensitive."""
    if len(sweep.tasks) < 2:
        raise DesignError(
            "sensitivity is what tuning on each task gains over one setting for all, of two tasks or more; which settings matter on one task "
            f"is told by {option('view', 'importance')}."
        )
    notes = list(sweep.notes)
    draws = (streams.block("surfaces", place) for place in range(len(sweep.algorithms)))
    sides = [_drawn(runs, sweep, draw, alpha, notes) for runs, draw in zip(sweep.algorithms, draws, strict=True)]
    n_pairs = len(list(combinations(sides, 2)))
    level = 1 - alpha / max(n_pairs, 1)
    return SensitivityResult(
        rows=tuple(side.row for side in sides),
        pairs=tuple(_pair(a, b, level) for a, b in permutations(sides, 2)),
        tasks=sweep.tasks,
        alpha=alpha,
        confidence_level=1 - alpha,
        pair_level=level,
        seed=streams.seed,
        notes=tuple(notes),
        advice=rules.collected(*rules.about_data(scores)),
    ).with_origin(scores)


def _drawn(runs: ConfiguredRuns, sweep: SweepRuns, draw: np.random.Generator, alpha: float, notes: list[str]) -> Drawn:
    cells, n_configs = runs.cells(), len(runs.common)
    if n_configs < 2:
        raise DesignError(
            f"{runs.name!r} has {n_configs} configuration(s) with runs on every task: sensitivity needs two or more; leave the algorithm or the "
            "tasks out that lack them."
        )
    notes += runs.left_out
    means = np.array([[cell.mean() for cell in task] for task in cells])
    row = SensitivityRow(
        algorithm=runs.name,
        n_configs=n_configs,
        tuned=float(tuned(means)),
        one_setting=float(with_one(means)),
        plug_in=float(tuned(means) - with_one(means)),
    )
    if min(cell.size for task in cells for cell in task) < 2:
        untold = "no interval, and its sensitivity is that of the means as they are, which cannot be distinguished from noise"
        notes.append(f"{runs.name} has settings with one run: {untold}")
        return Drawn(row=row, draws=None)
    surface = surfaces(CellMeans.of(cells), DRAWS, draw)
    phi = np.maximum(tuned(surface) - with_one(surface), 0.0)
    low, high = _around(phi, 1 - alpha)
    # Over the algorithms: that one of several needs tuning is said falsely in alpha of sweeps at most.
    gain, gain_low, gain_high = _gain(cells, 1 - alpha / len(sweep.algorithms))
    chances = _chances(surface, sweep, runs, notes)
    measured = replace(row, tuned=float(tuned(surface).mean()), one_setting=float(with_one(surface).mean()))
    measured = replace(measured, estimate=float(phi.mean()), low=low, high=high)
    measured = replace(measured, gain=gain, gain_low=gain_low, gain_high=gain_high)
    measured = replace(measured, needs_tuning=gain_low is not None and gain_low > 0)
    fewest = smallest_set(chances) if chances.size else ()
    return Drawn(row=replace(measured, dimensions=fewest, dimension_chances=tuple(chances.tolist())), draws=phi)


def _around(draws: Floats, level: float) -> tuple[float, float]:
    """Return the quantiles of draws, with their mean between: that of draws of which few are above 0 lies outside."""
    low, high = np.quantile(draws, ((1 - level) / 2, (1 + level) / 2)).tolist()
    mean = float(draws.mean())
    return min(low, mean), max(high, mean)


def _gain(cells: list[list[Floats]], level: float) -> tuple[float, float | None, float | None]:
    """Return what as many runs gain by choosing on each task, on runs that did not choose, with its interval."""
    value, parts, freedom = cross_fitted(orders_of(cells), lambda runs: chosen_per_task(runs) - chosen_for_all(runs))
    law = Law(value, (t_law(parts, freedom, 0.0),) if parts.sum() > 0 else ())
    return value, *(law.interval(level) or (None, None))


def _chances(surface: Floats, sweep: SweepRuns, runs: ConfiguredRuns, notes: list[str]) -> Floats:
    """Return the chance of each number of settings that have to be tuned per task; empty where the labels name none, or the zero is no one's."""
    levels = levels_of([runs.settings[config] for config in runs.common])
    # A share of the performance depends on where 0 is: percentiles have theirs from the paper.
    if levels is None or sweep.scale != "percentile":
        return np.empty(0)
    names, of_config = levels
    if len(names) > MOST_SETTINGS:
        notes.append(f"{runs.name} has {len(names)} settings: the dimension is computed of up to {MOST_SETTINGS}")
        return np.empty(0)
    if not is_grid(of_config):
        notes.append(
            f"the settings of {runs.name} are no full grid: no dimension, because the others cannot be kept fixed while some are tuned"
        )
        return np.empty(0)
    counts = np.bincount(dimensions(surface[:OF_DIMENSION], of_config), minlength=len(names) + 1)
    chances: Floats = counts / counts.sum()
    return chances


def _pair(a: Drawn, b: Drawn, level: float) -> SensitivityPair:
    """Return the region of a relative to b, and the algorithm shown to be more sensitive; the draws of each contain its own noise, so that
    noise favours neither."""
    names = a.row.algorithm, b.row.algorithm
    phi_a, phi_b = (side.row.plug_in if side.row.estimate is None else side.row.estimate for side in (a, b))
    where = region(a.row.tuned - b.row.tuned, phi_a - phi_b)
    if a.draws is None or b.draws is None:
        difference = phi_a - phi_b
        return SensitivityPair(
            a=names[0], b=names[1], difference=difference, low=None, high=None, more_sensitive="", region=where
        )
    low, high = _around(a.draws - b.draws, level)
    more = names[0] if low > 0 else names[1] if high < 0 else ""
    return SensitivityPair(
        a=names[0], b=names[1], difference=phi_a - phi_b, low=low, high=high, more_sensitive=more, region=where
    )
