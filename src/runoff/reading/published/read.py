"""The reader of printed tables: a file or a text becomes a table; a table that can be read in two ways is refused.

A table whose claims are tested has unique names, one form and unit of cells, numbers of runs for all cells or for none, and a plausible ±.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runoff.answer.claims import PublishedCell, PublishedTable
from runoff.base.validate import check_choice, check_count
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.reading._paths import File, load
from runoff.reading.formats import workbook
from runoff.reading.printed import grids
from runoff.reading.printed.cells import (
    Grid,
    PrintedCell,
    PrintedEntry,
    PublishedNumber,
    at,
    check_percent,
    check_spread,
    check_thousands,
    decimal_mark,
    measured_cell,
    printed_cell,
    read_number,
)
from runoff.reading.printed.heads import Label, doubt_beside, interval_in, notes_beside, spread_of_all, spreads_in
from runoff.reading.published.layout import Layout, MeasuredPlace, layout_of
from runoff.reading.published.parentheses import check_parentheses
from runoff.reading.published.rates import counted_of, leave_out_no_rates, refuse_spreads, tasks_in_percent, with_counts
from runoff.reading.published.sides import (
    Lower,
    check_names,
    is_compared,
    is_cost,
    is_sum,
    kind_of_rows,
    lower_tasks,
    reference_notes,
    signs_over_all,
    without_derived,
)
from runoff.words.costs import direction
from runoff.words.speech import Sentence, choice, option

ROWS = ("auto", "algorithms", "tasks")
DECIMALS = ("auto", "point", "comma")
PrintedRuns = int | Mapping[str, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """The caller's options for reading a table."""

    format: str = "auto"
    rows: str = "auto"
    decimal: str = "auto"
    algorithm: str | None = None
    lower: Lower = "arrows"
    n: PrintedRuns = None
    spread: str = "unknown"
    accept_wide: bool = False
    leave_out: Sequence[str] = ()
    unit: str = "run"

    @property
    def rates(self) -> bool:
        """Return whether cells are rates of items or episodes, which have no ±."""
        return self.unit != "run"


def read_table(table: str | Path, reading: TableOptions) -> PublishedTable:
    """Return the table of a file, of standard input ("-"), or of a text (anything with a line break)."""
    check_choice("format", reading.format, grids.FORMATS)
    check_choice("rows", reading.rows, ROWS)
    check_choice("decimal", reading.decimal, DECIMALS)
    grid = _grid(table, reading.format)
    layout = layout_of(grid)
    printed = _filled_cells(grid.place, layout, reading.unit)
    rows, how = _rows(grid.place, layout, reading)
    # Whatever the table's shape, from here on a cell has an algorithm and a task.
    turned = rows == "tasks"
    measured, places = _as_precise(_cells(grid.place, layout, printed, reading, turned), grid.format, reading.rates)
    kept = _selection(grid.place, layout, turned, measured, reading)
    zeros = ", ".join(f"the {what} on {task} to {place:,.0f}" for what, task, place in places if task in kept.tasks)
    rounded = [f"Whole numbers that all end in zeros are read as rounded: {zeros}."] if zeros else []
    if not layout.tidy and reading.rows == "auto":
        check_names(grid.place, list(kept.algorithms), list(kept.tasks), rows)
    over = signs_over_all(layout, kept.algorithms.values())
    beside = " . ".join(grids.caption_texts(grid.beside)) or grid.beside
    lower, by_name = lower_tasks(grid.place, kept.tasks, kept.cells, reading.lower, over=over, beside=beside)
    if any(cell.form in ("( )", "_") for _, cell, _ in printed):
        check_parentheses(grid.place, kept.cells, lower)
    check_cells(grid.place, list(kept.algorithms), list(kept.tasks), kept.cells, accept_wide=reading.accept_wide)
    percent = tasks_in_percent(kept.tasks, [*layout.over, *layout.corners], beside)
    obstacles = why_no_average(kept.cells, tuple(kept.tasks), lower)
    runs = [cell.n for cell in kept.cells if cell.n is not None]
    named = spread_of_all(grid.place, [*kept.algorithms.values(), *kept.tasks.values(), *layout.heads])
    spread, notes = _spread(grid, printed, kept.cells, named, reading.spread)
    of_text = [*notes_beside(grid.beside, runs, spread), *reference_notes(list(kept.algorithms), beside)]
    return PublishedTable(
        place=grid.place,
        format=grid.format,
        rows=rows,
        algorithms=tuple(kept.algorithms),
        tasks=tuple(kept.tasks),
        cells=tuple(with_counts(grid.place, kept.cells, reading.unit, percent)),
        lower=lower,
        spread=spread,
        notes=tuple(map(Sentence, (how, *layout.notes, *kept.notes, *notes, *by_name, *rounded, *obstacles, *of_text))),
        averages=not obstacles,
        doubt=doubt_beside(grid.beside, spread),
    )


