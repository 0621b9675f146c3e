"""`run_study`: a study is cut into cells and blocks, finished blocks are stored, and the table is made of their counts.

Each block has its own random stream, so the table does not depend on workers, backend, order or interruption. Block 0 of all cells comes
first, then block 1, so that a study stopped by a budget has the same number of repetitions everywhere, give or take one block.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf, isfinite, sqrt
from os import PathLike
from pathlib import Path

from runoff.answer.base import filled
from runoff.answer.study import StudyResult, StudyRow
from runoff.errors import OptionError
from runoff.lab import catalogue
from runoff.lab.backends import check_backend, fan_out
from runoff.lab.blocks import Store, Tally, run_block
from runoff.lab.contenders import CONTENDERS, Contender
from runoff.lab.spec import Entry, Study, StudyCell, read_study
from runoff.lab.worlds.real import RealData


def run_study(
    study: Study | str | PathLike[str],
    *,
    workers: int | None = None,
    backend: str = "loky",
    store: str | PathLike[str] | None = None,
    time_limit: str | float | None = None,
    data: RealData = None,
    progress: bool | None = None,
) -> StudyResult:
    """How do methods behave if the truth is known?

    Parameters
    ----------
    study : Study, name or path
        A declaration, the name of a study in the catalogue ("colas2019/table02"; `runoff check list` shows all), or a TOML file.
    workers : int, optional
        The number of processes or threads; None means one per processor.
    backend : "loky", "threads", "dask", "ray", "spark" or a backend registered with joblib
        "dask" and "ray" use the connected cluster, or start a local one.
    store : path, optional
        A folder in which finished blocks are stored. The same study with the same store continues where it stopped, even after `kill -9`.
    time_limit : str or float, optional
        Stop at a block boundary after "90s", "10m", "1.5h" or a number of seconds.
    data : mapping, path, optional
        The runs of empirical worlds: `{name: Scores or values}`, or the folder that contains them.
    progress : bool, optional
        Show a progress bar on stderr; None shows it only in a terminal.

    Returns
    -------
    StudyResult
        Records `world, method, n_runs, effect, rate, rate_error, spread, n_repeats`.

    Raises
    ------
    OptionError
        An unknown study, method, family or backend; a store that belongs to another study (the message says what differs).

    Warns
    -----
    RunoffWarning
        A part of the store is corrupt and is computed again.

    Notes ----- Repetitions are simulated in blocks of 500, each from its own random stream: the table is the same to the last bit for any
    number of workers, any backend and order, interrupted or not. All methods of a cell see the same simulated scores.

    `rate_error` is the standard error of a share, sqrt(p (1 − p) / n) (Colas 2019, section 4.1).

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.lab import World, distribution
    >>> normal = distribution("algorithm", {"family": "normal"})
    >>> world = World(name="normal", grid=((normal,), (normal,)))
    >>> study = ro.Study(name="mine", worlds=(world,), contenders=("welch",), n_runs=(5,), n_repeats=1000)
    >>> result = ro.run_study(study, workers=1)
    >>> 0.03 < result.rows[0].rate < 0.07
    True
    """
    declared = find_study(study, data=data).study
    end = time.monotonic() + seconds(time_limit)
    check_backend(backend)
    ledger = StudyProgress(declared, tuple(declared.cells()))
    parts = None if store is None else Store(Path(store), declared)
    if parts is not None:
        parts.open()
        for c, block in list(ledger.pending()):
            counts = parts.load(ledger.cells[c], block)
            if counts is not None:
                ledger.blocks[c, block] = counts
    _compute(ledger, parts, end, workers=workers, backend=backend, show_progress=progress)
    return filled(
        StudyResult,
        declared,
        rows=tuple(ledger.records()),
        complete=len(ledger.blocks) == len(ledger.cells) * declared.n_blocks,
        labels=tuple((name, CONTENDERS[name].label) for name in declared.contenders),
        kinds=tuple((name, CONTENDERS[name].kind) for name in declared.contenders),
    )


def find_study(study: Study | str | PathLike[str], *, data: RealData = None) -> Entry:
    """Return a study, from the catalogue or a file if it is a name or a path, with the printed values and statements to compare it with."""
    if isinstance(study, Study):
        return Entry(study=study)
    if str(study).endswith(".toml") or isinstance(study, PathLike) or Path(study).is_file():
        return read_study(Path(study), data=data)
    return catalogue.load(study, data=data)


# ── what is finished ──────────

StudyBlock = tuple[int, int]
"""The number of a cell, and the number of one of its blocks."""


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """The finished part of a study: the counts of each block of each cell."""

    study: Study
    cells: tuple[StudyCell, ...]
    blocks: dict[StudyBlock, Tally] = field(default_factory=dict)

    def pending(self) -> Iterator[StudyBlock]:
        """Yield the remaining blocks, block by block over all cells."""
        for block in range(self.study.n_blocks):
            for c in range(len(self.cells)):
                if (c, block) not in self.blocks:
                    yield c, block

    def records(self) -> Iterator[StudyRow]:
        """Yield the rows of the table; blocks are summed in order, whatever the order in which they finished."""
        for c, cell in enumerate(self.cells):
            tallies = [self.blocks[c, b] for b in range(self.study.n_blocks) if (c, b) in self.blocks]
            yield from _rows(self.study, cell, tallies)


def _compute(
    ledger: StudyProgress,
    store: Store | None,
    end: float,
    *,
    workers: int | None,
    backend: str,
    show_progress: bool | None,
) -> None:
    study, cells = ledger.study, ledger.cells
    left = list(ledger.pending())

    def within_budget() -> Iterator[StudyBlock]:
        for task in left:
            if time.monotonic() >= end:
                return
            yield task

    total = len(cells) * study.n_blocks
    # Methods that are not runoff's own travel with the task, so that workers know them.
    used = {name: CONTENDERS[name] for name in study.contenders}
    added = {name: m for name, m in used.items() if not str(m.decide.__module__).startswith("runoff.")}
    work = partial(_work, study, cells, added)
    with progress_bar(study.name, total, total - len(left), show=show_progress) as advance:
        for task, counts in fan_out(work, within_budget(), workers=workers, backend=backend):
            ledger.blocks[task] = counts
            if store is not None:
                store.save(cells[task[0]], task[1], counts)
            advance()


def _work(study: Study, cells: tuple[StudyCell, ...], added: dict[str, Contender], task: StudyBlock) -> Tally:
    CONTENDERS.update(added)
    return run_block(study, cells[task[0]], task[1])


def _rows(study: Study, cell: StudyCell, tallies: list[Tally]) -> Iterator[StudyRow]:
    n = sum(counts.n for counts in tallies)
    for i, name in enumerate(study.contenders):
        mean = spread = error = None
        if n:
            mean = sum(float(counts.total[i]) for counts in tallies) / n
            square = sum(float(counts.squares[i]) for counts in tallies) / n
            # E[v²] − E[v]² over all blocks; rounding may leave it a little below 0 where all values are equal.
            deviation = sqrt(max(0.0, square - mean * mean))
            error = deviation / sqrt(n)
            spread = None if CONTENDERS[name].is_decision else deviation
        yield StudyRow(
            world=cell.world.name,
            contender=name,
            n_runs=cell.n_runs,
            effect=cell.effect,
            rate=mean,
            rate_error=error,
            estimate_std=spread,
            n_repeats=n,
        )


# ── progress: a bar on stderr, for people only ──────────


@contextmanager
def progress_bar(title: str, n_blocks: int, done: int, *, show: bool | None) -> Iterator[Callable[[], None]]:
    """Show the share of finished blocks and the remaining time; yield the function to call after each block."""
    if not (sys.stderr.isatty() if show is None else show):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=n_blocks, completed=done)
        yield lambda: bar.advance(task)


# ── how long it may take ──────────


SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(limit: str | float | None) -> float:
    """Return a time limit in seconds; infinity for None."""
    if limit is None:
        return inf
    if isinstance(limit, int | float) and isfinite(limit) and limit > 0.0:
        return float(limit)
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([smh]?)\s*", str(limit))
    value = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not (isfinite(value) and value > 0.0):
        raise OptionError(f"time_limit must be a time such as '90s', '10m' or '1.5h', not {limit!r}.")
    return value
