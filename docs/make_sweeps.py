"""Write docs/tables/sweeps_*.csv: answers about sweeps whose truth is known: `python -m docs.make_sweeps`, an hour; with a name, one table.

The best of K settings is computed by the compiled twin of tests/reference/sweeps.py, which a test holds to what `tuning` says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from runoff._inference.tuning import (
    CellMeans,
    chosen_for_all,
    chosen_per_task,
    cross_fitted,
    dimensions,
    orders_of,
    smallest_set,
    surfaces,
    tuned,
    with_one,
)
from tests.reference.sweeps import half_at_equal_tuning, half_width, tuned_runs
from tools.site.tables import write

SPREADS = {"none": 0.0, "flat": 0.3, "normal": 1.0, "steep": 3.0}
"""Standard deviation between settings over that of runs; half of the variance is shared by tasks."""
RUNS = (3, 5, 10)
LEVEL, AHEAD = 0.95, 0.7
Draw = np.random.Generator


def surface(draw: Draw, n_tasks: int, n_settings: int, spread: float) -> np.ndarray:
    """Return what settings are worth on tasks, (n_tasks, K)."""
    return spread * np.sqrt(0.5) * (draw.normal(size=(1, n_settings)) + draw.normal(size=(n_tasks, n_settings)))


def runs_about(means: np.ndarray, n_runs: int, draw: Draw, kind: str = "normal") -> np.ndarray:
    """Return runs of standard deviation 1 about means, (…, n_runs): normal, log-normal (σ .8), or a tenth of them 5 below."""
    shape = (*means.shape, n_runs)
    noise = draw.normal(size=shape)
    if kind == "log-normal":
        noise = (np.exp(0.8 * noise) - np.exp(0.32)) / np.sqrt((np.exp(0.64) - 1) * np.exp(0.64))
    if kind == "collapse":
        noise = noise - 5 * (draw.random(shape) < 0.1) + 0.5
    return means[..., None] + noise


def chosen(means: np.ndarray, runs: np.ndarray) -> float:
    """Return the true worth of the settings that all runs choose on each task."""
    return float(means[np.arange(len(means)), runs.mean(axis=2).argmax(axis=1)].mean())


def orders(runs: np.ndarray, draw: Draw) -> np.ndarray:
    """Return the runs of each task in eight orders, (n_tasks, 8, K, n)."""
    return np.stack([np.stack([draw.permuted(cells, axis=1) for _ in range(8)]) for cells in runs])


def equal_tuning(n: int) -> Iterator[str]:
    """Yield the cover, the false winners and the power of the best of 16 settings, 5 tasks; and of 16 equal ones against one that is good."""
    yield "settings | scores | runs | covers | difference covers | false winners | power"
    worlds = [(name, kind) for name, kind in product(SPREADS, ("normal",))] + [
        ("normal", "log-normal"),
        ("normal", "collapse"),
    ]
    for (name, kind), n_runs in [*product(worlds, RUNS), *product([("one good", "normal")], RUNS[:2])]:
        draw = np.random.default_rng([16, n_runs, len(name), len(kind)])
        hits = np.array([_experiment(name, kind, n_runs, draw) for _ in range(n)]).mean(axis=0)
        yield f"{name} | {kind} | {n_runs} | {' | '.join(f'{share:.3f}' for share in hits)}"


def _experiment(name: str, kind: str, n_runs: int, draw: Draw) -> tuple[bool, bool, bool, bool]:
    """Return whether the interval of one, and of a difference, covers; whether equals have a winner; and whether one ahead is found."""
    first = surface(draw, 5, 16, SPREADS.get(name, 0.0))
    second = np.where(np.arange(16) == 0, 0.0, -3.0) + np.zeros((5, 1)) if name == "one good" else first
    x, y = (runs_about(means, n_runs, draw, kind) for means in (first, second))
    sides = [tuned_runs(runs, orders(runs, draw)) for runs in (x, y)]
    alone, half, width = sides[0].estimate, half_at_equal_tuning(sides[:1], LEVEL), half_at_equal_tuning(sides, LEVEL)
    lead = alone - sides[1].estimate
    true_x, true_y = chosen(first, x), chosen(second, y)
    return abs(alone - true_x) <= half, abs(lead - (true_x - true_y)) <= width, abs(lead) > width, lead + AHEAD > width


def one_setting(n: int) -> Iterator[str]:
    """Yield the cover of one setting for 5 tasks, chosen among 16 and cross-fitted."""
    yield "settings | scores | runs | bias | covers"
    for name, kind, n_runs in product(SPREADS, ("normal", "log-normal", "collapse"), RUNS):
        draw = np.random.default_rng([5, n_runs, len(name), len(kind)])
        answers = []
        for _ in range(n):
            means = surface(draw, 5, 16, SPREADS[name])
            runs = runs_about(means, n_runs, draw, kind)
            value, parts, freedom = cross_fitted(orders_of(list(map(list, runs))), chosen_for_all)
            off = value - means[:, runs.mean(axis=(0, 2)).argmax()].mean()
            answers.append((off, abs(off) <= half_width(parts, freedom, LEVEL)))
        bias, covers = np.mean(answers, axis=0)
        yield f"{name} | {kind} | {n_runs} | {bias:.2f} | {covers:.3f}"


def sensitivity(n: int) -> Iterator[str]:
    """Yield bias and cover of the sensitivity by draws, beside the plug-in's bias; the cover of the gain; and who is falsely more sensitive."""
    yield "settings | scores | runs | true | plug-in bias | bias | covers | gain covers | tuning falsely needed | falsely more sensitive"
    rows = [*((name, "normal") for name in SPREADS), ("normal", "log-normal"), ("normal", "collapse")]
    for (name, kind), n_runs in product(rows, (3, 10)):
        draw = np.random.default_rng([7, n_runs, len(name), len(kind)])
        answers = np.array([_sensitive(surface(draw, 5, 16, SPREADS[name]), kind, n_runs, draw) for _ in range(n)])
        true, plug_in, bias, *shares = answers.mean(axis=0)
        yield f"{name} | {kind} | {n_runs} | {true:.2f} | {plug_in:.2f} | {bias:.2f} | {' | '.join(f'{s:.3f}' for s in shares)}"


