"""RLlib and Ray Tune: a trial's `result.json` (JSON lines), or its `progress.csv`, whose columns freeze at the first row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.rows import columns_of, flat, tabled
from runoff.io.logs.wire.lines import json_lines, table

NAME = "rllib"
RESULT, PROGRESS = "result.json", "progress.csv"
SIGN = b"training_iteration"
NOT_SERIES = frozenset({"config", "hist_stats", "sampler_perf", "experiment_tag"})
"""What stands in every result and is no number of the training."""


def find(folder: Folder) -> list[Claim]:
    """Return the trial of a folder with a result.json or progress.csv of Ray Tune."""
    names = [name for name in (RESULT, PROGRESS) if name in folder.files and SIGN in folder.head(name)]
    if not names:
        return []
    files = tuple(Part(folder.path / name) for name in names)
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the trial, of result.json if it can be read, else of progress.csv."""
    config: Mapping[str, Any] = {}
    refusals = []
    for part in sorted(claim.files, key=lambda part: part.path.name != RESULT):
        try:
            if part.path.name == RESULT:
                records, happened = json_lines(part.path)
                config = next((record["config"] for record in records if isinstance(record.get("config"), dict)), {})
            else:
                rows = table(part.path, ",")
                records, happened = list(rows.records()), rows.happened
        except DataError as refusal:
            refusals.append(refusal)
            continue
        reports = tabled(columns_of(_series(record) for record in records), wish, prefix=part.prefix)
        unread = [Happening(policy="torn", where=str(refusal).removesuffix(".")) for refusal in refusals]
        return [
            Log(
                claim=claim,
                config=_names(config),
                extents=reports.extents,
                series=reports.series,
                happened=(*happened, *reports.happened, *unread),
                axis=reports.axis,
            )
        ]
    raise refusals[0]


def _series(record: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in record.items() if name not in NOT_SERIES and not name.startswith("config/")}
    return flat(kept)


def _names(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a configuration says of names: a scalar at its top, or what the environment is told."""
    return dict(_entries(config))


def _entries(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        if value is None or isinstance(value, str | int | float):
            yield name, value
        elif name == "env_config" and isinstance(value, Mapping):
            yield from ((f"{name}.{key}", inner) for key, inner in value.items())


RLLIB = Tool(
    title="RLlib and Ray Tune",
    layout="a trial's `result.json` (one JSON object a report), before `progress.csv` (the same as a table), beside `params.json`",
    find=find,
    read=read,
)
