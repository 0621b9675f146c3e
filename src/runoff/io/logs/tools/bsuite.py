"""bsuite: a folder of files `bsuite_id_-_EXPERIMENT-INDEX.csv`, one a setting of an experiment, of one run of the agent."""

from __future__ import annotations

import re
from pathlib import Path

from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.rows import columns_of, tabled
from runoff.io.logs.wire.lines import table
from runoff.words.words import vocabulary

NAME = "bsuite"
FILE = re.compile(r"^bsuite_id_-_(\w+)-(\d+)\.csv$")
ONLY_SEEDS = vocabulary("bandit cartpole catch mnist mountain_car")
"""Experiments whose settings differ by nothing but a seed, in bsuite's `sweep.py`; those of all others are tasks of their own."""


def find(folder: Folder) -> list[Claim]:
    """Return the files of a folder as one claim."""
    files = tuple(Part(folder.path / name) for name in folder.files if FILE.match(name))
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return a log for each file."""
    return [_log(claim, part, wish) for part in claim.files]


def _log(claim: Claim, part: Part, wish: Wish) -> Log:
    rows = table(part.path, ",")
    series = tabled(columns_of(rows.records()), wish, prefix=part.prefix)
    return Log(
        claim=claim,
        names=_names(part.path, claim),
        extents=series.extents,
        series=series.series,
        happened=(*rows.happened, *series.happened),
        inner=part.path.stem.partition("_-_")[2],
        axis=series.axis,
    )


def _names(path: Path, claim: Claim) -> dict[str, str]:
    experiment, index = FILE.findall(path.name)[0]
    folder = claim.parts[-1] if claim.parts else claim.path.name
    return (
        {"task": experiment, "run": index}
        if experiment in ONLY_SEEDS
        else {"task": f"{experiment}/{index}", "run": folder}
    )


BSUITE = Tool(
    title="bsuite",
    layout="`bsuite_id_-_EXPERIMENT-INDEX.csv` (steps, episode, episode_return, …); an index is a run where it is but a seed, else a task",
    find=find,
    read=read,
)
