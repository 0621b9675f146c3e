"""lm-eval: `results_DATE.json` (a model's metrics on every task) and `samples_TASK_DATE.jsonl` (those of every question)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.episodes import Evaluation, logs_of_latest, scored
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import json_file, json_lines

NAME = "lm_eval"
RESULTS = re.compile(r"(?:results|.+)_(\d{4}-\d{2}-\d{2}T[\d.\-]+)\.json")
SIGN = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
GROUPS = "group_subtasks"
Metrics = Mapping[str, float]


def find(folder: Folder) -> list[Claim]:
    """Return the evaluations of a folder, which are of one model as a rule."""
    names = [name for name in folder.files if RESULTS.fullmatch(name) and SIGN.match(folder.head(name))]
    dates = tuple(f"_{_date(name)}.jsonl" for name in names)
    names += [name for name in folder.files if names and name.startswith("samples_") and name.endswith(dates)]
    files = tuple(Part(folder.path / name) for name in names)
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def _date(name: str) -> str:
    match = RESULTS.fullmatch(name)
    return match.group(1) if match else ""


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the model on each of its tasks; groups of tasks are left out, for their tasks are there."""
    there = {part.path.name: part.path for part in claim.files}
    evaluations: list[tuple[str, Evaluation]] = []
    for name, path in there.items():
        if date := _date(name):
            content = json_file(path)
            samples = {task: there.get(f"samples_{task}_{date}.jsonl") for task, _ in _tasks(content)}
            evaluations += [
                (date, _evaluation(content, task, of_task, samples[task], wish)) for task, of_task in _tasks(content)
            ]
    return logs_of_latest(claim, wish, evaluations)


def _tasks(content: Any) -> Iterator[tuple[str, Metrics]]:
    """Yield the tasks and their metrics; a name is "METRIC,FILTER", and metrics of spread are left to their estimates."""
    results = content.get("results") if isinstance(content, dict) else None
    groups = content.get(GROUPS) if isinstance(content, dict) else None
    for task, estimates in results.items() if isinstance(results, dict) else ():
        if isinstance(estimates, dict) and not (isinstance(groups, dict) and groups.get(task)):
            metrics = {
                name: number(value) for name, value in estimates.items() if "," in name and "_stderr," not in name
            }
            yield task, {name: value for name, value in metrics.items() if value is not None}


def _evaluation(
    content: Mapping[str, Any], task: str, metrics: Metrics, samples: Path | None, wish: Wish
) -> Evaluation:
    model = content.get("model_name")
    counts = content.get("n-samples")
    count = counts.get(task) if isinstance(counts, dict) else None
    effective = number(count.get("effective")) if isinstance(count, dict) else None
    labels, values, happened = (
        _questions(samples, metrics) if samples is not None and wish.unit == "episode" else ([], {}, ())
    )
    return Evaluation(
        task=task,
        model=model if isinstance(model, str) else "",
        count=int(effective) if effective is not None and 0 < effective < 1e15 else 0,
        labels=labels,
        values=values,
        whole=metrics,
        happened=happened,
    )


def _questions(path: Path, metrics: Metrics) -> tuple[list[str], dict[str, list[float | None]], tuple[Happening, ...]]:
    """Return the questions and their values of each metric."""
    records, happened = json_lines(path)
    by_label: dict[str, dict[str, float]] = {}
    for record in records:
        row = by_label.setdefault(str(record.get("doc_id")), {})
        for name in metrics:
            metric, _, kind = name.partition(",")
            value = scored(record.get(metric)) if record.get("filter", kind) == kind else None
            if value is not None:
                row[name] = value
    measured = [name for name in metrics if any(name in row for row in by_label.values())]
    return list(by_label), {name: [row.get(name) for row in by_label.values()] for name in measured}, happened


LM_EVAL = Tool(
    title="lm-eval",
    layout="`MODEL/results_DATE.json` (metrics of every task) and `MODEL/samples_TASK_DATE.jsonl` (those of every question)",
    find=find,
    read=read,
)
