"""Write docs/tables/unequal_training.csv, verdicts where one algorithm was trained less: `python -m docs.make_unequal [N]`, some minutes.

N pairs a row, 1,000 by default. A run climbs to a level of its own, normal with a standard deviation of 1, as step^0.7; it is evaluated 25
times, with noise. Equal pairs follow one distribution; of different ones a level is 1.5 higher. Training is 100 steps long.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

import runoff as ro
from runoff.base.arrays import read_only
from tools.site.tables import write

STEPS = np.arange(4, 101, 4)
LEVEL, NOISE, APART = 10.0, 0.2, 1.5


@dataclass(frozen=True, kw_only=True)
class Design:
    """The last step of each run of two algorithms, by task; `common` is a step that all reached, at which all tasks are compared, if any is."""

    words: str
    a: Sequence[Sequence[int]]
    b: Sequence[Sequence[int]]
    common: int | None = None


FULL = [100] * 5
DESIGNS = (
    Design(words="one ends at 60 %", a=[FULL], b=[[60] * 5], common=60),
    Design(words="one ends at 60 %", a=[[100] * 3] * 3, b=[[60] * 3] * 3, common=60),
    Design(words="one ends at 60 %", a=[FULL] * 6, b=[[60] * 5] * 6, common=60),
    Design(words="one ends at 60 % on one task", a=[FULL] * 3, b=[FULL, FULL, [60] * 5]),
    Design(words="each ends at 52 % on half of the tasks", a=[FULL, [52] * 5], b=[[52] * 5, FULL], common=52),
    Design(words="one ends at 52 to 64 %", a=[FULL], b=[[52, 56, 60, 60, 64]], common=52),
    Design(words="two runs of one end at 60 %", a=[FULL], b=[[100, 100, 100, 60, 60]], common=60),
    Design(words="two runs of one end at 60 %", a=[FULL] * 6, b=[[100, 100, 100, 60, 60]] * 6, common=60),
)


def trained(design: Design) -> ro.Curves:
    """Return curves of 0 with the steps of a design."""
    rows = [
        (name, str(t), str(run), step, 0.0)
        for name, tasks in (("a", design.a), ("b", design.b))
        for t, ends in enumerate(tasks)
        for run, end in enumerate(ends)
        for step in STEPS[end >= STEPS].tolist()
    ]
    heads = "algorithm", "task", "run", "step", "score"
    return ro.Curves.from_frame(dict(zip(heads, zip(*rows, strict=True), strict=True)))


def simulated(curves: ro.Curves, rng: np.random.Generator, lead: float) -> ro.Curves:
    """Return curves with scores, a's levels higher by `lead`."""
    levels = LEVEL + lead * (curves.cells() < len(curves.tasks)) + rng.normal(size=len(curves.run_labels))
    height = np.repeat(levels, np.diff(curves.run_offsets)) * (curves.steps / 100) ** 0.7
    return replace(curves, values=read_only(height + NOISE * rng.normal(size=height.size)))


def differ(scores: ro.Scores) -> bool:
    return ro.compare(scores, n_resamples=100, threads=1).pairs[0].verdict in ("a_better", "b_better")


def own_ends(curves: ro.Curves) -> ro.Scores:
    """Return the last score of each run, wherever it ended: what 0.1 compared."""
    last = np.array([curves.curve(i)[1][-1] for i in range(len(curves.run_labels))])
    cells = curves.cells()
    n_tasks = len(curves.tasks)
    return ro.Scores.from_dict(
        {
            name: {task: last[cells == a * n_tasks + t] for t, task in enumerate(curves.tasks)}
            for a, name in enumerate(curves.algorithms)
        }
    )


def rates(design: Design, lead: float, n: int) -> tuple[float, float, float]:
    """Return how often the two are found different by default, at the common step (NaN without), and by the last score of each run."""
    rng = np.random.default_rng([len(design.a), len(design.a[0]), sum(map(sum, design.b)), int(10 * lead)])
    counts, steps = np.zeros(3), trained(design)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        for _ in range(n):
            curves = simulated(steps, rng, lead)
            at = np.nan if design.common is None else differ(curves.at(design.common))
            counts += differ(curves.final()), at, differ(own_ends(curves))
    default, at, own = (counts / n).tolist()
    return default, at, own


def rows(n: int) -> Iterator[str]:
    yield (
        "training | tasks | runs | equal: default | equal: at the common step | equal: last scores | different: default | "
        "different: at the common step"
    )
    for design in DESIGNS:
        equal, different = rates(design, 0.0, n), rates(design, APART, n)
        cells = ("–" if np.isnan(rate) else f"{rate:.3f}" for rate in (*equal, *different[:2]))
        yield f"{design.words} | {len(design.a)} | {len(design.a[0])} | {' | '.join(cells)}"


def main(n: int = 1000) -> None:
    """Write the table."""
    write("unequal_training", list(rows(n)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