def _sensitive(means: np.ndarray, kind: str, n_runs: int, draw: Draw) -> tuple[float, ...]:
    true = float(tuned(means) - with_one(means))
    first, noisier = (
        runs_about(means, n_runs, draw, kind),
        means[..., None] + 2 * draw.normal(size=(*means.shape, n_runs)),
    )
    phi, other = (_phi(runs, draw) for runs in (first, noisier))
    low, high = np.quantile(phi, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    plug_in = float(tuned(first.mean(axis=2)) - with_one(first.mean(axis=2)))
    value, parts, freedom = cross_fitted(
        orders_of(list(map(list, first))), lambda r: chosen_per_task(r) - chosen_for_all(r)
    )
    half = half_width(parts, freedom, LEVEL)
    worth = chosen(means, first) - float(means[:, first.mean(axis=(0, 2)).argmax()].mean())
    ends = np.quantile(phi - other, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    covers = low - 1e-9 <= true <= high
    # Without any true gain tuning is never needed; where there is some, no answer is false.
    falsely = true == 0 and value - half > 0
    return (
        true,
        plug_in - true,
        phi.mean() - true,
        covers,
        abs(value - worth) <= half,
        falsely,
        not ends[0] <= 0 <= ends[1],
    )


def _phi(runs: np.ndarray, draw: Draw) -> np.ndarray:
    drawn = surfaces(CellMeans.of(list(map(list, runs))), 500, draw)
    return np.maximum(tuned(drawn) - with_one(drawn), 0.0)


def dimension(n: int) -> Iterator[str]:
    """Yield how often the set of dimensions holds the true one, and its size: 36 settings of a grid 4 × 3 × 3 on 5 tasks."""
    yield "standard deviation of runs | runs | plug-in right | covers | size"
    levels = np.array(np.unravel_index(np.arange(36), (4, 3, 3))).T
    for spread, n_runs in product((0.05, 0.15, 0.3), (3, 10)):
        draw = np.random.default_rng([3, n_runs, round(100 * spread)])
        answers = []
        for _ in range(n):
            means = surface(draw, 5, 36, 1.0)
            low, high = np.percentile(means, [5, 95], axis=1)[:, :, None]
            means = (means - low) / (high - low)
            runs = means[..., None] + spread * draw.normal(size=(5, 36, n_runs))
            true, plug_in = (int(dimensions(own[None], levels)[0]) for own in (means, runs.mean(axis=2)))
            counts = np.bincount(
                dimensions(surfaces(CellMeans.of(list(map(list, runs))), 200, draw), levels), minlength=4
            )
            held = smallest_set(counts / counts.sum())
            answers.append((plug_in == true, true in held, len(held)))
        right, covers, size = np.mean(answers, axis=0)
        yield f"{spread} | {n_runs} | {right:.3f} | {covers:.3f} | {size:.1f}"


def collapses(n: int) -> Iterator[str]:
    """Yield the cover where every run is about 1 or, with a chance of a fifth, about −4: the best of 8 settings, two of them 3 above."""
    yield "tasks | runs | covers"
    for n_tasks, n_runs in ((1, 3), (1, 5), (1, 10), (3, 3)):
        draw, hits = np.random.default_rng([8, n_tasks, n_runs]), []
        good = np.where(np.arange(8) < 2, 3.0, np.zeros((n_tasks, 8)))
        for _ in range(n):
            base = np.where(draw.random((*good.shape, n_runs)) < 0.2, -4.0, 1.0)
            runs = good[..., None] + base + 0.2 * draw.normal(size=base.shape)
            side = tuned_runs(runs, orders(runs, draw))
            hits.append(abs(side.estimate - chosen(good, runs)) <= half_at_equal_tuning([side], LEVEL))
        yield f"{n_tasks} | {n_runs} | {np.mean(hits):.3f}"


TABLES: dict[str, Callable[[int], Iterator[str]]] = {
    "sweeps_equal": equal_tuning,
    "sweeps_collapse": collapses,
    "sweeps_one_setting": one_setting,
    "sweeps_sensitivity": sensitivity,
    "sweeps_dimension": dimension,
}


def main(*names: str, n: int = 1000) -> None:
    """Write the tables, or those that are named."""
    for name in names or TABLES:
        write(name, list(TABLES[name](n)))


if __name__ == "__main__":
    main(*sys.argv[1:])
