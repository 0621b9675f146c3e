"""Logs of evaluations, of policies and of language models: LeRobot, lm-eval, Inspect.

Their rows are episodes of a policy or questions to a model, which become a mean or one row each, by the user's unit.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.grouping import grouped
from runoff.errors import DataError
from runoff.reading.formats.json_records import GROUPS, loaded_by
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, Series, Tool, Wish
from runoff.reading.logs.rows import log_of_series
from runoff.reading.logs.wire.lines import as_dict, as_list, json_file, json_lines
from runoff.reading.logs.wire.zips import member, members
from runoff.tables.values import parsed
from runoff.words.patterns import regex
from runoff.words.speech import option

SEED = regex(r"[-_. ]?(?<![a-z])seed[-_= ]?(\d{1,12})(?![0-9a-z])", re.IGNORECASE)
"""The part of a model's name that names its training; a bare number does not (llama-3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The episodes of one policy on one task: the name of each, and its value in every series, None if it has none.

    items: the names are those of questions, so that each is a task if episodes are the unit, and equal names are attempts at the same
    question. `whole` has the values that the tool reports for all `count` episodes together; `totals`: the log has no others. `model` is the
    policy's name, if the log records it.
    """

    task: str
    model: str = ""
    count: int = 0
    labels: Sequence[str] = ()
    items: bool = False
    values: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    whole: Mapping[str, float] = field(default_factory=dict)
    totals: bool = False
    happened: tuple[Happening, ...] = ()


def logs_of(claim: ClaimedRun, wish: Wish, evaluation: Evaluation) -> list[Log]:
    """Return the log of the policy, whose score is the mean of its episodes, or a log for each episode or attempt if these are the unit.

    A series in which an episode has no value has no mean.

    If episodes are the unit, a log without single episodes is refused, and so is a log without a series that all episodes have.
    """
    if wish.unit == "episode":
        if not evaluation.labels:
            raise DataError(
                f"{claim.path}: for task {evaluation.task!r} the file has only the total over all episodes or questions; "
                f"{option('unit', 'episode')} needs the result of each (lm_eval --log_samples, inspect eval --log-samples); or leave it out."
            )
        rows = [{name: column[i] for name, column in evaluation.values.items()} for i in range(len(evaluation.labels))]
        values = [{name: value for name, value in row.items() if value is not None} for row in rows]
        logs, attempts = [], Counter[str]()
        for row, name in zip(values, evaluation.labels, strict=True):
            item = replace(evaluation, task=f"{evaluation.task}/{name}") if evaluation.items else evaluation
            logs.append(_log(claim, wish, item, row, label=str(attempts[name]) if evaluation.items else name))
            attempts[name] += 1
        # What happened to the file is said once and not for each of its episodes.
        return [replace(logs[0], happened=evaluation.happened), *logs[1:]]
    means = {name: mean for name, values in evaluation.values.items() if (mean := mean_of(values)) is not None}
    if not means and not evaluation.whole:
        names = [f"{what} {name!r}" for what, name in (("model", evaluation.model), ("task", evaluation.task)) if name]
        of = f" of {' on '.join(names)}" if names else ""
        raise DataError(f"{claim.path}: no series{of} has a value for every episode or question.")
    # A mean over the episodes that have a value would be that of other episodes for each series.
    lacking = len(evaluation.values.keys() - means.keys() - evaluation.whole.keys())
    happened = [Happening(policy="no_step"), *evaluation.happened]
    if count := evaluation.count or len(evaluation.labels):
        happened.append(
            Happening(policy="episodes_totalled" if evaluation.totals else "episodes_averaged", count=count)
        )
    if lacking:
        happened.append(Happening(policy="episodes_lacking", count=lacking))
    return [_log(claim, wish, evaluation, {**means, **evaluation.whole}, happened=tuple(happened))]


def mean_of(values: Sequence[float | None]) -> float | None:
    """Return the mean of some values, None if one of them is missing or there is none."""
    numbers = [value for value in values if value is not None]
    return float(np.mean(numbers)) if numbers and len(numbers) == len(values) else None


def _log(
    claim: ClaimedRun,
    wish: Wish,
    evaluation: Evaluation,
    values: Mapping[str, float],
    *,
    happened: tuple[Happening, ...] = (),
    label: str | None = None,
) -> Log:
    names = {"algorithm": evaluation.model} if label is None else {"algorithm": evaluation.model, "run": label}
    # `org/grpo-seed1` is training 1 of org/grpo; a bare number is a size or a version (llama-3).
    seed = SEED.search(evaluation.model) if label is None else None
    if seed and (rest := (evaluation.model[: seed.start()] + evaluation.model[seed.end() :]).strip("/")):
        names = {"algorithm": rest, "run": seed.group(1)}
    series = {name: Series(step=np.zeros(1), value=np.array([value])) for name, value in values.items()}
    return log_of_series(claim, wish, series, names={"task": evaluation.task, **names}, happened=happened)


def logs_of_latest(claim: ClaimedRun, wish: Wish, dated: Iterable[tuple[str, Evaluation]]) -> list[Log]:
    """Return the logs of dated evaluations; of several of the same model on the same task only the latest, because they are not separate
    runs."""
    # Harnesses write a new file for every call: two files of one model on one task are no two trainings.
    by_key = grouped(((own.model, own.task), own) for _, own in sorted(dated, key=lambda entry: entry[0]))
    logs: list[Log] = []
    for versions in by_key.values():
        again = [Happening(policy="evaluated_again", count=len(versions) - 1)] if len(versions) > 1 else []
        logs += logs_of(claim, wish, replace(versions[-1], happened=(*versions[-1].happened, *again)))
    return logs


def scored(value: Any) -> float | None:
    """Return the score of an episode or a question: a number, or whether it was solved."""
    return float(value) if isinstance(value, bool) else parsed(value)


# ── LeRobot ──────────

INFO = "eval_info.json"
LISTS = {"successes": "eval/success", "sum_rewards": "sum_reward", "max_rewards": "max_reward"}
"""List of a task's episodes -> series, the successes first, in the tool's order."""
ROWS = {"success": "eval/success", "sum_reward": "sum_reward", "max_reward": "max_reward"}
"""The same for the rows of older versions, one row per episode."""


LEROBOT_JOB = regex(
    r"(\d\d-\d\d-\d\d)_(.+)_(act|diffusion|groot|pi0|pi05|pi0_?fast|sac|smolvla|tdmpc|vqbet|xvla)", re.IGNORECASE
)
"""The folder that LeRobot makes for a job, in a folder for the day: TIME_ENVIRONMENT_POLICY."""


def _lerobot_names(claim: ClaimedRun) -> dict[str, str]:
    match = LEROBOT_JOB.fullmatch(claim.path.name)
    if match is None:
        return {}
    time, environment, policy = match.groups()
    return {"algorithm": policy, "task": environment, "run": f"{claim.path.parent.name} {time}"}


def read_lerobot(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the policy on each of its tasks."""
    logs, names = [], _lerobot_names(claim)
    for part in claim.files:
        evaluations = list(_evaluations(as_dict(json_file(part.path))))
        if not evaluations:
            message = f"{part.path}: there is no episode in 'per_task' or 'per_episode', where LeRobot writes them."
            raise DataError(message)
        logs += [log for evaluation in evaluations for log in logs_of(claim, wish, evaluation)]
    own = [{role: name for role, name in log.names.items() if name} for log in logs]
    return [replace(log, names={**names, **certain}) for log, certain in zip(logs, own, strict=True)]


