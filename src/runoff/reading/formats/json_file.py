"""JSON, in shapes that are distinguished by their structure.

[{column: value}]               records: a tidy table
{column: [values]}              columns, where the names are those of roles: a tidy table
{task: [scores]}                rliable's file of one algorithm, named by the file
{algorithm: [[scores]]}         rliable's dict of arrays (n_runs, n_tasks)
{"submitted_ids": [...], …}     the report of SWE-bench on a model
{algorithm: {task: [scores]}}   the ragged cousin; {algorithm: {task: true}} for a single attempt at each
{algorithm: {task: {run: score}}}   the same with names of runs, on any level
{algorithm: {task: [{column: value}]}}   records below names, on any level, where their roles are said
{algorithm: {task: [[scores]]}}     learning curves, whose axes the user names

And NDJSON (JSON lines): one record per line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from runoff.base.bounds import refuse_beyond
from runoff.errors import DataError
from runoff.reading._configured import flat, names_in_config
from runoff.reading._known import meaning_of, says_nothing
from runoff.reading.formats.arrays import arrays_table, labelled_arrays
from runoff.reading.formats.base import INNER_KEY, KEY, Format, NotRuns, Source, refuse_saved, structural
from runoff.reading.formats.curves import (
    curves_beside_steps,
    curves_of_matrices,
    curves_of_runs,
    is_matrix,
    is_scalars,
    of_points,
)
from runoff.reading.formats.json_records import (
    DESCRIBES,
    are_records,
    are_scores_of_names,
    list_of_runs,
    records_below,
    records_table,
    records_within,
    runs_beside_scores,
    unjoined,
)
from runoff.reading.formats.json_tools import of_tool
from runoff.reading.formats.sheets import says_less_of
from runoff.tables.columns import NAMED, listed, roles_of
from runoff.tables.labels import Labels
from runoff.tables.likely import candidates, plays
from runoff.tables.nested import PROGRESS
from runoff.tables.settings import tunes
from runoff.tables.source import SourceTable
from runoff.words.columns import names_suite
from runoff.words.costs import direction
from runoff.words.labels import counts_runs, is_summary
from runoff.words.numbers import span
from runoff.words.patterns import regex
from runoff.words.scoring import is_cost
from runoff.words.speech import option
from runoff.words.words import canonical, kind, vocabulary, words

COMMA = b","
BEGINNING = regex(
    rb'\s*(?:\{|\[\s*(?:[\[{"\]]|true|false|null|-?(?:Infinity|NaN|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*[,\]]|$))'
)
"""The beginning of an object or a list; `[2024-04-23 18:02:11]` and `[INFO]` are those of lines of a log."""
SHAPES = (
    "[{column: value}], {task: [scores]}, {algorithm: [[scores]]}, {algorithm: {task: [scores]}}, {algorithm: {task: {run: score}}}, "
    "{algorithm: {task: [{column: value}]}}"
)


def read(source: Source) -> SourceTable:
    """Return the table of a JSON file."""
    content = decode(source.text(), source.place)
    refuse_beyond("values", source.data.count(COMMA), f"{source.place}: the file has {source.data.count(COMMA)} values")
    return table_of_content(content, source)


def table_of_content(content: Any, source: Source) -> SourceTable:
    """Return the table of the content of a JSON or YAML text."""
    refuse_saved(content, source.place)
    if content in ([], {}):
        raise NotRuns(f"{source.place}: the file holds nothing.")
    table, (content, beside) = None, _scores_of_leaves(_lists_beside_summaries(content))
    records = records_within(content, source.stem) if isinstance(content, dict) else content
    if isinstance(records, list) and all(isinstance(record, dict) for record in records):
        table = records_table(records, source.place, lambda index: f"record {index + 1}")
        if isinstance(content, dict) and any(value is records for value in content.values()):
            table = replace(table, less=_less(content, source.place, table.columns))
    elif isinstance(content, dict):
        most = max(len(content), *(len(value) for value in content.values() if isinstance(value, dict)), 0)
        refuse_beyond("columns", most, f"{source.place}: an object has {most} keys")
        table = None if _below_nothing(content) else _from_object(content, source)
        table = table or ((names := unjoined(content)) and _from_object(names, source)) or None
        if table is None and (inner := _within(content)) is not None:
            name, value = inner
            less = _less(content, source.place)
            table = _configured(table_of_content(value, source), content)
            table = table.noted(name, less=less or table.less)
        elif table is None and (below := records_below(content, source.place)) is not None:
            table = replace(_of_objective(below, content), less=_less(content, source.place))
    if table is not None and beside:
        return table.noted(beside)
    if table is None:
        raise NotRuns(f"{source.place}: this file has none of the shapes that hold runs: {SHAPES}.")
    return table


def _below_nothing(content: Mapping[str, Any]) -> bool:
    """Return whether all of an object stands below a key that says nothing, `results`, and has names of its own."""
    (key, *others), (inner, *_) = content, content.values()
    return (
        not others
        and says_nothing(key)
        and isinstance(inner, dict)
        and any(isinstance(v, dict | list) for v in inner.values())
    )


def _configured(table: SourceTable, content: Mapping[str, Any]) -> SourceTable:
    """Return the table of rows with the algorithm, the task and the tuned settings of the configuration beside them as columns, which tell the
    rows of several files apart."""
    beside = {name: part for name, part in content.items() if isinstance(part, dict) and canonical(name) in DESCRIBES}
    if table.structural or not beside:
        return table
    config, heads = flat(beside), list(table.columns)
    names = {
        role: name for role, name in names_in_config(config).items() if role != "run" and not plays(heads, role, {})
    }
    tuned = {
        last: str(value)
        for name, value in config.items()
        if tunes(last := name.rpartition(".")[2]) and last not in heads
    }
    columns = {name: Labels([value], np.zeros(table.n_rows, dtype=np.int64)) for name, value in (names | tuned).items()}
    return replace(table, columns={**table.columns, **columns})


LESS_IF_TRUE = frozenset({"lowerisbetter", "minimize", "minimise"})
MEASURED = vocabulary("metric measure score objective direction goal")
"""Words of keys whose text says what was measured, and whether less of it is better."""
MAXIMISED = regex(r"maximi[sz]e[ds]?|maximi[sz]ation|maximi[sz]ing", re.IGNORECASE)
MINIMISED = regex(r"minimi[sz]e[ds]?|minimi[sz]ation|minimi[sz]ing", re.IGNORECASE)


def _lists_beside_summaries(content: Any, *, below: bool = False) -> Any:
    """Return what a text holds with the list of scores in place of `{scores: [...], mean: 1.5, std: 0.2}`, and of `{scores: [...]}` below a
    name."""
    if not isinstance(content, dict):
        return content
    # Lists of losses or lengths are no scores.
    scored = [name for name in content if kind(name) in (None, "score") or name == "values"]
    runs = list_of_runs(content)
    lists = [name for name in scored if isinstance(content[name], list) and name != runs]
    others = [name for name in content if name not in (*lists, runs)]
    named = others or (below and any(kind(name) == "score" or name == "values" for name in lists))
    if len(lists) == 1 and named and all(is_summary(name) or _counts(name, content[name]) for name in others):
        return {runs: content[runs], lists[0]: content[lists[0]]} if runs else content[lists[0]]
    return {name: _lists_beside_summaries(value, below=True) for name, value in content.items()}


def _counts(name: str, value: Any) -> bool:
    """Return whether a key counts runs, or what each of them was evaluated on: `n`, `n_rollouts`."""
    return counts_runs(name) or (words(name)[:1] in (("n",), ("num",), ("number",)) and isinstance(value, int))


def _scores_of_leaves(content: Any) -> tuple[Any, str]:
    """Return what an object holds with the score in place of each innermost object `{return: 1.5, steps: 2000}`, if these have the same keys,
    one of them that of a score, and lie below others; with the note on the other keys."""
    leaves = [own for own in _objects_in(content, 0) if own]
    keys = {tuple(own) for own in leaves}
    (names, *others) = keys or {()}
    scores = candidates(list(names), "score")
    roles = any(plays(list(names), role, {}) for role in NAMED)
    if len(leaves) < 2 or others or len(scores) != 1 or len(names) < 2 or roles:
        return content, ""
    left = [name for name in names if name != scores[0]]

    def replaced(inner: Any) -> Any:
        if not isinstance(inner, dict):
            return inner
        return inner[scores[0]] if tuple(inner) == names else {name: replaced(value) for name, value in inner.items()}

    return replaced(content), f"the score of each run is its {scores[0]!r}; left out: {listed(left)}"


def _objects_in(content: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the innermost objects of numbers two levels down and deeper."""
    for value in content.values() if isinstance(content, dict) else ():
        if isinstance(value, dict) and any(isinstance(inner, dict | list) for inner in value.values()):
            yield from _objects_in(value, depth + 1)
        elif isinstance(value, dict) and depth and all(isinstance(n, int | float) for n in value.values()):
            yield value


