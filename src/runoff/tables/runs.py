"""The rows of a table that are runs: one spelling of each name, without rows that sum up others, sorted, each run once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints, read_only
from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError, warn
from runoff.tables.columns import NAMED, candidates, listed, recognise
from runoff.tables.factors import with_factors
from runoff.tables.labels import Labels, in_order, natural
from runoff.tables.others import evaluated, refuse_failed_rows
from runoff.tables.tidy import SourceTable, Tidy, tidy, with_chosen
from runoff.tables.unnamed import with_items
from runoff.words.names import UnitName
from runoff.words.speech import choice, column
from runoff.words.words import canonical, is_summary, vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """Rows sorted by algorithm, task, run and step: no run, or step of one, is there twice.

    `names` are those of each role in order; `order` has the rows of `table` and `data`, None if they are in order, `keys` the number of each
    one's run among all that could be, int64 (n_rows,) both; `steps` are sorted, an array of their own, empty where there are none.
    """

    table: SourceTable
    data: Tidy
    names: Mapping[str, Sequence[str]]
    order: Ints | None
    keys: Ints
    steps: Floats

    def ordered(self, values: Floats) -> Floats:
        """Return a column in this order, as an array of its own."""
        return ordered(values, self.order)

    def runs_at(self, rows: Ints | slice) -> tuple[tuple[str, ...], Ints]:
        """Return the runs of some rows, of which each is one, and where every cell begins, empty ones among them."""
        cells, runs = np.divmod(self.keys[rows], len(self.names["run"]))
        n_cells = len(self.names["algorithm"]) * len(self.names["task"])
        starts = np.searchsorted(cells, np.arange(n_cells + 1)).astype(np.int64)
        return tuple(np.array(self.names["run"], dtype=object)[runs].tolist()), read_only(starts)

    def named(self, row: int) -> str:
        """Return the words for the run of a row of the table."""
        return ", ".join(f"{role} {self.data.labels[role][row]!r}" for role in NAMED)


def run_rows(table: SourceTable, *, chosen: Mapping[str, str | None], unit: UnitName, with_step: bool) -> RunRows:
    """Return the rows that are runs, or steps of runs; what `Scores` and `Curves` are made of."""
    if not table.structural:
        table = with_chosen(table, chosen)
        columns, chosen = with_items(table.columns, chosen, table.place, unit)
        table = _of_runs(replace(table, columns=columns), chosen, with_step=with_step)
    table, data = _without_summaries(table, _one_spelling(tidy(table, chosen=chosen, with_step=with_step), table.place))
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
    rows = RunRows(table=table, data=data, names=names, order=order, keys=keys, steps=steps)
    _refuse_repeats(rows)
    return rows


def _of_runs(table: SourceTable, chosen: Mapping[str, str | None], *, with_step: bool) -> SourceTable:
    """Return the rows of a frame that are runs, or evaluations of runs, by the rules that readers of files apply."""
    if not table.n_rows:
        return table
    roles = ("algorithm", "task", "run", "score", *(("step",) if with_step else ()))
    refuse_failed_rows(table, recognise(list(table.columns), wanted=roles, chosen=chosen, place=table.place))
    table = with_factors(table, chosen, with_step=with_step)
    return evaluated(table, chosen) if with_step else table


def ordered(values: Floats, order: Ints | None) -> Floats:
    """Return a column in an order as of `in_order`, as an array of its own."""
    return values.copy() if order is None else values[order]


def _codes(labels: Labels, names: Sequence[str]) -> Ints:
    """Return the position of each label among `names`, int64 (n_rows,)."""
    if labels.names == names:
        return labels.codes
    position = {name: i for i, name in enumerate(names)}
    return np.array([position[name] for name in labels.names], dtype=np.int64)[labels.codes]


def _refuse_repeats(rows: RunRows) -> None:
    same, step = rows.keys[1:] == rows.keys[:-1], ""
    repair = "a run has one score (average the episodes of a run first, or name the column that tells runs apart)."
    if rows.data.step is not None:
        steps = rows.steps
        same &= steps[1:] == steps[:-1]
        step = f", step {steps[int(same.argmax())]:g}" if same.any() else ""
        repair = "keep the later row if the run was resumed, or average the episodes first."
    elif axes := candidates(list(rows.table.columns), "step"):
        final = choice("Curves.from_frame(…).final()", column("step", axes[0]))
        repair = f"its column {axes[0]!r} is that of learning curves: make them scores first ({final})."
    if same.any():
        at = int(same.argmax())
        first, second = (at, at + 1) if rows.order is None else rows.order[at : at + 2].tolist()
        raise DataError(
            f"{rows.table.place}: {rows.named(first)}{step} appears twice, in {rows.table.row(first)} and {rows.table.row(second)}; {repair}"
        )


# ── names that are spelled in several ways ──────────


WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Letters and signs of full width -> those of ASCII."""
TWINS = str.maketrans("АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXo")
"""Letters of Cyrillic and Greek -> those of Latin that look like them."""


