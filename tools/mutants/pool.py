"""Trials side by side: one process with one copy of the tree each."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tools.mutants.mutant import Mutant
from tools.mutants.selection import Chosen
from tools.mutants.trial import Bench, Verdict

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant, its tests, and the seconds that they may take, as the map has measured them."""

    mutant: Mutant
    chosen: Chosen
    within: float


def trials(bench: Bench, jobs: Sequence[Job], workers: int) -> Iterator[tuple[Mutant, Verdict]]:
    """Yield the verdicts as they come."""
    numbers = FORK.SimpleQueue()
    for number in range(workers):
        numbers.put(number)
    with FORK.Pool(workers, _start, (bench, numbers)) as pool:
        yield from pool.imap_unordered(_try, jobs)


def _start(bench: Bench, numbers: multiprocessing.SimpleQueue[int]) -> None:
    """Make a worker's own copy; when it is told to stop, it ends the child it watches."""
    global _bench
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    _bench = replace(bench, scratch=replace(bench.scratch, number=numbers.get()))
    if _bench.scratch.number:
        _bench.scratch.fill()


def _try(job: Job) -> tuple[Mutant, Verdict]:
    return job.mutant, _bench.try_out(job.mutant, job.chosen, job.within)
