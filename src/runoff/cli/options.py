"""Options that verbs share. None means the library's default; the command line has no defaults of its own.

`SourceOptions` reads runs; of its parts, `ReadingOptions` says how, and `Choice` selects and renames them.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar, get_args

import typer

from runoff.archive.shipped import shipped
from runoff.cli.record import remembered, this_call
from runoff.cli.without_files import counts_of
from runoff.errors import DataError, OptionError, nearest
from runoff.words import names
from runoff.words.speech import call, neutral

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

Data = TypeVar("Data", "Scores", "Curves", "Scores | Curves")


ABOUT = """
path PATH...: Files, folders or globs of run scores, - for standard input, a shipped set, such as atari_100k (runoff archive lists them), or
    counts of episodes, ours=17/20 base=12/20.
--format NAME: File format: {FormatName} (default auto).
--columns ROLE=NAME: Column that holds the algorithm, task, run, score or step, as score=return; run=row makes each row a run,
    task=domain/task joins two columns, task=sheet makes each sheet a task, unused=NAME leaves one out; repeatable. --score return does too.
--pattern PATTERN|FILE.toml: Template for names in file paths, e.g. '{algorithm}/{task}_s{run}'; * matches anything. A TOML file also works
    for training logs.
--keys LEVELS: Levels of the keys of JSON or of the headers of a wide table, outermost first (task/algorithm), or with one key to take
    (100k/task).
--dims DIMS: Axes of arrays in the order of their shape, such as run,step; for a list of scores, run or step.
--decimal: Decimal separator: {DecimalName}; the other character is read as the thousands separator (default auto: the point, unless that is
    unclear).
--sheet NAME: Sheet of a workbook that has several.
--table NAME: Table of a database, or of a text, that has several: its name, the title above it, or its number.
--duplicates: Row to keep if a run has several at one step: {DuplicatesName} (default auto: the last if a run was resumed).
--lower-is-better: Treat the scores as costs, and negate them.
--normalize NAME|FILE: Reference scores that map to 0 and 1: atari, procgen_hard, dm_control, d4rl, mujoco, metaworld, babyai, percent, …
--unreferenced: Treatment of tasks without reference scores: {Unreferenced}; tasks left out are counted and named (default error).
--measure: Measure by which algorithms are ranked and compared: auto (chosen by the design), mean, iqm, iqm_whole, median, optimality_gap,
    trimmed_mean_P or improvement.
--single-value: Treatment of an algorithm with one published score per task: draw it as a reference line (line), or test against it (tested);
    default line.
--runs: Scope of a run: {RunsName}; each task has its own runs, or each run was scored on all tasks (default per_task).
--unit: Meaning of a row: {UnitName}; a training run, or an episode of one policy (default run).
--score-unit: Unit of the scores: {RunsName}; each task has its own, or all share one, so that means and IQMs are compared without --normalize
    (default per_task).
--assume-raw: Normalise even scores that look normalised already.
--control ALGORITHM: Algorithm to compare all others with (default: compare all pairs).
--alpha: False positive rate over all pairs (default 0.05).
--seed: Seed of all random draws (default 0).
--n-resamples: Number of resamples and permutations (default 50000).
--rename OLD=NEW: New name of an algorithm or a task (algorithm:OLD=NEW or task:OLD=NEW if both have the name); repeatable.
--merge: Pool the runs of two names that --rename makes equal.
--variants: Treat each configuration of a sweep as an algorithm, instead of comparing at equal tuning.
--algorithms A,B: Algorithms to keep (default all); repeatable.
--tasks T,U: Tasks to keep (default all); repeatable.
--exclude A,T: Algorithms and tasks to leave out (default none); repeatable.
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
"""Descriptions of the options that verbs share; a verb has its own text for its other options, which takes precedence."""


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
    """Return the options of a group by name; if the group has more, only those that `kind` has."""
    return {field.name: getattr(group, field.name) for field in fields(kind or group)}


