"""Numbers of a length that fits a table: very large ones are powers of ten."""

from __future__ import annotations

from math import floor, log10

from runoff.report.latex.table import Cell
from runoff.report.words.numbers import number

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
