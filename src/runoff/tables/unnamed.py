"""Tables that do not name their runs: a row is a run only if nothing in the table contradicts it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

import numpy as np

from runoff.base.arrays import Bools, Floats, Ints
from runoff.errors import DataError
from runoff.tables.columns import ROW, listed
from runoff.tables.labels import Columns, Labels, Values, alike, cells_alike, labelled, n_pairs
from runoff.tables.source import SourceTable
from runoff.tables.values import floats
from runoff.words.columns import names_attempts, texts_of_evaluation
from runoff.words.labels import HOSTS, counts_runs, is_spread
from runoff.words.patterns import regex
from runoff.words.speech import claims_of, column, option
from runoff.words.words import EVALUATION, canonical, kind, names_items, vocabulary, words

BY_ROW = "there is no run column: each row is taken as one independent run, or attempt, of its task"
BY_STEP = "there is no run column: a new run is assumed to begin where the steps restart"
ONE_RUN = "there is no run column: the steps only rise, so all rows of an algorithm on a task are taken as one run"
INTERLEAVED = (
    "there is no run column, and rows are not sorted by run: the k-th row of each step is taken as run k, so end scores are right, but which "
    "evaluations belong to one run is assumed"
)
LIKE_TASKS = vocabulary(
    "map level scenario difficulty maze world domain layout scene track suite course terrain arena "
    "gebäude umgebung aufgabe karte stufe schwierigkeit szenario "
    "environnement carte niveau scénario entorno tarea mapa building town intersection corpus garment "
    "sequence circuit racetrack city object objects terreno terrain terreni percorso pista ambiente"
)
"""Words in names of columns that nearly always contain tasks."""
CIRCUMSTANCES = HOSTS | vocabulary(
    "gpu gpus cpu device date day "
    "week month created updated started finished start end timestamp note notes comment comments remark remarks status state path "
    "file filename folder dir directory url link job slurm pid port python torch cuda driver library os platform done converged crashed "
    "failed truncated terminated valid ok rater annotator project entity "
    "bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare datum remarque remarques commentaire commentaires observaciones "
    "comentario comentarios observações nota opmerking 備考 メモ 日付 备注 说明 日期 비고 "
    "stato estado statut état статус 状态 状態 상태"
)
"""Words in names of columns that describe the circumstances or the end of a run; runs that differ only in these are repeats."""
DATE = regex(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ].*)?")
"""What a date looks like, with or without a time."""
PROGRESS = ("step", "iteration", "episode", "time")
"""Kinds of columns that increase along a learning curve."""


def cells_of(algorithms: Labels, tasks: Labels) -> Ints:
    """Return the number of each row's cell (algorithm and task), in order of appearance."""
    # By first appearance, for refusals speak of the first cell that a reader of the table meets.
    pairs = algorithms.codes * len(tasks.names) + tasks.codes
    _, first, cells = np.unique(pairs, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[cells])


def numbered(cells: Ints) -> Labels:
    """Return the number of each row within its cell."""
    return _as_labels(occurrences(cells))


def _as_labels(numbers: Ints) -> Labels:
    return Labels(list(map(str, range(int(numbers.max(initial=-1)) + 1))), numbers)


def occurrences(keys: Ints) -> Ints:
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(keys[order], keys[order])
    ranks = np.empty_like(keys)
    ranks[order] = np.arange(keys.size) - first
    return ranks


# ── items that stand there again ──────────

ITEMS, COPIES = 20, 6
"""The number of tasks from which on outcomes 0 and 1 are those of items, whatever their column is called, and the number of items whose
attempts are not all equal by chance."""


