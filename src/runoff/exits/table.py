"""A table: columns of typed cells under heads, and a caption that says what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Generic, Literal, TypeVar

from runoff.exits.cells import Cell, Name, Verdict
from runoff.exits.text import parts_of, shared_decimals

Narrowest = Literal["paper", "screen", "page"]
"""Where a column is shown: everywhere; not in a table for a paper; on the page of a report alone."""
CellRow = TypeVar("CellRow")
WIDTHS: tuple[Narrowest, ...] = ("paper", "screen", "page")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Attributes
    ----------
    key : str
        The field that it shows, as programs name it.
    head : str or Name
        What stands above it; a name, where the column is of an algorithm.
    cells : sequence of Cell
        One for each row, of one kind.
    numeric : bool
        Whether texts are those of numbers, and set to the right as numbers are.
    ordered : bool
        Whether an order is read in it, so that all estimates have the same number of decimals.
    judged : bool
        Whether it is what the best rows of the table are best by.
    narrowest : "paper", "screen" or "page"
        The narrowest exit that shows it.
    """

    key: str
    head: str | Name
    cells: Sequence[Cell]
    numeric: bool = False
    ordered: bool = False
    judged: bool = False
    narrowest: Narrowest = "paper"

    @property
    def title(self) -> str:
        """What stands above it, as a text."""
        return self.head.text if isinstance(self.head, Name) else self.head

    @property
    def words(self) -> bool:
        """Whether it holds names or words, which are set to the left."""
        kinds = Name | Verdict | str
        return (
            not self.numeric
            and all(isinstance(cell, kinds | None) for cell in self.cells)
            and any(isinstance(cell, kinds) for cell in self.cells)
        )

    @property
    def names(self) -> bool:
        """Whether it names the rows."""
        return all(isinstance(cell, Name) for cell in self.cells)


class ColumnsOf(Generic[CellRow]):
    """Makes columns of rows: a cell is what a function gives for its row, by default the field that the key names."""

    def __init__(self, rows: Sequence[CellRow]) -> None:
        self.rows = rows

    def __call__(
        self,
        key: str,
        head: str | Name,
        cell: Callable[[CellRow], Cell] | None = None,
        *,
        numeric: bool = False,
        ordered: bool = False,
        narrowest: Narrowest = "paper",
    ) -> Column:
        cells = list(map(cell or attrgetter(key), self.rows))
        return Column(key=key, head=head, cells=cells, numeric=numeric, ordered=ordered, narrowest=narrowest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of one kind.

    Attributes
    ----------
    role : str
        What a row is about, in the plural: "pairs", "aggregates". It names the table's files.
    title : str
        What the rows say, in a few words.
    caption : str
        Sentences that say what each column is, by what was decided, and how many runs there are.
    columns : tuple of Column
        All of one length; those of names are the first.
    best : frozenset of int
        The rows that nothing was found better than, by the judged column; a paper sets them bold.
    across : bool
        Whether an order is read along each row, so that its estimates have the same number of decimals.
    """

    role: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    best: frozenset[int] = frozenset()
    across: bool = False

    def __post_init__(self) -> None:
        # A method's slip, not a user's: zip would cut all columns to the shortest in silence.
        lengths = {column.key: len(column.cells) for column in self.columns}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns of table {self.role!r} differ in length: {lengths}")

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].cells) if self.columns else 0

    @property
    def n_names(self) -> int:
        """The number of columns that name the row, which are the first; of a table without names it is the first."""
        return max(1, next((k for k, column in enumerate(self.columns) if not column.names), len(self.columns)))

    def rows(self, columns: Sequence[Column], most: int | None = None) -> list[list[tuple[str, str]]]:
        """Return the texts of these columns by row, of the first `most`: of each cell its value, and its interval."""
        # Decimals of the whole column, not of the rows that are shown: the first sixty read as they would among
        # all.
        down = [shared_decimals(column.cells) if column.ordered else None for column in columns]
        rows = [list(row) for row in zip(*(column.cells[:most] for column in columns), strict=True)]
        # Along a row tasks have their own unit, so that decimals belong to the row.
        along = [[shared_decimals(row)] * len(columns) if self.across else down for row in rows]
        return [list(map(parts_of, row, decimals)) for row, decimals in zip(rows, along, strict=True)]

    def only(self, rows: Sequence[int]) -> Table:
        """Return the table of these rows, by their places."""
        columns = tuple(replace(column, cells=[column.cells[at] for at in rows]) for column in self.columns)
        return replace(self, columns=columns, best=frozenset(k for k, at in enumerate(rows) if at in self.best))

    def shown(self, exit_: Narrowest) -> list[Column]:
        """Return the columns that an exit of this width shows."""
        # From narrow to wide: an exit shows what any narrower one does.
        return [column for column in self.columns if WIDTHS.index(column.narrowest) <= WIDTHS.index(exit_)]
