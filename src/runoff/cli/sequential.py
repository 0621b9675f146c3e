"""runoff sequential: may we stop now, at planned looks or at any time?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.record import show_result
from runoff.cli.terminal import open_console, say, show_advice, show_tables
from runoff.cli.values import names_in
from runoff.cli.verb import leave, verb
from runoff.cli.without_files import counts_of
from runoff.words.numbers import digits
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff.answer.sequential import SequentialResult
    from runoff.data.scores import Scores
    from runoff.methods.sequential import SequentialDesign

ABOUT = """
path [DESIGN.toml] RUNS...: The design, then the runs that are new at this look (none: the answer so far); without a design each is a batch of
    runs, in the order in which they came, judged by a rule that holds at any time.
--state STATE.json: File of the runs and decisions so far; the first look writes it.
-o --out OUT: Folder for the figure and its table.
--new: Write a new DESIGN.toml from the options of the design; an existing file is kept.
--looks N,M,…: Number of runs of each algorithm on each task at the looks, such as 5,10,15,20; 1..50 looks after every run, and 1.. has no last
    look (at most 200).
--measure: Measure to judge by: mean.
--spending: Spending function for alpha: {values} (default: quadratic for episodes, pocock for runs, open where
    --looks names no last one).
--margin D: Difference of mean scores below which two algorithms count as equivalent.
--effect D: Smallest difference worth detecting; stop for futility when the chance of detecting it falls below --futility.
--futility: Futility threshold for --effect (default {default}).
--cost-per-run C: Cost of a run, in any unit (default 1: runs are counted).
--n-resamples: Number of random permutations of a look (default {default}), or of a batch (default 5000).
--budget B: Total budget, in the unit of --cost-per-run.
"""


AT_ANY_TIME = {"alpha": "alpha", "measure": "measure", "margin": "margin", "n_resamples": "n_resamples", "seed": "rng"}
"""Term of a design -> argument of the rule that holds at any time, for those that it has."""
LISTED = 12
"""The largest number of looks that are listed."""


@dataclass(frozen=True, kw_only=True)
class NewRuns(o.SourceOptions):
    """The design, if looks are planned, and the new runs, if any."""

    @property
    def design(self) -> Path | None:
        return Path(self.path[0]) if self.path[0].endswith(".toml") else None

    def new(self) -> Scores | None:
        """Return the runs after the design."""
        return replace(self, path=self.path[1:]).read() if self.path[1:] else None

    def batches(self) -> list[Scores]:
        # Counts of each policy are one batch. Read together, files would be one table, and which of them came first would be lost.
        if counts_of(self.path) is not None:
            return [self.read()]
        return [replace(self, path=[path]).read() for path in self.path]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The content of a new design; --algorithms and --tasks are taken from the options of the runs."""

    new: bool = False
    looks: str | None = None
    terms: GivenOptions = asks(
        "_inference.sequential.design.SequentialDesign",
        "alpha spending measure margin effect futility cost_per_run budget n_resamples seed",
    )

    def at_any_time(self) -> dict[str, Any]:
        """Return the options of the rule without planned looks; refuse options of a design."""
        own = {AT_ANY_TIME[name]: value for name, value in self.terms.items() if name in AT_ANY_TIME}
        others = {name: value for name, value in self.terms.items() if name not in AT_ANY_TIME}
        o.refuse("{} belongs to a design: name DESIGN.toml before the runs", new=self.new, looks=self.looks, **others)
        return own

    def design(self, runs: NewRuns) -> SequentialDesign:
        from runoff.methods.sequential import SequentialDesign

        if runs.path[1:]:
            raise typer.BadParameter("--new writes a design before there are runs; leave them out")
        if self.looks is None:
            raise typer.BadParameter("--new needs --looks, the runs per task at each look, such as --looks 5,10,15,20")
        spending = self.terms.get("spending", "open" if self.looks.endswith("..") else None)
        if self.looks.endswith("..") and spending != "open":
            raise typer.BadParameter(
                f"--looks {self.looks} has no last look, which {spending} takes: use --spending open"
            )
        names: dict[str, Any] = {key: tuple(names_in(getattr(runs, key), ()) or ()) for key in ("algorithms", "tasks")}
        return SequentialDesign(looks=_whole(self.looks), **self.terms | o.given(spending=spending), **names)


