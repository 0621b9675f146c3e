"""Tables of runs as trackers of experiments export them: dictionaries in cells are columns, and names and groups of runs name algorithms."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.base.grouping import distinct
from runoff.data.reference import stem
from runoff.reading._configured import flat
from runoff.reading._crossed import joins_two
from runoff.reading._known import meaning_of, named_run
from runoff.reading._named_texts import names_in_texts
from runoff.reading._parts import MOST_NAMES, lacking, named_by, with_names_of_paths
from runoff.reading.formats.log_lines import OF_JSON, UNQUOTED
from runoff.tables.columns import FRAME, NAMED, column_of
from runoff.tables.labels import Labels, Values, labelled
from runoff.tables.likely import CONFIGURED, Chosen, candidates, free_columns, plays
from runoff.tables.source import SourceTable
from runoff.tables.values import is_empty, parsed
from runoff.words.numbers import listed
from runoff.words.patterns import regex
from runoff.words.words import vocabulary

# ── dictionaries in cells ──────────

LONGEST = 1_000_000
"""Letters of a dictionary that is looked at."""


def unfolded(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table that lacks algorithms or scores with a column for each entry of the dictionaries in its cells, as the table of all runs of
    a project has them: `{'eval/return': 12.5, '_step': 100}`; those of configurations keep the name of their column."""
    if table.structural or all(plays(table.columns, role, chosen) for role in ("algorithm", "score")):
        return table
    # Records of JSON have readers of their own.
    objects = table.place == FRAME
    folded = {name: own for name, values in table.columns.items() if (own := _dictionaries(values, objects=objects))}
    if not folded:
        return table
    columns: dict[str, Values] = dict(table.others(*folded))
    for name, cells in folded.items():
        keys = list(dict.fromkeys(key for cell in cells for key in cell))
        refuse_beyond(
            "columns",
            len(columns) + len(keys),
            f"{table.place}: the dictionaries of column {name!r} have {len(keys)} entries",
        )
        refuse_beyond(
            "values",
            len(keys) * len(cells),
            f"{table.place}: the dictionaries of column {name!r} have {len(keys)} entries",
        )
        configures = bool(candidates([name], "config") or CONFIGURED.fullmatch(f"{name}."))
        for key in keys:
            called = f"{name}.{key}" if configures or key in columns else key
            columns[called] = ["" if (value := cell.get(key)) is None else str(value) for cell in cells]
    return table.noted(
        f"columns {', '.join(map(repr, folded))} hold dictionaries: each of their entries is a column", columns=columns
    )


def _dictionaries(values: Values, *, objects: bool) -> list[dict[str, Any]]:
    """Return the dictionaries in a column of nothing else; none of another column."""
    first = next((value for value in values[:100] if not is_empty(value)), None)
    if not ((objects and isinstance(first, dict)) or (isinstance(first, str) and first.lstrip().startswith("{"))):
        return []
    cells = [_dictionary(value) for value in values]
    read = [{} if cell is None else flat(cell) for cell in cells]
    return read if None not in cells and any(read) else []


def _dictionary(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict) or is_empty(value):
        return value or {}
    text = str(value).strip()
    if not (text.startswith("{") and text.endswith("}")) or len(text) > LONGEST:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        try:
            content = literal_eval(UNQUOTED.sub(lambda own: OF_JSON[own[1]], text))
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return None
    return content if isinstance(content, dict) and all(isinstance(key, str) for key in content) else None


# ── names of runs ──────────

NAMES = vocabulary("name display_name label experiment experiment_name sys/name job_name tags.mlflow.runname")
"""Heads of the names that runs have in trackers, in small letters."""
GROUPS = vocabulary("group run_group job_type tags sys/tags sys/group_tags")
IN_TEXT = regex(r"[()\[\]{}|#\s]+")
"""What parts the words of a name that a person wrote: `PPO Hopper (seed 1)`."""