def refuse(why: str, **options: Any) -> None:
    """Refuse options that do not apply here; in `why`, {} stands for the option."""
    for name, value in options.items():
        # None, False and an empty list are what an option is that was not given.
        if value is not None and value is not False and value != []:
            raise typer.BadParameter(why.format(f"--{name.replace('_', '-')}"))


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
        algorithms = listed(self.algorithms, runs.algorithms)
        tasks = listed(self.tasks, runs.tasks)
        exclude = listed(self.exclude, (*runs.algorithms, *runs.tasks))
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
        wanted = listed(self.exclude, [*of, *names]) or []
        tasks = [task for task, stratum in of.items() if stratum in names.intersection(wanted)]
        return replace(self, exclude=[*(name for name in wanted if name not in names), *tasks]) if tasks else self

    def of_tasks(self, **columns: str | None) -> dict[str, dict[str, str]]:
        """Return the values for each task in columns of tables, or in fields of samples in logs, by the option that names the column."""
        return {name: self._of_tasks(name, column) for name, column in columns.items() if column is not None}

    def _of_tasks(self, called: str, column: str) -> dict[str, str]:
        from runoff.reading.beside import by_task

        if "-" in self.path:
            raise OptionError(
                f"--{called} reads the table a second time, so the table cannot be standard input; name a file."
            )
        how = given(format=self.format, columns=roles(self.columns), pattern=self.pattern, keys=self.keys)
        how |= given(axes=self.dims, decimal=self.decimal, unit=self.unit)
        how |= given(sheet=self.sheet, table=self.table, duplicates=self.duplicates)
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
        how = given(format=self.format, columns=roles(self.columns), pattern=self.pattern, keys=self.keys)
        how |= given(axes=self.dims, decimal=self.decimal)
        how |= given(sheet=self.sheet, table=self.table, duplicates=self.duplicates)
        how |= given(runs=self.runs, unit=self.unit, score_unit=self.score_unit)
        # A single path is handed on as one, for - is standard input only by itself.
        paths = self.path[0] if len(self.path) == 1 else self.path
        if (counted := counts_of(self.path)) is not None:
            refuse("{} says how a file is read, and these are counts; leave it out", **how, **more)
            return counted
        self._refuse_published()
        if isinstance(paths, str):
            runs = shipped(paths, curves=curves if self.last is None and self.at is None else True)
            if runs is not None:
                why = f"{{}} says how a file is read, and {paths} is a set that comes with runoff; leave it out"
                refuse(why, **how, **more, lower_is_better=self.lower_is_better)
                return runs
        how |= given(incomplete=self.incomplete) | more
        only = {"algorithm": _parts(self.algorithms), "task": _parts(self.tasks)}
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


def protocol_of(texts: list[str] | None) -> dict[str, Any]:
    """Return {key: value} from KEY=VALUE texts and TOML files; a text takes precedence over a file."""
    protocol: dict[str, Any] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if equals:
            protocol[key.strip()] = value.strip()
        elif text.casefold().endswith(".toml"):
            protocol = _toml(Path(text)) | protocol
        else:
            raise typer.BadParameter(f"--protocol takes KEY=VALUE or FILE.toml, not {text!r}")
    return protocol


