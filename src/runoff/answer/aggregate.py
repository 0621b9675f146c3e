"""The answers to "how good is each algorithm?" and "which intervals may be read by eye?"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from runoff.answer.base import Advice, withheld
from runoff.answer.ends import WithInterval
from runoff.answer.rows import AlgorithmRows, Records
from runoff.cells import Chance, Column, Deviation, Estimate, Name, Share, Table
from runoff.words.measures import strata_words
from runoff.words.names import (
    INTERVAL_TITLES,
    LOWER_IS_BETTER,
    TESTS,
    DeviationName,
    best_of,
    capital,
    chance_words,
    measure_words,
    metric_head,
    metric_words,
)
from runoff.words.nouns import OF_RUNS, Nouns, nouns_of
from runoff.words.numbers import counted, digits, estimated, exactly, listed, percent, span


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateRow(WithInterval):
    """One algorithm, one metric.

    Attributes
    ----------
    task : str or None
        The task for a per-task mean, None for an aggregate over all tasks.
    estimate : float
        In units of the scores.
    low, high : float or None
        Ends of the interval; None where no honest interval exists (`advice` says why).
    interval : str or None
        The kind of interval: "t", "wilson" (success rates), "percentile", "basic", "bca" or "mover" (over strata); None without an interval.
    over : str
        What was resampled: "runs" or "runs_and_tasks".
    n_tasks, n_scores : int
        The number of tasks and of runs behind the estimate.
    n_resamples : int
        0 for an interval in closed form.
    std : float or None
        Of a per-task mean, the standard deviation of its runs (n − 1), in units of the scores; None of a single run, and otherwise.
    n_eff : float or None
        Over items, their effective number: as many independent items would give an equally wide interval. None otherwise.
    n_clusters : int or None
        The number of clusters of items; None if no clusters were named.
    stratum : str
        The stratum of the row; "" for a row over all tasks.
    """

    algorithm: str
    measure: str
    task: str | None = None
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    over: str
    n_tasks: int
    n_scores: int
    n_resamples: int
    std: float | None = None
    n_eff: float | None = None
    n_clusters: int | None = None
    stratum: str = ""


class MeasureRow(Protocol):
    """The fields that a record of a metric has, for end scores and along training."""

    @property
    def measure(self) -> str: ...
    @property
    def estimate(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def cell_of(record: MeasureRow) -> Estimate:
    """Return an estimate with its interval as a cell; the improvement is shown as a probability."""
    return (Chance if record.measure == "improvement" else Estimate)(record.estimate, record.low, record.high)


def _deviation_of(record: AggregateRow) -> Estimate:
    """Return the mean of a task with the standard deviation of its runs as a cell."""
    mean, std = record.estimate, record.std
    return Estimate(mean) if std is None else Deviation(mean, mean - std, mean + std)


ERRORBARS: Mapping[DeviationName, Callable[[AggregateRow], Estimate]] = {"interval": cell_of, "sd": _deviation_of}
"""What tables show of the mean of a task -> its cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateResult(AlgorithmRows[AggregateRow]):
    """Aggregates with intervals, one record for each algorithm and metric.

    Attributes
    ----------
    gamma : float
        Threshold of the optimality gap.
    reference : str or None
        The reference scores by which the scores are normalised.
    by_stratum : tuple of AggregateRow
        The rows of each stratum; empty without strata.
    weights : tuple of (stratum, float)
        The weight of each stratum in the rows, summing to 1; empty without strata.
    items : bool
        Whether the data are models on items scored right or wrong, so that means are success rates.
    errorbar : "interval" or "sd"
        What tables show behind the mean of a task: its interval, or the standard deviation of its runs.
    """

    rows: tuple[AggregateRow, ...]
    seed: int
    gamma: float
    advice: tuple[Advice, ...] = ()
    reference: str | None = None
    by_stratum: tuple[AggregateRow, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    items: bool = False
    errorbar: DeviationName = "interval"

    @property
    def measures(self) -> tuple[str, ...]:
        return self._names("measure")

    @property
    def nouns(self) -> Nouns:
        """The words for the data: algorithms, tasks and runs, or models, items and attempts."""
        return nouns_of("run", items=self.items)

    @property
    def sentence(self) -> str:
        """A sentence on the algorithm with the best value of the first metric, if scores are comparable; `compare` says whether its lead is
        more than chance."""
        metric, rows = self.measures[0], best_first(self)
        tasks = {record.task for record in self.rows} - {None}
        if tasks:
            means = f"{counted([len(self.algorithms)], 'algorithm')} on {counted([len(tasks)], 'task')}"
            return f"The {measure_words(metric)} of {means}, one by one."
        of_what = self.nouns
        called = of_what.mean if metric == "mean" else measure_words(metric)
        if len(rows) == 1:
            value = estimated(rows[0].estimate, rows[0].low, rows[0].high)
            return f"The {called} of {rows[0].algorithm}{strata_words(self.weights)} is {value}."
        if (why := withheld(self.advice)) is not None:
            return f"No leader is named: {why.text}"
        # Over other tasks an aggregate is higher because these are easier.
        # What a published value may beat are other rivals than those of an algorithm with runs.
        unlike = {"R012"} if metric != "improvement" else {"R012", "R021"}
        lacking = {name for advice in self.advice if advice.code in unlike for name in advice.subjects}
        whole = [row for row in rows if row.algorithm not in lacking]
        if len(whole) < 2:
            return f"No leader is named: no two {of_what.algorithms} have scores on all {of_what.tasks}."
        n = f"{len(whole)} {of_what.algorithms}"
        words = chance_words(len(whole)) if metric == "improvement" else called
        best = f"{best_of(metric, len(whole))} {words}"
        some = any(advice.code == "R012" for advice in self.advice)
        of = f"{best} of the {n} with scores on all {of_what.tasks}" if some else f"{best} of {n}"
        of = best if len(whole) == 2 and metric == "improvement" and not some else of
        # Exactly equal estimates share the lead: that happens with success rates, and with scores that reach their
        # bound.
        first, *level = [record for record in whole if record.estimate == whole[0].estimate]
        names = listed([record.algorithm for record in (first, *level)])
        value = digits(first.estimate) if level else estimated(first.estimate, first.low, first.high)
        # R027: published runs of another protocol, or of one that is not known, may be shown but are never tested.
        untested = {name for advice in self.advice if advice.code == "R027" for name in advice.subjects}
        end = "; published runs of another or an unknown protocol are among them." if untested else "."
        if len(level) + 1 == len(whole) and not some:
            return f"{names} have the same {words}{strata_words(self.weights)}, {value}{end}"
        return f"{names} {'have' if level else 'has'} the {of}{strata_words(self.weights)}, {value}{end}"

    def tables(self) -> tuple[Table, ...]:
        """Return one table: over all tasks, a row for each algorithm, the best by the first metric first; for single tasks, a row for each
        task."""
        single = any(record.task is not None for record in self.rows)
        strata = strata_table(self)
        return (task_means_table(self) if single else aggregates_table(self), *([] if strata is None else [strata]))


def best_first(result: AggregateResult) -> list[AggregateRow]:
    """Return the records of the first metric, the best first."""
    metric = result.measures[0]
    sign = 1 if metric in LOWER_IS_BETTER else -1
    return sorted((r for r in result.rows if r.measure == metric), key=lambda r: sign * r.estimate)


def joined_intervals(records: Iterable[AggregateRow]) -> str:
    """Return the words for the intervals: "with 95 % t intervals, each on its own", or "without intervals"."""
    kinds = dict.fromkeys(f"{percent(r.confidence_level)} {INTERVAL_TITLES[r.interval]}" for r in records if r.interval)
    return f"with {' or '.join(kinds)} intervals, each on its own" if kinds else "without intervals"


def items_worth(records: Sequence[AggregateRow]) -> tuple[str, str]:
    """Return the number of clusters and the effective number of items in words; "" without clusters, or if each item counts as one."""
    worth = [record for record in records if record.n_eff is not None]
    clusters = [record.n_clusters for record in worth if record.n_clusters is not None]
    if not clusters and all(record.n_eff == record.n_tasks == record.n_scores for record in worth):
        return "", ""
    sizes = span([round(record.n_eff) for record in worth if record.n_eff is not None])
    of = f" in {counted(clusters, 'cluster')}" if clusters else ""
    return of, f", by Student's t and the items drawn by themselves that they count as (n_eff = {sizes})"


def aggregates_table(
    result: AggregateResult,
    order: Sequence[str] = (),
    *,
    best: frozenset[str] = frozenset(),
    judged: str = "",
    notes: str = "",
) -> Table:
    """Return one row per algorithm, in an `order` or the best first; `best` marks the best by the metric that was tested; `notes` end the
    caption."""
    metrics, of = result.measures, result.nouns
    order = order or [record.algorithm for record in best_first(result)]
    columns = [
        Column(
            key=metric,
            head=metric_head(metric, result.nouns),
            cells=[cell_of(result[name, metric]) for name in order],
            ordered=True,
            judged=metric == judged,
        )
        for metric in metrics
    ]
    lower = "" if LOWER_IS_BETTER.isdisjoint(metrics) else " (↓: lower is better)"
    tasks = counted([record.n_tasks for record in result.rows], of.task)
    scores = span(record.n_scores for record in result.rows)
    notes = notes or f" (N = {scores} {of.score}s per {of.algorithm})."
    clusters, worth = items_worth(result.rows)
    called = [of.mean if metric == "mean" else metric_words(metric) for metric in metrics]
    words = capital(listed(called))
    return Table(
        role="aggregates",
        title=f"Ranking by {called[0]}",
        caption=f"{words}{lower} over {tasks}{strata_words(result.weights)}{clusters}, {joined_intervals(result.rows)}{worth}{notes}",
        columns=(Column(key="algorithm", head=capital(of.algorithm), cells=[*map(Name, order)]), *columns),
        best=frozenset(place for place, name in enumerate(order) if name in best),
    )


def strata_table(result: AggregateResult, order: Sequence[str] = ()) -> Table | None:
    """Return one row for each stratum and algorithm; None without strata."""
    if not result.by_stratum:
        return None
    metrics, names = result.measures, order or [record.algorithm for record in best_first(result)]
    of = {(row.stratum, row.algorithm, row.measure): row for row in result.by_stratum}
    places = [(stratum, name) for stratum, _ in result.weights for name in names]
    first = [of[stratum, name, metrics[0]] for stratum, name in places]
    weights = dict(result.weights)
    clusters, worth = items_worth(first)
    columns = (
        Column(key="stratum", head="Stratum", cells=[Name(stratum, "other") for stratum, _ in places]),
        Column(key="algorithm", head=capital(result.nouns.algorithm), cells=[Name(name) for _, name in places]),
        Column(key="weight", head="Weight", cells=[Share(weights[stratum]) for stratum, _ in places]),
        Column(key="n_tasks", head=capital(result.nouns.tasks), cells=[row.n_tasks for row in first]),
        *(
            Column(key=m, head=metric_head(m, result.nouns), cells=[cell_of(of[(*place, m)]) for place in places])
            for m in metrics
        ),
    )
    words = capital(listed([metric_words(metric) for metric in metrics]))
    caption = f"{words} of each stratum{clusters}, {joined_intervals(first)}{worth}."
    return Table(role="strata", title="Each stratum by itself", caption=caption, columns=columns)


def task_means_table(
    result: AggregateResult,
    order: Sequence[str] = (),
    tasks: Sequence[str] = (),
    *,
    best: frozenset[str] = frozenset(),
    notes: str = "",
    of: Nouns = OF_RUNS,
) -> Table:
    """Return one row per task and one column per algorithm; the cell is empty if the algorithm has no runs on the task.

    `best` marks the best algorithms if there is only one task.
    """
    tasks = tasks or list(dict.fromkeys(record.task for record in result.rows if record.task is not None))
    means = {(record.algorithm, record.task): record for record in result.rows}
    cell = ERRORBARS[result.errorbar]
    deviations = " ± the standard deviation of its runs (n − 1)"
    about = f", {joined_intervals(result.rows)}" if result.errorbar == "interval" else deviations
    columns = [
        Column(
            key=name,
            head=Name(name),
            judged=name in best,
            cells=[cell(means[name, task]) if (name, task) in means else None for task in tasks],
        )
        for name in order or result.algorithms
    ]
    scores = span(record.n_scores for record in result.rows)
    notes = notes or f" (N = {scores} scores per cell)."
    return Table(
        role="tasks",
        title=f"Mean score by {of.task}",
        caption=f"Mean score by {of.task}{about}{notes}",
        columns=(Column(key="task", head=capital(of.task), cells=[Name(task, "task") for task in tasks]), *columns),
        # Tasks have units of their own, so that decimals are shared along a row and never down a column.
        across=True,
        best=frozenset(range(len(tasks))),
    )


# ── which intervals may be read by eye? ──────────


DisagreementReason = Literal["no_verdict", "no_interval", "equal_estimates", "no_width", "direction", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialRow(WithInterval):
    """One algorithm: its aggregate, its inferential and its descriptive interval, and the ratio of the two widths.

    All ends and the ratio are None without a descriptive interval (a single run on some task, or no spread).
    """

    algorithm: str
    estimate: float
    low: float | None
    high: float | None
    own_low: float | None
    own_high: float | None
    factor: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialPair:
    """Two algorithms: the decision of the test, and what the eye reads from their intervals.

    Attributes
    ----------
    pvalue, pvalue_adjusted : float or None
        None where the two are not tested.
    rejected : bool
        Whether the adjusted p-value is at most alpha.
    overlap : bool or None
        Whether the inferential intervals overlap; None if either algorithm has none.
    """

    a: str
    b: str
    pvalue: float | None
    pvalue_adjusted: float | None
    rejected: bool
    overlap: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A pair that must not be read by eye.

    Attributes
    ----------
    reason : "no_verdict", "no_interval", "equal_estimates", "no_width", "direction" or "conflict"
        "no_verdict": the two are not tested, as single runs and runs that are the same numbers. "direction": the intervals are disjoint,
        in agreement with the test, but the test favours the algorithm with the lower estimate.
    """

    a: str
    b: str
    reason: DisagreementReason
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialResult(Records[InferentialRow]):
    """Intervals that overlap exactly if the test finds no difference, except for the pairs in `disagreements`.

    Attributes
    ----------
    alpha, confidence_level : float
        The level of the test's decisions, and that of the descriptive intervals.
    tasks : tuple of str
        The tasks that all algorithms have; the others are left out.
    reference : str or None
        The reference scores by which the scores are normalised.
    """

    rows: tuple[InferentialRow, ...]
    pairs: tuple[InferentialPair, ...]
    disagreements: tuple[Disagreement, ...]
    measure: str
    interval: str
    test: str
    formula: str
    correction: str
    alpha: float
    confidence_level: float
    tasks: tuple[str, ...]
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    reference: str | None = None

    @property
    def sentence(self) -> str:
        """A sentence on the number of pairs that may be read by eye, and the test behind them."""
        pairs = counted([len(self.pairs)], "pair")
        readable = f"{pairs} of the {metric_words(self.measure)} may be read by eye"
        if self.disagreements:
            named = ", ".join(f"{d.a} and {d.b}" for d in self.disagreements)
            readable = f"{len(self.pairs) - len(self.disagreements)} of {readable}, not {named}"
        rule = f"intervals overlap if and only if {TESTS[self.test]} does not reject at α = {exactly(self.alpha)}"
        return f"{readable}: {rule}."
