"""The interval of a row as a single value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

OF_ROWS = {
    **dict.fromkeys(("p_value", "p", "pval", "p_val"), "pvalue"),
    **dict.fromkeys(("pvalue_adj", "p_adj", "p_adjusted", "adjusted_pvalue", "pval_adj", "qvalue"), "pvalue_adjusted"),
    **dict.fromkeys(("ci", "conf_int", "confint", "bounds", "interval"), "confidence_interval"),
    **dict.fromkeys(("significant", "reject", "is_significant"), "verdict"),
    **dict.fromkeys(("diff", "effect", "mean_difference"), "estimate, or difference"),
    **dict.fromkeys(("lower", "ci_low", "lower_bound"), "low"),
    **dict.fromkeys(("upper", "ci_high", "upper_bound"), "high"),
    **dict.fromkeys(
        ("effect_size", "cohens_d", "hedges_g"), "difference, or improvement; ro.effect_sizes(data) has the others"
    ),
    "value": "estimate",
    "mean": "estimate",
    "call": "verdict",
    "metric": "measure",
}
"""What is not there of a row, and what is called so."""


class ConfidenceInterval(NamedTuple):
    """The ends of an interval, as SciPy's tests give them; None marks an unbounded end, and both are None without an interval."""

    low: float | None
    high: float | None


class WithInterval:
    """A row with the ends `low` and `high`."""

    __slots__ = ()

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The ends `low` and `high` as a single value, as in SciPy.

        Examples
        --------
        >>> import runoff as ro
        >>> low, high = ro.compare([1.0, 2.0, 3.0, 4.0], [6.0, 7.0, 8.0, 9.0])["x", "y"].confidence_interval
        >>> round(low, 1), round(high, 1)
        (-7.2, -2.8)
        """
        row: Any = self
        return ConfidenceInterval(row.low, row.high)

    if not TYPE_CHECKING:  # type checkers would take any name for one that is there

        def __getattr__(self, name: str) -> Any:
            # Rows are asked for fields that only some have: what is no hint costs nothing more than a lookup.
            hint = f"; ask for {OF_ROWS[name]}." if name in OF_ROWS else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
