"""Write docs/tables/keep*.csv, nights of 100 proposals judged by `keep` and by rules of the field: `python -m docs.make_keep`, 25 minutes.

The laws are those that `keep` calls; a night is a search without its ledger. `python -m docs.make_keep 50` simulates 50 nights a row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import nan, pi, sin, sqrt

import numpy as np
from scipy.special import stdtr, stdtrit

from runoff._inference.search import Gain, Strict, Trial
from runoff._inference.search.gain import RECORD
from tools.site.tables import write

N = 100
ITEMS, RATE, ITEM_SD = 200, 0.6, 0.0346410
"""World H: items of a run, the champion's rate, and the standard deviation of a run."""
KINDS = {"D": "t3", "E": "collapse", "F": "drift", "H": "items"}
BUDGETS = (150, 300, 600)
Law = Strict | Gain


def gains_of(world: str, rng: np.random.Generator) -> list[float]:
    """Return the true gains of the proposals of a night, in a random order."""
    gains = np.zeros(N)
    if world == "C":
        gains[:30], gains[30:60] = 0.3, -0.3
    elif world == "G":
        gains[:], gains[:2] = -0.5, 3.0
    elif world != "A":
        # The rate of world H is bounded, so that gains of 1.443 there come to what 1.5 does elsewhere.
        gains[:5], gains[5:25] = 1.443 if world == "H" else 1.5, -1.0
    return [float(gain) for gain in rng.permutation(gains)]


