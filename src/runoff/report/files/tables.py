"""The report's tables as files: CSV at full precision, LaTeX rounded for reading."""

from __future__ import annotations

from collections.abc import Iterator

from runoff.report.answers.all import Answers
from runoff.report.answers.rank_rows import rank_rows
from runoff.report.answers.standing import leaders_first, standing
from runoff.report.files.csv import csv_text
from runoff.report.files.slugs import slugs
from runoff.report.latex import latex_files
from runoff.results.base import Record, plain


def tables(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield (path below `tables/`, text)."""
    yield from _of_all(answers)
    names = slugs(answers.scores.algorithms)
    for algorithm in answers.scores.algorithms:
        yield f"scores/{names[algorithm]}.csv", csv_text(_scores(answers, algorithm))
    yield from latex_files(answers)


def _of_all(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield the CSV tables that are about all algorithms."""
    yield "aggregates.csv", csv_text(answers.aggregates.to_records())
    yield "tasks.csv", csv_text(answers.task_means.to_records())
    if answers.curves is not None:
        yield "sample_efficiency.csv", csv_text(answers.curves.efficiency.to_records())
        if answers.curves.comparison is not None:
            yield "curve_differences.csv", csv_text(answers.curves.comparison.to_records())
    yield "pairs.csv", csv_text(_flat(record) for record in answers.comparison.to_records())
    told = leaders_first(answers.advice, standing(answers))
    yield (
        "advice.csv",
        csv_text({"code": a.code, "severity": a.severity, "text": a.text, "source": a.source} for a in told),
    )
    if ranks := rank_rows(answers):
        yield "ranks.csv", csv_text(ranks)
    profiles = answers.profiles.result
    if profiles is not None:
        yield "profiles.csv", csv_text(profiles.to_records())
    if profiles is not None and profiles.orders:
        yield "profile_pairs.csv", csv_text(_order(plain(order)) for order in profiles.orders)
    if answers.robustness is not None:
        yield "robustness.csv", csv_text(_survived(record) for record in answers.robustness.to_records())


def _flat(record: Record) -> Record:
    flat: Record = {}
    for key, value in record.items():
        if key in ("n_runs_a", "n_runs_b"):
            flat |= {f"{key}_fewest": value[0], f"{key}_most": value[1]}
        else:
            flat[key] = " ".join(dict.fromkeys(a["code"] for a in value)) if key == "advice" else value
    return flat


def _order(record: Record) -> Record:
    return record | {"crossings": " ".join(map(repr, record["crossings"]))}


def _survived(record: Record) -> Record:
    return {key: "; ".join(value) if key == "against" else value for key, value in record.items()}


def _scores(answers: Answers, algorithm: str) -> Iterator[Record]:
    scores = answers.scores
    only = scores.select(algorithms=[algorithm])
    places = [task for task, n in zip(only.tasks, only.n_runs[0], strict=True) for _ in range(n)]
    for task, run, score in zip(places, only.runs, only.values.tolist(), strict=True):
        yield {"algorithm": algorithm, "task": task, "run": run, "score": score}
