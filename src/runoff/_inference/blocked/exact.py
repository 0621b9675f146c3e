"""The exact conditional null of weighted rank sums, where it fits a stated memory and number of steps.

Rank sums are kept as small integers: within a task, scores are shifted to start at 0 and divided by what they share
(by 2 where there are no ties). Tasks with commensurable weights share one lattice; otherwise each distinct weight has
its own digits, whichever lattice is smaller.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import exp, gcd, inf, lgamma, prod

import numpy as np

from runoff._inference.blocked.design import Blocks, Form
from runoff._inference.blocked.null import SIDES, Pvalue
from runoff._kernels.blocked import exact as kernels
from runoff._kernels.blocked.exact import Atoms, lower_tail, upper_tail
from runoff.base.arrays import Floats, Ints

EXACT_MEMORY = 256 * 2**20
"""Bytes that an exact null distribution may take: two arrays of float64."""
EXACT_STEPS = 2 * 10**9
"""Multiplications that an exact null distribution may take: about one second."""
FEW_STEPS = 10**7
"""Above this, sums of two algorithms are convolved by Fourier transform. Up to here the direct sum takes milliseconds,
and it adds positive terms only, so that its tails are precise without a tilt."""
MAX_TRANSFORMED = 2 * 10**7
"""Longest transform, in numbers: about two seconds."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task's scores and counts on their own small lattice.

    scores: (q,) from 0; counts: (k,); rank sum = base + step · sum of scores; least, most: (k − 1,) smallest and
    largest sum of each algorithm but the last.
    """

    scores: Ints
    counts: Ints
    step: int
    base: Ints
    least: Ints
    most: Ints

    @property
    def cells(self) -> int:
        """States of the dynamic programme."""
        return int(np.prod(self.most + 1.0) * np.prod(self.counts[:-1] + 1.0))

    @property
    def steps(self) -> int:
        """Additions of the dynamic programme."""
        if self.counts.size > 2:
            return self.cells * self.scores.size * (self.counts.size - 1)
        n, count = self.scores.size, int(self.counts[0])
        running = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.scores)])
        # What `line_counts` visits, a twelfth of the table: to count all of it would refuse designs that are affordable.
        items, chosen = np.meshgrid(np.arange(n), np.arange(count), indexing="ij")
        possible = (chosen <= items) & (chosen >= count - n + items)
        spans = running[items] - running[np.maximum(items - chosen, 0)] - running[chosen] + 1
        return int(spans[possible].sum())

    @property
    def atoms(self) -> float:
        """Largest possible number of different sums."""
        return min(float(np.prod(self.most - self.least + 1.0)), multinomial(self.counts.tolist()))

    @property
    def key(self) -> bytes:
        return self.scores.tobytes() + self.counts.tobytes()


@dataclass(frozen=True, slots=True)
class Lattice:
    """Mixed-radix keys of the total: one digit for every (class of tasks, algorithm but the last).

    classes: (n_tasks,); steps: (n_classes,); radix: (n_classes, k − 1).
    """

    classes: Ints
    steps: Ints
    radix: Ints

    @property
    def size(self) -> int:
        return prod(self.radix.ravel().tolist())

    @property
    def strides(self) -> Ints:
        flat = np.concatenate([np.ones(1, np.int64), np.cumprod(self.radix.ravel()[:-1])])
        return flat.reshape(self.radix.shape)


@dataclass(frozen=True, slots=True)
class RankSumLaw:
    """Probability of every key of the lattice; the sums of key 0 are `base` (k − 1,)."""

    mass: Floats
    lattice: Lattice
    base: Ints


def exact(blocks: Blocks, form: Form, alternative: str) -> Pvalue | None:
    """Return the exact conditional p-value, or None where it is not affordable."""
    if form.df == 0:
        return Pvalue(1.0, 0.0, "exact")
    plan = _plan(blocks, form)
    if plan is None:
        return None
    if plan.lattice.radix.size == 1 and plan.direct_steps > FEW_STEPS:
        value = _line(plan, form, alternative)
    else:
        law = _direct(plan)
        value = None if law is None else _tail(law, form, alternative)
    return None if value is None else Pvalue(min(value, 1.0), 0.0, "exact")


def distribution(blocks: Blocks, form: Form) -> RankSumLaw | None:
    """Return the exact conditional distribution of the weighted rank sums, or None where it is not affordable."""
    plan = _plan(blocks, form)
    return None if plan is None else _direct(plan)


@dataclass(frozen=True, slots=True)
class Plan:
    """Distinct summands: keys (m,), probabilities (m,), number of tasks; and the lattice of their sum."""

    parts: list[Atoms]
    lattice: Lattice
    base: Ints

    @property
    def direct_steps(self) -> int:
        """Multiplications of a convolution task by task."""
        steps, top = 0, 0
        for keys, _, times in self.parts:
            high = int(keys.max())
            steps += keys.size * (times * (top + 1) + high * times * (times - 1) // 2)
            top += high * times
        return steps


def _plan(blocks: Blocks, form: Form) -> Plan | None:
    """Return the summands, or None where a task or the lattice is too large."""
    tasks = [_task(blocks, i) for i in range(blocks.tasks.size)]
    # Without ties all tasks with the same counts are one task, whose assignments are counted once.
    distinct = {task.key: task for task in tasks}
    # 16: two arrays of 8 bytes each, here and for the lattice below.
    if max(16 * task.cells for task in distinct.values()) > EXACT_MEMORY:
        return None
    if sum(task.steps for task in distinct.values()) > EXACT_STEPS:
        return None
    # Weights such as 1/10 and 1/11 share only a fine lattice; digits of their own may need fewer keys.
    lattice = min((_lattice(tasks, form.units, way) for way in _classings(form.units)), key=lambda way: way.size)
    if 16 * lattice.size > EXACT_MEMORY:
        return None
    # Three or more algorithms: at least a tenth of the sums that could occur do, and the last task meets nearly the whole lattice.
    least_steps = max(task.atoms for task in tasks) / 10.0 * lattice.size / len(tasks)
    if lattice.radix.size > 1 and len(tasks) > 1 and least_steps > EXACT_STEPS:
        return None
    units = form.units.tolist()
    base = np.sum([u * (t.base + t.step * t.least) for u, t in zip(units, tasks, strict=True)], axis=0)
    kinds = Counter((t.key, u, c) for t, u, c in zip(tasks, units, lattice.classes.tolist(), strict=True))
    atoms = {key: _atoms(task) for key, task in distinct.items()}
    parts = []
    for (key, u, c), times in kinds.items():
        digits, probabilities = atoms[key]
        scale = u * distinct[key].step // int(lattice.steps[c])
        parts.append((scale * (digits @ lattice.strides[c]), probabilities, times))
    # Smallest first is quickest; ties by content, so that the order of the tasks does not show in the last digits.
    parts.sort(key=lambda part: (int(part[0].max()), part[0].tobytes(), part[1].tobytes(), part[2]))
    return Plan(parts, lattice, base.astype(np.int64))


def multinomial(counts: list[int]) -> float:
    """Return the number of assignments of a task, (Σ c)! / Π c!, or infinity above 10³⁰⁰."""
    log_ways = lgamma(sum(counts) + 1) - sum(lgamma(c + 1) for c in counts)
    return exp(log_ways) if log_ways < 690.0 else inf


def _direct(plan: Plan) -> RankSumLaw | None:
    """Return the probability of every key, or None where that takes too many steps."""
    if plan.direct_steps > EXACT_STEPS:
        return None
    mass, spare, top = np.zeros(plan.lattice.size), np.zeros(plan.lattice.size), 0
    mass[0] = 1.0
    for keys, probabilities, times in plan.parts:
        for _ in range(times):
            kernels.convolve(mass, top, keys, probabilities, spare)
            mass, spare, top = spare, mass, top + int(keys.max())
    return RankSumLaw(mass, plan.lattice, plan.base)


def _line(plan: Plan, form: Form, alternative: str) -> float | None:
    """Return the p-value of two algorithms by tilted Fourier transforms, or None where they are too long."""
    if plan.lattice.size * len(plan.parts) > MAX_TRANSFORMED:
        return None
    base, step, side = int(plan.base[0]), int(plan.lattice.steps[0]), SIDES[alternative]
    observed = int(form.totals[0]) if side else abs(int(form.totals[0]))
    upper = -((base - observed) // step)
    if side == 1:
        return upper_tail(plan.parts, upper)
    if side == -1:
        return lower_tail(plan.parts, (observed - base) // step)
    # Both tails contain the middle then, and would count it twice.
    if observed == 0:
        return 1.0
    return upper_tail(plan.parts, upper) + lower_tail(plan.parts, (-observed - base) // step)


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


def _classings(units: Ints) -> list[Ints]:
    """Return the ways to put tasks into classes: all in one, or one class for every weight."""
    ways = [np.zeros(units.size, np.int64)]
    if np.unique(units).size > 1:
        ways.append(np.unique(units, return_inverse=True)[1].astype(np.int64))
    return ways


def _lattice(tasks: list[Task], units: Ints, classes: Ints) -> Lattice:
    """Return the lattice on which every task's step is a whole number of its class's steps."""
    n_classes = int(classes.max()) + 1
    own = [int(u) * t.step for u, t in zip(units, tasks, strict=True)]
    steps = [gcd(*(s for s, c in zip(own, classes, strict=True) if c == i)) for i in range(n_classes)]
    radix: list[list[int]] = [[1] * tasks[0].least.size for _ in range(n_classes)]
    for task, s, c in zip(tasks, own, classes.tolist(), strict=True):
        for j, spread in enumerate((task.most - task.least).tolist()):
            # Capped far above what memory allows, before fixed-point weights overflow 64 bits.
            radix[c][j] = min(radix[c][j] + spread * (s // steps[c]), 2**40)
    return Lattice(classes, np.array(steps, np.int64), np.array(radix, np.int64))


def _atoms(task: Task) -> tuple[Ints, Floats]:
    """Return the possible sums (m, k − 1), less their least, and their probabilities."""
    if task.counts.size == 2:
        ways = kernels.line_counts(task.scores, int(task.counts[0]))
    else:
        ways = kernels.assignment_counts(task.scores, task.counts, task.most + 1)
    keys = np.flatnonzero(ways)
    # Order "F": the first algorithm has the fastest digit, as in `assignment_counts` and in the strides of a lattice.
    digits = np.stack(np.unravel_index(keys, tuple((task.most + 1).tolist()), order="F"), axis=1).astype(np.int64)
    return digits - task.least, ways[keys] / ways.sum()


def _tail(law: RankSumLaw, form: Form, alternative: str) -> float:
    """Return the probability of sums as extreme as the observed."""
    mass, lattice, base = law.mass, law.lattice, law.base
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
            base,
            form.matrix,
            form.threshold(),
            SIDES[alternative],
            int(form.totals[0]) - SIDES[alternative] * form.slack,
        )
    )
