"""Items of benchmarks, and episodes of one policy: which columns name them, and what parts or repeats them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from runoff.base.arrays import Ints
from runoff.errors import DataError
from runoff.tables.columns import ROW, UNUSED, column_of, recognise
from runoff.tables.labels import Columns, Labels, cells_alike, labelled
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.unnamed import (
    CIRCUMSTANCES,
    LIKE_TASKS,
    are_numbers,
    changes_within,
    items_or_trainings,
    occurrences,
    strays,
)
from runoff.tables.values import are_outcomes, is_empty
from runoff.words.columns import names_attempts, names_runs, names_suite, texts_of_evaluation
from runoff.words.speech import column
from runoff.words.words import kind, names_items, vocabulary, words


def with_items(columns: Columns, chosen: Chosen, place: str, unit: str) -> tuple[Columns, Chosen]:
    """Return the columns and their roles: items of several benchmarks are named by both; a benchmark alone is a task.

    For episodes, the items of a task are tasks as well.
    """
    free = free_columns(columns, chosen)
    suites = [name for name in columns if names_suite(name)]
    items = [name for name in free if names_items(name)]
    others = [name for name in candidates(free, "task") if name not in items]
    # `benchmark` beside `id`: numbers of items begin anew in each benchmark.
    if not others and len(suites) == 1 and not items:
        ids = _numbers_of_items(columns, free, chosen)
        items = [name for name in ids if {"id", "idx", "index"}.issuperset(words(name))]
    if not others and not suites and len(items) == 2 and (ordered := _suite_first(columns, chosen, items)):
        suites, items = ordered[:1], ordered[1:]
    numbered = _named_answers(columns, chosen, others or suites, items)
    items = numbered or items
    groups = others if others and (unit == "episode" or numbered) else [] if others else suites
    if chosen.get("task") is None and len(groups) == 1:
        labels = [[str(value) for value in columns[name]] for name in (*groups, *items)]
        several = len(labels) == 2 and (bool(others) or len(set(labels[0])) > 1)
        if several:
            name = "/".join((groups[0], items[0]))
            columns = {**columns, name: list(map("/".join, zip(*labels, strict=True)))}
            chosen = {**chosen, "task": name}
        elif not items and groups[0] in free:
            chosen = {**chosen, "task": groups[0]}
    elif chosen.get("task") is None and not others:
        columns, chosen = _of_a_model(columns, chosen, items, place, unit)
        if unit == "episode" and chosen.get("task") is None and len(items) == 1:
            chosen = {**chosen, "task": items[0]}
    return _as_episodes(columns, chosen, place) if unit == "episode" else (columns, chosen)


_NUMBERS = vocabulary("id ids idx index number num no nr key uid uuid")
_NUMBERED = vocabulary("example doc question problem item sample instance task prompt row qid docid")


def is_number_of_item(name: str) -> bool:
    """Return whether a column of this name numbers items: `id`, `doc_id`, but not `question`.

    >>> is_number_of_item("id"), is_number_of_item("doc_id"), is_number_of_item("question")
    (True, True, False)
    """
    parts = words(name)
    return bool(_NUMBERS.intersection(parts)) and (_NUMBERS | _NUMBERED).issuperset(parts)


def _numbers_of_items(columns: Columns, free: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the columns that number items; beside several models or runs those of which each row has a number of its own number rows."""
    models = list(filter(None, [column_of("algorithm", free, chosen)]))
    several = any(len(labelled(columns[name]).names) > 1 for name in models) or any(map(names_runs, free))
    ids = list(filter(is_number_of_item, free))
    return [name for name in ids if not several or len(labelled(columns[name]).names) < len(columns[name])]


def _named_answers(columns: Columns, chosen: Chosen, others: Sequence[str], items: Sequence[str]) -> list[str]:
    """Return the column that names the items of a benchmark beside what a model answered, if each is there once for a model: `id` beside
    `prompt` and `task`."""
    free = free_columns(columns, chosen)
    if len(others) != 1 or chosen.get("task") or chosen.get("run") or not texts_of_evaluation(free):
        return []
    if candidates(free, "run") or candidates(free, "step"):
        return []
    # A number before the text of a question.
    attempts = list(filter(names_attempts, free))
    ids = [name for name in _numbers_of_items(columns, free, chosen) if name not in attempts]
    models = list(filter(None, [column_of("algorithm", free, chosen)]))
    cells = [labelled(columns[name]) for name in (*models, *others, *attempts)]
    for name in dict.fromkeys((*ids, *items)):
        keys = cells_alike([*cells, labelled(columns[name])], len(columns[name]))
        if name not in others and np.unique(keys).size == keys.size:
            return [name]
    return []


