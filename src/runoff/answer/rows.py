"""Answers that are sequences of their rows: any rows, rows of algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Generic, overload

from runoff.answer.base import AnyRow, Result


class Records(Result, Generic[AnyRow]):
    """An answer whose rows are in its field `rows`."""

    __slots__ = ()
    _table: ClassVar[str | None] = "rows"

    def __iter__(self) -> Iterator[AnyRow]:
        return iter(self._rows())

    # By names it is a row, or several: which of the two depends on the names.
    @overload
    def __getitem__(self, key: int) -> AnyRow: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[AnyRow, ...]: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key)


class AlgorithmRows(Records[AnyRow]):
    """An answer whose rows are about single algorithms."""

    __slots__ = ()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names, in the order of the rows."""
        return self._names("algorithm")
