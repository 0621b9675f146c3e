"""marl-eval (BenchMARL, Mava): one JSON file of many runs, environment → task → algorithm → seed → step → metrics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Extent, Folder, Log, Part, Series, Tool, Wish
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import json_file

NAME = "marl_eval"
STEP = re.compile(rb'"(?:step|STEP)_\d+"\s*:\s*\{')
ABSOLUTE = "absolute_metrics"
COUNT, ELAPSED = "step_count", "elapsed_time"
SEED = re.compile(r"^seed[_-]?(?=\d)", re.IGNORECASE)
Runs = Iterator[tuple[tuple[str, str, str, str], Mapping[str, Any]]]


def find(folder: Folder) -> list[Claim]:
    """Return the files of marl-eval's layout; each may hold many runs."""
    names = [name for name in folder.named(".json", ".json.gz") if STEP.search(folder.opened(name))]
    return [
        Claim(tool=NAME, path=folder.path / name, parts=(*folder.parts, name), files=(Part(folder.path / name),))
        for name in names
    ]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the runs of a file."""
    (part,) = claim.files
    runs = list(_runs(json_file(part.path)))
    if not runs:
        raise DataError(
            f"{part.path}: no run was found; expected are environment, task, algorithm, seed and step, nested in this order."
        )
    several = len({environment for (environment, *_), _ in runs}) > 1
    return [_log(claim, names, run, wish, several) for names, run in runs]


def _runs(content: Any) -> Runs:
    for environment, tasks in _items(content):
        for task, algorithms in _items(tasks):
            for algorithm, seeds in _items(algorithms):
                for seed, run in _items(seeds):
                    if isinstance(run, dict):
                        yield (environment, task, algorithm, seed), run


def _items(content: Any) -> Iterator[tuple[str, Any]]:
    return iter(content.items()) if isinstance(content, dict) else iter(())


def _log(claim: Claim, names: tuple[str, str, str, str], run: Mapping[str, Any], wish: Wish, several: bool) -> Log:
    environment, task, algorithm, seed = names
    points: dict[str, list[tuple[float, float, float]]] = {}
    for key, report in run.items():
        if key != ABSOLUTE and isinstance(report, dict):
            for metric, step, value, time in _values(report):
                points.setdefault(metric, []).append((step, value, time))
    arrays = {metric: np.array(sorted(points_of_metric)) for metric, points_of_metric in points.items()}
    return Log(
        claim=claim,
        names={"algorithm": algorithm, "task": f"{environment}/{task}" if several else task, "run": SEED.sub("", seed)},
        extents={
            metric: Extent(points=len(points_of_metric), last=float(points_of_metric[-1, 0]))
            for metric, points_of_metric in arrays.items()
        },
        series={
            metric: Series(step=points_of_metric[:, 0], value=points_of_metric[:, 1], time=points_of_metric[:, 2])
            for metric, points_of_metric in arrays.items()
            if wish.keep(metric)
        },
        inner="/".join(names),
        axis=COUNT,
    )


def _values(report: Mapping[str, Any]) -> Iterator[tuple[str, float, float, float]]:
    """Yield (metric, step, mean of its episodes, seconds) of one evaluation."""
    step, time = number(report.get(COUNT)), number(report.get(ELAPSED))
    for metric, values in report.items():
        if metric not in (COUNT, ELAPSED) and step is not None:
            value = _mean(values if isinstance(values, list) else [values])
            if value is not None:
                yield metric, step, value, float("nan") if time is None else time


def _mean(values: list[Any]) -> float | None:
    numbers = [numeric for value in values if (numeric := number(value)) is not None]
    if not numbers or len(numbers) < len(values):
        return None
    return numbers[0] if len(numbers) == 1 else float(np.mean(numbers))


MARL_EVAL = Tool(
    title="marl-eval",
    layout="a JSON file {environment: {task: {algorithm: {seed: {step_0: {step_count, elapsed_time, metric: [episodes]}}}}}}, with many runs",
    find=find,
    read=read,
)
