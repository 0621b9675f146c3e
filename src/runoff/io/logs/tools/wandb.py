"""Weights & Biases: the .wandb file of a run folder, online or offline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from runoff.io._known import has_algorithm
from runoff.io._names import clues
from runoff.io.logs.base import Claim, Extent, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.config import flat
from runoff.io.logs.metric import counts_steps
from runoff.io.logs.rows import tabled
from runoff.io.logs.wire import protobuf
from runoff.io.logs.wire.records import HEAD, Records, read_records

NAME = "wandb"
CONFIG, RUN = 5, 17
"""Fields of a Record."""
RUN_CONFIG, DISPLAY_NAME = 4, 8
"""Fields of a RunRecord."""
OWN = "_wandb"
"""What the tool notes in a configuration for itself."""


def find(folder: Folder) -> list[Claim]:
    """Return the runs of a folder with .wandb files; all that lies deeper belongs to them."""
    names = [name for name in folder.named(".wandb") if folder.head(name)[: len(HEAD)] in (HEAD, b"")]
    files = [Part(folder.path / name) for name in names]
    if len(files) == 1 and folder.path.name.startswith(("run-", "offline-run-")):
        return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=tuple(files), whole=True)]
    return [Claim(tool=NAME, path=part.path, parts=(*folder.parts, part.path.stem), files=(part,)) for part in files]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run: its history against its own steps, or a series that counts those of the environment."""
    (part,) = claim.files
    records = read_records(part.path, lambda key: wish.keep(key) or counts_steps(key) or key == wish.axis)
    steps = records.steps
    table = tabled(records.columns, wish, own=lambda rows: steps[rows].astype(float))
    config, display_name = _configuration(records.others)
    return [
        Log(
            claim=claim,
            config=config,
            extents=table.extents | _counted(records, table.axis),
            series=table.series,
            happened=(*table.happened, *_happened(records)),
            axis=table.axis,
            hints=(display_name,) if _says_something(display_name) else (),
        )
    ]


def _counted(records: Records, axis: str | None) -> dict[str, Extent]:
    found = {}
    for key, counted in records.counted.items():
        step = float(records.steps[counted.last_row])
        if axis is not None:
            column = records.columns[axis]
            place = max(int(column.rows.searchsorted(counted.last_row, side="right")) - 1, 0)
            step = float(column.values[place])
        found[key] = Extent(points=counted.points, last=step)
    return found


def _happened(records: Records) -> Iterator[Happening]:
    if records.broken_off:
        yield Happening(policy="torn", where=f"{records.broken_off} after {records.n_records} records")
    if records.n_broken:
        yield Happening(policy="malformed", count=records.n_broken)


def _configuration(others: Iterable[bytes]) -> tuple[dict[str, Any], str]:
    """Return the flat configuration, later updates winning, and the name of the run."""
    found: dict[str, Any] = {}
    display_name = ""
    for record in others:
        try:
            for run in protobuf.chunks(record, RUN):
                display_name = protobuf.text(protobuf.chunk(run, DISPLAY_NAME)) or display_name
                found |= dict(_updates(protobuf.chunk(run, RUN_CONFIG)))
            for config in protobuf.chunks(record, CONFIG):
                found |= dict(_updates(config))
        except protobuf.Broken:
            continue
    entries = {key: value for key, value in found.items() if key.split(".")[0] != OWN}
    return flat(entries), display_name


def _updates(config: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a ConfigRecord: update = 1, of key = 1, nested_key = 2, value_json = 16."""
    for item in protobuf.chunks(config, 1):
        keys = [protobuf.text(key) for number in (1, 2) for key in protobuf.chunks(item, number) if key]
        try:
            value = json.loads(protobuf.chunk(item, 16))
        except (ValueError, RecursionError):
            continue
        yield ".".join(keys), value


def _says_something(display_name: str) -> bool:
    """Return whether a run's name is one that a script gave it, not one drawn at random ("sunny-wood-5")."""
    found = clues(display_name.split("__"))
    return found.task is not None or any(has_algorithm(text) for _, text in found.left)


WANDB = Tool(
    title="Weights & Biases",
    layout="`wandb/(offline-)run-*/run-ID.wandb`: LevelDB blocks of protocol buffers with the configuration and the history of one run",
    find=find,
    read=read,
)
