"""Options that verbs share. None means: the library's own default, which is the only one.

`Source` reads runs; `Choice`, a part of it, says which of them are asked about and by what names.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from runoff.cli.record import remembered
from runoff.errors import OptionError, nearest
from runoff.words.names import (
    AxisName,
    BlockedTestName,
    CorrectionName,
    CurveBandName,
    FixedMetric,
    FormatName,
    IntervalName,
    NullMethod,
    PairTestName,
    Resampled,
    RunsName,
    SingleValue,
    StepCorrectionName,
    UnitName,
    Unreferenced,
)

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

Data = TypeVar("Data", "Scores", "Curves")


def names(kind: Any) -> str:
    """Return the values of a Literal as a help text lists them."""
    return ", ".join(get_args(kind))


Where = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, folders (with those inside them) or globs of run scores; - reads standard input.",
        show_default=False,
    ),
]
Tree = Annotated[
    str, typer.Argument(metavar="PATH", help="A folder of training logs, or a single log.", show_default=False)
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help=f"Format of the file: {names(FormatName)} (default auto)."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="ROLE=NAME",
        help="Column of a role (algorithm, task, run, score, step); repeatable, or comma-separated. run=row: each row is a run.",
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        "--pattern",
        metavar="PATTERN|FILE.toml",
        help="What the ends of paths name: '{algorithm}/{task}_s{run}'; * names nothing. Of training logs also a TOML file.",
    ),
]
Keys = Annotated[
    str | None,
    typer.Option(
        "--keys",
        metavar="LEVELS",
        help="What heads of a wide table or keys of JSON are, outermost first (task/algorithm), or the one to take (100k/task).",
    ),
]
LowerIsBetter = Annotated[bool, typer.Option("--lower-is-better", help="The scores are costs: negate them.")]
Normalize = Annotated[
    str | None,
    typer.Option(
        "--normalize",
        metavar="NAME|FILE",
        help="Reference scores that map to 0 and 1: atari, procgen_hard, dm_control, d4rl, mujoco, metaworld, babyai, percent, …",
    ),
]
DropUnreferenced = Annotated[
    bool,
    typer.Option("--drop-unreferenced", help="Leave out tasks without reference scores; they are counted and named."),
]
Single = Annotated[
    str | None,
    typer.Option(
        "--single",
        help=f"An algorithm with one value per task beside runs: {names(SingleValue)} (default line: not tested).",
    ),
]
Runs = Annotated[
    str | None,
    typer.Option(
        "--runs",
        help=f"{names(RunsName)}: whether every task has runs of its own (default), or each run is scored on all tasks.",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        "--unit", help=f"{names(UnitName)}: whether a row is a training run (default) or an episode of one policy."
    ),
]
AssumeRaw = Annotated[bool, typer.Option("--assume-raw", help="Normalise even scores that look normalised already.")]
Test = Annotated[str | None, typer.Option("--test", help=f"Test for each pair: {names(PairTestName)} (default auto).")]
RankTest = Annotated[
    str | None,
    typer.Option("--test", help=f"Test of all algorithms: {names(BlockedTestName)} (default mack_skillings)."),
]
Method = Annotated[
    str | None,
    typer.Option("--method", help=f"Null distribution: {names(NullMethod)} (default auto)."),
]
Correction = Annotated[
    str | None,
    typer.Option("--correction", help=f"Correction over the pairs: {names(CorrectionName)} (default holm)."),
]
Control = Annotated[
    str | None, typer.Option("--control", metavar="ALGORITHM", help="Compare the others with this algorithm only.")
]
Alpha = Annotated[float | None, typer.Option("--alpha", help="Error rate over all pairs (default 0.05).")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of all draws (default 0).")]
Resamples = Annotated[
    int | None,
    typer.Option(
        "--resamples", help="Resamples and relabellings (default 50000); errors of t intervals take 10000 of them."
    ),
]
Draws = Annotated[int | None, typer.Option("--draws", help="Draws of the Monte Carlo method (default 10000).")]
Metrics = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="NAME", help=f"{names(FixedMetric)} or trimmed_mean_P; repeatable."),
]
Interval = Annotated[
    str | None, typer.Option("--interval", help=f"Kind of interval: {names(IntervalName)} (default auto).")
]
Over = Annotated[str | None, typer.Option("--over", help=f"What is resampled: {names(Resampled)} (default runs).")]
CurvesOut = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="OUT", help="Folder for the figures, the tables and curves.json.")
]
OneMetric = Annotated[
    str | None,
    typer.Option("--metric", metavar="NAME", help="As of aggregate (default mean, which is what tests compare)."),
]
StepCount = Annotated[
    int | None,
    typer.Option("--steps", metavar="N", help="So many steps, evenly spaced (default: where runs were evaluated)."),
]
UpTo = Annotated[float | None, typer.Option("--up-to", metavar="STEP", help="Only up to this step.")]
Threshold = Annotated[
    float | None,
    typer.Option("--threshold", metavar="SCORE", help="Also: how long until a run first reaches this score?"),
]
Along = Annotated[str | None, typer.Option("--along", help=f"What steps count: {names(AxisName)} (default step).")]
Band = Annotated[
    str | None, typer.Option("--band", help=f"Where the level holds: {names(CurveBandName)} (default pointwise).")
]
StepCorrection = Annotated[
    str | None, typer.Option("--correction", help=f"Over the steps: {names(StepCorrectionName)} (default max_t).")
]
Rename = Annotated[
    list[str] | None,
    typer.Option(
        "--rename",
        metavar="OLD=NEW",
        help="Call an algorithm or a task something else; repeatable (algorithm:OLD=NEW where both have the name).",
    ),
]
Merge = Annotated[bool, typer.Option("--merge", help="Let --rename give two names to one: their runs are pooled.")]
Algorithms = Annotated[
    list[str] | None, typer.Option("--algorithms", metavar="A,B", help="Only these algorithms; repeatable.")
]
Tasks = Annotated[list[str] | None, typer.Option("--tasks", metavar="T,U", help="Only these tasks; repeatable.")]
Last = Annotated[
    int | None,
    typer.Option("--last", metavar="K", help="Score of a run: the mean of its last K evaluations (default 1)."),
]
At = Annotated[float | None, typer.Option("--at", metavar="STEP", help="Score of a run: its learning curve at a step.")]
IncompleteRuns = Annotated[
    str | None,
    typer.Option(
        "--incomplete",
        help="Runs that ended early: error, drop, carry (their last score), worst, or auto: carry, error below half (default).",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print data, notes, warnings and records as JSON on stdout, and nothing else.")
]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="OUT", help="Folder of the report; an earlier report there is replaced.")
]
Title = Annotated[str | None, typer.Option("--title", help="Title of the report.")]
OUT = Path("runoff-report")


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which of the runs that were read are asked about, and what their end scores are."""

    rename: Rename = None
    merge: Merge = False
    algorithms: Algorithms = None
    tasks: Tasks = None
    last: Last = None
    at: At = None
    incomplete: IncompleteRuns = None

    def scores(self, runs: Scores | Curves) -> Scores:
        """Return the end scores of the chosen runs: renamed first, then chosen, then reduced."""
        from runoff.io.read import end_scores

        return end_scores(self.chosen(runs), last=self.last, at=self.at, incomplete=self.incomplete)  # type: ignore[arg-type]

    def chosen(self, runs: Scores | Curves) -> Scores | Curves:
        """Return the chosen runs, renamed first."""
        runs = renamed(runs, self.rename, merge=self.merge)
        algorithms = listed(self.algorithms, runs.algorithms)
        tasks = listed(self.tasks, runs.tasks)
        if algorithms is not None or tasks is not None:
            runs = runs.select(algorithms=algorithms, tasks=tasks)
        return runs


