"""How often `claims` supports what is not true of a table, as docs/tables/claims_*.csv: `python -m docs.make_claims [SHARE]`, ten minutes.

claims_errors: three algorithms, or four, on six games drawn at random from Atari 100k; their runs are drawn, with replacement, from the 100
of each cell (of REPPO 40 and more), and printed as mean ± standard deviation with the best in bold. claims_bootstrap: two samples of one
distribution, printed as the 95 % percentile interval of 1,000 resamples, by Welch's test. claims_items: three models with equal accuracies on
three benchmarks, or one that is five points better, whose items are shared in several ways.
SHARE (1 by default) is the share of the tables that are simulated, as 0.1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy import stats

import runoff as ro
from runoff.base.arrays import Floats
from tools.site.tables import write

ALPHA, N_TASKS, NAMES, COUNTS = 0.05, 6, ("A", "B", "C", "D"), (3, 5, 10)
Cells = list[Floats]
Table = Callable[[np.random.Generator, int], list[Cells]]
"""Draws the runs of a table with so many runs in a cell: for each task, those of the algorithms, (n_runs,) each."""

RAW = ro.archive.load("atari_100k")
POOL, GAMES = (
    [[np.asarray(cell) for cell in scores.cells(a)] for a in range(scores.n_algorithms)]
    for scores in (RAW.normalize("atari"), RAW)
)
"""All runs of each algorithm on each game: human-normalised, and as the games count."""
MOST_RUN = ("full_large", "full_medium", "full_small", "medium", "value_large", "value_medium", "value_small")


def control() -> list[Cells]:
    """Return the runs of REPPO's variants on the tasks of continuous control that have forty runs of each."""
    scores = ro.archive.load("reppo", algorithms=list(MOST_RUN))
    tasks = np.flatnonzero((scores.n_runs >= 40).all(axis=0)).tolist()
    return [[np.asarray(scores.cell(a, t)) for t in tasks] for a in range(scores.n_algorithms)]


def redrawn(pool: Sequence[Cells], at: Sequence[int], rng: np.random.Generator, n: int) -> list[Cells]:
    """Return runs of algorithms of a pool on games drawn at random."""
    games = rng.choice(len(pool[0]), N_TASKS, replace=False)
    return [[rng.choice(pool[a][game], n) for a in at] for game in games]


def alike(pool: Sequence[Cells]) -> Table:
    """Draw three samples of one algorithm's runs."""
    return lambda rng, n: redrawn(pool, [int(rng.integers(len(pool)))] * 3, rng, n)


def beside(rng: np.random.Generator, n: int) -> list[Cells]:
    """Draw two samples of one algorithm's runs, A and B, beside another algorithm."""
    a, c = (int(i) for i in rng.choice(len(POOL), 2, replace=False))
    return redrawn(POOL, [a, a, c], rng, n)


def moved(pool: Sequence[Cells], k: int = 3) -> Table:
    """Draw k algorithms, each moved on every game to the average of the first of all."""
    level = [[cell - cell.mean() + first.mean() for cell, first in zip(own, pool[0], strict=True)] for own in pool]
    return lambda rng, n: redrawn(level, [int(i) for i in rng.choice(len(level), k, replace=False)], rng, n)


def successes(rate: float) -> Table:
    return lambda rng, n: [[(rng.random(n) < rate).astype(float) for _ in range(3)] for _ in range(N_TASKS)]


CASES: dict[str, tuple[Table, int, dict[str, str]]] = {
    "three samples of one algorithm's runs": (alike(POOL), 2_000, {}),
    "the same, scores of the games": (alike(GAMES), 1_000, {}),
    "two of one algorithm beside another, claims between the two": (beside, 2_000, {}),
    "three algorithms moved to equal averages on each task; spread and shape are their own": (moved(POOL), 2_000, {}),
    "the same, one named before": (moved(POOL), 2_000, {"algorithm": "A"}),
    "three algorithms moved to equal averages on each task, scores of the games": (moved(GAMES), 1_000, {}),
    "four algorithms moved to equal averages on each task, scores of the games": (moved(GAMES, 4), 1_000, {}),
    "four variants of REPPO moved to equal averages on each task": (moved(control(), 4), 1_000, {}),
    "0 or 1 with rate .5": (successes(0.5), 2_000, {}),
    "0 or 1 with rate .9": (successes(0.9), 1_000, {}),
}
"""How a table is drawn, how many there are, and what `claims` is told of them."""


def printed(tasks: Sequence[Cells]) -> str:
    """Return a table as a paper prints it: mean ± standard deviation, the best in bold."""
    k = len(tasks[0])
    lines = [f"| Task | {' | '.join(NAMES[:k])} |", "| --- " * (1 + k) + "|"]
    for t, cells in enumerate(tasks):
        best = int(np.argmax([cell.mean() for cell in cells]))
        words = [f"{cell.mean():.3f} ± {cell.std(ddof=1):.3f}" for cell in cells]
        words[best] = f"**{words[best]}**"
        lines.append(f"| task {t} | {' | '.join(words)} |")
    return "\n".join([*lines, ""])


def wrong(table: Table, n: int, repeat: int, options: dict[str, str], *, between: frozenset[str]) -> tuple[bool, bool]:
    """Return whether a claim between these algorithms is supported: any, and one over all tasks."""
    text = printed(table(np.random.default_rng([repeat, n]), n))
    claims = ro.claims(text, spread="sd", n_runs=n, rows="tasks", accept_wide=True, **options).claims
    own = [claim for claim in claims if claim.verdict == "yes" and {claim.a, claim.b} <= between]
    return bool(own), any(claim.task is None for claim in own)


