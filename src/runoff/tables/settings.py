"""Settings in columns: recognising them, and the configurations made of columns that are named as settings.

By their names, `n_steps` and `epochs` count the progress of training; they are settings if each run has a single value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

import numpy as np

from runoff.base.arrays import Ints
from runoff.errors import DataError
from runoff.tables.columns import NAMED, SETTINGS, as_setting, column_of, columns_of, listed, naming, not_there
from runoff.tables.configs import configured, read_configs, values_of
from runoff.tables.equal import aliases
from runoff.tables.labels import Labels, cells_alike, labelled, n_pairs
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import changes_within
from runoff.tables.values import parsed
from runoff.words.costs import direction
from runoff.words.labels import SETTINGS as WORDS_OF_SETTINGS
from runoff.words.words import CENTRES, kind, vocabulary, words

LEARNED = vocabulary("entropy alpha temperature beta epsilon eps ratio clip ratios fraction")
"""Words of settings that may also be measurements; they are measurements if no two runs share a value."""
COUNTERS = vocabulary("batch head heads unit units size")
"""Words that alone do not mean settings, because they count evaluations or runs."""
NAMES = vocabulary(
    "batch_size minibatch_size mini_batch_size n_envs num_envs opt optim optimizer optimiser activation replay_ratio update_freq "
    "update_frequency train_freq target_update rollout_length rollout_len warmup_steps learning_starts"
)
"""Names of settings whose single words may mean something else."""


def tunes(name: str) -> bool:
    """Return whether a column of this name contains a setting that is commonly tuned.

    >>> [tunes(name) for name in ("learning_rate", "collision_rate", "loss_coef", "mean_tokens")]
    [True, False, True, False]
    """
    parts = set(words(name))
    if not CENTRES.isdisjoint(parts):
        return False
    # The rate of what is not wanted was measured.
    if parts & WORDS_OF_SETTINGS <= {"rate", "ratio"} and direction(name) == "lower":
        return False
    if "_".join(words(name)) in NAMES:
        return True
    return bool(parts & WORDS_OF_SETTINGS) and not parts <= COUNTERS and kind(name) in (None, "rate", "metric")


def is_no_score(name: str) -> bool:
    """Return whether a column of this name holds a setting, which nobody would measure: `lr`, `config.gamma`, but not `pass_rate`.

    >>> [is_no_score(name) for name in ("lr", "learning_rate", "batch_size", "pass_rate", "entropy", "size")]
    [True, True, True, False, False, False]
    """
    parts = {*words(name)}
    rated = (
        parts & WORDS_OF_SETTINGS <= {"rate", "ratio"}
        and "learning" not in parts
        and "_".join(words(name)) not in NAMES
    )
    return _is_surely_set(name) and not rated


def settings_asked(chosen: Chosen) -> dict[str, bool]:
    """Return the columns that the user names as settings, and whether each must exist; a question mark after the name makes it optional."""
    names = [name.strip() for name in (chosen.get(SETTINGS) or "").split(",")]
    return {name.removesuffix("?"): not name.endswith("?") for name in names if name.strip("?")}


def with_settings_asked(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the table with the columns that the user names as settings turned into the configuration of each row: `lr 0.1, width 64`."""
    wanted = settings_asked(chosen)
    missing = next((name for name, needed in wanted.items() if needed and name not in table.columns), None)
    if missing is not None:
        raise not_there(table.place, "column", missing, list(table.columns), " to be a setting")
    # A column of configurations is one as it is.
    own = [name for name in wanted if name in table.columns and not candidates([name], "config")]
    # A setting that may be absent may be there under another name.
    under_others = [
        alias for name, needed in wanted.items() if not needed and name not in own for alias in aliases(name)
    ]
    names = [*own, *(name for name in dict.fromkeys(under_others) if name in table.columns)]
    return _as_configurations(table, names, chosen, ", by request") if names else table


def _as_configurations(table: SourceTable, names: Sequence[str], chosen: Chosen, why: str) -> SourceTable:
    """Return the table with some columns turned into the configuration of each row, appended to an existing configuration."""
    others = table.others(*names)
    config = column_of("config", others, chosen) or "config"
    before = None
    if config in others:
        before = config, *read_configs(labelled(others[config]), table.settings)
    algorithm = column_of("algorithm", others, chosen)
    owners = labelled(others[algorithm]) if algorithm in others else Labels([""], np.zeros(table.n_rows, np.int64))
    labels, settings = configured({name: values_of(table.columns[name]) for name in names}, owners, before)
    note = f"columns {listed(names)} are settings{why}: each combination is a configuration"
    return table.noted(note, columns={**others, config: labels}, settings=settings)


