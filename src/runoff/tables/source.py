"""Columns of Python values, and the words for the place of a row ("row 7" of a frame, "line 8" of a file)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from runoff.base.arrays import Ints
from runoff.errors import warn
from runoff.tables.columns import FRAME, NAMED
from runoff.tables.equal import ConfigSettings
from runoff.tables.labels import Columns, Labels, Values, labelled, some_rows
from runoff.words.names import DuplicatesName


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTable:
    """Columns by name, with their place in words.

    `structural` says that the columns are named by a reader, not by the file: messages do not mention them. `rows_named` says that the words
    for a row are its labels. `keys` are columns of names from headers or keys of the file whose role is still open -> the default role;
    `levels` are the roles of those that were decided, outermost first. `entries` says that runs are only numbered, along the first axis of
    arrays; `by_axes` that the user named the axes, `by_mark` that the user named the decimal mark, and `by_commas` that decimals may have
    commas because columns are separated by semicolons. `beside` are columns that describe tasks and play no role. `vouched` are roles whose
    names need no check, because the user or a tool gave them; `unmet` are names to exclude that no column has. `duplicates` decides which of
    several scores of a run at a step counts. `settings` are the settings of configurations, by label. `notes` are steps of the reader that
    the user should know. `titled` is a line above the columns that names the score of all of them, `less` one beside them that says that less
    of it is better, and `less_in` what that is. `melted` says that the names of its first role were the heads of a wide table,
    `ragged` that it had lists of unlike lengths, so that empty cells at the ends of its columns are runs that were not made.
    """

    columns: Columns
    place: str = FRAME
    row: Callable[[int], str] = lambda index: f"row {index}"
    structural: bool = False
    melted: bool = False
    ragged: bool = False
    rows_named: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    entries: bool = False
    by_axes: bool = False
    by_mark: bool = False
    by_commas: bool = False
    duplicates: DuplicatesName = "auto"
    beside: frozenset[str] = frozenset()
    vouched: frozenset[str] = frozenset()
    levels: tuple[str, ...] = ()
    unmet: frozenset[str] = frozenset()
    settings: Mapping[str, ConfigSettings] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    titled: str = ""
    less: str = ""
    less_in: str = "line"

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def others(self, *names: str) -> dict[str, Values]:
        """Return the columns without those of these names."""
        return {name: values for name, values in self.columns.items() if name not in names}

    def labels(self, mapping: Mapping[str, str]) -> dict[str, Labels]:
        """Return the names of algorithm, task and run of each row, as far as columns have these roles, {role: column}."""
        return {role: labelled(self.columns[mapping[role]]) for role in NAMED if mapping.get(role) in self.columns}

    def noted(self, *notes: str, **changes: Any) -> SourceTable:
        """Return the table with changed fields, and with more notes."""
        return replace(self, notes=(*self.notes, *notes), **changes)

    def warned(self, *notes: str, **changes: Any) -> SourceTable:
        """Return the table with changed fields, and with more notes, of which users are warned."""
        for note in notes:
            warn(f"{self.place}: {note}")
        return self.noted(*notes, **changes)

    def some_rows(self, rows: Ints, *more: str) -> SourceTable:
        """Return the table with only some rows, and with more notes."""
        columns = {name: some_rows(values, rows) for name, values in self.columns.items()}
        return self.noted(*more, columns=columns, row=lambda index: self.row(int(rows[index])))
