"""What a table has beside its columns: labels of rows and of columns, in levels, and masks; none of them is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runoff.base.arrays import is_masked, masked_values
from runoff.errors import DataError


def with_index(frame: Any) -> Any:
    """Return a frame whose named labels of rows are columns, as pandas' `reset_index` makes them; a column of the same name stays.

    Raises
    ------
    DataError
        Labels of rows have several levels, one without a name; labels of columns have several levels.
    """
    if not hasattr(frame, "reset_index"):
        return frame
    _refuse_levels_of_columns(frame)
    index = frame.index
    names = [name for name in index.names if name is not None and name not in frame.columns]
    if len(index.names) > 1 and None in index.names:
        raise DataError(
            f"the frame: its rows are labelled in {len(index.names)} levels, and one of them has no name; name them all, for example "
            "frame.rename_axis(['algorithm', 'task'])."
        )
    return frame.reset_index(level=names) if names else frame


def _refuse_levels_of_columns(frame: Any) -> None:
    levels = getattr(frame.columns, "nlevels", 1)
    if levels > 1:
        named = [str(name) for name in frame.columns.names if name is not None]
        how = (
            ""
            if len(named) == levels
            else ", after naming its levels with frame.rename_axis(columns=['algorithm', 'task'])"
        )
        called = f" ({', '.join(named)})" if named else ""
        raise DataError(
            f"the frame: its columns are labelled in {levels} levels{called}; give one row per score: frame.melt(ignore_index=False){how}."
        )


def column_names(given: Any) -> list[str]:
    """Return the names of the columns of a frame; none where it has only numbers for them, or is no frame."""
    found = list(getattr(given, "columns", ()))
    return found if found and all(isinstance(name, str) for name in found) else []


def refuse_one_column(given: Any) -> None:
    """Refuse a Series: one column names no algorithm."""
    if type(given).__name__ != "Series":
        return
    levels = [str(name) for name in getattr(getattr(given, "index", None), "names", []) if name is not None]
    repair = (
        f"its labels ({', '.join(levels)}) become columns by series.reset_index(name='score')"
        if levels
        else "give the whole table, or {algorithm: series}"
    )
    raise DataError(f"a Series is one column, which does not say whose scores they are: {repair}.")


def unmasked(name: str, column: Iterable[Any]) -> list[Any]:
    """Return a column as a list; refuse one that masks values."""
    if is_masked(column):
        raise masked_values(f"the frame: column {name!r}")
    return list(column)
