"""The answers to "what do the runs of each cell look like?", "how much of the spread is due to what?" and "what share is above a threshold?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.results.base import Advice
from runoff.results.ends import WithInterval
from runoff.results.rows import Records
from runoff.words.names import capital
from runoff.words.numbers import counted, digits, exactly, listed, percent

FIRST = 6
"""Algorithms that a sentence names of many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeRow:
    """The runs of one algorithm on one task. None: too few runs, or no spread, to tell.

    Attributes
    ----------
    n_runs, n_distinct : int
        Runs, and different scores among them.
    skewness, kurtosis : float or None
        Bias-corrected; kurtosis as excess over the normal's.
    normality_pvalue : float or None
        D'Agostino and Pearson's test, from 8 runs.
    shapiro_pvalue : float or None
        Shapiro and Wilk's test, for 3 to 5000 runs.
    normal : bool or None
        Whether normality is not rejected, by D'Agostino and Pearson's test, or Shapiro and Wilk's below 8 runs.
    within_groups : float or None
        The share of the sum of squares that is left within the two sides of the best split of the runs, from 8 runs.
    bimodal : bool or None
        Whether the runs fall into two groups: the best split leaves less than samples of one group do.
    distribution : str or None
        The family that fits best by AICc; the normal where normality is not rejected.
    parameters : mapping of str to float, or None
        As scipy.stats names them; of the mixture `weight` (of the second), `loc_1`, `scale_1`, `loc_2`, `scale_2`.
    histogram : tuple of int
        Counts in equal bins from `minimum` to `maximum`.
    """

    algorithm: str
    task: str
    n_runs: int
    n_distinct: int
    mean: float
    std: float | None
    median: float
    minimum: float
    maximum: float
    skewness: float | None
    kurtosis: float | None
    normality_pvalue: float | None
    shapiro_pvalue: float | None
    normal: bool | None
    within_groups: float | None
    bimodal: bool | None
    distribution: str | None
    parameters: Mapping[str, float] | None
    aicc: float | None
    histogram: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeResult(Records[DescribeRow]):
    """The shape of every cell that has runs, in the order of algorithms, then tasks.

    Attributes
    ----------
    alpha : float
        Level of the tests of normality, each on its own.
    fitted : bool
        Whether families were compared.
    unit : "run" or "episode"
        What a score is of.
    """

    rows: tuple[DescribeRow, ...]
    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    alpha: float
    fitted: bool
    advice: tuple[Advice, ...] = ()
    unit: str = "run"

    @property
    def sentence(self) -> str:
        """Number of cells in which normality is rejected, and of those whose runs fall into two groups."""
        tested = [r for r in self.rows if r.normal is not None]
        rejected = sum(not r.normal for r in tested)
        untold = len(self.rows) - len(tested)
        also = f"; {counted([untold], 'cell')} with too few {self.unit}s or no spread to tell" if untold else ""
        cells = counted([len(tested)], "cell")
        normal = f"Normality is rejected in {rejected} of {cells} at α = {exactly(self.alpha)}{also}."
        if all({r.minimum, r.maximum} <= {0.0, 1.0} and r.n_distinct <= 2 for r in self.rows):
            return "All scores are 0 or 1, so that each cell has a success rate and no other shape."
        return f"{normal} {self._groups()}"

    def _groups(self) -> str:
        # Two groups are looked for from eight different runs on: with fewer every sample has a widest gap.
        judged = [r.bimodal for r in self.rows if r.bimodal is not None]
        if not judged:
            return (
                f"Whether {self.unit}s fall into two groups cannot be judged: no cell has 8 {self.unit}s that differ."
            )
        few = len(self.rows) - len(judged)
        beside = (
            f"; {counted([few], 'cell')} with fewer than 8 {self.unit}s, or no spread, to judge that" if few else ""
        )
        return (
            f"{capital(self.unit)}s fall into two groups in {sum(judged)} of {counted([len(judged)], 'cell')}{beside}."
        )


