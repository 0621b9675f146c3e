"""Columns before roles are assigned: columns that the user joins or excludes, and copies of a column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import pairwise
from typing import Any

import numpy as np

from runoff.errors import DataError, OptionError, nearest
from runoff.tables.columns import (
    NAMED,
    ROLES,
    ROWS,
    UNUSED,
    column_of,
    columns_of,
    listed,
    naming,
    not_there,
    playing,
    roles_of,
)
from runoff.tables.labels import Values, cells_alike, labelled, n_pairs, paired
from runoff.tables.likely import Chosen, candidates, plays
from runoff.tables.lists import stepped, unlisted, without_spreads
from runoff.tables.others import FLAGS, STATUS
from runoff.tables.settings import tunes, with_counts_that_are_settings, with_settings_asked
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import changes_within
from runoff.tables.values import floats
from runoff.words.columns import names_runs
from runoff.words.names import NO_SINGLE_RUNS
from runoff.words.patterns import regex
from runoff.words.speech import BLANK, column, option
from runoff.words.words import canonical, kind, vocabulary, words

COPY = regex(r"(?P<name>.+)\.(?P<number>[1-9]\d?)")
"""The name that pandas gives to the second of two columns with the same name: `score.1`."""


def with_chosen(table: SourceTable, chosen: Chosen, beside: frozenset[str] = frozenset()) -> SourceTable:
    """Return the table without excluded columns and copies; several columns with one role become a single column, such as `domain/task`.

    beside: columns that describe tasks, which stay even if they are part of a joined name.
    """
    # As pandas calls it, for "" stands for no column; beside heads of names a blank corner is none.
    tidy = "" in table.columns and len(table.columns) > 2 and plays(table.columns, "score", chosen)
    if tidy or any(BLANK in (name or "") for name in chosen.values()):
        table = replace(table, columns={name or BLANK: values for name, values in table.columns.items()})
    table = without_spreads(_of_rows(table, chosen), chosen)
    table = with_counts_that_are_settings(with_settings_asked(stepped(unlisted(table, chosen), chosen), chosen), chosen)
    columns, notes = dict(table.columns), list(table.notes)
    if not plays(columns, "score", chosen) and (runs := with_runs_of_heads(list(columns.items()))) is not None:
        columns = dict(runs)
        notes.append(f"headers that stand there again are runs: {listed(list(columns), 4)}")
    unused = unused_in(chosen.get(UNUSED), columns)
    table = replace(table, unmet=frozenset(unused).difference(columns))
    unused = [name for name in unused if columns.pop(name, None) is not None]
    notes += [f"columns not used, by request: {listed(unused)}"] if unused else []
    notes += _without_copies(columns, chosen, table.place)
    for role in NAMED:
        name = chosen.get(role) or ""
        parts = name.split("/")
        if name in columns or len(parts) < 2 or not {*parts} <= columns.keys():
            continue
        first, *others = (labelled(columns[part]) for part in parts)
        columns[name] = reduce(partial(paired, words="{}/{}"), others, first)
        for part in parts:
            if part not in chosen.values() and part not in beside:
                del columns[part]
        notes.append(f"columns {listed(parts)} name the {role} together, by request")
    return replace(table, columns=columns, notes=tuple(notes)) if notes != list(table.notes) else table


def _of_rows(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the rows that the user chooses by the values of columns, `split=test`, `split!=train`; never some runs, steps or scores."""
    wanted: dict[tuple[str, str], list[str]] = {}
    for part in unused_in(chosen.get(ROWS)):
        name, _, value = (text.strip() for text in part.partition("="))
        sign = "≠" if name.endswith("!") else "="
        wanted.setdefault((name.removesuffix("!").strip() if sign == "≠" else name, sign), []).append(value)
    for (name, sign), values in wanted.items():
        _refuse_choice(table, name, chosen)
        labels = labelled(table.columns[name])
        named = [label for label in labels.names if any(_is_value(label, value) for value in values)]
        absent = next((value for value in values if not any(_is_value(label, value) for label in named)), None)
        if absent is not None:
            there = listed(list(labels.names), 8)
            raise OptionError(
                f"{table.place}: column {name!r} has no row with {absent!r}; it holds {there}.{nearest(absent, labels.names)}"
            )
        fit = labels.rows(named)
        rows = np.flatnonzero(fit if sign == "=" else ~fit)
        if not rows.size:
            raise OptionError(
                f"{table.place}: no row is left without {listed(values)} in column {name!r}; keep one at least."
            )
        kept = f"only rows with {name} {sign} {' or '.join(values)}, by request: {rows.size:,} of {table.n_rows:,}"
        table = table.some_rows(rows, kept)
    return table


