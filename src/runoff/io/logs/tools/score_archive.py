"""Published score archives (Dreamer's `scores/*.json.gz`, its baselines, Crafter): a JSON list of runs {task, method, seed, xs, ys}."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError
from runoff.io.logs.base import Claim, Extent, Folder, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import json_file

NAME = "score_archive"
SIGN = re.compile(rb'"xs"\s*:\s*\[')
KEYS = {"task": "task", "algorithm": "method", "run": "seed"}
"""Role -> key of an entry."""
SCORE = "score"


def find(folder: Folder) -> list[Claim]:
    """Return the archives of a folder; each may hold many runs."""
    names = [name for name in folder.named(".json", ".json.gz") if _fits(folder.opened(name))]
    return [
        Claim(tool=NAME, path=folder.path / name, parts=(*folder.parts, name), files=(Part(folder.path / name),))
        for name in names
    ]


def _fits(head: bytes) -> bool:
    return head.lstrip().startswith(b"[") and SIGN.search(head) is not None and b'"task"' in head


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the runs of an archive."""
    (part,) = claim.files
    content = json_file(part.path)
    if not isinstance(content, list) or not content:
        raise DataError(f"{part.path}: a list of runs {{task, method, seed, xs, ys}} was expected.")
    return [_log(claim, f"{part.path}, run {i}", entry, wish) for i, entry in enumerate(content, start=1)]


def _log(claim: Claim, place: str, entry: Any, wish: Wish) -> Log:
    if not isinstance(entry, dict):
        raise DataError(f"{place}: an object was expected, not {type(entry).__name__}.")
    names = {role: _name(place, entry, key) for role, key in KEYS.items()}
    step, value = (_numbers(place, entry, key) for key in ("xs", "ys"))
    if step.size != value.size:
        raise DataError(f"{place}: xs has {step.size} number(s), ys has {value.size}; they must be as many.")
    last = float(step[-1]) if step.size else float("nan")
    return Log(
        claim=claim,
        names=names,
        extents={SCORE: Extent(points=step.size, last=last)},
        series={SCORE: Series(step=step, value=value)} if wish.keep(SCORE) else {},
        inner="/".join(names.values()),
        axis="xs",
    )


def _name(place: str, entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise DataError(f"{place}: {key!r} is {str(value)[:40]!r}; each run of an archive needs task, method and seed.")
    return str(value).strip()


def _numbers(place: str, entry: Mapping[str, Any], key: str) -> Floats:
    """Return a list of numbers; null is NaN, which means that nothing was measured."""
    values = entry.get(key)
    if not isinstance(values, list):
        raise DataError(f"{place}: {key!r} must be a list of numbers.")
    numbers = [float("nan") if value is None else number(value) for value in values]
    if None in numbers:
        wrong = str(values[numbers.index(None)])[:40]
        raise DataError(f"{place}: {key!r} has {wrong!r}, which is not a number.")
    return np.array(numbers, dtype=np.float64)


SCORE_ARCHIVE = Tool(
    title="Score archive",
    layout="a JSON file, `.gz` or not, [{task, method, seed, xs: [steps], ys: [scores]}, …], with many runs (Dreamer's published scores)",
    find=find,
    read=read,
)