def _rows(place: str, layout: Layout, reading: TableOptions) -> tuple[str, str]:
    """Return the role of the rows, "cells", "algorithms" or "tasks", and a note with the reason."""
    if layout.tidy:
        return "cells", "Each row is the cell of one algorithm on one task."
    rows, why = kind_of_rows(place, layout, reading.rows, reading.algorithm)
    if rows == "algorithms" and layout.repeated is not None:
        raise DataError(
            f"{at(place, layout.repeated.entry)}: the algorithm {layout.repeated.name!r} is there several times, under several headings "
            "or beside several labels; give one table for each."
        )
    return rows, f"The rows are {rows}: {why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Selection:
    """The algorithms, tasks and cells of a table that are kept, and notes on those that are left out."""

    algorithms: Mapping[str, Label]
    tasks: Mapping[str, Label]
    cells: Sequence[PublishedCell]
    notes: Sequence[str]


def _selection(
    place: str, layout: Layout, turned: bool, measured: Sequence[PublishedCell], reading: TableOptions
) -> _Selection:
    sides = (layout.columns, layout.rows) if turned else (layout.rows, layout.columns)
    algorithms, tasks = (
        labels_by_name(place, labels, what) for labels, what in zip(sides, ("algorithm", "task"), strict=True)
    )
    # a cost whose better direction an arrow or the caller says is a task
    names = [reading.lower] if isinstance(reading.lower, str) else list(reading.lower)
    directed = [name for name, label in tasks.items() if label.lower is not None or name in names]
    out, left_out = without_derived(algorithms, tasks, list(tasks) if names in (["all"], ["none"]) else directed)
    unknown = next((name for name in reading.leave_out if name not in algorithms), None)
    if unknown is not None:
        raise OptionError(
            f"{option('leave_out')} names {unknown!r}, which is not an algorithm of the table ({', '.join(algorithms)})."
            f"{nearest(unknown, algorithms)}"
        )
    if reading.rates:
        out |= leave_out_no_rates([name for name in tasks if name not in out], left_out)
    if reading.leave_out:
        out |= set(reading.leave_out)
        left_out.append(f"Left out, as requested: {', '.join(reading.leave_out)}.")
    cells = [cell for cell in measured if cell.algorithm not in out and cell.task not in out]
    cells, bare = (cells, []) if reading.rates else without_bare(cells)
    if bare:
        none_has = "none of its cells has" if len(bare) == 1 else "none of their cells has"
        left_out.append(f"Left out, since {none_has} a ±: {', '.join(bare)}.")
    if not cells:
        what = "rate" if reading.rates else "score with a ±"
        raise DataError(f"{place}: no {what} is left. {' '.join(left_out)}")
    return _Selection(
        algorithms={name: label for name, label in algorithms.items() if name not in (*out, *bare)},
        tasks={name: label for name, label in tasks.items() if any(cell.task == name for cell in cells)},
        cells=cells,
        notes=left_out,
    )


def _grid(table: str | Path, format: str) -> Grid:
    if isinstance(table, str) and "\n" in table:
        return grids.read_grid("the text", table, format)
    if not isinstance(table, str | Path):
        raise OptionError(f"table must be a file or the text of a table, not {type(table).__name__}.")
    source, _ = load(File(Path(table), optional=False))
    text = workbook.text_of(source) if workbook.EXCEL.sniff(source.data) else source.text()
    return grids.read_grid(source.place, text, format, source.suffix)


