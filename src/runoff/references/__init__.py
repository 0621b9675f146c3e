"""Reference scores: the per-task (low, high) pairs that map low to 0 and high to 1, each with its provenance.

The registry is the JSON files beside this one and those of the shipped data sets, `{name: {title, low, high, source, unit, scores}}`;
`scores` is `{task: [low, high]}`, or `every_task` a single pair. Adding a file adds an entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any

from runoff.errors import DataError, OptionError, nearest

LowHigh = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Reference scores of a benchmark.

    Attributes
    ----------
    name : str
        The registered name, a file's name, or "given".
    low, high : str
        What 0 and 1 stand for.
    source : str
        Where the numbers come from.
    scores : Mapping[str, tuple[float, float]]
        Task to (low, high).
    every_task : tuple[float, float] or None
        A pair that holds for all tasks, instead of `scores`.
    """

    name: str
    title: str
    low: str
    high: str
    source: str
    unit: str
    scores: Mapping[str, LowHigh]
    every_task: LowHigh | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.title}): 0 is {self.low}, 1 is {self.high}; {self.source}"

    def pair(self, task: str) -> LowHigh:
        """Return (low, high) of a task, whose name may be spelled as environments are ("ALE/Pong-v5", "PongNoFrameskip-v4").

        Raises
        ------
        DataError
            The task is unknown, with the nearest known name.
        """
        if self.every_task is not None:
            return self.every_task
        if task in self.scores:
            return self.scores[task]
        by_stem = {stem(known): known for known in self.scores}
        if stem(task) in by_stem:
            return self.scores[by_stem[stem(task)]]
        raise DataError(
            f"task {task!r} has no reference scores in {self.name!r} ({len(self.scores)} tasks known).{nearest(task, self.scores)}"
        )


def stem(task: str) -> str:
    """Return a task's name without the decorations of environment ids."""
    bare = re.sub(r"^ale/", "", task.strip().casefold())
    bare = re.sub(r"-v\d+$", "", bare)
    bare = re.sub(r"(noframeskip|deterministic)$", "", bare)
    return re.sub(r"[\s_-]", "", bare)


def registered() -> tuple[str, ...]:
    """Return the names of the registered references."""
    return tuple(sorted(_registry()))


def load_reference(reference: str | Path | Mapping[str, LowHigh] | Reference) -> Reference:
    """Return reference scores by registered name, from a JSON file, or from a mapping {task: (low, high)}.

    Raises
    ------
    OptionError
        The name is neither registered nor a file; the nearest name is suggested.
    DataError
        The file is not what it should be, or a range is zero or not finite.
    """
    if isinstance(reference, Reference):
        return reference
    if isinstance(reference, Mapping):
        return _reference("given", {"scores": reference, "source": "given by the caller"}, "reference")
    if str(reference) in _registry():
        return _registry()[str(reference)]
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
    folders = (folder for folder in data.iterdir() if folder.is_dir()) if data.is_dir() else iter(())
    yield from (folder / "reference.json" for folder in folders if (folder / "reference.json").is_file())


def _from_file(path: Path) -> Reference:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: reference scores must be a JSON file, but {error}.") from error
    if not isinstance(content, dict) or not content:
        raise DataError(
            f"{path}: reference scores must be an object {{task: [low, high]}}, not {type(content).__name__}."
        )
    if set(content) == {"random", "human"}:
        return _reference(
            path.stem, {"scores": _joined(content, path), "low": "random agent", "high": "human"}, str(path)
        )
    first = next(iter(content.values()))
    if len(content) == 1 and isinstance(first, dict):
        return _reference(next(iter(content)), first, str(path))
    return _reference(path.stem, {"scores": content, "source": str(path)}, str(path))


def _joined(content: dict[str, dict[str, float]], path: Path) -> dict[str, list[float]]:
    unmatched = set(content["random"]) ^ set(content["human"])
    if unmatched:
        raise DataError(f"{path}: task {min(unmatched)!r} has only one of the random and human scores.")
    return {task: [low, content["human"][task]] for task, low in content["random"].items()}


def _reference(name: str, entry: Mapping[str, Any], place: str) -> Reference:
    every = entry.get("every_task")
    scores = entry.get("scores", {})
    if not isinstance(scores, Mapping) or not (scores or every):
        raise DataError(f"{place}: reference {name!r} has no scores {{task: [low, high]}}.")
    return Reference(
        name=name,
        title=str(entry.get("title", name)),
        low=str(entry.get("low", "low")),
        high=str(entry.get("high", "high")),
        source=str(entry.get("source", place)),
        unit=str(entry.get("unit", "raw score")),
        scores=MappingProxyType({str(task): _pair(str(task), pair, place) for task, pair in scores.items()}),
        every_task=_pair("every task", every, place) if every else None,
    )


def _pair(task: str, pair: Any, place: str) -> LowHigh:
    try:
        low, high = (float(end) for end in pair)
    except (TypeError, ValueError) as error:
        raise DataError(f"{place}: the reference of task {task!r} must be a pair [low, high], not {pair!r}.") from error
    if not (isfinite(low) and isfinite(high)) or low == high:
        raise DataError(
            f"{place}: the reference range of task {task!r} is {low} to {high}; its ends must be finite and differ."
        )
    return low, high
