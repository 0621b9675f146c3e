"""Performance profiles, where the scores of different tasks can be counted together."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from runoff._inference import advice as rules
from runoff.data.scores import Scores
from runoff.errors import RunoffWarning
from runoff.results.advice import Advice
from runoff.results.base import plain
from runoff.results.profile import ProfileResult
from runoff.words.names import ProfileBand

BAND: ProfileBand = "wilson"
"""Of the page: nearest its level with few runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """The profiles of all algorithms; None where they would say nothing, and `left_out` says why."""

    result: ProfileResult | None = None
    left_out: str = ""

    @property
    def advice(self) -> tuple[Advice, ...]:
        """Return the advice on them."""
        return self.result.advice if self.result else ()


def profiles_of(scores: Scores, seed: int) -> Profiles:
    """Return the profiles of all algorithms over a grid of all scores."""
    from runoff.methods.profile import performance_profile

    if scores.rates:
        return Profiles(
            left_out="No profiles are given: all scores are 0 or 1, and the share above is the success rate."
        )
    units = rules.normalisation(scores)
    if units is not None and units.severity == "warning":
        return Profiles(
            left_out="No profiles are given: they count runs of all tasks above one score, and these tasks have different units; normalise the "
            "scores (--normalize)."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)  # the aggregates have reported it
        return Profiles(result=performance_profile(scores, band=BAND, rng=seed))


def record_of_profiles(profiles: Profiles) -> dict[str, Any]:
    """Return the profiles as JSON knows them; `result` is null where there are none."""
    return {"result": plain(profiles.result), "left_out": profiles.left_out}
