"""Workbooks of Excel and LibreOffice: a sheet is read as the table of texts that it shows, numbers as they are stored."""

from __future__ import annotations

import csv
import io
import logging
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError, OptionError, nearest
from runoff.io._known import meaning_of
from runoff.io.formats import delimited
from runoff.io.formats.base import TABLE, Format, Source
from runoff.tables.columns import NAMED, an, candidates, listed
from runoff.tables.tidy import SourceTable
from runoff.tables.values import parsed
from runoff.words.speech import option

OLD = b"\xd0\xcf\x11\xe0"
"""First bytes of workbooks before 2007, and of other documents of their time."""
MOST_HEADS = 12
"""Rows at the head of a sheet below which numbers are looked for."""


def read(source: Source) -> SourceTable:
    """Return the table of a sheet: the only one that holds cells, the one that the user names, or all if each is of an algorithm, a task or
    a run by its name, below the same heads.
    """
    try:
        import fastexcel
    except ModuleNotFoundError as missing:
        raise DataError(
            f"{source.place}: this is a workbook, which needs the package fastexcel: pip install fastexcel, or save the sheet as CSV."
        ) from missing
    _check_size(source)
    # It warns that columns of text and numbers are read as texts, as is meant here.
    logging.getLogger("fastexcel").setLevel(logging.ERROR)
    try:
        book = fastexcel.read_excel(source.data)
        names = list(book.sheet_names)
        if source.sheet is not None and source.sheet not in names:
            message = f"{source.place}: there is no sheet {source.sheet!r}; found {listed(names)}.{nearest(source.sheet, names)}"
            raise OptionError(message)
        cells = {name: _cells(book, name) for name in ([source.sheet] if source.sheet is not None else names)}
    except fastexcel.FastExcelError as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: the workbook is damaged, or locked: {reason}.") from error
    filled = {name: rows for name, rows in cells.items() if any(map(any, rows))}
    if not filled:
        raise DataError(f"{source.place}: the workbook holds no cells.")
    if len(filled) == 1:
        (name, rows), *_ = filled.items()
        sheet, blocks = name if len(names) > 1 else "", _blocks(rows)
        if blocks and (role := _role_of(blocks)):
            return _joined(
                source, {block: _table(source, sheet, rows) for block, rows in blocks.items()}, role, "block"
            )
        return _table(source, sheet, rows)
    role = _role_of(filled)
    if role is None:
        # Most numbers stand where the runs are, and not in a summary or a page of notes.
        most = max(filled, key=lambda name: sum(parsed(cell) is not None for row in filled[name] for cell in row))
        raise DataError(
            f"{source.place}: the workbook has {len(filled)} sheets ({listed(list(filled))}); name the one to read: {option('sheet', most)}."
        )
    return _joined(source, {name: _table(source, name, rows) for name, rows in filled.items()}, role, "sheet")


def _table(source: Source, sheet: str, rows: Sequence[Sequence[str]]) -> SourceTable:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    place = f"{source.place}, sheet {sheet!r}" if sheet else source.place
    table = delimited.read(replace(source, place=place, data=text.getvalue().encode()), separator=",")
    return replace(table, row=lambda index: table.row(index).replace("line", "row"))


def _blocks(rows: Sequence[Sequence[str]]) -> dict[str, list[Sequence[str]]]:
    """Return the rows of blocks below each other, each a name that stands alone above a head, at their places in the sheet."""
    blocks: dict[str, list[Sequence[str]]] = {}
    own: list[Sequence[str]] = []
    for at, row in enumerate(rows):
        filled, below = [cell for cell in row if cell], rows[at + 1] if at + 1 < len(rows) else ()
        if len(filled) == 1 and sum(map(bool, below)) > 1 and not any(parsed(cell) is not None for cell in below):
            own = blocks.setdefault(filled[0], [[]] * (at + 1))
        elif filled:
            own.append(row)
        else:
            own.append([])
    return blocks if len(blocks) > 1 else {}


def _role_of(sheets: Mapping[str, Sequence[Sequence[str]]]) -> str | None:
    """Return what each of several sheets, or blocks, is of by its name; None where that is not certain, or their heads differ or say it too."""
    heads = {tuple(next(row for row in rows if any(row))) for rows in sheets.values()}
    role = meaning_of(sheets)
    if len(heads) != 1 or role not in NAMED or candidates(list(heads.pop()), role):
        return None
    return role


def _joined(source: Source, sheets: Mapping[str, SourceTable], role: str, what: str) -> SourceTable:
    """Return the rows of sheets, or blocks, of one kind below each other, with a column of their names."""
    first, *_ = sheets.values()
    at = [(table, name, index) for name, table in sheets.items() for index in range(table.n_rows)]
    columns: dict[str, Sequence[Any]] = {role: [name for _, name, _ in at]}
    columns |= {head: [value for table in sheets.values() for value in table.columns[head]] for head in first.columns}
    note = f"each of the {len(sheets)} {what}s is {an(role)}: {listed(list(sheets))}"
    notes = dict.fromkeys(note for table in sheets.values() for note in table.notes)

    def row(index: int) -> str:
        table, name, own = at[index]
        return f"{what} {name!r}, {table.row(own)}"

    return replace(first, place=source.place, columns=columns, row=row, notes=(*notes, note))


def _check_size(source: Source) -> None:
    """Refuse a workbook that unpacks to too much."""
    if source.data.startswith(OLD):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise DataError(f"{source.place}: the workbook is damaged: {error}.") from error
    refuse_beyond("bytes", size, f"{source.place}: unpacked, the workbook has {size} bytes")


def _cells(book: Any, name: str) -> list[list[str]]:
    """Return the rows of a sheet as texts, numbers with all their digits."""
    sheet = book.load_sheet(name, header_row=None, dtypes="string")
    columns = [["" if value is None else _line(value) for value in column.to_list()] for column in _columns(sheet)]
    n_rows = max(map(len, columns), default=0)
    refuse_beyond("values", n_rows * len(columns), f"sheet {name!r}: it has {n_rows} rows of {len(columns)} columns")
    # As texts numbers are rounded to nine decimals, so that columns of numbers are read once more as such, below the head.
    for skipped in range(1, min(MOST_HEADS, n_rows)):
        typed = _columns(book.load_sheet(name, header_row=None, skip_rows=skipped))
        numeric = [i for i, column in enumerate(typed) if column.dtype.is_float()]
        for i in numeric:
            values = typed[i].to_list()
            if i < len(columns) and len(values) == n_rows - skipped:
                columns[i][skipped:] = [
                    before if value is None else _number(value)
                    for before, value in zip(columns[i][skipped:], values, strict=True)
                ]
        if numeric:
            break
    return [list(row) for row in zip(*columns, strict=True)]


def _columns(sheet: Any) -> list[Any]:
    return list(sheet.to_polars().iter_columns())


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _line(text: str) -> str:
    return " ".join(text.split("\n"))


def _looks(data: bytes) -> bool:
    if data.startswith(OLD):
        return True
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                return b"spreadsheet" in archive.open("mimetype").read(100)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, KeyError):
        return False
    return any(name.startswith("xl/") for name in names)


EXCEL = Format(
    title="workbook of Excel or LibreOffice",
    holds=TABLE,
    suffixes=(".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"),
    sniff=_looks,
    read=read,
    wide=True,
    binary=True,
)
