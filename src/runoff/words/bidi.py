"""Names written from right to left, among words written from left to right: each is isolated, so that it turns nothing around it."""

from __future__ import annotations

import re
from unicodedata import bidirectional

ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(rf"[{_LETTER}](?:[{_LETTER}\u0300-\u036f\d _\-'’]*[{_LETTER}])?")
"""Words of right-to-left letters, with what joins the words of a name; commas, dashes and Latin words stand between names."""


def turns(text: str) -> bool:
    """Return whether a text has letters that are written from right to left.

    >>> turns("PPO"), turns("אלגוריתם")
    (False, True)
    """
    return not text.isascii() and any(bidirectional(character) in ("R", "AL") for character in text)


def isolated(name: str) -> str:
    """Return a name that can stand beside other words; one without right-to-left letters stays as it is.

    >>> isolated("PPO")
    'PPO'
    >>> isolated("שלום") == ISOLATE + "שלום" + END
    True
    """
    return f"{ISOLATE}{name}{END}" if turns(name) else name


def isolated_in(text: str) -> str:
    """Return a sentence in which each name with right-to-left letters is isolated, where it is not already.

    >>> isolated_in("PPO vs SAC")
    'PPO vs SAC'
    >>> isolated_in("א vs ב") == f"{ISOLATE}א{END} vs {ISOLATE}ב{END}"
    True
    """
    if ISOLATE in text or not turns(text):
        return text
    return _RUN.sub(lambda found: f"{ISOLATE}{found[0]}{END}", text)
