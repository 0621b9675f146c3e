"""Event files and .wandb files from bytes: values, breaks, and the same answer however the bytes come in."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from threading import local

import numpy as np
import pytest

from runoff.errors import DataError
from runoff.reading.logs.tools import tensorboard
from runoff.reading.logs.tools.stable_baselines3 import arrays_of
from runoff.reading.logs.wire import binary, events, records, sqlite
from runoff.reading.logs.wire.events import read_events
from runoff.reading.logs.wire.lines import json_file, json_lines, table
from runoff.reading.logs.wire.records import read_records
from tests.reference import logs as twin

SCALARS = [twin.event(step, {"reward": step / 2, "loss": -step}, wall=100.0 + step) for step in range(5)]


@pytest.fixture
def event_file(put):
    return put("events.out.tfevents.1.host", twin.event_file(*SCALARS))


def test_an_event_file_gives_tags_steps_times_and_values(event_file):
    read = read_events(event_file)
    assert read.tags == ["reward", "loss"]
    assert read.step.tolist() == [step for step in range(5) for _ in range(2)]
    assert read.value.tolist() == [value for step in range(5) for value in (step / 2, -step)]
    assert (read.wall[::2].tolist(), read.first_wall, read.broken_off) == ([100.0, 101.0, 102.0, 103.0, 104.0], 0.0, "")


@pytest.mark.parametrize("cut", [1, 10, 17, 30])
def test_an_event_file_that_is_cut_off_gives_what_stands_before(event_file, put, cut):
    read = read_events(put("cut", event_file.read_bytes()[:-cut]))
    assert (read.step[::2].tolist(), read.broken_off) == ([0, 1, 2, 3], "the last record is cut off")


def test_a_broken_check_ends_the_reading_there(event_file, put):
    data = bytearray(event_file.read_bytes())
    at = len(twin.event_file(*SCALARS[:3]))
    for offset, reason in ((8, "length"), (20, "a record is wrong")):
        broken = data.copy()
        broken[at + offset] ^= 1
        read = read_events(put(f"broken{offset}", bytes(broken)))
        assert read.step[::2].tolist() == [0, 1, 2]
        assert reason in read.broken_off


def test_the_tags_of_one_file_are_not_those_of_the_next(put):
    for name in ("a", "b", "a"):
        assert read_events(put(name, twin.event_file(twin.event(1, {name: 1.0})))).tags == [name]


def test_a_step_behind_two_summaries_is_that_of_both(put):
    summaries = (
        twin.chunk(5, twin.chunk(1, twin.chunk(1, tag) + b"\x15" + struct.pack("<f", 2))) for tag in (b"a", b"b")
    )
    read = read_events(put("behind", twin.event_file(b"".join(summaries) + b"\x10\x07")))
    assert (read.tags, read.step.tolist(), read.value.tolist()) == (["a", "b"], [7, 7], [2, 2])


def test_a_record_that_is_no_event_is_counted_and_the_next_is_read(put):
    read = read_events(put("odd", twin.event_file(SCALARS[0], b"\x2a\x7f", SCALARS[1])))
    assert (read.n_broken, read.step[::2].tolist()) == (1, [0, 1])


def test_small_blocks_give_what_large_ones_give(event_file, monkeypatch):
    whole = read_events(event_file)
    monkeypatch.setattr(binary, "BLOCK", 37)
    pieces = read_events(event_file)
    assert (pieces.value.tolist(), pieces.step.tolist(), pieces.tags) == (
        whole.value.tolist(),
        whole.step.tolist(),
        whole.tags,
    )


def test_text_and_numbers_of_all_kinds_are_told_apart(put):
    number = twin.chunk(1, b"whole") + twin.chunk(8, b"\x08\x09" + twin.chunk(10, twin.varint(-3)))
    half = twin.chunk(1, b"half") + twin.chunk(8, b"\x08\x13" + b"\x68" + twin.varint(0x3C00))
    brain = twin.chunk(1, b"brain") + twin.chunk(8, b"\x08\x0e" + b"\x68" + twin.varint(0x4000))
    text = twin.chunk(1, b"note") + twin.chunk(8, b"\x08\x07" + twin.chunk(8, b"hello"))
    message = b"\x10\x05" + twin.chunk(5, b"".join(twin.chunk(1, value) for value in (number, half, text, brain)))
    read = read_events(put("kinds", twin.event_file(message)))
    assert dict(zip([read.tags[i] for i in read.which], read.value.tolist(), strict=True)) == {
        "whole": -3.0,
        "half": 1.0,
        "brain": 2.0,
    }
    assert read.texts == [text]


def test_more_tags_than_are_looked_at_end_the_reading_with_the_reason(put, monkeypatch):
    monkeypatch.setattr(events, "MOST_TAGS", 4)
    monkeypatch.setattr(events, "_OF_THREAD", local())
    read = read_events(put("many", twin.event_file(*(twin.event(i, {f"tag{i}": 1.0}) for i in range(8)))))
    assert (len(read.tags), "more than" in read.broken_off) == (4, True)


# ── .wandb ──────────


HISTORY = [
    twin.history(step, {"reward": str(step / 4), "losses.value": "-1e-3", "note": '"text"'}) for step in range(900)
]


def test_a_wandb_file_gives_columns_by_row_and_the_step_of_each_row(put):
    read = read_records(
        put("run.wandb", twin.wandb_file(twin.run_record({"seed": "1"}), *HISTORY)), lambda key: key != "losses.value"
    )
    assert read.columns["reward"].values.tolist() == [step / 4 for step in range(900)]
    assert (read.counted["losses.value"].points, read.counted["losses.value"].last_row) == (900, 899)
    assert (read.steps.tolist(), len(read.others), read.broken_off) == (list(range(900)), 1, "")


@pytest.mark.parametrize("origin", [0, 7])
def test_blocks_of_newer_and_older_writers_are_read(put, origin):
    data = twin.wandb_file(*HISTORY, origin=origin)
    assert len(data) > 2 * 32768
    read = read_records(put("run.wandb", data), lambda key: key == "reward")
    assert (read.columns["reward"].values.size, read.broken_off) == (900, "")


def test_small_blocks_of_bytes_change_nothing(put, monkeypatch):
    path = put("run.wandb", twin.wandb_file(*HISTORY))
    whole = read_records(path, lambda key: True)
    monkeypatch.setattr(binary, "BLOCK", 5_000)
    pieces = read_records(path, lambda key: True)
    values = [{key: column.values.tolist() for key, column in read.columns.items()} for read in (whole, pieces)]
    assert values[0] == values[1]
    assert set(values[0]) == {"reward", "losses.value"}
    assert np.array_equal(pieces.steps, whole.steps)


def test_numbers_words_and_typed_values_are_read_and_texts_are_not(put):
    typed = twin.chunk(1, twin.chunk(1, b"whole") + b"\x28" + twin.varint(9)) + twin.chunk(
        1, twin.chunk(1, b"real") + b"\x31" + struct.pack("<d", 2.5)
    )
    first = twin.history(
        0, {"a": "NaN", "b": '"-Infinity"', "c": "12", "d": "true", "e": '"12"', "f": "[1]", "g": "-0.5e3"}
    )
    read = read_records(put("run.wandb", twin.wandb_file(first, twin.chunk(2, typed))), lambda key: True)
    values = {key: column.values.tolist() for key, column in read.columns.items() if not np.isnan(column.values).any()}
    assert values == {"b": [-np.inf], "c": [12.0], "g": [-500.0], "whole": [-5.0], "real": [2.5]}
    assert np.isnan(read.columns["a"].values).all()


def test_a_wandb_file_that_is_cut_off_gives_what_stands_before(put):
    data = twin.wandb_file(*HISTORY[:100])
    read = read_records(put("run.wandb", data[:-3]), lambda key: True)
    assert (read.columns["reward"].values.size, read.broken_off) == (99, "the last record is cut off")


def test_what_does_not_begin_as_a_wandb_file_is_refused(put):
    with pytest.raises(DataError, match=r"does not begin like a \.wandb file"):
        read_records(put("run.wandb", b"PK" + bytes(50)), lambda key: True)


def test_a_key_told_twice_in_a_row_counts_once_with_its_last_value(put):
    twice = twin.chunk(2, b"".join(twin.chunk(1, twin.chunk(1, b"x") + twin.chunk(16, text)) for text in (b"1", b"2")))
    assert read_records(put("run.wandb", twin.wandb_file(twice)), lambda key: True).columns["x"].values.tolist() == [
        2.0
    ]


def test_more_keys_than_are_looked_at_end_the_reading_with_the_reason(put, monkeypatch):
    monkeypatch.setattr(records, "MOST_KEYS", 4)
    read = read_records(
        put("run.wandb", twin.wandb_file(twin.history(0, {f"k{i}": "1" for i in range(9)}))), lambda key: True
    )
    assert "more than" in read.broken_off


# ── protocol buffers, text, archives ──────────


@pytest.mark.parametrize("message", [b"\x0a\x05ab", b"\x09ab", b"\x80", b"\x0b", b"\x00\x01", b"\xff" * 11])
def test_a_malformed_message_is_broken(message):
    with pytest.raises(binary.Broken):
        list(binary.fields(message))


def test_a_number_of_a_message_has_eight_bytes():
    with pytest.raises(binary.Broken):
        binary.double(b"abc")


def test_a_table_counts_rows_that_are_cut_off_and_rows_that_do_not_fit(put):
    rows = table(put("t.csv", "a,b\n1,2\n3\n4,5\n6"), ",")
    assert rows.rows == [["1", "2"], ["4", "5"]]
    assert [(happening.policy, happening.count) for happening in rows.happened] == [("torn", 1), ("malformed", 1)]


def test_a_name_that_comes_twice_is_kept_once(put):
    assert table(put("t.csv", "a,b,a\n1,2,3\n"), ",").rows == [["1", "2"]]


def test_json_lines_leave_out_what_is_cut_off(put):
    records, happened = json_lines(put("r.json", '{"a": 1}\n\n[1]\n{"a": 2}\n{"a"'))
    assert records == [{"a": 1}, {"a": 2}]
    assert [(happening.policy, happening.count) for happening in happened] == [("torn", 1), ("malformed", 1)]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "the file is empty"), (b"[" * 100_000, "nested too deeply"), (b'{"a": ', "not well-formed")],
)
def test_json_that_cannot_be_read_is_refused_in_one_sentence(put, content, message):
    with pytest.raises(DataError, match=message):
        json_file(put("m.json", content))


def test_an_archive_that_would_fill_memory_or_holds_pickles_is_refused(put, tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "large.npz", x=np.zeros(5_000))
    np.savez(tmp_path / "pickled.npz", x=np.array([{}], dtype=object))
    with pytest.raises(DataError, match="pickled"):
        arrays_of(tmp_path / "pickled.npz")
    monkeypatch.setenv("RUNOFF_MAX_BYTES", "10000")
    with pytest.raises(DataError, match="unpacked, the archive has"):
        arrays_of(tmp_path / "large.npz")
    with pytest.raises(DataError, match="not a whole NumPy file"):
        arrays_of(put("no.npz", b"PK\x03\x04nothing"))


def test_the_hyper_parameters_that_tensorboard_keeps_have_their_names():
    entries = (("lr", b"\x11" + struct.pack("<d", 0.25)), ("agent", twin.chunk(3, b"PPO")))
    pairs = [twin.chunk(1, twin.chunk(1, name.encode()) + twin.chunk(2, value)) for name, value in entries]
    message = twin.chunk(9, twin.chunk(1, twin.chunk(2, twin.chunk(3, b"".join(pairs)))))
    assert dict(tensorboard._of_plugin(message)) == {"lr": 0.25, "agent": "PPO"}


WHOLE_NUMBERS = {3: "<i", 4: "<B", 5: "<h", 6: "<b", 9: "<q", 22: "<I"}
"""The codes of TensorFlow's types of whole numbers, and how each is packed."""


