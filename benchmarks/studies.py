"""Studies at the scale of the papers: a slice of the engine's blocks against the papers' own way, a loop over SciPy calls.

Totals are projections for one core: the seconds per repetition measured on the slice, times the repetitions of the whole study. Colas (2019)
tables 2-13: six tests, 10,000 repetitions, 1,000 draws; Casesa (2024) figure 18: 5 tasks, 7 methods, 5,000 repetitions. The time of the random
draws alone is a lower bound for any code that makes these draws.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from time import perf_counter

import dask
import distributed
import numpy as np
from numpy.typing import NDArray
from scipy import stats

from benchmarks.two_sample import one_pair_the_usual_way
from runoff._kernels.two_sample.bootstrap import LARGEST_PAIRED
from runoff._kernels.two_sample.masks import draw_masks, state_of
from runoff.lab import Study, find_study, run_study
from runoff.lab.backends import LEAN
from runoff.lab.blocks import run_block
from runoff.lab.spec import BLOCK

Floats = NDArray[np.float64]

N_TABLES, N_EFFECTS = 12, 4
THESIS_RESAMPLES = 100


def seconds_a_repetition(study: Study) -> dict[int, float]:
    """Return {n_runs: seconds of one repetition of all methods}, one block each after one to compile."""
    figures = {}
    for cell in study.cells():
        run_block(replace(study, n_repeats=20), cell, 0)
        start = perf_counter()
        run_block(study, cell, 0)
        figures[cell.n_runs] = (perf_counter() - start) / BLOCK
    return figures


def seconds_of_draws(n: int, n_resamples: int) -> float:
    """Return what the random numbers of one repetition cost: scores, relabellings and resamples of two samples of n."""
    rng = np.random.Generator(np.random.SFC64(0))
    state, masks = state_of(rng), np.empty((n_resamples, (2 * n + 63) // 64), np.uint64)
    draw_masks(state, 2 * n, n, masks)
    start = perf_counter()
    for _ in range(20):
        rng.standard_normal(2 * n)
        draw_masks(state, 2 * n, n, masks)
        rng.bit_generator.random_raw(2 * n_resamples * max(1, n // 4 if n <= LARGEST_PAIRED else n // 2), output=False)
    return (perf_counter() - start) / 20


def one_repetition_of_the_thesis(scores: Floats, rng: np.random.Generator) -> None:
    """Run the methods of Casesa (2024) appendix B.2 on scores (2, n_tasks, n_runs), with 100 resamples."""
    n = scores.shape[2]
    stats.rankdata(scores.transpose(1, 0, 2).reshape(scores.shape[1], -1), axis=1)
    x, y = scores.reshape(2, -1)
    for options in ({"equal_var": True}, {"equal_var": False}, {"equal_var": False, "trim": 0.1}):
        stats.ttest_ind(x, y, **options)
    for side in scores:
        replicates = []
        for _ in range(THESIS_RESAMPLES):
            drawn = np.array([rng.choice(task, n) for task in side])
            means = drawn.mean(axis=1)
            gap = 1.0 - np.minimum(drawn, 1.0).mean()
            replicates.append((stats.trim_mean(drawn, 0.25, axis=None), np.median(means), means.mean(), gap))
        np.percentile(replicates, [2.5, 97.5], axis=0)


def seconds_of_a_loop(once: Callable[[], object], repeats: int) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    for _ in range(repeats):
        once()
    return (perf_counter() - start) / repeats


def measure_tables(repeats: int = 5) -> dict[str, float]:
    """Return one core's seconds for tables 2-13 by both ways, projected from a slice, and the ratio."""
    study = replace(find_study("colas2019/table02").study, effects=(0.5,), n_repeats=BLOCK)
    rng = np.random.default_rng(0)
    ours = seconds_a_repetition(study)
    theirs = {
        n: seconds_of_a_loop(lambda n=n: one_pair_the_usual_way(*rng.normal(size=(2, n)), rng), repeats) for n in ours
    }
    whole = N_TABLES * N_EFFECTS * 10_000
    return {
        "tables 2-13, ours, projected_s": whole * sum(ours.values()),
        "tables 2-13, random draws alone, projected_s": whole
        * sum(seconds_of_draws(n, study.n_resamples) for n in ours),
        "tables 2-13, SciPy loop, projected_s": whole * sum(theirs.values()),
        "one repetition of the loop_s": sum(theirs.values()) / len(theirs),
        "tables 2-13, loop / ours, ratio": sum(theirs.values()) / sum(ours.values()),
    }


def measure_figure18(repeats: int = 3) -> dict[str, float]:
    """Return one core's seconds for figure 18 by both ways; ours has 2,000 resamples, the loop the thesis' 100."""
    study = replace(find_study("casesa2024/figure18").study, n_repeats=BLOCK)
    rng = np.random.default_rng(0)
    ours = seconds_a_repetition(study)
    theirs = {
        n: seconds_of_a_loop(lambda n=n: one_repetition_of_the_thesis(rng.normal(size=(2, 5, n)), rng), repeats)
        for n in ours
    }
    ratio = sum(theirs.values()) / sum(ours.values())
    return {
        "figure 18, ours with 2,000 resamples, projected_s": 5000 * sum(ours.values()),
        "figure 18, loop with 100 resamples, projected_s": 5000 * sum(theirs.values()),
        "figure 18, loop / ours, ratio": ratio,
        "figure 18, at equal resamples, ratio": 20 * ratio,
    }


def measure_workers(n_repeats: int = 20_000) -> dict[str, float]:
    """Return the seconds of one effect of table 2: its blocks alone, on one worker, on two, and on two of Dask's local
    cluster as `run_study` starts it and as it comes, all warm."""
    study = replace(find_study("colas2019/table02").study, effects=(0.5,), n_repeats=n_repeats)
    cluster = partial(distributed.Client, n_workers=2, threads_per_worker=1, dashboard_address=None)
    blocks = [(cell, block) for cell in study.cells() for block in range(study.n_blocks)]
    seconds = {
        "table 2, its blocks alone_s": seconds_of_a_loop(lambda: [run_block(study, *task) for task in blocks], 1)
    }
    ways = (
        ("one worker", 1, "loky", nullcontext, {}),
        ("two workers", 2, "loky", nullcontext, {}),
        ("Dask", 2, "dask", cluster, LEAN),
        ("Dask as it comes", 2, "dask", cluster, {}),
    )
    for label, workers, backend, machines, settings in ways:
        with dask.config.set(settings), machines():
            run_study(replace(study, n_repeats=4 * BLOCK), workers=workers, backend=backend)
            once = partial(run_study, study, workers=workers, backend=backend)
            seconds[f"table 2, {label}_s"] = seconds_of_a_loop(once, 1)
    single = seconds["table 2, one worker_s"]
    return seconds | {
        f"table 2, one worker / {label}, ratio": single / seconds[f"table 2, {label}_s"]
        for label in ("its blocks alone", "two workers", "Dask", "Dask as it comes")
    }


def measure() -> dict[str, float]:
    """Return all numbers of this file."""
    figures = measure_tables() | measure_figure18() | measure_workers()
    both = figures["tables 2-13, ours, projected_s"] / figures["table 2, one worker / two workers, ratio"]
    return figures | {"tables 2-13, ours, on two workers, projected_s": both}


def main() -> None:
    """Print all numbers."""
    for key, value in measure().items():
        print(f"{key:<52} {value:12.4g}")


if __name__ == "__main__":
    main()