FilledPlace = tuple[MeasuredPlace, PrintedCell, PrintedCell | None]
"""A place, the numbers of its cell, and those of the cell of its spread, if it has one of its own."""


def _filled_cells(place: str, layout: Layout, unit: str) -> list[FilledPlace]:
    places = [p for p in layout.places if not (is_compared(p.row.name) or is_compared(p.column.name))]
    both = [(p, printed_cell(place, p.entry), printed_cell(place, p.spread) if p.spread else None) for p in places]
    filled = [(p, cell, width) for p, cell, width in both if cell is not None]
    if unit != "run":
        refuse_spreads(place, [(p.entry, cell) for p, cell, _ in filled], unit)
        return filled
    if (count := next((p.entry for p, cell, _ in filled if cell.form == "count"), None)) is not None:
        raise DataError(
            f"{at(place, count)}: {count.text!r} counts successes; use {option('unit', 'episode')}, or {option('unit', 'item')} if all "
            "algorithms answered the same items."
        )
    if all(cell.form == "mean" and width is None for _, cell, width in filled):
        raise DataError(
            f"{place}: no cell has a ±: means without a spread do not show whether a difference is more than chance. If they are success "
            f"rates, use {option('unit', 'item')} (models on the same items) or {option('unit', 'episode')} (rollouts), and their number by "
            f"{option('n_runs')}."
        )
    one_form(place, [(p.entry, cell) for p, cell, _ in filled])
    return filled


def _spread(
    grid: Grid, filled: Sequence[FilledPlace], cells: Sequence[PublishedCell], named: str | None, stated: str
) -> tuple[str | None, list[str]]:
    """Return the meaning of ±, if labels or intervals give it, and notes; refuse ambiguous parentheses and subscripts."""
    first = {cell.form: (p.entry, cell) for p, cell, _ in reversed(filled)}
    notes = list(_notes_of_forms(filled))
    if "_" in first and named is None and stated == "unknown" and not any(spreads_in(grid.beside)):
        raise DataError(
            f"{at(grid.place, first['_'][0])}: the subscript of {first['_'][0].text!r} may be a spread, a rank or a number of runs, and nothing "
            f"says so; use {option('spread')} to state what it is."
        )
    if (resampled := f"{stated}_bootstrap") == interval_in(grid.beside):
        stated = resampled
    if "[ ]" not in first:
        return named or (resampled if stated == resampled else None), notes
    entry = first["[ ]"][0]
    # Level and kind from the nearest that names them: the heads, the caller, the cells, the caption.
    kinds = {interval_in(p.entry.text) for p, *_ in filled} - {None}
    kind = named or (stated if stated != "unknown" else next(iter(kinds), None) or interval_in(grid.beside))
    if any(name[:4] != (kind or "")[:4] for name in kinds if name):
        of = named or option("spread", stated) if len(kinds) == 1 else "each other"
        raise DataError(f"{at(grid.place, entry)}: the intervals name another level than {of}; correct one.")
    if kind is None or not kind.startswith("ci"):
        raise DataError(
            f"{at(grid.place, entry)}: {entry.text!r} has an interval with two ends, which may be a range, quartiles or a confidence "
            f"interval of any level; use {option('spread', 'ci95')} (or ci90, ci99) if it is one, or name it in the caption with its level."
        )
    notes.append("Half the width of [low, high], a confidence interval, is read as ±.")
    # t and normal intervals are symmetric about the mean; one that is not, beyond rounding, was made otherwise.
    skew = next((cell for cell in cells if cell.lopsided), None)
    if skew is None or kind.endswith("_bootstrap"):
        return kind, notes
    if "_" in kind:
        raise DataError(
            f"{at(grid.place, skew)}: the interval of {skew.text!r} is not centred on its mean, so it is not a t or normal interval; use "
            f"{option('spread', f'{kind[:4]}_bootstrap')} if it is one of a bootstrap over runs."
        )
    notes.append(
        f"Intervals that are not centred on their means, such as {skew.text!r}, are read as bootstrap intervals over runs."
    )
    return f"{kind}_bootstrap", notes


