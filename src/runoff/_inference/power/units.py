"""A true difference in units of the scores, in standard deviations, or as the probability that a run of one beats a run of the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot, sqrt
from types import MappingProxyType

from scipy import special

Stds = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One way to state an effect: `raw(effect, stds)` in units of the scores, and back by `stated(raw, stds)`."""

    title: str
    raw: Callable[[float, Stds], float]
    stated: Callable[[float, Stds], float]


def pooled(stds: Stds) -> float:
    """Return √((σ₁² + σ₂²) / 2), or σ of one sample."""
    return hypot(*stds) / sqrt(len(stds))


def improvement(raw: float, stds: Stds) -> float:
    """Return Φ(Δ / √(σ₁² + σ₂²)), the chance that a normal run of one beats one of the other, or the fixed value."""
    return float(special.ndtr(raw / hypot(*stds)))


def raw_of_improvement(chance: float, stds: Stds) -> float:
    """Return Δ with that probability of improvement."""
    return float(special.ndtri(chance)) * hypot(*stds)


EFFECT_UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        "raw": Unit(title="units of the scores", raw=lambda effect, _: effect, stated=lambda raw, _: raw),
        "std": Unit(
            title="standard deviations: σ, or √((σ₁² + σ₂²) / 2)",
            raw=lambda effect, stds: effect * pooled(stds),
            stated=lambda raw, stds: raw / pooled(stds),
        ),
        "improvement": Unit(
            title="probability that a run of one beats a run of the other, Φ(Δ / √(σ₁² + σ₂²)) for normal runs",
            raw=raw_of_improvement,
            stated=improvement,
        ),
    }
)
