"""Write docs/tables/trust*.csv: `python -m docs.make_trust`, some minutes.

Coverage of Student's interval and of the percentile interval of a mean of n runs: of new runs, and as M runs tell it, on average over sets
of M runs: drawn with replacement, without, and without with distances widened by 1/√(1 − n/M). Then the check itself, on Atari 100k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, sqrt

import numpy as np
from scipy import special

import runoff as ro
from runoff.base.arrays import Bools, Floats
from runoff.lab import coverage
from tools.site.tables import write

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]
WORLDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0),
    "log-normal": (lambda rng, shape: rng.lognormal(0.0, 0.7, shape), exp(0.245)),
    "two modes": (lambda rng, shape: rng.choice([-1.0, 1.0], shape) + 0.3 * rng.normal(size=shape), 0.0),
}
DESIGNS = [(10, 3), (10, 5), (20, 3), (20, 10), (50, 5), (50, 25)]
N_DRAWS, N_RESAMPLES, N_NEW, N_RUNS = 200, 200, 20_000, [3, 5, 10, 25]


def student(groups: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the ends of Student's interval of each row."""
    del rng
    n = groups.shape[1]
    half = float(special.stdtrit(n - 1, 0.975)) * groups.std(axis=1, ddof=1) / sqrt(n)
    return groups.mean(axis=1) - half, groups.mean(axis=1) + half


def percentile(groups: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the ends of the percentile interval of each row, all rows with the same resamples."""
    n = groups.shape[1]
    weights = rng.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES) / n
    low, high = np.quantile(groups @ weights.T, [0.025, 0.975], axis=1)
    return low, high


def covers(ends: tuple[Floats, Floats], truth: Floats | float) -> Bools:
    """Return which intervals hold the truth."""
    return np.asarray((ends[0] <= truth) & (truth <= ends[1]))


def coverages(
    runs: Floats, n: int, interval: Callable[..., tuple[Floats, Floats]], rng: np.random.Generator
) -> list[float]:
    """Return the coverage that a set of runs tells: with replacement, without, and widened."""
    truth = float(runs.mean())
    again = runs[rng.integers(0, runs.size, (N_DRAWS, n))]
    once = runs[np.argsort(rng.random((N_DRAWS, runs.size)), axis=1)[:, :n]]
    points, ends = once.mean(axis=1), interval(once, rng)
    widened = points + (truth - points) / sqrt(1 - n / runs.size)
    answers = covers(interval(again, rng), truth), covers(ends, truth), covers(ends, widened)
    return [float(answer.mean()) for answer in answers]


def rows(n_sets: int) -> Iterator[str]:
    """Yield the coverage for new runs, and as M runs tell it."""
    yield "distribution | M | n | interval | new runs | with replacement | without | without, widened"
    rng = np.random.default_rng(0)
    for world, (draw, truth) in WORLDS.items():
        for size, n in DESIGNS:
            for name, interval in (("t", student), ("percentile", percentile)):
                new = covers(interval(draw(rng, (N_NEW, n)), rng), truth).mean()
                means = np.mean([coverages(draw(rng, (size,)), n, interval, rng) for _ in range(n_sets)], axis=0)
                cells = " | ".join(f"{share:.3f}" for share in (new, *means))
                yield f"{world} | {size} | {n} | {name} | {cells}"


def rows_of_atari() -> Iterator[str]:
    """Yield the lowest and highest coverage over the five algorithms of Atari 100k."""
    yield "metric | interval | " + " | ".join(f"{n} runs" for n in N_RUNS)
    scores = ro.archive.load("atari_100k").normalize("atari")
    options = {"intervals": ["t", "percentile"], "n_runs": N_RUNS, "n_repeats": 400}
    for metric in ("iqm", "median"):
        every = [coverage(scores.select(algorithms=[a]), measure=metric, **options) for a in scores.algorithms]
        for kind in ("t", "percentile"):
            cells = ([r.coverage for c in every for r in c.rows if (r.interval, r.n_runs) == (kind, n)] for n in N_RUNS)
            yield f"{metric} | {kind} | " + " | ".join(f"{min(own):.2f} to {max(own):.2f}" for own in cells)


if __name__ == "__main__":
    write("trust", list(rows(400)))
    write("trust_atari_100k", list(rows_of_atari()))
