"""Logs of one run as scripts print them: in each line of an evaluation names and values between bars or commas, `epoch 3 | return 64.5`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runoff.tables.columns import NAMED
from runoff.tables.likely import candidates, plays
from runoff.words.labels import KINDS_OF_DATA
from runoff.words.words import canonical, kind, vocabulary

LONGEST = 2000
"""Letters of a line that is looked at."""
NAME = r"[^\W\d][\w./@-]{0,60}"
NUMBER = r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,9})?|nan|NaN|-?inf"
MEASURED = rf"({NAME}(?: {NAME}){{0,3}})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?\s*(?:%|s|ms|it/s)?"
MEASURE = re.compile(MEASURED)
"""A name and its number; of `epoch 3/100` the first."""
REMARKED = re.compile(rf"{MEASURED}(?:\s*[(\[*!<#]|\s+(?![kmbg]\b)[^\W\d]).*", re.IGNORECASE)
"""The same before words, `return 3.5 (new best)`, which are no unit of thousands (`step 5 k`)."""
LAST_WORD = re.compile(rf"(?:^|.*[\s\]])({NAME})(?:\s*[:=]\s*|\s+)({NUMBER})(?:/\d+)?")
"""The same behind a clock or the level of a logger."""
CLOCK = re.compile(
    r"\s*\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\]?\s*|\s*\[?(?:INFO|DEBUG)\]?:?\s+",
    re.IGNORECASE,
)
SPLIT = re.compile(
    r"\s*\[?(train|eval)\]?:?\s+(?:\|\s*)?|\s*\[?(test|val|valid|validation)(?:\]:?|:|\s*\|)\s*", re.IGNORECASE
)
"""The kind of data that a line is of, before its first name."""
PAIR = re.compile(r"(?<!\S)([^\W\d][\w./-]{0,60})=([^\s,;]{1,200})[,;]?(?!\S)")
"""A key and its value between blanks, `return=1.5`."""
KEYED = rf"{NAME}\s?[:=]\s*[^\s,;|:=]+"
DESCRIBED = re.compile(rf"(?:[#*>-]+\s*)?{KEYED}(?:[\s,;|]+{KEYED})*")
"""A line of nothing but keys and values: `env: Pong  algo: ppo  seed: 0`."""
KEY_AND_VALUE = re.compile(rf"({NAME})\s?[:=]\s*([^\s,;|:=]+)")

LEVELS = vocabulary("info debug warning warn error critical")
"""Levels of loggers, before a remark."""


class Logged(NamedTuple):
    """The rows of a log, the names of their columns first, the number of the line of each, the lines that are neither rows nor describe the
    run, and those of them that seem to be evaluations."""

    rows: list[list[str]]
    at: list[int]
    rest: list[str]
    unread: list[str]


class LogLine(NamedTuple):
    """The names and the values of a line, whether it holds nothing else behind its first, and the kind of data that it says it is of."""

    pairs: dict[str, str]
    bare: bool
    split: str


def logged(lines: Sequence[str]) -> Logged | None:
    """Return the evaluations of the run that a log is of, with what lines of keys and values say of it; None of another text, and of one that
    describes several runs.

    A line with the names of the others and more words is an evaluation too: `(new best)` stands where a score is high.

    >>> logged(["env: Pong  algo: ppo", "epoch 1 | return 2", "epoch 2 | return 3 (best)", "finished"]).rows
    [['env', 'algo', 'epoch', 'return'], ['Pong', 'ppo', '1', '2'], ['Pong', 'ppo', '2', '3']]
    >>> logged(["step=1 return=2", "WARNING: slow", "step=2 return=3 best=True"]).rows
    [['step', 'return'], ['1', '2'], ['2', '3']]
    """
    own = [_line(line) for line in lines]
    names = _names_of(own)
    if names is None:
        return None
    # Only a line with all names is an evaluation.
    at = [i for i, line in enumerate(own) if line.pairs.keys() >= {*names}]
    rows = [[own[i].pairs[name] for name in names] for i in at]
    others = [line for i, line in enumerate(lines) if line.strip() and i not in {*at}]
    described = _described(others)
    if len(rows) < 2 or not _of_one_run(names, rows) or described is None:
        return None
    # What a script says of its settings stands above its evaluations: `checkpoint=7.pt` below one is no setting.
    settings = _described([line for line in lines[: at[0]] if line in others]) or {}
    beside = {
        key: value
        for key, value in described.items()
        if key not in names and _describes(key) and (key in settings or any(candidates([key], role) for role in NAMED))
    }
    splits = [[own[i].split] for i in at] if len({own[i].split for i in at}) > 1 else [[] for _ in at]
    body = [[*beside.values(), *split, *row] for split, row in zip(splits, rows, strict=True)]
    rest = [line for line in others if not DESCRIBED.fullmatch(line.strip())]
    head = [*beside, *(["split"] if splits[0] else []), *names]
    return Logged([head, *body], [i + 1 for i in at], rest, [line for line in rest if _seems_one(line, names)])


def _names_of(lines: Sequence[LogLine]) -> list[str] | None:
    """Return the names of a step and of one score that all lines of evaluations have; None if there are none, or lines of two kinds."""
    evaluations = [
        line for line in lines if plays(list(line.pairs), "score", {}) and plays(list(line.pairs), "step", {})
    ]
    # A sentence with two numbers is a line of another kind only where no line holds numbers alone.
    bare = [line for line in evaluations if line.bare] or evaluations
    kinds = sorted({tuple(line.pairs) for line in bare}, key=len)
    alone = {tuple(candidates(list(names), role)) for names in kinds for role in ("score", "step")}
    if len(alone) != 2 or any(len(names) != 1 for names in alone) or any({*kinds[0]} - {*names} for names in kinds):
        return None
    return list(kinds[0])


def _of_one_run(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether no column that names runs varies."""
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    named = [name for role in NAMED for name in candidates(list(names), role)]
    return all(len({*columns[name]}) == 1 for name in named)


