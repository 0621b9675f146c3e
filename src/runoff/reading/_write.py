"""`write_runs`: write learning curves, or end scores, as files that `read_curves` and `read_scores` read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.base.asked import refuse_overwriting, write_asked
from runoff.base.ports import exits
from runoff.data.curves import Curves
from runoff.data.scores import Scores
from runoff.errors import OptionError

if TYPE_CHECKING:
    import polars as pl

WRITERS: Mapping[str, Callable[[pl.DataFrame, BytesIO], object]] = {
    ".parquet": lambda frame, content: frame.write_parquet(content),
    ".feather": lambda frame, content: frame.write_ipc(content),
    ".csv": lambda frame, content: content.write(exits().csv_of_runs(frame).encode()),
}
"""Suffix -> the function that writes a frame into memory, because on a full disk polars raises errors of its own."""


def write_runs(runs: Curves | Scores, path: str | Path, *, force: bool = False) -> None:
    """Write curves with one row per evaluation (algorithm, task, run, step, score, and time and episodes if known), or end scores.

    force: replace an existing file as soon as the new one is complete.

    Raises
    ------
    OptionError
        The suffix is not .parquet, .feather or .csv.
    OutputError
        The file exists already, or cannot be written.
    """
    out = Path(path)
    refuse_overwriting(out, force=force)
    write = WRITERS.get(out.suffix.casefold())
    if write is None:
        raise OptionError(f"{out}: the file to write must end in {', '.join(WRITERS)}, not {out.suffix!r}.")
    content = BytesIO()
    write(runs.to_polars(), content)
    write_asked(out, content.getvalue(), "table", force=force)
