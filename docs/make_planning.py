"""Whether planned runs suffice, as pilots, pilots_one_run, next_runs and replanned.csv in docs/tables: `python -m docs.make_planning [PILOTS]`.

Some minutes. Pilots of DER and SPR are drawn, with replacement, from the 100 runs of each of 26 Atari games, which are the truth; effects are
shares of DER's mean or IQM. PILOTS (500 by default;
pilots.csv has 300, replanned.csv 200) are simulated of each row.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import inf

import numpy as np
from scipy import stats

import runoff as ro
from docs.make_law import law_of
from runoff._inference.bootstrap import estimate_of, parse_metric
from runoff._inference.power import average_power
from runoff.base.arrays import Floats
from tools.site.tables import write

POWER, EXPERIMENTS, MOST, MOST_AGAIN = 0.8, 2_000, 64, 200
Runs = list[Floats]
"""Runs of one algorithm on each task, (n_runs,) each."""
SCORES = ro.archive.load("atari_100k").normalize("atari")
DER, SPR = ([np.asarray(cell) for cell in SCORES.cells(SCORES.algorithms.index(name))] for name in ("DER", "SPR"))


def drawn(rng: np.random.Generator, cells: Sequence[Floats], n: int) -> Runs:
    return [rng.choice(cell, n) for cell in cells]


def pair_of(x: Sequence[Floats], y: Sequence[Floats]) -> ro.Scores:
    named = {name: {str(t): cell for t, cell in enumerate(side)} for name, side in (("DER", x), ("SPR", y))}
    return ro.Scores.from_dict(named)


def values(measure: str) -> tuple[float, float]:
    """Return DER's and SPR's mean or IQM."""
    der, spr = (float(estimate_of(cells, parse_metric(measure)).value) for cells in (DER, SPR))
    return der, spr


@cache
def power(measure: str, share: float, n: int) -> float:
    """Return how often `compare` finds a difference of this share of DER's measure with so many runs; SPR is moved to be ahead by it."""
    der, spr = values(measure)
    rng, moved, finds = np.random.default_rng(n), [cell + (1 + share) * der - spr for cell in SPR], 0
    for _ in range(EXPERIMENTS):
        law, even = law_of(measure, drawn(rng, moved, n), drawn(rng, DER, n))
        finds += law(even) <= 0.05
    return finds / EXPERIMENTS


def enough(measure: str, share: float) -> int:
    """Return the fewest runs with the power asked for, by bisection."""
    low, high = 2, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(measure, share, middle) >= POWER else (middle, high)
    return high


def pilots(n_pilots: int) -> Iterator[str]:
    yield "| measure; pilot runs | truly | as the pilot spreads | on average | with 90 % assurance |"
    for measure, words in (("iqm", "IQM"), ("mean", "mean")):
        truly, effect = enough(measure, 0.2), 0.2 * values(measure)[0]
        for n in (3, 5):
            rows = []
            for repeat in range(n_pilots):
                rng = np.random.default_rng([repeat, n])
                plan = ro.plan(pair_of(drawn(rng, DER, n), drawn(rng, SPR, n)), effect=effect, measure=measure)
                rows.append((plan.n_runs_naive, plan.n_runs_average, plan.n_runs))
            runs = np.array(rows)
            shares, middles = (runs >= truly).mean(axis=0), np.median(runs, axis=0)
            cells = [f"{short(share)} ({middle:.0f})" for share, middle in zip(shares, middles, strict=True)]
            yield f"| {words}; {n} | {truly} | {' | '.join(cells)} |"


def one_run(n_pilots: int) -> Iterator[str]:
    yield "| measure; pilot runs | named | truly | of those named: their own spread | pooled | pooled is enough |"
    for measure, words in (("mean", "mean"), ("iqm", "IQM")):
        effect = 0.25 * values(measure)[0]
        truly = ro.plan(pair_of(DER, SPR), effect=effect, measure=measure).n_runs_naive
        for n in (3, 5, 10):
            rows = []
            for repeat in range(n_pilots):
                rng = np.random.default_rng([repeat, n, 1])
                plan = ro.plan(pair_of(drawn(rng, DER, n), drawn(rng, SPR, n)), effect=effect, measure=measure)
                if plan.n_runs_pooled is not None:
                    rows.append((plan.n_runs, plan.n_runs_pooled))
            cells = ["", "", ""]
            if rows:
                own, pooled = np.array(rows).T
                cells = [quantiles(own), quantiles(pooled), short(float((pooled >= truly).mean()))]
            yield f"| {words}; {n} | {short(len(rows) / n_pilots, 3)} | {truly} | {' | '.join(cells)} |"


# ── which runs next ──────────

Draw = Callable[[np.random.Generator], tuple[list[Runs], Floats]]
"""Draws a pilot, the runs of each of two algorithms, and the true variance of each cell."""


def simulated(spreads: Callable[[np.random.Generator], Floats], n: int) -> Draw:
    """Draw normal runs of six tasks with these standard deviations, (2, 6)."""

    def draw(rng: np.random.Generator) -> tuple[list[Runs], Floats]:
        stds = spreads(rng)
        return [[rng.normal(0, std, n) for std in own] for own in stds], stds.ravel() ** 2

    return draw


def atari(n_games: int, n: int) -> Draw:
    """Draw runs of DER and SPR on so many games."""

    def draw(rng: np.random.Generator) -> tuple[list[Runs], Floats]:
        games = rng.choice(len(DER), n_games, replace=False)
        own = [[side[game] for game in games] for side in (DER, SPR)]
        return [drawn(rng, cells, n) for cells in own], np.array([cell.var() for cells in own for cell in cells])

    return draw


def equal(_rng: np.random.Generator) -> Floats:
    return np.ones((2, 6))


