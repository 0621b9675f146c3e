"""Bounds of a sequential test: how the error is spent over the looks, and chances to leave bounds, by numerical integration.

The statistic of look k is B(t_k) / √t_k, where B is a Brownian motion with a drift and t the share of the information. Its density over the
paths that have not left yet is carried from look to look by Gauss-Legendre quadrature (Armitage, McPherson & Rowe 1969; Jennison & Turnbull
2000, ch. 19).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, e, log, sqrt
from types import MappingProxyType

import numpy as np
import scipy
from scipy import special

from runoff.base.arrays import Floats
from runoff.errors import OptionError

LEAST_NODES, NODES_PER_STEP, MOST_NODES = 64, 6, 1_600
"""Nodes of the quadrature: at least, for each standard deviation of the shorter increment, and at most."""
FAR = 30.0
"""A bound of the standardised statistic beyond which no path lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exits:
    """Chances to leave at each look, above and below, (n_looks,)."""

    above: Floats
    below: Floats

    @property
    def total(self) -> float:
        return float(self.above.sum() + self.below.sum())


@dataclass(frozen=True, slots=True)
class _Paths:
    """Where the paths are that have not left: nodes of B, with the mass at each."""

    at: Floats
    mass: Floats

    def beyond(self, bound: float, step: float, drift: float) -> float:
        """Return the chance that B is above a bound after an increment of information."""
        return float(self.mass @ special.ndtr((self.at + drift * step - bound) / sqrt(step)))

    def below(self, bound: float, step: float, drift: float) -> float:
        """Return the chance that B is below a bound after an increment of information."""
        return float(self.mass @ special.ndtr((bound - self.at - drift * step) / sqrt(step)))

    def inside(self, low: float, high: float, step: float, drift: float, next_step: float) -> _Paths:
        """Return the paths between two bounds after an increment; `next_step`: the increment after that."""
        # Nine deviations of the increment beyond the nodes: less than 1e-18 of the mass lies farther.
        middle, reach = self.at @ self.mass / max(self.mass.sum(), 1e-300), 9.0 * sqrt(step) + np.ptp(self.at)
        low, high = max(low, middle + drift * step - reach), min(high, middle + drift * step + reach)
        if low >= high:
            return _Paths(np.zeros(1), np.zeros(1))
        # The density is smooth at the scale of the shorter increment, so that many nodes for each such width integrate it.
        wide = (high - low) / sqrt(min(step, next_step))
        nodes, weights = _legendre(min(MOST_NODES, LEAST_NODES * ceil(max(1.0, NODES_PER_STEP * wide / LEAST_NODES))))
        at = low + (nodes + 1.0) * (high - low) / 2.0
        away = (at[:, None] - self.at[None, :] - drift * step) / sqrt(step)
        density = np.exp(-0.5 * away**2) / sqrt(2.0 * np.pi * step)
        return _Paths(at, (density @ self.mass) * weights * (high - low) / 2.0)


@lru_cache(maxsize=64)
def _legendre(n: int) -> tuple[Floats, Floats]:
    nodes, weights = special.roots_legendre(n)
    return nodes, weights


def exits(
    upper: Sequence[float],
    lower: Sequence[float],
    information: Sequence[float],
    *,
    drift: float = 0.0,
    start: tuple[float, float] = (0.0, 0.0),
) -> Exits:
    """Return the chances to leave the bounds of the standardised statistic at each look; a bound is ±inf where there is none.

    information: its shares at the looks, increasing. drift: the mean of B at information 1. start: the information so far and B there.
    """
    before, value = start
    paths = _Paths(np.array([value]), np.ones(1))
    steps = np.diff([before, *information])
    above, below = np.zeros(steps.size), np.zeros(steps.size)
    for k, step in enumerate(steps):
        high, low = _clipped(upper[k], information[k]), _clipped(lower[k], information[k])
        above[k], below[k] = paths.beyond(high, step, drift), paths.below(low, step, drift)
        if k + 1 < steps.size:
            paths = paths.inside(low, high, step, drift, steps[k + 1])
    return Exits(above=above, below=below)


def _clipped(bound: float, information: float) -> float:
    return float(np.clip(bound, -FAR, FAR)) * sqrt(information)


def spending_bounds(spent: Sequence[float], information: Sequence[float]) -> tuple[float, ...]:
    """Return two-sided bounds that have spent so much by each look, inf where a look spends nothing."""
    bounds: list[float] = []
    paths = _Paths(np.zeros(1), np.ones(1))
    steps = np.diff([0.0, *information])
    for k, (step, more) in enumerate(zip(steps, np.diff([0.0, *spent]), strict=True)):
        bounds.append(_bound_for(paths, step, more, information[k]))
        if k + 1 < steps.size:
            edge = _clipped(bounds[-1], information[k])
            paths = paths.inside(-edge, edge, step, 0.0, steps[k + 1])
    return tuple(bounds)


