"""Error rates of sequential comparisons where the truth is known, as docs/tables/sequential_errors.csv.

`python -m docs.make_sequential_calibration` simulates them again (half an hour on two cores).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

import numpy as np

from runoff._inference.sequential import SequentialDesign, judge
from tools.site.tables import write

N_REPEATS, N_RESAMPLES, N_LOOKS = 1_000, 399, 3
ALGORITHMS, TASKS, RUNS = (2, 3, 5), (1, 10), (3, 5, 8)
"""Algorithms, tasks, runs that each look adds to a cell."""
Draw = Callable[[np.random.Generator, int], np.ndarray]


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return runs of mean 0 and standard deviation 1."""
    return rng.normal(size=n)


def skewed(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return lognormal runs of mean 0, log-sd 1: a long tail of high scores."""
    return rng.lognormal(size=n) - np.exp(0.5)


def two_humps(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return runs of mean 0 of which 3 in 10 fail."""
    return np.where(rng.random(n) < 0.3, -2.1, 0.9) + 0.3 * rng.normal(size=n)


def successes(rng: np.random.Generator, n: int, mean: float = 0.0) -> np.ndarray:
    """Return successes of as many runs, 0 or 1, of which half and `mean` more succeed."""
    return (rng.random(n) < 0.5 + mean).astype(float)


DRAWS: dict[str, Draw] = {"normal": normal, "skewed": skewed, "two humps": two_humps, "0/1": successes}


def simulated(
    means: Sequence[float],
    spreads: Sequence[float],
    n_tasks: int,
    design: SequentialDesign,
    draw: Draw,
    repeat: int,
    apart: float = 0.0,
) -> list[dict[tuple[int, int], np.ndarray]]:
    """Return the runs of every look; the first is `apart` higher and lower on every second task, which its average does not show."""
    rng = np.random.default_rng([repeat, len(means), n_tasks, design.looks[0]])
    steps = np.diff([0, *design.looks])
    return [
        {
            (a, t): successes(rng, n, m)
            if draw is successes
            else m + (apart * (-1) ** t if a == 0 else 0.0) + s * draw(rng, n)
            for a, (m, s) in enumerate(zip(means, spreads, strict=True))
            for t in range(n_tasks)
        }
        for n in steps
    ]


def decisions(
    means: Sequence[float],
    spreads: Sequence[float],
    n_tasks: int,
    design: SequentialDesign,
    draw: Draw,
    repeat: int,
    apart: float = 0.0,
) -> dict[tuple[int, int], tuple[str, int]]:
    """Return the final decision of every pair, and the look at which it fell, from 1; runs of leavers are not seen."""
    looks = simulated(means, spreads, n_tasks, design, draw, repeat, apart)
    final: dict[tuple[int, int], tuple[str, int]] = {}
    for judged in judge(design, looks, len(means), n_tasks):
        final |= {finding.pair: (finding.decision, finding.look + 1) for finding in judged.findings}
    return final


def design_of(n_runs: int, repeat: int, **more: object) -> SequentialDesign:
    """Return a design of three looks."""
    looks = tuple(n_runs * (k + 1) for k in range(N_LOOKS))
    return SequentialDesign(looks=looks, n_resamples=N_RESAMPLES, seed=repeat, **more)  # type: ignore[arg-type]


def error_rate(
    means: Sequence[float],
    n_tasks: int,
    n_runs: int,
    *,
    spreads: Sequence[float] | None = None,
    draw: str = "normal",
    repeats: int = N_REPEATS,
    apart: float = 0.0,
    **more: object,
) -> float:
    """Return how often any claim is wrong: a difference of equal algorithms, or one in the wrong direction."""
    spread, wrong = spreads or [1.0] * len(means), 0
    for repeat in range(repeats):
        final = decisions(means, spread, n_tasks, design_of(n_runs, repeat, **more), DRAWS[draw], repeat, apart)
        wrong += any(
            (decision == "a_better" and means[a] <= means[b]) or (decision == "b_better" and means[a] >= means[b])
            for (a, b), (decision, _) in final.items()
        )
    return wrong / repeats


def false_equivalence(
    difference: float, n_tasks: int, n_runs: int, *, draw: str = "normal", spread: float = 1.0, repeats: int = N_REPEATS
) -> float:
    """Return how often two algorithms that differ by just the margin are declared equivalent; the higher one has the spread."""
    wrong = 0
    for repeat in range(repeats):
        design = design_of(n_runs, repeat, margin=difference)
        final = decisions((0.0, difference), (1.0, spread), n_tasks, design, DRAWS[draw], repeat)
        wrong += final[0, 1][0] == "equivalent"
    return wrong / repeats


PARTIAL = {
    "one of 3 better": (0.0, 0.0, 1.5),
    "two of 4 better, alike": (0.0, 0.0, 1.5, 1.5),
    "one of 5 better": (0.0, 0.0, 0.0, 0.0, 1.5),
}
"""Means, in standard deviations."""
SUCCESSES = {
    "2 equal, 0/1": (0.0, 0.0),
    "3 equal, 0/1": (0.0, 0.0, 0.0),
    "one of 3 better, 0/1": (0.0, 0.0, 0.4),
    "one of 5 better, 0/1": (0.0, 0.0, 0.0, 0.0, 0.4),
}
"""Shares of successes above a half."""
UNEQUAL = {"1 and 3": (1.0, 3.0), "1, 1 and 3": (1.0, 1.0, 3.0)}
"""Standard deviations of algorithms of equal means."""


def rows() -> Iterator[tuple[str, list[partial[float]]]]:
    """Yield the heads of the lines of the table, and what each simulates."""
    for k, n_tasks in product(ALGORITHMS, TASKS):
        yield f"{k} equal, normal | {n_tasks}", [partial(error_rate, [0.0] * k, n_tasks, n) for n in RUNS]
    for draw in ("skewed", "two humps"):
        for n_tasks in TASKS:
            yield f"2 equal, {draw} | {n_tasks}", [partial(error_rate, [0.0] * 2, n_tasks, n, draw=draw) for n in RUNS]
    for (name, means), n_tasks in product(PARTIAL.items(), TASKS):
        yield f"{name} | {n_tasks}", [partial(error_rate, means, n_tasks, n) for n in RUNS]
    for (name, means), n_tasks in product(SUCCESSES.items(), TASKS):
        yield f"{name} | {n_tasks}", [partial(error_rate, means, n_tasks, n, draw="0/1") for n in RUNS]
    for (name, spreads), draw, n_tasks in product(UNEQUAL.items(), ("normal", "skewed"), TASKS):
        same = [0.0] * len(spreads)
        simulate = partial(error_rate, same, n_tasks, draw=draw, spreads=spreads)
        yield f"equal means, spreads {name}, {draw} | {n_tasks}", [partial(simulate, n) for n in RUNS]
    for k, draw in product((2, 3), ("normal", "skewed")):
        simulate = partial(error_rate, [0.0] * k, 6, draw=draw, apart=3.0)
        head = f"{k} equal on average, one 3 SD higher and lower on every second task, {draw} | 6"
        yield head, [partial(simulate, n) for n in RUNS]
    for draw, spread, n_tasks in product(("normal", "skewed"), (1.0, 3.0), TASKS):
        simulate = partial(false_equivalence, 1.0, n_tasks, draw=draw, spread=spread)
        head = f"equivalent, at the margin, {draw}{'' if spread == 1 else ', the higher with spread 3'} | {n_tasks}"
        yield head, [partial(simulate, n) for n in RUNS]


def _call(ask: partial[float]) -> float:
    return ask()


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| truth | tasks | {' | '.join(f'{n} runs a look' for n in RUNS)} |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    heads = list(rows())
    with ProcessPoolExecutor(2) as pool:
        rates = pool.map(_call, [ask for _, calls in heads for ask in calls])
        for head, calls in heads:
            yield shown(f"| {head} | {' | '.join(f'{next(rates):.3f}' for _ in calls)} |")


def shown(line: str) -> str:
    """Say a line as soon as it is known, and return it."""
    sys.stderr.write(f"{line}\n")
    return line


if __name__ == "__main__":
    write("sequential_errors", list(table()))
