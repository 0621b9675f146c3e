"""Slow, obvious twins of the two laws of `keep`: every number is computed anew, from lists of runs, whenever something is asked."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import stats


@dataclass
class SlowStrict:
    """Screen by two runs, confirm on up to 16 fresh ones, spend alpha over the confirmations."""

    alpha: float = 0.1
    renew: bool = False
    fresh_champion: bool = False
    groups: list[list[float]] = field(default_factory=list)
    fresh: list[float] = field(default_factory=list)
    chose: list[float] = field(default_factory=list)
    start: list[float] | None = None
    begun: int = 0
    begun_at: int | None = None
    level: float = 0.0

    def pooled(self, *more: list[float]) -> tuple[float, int]:
        """Return the variance within groups, and its degrees of freedom."""
        groups = [group for group in (*self.groups, self.fresh, *more) if len(group) > 1]
        df = sum(len(group) - 1 for group in groups)
        return sum(np.var(group, ddof=1) * (len(group) - 1) for group in groups) / df, df

    def step(self, runs: list[float]) -> tuple[str, int, int]:
        """Return the decision about a candidate with these runs, and how many more of it and of the champion."""
        needed = 8 if self.start is None else 4
        if len(self.fresh) < needed:
            return "run_more", 0, needed - len(self.fresh)
        champion = np.mean([*self.fresh, *self.chose])
        half = 0.5 * np.sqrt(self.pooled()[0])
        if self.begun_at is None:
            for k in (1, 2):
                if len(runs) < k:
                    return "run_more", 1, 0
                if np.mean(runs[:k]) - champion < half:
                    return "discard", 0, 0
            self.level = self.alpha * 5 / ((5 + self.begun) * (6 + self.begun))
            self.begun += 1
            self.begun_at = len(self.fresh)
        more = int(self.fresh_champion or len(self.fresh) < 20)
        return self.confirmed(runs[2:], champion, more) if len(runs) > 2 else ("run_more", 1, more)

    def confirmed(self, runs: list[float], champion: float, more: int) -> tuple[str, int, int]:
        """Return the same of a candidate whose fresh runs these are."""
        n, of_champion = len(runs), len(self.fresh) + len(self.chose)
        if self.fresh_champion:
            champion, of_champion = np.mean(self.fresh[self.begun_at :]), len(self.fresh[self.begun_at :])
        lead, (variance, df) = np.mean(runs) - champion, self.pooled(runs)
        if n in (8, 16):
            own = max(variance, np.var(runs, ddof=1))
            pvalue = stats.t.sf(lead / np.sqrt(own / n + variance / of_champion), df)
            if pvalue <= self.level * (0.25 if n == 8 else 0.75):
                return "keep", 0, 0
        if n == 16 or lead < 0.8 * (1 - 2 / n) * np.sqrt(variance):
            return "discard", 0, 0
        return "run_more", 1, more

    def close(self, runs: list[float], decision: str) -> None:
        """End a trial."""
        self.groups.append(runs[2:])
        self.begun_at = None
        if decision == "keep":
            self.start = self.start or self.fresh
            self.groups.append(self.fresh)
            self.fresh, self.chose = [], runs[2:]
            self.begun *= not self.renew

    def record(self) -> tuple[float, float, float]:
        """Return the gain over the start and the ends of its interval."""
        variance, df = self.pooled()
        gain = np.mean(self.fresh) - np.mean(self.start)
        half = stats.t.ppf(0.975, df) * np.sqrt(variance * (1 / len(self.fresh) + 1 / len(self.start)))
        return gain, gain - half, gain + half


GRID = [-4, -3, -2.5, -2, -1.5, -1.25, -1, -0.8, -0.6, -0.45, -0.3, -0.2, -0.1, 0]
GRID += [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4]


def spacing(i: int) -> float:
    """Return how much of the line a gain stands for."""
    last = len(GRID) - 1
    return (GRID[min(i + 1, last)] - GRID[max(i - 1, 0)]) / (2 if 0 < i < last else 1)


def first_prior() -> list[float]:
    """Return half at 0, half Laplace(−0.2, 0.7)."""
    laplace = [np.exp(-abs(g + 0.2) / 0.7) * spacing(i) for i, g in enumerate(GRID)]
    return [0.5 * w / sum(laplace) + 0.5 * (g == 0) for g, w in zip(GRID, laplace, strict=True)]


def updated(prior: list[float], lead: float, variance: float) -> list[float]:
    """Return the chances of the gains after a lead."""
    weights = [p * stats.norm.pdf(lead, g, np.sqrt(variance)) for p, g in zip(prior, GRID, strict=True)]
    return [w / sum(weights) for w in weights]


def mean_of(weights: list[float], power: int = 1) -> float:
    return sum(w * g**power for w, g in zip(weights, GRID, strict=True))


def value_of(weights: list[float]) -> float:
    """Return the expected gain less a tenth of the chance that it is none."""
    return mean_of(weights) - 0.1 * sum(w for w, g in zip(weights, GRID, strict=True) if g <= 0)


@dataclass
class SlowGain:
    """Learn the distribution of gains; run on while a run is worth its price; keep what has a value."""

    n_proposals: int = 100
    mean: float = 0.0
    variance: float = np.inf
    price: float = 0.02
    seen: int = 0
    changed: bool = False
    champion: list[float] = field(default_factory=list)
    groups: list[list[float]] = field(default_factory=list)
    prior: list[float] = field(default_factory=first_prior)

    def champion_run(self, value: float) -> None:
        share = 1.0 if np.isinf(self.variance) else self.variance / (self.variance + 1)
        self.mean += share * (value - self.mean)
        self.variance = 1.0 if np.isinf(self.variance) else self.variance * (1 - share)
        self.champion.append(value)

    def spread(self, *more: list[float]) -> float:
        groups = [group for group in (*self.groups, self.champion, *more) if len(group) > 1]
        df = sum(len(group) - 1 for group in groups)
        return float(np.sqrt(sum(np.var(group) * len(group) for group in groups) / df))

    def worth(self, lead: float, n: int, k: int) -> float:
        """Return the expected value of a decision after k more runs."""
        weights, share = updated(self.prior, lead, self.variance + 1 / n), self.variance / (self.variance + 1 / n)
        means = [g + share * (lead - g) for g in GRID]
        center = sum(w * m for w, m in zip(weights, means, strict=True))
        square = sum(w * m**2 for w, m in zip(weights, means, strict=True))
        spread = np.sqrt(square - center**2 + self.variance * (1 - share) + 1 / k)
        leads = [(n * lead + k * stats.norm.ppf((q + 0.5) / 15, center, spread)) / (n + k) for q in range(15)]
        return np.mean([max(0.0, value_of(updated(self.prior, x, self.variance + 1 / (n + k)))) for x in leads])

    def step(self, runs: list[float], left: float) -> tuple[str, int, int]:
        """Return the decision, and runs of the candidate and of the champion; left: of the budget."""
        n, left = len(runs), left - 6
        if not self.changed and len(self.champion) < 6:
            return "run_more", 0, 6 - len(self.champion)
        if n == 0:
            return (
                ("discard", 0, 0)
                if left < 1
                else ("run_more", *((0, 1) if self.variance > 0.2 and left > 1 else (1, 0)))
            )
        lead = (np.mean(runs) - self.mean) / self.spread(runs)
        value = value_of(updated(self.prior, lead, self.variance + 1 / n))
        if n < 12 and left >= 1:
            ahead = [k for k in (1, 2, 4, 8) if n + k <= 13]
            if max((self.worth(lead, n, k) - max(value, 0.0)) / k for k in ahead) >= self.price:
                return "run_more", 1, 0
        return "keep" if value > 0 else "discard", 0, 0

    def close(self, runs: list[float], decision: str, left: float) -> None:
        """Learn of a trial that is over."""
        self.groups.append(runs)
        n, spread = len(runs), self.spread()
        lead, share = (np.mean(runs) - self.mean) / spread, self.variance / (self.variance + 1 / n)
        weights = updated(self.prior, lead, self.variance + 1 / n)
        expected = mean_of(weights)
        varying = mean_of(weights, 2) - expected**2
        if decision == "keep":
            self.mean += spread * (share * lead + (1 - share) * expected)
            self.variance = self.variance * (1 - share) + (1 - share) ** 2 * varying
        else:
            self.mean += spread * share * (lead - expected)
            self.variance = self.variance * (1 - share) + share**2 * varying
        if decision == "keep":
            self.groups.append(self.champion)
            self.champion, self.changed = [], True
        self.seen += 1
        self.prior = [p + (w - p) / (self.seen + 3) for p, w in zip(self.prior, weights, strict=True)]
        self.price *= 1.1 if n > (left - 6) / max(1, self.n_proposals - self.seen) else 1 / 1.1
