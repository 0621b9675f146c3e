"""Replicates of a function of arrays: by kernels where the function is made of rliable's metrics alone, by calling it where it is not.

Both ways make the same resamples, so that the way changes no number by more than rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff._inference.bootstrap import Array, Source, accelerations, reduced, reduced_improvement, resamples, source
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.compat.rliable._recognise import Recognised, recognise
from runoff.errors import OptionError

Func = Callable[..., Any]

FEWEST_OTHERS, EVALUATIONS = 20, 20_000
"""The acceleration of a function that is called: others that take the place of each run, and about how many calls."""


@dataclass(frozen=True, slots=True)
class Work:
    """A function and the arrays it is called with; `known`: what it was recognised as, and the float64 arrays that kernels reduce."""

    func: Func
    given: Source
    known: tuple[Recognised, Source] | None

    def replicates(self, n_resamples: int) -> Floats:
        """Return (n_resamples, n_values)."""
        if self.known is None:
            return called(self.func, self.given, n_resamples)
        found, floats = self.known
        if found.parts:
            return reduced(floats, found.parts, n_resamples)
        drawn = reduced_improvement(floats, n_resamples)
        return np.repeat(drawn[:, None], found.n_values, axis=1)

    def acceleration(self) -> Floats:
        """Return BCa's acceleration of each value, (n_values,)."""
        if self.known is not None and self.known[0].parts and len(self.given.arrays[0]) > 1:
            found = accelerations(self.known[1], self.known[0].parts)
            if found is not None:
                return found
        return exchanged(self.func, self.given.arrays)


def prepare(func: Func, arrays: Sequence[Array], streams: Streams, *, over_tasks: bool) -> Work:
    """Return what is to be computed, and how."""
    floats = source([np.asarray(array, dtype=np.float64) for array in arrays], streams, over_tasks=over_tasks)
    found = recognise(func, floats)
    known = None if found is None else (found, floats)
    return Work(func, source(arrays, streams, over_tasks=over_tasks), known)


def called(func: Func, given: Source, n_resamples: int) -> Floats:
    """Return replicates (n_resamples, n_values) by calling the function with every resample."""
    return stacked(values(func(*arrays)) for arrays in resamples(given, n_resamples))


def of_copies(func: Func, arrays: Sequence[Array], **named: Any) -> Any:
    """Return what a function gives of arrays, which it may change."""
    return func(*(array.copy() for array in arrays), **named)


def stacked(rows: Iterable[Floats]) -> Floats:
    """Return rows (n_values,) below each other, refusing those of another length."""
    found = list(rows)
    sizes = {row.size for row in found}
    if len(sizes) > 1:
        raise OptionError(
            f"func must return as many values for every resample, not {' or '.join(map(str, sorted(sizes)))}."
        )
    return np.array(found)


def values(result: Any) -> Floats:
    """Return what a function gave as float64 (n_values,)."""
    try:
        found = np.asarray(result, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"func must return a number or a one-dimensional array of numbers, but {error}.") from error
    if found.ndim > 1 or not found.size:
        raise OptionError(
            f"func must return a number or a one-dimensional array of numbers, not an array of shape {found.shape}."
        )
    return np.atleast_1d(found)


def exchanged(func: Func, arrays: Sequence[Array], *, together: bool = False) -> Floats:
    """Return the acceleration of a function of arrays, which may not be called with a run less: other runs of the task take the place of each.

    With influence values l of a task of c runs, a linear function changes by (l_j - l_i) / c when run j takes the place of run i, on
    average over the others by -l_i / (c - 1). a = Σ l³/c³ / (6 (Σ l²/c²)^{3/2}) over all runs (Davison & Hinkley 1997, eq. 5.31 and §5.4).
    together: run i of a task is one run in all arrays.
    """
    own = values(of_copies(func, arrays))
    cubes, squares = np.zeros((2, own.size))
    sides = [range(len(arrays))] if together else [[side] for side in range(len(arrays))]
    total = sum(arrays[side[0]].shape[0] * arrays[side[0]].shape[1] for side in sides)
    for side in sides:
        n_runs, n_tasks = arrays[side[0]].shape[:2]
        most = min(n_runs - 1, max(FEWEST_OTHERS, EVALUATIONS // total))
        shifts = np.unique(np.linspace(1, n_runs - 1, most).astype(int)).tolist()
        for task in range(n_tasks) if n_runs > 1 else ():
            changes = stacked(_exchange(func, arrays, side, (run, task), shifts) - own for run in range(n_runs))
            influence = -(n_runs - 1) / n_runs * (changes - changes.mean(axis=0))
            cubes += (influence**3).sum(axis=0)
            squares += (influence**2).sum(axis=0)
    found: Floats = np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0)
    return found


def _exchange(
    func: Func, arrays: Sequence[Array], sides: Sequence[int], place: tuple[int, int], shifts: Sequence[int]
) -> Floats:
    """Return the mean of the function with other runs of the task in the place of one."""
    run, task = place
    found = []
    for shift in shifts:
        changed = list(arrays)
        for side in sides:
            changed[side] = arrays[side].copy()
            changed[side][run, task] = arrays[side][(run + shift) % len(arrays[side]), task]
        found.append(values(of_copies(func, changed)))
    mean: Floats = np.mean(found, axis=0)
    return mean