def _within(content: dict[str, Any]) -> tuple[str, Any] | None:
    """Return what an object holds beside descriptions, or below a key that says nothing (`results`), with the note on it; None of others."""
    holding = {
        name: value
        for name, value in content.items()
        if isinstance(value, dict | list) and value and (canonical(name) not in DESCRIBES or are_records(value))
    }
    beside = [name for name in content if name not in holding]
    (first, inner), *others = holding.items() or [("", None)]
    # A number beside `results` is no run, whatever it is called; a text may be the name of the algorithm.
    alone = {
        name for name in beside if not others and says_nothing(first) and _tells_nothing(name, content[name], inner)
    }
    if not all(name in alone or canonical(name) in DESCRIBES or kind(name) or names_suite(name) for name in beside):
        return None
    if not others and isinstance(inner, dict | list) and says_nothing(first):
        texts = [f"{name} {content[name]!r}" for name in beside if isinstance(content[name], str) and name in alone]
        return f"the content of the key {first!r} is read{', beside ' * bool(texts)}{', '.join(texts)}", inner
    return (f"left out: {listed(beside)}, which describe the runs", holding) if beside and len(holding) > 1 else None


def _directions(content: dict[str, Any]) -> list[str]:
    """Return what an object says of the direction of the scores in it: what was measured, and whether less is better."""
    stated = [name for name, value in content.items() if canonical(name) in LESS_IF_TRUE and value is True]
    stated += [name for name, value in content.items() if canonical(name) == "higherisbetter" and value is False]
    named = _measured(content)
    stated += [text for text in named if MINIMISED.search(text)]
    return [*(f"{name}: lower is better" for name in stated), *named]


