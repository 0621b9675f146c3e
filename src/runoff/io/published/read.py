"""The front door: a file or a text → the table that is printed in it, refused where it can be read in two ways."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runoff._speech import choice, option
from runoff._validate import check_choice, check_count
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.io._bytes import load
from runoff.io._paths import File
from runoff.io.published import latex, plain
from runoff.io.published.axes import kind_of_rows
from runoff.io.published.cell import Said, mean_and_spread, numbers_of, said
from runoff.io.published.directions import Lower, lower_tasks
from runoff.io.published.grid import Entry, Grid, at, refused
from runoff.io.published.heads import Label, is_sum
from runoff.io.published.layout import Laid, Place, laid_out
from runoff.io.published.numbers import Number, decimal_mark, parsed
from runoff.results.published import PublishedCell, PublishedTable

FORMATS = ("auto", "latex", "markdown", "csv", "tsv")
SUFFIXES = {".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv"}
ROWS = ("auto", "algorithms", "tasks")
DECIMALS = ("auto", "point", "comma")
Runs = int | Mapping[str, int] | None
DOUBTS = re.compile(
    r"\binter-?quartile\b|\bIQRs?\b|\bquartiles?\b|\bmedians?\b|\bmin(?:imum)?[-/ ]max(?:imum)?\b", re.IGNORECASE
)
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
    rows, why = ("cells", "each row is one cell") if laid.tidy else _rows(grid.place, laid, reading)
    turned = rows == "tasks"
    if rows == "algorithms" and laid.repeated is not None:
        raise refused(
            grid.place,
            laid.repeated.entry,
            f"the algorithm {laid.repeated.name!r} is there several times, under several headings or beside several labels; give one table "
            "for each.",
        )
    found = _measured(grid.place, laid, reading, turned)
    algorithms, tasks = (laid.columns, laid.rows) if turned else (laid.rows, laid.columns)
    named = [_once(grid.place, labels, what) for labels, what in ((algorithms, "algorithm"), (tasks, "task"))]
    cells, left_out = _kept(_as_precise(found, grid.format), [label.name for label in tasks])
    kept = {name: label for name, label in named[1].items() if any(cell.task == name for cell in cells)}
    _check(grid.place, named[0], cells, kept, reading)
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
        lower=lower_tasks(grid.place, kept, cells, reading.lower),
        spread=laid.spread,
        notes=(*notes, *laid.notes, *left_out, *_said_beside(grid.beside)),
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


def _measured(place: str, laid: Laid, reading: Reading, turned: bool) -> list[PublishedCell]:
    """Return every cell with its numbers.

    Raises
    ------
    DataError
        A cell is not understood, or cells differ in form.
    """
    told = [(p, said(place, p.entry), None if p.spread is None else said(place, p.spread)) for p in laid.places]
    printed = [(text, p.entry) for p, *both in told for one in both if one is not None for text in numbers_of(one)]
    decimal = decimal_mark(printed, place, None if reading.decimal == "auto" else reading.decimal)
    _one_form(place, [(p.entry, one) for p, one, _ in told if one is not None])
    cells = [_cell(place, p, one, width, decimal, reading, turned) for p, one, width in told if one is not None]
    names = {label.name for label in (*laid.rows, *laid.columns)}
    if isinstance(reading.n, Mapping):
        _check_names(reading.n, names)
    return cells


def _one_form(place: str, found: Sequence[tuple[Entry, Said]]) -> None:
    forms: dict[str, Entry] = {}
    for entry, one in found:
        if one.form != "mean":
            forms.setdefault(one.form, entry)
    if len(forms) > 1:
        first, second = forms.values()
        raise refused(
            place,
            second,
            f"{second.text!r} and, on line {first.line}, column {first.column}, {first.text!r} differ in form, so that ± and parentheses may "
            "mean two "
            "things; write all cells alike.",
        )


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


def _once(place: str, labels: Iterable[Label], what: str) -> dict[str, Label]:
    found: dict[str, Label] = {}
    for label in labels:
        if label.name in found:
            first = found[label.name].entry
            raise refused(
                place,
                label.entry,
                f"the {what} {label.name!r} is there twice, first on line {first.line}, column {first.column}; give each its own name.",
            )
        found[label.name] = label
    return found


def _kept(cells: Sequence[PublishedCell], tasks: Sequence[str]) -> tuple[list[PublishedCell], list[str]]:
    """Return the cells of tasks that can be tested, and what is left out: averages of the others, and tasks without any ±."""
    sums = [task for task in dict.fromkeys(tasks) if is_sum(task)]
    sums = [] if len(sums) == len(set(tasks)) else sums
    bare = [
        task
        for task in dict.fromkeys(tasks)
        if task not in sums and all(cell.spread is None for cell in cells if cell.task == task)
    ]
    notes = [f"Left out, since it sums up the others: {', '.join(sums)}."] if sums else []
    notes += [f"Left out, since none of its cells has a ±: {', '.join(bare)}."] if bare else []
    return [cell for cell in cells if cell.task not in (*sums, *bare)], notes


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


def _check(
    place: str,
    algorithms: Mapping[str, Label],
    cells: Sequence[PublishedCell],
    tasks: Mapping[str, Label],
    reading: Reading,
) -> None:
    if not cells:
        raise DataError(
            f"{place}: no cell has a ±: means without a spread do not show whether a difference is more than chance."
        )
    if len(algorithms) < 2:
        raise DesignError(f"{place}: there is one algorithm, {next(iter(algorithms))!r}; a claim needs two.")
    repeated = [key for key, n in Counter((c.algorithm, c.task) for c in cells).items() if n > 1]
    if repeated:
        raise DataError(f"{place}: {repeated[0][0]!r} on {repeated[0][1]!r} is there twice; keep one.")
    known = [cell for cell in cells if cell.n is not None]
    if known and len(known) < len(cells):
        cell = next(cell for cell in cells if cell.n is None)
        raise DataError(
            f"{place}, line {cell.line}, column {cell.column}: the runs of this cell are not told, those of others are; say {option('n')} "
            "for all."
        )
    for task in [] if reading.accept_wide else tasks:
        _refuse_wide(place, [cell for cell in cells if cell.task == task])


def _refuse_wide(place: str, cells: Sequence[PublishedCell]) -> None:
    means = [cell.mean for cell in cells]
    reach = max(max(map(abs, means)), max(means) - min(means))
    for cell in cells:
        if cell.spread is not None and cell.spread > reach:
            raise DataError(
                f"{place}, line {cell.line}, column {cell.column}: the ± of {cell.text!r} is larger than any mean on {cell.task!r}, so that "
                "it may be a "
                f"slip or read wrongly; if it is right, say {choice('accept_wide=True', '--accept-wide')}."
            )


def _said_beside(beside: str) -> list[str]:
    found = dict.fromkeys(" ".join(hint.split()) for hint in HINTS.findall(beside))
    quoted = ", ".join(f"“{hint}”" for hint in found)
    return [f"The text beside the table says {quoted}; nothing was concluded from it."] if found else []
