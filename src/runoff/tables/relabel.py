"""Other names for algorithms and tasks, or some of them: which old name becomes which new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runoff.errors import DesignError, OptionError, nearest
from runoff.words.speech import choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """New names, the new position of each old one (None where it is left out), and what was done in words.

    `merged` are the old names that share a new one.
    """

    names: tuple[str, ...]
    places: tuple[int | None, ...]
    merged: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def unchanged(names: Sequence[str]) -> Relabelled:
    """Return the names as they are."""
    return Relabelled(names=tuple(names), places=tuple(range(len(names))))


def some_of(noun: str, names: Sequence[str], wanted: Sequence[str] | None) -> Relabelled:
    """Return the wanted names in the order given; None wants all.

    Raises
    ------
    DesignError
        There is no such name; the nearest is suggested.
    """
    if wanted is None:
        return unchanged(names)
    kept = tuple(dict.fromkeys(names[position(noun, name, names)] for name in wanted))
    left_out = [name for name in names if name not in kept]
    said = f"{len(left_out)} of {len(names)} {noun}s left out as asked: {', '.join(left_out)}"
    return Relabelled(
        names=kept,
        places=tuple(kept.index(name) if name in kept else None for name in names),
        notes=(said,) if left_out else (),
    )


def renamed(noun: str, names: Sequence[str], new: Mapping[str, str] | None, *, merge: bool) -> Relabelled:
    """Return the names with some replaced, all at once; names that become one need `merge`.

    Raises
    ------
    DesignError
        There is no such old name.
    OptionError
        A new name is empty, or two names become one without `merge`.
    """
    if not new:
        return unchanged(names)
    asked = {names[position(noun, old, names)]: str(to).strip() for old, to in new.items()}
    empty = [old for old, to in asked.items() if not to]
    if empty:
        raise OptionError(f"the new name of {noun} {empty[0]!r} is empty.")
    each = [asked.get(name, name) for name in names]
    merged = frozenset(old for old, to in zip(names, each, strict=True) if each.count(to) > 1)
    if merged and not merge:
        both = [name for name in names if name in merged]
        raise OptionError(
            f"{noun}s {both[0]!r} and {both[1]!r} would both be called {asked.get(both[1], both[1])!r}, and their runs pooled; "
            f"if they are one, say {choice('merge=True', '--merge')}."
        )
    kept = tuple(dict.fromkeys(each))
    said = ", ".join(f"{old!r} is called {to!r}" for old, to in asked.items() if old != to)
    pooled = f"; the runs of {', '.join(name for name in names if name in merged)} are pooled" if merged else ""
    return Relabelled(
        names=kept,
        places=tuple(kept.index(name) for name in each),
        merged=merged,
        notes=(f"{noun}s renamed as asked: {said}{pooled}",) if said else (),
    )


def position(noun: str, name: str, names: Sequence[str]) -> int:
    """Return where a name stands.

    Raises
    ------
    DesignError
        It is not there; the nearest name is suggested.
    """
    if name not in names:
        raise DesignError(f"there is no {noun} {name!r} in these scores.{nearest(str(name), names)}")
    return names.index(name)


def run_labels(labels: Sequence[str], algorithm: str, task: str, merged: frozenset[str]) -> list[str]:
    """Return labels of runs that stay apart when names become one: they carry the old names."""
    before = [name for name in (algorithm, task) if name in merged]
    return [":".join([*before, label]) for label in labels]
