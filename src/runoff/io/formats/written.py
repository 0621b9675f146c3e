"""Tables as they are written in texts: columns parted by blanks, and tables of Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from runoff.errors import DataError
from runoff.io.formats import delimited
from runoff.io.formats.base import TABLE, Format, NotRuns, Source
from runoff.tables.columns import plays
from runoff.tables.tidy import SourceTable
from runoff.tables.values import parsed
from runoff.words.speech import choice

RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
SPREAD = re.compile(r"\d\s*(?:±|\+/-|\\pm)\s*\d")


def read_spaced(source: Source) -> SourceTable:
    """Return the table of a text whose columns are parted by blanks: as many words in every line as in the first, or one more in the rows."""
    lines = source.text().split("\n")
    rows = [_fields(line) for line in lines]
    head = next(row for row in rows if row)
    counted = next((len(row) for row in rows[rows.index(head) + 1 :] if row), 0) == len(head) + 1
    # pandas' to_string has a number before each row, and none above these.
    table = _as_text(source, [["", *row] if counted and row is head else row for row in rows])
    return replace(table, notes=(*table.notes, "columns are separated by blanks"))


FIELD = re.compile(r'"((?:[^"]|"")*)"(?!\S)|(\S+)')


def _fields(line: str) -> list[str]:
    """Return what blanks part; R's write.table puts quotes around texts, which may hold some."""
    return [match[2] or match[1].replace('""', '"') for match in FIELD.finditer(line)]


def _as_text(source: Source, rows: Sequence[Sequence[str]]) -> SourceTable:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return delimited.read(replace(source, data=text.getvalue().encode()), separator=",")


def _looks_spaced(data: bytes) -> bool:
    rows = [_fields(line) for line in data[:65536].decode("utf-8", "replace").split("\n")[:20] if line.strip()]
    if not rows or len(rows[0]) < 2 or b"," in data[:2000].split(b"\n")[0] or not plays(rows[0], "score", {}):
        return False
    widths = {len(row) for row in rows[1:-1]}
    return (
        len(widths) == 1
        and widths.pop() - len(rows[0]) in (0, 1)
        and all(any(parsed(f) is not None for f in row) for row in rows[1:-1])
    )


# ── Markdown ──────────


def read_markdown(source: Source) -> SourceTable:
    """Return the one table of a Markdown text that names a score; refuse means and spreads."""
    lines = source.text().split("\n")
    tables = [_block(lines, i) for i, line in enumerate(lines) if i and RULE.fullmatch(line) and "|" in lines[i - 1]]
    if not tables:
        raise NotRuns(f"{source.place}: this text holds no table.")
    if any(SPREAD.search(cell) for _, rows in tables for row in rows for cell in row):
        judge = choice("claims", f"runoff claims {source.place}")
        raise NotRuns(
            f"{source.place}: this is a Markdown table of means and spreads, without the runs; judge what it claims with {judge}, or "
            "give the score of every run."
        )
    scored = [table for table in tables if plays(table[1][0], "score", {})] or tables
    if len(scored) > 1:
        begin = ", ".join(f"line {at + 1}" for at, _ in scored[:4])
        raise DataError(
            f"{source.place}: the text holds {len(scored)} tables (in {begin}); give a file with one of them."
        )
    at, rows = scored[0]
    empty: list[list[str]] = [[] for _ in range(at)]
    # The line below the head parts it from the rows.
    return _as_text(source, [*empty, rows[0], [], *rows[1:]])


def _block(lines: Sequence[str], rule: int) -> tuple[int, list[list[str]]]:
    """Return the line of the head of a table, and its rows of cells, the head first."""
    end = next((i for i in range(rule + 1, len(lines)) if "|" not in lines[i]), len(lines))
    return rule - 1, [_row(line) for line in (lines[rule - 1], *lines[rule + 1 : end])]


def _row(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [re.sub(r"^(\*\*|__|`)(.*)\1$", r"\2", cell.strip()).replace("\\|", "|") for cell in cells]


def _looks_markdown(data: bytes) -> bool:
    lines = data[:65536].decode("utf-8", "replace").split("\n")
    return any("|" in above and "|" in line and RULE.fullmatch(line) for above, line in pairwise(lines))


SPACED = Format(
    title="columns parted by blanks", holds=TABLE, suffixes=(), sniff=_looks_spaced, read=read_spaced, wide=True
)
MARKDOWN = Format(
    title="Markdown table",
    holds=TABLE,
    suffixes=(".md", ".markdown"),
    sniff=_looks_markdown,
    read=read_markdown,
    wide=True,
)
