"""rliable's library: intervals of any function of score matrices by the stratified bootstrap, and performance profiles.

Runs are redrawn within each task, whole runs where there are steps. Numbers depend on the data, `random_state` and `reps` alone; without
`random_state` the seed is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from runoff._inference.bootstrap import Array, exact_ends, resamples, source
from runoff._inference.bootstrap import prepare as prepare_pool
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.base.validate import as_floats, check_choice, check_count, check_open_unit
from runoff.compat.rliable._bootstrap import METHODS, RandomState, as_scores, bootstrapped, of_copies, seeded, tails_of
from runoff.errors import DataError, DesignError, OptionError

Estimates = dict[Any, Any]


class StratifiedIndependentBootstrap:
    """Resamples of arrays (n_runs, n_tasks, …), each redrawn on its own: runs within each task.

    Parameters
    ----------
    *args : arrays
        Their numbers of runs may differ.
    random_state : int, numpy Generator or RandomState, optional
    task_bootstrap : bool
        Whether tasks are redrawn as well, the same for all arrays. (rliable has this for one array only.)

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.compat.rliable import library as rly, metrics
    >>> x, y = np.array([[0.1, 0.5], [0.3, 0.6], [0.2, 0.9]]), np.array([[0.2, 0.2], [0.1, 0.7]])
    >>> bootstrap = rly.StratifiedIndependentBootstrap(x, y, random_state=1)
    >>> low, high = bootstrap.conf_int(metrics.probability_of_improvement, reps=2000, method="percentile")
    >>> bool(low < metrics.probability_of_improvement(x, y) < high)
    True
    """

    def __init__(self, *args: Any, random_state: RandomState = None, task_bootstrap: bool = False) -> None:
        if not args:
            raise DesignError("a bootstrap needs an array of scores (n_runs, n_tasks).")
        self._arrays = [as_scores(f"array {i}", array) for i, array in enumerate(args)]
        n_tasks = {array.shape[1] for array in self._arrays}
        if task_bootstrap and len(n_tasks) > 1:
            message = f"task_bootstrap redraws the tasks that all arrays share, but they have {' and '.join(map(str, sorted(n_tasks)))} tasks."
            raise DesignError(message)
        self._over_tasks = bool(task_bootstrap)
        self._next = seeded(random_state)
        # Each call of `bootstrap` or `conf_int` is another draw, as in arch.
        self._later = np.random.default_rng(self._next.seed)

    def bootstrap(self, reps: int) -> Iterator[tuple[tuple[Array, ...], dict[str, Array]]]:
        """Yield `reps` resamples: a tuple of the arrays, and a dictionary without any, as arch has it."""
        redrawn = source(self._arrays, self._streams(), over_tasks=self._over_tasks)
        for arrays in resamples(redrawn, check_count("reps", reps)):
            yield arrays, {}

    def conf_int(self, func: Callable[..., Any], reps: int = 1000, method: str = "basic", size: float = 0.95) -> Floats:
        """Return the interval of a function of the arrays, (2, n_values): low ends, then high ends; methods as in `get_interval_estimates`."""
        check_choice("method", method, METHODS)
        tails = tails_of(check_open_unit("size", size))
        count = check_count("reps", reps)
        law = bootstrapped(func, self._arrays, count, drawn_by=self._streams(), over_tasks=self._over_tasks)
        return np.vstack(METHODS[method](law, tails))

    def _streams(self) -> Streams:
        """Return the streams of the next resamples: the first are the seed's own, so that equal seeds give the numbers of `ro.aggregate`."""
        own, self._next = self._next, seeded(self._later)
        return own


