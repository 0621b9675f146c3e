"""Lines of the logs of several files in one text, with the paths of these."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from runoff.reading._configured import CALL
from runoff.reading._known import names_setting
from runoff.reading.formats.base import LOG, PROGRESS
from runoff.reading.formats.described import is_described, without
from runoff.reading.formats.log_lines import LONGEST, MEASURE, line_of
from runoff.reading.formats.logged import Logged, log_in
from runoff.tables.columns import ROLES, roles_of
from runoff.tables.likely import plays
from runoff.tables.values import parsed
from runoff.words.patterns import regex
from runoff.words.words import kind

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
    whole = [
        (path, start, log)
        for path, start, log in logs
        if log and not (log.unread or log.doubts or log.refusal or log.evaluated)
    ]
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


# ── each below the command that printed it ──────────

COMMAND = regex(
    rf"\s{{0,9}}(?:\S{{1,200}} ){{0,4}}?(?:{CALL}|(?:run|bash|sh|source) (?:-\w+ ){{0,4}}?\S{{1,400}}\.(?:py|sh))(?: .*)?"
    r"|(?:\S{1,200} ){0,4}?\./\S{1,400}\.(?:sh|py)(?: .*)?|[^(]{0,60}?\bNamespace\(.*"
)
"""A script that was called at a console, or by another: `$ python train.py --algo ppo`, `+ bash run.sh`; or its arguments."""
LogRow = dict[str, str]


def commands_in(lines: Sequence[str], suffix: str) -> Logged | None:
    """Return the rows of the logs below several commands, with what the arguments of each name; None of a text with fewer than two. Commands
    whose arguments do not name the run are refused.

    >>> text = ["python a.py --algo ppo --seed 1", "step=1 return=2", "step=2 return=3", "python a.py --algo ppo --seed 2", "step=1 return=4"]
    >>> commands_in(text, ".log").rows
    [['algo', 'seed', 'step', 'return'], ['ppo', '1', '1', '2'], ['ppo', '1', '2', '3'], ['ppo', '2', '1', '4']]
    """
    starts = [at for at, line in enumerate(lines) if COMMAND.fullmatch(line[:LONGEST])]
    if len({lines[at].strip() for at in starts}) < 2:
        return None
    parts = [(at, log_in(lines[at:end], suffix)) for at, end in pairwise([*starts, len(lines)])]
    logs = [(at, log) for at, log in parts if log]
    if len(logs) < 2:
        return None
    evaluated = [(at, log.evaluated) for at, log in logs if log.evaluated]
    joined = _joined(lines, logs)
    if len({bool(log.evaluated) for _, log in logs}) > 1:
        return joined._replace(
            refusal=_unlike(lines, evaluated[0][0], "only one of them printed evaluations without steps")
        )
    return joined._replace(evaluated=_joined(lines, evaluated)) if evaluated else joined


def _joined(lines: Sequence[str], logs: Sequence[tuple[int, Logged]]) -> Logged:
    """Return the rows of logs below commands, which stand at some places, with the names that all have."""
    names = [name for name in logs[0][1].rows[0] if all(name in log.rows[0] for _, log in logs)]
    rows = [[dict(zip(log.rows[0], row, strict=True)) for row in log.rows[1:]] for _, log in logs]
    refusal = next((log.refusal for _, log in logs if log.refusal), "") or _refusal(lines, logs, rows)
    if refusal:
        return logs[0][1]._replace(refusal=refusal)
    before = [line for line in without(lines[: logs[0][0]], []) if not is_described(line)]
    return Logged(
        [names, *([row[name] for name in names] for own in rows for row in own)],
        [at + own for at, log in logs for own in log.at],
        [*before, *(line for _, log in logs for line in log.rest)],
        [line for _, log in logs for line in log.unread],
        tuple(doubt for _, log in logs for doubt in log.doubts),
    )


def _refusal(lines: Sequence[str], logs: Sequence[tuple[int, Logged]], rows: Sequence[Sequence[LogRow]]) -> str:
    """Return why the logs below several commands are not those of runs that their arguments name; "" if they are, or go on with one run."""
    roles = [{name for name in log.rows[0] if roles_of(name, ROLES)} for _, log in logs]
    for i, (at, _) in enumerate(logs):
        if roles[i] != roles[0]:
            return _unlike(lines, at, "what each printed has other names")
        own = [row[0] for row in rows[: i + 1]]
        common = {name for name in own[0] if all(name in row for row in own)}
        j = next((j for j in reversed(range(i)) if _called(own[j], common) == _called(own[i], common)), i)
        alike = _called(own[j], own[j]) == _called(own[i], own[i])
        if j < i and lines[at] != lines[logs[j][0]] and not (alike and _goes_on(rows[j][-1], own[i])):
            return _unlike(lines, at, "nothing says which runs they are of")
    return ""


def _unlike(lines: Sequence[str], at: int, why: str) -> str:
    own = lines[at].strip()[:60]
    return f"line {at + 1}: this text is of several commands, this one {own!r}, and {why}; save what each printed as a file of its own"


def _called(row: LogRow, names: Collection[str]) -> LogRow:
    """Return what a row says of its run, by some of its names: those of roles and of settings."""
    return {name: own for name, own in row.items() if name in names and (roles_of(name) or names_setting(name))}


def _goes_on(before: LogRow, row: LogRow) -> bool:
    """Return whether the steps of a row lie behind those of one before it, and arguments name its run."""
    steps = [(parsed(before[name]), parsed(row[name])) for name in row if name in before and kind(name) in PROGRESS]
    return bool(_called(row, row)) and bool(steps) and all(a is not None and b is not None and a < b for a, b in steps)


def log_of(lines: Sequence[str], suffix: str = "") -> Logged | None:
    """Return the rows of a log, or of those of several files; None of another text."""
    return tails_in(lines) or grepped_in(lines) or commands_in(lines, suffix) or log_in(lines, suffix)
