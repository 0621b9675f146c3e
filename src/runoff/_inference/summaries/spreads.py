"""SPREADS: what the number behind ± may be, and the standard error of the mean that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy.special import ndtri, stdtrit

from runoff.base.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One kind of ±.

    Attributes
    ----------
    title : str
        In a sentence: "if ± is the …".
    error : function of (±, n)
        The standard error of the mean.
    shrinks : bool
        Whether the error falls as n grows with ± as it is; else n decides by the degrees of freedom only.
    needs_runs : bool
        Whether nothing can be said without n.
    """

    title: str
    error: Callable[[Floats, Floats], Floats]
    shrinks: bool = False
    needs_runs: bool = False


SPREADS: Mapping[str, Spread] = MappingProxyType(
    {
        "sd": Spread(title="standard deviation", error=lambda width, n: width / np.sqrt(n), shrinks=True),
        "population_sd": Spread(
            title="standard deviation with n in its denominator (NumPy's default)",
            error=lambda width, n: width / np.sqrt(n - 1),
            shrinks=True,
        ),
        "se": Spread(title="standard error", error=lambda width, n: width + 0.0 * n),
        "ci95_t": Spread(
            title="half width of a 95 % t interval",
            error=lambda width, n: width / stdtrit(n - 1, 0.975),
            needs_runs=True,
        ),
        "ci95_normal": Spread(
            title="half width of a 95 % normal interval", error=lambda width, n: width / ndtri(0.975) + 0.0 * n
        ),
    }
)
READ_AS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"unknown": ("sd", "se"), "ci95": ("ci95_t", "ci95_normal")} | {name: (name,) for name in SPREADS}
)
"""What may be said of ± -> the kinds that are then possible, all of which are answered."""
REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "range": "from a range (least to greatest) no standard error follows, since it grows with the runs",
        "minmax": "from a range (least to greatest) no standard error follows, since it grows with the runs",
        "iqr": "from quartiles a standard error follows only for a known shape, and runs have none",
        "quartiles": "from quartiles a standard error follows only for a known shape, and runs have none",
    }
)
"""What ± may be without any test following from it, and why."""