def with_names_in_texts(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without algorithms with the names in a column of paths, or in those of runs."""
    return _with_names_of_runs(_with_pairs(with_names_of_paths(table, chosen), chosen), chosen)


PAIRS = vocabulary("exp_name run")
"""Heads of names that may be those of an algorithm and a task, where another column has the runs."""


def _with_pairs(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without tasks with the algorithm and the known task in each name of an experiment, `Ant-v4-PPO`, beside a column of
    seeds."""
    free = free_columns(table.columns, chosen)
    name = next((name for name in free if _head(name) in PAIRS), "")
    others = [own for own in free if own != name]
    lacks = [role for role in lacking(others, chosen) if role != "run"]
    beside = plays(table.columns, "score", chosen) and plays(others, "run", chosen)
    if not name or len(lacks) < 2 or not beside or len((labels := labelled(table.columns[name])).names) > MOST_NAMES:
        return table
    named = names_in_texts([tuple(own.split("/")) for own in labels.names], lacks, one_run=False) or {}
    # What stands beside known tasks is an algorithm, though nobody knows it.
    both = {*named} == {*lacks} and meaning_of(named["task"]) == "task"
    return named_by(table, name, labels, named, _said(name, named)) if both else table


def _with_names_of_runs(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without algorithms with the names in those of its runs, `ppo-hopper-seed1` in column `Name`, read as those of folders are,
    if each run has a name of its own; or with the algorithms by which its runs are grouped."""
    free = free_columns(table.columns, chosen)
    lacks = lacking(free, chosen)
    if "algorithm" not in lacks or not plays(table.columns, "score", chosen):
        return table
    names = {name: labelled(table.columns[name]) for name in free if _head(name) in NAMES}
    of_rows = [name for name, own in names.items() if len(own.names) == table.n_rows > 1]
    # A run that was started again has its name twice.
    stepped = plays(free, "step", chosen)
    one_each = {
        name: own
        for name, own in names.items()
        if len(own.names) <= MOST_NAMES and (stepped or 3 * len(own.names) > 2 * table.n_rows > 2)
    }
    for name, labels in one_each.items():
        if named := _of_runs(table, labels, lacks, chosen):
            ids = _ids_of_rows(table, chosen) if "run" in named else []
            return named_by(replace(table, columns=table.others(*ids)), name, labels, named, _said(name, named))
    grouped = table
    for name in (name for name in free if _head(name) in GROUPS):
        labels = _without_tasks(table, labelled(table.columns[name]), chosen)
        named = _of_groups(labels, [role for role in lacks if role not in grouped.columns])
        grouped = named_by(grouped, name, labels, named, _said(name, named)) if named else grouped
    if "algorithm" not in grouped.columns:
        return table
    if "run" not in lacks or not of_rows:
        return grouped
    columns = {"run": grouped.columns[of_rows[0]], **grouped.others(of_rows[0])}
    return grouped.noted(f"column {of_rows[0]!r} names runs, a run in each row", columns=columns)


def _head(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")


def _said(name: str, named: Collection[str]) -> str:
    return f"column {name!r} names {listed([f'{role}s' for role in named])}"


def _without_tasks(table: SourceTable, labels: Labels, chosen: Chosen) -> Labels:
    """Return the names of groups without that of the task of their rows, `ppo-Hopper`, where each holds it."""
    column = column_of("task", free_columns(table.columns, chosen), chosen)
    if column not in table.columns:
        return labels
    tasks = {
        name: own.pop()
        for name, own in distinct(zip(labels, labelled(table.columns[column]), strict=True)).items()
        if len(own) == 1
    }
    bare = {
        name: re.sub(re.escape(stem(task)) + r"(-v\d+)?", " ", name, flags=re.IGNORECASE)
        for name, task in tasks.items()
    }
    if len(tasks) < len(labels.names) or any(bare[name] == name for name in tasks):
        return labels
    return labels.mapped(lambda name: " ".join(re.split(r"[\s_/-]+", bare[name])).strip())


def _of_groups(labels: Labels, lacks: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the algorithms, and the tasks, that groups of runs are called by."""
    meaning = meaning_of(labels.names)
    # `ppo-easy`, `sac-easy`: two names, and nothing says of what.
    if meaning != "pair" and joins_two(labels.names):
        return {}
    if meaning in ("algorithm", "task"):
        return {meaning: list(labels.names)} if meaning in lacks else {}
    texts = [(name,) for name in labels.names]
    named = names_in_texts(texts, [role for role in lacks if role != "run"], one_run=False) or {}
    return named if meaning_of(named.get("algorithm", ())) == "algorithm" else {}


def _of_runs(table: SourceTable, labels: Labels, lacks: Sequence[str], chosen: Chosen) -> Mapping[str, list[str]]:
    """Return the names in those of runs, of which nothing contradicts a column of the table."""
    texts = [tuple(map(_bare_text, name.split("/"))) for name in labels.names]
    named = names_in_texts(texts, NAMED, one_run=True) or names_in_texts(texts, lacks, one_run=True)
    if not named or "algorithm" not in named:
        return {}
    # Those of an algorithm that hold runs name more than it.
    if ("run" in lacks and "run" not in named) or any(map(named_run, named["algorithm"])):
        return {}
    rows = np.unique(labels.codes, return_index=True)[1].tolist()
    for role in (role for role in named if role not in lacks):
        column = column_of(role, free_columns(table.columns, chosen), chosen)
        own = labelled(table.columns.get(column, [""] * table.n_rows))
        # An id that a tracker drew for each row contradicts nothing.
        if role == "run" and len(own.names) == table.n_rows:
            continue
        if [_bare(own[row]) for row in rows] != list(map(_bare, named[role])):
            return {}
    # `fluffy-owl-17`: trackers make up names, and count on over all runs.
    runs = named.get("run", [])
    counted = len({*runs}) == len(runs) and not all(map(named_run, labels.names))
    if counted and meaning_of(named["algorithm"]) != "algorithm":
        return {}
    return {role: named[role] for role in named if role in lacks or (role == "run" and _ids_of_rows(table, chosen))}


def _ids_of_rows(table: SourceTable, chosen: Chosen) -> list[str]:
    """Return the columns of runs that hold an id for each row, as trackers draw it."""
    likely = [] if chosen.get("run") else candidates(table.columns, "run")
    return [name for name in likely if len(labelled(table.columns[name]).names) == table.n_rows]


def _bare_text(name: str) -> str:
    return " ".join(IN_TEXT.split(name)).strip()


def _bare(label: str) -> str:
    number = parsed(label)
    return label.casefold() if number is None else f"{number:g}"
