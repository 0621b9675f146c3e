"""Whatever the bytes: a reader gives sound scores or one refusal of ours; and what was written is read."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import runoff as ro
from runoff.reading.formats import FORMATS
from runoff.tables.naming import plain as plainly
from runoff.tables.naming import spelled
from tests.amount import examples

QUICK = settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SHARED = settings(QUICK, max_examples=examples(120))
"""Examples that several formats share."""


def spelled_once(names: Iterable[str]) -> bool:
    """Whether no two names differ by capitals or forms alone: those are taken as one, with a warning."""
    distinct = set(names)
    return len({plainly(name).casefold() for name in distinct}) == len(distinct)


NAMES = (
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
    .map(lambda name: f"x{name}")
    .filter(lambda name: name.strip() == name == spelled(name))
)
"""Names that say nothing of what they name, as bare numbers, are refused as keys; characters that a terminal obeys are spelled out."""
UNIT = st.floats(1e-70, 1e70)
NUMBERS = st.one_of(st.just(0.0), UNIT, UNIT.map(lambda x: -x))
"""Scores beyond 1e±75 are refused."""
CELLS = st.dictionaries(
    NAMES,
    st.dictionaries(NAMES, st.lists(NUMBERS, min_size=1, max_size=3), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
).filter(lambda cells: spelled_once(cells) and spelled_once(task for tasks in cells.values() for task in tasks))
FIELDS = st.sampled_from(
    [
        "algorithm",
        "score",
        "run",
        "step",
        "task",
        "PPO",
        "",
        "1",
        "-2.5",
        "nan",
        "1e999",
        "1,5",
        '""',
        "\r\n",
        *'"\n,;\t{]',
    ]
)
PIECES = st.sampled_from(['"a"', '"score"', '"algorithm"', "1", "-1e9", "NaN", "null", "true", "1e999", *"[]{},:\n "])


def assert_read_or_refused(
    content: bytes, name: str, format: str = "auto", axes: str | None = None, keys: str | None = None
) -> ro.Scores | None:
    """Read the bytes; a refusal must be ours and one line."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            scores = ro.read_scores(path, format=format, dims=axes, keys=keys)
        except ro.RunoffError as error:
            refusal = str(error)
        else:
            refusal = None
    if refusal is not None:
        assert len(refusal.splitlines()) == 1
        return None
    assert np.isfinite(scores.values).all()
    assert scores.n_runs.sum() == scores.values.size == len(scores.run_labels) > 0
    return scores


def rows(cells: dict[str, dict[str, list[float]]]) -> list[tuple[str, str, int, float]]:
    return [(a, t, r, v) for a, tasks in cells.items() for t, values in tasks.items() for r, v in enumerate(values)]


def plain(scores: ro.Scores | None) -> dict[str, dict[str, list[float]]]:
    assert scores is not None
    return scores.to_dict()


@SHARED
@given(format=st.sampled_from(["auto", *FORMATS]), content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(format, content):
    assert_read_or_refused(content, "runs.csv" if format == "auto" else "runs", format)


@SHARED
@given(
    format=st.sampled_from(["csv", "tsv", "text", "json", "ndjson"]),
    pieces=st.lists(st.one_of(FIELDS, PIECES), max_size=40),
    joint=st.sampled_from(["", ",", "\t", " "]),
)
@example(format="csv", pieces=["algorithm", "score"], joint=",")
def test_any_text_is_read_or_refused(format, pieces, joint):
    assert_read_or_refused(joint.join(pieces).encode(), "runs", format)


def binary_files() -> dict[str, bytes]:
    buffers = {name: io.BytesIO() for name in ("parquet", "feather", "npz", "npy")}
    frame = pl.DataFrame({"algorithm": ["PPO", "A2C"], "score": [1.0, 2.0]})
    frame.write_parquet(buffers["parquet"])
    frame.write_ipc(buffers["feather"])
    np.savez(buffers["npz"], PPO=np.ones((2, 2)))
    np.save(buffers["npy"], np.ones(3))
    return {name: buffer.getvalue() for name, buffer in buffers.items()}


BINARY = binary_files()


@SHARED
@given(st.sampled_from(sorted(BINARY)), st.floats(0, 1, exclude_max=True), st.integers(0, 255), st.booleans())
def test_a_damaged_binary_file_is_read_or_refused(format, at, byte, cut):
    content = bytearray(BINARY[format])
    index = int(at * len(content))
    content[index] = byte
    assert_read_or_refused(bytes(content[:index] if cut else content), "runs", format)


@QUICK
@given(content=st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
                            lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
                            max_leaves=12))  # fmt: skip
