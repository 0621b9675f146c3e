"""What a table is before it is LaTeX: plain text, whose characters `glyphs` translates."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from runoff.report.words.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell: its text, and the text of a second line where the column is narrow (an interval)."""

    text: str
    below: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A head and its cells; numbers are set to the right."""

    head: str
    cells: tuple[Cell, ...]
    right: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of the report.

    Attributes
    ----------
    name : str
        Of its files, and of its label.
    caption : str
    names : tuple of Column
        What the rows are about: they stand at the left of every block of columns.
    values : tuple of Column
    stands : tuple of (text, name)
        What stands for a name that pdflatex cannot print, or that is too long.
    """

    name: str
    caption: str
    names: tuple[Column, ...]
    values: tuple[Column, ...]
    stands: tuple[tuple[str, str], ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.names[0].cells)


def column(head: str, texts: list[str], *, right: bool = True) -> Column:
    """Return a column of plain cells."""
    return Column(head=head, cells=tuple(Cell(text=text) for text in texts), right=right)


LONGEST = 11
"""Characters of a number that is written out."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def figure(value: float | None, places: int) -> str:
    """Return a value as the page shows it, or as a power of ten if that is long."""
    text = number(value, places)
    return text if value is None or len(text) <= LONGEST else _power(value)


def estimate(value: float, low: float | None, high: float | None, places: int, *, bold: bool = False) -> Cell:
    """Return an estimate and its interval; a dash where there is none."""
    ends = "–" if low is None or high is None else f"[{figure(low, places)}, {figure(high, places)}]"
    return Cell(text=figure(value, places), below=ends, bold=bold)


def _power(value: float) -> str:
    exponent = floor(log10(abs(value)))
    return f"{number(value / 10.0**exponent, 2)} × 10{str(exponent).translate(RAISED)}"
