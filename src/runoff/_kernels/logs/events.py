"""Scalars of TensorBoard's event files: TFRecord frames of Event messages.

A frame is length (uint64), its masked check (uint32), message, its masked check. Event: wall_time = 1, step = 2, summary = 5; Summary: value
= 1; Value: tag = 1, simple_value = 2, tensor = 8, metadata = 9. Sources: tensorflow/core/lib/io/record_writer.h,
tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto, tensor.proto, types.proto.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.logs import wire as wires
from runoff.base.arrays import Bytes, Ints, Words

HEAD = 12
SINGLE, DOUBLE, WHOLE, HALF, BRAIN = 0, 1, 2, 3, 4
"""Kinds of bits: IEEE binary32, binary64, an integer, binary16, bfloat16."""
NONE, TEXT = -1, -2
"""What a value may be instead of a number: nothing that can be drawn, or a text (of any plugin)."""
KINDS = np.array([[NONE] * 32, [8] * 32])
KINDS[:, [1, 2, 3, 4, 5, 6, 7, 9, 14, 19, 22, 23]] = [
    [SINGLE, DOUBLE, WHOLE, WHOLE, WHOLE, WHOLE, TEXT, WHOLE, BRAIN, HALF, WHOLE, WHOLE],
    [4, 8, 4, 1, 2, 1, 8, 8, 2, 2, 4, 8],
]
"""TensorFlow's DataType -> kind, and bytes of one number."""
UNSIGNED = (4, 22, 23)
"""The unsigned integers among these: uint8, uint32, uint64."""
WHOLE_FIELD_FIRST, WHOLE_FIELD_LAST = 7, 17
SUMMARY, VALUE = 5, 1
"""Fields: of an Event, of a Summary."""
N_TEXTS, N_BROKEN, N_RECORDS, FIRST_WALL, N_COUNTS = range(3, 8)
"""More entries of `counts`, which has N_COUNTS; FIRST_WALL holds the bits of the first record's wall time."""
BROKEN_LENGTH, BROKEN_MESSAGE, TOO_LONG = 1, 2, 3
"""`STATUS`: why reading ended; 0 at the last whole frame."""
MASK = 0xA282EAD8


@kernel
def masked(data: Bytes, start: int, end: int, rows: Words) -> int:
    """Return the masked check of data[start:end]: rotated right by 15 bits, plus a constant."""
    # Masked by the format, for a check of data that holds checks of its own says little.
    word = wires.checksum(data, start, end, rows, 0)
    return (((word >> 15) | (word << 17)) + MASK) & 0xFFFFFFFF


@kernel
def tensor_bits(data: Bytes, at: int, end: int, kinds: Ints) -> tuple[int, int]:
    """Return (kind, bits) of a tensor that holds one number, TEXT for one of text, NONE for all else."""
    dtype, coding, bits, n = 0, NONE, 0, 0
    content_at, content_end = -1, -1
    while at < end:
        number, wire, start, at = wires.field(data, at, end)
        if at < 0:
            return NONE, 0
        if number == 1 and wire == wires.VARINT:
            dtype, _ = wires.varint(data, start, end)
        elif number == 4 and wire == wires.CHUNK:
            content_at, content_end = start, at
        elif wire == wires.CHUNK and number in (5, 6):
            size = 4 if number == 5 else 8
            n += (at - start) // size
            if at - start == size:
                bits, coding = wires.little_endian(data, start, size), SINGLE if number == 5 else DOUBLE
        elif wire == wires.FIXED32 and number == 5:
            bits, coding, n = wires.little_endian(data, start, 4), SINGLE, n + 1
        elif wire == wires.FIXED64 and number == 6:
            bits, coding, n = wires.little_endian(data, start, 8), DOUBLE, n + 1
        # Whole numbers of any width are sent as varints, one by one or packed in a chunk; 8 is string_val.
        elif WHOLE_FIELD_FIRST <= number <= WHOLE_FIELD_LAST:
            if wire == wires.VARINT:
                bits, _ = wires.varint(data, start, end)
                n += 1
                coding = WHOLE
            elif wire == wires.CHUNK and number != 8:
                bits, behind = wires.varint(data, start, at)
                n += 1 if behind == at else 2  # a list that goes on behind its first number is no scalar
                coding = WHOLE
    kind = int(kinds[0, dtype]) if 0 <= dtype < kinds.shape[1] else NONE
    if kind in (TEXT, NONE):
        return kind, 0
    if content_at >= 0:
        size = int(kinds[1, dtype])
        if content_end - content_at != size:
            return NONE, 0
        word = wires.little_endian(data, content_at, size)
        return kind, word if dtype in UNSIGNED else signed(word, size, kind)
    return (kind, bits) if n == 1 and coding != NONE else (NONE, 0)


@kernel
def signed(bits: int, size: int, kind: int) -> int:
    # Two's complement of fewer than 8 bytes, which were read without a sign.
    if kind == WHOLE and size < 8 and bits >> (8 * size - 1):
        return bits - (1 << (8 * size))
    return bits