def _evaluations(content: Mapping[str, Any]) -> Iterator[Evaluation]:
    for entry in map(as_dict, as_list(content.get("per_task"))):
        metrics = as_dict(entry.get("metrics"))
        # LeRobot changed from rows of episodes to lists by task; files of both kinds are about.
        columns = {LISTS[name]: value for name, value in metrics.items() if name in LISTS and isinstance(value, list)}
        yield from _lerobot_evaluation(f"{entry.get('task_group')}_{entry.get('task_id')}", columns)
    rows = [row for row in as_list(content.get("per_episode")) if isinstance(row, dict)]
    yield from _lerobot_evaluation("", {series: [row.get(name) for row in rows] for name, series in ROWS.items()})


def _lerobot_evaluation(task: str, columns: Mapping[str, list[Any]]) -> Iterator[Evaluation]:
    n = max(map(len, columns.values()), default=0)
    values = {name: [*map(scored, column), *[None] * (n - len(column))] for name, column in columns.items()}
    if n:
        yield Evaluation(task=task, labels=[str(i) for i in range(n)], values=values)


LEROBOT = Tool(
    title="LeRobot",
    layout="`eval_info.json`: the rewards and successes of every episode of a policy on each task; a run's score is their mean",
    find=lambda folder: folder.run("lerobot", folder.signed([INFO], b'"per_task"', b'"per_episode"')),
    read=read_lerobot,
)


