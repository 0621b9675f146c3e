"""What a method receives: `Scores` are taken as they are, anything else comes through the door; `given_curves` is for `Curves`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, TypeGuard, Unpack

import numpy as np
from numpy.typing import ArrayLike

from runoff.base.ports import door
from runoff.base.validate import check_choice
from runoff.data.base import RunData
from runoff.data.scores import Scores
from runoff.data.sweeps import refuse_sweep
from runoff.errors import OptionError
from runoff.words.names import DecimalName, DuplicatesName, FormatName, RunsName, UnitName
from runoff.words.speech import option

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    ScoresLike: TypeAlias = (
        Scores | Mapping[Any, Any] | str | Path | list[Any] | tuple[ArrayLike, ArrayLike] | IntoDataFrame
    )
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
    rename: Mapping[str, str]
    merge: bool
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


NAMES, KEPT, ENDS, SCALE = ("rename", "merge"), ("algorithms", "tasks", "exclude"), ("last", "at"), "normalize"
"""Options that give names, choose among what was read, say which score of a run counts, and map scores; others say how data are read."""


def as_scores(
    given: ScoresLike, other: ArrayLike | None = None, *, variants: bool = False, **of_data: Unpack[DataOptions]
) -> Scores:
    """Return the data that a method received as scores; refuse an algorithm with several configurations, whose runs must not be pooled.

    variants: treat each configuration as an algorithm of its own; of_data: names of columns, and what to keep.

    A dictionary with a column of scores is a table; any other dictionary is {algorithm: array} or {algorithm: {task: scores}}. Two arrays
    are the runs of "x" and of "y", in one tuple as well.
    """
    pair: tuple[Any, Any] | None = (given, other) if other is not None else _pair(given)
    if pair is not None:
        both: Scores = door().of_two_arrays(*pair, of_data)
        return both
    # Every method but `tuning` comes through here.
    scores = as_sweep(given, **of_data)
    scores = scores.variants() if variants else scores
    refuse_sweep(scores)
    return scores


def _pair(given: object) -> tuple[Any, Any] | None:
    return given if isinstance(given, tuple) and len(given) == 2 and all(map(_is_array, given)) else None


def _is_array(side: object) -> bool:
    return isinstance(side, np.ndarray) or (isinstance(side, list) and all(isinstance(x, int | float) for x in side))


def as_sweep(
    given: ScoresLike,
    config: str | list[str] | None = None,
    settings: str | None = None,
    **of_data: Unpack[DataOptions],
) -> Scores:
    """Return the data that `tuning` received as scores, with several configurations if there are; config: the column that names them.

    settings: columns of a table that are kept as settings even if runs do not differ in them; of_data: as of `as_scores`.
    """
    if isinstance(given, Scores) and config is None and not of_data:
        return given
    scores: Scores = door().scores_of(given, config, settings, **of_data)
    return scores


def pilot_scores(pilot: Any, **of_data: Unpack[DataOptions]) -> Scores:
    """Return the scores of a pilot: the numbers of one algorithm, a pair of such arrays, or anything that `as_scores` accepts."""
    samples: Scores | None = None if isinstance(pilot, Scores) else door().samples_of(pilot, of_data)
    return as_scores(pilot, **of_data) if samples is None else samples


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


def is_path(given: object) -> TypeGuard[str | Path | list[str | Path]]:
    """Return whether an argument is a path."""
    listed = isinstance(given, list | tuple) and bool(given) and all(isinstance(entry, str | Path) for entry in given)
    return listed or isinstance(given, str | Path)
