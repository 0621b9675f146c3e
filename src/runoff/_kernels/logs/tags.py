"""Names of series as numbers: each name is kept once, in the order in which names appear.

`counts` is an int64 array whose first entries are N_TAGS, N_VALUES and STATUS, for scans of event files and of history records alike.
"""

from __future__ import annotations

from runoff._kernels._jit import kernel
from runoff._kernels.logs.checksum import word_at
from runoff.base.arrays import Bytes, Ints

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
    word, i = 1469598103934665603, start
    while i + 8 <= start + size:
        word = (word ^ word_at(data, i)) * 1099511628211  # FNV-1a, eight bytes at a time
        i += 8
    while i < start + size:
        word = (word ^ int(data[i])) * 1099511628211
        i += 1
    at = (word ^ word >> 32) & (slots.size - 1)
    while slots[at] >= 0:
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
        number = after[before]
        if number < 0 or tags[number, 1] != size or not same_bytes(names, tags[number, 0], data, start, size):
            number = tag_of(data, start, size, names, tags, slots, counts)
        if number < 0:
            counts[STATUS], counts[N_VALUES] = TOO_MANY_TAGS, i
            return
        after[before] = number
        out[START, i] = before = number
