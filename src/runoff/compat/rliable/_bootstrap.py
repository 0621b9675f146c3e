"""Resamples of score matrices, the values of a function on them, and intervals under the names that rliable gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from runoff._inference.bootstrap import Array, bias_corrected_ends, resamples, source
from runoff.base.arrays import Floats
from runoff.base.random import Streams, in_threads, streams
from runoff.base.validate import check_finite
from runoff.errors import DataError, DesignError, OptionError

RandomState = int | np.random.Generator | np.random.RandomState | None
Func = Callable[..., Any]
EndArrays = tuple[Floats, Floats]
FEWEST_OTHERS, EVALUATIONS = 20, 20_000
"""Bounds on the calls for an acceleration: the least number of runs that take the place of each, and the calls in all."""


def as_scores(name: str, scores: Any) -> Array:
    """Return an array (n_runs, n_tasks, …) of numbers."""
    if not hasattr(scores, "__array__"):
        raise DataError(
            f"{name} must be an array (n_runs, n_tasks), not {type(scores).__name__}; make one with numpy.array(...)."
        )
    if isinstance(scores, np.ma.MaskedArray) and np.ma.getmaskarray(scores).any():
        raise DataError(
            f"{name} are a masked array, and what is masked has no score: give NaN to a function that leaves it out, or an array without gaps."
        )
    array = np.asarray(scores)
    if array.dtype.kind not in "biuf":
        raise DataError(f"{name} must hold numbers, not {array.dtype}.")
    if array.ndim < 2:
        message = f"{name} must have the shape (n_runs, n_tasks), not {array.shape}; scores.reshape(-1, 1) makes runs of one task of a list."
        raise DesignError(message)
    if not array.size:
        raise DesignError(f"the shape of {name} is {array.shape}: no run, or no task.")
    return array


def seeded(random_state: RandomState) -> Streams:
    """Return the streams of a seed (None: 0), or of a number drawn from a generator, which moves on."""
    # A generator moves on by one number, so that two calls with it differ, as in arch, and each can be made
    # again.
    if isinstance(random_state, np.random.RandomState):
        return Streams(int(random_state.randint(0, 2**63 - 1, dtype=np.int64)))
    if random_state is None:
        return streams(0)
    # True is an int to Python, and no seed.
    whole = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool) and random_state >= 0
    if not whole and not isinstance(random_state, np.random.Generator):
        message = f"random_state must be a whole number of at least 0, a numpy Generator or RandomState, or None, not {random_state!r}."
        raise OptionError(message)
    return streams(random_state)


# ── a function of resamples ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrapped:
    """Replicates (n_resamples, n_values) and estimate (n_values,) of a function; `acceleration()`: BCa's of each value, (n_values,)."""

    replicates: Floats
    estimate: Floats
    acceleration: Callable[[], Floats]


def bootstrapped(
    func: Func, arrays: Sequence[Array], reps: int, *, drawn_by: Streams, over_tasks: bool
) -> Bootstrapped:
    """Return the values of a function on arrays and on their resamples."""
    estimate = values(of_copies(func, arrays))
    check_finite("what func gives of the scores", estimate)
    redrawn = source(arrays, drawn_by, over_tasks=over_tasks)
    # Resamples are new arrays, so that only the first call needs copies.
    replicates = _stacked(values(func(*resample)) for resample in resamples(redrawn, reps))
    wrong = ~np.isfinite(replicates)
    if wrong.any():
        value = int(np.flatnonzero(wrong.any(axis=0))[0])
        raise OptionError(
            f"func gives no finite number on {int(wrong.any(axis=1).sum())} of {len(replicates)} resamples, the first being value {value}; "
            "it has to answer for every resample of the runs."
        )
    return Bootstrapped(replicates=replicates, estimate=estimate, acceleration=lambda: _exchanged(func, redrawn.arrays))


def of_copies(func: Func, arrays: Sequence[Array]) -> Any:
    """Return the result of a function on copies of arrays, which it may change."""
    return func(*(array.copy() for array in arrays))


def values(result: Any) -> Floats:
    """Return the result of a function as float64 (n_values,)."""
    try:
        numbers = np.asarray(result, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"func must return a number or a one-dimensional array of numbers, but {error}.") from error
    if numbers.ndim > 1 or not numbers.size:
        raise OptionError(
            f"func must return a number or a one-dimensional array of numbers, not an array of shape {numbers.shape}."
        )
    return np.atleast_1d(numbers)


