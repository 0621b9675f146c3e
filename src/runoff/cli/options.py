"""Options that verbs share. None means the library's default; the command line has no defaults of its own.

`SourceOptions` reads runs; of its parts, `ReadingOptions` says how, and `Choice` selects and renames them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar, get_args

import typer

from runoff.archive.shipped import shipped
from runoff.cli.arguments import Asks, is_given, option_of
from runoff.cli.record import remembered, this_call
from runoff.cli.values import assignments, names_in, parts_of, protocol_of, renamed, roles, weights_of
from runoff.cli.without_files import counts_of
from runoff.errors import DataError, OptionError
from runoff.words import names
from runoff.words.speech import call, neutral

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

Data = TypeVar("Data", "Scores", "Curves", "Scores | Curves")


ABOUT = """
path PATH...: Files, folders or globs of run scores, - for standard input, a shipped set, such as atari_100k (runoff archive lists them), or
    counts of episodes, ours=17/20 base=12/20.
--format NAME: File format: {values} (default {default}).
--columns ROLE=NAME: Column that holds the algorithm, task, run, score or step, as score=return; run=row makes each row a run,
    task=domain/task joins two columns, task=sheet makes each sheet a task, unused=NAME leaves one out, rows=split=test reads
    some rows; repeatable. --score return does too.
--pattern PATTERN|FILE.toml: Template for names in file paths, e.g. '{algorithm}/{task}_s{run}'; * matches anything. A TOML file also works
    for training logs.
--keys LEVELS: Levels of the keys of JSON or of the headers of a wide table, outermost first (task/algorithm), or with one key to take
    (100k/task).
--dims DIMS: Axes of arrays in the order of their shape, such as run,step; for a list of scores, run or step.
--decimal: Decimal separator: {values}; the other character is read as the thousands separator (default {default}: the point, unless that is
    unclear).
--sheet NAME: Sheet of a workbook that has several.
--table NAME: Table of a database, or of a text, that has several: its name, the title above it, or its number.
--duplicates: Row to keep if a run has several at one step: {values} (default {default}: the last if a run was resumed).
--lower-is-better: Treat the scores as costs, and negate them.
--normalize NAME|FILE: Reference scores that map to 0 and 1: atari, procgen_hard, dm_control, d4rl, mujoco, metaworld, babyai, percent, …
--unreferenced: Treatment of tasks without reference scores: {Unreferenced}; tasks left out are counted and named (default error).
--measure: Measure by which algorithms are ranked and compared: auto (chosen by the design), mean, iqm, iqm_whole, median, optimality_gap,
    trimmed_mean_P or improvement.
--single-value: Treatment of an algorithm with one published score per task: draw it as a reference line (line), or test against it (tested);
    default {default}.
--runs: Scope of a run: {values}; each task has its own runs, or each run was scored on all tasks (default {default}).
--unit: Meaning of a row: {values}; a training run, or an episode of one policy (default {default}).
--score-unit: Unit of the scores: {values}; each task has its own, or all share one, so that means and IQMs are compared without --normalize
    (default {default}).
--assume-raw: Normalise even scores that look normalised already.
--control ALGORITHM: Algorithm to compare all others with (default: compare all pairs).
--alpha: False positive rate over all pairs (default {default}).
--seed: Seed of all random draws (default {default}).
--n-resamples: Number of resamples and permutations (default {default}).
--rename OLD=NEW: New name of an algorithm or a task (algorithm:OLD=NEW or task:OLD=NEW if both have the name); repeatable.
--merge: Pool the runs of two names that --rename makes equal.
--variants: Treat each configuration of a sweep as an algorithm, instead of comparing at equal tuning.
--algorithms A,B: Algorithms to keep (default all); repeatable.
--tasks T,U: Tasks to keep (default all); repeatable.
--exclude A,T: Algorithms and tasks to leave out (default none), task:T where an algorithm has the name too; repeatable.
--last K: Number of evaluations at the end of training, or share of training (10%), whose mean is the score of a run (default 1, or 10% if
    values are returns of training episodes).
--at STEP: Training step at which the learning curve gives the score of a run.
--incomplete: Treatment of single runs that ended early: error, drop, carry (keep the last score), worst, or auto (carry, but error before
    half of the steps); default auto.
