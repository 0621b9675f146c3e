"""Columns that split the runs of one algorithm on one task into groups: they become part of a name by a stated rule, or the user is asked.

Ten runs, five of them on another dataset, are not ten runs of the same thing. Settings become configurations of their algorithm, a column
for the kind of an algorithm makes variants (`PPO (backbone cnn)`), and a column that distinguishes environments makes tasks (`walker/run`);
for any other column, the user has to say what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from runoff.base.arrays import Ints
from runoff.errors import DataError
from runoff.tables.columns import FRAME, NAMED, SETTINGS, UNUSED, as_setting, listed, naming, recognise
from runoff.tables.configs import configured, values_of
from runoff.tables.equal import ConfigSettings, written
from runoff.tables.labels import Labels, RawColumn, Values, alike, labelled, n_pairs, paired
from runoff.tables.likely import Chosen
from runoff.tables.others import marks
from runoff.tables.settings import LEARNED, derived, tunes
from runoff.tables.source import SourceTable
from runoff.tables.tidy import configurations, unused_columns
from runoff.tables.unnamed import CIRCUMSTANCES, DATE, LIKE_TASKS, cells_of, changes_within
from runoff.tables.values import floats, parsed
from runoff.words.columns import names_attempts, names_runs, names_suite
from runoff.words.costs import direction
from runoff.words.speech import column
from runoff.words.words import kind, vocabulary, words

# ── what a column may be by its name ──────────

COUNTED = vocabulary("ratio ratios fraction entropy")
"""Words of settings that are most often measured."""

REVISIONS = vocabulary("commit git sha revision rev hash")
"""Words in names of columns of versions of the code, which change on the way; of a design they part all runs alike."""
PEOPLE = vocabulary("who whom person people experimenter researcher initials wer quien")
"""Words in names of columns of those who made the runs."""
KINDS = vocabulary("ablation ablations variant variants exploration backbone arch architecture encoder model baseline")
"""Words in names of columns that distinguish kinds of one algorithm."""


def with_factors(table: SourceTable, chosen: Chosen, *, with_step: bool) -> SourceTable:
    """Return the table with tasks and algorithms named by the columns that split their runs; refuse a splitting column of unknown meaning."""
    _refuse_fractions(table, chosen)
    table = _with_kinds(_with_tasks(table, chosen), chosen, with_step=with_step)
    table = _with_settings(table, chosen, with_step=with_step)
    factors = _factors(table, chosen)
    # Runs that are there twice are refused with the rows that tell them apart, once all columns are read.
    if (
        factors is not None
        and np.unique(factors.runs).size == factors.rows.size
        and (name := next(factors.open_columns(), None)) is not None
    ):
        raise factors.question(name)
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """One row for each run of a table, the runs' cells (algorithm and task), int64 (n_runs,), the columns without a role, and how many labels
    runs have."""

    table: SourceTable
    mapping: Mapping[str, str]
    rows: Ints
    cells: Ints
    runs: Ints
    free: Sequence[str]
    n_labels: int

    def open_columns(self) -> Any:
        """Yield the columns that split the runs of a cell, unless their names mean circumstances of runs or measurements."""
        for name in self.free:
            parts = {*words(name)}
            # A fold beside a seed is a part of the data.
            if (
                parts & CIRCUMSTANCES
                or (names_runs(name) and "fold" not in parts)
                or names_attempts(name)
                or kind(name) not in (None, "stage")
            ):
                continue
            values = self.values(name)
            if values is None or self._labels_runs(values) or all(map(DATE.fullmatch, values.names)):
                continue
            # Of runs that a flag marks it is asked what they count.
            on_the_way = parts & REVISIONS and (_groups_of(self.cells, values.codes) < 2).any()
            if self.parts_runs(values, _counts(name)) and not marks(name, values.names) and not on_the_way:
                yield name

    def values(self, name: str) -> Labels | None:
        """Return the value of each run in a column; None if runs have several values, as measurements have."""
        column = self.table.columns[name]
        if isinstance(column, RawColumn) and 2 * column.series.n_unique() > self.rows.size:
            return None  # as many as runs: what is measured, or names them
        if isinstance(column[0], list | dict):
            return None
        if self.rows.size < self.runs.size:
            if _varies_within(column, self.runs):
                return None
            whole = labelled(column)
            if n_pairs(self.runs, whole.codes) > self.rows.size:
                return None
            return whole.some_rows(self.rows)
        return labelled(column)

    def _labels_runs(self, values: Labels) -> bool:
        """Return whether a column is another label of the runs: each run has a value of its own, the same in every cell."""
        runs = self.runs if self.rows.size == self.runs.size else self.runs[self.rows]
        labels = np.unique(runs % self.n_labels, return_inverse=True)[1]
        return np.unique(labels).size == len(values.names) == n_pairs(labels, values.codes)

    def parts_runs(self, values: Labels, counted: bool = False) -> bool:
        """Return whether these values split the runs of a cell into groups, as in a design; measured or random values seldom do. counted: their
        name says that they count something."""
        n_groups, n_cells = n_pairs(self.cells, values.codes), int(self.cells.max()) + 1
        if n_groups == n_cells or "" in values.names:
            return False
        split = _groups_of(self.cells, values.codes) > 1
        runs = int(split[self.cells].sum())
        groups = n_groups - int((~split).sum())
        if any(parsed(name) is None for name in values.names):
            # Each value once in every cell, the same ones in all: nothing but a design has that, but for numbers.
            crossed = n_cells > 1 and split.all() and groups == runs == len(values.names) * n_cells
            return bool(runs >= 2 * groups or crossed)
        # Numbers that were measured are seldom in blocks, or in turn; those that were chosen were run one after another, or `num_agents` of
        # each number equally often.
        sizes = np.unique(self.cells * len(values.names) + values.codes, return_counts=True)[1]
        balanced = counted and groups == n_cells * len(values.names) and np.ptp(sizes) == 0
        chosen = balanced or all(in_blocks(values.codes[self.cells == cell]) for cell in np.flatnonzero(split).tolist())
        return bool(runs >= 2 * groups and chosen)

    def question(self, name: str) -> DataError:
        """Return the question about the meaning of a column."""
        values = self.values(name)
        assert values is not None  # it parts runs
        cell = int(np.flatnonzero(_groups_of(self.cells, values.codes) > 1)[0])
        own = values.codes[self.cells == cell]
        counts = [f"{values.names[code]!r} {int((own == code).sum())}" for code in np.unique(own).tolist()[:3]]
        row = int(self.rows[np.flatnonzero(self.cells == cell)[0]])
        of = " on ".join(
            f"{role} {str(self.table.columns[self.mapping[role]][row])!r}" for role in NAMED[:2] if role in self.mapping
        )
        joined = {role: f"{self.mapping[role]}/{name}" if role in self.mapping else name for role in NAMED[:2]}
        algorithm, task = (naming(role, self.table.place, own) for role, own in joined.items())
        unused = "drop the column" if self.table.place == FRAME else f"use {column(UNUSED, name)}"
        setting = f"use {as_setting(name, self.table.place)} if it is a setting of the algorithm"
        # Who made a run is seldom what is compared.
        ways = (
            f"{unused} if it says who made the runs, or {setting}, {algorithm} if it names algorithms, or {task} if it names tasks"
            if PEOPLE.intersection(words(name))
            else f"{setting}, {algorithm} if it names algorithms, {task} if it names tasks, or {unused} if the groups do not matter"
        )
        return DataError(
            f"{self.table.place}: column {name!r} divides the {own.size} runs of {of} into groups ({', '.join(counts)}), which cannot be "
            f"pooled; {ways}."
        )


def _counts(name: str) -> bool:
    return words(name)[:1] in (("n",), ("num",), ("number",)) and direction(name) is None


def _groups_of(cells: Ints, codes: Ints) -> Ints:
    """Return the number of values in each cell, int64 (n_cells,)."""
    pairs = np.unique(cells * (int(codes.max(initial=0)) + 1) + codes)
    return np.bincount(pairs // (int(codes.max(initial=0)) + 1), minlength=int(cells.max()) + 1)


def in_blocks(codes: Ints) -> bool:
    """Return whether equal values are adjacent, or alternate regularly."""
    n_values = np.unique(codes).size
    in_turn = np.array_equal(codes[n_values:], codes[:-n_values])
    return bool(np.count_nonzero(codes[1:] != codes[:-1]) == n_values - 1) or in_turn


def _factors(table: SourceTable, chosen: Chosen) -> Factors | None:
    """Return the runs and free columns of a table, to look for columns that split runs; None if no column names runs (see `refuse_counted`)."""
    roles = ("algorithm", "task", "run", "score", "step", "config")
    mapping = recognise(list(table.columns), wanted=roles, chosen=chosen, place=table.place)
    if not {"algorithm", "run", "score"} <= mapping.keys():
        return None
    used = {*mapping.values(), *(part for name in mapping.values() for part in name.split("/"))}
    free = unused_columns(table, used)
    if not free:
        return None
    labels = table.labels(mapping)
    every = cells_of(labels["algorithm"], labels.get("task", labels["algorithm"]))
    runs = every * len(labels["run"].names) + labels["run"].codes
    rows = np.arange(runs.size)
    if "step" in mapping:
        # The first row stands for a run.
        rows = np.sort(np.unique(runs, return_index=True)[1])
    return Factors(
        table=table,
        mapping=mapping,
        rows=rows,
        cells=every[rows],
        runs=runs,
        free=free,
        n_labels=len(labels["run"].names),
    )


# ── tasks ──────────

FUNCTIONS = vocabulary("function functions func problem objective fid")
DIMENSIONS = vocabulary("dim dims dimension dimensions dimensionality n num d")
"""Words of a column that says of how many variables the functions are that black-box optimisers minimise."""


def _refuse_fractions(table: SourceTable, chosen: Chosen) -> None:
    """Refuse numbers with decimals as names of tasks: they may be scores, or a setting."""
    name = recognise(list(table.columns), wanted=("task",), chosen=chosen, place=table.place).get("task", "")
    numbers = None if chosen.get("task") or not name else floats(table.columns[name])
    if numbers is not None and np.unique(numbers).size > 1 and (numbers % 1 != 0).any():
        shown = ", ".join(f"{number:g}" for number in [*dict.fromkeys(numbers.tolist())][:3])
        task = naming("task", table.place, name)
        raise DataError(
            f"{table.place}: column {name!r} holds numbers ({shown}), which are seldom names of tasks; use {task} if each is a task, "
            f"{column(SETTINGS, name)} if it is a setting of the algorithm, or {column(UNUSED, name)} if it is another measurement."
        )


def _with_tasks(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the table with tasks also named by the column that distinguishes environments: `walker/run` from `domain` and `task`."""
    factors = _factors(table, chosen)
    if factors is None or "task" not in factors.mapping or chosen.get("task"):
        return table
    task = factors.mapping["task"]
    for name in factors.free:
        sized = bool(FUNCTIONS.intersection(words(task))) and DIMENSIONS.issuperset(words(name))
        if not (sized or LIKE_TASKS.intersection(words(name)) or names_suite(name)):
            continue
        values = factors.values(name)
        numbers = values is None or any(parsed(value) is not None for value in values.names)
        if values is None or numbers is not sized or not factors.parts_runs(values, counted=sized):
            continue
        outer, inner = (task, name) if sized else (name, task)
        first, second = (labelled(table.columns[column]) for column in (outer, inner))
        note = f"columns {outer!r} and {inner!r} name the task together: {first[0]}/{second[0]}"
        return table.warned(note, columns={**table.others(name), task: paired(first, second, "{}/{}")})
    return table