class StratifiedBootstrap(StratifiedIndependentBootstrap):
    """Resamples of an array (n_runs, n_tasks, …): runs are redrawn within each task.

    Parameters
    ----------
    scores : array
    random_state : int, numpy Generator or RandomState, optional
    task_bootstrap : bool
        Whether tasks are redrawn as well.

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.compat.rliable import library as rly
    >>> scores = np.array([[0.1, 0.5], [0.3, 0.6], [0.2, 0.9]])
    >>> bootstrap = rly.StratifiedBootstrap(scores, random_state=1)
    >>> [resample.shape for (resample,), _ in bootstrap.bootstrap(2)]
    [(3, 2), (3, 2)]
    >>> low, high = bootstrap.conf_int(np.mean, reps=2000, method="percentile")
    >>> bool(low < scores.mean() < high)
    True
    """

    def __init__(self, scores: Any, random_state: RandomState = None, task_bootstrap: bool = False) -> None:
        super().__init__(scores, random_state=random_state, task_bootstrap=task_bootstrap)


# ── intervals ──────────


def get_interval_estimates(
    score_dict: Mapping[Any, Any],
    func: Callable[..., Any],
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 50000,
    confidence_interval_size: float = 0.95,
    random_state: RandomState = None,
) -> tuple[Estimates, dict[Any, Floats]]:
    """How good is each algorithm, and how sure is that? rliable's function.

    Parameters
    ----------
    score_dict : dict
        For each algorithm an array (n_runs, n_tasks, …), or several of them, such as two algorithms to compare, which `func` takes one by one.
    func : function of the arrays
        Returns a number or a one-dimensional array, such as
        ``lambda x: np.array([metrics.aggregate_iqm(x), metrics.aggregate_mean(x)])``. It is called with every resample, as in rliable;
        `runoff.aggregate` has the same intervals of the same metrics from compiled kernels, in a hundredth of the time.
    method : str
        "percentile", "basic", "bc" (also "debiased", "bias-corrected") or "bca".
    task_bootstrap : bool
        Whether tasks are redrawn as well as runs.
    reps : int
    confidence_interval_size : float
    random_state : int, numpy Generator or RandomState, optional
        One draw serves all algorithms, so that no algorithm changes the numbers of another.

    Returns
    -------
    dict, dict
        Of each algorithm, what `func` gives, and its interval, (2, n_values).

    Raises
    ------
    DataError, DesignError
        Scores that are no array, have no run, or on which `func` gives no finite number.
    OptionError
        An unknown method, no level, no whole number of reps; a function that returns something else.

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.compat.rliable import library as rly, metrics
    >>> scores = {"A": np.array([[0.1, 0.5], [0.3, 0.6], [0.2, 0.9]])}
    >>> points, ends = rly.get_interval_estimates(scores, lambda x: np.array([metrics.aggregate_iqm(x)]), reps=2000)
    >>> points["A"].tolist(), ends["A"].shape
    ([0.4], (2, 1))
    """
    check_choice("method", method, METHODS)
    count, size = check_count("reps", reps), check_open_unit("confidence_interval_size", confidence_interval_size)
    drawn = seeded(random_state)
    points: Estimates = {}
    intervals: dict[Any, Floats] = {}
    for key, scores in score_dict.items():
        arrays = _arrays(key, scores)
        points[key] = of_copies(func, arrays)
        _check_point(key, points[key], arrays)
        # A bootstrap of its own for each, from the same seed: an algorithm's interval does not change when
        # another is added.
        bootstrap = StratifiedIndependentBootstrap(*arrays, random_state=drawn.seed, task_bootstrap=task_bootstrap)
        intervals[key] = bootstrap.conf_int(func, reps=count, size=size, method=method)
    return points, intervals


def _arrays(key: Any, scores: Any) -> list[Array]:
    # A list of arrays is several samples; an array is one, whatever its shape.
    if hasattr(scores, "__array__"):
        return [as_scores(f"the scores of {key!r}", scores)]
    if not isinstance(scores, Sequence) or isinstance(scores, str) or not scores:
        message = f"the scores of {key!r} must be an array (n_runs, n_tasks), or several, not {type(scores).__name__}."
        raise DataError(message)
    return [as_scores(f"array {i} of the scores of {key!r}", array) for i, array in enumerate(scores)]


