"""A published table as it was read: which number is whose, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log10
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCell:
    """One cell of a published table.

    Attributes
    ----------
    algorithm, task : str
    mean : float
    spread : float or None
        The number behind ±, whatever it is; None where none is printed.
    mean_unit, spread_unit : float
        One of the last digit that is printed: rounding moved the number by half of it at most.
    n : int or None
        Runs, if the table or the caller says how many.
    bold : bool
    text : str
        What is printed.
    line, column : int
        Where, both from 1; column counts the cells of the line.
    """

    algorithm: str
    task: str
    mean: float
    spread: float | None
    mean_unit: float
    spread_unit: float
    n: int | None
    bold: bool
    text: str
    line: int
    column: int

    @property
    def numbers(self) -> str:
        """Return the numbers as they were read: 2410 ± 320, whatever is printed."""
        mean = _plain(self.mean, self.mean_unit)
        return mean if self.spread is None else f"{mean} ± {_plain(self.spread, self.spread_unit)}"


def _plain(value: float, unit: float) -> str:
    """Return a number with the digits that were printed."""
    places = max(0, round(-log10(unit))) if unit else MOST_PLACES + 1
    return f"{value:.{places}f}" if places <= MOST_PLACES else f"{value:g}"


MOST_PLACES = 12
"""Decimals beyond which a number is written with an exponent."""


@dataclass(frozen=True, kw_only=True)
class PublishedTable:
    """The table, and how it was read.

    Attributes
    ----------
    place : str
        The file, or "the text".
    format : "latex", "markdown", "csv" or "tsv"
    rows : "algorithms", "tasks" or "cells"
        What a row of it is.
    algorithms, tasks : tuple of str
    cells : tuple of PublishedCell
    lower : tuple of str
        Tasks where lower is better.
    spread : str or None
        What ± is, where the table names it ("sd", "se", "ci95").
    notes : tuple of str
        What was decided, one sentence each.
    averages : bool
        Whether an average over its tasks means something: not where they differ in direction or unit, or sum up others.
    doubt : str or None
        What the text beside the table says that speaks against a mean and its spread: "IQR".
    """

    place: str
    format: str
    rows: str
    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    cells: tuple[PublishedCell, ...]
    lower: tuple[str, ...]
    spread: str | None
    notes: tuple[str, ...]
    averages: bool = True
    doubt: str | None = None

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], PublishedCell]:
        return MappingProxyType({(cell.algorithm, cell.task): cell for cell in self.cells})

    def cell(self, algorithm: str, task: str) -> PublishedCell | None:
        """Return a cell, None where nothing is printed."""
        return self._by_name.get((algorithm, task))

    def missing(self, algorithm: str) -> list[str]:
        """Return the tasks on which nothing is printed of an algorithm."""
        return [task for task in self.tasks if self.cell(algorithm, task) is None]

    def sign(self, task: str) -> int:
        """Return -1 for a task where lower is better, else 1."""
        return -1 if task in self.lower else 1