# ── variants and configurations ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing:
    """The columns in which runs of an algorithm on a task differ, the algorithms with such runs, and the roles.

    sources: other columns that follow from one of these and are left out of labels, {name: its source}; derived: these other columns.
    """

    mapping: Mapping[str, str]
    algorithms: Labels
    several: frozenset[str]
    settings: Mapping[str, Labels]
    sources: Mapping[str, str]
    derived: Mapping[str, Labels]
    config: tuple[str, Labels, Mapping[str, ConfigSettings]] | None

    def texts(self) -> list[str]:
        """Return the label of each row's settings: `lr 0.1, width 64`."""
        rows = zip(*self.settings.values(), strict=True)
        return [written(zip(self.settings, row, strict=True)) for row in rows]

    def without(self, table: SourceTable) -> dict[str, Any]:
        """Return the table without these columns."""
        return {name: values for name, values in table.columns.items() if name not in {**self.settings, **self.sources}}

    @property
    def words(self) -> str:
        """The words for the algorithms that differ, the columns in which they do, and the columns that follow from others."""
        follow = ", ".join(f"{name!r} follows from {source!r}" for name, source in self.sources.items())
        return f"{listed(sorted(self.several))} differ in {listed(list(self.settings))}{f' ({follow})' * bool(follow)}"


