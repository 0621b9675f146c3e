"""Scalars of TensorBoard's event files: TFRecord frames of Event messages.

A frame is length (uint64), its masked check (uint32), message, its masked check. Event: wall_time = 1, step = 2, summary = 5; Summary: value
= 1; Value: tag = 1, simple_value = 2, tensor = 8, metadata = 9. Sources: tensorflow/core/lib/io/record_writer.h,
tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto, tensor.proto, types.proto.
"""

from __future__ import annotations

import numpy as np

from runoff._arrays import Bytes, Ints, Words
from runoff._kernels._jit import kernel
from runoff._kernels.logs.checksum import checksum, little_endian
from runoff._kernels.logs.wire import CHUNK, FIXED32, FIXED64, VARINT, field, varint

FRAME = 16
"""Bytes of a frame beside its message."""
HEAD = 12
SINGLE, DOUBLE, WHOLE, HALF, BRAIN = 0, 1, 2, 3, 4
"""Kinds of bits: IEEE binary32, binary64, an integer, binary16, bfloat16."""
NONE, TEXT = -1, -2
"""What a value may be instead: nothing that can be drawn, or a text (of any plugin)."""
DTYPES = np.full(32, NONE, np.int64)
DTYPES[[1, 2, 3, 4, 5, 6, 7, 9, 14, 19, 22, 23]] = [
    SINGLE,
    DOUBLE,
    *[WHOLE] * 4,
    TEXT,
    WHOLE,
    BRAIN,
    HALF,
    *[WHOLE] * 2,
]
"""TensorFlow's DataType -> kind."""
SIZES = np.full(32, 8, np.int64)
SIZES[[1, 3, 4, 5, 6, 14, 19, 22]] = [4, 4, 1, 2, 1, 2, 2, 4]
WHOLE_FIELD_FIRST, WHOLE_FIELD_LAST = 7, 17
N_TAGS, N_VALUES, N_TEXTS, N_BROKEN, N_RECORDS, STATUS, FIRST_WALL, N_COUNTS = range(8)
"""Entries of `counts`; there are N_COUNTS; FIRST_WALL holds the bits of the first record's wall time."""
GOES_ON, BROKEN_LENGTH, BROKEN_MESSAGE, TOO_LONG, TOO_MANY_TAGS = 0, 1, 2, 3, 4
"""`STATUS`: why reading ended; GOES_ON at the last whole frame."""
MASK = 0xA282EAD8


@kernel
def masked(data: Bytes, start: int, end: int, rows: Words) -> int:
    """Return the masked check of data[start:end]: rotated right by 15 bits, plus a constant."""
    word = checksum(data, start, end, rows, 0)
    return (((word >> 15) | (word << 17)) + MASK) & 0xFFFFFFFF


@kernel
def tag_of(data: Bytes, start: int, size: int, names: Bytes, tags: Ints, slots: Ints, counts: Ints) -> int:
    """Return the number of a tag, kept in `names` where it is new (tags: start, length; slots: open addressing), -1 without room."""
    word = 1469598103934665603
    for i in range(start, start + size):
        word = (word ^ int(data[i])) * 1099511628211  # FNV-1a
    n_slots = slots.size
    at = word & (n_slots - 1)
    while slots[at] >= 0:
        known = slots[at]
        if tags[known, 1] == size:
            same = True
            for i in range(size):
                if names[tags[known, 0] + i] != data[start + i]:
                    same = False
                    break
            if same:
                return int(known)
        at = (at + 1) & (n_slots - 1)
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
def tensor_bits(data: Bytes, at: int, end: int, dtypes: Ints, sizes: Ints) -> tuple[int, int]:
    """Return (kind, bits) of a tensor that holds one number, TEXT for one of text, NONE for all else."""
    dtype, found, bits, n = 0, NONE, 0, 0
    content_at, content_end = -1, -1
    while at < end:
        number, wire, start, at = field(data, at, end)
        if at < 0:
            return NONE, 0
        if number == 1 and wire == VARINT:
            dtype, _ = varint(data, start, end)
        elif number == 4 and wire == CHUNK:
            content_at, content_end = start, at
        elif wire == CHUNK and number in (5, 6):
            size = 4 if number == 5 else 8
            n += (at - start) // size
            if at - start == size:
                bits, found = little_endian(data, start, size), SINGLE if number == 5 else DOUBLE
        elif wire == FIXED32 and number == 5:
            bits, found, n = little_endian(data, start, 4), SINGLE, n + 1
        elif wire == FIXED64 and number == 6:
            bits, found, n = little_endian(data, start, 8), DOUBLE, n + 1
        elif WHOLE_FIELD_FIRST <= number <= WHOLE_FIELD_LAST or number == 13:
            if wire == VARINT:
                bits, _ = varint(data, start, end)
                n += 1
                found = WHOLE
            elif wire == CHUNK and number != 8:
                bits, behind = varint(data, start, at)
                n += 1 if behind == at else 2
                found = WHOLE
    kind = int(dtypes[dtype]) if 0 <= dtype < dtypes.size else NONE
    if kind in (TEXT, NONE):
        return kind, 0
    if content_at >= 0:
        size = int(sizes[dtype])
        return (
            (kind, signed(little_endian(data, content_at, size), size, kind))
            if content_end - content_at == size
            else (NONE, 0)
        )
    return (kind, bits) if n == 1 and found != NONE else (NONE, 0)