@kernel
def value_bits(data: Bytes, at: int, end: int, kinds: Ints) -> tuple[int, int, int, int]:
    """Return (kind, bits, start of the tag, its length) of a Summary.Value; a broken one has length -1."""
    kind, bits, tag, size = NONE, 0, at, 0
    while at < end:
        number, wire, start, at = wires.field(data, at, end)
        if at < 0:
            return NONE, 0, 0, -1
        if number == 1 and wire == wires.CHUNK:
            tag, size = start, at - start
        elif number == 2 and wire == wires.FIXED32:
            kind, bits = SINGLE, wires.half_at(data, start)
        elif number == 8 and wire == wires.CHUNK:
            kind, bits = tensor_bits(data, start, at, kinds)
        # Metadata of a plugin without a value, as hyperparameters have it.
        elif number == 9 and wire == wires.CHUNK and kind == NONE:
            kind = TEXT
    return kind, bits, tag, size


@kernel
def head_of(data: Bytes, at: int, end: int) -> tuple[int, int, bool, int, int]:
    """Return (bits of the wall time, step, whether all of it can be read, the span of its first Summary or -1 for its start) of an Event."""
    wall, step, first, last = 0, 0, -1, end
    while at < end:
        number, wire, start, at = wires.field(data, at, end)
        if at < 0:
            return wall, step, False, first, last
        if number == 1 and wire == wires.FIXED64:
            wall = wires.word_at(data, start)
        elif number == 2 and wire == wires.VARINT:
            step, _ = wires.varint(data, start, end)
        elif number == SUMMARY and wire == wires.CHUNK and first < 0:
            first, last = start, at
    return wall, step, True, first, last


@kernel
def next_chunk(data: Bytes, at: int, end: int, wanted: int) -> tuple[int, int]:
    """Return the span of the first chunk with the number `wanted`; -1 for its start if there is none, for its end if the message is broken."""
    while at < end:
        number, wire, start, at = wires.field(data, at, end)
        if at < 0:
            return -1, -1
        if number == wanted and wire == wires.CHUNK:
            return start, at
    return -1, end


@kernel
def frame_at(data: Bytes, at: int, rows: Words, longest: int, counts: Ints) -> tuple[int, int]:
    """Return the span of the message of the frame at `at`; -1 for its start where it is not whole (STATUS says why, unless it is cut off)."""
    if at + HEAD > data.size:
        return -1, at
    # The length is checked by itself: a wrong one would lead anywhere.
    if masked(data, at, at + 8, rows) != wires.half_at(data, at + 8):
        counts[wires.STATUS] = BROKEN_LENGTH
        return -1, at
    size = wires.word_at(data, at)
    if size < 0 or size > longest:
        counts[wires.STATUS] = TOO_LONG
        return -1, at
    start = at + HEAD
    # Cut off, as the last frame of a run that is still being written: no fault, and read when it is whole.
    if start + size + 4 > data.size:
        return -1, at
    if masked(data, start, start + size, rows) != wires.half_at(data, start + size):
        counts[wires.STATUS] = BROKEN_MESSAGE
        return -1, at
    return start, start + size


@kernel
def scan_event(data: Bytes, start: int, end: int, out: Ints, texts: Ints, kinds: Ints, counts: Ints) -> bool:
    """Enter the scalars of the Event that lies there; return whether all of it could be read."""
    wall, step, whole, first, last = head_of(data, start, end)
    # The version record comes first: its time is when the run began.
    if counts[N_RECORDS] == 0:
        counts[FIRST_WALL] = wall
    while whole and first >= 0:
        at, behind = next_chunk(data, first, last, VALUE)
        while at >= 0:
            kind, bits, tag, size = value_bits(data, at, behind, kinds)
            if size < 0:
                whole = False
            elif kind == TEXT and counts[N_TEXTS] < texts.shape[0]:
                texts[counts[N_TEXTS], 0], texts[counts[N_TEXTS], 1] = at, behind
                counts[N_TEXTS] += 1
            elif kind >= 0:
                n = counts[wires.N_VALUES]
                out[0, n], out[1, n], out[2, n], out[3, n], out[4, n], out[5, n] = step, wall, bits, kind, tag, size
                counts[wires.N_VALUES] = n + 1
            at, behind = next_chunk(data, behind, last, VALUE)
        whole = whole and behind >= 0
        first, last = next_chunk(data, last, end, SUMMARY)
    return whole


@kernel
def scan_events(data: Bytes, rows: Words, longest: int, out: Ints, texts: Ints, kinds: Ints, counts: Ints) -> int:
    """Enter the scalars of all whole frames of `data` and return the position behind the last one.

    out: int64 (6, data.size // 6 + 1), rows step, bits of the wall time, bits of the value, kind, start and length of the tag.
    texts: (n, 2), where values that are text begin and end. kinds: KINDS. counts: N_VALUES and N_TEXTS start at 0.
    """
    at = 0
    while True:
        start, end = frame_at(data, at, rows, longest, counts)
        if start < 0:
            return at
        if not scan_event(data, start, end, out, texts, kinds, counts):
            counts[N_BROKEN] += 1
        counts[N_RECORDS] += 1
        at = end + 4
