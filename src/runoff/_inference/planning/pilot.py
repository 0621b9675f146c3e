"""Pilot runs: two algorithms, or one that stands for both, on the tasks of the experiment that is planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.pairs import PairData, pair_data
from runoff.base.arrays import Floats
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.speech import choice

FLAT = 1e-12
"""A standard deviation below this share of the scores is taken for rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """The cells of a pair; where `alike`, both sides are the same runs of one algorithm."""

    pair: PairData
    alike: bool

    @property
    def n_tasks(self) -> int:
        return len(self.pair.tasks)

    @property
    def binary(self) -> bool:
        """Whether scores are successes and failures that are drawn task by task."""
        return self.pair.rates

    @property
    def cells(self) -> list[Floats]:
        """Return the cells that were run, each once."""
        return list(self.pair.x) if self.alike else self.pair.cells

    @property
    def sizes(self) -> tuple[int, int]:
        """Return the fewest and the most runs of a cell."""
        sizes = [cell.size for cell in self.cells]
        return min(sizes), max(sizes)

    @property
    def means(self) -> Floats:
        """Return the mean of the first algorithm on each task."""
        return np.array([float(cell.mean()) for cell in self.pair.x])

    @property
    def variances(self) -> Floats:
        """Return the unbiased variances, (2, n_tasks)."""
        return np.array([[float(cell.var(ddof=1)) for cell in side] for side in (self.pair.x, self.pair.y)])

    def as_one_task(self) -> Pilot:
        """Return the pilot with the mean of each shared run in place of its scores."""
        means = replace(self, pair=self.pair.as_one_task())
        _refuse_unknown_spread(means)
        return replace(means, pair=replace(means.pair, episodes=self.pair.episodes))

    def terms(self, stretch: float = 1.0) -> list[Term]:
        """Return the variances that add up to that of the difference of means of one run of each, with their degrees of freedom.

        stretch: how much further the second spreads than its pilot.
        """
        sides = [(self.pair.x, 1.0 + stretch**2)] if self.alike else [(self.pair.x, 1.0), (self.pair.y, stretch**2)]
        return [
            Term(variance=weight * float(cell.var(ddof=1)) / self.n_tasks**2, df=cell.size - 1.0)
            for cells, weight in sides
            for cell in cells
        ]


def pilot_of(scores: Scores) -> Pilot:
    """Return the pilot of one or two algorithms; refuse more, a cell with one run, and runs that do not vary."""
    if scores.n_algorithms > 2:
        raise DesignError(
            f"a plan is about two algorithms, or one that stands for both, and this pilot has {scores.n_algorithms}; choose with "
            f"{choice('scores.select(algorithms=…)', '--algorithms')}, for example {scores.algorithms[0]!r}."
        )
    alike = scores.n_algorithms == 1
    pilot = Pilot(pair=_doubled(scores) if alike else pair_data(scores, 0, 1), alike=alike)
    _refuse_unknown_spread(pilot)
    return pilot


def _doubled(scores: Scores) -> PairData:
    tasks = [t for t in range(scores.n_tasks) if scores.cell(0, t).size]
    cells = [scores.cell(0, t) for t in tasks]
    name = scores.algorithms[0]
    return PairData(
        a=name,
        b=f"an algorithm like {name}",
        x=cells,
        y=cells,
        tasks=[scores.tasks[t] for t in tasks],
        shared=scores.sampling.shared and len(tasks) > 1,
        episodes=scores.sampling.unit == "episode",
        binary=scores.binary,
        rates=scores.rates,
    )


def _refuse_unknown_spread(pilot: Pilot) -> None:
    pair = pilot.pair
    for name, side in ((pair.a, pair.x), (pair.b, pair.y)):
        for task, cell in zip(pair.tasks, side, strict=True):
            if cell.size < 2:
                raise DesignError(
                    f"the pilot has one run of {name!r} on task {task!r}: one run shows no spread; run at least 2 (better 20) of each, or "
                    "state a standard deviation you would defend (std, --std)."
                )
    if not pilot.binary and all(flat(cell) for cell in pilot.cells):
        raise DesignError(
            "the pilot's runs do not vary on any task: where runs are all alike one run of each shows the difference. Is the score column "
            "the right one?"
        )


def flat(cell: Floats) -> bool:
    """Return whether the runs of a cell are equal up to rounding."""
    return float(np.ptp(cell)) <= FLAT * float(np.abs(cell).max())


# ── what a difference of means may have for its true variance ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """An estimated variance that adds to the sum, with the degrees of freedom of its estimate."""

    variance: float
    df: float


def upper_factor(terms: Sequence[Term], assurance: float) -> float:
    """Return by how much the estimate of a sum of variances has to be multiplied so that the truth is below with this assurance.

    One variance: ν / χ²_{1−γ}(ν), exact for normal runs. Two: the modified large-sample limit of Graybill & Wang (1980), V + √Σ (H_i v_i)² with
    H_i = ν_i / χ²_{1−γ}(ν_i) − 1, which is exact where one of them is 0. More: the same limit of two terms, the one that weighs most in it and
    all others together, whose sum is taken for a χ² with Satterthwaite's degrees of freedom. Satterthwaite's approximation of everything
    falls to 0.78 instead of 0.9 where a variance with few runs dominates; limits of each at once are up to 30 times too wide.
    """
    variances, df = (np.array([getattr(term, name) for term in terms], np.float64) for name in ("variance", "df"))
    shares = variances / variances.sum()
    reaches = shares * _excess(df, assurance)
    most = int(np.argmax(reaches))
    reach = float(reaches[most])
    others = np.delete(shares, most)
    rest = float(others.sum())
    if rest > 0:
        together = rest**2 / float((others**2 / np.delete(df, most)).sum())
        reach = sqrt(reach**2 + (rest * float(_excess(np.array(together), assurance))) ** 2)
    return 1.0 + reach


def _excess(df: Floats, assurance: float) -> Floats:
    """Return H = ν / χ²_{1−γ}(ν) − 1."""
    limit: Floats = df / special.chdtri(df, assurance) - 1.0
    return limit
