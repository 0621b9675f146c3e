"""Entries that are rates over items or episodes: the numbers of successes that round to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor

from runoff.answer.claims import PublishedCell
from runoff.errors import DataError
from runoff.reading.printed.cells import PrintedCell, PrintedEntry, at
from runoff.reading.printed.heads import Label
from runoff.words.patterns import regex
from runoff.words.speech import choice, option
from runoff.words.words import vocabulary, words

SLACK = 1e-9
"""The number of successes by which a double may differ from the count in its digits."""
LARGEST_COUNT = 100_000_000
"""The largest number of items or episodes of an entry; beyond it, doubles cannot represent every count."""


def refuse_spreads(place: str, printed: Sequence[tuple[PrintedEntry, PrintedCell]], unit: str) -> None:
    """Refuse a table of rates that prints a spread: the two may say different things of the same entry."""
    for entry, cell in printed:
        if cell.form not in ("mean", "count"):
            raise DataError(
                f"{at(place, entry)}: {entry.text!r} has a ±, but with {option('unit', unit)} the spread follows from the rate and its "
                f"number of {unit}s; leave out the option, and use {option('spread')} to state what ± is."
            )


NO_RATES = vocabulary(
    "size sizes params param parameters shot shots flop flops year date token tokens latency cost costs price time hours seconds "
    "throughput layers elo rank question questions item items sample samples example examples episode episodes rollout rollouts "
    "trial trials count epochs"
)
BESIDE_NO_RATES = vocabulary(
    "b m k t bn million billion ms s sec h hr min gb mb usd of per n num number no in total train training release released"
)
IN_PERCENT = regex(r"%|\bpct\b|\bper ?cent\b|\bpercentages?\b", re.IGNORECASE)
CAPTION_IN_PERCENT = regex(r"\(\s*(?:in )?%\s*\)|\bin (?:%|per ?cent)|\bpercentages\b", re.IGNORECASE)
"""The words in a caption that apply to all numbers; a % alone may belong to anything."""


def is_no_rate(name: str) -> bool:
    """Return whether a row or column of this name cannot hold success rates: sizes, costs, years, counts.

    >>> is_no_rate("Params (B)"), is_no_rate("# Questions"), is_no_rate("Natural Questions"), is_no_rate("MMLU (5-shot)")
    (True, True, False, False)
    """
    parts = {word for word in words(name) if not word.isdigit()}
    return bool(parts & NO_RATES) and parts <= NO_RATES | BESIDE_NO_RATES


def leave_out_no_rates(tasks: Sequence[str], notes: list[str]) -> set[str]:
    """Return the tasks whose names cannot be those of success rates, and note them."""
    left = [name for name in tasks if is_no_rate(name)]
    if left:
        notes.append(f"Left out, since no success rates have such a name: {', '.join(left)}.")
    return set(left)


def tasks_in_percent(tasks: Mapping[str, Label], others: Iterable[Label], caption: str) -> list[str]:
    """Return the tasks whose header, or a header above all of them, says that rates are in per cent."""
    everywhere = (
        any(IN_PERCENT.search(label.entry.text) for label in others) or CAPTION_IN_PERCENT.search(caption) is not None
    )
    return [name for name, label in tasks.items() if everywhere or IN_PERCENT.search(f"{name} {label.entry.text}")]


def counted_of(place: str, entry: PrintedEntry, of: str | None, n: int | None) -> int | None:
    """Return the number of attempts of an entry; that in its count (17/20) must not be contradicted."""
    if of is None:
        return n
    if n not in (None, int(of)):
        raise DataError(f"{at(place, entry)}: the number of this entry is given as {of} and {n}; give one number.")
    return int(of)


def with_counts(
    place: str, cells: Sequence[PublishedCell], unit: str, percent: Collection[str]
) -> Sequence[PublishedCell]:
    """Return the cells of rates, each with the fewest, the nearest and the most successes that round to the printed rate; leave cells of
    runs as they are.

    percent: the tasks whose header says that rates are in per cent; they are also read so if a cell has a % or a rate above 1. A rate that
    no number of successes has is refused: it is the mean of something else, or over another number (the GRIM test: Brown & Heathers 2017).
    """
    if unit == "run":
        return cells
    whole = 100.0 if _in_percent(place, cells, percent) else 1.0
    cells = [_with_counts(place, cell, unit, whole) for cell in cells]
    if unit == "item":
        _check_shared(place, cells)
    return cells


def _check_shared(place: str, cells: Sequence[PublishedCell]) -> None:
    """Refuse two models that answered different numbers of items on the same task."""
    first: dict[str, PublishedCell] = {}
    for cell in cells:
        other = first.setdefault(cell.task, cell)
        if other.n != cell.n:
            raise DataError(
                f"{at(place, cell)}: {cell.algorithm} answered {cell.n} items and {other.algorithm} {other.n} on {cell.task!r}, so that they "
                f"did not answer the same ones; correct the numbers, or use "
                f"{option('unit', 'episode')} if each model was given items of its own."
            )


def _in_percent(place: str, cells: Sequence[PublishedCell], named: Collection[str]) -> bool:
    rates = [cell for cell in cells if not _counted(cell)]
    tasks = {cell.task: [own for own in rates if own.task == cell.task] for cell in rates}
    percent = {t for t, own in tasks.items() if t in named or any("%" in cell.text or cell.mean > 1 for cell in own)}
    # 0.9 beside 82.1 is a share or at most one per cent: only a sign says which.
    for task in tasks.keys() - percent if percent else ():
        doubtful = next((cell for cell in tasks[task] if cell.mean > 0), None)
        if doubtful is not None:
            raise DataError(
                f"{at(place, doubtful)}: {doubtful.text!r} on {task!r} may be a share or at most one per cent, since other tasks are in per "
                "cent; write all in one unit, or % behind it."
            )
    return bool(percent)


def _counted(cell: PublishedCell) -> bool:
    return "/" in cell.text


def _with_counts(place: str, cell: PublishedCell, unit: str, whole: float) -> PublishedCell:
    where = at(place, cell)
    if cell.n is None:
        names = choice("n_runs={NAME: N}", "--n-runs NAME=N")
        message = f"{where}: the number of {unit}s behind {cell.text!r} is missing; use {option('n_runs')} (or {names} for each task)."
        raise DataError(message)
    if cell.n > LARGEST_COUNT:
        raise DataError(f"{where}: {cell.n} {unit}s are more than an entry can have ({LARGEST_COUNT}).")
    if _counted(cell):
        won = round(cell.mean * cell.n)
        if won > cell.n:
            raise DataError(f"{where}: {cell.text!r} counts more successes than {unit}s; correct the entry.")
        return replace(cell, counts=(won, won, won))
    rate, off = cell.mean / whole, cell.mean_unit / whole / 2
    if not 0 <= rate <= 1:
        what = "a rate from 0 to 1" if whole == 1 else "a rate from 0 to 100 per cent"
        raise DataError(
            f"{where}: {cell.text!r} is not {what}; leave out {option('unit', unit)} if entries are means of scores."
        )
    low, high = ceil(cell.n * (rate - off) - SLACK), floor(cell.n * (rate + off) + SLACK)
    low, high = max(low, 0), min(high, cell.n)
    if low > high:
        below, above = (whole * count / cell.n for count in (floor(cell.n * rate), floor(cell.n * rate) + 1))
        raise DataError(
            f"{where}: no number of successes of {cell.n} {unit}s has the rate {cell.text} (those nearest are {below:.4g} and {above:.4g}), so "
            f"that it is a mean of something else; correct {option('n_runs')}, which counts attempts where each {unit} had several."
        )
    return replace(cell, counts=(low, min(max(round(cell.n * rate), low), high), high))
