"""Assignment of roles to a file's table: the names that it contains, and those left for its path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runoff.base.arrays import Ints
from runoff.errors import DataError
from runoff.reading._axes import refuse_lists
from runoff.reading._contenders import headed_tasks
from runoff.reading._counts import with_attempts
from runoff.reading._keys import Around, refuse_keys, with_roles
from runoff.reading._known import is_algorithm, is_contender
from runoff.reading._measures import (
    are_series,
    with_heads_of_runs,
    with_one_measure,
    with_plain_heads,
    without_means_of_runs,
)
from runoff.reading._open_roles import (
    refuse_names_of_runs,
    refuse_unnamed,
    with_bandits,
    with_open_roles,
    with_places,
    without_misnamed,
)
from runoff.reading._parts import with_levels_of_runs, with_parts_of_runs, with_runs
from runoff.reading._pattern import settings_in
from runoff.reading._rows import filled, of_one_kind, with_own_measures, without_references
from runoff.reading._several_scores import refuse_several_scores
from runoff.reading._tracked import with_names_in_texts
from runoff.reading._trails import Names
from runoff.reading._wide import heads_of, melted
from runoff.reading.formats import NotRuns
from runoff.reading.formats.base import named_row
from runoff.tables.columns import (
    NAMED,
    OTHERWISE,
    ROLES,
    ROW,
    UNUSED,
    each_row_is_a_run,
    listed,
    missing_column,
    playing,
    recognise,
)
from runoff.tables.configs import spelling
from runoff.tables.equal import written
from runoff.tables.factors import with_factors
from runoff.tables.items import with_items
from runoff.tables.labels import Labels, labelled
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.missing import asked_of_score, is_tidy, may_have_scores, warn_of_another_score
from runoff.tables.others import evaluated, failed_rows, with_steps_before
from runoff.tables.progress import with_run_and_step
from runoff.tables.source import SourceTable
from runoff.tables.tidy import Tidy, extras, tidy, unused_columns
from runoff.tables.unnamed import (
    ask_of_attempts,
    cells_of,
    numbered,
)
from runoff.tables.values import outcomes
from runoff.words.columns import names_attempts
from runoff.words.costs import direction
from runoff.words.names import DuplicatesName, UnitName
from runoff.words.speech import choice, column, neutral, option
from runoff.words.words import EVALUATION, canonical, kind, words

AS_EVALUATIONS = (
    "each file is one run by its name and has several scores: they are read as its evaluations, at steps 1, 2, …"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """A table with its roles: `chosen` maps roles to columns, `has` are all roles that the file names; `unit` is what its rows are."""

    table: SourceTable
    chosen: Chosen
    has: frozenset[str]
    unit: UnitName = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of a table from one file: checked columns, the words for its rows, and how its runs are distinguished ("column", "path",
    "row" or "count"); `where` gives the role of each part of the path. `failed` are the rows of failed runs, int64, and `failing` the words
    for them.
    """

    tidy: Tidy
    table: SourceTable
    runs_by: str
    where: Mapping[str, str]
    failed: Ints
    failing: str


def names_in(table: SourceTable, chosen: Chosen, wide: bool) -> frozenset[str]:
    """Return the names whose role is to be decided: the outermost keys, or the headers of a wide table."""
    if table.keys:
        return frozenset(table.columns[next(iter(table.keys))])
    headed = wide and not plays(table.columns, "score", chosen)
    return frozenset(heads_of(table, chosen).heads if headed else ())


