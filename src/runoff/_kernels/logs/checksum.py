"""Cyclic redundancy checks, eight bytes a step: of event files (Castagnoli's polynomial) and LevelDB blocks (IEEE's).

Tables are uint32 (8, 256), row k for a byte that k others follow. Source: Kounavis and Berry 2005 ("slicing-by-8").
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Bytes, Words

CASTAGNOLI, IEEE = 0x82F63B78, 0xEDB88320
"""Polynomials, lowest bit first."""


def tables(polynomial: int) -> Words:
    """Return the tables of a polynomial."""
    rows = np.zeros((8, 256), np.uint32)
    for byte in range(256):
        word = byte
        for _ in range(8):
            word = word >> 1 ^ (polynomial if word & 1 else 0)
        rows[0, byte] = word
    for k in range(1, 8):
        rows[k] = rows[k - 1] >> np.uint32(8) ^ rows[0, rows[k - 1] & np.uint32(255)]
    return rows


@kernel
def half_at(data: Bytes, at: int) -> int:
    """Return the unsigned integer of 4 bytes, lowest first."""
    value = (
        np.int64(data[at]) | np.int64(data[at + 1]) << 8 | np.int64(data[at + 2]) << 16 | np.int64(data[at + 3]) << 24
    )
    return int(np.int64(value))


@kernel
def word_at(data: Bytes, at: int) -> int:
    """Return the integer of 8 bytes, lowest first, as int64."""
    return int(np.int64(half_at(data, at) | half_at(data, at + 4) << 32))


@kernel
def checksum(data: Bytes, start: int, end: int, rows: Words, seed: int) -> int:
    """Return the check of data[start:end], continuing from the check `seed` of what stood before (0 of nothing)."""
    word = np.uint32(seed) ^ np.uint32(0xFFFFFFFF)
    at = start
    while at + 8 <= end:
        low = word ^ np.uint32(half_at(data, at))
        word = (
            rows[7, low & np.uint32(255)]
            ^ rows[6, low >> np.uint32(8) & np.uint32(255)]
            ^ rows[5, low >> np.uint32(16) & np.uint32(255)]
            ^ rows[4, low >> np.uint32(24)]
            ^ rows[3, data[at + 4]]
            ^ rows[2, data[at + 5]]
            ^ rows[1, data[at + 6]]
            ^ rows[0, data[at + 7]]
        )
        at += 8
    while at < end:
        word = word >> np.uint32(8) ^ rows[0, (word ^ np.uint32(data[at])) & np.uint32(255)]
        at += 1
    return int(word ^ np.uint32(0xFFFFFFFF))


@kernel
def little_endian(data: Bytes, at: int, size: int) -> int:
    """Return the unsigned integer of `size` bytes (its low 64 bits, as int64)."""
    value = np.int64(0)
    for i in range(size):
        value |= np.int64(data[at + i]) << (8 * i)
    return int(value)
