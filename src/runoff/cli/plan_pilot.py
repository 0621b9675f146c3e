"""Options of `runoff plan` about runs that there are: a pilot, or runs to which more are added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from runoff.cli import options as o
from runoff.cli.choose import Choice
from runoff.words.names import RunsName, UnitName

if TYPE_CHECKING:
    from runoff.cli.plan_options import Asked
    from runoff.results.power import NextRunsResult, PlanResult, PowerResult, RunsNeededResult

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
IN_HOURS: Mapping[str, float] = MappingProxyType({"m": 1 / 60, "h": 1.0, "d": 24.0})
"""Suffix of a budget -> hours."""


@dataclass(frozen=True, kw_only=True)
class PilotRuns(Choice):
    """The runs that there are, and what is asked of them alone."""

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

    def answer_of(self, asked: Asked) -> PowerResult | RunsNeededResult | PlanResult | NextRunsResult:
        """Return the answer to the question that the options make."""
        if self.next:
            return self.what_next(asked)
        if asked.names_a_pilot:
            return self.answer(asked, asked.more or [])
        self.refuse()
        return asked.answer()

    def answer(self, asked: Asked, paths: list[str]) -> PlanResult:
        """Return how many runs it takes, given the pilot at these paths."""
        from runoff.cli.progress import progress
        from runoff.methods.plan import plan

        asked.refuse("--std says how runs spread, and a pilot shows it: give one of them", "std", "std2")
        asked.refuse(
            "means nothing beside a pilot, which is planned for two-sided and with equal runs",
            "alternative",
            "formula",
            "ratio",
        )
        self._refuse("belongs to --next", "budget", "control")
        if not asked.effect:
            raise typer.BadParameter(
                "state the difference that is worth finding (--effect 10%, or in units of the scores)"
            )
        if len(asked.effect) > 1:
            raise typer.BadParameter("with a pilot there is one --effect")
        options: dict[str, Any] = o.given(
            power=asked.power,
            alpha=asked.alpha,
            test=asked.test,
            assurance=self.assurance,
            hours_per_run=self.hours_per_run,
            cost_per_run=asked.price(),
            n_repeats=self.repeats,
            rng=self.seed,
        )
        if asked.unit not in (None, *get_args(UnitName)):
            options["unit"] = asked.unit
        source = self._source(asked, paths)
        with progress() as tell:
            tell("reading", 0.0)
            scores = source.read()
            tell("simulating experiments", 0.2)
            return plan(scores, effect=asked.effect[0], **options)

    def what_next(self, asked: Asked) -> NextRunsResult:
        """Return which cells to run next."""
        from runoff.methods.sequential import next_runs

        nothing = "means nothing beside --next, which adds to runs that there are"
        asked.refuse(nothing, "effect", "std", "std2", "test", "alternative", "formula", "ratio", "cost", "more")
        self._refuse(nothing, "assurance", "repeats", "seed")
        if self.budget is None:
            raise typer.BadParameter("--next needs --budget: 40 runs, or 12h with --hours-per-run")
        options = o.given(power=asked.power, alpha=asked.alpha, control=self.control)
        return next_runs(
            self._source(asked, self.next or []).read(), **_priced(self.budget, self.hours_per_run), **options
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

    def _source(self, asked: Asked, paths: list[str]) -> o.Source:
        shared = {field.name: getattr(self, field.name) for field in fields(o.Source) if hasattr(self, field.name)}
        if asked.runs is not None and asked.runs not in get_args(RunsName):
            raise typer.BadParameter(
                f"--runs says of a pilot whether tasks share its runs ({o.names(RunsName)}), not {asked.runs!r}"
            )
        unit = asked.unit if asked.unit in get_args(UnitName) else None
        return o.Source(path=paths, runs=asked.runs, unit=unit, **shared)


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
