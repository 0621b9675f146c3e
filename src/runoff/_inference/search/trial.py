"""What both laws of a search share: running moments, a trial of a candidate, and what is to be done next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, sqrt

from scipy.special import stdtrit

from runoff.answer.keep import KeepDecision, KeepReason


@dataclass(slots=True)
class Moments:
    """Number, mean and sum of squares about the mean of values that come one by one (Welford 1962)."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.n += 1
        step = value - self.mean
        self.mean += step / self.n
        self.squares += step * (value - self.mean)

    @classmethod
    def of(cls, values: Iterable[float]) -> Moments:
        moments = cls()
        for value in values:
            moments.add(value)
        return moments


@dataclass(slots=True)
class Noise:
    """The spread of runs within configurations: squares and degrees of freedom of groups that are complete."""

    squares: float = 0.0
    df: int = 0

    def add(self, group: Moments) -> None:
        if group.n > 1:
            self.squares += group.squares
            self.df += group.n - 1

    def beside(self, *open_groups: Moments) -> tuple[float, int]:
        """Return the pooled variance and its degrees of freedom, with groups that still grow."""
        squares = self.squares + sum(group.squares for group in open_groups if group.n > 1)
        df = self.df + sum(group.n - 1 for group in open_groups if group.n > 1)
        return (squares / df if df else 0.0), df


@dataclass(slots=True)
class Trial:
    """The runs of a candidate since it was proposed (last), in order, and how far the law has looked at them.

    Attributes
    ----------
    raw : list of tuple
        The scores of each run by task, of which `values` are made.
    labels : list of str
        The seed of each run, or its number.
    n_used : int
        Runs that the law has seen; the others were made before it asked for them.
    confirmation : Moments
        The runs after the screening, of those seen.
    looked : int
        Runs of the confirmation at which the law has looked last.
    number, level : int, float
        Which confirmation it is, from 1, and what it may spend; 0 while it screens.
    begun_at : int
        Fresh runs of the champion when the confirmation began.
    beside : Moments
        Runs of the champion since then.
    """

    name: str
    turn: int = 1
    raw: list[tuple[float, ...]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    n_used: int = 0
    confirmation: Moments = field(default_factory=Moments)
    looked: int = 0
    number: int = 0
    level: float = 0.0
    begun_at: int = 0
    beside: Moments = field(default_factory=Moments)
    paired: bool = False

    @property
    def n_pending(self) -> int:
        """Runs that the law has not seen."""
        return len(self.values) - self.n_used

    @property
    def mean(self) -> float:
        """The mean of the runs that the law has seen."""
        return sum(self.values[: self.n_used]) / self.n_used


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What to do next: keep, discard, or run so many more; with the numbers behind it.

    Attributes
    ----------
    lead : float or None
        Mean of the candidate's runs that count, less the champion's level; in strict those of the confirmation, in gain what is expected.
    pvalue, level : float or None
        Of the test that was made, and what it may spend; in gain `pvalue` is the chance that the change gains nothing.
    """

    decision: KeepDecision
    reason: KeepReason
    n_candidate: int = 0
    n_champion: int = 0
    lead: float | None = None
    pvalue: float | None = None
    level: float | None = None


def more(reason: KeepReason, n_candidate: int = 0, n_champion: int = 0, lead: float | None = None) -> Step:
    """Return the step of runs that are needed."""
    return Step(decision="run_more", reason=reason, n_candidate=n_candidate, n_champion=n_champion, lead=lead)


def discard(
    reason: KeepReason, lead: float | None = None, pvalue: float | None = None, level: float | None = None
) -> Step:
    """Return the step that ends a trial without a change."""
    return Step(decision="discard", reason=reason, lead=lead, pvalue=pvalue, level=level)


UNLIMITED = inf
"""Runs that are left where nobody has set a budget."""


def standard_deviation(noise: tuple[float, int]) -> float:
    """Return the square root of a pooled variance."""
    return sqrt(noise[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordClaim:
    """The champion's level by runs that did not choose it, and its gain over the start with the ends of its 95 % interval.

    None: no such run, or nothing was kept yet.
    """

    n: int
    level: float | None
    gain: float | None = None
    low: float | None = None
    high: float | None = None


CONFIDENCE = 0.95
"""Level of the interval of what a search has gained."""


def lead_over(fresh: Moments, start: Moments | None, noise: tuple[float, int]) -> RecordClaim:
    """Return the record of a champion: the difference of two means of runs that chose neither, ± t s √(1/n + 1/n₀)."""
    if not fresh.n:
        return RecordClaim(n=0, level=None)
    if start is None:
        return RecordClaim(n=fresh.n, level=fresh.mean)
    variance, df = noise
    gain = fresh.mean - start.mean
    half = float(stdtrit(df, (1 + CONFIDENCE) / 2)) * sqrt(variance * (1 / fresh.n + 1 / start.n))
    return RecordClaim(n=fresh.n, level=fresh.mean, gain=gain, low=gain - half, high=gain + half)
