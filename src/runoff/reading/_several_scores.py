"""Several scores of one run that a column without a role tells from each other: what the column may be is asked."""

from __future__ import annotations

import numpy as np

from runoff.errors import DataError
from runoff.reading._contenders import VARIED
from runoff.reading.formats.base import PROGRESS
from runoff.tables.columns import NAMED, ROWS, SETTINGS
from runoff.tables.labels import Values, are_crossed, cells_alike, in_order, label, labelled
from runoff.tables.likely import NAMING, candidates
from runoff.tables.lists import ENTRIES_ARE_RUNS
from runoff.tables.others import failed_rows
from runoff.tables.runs import repeats
from runoff.tables.settings import tunes
from runoff.tables.source import SourceTable
from runoff.tables.tidy import Tidy, unused_columns
from runoff.tables.unnamed import COUNTS, LIKE_TASKS, cells_of, rises_within
from runoff.tables.values import floats, parsed
from runoff.words.columns import names_attempts
from runoff.words.labels import HOSTS
from runoff.words.names import UnitName
from runoff.words.patterns import regex
from runoff.words.speech import choice, column, in_python, in_shell, option, without
from runoff.words.words import kind, words


def refuse_several_scores(table: SourceTable, checked: Tidy, unit: UnitName) -> None:
    """Refuse several scores of a run if a column without a role distinguishes them."""
    unused = unused_columns(table, checked.mapping.values())
    i, j = _repeated(checked) if unused else (0, 0)
    # A run that failed and was started again has its name twice, and is asked about as failed.
    if i != j and not {i, j}.isdisjoint(failed_rows(table, checked.mapping)[0].tolist()):
        return
    for name in unused if i != j else ():
        values = table.columns[name]
        # What differs in every row (a time, a loss) tells no two settings apart.
        texts = any(parsed(value) is None for value in values)
        likely = kind(name) is None or texts
        repeats = (
            likely
            and (_counts_up(checked, values) or 2 * len(set(map(str, values))) <= len(values))
            and (HOSTS.isdisjoint(words(name)) or _parts_all(checked, values))
        )
        if values[i] != values[j] and (kind(name) in PROGRESS or names_attempts(name) or repeats):
            repairs = _of_one_run(table, checked, name, unit) or _repairs(checked, name, values, i)
            a, t, r = (checked.labels[role][i] for role in NAMED)
            raise DataError(
                f"{table.place}: run {r!r} of algorithm {a!r} on task {t!r} has several scores, for example in {table.row(i)} and "
                f"{table.row(j)}, where column {name!r} is {str(values[i])!r} and {str(values[j])!r}; {repairs}."
            )


def _parts_all(checked: Tidy, values: Values) -> bool:
    """Return whether a column alone tells all rows of the runs apart, with each of its names beside each algorithm, where nothing names tasks:
    a `machine` may be what is controlled, not where a run was made."""
    own, runs = labelled(values), [checked.labels[role] for role in NAMED]
    n_runs = int(cells_alike(runs, len(own)).max()) + 1
    keys = n_runs if "task" in checked.mapping else int(cells_alike([*runs, own], len(own)).max()) + 1
    return keys == len(own) and are_crossed(checked.labels["algorithm"], own)


def _of_one_run(table: SourceTable, checked: Tidy, name: str, unit: UnitName) -> str:
    """Return what makes one score of the episodes of each run, where a column numbers runs and another their episodes; else nothing."""
    runs, mean = checked.mapping.get("run", ""), option("duplicates", "mean")
    if name == "run" and any(note.endswith(ENTRIES_ARE_RUNS) for note in table.notes):
        return f"use {mean} if the entries of a list are episodes of a run, whose mean then counts"
    if candidates([name], "run"):
        numbered = column("run", name)
        use = choice(f"{in_python(numbered)}, {in_python(mean)}", f"{in_shell(numbered)} {in_shell(mean)}")
        use = without(use, option("unit", unit)) if unit == "episode" else use
        return f"use {use} if column {name!r} numbers the runs, whose mean over their rows then counts"
    if unit == "episode" and names_attempts(name) and candidates([runs], "run"):
        return (
            f"column {runs!r} numbers several policies, and {option('unit', 'episode')} is of one: use "
            f"{without(option('duplicates', 'mean'), option('unit', 'episode'))}, so that each run is the mean of its episodes"
        )
    return ""


