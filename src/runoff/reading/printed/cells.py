"""A printed table: rows of entries, the surrounding text, and the numbers in a cell, a mean with its spread or the ends of its interval.

Numbers are printed as 12.3, 1,234.5, −20, 1.2e3, 2.4k or 85 %. The whole table decides whether a comma separates thousands or decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.words.patterns import regex
from runoff.words.speech import option
from runoff.words.words import vocabulary

if TYPE_CHECKING:
    from runoff.answer.claims import PublishedCell


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedEntry:
    """The print in one place: its text, and the columns and rows that it spans; bold: whether its first digit is bold, None if only a later
    digit is."""

    text: str
    line: int
    column: int
    bold: bool | None = False
    across: int = 1
    down: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """All rows of a table, `n_heads` of them its header (None if unknown); `beside` is the surrounding text, `notes` describe how it was
    assembled."""

    place: str
    format: str
    rows: tuple[tuple[PrintedEntry, ...], ...]
    n_heads: int | None
    beside: str = ""
    notes: tuple[str, ...] = ()


def at(place: str, entry: PrintedEntry | PublishedCell) -> str:
    """Return the place of an entry in words."""
    return f"{place}, line {entry.line}, column {entry.column}"


def rectangle(grid: Grid) -> list[list[PrintedEntry]]:
    """Return rows of one length: an entry that spans columns or rows stands in each of them."""
    if len(grid.rows) < 2:
        raise DataError(f"{grid.place}: there is no table with a header and a row below it.")
    width, *others = (sum(entry.across for entry in row) for row in grid.rows)
    refuse_beyond("columns", width, f"{grid.place}: the table has {width} columns")
    for entries, n in zip(grid.rows[1:], others, strict=True):
        if n != width:
            message = f"{grid.place}, line {entries[0].line}: this row has {n} cells and the first row {width}; give all rows the same number."
            raise DataError(message)
    # Every place has an entry of its own, so that a head over two columns is above both.
    rows = [[replace(e, column=e.column + i) for e in row for i in range(e.across)] for row in grid.rows]
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            for below in rows[i + 1 : i + entry.down]:
                # \multirow leaves the cells below it empty; where one is not, what is printed there counts.
                if not below[j].text:
                    below[j] = replace(entry, line=below[j].line, down=1)
    return rows


def is_section(row: Sequence[PrintedEntry]) -> bool:
    """Return whether a row is a heading between rows: it has one text, which spans the row or stands alone in its first cell."""
    texts = {entry.text for entry in row if entry.text}
    # \multicolumn{4}{l}{\emph{Locomotion}}, or a name alone in the first cell, as tables in Markdown have it.
    alone = bool(row[0].text) and not any(entry.text for entry in row[1:])
    return alone or (len(texts) == 1 and row[0].across == len(row))


# ── printed numbers ──────────

# A separator of thousands is believed only before exactly three digits, and only if no other mark follows: 1,23 has a decimal comma.
BODY = (
    r"(?:\d{1,3}(?:[\u202f'’]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d.,])|\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d.,])|"
    r"\d+[.,]\d+(?![\d.,])|\d+(?![\d.,])|[.,]\d+(?![\d.,]))"
)
EXPONENT = r"(?:\s?[eE][+\-−–]?\d+|\s?×\s?10(?:\s?\^\s?|\s)[+\-−–]?\d+)"
NUMBER = rf"[+\-−–]?\s?{BODY}{EXPONENT}?"
"""A printed number, as a pattern."""
VALUE = rf"{NUMBER}(?:\s?[kKM](?![A-Za-z]))?"
"""A printed number, or one of thousands or millions (2.4k, 1.2M)."""
PARTS = regex(rf"(?P<sign>[+\-−–]?)\s?(?P<body>{BODY})(?P<exponent>{EXPONENT})?(?:\s?(?P<times>[kKM]))?")
POWERS: Mapping[str, int] = MappingProxyType({"k": 3, "K": 3, "M": 6})
SPACES = regex(r"[\u202f'’]")
LARGEST = 1e100
"""The largest number that is accepted as a score; a larger one is a misprint."""


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A value, and the size of one unit of its last printed digit."""

    value: float
    unit: float


