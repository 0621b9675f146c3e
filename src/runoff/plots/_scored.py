"""What an axis of scores is called: what 0 and 1 are, where the scores are normalised."""

from __future__ import annotations

import re

SCORE = "score"
LONGEST = 60
"""Characters; longer words for 0 and 1 are left to the data's provenance."""
UNTOLD = ("low", "high")
"""What 0 and 1 are called where nobody said what they are."""


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
    found = re.search(r": 0 is (.*?), 1 is (.*?)(?:;|$)", reference)
    ends = [re.sub(r" \(.*\)", "", end) for end in found.groups()] if found else list(UNTOLD)
    words = f"normalised {SCORE} (0 = {ends[0]}, 1 = {ends[1]})"
    return f"normalised {SCORE}" if tuple(ends) == UNTOLD or len(words) > LONGEST else words
