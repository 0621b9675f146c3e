"""Logs of older and smaller libraries: Gym's first monitor, Keras-RL, rlpyt, tensorboardX's JSON, arrays of PureJaxRL."""

from __future__ import annotations

import io
import mmap
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading.formats.arrays import counts_along
from runoff.reading.logs.base import ClaimedRun, Folder, Log, LogPart, Series, Tool, Wish
from runoff.reading.logs.rows import Tabled, columns_of, log_of, log_of_series, reader, tabled
from runoff.reading.logs.wire.lines import as_dict, as_list, fields_of, json_file, table
from runoff.reading.logs.wire.zips import member, members
from runoff.tables.values import parsed
from runoff.words.patterns import regex

# ── Gym's monitor ──────────

BATCH = regex(r"openaigym\.episode_batch\.\d+\.(?:\w+\.)*stats\.json")
MANIFEST = regex(r"openaigym\.manifest\.\d+\.(?:\w+\.)*manifest\.json")
LISTS = ("timestamps", "episode_lengths", "episode_rewards")
KINDS = {"t": "train/episode_return", "e": "eval/episode_return"}
"""Type of an episode -> series."""


def find_gym_monitor(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with batches of episodes, and the files that name their environment."""
    names = list(filter(BATCH.fullmatch, folder.files))
    return folder.run("gym_monitor", [*names, *filter(MANIFEST.fullmatch, folder.files)] if names else [])


def read_gym_monitor(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the episodes of all its environments in order of time, against the steps up to the end of each."""
    episodes: list[tuple[float, float, float, str]] = []
    names: dict[str, str] = {}
    for part in claim.files:
        content = as_dict(json_file(part.path))
        if BATCH.fullmatch(part.path.name):
            episodes += _episodes(part, content)
        elif task := as_dict(content.get("env_info")).get("env_id"):
            names["task"] = str(task)
    # Several environments ran side by side, each with a file: the time alone puts their episodes in one order.
    episodes.sort(key=lambda episode: episode[0])
    steps = np.cumsum([length for _, length, _, _ in episodes])
    series = {}
    for kind, name in KINDS.items():
        own = [i for i, episode in enumerate(episodes) if episode[3] == kind]
        time = np.array([episodes[i][0] - episodes[0][0] for i in own])
        if own:
            series[name] = Series(step=steps[own], value=np.array([episodes[i][2] for i in own]), time=time)
    return [log_of_series(claim, wish, series, names=names)]


def _episodes(part: LogPart, content: Mapping[str, Any]) -> list[tuple[float, float, float, str]]:
    columns = [[parsed(value) for value in as_list(content.get(name))] for name in LISTS]
    kinds = as_list(content.get("episode_types")) or ["t"] * len(columns[0])
    if len({len(column) for column in (*columns, kinds)}) > 1 or any(None in column for column in columns):
        raise DataError(
            f"{part.path}: {', '.join(LISTS)} must be lists of numbers of equal length in a Gym monitor file."
        )
    numbers = np.array(columns, dtype=np.float64).reshape(len(LISTS), -1).T.tolist()
    return [(time, length, reward, str(kind)) for (time, length, reward), kind in zip(numbers, kinds, strict=True)]


GYM_MONITOR = Tool(
    title="Gym monitor",
    layout="`openaigym.episode_batch.….stats.json` (rewards and lengths of episodes) and `openaigym.manifest.….json`",
    find=find_gym_monitor,
    read=read_gym_monitor,
)


# ── Keras-RL ──────────

KERAS_RL_SIGN = b'"nb_episode_steps"'


def _is_keras_rl(folder: Folder, name: str) -> bool:
    """Return whether a file is by FileLogger, whose keys are at the head of a list or, in a long training, near the end of the file."""
    return KERAS_RL_SIGN in folder.head(name) or (b'"episode_reward"' in folder.head(name) and _in_file(folder, name))


def _in_file(folder: Folder, name: str) -> bool:
    path = folder.path / name
    try:
        with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(KERAS_RL_SIGN) >= 0
    except (OSError, ValueError):
        return False


LOG_AT_END = regex(r"[ _-]log$", re.IGNORECASE)


def find_keras_rl(folder: Folder) -> list[ClaimedRun]:
    """Return the logs in a folder, each named by its file without the ending `_log`."""
    names = (name for name in folder.named(".json") if _is_keras_rl(folder, name))
    return [folder.file("keras_rl", name, LOG_AT_END.sub("", Path(name).stem)) for name in names]


def read_keras_rl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: one column per entry, one row per episode."""
    (part,) = claim.files
    content = as_dict(json_file(part.path))
    lists = {name: column for name, column in content.items() if isinstance(column, list)}
    n = max(map(len, lists.values()), default=0)
    if not n or "episode_reward" not in lists:
        raise DataError(f"{part.path}: a Keras-RL log must have a list 'episode_reward'.")
    rows = ({name: column[i] for name, column in lists.items() if i < len(column)} for i in range(n))
    return [log_of(claim, tabled(columns_of(rows), wish, prefix=part.prefix))]


KERAS_RL = Tool(
    title="Keras-RL",
    layout="`….json` of FileLogger: {episode_reward: [...], nb_steps: [...]}, one entry per episode",
    find=find_keras_rl,
    read=read_keras_rl,
)


# ── rlpyt ──────────

RLPYT_SIGN = "Diagnostics/CumSteps"
GAME_SCORE = "GameScoreAverage"
CLIPPED = "clipped/"
"""The prefix for returns that Atari's wrapper clipped; papers report the score of the game, which is logged as well."""


def find_rlpyt(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with the table of rlpyt's logger."""
    names = [name for name in ("progress.csv",) if name in folder.files]
    return folder.run("rlpyt", (name for name in names if RLPYT_SIGN in fields_of(folder.head(name))))


def _rlpyt_series(part: LogPart, wish: Wish) -> Tabled:
    rows = table(part.path, ",")
    columns = columns_of(rows.records())
    if GAME_SCORE in columns:
        columns = {(CLIPPED + name if "Return" in name else name): column for name, column in columns.items()}
    return tabled(columns, wish, prefix=part.prefix, happened=rows.happened)


RLPYT = Tool(
    title="rlpyt",
    layout="`run_N/progress.csv` with `Diagnostics/CumSteps`; on Atari the score is `GameScoreAverage`, because returns are clipped",
    find=find_rlpyt,
    read=reader(_rlpyt_series),
)


# ── tensorboardX's JSON ──────────

ALL_SCALARS = ("all_scalars.json", "summary.json")
OF_SCALARS = regex(rb"""\{\s*"[^"]*/[^"]*":\s*\[\s*\[\s*1\d{9}(?:\.\d+)?,\s*\d+,""")
"""A tag that is a path, then the time in seconds, the step."""


def find_all_scalars(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder, or a run for each file that is called otherwise."""
    names = [name for name in folder.named(".json") if OF_SCALARS.match(folder.head(name))]
    runs = [name for name in names if name in ALL_SCALARS][:1] or folder.signed(ALL_SCALARS[:1], b"[[")
    return folder.run("all_scalars", runs) + folder.alone(
        "all_scalars", (name for name in names if name not in ALL_SCALARS)
    )


def read_all_scalars(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: its tags without the path of the writer's folder that precedes each."""
    (part,) = claim.files
    series = {}
    content = as_dict(json_file(part.path))
    # of a file that was moved, or exported elsewhere, the folder that all tags share
    shared = os.path.commonpath([*content]) if len(content) > 1 and all(map(os.path.isabs, content)) else ""
    for name, points in content.items():
        rows = np.array([_point(part, point) for point in as_list(points)], dtype=np.float64).reshape(-1, 3)
        tag = name.rpartition(f"/{part.path.parent.name}/")[2].removeprefix("./").removeprefix(f"{shared}/")
        series[tag] = Series(step=rows[:, 1], value=rows[:, 2], time=rows[:, 0] - rows[:1, 0])
    return [log_of_series(claim, wish, series)]


def _point(part: LogPart, point: Any) -> list[float]:
    numbers = [parsed(value) for value in as_list(point)]
    if len(numbers) != 3 or None in numbers[:2]:
        raise DataError(f"{part.path}: a point must be [time, step, value], not {str(point)[:60]}.")
    return [float("nan") if number is None else number for number in numbers]


ALL_SCALARS_JSON = Tool(
    title="tensorboardX (JSON)",
    layout="`all_scalars.json`, `summary.json` or another file of `export_scalars_to_json`: {path/tag: [[time, step, value], …]}",
    find=find_all_scalars,
    read=read_all_scalars,
)


# ── PureJaxRL ──────────

RETURNS, CLOCK = "returned_episode_returns", "timestep"
OWN = {CLOCK, "returned_episode", "returned_episode_lengths"}
FEWEST_STEPS = 3


def find_purejaxrl(folder: Folder) -> list[ClaimedRun]:
    """Return the archives with the metrics of PureJaxRL's wrapper, each as its own claim; not those of arrays beside their steps or seeds, which
    are tables."""
    inside = {
        name: {part.removesuffix(".npy") for part in members(folder.path / name)} for name in folder.named(".npz")
    }
    names = (
        name
        for name, parts in inside.items()
        if RETURNS in parts and not any(counts_along(part) for part in parts - OWN)
    )
    return folder.alone("purejaxrl", names)


def read_purejaxrl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs: the first axis is that of seeds if the clock rises along another axis, and updates precede steps and environments."""
    (part,) = claim.files
    returns = _array(part, RETURNS)
    clock = _array(part, CLOCK) if f"{CLOCK}.npy" in members(part.path) else None
    runs = _runs(part, returns, clock)
    logs = []
    for i, (values, steps) in enumerate(runs):
        # Over steps and environments of an update: the mean return of the episodes that ended last.
        value = values.reshape(values.shape[0], -1).mean(axis=1)
        step = np.arange(1.0, value.size + 1) if steps is None else steps.reshape(value.size, -1).max(axis=1)
        series = {"episode_return": Series(step=step, value=value)}
        names = {"run": str(i)} if len(runs) > 1 else {}
        logs.append(log_of_series(claim, wish, series, names=names, inner=f"seed {i}" if len(runs) > 1 else ""))
    return logs


def _runs(part: LogPart, returns: Floats, clock: Floats | None) -> list[tuple[Floats, Floats | None]]:
    """Return the array of each seed, updates first, and its clock."""
    if returns.ndim == 1:
        return [(returns, clock)]
    along = None if clock is None or clock.shape != returns.shape else _rising_axis(clock)
    if returns.ndim == 4 or along == 1:
        return [(returns[i], None if clock is None else clock[i]) for i in range(returns.shape[0])]
    if along == 0:
        return [(returns, clock)]
    raise DataError(
        f"{part.path}: the file does not say whether the first axis of {RETURNS!r}, of shape {returns.shape}, counts seeds or updates; save "
        f"{CLOCK!r} beside it (numpy.savez), or save the array of each seed in a file of its own."
    )


def _rising_axis(clock: Floats) -> int | None:
    """Return the one of the first two axes along which a clock rises, None if it rises along both or neither."""
    rising = [axis for axis in (0, 1) if clock.shape[axis] >= FEWEST_STEPS and (np.diff(clock, axis=axis) > 0).all()]
    return rising[0] if len(rising) == 1 else None


def _array(part: LogPart, name: str) -> Floats:
    data = member(part.path, f"{name}.npy")
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError, SyntaxError) as error:
        raise DataError(f"{part.path}: the array {name!r} cannot be read: {str(error)[:80]}.") from error
    refuse_beyond("values", int(array.size), f"{part.path}: the array {name!r} holds {array.size} numbers")
    if array.dtype.kind not in "biuf" or not 1 <= array.ndim <= 4 or not array.size:
        raise DataError(
            f"{part.path}: {name!r} must be an array of numbers with one to four axes, not {array.shape} of {array.dtype}."
        )
    return np.asarray(array, dtype=np.float64)


PUREJAXRL = Tool(
    title="PureJaxRL",
    layout="`….npz` with `returned_episode_returns` (seeds, updates, steps, environments) and `timestep`",
    find=find_purejaxrl,
    read=read_purejaxrl,
)
