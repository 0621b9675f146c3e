"""Independent pieces of work in parallel: each has its own stream, so the number of threads changes nothing but the time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from runoff.base.validate import check_count

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def n_threads(threads: int | None = None) -> int:
    """Return the number of threads to use: as asked, or RUNOFF_THREADS, or the cores this process may use."""
    if threads is not None:
        return check_count("threads", threads)
    asked = os.environ.get("RUNOFF_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(work: Callable[[Item], Answer], items: Iterable[Item], threads: int | None = None) -> list[Answer]:
    """Return `work(item)` of every item, in order; the first exception is raised here."""
    items = list(items)
    workers = min(n_threads(threads), len(items))
    if workers <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, items))


def for_each_block(work: Callable[[int], None], blocks: Iterable[int], threads: int | None = None) -> None:
    """Call `work(b)` for every block of a call that writes its own rows."""
    in_threads(work, blocks, threads)
