"""d3rlpy: a folder with one CSV file a series (epoch, step, value; no header) and `params.json`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.rows import Tabled, log_of, merged, number
from runoff.io.logs.wire.lines import table_series

NAME = "d3rlpy"
PARAMS = "params.json"
COLUMNS = 3
EVALUATIONS = frozenset({"environment", "evaluation"})
"""Files that hold returns of evaluations, though their names do not say so."""
EVALUATED = "eval/return/"


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with params.json and files of three numbers a line."""
    if PARAMS not in folder.files:
        return []
    files = tuple(Part(folder.path / name) for name in folder.named(".csv") if _fits(folder.head(name)))
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def _fits(head: bytes) -> bool:
    fields = head.partition(b"\n")[0].decode("utf-8", "replace").split(",")
    return len(fields) == COLUMNS and None not in [number(text) for text in fields]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    return [log_of(claim, merged(_series(part, wish) for part in claim.files))]


def _series(part: Part, wish: Wish) -> Tabled:
    name = _shown(part.path)
    columns = table_series(part, wish, names=("epoch", "step", name))
    shown = part.prefix + name
    return replace(
        columns,
        extents={shown: columns.extents[shown]} if shown in columns.extents else {},
        series={shown: columns.series[shown]} if shown in columns.series else {},
    )


def _shown(path: Path) -> str:
    return f"{EVALUATED}{path.stem}" if path.stem in EVALUATIONS else path.stem


D3RLPY = Tool(
    title="d3rlpy",
    layout="`SERIES.csv` without a header (epoch, step, value), such as `environment.csv`, beside `params.json`",
    find=find,
    read=read,
)