--json: Print the answer as JSON (data, notes, warnings and records), and nothing else.
--to FORMAT: Print the tables of the answer, and nothing else: {AnswerFormat} (CSV has its rows, unrounded).
--against SET[@STEP][:A,B]: Published runs to compare with: a set of runoff archive, at a step, or with some of its algorithms only; repeatable.
--protocol KEY=VALUE: Setting of your training protocol, such as action_repeat=2, or a TOML file of settings; runoff archive SET lists the
    keys; repeatable.
--assume-same-protocol: Assume that any setting you did not give matches the published set; results are then labelled as such.
-o --out OUT: Folder of the report, where an earlier one is replaced and other files are kept; or FILE.html for the page alone.
--force: Overwrite files at --out that runoff did not write, or that were changed since.
"""
"""Descriptions of the options that verbs share; a verb has its own text for its other options, which takes precedence.

`{default}` and `{values}` are those of the argument of a function of `FUNCTIONS`, or of the one that a verb asks.
"""
FUNCTIONS = ("reading.read.read_scores", "methods.compare.compare")
"""The functions whose arguments these options are."""


@cache
def table(text: str) -> dict[str, Any]:
    """Return the descriptions of options and arguments in a text, by name.

    A line is `-o --out OUT: What it is.` or `path PATH: What it is.`, and goes on in indented lines; `{RunsName}` are its values.
    """
    options = {}
    # The values of an option are those of its type, so that help cannot name one that is refused, or lack one that is
    # taken.
    text = re.sub(r"\{([A-Z]\w+)\}", lambda kind: ", ".join(get_args(getattr(names, kind[1]))), text)
    for line in re.sub(r"\n +", " ", text).strip().splitlines():
        head, words = line.split(": ", 1)
        flags = [part for part in head.split() if part.startswith("-")]
        name = " ".join(flags) or head.split()[0]
        metavar = head.removeprefix(name).strip() or None
        if flags:
            name = flags[-1].removeprefix("--").replace("-", "_")
            # `--as` is a keyword of Python; its parameter is `as_`.
            name += "_" * iskeyword(name)
            options[name] = typer.Option(*flags, metavar=metavar, help=words)
        else:
            options[name] = typer.Argument(metavar=metavar, help=words, show_default=False)
    return options


OUT = Path("runoff-report")
WRITTEN = frozenset({"latex", "tex", "md", "html", "pdf"})
"""Formats of answers that users request by the option for the format of input files."""
ALSO_PRINTED = MappingProxyType({"json": "--json", "markdown": "--to markdown"})
"""File formats in which an answer can be printed, each with the option for it."""
PRINTED = MappingProxyType({"md": "markdown"})
"""The formats among these for which `--to` has another value than latex."""


def given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def options_of(group: Any, kind: Any = None) -> dict[str, Any]:
    """Return the options of a group by name, and the given ones of a function among them; if the group has more, only those that `kind` has."""
    options: dict[str, Any] = {}
    for field in fields(kind or group):
        value = getattr(group, field.name)
        options |= value if isinstance(field.default, Asks) else {field.name: value}
    return options


def refuse(why: str, **options: Any) -> None:
    """Refuse options that do not apply here; in `why`, {} stands for the option."""
    for name, value in options.items():
        if is_given(value):
            raise typer.BadParameter(why.format(f"--{option_of(name).replace('_', '-')}"))


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The selection of the runs that were read, and the definition of their end scores."""

    rename: list[str] | None = None
    merge: bool = False
    variants: bool = False
    algorithms: list[str] | None = None
    tasks: list[str] | None = None
    exclude: list[str] | None = None
    last: str | None = None
    at: float | None = None
    incomplete: str | None = None

    def scores(self, runs: Scores | Curves) -> Scores:
        """Return the end scores of the chosen runs: renamed first, then chosen, then reduced."""
        from runoff.reading.read import end_scores

        return end_scores(self.chosen(runs), last=self.last, at=self.at, incomplete=self.incomplete)  # type: ignore[arg-type]

    def chosen(self, runs: Scores | Curves) -> Scores | Curves:
        """Return the chosen runs, renamed first; on request, with their configurations as algorithms."""
        runs = renamed(runs, self.rename, merge=self.merge)
        # Chosen by their new names: those that the answer will have.
        algorithms = names_in(self.algorithms, runs.algorithms)
        tasks = names_in(self.tasks, runs.tasks)
        exclude = names_in(self.exclude, (*runs.algorithms, *runs.tasks))
        if algorithms is not None or tasks is not None or exclude is not None:
            runs = runs.select(algorithms=algorithms, tasks=tasks, exclude=exclude)
        return runs.variants() if self.variants else runs


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(Choice):
    """The options for reading and normalising runs."""

    normalize: str | None = None
    format: str | None = None
    columns: list[str] | None = None
    pattern: str | None = None
    keys: str | None = None
    dims: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    table: str | None = None
    duplicates: str | None = None
    lower_is_better: bool = False
    assume_raw: bool = False
    unreferenced: str | None = None

    def of_files(self) -> dict[str, Any]:
        """Return the given options that say how files are read."""
        names = ("format", "columns", "pattern", "keys", "dims", "decimal", "sheet", "table", "duplicates")
        return given(**{name: getattr(self, name) for name in names} | {"columns": roles(self.columns)})