# ── settings that each file has alone ──────────


def settings_of_files(tables: Sequence[SourceTable], chosen: Chosen) -> list[str]:
    """Return the settings that are constant within each file and differ between files: `lr`, with a file of runs for each learning rate.

    Possible measurements are left alone, as are files in which no column names the algorithm.
    """
    values: dict[str, dict[tuple[str, ...], set[str]]] = {}
    several: set[str] = set()
    for table in tables:
        names = free_columns(table.columns, chosen)
        algorithm = column_of("algorithm", names, chosen)
        if algorithm not in table.columns or not plays(names, "score", chosen):
            continue
        # Within a task: who was tuned on each has other settings on another one, and is no sweep.
        task = column_of("task", names, chosen)
        both = [labelled(table.columns[column]) for column in (algorithm, task) if column in table.columns]
        cells = {*zip(*both, strict=True)}
        for name in filter(_is_surely_set, names):
            own = values_of(table.columns[name]).names
            several |= {name} if len(own) > 1 else set()
            for cell in cells:
                values.setdefault(name, {}).setdefault(cell, set()).update(own)
    return [name for name, of in values.items() if name not in several and max(map(len, of.values())) > 1]


def _is_surely_set(name: str) -> bool:
    """Return whether a column of this name holds a setting, which nobody measures."""
    return tunes(name) and kind(name) != "metric" and LEARNED.isdisjoint(words(name))


def with_settings_of_files(table: SourceTable, names: Sequence[str], chosen: Chosen) -> SourceTable:
    """Return the table of a file with the settings in which files differ as its configuration."""
    own = [name for name in names if name in table.columns]
    return _as_configurations(table, own, chosen, ", which differ between files") if own else table


def with_settings_of_rows(table: SourceTable, kept: Mapping[str, str], names: Sequence[str]) -> SourceTable:
    """Return a wide table with the settings in which rows of the same algorithm, task and run differ as the configuration of each row.

    kept: the columns of roles, {role: name}; names: the other columns.
    """
    roles = [*table.labels(kept).values()]
    if not roles or "step" in kept:
        return table
    cells = cells_alike(roles, table.n_rows)
    own = [name for name in filter(_is_surely_set, names) if changes_within(values_of(table.columns[name]), cells)]
    return _as_configurations(table, own, {}, ", in which rows of one run differ") if own else table


# ── counts of steps that are settings ──────────

FEW, SMALL = 10, 100_000
"""Learning curves have more points, or more steps, than these."""
EVEN = 5
"""The number of values from which on equal distances mean evaluations."""