def _less(content: dict[str, Any], place: str, heads: Iterable[str] = ()) -> str:
    """Return what an object says of its scores if less of them is better: in words, or as the name of a cost that was measured."""
    more = any(canonical(name) == "higherisbetter" and value is True for name, value in content.items())
    more = more or any(MAXIMISED.search(text) for text in _measured(content))
    if more:
        return ""
    return next(filter(is_cost, _measured(content)), "") or says_less_of(place, _directions(content), heads)


def _measured(content: dict[str, Any]) -> list[str]:
    """Return the texts of an object that say what was measured."""
    return [value for name, value in content.items() if isinstance(value, str) and not MEASURED.isdisjoint(words(name))]


def _of_objective(table: SourceTable, content: dict[str, Any]) -> SourceTable:
    """Return the table without costs beside the one that is named where the object says what was measured."""
    says = {word for text in _measured(content) for word in words(text)}
    costs = [name for name in table.columns if direction(name) == "lower"]
    named = [name for name in costs if not says.isdisjoint(words(name))]
    if len(named) != 1 or len(costs) < 2:
        return table
    others = [name for name in costs if name not in named]
    note = f"left out: {listed(others)}, beside {named[0]!r}, which the file says was measured"
    return table.noted(note, columns=table.others(*others))


def _tells_nothing(name: str, value: Any, inner: Any) -> bool:
    """Return whether what stands beside `results` names no algorithm, task or run: a number, and a text beside two levels of names that are
    not those of runs."""
    levels, nested = [], [inner]
    while all(isinstance(own, dict) and own for own in nested):
        levels.append([key for own in nested for key in own])
        nested = [value for own in nested for value in own.values()]
    named = [keys for keys in levels if meaning_of(keys) not in ("run", "number") and not all(map(str.isdecimal, keys))]
    of_role = bool(roles_of(name))
    return isinstance(value, int | float) or (isinstance(value, str) and len(named) > 1 and not of_role)


