"""Runs that trackers stored for a later upload: offline experiments of Comet and ClearML, offline runs of SwanLab and Neptune."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.reading._configured import flat
from runoff.reading._names import hints_of
from runoff.reading._paths import unreadable
from runoff.reading.logs.base import ClaimedRun, Folder, Log, LogPart, Series, Tool, Wish, damage, ended
from runoff.reading.logs.config import written_config
from runoff.reading.logs.rows import log_of_series
from runoff.reading.logs.wire import binary
from runoff.reading.logs.wire.lines import as_dict, as_list, json_object, lines
from runoff.reading.logs.wire.zips import member, members
from runoff.tables.values import parsed
from runoff.words.patterns import regex

LoggedPoint = tuple[float, float, float]
"""A step, a value, and the time in seconds."""


def series_of(points: Mapping[str, list[LoggedPoint]]) -> dict[str, Series]:
    """Return the series of points in the order of writing, with times since the first; unknown steps are counted from 1."""
    start = min((point[2] for own in points.values() for point in own if point[2] == point[2]), default=float("nan"))
    series = {}
    for name, own in points.items():
        step, value, time = np.array(own, dtype=np.float64).reshape(-1, 3).T
        if np.isnan(step).all():
            step = np.arange(1.0, step.size + 1)
        series[name] = Series(step=step, value=value, time=time - start)
    return series


def _number(value: Any) -> float:
    number = float(value) if isinstance(value, bool) else parsed(value)
    return float("nan") if number is None else number


def _in_zip(folder: Folder, tool: str, wanted: Iterable[str]) -> list[ClaimedRun]:
    """Return the archives in a folder with the wanted members, except those whose content is also there unpacked."""
    names = [name for name in folder.named(".zip") if Path(name).stem not in folder.folders]
    return folder.alone(tool, (name for name in names if members(folder.path / name) >= frozenset(wanted)))


# ── Comet ──────────

MESSAGES = "messages.json"
COMET_MEMBERS = (MESSAGES, "experiment.json")


def read_comet(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the experiment from its messages."""
    (part,) = claim.files
    points: dict[str, list[LoggedPoint]] = {}
    config: dict[str, Any] = {}
    name, broken = "", 0
    for line in member(part.path, MESSAGES).decode("utf-8", "replace").splitlines():
        record = json_object(line)
        payload = as_dict(as_dict(record).get("payload"))
        broken += record is None and bool(line)
        metric, parameter = as_dict(payload.get("metric")), as_dict(payload.get("param"))
        if metric.get("metricName") is not None and not str(metric["metricName"]).startswith("sys."):
            seconds = _number(payload.get("local_timestamp")) / 1000
            point = (_number(metric.get("step")), _number(metric.get("metricValue")), seconds)
            points.setdefault(str(metric["metricName"]), []).append(point)
        # `curr_step` and the arguments of the script are Comet's own entries.
        elif parameter.get("source") not in (None, "auto-logged", "cli"):
            config[str(parameter.get("paramName"))] = parameter.get("paramValue")
        name = str(payload.get("value") or name) if payload.get("key") == "Name" else name
    happened = damage(malformed=broken, where=part.path.name)
    series = series_of(points)
    return [log_of_series(claim, wish, series, config=flat(config), happened=happened, hints=hints_of(name))]


COMET = Tool(
    title="Comet (offline)",
    layout="`ID.zip` of an OfflineExperiment: `messages.json`, one message per line",
    find=lambda folder: _in_zip(folder, "comet", COMET_MEMBERS),
    read=read_comet,
)


# ── ClearML ──────────

TASK, METRICS = "task.json", "metrics.jsonl"
CLEARML_SIGN = b'"offline_folder"'


def find_clearml(folder: Folder) -> list[ClaimedRun]:
    """Return the run of an offline session, from a folder or an archive."""
    if METRICS in folder.files and folder.signed([TASK], b'"script"', CLEARML_SIGN, b'"hyperparams"'):
        return folder.run("clearml", [METRICS, TASK])
    return _in_zip(folder, "clearml", (TASK, METRICS))


