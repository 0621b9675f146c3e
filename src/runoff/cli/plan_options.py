"""Options of `runoff plan`, and which of three questions they ask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runoff.cli.options import given, names
from runoff.words.names import Alternative, PlanUnit, PowerFormulaName, PowerTestName

if TYPE_CHECKING:
    from runoff.results.power import PowerResult, RunsNeededResult

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
    str | None, typer.Option("--unit", help=f"In what --effect is stated: {names(PlanUnit)} (default raw).")
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
        help=f"The test: {names(PowerTestName)} (default welch); of a pilot any of compare, or iqm_difference (default auto).",
    ),
]
Sides = Annotated[
    str | None, typer.Option("--alternative", help=f"Where it looks: {names(Alternative)} (default two-sided).")
]
Formula = Annotated[
    str | None,
    typer.Option("--formula", help=f"How power is computed: {names(PowerFormulaName)} (default noncentral)."),
]
Ratio = Annotated[
    float | None, typer.Option("--ratio", help="Runs of the second for each run of the first (default 1).")
]
Cost = Annotated[
    str | None, typer.Option("--cost", metavar="C[,D]", help="Of a run; with two, the cheapest allocation is found.")
]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked about power."""

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
        shared = given(
            std=self._std(), alpha=self.alpha, test=self.test, alternative=self.alternative, formula=self.formula
        )
        if self.runs is None:
            if not self.effect:
                raise typer.BadParameter("state a difference (--effect E) or a number of runs (--runs N)")
            more = given(unit=self.unit, power=self.power, ratio=self.ratio, cost=_pair("cost", self.cost, float))
            return ask.runs_needed(effect=effects, **shared, **more)
        self._refuse("cost", "ratio")
        sizes = _pair("runs", self.runs, int)
        if not self.effect:
            self._refuse("unit")
            return ask.detectable_effect(n_runs=sizes, **{"std": None, **shared}, **given(power=self.power))
        self._refuse("power")
        if len(self.effect) > 1:
            raise typer.BadParameter("with --runs there is one --effect; without --runs there may be several")
        return ask.power(effect=effects[0], n_runs=sizes, **shared, **given(unit=self.unit))

    def price(self) -> float | None:
        """Return the cost of a run of either."""
        found = _pair("cost", self.cost, float)
        if isinstance(found, tuple):
            raise typer.BadParameter("--cost is one number beside a pilot, for both get as many runs")
        return None if found is None else float(found)

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
        known = [*(self.std or ()), *([] if self.std2 is None else [self.std2])]
        for text in self.more or ():
            known.append(_number("std", text, float))
        return known[0] if len(known) == 1 else tuple(known) or None


def _pair(name: str, text: str | None, kind: type[int] | type[float]) -> Any:
    """Return the number, or the pair, of a text like 10,20."""
    if text is None:
        return None
    found = [_number(name, part, kind) for part in text.split(",")]
    return found[0] if len(found) == 1 else tuple(found)


def _number(name: str, text: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise typer.BadParameter(f"--{name} takes {wanted}, or two with a comma between, not {text!r}") from None
