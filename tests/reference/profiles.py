"""Slow, obvious twins of performance profiles and their exact laws: fractions, and every resample there is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product


def share(cells, threshold):
    """The share of runs above a threshold, every cell weighing the same, as a fraction."""
    return sum(Fraction(sum(x > threshold for x in cell), len(cell)) for cell in cells) / len(cells)


def law(cells, threshold):
    """{share: probability} of the profile when runs are redrawn within cells, from all equally likely resamples."""
    first = [Counter(share([draw], threshold) for draw in product(cell, repeat=len(cell))) for cell in cells]
    result = Counter()
    for chosen in product(*(counts.items() for counts in first)):
        probability = Fraction(1)
        for (_, times), cell in zip(chosen, cells, strict=True):
            probability *= Fraction(times, len(cell) ** len(cell))
        result[sum(value for value, _ in chosen) / len(cells)] += probability
    return result


def law_of_rows(rows, threshold):
    """The same when whole rows (run, task) are redrawn."""
    result, n = Counter(), len(rows)
    for draw in product(rows, repeat=n):
        result[share(list(zip(*draw, strict=True)), threshold)] += Fraction(1, n**n)
    return result


def law_of_means(cells, threshold):
    """{share: probability} of the tasks whose mean is above, from all equally likely resamples of the runs within cells."""
    above = [
        Fraction(
            sum(sum(map(Fraction, draw)) > Fraction(threshold) * len(cell) for draw in product(cell, repeat=len(cell)))
        )
        / len(cell) ** len(cell)
        for cell in cells
    ]
    result = Counter()
    for chosen in product((0, 1), repeat=len(cells)):
        probability = Fraction(1)
        for is_above, chance in zip(chosen, above, strict=True):
            probability *= chance if is_above else 1 - chance
        result[Fraction(sum(chosen), len(cells))] += probability
    return result


def deviations(cells):
    """The largest deviation over all τ of the profile of every resample of one run less in each cell, as a sorted list."""
    at = sorted({x for cell in cells for x in cell})
    expected = [share(cells, tau) for tau in at]
    draws = product(*(list(product(cell, repeat=len(cell) - 1)) for cell in cells))
    return sorted(max(abs(share(draw, tau) - s) for tau, s in zip(at, expected, strict=True)) for draw in draws)


def ends(law, level):
    """The lowest and highest share that are left when less than (1 − level) / 2 is cut from each end."""
    tail = (1 - Fraction(level)) / 2
    low = min(s for s in law if sum(p for t, p in law.items() if t <= s) >= tail)
    high = max(s for s in law if sum(p for t, p in law.items() if t >= s) >= tail)
    return low, high


def order(x, y):
    """Who leads between any two neighbouring scores: the sign of the difference of the shares at each score of either."""
    at = sorted({value for cell in [*x, *y] for value in cell})
    return [(tau, share(x, tau) - share(y, tau)) for tau in at]


def area(cells, low, high):
    """The area between the profile and the score 0, at shares from `low` to `high`: the runs from the best down, each as wide as its weight."""
    runs = sorted(((Fraction(x), Fraction(1, len(cells) * len(cell))) for cell in cells for x in cell), reverse=True)
    result, top = Fraction(0), Fraction(0)
    for value, weight in runs:
        part = min(top + weight, high) - max(top, low)
        result += value * max(part, Fraction(0))
        top += weight
    return result