def _with_kinds(table: SourceTable, chosen: Chosen, *, with_step: bool) -> SourceTable:
    """Return the table with algorithms whose runs on a task are of several kinds also named by the kind: `PPO (backbone cnn)`."""
    varied = _varied(table, chosen, partial(_is_kind, table), with_step=with_step)
    if varied is None:
        return table
    rows = zip(varied.algorithms, varied.texts(), strict=True)
    named = [f"{a} ({text})" if a in varied.several else a for a, text in rows]
    note = f"the runs of {varied.words} and are taken as variants, each an algorithm by itself"
    columns = varied.without(table) | {varied.mapping["algorithm"]: named}
    return table.warned(note, columns=columns)


def _with_settings(table: SourceTable, chosen: Chosen, *, with_step: bool) -> SourceTable:
    """Return the table with a configuration for runs of algorithms that have several settings on a task, as for logs: `lr 0.1`."""
    varied = _varied(table, chosen, tunes, with_step=with_step)
    if varied is None:
        return table
    labels, settings = configured(
        {**varied.settings, **varied.derived}, varied.algorithms, varied.config, varied.several, varied.derived
    )
    columns = varied.without(table) | {varied.mapping.get("config", "config"): labels}
    note = f"the runs of {varied.words}: each value is of a configuration"
    return table.noted(note, columns=columns, settings={**table.settings, **settings})


