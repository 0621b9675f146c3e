"""Conversion of what a method receives (a frame, a path …) to `Curves`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from runoff.base.ports import reading
from runoff.data.curves import Curves
from runoff.data.given import ENDS, DataOptions, is_frame, loaded, named_runs
from runoff.data.rows import is_path, is_table
from runoff.data.scores import Scores
from runoff.data.sweeps import refuse_sweep
from runoff.errors import DataError, OptionError
from runoff.tables.nested import AS_CURVES, refuse_one_column
from runoff.words.speech import option

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    CurvesLike: TypeAlias = Curves | Mapping[Any, Any] | str | Path | list[Any] | IntoDataFrame
else:
    CurvesLike = Any


def as_curves(given: CurvesLike, **of_data: Unpack[DataOptions]) -> Curves:
    """Return the data that a method received as learning curves: curves, a table with steps, or a path; sweeps are refused as for scores."""
    for name in {*ENDS} & {*of_data}:
        raise OptionError(
            f"{option(name)} sets the end score of a run, which learning curves do not need; leave it out."
        )
    runs = named_runs(given, curves=True)
    curves = _as_curves(loaded(runs, **of_data) if of_data else runs)
    refuse_sweep(curves)
    return curves


def _as_curves(given: object) -> Curves:
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