def _check_point(key: Any, given: Any, arrays: Sequence[Array]) -> None:
    """Refuse a value of `func` that is not finite, naming the score that makes it so."""
    point = np.asarray(given)
    if point.dtype.kind not in "biuf" or np.isfinite(point).all():
        return
    for array in arrays:
        wrong = np.argwhere(~np.isfinite(array.astype(np.float64)))
        if wrong.size:
            axes = zip(("run", "task", "step"), wrong[0].tolist(), strict=False)
            place = ", ".join(f"{axis} {at}" for axis, at in axes)
            raise DataError(
                f"func gives {given} for {key!r}, whose score of {place} is {array[tuple(wrong[0])]}; if this run "
                "failed, enter the score that counts for it."
            )
    raise DataError(f"func gives {given} for {key!r}, though all its scores are finite.")


# ── performance profiles ──────────


def run_score_deviation(scores: ArrayLike, tau: float) -> Any:
    """Return the share of all scores that are above `tau`.

    Examples
    --------
    >>> from runoff.compat.rliable import library as rly
    >>> import numpy as np
    >>> float(rly.run_score_deviation(np.array([[0.1, 0.5], [0.3, 0.6]]), 0.4))
    0.5
    """
    return np.mean(np.asarray(scores) > tau)


def mean_score_deviation(scores: ArrayLike, tau: float) -> Any:
    """Return the share of tasks whose mean score is above `tau`.

    Examples
    --------
    >>> from runoff.compat.rliable import library as rly
    >>> import numpy as np
    >>> float(rly.mean_score_deviation(np.array([[0.1, 0.5], [0.3, 0.6]]), 0.4))
    0.5
    """
    return np.mean(np.mean(np.asarray(scores), axis=0) > tau)


def score_distributions(scores: ArrayLike, tau: ArrayLike) -> Floats:
    """Return the share of all scores above each of `tau`: `run_score_deviation` of every threshold.

    Examples
    --------
    >>> from runoff.compat.rliable import library as rly
    >>> import numpy as np
    >>> rly.score_distributions(np.array([[0.1, 0.5], [0.3, 0.6]]), [0.0, 0.4, 0.6]).tolist()
    [1.0, 0.5, 0.0]
    """
    return _share_above(np.asarray(scores).ravel(), tau)


def average_score_distributions(scores: ArrayLike, tau: ArrayLike) -> Floats:
    """Return the share of tasks whose mean score is above each of `tau`: `mean_score_deviation` of every threshold.

    Examples
    --------
    >>> from runoff.compat.rliable import library as rly
    >>> import numpy as np
    >>> rly.average_score_distributions(np.array([[0.1, 0.5], [0.3, 0.6]]), [0.0, 0.4, 0.6]).tolist()
    [1.0, 0.5, 0.0]
    """
    return _share_above(np.asarray(np.mean(np.asarray(scores), axis=0)).ravel(), tau)


def _share_above(values: Array, tau: ArrayLike) -> Floats:
    # NaN is above no threshold but counts in the whole, as in rliable's loop over scores.
    ascending = np.sort(values[~np.isnan(values)])
    return np.asarray(np.asarray((ascending.size - np.searchsorted(ascending, tau, "right")) / values.size))


