"""Small files that unpack to huge ones, and files of other kinds: refused in time, with the bound and how to raise it."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import numpy as np
import polars as pl
import pytest

import runoff as ro
from runoff.base.bounds import LIMITS, limit, refuse_beyond

MANY = "algorithm,score\n" + "PPO,1\n" * 50


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return buffer.getvalue()


def saved(write) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


FRAME = pl.DataFrame({"algorithm": ["PPO"] * 50, "score": [1.0] * 50})


@pytest.mark.parametrize(
    ("name", "content", "what", "bound"),
    [
        ("runs.csv", MANY.encode(), "bytes", 100),
        ("runs.csv.gz", gzip.compress(MANY.encode(), mtime=0), "bytes", 200),
        ("runs.npz", saved(lambda file: np.savez_compressed(file, PPO=np.zeros(1000))), "bytes", 5000),
        ("runs.npy", saved(lambda file: np.save(file, np.zeros(100))), "values", 99),
        ("runs.csv", MANY.encode(), "fields", 99),
        ("runs.csv", MANY.replace("1\n", '"1 ""1"""\n').encode(), "values", 99),
        ("runs.txt", b"1\n" * 100, "values", 99),
        ("runs.json", json.dumps({"PPO": {"Pong": [1.0] * 102}}).encode(), "values", 99),
        ("runs.parquet", saved(FRAME.write_parquet), "fields", 99),
        ("runs.feather", saved(FRAME.write_ipc), "columns", 1),
        ("runs.csv", b"a,b,c\n1,2,3\n", "columns", 2),
        ("runs.json", b'{"a": [1], "b": [1], "c": [1]}', "columns", 2),
        ("runs.ndjson", b'{"a": 1, "b": 1}\n{"c": 1}\n', "columns", 2),
        ("runs.npz", saved(lambda file: np.savez(file, a=[1.0], b=[1.0], c=[1.0])), "columns", 2),
        ("runs.csv", b"algo,env,return\nA,x,1\nB,y,1\n", "cells", 3),
    ],
)
def test_what_is_beyond_a_bound_is_refused_and_the_bound_can_be_raised(put, monkeypatch, name, content, what, bound):
    monkeypatch.setenv(LIMITS[what][0], str(bound))
    with pytest.raises(ro.DataError, match=f"more than the {bound} that are taken unasked; .*set .*{LIMITS[what][0]}"):
        ro.read_scores(put(name, content))


def test_a_bound_that_is_raised_lets_the_file_pass(put, monkeypatch):
    monkeypatch.setenv("RUNOFF_MAX_BYTES", str(len(MANY)))
    assert ro.read_scores(put("runs.csv", MANY)).n_runs.tolist() == [[50]]
    monkeypatch.setenv("RUNOFF_MAX_BYTES", "many")
    with pytest.raises(ro.OptionError, match="RUNOFF_MAX_BYTES must be a whole number above 0, not 'many'"):
        ro.read_scores(put("runs.csv", MANY))


def test_files_and_pairs_are_bounded_too(put, monkeypatch):
    for name in "abc":
        folder = put(f"{name}.txt", "1\n2\n").parent
    scores = ro.read_scores(folder)
    monkeypatch.setenv("RUNOFF_MAX_PAIRS", "2")
    with pytest.raises(ro.DataError, match="3 algorithms make 3 pairs, more than the 2"):
        ro.compare(scores)
    assert len(ro.compare(scores, control="a", n_resamples=100).pairs) == 2
    monkeypatch.setenv("RUNOFF_MAX_FILES", "2")
    with pytest.raises(ro.DataError, match="hold 3 files, more than the 2"):
        ro.read_scores(folder)


def test_an_array_whose_header_promises_more_than_there_is_is_refused_unread(put):
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    content = saved(lambda file: np.lib.format.write_array_header_1_0(file, header))
    with pytest.raises(ro.DataError, match="its header promises 8000000000000 bytes, and it has 0"):
        ro.read_scores(put("runs.npy", content))


@pytest.mark.parametrize(
    ("content", "called"),
    [
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "the workbook is damaged|the content is excel"),
        (zipped("[Content_Types].xml", "word/document.xml"), "an Office document"),
        (zipped("mimetype", "content.xml"), "an OpenDocument"),
        (zipped("model/data.pkl", "model/version"), "a PyTorch file, which holds a pickle and is never loaded"),
        (zipped("a.csv"), "a.csv: the file is empty"),
        (b"SQLite format 3\0" + bytes(84), "the database cannot be read|the content is sqlite"),
        (b"\x80\x04\x95\x00", "a Python pickle, which is never loaded"),
        (b"\x89HDF\r\n\x1a\n", "the HDF5 file is damaged|the content is hdf5"),
        (b"BZh91AY", "the bzip2 file is (cut off|damaged)"),
    ],
)
@pytest.mark.parametrize("name", ["runs.xlsx", "runs.csv", "runs"])
def test_files_of_other_kinds_are_called_what_they_are(put, content, called, name):
    with pytest.raises(ro.DataError, match=called):
        ro.read_scores(put(name, content))


@pytest.mark.parametrize("content", ["algorithm,score\n{},q\n", "{},b\nx,y\n", "algorithm,score\n{},1\n{},1e999\n"])
def test_refusals_stay_short_however_long_the_names(put, content):
    for name in ("x" * 200_000, "long name " * 20_000):
        with pytest.raises(ro.DataError) as refusal:
            ro.read_scores(put("runs.csv", content.replace("{}", name)))
        assert len(str(refusal.value)) <= 700


@pytest.mark.parametrize(("wanted", "near"), [("result.csv", True), ("nosuch.csv", False)])
def test_only_near_names_are_suggested(put, wanted, near):
    folder = put("results.csv", MANY).parent
    with pytest.raises(ro.DataError) as refusal:
        ro.read_scores(folder / wanted)
    assert ("Did you mean" in str(refusal.value)) is near


def test_each_bound_is_raised_by_the_variable_of_its_name_alone(monkeypatch):
    usual = {what: limit(what) for what in LIMITS}
    for what in LIMITS:
        monkeypatch.setenv(f"RUNOFF_MAX_{what.upper()}", str(usual[what] + 7))
        assert {other: limit(other) - usual[other] for other in LIMITS} == dict.fromkeys(LIMITS, 0) | {what: 7}
        monkeypatch.delenv(f"RUNOFF_MAX_{what.upper()}")


@pytest.mark.parametrize("what", LIMITS)
def test_as_much_as_a_bound_is_taken_and_more_refused_with_what_takes_less(monkeypatch, what):
    monkeypatch.setenv(LIMITS[what][0], "5")
    refuse_beyond(what, 5, "a file")
    repairs = {"values": "save it as Parquet or unquoted CSV, or set", "fields": "save fewer rows or columns, or set"}
    sentence = f"a file, more than the 5 that are taken unasked; {repairs.get(what, 'set')} the environment variable "
    with pytest.raises(ro.DataError, match=f"^{sentence}{LIMITS[what][0]} to allow more"):
        refuse_beyond(what, 6, "a file")


@pytest.mark.parametrize("given", ["0", "-1", "1.5", "many", "", "\u0665"])
def test_a_bound_is_a_whole_number_above_0(monkeypatch, given):
    monkeypatch.setenv("RUNOFF_MAX_BYTES", given)
    with pytest.raises(ro.OptionError, match="must be a whole number above 0, not"):
        limit("bytes")
