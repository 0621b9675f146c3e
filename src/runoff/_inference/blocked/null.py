"""P-values of weighted rank sums: what a blocked test returns, its χ², Monte Carlo and exact laws, and laws of the largest difference.

Exact rank sums are kept as small integers: within a task, scores are shifted to start at 0 and divided by what they share (by 2 where there
are no ties). Tasks with commensurable weights share one lattice; otherwise each distinct weight has its own digits, whichever lattice is
smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, factorial, gcd, inf, lgamma, prod, sqrt

import numpy as np
from scipy import special

from runoff._inference.blocked.design import Blocks
from runoff._inference.blocked.statistic import QuadraticForm
from runoff._kernels.blocked import exact as kernels
from runoff._kernels.blocked import permute
from runoff._kernels.blocked.exact import Atoms, lower_tail, upper_tail
from runoff.base.arrays import SMALLEST, Bools, Floats, Ints
from runoff.base.random import Streams, in_blocks

MAX_DRAWS = 10**10
"""The most ranks that "auto" shuffles; beyond that it takes the asymptotic law."""
SIDES = {"two-sided": 0, "greater": 1, "less": -1}
"""Alternative -> the sign of what speaks for it; 0: both signs do."""


@dataclass(frozen=True, slots=True)
class Pvalue:
    """A p-value, the method that found it, its Monte Carlo standard error, and the draws that it took."""

    pvalue: float
    method: str
    pvalue_error: float = 0.0
    n_resamples: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOptions:
    method: str
    streams: Streams
    n_resamples: int
    alternative: str


@lru_cache(maxsize=1024)  # thousands of pairs have as many runs
def smallest_pvalue(counts: tuple[tuple[int, ...], ...], *, two_sided: bool = True) -> float:
    """Return the least p-value that relabelling within tasks can give, whatever the runs are; counts: (n_tasks, n_algorithms).

    That of the data's own labels and, two-sided with equal counts, of every exchange of the algorithms, which no statistic can tell from
    them. With unequal counts, ties can leave the data's labels alone at the end, for ranks too: 2 runs below 5 that tie have p = 1 / 21.
    """
    ways = prod(factorial(sum(task)) // prod(map(factorial, task)) for task in counts)
    alike = all(n == task[0] for task in counts for n in task)
    return min((factorial(len(counts[0])) if two_sided and alike else 1) / ways, 1.0)


# ── asymptotic ──────────


def asymptotic(form: QuadraticForm, alternative: str) -> Pvalue:
    """Return the χ² (two-sided) or normal (one-sided) p-value; 1 where nothing varies."""
    if form.df == 0:
        return Pvalue(1.0, "asymptotic")
    if alternative == "two-sided":
        return Pvalue(float(special.chdtrc(form.df, form.statistic)), "asymptotic")
    return Pvalue(float(special.ndtr(-SIDES[alternative] * form.z)), "asymptotic")


# ── Monte Carlo ──────────


def monte_carlo(blocks: Blocks, form: QuadraticForm, alternative: str, streams: Streams, n_resamples: int) -> Pvalue:
    """Return (1 + hits) / (1 + draws) of relabellings within tasks, with its standard error."""
    # A run counts its rank times the weight of its task, so that a statistic of all tasks is one sum.
    scores = blocks.ranks * np.repeat(form.units, blocks.sizes)

    def draw(b: int, rows: int) -> Bools:
        rng = streams.block("blocked", b)
        return as_extreme(permute.permuted_sums(rng, scores, blocks.starts, blocks.counts, rows), form, alternative)

    return counted(int(in_blocks(n_resamples, draw).sum()), n_resamples)


def counted(hits: int, n_resamples: int) -> Pvalue:
    """Return the Monte Carlo p-value of a number of hits; never 0."""
    p = (1 + hits) / (1 + n_resamples)
    return Pvalue(p, "monte_carlo", float(np.sqrt(p * (1.0 - p) / n_resamples)), n_resamples)


def as_extreme(sums: Ints, form: QuadraticForm, alternative: str) -> Bools:
    """Return which rows of rank sums (n, k) are as extreme as the observed; in integers for two algorithms."""
    observed = form.totals[0]
    if alternative != "two-sided":
        side = SIDES[alternative]
        return np.asarray(side * sums[:, 0] >= side * observed - form.slack)
    if sums.shape[1] == 2:
        reached: Bools = np.abs(sums[:, 0]) >= abs(observed) - form.slack
    else:
        reached = ((sums @ form.matrix) * sums).sum(axis=1) >= form.threshold()
    return reached


# ── what every blocked test returns ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOutcome:
    """Statistic and p-value of one blocked test, and what the ranks of the runs say, which is known from the design.

    pvalue_error: 0.0 for closed forms and exact nulls, else the Monte Carlo standard error. method: the method used, never "auto". df: degrees
    of freedom of the asymptotic law (a pair for F, None where there is none). direction: of two algorithms, positive where the test's own
    statistic favours the first. all_tied: nothing to compare, statistic 0 and p = 1 by definition. rank_sums, mean_ranks: per algorithm, rank 1
    is best. n_tasks: tasks that were used. n_runs: runs used, per algorithm.
    """

    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | tuple[float, float] | None
    n_resamples: int
    direction: float
    all_tied: bool
    rank_sums: tuple[float, ...] = ()
    mean_ranks: tuple[float, ...] = ()
    n_tasks: int = 0
    n_runs: tuple[int, ...] = ()


# ── the largest difference among k normals, and between k − 1 of them and a control ──────────


STEP = 1 / 16
"""Step of the trapezoidal rule."""


def range_quantile(alpha: float, k: int) -> float:
    """Return q: the range of k independent standard normals exceeds it with probability alpha (Casesa 2024 eq. 2.23)."""
    # Bonferroni's for k (k − 1)/2 differences, which the exact quantile cannot exceed; a little more, for where both are one (k = 2).
    high = sqrt(2.0) * float(-special.ndtri(alpha / (k * (k - 1)))) + 1e-6
    return _falling_to(alpha, lambda value: range_pvalue(value, k), high)


def _falling_to(level: float, pvalue: Callable[[float], float], high: float) -> float:
    """Return where a p-value, 1 at 0 and falling, reaches a level below `high`, by halving to the last bit."""
    # Loading scipy.optimize takes a quarter of a second, longer than all of this.
    low = 0.0
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if pvalue(middle) > level else (low, middle)
    return high


def range_pvalue(value: float, k: int) -> float:
    """Return the probability that the range of k independent standard normals exceeds `value` (Casesa 2024 eq. 2.22).

    k ∫ φ(z) [Φ(z) − Φ(z − value)]ᵏ⁻¹ dz is that it does not, z being the largest. Both integrands fall off like φ, so the rule errs by
    less than rounding.
    """
    z = np.arange(-9.0, 9.0, STEP)
    below = special.ndtr(z)
    # 1 is the same integral with Φ(z) alone: the difference keeps the digits of a small probability.
    beyond = below ** (k - 1) - (below - special.ndtr(z - value)) ** (k - 1)
    density = np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi)
    return _tail(float(k * STEP * (density * beyond).sum()), value, k * (k - 1) // 2)


def control_pvalue(value: float, k: int) -> float:
    """Return P(max_j |Z_j − Z_0| ≥ value) for k independent standard normals, Z_0 being the control (Dunnett 1955)."""
    from scipy import integrate

    def density(z: float) -> float:
        inside = special.ndtr(z + value) - special.ndtr(z - value)
        return float(np.exp(-(z**2) / 2.0) / np.sqrt(2.0 * np.pi) * (1.0 - inside ** (k - 1)))

    # At 9 the density is 1e-18.
    inside = integrate.quad(density, -9.0, 9.0, epsabs=1e-13, epsrel=1e-11, limit=200)[0]
    return _tail(float(inside), value, k - 1)


def _tail(computed: float, value: float, n_pairs: int) -> float:
    """Return a probability that one of so many differences reaches `value`: as computed, far out Bonferroni's.

    Both integrals have an absolute error of some 1e-12. Bonferroni's bound is then closer, for it is sharp in the limit.
    """
    bound = max(n_pairs * 2.0 * float(special.ndtr(-value / sqrt(2.0))), SMALLEST)
    return bound if bound < 1e-9 else min(computed, bound, 1.0)


def control_quantile(alpha: float, k: int) -> float:
    """Return the value that max_j |Z_j − Z_0| exceeds with probability alpha; at most √2 times Bonferroni's."""
    high = sqrt(2.0) * float(-special.ndtri(alpha / (2.0 * (k - 1)))) + 1e-6
    return _falling_to(alpha, lambda value: control_pvalue(value, k), high)


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
class TaskLattice:
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
        """States of the dynamic programme; in Python's integers, for 80 algorithms have more than a float can hold."""
        return int(prod((self.most + 1).tolist()) * prod((self.counts[:-1] + 1).tolist()))

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
        return min(float(prod((self.most - self.least + 1).tolist())), multinomial(self.counts.tolist()))

    @property
    def key(self) -> bytes:
        return self.scores.tobytes() + self.counts.tobytes()


