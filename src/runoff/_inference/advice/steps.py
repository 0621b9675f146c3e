"""Caveats about learning curves."""

from __future__ import annotations

from runoff._inference.advice.codes import Whom, advise
from runoff.results.advice import Advice


def steps_beyond_relabelling(unreachable: bool, who: Whom) -> Advice | None:
    """R403: no relabelling of so few runs is rare enough for max-T."""
    if not unreachable:
        return None
    text = (
        f"{who.words} has so few runs that no relabelling of them is rare enough for max-T, so nothing can be found at any step: use "
        "correction='holm', or run more."
    )
    return advise("R403", text, subjects=who.names)
