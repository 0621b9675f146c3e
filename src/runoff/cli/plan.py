"""runoff plan: how many runs does it take?

`Question` (in `power`) answers from numbers only; `PilotRuns` answers from runs: a pilot, or existing runs to which more are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.launch import LaunchOptions
from runoff.cli.power import Question, show_needed
from runoff.cli.record import show_record
from runoff.cli.terminal import open_console, say, show_advice, show_notes, show_tables
from runoff.cli.verb import leave, verb

if TYPE_CHECKING:
    from runoff.answer.plan import NestedPlan, NextRunsResult, PlanResult, PlanTable
    from runoff.answer.power import PowerResult, RunsNeededResult
    from runoff.data.scores import Scores
    from runoff.page.sheet.drawing import DrawnAxes

    Planned = PowerResult | RunsNeededResult | PlanResult | PlanTable | NestedPlan | NextRunsResult

IN_HOURS: Mapping[str, float] = MappingProxyType({"m": 1 / 60, "h": 1.0, "d": 24.0})
"""The hours in each unit of a budget."""

ABOUT = """
--assurance: Probability that the planned number of runs is enough, over pilots like this one (default {default}).
--hours-per-run: Hours that a run takes, to give costs in hours.
--over: Sample to plan for: runs, or tasks, which are items that both models answer; the answer is items by attempts (default {default}).
--rollouts R: Number of rollouts behind each score of the pilot, a success rate; the answer is trainings by rollouts.
--cost-per-task C: Cost of an item, for --over tasks; --cost-per-run is then that of an attempt.
--cost-per-rollout C: Cost of a rollout, for --rollouts; --cost-per-run is then that of a training.
--n-repeats: Number of simulated experiments for each number of runs (default {default}).
--control ALGORITHM: Algorithm to compare all others with, for --next-runs (default: all pairs).
--next-runs RUNS: Existing runs from which to compute what to run next, within --budget; repeatable.
--budget B: Budget for --next-runs: a number of runs (40), or a time (12h, 2d, 90m) with --hours-per-run.
-o --out OUT: Folder for the power curve, as figure and table.
"""


@dataclass(frozen=True, kw_only=True)
class PilotRuns(o.ReadingOptions):
    """The existing runs, and the options that need them."""

    terms: GivenOptions = asks(
        "methods.plan.plan",
        "measure assurance hours_per_run over rollouts cost_per_task cost_per_rollout n_repeats seed",
    )
    next_runs: list[str] | None = None
    budget: str | None = None
    control: str | None = None
    runs: str | None = None
    unit: str | None = None

    def answer_of(self, question: Question) -> Planned:
        if question.names_a_pilot:
            return self.answer(question, question.more or [])
        o.refuse(
            "{} is about runs that there are; name a pilot: runoff plan PILOT --effect E",
            **o.options_of(self) | self.terms,
        )
        return question.answer()

    def answer(self, question: Question, paths: list[str]) -> PlanResult | PlanTable | NestedPlan:
        """Return how many runs are needed, given the pilot at these paths."""
        from runoff.cli.progress import progress
        from runoff.methods.plan import plan

        o.refuse("--std says how runs spread, and a pilot shows it: give one of them", std=question.std)
        counted = "{} means nothing with a pilot: its plan has the power of each number of runs in its table"
        o.refuse(counted, n_runs=question.n_runs)
        nothing = "{} means nothing with a pilot, which is planned for two-sided and with equal runs"
        o.refuse(nothing, **question.named("alternative", "formula", "ratio"))
        o.refuse("{} belongs to --next-runs", budget=self.budget)
        alone = f"--algorithms {self.control} plans with its mean and spread, --algorithms {self.control},OTHER for two"
        o.refuse(f"{{}} belongs to --next-runs; {alone}", control=self.control)
        if len(question.effect or ()) > 1:
            raise typer.BadParameter("--effect is given once with a pilot, or not at all, for a table of differences")
        options: GivenOptions = question.terms | self.terms | o.given(cost_per_run=question.price())
        source = self._source(paths)
        with progress() as tell:
            tell("reading", 0.0)
            scores = self._read(source)
            tell("planning", 0.2)
            # The calls have different results, which `effect=None` would hide from the types.
            answer: PlanResult | PlanTable | NestedPlan
            answer = plan(scores, effect=question.effect[0], **options) if question.effect else plan(scores, **options)
            return answer

    def _read(self, source: o.SourceOptions) -> Scores:
        """Return the pilot; if the reader asks about its rows, episodes of one policy are not offered, because the plan is for trainings."""
        from runoff.errors import DataError
        from runoff.words.speech import in_shell, neutral, option, shell_parts

        try:
            return source.read()
        except DataError as error:
            if "rollouts" not in self.terms or in_shell(option("unit", "episode")) not in shell_parts(neutral(error)):
                raise
            fact = in_shell(neutral(error)).partition(": use ")[0]
            raise DataError(
                f"{fact}: --rollouts plans for trainings, so give a row for each, two or more of each policy, and a column that names "
                "them (policy,seed,successes,trials)."
            ) from None

    def what_next(self, question: Question, scores: Scores) -> NextRunsResult:
        from runoff.methods.sequential import next_runs

        others = {"effect": question.effect, "std": question.std, "cost_per_run": question.cost_per_run}
        others |= question.named("test", "alternative", "formula", "ratio")
        others |= {name: value for name, value in self.terms.items() if name not in ("measure", "hours_per_run")}
        o.refuse("{} means nothing with --next-runs, which adds to runs that there are", **others)
        if question.more:
            raise typer.BadParameter(
                f"--next-runs names its runs itself: write --next-runs {question.more[0]}, or leave it out"
            )
        options = question.named("power", "alpha") | o.given(control=self.control, measure=self.terms.get("measure"))
        prices = {} if self.budget is None else _priced(self.budget, self.terms.get("hours_per_run"))
        return next_runs(scores, **prices, **options)

    def existing(self) -> Scores:
        """Return the runs of --next-runs."""
        return self._source(self.next_runs or []).read()

    def _source(self, paths: list[str]) -> o.SourceOptions:
        return o.SourceOptions(path=paths, runs=self.runs, unit=self.unit, **o.options_of(self, o.ReadingOptions))


def _priced(budget: str, hours: float | None) -> dict[str, Any]:
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
    return {"budget": value * IN_HOURS[unit], "cost_per_run": hours}


@verb
def plan(
    *,
    question: Question,
    pilot: PilotRuns,
    launch: LaunchOptions,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Compute how many runs it takes to find a difference.

    $ runoff plan --effect 0.5 --std 1
    $ runoff plan classic_control --normalize classic_control --algorithms ARS,CEM --effect 10%

    A pilot alone gives a table of differences: the one that it shows, 5, 10 and 20 % of its leader, and the smallest that it can show.
    --n-runs gives the smallest difference that so many runs find, and --next-runs the algorithms and tasks to run next.
    """
    from runoff.answer.base import plain
    from runoff.answer.plan import PlanResult
    from runoff.answer.power import RunsNeededResult

    launch.check()
    if pilot.next_runs:
        scores = pilot.existing()
        upcoming = pilot.what_next(question, scores)
        answer: Planned = upcoming
        more = {(row.algorithm, row.task): row.more for row in upcoming.rows}
        commands = launch.lines(scores, more, _settings(upcoming, scores))
    else:
        o.refuse("{} starts the runs of --next-runs", template=launch.template)
        answer, commands = pilot.answer_of(question), []
    if out is not None:
        if not isinstance(answer, RunsNeededResult | PlanResult):
            raise typer.BadParameter("--out is for the curve of power of --effect without --n-runs")
        write_plan(answer, out, force=force)
    if json:
        show_record(
            {"records": answer.to_records(), "sentence": plain(answer.sentence)}
            | _beside(answer)
            | ({"next": commands} if launch.template else {}),
            notes=getattr(answer, "notes", ()),
            advice=getattr(answer, "advice", ()),
            of=[answer],
        )
    else:
        show_plan(answer, out)
        # Plain lines after the table, which a shell can take.
        for command in commands:
            typer.echo(command)


