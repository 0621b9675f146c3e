"""Everything the report says as files: results.json and CSV at full precision, LaTeX rounded for reading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runoff.answer.base import Record, plain
from runoff.answer.rank import RankingResult
from runoff.answer.saved import comparison_record
from runoff.base.signed import strict_json
from runoff.data.curves import Curves
from runoff.data.scores import Scores
from runoff.exits.csv import csv_text
from runoff.methods.diff import runs_by_cell
from runoff.page.answers.all import Answers, leaders_first, ranked, record_of_profiles, standing_of
from runoff.page.answers.curves import record_of_curves
from runoff.page.files.folder import SCHEMA, slugs
from runoff.page.tables import latex_files, ranks_table
from runoff.page.words.headline import sentences
from runoff.page.words.paragraph import methods_paragraph


def record_of(answers: Answers) -> dict[str, Any]:
    """Return the report as JSON knows it; axes are (algorithm, task)."""
    comparison, order = answers.comparison, ranked(answers)
    rows = [
        {"rank": rank, "algorithm": r.algorithm, "estimate": r.estimate, "low": r.low, "high": r.high}
        for rank, r in enumerate(order, 1)
    ]
    return {
        "schema": SCHEMA,
        "version": dict(answers.versions).get("runoff"),
        "versions": dict(answers.versions),
        "command": answers.command,
        "headline": list(sentences(answers)),
        "data": data_record(answers.scores),
        "aggregates": answers.aggregates.to_records(),
        "by_task": answers.task_means.to_records(),
        "pairs": comparison.to_records(),
        "by_stratum": {"aggregates": plain(answers.aggregates.by_stratum), "pairs": plain(comparison.by_stratum)},
        **comparison_record(comparison),
        "rank": {"by": order[0].measure, "algorithms": rows, **record_of_ranking(answers.ranking)},
        "profiles": record_of_profiles(answers.profiles),
        "robustness": plain(answers.robustness),
        "where": plain(answers.leads[0]) if answers.leads else None,
        **({} if answers.curves is None else {"curves": record_of_curves(answers.curves)}),
        # As the page has it: what concerns the leader first.
        "advice": plain(leaders_first(answers.advice, standing_of(answers))),
        "methods_text": str(methods_paragraph(answers)),
        "scores": scores_record(answers.scores),
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
        "score": origin.score_words(scores.nouns.run) if isinstance(scores, Scores) else None,
        "incomplete": origin.incomplete,
        "reference": origin.reference,
        "algorithms": list(scores.algorithms),
        "tasks": list(scores.tasks),
        "n_runs": scores.n_runs.tolist(),
    }


def scores_record(scores: Scores) -> dict[str, dict[str, dict[str, float]]]:
    """Return the score of each run by algorithm, then task: a later result says by them which runs are the same."""
    record: dict[str, dict[str, dict[str, float]]] = {name: {} for name in scores.algorithms}
    for (algorithm, task), runs in runs_by_cell(scores).items():
        record[algorithm][task] = runs
    return record


def tables(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield (path below `tables/`, text)."""
    yield "aggregates.csv", csv_text(answers.aggregates.to_records())
    yield "tasks.csv", csv_text(answers.task_means.to_records())
    if answers.curves is not None:
        yield "sample_efficiency.csv", csv_text(answers.curves.efficiency.to_records())
        if answers.curves.comparison is not None:
            yield "curve_differences.csv", csv_text(answers.curves.comparison.to_records())
    yield "pairs.csv", csv_text(answers.comparison.to_records())
    if answers.comparison.by_stratum:
        yield "strata.csv", csv_text(map(plain, answers.aggregates.by_stratum))
        yield "lines.csv", csv_text(map(plain, answers.comparison.by_stratum))
    advice = leaders_first(answers.advice, standing_of(answers))
    heads = ("code", "severity", "text", "source")
    yield "advice.csv", csv_text({head: getattr(item, head) for head in heads} for item in advice)
    # Only where the page has the table, or a file would hold ranks that no sentence is about.
    if ranks_table(answers) is not None:
        yield "ranks.csv", csv_text(answers.ranking.to_records())
    profiles = answers.profiles.result
    if profiles is not None:
        yield "profiles.csv", csv_text(profiles.to_records())
    if profiles is not None and profiles.orders:
        orders: list[Record] = [plain(order) for order in profiles.orders]
        # repr gives back each number to the bit when it is read; a list would be a cell of JSON.
        rows = (record | {"crossings": " ".join(map(repr, record["crossings"]))} for record in orders)
        yield "profile_pairs.csv", csv_text(rows)
    if answers.leads:
        yield "where.csv", csv_text(answers.leads[0].to_records())
    if answers.robustness is not None:
        yield "robustness.csv", csv_text(answers.robustness.to_records())
    for algorithm, slug in slugs(answers.scores.algorithms).items():
        yield f"scores/{slug}.csv", csv_text(_scores(answers, algorithm))
    yield from latex_files(answers)


def record_of_ranking(ranking: RankingResult) -> dict[str, Any]:
    """Return the answers about ranks as JSON knows them; one that is missing is null."""
    return {
        "omnibus": plain(ranking.omnibus),
        "critical_difference": plain(ranking.critical),
        "places": plain(ranking.places),
        "left_out": list(ranking.left_out),
    }


def _scores(answers: Answers, algorithm: str) -> Iterator[Record]:
    scores = answers.scores
    only = scores.select(algorithms=[algorithm])
    # Values are stored task by task, so that names repeated by their counts stand beside them.
    places = [task for task, n in zip(only.tasks, only.n_runs[0], strict=True) for _ in range(n)]
    for task, run, score in zip(places, only.run_labels, only.values.tolist(), strict=True):
        yield {"algorithm": algorithm, "task": task, "run": run, "score": score}
