"""Reference scores: the per-task (low, high) pairs that map low to 0 and high to 1, each with its provenance.

The registry is the JSON files beside this one and those of the shipped data sets, `{name: {title, low, high, source, unit, scores}}`;
`scores` is `{task: [low, high]}`, or `every_task` a single pair. `prefixes` are what environment ids of the benchmark begin with
("atari": "atari_alien" is Alien); `doubtful` is `{task: why}`, where two sources disagree, `remark` a sentence for every report.
Adding a file adds an entry. Scores that look as if they had been normalised already are refused; whoever knows better can say so.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from runoff.base.arrays import Floats
from runoff.base.ports import reading
from runoff.data.reference import GIVEN, LowHigh, Reference, ReferenceLike
from runoff.errors import DataError, OptionError, nearest
from runoff.words.names import Unreferenced
from runoff.words.speech import choice


def registered() -> tuple[str, ...]:
    """Return the names of the registered references."""
    return tuple(sorted(_registry()))


def load_reference(reference: ReferenceLike) -> Reference:
    """Return reference scores by registered name, from a JSON or CSV file, a frame with the columns of one, or a mapping {task: (low, high)}.

    Raises
    ------
    OptionError
        The name is neither registered nor a file; the nearest name is suggested.
    DataError
        The file or the frame has no pairs [low, high], or a range is zero or not finite.
    """
    if isinstance(reference, Reference):
        return reference
    # Of the type: a lazy frame warns where its columns are asked for.
    if isinstance(reference, Mapping) or hasattr(type(reference), "columns"):
        return _given(reference)
    if str(reference) in _registry():
        return _registry()[str(reference)]
    if not isinstance(reference, str | Path):
        raise OptionError(
            f"reference scores are a registered name ({', '.join(registered()[:3])}, …), a file, a frame, or {{task: (low, high)}}, not a "
            f"{type(reference).__name__}."
        )
    path = Path(reference)
    if not path.is_file():
        names = registered()
        raise OptionError(
            f"no reference scores are registered as {str(reference)!r}, and there is no such file; registered: {', '.join(names)}."
            f"{nearest(str(reference), names)}"
        )
    return _from_file(path)


@cache
def _registry() -> Mapping[str, Reference]:
    entries: dict[str, Reference] = {}
    for file in _shipped():
        for name, entry in json.loads(file.read_text(encoding="utf-8")).items():
            entries[name] = _reference(name, entry, file.name)
    return MappingProxyType(entries)


def _shipped() -> Iterator[Traversable]:
    yield from (file for file in files("runoff.references").iterdir() if file.name.endswith(".json"))
    data = files("runoff").joinpath("data")
    for folder in data.iterdir() if data.is_dir() else ():
        if folder.is_dir() and (folder / "reference.json").is_file():
            yield folder / "reference.json"


LOW = MappingProxyType({"low": "low", "random": "random agent", "min": "the least score", "minimum": "the least score"})
HIGH = MappingProxyType(
    {"high": "high", "human": "human", "expert": "expert", "max": "the largest score", "maximum": "the largest score"}
)
"""Names of the two scores of a task that become 0 and 1, and what they are."""
TASK = tuple(
    f"{noun}{end}"
    for noun in ("task", "env", "environment", "game")
    for end in ("", "_id", "_name", " id", " name", "s")
)
"""Heads of the column of tasks in a CSV file."""


def _given(scores: Any) -> Reference:
    """Return the reference scores of a frame, whose columns are those of a CSV file, or of a mapping."""
    mapping = isinstance(scores, Mapping)
    names = [str(name).strip().casefold() for name in scores] if mapping else []
    if not mapping or (_sides([name for name in names if name not in TASK]) and len(names) == 3):
        content: Mapping[str, Any] = _of_columns(reading().table_of(scores).columns, "reference", "a frame")
    else:
        content = scores
    sides = _sides(content)
    by_side = sides is not None and all(isinstance(part, Mapping) for part in content.values())
    entry = _entry(content, sides, "reference") if sides and by_side else {"scores": content}
    return _reference(GIVEN, entry | {"source": "given by the caller"}, "reference")


def _from_file(path: Path) -> Reference:
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = _of_csv(text, path) if path.suffix.casefold() == ".csv" else json.loads(text)
    except DataError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path}: reference scores are JSON, {{task: [low, high]}}, or CSV with the columns task, low and high, but {error}."
        ) from error
    if not isinstance(content, dict) or not content:
        what = "one without entries" if content == {} else type(content).__name__
        message = f"{path}: reference scores must be an object {{task: [low, high]}}, not {what}."
        raise DataError(message)
    # The form in which rliable and Atari 100k publish their normalisation: two objects by task.
    if (sides := _sides(content)) is not None:
        return _reference(path.stem, _entry(content, sides, str(path)), str(path))
    first = next(iter(content.values()))
    if len(content) == 1 and isinstance(first, dict):
        return _reference(next(iter(content)), first, str(path))
    return _reference(path.stem, {"scores": content, "source": str(path)}, str(path))


def _sides(names: Collection[str]) -> tuple[str, str] | None:
    """Return which of two names is that of the scores that become 0, and which that of those that become 1."""
    lows, highs = [name for name in names if name in LOW], [name for name in names if name in HIGH]
    return (lows[0], highs[0]) if len(names) == 2 and lows and highs else None


def _of_csv(text: str, path: Path) -> dict[str, dict[str, float]]:
    rows = list(csv.DictReader(io.StringIO(text)))
    heads = [name for name in (rows[0] if rows else {}) if isinstance(name, str)]
    return _of_columns({name: [row[name] for row in rows] for name in heads}, str(path), "CSV")


def _of_columns(columns: Mapping[str, Sequence[Any]], place: str, kind: str) -> dict[str, dict[str, float]]:
    """Return the two scores of each task of a table, by what they are called; kind: of which kind the table is."""
    names = {name.strip().casefold(): name for name in columns}
    task, sides = next((name for name in TASK if name in names), None), _sides([n for n in names if n not in TASK])
    if task is None or sides is None:
        shown = ", ".join(names) or "no columns"
        raise DataError(
            f"{place}: reference scores in {kind} have the columns task, low and high (or random and human, min and max), not {shown}."
        )
    tasks = [str(name) for name in columns[names[task]]]
    twice = next((name for n, name in enumerate(tasks) if name in tasks[:n]), None)
    if twice is not None:
        raise DataError(f"{place}: task {twice!r} has two rows.")
    return {
        side: {name: _number(name, side, score, place) for name, score in zip(tasks, columns[names[side]], strict=True)}
        for side in sides
    }


def _number(task: str, side: str, score: Any, place: str) -> float:
    try:
        return float(score)
    except (TypeError, ValueError) as error:
        what = "is missing" if score is None or score == "" else f"must be a number, not {score!r:.80}"
        raise DataError(f"{place}: the {side} score of task {task!r} {what}.") from error


def _entry(content: Mapping[str, Any], sides: tuple[str, str], place: str) -> dict[str, Any]:
    """Return the entry of two objects by task, what becomes 0 and what becomes 1."""
    low, high = sides
    return {"scores": _joined(content, place, low, high), "low": LOW[low], "high": HIGH[high]}


def _joined(content: Mapping[str, Any], place: str, low: str, high: str) -> dict[str, list[float]]:
    for side in (low, high):
        if not isinstance(content[side], Mapping):
            raise DataError(f"{place}: the {side} scores must be an object {{task: score}}, not {content[side]!r:.80}.")
    unmatched = set(content[low]) ^ set(content[high])
    if unmatched:
        raise DataError(f"{place}: task {min(unmatched)!r} has only one of the {low} and {high} scores.")
    return {task: [own, content[high][task]] for task, own in content[low].items()}


def _reference(name: str, entry: Mapping[str, Any], place: str) -> Reference:
    every = entry.get("every_task")
    scores = entry.get("scores", {})
    if not isinstance(scores, Mapping) or not (scores or every):
        raise DataError(f"{place}: reference {name!r} has no scores {{task: [low, high]}}.")
    prefixes, doubtful = entry.get("prefixes", ()), entry.get("doubtful", {})
    if not isinstance(prefixes, list | tuple) or not isinstance(doubtful, Mapping):
        message = f"{place}: of reference {name!r}, prefixes must be a list and doubtful an object {{task: reason}}."
        raise DataError(message)
    return Reference(
        name=name,
        title=str(entry.get("title", name)),
        low=str(entry.get("low", "low")),
        high=str(entry.get("high", "high")),
        source=str(entry.get("source", place)),
        unit=str(entry.get("unit", "raw score")),
        scores=MappingProxyType({str(task): _pair(str(task), pair, place) for task, pair in scores.items()}),
        every_task=_pair("every task", every, place) if every else None,
        prefixes=tuple(str(prefix).casefold() for prefix in prefixes),
        doubtful=MappingProxyType({str(task): str(why) for task, why in doubtful.items()}),
        remark=entry.get("remark"),
    )


def _pair(task: str, pair: Any, place: str) -> LowHigh:
    try:
        low, high = (float(end) for end in pair)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{place}: the reference of task {task!r} must be a pair [low, high], not {pair!r:.80}."
        ) from error
    if not (isfinite(low) and isfinite(high)) or low == high:
        raise DataError(
            f"{place}: the reference range of task {task!r} is {low} to {high}; its ends must be finite and differ."
        )
    return low, high


# ── raw or normalised ──────────


WIDE = 50.0
"""Only tasks whose reference range is at least this wide can distinguish raw from normalised scores."""
SMALL, SHARE = 15.0, 0.01
"""Normalised scores of all published agents lie mostly within ±SMALL; raw ones on wide tasks do not. On less wide ones they lie within 1, or
SHARE of the range."""
FAILED = 0.1
"""Scores below this share of what others have, normalised, are those of an agent that failed, not normalised ones."""
VERY_WIDE = 1000.0
"""Only tasks whose reference range is wider than this can distinguish raw scores from percentages of the reference."""
PERCENT = 30.0, 150.0
"""Percentages of agents that learned something lie mostly below the second, and one of them above the first."""


def refuse_normalised(
    algorithms: Sequence[str], tasks: Sequence[str], cells: Sequence[Sequence[Floats]], pairs: Floats
) -> None:
    """Refuse an algorithm that on most wide tasks scores as if normalised already, naming it, a task, and an algorithm in raw units."""
    ranges = np.abs(pairs[:, 1] - pairs[:, 0])
    # A reference range of a thousand points lies far from scores about 1, and from percentages; narrow ranges cannot tell.
    limits = np.clip(SHARE * ranges, 1.0, SMALL)
    small = _suspects(cells, np.flatnonzero(ranges >= WIDE).tolist(), limits)
    # Raw scores of an agent that learned nothing are as small as normalised ones; beside what others reach, both
    # normalised, they are nearly 0.
    small = {a: tasks for a, tasks in small.items() if not _failed(cells, a, tasks, small, pairs)}
    percent = {
        a: tasks
        for a, tasks in _suspects(
            cells, np.flatnonzero(ranges > VERY_WIDE).tolist(), np.full(len(tasks), PERCENT[1])
        ).items()
        if a not in small and max(np.abs(cells[a][t]).max() for t in tasks) >= PERCENT[0]
    }
    if not small and not percent:
        return
    suspects = small or percent
    first = min(suspects)
    task = suspects[first][0]
    normalised = small.keys() | percent.keys()
    raw = [name for a, name in enumerate(algorithms) if a not in normalised and any(map(_tells, cells[a]))]
    others = f" while algorithm {raw[0]!r} is in raw units" if raw else ""
    how = "" if small else " in percent (0-100)"
    repair = "" if small or raw else "take --normalize percent, which maps 0-100 to 0-1, "
    raise DataError(
        f"algorithm {algorithms[first]!r} looks normalised already{how} on {len(suspects[first])} task(s), for example {tasks[task]!r} "
        f"(scores up to {np.abs(cells[first][task]).max():.3g}, reference {pairs[task][0]:g} to {pairs[task][1]:g}){others}; {repair}"
        f"bring all algorithms to one unit, or pass {choice('assume_raw=True', '--assume-raw')} if these are raw scores."
    )


def _failed(
    cells: Sequence[Sequence[Floats]], a: int, tasks: Sequence[int], suspects: Collection[int], pairs: Floats
) -> bool:
    """Return whether on most tasks the scores are far below what algorithms that are no suspects have where they are normalised."""
    below = []
    for t in tasks:
        low, high = pairs[t].tolist()
        others = [row[t] for b, row in enumerate(cells) if b not in suspects and row[t].size]
        if others:
            size = float(np.abs((np.concatenate(others) - low) / (high - low)).mean())
            below.append(float(np.abs(cells[a][t]).mean()) < FAILED * size)
    return 2 * sum(below) > len(tasks)


def _suspects(cells: Sequence[Sequence[Floats]], wide: Sequence[int], limits: Floats) -> dict[int, list[int]]:
    """Return, for each algorithm that stays below the limits on most of the wide tasks that tell, those tasks."""
    suspects = {}
    for a, row in enumerate(cells):
        telling = [t for t in wide if _tells(row[t])]
        below = [t for t in telling if np.abs(row[t]).max() <= limits[t]]
        # Most of the tasks: a single one may be near 0 in raw units, as Pong is.
        if 2 * len(below) > len(telling):
            suspects[a] = below
    return suspects


def _tells(cell: Floats) -> bool:
    """Return whether a cell can tell: one that is empty or all zero looks the same in both units."""
    return bool(cell.size and np.any(cell))
