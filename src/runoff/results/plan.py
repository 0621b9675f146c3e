"""The answers to "how many runs does it take?" of a pilot, and to "which cells should be run next?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer import Column, ColumnsOf, Name, Number, Share, Table
from runoff.results.base import Advice, Result
from runoff.results.rows import Records
from runoff.words.numbers import counted, digits, percent

MOST_ROWS = 10
"""About so many numbers of runs stand in the table of a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlyingRun:
    """A pilot run that makes more than half of the squared error of the difference.

    Attributes
    ----------
    share : float
        By how much of the squared error this falls where the spread of its cell is that of the cell's other runs.
    """

    algorithm: str
    task: str
    score: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPoint:
    """Power with so many runs of each algorithm on each task.

    Attributes
    ----------
    assumed_spread : "pilot" or "upper"
        Whether runs spread as those of the pilot did, or as far as the assurance allows.
    low, high : float or None
        95 % Monte Carlo band; None where power is computed, not simulated.
    """

    assumed_spread: str
    n_runs: int
    power: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult(Result):
    """The number of runs that an experiment takes, given pilot runs.

    Attributes
    ----------
    n_runs : int
        Of each algorithm on each task, with assurance; shared runs: of each algorithm. Of an effect in standard deviations or as a probability,
        which has no number with assurance, the one on average.
    n_runs_naive : int
        The same, if the pilot's spread were the truth.
    n_runs_average : int or None
        The same on average over what the true spread may be; None for tests other than the default.
    n_runs_low : int or None
        The same where runs spread as little as the assurance allows: with an assurance of 90 % more are needed in nine pilots of ten. None for
        success rates, and where nothing depends on the spread.
    n_runs_pooled : int or None
        `n_runs` with the spread of the outlying run's cell pooled over the other tasks of its algorithm; None without such a run.
    outlying : OutlyingRun or None
        The pilot run that makes more than half of the squared error.
    n_runs_after_20 : int or None
        What `n_runs` would be, had the pilot 20 runs in each cell that spread as its own; None where it has, or nothing depends on it.
    power, power_low, power_high : float, float or None, float or None
        With `n_runs`, where runs spread as far as the assurance allows; the Monte Carlo band of a simulation.
    power_as_seen : float
        With `n_runs`, where they spread as in the pilot.
    effect : float
        The true difference of the measure that is assumed, second − first, where runs spread as in the pilot; of the improvement from ½.
    effect_in_unit, effect_unit : float, str
        The effect that was to be found, and its unit.
    measure, test, title : str
        What is planned for; the test that power is of, and its name in words.
    method : "closed_form", "exact" or "simulated"
    inflation : float or None
        Standard deviations with assurance over those of the pilot; None for success rates.
    n_pilot, n_pilot_most : int
        Fewest and most runs of a cell of the pilot.
    shared : bool
        Whether a run is scored on all tasks.
    total_runs : int
        Of both algorithms on all tasks.
    hours, cost : float or None
        Of all of them.
    curve : tuple of PlanPoint
        Power against runs, first as the pilot spreads, then with assurance.
    """

    n_runs: int
    n_runs_naive: int
    n_runs_average: int | None
    n_runs_low: int | None
    n_runs_pooled: int | None
    outlying: OutlyingRun | None
    n_runs_after_20: int | None
    power: float
    power_low: float | None
    power_high: float | None
    power_as_seen: float
    required: float
    assurance: float
    effect: float
    effect_in_unit: float
    effect_unit: str
    a: str
    b: str
    measure: str
    test: str
    title: str
    method: str
    alpha: float
    inflation: float | None
    n_tasks: int
    n_pilot: int
    n_pilot_most: int
    shared: bool
    total_runs: int
    hours: float | None
    cost: float | None
    curve: tuple[PlanPoint, ...]
    n_repeats: int
    n_resamples: int
    seed: int
    sentence: str
    notes: tuple[str, ...]
    advice: tuple[Advice, ...]

    def points(self, spread: str) -> tuple[PlanPoint, ...]:
        """Return the curve where runs spread as in the "pilot", or up to the "upper" limit."""
        return tuple(point for point in self.curve if point.assumed_spread == spread)

    def tables(self) -> tuple[Table, ...]:
        """Return power by the number of runs."""
        observed = {point.n_runs: point.power for point in self.points("pilot")}
        upper = {point.n_runs: point.power for point in self.points("upper")}
        # Rows that both curves have; the two answers stand in the table even where only one of the curves was
        # simulated there.
        sizes = sorted(observed.keys() & upper.keys() | {self.n_runs, self.n_runs_naive})
        # A closed form knows power at every number of runs; simulations know it at the few that the search has
        # visited, all of which are shown.
        step = max(1, len(sizes) // MOST_ROWS) if self.method == "closed_form" else 1
        rows = sorted({*sizes[::step], self.n_runs})
        powers = [("pilot", "Power, spread as in the pilot", observed)]
        # An effect in standard deviations moves with the spread, so that an upper limit of the spread changes no
        # power.
        if self.effect_unit not in ("sd", "improvement"):
            powers.append(("upper", f"With {percent(self.assurance)} assurance", upper))
        columns = (
            Column(key="n_runs", head="Runs", cells=rows),
            *(
                Column(key=key, head=head, cells=[Share(power.get(n), 3) for n in rows], ordered=True)
                for key, head, power in powers
            ),
            Column(key="enough", head="Enough", cells=["yes" if n >= self.n_runs else "no" for n in rows]),
        )
        per = (
            f"each algorithm, each scored on all {self.n_tasks} tasks" if self.shared else "each algorithm on each task"
        )
        caption = f"Power of {self.title} with so many runs of {per} (α = {digits(self.alpha)}); enough: at least the runs of the plan."
        return (Table(role="power", title="Power by the number of runs", caption=caption, columns=columns),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """The number of runs that one difference takes.

    Attributes
    ----------
    question : "margin", "5%", "10%", "20%" or "detectable"
        A tenth of the range of the runs, which is the lead that matters to `compare` where none is named, a share of the leader's mean on each
        task, or the smallest difference that so many runs as the pilot's find.
    effect_unit : "raw", "lift", "improvement" or ""
        Whether that shifts the measure, raises every task by a share, or is a probability.
    effect : float or None
        The true difference of the measure; of the improvement from ½.
    n_runs, n_runs_naive, n_runs_average, n_runs_pooled : int or None
        As of `PlanResult`; None where `reason` says why, which may leave the one on average.
    """

    question: str
    effect_unit: str
    effect: float | None
    n_runs: int | None
    n_runs_naive: int | None
    n_runs_average: int | None
    n_runs_pooled: int | None
    total_runs: int | None
    hours: float | None
    cost: float | None
    reason: str = ""

    @property
    def assured(self) -> bool:
        """Whether `n_runs` is with assurance; of a probability of improvement it is the one on average."""
        return self.effect_unit != "improvement"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTable(Records[PlanRow]):
    """The numbers of runs for the differences that a reader of the pilot would ask about.

    Attributes
    ----------
    a, b : str
        The leader of the pilot by the measure, and its nearest rival; of one algorithm, what is like it.
    alpha : float
        Level of the test: of a pilot with more than two algorithms that of the first step of their pairs' correction.
    n_pairs : int
        Pairs of the pilot's algorithms.
    """

    rows: tuple[PlanRow, ...]
    a: str
    b: str
    measure: str
    test: str
    title: str
    power: float
    assurance: float
    alpha: float
    n_pairs: int
    n_tasks: int
    n_pilot: int
    n_pilot_most: int
    shared: bool
    outlying: OutlyingRun | None
    sentence: str
    notes: tuple[str, ...]
    advice: tuple[Advice, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each difference, with the runs that it takes."""
        rows, even = self.rows, 0.5 if self.measure == "improvement" else 0.0
        column = ColumnsOf(rows)
        assured = f"With {percent(self.assurance)} assurance"
        columns = (
            column("question", "Difference", self._called),
            column("effect", "Size", lambda row: Number(None if row.effect is None else even + row.effect)),
            column("n_runs_naive", "Runs, as the pilot spreads"),
            column("n_runs_average", "On average"),
            column("n_runs", assured, lambda row: row.n_runs if row.assured else None),
            column("n_runs_pooled", "That cell's spread pooled"),
            column("total_runs", "In all"),
            column("hours", "Hours", lambda row: Number(row.hours, 4)),
            column("cost", "Cost", lambda row: Number(row.cost, 4)),
            column("reason", "Why none", narrowest="screen"),
        )
        # These are asked for, or apply, in some plans only: where no row has one the column would be empty.
        idle = {k for k in ("n_runs_pooled", "hours", "cost", "reason") if not any(getattr(row, k) for row in rows)}
        shown = tuple(column for column in columns if column.key not in idle)
        return (Table(role="plan", title="Runs by difference", caption=self._caption(), columns=shown),)

    def _called(self, row: PlanRow) -> str:
        names = {"margin": "a tenth of the range", "detectable": f"smallest found {percent(self.power)} of the time"}
        return names.get(row.question, f"{row.question.removesuffix('%')} % of {self.a}")

    def _caption(self) -> str:
        per = "" if self.shared else f" on each of {counted([self.n_tasks], 'task')}"
        pilot = counted([self.n_pilot, self.n_pilot_most], "run")
        return (
            f"Runs of each algorithm{per} that find a true difference of this size with {percent(self.power)} power by {self.title} (α = "
            f"{digits(self.alpha)}), given a pilot of {pilot}: if its spread is the truth, on average over what it leaves open, and with "
            "assurance against a pilot that spread too little by luck; in all: of both on all tasks."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedPlanRow:
    """The number of items, or of trainings of each algorithm, that so many attempts, or rollouts, at each take.

    Attributes
    ----------
    n_repeats : int
        Attempts of each model at each item; rollouts of each training.
    n_units : int or None
        Items, or trainings of each algorithm; None where more than a million are needed.
    power : float or None
        With these.
    total : int or None
        Attempts, or rollouts, of both in all.
    cost : float or None
        Of all of them; None without costs.
    """

    n_repeats: int
    n_units: int | None
    power: float | None
    total: int | None
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedPlan(Records[NestedPlanRow]):
    """Items × attempts, or trainings × rollouts: what finds a difference, and what is cheapest.

    Attributes
    ----------
    units : "items" or "trainings"
        What is counted; at an item there are attempts, of a training rollouts.
    n_units, n_repeats : int or None
        The row that costs least; without costs that of the fewest attempts in all.
    between, within : float, float or None
        Variance of the true differences of items, or of the true rates of trainings of both in sum; and of single attempts of both in sum, which
        is None where the pilot has one attempt at each, so that `between` holds both.
    best_repeats : float or None
        The attempts at each by which a cost buys most; None without costs.
    detectable : float or None
        The smallest difference that the items, or trainings, of the pilot find, however many attempts are made at each; None where they find
        none, or where `within` is not known.
    n_pilot, n_pilot_repeats : int
        Items, or trainings of a side, of the pilot, and the fewest attempts at each.
    """

    rows: tuple[NestedPlanRow, ...]
    units: str
    n_units: int | None
    n_repeats: int | None
    effect: float
    power: float
    alpha: float
    a: str
    b: str
    between: float
    within: float | None
    best_repeats: float | None
    detectable: float | None
    n_pilot: int
    n_pilot_repeats: int
    sentence: str
    notes: tuple[str, ...]
    advice: tuple[Advice, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return a row for each number of attempts, with the items that they take."""
        column, items = ColumnsOf(self.rows), self.units == "items"
        repeats, of = ("Attempts", "both models") if items else ("Rollouts", "each algorithm")
        columns = (
            column("n_repeats", f"{repeats} at each" if items else f"{repeats} of each"),
            column("n_units", self.units.capitalize()),
            column("power", "Power", lambda row: Share(row.power, 3)),
            column("total", f"{repeats} in all"),
            *([column("cost", "Cost", lambda row: Number(row.cost, 4))] if any(row.cost for row in self.rows) else []),
        )
        title = f"{self.units.capitalize()} by {repeats.lower()}"
        caption = (
            f"{self.units.capitalize()} of {of} that find a difference of {digits(self.effect)} with {percent(self.power)} power (α = "
            f"{digits(self.alpha)}), by the {repeats.lower()} at each; in all: those of both."
        )
        return (Table(role="nested_plan", title=title, caption=caption, columns=columns),)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRunsRow:
    """One cell: how many runs it has, and how many to add.

    Attributes
    ----------
    task : str or None
        None where a run is scored on all tasks.
    std : float
        Of the runs that there are.
    cost : float
        Of what is added, in the unit of the budget.
    config : str
        The setting that fresh runs confirm, of a sweep; else "".
    """

    algorithm: str
    task: str | None
    n_runs: int
    more: int
    std: float
    cost: float
    config: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRunsResult(Records[NextRunsRow]):
    """The cells to run next, and what they buy.

    Attributes
    ----------
    rows : tuple of NextRunsRow
        Every cell, in the order of algorithms and tasks.
    error, error_after : float
        Standard error of the difference of the measure, before and after; with more than two algorithms, the root of the mean square over the
        pairs.
    measure : str
        Whose difference it is.
    error_even : float
        The same, had the runs been spread over the cells as evenly as the budget allows.
    detectable, detectable_after : float
        The true difference that a t test with such an error finds with `power`, before and after.
    """

    rows: tuple[NextRunsRow, ...]
    measure: str
    budget: float
    spent: float
    error: float
    error_after: float
    error_even: float
    detectable: float
    detectable_after: float
    power: float
    alpha: float
    sentence: str
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """Runs to add."""
        return sum(record.more for record in self.rows)

    def tables(self) -> tuple[Table, ...]:
        """Return the cells that get runs."""
        rows = [record for record in self.rows if record.more] or self.rows
        column = ColumnsOf(rows)
        settings = any(record.config for record in rows)
        columns = (
            column("algorithm", "Algorithm", lambda row: Name(row.algorithm)),
            *([column("config", "Setting")] if settings else []),
            column("task", "Task", lambda row: Name(row.task or "all tasks", "task")),
            column("n_runs", "Runs"),
            column("std", "Standard deviation", lambda row: Number(row.std, 4)),
            column("more", "Run more"),
        )
        caption = "Cells to run next: the runs that there are, their standard deviation, and how many to add."
        return (Table(role="next_runs", title="Cells to run next", caption=caption, columns=columns),)
