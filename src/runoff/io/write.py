"""Learning curves → a tidy file that `read_curves` reads back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.data.curves import Curves
from runoff.errors import OptionError, OutputError

if TYPE_CHECKING:
    import polars as pl

WRITERS: Mapping[str, Callable[[pl.DataFrame, Path], object]] = {
    ".parquet": lambda frame, path: frame.write_parquet(path),
    ".feather": lambda frame, path: frame.write_ipc(path),
    ".csv": lambda frame, path: frame.write_csv(path),
}


def write_curves(curves: Curves, path: str | Path) -> None:
    """Write curves as one row per evaluation: algorithm, task, run, step, score, and time and episodes where they are known.

    A file that is there is replaced, once the new one is whole.

    Raises
    ------
    OptionError
        The suffix is none of .parquet, .feather, .csv.
    OutputError
        It cannot be written there.
    """
    out = Path(path)
    write = WRITERS.get(out.suffix.casefold())
    if write is None:
        raise OptionError(f"{out}: the file to write must end in {', '.join(WRITERS)}, not {out.suffix!r}.")
    hidden = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        write(curves.to_frame(), hidden)
        os.replace(hidden, out)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OutputError(f"{out}: this cannot be written: {reason}.") from error
    finally:
        with suppress(OSError):
            hidden.unlink(missing_ok=True)
