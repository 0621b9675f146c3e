"""The question about a table in which no column is named like a score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from runoff.base.arrays import Floats
from runoff.errors import DataError, warn
from runoff.tables.columns import (
    FRAME,
    NAMED,
    OTHERWISE,
    column_of,
    columns_of,
    each_row_is_a_run,
    listed,
    missing_column,
    naming,
    playing,
    summed_up,
)
from runoff.tables.labels import Values, labelled
from runoff.tables.likely import USUAL_NAMES, Chosen, candidates, free_columns, plays
from runoff.tables.progress import changes_of, with_counted_steps
from runoff.tables.settings import is_no_score, tunes
from runoff.tables.source import SourceTable
from runoff.tables.tidy import unused_columns
from runoff.tables.unnamed import changes_within, counts_rows
from runoff.tables.values import floats, is_lost, mostly_numbers
from runoff.words.columns import names_attempts, names_outcome, names_quality
from runoff.words.costs import HEADS, direction, says_less
from runoff.words.labels import measures_others, run_of
from runoff.words.speech import LESS_IS_BETTER, choice, column, in_shell, neutral, option
from runoff.words.words import IN_BRACKETS, canonical, kind, names_reference, scored, vocabulary, words

BESIDE_SCORES = ("step", "iteration", "episode", "time", "rate", "stage")
"""Kinds of columns of numbers that stand beside scores."""
MOST_LOOKED_AT = 1_000
"""Rows in which a number of the setting of all runs is looked for."""
_GAINS = vocabulary("return returns reward rewards success wins")
_NEUTRAL = vocabulary(
    "score scores performance perf fitness value ergebnis punktzahl punkte resultaat puntuación punteggio pontuação desempenho rendimiento "
    "得分 分数 スコア 得点 점수 平均スコア 平均得分 测试得分 最终得分 评估得分"
)
"""Words of scores that say nothing of their direction."""


def names_gain(name: str) -> bool:
    """Return whether a score of this name is one of which more is better: `return`, `win rate`, `accuracy`; `score` may be either.

    >>> [names_gain(name) for name in ("eval/return", "win_rate", "test accuracy", "score", "value", "energy")]
    [True, True, True, False, False, False]
    """
    if direction(name) == "lower":
        return False
    gain = kind(name) == "score" and _NEUTRAL.isdisjoint(words(name))
    gain = gain or not _GAINS.isdisjoint(words(name)) or says_less(name) is False
    return gain or names_quality(name) or names_outcome(name)


def warn_of_less(place: str, line: str) -> None:
    """Warn of a line beside a table that says that less is better, whose scores may be others, or negated before."""
    warn(f"{place}: the line {line!r} says that less is better: give {LESS_IS_BETTER}")


def negated(place: str, fact: str, *, scores: str = "its scores are", change: str = "rename it") -> float:
    """Return −1.0, with the warning that scores are negated for a fact, and what to change if they should not be."""
    warn(f"{place}: {fact}: {scores} negated; {change} if more is better")
    return -1.0


class _Unnamed(NamedTuple):
    """The columns without a role: of numbers, those of them that are named like costs, and of text; beside: other numbers beside the only
    one that is named like a score."""

    numbers: list[str]
    costs: list[str]
    texts: list[str]
    beside: Sequence[str] = ()

    @property
    def likely(self) -> list[str]:
        """The columns that can be the score."""
        return self.costs or self.numbers


def _unnamed(table: SourceTable, chosen: Chosen) -> _Unnamed:
    chosen = with_counted_steps(table.columns, chosen)
    misnamed = {chosen.get(role) for role in OTHERWISE}
    names = [name for name in table.columns if name not in misnamed]
    used = playing(names)
    used |= {name for name in chosen.values() if name and name not in misnamed}
    free = [name for name in unused_columns(table, used) if not measures_others(name) or direction(name) == "lower"]
    numbers = [name for name in free if mostly_numbers(table.columns[name])]
    costs = [name for name in numbers if direction(name) == "lower" or _is_turned(name, table.columns[name])]
    # Counts and times stand beside the score.
    counted = [name for name in numbers if words(name)[:1] in (("n",), ("num",)) or names_attempts(name)]
    counted += [name for name in numbers if stands_beside(name, table.columns[name])]
    counted += [name for name in numbers if counts_rows(table.columns, name)]
    numbers = [name for name in numbers if name not in counted or name in costs] or numbers
    # A setting is the same in all rows, and no score where its name can be nothing else.
    numbers = [name for name in numbers if not (tunes(name) and _is_constant(table.columns[name]))] or numbers
    settings = any(map(is_no_score, numbers)) and all(map(tunes, numbers))
    numbers = [] if settings else [name for name in numbers if not is_no_score(name)]
    numbers = [name for name in numbers if not _is_of_tasks(table, name, chosen)] or numbers
    others = list[str]()
    if called := _called_scores(table, numbers, chosen):
        others = [name for name in numbers if name not in called]
        numbers, costs, counted = called, [], [*counted, *others]
    if gap := _gap_to_best(table, chosen):
        numbers, costs, counted = [gap], [gap], [*counted, *numbers]
    if not numbers:
        # `gap_%` and `elo_gain` are no contenders, and may be the score.
        others = [name for name in unused_columns(table, used) if name not in free]
        others = [name for name in others if floats(table.columns[name], gaps=True) is not None]
        numbers = [name for name in others if direction(name) == "unclear"] or others
    return _Unnamed(numbers, costs, [name for name in free if name not in (*numbers, *counted)], others)


TURNED = vocabulary("neg negative negated minus")


def _is_turned(name: str, values: Values) -> bool:
    """Return whether a column is named like a cost that was negated, `neg_exploitability`, and holds no number above 0."""
    first, _, rest = name.replace(" ", "_").partition("_")
    own = numbers_of(values) if first.casefold() in TURNED and direction(rest) == "lower" else None
    return own is not None and bool((own <= 0).all()) and direction(name) == "unclear"


def _is_of_tasks(table: SourceTable, name: str, chosen: Chosen) -> bool:
    """Return whether a column has one number for each of several tasks, as their sizes and best known solutions have."""
    task, values = column_of("task", table.columns, chosen), table.columns[name]
    if task not in table.columns or task == name or _is_constant(values):
        return False
    tasks, own = labelled(table.columns[task]), labelled(values)
    return 1 < len(tasks.names) < len(tasks) and not changes_within(own, tasks.codes)


def _called_scores(table: SourceTable, numbers: Sequence[str], chosen: Chosen) -> list[str]:
    """Return the columns of numbers whose names hold the word, `d4rl_normalized_score`, beside others, and beside names of runs."""
    names = list(table.columns)
    if not plays(names, "run", chosen) or not any(plays(names, role, chosen) for role in NAMED[:2]):
        return []
    called = [name for name in numbers if {"score", "scores"}.intersection(words(name))]
    called = [name for name in called if direction(name) is None and not names_reference(name)]
    return called if len(called) < len(numbers) and any(map(_is_called_a_score, called)) else []


def _is_called_a_score(name: str = "") -> bool:
    return _ends_with_score(name) and direction(name) is None and not names_reference(name)


def _ends_with_score(name: str) -> bool:
    """Return whether a name ends with the word for a score, or a value; a p-value and a Q-value are none."""
    parts = words(IN_BRACKETS.sub("", name))
    return parts[-1:] in (("score",), ("value",)) and len("".join(parts[:-1])) > 1


BEST = vocabulary("opt optimal optimum óptimo optimo bks best known bound lb ub")
"""Words for the solution that none is better than; of a gap to a baseline more may be better."""


def _gap_to_best(table: SourceTable, chosen: Chosen) -> str:
    """Return the column called a gap whose numbers are those of another beside a number of each task, as the optimum is: of it less is better
    whatever is optimised; "" if there is none."""
    gaps = [name for name in table.columns if "gap" in words(name) and direction(name)]
    numbers = {
        name: own for name in (table.columns if gaps else ()) if (own := floats(table.columns[name])) is not None
    }
    likely = [name for name in numbers if BEST.intersection(words(name))]
    best = [name for name in likely if numbers[name].all() and _is_of_tasks(table, name, chosen)]
    for gap, of, to in product((gap for gap in gaps if gap in numbers), numbers, best):
        share = np.abs(numbers[of] - numbers[to]) / np.abs(numbers[to])
        digits = max(len(f"{value:.12g}".partition(".")[2]) for value in numbers[gap].tolist())
        near = [np.abs(numbers[gap] - scale * share) <= 0.51 * 10.0**-digits + 1e-12 for scale in (1, 100)]
        if gap not in (of, to) and numbers[gap].any() and any(own.all() for own in near):
            return gap
    return ""


def stands_beside(name: str, values: Values) -> bool:
    """Return whether a column of this name stands beside scores: steps, times, numbers of levels; `SplitS` with fractions numbers no split."""
    numbers = floats(values) if kind(name) == "stage" else None
    return kind(name) in BESIDE_SCORES and not (numbers is not None and bool((numbers % 1 != 0).any()))


def _is_constant(values: Values) -> bool:
    return len({*map(str, values[:MOST_LOOKED_AT])}) < 2


def _one_column(table: SourceTable, chosen: Chosen, unnamed: _Unnamed) -> bool:
    """Return whether one column alone can be the score of rows that name an algorithm, or of one that the file names, if they name the task and
    the run, or hold a cost; runs in heads are those of a wide table."""
    names = list(table.columns)
    alone = {*names} <= {*unnamed.costs, *candidates(names, "step")} or plays(names, "run", chosen)
    of_file = (alone and unnamed.costs == unnamed.numbers) or all(plays(names, role, chosen) for role in NAMED[1:])
    named = plays(names, "algorithm", chosen) or (of_file and not unnamed.texts)
    # Names of runs hold their algorithm, or groups do.
    named = named or (plays(names, "run", chosen) and _is_called_a_score(*unnamed.likely[:1]))
    named = named or any(_names_rows(table, name) for name in unnamed.texts)
    return len(unnamed.likely) == 1 and not any(map(run_of, names)) and named


def _names_rows(table: SourceTable, name: str) -> bool:
    """Return whether a column called `name` has another in each row, as runs of trackers have, whose names hold their algorithms."""
    return canonical(name) == "name" and len(labelled(table.columns[name]).names) == table.n_rows > 1


def _worth(unnamed: Sequence[_Unnamed]) -> str:
    """Return the only column of numbers of all files if it is named as a score or a value of something, `WIS value`, `GPT-4 score (1-10)`."""
    numbers = {tuple(own.numbers) for own in unnamed}
    name = next(iter(numbers))[0]
    return name if len(numbers) == 1 and _ends_with_score(name) else ""


def is_tidy(table: SourceTable, chosen: Chosen) -> bool:
    """Return whether a table without a score cannot be wide: columns name the algorithm, the task and the run of each row, or an algorithm and
    the run beside one column of numbers."""
    names = list(table.columns)
    # That each row is an attempt names no column of them.
    named = {} if each_row_is_a_run(names, chosen) else chosen
    runs = plays(names, "run", named) or any(map(names_attempts, names))
    if table.settings or not runs or not plays(names, "algorithm", chosen):
        return False
    unnamed = _unnamed(table, chosen)
    return bool(unnamed.numbers) and (plays(names, "task", chosen) or _one_column(table, chosen, unnamed))


def with_cost(tables: Sequence[SourceTable], chosen: Chosen, sign: float) -> tuple[Chosen, float]:
    """Return the chosen columns, and −1.0 where lower is better: by request, or because nothing is named like a score, and the only column that
    can be it like a cost. That column is then the score.

    sign: −1.0 where the user says that lower is better.
    """
    flat = [table for table in tables if not table.structural]
    is_scored = any(plays(table.columns, "score", chosen) for table in flat)
    stated = _stated(flat, chosen) if sign > 0 else []
    if stated:
        heads = f"the head {stated[0]!r} says" if len(stated) == 1 else f"the heads {listed(stated)} say"
        chosen = chosen if len(stated) > 1 else {**chosen, "score": stated[0]}
        return chosen, negated(flat[0].place, f"{heads} that less is better")
    if sign > 0 and flat and all(_is_falling_best(table, chosen) for table in flat):
        fact = f"{_scores_of(flat, chosen)[0]!r} never rises in any run, as the best of what is minimised"
        return chosen, negated(flat[0].place, fact)
    if sign < 0 and (more := next((name for name in _scores_of(flat, chosen) if says_less(name) is False), None)):
        warn(f"{flat[0].place}: the head {more!r} says that more is better, and less is by request: the request counts")
    if not chosen.get("score"):
        _refuse_unlike(flat, chosen)
    # The values of ten million rows are looked at only where they decide.
    if not flat or chosen.get("score") or (is_scored and sign > 0):
        return chosen, sign
    unnamed = [_unnamed(table, chosen) for table in flat]
    if sign < 0:
        for table, own in zip(flat, unnamed, strict=True):
            _refuse_either(table, own)
    costs = {tuple(own.costs) for own in unnamed}
    alone = all(_one_column(table, chosen, own) for table, own in zip(flat, unnamed, strict=True))
    if not is_scored and alone and costs == {()} and (value := _worth(unnamed)):
        _warn_of_only(flat[0].place, value, unnamed[0].beside)
        return {**chosen, "score": value}, sign
    if is_scored or not alone or len(costs) > 1 or not next(iter(costs)):
        return chosen, sign
    cost = unnamed[0].costs[0]
    turned = all(_is_turned(cost, table.columns[cost]) for table in flat)
    if sign > 0 and turned and all(own.numbers == own.costs for own in unnamed):
        _warn_of_only(flat[0].place, cost)
        return {**chosen, "score": cost}, sign
    if sign < 0 or _negated(flat, unnamed):
        return {**chosen, "score": cost}, -1.0
    return chosen, sign


def _warn_of_only(place: str, name: str, others: Sequence[str] = ()) -> None:
    alone = f"that is named like a score, beside {listed(others, 3)}" if others else "of numbers beside names and runs"
    warn(
        f"{place}: column {name!r} is the only one {alone}: it is the score; use {option('lower_is_better')} if less of it is better"
    )


def warn_of_values(tables: Sequence[SourceTable], chosen: Chosen) -> None:
    """Warn of scores of which nothing says more than `value`: neither a title, nor the name of a file, nor another column."""
    flat = [table for table in tables if not table.structural]
    named = {name for name in _scores_of(flat, chosen) if not chosen.get("score")}
    if not flat or len(flat) < len(tables) or len(named) != 1 or words(next(iter(named))) != ("value",):
        return
    first, names = flat[0], list(flat[0].columns)
    unnamed = _unnamed(first, chosen)
    runs = plays(names, "run", chosen) and plays(names, "algorithm", chosen) and not plays(names, "step", chosen)
    others = [*unnamed.texts, *(name for name in unnamed.numbers if name not in named)]
    stem = words(PurePath(first.place).stem)
    if runs and not (others or first.titled or scored(stem) or HEADS.intersection(stem)):
        _warn_of_only(first.place, *named)


def warn_of_another_score(table: SourceTable, chosen: Chosen, unused: Sequence[str]) -> None:
    """Warn of numbers called a score of something, `rm_score`, beside one that is not called so plainly, `win_rate`, or its cost, `EpCost`."""
    (score, *_) = candidates(free_columns(table.columns, chosen), "score") or [""]
    if chosen.get("score") or score.strip().casefold() in USUAL_NAMES["score"]:
        return
    called = [name for name in unused if words(name)[-1:] in (("score",), ("scores",)) and kind(name) is None]
    called = [name for name in called if not names_reference(name)]
    called += [name for name in unused if {"cost"} < {*words(name)} <= {*words(score), "cost"}]
    if other := next((name for name in called if mostly_numbers(table.columns[name])), ""):
        use = as_score(other, table.place)
        warn(f"{table.place}: column {score!r} is the score, by its name; use {use} if {other!r} is it")


def numbers_of(values: Values) -> Floats | None:
    """Return the numbers of a column without those that failed runs lack."""
    # Ten million values are looked at one by one only where a text is among them.
    numbers = floats(values, gaps=True)
    return floats([value for value in values if not is_lost(value)]) if numbers is None else numbers


def some_negative(columns: Iterable[Values]) -> bool:
    """Return whether a number of some columns lies below 0: costs of which one does may have been negated before."""
    numbers = map(numbers_of, columns)
    return any(own is not None and (own < 0).any() for own in numbers)


def _negated(tables: Sequence[SourceTable], unnamed: Sequence[_Unnamed]) -> str:
    """Return the cost that is the score, with a warning; "" where other numbers stand beside it, or some are below 0: a cost may have been
    negated before."""
    cost = unnamed[0].costs[0]
    negative = some_negative(table.columns[cost] for table in tables)
    if negative or any(own.numbers != own.costs for own in unnamed):
        return ""
    warn(
        f"{tables[0].place}: no column is named like a score, and column {cost!r} is named like a cost, of which less is better: it is the "
        f"score, negated; use {column('score', cost)} if more is better"
    )
    return cost


def sole_score(tables: Sequence[SourceTable], chosen: Chosen) -> str:
    """Return the only column of numbers of tidy tables without a score, whatever it is called; "" of others."""
    if any(plays(table.columns, "score", chosen) or not is_tidy(table, chosen) for table in tables):
        return ""
    named = {_sole(table, chosen) for table in tables}
    return named.pop() if len(named) == 1 else ""


def _refuse_unlike(tables: Sequence[SourceTable], chosen: Chosen) -> None:
    """Refuse files of which some have a cost alone and others a score, or another cost: an algorithm would be left out with its file, or be
    judged in the direction of the others."""
    if len(tables) < 2 or all(plays(table.columns, "score", chosen) for table in tables):
        return
    named = [next(iter(candidates(table.columns, "score")), "") or _sole(table, chosen) for table in tables]
    for table, cost in zip(tables, named, strict=True):
        others = [other for other, name in zip(tables, named, strict=True) if name not in ("", cost)]
        if direction(cost) == "lower" and others and _is_of_others(table, others, chosen, cost):
            place, score = others[0].place, next(name for name in named if name not in ("", cost))
            raise DataError(
                f"{table.place}: its only column that can be the score, {cost!r}, is named like a cost, and the score in {place} is "
                f"{score!r}: give both one head if they are one measure, or read the files of one measure alone."
            )


def _sole(table: SourceTable, chosen: Chosen) -> str:
    """Return the only column of a file that can be its score; "" where there are several, or none."""
    unnamed = _unnamed(table, chosen)
    alone = len(unnamed.likely) == 1 and len(table.columns) == 1
    return unnamed.likely[0] if alone or _one_column(table, chosen, unnamed) else ""


def _is_of_others(table: SourceTable, tables: Sequence[SourceTable], chosen: Chosen, cost: str) -> bool:
    """Return whether a file holds algorithms that the others do not, by its column of these or by its name; `cost.csv` beside `return.csv` may
    be another measure of the same runs."""

    def algorithms(own: SourceTable) -> set[str]:
        name = column_of("algorithm", own.columns, chosen)
        return {*labelled(own.columns[name]).names} if name in own.columns else set()

    here = algorithms(table)
    if not here:
        curves = bool(candidates(table.columns, "step"))  # `train.csv` beside `eval.csv` of one run
        return not curves and {*words(PurePath(table.place).stem)}.isdisjoint(words(cost))
    return not here <= set[str]().union(*map(algorithms, tables))


def _scores_of(tables: Sequence[SourceTable], chosen: Chosen) -> list[str]:
    return [column_of("score", table.columns, chosen) for table in tables]


def _stated(tables: Sequence[SourceTable], chosen: Chosen) -> list[str]:
    """Return the columns of scores where their heads say that less is better (`score ↓`); refuse tables of which some do not say so."""
    wanted = chosen.get("score")
    likely = [[wanted] if wanted else candidates(table.columns, "score") for table in tables]
    for table, several in zip(tables, likely, strict=True):
        if len({says_less(name) for name in several}) > 1:
            raise DataError(
                f"{table.place}: columns {listed(several)} could each be the score, and not in one direction; use "
                f"{' or '.join(column('score', name) for name in several)}."
            )
    named = _scores_of(tables, chosen)
    less = [bool(says_less(name)) for name in named]
    if any(less) and not all(less) and all(named):
        first, other = less.index(True), less.index(False)
        raise DataError(
            f"{tables[first].place}: the head {named[first]!r} says that less is better, and {named[other]!r} in {tables[other].place} does "
            f"not: give both one head, or {LESS_IS_BETTER}."
        )
    return list(dict.fromkeys(named)) if less and all(less) else []


def _refuse_either(table: SourceTable, unnamed: _Unnamed) -> None:
    """Refuse to choose, where lower is better, between a score of which more is better by its name and a cost beside it."""
    gains = list(filter(names_gain, candidates(table.columns, "score")))
    if gains and unnamed.costs:
        cost = unnamed.costs[0]
        raise DataError(
            f"{table.place}: lower is said to be better, column {gains[0]!r} is named like a score of which more is better, and column {cost!r} "
            f"like a cost; use {column('score', cost)}, or {column('score', gains[0])}."
        )


def may_have_scores(table: SourceTable, chosen: Chosen) -> bool:
    """Return whether a column is named like a score, or like a cost."""
    return plays(table.columns, "score", chosen) or bool(_unnamed(table, chosen).costs)


FEWEST_FALLS = 8
"""The fewest steps of all runs by which a best so far is that of what is minimised."""


def _is_falling_best(table: SourceTable, chosen: Chosen) -> bool:
    """Return whether the score is the best so far (`best_fitness`) of runs in which it never rises, as of what is minimised."""
    chosen = with_counted_steps(table.columns, chosen)
    free = free_columns(table.columns, chosen)
    score, step = columns_of(("score", "step"), free, chosen).values()
    if "best" not in words(score) or names_gain(score) or not {score, step} <= {*table.columns}:
        return False
    steps, changes = (changes_of(table.columns, chosen, name) for name in (step, score))
    if steps is None or changes is None:
        return False
    # What falls in few steps may fall by chance.
    return changes.size >= FEWEST_FALLS and bool((steps > 0).all() and (changes <= 0).all() and (changes < 0).any())


def as_score(name: str, place: str) -> str:
    """Return the option that names the score, with that of its direction where the name is that of a cost."""
    return as_cost({"score": name}, place) if direction(name) == "lower" else naming("score", place, name)


def as_cost(roles: dict[str, str], place: str) -> str:
    """Return the options that name the columns of roles, of whose score less is better."""
    of_frame = ", ".join(f"{role}={name!r}" for role, name in roles.items())
    python = of_frame if place == FRAME else f"columns={roles!r}"
    shell = " ".join([*(in_shell(column(role, name)) for role, name in roles.items()), "--lower-is-better"])
    return choice(f"{python}, lower_is_better=True", shell)


def _whichever(table: SourceTable, likely: Sequence[str], more: str) -> str:
    """Return the question which of several columns is the score, and of which less is better where no name says it."""
    likely = sorted(likely, key=lambda name: canonical(name) not in ("last", "final"))
    several = ", or ".join(as_score(name, table.place) for name in likely[:4])
    unclear = any(direction(name) != "lower" and not names_gain(name) for name in likely)
    less = f", beside {LESS_IS_BETTER} if less is better" * unclear
    return neutral(
        f"{table.place}: no column is named like a score; use {several}, whichever is the score{less}.{more}"
    )


def asked_of_score(table: SourceTable, chosen: Chosen, more: str = "") -> str:
    """Return the question whether the only column of numbers is the score, and of which direction; without such a column, the words for what
    is missing. chosen: the columns of roles, by the user's choice or by name; more: further words."""
    names, unnamed = list(table.columns), _unnamed(table, chosen)
    if not _one_column(table, chosen, unnamed):
        several = plays(names, "algorithm", chosen) and 1 < len(unnamed.likely) <= 4 and not more
        if several and summed_up(names) is None:
            return _whichever(table, unnamed.likely, more)
        last = next((name for name in unnamed.likely if canonical(name) in ("last", "final")), "NAME")
        return f"{neutral(missing_column('score', names, table.place, last))}{more}"
    if not unnamed.costs and direction(unnamed.likely[0]) is None:
        runs = [] if plays(names, "run", chosen) else [name for name in names if counts_rows(table.columns, name)]
        run = next((name for name in runs if name not in chosen.values()), "")
        roles = {**({"run": run} if run else {}), "score": unnamed.likely[0]}
        sentence = neutral(missing_column("score", names, table.place, unnamed.likely[0], run)).removesuffix(".")
        return neutral(f"{sentence}, or with {as_cost(roles, table.place)} if less of it is better.")
    if others := [name for name in unnamed.numbers if name not in unnamed.costs and name != unnamed.likely[0]]:
        return _whichever(table, [*unnamed.costs, *others], more)
    cost = unnamed.likely[0]
    roles = {role: name for role, name in chosen.items() if name}
    roles |= {"task": unnamed.texts[0]} if len(unnamed.texts) == 1 and not plays(names, "task", chosen) else {}
    roles["score"] = cost
    use = as_cost(roles, table.place)
    if not unnamed.costs or _is_turned(cost, table.columns[cost]):
        return neutral(
            f"{table.place}: no column is named like a score, and of column {cost!r} less may be better, or more; use {use} if less is, or "
            f"{naming('score', table.place, cost)} if more is."
        )
    return neutral(
        f"{table.place}: no column is named like a score, and column {cost!r} is named like a cost, of which less is better; use {use} if "
        "it is the score."
    )
