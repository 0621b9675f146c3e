"""Studies on the terminal: the catalogue, a table of rates, what was printed and said."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.cli.told import show_record
from runoff.cli.warn import plain
from runoff.words.numbers import exactly

if TYPE_CHECKING:
    from runoff.results.study import StudyResult
    from runoff.studies import Entry


def show_catalogue(*, json: bool) -> None:
    """Print the names and titles of the catalogue."""
    from runoff.studies import catalogue

    titles = {name: catalogue.title(name) for name in catalogue.names()}
    if json:
        show_record([{"name": name, "title": title} for name, title in titles.items()])
    for name, title in titles.items() if not json else ():
        _say(f"{name:<28} {title}")


def show_study(entry: Entry, result: StudyResult, *, out: Path | None, json: bool) -> None:
    """Print the records, or the tables and sentences; write the folder if one is named."""
    from runoff.report.study import write_study
    from runoff.studies.printed import check_statements, compare_printed

    written = write_study(entry, result, out) if out is not None else []
    if json:
        return show_record(result.to_records())
    for world in result.worlds:
        for effect in result.effects:
            _table(result, world, effect)
    statements = check_statements(entry, result)
    for record in statements.records:
        _say(f"{record.verdict}: “{record.statement}” ({record.where}): {record.found}")
    said = written or [str(a) for a in (result, compare_printed(entry, result), statements) if a.to_records()]
    _say("\n" + "\n".join(said) + (f"\nWritten to {out}" if out is not None else ""))
    return None


def _table(result: StudyResult, world: str, effect: float) -> None:
    names = dict(result.labels)
    width = max(len(label) for label in names.values())
    _say(f"\n{world}, effect {exactly(effect)}: rate by the number of runs")
    _say(" " * width + "".join(f"{n:>8}" for n in result.n_runs))
    for method in result.methods:
        rates = [result.record(world, method, n, effect).rate for n in result.n_runs]
        _say(f"{names[method]:<{width}}" + "".join(f"{'–' if r is None else format(r, '.4f'):>8}" for r in rates))


def _say(text: str) -> None:
    sys.stdout.write(plain(text) + "\n")