def test_any_json_is_read_or_refused(content):
    assert_read_or_refused(json.dumps(content).encode(), "runs.json")


@QUICK
@given(cells=CELLS)
def test_what_is_written_as_csv_is_read(cells):
    for separator, name in ((",", "runs.csv"), ("\t", "runs.tsv")):
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=separator)
        writer.writerows([("algorithm", "task", "run", "score"), *rows(cells)])
        assert plain(assert_read_or_refused(text.getvalue().encode(), name)) == cells


@QUICK
@given(cells=CELLS)
def test_what_is_written_as_json_ndjson_and_parquet_is_read(cells):
    records = [dict(zip(("algorithm", "task", "run", "score"), row, strict=True)) for row in rows(cells)]
    buffer = io.BytesIO()
    pl.DataFrame(records).write_parquet(buffer)
    keys = "algorithm/task"  # names that nobody knows on both levels are refused without
    assert plain(assert_read_or_refused(json.dumps(cells).encode(), "runs.json", keys=keys)) == cells
    assert plain(assert_read_or_refused(json.dumps(records).encode(), "runs.json")) == cells
    assert plain(assert_read_or_refused("\n".join(map(json.dumps, records)).encode(), "runs.ndjson")) == cells
    assert plain(assert_read_or_refused(buffer.getvalue(), "runs.parquet")) == cells


@QUICK
@given(values=st.lists(NUMBERS, min_size=1, max_size=8))
def test_what_numpy_writes_is_read(values):
    text, npy, npz = io.StringIO(), io.BytesIO(), io.BytesIO()
    np.savetxt(text, values)
    np.save(npy, values)
    np.savez(npz, runs=np.array(values))
    for content, name in (
        (text.getvalue().encode(), "runs.txt"),
        (npy.getvalue(), "runs.npy"),
        (npz.getvalue(), "runs.npz"),
    ):
        assert plain(assert_read_or_refused(content, name, axes="run")) == {"runs": {"task": values}}


HEADS = st.sampled_from(
    [
        "PPO",
        "SAC",
        "Pong",
        "Alien",
        "return",
        "num_steps",
        "time",
        "loss",
        "100k",
        "run",
        "algo",
        "seed 1",
        "seed 2",
        *"x01",
        "",
    ]
)
VALUES = st.sampled_from(["0", "1", "2", "1.5", "Pong", "Alien", "PPO", "seed_1", "100k", ""])
PARTS = st.sampled_from(
    ["PPO", "SAC", "Pong", "Alien", "seed_1", "s2", "3", "PPO_1", "Hopper-v4_0", "results", "a", "b_x"]
)
PATHS = st.sets(st.lists(PARTS, min_size=1, max_size=3).map("/".join), min_size=1, max_size=5)


@QUICK
@given(data=st.data(), heads=st.lists(HEADS, min_size=1, max_size=4, unique=True), n_rows=st.integers(1, 4))
def test_any_small_table_counts_each_score_once_or_is_refused(data, heads, n_rows):
    rows = [data.draw(st.tuples(*(VALUES for _ in heads))) for _ in range(n_rows)]
    content = "\n".join(",".join(f'"{field}"' for field in row) for row in [heads, *rows])
    scores = assert_read_or_refused(content.encode(), "runs.csv")
    if scores is not None:
        assert scores.values.size <= n_rows * len(heads)
        assert not {"loss", "time", "num_steps", "return"} & {*scores.algorithms, *scores.tasks}


def read_or_none(files: list[Path]) -> ro.Scores | None:
    try:
        return ro.read_scores(files)
    except ro.RunoffError:
        return None


@QUICK
@given(paths=PATHS, heads=st.sampled_from(["return", "num_steps,return", "PPO,SAC", "Pong,Alien"]))
def test_any_tree_of_names_is_read_the_same_in_any_order_or_refused(paths, heads):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        files = [Path(folder, f"{path}.csv") for path in sorted(paths)]
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{heads}\n1,2\n3,4\n" if "," in heads else f"{heads}\n1\n2\n")
        assert read_or_none(files) == read_or_none(files[::-1])
