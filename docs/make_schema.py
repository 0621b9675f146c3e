"""Write src/runoff/cli/schema.json, what `--json` of every verb prints, from the classes of the answers: `make names`.

Each verb has a definition of its own: `{"$ref": "schema.json#/$defs/compare"}`. A test holds the output of every verb against it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from runoff.answer import (
    aggregate,
    claims,
    comparison,
    diff,
    gate,
    keep,
    plan,
    power,
    rank,
    reproduce,
    scan,
    sequential,
    study,
    tuning,
    where,
)
from runoff.answer.base import Advice, Result

FILE = Path(__file__).resolve().parents[1] / "src" / "runoff" / "cli" / "schema.json"
NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity"]}]}
"""JSON has no infinity: it is a text that `float` reads."""
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
MAPPING: dict[str, Any] = {"type": "object"}
ANY: dict[str, Any] = {}
TEXT = {"type": ["string", "null"]}
ATOMS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: NUMBER,
    NoneType: {"type": "null"},
    Any: ANY,
}
ANSWERS: dict[str, tuple[type[Result], ...]] = {
    "aggregate": (aggregate.AggregateResult,),
    "check": (study.StudyResult,),
    "compare": (comparison.ComparisonResult, where.WhereResult),
    "diff": (diff.DiffResult,),
    "gate": (gate.GateResult,),
    "keep": (keep.KeepResult,),
    "plan": (
        plan.PlanResult,
        plan.PlanTable,
        plan.NestedPlan,
        plan.NextRunsResult,
        power.RunsNeededResult,
        power.PowerResult,
    ),
    "rank": (rank.RankingResult,),
    "reproduce": (reproduce.ReproduceResult,),
    "scan": (scan.ScanResult, scan.PreviewResult),
    "sequential": (sequential.SequentialResult, sequential.AnytimeResult),
    "tuning": (tuning.TuningResult,),
}
"""The verbs that print the fields of an answer, as `to_json` gives them, each with its kinds of answers."""
BESIDE: dict[str, dict[str, Any]] = {
    "compare": {
        "schema": TEXT,
        "version": TEXT,
        "leader": TEXT,
        "standing": MAPPING,
        "scores": MAPPING,
        **dict.fromkeys(("real", "across_tasks", "other_measures"), MAPPING),
        "family_advice": {"type": "array", "items": {"$ref": "#/$defs/Advice"}},
    },
    "diff": {"n_changed": ATOMS[int]},
}
"""What a verb prints beside the fields of its answer."""


def rows(kind: type) -> dict[str, Any]:
    """Return the schema of the records of an answer."""
    return {"type": "array", "items": {"$ref": f"#/$defs/{kind.__name__}"}}


OWN: dict[str, dict[str, Any]] = {
    "archive": {"set": MAPPING, "path": TEXT, "records": {"type": "array", "items": MAPPING}},
    "check": {
        "schema": TEXT,
        "seed": ATOMS[int],
        "alpha": NUMBER,
        "confidence_level": NUMBER,
        "conclusion": TEXTS,
        "false_positive_rate": rows(study.FalsePositiveRow),
        "coverage": rows(study.CoverageRow),
    },
    "claims": {
        **dict.fromkeys(("schema", "answer", "correction", "family", "claimed_by", "unit"), TEXT),
        "alpha": NUMBER,
        "n_compared": {"type": ["integer", "null"]},
        "spreads": TEXTS,
        "limits": TEXTS,
        "table": MAPPING,
        "claims": rows(claims.Claim),
    },
    "convert": {"path": TEXT},
    "curves": {
        "schema": TEXT,
        "sentences": TEXTS,
        "left_out": TEXTS,
        "stretches": {"type": "array", "items": MAPPING},
        "sample_efficiency": {"type": "array", "items": MAPPING},
        **{key: {"type": "array"} for key in ("comparison", "time_to_threshold", "logrank", "reliability")},
    },
    "report": {
        **dict.fromkeys(("schema", "version", "command", "leader", "measure", "correction", "control"), TEXT),
        **dict.fromkeys(("versions", "rank", "standing", "real", "across_tasks", "other_measures", "scores"), MAPPING),
        "headline": TEXTS,
        "methods_text": TEXT,
        "alpha": NUMBER,
        "confidence_level": NUMBER,
        "seed": ATOMS[int],
        "n_resamples": ATOMS[int],
        "aggregates": rows(aggregate.AggregateRow),
        "by_task": rows(aggregate.AggregateRow),
        "pairs": rows(comparison.Pair),
        "by_stratum": MAPPING,
        **{key: {"type": ["object", "null"]} for key in ("profiles", "robustness", "where", "curves")},
        "family_advice": {"type": "array", "items": {"$ref": "#/$defs/Advice"}},
    },
}
"""The verbs whose answer is put together of several."""
REFUSED: dict[str, Any] = {
    "schema": {"const": "runoff.refusal/1"},
    "code": {"enum": ["data", "design", "option", "output", "usage"]},
    "message": {"type": "string"},
    "repair": TEXTS,
}
"""What every verb prints in place of an answer where it refuses (exit code 2); `repair` has commands that work."""
SHARED: dict[str, Any] = {
    "data": {"type": ["object", "null"]},
    "notes": TEXTS,
    "warnings": TEXTS,
    "advice": {"type": "array", "items": {"$ref": "#/$defs/Advice"}},
}
"""What every verb prints."""


def schema() -> dict[str, Any]:
    """Return the schema."""
    found: dict[str, Any] = {}
    verbs = {verb: {"anyOf": [of_answer(kind, verb, found) for kind in kinds]} for verb, kinds in ANSWERS.items()}
    # A check is put together of several answers, or is the answer of a study.
    for verb, own in OWN.items():
        every = [*verbs.get(verb, {}).get("anyOf", []), closed({**SHARED, **own})]
        verbs[verb] = {"anyOf": every} if len(every) > 1 else every[0]
    verbs["refusal"] = closed(REFUSED, required=tuple(REFUSED))
    for kind in (*(study.FalsePositiveRow, study.CoverageRow, claims.Claim, aggregate.AggregateRow), Advice):
        found[kind.__name__] = fields_of(kind, found)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `runoff VERB --json` prints, by verb",
        "$defs": dict(sorted((verbs | {"demo": verbs["report"]} | found).items())),
    }


def of_answer(kind: type[Result], verb: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer: its fields, its rows as `records`, and what stands beside them."""
    hints = get_type_hints(kind, include_extras=False)
    table = kind._table
    own = {f.name: of_type(hints[f.name], found) for f in dataclasses.fields(kind) if f.name != table}  # type: ignore[arg-type]
    records = of_type(hints[table], found) if table else {"type": "array", "items": fields_of(kind, found)}
    if kind is sequential.SequentialResult:  # its pairs say of which look they are
        look = {name: own[name] for name in ("alpha_spent", "next_look", "next_runs", "cost", "next_cost")}
        pair = found["SequentialPair"]
        found["SequentialPair"] = closed(pair["properties"] | look, required=(*pair["required"], *look))
    own = {"sentence": {"type": "string"}, **own}
    return closed(
        {**own, **SHARED, **BESIDE.get(verb, {}), "records": records}, required=("records", "sentence", *SHARED)
    )


def closed(properties: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    """Return the schema of an object that has these properties and no others."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **needed}


def fields_of(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a record: all fields of a dataclass."""
    hints = get_type_hints(kind)
    names = {"rows": "records"}
    own = {names.get(f.name, f.name): of_type(hints[f.name], found) for f in dataclasses.fields(kind)}
    return closed(own, required=tuple(own))


def of_type(hint: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type; dataclasses become definitions of their own in `found`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in ATOMS:
        return ATOMS[hint]
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [of_type(part, found) for part in arguments]}
    if origin in (tuple, list, Sequence):
        same = origin is not tuple or arguments[-1] is Ellipsis
        return {"type": "array", **({"items": of_type(arguments[0], found)} if same else {})}
    if dataclasses.is_dataclass(hint):
        name = hint.__name__  # type: ignore[union-attr]
        if name not in found:
            found[name] = {}  # a class that holds its own kind ends here
            found[name] = fields_of(hint, found)
        return {"$ref": f"#/$defs/{name}"}
    return MAPPING if origin in (dict, Mapping) else ANY


def text() -> str:
    """Return the file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
