"""The corrections for many comparisons: one name, one function of p-values.

`max_t` is not here: it needs the runs, not only the p-values (`runoff._inference.family.max_t`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from runoff._arrays import Floats
from runoff._kernels.family import multiplicity
from runoff.errors import OptionError, nearest


def _none(p: Floats) -> Floats:
    """Leave the p-values as they are."""
    return p.copy()


CORRECTIONS: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {
        "bonferroni": multiplicity.bonferroni,
        "holm": multiplicity.holm,
        "hochberg": multiplicity.hochberg,
        "hommel": multiplicity.hommel,
        "bh": multiplicity.benjamini_hochberg,
        "by": multiplicity.benjamini_yekutieli,
        "none": _none,
    }
)


def adjust(pvalues: ArrayLike, correction: str = "holm") -> Floats:
    """How large are these p-values once all comparisons of the family are counted?

    Parameters
    ----------
    pvalues : array_like of shape (m,)
        Raw p-values, each in [0, 1].
    correction : str
        ``bonferroni``, ``holm``, ``hochberg``, ``hommel`` (family-wise error rate), ``bh``, ``by`` (false discovery
        rate) or ``none``.

    Returns
    -------
    ndarray of shape (m,)
        Adjusted p-values in the order given; an empty family gives an empty array.

    Raises
    ------
    OptionError
        The correction is unknown, or a p-value is NaN or outside [0, 1].

    Notes
    -----
    R's ``p.adjust`` drops NaN p-values from the family and statsmodels counts them; here NaN is refused, because both
    answers change the other p-values silently. Checked against R 4.2.2 and statsmodels.

    Examples
    --------
    >>> from runoff._inference.family.corrections import adjust
    >>> adjust([0.01, 0.04, 0.03, 0.005, 0.2], "holm").tolist()
    [0.04, 0.09, 0.09, 0.025, 0.2]
    """
    if correction not in CORRECTIONS:
        known = ", ".join(CORRECTIONS)
        raise OptionError(f"Unknown correction {correction!r}; known are {known}.{nearest(correction, CORRECTIONS)}")
    p = np.asarray(pvalues, np.float64).ravel()
    bad = ~((p >= 0.0) & (p <= 1.0))
    if bad.any():
        at = int(np.argmax(bad))
        raise OptionError(f"p-values must lie in [0, 1]; number {at} of {p.size} is {p[at]}.")
    return CORRECTIONS[correction](p)
