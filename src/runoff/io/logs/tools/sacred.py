"""Sacred's file observer: `metrics.json`, or the older `info.json`, beside `config.json` and `run.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Extent, Folder, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import json_file

NAME = "sacred"
METRICS, INFO = "metrics.json", "info.json"
STEPS_SUFFIX = "_T"
"""In info.json the steps of a series have its name with this behind it."""
Entries = Iterator[tuple[str, list[Any], list[Any], list[Any]]]


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with Sacred's files."""
    steps = METRICS in folder.files and b'"steps"' in folder.head(METRICS) and b'"values"' in folder.head(METRICS)
    old = INFO in folder.files and "run.json" in folder.files and b"[" in folder.head(INFO)
    names = [METRICS] if steps else [INFO] if old else []
    files = tuple(Part(folder.path / name) for name in names)
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    extents: dict[str, Extent] = {}
    series: dict[str, Series] = {}
    start: float | None = None
    for part in claim.files:
        for name, points in _all_series(part):
            start = _earlier(start, points)
            last = float(points.step[-1]) if points.step.size else float("nan")
            extents[part.prefix + name] = Extent(points=points.value.size, last=last)
            if wish.keep(part.prefix + name):
                series[part.prefix + name] = points
    return [Log(claim=claim, extents=extents, series={name: _since(points, start) for name, points in series.items()})]


def _all_series(part: Part) -> Iterator[tuple[str, Series]]:
    content = json_file(part.path)
    if not isinstance(content, dict):
        raise DataError(f"{part.path}: an object of series was expected, not {type(content).__name__}.")
    entries = (_of_metrics if part.path.name == METRICS else _of_info)(content)
    return ((name, _series(steps, values, times)) for name, steps, values, times in entries)


def _of_metrics(content: Mapping[str, Any]) -> Entries:
    for name, entry in content.items():
        if isinstance(entry, dict) and isinstance(entry.get("values"), list) and isinstance(entry.get("steps"), list):
            times = entry.get("timestamps")
            yield name, entry["steps"], entry["values"], times if isinstance(times, list) else []


def _of_info(content: Mapping[str, Any]) -> Entries:
    for name, values in content.items():
        steps = content.get(name + STEPS_SUFFIX)
        if isinstance(values, list) and isinstance(steps, list):
            yield name, steps, values, []


def _series(steps: list[Any], values: list[Any], times: list[Any]) -> Series:
    """Return a series; a value may be an object of NumPy's that jsonpickle wrote ({"py/object": …, "value": 0.5})."""
    n = min(len(steps), len(values))
    numbers = [_plain(value) for value in values[:n]]
    at = [_plain(step) for step in steps[:n]]
    return Series(
        step=np.array([np.nan if step is None else step for step in at], dtype=np.float64),
        value=np.array([np.nan if value is None else value for value in numbers], dtype=np.float64),
        time=np.array([_seconds(time) for time in times[:n]]) if len(times) >= n else None,
    )


def _plain(value: Any) -> float | None:
    return number(value.get("value")) if isinstance(value, dict) else number(value)


def _seconds(text: Any) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _earlier(start: float | None, series: Series) -> float | None:
    times = series.time[~np.isnan(series.time)] if series.time is not None else np.empty(0)
    return start if not times.size else float(times.min()) if start is None else min(start, float(times.min()))


def _since(series: Series, start: float | None) -> Series:
    time = None if series.time is None or start is None else series.time - start
    return Series(step=series.step, value=series.value, time=time)


SACRED = Tool(
    title="Sacred",
    layout="`metrics.json` ({series: {steps, values, timestamps}}), or `info.json` ({series: [values], series_T: [steps]}), and `config.json`",
    find=find,
    read=read,
)
