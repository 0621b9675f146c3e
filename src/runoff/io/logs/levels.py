"""What the names of folders say of all runs of a tool: the levels that differ are the algorithm, unless one of them is the task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runoff.io._known import said_by
from runoff.io._names import SETTING, grid_of, grid_words, independent
from runoff.io.logs.directories import Clues, clues, has_algorithm, is_algorithm
from runoff.tables.columns import listed
from runoff.words.speech import option

LONGEST = 200
"""Letters of a name; a longer one is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """What the folders name of each run, {role: name}, and the sentence on what cannot be told of them ("" if all can)."""

    names: tuple[Mapping[str, str], ...]
    unclear: str = ""


def clues_of_all(paths: Sequence[Sequence[str]]) -> list[Clues]:
    """Return the clues of all paths; single words are tasks only if every path names a task."""
    found = [clues(path) for path in paths]
    if any(one.task is None for one in found) and any(one.weak for one in found):
        return [clues(path, weak=False) for path in paths]
    return found


def folder_names(found: Sequence[Clues], *, with_task: bool, with_run: bool) -> Folders:
    """Return what folders name of runs whose task (and run) something else names, or does not."""
    depths = _telling(found)
    tasks: Mapping[int, int] = {}
    unclear = ""
    if not with_task and not any(one.task for one in found):
        task, unclear = _task_level(_levels(found, depths), with_run or all(one.run is not None for one in found))
        tasks = {} if task is None else dict.fromkeys(range(len(found)), task)
    return Folders(
        names=tuple(_named(one, depths, tasks.get(i)) for i, one in enumerate(found)),
        unclear=unclear,
    )


def _telling(found: Sequence[Clues]) -> set[int]:
    """Return the depths of folders whose names differ between runs, or are algorithms; the deepest one where there are none."""
    by_depth: dict[int, set[str]] = {}
    for one in found:
        for depth, text in one.left:
            by_depth.setdefault(depth, set()).add(text.casefold())
    missing = {depth for one in found for depth in by_depth if depth not in dict(one.left)}
    telling = {
        depth
        for depth, texts in by_depth.items()
        if len(texts) > 1 or depth in missing or any(map(is_algorithm, texts))
    }
    like = {depth for depth, texts in by_depth.items() if any(map(has_algorithm, texts))}
    return telling or like or set(sorted(by_depth)[-1:])


def _levels(found: Sequence[Clues], depths: set[int]) -> dict[int, list[str]]:
    """Return the names on each depth that differ, "" where a run has none."""
    levels = {depth: [dict(one.left).get(depth, "") for one in found] for depth in sorted(depths)}
    return {depth: names for depth, names in levels.items() if len(set(names)) > 1}


def _task_level(levels: Mapping[int, list[str]], with_run: bool) -> tuple[int | None, str]:
    """Return the depth that names the tasks, if one does, and what to say if that cannot be told.

    Beside a level of known algorithms the one level of plain names is the task, if runs are named. Of levels of which nothing is known, and of
    names that are a grid, any may be; names with numbers are settings of a known algorithm, and beside plain names either may be the task.
    """
    deepest = max(levels, default=0)
    kept = {deepest - back: names for back, names in independent({deepest - d: n for d, n in levels.items()}).items()}
    known = [depth for depth, names in kept.items() if said_by([name for name in names if name]) == "algorithm"]
    plain = [d for d, names in kept.items() if d not in known and not any(SETTING.search(n) or not n for n in names)]
    if len(plain) == 1 and known and with_run:
        return plain[0], ""
    if plain and len(kept) > 1:
        examples = "; ".join(listed(sorted(set(kept[depth]))[:2]) for depth in sorted(kept))
        return None, (
            f"the names of folders vary on {len(kept)} levels ({examples}), and which of them is the algorithm cannot be told; say it: "
            f"{option('pattern', '{algorithm}/{task}/{run}')} ('*' stands for what names nothing)."
        )
    unset = [names for names in kept.values() if not any(SETTING.search(name) or not name for name in names)]
    grid = grid_of(unset[0]) if len(unset) == 1 else None
    return None, grid_words(unset[0], *grid) if grid is not None else ""


def _named(one: Clues, depths: set[int], task: int | None) -> dict[str, str]:
    names: dict[str, str] = {}
    if one.task:
        names["task"] = one.task
    elif task is not None and task in dict(one.left):
        names["task"] = dict(one.left)[task]
    if one.run is not None:
        names["run"] = one.run
    telling = [text for depth, text in one.left if depth in depths and depth != task]
    if telling:
        names["algorithm"] = "/".join(telling)
    return {role: name for role, name in names.items() if len(name) <= LONGEST}
