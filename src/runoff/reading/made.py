"""Conversion of checked rows to `Scores` and `Curves`, in the order in which runs are stored, and of episodes to those of each run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.arrays import CellName, Episodes, Ints, read_only
from runoff.data.curves import Curves
from runoff.data.provenance import ONE_POLICY, Caveat, Provenance, Sampling, unnamed
from runoff.data.scores import PER_TASK, Scores, constants_once
from runoff.door import EpisodeRows
from runoff.errors import warn
from runoff.reading._measures import with_sign
from runoff.tables.frames import origin_of
from runoff.tables.likely import Chosen, plays
from runoff.tables.others import refuse_failed_rows
from runoff.tables.runs import RunRows, run_rows
from runoff.tables.source import SourceTable
from runoff.tables.tidy import Tidy, extras, table_of, tidy
from runoff.tables.unnamed import BY_ROW
from runoff.words.names import UnitName
from runoff.words.numbers import span


def scores_of(
    table: SourceTable,
    *,
    chosen: Chosen,
    provenance: Provenance,
    sign: float = 1.0,
    sampling: Sampling = PER_TASK,
) -> Scores:
    """Return the scores in checked columns, multiplied by `sign`; the columns must not be used afterwards."""
    rows = run_rows(table, chosen=chosen, unit=sampling.unit, with_step=False)
    if sampling.shared and "run" not in rows.data.mapping and not table.structural:
        raise unnamed(table.place)
    runs, offsets = rows.runs_at(slice(None))
    # An array of its own, which may be changed in place: the frame that came in must not be.
    values = rows.ordered(rows.data.score)
    values *= sign
    scores = Scores(
        algorithms=tuple(rows.names["algorithm"]),
        tasks=tuple(rows.names["task"]),
        values=read_only(values),
        offsets=offsets,
        run_labels=runs,
        provenance=_of_columns(provenance, rows.data, sampling.unit),
        sampling=sampling.of_configs(rows.data.configs, rows.data.settings),
    )
    return constants_once(scores)


def curves_of(
    table: SourceTable,
    *,
    chosen: Chosen,
    provenance: Provenance,
    sign: float = 1.0,
    sampling: Sampling = PER_TASK,
) -> Curves:
    """Return the learning curves in checked columns, as `scores_of` does for scores."""
    rows = run_rows(table, chosen=chosen, unit=sampling.unit, with_step=True)
    # Rows are sorted by run and step, so that a run begins where the number of its run changes.
    starts = np.flatnonzero(np.concatenate([[True], rows.keys[1:] != rows.keys[:-1]]))
    runs, cell_offsets = rows.runs_at(starts)
    origin = _of_columns(provenance, rows.data, sampling.unit)
    more = {name: read_only(rows.ordered(column)) for name, column in extras(rows.table).items()}
    values = rows.ordered(rows.data.score)
    values *= sign
    return Curves(
        algorithms=tuple(rows.names["algorithm"]),
        tasks=tuple(rows.names["task"]),
        steps=read_only(rows.steps),
        values=read_only(values),
        run_offsets=read_only(np.append(starts, rows.keys.size).astype(np.int64)),
        cell_offsets=cell_offsets,
        run_labels=runs,
        provenance=origin.warning_of(*going_back(rows, starts)),
        sampling=sampling.of_configs(rows.data.configs, rows.data.settings),
        time=more.get("time"),
        episodes=more.get("episodes"),
    )


def tidy_scores(frame: Any, columns: Chosen, sampling: Sampling) -> Scores:
    """Return the scores in a tidy data frame, or a dictionary of columns."""
    table = table_of(frame)
    chosen, sign, origin = _of_costs(table, columns, Provenance(origin=origin_of(frame)))
    return scores_of(table, chosen=chosen, provenance=origin, sign=sign, sampling=sampling)


def tidy_curves(frame: Any, columns: Chosen, sampling: Sampling) -> Curves:
    """Return the learning curves in a tidy data frame, or a dictionary of columns."""
    table = table_of(frame)
    chosen, sign, origin = _of_costs(table, columns, Provenance(origin=origin_of(frame)))
    return curves_of(table, chosen=chosen, provenance=origin, sign=sign, sampling=sampling)


def _of_costs(table: SourceTable, columns: Chosen, origin: Provenance) -> tuple[Chosen, float, Provenance]:
    """Return the chosen columns, the sign of the scores, and their origin, as a file of the table has them."""
    chosen, sign = with_sign([table], columns)
    return chosen, sign, origin.negated() if sign < 0 else origin


def _of_columns(provenance: Provenance, data: Tidy, unit: UnitName) -> Provenance:
    """Return the origin with the roles of its columns and the notes on them; for episodes, with the note on what they can show."""
    origin = replace(provenance, columns=tuple(data.mapping.items())).noting(*data.notes)
    if unit != "episode":
        return origin
    # Of episodes a row is no run, and the note on rows would say so.
    return replace(origin, notes=tuple(note for note in origin.notes if note != BY_ROW)).noting(ONE_POLICY)


# ── runs whose steps go back ──────────


def going_back(rows: RunRows, starts: Ints) -> tuple[Caveat, ...]:
    """Return the caveat about runs whose rows occasionally go back in step (R402); shuffled rows do so at every second row, sorted ones
    never."""
    if rows.order is None:
        return ()
    steps = rows.steps
    breaks = []
    back = np.searchsorted(starts, np.flatnonzero(rows.order[1:] < rows.order[:-1]) + 1, side="right") - 1
    stops = np.append(starts[1:], steps.size)
    for run in np.unique(back).tolist():
        start, stop = int(starts[run]), int(stops[run])
        places = rows.order[start:stop]
        written = np.argsort(places, kind="stable")
        own = steps[start:stop][written]
        # A fall to a new minimum is none: shuffled rows begin with some, and a run that was resumed never goes back
        # to before its beginning.
        drops = np.flatnonzero((own[1:] < own[:-1]) & (own[1:] > np.minimum.accumulate(own)[:-1]))
        if 0 < drops.size <= max(1, own.size // 10):
            breaks.append((int(places[written[drops[0] + 1]]), own[drops[0]], own[drops[0] + 1]))
    if not breaks:
        return ()
    row, before, after = breaks[0]
    more = f", and in {len(breaks) - 1} more run{'s' * (len(breaks) > 2)}" if len(breaks) > 1 else ""
    text = (
        f"leave out the steps that were trained again: steps go back from {before:.10g} to {after:.10g} in {rows.table.row(row)} "
        f"({rows.named(row)}){more}, as if it was resumed from a checkpoint; its curve has both stretches, sorted by step."
    )
    subjects = tuple(dict.fromkeys(rows.data.labels["algorithm"][i] for i, *_ in breaks))
    return (Caveat(code="R402", severity="warning", text=text, subjects=subjects),)


# ── one row per episode ──────────


def episodes_of(table: SourceTable, chosen: Chosen) -> EpisodeRows:
    """Return the episodes at each run's final step, with a warning for each note on them."""
    stepped = plays(table.columns, "step", chosen)
    roles = {role: column for role, column in chosen.items() if role != "step" or stepped}
    data = tidy(table, chosen=roles, with_step=stepped)
    refuse_failed_rows(table, data.mapping)
    # Several rows of one run at its last step are the episodes of its evaluation there.
    rows: dict[CellName, dict[str, list[int]]] = {}
    for index, (a, t, r) in enumerate(zip(*(data.labels[role] for role in ("algorithm", "task", "run")), strict=True)):
        rows.setdefault((a, t), {}).setdefault(r, []).append(index)
    episodes: Episodes = {}
    for cell, runs in sorted(rows.items()):
        episodes[cell] = {}
        for r, indices in runs.items():
            at = np.array(indices)
            # Its own last step: runs of one table may have been logged to different ones.
            ends = at if data.step is None else at[data.step[at] == data.step[at].max()]
            episodes[cell][r] = data.score[ends]
    notes = (*data.notes, *_repeated(episodes))
    for note in notes:
        warn(note + ".")
    return EpisodeRows(episodes=episodes, notes=notes, columns=tuple(data.mapping.items()))


def _repeated(table: Episodes) -> list[str]:
    sizes = [episodes.size for runs in table.values() for episodes in runs.values()]
    if max(sizes) == 1:
        return []
    return [
        f"{sum(sizes)} scores belong to {len(sizes)} runs, {span(sizes)} each: they are evaluation episodes of these runs, not runs; "
        f"n is {len(sizes)}, not {sum(sizes)}"
    ]
