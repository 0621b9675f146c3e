"""What the text of a source says about its figure, as rules on the table: each is confirmed or contradicted.

between   every rate lies in [low, high]
differs   rate(method) − rate(other) lies in [low, high], cell by cell
rises     rate at the last of n_runs less rate at the first is at least `least`

A rate counts as inside if it is within three of its standard errors; a rule over several rates is contradicted by its worst.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot, inf
from typing import Any

from runoff._validate import check_choice
from runoff.errors import OptionError, nearest
from runoff.results.printed import StatementRecord, Statements
from runoff.results.study import StudyRecord, StudyResult
from runoff.studies.files import Entry

ERRORS = 3.0
KEYS = ("text", "where", "rule", "methods", "worlds", "n_runs", "effects", "other", "low", "high", "least")

Found = tuple[str, float, float]
"""(what, value, its standard error)."""


def check_statements(entry: Entry, result: StudyResult) -> Statements:
    """What of the source's text does our table confirm?"""
    return Statements(name=entry.study.name, records=tuple(_judge(check, result) for check in entry.checks))


def _judge(check: Mapping[str, Any], result: StudyResult) -> StatementRecord:
    for key in check:
        if key not in KEYS:
            raise OptionError(f"a check has an unknown key {key!r}; known are {', '.join(KEYS)}.{nearest(key, KEYS)}")
    rule = RULES[check_choice("rule", check["rule"], RULES)]
    try:
        found = list(rule(check, result))
    except _Empty:
        return StatementRecord(
            statement=check["text"], where=check["where"], verdict="undecided", found="a cell is empty"
        )
    low, high = check.get("low", check.get("least", -inf)), check.get("high", inf)
    outside = [max(low - value, value - high) / max(error, 1e-9) for _, value, error in found]
    worst = max(range(len(found)), key=lambda i: outside[i])
    return StatementRecord(
        statement=check["text"],
        where=check["where"],
        verdict="contradicted" if outside[worst] > ERRORS else "confirmed",
        found=_words(found, worst, outside[worst] > ERRORS),
    )


def _words(found: list[Found], worst: int, contradicted: bool) -> str:
    what, value, error = found[worst]
    values = [v for _, v, _ in found]
    lead = "worst: " if contradicted else "nearest to the limit: "
    return f"{min(values):.3f} to {max(values):.3f} over {len(found)} case(s); {lead}{what} {value:.3f} ± {error:.3f}"


# ── rules ──────────


def _between(check: Mapping[str, Any], result: StudyResult) -> Iterator[Found]:
    for record in _records(check, result, check["methods"]):
        yield _named(record), *_rate(record)


def _differs(check: Mapping[str, Any], result: StudyResult) -> Iterator[Found]:
    for record in _records(check, result, check["methods"]):
        other = result.record(record.world, check["other"], record.n_runs, record.effect)
        (rate, error), (rate_other, error_other) = _rate(record), _rate(other)
        yield f"{_named(record)} less {check['other']}", rate - rate_other, hypot(error, error_other)


def _rises(check: Mapping[str, Any], result: StudyResult) -> Iterator[Found]:
    few, many = check["n_runs"][0], check["n_runs"][-1]
    for record in _records({**check, "n_runs": [many]}, result, check["methods"]):
        first = result.record(record.world, record.method, few, record.effect)
        (rate, error), (rate_first, error_first) = _rate(record), _rate(first)
        yield f"{record.method} from {few} to {many} runs", rate - rate_first, hypot(error, error_first)


RULES: dict[str, Callable[[Mapping[str, Any], StudyResult], Iterator[Found]]] = {
    "between": _between,
    "differs": _differs,
    "rises": _rises,
}


class _Empty(Exception):
    pass


def _records(check: Mapping[str, Any], result: StudyResult, methods: list[str]) -> Iterator[StudyRecord]:
    for world in check.get("worlds", result.worlds):
        for effect in check.get("effects", result.effects):
            for method in methods:
                for n_runs in check.get("n_runs", result.n_runs):
                    yield result.record(world, method, n_runs, effect)


def _rate(record: StudyRecord) -> tuple[float, float]:
    if record.rate is None or record.rate_error is None:
        raise _Empty
    return record.rate, record.rate_error


def _named(record: StudyRecord) -> str:
    return f"{record.method} at {record.n_runs} runs" + (f", effect {record.effect:g}" if record.effect else "")
