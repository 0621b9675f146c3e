"""What is known about each algorithm's rank, as rows: for the page and for the tables."""

from __future__ import annotations

from runoff.report.answers.all import Answers
from runoff.results.base import Record, plain

PLACES = ("low", "high", "joint_low", "joint_high", "p_best")
ENDS = ("estimate", "low", "high", "descriptive_low", "descriptive_high", "factor")


def rank_rows(answers: Answers) -> list[Record]:
    """Return one record per algorithm, best rank first: rank, letters, inferential and descriptive interval; none for two algorithms."""
    ranks, critical, intervals = answers.ranking.omnibus, answers.ranking.critical, answers.ranking.intervals
    if ranks is None or answers.scores.n_algorithms < 3:
        return []
    letters = dict(zip(critical.algorithms, critical.letters, strict=True)) if critical is not None else {}
    means = answers.ranking.average_ranks
    metric = intervals.metric if intervals is not None else None
    by_name = {record.algorithm: plain(record) for record in intervals.records} if intervals is not None else {}
    places = {
        record.algorithm: plain(record) for record in (answers.ranking.places.records if answers.ranking.places else ())
    }
    return [
        {"algorithm": name, "average_rank": means[name], "letters": letters.get(name), "metric": metric}
        | {end: by_name.get(name, {}).get(end) for end in ENDS}
        | {f"place_{end}".replace("place_p", "p"): places.get(name, {}).get(end) for end in PLACES}
        for name in sorted(means, key=lambda name: means[name])
    ]
