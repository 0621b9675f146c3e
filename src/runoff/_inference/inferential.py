"""Intervals that may be read by eye: descriptive intervals, scaled about their estimates until overlap says what a test says.

An interval [t − b, t + u] becomes [t − ε b, t + ε u] (Casesa 2024 eq. 2.24). Of two estimates t₁ ≤ t₂ the ends that face each other are
t₁ + ε u₁ and t₂ − ε b₂; they touch at ε = (t₂ − t₁) / (u₁ + b₂). A formula proposes a factor for two algorithms; `lawful` moves it, if it must,
to where the intervals overlap if and only if the test does not reject.

Of more algorithms each has one factor, so that every pair's overlap agrees with its decision: small linear programmes (HiGHS).
The unknowns are factors ε ≥ 0. Of two estimates a distance d apart, whose intervals reach u and b towards each other, a rejected pair needs
u ε₁ + b ε₂ < d, one that is not rejected u ε₁ + b ε₂ ≥ d. Among the factors that satisfy all pairs, no interval is shrunk more than
it must be (the smallest factor is as large as possible, then the next smallest, …, none beyond its target), and then none is widened more
than it must be (the largest as small as possible, then the next). If no factors satisfy all pairs, as few pairs as possible are given up,
found by integer programming within a number of nodes that depends on the number of pairs alone; among equally many, those whose difference
would be missed rather than those where one would be claimed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import hypot
from threading import Lock
from types import MappingProxyType

import numpy as np
import scipy

from runoff._inference.bootstrap import Ends, Metric
from runoff._inference.pairs import about_test
from runoff.answer.aggregate import Disagreement, DisagreementReason, InferentialPair, InferentialRow
from runoff.answer.unjudged import unjudged_words
from runoff.base.arrays import Bools, Floats
from runoff.words.numbers import p_equals
from runoff.words.speech import Sentence

COSTLY = 1e-7
"""A dual above this is none of the solver's rounding."""
TOLERANCE = 1e-9
"""Ten times the tolerance of the solver: a level that it found is still feasible when it comes back as a bound."""
WORK = 40_000_000
"""The most nodes of the search for the fewest pairs to give up, times the square of all pairs: ten seconds or so for up to 25 algorithms."""


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

    def solve(self, goal: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats] | None:
        """Return the factors that minimise `goal` · ε between bounds, and how much each inequality costs; None if there are none."""
        solution = scipy.optimize.linprog(
            goal,
            A_ub=self.rows,
            b_ub=self.bounds,
            bounds=list(zip(lower.tolist(), upper.tolist(), strict=True)),
            method="highs",
            # The tightest that HiGHS accepts; TOLERANCE has to stand clear of it.
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return None if solution.x is None else (np.asarray(solution.x, np.float64), -solution.ineqlin.marginals)

    @property
    def feasible(self) -> bool:
        n = self.rows.shape[1]
        return self.solve(np.zeros(n), np.zeros(n), np.full(n, self.most)) is not None

    def with_level(self, members: Bools, sign: float) -> Programme:
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
    floor = _levels(programme, np.zeros(n), target, 1.0)
    ceiling = _levels(programme, floor, target, -1.0)
    # Every bound is reached by some solution; this one lies within all of them at once.
    solution = programme.solve(-np.ones(n), floor, np.maximum(ceiling, floor))
    return floor if solution is None else solution[0]


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


def _levels(programme: Programme, lower: Floats, target: float, sign: float) -> Floats:
    """Return bounds that leave each factor no worse than fairness demands: floors for sign 1, ceilings for sign −1.

    Leximin: raise the common level of `sign` · ε as far as possible, never past the target; fix those that cannot rise further
    there; go on with the others.
    """
    n = lower.size
    low, high = lower.copy(), np.full(n, programme.most)
    open_ = np.ones(n, dtype=bool)
    while open_.any():
        raised = programme.with_level(open_, sign).solve(
            np.append(np.zeros(n), -1.0), np.append(low, -programme.most), np.append(high, sign * target)
        )
        if raised is None:
            break
        level = float(sign * raised[0][-1])
        # The members are bound by the level, with room for the solver's rounding.
        if sign > 0:
            low[open_] = np.maximum(low[open_], level * (1 - TOLERANCE))
        else:
            high[open_] = np.minimum(high[open_], np.maximum(level * (1 + TOLERANCE), low[open_]))
        # At the target nothing is left to gain.
        if np.isclose(level, target, rtol=0, atol=TOLERANCE):
            break
        # A member whose own inequality costs something lies at the level in every solution (complementary slackness): it has reached its
        # best, and the rest go on without it. These costs add up to 1, so that there is one.
        members, costs = np.flatnonzero(open_), raised[1][len(programme.rows) :]
        open_[members[costs >= min(COSTLY, costs.max())]] = False
    return low if sign > 0 else high


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
    with _stdout_to_stderr():
        solution = scipy.optimize.milp(
            np.concatenate([np.zeros(n), cost]),
            constraints=scipy.optimize.LinearConstraint(
                np.column_stack([programme.rows, -np.diag(big)]), -np.inf, programme.bounds
            ),
            bounds=scipy.optimize.Bounds(np.zeros(n + m), np.concatenate([np.full(n, programme.most), np.ones(m)])),
            integrality=np.concatenate([np.zeros(n), np.ones(m)]),
            # HiGHS's own gap, 1e-4 of the cost, can be wider than a surcharge. A limit of nodes, not of seconds: the search takes the same way
            # on every machine, however slow. A node takes a time that grows with the square of the number of pairs.
            options={"mip_rel_gap": 0.0, "node_limit": max(1, WORK // m**2)},
        )
    if solution.x is None:  # the limit was reached without any choice: keep what the test rejects
        # Their rows are always feasible together: factors of 0 satisfy them.
        return np.array(rejected)
    return np.asarray(np.asarray(solution.x)[n:] < 0.5)


SOLVING = Lock()
"""Two threads that exchanged the standard output of the process at once would leave it exchanged."""


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Send to stderr what is written to stdout: HiGHS prints a line in some integer programmes, whatever its options say."""
    with SOLVING:
        try:
            sys.stdout.flush()
            stdout = os.dup(1)
            os.dup2(2, 1)
        except (AttributeError, OSError, ValueError):  # there is no stdout, or no stderr
            yield
            return
        try:
            yield
        finally:
            os.dup2(stdout, 1)
            os.close(stdout)


# ── the factor of two algorithms, by formula ──────────


MARGIN = 1e-3
"""Relative distance from touching: the 0.999 and 1.001 of the thesis's code."""
EQUAL = 1e-6
"""Estimates closer than this share of the intervals' reach look equal to any eye."""


@dataclass(frozen=True, slots=True)
class DescriptiveSpread:
    """An estimate, and how far its descriptive interval reaches below and above it (0 if the end is on the wrong side)."""

    estimate: float
    below: float
    above: float

    def ends(self, factor: float) -> tuple[float, float]:
        return self.estimate - factor * self.below, self.estimate + factor * self.above


@dataclass(frozen=True, slots=True)
class PairFinding:
    """What the test found for two algorithms, by position; `direction` is positive where it favours a."""

    a: int
    b: int
    pvalue: float
    rejected: bool
    direction: float


def spread(estimate: float, low: float, high: float) -> DescriptiveSpread:
    """Return the reach of an interval; an end beyond its own estimate (a skewed bootstrap) is taken at the estimate."""
    return DescriptiveSpread(estimate, max(estimate - low, 0.0), max(high - estimate, 0.0))


def facing(spreads: Sequence[DescriptiveSpread], decision: PairFinding) -> Facing:
    lower, upper = sorted((decision.a, decision.b), key=lambda i: spreads[i].estimate)
    distance = spreads[upper].estimate - spreads[lower].estimate
    up, down = spreads[lower].above, spreads[upper].below
    scale = max(abs(spreads[lower].estimate), abs(spreads[upper].estimate))
    equal = distance <= max(EQUAL * (up + down), 1e-12 * scale)
    return Facing(
        lower=lower,
        upper=upper,
        distance=0.0 if equal else distance,
        up=up,
        down=down,
        pvalue=decision.pvalue,
        rejected=decision.rejected,
    )


def goldstein_healy(pair: Facing, alpha: float) -> float:
    """Return √(u² + b²) / (u + b): normal intervals then touch where the difference is just significant.

    Goldstein & Healy 1995 eq. 4, with the facing halves of the descriptive intervals in the place of z times the standard errors.
    """
    del alpha
    return hypot(pair.up, pair.down) / pair.reach if pair.reach > 0 else 1.0


def marasini(pair: Facing, alpha: float) -> float:
    """Return (t₂ − t₁ + P − α) / (u₁ + b₂), Casesa 2024 eq. 2.27; where that is not positive, eq. 2.28."""
    numerator = pair.distance + pair.pvalue - alpha
    return numerator / pair.reach if numerator > 0 and pair.reach > 0 else modified(pair, alpha)


def modified(pair: Facing, alpha: float) -> float:
    """Return (1 + P − α) (t₂ − t₁) / (u₁ + b₂) if the descriptive intervals contradict the test, else 1 (Casesa 2024 eq. 2.28)."""
    disjoint = pair.reach < pair.distance
    return 1.0 if disjoint == pair.rejected or pair.reach == 0 else pair.touch * (1 + pair.pvalue - alpha)


FORMULAS: Mapping[str, Callable[[Facing, float], float]] = MappingProxyType(
    {"modified": modified, "marasini": marasini, "goldstein_healy": goldstein_healy}
)


FOR_SEVERAL = ("goldstein_healy",)
"""Formulas whose authors propose a common factor for several groups: the mean over pairs."""


def lawful(pair: Facing, factor: float) -> float:
    """Return the factor nearest to the one proposed with which the two intervals overlap if and only if the test does not reject.

    Unchanged where none exists: equal estimates that the test tells apart, or distinct estimates without reach that it does not.
    """
    if pair.distance == 0 or pair.reach == 0:
        return factor
    if pair.rejected:
        return min(factor, pair.touch * (1 - MARGIN))
    return max(factor, pair.touch * (1 + MARGIN))


def inferential_factors(
    spreads: Sequence[DescriptiveSpread], decisions: Sequence[PairFinding], *, formula: str, alpha: float
) -> Floats:
    """Return one factor for each of the spreads, as close to what the formula proposes as the decisions allow.

    Two algorithms share the formula's factor. For more, the formula gives the target: 1 for "modified" and "marasini", which are only
    defined for a pair, and the mean over pairs for "goldstein_healy" (their own proposal for several groups). Gaps of alpha times the
    difference are aimed at, those of eq. 2.28 for a small p-value, so that the eye can see them.
    """
    pairs = [facing(spreads, decision) for decision in decisions]
    if not pairs:
        return np.ones(len(spreads))
    proposed = [FORMULAS[formula](pair, alpha) for pair in pairs]
    if len(spreads) == 2:
        return np.full(2, lawful(pairs[0], proposed[0]))
    target = float(np.mean(proposed)) if formula in FOR_SEVERAL else 1.0
    return fair_factors(pairs, len(spreads), target, (alpha, MARGIN))


def overlap(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return max(first[0], second[0]) <= min(first[1], second[1])


# ── records, and the pairs that disagree ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialEnds:
    """Estimates, descriptive ends, factors and inferential ends, by algorithm."""

    estimates: Sequence[float]
    ends: Sequence[Ends | None]
    factors: Sequence[float | None]
    scaled: Sequence[Ends | None]


def read_factors(
    estimates: Sequence[float],
    ends: Sequence[Ends | None],
    decisions: Sequence[PairFinding],
    formula: str,
    alpha: float,
) -> InferentialEnds:
    """Return the factors of the algorithms that have an interval, and the intervals they make."""
    spreads = {i: spread(t, *e) for i, (t, e) in enumerate(zip(estimates, ends, strict=True)) if e is not None}
    at = {i: row for row, i in enumerate(spreads)}
    placed = [
        PairFinding(at[d.a], at[d.b], d.pvalue, d.rejected, d.direction) for d in decisions if d.a in at and d.b in at
    ]
    fair = inferential_factors(list(spreads.values()), placed, formula=formula, alpha=alpha)
    factors = {i: float(fair[row]) for i, row in at.items()}
    return InferentialEnds(
        estimates=estimates,
        ends=ends,
        factors=[factors.get(i) for i in range(len(ends))],
        scaled=[spreads[i].ends(factors[i]) if i in at else None for i in range(len(ends))],
    )


def record_of(name: str, reading: InferentialEnds, a: int) -> InferentialRow:
    low, high = reading.scaled[a] or (None, None)
    descriptive_low, descriptive_high = reading.ends[a] or (None, None)
    return InferentialRow(
        algorithm=name,
        estimate=reading.estimates[a],
        low=low,
        high=high,
        own_low=descriptive_low,
        own_high=descriptive_high,
        factor=reading.factors[a],
    )


def pair_of(
    names: Sequence[str], reading: InferentialEnds, decision: PairFinding, pvalue: float | None
) -> InferentialPair:
    """Return what the intervals and the test say about a pair; pvalue: None where it is not tested."""
    return InferentialPair(
        a=names[decision.a],
        b=names[decision.b],
        pvalue=pvalue,
        pvalue_adjusted=None if pvalue is None else decision.pvalue,
        rejected=decision.rejected,
        overlap=_overlap(reading, decision),
    )


def _overlap(reading: InferentialEnds, decision: PairFinding) -> bool | None:
    first, second = reading.scaled[decision.a], reading.scaled[decision.b]
    return None if first is None or second is None else overlap(first, second)


def disagreements_of(
    names: Sequence[str],
    reading: InferentialEnds,
    decisions: Sequence[PairFinding],
    metric: Metric,
    tests: Sequence[str],
    *,
    unjudged: Sequence[str] | None = None,
) -> tuple[Disagreement, ...]:
    """Return the pairs that must not be read by eye, with the reason; `tests` names the test of each decision, `unjudged` why it has none."""
    disagreements = []
    for decision, test, why in zip(decisions, tests, unjudged or [""] * len(tests), strict=True):
        reason = _reason(reading, decision, metric)
        a, b = names[decision.a], names[decision.b]
        if why:
            words = Sentence(f"{unjudged_words(a, b, why)}.")
            disagreements.append(Disagreement(a=a, b=b, reason="no_verdict", sentence=words))
        elif reason is not None:
            verdict = f"{about_test(test).title} {'rejects' if decision.rejected else 'does not reject'} ({p_equals(decision.pvalue)})"
            disagreements.append(
                Disagreement(a=a, b=b, reason=reason, sentence=f"{a} and {b}: {verdict}, but {WHY[reason]}.")
            )
    return tuple(disagreements)


WHY: dict[DisagreementReason, str] = {
    "no_interval": "one of them has no interval (a cell of one run, or runs without spread)",
    "equal_estimates": "their estimates are equal, so their intervals overlap at any width",
    "no_width": "their intervals do not reach towards each other, so no factor makes them overlap",
    "direction": "it favours the one with the lower estimate: read the test, and look at the runs task by task",
    "conflict": "no factors make the intervals agree both with this pair and with the other pairs",
}


def _reason(reading: InferentialEnds, decision: PairFinding, metric: Metric) -> DisagreementReason | None:
    """Return why a pair must not be read by eye, or None."""
    seen = _overlap(reading, decision)
    if seen is None:
        return "no_interval"
    spreads = [spread(t, *(e or (t, t))) for t, e in zip(reading.estimates, reading.ends, strict=True)]
    pair = facing(spreads, decision)
    if seen == decision.rejected:
        if pair.possible:
            return "conflict"
        return "equal_estimates" if decision.rejected else "no_width"
    better = 1.0 if metric.higher_is_better else -1.0
    ahead = better * (reading.estimates[decision.a] - reading.estimates[decision.b])
    return "direction" if decision.rejected and ahead * decision.direction < 0 else None
