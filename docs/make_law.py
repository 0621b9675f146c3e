"""Tables of the law of `compare` on pools of real runs: `python -m docs.make_law POOL...`, some minutes a pool.

A pool is one of law_atari_100k.csv, law_resets.csv and law_reppo.csv, which have the t test alone. With `--plans`, plan_power.csv, of Atari 100k
from the archive; with `--few-runs`, law_few_runs.csv; with `--one-task`, law_one_task.csv. With `--over-tasks`, tables of tasks
as the sample: the tasks of a pool are then drawn with replacement too, as from a population of which they are all. They are
over_tasks_atari_200m.csv, over_tasks_atari_100k.csv and over_tasks_reppo.csv; items answered yes or no have `docs.make_items`.

A pool is a file of runs in one unit, many of each algorithm on each task. Runs are drawn from it with replacement, so its own values are
the truth. "A/A": two samples of one algorithm. "misses": the interval of a difference leaves the true one out; "p ≤ .001": the same at
that level. "power": a difference is found. "family": of ten pairs of five algorithms, their true differences taken off, one is found
(Holm).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import runoff as ro
from runoff._inference.bootstrap import Law, estimate_of, parse_metric
from runoff._inference.family import adjust
from runoff._inference.pairs import (
    HODGES_LEHMANN,
    NEVER,
    PairData,
    PairOptions,
    Relabelling,
    TaskPair,
    improvement_law,
    run_pair,
    t_over_tasks,
    widest,
)
from runoff._inference.power import average_power
from runoff.archive import load
from runoff.base.random import Streams
from runoff.words.measures import even_of

REPEATS = 2_000
DESIGNS = [
    (1, 5, 5),
    (1, 3, 10),
    (2, 3, 3),
    (3, 2, 2),
    (3, 3, 3),
    (3, 5, 5),
    (6, 2, 2),
    (6, 3, 3),
    (6, 5, 5),
    (6, 2, 8),
    (6, 3, 20),
    (16, 3, 3),
]
"""Tasks, and runs of each side on each."""
Cells = Sequence[np.ndarray]


def pool_of(path: str, least: int = 5) -> list[list[np.ndarray]]:
    """Return the cells of each algorithm, on the tasks on which all have so many runs."""
    scores = ro.read_scores(path)
    whole = [t for t in range(scores.n_tasks) if (scores.n_runs[:, t] >= least).all()]
    return [[scores.cell(a, t) for t in whole] for a in range(scores.n_algorithms)]


def drawn(rng: np.random.Generator, cells: Cells, n: int) -> list[np.ndarray]:
    return [rng.choice(cell, n) for cell in cells]


def law_of(measure: str, x: Cells, y: Cells) -> tuple[Callable[[float], float], float]:
    """Return the p-value of a true value of the pair by its t law, as a function, and the value where they are alike."""
    if measure == "improvement":
        return improvement_law(x, y).pvalue, 0.5
    tasks = [str(t) for t in range(len(x))]
    return PairData(a="a", b="b", x=x, y=y, tasks=tasks, relabelling=NEVER).law(measure).pvalue, 0.0


def true_value(measure: str, x: Cells, y: Cells) -> float:
    if measure == "improvement":
        return improvement_law(x, y).value
    metric = parse_metric(measure)
    return estimate_of(x, metric).value - estimate_of(y, metric).value


def rates(pool: Sequence[Cells], measure: str, design: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """Return the shares of A/A claims, misses of the true difference at 5 % and at 0.1 %, and of differences found."""
    n_tasks, n, m = design
    counts = np.zeros(4)
    for repeat in range(REPEATS):
        rng = np.random.default_rng([repeat, n_tasks, n, m])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        x, y, again = drawn(rng, first, n), drawn(rng, second, m), drawn(rng, first, m)
        same, even = law_of(measure, x, again)
        law, _ = law_of(measure, x, y)
        missed = 1.0 if measure == "improvement" and n_tasks == 1 else law(true_value(measure, first, second))
        counts += [same(even) <= 0.05, missed <= 0.05, missed <= 0.001, law(even) <= 0.05]
    a_a, misses, rare, power = (counts / REPEATS).tolist()
    return a_a, misses, rare, power


def families(pool: Sequence[Cells], measure: str, n_tasks: int, n: int) -> float:
    """Return how often one of ten pairs of five algorithms of equal value is found."""
    wrong = 0
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n])
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        records = []
        for cells in pool[:5]:
            own = [cells[t] for t in tasks]
            metric = parse_metric(measure)
            record = estimate_of(drawn(rng, own, n), metric)
            records.append((record, estimate_of(own, metric).value))
        pvalues = [a.minus(b).pvalue(u - v) for (a, u), (b, v) in combinations(records, 2)]
        wrong += bool((adjust(pvalues, "holm") <= 0.05).any())
    return wrong / (REPEATS // 4)


def relabelled(pool: Sequence[Cells], design: tuple[int, int, int]) -> tuple[float, float]:
    """Return the misses and the power of the studentised permutation of means, the default before this law."""
    n_tasks, n, m = design
    counts = np.zeros(2)
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n, m])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        x, y = drawn(rng, first, n), drawn(rng, second, m)
        shift = true_value("mean", first, second)
        options = PairOptions(streams=Streams(repeat), n_resamples=2_000)
        for place, moved in enumerate((shift, 0.0)):
            pair = PairData(a="a", b="b", x=[cell - moved for cell in x], y=y, tasks=[str(t) for t in tasks])
            counts[place] += run_pair("studentized_permutation", pair, options).pvalue <= 0.05
    misses, power = (counts / (REPEATS // 4)).tolist()
    return misses, power


# ── tasks and items as the sample ──────────

TASKS = [6, 10, 26, 54]


def task_pair(x: Cells, y: Cells) -> TaskPair:
    tasks = [str(t) for t in range(len(x))]
    return TaskPair(a="a", b="b", x=x, y=y, tasks=tasks, bounded=True)


def centres(x: Cells, y: Cells) -> dict[str, float]:
    """Return the true value of each measure over tasks drawn from these."""
    leads = np.array([a.mean() - b.mean() for a, b in zip(x, y, strict=True)])
    chances = [improvement_law([a], [b]).value for a, b in zip(x, y, strict=True)]
    sums = np.add.outer(leads, leads) / 2
    return {HODGES_LEHMANN: float(np.median(sums)), "mean": float(leads.mean()), "improvement": float(np.mean(chances))}


def drawn_tasks(pool: Sequence[Cells], n_tasks: int, n: int) -> dict[str, list[float]]:
    """Return the shares of A/A claims, misses and differences found of each measure, tasks and runs being drawn from the pool."""
    counts: dict[str, np.ndarray] = {}
    pairs = list(combinations(range(len(pool)), 2))
    truths = [centres(pool[a], pool[b]) for a, b in pairs]
    for repeat in range(REPEATS):
        rng = np.random.default_rng([repeat, n_tasks, n])
        at = int(rng.integers(len(pairs)))
        tasks = rng.choice(len(pool[0]), n_tasks)
        first, second = ([pool[side][t] for t in tasks] for side in pairs[at])
        x, y, again = drawn(rng, first, n), drawn(rng, second, n), drawn(rng, first, n)
        pair, same = task_pair(x, y), task_pair(x, again)
        for measure, truth in truths[at].items():
            even, law = 0.5 * (measure == "improvement"), raw_law(pair, measure)
            row = [raw_law(same, measure).pvalue(even) <= 0.05, law.pvalue(truth) <= 0.05, law.pvalue(even) <= 0.05]
            counts[measure] = counts.get(measure, np.zeros(3)) + row
    return {measure: (row / REPEATS).tolist() for measure, row in counts.items()}


def raw_law(pair: TaskPair, measure: str):
    """Return the law of a measure over tasks, where `compare` refuses it too."""
    if measure == HODGES_LEHMANN:
        return pair.law(measure)
    return t_over_tasks(pair.leads(measure), 0.5 * (measure == "improvement"))


def over_tasks(paths: Sequence[str]) -> None:
    for path in paths:
        pool = pool_of(path, least=3)
        say(f"\n{Path(path).stem}: {len(pool)} algorithms, {len(pool[0])} tasks\n")
        say("| tasks | runs | measure | A/A | misses | power |")
        say("| --- | --- | --- | ---: | ---: | ---: |")
        for n_tasks in (n for n in TASKS if n <= len(pool[0])):
            for measure, row in drawn_tasks(pool, n_tasks, 3).items():
                say(f"| {n_tasks} | 3 | {measure} | " + " | ".join(f"{share:.3f}" for share in row) + " |")


# ── few runs: relabelling beside the t law ──────────

SETS = (
    "dreamerv3_dmc_proprio",
    "dreamerv3_dmc_vision",
    "bro",
    "primacy_dmc",
    "primacy_atari100k",
    "atari_100k",
    "reppo",
)
"""Sets of the archive with scores in one unit, or that references bring into one."""
FEW = [
    (2, 3, 3),
    (2, 5, 5),
    (3, 2, 2),
    (3, 3, 3),
    (3, 5, 5),
    (4, 2, 2),
    (4, 3, 3),
    (6, 2, 2),
    (6, 3, 3),
    (16, 2, 2),
    (6, 2, 8),
]
TESTS = "t test alone", "larger of both"
BANDWIDTH = 0.25
"""Standard deviation of the kernel that runs are redrawn with, as a share of that of their cell."""


def smoothed(rng: np.random.Generator, cells: Cells, n: int) -> list[np.ndarray]:
    return [rng.choice(cell, n) + rng.normal(0, BANDWIDTH * cell.std(), n) for cell in cells]


def archived(name: str) -> list[list[np.ndarray]]:
    """Return the cells of a set's algorithms on the tasks on which all have five runs, of reppo the five that share most."""
    scores = load(name)
    if name == "atari_100k":
        scores = scores.normalize("atari")
    able = np.argsort(-(scores.n_runs >= 5).sum(axis=1), kind="stable")[: 5 if name == "reppo" else None]
    whole = [t for t in range(scores.n_tasks) if (scores.n_runs[able, t] >= 5).all()]
    return [[scores.cell(a, t) for t in whole] for a in able.tolist()]


