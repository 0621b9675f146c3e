"""Columns without a known name that can only be the algorithms, the tasks or the steps: by what they hold, or because rows need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from runoff.errors import DataError, warn
from runoff.reading._known import Meaning, is_ablation, is_contender, meaning_of, named_run, says_nothing
from runoff.reading.formats import NotRuns
from runoff.tables.columns import NAMED, SETTINGS, column_of, columns_of, listed, missing_column
from runoff.tables.factors import KINDS
from runoff.tables.labels import Columns, Labels, Values, are_crossed, cells_alike, labelled
from runoff.tables.likely import LATER, Chosen, candidates, free_columns, plays
from runoff.tables.numerals import FRACTION
from runoff.tables.settings import tunes
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import CIRCUMSTANCES, DATE, LIKE_TASKS, changes_within
from runoff.tables.values import amounts, floats, is_empty, is_lost, outcomes, parsed
from runoff.words.columns import names_attempts, names_runs, texts_of_evaluation
from runoff.words.labels import run_of
from runoff.words.patterns import regex
from runoff.words.speech import column, neutral, option
from runoff.words.words import kind, vocabulary, words

OTHERS = vocabulary(
    "opponent opponents teacher expert base init initialization pretrained pretraining source reference behavior behaviour collector prompt "
    "loss reward mode version augmentation optimizer optimiser network metric metrics measure quantity "
    "stat stats statistic group who variant variants kind type condition set cohort criterion criteria aspect "
    "dimension kpi indicator category attribute property field variable outcome endpoint hand side"
)
"""Words of columns that name what was measured, or algorithms and what these were trained with beside those that are compared."""
STRATEGIES = {(name,) for name in LATER["algorithm"] if name not in OTHERS}
"""Last words of columns of algorithms, whatever stands before them: `prompt_strategy`."""


def without_misnamed(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles without columns whose content cannot play the role that their name says, unless the user says so: `checkpoint` may
    hold `best.pt`, `maze`, `run` and `fold` the scores in a task beside others, `heuristic` those of an algorithm, `ctrl` what a policy put
    out, and `result` texts beside `passed`."""
    free, scored = free_columns(columns, chosen), plays(columns, "score", chosen)
    roles = ("step", "task", "algorithm", "run")
    steps, tasks, algorithms, runs = ([] if chosen.get(role) else candidates(free, role) for role in roles)
    texts = [name for name in steps if not any(parsed(value) is not None for value in amounts(columns[name]))]
    scores = [] if scored else [name for name in {*steps, *tasks, *runs} if are_scores(columns[name])]
    unordered = [name for name in steps if name in texts or (name in scores and not _are_in_order(columns[name]))]
    # A method that is called `heuristic` heads its scores.
    controls = [
        name
        for name in algorithms
        if (words(name) == ("ctrl",) and floats(columns[name]) is not None)
        or ({*words(name)} <= {*LATER["algorithm"]} and are_scores(columns[name]))
    ]
    likely = [] if chosen.get("score") else candidates(free, "score")
    worded = [name for name in likely if all(parsed(value) is None for value in outcomes(columns[name]))]
    # Of two columns that could be the run, one may be; of two tasks, or steps, nothing is known.
    without = {
        "--no-step": unordered if len(steps) == 1 else [],
        "--no-task": [name for name in tasks if name in scores] if len(tasks) == 1 else [],
        "--no-algorithm": controls if len(algorithms) == 1 else [],
        "--no-run": [name for name in runs if name in scores],
        "--no-score": worded if len(likely) > 1 else [],
    }
    return {**chosen, **{role: own[0] for role, own in without.items() if len(own) == 1}}


def are_scores(values: Values) -> bool:
    """Return whether numbers are no names: they have fractions, or are counts of successes, `7/10`."""
    numbers = floats(values)
    if numbers is not None:
        return bool((numbers % 1 != 0).any())
    shares = [FRACTION.fullmatch(str(value)) for value in values if not is_lost(value)]
    return bool(shares) and all(shares)


def _are_in_order(values: Values) -> bool:
    """Return whether numbers rise, or are met more than once, as those of steps."""
    numbers = floats(values)
    return numbers is None or bool((np.diff(numbers) > 0).all()) or np.unique(numbers).size < numbers.size


