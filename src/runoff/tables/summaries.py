"""Names that are not algorithms, tasks or runs, but summaries, measures or counts of the others, by their words or by their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from runoff.base.arrays import Bools, Floats
from runoff.errors import DataError, warn
from runoff.tables.columns import UNUSED, an, listed, not_there
from runoff.tables.labels import labelled
from runoff.tables.source import SourceTable
from runoff.tables.tidy import Tidy
from runoff.tables.unnamed import cells_of
from runoff.words.columns import names_runs
from runoff.words.labels import is_ablation, is_summary, is_width, measures_others
from runoff.words.measured import measures_of
from runoff.words.patterns import regex
from runoff.words.speech import column, option
from runoff.words.words import canonical, kind, vocabulary, words

WITHIN = {"run": ("algorithm", "task"), "task": ("algorithm",), "algorithm": ()}
"""Role -> the roles that summary rows share with the rows that they summarise."""
LIKE_OTHERS = "is named like a measure of the others"
NO_LEVEL = "is named like a summary of the others, but its numbers are not a summary"
IS_SUM = "is the sum of those that it names"
INITIALS = vocabulary("se sd ci")
"""Abbreviations for summaries of runs; for algorithms or tasks they may be initials."""


def without_summaries(table: SourceTable, data: Tidy) -> tuple[SourceTable, Tidy]:
    """Return the rows that are runs, with a warning about rows that summarise or measure others; refuse summaries whose parts are missing,
    and ask about names that may be either.

    A name such as `mean` that all rows have in the same role is taken as the name of their algorithm or task.
    """
    _refuse_other_rows(table, data)
    kept = np.ones(data.score.size, dtype=np.bool_)
    notes = []
    for role in WITHIN:
        labels = data.labels[role]
        names = _summaries(table, data, role)
        summing = labels.rows(names) if names else np.zeros(1, np.bool_)
        if not summing.any():
            continue
        _refuse_without_parts(table, data, role, summing)
        kept &= ~summing
        what = "summarise" if role == "run" else "summarise or measure"
        notes.append(
            f"left out: {int(summing.sum())} row(s) of {role} {listed(names)}, which {what} the other {role}s; rename a row that "
            "is not a summary"
        )
    if not notes:
        return table, data
    for note in notes:
        warn(f"{table.place}: {note}")
    rows = np.flatnonzero(kept)
    return table.some_rows(rows), data.some_rows(rows, *notes)


def _summaries(table: SourceTable, data: Tidy, role: str) -> list[str]:
    """Return the labels of a role that name summaries or measures of the others; ask about ambiguous labels."""
    # Tables that people edit have rows `mean`, `std`, `average`, which read as runs would narrow the spread.
    names = [name for name in data.labels[role].names if not name.isdecimal()]
    if role == "run":
        return [] if role in table.vouched else sorted(filter(is_summary, names))
    names = [name for name in names if canonical(name) not in INITIALS and not _is_numbered(data, name, role)]
    summaries = set(filter(is_summary, names))
    measures = {name for name in names if name not in summaries and _measures(name, role)}
    # `SEED` is a method where another column names the runs.
    measures = {name for name in measures if not ("run" in data.mapping and names_runs(name))}
    # `n` and `p` beside `a`, `b` are named as these are.
    if any(len(name) == 1 for name in {*names} - measures):
        measures = {name for name in measures if len(name) > 1}
    others = [name for name in data.labels[role].names if name not in summaries | measures]
    # The name of all rows is a name.
    if not others:
        return []
    doubts = {name: LIKE_OTHERS for name in measures if len(words(name)) == 1}
    # A row `Mean` below tasks may have units of its own; with several runs of an algorithm it is a task, if it is no mean of each.
    titled = {name for name in summaries if role == "algorithm" or _has_runs(data, name)}
    level = {name for name in titled if not is_width(name) and not _is_level_of(data, name, others, role)}
    doubts |= dict.fromkeys(level, NO_LEVEL)
    if role == "algorithm":
        # In a column of algorithms `ppo-clip` and `ppo-kl` without `ppo` are two; keys of arrays may be anything.
        doubts |= {
            name: f"is named like a measure of {own!r}"
            for name, (own, _) in measures_of(others).items()
            if role in table.levels or own in others
        }
        doubts |= {name: IS_SUM for name in others if _is_sum_of(data, name, others)}
    if doubts and role not in table.vouched:
        raise _asked_of(
            table,
            role,
            doubts,
            alike=_are_alike(data, role, [*doubts])
            if {*doubts.values()} == {LIKE_OTHERS}
            else ({*doubts} == level and len(level) > 1) or {*doubts} >= {*others},
        )
    return sorted((summaries | measures) - doubts.keys())


def _are_alike(data: Tidy, role: str, names: Sequence[str]) -> bool:
    """Return whether the scores of names lie among those of the others, as ranks and counts hardly do."""
    among = data.labels[role].rows(names)
    own, others = data.score[among], data.score[~among]
    return bool(others.min() <= np.median(own) <= others.max())


def _asked_of(table: SourceTable, role: str, doubts: Mapping[str, str], *, alike: bool) -> DataError:
    (first, why), *others = sorted(doubts.items())
    also = f", and {listed([name for name, _ in others])} like it" if others else ""
    keys = "/".join(table.levels if role in table.levels else [role])
    ways = (
        f"{column(UNUSED, ','.join(sorted(doubts)))} if that is no {role}",
        f"{option('keys', keys)} if each name is {an(role)}",
    )
    repairs = (
        f"use {', or '.join(ways[::-1] if alike else ways)}"
        if table.structural
        else f"drop its rows if it is no {role}, or read the frame with load(frame, keys={role!r})"
    )
    return DataError(f"{table.place}: {role} {first!r} {why}{also}; {repairs}.")


MEASURED = ("metric", "score", "statistic", "rate", "time")
"""Kinds of columns that name no task: `Wins`, `Median HNS`."""


def _measures(name: str, role: str) -> bool:
    if role == "task":
        return measures_others(name) or kind(name) in MEASURED
    return measures_others(name) and not is_ablation(name)


def _refuse_other_rows(table: SourceTable, data: Tidy) -> None:
    """Refuse a row `n` or `p-value` below numbered runs: it is not a run, and nothing shows that it summarises the others."""
    labels = data.labels
    names = [name for name in labels["run"].names if name.isdecimal() or not is_summary(name)]
    others = [name for name in names if not any(map(str.isdigit, name))]
    counted = [name for name in names if name.isdecimal()]
    if not others or not counted or len(others) + len(counted) < len(names):
        return
    among, cells = labels["run"].rows(others), cells_of(labels["algorithm"], labels["task"])
    beside = np.isin(cells, cells[labels["run"].rows(counted)])
    for row in np.flatnonzero(among & beside)[:1].tolist():
        raise DataError(
            f"{table.place}, {table.row(row)}: run {labels['run'][row]!r} stands among runs that are numbers, and a row of a count or a "
            "comparison is no run; delete the row, or give the run a number."
        )


def _refuse_without_parts(table: SourceTable, data: Tidy, role: str, summing: Bools) -> None:
    """Refuse summaries whose algorithm, or algorithm and task, has no other rows."""
    keys = list(zip(*(data.labels[name] for name in WITHIN[role]), strict=True)) or [()] * data.score.size
    with_parts = {key for key, sums in zip(keys, summing.tolist(), strict=True) if not sums}
    bare = next((i for i in np.flatnonzero(summing).tolist() if keys[i] not in with_parts), None)
    if bare is not None:
        whose = " on ".join(f"{name} {data.labels[name][bare]!r}" for name in WITHIN[role])
        raise DataError(
            f"{table.place}, {table.row(bare)}: {role} {data.labels[role][bare]!r} sums up {role}s of {whose} that the table lacks; give "
            f"the score of every {role}, or rename this row if it sums up nothing."
        )


# ── what sums up others by its numbers ──────────

LEVELS: Mapping[str, Callable[..., Floats]] = {
    "mean": np.nanmean,
    "sum": np.nansum,
    "median": np.nanmedian,
    "max": np.nanmax,
    "min": np.nanmin,
}


def sums_up(own: Floats, others: Floats, over: Sequence[str] = tuple(LEVELS), *, rounded: bool = True) -> bool:
    """Return whether one statistic of `others`, (n_rows, n_others) with NaN for none, equals each of the numbers up to rounding; `rounded`:
    the others may be rounded as well."""
    for name in over:
        values = LEVELS[name](others, axis=1)
        weight = others.shape[1] if name == "sum" else 1
        # No digits, no rounding error of more than a half.
        if np.abs(own - values).max() > 0.5 + 0.5 * weight:
            continue
        half = 0.5 * 10.0 ** -_digits(own)
        half_of_others = 0.5 * 10.0 ** -_digits(others) * rounded
        # What is rounded keeps its order: equal digits leave no room for an extreme.
        error = 0.0 if name in ("max", "min") and half_of_others == half else half + half_of_others * weight
        if bool((np.abs(own - values) <= error + 1e-9 * np.maximum(1.0, np.abs(values))).all()):
            return True
    return False


def _digits(values: Floats) -> int:
    """Return the largest number of digits after the decimal point."""
    distinct = np.unique(values[np.isfinite(values)]).tolist()
    return max(max(0, -int(Decimal(repr(value)).normalize().as_tuple().exponent)) for value in distinct)


NUMBERED = regex(r"[^\W\d]{1,12}[-_ ]?(?:\d{1,3}|\(\d{1,3}\))")
"""A short word with a number: `GB1`, `p53`, `SD-21`, `SE(3)`."""


def _is_numbered(data: Tidy, name: str, role: str) -> bool:
    """Return whether a name is a word with a number, as proteins, poses and blocks of a chip are called, and has the runs that others have."""
    word = name.rstrip("0123456789()-_ ")
    # `mean26`, `max 3` are of others whatever they number.
    if not NUMBERED.fullmatch(name) or "run" not in data.mapping or (is_summary(word) and not is_width(word)):
        return False
    other = "task" if role == "algorithm" else "algorithm"
    among, runs = data.labels[role].rows([name]), data.labels["run"].codes
    pairs = {*zip(data.labels[other].codes[~among].tolist(), runs[~among].tolist(), strict=True)}
    own = {*zip(data.labels[other].codes[among].tolist(), runs[among].tolist(), strict=True)}
    return len({run for _, run in own}) > 1 and own <= pairs


def _has_runs(data: Tidy, task: str) -> bool:
    """Return whether a task has several runs of an algorithm."""
    codes = data.labels["algorithm"].codes[data.labels["task"].rows([task])]
    return np.unique(codes).size < codes.size


def _is_level_of(data: Tidy, name: str, others: Sequence[str], role: str) -> bool:
    """Return whether the scores of an algorithm, or task, are a statistic of those of the others, run by run or over all runs."""
    return any(sums_up(own, groups) for own, groups in _beside(data, name, others, role))


def _is_sum_of(data: Tidy, name: str, others: Sequence[str]) -> bool:
    """Return whether an algorithm's name joins several others, and its scores are their sums: `SAC+PPO`."""
    sides = [side.strip() for side in name.split("+")]
    both = len(sides) > 1 and {*sides} <= {*others} - {name}
    return both and any(sums_up(own, groups, ("sum",)) for own, groups in _beside(data, name, sides))