def shaped(
    table: SourceTable,
    chosen: Chosen,
    *,
    wide: bool,
    keys: tuple[str, ...] | None,
    around: Around,
    unit: UnitName,
) -> TableShape:
    """Return the table of a file with its roles; raise `NotRuns` if there is no score, and `DataError` if the content cannot be decided."""
    if table.n_rows == 0:
        raise NotRuns(f"{table.place}: there are no rows of data below the column names.")
    if table.structural:
        return _structural(with_parts_of_runs(with_roles(table, keys, around), {}))
    table = with_heads_of_runs(without_means_of_runs(with_plain_heads(table, chosen), chosen), chosen)
    # In this order: rows of one metric first, since runs, counts and items are looked for in the rows that are left;
    # attempts before items, for they make rows.
    table, chosen = of_one_kind(with_own_measures(without_references(table, chosen), chosen), chosen)
    table, chosen, rest = with_runs(with_names_in_texts(table, chosen), chosen, keys or ())
    table = with_attempts(table, chosen, unit)
    chosen = with_places(table.columns, chosen) if unit == "episode" else chosen
    columns, chosen = with_items(table.columns, chosen, table.place, unit)
    chosen = with_bandits(columns, without_misnamed(columns, chosen))
    scored = may_have_scores(replace(table, columns=columns), chosen)
    chosen = with_open_roles(columns, chosen, table.place) if scored else with_places(columns, chosen)
    chosen = with_run_and_step(columns, chosen)
    table, names = replace(table, columns=columns), list(columns)
    # Roles of columns come first: what else `keys` says is of heads.
    while rest and (rest[0] in table.levels or (rest[0] in NAMED and plays(names, rest[0], chosen))):
        rest = rest[1:]
    table, keys = with_levels_of_runs(table, chosen, rest or None)
    has_score = plays(names, "score", chosen)
    # A table with a column that is named like a score is never wide, whatever its other heads are.
    if not has_score and wide:
        headed = not plays(names, "task", chosen) and headed_tasks(table, names)
        if not keys and not headed and (is_tidy(table, chosen) or are_series(table, chosen)):
            raise NotRuns(asked_of_score(table, chosen))
        table = table if keys else with_one_measure(table, chosen)
        return _structural(with_parts_of_runs(melted(table, chosen, keys, around), {}))
    if not has_score:
        raise NotRuns(asked_of_score(table, chosen))
    refuse_keys(table, keys)
    _refuse_rewards_of_steps(table, chosen)
    table = with_parts_of_runs(table, chosen)
    chosen = {role: name for role, name in chosen.items() if role != "run" or name in (None, ROW, *table.columns)}
    has = frozenset(role for role in (*NAMED, "step") if plays(table.columns, role, chosen))
    if "algorithm" not in has:
        refuse_unnamed(table, chosen, _unused(table, chosen))
    _refuse_headed(table, chosen, has)
    return TableShape(table=table, chosen=chosen, has=has, unit=unit)


ENDS = frozenset({"done", "dones", "terminated", "truncated", "terminal", "isdone", "isterminal"})
"""Canonical names of columns that mark the end of an episode."""


def _refuse_rewards_of_steps(table: SourceTable, chosen: Chosen) -> None:
    """Refuse rewards next to a column that marks only few rows as ends of episodes: they are rewards of single steps."""
    scores = candidates(free_columns(table.columns, chosen), "score")
    if chosen.get("score") or len(scores) != 1 or not {"reward", "rewards", "rew", "r"}.issuperset(words(scores[0])):
        return
    for name in (name for name in table.columns if canonical(name) in ENDS):
        ends = outcomes(table.columns[name])
        if sum(value in (1, "1", True) for value in ends) < len(ends) / 2:
            raise DataError(
                f"{table.place}: column {scores[0]!r} may hold the rewards of single steps, because column {name!r} marks the ends of episodes; "
                f"give the return of every episode, or use {column('score', scores[0])} if each row is the return of an episode."
            )


def _structural(table: SourceTable) -> TableShape:
    counted = {"run"} if table.entries and "step" not in table.columns else set()
    return TableShape(table=table, chosen={}, has=frozenset(table.columns) - counted - {"score"})