@dataclass(frozen=True, kw_only=True)
class Source(Choice):
    """Where the scores come from, and what is done to them before anything is asked."""

    path: Where
    normalize: Normalize = None
    format: Format = None
    columns: Columns = None
    pattern: Pattern = None
    keys: Keys = None
    lower_is_better: LowerIsBetter = False
    assume_raw: AssumeRaw = False
    runs: Runs = None
    unit: Unit = None
    drop_unreferenced: DropUnreferenced = False

    def read(self) -> Scores:
        """Return the scores."""
        return remembered(self._normalized(self.scores(self._runs())))

    def both(self) -> tuple[Scores, Curves | None]:
        """Return the scores, and the learning curves whose ends they are, if they are."""
        from runoff.data.curves import Curves

        runs = self._runs()
        chosen = self.chosen(runs)
        return self._normalized(self.scores(runs)), self._normalized(chosen) if isinstance(chosen, Curves) else None

    def curves(self) -> Curves:
        """Return the learning curves.

        Raises
        ------
        OptionError
            There are none, or an option says what the end score of a run is.
        """
        from runoff.data.curves import Curves

        for name, value in (("last", self.last), ("at", self.at)):
            if value is not None:
                raise OptionError(f"--{name} says what the end score of a run is; learning curves have no need of it.")
        runs = self.chosen(self._runs())
        if not isinstance(runs, Curves):
            where = runs.provenance.path or "the data"
            raise OptionError(
                f"{where} holds one score per run, no learning curves: a step column is needed (--columns step=NAME)."
            )
        return remembered(self._normalized(runs))

    def _runs(self) -> Scores | Curves:
        from runoff.io.read import read_runs

        how = given(
            format=self.format,
            columns=roles(self.columns),
            pattern=self.pattern,
            keys=self.keys,
            runs=self.runs,
            unit=self.unit,
        )
        paths = self.path[0] if len(self.path) == 1 else self.path
        return read_runs(paths, **how, higher_is_better=not self.lower_is_better)

    def _normalized(self, runs: Data) -> Data:
        if self.normalize is None:
            if self.drop_unreferenced:
                raise typer.BadParameter(
                    "--drop-unreferenced says what to do with tasks that --normalize does not know; name a reference"
                )
            return runs
        unreferenced: Unreferenced = "drop" if self.drop_unreferenced else "error"
        return runs.normalize(self.normalize, check_units=not self.assume_raw, unreferenced=unreferenced)


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """The error rate, and the draws that numbers come from."""

    alpha: Alpha = None
    seed: Seed = None
    resamples: Resamples = None


