"""Blocks in parallel: every block is independent and writes its own rows, so the number of threads changes nothing but the time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from runoff._validate import check_count


def n_threads(threads: int | None = None) -> int:
    """Return the number of threads to use: as asked, or RUNOFF_THREADS, or the cores this process may use."""
    if threads is not None:
        return check_count("threads", threads)
    asked = os.environ.get("RUNOFF_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def for_each_block(work: Callable[[int], None], blocks: Iterable[int], threads: int | None = None) -> None:
    """Call `work(b)` for every block; the first exception of a block is raised here."""
    workers = n_threads(threads)
    if workers == 1:
        for block in blocks:
            work(block)
        return
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(work, blocks):
            pass
