"""LevelDB's log blocks, which Weights & Biases writes its records in, and the items of their history records.

A block has 32768 bytes and holds pieces: check (uint32, of all that follows), length (uint16), type (whole 1, first 2, middle 3, last 4),
data. Source: the log format of github.com/google/leveldb; the check is IEEE's and not masked. Record: history = 2; HistoryRecord: item = 1,
step = 2; HistoryItem: key = 1, nested_key = 2, integer = 5, number = 6, text = 7, value_json = 16; HistoryStep: num = 1. Source:
wandb/proto/wandb_internal.proto.
"""

from __future__ import annotations

import numpy as np

from runoff._arrays import Bytes, Ints, Words
from runoff._kernels._jit import kernel
from runoff._kernels.logs.checksum import checksum, little_endian
from runoff._kernels.logs.events import tag_of
from runoff._kernels.logs.wire import CHUNK, FIXED64, VARINT, field, varint

SIZE, HEAD = 32768, 7
WHOLE, FIRST, MIDDLE, LAST = 1, 2, 3, 4
N_KEYS, N_ITEMS, N_ROWS, N_OTHERS, N_BROKEN, N_RECORDS, STATUS, N_COUNTS = range(8)
"""Entries of `counts`; the first is that of `tag_of`."""
GOES_ON, BROKEN_CHECK, BROKEN_ORDER, TOO_MANY_KEYS = 0, 1, 2, 3
JSON, INTEGER, NUMBER, WORD = 0, 1, 2, 3
"""Kinds of values: JSON text of a number, bits of an int64, bits of a binary64, text that may be NaN or an infinity."""
HISTORY = 2
JOINT, QUOTE, MINUS = 46, 34, 45
"""A point joins the pieces of a nested key."""
NAN, INFINITY = np.frombuffer(b"NaN", np.uint8), np.frombuffer(b"Infinity", np.uint8)


@kernel
def unwrap(data: Bytes, offset: int, rows: Words, payload: Bytes, ends: Ints, counts: Ints) -> tuple[int, int]:
    """Return (position behind the last whole record of `data`, number of records); their bytes go into `payload`, their ends into `ends`.

    offset: where data[0] lies in the grid of blocks. payload: as long as data; ends: (data.size // 7 + 1,).
    """
    at = done = filled = n = 0
    inside = False
    while True:
        left = SIZE - (offset + at) % SIZE
        if left < HEAD:
            at += left
        if at + HEAD > data.size:
            return done, n
        size, kind = little_endian(data, at + 4, 2), int(data[at + 6])
        if at + HEAD + size > data.size:
            return done, n
        if checksum(data, at + 6, at + HEAD + size, rows, 0) != little_endian(data, at, 4):
            counts[STATUS] = BROKEN_CHECK
            return done, n
        if kind < WHOLE or kind > LAST or inside != (kind in (MIDDLE, LAST)):
            counts[STATUS] = BROKEN_ORDER
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
def key_of(data: Bytes, start: int, end: int, scratch: Bytes) -> int:
    """Write the key of an item, or its nested keys with points between, to `scratch` and return its length, -1 if it is too long."""
    size, at = 0, start
    while at < end:
        number, wire, begin, at = field(data, at, end)
        if wire == CHUNK and number in (1, 2):
            if size and size < scratch.size:
                scratch[size] = JOINT
                size += 1
            if size + at - begin > scratch.size:
                return -1
            for i in range(begin, at):
                scratch[size] = data[i]
                size += 1
    return size


@kernel
def kind_of_text(data: Bytes, start: int, end: int) -> int:
    """Return JSON for text that begins as a number, WORD for NaN and infinities (in quotes or not), else -1."""
    if end - start >= 2 and data[start] == QUOTE and data[end - 1] == QUOTE:
        start, end = start + 1, end - 1
        quoted = True
    else:
        quoted = False
    size = end - start
    if size <= 0:
        return -1
    sign = 1 if data[start] == MINUS else 0
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
def item_value(data: Bytes, start: int, end: int) -> tuple[int, int, int]:
    """Return (kind, first, last) of an item's value: the ends of a text or, in `first`, the bits of a number; kind -1 for no number."""
    kind, first, last, at = -1, 0, 0, start
    while at < end:
        number, wire, begin, at = field(data, at, end)
        if at < 0:
            return -1, 0, 0
        if wire == CHUNK and number in (7, 16):
            kind, first, last = kind_of_text(data, begin, at), begin, at
            if number == 7 and kind == JSON:
                kind = -1
        elif wire == VARINT and number == 5:
            value, _ = varint(data, begin, end)
            kind, first = INTEGER, (value >> 1 & 0x7FFFFFFFFFFFFFFF) ^ -(value & 1)
        elif wire == FIXED64 and number == 6:
            kind, first = NUMBER, little_endian(data, begin, 8)
    return kind, first, last


@kernel
def scan_history(
    data: Bytes,
    span: tuple[int, int],
    items: Ints,
    steps: Ints,
    scratch: Bytes,
    known: tuple[Bytes, Ints, Ints],
    counts: Ints,
) -> bool:
    """Enter the numbers of a HistoryRecord at `span` as one row; return whether all of it could be read."""
    at, end = span
    row, step, whole = counts[N_ROWS], 0, True
    if row >= steps.size:
        return False
    while at < end:
        number, wire, start, at = field(data, at, end)
        if at < 0:
            whole = False
            break
        if number == 2 and wire == CHUNK:
            inner = start
            while 0 <= inner < at:
                of_step, kind, begin, inner = field(data, inner, at)
                if of_step == 1 and kind == VARINT:
                    step, _ = varint(data, begin, at)
        elif number == 1 and wire == CHUNK:
            kind, first, last = item_value(data, start, at)
            size = key_of(data, start, at, scratch) if kind >= 0 else 0
            if size < 0:
                whole = False
            elif size:
                which = tag_of(scratch, 0, size, known[0], known[1], known[2], counts)
                if which < 0:
                    counts[STATUS] = TOO_MANY_KEYS
                    break
                n = counts[N_ITEMS]
                items[0, n], items[1, n], items[2, n], items[3, n], items[4, n] = row, which, kind, first, last
                counts[N_ITEMS] = n + 1
    steps[row] = step
    counts[N_ROWS] = row + 1
    return whole


@kernel
def scan_records(
    data: Bytes,
    ends: Ints,
    items: Ints,
    steps: Ints,
    others: Ints,
    scratch: Bytes,
    known: tuple[Bytes, Ints, Ints],
    counts: Ints,
) -> None:
    """Enter the rows of history among the records of `data` that end at `ends`, and where the others lie that are no history.

    items: (5, data.size // 4 + 1), rows row, key, kind, first, last (see `item_value`). steps: (n_records,), the step of each row. others:
    (n, 2), begin and end. counts: N_ITEMS, N_ROWS and N_OTHERS start at 0.
    """
    begin = 0
    for i in range(ends.size):
        end, at, other = ends[i], begin, False
        while at < end:
            number, wire, start, at = field(data, at, end)
            if at < 0:
                counts[N_BROKEN] += 1
                break
            if number == HISTORY and wire == CHUNK:
                if not scan_history(data, (start, at), items, steps, scratch, known, counts):
                    counts[N_BROKEN] += 1
            elif number in (5, 17, 18):
                other = True
        if other and counts[N_OTHERS] < others.shape[0]:
            others[counts[N_OTHERS], 0], others[counts[N_OTHERS], 1] = begin, end
            counts[N_OTHERS] += 1
        counts[N_RECORDS] += 1
        if counts[STATUS] == TOO_MANY_KEYS:
            return
        begin = end
