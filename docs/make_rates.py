"""Write docs/tables/rates*.csv: coverage of the intervals of success rates over tasks, and the level of their p-values (ten minutes)."""

from __future__ import annotations

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Rate, mean_rate
from runoff._inference.pairs.rates import RateLaw
from tools.site.tables import write

N_REPEATS, SEED = 20_000, 23
SPREAD = np.linspace(0.05, 0.95, 26)
DESIGNS = (
    ("26 × 20 at .98", [0.98] * 26, [20] * 26),
    ("26 × 5 at .5", [0.5] * 26, [5] * 26),
    ("26 × 3 at .5", [0.5] * 26, [3] * 26),
    ("26 × 3 at .9", [0.9] * 26, [3] * 26),
    ("26 × 5 at .98", [0.98] * 26, [5] * 26),
    ("10 × 10 at .98", [0.98] * 10, [10] * 10),
    ("5 × 5 at .5", [0.5] * 5, [5] * 5),
    ("2 × 20 at .98", [0.98] * 2, [20] * 2),
    ("2 × 5 at .5", [0.5] * 2, [5] * 2),
    ("26 × 5, .05 to .95", SPREAD, [5] * 26),
    ("10 × 20, half at .95, half at .05", [0.95, 0.05] * 5, [20] * 10),
    ("10 × 10, nine at .98, one at .5", [0.98] * 9 + [0.5], [10] * 10),
    ("3, 5, 10, 20, 30 and 50 at .5", [0.5] * 6, [3, 5, 10, 20, 30, 50]),
    ("3, 5, 10, 20, 30 and 50 at .9", [0.9] * 6, [3, 5, 10, 20, 30, 50]),
    ("26 × 5 or 20 at .98", [0.98] * 26, [5, 20] * 13),
    ("2, 2 and 50 at .5", [0.5] * 3, [2, 2, 50]),
    ("3 at .5 and 50 at .98", [0.5, 0.98], [3, 50]),
)
"""Tasks × episodes, or the episodes of each task, the rates, and the numbers of episodes."""
MARGINS = (
    ("26 × 3, .6 and .4", 0.6, 26, 3),
    ("26 × 5, .6 and .4", 0.6, 26, 5),
    ("5 × 5, .6 and .4", 0.6, 5, 5),
    ("26 × 5, .98 and .78", 0.98, 26, 5),
    ("26 × 20, .98 and .78", 0.98, 26, 20),
)
"""Two rates that differ by the margin, .2: the higher one, tasks, episodes."""


def added(won, n_runs, alpha):
    """Return what stood here before: the mean, and its Wilson distances task by task, added in squares (Zou & Donner 2008)."""
    low, high = Rate(won / n_runs, n_runs).interval(alpha)
    rates, n_tasks = won / n_runs, won.shape[1]
    return rates.mean(axis=1), *(np.sqrt(((rates - end) ** 2).sum(axis=1)) / n_tasks for end in (low, high))


def ends_before(x, y, n_runs, alpha):
    (p, below_p, above_p), (q, below_q, above_q) = added(x, n_runs, alpha), added(y, n_runs, alpha)
    return p - q - np.hypot(below_p, above_q), p - q + np.hypot(above_p, below_q)


def kept(x, y, n_runs, null, alpha):
    """Return whether the score keeps a difference, (n_repeats,): 0 of all, other differences one by one."""
    if null:
        sizes = tuple(n_runs.tolist())
        laws = (RateLaw(tuple(a), sizes, tuple(b), sizes) for a, b in zip(x.tolist(), y.tolist(), strict=True))
        return np.array([min(law.above(null), law.turned().above(-null)) > alpha / 2 for law in laws])
    common, n_tasks = (x + y) / (2 * n_runs), n_runs.size
    variance = (common * (1 - common) * 4 / (2 * n_runs - 1)).sum(axis=1) / n_tasks**2
    lead = ((x - y) / n_runs).mean(axis=1)
    return np.abs(lead) < -special.ndtri(alpha / 2) * np.sqrt(np.maximum(variance, 1e-14))


def share(low, truth, high):
    return f"{np.mean((low <= truth) & (truth <= high)):.3f}"


def coverage(name, rates, n_runs, rng):
    """Return a row: coverage of the mean and of the difference, each before and now; how often p is at most .05, .01 and .001."""
    n_runs, truth = np.array(n_runs, float), np.mean(rates)
    x, y = rng.binomial(n_runs.astype(int), rates, (2, N_REPEATS, n_runs.size)).astype(float)
    mean, below, above = added(x, n_runs, 0.05)
    levels = [~kept(x, y, n_runs, 0.0, a) for a in (0.05, 0.01, 0.001)]
    now = share(*np.insert(np.stack(mean_rate(x, n_runs).interval(0.05)), 1, truth, axis=0))
    low, high = ends_before(x, y, n_runs, 0.05)
    errors = [f"{errs.mean():.4f}" for errs in levels]
    covered = f"{1 - levels[0].mean():.3f}"
    return " | ".join([name, share(mean - below, truth, mean + above), now, share(low, 0.0, high), covered, *errors])


def at_the_margin(name, rate, n_tasks, n, rng):
    """Return a row: how often equivalence is claimed at α = .05 of two that differ by the margin, before and now."""
    n_runs = np.full(n_tasks, float(n))
    x, y = (rng.binomial(n, p, (N_REPEATS, n_tasks)).astype(float) for p in (rate, rate - 0.2))
    low, high = ends_before(x, y, n_runs, 0.1)
    # The interval of the score lies within the margin where it keeps neither end.
    inside = np.abs((x - y).mean(axis=1) / n) < 0.2
    claimed = inside & ~kept(x, y, n_runs, 0.2, 0.1) & ~kept(x, y, n_runs, -0.2, 0.1)
    return f"{name} | {np.mean((low > -0.2) & (high < 0.2)):.3f} | {claimed.mean():.3f}"


def main():
    rng = np.random.default_rng(SEED)
    head = "tasks × episodes | mean: Zou-Donner | mean: runoff | difference: Zou-Donner | difference: runoff"
    write("rates", [f"{head} | p ≤ .05 | p ≤ .01 | p ≤ .001", *(coverage(*design, rng) for design in DESIGNS)])
    at_margin = (at_the_margin(*design, rng) for design in MARGINS)
    write("rates_equivalence", ["tasks × episodes | Zou-Donner | runoff", *at_margin])


if __name__ == "__main__":
    main()
