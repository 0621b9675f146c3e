"""Neptune, as neptune-exporter leaves it: `PROJECT/RUN_part_N.parquet`, a row a value, with the path and type of its attribute."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import numpy as np

from runoff.errors import DataError
from runoff.io._paths import unreadable
from runoff.io.logs.base import Claim, Folder, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import log_of_series

if TYPE_CHECKING:
    import polars as pl

NAME = "neptune"
PART = re.compile(r"(.+)_part_(\d+)\.parquet")
MAGIC = b"PAR1"
SIGN = b"attribute_path"
FLOATS, PATH, TYPE = "float_series", "attribute_path", "attribute_type"
PARAMETERS = {"int": "int_value", "float": "float_value", "string": "string_value", "bool": "bool_value"}
"""Types of parameters -> columns of their values."""
OWN = "sys/"
RUN_NAME = "sys/name"
TAIL = 1 << 16
"""Bytes at the end of a file, where its columns are named."""


def find(folder: Folder) -> list[Claim]:
    """Return the runs of a folder: the files that share a name before `_part_`."""
    runs: dict[str, list[Part]] = {}
    for name in folder.named(".parquet"):
        match = PART.fullmatch(name)
        if match and _fits(folder, name):
            runs.setdefault(match.group(1), []).append(Part(folder.path / name))
    return [
        Claim(tool=NAME, path=folder.path / run, parts=(*folder.parts, run), files=tuple(parts))
        for run, parts in runs.items()
    ]


def _fits(folder: Folder, name: str) -> bool:
    try:
        with open(folder.path / name, "rb") as stream:
            start = stream.read(len(MAGIC))
            stream.seek(max(0, stream.seek(0, io.SEEK_END) - TAIL))
            return start == MAGIC and SIGN in stream.read()
    except OSError:
        return False


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run: its float series by step, its parameters as configuration."""
    import polars as pl

    frame = pl.concat([_frame(part) for part in claim.files])
    points = frame.filter(pl.col(TYPE) == FLOATS).sort(PATH, "step", maintain_order=True)
    start = points["time"].min()
    series = {}
    for (path,), rows in points.group_by(PATH, maintain_order=True):
        step, value = (rows[name].fill_null(np.nan).to_numpy() for name in ("step", "float_value"))
        time = (rows["time"] - start).fill_null(np.nan).to_numpy() if start is not None else None
        series[str(path)] = Series(step=step, value=value, time=time)
    parameters = frame.filter(pl.col(TYPE).is_in(list(PARAMETERS))).to_dicts()
    config = {str(row[PATH]): row[PARAMETERS[row[TYPE]]] for row in parameters}
    name = config.pop(RUN_NAME, "")
    kept = {key.replace("/", "."): value for key, value in config.items() if not key.startswith(OWN)}
    hints = (name,) if isinstance(name, str) and name else ()
    return [log_of_series(claim, wish, series, config=kept, hints=hints)]


def _frame(part: Part) -> pl.DataFrame:
    """Return the columns that are needed, steps as float64 and times in seconds."""
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    values = {"int_value": pl.Int64, "float_value": pl.Float64, "string_value": pl.String, "bool_value": pl.Boolean}
    types = {PATH: pl.String, TYPE: pl.String, "step": pl.Float64, **values}
    try:
        lazy = pl.scan_parquet(part.path)
        time = pl.col("timestamp").cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).cast(pl.Float64) / 1000
        return lazy.select(*(pl.col(name).cast(kind) for name, kind in types.items()), time.alias("time")).collect()
    except OSError as error:
        raise unreadable(part.path, error) from error
    except (PolarsError, PanicException, ValueError) as error:
        raise DataError(
            f"{part.path}: this is no whole export of Neptune: {str(error).splitlines()[0][:120]}."
        ) from error


NEPTUNE = Tool(
    title="Neptune export",
    layout="`PROJECT/RUN_part_N.parquet` of neptune-exporter: a row a value, with attribute_path, attribute_type, step and float_value",
    find=find,
    read=read,
)