PADDED = regex(r"0\d+")


def _repairs(checked: Tidy, name: str, values: Values, row: int) -> str:
    """Return what to do about several scores of a run that a column distinguishes, the likeliest first; row: one of them."""
    parts, attempts = bool({"id", "idx", "index"}.intersection(words(name))), names_attempts(name)
    # Numbers do not begin with zeros: `007` is the name of a level.
    texts = any(parsed(value) is None or PADDED.fullmatch(str(value)) for value in values)
    # Of attempts that are won or lost no last one is the score of a run.
    outcomes = attempts and bool(np.isin(checked.score, (0.0, 1.0)).all())
    counts = not outcomes and not texts
    progress = f"{column('step', name)} if it is the progress of training"
    named = checked.mapping.get("task")
    keep = generic = "keep the rows of one value"
    if kind(name) == "time":
        last = f"use {option('duplicates', 'last')} if the rows are evaluations one after another, of which the last counts"
        return f"{last}, or name the column: {progress}" if counts else f"{last}, or write their steps into a column"
    # Where nothing names a task, texts and levels do; `Suite` and `Test task` do together.
    if named is None and (texts or LIKE_TASKS.intersection(words(name))):
        keep = f"use {column('task', name)} if it names tasks"
    elif named is not None and texts and LIKE_TASKS.union(NAMING["task"]).intersection(words(name)):
        keep = f"use {column('task', f'{named}/{name}')} if both name the task"
    elif counts and kind(name) is None and not tunes(name) and _are_conditions(checked, name, values):
        joined = name if named is None else f"{named}/{name}"
        keep = f"use {column('task', joined)} if each value is a condition in which all are compared"
        progress = "" if any(number % 1 for number in map(float, values)) else progress
    elif attempts or parts:
        keep = f"use {option('duplicates', 'mean')} if they are {'parts' if parts else 'episodes'} of one run"
    of_config = f", or use {column('config', name)} if it names configurations"
    of_setting = f", or use {column(SETTINGS, name)} if it is a setting of the algorithm" * (not attempts)
    variant = f", or use {column('algorithm', name)} if it names algorithms"
    # Texts are no steps, whatever their column is called: a `checkpoint` may be `sft`, `dpo`.
    alone = len(checked.labels["algorithm"].names) == 1 and (texts or kind(name) is None)
    step = f", or name the column: {progress}" if counts and progress else ""
    chosen = f"; {column(ROWS, f'{name}={label(values[row])}')} keeps those of one value"
    rows = chosen if keep == generic else ""
    settings = of_config if candidates([name], "config") else of_setting
    # Of a single algorithm the values are what is compared.
    return f"{keep}{(variant + settings) if alone else settings}{step}{rows}"


def _are_conditions(checked: Tidy, name: str, values: Values) -> bool:
    """Return whether every algorithm has the same numbers, which are no steps: they have decimals, or their name counts something."""
    numbers, algorithms = labelled(values), checked.labels["algorithm"]
    counted = not (COUNTS | VARIED).isdisjoint(words(name))
    several = len(algorithms.names) > 1
    return (
        several and are_crossed(algorithms, numbers) and (counted or any(float(number) % 1 for number in numbers.names))
    )


def _counts_up(checked: Tidy, values: Values) -> bool:
    """Return whether whole numbers rise from row to row of every run, as sizes do that were chosen one after another."""
    numbers = floats(values)
    if numbers is None or (numbers % 1 != 0).any():
        return False
    runs = cells_alike([checked.labels[role] for role in NAMED], numbers.size)
    return bool((rises_within(numbers, runs) > 0).all())


def _repeated(checked: Tidy) -> tuple[int, int]:
    """Return the first pair of rows with the same run, and step; two equal numbers if there is none."""
    labels = checked.labels
    keys = cells_of(labels["algorithm"], labels["task"]) * len(labels["run"].names) + labels["run"].codes
    order = in_order(keys, checked.step)
    order = np.arange(keys.size) if order is None else order
    steps = np.empty(0) if checked.step is None else checked.step[order]
    again = np.flatnonzero(repeats(keys[order], steps))
    if not again.size:
        return 0, 0
    at = again[np.argmin(order[again])]
    return int(order[at - 1]), int(order[at])
