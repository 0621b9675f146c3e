"""Aggregate metrics by name: each is one record with its function.

A function takes values (n_tasks, most runs) and weights (…, n_tasks, most runs), and returns (…,). A weight says how many runs a score stands
for: those of a sample of N runs sum to N, every task has the same share of them, and a place without a run weighs 0. So one function serves
the data and samples without a run; tests hold the kernels to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import floor
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import OptionError, nearest
from runoff.words.names import LOWER_IS_BETTER, area_hint, metric_title


def task_means(values: Floats, weights: Floats) -> Floats:
    return np.asarray((values * weights).sum(axis=-1) / weights.sum(axis=-1))


def mean(values: Floats, weights: Floats) -> Floats:
    return np.asarray(task_means(values, weights).mean(axis=-1))


def median(values: Floats, weights: Floats) -> Floats:
    return np.asarray(np.median(task_means(values, weights), axis=-1))


def ascending(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the scores of all tasks in ascending order, and their weights, (…, n_tasks · most runs)."""
    order = np.argsort(values, axis=None, kind="stable")
    return values.ravel()[order], weights.reshape(*weights.shape[:-2], -1)[..., order]


def trimmed_mean(values: Floats, weights: Floats, *, cut: float) -> Floats:
    """Return the mean of the pool without int(cut · N) runs at each end, N being all runs; a score at the cut counts in part."""
    pooled, mass = ascending(values, weights)
    # Weights add up to N but for rounding, which must not take a run from int(cut · N).
    total = np.rint(mass.sum(axis=-1, keepdims=True))
    units, above = np.floor(cut * total), np.cumsum(mass, axis=-1)
    inside = np.maximum(np.minimum(above, total - units) - np.maximum(above - mass, units), 0.0)
    return np.asarray((inside * pooled).sum(axis=-1) / inside.sum(axis=-1))


OwnFunction = Callable[[Sequence[Floats]], float]
"""A user's measure: of the scores of one algorithm, (n_runs,) a task, higher being better."""


class OwnMeasure(str):
    """The name of a user's function, which carries the function along; copied or pickled it is the name alone."""

    function: OwnFunction

    def __repr__(self) -> str:
        """Return what a call names it by."""
        return str(self)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def of(self, cells: Sequence[Floats], place: str = "all runs") -> float:
        """Return the function of cells, which are copied, for it may change them; OptionError where that is no finite number."""
        try:
            value: Any = self.function([cell.copy() for cell in cells])
        except Exception as error:
            why = f"{type(error).__name__}: {str(error).rstrip('.')}"
            raise OptionError(f"measure={self} fails on {place}, {why}. {RECEIVES.format(self)}") from error
        value = value.item() if isinstance(value, np.ndarray | np.generic) and value.ndim == 0 else value
        if not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise OptionError(
                f"measure={self} must return one finite number, and returns {value!r} on {place}. {RECEIVES.format(self)}"
            )
        return float(value)

    def checked(self, cells: Sequence[Floats]) -> float:
        """Return the function of cells; OptionError where the order of runs has a say, which is chance, and where it is a sum."""
        value, turned, twice = self.of(cells), self.of([cell[::-1] for cell in cells]), self.of([*map(_twice, cells)])
        same = SAME_VALUE * max(abs(value), *(float(np.abs(cell).max()) for cell in cells))
        if abs(value - turned) > same:
            raise OptionError(
                f"measure={self} must not depend on the order of runs, nor on chance: it is {value:.6g}, and {turned:.6g} with the same runs in "
                "another order."
            )
        if abs(twice - 2 * value) <= same < abs(value):
            raise OptionError(
                f"measure={self} must not grow with the number of runs: it is {value:.6g}, and {twice:.6g} where each run is there twice. "
                "Take a mean in place of a sum, a share in place of a count."
            )
        return value


def _twice(cell: Floats) -> Floats:
    return np.repeat(cell, 2)


