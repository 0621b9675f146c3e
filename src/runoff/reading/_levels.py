"""Which of several levels of names on paths say something of their own, and which of these names the tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from runoff.reading._crossed import is_generation
from runoff.reading._known import (
    OURS,
    has_algorithm,
    is_algorithm,
    is_setting,
    is_task,
    meaning_of,
    says_nothing,
    setting_in,
)
from runoff.tables.columns import listed
from runoff.words.labels import run_of
from runoff.words.patterns import regex


def independent(levels: Mapping[int, Sequence[str]]) -> dict[int, Sequence[str]]:
    """Return the levels without those whose names follow from another level that every path has; known algorithms, then the deepest, stay."""
    kept: dict[int, Sequence[str]] = {}

    def order(back: int) -> tuple[bool, bool, int]:
        names = [name for name in levels[back] if name]
        return not all(map(is_algorithm, names)), meaning_of(names) != "algorithm", back

    # a level with gaps cannot stand for another: runs without it would lose their name
    for back in sorted(levels, key=order):
        names = levels[back]
        if all(
            len(set(zip(names, other, strict=True))) > len(set(other)) or len(set(names)) < len(set(other))
            for other in kept.values()
            if all(other)
        ):
            kept[back] = names
    return kept


def task_level(levels: Mapping[int, Sequence[str]], with_run: bool) -> tuple[int | None, str]:
    """Return the level that names the tasks, if any, and the question if this is undecided.

    If there is a level of known algorithms, the only other level of plain names is the task, if runs are named. Among unknown levels, and
    names that form a grid, any may be the task; names with numbers are settings of a known algorithm, and with plain names either may be the
    task.
    """
    ours = [back for back, names in levels.items() if any(map(OURS.match, names))]
    algorithms = [back for back, names in levels.items() if meaning_of(filter(None, names)) == "algorithm"] or ours
    unset = {
        back: names
        for back, names in levels.items()
        if all(names) and not any(is_setting(name) or is_generation(name) for name in names)
    }
    plain = [back for back in unset if back not in algorithms]
    if len(plain) == 1 and algorithms and with_run:
        return plain[0], ""
    # `t0/A_lr0.1`: beside settings of algorithms that have a name there, another level is no part of their name.
    swept = {back for back, names in levels.items() if any(map(setting_in, names))}
    beside = swept and {*levels} - swept - {*algorithms}
    if (plain or beside) and len(levels) > 1:
        examples = "; ".join(listed(sorted(set(levels[back]))[:2]) for back in sorted(levels, reverse=True))
        return None, (
            f"the names of folders and files vary on {len(levels)} levels ({examples}); nothing shows which is the algorithm; use"
        )
    return None, ""


def beyond_ids(parts: tuple[str, ...], task: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the names on a path with a name and an id for a task that is spelled as one id: `mine_hopper-v2` beside `cql_hopper-v2`."""
    inner = next((own for own in ids if task.endswith(f"_{own}")), "")
    return tuple(part.replace(f"_{inner}", f" {inner}") for part in parts) if inner else parts


COUNTED = regex(r"[._-]?\d{1,4}$")
"""The number of a part at the end of a file's name: `progress.1`."""


def of_lone_file(parts: Sequence[str], above: Sequence[str]) -> str:
    """Return the algorithm of the only file, whose name says nothing: that of a known folder above it, or of one above folders of a task and a
    run; the name of the file where there are none, "" where it says something. above: the names of the folders above all files.

    >>> of_lone_file(["progress"], ["x", "sac", "hopper", "seed_0"]), of_lone_file(["history.1"], ["mine", "seed_0"])
    ('sac', 'mine')
    >>> of_lone_file(["progress"], ["x", "y"]), of_lone_file(["ppo"], ["x", "seed_0"])
    ('progress', '')
    """
    if len(parts) > 1 or not says_nothing(COUNTED.sub("", parts[-1])):
        return ""
    named = [name for name in reversed(above) if not says_nothing(name)]
    of_run = [*takewhile(lambda name: run_of(name) is not None or is_task(name), named)]
    algorithm = next(filter(has_algorithm, named), "")
    return algorithm or next(iter(named[len(of_run) :] if of_run else []), "") or parts[-1]
