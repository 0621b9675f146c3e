"""A table as it is printed: rows of entries, the text beside them, and the numbers of a cell, a mean and the number behind ± or in parentheses.

Numbers are printed as 12.3, 1,234.5, −20, 1.2e3 or 85 %. The whole table decides whether a comma parts thousands or decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from runoff.errors import DataError
from runoff.results.claims import PublishedCell
from runoff.words.speech import option
from runoff.words.words import vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is printed in one place: plain text, and how many columns and rows it spans.

    `bold` says whether its first digit is bold; None where only a later digit is.
    """

    text: str
    line: int
    column: int
    bold: bool | None = False
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """All rows of a table, those of its head first.

    `n_heads` counts the rows of the head, None where the format does not tell; `beside` is the text around the table.
    """

    place: str
    format: str
    rows: tuple[tuple[Entry, ...], ...]
    n_heads: int | None
    beside: str = ""


def at(place: str, entry: Entry | PublishedCell) -> str:
    """Return where an entry stands, in words."""
    return f"{place}, line {entry.line}, column {entry.column}"


def rectangle(grid: Grid) -> list[list[Entry]]:
    """Return rows of one length: an entry that spans columns or rows stands in each of them."""
    if len(grid.rows) < 2:
        raise DataError(f"{grid.place}: there is no table with a head and a row below it.")
    rows = [[replace(e, column=e.column + i) for e in row for i in range(e.across)] for row in grid.rows]
    width = len(rows[0])
    for row in rows:
        if len(row) != width:
            message = f"{grid.place}, line {row[0].line}: this row has {len(row)} cells and the first one {width}; give each row as many."
            raise DataError(message)
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            for below in rows[i + 1 : i + entry.down]:
                if not below[j].text:
                    below[j] = replace(entry, line=below[j].line, down=1)
    return rows


def is_section(row: Sequence[Entry]) -> bool:
    """Return whether a row is a heading between rows: it has one text, which spans the row or stands alone in its first cell."""
    texts = {entry.text for entry in row if entry.text}
    alone = bool(row[0].text) and not any(entry.text for entry in row[1:])
    return len(row) > 1 and (alone or (len(texts) == 1 and row[0].across == len(row)))


# ── printed numbers ──────────

# A separator of thousands is believed only before exactly three digits, and only if no other mark follows: 1,23 has a decimal comma.
BODY = (
    r"(?:\d{1,3}(?:[\u202f'’]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d.,])|\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d.,])|"
    r"\d+[.,]\d+(?![\d.,])|\d+(?![\d.,])|[.,]\d+(?![\d.,]))"
)
EXPONENT = r"(?:\s?[eE][+\-−–]?\d+|\s?×\s?10(?:\s?\^\s?|\s)[+\-−–]?\d+)"
NUMBER = rf"[+\-−–]?\s?{BODY}{EXPONENT}?"
"""A printed number, as a pattern."""
PARTS = re.compile(rf"(?P<sign>[+\-−–]?)\s?(?P<body>{BODY})(?P<exponent>{EXPONENT})?")
SPACES = re.compile(r"[\u202f'’]")
LARGEST = 1e100
"""The largest number that is taken for a score; a larger one is a slip."""


@dataclass(frozen=True, slots=True)
class Number:
    """A value, and the size of one unit of its last printed digit."""

    value: float
    unit: float


def read_number(text: str, decimal: str, where: str) -> Number:
    """Return a printed number.

    >>> read_number("1,234.5", ".", ""), read_number("−1.2×10^3", ".", "").value
    (Number(value=1234.5, unit=0.1), -1200.0)
    """
    parts = PARTS.fullmatch(text.strip())
    if parts is None:
        raise DataError(f"{where}: {text.strip()!r} is no number.")
    whole, _, fraction = SPACES.sub("", parts["body"]).replace("," if decimal == "." else ".", "").partition(decimal)
    power = (
        int(re.sub(r"[−–]", "-", re.sub(r".*?([+\-−–]?\d+)$", r"\1", parts["exponent"]))) if parts["exponent"] else 0
    )
    value = float(f"{'-' if parts['sign'] in ('-', '−', '–') else ''}{whole or '0'}.{fraction or '0'}e{power}")
    if not isfinite(value) or abs(value) > LARGEST:
        raise DataError(f"{where}: {text.strip()!r} is too large for a score.")
    return Number(value, float(f"1e{power - len(fraction)}"))