@dataclass(frozen=True, slots=True)
class TotalLattice:
    """Mixed-radix keys of the total. classes: (n_tasks,); steps: (n_classes,); radix: (n_classes, k − 1), a digit each."""

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
    lattice: TotalLattice
    base: Ints


@dataclass(frozen=True, slots=True)
class RankedDesign:
    """Ranks and their weighted sums, equal where their content is, for arrays are no key of a cache."""

    content: tuple[bytes, ...]
    slack: int
    alternative: str
    blocks: Blocks = field(compare=False)
    form: QuadraticForm = field(compare=False)


def exact(blocks: Blocks, form: QuadraticForm, alternative: str) -> Pvalue | None:
    """Return the exact conditional p-value, or None where it is not affordable."""
    if form.df == 0:
        return Pvalue(1.0, "exact")
    arrays = blocks.ranks, blocks.starts, blocks.counts, form.units, form.totals, form.matrix
    content = tuple(array.tobytes() for array in arrays)
    return _exact(RankedDesign(content, form.slack, alternative, blocks, form))


@lru_cache(maxsize=16)  # a report asks the same for its test of all and for its critical difference
def _exact(design: RankedDesign) -> Pvalue | None:
    blocks, form, alternative = design.blocks, design.form, design.alternative
    plan = _plan(blocks, form)
    if plan is None:
        return None
    if plan.lattice.radix.size == 1 and plan.direct_steps > FEW_STEPS:
        value = _line(plan, form, alternative)
    else:
        law = _direct(plan)
        value = None if law is None else _law_tail(law, form, alternative)
    return None if value is None else Pvalue(min(value, 1.0), "exact")


