"""Slow twins of the readers of bytes: event files, LevelDB blocks, checksums, written plainly from their descriptions."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

POLYNOMIAL = 0x82F63B78
"""Castagnoli's, lowest bit first."""


def crc32c(data: bytes) -> int:
    """Return the check of RFC 3720, bit by bit."""
    word = 0xFFFFFFFF
    for byte in data:
        word ^= byte
        for _ in range(8):
            word = word >> 1 ^ (POLYNOMIAL if word & 1 else 0)
    return word ^ 0xFFFFFFFF


def masked(data: bytes) -> int:
    """Return TFRecord's masked check."""
    word = crc32c(data)
    return ((word >> 15 | word << 17) + 0xA282EAD8) & 0xFFFFFFFF


def frame(message: bytes) -> bytes:
    """Return a message as a TFRecord."""
    size = struct.pack("<Q", len(message))
    return size + struct.pack("<I", masked(size)) + message + struct.pack("<I", masked(message))


def frames(data: bytes) -> Iterator[bytes]:
    """Yield the messages of a TFRecord file up to the first that is not whole."""
    at = 0
    while at + 12 <= len(data):
        head, size = data[at : at + 8], struct.unpack_from("<Q", data, at)[0]
        message = data[at + 12 : at + 12 + size]
        if masked(head) != struct.unpack_from("<I", data, at + 8)[0] or at + 16 + size > len(data):
            return
        if masked(message) != struct.unpack_from("<I", data, at + 12 + size)[0]:
            return
        yield message
        at += 16 + size


def varint(value: int) -> bytes:
    """Return an integer as a varint."""
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def chunk(number: int, data: bytes) -> bytes:
    """Return a field of bytes."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def scalar(tag: str, value: float) -> bytes:
    """Return a Summary.Value with a simple_value."""
    return chunk(1, tag.encode()) + b"\x15" + struct.pack("<f", value)


def tensor(tag: str, value: float) -> bytes:
    """Return a Summary.Value with a tensor of one binary64 number."""
    return chunk(1, tag.encode()) + chunk(8, b"\x08\x02" + chunk(4, struct.pack("<d", value)))


def event(step: int, values: dict[str, float], wall: float = 0.0) -> bytes:
    """Return an Event with scalars."""
    summary = b"".join(chunk(1, scalar(tag, value)) for tag, value in values.items())
    return b"\x09" + struct.pack("<d", wall) + b"\x10" + varint(step) + chunk(5, summary)


def text_event(tag: str, text: str) -> bytes:
    """Return an Event with a text, as the plugin of TensorBoard for texts writes it."""
    metadata = chunk(1, chunk(1, b"text"))
    value = chunk(1, tag.encode()) + chunk(8, b"\x08\x07" + chunk(8, text.encode())) + chunk(9, metadata)
    return b"\x09" + struct.pack("<d", 0.0) + chunk(5, chunk(1, value))


def event_file(*events: bytes) -> bytes:
    """Return an event file, with the version record that all begin with."""
    first = b"\x09" + struct.pack("<d", 0.0) + chunk(3, b"brain.Event:2")
    return b"".join(frame(message) for message in (first, *events))


def log_blocks(data: bytes, origin: int = 0) -> Iterator[bytes]:
    """Yield the records of a .wandb file up to the first that is not whole; `origin` is where its blocks are counted from."""
    at, parts = 7, []
    while True:
        left = 32768 - (at - origin) % 32768
        at += left if left < 7 else 0
        if at + 7 > len(data):
            return
        check, size, kind = struct.unpack_from("<IHB", data, at)
        piece = data[at + 7 : at + 7 + size]
        if len(piece) < size or zlib.crc32(bytes([kind]) + piece) != check or kind not in (1, 2, 3, 4):
            return
        parts.append(piece)
        at += 7 + size
        if kind in (1, 4):
            yield b"".join(parts)
            parts = []


def wandb_file(*records: bytes, origin: int = 0) -> bytes:
    """Return a .wandb file of records, its blocks counted from `origin`."""
    out = b":W&B\xe1\xbe\x00"
    for record in records:
        first, rest = True, record
        while first or rest:
            left = 32768 - (len(out) - origin) % 32768
            if left < 7:
                out, left = out + bytes(left), 32768
            piece, rest = rest[: left - 7], rest[left - 7 :]
            kind = (1 if not rest else 2) if first else (4 if not rest else 3)
            out += struct.pack("<IHB", zlib.crc32(bytes([kind]) + piece), len(piece), kind) + piece
            first = False
    return out


def history(step: int, values: dict[str, str]) -> bytes:
    """Return a Record of history; a key with points is nested."""
    items = b""
    for key, text in values.items():
        pieces = key.split(".")
        names = chunk(1, key.encode()) if len(pieces) == 1 else b"".join(chunk(2, piece.encode()) for piece in pieces)
        items += chunk(1, names + chunk(16, text.encode()))
    return chunk(2, items + (chunk(2, b"\x08" + varint(step)) if step else b""))


def run_record(config: dict[str, str], name: str = "") -> bytes:
    """Return a Record of a run, its configuration as JSON texts."""
    updates = b"".join(chunk(1, chunk(1, key.encode()) + chunk(16, text.encode())) for key, text in config.items())
    return chunk(17, chunk(4, updates) + (chunk(8, name.encode()) if name else b""))
