"""The builder of the archive: what it makes of a source folder, and what it refuses."""

from __future__ import annotations

import hashlib
import tomllib

import polars as pl
import pytest

from runoff.archive.sets import FILE, read_set
from tools import archive as builder

CARD = """title = "Two algorithms"
kind = "runs"
benchmark = "Gym"
version = "unknown"
ran_by = "unknown"
repository = "a repository"
path = "scores"
commit = "1"
date = "unknown"
license = "MIT"
citation = "unknown"
quirks = []
[protocol]
[same_runs]
B_again = "small/B"
[source_counts]
A = [2, 3, 99]
B = [1, 1, 3]
B_again = [1, 1, 3]
[tasks]
Pong = ["pong", "Pong-v5"]
[source_sha256]
"""
CURVES = {
    ("A", "pong", "0"): ([0, 1, 2, 99], [0.0, 1.0, 2.0, 5.0]),
    ("A", "Pong-v5", "0"): (list(range(100)), [float(i) for i in range(100)]),
    ("A", "pong", "1"): ([0, 0, 1, 1, 2, 99], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    ("B", "pong", "0"): ([1, 2, 3], [0.0, 0.0, 0.0]),
    ("B_again", "pong", "0"): ([1, 2, 3], [0.0, 0.0, 0.0]),
}


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A source folder of five runs, and the room of a set `small` that is not built yet."""
    folder, room = tmp_path / "sources" / "small", tmp_path / "room"
    folder.mkdir(parents=True)
    (room / "small").mkdir(parents=True)
    points = [(*key, s, v) for key, (steps, values) in CURVES.items() for s, v in zip(steps, values, strict=True)]
    ends = [(*key, steps[-1], values[-1]) for key, (steps, values) in CURVES.items()]
    digests = ""
    for name, rows in (("curves", points), ("final", ends)):
        frame = pl.DataFrame(rows, schema=[*builder.KEYS, "step", "value"], orient="row")
        frame.write_parquet(folder / f"{name}.parquet")
        digests += f'"{name}.parquet" = "{hashlib.sha256((folder / f"{name}.parquet").read_bytes()).hexdigest()}"\n'
    (room / "small" / "set.toml").write_text(CARD + digests)
    monkeypatch.setattr(builder, "ROOM", room)
    monkeypatch.setattr("runoff.archive.sets.ROOM", room)
    read_set.cache_clear()
    yield folder
    read_set.cache_clear()


def rows_of(folder):
    builder.build(folder, "small")
    frame = pl.read_parquet(builder.ROOM / "small" / FILE)
    return {(row["algorithm"], row["task"], row["run"]): row for row in frame.iter_rows(named=True)}


def test_spellings_become_tasks_and_runs_of_two_spellings_stay_apart(source):
    assert set(rows_of(source)) == {
        ("A", "Pong", "0 (Pong-v5)"),
        ("A", "Pong", "0 (pong)"),
        ("A", "Pong", "1"),
        ("B", "Pong", "0"),
    }


def test_curves_keep_their_ends_and_at_most_fifty_points(source):
    steps = rows_of(source)["A", "Pong", "0 (Pong-v5)"]["steps"]
    assert (len(steps), steps[0], steps[-1]) == (50, 0, 99)


def test_a_label_of_two_runs_keeps_its_end_score_without_a_curve(source):
    row = rows_of(source)["A", "Pong", "1"]
    assert (row["score"], row["values"]) == (6.0, [])


def test_what_became_of_the_runs_is_written_below_what_people_wrote(source):
    builder.build(source, "small")
    text = (builder.ROOM / "small" / "set.toml").read_text()
    built = tomllib.loads(text)["built"]
    assert text.startswith(CARD)
    assert (built["runs"], built["twins"], built["mixed"]) == (4, {"B_again": 1}, {"A": 1})
    assert built["algorithms"] == {"A": [1, 3, 99], "B": [1, 1, 3]}


def test_building_again_changes_nothing(source):
    files = [builder.ROOM / "small" / name for name in ("set.toml", FILE)]
    builder.build(source, "small")
    before = [file.read_bytes() for file in files]
    builder.build(source, "small")
    assert [file.read_bytes() for file in files] == before


def test_another_version_of_the_source_is_refused(source):
    (source / "final.parquet").write_bytes((source / "curves.parquet").read_bytes())
    with pytest.raises(SystemExit, match=r"final\.parquet has another hash|unable|duplicate"):
        builder.build(source, "small")


def test_counts_that_are_not_those_of_the_source_are_refused(source):
    card = builder.ROOM / "small" / "set.toml"
    card.write_text(card.read_text().replace("A = [2, 3, 99]", "A = [2, 4, 99]"))
    with pytest.raises(SystemExit, match="A has 2 tasks, 3 runs, not 2, 4"):
        builder.build(source, "small")
