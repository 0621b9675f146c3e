"""Runs that a sequential comparison uses, beside a fixed number of runs of the same power: docs/tables/sequential_*.csv.

`python -m docs.make_sequential_runs [ADASTOP_WALKER]` simulates them (an hour on two cores). With the folder of AdaStop's Walker2d scores,
walker1.csv to walker6.csv, sequential_walker.csv and the replay of its six files, sequential_walker_replay.csv, are written too.
The page's sequential_adastop.csv is of another script, which relabelled the runs of all looks together too, and whose six games are not
recorded; the rows of normal runs and of Krull agree with 60 experiments of this.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np

import runoff as ro
from docs.make_sequential_calibration import shown
from runoff._inference.sequential import SequentialDesign, judge
from runoff.answer.sequential import SequentialPair
from tools.site.tables import write

N_REPEATS, N_RESAMPLES = 1_000, 999
SPENDINGS = ("pocock", "obrien_fleming")
Pool = list[np.ndarray]
"""One array of scores for each task."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Two algorithms whose runs are drawn from pools, or normal where there are none; `difference`: the difference of the normal means."""

    name: str
    looks: tuple[int, ...]
    pools: tuple[Pool, Pool] | None = None
    difference: float = 0.0
    effect: float | None = None

    def look(self, rng: np.random.Generator, n: int) -> dict[tuple[int, int], np.ndarray]:
        """Return n more runs of each on each task."""
        if self.pools is None:
            return {(0, 0): rng.normal(self.difference, 1, n), (1, 0): rng.normal(0, 1, n)}
        return {(a, t): rng.choice(cell, n) for a, pool in enumerate(self.pools) for t, cell in enumerate(pool)}

    @property
    def n_tasks(self) -> int:
        return 1 if self.pools is None else len(self.pools[0])


def outcome(world: World, design: SequentialDesign, repeats: int = N_REPEATS) -> tuple[float, float]:
    """Return how often a difference is found, and the runs per cell that were used on average."""
    differing, used, steps = 0, 0, np.diff([0, *design.looks]).tolist()
    for repeat in range(repeats):
        rng = np.random.default_rng([repeat, *design.looks])
        looks = [world.look(rng, n) for n in steps]
        # Relabellings of their own, or what few of them can say by chance is in every experiment.
        judged = judge(replace(design, seed=repeat), looks, 2, world.n_tasks)
        last = [finding for of_look in judged for finding in of_look.findings][-1]
        differing += last.decision in ("a_better", "b_better")
        used += design.looks[last.look]
    return differing / repeats, used / repeats


def fixed(world: World, power: float) -> int:
    """Return the fewest runs per cell that reach a power with a single look; at most those of the last look, which have it but for chance."""
    low, high = 2, world.looks[-1]
    while low < high:
        middle = (low + high) // 2
        enough = outcome(world, SequentialDesign(looks=(middle,), n_resamples=N_RESAMPLES))[0] >= power
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


@cache
def shipped() -> ro.Scores:
    """Return the shipped data set, normalised."""
    return ro.load_example("classic_control").final().normalize("classic_control")


def of_shipped(a: str, b: str, looks: tuple[int, ...]) -> World:
    """Return the world of two shipped algorithms on six tasks."""
    scores = shipped()
    name = f"{a} and {b}, 6 tasks" if a != b else f"{a} against itself, 6 tasks"
    effect = 0.1 if a == b else None
    return World(name=name, looks=looks, pools=(scores.cells(a), scores.cells(b)), effect=effect)


def walker_files(folder: Path) -> list[ro.Scores]:
    """Return AdaStop's scores, file by file."""
    return [ro.read_scores(folder / f"walker{i}.csv") for i in range(1, 7)]


def of_walker(folder: Path) -> list[World]:
    """Return the worlds of two pairs of AdaStop's agents."""
    files, looks = walker_files(folder), (5, 10, 15, 20, 25, 30)
    pools = {
        name: [np.concatenate([scores.cell(name, 0) for scores in files if name in scores.algorithms])]
        for name in files[0].algorithms
    }
    pairs = (("SAC", "PPO"), ("TRPO", "DDPG"))
    return [World(name=f"Walker2d: {a} and {b}", looks=looks, pools=(pools[a], pools[b])) for a, b in pairs]


def worlds() -> list[World]:
    """Return those that need no file."""
    few, more = (5, 10, 15, 20), (10, 20, 30, 40)
    return [
        World(name="normal, 1.5 σ", looks=few, difference=1.5),
        World(name="normal, 1 σ", looks=few, difference=1.0),
        World(name="normal, no difference", looks=few),
        World(name="the same, stopping for futility (1 σ)", looks=few, effect=1.0),
        of_shipped("ARS", "Actor-Critic", (3, 6, 9, 12)),
        of_shipped("ARS", "CEM", more),
        of_shipped("Expected Sarsa", "Q(λ)", more),
        of_shipped("Sarsa(λ)", "Sarsa(λ)", more),
    ]