def read_number(text: str, decimal: str, where: str) -> PublishedNumber:
    """Return a printed number.

    >>> read_number("1,234.5", ".", ""), read_number("−1.2×10^3", ".", "").value, read_number("2.4k", ".", "").value
    (PublishedNumber(value=1234.5, unit=0.1), -1200.0, 2400.0)
    """
    parts = PARTS.fullmatch(text)
    if parts is None:
        raise DataError(f"{where}: {text!r} is not a number.")
    # The other mark parts thousands, and so do thin spaces and the Swiss apostrophe.
    whole, _, fraction = SPACES.sub("", parts["body"]).replace("," if decimal == "." else ".", "").partition(decimal)
    sign, exponent = (re.sub("[−–]", "-", parts[name] or "") for name in ("sign", "exponent"))
    digits = re.search(r"[+-]?\d+$", exponent)
    power = (int(digits[0]) if digits else 0) + POWERS.get(parts["times"] or "", 0)
    value = float(f"{sign}{whole or '0'}.{fraction or '0'}e{power}")
    if abs(value) > LARGEST:
        raise DataError(f"{where}: {text!r} is too large for a score.")
    # As text, for 10.0 ** -1 and 1e-1 are not always one double, and the unit is compared with others.
    return PublishedNumber(value, float(f"1e{power - len(fraction)}"))


def decimal_mark(numbers: Iterable[tuple[str, PrintedEntry]], place: str, choice: str) -> str:
    """Return the decimal mark of a table, from its (number as printed, entry), unless the choice is "point" or "comma"."""
    if choice != "auto":
        return "," if choice == "comma" else "."
    marks: dict[str, tuple[str, PrintedEntry]] = {}
    for text, entry in numbers:
        marks.setdefault(_mark_of(text), (text, entry))
    if "." in marks and "," in marks:
        (point, here), (comma, there) = marks["."], marks[","]
        raise DataError(
            f"{at(place, here)}: {point!r} has a decimal point, but {comma!r} on line {there.line}, column {there.column}, a decimal comma; "
            f"write both alike, or use {option('decimal', 'point')} or {option('decimal', 'comma')}."
        )
    # 1,234 alone may be either; beside 0,5 or 12.5 in the same table it may not.
    if "either" in marks and not {".", ","} & marks.keys():
        text, entry = marks["either"]
        raise DataError(
            f"{at(place, entry)}: {text!r} may be a thousand or a decimal, and no other number of the table decides; use "
            f"{option('decimal', 'point')} if the comma separates thousands, {option('decimal', 'comma')} if it is the decimal separator."
        )
    return "," if "," in marks else "."


def _mark_of(text: str) -> str:
    """Return the decimal mark that a number shows: ".", ",", "either" (as in 1,234), or "" if it shows none."""
    parts = PARTS.fullmatch(text)
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
    # A point before three digits says nothing: 1.234 beside 0,5 is a thousand, and in a table without commas it has
    # decimals.
    return "" if points else "either"


# ── cells ──────────