def laid_out(
    shape: TableShape,
    names: Names,
    *,
    with_step: bool | None,
    incomplete: str | None = None,
    duplicates: DuplicatesName = "auto",
    episodes: bool = False,
) -> Part:
    """Return the checked columns of a file, completed by its path; `with_step=None` takes steps if any; raise `NotRuns` if needed steps are
    missing."""
    table, has, chosen = replace(shape.table, duplicates=duplicates), set(shape.has), dict(shape.chosen)
    given = {role: names.names[role] for role in NAMED if role in names.names.keys() - (has - names.forced)}
    refuse_names_of_runs(table, chosen, "" if names.forced else given.get("algorithm", ""))
    if "run" in given and "step" not in has and "run" not in has:
        table, has = _as_curve(table, chosen, has)
    columns = dict(table.columns)
    for role, name in given.items():
        # the column that the path names has a name that no column of the file has
        called = f"{role} of the path" if role in table.columns and not table.structural else role
        columns[called] = Labels([name], np.zeros(table.n_rows, dtype=np.int64))
        chosen.pop(role, None)
        chosen |= {} if table.structural else {role: called}
    named = replace(table, columns=columns, row=named_row(columns) if table.rows_named else table.row)
    has |= given.keys()
    by_row = each_row_is_a_run(list(table.columns), chosen)
    runs_by = "path" if "run" in given else "row" if by_row else "column" if "run" in has else "count"
    if with_step and "step" not in has:
        raise _no_steps(named)
    if not named.structural:
        named = _noting_unused(with_factors(named, chosen, with_step="step" in has), chosen)
        named = evaluated(with_steps_before(named, chosen), chosen) if "step" in has else named
    named, unscored = filled(named, chosen, incomplete, with_step="step" in has)
    checked = _of_configuration(tidy(named, chosen=chosen, with_step="step" in has), names)
    if not named.structural and not episodes:
        named, checked = _over_episodes(named, checked, shape.unit)
        # Of episodes there is no mean that would be one, and the refusal of the columns says more than that of the rows.
        if duplicates == "auto" or (duplicates == "mean" and shape.unit == "episode"):
            refuse_several_scores(named, checked, shape.unit)
    failed, failing = failed_rows(named, checked.mapping)
    if runs_by == "count" and "step" not in has:
        refuse_lists(named, cells_of(checked.labels["algorithm"], checked.labels["task"]), checked.score)
    mapping = {} if named.structural else _mapping_of_file(checked, table, given)
    checked, where = replace(checked, mapping=mapping), {role: names.where[role] for role in given}
    if unscored.size:
        lacking = "1 row has no score" if unscored.size == 1 else f"{unscored.size} rows have no score"
        failed, failing = np.union1d(failed, unscored), failing or lacking
        score = checked.score.copy()
        score[unscored] = np.nan
        checked = replace(checked, score=score)
    return Part(tidy=checked, table=named, runs_by=runs_by, where=where, failed=failed, failing=failing)


def _mapping_of_file(checked: Tidy, table: SourceTable, given: Collection[str]) -> dict[str, str]:
    """Return the columns of a file by role, without roles that its path names, and without configurations that are made of its settings."""
    in_file = not table.settings and checked.mapping.get("config") in table.columns
    absent = {*given, *([] if in_file else ["config"])}
    return {role: name for role, name in checked.mapping.items() if role not in absent}


def _of_configuration(checked: Tidy, names: Names) -> Tidy:
    """Return the columns of a file with the settings in its path as the configuration of its runs."""
    settings = {name: spelling(value) for name, value in settings_in(names.names).items()}
    if not settings:
        return checked
    label = written(settings.items()).removeprefix("config ")
    own, runs = checked.configs, checked.labels["run"].names
    configs = {run: f"{label}, {own[run]}" if run in own else label for run in runs}
    by_label = {configs[run]: {**settings, **checked.settings.get(own.get(run, ""), {})} for run in runs}
    return replace(checked, configs=configs, settings={} if {*settings} == {"config"} and not own else by_label)


def _as_curve(table: SourceTable, chosen: Chosen, has: set[str]) -> tuple[SourceTable, set[str]]:
    """Return the table of a run that the path names; several scores in it are its evaluations."""
    names = list(table.columns)
    if each_row_is_a_run(names, chosen):
        return table, has
    mapping = recognise(names, wanted=("algorithm", "task"), chosen=chosen, place=table.place)
    named, blank = table.labels(mapping), labelled([""] * table.n_rows)
    algorithms, tasks = (named.get(role, blank) for role in NAMED[:2])
    # One score for each algorithm and task is a run's end score, several are its evaluations.
    counts = numbered(cells_of(algorithms, tasks))
    columns: dict[str, Any] = table.others("run") if table.entries else dict(table.columns)
    if table.entries and tasks[0] == "task 1" and counts.names != ["0"]:
        raise DataError(
            f"{table.place}: the path names a run, and its file holds an array with more axes than the evaluations of a run; save one score per "
            f"evaluation, or name the parts of the path: {option('pattern', '{algorithm}')}."
        )
    if counts.names == ["0"] or table.duplicates == "mean":
        return replace(table, columns=columns), has
    ask_of_attempts(table)
    columns["step"] = counts.codes + 1.0
    return table.noted(AS_EVALUATIONS, columns=columns), has | {"step"}


def _no_steps(table: SourceTable) -> NotRuns:
    if table.structural:
        read_scores = choice("read it with read_scores", "it is read as end scores by report, compare and rank")
        return NotRuns(f"{table.place}: the file has one score per run, not learning curves; {read_scores}.")
    verbs = choice("with read_scores", "by report, compare and rank")
    missing = neutral(missing_column("step", list(table.columns), table.place)).removesuffix(".")
    return NotRuns(f"{missing}; one score per run is read {verbs}.")


