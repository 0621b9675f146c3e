"""Dreamer (and what logs through `elements`): `metrics.jsonl` and `scores.jsonl`, one object a report, beside `config.yaml`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.metric import order
from runoff.io.logs.rows import Tabled, columns_of, log_of, merged, number, tabled
from runoff.io.logs.wire.lines import json_lines

NAME = "dreamer"
FILES = ("metrics.jsonl", "scores.jsonl")
"""In order of precedence: the second repeats the scores of the first."""
IMAGINED = re.compile(r"^(?:train|report|eval)/(?:ret|rew)(?:_\w+)?$")
"""Returns and rewards that the world model imagines, in the names of DreamerV3."""
MODEL = "model/"


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with one of the files, if a score stands in it beside a step."""
    files = tuple(Part(folder.path / name) for name in FILES if name in folder.files and _fits(folder.head(name)))
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def _fits(head: bytes) -> bool:
    """Return whether the first lines are flat objects of numbers with a step, and one of them has a score."""
    names = set(_names(head))
    return "step" in names and any(order(_shown(name)) is not None for name in names)


def _names(head: bytes) -> Iterator[str]:
    for line in head.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield from (name for name, value in record.items() if number(value) is not None)


def _shown(name: str) -> str:
    return f"{MODEL}{name}" if IMAGINED.match(name) else name


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run; a series that both files have is that of `metrics.jsonl`."""
    parts = sorted(claim.files, key=lambda part: FILES.index(part.path.name))
    return [log_of(claim, merged(_series(part, wish) for part in parts))]


def _series(part: Part, wish: Wish) -> Tabled:
    records, happened = json_lines(part.path)
    columns = {_shown(name): column for name, column in columns_of(records).items()}
    series = tabled(columns, wish, prefix=part.prefix)
    return replace(series, happened=(*happened, *series.happened))


DREAMER = Tool(
    title="Dreamer",
    layout='`metrics.jsonl`, `scores.jsonl`: {"step": …, "episode/score": …} a line, beside `config.yaml` (task, seed)',
    find=find,
    read=read,
)
