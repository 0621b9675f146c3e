"""What a table for a paper is: plain text, whose characters `glyphs` translates and whose layout `render` chooses."""

from __future__ import annotations

from dataclasses import dataclass


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
