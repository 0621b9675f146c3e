"""How long until a score is reached? Runs that never reach it are censored, not left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from runoff._given import CurvesLike, as_curves
from runoff._inference import advice as rules
from runoff._inference.family import adjust
from runoff._inference.steps import Times, logrank_pvalue, times_of
from runoff._names import AxisName, PvalueCorrection
from runoff._validate import check_alpha, check_confidence
from runoff.curves import Curves
from runoff.errors import OptionError, nearest
from runoff.results.advice import Advice
from runoff.results.reach import ReachPair, ReachRecord, ReachResult


def time_to_threshold(
    curves: CurvesLike,
    threshold: float | Mapping[str, float],
    *,
    along: AxisName = "step",
    correction: PvalueCorrection = "holm",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> ReachResult:
    """After how many steps does a run of each algorithm first reach a score?

    Parameters
    ----------
    curves : Curves
        Or a data frame with a step column, or a path of which `Curves` can be made.
    threshold : float, or mapping of task to float
        In units of the scores.
    along : "step", "time" or "episodes"
    correction : str
        Of the tests, over all pairs and tasks.
    alpha, confidence_level : float

    Returns
    -------
    ReachResult
        Medians by algorithm and task, and the log-rank tests of all pairs.

    Raises
    ------
    OptionError
        A threshold that is no finite number, or a task without one.

    Notes
    -----
    The time of a run is its first evaluation at the threshold or above; a run that never gets there is censored at its last evaluation, so
    that early ends need no policy. Median: Kaplan & Meier 1958, interval log-log with Greenwood's variance; test: log-rank (Mantel 1966); by
    `scipy.stats.ecdf` and `scipy.stats.logrank`. Both are large-sample: of true nulls at 5 % the test rejects 6 % with 10 runs of each, 7 % with
    5, 8 to 9 % with 10 or 20 and 3, 10 % with 3 of each (4,000 simulations, ± .4), and medians have no end where runs are few.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM", "Sarsa(λ)"], tasks=["CartPole-v1"])
    >>> print(ro.time_to_threshold(curves, 475))
    Median step to a score of 475 on CartPole-v1: CEM 4900 (46 of 50 runs reach it); Sarsa(λ) 13300 (31 of 50 runs reach it).
    """
    curves = as_curves(curves).along(along)
    if isinstance(threshold, Mapping):
        unknown = [str(task) for task in threshold if task not in curves.tasks]
        if unknown:
            raise OptionError(
                f"threshold names the task {unknown[0]!r}, which is not there.{nearest(unknown[0], curves.tasks)}"
            )
    at = {task: _threshold(threshold, task) for task in curves.tasks}
    check_alpha(alpha)
    check_confidence(confidence_level)
    found = {
        (name, task): times
        for a, name in enumerate(curves.algorithms)
        for t, task in enumerate(curves.tasks)
        if (times := times_of(curves, a, t, at[task])) is not None
    }
    return ReachResult(
        records=tuple(_record(*cell, at[cell[1]], times, confidence_level) for cell, times in found.items()),
        pairs=_pairs(curves, found, correction, alpha),
        axis=curves.axis,
        correction=correction,
        alpha=alpha,
        advice=rules.collected(*_few(curves), *rules.about_data(curves.final(incomplete="carry"))),
    )


def _few(curves: Curves) -> list[Advice | None]:
    counts = [(name, int(n[n > 0].min())) for name, n in zip(curves.algorithms, curves.n_runs, strict=True)]
    return [rules.few_runs(least, rules.algorithm(name)) for name, least in counts]


def _threshold(threshold: float | Mapping[str, float], task: str) -> float:
    if isinstance(threshold, Mapping):
        if task not in threshold:
            raise OptionError(f"threshold names no score for task {task!r}.")
        threshold = threshold[task]
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or not np.isfinite(threshold):
        raise OptionError(f"threshold must be a finite score, not {threshold!r}.")
    return float(threshold)


def _record(algorithm: str, task: str, threshold: float, times: Times, level: float) -> ReachRecord:
    estimate, low, high = times.median(level)
    return ReachRecord(
        algorithm=algorithm,
        task=task,
        threshold=threshold,
        n_runs=int(times.times.size),
        n_reached=int(times.reached.sum()),
        estimate=estimate,
        low=low,
        high=high,
        confidence_level=level,
    )


def _pairs(
    curves: Curves, found: Mapping[tuple[str, str], Times], correction: str, alpha: float
) -> tuple[ReachPair, ...]:
    names, cells = curves.algorithms, []
    for task in curves.tasks:
        for i, a in enumerate(names):
            cells += [(a, b, task) for b in names[i + 1 :] if (a, task) in found and (b, task) in found]
    raw = [logrank_pvalue(found[a, task], found[b, task]) for a, b, task in cells]
    adjusted = adjust(raw, correction).tolist()
    return tuple(
        ReachPair(a=a, b=b, task=task, pvalue=p, pvalue_adjusted=q, rejected=q <= alpha)
        for (a, b, task), p, q in zip(cells, raw, adjusted, strict=True)
    )
