"""Logs of one run as scripts print them: in each line of an evaluation names and values between bars or commas, `epoch 3 | return 64.5`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runoff.tables.columns import NAMED
from runoff.tables.likely import candidates, plays
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.words import canonical, kind

LONGEST = 2000
"""Letters of a line that is looked at."""
NAME = r"[^\W\d][\w./@-]{0,60}"
NUMBER = r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,9})?|nan|NaN|-?inf"
MEASURE = re.compile(rf"({NAME}(?: {NAME}){{0,3}})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?\s*(?:%|s|ms|it/s)?")
"""A name and its number; of `epoch 3/100` the first."""
LAST_WORD = re.compile(rf"(?:^|.*[\s\]])({NAME})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?")
"""The same behind a clock or the level of a logger."""
CLOCK = re.compile(
    r"\s*\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\]?\s*|\s*\[?(?:INFO|DEBUG|TRAIN|EVAL)\]?:?\s+",
    re.IGNORECASE,
)
PAIR = rf"{NAME}\s?[:=]\s*[^\s,;|:=]+"
DESCRIBED = re.compile(rf"(?:[#*>-]+\s*)?{PAIR}(?:[\s,;|]+{PAIR})*")
"""A line of nothing but keys and values: `env: Pong  algo: ppo  seed: 0`."""
KEY_AND_VALUE = re.compile(rf"({NAME})\s?[:=]\s*([^\s,;|:=]+)")


KEYED = re.compile(rf"({NAME})=([^\s=]{{1,200}})")
REMARK = re.compile(r"\s*[(\[][^()\[\]\d]*[)\]]\s*$")
"""Words in brackets behind a number: `2.5 (new best)`."""


class Logged(NamedTuple):
    """The rows of a log, the names of their columns first, and the lines that are neither rows nor describe the run."""

    rows: list[list[str]]
    rest: list[str]


def logged(lines: Sequence[str]) -> Logged | None:
    """Return the evaluations of the run that a log is of, with what lines of keys and values say of it; None of another text, and of one that
    describes several runs.

    >>> logged(["env: Pong  algo: ppo", "epoch 1 | return 2", "epoch 2 | return 3", "finished"])
    Logged(rows=[['env', 'algo', 'epoch', 'return'], ['Pong', 'ppo', '1', '2'], ['Pong', 'ppo', '2', '3']], rest=['finished'])
    """
    own = [_measures(line) for line in lines]
    kinds = {
        tuple(pairs) for pairs in own if pairs and plays(list(pairs), "score", {}) and plays(list(pairs), "step", {})
    }
    if len(kinds) != 1:
        return None
    (names,) = kinds
    rows = [pairs for pairs in own if tuple(pairs) == names]
    scores, steps = (candidates(list(names), role) for role in ("score", "step"))
    others = [line for line, pairs in zip(lines, own, strict=True) if line.strip() and tuple(pairs) != names]
    described = _described(others)
    if (
        len(rows) < 2
        or len(scores) != 1
        or len(steps) != 1
        or any(plays(list(names), role, {}) for role in NAMED)
        or described is None
    ):
        return None
    beside = {key: value for key, value in described.items() if key not in names and _describes(key)}
    body = [[*beside.values(), *pairs.values()] for pairs in rows]
    return Logged([[*beside, *names], *body], [line for line in others if not DESCRIBED.fullmatch(line.strip())])


def _measures(line: str) -> dict[str, str]:
    """Return the names and the numbers of a line that holds two or more, and beside them only remarks; {} of another line.

    >>> _measures("step 5 | return 2.5 (new best) | saved"), _measures("step=5 return=2.5 best=True"), _measures("step 5 | saved")
    ({'step': '5', 'return': '2.5'}, {'step': '5', 'return': '2.5'}, {})
    """
    bare = CLOCK.sub("", CLOCK.sub("", line, count=1), count=1) if CLOCK.match(line) else line
    if len(line) > LONGEST:
        return {}
    if all(map(KEYED.fullmatch, bare.split())):
        keyed = dict(KEYED.findall(bare))
        flags = [name for name, value in keyed.items() if not re.fullmatch(NUMBER, value)]
        # Names of an algorithm or a task in each line are for others to read.
        named = any(plays([name], role, {}) for name in flags for role in NAMED)
        return (
            {name: value for name, value in keyed.items() if name not in flags} if len(keyed) > 1 and not named else {}
        )
    first, *others = [part for part in re.split(r"\s*[|,;]\s*", bare.strip(" \t|,;")) if part] or [""]
    begins = MEASURE.fullmatch(first) or LAST_WORD.fullmatch(first)
    # Lines of a table, of which there are many, begin with no name and number.
    if not begins:
        return {}
    plain = (REMARK.sub("", part) for part in others)
    matches = [begins, *(MEASURE.fullmatch(part) for part in plain if any(map(str.isdigit, part)))]
    pairs = {match[1]: match[2] for match in matches if match}
    return pairs if len(pairs) == len(matches) > 1 else {}


def _described(lines: Sequence[str]) -> dict[str, str] | None:
    """Return what lines of keys and values say; None if two say what the run is in two ways."""
    values: dict[str, set[str]] = {}
    for key, value in _pairs(lines):
        values.setdefault(key, set()).add(value)
    if any(len(own) > 1 and any(candidates([key], role) for role in NAMED) for key, own in values.items()):
        return None
    return {key: next(iter(own)) for key, own in values.items() if len(own) == 1}


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if len(line) <= LONGEST and DESCRIBED.fullmatch(line.strip()):
            yield from KEY_AND_VALUE.findall(line)


def _describes(key: str) -> bool:
    """Return whether a key may be that of a name or of a setting, and not of another score, number of steps or clock."""
    others = kind(key) in ("episode", "time", "statistic") or canonical(key) in KINDS_OF_DATA
    return not others and not any(plays([key], role, {}) for role in ("score", "step"))
