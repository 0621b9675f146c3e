"""Which algorithms are bold: the leader, and all that the tests of pairs do not find worse than it."""

from __future__ import annotations

from runoff.report.answers.all import Answers
from runoff.report.words.verdict import ranked
from runoff.results.comparison import Pair


def placed(answers: Answers) -> dict[str, int]:
    """Return the place of each algorithm by the first metric, the best being 0."""
    return {record.algorithm: place for place, record in enumerate(ranked(answers))}


def best_set(answers: Answers) -> frozenset[str]:
    """Return the tested algorithm that leads by the first metric, and those that it was not found better than; empty where none was tested."""
    pairs = answers.comparison.pairs
    tested = {name for pair in pairs for name in (pair.a, pair.b)}
    leader = next((name for name in placed(answers) if name in tested), None)
    if leader is None:
        return frozenset()
    against = [(pair, pair.b if pair.a == leader else pair.a) for pair in pairs if leader in (pair.a, pair.b)]
    return frozenset({leader, *(other for pair, other in against if winner(pair) != leader)})


def winner(pair: Pair) -> str | None:
    """Return the algorithm that was found better."""
    return {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
