"""runoff gate: may this change be merged?"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.answer.markdown import escaped, markdown_of
from runoff.base.asked import append, refuse_appending
from runoff.cli import options as o
from runoff.cli.record import defaults_named, remembered, show_result, this_call
from runoff.cli.terminal import fitted, open_console, say, show_advice, show_tables
from runoff.cli.verb import verb
from runoff.errors import DataError
from runoff.words.names import FAILING, GateCall
from runoff.words.numbers import counted
from runoff.words.speech import in_shell

if TYPE_CHECKING:
    from runoff._inference.gate import Margin
    from runoff.data.scores import Scores
    from runoff.results.gate import GateResult, GateRow

SIGNS: Mapping[GateCall, str] = {"regressed": "-", "suspect": "!", "underpowered": "#", "held": "+", "improved": "+"}
"""What makes a line of a difference red, orange, grey and green."""
HALF = 16
"""Columns of the picture to either side of no drop."""
REACHES = 2, 4, 8
"""Margins that these may be; the first that is beyond all drops, or the last."""
SUMMARY = "summary"
"""What the Markdown is added to: that of a step, which may hold more than this."""

ABOUT = """
path BASELINE CANDIDATE: Runs or training logs of the baseline and of the candidate; the baseline may be a file that --save-baseline wrote.
--margin M: Smallest drop of the mean that matters: 0.1, 1sd (of the baseline), or TASK=M for each task (default: the one saved with the
    baseline).
