"""The public readers: `read_scores`, `read_curves`, `load`, `load_example`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from runoff.base.arrays import read_only
from runoff.base.ports import shipped
from runoff.base.validate import check_choice
from runoff.data.curves import Curves
from runoff.data.given import is_path
from runoff.data.provenance import Provenance, Sampling, unnamed
from runoff.data.scores import Scores
from runoff.door import EpisodeRows, is_frame, is_table, named_if_bare
from runoff.errors import DataError, OptionError
from runoff.reading._axes import parsed_axes
from runoff.reading._frames import gather_frame
from runoff.reading._gather import gather
from runoff.reading._gathered import Gathered
from runoff.reading._paths import STDIN, Paths
from runoff.reading.formats.curves import curves_in
from runoff.reading.made import curves_of, episodes_of, scores_of
from runoff.tables.columns import by_role
from runoff.tables.labels import RawColumn
from runoff.tables.likely import Chosen
from runoff.tables.source import SourceTable
from runoff.tables.tidy import table_of
from runoff.words.names import DecimalName, DuplicatesName, FormatName, Incomplete, RunsName, UnitName
from runoff.words.numbers import span
from runoff.words.speech import option

if TYPE_CHECKING:
    pass

S = TypeVar("S", Scores, Curves)


def read_scores(
    path: Paths,
    *,
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    pattern: str | Path | None = None,
    keys: str | None = None,
    dims: str | None = None,
    decimal: DecimalName = "auto",
    sheet: str | None = None,
    table: str | None = None,
    duplicates: DuplicatesName = "auto",
    lower_is_better: bool = False,
    runs: RunsName = "per_task",
    unit: UnitName = "run",
    score_unit: RunsName = "per_task",
    last: int | str | None = None,
    at: float | None = None,
    incomplete: Incomplete | None = None,
) -> Scores:
    """Read the end score of each run of each algorithm on each task.

    Parameters
    ----------
    path : str, Path, or a list of them
        A file, a folder (including its subfolders), a glob, or "-" for standard input. From a folder of training logs, all runs are read;
        `scan` shows them. In any other folder the files are tables, which are joined; files without runs are left out, and named in
        `provenance.notes` and, if they look like data, in a warning. Hidden files and folders are not read.
    format : str
        "auto" decides by the suffix (".gz" may follow), otherwise by the bytes. "csv" and "tsv": tidy (one row per run) or wide (one column
        per algorithm). "parquet" and "feather" (Arrow IPC): the same with typed columns. "json": records, {task: [scores]} for a single
        algorithm that the file name names, {algorithm: [[scores]]}, or {algorithm: {task: [scores]}}. "ndjson": one record per line. "npz":
        {algorithm: array (n_runs, n_tasks)}. "npy": one such array. "text": one number per line, or a matrix whose rows are steps and whose
        columns are runs.
    columns : {role: column name}, optional
        Roles are algorithm, task, run, score and step; columns that are not given are recognised by their usual names, otherwise by the
        words in a name (`num_steps`, `AverageEpRet`). {"run": "row"} means that each row is a run, {"task": "domain/task"} that two columns
        together name the task, {"task": "sheet"} that each sheet of a workbook is a task ("table": each table of a text), and {"unused":
        "notes,group"} excludes columns, or names that are neither algorithms nor tasks; {"rows": "split=test,lr=0.1"} reads the rows in
        which columns have these values (never some of the runs). For training logs, score and step name the series to
        read.
    pattern : str or Path, optional
        A template for the names at the end of a path without its suffix: "{algorithm}/{task}_s{run}"; "*" matches anything. For training
        logs it may also be a TOML file. It takes precedence over configurations and over the default rules for folders and file names.
    keys : str, optional
        The meaning of the headers of a wide table or of the keys of JSON, outermost first: "task/algorithm"; a level may also be the only
        key to read: "100k/task". By default, known names decide. For a column that names algorithms or tasks, "algorithm" means that each
        name is an algorithm, and "algorithm/run" that it names a run as well.
    dims : str, optional
        The axes of arrays, in the order of their shape: "run,step"; for lists of scores "run" or "step". By default they are runs, then
        tasks, then steps; an axis that is long, or along which neighbours are alike, is refused.
    decimal : "auto", "point" or "comma"
        The decimal separator of numbers in a text; the other character is read as the thousands separator. "auto" takes the point, and
        refuses 1.002 next to 940, which may be thousands.
    sheet, table : str, optional
        The sheet of a workbook, or the table of a database or of a text, if there are several: its name, the title above it, or its number.
    duplicates : "auto", "last", "first", "mean" or "error"
        Which of several rows for the same run and step counts. "auto" takes the last if a run was resumed and the step went back, and one of
        several completely equal rows; it refuses others.
    lower_is_better : bool
        Whether the scores are costs, which are negated.
    runs : "per_task" or "shared"
        "shared": each run is scored on all tasks, and rows of one algorithm with equal run labels are one run.
    unit : "run" or "episode"
        "episode": rows are episodes of one policy.
    score_unit : "per_task" or "shared"
        "shared": scores of all tasks are in one unit, and may be averaged without reference scores.
    last : int or str, optional
        For learning curves: the score of a run is the mean of this many last evaluations, or of those in the last part of training ("10%").
        The default is the last evaluation, or "10%" if values are returns of training episodes by their name (see `Curves.final`).
    at : float, optional
        For learning curves: the score of a run is the value of its curve at this step.
    incomplete : "auto", "error", "drop", "carry" or "worst", optional
        How to treat runs that ended early, as in `Curves.final`.

    Returns
    -------
    Scores
        The end scores; for learning curves those that `last` or `at` selects. `provenance` records the digest of the bytes, the format, the
        columns and everything that the reader did.

    Raises
    ------
    DataError
        Data cannot be read without dropping or guessing something; the message names the file, the row and the value.
    DesignError
        Runs ended too early for the policy, or a shared run has no score on some task.
    OptionError
        An unknown format, role or column; `last`, `at` or `incomplete` without learning curves.

    Warns
    -----
    RunoffWarning
        Files were left out, files name their scores differently, or runs ended early.

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
    runs_read = read_runs(
        path,
        format=format,
        columns=by_role(columns),
        pattern=pattern,
        keys=keys,
        dims=dims,
        decimal=decimal,
        sheet=sheet,
        table=table,
        duplicates=duplicates,
        lower_is_better=lower_is_better,
        runs=runs,
        unit=unit,
        score_unit=score_unit,
        incomplete=incomplete,
    )
    return end_scores(runs_read, last=last, at=at, incomplete=incomplete)


