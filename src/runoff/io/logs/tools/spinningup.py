"""Spinning Up (and what logs as it does): `progress.txt`, a table with tabs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.rows import log_of, merged
from runoff.io.logs.wire.lines import table_series

NAME = "spinningup"
PROGRESS, FINAL = "progress.txt", "eval.txt"
SIGNS = (b"EpRet", b"TotalEnvInteracts", b"Epoch\t")
"""Words of a header that are Spinning Up's."""
FINAL_PREFIX = "eval/"


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with a progress.txt or a final eval.txt."""
    names = [name for name in (PROGRESS, FINAL) if name in folder.files and _fits(folder.head(name))]
    if not names:
        return []
    files = tuple(Part(folder.path / name) for name in names)
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)]


def _fits(head: bytes) -> bool:
    first = head.partition(b"\n")[0]
    return b"\t" in first and any(sign in first for sign in SIGNS)


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run: the table of its epochs, and its final evaluation at the last step (at 0 without one)."""
    epochs = merged(table_series(part, wish, "\t") for part in claim.files if part.path.name == PROGRESS)
    last = max((extent.last for extent in epochs.extents.values()), default=0.0)
    final = [part for part in claim.files if part.path.name == FINAL]
    at_the_end = (
        table_series(part, wish, "\t", prefix=FINAL_PREFIX, own=lambda rows: np.full(rows.size, last)) for part in final
    )
    tables = merged([epochs, *at_the_end])
    stepless = all(extent.last == 0 for extent in tables.extents.values())
    happened = (*tables.happened, *((Happening(policy="no_step"),) if stepless else ()))
    return [log_of(claim, replace(tables, happened=happened))]


SPINNINGUP = Tool(
    title="Spinning Up",
    layout="`progress.txt`: a table with tabs, one row an epoch (AverageEpRet, AverageTestEpRet, TotalEnvInteracts), beside `config.json`",
    find=find,
    read=read,
)
