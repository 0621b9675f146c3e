"""MLflow's file store: `mlruns/EXPERIMENT/RUN` with `meta.yaml`, and a file a metric, parameter and tag, named by it.

A line of a metric is "milliseconds value step" (older: no step; newer: names of a data set behind), in the order of writing. A name with slashes
is a path of folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.limits import refuse_beyond
from runoff.errors import DataError
from runoff.io._known import has_algorithm
from runoff.io._names import clues
from runoff.io.logs.base import Claim, Deleted, Extent, Folder, Happening, Log, Part, Series, Tool, Wish
from runoff.io.logs.config import LARGEST, read_config
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import lines

NAME = "mlflow"
META, METRICS = "meta.yaml", "metrics"
OF_A_RUN = re.compile(rb"^run_(?:id|uuid):", re.MULTILINE)
"""A model's meta.yaml has a source_run_id, and the run's metrics again."""
OWN = "mlflow."
"""What the tool notes in tags for itself begins so."""


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with a run's meta.yaml; it is called by the name of its experiment and its own identifier."""
    if META not in folder.files or METRICS not in folder.folders:
        return []
    head = folder.head(META)
    if b"lifecycle_stage:" not in head or not OF_A_RUN.search(head):
        return []
    files = tuple(Part(path) for path in _below(folder.path / METRICS))
    experiment = str(_meta(folder.path.parent).get("name") or folder.path.parent.name).replace("/", "-")
    parts = (*folder.parts[:-2], experiment, folder.path.name)
    return [Claim(tool=NAME, path=folder.path, parts=parts, files=files, whole=True)]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    meta = _meta(claim.path)
    if meta.get("lifecycle_stage") == "deleted":
        raise Deleted(f"{claim.place}: this run was deleted in MLflow.")
    begin = number(meta.get("start_time"))
    extents: dict[str, Extent] = {}
    series: dict[str, Series] = {}
    happened: list[Happening] = []
    for part in claim.files:
        name = part.path.relative_to(claim.path / METRICS).as_posix()
        found, damage = _metric(part.path, begin)
        happened += damage
        if found.step.size:
            extents[name] = Extent(points=found.step.size, last=float(found.step[-1]))
        if found.step.size and wish.keep(name):
            series[name] = found
    tags = dict(_texts(claim.path / "tags"))
    return [
        Log(
            claim=claim,
            config=configuration(tags, dict(_texts(claim.path / "params"))),
            extents=extents,
            series=series,
            happened=tuple(happened),
            hints=hints_of(str(meta.get("run_name") or tags.get(f"{OWN}runName", ""))),
        )
    ]


def configuration(tags: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Return what was logged of the configuration: parameters, and tags that are not the tool's own."""
    return {**{key: value for key, value in tags.items() if not key.startswith(OWN)}, **params}


def hints_of(run_name: str) -> tuple[str, ...]:
    """Return the name of a run if a script gave it, nothing if it was drawn at random ("bedecked-squid-123")."""
    found = clues(run_name.split("__"))
    return (run_name,) if found.task is not None or any(has_algorithm(text) for _, text in found.left) else ()


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, sorted; links to folders are not followed."""
    found = [Path(path, name) for path, _, names in os.walk(folder) for name in names if not name.startswith(".")]
    refuse_beyond("files", len(found), f"{folder}: the folder holds {len(found)} files")
    return (path for path in sorted(found) if path.is_file())


def _meta(folder: Path) -> dict[str, Any]:
    try:
        found = read_config(folder / META)
    except DataError:
        return {}
    return found if isinstance(found, dict) else {}


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in _below(folder):
        try:
            if path.stat().st_size <= LARGEST:
                yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue


def _metric(path: Path, begin: float | None) -> tuple[Series, list[Happening]]:
    rows: list[tuple[float, float, float]] = []
    broken: list[int] = []
    n = width = 0
    for n, line in enumerate((line for line in lines(path) if line.strip()), start=1):
        fields = line.split()
        width = width or min(len(fields), 3)  # files of older versions have no steps
        row = _row(fields) if len(fields) >= width else None
        if row is None:
            broken.append(n)
        else:
            rows.append(row)
    time, value, step = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    torn = (
        [Happening(policy="torn", where=f"{path.name}, the last line is cut off")] if broken[-1:] == [n] and n else []
    )
    between = len(broken) - len(torn)
    damage = [*torn, *([Happening(policy="malformed", count=between, where=path.name)] if between else [])]
    seconds = None if begin is None else (time - begin) / 1000
    return Series(step=step, value=value, time=seconds), damage


def _row(fields: list[str]) -> tuple[float, float, float] | None:
    """Return milliseconds, value and step of a line."""
    if len(fields) < 2:
        return None
    time, value = number(fields[0]), number(fields[1])
    step = number(fields[2]) if len(fields) > 2 else 0.0
    return None if time is None or value is None or step is None else (time, value, step)


MLFLOW = Tool(
    title="MLflow",
    layout="`mlruns/EXPERIMENT/RUN`: `meta.yaml`, `metrics/NAME` (lines: milliseconds, value, step), `params/NAME`, `tags/NAME`",
    find=find,
    read=read,
)