def _refuse_choice(table: SourceTable, name: str, chosen: Chosen) -> None:
    """Refuse to choose rows by a column that is not there, or whose values are runs, steps or scores."""
    if name not in table.columns:
        raise not_there(table.place, "column", name, list(table.columns), " to choose rows by")
    if canonical(name) in FLAGS | STATUS:
        raise OptionError(
            f"{table.place}: column {name!r} says how runs ended, by which no rows are chosen: {option('incomplete', 'drop')} leaves failed "
            "runs out, and says so."
        )
    role = next((r for r in ("run", "step", "score") if name in (chosen.get(r), *candidates([name], r))), None)
    if role is not None:
        raise OptionError(
            f"{table.place}: column {name!r} is the {role}, by which no rows are chosen: {NO_SINGLE_RUNS}."
        )
    if not tunes(name) and (_holds_results(table, name, chosen) or _tells_runs(table, name, chosen)):
        raise OptionError(
            f"{table.place}: column {name!r} is no setting by its name, and its values are those of single runs, or results, by which no rows "
            f"are chosen: {NO_SINGLE_RUNS}."
        )


OF_RESULTS = vocabulary("best rank place winner selected chosen picked kept keep top exit code")
"""Words of columns that say how a run did among others."""
YES_OR_NO = vocabulary("true false yes no y n") | {""}


def _holds_results(table: SourceTable, name: str, chosen: Chosen) -> bool:
    """Return whether a column may hold results: it says so, or has numbers of something measured, or such as wide tables have below names."""
    if OF_RESULTS.intersection(words(name)) or kind(name) == "time":
        return True
    labels = kind(name) == "stage" or bool(roles_of(name, NAMED[:2]))
    measured = kind(name) is not None or not plays(table.columns, "score", chosen)
    return measured and not labels and floats(table.columns[name], gaps=True) is not None


def _tells_runs(table: SourceTable, name: str, chosen: Chosen) -> bool:
    """Return whether the rows of one algorithm and task, or whole runs, have numbers of their own in a column, or yes and no; or most rows have
    a text that no other has."""
    roles = columns_of(NAMED, table.columns, chosen)
    labels = {role: labelled(table.columns[own]) for role, own in roles.items() if own in table.columns and own != name}
    values = labelled(table.columns[name])
    of_cells = [own for role, own in labels.items() if role != "run"]
    cells = cells_alike(of_cells, table.n_rows)
    if not changes_within(values, cells):
        return False
    flags = all(value.casefold() in YES_OR_NO for value in values.names)
    if not flags and floats(table.columns[name], gaps=True) is None:
        return 2 * len(values.names) > table.n_rows  # `/logs/run3` is of one run, `metric` of all
    if n_pairs(cells, values.codes) == table.n_rows:
        return True
    return "run" in labels and not changes_within(values, cells_alike([*of_cells, labels["run"]], table.n_rows))


def refuse_rows(chosen: Mapping[str, str], reason: str) -> None:
    """Refuse a choice of rows by columns that are not there."""
    if ROWS in chosen:
        raise OptionError(f"{column(ROWS, chosen[ROWS])} chooses rows of a table, and {reason}: leave it out.")


def _is_value(label: str, value: str) -> bool:
    """Return whether a label is a value as it was typed: as text, or as a number."""
    return label == value or ((number := _number(value)) is not None and number == _number(label))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def unused_in(given: str | None, columns: Iterable[str] = ()) -> list[str]:
    """Return the names in a comma-separated list, recognising column names that contain commas themselves."""
    return (
        [given] if given and given in columns else [name.strip() for name in (given or "").split(",") if name.strip()]
    )


