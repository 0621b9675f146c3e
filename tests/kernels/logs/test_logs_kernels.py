"""Loops over the bytes of logs against their slow twins, and on bytes that are no logs."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff._kernels.logs import events
from runoff._kernels.logs.blocks import item_value, kind_of_text, unwrap
from runoff._kernels.logs.wire import CASTAGNOLI, IEEE, checksum, field, little_endian, tables, varint
from tests.amount import examples
from tests.reference import logs as twin

BYTES = st.binary(max_size=120)
QUICK = settings(max_examples=examples(60), deadline=None)


def array(data: bytes) -> np.ndarray:
    return np.frombuffer(bytearray(data), np.uint8)


def test_the_check_of_a_published_text_is_that_of_the_standard():
    assert checksum(array(b"123456789"), 0, 9, tables(CASTAGNOLI), 0) == 0xE3069283  # RFC 3720, appendix B.4
    assert checksum(array(bytes(32)), 0, 32, tables(CASTAGNOLI), 0) == 0x8A9136AA


@QUICK
@given(BYTES, st.integers(0, 9))
def test_checks_equal_their_slow_twins_from_any_start(data, start):
    start = min(start, len(data))
    assert checksum(array(data), start, len(data), tables(CASTAGNOLI), 0) == twin.crc32c(data[start:])
    assert checksum(array(data), start, len(data), tables(IEEE), 0) == zlib.crc32(data[start:])


@QUICK
@given(BYTES, BYTES)
def test_a_check_goes_on_from_the_check_of_what_stood_before(first, second):
    before = checksum(array(first), 0, len(first), tables(IEEE), 0)
    assert checksum(array(second), 0, len(second), tables(IEEE), before) == zlib.crc32(first + second)


@QUICK
@given(st.integers(0, 2**64 - 1))
def test_a_varint_is_read_back_as_it_was_written(value):
    written = twin.varint(value)
    assert varint(array(written), 0, len(written)) == (value - (value >> 63 << 64), len(written))
    assert varint(array(written[:-1] + b"\x80"), 0, len(written))[1] == -1


@QUICK
@given(BYTES)
def test_no_field_ends_beyond_its_message(data):
    _, _, start, behind = field(array(data), 0, len(data))
    assert behind == -1 or 0 < start <= behind <= len(data)


def test_a_little_endian_number_is_that_of_struct():
    data = struct.pack("<IHQ", 4_000_000_000, 65_000, 2**63 - 5)
    assert [little_endian(array(data), at, n) for at, n in ((0, 4), (4, 2), (6, 8))] == [
        4_000_000_000,
        65_000,
        2**63 - 5,
    ]


def tensor(dtype: int, rest: bytes) -> np.ndarray:
    return array(b"\x08" + twin.varint(dtype) + rest)


TENSORS = {
    "float content": (
        1,
        twin.chunk(4, struct.pack("<f", 1.5)),
        events.SINGLE,
        struct.unpack("<i", struct.pack("<f", 1.5))[0],
    ),
    "double content": (
        2,
        twin.chunk(4, struct.pack("<d", -2.0)),
        events.DOUBLE,
        struct.unpack("<q", struct.pack("<d", -2.0))[0],
    ),
    "packed float": (1, twin.chunk(5, struct.pack("<f", 2.0)), events.SINGLE, 0x40000000),
    "one float": (1, b"\x2d" + struct.pack("<f", 2.0), events.SINGLE, 0x40000000),
    "one double": (2, b"\x31" + struct.pack("<d", 2.0), events.DOUBLE, 0x4000000000000000),
    "int32": (3, b"\x38" + twin.varint(-7), events.WHOLE, -7),
    "int32 content": (3, twin.chunk(4, struct.pack("<i", -7)), events.WHOLE, -7),
    "int64": (9, twin.chunk(10, twin.varint(9)), events.WHOLE, 9),
    "half": (19, b"\x68" + twin.varint(0x3C00), events.HALF, 0x3C00),
    "text": (7, twin.chunk(8, b"hello"), events.TEXT, 0),
    "two floats": (1, twin.chunk(5, struct.pack("<ff", 2.0, 3.0)), events.NONE, 0),
    "no number": (1, b"", events.NONE, 0),
    "unknown type": (31, b"\x38\x01", events.NONE, 0),
}


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_of_one_number_is_its_bits_and_no_other_is(name):
    dtype, rest, kind, bits = TENSORS[name]
    data = tensor(dtype, rest)
    assert events.tensor_bits(data, 0, data.size, events.KINDS) == (kind, bits)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"1", 0),
        (b"-1", 0),
        (b"-Infinity", 3),
        (b"NaN", 3),
        (b'"NaN"', 3),
        (b'"Nan"', -1),
        (b'"12"', -1),
        (b'"', -1),
        (b"-", -1),
        (b"true", -1),
        (b"{}", -1),
        (b"", -1),
        (b'"a longer text"', -1),
    ],
)
def test_texts_are_numbers_words_or_neither(text, kind):
    assert kind_of_text(array(text), 0, len(text)) == kind
    # A number that someone logged as text, field 7, is no number; NaN and the infinities are, there too.
    json, words = (array(twin.chunk(1, b"key") + twin.chunk(number, text)) for number in (16, 7))
    assert [item_value(item, 0, item.size)[0] for item in (json, words)] == [kind, 3 if kind == 3 else -1]


@QUICK
@given(st.integers(-(2**63), 2**63 - 1))
def test_an_item_with_a_whole_number_gives_it_with_its_sign(value):
    data = twin.chunk(1, b"key") + b"\x28" + twin.varint(value << 1 ^ value >> 63)
    assert item_value(array(data), 0, len(data)) == (1, value, 0, 0, 5)


@QUICK
@given(st.lists(st.binary(max_size=40_000), max_size=4), st.sampled_from([0, 7]))
def test_records_come_out_of_blocks_as_their_slow_twin_tells(records, origin):
    data = twin.wandb_file(*records, origin=origin)[7:]
    payload, ends, counts = np.empty(len(data), np.uint8), np.empty(len(data) // 7 + 1, np.int64), np.zeros(8, np.int64)
    done, n = unwrap(array(data), 7 - origin, tables(IEEE), payload, ends, counts)
    pieces = [payload[start:end].tobytes() for start, end in zip([0, *ends], ends[:n], strict=False)]
    assert (pieces, done, counts[2]) == (records, len(data), 0)