@pytest.mark.parametrize("code", WHOLE_NUMBERS)
@pytest.mark.parametrize("number", [-128, -7, -1, 0, 1, 127])
def test_a_packed_whole_number_has_its_sign_whatever_its_bytes(put, code, number):
    packed = WHOLE_NUMBERS[code]
    number = number % (1 << 8 * struct.calcsize(packed)) if packed.isupper() else number
    value = twin.chunk(1, b"x") + twin.chunk(8, bytes([8, code]) + twin.chunk(4, struct.pack(packed, number)))
    read = read_events(put("whole", twin.event_file(twin.chunk(5, twin.chunk(1, value)))))
    assert (read.tags, read.value.tolist()) == (["x"], [number])


@pytest.mark.parametrize("origin", [0, 7])
@pytest.mark.parametrize("left", [1, 3, 6])
@pytest.mark.parametrize("block", [None, 33_000], ids=["at once", "in pieces"])
def test_the_few_bytes_that_no_record_fits_into_at_the_end_of_a_block_are_skipped(
    put, monkeypatch, origin, left, block
):
    def row(step: int, n: int) -> bytes:
        return twin.history(step, {"x": str(step), "note": f'"{"-" * n}"'})

    rows: list[bytes] = []
    for step in range(3):
        have = len(twin.wandb_file(*rows, row(step, 20_000), origin=origin)) - origin
        rows.append(row(step, 20_000 + 32768 - left - have % 32768))
        assert (len(twin.wandb_file(*rows, origin=origin)) - origin) % 32768 == 32768 - left
    if block:
        monkeypatch.setattr(binary, "BLOCK", block)
    read = read_records(put("run.wandb", twin.wandb_file(*rows, row(3, 5), origin=origin)), lambda key: key == "x")
    assert (read.columns["x"].values.tolist(), read.broken_off) == ([0.0, 1.0, 2.0, 3.0], "")