Component = Literal["task", "run", "episode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceRow:
    """One source of spread of one algorithm's scores.

    Attributes
    ----------
    component : "task", "run" or "episode"
    variance : float or None
        In squared units of the scores; None where there is only one of its kind.
    share : float or None
        Of the total variance of a single episode's score.
    share_of_score : float or None
        Of the variance of a run's score about its task's mean, when that score is the mean of the run's episodes; None for "task".
    cut : bool
        The estimate was below 0, and `variance` is 0.
    n_levels : int
        Tasks, runs or episodes of this algorithm.
    """

    algorithm: str
    component: Component
    variance: float | None
    share: float | None
    share_of_score: float | None
    cut: bool
    n_levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceResult(Records[VarianceRow]):
    """Three records per algorithm.

    Attributes
    ----------
    notes : tuple of str
        What was done to the data, one sentence each.
    """

    rows: tuple[VarianceRow, ...]
    algorithms: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Shares of each algorithm, the first six of many."""
        shares = [f"{name}: {self._shares(name)}" for name in self.algorithms[:FIRST]]
        left = len(self.algorithms) - FIRST
        rest = [f"and {counted([left], 'more algorithm')}"] if left > 0 else []
        return f"{'; '.join([*shares, *rest])}."

    def _shares(self, algorithm: str) -> str:
        records = [r for r in self.rows if r.algorithm == algorithm and r.share is not None]
        return (
            ", ".join(
                f"{percent(round(r.share or 0.0, 2))} {r.component}s{' (estimated below 0, cut)' if r.cut else ''}"
                for r in records
            )
            if records
            else "no spread"
        )


# ── what share of runs is above a threshold? ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow(WithInterval):
    """One algorithm at one threshold.

    Attributes
    ----------
    threshold : float
        τ, in units of the scores.
    estimate : float
        The share of runs (or of tasks, by their mean) that is strictly above τ, every task weighing the same, in [0, 1].
    low, high : float or None
        None with a cell of one run, and for average scores where no resample differs.
    interval : "exact", "wilson", "bootstrap", "simultaneous", "clopper_pearson" or None
        The band that was asked for, or Clopper and Pearson's where that has no width.
    """

    algorithm: str
    threshold: float
    estimate: float
    low: float | None
    high: float | None
    interval: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSummary:
    """The numbers that one algorithm's profile gives over every τ, in units of the scores.

    Attributes
    ----------
    iqm : float
        Twice the area left of the profile between shares ¼ and ¾.
    median : float
        Where the profile crosses ½: the median run, or of average scores the median task mean.
    mean : float
        The area below the profile, right of 0, less that above it, left of 0.
    optimality_gap : float
        The area above the profile, left of `gamma`.
    n_tasks, n_scores, fewest, most : int
        Tasks, scores in all, and the fewest and most runs of a task.
    """

    algorithm: str
    iqm: float
    median: float
    mean: float
    optimality_gap: float
    gamma: float
    n_tasks: int
    n_scores: int
    fewest: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileOrder:
    """The order of the profiles of two algorithms, on the tasks that both have, over every τ. It describes these runs: no test stands behind it.

    Attributes
    ----------
    order : "a_dominates", "b_dominates", "cross" or "equal"
        a dominates if its profile is nowhere below that of b, and somewhere above (first-order stochastic dominance).
    crossings : tuple of float
        Each τ from which on the other algorithm leads.
    a_lead, b_lead : float
        The largest difference of the shares in favour of each, 0 if there is none.
    a_lead_at, b_lead_at : float or None
        The lowest τ where it is that large.
    """

    a: str
    b: str
    order: str
    crossings: tuple[float, ...]
    a_lead: float
    b_lead: float
    a_lead_at: float | None
    b_lead_at: float | None
    n_tasks: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileResult(Records[ProfileRow]):
    """Performance profiles with their bands.

    Attributes
    ----------
    rows : tuple of ProfileRow
        By algorithm, then threshold.
    orders : tuple of ProfileOrder
        One for each pair that shares a task.
    kind : "run_scores" or "average_scores"
    scale : "linear" or "log"
        How the thresholds are to be drawn.
    confidence_level : float
        Of each point of the band, or of the whole band of one algorithm (simultaneous).
    n_resamples, seed : int
        No resamples where none are needed.
    shared : bool
        Whether whole runs, scored on all tasks, are what varies.
    reference : str or None
        The reference scores that the scores are normalised by.
    """

    rows: tuple[ProfileRow, ...]
    summaries: tuple[ProfileSummary, ...]
    orders: tuple[ProfileOrder, ...]
    kind: str
    band: str
    scale: str
    confidence_level: float
    n_resamples: int
    seed: int
    shared: bool = False
    advice: tuple[Advice, ...] = ()
    reference: str | None = None

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Return the names, in order."""
        return tuple(summary.algorithm for summary in self.summaries)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Return the thresholds, ascending."""
        return tuple(record.threshold for record in self._rows(algorithm=self.algorithms[0]))

    def _caption(self) -> str:
        level = percent(self.confidence_level)
        band = (
            f"a {level} band of each algorithm as a whole"
            if self.band == "simultaneous"
            else f"{level} intervals at each threshold"
        )
        what = "average scores" if self.kind == "average_scores" else "runs"
        return f"Share of {what} above each threshold, tasks weighing the same, with {band}."

    def _of_two(self, a: object, b: object) -> ProfileOrder | None:
        """Return how the profiles of a pair lie, named in either order."""
        return next((order for order in self.orders if {order.a, order.b} == {a, b}), None)

    def summary(self, algorithm: str) -> ProfileSummary:
        """Return what can be read off one algorithm's profile."""
        return next(summary for summary in self.summaries if summary.algorithm == algorithm)

    @property
    def sentence(self) -> str:
        """Order of the profiles, or beyond what half of each lies where no pair shares a task."""
        if self.orders:
            n, cross = len(self.orders), sum(order.order == "cross" for order in self.orders)
            ordered = sum(order.order.endswith("dominates") for order in self.orders)
            counts = f"{ordered} have one that is nowhere below the other in these runs, and {cross} cross"
            words = self.orders[0].sentence if n == 1 else f"Of {n} pairs of profiles {counts}."
            return f"{words} Whether two algorithms differ is for a test of the pair."
        halves = listed([f"{digits(s.median)} ({s.algorithm})" for s in self.summaries])
        return f"Half of the profile lies beyond {halves}."
