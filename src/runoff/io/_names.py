"""What the path of a file names: algorithm, task and run, read from folders and file names, all files together.

A part of a path is a run if it says so (`seed_3`, `s3`, `run-2`, a bare number), a task if the field knows it. Of what is left, the level
that varies is the algorithm. What fits two meanings is refused: `pattern` decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from runoff.errors import DataError
from runoff.io._known import RUN_AT_END, is_environment_id, is_task, said_by
from runoff.tables.columns import listed
from runoff.words.speech import option
from runoff.words.words import run_of, vocabulary

GENERIC = vocabulary(
    "progress progress_ evaluations evaluation eval evals results result data log logs metrics scores score runs run train training "
    "test csv json monitor history output outputs experiments experiment exp stats summary final returns rewards episodes stdin"
)
"""Names that name nothing."""
STAMP = re.compile(
    r"(?P<rest>.*?)(?:^|[_-]+)(?:(?:19|20)\d\d[-_]?[01]\d[-_]?[0-3]\d(?:[-_T]?\d\d[-_:]?\d\d(?:[-_:]?\d\d)?)?|1[5-9]\d{8,})"
)
"""Dates and times at the end of a name, or for a name: they name nothing but a run."""
RUN_AT_START = re.compile(r"(?:seed|run|trial|rep)[\W_]*(?P<run>\d+)[\W_]+(?P<rest>.+)", re.IGNORECASE)
NUMBER_AT_END = re.compile(r"(?P<rest>.*[^\W_].*?)[_-](?P<run>\d+)")
SETTING = re.compile(r"=|\d")
"""A level whose names hold numbers may be settings, not tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a path names, in which of its parts; `forced` are the roles that the user's pattern names."""

    algorithm: str | None = None
    task: str | None = None
    run: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    forced: frozenset[str] = frozenset()

    def having(self, role: str, name: str, where: str) -> Names:
        """Return these names and one more."""
        named = self.given() | {role: name}
        return Names(
            algorithm=named.get("algorithm"),
            task=named.get("task"),
            run=named.get("run"),
            where={**self.where, role: where},
            forced=self.forced,
        )

    def given(self) -> dict[str, str]:
        """Return {role: name} of what is named."""
        found = {"algorithm": self.algorithm, "task": self.task, "run": self.run}
        return {role: name for role, name in found.items() if name is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """The path of one file: folders and stem below the folder that all files share, and the names above it."""

    path: Path
    parts: tuple[str, ...]
    above: tuple[str, ...]
    lacks: frozenset[str]
    one_run: bool | None
    """Whether the file is one run; None if it holds scores that may be runs, or the evaluations of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A trail while it is read: what is left of each part, and what was found."""

    trail: Trail
    left: tuple[str, ...]
    names: Names


def names_of(trails: Sequence[Trail]) -> list[Names]:
    """Return what the paths name of what their files lack.

    Raises
    ------
    DataError
        Two parts of the paths could be the algorithm.
    """
    read = [_Read(trail=trail, left=trail.parts, names=Names()) for trail in trails]
    read = _with_runs(_without_stamps(read))
    read = _with_tasks(read)
    return [one.names for one in _with_algorithms(read)]


# ── runs ──────────


def _without_stamps(read: list[_Read]) -> list[_Read]:
    """Return the trails without dates and times; a folder that is nothing else is the run of a file that names none otherwise."""
    cleaned = []
    for one in read:
        at = next((at for at, part in enumerate(one.left) if (m := STAMP.fullmatch(part)) and not m["rest"]), None)
        left = tuple(m["rest"] if (m := STAMP.fullmatch(part)) else part for part in one.left)
        alone = len(one.left) > 1 and at is not None and not any(map(_says_run, left))
        bare = replace(one, left=left)
        cleaned.append(
            _took_run(bare, at, one.left[at], "") if alone and at is not None and "run" in one.trail.lacks else bare
        )
    return cleaned


def _says_run(part: str) -> bool:
    return part.isdigit() or RUN_AT_END.fullmatch(part) is not None or RUN_AT_START.fullmatch(part) is not None


def _with_runs(read: list[_Read]) -> list[_Read]:
    wanted = [one for one in read if "run" in one.trail.lacks]
    if not wanted:
        return read
    found = [_explicit_run(one) if "run" in one.trail.lacks and one.names.run is None else one for one in read]
    missing = [
        one
        for one in found
        if one.names.run is None and {"run", "algorithm"} <= one.trail.lacks and one.trail.one_run is not False
    ]
    rests = [(*one.left[:-1], m["rest"]) for one in missing if (m := NUMBER_AT_END.fullmatch(one.left[-1]))]
    if len(rests) < len(missing) or len(rests) == len(set(rests)):
        return found
    if any(one.trail.one_run is None for one in missing):
        _refuse_numbered(missing)
    numbered = {id(one) for one in missing}
    return [_numbered_run(one) if id(one) in numbered else one for one in found]


def _refuse_numbered(missing: Sequence[_Read]) -> None:
    names = listed(sorted({one.trail.path.name for one in missing})[:3])
    rest = NUMBER_AT_END.fullmatch(missing[0].left[-1])
    mark = missing[0].left[-1][len(rest["rest"])] if rest else "_"
    named = "{algorithm}_{task}" if rest and _task_inside(rest["rest"]) else "{algorithm}"
    raise DataError(
        f"{_folder_of(missing)}: files such as {names} differ in a number only, which may be a run, its file holding evaluations, or a "
        f"batch of runs; say it: {option('pattern', named + mark + '{run}')} (runs), or {option('pattern', named + mark + '*')} "
        "(batches)."
    )


def _explicit_run(one: _Read) -> _Read:
    for at in reversed(range(len(one.left))):
        part = one.left[at]
        match = RUN_AT_END.fullmatch(part) or RUN_AT_START.fullmatch(part)
        if match is not None:
            return _took_run(one, at, match["run"], match["rest"].strip(" _-."))
        if part.isdigit() and (len(one.left) > 1 or one.trail.one_run):
            return _took_run(one, at, part, "")
        label = run_of(part)
        if label is not None:
            return _took_run(one, at, label, "")
    return one


def _folder_of(read: Sequence[_Read]) -> str:
    return os.path.commonpath([one.trail.path.parent for one in read]) or "."


def _numbered_run(one: _Read) -> _Read:
    match = NUMBER_AT_END.fullmatch(one.left[-1])
    return one if match is None else _took_run(one, len(one.left) - 1, match["run"], match["rest"].rstrip("_-"))


def _took_run(one: _Read, at: int, run: str, rest: str) -> _Read:
    return _took(one, "run", run, at, rest)


def _took(one: _Read, role: str, name: str, at: int, rest: str) -> _Read:
    left = (*one.left[:at], rest, *one.left[at + 1 :])
    return replace(one, left=left, names=one.names.having(role, name, _level(one.trail, at)))


def _level(trail: Trail, at: int) -> str:
    return "the file name" if at == len(trail.parts) - 1 else f"folder {at + 1}"


# ── tasks ──────────


def _with_tasks(read: list[_Read]) -> list[_Read]:
    """Return the trails with the tasks that the field knows, if every path names one."""
    wanted = [one for one in read if "task" in one.trail.lacks]
    found = {id(one): _task(one) for one in wanted}
    if not wanted or any(taken is None for taken in found.values()):
        return read
    return [found.get(id(one)) or one for one in read]


def _task(one: _Read) -> _Read | None:
    for at in reversed(range(len(one.left))):
        part = one.left[at]
        others = [_name(one, back) for back in range(1, len(one.left) + 1) if len(one.left) - back != at]
        if is_task(part) or (is_environment_id(part) and any(others)):
            return _took(one, "task", part, at, "")
        inside = _task_inside(part)
        if inside is not None:
            return _took(one, "task", inside[0], at, inside[1])
    known = next((name for name in reversed(one.trail.above) if is_task(name)), None)
    if known is None:
        return None
    return replace(one, names=one.names.having("task", known, "the folder"))


def _task_inside(part: str) -> tuple[str, str] | None:
    """Return the longest run of words in a name that is a task, and the words around it."""
    words = re.split(r"_+", part)
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            name = "_".join(words[start : start + length])
            if is_task(name) or is_environment_id(name):
                return name, "_".join(words[:start] + words[start + length :])
    return None


# ── algorithms ──────────


def _with_algorithms(read: list[_Read]) -> list[_Read]:
    wanted = [one for one in read if "algorithm" in one.trail.lacks]
    if not wanted:
        return read
    levels = _levels(wanted)
    if not levels:
        return [
            _named_by_constant(one, alone=len(read) == 1) if "algorithm" in one.trail.lacks else one for one in read
        ]
    algorithm, task = _chosen(levels, wanted)
    _refuse_grid(levels[algorithm], wanted)
    return [_at(one, algorithm, task) if "algorithm" in one.trail.lacks else one for one in read]


def _levels(wanted: Sequence[_Read]) -> dict[int, list[str]]:
    """Return the levels whose names vary: their position from the end -> the name of each path."""
    depth = max(len(one.left) for one in wanted)
    found = {}
    for back in range(1, depth + 1):
        names = [_name(one, back) for one in wanted]
        if len(set(names)) > 1:
            found[back] = names
    return found


def _name(one: _Read, back: int) -> str:
    name = one.left[-back] if back <= len(one.left) else ""
    return "" if name.casefold() in GENERIC else name


def independent(levels: Mapping[int, Sequence[str]]) -> dict[int, Sequence[str]]:
    """Return the levels without those that follow another one name for name; known algorithms, then the deepest, stay."""
    kept: dict[int, Sequence[str]] = {}
    for back in sorted(levels, key=lambda back: (said_by(filter(None, levels[back])) != "algorithm", back)):
        names = levels[back]
        if all(
            len(set(zip(names, other, strict=True))) > len(set(other)) or len(set(names)) < len(set(other))
            for other in kept.values()
        ):
            kept[back] = names
    return kept


def _chosen(levels: Mapping[int, Sequence[str]], wanted: Sequence[_Read]) -> tuple[int, int | None]:
    """Return which level names the algorithm, and which the task if none of known names did."""
    levels = independent(levels)
    if len(levels) == 1:
        return next(iter(levels)), None
    known = [back for back, names in levels.items() if said_by(name for name in names if name) == "algorithm"]
    task_free = all(one.names.task is None and "task" in one.trail.lacks for one in wanted)
    if len(levels) == 2 and len(known) == 1 and task_free:
        other = next(back for back in levels if back != known[0])
        if all(one.names.run for one in wanted) and not any(SETTING.search(name) or not name for name in levels[other]):
            return known[0], other
    examples = [listed(sorted(set(names))[:2]) for names in levels.values()]
    raise DataError(
        f"{_folder_of(wanted)}: the names of folders and files vary on {len(levels)} levels ({'; '.join(examples)}), and which of them "
        f"is the algorithm cannot be told; say it: {option('pattern', '{algorithm}/{task}/{run}')} ('*' stands for what names nothing)."
    )


def grid_of(names: Sequence[str]) -> tuple[str, int, int] | None:
    """Return the mark between two halves of which all combinations are there (a_x, a_y, b_x, b_y), and how many halves there are of each."""
    labels = sorted(set(names))
    for mark in "_-":
        halves = [label.partition(mark) for label in labels]
        first, second = {half[0] for half in halves}, {half[2] for half in halves}
        if "" not in second and min(len(first), len(second)) > 1 and len(labels) == len(first) * len(second):
            return mark, len(first), len(second)
    return None


def grid_words(names: Sequence[str], mark: str, n_first: int, n_second: int) -> str:
    """Return the sentence on names that are a grid: two things are named, and only one of them is the algorithm."""
    example = "{algorithm}" + mark + "{task}"
    return (
        f"the names {listed(sorted(set(names))[:4])} combine {n_first} names with {n_second} others; say what they are: "
        f"{option('pattern', example)}, or {option('pattern', '{algorithm}')} if each is one algorithm."
    )


def _refuse_grid(names: Sequence[str], wanted: Sequence[_Read]) -> None:
    found = grid_of(names)
    if found is not None:
        raise DataError(f"{_folder_of(wanted)}: {grid_words(names, *found)}")


def _at(one: _Read, algorithm: int, task: int | None) -> _Read:
    name = _name(one, algorithm)
    if not name:
        return _named_by_constant(one)
    one = _took(one, "algorithm", name, len(one.left) - algorithm, "")
    return one if task is None else _took(one, "task", _name(one, task), len(one.left) - task, "")


def _named_by_constant(one: _Read, *, alone: bool = False) -> _Read:
    """Return the trail with the algorithm named by the nearest name that names something."""
    for back in range(1, len(one.left) + 1):
        if _name(one, back) or (alone and one.left[-back]):
            return _took(one, "algorithm", one.left[-back], len(one.left) - back, "")
    above = [name for name in reversed(one.trail.above) if name.casefold() not in GENERIC and not is_task(name)]
    name = next((name for name in above if run_of(name) is None), None) or one.trail.parts[-1]
    return replace(one, names=one.names.having("algorithm", name, "the folder"))