def roles(columns: list[str] | None) -> dict[str, str] | None:
    """Return {role: column} of ROLE=NAME texts."""
    if not columns:
        return None
    parts = assignments(columns)
    for part in parts:
        if "=" not in part:
            raise typer.BadParameter(f"--columns takes ROLE=NAME, not {part!r}")
    chosen: dict[str, str] = {}
    for role, name in (part.split("=", 1) for part in parts):
        if chosen.setdefault(role.strip(), name.strip()) != name.strip():
            raise typer.BadParameter(
                f"--columns names the {role.strip()} twice: {chosen[role.strip()]!r} and {name.strip()!r}"
            )
    return chosen


def command_line(verb: str, *groups: Source | Statistics, **more: str | None) -> str:
    """Return the command that gives this answer again; where it is written to is left out."""
    words, options = (
        ["runoff", verb],
        {f.name: getattr(group, f.name) for group in groups for f in fields(group)} | more,
    )
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
    return shlex.join(words)


def listed(texts: Sequence[str] | None, names: Sequence[str]) -> list[str] | None:
    """Return the names of comma-separated texts; a text that is a name as a whole may contain commas."""
    if not texts:
        return None
    parts = (part.strip() for text in texts for part in ([text] if text in names else text.split(",")))
    return [part for part in parts if part]


def assignments(texts: Sequence[str]) -> list[str]:
    """Return the A=B of texts, of which one may hold several, comma-separated."""
    parts: list[str] = []
    for text in texts:
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
        raise OptionError(
            f"--rename {text!r}: there is no algorithm or task {old!r}.{nearest(old, [*names['algorithm'], *names['task']])}"
        )
    meanings = " or ".join(f"the {noun} {name!r}" for noun, name, _ in readings)
    raise OptionError(f"--rename {text!r} could mean {meanings}; write algorithm:OLD=NEW or task:OLD=NEW.")
