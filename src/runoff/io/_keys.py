"""Names found inside a file (heads of a wide table, keys of JSON, names of arrays): algorithms, tasks or runs?

The user decides (`keys`), else names that the field knows, else what the names of the files are; else the documented order. What looks
like amounts of training, metrics or bare numbers is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError, OptionError
from runoff.io._known import Meaning, is_algorithm, is_contender, is_task, meaning_of, metrics_among
from runoff.io._parts import parts_of
from runoff.io.formats import NotRuns
from runoff.io.formats.base import named_row
from runoff.tables.columns import (
    FRAME,
    NAMED,
    candidates,
    each_row_is_a_run,
    free_columns,
    listed,
    missing_column,
    plays,
    recognise,
    summed_up,
)
from runoff.tables.labels import Labels, labelled, some_rows
from runoff.tables.tidy import PERCENT, SourceTable, numbers, unused_columns
from runoff.tables.unnamed import cells_of, refuse_counted, refuse_outcomes
from runoff.tables.values import YES_NO, as_far_as_numbers, in_percent, is_empty, outcomes, parsed, rises_evenly
from runoff.words.speech import choice, column, neutral, option
from runoff.words.words import is_spread, is_summary, kind, names_attempts, vocabulary, words

NOT_NAMES: Mapping[str, str] = {
    "amount": "look like amounts of training, or levels",
    "number": "are bare numbers",
    "parts": "are kinds of data of the same runs",
    "runs_of": "name an algorithm and a run together (a table with columns for both can be read)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around a file: what the names of all files read are, and whether several files have these keys."""

    files_name: Meaning | None = None
    numbered: bool = False
    shared: bool = False


def parsed_keys(keys: str | None) -> tuple[str, ...] | None:
    """Return the levels of `keys`: "task/algorithm", "100k/task"."""
    if keys is None:
        return None
    levels = tuple(level.strip() for level in keys.split("/"))
    if not all(levels) or any(levels.count(role) > 1 for role in NAMED):
        raise OptionError(
            f"{option('keys', keys)}: each level is algorithm, task, run, or the one key to take, and no role comes twice; for example "
            f"{option('keys', 'task/algorithm')}."
        )
    return levels


def with_roles(table: SourceTable, keys: tuple[str, ...] | None, around: Around) -> SourceTable:
    """Return a table of keys with the role of each: columns are renamed, or one key is taken; refuse what cannot be told or does not fit."""
    if not table.keys:
        refuse_keys(table, keys)
        return table
    if keys is not None:
        table, keys = _taken(table, keys)
    labels_of = {name: list(dict.fromkeys(table.columns[name])) for name in table.keys}
    levels, usual = list(labels_of.values()), list(table.keys.values())
    # Of one level, or where keys name the runs as well, a wrong guess shows in the notes at once; two swapped levels
    # would compare tasks as if they were algorithms.
    if keys is None and len(levels) == 2 and "run" in table.columns:
        _refuse_unknown(levels, usual, table.place)
    roles = decided(levels, usual, around, table.place) if keys is None else keys
    names = dict(zip(table.keys, roles, strict=True))
    columns: dict[str, Sequence[Any] | Floats] = {
        names.get(name, name): column for name, column in table.columns.items() if name != "run"
    }
    if "run" in table.columns:
        columns = _with_entries(columns, table)
    notes = [f"{_shown(labels)}: taken as {role}s" for labels, role in zip(labels_of.values(), roles, strict=True)]
    return replace(table, columns=columns, keys={}, row=named_row(columns), notes=(*table.notes, *notes))


