"""Spinning Up (and what logs as it does): `progress.txt`, a table with tabs."""

from __future__ import annotations

import numpy as np

from runoff.io.logs.base import Claim, Extent, Folder, Happening, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import columns_of, tabled
from runoff.io.logs.wire.lines import table

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
    extents: dict[str, Extent] = {}
    series: dict[str, Series] = {}
    happened: list[Happening] = []
    axis = None
    for part in sorted(claim.files, key=lambda part: part.path.name != PROGRESS):
        rows = table(part.path, "\t")
        final = part.path.name == FINAL
        last = max((extent.last for extent in extents.values()), default=0.0)
        prefix = part.prefix + (FINAL_PREFIX if final else "")
        own = (lambda places, step=last: np.full(places.size, step)) if final else None
        found = tabled(columns_of(rows.records()), wish, prefix=prefix, own=own)
        extents |= found.extents
        series |= found.series
        happened += [*rows.happened, *found.happened]
        axis = axis or found.axis
    if all(extent.last == 0 for extent in extents.values()):
        happened.append(Happening(policy="no_step"))
    return [Log(claim=claim, extents=extents, series=series, happened=tuple(happened), axis=axis)]


SPINNINGUP = Tool(
    title="Spinning Up",
    layout="`progress.txt`: a table with tabs, one row an epoch (AverageEpRet, AverageTestEpRet, TotalEnvInteracts), beside `config.json`",
    find=find,
    read=read,
)
