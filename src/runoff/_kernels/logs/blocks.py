"""LevelDB's log blocks, which Weights & Biases writes its records in, and the items of their history records.

A block has 32768 bytes and holds pieces: check (uint32, of all that follows), length (uint16), type (whole 1, first 2, middle 3, last 4),
data. Source: the log format of github.com/google/leveldb; the check is IEEE's and not masked. Record: history = 2; HistoryRecord: item = 1,
step = 2; HistoryItem: key = 1, nested_key = 2, integer = 5, number = 6, text = 7, value_json = 16; HistoryStep: num = 1. Source:
wandb/proto/wandb_internal.proto.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.logs import wire as wires
from runoff.base.arrays import Bytes, Ints, Words

BLOCK, HEAD = 32768, 7
WHOLE, FIRST, MIDDLE, LAST = 1, 2, 3, 4
N_ROWS, N_OTHERS, N_BROKEN, N_RECORDS, N_COUNTS = range(3, 8)
"""More entries of `counts`, which has N_COUNTS."""
BROKEN_CHECK, BROKEN_ORDER = 1, 2
"""`STATUS`: why reading ended; 0 at the last whole record."""
JSON, INTEGER, NUMBER, WORD = 0, 1, 2, 3
"""Kinds of values: JSON text of a number, bits of an int64, bits of a binary64, text that may be NaN or an infinity."""
HISTORY = 2
MOST = np.int64(0x7FFFFFFFFFFFFFFF)
"""All bits of an int64 but its sign."""
QUOTE, MINUS = 34, 45
NAN, INFINITY = np.frombuffer(b"NaN", np.uint8), np.frombuffer(b"Infinity", np.uint8)


@kernel
def unwrap(data: Bytes, offset: int, rows: Words, payload: Bytes, ends: Ints, counts: Ints) -> tuple[int, int]:
    """Return (position behind the last whole record of `data`, number of records); their bytes go into `payload`, their ends into `ends`.

    offset: where data[0] lies in the grid of blocks. payload: as long as data; ends: (data.size // 7 + 1,).
    """
    at = done = filled = n = 0
    inside = False
    while True:
        left = BLOCK - (offset + at) % BLOCK
        if left < HEAD:  # no piece begins so near the end of a block: the writer fills it with zeros
            at += left
        if at + HEAD > data.size:
            return done, n
        size, kind = wires.little_endian(data, at + 4, 2), int(data[at + 6])
        if at + HEAD + size > data.size:
            return done, n
        if wires.checksum(data, at + 6, at + HEAD + size, rows, 0) != wires.little_endian(data, at, 4):
            counts[wires.STATUS] = BROKEN_CHECK
            return done, n
        # A piece that goes on where nothing began, or begins within a record: what follows cannot be trusted.
        if kind < WHOLE or kind > LAST or inside != (kind in (MIDDLE, LAST)):
            counts[wires.STATUS] = BROKEN_ORDER
            return done, n
        for i in range(size):
            payload[filled + i] = data[at + HEAD + i]
        filled += size
        at += HEAD + size
        inside = kind in (FIRST, MIDDLE)
        if not inside:
            ends[n] = filled
            n += 1
            done = at


@kernel
def kind_of_text(data: Bytes, start: int, end: int) -> int:
    """Return JSON for text that begins as a number, WORD for NaN and infinities (in quotes or not), else -1."""
    # Clients write NaN and infinities in quotes, or bare: JSON has no such numbers.
    if end - start >= 2 and data[start] == QUOTE and data[end - 1] == QUOTE:
        start, end = start + 1, end - 1
        quoted = True
    else:
        quoted = False
    size = end - start
    if size <= 0:
        return -1
    sign = 1 if data[start] == MINUS else 0
    # A digit in quotes is text that someone logged, and no number.
    if size > sign and 48 <= int(data[start + sign]) <= 57:
        return -1 if quoted else JSON
    for word in (NAN, INFINITY):
        if size - sign == word.size:
            same = True
            for i in range(word.size):
                same = same and data[start + sign + i] == word[i]
            if same:
                return WORD
    return -1


@kernel
def item_value(data: Bytes, start: int, end: int) -> tuple[int, int, int, int, int]:
    """Return (kind, first, last, start, length): the ends of the value's text or, in `first`, the bits of a number; and where its keys lie.

    The kind is -1 where there is no number, -2 where the item is broken. The keys are the bytes of the fields key and nested_key.
    """
    kind, first, last, key, behind_key, at = -1, 0, 0, -1, -1, start
    while at < end:
        before = at
        number, wire, begin, at = wires.field(data, at, end)
        if at < 0:
            return -2, 0, 0, -1, 0
        if wire == wires.CHUNK and number in (1, 2):
            key, behind_key = before if key < 0 else key, at
        elif wire == wires.CHUNK and number == 16:
            kind, first, last = kind_of_text(data, begin, at), begin, at
        elif wire == wires.CHUNK and number == 7:
            kind, first, last = kind_of_text(data, begin, at), begin, at
            kind = -1 if kind == JSON else kind
        elif wire == wires.VARINT and number == 5:
            value, _ = wires.varint(data, begin, end)
            kind, first = INTEGER, int(value >> 1 & MOST) ^ -(value & 1)  # zig-zag: 0, -1, 1, -2 are sent as 0, 1, 2, 3
        elif wire == wires.FIXED64 and number == 6:
            kind, first = NUMBER, wires.word_at(data, begin)
    # A value without a key belongs to no series.
    return kind if key >= 0 else min(kind, -1), first, last, key, behind_key - key


@kernel
def step_of(data: Bytes, start: int, end: int) -> int:
    """Return the number of a HistoryStep, which is omitted where it is 0."""
    step, at = 0, start
    while 0 <= at < end:
        number, wire, begin, at = wires.field(data, at, end)
        if number == 1 and wire == wires.VARINT:
            step, _ = wires.varint(data, begin, end)
    return step


@kernel
def scan_history(data: Bytes, start: int, end: int, items: Ints, steps: Ints, counts: Ints) -> bool:
    """Enter the numbers of a HistoryRecord as one row; return whether all of it could be read."""
    at, row, whole = start, counts[N_ROWS], True
    if row >= steps.size:
        return False
    steps[row] = 0
    while at < end:
        number, wire, begin, at = wires.field(data, at, end)
        if at < 0:
            whole = False
            break
        if number == 2 and wire == wires.CHUNK:
            steps[row] = step_of(data, begin, at)
        elif number == 1 and wire == wires.CHUNK:
            kind, first, last, key, size = item_value(data, begin, at)
            whole = whole and kind > -2
            if kind >= 0:
                n = counts[wires.N_VALUES]
                items[0, n], items[1, n], items[2, n], items[3, n], items[wires.START, n], items[wires.SIZE, n] = (
                    row,
                    first,
                    last,
                    kind,
                    key,
                    size,
                )
                counts[wires.N_VALUES] = n + 1
    counts[N_ROWS] = row + 1
    return whole


@kernel
def scan_records(data: Bytes, ends: Ints, items: Ints, steps: Ints, others: Ints, counts: Ints) -> None:
    """Enter the rows of history among the records of `data` that end at `ends`, and the places of the other records about the run.

    items: (6, data.size // 4 + 1), rows row, first, last, kind, start and length of the keys (see `item_value`, `number_tags`). steps:
    (n_records,), the step of each row. others: (n, 2), begin and end. counts: N_VALUES, N_ROWS and N_OTHERS start at 0.
    """
    begin = 0
    for i in range(ends.size):
        end, at, other = ends[i], begin, False
        while at < end:
            number, wire, start, at = wires.field(data, at, end)
            if at < 0:
                counts[N_BROKEN] += 1
                break
            if number == HISTORY and wire == wires.CHUNK:
                if not scan_history(data, start, at, items, steps, counts):
                    counts[N_BROKEN] += 1
            elif number in (5, 17, 18):
                other = True
        if other and counts[N_OTHERS] < others.shape[0]:
            others[counts[N_OTHERS], 0], others[counts[N_OTHERS], 1] = begin, end
            counts[N_OTHERS] += 1
        counts[N_RECORDS] += 1
        begin = end
