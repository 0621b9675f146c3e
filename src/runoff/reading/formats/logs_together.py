"""Lines of the logs of several files in one text, with the paths of these."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.reading.formats.base import LOG
from runoff.reading.formats.log_lines import LONGEST, MEASURE, line_of
from runoff.reading.formats.logged import Logged, log_in
from runoff.tables.likely import plays
from runoff.words.patterns import regex

# ── each below its path between arrows, as `tail` and `head` print them ──────────

PLACE = regex(r"==> (\S.{0,400}?) <==\s*")
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


# ── each behind its path, as `grep` prints them ──────────

BEHIND_PATH = regex(r"([^\s:]{1,400}\.[A-Za-z]\w{0,7}):(?:\d{1,9}:)?\s{0,9}(\S.*)")


def grepped_in(lines: Sequence[str]) -> Logged | None:
    """Return the numbers behind the paths of files, with these paths; None of a text with other lines, of lines that hold other names, and of
    files with several lines without a step.

    >>> grepped_in(["a/s0/log.txt:Final return: 1.5", "a/s1/log.txt:Final return: 2.5"]).rows
    [['file', 'Final return'], ['a/s0/log.txt', '1.5'], ['a/s1/log.txt', '2.5']]
    """
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    matches = [BEHIND_PATH.fullmatch(line[:LONGEST]) for _, line in filled]
    files = [match[1] for match in matches if match]
    texts = [match[2].strip() for match in matches if match]
    own = [line_of(text).pairs or {m[1]: m[2] for m in [MEASURE.fullmatch(text)] if m} for text in texts]
    (names, *others) = {tuple(pairs) for pairs in own} or {()}
    stepped = plays(list(names), "step", {})
    if not all(matches) or others or not names or len(own) < 2 or (len({*files}) < len(files) and not stepped):
        return None
    rows = [[file, *pairs.values()] for file, pairs in zip(files, own, strict=True)]
    return Logged([[FILE, *names], *rows], [number for number, _ in filled], [], [])


def log_of(lines: Sequence[str], suffix: str = "") -> Logged | None:
    """Return the rows of a log, or of those of several files; None of another text."""
    return tails_in(lines) or grepped_in(lines) or log_in(lines, suffix)