def strays(
    columns: Columns, names: Sequence[str], algorithms: Labels, cells: Ints, enough: int = COPIES
) -> tuple[Bools, Bools]:
    """Return the rows of items that may be there by mistake, and a mask of the rows that repeat an earlier row exactly in the named columns.

    For each algorithm these are second rows of an item if most items have one row, and the rows of items (at least `enough`) if all rows of
    each are equal.
    """
    again = occurrences(cells) > 0
    keys = alike([labelled(columns[name]) for name in names], cells) if again.any() else cells
    copies, stray = occurrences(keys) > 0, np.zeros(cells.size, np.bool_)
    for code in np.unique(algorithms.codes[again]):
        own = algorithms.codes == code
        n_cells, n_again = np.unique(cells[own]).size, np.unique(cells[own & again]).size
        if 2 * n_again < n_cells or (n_again >= enough and copies[own & again].all()):
            stray |= own & again
    return stray, copies


# ── rows with steps ──────────


def by_steps(cells: Ints, steps: Floats, place: str) -> tuple[Labels, str]:
    """Return the run of each row, and the note on how runs were distinguished."""
    runs, interleaved = np.zeros(cells.size, np.int64), False
    for cell in range(int(cells.max()) + 1):
        rows = np.flatnonzero(cells == cell)
        own, mixed = _runs_of(steps[rows])
        if own is None:
            raise DataError(
                f"{place}: there are steps but no column that names the runs, and nothing says where one run ends, because the runs of an "
                f"algorithm on a task would have different steps; name the runs: {column('run')}."
            )
        runs[rows] = own
        interleaved |= mixed
    return _as_labels(runs), INTERLEAVED if interleaved else BY_STEP if runs.any() else ONE_RUN


def _runs_of(steps: Floats) -> tuple[Ints | None, bool]:
    """Return the run of each row of a cell, None if it cannot be known, and whether the rows of several runs are interleaved."""
    # A step that repeats begins a run too: two runs of one evaluation each have one step.
    begins = np.concatenate([[True], np.diff(steps) <= 0])
    blocks = np.split(steps, np.flatnonzero(begins)[1:])
    # Blocks of equal steps are runs one after the other. Of other blocks one may be a restart, and nothing says
    # which.
    if all(np.array_equal(block, blocks[0]) for block in blocks):
        return np.cumsum(begins) - 1, False
    _, keys, counts = np.unique(steps, return_inverse=True, return_counts=True)
    # Where each step stands equally often, the rows may be sorted by step: the k-th row of each is taken as run k.
    equally_often = counts[0] > 1 and bool(np.all(counts == counts[0]))
    return occurrences(keys.astype(np.int64)) if equally_often else None, True


# ── rows without steps ──────────


def items_or_trainings(name: str, place: str, beside: str | None = None) -> DataError:
    """Return the question about items that no role has; `beside`: the column of benchmarks, two of which may have an item of one name."""
    use = option("unit", "episode") if beside is None else column("task", f"{beside}/{name}")
    return DataError(
        f"{place}: no column names the runs, and column {name!r} names items, whose answers are not trainings: use "
        f"{use}, and each item is a task of its own, or {column('run', name)} if they are training runs nevertheless."
    )


def refuse_attempts(name: str, place: str, *, alone: bool = False) -> DataError:
    """Return the question whether the rows that a column numbers are attempts of one trained policy, or trainings; `alone`: it numbers all
    rows, as those of a curve."""
    step = f"{column('step', name)} if it is the progress of training, " if kind(name) == "episode" else ""
    if alone and step:
        return DataError(
            f"{place}: column {name!r} may be the progress of training, or number attempts: use {step}{option('unit', 'episode')} if its rows "
            f"are attempts of one trained policy or model, or {column('run', name)} if each is a training of its own."
        )
    return _attempts_or_trainings(f"{place}: column {name!r} may number attempts", f"{step}or {column('run', name)}")


def refuse_wide_attempts(table: SourceTable, heads: Sequence[str], run: str | None) -> None:
    """Ask whether outcomes of 0 and 1 in a wide table are attempts of one policy, or trainings, as in tall tables: those that a column called
    `trial` (`run`) numbers, or, where that is "", the heads, `trial 1` and `trial 2`."""
    if run is None or not (
        names_attempts(run) if run else all(names_attempts(NUMBERED.sub("", head)) for head in heads)
    ):
        return
    scores = [floats(table.columns[head]) for head in heads]
    if not all(own is not None and {*own} <= {0.0, 1.0} for own in scores):
        return
    if run:
        raise refuse_attempts(run, table.place)
    what = f"{table.place}: the headers {listed(heads[:3])} may number attempts"
    raise _attempts_or_trainings(what, f"or {option('keys', 'run')}")


