"""What a method of learning curves receives: `Curves` are taken as they are, anything else comes through the door."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from runoff.base.ports import door
from runoff.data.curves import Curves
from runoff.data.given import ENDS, DataOptions
from runoff.data.sweeps import refuse_sweep
from runoff.errors import OptionError
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
    curves: Any = given if isinstance(given, Curves) and not of_data else door().curves_of(given, **of_data)
    refuse_sweep(curves)
    own: Curves = curves
    return own