def _stacked(results: Iterable[Floats]) -> Floats:
    """Return results (n_values,) as rows below each other, refusing those of another length."""
    rows = list(results)
    sizes = {row.size for row in rows}
    if len(sizes) > 1:
        message = f"func must return as many values for every resample, not {' or '.join(map(str, sorted(sizes)))}."
        raise OptionError(message)
    return np.array(rows)


def _exchanged(func: Func, arrays: Sequence[Array]) -> Floats:
    """Return BCa's acceleration of a function that may not be called with a run less: other runs of its task take the place of each.

    With influence values l of a task of c runs, a linear function changes by (l_j - l_i) / c when run j takes the place of run i, on
    average over the others by -l_i / (c - 1). a = Σ l³/c³ / (6 (Σ l²/c²)^{3/2}) over all runs (Davison & Hinkley 1997, eq. 5.31 and §5.4).
    """
    estimate = values(of_copies(func, arrays))
    cubes, squares = np.zeros((2, estimate.size))
    n_cells = sum(array.shape[0] * array.shape[1] for array in arrays)
    for side, array in enumerate(arrays):
        n_runs, n_tasks = array.shape[:2]
        # All others where 20,000 calls in all allow it, and 20 at least.
        most = min(n_runs - 1, max(FEWEST_OTHERS, EVALUATIONS // n_cells))
        # Others at even distances in the order of the runs, the same for every run: a balanced choice without a
        # draw.
        shifts = np.unique(np.linspace(1, n_runs - 1, most).astype(int)).tolist()
        for task in range(n_tasks) if n_runs > 1 else ():
            changes = _stacked(_exchange(func, arrays, side, (run, task), shifts) - estimate for run in range(n_runs))
            # The mean change over others is −l_i / (c − 1), so l_i / c is −(c − 1) / c times that; centred, for
            # the others are not all.
            influence = -(n_runs - 1) / n_runs * (changes - changes.mean(axis=0))
            cubes += (influence**3).sum(axis=0)
            squares += (influence**2).sum(axis=0)
    return np.asarray(np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0))


def _exchange(func: Func, arrays: Sequence[Array], side: int, place: tuple[int, int], shifts: Sequence[int]) -> Floats:
    """Return the mean of the function with other runs of the task in the place of one."""
    run, task = place
    results = []
    for shift in shifts:
        changed = list(arrays)
        changed[side] = arrays[side].copy()
        changed[side][run, task] = arrays[side][(run + shift) % len(arrays[side]), task]
        results.append(values(of_copies(func, changed)))
    return np.asarray(np.mean(results, axis=0))


# ── intervals ──────────


def percentile(law: Bootstrapped, tails: tuple[float, float]) -> EndArrays:
    ends = np.array(in_threads(lambda column: np.quantile(column, tails), list(law.replicates.T)))
    return ends[:, 0], ends[:, 1]


def basic(law: Bootstrapped, tails: tuple[float, float]) -> EndArrays:
    """Return the quantiles of the replicates, turned about the estimate."""
    low, high = percentile(law, tails)
    return 2 * law.estimate - high, 2 * law.estimate - low


def bias_corrected(law: Bootstrapped, tails: tuple[float, float], *, accelerated: bool = False) -> EndArrays:
    """Return the bias-corrected ends, and accelerated (Efron 1987); replicates equal to the estimate count half."""
    acceleration = law.acceleration() if accelerated else np.zeros(law.estimate.size)
    values = zip(law.replicates.T, law.estimate.tolist(), acceleration.tolist(), strict=True)
    ends = [bias_corrected_ends(drawn, at, tails, a) for drawn, at, a in values]
    if None in ends:
        raise DataError(
            f"value {ends.index(None)} has no bias-corrected interval: all {len(law.replicates)} resamples lie on one side of the estimate, or "
            "its acceleration turns the ends round; use method='percentile', or more reps."
        )
    low, high = np.array(ends, np.float64).T
    return low, high


METHODS: Mapping[str, Callable[[Bootstrapped, tuple[float, float]], EndArrays]] = MappingProxyType(
    {"percentile": percentile, "basic": basic}
    | dict.fromkeys(("bc", "debiased", "bias-corrected"), bias_corrected)
    | {"bca": partial(bias_corrected, accelerated=True)}
)


def tails_of(size: float) -> tuple[float, float]:
    """Return the probabilities of the ends of an interval that covers with probability `size`."""
    return (1 - size) / 2, (1 + size) / 2
