"""Numbers and words of axes, for figures and for the page's own pictures. Needs no matplotlib."""

from __future__ import annotations

import re

SCORE = "score"
LONGEST = 60
"""The most characters of an axis label that says what 0 and 1 are; longer ones are left to the data's provenance."""
UNTOLD = ("low", "high")
"""Names of 0 and 1 in a reference that does not say what they are."""


def tick_label(value: float, _position: object = None) -> str:
    """Return a short number: 0.25, 150, 20k, 1.5M."""
    # Ticks are sums of steps, and one at 0 may be 5e-17.
    if abs(value) < 1e-12:
        return "0"
    # From 10,000 on, where a label becomes longer than its tick is wide.
    for unit, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= unit:
            return f"{value / (1e3 if suffix == 'k' else unit):.10g}{suffix}".replace("-", "−")
    # Ten digits: six would call the ticks 1000001 and 1000002 by one name.
    return f"{value:.10g}".replace("-", "−")


def end_labels(low: float, high: float, least: int = 3, most: int = 10) -> tuple[str, str] | None:
    """Return what both ends of an axis are called, with as few digits, from `least` on, as show them to a fiftieth of its length; None if
    `most` do not.

    >>> end_labels(0.1234, 98.7654), end_labels(12326.4, 12371.8), end_labels(12326.4, 12371.8, most=3)
    (('0.123', '98.8'), ('12.326k', '12.372k'), None)
    """
    near = (high - low or abs(high)) / 50
    for count in range(least, most + 1):
        shown = [float(f"{end:.{count}g}") for end in (low, high)]
        if all(abs(a - b) <= near for a, b in zip(shown, (low, high), strict=True)):
            return tick_label(shown[0]), tick_label(shown[1])
    return None


def signed_tick(value: float) -> str:
    """Return a number of a signed axis.

    >>> signed_tick(0.5), signed_tick(0), signed_tick(-20)
    ('+0.5', '0', '−20')
    """
    return f"{'+' if value > 0 else ''}{tick_label(value)}"


def score_words(reference: str | None) -> str:
    """Return the words of an axis.

    >>> score_words(None)
    'score'
    >>> score_words("atari (Atari 2600): 0 is random, 1 is human; Mnih et al. 2015")
    'normalised score (0 = random, 1 = human)'
    >>> score_words("given")
    'normalised score'
    """
    if reference is None:
        return SCORE
    scale = re.search(r": 0 is (.*?), 1 is (.*?)(?:;|$)", reference)
    ends = [re.sub(r" \(.*\)", "", end) for end in scale.groups()] if scale else list(UNTOLD)
    words = f"normalised {SCORE} (0 = {ends[0]}, 1 = {ends[1]})"
    return f"normalised {SCORE}" if tuple(ends) == UNTOLD or len(words) > LONGEST else words
