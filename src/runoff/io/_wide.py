"""A wide table → one row per score: the heads name algorithms, tasks or runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runoff.base.arrays import Ints
from runoff.errors import DataError
from runoff.io._keys import Around, decided
from runoff.io._known import said_by
from runoff.io.formats import NotRuns
from runoff.tables.columns import candidates, each_row_is_a_run, listed, missing_column, plays, recognise
from runoff.tables.tidy import Table, numbers, parsed, unused_columns
from runoff.tables.unnamed import cells_of, refuse_counted
from runoff.words.speech import column, option
from runoff.words.words import kind

BESIDE = ("step", "iteration", "episode", "time", "rate", "stage")
"""Kinds of columns that may stand beside the heads of a wide table; they are left out, and named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """The parts of a wide table: its heads, the columns beside them that play a role, and those that are left out."""

    heads: tuple[str, ...]
    kept: Mapping[str, str]
    beside: tuple[str, ...]


def heads_of(table: Table, chosen: Mapping[str, str | None]) -> Wide | None:
    """Return the parts of a table that may be wide, None if it has a score or holds text beside labels."""
    names = list(table.columns)
    if plays(names, "score", chosen):
        return None
    wanted = [role for role in ("algorithm", "task", "run") if plays(names, role, chosen)]
    if chosen.get("step") or candidates([n for n in names if n not in chosen.values()], "step"):
        wanted.append("step")
    kept = recognise(names, wanted=wanted, chosen=chosen, place=table.place)
    free = [name for name in unused_columns(table, kept.values()) if name not in kept.values()]
    beside = [name for name in free if kind(name) in BESIDE]
    return Wide(heads=tuple(name for name in free if name not in beside), kept=kept, beside=tuple(beside))


def melted(table: Table, chosen: Mapping[str, str | None], keys: tuple[str, ...] | None, around: Around) -> Table:
    """Return a wide table with one row per score.

    Raises
    ------
    NotRuns
        It is no wide table.
    DataError
        What its heads or rows are cannot be told, or a cell holds no number.
    """
    wide = heads_of(table, chosen)
    if wide is None or not wide.heads or (len(wide.heads) == 1 and wide.kept):
        raise NotRuns(str(missing_column("score", list(table.columns), table.place)))
    _refuse_exports(table, wide)
    wide = _with_label(table, wide, around)
    if keys is not None and len(keys) != 1:
        raise DataError(
            f"{table.place}: a wide table has one level of names; {option('keys', 'task')} says what they are."
        )
    role = keys[0] if keys is not None else _role(table, wide, around)
    if role in wide.kept:
        raise DataError(
            f"{table.place}: the heads {listed(wide.heads[:4])} look like {role}s, but column {wide.kept[role]!r} names the {role}s already; "
            f"say what the heads are: {option('keys', 'algorithm')} (or task, run)."
        )
    _refuse_steps(table, wide, role)
    if role == "algorithm" and keys is None:
        _refuse_labels(table, wide)
    if role != "run" and "run" not in wide.kept and not each_row_is_a_run(list(table.columns), chosen):
        refuse_counted(table.columns, wide.beside, _cells(table, wide), table.place, with_step=False)
    return _one_row_per_score(table, wide, role)


def _cells(table: Table, wide: Wide) -> Ints:
    """Return which row of labels each row has, int64 (n_rows,)."""
    none = [""] * table.n_rows
    labels = next((table.columns[wide.kept[role]] for role in ("algorithm", "task") if role in wide.kept), none)
    return cells_of([str(value) for value in labels], none)


def _refuse_labels(table: Table, wide: Wide) -> None:
    """Refuse a head among algorithms that holds 0, 1, 2 … again and again, where no other does: it may label the rows."""
    found = [
        head for head in wide.heads if _is_code([parsed(value) for value in table.columns[head] if not _empty(value)])
    ]
    if len(found) != 1 or len(wide.heads) < 3:
        return
    raise DataError(
        f"{table.place}: column {found[0]!r} holds a few whole numbers again and again, where no other column does: are they scores of an "
        f"algorithm? If so, say {option('keys', 'algorithm')}; if they label the rows, name what they are: {column('task', found[0])}, or run."
    )


def _is_code(values: Sequence[float | None]) -> bool:
    known = {value for value in values if value is not None}
    return 2 <= len(known) <= len(values) / 2 and known in ({*range(len(known))}, {*range(1, len(known) + 1)})


def _role(table: Table, wide: Wide, around: Around) -> str:
    if said_by(wide.heads) == "number" and {"task", "step"} & set(wide.kept):
        return "run"
    if "algorithm" in wide.kept and said_by(wide.heads) != "task":
        raise NotRuns(str(missing_column("score", list(table.columns), table.place)))
    role = decided([wide.heads], ["algorithm"], around, table.place)[0]
    n_rows = table.n_rows
    if role == "run" and n_rows > 1 and not {"task", "step", "algorithm"} & set(wide.kept):
        raise DataError(
            f"{table.place}: the heads {listed(wide.heads[:4])} name runs, but nothing says what the {n_rows} rows are; name the column of "
            f"tasks or steps: {column('task')}."
        )
    return role