@dataclass(frozen=True, kw_only=True)
class SourceOptions(ReadingOptions):
    """The source of the scores, and their treatment before any question is asked."""

    path: list[str]
    runs: str | None = None
    unit: str | None = None
    score_unit: str | None = None

    def read(self) -> Scores:
        return remembered(self._beside(self._normalized(self.scores(self._runs()))))

    def chosen_runs(self) -> Scores | Curves:
        """Return the chosen runs as they are read, of a shipped set with its curves; end scores where an option says which count."""
        runs = self._runs(curves=None)
        return self._normalized(self.chosen(runs) if self.last is None and self.at is None else self.scores(runs))

    def both(self) -> tuple[Scores, Curves | None]:
        """Return the scores and, if they are end scores of learning curves, the curves."""
        from runoff.data.curves import Curves

        runs = self._runs()
        chosen = self.chosen(runs)
        # Published runs are added last: they come in the unit that one's own have by then.
        scores = self._beside(self._normalized(self.scores(runs)))
        return scores, self._normalized(chosen) if isinstance(chosen, Curves) else None

    def curves(self) -> Curves:
        """Return the learning curves; refuse options that define the end score of a run, and data without curves."""
        from runoff.data.curves import Curves

        for name, value in (("last", self.last), ("at", self.at)):
            if value is not None:
                raise OptionError(
                    f"--{name} sets the end score of a run, which learning curves do not need; leave it out."
                )
        runs = self.chosen(self._runs(curves=True))
        if not isinstance(runs, Curves):
            where = runs.provenance.path or "the data"
            raise OptionError(
                f"{where} has one score per run, not learning curves: name the column of steps (--columns step=NAME), or compare end scores "
                f"({call('compare')})."
            )
        return remembered(self._beside(self._normalized(runs)))

    def naming(self, **columns: str | None) -> Self:
        """Return these options with the columns that other options name, so that these are not reported as unused."""
        return replace(self, columns=[*(self.columns or []), *(f"--{n}={c}" for n, c in columns.items() if c)] or None)

    def leaving_out(self, strata: Mapping[str, str] | None) -> Self:
        """Return these options with each stratum in --exclude replaced by its tasks."""
        of, names = strata or {}, {*(strata or {}).values()} - {*(strata or {})}
        wanted = names_in(self.exclude, [*of, *names]) or []
        tasks = [task for task, stratum in of.items() if stratum in names.intersection(wanted)]
        return replace(self, exclude=[*(name for name in wanted if name not in names), *tasks]) if tasks else self

    def in_strata(self, settings: dict[str, Any]) -> tuple[Self, dict[str, Any]]:
        """Return these options for reading data whose tasks have clusters or strata, and the settings with these and their weights."""
        columns = {name: settings.get(name) for name in ("cluster", "strata")}
        source = self.naming(**columns)
        values = source.of_tasks(**columns) | given(weights=weights_of(settings.get("weights")))
        return source.leaving_out(values.get("strata")), settings | values

    def of_tasks(self, **columns: str | None) -> dict[str, dict[str, str]]:
        """Return the values for each task in columns of tables, or in fields of samples in logs, by the option that names the column."""
        return {name: self._of_tasks(name, column) for name, column in columns.items() if column is not None}

    def _of_tasks(self, called: str, column: str) -> dict[str, str]:
        from runoff.reading.beside import by_task

        if "-" in self.path:
            raise OptionError(
                f"--{called} reads the table a second time, so the table cannot be standard input; name a file."
            )
        how = self.of_files() | given(unit=self.unit)
        values = by_task(self.path[0] if len(self.path) == 1 else self.path, column, called, **how)
        for text in assignments(self.rename or ()):
            old, new = (part.strip() for part in text.strip().removeprefix("task:").split("=", 1))
            # Renamings of algorithms are in the same list, and find no task.
            if old in values:
                values[new] = values.pop(old)
        return values

    def _runs(self, *, curves: bool | None = False, **more: Any) -> Scores | Curves:
        from runoff.cli.progress import reading
        from runoff.reading.read import read_runs

        if self.format in WRITTEN:
            printed = f"--to {PRINTED.get(self.format, 'latex')} says what is printed, and report writes figures, tables and a page."
            raise OptionError(f"--format is the format of the input files, not {self.format!r}: {printed}")
        how = self.of_files() | given(runs=self.runs, unit=self.unit, score_unit=self.score_unit)
        # A single path is handed on as one, for - is standard input only by itself.
        paths = self.path[0] if len(self.path) == 1 else self.path
        if (counted := counts_of(self.path)) is not None:
            why = "{} says how a file is read, and these are counts of successes; leave it out"
            refuse(why, **how, **more, incomplete=self.incomplete, lower_is_better=self.lower_is_better)
            return counted
        self._refuse_published()
        if isinstance(paths, str):
            runs = shipped(paths, curves=curves if self.last is None and self.at is None else True)
            if runs is not None:
                why = f"{{}} says how a file is read, and {paths} is a set that comes with runoff; leave it out"
                refuse(why, **how, **more, lower_is_better=self.lower_is_better)
                return runs
        how |= given(incomplete=self.incomplete) | more
        only = {"algorithm": parts_of(self.algorithms), "task": parts_of(self.tasks)}
        if not self.rename:  # which name is chosen is known once all are renamed
            how |= given(only={role: names for role, names in only.items() if names} or None)
        try:
            with reading():
                return read_runs(paths, **how, lower_is_better=self.lower_is_better)
        except DataError as refusal:
            printed_by = ALSO_PRINTED.get(self.format or "")
            if printed_by is None:
                raise
            printed = f"--format is the format of the input files; {printed_by} prints the answer in that format."
            raise DataError(f"{neutral(refusal.args[0])} {printed}") from None

    def _refuse_published(self) -> None:
        """Refuse a shipped set among several paths, because published runs are not your own runs."""
        named = [path for path in self.path[1:] and self.path if shipped(path, curves=False) is not None]
        if named:
            raise OptionError(
                f"{named[0]} is a set of published runs; compare your own with it by --against {named[0]}."
            )

    def _beside(self, runs: Data) -> Data:
        return runs

    def _normalized(self, runs: Data) -> Data:
        if self.normalize is None:
            if self.unreferenced is not None:
                raise typer.BadParameter(
                    "--unreferenced says what to do with tasks that --normalize does not know; name a reference"
                )
            return runs
        unreferenced: Any = self.unreferenced or "error"
        return runs.normalize(self.normalize, assume_raw=self.assume_raw, unreferenced=unreferenced)


