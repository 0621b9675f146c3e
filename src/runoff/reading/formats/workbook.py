"""Workbooks of Excel and LibreOffice: a sheet is read as the table of texts that it shows, numbers as they are stored."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading.formats import delimited
from runoff.reading.formats.base import TABLE, Format, Source
from runoff.reading.formats.grid import GridPart, GridRow, as_text, of_parts, table_of
from runoff.tables.columns import listed, not_there
from runoff.tables.source import SourceTable

OLD = b"\xd0\xcf\x11\xe0"
"""First bytes of workbooks before 2007, and of other documents of that time."""
MOST_HEADS = 12
"""The number of first rows of a sheet below which numbers are searched."""


def read(source: Source) -> SourceTable:
    """Return the table of a workbook: from the sheet that the user names, or from all sheets with runs."""
    names, filled = _sheets(source)
    if len(filled) == 1 and source.sheet is None:
        place = f"{source.place}, sheet {filled[0].name!r}" if len(names) > 1 else source.place
        return table_of(replace(source, place=place), filled[0].rows, _read_rows)
    return of_parts(source, filled, "sheet", _read_blocks)


def text_of(source: Source) -> str:
    """Return the only sheet of a workbook that holds cells as Markdown, what stands alone in its row as text."""
    _, filled = _sheets(source)
    if len(filled) > 1:
        raise DataError(
            f"{source.place}: the workbook has {len(filled)} sheets ({listed([part.name for part in filled])}); save the one with the table as "
            "CSV."
        )
    head, *rows = filled[0].table or [[""]]
    alone = [cell for row in filled[0].rows for cell in row if cell.strip() and row not in filled[0].table]
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([*alone, "", *(f"| {' | '.join(row)} |" for row in cells), ""])


def _sheets(source: Source) -> tuple[list[str], list[GridPart]]:
    """Return the names of all sheets, and the sheets that hold cells."""
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
            raise not_there(source.place, "sheet", source.sheet, names)
        cells = {name: _cells(book, name) for name in names}
    except fastexcel.FastExcelError as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{source.place}: the workbook is damaged, or locked: {reason}.") from error
    filled = [
        GridPart(name=name, rows=[row if any(map(str.strip, row)) else [] for row in rows])
        for name, rows in cells.items()
        if any(map(any, rows))
    ]
    if not filled:
        raise DataError(f"{source.place}: the workbook holds no cells.")
    return names, filled


def _read_blocks(source: Source, rows: Sequence[GridRow]) -> SourceTable:
    return table_of(source, rows, _read_rows)


def _read_rows(source: Source, rows: Sequence[GridRow]) -> SourceTable:
    table = delimited.read_one(replace(source, data=as_text(rows)), separator=",")
    return replace(table, row=lambda index: table.row(index).replace("line", "row"))


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
            if len(values) == n_rows - skipped:
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
