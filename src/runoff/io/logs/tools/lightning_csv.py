"""PyTorch Lightning's CSV logger: `NAME/version_N/metrics.csv`, a row a report, most of them with gaps, beside `hparams.yaml`."""

from __future__ import annotations

import re

from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.rows import log_of, merged
from runoff.io.logs.wire.lines import table_series

NAME = "lightning_csv"
METRICS, HPARAMS = "metrics.csv", "hparams.yaml"
VERSION = re.compile(r"version_\d+")


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with Lightning's metrics.csv."""
    if METRICS not in folder.files or not (HPARAMS in folder.files or VERSION.fullmatch(folder.path.name)):
        return []
    names = folder.head(METRICS).partition(b"\n")[0].decode("utf-8", "replace").strip().split(",")
    if not {"step", "epoch"} <= set(names):
        return []
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=(Part(folder.path / METRICS),))]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run."""
    return [log_of(claim, merged(table_series(part, wish) for part in claim.files))]


LIGHTNING_CSV = Tool(
    title="Lightning CSV",
    layout="`NAME/version_N/metrics.csv` (columns epoch, step and the metrics; a row a report) and `hparams.yaml`",
    find=find,
    read=read,
)
