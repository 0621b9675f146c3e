"""Reading of TensorBoard's event files: steps, times and values by tag, and text messages. Loops: `_kernels/logs/events.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff._kernels.logs import events as kernels
from runoff._kernels.logs import wire
from runoff._kernels.logs.wire import CASTAGNOLI, tables
from runoff.base.arrays import Bytes, Floats, Ints
from runoff.reading.logs.wire.binary import NameTable, blocks

LONGEST = 1 << 28
"""The largest number of bytes of one record; images are smaller."""
# Who logs gradients has a tag a layer, some thousands; more tags than this are steps or file names put into tags.
MOST_TAGS, NAMES = 1 << 14, 1 << 20
MOST_TEXTS = 64
REASONS = {
    kernels.BROKEN_LENGTH: "the checksum of a record's length is wrong",
    kernels.BROKEN_MESSAGE: "the checksum of a record is wrong",
    kernels.TOO_LONG: "a record is longer than runoff reads",
    wire.TOO_MANY_TAGS: f"it holds more than {MOST_TAGS:,} tags",
}


@dataclass(slots=True, kw_only=True)
class Events:
    """The content of an event file: parallel arrays of all scalars in its order, where `which` is the position of their tag in `tags`."""

    tags: list[str]
    which: Ints
    step: Floats
    wall: Floats
    value: Floats
    first_wall: float
    texts: list[bytes]
    n_records: int
    n_broken: int
    broken_off: str


def read_events(path: Path) -> Events:
    """Return the scalars in an event file up to its end, or to the point where it breaks off."""
    scan = _EventScan(_own_table())
    rest = blocks(path, scan.use)
    return scan.events(rest)


_OF_THREAD = local()


def _own_table() -> NameTable:
    """Return the emptied table of this thread, because new memory for every file would cost a fifth of its time."""
    table: NameTable | None = getattr(_OF_THREAD, "table", None)
    if table is None:
        table = _OF_THREAD.table = NameTable.of(MOST_TAGS, NAMES, kernels.N_COUNTS)
    table.clear()
    return table


@dataclass(slots=True)
class _EventScan:
    """The state of a scan from block to block."""

    table: NameTable
    pieces: list[Ints] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    first_wall: float = float("nan")

    def use(self, data: Bytes) -> int:
        """Process a block; return the number of bytes consumed, -1 at a break."""
        # No scalar takes fewer than six bytes: there is room for all that a block may hold.
        values = np.empty((6, data.size // 6 + 1), np.int64)
        texts = np.empty((MOST_TEXTS, 2), np.int64)
        counts = self.table.counts
        # The first record of a file is its version, with the time at which the writer began: no scalar has it.
        before = counts[kernels.N_RECORDS]
        counts[[wire.N_VALUES, kernels.N_TEXTS]] = 0
        done = kernels.scan_events(data, tables(CASTAGNOLI), LONGEST, values, texts, kernels.KINDS, counts)
        n = self.table.number(data, values)
        if before == 0 < counts[kernels.N_RECORDS]:
            self.first_wall = float(counts[kernels.FIRST_WALL : kernels.FIRST_WALL + 1].view(np.float64)[0])
        self.pieces.append(values[:5, :n].copy())
        for start, end in texts[: counts[kernels.N_TEXTS]][: MOST_TEXTS - len(self.texts)]:
            self.texts.append(data[start:end].tobytes())
        return -1 if counts[wire.STATUS] else done

    def events(self, rest: int) -> Events:
        """Return everything that was read; `rest` bytes at the end were not used."""
        scalars = np.concatenate(self.pieces, axis=1) if self.pieces else np.empty((5, 0), np.int64)
        values = np.empty(scalars.shape[1], np.float64)
        # simple_value is a single; newer writers put the number into a tensor, whose type is that of the program:
        # half and bfloat16 come from training in mixed precision.
        for kind, convert in CONVERT.items():
            of_kind = scalars[3] == kind
            if of_kind.any():
                values[of_kind] = convert(scalars[2][of_kind])
        return Events(
            tags=[name.decode("utf-8", "replace") for name in self.table.after_first(0)],
            which=scalars[4],
            step=scalars[0].astype(np.float64),
            wall=scalars[1].view(np.float64),
            value=values,
            first_wall=self.first_wall,
            texts=self.texts,
            n_records=int(self.table.counts[kernels.N_RECORDS]),
            n_broken=int(self.table.counts[kernels.N_BROKEN]),
            broken_off=self.table.broken_off(REASONS, rest),
        )


CONVERT: Mapping[int, Callable[[Ints], NDArray[Any]]] = {
    kernels.SINGLE: lambda bits: bits.astype(np.uint32).view(np.float32),
    kernels.DOUBLE: lambda bits: bits.view(np.float64),
    kernels.WHOLE: lambda bits: bits,
    kernels.HALF: lambda bits: bits.astype(np.uint16).view(np.float16),
    kernels.BRAIN: lambda bits: (bits.astype(np.uint32) << np.uint32(16)).view(np.float32),
}
"""Kind of bits -> type of numbers."""
