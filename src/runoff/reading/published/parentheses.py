"""Numbers in parentheses or subscripts: spreads, or ranks, numbers of runs and episodes, citations and years, which are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from runoff.answer.claims import PublishedCell
from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading.printed.cells import at
from runoff.words.speech import option


def check_parentheses(place: str, cells: Sequence[PublishedCell], lower: Sequence[str]) -> None:
    """Refuse numbers in parentheses that are ranks or mean ranks on every task, numbers of runs or episodes, citations, or years.

    Ranks are 1 … k, in any order, or have ties and follow the means; other numbers are one for all cells, for each algorithm or for each
    task. A table whose spreads look like these by chance has to be written with ±; docs/guides/check-a-published-table.md measures how often
    this happens.
    """
    own = [cell for cell in cells if cell.spread is not None]
    what, repair = _no_spreads(own, lower), "leave them out, or write ± if they are spreads"
    if what is None:
        return
    if "numbers of runs" in what:
        repair = f"use {option('n_runs')} for them, or write ± if they are spreads"
    where = "subscripts" if "_{" in own[0].text else "parentheses"
    raise DataError(f"{at(place, own[0])}: the {where}, here {own[0].text!r}, {what}; {repair}.")


def _no_spreads(cells: Sequence[PublishedCell], lower: Sequence[str]) -> str | None:
    """Return what the numbers in parentheses are, in words, if they are not spreads."""
    pairs = [(cell.spread or 0.0, cell.mean if cell.task in lower else -cell.mean) for cell in cells]
    by_task = grouped(zip((cell.task for cell in cells), pairs, strict=True))
    by_algorithm = grouped(zip((cell.algorithm for cell in cells), pairs, strict=True))
    rows, numbers = [row for row in by_task.values() if len(row) > 1], {cell.spread or 0.0 for cell in cells}
    if rows and len(numbers) > 1 and all(map(are_ranks, rows)):
        return "are 1, 2, … on every task, like ranks"
    units = [cell.spread_unit for cell in cells]
    if len(rows) > 1 and len(numbers) > 1 and all(_are_mean_ranks(row, max(units)) for row in rows):
        return "have the sum of mean ranks on every task"
    # Numbers of runs, years and citations are whole and not 0; anything else is a spread.
    if min(units, default=0.0) < 1 or min(numbers) < 1:
        return None
    if len(cells) > 1 and all(1990 <= number <= 2030 for number in numbers):
        return "are years"
    if len(numbers) == 1 and len(cells) >= LEAST_ALIKE and min(numbers) >= 2:
        return "are the same in every cell, like numbers of runs"
    for what, groups in (("algorithm", by_algorithm), ("task", by_task)):
        alike = all(len({number for number, _ in group}) == 1 < len(group) for group in groups.values())
        if alike and len(numbers) > 1 and len(cells) >= LEAST_ALIKE:
            return f"are the same for each {what}, like {'citations' if what == 'algorithm' else 'numbers of episodes'}"
    return None


def _are_mean_ranks(row: Sequence[tuple[float, float]], unit: float) -> bool:
    # Mean ranks of k algorithms sum to k (k + 1) / 2, up to half a unit of rounding each.
    k, ranks = len(row), [rank for rank, _ in row]
    rounding = k * unit / 2 + 1e-9
    return unit < 1 and abs(sum(ranks) - k * (k + 1) / 2) <= rounding and min(ranks) >= 1 and max(ranks) <= k


LEAST_ALIKE = 4
"""The fewest cells in which equal numbers in parentheses are taken for numbers of runs."""


def are_ranks(row: Sequence[tuple[float, float]]) -> bool:
    """Return whether numbers are the ranks of the values given with them, the lowest of which is best.

    Tied values may share the lowest, the highest, the mean or the next rank; ranks with ties count only if none contradicts the values.

    >>> are_ranks([(1, 7), (2, 5)]), are_ranks([(1, 5), (2, 6), (2, 7)]), are_ranks([(2, 5), (1, 6), (2, 7)]), are_ranks([(1, 5), (4, 6)])
    (True, True, False, False)
    """
    ties, places = Counter(rank for rank, _ in sorted(row)), range(1, len(row) + 1)
    if list(ties) == list(places):
        return True
    # With ties nearly any small whole numbers could be ranks; they are only if better means have lower ones.
    ordered = all(value <= other for rank, value in row for above, other in row if rank < above)
    # Of n values that tie up to place `end`: the least of their places, the greatest, the middle, and dense ranks,
    # which skip none (scipy.stats.rankdata).
    ends = list(accumulate(ties.values()))
    ways = (
        [end - n + 1, end, end - (n - 1) / 2, dense] for end, n, dense in zip(ends, ties.values(), places, strict=False)
    )
    return ordered and any(list(ties) == list(way) for way in zip(*ways, strict=True))