def test_names_of_a_database_with_broken_bytes_have_a_mark_in_place_of_these(tmp_path):
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE own (name TEXT)")
        connection.execute("INSERT INTO own VALUES (CAST(x'61FF62' AS TEXT))")
    with sqlite.database(path) as connection:
        assert connection.execute("SELECT name FROM own").fetchall() == [("a\ufffdb",)]
        assert sqlite.columns(connection, "own") == {"name"}
        assert not sqlite.columns(connection, "other")


def test_a_database_lacks_what_it_lacks_and_a_file_that_is_none_lacks_all(put, tmp_path):
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE own (name TEXT, value REAL)")
    wanted = [{"own": {"name"}}, {"own": {"name", "key"}}, {"own": {"name"}, "other": {"name"}}]
    assert [sqlite.holds(path, tables) for tables in wanted] == [True, False, False]
    assert not sqlite.holds(put("b.db", b"no database" * 99), wanted[0])


def test_of_a_field_that_comes_twice_the_last_counts_at_every_level():
    inner = [twin.chunk(2, text) for text in (b"first", b"second")]
    message = twin.chunk(1, twin.chunk(2, b"none")) + twin.chunk(1, b"".join(inner))
    assert binary.chunk(message, 1, 2) == b"second"
    assert [*binary.chunks(message, 1)] == [twin.chunk(2, b"none"), b"".join(inner)]
    assert binary.chunk(message, 1, 3) == binary.chunk(message, 4) == b""


@pytest.mark.parametrize("block", [37, 1 << 20])
def test_of_many_texts_the_first_are_kept_however_the_bytes_come_in(put, monkeypatch, block):
    monkeypatch.setattr(events, "MOST_TEXTS", 3)
    monkeypatch.setattr(binary, "BLOCK", block)
    texts = (twin.event(i, {"x": 1.0}) + twin.text_event(f"note{i}", "hello") for i in range(8))
    read = read_events(put("texts", twin.event_file(*texts)))
    assert [f"note{i}".encode() in text for i, text in enumerate(read.texts)] == [True] * 3
