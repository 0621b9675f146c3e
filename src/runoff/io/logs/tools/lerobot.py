"""LeRobot: `eval_info.json` of an evaluation of one policy, on one task or many, with the rewards and successes of every episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Folder, Log, Part, Tool, Wish
from runoff.io.logs.episodes import Evaluation, logs_of, scored
from runoff.io.logs.wire.lines import json_file

NAME = "lerobot"
INFO = "eval_info.json"
LISTS = {"successes": "eval/success", "sum_rewards": "sum_reward", "max_rewards": "max_reward"}
"""Lists of a task's episodes -> series: a success is what the tool tells first."""
ROWS = {"success": "eval/success", "sum_reward": "sum_reward", "max_reward": "max_reward"}
"""The same in the rows of older versions."""


def find(folder: Folder) -> list[Claim]:
    """Return the evaluation of a folder."""
    if INFO not in folder.files or not any(sign in folder.head(INFO) for sign in (b'"per_task"', b'"per_episode"')):
        return []
    return [Claim(tool=NAME, path=folder.path, parts=folder.parts, files=(Part(folder.path / INFO),))]


def read(claim: Claim, wish: Wish) -> list[Log]:
    """Return the policy on each of its tasks."""
    return [
        log for part in claim.files for evaluation in _evaluations_of(part) for log in logs_of(claim, wish, evaluation)
    ]


def _evaluations_of(part: Part) -> list[Evaluation]:
    content = json_file(part.path)
    evaluations = list(_evaluations(content)) if isinstance(content, dict) else []
    if not evaluations:
        raise DataError(f"{part.path}: there is no episode in 'per_task' or 'per_episode', where LeRobot writes them.")
    return evaluations


def _evaluations(content: Mapping[str, Any]) -> Iterator[Evaluation]:
    tasks, rows = content.get("per_task"), content.get("per_episode")
    for entry in tasks if isinstance(tasks, list) else []:
        metrics = entry.get("metrics") if isinstance(entry, dict) else None
        if isinstance(metrics, dict):
            columns = {
                LISTS[name]: value for name, value in metrics.items() if name in LISTS and isinstance(value, list)
            }
            yield from _evaluation(f"{entry.get('task_group')}_{entry.get('task_id')}", columns)
    if isinstance(rows, list):
        kept = [row for row in rows if isinstance(row, dict)]
        yield from _evaluation("", {series: [row.get(name) for row in kept] for name, series in ROWS.items()})


def _evaluation(task: str, columns: Mapping[str, list[Any]]) -> Iterator[Evaluation]:
    n = max(map(len, columns.values()), default=0)
    values = {name: [*map(scored, column), *[None] * (n - len(column))] for name, column in columns.items()}
    if n:
        yield Evaluation(task=task, labels=[str(i) for i in range(n)], values=values)


LEROBOT = Tool(
    title="LeRobot",
    layout="`eval_info.json`: the rewards and successes of every episode of a policy on each task; a run's score is their mean",
    find=find,
    read=read,
)
