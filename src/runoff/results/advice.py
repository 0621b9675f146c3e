"""Advice: a caveat or a recommendation that travels with an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["info", "caution", "warning"]
SEVERITIES: tuple[Severity, ...] = ("warning", "caution", "info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One guideline that applies to an answer.

    Attributes
    ----------
    code : str
        Stable and documented, e.g. "R001"; docs/advice.md has an entry for each.
    severity : "warning", "caution" or "info"
        A warning may change the verdict, a caution its strength, an info is good to know.
    text : str
        What to do, where something can be done, and a colon; then what was found, with counts.
    source : str
        The paper and section the guideline comes from.
    subjects : tuple of str
        The algorithms that the text names; empty where it is about the answer that it is attached to.
    """

    code: str
    severity: Severity
    text: str
    source: str
    subjects: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code} {self.text} ({self.source})"


def most_severe_first(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """Return advice once each, by severity, then by code."""
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    return tuple(sorted(dict.fromkeys(advice), key=lambda note: (order[note.severity], note.code)))