def _whole(text: str) -> tuple[int, ...]:
    from runoff._inference.sequential import MOST_LOOKS

    first, dots, last = text.partition("..")
    try:
        # Without a last look as many as a design may have.
        end = int(last) if last else MOST_LOOKS
        looks = tuple(range(int(first), end + 1)) if dots else tuple(int(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"--looks takes whole numbers with commas between, not {text!r}") from None
    if not looks:
        raise typer.BadParameter(f"--looks takes the smaller number first, {last}..{first}, not {text!r}")
    return looks


@verb
def sequential(
    *,
    runs: NewRuns,
    plan: Plan,
    state: Path | None = None,
    out: Path | None = None,
    force: bool = False,
    json: bool = False,
) -> None:
    """Decide whether to stop, at planned looks or any time.

    $ runoff sequential design.toml --new --looks 50,100 --algorithms ARS,CEM
    $ runoff sequential design.toml classic_control --algorithms ARS,CEM --normalize classic_control

    Looks planned before the first run need fewer runs. Without a design the paths are batches, runoff sequential BATCH1.csv BATCH2.csv, and the
    answer holds however often you look.
    """
    from runoff.methods import sequential as ask

    design = runs.design
    if design is None:
        o.refuse("{} belongs to planned looks: name DESIGN.toml before the runs", state=state, out=out, force=force)
        show_anytime(runs, plan, json=json)
        return
    if plan.new:
        planned = plan.design(runs)
        ask.write_design(planned, design)
        show_design(planned, design)
        return
    o.refuse("{} belongs to the design, which is not changed; write it with --new", **o.options_of(plan))
    # The state changes when the block ends: a folder that cannot be written leaves the look unjudged, to be asked
    # again.
    with ask.judged_look(runs.new(), design=design, state=state) as result:
        if out is not None:
            write_sequential(result, out, force=force)
    if json:
        show_result(result)
    else:
        show_sequential(result, state, out)


def show_anytime(runs: NewRuns, plan: Plan, *, json: bool) -> None:
    """Judge batches by a rule that is valid at any time, and print the answer."""
    from runoff.methods.anytime import anytime

    options = plan.at_any_time()
    result = anytime(runs.batches(), **options)
    if json:
        show_result(result)
        return
    console = open_console()
    say(console, result.sentence)
    show_tables(console, result.tables())
    for pair in result.pairs:
        if pair.empty:
            say(console, pair.sentence)
    for note in result.notes:
        say(console, f"Note: {in_shell(note)}")
    show_advice(console, result.advice)


def write_sequential(result: SequentialResult, out: Path, *, force: bool = False) -> None:
    """Write `sequential.json`, `trajectory.csv`, and the figure of the statistics and their bounds as SVG, PDF and PNG."""
    from runoff import plots
    from runoff.answer.base import plain

    path, words = {"trajectory": list(map(plain, result.trajectory))}, [result.sentence, plots.caption(result)]
    leave(
        out,
        "sequential",
        plain(result),
        path,
        words,
        figures=lambda: {"trajectory": plots.sequential(result)},
        force=force,
    )


def show_sequential(result: SequentialResult, state: Path | None, out: Path | None) -> None:
    console = open_console()
    say(console, result.sentence)
    show_tables(console, result.tables())
    console.print()
    for pair in result.pairs:
        if pair.decision in ("go_on", "inconclusive"):
            say(console, pair.sentence)
    budget = "" if result.budget is None else f" of a budget of {digits(result.budget, 6)}"
    # Before the first look nobody has to know the tasks, and so what they cost.
    more = f"; the next look costs {digits(result.next_cost, 6)}" if result.next_cost else ""
    say(console, f"Cost so far: {digits(result.cost, 6)}{budget}{more}.")
    for note in result.notes:
        say(console, f"Note: {in_shell(note)}")
    # The next call would begin at the first look again.
    if state is None and result.look and result.next_look is not None:
        say(console, "Note: nothing was kept; name a file by --state to go on from here.")
    for what, where in (("State", state), ("Figure and table", out)):
        if where is not None:
            say(console, f"{what}: {where}")


def show_design(design: SequentialDesign, path: Path) -> None:
    """Print the place of a new design, and its properties."""
    console = open_console()
    first = design.looks if design.n_looks <= LISTED else (*design.looks[:3], "…", design.looks[-1])
    looks = ", ".join(map(str, first))
    say(console, f"Design: {path}, looks after {looks} runs per task; digest {design.sha256[:16]}.")
    for note in design.notes:
        say(console, f"Note: {in_shell(note)}")
