"""Items × attempts, and trainings × rollouts: how many of each, where both make the noise of a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.pairs import PairData
from runoff._inference.power import percent
from runoff.base.arrays import Floats
from runoff.results.plan import NestedPlanRow
from runoff.words.numbers import counted, digits, exactly
from runoff.words.speech import Sentence

MOST_UNITS = 1_000_000
"""The most items, and trainings, that are planned for."""
MOST_ATTEMPTS = 1_000
"""The most attempts at each that are shown as the best."""
FEW_TRAININGS = 5
"""So few trainings of a pilot say little of how they spread."""
TINY = 1e-300
KNOTS = 100
"""Degrees of freedom at which a quantile is computed: between them it errs by less than 1e-4."""
DRAWS = 300
"""Points of a chi-square distribution that a power is averaged over, in each of two dimensions."""


@dataclass(frozen=True, slots=True)
class Nested:
    """The variance of a difference of two: `between` items, or trainings, and `within` one item, or training, of both in sum.

    Items are those of both models, and differ by their true differences ω² (Miller 2024); trainings are each algorithm's own, and spread by τ².
    trainings: whether they are, with the two sides of each variance. known: whether the two are known apart, for which it takes two attempts.
    """

    between: tuple[float, ...]
    within: tuple[float, ...]
    trainings: bool
    known: bool = True

    def variance(self, attempts: int) -> Floats:
        """Return the variance of one item, or of a training of either side, with so many attempts each, (n_sides,)."""
        return np.array(self.between) + np.array(self.within) / attempts

    def power(self, n: int, attempts: int, effect: float, alpha: float) -> float:
        """Return the chance to find a difference with n items, or n trainings of each, and so many attempts at each.

        Items: the normal law of the difference, whose score `compare` inverts. Trainings: Welch's test, averaged over what the variances of n
        trainings may come out as: mean Φ((δ − t √(s² + r²)) / √V) over chi-square s² and r² with n − 1 degrees of freedom.
        """
        v = self.variance(attempts) / n
        if not self.trainings:
            far = effect / sqrt(v.sum()) if v.sum() else inf  # items that never differ are all that there is to know
            z = float(special.ndtri(1 - alpha / 2))
            return float(special.ndtr(far - z) + special.ndtr(-far - z))
        share = special.chdtri(n - 1, 1 - (np.arange(DRAWS) + 0.5) / DRAWS) / (n - 1)
        s, r = v[0] * share[:, None], v[1] * share
        df = np.divide(
            (s + r) ** 2 * (n - 1), s**2 + r**2, out=np.full(s.shape[:1] + r.shape, n - 1.0), where=s + r > 0
        )
        # Welch's df lie between n − 1 and 2 (n − 1), where the quantile is nearly a line in 1/df.
        knots = np.linspace(1 / (2 * n - 2), 1 / (n - 1), KNOTS)
        reach = np.interp(1 / df, knots, special.stdtrit(1 / knots, 1 - alpha / 2)) * np.sqrt(s + r)
        error = max(sqrt(v.sum()), TINY)
        sides = special.ndtr((effect - reach) / error) + special.ndtr((-effect - reach) / error)
        return float(sides.mean())

    def needed(self, attempts: int, effect: float, alpha: float, power: float) -> int | None:
        """Return the fewest items, or trainings, that have this power with so many attempts at each; None beyond `MOST_UNITS`."""
        low, high = 1, 2
        while self.power(high, attempts, effect, alpha) < power:
            low, high = high, 2 * high
            if low > MOST_UNITS:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.power(middle, attempts, effect, alpha) >= power else (middle, high)
        return high

    def best(self, unit_cost: float, attempt_cost: float) -> float:
        """Return the attempts at each item, or rollouts of each training, by which a cost buys most: √(w c_unit / (ω² c_attempt))."""
        between, within = sum(self.between), sum(self.within)
        return sqrt(within * unit_cost / (between * attempt_cost)) if between else inf

    def detectable(self, n: int, alpha: float, power: float) -> float | None:
        """Return the smallest difference that n items, or trainings, find, however many attempts are made at each; None where there is none."""
        certain = replace(self, within=tuple(0.0 for _ in self.within))
        if not self.known or not sum(self.between) or n < 2 or certain.power(n, 1, 1.0, alpha) < power:
            return None
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if certain.power(n, 1, middle, alpha) >= power else (middle, high)
        return high


def of_items(first: Sequence[Floats], second: Sequence[Floats]) -> Nested:
    """Return the variances of items, (n_attempts,) of each model at each; of single attempts ω² + w together, as `between`.

    w: the mean variance within an item of both; ω²: the variance of the items' differences less what attempts add to it.
    """
    leads = np.array([a.mean() - b.mean() for a, b in zip(first, second, strict=True)])
    spread = float(leads.var(ddof=1))
    if min(cell.size for cell in (*first, *second)) < 2:
        return Nested((spread,), (0.0,), trainings=False, known=False)
    sides = [np.array([cell.var(ddof=1) for cell in side]) for side in (first, second)]
    sizes = [np.array([cell.size for cell in side]) for side in (first, second)]
    noise = sum(float((own / size).mean()) for own, size in zip(sides, sizes, strict=True))
    return Nested((max(spread - noise, 0.0),), (sum(float(own.mean()) for own in sides),), trainings=False)


def of_trainings(first: Floats, second: Floats, rollouts: int) -> Nested:
    """Return the variances of trainings whose scores are success rates of so many rollouts."""
    within = [float((rollouts / (rollouts - 1) * side * (1 - side)).mean()) for side in (first, second)]
    spreads = [float(side.var(ddof=1)) for side in (first, second)]
    between = [max(spread - own / rollouts, 0.0) for spread, own in zip(spreads, within, strict=True)]
    return Nested(tuple(between), tuple(within), trainings=True)


@dataclass(frozen=True, slots=True)
class NestedCosts:
    """The cost of an item, or a training, and of an attempt at it, or a rollout; None where none is named."""

    unit: float | None
    attempt: float | None
    of_items: bool

    def best(self, model: Nested) -> float | None:
        """Return the attempts at each by which a cost buys most; None without both costs, or where the pilot has one attempt at each."""
        if self.unit is None or self.attempt is None or not model.known:
            return None
        return model.best(self.unit, self.attempt * (2 if self.of_items else 1))

    def of(self, n: int, attempts: int) -> float | None:
        """Return the cost of n items that both models attempt so often, or of n trainings of both with so many rollouts."""
        if self.unit is None and self.attempt is None:
            return None
        unit, attempt = self.unit or 0.0, self.attempt or 0.0
        return n * (unit + 2 * attempts * attempt) if self.of_items else 2 * n * (unit + attempts * attempt)


def nested_rows(
    model: Nested, costs: NestedCosts, pilot: int, *, effect: float, alpha: float, power: float
) -> tuple[tuple[NestedPlanRow, ...], NestedPlanRow]:
    """Return what each number of attempts takes, and the row that costs least; without both costs that with the attempts of the pilot."""
    rows = []
    for attempts in _grid(costs.best(model), pilot) if model.known else [1]:
        n = model.needed(attempts, effect, alpha, power)
        rows.append(
            NestedPlanRow(
                n_repeats=attempts,
                n_units=n,
                power=None if n is None else model.power(n, attempts, effect, alpha),
                total=None if n is None else 2 * n * attempts,
                cost=None if n is None else costs.of(n, attempts),
            )
        )
    own = next((row for row in rows if row.n_repeats == pilot), rows[0])
    priced = [row for row in rows if row.cost is not None]
    return tuple(rows), own if costs.best(model) is None or not priced else min(priced, key=lambda row: row.cost or 0.0)


def _grid(best: float | None, pilot: int) -> list[int]:
    """Return the numbers of attempts that stand in the table: some round ones, those of the pilot and the two beside the best."""
    beside = [] if best is None or best > MOST_ATTEMPTS else [max(int(best), 1), ceil(best)]
    return sorted({1, 2, 3, 5, 10, 20, 50, 100, pilot, *beside})


def nested_words(
    model: Nested,
    costs: NestedCosts,
    rows: Sequence[NestedPlanRow],
    chosen: NestedPlanRow,
    pair: PairData,
    n_pilot: int,
    nouns: tuple[str, str],
    *,
    effect: float,
    alpha: float,
    power: float,
) -> tuple[Sentence, tuple[Sentence, ...]]:
    """Return the plan in a sentence, and what it leaves open."""
    unit, repeat = nouns
    test = "the score of the difference" if costs.of_items else "Welch's test"
    goal = f"to find a difference of {exactly(effect)} between {pair.a} and {pair.b} with {percent(power)} power by {test} (α = {digits(alpha)})"
    sentence = f"More than a million {unit}s {goal}."
    if chosen.n_units is not None:
        sentence = f"It takes {_amount(chosen, costs, nouns)} {goal}{_beside(model, costs, rows, chosen, nouns)}."
    notes = [
        f"the variances of the pilot are taken for the truth, {n_pilot} {unit}s {'of each' * (not costs.of_items)}".rstrip()
    ]
    if model.known and not sum(model.between):
        notes.append(
            f"the pilot shows no spread of {unit}s beside that of {repeat}s, as few do by luck: believe no plan of few {unit}s"
        )
    elif model.known:
        least = model.detectable(n_pilot, alpha, power)
        what = "any difference" if least is None else f"less than {digits(least)}"
        notes.append(f"with {n_pilot} {unit}s {'of each ' * (not costs.of_items)}no number of {repeat}s finds {what}")
    else:
        notes.append(
            f"the pilot has one {repeat} at each {unit}, so that what more of them buy is not known: two at each show it"
        )
    if not costs.of_items and n_pilot <= FEW_TRAININGS:
        df = 2 * (n_pilot - 1)
        low, high = (sqrt(df / float(special.chdtri(df, tail))) for tail in (0.025, 0.975))
        notes.append(
            f"{n_pilot} trainings of each show their spread to a factor of {digits(low, 2)} to {digits(high, 2)} (95 %, normal trainings): "
            "plan again when there are more"
        )
    return Sentence(sentence), tuple(map(Sentence, notes))


def _amount(row: NestedPlanRow, costs: NestedCosts, nouns: tuple[str, str]) -> str:
    unit, repeat = nouns
    if costs.of_items:
        return f"{counted([row.n_units or 0], unit)} with {counted([row.n_repeats], repeat)} of each model"
    return f"{counted([row.n_units or 0], unit)} of each algorithm with {counted([row.n_repeats], repeat)} of each"


def _beside(
    model: Nested, costs: NestedCosts, rows: Sequence[NestedPlanRow], chosen: NestedPlanRow, nouns: tuple[str, str]
) -> str:
    """Return what is cheapest about it, or what more attempts would save."""
    best = costs.best(model)
    if best is not None and chosen.cost is not None:
        return f", which costs least of all numbers of {nouns[1]}s, {digits(chosen.cost, 4)}"
    other = next((row for row in rows if row.n_repeats >= 5 * chosen.n_repeats and row.n_units is not None), None)
    return "" if other is None else f"; with {other.n_repeats} {nouns[1]}s at each {other.n_units} {nouns[0]}s"
