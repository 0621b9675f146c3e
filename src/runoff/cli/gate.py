"""runoff gate: may this change be merged?"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.base.asked import append, refuse_appending
from runoff.cli import options as o
from runoff.cli.arguments import GivenOptions, asks
from runoff.cli.record import remembered, show_result, this_call
from runoff.cli.summary import gate_markdown
from runoff.cli.terminal import open_console, say, show_advice, show_tables
from runoff.cli.values import number_in, weights_of
from runoff.cli.verb import verb
from runoff.errors import DataError
from runoff.words.names import BLOCKING, FAILING, GateVerdict
from runoff.words.numbers import counted

if TYPE_CHECKING:
    from runoff._inference.gate import Margin
    from runoff.answer.gate import GateResult
    from runoff.data.scores import Scores

JUDGES_NONE = "{} judges a candidate, and --save judges none"

QUIET = frozenset({"held", "improved", "passed"})
"""Verdicts that need no sentence beside the table."""
SUMMARY = "summary"
"""The word for the file to which Markdown is appended, and which may contain more."""

ABOUT = """
path BASELINE CANDIDATE: Runs or training logs of the baseline and of the candidate; the baseline may be a file that --save wrote.
--margin M: Smallest drop of the mean that matters: 0.1, 1sd or 10% (of the baseline), or TASK=M for each task (default: the one saved with the
    baseline).
--policy FILE.toml: Rule of each benchmark, must not lose (with a margin) or must win, instead of --margin: all must be shown to hold.
--over: Sample that claims generalise from: {values} (default {default}: tasks where each is an item attempted once, or where clusters
    are named).