def _beside(data: Tidy, name: str, others: Sequence[str], role: str = "algorithm") -> Iterator[tuple[Floats, Floats]]:
    """Yield the scores of an algorithm with those of others on its tasks, or of a task with those on others: of the same run if labels agree,
    otherwise of all runs."""
    rows, among = (np.flatnonzero(data.labels[role].rows([*names])) for names in ([name], others))
    beside = "task" if role == "algorithm" else "algorithm"
    steps = [] if data.step is None else [data.step]
    for roles in ((beside, "run"), (beside,)):
        keys = list(
            zip(*(data.labels[role].codes.tolist() for role in roles), *(own.tolist() for own in steps), strict=True)
        )
        groups: dict[tuple[Any, ...], list[float]] = {keys[row]: [] for row in rows.tolist()}
        for row in among.tolist():
            if keys[row] in groups:
                groups[keys[row]].append(float(data.score[row]))
        if all(groups.values()):
            most = max(map(len, groups.values()))
            yield (
                data.score[rows],
                np.array([groups[keys[row]] + [np.nan] * (most - len(groups[keys[row]])) for row in rows.tolist()]),
            )


# ── names that are left out, as asked ──────────


def without_names(table: SourceTable, names: Sequence[str]) -> SourceTable:
    """Return the table without the rows of excluded algorithms and tasks; refuse names that do not occur."""
    if not names:
        return table
    labels = [labelled(table.columns[role]) for role in ("algorithm", "task")]
    every = [name for own in labels for name in own.names]
    absent = next((name for name in names if name not in every), None)
    if absent is not None:
        purpose = " to leave unused, and no such algorithm or task"
        raise not_there(table.place, "column", absent, every, purpose)
    kept: Bools = ~(labels[0].rows(names) | labels[1].rows(names))
    return table.some_rows(np.flatnonzero(kept))
