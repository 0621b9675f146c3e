"""The true difference that is planned for: in units of the scores, in standard deviations, as P(improvement), or as a lift of a share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from runoff._inference.planning.pilot import Pilot
from runoff._inference.power import EFFECT_UNITS, raw_effect
from runoff.base.arrays import Floats
from runoff.base.validate import check_choice
from runoff.errors import DesignError, OptionError

PLAN_UNITS: Mapping[str, str] = MappingProxyType(
    {name: unit.title for name, unit in EFFECT_UNITS.items()}
    | {"lift": "share of the first algorithm's mean on each task: 0.1 is 10 % more (Agarwal et al. 2021, figure 4)"}
)
"""In what the effect of a plan may be stated, with what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What the second algorithm is truly ahead by, as it was stated."""

    value: float
    unit: str

    @property
    def relative(self) -> bool:
        """Whether it grows with the spread of the runs."""
        return self.unit in ("std", "improvement")

    @property
    def stretch(self) -> float:
        """By how much a lift stretches the spread of an algorithm that is otherwise like the first."""
        return 1.0 + self.value if self.unit == "lift" else 1.0

    def on_tasks(self, pilot: Pilot, inflation: float = 1.0) -> Floats:
        """Return the difference on every task, (n_tasks,), where standard deviations are `inflation` times the pilot's.

        Raises
        ------
        DesignError
            A lift of a mean that is not above 0.
        """
        if self.unit == "lift":
            means = pilot.means
            if not float(means.mean()) > 0:
                raise DesignError(
                    f"a lift of {100 * self.value:g} % is a share of the mean of {pilot.pair.a!r}, which must be above 0, not "
                    f"{float(means.mean()):.4g}; state the effect in units of the scores or in standard deviations (unit std)."
                )
            return self.value * means
        stds = (inflation * np.sqrt(pilot.variances)).T.tolist()
        return np.array([EFFECT_UNITS[self.unit].raw(self.value, (first, second)) for first, second in stds])


def stated(effect: Any, unit: str) -> Effect:
    """Return an effect; "10%" is a lift.

    Raises
    ------
    OptionError
        0, not a number, or a share beside another unit.
    """
    check_choice("unit", unit, PLAN_UNITS)
    if isinstance(effect, str):
        effect, unit = _of_text(effect, unit)
    if unit != "lift":
        raw_effect(effect, unit, (1.0, 1.0))  # refuses what is no effect
        return Effect(value=float(effect), unit=unit)
    if isinstance(effect, bool) or not isinstance(effect, int | float | np.number) or not isfinite(effect):
        raise OptionError(f"effect must be a finite number, not {effect!r}.")
    if effect == 0:
        raise OptionError("effect must not be 0: without a difference every rejection is an error, at rate alpha.")
    if effect <= -1:
        raise OptionError(f"a lift must be above -1 (-100 %), where nothing is left, not {effect!r}.")
    return Effect(value=float(effect), unit="lift")


def _of_text(text: str, unit: str) -> tuple[float, str]:
    number, share = (text.strip()[:-1], True) if text.strip().endswith("%") else (text.strip(), False)
    try:
        value = float(number)
    except ValueError:
        raise OptionError(f"effect must be a number, or a share as 10%, not {text!r}.") from None
    if not share:
        return value, unit
    if unit not in ("raw", "lift"):
        raise OptionError(f"effect {text!r} is a lift, and unit={unit!r} says that it is none: give one of them.")
    return value / 100.0, "lift"