def roles_of_levels(columns: Any, keys: str | None) -> list[str]:
    """Return what the levels of a frame's columns are, outermost first: as `keys` says, else as their labels tell."""
    parsed = parsed_keys(keys)
    if parsed is not None and (len(parsed) != columns.nlevels or not set(parsed) <= set(NAMED)):
        raise OptionError(
            f"{FRAME}: {option('keys', '/'.join(parsed))} does not name the {columns.nlevels} levels of its columns; for example "
            f"{option('keys', 'algorithm/task')}."
        )
    if columns.nlevels != 2 and parsed is None:
        raise DataError(
            f"{FRAME}: its columns are labelled in {columns.nlevels} levels without names; say what they are, outermost first, for example "
            f"{option('keys', 'algorithm/task/run')}."
        )
    levels = [list(dict.fromkeys(map(str, columns.get_level_values(at)))) for at in range(columns.nlevels)]
    return list(parsed or decided(levels, ("algorithm", "task"), Around(), FRAME))


def refuse_keys(table: SourceTable, keys: tuple[str, ...] | None) -> None:
    """Refuse `keys` for a table that has none."""
    if keys is not None:
        message = f"{table.place}: {option('keys', '/'.join(keys))} cannot be used, because the file has no keys, and is no wide table."
        raise OptionError(message)


def _with_entries(columns: dict[str, Sequence[Any] | Floats], table: SourceTable) -> dict[str, Sequence[Any] | Floats]:
    """Return the columns with what the positions in lists count: runs, or the evaluations of runs that keys name."""
    if "run" not in columns:
        return {**columns, "run": table.columns["run"]}
    if "step" in columns or "task" in table.columns:
        raise DataError(
            f"{table.place}: the names {_shown(list(map(str, columns['run'])))} look like runs, but each holds runs; say what they are with "
            f"{option('keys', 'algorithm')}."
        )
    return {**columns, "step": [float(entry) + 1 for entry in table.columns["run"]]}


def _taken(table: SourceTable, keys: tuple[str, ...]) -> tuple[SourceTable, tuple[str, ...]]:
    if len(keys) != len(table.keys):
        message = f"{table.place}: {option('keys', '/'.join(keys))} names {len(keys)} level(s), the file has {len(table.keys)}."
        raise OptionError(message)
    left: list[str] = []
    for level, name in zip(keys, list(table.keys), strict=True):
        if level in NAMED:
            left.append(level)
        else:
            table = _only(table, name, level)
    return table, tuple(left)


def _only(table: SourceTable, name: str, key: str) -> SourceTable:
    labels = table.columns[name]
    rows = [index for index, label in enumerate(labels) if label == key]
    if not rows:
        raise OptionError(f"{table.place}: there is no key {key!r}; found {_shown(list(dict.fromkeys(labels)))}.")
    kept = {other: column for other, column in table.columns.items() if other != name}
    keys = {other: role for other, role in table.keys.items() if other != name}
    left_out = len(dict.fromkeys(labels)) - 1
    note = f"only what stands under {key!r} is read; {left_out} other key(s) of its level are left out"
    below = replace(table, columns=kept, keys=keys).some_rows(np.array(rows), note)
    return replace(below, row=named_row(below.columns))


