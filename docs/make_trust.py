"""The table of docs/guides/can-i-trust-these-tests.md on drawing from M runs, where the truth is known: `python -m docs.make_trust [N_SETS]`.

Coverage of Student's interval and of the percentile interval of a mean of n runs: of new runs, and as M runs tell it, on average over
sets of M runs: drawn with replacement, without, and without with distances widened by 1/√(1 − n/M).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import exp, sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Bools, Floats

Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]
WORLDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0),
    "log-normal": (lambda rng, shape: rng.lognormal(0.0, 0.7, shape), exp(0.245)),
    "two modes": (lambda rng, shape: rng.choice([-1.0, 1.0], shape) + 0.3 * rng.normal(size=shape), 0.0),
}
DESIGNS = [(10, 3), (10, 5), (20, 3), (20, 10), (50, 5), (50, 25)]
N_DRAWS, N_RESAMPLES, N_NEW = 200, 200, 20_000


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


def main(n_sets: int) -> None:
    rng = np.random.default_rng(0)
    lines = ["| runs | M, n | interval | new runs | with replacement | without | without, widened |"]
    lines.append("| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for world, (draw, truth) in WORLDS.items():
        for size, n in DESIGNS:
            for name, interval in (("t", student), ("percentile", percentile)):
                new = covers(interval(draw(rng, (N_NEW, n)), rng), truth).mean()
                means = np.mean([coverages(draw(rng, (size,)), n, interval, rng) for _ in range(n_sets)], axis=0)
                cells = " | ".join(f"{share:.3f}" for share in (new, *means))
                lines.append(f"| {world} | {size}, {n} | {name} | {cells} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
