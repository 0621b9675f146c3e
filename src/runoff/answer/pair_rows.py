"""Answers that are sequences of pairs of algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar, overload

import numpy as np

from runoff.answer.base import Result, not_compared
from runoff.answer.named import not_named


class PairRow(Protocol):
    """A row about two algorithms, which can be seen from the other side."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    def turned(self) -> Self: ...


P = TypeVar("P", bound=PairRow)


class PairRows(Result, Generic[P]):
    """An answer whose rows are about pairs of algorithms."""

    __slots__ = ()
    _table: ClassVar[str | None] = "pairs"

    def __iter__(self) -> Iterator[P]:
        return iter(self._rows())

    @overload
    def __getitem__(self, key: int | tuple[str, str]) -> P: ...
    @overload
    def __getitem__(self, key: str | slice) -> tuple[P, ...]: ...
    def __getitem__(self, key: Any) -> Any:
        """Return the pair of two names, in the order of the names, so that every difference is first − second; for one name, return all its
        pairs with it first.

        Examples
        --------
        >>> import runoff as ro
        >>> result = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [6.0, 7.0, 8.0, 9.0]})
        >>> result["A", "B"].difference, result["B", "A"].difference, result["B"][0].b
        (-5.0, 5.0, 'A')
        """
        pairs: tuple[P, ...] = self._rows()
        if isinstance(key, int | np.integer | slice):
            return pairs[key]
        names = key if isinstance(key, tuple) else (key,)
        seen = [
            pair if pair.a == names[0] else pair.turned()
            for pair in pairs
            if names and all(name in (pair.a, pair.b) for name in names)
        ]
        if len(names) == 1 and seen:
            return tuple(seen)
        if len(names) != 2:
            raise not_named(names, pairs)
        if not seen or names[0] == names[1]:
            a, b = map(str, names)
            raise not_compared(a, b, [(p.a, p.b) for p in pairs], getattr(self, "advice", ()))
        return seen[0]

    @property
    def pvalue(self) -> float | None:
        """The p-value of the only pair.

        Raises
        ------
        AttributeError
            There are several pairs, each with its own p-value.
        """
        if len(self) != 1:
            raise AttributeError(
                f"there are {len(self)} pairs, each with a p-value: result['A', 'B'].pvalue is that of two"
            )
        value: float | None = getattr(self[0], "pvalue")  # noqa: B009  # of the improvement alone there is none
        return value
