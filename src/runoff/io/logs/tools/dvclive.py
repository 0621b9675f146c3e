"""DVCLive: `plots/metrics/SERIES.tsv`, one file a series (step, value, maybe a timestamp in milliseconds), beside `params.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.config import flat, read_config
from runoff.io.logs.rows import Tabled, columns_of, log_of, merged, tabled
from runoff.io.logs.wire.lines import table

NAME = "dvclive"
PLOTS = ("plots", "metrics")
USUAL, PARAMS = "dvclive", "params.yaml"
HEADS = (("step",), ("timestamp", "step"))
"""Columns before that of the series."""


def find(folder: Folder) -> list[Claim]:
    """Return the run whose series lie in a folder: the one above `plots/metrics`, and above `dvclive` if it is called so."""
    depth = _depth(folder.parts)
    names = [name for name in folder.named(".tsv") if _fits(folder.head(name), name)] if depth is not None else []
    if depth is None or not names:
        return []
    inside = folder.parts[depth + len(PLOTS) :]
    parts = folder.parts[:depth]
    parts = parts[:-1] if parts[-1:] == (USUAL,) else parts
    path = folder.path.parents[len(folder.parts) - len(parts) - 1]
    files = tuple(Part(folder.path / name, "".join(f"{piece}/" for piece in inside)) for name in names)
    return [Claim(tool=NAME, path=path, parts=parts, files=files)]


def _depth(parts: Sequence[str]) -> int | None:
    """Return how many names stand before the first `plots/metrics`."""
    places = [i for i in range(len(parts) - 1) if tuple(parts[i : i + 2]) == PLOTS]
    return places[0] if places else None


def _fits(head: bytes, name: str) -> bool:
    columns = head.partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r").split("\t")
    return tuple(columns[:-1]) in HEADS and columns[-1] == Path(name).stem


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    series = merged(_series(part, wish) for part in claim.files)
    config, unread = _params(claim)
    happened = (*series.happened, *unread)
    return [log_of(claim, replace(series, happened=happened, axis="step" if series.extents else None), config)]


def _series(part: Part, wish: Wish) -> Tabled:
    name = part.path.stem
    rows = table(part.path, "\t")
    columns = columns_of(rows.records())
    numbers = tabled({head: columns[head] for head in ("step", name) if head in columns}, wish, prefix=part.prefix)
    shown = part.prefix + name
    own = {shown: numbers.extents[shown]} if shown in numbers.extents else {}
    return replace(numbers, extents=own, happened=(*rows.happened, *numbers.happened))


def _params(claim: Claim) -> tuple[dict[str, Any], list[Happening]]:
    """Return the parameters, which lie beside `plots`."""
    path = next(above for above in claim.files[0].path.parents if above.name == PLOTS[0]).parent / PARAMS
    if not path.is_file():
        return {}, []
    try:
        return flat(read_config(path)), []
    except DataError as refusal:
        return {}, [Happening(policy="config_unread", where=str(refusal).removesuffix("."))]


DVCLIVE = Tool(
    title="DVCLive",
    layout="`dvclive/plots/metrics/SERIES.tsv` (step and value, one file a series) and `dvclive/params.yaml`",
    find=find,
    read=read,
)