def _refuse_exports(table: Table, wide: Wide) -> None:
    if any(head.endswith(("__MIN", "__MAX")) for head in wide.heads):
        raise NotRuns(
            f"{table.place}: this looks like a chart exported by Weights & Biases, grouped or sampled, whose values are not those of the runs; "
            "export the runs' history, or read the wandb folder."
        )


def _refuse_steps(table: Table, wide: Wide, role: str) -> None:
    if "step" in wide.kept and role != "run":
        raise NotRuns(
            f"{table.place}: column {wide.kept['step']!r} holds steps, but no column is recognised as the score; "
            "learning curves are read from a tidy table with one row per evaluation."
        )


# ── what the rows are ──────────


def _with_label(table: Table, wide: Wide, around: Around) -> Wide:
    """Return the parts with a column of text among the heads as the label of the rows."""
    text = [name for name in wide.heads if _is_text(table, name)]
    if not text:
        return wide
    if len(text) > 1 or len(text) == len(wide.heads):
        raise NotRuns(
            f"{table.place}: no column is recognised as the algorithm or the score (is the header line missing?), and column {text[0]!r} "
            "holds no numbers, so this is not a table with one column per algorithm either; name the columns with "
            f"{column('algorithm')} and {column('score')}."
        )
    labels = [str(value) for value in table.columns[text[0]]]
    said = said_by(labels)
    role = str(said) if said in ("algorithm", "task", "run") else None
    if role is None and around.shared and said_by([h for h in wide.heads if h != text[0]]) == "run":
        role = "task"
    if role is None or role in wide.kept:
        raise DataError(
            f"{table.place}: column {text[0]!r} holds names ({listed(list(dict.fromkeys(labels))[:3])}), and what they are cannot be told; say "
            f"it: {column('task', text[0])}, or algorithm, or run."
        )
    heads = tuple(head for head in wide.heads if head != text[0])
    return replace(wide, heads=heads, kept={**wide.kept, role: text[0]})


def _is_text(table: Table, name: str) -> bool:
    values = [value for value in table.columns[name] if not _empty(value)]
    return bool(values) and all(parsed(value) is None for value in values)


# ── one row per score ──────────


def _one_row_per_score(table: Table, wide: Wide, role: str) -> Table:
    for name in wide.heads:
        if all(parsed(value) is None for value in table.columns[name]):
            raise NotRuns(
                f"{table.place}: column {name!r} holds no numbers; name the column of scores: {column('score')}."
            )
    lengths = [_filled(table, name) for name in wide.heads]
    columns: dict[str, Sequence[Any]] = {
        role: [name for name, n in zip(wide.heads, lengths, strict=True) for _ in range(n)],
        "score": [v for name, n in zip(wide.heads, lengths, strict=True) for v in _scores(table, name, n)],
    }
    for kept, name in wide.kept.items():
        columns[kept] = [value for n in lengths for value in table.columns[name][:n]]
    return Table(
        columns=columns,
        place=table.place,
        row=_rows(table, columns[role], [index for n in lengths for index in range(n)]),
        structural=True,
        notes=(*table.notes, *_notes(wide, lengths, role)),
    )


def _rows(table: Table, heads: Sequence[Any], rows: Sequence[int]) -> Callable[[int], str]:
    return lambda index: f"{table.row(rows[index])}, column {heads[index]!r}"


def _filled(table: Table, name: str) -> int:
    """Return the length of a column without the empty cells at its end."""
    values = table.columns[name]
    n = len(values)
    while n and _empty(values[n - 1]):
        n -= 1
    return n


def _empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _scores(table: Table, name: str, n: int) -> list[float]:
    return list(numbers(replace(table, columns={name: table.columns[name][:n]}), name, "score"))


def _notes(wide: Wide, lengths: Sequence[int], role: str) -> list[str]:
    shown = ", ".join(map(repr, wide.heads[:8])) + (", …" if len(wide.heads) > 8 else "")
    article = "an" if role == "algorithm" else "a"
    notes = [f"a wide table: each of the {len(wide.heads)} column(s) {shown} is taken as {article} {role}"]
    if wide.beside:
        notes.append(f"columns not used: {listed(wide.beside)}")
    short = {name: n for name, n in zip(wide.heads, lengths, strict=True) if n < max(lengths)}
    if short:
        counts = ", ".join(f"{name!r} has {n}" for name, n in list(short.items())[:8])
        notes.append(
            f"empty cells at the end of a column are taken as runs that were not made: {counts} of {max(lengths)}"
        )
    return notes
