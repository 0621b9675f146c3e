"""The fewest runs that have the power, and the curve about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from runoff._inference.planning.chance import Chance, Route
from runoff._inference.power import LEAST, fewest
from runoff.errors import DesignError

POINTS: dict[str, int] = {"closed_form": 100, "exact": 40, "simulated": 8}
"""A curve has about so many points, by the way in which power is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A way to find power, and what it has computed so far."""

    route: Route
    chances: dict[int, Chance] = field(default_factory=dict)

    def chance(self, n_runs: int) -> Chance:
        """Return power with so many runs of each algorithm on each task, computed once."""
        if n_runs not in self.chances:
            self.chances[n_runs] = self.route.chance(n_runs)
        return self.chances[n_runs]

    def fewest(self, power: float, tell: Callable[[int], None] = lambda _n: None) -> int:
        """Return the fewest runs that have the power; `tell` hears of each number that is tried.

        Raises
        ------
        DesignError
            The most runs for which power is found are too few.
        """

        def enough(n: int) -> bool:
            tell(n)
            return self.chance(n).power >= power

        needed = fewest(enough, self.route.most)
        if needed is None:
            most = self.route.most
            raise DesignError(
                f"more than {most:,} runs of each algorithm on each task would be needed for a true difference of {self.route.effect:.4g}: "
                f"with {most:,} the power is {100 * self.chance(most).power:.3g} %; ask for a larger effect."
            )
        return needed

    def curve(self, end: int) -> list[int]:
        """Return the numbers of runs up to `end` at which power is known, after it was found at some evenly spaced ones."""
        step = max(1, ceil((end - LEAST) / POINTS[self.route.method]))
        for n in (*range(LEAST, end + 1, step), end):
            self.chance(n)
        return sorted(n for n in self.chances if n <= end)


def beyond(n_runs: int) -> int:
    """Return where a curve ends whose answer is `n_runs`."""
    return max(10, n_runs + 3, ceil(1.3 * n_runs))
