"""Additions that people make to tables: titles above, a row of units, headers of several lines, merged cells, totals below."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from runoff.errors import DataError, warn
from runoff.reading._known import meaning_of
from runoff.tables.columns import NAMED, ROLES, listed, roles_of
from runoff.tables.labels import Labels, RawColumn, labelled
from runoff.tables.likely import candidates
from runoff.tables.missing import warn_of_less
from runoff.tables.numerals import FOOTNOTE, FRACTION
from runoff.tables.source import SourceTable
from runoff.tables.summaries import sums_up
from runoff.tables.unnamed import CIRCUMSTANCES
from runoff.tables.values import floats, is_empty, is_lost, parsed
from runoff.words.costs import LESS, cost_in, direction, says_less
from runoff.words.labels import counts_runs, is_summary, says_means
from runoff.words.patterns import regex
from runoff.words.speech import LESS_IS_BETTER, call
from runoff.words.words import kind, vocabulary, words

LOOKED_AT = 12
"""The number of first lines of a text in which column names are searched."""
LONGEST_UNIT = 16
"""Letters of a unit."""


def without_titles(data: bytes, separators: Sequence[str]) -> tuple[bytes, list[str]]:
    """Return a text with the single-field lines above its column names blanked out, and these lines."""
    lines = data[:65536].decode("utf-8", "replace").split("\n")[:200]
    marks = "".join(separators)
    filled = [i for i, line in enumerate(lines) if line.strip().strip(marks)][:LOOKED_AT]
    if len(filled) < 3:
        return data, []
    first = lines[filled[0]]
    # A quoted title may hold commas; a quotation mark that is not closed in its line begins a name of several lines.
    if first.count('"') % 2:
        return data, []
    mark = max(separators, key=lambda mark: lines[filled[-1]].count(mark))
    rows = [[field.strip() for field in next(csv.reader([lines[i]], delimiter=mark), [])] for i in filled]
    n_remarks = _n_remarks(rows, filled)
    if not n_remarks and any(_n_fields(first, mark) > 1 for mark in separators):
        return data, []
    widths = [_width(row) for row in rows]
    n_titles = n_remarks or next((i for i, width in enumerate(widths) if width > 1), 0)
    if any(parsed(field) is not None for field in rows[n_titles]) and not _counts_runs(rows[n_titles]):
        return data, []
    # A head of one name above rows of two is no title above a table of one row; a row of units may have one cell.
    if not n_titles or max(widths[n_titles + 1 : n_titles + 3], default=0) < 2:
        return data, []
    end, title = filled[n_titles], rows[n_titles - 1]
    # `Average of return` stands beside `Column Labels`.
    pivoted = rows[n_titles][0].casefold() in ROW_LABELS
    titles = [rows[i][0] if pivoted else lines[filled[i]] for i in range(n_titles)]
    parts = data.split(b"\n", end + 2)
    if (head := _with_names_of_labels(*rows[n_titles : n_titles + 2])) is not None:
        # pandas names the columns of labels in a line of their own, below the names of the others.
        parts[end : end + 2] = b"", mark.join(f'"{name}"' for name in head).encode()
    elif len(title) == len(rows[n_titles]) and candidates([max(title)], "run"):
        # `Seed` over 0, 1, 2.
        heads = [f"{above} {name}".strip() for above, name in zip(title, rows[n_titles], strict=True)]
        parts[end] = mark.join(f'"{name}"' for name in heads).encode()
    return b"\n" * end + b"\n".join(parts[end:]), titles


def _n_remarks(rows: Sequence[Sequence[str]], places: Sequence[int]) -> int:
    """Return the number of first rows that an empty line parts from the column names, if they have fewer cells than these, and sentences or
    keys with values in each row of several; 0 of others. `places`: the lines of the rows.
    """
    if pivot := next((i for i, row in enumerate(rows) if row[0].casefold() in ROW_LABELS), 0):
        return pivot
    gap = next((i for i in range(1, len(rows) - 1) if places[i] > places[i - 1] + 1), 0)
    head, above = list(filter(None, rows[gap])), [list(filter(None, row)) for row in rows[:gap]]
    named = len({*head}) == len(head) and not any(parsed(cell) is not None for cell in head)
    below = any(parsed(cell) is not None or WRITTEN.fullmatch(cell) for cell in rows[gap + 1]) if gap else False
    remarks = all(len(row) == 1 or all(":" in cell for cell in row) or any(map(is_remark, row)) for row in above)
    # `Algorithm: PPO` says what the rows below lack.
    keys = [cell.partition(":")[0].strip() for row in above for cell in row if ":" in cell]
    remarks = remarks and not any(map(roles_of, keys))
    return gap if named and below and remarks and all(len(row) < len(head) for row in above) else 0


def _with_names_of_labels(names: Sequence[str], labels: Sequence[str]) -> list[str] | None:
    """Return the names of all columns where those of labels stand in the line below the others; None elsewhere."""
    n = sum(map(bool, labels))
    named = all(map(roles_of, labels[:n]))
    return [*labels[:n], *names[n:]] if not any(labels[n:]) and named else None


def _counts_runs(heads: Sequence[str]) -> bool:
    """Return whether the numbers among column names count runs from 0 or 1, as no row of scores does."""
    numbers = [head for head in heads if parsed(head) is not None]
    counted = [str(first + i) for first in (0, 1) for i in range(len(numbers))]
    return len(numbers) < len(heads) and numbers in (counted[: len(numbers)], counted[len(numbers) :])


SPREAD = regex(r"\d\s*(?:±|\+/-|\\pm)\s*\d")
"""A mean and its spread."""


def refuse_means(place: str, titles: Sequence[str], first: Mapping[str, Sequence[Any]]) -> None:
    """Refuse a table without a run column whose title says that it contains means over runs, because each would count as one run; first: its
    first cells. Those with a ± are refused later, with the command that judges them."""
    title = next(filter(says_means, titles), None)
    spread = any(SPREAD.search(str(cell)) for cells in first.values() for cell in cells)
    if title is not None and not candidates([*first], "run") and not spread:
        raise DataError(
            f"{place}: the line {title[:80]!r} above the table says that its numbers are means over runs, and a mean is not a run; give the "
            f"scores of the runs, use {call('claims')} if each mean has a ±, or delete the line if each row is one run."
        )


POINTING = vocabulary("below following next see here down scroll downloaded unten siehe folgende")
"""Words of a line whose arrow points at what stands below it."""


def says_less_of(place: str, titles: Sequence[str], heads: Iterable[str] = ()) -> str:
    """Return the line beside a table that says that less is better, if none says that more is; warn of one that only names a cost, which no
    column, of these heads, does, and of both."""
    less, cost = next(filter(LESS.search, titles), ""), next(filter(cost_in, titles), "")
    title = (less or cost).strip('"# ,;')[:80]
    # `Results below ↓`
    points = says_less(re.sub("[a-zA-Z]", "", less)) and not POINTING.isdisjoint(words(less))
    if less and says_less("\n".join(titles)) and not points:
        return title
    if less:
        warn_of_less(place, title)
    elif title and not any(direction(head) == "lower" for head in heads):
        warn(f"{place}: the line {title!r} names a cost: if less is better, give {LESS_IS_BETTER}")
    return ""


def of_scores(titles: Sequence[str]) -> str:
    """Return the first line above a table, or comment, that names a score, which all its columns hold; "" if there is none."""
    stripped = (title.strip('"# ,;') for title in titles)
    return next(
        (title for title in stripped if any(kind(part) == "score" for part in re.split(r"[,;:|#–—]", title))), ""
    )


def _n_fields(line: str, mark: str) -> int:
    return _width([field.strip() for field in next(csv.reader([line], delimiter=mark), [])])


def _width(row: Sequence[str]) -> int:
    """Return the number of names in a row; a word for the scores, or for what the names below are, is a title however often it stands there."""
    filled = list(filter(None, row))
    title = len({*filled}) == 1 < len(filled) < len(row) and bool(roles_of(filled[0], ROLES))
    return 1 if title else len(filled)


def swept(table: SourceTable) -> SourceTable:
    """Return a table without a row of units below its head and totals below its rows, merged cells filled down."""
    if table.n_rows < 2:
        return table
    for sweep in (_of_pivot, _of_frame, _without_units, _without_counts, _without_totals, _of_sections, _filled_down):
        table = sweep(table)
    return table


def _of_frame(table: SourceTable) -> SourceTable:
    """Return the table without a first column of nothing, above whose cells pandas writes what the other heads are of."""
    first, *others = table.columns
    empty = roles_of(first, ("algorithm", "task")) and all(map(is_empty, table.columns[first]))
    # Of a tidy table the names are lost, and would be pooled.
    if not empty or len(others) < 2 or candidates(others, "score"):
        return table
    return table.noted(f"left out: column {first!r}, which is empty", columns=table.others(first))


IN_BRACKETS = regex(r"\[.*\]|\(.*\)")
WRITTEN = regex(r"\s*[-+\u2212]?\d[\d.,'\u2019\u00a0\u202f ]{0,40}%?\s*")


def _without_units(table: SourceTable) -> SourceTable:
    first = {name: str(values[0]).strip() for name, values in table.columns.items()}
    units = {name: text for name, text in first.items() if text.strip("-\u2013\u2014")}
    text = next(iter(units.values()), "")
    if (
        len(units) == 1
        and len(first) > 1
        and text == next(iter(first.values()))
        and re.fullmatch(r"[(\[].*[)\]]", text)
    ):
        # `(mean ± std over 5 seeds)` alone below the head is a title.
        if any(floats(values[1:]) is not None for values in table.columns.values()):
            refuse_means(table.place, [text], dict.fromkeys(first, ()))
        bare = table.some_rows(np.arange(1, table.n_rows), f"left out: a line below the column names, {text[:60]!r}")
        return replace(
            bare,
            titled=bare.titled or of_scores([text.strip("()[]")]),
            less=bare.less or says_less_of(table.place, [text]),
        )
    below = {name: [value for value in table.columns[name][1:50] if not is_empty(value)] for name in units}
    bracketed = all(IN_BRACKETS.fullmatch(text) for text in units.values())
    labels_empty = len(units) < len(first) or bracketed
    if not _are_units(units, below, bracketed=bracketed) or not labels_empty:
        return table
    note = f"left out: a row of units below the column names ({', '.join(units.values())[:60]})"
    bare = table.some_rows(np.arange(1, table.n_rows), note)
    # Percentages below several names are of one score, as a title above says; seconds may be costs.
    distinct = {unit.strip("[]() ") for unit in units.values()}
    unit = distinct.pop() if len(distinct) == 1 else ""
    percent = "%" * (len(units) > 1 and unit == "%")
    cost = unit if direction(unit) == "lower" else ""
    return replace(bare, titled=bare.titled or (unit if kind(unit) == "score" else percent), less=bare.less or cost)


def _are_units(units: Mapping[str, str], below: Mapping[str, Sequence[Any]], *, bracketed: bool) -> bool:
    """Return whether short texts, one for each column, stand above numbers; in brackets they may stand above names."""
    numbers = [
        name
        for name, cells in below.items()
        if cells and all(parsed(value) is not None or _is_written_number(str(value)) for value in cells)
    ]
    return all(
        len(text) <= LONGEST_UNIT and parsed(text) is None and (name in numbers or bracketed)
        for name, text in units.items()
    )


def _is_written_number(text: str) -> bool:
    """Return whether a text is a number with a decimal comma, marks of thousands or a footnote, or says that there is none: `2065.0*`."""
    return WRITTEN.fullmatch(FOOTNOTE.sub("", text)) is not None or is_lost(text)


MOST_CHECKED = 10_000
"""The largest number of rows without a label that are checked one by one: a spreadsheet has few totals."""
NOTE = regex(r"(?:[*†‡#]|[-=]{2}|note\b|notes\b).*|\S+(?:\s+\S+){3,}", re.IGNORECASE | re.DOTALL)
"""A remark alone below a table: a footnote mark, or at least four words."""


def _without_totals(table: SourceTable) -> SourceTable:
    """Return a table without remarks below its rows, and without summary rows: these begin with a word for a summary, alone or after a label
    of the rows (`Hopper mean`), lack a label that the first row has, and have a score in the last column, or stand below numbers (`mean` below
    the seeds 0, 1, 2).
    """
    labelled_first = [values for values in table.columns.values() if not is_empty(values[0])]
    empty = [_empty(values) for values in labelled_first]
    rows: list[int] = np.flatnonzero(np.any(empty, axis=0)).tolist()
    if not 0 < len(rows) <= MOST_CHECKED:
        return table
    first = next(iter(table.columns.values()))
    others = {str(value).strip() for value in first}
    remarks = _remarks(table, rows)
    sums: dict[int, str] = {}
    counted = all(
        parsed(value) is not None or is_empty(value) or is_summary(str(value)) for value in first[:MOST_CHECKED]
    )
    # Below attempts a total has one label, and one number under their outcomes.
    bare = np.sum(empty, axis=0) >= max(3, len(empty) - 2)
    for row in (row for row in rows if row not in remarks and (counted or bare[row] or not empty[-1][row])):
        texts = [str(values[row]).strip() for values in table.columns.values()]
        label = next(filter(None, texts), "")
        # `TOTAL réussites`; a run may be scored by what is called so, and has labels beside it.
        total = is_summary(label.split()[0]) and kind(label) == "score" if label else False
        # A formula without a stored value leaves `Average` alone in its row.
        bears = is_summary(label) or (
            sum(map(bool, texts)) > 1 and (counts_runs(label) or _sums_up(label, others) or total)
        )
        if bears:
            sums[row] = label
    # A label that names whole rows too is that of an algorithm, of which a score is missing here.
    some = np.flatnonzero(~np.any(empty, axis=0)).tolist() if sums else []
    whole = {values[row] for values in labelled_first[:-1] for row in some}
    sums = {row: label for row, label in sums.items() if label not in whole}
    left = np.setdiff1d(np.arange(table.n_rows), [*sums, *remarks])
    # Of a table of one row nothing says what a total or a remark is.
    if left.size == table.n_rows or left.size < 2:
        return table
    notes = [f"left out: {len(sums)} row(s) of the table that sum up others"] if sums else []
    notes += [f"left out: {len(remarks)} row(s) that hold a remark"] if remarks else []
    return table.some_rows(left).warned(*notes)


def _without_counts(table: SourceTable) -> SourceTable:
    """Return a table without a last row that a label calls a total, if each of its counts of successes, 16/50, is the sum of those above it."""
    last = [str(values[-1]) for values in table.columns.values()]
    columns = [own for own, text in zip(table.columns.values(), last, strict=True) if FRACTION.fullmatch(text)]
    counts = [[FRACTION.fullmatch(str(value)) for value in values] for values in columns]
    pairs = [[(int(match[1]), int(match[2])) for match in own if match] for own in counts]
    summed = all(tuple(map(sum, zip(*own[:-1], strict=True))) == own[-1] for own in pairs)
    if not pairs or not summed or table.n_rows < 3 or not any(map(is_summary, last)):
        return table
    note = f"left out: {table.row(table.n_rows - 1)}, whose counts are the sums of those above ({next(filter(is_summary, last))!r})"
    return table.some_rows(np.arange(table.n_rows - 1)).warned(note)


def is_remark(text: str) -> bool:
    """Return whether a text that stands alone in a row is a remark."""
    return NOTE.fullmatch(text.strip()) is not None


def _remarks(table: SourceTable, rows: Sequence[int]) -> set[int]:
    """Return the rows with only a remark in their first cell: the last rows, and any row if all columns are labels."""
    first, *others = table.columns.values()
    alone = {row for row in rows if all(is_empty(values[row]) for values in others) and is_remark(str(first[row]))}
    # Elsewhere such a row may be the name of the rows below it.
    if all(candidates(table.columns, role) for role in ("algorithm", "run", "score")):
        return alone
    last = next((row for row in range(table.n_rows - 1, -1, -1) if row not in alone), 0)
    return {row for row in alone if row > last}


def _sums_up(label: str, others: Container[str]) -> bool:
    """Return whether a label is another label with a word for a summary: `Hopper mean`, `Mean Hopper`."""
    head, _, last = label.rpartition(" ")
    word, _, tail = label.partition(" ")
    return (is_summary(last) and head in others) or (is_summary(word) and tail in others)


def _of_sections(table: SourceTable) -> SourceTable:
    """Return a table without section rows, which contain only a name above the rows of the section. The names become the algorithms, or the
    tasks, if they look like them and no column names these; they are left out if the names below are tasks or algorithms, each in a single
    section.
    """
    labels, *others = table.columns.values()
    alone = np.ones(table.n_rows, dtype=np.bool_)
    # From the end, for the scores stand there in most tables.
    for values in reversed(others):
        alone &= _empty(values)
        if not alone[0]:
            return table
    starts = np.flatnonzero(alone)
    # Each has rows below it; what stands alone elsewhere is a note or a row without scores.
    if not others or starts[-1] == table.n_rows - 1 or (np.diff(starts) == 1).any() or parsed(labels[0]) is not None:
        return table
    rows = np.flatnonzero(~alone)
    section = Labels([str(labels[row]) for row in starts.tolist()], np.searchsorted(starts, rows) - 1)
    names = list(map(str, labelled(labels).some_rows(rows)))
    below, shown = table.some_rows(rows), f"rows that hold a name alone ({listed(section.names, 3)})"
    called = _called(table, section.names, names)
    if called is not None:
        note = f"{shown} name the {called} of the rows below them"
        return replace(below, columns={**below.columns, called: section}, notes=(*table.notes, note))
    pairs = {pair for pair in zip(section, names, strict=True) if not is_summary(pair[1])}
    kinds = {meaning_of([name]) for _, name in pairs}
    once = len(pairs) == len({name for _, name in pairs})
    # A task without scores stands alone in its row as well, so that only names of another kind are left out; and a task that stands in
    # several sections is none of them alone.
    if (
        once
        and len(starts) > 1
        and kinds in ({"task"}, {"algorithm"})
        and not kinds & {meaning_of([name]) for name in section.names}
    ):
        return replace(below, notes=(*table.notes, f"left out: {len(starts)} {shown} above those of a section"))
    if meaning_of(names) in ("run", "number") or not once:
        raise DataError(
            f"{table.place}, {table.row(0)}: {shown} stand above other rows, and nothing says what they name; write the name into a column of "
            "its own in each row, headed algorithm or task, or delete these rows if they only group others."
        )
    return table


ROW_LABELS = frozenset(
    {
        "row labels",
        "zeilenbeschriftungen",
        "étiquettes de lignes",
        "etiquetas de fila",
        "etichette di riga",
        "rótulos de linha",
    }
    | {"rijlabels", "названия строк", "行ラベル", "행 레이블", "行标签", "行標籤"}
)
"""What spreadsheets write above the labels of a pivot."""


def _of_pivot(table: SourceTable) -> SourceTable:
    """Return a spreadsheet's pivot without the rows that sum up those below them, whose labels become a column of their own; refuse one whose
    rows do not name runs, for its numbers may be means."""
    first, *others = table.columns
    if first.strip().casefold() not in ROW_LABELS:
        return table
    cells = [str(value) for value in table.columns[first]]
    kept = [row for row, cell in enumerate(cells) if not is_summary(cell)]
    names = {row: cells[row].strip() for row in kept}
    depths, n_times = {len(cells[row]) - len(cells[row].lstrip()) for row in kept}, Counter(names.values())
    outer = [row for row in kept if len(depths) > 1 and not cells[row][0].isspace()]
    if len(depths) == 1 < max(n_times.values()):
        # Indents are lost where cells are copied; what stands below several names is said again.
        outer = [row for row in kept if n_times[names[row]] == 1]
        outer = outer if _sum_up_groups(table, others, kept, outer) else []
    inner = np.setdiff1d(kept, outer)
    labels = {2: [names[row] for row in inner.tolist()]}
    if outer:
        labels = {1: [names[outer[at - 1]] for at in np.searchsorted(outer, inner).tolist()], **labels}
    roles = {at: "run" if (own := meaning_of(labels[at])) == "number" else str(own) for at in labels}
    heads = meaning_of([head for head in others if not is_summary(head)])
    if (
        "run" not in (*roles.values(), heads)
        or len(depths) > 2
        or len({*zip(*labels.values(), strict=True)}) < inner.size
    ):
        raise DataError(
            f"{table.place}: this is a spreadsheet's pivot, and nothing says which of its numbers is the score of one run, for a mean is none; "
            "lay it out with the names and the run in each row (Report Layout: Show in Tabular Form, Repeat All Item Labels)."
        )
    called = {at: role if role in NAMED else f"{first} {at}" for at, role in roles.items()}
    left = ["left out: rows of a pivot that sum up the rows below them, and its totals"] * (inner.size < len(cells))
    bare = table.some_rows(inner, *left)
    columns = {called[at]: own for at, own in labels.items()} | {name: bare.columns[name] for name in others}
    return replace(bare, columns=columns)


def _sum_up_groups(table: SourceTable, heads: Sequence[str], kept: Sequence[int], outer: Sequence[int]) -> bool:
    """Return whether each of some rows has the means, or another statistic, of the rows below it."""
    numbers = [own for name in heads if (own := floats(table.columns[name])) is not None]
    groups = [[row for row in kept if start < row < end] for start, end in pairwise([*outer, table.n_rows])]
    grid = np.array(numbers)
    return bool(numbers) and all(
        own and sums_up(grid[:, row], grid[:, own]) for row, own in zip(outer, groups, strict=True)
    )


def _called(table: SourceTable, sections: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column to which the names of sections belong, None if that is uncertain; `names` are the names below them."""
    first, *heads = table.columns
    # Below a merged cell that has a row of its own nothing stands.
    if not any(names):
        return first
    own = [role for role in NAMED if candidates([first], role)]
    role = str(meaning_of(sections))
    played = role not in NAMED[:2] or role in (*own, meaning_of(heads)) or candidates(table.columns, role)
    return None if played else role


