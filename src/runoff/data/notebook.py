"""What a notebook shows of data: how many runs there are, between which scores, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.base.arrays import Floats
from runoff.data.provenance import Provenance
from runoff.tables.frames import html_table
from runoff.words.counts import counted, span
from runoff.words.numbers import digits

FEW_TASKS = 6
"""Up to this many tasks have a column each."""


def data_html(
    title: str, origin: Provenance, algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[Sequence[Floats]]
) -> str:
    """Return data as an HTML table: runs and range of scores by algorithm and task; `cells` by algorithm, then task."""
    row = _by_task if len(tasks) <= FEW_TASKS else _over_tasks
    rows = [{"algorithm": name} | row(tasks, own) for name, own in zip(algorithms, cells, strict=True)]
    return html_table(rows, caption=[title, *origin_lines(origin)])


def origin_lines(origin: Provenance) -> list[str]:
    """Return where data come from, what they are normalised by, and the notes."""
    where = [f"from {origin.path} ({origin.format})"] if origin.path else []
    return [*where, f"normalised by {origin.reference}" if origin.reference else "not normalised", *origin.notes]


def reach(cells: Sequence[Floats]) -> str:
    """Return "12 to 20": the least and the most of all values."""
    low, high = (digits(float(end)) for end in (min(c.min() for c in cells), max(c.max() for c in cells)))
    return low if low == high else f"{low} to {high}"


def _by_task(tasks: Sequence[str], cells: Sequence[Floats]) -> dict[str, str]:
    return {
        task: f"{counted([cell.size], 'run')}: {reach([cell])}" if cell.size else "–"
        for task, cell in zip(tasks, cells, strict=True)
    }


def _over_tasks(tasks: Sequence[str], cells: Sequence[Floats]) -> dict[str, str]:
    del tasks
    present = [cell for cell in cells if cell.size]
    runs = span([cell.size for cell in present])
    return {"tasks": str(len(present)), "runs per task": runs, "scores": reach(present)}
