"""runoff plan: how many runs does it take?

`Question` is what is asked about power, of numbers alone; `PilotRuns` answers it where there are runs: a pilot, or runs to which more are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from runoff.cli import options as o
from runoff.cli.record import show_record
from runoff.cli.terminal import new_table, open_console, say, show_advice
from runoff.cli.verb import verb
from runoff.words.names import Alternative, PlanUnit, PowerFormulaName, PowerTestName, RunsName, UnitName
from runoff.words.numbers import digits, percent

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.report.page.drawing import Drawn
    from runoff.results.power import NextRunsResult, PlanResult, PowerResult, RunsNeededRecord, RunsNeededResult

    Planned = PowerResult | RunsNeededResult | PlanResult | NextRunsResult

NEAR = 2
"""Numbers of runs that are shown on either side of the answer."""
MOST_ROWS = 10
"""Rows of the table of a plan, about."""
IN_HOURS: Mapping[str, float] = MappingProxyType({"m": 1 / 60, "h": 1.0, "d": 24.0})
"""Suffix of a budget -> hours."""

More = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PILOT]",
        help="Pilot runs, as other verbs read them; after --std S the one of the second.",
        show_default=False,
    ),
]
Std = Annotated[
    list[float] | None,
    typer.Option("--std", metavar="S", help="Standard deviation of the runs; a second one is that of the second."),
]
Std2 = Annotated[float | None, typer.Option("--std2", metavar="S2", help="Of the runs of the second algorithm.")]
Effects = Annotated[
    list[str] | None,
    typer.Option("--effect", metavar="E", help="A true difference of means; repeatable. Of a pilot also 10%: a lift."),
]
InUnit = Annotated[
    str | None, typer.Option("--unit", help=f"In what --effect is stated: {o.names(PlanUnit)} (default raw).")
]
Runs = Annotated[
    str | None,
    typer.Option(
        "--runs",
        metavar="N[,M]",
        help="So many runs of each, or of the first and the second; of a pilot: shared, if tasks share them.",
    ),
]
Power = Annotated[float | None, typer.Option("--power", help="The power that is required (default 0.8).")]
Alpha = Annotated[float | None, typer.Option("--alpha", help="Level of the test (default 0.05).")]
Test = Annotated[
    str | None,
    typer.Option(
        "--test",
        help=f"The test: {o.names(PowerTestName)} (default welch); of a pilot any of compare, or iqm_difference (default auto).",
    ),
]
Sides = Annotated[
    str | None, typer.Option("--alternative", help=f"Where it looks: {o.names(Alternative)} (default two-sided).")
]
Formula = Annotated[
    str | None,
    typer.Option("--formula", help=f"How power is computed: {o.names(PowerFormulaName)} (default noncentral)."),
]
Ratio = Annotated[
    float | None, typer.Option("--ratio", help="Runs of the second for each run of the first (default 1).")
]
Cost = Annotated[
    str | None, typer.Option("--cost", metavar="C[,D]", help="Of a run; with two, the cheapest allocation is found.")
]
Assurance = Annotated[
    float | None,
    typer.Option("--assurance", help="Chance that the plan holds, over pilots like this one (default 0.9)."),
]
Hours = Annotated[float | None, typer.Option("--hours-per-run", help="Price the runs in hours.")]
Repeats = Annotated[
    int | None, typer.Option("--repeats", help="Simulated experiments per number of runs (default 2000).")
]
Next = Annotated[
    list[str] | None,
    typer.Option(
        "--next", metavar="RUNS", help="Which cells to run next: the runs that there are; repeatable. Needs --budget."
    ),
]
Budget = Annotated[
    str | None, typer.Option("--budget", metavar="B", help="Of --next: 40 runs, or 12h (2d, 90m) with --hours-per-run.")
]
Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder for the curve of power, as figure and table.")
]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked about power, and the answer where numbers are all there is."""

    more: More = None
    effect: Effects = None
    std: Std = None
    std2: Std2 = None
    unit: InUnit = None
    runs: Runs = None
    power: Power = None
    alpha: Alpha = None
    test: Test = None
    alternative: Sides = None
    formula: Formula = None
    ratio: Ratio = None
    cost: Cost = None

    @property
    def names_a_pilot(self) -> bool:
        """Whether what stands without an option are runs, and not the second number of --std."""
        return bool(self.more) and (not self.std or any(Path(text).exists() for text in self.more or ()))

    def answer(self) -> PowerResult | RunsNeededResult:
        """Return the answer to the question that the options make."""
        from runoff.methods import power as ask

        for effect in self.effect or ():
            if effect.strip().endswith("%"):
                raise typer.BadParameter(
                    f"--effect {effect} is a share of the mean of pilot runs: name them, or state the effect in units"
                )
        effects = [_number("effect", effect, float) for effect in self.effect or ()]
        shared = o.given(
            std=self._std(), alpha=self.alpha, test=self.test, alternative=self.alternative, formula=self.formula
        )
        if self.runs is None:
            if not self.effect:
                raise typer.BadParameter("state a difference (--effect E) or a number of runs (--runs N)")
            more = o.given(unit=self.unit, power=self.power, ratio=self.ratio, cost=_pair("cost", self.cost, float))
            return ask.runs_needed(effect=effects, **shared, **more)
        self._refuse("cost", "ratio")
        sizes = _pair("runs", self.runs, int)
        if not self.effect:
            self._refuse("unit")
            return ask.detectable_effect(n_runs=sizes, **{"std": None, **shared}, **o.given(power=self.power))
        self._refuse("power")
        if len(self.effect) > 1:
            raise typer.BadParameter("with --runs there is one --effect; without --runs there may be several")
        return ask.power(effect=effects[0], n_runs=sizes, **shared, **o.given(unit=self.unit))

    def price(self) -> float | None:
        """Return the cost of a run of either."""
        cost = _pair("cost", self.cost, float)
        if isinstance(cost, tuple):
            raise typer.BadParameter("--cost is one number beside a pilot, for both get as many runs")
        return None if cost is None else float(cost)

    def refuse(self, why: str, *options: str) -> None:
        """Refuse options that mean nothing here."""
        for name in options:
            if getattr(self, name):
                raise typer.BadParameter(why if why.startswith("--") else f"--{name.replace('more', 'std')} {why}")

    def _refuse(self, *options: str) -> None:
        """Refuse options that mean nothing beside --runs."""
        for name in options:
            if getattr(self, name) is not None:
                beside = (
                    "--runs" if name in ("cost", "ratio") else "--runs and --effect" if self.effect else "--runs alone"
                )
                raise typer.BadParameter(f"--{name} means nothing beside {beside}")

    def _std(self) -> Any:
        spreads = [*(self.std or ()), *([] if self.std2 is None else [self.std2])]
        for text in self.more or ():
            spreads.append(_number("std", text, float))
        return spreads[0] if len(spreads) == 1 else tuple(spreads) or None


