"""How often honest data are suspected: `python -m docs.make_guards [N]` writes docs/tables/guards.csv, of 200 data sets by default (minutes).

A data set has two or three algorithms of one set of the archive, 1 to 16 of its tasks, and 3, 5 or 12 runs of each. A run is a published one,
drawn with replacement, and normal noise of a quarter of the runs' standard deviation (none at a floor or ceiling that several runs reach),
rounded to the unit of the published scores. Every other data set is normalised. Each is written with double and with single precision, its
runs in no order and in the order of their scores; those without names of runs, and batches and nights, have 12 runs.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

import runoff as ro
from runoff._inference.advice import about_data, cells_in_groups
from runoff._inference.groups import two_groups
from runoff.base.arrays import Floats
from tools.site.tables import write

SETS = (
    "atari_100k",
    "bro",
    "d3rlpy",
    "dreamerv2_other",
    "dreamerv3_atari100k",
    "dreamerv3_dmc_proprio",
    "dreamerv3_dmc_vision",
    "dreamerv3_minecraft_diamond",
    "primacy_atari100k",
    "primacy_dmc",
    "reppo",
    "simba",
)
TASKS, RUNS, LEAST = (1, 3, 6, 16), 12, 4
COUNTS = 3, 5, 12
"""Runs of a cell, by turns."""
NOISE = 0.25
MANY = 20
"""The fewest published runs that tell whether a cell has two groups."""
COPIES = "last digit|counts once|all scores"
"""What refusals of copies say."""
Cells = dict[str, dict[str, Floats]]


# ── honest data ──────────


@cache
def pool(name: str) -> Cells:
    """Return the runs of a set, {algorithm: {task: scores}}, of cells with enough."""
    cells = ro.archive.load(name).to_dict()
    return {
        a: kept for a, own in cells.items() if (kept := {t: np.array(s) for t, s in own.items() if len(s) >= LEAST})
    }


def decimals_of(runs: Floats) -> int:
    """Return the decimals of published scores: those that half of them have."""
    texts = (str(np.float32(score)) for score in runs)
    return int(np.median([-12 if "e" in text else len(text.partition(".")[2].rstrip("0")) for text in texts]))


def ends_of(cells: list[Floats]) -> Floats:
    """Return the lowest and the highest score of a task where several runs have it, else no limit."""
    runs = np.concatenate(cells)
    low, high = runs.min(), runs.max()
    return np.array([low if (runs == low).sum() > 1 else -np.inf, high if (runs == high).sum() > 1 else np.inf])


def drawn(runs: Floats, ends: Floats, rng: np.random.Generator) -> Floats:
    """Return runs like these; ends: scores of the floor and the ceiling of the task, if it has any."""
    own = rng.choice(runs, RUNS)
    noisy = np.clip(own + rng.normal(0, NOISE * runs.std(), RUNS), *ends)
    return np.round(np.where(np.isin(own, ends), own, noisy), decimals_of(runs))


def data_set(i: int) -> tuple[Cells, Cells]:
    """Return the i-th honest data set, and the published runs that it was drawn from."""
    rng = np.random.default_rng([51, i])
    while True:
        cells = pool(str(rng.choice(SETS)))
        names = rng.choice(sorted(cells), min(len(cells), int(rng.integers(2, 4))), replace=False).tolist()
        shared = sorted(set.intersection(*(set(cells[a]) for a in names)))
        n_tasks = int(rng.choice(TASKS))
        if len(names) > 1 and (len(shared) >= n_tasks or len(shared) in TASKS):
            break
    tasks = rng.choice(shared, min(n_tasks, len(shared)), replace=False).tolist()
    ends = {t: ends_of([own[t] for own in cells.values() if t in own]) for t in tasks}
    sample = {a: {t: drawn(cells[a][t], ends[t], rng) for t in tasks} for a in names}
    return sample, {a: {t: cells[a][t] for t in tasks} for a in names}


def normalised(cells: Cells, by: Cells) -> Cells:
    """Return scores with the range of each task of `by` as their unit."""
    every = {t: np.concatenate([own[t] for own in by.values()]) for t in next(iter(by.values()))}
    return {
        a: {t: (runs - 0.9 * every[t].min()) / (1.37 * np.ptp(every[t]) or 1.0) for t, runs in own.items()}
        for a, own in cells.items()
    }


def written(cells: Cells, *, single: bool, ordered: bool) -> Cells:
    """Return runs as a file would have them."""

    def as_written(runs: Floats) -> Floats:
        runs = np.sort(runs) if ordered else runs
        return runs.astype(np.float32).astype(np.float64) if single else runs

    return {a: {t: as_written(runs) for t, runs in own.items()} for a, own in cells.items()}


def scores_of(cells: Cells, part: slice, *, named: bool = True, **options: str) -> ro.Scores:
    """Return some of the runs of each cell, with or without their labels."""
    rows = [
        (a, t, str(r), float(score))
        for a, own in cells.items()
        for t, runs in own.items()
        for r, score in list(enumerate(runs))[part]
    ]
    columns = dict(zip(("algorithm", "task", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))
    return ro.Scores.from_frame(
        {name: column for name, column in columns.items() if named or name != "seed"}, **options
    )


# ── what is said of them ──────────


def refuses_copies(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except ro.RunoffError as refusal:
        return bool(re.search(COPIES, str(refusal)))
    return False


def looked_at(cells: Cells) -> None:
    """Feed the runs of two algorithms to a design of three looks."""
    two = dict(list(cells.items())[:2])
    design, earlier = ro.SequentialDesign(looks=(4, 8, 12), algorithms=tuple(two)), list[ro.Scores]()
    for k in range(3):
        look = scores_of(two, slice(4 * k, 4 * k + 4))
        if ro.sequential(look, design=design, earlier=earlier).next_look is None:
            return
        earlier.append(look)


def gated(cells: Cells) -> None:
    """Gate the second half of an algorithm's runs by the first."""
    name, own = next(iter(cells.items()))
    sides = [scores_of({name: own}, part) for part in (slice(6), slice(6, 12))]
    ro.gate(*sides, margin={t: 1 + float(np.abs(runs).max()) for t, runs in own.items()}, n_resamples=200)


