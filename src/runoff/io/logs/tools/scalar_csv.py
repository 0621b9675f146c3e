"""Scalars in CSV files: TorchRL's logger (one file a series), and tables of a logger's columns (Brax and others; one file a run)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from runoff.io.logs.axis import STEPS, TIMES, counts_steps
from runoff.io.logs.base import HEAD, Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.metric import order
from runoff.io.logs.rows import Tabled, log_of, merged, number
from runoff.io.logs.wire.lines import table_series
from runoff.io.logs.words import canonical, last_piece
from runoff.words.words import vocabulary

NAME = "scalar_csv"
FOLDER = "scalars"
HYDRA = ".hydra"
LOGGERS = frozenset({*TIMES, "sps", "fps", "walltime", "timestamp"} - {"t"})
"""Canonical last pieces of names that only a logger's table has."""
NAMES_OF_RUNS = vocabulary(
    "algorithm algo agent method policy task env envid environment game seed run runid trial name state created user tags sweep"
)
"""Columns of a table of runs: not a log."""


def find(folder: Folder) -> list[Claim]:
    """Return the run whose series are files of two numbers a line, or the runs that are tables with a logger's columns."""
    heads = {name: folder.head(name) for name in folder.named(".csv")}
    series = [name for name, head in heads.items() if _is_series(folder, name, head)]
    of_job = (folder.path / HYDRA).is_dir()
    tables = [name for name, head in heads.items() if _is_table(head, of_job=of_job)]
    claims = [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=_parts(folder, series))] if series else []
    alone = (
        len(tables) == 1
        and not series
        and canonical(Path(tables[0]).stem) in ("progress", "history", "metrics", "log", "logs", "results")
    )
    for name in tables:
        inner = () if alone else (Path(name).stem,)
        path = folder.path if alone else folder.path / name
        claims.append(Claim(tool=NAME, path=path, parts=(*folder.parts, *inner), files=_parts(folder, [name])))
    return claims


def _parts(folder: Folder, names: Iterable[str]) -> tuple[Part, ...]:
    return tuple(Part(folder.path / name) for name in names)


def _is_series(folder: Folder, name: str, head: bytes) -> bool:
    """Return whether a file has two numbers a line, the first rising, and lies where TorchRL puts it or is named as a score."""
    fields = [line.split(",") for line in head.decode("utf-8", "replace").splitlines()[:3]]
    pairs = [(number(pair[0]), number(pair[1])) for pair in fields if len(pair) == 2]
    if len(pairs) < len(fields) or not pairs or any(None in pair for pair in pairs):
        return False
    rising = all((a[0] or 0) < (b[0] or 0) for a, b in pairwise(pairs))
    return rising and (FOLDER in folder.parts[-1:] or order(Path(name).stem) is not None)


def _is_table(head: bytes, *, of_job: bool = False) -> bool:
    """Return whether a header has a column of steps, a score, a name with a slash or a logger's column, and no names of runs.

    In the folder of a Hydra job, whose configuration names the run, steps and a score are enough.
    """
    names = [name.strip(' "\r\ufeff') for name in head.partition(b"\n")[0].decode("utf-8", "replace").split(",")]
    lasts = {canonical(last_piece(name)) for name in names}
    scores = [name for name in names if order(name) is not None and not counts_steps(name)]
    logged = of_job or any("/" in name for name in scores) or bool(lasts & LOGGERS)
    return (
        bool(lasts & set(STEPS)) and bool(scores) and logged and not {canonical(name) for name in names} & NAMES_OF_RUNS
    )


def is_table(claim: Claim) -> bool:
    """Return whether a run is a table with heads, which the rules for tables read as well."""
    if claim.tool != NAME:
        return False
    path = claim.files[0].path
    return is_table_of_names(path) and not (path.parent / HYDRA).is_dir()


def is_history(claim: Claim) -> bool:
    """Return whether a run is a table whose heads are paths of series: eval/return."""
    with claim.files[0].path.open("rb") as stream:
        return b"/" in stream.read(HEAD).partition(b"\n")[0] and is_table(claim)


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    return [log_of(claim, merged(_series(part, wish) for part in claim.files))]


def _series(part: Part, wish: Wish) -> Tabled:
    if is_table_of_names(part.path):
        return table_series(part, wish)
    pair = table_series(part, wish, names=("step", part.path.stem))
    counted = part.prefix + "step"
    return replace(pair, extents={name: extent for name, extent in pair.extents.items() if name != counted}, axis=None)


def is_table_of_names(path: Path) -> bool:
    """Return whether a file is a table with the heads of a logger."""
    with open(path, "rb") as stream:
        return _is_table(stream.read(HEAD), of_job=(path.parent / HYDRA).is_dir())


SCALAR_CSV = Tool(
    title="CSV logger",
    layout="TorchRL's `scalars/SERIES.csv` (step, value), a table a run with steps and names such as `eval/episode_reward`, `walltime` (Brax)",
    find=find,
    read=read,
)