NUMBERED = regex(r"[\W_]*\d+$")
"""The number behind a name."""


def ask_of_attempts(table: SourceTable) -> None:
    """Ask what the attempts of a run are that the path names; its evaluations they are not."""
    # Training counts its episodes too; in `eval_final.csv` they are those of one evaluation if they count 0, 1, 2, …
    evaluated = not EVALUATION.isdisjoint(words(PurePath(table.place).stem))
    for name in filter(names_attempts, table.columns):
        numbers = floats(table.columns[name])
        in_turn = numbers is not None and numbers[0] in (0, 1) and bool((np.diff(numbers) == 1).all())
        if kind(name) != "episode" or (evaluated and in_turn):
            step = f", or {column('step', name)} if they are the progress of training" if numbers is not None else ""
            raise DataError(
                f"{table.place}: the path names a run, and column {name!r} may number its attempts: use {option('duplicates', 'mean')} if the "
                f"score of the run is their mean{step}."
            )


def _attempts_or_trainings(what: str, trainings: str) -> DataError:
    return DataError(
        f"{what}, which are not trainings: use {option('unit', 'episode')} if they are attempts of one trained policy or model (answers are "
        f"then about these, not about training them again), {trainings} if each is a training of its own."
    )


def refuse_outcomes(name: str, place: str) -> DataError:
    """Return the same question for a wide table of true and false without a column that names its rows."""
    return _attempts_or_trainings(f"{place}: the rows of {name!r} may be attempts", f"or {column('run', ROW)}")


EPISODES = 20
"""The largest number of rows of a cell that are taken as runs although their scores are named as those of episodes."""


def refuse_mixed_episodes(columns: Columns, unused: Sequence[str], cells: Ints, steps: Floats, place: str) -> None:
    """Refuse to take the episodes of an evaluation for runs if a column numbers them and none names the runs."""
    points = list(zip(cells.tolist(), steps.tolist(), strict=True))
    for name in (name for name in unused if names_attempts(name)):
        if len(set(zip(points, map(str, columns[name]), strict=True))) > len(set(points)):
            raise DataError(
                f"{place}: no column names the runs, and column {name!r} numbers several episodes at one step, which are not runs: add a column "
                f"that names the runs (one name, if there is one), or use {column('run', name)} if each is a training of its own."
            )


ITERATIONS = vocabulary("iteration iterations iter iters itr")
REPETITIONS = 10
"""The most iterations, the same of each algorithm on each task, that may be repetitions as well as the progress of training."""


def refuse_repetitions(name: str, steps: Floats, cells: Ints, place: str) -> None:
    """Ask whether a few iterations, one row of each in all cells, are repetitions, as those of resampling in R, or the progress of training."""
    numbers, codes = np.unique(steps, return_inverse=True)
    n = numbers.size
    in_turn = numbers[0] in (0, 1) and np.array_equal(numbers, numbers[0] + np.arange(n))
    crossed = 1 < int(cells.max()) + 1 == n_pairs(cells, codes) / n == steps.size / n
    if in_turn and crossed and 1 < n <= REPETITIONS and not ITERATIONS.isdisjoint(words(name)):
        raise DataError(
            f"{place}: no column names the runs, and column {name!r} counts {n} iterations of each algorithm on each task, which may be its "
            f"repetitions or the progress of its training; use {column('run', name)}, or {column('step', name)}."
        )


