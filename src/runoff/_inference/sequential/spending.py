"""How much of the error rate is spent by which look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import e, log, sqrt
from types import MappingProxyType

from scipy import special

from runoff._inference.sequential.boundaries import constant_bounds, cumulative_error, spending_bounds

Information = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """One name of `spending`.

    spent: the error rate and the shares of information at all looks -> two-sided error by each of them.
    """

    title: str
    cited: str
    spent: Callable[[float, Information], tuple[float, ...]]


def _by_function(function: Callable[[float, float], float]) -> Callable[[float, Information], tuple[float, ...]]:
    return lambda alpha, information: tuple(function(alpha, t) for t in information)


def _obrien_fleming(alpha: float, t: float) -> float:
    return 4.0 * float(special.ndtr(special.ndtri(alpha / 4.0) / sqrt(t)))


def _pocock(alpha: float, t: float) -> float:
    return alpha * log(1.0 + (e - 1.0) * t)


def _by_shape(shape: Callable[[float], float]) -> Callable[[float, Information], tuple[float, ...]]:
    def spent(alpha: float, information: Information) -> tuple[float, ...]:
        chances = cumulative_error(constant_bounds(shape, alpha, information), information)
        return (*chances[:-1], alpha)

    return spent


SPENDING: Mapping[str, Spending] = MappingProxyType(
    {
        "pocock": Spending(
            title="spending like Pocock's: about evenly over the looks",
            cited="Lan & DeMets 1983, α ln(1 + (e − 1) t)",
            spent=_by_function(_pocock),
        ),
        "obrien_fleming": Spending(
            title="spending like O'Brien and Fleming's: next to nothing early",
            cited="Lan & DeMets 1983, 4 (1 − Φ(z / √t)), Φ(z) = 1 − α/4",
            spent=_by_function(_obrien_fleming),
        ),
        "pocock_1977": Spending(
            title="the same bound at every look",
            cited="Pocock 1977; Jennison & Turnbull 2000, table 2.1",
            spent=_by_shape(lambda t: t**0.0),
        ),
        "obrien_fleming_1979": Spending(
            title="a bound that falls as 1 / √t",
            cited="O'Brien & Fleming 1979; Jennison & Turnbull 2000, table 2.3",
            spent=_by_shape(lambda t: t**-0.5),
        ),
    }
)
"""Names and their records; the first is the default."""


@lru_cache(maxsize=256)
def spent_by(spending: str, alpha: float, information: Information) -> tuple[float, ...]:
    """Return the two-sided error that may have been spent by each look."""
    return SPENDING[spending].spent(alpha, information)


@lru_cache(maxsize=256)
def bounds_of(spending: str, alpha: float, information: Information) -> tuple[float, ...]:
    """Return the bounds of a normal statistic that spend just that."""
    return spending_bounds(spent_by(spending, alpha, information), information)


def shares(looks: Sequence[int]) -> Information:
    """Return the share of the information at each look, of cumulative runs per cell."""
    return tuple(n / looks[-1] for n in looks)