# ── lm-eval ──────────

RESULTS = regex(r"(?:results|.+)_(\d{4}-\d{2}-\d{2}T[\d.\-]+)\.json")
LM_EVAL_SIGN = regex(rb'\s*\{\s*"results"\s*:\s*\{')
LM_EVAL_METRIC = regex(rb'"[\w@]+,[\w-]+"\s*:\s*[-\d."]')
Metrics = Mapping[str, float]


def find_lm_eval(folder: Folder) -> list[ClaimedRun]:
    """Return the evaluations in a folder, which usually are of one model."""
    names = [name for name in folder.named(".json") if _is_lm_eval(name, folder.head(name))]
    # Results and samples of one call share a date, which parts calls that lie in one folder.
    dates = tuple(f"_{date}.jsonl" for date in map(_date, names) if date)
    names += [name for name in folder.files if names and name.startswith("samples_") and name.endswith(dates)]
    return folder.run("lm_eval", names)


def _is_lm_eval(name: str, head: bytes) -> bool:
    """Return whether a file has results of lm-eval: by its name and its beginning, or by its metrics where a user gave it a name."""
    return LM_EVAL_SIGN.match(head) is not None and bool(RESULTS.fullmatch(name) or LM_EVAL_METRIC.search(head))


def _date(name: str) -> str:
    match = RESULTS.fullmatch(name)
    return match.group(1) if match else ""


