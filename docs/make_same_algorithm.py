"""Wrong claims where one algorithm's shipped runs are split in two, and how often two groups are seen: `python -m docs.make_same_algorithm [N]`.

Writes docs/tables/same_algorithm.csv, of 1,000 splits of each row by default (ten minutes; its first row comes again to the
last digit), and two_groups.csv, of 20 times as many samples.
A split draws two disjoint samples of one algorithm's 50 runs of each task; its name, and the only task where there is one, change with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

import runoff as ro
from runoff._inference.groups import two_groups
from runoff.base.arrays import Floats
from tools.site.tables import write

SCORES = ro.load_example("classic_control").final().normalize("classic_control")
SIZES = [(3, 3), (5, 5), (10, 10), (2, 8), (3, 7), (3, 20)]
"""Runs of the two samples."""


def split(sizes: tuple[int, int], repeat: int, n_tasks: int) -> ro.Scores:
    """Return two disjoint samples of one algorithm's runs, as if they were two algorithms."""
    n, m = sizes
    rng = np.random.default_rng([repeat, n])
    algorithm = int(rng.integers(SCORES.n_algorithms))
    every = [rng.permutation(SCORES.cell(algorithm, t)) for t in range(SCORES.n_tasks)]
    tasks = range(SCORES.n_tasks) if n_tasks > 1 else [repeat % SCORES.n_tasks]
    runs = {str(t): every[t] for t in tasks}
    sides = {"A": slice(None, n), "B": slice(n, n + m)}
    cells = {side: {t: own[part] for t, own in runs.items()} for side, part in sides.items()}
    return ro.Scores.from_dict(cells, score_unit="shared")


def wrong(sizes: tuple[int, int], n_tasks: int, splits: int, **options: str) -> int:
    """Return in how many splits the two samples are found different; where nothing varies there is nothing to compare."""
    claims = 0
    for repeat in range(splits):
        scores = split(sizes, repeat, n_tasks)
        if np.ptp(scores.values) > 0:
            claims += ro.compare(scores, n_resamples=100, threads=1, **options).pairs[0].winner is not None
    return claims


def same(splits: int) -> Iterator[str]:
    yield "| runs | six tasks: IQM | six tasks: mean | six tasks: improvement | one task: mean |"
    for n, m in SIZES:
        counts = [str(wrong((n, m), 6, splits, measure=measure)) for measure in ("iqm", "mean", "improvement")]
        welch = f" (Welch's test: {wrong((n, m), 1, splits, test='welch')})" if (n, m) == (2, 8) else ""
        runs = f"{n}" if n == m else f"{n} and {m}"
        yield f"| {runs} | {' | '.join(counts)} | {wrong((n, m), 1, splits, measure='mean')}{welch} |"


def normal(distance: float) -> Callable[[np.random.Generator, int], Floats]:
    """Draw normal runs of which 30 % are lower by so many standard deviations."""
    return lambda rng, n: rng.normal(size=n) - distance * (rng.random(n) < 0.3)


def exact(rng: np.random.Generator, n: int) -> Floats:
    return np.where(rng.random(n) < 0.3, 0.0, 1 + 0.2 * rng.normal(size=n))


GROUPS = {f"{d} standard deviations apart": normal(d) for d in (20, 10, 6)} | {
    "failures exactly 0, successes 1 ± 0.2": exact
}


def groups(samples: int) -> Iterator[str]:
    yield f"| runs | {' | '.join(GROUPS)} |"
    for n in (8, 10, 15, 20, 50):
        rng = np.random.default_rng(n)
        shares = [np.mean([two_groups(draw(rng, n)) is not None for _ in range(samples)]) for draw in GROUPS.values()]
        yield f"| {n} | {' | '.join(f'{share:.2f}'.removeprefix('0') for share in shares)} |"


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    write("same_algorithm", list(same(size)))
    write("two_groups", list(groups(20 * size)))
