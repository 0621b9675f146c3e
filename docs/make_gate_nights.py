"""What many nights at one baseline, a second run and margins in standard deviations do, as docs/tables/gate_*.csv.

`python -m docs.make_gate_nights` simulates them again (10 minutes on one core). Runs are drawn
from the 100 of SPR on each of 26 Atari games, which are the truth here, unless a law is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np

import runoff as ro
from docs.make_gate_calibration import shown
from runoff._inference.gate import Terms, adjusted, calls_of, family_of, margins_of
from runoff._inference.pairs import PairData
from runoff.base.arrays import Floats
from runoff.base.random import streams
from tools.site.tables import write

ALPHA, NIGHTS, SMALL = 0.05, 30, 1 + 1e-9
DRAWS_ONCE, DRAWS_NIGHTS = 999, 6_000
Law = Callable[[np.random.Generator, int], list[Floats]]
"""Draws so many runs of every task of an experiment, (n_runs,) each, whose true mean and standard deviation are 0 and 1."""


def pool() -> list[Floats]:
    """Return all runs of SPR on each game, with mean 0 and standard deviation 1."""
    scores = ro.archive.load("atari_100k")
    cells = [np.asarray(cell) for cell in scores.cells(scores.algorithms.index("SPR"))]
    return [(cell - cell.mean()) / cell.std() for cell in cells]


POOL = pool()


def atari(games: Sequence[int], rng: np.random.Generator, n: int) -> list[Floats]:
    return [rng.choice(POOL[game], n) for game in games]


def successes(n_tasks: int, rng: np.random.Generator, n: int) -> list[Floats]:
    """Return 0/1 runs of a rate of 0.8, as they are."""
    return [(rng.random(n) < 0.8).astype(np.float64) for _ in range(n_tasks)]


def games_of(n_tasks: int, rng: np.random.Generator) -> list[int]:
    return [int(game) for game in rng.choice(len(POOL), n_tasks, replace=False)]


def pair_of(x: Sequence[Floats], y: Sequence[Floats], tasks: Sequence[int] | None = None) -> PairData:
    """Return these tasks of a baseline and of a candidate; all by default."""
    at = list(range(len(x)) if tasks is None else tasks)
    names = [f"task {t}" for t in at]
    binary = all(np.isin(cell, (0.0, 1.0)).all() for cell in (*x, *y))
    return PairData(a="baseline", b="candidate", x=[x[t] for t in at], y=[y[t] for t in at], tasks=names, binary=binary)


def dropped(pair: PairData, seed: int, alpha: float, draws: int) -> list[bool]:
    """Return of which units a drop is found: the tasks, and their mean."""
    family = family_of(pair, n_resamples=draws, streams=streams(seed))
    return (adjusted(family.drops(), family.able(alpha)) <= alpha * SMALL).tolist()


def again(first: Sequence[bool], x: Sequence[Floats], fresh: Sequence[Floats], seed: int, alpha: float) -> list[bool]:
    """Return which of the units that were called first are called again: their tasks alone, or all if the mean was called."""
    mean = len(x) > 1 and first[-1]
    tasks = list(range(len(x))) if mean else [t for t in range(len(x)) if first[t]]
    if not tasks:
        return [False]
    second = dropped(pair_of(x, fresh, tasks), seed, alpha, DRAWS_ONCE)
    called = [*(first[t] for t in tasks), mean] if len(tasks) > 1 else [True]
    return [both and call for both, call in zip(called, second, strict=True)]


def month(n_tasks: int, sizes: tuple[int, int], repeat: int, *, spread: float = 1.0, rate: bool = False) -> list[float]:
    """Return of 30 nights in which nothing changes: the share with an alarm, and whether there is any: as it is, with nights=30, confirmed."""
    rng = np.random.default_rng([repeat, n_tasks, *sizes])
    law: Law = partial(successes, n_tasks) if rate else partial(atari, games_of(n_tasks, rng))
    x, alarms, rare, blocks = law(rng, sizes[0]), [], [], []
    for night in range(NIGHTS):
        y, fresh = ([spread * cell for cell in law(rng, sizes[1])] for _ in range(2))
        seed = repeat * NIGHTS + night
        first = dropped(pair_of(x, y), seed, ALPHA, DRAWS_ONCE)
        alarms.append(any(first))
        rare.append(any(first) and any(dropped(pair_of(x, y), seed, ALPHA / NIGHTS, DRAWS_NIGHTS)))
        blocks.append(any(again(first, x, fresh, seed, ALPHA)))
    return [float(np.mean(alarms)), any(alarms), any(rare), float(np.mean(blocks)), any(blocks)]


def found(n_tasks: int, sizes: tuple[int, int], drop: float, repeat: int) -> list[float]:
    """Return whether a drop of one task is called: in one night, with nights=30, confirmed by fresh runs, and by all runs together."""
    rng = np.random.default_rng([repeat, n_tasks, *sizes, int(10 * drop)])
    law: Law = partial(atari, games_of(n_tasks, rng))
    x, y, fresh = law(rng, sizes[0]), law(rng, sizes[1]), law(rng, sizes[1])
    y[0], fresh[0] = y[0] - drop, fresh[0] - drop
    first = dropped(pair_of(x, y), repeat, ALPHA, DRAWS_ONCE)
    rare = dropped(pair_of(x, y), repeat, ALPHA / NIGHTS, DRAWS_NIGHTS)
    pooled = [np.concatenate(both) for both in zip(y, fresh, strict=True)]
    calls = [first, rare, again(first, x, fresh, repeat, ALPHA), again(first, x, pooled, repeat, ALPHA)]
    return [float(any(units)) for units in calls]


def calls_in_sds(n_tasks: int, sizes: tuple[int, int], drop: float, repeat: int) -> list[float]:
    """Return whether a task that drops is regressed, held, neither, with margin="1sd"; and held although its margin is no more than the drop."""
    rng = np.random.default_rng([repeat, n_tasks, *sizes, int(10 * drop), 1])
    law: Law = partial(atari, games_of(n_tasks, rng))
    x, y = law(rng, sizes[0]), law(rng, sizes[1])
    y[0] = y[0] - drop
    if any(np.ptp(cell) == 0 for cell in x):
        return [np.nan] * 4
    pair = pair_of(x, y)
    margins = margins_of("1sd", pair.tasks, pair.x)
    units = margins if isinstance(margins, tuple) else None
    terms = Terms(
        margin=1.0 if isinstance(margins, tuple) else margins,
        units=units,
        alpha=ALPHA,
        power=0.8,
        n_resamples=DRAWS_ONCE,
        streams=streams(repeat),
    )
    call = calls_of(pair, terms)[0]
    held = call.verdict == "held"
    return [call.verdict == "regressed", held, not held and call.verdict != "regressed", held and call.margin <= drop]


def rates(experiment: Callable[[int], list[float]], repeats: int) -> list[float]:
    """Return the mean of what experiments say."""
    return [float(value) for value in np.nanmean([experiment(repeat) for repeat in range(repeats)], axis=0)]


def line(name: str, experiment: Callable[[int], list[float]], repeats: int) -> str:
    """Return a line with the rates of so many experiments."""
    values = " | ".join(f"{value:.3f}" for value in rates(experiment, repeats))
    return shown(f"| {name} | {repeats} | {values} |")


def months() -> Iterator[str]:
    yield "| nothing has changed | runs | months | a night | any in 30 | any in 30, nights=30 | a night, confirm | any in 30, confirm |"
    yield "| --- | ---: |" + " ---: |" * 6
    for (n_tasks, repeats), sizes in product(((1, 800), (6, 150)), ((20, 5), (10, 5), (20, 10))):
        yield line(f"{counted(n_tasks)} | {sized(sizes)}", partial(month, n_tasks, sizes), repeats)
    yield line(f"26 tasks | {sized((20, 5))}", partial(month, 26, (20, 5)), 30)
    for n_tasks, repeats in ((1, 200), (6, 150)):
        name = f"0 or 1, {counted(n_tasks)} | {sized((20, 5))}"
        yield line(name, partial(month, n_tasks, (20, 5), rate=True), repeats)
    for (n_tasks, repeats), spread in product(((1, 200), (6, 100)), (0.5, 2.0)):
        name = f"candidates spread {spread:g} times as wide, {counted(n_tasks)} | {sized((20, 5))}"
        yield line(name, partial(month, n_tasks, (20, 5), spread=spread), repeats)


def drops_found() -> Iterator[str]:
    yield "| a drop on one task | runs | nights | one night | nights=30 | confirm | all runs together |"
    yield "| --- | ---: |" + " ---: |" * 5
    for (n_tasks, repeats), drop, sizes in product(((1, 400), (6, 400), (26, 200)), (1.0, 2.0), ((20, 5), (20, 10))):
        yield line(
            f"{drop:g} SD, of {counted(n_tasks)} | {sized(sizes)}", partial(found, n_tasks, sizes, drop), repeats
        )


def drops_in_sds() -> Iterator[str]:
    yield "| a drop on one task | runs | nights | regressed | held | neither | held with a margin of no more |"
    yield "| --- | ---: |" + " ---: |" * 5
    for n_tasks, drop, sizes in product((1, 6), (0.0, 1.0, 2.0, 3.0), ((20, 5), (20, 20))):
        yield line(
            f"{drop:g} SD, of {counted(n_tasks)} | {sized(sizes)}", partial(calls_in_sds, n_tasks, sizes, drop), 300
        )


def counted(n_tasks: int) -> str:
    return f"{n_tasks} task{'s' * (n_tasks > 1)}"


def sized(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]} / {sizes[1]}"


TABLES = {"gate_months": months, "gate_drops": drops_found, "gate_margins_in_sd": drops_in_sds}

if __name__ == "__main__":
    for name, lines in TABLES.items():
        write(name, list(lines()))