def load(
    data: Any,
    *,
    algorithm: str | None = None,
    task: str | None = None,
    run: str | None = None,
    score: str | None = None,
    step: str | None = None,
    seed: str | None = None,
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    pattern: str | Path | None = None,
    keys: str | None = None,
    dims: str | None = None,
    decimal: DecimalName = "auto",
    sheet: str | None = None,
    table: str | None = None,
    duplicates: DuplicatesName = "auto",
    series: str | None = None,
    lower_is_better: bool = False,
    runs: RunsName = "per_task",
    unit: UnitName = "run",
    score_unit: RunsName = "per_task",
    incomplete: Incomplete | None = None,
) -> Scores | Curves:
    """Read runs from any source: learning curves if they have steps, otherwise end scores.

    Parameters
    ----------
    data : path, list of paths, data frame, dictionary, Scores or Curves
        A path as for `read_scores`: a file, a folder of tables or training logs, or a glob; or the name of a set that comes with runoff, whose
        end scores are loaded (`ro.archive.load` has its curves). A pandas, polars or PyArrow frame, or a
        dictionary of columns, is read like the same table in a file, tidy or wide; named row labels and named column levels become columns.
        A dictionary of arrays is {algorithm: array (n_runs, n_tasks)} or {algorithm: {task: scores}}; with their steps as one more entry,
        "steps", or with dims="run,step", its arrays are learning curves. `Scores` and `Curves` are returned as
        they are.
    algorithm, task, run, score, step : str, optional
        Column names; columns that are not given are recognised by their usual names.
    seed : str, optional
        Another name for `run`.
    format, pattern, dims, decimal, sheet, table
        Options for reading files, as in `read_scores`.
    columns : {role: column name}, optional
        The same as algorithm=, task=, …, for names in a dictionary.
    keys : str, optional
        The meaning of the headers of a wide table or of the keys of JSON, outermost first: "task/algorithm".
    series : str, optional
        The column, or the series of training logs, that is the score.
    lower_is_better : bool
        Whether the scores are costs, which are negated.
    duplicates, runs, unit, score_unit
        As in `read_scores`.
    incomplete : "auto", "error", "drop", "carry" or "worst", optional
        How to treat failed runs.

    Returns
    -------
    Scores or Curves
        `Curves` if runs have several evaluations; their end scores are `load(…).final()`.

    Raises
    ------
    DataError, DesignError, OptionError
        As in `read_scores`; also options that do not apply to the given kind of data.

    Examples
    --------
    >>> import pandas as pd, runoff as ro
    >>> runs = pd.DataFrame({"agent": ["PPO", "PPO", "A2C"], "env": ["Pong"] * 3, "return": [18.0, 20.0, 9.0]})
    >>> ro.load(runs).cell("PPO", "Pong")
    array([18., 20.])
    >>> ro.load(runs.rename(columns={"return": "eval/ep_rew"}), score="eval/ep_rew").cell("PPO", "Pong")
    array([18., 20.])
    >>> ro.load(pd.DataFrame({"PPO": [18.0, 20.0], "A2C": [9.0, 12.0]})).algorithms
    ('A2C', 'PPO')
    """
    named = {"algorithm": algorithm, "task": task, "run": run, "seed": seed, "score": score, "step": step}
    chosen = by_role(columns, series=series, **named)
    of_files: dict[str, Any] = {"format": format, "pattern": pattern, "dims": dims, "decimal": decimal}
    of_files |= {"sheet": sheet, "table": table}
    of_tables: dict[str, Any] = {"columns": chosen or None, "keys": keys, "incomplete": incomplete}
    again: dict[str, Any] = {"duplicates": duplicates}
    of_data: dict[str, Any] = {"runs": runs, "unit": unit, "score_unit": score_unit}
    data = named_if_bare(data) if (of_runoff := shipped(data, curves=False)) is None else of_runoff
    if isinstance(data, Mapping) and (evaluations := curves_in(data, parsed_axes(dims))) is not None:
        data, of_files["dims"] = evaluations, None
    if is_path(data):
        return read_runs(data, lower_is_better=lower_is_better, **of_files, **of_tables, **again, **of_data)
    defaults = {"format": "auto", "decimal": "auto", "runs": "per_task", "unit": "run", "score_unit": "per_task"}
    _refuse_options(data, {name: value for name, value in of_files.items() if value != defaults.get(name)})
    if isinstance(data, Mapping) and not is_table(data, chosen):
        _refuse_options(data, {name: value for name, value in of_tables.items() if value is not None})
        scores = Scores.from_dict(data, **of_data)
        if not lower_is_better:
            return scores
        # From 0, so that a cost of 0 is no −0.
        return replace(scores, values=read_only(0.0 - scores.values), provenance=scores.provenance.negated())
    if isinstance(data, Scores | Curves):
        given = of_tables | {name: value for name, value in of_data.items() if value != defaults[name]}
        given |= {"lower_is_better": True} if lower_is_better else {}
        _refuse_options(data, {name: value for name, value in given.items() if value is not None})
        return data
    return read_frame(data, lower_is_better=lower_is_better, **of_tables, **again, **of_data)


