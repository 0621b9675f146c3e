"""The engine: a study is cut into cells and blocks, finished blocks are kept, the table is made of counts.

Each block has its own random stream, so the table does not depend on workers, backend, order or interruption. Block 0 of all cells comes
first, then block 1: a study that a budget stops has the same number of repetitions everywhere, give or take one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from os import PathLike
from pathlib import Path

import numpy as np

from runoff.results.study import StudyRecord, StudyResult
from runoff.studies.backends import check_backend, fan_out
from runoff.studies.budget import Clock
from runoff.studies.contenders import CONTENDERS, Contender
from runoff.studies.progress import progress
from runoff.studies.simulate import Tally, run_block
from runoff.studies.spec import Cell, Study
from runoff.studies.store import Store

Task = tuple[int, int]
"""(number of the cell, number of the block)."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is finished: the counts of each block of each cell."""

    study: Study
    cells: tuple[Cell, ...]
    blocks: dict[Task, Tally] = field(default_factory=dict)

    def pending(self) -> Iterator[Task]:
        """Yield the tasks that are left, block by block over all cells."""
        for block in range(self.study.n_blocks):
            for c in range(len(self.cells)):
                if (c, block) not in self.blocks:
                    yield c, block

    def n_finished_cells(self) -> int:
        """Return how many cells have all their blocks."""
        done = np.bincount([c for c, _ in self.blocks], minlength=len(self.cells))
        return int((done == self.study.n_blocks).sum())

    def records(self) -> Iterator[StudyRecord]:
        """Yield the rows of the table; blocks are added up in order, whatever order they came in."""
        for c, cell in enumerate(self.cells):
            tallies = [self.blocks[c, b] for b in range(self.study.n_blocks) if (c, b) in self.blocks]
            yield from _rows(self.study, cell, tallies)


def execute(
    study: Study,
    *,
    workers: int | None = None,
    backend: str = "loky",
    store: str | PathLike[str] | None = None,
    budget: str | float | None = None,
    show_progress: bool | None = None,
) -> StudyResult:
    """Run a study; see `runoff.run_study`."""
    clock = Clock(budget)
    check_backend(backend)
    ledger = Ledger(study, tuple(study.cells()))
    kept = None if store is None else Store(Path(store), study)
    if kept is not None:
        kept.open()
        _recall(ledger, kept)
    _compute(ledger, kept, clock, workers=workers, backend=backend, show_progress=show_progress)
    return StudyResult(
        name=study.name,
        title=study.title,
        source=study.source,
        records=tuple(ledger.records()),
        alpha=study.alpha,
        n_resamples=study.n_resamples,
        seed=study.seed,
        complete=len(ledger.blocks) == len(ledger.cells) * study.n_blocks,
        labels=tuple((name, CONTENDERS[name].label) for name in study.methods),
        kinds=tuple((name, CONTENDERS[name].kind) for name in study.methods),
    )


def _recall(ledger: Ledger, store: Store) -> None:
    for c, block in list(ledger.pending()):
        counts = store.load(ledger.cells[c], block)
        if counts is not None:
            ledger.blocks[c, block] = counts


def _compute(
    ledger: Ledger, store: Store | None, clock: Clock, *, workers: int | None, backend: str, show_progress: bool | None
) -> None:
    study, cells = ledger.study, ledger.cells
    left = list(ledger.pending())

    def within_budget() -> Iterator[Task]:
        for task in left:
            if clock.spent:
                return
            yield task

    total = len(cells) * study.n_blocks
    work = partial(_work, study, cells, added_methods(study))
    with progress(study.name, total, total - len(left), len(cells), show=show_progress) as advance:
        for task, counts in fan_out(work, within_budget(), workers=workers, backend=backend):
            ledger.blocks[task] = counts
            if store is not None:
                store.save(cells[task[0]], task[1], counts)
            advance(ledger.n_finished_cells())


def added_methods(study: Study) -> dict[str, Contender]:
    """Return the study's methods that are not runoff's own: they travel with the task, so that workers know them."""
    used = {name: CONTENDERS[name] for name in study.methods}
    return {name: m for name, m in used.items() if not str(m.decide.__module__).startswith("runoff.")}


def _work(study: Study, cells: tuple[Cell, ...], added: dict[str, Contender], task: Task) -> Tally:
    CONTENDERS.update(added)
    return run_block(study, cells[task[0]], task[1])


def _rows(study: Study, cell: Cell, tallies: list[Tally]) -> Iterator[StudyRecord]:
    n = sum(counts.n for counts in tallies)
    for i, name in enumerate(study.methods):
        mean = spread = error = None
        if n:
            mean = sum(float(counts.total[i]) for counts in tallies) / n
            square = sum(float(counts.squares[i]) for counts in tallies) / n
            deviation = sqrt(max(0.0, square - mean * mean))
            error = deviation / sqrt(n)
            spread = None if CONTENDERS[name].is_decision else deviation
        yield StudyRecord(
            world=cell.world.name,
            method=name,
            n_runs=cell.n_runs,
            effect=cell.effect,
            rate=mean,
            rate_error=error,
            spread=spread,
            n_repeats=n,
        )