@kernel
def signed(bits: int, size: int, kind: int) -> int:
    """Return an integer of `size` bytes with its sign."""
    if kind == WHOLE and size < 8 and bits >> (8 * size - 1):
        return bits - (1 << (8 * size))
    return bits


@kernel
def value_bits(data: Bytes, at: int, end: int, dtypes: Ints, sizes: Ints) -> tuple[int, int, int, int]:
    """Return (kind, bits, start of the tag, its length) of a Summary.Value; a broken one has length -1."""
    kind, bits, tag, size = NONE, 0, at, 0
    while at < end:
        number, wire, start, at = field(data, at, end)
        if at < 0:
            return NONE, 0, 0, -1
        if number == 1 and wire == CHUNK:
            tag, size = start, at - start
        elif number == 2 and wire == FIXED32:
            kind, bits = SINGLE, little_endian(data, start, 4)
        elif number == 8 and wire == CHUNK:
            kind, bits = tensor_bits(data, start, at, dtypes, sizes)
        elif number == 9 and wire == CHUNK and kind == NONE:
            kind = TEXT
    return kind, bits, tag, size


@kernel
def scan_summary(
    data: Bytes,
    span: tuple[int, int],
    event: tuple[int, int],
    out: Ints,
    texts: Ints,
    known: tuple[Bytes, Ints, Ints],
    types: tuple[Ints, Ints],
    counts: Ints,
) -> bool:
    """Enter the scalars of a Summary at `span`, of an event (wall time's bits, step); return whether all of it could be read."""
    at, end = span
    whole = True
    while at < end:
        number, wire, start, at = field(data, at, end)
        if at < 0:
            return False
        if number != 1 or wire != CHUNK:
            continue
        kind, bits, tag, size = value_bits(data, start, at, types[0], types[1])
        if size < 0:
            whole = False
        elif kind == TEXT:
            if counts[N_TEXTS] < texts.shape[0]:
                texts[counts[N_TEXTS], 0], texts[counts[N_TEXTS], 1] = start, at
                counts[N_TEXTS] += 1
        elif kind != NONE:
            which = tag_of(data, tag, size, known[0], known[1], known[2], counts)
            if which < 0:
                counts[STATUS] = TOO_MANY_TAGS
                return whole
            n = counts[N_VALUES]
            out[0, n], out[1, n], out[2, n], out[3, n], out[4, n] = event[1], event[0], bits, kind, which
            counts[N_VALUES] = n + 1
    return whole


@kernel
def scan_event(
    data: Bytes,
    span: tuple[int, int],
    out: Ints,
    texts: Ints,
    known: tuple[Bytes, Ints, Ints],
    types: tuple[Ints, Ints],
    counts: Ints,
) -> bool:
    """Enter the scalars of the Event at `span`; return whether all of it could be read. A field may stand before those it needs."""
    step, wall, summaries = 0, 0, 0
    at, end = span
    while at < end:
        number, wire, start, at = field(data, at, end)
        if at < 0:
            return False
        if number == 1 and wire == FIXED64:
            wall = little_endian(data, start, 8)
        elif number == 2 and wire == VARINT:
            step, _ = varint(data, start, end)
        elif number == 5 and wire == CHUNK:
            summaries += 1
    if counts[N_RECORDS] == 0:
        counts[FIRST_WALL] = wall
    at = span[0]
    whole = True
    while at < end and summaries:
        number, wire, start, at = field(data, at, end)
        if number == 5 and wire == CHUNK:
            summaries -= 1
            whole = scan_summary(data, (start, at), (wall, step), out, texts, known, types, counts) and whole
    return whole


@kernel
def scan_events(
    data: Bytes,
    rows: Words,
    longest: int,
    out: Ints,
    texts: Ints,
    known: tuple[Bytes, Ints, Ints],
    types: tuple[Ints, Ints],
    counts: Ints,
) -> int:
    """Enter the scalars of all whole frames of `data` and return the position behind the last one.

    out: int64 (5, data.size // 6 + 1), rows step, bits of the wall time, bits of the value, kind, number of the tag. texts: (n, 2), where
    values that are text begin and end. known: `names`, `tags`, `slots` of `tag_of`, kept from block to block. counts: see N_TAGS …; N_VALUES
    and N_TEXTS start at 0.
    """
    at = 0
    while at + HEAD <= data.size:
        if masked(data, at, at + 8, rows) != little_endian(data, at + 8, 4):
            counts[STATUS] = BROKEN_LENGTH
            return at
        size = little_endian(data, at, 8)
        if size < 0 or size > longest:
            counts[STATUS] = TOO_LONG
            return at
        start = at + HEAD
        end = start + size
        if end + 4 > data.size:
            return at
        if masked(data, start, end, rows) != little_endian(data, end, 4):
            counts[STATUS] = BROKEN_MESSAGE
            return at
        if not scan_event(data, (start, end), out, texts, known, types, counts):
            counts[N_BROKEN] += 1
        counts[N_RECORDS] += 1
        if counts[STATUS] != GOES_ON:
            return at
        at = end + 4
    return at
