"""Learning curves in JSON: lists of evaluations, lists of them by name beside their steps, lists of lists, lists of pairs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from runoff.errors import DataError
from runoff.reading.formats.base import INNER_KEY, KEY, LEVELS, Source, structural
from runoff.tables.columns import listed
from runoff.tables.likely import candidates
from runoff.tables.source import SourceTable
from runoff.words.speech import option


def curves_of_runs(
    rows: list[tuple[Any, ...]], levels: list[tuple[str, ...]], runs: list[int], source: Source
) -> SourceTable | None:
    """Return the table of lists of scores, each run's evaluations, below three levels of keys, one of which names runs; or of lists of scores
    beside those of their steps, by name."""
    if (beside := _beside_steps(rows, levels, runs, source)) is not None:
        return beside
    if len(levels) != 3 or len(runs) != 1 or not all(is_scalars(scores) and scores for _, scores in rows):
        return None
    lengths = [len(scores) for _, scores in rows]
    columns: dict[str, list[Any]] = {
        name: [key for key, n in zip(levels[i], lengths, strict=True) for _ in range(n)]
        for name, i in zip((KEY, INNER_KEY, "run"), [*(i for i in range(3) if i != runs[0]), runs[0]], strict=True)
    }
    columns["step"] = [entry + 1.0 for n in lengths for entry in range(n)]
    columns["score"] = [score for _, scores in rows for score in scores]
    note = f"keys of 3 levels: those of level {runs[0] + 1} are taken as runs, and the entries of a list as its evaluations, at steps 1, 2, …"
    return structural(source.place, columns, note, keys=LEVELS)


def _beside_steps(
    rows: list[tuple[Any, ...]], levels: list[tuple[str, ...]], runs: list[int], source: Source
) -> SourceTable | None:
    """Return the table of the curve of each run, `{steps: [...], return: [...]}`, below two or three levels of keys, one of which names runs;
    None of others."""
    inner: dict[tuple[str, ...], dict[str, Any]] = {}
    for keys, values in rows if len(levels) in (3, 4) and len(runs) == 1 else ():
        inner.setdefault(keys[:-1], {})[keys[-1]] = values
    names = list(next(iter(inner.values()), ()))
    steps, scores = (candidates(names, role) for role in ("step", "score"))
    alike = all(own.keys() == {*names} and _are_alike(list(own.values())) for own in inner.values())
    if len(steps) != 1 or len(scores) != 1 or not alike:
        return None
    rest = [name for name in names if name not in (*steps, *scores)]
    levels_of_names = [KEY, INNER_KEY][: len(levels) - 2]
    levels_of_names.insert(runs[0], "run")
    curves = [(keys, own[steps[0]], own[scores[0]]) for keys, own in inner.items()]
    columns: dict[str, list[Any]] = {
        level: [keys[i] for keys, own, _ in curves for _ in own] for i, level in enumerate(levels_of_names)
    }
    columns |= {"step": [step for _, own, _ in curves for step in own], "score": [s for *_, own in curves for s in own]}
    note = f"keys of {len(levels)} levels: those of level {runs[0] + 1} are taken as runs, {scores[0]!r} as the score at each {steps[0]!r}"
    note += f"; left out: {listed(rest)}" if rest else ""
    return structural(
        source.place, columns, note, keys={name: role for name, role in LEVELS.items() if name in columns}
    )


def _are_alike(lists: list[Any]) -> bool:
    """Return whether all of some values are lists of scalars of one length."""
    return all(is_scalars(own) and own for own in lists) and len({len(own) for own in lists}) == 1


def curves_of_matrices(content: dict[str, dict[str, Any]], source: Source) -> SourceTable:
    """Return the table of {name: {name: matrix}}, whose axes are runs and steps according to the user."""
    first = next(iter(next(iter(content.values())).values()))
    if all(_are_pairs(rows) for tasks in content.values() for rows in tasks.values()):
        return _curves_of_pairs(content, source)
    if source.axes is None or sorted(source.axes) != ["run", "step"]:
        raise DataError(
            f"{source.place}: below two levels of keys lie lists of lists, the first of {len(first)} by {len(first[0])}, which are runs of "
            f"several evaluations, or evaluations of several runs; say which: {option('dims', 'run,step')} or {option('dims', 'step,run')}."
        )
    columns: dict[str, list[Any]] = {KEY: [], INNER_KEY: [], "run": [], "step": [], "score": []}
    for name, tasks in content.items():
        for task, rows in tasks.items():
            for i, row in enumerate(rows):
                for j, score in enumerate(row):
                    run, step = (i, j) if source.axes[0] == "run" else (j, i)
                    for column, value in zip(columns, (name, task, str(run), step + 1.0, score), strict=True):
                        columns[column].append(value)
    note = f"{{name: {{name: [[scores]]}}}}: the axes are {', '.join(source.axes)}, by request"
    return structural(source.place, columns, note, keys=LEVELS, by_axes=True)


def _are_pairs(rows: list[list[Any]]) -> bool:
    """Return whether each row is a curve of pairs of a step, which rises, and a score: [[1000, 1.5], [2000, 2.5]]."""
    pairs = all(is_scalars(pair) and len(pair) == 2 for row in rows for pair in row)
    return pairs and all(first[0] < second[0] for row in rows for first, second in pairwise(row))


def _curves_of_pairs(content: dict[str, dict[str, Any]], source: Source) -> SourceTable:
    """Return the table of {name: {name: [[[step, score]]]}}, a list of pairs for each run."""
    rows = [
        (name, task, str(run), float(step), score)
        for name, tasks in content.items()
        for task, runs in tasks.items()
        for run, pairs in enumerate(runs)
        for step, score in pairs
    ]
    columns = dict(zip((KEY, INNER_KEY, "run", "step", "score"), map(list, zip(*rows, strict=True)), strict=True))
    return structural(
        source.place, columns, "each list of pairs of a step and a score is the curve of a run", keys=LEVELS
    )


def is_matrix(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, list) and row for row in rows)


def is_scalars(column: Any) -> bool:
    return isinstance(column, list) and not any(isinstance(value, list | dict) for value in column)
