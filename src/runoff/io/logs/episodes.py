"""Logs of evaluations, whose rows are episodes of a policy or questions to a model: a mean, or a row each, as the user's unit says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from runoff.errors import DataError
from runoff.io.logs.base import Claim, Happening, Log, Series, Wish
from runoff.io.logs.rows import log_of_series
from runoff.tables.tidy import parsed
from runoff.words.speech import option

SEED = re.compile(r"[-_. ]?(?<![a-z])seed[-_= ]?(\d{1,12})(?![0-9a-z])", re.IGNORECASE)
"""The part of a model's name that says which training it comes from; a bare number does not (llama-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The episodes of one policy on one task: a name each, and of every series a value each, None where it has none.

    items: the names are those of questions, so that each is a task if episodes are the unit, and those of equal names are attempts at one.
    `whole` has the values that the tool tells of all `count` episodes together. `model` is the policy's name, if the log tells it.
    """

    task: str
    model: str = ""
    count: int = 0
    labels: Sequence[str] = ()
    items: bool = False
    values: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    whole: Mapping[str, float] = field(default_factory=dict)
    happened: tuple[Happening, ...] = ()


def logs_of(claim: Claim, wish: Wish, evaluation: Evaluation) -> list[Log]:
    """Return the log of the policy, whose score is the mean of its episodes, or a log an episode or attempt, where these are the unit.

    A series of which an episode has no value has no mean.

    A log that does not tell the episodes is refused if they are the unit; so is one without a series that all of them have.
    """
    if wish.unit == "episode":
        if not evaluation.labels:
            raise DataError(
                f"{claim.path}: of task {evaluation.task!r} it tells only what all episodes or questions gave in all; "
                f"{option('unit', 'episode')} needs each (lm_eval --log_samples, inspect eval --log-samples); or leave it out."
            )
        rows = [{name: column[i] for name, column in evaluation.values.items()} for i in range(len(evaluation.labels))]
        values = [{name: value for name, value in row.items() if value is not None} for row in rows]
        logs, attempts = [], Counter[str]()
        for row, name in zip(values, evaluation.labels, strict=True):
            item = replace(evaluation, task=f"{evaluation.task}/{name}") if evaluation.items else evaluation
            logs.append(_log(claim, wish, item, row, label=str(attempts[name]) if evaluation.items else name))
            attempts[name] += 1
        return [replace(logs[0], happened=evaluation.happened), *logs[1:]]
    means = {name: mean for name, values in evaluation.values.items() if (mean := mean_of(values)) is not None}
    if not means and not evaluation.whole:
        raise DataError(
            f"{claim.path}: no series of task {evaluation.task!r} has a value for each of its episodes or questions."
        )
    lacking = len(evaluation.values.keys() - means.keys() - evaluation.whole.keys())
    happened = [Happening(policy="no_step"), *evaluation.happened]
    if count := evaluation.count or len(evaluation.labels):
        happened.append(Happening(policy="episodes_averaged", count=count))
    if lacking:
        happened.append(Happening(policy="episodes_lacking", count=lacking))
    return [_log(claim, wish, evaluation, {**means, **evaluation.whole}, happened=tuple(happened))]


def mean_of(values: Sequence[float | None]) -> float | None:
    """Return the mean of some values, None if one of them is missing or there is none."""
    numbers = [value for value in values if value is not None]
    return float(np.mean(numbers)) if numbers and len(numbers) == len(values) else None


def _log(
    claim: Claim,
    wish: Wish,
    evaluation: Evaluation,
    values: Mapping[str, float],
    *,
    happened: tuple[Happening, ...] = (),
    label: str | None = None,
) -> Log:
    names = {"algorithm": evaluation.model} if label is None else {"algorithm": evaluation.model, "run": label}
    seed = SEED.search(evaluation.model) if label is None else None
    if seed and (rest := evaluation.model[: seed.start()] + evaluation.model[seed.end() :]):
        names = {"algorithm": rest, "run": seed.group(1)}
    series = {name: Series(step=np.zeros(1), value=np.array([value])) for name, value in values.items()}
    return log_of_series(claim, wish, series, names={"task": evaluation.task, **names}, happened=happened)


def logs_of_latest(claim: Claim, wish: Wish, dated: Iterable[tuple[str, Evaluation]]) -> list[Log]:
    """Return the logs of evaluations with their dates: of several of one model on one task the latest, for they are no further runs."""
    by_key: dict[tuple[str, str], list[Evaluation]] = {}
    for _, evaluation in sorted(dated, key=lambda entry: entry[0]):
        by_key.setdefault((evaluation.model, evaluation.task), []).append(evaluation)
    logs: list[Log] = []
    for versions in by_key.values():
        again = [Happening(policy="evaluated_again", count=len(versions) - 1)] if len(versions) > 1 else []
        logs += logs_of(claim, wish, replace(versions[-1], happened=(*versions[-1].happened, *again)))
    return logs


def scored(value: Any) -> float | None:
    """Return the score of an episode or a question: a number, or whether it was solved."""
    return float(value) if isinstance(value, bool) else parsed(value)