def decode(text: str, place: str) -> Any:
    """Return the content of a JSON text; NaN and infinities are accepted here, and refused later with their place."""
    try:
        # Python keeps the last of two equal keys: runs would vanish in silence.
        return json.loads(text, object_pairs_hook=_unique_keys)
    except RecursionError as error:
        raise DataError(f"{place}: the JSON is nested too deeply to hold runs.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        where += f" (one record per line is {option('format', 'ndjson')})" if error.msg == "Extra data" else ""
        raise DataError(f"{place}: this is not well-formed JSON: {error.msg} at {where}.") from error
    except ValueError as error:
        raise DataError(f"{place}: this JSON cannot be read: {error}.") from error


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise ValueError(f"the key {twice!r} appears twice in one object")
    return record


# ── the shapes ──────────


def _from_object(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of an object, None if its shape is not one of runs.

    The order of the shapes matters: an object of plain lists is columns if its names are roles, and scores by task if they are not.
    """
    if (tool := of_tool(content, source)) is not None:
        return tool
    values = list(content.values())
    # pandas' DataFrame.to_dict('list') and rliable's files of one algorithm look alike; names of roles tell them
    # apart.
    if all(map(is_scalars, values)):
        names = list(content)
        if plays(names, "score", {}) and any(plays(names, role, {}) for role in ("algorithm", "run", "step")):
            lengths = {name: len(column) for name, column in content.items()}
            if len(set(lengths.values())) > 1:
                raise DataError(f"{source.place}: the columns differ in length: {lengths}.")
            return SourceTable(columns=content, place=source.place, row=lambda index: f"entry {index + 1}")
        table = _cells({source.stem: content}, source, "{name: [scores]}")
        return replace(table, columns=table.others(KEY), keys={INNER_KEY: "task"})
    if (rows := runs_beside_scores(content)) is not None:
        above = (KEY, INNER_KEY)[: len(rows[0]) - 2]
        return of_points((*above, "run", "score"), rows, source.place, "{name: {runs, scores}}")
    if all(isinstance(tasks, dict) and all(map(is_scalars, tasks.values())) for tasks in values):
        return _cells(content, source, "{name: {name: [scores]}}")
    # Of one name alone {name: {name: true}} says too little to tell algorithms from tasks.
    if len(values) > 1 and (all(map(_is_outcomes, values)) or are_scores_of_names(content, source.stem)):
        rows = [(name, task, solved) for name, tasks in content.items() for task, solved in tasks.items()]
        return of_points((KEY, INNER_KEY, "score"), rows, source.place, "{name: {name: score}}")
    if (nested := _with_runs(content, source)) is not None:
        return nested
    if all(isinstance(tasks, dict) and all(map(is_matrix, tasks.values())) for tasks in values):
        return curves_of_matrices(content, source)
    if (labelled := _labelled_lists(content, source)) is not None:
        return labelled
    return _matrices(content, source)


def _matrices(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of {name: [[scores]]}, which may have the list of their steps beside them; None of another object."""
    beside = [name for name, rows in content.items() if not is_matrix(rows)]
    if not all(is_scalars(content[name]) and kind(name) in PROGRESS for name in beside):
        return None
    arrays = {name: _array(name, rows, source.place) for name, rows in content.items()}
    return (
        curves_beside_steps(arrays, source.place, source.axes)
        if beside
        else arrays_table(arrays, source.place, source.axes)
    )


def _with_runs(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of scores below two or three levels of keys, exactly one of which names runs; otherwise None."""
    rows: list[tuple[Any, ...]] = [((), content)]
    while rows and all(isinstance(value, dict) for _, value in rows):
        rows = [((*keys, str(key)), value) for keys, inner in rows for key, value in inner.items()]
    levels = list(zip(*(keys for keys, _ in rows), strict=False)) if len({len(keys) for keys, _ in rows}) == 1 else []
    # `{"PPO": {"Pong": {"seed_0": 3.0}}}`, and what pandas makes of a pivoted table; two levels that look like runs
    # are left to be refused.
    runs = [i for i, names in enumerate(levels) if meaning_of(names) == "run" or all(map(str.isdecimal, names))]
    if len(levels) not in (2, 3) or len(runs) != 1 or any(isinstance(score, list | dict) for _, score in rows):
        return curves_of_runs(rows, levels, runs, source)
    order = [*(i for i in range(len(levels)) if i != runs[0]), runs[0]]
    points = [(*(keys[i] for i in order), score) for keys, score in rows]
    note = f"keys of {len(levels)} levels: those of level {runs[0] + 1} are taken as runs"
    return of_points((*(KEY, INNER_KEY)[: len(levels) - 1], "run", "score"), points, source.place, note)


def _labelled_lists(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of an array of scores beside lists of the names along its axes; None of another object."""
    if not any(is_scalars(value) and all(isinstance(name, str) for name in value) for value in content.values()):
        return None
    # The arrays may stand below a key of their own, `scores`.
    inner = [value for key, value in content.items() if isinstance(value, dict) and says_nothing(key)]
    content = {**content, **inner[0]} if len(inner) == 1 else content
    try:
        arrays = {name: np.array(value) for name, value in content.items() if isinstance(value, list)}
    except ValueError:  # rows of several lengths
        return None
    return labelled_arrays(arrays, source.place)


def _is_outcomes(tasks: Any) -> bool:
    return isinstance(tasks, dict) and bool(tasks) and all(isinstance(solved, bool) for solved in tasks.values())


def _array(name: str, rows: list[Any], place: str) -> Any:
    try:
        return np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        lengths = {len(row) for row in rows}
        why = f"its rows hold {span(list(lengths))} entries" if len(lengths) > 1 else str(error)
        message = (
            f"{place}: algorithm {name!r} must be an array of numbers, rows of one length (n_runs, n_tasks), but {why}."
        )
        raise DataError(message) from error


def _cells(content: dict[str, dict[str, list[Any]]], source: Source, note: str) -> SourceTable:
    columns: dict[str, list[Any]] = {KEY: [], INNER_KEY: [], "run": [], "score": []}
    played = {task for tasks in content.values() for task, scores in tasks.items() if scores}
    for algorithm, tasks in content.items():
        if not any(tasks.values()):
            raise DataError(f"{source.place}: algorithm {algorithm!r} has no scores.")
        empty = next((task for task in tasks if task not in played), None)
        if empty is not None:
            what = f"{source.place}: task {empty!r} has no scores of any algorithm; enter them, or leave the task out."
            raise DataError(what)
        for task, scores in tasks.items():
            columns[KEY] += [algorithm] * len(scores)
            columns[INNER_KEY] += [task] * len(scores)
            columns["run"] += [str(run) for run in range(len(scores))]
            columns["score"] += scores
    return structural(source.place, columns, note, entries=True)


JSON = Format(
    title="JSON",
    holds="records, or scores nested by algorithm and task, or by task",
    suffixes=(".json",),
    sniff=lambda data: BEGINNING.match(data) is not None,
    read=read,
    wide=True,
    alone=True,
)


# ── one record per line ──────────


def read_lines(source: Source) -> SourceTable:
    """Return the columns of the records."""
    records, lines = [], []
    for at, line in enumerate(source.text().split("\n"), start=1):
        if line.strip():
            record = decode(line, f"{source.place}, line {at}")
            if not isinstance(record, dict):
                raise NotRuns(f"{source.place}, line {at}: a record {{name: value}} was expected, not {line[:40]!r}.")
            records.append(record)
            lines.append(at)
    if not records:
        raise DataError(f"{source.place}: there are no rows of data.")
    return records_table(records, source.place, lambda index: f"line {lines[index]}")


def _looks_like_lines(data: bytes) -> bool:
    lines = [line for line in data[:65536].splitlines() if line.strip()]
    return len(lines) > 1 and all(line.lstrip().startswith(b"{") for line in lines)


NDJSON = Format(
    title="JSON lines",
    holds="one record per line",
    suffixes=(".ndjson", ".jsonl"),
    sniff=_looks_like_lines,
    read=read_lines,
    wide=True,
    alone=True,
)
