"""Where the runs of empirical worlds come from: given in memory, a folder of files, or the data shipped with runoff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from runoff.data.curves import Curves
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.io import load_example, read_curves, read_scores
from runoff.io.formats import SUFFIXES

Data = Mapping[str, Scores | Curves | ArrayLike] | str | PathLike[str] | None
SHIPPED = "classic_control"


@dataclass(frozen=True, slots=True)
class Sources:
    """Runs by name.

    Attributes
    ----------
    data : mapping of name to Scores, Curves or values, folder, or None
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
            if isinstance(given, Curves):
                return given.final()
            return given if isinstance(given, Scores) else Scores.from_dict({name: {name: given}})
        if isinstance(self.data, str | PathLike):
            path = self._path(Path(self.data), name)
            if path is not None:
                return read_scores(path)
        if name == SHIPPED:
            return load_example(SHIPPED).final()
        raise self._missing(name, "runs", "Scores or values", "read_scores")

    def curves(self, name: str) -> Curves:
        """Return the learning curves of a name.

        Raises
        ------
        OptionError
            Nothing of this name was given, or scores without steps.
        """
        if isinstance(self.data, Mapping) and name in self.data:
            given = self.data[name]
            if not isinstance(given, Curves):
                raise OptionError(
                    f"this study needs learning curves for {name!r}, not {type(given).__name__}: give Curves."
                )
            return given
        if isinstance(self.data, str | PathLike):
            path = self._path(Path(self.data), name)
            if path is not None:
                return read_curves(path)
        if name == SHIPPED:
            return load_example(SHIPPED)
        raise self._missing(name, "curves", "Curves", "read_curves")

    def _missing(self, name: str, noun: str, kind: str, reader: str) -> OptionError:
        wanted = self.names.get(name, f"{name}.csv, .json, .txt or another file that `{reader}` reads")
        return OptionError(
            f"this study needs the {noun} {name!r}: give data={{{name!r}: {kind}}} or the folder that holds {wanted}."
        )

    def _path(self, folder: Path, name: str) -> Path | None:
        if folder.is_file():
            return folder
        candidates = [self.names[name]] if name in self.names else [name + suffix for suffix in sorted(SUFFIXES)]
        return next((folder / file for file in candidates if (folder / file).is_file()), None)


def cell_values(scores: Scores, where: str, algorithm: str | None, task: str | None) -> tuple[float, ...]:
    """Return the runs of one cell; names may be left out where there is only one."""
    a, t = _only(where, "algorithm", algorithm, scores.algorithms), _only(where, "task", task, scores.tasks)
    return tuple(scores.cell(a, t).tolist())


def _only(where: str, noun: str, name: str | None, names: tuple[str, ...]) -> str:
    if name is None and len(names) > 1:
        raise OptionError(f"{where}: the data hold {len(names)} {noun}s; name one: {', '.join(names)}.")
    return names[0] if name is None else name


def split_keys(declared: Mapping[str, Any], *keys: str) -> tuple[dict[str, Any], ...]:
    """Return the declaration without `keys`, and those alone."""
    rest = {key: value for key, value in declared.items() if key not in keys}
    return rest, {key: declared.get(key) for key in keys}
