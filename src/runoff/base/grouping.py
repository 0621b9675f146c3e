"""Values by the key that they share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
H = TypeVar("H", bound=Hashable)


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, keys and values in order of appearance.

    >>> grouped([("a", 1), ("b", 2), ("a", 1)])
    {'a': [1, 1], 'b': [2]}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def distinct(pairs: Iterable[tuple[K, H]]) -> dict[K, set[H]]:
    """Return the different values of each key, keys in order of appearance.

    >>> distinct([("a", 1), ("b", 2), ("a", 1)])
    {'a': {1}, 'b': {2}}
    """
    return {key: {*values} for key, values in grouped(pairs).items()}
