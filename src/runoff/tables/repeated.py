"""A column of labels that come in long stretches: each is kept once, with its number of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from typing import overload

import numpy as np

from runoff.base.arrays import Ints


class Repeated(Sequence[str]):
    """The labels `names[0]` as often as `counts[0]` says, then `names[1]` …: what a million points of a thousand runs need of names."""

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