def _refuse_options(data: object, given: Mapping[str, Any]) -> None:
    """Refuse options that do not apply to the given kind of data."""
    if given:
        names = ", ".join(map(option, given))
        raise OptionError(f"{names} cannot be used for a {type(data).__name__}, which is read as it is.")


def read_frame(
    frame: Any,
    *,
    lower_is_better: bool = False,
    runs: RunsName = "per_task",
    unit: UnitName = "run",
    score_unit: RunsName = "per_task",
    **how: Any,
) -> Scores | Curves:
    """Return the runs in a data frame or a dictionary of columns: learning curves if it has steps, otherwise end scores."""
    sign = -1.0 if lower_is_better else 1.0
    frame = (curves_in(frame) or frame) if isinstance(frame, Mapping) else frame
    gathered = gather_frame(frame, unit=unit, sign=sign, **how)
    return _runs_of(gathered, sign, Sampling(runs=runs, unit=unit, score_unit=score_unit))


def read_runs(
    path: Any,
    *,
    lower_is_better: bool = False,
    runs: RunsName = "per_task",
    unit: UnitName = "run",
    score_unit: RunsName = "per_task",
    only: Mapping[str, Sequence[str]] | None = None,
    **how: Any,
) -> Scores | Curves:
    """Return the runs in the files: learning curves if they have steps, otherwise end scores; arguments as in `read_scores`.

    only: {role: names} of the algorithms and tasks that will be selected; others are left out even if they would be refused.
    """
    if is_frame(path):
        return load(path, lower_is_better=lower_is_better, runs=runs, unit=unit, score_unit=score_unit, **how)
    # Costs are negated once, here, so that higher is better everywhere behind.
    sign = -1.0 if lower_is_better else 1.0
    sampling = Sampling(runs=runs, unit=unit, score_unit=score_unit)
    try:
        return _runs_of(gather(path, unit=unit, sign=sign, **how), sign, sampling)
    except DataError:
        # What is wrong with algorithms and tasks that nobody asks about stops nothing; what is right with them is counted.
        if not only or STDIN in (path, Path(str(path))):
            raise
        return _runs_of(gather(path, unit=unit, sign=sign, only=only, **how), sign, sampling)


