"""Paths of runs, and what the names in them say."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """The information in the names from the root down to a run.

    left: (depth, text) of parts that are neither task nor run; weak: the task is a single word; loose: the run is a number at the end of a
    name; size: the number of names; little: (depth, word) of names that have a meaning only with others; task_at, run_at: depths of the task
    and the run.
    """

    task: str | None = None
    weak: bool = False
    parts: tuple[str, ...] = ()
    run: str | None = None
    loose: bool = True
    left: tuple[tuple[int, str], ...] = ()
    size: int = 0
    little: tuple[tuple[int, str], ...] = ()
    task_at: int = -1
    run_at: int = -1

    def text(self, back: int) -> str:
        """Return the remainder of a name, counted from the end of the path (1 is the last); "" if nothing remains."""
        return dict(self.left).get(self.size - back, "")
