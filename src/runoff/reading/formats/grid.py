"""Conversion of grids of cells to tables: a sheet, or a text, is cut into blocks; blocks of runs are read as one table, and a warning names
the others.

A block has its own header, below a title or an empty row, or next to another block. Blocks of a grid and sheets of a workbook are both
called parts: parts with summaries, settings or remarks are left out with a warning, and parts with the same headers are joined if their
names show their role.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.errors import DataError, OptionError, warn
from runoff.reading._known import has_algorithm, meaning_of, says_nothing
from runoff.reading._named_texts import names_in_texts
from runoff.reading.formats.base import Source
from runoff.reading.formats.sheets import says_less_of
from runoff.tables.columns import NAMED, an, listed, not_there, playing, roles_of, summed_up
from runoff.tables.likely import candidates
from runoff.tables.missing import warn_of_less
from runoff.tables.numerals import has_decimal_comma
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import CIRCUMSTANCES, LIKE_TASKS
from runoff.tables.values import parsed
from runoff.words.costs import says_less
from runoff.words.labels import (
    KINDS_OF_DATA,
    SETTINGS,
    has_setting,
    is_ablation,
    is_amount,
    is_spread,
    is_summary,
    main_kind,
    run_of,
)
from runoff.words.measured import common_measure
from runoff.words.patterns import regex
from runoff.words.speech import column, option
from runoff.words.words import IN_BRACKETS, canonical, vocabulary, words

GridRow = Sequence[str]
GridReader = Callable[[Source, Sequence[GridRow]], SourceTable]
"""The function that reads the rows of one block."""
LIKE_NUMBERS = regex(r"\s*[-+\u2212(\[]?[.,]?\d")
"""The beginning of a number, a count, a list or a percentage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPart:
    """A sheet, or a block with the title above it; its rows are at their places in the grid, below empty ones."""

    name: str
    rows: Sequence[GridRow]

    @property
    def table(self) -> list[GridRow]:
        """The rows with several cells, the header first."""
        return [row for row in self.rows if len(_filled(row)) > 1]

    @property
    def heads(self) -> list[str]:
        return _filled(self.table[0]) if self.table else []


def _filled(row: GridRow) -> list[str]:
    return [cell.strip() for cell in row if cell.strip()]


def as_text(rows: Sequence[GridRow], separator: str = ",") -> bytes:
    """Return rows as a text of fields, one line each."""
    text = io.StringIO()
    lines = ([" ".join(cell.split("\n")) for cell in row] if any(map(str.strip, row)) else [] for row in rows)
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def table_of(source: Source, rows: Sequence[GridRow], read: GridReader) -> SourceTable:
    """Return the table of a grid, from all its blocks that contain runs."""
    blocks = blocks_of(rows)
    if len(blocks) > 1:
        table = of_parts(source, blocks, "table", read)
        first = next(at for at, row in enumerate(blocks[0].rows) if row)
        above = [_filled(row)[0] for row in rows[:first] if len(_filled(row)) == 1]
        # The last title is that of the first table.
        less = says_less_of(source.place, [title for title in above if title != blocks[0].name], table.columns)
        return replace(table, less=less or table.less)
    single(source)
    return read(source, rows)


# ── cutting ──────────


def blocks_of(rows: Sequence[GridRow]) -> list[GridPart]:
    """Return the blocks of a grid, next to each other and below each other; a single block if nothing divides it."""
    blocks = [block for piece in _beside(rows) for block in _below(piece)]
    heads = blocks[0].heads if blocks else []
    alike = all(block.heads == heads and not block.name for block in blocks)
    # A head that stands there again without any title is that of a file that was put together, where each row says what it is.
    appended = alike and all(candidates(heads, role) for role in ("algorithm", "run", "score"))
    return [GridPart(name="", rows=rows)] if len(blocks) < 2 or appended else blocks


