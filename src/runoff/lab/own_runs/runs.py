"""The runs of one algorithm as the truth, the possible sizes of groups, and groups drawn from the runs without replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod, sqrt
from typing import TypeVar
from zlib import crc32

import numpy as np
from scipy import special

from runoff._inference.pairs import measure_of
from runoff.answer.study import CoverageRow, FalsePositiveRow
from runoff.base.arrays import Floats, Ints
from runoff.base.random import RNG, Streams, in_threads, streams
from runoff.base.validate import check_count, check_resamples
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.lab.contenders.registry import Batch
from runoff.lab.worlds.family import distinct_positions
from runoff.words.numbers import counted

LEAST = 4
"""The least number of runs on every task: two groups of two."""
FEW = 10
"""The least number of runs for a judgement: with fewer, one run more or less would change the verdict."""
SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
"""The default numbers of runs in a group, up to half of all."""
BLOCK = 500
"""The number of repeats in one block; every block has its own random stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRuns:
    """All runs of one algorithm on its tasks. shared: run i is the same on all tasks; rates: scores are 0 or 1; measure: the default of
    `compare`."""

    algorithm: str
    tasks: tuple[str, ...]
    cells: tuple[Floats, ...]
    shared: bool = False
    rates: bool = False
    measure: str = "mean"

    @property
    def n_all(self) -> int:
        """The number of runs on the task with the fewest."""
        return min(cell.size for cell in self.cells)

    @property
    def half(self) -> int:
        return self.n_all // 2

    @property
    def key(self) -> int:
        """A number derived from the name, so that its random streams do not depend on which other algorithms are present."""
        return crc32(self.algorithm.encode("utf-8", "surrogatepass"))


def own_runs(scores: Scores) -> tuple[list[OwnRuns], list[str]]:
    """Return the algorithms with enough runs, and a sentence about each of the others; refuse scores without any such algorithm."""
    algorithms, notes = [], []
    for a, algorithm in enumerate(scores.algorithms):
        runs = _runs_of(scores, a)
        lack = lacking(runs)
        if lack:
            notes.append(f"{algorithm} is left out: {lack}")
            continue
        algorithms.append(runs)
        notes += _notes_of(runs, scores.n_tasks)
    if not algorithms:
        raise DesignError(
            f"no algorithm has the runs that a check draws two groups from, {LEAST} or more on every task, not all equal: "
            f"{lacking(_runs_of(scores, 0))}."
        )
    return algorithms, notes


def _runs_of(scores: Scores, a: int) -> OwnRuns:
    present = [t for t in range(scores.n_tasks) if scores.cell(a, t).size]
    tasks = tuple(scores.tasks[t] for t in present)
    return OwnRuns(
        algorithm=scores.algorithms[a],
        tasks=tasks,
        cells=tuple(scores.cell(a, t) for t in present),
        shared=scores.sampling.shared and len(present) > 1,
        rates=scores.rates,
        measure=measure_of(scores.select(algorithms=[scores.algorithms[a]])),
    )


def lacking(runs: OwnRuns) -> str:
    """Return the reason why the runs cannot be judged, or ""."""
    few = min(range(len(runs.cells)), key=lambda t: runs.cells[t].size)
    if runs.n_all < LEAST:
        return f"{runs.algorithm!r} has {counted([runs.n_all], 'run')} on {runs.tasks[few]!r}"
    if all(cell.min() == cell.max() for cell in runs.cells):
        return f"all runs of {runs.algorithm!r} have one score, {runs.cells[0][0]:g} on {runs.tasks[0]!r}"
    return ""


def _notes_of(runs: OwnRuns, n_tasks: int) -> Iterator[str]:
    if runs.n_all < FEW:
        sizes = counted([runs.half], "run") if runs.half == LEAST // 2 else f"2 to {runs.half} runs"
        yield (
            f"{runs.algorithm} has {runs.n_all} runs, too few to judge a test or an interval by (from {FEW} on; 20 are better): groups "
            f"of {sizes} can be drawn, and what they show is a fact about these runs alone"
        )
    flat = [task for task, cell in zip(runs.tasks, runs.cells, strict=True) if cell.min() == cell.max()]
    if flat:
        yield f"all runs of {runs.algorithm} are equal on {counted([len(flat)], 'task')} (first: {flat[0]})"
    if len(runs.tasks) < n_tasks:
        yield f"{runs.algorithm} has no runs on {counted([n_tasks - len(runs.tasks)], 'task')}, and is checked on the others"


