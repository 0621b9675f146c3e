"""The answers to "how do methods behave if the truth is known?" and "does our table agree with the published one?", and checks on your own
runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from runoff.answer.base import Result
from runoff.answer.rows import AlgorithmRows, Records
from runoff.cells import Cell, Column, Number, Share, Table
from runoff.words.names import INTERVAL_TITLES, metric_title
from runoff.words.numbers import counted, digits, exactly, percent, span


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """One method in one simulated situation.

    Attributes
    ----------
    n_runs : int
        The number of runs of each algorithm on each task.
    effect : float
        The true effect, in the study's unit; if it is 0, the null holds and `rate` is the false positive rate.
    rate : float or None
        The share of the experiments in which the method rejected (or covered the truth), or the mean of an estimate; None before the first
        block is done.
    rate_error : float or None
        The Monte Carlo standard error of `rate`.
    estimate_std : float or None
        The standard deviation of an estimate over the experiments; None for decisions.
    n_repeats : int
        The number of simulated experiments.
    """

    world: str
    contender: str
    n_runs: int
    effect: float
    rate: float | None
    rate_error: float | None
    estimate_std: float | None
    n_repeats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult(Records[StudyRow]):
    """A long table of rates.

    Attributes
    ----------
    name, title, source : str
        The study, and the publication that it repeats.
    alpha : float
        Nominal level of the tests.
    complete : bool
        False when a budget stopped the study; `n_repeats` of each record says how far it got.
    labels : tuple of (contender, label)
        The names of contenders in figures.
    kinds : tuple of (contender, kind)
        The meaning of `rate`: "rejection", "coverage" or "estimate".
    """

    name: str
    title: str
    source: str
    rows: tuple[StudyRow, ...]
    alpha: float
    n_resamples: int
    seed: int
    complete: bool
    labels: tuple[tuple[str, str], ...]
    kinds: tuple[tuple[str, str], ...]

    @property
    def worlds(self) -> tuple[str, ...]:
        return self._names("world")

    @property
    def contenders(self) -> tuple[str, ...]:
        return self._names("contender")

    @property
    def effects(self) -> tuple[float, ...]:
        return self._names("effect")

    @property
    def n_runs(self) -> tuple[int, ...]:
        return self._names("n_runs")

    def kind(self, contender: str) -> str:
        """Return the meaning of a contender's rate: "rejection", "coverage" or "estimate"."""
        return dict(self.kinds)[contender]

    def tables(self) -> tuple[Table, ...]:
        """Return a table for each world (simulated scenario) and effect, with a row for each method and a column for each number of runs."""
        return tuple(self._rates(world, effect) for world in self.worlds for effect in self.effects)

    def _rates(self, world: str, effect: float) -> Table:
        rates: dict[tuple[str, int], Cell] = {
            # A rejection or a coverage is a share; of an estimate the "rate" is its mean, in the unit of the scores.
            (r.contender, r.n_runs): Number(r.rate) if self.kind(r.contender) == "estimate" else Share(r.rate, 4)
            for r in self._rows(world=world, effect=effect)
        }
        labels = dict(self.labels)
        title = f"{world}, effect {exactly(effect)}"
        return Table(
            role="rates",
            title=title,
            caption=f"{title}, by the number of runs: rejections at α = {exactly(self.alpha)}, coverage, or the mean of an estimate.",
            columns=_by_size("Method", {method: labels[method] for method in self.contenders}, self.n_runs, rates),
            across=True,
        )

    @property
    def sentence(self) -> str:
        """A sentence on the number of cells that were measured, of repeats, and their standard error."""
        done = [record.n_repeats for record in self.rows]
        errors = [record.rate_error for record in self.rows if record.rate_error is not None]
        repeats = span(done)
        widest = f"; the widest standard error of a rate is {digits(max(errors), 2)}" if errors else ""
        state = "" if self.complete else ", stopped by its budget"
        return (
            f"Study {self.name}{state}: {counted([len(self.contenders)], 'method')} in {counted([len(self.worlds)], 'world')}, "
            f"{repeats} simulated experiments per situation{widest}."
        )


