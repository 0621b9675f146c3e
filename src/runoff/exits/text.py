"""How a cell reads: its value, and what stands behind it in smaller type (an interval, a raw p-value)."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.cells import Cell, Chance, Column, Deviation, Estimate, Name, Number, PValue, Several, Share, Table, Verdict
from runoff.words.numbers import (
    FINEST,
    MOST,
    SPACE,
    chance_parts,
    count,
    decimals_of,
    digits,
    estimate_parts,
    in_percent,
    interval,
    number,
    percent,
    places,
    pvalue,
)

NONE = "–"


def text_of(cell: Cell) -> str:
    """Return a cell in one line.

    >>> text_of(Estimate(0.5234, 0.4112, 0.6321)), text_of(Chance(1.0)), text_of(PValue(0.0312, 0.01)), text_of(None)
    ('0.52 [0.41, 0.63]', '100\\xa0%', '0.031', '–')
    """
    return joined(parts_of(cell))


def joined(parts: tuple[str, str]) -> str:
    return " ".join(part for part in parts if part)


def parts_of(cell: Cell, decimals: int | None = None) -> tuple[str, str]:
    """Return the value of a cell, and its interval; of an estimate with so many decimals, by default those that its interval supports.

    >>> parts_of(Estimate(0.5234, 0.4112, 0.6321), 3), parts_of(Number(1, above=True)), parts_of("no_verdict"), parts_of(20000)
    (('0.523', '[0.411, 0.632]'), ('> 1', ''), ('no_verdict', ''), ('20\\u202f000', ''))
    >>> parts_of(Deviation(12.04, 10.54, 13.54))
    ('12.0', '±\\xa01.5')
    >>> joined(parts_of(Deviation(2.5e-9, 1.5e-9, 3.5e-9))).replace("\\xa0", " ")
    '2.5e−09 ± 1e−09'
    """
    match cell:
        case Estimate(None):
            return NONE, ""
        case Deviation(value, low, high) if value is not None and low is not None and high is not None:
            deviation = (high - low) / 2
            if decimals is not None:
                return number(value, decimals), f"±{SPACE}{number(deviation, decimals)}"
            # The digits of the mean are those that its deviation supports, as an interval's half width does.
            narrow = high - low < FINEST
            spread = digits(deviation, 2) if narrow else number(deviation, places(deviation, 2))
            return estimate_parts(value, low, high)[0], f"±{SPACE}{spread}"
        case Chance(value, low, high) if decimals is not None and value is not None:
            return in_percent(value, [end for end in (low, high) if end is not None], decimals)
        case Estimate(value, low, high) if decimals is not None and value is not None:
            return number(value, decimals), "" if low is None or high is None else interval(low, high, decimals)
        case Number(value, _, above) if decimals is not None:
            return f"{'> ' if above else ''}{number(value, decimals)}", ""
        case Share(value) if decimals is not None and value is not None:
            return f"{number(100 * value, decimals)}{SPACE}%", ""
        case Chance(value, low, high) if value is not None:
            return chance_parts(value, low, high)
        case Estimate(value, low, high) if value is not None:
            return estimate_parts(value, low, high)
        case _:
            return _alone(cell), ""


def _alone(cell: Cell) -> str:
    match cell:
        case PValue(adjusted):
            return pvalue(adjusted)
        case Number(value, significant, above):
            return f"{'> ' if above else ''}{digits(value, significant)}"
        case Share(value, significant):
            return percent(value, significant)
        case Name(text) | Verdict(_, text):
            return text
        case Several(items):
            return ", ".join(joined((name, text_of(item))) for name, item in items) or NONE
        # A bool is an int to Python, so that it is asked for first.
        case bool() | None | "":
            return NONE if not isinstance(cell, bool) else "yes" if cell else "no"
        case int():
            return count(cell)
        case _:
            return str(cell)


def shared_decimals(cells: Sequence[Cell]) -> int | None:
    """Return the decimals of a column in which an order is read, so that its numbers have as many as each other.

    They show half a width, the lower quartile of its intervals', with two significant digits; chances have two decimals, shares of three
    digits one, and numbers without intervals the digits of the largest. None where there are neither, or where more than
    six decimals would be needed: each then has digits of its own.
    """
    numbers = [cell for cell in cells if isinstance(cell, Number)]
    estimates = [cell for cell in cells if isinstance(cell, Estimate) and cell.value is not None]
    # Three digits of a share of 1 are one decimal of a percentage, 12.3 %, also where 100.0 % has four.
    if shares := [cell.digits for cell in cells if isinstance(cell, Share)]:
        return max(0, shares[0] - 2)
    if not estimates:
        return decimals_of((cell.value for cell in numbers), numbers[0].digits) if numbers else None
    if isinstance(estimates[0], Chance):
        return 2
    # The lower quartile of the widths: a wide interval or two take no digits from the others, and one that is
    # narrow by chance gives none to all.
    widths = sorted(e.high - e.low for e in estimates if e.low is not None and e.high is not None and e.high > e.low)
    size = widths[len(widths) // 4] / 2 if widths else min((abs(e.value) for e in estimates if e.value), default=1.0)
    # Estimates without intervals go by the smallest of them, of which three digits are shown.
    if size < 10.0**-MOST:  # six decimals would show nothing of it, or of its width
        return None
    return places(size, 2 if widths else 3)


def rows_of(table: Table, columns: Sequence[Column], most: int | None = None) -> list[list[tuple[str, str]]]:
    """Return the texts of columns of a table by row, of the first `most`: of each cell its value, and its interval."""
    # Decimals of the whole column, not of the rows that are shown: the first sixty read as they would among all.
    down = [shared_decimals(column.cells) if column.ordered else None for column in columns]
    rows = [list(row) for row in zip(*(column.cells[:most] for column in columns), strict=True)]
    # Along a row tasks have their own unit, so that decimals belong to the row.
    along = [[shared_decimals(row)] * len(columns) if table.across else down for row in rows]
    return [list(map(parts_of, row, decimals)) for row, decimals in zip(rows, along, strict=True)]
