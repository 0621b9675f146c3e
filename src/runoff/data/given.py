"""Conversion of what a method receives (a frame, a dictionary, a path …) to `Scores`; `given_curves` makes `Curves` of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.ports import reading, shipped
from runoff.base.validate import check_choice, check_sample
from runoff.data.base import RunData
from runoff.data.rows import is_path, is_table, named_if_bare
from runoff.data.scores import Scores
from runoff.data.sweeps import refuse_sweep
from runoff.errors import DataError, OptionError
from runoff.tables.nested import refuse_one_column
from runoff.words.names import DecimalName, DuplicatesName, FormatName, RunsName, UnitName
from runoff.words.speech import choice, in_python, neutral, option

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    ScoresLike: TypeAlias = Scores | Mapping[Any, Any] | str | Path | list[Any] | IntoDataFrame
else:
    ScoresLike = Any


class SideReading(TypedDict, total=False):
    """What a method with an `algorithm` of its own takes beside data: how `load` reads, and what `select` keeps."""

    task: str
    run: str
    seed: str
    step: str
    score: str
    columns: Mapping[str, str]
    format: FormatName
    pattern: str | Path
    keys: str
    dims: str
    decimal: DecimalName
    sheet: str
    table: str
    duplicates: DuplicatesName
    series: str
    lower_is_better: bool
    runs: RunsName
    unit: UnitName
    score_unit: RunsName
    algorithms: str | Sequence[str]
    tasks: str | Sequence[str]
    exclude: str | Sequence[str]


class EndOptions(TypedDict, total=False):
    """Which score of a run counts."""

    last: int | str
    at: float


class SideOptions(SideReading, EndOptions, total=False):
    """What is said of data beside an `algorithm` that a method has, with the reference scores."""

    normalize: Any


class DataReading(SideReading, total=False):
    """What every method that takes data takes beside them: how `load` reads, and what `select` keeps."""

    algorithm: str


class ScoreReading(DataReading, EndOptions, total=False):
    """The same, and which score of a run counts."""


class DataOptions(ScoreReading, total=False):
    """The same, and the reference scores."""

    normalize: Any


KEPT, ENDS, SCALE = ("algorithms", "tasks", "exclude"), ("last", "at"), "normalize"
"""Options that choose among what was read, that say which score of a run counts, and that maps scores; the others say how data are read."""


def loaded(given: Any, **of_data: Unpack[DataOptions]) -> RunData:
    """Return what was given as scores, or as learning curves where no option says which score of a run counts."""
    _refuse_unknown(of_data)
    kept, ends = ({name: of_data[name] for name in names if name in of_data} for names in (KEPT, ENDS))  # type: ignore[literal-required]
    how = {name: value for name, value in of_data.items() if name not in (*KEPT, *ENDS, SCALE)}
    data: Any = reading().load(named_runs(given, curves=bool(ends)), **how)
    data = data.select(**kept) if kept else data
    data = reading().end_scores(data, **ends) if ends else data
    whole: RunData = data.normalize(of_data["normalize"]) if SCALE in of_data else data
    return whole


def _refuse_unknown(of_data: Mapping[str, Any]) -> None:
    """Refuse an argument that there is not, as Python does."""
    for name, value in of_data.items():
        # A number is the seed of draws, which methods call `rng`.
        if name not in DataOptions.__annotations__ or (name == "seed" and not isinstance(value, str)):
            raise TypeError(f"{as_scores.__name__}() got an unexpected keyword argument {name!r}")


def _refuse_beside_arrays(of_data: Mapping[str, Any]) -> None:
    """Refuse what says how data are read where bare arrays are given, which are taken as they are."""
    _refuse_unknown(of_data)
    if of_data:
        raise OptionError(
            f"{', '.join(map(option, of_data))} says how data are read, kept or scaled, and bare arrays are taken as they are; leave it out, or "
            "give the runs in a dictionary."
        )


def as_scores(
    given: ScoresLike, other: ArrayLike | None = None, *, variants: bool = False, **of_data: Unpack[DataOptions]
) -> Scores:
    """Return the data that a method received as scores; refuse an algorithm with several configurations, whose runs must not be pooled.

    variants: treat each configuration as an algorithm of its own; of_data: names of columns, and what to keep.

    A dictionary with a column of scores is a table; any other dictionary is {algorithm: array} or {algorithm: {task: scores}}. Two arrays
    are the runs of "x" and of "y".
    """
    if other is not None:
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
    # Every method but `tuning` comes through here.
    scores = as_sweep(given, **of_data)
    scores = scores.variants() if variants else scores
    refuse_sweep(scores)
    return scores


def task_named(by: object, data: RunData) -> Literal["task"]:
    """Return "task", the one thing by which answers have rows beside algorithms; columns that name these mean it too."""
    columns = dict(data.provenance.columns)
    algorithms, tasks = ({role, columns.get(role, role)} for role in ("algorithm", "task"))
    names = {by} if isinstance(by, str) else set(by) if isinstance(by, list | tuple) else set()
    if names and names <= algorithms:
        raise OptionError(
            f"rows are of algorithms as they are: leave out {option('by')}; by='task' has one for each task too."
        )
    if not (names & tasks and names <= algorithms | tasks):
        check_choice("by", str(by), ("task",))
    return "task"


def pilot_scores(pilot: Any, **of_data: Unpack[DataOptions]) -> Scores:
    """Return the scores of a pilot: the numbers of one algorithm, a pair of such arrays, or anything that `as_scores` accepts."""
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
    return as_scores(pilot, **of_data)


def as_sweep(
    given: ScoresLike, config: str | None = None, settings: str | None = None, **of_data: Unpack[DataOptions]
) -> Scores:
    """Return the data that `tuning` received as scores, with several configurations if there are; config: the column that names them.

    settings: columns of a table that are kept as settings even if runs do not differ in them; of_data: as of `as_scores`.
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
    named = {role: name for role, name in (("config", config), ("settings", settings)) if name is not None}
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


SAID = re.compile(r"incomplete='\w+'")
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


def is_frame(given: object) -> bool:
    """Return whether an object has columns, as a data frame or a dictionary has."""
    return isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "__dataframe__")
