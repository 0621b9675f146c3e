"""Text in lines of a width."""

from __future__ import annotations

import re
from functools import cache

from runoff.report.latex.glyphs import clusters, width

BREAKS = re.compile(r"(?<=[ \-_/:])|(?<=[a-z])(?=[A-Z(])")
"""Where a line may end: after a space or a hyphen, before a capital inside a word."""


@cache
def wrapped(text: str, points: float, *, bold: bool = False) -> tuple[str, ...]:
    """Return the lines of a text that is set in `points`; a part that has no place to break is broken anywhere."""
    lines: list[str] = []
    line = ""
    for part in (piece for whole in BREAKS.split(text) for piece in _pieces(whole, points, bold)):
        if line and width((line + part).rstrip(), bold=bold) > points:
            lines.append(line.rstrip())
            line = part.lstrip()
        else:
            line += part
    return (*lines, line.rstrip())


def _pieces(part: str, points: float, bold: bool) -> list[str]:
    if width(part.rstrip(), bold=bold) <= points:
        return [part]
    pieces = [""]
    for cluster in clusters(part):
        if pieces[-1] and width(pieces[-1] + cluster, bold=bold) > points:
            pieces.append("")
        pieces[-1] += cluster
    return pieces