def truth(measure: str, cells: Cells) -> float:
    rng = np.random.default_rng(1)
    return estimate_of(smoothed(rng, cells, 4_000), parse_metric(measure)).value


def both_laws(x: Cells, y: Cells, measure: str, null: float, level: float) -> np.ndarray:
    """Return whether the t law, and the law in force, reject a difference at a level."""
    pair = PairData(a="a", b="b", x=x, y=y, tasks=[str(t) for t in range(len(x))], relabelling=Relabelling(level=level))
    law = pair.law(measure)
    alone = pair.law_at(measure).pvalue(null) <= level
    # The law in force is the larger of two; where its t law is larger already, nothing need be relabelled.
    now = Law(law.value, law.laws).pvalue(null) <= level and law.pvalue(null) <= level
    return np.array([alone, now])


def few_runs(names: Sequence[str]) -> None:
    """Print docs/tables/law_few_runs.csv: means over the sets, and in brackets the worst set."""
    pools = {name: archived(name) for name in names}
    say("tasks,runs,measure,test,A/A (worst pool),misses (worst),power,family of five (worst)")
    for design in FEW:
        for measure in ("mean",) if design[0] < 3 else ("mean", "iqm"):
            shares, wrong = [], []
            for pool in pools.values():
                if design[0] <= len(pool[0]):
                    shares.append(of_few(pool, measure, design))
                if len(pool) >= 4 and design[1] == design[2] and design[0] <= len(pool[0]):
                    wrong.append(families_of_few(pool, measure, design[0], design[1]))
            rates_, errors = np.array(shares), np.array(wrong)
            for at, law in enumerate(TESTS):
                cells = [f"{rates_[:, i, at].mean():.3f} ({rates_[:, i, at].max():.3f})" for i in range(2)]
                family = f"{errors[:, at].mean():.3f} ({errors[:, at].max():.3f})" if wrong else "–"
                runs = f"{design[1]}" if design[1] == design[2] else f"{design[1]} v {design[2]}"
                say(f"{design[0]},{runs},{measure},{law},{','.join(cells)},{rates_[:, 2, at].mean():.3f},{family}")
    constant()