def refuse_counted(
    columns: Columns, unused: Sequence[str], cells: Ints, place: str, *, with_step: bool, named: Mapping[str, str]
) -> None:
    """Refuse to count rows, or series of rows, as runs if an unused column indicates that they are something else.

    named: {role: column} of the columns that name the algorithm, the task and the score.
    """
    if not with_step:
        _refuse_summaries(columns, unused, cells, place)
        _refuse_epochs(columns, cells, place)
    expected, exchanged = PROGRESS if with_step else (), texts_of_evaluation(unused)
    for name in (name for name in unused if kind(name) not in expected and name not in exchanged):
        values = labelled(columns[name])
        if not with_step and names_attempts(name) and changes_within(values, cells):
            raise refuse_attempts(
                name, place, alone=not named and int(cells.max()) == 0 and len(values.names) == len(values)
            )
        if not with_step and names_items(name) and changes_within(values, cells):
            raise items_or_trainings(name, place, beside=named.get("task"))
        # A column of a few values again and again within a cell (`difficulty`, `checkpoint`) is a factor that rows
        # were made for.
        what = _other_than_runs(name, values, cells)
        if what is not None:
            once = with_step or len(set(zip(cells.tolist(), values, strict=True))) == len(values)
            run = f"{column('run', name)} if it names runs, " if once else ""
            step = f"{column('step', name)} if it is the progress of training, " if are_numbers(values) else ""
            joined = {role: column(role, f"{named[role]}/{name}") for role in ("task", "algorithm") if role in named}
            task = f"{joined.get('task', column('task', name))} if it names tasks, "
            algorithm = f"{joined['algorithm']} if it names algorithms, " if "algorithm" in joined else ""
            # The likeliest comes first: a clock is no name, texts say what was done.
            ways: tuple[str, ...] = (
                (step, task, algorithm, run) if kind(name) in PROGRESS else (run, step, task, algorithm)
            )
            ways = ways if are_numbers(values) else (task, algorithm, run)
            raise DataError(
                f"{place}: no column names the runs, and column {name!r} {what}, so rows are not simply runs; name its role: "
                f"{''.join(ways).removesuffix(', ')}; or use {column('run', ROW)} if each row is one run nevertheless."
            )
    if not with_step and exchanged and int(cells.max()) + 1 < cells.size:
        what = f"{place}: column {exchanged[0]!r} holds what a model was asked or answered, and no column names its items: rows are answers"
        raise _attempts_or_trainings(what, f"or {column('run', ROW)}")
    # `episode_reward` with hundreds of rows a cell is a log of episodes; with twenty or fewer it is how people name a
    # score.
    most = int(np.bincount(cells).max())
    if not with_step and most > EPISODES and {"episode", "episodic"}.intersection(words(named.get("score", ""))):
        what = f"{place}: {most} rows of one algorithm and task may be episodes ({named['score']!r})"
        raise _attempts_or_trainings(what, f"or {column('run', ROW)}")


def refuse_likely_task(columns: Columns, unused: Sequence[str], algorithms: Labels, place: str) -> None:
    """Refuse to pool runs of an algorithm that a column with a usual name of tasks distinguishes."""
    for name in unused:
        if LIKE_TASKS.intersection(words(name)) and isinstance(columns[name][0], str):
            values = labelled(columns[name])
            if not are_numbers(values) and changes_within(values, algorithms.codes):
                raise DataError(
                    f"{place}: no column is recognised as the task, but the runs of one algorithm differ in column {name!r} "
                    f"({values.names[0]!r}, {values.names[1]!r}); use {column('task', name)}, or give the table without it if all runs are of "
                    "one task."
                )


def _refuse_summaries(columns: Columns, unused: Sequence[str], cells: Ints, place: str) -> None:
    """Refuse rows that summarise several runs: a column counts the runs, or a spread stands next to the only score of each cell."""
    # One row a cell with a column `std` beside it: the row is a mean.
    alone = int(cells.max()) + 1 == cells.size
    for name in unused:
        # `n` beside one score of each algorithm on each task.
        counts = counts_runs(name) or (alone and words(name) and COUNTS.issuperset(words(name)))
        if counts and _all_above_one(columns[name]):
            what = f"column {name!r} counts runs ({columns[name][0]} in the first row)"
        elif alone and (is_spread(name) or canonical(name) in ("sd", "se")):
            what = f"column {name!r} holds a spread"
        else:
            continue
        raise DataError(
            f"{place}: {what}, so each row summarises several runs and is not a run; give the score of every run in a row of its own, or judge "
            f"what such a table claims with {claims_of(place)}; or, if each row is one run, use {column('run', ROW)}."
        )