def _below(rows: Sequence[GridRow]) -> Iterator[GridPart]:
    """Yield the blocks of a grid from top to bottom: each begins with a header below a title or an empty row."""
    starts: list[tuple[int, str]] = []
    heads: set[str] = set()
    title, fresh, numbers = "", True, False
    for at, row in enumerate(rows):
        filled = _filled(row)
        # A rule of a text parts nothing.
        if row and not filled:
            continue
        if len(filled) < 2:
            title, fresh = filled[0] if filled and parsed(filled[0]) is None else title, True
            continue
        below = next((_filled(later) for later in rows[at + 1 :] if _filled(later)), [])
        again = {*filled} == heads and len(heads) == len(filled)
        # Where rows hold no numbers a head is known by standing there again.
        if not starts or (fresh and (again or (numbers and _is_head(filled, below, titled=bool(title))))):
            heads = heads or {*filled}
            starts.append((at, title))
            numbers = False
        else:
            numbers = numbers or any(map(LIKE_NUMBERS.match, filled))
        title, fresh = "", False
    ends = [*(at for at, _ in starts[1:]), len(rows)]
    for (at, name), end in zip(starts, ends, strict=False):
        yield GridPart(name=name, rows=[*([[]] * at), *_without_last_title(rows, at, end)])


def _without_last_title(rows: Sequence[GridRow], at: int, end: int) -> list[GridRow]:
    """Return the rows of a block without the title of the next."""
    while end < len(rows) and len(_filled(rows[end - 1])) < 2:
        end -= 1
    return list(rows[at:end])


def _is_head(row: GridRow, below: GridRow, *, titled: bool) -> bool:
    """Return whether cells are different names above numbers or below a title."""
    named = len({*row}) == len(row) and not any(map(LIKE_NUMBERS.match, row))
    return named and len(below) > 1 and (titled or any(map(LIKE_NUMBERS.match, below)))


def single(source: Source) -> None:
    """Refuse the name of a table if there is only one."""
    if source.table is not None:
        raise OptionError(
            f"{option('table', source.table)} names a table of a database, or of a text that has several, and {source.place} has one; leave it "
            "out."
        )


def _beside(rows: Sequence[GridRow]) -> list[Sequence[GridRow]]:
    """Return the grids that empty columns separate, if each begins with the same header; otherwise the whole."""
    width = max(map(len, rows), default=0)
    used = [any(at < len(row) and row[at].strip() for row in rows) for at in range(width)]
    starts = [at for at in range(width) if used[at] and (at == 0 or not used[at - 1])]
    ends = [at for at in range(1, width + 1) if used[at - 1] and (at == width or not used[at])]
    pieces = [[row[start:end] for row in rows] for start, end in zip(starts, ends, strict=True)]
    first = [next((row[0] for row in piece if len(_filled(row)) > 1), "") for piece in pieces]
    return list(pieces) if len(pieces) > 1 and all(first) and len({*first}) == 1 else [rows]


# ── what parts are ──────────

NO_RUNS = {
    "sums up others": vocabulary(
        "summary summaries overview aggregate aggregated aggregates statistics stats averages means leaderboard mittelwerte "
        "übersicht zusammenfassung résumé synthèse resumen riepilogo resumo overzicht сводка обзор 汇总 概要 まとめ 요약"
    ),
    "holds settings": vocabulary(
        "hyperparameters hyperparameter hyperparams hparams parameters params config configs configuration settings setup hardware"
    ),
    "holds remarks": vocabulary(
        "readme note notes info about legend todo changelog log comments remarks contents plots charts chart"
    ),
}
"""Words in names of parts without runs, by their purpose."""
OF_SETTINGS = vocabulary("hyperparameter parameter param setting option key hparam")
"""Words of a header above the names of settings."""


def _no_runs(part: GridPart) -> str:
    """Return the reason why a part contains no runs, by its name or its cells; "" if it may contain some."""
    table, named = part.table, {*words(part.name)}
    if len(table) < 2 or not any(map(LIKE_NUMBERS.match, (cell for row in table[1:] for cell in row))):
        return "holds no table of numbers"
    by_name = next((why for why, own in NO_RUNS.items() if named & own), "")
    labels = [_filled(row)[0] for row in table[1:]]
    set_by = list(filter(has_setting, labels))
    if by_name:
        return by_name
    if OF_SETTINGS.intersection(words(part.heads[0])) or 2 * len(set_by) > len(labels):
        return "holds settings"
    widths = [head for head in part.heads if is_spread(re.split(r"[ _.:-]", head)[-1])]
    # Means and spreads stand beside the runs of a row as well.
    summed = (widths or summed_up(part.heads)) and all(run_of(head) is None for head in _no_sums(part.heads))
    return "sums up others" if is_summary(part.name) or summed else ""


def _no_sums(heads: Sequence[str]) -> list[str]:
    """Return the heads of what is neither a summary nor a label."""
    return [head for head in heads if not is_summary(head) and not roles_of(head)]


