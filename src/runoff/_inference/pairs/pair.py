"""Two algorithms' cells on the tasks they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import fsum

import numpy as np

from runoff._inference.bootstrap import Ends, Improvement, Mean, improvement_of, newcombe, stratified_mean
from runoff.base.arrays import Floats

ROUNDING = 1e-12
"""Means that differ by less than this share of them are equal: the order of addition decides between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData:
    """Cells of a and b on the tasks they share.

    shared: several tasks, and run i of an algorithm is the same in each of its cells. episodes: runs are episodes of one policy. binary: all
    scores of all algorithms are 0 or 1, so that means are success rates; rates: and runs are not shared, so that sums are binomial.
    """

    a: str
    b: str
    x: Sequence[Floats]
    y: Sequence[Floats]
    tasks: Sequence[str]
    shared: bool = False
    episodes: bool = False
    binary: bool = False
    rates: bool = False
    _kept: list[Mean] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def cells(self) -> list[Floats]:
        """Return all cells, those of a first."""
        return [*self.x, *self.y]

    @property
    def least(self) -> int:
        """Return the fewest runs of a cell."""
        return min(cell.size for cell in self.cells)

    @property
    def n_runs_a(self) -> tuple[int, int]:
        """Return the fewest and the most runs of a cell of a."""
        return min(cell.size for cell in self.x), max(cell.size for cell in self.x)

    @property
    def n_runs_b(self) -> tuple[int, int]:
        """Return the fewest and the most runs of a cell of b."""
        return min(cell.size for cell in self.y), max(cell.size for cell in self.y)

    @property
    def single_runs(self) -> list[str]:
        """Return the tasks on which a cell has one run."""
        return [task for x, y, task in zip(self.x, self.y, self.tasks, strict=True) if min(x.size, y.size) == 1]

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Return how many runs of a and b are relabelled together: those of each task, or whole runs."""
        sizes = [(x.size, y.size) for x, y in zip(self.x, self.y, strict=True)]
        return sizes[:1] if self.shared else sizes

    @property
    def difference(self) -> Mean:
        """Return the difference of means, every task weighing the same; scores about the middle of their task, so that no digit is lost.

        It is asked for by every sentence and every rule, and found once.
        """
        if not self._kept:
            self._kept.append(self._difference())
        return self._kept[0]

    def _difference(self) -> Mean:
        middles = [float(np.median(np.concatenate(both))) for both in zip(self.x, self.y, strict=True)]
        about = replace(
            self,
            x=[cell - middle for cell, middle in zip(self.x, middles, strict=True)],
            y=[cell - middle for cell, middle in zip(self.y, middles, strict=True)],
        )
        return about.combined(1.0, -1.0)

    @property
    def tally(self) -> tuple[int, int, int]:
        """Return on how many tasks the mean of a is higher, equal up to rounding, and lower."""
        means = np.array([[float(x.mean()), float(y.mean())] for x, y in zip(self.x, self.y, strict=True)])
        lead = means[:, 0] - means[:, 1]
        lead[np.abs(lead) <= ROUNDING * np.abs(means).max(axis=1)] = 0.0
        return int((lead > 0).sum()), int((lead == 0).sum()), int((lead < 0).sum())

    def difference_ends(self, confidence_level: float) -> tuple[Ends | None, str | None]:
        """Return the interval of the difference of means, and its kind; None without spread, or with single runs.

        Rates differ by 1 at most, and so do the ends of their intervals.
        """
        if self.rates and self.least > 1:
            return newcombe(self.x, self.y, confidence_level), "newcombe"
        ends = self.difference.interval(confidence_level)
        if ends is not None and self.binary:
            ends = max(ends[0], -1.0), min(ends[1], 1.0)
        return ends, "t" if ends else None

    def improvement(self, confidence_level: float) -> Improvement:
        """Return the probability that a run of a beats one of b, with its interval."""
        return improvement_of(self.x, self.y, confidence_level=confidence_level, shared=self.shared, rates=self.rates)

    def combined(self, weight_a: float, weight_b: float) -> Mean:
        """Return weight_a · mean of a + weight_b · mean of b, every task weighing the same; a side of weight 0 is left out."""
        n, parts = len(self.tasks), [(self.x, weight_a), (self.y, weight_b)]
        used = [(cells, weight) for cells, weight in parts if weight]
        if self.shared:
            return stratified_mean([run_means(cells) for cells, _ in used], [weight for _, weight in used])
        return stratified_mean(
            [cell for cells, _ in used for cell in cells], [weight / n for _, weight in used for _ in range(n)]
        )

    def as_one_task(self) -> PairData:
        """Return the pair with the mean of each shared run in place of its scores."""
        x, y = ([run_means(cells)] for cells in (self.x, self.y))
        return PairData(a=self.a, b=self.b, x=x, y=y, tasks=[f"the mean of {len(self.tasks)} tasks"])


def run_means(cells: Sequence[Floats]) -> Floats:
    """Return the mean over tasks of each run, (n_runs,), the same bits whatever the order of tasks; run i is the same in every cell."""
    return np.array([fsum(scores) / len(cells) for scores in np.transpose(cells).tolist()])