def with_counts_that_are_settings(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return the table with `n_steps`, `epochs` … as configurations if each run has a single value; refuse a few values that may be either
    settings or progress."""
    names = free_columns(table.columns, chosen)
    if not plays(names, "score", chosen):
        return table
    counts = [name for name in names if _counts(name)]
    labels = table.labels(columns_of(NAMED, names, chosen))
    config = column_of("config", names, chosen)
    # A file of one algorithm has settings where others vary beside them, or configurations have names.
    if not counts or not ("algorithm" in labels or config in table.columns or any(map(tunes, names))):
        return table
    of_rows = [labels[role] for role in NAMED[:2] if role in labels]
    of_rows += [labelled(table.columns[config])] if config in table.columns else []
    cells = cells_alike(of_rows, table.n_rows)
    axis = column_of("step", names, chosen)
    settings = []
    for name in counts:
        values = values_of(table.columns[name])
        if len(values.names) == 1 or (not changes_within(values, cells) and config not in table.columns):
            continue
        if "run" in labels and _parts_runs(values, cells * len(labels["run"].names) + labels["run"].codes):
            settings.append(name)
        elif axis == name and _may_be_either(values):
            raise _question(table, name, values)
    return _as_configurations(table, settings, chosen, ", one value a run") if settings else table


COUNTED = vocabulary("n num number per train epochs updates iterations iters")
"""Words for counts that may be settings: `n_steps`, `epochs`; plain `steps` and `frames` mean progress."""


def _counts(name: str) -> bool:
    """Return whether a column counts steps by its name but may be a setting."""
    return kind(name) in ("step", "iteration") and bool(COUNTED.intersection(words(name)))


def _parts_runs(values: Labels, runs: Ints) -> bool:
    """Return whether each run has a single value that others have too; a count at which runs ended would differ."""
    n_runs = int(np.unique(runs).size)
    return n_pairs(runs, values.codes) == n_runs and 2 * len(values.names) <= n_runs


def _may_be_either(values: Labels) -> bool:
    """Return whether these numbers are few, small and uneven enough to be values of a setting."""
    numbers = sorted(number for name in values.names if (number := parsed(name)) is not None)
    if len(numbers) < len(values.names) or len(numbers) > FEW or not 0 < numbers[0] <= numbers[-1] < SMALL:
        return False
    gaps = np.diff(numbers)
    return not (len(numbers) >= EVEN and np.allclose(gaps, gaps[0]))


def _question(table: SourceTable, name: str, values: Labels) -> DataError:
    setting, step = as_setting(name, table.place), naming("step", table.place, name)
    numbers = ", ".join(sorted(values.names, key=lambda text: parsed(text) or 0.0)[:4])
    return DataError(
        f"{table.place}: column {name!r} has {len(values.names)} values ({numbers}{', …' * (len(values.names) > 4)}), and may hold a setting "
        f"or the progress of training: use {setting} if it is a setting, or {step} if it is the progress."
    )


# ── settings that follow from others ──────────

LEVELS = 4
"""The fewest values that can show that one setting follows from another by a formula; two or three lie on some line or curve."""


def _on_a_line(source: Sequence[float], values: Sequence[float]) -> bool:
    """Return whether a setting is a linear function or a power of another; for few values, which always fit, return True."""
    if len(set(values)) < LEVELS:
        return True
    x, y = np.array(source), np.array(values)
    pairs = [(x, y)] + ([(np.log(x), np.log(y))] if min(x.min(), y.min()) > 0 else [])
    return any(abs(float(np.corrcoef(a, b)[0, 1])) > 1 - 1e-9 for a, b in pairs)


def _crossed(source: Ints, others: Sequence[Ints]) -> bool:
    """Return whether each value of a setting is combined with each value of another, as in a grid, so that a constant relation is no
    accident."""
    levels = np.unique(source).size
    return any(n_pairs(source, other) == levels * n > levels for other in others if (n := np.unique(other).size))


def _of_one_word(first: str, second: str) -> bool:
    """Return whether the names of two settings share a meaningful word: `min_lr`, `lr`."""
    return bool({*words(first)} & {*words(second)} - COUNTERS)


def follows(name: str, source: str, settings: Mapping[str, Labels], others: Iterable[str]) -> bool:
    """Return whether a setting follows from another: `lr_x10` is 10 · `lr`.

    If each value of the source occurs only once, as in random search, everything is a function of it; unless a grid combines it with one of
    the others, only a formula counts then, for a setting named after its source.
    """
    own, values = settings[source], settings[name]
    first = np.unique(own.codes, return_index=True)[1]
    return n_pairs(own.codes, values.codes) == first.size and (
        _crossed(own.codes, [settings[other].codes for other in others])
        or (_of_one_word(name, source) and _by_formula(own, values, first))
    )


def derived(settings: Mapping[str, Labels]) -> dict[str, str]:
    """Return the settings that follow from an earlier setting, {name: its source}."""
    sources: dict[str, str] = {}
    for name in settings:
        earlier = takewhile(name.__ne__, settings)
        likely = (own for own in earlier if own not in sources and follows(name, own, settings, settings))
        if source := next(likely, ""):
            sources[name] = source
    return sources


def _by_formula(source: Labels, values: Labels, rows: Ints) -> bool:
    """Return whether numbers follow from those of the source by a formula, in rows with one of each source value."""
    both = ([parsed(own[row]) for row in rows.tolist()] for own in (source, values))
    x, y = ([number for number in own if number is not None and math.isfinite(number)] for own in both)
    return len(x) == rows.size == len(y) and _on_a_line(x, y)
