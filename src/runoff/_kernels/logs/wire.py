"""The wire format of protocol buffers, one field at a time.

Positions are int64 offsets into uint8 data; a position of -1 says that the message is broken. Nothing is read at or beyond `end`.
Source: protobuf.dev, "Encoding".
"""

from __future__ import annotations

from runoff._kernels._jit import kernel
from runoff.base.arrays import Bytes

VARINT, FIXED64, CHUNK, FIXED32 = 0, 1, 2, 5


@kernel
def varint(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return an integer (the low 64 bits, as int64) and the position behind it."""
    value, shift = 0, 0
    while at < end and shift < 70:
        byte = int(data[at])
        at += 1
        if shift < 64:
            value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    return 0, -1


@kernel
def field(data: Bytes, at: int, end: int) -> tuple[int, int, int, int]:
    """Return (number, wire type, start of the value, position behind it) of the field at `at`; of a chunk without its length."""
    key, start = varint(data, at, end)
    if start < 0 or key < 8:
        return 0, 0, 0, -1
    number, wire, behind = key >> 3, key & 7, -1
    if wire == VARINT:
        _, behind = varint(data, start, end)
    elif wire == FIXED64:
        behind = start + 8
    elif wire == FIXED32:
        behind = start + 4
    elif wire == CHUNK:
        size, start = varint(data, start, end)
        if start >= 0 and 0 <= size <= end - start:
            behind = start + size
    if behind < 0 or behind > end:
        return 0, 0, 0, -1
    return number, wire, start, behind
