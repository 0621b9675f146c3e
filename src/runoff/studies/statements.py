"""What the text of a source says about its figure, as rules on the table: each is confirmed or contradicted.

between   every rate lies in [low, high]
differs   rate − rate of the method `other` (or in `other_world`) lies in [low, high], cell by cell
rises     rate at the last of n_runs less rate at the first lies in [low, high]

Contradicted: a value lies outside by more than three of its standard errors. Confirmed: none does, and their mean lies inside. Undecided
otherwise, or where a budget left a cell empty. The limits are our reading of the source's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot, inf
from typing import Any

from runoff.base.validate import check_choice
from runoff.errors import OptionError, nearest
from runoff.results.study import StatementRecord, Statements, StudyRecord, StudyResult
from runoff.studies.files import Entry

ERRORS = 3.0
TINY = 1e-4
"""Standard error of a rate of 0 or 1: less than any rate that matters."""
KEYS = ("text", "where", "rule", "methods", "worlds", "n_runs", "effects", "other", "other_world", "low", "high")

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
    limits = check.get("low", -inf), check.get("high", inf)
    return StatementRecord(
        statement=check["text"], where=check["where"], verdict=verdict(found, limits), found=_words(found, limits)
    )


def verdict(found: list[Found], limits: tuple[float, float]) -> str:
    """Return "contradicted", "confirmed" or "undecided"; see the top of this file."""
    if max(_outside(case, limits) for case in found) > ERRORS:
        return "contradicted"
    mean = sum(value for _, value, _ in found) / len(found)
    return "confirmed" if limits[0] <= mean <= limits[1] else "undecided"


def _outside(case: Found, limits: tuple[float, float]) -> float:
    """Return how many standard errors a value lies outside; negative inside."""
    _, value, error = case
    return max(limits[0] - value, value - limits[1]) / max(error, TINY)


def _words(found: list[Found], limits: tuple[float, float]) -> str:
    what, value, error = max(found, key=lambda case: _outside(case, limits))
    values = [v for _, v, _ in found]
    return (
        f"{min(values):.3f} to {max(values):.3f} over {len(found)} case(s), limits {limits[0]:g} to {limits[1]:g}; "
        f"furthest: {what} {value:.3f} ± {error:.3f}"
    )


# ── rules ──────────


def _between(check: Mapping[str, Any], result: StudyResult) -> Iterator[Found]:
    for record in _records(check, result, check["methods"]):
        yield _named(record), *_rate(record)


def _differs(check: Mapping[str, Any], result: StudyResult) -> Iterator[Found]:
    for record in _records(check, result, check["methods"]):
        world, method = check.get("other_world", record.world), check.get("other", record.method)
        other = result.record(world, method, record.n_runs, record.effect)
        (rate, error), (rate_other, error_other) = _rate(record), _rate(other)
        yield f"{_named(record)} less {check.get('other', 'other world')}", rate - rate_other, hypot(error, error_other)


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
