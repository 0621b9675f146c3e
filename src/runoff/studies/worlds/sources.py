"""Where the runs of empirical worlds come from: given in memory, a folder of files, or the data shipped with runoff."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from runoff.curves import Curves
from runoff.errors import DataError, OptionError
from runoff.scores import Scores

Data = Mapping[str, Scores | ArrayLike] | str | PathLike[str] | None
SUFFIXES = (".txt", ".json", ".csv", ".parquet")
SHIPPED = "classic_control"


@dataclass(frozen=True, slots=True)
class Sources:
    """Runs by name.

    Attributes
    ----------
    data : mapping of name to Scores or values, folder, or None
    names : mapping of name to file name within the folder
    """

    data: Data = None
    names: Mapping[str, str] = field(default_factory=dict)

    def scores(self, name: str) -> Scores:
        """Return the runs of a name.

        Raises
        ------
        OptionError
            Nothing of this name was given; the message says what is needed.
        """
        if isinstance(self.data, Mapping) and name in self.data:
            given = self.data[name]
            return given if isinstance(given, Scores) else Scores.from_dict({name: {name: given}})
        if isinstance(self.data, str | PathLike):
            path = self._path(Path(self.data), name)
            if path is not None:
                return read(path, name)
        if name == SHIPPED:
            return shipped()
        wanted = self.names.get(name, f"{name}.txt, .json, .csv or .parquet")
        raise OptionError(
            f"this study needs the runs {name!r}: give data={{{name!r}: Scores or values}} or the folder that holds {wanted}."
        )

    def _path(self, folder: Path, name: str) -> Path | None:
        if folder.is_file():
            return folder
        candidates = [self.names[name]] if name in self.names else [name + suffix for suffix in SUFFIXES]
        return next((folder / file for file in candidates if (folder / file).is_file()), None)


def read(path: Path, name: str) -> Scores:
    """Return the runs of a file: one number a line, JSON {task: [scores]}, or a table with a row a run."""
    import polars as pl

    try:
        if path.suffix == ".json":
            return Scores.from_dict({name: json.loads(path.read_text())})
        if path.suffix == ".csv":
            return Scores.from_frame(pl.read_csv(path))
        if path.suffix == ".parquet":
            return Scores.from_frame(pl.read_parquet(path))
        return Scores.from_dict({name: {name: np.loadtxt(path, ndmin=1)}})
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path} cannot be read as runs: {error}") from error


def shipped() -> Scores:
    """Return the end scores of the runs shipped with runoff."""
    import polars as pl

    file = files("runoff").joinpath("data", SHIPPED, "curves.parquet")
    if not file.is_file():
        raise OptionError("this installation has no shipped runs; give the study its data.")
    return Curves.from_frame(pl.read_parquet(io.BytesIO(file.read_bytes()))).final()


def cell_values(scores: Scores, where: str, algorithm: str | None, task: str | None) -> tuple[float, ...]:
    """Return the runs of one cell; names may be left out where there is only one."""
    a, t = _only(where, "algorithm", algorithm, scores.algorithms), _only(where, "task", task, scores.tasks)
    return tuple(scores.cell(a, t).tolist())


def _only(where: str, noun: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None and len(names) > 1:
        raise OptionError(f"{where}: the data hold {len(names)} {noun}s; name one: {', '.join(names)}.")
    return names[0] if name is None else name


def taken(declared: Mapping[str, Any], *keys: str) -> tuple[dict[str, Any], ...]:
    """Return the declaration without `keys`, and those alone."""
    rest = {key: value for key, value in declared.items() if key not in keys}
    return rest, {key: declared.get(key) for key in keys}