def _suite_first(columns: Columns, chosen: Chosen, items: Sequence[str]) -> list[str]:
    """Return two columns that both name items, that of fewer names first, if they name each row of an algorithm together, and nothing
    names runs: `problem` and `instance`."""
    free = free_columns(columns, chosen)
    algorithms = [name for name in (chosen.get("algorithm"), *candidates(free, "algorithm")) if name]
    if len(algorithms) != 1 or chosen.get("run") or candidates(free, "run") or any(map(names_attempts, free)):
        return []
    labels = {name: labelled(columns[name]) for name in items}
    few, many = sorted(items, key=lambda name: len(labels[name].names))
    keys = cells_alike([labelled(columns[algorithms[0]]), *labels.values()], len(columns[few]))
    parts = 1 < 2 * len(labels[few].names) <= len(labels[many].names)
    return [few, many] if parts and np.unique(keys).size == keys.size else []


def _of_a_model(
    columns: Columns, chosen: Chosen, items: Sequence[str], place: str, unit: str
) -> tuple[Columns, Chosen]:
    """Return the columns of a file with one model's answers, whose items become tasks, or ask what its rows are.

    An item is named by its number (`id`) if there is one next to the question, otherwise by the question itself.
    """
    free = free_columns(columns, chosen)
    exchanged = texts_of_evaluation(free)
    repeats = [name for name in free if items and "repeat" in words(name)]
    # Beside a column of algorithms `repeat` numbers runs.
    repeats = [] if candidates(columns, "algorithm") else repeats
    if not exchanged and not repeats:
        return columns, chosen
    numbers = _numbers_of_items(columns, free, chosen)
    numbers += [name for name in free if words(name) in (("example",), ("doc",))]
    questions = [name for name in exchanged if {"prompt", "prompts", "instruction"}.intersection(words(name))]
    named = [*numbers, *items, *questions][:1]
    if not named:
        return columns, chosen
    if chosen.get("run") is None and (parting := _parting(columns, chosen, named[0])):
        raise items_or_trainings(named[0], place, beside=parting)
    if unit != "episode" and chosen.get("run") is None:
        raise items_or_trainings(named[0], place)
    if named[0] in questions:
        columns = {**columns, named[0]: [_short(str(text)) for text in columns[named[0]]]}
    return columns, {**chosen, "task": named[0], **({"run": repeats[0]} if repeats and not chosen.get("run") else {})}


def _parting(columns: Columns, chosen: Chosen, item: str) -> str:
    """Return the only column of few texts by which rows of one model with one name of an item differ: `subject` beside `id`; "" without one, and
    where rows differ in numbers of attempts."""
    free = free_columns(columns, chosen)
    models = list(filter(None, [column_of("algorithm", free, chosen)]))
    own = [labelled(columns[name]) for name in (*models, item, *filter(names_attempts, free))]
    n_rows, exchanged = len(columns[item]), texts_of_evaluation(free)
    if np.unique(cells_alike(own, n_rows)).size == n_rows:
        return ""
    others = {
        name: labelled(columns[name]) for name in free if name not in (*exchanged, *models, item) and kind(name) is None
    }
    parting = [
        name
        for name, labels in others.items()
        if 2 <= len(labels.names) <= n_rows / 2
        and not are_numbers(labels)
        and np.unique(cells_alike([*own, labels], n_rows)).size == n_rows
    ]
    return parting[0] if len(parting) == 1 else ""


SHORT = 60
"""The largest number of letters of a question in the name of its task."""