def _over_episodes(table: SourceTable, checked: Tidy, unit: UnitName) -> tuple[SourceTable, Tidy]:
    """Return one row for each evaluation, the mean of its episodes, if a column numbers them."""
    attempts = [name for name in unused_columns(table, checked.mapping.values()) if names_attempts(name)]
    # Without steps the numbers of episodes may be the progress of training, those of evaluations are none.
    evaluated = unit == "run" and bool(attempts) and not EVALUATION.isdisjoint(words(attempts[0]))
    if len(attempts) != 1 or (checked.step is None and not evaluated):
        return table, checked
    steps = np.zeros(checked.score.size) if checked.step is None else checked.step
    keys = list(zip(*(checked.labels[role] for role in NAMED), steps.tolist(), strict=True))
    places: dict[tuple[Any, ...], int] = {}
    of_row = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)
    numbered = set(zip(keys, map(str, table.columns[attempts[0]]), strict=True))
    # Only where the episodes' numbers tell all rows of a step apart; two rows of one number are a repetition, which
    # is refused below.
    if len(places) == len(keys) or len(numbered) < len(keys):
        return table, checked
    rows = np.unique(of_row, return_index=True)[1]
    n, of = np.bincount(of_row).max(), "of each" if checked.step is None else "at a step"
    note = f"the score of an evaluation is the mean of its episodes ({n} {of}, numbered by column {attempts[0]!r})"
    averaged = replace(
        checked.some_rows(rows),
        score=np.bincount(of_row, weights=checked.score) / np.bincount(of_row),
        notes=(*(other for other in checked.notes if other != f"columns not used: {attempts[0]!r}"), note),
    )
    return table.some_rows(rows), averaged


# ── columns that play no role ──────────


WINS = frozenset({"win", "wins", "success", "successes"})


def _refuse_headed(table: SourceTable, chosen: Chosen, has: Iterable[str]) -> None:
    """Refuse a score column next to columns headed by algorithms, or tasks, that no column names."""
    if chosen.get("score") or {"algorithm", "task"} <= {*has}:
        return
    unused = _unused(table, chosen)
    (score, *_) = candidates(free_columns(table.columns, chosen), "score")  # without one the table would be wide
    # `pg_loss` is a loss
    free = [name for name in unused if direction(name) is None]
    headed = [name for name in free if is_algorithm(name) or is_contender(name)] if "algorithm" not in has else []
    role = "algorithm" if "algorithm" not in has else "task"
    if not headed and "task" not in has and (tasks := headed_tasks(table, unused)):
        role, headed = "task", tasks
    # A count of wins stands beside columns of methods that nobody knows as often as it is a score.
    unknown = [name for name in unused if kind(name) is None and WINS.issuperset(words(score))]
    unknown = unknown if role == "algorithm" else []
    if headed or len(unknown) > 1:
        columns = f"column{'s'[: len(headed or unknown) - 1]} {listed(headed or unknown)}"
        are = "may be" if not headed else "are" if len(headed) > 1 else "is"
        raise DataError(
            f"{table.place}: the {columns} {are} headed by {role}s, but column {score!r} is named like a score; use "
            f"{column(UNUSED, score)} if they hold the scores, or {column('score', score)} if it does."
        )


def _noting_unused(table: SourceTable, chosen: Chosen) -> SourceTable:
    unused = _unused(table, chosen)
    if not unused:
        return table
    # Who reads `reward` beside `success` may have meant the other.
    others = [n for n in unused if kind(n) == "score" and {"train", "training"}.isdisjoint(words(n))]
    others = [] if chosen.get("score") else others
    may = f"; if {others[0]!r} is the score: {column('score', others[0])}" if others else ""
    warn_of_another_score(table, chosen, unused)
    return table.noted(f"columns not used: {listed(unused, 8)}{may}")


def _unused(table: SourceTable, chosen: Chosen) -> list[str]:
    names = list(table.columns)
    free = free_columns(names, chosen)
    parts = list(filter(None, (chosen.get("task") or "").split("/")))  # of a task that two columns name
    stepped = chosen.get("step") or candidates(free, "step")
    used = {
        *(name for role, name in chosen.items() if role not in OTHERWISE),
        *parts,
        *(extras(table) if stepped else ()),
    }
    used |= playing(free, [role for role in ROLES if chosen.get(role) is None])
    return unused_columns(table, used | table.beside)
