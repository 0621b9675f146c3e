"""Exact null distributions the plain way: every arrangement is made, its statistic computed, and the share counted.

All arithmetic is that of fractions or integers, so equal statistics are equal. Values are taken as the decimals that they
are written as: 0.1 is one tenth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import inf, lcm

from tests.golden.counting import Cells, Matrix, Sums, doubled_midranks, general_inverse

Values = Sequence[Fraction | int | float]
Arrangement = tuple[list[list[Fraction]], ...]


def fractions(values: Values) -> list[Fraction]:
    """Return numbers as the decimals that they are written as."""
    return [Fraction(str(value)) for value in values]


def given_out(values: Values, counts: Sums) -> Iterator[list[list[Fraction]]]:
    """All ways to give values to owners, so many to each; the first way gives them in order."""
    if not counts:
        yield []
        return
    for chosen in combinations(range(len(values)), counts[0]):
        rest = [value for i, value in enumerate(values) if i not in chosen]
        for others in given_out(rest, counts[1:]):
            yield [[values[i] for i in chosen], *others]


def tails(values: Values) -> dict[str, Fraction]:
    """Shares of values ≥, ≤, and in size ≥, the first, which is the observed one."""
    first, n = values[0], len(values)
    return {
        "greater": Fraction(sum(value >= first for value in values), n),
        "less": Fraction(sum(value <= first for value in values), n),
        "two-sided": Fraction(sum(abs(value) >= abs(first) for value in values), n),
    }


# ── two samples ──────────


def differences_of_means(x: Values, y: Values) -> list[Fraction]:
    """Mean of x minus mean of y of every relabelling, as multiples of one unit: those of n Σx - n_x Σ(x and y)."""
    pooled = fractions([*x, *y])
    scale = lcm(*(value.denominator for value in pooled))
    whole = [int(value * scale) for value in pooled]
    total = sum(whole) * len(x)
    return [sum(first) * len(pooled) - total for first, _ in given_out(whole, (len(x), len(y)))]


def welch(x: Values, y: Values) -> list[Fraction | float]:
    """Welch's t, squared with its sign, of every relabelling; ±inf where nothing varies but the means differ."""
    pooled = fractions([*x, *y])
    scale = lcm(*(value.denominator for value in pooled))
    whole = [int(value * scale) for value in pooled]
    return [_signed_square(*samples) for samples in given_out(whole, (len(x), len(y)))]


def _signed_square(x: list[int], y: list[int]) -> Fraction | float:
    n, m = len(x), len(y)
    difference = sum(x) * m - sum(y) * n
    spread = [
        Fraction(len(s) * sum(v * v for v in s) - sum(s) ** 2, len(s) ** 2 * (len(s) - 1)) for s in (x, y)
    ]  # s² / n
    square = Fraction(difference * abs(difference), (n * m) ** 2)
    if sum(spread):
        return square / sum(spread)
    return inf if difference > 0 else -inf if difference < 0 else 0.0


def rank_sums(x: Values, y: Values) -> list[Fraction]:
    """Rank sum of x minus its mean, doubled, of every relabelling: U of x minus n_x n_y / 2, doubled."""
    ranks = doubled_midranks([*x, *y])
    return [sum(first) - len(x) * (len(ranks) + 1) for first, _ in given_out(ranks, (len(x), len(y)))]


def brunner_munzel(x: Values, y: Values) -> list[Fraction | float]:
    """Signed square of the Brunner-Munzel statistic of every relabelling, up to a factor, positive where x is larger.

    Where its variance is 0 it is ±inf, and 0 for no difference.
    """
    ranks = doubled_midranks([*x, *y])
    return [signed_square(first, second) for first, second in given_out(ranks, (len(x), len(y)))]


def signed_square(x: Sequence[int], y: Sequence[int]) -> Fraction | float:
    """t |t| of Brunner & Munzel (2000), up to a factor: squared sum of the placements over their variance."""
    above_y, above_x = [placement(value, y) for value in x], [placement(value, x) for value in y]
    difference = sum(above_y) - len(x) * len(y)
    variance = spread(above_y) * len(x) + spread(above_x) * len(y)
    if variance == 0:
        return 0 if difference == 0 else inf * difference
    return difference * abs(difference) / variance


def placement(value: int, others: Sequence[int]) -> int:
    """Twice the number of others below, plus the number that tie."""
    return sum((other < value) + (other <= value) for other in others)


def spread(values: Sequence[int]) -> Fraction:
    """Unbiased variance."""
    n = len(values)
    return Fraction(n * sum(value * value for value in values) - sum(values) ** 2, n * (n - 1))


# ── blocked designs ──────────


def arrangements(cells: Sequence[Sequence[Values]]) -> Iterator[Arrangement]:
    """All ways to give each task's values to its algorithms, [task][algorithm]; tasks of a single algorithm are left out."""
    columns = [column for column in zip(*cells, strict=True) if sum(map(bool, column)) >= 2]
    yield from product(*(list(given_out([x for cell in c for x in cell], tuple(map(len, c)))) for c in columns))


def literal(cells: Cells) -> list[list[list[Fraction]]]:
    """Return scores as the decimals that they are written as."""
    return [[fractions(cell) for cell in row] for row in cells]


def ranked(cells: Cells) -> list[list[list[Fraction]]]:
    """Return every score's mid-rank within its task."""
    given = [iter(doubled_midranks([x for cell in column for x in cell])) for column in zip(*cells, strict=True)]
    return [[[Fraction(next(task), 2) for _ in cell] for task, cell in zip(given, row, strict=True)] for row in cells]


def weighted_totals(cells: Cells, shift: int) -> list[list[Fraction]]:
    """Σ over tasks of (rank sum - its mean) / (q + shift), algorithm by algorithm, of every arrangement."""
    return [
        [sum(parts) for parts in zip(*(weighted(task, shift) for task in arrangement), strict=True)]
        for arrangement in ways(cells)
    ]


def ways(cells: Cells) -> Iterator[Arrangement]:
    """All arrangements of the mid-ranks."""
    return arrangements(ranked(cells))


def weighted(task: list[list[Fraction]], shift: int) -> list[Fraction]:
    """One task's part of the totals."""
    q = sum(map(len, task))
    return [(sum(ranks, Fraction(0)) - len(ranks) * Fraction(q + 1, 2)) / (q + shift) for ranks in task]


def forms(totals: list[list[Fraction]]) -> list[Fraction]:
    """Tᵀ Cov(T)⁻ T of every arrangement; the covariance is the mean of T Tᵀ over all of them, not a formula."""
    k = len(totals[0])
    inverse = general_inverse(covariance(totals))
    return [sum(t[a] * inverse[a][b] * t[b] for a, b in product(range(k), repeat=2)) for t in totals]


def covariance(totals: list[list[Fraction]]) -> Matrix:
    """Mean of T Tᵀ over all arrangements."""
    k, n = len(totals[0]), len(totals)
    return [[sum(t[a] * t[b] for t in totals) / n for b in range(k)] for a in range(k)]
