"""Results of models and agents with one item per row: verifiers, tau2-bench, HELM.

Rows of the same item are attempts at it. Other measures in a row (costs, lengths) are listed as series and are not scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from runoff.errors import DataError
from runoff.reading.logs.base import ClaimedRun, Folder, Happening, Log, LogPart, Tool, Wish
from runoff.reading.logs.tools.evaluations import Evaluation, logs_of, logs_of_latest, mean_of, scored
from runoff.reading.logs.wire.lines import as_dict, as_list, json_file, json_lines
from runoff.words.patterns import regex

ScoredItem = tuple[str, Mapping[str, float | None]]
"""An item, and the values of an attempt at it, by series."""


def of_answers(evaluation: Evaluation, answers: Iterable[ScoredItem], wish: Wish) -> Evaluation:
    """Return an evaluation with its answers: one value per item, the mean of its attempts, or one value per attempt if these are the unit."""
    rows = list(answers)
    names = sorted({name for _, values in rows for name in values})
    if wish.unit == "episode":
        labels = [item for item, _ in rows]
        values = {name: [row.get(name) for _, row in rows] for name in names}
    else:
        by_item: dict[str, list[Mapping[str, float | None]]] = {}
        for item, row in rows:
            by_item.setdefault(item, []).append(row)
        labels = list(by_item)
        values = {name: [mean_of([row.get(name) for row in own]) for own in by_item.values()] for name in names}
    return replace(evaluation, labels=labels, items=True, values=values)


def _whole(path: object, answers: Sequence[ScoredItem]) -> Sequence[ScoredItem]:
    if not answers:
        raise DataError(f"{path}: the file has no result of any item.")
    return answers


# ── verifiers ──────────

VERIFIERS_ROWS, VERIFIERS_HEAD = "results.jsonl", "metadata.json"
VERIFIERS_ITEMS = ("example_id", "id")
TEXTS = frozenset({*VERIFIERS_ITEMS, "prompt", "completion", "answer", "task", "info"})


def find_verifiers(folder: Folder) -> list[ClaimedRun]:
    """Return the evaluation in a folder with rollouts and a header that names environment and model."""
    head = folder.head(VERIFIERS_HEAD) if {VERIFIERS_ROWS, VERIFIERS_HEAD} <= {*folder.files} else b""
    return folder.run(
        "verifiers", [VERIFIERS_ROWS, VERIFIERS_HEAD] if b'"env_id"' in head and b'"model"' in head else []
    )


def read_verifiers(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the model on the environment."""
    head = as_dict(json_file(claim.path / VERIFIERS_HEAD))
    records, happened = json_lines(claim.path / VERIFIERS_ROWS)
    answers = [(_verifiers_item(record), dict(_numbers(record))) for record in records]
    evaluation = Evaluation(task=str(head.get("env_id")), model=str(head.get("model")), happened=happened)
    return logs_of(claim, wish, of_answers(evaluation, _whole(claim.path, answers), wish))


def _verifiers_item(record: Mapping[str, Any]) -> str:
    item = next((record[key] for key in VERIFIERS_ITEMS if record.get(key) is not None), None)
    if item is None:
        raise DataError(f"a rollout of verifiers has no {' or '.join(VERIFIERS_ITEMS)}: {str(record)[:80]}.")
    return str(item)


def _numbers(record: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    for name, value in record.items():
        if name not in TEXTS and isinstance(value, bool | int | float):
            yield name, scored(value)


VERIFIERS = Tool(
    title="verifiers",
    layout="`outputs/evals/ENV--MODEL/ID/results.jsonl` (one rollout per line) beside `metadata.json`",
    find=find_verifiers,
    read=read_verifiers,
)


# ── tau2-bench ──────────

TAU2_SIGN = regex(rb'\s*\{\s*"timestamp"\s*:')


def find_tau2(folder: Folder) -> list[ClaimedRun]:
    """Return the files of simulations in a folder."""
    heads = {name: folder.head(name) for name in folder.named(".json")}
    named = [name for name, head in heads.items() if TAU2_SIGN.match(head) and b'"agent_info"' in head]
    return folder.run("tau2", named)


def read_tau2(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return every agent on every domain; a simulation without a reward has no value."""
    return logs_of_latest(claim, wish, [_tau2(part, wish) for part in claim.files])


def _tau2(part: LogPart, wish: Wish) -> tuple[str, Evaluation]:
    content = as_dict(json_file(part.path))
    info = as_dict(content.get("info"))
    model, domain = as_dict(info.get("agent_info")).get("llm"), as_dict(info.get("environment_info")).get("domain_name")
    simulations = [as_dict(entry) for entry in as_list(content.get("simulations"))]
    answers = [
        (str(entry.get("task_id")), {"reward": scored(as_dict(entry.get("reward_info")).get("reward"))})
        for entry in simulations
    ]
    evaluation = Evaluation(task=str(domain), model=str(model))
    return str(content.get("timestamp")), of_answers(evaluation, _whole(part.path, answers), wish)


TAU2 = Tool(
    title="tau2-bench",
    layout="`data/simulations/NAME.json`: an agent on a domain, with the reward of every simulation",
    find=find_tau2,
    read=read_tau2,
)


# ── HELM ──────────

HELM_SPEC, HELM_ROWS = "run_spec.json", "per_instance_stats.json"
MODEL_PART = regex(r"(?:^|(?<=[,:]))(?:model|model_deployment)=[^,]*,?")
TEST = "test"


def read_helm(claim: ClaimedRun, wish: Wish) -> list[Log]:
    """Return the model on the scenario: the unperturbed instances of the test split."""
    spec = as_dict(json_file(claim.path / HELM_SPEC))
    rows = [as_dict(entry) for entry in as_list(json_file(claim.path / HELM_ROWS))]
    # Perturbed copies of an instance measure robustness, and are no further items.
    plain = [row for row in rows if not row.get("perturbation")]
    answers = [(str(row.get("instance_id")), dict(_helm_stats(row.get("stats")))) for row in plain]
    answers = [(item, values) for item, values in answers if values]
    task = MODEL_PART.sub("", str(spec.get("name"))).rstrip(",:")
    evaluation = Evaluation(task=task, model=str(as_dict(spec.get("adapter_spec")).get("model")))
    left_out = len(rows) - len(plain)
    happened = (Happening(policy="perturbed", count=left_out),) if left_out else ()
    return logs_of(claim, wish, replace(of_answers(evaluation, _whole(claim.path, answers), wish), happened=happened))


def _helm_stats(stats: Any) -> Iterator[tuple[str, float | None]]:
    for stat in map(as_dict, as_list(stats)):
        name = as_dict(stat.get("name"))
        if name.get("split") in (TEST, None) and not name.get("perturbation"):
            total, count = scored(stat.get("sum")), scored(stat.get("count"))
            mean = scored(stat.get("mean"))
            yield str(name.get("name")), mean if mean is not None or not count or total is None else total / count


HELM = Tool(
    title="HELM",
    layout="`runs/SUITE/SCENARIO,model=MODEL/per_instance_stats.json` beside `run_spec.json`",
    find=lambda folder: folder.run("helm", [HELM_SPEC, HELM_ROWS] if {HELM_SPEC, HELM_ROWS} <= {*folder.files} else []),
    read=read_helm,
)
