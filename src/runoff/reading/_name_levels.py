"""Names with several levels, `PPO_Hopper_0`: those of runs in a column, of heads of a wide table, and of keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from runoff.reading._grids import grid_of
from runoff.reading._known import meaning_of
from runoff.tables.columns import NAMED
from runoff.tables.equal import written

MARKS = ("/", "|", ":", ",", "__", " @ ", "@", " - ", " on ", " ", "_", "-", ".")
"""Separators between an algorithm, a task and a run in one name, the clearest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLevels:
    """Names with several levels: the role of each level, and the parts of each name; `certain` if all levels show their role; `settings` are
    values by their name; `by_grid`: all names together part each."""

    roles: tuple[str, ...]
    parts: Sequence[tuple[str, ...]]
    certain: bool
    settings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    by_grid: bool = False

    def named(self, roles: Sequence[str] = ()) -> dict[str, Sequence[str]]:
        """Return the names by their roles (`roles`: those that the user gives), and the configuration that settings make."""
        named = dict(zip(roles or self.roles, zip(*self.parts, strict=True), strict=True))
        configs = [
            written(zip(self.settings, own, strict=True)).removeprefix("config ")
            for own in zip(*self.settings.values(), strict=True)
        ]
        return {**named, **({"config": configs} if configs else {})}

    def fits(self, keys: Sequence[str] | None, free: Sequence[str]) -> bool:
        """Return whether `keys` name the levels; without them settings are variants where rows, not names, are the runs."""
        if keys is None:
            return not self.settings or "run" in self.roles
        return len(keys) == len(self.roles) and {*keys} <= {*free, "run"}

    @property
    def orders(self) -> list[tuple[str, ...]]:
        """The roles and, of a grid, those of algorithms and tasks exchanged, if nothing decides between them."""
        exchanged = {"algorithm": "task", "task": "algorithm"}
        both = {*NAMED[:2]} <= {*self.roles} and self.by_grid and not self.certain
        return [self.roles, *([tuple(exchanged.get(role, role) for role in self.roles)] if both else [])]


def levels_of(names: Sequence[str], free: Sequence[str] = NAMED, depth: int = 0) -> NameLevels | None:
    """Return the levels of names that join an algorithm and a task, `PPO_Hopper_0`; for unknown names those of a grid, `a/b/c`.

    free: the roles that levels may have; depth: the number of levels, if the user gives it.

    >>> levels_of(["PPO_Hopper_0", "PPO_Hopper_1", "SAC_Hopper_0", "SAC_Hopper_1"]).roles
    ('algorithm', 'task', 'run')
    """
    splits = [split for mark in MARKS if (split := _split_at(names, mark, depth)) and depth in (0, len(split[0]))]
    for parts in splits:
        roles = tuple(_role_of_level(level) for level in zip(*parts, strict=True))
        if {"algorithm", "task"} <= {*roles} <= {*free} and len({*roles}) == len(roles):
            return NameLevels(roles=roles, parts=parts, certain=True)
    of_grid = _of_grid(names, free, depth)
    if of_grid is not None and of_grid.settings:
        return of_grid
    for parts in splits:
        levels = list(zip(*parts, strict=True))
        several = all(len({*level}) > 1 for level in levels) and max(len({*level}) for level in levels) < len(parts)
        # Only a path parts what nobody knows, and a number alone behind a name may be a version, which is asked elsewhere.
        plain = len(levels) > 2 or not all(map(str.isdigit, levels[-1]))
        # Names that are a whole grid, of which nothing is known, are of two things: `ours_pick`, `ours_place`, `base_pick`, `base_place`.
        grid = min(len({*level}) for level in levels) > 1 and prod(len({*level}) for level in levels) == len(parts)
        whole = all("/" in name for name in names) or (grid and meaning_of(names) is None)
        # `DQN/seed1` says as much as `DQN_seed1`, and of the three levels of a path the last is known with the two others.
        shown = [_role_of_level(level) for level in levels]
        runs = shown[1:] == ["run"] or ("/" in names[0] and "run" in shown and shown.count("") == 1)
        if depth or (several and plain and whole):
            return NameLevels(roles=_likely_roles(levels, free), parts=parts, certain=runs)
    return of_grid


def _of_grid(names: Sequence[str], free: Sequence[str], depth: int) -> NameLevels | None:
    """Return the levels of names that are a grid of algorithms and tasks, or of one of them, with settings."""
    grid = grid_of([name.split("/") for name in names])
    if grid is None:
        return None
    labels = {"algorithm": grid.algorithm, "task": grid.task, "run": grid.run}
    roles = tuple(role for role in re.findall(r"\{(\w+)\}", grid.patterns[0]) if role in NAMED)
    parts = list(zip(*(labels[role] for role in roles), strict=True))
    keys = {*zip(parts, *grid.settings.values(), strict=True)}
    # Numbers behind names of one kind are asked about elsewhere, and values of a single algorithm are variants to be compared.
    several = len({*grid.algorithm}) > 1 if grid.settings else {"task", "run"} <= {*roles} or depth > 1
    if depth not in (0, len(roles)) or not {*roles} <= {*free} or len(keys) < len(names) or not several:
        return None
    certain = len(grid.patterns) == 1
    return NameLevels(roles=roles, parts=parts, certain=certain, settings=grid.settings, by_grid=True)


def _split_at(names: Sequence[str], mark: str, depth: int) -> list[tuple[str, ...]]:
    """Return the parts of names that a separator splits into two or three each (`depth`: so many), no two alike; nothing for other names."""
    parts = [tuple(part.strip() for part in name.strip().split(mark, depth - 1)) for name in names]
    alike = {len(part) for part in parts}
    fits = len(alike) == 1 and alike <= {2, 3} and all(map(all, parts)) and len({*parts}) == len(parts) > 1
    return parts if fits else []


def _role_of_level(level: Sequence[str]) -> str:
    """Return the role that a level of names shows by itself, "" if none."""
    meaning = meaning_of(level)
    # Of a single number nothing says that it is a run.
    return "run" if meaning == "number" else str(meaning) if meaning in NAMED else ""


def _likely_roles(levels: Sequence[Sequence[str]], free: Sequence[str]) -> tuple[str, ...]:
    roles: list[str] = []
    for level in levels:
        likely, rest = _role_of_level(level), [role for role in free if role not in roles]
        roles.append(likely if likely in rest else (rest or ["run"])[0])
    return tuple(roles)