def decided(levels: Sequence[Sequence[str]], usual: Sequence[str], around: Around, place: str) -> tuple[str, ...]:
    """Return the role of each level of keys, outermost first; a `DataError` asks for the roles where they cannot be told."""
    meanings = [meaning_of(labels) for labels in levels]
    for labels, what in zip(levels, meanings, strict=True):
        # {PPO: …, PPO_std: …}: a spread among algorithms would take part in the comparison.
        if what == "metric":
            spreads = any(is_spread(re.split(r"[ _.:-]", label)[-1]) for label in labels)
            otherwise = (
                "give the score of every run"
                if spreads
                else f"say what all the names are: {option('keys', '/'.join(usual))}"
            )
            raise DataError(
                f"{place}: {_shown(metrics_among(labels))} among the names {_shown(labels)} are named like metrics, steps or times; leave them "
                f"out, or {otherwise}."
            )
        if what == "pair":
            raise DataError(
                f"{place}: the names {_shown(labels)} are of an algorithm and a task together; make it one row per score, with columns for the "
                "algorithm, the task, the run and the score."
            )
        if what is not None and what in NOT_NAMES:
            raise DataError(_undecided(place, labels, NOT_NAMES[what], usual))
    if len(levels) == 1:
        return (_single(levels[0], meanings[0], usual[0], around, place),)
    # of two levels, the one that is not told follows from the other
    outer, inner = (None if what is None else str(what) for what in meanings)
    beside = {"task": "algorithm", "algorithm": "task"}
    # Names such as `ours` and `baseline` say that the level is one of algorithms.
    if outer is None and inner is None:
        outer, inner = ("algorithm" if any(map(is_contender, labels)) else None for labels in levels)
    if outer is None and inner is None:
        # The documented order, {algorithm: {task: …}}; the notes say that it was taken.
        return tuple(usual)
    outer = outer or beside.get(str(inner), usual[0])
    inner = inner or beside.get(outer, usual[1])
    if outer == inner:
        why = f"and {_shown(levels[1])} inside them both look like {meanings[0]}s"
        raise DataError(_undecided(place, levels[0], why, usual))
    return outer, inner


def _refuse_unknown(levels: Sequence[Sequence[str]], usual: Sequence[str], place: str) -> None:
    """Refuse two levels above runs of whose names nothing is known: either may be that of the algorithms."""
    if not any(meaning_of(labels) or any(map(is_contender, labels)) for labels in levels):
        raise DataError(
            f"{place}: nothing says whether the outer names, {_shown(levels[0])}, are algorithms or tasks, nor the inner ones, "
            f"{_shown(levels[1])}; say it: {option('keys', '/'.join(usual))}, or {option('keys', '/'.join(reversed(usual)))}."
        )


def _single(labels: Sequence[str], meaning: Meaning | None, usual: str, around: Around, place: str) -> str:
    if meaning is not None:
        return str(meaning)
    # One file, or files that differ in a number alone, say nothing more: the usual meaning. Names that come again in
    # several files are what the files do not name.
    if not around.shared or around.numbered or usual == "task":
        return usual
    if around.files_name in ("algorithm", "task"):
        return "task" if around.files_name == "algorithm" else "algorithm"
    raise DataError(_undecided(place, labels, "stand in several files, and may be algorithms or tasks", [usual]))


def _undecided(place: str, labels: Sequence[str], why: str, usual: Sequence[str]) -> str:
    single = len(usual) == 1
    if single and why == NOT_NAMES["parts"]:
        return f"{place}: the names {_shown(labels)} {why}; name the one to take: {option('keys', sorted(labels)[0])}."
    example = option("keys", "task" if single else "task/algorithm")
    other = "" if single else f", or only one key: {option('keys', f'{labels[0]}/{usual[1]}')}"
    return f"{place}: the names {_shown(labels)} {why}; say what they are: {example} (algorithm, task or run){other}."


def _shown(labels: Sequence[str]) -> str:
    return listed(list(dict.fromkeys(labels)), 4)


# ── wide tables: one row per score ──────────