def _toml(path: Path) -> dict[str, Any]:
    """Return the keys and values in a file that describes a protocol."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path}: this protocol cannot be read: {reason}.") from error
    for key, value in content.items():
        if not isinstance(value, str | int | float):
            raise DataError(f"{path}: {key} is a {type(value).__name__}; a protocol has lines like action_repeat = 2.")
    return content


def weights_of(text: str | None) -> str | dict[str, float] | None:
    """Return the weights of strata: a word, or numbers of STRATUM=WEIGHT,… ."""
    if text is None or "=" not in text:
        return text
    pairs = [part.rpartition("=") for part in text.split(",")]
    try:
        return {name.strip(): float(weight) for name, _, weight in pairs}
    except ValueError:
        raise OptionError(
            f"--weights takes equal, tasks or STRATUM=WEIGHT,…, as gsm8k=2,math=1, not {text!r}."
        ) from None


def roles(columns: list[str] | None) -> dict[str, str] | None:
    """Return {role: column} of ROLE=NAME texts."""
    if not columns:
        return None
    parts = assignments(columns)
    for part in parts:
        if "=" not in part:
            raise typer.BadParameter(f"--columns takes ROLE=NAME, as score=return, not {part!r}")
    from runoff.tables.columns import UNUSED, by_role

    chosen: dict[str, str] = {}
    for role, name in ((role.strip(), name.strip()) for role, name in (part.split("=", 1) for part in parts)):
        if role == UNUSED and role in chosen:
            chosen[role] += f",{name}"  # a repair adds a column to those that are left out already
        elif chosen.setdefault(role, name) != name:
            raise typer.BadParameter(f"--columns names the {role} twice: {chosen[role]!r} and {name!r}")

    return by_role(chosen)


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


def listed(texts: Sequence[str] | None, names: Sequence[str]) -> list[str] | None:
    """Return the names of comma-separated texts; a text that is a name as a whole may contain commas."""
    if not texts:
        return None
    parts = (part.strip() for text in texts for part in ([text] if text in names else text.split(",")))
    return [part for part in parts if part]


def _parts(texts: Sequence[str] | None) -> list[str]:
    """Return the names that comma-separated texts may hold: the texts, and their parts."""
    return [part.strip() for text in texts or () for part in (text, *text.split(","))]


def assignments(texts: Sequence[str]) -> list[str]:
    """Return the A=B of texts, of which one may hold several, comma-separated."""
    parts: list[str] = []
    for text in texts:
        # A comma may belong to a name: only a text of which every part is an assignment is several of them.
        split = text.split(",")
        parts += split if all("=" in part for part in split) else [text]
    return parts


def renamed(runs: Scores | Curves, texts: Sequence[str] | None, *, merge: bool) -> Scores | Curves:
    """Return the runs under other names, of OLD=NEW texts."""
    if not texts:
        return runs
    new: dict[str, dict[str, str]] = {"algorithm": {}, "task": {}}
    names = {"algorithm": runs.algorithms, "task": runs.tasks}
    for text in assignments(texts):
        noun, old, to = _renaming(text, names)
        if new[noun].setdefault(old, to) != to:
            raise OptionError(f"--rename gives the {noun} {old!r} two names, {new[noun][old]!r} and {to!r}.")
    return runs.rename(algorithms=new["algorithm"], tasks=new["task"], merge=merge)


def _renaming(text: str, names: dict[str, tuple[str, ...]]) -> tuple[str, str, str]:
    """Return what is renamed, its old name and its new one; a name may contain "=" where that is the only reading."""
    # Every "=" may be the one that parts old from new, for names may hold some: "lr=0.1=PPO".
    splits = [(text[:i].strip(), text[i + 1 :].strip()) for i, letter in enumerate(text) if letter == "="]
    if not splits:
        raise typer.BadParameter(f"--rename takes OLD=NEW, not {text!r}")
    readings = [
        (noun, name, to)
        for old, to in splits
        for noun, of_noun in names.items()
        for name in of_noun
        if old in (name, f"{noun}:{name}")
    ]
    if len(readings) == 1:
        return readings[0]
    old = splits[0][0]
    if not readings:
        message = f"--rename {text!r}: there is no algorithm or task {old!r}.{nearest(old, [*names['algorithm'], *names['task']])}"
        raise OptionError(message)
    meanings = " or ".join(f"the {noun} {name!r}" for noun, name, _ in readings)
    raise OptionError(f"--rename {text!r} could mean {meanings}; write algorithm:OLD=NEW or task:OLD=NEW.")
