"""Stable-Baselines3 and its zoo: monitors, evaluations, the CSV and JSON loggers; and OpenAI baselines, from which these formats come."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.base.arrays import Floats, Ints
from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading._configured import flat
from runoff.reading._paths import unreadable
from runoff.reading.formats.arrays import arrays_in, load
from runoff.reading.logs.base import ClaimedRun, Extent, Folder, Happening, Log, LogPart, Series, Tool, Wish
from runoff.reading.logs.config import read_config, united
from runoff.reading.logs.metric import matches
from runoff.reading.logs.rows import columns_of, tabled
from runoff.reading.logs.wire.lines import json_object, lines, reports_of, table
from runoff.tables.values import parsed
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.patterns import regex
from runoff.words.words import canonical

# ── Stable-Baselines3 ──────────

MONITOR, EVALUATIONS, PROGRESS, PROGRESS_JSON = "monitor.csv", "evaluations.npz", "progress.csv", "progress.json"
ENVIRONMENT = regex(r"(?:\d+(?:\.\d+)?\.)?monitor\.csv", re.IGNORECASE)
"""Monitors of the environments of one run: monitor.csv, 0.monitor.csv, 0.0.monitor.csv."""
TAIL = 4096
SIGN = b"time/total_timesteps"
REWARD, LENGTH = "monitor/reward", "monitor/length"
EVALUATED = {"results": "eval/mean_reward", "ep_lengths": "eval/mean_ep_length", "successes": "eval/success_rate"}
"""Arrays of evaluations.npz (n_evaluations, n_episodes), and the names that the loggers give their means."""


def find(folder: Folder) -> list[ClaimedRun]:
    """Return the runs in a folder: the run with evaluations.npz, the loggers' progress.csv or .json and the monitors of its environments.

    `eval.monitor.csv` is a part of the run. A monitor that is not named by an environment (`seed0.monitor.csv`) is a run of its own, and so
    are monitors of environments that ran one after another, and evaluations under the names of their runs (`sac_seed0_evaluations.npz`).
    """
    # The first line of a monitor is #{…}; a table of somebody's own may have the same name.
    monitors = [name for name in folder.named(MONITOR) if folder.head(name).startswith(b"#{")]
    environments = [name for name in monitors if ENVIRONMENT.fullmatch(name)]
    spans = sorted(_span(folder.path / name) for name in environments)
    # Environments of one run begin together; monitors of which each begins after the one before it ended are runs of their own.
    if len(spans) > 1 and all(after[0] >= before[1] > before[0] for before, after in pairwise(spans)):
        environments = []
    # EvalCallback's environment has a Monitor as well, which scripts call eval.monitor.csv.
    kinds = {name: _label(name) for name in monitors if canonical(_label(name)) in KINDS_OF_DATA}
    names = folder.signed([EVALUATIONS], b"timesteps.npy")
    names += folder.signed((PROGRESS, PROGRESS_JSON), SIGN)
    parts = (LogPart(path=folder.path / name, prefix=f"{kind}/") for name, kind in kinds.items())
    whole = folder.run("stable_baselines3", [*environments, *names, *parts])
    alone = [name for name in monitors if name not in (*environments, *kinds)]
    renamed = [name for name in folder.named(EVALUATIONS) if name not in names]
    alone += folder.signed(renamed, b"timesteps.npy")
    return whole + [folder.file("stable_baselines3", name, _label(name) or MONITOR) for name in alone]


def _label(name: str) -> str:
    ending = next(ending for ending in (MONITOR, EVALUATIONS) if name.casefold().endswith(ending))
    return name[: -len(ending)].rstrip("._-")


def _span(path: Path) -> tuple[float, float]:
    """Return when a monitor began and when its last episode ended, in seconds."""
    start = parsed(_head(path).get("t_start")) or 0.0
    names = next(itertools.islice(lines(path), 1, 2), "").split(",")
    with open(path, "rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - TAIL))
        last = stream.read().decode("utf-8", "replace").rstrip().rpartition("\n")[2].split(",")
    ended = dict(zip(names, last, strict=False)).get("t")
    return start, start + (parsed(ended) or 0.0)


@dataclass(slots=True)
class _LoggedRun:
    """The content of the files of a run that have been read so far."""

    extents: dict[str, Extent] = field(default_factory=dict)
    series: dict[str, Series] = field(default_factory=dict)
    happened: list[Happening] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)
    axis: str | None = None

    def enter(self, name: str, series: Series, wish: Wish) -> None:
        """Add a series, unless an earlier file had it."""
        if name not in self.extents:
            self.extents[name] = series.extent
            if wish.keep(name):
                self.series[name] = series


def read(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run: the evaluations' own file takes precedence over the loggers', and all monitors are one series of episodes."""
    run = _LoggedRun(config=_zoo(claim))
    monitors = grouped((part.prefix, part) for part in claim.files if part.path.name.endswith(MONITOR))
    # evaluations.npz and monitors have no other steps than their own.
    own_steps = wish.axis is None or matches(wish.axis, "timesteps")
    for part in claim.files:
        # First, for it has every episode of each evaluation; the loggers have their mean at most.
        if part.path.name.casefold().endswith(EVALUATIONS) and own_steps:
            _evaluations(part, run, wish)
    for part in claim.files:
        if part.path.name in (PROGRESS, PROGRESS_JSON):
            _progress(part, run, wish)
    for prefix, parts in monitors.items() if own_steps else ():
        _monitors(prefix, parts, run, wish)
    if claim.path.is_file() and ENVIRONMENT.fullmatch(claim.path.name):
        run.happened.append(Happening(policy="one_after_another"))
    axis, happened = "timesteps" if own_steps else run.axis, tuple(run.happened)
    return [Log(claim=claim, config=run.config, extents=run.extents, series=run.series, happened=happened, axis=axis)]


