"""One factor per algorithm, so that every pair's overlap agrees with its decision: small linear programmes (HiGHS).

The unknowns are factors ε ≥ 0. Of two estimates a distance d apart, whose intervals reach u and b towards each other, a rejected pair needs
u ε₁ + b ε₂ < d, one that is not rejected u ε₁ + b ε₂ ≥ d. Among the factors that satisfy all pairs, no interval is shrunk more than
it must be (the smallest factor is as large as possible, then the next smallest, …, none beyond its target), and then none is widened more
than it must be (the largest as small as possible, then the next). If no factors satisfy all pairs, as few pairs as possible are given up,
found by integer programming; among equally many, those whose difference would be missed rather than those where one would be claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from runoff.base.arrays import Bools, Floats

TOLERANCE = 1e-9
"""Ten times the tolerance of the solver: a level that it found is still feasible when it comes back as a bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facing:
    """Two intervals as they face each other: `lower` reaches `up`, `upper` reaches `down`, across `distance`."""

    lower: int
    upper: int
    distance: float
    up: float
    down: float
    pvalue: float
    rejected: bool

    @property
    def reach(self) -> float:
        return self.up + self.down

    @property
    def touch(self) -> float:
        """The common factor with which the two touch."""
        return self.distance / self.reach

    @property
    def possible(self) -> bool:
        """Whether any factors agree with the decision, were there only this pair."""
        return self.distance > 0 if self.rejected else self.distance == 0 or self.reach > 0

    @property
    def binding(self) -> bool:
        """Whether the decision says anything about the factors."""
        return self.possible and self.distance > 0 and self.reach > 0


