"""Random streams and threads: one seed in, one independent stream per block out, and blocks that run in parallel.

Replicates are drawn in fixed-size blocks. Block b of a call takes the stream keyed by (purpose, ..., b), so the
numbers depend on the seed alone: not on threads, workers, scheduling or machine. NumPy's global state is not used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from runoff.base.validate import check_count
from runoff.errors import OptionError

RNG = int | np.random.Generator
Item = TypeVar("Item")
BlockValue = TypeVar("BlockValue")
DrawnRow = TypeVar("DrawnRow", bound=np.generic)
ROWS_PER_BLOCK = 256
"""Number of draws in a random block."""


@dataclass(frozen=True, slots=True)
class Streams:
    """A family of independent generators that grows from one reported seed."""

    seed: int

    def block(self, purpose: str, *key: int) -> np.random.Generator:
        """Return the generator of one block: the same (seed, purpose, key) gives the same numbers."""
        # A checksum, not hash(): the streams must be those of every process and machine.
        sequence = np.random.SeedSequence(self.seed, spawn_key=(crc32(purpose.encode()), *key))
        return np.random.Generator(np.random.SFC64(sequence))


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalOptions:
    """How intervals are made: their level, how many resamples of which streams, and on how many threads (None: one per processor)."""

    confidence_level: float = 0.95
    n_resamples: int
    streams: Streams
    threads: int | None = None


def streams(rng: RNG) -> Streams:
    """Return the streams of a seed, or of one 63-bit seed drawn from a Generator."""
    if isinstance(rng, np.random.Generator):
        # The seed stands in the answer, as a number that a signed 64-bit integer holds.
        return Streams(int(rng.integers(2**63)))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise OptionError(f"rng must be a non-negative integer or a numpy Generator, not {rng!r}.")
    return Streams(int(rng))


def n_threads(threads: int | None = None) -> int:
    """Return the number of threads to use: as asked, or RUNOFF_THREADS, or the cores this process may use."""
    if threads is not None:
        return check_count("threads", threads)
    if sys.platform == "emscripten":  # Python in a browser starts no thread
        return 1
    setting = os.environ.get("RUNOFF_THREADS", "")
    if setting.isdecimal() and int(setting) > 0:
        return int(setting)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(
    work: Callable[[Item], BlockValue], items: Iterable[Item], threads: int | None = None
) -> list[BlockValue]:
    """Return `work(item)` of every item, in order; the first exception is raised here."""
    items = list(items)
    workers = min(n_threads(threads), len(items))
    if workers <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, items))


def in_blocks(
    n: int, draw: Callable[[int, int], NDArray[DrawnRow]], size: int = ROWS_PER_BLOCK, threads: int | None = None
) -> NDArray[DrawnRow]:
    """Return n rows in order, block by block; `draw(b, rows)` makes those of block b, on any thread."""
    sizes = [min(size, n - first) for first in range(0, n, size)]
    return np.concatenate(in_threads(lambda b: draw(b, sizes[b]), range(len(sizes)), threads))
