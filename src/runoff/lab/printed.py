"""Comparison of our tables with a paper: printed values in standard errors, and statements of its text as rules on the table.

between   every rate lies in [low, high]
differs   rate − rate of the method `other` (or in `other_world`) lies in [low, high], cell by cell
rises     rate at the last of n_runs less rate at the first lies in [low, high]

A statement is contradicted if a value lies outside the limits by more standard errors than chance explains for any of the values (three for
a single value). It is confirmed if the mean of all values lies inside, with a standard error of at most the width of the limits, and no
value lies outside by more than chance explains in one of twenty statements. It is undecided otherwise, or if a budget left a cell empty. The
limits are our reading of the source's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import hypot, inf, sqrt
from typing import Any

from scipy.special import ndtri

from runoff.answer.base import filled
from runoff.answer.study import PrintedComparison, PrintedRate, StatementRow, Statements, StudyResult, StudyRow
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.lab.spec import Entry, refuse_unknown


def compare_printed(entry: Entry, result: StudyResult) -> PrintedComparison:
    """Compare our table with the printed one; cells that a budget left empty are skipped."""
    records = tuple(record for table in entry.printed for record in _table(table, result))
    return PrintedComparison(name=entry.study.name, rows=records)


def _table(table: Mapping[str, Any], result: StudyResult) -> Iterator[PrintedRate]:
    columns, world = list(table["columns"]), table.get("world", result.worlds[0])
    # A printed value is uniform within its rounding: the standard deviation of a uniform of width w is w / √12.
    rounding = 10.0 ** -int(table["decimals"]) / sqrt(12.0)
    for effect, n_runs, *values in table["rows"]:
        if len(values) != len(columns):
            message = f"{table['what']}: the row of {n_runs} runs has {len(values)} values for {len(columns)} columns."
            raise OptionError(message)
        for method, printed in zip(columns, values, strict=True):
            ours, value = result[world, method, n_runs, effect], float(printed)
            if ours.rate is None:
                continue
            error = error_of_difference(ours.rate, ours.n_repeats, value, int(table["n_repeats"]), rounding)
            yield filled(
                PrintedRate,
                ours,
                what=table["what"],
                printed=value,
                difference=ours.rate - value,
                error=error,
                distance=(ours.rate - value) / error,
            )


def error_of_difference(rate: float, n: int, printed: float, n_printed: int, rounding: float) -> float:
    """Return the standard error of rate − printed if both estimate the same rate.

    The common rate is estimated as (hits + 1) / (n + 2), so that two rates of 0 have an error too. `rounding` is the standard deviation due
    to rounding to the printed decimals, 10^-decimals / √12.
    """
    common = (rate * n + printed * n_printed + 1.0) / (n + n_printed + 2.0)
    return sqrt(common * (1.0 - common) * (1.0 / n + 1.0 / n_printed) + rounding**2)


# ── statements of the text ──────────


CHANCE, DOUBT = 0.0027, 0.05
"""The probabilities that chance alone puts one of a statement's values so far outside its limits that the statement is contradicted, or not
confirmed."""
KEYS = ("text", "where", "rule", "contenders", "worlds", "n_runs", "effects", "other", "other_world", "low", "high")

Case = tuple[str, float, float]
"""A value to which a statement applies: its name, the value, and its standard error."""


def check_statements(entry: Entry, result: StudyResult) -> Statements:
    """Check which statements of the source's text our table confirms or contradicts."""
    return Statements(name=entry.study.name, rows=tuple(_judge(check, result) for check in entry.checks))


def _judge(check: Mapping[str, Any], result: StudyResult) -> StatementRow:
    refuse_unknown("a check", check, KEYS)
    rule = RULES[check_choice("rule", check["rule"], RULES)]
    limits = check.get("low", -inf), check.get("high", inf)
    try:
        cases = list(rule(check, result))
        outcome, words = verdict(cases, limits), _words(cases, limits)
    except _Empty:
        outcome, words = "undecided", "a cell is empty"
    return StatementRow(statement=check["text"], where=check["where"], verdict=outcome, evidence=words)


