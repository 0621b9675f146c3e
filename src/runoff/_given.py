"""What a method was given → `Scores`: a frame, a dictionary or a path will do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from runoff._columns import plays
from runoff.curves import Curves
from runoff.errors import DataError
from runoff.scores import Scores

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    ScoresLike: TypeAlias = Scores | Mapping[Any, Any] | str | Path | list[Any] | IntoDataFrame
else:
    ScoresLike = Any


def as_scores(given: ScoresLike) -> Scores:
    """Return the scores of what a method was given.

    A dictionary with a column of scores is a table, any other is {algorithm: array} or {algorithm: {task: scores}}.

    Raises
    ------
    DataError
        It holds no scores, or learning curves, of which the caller has to say which score counts.
    """
    if isinstance(given, Scores):
        return given
    if isinstance(given, Curves):
        raise DataError("these are learning curves: say which score of a run counts, for example curves.final().")
    if isinstance(given, str | Path) or (
        isinstance(given, list) and given and all(isinstance(one, str | Path) for one in given)
    ):
        from runoff.io import read_scores

        return read_scores(given)
    if isinstance(given, Mapping) and not _is_table(given):
        return Scores.from_dict(given)
    if isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "__dataframe__"):
        return Scores.from_frame(given)
    raise DataError(
        f"scores are given as Scores, a data frame, a dictionary {{algorithm: runs}} or a path, not as {type(given).__name__}."
    )


def _is_table(given: Mapping[Any, Any]) -> bool:
    """Return whether a dictionary holds columns: one is called as scores are, one as algorithms are."""
    names = [str(name) for name in given]
    return plays(names, "score", {}) and plays(names, "algorithm", {})