def _seems_one(line: str, names: Sequence[str]) -> bool:
    """Return whether a line has a number and the names of a step and a score, so that it may be an evaluation."""
    wanted = [name for role in ("score", "step") for name in candidates(list(names), role)]
    return any(map(str.isdigit, line)) and all(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line[:LONGEST]) for name in wanted
    )


def _line(line: str) -> LogLine:
    """Return the names and the numbers of a line that begins with one and holds two or more; none of another line."""
    if len(line) > LONGEST:
        return LogLine({}, bare=False, split="")
    split, text = _parted(line)
    pairs, bare = _pairs_between_blanks(text) or _between_bars(text)
    return LogLine(pairs, bare=bare, split=split)


def split_of(line: str) -> str:
    """Return the kind of data that a line says it is of; "" if it says none.

    >>> split_of("[INFO] eval | step 5 | return 2"), split_of("val: loss 2"), split_of("step 5 | eval_return 2")
    ('eval', 'validation', '')
    """
    return _parted(line[:LONGEST])[0]


def _parted(line: str) -> tuple[str, str]:
    """Return the kind of data of a line, and what stands behind it, the clock and the level of the logger."""
    text = line
    for _ in range(2):  # a date, then the level of a logger
        text = text[match.end() :] if (match := CLOCK.match(text)) else text
    part = SPLIT.match(text)
    if part is None:
        return "", text
    word = (part[1] or part[2]).casefold()
    return "validation" if word.startswith("val") else word, text[part.end() :]


def _pairs_between_blanks(text: str) -> tuple[dict[str, str], bool] | None:
    """Return the pairs of `step=1 return=2`, and whether nothing stands behind them; None of a line with bars or commas, or of one pair."""
    texts = [] if re.search(r"[|;]|,\s", text) else list(PAIR.finditer(text))
    pairs = {match[1]: match[2] for match in texts}
    return (pairs, not text[texts[-1].end() :].strip()) if len(pairs) == len(texts) > 1 else None


def _between_bars(text: str) -> tuple[dict[str, str], bool]:
    """Return the names and the numbers between bars or commas, and whether there is nothing else behind the first; none if one stands twice."""
    first, *others = [part for part in re.split(r"\s*[|,;]\s*", text.strip(" \t|,;")) if part] or [""]
    begins = MEASURE.fullmatch(first) or LAST_WORD.fullmatch(first) or REMARKED.fullmatch(first)
    # Lines of a table, of which there are many, begin with no name and number; of `return 1,234` the score is not 1.
    if not begins or any(re.match(r"[-+.]?\d", part) for part in others):
        return {}, False
    alone = list(map(MEASURE.fullmatch, others))
    matches = [begins, *(match or REMARKED.fullmatch(part) for match, part in zip(alone, others, strict=True))]
    pairs = {match[1]: match[2] for match in matches if match}
    whole = all(alone) and begins.re is not REMARKED
    return (pairs, whole) if len(pairs) == sum(map(bool, matches)) > 1 else ({}, False)


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
    others = kind(key) in ("episode", "time", "statistic") or canonical(key) in {*KINDS_OF_DATA, *LEVELS}
    return not others and not any(plays([key], role, {}) for role in ("score", "step"))