def graded(_rng: np.random.Generator) -> Floats:
    return np.tile(np.arange(1.0, 7.0), (2, 1))


def long_tailed(rng: np.random.Generator) -> Floats:
    return rng.lognormal(size=(2, 6))


PILOTS: list[tuple[str, int, Draw]] = [
    ("6 tasks × 3 runs, equal spreads", 3, simulated(equal, 3)),
    ("6 × 3, spreads of 1 to 6", 3, simulated(graded, 3)),
    ("6 × 3, log-normal spreads", 3, simulated(long_tailed, 3)),
    ("6 games of Atari 100k × 3", 3, atari(6, 3)),
    ("26 games × 3", 3, atari(26, 3)),
    ("6 × 5, equal spreads", 5, simulated(equal, 5)),
    ("6 games × 5", 5, atari(6, 5)),
    ("26 games × 5", 5, atari(26, 5)),
]


def falls(variances: Floats, n: int, more: Floats) -> float:
    """Return by what share the standard error of a difference of means falls with more runs than n in each cell."""
    return 1 - float(np.sqrt((variances / (n + more)).sum() / (variances / n).sum()))


def placed(draw: Draw, n: int, repeat: int) -> list[float]:
    """Return by how much the error falls: promised, truly, spread evenly; and whether it falls less than so."""
    runs, true = draw(np.random.default_rng([repeat, n]))
    result = ro.next_runs(pair_of(*runs), budget=2 * true.size, measure="mean")
    gain, even = (
        falls(true, n, np.array([record.more for record in result.rows])),
        falls(true, n, np.full(true.size, 2)),
    )
    return [1 - result.error_after / result.error, gain, even, gain < even - 1e-9]


def next_runs(n_pilots: int) -> Iterator[str]:
    yield "| pilot | promised | true | spread evenly | worse than evenly |"
    for words, n, draw in PILOTS:
        *rates, worse = np.mean([placed(draw, n, repeat) for repeat in range(n_pilots)], axis=0)
        cells = [*(short(rate, 3) for rate in rates), short(worse)]
        yield f"| {words} | {' | '.join(cells)} |"


# ── planned again ──────────


Sampler = Callable[[np.random.Generator, int], Floats]
"""Draws so many runs of a cell, whose standard deviation is 1."""


def normal(rng: np.random.Generator, n: int) -> Floats:
    return rng.standard_normal(n)


def skewed(rng: np.random.Generator, n: int) -> Floats:
    return rng.lognormal(0.0, 0.75, n) / float(stats.lognorm.std(0.75))


AGAIN: list[tuple[str, int, int, float, Sampler]] = [
    ("normal, 6 tasks × 3", 6, 3, 0.5, normal),
    ("normal, 1 task × 5", 1, 5, 1.0, normal),
    ("log-normal, 6 tasks × 3", 6, 3, 0.5, skewed),
]


def more_of(rng: np.random.Generator, draw: Sampler, runs: Sequence[Floats], n: int) -> Runs:
    """Return n runs of each cell: those that there are, and new ones."""
    return [np.concatenate([cell, draw(rng, n - cell.size)]) for cell in runs]


def again(
    rng: np.random.Generator, n_tasks: int, n: int, effect: float, draw: Sampler, lead: float
) -> tuple[int, int, bool]:
    """Return the runs that a pilot asks for, those of a second plan, and whether the test at its end finds a difference."""
    sides = [[np.empty(0)] * n_tasks] * 2

    def grown(to: int) -> ro.Scores:
        sides[:] = [more_of(rng, draw, side, to) for side in sides]
        named = {
            name: {str(t): cell + ahead for t, cell in enumerate(side)}
            for name, side, ahead in zip("AB", sides, (lead, 0.0), strict=True)
        }
        return ro.Scores.from_dict(named, score_unit="shared")

    first = ro.plan(grown(n), effect=effect, measure="mean", curve_to=3)
    stage = min(max(first.n_runs_low or 0, n + 1), first.n_runs)
    second = ro.plan(grown(stage), effect=effect, measure="mean", curve_to=3)
    end = max(second.n_runs, stage)
    return first.n_runs, end, ro.compare(grown(end), measure="mean", threads=1).pairs[0].winner is not None


def truly_needed(n_tasks: int, effect: float) -> int:
    """Return the fewest runs that have the power where the spread is known to be 1."""
    return next(
        n
        for n in range(2, MOST)
        if average_power(effect * (n * n_tasks / 2) ** 0.5, inf, 2.0 * n_tasks * (n - 1), 0.05) >= POWER
    )


def replanned(n_pilots: int) -> Iterator[str]:
    yield "| pilot | true lead | needed | planned, median | planned again, median | found |"
    for words, n_tasks, n, effect, draw in AGAIN:
        for lead in (0.0, effect):
            rows = [
                again(np.random.default_rng([repeat, n_tasks]), n_tasks, n, effect, draw, lead)
                for repeat in range(min(n_pilots, MOST_AGAIN))
            ]
            planned, end, found = np.array(rows, float).T
            cells = [
                f"{lead:g}",
                truly_needed(n_tasks, effect),
                *(f"{np.median(runs):.0f}" for runs in (planned, end)),
                short(found.mean(), 3),
            ]
            yield f"| {words} | {' | '.join(map(str, cells))} |"


def short(share: float, digits: int = 2) -> str:
    """Return a share without its leading zero."""
    return f"{share:.{digits}f}".removeprefix("0")


def quantiles(runs: Floats) -> str:
    return ", ".join(f"{value:.0f}" for value in np.quantile(runs, (0.05, 0.5, 0.95)))


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for name, lines in {
        "next_runs": next_runs,
        "pilots": pilots,
        "pilots_one_run": one_run,
        "replanned": replanned,
    }.items():
        write(name, list(lines(size)))