@dataclass(frozen=True, slots=True)
class Programme:
    """Inequalities `rows` · ε ≤ `bounds`, both scaled so that the largest coefficient of a row is 1; 0 ≤ ε ≤ `most`."""

    rows: Floats
    bounds: Floats
    most: float

    def solve(self, goal: Floats, lower: Floats, upper: Floats) -> Floats | None:
        """Return the factors that minimise `goal` · ε between bounds; None if there are none."""
        solution = optimize.linprog(
            goal,
            A_ub=self.rows,
            b_ub=self.bounds,
            bounds=list(zip(lower.tolist(), upper.tolist(), strict=True)),
            method="highs",
            # The tightest that HiGHS accepts; TOLERANCE has to stand clear of it.
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return None if solution.x is None else np.asarray(solution.x, np.float64)

    @property
    def feasible(self) -> bool:
        n = self.rows.shape[1]
        return self.solve(np.zeros(n), np.zeros(n), np.full(n, self.most)) is not None

    def with_level(self, members: Floats, sign: float) -> Programme:
        """Return the programme with one more unknown, a level m that `sign` · ε of every member must reach."""
        chosen = np.flatnonzero(members)
        extra = np.zeros((chosen.size, self.rows.shape[1] + 1))
        extra[np.arange(chosen.size), chosen] = -sign
        extra[:, -1] = 1.0
        rows = np.vstack([np.column_stack([self.rows, np.zeros(len(self.rows))]), extra])
        return Programme(rows, np.concatenate([self.bounds, np.zeros(chosen.size)]), self.most)


def fair_factors(pairs: Sequence[Facing], n: int, target: float, margins: tuple[float, float]) -> Floats:
    """Return the factors of `n` algorithms, as near to `target` as the pairs allow.

    `margins` are shares of a pair's distance: the gap or overlap that the eye should see, and the least that is demanded where that much is not
    possible for all pairs.
    """
    binding = [pair for pair in pairs if pair.binding]
    if not binding:
        return np.full(n, target)
    # A gap that the eye can see is a wish, agreement is the law: where the wish cannot be granted to all pairs, only
    # the law is imposed.
    seen, least = (_programme(binding, n, target, visible, margins[1]) for visible in margins)
    programme = seen if seen.feasible else least
    if not programme.feasible:
        kept = _fewest_given_up(programme, [pair.rejected for pair in binding])
        programme = Programme(programme.rows[kept], programme.bounds[kept], programme.most)
    # Levels rather than a sum: the cheapest sum of changes may shrink one interval to almost nothing and spare the
    # rest.
    free, most, goal = np.zeros(n), np.full(n, programme.most), np.full(n, target)
    floor = _levels(programme, free, most, goal, 1.0)
    ceiling = _levels(programme, floor, most, goal, -1.0)
    # Every bound is reached by some solution; this one lies within all of them at once.
    factors = programme.solve(-np.ones(n), floor, np.maximum(ceiling, floor))
    return floor if factors is None else factors


def _programme(pairs: Sequence[Facing], n: int, target: float, visible: float, least: float) -> Programme:
    rows, bounds = np.zeros((len(pairs), n)), np.zeros(len(pairs))
    for row, pair in enumerate(pairs):
        sign, scale = (1.0 if pair.rejected else -1.0), max(pair.up, pair.down)
        # A row in units of ε: the solver's tolerance is absolute, and must not depend on the unit of the scores.
        rows[row, pair.lower], rows[row, pair.upper] = sign * pair.up / scale, sign * pair.down / scale
        bounds[row] = sign * pair.distance * _slack(pair, target, visible, least) / scale
    # No factor needs to be larger than the one that closes a gap from one side alone, so this bound excludes nothing;
    # `_fewest_given_up` needs a finite one.
    widest = [abs(b) / np.abs(r)[r != 0].min() for r, b in zip(rows, bounds, strict=True) if b < 0]
    return Programme(rows, bounds, max(target, *widest) if widest else target)


def _slack(pair: Facing, target: float, visible: float, least: float) -> float:
    """Return the share of the distance that the two reaches may (or must) cover: a visible margin, unless the target leaves less."""
    # A pair that agrees at the target, if by less than the visible margin, is not changed for the sake of the margin.
    covered = target / pair.touch
    if pair.rejected:
        return covered if 1 - visible < covered <= 1 - least else 1 - visible
    return covered if 1 + least <= covered < 1 + visible else 1 + visible


def _levels(programme: Programme, lower: Floats, upper: Floats, target: Floats, sign: float) -> Floats:
    """Return bounds that leave each factor no worse than fairness demands: floors for sign 1, ceilings for sign −1.

    Leximin: raise the common level of `sign` · ε as far as possible, never past the target; fix those that cannot rise further
    there; go on with the others.
    """
    n = lower.size
    low, high = lower.copy(), upper.copy()
    open_ = np.ones(n, dtype=bool)
    while open_.any():
        level = _highest_level(programme, low, high, open_, sign, target)
        if level is None:
            break
        _fix(low, high, open_, level, sign)
        # At the target nothing is left to gain.
        if np.isclose(level, target[0], rtol=0, atol=TOLERANCE):
            break
        # Whoever rises least when the others keep their bounds has reached its best; the rest go on without it. In exact
        # arithmetic it does not rise at all; here everyone has the room that `_fix` leaves.
        members = np.flatnonzero(open_)
        heights = np.array([_reaches(programme, low, high, int(i), sign) for i in members])
        stuck = members[heights <= heights.min() + TOLERANCE]
        open_[stuck] = False
    return low if sign > 0 else high


def _highest_level(
    programme: Programme, low: Floats, high: Floats, members: Bools, sign: float, target: Floats
) -> float | None:
    """Return the level that all members can reach together, as a factor."""
    n = low.size
    goal = np.append(np.zeros(n), -1.0)
    limit = sign * target[0]
    solution = programme.with_level(members.astype(np.float64), sign).solve(
        goal, np.append(low, -programme.most), np.append(high, limit)
    )
    return None if solution is None else float(sign * solution[-1])


def _fix(low: Floats, high: Floats, members: Bools, level: float, sign: float) -> None:
    """Bound the members by a level, with room for the solver's rounding."""
    if sign > 0:
        low[members] = np.maximum(low[members], level * (1 - TOLERANCE))
    else:
        high[members] = np.minimum(high[members], np.maximum(level * (1 + TOLERANCE), low[members]))


def _reaches(programme: Programme, low: Floats, high: Floats, index: int, sign: float) -> float:
    """Return how far `sign` · ε of one algorithm can go when the others keep their bounds."""
    goal = np.zeros(low.size)
    goal[index] = -sign
    solution = programme.solve(goal, low, high)
    return -np.inf if solution is None else float(sign * solution[index])


def _fewest_given_up(programme: Programme, rejected: Sequence[bool]) -> Bools:
    """Return which rows to keep, so that factors exist and as few rows as possible are given up."""
    m, n = programme.rows.shape
    excess = np.maximum(programme.rows, 0).sum(axis=1) * programme.most - programme.bounds
    # The smallest constants that set a row free. The solver takes 1e-6 for 0, so a row that it calls kept may be
    # missed by 1e-6 times the constant.
    big = np.where(rejected, np.maximum(excess, 1.0), -programme.bounds)
    # A gap that the test does not support claims too much, an overlap that it does not support too little. All
    # surcharges together stay below 1: they choose between equally many pairs and never cost one more.
    cost = np.where(rejected, 1.0, 1.0 + 1.0 / (m + 1))
    solution = optimize.milp(
        np.concatenate([np.zeros(n), cost]),
        constraints=optimize.LinearConstraint(
            np.column_stack([programme.rows, -np.diag(big)]), -np.inf, programme.bounds
        ),
        bounds=optimize.Bounds(np.zeros(n + m), np.concatenate([np.full(n, programme.most), np.ones(m)])),
        integrality=np.concatenate([np.zeros(n), np.ones(m)]),
        # HiGHS's own gap, 1e-4 of the cost, can be wider than a surcharge.
        options={"mip_rel_gap": 0.0, "time_limit": 10.0},
    )
    if solution.x is None:  # the time limit passed without any choice: keep what the test rejects
        # Their rows are always feasible together: factors of 0 satisfy them.
        return np.array(rejected)
    kept: Bools = np.asarray(solution.x)[n:] < 0.5
    return kept
