"""What a table is before it is LaTeX: plain text, whose characters `glyphs` translates."""

from __future__ import annotations

from dataclasses import dataclass


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
