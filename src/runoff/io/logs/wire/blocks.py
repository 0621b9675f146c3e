"""A file in blocks of a MB, so that its size costs time and not memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from runoff.base.arrays import Bytes
from runoff.io._paths import unreadable

BLOCK = 1 << 20


def blocks(path: Path, use: Callable[[Bytes], int]) -> int:
    """Feed a file to `use`, which takes bytes and returns how many of them it is done with; the rest comes again with more behind it.

    Ends with the file, or when `use` returns -1; returns the bytes at the end that nobody used.

    Raises
    ------
    DataError
        It cannot be read.
    """
    rest = np.empty(0, np.uint8)
    for piece in _pieces(path):
        data = np.concatenate([rest, piece]) if rest.size else piece
        done = use(data)
        if done < 0:
            return int(data.size)
        rest = data[done:]
    return int(rest.size)


def _pieces(path: Path) -> Iterator[Bytes]:
    try:
        with open(path, "rb", buffering=0) as stream:
            while piece := stream.read(BLOCK):
                yield np.frombuffer(piece, np.uint8)
    except OSError as error:
        raise unreadable(path, error) from error
