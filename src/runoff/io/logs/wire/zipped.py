"""NumPy's archives in a log: plain arrays of bounded size, never a pickled object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from runoff.errors import DataError
from runoff.io._paths import unreadable
from runoff.io.formats.arrays import damaged, load


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file.

    Raises
    ------
    DataError
        It is damaged, holds pickled objects, or is larger than what runoff reads once unpacked.
    """
    try:
        with load(path.read_bytes(), str(path)) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except OSError as error:
        raise unreadable(path, error) from error
    except DataError:
        raise
    except Exception as error:  # NumPy and zipfile name no error of their own: a damaged file may raise any
        raise damaged(error, str(path)) from error
