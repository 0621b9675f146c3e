"""Caveats about learning curves."""

from __future__ import annotations

from runoff._inference.advice.codes import Subject, advise
from runoff.results.advice import Advice
from runoff.words.speech import option


def steps_beyond_relabelling(unreachable: bool, subject: Subject) -> Advice | None:
    """R403: no relabelling of so few runs is rare enough for max-T."""
    if not unreachable:
        return None
    text = (
        f"use {option('correction', 'holm')}, or add runs: {subject.words} has so few that no relabelling of them is rare enough for max-T, so "
        "nothing can be found at any step."
    )
    return advise("R403", text, subjects=subject.names)


def worst_of_few(least: int, needed: int) -> Advice | None:
    """R404: the worst 5 % of few runs is the worst run."""
    if least >= needed:
        return None
    text = (
        f"read risk across runs as a description of these runs: the worst 5 % of {least} runs is little more than the worst run, so the risk "
        f"is above what more runs would show, and has no interval below {needed} runs."
    )
    return advise("R404", text)