def refuse_absent(tables: Sequence[SourceTable]) -> None:
    """Refuse names to exclude that no column and no label in any of the tables has."""
    for name in sorted(frozenset.intersection(*(table.unmet for table in tables))):
        texts = [values for table in tables for values in table.columns.values() if floats(values) is None]
        heads = [head for table in tables for head in table.columns]
        if not any(
            name in label for labels in (heads, *(labelled(values).names for values in texts)) for label in labels
        ):
            raise not_there(tables[0].place, "column", name, list(tables[0].columns), " to leave unused")


def some_names(table: SourceTable, chosen: Chosen, only: Mapping[str, Sequence[str]]) -> SourceTable | None:
    """Return the rows of some algorithms and tasks, None if there are none; a role without a column excludes nothing.

    A name that a rule may have completed (`PPO (lr 0.1)`, `walker/run`) keeps the rows of its stem; the final selection comes later.
    """
    for role, wanted in only.items():
        column = column_of(role, table.columns, chosen)
        if column not in table.columns:
            continue
        labels = labelled(table.columns[column])
        kept = [name for name in labels.names if any(_is_part(name, whole) for whole in wanted)]
        rows = np.flatnonzero(labels.rows(kept))
        if not rows.size:
            return None
        table = table.some_rows(rows)
    return table


def _is_part(name: str, whole: str) -> bool:
    folded, wanted = name.casefold(), whole.casefold()
    return wanted == folded or wanted.startswith(f"{folded} (") or folded in wanted.split("/")


def with_runs_of_heads(columns: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]] | None:
    """Return columns whose heads of scores all stand there equally often, called by the runs that they are: `PPO, PPO` or `PPO, PPO.1` are
    `PPO_seed1, PPO_seed2`; None of other columns."""
    names = [name for name, _ in columns]
    copies = [match["name"] if (match := COPY.fullmatch(name)) and match["name"] in names else name for name in names]
    if len({*copies}) == len(copies):
        return None
    roles = playing(copies, ROLES)
    labels = {name for name, (_, values) in zip(copies, columns, strict=True) if floats(values) is None}
    counts = Counter(name for name in copies if name not in roles | labels and kind(name) is None)
    # Between two blocks of other measures the same names stand there again as well, but not side by side.
    blocks = 1 + sum(first != second for first, second in pairwise([name for name in copies if counts[name]]))
    if (
        blocks != len(counts)
        or {*counts.values()} - {max(counts.values(), default=1)}
        or len({*copies} - {*counts}) + sum(counts.values()) < len(copies)
    ):
        return None
    seen: Counter[str] = Counter()
    called = []
    for name in copies:
        seen[name] += 1
        # `independent runs` over four columns names nothing.
        runs = names_runs(re.sub(r"^\d+\s+", "", name).removesuffix("s"))
        called.append((f"run {seen[name]}" if runs else f"{name}_seed{seen[name]}") if counts[name] > 1 else name)
    return list(zip(called, (values for _, values in columns), strict=True))


def _without_copies(columns: dict[str, Values], chosen: Chosen, place: str) -> list[str]:
    """Remove columns that repeat another, and return a note on them; refuse a second column of the same name with other content."""
    copies = {name: match["name"] for name in columns if (match := COPY.fullmatch(name)) and match["name"] in columns}
    repeated = [name for name, first in copies.items() if list(columns[name]) == list(columns[first])]
    wide = not plays(columns, "score", chosen)
    for name, first in copies.items():
        used = {name, first} & {*chosen.values()}
        if name in repeated or used or not (wide or roles_of(first, (*NAMED, "score", "step"))):
            continue
        if wide:
            raise DataError(
                f"{place}: the columns {first!r} and {name!r} have one name, to which pandas gave a number; for runs of one algorithm, call "
                f"them '{first}_seed1' and '{first}_seed2', else give each a name of its own, or leave one out: {column(UNUSED, name)}."
            )
        role = next(iter(roles_of(first, (*NAMED, "score", "step"))), "score")
        named = naming(role, place, first)
        raise DataError(
            f"{place}: the columns {first!r} and {name!r} have one name, to which pandas gave a number, and different values; name the one that "
            f"is the {role}: {named}, or give each a name of its own."
        )
    for name in repeated:
        del columns[name]
    return [f"left out: columns {listed(repeated)}, which repeat other columns"] if repeated else []
