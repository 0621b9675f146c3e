"""The rows of a table that are runs: sorted, each run once, one spelling of each name, and without summary rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints, read_only
from runoff.base.bounds import refuse_beyond
from runoff.base.grouping import grouped
from runoff.errors import DataError, warn
from runoff.tables.chosen import with_chosen
from runoff.tables.columns import NAMED, ROW, recognise
from runoff.tables.factors import with_factors
from runoff.tables.items import with_items
from runoff.tables.labels import Labels, in_order
from runoff.tables.likely import Chosen, candidates
from runoff.tables.naming import natural, plain
from runoff.tables.others import evaluated, refuse_failed_rows
from runoff.tables.source import SourceTable
from runoff.tables.summaries import without_summaries
from runoff.tables.tidy import Tidy, tidy
from runoff.words.names import UnitName
from runoff.words.speech import choice, column, option, without


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """Rows sorted by algorithm, task, run and step, without repeated runs or steps of a run.

    `names` are the names of each role in order; `order` is the sorted order of the rows of `table` and `data`, None if they are sorted
    already; `keys` numbers each row's run among all possible runs; both are int64 (n_rows,). `steps` are sorted, in an array of their own,
    empty without steps.
    """

    table: SourceTable
    data: Tidy
    names: Mapping[str, Sequence[str]]
    order: Ints | None
    keys: Ints
    steps: Floats
    unit: UnitName

    def ordered(self, values: Floats) -> Floats:
        """Return a column in this order, as a new array."""
        return ordered(values, self.order)

    def runs_at(self, rows: Ints | slice) -> tuple[tuple[str, ...], Ints]:
        """Return the runs of some rows, one run per row, and the start of every cell, including empty cells."""
        cells, runs = np.divmod(self.keys[rows], len(self.names["run"]))
        n_cells = len(self.names["algorithm"]) * len(self.names["task"])
        starts = np.searchsorted(cells, np.arange(n_cells + 1)).astype(np.int64)
        return tuple(np.array(self.names["run"], dtype=object)[runs].tolist()), read_only(starts)

    def named(self, row: int) -> str:
        """Return the run of a row of the table in words."""
        called = {"run": self.unit}
        return ", ".join(f"{called.get(role, role)} {self.data.labels[role][row]!r}" for role in NAMED)


def run_rows(table: SourceTable, *, chosen: Chosen, unit: UnitName, with_step: bool) -> RunRows:
    """Return the rows that are runs, or steps of runs, from which `Scores` and `Curves` are made."""
    if not table.structural:
        table = with_chosen(table, chosen)
        columns, chosen = with_items(table.columns, chosen, table.place, unit)
        table = _of_runs(replace(table, columns=columns), chosen, with_step=with_step)
    table, data = without_summaries(table, _one_spelling(tidy(table, chosen=chosen, with_step=with_step), table.place))
    rows = _sorted(table, data, unit)
    again = repeats(rows.keys, rows.steps)
    if again.any():
        kept, scores, note = resolved(rows, again)
        warn(f"{table.place}: {note}")
        data = replace(data, score=scores)
        rows = _sorted(table.some_rows(kept), data.some_rows(kept, note), unit)
    return rows


def _sorted(table: SourceTable, data: Tidy, unit: UnitName) -> RunRows:
    """Return all rows of a table in the order of their runs and steps."""
    labels = {role: data.labels[role] for role in NAMED}
    names = {role: sorted(own.names, key=natural if role == "run" else None) for role, own in labels.items()}
    n_algorithms, n_tasks, n_runs = map(len, names.values())
    sides = f"{n_algorithms} algorithms on {n_tasks} tasks make {n_algorithms * n_tasks} cells"
    refuse_beyond("cells", n_algorithms * n_tasks, f"{table.place}: {sides}")
    algorithm, task, run = (_codes(own, names[role]) for role, own in labels.items())
    keys = algorithm * n_tasks
    keys += task  # in place: new memory for ten million rows costs more than the sums
    keys *= n_runs
    keys += run
    # One number for each run, algorithm first, so that one sort puts all in the order of `Scores`.
    order = in_order(keys, data.step)
    keys = keys if order is None else keys[order]
    steps = np.empty(0) if data.step is None else ordered(data.step, order)
    return RunRows(table=table, data=data, names=names, order=order, keys=keys, steps=steps, unit=unit)


def _of_runs(table: SourceTable, chosen: Chosen, *, with_step: bool) -> SourceTable:
    """Return the rows of a frame that are runs, or evaluations of runs, by the same rules as for files."""
    if not table.n_rows:
        return table
    roles = ("algorithm", "task", "run", "score", *(("step",) if with_step else ()))
    refuse_failed_rows(table, recognise(list(table.columns), wanted=roles, chosen=chosen, place=table.place))
    table = with_factors(table, chosen, with_step=with_step)
    return evaluated(table, chosen) if with_step else table


def ordered(values: Floats, order: Ints | None) -> Floats:
    """Return a column in an order from `in_order`, as a new array."""
    return values.copy() if order is None else values[order]


def _codes(labels: Labels, names: Sequence[str]) -> Ints:
    """Return the position of each label among `names`, int64 (n_rows,)."""
    if labels.names == names:
        return labels.codes
    position = {name: i for i, name in enumerate(names)}
    return np.array([position[name] for name in labels.names], dtype=np.int64)[labels.codes]


# ── runs that are there twice ──────────

DUPLICATES = ("auto", "last", "first", "mean", "error")
"""Which of several scores of a run at a step counts; auto: the last if the step went back, and one of several equal scores."""


def repeats(keys: Ints, steps: Floats) -> Bools:
    """Return which sorted rows have the same run, and step, as the row before them, (n_rows,)."""
    again = np.concatenate([[False], keys[1:] == keys[:-1]])
    if steps.size:
        again[1:] &= steps[1:] == steps[:-1]
    return again


def resolved(rows: RunRows, again: Bools) -> tuple[Ints, Floats, str]:
    """Return the rows of the table to keep, its scores, and a sentence; refuse repeats if nothing decides which of them counts."""
    order = np.arange(again.size) if rows.order is None else rows.order
    first, last = ~again, np.append(~again[1:], True)
    score = rows.data.score.copy()
    n_groups = np.cumsum(first) - 1
    policy: str = rows.table.duplicates
    sorted_scores = score[order]
    if policy == "auto":
        equal = bool((sorted_scores[again] == sorted_scores[np.flatnonzero(again) - 1]).all())
        # Outcomes, and other whole numbers, are equal by chance.
        policy = (
            "first"
            if equal and (sorted_scores[again] % 1 != 0).any()
            else "last"
            if _went_back(rows, order, again)
            else "error"
        )
        what = "repeat others, score and all" if policy == "first" else "were logged again after the step went back"
    else:
        what = f"have the {rows.unit}{' and step' if rows.steps.size else ''} of another"
    if policy == "error":
        raise _repeated(rows, order, again)
    if policy == "mean":
        _refuse_means_of_episodes(rows, int(again.sum()))
        score[order[first]] = np.bincount(n_groups, weights=sorted_scores) / np.bincount(n_groups)
    kept = np.sort(order[last if policy == "last" else first])
    counts = {"last": "the last one counts", "first": "the first one counts", "mean": "their mean counts"}[policy]
    example = rows.named(int(order[np.argmax(again)]))
    return kept, score, f"{int(again.sum())} row(s) {what}, for example of {example}: {counts}"


def _refuse_means_of_episodes(rows: RunRows, n: int) -> None:
    """Refuse to average rows that were declared to be episodes of one policy: their mean would count as an episode."""
    if rows.unit == "episode":
        mean = without(option("duplicates", "mean"), option("unit", "episode"))
        row = without(column("run", ROW), option("duplicates", "mean"))
        raise DataError(
            f"{rows.table.place}: {option('duplicates', 'mean')} makes one score of {n} row(s) and others of their number, and a mean of "
            f"episodes is no episode: use {mean} if the rows of a number are episodes of one run, or {row} if each row is an episode of its own."
        )


def _went_back(rows: RunRows, order: Ints, again: Bools) -> bool:
    """Return whether every repeated step was logged again after the steps of its run went back (but not to the start), as in a resumed run."""
    if not rows.steps.size:
        return False
    steps, keys = np.asarray(rows.data.step), np.empty_like(rows.keys)
    keys[order] = rows.keys
    for key in np.unique(rows.keys[again]).tolist():
        own = steps[keys == key]
        falls = np.flatnonzero(np.diff(own) < 0) + 1
        # Two curves under one label begin at the same step, or fall again and again; a step logged twice in a row is no resumption.
        if not 1 <= falls.size <= MOST_RESUMPTIONS or (own[falls] <= own[0]).any() or (np.diff(own) == 0).any():
            return False
    return True


MOST_RESUMPTIONS = 10
"""The largest number of times that a run is resumed."""


def _repeated(rows: RunRows, order: Ints, again: Bools) -> DataError:
    """Return the refusal of all rows that repeat a run, or a step of a run, with the commands that decide which of them counts."""
    at = int(np.argmax(again))
    first, second = order[at - 1 : at + 1].tolist()
    step = f", step {rows.steps[at]:g}" if rows.steps.size else ""
    n_runs = np.unique(rows.keys[again]).size
    more = f" ({int(again.sum())} such rows of {n_runs} {rows.unit}s)" if again.sum() > 1 else ""
    if rows.unit == "episode":
        score = rows.data.score[order]
        alike = bool((score[again] == score[np.flatnonzero(again) - 1]).all())
        mean = f", {without(option('duplicates', 'mean'), option('unit', 'episode'))} if they are episodes of one run"
        return DataError(
            f"{rows.table.place}: {rows.named(first)} stands in {rows.table.row(first)} and again in {rows.table.row(second)}"
            f"{' with the same score' * alike}{more}: use {option('duplicates', 'first')} if that is a mistake"
            f"{'' if alike else mean}, or {column('run', ROW)} if each row is an episode of its own."
        )
    axes = [] if rows.steps.size else candidates(list(rows.table.columns), "step")
    if axes:
        final = choice("Curves.from_frame(…).final()", column("step", axes[0]))
        repair = f"its column {axes[0]!r} is that of learning curves: make them scores first ({final})."
    else:
        which = "the later row if the run was resumed" if rows.steps.size else "the later row if it corrects the other"
        last = f"{option('duplicates', 'last')} ({which}), {option('duplicates', 'first')}"
        mean = f"{option('duplicates', 'mean')} (episodes of one run)"
        # Where every run is there again, nobody corrected a row.
        every = not rows.steps.size and n_runs == np.unique(rows.keys).size
        repair = f"choose the row: {f'{mean}, {last}' if every else f'{last}, or {mean}'}; or name the column of runs."
    return DataError(
        f"{rows.table.place}: {rows.named(first)}{step} appears twice, in {rows.table.row(first)} and {rows.table.row(second)}{more}; {repair}"
    )


# ── names that are spelled in several ways ──────────


def _one_spelling(data: Tidy, place: str) -> Tidy:
    """Return the columns with one spelling of each name (Unicode forms always, capitals if no run would be repeated), and warn about joined
    names."""
    notes = []
    for role in ("algorithm", "task"):
        # First what nobody can see, which is one name for certain; then capitals, where `ppo` and `PPO` may be two
        # algorithms of a study.
        for key in (plain, lambda name: plain(name).casefold()):
            new = _joined(data, role, key)
            if not new:
                continue
            labels = data.labels[role].mapped(partial(_renamed, new))
            data = replace(data, labels={**data.labels, role: labels})
            notes += [
                f"the {role} {old!a} and {to!a} are two spellings: they are read as one name" for old, to in new.items()
            ]
    for note in notes:
        warn(f"{place}: {note}")
    return replace(data, notes=(*data.notes, *notes)) if notes else data


def _renamed(new: Mapping[str, str], name: str) -> str:
    return new.get(name, name)


def _joined(data: Tidy, role: str, key: Callable[[str], str]) -> dict[str, str]:
    """Return {spelling: its replacement}."""
    labels = data.labels[role]
    spellings = grouped((key(name), name) for name in labels.names)
    groups = {of_all: names for of_all, names in spellings.items() if len(names) > 1}
    if not groups:
        return {}
    counts = dict(zip(labels.names, np.bincount(labels.codes, minlength=len(labels.names)).tolist(), strict=True))
    new: dict[str, str] = {}
    for of_all, names in groups.items():
        if key is not plain and not _apart(data, role, set(names)):
            continue
        # The more frequent spelling; of as many the last in the alphabet, which is small letters.
        best = of_all if key is plain else max(names, key=lambda name: (counts[name], name))
        new |= {name: best for name in names if name != best}
    return new


def _apart(data: Tidy, role: str, names: set[str]) -> bool:
    """Return whether no run occurs under two spellings."""
    others = ("algorithm", "run") if role == "task" else ("task", "run")
    spelled: dict[tuple[str, ...], str] = {}
    rows = zip(data.labels[role], zip(*(data.labels[other] for other in others), strict=True), strict=True)
    # A run that is there in both spellings is two runs of two algorithms.
    return all(spelled.setdefault(place, name) == name for name, place in rows if name in names)
