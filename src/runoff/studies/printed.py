"""Ours beside the printed values, cell by cell, in standard errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from runoff.errors import OptionError
from runoff.results.study import PrintedComparison, PrintedRecord, StudyRecord, StudyResult
from runoff.studies.files import Entry


def compare_printed(entry: Entry, result: StudyResult) -> PrintedComparison:
    """Does our table agree with the printed one?

    Cells that a budget left empty are not compared.
    """
    records = tuple(record for table in entry.printed for record in _table(table, result))
    return PrintedComparison(name=entry.study.name, records=records)


def _table(table: Mapping[str, Any], result: StudyResult) -> Iterator[PrintedRecord]:
    columns, world = list(table["columns"]), table.get("world", result.worlds[0])
    rounding = 10.0 ** -int(table["decimals"]) / sqrt(12.0)
    for effect, n_runs, *values in table["rows"]:
        if len(values) != len(columns):
            raise OptionError(
                f"{table['what']}: the row of {n_runs} runs has {len(values)} values for {len(columns)} columns."
            )
        for method, printed in zip(columns, values, strict=True):
            ours = result.record(world, method, n_runs, effect)
            if ours.rate is not None:
                yield _record(table, ours, float(printed), rounding)


def _record(table: Mapping[str, Any], ours: StudyRecord, printed: float, rounding: float) -> PrintedRecord:
    assert ours.rate is not None
    error = error_of_difference(ours.rate, ours.n_repeats, printed, int(table["n_repeats"]), rounding)
    return PrintedRecord(
        what=table["what"],
        world=ours.world,
        method=ours.method,
        n_runs=ours.n_runs,
        effect=ours.effect,
        printed=printed,
        rate=ours.rate,
        difference=ours.rate - printed,
        error=error,
        distance=(ours.rate - printed) / error,
    )


def error_of_difference(rate: float, n: int, printed: float, n_printed: int, rounding: float) -> float:
    """Return the standard error of rate − printed if both estimate one rate.

    The common rate is taken as (hits + 1) / (n + 2), so that two rates of 0 have an error too. `rounding` is the standard deviation of
    a value rounded to the printed decimals, 10^-decimals / √12.
    """
    common = (rate * n + printed * n_printed + 1.0) / (n + n_printed + 2.0)
    return sqrt(common * (1.0 - common) * (1.0 / n + 1.0 / n_printed) + rounding**2)