def create_performance_profile(
    score_dict: Mapping[Any, Any],
    tau_list: ArrayLike,
    use_score_distribution: bool = True,
    custom_profile_func: Callable[..., Any] | None = None,
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 2000,
    confidence_interval_size: float = 0.95,
    random_state: RandomState = None,
) -> tuple[Estimates, dict[Any, Floats]]:
    """What share of runs is above each score? rliable's function.

    The percentile and the basic band of run scores are exact, the limit of infinitely many resamples: nothing is drawn, and `reps` does not
    matter. All else is resampled.

    Parameters
    ----------
    score_dict : dict
        For each algorithm an array (n_runs, n_tasks, …).
    tau_list : array (n_thresholds,)
        In any order.
    use_score_distribution : bool
        Whether runs are counted, or tasks by the mean of their runs.
    custom_profile_func : function of scores and `tau_list`, optional
        Takes the place of both.
    method, task_bootstrap, reps, confidence_interval_size, random_state
        As in `get_interval_estimates`.

    Returns
    -------
    dict, dict
        Of each algorithm the profile, (n_thresholds,), and its band, (2, n_thresholds).

    Raises
    ------
    DataError
        A score that is NaN.
    OptionError
        Thresholds that are none, NaN, or no list; and as `get_interval_estimates`.

    Examples
    --------
    >>> import numpy as np
    >>> from runoff.compat.rliable import library as rly
    >>> profiles, bands = rly.create_performance_profile({"A": np.array([[0.1, 0.5], [0.3, 0.6], [0.2, 0.9]])}, [0.0, 0.25, 0.75])
    >>> profiles["A"].round(2).tolist(), bands["A"].round(2).tolist()
    ([1.0, 0.67, 0.17], [[1.0, 0.5, 0.0], [1.0, 1.0, 0.5]])
    """
    if custom_profile_func is not None:
        profile = custom_profile_func
    else:
        tau_list = as_floats("tau_list", tau_list)
        if tau_list.ndim != 1 or not tau_list.size or np.isnan(tau_list).any():
            what = "NaN" if tau_list.size and np.isnan(tau_list).any() else f"of shape {tau_list.shape}"
            message = f"tau_list must be a list of thresholds such as numpy.linspace(0, 2, 81), but it is {what}."
            raise OptionError(message)
        profile = score_distributions if use_score_distribution else average_score_distributions
        for key, scores in score_dict.items():
            wrong = np.argwhere(np.isnan(as_scores(f"the scores of {key!r}", scores)))
            if wrong.size:
                raise DataError(
                    f"the score of run {wrong[0][0]} on task {wrong[0][1]} of {key!r} is NaN, which lies above no threshold; if this "
                    "run failed, enter the score that counts for it."
                )
    # The shares of a resampled task are a binomial, whose convolution over tasks has exact quantiles; with a
    # function of the user's, or tasks redrawn, there is no such law.
    exact = profile is score_distributions and method in EXACT and not task_bootstrap
    if exact and all(np.ndim(scores) == 2 for scores in score_dict.values()):
        check_count("reps", reps)
        seeded(random_state)
        # Checked though nothing is drawn, so that a call that is wrong fails here as it would there.
        tail = tails_of(check_open_unit("confidence_interval_size", confidence_interval_size))[0]
        matrices = {key: np.asarray(scores, dtype=np.float64) for key, scores in score_dict.items()}
        points = {key: score_distributions(matrix, tau_list) for key, matrix in matrices.items()}
        thresholds = np.asarray(tau_list)
        return points, {key: _exact(m, thresholds, points[key], tail, method) for key, m in matrices.items()}
    return get_interval_estimates(
        score_dict,
        lambda scores: profile(scores, tau_list),
        method=method,
        task_bootstrap=task_bootstrap,
        reps=reps,
        confidence_interval_size=confidence_interval_size,
        random_state=random_state,
    )


EXACT = ("percentile", "basic")
"""Methods whose ends are quantiles of the law of resampled shares."""


def _exact(matrix: Floats, thresholds: Floats, estimate: Floats, tail: float, method: str) -> Floats:
    """Return the ends, (2, n_thresholds), of infinitely many resamples."""
    # Thresholds come in any order, and twice; the kernel takes them ascending.
    ascending, place = np.unique(thresholds, return_inverse=True)
    low, high = (ends[place] for ends in exact_ends(prepare_pool(list(matrix.T), []), ascending, tail))
    return np.vstack([2 * estimate - high, 2 * estimate - low] if method == "basic" else [low, high])


__all__ = [
    "StratifiedBootstrap", "StratifiedIndependentBootstrap", "average_score_distributions", "create_performance_profile",
    "get_interval_estimates", "mean_score_deviation", "run_score_deviation", "score_distributions",
]  # fmt: skip