def _runs_of(gathered: Gathered, sign: float, sampling: Sampling) -> Scores | Curves:
    if sampling.shared and not gathered.names_runs:
        raise unnamed(gathered.table.place)
    sign = min(sign, gathered.sign)
    if gathered.has_step:
        return _checked(Curves, gathered, sign, sampling)
    return _checked(Scores, gathered, sign, sampling)


def end_scores(
    runs: Scores | Curves,
    *,
    last: int | str | None = None,
    at: float | None = None,
    incomplete: Incomplete | None = None,
) -> Scores:
    """Return the end scores of the runs that were read; options as in `read_scores`."""
    if last is not None and at is not None:
        raise OptionError(f"{option('last')} and {option('at')} both define the score of a run; use only one of them.")
    if isinstance(runs, Scores):
        options = {"last": last, "at": at}
        for name in (name for name, value in options.items() if value is not None):
            where = runs.provenance.path or "the data"
            raise OptionError(f"{option(name)} is for learning curves, but {where} has one score per run.")
        return runs
    if at is not None:
        return runs.at(at, incomplete=incomplete or "error")
    return runs.final(last, incomplete=incomplete or "auto")


def read_curves(
    path: Paths,
    *,
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    pattern: str | Path | None = None,
    keys: str | None = None,
    dims: str | None = None,
    decimal: DecimalName = "auto",
    sheet: str | None = None,
    table: str | None = None,
    duplicates: DuplicatesName = "auto",
    series: str | None = None,
    runs: RunsName = "per_task",
    unit: UnitName = "run",
) -> Curves:
    """Read learning curves: the scores of each run at increasing steps.

    Parameters
    ----------
    path, format, columns, pattern, keys, dims, decimal, sheet, table, duplicates, runs, unit
        As in `read_scores`; a step column is needed. The rows of a text matrix are steps, its columns runs.
    series : str, optional
        The column, or the series of training logs, that is the score; the same as columns={"score": series}.

    Raises
    ------
    DataError, OptionError
        As in `read_scores`.

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
    chosen = by_role(columns, series=series)
    if is_frame(path):
        # A frame has nothing else that says how it is read.
        of_frame: dict[str, Any] = {"columns": chosen, "keys": keys, "with_step": True, "duplicates": duplicates}
        curves = read_frame(path, runs=runs, unit=unit, **of_frame)
        assert isinstance(curves, Curves)  # without steps it is refused
        return curves
    gathered = gather(
        path,
        format=format,
        columns=chosen,
        with_step=True,
        pattern=pattern,
        keys=keys,
        unit=unit,
        dims=dims,
        decimal=decimal,
        sheet=sheet,
        table=table,
        duplicates=duplicates,
    )
    return _checked(Curves, gathered, gathered.sign, Sampling(runs=runs, unit=unit))


def episode_rows(given: Any, columns: Chosen) -> EpisodeRows | None:
    """Return the episodes of each run in files, a frame or a dictionary of columns; None for scores by algorithm and task."""
    if is_path(given):
        named = {role: name for role, name in columns.items() if name is not None}
        return episodes_of(gather(given, columns=named, episodes=True).table, {})
    if isinstance(given, Mapping) and not is_table(given, columns):
        return None
    return episodes_of(table_of(given), columns)


def _checked(kind: type[S], gathered: Gathered, sign: float, sampling: Sampling) -> S:
    origin = gathered.provenance if sign > 0 else gathered.provenance.negated()
    build: Any = scores_of if kind is Scores else curves_of
    read: S = build(gathered.table, chosen={}, provenance=origin, sign=sign, sampling=sampling)
    steps = _steps(read) if isinstance(read, Curves) else ()
    return replace(read, provenance=replace(read.provenance, columns=gathered.provenance.columns, steps=steps))


def _steps(curves: Curves) -> tuple[tuple[str, str], ...]:
    cells, n_tasks, sentences = curves.cell_offsets, len(curves.tasks), []
    lengths = np.diff(curves.run_offsets)
    for a, name in enumerate(curves.algorithms):
        first, last = int(cells[a * n_tasks]), int(cells[(a + 1) * n_tasks])
        steps = curves.steps[curves.run_offsets[first] : curves.run_offsets[last]]
        n = span(lengths[first:last].tolist())
        sentences.append((name, f"{steps.min():g} to {steps.max():g}, {n} per {curves.sampling.unit}"))
    return tuple(sentences)


# ── shipped data sets ──────────


FILE = "curves.parquet"


def load_example(name: str) -> Curves:
    """Return the learning curves of a shipped data set: real runs, made by the script that its README names.

    Parameters
    ----------
    name : str
        "classic_control": algorithms × tasks × runs with offline evaluations.

    Raises
    ------
    OptionError
        There is no such data set; the message lists the existing ones.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control")
    >>> scores = curves.final()
    """
    import polars as pl

    shipped = _shipped()
    if not shipped:
        raise OptionError(f"no data set named {name!r} is shipped: this installation has no data sets.")
    content = shipped[check_choice("name", name, shipped)].read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    origin = Provenance(path=f"runoff/data/{name}/{FILE}", sha256=digest, format="parquet")
    # Shipped with the package, so that no process has to try the file first.
    table = SourceTable(columns={own.name: RawColumn(own) for own in pl.read_parquet(content)})
    return curves_of(table, chosen={}, provenance=origin)


def _shipped() -> dict[str, Traversable]:
    data = files("runoff").joinpath("data")
    folders = sorted(data.iterdir(), key=lambda folder: folder.name)
    return {folder.name: folder / FILE for folder in folders if (folder / FILE).is_file()}