def are_epochs(names: Iterable[str]) -> bool:
    """Return whether names are those of a history as Keras writes it, without the epochs: measures of validation beside those of training.

    >>> are_epochs(["loss", "val_accuracy"]), are_epochs(["accuracy", "val_accuracy"]), are_epochs(["val_accuracy", "val_loss"])
    (True, True, False)
    """
    own = {*names}
    validated = [name for name in own if name.startswith("val_")]
    return bool(validated) and ("loss" in own or any(name.removeprefix("val_") in own for name in validated))


def _refuse_epochs(columns: Columns, cells: Ints, place: str) -> None:
    """Refuse to take the rows of a history of training, which lacks the epochs and is of one algorithm, for runs."""
    if are_epochs(columns) and not cells.any() and cells.size > 1:
        raise DataError(
            f"{place}: no column names the runs, and the rows may be epochs of one training, with measures of training and validation side by "
            f"side; write the epochs into a column, or use {column('run', ROW)} if each row is a run."
        )


COUNTS = vocabulary("n num number count counts cnt of sample samples size")
"""Words in names of columns that may count the runs behind each score."""
RANGE = regex(r"\s*\d+\s*[-\u2013:]\s*\d+\s*")


def _all_above_one(values: Values) -> bool:
    try:
        # Seeds `0-4` are five.
        return all(RANGE.fullmatch(str(value)) or float(value) > 1 for value in values)
    except (TypeError, ValueError):
        return False


def _other_than_runs(name: str, values: Labels, cells: Ints) -> str | None:
    contents, n_values, changes = kind(name), len(values.names), changes_within(values, cells)
    if contents in ("step", "iteration", "episode", "stage"):
        return "takes several values for one algorithm and task" if changes else None
    if contents == "time":
        return "rises from row to row" if _rises(values, cells) else None
    repeats = contents is None and 2 <= n_values <= len(values) / 2 and changes
    return f"repeats {n_values} values for one algorithm and task" if repeats else None


def changes_within(values: Labels, cells: Ints) -> bool:
    """Return whether a column has several values in some cell."""
    return n_pairs(cells, values.codes) > int(cells.max()) + 1


def rises_within(numbers: Floats, cells: Ints) -> Floats:
    """Return by how much numbers change from row to row of each cell."""
    order = np.argsort(cells, kind="stable")
    return np.asarray(np.diff(numbers[order])[np.diff(cells[order]) == 0])


def counts_rows(columns: Columns, name: str) -> bool:
    """Return whether a column counts the rows of each cell from 0 or 1, once each, as weeks and shifts do.

    Cells are what the columns of texts name.
    """
    own = floats(columns[name])
    texts = [labelled(values) for values in columns.values() if floats(values, gaps=True) is None]
    if own is None or not texts or (own % 1 != 0).any() or own.min() not in (0, 1):
        return False
    cells = cells_alike(texts, own.size)
    sizes = np.bincount(cells)
    distinct = np.unique(np.column_stack([cells, own]), axis=0).shape[0] == own.size
    # Once each, from the lowest on without a gap: then the highest of a cell says how many rows it has.
    highest = np.full(sizes.size, -np.inf)
    np.maximum.at(highest, cells, own)
    return bool(distinct and sizes.min() > 1 < sizes.size and (highest - own.min() + 1 == sizes).all())


def are_numbers(values: Labels) -> bool:
    return all(re.fullmatch(r"\s*-?[\d.]+(e[+-]?\d+)?\s*", value) for value in values.names)


def _rises(values: Labels, cells: Ints) -> bool:
    try:
        numbers = np.array([float(name) for name in values.names])[values.codes]
    except ValueError:
        return False
    steps = rises_within(numbers, cells).tolist()
    # A clock that rises from row to row says that the rows are one training's; of two rows one is always later.
    return len(steps) >= 2 and min(steps) > 0
