"""The answers of `runoff plan` without runs: power, runs and effects of a test whose spread is given as a number."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.terminal import say, show_notes, show_tables
from runoff.words.numbers import digits

if TYPE_CHECKING:
    from rich.console import Console

    from runoff.answer.power import PowerResult, RunsNeededResult

ABOUT = """
more [PILOT]: Pilot runs: files, folders or globs of run scores, or a shipped set. A number after --std S is the standard deviation of the
    second algorithm.
--std S: Standard deviation of the runs; give two values if the algorithms differ.
--effect E: True difference to find, of means or of --measure of a pilot; 10% is a lift of the pilot's leader; repeatable.
--effect-unit: Unit of --effect: {PlanUnit} (default {default}).
--n-runs N[,M]: Number of runs per algorithm (one value, or two).
--power: Required power (default {default}).
--alpha: Significance level of the test (default {default}).
--test: Test to plan for: {values} (default {default}); with a pilot, any test of compare (default auto).
--alternative: Alternative hypothesis: {values} (default {default}).
--formula: Formula for the power: {values} (default {default}).
--ratio: Number of runs of the second algorithm for each run of the first (default 1).
--cost-per-run C[,D]: Cost of a run; give two values to find the cheapest split of runs.
"""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about power, with its answer if it is given by numbers only."""

    more: list[str] | None = None
    effect: list[str] | None = None
    std: list[float] | None = None
    n_runs: str | None = None
    terms: GivenOptions = asks("methods.power.runs_needed", "effect_unit power alpha test alternative formula ratio")
    cost_per_run: str | None = None

    @property
    def names_a_pilot(self) -> bool:
        """Whether the words without an option name runs, instead of giving the second number of --std."""
        # `--std 1 2` leaves a 2 behind: typer gives an option one value, so a word after it is a number unless a file
        # has that name.
        return bool(self.more) and (not self.std or any(Path(text).exists() for text in self.more or ()))

    def answer(self) -> PowerResult | RunsNeededResult:
        from runoff.methods import power as ask

        for effect in self.effect or ():
            if effect.strip().endswith("%"):
                raise typer.BadParameter(
                    f"--effect {effect} is a share of the mean of pilot runs: name them, or state the effect in units"
                )
        effects = [
            _number("effect", effect, float, "several are --effect 0.5 --effect 1") for effect in self.effect or ()
        ]
        spread = o.given(std=self._std())
        if self.n_runs is None:
            if not self.effect:
                raise typer.BadParameter(
                    "state a difference (--effect E) or a number of runs (--n-runs N): runoff plan --effect 0.5 --std 1"
                )
            prices = _pair("cost-per-run", self.cost_per_run, float)
            return ask.runs_needed(effect=effects, **spread, **self.terms, **o.given(cost_per_run=prices))
        o.refuse("{} means nothing with --n-runs", cost_per_run=self.cost_per_run, **self.named("ratio"))
        sizes = _pair("n-runs", self.n_runs, int)
        if not self.effect:
            o.refuse("{} means nothing with --n-runs alone", **self.named("effect_unit"))
            # Without --std the library refuses, in the sentence that it has for that.
            return ask.detectable_effect(n_runs=sizes, **{"std": None, **spread}, **self.terms)
        o.refuse("{} means nothing with --n-runs and --effect", **self.named("power"))
        if len(self.effect) > 1:
            raise typer.BadParameter("--effect is given once with --n-runs; without it, it may be repeated")
        return ask.power(effect=effects[0], n_runs=sizes, **spread, **self.terms)

    def named(self, *names: str) -> GivenOptions:
        """Return those of the given terms that have these names."""
        return {name: self.terms[name] for name in names if name in self.terms}

    def price(self) -> float | None:
        """Return the costs of a run of the two algorithms."""
        cost = _pair("cost-per-run", self.cost_per_run, float)
        if isinstance(cost, tuple):
            raise typer.BadParameter("--cost-per-run is one number with a pilot, for both get as many runs")
        return None if cost is None else float(cost)

    def _std(self) -> Any:
        spreads = [*(self.std or ())]
        for text in self.more or ():
            spreads.append(_number("std", text, float, "two stand behind each other"))
        if len(spreads) > 2:
            several = " ".join(f"--effect {effect}" for effect in (*(self.effect or ("0.5",)), "…"))
            raise typer.BadParameter(
                f"--std takes a number, or two for two algorithms (--std 1 2), not {' '.join(f'{spread:g}' for spread in spreads)}; several "
                f"differences are {several}"
            )
        return spreads[0] if len(spreads) == 1 else tuple(spreads) or None


def _pair(name: str, text: str | None, kind: type[int] | type[float]) -> Any:
    if text is None:
        return None
    numbers = [_number(name, part, kind) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else tuple(numbers)


def _number(name: str, text: str, kind: type[int] | type[float], several: str = "two have a comma between") -> float:
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise typer.BadParameter(f"--{name} takes {wanted} ({several}), not {text!r}") from None


def show_needed(console: Console, result: RunsNeededResult) -> None:
    """Print the number of runs needed for each difference, the power at numbers near it, and the notes."""
    for record in result.rows:
        say(console, record.sentence)
        if record.cost is not None:
            say(console, f"All of them cost {digits(record.cost, 6)}.")
    show_tables(console, result.tables())
    show_notes(console, list(dict.fromkeys(note for record in result.rows for note in record.notes)))
