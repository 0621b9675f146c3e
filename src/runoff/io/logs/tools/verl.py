"""verl's file logger: `PROJECT/EXPERIMENT.jsonl`, one object {"step": N, "data": {series: value}} a step; other loggers write as it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.rows import columns_of, flat, tabled
from runoff.io.logs.wire.lines import json_lines

NAME = "verl"
SIGN = re.compile(rb'\s*\{\s*"step"\s*:\s*-?\d+\s*,\s*"data"\s*:\s*\{')
STEP = "step"
VALIDATED = re.compile(r"val(?:-core|-aux)?/(.+)/[^/]+/[^/]+")
"""Series of a validation: val-core/SOURCE/VARIABLE/STATISTIC, of which a source may have slashes."""


def find(folder: Folder) -> list[Claim]:
    """Return the runs of a folder: its files of such lines, named by their experiments."""
    names = [name for name in folder.named(".jsonl") if SIGN.match(folder.head(name))]
    return [
        Claim(
            tool=NAME,
            path=folder.path / name,
            parts=(*folder.parts, Path(name).stem),
            files=(Part(folder.path / name),),
        )
        for name in names
    ]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run; its task is the data that it is validated on, if these are one source."""
    (part,) = claim.files
    records, happened = json_lines(part.path)
    columns = columns_of(_rows(records))
    reports = tabled(columns, wish, prefix=part.prefix)
    sources = sources_of(columns)
    return [
        Log(
            claim=claim,
            names={"task": sources[0]} if len(sources) == 1 else {},
            extents=reports.extents,
            series=reports.series,
            happened=(*happened, *reports.happened, *_of_several(sources_of(reports.series))),
            axis=reports.axis,
        )
    ]


def _rows(records: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for record in records:
        data = record.get("data")
        if isinstance(data, dict):
            yield flat(data) | {STEP: record.get(STEP)}


def sources_of(names: Iterable[str]) -> list[str]:
    """Return the sources of data that series of a validation are of."""
    return sorted({match.group(1) for name in names if (match := VALIDATED.fullmatch(name))})


def _of_several(sources: list[str]) -> list[Happening]:
    """Return what happened if the score may be of any of several sources."""
    return [Happening(policy="several_sources", where=", ".join(sources[:4]))] if len(sources) > 1 else []


VERL = Tool(
    title="verl",
    layout='`PROJECT/EXPERIMENT.jsonl`, one object {"step": N, "data": {series: value}} a step',
    find=find,
    read=read,
)
