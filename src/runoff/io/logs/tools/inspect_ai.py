"""Inspect: evaluation logs in JSON (`inspect eval --log-format json`), each one model on one task, with the scores of every question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Happening, Log, Part, Tool, Wish
from runoff.io.logs.episodes import Evaluation, logs_of_latest, scored
from runoff.io.logs.rows import number
from runoff.io.logs.wire.lines import json_file

NAME = "inspect_ai"
SIGN = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:')
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partially correct, incorrect, no answer."""
OVERALL = ("accuracy", "mean")
SCORE = "score"


def find(folder: Folder) -> list[Claim]:
    """Return the evaluations of a folder."""
    names = [name for name in folder.named(".json") if SIGN.match(folder.head(name))]
    files = tuple(Part(folder.path / name) for name in names)
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=files)] if files else []


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return every model on every task; evaluations that did not end well are left out.

    Raises
    ------
    DataError
        None ended well, or one cannot be read.
    """
    evaluations: list[tuple[str, Evaluation]] = []
    unfinished: list[str] = []
    for part in claim.files:
        content = json_file(part.path)
        header = content.get("eval") if isinstance(content, dict) else None
        if not isinstance(header, dict) or content.get("status") != "success":
            unfinished.append(part.path.name)
            continue
        evaluations.append((f"{header.get('created')} {part.path.name}", _evaluation(content, header)))
    if not evaluations:
        raise DataError(f"{claim.path}: none of {len(unfinished)} evaluation(s) ended well (status 'success').")
    logs = logs_of_latest(claim, wish, evaluations)
    if unfinished and logs:
        left_out = Happening(policy="unfinished", count=len(unfinished), where=unfinished[0])
        first = logs[0]
        logs[0] = replace(first, happened=(*first.happened, left_out))
    return logs


def _evaluation(content: Mapping[str, Any], header: Mapping[str, Any]) -> Evaluation:
    samples = content.get("samples")
    questions = _questions(samples) if isinstance(samples, list) else {}
    names = sorted({name for row in questions.values() for name in row})
    single = len(names) == 1
    return Evaluation(
        task=_text(header.get("task")),
        model=_text(header.get("model")),
        labels=list(questions),
        values={
            SCORE if single else f"{name}/{SCORE}": [_mean(row.get(name)) for row in questions.values()]
            for name in names
        },
        whole=dict(_overall(content.get("results"))) if not questions else {},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _questions(samples: Iterable[Any]) -> dict[str, dict[str, list[float | None]]]:
    """Return the values of each question by scorer, one an epoch."""
    questions: dict[str, dict[str, list[float | None]]] = {}
    for sample in samples:
        if isinstance(sample, dict):
            row = questions.setdefault(str(sample.get("id")), {})
            scores = sample.get("scores")
            for name, value in _values(scores if isinstance(scores, dict) else {}):
                row.setdefault(name, []).append(value)
    return questions


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, grade in inner:
            yield (
                f"{scorer}/{key}" if key else scorer,
                GRADES[grade] if isinstance(grade, str) and grade in GRADES else scored(grade),
            )


def _mean(epochs: list[float | None] | None) -> float | None:
    """Return the value of a question: the mean of its epochs, which are answers to one question and no questions of their own."""
    numbers = [value for value in epochs or [] if value is not None]
    return float(np.mean(numbers)) if numbers and len(numbers) == len(epochs or []) else None


def _overall(results: Any) -> Iterator[tuple[str, float]]:
    scores = results.get("scores") if isinstance(results, dict) else None
    entries = [score for score in scores if isinstance(score, dict)] if isinstance(scores, list) else []
    for score in entries:
        metrics = score.get("metrics")
        if isinstance(metrics, dict):
            values = [number(metrics[name].get("value")) for name in OVERALL if isinstance(metrics.get(name), dict)]
            name = SCORE if len(entries) == 1 else f"{score.get('name')}/{SCORE}"
            yield from ((name, value) for value in values[:1] if value is not None)


INSPECT_AI = Tool(
    title="Inspect",
    layout="`DATE_TASK_ID.json` of `inspect eval --log-format json`: one model on one task, with the scores of every question",
    find=find,
    read=read,
)
