"""The rows of a wide table, one for each score: its headers, what stands in their names, and the cells that are empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from runoff.base.arrays import Floats
from runoff.reading._known import named_run
from runoff.reading._parts import noted_runs, runs_in
from runoff.reading.formats import NotRuns
from runoff.tables.columns import NAMED, an, listed
from runoff.tables.labels import Labels, Values, some_rows
from runoff.tables.source import SourceTable
from runoff.tables.tidy import numbers
from runoff.tables.values import floats, is_empty, parsed
from runoff.words.speech import column


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """The parts of a wide table: its headers, the other columns that play a role, those that are left out, and doubtful headers."""

    heads: tuple[str, ...]
    kept: Mapping[str, str]
    beside: tuple[str, ...]
    doubts: Mapping[str, str] = field(default_factory=dict)

    @property
    def open(self) -> tuple[str, ...]:
        """The possible roles of the headers: those that no other column plays."""
        return tuple(role for role in NAMED if role not in self.kept)


def split_of(wide: Wide) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Return the role that headers name in addition to runs, and the name and the run of each: with a task column, `PPO_seed1` is a run of
    PPO."""
    beside = [role for role in ("algorithm", "task") if role not in wide.kept]
    parts = [named_run(head) for head in wide.heads]
    if not all(parts):
        # Curves of one task have no column of tasks.
        beside = ["algorithm"] if "step" in wide.kept and len(beside) == 2 else beside
        # `PPO-1` beside `SAC-1`.
        numbered = runs_in(wide.heads, numbers=beside == ["algorithm"])
        parts = [numbered.get(head) for head in wide.heads]
    split = tuple(part for part in parts if part)
    return (beside[0], split) if len(beside) == 1 and len(split) == len(parts) else None


def one_row_per_score(
    table: SourceTable, wide: Wide, role: str, levels: Mapping[str, Sequence[str]] | None = None
) -> SourceTable:
    """Return a row for each score, whose header names a role; levels: the roles named by the parts of the headers."""
    for name in wide.heads:
        if all(parsed(value) is None for value in table.columns[name]):
            message = f"{table.place}: column {name!r} holds no numbers; name the column of scores: {column('score')}."
            raise NotRuns(message)
    # the lengths of columns without the empty cells at their ends
    cells = {name: table.columns[name] for name in wide.heads}
    # Columns of algorithms with fewer runs end sooner; a gap within a column is a missing score and refused.
    lengths = [next(n for n in range(table.n_rows, 0, -1) if not is_empty(own[n - 1])) for own in cells.values()]
    lengths = _lengths(table, wide, lengths)
    rows = np.concatenate([np.arange(n) for n in lengths])
    scores = [
        _with_gaps(replace(table, columns={name: some_rows(own, np.arange(n))}), name)
        for (name, own), n in zip(cells.items(), lengths, strict=True)
    ]
    heads = Labels(wide.heads, np.repeat(np.arange(len(wide.heads)), lengths))
    columns: dict[str, Values] = {role: heads, "score": _or_none(np.concatenate(scores))}
    notes = _notes(wide, lengths, role if levels is None else "/".join(levels))
    for name, values in (levels or {}).items():
        columns[name] = heads.mapped(dict(zip(wide.heads, values, strict=True)).__getitem__)
    if (split := split_of(wide)) is not None and role == "run":
        at = dict(zip(wide.heads, split[1], strict=True))
        columns |= {split[0]: heads.mapped(lambda head: at[head][0]), "run": heads.mapped(lambda head: at[head][1])}
        notes.append(noted_runs("the headers name", split[0], at))
        table = replace(table, levels=(split[0], "run"))
    columns |= {kept: some_rows(table.columns[name], rows) for kept, name in wide.kept.items()}
    return SourceTable(
        columns=columns,
        place=table.place,
        row=lambda index: f"{table.row(int(rows[index]))}, column {heads[index]!r}",
        structural=True,
        melted=True,
        levels=table.levels,
        settings=table.settings,
        notes=(*table.notes, *notes),
    )


def _lengths(table: SourceTable, wide: Wide, lengths: Sequence[int]) -> list[int]:
    """Return the lengths of columns up to the last row that is named: there empty cells are missing scores, which are not left out. Of columns
    that end before others they are runs that were not made, unless the rows are those of an algorithm or a task, and were no lists."""
    filled = [table.columns[name] for role, name in wide.kept.items() if role in NAMED]
    named = next((n for n in range(table.n_rows, 0, -1) if not all(is_empty(own[n - 1]) for own in filled)), 0)
    last = max(*lengths, named)
    every = not table.ragged and "step" not in wide.kept and not {"algorithm", "task"}.isdisjoint(wide.kept)
    return [last if every or n == max(lengths) else n for n in lengths]


def _with_gaps(table: SourceTable, name: str) -> Floats:
    """Return the scores of a column, with NaN for missing ones; how these count is decided when all rows are known."""
    if (whole := floats(table.columns[name])) is not None:
        return whole
    filled = [np.nan if is_empty(value) else value for value in table.columns[name]]
    return numbers(table, name, "score") if (scores := floats(filled)) is None else scores


def _or_none(scores: Floats) -> Values:
    """Return scores with None in place of NaN, which refusals call missing."""
    empty = np.isnan(scores)
    return (
        [None if gap else score for score, gap in zip(scores.tolist(), empty, strict=True)] if empty.any() else scores
    )


def _notes(wide: Wide, lengths: Sequence[int], role: str) -> list[str]:
    shown = ", ".join(map(repr, wide.heads[:8])) + (", …" if len(wide.heads) > 8 else "")
    notes = [
        f"a wide table: each of the {len(wide.heads)} column(s) {shown} is taken as {role if '/' in role else an(role)}"
    ]
    notes += [
        f"column {name!r} {'holds' if kept == 'step' else 'names'} the {kept}s"
        for kept, name in wide.kept.items()
        if kept != "config"
    ]
    if wide.beside:
        notes.append(f"columns not used: {listed(wide.beside)}")
    short = {name: n for name, n in zip(wide.heads, lengths, strict=True) if n < max(lengths)}
    if short:
        counts = ", ".join(f"{name!r} has {n}" for name, n in list(short.items())[:8])
        what = "curves that end there" if "step" in wide.kept else "runs that were not made"
        note = f"empty cells at the end of a column are read as {what}: {counts} of {max(lengths)}"
        notes.append(note)
    return notes
