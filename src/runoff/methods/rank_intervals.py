"""Which places are possible, and how sure is it who is best?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.bootstrap import (
    Mean,
    Metric,
    aggregate_with_error,
    estimates,
    guarded_rate,
    parse_metric,
    prepare,
    resample_runs,
)
from runoff._inference.family import Sets, bootstrap_sets, law_of, step_down
from runoff.base.arrays import Floats, Ints
from runoff.base.random import RNG, Streams, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.base import Advice
from runoff.results.rank import RankIntervalRecord, RankIntervalsResult
from runoff.words.names import MetricName, RankSetMethod, SingleValue
from runoff.words.speech import choice

OF_RATES = ("mean", "optimality_gap")
"""Metrics that are a success rate, or its complement, where all scores are 0 or 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    metric: Metric
    alpha: float
    n_resamples: int
    streams: Streams
    threads: int | None

    @property
    def sign(self) -> float:
        return 1.0 if self.metric.higher_is_better else -1.0


def rank_intervals(
    scores: ScoresLike,
    *,
    metric: MetricName = "mean",
    method: RankSetMethod = "stepdown",
    single: SingleValue = "line",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    threads: int | None = None,
) -> RankIntervalsResult:
    """Which places are possible, and what is the chance to be best?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made. All algorithms on the same tasks; normalise first if tasks have
        different units.
    metric : str
        "mean", "iqm", "median", "optimality_gap" or "trimmed_mean_P".
    method : "stepdown" or "bootstrap"
        Confidence sets by step-down tests of all pairs, or the percentiles of resampled ranks, which leave out true places far too often
        (docs/ranks.md).
    single : "line" or "opponent"
        As for `compare`: an algorithm with one value on every task, where all others have several runs, is left out, or takes any place.
    confidence_level : float
        In (0, 1). `low` and `high` hold for one algorithm at a time, `joint_low` and `joint_high` for all at once.
    n_resamples : int
        Draws of the law of the pairs, or resamples of runs.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    RankIntervalsResult
        Records in the order of `scores.algorithms`. A cell of a single run: any place, and no chance to be best.

    Raises
    ------
    DesignError
        Fewer than two algorithms, or one that lacks a task.
    OptionError
        An unknown metric or method, a level outside (0, 1).

    Notes
    -----
    The place of an algorithm is one more than the number of those with a higher true metric. **stepdown** (Mogstad, Romano, Shaikh & Wilhelm
    2024): "j is better than l" is tested for both directions of every pair by (θ̂_j − θ̂_l) / √(e_j² + e_l²), e being the error of the t
    interval that `aggregate` gives. The largest of the differences that are left is compared with the distribution of their largest; what
    is found is taken out, and the step is repeated. j ranks below those found better and above those found worse. With probability
    `confidence_level` these findings are all right, so every place in between is possible, and where true metrics are equal all of their
    places are covered. With few runs the bootstrap of the paper has a wrong distribution. Here it is drawn from normal errors and χ²
    squared errors with each algorithm's degrees of freedom, which for two algorithms of equal errors is nearly the t distribution. Success
    rates (all scores 0 or 1) take one success and one failure more (Agresti & Caffo 2000). docs/ranks.md has coverage with 3 to 10 runs.

    `p_best` is the share of draws, estimates plus t errors or resampled estimates, in which the algorithm is best, ties sharing. It is no
    p-value: one of two equal algorithms has a p_best above .95 in up to a tenth of all experiments.

    Places are among the algorithms given: adding one changes them. What is said of a pair alone does not change (`compare`).

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91, 476-518. Romano & Wolf 2005 (step-down). Agresti & Caffo 2000.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5], "B": [5.1, 6.1, 6.9, 7.2], "C": [1.0, 2.0, 3.0, 2.5]})
    >>> [(r.algorithm, r.low, r.high) for r in ro.rank_intervals(scores).records]
    [('A', 1, 2), ('B', 1, 2), ('C', 3, 3)]
    """
    scores = as_scores(scores)
    wanted = parse_metric(metric)
    check_choice("method", method, METHODS)
    check_resamples(n_resamples)
    options = _Options(
        metric=wanted,
        alpha=1.0 - check_confidence(confidence_level),
        n_resamples=n_resamples,
        streams=streams(rng),
        threads=threads,
    )
    advice = rules.about_data(scores)
    scores, left_out = rules.opponents(scores, single)
    _refuse_other_tasks(scores)
    cells = [scores.cells(a) for a in range(scores.n_algorithms)]
    if wanted.name == "mean":  # without a kernel, which a first call would compile for this alone
        points = np.array([np.mean([cell.mean() for cell in of]) for of in cells])
    else:
        pools = [prepare(of, [wanted]) for of in cells]
        points = np.array([float(estimates(pool)[pool.column(wanted)]) for pool in pools])
    sets = METHODS[method](scores, options)
    return RankIntervalsResult(
        records=tuple(_record(scores.algorithms[a], points, a, options.sign, sets) for a in range(scores.n_algorithms)),
        metric=metric,
        method=method,
        confidence_level=confidence_level,
        n_tasks=scores.n_tasks,
        n_resamples=n_resamples,
        seed=options.streams.seed,
        advice=rules.collected(*_advice(scores, metric, method), left_out, *advice),
    )


