"""What is planned for: the true difference, and simulated experiments in which it is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy
from scipy import special

from runoff._inference.bootstrap import clopper_pearson, estimate_of, parse_metric
from runoff._inference.pairs import EVEN, IMPROVEMENT
from runoff._inference.planning.pilot import Pilot, limit_factor
from runoff._inference.power import EFFECT_UNITS, raw_effect
from runoff.base.arrays import Floats
from runoff.base.random import Streams
from runoff.base.validate import check_choice
from runoff.errors import DesignError, OptionError
from runoff.words.numbers import some
from runoff.words.speech import choice, option

PLAN_UNITS: Mapping[str, str] = MappingProxyType(
    {name: unit.title for name, unit in EFFECT_UNITS.items()}
    | {"lift": "share of the leader's mean on each task: 0.1 is 10 % more (Agarwal et al. 2021, figure 4)"}
)
"""The units in which the effect of a plan may be stated, each with its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueLead:
    """The true lead of the second algorithm, in the unit in which it was stated."""

    value: float
    unit: str

    @property
    def relative(self) -> bool:
        """Whether it grows with the spread of the runs."""
        return self.unit in ("sd", "improvement")

    @property
    def stretch(self) -> float:
        """By how much a lift stretches the spread of an algorithm that is otherwise like the first."""
        return 1.0 + self.value if self.unit == "lift" else 1.0

    def on_tasks(self, pilot: Pilot, inflation: float = 1.0) -> Floats:
        """Return the difference on every task, (n_tasks,), where standard deviations are `inflation` times the pilot's."""
        if self.unit == "lift":
            return self.value * _lifted(pilot, self.value)
        stds = (inflation * np.sqrt(pilot.variances)).T.tolist()
        value = _where_runs_vary(pilot, self.value) if self.unit == "improvement" and pilot.without_unit else self.value
        return np.array([EFFECT_UNITS[self.unit].raw(value, (first, second)) for first, second in stds])

    def chances(self, pilot: Pilot, inflation: float = 1.0) -> Floats:
        """Return the chance on every task, (n_tasks,), of runs that are normal; where nothing varies all are ahead, behind, or equal."""
        stds = inflation * np.sqrt(pilot.variances)
        spread = np.hypot(stds[0], stds[1] * stretch_of(pilot, self))
        shifts = self.on_tasks(pilot, inflation)
        standardised = np.divide(shifts, spread, out=np.copysign(inf, shifts), where=pilot.varying)
        return np.asarray(special.ndtr(np.where(shifts == 0, 0.0, standardised)))

    def lead(self, pilot: Pilot, inflation: float = 1.0) -> float:
        """Return the difference of the pilot's measure; of the improvement the lead over ½, of runs that are normal on every task."""
        chance = pilot.measure == IMPROVEMENT
        if pilot.binary and not self.relative:  # a chance is half a difference of rates more than ½
            points = self.value * (float(pilot.means.mean()) if self.unit == "lift" else 1.0)
            return points / 2 if chance else points
        # Stated in the measure's own unit, it is the lead, and needs no runs.
        if self.unit == ("improvement" if chance else "raw"):
            return self.value - EVEN if chance else self.value
        if chance:
            return float(self.chances(pilot, inflation).mean()) - EVEN
        shifts = self.on_tasks(pilot, inflation)
        metric, first = parse_metric(pilot.measure), pilot.pair.x
        moved = [cell + shift for cell, shift in zip(first, shifts, strict=True)]
        # An IQM of shifted runs is no shifted IQM where shifts differ over tasks, so that the pool is sorted anew: it is measured.
        before, after = (estimate_of(cells, metric).value for cells in (first, moved))
        return after - before


def _where_runs_vary(pilot: Pilot, chance: float) -> float:
    """Return the chance on the tasks whose runs vary at which the mean chance is as stated: on the others runs are equal, which is ½."""
    still = [task for task, varies in zip(pilot.pair.tasks, pilot.varying.tolist(), strict=True) if not varies]
    there = EVEN + (chance - EVEN) * EVEN / pilot.most_lead
    if 0.0 < there < 1.0:
        return there
    names = ",".join(still)
    without = choice(f"scores.select(exclude={still!r})", option("exclude", names))
    bound = f"below {EVEN + pilot.most_lead:.3g}" if chance > EVEN else f"above {EVEN - pilot.most_lead:.3g}"
    raise DesignError(
        f"the runs do not vary on {some(map(repr, still), 3)}, where no chance but 0, ½ and 1 is possible: over {pilot.n_tasks} tasks a mean "
        f"chance of {chance:g} cannot come from the others, with which it is {bound}; leave such tasks out ({without}), or state the effect in "
        "units of the scores."
    )


LONGEST = 100
"""Letters of names that a refusal has room for."""