def of_parts(source: Source, parts: Sequence[GridPart], what: str, read: GridReader) -> SourceTable:
    """Return the table of several parts (`what`: sheet, or table); raise a `DataError` that asks for one of them, or for their role, if that
    is open."""
    chosen = source.sheet if what == "sheet" else source.table
    numbers = [cell for part in parts for row in part.table for cell in row if LIKE_NUMBERS.match(cell)]
    source = replace(source, by_commas=has_decimal_comma(numbers))
    if chosen is not None:
        return _of_one(source, parts, what, chosen, read)
    reasons = {at: why for at, part in enumerate(parts) if (why := _no_runs(part))}
    reasons = {} if len(reasons) == len(parts) else reasons
    scored = [at for at, part in enumerate(parts) if at not in reasons and candidates(part.heads, "score")]
    # Beside the one table with a column of scores others of other heads, below a title of their own, are none of runs.
    if len(scored) == 1 and what == "table":
        unlike = [at for at, part in enumerate(parts) if sorted(part.heads) != sorted(parts[scored[0]].heads)]
        unlike = [at for at in unlike if parts[at].name and not _name_runs(parts[at].heads)]
        reasons |= {at: "has no column of scores" for at in unlike if at not in reasons}
    summed = [at for at, part in enumerate(parts) if at not in reasons and summed_up(part.heads)]
    # Runs beside their means are read where no other part has a row for each.
    if {*scored}.difference(summed):
        reasons |= dict.fromkeys(summed, "sums up others")
    reasons |= _unlike([(at, part) for at, part in enumerate(parts) if at not in reasons])
    runs = [part for at, part in enumerate(parts) if at not in reasons]
    notes = [f"left out: {what} {_called(parts, at)}, which {why}" for at, why in reasons.items()]
    if len(runs) == 1:
        table = _read_part(_of_part(source, runs[0], what, alone=len(parts) == 1), runs[0], read)
    else:
        names, named = _names_of(source, runs, what)
        tables = [_read_part(_of_part(source, part, what, alone=False), part, read) for part in runs]
        table = _joined(source, names, named, tables, what)
    for note in notes:
        warn(f"{source.place}: {note}")
    return table.noted(*notes)


def _unlike(parts: Sequence[tuple[int, GridPart]]) -> dict[int, str]:
    """Return which parts have other heads than several alike with heads of runs, and a single number beside the names in each row, as the best
    known solutions have."""
    alike = Counter(tuple(sorted(part.heads)) for _, part in parts)
    heads, n = alike.most_common(1)[0]
    if n < 2 or not _name_runs(heads):
        return {}
    return {
        at: "has other columns, and no runs"
        for at, part in parts
        if tuple(sorted(part.heads)) != heads and _has_one_number(part) and not has_algorithm(part.name)
    }


def _name_runs(heads: Sequence[str]) -> bool:
    """Return whether heads name runs, or a column of them; numbers may."""
    return bool(candidates(heads, "run")) or any(run_of(head) is not None or parsed(head) is not None for head in heads)


def _has_one_number(part: GridPart) -> bool:
    """Return whether rows hold names and at most one number, whose head is not that of a run or a score."""
    n_numbers = max(sum(parsed(cell) is not None for cell in _filled(row)) for row in part.table[1:])
    return n_numbers < 2 and not _name_runs(part.heads) and not candidates(part.heads, "score")


def _read_part(source: Source, part: GridPart, read: GridReader) -> SourceTable:
    """Return the table of a part, whose title may say that less is better."""
    table = read(source, part.rows)
    return replace(table, less=table.less or part.name * bool(says_less(part.name)))


def _called(parts: Sequence[GridPart], at: int) -> str:
    return repr(parts[at].name) if parts[at].name else str(at + 1)


def _of_part(source: Source, part: GridPart, what: str, *, alone: bool) -> Source:
    """Return the source of a part, with the selection of a part already made."""
    place = source.place if alone or not part.name else f"{source.place}, {what} {part.name!r}"
    return replace(source, place=place, sheet=None) if what == "sheet" else replace(source, place=place, table=None)


