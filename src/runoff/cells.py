"""What people read, before any exit prints it: cells that know what they are, tables of them, and the base of what has tables.

A method makes tables; an exit (terminal, notebook, page, LaTeX, Markdown) prints any of them, and knows no method. Nothing is rounded before an
exit asks for text. A cell that is a plain string is words, an integer a count.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar

from runoff.base.ports import exits, hinted
from runoff.words.names import LatexLayout

if TYPE_CHECKING:
    from pathlib import Path

VerdictKind = Literal["higher", "lower", "not_found", "equivalent", "not_tested"]
"""What was decided, seen from the side that is named first; an exit takes its colour from it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate and its interval; None where there is none.

    Attributes
    ----------
    value : float or None
        In units of the scores.
    low, high : float or None
        The ends of the interval that the table's caption names.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chance(Estimate):
    """A probability of improvement, in [0, 1]: two are alike at a half."""


@dataclass(frozen=True, slots=True)
class Deviation(Estimate):
    """A mean and the standard deviation of the runs, by which `low` lies below it and `high` above."""


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value as it decides, adjusted over its family; and before that. None where no test was made."""

    adjusted: float | None
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number without an interval; `above`: it is only known to be larger."""

    value: float | None
    digits: int = 3
    above: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, 1 being all of it."""

    value: float | None
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Name:
    """What a caller named: an exit may shorten it, and prints it as it is, never as markup."""

    text: str
    role: Literal["algorithm", "task", "set", "other"] = "algorithm"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided, and how that reads: "higher IQM"."""

    kind: VerdictKind
    words: str


@dataclass(frozen=True, slots=True)
class Several:
    """Cells in one, each with what it is called, "" where it has no name; an exit joins them by commas."""

    items: tuple[tuple[str, Cell], ...]


Cell: TypeAlias = Estimate | PValue | Number | Share | Name | Verdict | Several | str | int | None


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
        kinds = Name | Verdict | Several | str
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

    def only(self, rows: Sequence[int]) -> Table:
        """Return the table of these rows, by their places."""
        columns = tuple(replace(column, cells=[column.cells[at] for at in rows]) for column in self.columns)
        return replace(self, columns=columns, best=frozenset(k for k, at in enumerate(rows) if at in self.best))

    def shown(self, exit_: Narrowest) -> list[Column]:
        """Return the columns that an exit of this width shows."""
        # From narrow to wide: an exit shows what any narrower one does.
        return [column for column in self.columns if WIDTHS.index(column.narrowest) <= WIDTHS.index(exit_)]


class InTables:
    """What people read as tables of typed cells: every exit prints those that `tables` gives."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> tuple[Table, ...]:
        """Return what people read of it: notebooks, LaTeX, Markdown and the terminal print these."""

    @hinted
    def to_latex(self, path: str | Path | None = None, *, layout: LatexLayout = "wide", force: bool = False) -> str:
        r"""Return the tables for a paper, in LaTeX that needs booktabs (and longtable for several pages).

        Parameters
        ----------
        path : path, optional
            File that the text is written to as well; a file that is there is overwritten by force alone.
        layout : "wide", "column" or "long"
            As wide as the text, as a column of a two-column page, or over several pages.
        force : bool
            Overwrite the file.

        Raises
        ------
        OptionError
            An unknown layout.
        OutputError
            The file is there, or cannot be written.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_latex().splitlines()[-4])
        B -- A & 5.0 {[}2.8, 7.2{]} & 100~\% {[}50, 100{]} & 0.002 \\
        """
        tables = [replace(table, caption=f"{table.caption} {self._told()}".rstrip()) for table in self.tables()]
        return exits().written(exits().latex_of(tables, layout), path, ".tex", force=force)

    @hinted
    def to_markdown(self, path: str | Path | None = None, *, force: bool = False) -> str:
        """Return the tables as Markdown, with their captions, for a README or an issue; path and force as of `to_latex`.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> print(result.to_markdown().splitlines()[2].replace("\xa0", " "))
        | B | A | 5.0 \\[2.8, 7.2\\] | 100 % \\[50, 100\\] | 0.002 |
        """
        return exits().written("\n\n".join(map(exits().markdown_of, self.tables())), path, ".md", force=force)

    def _told(self) -> str:
        """Return what a caption in a paper says beside what the table is: what a score is."""
        return ""

    def _repr_html_(self) -> str:
        return exits().html_of(self.tables(), heading=self._heading(), cautions=self._cautions())

    def _cautions(self) -> Sequence[str]:
        """Return what to beware of, the gravest first."""
        return ()

    def _heading(self) -> Sequence[str]:
        """Return the lines above the first table of a notebook."""
        return str(self).splitlines()
