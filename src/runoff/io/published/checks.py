"""The conditions for testing the claims of a table: unique names, one form and unit of cells, runs of all cells or of none, a plausible ±."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from runoff.errors import DataError, DesignError
from runoff.io.published.cells import PrintedCell
from runoff.io.published.grid import Entry, at
from runoff.io.published.heads import Label
from runoff.io.published.sides import is_cost, is_sum
from runoff.results.claims import PublishedCell
from runoff.words.speech import choice, option


def one_form(place: str, printed: Sequence[tuple[Entry, PrintedCell]]) -> None:
    """Refuse a table where some spreads stand behind ± and others in parentheses."""
    forms: dict[str, Entry] = {}
    for entry, cell in printed:
        if cell.form != "mean":
            forms.setdefault(cell.form, entry)
    if len(forms) > 1:
        first, second = forms.values()
        raise DataError(
            f"{at(place, second)}: {second.text!r} and, on line {first.line}, column {first.column}, {first.text!r} differ in form, so that ± "
            "and parentheses may mean two things; write all cells alike."
        )


def labels_by_name(place: str, labels: Iterable[Label], what: str) -> dict[str, Label]:
    """Return labels by name; refuse a name that is there twice."""
    by_name: dict[str, Label] = {}
    for label in labels:
        if label.name in by_name:
            first = by_name[label.name].entry
            raise DataError(
                f"{at(place, label.entry)}: the {what} {label.name!r} is there twice, first on line {first.line}, column {first.column}; give "
                "each its own name."
            )
        by_name[label.name] = label
    return by_name


def without_bare(cells: Sequence[PublishedCell]) -> tuple[list[PublishedCell], list[str]]:
    """Return the cells of the tasks on which some cell has a spread, and a note on the other tasks."""
    with_spread = {cell.task for cell in cells if cell.spread is not None}
    bare = list(dict.fromkeys(cell.task for cell in cells if cell.task not in with_spread))
    none_has = "none of its cells has" if len(bare) == 1 else "none of their cells has"
    notes = [f"Left out, since {none_has} a ±: {', '.join(bare)}."] if bare else []
    return [cell for cell in cells if cell.task in with_spread], notes


def check_cells(
    place: str, algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[PublishedCell], *, accept_wide: bool
) -> None:
    """Refuse a table of one algorithm, cells that are there twice, runs of some cells only, mixed units, and an implausible ±."""
    if len(algorithms) < 2:
        raise DesignError(f"{place}: there is one algorithm, {algorithms[0]!r}; a claim needs two.")
    repeated = [key for key, n in Counter((c.algorithm, c.task) for c in cells).items() if n > 1]
    if repeated:
        raise DataError(f"{place}: {repeated[0][0]!r} on {repeated[0][1]!r} is there twice; keep one.")
    counted = [cell for cell in cells if cell.n is not None]
    if counted and len(counted) < len(cells):
        cell = next(cell for cell in cells if cell.n is None)
        raise DataError(
            f"{_at(place, cell)}: the runs of this cell are not told, those of others are; say {option('n')} for all."
        )
    for task in tasks:
        own = [cell for cell in cells if cell.task == task]
        _refuse_mixed_units(place, own)
        if not accept_wide:
            _refuse_wide(place, own)


def _at(place: str, cell: PublishedCell) -> str:
    return f"{place}, line {cell.line}, column {cell.column}"


def _refuse_mixed_units(place: str, cells: Sequence[PublishedCell]) -> None:
    percent = [cell for cell in cells if "%" in cell.text]
    if percent and len(percent) < len(cells):
        other = next(cell for cell in cells if "%" not in cell.text)
        raise DataError(
            f"{_at(place, percent[0])}: {percent[0].text!r} is a percentage, and {other.text!r} on line {other.line}, column {other.column}, "
            "on the same task, is not; write both in one unit, or leave one out."
        )


def _refuse_wide(place: str, cells: Sequence[PublishedCell]) -> None:
    means = [cell.mean for cell in cells]
    reach = max(max(map(abs, means)), max(means) - min(means))
    for cell in cells:
        if cell.spread is not None and cell.spread > reach:
            raise DataError(
                f"{_at(place, cell)}: the ± of {cell.text!r} is larger than any mean on {cell.task!r}, so that it may be a slip or read "
                f"wrongly; if it is right, say {choice('accept_wide=True', '--accept-wide')}."
            )


def why_no_average(cells: Sequence[PublishedCell], tasks: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return notes that say why an average over tasks means nothing; no note if it means something."""
    if len(tasks) < 2:
        return []
    percent = {cell.task for cell in cells if "%" in cell.text}
    if 0 < len(lower) < len(tasks):
        return ["No average over tasks was made: lower is better on some and higher on others, so their units differ."]
    if 0 < len(percent) < len(tasks):
        return ["No average over tasks was made: some are percentages and others are not."]
    if 0 < sum(map(is_cost, tasks)) < len(tasks):
        return ["No average over tasks was made: some are costs and others scores, so their units differ."]
    return ["No average was made over columns or rows that are sums themselves."] if all(map(is_sum, tasks)) else []