def _notes_of_forms(filled: Sequence[FilledPlace]) -> Iterator[str]:
    """Yield notes on what was taken for ±, and what was not, if the print leaves it open."""
    beside = next((p.entry.text for p, cell, _ in filled if cell.beside is not None), None)
    if beside is not None:
        yield f"The number behind a spread, as in {beside!r}, is a rank, a number of runs or a citation, and was left out."
    for form, where in (("( )", "parentheses"), ("_", "subscripts")):
        if text := next((p.entry.text for p, cell, _ in filled if cell.form == form), None):
            yield f"The numbers in {where}, as in {text!r}, were read as ±."
    if share := next((p.entry.text for p, cell, _ in filled if cell.percent == "spread"), None):
        yield f"In {share!r} the % was read as that of both numbers."


def _cells(
    place: str, layout: Layout, filled: Sequence[FilledPlace], reading: TableOptions, turned: bool
) -> list[PublishedCell]:
    printed = [
        (text, p.entry)
        for p, *both in filled
        for cell in both
        if cell is not None
        for text in (cell.mean, cell.spread, *(cell.ends or ()))
        if text is not None
    ]
    decimal = decimal_mark(printed, place, reading.decimal)
    # 1.234 ± 56 in a table without commas: the point most likely parts thousands.
    for p, cell, width in filled if (reading.decimal, decimal) == ("auto", ".") else ():
        if spread := cell.spread or (width.mean if width is not None else None):
            check_thousands(place, p.entry, cell.mean, spread)
    if isinstance(reading.n, Mapping):
        names = {label.name for label in (*layout.rows, *layout.columns)}
        for name in reading.n:
            if name not in names:
                raise OptionError(
                    f"{option('n_runs')} names {name!r}, which the table does not have.{nearest(name, names)}"
                )
    return [_cell(place, place_of_cell, reading, decimal=decimal, turned=turned) for place_of_cell in filled]


def _cell(place: str, filled: FilledPlace, reading: TableOptions, *, decimal: str, turned: bool) -> PublishedCell:
    p, cell, width = filled
    measured = measured_cell(place, p.entry, cell, decimal)
    mean, spread = measured.mean, measured.spread
    if cell.of is not None:
        mean = PublishedNumber(mean.value / float(cell.of), 0.0)
    if p.spread is not None:
        spread = _own_column(place, p.spread, cell, width, mean, decimal=decimal, in_percent="%" in p.entry.text)
    algorithm, task = (p.column, p.row) if turned else (p.row, p.column)
    return PublishedCell(
        algorithm=algorithm.name,
        task=task.name,
        mean=mean.value,
        spread=None if spread is None else spread.value,
        mean_unit=mean.unit,
        spread_unit=0.0 if spread is None else spread.unit,
        n=counted_of(place, p.entry, cell.of, _runs(place, p, (algorithm, task), reading, decimal)),
        bold=bool(p.entry.bold),
        text=p.entry.text if p.spread is None else f"{p.entry.text} ± {p.spread.text}",
        line=p.entry.line,
        column=p.entry.column,
        ends=measured.ends,
    )


def _own_column(
    place: str,
    entry: PrintedEntry,
    mean: PrintedCell,
    width: PrintedCell | None,
    value: PublishedNumber,
    *,
    decimal: str,
    in_percent: bool,
) -> PublishedNumber | None:
    if mean.ends is not None or mean.spread is not None or (width is not None and width.spread is not None):
        what = f"{at(place, entry)}: a ± stands in a cell, and the table has columns of spreads too; keep one of them."
        raise DataError(what)
    if width is None:
        return None
    spread = read_number(width.mean, decimal, at(place, entry))
    where, text = at(place, entry), f"{mean.mean} ± {entry.text}"
    check_spread(where, text, mean.mean, width.mean, (value, spread))
    check_percent(where, text, "spread" if "%" in entry.text and not in_percent else "", (value, spread))
    return spread


