"""How good is each algorithm? Aggregate metrics over tasks, with their uncertainty."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference import pairs as pairing
from runoff.answer.aggregate import ERRORBARS, AggregateResult, AggregateRow
from runoff.answer.base import Advice, filled
from runoff.base.arrays import Floats, of_shares
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_over, check_resamples, check_score
from runoff.data.given import DataOptions, ScoresLike, as_scores, task_named
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.names import DeviationName, IntervalName, MeasureName, Resampled, StratumWeights
from runoff.words.numbers import some
from runoff.words.speech import call, choice, option


@dataclass(frozen=True, slots=True, kw_only=True)
class _AggregatePlan(bootstrap.How):
    metrics: tuple[bootstrap.Metric, ...]
    gamma: float


def aggregate(
    data: ScoresLike,
    *,
    by: Literal["task"] | None = None,
    measure: MeasureName | bootstrap.OwnFunction | Sequence[MeasureName | bootstrap.OwnFunction] | None = None,
    interval: IntervalName = "auto",
    over: Resampled = "runs",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    errorbar: DeviationName = "interval",
    gamma: float = 1.0,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> AggregateResult:
    """How good is each algorithm, over all its tasks?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    by : "task", optional
        Give the mean of each task instead of one number for all, with Student's t interval, or Wilson's for success rates (all scores 0 or 1);
        a single run, or runs without spread, have no interval. Of the other options only `confidence_level` and `errorbar` apply.
    measure : str, function, or sequence of them, optional
        A function is given the scores of one algorithm, a list of arrays (n_runs,), one for each task with runs, and returns a number, higher
        being better; it has the t interval over runs, whose error is the larger of leaving each run out with its task a run smaller, and with
        the others of its task in its place (docs/guides/my-metric.md). By name:
        "iqm", "iqm_whole", "mean", "median" (of the tasks' means), "optimality_gap", "trimmed_mean_P" with P % cut from each end, or
        "improvement", the chance to beat a run of another algorithm, averaged over the others. Of N runs "iqm" cuts N / 4 from each end,
        one at the cut counting in part, "iqm_whole" int(N / 4) whole ones, as rliable and SciPy do. None: the measure that `compare` judges
        by comes first, then, where all tasks have one unit (they are normalised, in [0, 1], or declared to: `score_unit="shared"`), the
        other fixed names except "iqm_whole"; on one task the median is left out, because it equals the mean.
    interval : "auto", "t", "percentile", "basic" or "bca"
        "auto" is "t": the estimate ± t times its jackknife standard error, from leaving out each run in turn within its task, so nothing is
        drawn at random. Over tasks, t has T − 1 degrees of freedom. The bootstrap intervals are too narrow with few runs (docs/estimates.md).
    over : "runs", "runs_and_tasks" or "tasks"
        The sample: the runs within each task (these tasks are the benchmark), or runs and tasks (the tasks are a sample of a larger set); the
        latter gives the t interval of a mean only if scores lie in [0, 1] and there are ten tasks or more. "tasks": items are the sample, one
        attempt at each is enough, and the mean has Wilson's interval with the effective number of items, given attempts and clusters; beside
        "mean" there are the measures "pass@K" and "pass^K", the chance that one of K attempts at an item succeeds, and that all do.
    cluster : {task: cluster}, optional
        With over="tasks": items of one cluster were drawn together, as in `compare`.
    strata : {task: stratum}, optional
        The benchmark of each item, or suite of each task, as in `compare`. Each stratum is estimated separately (`by_stratum`), and the rows
        are the weighted means of the strata, with an interval computed from theirs (MOVER).
    weights : "equal", "tasks" or {stratum: weight}
        The weights of the strata in the mean.
    n_resamples : int
    confidence_level : float
    errorbar : "interval" or "sd"
        With by="task": what tables show behind each mean, its interval or the standard deviation of its runs, which says how runs differ
        and not how sure the mean is. Rows have both.
    gamma : float
        Threshold of the optimality gap, in units of the scores.
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only. Default: the environment variable RUNOFF_THREADS, or all cores.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    AggregateResult
        Records in the order of `scores.algorithms`, then `measure`; ends are None if no reliable interval exists.

    Raises
    ------
    OptionError
        An unknown metric, interval or `over`; a function without a name, or that fails, depends on the order of runs, grows with their number
        or returns no finite number; "bca" over tasks, and the t interval of a mean that is not bounded.
    DesignError
        One algorithm on tasks that each have their own unit, so that there is no other algorithm to beat.

    Warns
    -----
    RunoffWarning
        An algorithm has a single run on a task, or lacks tasks.

    Notes
    -----
    Point estimates are rliable's on rectangular data: `iqm_whole` is `scipy.stats.trim_mean(all runs, 0.25)`, the median is over task means, the
    optimality gap is gamma − mean(min(score, gamma)). With unequal runs every task weighs the same. The stratified bootstrap redraws runs
    within tasks (Agarwal et al. 2021 §4); an algorithm's numbers do not depend on which others are present.

    BCa takes one acceleration per metric from a jackknife within tasks (Davison & Hinkley 1997 §5.4); arch, and so rliable, averages over the
    components of a joint call, which is wrong. Checked against rliable 1.2.0, full enumeration of tiny cases and SciPy.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4. Efron 1987 (BCa). Welch 1947.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [[0.1, 0.4], [0.2, 0.6], [0.3, 0.8], [0.4, 1.0]]})
    >>> print(ro.aggregate(scores, measure=["iqm"]).sentence)
    The IQM of A is 0.42 [0.21, 0.64].
    >>> row = ro.aggregate({"A": {"Pong": [18.0, 20.0, 19.0]}}, by="task")["A", "Pong"]
    >>> row.estimate, round(row.low, 2), round(row.high, 2)
    (19.0, 16.52, 21.48)
    """
    scores = as_scores(data, **of_data)
    measures = None if measure is None else bootstrap.named_measures(measure)
    check_choice("errorbar", errorbar, ERRORBARS)
    if by is not None:
        task_named(by, scores)
        _ = check_resamples(n_resamples), streams(rng)  # nothing is drawn here
        others = {
            "interval": interval,
            "over": over,
            "cluster": cluster,
            "strata": strata,
            "weights": weights,
            "gamma": gamma,
        }
        return _by(scores, measures, confidence_level, errorbar, others)
    if errorbar != "interval":
        raise OptionError(f"{option('errorbar', errorbar)} is of the means of tasks: give {option('by', 'task')} too.")
    _check_over(scores, over, cluster, strata, weights)
    if over == "tasks":
        return items_of(scores, measures or ["mean"], confidence_level, cluster=cluster, strata=strata, weights=weights)
    chosen = bootstrap.check_interval(interval, over, shared=scores.sampling.shared)
    if strata is not None and measures is None:
        measures = _shared_measures(scores, strata)
    names = _names(scores, measures, by_tasks=over != "runs" and chosen == bootstrap.AUTO)
    plan = _AggregatePlan(
        metrics=tuple(bootstrap.parse_metric(name) for name in names if name != pairing.IMPROVEMENT),
        interval=chosen,
        over=over,
        gamma=check_score("gamma", gamma),
        n_resamples=bootstrap.INTERVALS[chosen].drawn(check_resamples(n_resamples), over),
        confidence_level=check_confidence(confidence_level),
        streams=streams(rng),
        threads=threads,
    )
    if strata is not None:
        return _in_strata(scores, pairing.split(scores, strata, weights), names, plan)
    return _over_runs(scores, names, plan)


def _over_runs(scores: Scores, names: Sequence[str], plan: _AggregatePlan) -> AggregateResult:
    """Return these measures of each algorithm over its tasks, and warn of what their intervals rest on."""
    records: list[AggregateRow] = []
    lines = rules.single_values(scores) if pairing.IMPROVEMENT in names else None
    advice = [rules.missing(scores), *rules.about_data(scores), lines]
    if not {*names} <= pairing.OF_PAIRS and not pairing.one_unit(scores):
        advice.append(rules.unlike_tasks(scores, pairing.make_one_unit()))
    for a in range(scores.n_algorithms):
        own, notes = _one_algorithm(scores, a, plan)
        records.extend(own)
        advice.extend(notes)
    caveats = rules.collected(*advice, unit=scores.sampling.unit)
    rules.warn_of(caveats)
    if pairing.IMPROVEMENT in names:
        records += _chances(scores, plan)
    # The chances are of pairs and so computed after all others, but stand where they were asked for.
    order = [(name, metric) for name in scores.algorithms for metric in names]
    return AggregateResult(
        rows=tuple(sorted(records, key=lambda record: order.index((record.algorithm, record.measure)))),
        seed=plan.streams.seed,
        gamma=plan.gamma,
        advice=caveats,
        reference=scores.provenance.reference,
    ).with_origin(scores)


def _shared_measures(scores: Scores, strata: Mapping[str, str]) -> tuple[str, ...]:
    """Return what describes an algorithm in strata: first the measure that all of them can have."""
    parts = pairing.split(scores, strata, "equal")[1]
    return pairing.metrics_of(scores, pairing.common_measure([pairing.measure_of(part) for part in parts]) or "mean")


def _check_over(scores: Scores, over: str, cluster: object, strata: object, weights: object) -> None:
    """Refuse what is no sample, options of items where these are not the sample, and weights of no strata."""
    check_over(over, (*bootstrap.OVER, "tasks"))
    if cluster is not None and over != "tasks":
        raise OptionError(
            f"{option('cluster')} says which items were drawn together: use {option('over', 'tasks')} with it."
        )
    if strata is not None and over == "runs" and scores.of_items:
        raise OptionError(
            f"{option('strata')} says which benchmark an item is of: use {option('over', 'tasks')} with it."
        )
    if strata is not None and over not in ("runs", "tasks"):
        raise OptionError(
            f"{option('strata')} have intervals over their runs or their items, not {option('over', over)}."
        )
    if strata is None and weights != "equal":
        raise OptionError(f"{option('weights')} are those of strata: use {option('strata')} with them.")


def _names(scores: Scores, metrics: Sequence[str] | None, *, by_tasks: bool) -> tuple[str, ...]:
    """Return what is asked for, by default what the design allows; by_tasks: with a t interval over tasks."""
    names = pairing.metrics_of(scores, pairing.measure_of(scores)) if metrics is None else tuple(metrics)
    if pairing.IMPROVEMENT in names and scores.n_algorithms < 2:
        raise DesignError(
            f"{scores.algorithms[0]!r} is alone, and its {scores.n_tasks} tasks have units of their own, so there is no other to beat and no "
            f"mean to take: {pairing.make_one_unit()}, or name measures."
        )
    if not by_tasks:
        return names
    if pairing.IMPROVEMENT in names:
        raise OptionError(
            f"the chance to beat others has no interval of one algorithm over tasks; name measures, or {pairing.make_one_unit()}."
        )
    averages = [name for name in names if bootstrap.parse_metric(name).averages]
    if not averages or (scores.n_tasks >= ENOUGH_TASKS and of_shares(scores.values)):
        return names
    # What was asked for by name is refused; of the default the means are left out, as long as another metric is left.
    if metrics is not None or len(averages) == len(names):
        raise OptionError(
            f"{option('over', 'runs_and_tasks')} has no interval of the {averages[0].replace('_', ' ')} but of scores in [0, 1] on "
            f"{ENOUGH_TASKS} tasks or more: over tasks that of a mean covers .68 to .77 instead of .95 (Atari); take the IQM (.94 to .97), or "
            f"compare pairs over tasks by Hodges-Lehmann ({call('compare', over='tasks')})."
        )
    return tuple(name for name in names if name not in averages)


ENOUGH_TASKS = 10
"""Tasks from which on the t interval of a mean of scores in [0, 1] covers what it says where tasks are a sample."""


def _chances(scores: Scores, plan: _AggregatePlan) -> list[AggregateRow]:
    """Return the chance of each algorithm to beat a run of another."""
    cells, records = [scores.cells(a) for a in range(scores.n_algorithms)], []
    several = [[cell if cell.size > 1 else cell[:0] for cell in row] for row in cells]
    # On a single task a run that is "shared" is a run like any other.
    shared = scores.sampling.shared and scores.n_tasks > 1
    for a, name in enumerate(scores.algorithms):
        met = [b for b in range(scores.n_algorithms) if b != a and _meet(cells[a], cells[b])]
        if not met:
            raise DesignError(f"{name!r} shares no task with another algorithm, so there is none to beat.")
        # A published value is no rival (R021), unless there is no other.
        rivals = [b for b in met if scores.algorithms[b] not in scores.single_valued] or met
        # As in `compare`, a task of a single run does not count, but where a pair has no other.
        some = several if all(_meet(several[a], several[b]) for b in rivals) else cells
        law = pairing.chance_law(some[a], [some[b] for b in rivals], shared=shared)
        met_at = [any(some[b][t].size for b in rivals) for t in range(scores.n_tasks)]
        present = [cell for cell, there in zip(some[a], met_at, strict=True) if there and cell.size]
        records.append(
            filled(
                AggregateRow,
                plan,
                algorithm=name,
                measure=pairing.IMPROVEMENT,
                estimate=law.value,
                n_tasks=len(present),
                n_scores=sum(cell.size for cell in present),
                **_bounds(law.interval(plan.confidence_level), "t"),
            )
        )
    return records


def _meet(first: Sequence[Floats], second: Sequence[Floats]) -> bool:
    """Return whether two algorithms have runs of one task."""
    return any(x.size and y.size for x, y in zip(first, second, strict=True))


def _by(
    scores: Scores,
    measure: Sequence[str] | None,
    level: float,
    errorbar: DeviationName,
    others: Mapping[str, object],
) -> AggregateResult:
    usual = {"interval": "auto", "over": "runs", "weights": "equal", "gamma": 1.0}
    if idle := [option(name) for name, value in others.items() if value != usual.get(name)]:
        raise OptionError(
            f"{some(idle, 6)} {'means' if len(idle) == 1 else 'mean'} nothing beside {option('by')}, which has the mean of each task."
        )
    if measure is not None and list(measure) != ["mean"]:
        names = ", ".join(map(str, measure))
        spread = choice(
            "; errorbar='sd' shows the standard deviations of runs",
            "; --errorbar sd prints the standard deviations of runs",
        )
        raise OptionError(
            f"{option('by')} gives the mean of each task, not {names}: leave out {option('measure')}{spread if 'std' in names else ''}."
        )
    return task_means(scores, confidence_level=level, errorbar=errorbar)


def task_means(
    scores: Scores, *, confidence_level: float = 0.95, errorbar: DeviationName = "interval"
) -> AggregateResult:
    """Return the mean of each algorithm on each task."""
    check_confidence(confidence_level)
    records = []
    # By all algorithms of a task: one whose runs all succeeded has Wilson's interval as the others have, and not
    # none.
    rates = [bootstrap.of_two_values([scores.cell(a, t) for a in scores.algorithms]) for t in scores.tasks]
    for a, algorithm in enumerate(scores.algorithms):
        for t, task in enumerate(scores.tasks):
            cell = scores.cell(a, t)
            if cell.size:
                mean = bootstrap.stratified_mean([cell], [1.0])
                rate = rates[t] and cell.size > 1  # one run, even of 0 or 1, shows nothing of other runs
                ends = bootstrap.wilson([cell], confidence_level) if rate else mean.interval(confidence_level)
                records.append(
                    AggregateRow(
                        algorithm=algorithm,
                        measure="mean",
                        task=task,
                        estimate=mean.estimate,
                        confidence_level=confidence_level,
                        over="runs",
                        n_tasks=1,
                        n_scores=cell.size,
                        n_resamples=0,
                        std=float(cell.std(ddof=1)) if cell.size > 1 else None,
                        **_bounds(ends, "wilson" if rate else "t"),
                    )
                )
    return AggregateResult(
        rows=tuple(records), seed=0, gamma=1.0, reference=scores.provenance.reference, errorbar=errorbar
    ).with_origin(scores)


def items_of(
    scores: Scores,
    measures: Sequence[str],
    level: float,
    *,
    cluster: Mapping[str, str] | None,
    strata: Mapping[str, str] | None,
    weights: StratumWeights | Mapping[str, float],
) -> AggregateResult:
    """Return the mean, pass@k or pass^k of each algorithm with its items as the sample; with strata of each, and their weighted mean."""
    if scores.values.min() < 0 or scores.values.max() > 1:
        raise OptionError(f"{option('over', 'tasks')} is of success rates and other scores in [0, 1]; these are not.")
    check_confidence(level)
    shares: tuple[tuple[str, float], ...] = ()
    by_stratum: list[AggregateRow] = []
    if strata is None:
        rows = pairing.item_rows(scores, measures, cluster, level)
    else:
        names, parts, own = pairing.split(scores, strata, weights, cluster=cluster)
        shares = tuple(zip(names, own, strict=True))
        for name, part in zip(names, parts, strict=True):
            by_stratum += [replace(row, stratum=name) for row in pairing.item_rows(part, measures, cluster, level)]
        rows = pairing.weighted_rows(scores, by_stratum, measures, shares)
    # Of each algorithm once, whatever it is measured by.
    few = {(row.algorithm, row.stratum): row.n_clusters for row in by_stratum or rows}
    cautions = [rules.few_clusters(n, rules.algorithm(name), verdict=False) for (name, _), n in few.items()]
    pooled = None if strata is not None else rules.benchmarks_as_one(scores)
    about = (rules.missing(scores), pooled, *rules.about_data(scores))
    advice = rules.collected(*cautions, *about, unit=scores.sampling.unit)
    return AggregateResult(
        rows=tuple(rows),
        seed=0,
        gamma=1.0,
        advice=advice,
        reference=scores.provenance.reference,
        by_stratum=tuple(by_stratum),
        weights=shares,
        items=scores.binary,
    ).with_origin(scores)


def _in_strata(
    scores: Scores,
    strata: tuple[tuple[str, ...], list[Scores], tuple[float, ...]],
    measures: Sequence[str],
    plan: _AggregatePlan,
) -> AggregateResult:
    """Return the aggregates of each stratum, of names, scores and weights, and their weighted means."""
    names, parts, own = strata
    answers = [_over_runs(part, measures, plan) for part in parts]
    by_stratum = [
        replace(row, stratum=name) for name, answer in zip(names, answers, strict=True) for row in answer.rows
    ]
    shares = tuple(zip(names, own, strict=True))
    rows = pairing.weighted_rows(scores, by_stratum, measures, shares, parts)
    return replace(
        answers[0],
        rows=tuple(rows),
        advice=rules.collected(*(advice for answer in answers for advice in answer.advice), unit=scores.sampling.unit),
        by_stratum=tuple(by_stratum),
        weights=shares,
        items=scores.binary,
    ).with_origin(scores)


def _one_algorithm(scores: Scores, a: int, plan: _AggregatePlan) -> tuple[list[AggregateRow], list[Advice | None]]:
    cells, shared = [cell for cell in scores.cells(a) if cell.size], scores.sampling.shared
    pool = bootstrap.prepare(cells, plan.metrics, gamma=plan.gamma, shared=shared, rates=scores.rates)
    answers = bootstrap.described(pool, plan.metrics, plan)
    records = [
        filled(
            AggregateRow,
            plan,
            algorithm=scores.algorithms[a],
            measure=metric.name,
            estimate=answers[metric][0],
            n_tasks=pool.n_tasks,
            n_scores=pool.values.size,
            **_bounds(answers[metric][1], bootstrap.interval_kind(pool, metric, plan.interval, plan.over)),
        )
        for metric in plan.metrics
    ]
    missing = {metric.name for metric in plan.metrics if answers[metric][1] is None}
    return records, _caveats(scores, a, plan, pool, missing)


def _caveats(
    scores: Scores, a: int, plan: _AggregatePlan, pool: bootstrap.Pool, missing: Collection[str]
) -> list[Advice | None]:
    """Return what the intervals of an algorithm rest on, and why metrics have none."""
    who = rules.algorithm(scores.algorithms[a])
    single = rules.single_runs(scores, a)
    alone = rules.one_task(pool.n_tasks, plan.over, who)
    # Chances are of the tasks on which all have several runs; other measures have no interval then.
    judged = None if plan.metrics else int((scores.n_runs[a] > 1).sum()) or None
    # Where the median steps from run to run the jackknife knows no error of it; that its interval is missing is then
    # no lack of spread.
    stepped = pool.stepped and plan.over == "runs" and plan.interval == bootstrap.AUTO
    flat = [
        metric.name
        for metric in plan.metrics
        if metric.name in missing and not (single or alone or metric.own or (stepped and metric.name == "median"))
    ]
    least, few = int(pool.n_runs.min()), None
    # Bootstrap intervals are too narrow with few runs, and t intervals of other statistics than means only about
    # right: one of the two is said.
    if bootstrap.INTERVALS[plan.interval].narrow:
        advice = rules.bootstrap_runs(least, pool.n_tasks, plan.interval)
    else:
        others = [m for m in plan.metrics if bootstrap.interval_kind(pool, m, plan.interval, plan.over) != "wilson"]
        by_t = [m.name for m in others if not (scores.binary and m.averages)]
        # The first metric is the one that algorithms are ranked by; the others stand beside it.
        leading = [name for name in by_t if name == plan.metrics[0].name]
        advice = rules.approximate(leading, least, pool.n_tasks, binary=scores.binary)
        if not scores.binary and not {*by_t} <= {*flat}:  # of intervals that there are
            few = rules.few_of_one_task(least, pool.n_tasks, who, severity="info")
    return [
        rules.one_run(single, who, published=scores.algorithms[a] in scores.single_valued, others=judged),
        alone,
        rules.no_spread(flat, who),
        rules.few_runs(rules.runs_of(scores, scores.algorithms[a]), who),
        advice,
        few,
        *([] if single or alone else _of_own(plan, pool, missing, who)),
    ]


def _of_own(
    plan: _AggregatePlan, pool: bootstrap.Pool, missing: Collection[str], who: rules.Subject
) -> Iterator[Advice | None]:
    """Yield why users' functions have no interval, and of the leading one whether its interval rests on few tasks."""
    for metric in plan.metrics:
        if metric.own is not None and metric.name in missing:
            yield rules.no_spread([metric.name], who, own=True)
        elif metric.own is not None and metric == plan.metrics[0] and not bootstrap.of_two_values([pool.values]):
            counts = bootstrap.moved_by(bootstrap.record_of(pool, metric), pool.cells, metric.own)
            yield rules.moved_by_few(metric.name, [counts])


def _bounds(ends: bootstrap.Ends | None, interval: str) -> dict[str, Any]:
    low, high = ends or (None, None)
    return {"low": low, "high": high, "interval": interval if ends else None}
