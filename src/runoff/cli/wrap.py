"""Lines that fit a terminal: broken between words only, never inside a number, an estimate with its interval, or a name with a hard space."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len

from runoff.words.numbers import SPACE

HELD = re.compile(
    r"(?<=\d) (?=\[[^\[\]]{1,40}\])|(?<=,) (?=[^\[\] ]{1,20}\](?!\())|(?<=[=<]) (?=[\d−])|(?<=[\wα]) (?=[=<] [\d−])"
)
"""The spaces before an interval that follows its estimate, inside an interval, and about the sign before a number."""


def wrapped(text: str, width: int, hang: int = 0) -> Iterator[str]:
    """Yield the lines of a text; those after the first begin with `hang` spaces. A word that is too long has a line of its own.

    >>> list(wrapped("A leads (0.52 [0.41, 0.63], p < 0.001)", 24, 2))
    ['A leads', '  (0.52\\xa0[0.41,\\xa00.63],', '  p\\xa0<\\xa00.001)']
    """
    words = HELD.sub(SPACE, text.lstrip(" ")).split(" ")
    line = " " * (len(text) - len(text.lstrip(" "))) + words[0]
    for word in words[1:]:
        if line.strip() and cell_len(line) + 1 + cell_len(word) > width:
            yield line
            line = " " * hang + word
        else:
            line = f"{line} {word}"
    yield line
