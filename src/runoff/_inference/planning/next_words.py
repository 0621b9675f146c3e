"""What to run next, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from runoff._inference.power import percent
from runoff.base.arrays import Ints
from runoff.words.numbers import counted, digits

MOST_TOLD = 4
FEW = 5
"""Runs of a cell below which its standard deviation is hardly known."""


class Placed(Protocol):
    """A cell and the runs that it gets."""

    @property
    def algorithm(self) -> str: ...
    @property
    def task(self) -> str | None: ...
    @property
    def more(self) -> int: ...


def next_words(records: Sequence[Placed], errors: Sequence[float], sees: Sequence[float], power: float) -> str:
    """Return where runs go, and what they buy; errors: before, after, and of an even share; sees: before and after."""
    placed = sorted((record for record in records if record.more), key=lambda record: -record.more)
    told = [f"{record.more} of {_cell(record)}" for record in placed[:MOST_TOLD]]
    left = placed[MOST_TOLD:]
    if left:
        told.append(f"{sum(record.more for record in left)} in {counted([len(left)], 'other cell')}")
    total = sum(record.more for record in placed)
    shrunk, even = (f"{digits(100 * (1 - error / errors[0]))} %" for error in errors[1:])
    return (
        f"Run {', '.join(told)}: these {counted([total], 'run')} shrink the standard error of the difference from {digits(errors[0], 4)} to "
        f"{digits(errors[1], 4)} (by {shrunk}; spread evenly, by {even}), and the difference that is found with {percent(power)} power from "
        f"{digits(sees[0], 4)} to {digits(sees[1], 4)}."
    )


def _cell(record: Placed) -> str:
    return repr(record.algorithm) if record.task is None else f"{record.algorithm!r} on {record.task!r}"


def next_notes(sizes: Ints, n_pairs: int, *, several_prices: bool) -> tuple[str, ...]:
    """Return what a reader of an allocation has to know."""
    least = int(sizes.min())
    notes = []
    if least < FEW:
        notes.append(
            f"a cell has {counted([least], 'run')}, whose spread may be off by a factor of two and more: ask again when some of these are there"
        )
    if n_pairs > 1:
        notes.append(f"errors are of {n_pairs} differences, the root of their mean square")
    if several_prices:
        notes.append("prices differ, so that another allocation may be better by less than a run is worth")
    notes.append("runs are placed by spread, not by who leads; test once, when all of them are there")
    return tuple(notes)
