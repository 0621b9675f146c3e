"""What a table for a paper is: plain text, whose characters `glyphs` translates and whose layout `render` chooses."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from runoff.words.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexCell:
    """One cell: its text, that of a second line where there is little room (an interval, the other of two names), and what joins the two."""

    text: str
    below: str = ""
    joint: str = " "
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexColumn:
    """A head and its cells; numbers are set to the right."""

    head: str
    cells: tuple[LatexCell, ...]
    right: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexTable:
    """A table of the report.

    Attributes
    ----------
    name : str
        The name of its files and of its label.
    caption : str
    names : tuple of LatexColumn
        Columns that name the rows; they stand at the left of every block of columns.
    values : tuple of LatexColumn
    stands : tuple of (text, name)
        The text that stands for a name that pdflatex cannot print, or that is too long.
    """

    name: str
    caption: str
    names: tuple[LatexColumn, ...]
    values: tuple[LatexColumn, ...]
    stands: tuple[tuple[str, str], ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.names[0].cells)


def column(head: str, texts: list[str], *, right: bool = True) -> LatexColumn:
    """Return a column of plain cells."""
    return LatexColumn(head=head, cells=tuple(LatexCell(text=text) for text in texts), right=right)


LONGEST = 11
"""The most characters of a number that is written out; a longer one becomes a power of ten."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def figure(value: float | None, places: int) -> str:
    """Return a value as the page shows it, or as a power of ten if that is long."""
    text = number(value, places)
    if value is None or len(text) <= LONGEST:
        return text
    exponent = floor(log10(abs(value)))
    return f"{number(value / 10.0**exponent, 2)} × 10{str(exponent).translate(RAISED)}"


def estimate(value: float, low: float | None, high: float | None, places: int, *, bold: bool = False) -> LatexCell:
    """Return an estimate and its interval; a dash where there is none."""
    ends = "–" if low is None or high is None else f"[{figure(low, places)}, {figure(high, places)}]"
    return LatexCell(text=figure(value, places), below=ends, bold=bold)
