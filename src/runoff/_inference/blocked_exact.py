"""The exact conditional null of weighted rank sums, where it fits a stated memory and number of steps.

Rank sums are kept as small integers: within a task, scores are shifted to start at 0 and divided by what they share
(by 2 where there are no ties). Tasks with commensurable weights share one lattice; otherwise each distinct weight has
its own digits, whichever lattice is smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from runoff._inference.blocked_design import Blocks, Form
from runoff._inference.blocked_null import SIDES, Pvalue
from runoff._kernels import exact_blocked as kernels

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

EXACT_MEMORY = 256 * 2**20
"""Bytes that an exact null distribution may take: two arrays of float64."""
EXACT_STEPS = 2 * 10**9
"""Multiplications that an exact null distribution may take: about two seconds."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task's scores and counts on their own small lattice.

    scores: (q,) from 0; counts: (k,); rank sum = base + step · sum of scores; least, most: (k − 1,) smallest and
    largest sum of each algorithm but the last.
    """

    scores: IntArray
    counts: IntArray
    step: int
    base: IntArray
    least: IntArray
    most: IntArray

    @property
    def cells(self) -> int:
        """States of the dynamic programme."""
        return int(np.prod(self.most + 1.0) * np.prod(self.counts[:-1] + 1.0))

    @property
    def steps(self) -> int:
        return self.cells * self.scores.size * (self.counts.size - 1)

    @property
    def key(self) -> bytes:
        return self.scores.tobytes() + self.counts.tobytes()


@dataclass(frozen=True, slots=True)
class Lattice:
    """Mixed-radix keys of the total: one digit for every (class of tasks, algorithm but the last).

    classes: (n_tasks,); steps: (n_classes,); radix: (n_classes, k − 1).
    """

    classes: IntArray
    steps: IntArray
    radix: IntArray

    @property
    def size(self) -> int:
        return prod(self.radix.ravel().tolist())

    @property
    def strides(self) -> IntArray:
        flat = np.concatenate([np.ones(1, np.int64), np.cumprod(self.radix.ravel()[:-1])])
        return flat.reshape(self.radix.shape)


def exact(blocks: Blocks, form: Form, alternative: str) -> Pvalue | None:
    """Return the exact conditional p-value, or None where it is not affordable."""
    if form.df == 0:
        return Pvalue(1.0, 0.0, "exact")
    tasks = [_task(blocks, i) for i in range(blocks.tasks.size)]
    distinct = {task.key: task for task in tasks}.values()
    if max(16 * task.cells for task in distinct) > EXACT_MEMORY or sum(task.steps for task in distinct) > EXACT_STEPS:
        return None
    lattice = min((_lattice(tasks, form.units, way) for way in _classings(form.units)), key=lambda way: way.size)
    if 16 * lattice.size > EXACT_MEMORY:
        return None
    mass = _convolved(tasks, form.units, lattice)
    if mass is None:
        return None
    base = np.sum([u * (t.base + t.step * t.least) for u, t in zip(form.units.tolist(), tasks, strict=True)], axis=0)
    return Pvalue(min(_tail(mass, lattice, base, form, alternative), 1.0), 0.0, "exact")


def _task(blocks: Blocks, i: int) -> Task:
    ranks = np.sort(blocks.ranks[blocks.starts[i] : blocks.starts[i + 1]])
    counts = blocks.counts[i]
    step = max(gcd(*(ranks - ranks[0]).tolist()), 1)
    scores = (ranks - ranks[0]) // step
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(scores)])
    return Task(
        scores=scores,
        counts=counts,
        step=step,
        base=counts[:-1] * ranks[0],
        least=running[counts[:-1]],
        most=running[-1] - running[scores.size - counts[:-1]],
    )


def _classings(units: IntArray) -> list[IntArray]:
    """Return the ways to put tasks into classes: all in one, or one class for every weight."""
    ways = [np.zeros(units.size, np.int64)]
    if np.unique(units).size > 1:
        ways.append(np.unique(units, return_inverse=True)[1].astype(np.int64))
    return ways


def _lattice(tasks: list[Task], units: IntArray, classes: IntArray) -> Lattice:
    """Return the lattice on which every task's step is a whole number of its class's steps."""
    n_classes = int(classes.max()) + 1
    own = [int(u) * t.step for u, t in zip(units, tasks, strict=True)]
    steps = [gcd(*(s for s, c in zip(own, classes, strict=True) if c == i)) for i in range(n_classes)]
    radix: list[list[int]] = [[1] * tasks[0].least.size for _ in range(n_classes)]
    for task, s, c in zip(tasks, own, classes.tolist(), strict=True):
        for j, spread in enumerate((task.most - task.least).tolist()):
            radix[c][j] = min(radix[c][j] + spread * (s // steps[c]), 2**40)
    return Lattice(classes, np.array(steps, np.int64), np.array(radix, np.int64))


def _convolved(tasks: list[Task], units: IntArray, lattice: Lattice) -> FloatArray | None:
    """Return the probability of every key, or None where that takes too many steps."""
    known = {task.key: _atoms(task) for task in {task.key: task for task in tasks}.values()}
    order = np.argsort([task.most.sum() for task in tasks], kind="stable").tolist()
    parts = [
        (int(units[i]) * tasks[i].step // int(lattice.steps[c]) * (known[tasks[i].key][0] @ lattice.strides[c]), i)
        for i, c in zip(order, lattice.classes[order].tolist(), strict=True)
    ]
    tops = np.concatenate([[0], np.cumsum([keys.max() for keys, _ in parts])]).tolist()
    if sum(keys.size * (top + 1) for (keys, _), top in zip(parts, tops, strict=False)) > EXACT_STEPS:
        return None
    mass, spare = np.zeros(lattice.size), np.zeros(lattice.size)
    mass[0] = 1.0
    for (keys, i), top in zip(parts, tops, strict=False):
        kernels.convolve(mass, top, keys, known[tasks[i].key][1], spare)
        mass, spare = spare, mass
    return mass


def _atoms(task: Task) -> tuple[IntArray, FloatArray]:
    """Return the possible sums (m, k − 1), less their least, and their probabilities."""
    ways = kernels.assignment_counts(task.scores, task.counts, task.most + 1)
    keys = np.flatnonzero(ways)
    digits = np.stack(np.unravel_index(keys, tuple((task.most + 1).tolist()), order="F"), axis=1).astype(np.int64)
    return digits - task.least, ways[keys] / ways.sum()


def _tail(mass: FloatArray, lattice: Lattice, base: IntArray, form: Form, alternative: str) -> float:
    """Return the probability of sums as extreme as the observed."""
    if lattice.radix.size == 1:
        side = SIDES[alternative]
        observed = int(form.totals[0]) if side else abs(int(form.totals[0]))
        return float(kernels.line_tail(mass, int(base[0]), int(lattice.steps[0]), observed, side))
    free = lattice.radix.shape[1]
    return float(
        kernels.lattice_tail(
            mass,
            lattice.radix.ravel(),
            np.repeat(lattice.steps, free),
            np.tile(np.arange(free), len(lattice.steps)),
            base.astype(np.int64),
            form.matrix,
            form.threshold(),
            SIDES[alternative],
            int(form.totals[0]),
        )
    )
