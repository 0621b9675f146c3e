"""Whatever the bytes of a log: runs, or one refusal of ours; never a traceback, never a wrong kind of answer."""

from __future__ import annotations

import shutil
import struct
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.reading.logs.wire.events import read_events
from runoff.reading.logs.wire.records import read_records
from tests.amount import examples
from tests.places import LOGS
from tests.reference import logs as twin

QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
KINDS: dict[str, dict[str, Path]] = {}
"""One file of each kind of each tool. MLflow's file store is damaged in `test_mlflow.py`: its run is more than one folder."""
for _path in sorted(
    path for path in LOGS.glob("*/**/*") if path.is_file() and path.relative_to(LOGS).parts[0] != "mlflow"
):
    _kind = "events" if "tfevents" in _path.name else _path.suffix
    KINDS.setdefault(_path.relative_to(LOGS).parts[0], {})[_kind] = _path
OF_EPISODES = ("inspect_ai", "lerobot", "lm_eval")
"""Tools whose rows may be the unit."""
DAMAGE = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(0, 255), st.sampled_from(["set", "cut", "insert", "repeat"])),
    min_size=1,
    max_size=4,
)


def damaged(data: bytes, damage: list[tuple[int, int, str]]) -> bytes:
    for at, byte, kind in damage:
        at %= len(data) + 1
        if kind == "set":
            data = data[:at] + bytes([byte]) + data[at + 1 :]
        elif kind == "cut":
            data = data[:at] + (data[at + byte :] if byte % 2 else b"")
        elif kind == "insert":
            data = data[:at] + bytes([byte]) * (byte % 9) + data[at:]
        else:
            data = data[:at] + data[max(0, at - byte) :]
    return data


def assert_sound(root: Path, *, episodes: bool = False) -> None:
    """Read and scan, and ask that either answers or refuses in a sentence."""
    asks = (ro.read_curves, ro.scan, *((partial(ro.read_curves, unit="episode"),) if episodes else ()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        for ask in asks:
            answer, refusal = answered(ask, root)
            assert "\n" not in refusal
            assert len(refusal.replace(str(root), "")) < 400
            if isinstance(answer, ro.Curves):
                assert np.isfinite(answer.values).all()


def answered(ask: Callable[[Path], object], root: Path) -> tuple[object, str]:
    try:
        return ask(root), ""
    except ro.RunoffError as refusal:
        return None, str(refusal)


def assert_sound_damaged(
    source: Path, damage: list[tuple[int, int, str]], root: Path, *, episodes: bool = False
) -> None:
    """Read a copy of the folder of a file, in which this file is damaged; the copy is made once."""
    root /= f"of{source.suffix}"
    if not root.exists():
        shutil.copytree(source.parent, root / source.parent.name)
    (root / source.parent.name / source.name).write_bytes(damaged(source.read_bytes(), damage))
    assert_sound(root, episodes=episodes)


@pytest.mark.parametrize("tool", KINDS)
@settings(QUICK, max_examples=examples(6, most=2))
@given(kind=st.integers(0, 11), damage=DAMAGE)
def test_a_damaged_log_is_read_as_far_as_it_goes_or_refused(tool, kind, damage, tmp_path):
    files = list(KINDS[tool].values())
    assert_sound_damaged(files[kind % len(files)], damage, tmp_path, episodes=tool in OF_EPISODES)


@QUICK
@given(st.lists(st.binary(max_size=60), max_size=6), st.binary(max_size=20))
def test_event_files_of_any_messages_give_what_their_twin_gives(tmp_path_factory, messages, tail):
    data = b"".join(map(twin.frame, messages)) + tail
    path = tmp_path_factory.mktemp("events") / "events.out.tfevents.1.h"
    path.write_bytes(data)
    read = read_events(path)
    assert read.n_records == len(list(twin.frames(data)))
    assert read.value.size == read.step.size == read.which.size


@QUICK
@given(
    st.lists(
        st.tuples(st.integers(-(2**40), 2**40), st.dictionaries(st.text(max_size=5), st.floats(width=32), max_size=3)),
        max_size=6,
    )
)
def test_event_files_of_any_scalars_give_them_back(tmp_path_factory, points):
    path = tmp_path_factory.mktemp("events") / "events.out.tfevents.1.h"
    path.write_bytes(twin.event_file(*(twin.event(step, values) for step, values in points)))
    read = read_events(path)
    points_read = [
        (step, read.tags[i], value)
        for step, i, value in zip(*map(np.ndarray.tolist, (read.step, read.which, read.value)), strict=True)
    ]
    expected = [(float(step), tag, value) for step, values in points for tag, value in values.items()]
    assert str(points_read) == str(expected)


@QUICK
@given(st.lists(st.tuples(st.floats(), st.floats(allow_nan=False)), min_size=1, max_size=6))
def test_times_and_double_precision_keep_every_bit(tmp_path_factory, points):
    path = tmp_path_factory.mktemp("events") / "events.out.tfevents.1.h"
    messages = [
        b"\x09" + struct.pack("<d", wall) + twin.chunk(5, twin.chunk(1, twin.tensor("x", value)))
        for wall, value in points
    ]
    path.write_bytes(b"".join(map(twin.frame, messages)))
    read = read_events(path)
    assert np.array_equal(read.wall, [wall for wall, _ in points], equal_nan=True)
    assert read.value.tolist() == [value for _, value in points]
    assert np.array_equal(read.first_wall, points[0][0], equal_nan=True)


@QUICK
@given(st.lists(st.binary(max_size=80), max_size=6))
def test_wandb_files_of_any_records_are_read_to_their_end(tmp_path_factory, messages):
    path = tmp_path_factory.mktemp("wandb") / "run.wandb"
    path.write_bytes(twin.wandb_file(*messages))
    read = read_records(path, lambda key: True)
    assert (read.n_records, read.broken_off) == (len(messages), "")


@QUICK
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["a", "b.c", "é"]), st.floats(allow_nan=False, allow_infinity=False)),
        max_size=5,
    )
)
def test_wandb_files_of_any_history_give_it_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("wandb") / "run.wandb"
    path.write_bytes(
        twin.wandb_file(
            *(twin.history(i, {key: repr(value) for key, value in row.items()}) for i, row in enumerate(rows))
        )
    )
    read = read_records(path, lambda key: True)
    history = {
        key: dict(zip(column.rows.tolist(), column.values.tolist(), strict=True))
        for key, column in read.columns.items()
    }
    expected = {key: {i: row[key] for i, row in enumerate(rows) if key in row} for row in rows for key in row}
    assert history == expected


LINES = st.lists(
    st.sampled_from([*'\t\n1"é\0,{}:', "Epoch", "AverageEpRet", "TotalEnvInteracts", "-2.5", "nan", "1e999", ""]),
    max_size=30,
)
SIGNS = {
    "progress.txt": "AverageEpRet\t",
    "progress.csv": "time/total_timesteps,",
    "result.json": '{"training_iteration":',
    "0.monitor.csv": "#{",
    **dict.fromkeys(("metrics.json", "progress.json", "x.csv", "run.wandb"), '{"steps": {"values": '),
}
"""Names of logs, and how such a file begins."""


@settings(QUICK, max_examples=examples(40))
@given(name=st.sampled_from(sorted(SIGNS)), lines=LINES)
def test_texts_of_any_kind_under_the_names_of_logs_are_read_or_refused(name, lines, tmp_path):
    folder = tmp_path / name.partition(".")[2] / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(SIGNS[name] + "".join(lines))
    assert_sound(folder)
