"""Are two algorithms the same, for practical purposes?"""

from __future__ import annotations

from typing import Any

from runoff.answer.comparison import ComparisonResult
from runoff.data.given import ScoresLike
from runoff.errors import OptionError
from runoff.methods.compare import compare


def equivalence(
    data: ScoresLike, a: str | None = None, b: str | None = None, *, margin: float, **options: Any
) -> ComparisonResult:
    """Are they the same, for practical purposes: do they differ by less than a margin? It is `compare` with a margin.

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
    a, b : str, optional
        Two algorithms; None: all pairs, or those of `pairs` and `control`.
    margin : float
        The smallest difference that matters, above 0, in units of the scores; of the improvement a distance from ½. Name it before looking at
        the runs. A share of a mean, "5%", is refused with the number that it is of b's (or the control's): the margin would move with runs.
    **options
        All options of `compare`. A pair by itself is shown to be equivalent exactly where its interval at 1 − 2 alpha lies within the
        margins, that of `compare` at twice the alpha.

    Returns
    -------
    ComparisonResult
        "no_difference_found" is what few runs often give: they show neither a difference nor its absence. A difference that was found keeps its
        verdict, and its sentence says whether it is smaller than the margin.

    Raises
    ------
    DesignError, OptionError
        As `compare` does; one algorithm is named without the other, or a pair beside `pairs` or `control`.

    Notes
    -----
    That a is not worse than b by a margin (non-inferiority) is one-sided, and less to show: `gate(data, data, algorithm="B",
    candidate_algorithm="A", margin="5%")` answers it, on each task and over all, with a margin that may be a share of b's mean.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [5.2, 6.1, 6.9, 6.4, 5.6]})
    >>> pair = ro.equivalence(scores, margin=2.0).pairs[0]
    >>> pair.verdict, round(pair.pvalue_equivalence, 4)
    ('equivalent', 0.0015)
    """
    if a is not None and b is not None:
        if not {"pairs", "control"}.isdisjoint(options):
            raise OptionError(f"{a!r} and {b!r} are a pair by themselves: leave pairs= and control= out.")
        options["pairs"] = [(a, b)]
    elif a is not None or b is not None:
        raise OptionError("equivalence is that of two algorithms: name both, or neither for all pairs.")
    return compare(data, margin=margin, **options)
