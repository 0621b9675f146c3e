"""The interval of a row as one value."""

from __future__ import annotations

from typing import Any, NamedTuple


class ConfidenceInterval(NamedTuple):
    """The ends of an interval, as SciPy's tests give them; an end that is None is not bounded, and without an interval both are None."""

    low: float | None
    high: float | None


class WithInterval:
    """A row that has the ends `low` and `high`."""

    __slots__ = ()

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The ends `low` and `high` as one, as in SciPy.

        Examples
        --------
        >>> import runoff as ro
        >>> low, high = ro.compare([1.0, 2.0, 3.0, 4.0], [6.0, 7.0, 8.0, 9.0])["x", "y"].confidence_interval
        >>> round(low, 1), round(high, 1)
        (-7.2, -2.8)
        """
        row: Any = self
        return ConfidenceInterval(row.low, row.high)