--algorithm A: Algorithm to judge, if the runs hold several.
--candidate-algorithm B: Name of the algorithm in the candidate's runs, if it differs.
--measure: Measure to judge by: mean.
--alpha: False positive rate over all tasks (default: the one saved with the baseline, or 0.05).
--nights N: Number of nights that share the baseline and one false positive rate (default 1).
--confirm RERUN: Fresh runs of the tasks that have regressed; a regression counts only if they regress again.
--power: Power to detect a drop of the margin below which a task is reported as underpowered (default 0.8).
--n-resamples: Number of random relabellings (default 20000).
--fail-on CALL: Verdict that also exits with 1: suspect or underpowered; repeatable.
--save-baseline RUNS: Runs to save as a baseline in --out, instead of judging a candidate; repeatable.
-o --out FILE.json: Baseline file to write, with --save-baseline.
--markdown FILE: Step summary to which the verdicts are added as Markdown; - prints them.
"""


@dataclass(frozen=True, kw_only=True)
class GateRuns(o.SourceOptions):
    """The baseline and the candidate, or the runs that become a baseline."""

    path: list[str] | None = None  # type: ignore[assignment]
    algorithm: str | None = None
    candidate_algorithm: str | None = None
    nights: int | None = None
    confirm: str | None = None
    save_baseline: list[str] | None = None

    def saved(self, out: Path | None, margin: Margin | None, alpha: float | None, *, force: bool) -> Scores:
        """Save the baseline, and return its scores."""
        from runoff.methods.gate import save_baseline

        if self.path or o.given(a=self.candidate_algorithm, n=self.nights, c=self.confirm):
            message = "--save-baseline takes the runs itself and judges no candidate; leave out the rest"
            raise typer.BadParameter(message)
        if out is None:
            raise typer.BadParameter("--save-baseline needs a file to save to: -o baseline.json")
        scores = self._source(self.save_baseline or []).read()
        options: dict[str, Any] = o.given(algorithm=self.algorithm, margin=margin, alpha=alpha)
        save_baseline(scores, out, force=force, **options)
        return scores.select(algorithms=[self.algorithm]) if self.algorithm else scores

    def judged(self, margin: Margin | None, alpha: float | None, **more: Any) -> GateResult:
        from runoff.data.baseline import read_baseline
        from runoff.methods.gate import gate

        if self.path is None or len(self.path) != 2:
            raise typer.BadParameter(
                f"a gate takes two sets of runs, BASELINE and CANDIDATE, not {len(self.path or [])} (several files of one: a glob in quotes)"
            )
        if self.confirm == "--":
            raise typer.BadParameter("--confirm needs the fresh runs: a file, a folder or a glob")
        if self.path[0].endswith(".json") and not Path(self.path[0]).exists():
            save = f"runoff gate --save-baseline RUNS -o {shlex.quote(self.path[0])}"
            raise DataError(f"{self.path[0]}: there is no such baseline; save it first: {save}.")
        # A saved baseline is handed on as its path, for it keeps the margin and the level that were named before the
        # candidate was seen.
        before = self.path[0] if read_baseline(self.path[0]) else self._source(self.path[:1]).read()
        # A candidate that was saved is judged as one: the next baseline may be the last candidate.
        saved = read_baseline(self.path[1])
        after = saved.scores if saved else self._source(self.path[1:]).read()
        names = o.given(algorithm=self.algorithm, candidate_algorithm=self.candidate_algorithm)
        fresh = None if self.confirm is None else self._source([self.confirm]).read()
        remembered(after)  # the answer is about the candidate, whatever was read last
        options = o.given(margin=margin, alpha=alpha, nights=self.nights, confirm=fresh, **more)
        return gate(before, self.path[1] if saved else after, **options, **names)

    def _source(self, paths: list[str]) -> o.SourceOptions:
        return o.SourceOptions(**{**o.options_of(self, o.SourceOptions), "path": paths})


@verb
def gate(
    *,
    runs: GateRuns,
    margin: list[str] | None = None,
    alpha: float | None = None,
    measure: str | None = None,
    power: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    fail_on: list[str] | None = None,
    markdown: str | None = None,
    json: bool = False,
    out: Path | None = None,
    force: bool = False,
) -> None:
    """Test whether a change made an agent worse.

    $ runoff gate atari_100k atari_100k --algorithm DrQ --candidate-algorithm 'DrQ(ε)' --margin 1sd
    $ runoff gate --save-baseline classic_control --algorithm ARS --margin 1sd -o baseline.json

    The candidate is judged against the baseline on each task and over all of them. The exit code is 1 if it has regressed.
    """
    if runs.save_baseline:
        why = "{} judges a candidate, and --save-baseline judges none"
        o.refuse(
            why,
            measure=measure,
            power=power,
            n_resamples=n_resamples,
            seed=seed,
            fail_on=fail_on,
            markdown=markdown,
            json=json,
        )
        scores = runs.saved(out, _margin(margin), alpha, force=force)
        size = f"{counted([scores.values.size], 'score')} on {counted([scores.n_tasks], 'task')}"
        say(open_console(), f"Baseline: {out}, {size}.")
        return
    o.refuse("{} belongs to --save-baseline RUNS", out=out, force=force)
    if json and markdown == "-":
        raise typer.BadParameter("--json and --markdown - each are what is printed; name a file for one of them")
    if markdown is not None and markdown != "-":
        refuse_appending(Path(markdown), SUMMARY)
    fails = _failing(fail_on)
    result = runs.judged(_margin(margin), alpha, measure=measure, power=power, n_resamples=n_resamples, rng=seed)
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
    """Return a number, a multiple of the standard deviation as it was written, or either by task."""
    # The last "=": names of tasks may hold some, margins none.
    named = [text.rpartition("=") for text in texts or []]
    if len(named) == 1 and not named[0][1]:
        return _number(named[0][2])
    if not all(task for task, _, _ in named):
        raise typer.BadParameter("--margin is said once, as 0.1 or 1sd, or for each task, as Pong=2")
    if len({task for task, _, _ in named}) < len(named):
        raise typer.BadParameter("--margin names a task twice")
    return {task: _number(value) for task, _, value in named} or None


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _failing(texts: list[str] | None) -> list[GateCall]:
    wanted: list[GateCall] = ["regressed"]
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
            if record.verdict not in ("held", "improved"):
                say(console, record.sentence)
    for note in result.notes:
        say(console, note)
    show_advice(console, result.advice)


def _deciding(result: GateResult, fails: Sequence[GateCall]) -> GateCall:
    """Return the worst call that fails, or that of the answer."""
    calls = {record.verdict for record in result}
    return next((call for call in ("regressed", *FAILING) if call in fails and call in calls), result.verdict)


def gate_markdown(result: GateResult, fails: Sequence[GateCall] = ()) -> str:
    """Return the outcome, a picture, the table of calls, what to mind, and which scores they are of; fails: the calls that do."""
    return "\n".join(
        [
            f"### runoff gate: {_deciding(result, fails)}",
            "",
            escaped(in_shell(result.sentence)),
            "",
            *gate_picture(result),
            "",
            *map(markdown_of, result.tables()),
            "",
            *(
                f"- {escaped(f'{advice.code} {in_shell(advice.text)} ({advice.source})')}"
                for advice in result.advice
                if advice.severity != "info"
            ),
            "",
            f"{escaped(result.candidate)} against {escaped(result.baseline)}; scores {result.candidate_sha256[:12]} against "
            f"{result.baseline_sha256[:12]}. {escaped(' '.join([*map(in_shell, result.notes), *defaults_named()]))}",
            "",
        ]
    )


def gate_picture(result: GateResult) -> list[str]:
    """Return each drop and its limit, in margins, as a difference: GitHub shows no image of a summary's own, but colours these lines."""
    from rich.cells import cell_len

    from runoff.results.gate import ALL

    labels = fitted([record.task for record in result.tasks if record.task is not None], 34)
    names = [ALL if record.task is None else labels[record.task] for record in result.rows]
    width = max(map(cell_len, names))
    largest = max(abs(record.drop / record.margin) for record in result.rows)
    reach = next((margins for margins in REACHES if margins > largest), REACHES[-1])
    scale = "".join(f"{step * reach // 2:2d}".ljust(HALF // 2) for step in range(-2, 3)).replace("-", "−").rstrip()
    rows = [
        f"{SIGNS[record.verdict]} {name}{'':{width - cell_len(name)}}  {picture_bar(record, reach)}  {record.verdict}"
        for name, record in zip(names, result.rows, strict=True)
    ]
    return ["```diff", "@@ the drop ├──┤ at most, in margins (┃) @@", f"{'':{width + 4}}{scale}", *rows, "```"]


def picture_bar(record: GateRow, reach: int) -> str:
    """Return the line of a record; what lies beyond the scale is an arrow."""
    # From the middle (a drop of 0) `HALF` columns to either side make `reach` margins; −1 and 2 · HALF + 1 lie just
    # beyond.
    low, high = (
        round(min(max((drop / record.margin / reach + 1) * HALF, -1), 2 * HALF + 1))
        for drop in (record.drop, float("inf") if record.drop_high is None else record.drop_high)
    )
    ends = {low: "├", high: "┤"} if low < high else {low: "┼"}
    marks = {HALF: "│", HALF + HALF // reach: "┃"}
    line = "".join(ends.get(i) or marks.get(i) or ("─" if low < i < high else " ") for i in range(2 * HALF + 1))
    return f"{'‹' if low < 0 else ' '}{line}{'›' if high > 2 * HALF else ' '}"