def _lifted(pilot: Pilot, share: float) -> Floats:
    """Return the means of the first, (n_tasks,), of which a lift is a share; refuse means below 0, for a share of these lowers scores."""
    means, tasks = pilot.means, pilot.pair.tasks
    below = [task for task, mean in zip(tasks, means.tolist(), strict=True) if mean < 0]
    if not below and float(means.mean()) > 0:
        return means
    place = f" on {some(map(repr, below), 1)}" if len(below) > 0 and len(tasks) > 1 else ""
    value = float(means.mean() if not place else means[tasks.index(below[0])])
    names = ",".join(below)
    without = choice(f"scores.select(exclude={below!r})", option("exclude", names))
    others = f"leave such tasks out, {without}, or " if 0 < len(below) < len(tasks) and len(names) <= LONGEST else ""
    in_sd = choice("effect=0.5, effect_unit='sd'", "0.5 with the effect unit sd")
    raise DesignError(
        f"a lift of {100 * share:g} % is a share of the mean of {pilot.pair.a!r}, which must be above 0, not {value:.4g}{place}; {others}"
        f"state the effect in units of the scores, or in standard deviations, such as {in_sd}."
    )


def parsed_effect(effect: Any, unit: str) -> TrueLead:
    """Return an effect; "10%" is a lift. 0, what is no number, and a share beside another unit are refused."""
    check_choice("effect_unit", unit, PLAN_UNITS)
    if isinstance(effect, str):
        effect, unit = _of_text(effect, unit)
    # Refuses what is no effect; a lift is a number like a difference, but above -1.
    raw_effect(effect, "raw" if unit == "lift" else unit, (1.0, 1.0))
    if unit == "lift" and effect <= -1:
        raise OptionError(f"a lift must be above -1 (-100 %), where nothing is left, not {effect!r}.")
    return TrueLead(value=float(effect), unit=unit)


def _of_text(text: str, unit: str) -> tuple[float, str]:
    number, share = (text.strip()[:-1], True) if text.strip().endswith("%") else (text.strip(), False)
    try:
        value = float(number)
    except ValueError:
        raise OptionError(f"effect must be a number, or a share as 10%, not {text!r}.") from None
    if not share:
        return value, unit
    if unit not in ("raw", "lift"):
        raise OptionError(
            f"effect {text!r} is a lift, and {option('effect_unit', unit)} says that it is none: give one of them."
        )
    return value / 100.0, "lift"