FAR = 4.0
"""The number of standard errors beyond which a cell should be looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRate:
    """One printed value and ours.

    Attributes
    ----------
    what, world, contender : str
        The table under its name in the source, the simulated scenario and the method.
    effect, printed, rate, difference : float
        The effect, the printed value, our rate, and rate − printed.
    error : float
        The standard error of the difference if both estimate the same rate, including the rounding of the printed value.
    distance : float
        difference / error.
    """

    what: str
    world: str
    contender: str
    n_runs: int
    effect: float
    printed: float
    rate: float
    difference: float
    error: float
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedComparison(Records[PrintedRate]):
    """All printed values of a study and ours."""

    name: str
    rows: tuple[PrintedRate, ...]

    @property
    def beyond(self) -> tuple[PrintedRate, ...]:
        """The values that are more than 4 standard errors away."""
        return tuple(record for record in self.rows if abs(record.distance) > FAR)

    @property
    def sentence(self) -> str:
        """A sentence on the number of printed values that lie far from ours."""
        if not self.rows:
            return f"{self.name}: nothing was printed to compare with."
        widest = max(self.rows, key=lambda record: abs(record.distance))
        return (
            f"{self.name}: {len(self.beyond)} of {len(self.rows)} printed cells lie more than {FAR:g} standard errors from ours; "
            f"the furthest, {widest.contender} at {widest.n_runs} runs and effect {widest.effect:g}, lies {abs(widest.distance):.1f}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRow:
    """One statement in a source's text, and the evidence of the table.

    Attributes
    ----------
    statement, where : str
        The words of the source, and their place in it.
    verdict : str
        "confirmed", "contradicted" or "undecided" (the errors of the rates are too wide, or a budget left cells empty).
    evidence : str
        The rates that decide the verdict.
    """

    statement: str
    where: str
    verdict: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements(Records[StatementRow]):
    """The statements of a source about a study, each with a verdict."""

    name: str
    rows: tuple[StatementRow, ...]

    @property
    def sentence(self) -> str:
        """A sentence on the number of statements by verdict."""
        verdicts = [record.verdict for record in self.rows]
        counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        return f"{self.name}: {len(verdicts)} statement(s) of the source, {counts or 'none checked'}."


# ── can these tests, and these intervals, be trusted on runs like mine? ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePositiveRow:
    """One test on random splits of one algorithm's runs into two groups.

    Attributes
    ----------
    actual_test : str
        The test behind the name; for "auto" the one that `compare` takes with this many runs.
    n_runs : int
        The number of runs of each group on each task.
    rate : float
        The share of the splits in which the test finds a difference, although there is none.
    rate_error : float
        The standard error of this share, √(p (1 − p) / n_repeats); 0 if all splits were enumerated. It does not include the variation from
        other runs.
    n_repeats : int
        The number of splits that were tried; fewer than requested if there are no more.
    counted : bool
        Whether all possible splits were tried.
    n_disjoint : int
        The number of splits without common runs, which are independent experiments.
    n_all, n_tasks : int
        The number of runs on the task with the fewest, and the number of tasks.
    """

    algorithm: str
    test: str
    actual_test: str
    n_runs: int
    rate: float
    rate_error: float
    n_repeats: int
    counted: bool
    n_disjoint: int
    n_all: int
    n_tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePositiveResult(AlgorithmRows[FalsePositiveRow]):
    """False positive rates on your own runs.

    Attributes
    ----------
    alpha : float
        The nominal level of the tests.
    labels : tuple of (test, label)
        The names of tests in figures.
    notes : tuple of str
        Notes on algorithms that are left out, and on what the numbers cannot show.
    """

    rows: tuple[FalsePositiveRow, ...]
    alpha: float
    n_resamples: int
    seed: int
    labels: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    sentence: str

    def tables(self) -> tuple[Table, ...]:
        """Return a table for each algorithm, with a row for each test and a column for each number of runs."""
        return tuple(map(self._rates, self.algorithms))

    def _rates(self, algorithm: str) -> Table:
        records = self._rows(algorithm=algorithm)
        rates = {(r.test, r.n_runs): Share(r.rate, 3) for r in records}
        # Algorithms may differ in the tests that their designs allow.
        tests = {test: label for test, label in self.labels if any(r.test == test for r in records)}
        title = f"{algorithm}: false positives"
        splits = f"{repeats_of(records)} splits of {counted([r.n_all for r in records], 'run')}"
        return Table(
            role="false_positive_rate",
            title=title,
            caption=f"{title} at α = {percent(self.alpha)}, by the runs of each group, in {splits}.",
            columns=_by_size("Test", tests, _sizes(records), rates),
            across=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRow:
    """One kind of interval for one metric, on groups of one algorithm's runs.

    Attributes
    ----------
    n_runs : int
        The number of runs of a group on each task.
    coverage, coverage_error : float
        The share of the groups whose interval contains the truth, and its standard error; a group without an interval counts as a miss.
    mean_width : float or None
        The mean width of the intervals, over the groups that have one.
    no_interval : float
        The share of the groups without an interval, because they have no spread.
    truth : float
        The value of the metric for all runs.
    bias, bias_error, estimate_std : float
        The mean error of the estimate, its standard error, and the standard deviation of the estimate, for new runs.
    n_repeats, n_all, n_tasks : int
        The number of groups, of runs on the task with the fewest, and of tasks.
    """

    algorithm: str
    interval: str
    measure: str
    n_runs: int
    coverage: float
    coverage_error: float
    mean_width: float | None
    no_interval: float
    truth: float
    bias: float
    bias_error: float
    estimate_std: float
    n_repeats: int
    n_all: int
    n_tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageResult(AlgorithmRows[CoverageRow]):
    """Coverage of intervals on your own runs.

    Attributes
    ----------
    confidence_level : float
        The nominal level of the intervals.
    notes : tuple of str
        Notes on algorithms that are left out, and on what the numbers cannot show.
    """

    rows: tuple[CoverageRow, ...]
    confidence_level: float
    n_resamples: int
    seed: int
    notes: tuple[str, ...]
    sentence: str

    @property
    def measures(self) -> tuple[str, ...]:
        return self._names("measure")

    @property
    def intervals(self) -> tuple[str, ...]:
        return self._names("interval")

    def tables(self) -> tuple[Table, ...]:
        """Return two tables for each algorithm and metric: coverage and mean width by interval, and the errors of the estimates."""
        both = [(algorithm, metric) for algorithm in self.algorithms for metric in self.measures]
        return tuple(table for pair in both for table in self._tables_of(*pair))

    def _tables_of(self, algorithm: str, metric: str) -> Iterator[Table]:
        records = self._rows(algorithm=algorithm, measure=metric)
        sizes, n = _sizes(records), f"{repeats_of(records)} groups of {counted([r.n_all for r in records], 'run')}"
        intervals = {r.interval: INTERVAL_TITLES.get(r.interval, r.interval) for r in records}
        coverage = {(r.interval, r.n_runs): Share(r.coverage, 3) for r in records}
        widths = {(r.interval, r.n_runs): Number(r.mean_width) for r in records}
        who = f"{algorithm}, {metric_title(metric)}"
        yield Table(
            role="coverage",
            title=f"{who}: coverage",
            caption=f"{who}: coverage of {percent(self.confidence_level)} intervals, by the runs of a group, and their mean width; {n}.",
            # The first column of the second table names the same intervals again, and is left out.
            columns=(
                *_by_size("Interval", intervals, sizes, coverage, ordered=True),
                *_by_size("Width, ", intervals, sizes, widths)[1:],
            ),
        )
        errors = {("bias", r.n_runs): Number(r.bias) for r in records}
        errors |= {("spread", r.n_runs): Number(r.estimate_std) for r in records}
        yield Table(
            role="estimates",
            title=f"{who}: bias and spread",
            caption=f"{who}: mean error of the estimate, and its standard deviation for new runs, by the runs of a group; {n}.",
            columns=_by_size("Estimate", {"bias": "bias", "spread": "spread"}, sizes, errors),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(Result):
    """Tests and intervals, checked on your own runs.

    Attributes
    ----------
    false_positives : FalsePositiveResult
        How often tests find a difference where there is none.
    coverage : CoverageResult
        How often intervals contain the value of the measure for all runs.
    """

    false_positives: FalsePositiveResult
    coverage: CoverageResult

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of both answers, without repetitions."""
        return tuple(dict.fromkeys([*self.false_positives.notes, *self.coverage.notes]))

    @property
    def sentence(self) -> str:
        # Of too few runs both checks say one and the same sentence.
        return " ".join(dict.fromkeys([self.false_positives.sentence, self.coverage.sentence]))

    def tables(self) -> tuple[Table, ...]:
        """Return a table of tests for each algorithm, and two tables of intervals for each algorithm and measure."""
        return (*self.false_positives.tables(), *self.coverage.tables())


def repeats_of(records: tuple[FalsePositiveRow, ...] | tuple[CoverageRow, ...]) -> str:
    """Return the number of groups drawn in words: "1000" or "3 to 1000"."""
    return span([record.n_repeats for record in records])


class _Sized(Protocol):
    @property
    def n_runs(self) -> int: ...


def _sizes(records: Iterable[_Sized]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(record.n_runs for record in records))


def _by_size(
    head: str,
    rows: Mapping[str, str],
    sizes: Iterable[int],
    cells: Mapping[tuple[str, int], Cell],
    *,
    ordered: bool = False,
) -> tuple[Column, ...]:
    """Return a column with the names of rows, and one column for each number of runs; a `head` that ends in a blank precedes the number."""
    before = head if head.endswith(" ") else ""
    of_sizes = [
        Column(
            key=f"{before}{n}", head=f"{before}{n} runs", cells=[cells.get((row, n)) for row in rows], ordered=ordered
        )
        for n in sizes
    ]
    return (Column(key=head, head=head, cells=list(rows.values())), *of_sizes)
