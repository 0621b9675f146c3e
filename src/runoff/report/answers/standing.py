"""The standing of all algorithms of a report, the values that order them, and advice in that order."""

from __future__ import annotations

from collections.abc import Iterable

from runoff._inference.bootstrap import best_first
from runoff.report.answers.all import Answers
from runoff.results import standing as results
from runoff.results.aggregate import AggregateRecord
from runoff.results.base import Advice, most_severe_first
from runoff.results.standing import Standing


def ranked(answers: Answers) -> list[AggregateRecord]:
    """Return the measure that decides, of each algorithm, the best first; what was not compared last."""
    metric = answers.comparison.measure
    records = best_first((r for r in answers.aggregates.records if r.task is None), answers.aggregates.metrics[0])
    names = list(dict.fromkeys(record.algorithm for record in records))
    place = {name: at for at, (name, _) in enumerate(answers.comparison.values)}
    names.sort(key=lambda name: place.get(name, len(place)))
    return [answers.aggregates.record(name, metric) for name in names]


def standing_of(answers: Answers) -> Standing:
    """Return who leads and how the others stand to it, those that were not compared too."""
    return results.standing_of([value.algorithm for value in ranked(answers)], answers.comparison.pairs)


def leaders_first(advice: Iterable[Advice], standing: Standing) -> tuple[Advice, ...]:
    """Return advice by severity and code, of one code what concerns the leader and those not told apart from it first."""
    place = {name: at for at, name in enumerate(standing.leading)}

    def places_of(item: Advice) -> list[int]:
        """Return places, best first; a pair is told before one of its algorithms alone."""
        return [*sorted(place.get(name, len(place)) for name in item.subjects), *[len(place)] * bool(item.subjects)]

    return most_severe_first(sorted(advice, key=places_of))