@dataclass(slots=True)
class Night:
    """A machine that runs a champion or a candidate: true level, runs so far, and what was kept."""

    kind: str
    rng: np.random.Generator
    budget: int
    level: float = 0.0
    n_runs: int = 0
    kept: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)

    @property
    def left(self) -> int:
        return self.budget - self.n_runs

    def run(self, gain: float = 0.0) -> float:
        """Return the score of a run."""
        self.n_runs += 1
        level = self.level + gain
        if self.kind == "items":
            return (self.rng.binomial(ITEMS, min(RATE + level * ITEM_SD, 0.99)) / ITEMS - RATE) / ITEM_SD
        if not self.drawn:
            self.drawn = self._draws()
        drift = 0.5 * sin(2 * pi * (self.n_runs - 1) / 300) if self.kind == "drift" else 0.0
        return level + drift + self.drawn.pop()

    def champion_run(self, law: Law) -> tuple[float, str]:
        """Return the score and the name of a fresh run of the champion."""
        del law
        return self.run(), f"c{self.n_runs}"

    def candidate_run(self, trial: Trial, gain: float) -> tuple[float, str]:
        """Return the score and the name of the next run of a candidate."""
        del trial
        return self.run(gain), f"r{self.n_runs}"

    def _draws(self) -> list[float]:
        if self.kind == "t3":
            return list((self.rng.standard_t(3.0, 256) / sqrt(3)).tolist())
        draws = self.rng.standard_normal(256)
        if self.kind == "collapse":
            draws -= 3.0 * (self.rng.random(256) < 0.2)
        return list(draws.tolist())

    def keep(self, gain: float) -> None:
        self.kept.append(gain)
        self.level += gain


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a night claims of its last champion."""

    record: float
    gain: float = nan
    low: float = nan
    high: float = nan


# ── keep ──────────


def by_law(law: Law, night: Night, gains: list[float]) -> Outcome:
    """Judge the proposals in turn, then those that were discarded again, the most promising first, until no run is left."""
    names, turn = [str(j) for j in range(N)], 1
    while names and all(judged(law, Trial(name, turn), night, gains[int(name)]) for name in names):
        turn += 1
        names = law.again() if turn <= 10 else []
    if isinstance(law, Gain) and night.kept:
        for _ in range(RECORD):
            law.champion_run(night.run())
    claim = law.record
    if claim.gain is None:
        level = law.mean if isinstance(law, Gain) else law.fresh.mean
        return Outcome(level, 0.0, 0.0, 0.0)
    return Outcome(claim.level or 0.0, claim.gain, claim.low or 0.0, claim.high or 0.0)


def judged(law: Law, trial: Trial, night: Night, gain: float) -> bool:
    """Run a candidate until it is kept or discarded; False where the budget ended before that."""
    while True:
        step = law.step(trial, night.left)
        if step.decision != "run_more":
            law.close(trial, step, night.left)
            if step.decision == "keep":
                night.keep(gain)
            return step.reason != "budget"
        if night.left < step.n_candidate + step.n_champion:
            return False
        for _ in range(step.n_champion):
            law.champion_run(*night.champion_run(law))
        for _ in range(step.n_candidate):
            score, label = night.candidate_run(trial, gain)
            trial.values.append(score)
            trial.labels.append(label)
            law.use(trial)


# ── rules of the field ──────────


def by_stored(better: Callable[[list[float], list[float]], bool], k: int, night: Night, gains: list[float]) -> Outcome:
    """Judge k runs of each proposal against the k runs of the champion that chose it."""
    first = champion = [night.run() for _ in range(k)]
    for gain in gains:
        if night.left < k:
            break
        runs = [night.run(gain) for _ in range(k)]
        if better(runs, champion):
            champion = runs
            night.keep(gain)
    claim, half = mean(champion) - mean(first), nan
    if k > 1:
        a, b = variance(champion) / k, variance(first) / k
        df = (a + b) ** 2 / ((a * a + b * b) / (k - 1)) if a + b else 1.0
        half = float(stdtrit(df, 0.975)) * sqrt(a + b)
    return Outcome(mean(champion), claim, claim - half, claim + half)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def variance(values: list[float]) -> float:
    center = mean(values)
    return sum((value - center) ** 2 for value in values) / (len(values) - 1)


def higher(runs: list[float], champion: list[float]) -> bool:
    return mean(runs) > mean(champion)


def majority(runs: list[float], champion: list[float]) -> bool:
    return 2 * sum(a > b for a, b in zip(runs, champion, strict=True)) > len(runs)


def welch(runs: list[float], champion: list[float]) -> bool:
    a, b = variance(runs) / len(runs), variance(champion) / len(runs)
    if a + b == 0:
        return False
    df = (a + b) ** 2 / ((a * a + b * b) / (len(runs) - 1))
    return float(stdtr(df, -higher_by(runs, champion) / sqrt(a + b))) < 0.025


def higher_by(runs: list[float], champion: list[float]) -> float:
    return mean(runs) - mean(champion)


def by_pace(night: Night, gains: list[float], alpha: float = 0.05, most: int = 10, bet: float = 0.6) -> Outcome:
    """Bet on the signs of fresh pairs, each proposal at a level of its own: like PACE (arXiv 2606.08106, read in abstract)."""
    first = record = night.run()
    n = 1
    for gain in gains:
        wealth, candidates, champions, kept = 1.0, [], [], False
        for i in range(most):
            if night.left < 2:
                break
            candidates.append(night.run(gain))
            champions.append(night.run())
            wealth *= 1 + bet * (1 if candidates[-1] > champions[-1] else -1)
            kept = wealth >= 1 / alpha
            if kept or wealth * (1 + bet) ** (most - 1 - i) < 1 / alpha:
                break
        if kept:
            night.keep(gain)
            record, n = mean(candidates), len(candidates)
        elif champions:
            record, n = (record * n + sum(champions)) / (n + len(champions)), n + len(champions)
    return Outcome(record, record - first)


Rule = Callable[[Night, list[float]], Outcome]


def rules(budget: int) -> dict[str, Rule]:
    """Return the rules of the table; those of stored runs with as many a proposal as the budget has room for."""
    k = max(1, budget // 100)
    return {
        "strict": lambda night, gains: by_law(Strict(), night, gains),
        "strict, renewed": lambda night, gains: by_law(Strict(renew=True), night, gains),
        "strict, fresh champion": lambda night, gains: by_law(Strict(fresh_champion=True), night, gains),
        "gain": lambda night, gains: by_law(Gain(n_proposals=N), night, gains),
        "greedy, 1 run": lambda night, gains: by_stored(higher, 1, night, gains),
        "greedy, mean of k": lambda night, gains: by_stored(higher, k, night, gains),
        "majority of 3": lambda night, gains: by_stored(majority, 3, night, gains),
        "Welch, 3 against 3": lambda night, gains: by_stored(welch, 3, night, gains),
        "PACE-like": by_pace,
    }


def row(rule: str, world: str, budget: int, n: int) -> str:
    """Return a row: false keeps, how far the record overstates, how often the interval of the gain holds it, level and runs."""
    rng = np.random.default_rng([ord(world), budget, *rule.encode()])
    judge, rows = rules(budget)[rule], []
    for _ in range(n):
        night = Night(KINDS.get(world, "normal"), rng, budget)
        outcome = judge(night, gains_of(world, rng))
        false = sum(gain <= 0 for gain in night.kept)
        covered = outcome.low <= night.level <= outcome.high
        rows.append(
            (false > 0, false, outcome.record - night.level, covered, bool(night.kept), night.level, night.n_runs)
        )
        unknown = outcome.low != outcome.low
    any_false, false, over, covers, changed, level, runs = map(np.array, zip(*rows, strict=True))
    over = over + (0.6 if world == "E" else 0.0)  # the mean of its noise
    share = "–" if unknown or not changed.any() else f"{covers[changed].mean():.2f}"
    error = level.std() / sqrt(n)
    numbers = (
        f"{rule} | {world} | {budget} | {any_false.mean():.3f} | {false.mean():.2f} | {over.mean():.2f} | {share} | {level.mean():.2f} | "
        f"{error:.2f} | {runs.mean():.0f}"
    )
    return numbers.replace("| -0.00 |", "| 0.00 |").replace("| -", "| −")


HEAD = "rule | world | budget | any false keep | false keeps | record overstated | interval holds | true level | standard error of it | runs"


def rows_of_nights(n: int) -> Iterator[str]:
    """Yield the table."""
    yield HEAD
    for world in "ABCDEFGH":
        for budget in BUDGETS:
            for rule in rules(budget):
                yield row(rule, world, budget, n)


# ── runs of one seed ──────────

CORRELATIONS = (0.0, 0.3, 0.6, 0.9)


@dataclass(slots=True)
class SeededNight(Night):
    """A machine on which runs of one seed share a part of their noise, whatever they run: a share `correlation` of its variance."""

    correlation: float = 0.0
    shared: dict[int, float] = field(default_factory=dict)

    def of_seed(self, seed: int, gain: float = 0.0) -> float:
        """Return the score of a run with this seed."""
        part = self.shared.setdefault(seed, float(self.rng.standard_normal()))
        own = self.run(gain) - self.level - gain
        return self.level + gain + sqrt(self.correlation) * part + sqrt(1 - self.correlation) * own

    def champion_run(self, law: Law) -> tuple[float, str]:
        assert isinstance(law, Strict)
        return self.of_seed(law.fresh.n), str(law.fresh.n)

    def candidate_run(self, trial: Trial, gain: float) -> tuple[float, str]:
        # The seeds 0, 1, …, which the champion's fresh runs have too.
        seed = len(trial.values)
        return self.of_seed(seed, gain), str(seed)


def row_of_seeds(world: str, correlation: float, n: int) -> str:
    """Return a row: false keeps, level, and how many confirmations of a night go by differences within seeds."""
    rng, rows = np.random.default_rng([ord(world), round(10 * correlation)]), []
    for _ in range(n):
        night, law, gains = SeededNight("normal", rng, 300, correlation=correlation), Strict(), gains_of(world, rng)
        names, turn, paired = [str(j) for j in range(N)], 1, 0
        while names:
            for name in names:
                trial = Trial(name, turn)
                going = judged(law, trial, night, gains[int(name)])
                paired += trial.paired
                if not going:
                    break
            turn += 1
            names = law.again() if going and turn <= 10 else []
        rows.append((any(gain <= 0 for gain in night.kept), night.level, paired))
    any_false, level, paired = np.array(rows, dtype=float).mean(axis=0)
    return f"{world} | {correlation} | {any_false:.3f} | {level:.2f} | {paired:.1f}"


def rows_of_seeds(n: int) -> Iterator[str]:
    """Yield the table of runs that share seeds with the champion's."""
    yield "world | correlation within a seed | any false keep | true level | confirmations within seeds"
    for world in "AB":
        for correlation in CORRELATIONS:
            yield row_of_seeds(world, correlation, n)


def main(n: int = 1000) -> None:
    """Write the table, and print each row when it is there."""
    lines = []
    for line in rows_of_nights(n):
        sys.stdout.write(f"| {line} |\n")
        sys.stdout.flush()
        lines.append(line)
    write("keep", lines)
    write("keep_seeds", list(rows_of_seeds(max(1, n // 2))))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
