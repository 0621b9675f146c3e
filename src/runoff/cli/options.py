"""Options that verbs share. None means: the library's own default, which is the only one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from runoff.scores import Scores

Where = Annotated[
    str, typer.Argument(metavar="PATH", help="A file, a folder or a quoted glob of run scores.", show_default=False)
]
Format = Annotated[str | None, typer.Option("--format", metavar="auto|csv|…", help="Format of the file.")]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="ROLE=NAME",
        help="Column of a role (algorithm, task, run, score, step); repeatable, or comma-separated.",
    ),
]
LowerIsBetter = Annotated[bool, typer.Option("--lower-is-better", help="The scores are costs: negate them.")]
Normalize = Annotated[
    str | None,
    typer.Option(
        "--normalize",
        metavar="NAME|FILE",
        help="Reference scores that map to 0 and 1: atari, procgen_hard, dm_control, …",
    ),
]
AssumeRaw = Annotated[bool, typer.Option("--assume-raw", help="Normalise even what looks normalised already.")]
Test = Annotated[
    str | None, typer.Option("--test", help="Test of a pair: auto, mack_skillings, welch, … (default auto).")
]
RankTest = Annotated[
    str | None,
    typer.Option(
        "--test", help="Test of all algorithms: mack_skillings, skillings_mack, friedman, … (default mack_skillings)."
    ),
]
Method = Annotated[
    str | None,
    typer.Option("--method", help="Null distribution: auto, exact, monte_carlo or asymptotic (default auto)."),
]
Correction = Annotated[
    str | None,
    typer.Option("--correction", help="Correction over the pairs: holm, max_t, bh, none, … (default holm)."),
]
Control = Annotated[
    str | None, typer.Option("--control", metavar="ALGORITHM", help="Compare the others with this one only.")
]
Alpha = Annotated[float | None, typer.Option("--alpha", help="Error rate over all pairs (default 0.05).")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of all draws (default 0).")]
Resamples = Annotated[int | None, typer.Option("--resamples", help="Bootstrap resamples (default 50000).")]
Draws = Annotated[int | None, typer.Option("--draws", help="Draws of the Monte Carlo method (default 10000).")]
Json = Annotated[bool, typer.Option("--json", help="Print the records as JSON on stdout, and nothing else.")]
Out = Annotated[
    Path, typer.Option("-o", "--out", metavar="OUT", help="Folder of the report; an earlier report there is replaced.")
]
Title = Annotated[str | None, typer.Option("--title", help="Title of the report.")]
OUT = Path("runoff-report")


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def read(
    path: str,
    *,
    format: str | None,
    columns: list[str] | None,
    lower_is_better: bool,
    normalize: str | None,
    assume_raw: bool,
) -> Scores:
    """Return the scores that the shared options describe."""
    from runoff.io import read_scores

    scores = read_scores(path, **given(format=format, columns=roles(columns)), higher_is_better=not lower_is_better)
    return scores if normalize is None else scores.normalize(normalize, check_units=not assume_raw)


def roles(columns: list[str] | None) -> dict[str, str] | None:
    """Return {role: column} of ROLE=NAME texts."""
    if not columns:
        return None
    parts: list[str] = []
    for text in columns:
        split = text.split(",")
        parts += split if all("=" in part for part in split) else [text]
    for part in parts:
        if "=" not in part:
            raise typer.BadParameter(f"--columns takes ROLE=NAME, not {part!r}")
    return {role.strip(): name.strip() for role, name in (part.split("=", 1) for part in parts)}


def command_line(verb: str, path: str | None, **options: Any) -> str:
    """Return the command that gives this answer again; where it is written to is left out."""
    words = ["runoff", verb, *([path] if path is not None else [])]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, list):
            words += [word for one in value for word in (flag, one)]
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return shlex.join(words)