LEAST_RATE = 1e-6
"""Least mean success rate that a plan assumes, so that its log-odds are finite."""
BANDWIDTH = 1.06
"""Factor of Silverman's rule for normal runs, h = 1.06 s n^(−1/5) (Silverman 1986, eq. 3.28)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One algorithm: its means, (n_tasks,), and its pilot runs' deviations, padded to (n_tasks, most runs); n: the entries that are runs."""

    means: Floats
    deviations: Floats
    n: Floats

    def draw(self, generator: np.random.Generator, n_batch: int, n_runs: int, *, shared: bool) -> Floats:
        """Return runs, (n_batch, n_tasks, n_runs), whose variance is the unbiased one of the pilot.

        A run of the pilot is drawn, normal noise of bandwidth h is added, and both are shrunk by √((n − 1) / n + h²) (Silverman & Young 1987).
        Shared runs are drawn whole, with noise of their covariance.
        """
        n_tasks = self.means.size
        # A run that is scored on all tasks has one number for all of them: the middle axis is broadcast.
        shape = (n_batch, 1 if shared else n_tasks, n_runs)
        drawn = (generator.random(shape) * self.n[:, None]).astype(np.int64)
        runs = self.deviations[np.arange(n_tasks)[:, None], drawn]
        width = BANDWIDTH * self.n**-0.2
        noise = self._noise(generator, shape, shared=shared)
        # A drawn run has the variance (n − 1)/n of the unbiased one, the noise h²
        # of it: divided by their sum the runs keep the pilot's spread.
        shrink = 1.0 / np.sqrt((self.n - 1.0) / self.n + width**2)
        return np.asarray(self.means[:, None] + shrink[:, None] * (runs + width[:, None] * noise))

    def kernel(self, t: int) -> tuple[Floats, float]:
        """Return the deviations of one task, and the standard deviation of the noise about them, as `draw` draws them."""
        n = self.n[t]
        width = BANDWIDTH * n**-0.2
        shrink = 1.0 / sqrt((n - 1.0) / n + width**2)
        own = self.deviations[t, : int(n)]
        return shrink * own, float(shrink * width * sqrt(np.square(own).sum() / (n - 1.0)))

    def _noise(self, generator: np.random.Generator, shape: tuple[int, int, int], *, shared: bool) -> Floats:
        if not shared:
            spread = np.sqrt(np.square(self.deviations).sum(axis=1) / (self.n - 1.0))
            return np.asarray(spread[:, None] * generator.standard_normal(shape))
        # Normal weights of the pilot's own deviations have their covariance over tasks, whatever its rank is.
        weights = generator.standard_normal((shape[0], shape[2], self.deviations.shape[1]))
        mixed: Floats = weights @ self.deviations.T / sqrt(self.deviations.shape[1] - 1.0)
        return mixed.transpose(0, 2, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """One algorithm whose scores are 0 and 1: its success rates, (n_tasks,)."""

    means: Floats

    def draw(self, generator: np.random.Generator, n_batch: int, n_runs: int, *, shared: bool) -> Floats:
        del shared
        won = generator.random((n_batch, self.means.size, n_runs)) < self.means[:, None]
        return won.astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWorld:
    """The assumed truth: both algorithms, and their distance on average over tasks."""

    first: Side | Rates
    second: Side | Rates
    shared: bool

    @property
    def effect(self) -> float:
        """Return the true difference, second − first, averaged over tasks."""
        return float((self.second.means - self.first.means).mean())

    def draw(self, streams: Streams, block: int, n_batch: int, n_runs: int) -> tuple[Floats, Floats]:
        """Return runs of both, (n_batch, n_tasks, n_runs) each; an experiment of more runs begins with those of one with fewer."""
        sides = []
        for s, side in enumerate((self.first, self.second)):
            parts, have = [], 0
            # Parts of 2, 2, 4, 8 … runs, each from a stream of its own: what is drawn first does not depend on how many follow.
            while have < n_runs:
                size = max(2, have)
                generator = streams.block("plan/runs", block, s, have)
                parts.append(side.draw(generator, n_batch, size, shared=self.shared))
                have += size
            sides.append(np.concatenate(parts, axis=2)[:, :, :n_runs])
        return sides[0], sides[1]


def world_of(pilot: Pilot, effect: TrueLead, margin: SpreadLimit) -> PlannedWorld:
    """Return the world of a pilot, its variance as far up as the margin says."""
    if pilot.binary:
        return _of_rates(pilot, effect, margin.assurance)
    inflation = margin.inflation(pilot, effect)
    first = _side(pilot.pair.x, pilot.means, inflation)
    second = _side(pilot.pair.y, pilot.means + effect.on_tasks(pilot, inflation), inflation * stretch_of(pilot, effect))
    if effect.unit == "improvement" and pilot.without_unit:
        # The chance that is stated is that of the runs that are drawn, which are not quite normal.
        second = replace(second, means=pilot.means + shifts_of_chances(first, second, effect.chances(pilot, inflation)))
    return PlannedWorld(first=first, second=second, shared=pilot.pair.shared)


def shifts_of_chances(first: Side, second: Side, chances: Floats) -> Floats:
    """Return by how much the second must lead on every task, (n_tasks,), so that its runs are ahead with these chances; 0 where none vary."""
    return np.array([_shift_of(first, second, t, chance) for t, chance in enumerate(chances.tolist())])


def _shift_of(first: Side, second: Side, t: int, chance: float) -> float:
    """Return the shift at which the mean of Φ((shift + b − a) / h) over the deviations a, b of both is the chance; h: of the noise on them."""
    (a, of_a), (b, of_b) = first.kernel(t), second.kernel(t)
    distances, width = (b - a[:, None]).ravel(), hypot(of_a, of_b)
    if width == 0:
        return 0.0
    reach = float(np.ptp(distances)) + 40 * width

    def missing(shift: float) -> float:
        return float(special.ndtr((shift + distances) / width).mean()) - chance

    return float(scipy.optimize.brentq(missing, -reach, reach, xtol=1e-12 * reach))


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadLimit:
    """How sure one wants to be that runs spread no further than assumed; None takes the pilot's spread for true.

    runs: as if every cell of the pilot had so many runs, with the same variance. average: power is averaged over what the spread may be, as
    `compare` does.
    """

    assurance: float | None = None
    average: bool = False
    runs: int | None = None

    def inflation(self, pilot: Pilot, effect: TrueLead) -> float:
        """Return by how much standard deviations are taken to be larger than the pilot's."""
        if self.assurance is None or effect.relative:
            return 1.0
        terms = pilot.terms(stretch_of(pilot, effect))
        estimates = terms if self.runs is None else [replace(term, df=self.runs - 1.0) for term in terms]
        return sqrt(limit_factor(estimates, self.assurance))


AS_SEEN = SpreadLimit()


def stretch_of(pilot: Pilot, effect: TrueLead) -> float:
    """Return by how much further the second spreads than its pilot: a lift multiplies the scores of an algorithm that is like the first."""
    return effect.stretch if pilot.alike else 1.0


def _side(cells: Sequence[Floats], means: Floats, inflation: float) -> Side:
    sizes = np.array([cell.size for cell in cells], np.float64)
    deviations = np.zeros((len(cells), int(sizes.max())))
    for row, cell in zip(deviations, cells, strict=True):
        row[: cell.size] = inflation * (cell - cell.mean())
    return Side(means=means, deviations=deviations, n=sizes)


# ── scores of 0 and 1 ──────────


def _of_rates(pilot: Pilot, effect: TrueLead, assurance: float | None) -> PlannedWorld:
    """Return success rates with half a success and half a failure more in each cell (Jeffreys), so that none is 0 or 1."""
    cells = list(pilot.pair.x)
    rates = np.array([(float(cell.sum()) + 0.5) / (cell.size + 1.0) for cell in cells])
    if assurance is not None:
        lift = effect.unit == "lift"
        rates = _fewer_successes(rates, cells, assurance) if lift else _less_sure(rates, cells, effect, assurance)
    return PlannedWorld(first=Rates(means=rates), second=Rates(means=shifted_rates(rates, effect, cells)), shared=False)


def _fewer_successes(rates: Floats, cells: list[Floats], assurance: float) -> Floats:
    """Return the rates moved down by one step in log-odds, to a lower limit of their mean: a lift of less is a smaller effect."""
    low, _ = _limits(cells, assurance)
    # Distances to the limits of independent rates add in squares (Zou & Donner 2008), as in the gate.
    below = sqrt(float(np.square(np.maximum(rates - low, 0.0)).sum())) / rates.size
    return _moved_to(rates, max(float(rates.mean()) - below, LEAST_RATE))


def _less_sure(rates: Floats, cells: list[Floats], effect: TrueLead, assurance: float) -> Floats:
    """Return the rates drawn towards where they vary most, as far as the pilot allows.

    One task: to the end of its interval on that side, at most to the rate from which the effect leads across 1/2 evenly. Several: in
    log-odds by one factor, until p (1 − p) add up to a limit that is as far above as the limits of the tasks, in squares (Zou & Donner 2008).
    """
    low, high = _limits(cells, assurance)
    if len(cells) == 1:
        # p (1 − p) + q (1 − q) with q = p + δ is largest at p = (1 − δ)/2.
        return np.minimum(np.maximum((1.0 - effect.value) / 2.0, low), high)
    variances, most = rates * (1.0 - rates), np.clip(0.5, low, high)
    limit = float(variances.sum()) + sqrt(float(np.square(most * (1.0 - most) - variances).sum()))
    odds = special.logit(rates)

    def missing(factor: float) -> float:
        drawn = special.expit(factor * odds)
        return float((drawn * (1.0 - drawn)).sum()) - limit

    if missing(0.0) <= 0:
        return np.full(rates.size, 0.5)
    return np.asarray(special.expit(scipy.optimize.brentq(missing, 0.0, 1.0, xtol=1e-12) * odds))


def _limits(cells: list[Floats], assurance: float) -> tuple[Floats, Floats]:
    """Return one-sided limits of each rate (Clopper & Pearson 1934), which hold at least as often as they say."""
    ends = [clopper_pearson(cell.sum(keepdims=True), cell.size, 1.0 - assurance) for cell in cells]
    return np.array([low[0] for low, _ in ends]), np.array([high[0] for _, high in ends])


def shifted_rates(rates: Floats, effect: TrueLead, cells: Sequence[Floats] = ()) -> Floats:
    """Return the rates of the second: all moved by one step in log-odds, so that their mean is the first's plus the effect."""
    if effect.relative:
        message = f"success rates have effects in points (0.1) or as a lift (10%), not in the unit {effect.unit!r}."
        raise OptionError(message)
    mean = float(rates.mean())
    wanted = mean * (1.0 + effect.value) if effect.unit == "lift" else mean + effect.value
    if not 0.0 < wanted < 1.0:
        pilot = float(np.mean([cell.mean() for cell in cells])) if cells else mean
        seen = "" if f"{pilot:.3g}" == f"{mean:.3g}" else f" (the pilot's was {100 * pilot:.3g} %)"
        raise DesignError(
            f"the first algorithm is taken to succeed at a rate of {100 * mean:.3g} %{seen}, so the second would at {100 * wanted:.4g} %: a "
            "success rate lies between 0 and 100 %; state a smaller effect."
        )
    return _moved_to(rates, wanted)


def _moved_to(rates: Floats, wanted: float) -> Floats:
    """Return the rates moved by one step in log-odds, so that their mean is the one wanted."""
    odds = special.logit(rates)

    def missing(step: float) -> float:
        return float(special.expit(odds + step).mean()) - wanted

    # 60 log-odds are rates of 1e-26 and of 1 less that: every mean that a double shows lies between.
    return np.asarray(special.expit(odds + scipy.optimize.brentq(missing, -60.0, 60.0, xtol=1e-12)))