# ── evaluations ──────────


def _evaluations(part: LogPart, run: _LoggedRun, wish: Wish) -> None:
    arrays = arrays_of(part.path)
    steps = arrays.get("timesteps")
    if steps is None or steps.ndim != 1 or not steps.size or steps.dtype.kind not in "fiu":
        raise DataError(f"{part.path}: the file has no array timesteps of numbers, of shape (n_evaluations,).")
    for array, name in EVALUATED.items():
        values = arrays.get(array)
        if values is not None:
            means = _means(part.path, array, values, steps.size)
            series = Series(step=steps.astype(np.float64), value=means)
            run.enter(part.prefix.removesuffix("eval/") + name, series, wish)
            # `protocol_in` reads from it how many episodes a score has.
            run.config["n_eval_episodes"] = values[0].size


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file."""
    try:
        return arrays_in(load(path.read_bytes(), str(path)), str(path))
    except OSError as error:
        raise unreadable(path, error) from error


def _means(path: Path, name: str, values: Any, n: int) -> Floats:
    if values.dtype.kind not in "fiub" or values.shape[:1] != (n,) or values.ndim > 2 or not all(values.shape[1:]):
        what = f"{path}: {name} has the shape {values.shape} of {values.dtype}; it must have numbers of shape ({n}, n_episodes)."
        raise DataError(what)
    # A mean of huge returns is infinite here, and refused with its place later.
    with np.errstate(all="ignore"):
        return np.asarray(values.astype(np.float64).reshape(n, -1).mean(axis=1))


# ── the loggers ──────────


def _progress(part: LogPart, run: _LoggedRun, wish: Wish) -> None:
    records, happened = reports_of(part.path)
    reports = tabled(columns_of(records), wish, prefix=part.prefix, happened=happened)
    run.happened += reports.happened
    for name, extent in reports.extents.items():
        run.extents.setdefault(name, extent)
    run.series = {**reports.series, **run.series}
    run.axis = run.axis or reports.axis


# ── monitors ──────────


def _monitors(prefix: str, parts: Sequence[LogPart], run: _LoggedRun, wish: Wish) -> None:
    """Add the episodes of all environments in the order in which they ended, against the total steps of all environments by then."""
    read, starts = [], []
    for part in parts:
        head = _head(part.path)
        # Without rl-zoo3 the env_id in the head of a monitor is all that names the task.
        run.config = {**flat(head), **run.config}
        rows = table(part.path, ",", skip=1)
        run.happened += rows.happened
        read.append(_episodes(part.path, rows.names, rows.rows))
        starts.append(parsed(head.get("t_start")) or 0.0)
    # A monitor that is appended to begins at 0 again: the session of an episode is how often the clock was set back before it.
    sessions: list[Ints] = [np.cumsum(np.diff(run["t"], prepend=run["t"][:1]) < 0) for run in read]
    if (n_sessions := max(session.max(initial=0) for session in sessions)) > 0:
        run.happened.append(Happening(policy="continued", count=int(n_sessions)))
    own = _end_to_end([columns["t"] for columns in read], sessions)
    end = np.concatenate([start + ends for start, ends in zip(starts, own, strict=True)])
    reward, length = (np.concatenate([columns[name] for columns in read]) for name in "rl")
    session = np.concatenate(sessions)
    # By session, then by time. Times have six digits, so episodes of vectorised environments end at one time; length
    # and reward make their order one that no order of files changes.
    order = np.lexsort((reward, length, end, session))
    steps = np.cumsum(length[order])
    counted = np.arange(1.0, order.size + 1)
    for name, values in ((REWARD, reward), (LENGTH, length)):
        series = Series(step=steps, value=values[order], time=end[order] - min(starts, default=0.0), episodes=counted)
        run.enter(prefix + name, series, wish)


def _end_to_end(times: Sequence[Floats], sessions: Sequence[Ints]) -> list[Floats]:
    """Return the times of all environments with each session placed after the previous one, which ends with its last environment."""
    # Monitors of one session share its beginning, not its end: a session of all begins where the last one of the
    # session before ended.
    base, own = 0.0, [ends.copy() for ends in times]
    for session in range(max((int(session_of.max(initial=0)) for session_of in sessions), default=0) + 1):
        last = base
        for ends, session_of in zip(own, sessions, strict=True):
            ends[session_of == session] += base
            last = max(last, float(ends[session_of == session].max(initial=base)))
        base = last
    return own


def _head(path: Path) -> Mapping[str, Any]:
    """Return the object in the first line of a monitor: #{"t_start": …, "env_id": …}."""
    return json_object(next(lines(path), "#{}")[1:]) or {}


