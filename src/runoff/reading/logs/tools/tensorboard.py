"""TensorBoard: event files, by whichever library wrote them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError
from runoff.reading.logs.base import ClaimedRun, Extent, Folder, Happening, Log, LogPart, Series, Tool, Wish, damage
from runoff.reading.logs.metric import matches, order
from runoff.reading.logs.wire import binary
from runoff.reading.logs.wire.events import Events, read_events
from runoff.words.patterns import regex

NAME = "tensorboard"
ROW = regex(r"^\|([^|]+)\|(.*)\|\s*$", re.MULTILINE)
HPARAMS = (9, 1, 2)
"""The fields of a value with hyperparameters: metadata, plugin data, content."""
SECONDS = regex(r"1\d{9}(?:\.\d+)?")
"""The folder that `SummaryWriter.add_hparams` makes for settings: seconds since 1970."""
TENSOR, STRING = 8, 8
TOTAL = "TotalEnvSteps"
"""The series in which OmniSafe and garage count steps; the steps of their records are epochs."""


def find(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with event files, with the folders that `add_scalars` made in it."""
    files = _event_files(folder.files)
    if not files:
        return []
    parts: list[str | LogPart] = [*files]
    # SummaryWriter.add_scalars makes a folder and a writer for each line of one chart. Such a folder is no run.
    parts += [part for name in folder.folders if "_" in name for part in _together(folder.path / name)]
    parts += [part for name in folder.folders if SECONDS.fullmatch(name) for part in _settings_of(folder.path / name)]
    return folder.run(NAME, parts)


def _event_files(names: Iterable[str]) -> list[str]:
    # The profiler leaves an empty file, so that TensorBoard finds its folder.
    return [name for name in names if "tfevents" in name and not name.endswith(".profile-empty")]


def event_files_in(folder: Path) -> list[Path]:
    """Return the event files of a folder, sorted; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file())  # a pipe may never end
    except OSError:
        return []
    return [folder / name for name in _event_files(names)]


def _together(folder: Path) -> list[LogPart]:
    """Return the files of a folder TAG_KEY that contains only TAG: one of the series of `add_scalars(TAG, {KEY: …})`, as KEY/TAG."""
    paths = event_files_in(folder)
    try:
        tags = {tag for path in paths for tag in read_events(path).tags}
    except DataError:
        return []
    tag = next(iter(tags), "")
    start = re.sub(r"[/ ]", "_", tag) + "_"
    if len(tags) != 1 or not folder.name.startswith(start):
        return []
    return [LogPart(path=path, prefix=f"{folder.name.removeprefix(start)}/") for path in paths]


def _settings_of(folder: Path) -> list[LogPart]:
    """Return the files of a folder that `add_hparams` made: the settings of the run above it, and its score at their end."""
    paths = event_files_in(folder)
    try:
        settings = [any(dict(_of_plugin(text)) for text in read_events(path).texts) for path in paths]
    except (DataError, binary.Broken):
        return []
    return [LogPart(path=path) for path in paths] if any(settings) else []


def read(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the files of one folder one after the other, by the time of their first record."""
    files = [(part, read_events(part.path)) for part in claim.files]
    # A run that was continued has a new file; names begin with the time in seconds and the host, and two files may be
    # of one second. Files without a record (NaN) come last.
    files.sort(key=lambda pair: (np.isnan(pair[1].first_wall), pair[1].first_wall, pair[0].path.name))
    firsts = (min([events.first_wall, *events.wall[:1].tolist()]) for _, events in files if events.n_records)
    start = min(firsts, default=float("nan"))
    pieces: dict[str, list[Series]] = {}
    happened: list[Happening] = []
    scores = any(order(part.prefix + tag) for part, events in files if not _of_settings(part) for tag in events.tags)
    for part, events in files:
        name = part.path.name
        torn = f"{name}, {events.broken_off} after {events.n_records} records" if events.broken_off else ""
        happened += damage(torn=torn, malformed=events.n_broken, where=name)
        # The score beside the settings repeats what the run logged, at step 0.
        if _of_settings(part) and scores:
            continue
        # One stable sort puts all points of a tag together, in the order of writing; then a tag is a slice.
        by_tag = np.argsort(events.which, kind="stable")
        ends = np.searchsorted(events.which[by_tag], np.arange(len(events.tags) + 1))
        for tag, (begin, end) in zip(events.tags, pairwise(ends), strict=True):
            places = by_tag[begin:end]
            piece = Series(step=events.step[places], value=events.value[places], time=events.wall[places] - start)
            pieces.setdefault(part.prefix + tag, []).append(piece)
    # The least name, so that the order of tags in the files decides nothing.
    axis = min((name for name in pieces if matches(wish.axis or TOTAL, name)), default=None)
    counter = None if axis is None else _joined(pieces[axis])
    series = {name: _against(_joined(pieces[name]), counter) for name in pieces if wish.keep(name)}
    # Later files win: a run that was continued logged its settings again.
    config = _config(events for _, events in files)
    extents = {
        name: Extent(points=sum(piece.step.size for piece in parts), last=float(parts[-1].step[-1]))
        for name, parts in pieces.items()
    }
    return [Log(claim=claim, config=config, extents=extents, series=series, happened=tuple(happened), axis=axis)]