Form = Literal["±", "( )", "_", "[ ]", "mean", "count"]
MISSING = vocabulary("- – — -- --- − n/a na n.a. none / tbd … ... dnf oom") | {""}
"""The lower-case texts of cells where nothing was measured."""
NOT_FINITE = ("nan", "inf", "-inf")
PERCENT = r"\s?%?\s?"
MEAN = regex(rf"(?P<mean>{VALUE}){PERCENT}")
PLUS_MINUS = regex(
    rf"{MEAN.pattern}(?:\(\s?)?(?:±|\+/[-−–]|\+[-−–]|\\pm)\s?\(?(?P<spread>{VALUE}){PERCENT}\)?(?P<beside>\s?[\[(]#?\d{{1,3}}[\])])?"
)
PARENTHESES = regex(rf"{MEAN.pattern}\(\s?(?P<spread>{VALUE}){PERCENT}\)")
BELOW = regex(rf"{MEAN.pattern}_\{{(?P<spread>{VALUE}){PERCENT}\}}")
"""A mean with a number as its subscript."""
INTERVAL = regex(rf"{MEAN.pattern}[\[(](?P<ends>[^\[\]()]*)[\])]{PERCENT}")
NAMED_INTERVAL = regex(r"([\[(])\s?(?:\d+\s?%\s?)?(?:CI|C\.I\.)\s?[:=,]?\s?")
"""The beginning of a labelled interval: (95% CI: 2, 4)."""
UNTIL = (r"\s*;\s*", r"\s+to\s+", r"\s*(?:--|[-–—])\s*", r",\s+", r",")
"""Separators of the ends of an interval, the most reliable first."""
COUNT = regex(r"(?P<mean>\d+)\s?/\s?(?P<of>[1-9]\d*)")
"""Successes of a number of attempts: 17/20."""
SCALED = regex(rf"\((?P<pair>[^()]*)\)(?P<power>{EXPONENT})")
"""The form (a ± b) × 10^k, whose power belongs to both numbers."""
POWER = regex(rf".*\d{EXPONENT}")
BRACKETS = regex(r".*?[\[(]\s?\S*\d\s?(?:[,;–—-]|to)+\s?\S*\d\s?%?\s?[\])].*")
MARKS = regex(r"^[*†‡§¶✓\s]+|\^?[*†‡§¶✓]+|\[\^\w+\]|[\s^]+$")
"""Marks of footnotes at either end of a cell."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """The numbers of a cell as printed texts: a mean with its spread, with the two ends of an interval, or alone.

    `beside` is the text in parentheses after a spread, such as a rank or a number of runs. `percent` says which number % follows. `of`: the
    attempts, if the mean is a count of successes.
    """

    mean: str
    spread: str | None
    form: Form
    percent: Literal["", "mean", "spread", "both"] = ""
    ends: tuple[str, str] | None = None
    beside: str | None = None
    of: str | None = None


def bare(entry: PrintedEntry) -> str:
    """Return the text of a cell without marks of footnotes."""
    return MARKS.sub("", entry.text)


def is_missing(entry: PrintedEntry) -> bool:
    """Return whether a cell is empty or has a sign for a missing value."""
    return bare(entry).casefold() in MISSING


def is_pair(entry: PrintedEntry) -> bool:
    """Return whether a cell holds a mean with a spread or an interval."""
    text = bare(entry)
    return any(form.fullmatch(text) for form in (PLUS_MINUS, PARENTHESES, BELOW, SCALED)) or ends_of(text) is not None


def is_number(entry: PrintedEntry) -> bool:
    """Return whether a cell is a number, alone or with its spread; 100k alone may be a head, too."""
    text = bare(entry)
    return is_pair(entry) or re.fullmatch(rf"{NUMBER}{PERCENT}", text) is not None or COUNT.fullmatch(text) is not None


def may_be_number(entry: PrintedEntry) -> bool:
    """Return whether a cell begins like a number, or is nan or inf; such a text is not a name, whatever follows."""
    text = bare(entry)
    return re.match(r"[\[(]?[±+\-−–<>~≈]?\s?[.,]?\d|±", text) is not None or text.casefold() in NOT_FINITE


def is_spread(entry: PrintedEntry) -> bool:
    """Return whether a cell holds a spread without its mean: ± 3, (3), (± 3), [2, 4]."""
    text = bare(entry)
    alone = re.fullmatch(rf"(?:±|\+/[-−–])\s?{VALUE}{PERCENT}|\(\s?(?:±\s?)?{VALUE}{PERCENT}\)", text)
    return alone is not None or (text[:1] in "[(" and ends_of(f"0 {text}") is not None)


def ends_of(text: str) -> tuple[str, str] | None:
    """Return the ends of the interval after a mean, None if there is none or they cannot be separated unambiguously.

    >>> ends_of("8509 [8164, 8852]"), ends_of("8509 (8164–8852)"), ends_of("0.7 [-0.1,0.9]"), ends_of("8509 (345)")
    (('8164', '8852'), ('8164', '8852'), ('-0.1', '0.9'), None)
    """
    match = INTERVAL.fullmatch(NAMED_INTERVAL.sub(r"\1", text))
    if match is None:
        return None
    for until in UNTIL:
        ends = [end.removesuffix("%").strip() for end in re.split(until, match["ends"].strip())]
        # a dash may be a sign, too: it parts ends that have none
        signed = "-" in until and any(end[:1] in "+-−–" for end in ends)
        if len(ends) == 2 and not signed and all(re.fullmatch(VALUE, end) for end in ends):
            return ends[0], ends[1]
    return None


def printed_cell(place: str, entry: PrintedEntry) -> PrintedCell | None:
    """Return the numbers of a cell, None if it has a sign for a missing value."""
    text = bare(entry)
    if is_missing(entry):
        return None
    scaled, power = SCALED.fullmatch(text), ""
    if scaled is not None:
        text, power = scaled["pair"], scaled["power"]
    cell = _numbers(text)
    if cell is None:
        raise DataError(f"{at(place, entry)}: {_why_not(text)}")
    if entry.bold is None:
        message = (
            f"{at(place, entry)}: in {entry.text!r} the ± is bold and the mean is not; make the mean bold, or neither."
        )
        raise DataError(message)
    powers = [POWER.fullmatch(number) is not None for number in (cell.mean, cell.spread) if number is not None]
    if (len(powers) == 2 and len(set(powers)) == 2) or (power and any(powers)):
        message = f"{at(place, entry)}: in {entry.text!r} the power of ten may apply to both numbers or to one; {HOW_TO_SCALE}."
        raise DataError(message)
    return replace(cell, mean=cell.mean + power, spread=None if cell.spread is None else cell.spread + power)


HOW_TO_SCALE = "write (a ± b) × 10^k, or a power behind each number"


PERCENT_OF: Mapping[tuple[bool, ...], str] = {(True, True): "both", (True, False): "mean", (False, True): "spread"}
"""Whether % stands before a spread and behind it -> whose % it is."""


def _numbers(text: str) -> PrintedCell | None:
    """Return the numbers in a text, None if it is not a cell of numbers."""
    ends = ends_of(text)
    if (count := COUNT.fullmatch(text)) is not None:
        return PrintedCell(count["mean"], None, "count", of=count["of"])
    # In this order: a ± is certain, parentheses may be an interval, and a bare mean is what is left.
    for form, pattern in (("±", PLUS_MINUS), ("( )", PARENTHESES), ("_", BELOW), ("mean", MEAN)):
        if (match := pattern.fullmatch(text)) is not None and not (form == "( )" and _holds(match["mean"], ends)):
            numbers = match.groupdict()
            sides = [text[: match.start("spread")], text[match.end("spread") :]] if "spread" in numbers else []
            percent: Any = PERCENT_OF.get(tuple("%" in side for side in sides), "")
            return PrintedCell(match["mean"], numbers.get("spread"), form, percent, beside=numbers.get("beside"))  # type: ignore[arg-type]
    # (8164,8852) is an interval or a number with a comma; [8164,8852] can be no spread
    if ends is None or PARENTHESES.fullmatch(text) is not None:
        return None
    mean = re.split(r"\s?%?\s?[\[(]", text)[0]
    return PrintedCell(mean, None, "[ ]", ends=ends)


def _holds(mean: str, ends: tuple[str, str] | None) -> bool:
    """Return whether an interval contains a mean, with commas read as thousands separators."""
    if ends is None:
        return False
    low, value, high = (read_number(text, ".", "").value for text in (ends[0], mean, ends[1]))
    return low <= value <= high


def _why_not(text: str) -> str:
    if text.startswith("±"):
        return f"{text!r} is a ± without a mean; write both into one cell."
    if text.casefold() in NOT_FINITE:
        return f"{text!r} is not a score; if the runs of this cell failed, enter the score that counts for them, or write N/A."
    if BRACKETS.fullmatch(text) and "±" in text:
        return f"{text!r} has a spread and an interval; keep only one of them."
    if BRACKETS.fullmatch(text):
        return f"{text!r} has an interval whose ends are ambiguous; write it as mean [low; high]."
    return f"{text!r} is not a mean, a mean ± a number, or a mark for a missing value; write it as one of these (2410, 2410 ± 320, N/A)."


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """The numbers of a cell; `ends` are those of its interval, whose half width is the spread."""

    mean: PublishedNumber
    spread: PublishedNumber | None
    ends: tuple[float, float] | None = None


def measured_cell(place: str, entry: PrintedEntry, cell: PrintedCell, decimal: str) -> MeasuredCell:
    """Return the numbers of a cell: its mean, and its spread or half of its interval."""
    where = at(place, entry)
    mean = read_number(cell.mean, decimal, where)
    if cell.ends is not None:
        return _interval(where, entry, mean, *(read_number(end, decimal, where) for end in cell.ends))
    if cell.spread is None:
        return MeasuredCell(mean, None)
    spread = read_number(cell.spread, decimal, where)
    # 2.41 (3) is 2.41 ± 0.03 to a physicist; elsewhere the 3 is a rank or a number of seeds.
    if cell.form == "( )" and mean.unit < 1 <= spread.unit:
        what = f"{where}: the parentheses of {entry.text!r} may hold a spread, an error of the last digits, a rank or a number of runs; write ±."
        raise DataError(what)
    check_spread(where, entry.text, cell.mean, cell.spread, (mean, spread))
    check_percent(where, entry.text, cell.percent, (mean, spread))
    return MeasuredCell(mean, spread)


def check_percent(where: str, text: str, percent: str, numbers: tuple[PublishedNumber, PublishedNumber]) -> None:
    """Refuse a ± in per cent of its mean, and one that may be a share beside a mean in per cent."""
    mean, spread = numbers
    if percent == "spread" and abs(mean.value) > 100:
        raise DataError(
            f"{where}: the ± of {text!r} is a percentage of its mean; write both in one unit, as {mean.value:g} ± "
            f"{abs(mean.value) * spread.value / 100:g}."
        )
    # 85% ± 0.03: the ± was left as a share when the mean was turned into per cent.
    if percent == "mean" and 0 < spread.value < 1 and spread.unit < mean.unit:
        raise DataError(
            f"{where}: the ± of {text!r} may be {spread.value:g} or {100 * spread.value:g} per cent; write % behind both numbers."
        )


def check_thousands(place: str, entry: PrintedEntry, mean: str, spread: str) -> None:
    """Refuse a mean as 1.234 beside a whole ± that is larger: its point may part thousands."""
    whole = re.fullmatch(r"[+\-−–]?\s?[1-9]\d{0,2}\.\d{3}", mean) and spread.isdigit()
    if whole and float(spread) > abs(read_number(mean, ".", "").value):
        raise DataError(
            f"{at(place, entry)}: {mean!r} with a ± of {spread} may be a thousand or a decimal; use {option('decimal', 'comma')} if the point "
            f"separates thousands, {option('decimal', 'point')} if it is the decimal separator."
        )


def check_spread(
    where: str, text: str, mean: str, spread: str, numbers: tuple[PublishedNumber, PublishedNumber]
) -> None:
    """Refuse a spread below 0, and a k or M behind one of two numbers where it may belong to both."""
    if numbers[1].value < 0:
        raise DataError(f"{where}: the ± of {text!r} is below 0; correct the cell.")
    # The k of `12.1 ± 0.9k` is most likely that of both, and nothing says so.
    power, other = (POWERS.get(number[-1], 0) for number in (mean, spread))
    # 12.1K ± 900 has one reading: 900 thousand are more than the mean
    if 0 in (power, other) and power != other and (other or numbers[1].value * 10.0**power <= abs(numbers[0].value)):
        raise DataError(
            f"{where}: in {text!r} the k or M may apply to both numbers or to one; write it behind both, or neither."
        )


def _interval(
    where: str, entry: PrintedEntry, mean: PublishedNumber, low: PublishedNumber, high: PublishedNumber
) -> MeasuredCell:
    unit = max(low.unit, high.unit)
    # Half a unit of the last digit of either side: rounded, an end may lie on the wrong side of its mean by so much.
    if low.value > high.value or min(mean.value - low.value, high.value - mean.value) < -(mean.unit + unit) / 2:
        raise DataError(f"{where}: the interval of {entry.text!r} does not contain its mean; correct the cell.")
    return MeasuredCell(mean, PublishedNumber((high.value - low.value) / 2, unit), (low.value, high.value))
