"""The front door: a file or a text → the table that is printed in it, refused where it can be read in two ways."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runoff._speech import option
from runoff._validate import check_choice, check_count
from runoff.errors import DataError, OptionError, nearest
from runoff.io._bytes import load
from runoff.io._paths import File
from runoff.io.published import latex, plain
from runoff.io.published.axes import kind_of_rows
from runoff.io.published.cell import Said, mean_and_spread, numbers_of, said
from runoff.io.published.checks import check_cells, kept_cells, once, one_form, why_no_average
from runoff.io.published.directions import Lower, lower_tasks
from runoff.io.published.grid import Entry, Grid, at, refused
from runoff.io.published.heads import Label
from runoff.io.published.layout import Laid, Place, laid_out
from runoff.io.published.numbers import Number, decimal_mark, parsed
from runoff.results.published import PublishedCell, PublishedTable

FORMATS = ("auto", "latex", "markdown", "csv", "tsv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv"}
ROWS = ("auto", "algorithms", "tasks")
DECIMALS = ("auto", "point", "comma")
Runs = int | Mapping[str, int] | None
DOUBTS = re.compile(
    r"\binter-?quartile\b|\bIQRs?\b|\bquartiles?\b|\bmedians?\b|\bmin(?:imum)?[-/ ]max(?:imum)?\b|\bconfidence intervals?|\bCIs?\b",
    re.IGNORECASE,
)
"""What beside a table speaks against a mean ± standard deviation or standard error."""
HINTS = re.compile(
    r"standard deviations?|\bstd\b|\bs\.d\.|standard errors?|\bs\.?e\.?m\b|confidence intervals?|"
    r"\b\d+\s+(?:random |independent )?(?:seeds|runs|trials)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the caller says about a table."""

    format: str = "auto"
    rows: str = "auto"
    decimal: str = "auto"
    algorithm: str | None = None
    lower: Lower = "arrows"
    n: Runs = None
    accept_wide: bool = False


def read_table(table: str | Path, reading: Reading) -> PublishedTable:
    """Return the table of a file, of standard input ("-"), or of a text (anything with a line break).

    Raises
    ------
    DataError
        It cannot be read, or in two ways; the message says where.
    OptionError
        An unknown name.
    """
    check_choice("format", reading.format, FORMATS)
    check_choice("rows", reading.rows, ROWS)
    check_choice("decimal", reading.decimal, DECIMALS)
    grid = _grid(table, reading.format)
    laid = laid_out(grid)
    told = _said(grid.place, laid)
    rows, why = ("cells", "each row is one cell") if laid.tidy else _rows(grid.place, laid, reading)
    turned = rows == "tasks"
    if rows == "algorithms" and laid.repeated is not None:
        raise refused(
            grid.place,
            laid.repeated.entry,
            f"the algorithm {laid.repeated.name!r} is there several times, under several headings or beside several labels; give one table "
            "for each.",
        )
    found = _measured(grid.place, laid, told, reading, turned)
    algorithms, tasks = (laid.columns, laid.rows) if turned else (laid.rows, laid.columns)
    named = [once(grid.place, labels, what) for labels, what in ((algorithms, "algorithm"), (tasks, "task"))]
    cells, left_out = kept_cells(_as_precise(found, grid.format), [label.name for label in tasks])
    kept = {name: label for name, label in named[1].items() if any(cell.task == name for cell in cells)}
    check_cells(grid.place, list(named[0]), list(kept), cells, accept_wide=reading.accept_wide)
    lower = lower_tasks(grid.place, kept, cells, reading.lower)
    apart = why_no_average(cells, tuple(kept), lower)
    notes = (
        [f"The rows are {rows}: {why}."] if not laid.tidy else ["Each row is the cell of one algorithm on one task."]
    )
    return PublishedTable(
        place=grid.place,
        format=grid.format,
        rows=rows,
        algorithms=tuple(named[0]),
        tasks=tuple(kept),
        cells=tuple(cells),
        lower=lower,
        spread=laid.spread,
        notes=(*notes, *laid.notes, *left_out, *apart, *_said_beside(grid.beside)),
        averages=not apart,
        doubt=next((" ".join(found[0].split()) for found in DOUBTS.finditer(grid.beside)), None),
    )


def _grid(table: str | Path, format: str) -> Grid:
    if isinstance(table, str) and "\n" in table:
        place, text, suffix = "the text", table, ""
    elif isinstance(table, str | Path):
        source, _ = load(File(Path(table), optional=False))
        place, text, suffix = source.place, source.text(), source.suffix
    else:
        raise OptionError(f"table must be a file or the text of a table, not {type(table).__name__}.")
    kind = _format_of(text, suffix) if format == "auto" else format
    if kind == "latex":
        return latex.read(place, text)
    if kind == "markdown":
        return plain.read_markdown(place, text)
    return plain.read_delimited(place, text, "\t" if kind == "tsv" else plain.delimiter_of(text, suffix))


def _format_of(text: str, suffix: str) -> str:
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    return "latex" if latex.looks_like_latex(text) else "markdown" if plain.separators(text) else "csv"


def _rows(place: str, laid: Laid, reading: Reading) -> tuple[str, str]:
    return kind_of_rows(place, laid, None if reading.rows == "auto" else reading.rows, reading.algorithm)


