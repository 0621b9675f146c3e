"""Error rates and power of the gate where the truth is known, as docs/tables/gate_*.csv.

`python -m docs.make_gate_calibration` simulates them again (a quarter of an hour on two cores).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

import numpy as np
from scipy import stats

from docs.make_sequential_calibration import DRAWS
from runoff._inference.gate import adjusted, family_of, parts_of, reaches_of
from runoff._inference.gate.below import SuccessCounts
from runoff._inference.pairs import PairData
from runoff.base.random import streams
from tools.site.tables import write

N_REPEATS, N_RESAMPLES, ALPHA = 1_000, 999, 0.05
TASKS, COUNTS = (1, 5, 10), ((2, 2), (3, 3), (5, 5), (10, 10), (10, 3))
"""Runs of the baseline and of the candidate on every task."""
MARGINS = 0.1, 0.2, 0.36, 0.5
STDS = {"normal": 1.0, "skewed": float(np.sqrt((np.e - 1) * np.e)), "two humps": float(np.sqrt(9 * 0.21 + 0.09))}


def simulated(
    counts: tuple[int, int], drops: Sequence[float], repeat: int, draw: str = "normal", spread: float = 1.0
) -> PairData:
    """Return runs of a baseline, and of a candidate that is lower by these true drops and spreads wider."""
    rng = np.random.default_rng([repeat, *counts, len(drops)])
    x = [DRAWS[draw](rng, counts[0]) for _ in drops]
    y = [spread * DRAWS[draw](rng, counts[1]) - drop for drop in drops]
    return PairData(a="baseline", b="candidate", x=x, y=y, tasks=[f"task {t}" for t in range(len(drops))])


def false_drops(
    counts: tuple[int, int],
    drops: Sequence[float],
    *,
    draw: str = "normal",
    spread: float = 1.0,
    sign: int = 1,
    alpha: float = ALPHA,
    repeats: int = N_REPEATS,
) -> float:
    """Return how often a drop is found where there is none, on any task or over all; sign −1: a rise."""
    wrong, true = 0, [*(sign * drop > 0 for drop in drops), sign * sum(drops) > 0]
    for repeat in range(repeats):
        family = family_of(
            simulated(counts, drops, repeat, draw, spread), n_resamples=N_RESAMPLES, streams=streams(repeat)
        )
        tails = family.drops() if sign > 0 else family.rises()
        called = adjusted(tails, family.able(alpha)) <= alpha * (1 + 1e-9)
        wrong += any(claim and not real for claim, real in zip(called.tolist(), true, strict=False))
    return wrong / repeats


def false_holds(
    counts: tuple[int, int],
    n_tasks: int,
    *,
    margin: float = 2.0,
    draw: str = "normal",
    spread: float = 1.0,
    repeats: int = N_REPEATS,
) -> float:
    """Return how often a drop of just the margin, in standard deviations of the baseline, is ruled out on any task or over all."""
    wrong, drop = 0, margin * STDS[draw]
    for repeat in range(repeats):
        pair = simulated(counts, [drop] * n_tasks, repeat, draw, spread)
        family = family_of(pair, n_resamples=N_RESAMPLES, streams=streams(repeat))
        pvalues = adjusted(family.below([drop] * len(family.units)), family.able(ALPHA))
        wrong += bool((pvalues <= ALPHA * (1 + 1e-9)).any())
    return wrong / repeats


def false_holds_of_rates(counts: tuple[int, int], margin: float) -> float:
    """Return how often a drop of a success rate by just the margin is ruled out, by enumeration, at the rate where that is oftenest."""
    n, m = counts
    passes = np.array([[_held((a, b), counts, margin) for b in range(m + 1)] for a in range(n + 1)])
    rates = np.linspace(margin, 1.0, 201)
    laws = ((_binomial(n, rate), _binomial(m, rate - margin)) for rate in rates)
    return max(float(before @ passes @ after) for before, after in laws)


def _held(successes: tuple[int, int], counts: tuple[int, int], margin: float) -> bool:
    return SuccessCounts(successes=successes, sizes=counts, lowest=0.0, highest=1.0).pvalue(margin) <= ALPHA


def _binomial(n: int, rate: float) -> np.ndarray:
    return stats.binom.pmf(np.arange(n + 1), n, rate)


def power_found(
    counts: tuple[int, int], n_tasks: int, *, overall: bool, draw: str = "normal", repeats: int = N_REPEATS
) -> float:
    """Return how often a drop is called that earlier runs said would be with 80 % power: of one task, or of all alike."""
    planned = called = 0
    for repeat in range(repeats):
        earlier = simulated(counts, [0.0] * n_tasks, repeat + 10**6, draw)
        drop = _detectable(earlier, overall)
        if np.isinf(drop):
            continue
        drops = [drop if overall or t == 0 else 0.0 for t in range(n_tasks)]
        family = family_of(simulated(counts, drops, repeat, draw), n_resamples=N_RESAMPLES, streams=streams(repeat))
        planned += 1
        pvalues = adjusted(family.drops(), family.able(ALPHA))
        called += bool(pvalues[-1 if overall else 0] <= ALPHA * (1 + 1e-9))
    return called / planned if planned else np.nan


def _detectable(pair: PairData, overall: bool) -> float:
    """Return the smallest drop that the gate says it would call with 80 % power."""
    reach = reaches_of(parts_of(pair), ALPHA)[-1 if overall else 0]
    return np.inf if reach is None else reach.detectable(0.8)


def false_alarms() -> Iterator[tuple[str, list[partial[float]]]]:
    """Yield the heads of the lines of the first table, and what each simulates."""
    for draw, counts in product(DRAWS, COUNTS):
        simulate = partial(false_drops, counts, draw=draw)
        yield f"nothing, {draw} | {_sizes(counts)}", [partial(simulate, [0.0] * n) for n in TASKS]
    for counts in ((5, 5), (10, 3)):
        half = [partial(false_drops, counts, [3.0 * (t % 2) for t in range(n)]) for n in TASKS[1:]]
        yield f"a drop of 3 SD on every second task, normal | {_sizes(counts)}", [partial(_none), *half]
    for draw, counts in product(("normal", "skewed"), ((5, 5), (10, 3))):
        apart = [partial(false_drops, counts, [3.0 * (-1) ** t for t in range(n)], draw=draw) for n in (2, 10)]
        yield (
            f"3 SD lower and higher on every second of 2 and 10 tasks, {draw} | {_sizes(counts)}",
            [partial(_none), *apart],
        )
    for draw, counts in product(("normal", "skewed"), ((5, 5), (10, 10), (10, 3))):
        simulate = partial(false_drops, counts, draw=draw, spread=3.0)
        yield (
            f"the candidate spreads 3 times as wide, {draw} | {_sizes(counts)}",
            [partial(simulate, [0.0] * n) for n in TASKS],
        )


def false_passes() -> Iterator[tuple[str, list[partial[float]]]]:
    """Yield the same of the second table."""
    for draw, counts in product(STDS, ((3, 3), (5, 5), (10, 10), (10, 3))):
        yield f"{draw} | {_sizes(counts)}", [partial(false_holds, counts, n, draw=draw) for n in TASKS]
    for draw, counts in product(("normal", "skewed"), ((10, 10), (10, 3))):
        simulate = partial(false_holds, counts, draw=draw, spread=3.0)
        yield f"the candidate spreads 3 times as wide, {draw} | {_sizes(counts)}", [partial(simulate, n) for n in TASKS]


def false_passes_of_rates() -> Iterator[tuple[str, list[partial[float]]]]:
    """Yield the same of success rates."""
    for counts in ((5, 5), (20, 5), (10, 3), (10, 10), (20, 20)):
        yield f"0 or 1 | {_sizes(counts)}", [partial(false_holds_of_rates, counts, margin) for margin in MARGINS]


def powers() -> Iterator[tuple[str, list[partial[float]]]]:
    """Yield the same of the third table."""
    for draw, counts in (
        *product(("normal",), COUNTS),
        ("skewed", (5, 5)),
        ("skewed", (10, 10)),
        ("two humps", (10, 10)),
    ):
        simulate = partial(power_found, counts, draw=draw)
        rates_of = [partial(simulate, n, overall=False) for n in TASKS] + [
            partial(simulate, n, overall=True) for n in TASKS[1:]
        ]
        yield f"{draw} | {_sizes(counts)}", rates_of


def _none() -> float:
    return np.nan


def _sizes(counts: tuple[int, int]) -> str:
    return f"{counts[0]} / {counts[1]}"


def _call(ask: partial[float]) -> float:
    return ask()


def table(head: str, rows_of: Iterable[tuple[str, list[partial[float]]]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield head
    yield "| --- | ---: |" + " ---: |" * (head.count("|") - 3)
    lines = list(rows_of)
    with ProcessPoolExecutor(2) as pool:
        rates = pool.map(_call, [ask for _, calls in lines for ask in calls])
        for name, calls in lines:
            cells = ["–" if np.isnan(rate) else f"{rate:.3f}" for _, rate in zip(calls, rates, strict=False)]
            yield shown(f"| {name} | {' | '.join(cells)} |")


def shown(line: str) -> str:
    """Say a line as soon as it is known, and return it."""
    sys.stderr.write(f"{line}\n")
    return line


if __name__ == "__main__":
    by_tasks = " | ".join(f"{n} task{'s' * (n > 1)}" for n in TASKS)
    kinds = " | ".join([*(f"one task of {n}" for n in TASKS), *(f"mean of {n}" for n in TASKS[1:])])
    write("gate_false_alarms", list(table(f"| what is true | runs | {by_tasks} |", false_alarms())))
    write("gate_false_passes", list(table(f"| the runs | runs | {by_tasks} |", false_passes())))
    margins = " | ".join(f"margin {margin:g}" for margin in MARGINS)
    write("gate_false_passes_of_rates", list(table(f"| the runs | runs | {margins} |", false_passes_of_rates())))
    write("gate_power", list(table(f"| the runs | runs | {kinds} |", powers())))
