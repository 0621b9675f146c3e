"""Texts of delimited fields whose last line was cut off while it was written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from runoff.reading.formats.base import PROGRESS
from runoff.reading.formats.heads import TextColumns
from runoff.tables.values import parsed
from runoff.words.words import kind

FEWEST = 5
"""The fewest other values with which the last value of a file can look cut off."""


def without_cut_line(data: bytes, columns: TextColumns, line: int) -> tuple[TextColumns, str]:
    """Return the columns without the last line, of this number, if its score looks cut off, and the words for it; or those for a last value that
    may be. Without a number all lines stay."""
    if data.endswith((b"\n", b"\r")) or not line or not (last := _cut_score(columns)):
        return columns, _cut_off(data, [column for _, column in columns])
    what = f"the last line, {line}, has no end, and its last value, {last!r}, looks cut off"
    kept = [(name, column[:-1]) for name, column in columns]
    return kept, f"{what}: the line is left out; end it with a line end if it is whole"


def without_short_end(data: bytes, used: str) -> tuple[bytes, str]:
    """Return learning curves without a last line that has no end, fewer fields than the one above it, and numbers or words where this has; and
    the words for it, "" of another text: without steps a run whose score is missing may have failed."""
    end = data.rfind(b"\n")
    last = data[end + 1 :]
    lines = (data[:65536].lstrip().partition(b"\n")[0], data[data.rfind(b"\n", 0, max(end, 0)) + 1 : max(end, 0)], last)
    heads, above, short = (line.decode("utf-8", "replace").split(used) for line in lines)
    kinds = [[parsed(field) is None for field in row[: len(short) - 1]] for row in (above, short)]
    if not 1 < len(short) < len(above) == len(heads) or b'"' in last or kinds[0] != kinds[1] or not _has_steps(heads):
        return data, ""
    what = f"the last line has no end, and {len(short)} of {len(above)} fields: it is left out, as cut off"
    return data[: end + 1], what


def _has_steps(heads: Sequence[str]) -> bool:
    return any(kind(name) in PROGRESS for name in heads)


BEFORE_IT = 6
"""The most rows before the last with which its score is compared."""


def _cut_score(columns: TextColumns) -> str:
    """Return the last score of a learning curve if it looks cut off; "" if it does not.

    It lies far below those at the steps before it, and has fewer decimals than they have, or would lie among them with more digits.

    >>> _cut_score([("step", list("12345")), ("return", ["45", "120", "180", "218", "21"])])
    '21'
    >>> _cut_score([("step", list("12345")), ("return", ["45.5", "120.2", "180.7", "218.1", "21.9"])])
    ''
    """
    steps = next((column for name, column in columns if kind(name) in PROGRESS), None)
    name, texts = columns[-1]
    if steps is None or texts is steps or not texts or kind(name) not in ("score", "rate", None):
        return ""
    ends = zip(steps[-1 - BEFORE_IT :], texts[-1 - BEFORE_IT :], strict=True)
    tail = [(parsed(step), parsed(text), str(text).strip()) for step, text in ends]
    *before, (end, value, last) = tail
    # Rows of one curve: those of another run have other steps.
    turn = max((i + 1 for i, (a, b) in enumerate(pairwise(tail)) if not (a[0] or 0) < (b[0] or 0)), default=0)
    sizes = [abs(number) for _, number, _ in before[turn:] if number is not None]
    if value is None or end is None or len(sizes) < 3 or 2 * abs(value) >= min(sizes):
        return ""
    decimals = [len(text.partition(".")[2]) for _, _, text in before[turn:]]
    longer = (float(f"{last}{'0' * n}") for n in (1, 2, 3)) if last.lstrip("-").isdigit() and value else ()
    among = any(0.8 * min(sizes) <= abs(number) * 1.1 and abs(number) <= 1.25 * max(sizes) for number in longer)
    return last if len(last.partition(".")[2]) < min(decimals) or among else ""


def _cut_off(data: bytes, columns: Sequence[Sequence[Any]]) -> str:
    """Return the words for a last line that may have been cut off, without a line end and with a value that begins like another; or ""."""
    if data.endswith((b"\n", b"\r")) or len(columns[-1]) <= FEWEST:
        return ""
    *others, last = map(str.strip, columns[-1][-1000:])
    if parsed(last) is None:
        short, is_so = (
            last != "" and last not in others and any(other.startswith(last) for other in others),
            "the beginning of another",
        )
    else:
        digits = [len(other.partition(".")[2]) for other in others]
        short, is_so = (
            len(last.partition(".")[2]) < min(digits) and len(last) < min(map(len, others)),
            "shorter than all others",
        )
    return (
        f"the last line has no end, and its last value, {last!r}, is {is_so}: if the file was cut off here, remove the line or "
        "write it again"
        if short
        else ""
    )