def decimal_mark(numbers: Iterable[tuple[str, Entry]], place: str, choice: str) -> str:
    """Return the mark that parts decimals in a table, by its (number as printed, entry), unless the choice is "point" or "comma"."""
    if choice != "auto":
        return "," if choice == "comma" else "."
    marks: dict[str, tuple[str, Entry]] = {}
    for text, entry in numbers:
        marks.setdefault(_mark_of(text), (text, entry))
    if "." in marks and "," in marks:
        (point, here), (comma, there) = marks["."], marks[","]
        raise DataError(
            f"{at(place, here)}: {point!r} has a decimal point, but {comma!r} on line {there.line}, column {there.column}, a decimal comma; "
            f"write both alike, or say {option('decimal', 'point')} or {option('decimal', 'comma')}."
        )
    if "either" in marks and not {".", ","} & marks.keys():
        text, entry = marks["either"]
        raise DataError(
            f"{at(place, entry)}: {text!r} may be a thousand or a decimal, and no number of the table decides it; say "
            f"{option('decimal', 'point')} if the comma parts thousands, {option('decimal', 'comma')} if it parts decimals."
        )
    return "," if "," in marks else "."


def _mark_of(text: str) -> str:
    """Return the decimal mark that a number shows: ".", ",", "either" (as in 1,234), or "" if it shows none."""
    parts = PARTS.fullmatch(text.strip())
    body = "" if parts is None else SPACES.sub("", parts["body"])
    points, commas = body.count("."), body.count(",")
    if points and commas:
        return max(".,", key=body.rindex)
    if points + commas != 1:
        return "," if points else "." if commas else ""
    mark = "." if points else ","
    before, _, after = body.partition(mark)
    if len(after) != 3 or len(before) > 3 or before in ("", "0"):
        return mark
    return "" if points else "either"


# ── cells ──────────