@dataclass(frozen=True, kw_only=True)
class Beside(SourceOptions):
    """The options for published runs to compare with."""

    against: list[str] | None = None
    protocol: list[str] | None = None
    assume_same_protocol: bool = False

    def _beside(self, runs: Data) -> Data:
        if not self.against:
            refuse(
                "{} is about published runs: name a set by --against",
                protocol=self.protocol,
                assume_same_protocol=self.assume_same_protocol,
            )
            return runs
        return runs.beside(
            self.against,
            protocol=protocol_of(self.protocol),
            assume_same_protocol=self.assume_same_protocol,
            assume_raw=self.assume_raw,
        )


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """The options for the error rate and for random draws."""

    alpha: float | None = None
    seed: int | None = None
    n_resamples: int | None = None


def command_line(verb: str, *groups: SourceOptions | Statistics, **more: str | float | None) -> str:
    """Return the command that gives this answer again, with the defaults of a file that applied, which a comment names.

    Where the answer is written to is left out.
    """
    words = ["runoff", verb]
    options = {name: value for group in groups for name, value in options_of(group).items()} | more
    if "path" in options:
        words += options.pop("path")
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, list):
            words += [word for text in value for word in (flag, text)]
        elif value is not None and value is not False:
            words += [flag, str(value)]
    call = this_call()
    line = shlex.join([*words, *call.overruled])
    return f"{line}  # {call.defaults}" if call.defaults else line