def errors(share: float) -> Iterator[str]:
    yield "| the truth | 3 runs | 5 runs | 10 runs | tables |"
    for words, (table, n_tables, options) in CASES.items():
        repeats, rates = round(share * n_tables), []
        between = frozenset(NAMES[:2] if table is beside else NAMES)
        for n in COUNTS:
            each = [wrong(table, n, repeat, options, between=between) for repeat in range(repeats)]
            either, whole = 100 * np.mean(each, axis=0)
            rates.append(f"{either:.1f} %" + ("" if options else f" ({whole:.1f})"))
        yield f"| {words} | {' | '.join(rates)} | {repeats:,} |"


def two_humps(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return runs of which 3 in 10 fail."""
    return np.where(rng.random(shape) < 0.3, -2.1, 0.9) + 0.3 * rng.normal(size=shape)


RUNS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Floats]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "log-normal, σ = 0.7": lambda rng, shape: rng.lognormal(0.0, 0.7, shape),
    "two peaks, 30 % low": two_humps,
}
INTERVALS = [
    ("normal", 3),
    ("normal", 5),
    ("normal", 10),
    ("log-normal, σ = 0.7", 5),
    ("two peaks, 30 % low", 5),
    ("two peaks, 30 % low", 10),
]
N_PAIRS, N_RESAMPLES, Z = 12_000, 1_000, float(stats.norm.ppf(0.975))


def of_widths(runs: str, n: int, repeats: int) -> Floats:
    """Return how often two samples of one distribution differ: by the runs, and by half a bootstrap interval, in four readings."""
    rng = np.random.default_rng([n, list(RUNS).index(runs)])
    drawn, counts = RUNS[runs], np.zeros(5)
    for _ in range(repeats):
        x = drawn(rng, (2, n))
        resampled = np.take_along_axis(x[:, None, :], rng.integers(0, n, (2, N_RESAMPLES, n)), axis=2).mean(axis=2)
        low, high = np.quantile(resampled, (0.025, 0.975), axis=1)
        mean, half = x.mean(axis=1), (high - low) / 2
        longer = np.maximum(high - mean, mean - low)
        whole = np.sqrt(n / (n - 1))
        errs = [
            x.std(axis=1, ddof=1) / np.sqrt(n),
            whole * half / Z,
            half / Z,
            longer / Z,
            half / stats.t.ppf(0.975, n - 1),
        ]
        counts += [differ(mean, err, n) for err in errs]
    return counts / repeats


def differ(mean: Floats, error: Floats, n: int) -> bool:
    """Return whether Welch's test finds two means with these standard errors different."""
    std = np.sqrt(n) * error
    return bool(stats.ttest_ind_from_stats(mean[0], std[0], n, mean[1], std[1], n, equal_var=False).pvalue <= ALPHA)


def bootstrap(share: float) -> Iterator[str]:
    yield (
        "| runs | n | the runs themselves | half the width, × √(n / (n − 1)) | half the width | its longer side "
        "| half the width, read as a t interval |"
    )
    for runs, n in INTERVALS:
        rates = of_widths(runs, n, round(share * N_PAIRS))
        yield f"| {runs} | {n} | {' | '.join(f'{rate:.3f}'.lstrip('0') for rate in rates)} |"


BENCHMARKS = {"b300": 300, "b500": 500, "b1319": 1319}
N_ITEM_TABLES = 500


def items_alone(_: np.random.Generator, n: int) -> Floats:
    """Return the chance of each model on each item: 0.7 on all."""
    return np.full((3, n), 0.7)


def items_hard(rng: np.random.Generator, n: int) -> Floats:
    """Return chances that all models share, some items being hard for all."""
    return np.tile(rng.beta(0.7, 0.3, n), (3, 1))


def items_opposite(rng: np.random.Generator, n: int) -> Floats:
    """Return chances of models of which the second is good on the items where the others are not, with equal means."""
    good = np.where(rng.random(n) < 0.5, 0.95, 0.45)
    return np.array([good, 1.4 - good, good])


def items_better(rng: np.random.Generator, n: int) -> Floats:
    """Return shared chances, those of the first five points higher on average."""
    shared = items_hard(rng, n)
    shared[0] += (1 - shared[0]) / 6
    return shared


ITEMS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "equal, every item as hard": items_alone,
    "equal, items hard for all or for none": items_hard,
    "equal, good at opposite items": items_opposite,
    "the first 5 points better, items hard for all or for none": items_better,
}


def of_items(share: float) -> Iterator[str]:
    """Yield in how many tables a claim is supported, and in how many the readings alone would support one."""
    yield "| models | supported | by independent items | as alike as possible |"
    for words, chances in ITEMS.items():
        counts = np.zeros(3)
        for repeat in range(round(share * N_ITEM_TABLES)):
            rng = np.random.default_rng(repeat)
            columns = [(rng.random((3, n)) < chances(rng, n)).mean(axis=1) for n in BENCHMARKS.values()]
            rows = "".join(f"{name},{','.join(f'{100 * c[a]:.1f}' for c in columns)}\n" for a, name in enumerate("ABC"))
            claims = ro.claims(f"model,{','.join(BENCHMARKS)}\n{rows}", unit="item", n_runs=BENCHMARKS).claims
            readings = [claim.readings for claim in claims if claim.difference > 0]
            counts += [any(by[i].pvalue_adjusted <= ALPHA for by in readings) for i in range(3)]
        yield f"| {words} | {' | '.join(f'{100 * count:.1f} %' for count in counts / round(share * N_ITEM_TABLES))} |"


if __name__ == "__main__":
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    write("claims_bootstrap", list(bootstrap(size)))
    write("claims_errors", list(errors(size)))
    write("claims_items", list(of_items(size)))
