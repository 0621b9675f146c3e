"""Whether the advice on more runs is right, as docs/tables/more_runs.csv: `python -m docs.make_more_runs [UNDECIDED]`.

Ten minutes. Runs of two algorithms are drawn, with replacement, from a pool of runs for each task, and those of the first are moved by so many
standard deviations of each task. Of each row, experiments are simulated until UNDECIDED (200 by default) are undecided, four times as many at
most; of half of these the advice is followed: both are trained to as many runs as were asked for, and compared again. Decided is a pair whose
interval then leaves out no lead, or the lead that mattered.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from scipy import stats

import runoff as ro
from docs.make_law import true_value
from runoff.answer.outlook import largest_lead
from runoff.answer.pair import Pair
from runoff.base.arrays import Floats
from runoff.words.measures import even_of
from tools.site.tables import write

EFFECTS = (0.0, 0.5, 1.0, 2.0)
UNDECIDED, MOST, FOLLOWED = 200, 4, 2
LEVELS = (np.arange(500) + 0.5) / 500
NORMAL, LONG = stats.norm.ppf(LEVELS), stats.lognorm.ppf(LEVELS, 1.0)


@dataclass(frozen=True, kw_only=True)
class World:
    """Pools of runs, one for each task, from which both algorithms draw; `settings` are those of the data."""

    words: str
    pools: list[Floats]
    n: int
    measure: str = "mean"
    unit: str = "shared"

    @cached_property
    def spreads(self) -> list[float]:
        return [float(pool.std()) for pool in self.pools]

    def pair(self, x: list[Floats], y: list[Floats]) -> Pair:
        cells: Any = {name: {str(t): cell for t, cell in enumerate(side)} for name, side in (("A", x), ("B", y))}
        scores = ro.Scores.from_dict(cells, score_unit=self.unit)  # type: ignore[arg-type]
        return ro.compare(scores, measure=self.measure, threads=1).pairs[0]  # type: ignore[arg-type]

    def moved(self, cells: list[Floats], effect: float) -> list[Floats]:
        return [cell + effect * spread for cell, spread in zip(cells, self.spreads, strict=True)]

    def lead(self, effect: float) -> float:
        """Return the true lead of the measure."""
        return true_value(self.measure, self.moved(self.pools, effect), self.pools) - even_of(self.measure)

    def drawn(self, rng: np.random.Generator, n: int) -> list[Floats]:
        # A little beside the pool's runs, so that none stands there twice.
        return [rng.choice(pool, n) + rng.normal(0, 1e-6 * pool.std(), n) for pool in self.pools]


@cache
def worlds() -> list[World]:
    atari = ro.archive.load("atari_100k").normalize("atari")
    games = [np.asarray(cell) for cell in atari.cells(atari.algorithms.index("DER"))]
    bro = [np.asarray(cell) for cell in ro.archive.load("bro", algorithms=["BRO"]).cells("BRO")]
    return [
        *(World(words=f"normal, 1 task × {n}", pools=[NORMAL], n=n) for n in (3, 5, 10)),
        World(words="log-normal, 1 task × 5", pools=[LONG], n=5),
        World(words="normal, 6 tasks × 3", pools=[NORMAL] * 6, n=3),
        World(words="normal, 6 tasks × 5, IQM", pools=[NORMAL] * 6, n=5, measure="iqm"),
        World(words="normal, 6 tasks × 5, chance", pools=[NORMAL] * 6, n=5, measure="improvement", unit="per_task"),
        World(words="BRO of bro, 5 tasks × 3, chance", pools=bro[:5], n=3, measure="improvement", unit="per_task"),
        World(words="normal, 6 tasks × 40", pools=[NORMAL] * 6, n=40),
        World(words="DER of atari_100k, Pong × 5", pools=[games[atari.tasks.index("Pong")]], n=5),
        World(words="DER of atari_100k, 26 games × 5, IQM", pools=games, n=5, measure="iqm"),
    ]


def row(world: World, effect: float, undecided: int) -> str:
    """Return how often the advice names a number, rules a lead out, is wrong, and how often following it decides."""
    rng, lead = np.random.default_rng([worlds().index(world), int(10 * effect)]), world.lead(effect)
    open_pairs: list[Pair] = []
    decided: list[bool] = []
    wrong = n_all = 0
    while len(open_pairs) < undecided and n_all < MOST * undecided:
        n_all += 1
        x, y = world.drawn(rng, world.n), world.drawn(rng, world.n)
        pair = world.pair(world.moved(x, effect), y)
        if pair.verdict != "no_difference_found":
            continue
        open_pairs.append(pair)
        wrong += pair.outlook == "ruled_out" and lead > (pair.planning_margin or 0.0)
        if pair.needed_runs and len(open_pairs) % FOLLOWED == 0:
            x, y = ([*map(np.append, side, world.drawn(rng, pair.needed_runs - world.n))] for side in (x, y))
            then = world.pair(world.moved(x, effect), y)
            decided.append(then.winner is not None or largest_lead(then) <= (pair.planning_margin or 0.0))
    numbers = [pair.needed_runs for pair in open_pairs if pair.needed_runs]
    counts = [len(numbers), sum(pair.outlook == "ruled_out" for pair in open_pairs), wrong]
    shares = [f"{100 * count / len(open_pairs):.0f}" for count in counts] if open_pairs else ["–"] * 3
    runs = f"{np.median(numbers):.0f}" if numbers else "–"
    then_words = f"{100 * np.mean(decided):.0f}" if decided else "–"
    return f"| {world.words} | {effect:g} | {len(open_pairs)} | {' | '.join(shares)} | {runs} | {then_words} |"


def lines(undecided: int) -> Iterator[str]:
    advice = "a number, % | ruled out, % | wrong, % | runs asked, median | then decided, %"
    yield f"| runs | true lead, SD | undecided | {advice} |"
    for world in worlds():
        for effect in EFFECTS:
            yield row(world, effect, undecided)


if __name__ == "__main__":
    write("more_runs", list(lines(int(sys.argv[1]) if len(sys.argv) > 1 else UNDECIDED)))