Form = Literal["±", "( )", "mean"]
MISSING = vocabulary("- – — -- --- − n/a na n.a. none / tbd … ... dnf oom") | {""}
"""The lower-case texts of cells where nothing was measured."""
NOT_FINITE = ("nan", "inf", "-inf")
PERCENT = r"\s?%?\s?"
PLUS_MINUS = re.compile(
    rf"(?P<mean>{NUMBER}){PERCENT}(?:\(\s?)?(?:±|\+/[-−–]|\+[-−–]|\\pm)\s?\(?(?P<spread>{NUMBER}){PERCENT}\)?"
)
PARENTHESES = re.compile(rf"(?P<mean>{NUMBER}){PERCENT}\(\s?(?P<spread>{NUMBER}){PERCENT}\)")
MEAN = re.compile(rf"(?P<mean>{NUMBER}){PERCENT}")
SCALED = re.compile(rf"\((?P<pair>[^()]*)\)(?P<power>{EXPONENT})")
"""The form (a ± b) × 10^k, whose power belongs to both numbers."""
POWER = re.compile(rf".*\d{EXPONENT}")
BRACKETS = re.compile(r".*?[\[(]\s?\S*\d\s?[,;–]\s?\S*\d\s?[\])]")
MARKS = re.compile(r"^[*†‡§¶✓\s]+|\^?[*†‡§¶✓]+|\[\^\w+\]|[\s^]+$")
"""Marks of footnotes at either end of a cell."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """The numbers of a cell as texts, as they are printed."""

    mean: str
    spread: str | None
    form: Form
    percent: bool = False


def bare(entry: Entry) -> str:
    """Return the text of a cell without marks of footnotes."""
    return MARKS.sub("", entry.text)


def is_missing(entry: Entry) -> bool:
    """Return whether a cell is empty or has a sign for nothing."""
    return bare(entry).casefold() in MISSING


def is_pair(entry: Entry) -> bool:
    """Return whether a cell holds a mean and a number behind ± or in parentheses."""
    return any(form.fullmatch(bare(entry)) for form in (PLUS_MINUS, PARENTHESES, SCALED))


def is_number(entry: Entry) -> bool:
    """Return whether a cell is a number, alone or with its spread."""
    return is_pair(entry) or MEAN.fullmatch(bare(entry)) is not None


def may_be_number(entry: Entry) -> bool:
    """Return whether a cell begins as numbers do, or is nan or inf: such a text is no name, whatever follows."""
    text = bare(entry)
    return re.match(r"[\[(]?[±+\-−–<>~≈]?\s?[.,]?\d|±", text) is not None or text.casefold() in NOT_FINITE


def printed_cell(place: str, entry: Entry) -> PrintedCell | None:
    """Return the numbers of a cell, None where it has a sign for nothing."""
    text = bare(entry)
    if is_missing(entry):
        return None
    scaled, power = SCALED.fullmatch(text), ""
    if scaled is not None and PLUS_MINUS.fullmatch(scaled["pair"]) is not None:
        text, power = scaled["pair"], scaled["power"]
    for form, pattern in (("±", PLUS_MINUS), ("( )", PARENTHESES), ("mean", MEAN)):
        if (match := pattern.fullmatch(text)) is not None:
            if entry.bold is None:
                message = f"{at(place, entry)}: of {entry.text!r} the ± is bold and the mean is not; make the mean bold, or neither."
                raise DataError(message)
            spread = match.groupdict().get("spread")
            powers = [POWER.fullmatch(number) is not None for number in (match["mean"], spread) if number is not None]
            if (len(powers) == 2 and len(set(powers)) == 2) or (power and any(powers)):
                message = f"{at(place, entry)}: of {entry.text!r} the power of ten may be that of both numbers or of one; {HOW_TO_SCALE}."
                raise DataError(message)
            return PrintedCell(match["mean"] + power, None if spread is None else spread + power, form, "%" in text)  # type: ignore[arg-type]
    raise DataError(f"{at(place, entry)}: {_why_not(text)}")


HOW_TO_SCALE = "write (a ± b) × 10^k, or a power behind each"


def _why_not(text: str) -> str:
    if text.startswith("±"):
        return f"{text!r} is a ± without its mean; write both into one cell."
    if text.casefold() in NOT_FINITE:
        return f"{text!r} is no score; decide what such a cell means (a failed run has a score too), or write N/A."
    if BRACKETS.fullmatch(text):
        return (
            f"{text!r} has an interval with two ends, which may be a range, quartiles or an interval of confidence; write mean ± half its width "
            "if it is an interval of confidence about a mean."
        )
    return f"{text!r} is not a mean, nor a mean ± a number, nor a sign for nothing (N/A, –)."


def mean_and_spread(place: str, entry: Entry, cell: PrintedCell, decimal: str) -> tuple[Number, Number | None]:
    """Return the numbers of a cell."""
    where = at(place, entry)
    mean = read_number(cell.mean, decimal, where)
    spread = None if cell.spread is None else read_number(cell.spread, decimal, where)
    if spread is not None and cell.form == "( )" and mean.unit < 1 <= spread.unit:
        what = f"{where}: the parentheses of {entry.text!r} may hold a spread, an error of the last digits, a rank or a number of runs; write ±."
        raise DataError(what)
    if spread is not None and spread.value < 0:
        raise DataError(f"{at(place, entry)}: the ± of {entry.text!r} is below 0.")
    return mean, spread
