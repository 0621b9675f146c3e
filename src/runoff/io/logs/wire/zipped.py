"""NumPy's archives in a log: plain arrays of bounded size, never a pickled object."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import DataError
from runoff.io.formats._arrays import damaged

LARGEST = 1 << 28
"""Bytes of all arrays together, once unpacked."""


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file.

    Raises
    ------
    DataError
        It is damaged, holds pickled objects, or is larger than any log once unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > LARGEST:
            raise DataError(
                f"{path}: the arrays take {size:,} bytes once unpacked; runoff reads at most {LARGEST:,} of a log."
            )
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (DataError, MemoryError):
        raise
    except Exception as error:  # NumPy and zipfile name no error of their own: a damaged file may raise any
        raise damaged(error, str(path)) from error
