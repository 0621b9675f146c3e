"""The answer to "what share of runs is above a threshold?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.results.advice import Advice
from runoff.results.base import Records, printed_lines
from runoff.words.numbers import digits


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRecord:
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
    """What can be read off one algorithm's profile, over every τ, in units of the scores.

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
    """How the profiles of two algorithms lie, on the tasks that both have, over every τ. It describes these runs: no test stands behind it.

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
class ProfileResult(Records):
    """Performance profiles with their bands.

    Attributes
    ----------
    records : tuple of ProfileRecord
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

    records: tuple[ProfileRecord, ...]
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
        return tuple(record.threshold for record in self.of(self.algorithms[0]))

    def of(self, algorithm: str) -> tuple[ProfileRecord, ...]:
        """Return the records of one algorithm, by threshold."""
        return self._rows(algorithm=algorithm)

    def summary(self, algorithm: str) -> ProfileSummary:
        """Return what can be read off one algorithm's profile."""
        return next(summary for summary in self.summaries if summary.algorithm == algorithm)

    def order(self, a: str, b: str) -> ProfileOrder:
        """Return how the profiles of a pair lie, named in either order."""
        return next(order for order in self.orders if {order.a, order.b} == {a, b})

    def __str__(self) -> str:
        if self.orders:
            rows = printed_lines(more=[order.sentence for order in self.orders], noun="pair")
            return f"{rows}\nWhether two algorithms differ is for a test of the pair."
        return printed_lines(
            more=[f"{s.algorithm}: half of the profile lies beyond {digits(s.median)}." for s in self.summaries]
        )