def plain(name: str) -> str:
    """Return a name in one Unicode form, without the width of its letters and without characters that cannot be seen.

    >>> plain("Cafe\\u0301") == "Caf\\u00e9", plain("\\uff30PO"), plain("PPO\\u200b")
    (True, 'PPO', 'PPO')
    """
    # macOS writes é as e and an accent, Linux as one letter; zero-width characters come with names copied from web
    # pages.
    seen = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    return seen.translate(WIDE).strip() or name


def _one_spelling(data: Tidy, place: str) -> Tidy:
    """Return the columns with one spelling of each name (Unicode always, capitals where nothing is twice), with a warning of those joined."""
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
                f"the {role} {old!a} is {to!a}, spelled in another way: they are taken as one"
                for old, to in new.items()
            ]
    for note in notes:
        warn(f"{place}: {note}")
    return replace(data, notes=(*data.notes, *notes)) if notes else data


def _renamed(new: Mapping[str, str], name: str) -> str:
    return new.get(name, name)


def _joined(data: Tidy, role: str, key: Callable[[str], str]) -> dict[str, str]:
    """Return {spelling: the one in its place}."""
    labels = data.labels[role]
    spellings: dict[str, list[str]] = {}
    for name in labels.names:
        spellings.setdefault(key(name), []).append(name)
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
    """Return whether spellings never meet: no run is there in two."""
    others = ("algorithm", "run") if role == "task" else ("task", "run")
    spelled: dict[tuple[str, ...], str] = {}
    rows = zip(data.labels[role], zip(*(data.labels[other] for other in others), strict=True), strict=True)
    # A run that is there in both spellings is two runs of two algorithms.
    return all(spelled.setdefault(place, name) == name for name, place in rows if name in names)


# ── rows that sum up others ──────────


WITHIN = {"run": ("algorithm", "task"), "task": ("algorithm",), "algorithm": ()}
"""Role -> the roles that rows share with those that they sum up."""

INITIALS = vocabulary("se sd ci")
"""Short for what sums up runs; of an algorithm or a task they may be the initials."""


def _without_summaries(table: SourceTable, data: Tidy) -> tuple[SourceTable, Tidy]:
    """Return the rows that are runs, with a warning about those that sum up others; refuse summaries of what is not there.

    A name such as `mean` that all rows have in one role is the name of their algorithm or task.
    """
    kept = np.ones(data.score.size, dtype=np.bool_)
    notes = []
    for role in WITHIN:
        labels = data.labels[role]
        names = sorted(
            name
            for name in labels.names
            # Tables that people edit have rows `mean`, `std`, `average`, which read as runs would narrow the spread.
            if not name.isdecimal() and is_summary(name) and (role == "run" or canonical(name) not in INITIALS)
        )
        summing = labels.rows(names) if names else np.zeros(1, np.bool_)
        # All runs called `mean` are summaries; an algorithm called so in every row is a name.
        if not summing.any() or (role != "run" and summing.all()):
            continue
        _refuse_without_parts(table, data, role, summing)
        kept &= ~summing
        notes.append(
            f"left out: {int(summing.sum())} row(s) of {role} {listed(names)}, which sum up the other {role}s; give what is no summary another "
            "name"
        )
    if not notes:
        return table, data
    for note in notes:
        warn(f"{table.place}: {note}")
    rows = np.flatnonzero(kept)
    return table.some_rows(rows), data.some_rows(rows, *notes)


def _refuse_without_parts(table: SourceTable, data: Tidy, role: str, summing: Bools) -> None:
    """Refuse summaries whose algorithm and task, or algorithm, has no other rows."""
    keys = list(zip(*(data.labels[name] for name in WITHIN[role]), strict=True)) or [()] * data.score.size
    with_parts = {key for key, sums in zip(keys, summing.tolist(), strict=True) if not sums}
    bare = next((i for i in np.flatnonzero(summing).tolist() if keys[i] not in with_parts), None)
    if bare is not None:
        whose = " on ".join(f"{name} {data.labels[name][bare]!r}" for name in WITHIN[role])
        raise DataError(
            f"{table.place}, {table.row(bare)}: {role} {data.labels[role][bare]!r} sums up {role}s of {whose} that are not there; give the "
            f"score of every {role}, or another name to what is no summary."
        )
