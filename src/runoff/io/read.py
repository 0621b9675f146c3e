"""The front door: `read_scores` and `read_curves`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runoff._names import FormatName
from runoff._provenance import Provenance
from runoff.curves import Curves
from runoff.errors import OptionError
from runoff.io._gather import Gathered, gather
from runoff.io._paths import Paths
from runoff.scores import Scores

NEGATED = "scores are negated: lower was better in the file, higher is better here"


def read_scores(
    path: Paths,
    *,
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    pattern: str | Path | None = None,
    higher_is_better: bool = True,
) -> Scores:
    """Read the end scores of runs: what did each run of each algorithm achieve on each task?

    Parameters
    ----------
    path : str, Path, or a list of them
        A file, a folder or a glob. A folder in which training tools left their logs is searched with all folders inside it, and each log is a
        run: `scan` shows what is found. Of any other folder, the files are tables: files of a folder are joined; what holds no runs is left out,
        named in `provenance.notes` and, if it looks like data, in a warning. Hidden files and folders inside are not read.
    format : str
        "auto" decides by the suffix (".gz" may follow), else by the bytes. "csv" and "tsv": tidy (one row per run) or wide (one column
        per algorithm). "parquet" and "feather" (Arrow IPC): the same with typed columns. "json": records, {task: [scores]} of one
        algorithm named by the file, {algorithm: [[scores]]}, {algorithm: {task: [scores]}}. "ndjson". "npz": {algorithm: array (n_runs,
        n_tasks)}. "npy". "text": one number per line, or a matrix whose rows are steps and whose columns are runs.
    columns : {role: column name}, optional
        Roles are algorithm, task, run, score, step; those not given are recognised by the usual names. In training logs, score and step name
        the series to be read.
    pattern : str or Path, optional
        How the paths of training logs name runs, for example '{algorithm}/{task}_s{run}', with * for what does not matter; or a TOML file. It
        wins over the configuration of the runs and over what the names of folders say by themselves.
    higher_is_better : bool
        False negates costs.

    Returns
    -------
    Scores
        A file of learning curves gives the last evaluation of each run. `provenance` records the digest of the bytes, the format, the
        columns and everything the reader did.

    Raises
    ------
    DataError
        One sentence with the file, the row and the value: nothing is dropped, nothing is guessed.
    OptionError
        An unknown format, role or column.

    Warns
    -----
    RunoffWarning
        Files were left out, files name their scores differently, or runs end at different steps.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import runoff as ro
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "runs.csv")
    >>> _ = file.write_text("agent,env,seed,return\\nPPO,Pong,0,18\\nPPO,Pong,1,20\\nA2C,Pong,0,9\\n")
    >>> scores = ro.read_scores(file)
    >>> scores.cell("PPO", "Pong")
    array([18., 20.])
    >>> dict(scores.provenance.columns)
    {'algorithm': 'agent', 'task': 'env', 'run': 'seed', 'score': 'return'}
    >>> folder.cleanup()
    """
    gathered = gather(path, format=format, columns=columns, with_step=None, pattern=pattern)
    sign = 1.0 if higher_is_better else -1.0
    if gathered.has_step:
        return _curves(gathered, sign).final()
    read = Scores.from_table(gathered.table, chosen={}, provenance=_origin(gathered, sign), sign=sign)
    return replace(read, provenance=_with_columns(read, gathered))


def read_curves(
    path: Paths,
    *,
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    pattern: str | Path | None = None,
    metric: str | None = None,
) -> Curves:
    """Read learning curves: the scores of each run at increasing steps.

    Parameters
    ----------
    path, format, columns, pattern
        As for `read_scores`; a step and a run column are needed. The rows of a text matrix are steps, its columns runs.
    metric : str, optional
        The column, or the series of training logs, that is the score; the same as columns={"score": metric}.

    Raises
    ------
    DataError, OptionError
        As for `read_scores`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import runoff as ro
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "runs.csv")
    >>> _ = file.write_text("algo,seed,step,return,loss\\nPPO,0,100,1.5,0.3\\nPPO,0,200,2.5,0.2\\n")
    >>> ro.read_curves(file).final().cell("PPO", "task")
    array([2.5])
    >>> folder.cleanup()
    """
    gathered = gather(path, format=format, columns=_with_metric(columns, metric), with_step=True, pattern=pattern)
    return _curves(gathered, 1.0)


def _with_metric(columns: Mapping[str, str] | None, metric: str | None) -> Mapping[str, str]:
    given = dict(columns or {})
    if metric is not None and given.setdefault("score", metric) != metric:
        raise OptionError(f"metric={metric!r} and columns={{'score': {given['score']!r}}} name two different scores.")
    return given


def _curves(gathered: Gathered, sign: float) -> Curves:
    read = Curves.from_table(gathered.table, chosen={}, provenance=_origin(gathered, sign), sign=sign)
    return replace(read, provenance=_with_columns(read, gathered))


def _origin(gathered: Gathered, sign: float) -> Provenance:
    return gathered.provenance if sign > 0 else gathered.provenance.noting(NEGATED)


def _with_columns(read: Scores | Curves, gathered: Gathered) -> Provenance:
    """Return the origin with the names of the files' columns, not those of the joined table."""
    return replace(read.provenance, columns=gathered.provenance.columns)
