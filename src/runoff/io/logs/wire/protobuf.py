"""The wire format of protocol buffers, for the few messages of a log that are read once. Source: protobuf.dev, "Encoding"."""

from __future__ import annotations

import struct
from collections.abc import Iterator

VARINT, FIXED64, CHUNK, FIXED32 = 0, 1, 2, 5
Value = int | bytes


class Broken(ValueError):
    """The message does not follow the wire format."""


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
    """Return the last chunk at a path of field numbers; nothing where there is none."""
    for number in path:
        message = next(reversed([b"", *chunks(message, number)]))
    return message


def text(data: bytes) -> str:
    """Return UTF-8 text; what is not is replaced."""
    return data.decode("utf-8", "replace")


def double(data: bytes) -> float:
    """Return a binary64 number."""
    if len(data) != 8:
        raise Broken("a number has not 8 bytes")
    return float(struct.unpack("<d", data)[0])


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 70:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7
    raise Broken("an integer is cut off")
