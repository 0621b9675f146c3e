"""When runs first reach a score: times of runs that never do are censored at their last evaluation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.family import CORRECTIONS
from runoff._inference.steps.align import plural_of
from runoff._inference.two_sample import TwoSampleOptions, permutation
from runoff.base.arrays import SMALLEST, Bools, Floats
from runoff.base.random import Streams
from runoff.base.validate import check_resamples
from runoff.data.curves import Curves
from runoff.data.ends import NAMED
from runoff.words.numbers import exactly, p_adjusted

REACH_TESTS: Mapping[str, str] = MappingProxyType(
    {
        "logrank_permutation": "the log-rank permutation test",
        "logrank": "the log-rank test by its large-sample distribution",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The step at which each run of a cell was first evaluated at the threshold or above, or last evaluated where it never was."""

    times: Floats
    reached: Bools

    def survival(self) -> tuple[Floats, Floats, Floats]:
        """Return the steps at which runs end, the share that has not reached the threshold, and Greenwood's sum (Kaplan & Meier 1958)."""
        steps, at = np.unique(self.times, return_inverse=True)
        n_events = np.bincount(at, weights=self.reached, minlength=len(steps)).astype(np.float64)
        ended = np.bincount(at, minlength=len(steps))
        # At risk just before a step: a run that is censored there still counts (Kaplan & Meier 1958).
        n_left = len(self.times) - np.cumsum(ended) + ended
        with np.errstate(divide="ignore"):
            greenwood: Floats = np.cumsum(n_events / (n_left * (n_left - n_events)))
        chances: Floats = np.cumprod((n_left - n_events) / n_left, dtype=np.float64)
        return steps, chances, greenwood

    def share_reached(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the steps at which runs reach it and the share that has by then (one minus Kaplan-Meier)."""
        steps, chances, _ = self.survival()
        # Steps at which runs were only censored change nothing.
        falls = np.flatnonzero(np.diff(chances, prepend=1.0) < 0)
        return tuple(steps[falls].tolist()), tuple((1.0 - chances[falls]).tolist())

    def median(self, confidence_level: float) -> tuple[float | None, float | None, float | None]:
        """Return the Kaplan-Meier median and its interval (log-log, Greenwood's variance); None where the curve does not come down to a half."""
        if not self.reached.any():
            return None, None, None
        steps, chances, greenwood = self.survival()
        if len(self.times) < 2 or self.reached.sum() < 2:
            return _first_below(steps, chances), None, None
        with np.errstate(divide="ignore", invalid="ignore"):
            # log(−log S) has the variance Greenwood/(log S)²; on this scale ends stay within [0, 1].
            logs = np.log(-np.log(chances))
            widths = special.ndtri((1.0 + confidence_level) / 2.0) * np.sqrt(greenwood) / np.abs(np.log(chances))
            low, high = np.exp(-np.exp(logs + widths)), np.exp(-np.exp(logs - widths))
        # Where all runs, or none, are past a step, the formula has no ends: they are its estimate there, and 1.
        low, high = np.where(np.isnan(low), chances, low), np.nan_to_num(high, nan=1.0)
        return _first_below(steps, chances), _first_below(steps, low), _first_below(steps, high)


def _first_below(steps: Floats, chances: Floats) -> float | None:
    """Return the first step at which at most half of the runs have not reached it."""
    # A half but for the rounding of a product is a half.
    places = np.flatnonzero(chances <= 0.5 + 1e-12)
    return float(steps[places[0]]) if places.size else None


def looks_of(curves: Curves, t: int) -> Floats | None:
    """Return the steps by which every run of a task was evaluated anew, None if all were evaluated at the same steps.

    A run that is evaluated more often, or earlier, is seen above the threshold sooner, however it learns: each gets as many looks as the others.
    """
    runs = [curves.curve(int(i))[0] for i in np.flatnonzero(curves.cells() % len(curves.tasks) == t)]
    longest = max(runs, key=len)
    if all(np.array_equal(own, longest[: own.size]) for own in runs):
        return None
    looks = [max(float(own[0]) for own in runs)]
    ahead = [own.tolist() for own in runs]
    places = [0] * len(runs)
    while True:
        places = [bisect_right(own, looks[-1], at) for own, at in zip(ahead, places, strict=True)]
        # A run that has ended is waited for no more.
        following = [own[at] for own, at in zip(ahead, places, strict=True) if at < len(own)]
        if not following:
            return np.array(looks)
        looks.append(max(following))


def looks_words(curves: Curves, looks: Sequence[Floats | None]) -> tuple[str, ...]:
    """Return the note on tasks whose runs were not evaluated at the same steps."""
    uneven = [(task, of) for task, of in zip(curves.tasks, looks, strict=True) if of is not None]
    where = ", ".join(
        f"{of.size} from {of[0]:.10g} to {of[-1]:.10g}{f' on {task}' if len(looks) > 1 else ''}"
        for task, of in uneven[:NAMED]
    )
    more = f", and on {len(uneven) - NAMED} more tasks" if len(uneven) > NAMED else ""
    text = (
        f"{curves.sampling.unit}s were evaluated at different {plural_of(curves)}: for the time to a score each is looked at as often as the "
        f"others ({where}{more}), by its nearest evaluation"
    )
    return (text,) if uneven else ()


def times_of(curves: Curves, a: int, t: int, threshold: float, looks: Floats | None = None) -> Times | None:
    """Return the times of one cell, None where it has no runs; at the looks, where the evaluation of a run that is nearest counts."""
    cell = a * len(curves.tasks) + t
    start, stop = curves.cell_offsets[cell : cell + 2].tolist()
    times, reached = [], []
    for i in range(start, stop):
        steps, scores = curves.curve(i)
        end = float(steps[-1])
        if looks is not None:
            # Not the latest before a look, which of two schedules lags behind more in one than in the other.
            nearest = np.searchsorted((steps[1:] + steps[:-1]) / 2, looks)
            # A run looks again only where it was evaluated again.
            new = np.diff(nearest, prepend=-1) > 0
            steps, scores = looks[new], scores[nearest[new]]
        above = np.flatnonzero(scores >= threshold)
        # Reached at the evaluation, not between two: an interpolated curve may cross where no run was seen above.
        reached.append(above.size > 0)
        times.append(float(steps[above[0]]) if above.size else end)
    return Times(times=np.array(times), reached=np.array(reached)) if times else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logrank:
    """Two cells: by how many runs the first reached it more often than expected, the p-value, and how it was found."""

    excess: float
    pvalue: float
    method: str


def logrank(first: Times, other: Times, *, exact: bool, streams: Streams, n_resamples: int) -> Logrank:
    """Return the two-sided log-rank test; p = 1 where no run of either reached it."""
    if not (first.reached.any() or other.reached.any()):
        return Logrank(excess=0.0, pvalue=1.0, method="exact")
    scores = logrank_scores(np.concatenate([first.times, other.times]), np.concatenate([first.reached, other.reached]))
    x, y = scores[: len(first.times)], scores[len(first.times) :]
    if not exact:
        from scipy import stats  # half a second, for this law alone

        x_times, y_times = (
            stats.CensoredData(uncensored=side.times[side.reached], right=side.times[~side.reached])
            for side in (first, other)
        )
        with np.errstate(all="ignore"):
            pvalue = float(stats.logrank(x_times, y_times).pvalue)
        pvalue = max(pvalue, SMALLEST) if pvalue == pvalue else 1.0
        return Logrank(excess=float(x.sum()), pvalue=pvalue, method="asymptotic")
    options = TwoSampleOptions(streams=streams, n_resamples=check_resamples(n_resamples, 1))
    outcome = permutation(x[None], y[None], options)
    return Logrank(excess=float(x.sum()), pvalue=float(outcome.pvalue[0]), method=str(outcome.method[0]))


def logrank_scores(times: Floats, reached: Bools) -> Floats:
    """Return what each run adds to observed minus expected: 1 where it reached the score, less its cumulative hazard (Nelson-Aalen).

    Their sum over one side is the numerator of the log-rank statistic, so relabelling runs needs the scores alone (Peto & Peto 1972).
    """
    events = np.unique(times[reached])
    hazards = [(reached & (times == event)).sum() / (times >= event).sum() for event in events]
    # All hazards up to and with a run's own time.
    at = np.searchsorted(events, times, side="right")
    cumulative: Floats = np.concatenate([[0.0], np.cumsum(hazards)])
    return reached.astype(np.float64) - cumulative[at]


def reach_words(
    pair: tuple[str, str], outcome: Logrank, adjusted: float, *, where: str, test: str, correction: str, alpha: float
) -> str:
    how = f"{REACH_TESTS[test]}, {p_adjusted(outcome.pvalue, adjusted)}, {CORRECTIONS[correction].label} correction, α = {exactly(alpha)}"
    if adjusted > alpha:
        return f"No difference between {pair[0]} and {pair[1]} in the time to {where} was found ({how}), which does not make them equal."
    sooner, later = pair if outcome.excess > 0 else pair[::-1]
    return f"{sooner} reaches {where} sooner than {later} ({how})."
