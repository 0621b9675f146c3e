"""Which pairs differ, by which look: closed testing over all partitions of the algorithms into equal ones.

Each partition is a null of its own, tested over the looks by the largest statistic of the pairs within its classes, at the full alpha. A pair
is told apart at the first look by which every partition that puts the two together is rejected, so the chance of any wrong claim is at most
alpha whichever algorithms are equal (Marcus, Peritz & Gabriel 1976; over looks: Tang & Geller 1999).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from runoff._inference.family import partitions
from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.paths import (
    NOT_YET,
    Cells,
    Crossings,
    Reduce,
    crossings,
    first_over_second,
    largest,
    paths,
    second_over_first,
)
from runoff._inference.sequential.statistics import SEQUENTIAL_TESTS
from runoff.base.arrays import Floats
from runoff.base.random import Streams

Class = tuple[int, ...]
Pair = tuple[int, int]


class Closed:
    """The tests of all partitions on the runs of the looks so far; each is computed when it is first asked for."""

    def __init__(self, design: SequentialDesign, looks: Sequence[Cells], n_algorithms: int, n_tasks: int) -> None:
        self.design, self.looks, self.n_tasks = design, looks, n_tasks
        self.pairs: list[Pair] = list(combinations(range(n_algorithms), 2))
        self.partitions = sorted(_classes(n_algorithms), key=lambda classes: -max(map(len, classes)))
        self._paths: dict[tuple[Class, str, float, int], Floats] = {}
        self._tested: dict[int, Crossings] = {}

    def differ(self, pair: Pair, look: int) -> bool:
        """Return whether a pair is told apart by a look."""
        return all(self.tested(i).by(look) for i in self._holding(pair))

    def direction(self, pair: Pair) -> float:
        """Return the sign of a pair's statistic at the look at which its own test crossed; 0: it has not."""
        own = next(i for i, classes in enumerate(self.partitions) if classes == (pair,))
        crossed = self.tested(own).look
        return float(np.sign(self.observed(pair)[crossed])) if crossed > NOT_YET else 0.0

    def critical(self, pair: Pair, look: int) -> float:
        """Return the bound above which a pair's own statistic is enough at a look, whatever the other pairs are."""
        return max(
            (float(self.tested(i).critical[look]) for i in self._holding(pair) if not self.tested(i).by(look - 1)),
            default=0.0,
        )

    def needed(self, undecided: set[Pair], look: int) -> tuple[int, ...]:
        """Return the algorithms that have to go on: all that a partition not yet rejected groups, if it groups an undecided pair.

        An algorithm leaves only when no such partition holds it, so every test that is still needed has all of its runs.
        """
        needed: set[int] = set()
        for i, classes in enumerate(self.partitions):
            members = {a for group in classes for a in group}
            if not members <= needed and undecided & set(_pairs_of(classes)) and not self.tested(i).by(look):
                needed |= members
        return tuple(sorted(needed))

    def tested(self, i: int) -> Crossings:
        """Return the test of a partition."""
        if i not in self._tested:
            drawn = [self._drawn(group, largest) for group in self.partitions[i]]
            shortest = min(draws.shape[1] for draws in drawn)
            joint = np.maximum.reduce([draws[:, :shortest] for draws in drawn])
            self._tested[i] = crossings(joint, self.design.spent)
        return self._tested[i]

    def alike(self, pair: Pair, margin: float) -> int | None:
        """Return the look by which both one-sided tests say that a pair differs by less than the margin; None: not yet."""
        spent = self.design.spent_of(self.design.alpha / len(self.pairs))
        higher = crossings(self._drawn(pair, first_over_second, shift=margin), spent).look
        lower = crossings(self._drawn(pair, second_over_first, shift=-margin), spent).look
        return max(higher, lower) if min(higher, lower) >= 0 else None

    def observed(self, pair: Pair) -> Floats:
        """Return the statistic of the data at each look, positive where the first of the pair is higher."""
        statistics: Floats = self._drawn(pair, first_over_second, n_resamples=1)[0]
        return statistics

    def _holding(self, pair: Pair) -> Iterator[int]:
        return (i for i, classes in enumerate(self.partitions) if pair in _pairs_of(classes))

    def _drawn(self, members: Class, reduce: Reduce, shift: float = 0.0, n_resamples: int | None = None) -> Floats:
        n = self.design.n_resamples if n_resamples is None else n_resamples
        key = (members, reduce.__name__, shift, n)
        if key not in self._paths:
            self._paths[key] = paths(
                [cells for cells in self.looks if all((a, 0) in cells for a in members)],
                members,
                self.n_tasks,
                statistic=SEQUENTIAL_TESTS[self.design.test].statistic,
                reduce=reduce,
                streams=Streams(self.design.seed),
                n_resamples=n,
                shift=shift,
            )
        return self._paths[key]


def _classes(n_algorithms: int) -> Iterator[tuple[Class, ...]]:
    """Yield the classes of at least two algorithms of every partition that has one."""
    for partition in partitions(list(range(n_algorithms))):
        classes = tuple(group for group in partition if len(group) > 1)
        if classes:
            yield classes


def _pairs_of(classes: tuple[Class, ...]) -> list[Pair]:
    return [pair for group in classes for pair in combinations(group, 2)]
