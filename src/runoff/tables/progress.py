"""The columns of runs and of steps, where their names alone do not say which."""

from __future__ import annotations

import numpy as np

from runoff.base.arrays import Floats
from runoff.tables.columns import NAMED, columns_of
from runoff.tables.labels import Columns, cells_alike, labelled, n_pairs
from runoff.tables.likely import Chosen, candidates, free_columns
from runoff.tables.unnamed import rises_within
from runoff.tables.values import floats
from runoff.words.words import kind, vocabulary, words

NO_STEP = "--no-step"
"""The word used in place of a role for a column that is named like steps and counts none."""
SEEDS = vocabulary("seed startwert graine semilla semente seme 种子 随机种子 シード")
"""Heads of the seed of a run, in several languages."""


def with_run_and_step(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles with one column of runs, where several name them alike, and with evaluations of an optimiser as the steps."""
    chosen = _with_one_run(columns, chosen)
    lengths, _ = lengths_among(columns, chosen)
    chosen = {**chosen, NO_STEP: lengths} if lengths else chosen
    return with_counted_steps(columns, _with_one_step(columns, chosen))


PLAIN_STEPS = vocabulary("step steps timestep timesteps n num number of episode ep length frames")
"""Words of columns of steps that may be those of one episode, and not of all training."""


def lengths_among(columns: Columns, chosen: Chosen) -> tuple[str, str]:
    """Return the column of steps that are the lengths of episodes, and that of their numbers: `steps` that do not rise in a run where `episode`
    does; "" where there are none.

    >>> lengths_among({"episode": [1, 2, 3], "steps": [200, 90, 150], "reward": [1, 2, 3]}, {})
    ('steps', 'episode')
    >>> lengths_among({"episode": [1, 2, 3], "steps": [90, 190, 250], "reward": [1, 2, 3]}, {})
    ('', '')
    """
    several = [] if chosen.get("step") or NO_STEP in chosen else candidates(free_columns(columns, chosen), "step")
    counted = [name for name in columns if kind(name) == "episode"]
    if len(several) != 1 or len(counted) != 1 or not PLAIN_STEPS.issuperset(words(several[0])):
        return "", ""
    steps, episodes = (changes_of(columns, chosen, name) for name in (several[0], counted[0]))
    falls = steps is not None and episodes is not None and bool((episodes > 0).all() and (steps <= 0).any())
    return (several[0], counted[0]) if falls else ("", "")


def _with_one_step(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles with the only column of steps that changes, or the first of several that do not: a budget is the same in all rows."""
    several = [] if chosen.get("step") else candidates(free_columns(columns, chosen), "step")
    changing = [name for name in several if len(labelled(columns[name]).names) > 1]
    return chosen if len(several) < 2 or len(changing) > 1 else {**chosen, "step": (*changing, *several)[0]}


def _with_one_run(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles with the seed as the run if several columns name runs, and all part the rows of each algorithm and task alike."""
    free = free_columns(columns, chosen)
    several = candidates(free, "run")
    seeds = [name for name in several if name.casefold() in SEEDS]
    if chosen.get("run") or len(several) < 2 or not seeds:
        return chosen
    named = [*columns_of(NAMED[:2], free, chosen).values()]
    cells = [labelled(columns[name]) for name in named if name in columns]
    parts = [cells_alike([*cells, labelled(columns[name])], len(columns[name])) for name in several]
    alike = all(np.unique(own).size == n_pairs(parts[0], own) == np.unique(parts[0]).size for own in parts)
    return {**chosen, "run": seeds[0]} if alike else chosen


_EVALUATIONS = vocabulary("evals evaluations fevals nfe nfes fes t horizon round rounds pulls")
_COUNTED = vocabulary("n num number no of total count function functions fitness objective cumulative")


def with_counted_steps(columns: Columns, chosen: Chosen) -> Chosen:
    """Return the roles with the evaluations of an optimiser (`evals`, `n_evaluations`), or the rounds of a bandit (`t`), as the steps, where
    they rise in every run; or with episodes of which every tenth, or hundredth, is logged."""
    free = free_columns(columns, chosen)
    if chosen.get("step") or candidates(free, "step"):
        return chosen
    episodes = [name for name in free if kind(name) == "episode" and _skips(floats(columns[name]))]
    if len(episodes) == 1:
        return {**chosen, "step": episodes[0]}
    of_steps = _EVALUATIONS | _COUNTED
    # The capitals of `FEs` part no words.
    parts = {name: {low} if (low := name.casefold()) in _EVALUATIONS else {*words(name)} for name in free}
    named = [name for name, own in parts.items() if own & _EVALUATIONS and of_steps.issuperset(own)]
    orders = {name: order for name in named if (order := changes_of(columns, chosen, name)) is not None}
    rising = [name for name, order in orders.items() if (order > 0).all() and not (order % 1).any()]
    return {**chosen, "step": rising[0]} if len(rising) == 1 else chosen


def _skips(numbers: Floats | None) -> bool:
    """Return whether numbers rise by one gap of more than 1, from the first on again for each run: 100, 200, 300, 100, 200, 300. Attempts are
    counted by one."""
    if numbers is None or numbers.size < 3:
        return False
    changes = np.diff(numbers)
    gaps = np.unique(changes[changes > 0])
    return gaps.size == 1 and bool(gaps[0] > 1) and bool((numbers[1:][changes <= 0] == numbers[0]).all())


def changes_of(columns: Columns, chosen: Chosen, name: str) -> Floats | None:
    """Return by how much the numbers of a column change from row to row of each run; None of texts, and where a run has a single row."""
    numbers = floats(columns[name])
    if numbers is None:
        return None
    free = free_columns(columns, chosen)
    roles = [*columns_of(NAMED, free, chosen).values()]
    runs = cells_alike([labelled(columns[role]) for role in roles if role in columns], numbers.size)
    return rises_within(numbers, runs) if np.bincount(runs).min() > 1 else None
