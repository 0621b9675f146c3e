"""One small file of each format: two runs of PPO, 1 and 2, as far as the format can say so."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing

import h5py
import numpy as np
import openpyxl
import polars as pl
from scipy.io import netcdf_file, savemat

TIDY = pl.DataFrame({"algorithm": ["PPO", "PPO"], "task": ["Pong", "Pong"], "run": ["0", "1"], "score": [1.0, 2.0]})


def _bytes(write: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def _texts() -> list[list[str]]:
    return [list(map(str, row)) for row in TIDY.rows()]


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (TIDY.columns, *TIDY.rows()):
        book.active.append(row)
    return _bytes(book.save)


def _database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE runs (algorithm, task, run, score)")
        database.executemany("INSERT INTO runs VALUES (?, ?, ?, ?)", TIDY.rows())
        database.commit()
        return database.serialize()


def _hdf5() -> bytes:
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        file["PPO"] = np.array([1.0, 2.0])
    return buffer.getvalue()


def _netcdf() -> bytes:
    buffer = io.BytesIO()
    file = netcdf_file(buffer, "w")
    for name, size in {"algorithm": 1, "run": 2, "letters": 3}.items():
        file.createDimension(name, size)
    file.createVariable("algorithm", "S1", ("algorithm", "letters"))[:] = np.array([["P", "P", "O"]], dtype="S1")
    file.createVariable("score", "f8", ("algorithm", "run"))[:] = np.array([[1.0, 2.0]])
    file.flush()
    return buffer.getvalue()


TABLE = "<table>" + "".join("<tr><td>" + "<td>".join(row) for row in [TIDY.columns, *_texts()]) + "</table>"


def _notebook(*tables: str) -> bytes:
    cells = [
        {
            "cell_type": "code",
            "source": ["df"],
            "outputs": [{"output_type": "execute_result", "data": {"text/html": [own]}}],
        }
        for own in tables
    ]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


EXAMPLES: Mapping[str, bytes] = {
    "parquet": _bytes(TIDY.write_parquet),
    "feather": _bytes(TIDY.write_ipc),
    "npz": _bytes(lambda buffer: np.savez(buffer, PPO=np.array([[1.0], [2.0]]))),
    "npy": _bytes(lambda buffer: np.save(buffer, np.array([1.0, 2.0]))),
    "ndjson": TIDY.write_ndjson().encode(),
    "json": b'{"PPO": {"Pong": [1.0, 2.0]}}',
    "text": b"1.0\n2.0\n",
    "csv": TIDY.write_csv().encode(),
    "tsv": TIDY.write_csv(separator="\t").encode(),
    "excel": _workbook(),
    "sqlite": _database(),
    "hdf5": _hdf5(),
    "mat": _bytes(lambda buffer: savemat(buffer, {"PPO": np.array([1.0, 2.0])})),
    "yaml": "".join(
        f"- {{algorithm: PPO, task: Pong, run: '{row[2]}', score: {row[3]}}}\n" for row in TIDY.rows()
    ).encode(),
    "toml": b"[PPO]\nPong = [1.0, 2.0]\n",
    "netcdf": _netcdf(),
    "markdown": "\n".join(f"| {' | '.join(row)} |" for row in [TIDY.columns, ["---"] * 4, *_texts()]).encode(),
    "html_table": TABLE.encode(),
    "notebook": _notebook(TABLE),
    "latex_table": b"\\begin{tabular}{llrr}\n"
    + " \\\\\n".join(" & ".join(row) for row in [TIDY.columns, *_texts()]).encode()
    + b"\n\\end{tabular}",
    "spaced": "\n".join("  ".join(row) for row in [TIDY.columns, *_texts()]).encode(),
}