BESIDE = ("step", "iteration", "episode", "time", "rate", "stage")
"""Kinds of columns that may stand beside the heads of a wide table; they are left out, and named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """The parts of a wide table: its heads, the columns beside them that play a role, and those that are left out."""

    heads: tuple[str, ...]
    kept: Mapping[str, str]
    beside: tuple[str, ...]


def heads_of(table: SourceTable, chosen: Mapping[str, str | None], *, guess: bool = True) -> Wide | None:
    """Return the parts of a table that may be wide, None if it has a score or holds text beside labels; `guess` finds steps by their values."""
    names = list(table.columns)
    if plays(names, "score", chosen):
        return None
    wanted = [role for role in NAMED if plays(names, role, chosen)]
    if chosen.get("step") or candidates(free_columns(names, chosen), "step"):
        wanted.append("step")
    kept = recognise(names, wanted=wanted, chosen=chosen, place=table.place)
    if guess and "step" not in kept and (step := _steps(table, kept)) is not None:
        kept["step"] = step
    used = {*kept.values(), *filter(None, kept.get("task", "").split("/"))}
    free = unused_columns(table, used)
    beside = [name for name in free if kind(name) in BESIDE or names_attempts(name)]
    # Spreadsheets have a column `mean` beside `seed 1`, `seed 2`; beside algorithms a column of that name is doubtful
    # and stays a head.
    summing = [name for name in free if is_summary(name)]
    if summing and meaning_of([name for name in free if name not in (*beside, *summing)]) == "run":
        beside += summing  # means of runs that stand beside them
    return Wide(heads=tuple(name for name in free if name not in beside), kept=kept, beside=tuple(beside))


def _steps(table: SourceTable, kept: Mapping[str, str]) -> str | None:
    """Return the first column that plays no role if it rises evenly, as steps do, and is not named as an algorithm or a task."""
    # Only the first column: steps stand there in every logger's export, and elsewhere numbers that rise evenly may be
    # scores of 0, 10, 20.
    name = next((name for name in table.columns if name not in kept.values()), "")
    named = is_algorithm(name) or is_task(name)
    return name if name in table.columns and not named and rises_evenly(table.columns[name]) else None


def melted(
    table: SourceTable, chosen: Mapping[str, str | None], keys: tuple[str, ...] | None, around: Around
) -> SourceTable:
    """Return a wide table with one row per score; `NotRuns` says that it is none, a `DataError` that heads, rows or cells cannot be told."""
    wide = heads_of(table, chosen, guess=keys is None)
    if wide is None or not wide.heads or (len(wide.heads) == 1 and wide.kept):
        raise NotRuns(neutral(missing_column("score", list(table.columns), table.place)))
    if any(head.endswith(("__MIN", "__MAX")) for head in wide.heads):
        raise NotRuns(
            f"{table.place}: this looks like a chart exported by Weights & Biases, grouped or sampled, whose values are not those of the runs; "
            "export the runs' history, or read the wandb folder."
        )
    table, outcome = _scored(table, wide)
    wide = _with_label(table, wide, around)
    if keys is not None and len(keys) != 1:
        message = f"{table.place}: a wide table has one level of names; {option('keys', 'task')} says what they are."
        raise DataError(message)
    role = keys[0] if keys is not None else _role(table, wide, around)
    if role in wide.kept:
        raise DataError(
            f"{table.place}: the heads {listed(wide.heads[:4])} look like {role}s, but column {wide.kept[role]!r} names the {role}s already; "
            f"say what the heads are: {option('keys', 'algorithm')} (or task, run)."
        )
    if "step" in wide.kept and role != "run":
        step = wide.kept["step"]
        otherwise = "" if kind(step) else f", or say {option('keys', role)} if it is a {role} as the others are"
        raise NotRuns(
            f"{table.place}: column {step!r} holds steps, but no column is recognised as the score; learning curves are read from a tidy table "
            f"with one row per evaluation: make it one{otherwise}."
        )
    if role == "algorithm" and keys is None:
        _refuse_labels(table, wide)
    if role != "run" and "run" not in wide.kept and not each_row_is_a_run(list(table.columns), chosen):
        none = [""] * table.n_rows
        labels = next((table.columns[wide.kept[role]] for role in ("algorithm", "task") if role in wide.kept), none)
        cells = cells_of(labelled(labels), labelled(none))
        refuse_counted(table.columns, wide.beside, cells, table.place, with_step=False)
        if outcome is not None and int(cells.max()) + 1 < cells.size:
            raise refuse_outcomes(outcome, table.place)
    return _one_row_per_score(table, wide, role)


def _scored(table: SourceTable, wide: Wide) -> tuple[SourceTable, str | None]:
    """Return a wide table with numbers for true, false and percent, and the first head of true and false; refuse percent beside others."""
    scores = {head: outcomes(table.columns[head]) for head in wide.heads}
    read = {
        head: values for head, values in scores.items() if all(is_empty(v) or parsed(v) is not None for v in values)
    }
    percent = [head for head in read if in_percent(table.columns[head])]
    other = next((head for head in read if percent and head not in percent), None)
    if other is not None:
        raise DataError(
            f"{table.place}: column {percent[0]!r} is in percent and column {other!r} is not; give all scores in percent, or none."
        )
    outcome = next(
        (h for h in read if any(str(v).strip().casefold() in chain(*YES_NO) for v in table.columns[h])), None
    )
    notes = (*table.notes, PERCENT) if percent else table.notes
    return replace(table, columns={**table.columns, **read}, notes=notes), outcome


def _refuse_labels(table: SourceTable, wide: Wide) -> None:
    """Refuse a head among algorithms that holds 0, 1, 2 … again and again, where no other does: it may label the rows."""
    codes = []
    for head in wide.heads:
        values = as_far_as_numbers(table.columns[head])
        few = np.unique(values)
        counted = any(np.array_equal(few, np.arange(first, first + few.size)) for first in (0, 1))
        # 0, 1, 2, 0, 1, 2 beside returns: seeds or levels without a telling name.
        codes += [head] if counted and 2 <= few.size <= values.size / 2 else []
    if len(codes) == 1 and len(wide.heads) > 2:
        raise DataError(
            f"{table.place}: column {codes[0]!r} holds a few whole numbers again and again, where no other column does: are they scores of an "
            f"algorithm? If so, say {option('keys', 'algorithm')}; if they label the rows, name what they are: {column('task', codes[0])}, or "
            "run."
        )


def _role(table: SourceTable, wide: Wide, around: Around) -> str:
    if meaning_of(wide.heads) == "number" and {"task", "step"} & set(wide.kept):
        return "run"
    if "algorithm" in wide.kept and meaning_of(wide.heads) not in ("task", "run"):
        raise NotRuns(f"{neutral(missing_column('score', list(table.columns), table.place))}{_if_tasks(table, wide)}")
    parts = meaning_of(wide.heads) == "runs_of" and parts_of(wide.heads)
    role = "run" if parts else decided([wide.heads], ["algorithm"], around, table.place)[0]
    n_rows = table.n_rows
    if role == "run" and n_rows > 1 and not {"task", "step", "algorithm"} & set(wide.kept):
        raise DataError(
            f"{table.place}: the heads {listed(wide.heads[:4])} name runs, but nothing says what the {n_rows} rows are; name the column of "
            f"tasks or steps: {column('task')}."
        )
    return role


def _if_tasks(table: SourceTable, wide: Wide) -> str:
    """Return what to say if heads of numbers beside algorithms are tasks; those that surely are none have to go first."""
    numeric = all(parsed(value) is not None for head in wide.heads for value in table.columns[head])
    if not numeric or summed_up(wide.heads) is not None:
        return ""
    others = [
        head
        for head in wide.heads
        if kind(head) is not None or is_summary(head) or "@" in head or OF_MODELS & {*words(head)}
    ]
    tasks = [head for head in wide.heads if head not in others]
    without = f"remove {listed(others)} and " if others else ""
    return (
        f" If {listed(tasks[:3])} are tasks, or runs, {without}say {option('keys', 'task')}, or run."
        if tasks[1:]
        else ""
    )


OF_MODELS = vocabulary("rank votes params parameters size elo price cost year date count n")
"""Words of columns of a leaderboard that are no tasks."""


# ── what the rows are ──────────


def _with_label(table: SourceTable, wide: Wide, around: Around) -> Wide:
    text = [
        name
        for name in wide.heads
        if all(is_empty(value) or parsed(value) is None for value in table.columns[name])
        and not all(map(is_empty, table.columns[name]))
    ]
    if not text:
        return wide
    # A table of a paper, which has no runs.
    if any(re.search(r"\d\s*(±|\+/-|\\pm)\s*\d", str(value)) for name in text for value in table.columns[name]):
        judge = choice("claims", f"runoff claims {table.place}")
        raise NotRuns(
            f"{table.place}: the cells hold means and spreads of runs that are not there; judge what such a table claims with {judge}, or give "
            "the score of every run."
        )
    if len(text) > 1 or len(text) == len(wide.heads):
        raise NotRuns(
            f"{table.place}: no column is recognised as the algorithm or the score (is the header line missing?), and column {text[0]!r} "
            "holds no numbers, so this is not a table with one column per algorithm either; name the columns with "
            f"{column('algorithm')} and {column('score')}."
        )
    labels = [str(value) for value in table.columns[text[0]]]
    meaning = meaning_of(labels)
    role = str(meaning) if meaning in NAMED else None
    if role is None and around.shared and meaning_of([h for h in wide.heads if h != text[0]]) == "run":
        role = "task"
    if role is None or role in wide.kept:
        first, *others = [name for name in ("task", "algorithm", "run") if name not in wide.kept] or NAMED
        raise DataError(
            f"{table.place}: column {text[0]!r} holds names ({listed(list(dict.fromkeys(labels))[:3])}), and what they are cannot be told; say "
            f"it: {', or '.join([column(first, text[0]), *others])}."
        )
    heads = tuple(head for head in wide.heads if head != text[0])
    return replace(wide, heads=heads, kept={**wide.kept, role: text[0]})


# ── one row per score ──────────


def _one_row_per_score(table: SourceTable, wide: Wide, role: str) -> SourceTable:
    for name in wide.heads:
        if all(parsed(value) is None for value in table.columns[name]):
            message = f"{table.place}: column {name!r} holds no numbers; name the column of scores: {column('score')}."
            raise NotRuns(message)
    # the lengths of columns without the empty cells at their ends
    cells = {name: table.columns[name] for name in wide.heads}
    # Columns of algorithms with fewer runs end sooner; a gap within a column is a missing score and refused.
    lengths = [next(n for n in range(table.n_rows, 0, -1) if not is_empty(own[n - 1])) for own in cells.values()]
    rows = np.concatenate([np.arange(n) for n in lengths])
    scores = [
        numbers(replace(table, columns={name: some_rows(own, np.arange(n))}), name, "score")
        for (name, own), n in zip(cells.items(), lengths, strict=True)
    ]
    columns: dict[str, Sequence[Any] | Floats] = {
        role: Labels(wide.heads, np.repeat(np.arange(len(wide.heads)), lengths)),
        "score": np.concatenate(scores),
    }
    columns |= {kept: some_rows(table.columns[name], rows) for kept, name in wide.kept.items()}
    return SourceTable(
        columns=columns,
        place=table.place,
        row=lambda index: f"{table.row(int(rows[index]))}, column {columns[role][index]!r}",
        structural=True,
        notes=(*table.notes, *_notes(wide, lengths, role)),
    )


def _notes(wide: Wide, lengths: Sequence[int], role: str) -> list[str]:
    shown = ", ".join(map(repr, wide.heads[:8])) + (", …" if len(wide.heads) > 8 else "")
    article = "an" if role == "algorithm" else "a"
    notes = [f"a wide table: each of the {len(wide.heads)} column(s) {shown} is taken as {article} {role}"]
    notes += [
        f"column {name!r} {'holds' if kept == 'step' else 'names'} the {kept}s" for kept, name in wide.kept.items()
    ]
    if wide.beside:
        notes.append(f"columns not used: {listed(wide.beside)}")
    short = {name: n for name, n in zip(wide.heads, lengths, strict=True) if n < max(lengths)}
    if short:
        counts = ", ".join(f"{name!r} has {n}" for name, n in list(short.items())[:8])
        note = f"empty cells at the end of a column are taken as runs that were not made: {counts} of {max(lengths)}"
        notes.append(note)
    return notes
