"""Settings whose values are names, `controller: rule_based` beside `building: office`, which may name what nothing else names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runoff.base.grouping import grouped
from runoff.reading._known import has_algorithm, like_algorithms, meaning_of
from runoff.reading.logs.settings import OF_ONE_PLACE, of_one_run, swept
from runoff.tables.columns import listed
from runoff.tables.likely import candidates
from runoff.tables.settings import tunes
from runoff.tables.unnamed import CIRCUMSTANCES, LIKE_TASKS
from runoff.tables.values import parsed
from runoff.words.numbers import joined
from runoff.words.speech import choice, column, in_shell
from runoff.words.words import canonical, vocabulary, words

LONGEST = 40
"""A number of letters that names seldom have, and remarks do."""
NO_NAMES = vocabulary("true false yes no on off none null nan auto default")
Configs = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedBy:
    """The settings that name algorithms and tasks, {role: setting}, and the question which of several do ("" if none)."""

    settings: Mapping[str, str] = field(default_factory=dict)
    question: str = ""


def named_by(configs: Configs, folders: Sequence[str], tasks: Sequence[str], *, with_algorithm: bool) -> NamedBy:
    """Return which settings name the algorithms and the tasks of runs, as columns of these names would.

    folders: the algorithm that folders name; tasks: the task that something else names, "" for none; with_algorithm: whether something else
    than folders names the algorithms.
    """
    texts = _independent(configs, tasks)
    of_tasks = [] if all(tasks) else [name for name in texts if _names_tasks(configs, name)]
    named = {"task": of_tasks[0]} if len(of_tasks) == 1 else {}
    texts = [name for name in texts if name not in named.values()]
    likely = _of_algorithms(configs, texts)
    if with_algorithm or not texts or not _is_open(configs, folders, likely or texts):
        return NamedBy(settings=named)
    others = [name for name in texts if name not in likely and not tunes(_last(name))]
    if others and (likely or others[1:]) and not (all(tasks) or named):
        return NamedBy(question=_question(configs, likely, others))
    if not likely and len(texts) == 1:
        cells = grouped(zip(_values(configs, named.get("task", "")) if named else tasks, configs, strict=True))
        likely = texts if {*swept([*cells.values()]).settings} <= {*texts} else []
    return NamedBy(settings={**named, **dict(zip(["algorithm"], likely, strict=False))})


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _values(configs: Configs, name: str) -> list[str]:
    return [str(config.get(name, "")).strip() for config in configs]


def _independent(configs: Configs, tasks: Sequence[str]) -> list[str]:
    """Return the settings of names that follow neither from the tasks nor from others: those called by a role, then those of fewest values."""
    names = [name for name in dict.fromkeys(key for config in configs for key in config) if _holds_names(configs, name)]

    def order(name: str) -> tuple[bool, bool, int, int]:
        own = _values(configs, name)
        roles = _of_algorithms(configs, [name]) or _names_tasks(configs, name)
        return not roles, not like_algorithms(own), len({*own}), name.count(".")

    kept: list[str] = []
    cells: list[tuple[str, ...]] = [(task,) for task in tasks]
    for name in sorted(names, key=order):
        parted = [(*own, value) for own, value in zip(cells, _values(configs, name), strict=True)]
        if len({*parted}) > len({*cells}):
            kept, cells = [*kept, name], parted
    return kept


def _holds_names(configs: Configs, name: str) -> bool:
    """Return whether a setting has texts in all runs, and each of its several values in several of them."""
    first = configs[0].get(name)
    if not isinstance(first, str) or of_one_run(name) or not CIRCUMSTANCES.isdisjoint(words(_last(name))):
        return False
    values = [config.get(name) for config in configs]
    texts = [value for value in values if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST]
    if len(texts) < len(values) or len({*texts}) < 2 or min(Counter(texts).values()) < 2:
        return False
    return not any(
        parsed(text) is not None
        or text.startswith(("[", "{", "<"))
        or OF_ONE_PLACE.search(text)
        or canonical(text) in NO_NAMES
        for text in {*texts}
    )


def _names_tasks(configs: Configs, name: str) -> bool:
    own = {*words(_last(name))} - {"name", "id"}
    called = bool(candidates([_last(name)], "task")) or bool(own and own <= LIKE_TASKS)
    return called or meaning_of(_values(configs, name)) == "task"


def _of_algorithms(configs: Configs, names: Sequence[str]) -> list[str]:
    """Return the one of several settings that is called as columns of algorithms are, or has the names of known ones; nothing where two are."""
    called = candidates([_last(name) for name in names], "algorithm")
    likely = [name for name in names if _last(name) in called[:1]]
    likely = likely if len(called) == 1 else []
    by_values = [name for name in names if meaning_of(_values(configs, name)) == "algorithm"]
    return next((own for own in (likely, by_values) if len(own) == 1), [])


def _is_open(configs: Configs, folders: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether folders name no algorithms, some alone, or names that hold the values of a setting: `ppo_x-office`."""
    certain = [any(map(has_algorithm, name.split("/"))) for name in {*folders}]
    if len(certain) == 1 or not all(certain):
        return len(certain) == 1 > sum(certain) or any(certain)
    folded = [canonical(name) for name in folders]
    values = [[canonical(value) for value in _values(configs, name)] for name in names]
    return any(own != folded and all(a in b for a, b in zip(own, folded, strict=True)) for own in values)


def _question(configs: Configs, likely: Sequence[str], others: Sequence[str]) -> str:
    """Return the question which settings name the algorithms and the tasks, with the likeliest answer first."""
    first, second = [*likely, *others][:2]
    ways = [
        {"algorithm": first, "task": second},
        {"algorithm": first} if likely else {"algorithm": second, "task": first},
    ]
    options = [choice(f"columns={way!r}", " ".join(in_shell(column(*pair)) for pair in way.items())) for way in ways]
    shown = [f"{name!r} ({listed(sorted({*_values(configs, name)})[:3])})" for name in (first, second)]
    return (
        f"the settings {joined(shown)} of the configurations have names as values, and nothing says which of them names the algorithms and "
        f"which the tasks, or makes configurations; use {' or '.join(options)}."
    )
