"""Paths of tables, and the names that are read from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names in a path, {role: name}, and their parts; `forced` are the roles in the user's pattern."""

    names: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, str] = field(default_factory=dict)
    forced: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The path of one table: folders and stem below the common folder of all files, the names above it, and the roles that the table lacks.

    `one_run` means that the table is the learning curve of one run; otherwise it has scores, of runs or of a run's evaluations. `run` is the
    only run in a column of the table, "" if it has none, or several.
    """

    path: Path
    parts: tuple[str, ...]
    above: tuple[str, ...]
    lacks: frozenset[str]
    one_run: bool
    run: str = ""

    def level(self, depth: int) -> str:
        """Return the words for a part of the path."""
        return "the file name" if depth == len(self.parts) - 1 else f"folder {depth + 1}"
