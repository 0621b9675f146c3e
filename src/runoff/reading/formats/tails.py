"""Logs of several files in one text, each below its path between arrows, as `tail` and `head` print them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runoff.reading.formats.base import LOG
from runoff.reading.formats.logged import Logged, log_in

PLACE = re.compile(r"==> (\S.{0,400}?) <==\s*")


FILE = "file"
"""The column of the paths."""


def files_in(lines: Sequence[str]) -> list[str]:
    """Return the paths in a text, each once."""
    return [*dict.fromkeys(match[1] for match in map(PLACE.fullmatch, lines) if match)]


def tails_in(lines: Sequence[str]) -> Logged | None:
    """Return the rows of the logs of all files, with the path of each before its own; None of a text without such paths, and where the lines
    below one of them are no log, or other names stand in them.

    >>> tails_in(["==> a/s0.log <==", "step=1 return=2", "", "==> a/s1.log <==", "step=1 return=3"])[:2]
    ([['file', 'step', 'return'], ['a/s0.log', '1', '2'], ['a/s1.log', '1', '3']], [2, 5])
    """
    places = [(at, match[1]) for at, line in enumerate(lines) if (match := PLACE.fullmatch(line))]
    ends = [*(at for at, _ in places[1:]), len(lines)]
    if len(places) < 2 or len({path for _, path in places}) < len(places):
        return None
    logs = [(path, at + 1, log_in(lines[at + 1 : end], LOG)) for (at, path), end in zip(places, ends, strict=True)]
    whole = [(path, start, log) for path, start, log in logs if log and not (log.unread or log.doubts or log.refusal)]
    if len(whole) < len(logs) or len({tuple(log.rows[0]) for _, _, log in whole}) > 1:
        return None
    return Logged(
        [[FILE, *whole[0][2].rows[0]], *([path, *row] for path, _, log in whole for row in log.rows[1:])],
        [start + at for _, start, log in whole for at in log.at],
        [line for _, _, log in whole for line in log.rest],
        [],
    )
