"""Printed numbers: 12.3, 1,234.5, −20, 1.2e3, 85 %; whether a comma parts thousands or decimals is decided for the whole table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from runoff.errors import DataError
from runoff.io.published.grid import Entry, at
from runoff.words.speech import option

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
"""Beyond this a printed number is a slip."""


@dataclass(frozen=True, slots=True)
class Number:
    """A value, and one of the last digit that is printed."""

    value: float
    unit: float


def read_number(text: str, decimal: str, where: str) -> Number:
    """Return a printed number.

    >>> parsed("1,234.5", ".", ""), parsed("−1.2×10^3", ".", "").value
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


def decimal_mark(numbers: Iterable[tuple[str, Entry]], place: str, choice: str | None) -> str:
    """Return "." or ",", whichever parts decimals in a table.

    Parameters
    ----------
    found : (number as printed, its entry), of all numbers of the table
    asked : "point", "comma" or None

    Raises
    ------
    DataError
        Numbers speak for both, or all that there is are of the kind of 1,234.
    """
    if choice is not None:
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
    """Return what a number says of the decimal mark: ".", ",", "either" (1,234), or "" for nothing."""
    parts = PARTS.fullmatch(text.strip())
    body = "" if parts is None else SPACES.sub("", parts["body"])
    points, commas = body.count("."), body.count(",")
    if points and commas:
        return max(".,", key=body.rindex)
    if points > 1 or commas > 1:
        return "," if points else "."
    if not points and not commas:
        return ""
    mark = "." if points else ","
    before, _, after = body.partition(mark)
    if len(after) != 3 or len(before) > 3 or before in ("", "0"):
        return mark
    return "" if points else "either"