def _short(text: str) -> str:
    """Return a question as a name; a longer one is cut and ends in a checksum of the whole, so that questions with the same beginning stay
    distinct."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else f"{line[:SHORT]}… {zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _as_episodes(columns: Columns, chosen: Chosen, place: str) -> tuple[Columns, Chosen]:
    """Return the columns and roles for episodes of one policy: the column that numbers episodes is the run, otherwise each row is a run.

    A run column keeps its role unless it has a single value for each algorithm, as the seed of a checkpoint has.
    """
    mapping = recognise(list(columns), wanted=("algorithm", "task"), chosen=chosen, place=place)
    free = [name for name in columns if name not in (*chosen.values(), *mapping.values())]
    n_rows = len(next(iter(columns.values())))
    policies = labelled(columns[mapping["algorithm"]] if "algorithm" in mapping else [""] * n_rows)
    _refuse_several_policies(columns, free, policies, place)
    if "task" not in mapping:
        # Several columns of successes and failures are those of several policies.
        won = [] if plays(columns, "score", chosen) else [name for name in free if are_outcomes(columns[name])]
        others = free if len(won) < 2 else [name for name in free if name not in won]
        _refuse_parted_episodes(columns, others, policies, place)
    if chosen.get("run") is not None:
        return columns, chosen
    attempts = [name for name in free if names_attempts(name)]
    runs = [name for name in candidates(free, "run") if name not in attempts]
    # As many values as algorithms: one seed of a checkpoint for each.
    if any(changes_within(labelled(columns[name]), policies.codes) for name in runs):
        return columns, chosen
    episodes = cells_alike([labelled(columns[name]) for name in (*mapping.values(), *attempts)], n_rows)
    # The column that numbers episodes is their name if no two rows have the same.
    if not attempts or not (occurrences(episodes) > 0).any():
        return columns, {**chosen, "run": attempts[0] if len(attempts) == 1 else ROW}
    return _with_copies(columns, {**chosen, "run": ROW}, policies, attempts, episodes)


def _with_copies(
    columns: Columns, chosen: Chosen, policies: Labels, attempts: Sequence[str], episodes: Ints
) -> tuple[Columns, Chosen]:
    """Return the columns with a name for each episode if rows may be repeated by mistake; otherwise each row is an episode.

    episodes: codes of each row's algorithm, task and episode number. Rows with the same episode number are two episodes if they differ in a
    column other than the score (a scene), or if most of them recur with other scores, because numbering restarts in a second session.
    """
    scores = candidates([name for name in columns if name not in attempts], "score")
    score = chosen.get("score") or next(iter(scores), None)
    alike = cells_alike([labelled(columns[name]) for name in columns if name != score], episodes.size)
    # A number names its episode, so that few copies are copies too: no COPIES are needed to exclude chance.
    stray, _ = strays(columns, list(columns), policies, alike, enough=1)
    if not stray.any():
        return columns, chosen
    first = np.unique(alike, return_index=True)[1][np.unique(alike, return_inverse=True)[1]]
    kept, again = np.flatnonzero(~stray), np.zeros(episodes.size, np.int64)
    again[kept] = occurrences(episodes[kept])
    numbers = list(zip(*(map(str, columns[name]) for name in attempts), strict=True))
    names = ["/".join(numbers[row]) + f" ({again[row] + 1})" * bool(again[row]) for row in first.tolist()]
    run = "/".join(attempts)
    return {**columns, run: names}, {**chosen, "run": run}


def _refuse_several_policies(columns: Columns, free: Sequence[str], policies: Labels, place: str) -> None:
    """Refuse to pool episodes of several policies that a column other than the algorithm names."""
    for name in free:
        saved = candidates([name], "algorithm") or not {"checkpoint", "ckpt", "snapshot"}.isdisjoint(words(name))
        if saved and changes_within(labelled(columns[name]), policies.codes):
            raise DataError(
                f"{place}: column {name!r} takes several values for one algorithm, so that these are episodes of several policies: keep the "
                f"rows of one, or name each policy in one column: {column('algorithm')}."
            )


def _refuse_parted_episodes(columns: Columns, free: Sequence[str], policies: Labels, place: str) -> None:
    """Refuse to pool the episodes of a policy that a column of names parts, as skills or objects do."""
    exchanged = texts_of_evaluation(columns)
    for name in free:
        like = bool(LIKE_TASKS.intersection(words(name)))
        about = bool(CIRCUMSTANCES.intersection(words(name))) or name in exchanged
        about = about or names_attempts(name) or names_runs(name)
        if about or (kind(name) is not None and not like):
            continue
        values = labelled(columns[name])
        # What differs from row to row, or is often left out, is a remark.
        few = len(values.names) <= len(values) / 2 and not any(map(is_empty, values.names))
        if few and changes_within(values, policies.codes) and (like or not are_numbers(values)):
            shown = ", ".join(map(repr, values.names[:3]))
            raise DataError(
                f"{place}: column {name!r} parts the episodes of a policy ({shown}), and episodes of different tasks are not pooled: use "
                f"{column('task', name)} if it names tasks, or {column(UNUSED, name)} if all are of one task."
            )
