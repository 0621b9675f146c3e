"""Contrasts of two algorithms whose means and ± are known, on a task or on average over all tasks; and SPREADS: what ± may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from types import MappingProxyType

import numpy as np
from scipy.special import ndtri, stdtrit

from runoff.base.arrays import Floats
from runoff.results.claims import PublishedCell, PublishedTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """a against b: their cells on one task or on all of them, and the sign of each task (-1 where lower is better).

    `joint` says that it is the average over tasks.
    """

    a: str
    b: str
    x: tuple[PublishedCell, ...]
    y: tuple[PublishedCell, ...]
    signs: tuple[int, ...]
    joint: bool = False

    @property
    def task(self) -> str | None:
        """Return its task, None over all tasks."""
        return None if self.joint else self.x[0].task

    @property
    def cells(self) -> tuple[PublishedCell, ...]:
        """Return the cells of a, then those of b."""
        return (*self.x, *self.y)

    @property
    def testable(self) -> bool:
        """Return whether every cell has a ±."""
        return all(cell.spread is not None for cell in self.cells)

    @property
    def difference(self) -> float:
        """Return the average difference in favour of a."""
        terms = [sign * (x.mean - y.mean) for sign, x, y in zip(self.signs, self.x, self.y, strict=True)]
        return terms[0] if len(terms) == 1 else fsum(terms) / len(terms)

    def side(self, cells: Sequence[PublishedCell]) -> float:
        """Return the mean of one side as the table has it: that of one task, or the average."""
        return fsum(cell.mean for cell in cells) / len(cells)

    @property
    def key(self) -> tuple[frozenset[str], str | None]:
        """Return the pair, in no order, and its task."""
        return frozenset((self.a, self.b)), self.task


def contrasts(table: PublishedTable, a: str, b: str) -> list[Contrast]:
    """Return the contrasts of a pair: on each task that both have, and over all tasks if both have all of several."""
    shared: list[tuple[PublishedCell, PublishedCell, int]] = [
        (x, y, table.sign(task))
        for task in table.tasks
        if (x := table.cell(a, task)) is not None and (y := table.cell(b, task)) is not None
    ]
    single = [Contrast(a=a, b=b, x=(x,), y=(y,), signs=(sign,)) for x, y, sign in shared]
    whole = 1 < len(shared) == len(table.tasks) and table.averages
    if not whole:
        return single
    first, second, signs = zip(*shared, strict=True)
    return [*single, Contrast(a=a, b=b, x=first, y=second, signs=signs, joint=True)]


def all_pairs(table: PublishedTable) -> list[Contrast]:
    """Return the family where the best is picked by its results: every pair."""
    return [contrast for a, b in combinations(table.algorithms, 2) for contrast in contrasts(table, a, b)]


def pairs_with(table: PublishedTable, algorithm: str) -> list[Contrast]:
    """Return the family of an algorithm that was named beforehand: it against each other."""
    return [contrast for b in table.algorithms if b != algorithm for contrast in contrasts(table, algorithm, b)]


# ── ± ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One kind of ±.

    title: the noun of "if ± is the …"; error: the standard error of the mean, from ± and n; shrinks: whether that falls as n grows with ± as
    it is, else n decides by the degrees of freedom only; needs_runs: whether nothing can be said without n.
    """

    title: str
    error: Callable[[Floats, Floats], Floats]
    shrinks: bool = False
    needs_runs: bool = False


SPREADS: Mapping[str, Spread] = MappingProxyType(
    {
        "sd": Spread(title="standard deviation", error=lambda width, n: width / np.sqrt(n), shrinks=True),
        "population_sd": Spread(
            title="standard deviation with n in its denominator (NumPy's default)",
            error=lambda width, n: width / np.sqrt(n - 1),
            shrinks=True,
        ),
        "se": Spread(title="standard error", error=lambda width, n: width + 0.0 * n),
        "ci95_t": Spread(
            title="half width of a 95 % t interval",
            error=lambda width, n: width / stdtrit(n - 1, 0.975),
            needs_runs=True,
        ),
        "ci95_normal": Spread(
            title="half width of a 95 % normal interval", error=lambda width, n: width / ndtri(0.975) + 0.0 * n
        ),
    }
)
READ_AS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"unknown": ("sd", "se"), "ci95": ("ci95_t", "ci95_normal")} | {name: (name,) for name in SPREADS}
)
"""The meaning that is given for ± -> the kinds that are then possible, all of which are answered."""
REFUSED: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        ("range", "minmax"), "from a range (least to greatest) no standard error follows, since it grows with the runs"
    )
    | dict.fromkeys(
        ("iqr", "quartiles"), "from quartiles a standard error follows only for a known shape, and runs have none"
    )
)
"""Meanings of ± from which no test follows, with the reason."""
