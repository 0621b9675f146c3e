"""Files that contain whole series: JSON of marl-eval, published score archives, Sacred; arrays of MushroomRL and ElegantRL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading.formats.arrays import ARRAY, load
from runoff.reading.logs.base import ClaimedRun, Folder, Log, LogPart, Series, Tool, Wish, ended
from runoff.reading.logs.rows import log_of_series
from runoff.reading.logs.tools.evaluations import mean_of
from runoff.reading.logs.wire.lines import as_dict, as_list, json_file
from runoff.tables.values import parsed
from runoff.words.patterns import regex

# ── marl-eval ──────────

# Only the nesting tells this JSON from any other: it has no mark of its own, and the keys of the evaluations are
# step_0, step_1, …
STEP = regex(rb'"(?:step|STEP)_\d+"\s*:\s*\{')
ABSOLUTE = "absolute_metrics"
COUNT, ELAPSED = "step_count", "elapsed_time"
SEED = regex(r"^seed[_-]?(?=\d)", re.IGNORECASE)
ArchivedRuns = Iterator[tuple[tuple[str, str, str, str], Mapping[str, Any]]]


def read_marl_eval(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs of a file."""
    (part,) = claim.files
    runs = list(_runs(json_file(part.path)))
    if not runs:
        message = f"{part.path}: there is no run; runoff expects environment, task, algorithm, seed and step, nested in this order."
        raise DataError(message)
    # BenchMARL and Mava write one environment a file; its name would only lengthen the names of tasks.
    several = len({environment for (environment, *_), _ in runs}) > 1
    return [_marl_eval_log(claim, names, run, wish, several) for names, run in runs]


def _runs(content: Any) -> ArchivedRuns:
    for environment, tasks in as_dict(content).items():
        for task, algorithms in as_dict(tasks).items():
            for algorithm, seeds in as_dict(algorithms).items():
                for seed, run in as_dict(seeds).items():
                    if isinstance(run, dict):
                        yield (environment, task, algorithm, seed), run


def _marl_eval_log(
    claim: ClaimedRun, names: tuple[str, str, str, str], run: Mapping[str, Any], wish: Wish, several: bool
) -> Log:
    environment, task, algorithm, seed = names
    # `absolute_metrics` is the evaluation of the best checkpoint, which was chosen by its score.
    reports = [report for key, report in run.items() if key != ABSOLUTE and isinstance(report, dict)]
    points = grouped((metric, point) for report in reports for metric, *point in _values(report))
    # Keys are step_0 … step_10 in the order of writing, and JSON promises none; the counts inside tell the order.
    arrays = {metric: np.array(sorted(rows)) for metric, rows in points.items()}
    series = {metric: Series(step=a[:, 0], value=a[:, 1], time=a[:, 2]) for metric, a in arrays.items()}
    # Seeds are `seed_3` or `3`, as the writer liked.
    roles = {"algorithm": algorithm, "task": f"{environment}/{task}" if several else task, "run": SEED.sub("", seed)}
    return log_of_series(claim, wish, series, names=roles, inner="/".join(names), axis=COUNT)


def _values(report: Mapping[str, Any]) -> Iterator[tuple[str, float, float, float]]:
    """Yield (metric, step, mean of its episodes, seconds) of one evaluation."""
    step, time = parsed(report.get(COUNT)), parsed(report.get(ELAPSED))
    for metric, values in report.items():
        if metric not in (COUNT, ELAPSED) and step is not None:
            value = mean_of(list(map(parsed, values if isinstance(values, list) else [values])))
            if value is not None:
                yield metric, step, value, float("nan") if time is None else time


MARL_EVAL = Tool(
    title="marl-eval",
    layout="a JSON file {environment: {task: {algorithm: {seed: {step_0: {step_count, elapsed_time, metric: [episodes]}}}}}}, with many runs",
    find=lambda folder: [
        folder.file("marl_eval", name) for name in folder.named(".json", ".json.gz") if STEP.search(folder.opened(name))
    ],
    read=read_marl_eval,
)


# ── Score archive ──────────

SIGN = regex(rb'"xs"\s*:\s*\[')
KEYS = {"task": "task", "algorithm": "method", "run": "seed"}
"""Role -> key of an entry."""
SCORE = "score"


