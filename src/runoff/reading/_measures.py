"""Wide tables whose heads put names and several measures of them together: the score is read, the others are left out or asked about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from runoff.errors import DataError, warn
from runoff.reading._known import is_task, named_run
from runoff.reading._named_costs import refuse_no_score
from runoff.reading._rows import METRICS
from runoff.tables.columns import NAMED, UNUSED, columns_of, listed, playing
from runoff.tables.labels import Values, labelled
from runoff.tables.likely import Chosen, candidates, free_columns, plays
from runoff.tables.missing import (
    names_gain,
    negated,
    sole_score,
    some_negative,
    warn_of_less,
    warn_of_values,
    with_cost,
)
from runoff.tables.numerals import AS_AMOUNTS, AS_SHARES, without_units
from runoff.tables.progress import lengths_among
from runoff.tables.source import SourceTable
from runoff.tables.unnamed import CIRCUMSTANCES, changes_within
from runoff.tables.values import floats, in_percent, is_missing, outcomes, parsed
from runoff.words.columns import names_quality, preferred
from runoff.words.costs import direction, says_less
from runoff.words.labels import KINDS_OF_DATA, is_summary, measures_others, run_of
from runoff.words.measured import ends_with, is_measure, largest_family, measures_of, without_measure
from runoff.words.patterns import regex
from runoff.words.scoring import is_cost, measure_of
from runoff.words.speech import LESS_IS_BETTER, column
from runoff.words.words import canonical, kind, vocabulary, words

OF_PYTHON = regex(r"\((?:'[^']*'|\d+)(?:, (?:'[^']*'|\d+))+\)")
"""A head of several levels as Python prints it: `('PPO', 1)`."""


OF_LOGGER = regex(r"(?:metrics?|train|val|valid|test|eval|lr|losses|perf|time|charts)/", re.IGNORECASE)
"""How loggers name series; no algorithm or task is called so."""


def are_series(table: SourceTable, chosen: Chosen) -> bool:
    """Return whether the heads without a role are the names of series, `metrics/mAP50(B)` beside `train/box_loss`, beside steps."""
    free = free_columns(table.columns, chosen)
    roles = playing(free)
    series = [name for name in free if name not in roles and (kind(name) is None or "/" in name)]
    return len(series) > 1 and all(map(OF_LOGGER.match, series)) and plays(free, "step", chosen)


def with_plain_heads(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table with heads of several levels that Python printed, `('PPO', 1)`, as paths, `PPO/1`."""
    printed = [name for name in free_columns(table.columns, chosen) if OF_PYTHON.fullmatch(name)]
    plain = {name: "/".join(filter(None, re.findall(r"[^'(), ][^'(),]*", name))) for name in printed}
    return _renamed(table, plain) if plain else table


UNIT = regex(r"(.*\S)\s*[(\[]\s*([^)\]]{1,16}?)\s*[)\]]")
"""A head with its unit in brackets."""
TIMES = vocabulary(
    "ms s sec secs second seconds min mins minute minutes h hr hrs hour hours wh kwh mwh j kj mj joule joules"
)
"""Units of time and energy, of which less is better where nothing says what was measured."""
MONEY = frozenset("€$£¥") | {"eur", "usd", "gbp", "euro", "euros", "dollars"}
"""Units of what may be earned or paid."""


def _unit(table: SourceTable, chosen: Chosen) -> tuple[str, dict[str, str]]:
    """Return the unit that all heads of runs of a table without a score have in brackets, with these heads without it: `run 1 (min)`; "" where
    they have none."""
    free = [] if chosen.get("score") else free_columns(table.columns, chosen)
    parts = {head: match for head in free if (match := UNIT.fullmatch(head)) and run_of(match[1]) is not None}
    units = {match[2] for match in parts.values()}
    alike = len(parts) > 1 and len(units) == 1 and not any(run_of(head) and head not in parts for head in free)
    return (units.pop(), {head: match[1] for head, match in parts.items()}) if alike else ("", {})