Told = tuple[Place, Said, Said | None]
"""A place, what its cell says, and what that of its spread says."""


def _said(place: str, laid: Laid) -> list[Told]:
    """Return what every cell says that says something.

    Raises
    ------
    DataError
        A cell is not understood, cells differ in form, or none has a ±.
    """
    both = [(p, said(place, p.entry), None if p.spread is None else said(place, p.spread)) for p in laid.places]
    told = [(p, one, width) for p, one, width in both if one is not None]
    if all(one.spread is None and width is None for _, one, width in told):
        raise DataError(
            f"{place}: no cell has a ±: means without a spread do not show whether a difference is more than chance."
        )
    one_form(place, [(p.entry, one) for p, one, _ in told])
    return told


def _measured(place: str, laid: Laid, told: Sequence[Told], reading: Reading, turned: bool) -> list[PublishedCell]:
    """Return every cell with its numbers."""
    printed = [(text, p.entry) for p, *both in told for one in both if one is not None for text in numbers_of(one)]
    decimal = decimal_mark(printed, place, None if reading.decimal == "auto" else reading.decimal)
    if isinstance(reading.n, Mapping):
        _check_names(reading.n, {label.name for label in (*laid.rows, *laid.columns)})
    return [_cell(place, p, one, width, decimal, reading, turned) for p, one, width in told]


def _cell(
    place: str, p: Place, one: Said, width: Said | None, decimal: str, reading: Reading, turned: bool
) -> PublishedCell:
    mean, spread = mean_and_spread(place, p.entry, one, decimal)
    if p.spread is not None:
        spread = _own_column(place, p.spread, one, width, decimal)
    algorithm, task = (p.column, p.row) if turned else (p.row, p.column)
    text = p.entry.text if p.spread is None else f"{p.entry.text} ± {p.spread.text}"
    return PublishedCell(
        algorithm=algorithm.name,
        task=task.name,
        mean=mean.value,
        spread=None if spread is None else spread.value,
        mean_unit=mean.unit,
        spread_unit=0.0 if spread is None else spread.unit,
        n=_runs(place, p, (algorithm, task), reading.n, decimal),
        bold=bool(p.entry.bold),
        text=text,
        line=p.entry.line,
        column=p.entry.column,
    )


def _own_column(place: str, entry: Entry, mean: Said, width: Said | None, decimal: str) -> Number | None:
    if mean.spread is not None or (width is not None and width.spread is not None):
        raise refused(place, entry, "a ± stands in a cell, and the table has columns of spreads too; keep one of them.")
    if width is None:
        return None
    found = parsed(width.mean, decimal, at(place, entry))
    if found.value < 0:
        raise refused(place, entry, f"the spread {entry.text!r} is below 0.")
    return found


def _runs(place: str, p: Place, labels: tuple[Label, Label], asked: Runs, decimal: str) -> int | None:
    """Return the runs of a cell: those that a head or a column says, or the caller.

    Raises
    ------
    DataError
        There is one run, no whole number, or they contradict each other.
    """
    told = {label.n for label in labels if label.n is not None}
    if p.n is not None and p.n.text:
        number = parsed(p.n.text, decimal, at(place, p.n)).value
        if number != int(number):
            raise refused(place, p.n, f"a number of runs must be whole, not {p.n.text!r}.")
        told.add(int(number))
    own = [asked[label.name] for label in labels if label.name in asked] if isinstance(asked, Mapping) else [asked]
    told |= {check_count("n", n) for n in own if n is not None}
    if len(told) > 1:
        raise refused(
            place,
            p.entry,
            f"the runs of this cell are said to be {' and '.join(map(str, sorted(told)))}; say one number.",
        )
    n = next(iter(told), None)
    if n is not None and n < 2:
        raise refused(
            place,
            p.entry,
            f"n = {n}: a single run has no spread, so no test of it is possible; at least 2 runs are needed.",
        )
    return n


def _check_names(n: Mapping[str, int], names: set[str]) -> None:
    for name in n:
        if name not in names:
            raise OptionError(f"{option('n')} names {name!r}, which the table does not have.{nearest(name, names)}")


def _as_precise(cells: list[PublishedCell], format: str) -> list[PublishedCell]:
    """Return the cells of a file written by a program as precise as the most precise one of their task: it drops zeros at the end, print does
    not."""
    if format not in ("csv", "tsv") or not cells:
        return cells
    finest: dict[str, tuple[float, float]] = {}
    for cell in cells:
        mean, spread = finest.get(cell.task, (cell.mean_unit, cell.spread_unit or cell.mean_unit))
        finest[cell.task] = min(mean, cell.mean_unit), min(spread, cell.spread_unit or spread)
    return [replace(cell, mean_unit=finest[cell.task][0], spread_unit=finest[cell.task][1]) for cell in cells]


def _said_beside(beside: str) -> list[str]:
    found = dict.fromkeys(" ".join(hint.split()) for hint in HINTS.findall(beside))
    quoted = ", ".join(f"“{hint}”" for hint in found)
    return [f"The text beside the table says {quoted}; nothing was concluded from it."] if found else []
