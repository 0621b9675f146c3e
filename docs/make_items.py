"""Error rates of the laws of items, attempts, clusters and rollouts: `python -m docs.make_items [NAME...]`, some minutes a table.

items_paired.csv is enumerated: over all results, at rates of items that only one of two models solves from .5 % to 45 %. "worst level": how
often two models of one success rate are called different; "worst side": how often the interval lies above the true difference, at most .025
where it is true to its level, over 40 pairs of rates; "power": the mean over up to eight rates of items that differ (five items or more), at
the difference that a normal law finds in half of all samples. items_clusters.csv, items_attempts.csv and items_strata.csv (three benchmarks
of 14, 200 and 1,319 items) are simulated (2,000 experiments a row, ± .005 at .05; of strata 1,000 a design, ± .007).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np
from scipy import special, stats

from runoff._inference.pairs.items import ItemLaw, cluster_moments, item_law, mcnemar
from runoff._inference.pairs.mover import MoverLaw
from runoff._kernels.items import paired_tail
from tools.site.tables import write

REPEATS = 2_000
DISCORDANT = (0.01, 0.02, 0.04, 0.08, 0.16, 0.3, 0.5, 0.9)
"""Shares of items that one model alone solves."""


def tables(n: int) -> tuple[np.ndarray, np.ndarray]:
    won, lost = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = won + lost <= n
    return won[inside], lost[inside]


def mass(n: int, first: float, second: float) -> np.ndarray:
    """Return the chance of each table where the first alone solves an item at one rate, the second alone at another."""
    won, lost = tables(n)
    ways = special.gammaln(n + 1) - sum(special.gammaln(k + 1.0) for k in (won, lost, n - won - lost))
    rates = special.xlogy(won, first) + special.xlogy(lost, second) + special.xlogy(n - won - lost, 1 - first - second)
    return np.exp(ways + rates)


def half_found(n: int, discordant: float) -> float:
    """Return the difference that a normal law finds in half of all samples, at most the share of items that differ."""
    return min(1.96 * sqrt(discordant / n), 0.95 * discordant)


def paired_t_tail(won: np.ndarray, lost: np.ndarray, n: int, shift: float) -> np.ndarray:
    lead = (won - lost) / n
    error = np.sqrt(np.maximum((won + lost) / n - lead**2, 1e-15) / (n - 1))
    return stats.t.sf((lead - shift) / error, n - 1)


def score_tails(n: int, shift: float, where: np.ndarray) -> np.ndarray:
    won, lost = tables(n)
    tails = np.ones(won.size)
    tails[where] = [paired_tail(a, b, n, shift) for a, b in zip(won[where].tolist(), lost[where].tolist(), strict=True)]
    return tails


def side_missed(n: int, first: float, second: float) -> list[float]:
    """Return how often the interval of the score, and of the paired t test, lies above the true difference."""
    chances, shift = mass(n, first, second), first - second
    won, lost = tables(n)
    # What is rarer than a billionth does not change a digit, and what lies below the truth is not rejected above it.
    where = (chances > 1e-9) & ((won - lost) / n > shift)
    # Where no item differs the t test has no interval, which misses nothing.
    varied = where & (won + lost > 0) & (np.abs(won - lost) < n)
    tails = (score_tails(n, shift, where), where), (paired_t_tail(won, lost, n, shift), varied)
    return [float(chances[(tail <= 0.025) & counted].sum()) for tail, counted in tails]


def paired() -> Iterator[str]:
    yield "| items | test | worst level | worst side | power |"
    for n in (14, 30, 100, 200):
        won, lost = tables(n)
        p = {
            "score": np.array([ItemLaw(float(a), float(b), n).pvalue() for a, b in zip(won, lost, strict=True)]),
            "paired t": 2 * np.minimum(paired_t_tail(won, lost, n, 0.0), paired_t_tail(lost, won, n, 0.0)),
            "McNemar exact": np.array([mcnemar(int(a), int(b)) for a, b in zip(won, lost, strict=True)]),
        }
        equal = [mass(n, rate, rate) for rate in np.linspace(0.005, 0.45, 90)]
        apart = [mass(n, (w + d) / 2, (w - d) / 2) for w in DISCORDANT if w * n >= 5 and (d := half_found(n, w))]
        leads = (0.02, 0.05, 0.1, 0.2, 0.35, 0.6)
        pairs = [(q + d, q) for q in (0.002, 0.01, 0.05, 0.15) for d in leads if 2 * q + d < 1]
        sides = np.max([side_missed(n, *both) for a, b in pairs for both in ((a, b), (b, a))], axis=0)
        for name, side in zip(p, (*sides, None), strict=True):
            found = p[name] <= 0.05
            level, power = max(m[found].sum() for m in equal), np.mean([m[found].sum() for m in apart])
            yield f"| {n} | {name} | {level:.3f} | {'–' if side is None else f'{side:.3f}'} | {power:.2f} |"


# ── clusters and attempts ──────────


def leads_of(
    rng: np.random.Generator, codes: np.ndarray, k: int, icc: float, gain: float, rate: float = 0.15
) -> np.ndarray:
    """Return the differences of two models with k attempts at each item; each solves `rate` alone, the first `gain` more."""
    kinds = np.array([rate + gain, rate, 1 - 2 * rate - gain])
    rates = (
        rng.dirichlet(kinds * (1 / icc - 1), int(codes.max()) + 1)[codes] if icc else np.tile(kinds, (codes.size, 1))
    )
    kind = (rng.random(codes.size)[:, None] > np.cumsum(rates, axis=1)[:, :2]).sum(axis=1)
    alike = rng.beta(0.7, 0.4, codes.size)
    a, b = np.choose(kind, [0.9, 0.3, alike]), np.choose(kind, [0.3, 0.9, alike])
    return (rng.binomial(k, a) - rng.binomial(k, b)) / k


def sizes_of(rng: np.random.Generator, n_clusters: int, *, equal: bool) -> np.ndarray:
    if equal:
        return np.full(n_clusters, 6)
    return np.maximum(1, np.round(np.exp(rng.normal(1.3, 1.0, n_clusters)))).astype(int)


def scaled(leads: np.ndarray, codes: np.ndarray | None, k: int, null: float) -> float:
    law = item_law(leads, codes, attempts=np.full(leads.size, float(k)))
    return law.pvalue(null)


def by_t(leads: np.ndarray, codes: np.ndarray | None, _: int, null: float) -> float:
    mean, variance, df, _ = cluster_moments(leads, np.arange(leads.size) if codes is None else codes)
    return float(2 * stats.t.sf(abs(mean - null) / sqrt(max(variance, 1e-15)), df))


def ignoring(leads: np.ndarray, _: np.ndarray | None, k: int, null: float) -> float:
    return scaled(leads, None, k, null)


Design = tuple[float, float, bool]
DESIGNS: tuple[Design, ...] = ((0.05, 0.15, True), (0.2, 0.15, True), (0.2, 0.15, False), (0.2, 0.04, False))
"""Correlation within clusters, the share of items that each model solves alone, and whether clusters are of one size."""
Law = Callable[[np.ndarray, np.ndarray | None, int, float], float]
LAWS: dict[str, Law] = {"score": scaled, "t of the same error": by_t, "clusters ignored": ignoring}


def rejections(n_clusters: int, k: int, law: Law, design: Design, gain: float) -> tuple[float, float]:
    """Return how often the true difference, and no difference, is rejected."""
    icc, rate, equal = design
    counts = np.zeros(2)
    for repeat in range(REPEATS):
        rng = np.random.default_rng([repeat, n_clusters, k, int(equal)])
        codes = np.repeat(np.arange(n_clusters), sizes_of(rng, n_clusters, equal=equal))
        leads = leads_of(rng, codes, k, icc, gain, rate)
        counts += [law(leads, codes, k, 0.6 * gain) <= 0.05, law(leads, codes, k, 0.0) <= 0.05]
    return counts[0] / REPEATS, counts[1] / REPEATS


def clusters() -> Iterator[str]:
    yield "| clusters | attempts | law | misses, worst of 8 designs | power |"
    for k in (1, 5):
        for n_clusters in (5, 10, 20, 50):
            # About the difference that the score finds in half of all samples of fifty clusters.
            gain = min(0.6, 2.2 / sqrt(n_clusters * 6))
            for name, law in LAWS.items():
                rows = [rejections(n_clusters, k, law, design, lead) for design in DESIGNS for lead in (0.0, gain)]
                worst, power = max(row[0] for row in rows), np.mean([row[1] for row in rows[1::2]])
                yield f"| {n_clusters} | {k} | {name} | {worst:.3f} | {power:.2f} |"


def attempts() -> Iterator[str]:
    yield "| items | attempts | law | misses, worst of 4 designs | power |"
    for n_items in (14, 30, 100):
        for k in (2, 5, 10):
            for name, law in (("score", scaled), ("paired t", by_t)):
                rows = []
                for gain in (0.0, 0.1, 0.2, 0.6):
                    counts = np.zeros(2)
                    for repeat in range(REPEATS):
                        rng = np.random.default_rng([repeat, n_items, k])
                        leads = leads_of(rng, np.arange(n_items), k, 0.0, gain)
                        counts += [law(leads, None, k, 0.6 * gain) <= 0.05, law(leads, None, k, 0.0) <= 0.05]
                    rows.append(counts / REPEATS)
                yield f"| {n_items} | {k} | {name} | {max(row[0] for row in rows):.3f} | {rows[2][1]:.2f} |"


# ── several benchmarks ──────────

BENCHMARKS = (14, 200, 1319)
SHARES = ((0.16, 0.16, 0.16), (0.5, 0.2, 0.1), (0.08, 0.16, 0.3), (0.3, 0.3, 0.02))
"""Shares of the items of each benchmark that one model alone solves."""


def mover(laws: list[ItemLaw], weights: np.ndarray) -> tuple[float, float]:
    return MoverLaw(tuple(laws), tuple(weights.tolist())).interval(0.95) or (0.0, 0.0)


def stratified_t(laws: list[ItemLaw], weights: np.ndarray) -> tuple[float, float]:
    """Return the t interval with Satterthwaite's degrees of freedom, each benchmark with the variance of its paired differences."""
    parts = [(max((law.won + law.lost) / law.n - law.lead**2, 1e-12) / (law.n - 1), law.n - 1) for law in laws]
    squares = weights**2 * [variance for variance, _ in parts]
    df = squares.sum() ** 2 / (squares**2 / [d for _, d in parts]).sum()
    lead, half = float(weights @ [law.lead for law in laws]), float(stats.t.ppf(0.975, df) * sqrt(squares.sum()))
    return lead - half, lead + half