def group_sizes(runs: OwnRuns, choice: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return the numbers of runs in a drawn group: the requested ones, refused outside 2 to half of all, or default ones in this range."""
    if choice is None:
        return (*(n for n in SIZES if n < runs.half), runs.half)
    listed = list(choice) if isinstance(choice, Sequence) else [choice]
    if not listed:
        raise OptionError("n_runs is empty: name a number of runs, or several.")
    sizes = tuple(dict.fromkeys(check_count("n_runs", n, 2) for n in listed))
    if max(sizes) > runs.half:
        raise DesignError(
            f"n_runs is {max(sizes)}, but {runs.algorithm!r} has {runs.n_all} runs on the task with fewest: groups of up to {runs.half} can be "
            "drawn, half of them, so that two groups share none."
        )
    return sizes


# ── groups ──────────


def groups(runs: OwnRuns, n: int, n_batch: int, generator: np.random.Generator) -> Floats:
    """Return groups of n runs of each task, float64 (n_batch, n_tasks, n); shared runs are drawn as whole rows."""
    if runs.shared:
        at = distinct_positions(generator, n_batch, runs.n_all, n)
        return np.stack([cell[at] for cell in runs.cells], axis=1)
    return np.stack([cell[distinct_positions(generator, n_batch, cell.size, n)] for cell in runs.cells], axis=1)


def halves(runs: OwnRuns, n: int, n_batch: int, generator: np.random.Generator) -> Floats:
    """Return two disjoint groups of n runs of each task, float64 (n_batch, 2, n_tasks, n)."""
    # 2n positions without repetition, the first n and the last n: two groups that share no run.
    both = groups(runs, 2 * n, n_batch, generator)
    return np.ascontiguousarray(both.reshape(n_batch, len(runs.cells), 2, n).transpose(0, 2, 1, 3))


def n_splits(runs: OwnRuns, n: int) -> int:
    """Return the number of pairs of disjoint groups, ½ Π C(M, 2n) C(2n, n), with the product over tasks, or for whole runs."""
    cells = runs.cells[:1] if runs.shared else runs.cells
    return prod(comb(cell.size, 2 * n) * comb(2 * n, n) for cell in cells) // 2


def all_splits(runs: OwnRuns, n: int) -> Floats:
    """Return every pair of disjoint groups once, float64 (n_splits, 2, n_tasks, n)."""
    # Of the two ways round a pair of groups, the one whose first run on the first task comes earlier in the data.
    if runs.shared:
        choices = [(pair,) * len(runs.cells) for pair in _pairs(runs.n_all, n)]
    else:
        choices = list(product(*(list(_pairs(cell.size, n)) for cell in runs.cells)))
    choices = [pairs for pairs in choices if pairs[0][0, 0] < pairs[0][1, 0]]
    kept = [[cell[pair] for cell, pair in zip(runs.cells, pairs, strict=True)] for pairs in choices]
    return np.ascontiguousarray(np.array(kept).transpose(0, 2, 1, 3))


def _pairs(size: int, n: int) -> Iterator[Ints]:
    """Yield every pair of disjoint groups, both ways round, as positions (2, n), ascending in each group."""
    for first in combinations(range(size), n):
        rest = [at for at in range(size) if at not in first]
        for second in combinations(rest, n):
            yield np.array([first, second], np.int64)


# ── a check ──────────

CheckReply = TypeVar("CheckReply")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckCell:
    """One algorithm and one number of runs, with the names of the tests or intervals to try."""

    runs: OwnRuns
    names: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPlan:
    """The level of a check, its number of repeats, and the number of draws of each test or interval."""

    alpha: float
    n_repeats: int
    n_resamples: int
    streams: Streams

    @classmethod
    def of(cls, alpha: float, n_repeats: int, n_resamples: int, rng: RNG) -> CheckPlan:
        """Return the plan of a call and check its numbers; the level has been checked already under its own name."""
        n_repeats, n_resamples = check_count("n_repeats", n_repeats), check_resamples(n_resamples)
        return cls(alpha=alpha, n_repeats=n_repeats, n_resamples=n_resamples, streams=streams(rng))

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the number of each block and its repeats."""
        for b, start in enumerate(range(0, self.n_repeats, BLOCK)):
            yield b, min(BLOCK, self.n_repeats - start)

    def generator(self, purpose: str, cell: CheckCell, block: int) -> np.random.Generator:
        return self.streams.block(f"check/{purpose}", cell.runs.key, cell.n, block)

    def batch(self, scores: Floats, cell: CheckCell, block: int) -> Batch:
        """Return drawn groups as a batch for methods of studies, (n_batch, n_algorithms, n_tasks, n_runs)."""
        key = cell.runs.key, cell.n, block
        return Batch(scores=scores, alpha=self.alpha, n_resamples=self.n_resamples, streams=self.streams, key=key)


def by_cell(
    cells: Sequence[CheckCell],
    blocks: Callable[[CheckCell], Iterable[tuple[int, int]]],
    answer: Callable[[CheckCell, int, int], CheckReply],
    threads: int | None,
) -> Iterator[tuple[CheckCell, list[CheckReply]]]:
    """Yield each cell with `answer(cell, block, size)` for all its blocks, computed in parallel by threads."""
    work = [(cell, block, size) for cell in cells for block, size in blocks(cell)]
    # Answers come in the order of the work, so that each cell takes as many as it has blocks.
    answers = iter(in_threads(lambda task: answer(*task), work, threads))
    for cell in cells:
        yield cell, [next(answers) for _ in blocks(cell)]


def listed(option: str, choice: str | Sequence[str], examples: str) -> list[str]:
    """Return the chosen names without repetitions; refuse an empty list."""
    names = dict.fromkeys([choice] if isinstance(choice, str) else choice)
    if not names:
        raise OptionError(f"{option} is empty: name {examples}.")
    return list(names)


# ── in words: about one number of runs, the worst algorithm deciding ──────────

USUAL = 5
"""The number of runs that the sentence is about, if it was tried."""
CHANCE = 0.01
"""The probability of wrongly calling any test or interval too liberal."""


def of_algorithms(records: Sequence[FalsePositiveRow | CoverageRow], preposition: str) -> str:
    """Return the words " over 3 algorithms", or "" for a single algorithm."""
    n = len({record.algorithm for record in records})
    return "" if n == 1 else f" {preposition} {n} algorithms"


def usual(sizes: Iterable[int]) -> int:
    """Return the number of runs for the sentence: 5, otherwise the largest below, otherwise the smallest."""
    tried = sorted(set(sizes))
    return max((n for n in tried if n <= USUAL), default=tried[0])


def beyond_chance(level: float, n_repeats: int, n_looks: int) -> float:
    """Return how far a rate may deviate from its level by chance, in one direction, among `n_looks` rates."""
    # Bonferroni over all looks: a verdict on any of many tests and sizes is wrong with a chance of `CHANCE` at most.
    return float(-special.ndtri(CHANCE / n_looks)) * sqrt(level * (1.0 - level) / n_repeats)


def per_cent(rates: Sequence[float]) -> str:
    """Return rates in words: "4.8 %", or "3.9 to 5.2 %"."""
    low, high = (f"{100 * rate:.1f}" for rate in (min(rates), max(rates)))
    return f"{low}\u00a0%" if low == high else f"{low} to {high}\u00a0%"


def too_few(records: Sequence[FalsePositiveRow | CoverageRow]) -> str:
    """Return the sentence that the runs are too few to judge a test or an interval."""
    most = max(record.n_all for record in records)
    sizes = sorted({record.n_runs for record in records})
    return (
        f"These runs are too few to judge by: {counted([most], 'run')} of an algorithm at most, where {FEW} are the least and 20 are better; "
        f"groups of {' or '.join(map(str, sizes)) if len(sizes) < 3 else f'{sizes[0]} to {sizes[-1]}'} runs can be drawn, and are in the table."
    )
