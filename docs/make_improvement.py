"""How often intervals of the probability of improvement leave out ½ where it is true.

`python -m docs.make_improvement [N_REPEATS] | python -m tools.site.tables improvement_false_positives`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import runoff as ro

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
WORLDS: dict[str, tuple[Draw, Draw]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape),) * 2,
    "unequal spread": (lambda rng, shape: rng.normal(size=shape), lambda rng, shape: 3 * rng.normal(size=shape)),
    "t₃": (lambda rng, shape: rng.standard_t(3, shape),) * 2,
    "log-normal": (lambda rng, shape: rng.lognormal(size=shape),) * 2,
}
"""Runs of both sides; the chance of a win is ½ in each."""
DESIGNS = [(t, n) for t in (1, 6, 26) for n in (3, 5, 10)]
SPREADS = [0.0, 1.0]
"""Of the tasks' own differences: where it is above 0, ½ is true of the tasks of which these are a sample."""
HEADS = ["tasks are alike", "tasks vary"]


def rate(world: str, design: tuple[int, int], spread: float, n_repeats: int) -> float | None:
    """Return how often ½ is left out; None for one task that varies."""
    n_tasks, n_runs = design
    if n_tasks == 1 and spread:
        return None
    rng, out = np.random.default_rng([n_tasks, n_runs]), 0
    for repeat in range(n_repeats):
        x, y = (draw(rng, (n_runs, n_tasks)) for draw in WORLDS[world])
        if spread:
            x, y = (side - np.median(np.concatenate([x, y])) for side in (x, y))
            half = spread * rng.normal(size=n_tasks) / 2
            x, y = (x + half, y - half) if repeat % 2 else (y + half, x - half)
        scores = ro.Scores.from_dict({"A": x, "B": y})
        record = ro.probability_of_improvement(scores).rows[0]
        out += record.low is not None and not record.low <= 0.5 <= record.high
    return out / n_repeats


def main(n_repeats: int) -> None:
    cases_of = [(world, design, spread) for design in DESIGNS for spread in SPREADS for world in WORLDS]
    with ProcessPoolExecutor(2) as pool:
        values = list(pool.map(rate, *zip(*cases_of, strict=True), [n_repeats] * len(cases_of), chunksize=4))
    rates = dict(zip(cases_of, values, strict=True))
    lines = [f"| tasks | runs | {' | '.join(HEADS)} |", "| ---: " * (2 + len(HEADS)) + "|"]
    for design in DESIGNS:
        cells = [[rates[world, design, spread] for world in WORLDS] for spread in SPREADS]
        shown = [f"{min(cell):.1%}-{max(cell):.1%}" if cell[0] is not None else "" for cell in cells]
        lines.append(f"| {design[0]} | {design[1]} + {design[1]} | {' | '.join(shown)} |")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