def _runs(place: str, p: MeasuredPlace, labels: tuple[Label, Label], reading: TableOptions, decimal: str) -> int | None:
    """Return the number of runs of a cell from a header, a column or the caller; None if none gives it."""
    counts = {label.n for label in labels if label.n is not None}
    if p.n is not None and p.n.text:
        number = read_number(p.n.text, decimal, at(place, p.n)).value
        if number != int(number):
            raise DataError(f"{at(place, p.n)}: a number of runs must be whole, not {p.n.text!r}.")
        counts.add(int(number))
    stated = reading.n
    own = [stated[label.name] for label in labels if label.name in stated] if isinstance(stated, Mapping) else [stated]
    counts |= {check_count("n", n) for n in own if n is not None}
    if len(counts) > 1:
        given = " and ".join(map(str, sorted(counts)))
        message = f"{at(place, p.entry)}: the number of runs of this entry is given as {given}; give one number."
        raise DataError(message)
    n = next(iter(counts), None)
    if n is not None and n < 2 and not reading.rates:
        message = f"{at(place, p.entry)}: n = {n}: a single run has no spread, so no test of it is possible; at least 2 runs are needed."
        raise DataError(message)
    return n


def _as_precise(
    cells: list[PublishedCell], format: str, rates: bool
) -> tuple[list[PublishedCell], list[tuple[str, str, float]]]:
    """Return the cells with the precision shown by all numbers of their task, and (what, task, place) of the numbers taken as rounded.

    Print keeps trailing zeros; programs drop them, so that 0.5 in a CSV file may be 0.500. Whole numbers that all end in zeros were rounded
    to that place: for k exact numbers this happens by chance in one of 10ᵏ tables.
    """
    rounded: list[tuple[str, str, float]] = []
    for what, number, unit in (("means", "mean", "mean_unit"), ("±", "spread", "spread_unit")):
        columns: dict[str, list[tuple[float, float]]] = {}
        for cell in cells:
            printed = cell.ends if what == "±" and cell.ends is not None else (getattr(cell, number),)
            for value in printed:
                if value is not None:
                    columns.setdefault(cell.task, []).append((value, getattr(cell, unit)))
        # By task, for a table may print returns of one in thousands and success rates of another.
        # Rates in per cent may all end in zeros because few were counted: 70 of 10 episodes.
        places = {} if rates else {t: place for t, own in columns.items() if (place := _place(own)) > 1}
        least = (
            {task: min(own for _, own in numbers) for task, numbers in columns.items()}
            if format in ("csv", "tsv")
            else {}
        )
        units = [max(least.get(c.task, getattr(c, unit)), places.get(c.task, 0.0)) for c in cells]
        cells = [replace(cell, **{unit: own}) for cell, own in zip(cells, units, strict=True)]
        rounded += [(what, task, place) for task, place in places.items()]
    return cells, rounded


def _place(numbers: Sequence[tuple[float, float]]) -> float:
    """Return 10, 100, … if whole numbers (value, unit) all end in that many zeros, otherwise 1."""
    place = 1.0
    if all(unit >= 1 for _, unit in numbers) and any(value for value, _ in numbers):
        while all(value % (10 * place) == 0 for value, _ in numbers):
            place *= 10
    return place


# ── conditions ──────────


def one_form(place: str, printed: Sequence[tuple[PrintedEntry, PrintedCell]]) -> None:
    """Refuse a table with some spreads after ± and others in parentheses."""
    forms: dict[str, PrintedEntry] = {}
    for entry, cell in printed:
        if cell.form != "mean":
            forms.setdefault(cell.form, entry)
    if len(forms) > 1:
        first, second = forms.values()
        raise DataError(
            f"{at(place, second)}: {second.text!r} and, on line {first.line}, column {first.column}, {first.text!r} differ in form, so that ± "
            "and parentheses may mean two things; write all cells alike."
        )


