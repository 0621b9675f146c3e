"""Labels of algorithms, tasks and runs: kept once where they repeat, coded in one order, replaced by other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import overload

import numpy as np

from runoff.base.arrays import Ints
from runoff.base.files import refuse_beyond
from runoff.errors import DesignError, OptionError, nearest
from runoff.words.speech import choice


class Repeated(Sequence[str]):
    """A column of labels in long stretches: `names[0]` stands `counts[0]` times, then `names[1]` `counts[1]` times, and so on.

    A million points of a thousand runs thus need a thousand names.
    """

    __slots__ = ("counts", "ends", "names")

    def __init__(self, names: Sequence[str], counts: Sequence[int] | Ints) -> None:
        self.names = list(names)
        self.counts: Ints = np.asarray(counts, dtype=np.int64)
        self.ends: Ints = np.cumsum(self.counts)

    def __len__(self) -> int:
        return int(self.ends[-1]) if self.ends.size else 0

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(repeat(name, int(n)) for name, n in zip(self.names, self.counts, strict=True))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return list(self)[index]
        return self.names[int(np.searchsorted(self.ends, range(len(self))[index], side="right"))]

    def mapped(self, change: Callable[[str], str]) -> Repeated:
        """Return the same stretches with other labels."""
        return Repeated([change(name) for name in self.names], self.counts)


OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that a terminal or a text obeys: controls, separators of lines, directions of writing."""


def spelled(name: str) -> str:
    r"""Return a name with the characters that a terminal obeys spelled out.

    >>> spelled("PPO\x1b[2J")
    'PPO\\x1b[2J'
    """
    return OBEYED.sub(
        lambda character: repr(character[0])[1:-1] if not character[0].isprintable() else character[0], name
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """The names of algorithms, tasks and runs in one order, and each row's position among them, int64 (n_rows,), by role."""

    names: Mapping[str, list[str]]
    codes: Mapping[str, Ints]

    @property
    def n_cells(self) -> int:
        """The number of cells, empty ones among them."""
        return len(self.names["algorithm"]) * len(self.names["task"])


def coded(labels: Mapping[str, Sequence[str]], place: str) -> Coded:
    """Return the columns of labels as codes; refuse a grid of cells that is too large to hold."""
    distinct = {role: set(own.names if isinstance(own, Repeated) else own) for role, own in labels.items()}
    names = {role: sorted(own, key=natural if role == "run" else None) for role, own in distinct.items()}
    coded = Coded(names=names, codes={role: label_codes(labels[role], names[role]) for role in names})
    sides = f"{len(names['algorithm'])} algorithms on {len(names['task'])} tasks"
    refuse_beyond("cells", coded.n_cells, f"{place}: {sides} make {coded.n_cells} cells")
    return coded


def label_codes(labels: Sequence[str], names: Sequence[str]) -> Ints:
    """Return the position of each label among `names`, int64 (n_rows,)."""
    position = {name: i for i, name in enumerate(names)}
    if isinstance(labels, Repeated):
        return np.repeat(label_codes(labels.names, names), labels.counts)
    return np.array([position[name] for name in labels], dtype=np.int64)


def natural(label: str) -> tuple[int, float, str]:
    """Return the key that sorts labels: numbers by their value, then texts."""
    return (0, float(label), label) if label.replace(".", "", 1).isdecimal() else (1, 0.0, label)


# ── other names ──────────


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
    """Return the wanted names in the order given; None wants all."""
    if wanted is None:
        return unchanged(names)
    kept = tuple(dict.fromkeys(names[position(noun, name, names)] for name in wanted))
    left_out = [name for name in names if name not in kept]
    note = f"{len(left_out)} of {len(names)} {noun}s left out as asked: {', '.join(left_out)}"
    places = tuple(kept.index(name) if name in kept else None for name in names)
    return Relabelled(names=kept, places=places, notes=(note,) if left_out else ())


def renamed(noun: str, names: Sequence[str], new: Mapping[str, str] | None, *, merge: bool) -> Relabelled:
    """Return the names with some replaced, all at once; names that become one need `merge`."""
    if not new:
        return unchanged(names)
    changes = {names[position(noun, old, names)]: spelled(str(to).strip()) for old, to in new.items()}
    empty = [old for old, to in changes.items() if not to]
    if empty:
        raise OptionError(f"the new name of {noun} {empty[0]!r} is empty.")
    new_names = [changes.get(name, name) for name in names]
    merged = frozenset(old for old, to in zip(names, new_names, strict=True) if new_names.count(to) > 1)
    if merged and not merge:
        both = [name for name in names if name in merged]
        raise OptionError(
            f"{noun}s {both[0]!r} and {both[1]!r} would both be called {changes.get(both[1], both[1])!r}, and their runs pooled; "
            f"if they are one, say {choice('merge=True', '--merge')}."
        )
    kept = tuple(dict.fromkeys(new_names))
    listing = ", ".join(f"{old!r} is called {to!r}" for old, to in changes.items() if old != to)
    pooled = f"; the runs of {', '.join(name for name in names if name in merged)} are pooled" if merged else ""
    return Relabelled(
        names=kept,
        places=tuple(kept.index(name) for name in new_names),
        merged=merged,
        notes=(f"{noun}s renamed as asked: {listing}{pooled}",) if listing else (),
    )


def position(noun: str, name: str, names: Sequence[str]) -> int:
    """Return where a name stands."""
    if name not in names:
        raise DesignError(f"there is no {noun} {name!r} in these scores.{nearest(str(name), names)}")
    return names.index(name)


def run_labels(labels: Sequence[str], algorithm: str, task: str, merged: frozenset[str]) -> list[str]:
    """Return labels of runs that stay apart when names become one: they carry the old names."""
    before = [name for name in (algorithm, task) if name in merged]
    return [":".join([*before, label]) for label in labels]
