"""What lines of a log say of the run that it is of: keys and values, the arguments of a script, remarks, a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from runoff.base.grouping import distinct
from runoff.reading._configured import CALL, arguments_in
from runoff.reading.formats.log_lines import LONGEST, NAME, LogLine, text_of
from runoff.tables.columns import NAMED, roles_of
from runoff.tables.likely import plays
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.patterns import regex
from runoff.words.words import canonical, kind, vocabulary

KEYED = rf"{NAME}\s?[:=]\s*[^\s,;|:=]+"
DESCRIBED = regex(rf"(?:[#*>-]+\s*)?{KEYED}(?:[\s,;|]+{KEYED})*")
"""A line of nothing but keys and values: `env: Pong  algo: ppo  seed: 0`."""
KEY_AND_VALUE = regex(rf"({NAME})\s?[:=]\s*([^\s,;|:=]+)")
LEVELS = vocabulary("info debug warning warn error critical")
"""Levels of loggers, before a remark."""
ARGUMENTS = regex(
    r"[^(]{0,60}?\bNamespace\(|"
    rf"[$+> ]{{0,9}}(?:\S{{1,200}} ){{0,3}}?{CALL} (?:-{{1,2}}[A-Za-z]|\+{{0,2}}[A-Za-z_][\w.]*=)|"
    r".{0,80}?(?<!\S)--[A-Za-z][\w-]{0,40}[= ][^\s-]\S{0,80} --[A-Za-z][\w-]{0,40}[= ]"
)
"""The beginning of a line with the arguments of a script: `Namespace(algo='ppo')`, `+ srun python train.py --algo ppo`, `args: --algo ppo --env
Hopper-v4`."""


def without(lines: Sequence[str], at: Sequence[int]) -> list[str]:
    """Return the lines that are not empty, without those of some numbers."""
    rows = frozenset(at)
    return [line for number, line in enumerate(lines, start=1) if line.strip() and number not in rows]


def described_in(lines: Sequence[str]) -> dict[str, str] | None:
    """Return what lines of keys and values say; None if two say what the run is in two ways."""
    values = distinct(_pairs(lines))
    if any(len(own) > 1 and roles_of(key) for key, own in values.items()):
        return None
    return _alone(values)


def _alone(values: Mapping[str, set[str]]) -> dict[str, str]:
    """Return the values of keys that have one."""
    return {key: next(iter(own)) for key, own in values.items() if len(own) == 1}


def names_in_remarks(lines: Sequence[LogLine]) -> dict[str, str]:
    """Return the names of the run in remarks: `start training algo=sac env=Pendulum-v1`; none that has two values."""
    return _alone(distinct(pair for line in lines for pair in _names_in(line)))


def _names_in(line: LogLine) -> list[tuple[str, str]]:
    """Return the pairs of a line that name the run."""
    return [(key, own) for key, own in line.pairs.items() if roles_of(key)]


def name_several(lines: Sequence[LogLine]) -> bool:
    """Return whether remarks that name a run by two names or more, `algo=sac env=X seed=1`, are of several runs, one after another."""
    named = [pairs for pairs in map(_names_in, lines) if len(pairs) > 1]
    return any(len(own) > 1 for own in distinct(chain(*named)).values())


RUN_IN_WORDS = regex(
    r"(?!\S+(?:ing|ed) )(\S{1,60}) on (?!(?:c|g|t)pu|cuda|device|node|host|port)(\S{1,60}?), (?:run|seed|trial) (\d{1,20})",
    re.IGNORECASE,
)
"""The names of a run as a sentence has them: `gru on load_DE, run 1`; "training on cuda, seed 1" has none."""


def run_in_words(lines: Sequence[str]) -> dict[str, str]:
    """Return the names of the run that the only line of this form has; none where two have."""
    matches = list(filter(None, map(is_named_in_words, lines)))
    return dict(zip(NAMED, matches[0].groups(), strict=True)) if len(matches) == 1 else {}


def is_named_in_words(line: str) -> re.Match[str] | None:
    return RUN_IN_WORDS.fullmatch(text_of(line[:LONGEST]).strip())


def is_described(line: str) -> bool:
    """Return whether a line holds keys and values of the run alone, or the arguments of its script."""
    return len(line) <= LONGEST and bool(DESCRIBED.fullmatch(line.strip()) or ARGUMENTS.match(line))


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in filter(is_described, lines):
        if match := ARGUMENTS.match(line):
            start = line.index("Namespace(") if match[0].endswith("(") else 0
            yield from arguments_in(line[start:])
        else:
            yield from KEY_AND_VALUE.findall(line)


def describes(key: str) -> bool:
    """Return whether a key may be that of a name or of a setting, and not of another score, number of steps or clock."""
    others = kind(key) in ("episode", "time", "statistic") or canonical(key) in {*KINDS_OF_DATA, *LEVELS}
    return not others and not any(plays([key], role, {}) for role in ("score", "step"))
