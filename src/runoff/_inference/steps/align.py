"""Learning curves on one grid of steps: aligned by step, interpolated within each run, never beyond its ends but by a named policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import numpy as np

from runoff._inference.bootstrap import of_two_values
from runoff.base.arrays import Bools, Floats, Ints, NestedCells
from runoff.base.bounds import refuse_beyond
from runoff.base.validate import check_count
from runoff.data.curves import Curves
from runoff.data.ends import TOLERANCE, RunEnds, Treatment, lowest_of_task, treat
from runoff.data.provenance import Provenance
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.names import Incomplete
from runoff.words.speech import choice

MOST = 200
"""Steps of a grid that was not asked for."""
Steps = int | Sequence[float] | None


@dataclass(frozen=True, kw_only=True)
class Aligned:
    """Curves on one grid. values: (n_curves, n_steps), also of those that are not kept; treated: which are, and the notes on the others."""

    curves: Curves
    steps: Floats
    values: Floats
    treated: Treatment
    notes: tuple[str, ...] = ()

    def rows(self, a: int, t: int) -> Floats:
        """Return the scores (n_runs, n_steps) of one algorithm on one task."""
        return self.values[self._members(a, t)]

    def cells(self, a: int) -> list[Floats]:
        """Return the scores (n_runs, n_steps) of one algorithm on each task that it has."""
        cells = [self.rows(a, t) for t in range(len(self.curves.tasks))]
        return [rows for rows in cells if rows.size]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an answer notes: what aligning did; and where published runs are beside one's own, what is known of them."""
        origin = self.curves.provenance
        return (*(origin.notes if origin.published else ()), *self.notes, *self.treated.notes)

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1, of all steps: at one of them all runs may happen to score 0."""
        return of_two_values([self.values[self.treated.kept]])

    def scores(self, at: int) -> Scores:
        n_tasks = len(self.curves.tasks)
        grid: NestedCells = {}
        for cell in range(self.curves.cell_offsets.size - 1):
            members = self._members(*divmod(cell, n_tasks))
            if members.size:
                grid[divmod(cell, n_tasks)] = [self.curves.run_labels[i] for i in members], self.values[members, at]
        what = f"its learning curve at {self.curves.axis} {self.steps[at]:.10g}, interpolated linearly"
        return Scores.from_grid(
            self.curves.algorithms, self.curves.tasks, grid, self.provenance.scored(what), self.curves.sampling
        )

    @cached_property
    def last(self) -> Scores:
        """Return the scores at the last step: which algorithms, tasks and runs there are."""
        return self.scores(self.steps.size - 1)

    @cached_property
    def provenance(self) -> Provenance:
        """Return the origin with what aligning did."""
        origin = self.curves.provenance.noting(*self.notes, *self.treated.notes)
        return origin.warning_of(*self.treated.caveats, *self.curves.twins())

    def _members(self, a: int, t: int) -> Ints:
        cell = a * len(self.curves.tasks) + t
        start, stop = self.curves.cell_offsets[cell : cell + 2].tolist()
        return np.asarray(start + np.flatnonzero(self.treated.kept[start:stop]))


def align(curves: Curves, *, steps: Steps = None, incomplete: Incomplete = "error", most: int | None = MOST) -> Aligned:
    """Return curves on one grid of steps; curves that do not overlap, or that the policy refuses, are refused.

    steps: the steps; so many of them, evenly spaced over what all runs have; None: those at which all runs were evaluated, else those of
    the run that was evaluated least often, at most `most` of them. incomplete: of runs that ended early; see `Curves.final`.
    """
    if isinstance(steps, int | np.integer):
        _refuse_many(curves, int(steps))
    grid = None if steps is None or isinstance(steps, int | np.integer) else _checked(steps)
    ends = curves.ends(None if grid is None else float(grid[-1]), along=True)
    if grid is not None:
        _refuse_outside(curves, ends, grid)
    elif incomplete in ("error", "auto"):
        _overlap(curves, ends, np.ones_like(ends.last, np.bool_), np.ones_like(ends.last, np.bool_))
    treated = treat(ends, incomplete)
    ends = replace(ends, due=treated.due)
    notes: list[str] = []
    if grid is None:
        grid = _grid(curves, ends, treated, wanted=steps, most=most, notes=notes)
    _refuse_many(curves, grid.size)
    # Within each run alone: a run's curve never borrows from another's.
    values = np.array([np.interp(grid, *curves.curve(i)) for i in range(len(curves.run_labels))])
    values = lowest_of_task(values, treated.lowest, curves.cells() % len(curves.tasks))
    return Aligned(curves=curves, steps=grid, values=values, treated=treated, notes=tuple(notes))


def _refuse_many(curves: Curves, n_steps: int) -> None:
    n = len(curves.run_labels) * n_steps
    refuse_beyond("values", n, f"{len(curves.run_labels)} curves at {n_steps} steps are {n} values")


def _checked(steps: Sequence[float]) -> Floats:
    try:
        grid = np.asarray(steps, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"steps must be numbers, but {error}.") from error
    if grid.ndim != 1 or not grid.size:
        raise OptionError(f"steps must be a sequence of at least one step, not {steps!r}.")
    if not np.isfinite(grid).all():
        raise OptionError(f"steps must be finite numbers; number {int(np.argmin(np.isfinite(grid)))} is not.")
    back = np.flatnonzero(np.diff(grid) <= 0)
    if back.size:
        at = int(back[0])
        raise OptionError(f"steps must increase, but {grid[at + 1]:.10g} follows {grid[at]:.10g}.")
    return grid


def _refuse_outside(curves: Curves, ends: RunEnds, grid: Floats) -> None:
    """Refuse steps before a run's first evaluation, or after the last of every run of a task."""
    # Before its first evaluation nothing is known of a run: np.interp would carry its first score back.
    late = np.flatnonzero(grid[0] < ends.first)
    if late.size:
        i = int(late[np.argmax(ends.first[late])])
        raise DesignError(
            f"{curves.named(i)} was first evaluated at {curves.axis} {ends.first[i]:.10g}, after {grid[0]:.10g}; begin there, or leave the "
            "run out."
        )
    tasks = curves.cells() % len(curves.tasks)
    for t, task in enumerate(curves.tasks):
        longest = ends.last[tasks == t].max(initial=-np.inf)
        if grid[-1] > longest:
            raise DesignError(
                f"no run of task {task!r} was evaluated after {curves.axis} {longest:.10g}, so there is no score at {grid[-1]:.10g}; end there."
            )


