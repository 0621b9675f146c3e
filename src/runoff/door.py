"""The door: what a method was given becomes data. `Scores` and `Curves` pass `data/given.py`, and everything else comes here by a port.

A path or a frame is read by the room of reading; dictionaries and arrays become cells (`tables/nested.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.arrays import Episodes, NestedCells
from runoff.base.ports import reading, shipped
from runoff.base.validate import check_sample
from runoff.data.base import RunData
from runoff.data.curves import Curves
from runoff.data.given import ENDS, KEPT, NAMES, SCALE, DataOptions, ScoresLike, is_path
from runoff.data.provenance import Provenance
from runoff.data.scores import Scores
from runoff.errors import DataError, OptionError
from runoff.tables.columns import by_role
from runoff.tables.likely import Chosen, plays
from runoff.tables.naming import natural
from runoff.tables.nested import AS_CURVES, nested_cells, refuse_one_column, steps_beside
from runoff.words.patterns import regex
from runoff.words.speech import choice, in_python, neutral, option

__all__ = [
    "EpisodeRows",
    "curves_of",
    "grid_of_means",
    "is_frame",
    "is_table",
    "loaded",
    "named_if_bare",
    "nested_cells",
    "of_two_arrays",
    "runs_of",
    "samples_of",
    "scores_of",
]


# ── scores ──────────


def scores_of(
    given: ScoresLike,
    config: str | list[str] | None = None,
    settings: str | None = None,
    **of_data: Unpack[DataOptions],
) -> Scores:
    """Return data as scores, with several configurations if there are; config: the column that names them.

    settings: columns of a table that are kept as settings even if runs do not differ in them; of_data: names of columns, and what to keep.
    """
    if config is not None and (isinstance(given, Scores) or (isinstance(given, Mapping) and not is_table(given, {}))):
        raise OptionError(
            "config= names a column of a table; of these scores from_frame(config=) or read_scores names it."
        )
    ended, given = bool({*ENDS} & {*of_data}), named_if_bare(given)
    runs: Any = named_runs(given, curves=ended)
    if runs is not given and not ended:
        # By its name alone, curves have an end score each, as those of a file.
        runs = reading().end_scores(runs)
    if isinstance(runs, Scores) and not of_data:
        return runs
    if isinstance(runs, RunData) and not isinstance(runs, Scores) and not ended:
        raise DataError("these are learning curves: say which score of a run counts, for example curves.final().")
    named = by_role({role: name for role, name in (("config", config), ("settings", settings)) if name is not None})
    try:
        if not of_data:
            return _read_scores(runs, named or None)
        options: Any = dict(of_data)
        if named:
            options["columns"] = {**options.get("columns", {}), **named}
        data = loaded(runs, **options)
    except DataError as refusal:
        raise _loadable(refusal) from None
    end: Scores = reading().end_scores(data)
    return end


SAID = regex(r"incomplete='\w+'")
"""An option of reading that methods may have with another meaning, inside a refusal, as Python writes it."""


def _loadable(refusal: DataError) -> DataError:
    """Return a refusal that names the reading call for its option, because the methods themselves do not take the option."""
    match = SAID.search(in_python(neutral(refusal)))
    if match is None or type(refusal) is not DataError:
        return refusal
    return DataError(f"{neutral(refusal)}{choice(f' Say so as the data are read: ro.load(data, {match[0]}).', '')}")


def named_runs(given: Any, *, curves: bool = False) -> Any:
    """Return the runs that come with runoff under this name; whatever else was given, as it is."""
    runs = shipped(given, curves=curves)
    return given if runs is None else runs


def _read_scores(given: ScoresLike, columns: Mapping[str, str] | None) -> Scores:
    if is_path(given):
        read: Scores = reading().read_scores(given, columns=columns)
        return read
    if isinstance(given, Mapping) and not is_table(given, {}):
        return Scores.from_dict(given)
    if is_frame(given):
        # Learning curves have a score of each run at the end; named here, they would come with every question about scores.
        end: Scores = reading().end_scores(reading().read_frame(given, columns=columns))
        return end
    refuse_one_column(given)
    message = f"scores are given as Scores, a data frame, a dictionary {{algorithm: runs}} or a path, not as {type(given).__name__}."
    raise DataError(message)


def of_two_arrays(given: object, other: ArrayLike, of_data: Mapping[str, Any]) -> Scores:
    """Return two arrays as the runs of "x" and of "y"."""
    _refuse_beside_arrays(of_data)
    if isinstance(other, str):
        beside = f"load(data).beside({other!r}) has published runs beside yours"
        how = f"control={other!r} compares all others with that one"
        is_set = shipped(other.partition(":")[0], curves=False) is not None
        raise OptionError(f"{other!r} is no array of runs: {beside if is_set else how}.")
    if isinstance(given, Mapping | Scores) or is_path(given) or hasattr(given, "columns"):
        raise OptionError(
            f"a second array stands beside an array of runs, and the first argument is a {type(given).__name__}; give both "
            "algorithms in it, or two arrays."
        )
    return Scores.from_dict({"x": np.asanyarray(given), "y": np.asanyarray(other)})  # a mask stays, and is refused


def samples_of(pilot: Any, of_data: Mapping[str, Any]) -> Scores | None:
    """Return the scores of a pilot that is the numbers of one algorithm, or a pair of such arrays; None of other data."""
    if isinstance(pilot, np.ndarray | list | tuple) and len(pilot) and not isinstance(pilot[0], str):
        # A list of paths is a list of files, and its entries have no numbers.
        if np.ndim(pilot[0]) == 0 and not hasattr(pilot[0], "__fspath__"):
            _refuse_beside_arrays(of_data)
            return Scores.from_dict({"the pilot": {"the task": check_sample("pilot", pilot)}})
        if len(pilot) == 2 and not isinstance(pilot, np.ndarray):
            _refuse_beside_arrays(of_data)
            both = {
                name: {"the task": check_sample(name, sample)}
                for name, sample in zip(("first", "second"), pilot, strict=True)
            }
            return Scores.from_dict(both)
    return None


def _refuse_beside_arrays(of_data: Mapping[str, Any]) -> None:
    """Refuse what says how data are read where bare arrays are given, which are taken as they are."""
    _refuse_unknown(of_data)
    if of_data:
        raise OptionError(
            f"{', '.join(map(option, of_data))} says how data are read, kept or scaled, and bare arrays are taken as they are; leave it out, or "
            "give the runs in a dictionary."
        )


# ── curves, and either ──────────


def curves_of(given: Any, **of_data: Unpack[DataOptions]) -> Curves:
    """Return data as learning curves: a table with steps, or a path."""
    given = named_runs(given, curves=True)
    given = loaded(given, **of_data) if of_data else given
    if isinstance(given, Curves):
        return given
    if isinstance(given, Scores):
        message = "these are end scores, one per run; learning curves have scores at several steps: give Curves, or a table with a step column."
        raise DataError(message)
    if is_path(given):
        read: Curves = reading().read_curves(given)
        return read
    if isinstance(given, Mapping) and not is_table(given, {}):
        raise DataError(
            f"a dictionary of arrays says nothing of steps: {AS_CURVES}, or give their steps as one more entry, 'steps'."
        )
    if is_frame(given):
        curves: Curves = reading().read_frame(given, with_step=True)
        return curves
    refuse_one_column(given)
    message = f"learning curves are given as Curves, a data frame with a step column or a path, not as {type(given).__name__}."
    raise DataError(message)


def runs_of(given: Any, **of_data: Unpack[DataOptions]) -> Any:
    """Return what a path, a frame or a dictionary holds, scores or learning curves; arrays and data stay as they are."""
    return loaded(given, **of_data) if of_data or is_path(given) or is_frame(given) else given


def loaded(given: Any, **of_data: Unpack[DataOptions]) -> RunData:
    """Return what was given as scores, or as learning curves where no option says which score of a run counts."""
    _refuse_unknown(of_data)
    kept, ends = ({name: of_data[name] for name in names if name in of_data} for names in (KEPT, ENDS))  # type: ignore[literal-required]
    how = {name: value for name, value in of_data.items() if name not in (*NAMES, *KEPT, *ENDS, SCALE)}
    data: Any = reading().load(named_runs(given, curves=bool(ends)), **how)
    if not of_data.keys().isdisjoint(NAMES):  # first, so that new names choose
        data = data.rename(of_data.get("rename"), merge=of_data.get("merge", False))
    data = data.select(**kept) if kept else data
    data = reading().end_scores(data, **ends) if ends else data
    whole: RunData = data.normalize(of_data["normalize"]) if SCALE in of_data else data
    return whole


def _refuse_unknown(of_data: Mapping[str, Any]) -> None:
    """Refuse an argument that there is not, as Python does."""
    for name, value in of_data.items():
        # A number is the seed of draws, which methods call `rng`.
        if name not in DataOptions.__annotations__ or (name == "seed" and not isinstance(value, str)):
            raise TypeError(f"as_scores() got an unexpected keyword argument {name!r}")


# ── dictionaries and episodes ──────────


def is_frame(given: object) -> bool:
    """Return whether an object has columns, as a data frame or a dictionary has."""
    return isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "__dataframe__")


def is_table(given: Mapping[Any, Any], columns: Chosen) -> bool:
    """Return whether a dictionary is a table: a key is a usual name of an algorithm column, and another one of a score column, or the first
    holds texts, which are no scores; or one holds the steps of the others."""
    names = [str(name) for name in given]
    texts = any(plays([str(name)], "algorithm", columns) and _are_texts(values) for name, values in given.items())
    named = plays(names, "algorithm", columns) and (texts or plays(names, "score", columns))
    return named or steps_beside(given) is not None


def _are_texts(values: object) -> bool:
    """Return whether values are a flat sequence of texts."""
    if isinstance(values, np.ndarray):
        values = values.tolist() if values.dtype.kind in "UOT" else ()
    return isinstance(values, list | tuple) and bool(values) and all(isinstance(value, str) for value in values)


def named_if_bare(given: Any) -> Any:
    """Return the runs of one algorithm that are a flat array of numbers as those of "x", as `compare(x, y)` calls them; others as they are."""
    if isinstance(given, np.ndarray):
        return {"x": given} if given.ndim == 1 and given.size and given.dtype.kind in "fiub" else given
    numbers = isinstance(given, list | tuple) and all(isinstance(value, Real) for value in given)
    return {"x": np.array(given, dtype=float)} if numbers and given else given


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRows:
    """The episodes of each run at its final step, notes on them, and the column of each role."""

    episodes: Episodes
    notes: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]


def grid_of_means(frame: Any, chosen: Chosen) -> tuple[list[str], list[str], NestedCells, Provenance]:
    """Return algorithms, tasks, the mean of each run's episodes as a grid, and their origin."""
    rows: EpisodeRows | None = reading().episode_rows(frame, chosen)
    if rows is None:
        message = "one row per episode is needed, with the columns algorithm, run and score, not scores by algorithm and task."
        raise DataError(message)
    algorithms, tasks = (sorted({cell[i] for cell in rows.episodes}) for i in (0, 1))
    grid: NestedCells = {}
    for (a, t), runs in rows.episodes.items():
        labels = sorted(runs, key=natural)
        grid[algorithms.index(a), tasks.index(t)] = labels, np.array([float(runs[r].mean()) for r in labels])
    origin = Provenance(format="frame", columns=rows.columns).noting(*rows.notes)
    averaged = any(runs.size > 1 for cell in rows.episodes.values() for runs in cell.values())
    return algorithms, tasks, grid, origin.treating("episodes of one run are averaged") if averaged else origin