def _bound_for(paths: _Paths, step: float, more: float, information: float) -> float:
    # Twice the upper side, for bounds and paths are symmetric. Less than the rounding of the quadrature is nothing to spend.
    scale = sqrt(information)
    if more <= 2.0 * paths.beyond(FAR * scale, step, 0.0) or more < 1e-15:
        return float("inf")

    def excess(bound: float) -> float:
        # In logarithms, so that a look that spends 1e-9 has as many digits as one that spends 0.01.
        return float(np.log(max(2.0 * paths.beyond(bound * scale, step, 0.0), 1e-300) / more))

    return float(scipy.optimize.brentq(excess, 0.0, FAR, xtol=1e-12))


def constant_bounds(shape: Callable[[float], float], alpha: float, information: Sequence[float]) -> tuple[float, ...]:
    """Return the bounds C · shape(t) whose two-sided error over all looks is alpha."""
    shapes = [shape(t) for t in information]

    def excess(constant: float) -> float:
        bounds = [constant * s for s in shapes]
        return exits(bounds, [-b for b in bounds], information).total - alpha

    if excess(FAR) > 0:
        raise OptionError(f"alpha must be larger for {len(shapes)} looks, not {alpha!r}.")
    constant = float(scipy.optimize.brentq(excess, 0.0, FAR, xtol=1e-12))
    return tuple(constant * s for s in shapes)


# ── how much of the error rate is spent by which look ──────────


Looks = tuple[int, ...]
"""Runs of a cell at each look."""
Spent = Callable[[float, Looks], tuple[float, ...]]
"""The error rate and the looks -> two-sided error by each of them."""
HALF_SPENT = 30
"""Runs of a cell by which half of alpha is spent where no last look is planned (chosen for tens of rollouts)."""


@dataclass(frozen=True, slots=True)
class Spending:
    """One name of `spending`: what it is, its source, and the error that it spends."""

    title: str
    cited: str
    spent: Spent


def _by_function(function: Callable[[float, float], float]) -> Spent:
    return lambda alpha, looks: tuple(function(alpha, n / looks[-1]) for n in looks)


def _by_shape(shape: Callable[[float], float]) -> Spent:
    def spent(alpha: float, looks: Looks) -> tuple[float, ...]:
        information = [n / looks[-1] for n in looks]
        bounds = constant_bounds(shape, alpha, information)
        chances = exits(bounds, [-b for b in bounds], information)
        # The last is alpha itself, which the search for the constant has to twelve digits only.
        return (*np.cumsum(chances.above + chances.below)[:-1].tolist(), alpha)

    return spent


SPENDING: Mapping[str, Spending] = MappingProxyType(
    {
        "pocock": Spending(
            "spending like Pocock's: about evenly over the looks",
            "Lan & DeMets 1983, α ln(1 + (e − 1) t)",
            _by_function(lambda alpha, t: alpha * log(1.0 + (e - 1.0) * t)),
        ),
        "obrien_fleming": Spending(
            "spending like O'Brien and Fleming's: next to nothing early",
            "Lan & DeMets 1983, 4 (1 − Φ(z / √t)), Φ(z) = 1 − α/4",
            _by_function(lambda alpha, t: 4.0 * float(special.ndtr(special.ndtri(alpha / 4.0) / sqrt(t)))),
        ),
        "pocock_1977": Spending(
            "the same bound at every look",
            "Pocock 1977; Jennison & Turnbull 2000, table 2.1",
            _by_shape(lambda t: t**0.0),
        ),
        "obrien_fleming_1979": Spending(
            "a bound that falls as 1 / √t",
            "O'Brien & Fleming 1979; Jennison & Turnbull 2000, table 2.3",
            _by_shape(lambda t: t**-0.5),
        ),
        "quadratic": Spending(
            "spending with the square of the share of the runs",
            "Kim & DeMets 1987, α t²",
            _by_function(lambda alpha, t: alpha * t**2),
        ),
        # Whatever the last look is, the error by n runs is the same: further looks may follow, and α is never reached.
        "open": Spending(
            f"spending that asks for no last look: half of α by {HALF_SPENT} runs",
            f"α n² / (n² + {HALF_SPENT}²) (Lan & DeMets 1983)",
            lambda alpha, looks: tuple(alpha * n**2 / (n**2 + HALF_SPENT**2) for n in looks),
        ),
    }
)
"""Names and their records; the first is the default, but of episodes, whose default is "quadratic"."""


@lru_cache(maxsize=256)
def spent_by(spending: str, alpha: float, looks: Looks) -> tuple[float, ...]:
    """Return the two-sided error that may have been spent by each look."""
    return SPENDING[spending].spent(alpha, looks)


@lru_cache(maxsize=256)
def bounds_of(spending: str, alpha: float, looks: Looks) -> tuple[float, ...]:
    """Return the bounds of a normal statistic that spend just that."""
    return spending_bounds(spent_by(spending, alpha, looks), [n / looks[-1] for n in looks])
