"""The front door: a file or a text → the table that is printed in it, refused where it can be read in two ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runoff.base.validate import check_choice, check_count
from runoff.errors import DataError, OptionError, nearest
from runoff.io._paths import File, load
from runoff.io.published import latex, plain
from runoff.io.published.axes import kind_of_rows
from runoff.io.published.cell import Said, mean_and_spread, numbers_of, said
from runoff.io.published.checks import check_cells, once, one_form, why_no_average, without_bare
from runoff.io.published.derived import is_compared, without_derived
from runoff.io.published.directions import Lower, lower_tasks
from runoff.io.published.grid import Entry, Grid, at, refused
from runoff.io.published.heads import Label
from runoff.io.published.layout import Laid, Place, laid_out
from runoff.io.published.numbers import Number, decimal_mark, parsed
from runoff.io.published.statements import doubt_beside, notes_beside, spread_of_all
from runoff.results.claims import PublishedCell, PublishedTable
from runoff.words.speech import option

FORMATS = ("auto", "latex", "markdown", "csv", "tsv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv"}
ROWS = ("auto", "algorithms", "tasks")
DECIMALS = ("auto", "point", "comma")
Runs = int | Mapping[str, int] | None


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
    found = _as_precise(_measured(grid.place, laid, told, reading, turned), grid.format)
    kept = _kept(grid.place, laid, turned, found, reading)
    check_cells(grid.place, list(kept.algorithms), list(kept.tasks), kept.cells, accept_wide=reading.accept_wide)
    lower = lower_tasks(grid.place, kept.tasks, kept.cells, reading.lower)
    apart = why_no_average(kept.cells, tuple(kept.tasks), lower)
    how = "Each row is the cell of one algorithm on one task." if laid.tidy else f"The rows are {rows}: {why}."
    runs = [cell.n for cell in kept.cells if cell.n is not None]
    spread = spread_of_all(grid.place, [*kept.algorithms.values(), *kept.tasks.values(), *laid.heads])
    return PublishedTable(
        place=grid.place,
        format=grid.format,
        rows=rows,
        algorithms=tuple(kept.algorithms),
        tasks=tuple(kept.tasks),
        cells=tuple(kept.cells),
        lower=lower,
        spread=spread,
        notes=(how, *laid.notes, *kept.notes, *apart, *notes_beside(grid.beside, runs)),
        averages=not apart,
        doubt=doubt_beside(grid.beside, spread),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """What of a table is answered, and what is not and why."""

    algorithms: Mapping[str, Label]
    tasks: Mapping[str, Label]
    cells: Sequence[PublishedCell]
    notes: Sequence[str]


def _kept(place: str, laid: Laid, turned: bool, found: Sequence[PublishedCell], reading: Reading) -> _Kept:
    sides = (laid.columns, laid.rows) if turned else (laid.rows, laid.columns)
    algorithms, tasks = (once(place, labels, what) for labels, what in zip(sides, ("algorithm", "task"), strict=True))
    out, left_out = without_derived(algorithms, tasks, _directed(tasks, reading.lower))
    cells, bare = without_bare([cell for cell in found if cell.algorithm not in out and cell.task not in out])
    if not cells:
        raise DataError(f"{place}: no score with a ± is left. {' '.join([*left_out, *bare])}")
    return _Kept(
        algorithms={name: label for name, label in algorithms.items() if name not in out},
        tasks={name: label for name, label in tasks.items() if any(cell.task == name for cell in cells)},
        cells=cells,
        notes=[*left_out, *bare],
    )


def _directed(tasks: Mapping[str, Label], lower: Lower) -> list[str]:
    """Return the tasks of which an arrow or the caller says which direction is better."""
    asked = [lower] if isinstance(lower, str) else list(lower)
    return [
        name
        for name, label in tasks.items()
        if label.lower is not None or name in asked or asked in (["all"], ["none"])
    ]


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
    places = [p for p in laid.places if not (is_compared(p.row.name) or is_compared(p.column.name))]
    both = [(p, said(place, p.entry), None if p.spread is None else said(place, p.spread)) for p in places]
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