def read_clearml(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: a line is a list of events."""
    path = claim.files[0].path
    packed = path.suffix.casefold() == ".zip"
    text = member(path, METRICS).decode("utf-8", "replace").splitlines() if packed else lines(path)
    points: dict[str, list[LoggedPoint]] = {}
    broken = 0
    for line in text:
        try:
            events = json.loads(line) if line.strip() else []
        except (ValueError, RecursionError):
            broken += 1
            continue
        for event in map(as_dict, as_list(events)):
            if event.get("type") == "training_stats_scalar":
                title, variant = str(event.get("metric")), str(event.get("variant"))
                point = (
                    _number(event.get("iter")),
                    _number(event.get("value")),
                    _number(event.get("timestamp")) / 1000,
                )
                points.setdefault(title if title == variant else f"{title}/{variant}", []).append(point)
    content = member(path, TASK).decode("utf-8", "replace") if packed else "\n".join(lines(claim.path / TASK))
    task = json_object(content) or {}
    entries = [as_dict(entry) for own in as_dict(task.get("hyperparams")).values() for entry in as_dict(own).values()]
    config = {str(entry.get("name")): entry.get("value") for entry in entries}
    happened = damage(malformed=broken, where=path.name)
    hints = hints_of(str(task.get("name") or ""))
    return [log_of_series(claim, wish, series_of(points), config=config, happened=happened, hints=hints)]


CLEARML = Tool(
    title="ClearML (offline)",
    layout="`offline-ID/` or `offline-ID.zip`: `metrics.jsonl` (one list of events per line) and `task.json`",
    find=find_clearml,
    read=read_clearml,
)


# ── Neptune ──────────

OPERATIONS = regex(r"data-(\d+)\.log")
HIDDEN = Path(".neptune", "offline")


def find_neptune_offline(folder: Folder) -> list[ClaimedRun]:
    """Return the runs in Neptune's hidden folder inside this folder, or the run of this folder."""
    names = [name for name in folder.files if OPERATIONS.fullmatch(name)]
    if names and folder.signed(["metadata.json"], b'"containerType"'):
        return folder.run("neptune_offline", names)
    hidden = folder.path / HIDDEN
    inner = sorted(path for path in hidden.iterdir() if path.is_dir()) if hidden.is_dir() else []
    runs = []
    for path in inner:
        files = tuple(LogPart(file) for file in sorted(path.iterdir()) if OPERATIONS.fullmatch(file.name))
        parts = (*folder.parts, *HIDDEN.parts, path.name)
        runs += [ClaimedRun(tool="neptune_offline", path=path, parts=parts, files=files)] if files else []
    return runs


def read_neptune_offline(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its operations in the order of their numbers."""
    points: dict[str, list[LoggedPoint]] = {}
    entries: dict[str, Any] = {}
    broken = 0
    for part in sorted(claim.files, key=lambda part: int(OPERATIONS.findall(part.path.name)[0])):
        for line in lines(part.path):
            operation = as_dict(as_dict(json_object(line)).get("obj"))
            broken += not operation
            name = "/".join(map(str, as_list(operation.get("path"))))
            kind = str(operation.get("type"))
            if kind == "LogFloats":
                points.setdefault(name, []).extend(_neptune_points(operation.get("values")))
            elif kind in ("ClearFloatLog", "DeleteAttribute"):
                points.pop(name, None)
                entries.pop(name, None)
            elif kind.startswith("Assign"):
                entries[name] = operation.get("value")
    config = {
        name.replace("/", "."): value for name, value in entries.items() if not name.startswith(("sys/", "monitoring/"))
    }
    happened = (*damage(malformed=broken), *ended("failed" if entries.get("sys/failed") is True else ""))
    hints = hints_of(str(entries.get("sys/name") or ""))
    return [log_of_series(claim, wish, series_of(points), config=config, happened=happened, hints=hints)]


def _neptune_points(values: Any) -> Iterator[LoggedPoint]:
    for value in map(as_dict, as_list(values)):
        yield _number(value.get("step")), _number(value.get("value")), _number(value.get("ts"))


NEPTUNE_OFFLINE = Tool(
    title="Neptune (offline)",
    layout="`.neptune/offline/run__ID/data-N.log`: one operation per line",
    find=find_neptune_offline,
    read=read_neptune_offline,
)


# ── SwanLab ──────────

SWAN_HEAD = b":SWL"
START, BLOCK, RECORD_HEAD = 7, 1 << 15, 7
"""Bytes before the first record; of a block, which no record crosses; of the head of a record (LevelDB's log format)."""
LARGEST = 1 << 30
RUN, SCALAR = 10, 13
"""Fields of a record: the run (name = 4), a value (key = 1, step = 2, time = 4, value = 5)."""
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4


def find_swanlab(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with SwanLab's file."""
    names = folder.signed(folder.named(".swanlab"), SWAN_HEAD)
    return folder.run("swanlab", names[:1], whole=True)


def read_swanlab(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run."""
    (part,) = claim.files
    points: dict[str, list[LoggedPoint]] = {}
    name, torn, broken = "", "", 0
    for record in _records(part.path):
        if record is None:
            torn = f"{part.path.name}, a record is damaged"
            break
        try:
            for value in binary.chunks(record, SCALAR):
                key, point = _swan_point(value)
                points.setdefault(key, []).append(point)
            name = binary.text(binary.chunk(record, RUN, 4)) or name
        except binary.Broken:
            broken += 1
    content, unread = written_config(claim.path / "files" / "config.yaml")
    config = flat({key: as_dict(entry).get("value", entry) for key, entry in content.items()})
    happened = (*damage(torn=torn, malformed=broken, where=part.path.name), *unread)
    return [log_of_series(claim, wish, series_of(points), config=config, happened=happened, hints=hints_of(name))]


def _swan_point(message: bytes) -> tuple[str, LoggedPoint]:
    whole = dict(binary.fields(message))
    time = dict(binary.fields(binary.chunk(message, 4)))
    step, seconds, nanos = whole.get(2, 0), time.get(1, 0), time.get(2, 0)
    if not all(isinstance(number, int) for number in (step, seconds, nanos)):
        raise binary.Broken("a step is not an integer")
    value = binary.chunk(message, 5, 1) or dict(binary.fields(binary.chunk(message, 5))).get(1, bytes(8))
    number = binary.double(value if isinstance(value, bytes) else b"")
    return binary.text(binary.chunk(message, 1)), (float(step), number, float(seconds) + float(nanos) * 1e-9)


def _records(path: Path) -> Iterator[bytes | None]:
    """Yield the records of a file; a last None if one is damaged or cut off."""
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path}: the log has more than {LARGEST >> 30} GB.")
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    at, pieces = START, [b""]
    while at + RECORD_HEAD <= len(data):
        if BLOCK - at % BLOCK < RECORD_HEAD:
            at += BLOCK - at % BLOCK
            continue
        check, size, kind = struct.unpack_from("<IHB", data, at)
        body = data[at + RECORD_HEAD : at + RECORD_HEAD + size]
        if (
            len(body) < size
            or kind not in (FULL, FIRST, MIDDLE, LAST)
            or check != zlib.crc32(body, zlib.crc32(bytes([kind])))
        ):
            yield None
            return
        pieces = [body] if kind in (FULL, FIRST) else [*pieces, body]
        if kind in (FULL, LAST):
            yield b"".join(pieces)
        at += RECORD_HEAD + size
    if data[at:].strip(b"\0"):
        yield None


SWANLAB = Tool(
    title="SwanLab",
    layout="`run-DATE-ID/run-ID.swanlab` beside `files/config.yaml`, of a run offline or local",
    find=find_swanlab,
    read=read_swanlab,
)
