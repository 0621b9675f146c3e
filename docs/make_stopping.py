"""Stopping early on episodes of several tasks and on partial credit: docs/tables/stopping_episodes.csv.

Its last row is of success rates of one task judged at any time, which `anytime` quotes beside planned looks (`FOUND_RATES`).

`python -m docs.make_stopping` simulates it (ten minutes). Beside `sequential`, which permutes names within task and look, stands
the walk on the pairs that differ: pair for pair the better one is a fair coin where two are alike, so that the lead is a walk whose chances
to leave are known. Both spend α (n/N)².
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import runoff as ro
from runoff._inference.sequential import judge
from runoff.base.arrays import Floats
from tools.site.tables import markdown, write

N_REPEATS, N_RESAMPLES, ALPHA = 1_000, 999, 0.05
RATES = np.array([0.05, 0.3, 0.7, 0.95])
Episodes = tuple[Floats, Floats]
"""The scores of both: (n_episodes, n_tasks)."""
End = tuple[int, int]
"""The pairs of episodes that were used, and who is called better: −1 or 1, 0 for nobody."""


@dataclass(frozen=True, kw_only=True)
class Design:
    name: str
    looks: tuple[int, ...]
    draw: Callable[[np.random.Generator], Episodes]


def rates(lift: float) -> Callable[[np.random.Generator], Episodes]:
    """Return twelve episodes of each of four tasks as they are drawn; of the second policy the rates are higher by `lift`, at most 0.99."""
    higher = np.minimum(RATES + lift, 0.99) if lift else RATES
    return lambda rng: ((rng.random((12, 4)) < RATES) * 1.0, (rng.random((12, 4)) < higher) * 1.0)


def credit(first: float, second: float) -> Callable[[np.random.Generator], Episodes]:
    """Return fifty scores of five steps of each, one of four criteria being met with the chance that is the mean."""
    return lambda rng: (rng.binomial(4, first, (50, 1)) / 4, rng.binomial(4, second, (50, 1)) / 4)


DESIGNS = (
    *(
        Design(name=f"4 tasks, {name}", looks=looks, draw=rates(lift))
        for name, lift in (("0.25 higher", 0.25), ("equal", 0.0))
        for looks in ((*range(1, 13),), (3, 6, 9, 12))
    ),
    *(
        Design(name=f"partial credit, {first} and {second}", looks=looks, draw=credit(first, second))
        for first, second in ((0.45, 0.6), (0.5, 0.5))
        for looks in ((*range(2, 51),), (*range(5, 51, 5),))
    ),
)


def permuted(design: Design, runs: Episodes, seed: int) -> End:
    """Return the end by `sequential`."""
    plan = ro.SequentialDesign(
        looks=design.looks, alpha=ALPHA, spending="quadratic", n_resamples=N_RESAMPLES, seed=seed
    )
    n_tasks, starts = runs[0].shape[1], (0, *design.looks)
    cells = [
        {(a, t): runs[a][start:end, t] for a in (0, 1) for t in range(n_tasks)}
        for start, end in zip(starts, design.looks, strict=False)
    ]
    for judged in judge(plan, cells, 2, n_tasks):
        for finding in judged.findings:
            if finding.decision in ("a_better", "b_better"):
                return design.looks[finding.look] * n_tasks, 1 if finding.decision == "b_better" else -1
    return design.looks[-1] * n_tasks, 0


def walked(design: Design, runs: Episodes, _seed: int) -> End:
    """Return the end by the walk on the pairs that differ, with the same looks; of partial credit only who is ahead counts, not by how much."""
    steps = np.sign(runs[1] - runs[0]).astype(int)
    n, lead, spent = runs[0].size, 0, 0.0
    # chances[n + s]: that a fair walk which has not left is at s.
    chances = np.zeros(2 * n + 1)
    chances[n] = 1.0
    for first, last in zip((0, *design.looks), design.looks, strict=False):
        for step in steps[first:last].ravel():
            if step:
                lead += int(step)
                chances = np.convolve(chances, (0.5, 0.0, 0.5), "same")
        left = ALPHA / 2 * (last / design.looks[-1]) ** 2 - spent
        tails = np.cumsum(chances[:n:-1])  # from the outside in
        out = int((tails <= left + 1e-15).sum())
        spent += float(tails[out - 1]) if out else 0.0
        if abs(lead) > n - out:
            return last * steps.shape[1], int(np.sign(lead))
        chances[:out] = chances[2 * n + 1 - out :] = 0.0
    return n, 0


def rows() -> Iterator[tuple[str, ...]]:
    for design in DESIGNS:
        for how, rule in (("sequential", permuted), ("walk on pairs that differ", walked)):
            ends = np.array([rule(design, design.draw(np.random.default_rng(k)), k) for k in range(N_REPEATS)])
            looks = f"{len(design.looks)} looks"
            second, first = (f"{np.mean(ends[:, 1] == side):.3f}" for side in (1, -1))
            yield design.name, looks, how, second, first, f"{ends[:, 0].mean():.1f}"


def at_any_time() -> tuple[str, ...]:
    """Return the row of rates 0.5 and 0.8 of one task, a pair of episodes a batch."""
    claims = []
    for k in range(N_REPEATS):
        rng = np.random.default_rng(k)
        pairs = zip(*((rng.random(50) < rate) * 1.0 for rate in (0.5, 0.8)), strict=True)
        batches = [ro.Scores.from_dict({"A": {"t": [a]}, "B": {"t": [b]}}, unit="episode") for a, b in pairs]
        claims.append(ro.anytime(batches, alpha=ALPHA, rng=k).pairs[0].decision)
    shares = (f"{claims.count(side) / N_REPEATS:.3f}" for side in ("b_better", "a_better"))
    return "1 task, 0.5 and 0.8", "50 looks", "anytime", *shares, "–"


if __name__ == "__main__":
    head = ("episodes", "looks", "rule", "second called better", "first called better", "pairs used")
    write("stopping_episodes", markdown([head, *rows(), at_any_time()]).splitlines())
