"""NumPy archives: rliable's dict of arrays, {algorithm: (n_runs, n_tasks)} or (n_runs,) or (n_runs, n_tasks, n_steps)."""

from __future__ import annotations

from runoff.errors import DataError
from runoff.io.formats._arrays import arrays_table, damaged, load
from runoff.io.formats.base import Format, NotRuns, Source
from runoff.tables.tidy import Table

EVALUATIONS = {"timesteps", "results"}


def read(source: Source) -> Table:
    """Return the table of an archive of arrays; pickled objects are never loaded.

    Raises
    ------
    DataError
        The archive is damaged, empty, or holds something other than numbers.
    NotRuns
        It is the evaluation file of one Stable-Baselines3 run.
    """
    archive = load(source.data, source.place)
    if not hasattr(archive, "files"):
        raise DataError(f"{source.place}: this is a single array (.npy), not an archive of arrays (.npz).")
    if set(archive.files) >= EVALUATIONS:
        raise NotRuns(
            f"{source.place}: these are the evaluations of one Stable-Baselines3 run (timesteps, results), not a dict of arrays by algorithm."
        )
    if not archive.files:
        raise DataError(f"{source.place}: the archive holds no array.")
    arrays = {}
    for name in archive.files:
        try:
            arrays[name] = archive[name]
        except MemoryError:
            raise
        except Exception as error:  # as in `load`
            raise damaged(error, f"{source.place}, array {name!r}") from error
    return arrays_table(arrays, source.place)


NPZ = Format(
    title="NumPy archive",
    holds="one array per algorithm",
    suffixes=(".npz",),
    sniff=lambda data: data.startswith(b"PK\x03\x04"),
    read=read,
    binary=True,
)