def with_bandits(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles where a bandit, which is a task or what plays one, stands beside the task of each row: it is the algorithm."""
    free = free_columns(columns, chosen)
    roles = columns_of((*NAMED, "step"), free, chosen)
    if roles["algorithm"] or words(roles["task"]) != ("bandit",) or chosen.get("task"):
        return chosen
    others = names_in_columns(columns, [name for name in free if name not in roles.values()])
    places = [name for name in others if _names_places(name)]
    return {**chosen, "algorithm": roles["task"], "task": places[0]} if len(places) == 1 else chosen


def with_open_roles(columns: Columns, chosen: Chosen, place: str) -> Chosen:
    """Return the roles with columns of texts for the algorithm and the task that no name shows."""
    free = free_columns(columns, chosen)
    roles = columns_of((*NAMED, "step"), free, chosen)
    if all(roles[role] for role in NAMED[:2]):
        return chosen
    roles["run"] = roles["run"] or next(filter(names_attempts, free), "")
    texts = names_in_columns(columns, [name for name in free if name not in roles.values()])
    opened: dict[str, str] = {}
    for role in NAMED[:2]:
        holding = [name for name, own in texts.items() if not roles[role] and _holds(name, own, role)]
        if len(holding) == 1:
            opened[role] = roles[role] = holding[0]
            texts.pop(holding[0])
    missing = [role for role in NAMED[:2] if not roles[role]]
    named = [labelled(columns[name]) for name in roles.values() if name in columns]
    texts = {name: own for name, own in texts.items() if CIRCUMSTANCES.isdisjoint(words(name))}
    left = [name for name, own in texts.items() if all(changes_within(own, other.codes) for other in named)]
    left = [name for name in left if missing != ["algorithm"] or not _names_places(name)]
    needed = [name for name in left if len(missing) == 1 and _is_needed(columns, name, roles)]
    if len(needed) == 1:
        opened[missing[0]] = needed[0]
        _warn_of(place, needed[0], missing[0])
    return {**chosen, **opened} if opened else chosen


def with_places(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles of a table whose heads may be what is scored, with the one column of texts that is named as tasks nearly always are."""
    free = free_columns(columns, chosen)
    if chosen.get("task") or candidates(free, "task"):
        return chosen
    likely = [name for name in names_in_columns(columns, free) if not LIKE_TASKS.isdisjoint(words(name))]
    return {**chosen, "task": likely[0]} if len(likely) == 1 else chosen


def _names_places(name: str) -> bool:
    return not LIKE_TASKS.isdisjoint(words(name)) or words(name)[-1:] in (("dataset",), ("datasets",))


def names_in_columns(columns: Columns, names: Sequence[str]) -> dict[str, Labels]:
    """Return the columns of few names, which are neither settings nor kinds of an algorithm."""
    texts, exchanged = {}, texts_of_evaluation(columns)
    for name in names:
        parts = {*words(name)}
        about = (
            (parts & (KINDS | OTHERS) and not parts & LIKE_TASKS)
            or name in exchanged
            or names_runs(name)
            or names_attempts(name)
            or tunes(name)
        ) and words(name)[-1:] not in STRATEGIES
        if about or kind(name) not in (None, "stage") or candidates([name], "config"):
            continue
        if not isinstance(columns[name][0], str):
            continue
        own = labelled(columns[name])
        worded = all(text and parsed(text) is None and not DATE.fullmatch(text) for text in own.names)
        if worded and meaning_of(own.names) in (None, "task", "algorithm") and 2 <= len(own.names) <= len(own) / 2:
            texts[name] = own
    return texts


def _holds(name: str, own: Labels, role: str) -> bool:
    return meaning_of(own.names) == role or (role == "task" and not LIKE_TASKS.isdisjoint(words(name)))


def _is_needed(columns: Columns, name: str, roles: Mapping[str, str]) -> bool:
    """Return whether rows of named runs differ by a column alone, in which all that is named is combined with all of its names."""
    own, beside = labelled(columns[name]), {role: _codes(columns[n]) for role, n in roles.items() if n in columns}
    others = [labels for role, labels in beside.items() if role in NAMED[:2]]
    # Items, of which each row is one, need no names of runs.
    if "run" not in beside and "algorithm" in beside:
        return False
    keys = cells_alike([*beside.values()], len(own))
    if int(keys.max()) + 1 == len(own):
        return False
    several = "algorithm" not in beside or len(beside["algorithm"].names) > 1
    if not (several and all(are_crossed(other, own) for other in others)):
        return False
    return int(cells_alike([Labels([""] * (int(keys.max()) + 1), keys), own], len(own)).max()) + 1 == len(own)


def asked_of_rows(table: SourceTable, heads: Sequence[str], kept: Mapping[str, str], *, algorithms: bool) -> str:
    """Return the question what the rows below heads of runs are: steps, if a column rises by row.

    kept: the columns of roles, {role: name}; algorithms: the heads name algorithms too.
    """
    free = [name for name in table.columns if name not in {*heads, *kept.values()}]
    rising = [name for name in free if (own := floats(table.columns[name])) is not None and (np.diff(own) > 0).all()]
    repairs = [f"use {column('step', rising[0])} if column {rising[0]!r} is the progress of training"] if rising else []
    repairs += [] if rising else ["give them a column of tasks or steps"]
    repairs += [f"use {option('keys', 'algorithm')} if every column is an algorithm"] * algorithms
    return (
        f"{table.place}: the headers {listed(heads[:4])} name runs, but nothing says what the {table.n_rows} rows are; "
        f"{', or '.join(repairs)}."
    )


def tells_rows_apart(table: SourceTable, kept: Mapping[str, str], name: str, heads: Meaning | None) -> str | None:
    """Return the role of a column of texts beside heads of runs, or of algorithms, with a warning: named rows differ in it alone. None if it may
    be something else.

    kept: the columns of roles, {role: name}; heads: what the heads name.
    """
    ways = {"run": ("algorithm", "task"), "number": ("task",), "algorithm": ("run",)}.get(str(heads), ())
    beside = next((role for role in ways if role in kept), "")
    role = "algorithm" if beside == "task" else "task"
    if not beside or role in kept or not CIRCUMSTANCES.isdisjoint(words(name)):
        return None
    if not names_in_columns(table.columns, [name]):
        return None
    own, labels = labelled(table.columns[name]), labelled(table.columns[kept[beside]])
    if not are_crossed(labels, own) or table.n_rows != len(labels.names) * len(own.names):
        return None
    warn(
        f"{table.place}: column {name!r} is taken as the {role}, because it alone tells rows apart; say so if it is: {column(role, name)}"
    )
    return role


def refuse_unnamed(table: SourceTable, chosen: Chosen, unused: Sequence[str]) -> None:
    """Refuse a table without an algorithm if a column may contain it."""
    # Beside what a model was asked and what it answered, other texts (a category) are no models: the file is one's.
    evaluates = bool(texts_of_evaluation(unused))
    free = () if evaluates else free_columns(unused, chosen)
    texts = {name: labelled(table.columns[name]) for name in free}
    texts = {
        name: own
        for name, own in texts.items()
        # `done`: False, True names nothing, and neither does a clock.
        if len(own.names) > 1
        and kind(name) != "time"
        and any(
            parsed(text) is None and not is_empty(text) and not DATE.fullmatch(text) for text in outcomes(own.names)
        )
    }
    tasks = labelled(table.columns.get(column_of("task", table.columns, chosen), [""] * table.n_rows)).codes
    # Neither a name of each row, or task, nor a date, a host or a status is proposed.
    likely = [
        name
        for name, own in texts.items()
        if 2 * len(own.names) <= table.n_rows
        and kind(name) in (None, "stage")
        and not CIRCUMSTANCES.intersection(words(name))
        and changes_within(own, tasks)
    ]
    config = next((name for name in candidates(table.columns, "config") if not chosen.get("config")), None)
    named = labelled(table.columns[config]).names if config else []
    # Beside names of hosts and commits alone they are what remains.
    if config and (
        any(map(is_contender, named)) or any(map(is_ablation, named)) or (len(named) > 1 and texts and not likely)
    ):
        raise DataError(
            f"{table.place}: column {config!r} may name algorithms, or configurations of one; use {column('algorithm', config)}, or "
            f"{column('config', config)}."
        )
    for name in [*likely, *texts][:1]:
        proposed = name if likely else "NAME"
        refusal = neutral(missing_column("algorithm", list(table.columns), table.place, proposed)).removesuffix(".")
        raise NotRuns(f"{refusal} (column {name!r} holds text: is it the algorithm?).")


def refuse_names_of_runs(table: SourceTable, chosen: Chosen, algorithm: str) -> None:
    """Refuse runs that are called by words where the path, which names their algorithm, says nothing: each word may be of another."""
    name = column_of("run", table.columns, chosen)
    called = name in table.columns and not chosen.get("run") and says_nothing(algorithm)
    own = labelled(table.columns[name]).names if called else []
    worded = [text for text in own if named_run(text) is None and run_of(text) is None and WORD.search(text)]
    if 2 * len(worded) > len(own) and len({*map(tuple, map(WORD.findall, worded))}) > 1:
        raise DataError(
            f"{table.place}: nothing says which algorithm the runs in column {name!r} are of ({listed(worded, 3)}); add a column 'algorithm', "
            f"or use {column('run', name)} if all are runs of one algorithm, or {column('algorithm', name)} if each is an algorithm."
        )


WORD = regex(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
"""A word of a name, `fluffy-owl-17`, which the number of a run or an id has not."""


def _codes(values: Values) -> Labels:
    """Return a column as labels, of numbers by their codes alone, for millions of steps have as many names."""
    numbers = floats(values)
    if numbers is None:
        return labelled(values)
    own, codes = np.unique(numbers, return_inverse=True)
    return Labels([""] * own.size, codes)


def _warn_of(place: str, name: str, role: str) -> None:
    every = "tasks" if role == "algorithm" else "algorithms"
    warn(
        f"{place}: column {name!r} is taken as the {role}, because rows of one run differ in it alone, and all {every} have all of its "
        f"names; say so if it is: {column(role, name)}, or use {column(SETTINGS, name)} if it is a setting of the algorithm"
    )