def _episodes(path: Path, names: Sequence[str], rows: list[list[str]]) -> dict[str, Floats]:
    if not {"r", "l", "t"} <= set(names):
        raise DataError(f"{path}: a monitor must have the columns r, l, t; this has {', '.join(names[:8])}.")
    numbers = {name: [parsed(row[names.index(name)]) for row in rows] for name in "rlt"}
    for name, column in numbers.items():
        if None in column:
            # Two lines stand before the first row: the head and the names of the columns.
            line = column.index(None) + 3
            message = f"{path}, line {line}: column {name!r} is {rows[line - 3][names.index(name)][:40]!r}, which is not a number."
            raise DataError(message)
    return {name: np.array(column, dtype=np.float64) for name, column in numbers.items()}


# ── the zoo ──────────


def _zoo(claim: ClaimedRun) -> dict[str, Any]:
    """Return the arguments and hyperparameters of rl-zoo3, which are in a folder named by the task inside the run's folder."""
    # rl-zoo3 keeps LOG/ALGO/ENV_N/ENV/args.yml.
    folders = sorted({part.path.parent for part in claim.files}, reverse=True)
    paths = [path for folder in folders for path in sorted(folder.glob("*/args.yml"), reverse=True)]
    arguments, _ = united(paths, lambda path: flat(read_config(path)))
    settings, _ = united([path.with_name("config.yml") for path in paths], lambda path: flat(read_config(path)))
    # Of the arguments only what names a run: the others (n_timesteps, device, …) differ between calls and are no
    # settings of the algorithm.
    return {**settings, **{key: value for key, value in arguments.items() if key in ("algo", "env", "seed")}}


STABLE_BASELINES3 = Tool(
    title="Stable-Baselines3",
    layout="`evaluations.npz`, `N.monitor.csv` (one per environment, all of one run; `NAME.monitor.csv` is a run by itself), `progress.csv` or "
    "`.json`; rl-zoo3 adds `TASK/args.yml`",
    find=find,
    read=read,
)


# ── OpenAI baselines ──────────

SIGNS = (b"eprewmean", b"EpRewMean", b"mean 100 episode reward", b"rollout/return_history")
"""Names of the score in PPO2 and A2C, in TRPO and PPO1, in DQN, and in DDPG."""


def find_baselines(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with a table of baselines; its monitors, which Stable-Baselines3 has kept, belong to it."""
    names = folder.signed((PROGRESS, PROGRESS_JSON), *SIGNS)
    if not names:
        return []
    files = [LogPart(folder.path / name) for name in names]
    files += [part for claim in find(folder) for part in claim.files]
    return folder.run("baselines", dict.fromkeys(files))


BASELINES = Tool(
    title="OpenAI baselines",
    layout="`progress.csv` or `.json` (eprewmean, EpRewMean, mean 100 episode reward, rollout/return), and `0.0.monitor.csv`",
    find=find_baselines,
    read=read,
)
