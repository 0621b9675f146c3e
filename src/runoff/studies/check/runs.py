"""The runs of one algorithm as the truth, and how many of them a drawn group may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from runoff._inference.pairs import run_means
from runoff.base.arrays import Floats
from runoff.base.validate import check_count
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.numbers import counted

LEAST = 4
"""Runs on every task: two groups of two."""
FEW = 10
"""With fewer runs, one more or one less would change what is said of them."""
SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200)
"""Runs of a group that are tried if none are asked for, up to half of all."""
BLOCK = 500
"""Repeats of one block; every block has its own stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRuns:
    """All runs of one algorithm.

    Attributes
    ----------
    algorithm : str
    tasks : tuple of str
        Those on which it has runs.
    cells : tuple of float64 arrays (n_runs,)
    shared : bool
        Whether run i is the same on every one of several tasks.
    rates : bool
        Whether all scores are 0 or 1.
    means : bool
        Whether each score is the mean of a shared run over its tasks.
    """

    algorithm: str
    tasks: tuple[str, ...]
    cells: tuple[Floats, ...]
    shared: bool = False
    rates: bool = False
    means: bool = False

    @property
    def n_all(self) -> int:
        """Runs on the task that has fewest."""
        return min(cell.size for cell in self.cells)

    @property
    def half(self) -> int:
        return self.n_all // 2

    @property
    def key(self) -> int:
        """Tells its streams from those of other algorithms, whichever are present."""
        return crc32(self.algorithm.encode("utf-8", "surrogatepass"))

    def as_means(self) -> OwnRuns:
        """Return shared runs as one task, each with its mean over the tasks: what `compare` makes of them."""
        if not self.shared:
            return self
        title = f"the mean of {len(self.tasks)} tasks"
        return OwnRuns(algorithm=self.algorithm, tasks=(title,), cells=(run_means(self.cells),), means=True)


def own_runs(scores: Scores) -> tuple[list[OwnRuns], list[str]]:
    """Return the algorithms that have runs enough, and a sentence about each that has not.

    Raises
    ------
    DesignError
        None has.
    """
    found, notes = [], []
    for a, algorithm in enumerate(scores.algorithms):
        present = [t for t in range(scores.n_tasks) if scores.cell(a, t).size]
        runs = OwnRuns(
            algorithm=algorithm,
            tasks=tuple(scores.tasks[t] for t in present),
            cells=tuple(scores.cell(a, t) for t in present),
            shared=scores.sampling.shared and len(present) > 1,
            rates=scores.rates,
        )
        lack = lacking(runs)
        if lack:
            notes.append(f"{algorithm} is left out: {lack}")
            continue
        found.append(runs)
        notes += _told_of(runs, scores.n_tasks)
    if not found:
        raise DesignError(
            f"no algorithm has the runs that a check draws two groups from, {LEAST} or more on every task, not all equal: "
            f"{lacking(_all_of(scores, 0))}."
        )
    return found, notes


def _all_of(scores: Scores, a: int) -> OwnRuns:
    present = [t for t in range(scores.n_tasks) if scores.cell(a, t).size]
    cells = tuple(scores.cell(a, t) for t in present)
    return OwnRuns(algorithm=scores.algorithms[a], tasks=tuple(scores.tasks[t] for t in present), cells=cells)


def lacking(runs: OwnRuns) -> str:
    """Return what keeps runs from being judged, or nothing."""
    few = min(range(len(runs.cells)), key=lambda t: runs.cells[t].size)
    if runs.n_all < LEAST:
        return f"{runs.algorithm!r} has {counted([runs.n_all], 'run')} on {runs.tasks[few]!r}"
    if all(cell.min() == cell.max() for cell in runs.cells):
        return f"all runs of {runs.algorithm!r} have one score, {runs.cells[0][0]:g} on {runs.tasks[0]!r}"
    return ""


def _told_of(runs: OwnRuns, n_tasks: int) -> Iterator[str]:
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


def group_sizes(runs: OwnRuns, asked: int | Sequence[int] | None) -> tuple[int, ...]:
    """Return the numbers of runs of a drawn group: those asked for, or some from 2 to half of all.

    Raises
    ------
    OptionError
        One is no whole number from 2 on.
    DesignError
        One is more than half of the runs.
    """
    if asked is None:
        return (*(n for n in SIZES if n < runs.half), runs.half)
    listed = [asked] if isinstance(asked, int | np.integer) or not isinstance(asked, Sequence | range) else list(asked)
    if not listed:
        raise OptionError("n_runs is empty: name a number of runs, or several.")
    sizes = tuple(dict.fromkeys(check_count("n_runs", n, 2) for n in listed))
    if max(sizes) > runs.half:
        raise DesignError(
            f"n_runs is {max(sizes)}, but {runs.algorithm!r} has {runs.n_all} runs on the task with fewest: groups of up to {runs.half} can be "
            "drawn, half of them, so that two groups share none."
        )
    return sizes


def blocks(n_repeats: int) -> Iterator[tuple[int, int]]:
    """Yield the number and the repeats of each block."""
    for b, start in enumerate(range(0, n_repeats, BLOCK)):
        yield b, min(BLOCK, n_repeats - start)