def _varied(
    table: SourceTable, chosen: Chosen, is_setting: Callable[[str], bool], *, with_step: bool
) -> Differing | None:
    """Return the columns of some kind in which runs of an algorithm on a task differ; None if there are none."""
    roles = ("algorithm", "task", "run", "score", "step", "config")
    mapping = recognise(list(table.columns), wanted=roles, chosen=chosen, place=table.place)
    if "algorithm" not in mapping or (with_step and "run" not in mapping):
        return None
    tuned = [name for name in unused_columns(table, mapping.values()) if is_setting(name)]
    if not tuned:
        return None
    labels = table.labels(mapping)
    algorithms = labels["algorithm"]
    config = configurations(table, labels, mapping.get("config"), chosen)
    # Configurations of a sweep differ in their settings by intent; others are looked for within each.
    within = algorithms if config is None else paired(algorithms, config[1], "{} {}")
    cells = cells_of(within, labels.get("task", algorithms))
    runs = np.empty(0, np.int64)
    if with_step:
        runs = _of_one_setting(table, cells * len(labels["run"].names) + labels["run"].codes, mapping["step"], tuned)
    # Learning rates that decay, and all that is measured, differ within a run: a setting is one value a run.
    # Equal numbers are one value, whoever wrote them: 1e-1, 0.10.
    constant = {name: values_of(table.columns[name]) for name in tuned if not _varies_within(table.columns[name], runs)}
    settings = {name: values for name, values in constant.items() if _differ(name, values, cells, runs)}
    several = frozenset(a for values in settings.values() for a in _with_several(algorithms, cells, values))
    if not settings:
        return None
    sources = derived(settings)
    own = {name: values for name, values in settings.items() if name not in sources}
    return Differing(
        mapping=mapping,
        algorithms=algorithms,
        several=several,
        settings=own,
        sources=sources,
        derived={name: settings[name] for name in sources},
        config=config,
    )


def _of_one_setting(table: SourceTable, runs: Ints, step: str, tuned: Sequence[str]) -> Ints:
    """Return the run of each row; seed 0 with two settings counts as two runs if it would otherwise have two scores at one step."""
    steps = labelled(table.columns[step]).codes
    for name in tuned:
        if (n_reports := n_pairs(runs, steps)) == runs.size:
            break
        both = alike([values_of(table.columns[name])], runs)
        runs = both if n_pairs(both, steps) > n_reports else runs
    return runs


def _is_kind(table: SourceTable, name: str) -> bool:
    """Return whether a column distinguishes kinds of one algorithm, by its name and its text values."""
    first = table.columns[name][0]
    return bool(KINDS.intersection(words(name))) and isinstance(first, str) and parsed(first) is None


def _varies_within(values: Values, runs: Ints) -> bool:
    """Return whether neighbouring rows of a run differ in a column, as measurements do; such a column needs no further check."""
    if not (isinstance(values, RawColumn) and runs.size):
        return False
    changes = (values.series != values.series.shift()).fill_null(False).to_numpy()
    return bool((changes[1:] & (runs[1:] == runs[:-1])).any())


def _differ(name: str, values: Labels, cells: Ints, runs: Ints) -> bool:
    """Return whether a column has several values in some cell and a single value in each run."""
    if not changes_within(values, cells):
        return False
    n_runs = np.unique(runs).size
    if n_runs and n_pairs(runs, values.codes) > n_runs:
        return False
    # `entropy` is a coefficient or what was measured. Chosen values come again in several runs; measured ones hardly
    # ever.
    if KINDS.intersection(words(name)) and 2 * len(values.names) > (n_runs or len(values)):
        return False
    measured = kind(name) == "metric" or LEARNED.intersection(words(name))
    distinct, n = len(values.names), n_runs or len(values)
    # A coefficient that was drawn at random may come again once; a `kd_ratio` that was counted does so more often.
    often = 3 * distinct > 2 * n and bool(COUNTED.intersection(words(name)))
    return not (measured and (distinct == n or often))


def _with_several(algorithms: Labels, cells: Ints, values: Labels) -> set[str]:
    """Return the algorithms with several values in some cell."""
    first = values.codes[np.unique(cells, return_index=True)[1]]
    differing = algorithms.codes[values.codes != first[cells]]
    return {algorithms.names[code] for code in np.unique(differing).tolist()}
