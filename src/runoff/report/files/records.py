"""results.json: everything the report says, as numbers at full precision."""

from __future__ import annotations

from typing import Any

from runoff.data.curves import Curves
from runoff.data.scores import Scores
from runoff.report.answers.all import Answers
from runoff.report.answers.curves import record_of_curves
from runoff.report.answers.profiles import record_of_profiles
from runoff.report.answers.ranking import record_of_ranking
from runoff.report.answers.standing import leaders_first, ranked, standing
from runoff.report.files.strict import strict_json
from runoff.report.words.headline import sentences
from runoff.report.words.paragraph import methods_paragraph
from runoff.results.base import plain

SCHEMA = "runoff.report/1"


def record_of(answers: Answers) -> dict[str, Any]:
    """Return the report as JSON knows it; axes are (algorithm, task)."""
    comparison = answers.comparison
    return {
        "schema": SCHEMA,
        "version": dict(answers.versions).get("runoff"),
        "versions": dict(answers.versions),
        "seed": comparison.seed,
        "command": answers.command,
        "answer": list(sentences(answers)),
        "data": data_record(answers.scores),
        "aggregates": answers.aggregates.to_records(),
        "task_means": answers.task_means.to_records(),
        "comparisons": comparison.to_records(),
        "alpha": comparison.alpha,
        "correction": comparison.correction,
        "rank": _rank(answers),
        "profiles": record_of_profiles(answers.profiles),
        "improvement": [
            {"a": p.a, "b": p.b, "estimate": p.improvement, "low": p.improvement_low, "high": p.improvement_high}
            for p in comparison.pairs
        ],
        "robustness": plain(answers.robustness),
        **({} if answers.curves is None else {"curves": record_of_curves(answers.curves)}),
        "advice": plain(leaders_first(answers.advice, standing(answers))),
        "methods_text": str(methods_paragraph(answers)),
    }


def json_text(answers: Answers) -> str:
    """Return `record_of` as text; an infinite statistic is the string "Infinity" or "-Infinity"."""
    return strict_json(record_of(answers))


def data_record(scores: Scores | Curves) -> dict[str, Any]:
    """Return what is known of data: where they are from, how they were read, how many there are."""
    origin = scores.provenance
    return {
        "path": origin.path,
        "sha256": origin.sha256,
        "format": origin.format,
        "columns": dict(origin.columns),
        "parts": dict(origin.parts),
        "steps": dict(origin.steps),
        "notes": list(origin.notes),
        "reference": origin.reference,
        "algorithms": list(scores.algorithms),
        "tasks": list(scores.tasks),
        "n_runs": scores.n_runs.tolist(),
    }


def _rank(answers: Answers) -> dict[str, Any]:
    order = ranked(answers)
    rows = [
        {"rank": rank, "algorithm": r.algorithm, "estimate": r.estimate, "low": r.low, "high": r.high}
        for rank, r in enumerate(order, 1)
    ]
    return {"by": order[0].metric, "algorithms": rows, **record_of_ranking(answers.ranking)}