RECEIVES = (
    "{}(cells) is given a list of arrays, the runs of one algorithm on each task, whose numbers of runs may differ."
)
LARGEST = float(np.finfo(np.float64).max)
SAME_VALUE = 1e-9
"""Values of a user's function that differ by less than this share of the scores are equal: sums of another order round otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric.

    cited: what a methods paragraph calls it: "the interquartile mean". function: of values and weights, as the module says; `mean` is known
    to have a closed standard error. shortfall: whether the function is taken of max(gamma − score, 0) rather than of scores. smooth:
    whether a run less changes it little, so that the jackknife has its error; that of a median fails (Efron 1979). trim: of a trimmed mean
    the share cut from each end of the pool. whole: whether only whole runs are cut, int(trim · n) of n.
    own: a user's function, which takes cells, so that `function` is not called.
    """

    name: str
    cited: str
    function: Callable[[Floats, Floats], Floats] = field(compare=False)
    higher_is_better: bool = True
    shortfall: bool = False
    smooth: bool = True
    trim: float | None = None
    whole: bool = False
    own: OwnMeasure | None = field(default=None, compare=False)

    def cut(self, n: int) -> float:
        """Return how many of n runs are cut from each end of the pool."""
        runs = (self.trim or 0.0) * n
        return floor(runs) if self.whole else runs

    def among(self, n: int) -> Metric:
        """Return the metric that cuts the share which its whole runs are of n.

        A run that is left out takes its part of that share along. Were int(trim · (n − 1)) cut instead, all values without a run would move
        with n, and of some n the error with them.
        """
        if not self.whole:
            return self
        share = self.cut(n) / n
        return replace(self, function=partial(trimmed_mean, cut=share), trim=share, whole=False)

    @property
    def title(self) -> str:
        return metric_title(self.name)

    @property
    def averages(self) -> bool:
        """Return whether it is a mean of scores, or of shortfalls, whose error is known in closed form."""
        return self.function is mean


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric(name="iqm", cited="the interquartile mean", function=partial(trimmed_mean, cut=0.25), trim=0.25),
            Metric(
                name="iqm_whole",
                cited="the interquartile mean with whole runs cut, int(N / 4) of N from each end",
                function=partial(trimmed_mean, cut=0.25),
                trim=0.25,
                whole=True,
            ),
            Metric(name="mean", cited="the mean", function=mean),
            Metric(name="median", cited="the median of task means", function=median, smooth=False),
            Metric(
                name="optimality_gap",
                cited="the optimality gap",
                function=mean,
                higher_is_better=False,
                shortfall=True,
            ),
        )
    }
)
"""The fixed names; "trimmed_mean_10" (any whole per cent below 50) is the pooled mean without the lowest and highest 10 %."""


class Estimated(Protocol):
    @property
    def estimate(self) -> float: ...


R = TypeVar("R", bound=Estimated)


def parse_metric(name: str) -> Metric:
    """Return the metric of a name: one of METRICS, or trimmed_mean_P."""
    if isinstance(name, OwnMeasure):
        return Metric(name=name, cited=f"the measure {name}", function=_unweighted, own=name)
    if callable(name):
        raise OptionError(ONLY_NAMES)
    if name in METRICS:
        return METRICS[name]
    match = re.fullmatch(r"trimmed_mean_(\d{1,2})", str(name))
    if match and int(match[1]) < 50:
        cut = int(match[1]) / 100
        cited = f"the {int(match[1])}\u00a0% trimmed mean"
        return Metric(name=name, cited=cited, function=partial(trimmed_mean, cut=cut), trim=cut)
    names = [*METRICS, "trimmed_mean_10"]
    raise OptionError(
        f"metrics are {', '.join(METRICS)} and trimmed_mean_P with P per cent (below 50) cut from each end, not {name!r}."
        f"{area_hint(name) or nearest(name, names)}"
    )


ONLY_NAMES = (
    "a function as the measure is taken by aggregate, compare, equivalence, robustness, rank_intervals and report; everything else takes the "
    "name of a measure."
)


def _unweighted(values: Floats, weights: Floats) -> Floats:
    del values, weights
    raise OptionError(ONLY_NAMES)


def named_measure(measure: str | OwnFunction) -> str:
    """Return the name of a measure, that of a function with the function; OptionError for one without a name of its own."""
    if not callable(measure):
        return measure
    name = getattr(measure, "__name__", "")
    if not re.fullmatch(r"[^\W\d]\w*", name):
        raise OptionError(
            f"a function as the measure is called by its name, and this {type(measure).__name__} has none: write it as def my_measure(cells)."
        )
    if name in {*METRICS, "auto", "improvement", "hodges_lehmann"} or name.startswith("trimmed_mean_"):
        raise OptionError(
            f"the function {name!r} has the name of a measure of runoff: take measure={name!r}, or rename the function."
        )
    own = OwnMeasure(name)
    own.function = measure
    return own


def named_measures(measures: str | OwnFunction | Sequence[str | OwnFunction]) -> tuple[str, ...]:
    """Return the names of one measure or several, each once; OptionError where there is none, and where two functions have one name."""
    several = isinstance(measures, Iterable) and not isinstance(measures, str)
    names = [named_measure(measure) for measure in cast("Sequence[str]", measures if several else [measures])]
    functions = {own: own.function for own in names if isinstance(own, OwnMeasure)}
    if any(isinstance(own, OwnMeasure) and own.function is not functions[own] for own in names):
        raise OptionError(f"two functions have one name, among {', '.join(functions)}: rename one of them.")
    if not names:
        raise OptionError(f"measure names none; name one or several, for example {list(METRICS)}.")
    return tuple(dict.fromkeys(names))


def cited(measure: str) -> str:
    """Return what a methods paragraph calls a measure."""
    if measure == "improvement":
        return "the chance to beat a run of another"
    try:
        return parse_metric(measure).cited
    except OptionError:  # the name of a user's function, in an answer that was copied or read again
        return f"the measure {measure}"


def best_first(records: Iterable[R], metric: str) -> list[R]:
    """Return records of one metric, the best estimate first."""
    sign = 1.0 if metric in LOWER_IS_BETTER else -1.0
    return sorted(records, key=lambda record: sign * record.estimate)


ENDLESS = 2.0**40
"""Factor of the weights where a cut is exact: of so many runs a share is a whole number of runs up to rounding."""