def in_two_groups(scores: ro.Scores, published: Cells) -> bool:
    """Return whether a cell is said to have two groups of which many published runs show none."""
    return any(published[a][t].size >= MANY and two_groups(published[a][t]) is None for a, t in cells_in_groups(scores))


def one_task_decides(result: ro.ComparisonResult, published: Cells) -> bool:
    """Return whether a task is said to decide that has at most half of the squared error and of the leads of the published runs."""
    wrong = False
    for pair in result.pairs:
        for advice in (advice for advice in pair.advice if advice.code == "R026"):
            task = re.search(r"look at '(.*)' on its own", advice.text)
            a, b = published[pair.a], published[pair.b]
            parts = {t: a[t].var() + b[t].var() for t in a}
            leads = {t: abs(a[t].mean() - b[t].mean()) for t in a}
            wrong |= task is not None and all(2 * of[task[1]] <= sum(of.values()) for of in (parts, leads))
    return wrong


def refuses_units(scores: ro.Scores, published: Cells) -> bool:
    """Return whether raw scores are refused as normalised already, by references from the lowest to the highest published score."""
    ends = {t: np.concatenate([own[t] for own in published.values()]) for t in scores.tasks}
    pairs = {t: (float(runs.min()), float(runs.max())) for t, runs in ends.items() if np.ptp(runs) > 0}
    try:
        _ = scores.select(tasks=list(pairs)).normalize(pairs) if pairs else None
    except ro.DataError:
        return True
    return False


def suspected(i: int, *, single: bool, ordered: bool) -> Iterator[str]:
    """Yield what the i-th honest data set is suspected of."""
    sample, published = data_set(i)
    n, one_unit = COUNTS[i % 3], i % 2 == 1
    first = {a: {t: runs[:n] for t, runs in own.items()} for a, own in sample.items()}
    cells, few = (written(runs, single=single, ordered=ordered) for runs in (sample, first))
    if one_unit:
        cells, few, published = (normalised(runs, by=sample) for runs in (cells, few, published))
    scores = scores_of(few, slice(n), score_unit="shared" if one_unit else "per_task")
    for advice in about_data(scores):
        yield f"{advice.code}, {advice.severity}" if advice.code == "R020" else advice.code
    for advice in about_data(scores_of(cells, slice(RUNS), named=False)):
        yield f"{advice.code}, no run named"
    if in_two_groups(scores, published):
        yield "R303"
    if one_unit and np.ptp(scores.values) > 0 and one_task_decides(ro.compare(scores, measure="mean"), published):
        yield "R026"
    if not one_unit and refuses_units(scores, published):
        yield "normalize refuses raw scores"
    batches = [scores_of(cells, slice(4 * k, 4 * k + 4)) for k in range(3)]
    refusals = {
        "sequential": lambda: looked_at(cells),
        "anytime": lambda: ro.anytime(batches, n_resamples=100, measure="mean"),
        "gate": lambda: gated(cells),
    }
    yield from (f"{name} refuses copies" for name, ask in refusals.items() if refuses_copies(ask))


GUARDS = (
    "R015",
    "R020, warning",
    "R020, caution",
    "R022",
    "R022, no run named",
    "R023",
    "R023, no run named",
    "R024, no run named",
    "R026",
    "R028",
    "R030",
    "R030, no run named",
    "R031",
    "R033",
    "R303",
    "sequential refuses copies",
    "anytime refuses copies",
    "gate refuses copies",
    "normalize refuses raw scores",
)
RIGHT = "R030", "R030, no run named"
"""What is rightly said of runs in the order of their scores."""
WAYS = {
    f"{'single' if single else 'double'} precision{', sorted' * ordered}": (single, ordered)
    for ordered in (False, True)
    for single in (False, True)
}


def counts(first: int, end: int, *, single: bool, ordered: bool) -> Counter[str]:
    """Return how many of these honest data sets are suspected, by what they are suspected of."""
    return Counter(what for i in range(first, end) for what in set(suspected(i, single=single, ordered=ordered)))


def rows(n: int) -> Iterator[str]:
    yield f"| guard | {' | '.join(WAYS)} |"
    columns = [counts(0, n, single=single, ordered=ordered) for single, ordered in WAYS.values()]
    for guard in GUARDS:
        yield f"| {guard} | {' | '.join(f'{100 * column[guard] / n:.1f}' for column in columns)} |"


if __name__ == "__main__":
    write("guards", list(rows(int(sys.argv[1]) if len(sys.argv) > 1 else 200)))