EXPERIMENTS = 1_000
CONTENDERS = {"MOVER": mover, "stratified t": stratified_t}
WEIGHTS = {"equal": np.full(3, 1 / 3), "tasks": np.array(BENCHMARKS) / sum(BENCHMARKS)}


def beyond(shares: tuple[float, ...], leads: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Return, by weights and contender, how often the interval lies above the true weighted mean, below it, and above 0."""
    rng, counts = np.random.default_rng([round(100 * share) for share in shares]), {}
    ways = [[(s + d) / 2, (s - d) / 2, 1 - s] for s, d in zip(shares, leads.tolist(), strict=True)]
    for _ in range(EXPERIMENTS):
        results = [rng.multinomial(k, rates).tolist() for k, rates in zip(BENCHMARKS, ways, strict=True)]
        laws = [ItemLaw(float(won), float(lost), k) for (won, lost, _), k in zip(results, BENCHMARKS, strict=True)]
        for key in ((weights, title) for weights in WEIGHTS for title in CONTENDERS):
            low, high = CONTENDERS[key[1]](laws, WEIGHTS[key[0]])
            truth = float(WEIGHTS[key[0]] @ leads)
            counts[key] = counts.get(key, 0) + np.array([low > truth + 1e-9, high < truth - 1e-9, low > 0])
    return {key: own / EXPERIMENTS for key, own in counts.items()}


def strata() -> Iterator[str]:
    yield "| weights | law | misses, worst of 12 designs | worst side | power |"
    n, rows = np.array(BENCHMARKS), []
    for shares in SHARES:
        # No difference; one that all items together find in six of ten samples; and a large one.
        small = np.minimum(2.2 * sqrt(float(n @ shares)) / n.sum(), 0.95 * np.array(shares))
        rows.append([beyond(shares, leads) for leads in (np.zeros(3), small, 0.6 * np.array(shares))])
    for key in ((weights, title) for weights in WEIGHTS for title in CONTENDERS):
        own = [[design[key] for design in of_shares] for of_shares in rows]
        every = [design for of_shares in own for design in of_shares]
        worst, side = max(row[0] + row[1] for row in every), max(max(row[:2]) for row in every)
        yield f"| {key[0]} | {key[1]} | {worst:.3f} | {side:.3f} | {np.mean([of[1][2] for of in own]):.2f} |"


TABLES = {"items_paired": paired, "items_clusters": clusters, "items_attempts": attempts, "items_strata": strata}


if __name__ == "__main__":
    for wanted in sys.argv[1:] or TABLES:
        write(wanted, list(TABLES[wanted]()))