def _of_settings(part: LogPart) -> bool:
    return SECONDS.fullmatch(part.path.parent.name) is not None


def _joined(pieces: list[Series]) -> Series:
    if len(pieces) == 1:
        return pieces[0]
    columns = ([getattr(piece, name) for piece in pieces] for name in ("step", "value", "time"))
    step, value, time = map(np.concatenate, columns)
    return Series(step=step, value=value, time=time)


# ── another series as the axis ──────────


def _against(series: Series, axis: Series | None) -> Series:
    """Return a series against the values of another at its steps: the last value up to each."""
    if axis is None or not axis.step.size:
        return series
    by_step = np.argsort(axis.step, kind="stable")
    # The counter is logged with each report of training, and evaluations fall between: the last known value is
    # theirs. Before the first one nothing is known, NaN, which `clean` leaves out.
    places = np.searchsorted(axis.step[by_step], series.step, side="right") - 1
    step: Floats = np.where(places >= 0, axis.value[by_step][np.maximum(places, 0)], np.nan)
    return Series(step=step, value=series.value, time=series.time)


# ── the configuration ──────────


def _config(read: Iterator[Events]) -> dict[str, Any]:
    """Return hyperparameters from their plugin, and from texts that are tables of two columns (CleanRL)."""
    config: dict[str, Any] = {}
    for events in read:
        for message in events.texts:
            try:
                config |= dict(_of_table(message))
                config |= dict(_of_plugin(message))
            except binary.Broken:
                continue
    return config


def _of_table(message: bytes) -> Iterator[tuple[str, Any]]:
    for text in binary.chunks(binary.chunk(message, TENSOR), STRING):
        for key, value in ROW.findall(binary.text(text)):
            # CleanRL: |param|value|, |-|-|, then a row for each hyperparameter, as one text of Markdown.
            if not key.startswith("-") and key.strip() != "param":
                yield key.strip(), value.strip()


def _of_plugin(message: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the entries of HParamsPluginData.session_start_info.hparams, a map of google.protobuf.Value."""
    for entry in binary.chunks(binary.chunk(message, *HPARAMS, 3), 1):
        name = binary.text(binary.chunk(entry, 1))
        for number, value in binary.fields(binary.chunk(entry, 2)):
            if isinstance(value, bytes):
                # google.protobuf.Value: number_value = 2 is a double; string_value = 3; a bool is a varint, and names
                # nothing.
                yield name, binary.double(value) if number == 2 else binary.text(value)


TENSORBOARD = Tool(
    title="TensorBoard",
    layout="event files, `events.out.tfevents.*`; the folder is the run, folders `train` and `eval` are its parts, files follow each other",
    find=find,
    read=read,
)