def labels_by_name(place: str, labels: Iterable[Label], what: str) -> dict[str, Label]:
    """Return labels by name; refuse a repeated name."""
    by_name: dict[str, Label] = {}
    for label in labels:
        if label.name in by_name:
            first = by_name[label.name].entry
            raise DataError(
                f"{at(place, label.entry)}: the {what} {label.name!r} is there twice, first on line {first.line}, column {first.column}; give "
                "each its own name."
            )
        by_name[label.name] = label
    return by_name


def without_bare(cells: Sequence[PublishedCell]) -> tuple[list[PublishedCell], list[str]]:
    """Return the cells of the tasks and algorithms with a spread in some cell, and the names of the others."""
    sides = [[(cell.task, cell.spread) for cell in cells], [(cell.algorithm, cell.spread) for cell in cells]]
    tasks, algorithms = ({name for name, spread in side if spread is not None} for side in sides)
    bare = [name for side, kept in zip(sides, (tasks, algorithms), strict=True) for name, _ in side if name not in kept]
    return [c for c in cells if c.task in tasks and c.algorithm in algorithms], list(dict.fromkeys(bare))


def check_cells(
    place: str, algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[PublishedCell], *, accept_wide: bool
) -> None:
    """Refuse a table of one algorithm, repeated cells, numbers of runs for some cells only, mixed units, and an implausible ±."""
    if len(algorithms) < 2:
        with_spread = " with a ±" if any(cell.spread is not None for cell in cells) else ""
        raise DesignError(f"{place}: there is one algorithm{with_spread}, {algorithms[0]!r}; a claim needs two.")
    repeated = [key for key, n in Counter((c.algorithm, c.task) for c in cells).items() if n > 1]
    if repeated:
        raise DataError(f"{place}: {repeated[0][0]!r} on {repeated[0][1]!r} is there twice; keep one.")
    counted = [cell for cell in cells if cell.n is not None]
    # Half a table with n would be tested and the other half not, which nobody would see in the count of claims.
    if counted and len(counted) < len(cells):
        cell = next(cell for cell in cells if cell.n is None)
        what = (
            f"{at(place, cell)}: this entry has no number of runs, but others have one; use {option('n_runs')} for all."
        )
        raise DataError(what)
    for task in tasks:
        own = [cell for cell in cells if cell.task == task]
        percent, other = ([cell for cell in own if ("%" in cell.text) == of_hundred] for of_hundred in (True, False))
        if percent and other:
            raise DataError(
                f"{at(place, percent[0])}: {percent[0].text!r} is a percentage, and {other[0].text!r} on line {other[0].line}, column "
                f"{other[0].column}, on the same task, is not; write both in one unit, or leave one out."
            )
        means = [cell.mean for cell in own]
        # Scores may all be near 0 or negative, so that the range of means counts as well as their size.
        reach = max(max(map(abs, means)), max(means) - min(means))
        wide = next((cell for cell in own if cell.spread is not None and cell.spread > reach), None)
        if wide is not None and not accept_wide:
            raise DataError(
                f"{at(place, wide)}: the ± of {wide.text!r} is larger than any mean on {task!r}, so that it may be a slip or read "
                f"wrongly; if it is right, use {choice('accept_wide=True', '--accept-wide')}."
            )


def why_no_average(cells: Sequence[PublishedCell], tasks: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return notes on why an average over tasks is meaningless; none if it is meaningful."""
    if len(tasks) < 2:
        return []
    percent = {cell.task for cell in cells if "%" in cell.text}
    if 0 < len(lower) < len(tasks):
        return ["No average over tasks was made: lower is better on some and higher on others, so their units differ."]
    if 0 < len(percent) < len(tasks):
        return ["No average over tasks was made: some are percentages and others are not."]
    costs = dict.fromkeys(level for task in tasks for level in task.split(" / ") if direction(level) == "lower")
    if len(costs) > 1:
        return [
            f"No average over tasks was made: {' and '.join(costs)} are different costs, so their units may differ."
        ]
    if 0 < sum(map(is_cost, tasks)) < len(tasks):
        return ["No average over tasks was made: some are costs and others scores, so their units differ."]
    return ["No average was made over columns or rows that are sums themselves."] if all(map(is_sum, tasks)) else []
