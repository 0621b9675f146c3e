"""What event files and .wandb files share: fields of protocol buffers, checks of records, names of series as numbers.

Positions are int64 offsets into uint8 data; a position of -1 says that the message is broken. Nothing is read at or beyond `end`.
`counts` is an int64 array whose first entries are N_TAGS, N_VALUES and STATUS. Sources: protobuf.dev, "Encoding"; Kounavis and Berry 2005
("slicing-by-8") for cyclic redundancy checks, eight bytes a step.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Bytes, Ints, Words

VARINT, FIXED64, CHUNK, FIXED32 = 0, 1, 2, 5


@kernel
def varint(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return an integer (the low 64 bits, as int64) and the position behind it."""
    if at < end and data[at] < 128:  # nearly all
        return int(data[at]), at + 1
    value, shift = np.int64(0), 0
    # Ten bytes hold 64 bits; an eleventh means that this is no integer. A negative int32 has ten.
    while at < end and shift < 70:
        byte = int(data[at])
        at += 1
        if shift < 64:
            value |= np.int64(byte & 127) << shift
        if byte < 128:
            return int(value), at
        shift += 7
    return 0, -1


@kernel
def field(data: Bytes, at: int, end: int) -> tuple[int, int, int, int]:
    """Return (number, wire type, start of the value, position behind it) of the field at `at`; of a chunk without its length."""
    key, start = varint(data, at, end)
    # A key below 8 is of field 0, which does not exist: zeros, as in a file that was not written to its end.
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


# ── checks of records, and the integers in them ──────────

CASTAGNOLI, IEEE = 0x82F63B78, 0xEDB88320
"""Polynomials, lowest bit first: Castagnoli's of event files, IEEE's of LevelDB blocks."""


@cache
def tables(polynomial: int) -> Words:
    """Return the tables of a polynomial, uint32 (8, 256): row k for a byte that k others follow."""
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
    return int(np.int64(half_at(data, at)) | np.int64(half_at(data, at + 4)) << 32)


@kernel
def checksum(data: Bytes, start: int, end: int, rows: Words, seed: int) -> int:
    """Return the check of data[start:end], continuing from the check `seed` of what stood before (0 of nothing)."""
    word = np.uint32(seed) ^ np.uint32(0xFFFFFFFF)
    at = start
    while at + 8 <= end:
        # Slicing by eight: a byte that k others follow has the table of k further rounds, and all eight are looked up at once.
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


# ── names of series: each is kept once, in the order in which names appear ──────────

N_TAGS, N_VALUES, STATUS = range(3)
TOO_MANY_TAGS = 9
"""`STATUS` where there is no room for another name."""
START, SIZE = 4, 5
"""Rows of a table of values: where the name lies; its number replaces the start."""


@kernel
def same_bytes(names: Bytes, at: int, data: Bytes, start: int, size: int) -> bool:
    """Return whether `size` bytes are the same in two arrays."""
    i = 0
    while i + 8 <= size:
        if word_at(names, at + i) != word_at(data, start + i):
            return False
        i += 8
    while i < size:
        if names[at + i] != data[start + i]:
            return False
        i += 1
    return True


@kernel
def tag_of(data: Bytes, start: int, size: int, names: Bytes, tags: Ints, slots: Ints, counts: Ints) -> int:
    """Return the number of a name, kept in `names` where it is new (tags: start, length; slots: open addressing), -1 without room."""
    # The basis of FNV-1a without its last digit, to be an int64: for a table of names any number serves.
    word, i = np.int64(1469598103934665603), start
    while i + 8 <= start + size:
        word = (word ^ word_at(data, i)) * 1099511628211  # FNV-1a, eight bytes at a time
        i += 8
    while i < start + size:
        word = (word ^ int(data[i])) * 1099511628211
        i += 1
    # High bits folded in, for a multiplication moves differences up, and a table of 2^k slots looks at the low ones.
    at = (word ^ word >> 32) & (slots.size - 1)
    while slots[at] >= 0:  # there are twice as many slots as names, so that a free one comes
        number = slots[at]
        if tags[number, 1] == size and same_bytes(names, tags[number, 0], data, start, size):
            return int(number)
        at = (at + 1) & (slots.size - 1)
    new = counts[N_TAGS]
    begin = 0 if new == 0 else tags[new - 1, 0] + tags[new - 1, 1]
    if new >= tags.shape[0] or begin + size > names.size:
        return -1
    for i in range(size):
        names[begin + i] = data[start + i]
    tags[new, 0], tags[new, 1] = begin, size
    slots[at] = new
    counts[N_TAGS] = new + 1
    return int(new)


@kernel
def number_tags(data: Bytes, out: Ints, names: Bytes, tags: Ints, slots: Ints, after: Ints, counts: Ints) -> None:
    """Replace the starts of names in `out` by their numbers; what follows a name without room is dropped.

    after: (tags,), the name that followed each name last, which most often follows it again; -1 at first.
    """
    before = 0
    for i in range(counts[N_VALUES]):
        start, size = out[START, i], out[SIZE, i]
        # Names are logged in the same order at every step: the guess is right nearly always, and saves the hash.
        number = after[before]
        if number < 0 or tags[number, 1] != size or not same_bytes(names, tags[number, 0], data, start, size):
            number = tag_of(data, start, size, names, tags, slots, counts)
        if number < 0:
            counts[STATUS], counts[N_VALUES] = TOO_MANY_TAGS, i
            return
        after[before] = number
        out[START, i] = before = number
