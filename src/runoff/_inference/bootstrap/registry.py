"""The intervals of an aggregate by name: each is one record, and every name has its own builder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from runoff._inference.bootstrap import intervals, pool, student
from runoff._inference.bootstrap.intervals import Ends
from runoff._inference.bootstrap.pool import Pool
from runoff.base.arrays import Floats
from runoff.base.random import Streams, in_threads
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.words.speech import option

RESAMPLED: Mapping[str, Callable[..., Floats]] = MappingProxyType(
    {"runs": pool.resample_runs, "runs_and_tasks": pool.resample_tasks}
)
"""What is drawn anew in each bootstrap replicate, and by which function."""
OVER: tuple[str, ...] = tuple(RESAMPLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What intervals are made of: one algorithm's pool, the kernel's columns of the metrics, and how to draw.

    Draws are made when a builder asks for them, from streams of their own: the same numbers whoever asks.
    """

    pool: Pool
    columns: Sequence[int]
    confidence_level: float
    n_resamples: int
    streams: Streams
    threads: int | None = None
    over: str = "runs"

    @property
    def points(self) -> list[float]:
        """Return the estimates."""
        found = pool.estimates(self.pool)
        return [float(found[column]) for column in self.columns]

    def replicates(self) -> list[Floats]:
        """Return the bootstrap replicates (n_resamples,) of each metric."""
        drawn = RESAMPLED[self.over](self.pool, self.n_resamples, self.streams, self.threads)
        return [drawn[:, column] for column in self.columns]


Builder = Callable[[Wanted], list[Ends | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One kind of interval.

    Attributes
    ----------
    title : str
        In captions and a methods paragraph: "percentile bootstrap".
    label : str
        In tables and studies.
    build : function of `Wanted`
        Returns the ends of each metric; None where no honest interval exists.
    over : tuple of str
        What it can resample.
    narrow : bool
        Whether it is too narrow with few runs, as what rests on the variance of a bootstrap is.
    most_draws : int or None
        More resamples than this are not drawn.
    shared : tuple of str
        What it can resample where runs are shared by tasks.
    """

    title: str
    label: str
    build: Builder
    over: tuple[str, ...] = ("runs",)
    narrow: bool = True
    most_draws: int | None = None
    shared: tuple[str, ...] = ()

    def drawn(self, n_resamples: int) -> int:
        """Return how many resamples it uses of those asked for."""
        return min(n_resamples, self.most_draws or n_resamples)


def _from_replicates(make: Callable[[Floats, float, float], Ends | None]) -> Builder:
    def build(wanted: Wanted) -> list[Ends | None]:
        pairs = list(zip(wanted.replicates(), wanted.points, strict=True))
        return in_threads(lambda pair: make(*pair, wanted.confidence_level), pairs, wanted.threads)

    return build


def _bca(wanted: Wanted) -> list[Ends | None]:
    skew = pool.acceleration(wanted.pool)
    return [
        intervals.bca(drawn, point, wanted.confidence_level, skew[column])
        for drawn, point, column in zip(wanted.replicates(), wanted.points, wanted.columns, strict=True)
    ]


def _studentized(wanted: Wanted) -> list[Ends | None]:
    drawn, errors = pool.resample_with_errors(wanted.pool, wanted.n_resamples, wanted.streams, wanted.threads)
    own = pool.standard_errors(wanted.pool)
    return [
        intervals.studentized(drawn[:, c], errors[:, c], point, own[c], wanted.confidence_level)
        for point, c in zip(wanted.points, wanted.columns, strict=True)
    ]


def _student(wanted: Wanted) -> list[Ends | None]:
    build = STUDENT[wanted.over]
    return build(
        wanted.pool, list(wanted.columns), wanted.confidence_level, wanted.n_resamples, wanted.streams, wanted.threads
    )


STUDENT = MappingProxyType({"runs": student.over_runs, "runs_and_tasks": student.over_tasks})
AUTO = "t"
"""What "auto" takes: the interval whose coverage is nearest to its level from the fewest runs on (docs/estimates.md)."""

INTERVALS: Mapping[str, Interval] = MappingProxyType(
    {
        "t": Interval(
            title="t", label="t", build=_student, over=OVER, narrow=False, most_draws=student.MOST_DRAWS, shared=OVER
        ),
        "percentile": Interval(
            title="percentile bootstrap",
            label="percentile",
            build=_from_replicates(intervals.percentile),
            over=OVER,
            shared=("runs",),
        ),
        "basic": Interval(
            title="basic bootstrap", label="basic", build=_from_replicates(intervals.basic), over=OVER, shared=("runs",)
        ),
        "bca": Interval(title="BCa bootstrap", label="BCa", build=_bca),
        "studentized": Interval(title="studentised bootstrap", label="studentised", build=_studentized, narrow=False),
    }
)


def interval_title(kind: str) -> str:
    """Return an interval of a record in words."""
    return "Wilson" if kind == "wilson" else INTERVALS[kind].title


def check_interval(interval: str, over: str = "runs", *, shared: bool = False) -> str:
    """Return the interval, "auto" being one of them; refuse an unknown name, and what it cannot resample; `shared`: whole runs."""
    check_choice("interval", interval, ("auto", *INTERVALS))
    chosen = AUTO if interval == "auto" else interval
    if over not in INTERVALS[chosen].over:
        able = " or ".join(repr(name) for name, entry in INTERVALS.items() if over in entry.over)
        raise OptionError(
            f"{option('interval', chosen)} resamples runs only; use {option('over', 'runs')}, or {able} over tasks."
        )
    if shared and over not in INTERVALS[chosen].shared:
        able = " or ".join(repr(name) for name, entry in INTERVALS.items() if over in entry.shared)
        raise OptionError(f"interval={chosen!r} is not made for runs that are shared by tasks; use {able}.")
    return chosen
