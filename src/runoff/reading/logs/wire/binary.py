"""Common parts of the readers of binary logs: the wire format of protocol buffers, reading in blocks of a MB, so that the size of a file
costs time and not memory, and numbered names of series.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runoff._kernels.logs import wire
from runoff.base.arrays import Bytes, Ints
from runoff.reading._paths import unreadable

# Every thread that reads holds one, and some arrays of its size that the kernels fill.
BLOCK = 1 << 20


def blocks(path: Path, use: Callable[[Bytes], int]) -> int:
    """Feed a file to `use`, which takes bytes and returns how many of them it has consumed; the rest is passed again with more bytes appended.

    Stop at the end of the file, or when `use` returns -1; return the unused bytes at the end.
    """
    rest = np.empty(0, np.uint8)
    for piece in _pieces(path):
        data = np.concatenate([rest, piece]) if rest.size else piece
        done = use(data)
        if done < 0:
            return int(data.size)
        rest = data[done:]
    return int(rest.size)


def _pieces(path: Path) -> Iterator[Bytes]:
    try:
        with open(path, "rb", buffering=0) as stream:
            # Read into an array of ours: one over bytes would be read-only, for which numba compiles every kernel once more.
            while n := stream.readinto((piece := np.empty(BLOCK, np.uint8)).data):
                yield piece[:n]
    except OSError as error:
        raise unreadable(path, error) from error


@dataclass(slots=True)
class NameTable:
    """The names met in a scan, as numbered by the kernels, and the counts of the kernels (`_kernels/logs/wire.py`)."""

    names: Bytes
    tags: Ints
    slots: Ints
    after: Ints
    counts: Ints

    @classmethod
    def of(cls, most: int, n_bytes: int, n_counts: int) -> NameTable:
        """Return a table with room for `most` names with `n_bytes` bytes in total."""
        return cls(
            names=np.empty(n_bytes, np.uint8),
            tags=np.empty((most, 2), np.int64),
            # The kernels look names up by open addressing, so that there must be free slots: twice as many as names.
            slots=np.full(2 * most, -1, np.int64),
            after=np.full(most, -1, np.int64),
            counts=np.zeros(n_counts, np.int64),
        )

    def clear(self) -> None:
        """Forget all names and counts."""
        self.slots.fill(-1)
        self.after.fill(-1)
        self.counts.fill(0)

    def number(self, data: Bytes, values: Ints) -> int:
        """Replace the starts of names in rows of values by their numbers; return how many values have one."""
        wire.number_tags(data, values, self.names, self.tags, self.slots, self.after, self.counts)
        return int(self.counts[wire.N_VALUES])

    def after_first(self, n: int) -> list[bytes]:
        """Return the names after the first n."""
        spans = self.tags[n : int(self.counts[wire.N_TAGS])]
        return [self.names[start : start + size].tobytes() for start, size in spans]

    def broken_off(self, reasons: Mapping[int, str], rest: int) -> str:
        """Return the reason why a scan ended before the end of its file; nothing if it did not. The last `rest` bytes were not used."""
        status = int(self.counts[wire.STATUS])
        return reasons[status] if status else "the last record is cut off" if rest else ""


# ── protocol buffers (protobuf.dev, "Encoding"), for the few messages of a log that are read once ──────────


VARINT, FIXED64, CHUNK, FIXED32 = 0, 1, 2, 5
Value = int | bytes


class Broken(ValueError):
    """Raised if a message does not follow the wire format."""


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """Yield (number, value) of each field: an integer, or the bytes of a chunk or a fixed-width number."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value: Value
            value, at = _varint(message, at)
        else:
            size = {FIXED64: 8, FIXED32: 4}.get(wire, -1)
            if wire == CHUNK:
                size, at = _varint(message, at)
            if size < 0 or at + size > len(message):
                raise Broken("a field is cut off or of an unknown type")
            value, at = message[at : at + size], at + size
        if number == 0:
            raise Broken("a field has the number 0")
        yield number, value


def chunks(message: bytes, wanted: int) -> Iterator[bytes]:
    """Yield the chunks of one field."""
    for number, value in fields(message):
        if number == wanted and isinstance(value, bytes):
            yield value


def chunk(message: bytes, *path: int) -> bytes:
    """Return the last chunk at a path of field numbers; nothing if there is none."""
    for number in path:
        # Of a field that may be there once the last one counts (protobuf.dev).
        message = next(reversed([b"", *chunks(message, number)]))
    return message


def text(data: bytes) -> str:
    """Return UTF-8 text, with invalid bytes replaced."""
    return data.decode("utf-8", "replace")


def double(data: bytes) -> float:
    """Return a binary64 number."""
    if len(data) != 8:
        raise Broken("a number does not have 8 bytes")
    return float(struct.unpack("<d", data)[0])


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        at += 1
        # Seven bits a byte, the lowest first; a set top bit says that another byte follows. Ten bytes hold 64 bits,
        # and a negative number has all ten.
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7
    raise Broken("an integer is cut off")
