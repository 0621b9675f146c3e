"""`run_study`: the one call."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from runoff.results.study import StudyResult
from runoff.studies import catalogue
from runoff.studies.engine import execute
from runoff.studies.files import Entry, read_study
from runoff.studies.spec import Study
from runoff.studies.worlds.sources import Data


def run_study(
    study: Study | str | PathLike[str],
    *,
    workers: int | None = None,
    backend: str = "loky",
    store: str | PathLike[str] | None = None,
    budget: str | float | None = None,
    data: Data = None,
    progress: bool | None = None,
) -> StudyResult:
    """How do methods behave where the truth is known?

    Parameters
    ----------
    study : Study, name or path
        A declaration, a name of the catalogue ("colas2019/table02"; `runoff study list` shows all), or a TOML file.
    workers : int, optional
        Processes or threads; None means one per processor.
    backend : "loky", "threads", "dask", "ray", "spark" or a backend registered with joblib
        "dask" and "ray" use the cluster that is connected, or start a local one.
    store : path, optional
        A folder where finished blocks are kept. The same study with the same store continues, after `kill -9` too.
    budget : str or float, optional
        Stop at a block boundary after "90s", "10m", "1.5h" or a number of seconds.
    data : mapping, path, optional
        The runs of empirical worlds: `{name: Scores or values}`, or the folder that holds them.
    progress : bool, optional
        Show a bar on stderr; None shows it in a terminal only.

    Returns
    -------
    StudyResult
        Records `world, method, n_runs, effect, rate, rate_error, spread, n_repeats`.

    Raises
    ------
    OptionError
        An unknown study, method, family or backend; a store that belongs to another study (the message says what differs).

    Warns
    -----
    RunoffWarning
        A corrupt part of the store, which is computed again.

    Notes
    -----
    Repetitions are simulated in blocks of 500, each from its own stream: the table is the same to the last bit for any number of
    workers, any backend and order, interrupted or not. All methods of a cell see the same simulated scores.

    `rate_error` is the standard error of a share, sqrt(p (1 − p) / n) (Colas 2019, section 4.1).

    Examples
    --------
    >>> import runoff as ro
    >>> from runoff.studies import World, distribution
    >>> normal = distribution("algorithm", {"family": "normal"})
    >>> world = World(name="normal", grid=((normal,), (normal,)))
    >>> study = ro.Study(name="mine", worlds=(world,), methods=("welch",), n_runs=(5,), n_repeats=1000)
    >>> result = ro.run_study(study, workers=1)
    >>> 0.03 < result.records[0].rate < 0.07
    True
    """
    return execute(
        find_study(study, data=data).study,
        workers=workers,
        backend=backend,
        store=store,
        budget=budget,
        show_progress=progress,
    )


def find_study(study: Study | str | PathLike[str], *, data: Data = None) -> Entry:
    """Return a study with what it is compared with: itself, from the catalogue, or from a file."""
    if isinstance(study, Study):
        return Entry(study=study)
    if str(study).endswith(".toml") or isinstance(study, PathLike) or Path(study).is_file():
        return read_study(Path(study), data=data)
    return catalogue.load(study, data=data)
