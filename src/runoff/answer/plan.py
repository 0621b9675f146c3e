"""The answers to "how many runs does it take?", from a pilot, and to "which algorithms and tasks should be run next?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.answer.base import Advice, Result
from runoff.answer.rows import Records
from runoff.cells import Column, ColumnsOf, Name, Number, Share, Table
from runoff.words.numbers import all_of, counted, digits, percent

MOST_ROWS = 10
"""The approximate number of rows in the table of a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlyingRun:
    """A pilot run that accounts for more than half of the squared error of the difference.

    Attributes
    ----------
    share : float
        The share of the squared error that disappears if the spread on this task is taken from the algorithm's other runs there.
    """

    algorithm: str
    task: str
    score: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPoint:
    """The power with a given number of runs of each algorithm on each task.

    Attributes
    ----------
    assumed_spread : "pilot" or "upper"
        Whether runs spread as in the pilot, or up to the upper limit that the assurance allows for.
    low, high : float or None
        The 95 % Monte Carlo band; None if power is computed, not simulated.
    """

    assumed_spread: str
    n_runs: int
    power: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanResult(Result):
    """The number of runs that an experiment needs, given pilot runs.

    Attributes
    ----------
    n_runs : int
        The number of runs of each algorithm on each task (shared runs: of each algorithm), with assurance. An effect in standard deviations
        or as a probability has no number with assurance; this is then the average one.
    n_runs_naive : int
        The same if the pilot's spread were the true one.
    n_runs_average : int or None
        The same on average over the possible true spreads; None for tests other than the default.
    n_runs_low : int or None
        The same at the lower limit of the spread: with an assurance of 90 %, more runs are needed in nine pilots of ten. None for success
        rates, and if nothing depends on the spread.
    n_runs_pooled : int or None
        `n_runs` with the spread on the outlying run's task pooled over the other tasks of its algorithm; None without such a run.
    outlying : OutlyingRun or None
        The pilot run that accounts for more than half of the squared error.
    n_runs_after_20 : int or None
        What `n_runs` would be if the pilot had 20 runs of each algorithm on each task with the same spread; None if it has that many, or
        nothing depends on it.
    power, power_low, power_high : float, float or None, float or None
        The power with `n_runs` at the upper limit of the spread, and the Monte Carlo band of a simulation.
    power_as_seen : float
        The power with `n_runs` if runs spread as in the pilot.
    effect : float
        The assumed true difference of the measure, second − first, with the spread of the pilot; for the improvement the distance from ½.
    effect_in_unit, effect_unit : float, str
        The effect to be detected, as the user gave it, and its unit.
    measure, test, title : str
        The measure planned for, the test whose power is computed, and its name in words.
    method : "closed_form", "exact" or "simulated"
    inflation : float or None
        The ratio of the standard deviations with assurance to those of the pilot; None for success rates.
    n_pilot, n_pilot_most : int
        The fewest and most runs of an algorithm on a task in the pilot.
    shared : bool
        Whether each run is scored on all tasks.
    total_runs : int
        The runs of both algorithms on all tasks.
    hours, cost : float or None
        The hours and the cost of all these runs.
    curve : tuple of PlanPoint
        Power against the number of runs, first with the spread of the pilot, then with assurance.
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
        """Return the curve for runs that spread as in the "pilot", or up to the "upper" limit."""
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
        rows = sorted({*sizes[::step], self.n_runs, self.n_runs_naive})
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
            f"each algorithm, each scored on {all_of(self.n_tasks, 'task')}"
            if self.shared
            else "each algorithm on each task"
        )
        caption = f"Power of {self.title} with so many runs of {per} (α = {digits(self.alpha)}); enough: at least the runs of the plan."
        if self.n_runs_naive < self.n_runs:
            unlike = self.n_runs_average not in (None, self.n_runs)
            average = f", and {self.n_runs_average} on average over its luck" if unlike else ""
            caption += f" {self.n_runs_naive} would do if the pilot's spread were the true one{average}."
        return (Table(role="power", title="Power by the number of runs", caption=caption, columns=columns),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """The number of runs that one difference needs.

    Attributes
    ----------
    question : "margin", "5%", "10%", "20%" or "detectable"
        A tenth of the range of the runs (the lead that matters to `compare` if no margin is given), a share of the leader's mean on each
        task, or the smallest difference that as many runs as the pilot's detect.
    effect_unit : "raw", "lift", "improvement" or ""
        Whether the difference shifts the measure, raises every task by a share, or is a probability.
    effect : float or None
        The true difference of the measure; for the improvement the distance from ½.
    n_runs, n_runs_naive, n_runs_average, n_runs_pooled : int or None
        As in `PlanResult`; None with a `reason`, in which case the average number may still be given.
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
        """Whether `n_runs` is with assurance; for a probability of improvement it is the average number."""
        return self.effect_unit != "improvement"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTable(Records[PlanRow]):
    """The numbers of runs for the differences that a reader of the pilot is likely to ask about.

    Attributes
    ----------
    a, b : str
        The leader of the pilot by the measure, and its nearest rival; with a single algorithm, another one like it.
    alpha : float
        The level of the test; for a pilot with more than two algorithms, that of the first step of the correction over their pairs.
    n_pairs : int
        The number of pairs of the pilot's algorithms.
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
        """Return a row for each difference, with the runs that it needs."""
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
    """The number of items (or trainings of each algorithm) needed with a given number of attempts at each item (or rollouts of each training).

    Attributes
    ----------
    n_repeats : int
        Attempts of each model at each item; rollouts of each training.
    n_units : int or None
        The number of items, or of trainings of each algorithm; None if more than a million are needed.
    power : float or None
        The power with these numbers.
    total : int or None
        The attempts, or rollouts, of both in total.
    cost : float or None
        The cost of all of them; None without costs.
    """

    n_repeats: int
    n_units: int | None
    power: float | None
    total: int | None
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedPlan(Records[NestedPlanRow]):
    """Items × attempts, or trainings × rollouts: the designs that detect a difference, and the cheapest of them.

    Attributes
    ----------
    units : "items" or "trainings"
        The units that are counted; items have attempts, trainings have rollouts.
    n_units, n_repeats : int or None
        The cheapest row; without costs, the row with the fewest attempts in total.
    between, within : float, float or None
        `between` is the variance of the true differences of items, or the sum of both algorithms' variances of the true rates of trainings;
        `within` is the sum of both variances of single attempts, None if the pilot has one attempt at each item, so that `between` contains
        both.
    best_repeats : float or None
        The number of attempts at each that gives the most precision for the cost; None without costs.
    detectable : float or None
        The smallest difference that the items, or trainings, of the pilot detect, however many attempts are made at each; None if they
        detect none, or if `within` is unknown.
    n_pilot, n_pilot_repeats : int
        The number of items, or of trainings of one side, in the pilot, and the fewest attempts at each.
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
        """Return a row for each number of attempts, with the items needed."""
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
    """One algorithm on one task: its number of runs, and the number to add.

    Attributes
    ----------
    task : str or None
        None if each run is scored on all tasks.
    std : float
        The standard deviation of the existing runs.
    cost : float
        The cost of the added runs, in the unit of the budget.
    config : str
        For a sweep, the setting that fresh runs are to confirm; otherwise "".
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
    """The algorithms and tasks to run next, and the precision gained.

    Attributes
    ----------
    rows : tuple of NextRunsRow
        Every algorithm and task, in their order.
    error, error_after : float
        The standard error of the difference of the measure, before and after; with more than two algorithms, the root mean square over the
        pairs.
    measure : str
        The measure of that difference.
    error_even : float
        The standard error after, if the runs were spread over algorithms and tasks as evenly as the budget allows.
    detectable, detectable_after : float or None
        The true difference that a t test with such an error detects with the given `power`, before and after; None of so few runs that not
        even a probability of 1 is found, and of chances on one task or of whole runs, where it depends on the lead. It is at alpha, without a
        correction for several pairs.
    """

    rows: tuple[NextRunsRow, ...]
    measure: str
    budget: float
    spent: float
    error: float
    error_after: float
    error_even: float
    detectable: float | None
    detectable_after: float | None
    power: float
    alpha: float
    sentence: str
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """The number of runs to add."""
        return sum(record.more for record in self.rows)

    def tables(self) -> tuple[Table, ...]:
        """Return a table of the algorithms and tasks that get runs."""
        rows = [record for record in self.rows if record.more]
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
