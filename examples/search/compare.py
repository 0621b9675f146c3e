"""One search by four judges: 60 changes of a tabular agent's settings, kept by greedy rules and by `runoff keep`, and what was true of it.

    python -m examples.search.compare --nights 5      # about half an hour on one core; prints the table of docs/evidence/keep.md

Each judge sees the same changes in the same order, each made to the champion that it has by then. Afterwards 200 runs of every champion say what
was true: the level that was reached, how far the record overstated it, and which keeps were none.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

import runoff as ro
from examples.search.lake import train

START = (("alpha", 0.05), ("epsilon", 0.3), ("initial", 0.0))
N_CHANGES, BUDGET, N_TRUE = 60, 300, 200
Settings = tuple[tuple[str, float], ...]
Change = tuple[str, float]


def changes(seed: int) -> list[Change]:
    """Return the proposals of a night: a setting, and the factor or the step by which it changes."""
    rng = np.random.default_rng(seed)
    kinds = [("alpha", 2.0), ("alpha", 0.5), ("epsilon", 2.0), ("epsilon", 0.5), ("initial", 0.1), ("initial", -0.1)]
    return [kinds[k] for k in rng.integers(0, len(kinds), N_CHANGES)]


def changed(settings: Settings, change: Change) -> Settings:
    """Return settings after a change, within their ranges."""
    name, size = change
    values = dict(settings)
    values[name] = values[name] + size if name == "initial" else values[name] * size
    ranges = {"alpha": (0.0125, 0.8), "epsilon": (0.01, 0.6), "initial": (0.0, 1.0)}
    return tuple((key, float(np.clip(value, *ranges[key]))) for key, value in values.items())


@dataclass
class Machine:
    """Runs settings, each run with a seed of its own."""

    seed: int
    n_runs: int = 0

    def run(self, settings: Settings, n: int) -> list[float]:
        self.n_runs += n
        return [train(dict(settings), hash((self.seed, self.n_runs - k)) % 2**32) for k in range(n)]


@dataclass
class Night:
    """What a judge made of a night: the champions in their order, what it claims of the last, and the runs that it took."""

    champions: list[Settings] = field(default_factory=lambda: [START])
    record: float = 0.0
    n_runs: int = 0


def greedy(k: int, seed: int) -> Night:
    """Keep whatever has a higher mean of k runs than the champion had."""
    machine, night = Machine(seed), Night()
    night.record = float(np.mean(machine.run(START, k)))
    for change in changes(seed):
        if machine.n_runs + k > BUDGET:
            break
        tried = changed(night.champions[-1], change)
        mean = float(np.mean(machine.run(tried, k)))
        if mean > night.record:
            night.record = mean
            night.champions.append(tried)
    night.n_runs = machine.n_runs
    return night


def keep(mode: str, seed: int) -> Night:
    """Keep what `runoff keep` says; what it discarded comes again, on the champion of then, while runs are left."""
    machine, night = Machine(seed), Night()
    with tempfile.TemporaryDirectory() as folder:
        ledger = ro.Ledger(
            Path(folder, "night.jsonl"), mode=mode, budget=BUDGET, proposals=None if mode == "strict" else N_CHANGES
        )
        champion = machine.run(START, 8 if mode == "strict" else 6)
        ledger.champion(champion, name="start")
        todo = [(f"change {k}", change) for k, change in enumerate(changes(seed))]
        for turn in range(10):
            for name, change in todo:
                champion = judged(ledger, f"{name}, turn {turn}", change, machine, (night, champion))
            answer = ledger.record()
            again = {name.split(",")[0] for name in answer.again}
            todo = [(name, change) for name, change in todo if name in again]
            if machine.n_runs >= BUDGET - 6 or not todo:
                break
        left = BUDGET - machine.n_runs
        if len(night.champions) > 1 and left > 0:
            answer = ledger.champion(champion + machine.run(night.champions[-1], left), name=answer.champion)
    night.record = answer.record_level if answer.record_level is not None else float("nan")
    night.n_runs = machine.n_runs
    return night


def judged(
    ledger: ro.Ledger, name: str, change: Change, machine: Machine, so_far: tuple[Night, list[float]]
) -> list[float]:
    """Run a candidate until it is kept or discarded; return the runs of the champion by then."""
    night, champion = so_far
    tried, runs = changed(night.champions[-1], change), []
    while (answer := ledger.propose(runs, name=name, champion=champion)).decision == "run_more":
        runs += machine.run(tried, answer.n_candidate)
        champion = champion + machine.run(night.champions[-1], answer.n_champion)
    if answer.decision == "keep":
        night.champions.append(tried)
        return runs
    return champion


@cache
def true_level(settings: Settings) -> float:
    """Return the mean of 200 runs that decided nothing."""
    return float(np.mean([train(dict(settings), 10**6 + seed) for seed in range(N_TRUE)]))


JUDGES: dict[str, Callable[[int], Night]] = {
    "greedy, 1 run": lambda seed: greedy(1, seed),
    "greedy, mean of 5": lambda seed: greedy(5, seed),
    "strict": lambda seed: keep("strict", seed),
    "gain": lambda seed: keep("gain", seed),
}


def main() -> None:
    """Print a row for each judge and night."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nights", type=int, default=1)
    print(
        "judge | night | runs | keeps | of them no gain | true level at the start | true level at the end | the record says"
    )
    for seed in range(parser.parse_args().nights):
        for name, judge in JUDGES.items():
            night = judge(seed)
            levels = [true_level(settings) for settings in night.champions]
            false = sum(after <= before for before, after in pairwise(levels))
            row = [name, seed + 1, night.n_runs, len(levels) - 1, false]
            print(*row, *(f"{value:.2f}" for value in (levels[0], levels[-1], night.record)), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