--cluster COLUMN: Column that names which items were drawn together (for --over tasks).
--strata COLUMN: Column that names the benchmark of each item, or task: each has a verdict of its own.
--weights WEIGHTS: Weights of the benchmarks in their mean, without a policy: {default} (default), tasks, or STRATUM=WEIGHT,….
--algorithm A: Algorithm to judge, if the runs hold several.
--candidate-algorithm B: Name of the algorithm in the candidate's runs, if it differs.
--measure: Measure to judge by: mean.
--alpha: False positive rate over all tasks (default: the one saved with the baseline, or 0.05).
--nights N: Number of nights that share the baseline and one false positive rate (default {default}).
--confirm RERUN: Fresh runs of the tasks that have regressed; a regression counts only if they regress again.
--power: Power to detect a drop of the margin below which a task is reported as underpowered (default {default}).
--n-resamples: Number of random permutations (default {default}).
--fail-on CALL: Verdict that also exits with 1: suspect or underpowered; repeatable.
--save FILE.json: File to which the runs are saved as a baseline, instead of judging a candidate.
--markdown FILE: File (a step summary) to which the verdicts are added as Markdown; - prints them.
"""
FUNCTIONS = ("methods.gate.gate",)


@dataclass(frozen=True, kw_only=True)
class GateRuns(o.SourceOptions):
    """The baseline and the candidate, or the runs that become a baseline."""

    path: list[str] | None = None  # type: ignore[assignment]
    algorithm: str | None = None
    candidate_algorithm: str | None = None
    nights: int | None = None
    confirm: str | None = None
    cluster: str | None = None
    strata: str | None = None
    save: Path | None = None

    def saved(self, out: Path, margin: Margin | None, alpha: float | None, *, force: bool) -> Scores:
        """Save the baseline, and return its scores."""
        from runoff.methods.gate import save_baseline

        own = ("candidate_algorithm", "nights", "confirm", "cluster", "strata")
        o.refuse(JUDGES_NONE, **{name: getattr(self, name) for name in own})
        if not self.path:
            raise typer.BadParameter(f"--save needs the runs to save: runoff gate RUNS --save {shlex.quote(str(out))}")
        scores = self._source(self.path).read()
        options: dict[str, Any] = o.given(algorithm=self.algorithm, margin=margin, alpha=alpha)
        save_baseline(scores, out, force=force, **options)
        return scores.select(algorithms=[self.algorithm]) if self.algorithm else scores

    def judged(self, margin: Margin | None, **more: Any) -> GateResult:
        from runoff.data.baseline import read_baseline
        from runoff.methods.gate import gate

        if self.path is None or len(self.path) != 2:
            raise typer.BadParameter(
                f"a gate takes two sets of runs, BASELINE and CANDIDATE, not {len(self.path or [])} (several files of one: a glob in quotes)"
            )
        if self.confirm == "--":
            raise typer.BadParameter("--confirm needs the fresh runs: a file, a folder or a glob")
        if self.path[0].endswith(".json") and not Path(self.path[0]).exists():
            save = f"runoff gate RUNS --save {shlex.quote(self.path[0])}"
            raise DataError(f"{self.path[0]}: there is no such baseline; save it first: {save}.")
        # A saved baseline is handed on as its path, for it keeps the margin and the level that were named before the
        # candidate was seen.
        of_baseline, saved = read_baseline(self.path[0]), read_baseline(self.path[1])
        # The columns are those of a file of runs, for a saved baseline has none.
        columns = {"cluster": self.cluster, "strata": self.strata}
        first = self._source(self.path[1:] if of_baseline else self.path[:1]).naming(**columns)
        of_tasks = first.of_tasks(**columns)
        old, new = (self._source([path]).naming(**columns).leaving_out(of_tasks.get("strata")) for path in self.path)
        before = self.path[0] if of_baseline else old.read()
        # A candidate that was saved is judged as one: the next baseline may be the last candidate.
        after = saved.scores if saved else new.read()
        names = o.given(algorithm=self.algorithm, candidate_algorithm=self.candidate_algorithm)
        fresh = None if self.confirm is None else self._source([self.confirm]).read()
        remembered(after)  # the answer is about the candidate, whatever was read last
        options = o.given(margin=margin, nights=self.nights, confirm=fresh, **of_tasks, **more)
        return gate(before, self.path[1] if saved else after, **options, **names)

    def _source(self, paths: list[str]) -> o.SourceOptions:
        return o.SourceOptions(**{**o.options_of(self, o.SourceOptions), "path": paths})


@verb
def gate(
    *,
    runs: GateRuns,
    margin: list[str] | None = None,
    policy: Path | None = None,
    terms: GivenOptions = asks("methods.gate.gate", "over weights alpha measure power n_resamples seed"),
    fail_on: list[str] | None = None,
    markdown: str | None = None,
    json: bool = False,
    force: bool = False,
) -> None:
    """Test whether a change made an agent, or a model, worse.

    $ runoff gate atari_100k atari_100k --algorithm DrQ --candidate-algorithm 'DrQ(ε)' --margin 1sd
    $ runoff gate classic_control --algorithm ARS --margin 1sd --save baseline.json

    The candidate is judged against the baseline on each task and over all of them, or on items like these if each was answered once. The exit
    code is 1 if it has regressed or fails the policy.
    """
    if runs.save is not None:
        alpha = terms.pop("alpha", None)  # which a baseline keeps, as its margin
        o.refuse(JUDGES_NONE, policy=policy, **terms, fail_on=fail_on, markdown=markdown, json=json)
        scores = runs.saved(runs.save, _margin(margin), alpha, force=force)
        size = f"{counted([scores.values.size], 'score')} on {counted([scores.n_tasks], 'task')}"
        say(open_console(), f"Baseline: {runs.save}, {size}.")
        return
    o.refuse("{} belongs to --save", force=force)
    if json and markdown == "-":
        raise typer.BadParameter("--json and --markdown - both print to standard output; name a file for one of them")
    if markdown is not None and markdown != "-":
        refuse_appending(Path(markdown), SUMMARY)
    if policy is not None:
        o.refuse("{} names verdicts of a gate without a policy, whose rules hold or do not", fail_on=fail_on)
    fails = _failing(fail_on)
    terms |= o.given(policy=policy, weights=weights_of(terms.get("weights")))
    result = runs.judged(_margin(margin), **terms)
    if markdown is not None and markdown != "-":
        append(Path(markdown), gate_markdown(result, fails), SUMMARY)
    if json:
        show_result(result)
    elif markdown == "-":
        sys.stdout.write(gate_markdown(result, fails))
        this_call().defaults_shown = True
    else:
        show_gate(result)
    # The exit code comes last, after everything is printed and written: a candidate that fails needs its answer most.
    if any(record.verdict in fails for record in result):
        raise typer.Exit(1)


def _margin(texts: list[str] | None) -> Margin | None:
    """Return a number, a multiple of the standard deviation as written, or one of these for each task."""
    # The last "=": names of tasks may hold some, margins none.
    named = [text.rpartition("=") for text in texts or []]
    if len(named) == 1 and not named[0][1]:
        return number_in(named[0][2])
    if not all(task for task, _, _ in named):
        raise typer.BadParameter("give --margin once, as 0.1 or 1sd, or for each task, as Pong=2")
    if len({task for task, _, _ in named}) < len(named):
        raise typer.BadParameter("--margin names a task twice")
    return {task: number_in(value) for task, _, value in named} or None


def _failing(texts: list[str] | None) -> list[GateVerdict]:
    wanted: list[GateVerdict] = [*BLOCKING]
    for call in [part.strip() for text in texts or [] for part in text.split(",")]:
        if call not in FAILING:
            raise typer.BadParameter(f"--fail-on takes {' or '.join(FAILING)}, not {call!r}; regressed always fails")
        wanted += [name for name in FAILING if name == call]
    return wanted


def show_gate(result: GateResult) -> None:
    console = open_console()
    say(console, result.sentence)
    show_tables(console, result.tables())
    # Of one task its sentence is that of the answer, which was said.
    if len(result.rows) > 1:
        for record in result.tasks:
            if record.verdict not in QUIET and record.sentence not in result.sentence:
                say(console, record.sentence)
    for note in result.notes:
        say(console, note)
    show_advice(console, result.advice)
