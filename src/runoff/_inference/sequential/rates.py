"""Which algorithms have unlike success rates on one task: the tests of all partitions by success counts, in place of relabelling.

A partition of more than one pair is rejected as soon as a pair of it reaches the boundary at α divided by their number (Bonferroni), a test at α
over all looks whatever rates its classes have.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from runoff._inference.sequential.counts import CountBoundary, count_boundary
from runoff._inference.sequential.crossings import NOT_YET
from runoff._inference.sequential.design import SequentialDesign, looks_words
from runoff._inference.sequential.judge import Class, Closed, LookFinding, PairPositions, PooledCells, pairs_of
from runoff.base.arrays import Floats, Ints


class CountedClosed(Closed):
    """The tests of all partitions on the successes of the looks so far, on one task; `observed` is the lead in successes."""

    def __init__(self, design: SequentialDesign, looks: Sequence[PooledCells], n_algorithms: int, n_tasks: int) -> None:
        super().__init__(design, looks, n_algorithms, n_tasks)
        self._first: dict[int, int] = {}
        self._ends: dict[tuple[PairPositions, int], int] = {}

    def _drawn(self) -> dict[tuple[Class, str], Floats]:
        return {}

    def _own(self, pair: PairPositions) -> Floats:
        a, b = self.successes(pair)
        return np.asarray(a - b, np.float64)

    def successes(self, pair: PairPositions) -> tuple[Ints, Ints]:
        """Return the successes of both by each look at which both ran."""
        both = [cells for cells in self.looks if all((a, 0) in cells for a in pair)]
        of_a, of_b = (np.cumsum([int(cells[side, 0].sum()) for cells in both], dtype=np.int64) for side in pair)
        return of_a, of_b

    def boundary(self, n_pairs: int) -> CountBoundary:
        """Return the boundary of each pair of a partition with so many."""
        return boundary_of(self.design, n_pairs)

    def first(self, i: int) -> int:
        """Return the look at which a pair of a partition reached its boundary, counted from 0; -1: none has."""
        if i not in self._first:
            pairs = pairs_of(self.partitions[i])
            ends = [self._reached(pair, len(pairs)) for pair in pairs]
            self._first[i] = min((end for end in ends if end > NOT_YET), default=NOT_YET)
        return self._first[i]

    def _reached(self, pair: PairPositions, n_pairs: int) -> int:
        if (pair, n_pairs) not in self._ends:
            boundary, counts = self.boundary(n_pairs), np.stack(self.successes(pair), axis=1).tolist()
            looks = (j for j, (a, b) in enumerate(counts) if abs(a - b) >= boundary.lead(j, a + b))
            self._ends[pair, n_pairs] = next(looks, NOT_YET)
        return self._ends[pair, n_pairs]

    def _bound(self, i: int, pair: PairPositions, look: int) -> float:
        """Return the lead in successes that is enough for a pair of a partition at a look, with as many successes of both."""
        total = sum(int(of[look]) for of in self.successes(pair))
        return self.boundary(len(pairs_of(self.partitions[i]))).lead(look, total)

    def _crosses(self, i: int, pair: PairPositions, look: int) -> bool:
        return bool(abs(self.observed(pair)[look]) >= self._bound(i, pair, look))

    def interval(self, finding: LookFinding) -> tuple[float | None, float | None]:
        """Return the stage-wise interval of two algorithms at a claim, or at an end that was known beforehand; others have no order of ends."""
        own = self.first(0)
        claimed = finding.decision in ("a_better", "b_better") and own == finding.look
        unclaimed = finding.reason in ("last_look", "budget") and own == NOT_YET
        if len(self.pairs) > 1 or not (claimed or unclaimed):
            return None, None
        a, b = (int(of[finding.look]) for of in self.successes(finding.pair))
        return self.boundary(1).interval(finding.look, b, a, self.design.alpha)


def boundary_of(design: SequentialDesign, n_pairs: int) -> CountBoundary:
    """Return the boundary of each of so many pairs, at alpha divided by their number."""
    return count_boundary(design.looks, design.spent_of(design.alpha / n_pairs))


def widest_leads(design: SequentialDesign) -> tuple[float, ...]:
    """Return the largest lead that any total of successes asks for at each look of a single pair; inf where none is enough."""
    return tuple(float(of[of < inf].max()) if (of < inf).any() else inf for of in boundary_of(design, 1).leads)


def blind_notes(design: SequentialDesign) -> tuple[str, ...]:
    """Return the note on looks at which no counts decide."""
    blind = [k for k, of in enumerate(boundary_of(design, 1).leads, 1) if not (of < inf).any()]
    words = "can find no difference, whatever the counts: too little of alpha may be spent by then"
    return (f"{looks_words(blind)} {words}.",) if blind else ()