def _pair(name: str, text: str | None, kind: type[int] | type[float]) -> Any:
    """Return the number, or the pair, of a text like 10,20."""
    if text is None:
        return None
    numbers = [_number(name, part, kind) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else tuple(numbers)


def _number(name: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise typer.BadParameter(f"--{name} takes {wanted}, or two with a comma between, not {text!r}") from None


@dataclass(frozen=True, kw_only=True)
class PilotRuns(o.Choice):
    """The runs that there are, and the options that only they allow."""

    assurance: Assurance = None
    hours_per_run: Hours = None
    repeats: Repeats = None
    seed: o.Seed = None
    next: Next = None
    budget: Budget = None
    control: o.Control = None
    normalize: o.Normalize = None
    format: o.Format = None
    columns: o.Columns = None
    pattern: o.Pattern = None
    keys: o.Keys = None
    lower_is_better: o.LowerIsBetter = False
    assume_raw: o.AssumeRaw = False
    drop_unreferenced: o.DropUnreferenced = False

    def answer_of(self, question: Question) -> PowerResult | RunsNeededResult | PlanResult | NextRunsResult:
        """Return the answer to the question that the options make."""
        if self.next:
            return self.what_next(question)
        if question.names_a_pilot:
            return self.answer(question, question.more or [])
        self.refuse()
        return question.answer()

    def answer(self, question: Question, paths: list[str]) -> PlanResult:
        """Return how many runs it takes, given the pilot at these paths."""
        from runoff.cli.progress import progress
        from runoff.methods.plan import plan

        question.refuse("--std says how runs spread, and a pilot shows it: give one of them", "std", "std2")
        question.refuse(
            "means nothing beside a pilot, which is planned for two-sided and with equal runs",
            "alternative",
            "formula",
            "ratio",
        )
        self._refuse("belongs to --next", "budget", "control")
        if not question.effect:
            raise typer.BadParameter(
                "state the difference that is worth finding (--effect 10%, or in units of the scores)"
            )
        if len(question.effect) > 1:
            raise typer.BadParameter("with a pilot there is one --effect")
        options: dict[str, Any] = o.given(
            power=question.power,
            alpha=question.alpha,
            test=question.test,
            assurance=self.assurance,
            hours_per_run=self.hours_per_run,
            cost_per_run=question.price(),
            n_repeats=self.repeats,
            rng=self.seed,
        )
        if question.unit not in (None, *get_args(UnitName)):
            options["unit"] = question.unit
        source = self._source(question, paths)
        with progress() as tell:
            tell("reading", 0.0)
            scores = source.read()
            tell("simulating experiments", 0.2)
            return plan(scores, effect=question.effect[0], **options)

    def what_next(self, question: Question) -> NextRunsResult:
        """Return which cells to run next."""
        from runoff.methods.sequential import next_runs

        nothing = "means nothing beside --next, which adds to runs that there are"
        question.refuse(nothing, "effect", "std", "std2", "test", "alternative", "formula", "ratio", "cost", "more")
        self._refuse(nothing, "assurance", "repeats", "seed")
        if self.budget is None:
            raise typer.BadParameter("--next needs --budget: 40 runs, or 12h with --hours-per-run")
        options = o.given(power=question.power, alpha=question.alpha, control=self.control)
        return next_runs(
            self._source(question, self.next or []).read(), **_priced(self.budget, self.hours_per_run), **options
        )

    def refuse(self) -> None:
        """Refuse every option that needs runs, where there are none."""
        for field in fields(self):
            if getattr(self, field.name) not in (None, False):
                flag = "--" + field.name.replace("_", "-")
                raise typer.BadParameter(
                    f"{flag} is about runs that there are; name a pilot: runoff plan PILOT --effect E"
                )

    def _refuse(self, why: str, *names: str) -> None:
        for name in names:
            if getattr(self, name) is not None:
                raise typer.BadParameter(f"--{name.replace('_', '-')} {why}")

    def _source(self, question: Question, paths: list[str]) -> o.Source:
        shared = {field.name: getattr(self, field.name) for field in fields(o.Source) if hasattr(self, field.name)}
        if question.runs is not None and question.runs not in get_args(RunsName):
            raise typer.BadParameter(
                f"--runs says of a pilot whether tasks share its runs ({o.names(RunsName)}), not {question.runs!r}"
            )
        unit = question.unit if question.unit in get_args(UnitName) else None
        return o.Source(path=paths, runs=question.runs, unit=unit, **shared)


def _priced(budget: str, hours: float | None) -> dict[str, Any]:
    """Return the budget and the cost of a run, in one unit."""
    number, unit = (budget[:-1], budget[-1]) if budget[-1:] in IN_HOURS else (budget, None)
    try:
        value = float(number)
    except ValueError:
        raise typer.BadParameter(
            f"--budget takes a number of runs, or hours as 12h (2d, 90m), not {budget!r}"
        ) from None
    if unit is None:
        return {"budget": value}
    if hours is None:
        raise typer.BadParameter(f"--budget {budget} is a time: say what a run takes (--hours-per-run)")
    return {"budget": value * IN_HOURS[unit], "cost": hours}


@verb
def plan(question: Question, pilot: PilotRuns, out: Out = None, json: o.Json = False) -> None:
    """How many runs does it take to see a difference (--effect), given pilot runs or --std?

    With --runs: how small a difference do so many runs see? With --next: which cells should be run next?
    """
    from runoff.results.power import PlanResult, RunsNeededResult

    answer = pilot.answer_of(question)
    if out is not None:
        if not isinstance(answer, RunsNeededResult | PlanResult):
            raise typer.BadParameter("--out is for the curve of power of --effect without --runs")
        write_plan(answer, out)
    if json:
        show_record(answer.to_records())
    else:
        show_plan(answer, out)


def write_plan(answer: RunsNeededResult | PlanResult, out: Path) -> None:
    """Write `plan.json`, `power.csv`, and the figures as SVG, PDF and PNG: of power and of β, or of the plan."""
    from runoff import plots
    from runoff.report.files.folder import csv_text, strict_json, write_answer
    from runoff.results.base import plain
    from runoff.results.power import PlanResult

    def figures() -> Mapping[str, Drawn]:
        if isinstance(answer, PlanResult):
            return {"power": plots.plan(answer)}
        return {"power": plots.power(answer), "beta": plots.power(answer, quantity="beta")}

    texts = {
        "plan.json": strict_json(answer.to_records()),
        "power.csv": csv_text([plain(point) for point in answer.curve]),
        "README.txt": f"{answer}\n\n{plots.caption(answer)}\n",
    }
    write_answer(out, "the curve needs", texts, figures)


def show_plan(answer: Planned, out: Path | None) -> None:
    """Print an answer about power: a sentence, power about it, and what the formula leaves out."""
    from runoff.results.power import NextRunsResult, PlanResult, RunsNeededResult

    console = open_console()
    if isinstance(answer, RunsNeededResult):
        for record in answer.records:
            _show_needed(console, answer, record)
    elif isinstance(answer, PlanResult):
        _show_planned(console, answer)
    elif isinstance(answer, NextRunsResult):
        _show_next(console, answer)
    else:
        say(console, answer.sentence)
        _show_notes(console, answer.notes)
    if out is not None:
        say(console, f"Figure and table: {out}")


def _show_needed(console: Console, result: RunsNeededResult, record: RunsNeededRecord) -> None:
    say(console, record.sentence)
    if record.cost is not None:
        say(console, f"All of them cost {digits(record.cost, 6)}.")
    points = result.points(record.effect)
    at = next(i for i, point in enumerate(points) if point.n_runs == record.n_runs)
    two = record.n_runs_b is not None and any(point.n_runs != point.n_runs_b for point in points)
    table = new_table("runs", [*(["of the second"] if two else []), "power", "chance to miss"])
    near = points[max(0, at - NEAR) : at + NEAR + 1]
    # A number of runs that falls short must not look as if it did not.
    places = (
        1 if all(f"{100 * p.power:.1f}" != f"{100 * result.power:.1f}" for p in near if p.power < result.power) else 3
    )
    for point in near:
        mark = "● " if point is points[at] else "  "
        cells = [str(point.n_runs_b)] if two else []
        table.add_row(
            f"{mark}{point.n_runs}",
            *cells,
            f"{100 * point.power:.{places}f} %",
            f"{100 * point.beta:.{places}f} %",
        )
    console.print(table)
    _show_notes(console, record.notes)


def _show_planned(console: Console, result: PlanResult) -> None:
    from runoff.results.advice import most_severe_first

    say(console, result.sentence)
    observed = {point.n_runs: point.power for point in result.points("pilot")}
    upper = {point.n_runs: point.power for point in result.points("upper")}
    both = sorted(observed.keys() & upper.keys() | {result.n_runs, result.n_runs_naive})
    table = new_table("runs", ["power, spread as in the pilot", f"with {percent(result.assurance)} assurance"])
    for n in both[:: max(1, len(both) // MOST_ROWS)] if result.method == "closed_form" else both:
        mark = "● " if n == result.n_runs else "  "
        table.add_row(f"{mark}{n}", *(f"{100 * power[n]:.1f} %" if n in power else "" for power in (observed, upper)))
    console.print(table)
    _show_notes(console, result.notes)
    show_advice(console, most_severe_first(result.advice))


def _show_next(console: Console, result: NextRunsResult) -> None:
    say(console, result.sentence)
    table = new_table("algorithm", ["task", "runs", "standard deviation", "run more"])
    for record in result.records:
        if record.more:
            task = "all" if record.task is None else record.task
            table.add_row(record.algorithm, task, str(record.n_runs), f"{digits(record.std, 4)}", str(record.more))
    console.print(table)
    _show_notes(console, result.notes)


def _show_notes(console: Console, notes: tuple[str, ...]) -> None:
    for note in notes:
        say(console, f"Note: {note}.")