def read_lm_eval(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the model on each of its tasks; groups of tasks are left out, because their tasks are included."""
    there = {part.path.name: part.path for part in claim.files}
    evaluations: list[tuple[str, Evaluation]] = []
    contents = {name: as_dict(json_file(path)) for name, path in there.items() if path.suffix.casefold() == ".json"}
    models = _models(contents)
    for name, content in contents.items():
        date = _date(name)
        for task, metrics in _tasks(content):
            samples = there.get(f"samples_{task}_{date}.jsonl")
            evaluation = _lm_eval_evaluation(content, task, metrics, samples, wish)
            evaluations.append((date or _clock(content), replace(evaluation, model=models[name])))
    return logs_of_latest(claim, wish, evaluations)


def _models(contents: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the model of each file: its name, otherwise what its arguments load, below the folder that all have in common, otherwise what
    the file is called; with the seed in the name of the file if a user gave it and the model's has none."""
    loaded = {
        name: loaded_by(as_dict(content.get("config")).get("model_args"))
        for name, content in contents.items()
        if not _text(content.get("model_name"))
    }
    places = {path.rstrip("/") for path in loaded.values() if path.startswith(("/", "./", "~"))}
    common = os.path.commonpath(places) if len(places) > 1 and len({path[0] for path in places}) == 1 else ""
    models: dict[str, str] = {}
    for name, content in contents.items():
        path = loaded.get(name, "").rstrip("/")
        below = os.path.relpath(path, common) if common and path in places else path
        stem = re.sub(r"^results[-_.]|[-_.]results$", "", name.removesuffix(".json"))
        model = _text(content.get("model_name")) or below or stem
        seed = None if _date(name) or SEED.search(model) else SEED.search(stem)
        models[name] = f"{model}-seed{seed[1]}" if seed else model
    return models


def _clock(content: Mapping[str, Any]) -> str:
    """Return when an evaluation ended, as text that sorts by time."""
    return f"{parsed(content.get('date')) or 0.0:020.3f}"


def _tasks(content: Mapping[str, Any]) -> Iterator[tuple[str, Metrics]]:
    """Yield the tasks and their metrics; a name is "METRIC,FILTER", and measures of spread are skipped."""
    groups = as_dict(content.get(GROUPS))
    for task, estimates in as_dict(content.get("results")).items():
        if isinstance(estimates, dict) and not groups.get(task):
            # Entries without a comma are `alias` and the like.
            values = {name: parsed(value) for name, value in estimates.items() if "," in name}
            yield task, {n: value for n, value in values.items() if value is not None and "_stderr," not in n}


def _lm_eval_evaluation(
    content: Mapping[str, Any], task: str, metrics: Metrics, samples: Path | None, wish: Wish
) -> Evaluation:
    effective = parsed(as_dict(as_dict(content.get("n-samples")).get(task)).get("effective"))
    count = int(effective) if effective is not None and 0 < effective < 1e15 else 0
    whole = Evaluation(task=task, count=count, whole=metrics, totals=samples is None)
    return whole if samples is None or wish.unit == "run" else _with_questions(whole, samples, metrics)


def _with_questions(whole: Evaluation, path: Path, metrics: Metrics) -> Evaluation:
    records, happened = json_lines(path)
    by_label: dict[str, dict[str, float]] = {}
    for record in records:
        row = by_label.setdefault(str(record.get("doc_id")), {})
        for name in metrics:
            metric, _, kind = name.partition(",")
            # A question has a line for each filter (strict-match, flexible-extract), each with its own answer to it.
            value = scored(record.get(metric)) if record.get("filter", kind) == kind else None
            if value is not None:
                row[name] = value
    measured = [name for name in metrics if any(name in row for row in by_label.values())]
    values = {name: [row.get(name) for row in by_label.values()] for name in measured}
    return replace(whole, labels=list(by_label), items=True, values=values, happened=happened)


LM_EVAL = Tool(
    title="lm-eval",
    layout="`MODEL/results_DATE.json`, or any name (metrics of every task), and `MODEL/samples_TASK_DATE.jsonl` (those of every question)",
    find=find_lm_eval,
    read=read_lm_eval,
)


# ── Inspect ──────────

INSPECT_AI_SIGN = regex(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:')
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Grade -> score: correct, partially correct, incorrect, no answer."""
OVERALL = ("accuracy", "mean")
SCORE = "score"


def read_inspect_ai(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return every model on every task; evaluations that ended abnormally are left out."""
    evaluations: list[tuple[str, Evaluation]] = []
    unfinished: list[str] = []
    for part in claim.files:
        content = _inspect_ai_content(part.path)
        header = content.get("eval")
        if not isinstance(header, dict) or content.get("status") != "success":
            unfinished.append(part.path.name)
            continue
        evaluations.append((f"{header.get('created')} {part.path.name}", _inspect_ai_evaluation(content, header, wish)))
    if not evaluations:
        raise DataError(f"{claim.path}: none of {len(unfinished)} evaluation(s) ended with the status 'success'.")
    logs = logs_of_latest(claim, wish, evaluations)
    if unfinished and logs:
        left_out = Happening(policy="unfinished", count=len(unfinished), where=unfinished[0])
        logs[0] = replace(logs[0], happened=(*logs[0].happened, left_out))
    return logs


PACKED, PACKED_HEAD, SUMMARIES = ".eval", "header.json", "summaries.json"
PACKED_SAMPLE = regex(r"samples/.+\.json")


def find_inspect_ai(folder: Folder) -> list[ClaimedRun]:
    """Return the evaluations in a folder, as JSON or compressed."""
    named = [name for name in folder.named(".json") if INSPECT_AI_SIGN.match(folder.head(name))]
    packed = [name for name in folder.named(PACKED) if folder.head(name).startswith(b"PK")]
    return folder.run("inspect_ai", sorted([*named, *packed]))


def _inspect_ai_content(path: Path) -> dict[str, Any]:
    """Return an evaluation; a compressed one without a header was interrupted, and has no status."""
    if path.suffix.casefold() != PACKED:
        return as_dict(json_file(path))
    names = members(path)
    if PACKED_HEAD not in names:
        return {}
    # The summaries hold id, epoch and scores of every sample, without their messages; older logs have none.
    summed = SUMMARIES in names
    content = as_dict(_unpacked(path, PACKED_HEAD))
    samples = sorted(filter(PACKED_SAMPLE.fullmatch, names)) if not summed else []
    rows = as_list(_unpacked(path, SUMMARIES)) if summed else [_unpacked(path, name) for name in samples]
    return {**content, "samples": rows}


def _unpacked(path: Path, name: str) -> Any:
    content = member(path, name)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: {name} in this archive is not well-formed JSON: {str(error)[:80]}.") from error


def _inspect_ai_evaluation(content: Mapping[str, Any], header: Mapping[str, Any], wish: Wish) -> Evaluation:
    questions = _inspect_ai_questions(as_list(content.get("samples")))
    # One scorer needs no name; of several each is a series.
    names = sorted({name for row in questions.values() for name in row})
    titles = {name: SCORE if len(names) == 1 else f"{name}/{SCORE}" for name in names}
    task, model = _text(header.get("task")), _text(header.get("model"))
    whole = dict(_overall(content.get("results"))) if not questions else {}
    # Evaluations whose answers were drawn with seeds that the user gave are runs; of others the latest counts.
    given = (parsed(as_dict(header.get(key)).get("seed")) for key in ("model_generate_config", "task_args"))
    seed = next((number for number in given if number is not None), None)
    if wish.unit == "run" and seed is not None and not SEED.search(model):
        model = f"{model}-seed{seed:.0f}"
    evaluation = Evaluation(task=task, model=model, items=True, whole=whole)
    # Epochs are attempts at one question, and no questions of their own.
    if wish.unit == "run":
        values = {title: [mean_of(row.get(name, [])) for row in questions.values()] for name, title in titles.items()}
        return replace(evaluation, labels=list(questions), values=values)
    epochs = {label: max(map(len, row.values()), default=0) for label, row in questions.items()}
    attempts: dict[str, list[float | None]] = {title: [] for title in titles.values()}
    for label, row in questions.items():
        for name, title in titles.items():
            own = row.get(name, [])
            attempts[title] += [*own, *[None] * (epochs[label] - len(own))]
    return replace(evaluation, labels=[label for label in questions for _ in range(epochs[label])], values=attempts)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _inspect_ai_questions(samples: Iterable[Any]) -> dict[str, dict[str, list[float | None]]]:
    """Return the values of each question by scorer, one per epoch."""
    questions: dict[str, dict[str, list[float | None]]] = {}
    for sample in samples:
        if isinstance(sample, dict):
            row = questions.setdefault(str(sample.get("id")), {})
            for name, value in _values(as_dict(sample.get("scores"))):
                row.setdefault(name, []).append(value)
    return questions


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        for key, grade in value.items() if isinstance(value, dict) else [("", value)]:
            points = GRADES.get(grade) if isinstance(grade, str) else None
            yield f"{scorer}/{key}" if key else scorer, scored(grade) if points is None else points


def _overall(results: Any) -> Iterator[tuple[str, float]]:
    entries = [score for score in as_list(as_dict(results).get("scores")) if isinstance(score, dict)]
    for score in entries:
        metrics = as_dict(score.get("metrics"))
        values = [parsed(metrics[name].get("value")) for name in OVERALL if isinstance(metrics.get(name), dict)]
        name = SCORE if len(entries) == 1 else f"{score.get('name')}/{SCORE}"
        yield from ((name, value) for value in values[:1] if value is not None)


INSPECT_AI = Tool(
    title="Inspect",
    layout="`DATE_TASK_ID.eval` or `….json` of `inspect eval`: one model on one task, with the scores of every question",
    find=find_inspect_ai,
    read=read_inspect_ai,
)
