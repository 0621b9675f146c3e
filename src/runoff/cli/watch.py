"""runoff watch: may we stop yet? The question is asked repeatedly about a growing folder, by a rule that allows this."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from runoff.base.interrupts import WRITTEN_FILES
from runoff.base.locks import locked
from runoff.base.signed import digest_of, read_signed, strict_json
from runoff.base.writing import write_whole
from runoff.cli import options as o
from runoff.cli.launch import LaunchOptions
from runoff.cli.terminal import open_console, say
from runoff.cli.verb import verb
from runoff.errors import DataError, OptionError
from runoff.words.speech import in_shell, option

if TYPE_CHECKING:
    from runoff.answer.sequential import AnytimeResult
    from runoff.data.scores import Scores

ABOUT = """
path RUNS: Folder or file of runs that grows.
--design DESIGN.toml: Design of planned looks (runoff sequential --new); without it a rule that holds at any time.
--state STATE.json: File of the runs that were judged, and when; a later call continues from it.
--every SECONDS: Time between two looks into the folder (default 60).
--once: Look once, and end.
--margin D: Difference of mean scores below which two algorithms count as equivalent, without --design.
"""
SCHEMA = "runoff.watch/1"
FIELDS = ("algorithm", "task", "run", "score")
Row = tuple[str, str, str, float]


@dataclass(frozen=True, kw_only=True)
class Growing(o.SourceOptions):
    """The runs in a growing folder, without those that have not ended yet."""

    def read_ended(self) -> Scores:
        """Return the runs that have ended; for learning curves, those that have reached --at."""
        from runoff.data.curves import Curves

        source = replace(self, incomplete=self.incomplete or "drop") if self.at is not None else self
        if self.at is None and isinstance(self.chosen(self._runs()), Curves):
            raise OptionError("say at which step a curve has ended (--at STEP): a run that still trains has no end.")
        for path in map(Path, self.path):
            if cut_off(path):
                raise UnfinishedFile(
                    f"{path}: its last line is incomplete, as if it were still being written; the file is left for the next look."
                )
        return source.read()


class ChangedRun(DataError):
    """Raised if a run that was judged has changed."""


class UnfinishedFile(DataError):
    """Raised for a file that is being written."""


def cut_off(path: Path) -> bool:
    """Return whether the last line of a file is incomplete."""
    if path.suffix not in (".csv", ".tsv", ".txt", ".jsonl", ".ndjson") or not path.is_file():
        return False
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 1, 0))
        return size > 0 and file.read(1) != b"\n"


@dataclass
class WatchedBatches:
    """The runs that were judged, batch by batch."""

    batches: list[list[Row]] = field(default_factory=list)

    def new(
        self, scores: Scores, n_runs: int | None = None, *, of: Sequence[str] | None = None
    ) -> tuple[list[Row], int]:
        """Return the rows that are judged next, and how many new ones the smallest cell has: as many of each algorithm on each task, the first
        by name, so that no score decides which; none where a cell has none, or fewer than `n_runs`. of: the algorithms that still run.

        Raises
        ------
        DataError
            A run that was judged has another score now, or is gone.
        """
        rows = rows_of(scores)
        first = dict.fromkeys(task for _, task, _, _ in self.batches[0]) if self.batches else scores.tasks
        if late := [task for task in scores.tasks if task not in first]:
            message = f"task {late[0]!r} came after the first look, and every look takes all tasks; judge those of the first: "
            raise DataError(f"{message}{option('tasks', ','.join(first))}.")
        judged = {row[:3]: row[3] for batch in self.batches for row in batch}
        for (algorithm, task, run), score in judged.items():
            if (now := rows.get((algorithm, task, run))) != score:
                change = "is gone" if now is None else f"is {now:g} now, and was {score:g}"
                message = f"run {run!r} of {algorithm!r} on {task!r} was judged, and {change}; begin anew with another --state."
                raise ChangedRun(message)
        running = scores.algorithms if of is None else of
        cells: dict[tuple[str, str], list[Row]] = {(a, t): [] for a in running for t in scores.tasks}
        for (algorithm, task, run), score in rows.items():
            if algorithm in running and (algorithm, task, run) not in judged:
                cells[algorithm, task].append((algorithm, task, run, score))
        fewest = min(map(len, cells.values()))
        size = fewest if n_runs is None else n_runs
        return [row for cell in cells.values() for row in cell[:size]] if 0 < size <= fewest else [], fewest


def scores_of(rows: Sequence[Row], like: Scores) -> Scores:
    """Return rows as scores with the sampling of others: runs or episodes, per task or shared."""
    from runoff.data.scores import Scores

    columns = dict(zip(FIELDS, map(list, zip(*rows, strict=True)), strict=True))
    drawn: Any = {name: getattr(like.sampling, name) for name in ("runs", "unit", "score_unit")}
    return Scores.from_frame(columns, algorithm="algorithm", task="task", run="run", score="score", **drawn)


def rows_of(scores: Scores) -> dict[tuple[str, str, str], float]:
    """Return the score of each run, by algorithm, task and name."""
    return {
        (name, task, label): float(value)
        for a, name in enumerate(scores.algorithms)
        for t, task in enumerate(scores.tasks)
        for label, value in zip(*scores.labelled(a, t), strict=True)
    }


@verb
def watch(
    *,
    runs: Growing,
    design: Path | None = None,
    state: Path | None = None,
    every: float = 60.0,
    once: bool = False,
    margin: float | None = None,
    alpha: float | None = None,
    seed: int | None = None,
    launch: LaunchOptions,
    json: bool = False,
) -> None:
    """Say when a growing folder of runs is enough.

    $ runoff watch classic_control --algorithms ARS,CEM --tasks Pendulum-v1 --at 12000 --once
    $ runoff watch runs.csv --state watch.json --template 'train.py {algorithm} {task} --seed {run}'

    It prints a line whenever the answer changes (with --json a record), and ends when every pair is decided. The rule holds however often you
    look: planned looks with --design, else evidence at any time, whose batches are the runs that are new for every algorithm and task.
    """
    if not every > 0:
        raise typer.BadParameter("--every is a number of seconds above 0")
    launch.check()
    console, last = open_console(), ""
    rule = _rule(design, state, margin=margin, alpha=alpha, seed=seed)
    scores, looked = None, False
    while True:
        try:
            scores = runs.read_ended()
            sentence, ended, looked = *rule.look(scores), True
        except DataError as refusal:
            # A file that is being written may be whole at the next look; what was never read, or was judged and changed, will not be.
            if once or isinstance(refusal, ChangedRun) or not (looked or isinstance(refusal, UnfinishedFile)):
                raise
            sentence, ended = in_shell(refusal.args[0]), False
        if sentence != last:
            last, now = sentence, datetime.now()
            commands = [] if scores is None or ended else launch.lines(scores, _wanted(scores, rule))
            if json:
                record = {
                    "time": now.isoformat(timespec="seconds"),
                    "sentence": sentence,
                    "ended": ended,
                    "next": commands,
                }
                sys.stdout.write(strict_json(record, indent=None))
                sys.stdout.flush()
            else:
                say(console, f"{now:%Y-%m-%d %H:%M}  {sentence}")
                # As they are, for a shell or a file.
                for command in commands:
                    typer.echo(command)
        if once or ended:
            return
        # A watch that has written its state goes on: a signal ends it now, as before.
        WRITTEN_FILES.concluding = False
        time.sleep(every)


def _wanted(scores: Scores, rule: _Planned | _Anytime) -> dict[tuple[str, str | None], int]:
    """Return the number of runs that the next look lacks, for each algorithm that still runs and each task (None for shared runs)."""
    tasks: Sequence[str | None] = (None,) if scores.sampling.shared else scores.tasks
    judged = {row[:3] for batch in rule.judged.batches for row in batch}
    # Runs that have ended and wait for the next look are not started again.
    waiting = Counter(
        (algorithm, task) for algorithm, task, run in rows_of(scores) if (algorithm, task, run) not in judged
    )
    return {
        (algorithm, task): max(0, rule.wanted - waiting[algorithm, task or scores.tasks[0]])
        for algorithm in rule.running or scores.algorithms
        for task in tasks
    }


def _rule(design: Path | None, state: Path | None, **options: Any) -> _Planned | _Anytime:
    if design is None:
        return _Anytime(state, **options)
    o.refuse("{} belongs to the design", **options)
    if state is None:
        raise typer.BadParameter("--design needs --state, which keeps what was judged at each look")
    return _Planned(design, state)


class _Anytime:
    """The rule that is valid at any time: the new runs of a look are a batch."""

    wanted = 1

    def __init__(self, state: Path | None, margin: float | None, alpha: float | None, seed: int | None) -> None:
        self.state, self.options = state, {"margin": margin, "alpha": alpha, "rng": seed}
        self.judged = WatchedBatches()
        self.running: tuple[str, ...] = ()

    def look(self, scores: Scores) -> tuple[str, bool]:
        # Of two calls on one state each judges what the other has kept.
        with nullcontext() if self.state is None else locked(self.state, "state"):
            return self._look(scores)

    def _look(self, scores: Scores) -> tuple[str, bool]:
        self._read()
        if self.judged.batches and not self.running:
            self._judge(scores)
        new, _ = self.judged.new(scores, of=self.running or None)
        self.judged.batches += [new] if new else []
        if not self.judged.batches:
            return "Nothing is judged yet: it takes a run of each algorithm on each task.", False
        result = self._judge(scores)
        if new and self.state is not None:
            content = {"schema": SCHEMA, "options": self.options, "batches": self.judged.batches}
            whole = loads(strict_json(content))
            write_whole(self.state, strict_json(whole | {"sha256": digest_of(whole)}), "state")
        return result.sentence, not self.running

    def _judge(self, scores: Scores) -> AnytimeResult:
        """Judge the batches so far, and find the algorithms that undecided pairs still need."""
        from runoff.methods.anytime import anytime

        result = anytime([scores_of(batch, scores) for batch in self.judged.batches], **o.given(**self.options))
        still = {name for pair in result.pairs if pair.decision == "go_on" for name in (pair.a, pair.b)}
        self.running = tuple(name for name in scores.algorithms if name in still)
        return result

    def _read(self) -> None:
        """Read the batches so far, and refuse options that differ from theirs, because options are fixed before the first batch."""
        if self.state is None or not self.state.exists():
            return
        kept = read_signed(self.state, SCHEMA, "state of runoff watch")
        for name, value in self.options.items():
            if kept["options"].get(name) != value:
                spelled = "seed" if name == "rng" else name
                raise OptionError(
                    f"--{spelled} was {kept['options'].get(name)} at the first look of {self.state}, and is {value} now: it is chosen before "
                    "the first run; say the same, or name another state."
                )
        self.judged = WatchedBatches([[(a, t, run, score) for a, t, run, score in batch] for batch in kept["batches"]])


class _Planned:
    """The rule of planned looks: a look is made as soon as all its runs exist."""

    def __init__(self, design: Path, state: Path) -> None:
        self.design, self.state, self.wanted = design, state, 1
        self.judged = WatchedBatches()
        self.running: tuple[str, ...] = ()

    def look(self, scores: Scores) -> tuple[str, bool]:
        from runoff._inference.sequential import read_state
        from runoff.methods import sequential as ask

        plan = ask.read_design(self.design)
        now = read_state(self.state, plan)
        k, self.running = len(now.looks), now.needed
        if k and not now.needed:
            return ask.sequential(design=plan, state=self.state).sentence, True
        self.wanted = plan.looks[k] - (plan.looks[k - 1] if k else 0)
        self.judged = WatchedBatches(
            [[(run.algorithm, run.task, run.run, run.score) for run in look.runs] for look in now.looks]
        )
        new, there = self.judged.new(scores, self.wanted, of=now.needed or None)
        if not new:
            words = f"Look {k + 1} of {plan.n_looks} takes {self.wanted} new runs of each algorithm on each task; {there} of them have ended."
            return words, False
        # A call beside this one may have judged them meanwhile: the state refuses runs that it has.
        result = ask.sequential(scores_of(new, scores), design=plan, state=self.state)
        self.judged.batches.append(new)
        self.wanted, self.running = result.next_runs, result.next_algorithms
        return result.sentence, result.next_look is None
