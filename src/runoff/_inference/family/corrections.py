"""The corrections for many comparisons: each is one record; all but `max_t` are a function of p-values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from runoff._kernels.family import multiplicity
from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.words.names import CORRECTIONS as LABELS


def _none(p: Floats) -> Floats:
    """Leave the p-values as they are."""
    return p.copy()


def _each(m: int) -> float:
    """Return the share of alpha of one of m comparisons."""
    return 1.0 / m


def _all(m: int) -> float:
    """Return the whole of alpha."""
    del m
    return 1.0


def _harmonic(m: int) -> float:
    """Return 1 / (1 + ½ + … + 1 / m), by which Benjamini & Yekutieli 2001 divide alpha."""
    return 1.0 / sum(1.0 / i for i in range(1, m + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One correction.

    Attributes
    ----------
    label : str
        Before the word "correction": "Holm".
    cited : str
        In a methods paragraph, with the sources that `report.words.bibliography` spells out.
    familywise : bool
        Whether it bounds the chance of any wrong claim, so that the first step of a family is at alpha over its size.
    adjust : function of p-values (m,) or None
        None where the runs are needed, not only the p-values.
    first, last : function of the size m of the family
        What the clearest pair has to reach if it is alone, and what a pair has to reach at best, when all others are found: shares of alpha.
    """

    label: str
    cited: str
    familywise: bool
    adjust: Callable[[Floats], Floats] | None
    first: Callable[[int], float] = _each
    last: Callable[[int], float] = _all


CORRECTIONS: Mapping[str, Correction] = MappingProxyType(
    {
        "bonferroni": Correction(
            label=LABELS["bonferroni"],
            cited="Bonferroni's inequality",
            familywise=True,
            adjust=multiplicity.bonferroni,
            last=_each,
        ),
        "holm": Correction(
            label=LABELS["holm"],
            cited="Holm's step-down procedure (Holm 1979)",
            familywise=True,
            adjust=multiplicity.holm,
        ),
        "hochberg": Correction(
            label=LABELS["hochberg"],
            cited="Hochberg's step-up procedure (Hochberg 1988)",
            familywise=True,
            adjust=multiplicity.hochberg,
        ),
        "hommel": Correction(
            label=LABELS["hommel"],
            cited="Hommel's procedure (Hommel 1988)",
            familywise=True,
            adjust=multiplicity.hommel,
        ),
        "bh": Correction(
            label=LABELS["bh"],
            cited="the Benjamini-Hochberg procedure (false discovery rate; Benjamini & Hochberg 1995)",
            familywise=False,
            adjust=multiplicity.benjamini_hochberg,
        ),
        "by": Correction(
            label=LABELS["by"],
            cited="the Benjamini-Yekutieli procedure (false discovery rate; Benjamini & Yekutieli 2001)",
            familywise=False,
            adjust=multiplicity.benjamini_yekutieli,
            first=lambda m: _harmonic(m) / m,
            last=_harmonic,
        ),
        "none": Correction(label=LABELS["none"], cited="nothing", familywise=False, adjust=_none, first=_all),
        "max_t": Correction(
            label=LABELS["max_t"],
            cited="the maximum of the statistics over synchronised within-task permutations (max-T; Westfall & Young 1993)",
            familywise=True,
            adjust=None,
        ),
    }
)
OF_PVALUES: tuple[str, ...] = tuple(name for name, known in CORRECTIONS.items() if known.adjust is not None)
"""The corrections that need the p-values alone; `runoff._inference.family.max_t` needs the runs."""


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
    adjusted = CORRECTIONS[check_choice("correction", correction, OF_PVALUES)].adjust
    assert adjusted is not None  # by OF_PVALUES
    p = np.asarray(pvalues, np.float64).ravel()
    bad = ~((p >= 0.0) & (p <= 1.0))
    if bad.any():
        at = int(np.argmax(bad))
        raise OptionError(f"p-values must lie in [0, 1]; number {at} of {p.size} is {p[at]}.")
    return adjusted(p)