def _grid(
    curves: Curves, ends: RunEnds, treated: Treatment, *, wanted: Steps, most: int | None, notes: list[str]
) -> Floats:
    # The grid is that of runs that were not cut short; those that were are carried on by their policy.
    whole = treated.kept & (ends.reached >= 1 - TOLERANCE)
    start, stop = _overlap(curves, ends, treated.kept, whole)
    if wanted is not None:
        n = check_count("steps", wanted, 2)  # type: ignore[arg-type]
        if start < stop:
            return np.linspace(start, stop, n)
    inside = []
    for i in np.flatnonzero(whole):
        own = curves.curve(int(i))[0]
        inside.append(own[(own >= start) & (own <= stop)])
    different = {own.tobytes(): own for own in inside}  # most runs were evaluated at the same steps
    grid: Floats = reduce(np.intersect1d, different.values())
    # Common steps are fewer than any run has: all are then interpolated at those of the run with fewest.
    if grid.size < min(part.size for part in inside):
        grid = min(inside, key=len)
        notes.append(
            f"runs were evaluated at different {plural_of(curves)}: each is interpolated at the {grid.size} of one of them"
        )
    if grid.size < 2:
        raise DesignError(
            "the learning curves share a single evaluation, which is no curve; use aggregate and "
            f"compare{choice(' on curves.final(), or name steps=…', '')}."
        )
    if ends.first[treated.kept].min() < start - TOLERANCE * (stop - start):
        late = _first(curves, treated.kept & (ends.first == start))
        notes.append(f"the curves begin at {curves.axis} {start:.10g}, the first evaluation of {late}")
    if ends.last[whole].max() > stop + TOLERANCE * (stop - start):
        early = _first(curves, whole & (ends.last == stop))
        notes.append(f"the curves end at {curves.axis} {stop:.10g}, the last evaluation of {early}")
    if most is not None and grid.size > most:
        notes.append(
            f"{most} of the {grid.size} {plural_of(curves)} at which runs were evaluated are shown, evenly chosen"
        )
        # Evenly by place, with both ends: steps that were evaluated, not steps between them.
        grid = grid[np.round(np.linspace(0, grid.size - 1, most)).astype(np.int64)]
    return grid


def plural_of(curves: Curves) -> str:
    return "steps" if curves.axis == "step" else f"values of {curves.axis}"


def _first(curves: Curves, which: Bools) -> str:
    """Return the first of some runs, by its names."""
    return curves.named(int(np.flatnonzero(which)[0]))


def _overlap(curves: Curves, ends: RunEnds, kept: Bools, whole: Bools) -> tuple[float, float]:
    """Return the first step that all runs have, and the last that all have that did not end early."""
    start, stop = float(ends.first[kept].max()), float(ends.last[whole].min())
    if start > stop:
        late, early = _first(curves, kept & (ends.first == start)), _first(curves, whole & (ends.last == stop))
        raise DesignError(
            f"the learning curves do not overlap: {late} begins at {curves.axis} {start:.10g}, after {early} ended at {stop:.10g}; are their "
            "steps in one unit?"
        )
    return start, stop
