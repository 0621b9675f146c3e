"""What data and answers have in common: they leave as data frames, and notebooks show them as a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

NEEDS_PANDAS = "to_pandas() needs pandas, which is not installed: pip install pandas, or take to_polars()."
ROWS = 60
"""Rows of a notebook's table; further ones are counted."""


class Framed(ABC):
    """Base of what can leave as a data frame; `to_frame` is its own."""

    __slots__ = ()

    @abstractmethod
    def to_frame(self) -> pl.DataFrame:
        """Return a polars DataFrame."""

    def to_polars(self) -> pl.DataFrame:
        """Return a polars DataFrame, as `to_frame` does."""
        return self.to_frame()

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame.

        Raises
        ------
        ModuleNotFoundError
            pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(NEEDS_PANDAS, name="pandas") from missing
        return pd.DataFrame(self.to_frame().to_dict(as_series=False))


def html_table(rows: Sequence[Mapping[str, str]], *, caption: Iterable[str] = (), more: str = "") -> str:
    """Return an escaped HTML table of texts under a caption of lines; of many rows the first, and how many more there are."""
    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(row[n])}</td>" for n in names) + "</tr>" for row in rows[:ROWS])
    left = len(rows) - ROWS
    foot = f'<tr><td colspan="{len(names)}">… and {left} more rows{escape(more)}</td></tr>' if left > 0 else ""
    told = "<br>".join(escape(line) for line in caption)
    return f"<table><caption>{told}</caption><thead><tr>{head}</tr></thead><tbody>{body}{foot}</tbody></table>"
