"""The law of the highest level at equal runs: the gains of changes have a distribution, which is learnt on the way. It guarantees nothing.

Runs go on while another is worth more than its price; a candidate is kept where its expected gain exceeds a price on the chance that it gains
nothing. Units: the standard deviation of a run. Derived and simulated: docs/calibration.md (What a search keeps).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np
from scipy.special import ndtri

from runoff._inference.search.trial import (
    UNLIMITED,
    Moments,
    Noise,
    RecordClaim,
    Step,
    Trial,
    discard,
    lead_over,
    more,
    standard_deviation,
)
from runoff.base.arrays import Floats

GRID: Floats = np.array(
    [
        -4,
        -3,
        -2.5,
        -2,
        -1.5,
        -1.25,
        -1,
        -0.8,
        -0.6,
        -0.45,
        -0.3,
        -0.2,
        -0.1,
        0,
        0.1,
        0.2,
        0.3,
        0.45,
        0.6,
        0.8,
        1,
        1.25,
        1.5,
        2,
        2.5,
        3,
        4.0,
    ]
)
"""Gains that a change may have."""
NOTHING, CENTER, SCALE = 0.5, -0.2, 0.7
"""Before anything is seen half of the changes gain nothing, the others are Laplace distributed."""
PRICE = 0.1
"""The price, in standard deviations, of the probability that a kept change gains nothing."""
START, MOST, AHEAD = 6, 12, (1, 2, 4, 8)
"""Runs of the first champion, the most of a candidate, and numbers of further runs whose worth is weighed."""
WORTH, PACE = 0.02, 1.1
"""What a run has to be worth at first, and by what factor that follows the budget."""
CERTAIN = 5
"""Runs of the champion to which its level has to be learnt before a candidate."""
RECORD = 6
"""Runs of the last champion that are kept back: they alone are the record."""
LEAST_PRICE = 1e-6
"""Below it a run costs nothing."""
CAUTION = 3
"""Candidates that the first distribution counts for while it is learnt."""
QUANTILES: Floats = ndtri((np.arange(15) + 0.5) / 15)
VALUE: Floats = GRID - PRICE * (GRID <= 0)


def first_distribution() -> Floats:
    """Return the chance of each gain of `GRID` before anything is seen."""
    weights = np.exp(-np.abs(GRID - CENTER) / SCALE) * np.gradient(GRID)
    weights *= (1 - NOTHING) / weights.sum()
    weights[GRID == 0] += NOTHING
    return np.asarray(weights)


def posterior(prior: Floats, lead: float, variance: float) -> Floats:
    """Return the chance of each gain of `GRID` after a lead with this variance was seen."""
    exponents = -0.5 * (lead - GRID) ** 2 / variance
    weights = prior * np.exp(exponents - exponents.max())
    return np.asarray(weights / weights.sum())


def worth(prior: Floats, lead: float, n: int, v: float, ahead: Floats) -> Floats:
    """Return what E max(value, 0) is after `ahead` (k,) more runs: by 15 quantiles of the mean of each, as the runs so far foretell it.

    lead, n: the mean of the candidate's runs less the champion's level, and their number; v: the variance of that level.
    """
    weights = posterior(prior, lead, v + 1 / n)
    # Part of the lead is an error of the champion's level, which further runs of the candidate do not mend.
    share = v / (v + 1 / n)
    means = GRID + share * (lead - GRID)
    center = weights @ means
    spreads = np.sqrt(weights @ means**2 - center**2 + v * (1 - share) + 1 / ahead)
    return _kept_values(prior, (n * lead + ahead[:, None] * (center + spreads[:, None] * QUANTILES)), n + ahead, v)


def _kept_values(prior: Floats, sums: Floats, n: Floats, v: float) -> Floats:
    """Return the mean over quantiles of max(value, 0), by the sums (k, 15) of n (k,) runs."""
    leads = sums / n[:, None]
    exponents = -0.5 * (leads[:, :, None] - GRID) ** 2 / (v + 1 / n)[:, None, None]
    weights = prior * np.exp(exponents - exponents.max(axis=2, keepdims=True))
    values = (weights @ VALUE) / weights.sum(axis=2)
    return np.asarray(np.maximum(values, 0.0).mean(axis=1))


def worth_again(prior: Floats, v: float) -> float:
    """Return what a run is worth of a candidate of which `prior` is learnt, if it is proposed again."""
    center, ahead = float(prior @ GRID), np.array(AHEAD, dtype=np.float64)
    variance = float(prior @ GRID**2) - center**2
    sums = ahead[:, None] * (center + np.sqrt(variance + v + 1 / ahead)[:, None] * QUANTILES)
    values = _kept_values(prior, sums, ahead, v) - max(float(prior @ VALUE), 0.0)
    return float((values / ahead).max())


@dataclass(slots=True)
class Gain:
    """The state of a search for gain.

    Attributes
    ----------
    n_proposals : int
        Candidates that are expected, which the budget is spread over.
    mean, variance : float
        Of the champion's level; the variance in squares of the spread of a run.
    price : float
        What a run has to be worth now.
    gains : dict of name to array
        Of discarded candidates: the chance of each gain.
    """

    n_proposals: int = 100
    mean: float = 0.0
    variance: float = inf
    price: float = WORTH
    start: Moments | None = None
    fresh: Moments = field(default_factory=Moments)
    audit: Moments = field(default_factory=Moments)
    noise: Noise = field(default_factory=Noise)
    prior: Floats = field(default_factory=first_distribution)
    n_seen: int = 0
    gains: dict[str, Floats] = field(default_factory=dict)
    turn: int = 1
    turned: set[str] = field(default_factory=set)

    # ── the champion ──────────

    @property
    def spread(self) -> float:
        """The standard deviation of a run."""
        return standard_deviation(self.noise.beside(self.fresh))

    @property
    def n_short(self) -> int:
        """Runs that the first champion lacks before anything is judged."""
        return max(0, START - self.fresh.n) if self.start is None else 0

    @property
    def record(self) -> RecordClaim:
        """What is claimed of the champion: by its runs since the last decision, which decided nothing."""
        return lead_over(self.audit, self.start, self.noise.beside(self.fresh))

    def champion_run(self, value: float, _label: str = "") -> None:
        """Take a run of the champion."""
        share = 1.0 if self.variance == inf else self.variance / (self.variance + 1)
        self.mean += share * (value - self.mean)
        self.variance = 1.0 if self.variance == inf else self.variance * (1 - share)
        self.fresh.add(value)
        self.audit.add(value)

    # ── a candidate ──────────

    def step(self, trial: Trial, left: float = UNLIMITED) -> Step:
        """Return what to do, of the runs that the law has seen; left: runs of the budget that are not made yet."""
        n, left = trial.n_used, left - RECORD + trial.n_pending
        if self.n_short:
            return more("level", 0, self.n_short)
        if not n:
            if left < 1:
                return discard("budget")
            # The champion's level first: an error of it would be shared by all candidates.
            uncertain = self.variance > 1 / CERTAIN and left >= 2
            return more("level", 0, 1) if uncertain else more("first_run", 1)
        lead, spread = self._lead(trial)
        prior = self._prior_of(trial)
        weights = posterior(prior, lead, self.variance + 1 / n)
        value, nothing = float(weights @ VALUE), float(weights[GRID <= 0].sum())
        expected = float(weights @ GRID) * spread
        if n < MOST and left >= 1:
            ahead = np.array([k for k in AHEAD if n + k <= MOST + 1], dtype=np.float64)
            gained = (worth(prior, lead, n, self.variance, ahead) - max(value, 0.0)) / ahead
            if gained.max() >= self.price:
                return Step(decision="run_more", reason="worth_a_run", n_candidate=1, lead=expected, pvalue=nothing)
        decision = "keep" if value > 0 else "discard"
        return Step(decision=decision, reason="gain", lead=expected, pvalue=nothing)  # type: ignore[arg-type]

    def use(self, trial: Trial) -> None:
        """See the next run of a candidate."""
        if trial.turn > self.turn:
            # Candidates that come again begin at the first price, later at half of the last.
            self.price = WORTH if self.turn == 1 else self.price / 2
            self.turn, self.turned = trial.turn, set()
        trial.confirmation.add(trial.values[trial.n_used])
        trial.n_used += 1

    def _lead(self, trial: Trial) -> tuple[float, float]:
        """Return the candidate's lead in standard deviations of a run, and that."""
        spread = standard_deviation(self.noise.beside(self.fresh, trial.confirmation))
        return (trial.confirmation.mean - self.mean) / spread, spread

    def _prior_of(self, trial: Trial) -> Floats:
        return self.gains.get(trial.name, self.prior) if trial.turn > 1 else self.prior

    # ── the end of a trial ──────────

    def close(self, trial: Trial, step: Step, left: float = UNLIMITED) -> None:
        """Take what a trial has taught; a candidate that is kept is the champion from here on."""
        self.audit = Moments()
        # Runs against an earlier champion say nothing of a lead over this one.
        if not trial.n_used or step.reason == "superseded":
            return
        self.noise.add(trial.confirmation)
        spread, n = self.spread, trial.n_used
        lead = (trial.confirmation.mean - self.mean) / spread
        learnt = posterior(self._prior_of(trial), lead, self.variance + 1 / n)
        self._move(lead, n, learnt, kept=step.decision == "keep")
        if trial.turn == 1:
            # Predictive recursion (Newton 2002).
            self.n_seen += 1
            self.prior = self.prior + (learnt - self.prior) / (self.n_seen + CAUTION)
        self.turned.add(trial.name)
        self.gains[trial.name] = learnt
        if step.decision == "keep":
            del self.gains[trial.name]
            self._crown(trial)
        self._pace(n, left - RECORD)

    def _move(self, lead: float, n: int, learnt: Floats, *, kept: bool) -> None:
        """Update the champion's level: a lead of a candidate is its gain, or an error of that level."""
        share, expected = self.variance / (self.variance + 1 / n), float(learnt @ GRID)
        spread_of_gain = float(learnt @ GRID**2) - expected**2
        shift = share * lead + (1 - share) * expected if kept else share * (lead - expected)
        part = 1 - share if kept else share
        self.mean += self.spread * shift
        self.variance = self.variance * (1 - share) + part**2 * spread_of_gain

    def _crown(self, trial: Trial) -> None:
        self.start = self.start or self.fresh
        self.noise.add(self.fresh)
        self.fresh = Moments()
        # Runs that were made before they were asked for chose nothing.
        for value in trial.values[trial.n_used :]:
            self.champion_run(value)

    def _pace(self, n: int, left: float) -> None:
        if left == UNLIMITED:
            return
        todo = self.n_proposals - self.n_seen if self.turn == 1 else len(self.gains) - len(self.turned)
        dear = n > left / max(1, todo)
        self.price = max(self.price * PACE if dear else self.price / PACE, LEAST_PRICE)

    def again(self) -> list[str]:
        """Return the discarded candidates of which another run is worth its price, the highest expected gain first."""
        worths = {name: worth_again(prior, self.variance) for name, prior in self.gains.items()}
        price = WORTH if self.turn == 1 else self.price
        while worths and max(worths.values()) < price and price > LEAST_PRICE:
            price /= 2
        names = [name for name in worths if worths[name] >= price]
        return sorted(names, key=lambda name: -float(self.gains[name] @ GRID))
