"""Items × attempts, and trainings × rollouts: how many of each, where both make the noise of a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.pairs import PairData
from runoff._inference.power import percent
from runoff.answer.plan import NestedPlanRow
from runoff.base.arrays import Floats
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
    trainings: whether they are, with the two sides of each variance. separate: whether both are known by themselves, for which it takes two
    attempts.
    """

    between: tuple[float, ...]
    within: tuple[float, ...]
    trainings: bool
    separate: bool = True

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
        if not self.separate or not sum(self.between) or n < 2 or certain.power(n, 1, 1.0, alpha) < power:
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
        return Nested((spread,), (0.0,), trainings=False, separate=False)
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
        if self.unit is None or self.attempt is None or not model.separate:
            return None
        return model.best(self.unit, self.attempt * (2 if self.of_items else 1))

    def of(self, n: int, attempts: int) -> float | None:
        """Return the cost of n items that both models attempt so often, or of n trainings of both with so many rollouts."""
        if self.unit is None and self.attempt is None:
            return None
        unit, attempt = self.unit or 0.0, self.attempt or 0.0
        return n * (unit + 2 * attempts * attempt) if self.of_items else 2 * n * (unit + attempts * attempt)


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedQuestion:
    """A difference to be found, and the pilot: its pair, what varies in it, its items, or trainings of a side, and the attempts at each."""

    pair: PairData
    model: Nested
    costs: NestedCosts
    n_pilot: int
    n_pilot_repeats: int
    effect: float
    alpha: float
    power: float

    @property
    def nouns(self) -> tuple[str, str]:
        """What is counted, and what is done again at each."""
        return ("training", "rollout") if self.model.trainings else ("item", "attempt")

    @property
    def best_repeats(self) -> float | None:
        return self.costs.best(self.model)

    @property
    def spread(self) -> bool:
        """Whether the pilot shows a spread of items, or trainings, beside that of attempts; with one attempt at each nothing is known of it."""
        return not self.model.separate or sum(self.model.between) > 0

    @property
    def detectable(self) -> float | None:
        return self.model.detectable(self.n_pilot, self.alpha, self.power)

    def rows(self) -> tuple[NestedPlanRow, ...]:
        """Return what each number of attempts takes."""
        return tuple(map(self._row, _grid(self.best_repeats, self.n_pilot_repeats) if self.model.separate else [1]))

    def _row(self, attempts: int) -> NestedPlanRow:
        n = self.model.needed(attempts, self.effect, self.alpha, self.power)
        return NestedPlanRow(
            n_repeats=attempts,
            n_units=n,
            power=None if n is None else self.model.power(n, attempts, self.effect, self.alpha),
            total=None if n is None else 2 * n * attempts,
            cost=None if n is None else self.costs.of(n, attempts),
        )

    def chosen(self, rows: Sequence[NestedPlanRow]) -> NestedPlanRow:
        """Return the row that costs least; without both costs, or a spread of items, that with the attempts of the pilot.

        The pilot's own attempts are those whose spread it shows: rows with more of them are as good as ω² = 0 is true.
        """
        priced = [row for row in rows if row.cost is not None]
        if self.best_repeats is not None and priced and self.spread:
            return min(priced, key=lambda row: row.cost or 0.0)
        return next((row for row in rows if row.n_repeats == self.n_pilot_repeats), rows[0])

    def sentence(self, rows: Sequence[NestedPlanRow]) -> Sentence:
        """Return the plan in a sentence."""
        (unit, repeat), row = self.nouns, self.chosen(rows)
        test = "Welch's test" if self.model.trainings else "the score of the difference"
        both = f"between {self.pair.a} and {self.pair.b}"
        goal = f"to find a difference of {exactly(self.effect)} {both} with {percent(self.power)} power by {test} (α = {digits(self.alpha)})"
        if row.n_units is None:
            return Sentence(f"It takes more than a million {unit}s {goal}.")
        of, model = (" of each algorithm", "") if self.model.trainings else ("", " model")
        amount = f"{counted([row.n_units], unit)}{of} with {counted([row.n_repeats], repeat)} of each{model}"
        return Sentence(f"It takes {amount} {goal}{self._beside(rows, row)}.")

    def _beside(self, rows: Sequence[NestedPlanRow], chosen: NestedPlanRow) -> str:
        """Return what is cheapest about it, or what more attempts would save."""
        unit, repeat = self.nouns
        if not self.spread:
            return ""
        if self.best_repeats is not None and chosen.cost is not None:
            return f", which costs least of all numbers of {repeat}s, {digits(chosen.cost, 4)}"
        other = next((row for row in rows if row.n_repeats >= 5 * chosen.n_repeats and row.n_units is not None), None)
        return "" if other is None else f"; with {other.n_repeats} {repeat}s at each {other.n_units} {unit}s"

    def notes(self) -> tuple[Sentence, ...]:
        """Return what the plan leaves open."""
        unit, repeat = self.nouns
        pilot = f"{self.n_pilot} {unit}s{' of each' * self.model.trainings}"
        notes = [f"the variances of the pilot are taken for the truth, {pilot}"]
        if not self.model.separate:
            notes.append(
                f"the pilot has one {repeat} at each {unit}, so that what more of them buy is not known: two at each show it"
            )
        elif not self.spread:
            notes.append(
                f"the pilot shows no spread of {unit}s beside that of {repeat}s, as few do by luck: believe no plan with more {repeat}s at each "
                f"than its {self.n_pilot_repeats}"
            )
        else:
            what = "any difference" if self.detectable is None else f"less than {digits(self.detectable)}"
            notes.append(f"with {pilot} no number of {repeat}s finds {what}")
        if self.model.trainings and self.n_pilot <= FEW_TRAININGS:
            df = 2 * (self.n_pilot - 1)
            low, high = (sqrt(df / float(special.chdtri(df, tail))) for tail in (0.025, 0.975))
            notes.append(
                f"{self.n_pilot} trainings of each show their spread to a factor of {digits(low, 2)} to {digits(high, 2)} (95 %, normal "
                "trainings): plan again when there are more"
            )
        return tuple(map(Sentence, notes))


def _grid(best: float | None, pilot: int) -> list[int]:
    """Return the numbers of attempts that stand in the table: some round ones, those of the pilot and the two beside the best."""
    beside = [] if best is None or best > MOST_ATTEMPTS else [max(int(best), 1), ceil(best)]
    return sorted({1, 2, 3, 5, 10, 20, 50, 100, pilot, *beside})
