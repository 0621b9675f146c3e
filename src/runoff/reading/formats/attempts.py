"""Logs of attempts, as whoever stands beside a robot keeps them: `Rollout 01: success (30.6 s)` in a line each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from runoff.reading.formats.log_lines import LONGEST
from runoff.words.words import vocabulary

WELL = vocabulary("\u2713 success succeeded successful successfully solved passed")
ILL = vocabulary("\u2717 failure fail failed fails unsuccessful unsolved timeout crashed")
ATTEMPT = re.compile(
    r"[\s*-]{0,9}(rollout|trial|attempt|episode|demo)\s?#?\s?(\d{1,9})(?:/\d{1,9})?\s?[:.)|=-]{1,2}>?\s{0,9}([^\W\d_]+|\u2713|\u2717)"
    r"(?:\s?[,;|(\[].{0,200}|\s+in\s.{0,200})?\s*",
    re.IGNORECASE,
)
"""The number of an attempt and its outcome in a word, before a remark in brackets or behind a comma."""
TOTAL = re.compile(
    r"[\s*#=-]{0,9}(?:(?:total|overall|final)\s)?(?:success(?:es|ful)?|succeeded|solved|passed)(?:\s(?:rate|rollouts|trials|attempts|episodes))?"
    r"\s?[:=]?\s{0,9}(\d{1,9})\s?(?:/|of|out of)\s?(\d{1,9})(?:\W.{0,200})?",
    re.IGNORECASE,
)
"""The sum of the outcomes: `Success: 14/20 (70%)`."""


class Attempts(NamedTuple):
    """The attempts of a log: their kind (`Rollout`), the number and the outcome of each as 1 and 0, the numbers of their lines, those of lines
    with another outcome, and the sums that lines state."""

    kind: str
    outcomes: list[tuple[str, str]]
    at: list[int]
    unclear: list[int]
    totals: dict[int, tuple[int, int]]


def attempts_in(lines: Sequence[str]) -> Attempts | None:
    """Return the attempts of a log; None of a text with fewer than two, with attempts of two kinds, or with a number twice.

    >>> attempts_in(["Rollout 01: success (30.6 s)", "Rollout 02: fail", "Success: 1/2 (50%)"])
    Attempts(kind='Rollout', outcomes=[('1', '1'), ('2', '0')], at=[1, 2], unclear=[], totals={3: (1, 2)})
    """
    kinds: dict[str, str] = {}
    read = Attempts("", [], [], [], {})
    for number, line in enumerate(lines, start=1):
        if match := ATTEMPT.fullmatch(line[:LONGEST]):
            kinds[match[1].casefold()] = match[1]
            word = match[3].casefold()
            if word in WELL | ILL:
                read.outcomes.append((str(int(match[2])), str(int(word in WELL))))
                read.at.append(number)
            else:
                read.unclear.append(number)
        elif total := TOTAL.fullmatch(line[:LONGEST]):
            read.totals[number] = int(total[1]), int(total[2])
    twice = len({number for number, _ in read.outcomes}) < len(read.outcomes)
    return None if len(read.outcomes) < 2 or len(kinds) > 1 or twice else read._replace(kind=next(iter(kinds.values())))
