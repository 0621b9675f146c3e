"""The strict law of a search: any false keep in at most alpha of searches, whenever one stops and in whatever order candidates come.

Two runs screen a candidate, which costs nothing; up to 16 fresh runs confirm it, at a level that is fixed before them. The levels of all
confirmations sum to alpha. Derived and simulated: docs/calibration.md (What a search keeps).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import atanh, sqrt, tanh

from scipy.special import stdtr

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

START = 8
"""Runs of the first champion before anything is judged: fewer serve decisions as well, 8 serve the interval of the gain."""
SCREENING_RUNS, SCREEN = 2, 0.5
"""Runs of the screening, and the lead of their mean, in standard deviations of a run, below which a candidate is discarded."""
MOST, LOOKS = 16, {8: 0.25, 16: 0.75}
"""Fresh runs of a confirmation, and its tests: after so many runs, at this share of its level."""
HORIZON = 5.0
"""h in the levels alpha h / ((h + i)(h + i + 1)), i = 0, 1, …, which sum to alpha; half of alpha is spent by the h-th confirmation."""
AFTER, CAP = 4, 20
"""Fresh runs of a new champion at once, and how many are made beside confirmations."""
FUTILE = 0.8
"""A confirmation ends where its lead is below 0.8 (1 − 2/n) standard deviations after n runs."""
FEWEST_PAIRS, CORRELATED = 40, 0.1
"""Pairs of runs of one seed, of discarded candidates and the champion, from which a correlation is believed, and its lower bound from which
confirmations go by differences within seeds."""


def level_of(alpha: float, number: int) -> float:
    """Return what confirmation `number`, from 1, may spend.

    >>> level_of(0.1, 1), round(sum(level_of(0.1, i) for i in range(1, 10**5)), 4)
    (0.016666666666666666, 0.1)
    """
    i = number - 1
    return alpha * HORIZON / ((HORIZON + i) * (HORIZON + i + 1))


@dataclass(slots=True)
class Strict:
    """The state of a strict search: champion, noise, and what was spent.

    Attributes
    ----------
    renew : bool
        Each keep gives the levels back: false keeps are then at most alpha (1 + true keeps) in expectation.
    fresh_champion : bool
        The champion's runs count only in the confirmation that they are made beside, for a machine that drifts.
    start : Moments or None
        The fresh runs of the first champion, once there is a second.
    fresh, chose : Moments
        Runs of the champion that did not choose it, and those of its confirmation, which did.
    begun : int
        Confirmations since the levels began.
    leads : dict of name to [runs, sum of leads in standard deviations]
        Of discarded candidates.
    """

    alpha: float = 0.1
    renew: bool = False
    fresh_champion: bool = False
    start: Moments | None = None
    fresh: Moments = field(default_factory=Moments)
    chose: Moments = field(default_factory=Moments)
    noise: Noise = field(default_factory=Noise)
    begun: int = 0
    leads: dict[str, list[float]] = field(default_factory=dict)
    seeds: dict[str, float] = field(default_factory=dict)
    pairs: list[tuple[float, float]] = field(default_factory=list)
    confirming: dict[str, Trial] = field(default_factory=dict)

    # ── the champion ──────────

    @property
    def spread(self) -> float:
        """The standard deviation of a run."""
        return standard_deviation(self.noise.beside(self.fresh))

    @property
    def level(self) -> Moments:
        """All runs that the champion is judged by: not those of its screening, which were selected."""
        n = self.fresh.n + self.chose.n
        return Moments(n, (self.fresh.n * self.fresh.mean + self.chose.n * self.chose.mean) / n)

    @property
    def n_short(self) -> int:
        """Fresh runs that the champion lacks before anything is judged."""
        return max(0, (START if self.start is None else AFTER) - self.fresh.n)

    @property
    def record(self) -> RecordClaim:
        """What is claimed of the champion."""
        return lead_over(self.fresh, self.start, self.noise.beside(self.fresh))

    def champion_run(self, value: float, label: str = "") -> None:
        """Take a run of the champion that did not choose it."""
        self.fresh.add(value)
        self.seeds[label] = value
        for trial in self.confirming.values():
            trial.beside.add(value)

    # ── a candidate ──────────

    def step(self, trial: Trial, left: float = UNLIMITED) -> Step:
        """Return what to do, of the runs that the law has seen; left: runs of the budget that are not made yet."""
        if self.n_short:
            return more("level", 0, self.n_short)
        if trial.number:
            return self._confirmed(trial, left)
        if not trial.n_used:
            return more("first_run", 1)
        lead = trial.mean - self.level.mean
        if lead < SCREEN * self.spread:
            return discard("screened", lead)
        if trial.n_used < SCREENING_RUNS:
            return more("screening", 1, lead=lead)
        # A confirmation that the budget cannot begin spends nothing.
        if not trial.n_pending and left < 2 + AFTER:
            return discard("budget", lead)
        self._begin(trial)
        return more("confirming", 1, self._n_beside(trial, 1), lead)

    def use(self, trial: Trial) -> None:
        """See the next run of a candidate."""
        if trial.number:
            trial.confirmation.add(trial.values[trial.n_used])
        trial.n_used += 1

    def _begin(self, trial: Trial) -> None:
        # Its share is gone from here on, whatever comes.
        self.begun += 1
        trial.number, trial.level = self.begun, level_of(self.alpha, self.begun)
        trial.begun_at = self.fresh.n
        trial.paired = not self.fresh_champion and lowest_correlation(self.pairs) > CORRELATED
        self.confirming[trial.name] = trial

    def _n_beside(self, trial: Trial, n: int) -> int:
        """Return the runs of the champion that are needed beside the n-th run of a confirmation."""
        if trial.paired:
            return sum(label not in self.seeds for label in trial.labels[SCREENING_RUNS : SCREENING_RUNS + n])
        if self.fresh_champion:
            return max(0, n - trial.beside.n)
        return max(0, min(CAP, trial.begun_at + n) - self.fresh.n)

    def _confirmed(self, trial: Trial, left: float) -> Step:
        n, runs = trial.confirmation.n, trial.confirmation
        if not n:
            return more("confirming", 1, self._n_beside(trial, 1))
        if self._n_beside(trial, n):
            # Of runs that were made at once the champion needs as many at once.
            return more("confirming", 0, self._n_beside(trial, min(n + trial.n_pending, MOST)))
        champion = trial.beside if self.fresh_champion else self.level
        lead = runs.mean - champion.mean
        variance, df = self.noise.beside(self.fresh, runs)
        # A look is made once: made again with each further run of the champion it would spend its level each time.
        first, trial.looked = n > trial.looked, n
        if first and n in LOOKS:
            # A candidate noisier than the rest pays for it.
            own = max(variance, runs.squares / (n - 1))
            error, own_df = sqrt(own / n + variance / champion.n), df
            if trial.paired:
                lead, error, own_df = self._within_seeds(trial)
            pvalue, level = float(stdtr(own_df, -lead / error)), trial.level * LOOKS[n]
            if pvalue <= level:
                return Step(decision="keep", reason="shown", lead=lead, pvalue=pvalue, level=level)
            if n == MOST:
                return discard("not_shown", lead, pvalue, level)
        if first and lead < FUTILE * (1 - 2 / n) * sqrt(variance):
            return discard("futility", lead)
        beside = self._n_beside(trial, n + 1)
        if not trial.n_pending and left < 1 + beside + AFTER:
            return discard("budget", lead)
        return more("confirming", 1, beside, lead)

    def _within_seeds(self, trial: Trial) -> tuple[float, float, int]:
        """Return mean, standard error and degrees of freedom of the differences of runs of one seed."""
        n = trial.confirmation.n
        rows = zip(trial.labels[SCREENING_RUNS:], trial.values[SCREENING_RUNS : SCREENING_RUNS + n], strict=False)
        differences = Moments.of(value - self.seeds[label] for label, value in rows)
        # No difference varies: nothing says how far chance reaches, so that the pooled spread does.
        variance = differences.squares / (n - 1) or 2 * self.spread**2
        return differences.mean, sqrt(variance / n), n - 1

    # ── the end of a trial ──────────

    def close(self, trial: Trial, step: Step, _left: float = UNLIMITED) -> None:
        """Take what a trial has taught; a candidate that is kept is the champion from here on."""
        self.confirming.pop(trial.name, None)
        if step.decision == "discard":
            self._remember(trial)
        self.noise.add(trial.confirmation)
        if step.decision == "keep":
            self.noise.add(self.fresh)
            self.start = self.start or self.fresh
            self.leads.pop(trial.name, None)
            self.fresh, self.chose, self.seeds = Moments(), trial.confirmation, {}
            if self.renew:
                self.begun = 0
            # Runs that were made before they were asked for chose nothing.
            for value, label in zip(trial.values[trial.n_used :], trial.labels[trial.n_used :], strict=True):
                self.champion_run(value, label)

    def _remember(self, trial: Trial) -> None:
        if not trial.n_used:
            return
        level, spread = self.level.mean, self.spread
        seen = self.leads.setdefault(trial.name, [0.0, 0.0])
        seen[0] += trial.n_used
        seen[1] += trial.n_used * (trial.mean - level) / spread
        used = zip(trial.labels[: trial.n_used], trial.values[: trial.n_used], strict=True)
        self.pairs += [(value - level, self.seeds[label] - level) for label, value in used if label in self.seeds]

    def again(self) -> list[str]:
        """Return the discarded candidates, the most promising first: by their mean lead, drawn to 0 as if by two runs."""
        return sorted(self.leads, key=lambda name: -self.leads[name][1] / (self.leads[name][0] + 2))


def lowest_correlation(pairs: list[tuple[float, float]]) -> float:
    """Return the lower 95 % bound of the correlation of pairs (Fisher's z); −1 of too few to say.

    >>> lowest_correlation([(0.0, 1.0)] * 39), round(lowest_correlation([(k % 7, k % 7 + k % 2) for k in range(40)]), 2)
    (-1.0, 0.95)
    """
    n = len(pairs)
    if n < FEWEST_PAIRS:
        return -1.0
    x, y = (Moments.of(pair[side] for pair in pairs) for side in (0, 1))
    products = sum((a - x.mean) * (b - y.mean) for a, b in pairs)
    size = sqrt(x.squares * y.squares)
    correlation = min(max(products / size, -1 + 1e-12), 1 - 1e-12) if size else 0.0
    return tanh(atanh(correlation) - 1.6448536269514722 / sqrt(n - 3))