def _of_one(source: Source, parts: Sequence[GridPart], what: str, chosen: str, read: GridReader) -> SourceTable:
    """Return the table of the part that the user names, by its name or its number, with a note on others that may contain runs."""
    names = [part.name for part in parts]
    at = names.index(chosen) if chosen in names else int(chosen) - 1 if chosen.isdecimal() else -1
    if not 0 <= at < len(parts):
        raise not_there(source.place, what, chosen, names)
    table = _read_part(_of_part(source, parts[at], what, alone=len(parts) == 1), parts[at], read)
    others = [_called(parts, i) for i, part in enumerate(parts) if i != at and not _no_runs(part)]
    if not others:
        return table
    note = f"left out: {what}{'s' * (len(others) > 1)} {', '.join(others[:8])}, by request"
    return table.noted(note)


# ── joining ──────────


def _names_of(source: Source, parts: Sequence[GridPart], what: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names of the parts, and these by their role, or by several that each names together (`SAC_Hopper_s1`); raise a `DataError`
    with a question if the names do not show the role, or headers differ."""
    heads = parts[0].heads
    alike = all(sorted(part.heads) == sorted(heads) for part in parts)
    names = [part.name for part in parts]
    by_user = next((role for role in NAMED if what in (source.columns.get(role) or "").split("/")), None)
    if by_user is not None and alike and all(names) and len({*names}) == len(names):
        return names, {by_user: names}
    keys, bare = zip(*map(_key_and_name, names), strict=True)
    role = str(meaning_of(bare))
    if len({*keys}) == 1 and keys[0]:
        role = next((own for own in NAMED if candidates([keys[0]], own)), "")
    # `Agent` beside `Seed 1`, `Seed 2` and their mean.
    of_heads = meaning_of(heads), meaning_of(_no_sums(heads))
    played = {own for own in NAMED if candidates(heads, own) or own in of_heads}
    played |= {"algorithm"} if all(map(_labels_algorithms, parts)) else set()
    free = [own for own in NAMED if own not in played]
    # `1`, `2`, `3` are runs where algorithms and tasks have names.
    role = "run" if role == "number" and free == ["run"] else role
    # Where rows name algorithms and runs, the same below each title, these are what all are compared on.
    role = "task" if free == ["task"] and not _name_no_tasks(bare) else role
    # Beside a known algorithm the others are algorithms as well.
    if role == "None" and "algorithm" in free and any(map(has_algorithm, bare)) and not _name_no_tasks(bare):
        role = "algorithm"
    if alike and role in free and all(bare) and len({*bare}) == len(bare):
        return list(bare), {role: list(bare)}
    texts = [(name.strip(BESIDE_TITLE),) for name in names] if alike and "algorithm" in free else []
    named = texts and not _name_no_tasks(names) and names_in_texts(texts, free, one_run=bool(candidates(heads, "step")))
    if named and len(named) > 1:
        return names, named
    raise _asked_of(source, parts, what, free if alike else [])


def _labels_algorithms(part: GridPart) -> bool:
    """Return whether one of the labels below no head, before the scores of each row, is or ends with a known algorithm."""
    return not part.table[0][0].strip() and any(has_algorithm(row[0]) for row in part.table[1:])


def _share_labels(parts: Sequence[GridPart]) -> bool:
    """Return whether the rows of all parts begin with the same names, which are no tasks by their head, before a score for each run."""
    heads = parts[0].heads
    labels = {tuple(row[0] for row in part.table[1:]) for part in parts}
    tasks = not LIKE_TASKS.isdisjoint(words(heads[0])) or bool(candidates(heads[:1], "task"))
    names = next(iter(labels))
    return (
        len(labels) == 1
        and not tasks
        and meaning_of(_no_sums(heads[1:])) in ("run", "number")
        and not any(map(LIKE_NUMBERS.match, names))
        and meaning_of(names) != "task"
    )


def _name_no_tasks(names: Sequence[str]) -> bool:
    """Return whether titles may be those of parts of the work, or of variants of all algorithms: numbered, dated, `test`, `no dropout`."""
    parts = {word for name in names for word in words(name)}
    about = parts & (CIRCUMSTANCES | SETTINGS | KINDS_OF_DATA | MONTHS)
    stems = {re.sub(r"\d+", "", name).strip(" _-#") for name in names}
    # `Level 1`, `Level 2` are tasks, `Sheet1`, `Sheet2` are not.
    if all(LIKE_TASKS.intersection(words(stem)) or candidates([stem], "task") for stem in stems):
        return False
    numbered = len(stems) == 1 < len(names)
    return bool(about) or numbered or any(says_nothing(name) or is_ablation(name) or is_amount(name) for name in names)


MONTHS = vocabulary(
    "january february march april may june july august september october november december q1 q2 q3 q4 draft old new final"
)
BESIDE_TITLE = " #*"
"""Marks of headings."""
KEYED = regex(r"\s*([^:=]{2,30}?)\s*[:=]\s*(\S.*)")


def _key_and_name(title: str) -> tuple[str, str]:
    """Return the role and the name in a title: `Task: Hopper (1M)` is ("Task", "Hopper"), `PPO results` is ("", "PPO")."""
    match = KEYED.fullmatch(title.strip(BESIDE_TITLE))
    key, name = (match[1], match[2]) if match else ("", title)
    bare = IN_BRACKETS.sub("", name).strip(" #*:=") or name
    kept = [word for word in bare.split() if not says_nothing(word)]
    if not key and len(kept) > 1 and not kept[1].isdigit() and roles_of(kept[0], NAMED[:2]):
        key, kept = kept[0], kept[1:]  # `Task Hopper`
    return key, " ".join(kept) if kept else bare


def _asked_of(source: Source, parts: Sequence[GridPart], what: str, free: Sequence[str]) -> DataError:
    """Return the question which part to read, or what the parts are."""
    called = [_called(parts, at) for at in range(len(parts))]
    # Most numbers stand where the runs are.
    kinds = [canonical(part.name) for part in parts]
    main = main_kind(kinds) if KINDS_OF_DATA.issuperset(kinds) else ""
    most = max(
        [kinds.index(main)] if main else range(len(parts)),
        key=lambda at: sum(map(bool, map(LIKE_NUMBERS.match, (c for row in parts[at].table for c in row)))),
    )
    # A name that several parts have leads to none of them.
    distinct = all(kinds) and len({*kinds}) == len(parts)
    choice = f"name the one to read: {option(what, parts[most].name if distinct else str(most + 1))}"
    # Below each title the same names beside runs are what is compared, unless they are tasks; so are heads that end in one measure.
    measured = [head for head in parts[0].heads if head and not candidates([head], "run")]
    several = len(measured) > 1 and not playing(parts[0].heads, ("algorithm", "task", "score"))
    inside = _share_labels(parts) or common_measure(measured) or several
    free = [own for own in ("task", "algorithm") if own in free] if inside else free
    ways = [f"{column(role, what)} if each is {an(role)}" for role in free] if distinct else []
    # Parts with the same heads are most likely all of one thing.
    repair = f"use {', '.join(ways)}, or {choice}" if ways else choice
    holder = "the workbook has" if what == "sheet" else "the file has"
    return DataError(f"{source.place}: {holder} {len(parts)} {what}s ({', '.join(called[:12])}); {repair}.")


def _joined(
    source: Source, names: Sequence[str], named: Mapping[str, Sequence[str]], tables: Sequence[SourceTable], what: str
) -> SourceTable:
    """Return the rows of parts of one kind below each other, with a column for each role of their names."""
    first = tables[0]
    if any({*table.columns} != {*first.columns} for table in tables):
        raise DataError(
            f"{source.place}: the {what}s {listed(list(names))} have other columns; give them the same, or name the one to read: "
            f"{option(what, names[0])}."
        )
    at = [(table, name, index) for name, table in zip(names, tables, strict=True) for index in range(table.n_rows)]
    columns: dict[str, Sequence[Any]] = {
        what if source.columns.get(role) else role: [
            name for name, table in zip(own, tables, strict=True) for _ in range(table.n_rows)
        ]
        for role, own in named.items()
    }
    columns |= {head: [value for table in tables for value in table.columns[head]] for head in first.columns}
    what_it_is = f"is {an(next(iter(named)))}" if len(named) == 1 else f"names {' and '.join(named)}"
    note = f"each of the {len(names)} {what}s {what_it_is}: {listed(list(names))}"
    stated = [table for table in tables if table.less]
    if 0 < len(stated) < len(tables):
        warn_of_less(stated[0].place, stated[0].less)
    notes = dict.fromkeys(note for table in tables for note in table.notes)

    def row(index: int) -> str:
        table, name, own = at[index]
        return f"{what} {name!r}, {table.row(own)}"

    less = first.less if len(stated) == len(tables) else ""
    return replace(first, place=source.place, columns=columns, row=row, notes=(*notes, note), less=less)