def _refuse_other_tasks(scores: Scores) -> None:
    if scores.n_algorithms < 2:
        raise DesignError(f"places need two algorithms; the data have one, {scores.algorithms[0]!r}.")
    lacking = np.argwhere(scores.n_runs == 0)
    if lacking.size:
        a, t = lacking[0].tolist()
        n = int((scores.n_runs > 0).all(axis=0).sum())
        repair = (
            f"select the {n} task(s) that all have ({choice('scores.select(tasks=...)', '--tasks')})"
            if n
            else "leave out an algorithm"
        )
        raise DesignError(
            f"places are among algorithms on the same tasks, but {scores.algorithms[a]!r} has no scores on {scores.tasks[t]!r}; {repair}, or "
            "compare the pairs, each on the tasks that both have (compare)."
        )


def _by_steps(scores: Scores, options: _Options) -> Sets:
    means = [_with_error(scores, a, options) for a in range(scores.n_algorithms)]
    law = law_of([None if m is None else Mean(options.sign * m.estimate, m.error, m.df) for m in means])
    return step_down(
        law,
        options.alpha,
        options.n_resamples,
        options.streams,
        order=_alphabetical(scores),
        threads=options.threads,
    )


def _with_error(scores: Scores, a: int, options: _Options) -> Mean | None:
    cells = scores.cells(a)
    if min(cell.size for cell in cells) < 2:
        return None
    if scores.rates and options.metric.name in OF_RATES:
        rate = guarded_rate(cells)
        return rate if options.metric.higher_is_better else Mean(1.0 - rate.estimate, rate.error, rate.df)
    shared = scores.sampling.shared
    return aggregate_with_error(
        cells, options.metric, options.n_resamples, options.streams, options.threads, shared=shared
    )


def _alphabetical(scores: Scores) -> Ints:
    """Return the alphabetical order of the algorithms: they draw in it, so that the order of the data changes nothing."""
    return np.argsort(np.array(scores.algorithms, dtype=object)).astype(np.int64)


def _by_bootstrap(scores: Scores, options: _Options) -> Sets:
    drawn = np.empty((options.n_resamples, scores.n_algorithms))
    for place, a in enumerate(_alphabetical(scores).tolist()):
        pool = prepare(scores.cells(a), [options.metric], shared=scores.sampling.shared)
        own = Streams(int(options.streams.block("rank bootstrap", place).integers(2**63)))  # algorithms are independent
        drawn[:, a] = resample_runs(pool, options.n_resamples, own, options.threads)[:, pool.column(options.metric)]
    sets = bootstrap_sets(options.sign * drawn, options.alpha)
    if not _single(scores):
        return sets
    # One run shows no spread: resampling repeats it, and any place remains possible.
    k = scores.n_algorithms
    return Sets(low=np.ones(k, np.int64), high=np.full(k, k), joint_low=None, joint_high=None, shares=None)


METHODS = {"stepdown": _by_steps, "bootstrap": _by_bootstrap}


def _record(algorithm: str, points: Floats, a: int, sign: float, sets: Sets) -> RankIntervalRecord:
    shares = None if sets.shares is None else tuple(sets.shares[a].tolist())
    return RankIntervalRecord(
        algorithm=algorithm,
        estimate=float(points[a]),
        place=1 + int((sign * points > sign * points[a]).sum()),
        low=int(sets.low[a]),
        high=int(sets.high[a]),
        joint_low=None if sets.joint_low is None else int(sets.joint_low[a]),
        joint_high=None if sets.joint_high is None else int(sets.joint_high[a]),
        p_best=None if shares is None else shares[0],
        p_places=shares,
    )


def _single(scores: Scores) -> list[tuple[str, list[str]]]:
    cells = [
        (name, [task for task, n in zip(scores.tasks, counts, strict=True) if n == 1])
        for name, counts in zip(scores.algorithms, scores.n_runs.tolist(), strict=True)
    ]
    return [(name, tasks) for name, tasks in cells if tasks]


def _advice(scores: Scores, metric: str, method: str) -> Sequence[Advice | None]:
    least, single = int(scores.n_runs.min()), dict(_single(scores))
    still = [
        name
        for a, name in enumerate(scores.algorithms)
        if name not in single and all(np.ptp(cell) == 0 for cell in scores.cells(a))
    ]
    rates = scores.rates and metric in OF_RATES
    return [
        rules.normalisation(scores),
        *(rules.one_run(tasks, rules.algorithm(name)) for name, tasks in single.items()),
        *(rules.no_spread(["the place"], rules.algorithm(name)) for name in still if not rates),
        rules.few_runs(least, rules.algorithm(scores.algorithms[int(scores.n_runs.min(axis=1).argmin())])),
        rules.bootstrap_runs(least, scores.n_tasks, decides=True) if method == "bootstrap" else None,
        rules.approximate([metric], least, scores.n_tasks) if method == "stepdown" and not rates else None,
    ]