def with_heads_of_runs(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a wide table whose heads name the runs alone, of `acc_seed_1` and `acc_seed_2` beside named algorithms."""
    if (unit := _unit(table, chosen))[0]:
        return _renamed(table, unit[1])
    runs = {name: own for name in free_columns(table.columns, chosen) if (own := named_run(name))}
    measures = {name for name, _ in runs.values()}
    if len(measures) != 1 or len(runs) < 2 or chosen.get("score") or direction(measure := measures.pop()):
        return table
    return _renamed(table, {head: f"seed {run}" for head, (_, run) in runs.items()}) if is_measure(measure) else table


def without_means_of_runs(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a table without a column named like a score that is the mean of the runs beside it: `Success rate` beside `Trial 1`, `Trial 2`."""
    free = free_columns(table.columns, chosen)
    runs = [name for name in free if run_of(name) is not None]
    means = [] if chosen.get("score") or len(runs) < 2 else candidates(free, "score")
    words_of_all = {str(value).strip().casefold() for name in runs for value in table.columns[name]} if means else set()
    scores = [floats(outcomes(table.columns[name], words_of_all)) for name in (*means, *runs)]
    if len(means) != 1 or any(own is None for own in scores):
        return table
    mean, *own = [numbers for numbers in scores if numbers is not None]
    # As far as a spreadsheet shows them, and in percent.
    if not any(np.allclose(mean, np.mean(own, axis=0) * unit, rtol=5e-3, atol=5e-3 * unit) for unit in (1, 100)):
        return table
    note = f"column {means[0]!r} is the mean of the runs beside it, and left out"
    return table.noted(note, columns=table.others(*means))


def with_one_measure(table: SourceTable, chosen: Chosen) -> SourceTable:
    """Return a wide table with the columns of the score alone, called by their names: `PPO`, of `PPO_return` and `PPO_len`; a `DataError`
    asks where the measures do not say which of them is the score."""
    free = free_columns(table.columns, chosen)
    roles = playing(free)
    heads = [name for name in free if name not in roles]
    measured = measures_of(heads)
    measures = list(dict.fromkeys(measure for _, measure in measured.values()))
    # Means and spreads are refused as such, with the way to judge them.
    if any(map(is_summary, measures)):
        return table
    bare = {name for name, _ in measured.values()}
    plain = {name for name in bare if name in heads}
    others = [
        name
        for name in heads
        if name not in {*measured, *plain} and kind(name) is None and floats(table.columns[name]) is not None
    ]
    if not measured:
        return _of_common(table, heads, tasks_of_one_measure(table, chosen))
    scores = [measure for measure in measures if kind(measure) == "score"]
    if plain == bare and not scores and not others:
        return _without(table, list(measured), "which measure others")
    scores = scores or [measure for measure in measures if names_quality(measure) or measure in KINDS_OF_DATA]
    # What is measured of some of the names alone is asked about by its name, and what has no score may be no table of runs.
    if others and (plain == bare or not scores):
        return table
    scores = preferred(scores)
    own = {name: pair[0] for name, pair in measured.items() if pair[1] in scores}
    if plain or len(scores) != 1 or {*own.values()} != bare:
        raise _asked_of(table, measured | {name: (name, "") for name in heads if name in plain}, scores or measures)
    rest = [name for name in measured if name not in own]
    left = {measured[name][1] for name in rest}
    if lone := [name for name in others if ends_with(name, left)]:
        raise DataError(
            f"{table.place}: columns {listed(lone)} are other measures than {scores[0]!r}, and of what they measure no {scores[0]!r} stands "
            f"there; leave them out: {column(UNUSED, ','.join(lone))}."
        )
    if len(own) == 1 and roles:
        return table  # one head beside labels is no wide table
    return _renamed(_without(table, rest, f"which are other measures than {scores[0]!r}"), own)


def _of_common(table: SourceTable, heads: Sequence[str], tasks: Tasks | None) -> SourceTable:
    """Return a table whose heads all end with the word for a score, or name tasks before one measure, called by what is left of them."""
    if tasks is not None:
        rest = f"columns not used: {listed(tasks.settings)}, each with one value for an algorithm"
        table = table.noted(*[rest][: len(tasks.settings)], columns=table.others(*tasks.settings))
        return _renamed(table, tasks.names)
    alone = [name for name in heads if kind(name) is None]
    measure, bare = measure_of(alone)
    refuse_no_score(alone, measure, table.place)
    return _renamed(table, bare) if measure else table


class Tasks(NamedTuple):
    """Heads that put known tasks before one measure, {head: task}, beside columns that have one value for each algorithm."""

    measure: str
    names: Mapping[str, str]
    settings: tuple[str, ...]


def tasks_of_one_measure(table: SourceTable, chosen: Chosen) -> Tasks | None:
    """Return the tasks of which heads beside an algorithm and runs name one score, quality or cost, `ptb_ppl` and `c4_ppl`; None where
    another column of numbers may be a score as well, or nobody knows the tasks."""
    free = free_columns(table.columns, chosen)
    roles = columns_of(NAMED, free, chosen)
    if not (roles["algorithm"] in table.columns and roles["run"] in table.columns) or roles["task"]:
        return None
    numbers = [
        name
        for name in free
        if name not in roles.values()
        and kind(name) is None
        and not measures_others(name)
        and floats(outcomes(table.columns[name]), gaps=True) is not None
    ]
    measure, heads = largest_family(numbers)
    names = {name: without_measure(name, measure) for name in heads}
    others = [name for name in numbers if name not in names]
    codes = labelled(table.columns[roles["algorithm"]]).codes
    scored = kind(measure) == "score" or names_quality(measure) or direction(measure) == "lower"
    if not heads or not scored or 2 * sum(map(is_task, names.values())) <= len(names):
        return None
    return (
        None
        if any(changes_within(labelled(table.columns[n]), codes) for n in others)
        else Tasks(measure, names, tuple(others))
    )


def without_unmeasured(tables: Sequence[SourceTable], chosen: Chosen) -> list[SourceTable]:
    """Return the tables without the column that would be the score if no file has a value in it and another column can be the score."""
    flat = [table for table in tables if not table.structural]
    names = list(dict.fromkeys(name for table in flat for name in table.columns))
    empty: list[str] = []
    while "score" not in chosen and len(scores := candidates(free_columns(_left(names, empty), chosen), "score")[:1]):
        own = (value for table in flat for value in table.columns.get(scores[0], ()))
        if not all(is_missing(value) for value in own):
            break
        empty += scores
    if not empty or not plays(_left(names, empty), "score", chosen):
        return list(tables)
    note = f"columns without any value are not used: {listed(empty)}"
    return [table if table.structural else table.noted(note, columns=table.others(*empty)) for table in tables]


def without_lengths(tables: Sequence[SourceTable], chosen: Chosen) -> list[SourceTable]:
    """Return the tables without steps that are lengths of episodes in one of them, as those of its run may rise by chance in another."""
    own = [("", "") if table.structural else lengths_among(table.columns, chosen) for table in tables]
    lengths, episode = next(filter(any, own), ("", ""))
    note = f"column {lengths!r} does not rise where {episode!r} does: it holds the lengths of episodes, no steps of training, and is not used"
    return [
        table.noted(note, columns=table.others(lengths))
        if lengths and {lengths, episode} <= table.columns.keys()
        else table
        for table in tables
    ]


def _left(names: Sequence[str], empty: Sequence[str]) -> list[str]:
    return [name for name in names if name not in empty]


def with_sign(tables: Sequence[SourceTable], chosen: Chosen, sign: float = 1.0) -> tuple[Chosen, float]:
    """Return the chosen columns, and −1.0 where lower is better: by request, by heads, by the metric of the rows, by a line beside them, by the
    only column."""
    sign = _sign_of_heads(tables, chosen, sign)
    chosen, sign = (chosen, sign) if sign < 0 else _of_lines(tables, chosen)
    chosen, sign = with_cost(tables, chosen, sign)
    if sign > 0:
        warn_of_values(tables, chosen)
    return chosen, sign


def _of_lines(tables: Sequence[SourceTable], chosen: Chosen) -> tuple[Chosen, float]:
    """Return −1.0 where lines beside the tables say that less is better, with a warning, and the chosen columns, with that of the only numbers
    as the score where none is named like one. Scores that are named like a gain, and scores below 0, which may have been negated before, stay.
    """
    stated = [table for table in tables if table.less]
    if not stated:
        return chosen, 1.0
    place, line, what = stated[0].place, stated[0].less, stated[0].less_in
    scores = [name for table in stated for name in _scores_in(table, chosen)]
    below = some_negative(table.columns[name] for table in stated for name in {*scores} & {*table.columns})
    silent = [table for table in tables if not table.less]
    if other := next((table for table in silent if table.columns.keys() == stated[0].columns.keys()), None):
        raise DataError(
            f"{place}: the {what} {line!r} says that less is better, and no {what} in {other.place} does: write it into both, or give "
            f"{LESS_IS_BETTER}."
        )
    if silent or any(map(names_gain, scores)) or below:
        warn_of_less(place, line)
        return chosen, 1.0
    fact = f"the {what} {line!r} {'says that' if says_less(line) else 'names a cost, of which'} less is better"
    sole = sole_score(tables, chosen)
    those = f"column {sole!r}, the only one of numbers, is the score," if sole else "the scores are"
    chosen = {**chosen, "score": sole} if sole else chosen
    return chosen, negated(place, fact, scores=those, change=f"change the {what}")


def _scores_in(table: SourceTable, chosen: Chosen) -> list[str]:
    """Return the columns of a table that may be the score; of a wide one all that hold numbers."""
    named = chosen.get("score")
    return [named] if named else candidates(table.columns, "score") or _numbers(table, chosen)


def _sign_of_heads(tables: Sequence[SourceTable], chosen: Chosen, sign: float) -> float:
    """Return −1.0 where heads name one cost of several tasks, with a warning, otherwise the sign that there is."""
    if sign < 0:
        return sign
    if (of_rows := _sign_of_metric(tables, chosen)) < 0:
        return of_rows
    flat = [table for table in tables if not table.structural and not plays(table.columns, "score", chosen)]
    if len(flat) < len(tables):
        return sign
    of_all = partial(negated, flat[0].place, scores="all scores are")
    if cost := _cost_of_labels(flat, chosen):
        return of_all(f"the head {cost!r} above labels names a cost, of which less is better")
    unit = next((own for table in flat if (own := _unit(table, chosen)[0])), "")
    if unit.casefold() in TIMES:
        return of_all(
            f"heads of runs are in {unit!r}, of which less is better where nothing else is said",
            change="leave the unit out",
        )
    if unit.casefold() in MONEY:
        warn(
            f"{flat[0].place}: heads of runs are in {unit!r}, which may be earned or paid: {LESS_IS_BETTER} says that less is better"
        )
    heads = [name for table in flat for name in _numbers(table, chosen)]
    named = listed(list(dict.fromkeys(heads)))
    if heads and all(map(says_less, heads)):
        return of_all(f"heads say that less is better ({named})", change="rename them")
    if heads and is_cost(measure := measure_of([name for name in dict.fromkeys(heads) if kind(name) is None])[0]):
        if some_negative(table.columns[name] for table in flat for name in _numbers(table, chosen)):
            return sign
        return of_all(f"heads name {measure!r}, a cost, of which less is better ({named})", change="rename them")
    tasks = [tasks_of_one_measure(table, chosen) for table in flat]
    costs = {own.measure if own is not None and direction(own.measure) == "lower" else "" for own in tasks}
    values = (table.columns[name] for table, own in zip(flat, tasks, strict=True) if own for name in own.names)
    if costs in ({""}, set()) or len(costs) > 1 or some_negative(values):
        return sign
    names = listed([name for own in tasks[:1] if own for name in own.names])
    fact = f"columns {names} name a cost of each task, of which less is better"
    return negated(flat[0].place, fact, scores="it is the score,", change="rename them")


def _cost_of_labels(tables: Sequence[SourceTable], chosen: Chosen) -> str:
    """Return the name of a cost that heads the only column of names without a role in each table, as the corner of a sheet says what stands in
    it: `makespan`; "" where there is none, it heads algorithms by choice, or scores below 0 may have been negated before."""
    named = {_head_of_names(table, chosen) for table in tables}
    cost = named.pop() if len(named) == 1 else ""
    if direction(cost) != "lower" or cost in (chosen.get("algorithm"), chosen.get("run")):
        return ""
    return "" if some_negative(table.columns[name] for table in tables for name in _numbers(table, chosen)) else cost


def _head_of_names(table: SourceTable, chosen: Chosen) -> str:
    """Return the head of the only column of names that is not called by a role, if it is the first such column; "" of others."""
    roles = playing(table.columns)
    free = [name for name in table.columns if name not in roles or name == chosen.get("task")]
    texts = [name for name in free if _holds_names(table.columns[name])]
    return texts[0] if len(texts) == 1 and texts[0] in free[:1] else ""


def _holds_names(values: Values) -> bool:
    names = [value for value in values if not is_missing(value)]
    return bool(names) and all(parsed(value) is None for value in names)


def _numbers(table: SourceTable, chosen: Chosen) -> list[str]:
    """Return the heads of numbers that have no role."""
    free = free_columns(table.columns, chosen)
    roles = playing(free) | {*chosen.values()}
    return [name for name in free if name not in roles and floats(table.columns[name], gaps=True) is not None]


def _sign_of_metric(tables: Sequence[SourceTable], chosen: Chosen) -> float:
    """Return −1.0 where a column says of each row which metric its score is, and that metric is a cost; of one that was named only a sign in its
    name is believed, and of others a warning asks."""
    own = {_metric_of(table, chosen) for table in tables if not table.structural}
    metric, named = own.pop() if len(own) == 1 else (None, False)
    if metric is None or direction(metric) != "lower":
        return 1.0
    place = tables[0].place
    if not says_less(metric):
        if named:
            warn(f"{place}: the metric {metric!r} is the name of a cost: if less is better, give {LESS_IS_BETTER}")
            return 1.0
        scored = ((table.columns, candidates(table.columns, "score")[:1]) for table in tables)
        if some_negative(columns[name] for columns, names in scored for name in names):
            return 1.0
    return negated(place, f"of the metric {metric!r} less is better", scores="the scores are")


def _metric_of(table: SourceTable, chosen: Chosen) -> tuple[str | None, bool]:
    """Return the metric of the scores by a column that names the metric of each row, and whether it was asked for; None where none does."""
    wanted = chosen.get("score")
    for name, values in table.columns.items():
        if canonical(name) not in METRICS | {"measure"}:
            continue
        distinct = labelled(values).names
        if wanted in distinct and wanted not in table.columns:
            return wanted, True
        if len(distinct) == 1:
            return distinct[0], False
    return None, False


def _without(table: SourceTable, names: Sequence[str], why: str) -> SourceTable:
    note = f"left out: columns {listed(names)}, {why}"
    return table.warned(note, columns=table.others(*names))


def _renamed(table: SourceTable, names: Mapping[str, str]) -> SourceTable:
    if len({*names.values()}) < len(names) or {*names.values()} & table.columns.keys():
        return table
    columns = {names.get(name, name): values for name, values in table.columns.items()}
    first, name = next(iter(names.items()))
    return table.noted(f"the header {first!r} is that of {name!r}", columns=columns)


def _asked_of(table: SourceTable, measured: Mapping[str, tuple[str, str]], scores: Sequence[str]) -> DataError:
    """Return the question which of several measures is the score."""
    likely = [*([""] if any(not measure for _, measure in measured.values()) else []), *scores]
    ways = [
        f"{column(UNUSED, ','.join(name for name, (_, own) in measured.items() if own != score))} if "
        f"{f'that is {score!r}' if score else 'the names alone head the scores'}"
        for score in likely[:3]
    ]
    return DataError(
        f"{table.place}: the headers {listed(list(measured)[:4])} are several measures of each name, and nothing says which is the score; use "
        f"{', or '.join(ways)}."
    )


def heads_without_units(table: SourceTable, heads: Sequence[str]) -> SourceTable:
    """Return a wide table with units removed from scores: amounts (`1.2k`) as numbers, a unit only if all scores have it."""
    heads = [head for head in heads if CIRCUMSTANCES.isdisjoint(words(head))]
    texts = {head: table.columns[head] for head in heads if floats(table.columns[head]) is None}
    plain = {head: without_units(values) for head, values in texts.items() if not in_percent(values)}
    noted = {head: note for head, (_, note) in plain.items() if note}
    # Shares are one unit, of however many attempts each is.
    units = {
        AS_SHARES if note.startswith(AS_SHARES) else note for note in noted.values() if not note.startswith(AS_AMOUNTS)
    }
    if not noted or (units and (len(units) > 1 or len(noted) < len(heads))):
        return table
    columns = {head: plain[head][0] for head in noted}
    # One example of shares of as many attempts.
    notes = {note.partition(":")[0] if note.startswith(AS_SHARES) else note: note for note in reversed(noted.values())}
    return table.noted(*reversed(notes.values()), columns={**table.columns, **columns})
