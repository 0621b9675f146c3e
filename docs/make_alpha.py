"""What α = .01 gives and costs, as docs/tables/alpha.csv: `python -m docs.make_alpha`, two minutes.

The seven sets of `make_law`, runs redrawn with its kernel, 1,000 experiments a set and row. "Means made equal": the true means of two
algorithms are taken off, so that only their shapes differ. "Found": two different algorithms are found different. Means over the sets.
"""

from __future__ import annotations

import numpy as np

from docs.make_law import SETS, Cells, archived, smoothed
from runoff._inference.bootstrap import mean_pvalues
from tools.site.tables import write

PAIRS, EACH = 100, 10
DESIGNS = (1, 5), (1, 10), (1, 20), (6, 5), (6, 10)
"""Tasks, and runs on each, of which the t test alone decides."""
LEVELS = np.array([0.05, 0.01])


def rates(pool: list[Cells], n_tasks: int, n: int) -> np.ndarray:
    """Return the shares of experiments in which equal means, and different algorithms, are found different: (2, n_levels)."""
    counts = np.zeros((2, LEVELS.size))
    for pair in range(PAIRS):
        rng = np.random.default_rng([pair, n_tasks, n])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        x, y = (np.array([smoothed(rng, side, n) for _ in range(EACH)]) for side in (first, second))
        even = [np.array([cell.mean() for cell in side])[None, :, None] for side in (first, second)]
        for row, pvalues in enumerate((mean_pvalues(x - even[0], y - even[1]), mean_pvalues(x, y))):
            counts[row] += (pvalues[:, None] <= LEVELS).sum(axis=0)
    return counts / (PAIRS * EACH)


def main() -> None:
    pools = [archived(name) for name in SETS]
    lines = [
        "| tasks | runs | means made equal, α = .05 | α = .01 | found, α = .05 | found, α = .01 |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for n_tasks, n in DESIGNS:
        shares = np.mean([rates(pool, n_tasks, n) for pool in pools if len(pool[0]) >= n_tasks], axis=0).ravel()
        lines.append(f"| {n_tasks} | {n} | {' | '.join(f'{share:.3f}' for share in shares)} |")
    write("alpha", lines)


if __name__ == "__main__":
    main()
