"""The interface of a format: bytes in, a table out.

A format reads one file and knows nothing about folders, roles or `Scores`. It returns a `SourceTable` whose columns have the file's names
or, if the file has no column names (`{task: [scores]}`, arrays, matrices), a structural table with columns named by roles.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from runoff.errors import DataError
from runoff.tables.labels import Columns
from runoff.tables.likely import Chosen
from runoff.tables.source import SourceTable
from runoff.words.names import DecimalName
from runoff.words.scoring import is_cost
from runoff.words.words import vocabulary

LOG = ".log"
"""The suffix of logs, whose format their content tells."""
LOGS = (LOG, ".out")
"""Suffixes of logs, the second as Slurm writes it."""
PROGRESS = ("step", "iteration", "stage")
"""Kinds of columns that measure the progress of training."""
KEY, INNER_KEY = "key", "inner key"
"""Columns with the names that a file gives to its arrays, lists or columns: the outer names, and those inside them."""
LEVELS = {KEY: "algorithm", INNER_KEY: "task"}
"""The default roles of names on two levels."""

TABLE = "a tidy table (one row per run, or per run and step), or a wide one (one column per algorithm)"
"""The content of formats with named columns, in words for readers."""


class NotRuns(DataError):
    """Raised if a valid file contains no runs: refused on its own, left out (and named) in a folder."""


OF_ANSWER = vocabulary("records sentence")
"""Keys of what `to_json` and `--json` write, whose records have names and numbers as runs have."""
HEADS_OF_ANSWERS = tuple(
    map(vocabulary, ("pvalue", "estimate low high", "difference low high", "average_rank letters", "effect n_runs"))
)
"""Heads of rows as `to_frame` and `--to csv` write them; a run has none of these together."""
HOLDS_NONE = "this is an answer of runoff, which holds no runs: read the runs that it is of."


def refuse_saved(content: Any, place: str) -> None:
    """Refuse what `to_json` and `--json` wrote."""
    if isinstance(content, dict) and content.keys() >= OF_ANSWER:
        raise NotRuns(f"{place}: {HOLDS_NONE}")


def refuse_answer(table: SourceTable, chosen: Chosen) -> None:
    """Refuse the rows of an answer, unless columns are named."""
    if not chosen and any(heads <= table.columns.keys() for heads in HEADS_OF_ANSWERS):
        raise NotRuns(f"{table.place}: {HOLDS_NONE}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file: its place in words, the name that it gives to an algorithm, its suffix and its (decompressed) bytes.

    If the user gives them, `axes` are the roles of the axes of its arrays, `keys` the roles of the names in a header of two lines, `decimal`
    the decimal mark, `sheet` the sheet of a workbook, `table` the table of a database or of a text, and `columns` the columns of roles.
    `by_commas`: another part of the file shows that commas are its decimal separators.
    """

    place: str
    stem: str
    suffix: str
    data: bytes
    axes: tuple[str, ...] | None = None
    keys: tuple[str, ...] | None = None
    decimal: DecimalName = "auto"
    sheet: str | None = None
    table: str | None = None
    columns: Chosen = field(default_factory=dict)
    by_commas: bool = False

    def text(self) -> str:
        """Return the bytes as text with line breaks as \\n, refusing what is not UTF-8 with its line and byte."""
        at = self.data.find(b"\0")
        if at >= 0:
            raise DataError(f"{self.place}: this is a binary file, not text (byte {at} is zero).")
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            at = error.start + len(self.data) - len(error.object)  # a byte order mark is not in error.object
            line = len(re.findall(rb"\r\n|\r|\n", self.data[:at])) + 1
            raise DataError(
                f"{self.place}, line {line}: byte {at} (0x{self.data[at]:02x}) is not UTF-8; save the text as UTF-8."
            ) from error

    def lines(self) -> bytes:
        """Return the bytes of a text with line breaks as \\n; refused as by `text`."""
        # ASCII, as nearly all tables are, needs no decoding, which would hold a large file twice more.
        if not self.data.isascii() or b"\0" in self.data:
            return self.text().encode()
        return self.data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in self.data else self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format: its suffixes, the check of the bytes of a file without a suffix, and the reader.

    `title` and `holds` are for readers. `wide` means that a table without algorithm and score may have one column per algorithm,
    `alone` only where it is the only file, because several of that format are logs, of measures; `binary` that the first bytes distinguish it
    from every other format.
    """

    title: str
    holds: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[Source], SourceTable]
    wide: bool = False
    alone: bool = False
    binary: bool = False

    def wide_among(self, n_files: int) -> bool:
        """Return whether a table may have one column per algorithm, where so many files are read."""
        return self.wide and (n_files == 1 or not self.alone)


def structural(place: str, columns: Columns, note: str, **facts: Any) -> SourceTable:
    """Return a table whose columns are roles, a row named by its algorithm, task, run and step; `facts` are other fields of the table."""
    row, keys = named_row(columns), {name: role for name, role in LEVELS.items() if name in columns}
    return SourceTable(
        columns=columns, place=place, row=row, structural=True, rows_named=True, keys=keys, notes=(note,), **facts
    )


def named_row(columns: Columns) -> Callable[[int], str]:
    """Return the words for a row of columns that are roles: "algorithm 'PPO', run '3'"."""
    roles = [role for role in ("algorithm", "task", "run", "step") if role in columns]
    return lambda index: ", ".join(f"{role} {columns[role][index]!r}" for role in roles)


def of_cost(table: SourceTable, name: str) -> SourceTable:
    """Return the table as one of costs if this name of its scores is that of a cost and nothing else says so."""
    return replace(table, less=name, less_in="name") if is_cost(name) and not table.less else table
