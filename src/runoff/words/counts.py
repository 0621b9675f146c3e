"""Numbers of things as readers see them."""

from __future__ import annotations

from collections.abc import Iterable


def span(counts: Iterable[int]) -> str:
    """Return "3", or "3 to 5" where the counts differ."""
    known = [int(count) for count in counts]
    low, high = min(known), max(known)
    return f"{low}" if low == high else f"{low} to {high}"


def counted(counts: Iterable[int], noun: str) -> str:
    """Return "1 run", "3 runs" or "3 to 5 runs"."""
    known = [int(count) for count in counts]
    return f"{span(known)} {noun}{'' if max(known) == 1 else 's'}"