def _settings(upcoming: NextRunsResult, scores: Scores) -> dict[str, dict[str, str]]:
    """Return the settings of each algorithm in a sweep; for a configuration with only a label, the label."""
    from runoff.tables.equal import ONE_CONFIG

    settings = {}
    for row in upcoming.rows:
        label = {} if row.config in ("", ONE_CONFIG) else {"config": row.config}
        settings[row.algorithm] = scores.sampling.settings_of(row.config) or label
    return settings if any(row.config for row in upcoming.rows) else {}


def _beside(answer: Planned) -> dict[str, Any]:
    """Return the fields of a table in addition to its records; nothing for a single record."""
    from runoff.answer.base import plain
    from runoff.answer.rows import Records

    elsewhere = ("rows", "curve", "notes", "advice")
    names = [f.name for f in fields(answer) if f.name not in elsewhere] if isinstance(answer, Records) else []
    return {name: plain(getattr(answer, name)) for name in names}


def write_plan(answer: RunsNeededResult | PlanResult, out: Path, *, force: bool = False) -> None:
    """Write `plan.json`, `power.csv`, and the figures as SVG, PDF and PNG: of power and of β, or of the plan."""
    from runoff import plots
    from runoff.answer.base import plain
    from runoff.answer.plan import PlanResult

    def figures() -> Mapping[str, DrawnAxes]:
        if isinstance(answer, PlanResult):
            return {"power": plots.plan(answer)}
        return {"power": plots.power(answer), "beta": plots.power(answer, quantity="beta")}

    curve, notes = {"power": list(map(plain, answer.curve))}, [f"Note: {note}." for note in answer.notes]
    sentences = [answer.sentence, *notes, plots.caption(answer)]
    leave(out, "plan", answer.to_records(), curve, sentences, figures=figures, force=force)


def show_plan(answer: Planned, out: Path | None) -> None:
    """Print an answer about power: a sentence, power about it, and what the formula leaves out."""
    from runoff.answer.power import PowerResult, RunsNeededResult

    console = open_console()
    if isinstance(answer, RunsNeededResult):
        show_needed(console, answer)
    else:
        say(console, answer.sentence)
        if not isinstance(answer, PowerResult):
            show_tables(console, answer.tables())
        show_notes(console, answer.notes)
        show_advice(console, getattr(answer, "advice", ()))
    if out is not None:
        say(console, f"Figure and table: {out}")
