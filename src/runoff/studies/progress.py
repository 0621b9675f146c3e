"""A progress bar on stderr, for people only: no terminal, no bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    """Called after each finished block."""

    def __call__(self, n_cells: int) -> None: ...


@contextmanager
def progress(title: str, n_blocks: int, done: int, n_cells: int, *, show: bool | None) -> Iterator[Advance]:
    """Show blocks, finished cells, blocks a second and the time left; yields the function to call after each block."""
    if not (sys.stderr.isatty() if show is None else show):
        yield _silent
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("blocks"),
        TextColumn(f"{{task.fields[cells]}}/{n_cells} cells"), TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=n_blocks, completed=done, cells=0, rate="")

        def advance(n_cells: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=1, cells=n_cells, rate=f"{speed:.1f}/s" if speed else "")

        yield advance


def _silent(n_cells: int) -> None:
    del n_cells