def verdict(cases: list[Case], limits: tuple[float, float]) -> str:
    """Return "contradicted", "confirmed" or "undecided", by the rules at the top of this file."""
    # Of 48 cells the furthest lies beyond three standard errors in one of eight studies whose statement is true.
    most, doubt = (float(ndtri(1 - chance / (2 * len(cases)))) for chance in (CHANCE, DOUBT))
    furthest = max(_outside(case, limits) for case in cases)
    if furthest > most:
        return "contradicted"
    mean = sum(value for _, value, _ in cases) / len(cases)
    error = sqrt(sum(error**2 for *_, error in cases)) / len(cases)
    # That two methods are one is said of the same experiments, whose number does not matter.
    sharp = error <= limits[1] - limits[0] or limits[0] == limits[1]
    return "confirmed" if limits[0] <= mean <= limits[1] and sharp and furthest <= doubt else "undecided"


def _outside(case: Case, limits: tuple[float, float]) -> float:
    _, value, error = case
    return max(limits[0] - value, value - limits[1]) / error


def _words(cases: list[Case], limits: tuple[float, float]) -> str:
    what, value, error = max(cases, key=lambda case: _outside(case, limits))
    values = [v for _, v, _ in cases]
    return (
        f"{min(values):.3f} to {max(values):.3f} over {len(cases)} case(s), limits {limits[0]:g} to {limits[1]:g}; "
        f"furthest: {what} {value:.3f} ± {error:.3f}"
    )


# ── rules ──────────


def _between(check: Mapping[str, Any], result: StudyResult) -> Iterator[Case]:
    for record in _records(check, result):
        yield _named(record), *_rate(record)


def _differs(check: Mapping[str, Any], result: StudyResult) -> Iterator[Case]:
    for record in _records(check, result):
        world, method = check.get("other_world", record.world), check.get("other", record.contender)
        other = result[world, method, record.n_runs, record.effect]
        (rate, error), (rate_other, error_other) = _rate(record), _rate(other)
        yield f"{_named(record)} less {check.get('other', 'other world')}", rate - rate_other, hypot(error, error_other)


def _rises(check: Mapping[str, Any], result: StudyResult) -> Iterator[Case]:
    few, many = check["n_runs"][0], check["n_runs"][-1]
    for record in _records({**check, "n_runs": [many]}, result):
        first = result[record.world, record.contender, few, record.effect]
        (rate, error), (rate_first, error_first) = _rate(record), _rate(first)
        yield f"{record.contender} from {few} to {many} runs", rate - rate_first, hypot(error, error_first)


RULES: dict[str, Callable[[Mapping[str, Any], StudyResult], Iterator[Case]]] = {
    "between": _between,
    "differs": _differs,
    "rises": _rises,
}


class _Empty(Exception):
    """Raised if a budget left a cell empty that a statement needs."""


def _records(check: Mapping[str, Any], result: StudyResult) -> Iterator[StudyRow]:
    for world in check.get("worlds", result.worlds):
        for effect in check.get("effects", result.effects):
            for method in check["contenders"]:
                for n_runs in check.get("n_runs", result.n_runs):
                    yield result[world, method, n_runs, effect]


def _rate(record: StudyRow) -> tuple[float, float]:
    if record.rate is None or record.rate_error is None:
        raise _Empty
    # Where all experiments agree, a share of 0 or 1, their spread says nothing of its error; (hits + 1) / (n + 2) does.
    shrunk = 1.0 / (record.n_repeats + 2.0)
    return record.rate, record.rate_error or sqrt(shrunk * (1.0 - shrunk) / record.n_repeats)


def _named(record: StudyRow) -> str:
    return f"{record.contender} at {record.n_runs} runs" + (f", effect {record.effect:g}" if record.effect else "")