def one_task() -> None:
    """Print docs/tables/law_one_task.csv: means over the sets, and in brackets the least and the most of a set."""
    pools = {name: archived(name) for name in SETS}
    say("runs,difference covered,mean of one algorithm covered,A/A")
    for n in (2, 3, 5, 7, 10, 20):
        shares = np.array([of_one_task(pool, n) for pool in pools.values()]).T
        cells = [f"{own.mean():.3f} ({own.min():.3f} to {own.max():.3f})" for own in shares]
        say(f"{n},{','.join(cells)}")


def of_one_task(pool: Sequence[Cells], n: int) -> np.ndarray:
    """Return how often 95 % intervals of a difference and of a mean cover, and A/A claims, n runs of each of two algorithms on one task."""
    rejected, given, metric = np.zeros(3), np.zeros(3), parse_metric("mean")
    for repeat in range(REPEATS // 2):
        rng = np.random.default_rng([repeat, n])
        a, b = rng.choice(len(pool), 2, replace=False)
        task = rng.choice(len(pool[0]))
        first, second = [pool[a][task]], [pool[b][task]]
        x, y, again = (estimate_of(smoothed(rng, cells, n), metric) for cells in (first, second, first))
        true = [float(cells[0].mean()) for cells in (first, second)]
        laws = (x.minus(y), true[0] - true[1]), (x.law(), true[0]), (x.minus(again), 0.0)
        # Runs without spread have neither interval nor verdict.
        given += [bool(law.laws) for law, _ in laws]
        rejected += [bool(law.laws) and law.pvalue(value) <= 0.05 for law, value in laws]
    differences, means, equal = rejected / given
    return np.array([1 - differences, 1 - means, equal])


def constant() -> None:
    """Print the rows of designs of which most tasks are unsolved by both, with 0 in every run; the others are normal or log-normal."""
    kinds = (lambda rng, n: rng.normal(10, 1, n), lambda rng, n: 10 + rng.lognormal(0, 1, n))
    for n_tasks, n_varied, n in ((3, 1, 3), (3, 1, 5), (7, 2, 5), (11, 3, 5), (16, 4, 5)):
        for measure in ("mean", "iqm"):
            shares = np.zeros((len(kinds), 2))
            for k, kind in enumerate(kinds):
                rng = np.random.default_rng([n_tasks, n_varied, n, k])
                for _ in range(REPEATS):
                    x, y = ([kind(rng, n) if t < n_varied else np.zeros(n) for t in range(n_tasks)] for _ in range(2))
                    shares[k] += both_laws(x, y, measure, 0.0, 0.05) / REPEATS
            for at, law in enumerate(TESTS):
                share = f"{shares[:, at].mean():.3f} ({shares[:, at].max():.3f})"
                say(f"{n_tasks} ({n_tasks - n_varied} constant),{n},{measure},{law},{share},–,–,–")


def of_few(pool: Sequence[Cells], measure: str, design: tuple[int, int, int]) -> np.ndarray:
    """Return the shares of A/A claims, misses and differences found, (3, 2), by both laws."""
    n_tasks, n, m = design
    counts = np.zeros((3, 2))
    for group in range(GROUPS):
        rng = np.random.default_rng([group, n_tasks, n, m])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        first, second = ([pool[side][t] for t in tasks] for side in (a, b))
        true = truth(measure, first) - truth(measure, second)
        for _ in range(EACH):
            x, y, again = smoothed(rng, first, n), smoothed(rng, second, m), smoothed(rng, first, m)
            counts += [
                both_laws(x, again, measure, 0.0, 0.05),
                both_laws(x, y, measure, true, 0.05),
                both_laws(x, y, measure, 0.0, 0.05),
            ]
    return counts / (GROUPS * EACH)


def families_of_few(pool: Sequence[Cells], measure: str, n_tasks: int, n: int) -> np.ndarray:
    """Return how often one of ten pairs of five algorithms, their true values taken off, is found, by both laws."""
    wrong = np.zeros(2)
    for group in range(GROUPS):
        rng = np.random.default_rng([group, n_tasks, n])
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        some = rng.choice(len(pool), min(5, len(pool)), replace=False)
        level = 0.05 / (some.size * (some.size - 1) // 2)
        cells = [[pool[a][t] for t in tasks] for a in some]
        values = [truth(measure, own) for own in cells]
        for _ in range(EACH // 4):
            drawn_ = [
                [cell - value for cell in smoothed(rng, own, n)] for own, value in zip(cells, values, strict=True)
            ]
            wrong += np.any([both_laws(x, y, measure, 0.0, level) for x, y in combinations(drawn_, 2)], axis=0)
    return wrong / (GROUPS * (EACH // 4))


GROUPS, EACH = 40, 25
"""Pairs on so many tasks that are drawn, and experiments with each."""


def planned(pool: Sequence[Cells], measure: str, design: tuple[int, int, int]) -> tuple[float, float]:
    """Return the power that a plan says where the spread is that of the pool, and the share of experiments that find the difference."""
    n_tasks, n, _ = design
    said, found = 0.0, 0
    for repeat in range(REPEATS // 4):
        rng = np.random.default_rng([repeat, n_tasks, n])
        a, b = rng.choice(len(pool), 2, replace=False)
        tasks = rng.choice(len(pool[0]), n_tasks, replace=False)
        x, y = ([pool[side][t] for t in tasks] for side in (a, b))
        pilot, pair = (
            PairData(a="a", b="b", x=a, y=b, tasks=[str(t) for t in tasks])
            for a, b in ((x, y), (drawn(rng, x, n), drawn(rng, y, n)))
        )
        error, df = widest(pilot.law_at(measure, n, n), 0.95)
        even = even_of(measure)
        said += average_power(abs(true_value(measure, x, y) - even) / error, np.inf, df or 1.0, 0.05)
        found += pair.law(measure).pvalue(even) <= 0.05
    return said / (REPEATS // 4), found / (REPEATS // 4)


def plans(pool: Sequence[Cells]) -> None:
    """Print docs/tables/plan_power.csv."""
    for design in ((1, 5, 5), (3, 3, 3), (6, 2, 2), (6, 3, 3), (6, 5, 5), (16, 3, 3), (6, 10, 10)):
        measures = ("mean",) if design[0] == 1 else ("mean", "iqm", "improvement")
        cells = ["{:.2f}, {:.2f}".format(*planned(pool, measure, design)) for measure in measures]
        say(f"| {design[0]}; {design[1]} | {' | '.join([*cells, '', ''][:3])} |")


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (a command: its lines are its answer)


def main() -> None:
    if "--few-runs" in sys.argv:
        few_runs([name for name in sys.argv[1:] if name != "--few-runs"] or SETS)
        return
    if "--one-task" in sys.argv:
        one_task()
        return
    if "--plans" in sys.argv:
        plans(archived("atari_100k"))
        return
    if "--over-tasks" in sys.argv:
        over_tasks([path for path in sys.argv[1:] if path != "--over-tasks"])
        return
    for path in sys.argv[1:]:
        pool = pool_of(path)
        say(f"\n{Path(path).stem}: {len(pool)} algorithms, {len(pool[0])} tasks\n")
        say("| tasks | runs | measure | A/A | misses | misses at .001 | power | family | relabelling: misses, power |")
        say("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for design in DESIGNS:
            n_tasks, n, m = design
            if n_tasks > len(pool[0]):
                continue
            for measure in (
                ("mean",) if n_tasks < 2 else ("mean", "improvement") if n_tasks < 3 else ("mean", "iqm", "improvement")
            ):
                a_a, misses, rare, power = rates(pool, measure, design)
                whole = len(pool) > 4 and n == m and measure != "improvement"
                family = f"{families(pool, measure, n_tasks, n):.3f}" if whole else "–"
                before = (
                    "{:.3f}, {:.2f}".format(*relabelled(pool, design)) if measure == "mean" and n_tasks < 16 else "–"
                )
                runs = f"{n}" if n == m else f"{n} v {m}"
                say(
                    f"| {n_tasks} | {runs} | {measure} | {a_a:.3f} | {misses:.3f} | {rare:.4f} | {power:.2f} | {family} | {before} |"
                )


if __name__ == "__main__":
    main()
