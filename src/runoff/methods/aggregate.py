"""How good is each algorithm? Aggregate metrics over tasks, with their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples, check_score
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.aggregate import AggregateRecord, AggregateResult
from runoff.results.base import Advice, filled
from runoff.words.names import IntervalName, MetricName, Resampled


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan(bootstrap.How):
    metrics: tuple[bootstrap.Metric, ...]
    gamma: float
    exact: bool


def aggregate(
    scores: ScoresLike,
    *,
    metrics: Sequence[MetricName] = ("iqm", "median", "mean", "optimality_gap"),
    interval: IntervalName = "auto",
    over: Resampled = "runs",
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    gamma: float = 1.0,
    exact: bool = True,
    rng: RNG = 0,
    threads: int | None = None,
) -> AggregateResult:
    """How good is each algorithm, over all its tasks?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made.
        Normalise first if tasks have different units.
    metrics : sequence of str
        "iqm", "mean", "median" (of the tasks' means), "optimality_gap", or "trimmed_mean_P" with P % cut from each end.
    interval : "auto", "t", "percentile", "basic", "bca" or "studentized"
        "auto" is "t": an estimate ± t times its standard error. That error is closed (Welch-Satterthwaite) for mean and optimality gap, and
        the standard deviation of Rao-Wu replicates for trimmed means and the median of three or more tasks. Over tasks, t has T − 1 degrees
        of freedom. The bootstrap intervals are too narrow with few runs (docs/estimates.md).
    over : "runs" or "runs_and_tasks"
        What is resampled: the runs within each task (these tasks are the benchmark), or tasks as well (they are a sample of a larger one).
    n_resamples : int
    confidence_level : float
    gamma : float
        Threshold of the optimality gap, in units of the scores.
    exact : bool
        Cut exactly 25 % (p·n) from each end for the IQM, a run at the cut counting in part; False: int(0.25 n) runs, as SciPy and rliable do.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only. Default: the environment variable RUNOFF_THREADS, or all cores.

    Returns
    -------
    AggregateResult
        Records in the order of `scores.algorithms`, then `metrics`; ends are None where no honest interval exists.

    Raises
    ------
    OptionError
        An unknown metric, interval or `over`; "bca" or "studentized" over tasks.

    Warns
    -----
    RunoffWarning
        A cell of a single run, or an algorithm that lacks tasks.

    Notes
    -----
    Point estimates are rliable's on rectangular data: IQM is `scipy.stats.trim_mean(all runs, 0.25)`, the median is over task means, the
    optimality gap is gamma − mean(min(score, gamma)). With unequal runs every task weighs the same; a score of task t has weight 1/c_t.
    The stratified bootstrap redraws runs within tasks (Agarwal et al. 2021 §4). All metrics come from the same draws, and an
    algorithm's numbers do not depend on which others are present.

    BCa takes one acceleration per metric from a jackknife within tasks (Davison & Hinkley 1997 §5.4); arch, and so rliable, averages over the
    components of a joint call, which is wrong. Studentised intervals use delta-method errors for each resample.

    Cost: linear in algorithms × runs × tasks × resamples, about 2.5 ns per draw and core; a few megabytes of memory per thread.
    Checked against rliable 1.2.0, full enumeration of tiny cases and SciPy: tests/golden/bootstrap.json.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4. Efron 1987 (BCa). Welch 1947.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [[0.1, 0.4], [0.2, 0.6], [0.3, 0.8], [0.4, 1.0]]})
    >>> print(ro.aggregate(scores, metrics=["iqm"]))
    IQM of 1 algorithm, 95 % intervals.
    A: 0.42 [0.21, 0.64]
    """
    scores = as_scores(scores)
    if isinstance(metrics, str) or not metrics:
        message = f"metrics must be a sequence of names, for example {list(bootstrap.METRICS)}, not {metrics!r}."
        raise OptionError(message)
    parsed = tuple(bootstrap.parse_metric(name) for name in dict.fromkeys(metrics))
    check_choice("over", over, bootstrap.OVER)
    chosen = bootstrap.check_interval(interval, over, shared=scores.sampling.shared)
    plan = _Plan(
        metrics=parsed,
        interval=chosen,
        over=over,
        gamma=check_score("gamma", gamma),
        n_resamples=bootstrap.INTERVALS[chosen].drawn(check_resamples(n_resamples)),
        confidence_level=check_confidence(confidence_level),
        exact=exact,
        streams=streams(rng),
        threads=threads,
    )
    records: list[AggregateRecord] = []
    advice = [rules.missing(scores), rules.normalisation(scores), *rules.about_data(scores)]
    for a in range(scores.n_algorithms):
        own, notes = _one_algorithm(scores, a, plan)
        records.extend(own)
        advice.extend(notes)
    caveats = rules.collected(*advice)
    rules.warn_of(caveats)
    return AggregateResult(
        records=tuple(records),
        seed=plan.streams.seed,
        gamma=gamma,
        advice=caveats,
        reference=scores.provenance.reference,
    )


def task_means(scores: ScoresLike, *, confidence_level: float = 0.95) -> AggregateResult:
    """How good is each algorithm on each task? Means with Student's t intervals; success rates (all scores 0 or 1) with Wilson's.

    Returns
    -------
    AggregateResult
        One record for each algorithm and task with scores, metric "mean"; no interval for a single run or runs without spread.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": {"Pong": [18.0, 20.0, 19.0]}})
    >>> record = ro.task_means(scores).records[0]
    >>> record.task, record.estimate, round(record.low, 2), round(record.high, 2)
    ('Pong', 19.0, 16.52, 21.48)
    """
    scores = as_scores(scores)
    check_confidence(confidence_level)
    records = []
    rates = [bootstrap.of_two_values([scores.cell(a, t) for a in scores.algorithms]) for t in scores.tasks]
    for a, algorithm in enumerate(scores.algorithms):
        for t, task in enumerate(scores.tasks):
            cell = scores.cell(a, t)
            if cell.size:
                mean = bootstrap.stratified_mean([cell], [1.0])
                rate = rates[t] and cell.size > 1  # one run, even of 0 or 1, shows nothing of other runs
                ends = bootstrap.wilson(cell, confidence_level) if rate else mean.interval(confidence_level)
                records.append(
                    AggregateRecord(
                        algorithm=algorithm,
                        metric="mean",
                        task=task,
                        estimate=mean.estimate,
                        confidence_level=confidence_level,
                        over="runs",
                        n_tasks=1,
                        n_scores=cell.size,
                        n_resamples=0,
                        **_bounds(ends, "wilson" if rate else "t"),
                    )
                )
    return AggregateResult(records=tuple(records), seed=0, gamma=1.0, reference=scores.provenance.reference)


def _one_algorithm(scores: Scores, a: int, plan: _Plan) -> tuple[list[AggregateRecord], list[Advice | None]]:
    cells, shared = [cell for cell in scores.cells(a) if cell.size], scores.sampling.shared
    pool = bootstrap.prepare(cells, plan.metrics, gamma=plan.gamma, exact=plan.exact, shared=shared, rates=scores.rates)
    points = bootstrap.estimates(pool)
    single = [task for task, cell in zip(scores.tasks, scores.cells(a), strict=True) if cell.size == 1]
    ends = bootstrap.interval_ends(pool, plan.metrics, plan)
    records = [
        filled(
            AggregateRecord,
            plan,
            algorithm=scores.algorithms[a],
            metric=metric.name,
            estimate=float(points[pool.column(metric)]),
            n_tasks=pool.n_tasks,
            n_scores=pool.values.size,
            **_bounds(ends[metric], bootstrap.interval_kind(pool, metric, plan.interval, plan.over)),
        )
        for metric in plan.metrics
    ]
    who = rules.algorithm(scores.algorithms[a])
    alone = rules.one_task(pool.n_tasks, plan.over, who)
    flat = [] if single or alone else [metric.name for metric in plan.metrics if ends[metric] is None]
    least = int(pool.n_runs.min())
    if bootstrap.INTERVALS[plan.interval].narrow:
        advice = rules.bootstrap_runs(least, pool.n_tasks, plan.interval)
    else:
        by_t = [m.name for m in plan.metrics if bootstrap.interval_kind(pool, m, plan.interval, plan.over) != "wilson"]
        advice = rules.approximate(by_t, least, pool.n_tasks)
    lonely = rules.one_run(single, who, published=scores.algorithms[a] in scores.single_valued)
    return records, [
        lonely,
        alone,
        rules.no_spread(flat, who),
        rules.few_runs(least, who, df=None if shared else int((pool.n_runs - 1).sum())),
        advice,
    ]


def _bounds(ends: bootstrap.Ends | None, interval: str) -> dict[str, Any]:
    low, high = ends or (None, None)
    return {"low": low, "high": high, "interval": interval if ends else None}