def find_score_archive(folder: Folder) -> list[ClaimedRun]:
    """Return the archives in a folder; each may contain many runs."""
    # `xs` alone is a usual name: the list, the task and a list of xs together are not.
    heads = {name: folder.opened(name).lstrip() for name in folder.named(".json", ".json.gz")}
    signed = (name for name, head in heads.items() if head.startswith(b"[") and SIGN.search(head) and b'"task"' in head)
    return [folder.file("score_archive", name) for name in signed]


def read_score_archive(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the runs of an archive."""
    (part,) = claim.files
    runs = enumerate(json_file(part.path), start=1)
    return [_score_archive_log(claim, f"{part.path}, run {i}", entry, wish) for i, entry in runs]


def _score_archive_log(claim: ClaimedRun, place: str, entry: Any, wish: Wish) -> Log:
    if not isinstance(entry, dict):
        raise DataError(f"{place}: a run must be an object, not {type(entry).__name__}.")
    names = {}
    for role, key in KEYS.items():
        name = entry.get(key)
        if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
            message = f"{place}: {key!r} is {str(name)[:40]!r}; each run of an archive needs task, method and seed."
            raise DataError(message)
        names[role] = str(name).strip()
    step, value = (_numbers(place, entry, key) for key in ("xs", "ys"))
    if step.size != value.size:
        raise DataError(f"{place}: xs has {step.size} number(s), ys has {value.size}; they must have the same length.")
    series = {SCORE: Series(step=step, value=value)}
    return log_of_series(claim, wish, series, names=names, inner="/".join(names.values()), axis="xs")


def _numbers(place: str, entry: Mapping[str, Any], key: str) -> Floats:
    """Return a list of numbers; null is NaN, which means that nothing was measured."""
    values = entry.get(key)
    if not isinstance(values, list):
        raise DataError(f"{place}: {key!r} must be a list of numbers.")
    numbers = [float("nan") if value is None else parsed(value) for value in values]
    if None in numbers:
        wrong = str(values[numbers.index(None)])[:40]
        raise DataError(f"{place}: {key!r} has {wrong!r}, which is not a number.")
    return np.array(numbers, dtype=np.float64)


SCORE_ARCHIVE = Tool(
    title="Score archive",
    layout="a JSON file, `.gz` or not, [{task, method, seed, xs: [steps], ys: [scores]}, …], with many runs (Dreamer's published scores)",
    find=find_score_archive,
    read=read_score_archive,
)


# ── Sacred ──────────

METRICS, INFO = "metrics.json", "info.json"
STEPS_SUFFIX = "_T"
"""The suffix of a series' name for its steps in info.json."""


def find_sacred(folder: Folder) -> list[ClaimedRun]:
    """Return the run of a folder with Sacred's files."""
    # metrics.json is what Sacred's own log_scalar writes. PyMARL and EPyMARL put their series into `info` instead,
    # with the steps of NAME as NAME_T.
    steps = METRICS in folder.files and b'"steps"' in folder.head(METRICS) and b'"values"' in folder.head(METRICS)
    old = INFO in folder.files and "run.json" in folder.files and b"[" in folder.head(INFO)
    names = [METRICS] if steps else [INFO] if old else []
    return folder.run("sacred", names)


def read_sacred(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run."""
    series = {part.prefix + name: points for part in claim.files for name, points in _all_series(part)}
    times = np.concatenate([np.empty(0), *(points.time for points in series.values() if points.time is not None)])
    start = np.fmin.reduce(times, initial=np.nan)  # the run begins with the first report of any series
    since = {
        name: replace(points, time=None if points.time is None else points.time - start)
        for name, points in series.items()
    }
    run = claim.path / "run.json"
    about = as_dict(json_file(run)) if run.is_file() else {}
    happened = ended(about.get("status"))
    # what Experiment(NAME) says stands nowhere else
    config = {"experiment_name": as_dict(about.get("experiment")).get("name")}
    return [log_of_series(claim, wish, since, config=config, happened=happened)]


def _all_series(part: LogPart) -> Iterator[tuple[str, Series]]:
    content = json_file(part.path)
    if not isinstance(content, dict):
        raise DataError(f"{part.path}: the file must be an object of series, not {type(content).__name__}.")
    for name, entry in content.items():
        if part.path.name == INFO:
            # The entry NAME_T itself has no NAME_T_T, so that it is passed over below.
            entry = {"values": entry, "steps": content.get(name + STEPS_SUFFIX)}
        steps, values = (as_dict(entry).get(column) for column in ("steps", "values"))
        if isinstance(steps, list) and isinstance(values, list):
            yield name, _series(steps, values, as_list(entry.get("timestamps")))


def _series(steps: list[Any], values: list[Any], times: list[Any]) -> Series:
    """Return a series; a value may be an object of NumPy's that jsonpickle wrote ({"py/object": …, "value": 0.5})."""
    # Sacred writes the file again and again while the run goes on: one list may be an entry ahead of the other.
    n = min(len(steps), len(values))
    plain = ([entry.get("value") if isinstance(entry, dict) else entry for entry in own[:n]] for own in (steps, values))
    step, value = (np.array([*map(parsed, own)], dtype=np.float64) for own in plain)
    return Series(step=step, value=value, time=np.array([*map(_seconds, times[:n])]) if len(times) >= n else None)


def _seconds(text: Any) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return float("nan")


SACRED = Tool(
    title="Sacred",
    layout="`metrics.json` ({series: {steps, values, timestamps}}), or `info.json` ({series: [values], series_T: [steps]}), and `config.json`",
    find=find_sacred,
    read=read_sacred,
)


# ── MushroomRL ──────────

MUSHROOM_FILE = regex(r"[JR]-(\d+)\.npy")
MUSHROOM_SERIES = {"R": "eval/return", "J": "eval/discounted_return"}
"""Names of arrays -> series; other arrays that a script saves have no known names."""


def read_mushroom_rl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run; its epochs are counted."""
    series = {}
    for part in claim.files:
        values = _array(part, 1)
        # MushroomRL's Logger counts epochs by the position in the array alone.
        name = MUSHROOM_SERIES[part.path.name[0]]
        series[name] = Series(step=np.arange(1.0, values.shape[0] + 1), value=values)
    return [log_of_series(claim, wish, series)]


def _array(part: LogPart, n_axes: int) -> Floats:
    array = load(part.path.read_bytes(), str(part.path))
    if array.ndim != n_axes or array.dtype.kind not in "iuf":
        raise DataError(
            f"{part.path}: {n_axes} axis(es) of numbers are needed, not an array {array.shape} of {array.dtype}."
        )
    return np.asarray(array, dtype=np.float64)


MUSHROOM_RL = Tool(
    title="MushroomRL",
    layout="`NAME/R-SEED.npy`, `NAME/J-SEED.npy`: the return and the discounted return of each epoch, one run per seed",
    find=lambda at: at.grouped("mushroom_rl", MUSHROOM_FILE, at.signed(at.named(".npy"), ARRAY), "seed_{}"),
    read=read_mushroom_rl,
)


# ── ElegantRL ──────────

RECORDER = "recorder.npy"
# recorder.npy has no head; ElegantRL's Evaluator appends (total_step, avg_r, std_r, exp_r, *losses).
RECORDED = ("total_step", "eval/return", "eval/return_std", "train/reward")
"""The first columns of a recorder; the others are losses, which differ between algorithms."""


def read_elegantrl(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the run; each row of its array is an evaluation."""
    (part,) = claim.files
    rows = _array(part, 2)
    if rows.shape[1] < len(RECORDED):
        raise DataError(
            f"{part.path}: a recorder has the columns {', '.join(RECORDED)} and losses, not {rows.shape[1]} column(s)."
        )
    series = {name: Series(step=rows[:, 0], value=rows[:, i]) for i, name in enumerate(RECORDED) if i}
    return [log_of_series(claim, wish, series, axis=RECORDED[0])]


ELEGANTRL = Tool(
    title="ElegantRL",
    layout="`ENV_AGENT_SEED/recorder.npy`: one row per evaluation, with steps, mean and spread of the returns, training reward, losses",
    find=lambda folder: folder.run("elegantrl", folder.signed([RECORDER], ARRAY)),
    read=read_elegantrl,
)