def line(world: World, spending: str) -> str:
    """Return a line of the table."""
    design = SequentialDesign(looks=world.looks, spending=spending, effect=world.effect, n_resamples=N_RESAMPLES)  # type: ignore[arg-type]
    power, used = outcome(world, design)
    same = None if power < 0.1 else fixed(world, power)
    beside = "–" if same is None else f"{same}"
    saved = "–" if same is None else f"{100 * (1 - used / same):.0f} %".replace("-", "−")
    looks = ", ".join(map(str, world.looks))
    return shown(f"| {world.name} | {looks} | {spending} | {power:.2f} | {used:.1f} | {beside} | {saved} |")


HEAD = (
    "| two algorithms | looks | spending | a difference is found | runs per cell on average | fixed, same power | saved |",
    "| --- | --- | --- | ---: | ---: | ---: | ---: |",
)


def table(chosen: Sequence[World]) -> list[str]:
    """Return the lines of worlds."""
    cases = list(product(chosen, SPENDINGS))
    with ProcessPoolExecutor(2) as pool:
        return [*HEAD, *pool.map(line, [world for world, _ in cases], [spending for _, spending in cases])]


class AdaStop(SequentialDesign):
    """Looks of which the k-th of K may have spent k / K of alpha (Mathieu et al. 2023, section 3)."""

    def spent_of(self, alpha: float) -> tuple[float, ...]:
        return tuple(alpha * (k + 1) / len(self.looks) for k in range(len(self.looks)))


def beside_adastop(repeats: int) -> Iterator[str]:
    """Yield what is found with which runs, by how alpha is spent, on the same draws; of SPR and DER on Krull and on the last six Atari games."""
    yield "| two algorithms | experiments | Pocock: found, runs | AdaStop's | O'Brien and Fleming's |"
    scores, looks = ro.archive.load("atari_100k").normalize("atari"), (5, 10, 15, 20)
    spr, der = (dict(zip(scores.tasks, scores.cells(name), strict=True)) for name in ("SPR", "DER"))
    cases = [
        World(name=f"normal, {d:g} σ" if d else "normal, equal", looks=looks, difference=d) for d in (0.0, 1.0, 1.5)
    ]
    for words, games in (("Krull", ("Krull",)), ("6 games, Pong to UpNDown", scores.tasks[-6:])):
        for name, other in (("SPR against itself", spr), ("SPR and DER", der)):
            pools = [spr[game] for game in games], [other[game] for game in games]
            cases.append(World(name=f"{name}, {words}", looks=looks, pools=pools))
    for world in cases:
        kinds = [SequentialDesign, AdaStop, partial(SequentialDesign, spending="obrien_fleming")]
        rates = [outcome(world, kind(looks=looks, n_resamples=N_RESAMPLES), repeats) for kind in kinds]
        cells = [f"{power:.3f}, {used:.1f}" for power, used in rates]
        yield shown(f"| {world.name} | {repeats:,} | {' | '.join(cells)} |")


def replay(folder: Path) -> Iterator[str]:
    """Yield what is decided as AdaStop's files come in, five runs of each agent in each."""
    design, seen = ro.SequentialDesign(looks=(5, 10, 15, 20, 25, 30)), []
    yield "| look | decided | runs of the next look | runs so far |"
    yield "| ---: | --- | --- | ---: |"
    for scores in walker_files(folder):
        answer = ro.sequential(scores, design=design, earlier=seen)
        seen.append(scores)
        claims = [_claim(pair) for pair in answer.pairs if pair.look == answer.look and pair.decision != "go_on"]
        more = ", ".join(answer.next_algorithms) or "none"
        yield f"| {answer.look} | {'; '.join(claims) or '–'} | {more} | {answer.cost:g} |"
        if answer.next_look is None:
            return


def _claim(pair: SequentialPair) -> str:
    ahead = {"a_better": f"{pair.a} > {pair.b}", "b_better": f"{pair.b} > {pair.a}"}
    return ahead.get(pair.decision, f"{pair.a}, {pair.b}: {pair.decision}")


def main(arguments: Sequence[str]) -> None:
    """Write the tables."""
    write("sequential_runs", table(worlds()))
    write("sequential_adastop", list(beside_adastop(2 * N_REPEATS)))
    folder = Path(arguments[0]) if arguments else None
    if folder is not None and folder.is_dir():
        write("sequential_walker", table(of_walker(folder)))
        write("sequential_walker_replay", list(replay(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
