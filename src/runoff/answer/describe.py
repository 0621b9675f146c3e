"""Descriptive answers: the distribution of runs by algorithm and task, the sources of their spread, and the share above a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Advice
from runoff.answer.ends import WithInterval
from runoff.answer.rows import Records
from runoff.words.names import capital
from runoff.words.numbers import counted, digits, exactly, listed, percent

FIRST = 6
"""The largest number of algorithms that a sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeRow:
    """The runs of one algorithm on one task. A field is None if there are too few runs, or no spread, to compute it.

    Attributes
    ----------
    n_runs, n_distinct : int
        The number of runs, and of different scores among them.
    skewness, kurtosis : float or None
        Bias-corrected skewness, and kurtosis as the excess over the normal distribution's.
    normality_pvalue : float or None
        The p-value of D'Agostino and Pearson's test, from 8 runs on.
    shapiro_pvalue : float or None
        The p-value of Shapiro and Wilk's test, for 3 to 5000 runs.
    normal : bool or None
        Whether normality is not rejected by D'Agostino and Pearson's test or, below 8 runs, by Shapiro and Wilk's.
    within_groups : float or None
        The share of the sum of squares that remains within the two sides of the best split of the runs, from 8 runs on.
    bimodal : bool or None
        Whether the runs fall into two groups: the best split leaves a smaller share than it would in samples of one group.
    distribution : str or None
        The distribution family that fits best by AICc; the normal if normality is not rejected.
    parameters : mapping of str to float, or None
        The fitted parameters under the names of scipy.stats; for the mixture `weight` (of the second component), `loc_1`, `scale_1`,
        `loc_2`, `scale_2`.
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
    """The distribution of the runs of each algorithm on each task, in the order of algorithms, then tasks.

    Attributes
    ----------
    alpha : float
        The level of each test of normality on its own.
    fitted : bool
        Whether distribution families were compared.
    unit : "run" or "episode"
        The unit that has a score.
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
        """A sentence on how often normality is rejected, and how often runs fall into two groups."""
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
        The variance, in squared units of the scores; None if there is only one task, run or episode.
    share : float or None
        The component's share of the total variance of a single episode's score.
    share_of_score : float or None
        The component's share of the variance of a run's score about its task's mean, the score being the mean of the run's episodes; None
        for "task".
    cut : bool
        Whether the estimate was below 0, so that `variance` was set to 0.
    n_levels : int
        The number of tasks, runs or episodes of this algorithm.
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
    """Components of variance, three records per algorithm.

    Attributes
    ----------
    notes : tuple of str
        One sentence for each treatment of the data.
    """

    rows: tuple[VarianceRow, ...]
    algorithms: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """A sentence on the shares of each algorithm, at most the first six."""
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
        The share of runs (or of tasks, by their mean) strictly above τ, in [0, 1]; every task has the same weight.
    low, high : float or None
        None if some task has a single run, and for average scores if no resample differs.
    interval : "exact", "wilson", "bootstrap", "simultaneous", "clopper_pearson" or None
        The requested band, or Clopper and Pearson's if the requested band has no width.
    """

    algorithm: str
    threshold: float
    estimate: float
    low: float | None
    high: float | None
    interval: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileSummary:
    """Summaries of one algorithm's profile over all τ, in units of the scores.

    Attributes
    ----------
    iqm : float
        Twice the area to the left of the profile between the shares ¼ and ¾.
    median : float
        The τ at which the profile crosses ½: the median run, or for average scores the median task mean.
    mean : float
        The area below the profile to the right of 0, minus the area above it to the left of 0.
    optimality_gap : float
        The area above the profile to the left of `gamma`.
    n_tasks, n_scores, fewest, most : int
        The number of tasks, the number of scores, and the fewest and most runs of a task.
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
    """The order of two algorithms' profiles over all τ, on the tasks that both have. It describes these runs; it is not a test.

    Attributes
    ----------
    order : "a_dominates", "b_dominates", "cross" or "equal"
        a dominates if its profile is nowhere below that of b and somewhere above it (first-order stochastic dominance).
    crossings : tuple of float
        Each τ at which the lead passes to the other algorithm.
    a_lead, b_lead : float
        The largest difference between the shares in favour of each; 0 if there is none.
    a_lead_at, b_lead_at : float or None
        The lowest τ with this difference.
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
        The rows, by algorithm, then threshold.
    orders : tuple of ProfileOrder
        One order for each pair that shares a task.
    kind : "run_scores" or "average_scores"
    scale : "linear" or "log"
        The scale on which thresholds are drawn.
    confidence_level : float
        The level of each point of the band or, if simultaneous, of the whole band of one algorithm.
    n_resamples, seed : int
        The number of resamples, 0 if none are needed, and the seed.
    shared : bool
        Whether whole runs, each scored on all tasks, are resampled.
    reference : str or None
        The reference scores by which the scores are normalised.
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
        """The names, in order."""
        return tuple(summary.algorithm for summary in self.summaries)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The thresholds, ascending."""
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
        """Return the order of a pair's profiles, for names in either order."""
        return next((order for order in self.orders if {order.a, order.b} == {a, b}), None)

    def summary(self, algorithm: str) -> ProfileSummary:
        """Return the summaries of one algorithm's profile."""
        return next(summary for summary in self.summaries if summary.algorithm == algorithm)

    @property
    def sentence(self) -> str:
        """A sentence on the order of the profiles or, if no pair shares a task, on the median of each."""
        if self.orders:
            n, cross = len(self.orders), sum(order.order == "cross" for order in self.orders)
            ordered = sum(order.order.endswith("dominates") for order in self.orders)
            counts = f"{ordered} {'has' if ordered == 1 else 'have'} one that is nowhere below the other in these runs, and {cross} cross"
            counts += "es" * (cross == 1)
            words = self.orders[0].sentence if n == 1 else f"Of {n} pairs of profiles {counts}."
            return f"{words} Whether two algorithms differ is for a test of the pair."
        halves = listed([f"{digits(s.median)} ({s.algorithm})" for s in self.summaries])
        return f"Half of the profile lies beyond {halves}."
