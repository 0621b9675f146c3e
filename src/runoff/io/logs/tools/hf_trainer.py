"""Hugging Face's Trainer and TRL: `trainer_state.json`, whose `log_history` is a list of reports; several checkpoints are one run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.rows import columns_of, flat, number, tabled
from runoff.io.logs.wire.lines import json_file

NAME = "hf_trainer"
STATE, HISTORY, REACHED = "trainer_state.json", "log_history", "global_step"
CHECKPOINT = re.compile(r"checkpoint-\d+")


def find(folder: Folder) -> list[Claim]:
    """Return the run of a folder with a trainer's state; a checkpoint is of the run above it."""
    if STATE not in folder.files:
        return []
    inner = bool(folder.parts) and CHECKPOINT.fullmatch(folder.parts[-1]) is not None
    path, parts = (folder.path.parent, folder.parts[:-1]) if inner else (folder.path, folder.parts)
    return [Claim(tool=NAME, path=path, parts=parts, files=(Part(folder.path / STATE),))]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the run: the history of the state that went farthest, which holds those before it."""
    states: list[tuple[float, int, Mapping[str, Any]]] = []
    refusals: list[DataError] = []
    for part in claim.files:
        try:
            state = _state(part)
        except DataError as refusal:
            refusals.append(refusal)
            continue
        states.append((number(state.get(REACHED)) or 0.0, -len(part.path.parts), state))
    if not states:
        raise refusals[0]
    _, _, last = max(states, key=lambda state: state[:2])
    records = [flat(record) for record in last[HISTORY] if isinstance(record, dict)]
    history = tabled(columns_of(records), wish)
    unread = [Happening(policy="torn", where=str(refusal).removesuffix(".")) for refusal in refusals]
    left_out = len(last[HISTORY]) - len(records)
    if left_out:
        unread.append(Happening(policy="malformed", count=left_out))
    return [
        Log(
            claim=claim,
            extents=history.extents,
            series=history.series,
            happened=(*history.happened, *unread),
            axis=history.axis,
        )
    ]


def _state(part: Part) -> Mapping[str, Any]:
    content = json_file(part.path)
    if not isinstance(content, dict) or not isinstance(content.get(HISTORY), list):
        raise DataError(f"{part.path}: a trainer's state holds a list {HISTORY!r}; this does not.")
    return content


HF_TRAINER = Tool(
    title="Hugging Face Trainer",
    layout="`trainer_state.json` (TRL, Transformers) of a run or its folders `checkpoint-N`, with a list `log_history` of reports by step",
    find=find,
    read=read,
)