def _empty(values: Sequence[Any] | np.ndarray) -> np.ndarray:
    if isinstance(values, RawColumn):
        return (values.series.str.strip_chars() == "").to_numpy()
    return np.array([is_empty(value) for value in values], dtype=np.bool_)


def _filled_down(table: SourceTable) -> SourceTable:
    """Return a table with the label of a merged cell in each of its rows."""
    columns, merged = dict(table.columns), []
    first = next(iter(columns))
    # The first column parts a sheet whatever it is called, unless it holds remarks.
    labels = [] if kind(first) is not None or CIRCUMSTANCES.intersection(words(first)) else [first]
    labels += _inner_labels(table) if labels else []
    for name in dict.fromkeys([*candidates(columns, "algorithm"), *candidates(columns, "task"), *labels]):
        values = columns[name]
        if isinstance(values, RawColumn) and not (values.series == "").any():
            continue
        filled = _merged(values)
        if filled is not None and any(parsed(value) is None for value in filled):
            columns[name] = filled
            merged.append(name)
    if not merged:
        return table
    note = f"empty cells of column {', '.join(map(repr, merged))} have the label above them, as merged cells have"
    return table.noted(note, columns=columns)


def _inner_labels(table: SourceTable) -> list[str]:
    """Return the second column if it names blocks of rows, all of one length, within those of the first, whatever it is called."""
    outer, inner = [*table.columns, "", ""][:2]
    if inner not in table.columns or kind(inner) is not None or CIRCUMSTANCES.intersection(words(inner)):
        return []
    starts, within = (~_empty(table.columns[name]) for name in (outer, inner))
    lengths = np.diff(np.append(np.flatnonzero(within), table.n_rows))
    nested = bool(within[starts].all()) and 1 < starts.sum() < within.sum() < table.n_rows
    worded = all(parsed(value) is None for value in table.columns[inner])
    return [inner] if nested and np.ptp(lengths) == 0 and worded else []


def _merged(values: Sequence[Any] | np.ndarray) -> list[Any] | None:
    """Return a column with its empty cells filled; None if these are not merged cells: the first is empty, or a label is repeated below
    itself."""
    filled: list[Any] = []
    before = None
    for value in values:
        if is_empty(value):
            if not filled:
                return None
            filled.append(filled[-1])
        else:
            if value == before:
                return None
            before = value
            filled.append(value)
    # As many as labels at least: a single empty cell is a label that is missing.
    n_empty = sum(map(is_empty, values))
    return filled if 2 * n_empty >= len(filled) else None