def distribution(blocks: Blocks, form: QuadraticForm) -> RankSumLaw | None:
    """Return the exact conditional distribution of the weighted rank sums, or None where it is not affordable."""
    plan = _plan(blocks, form)
    return None if plan is None else _direct(plan)


@dataclass(frozen=True, slots=True)
class TotalPlan:
    """Distinct summands: keys (m,), probabilities (m,), number of tasks; and the lattice of their sum."""

    parts: list[Atoms]
    lattice: TotalLattice
    base: Ints

    @property
    def direct_steps(self) -> int:
        """Multiplications of a convolution task by task."""
        steps, top = 0, 0
        for keys, _, times in self.parts:
            high = int(keys.max())
            # The j-th of `times` equal tasks meets top + j · high + 1 places: an arithmetic series.
            steps += keys.size * (times * (top + 1) + high * times * (times - 1) // 2)
            top += high * times
        return steps


def _plan(blocks: Blocks, form: QuadraticForm) -> TotalPlan | None:
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
    classings = np.zeros(len(tasks), np.int64), np.unique(form.units, return_inverse=True)[1].astype(np.int64)
    lattice = min((_lattice(tasks, form.units, classes) for classes in classings), key=lambda way: way.size)
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
    return TotalPlan(parts, lattice, base.astype(np.int64))


def multinomial(counts: list[int]) -> float:
    """Return the number of assignments of a task, (Σ c)! / Π c!, or infinity above 10³⁰⁰."""
    log_ways = lgamma(sum(counts) + 1) - sum(lgamma(c + 1) for c in counts)
    return exp(log_ways) if log_ways < 690.0 else inf


def _direct(plan: TotalPlan) -> RankSumLaw | None:
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


def _line(plan: TotalPlan, form: QuadraticForm, alternative: str) -> float | None:
    """Return the p-value of two algorithms by tilted Fourier transforms, or None where they are too long."""
    if plan.lattice.size * len(plan.parts) > MAX_TRANSFORMED:
        return None
    base, step, side = int(plan.base[0]), int(plan.lattice.steps[0]), SIDES[alternative]
    observed = int(form.totals[0]) if side else abs(int(form.totals[0]))
    # ⌈(observed − base)/step⌉ in integers: the first key as extreme.
    upper = -((base - observed) // step)
    if side == 1:
        return upper_tail(plan.parts, upper)
    if side == -1:
        return lower_tail(plan.parts, (observed - base) // step)
    # Both tails contain the middle then, and would count it twice.
    if observed == 0:
        return 1.0
    return upper_tail(plan.parts, upper) + lower_tail(plan.parts, (-observed - base) // step)


def _task(blocks: Blocks, i: int) -> TaskLattice:
    ranks = np.sort(blocks.ranks[blocks.starts[i] : blocks.starts[i + 1]])
    counts = blocks.counts[i]
    step = max(gcd(*(ranks - ranks[0]).tolist()), 1)
    scores = (ranks - ranks[0]) // step
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(scores)])
    return TaskLattice(
        scores=scores,
        counts=counts,
        step=step,
        base=counts[:-1] * ranks[0],
        # The c lowest scores, and the c highest.
        least=running[counts[:-1]],
        most=running[-1] - running[scores.size - counts[:-1]],
    )


def _lattice(tasks: list[TaskLattice], units: Ints, classes: Ints) -> TotalLattice:
    """Return the lattice on which every task's step is a whole number of its class's steps."""
    n_classes = int(classes.max()) + 1
    own = [int(u) * t.step for u, t in zip(units, tasks, strict=True)]
    steps = [gcd(*(s for s, c in zip(own, classes, strict=True) if c == i)) for i in range(n_classes)]
    radix: list[list[int]] = [[1] * tasks[0].least.size for _ in range(n_classes)]
    for task, s, c in zip(tasks, own, classes.tolist(), strict=True):
        for j, spread in enumerate((task.most - task.least).tolist()):
            # Capped far above what memory allows, before fixed-point weights overflow 64 bits.
            radix[c][j] = min(radix[c][j] + spread * (s // steps[c]), 2**40)
    return TotalLattice(classes, np.array(steps, np.int64), np.array(radix, np.int64))


def _atoms(task: TaskLattice) -> tuple[Ints, Floats]:
    """Return the possible sums (m, k − 1), less their least, and their probabilities."""
    if task.counts.size == 2:
        ways = kernels.line_counts(task.scores, int(task.counts[0]))
    else:
        ways = kernels.assignment_counts(task.scores, task.counts, task.most + 1)
    keys = np.flatnonzero(ways)
    # Order "F": the first algorithm has the fastest digit, as in `assignment_counts` and in the strides of a lattice.
    digits = np.stack(np.unravel_index(keys, tuple((task.most + 1).tolist()), order="F"), axis=1).astype(np.int64)
    return digits - task.least, ways[keys] / ways.sum()


def _law_tail(law: RankSumLaw, form: QuadraticForm, alternative: str) -> float:
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
            base=base,
            matrix=form.matrix,
            threshold=form.threshold(),
            side=SIDES[alternative],
            observed=int(form.totals[0]) - SIDES[alternative] * form.slack,
        )
    )
