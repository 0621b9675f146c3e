"""Conversion of values as people write them to numbers: texts, outcomes, percent, amounts."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from runoff.base.arrays import Floats
from runoff.tables.labels import RawColumn, Values
from runoff.words.labels import FAILED
from runoff.words.speech import BLANK
from runoff.words.words import AMOUNT, canonical, ordered, vocabulary

EVEN = 4
"""The fewest equal increments that count as steps."""
MISSING = vocabulary(
    "n/a na n.a. #n/a n.d. n/d k.a. none null - -- – — ? * tbd tba todo missing #div/0! #value! #ref! #num! #name? #null!"
) | {""}
"""Texts in a score column that stand for a missing value."""
MARKS = vocabulary("x dnf dns lost")
"""Canonical marks of runs without a score, beside numbers."""
NO_NUMBER, NO_SCORE = MISSING | {"nan"}, FAILED | MARKS
"""Texts of cells that are missing, and canonical ones of those whose run failed."""
YES_NO = tuple(
    tuple(pair.split("/"))
    for pair in ordered(
        "true/false success/failure success/fail success/failed succeeded/failed pass/fail passed/failed solved/unsolved yes/no y/n "
        "correct/incorrect correct/wrong win/loss won/lost ja/nein ja/nee oui/non sí/no si/no 是/否 ✓/✗ ✔/✘ ✅/❌"
    )
)
"""Pairs of words in columns of outcomes, for 1 and for 0."""


def rises_evenly(values: Values, enough: int = EVEN) -> bool:
    """Return whether numbers rise repeatedly (`enough`) by the same amount, as steps of training do, and are no count: 0, 1000, 2000, 0, …"""
    steps = floats(values)
    rise = np.diff(np.empty(0) if steps is None else steps)
    # Steps of several runs lie below one another, so that falls are passed over, if rises are the more; a rise of 1
    # counts rows.
    up = rise[rise > 0]
    return up.size >= enough and 2 * up.size > rise.size and up[0] != 1 and bool(np.allclose(up, up[0]))


OF_PANDAS = "__index_level_0__"
"""The last column of a file that keeps an index without a name, as pandas writes it to Parquet and Feather."""
INDEX = frozenset({"", "unnamed: 0", "index", OF_PANDAS})
"""Names of a first column that only numbers the rows."""


def numbers_rows(head: str, values: Values, *, wide: bool) -> bool:
    """Return whether a first column only numbers the rows, though they were sorted, or some taken out; beside the heads of a wide table any
    other numbers may say what each row is."""
    numbers = floats(values) if head.strip().casefold() in INDEX else None
    if numbers is None:
        return False
    # pandas writes its index as a first column without a name; one that rises by thousands holds steps.
    rise = np.diff(numbers)
    blank = wide and head in ("", BLANK)
    gaps = np.diff(np.sort(numbers))
    # Rows that were sorted, or of which some are left, keep their numbers.
    numbered = bool(gaps.size and gaps.min() >= 1 and np.median(gaps) == 1 and (numbers == np.floor(numbers)).all())
    return numbered or bool((rise[rise > 0] == 1).all()) if blank else not rises_evenly(values, enough=2)


def outcomes(values: Values, beside: Collection[str] = ()) -> Values:
    """Return a column of scores with 1 for true and 0 for false, or without percent signs, if it contains nothing else; missing values
    become NaN. beside: the words of the columns beside it, one of which may be that for 1 where a column has only that for 0."""
    numbers = floats(values)
    if numbers is not None and np.isfinite(numbers).all():
        return values
    texts = [str(value).strip().casefold() for value in values]
    given = {text for text in texts if text not in MISSING}
    # The word for 1 must be there, or `false`: a column of `failed` alone may as well be a status.
    if given and (
        says := next((pair for pair in YES_NO if given <= {*pair} and {*given, *beside} & {pair[0], "false"}), None)
    ):
        return [None if text in MISSING else float(text == says[0]) for text in texts]
    # A run that is `crashed`, or `OOM`, has no score.
    lost = NO_SCORE if any(parsed(text) is not None for text in given) else FAILED
    missing = MISSING | {text for text in given if lost.intersection((canonical(text), text))}
    given -= missing
    percent = bool(given) and all(text.endswith("%") for text in given)
    return [
        np.nan if text in missing and text and value is not None else text.removesuffix("%") if percent else value
        for text, value in zip(texts, values, strict=True)
    ]


def are_outcomes(values: Values) -> bool:
    """Return whether a column holds words for what succeeded, or for what failed, and nothing else.

    >>> are_outcomes(["success", "fail", ""]), are_outcomes(["success", "cube"]), are_outcomes(["1", "0"])
    (True, False, False)
    """
    given = {str(value).strip().casefold() for value in values} - MISSING
    return bool(given) and any(given <= {*pair} for pair in YES_NO)


def is_empty(value: object) -> bool:
    """Return whether a table cell is empty or blank."""
    return value is None or (isinstance(value, str) and not value.strip())


def is_missing(value: object) -> bool:
    """Return whether a table cell is empty, NaN, or a text that stands for a missing value."""
    return value is None or str(value).strip().casefold() in NO_NUMBER


def is_lost(value: object) -> bool:
    """Return whether a cell among numbers has none: it is missing, or says that its run failed (`OOM`, `crashed`)."""
    if is_missing(value) or not isinstance(value, str):
        return is_missing(value)
    # Words of other alphabets stand as they are.
    return not NO_SCORE.isdisjoint((canonical(value), value.strip().casefold()))


def mostly_numbers(values: Values) -> bool:
    """Return whether a column holds numbers, or percentages, beside which runs may have failed."""
    if floats(values, gaps=True) is not None:
        return True
    kept = [value for value in values if not is_lost(value)]
    kept = [str(value).removesuffix("%") for value in kept] if in_percent(kept) else kept
    return 2 * len(kept) > len(values) and floats(kept) is not None


def in_percent(values: Values) -> bool:
    """Return whether scores have percent signs."""
    first = next((value for value in values if str(value).strip().casefold() not in MISSING), None)
    return isinstance(first, str) and first.rstrip().endswith("%")


AMOUNTS = {"k": 1e3, "m": 1e6, "mio": 1e6, "million": 1e6, "thousand": 1e3, "b": 1e9}


def amount(match: re.Match[str]) -> float:
    """Return the number of an amount, of `1.2k` 1200, by the match of its number and its letter."""
    return float(match[1]) * (AMOUNTS[match[2].casefold()] if match[2] else 1.0)


def amounts(values: Values) -> Values:
    """Return a column of steps with amounts such as 100k and 1.5M as numbers."""
    if isinstance(values, np.ndarray) or not any(isinstance(v, str) and AMOUNT.fullmatch(v.strip()) for v in values):
        return values
    parts = [re.fullmatch(r"\s*([\d.]+)\s*([a-z]+)\s*", str(value).casefold()) for value in values]
    return [
        amount(part) if part and AMOUNT.fullmatch(part[0].strip()) else value
        for part, value in zip(parts, values, strict=True)
    ]


def parsed(value: object) -> float | None:
    """Return the number that a value stands for, or None; an integer too large for a float is infinite."""
    # Python reads "1_000" as a number, but in a file it is a label.
    if value is None or isinstance(value, bool | np.bool_ | bytes) or (isinstance(value, str) and "_" in value):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        # JSON may hold integers of any length; infinities are refused later with their row.
        return float("-inf" if value < 0 else "inf")  # type: ignore[operator]
    except (TypeError, ValueError):
        return None


def floats(values: Values, *, gaps: bool = False) -> Floats | None:
    """Return a column as numbers, None if it contains anything else; `gaps` reads missing values as NaN."""
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        return values
    if isinstance(values, RawColumn):
        return _of_column(values, gaps=gaps)
    # By type, since bool is an int to Python and no score here; numbers that NumPy made are looked at one by one.
    kinds = set(map(type, values))
    # A column of one type, as files have them, is converted in one go; `parsed` looks at each value of the others.
    if kinds <= {float} or (kinds == {str} and not gaps and not any("_" in value for value in values)):
        try:
            return np.fromiter(map(float, values), dtype=np.float64, count=len(values))
        except ValueError:
            return None
    converted = [float("nan") if gaps and value in (None, "") else parsed(value) for value in values]
    return None if None in converted else np.array(converted, dtype=np.float64)


def _of_column(column: RawColumn, *, gaps: bool) -> Floats | None:
    """Return the numbers of a polars column; Python reads those that polars does not, such as ٣."""
    read, unread = column.floats()
    read = read.copy() if unread.size else read
    for i in unread.tolist():
        value = column[i]
        number = float("nan") if gaps and value in (None, "") else parsed(value)
        if number is None:
            return None
        read[i] = number
    return read
