"""Lists of the scores of runs in texts: a name at the beginning of each line, below titles, beside remarks."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Any

from runoff.reading._known import meaning_of, names_setting
from runoff.tables.columns import NAMED, roles_of
from runoff.tables.progress import SEEDS
from runoff.tables.values import parsed
from runoff.words.columns import RUN_WORDS, names_runs
from runoff.words.labels import is_summary, says_means
from runoff.words.patterns import regex
from runoff.words.words import kind, words

DASHES = regex(r"\s*(?:[-=]{2,}(?:\s+[-=]{2,})*|_{2,}(?:\s+_{2,})*)\s*")
"""The rule of a table with columns separated by blanks."""
HEADING = regex(r"(?:#{1,6}\s+|\*+\s+|#\+(?:caption|name):\s*|\*\*)(\S.*?)(?:\s*#+|\*\*:?)?\s*", re.IGNORECASE)
LONGEST_TITLE = 4
"""The number of words of a separate line that may be the title of a table."""
NUMBERS = r"[-+]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,9})?%?"
# Every part is bounded or ends where the next begins: a line of a megabyte must not be tried in all ways.
LISTED = regex(
    r"(?:[-*]\s{1,9})?([^:=\t]{1,500})[:=\t]\s{0,99}[\[({]?\s{0,99}"
    rf"({NUMBERS}(?:(?:\s*[,;|]\s*|\s+/\s+|\s+){NUMBERS})*)\s*[\])}}]?,?\s*(\([^()]{{1,200}}\))?\s*"
)
"""A name followed by scores: `PPO Hopper: 1.5 2.5`, and a remark in parentheses."""
SLASHED = regex(rf"{NUMBERS}\s+/\s+{NUMBERS}")
LETTER = regex(r"[^\W\d_]")


OF_RUN = regex(rf"(?:s|seed|run)[ _]?(\d{{1,5}})\s?[=:]\s?({NUMBERS})", re.IGNORECASE)
OF_RUNS = regex(rf"([^:=\t]{{1,500}})[:=\t]\s{{0,99}}((?:{OF_RUN.pattern}(?:\s?[,;|])?\s{{0,9}})+)", re.IGNORECASE)
"""A name followed by runs and their scores: `PPO: s0=1.5, s1=2.5`."""


def list_in(line: str) -> tuple[str, list[str] | dict[str, str]] | None:
    """Return the name at the beginning of a line and the scores behind it, by their runs where it names these; None of another line."""
    line = line.strip()
    if match := OF_RUNS.fullmatch(line):
        pairs = OF_RUN.findall(match[2])
        return (match[1].strip(), dict(pairs)) if len(dict(pairs)) == len(pairs) > 1 else None
    match = LISTED.fullmatch(line)
    # `810 12 (mean, std)` are no runs, and `17 / 20` is a share.
    if (
        not match
        or not LETTER.search(match[1])
        or any(map(is_summary, words(match[3] or "")))
        or match[2].count("/") == 1
    ):
        return None
    return match[1].strip(), re.split(r"\s*[,;|]\s*|\s+/\s+|\s+", match[2])


def remark_of(line: str) -> str:
    """Return what stands in parentheses behind the scores of a line."""
    match = LISTED.fullmatch(line.strip()) if list_in(line) else None
    return match[3] or "" if match else ""


def lists_of(lines: Sequence[str]) -> dict[str, Any] | None:
    """Return the scores after the names of lines, with the titles above them; None for a text with other lines, or without lists.

    Lines of words that empty lines part from those of scores are remarks.
    """
    lines = whole_lists(lines)
    every, lines = lines, _without_remarks_beside_lists(lines)
    content: dict[str, Any] = {}
    own, title, n_lists = content, "", 0
    for line in lines:
        if listed_scores := list_in(line):
            name, scores = listed_scores
            if title:
                own = content.setdefault(title, {})
            if name in own or not isinstance(own, dict):
                return None
            own[name] = scores
            n_lists += len(scores) > 1
            title = ""
        elif line.strip() and not DASHES.fullmatch(line):
            title = title_of_list(line)
            if not title:
                return None
    # One title above all lines is that of the file, unless it is known as what they are of.
    if len(content) == 1 and meaning_of(content) is None:
        content = own
    return (
        content
        if n_lists > 1 and not (any(map(SLASHED.search, lines)) and not _speak_of_runs(every, content))
        else None
    )


OPEN_LIST = regex(r"[^\[\]]*\[[-+\d\s.,eE]*")
"""A list that goes on in the next line, as NumPy prints long ones."""


def whole_lists(lines: Sequence[str]) -> list[str]:
    """Return lines with lists that go on in the next ones in a line each.

    >>> whole_lists(["PPO: [1.5 2.5", " 3.5]", "SAC: [4.5 5.5 6.5]"])
    ['PPO: [1.5 2.5 3.5]', 'SAC: [4.5 5.5 6.5]']
    """
    whole: list[str] = []
    for line in lines:
        if whole and OPEN_LIST.fullmatch(whole[-1]):
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line)
    return whole


def _speak_of_runs(lines: Sequence[str], titles: Container[str]) -> bool:
    """Return whether a line beside the scores has a word for seeds, or for runs beside their number; numbers between slashes may be of several
    measures where none has."""
    beside = (line for line in lines if not list_in(line) and title_of(line) not in titles)
    return any(
        word.removesuffix("s") in SEEDS
        or (word.removesuffix("s") in RUN_WORDS and (before.isdigit() or after.isdigit()))
        for line in beside
        for before, word, after in zip(("", *words(line)), words(line), (*words(line)[1:], ""), strict=False)
    )


def _without_remarks_beside_lists(lines: Sequence[str]) -> list[str]:
    """Return the lines of the only block of scores, or of several with a title each, if all lines in them are lists of as many numbers, and the
    other blocks hold words."""
    blocks = _blocks_of(lines)
    lists = [block for block in blocks if any(map(list_in, block))]
    others = [line for block in blocks if block not in lists for line in block]
    rows = (line for line in others if not line.startswith("# "))  # `# Week 19`
    if not lists or not others or any(may_be_a_row(line) or OF_RUN.search(line) for line in rows):
        return list(lines)
    titled = len(lists) > 1
    scores = [list_in(line) for block in lists for line in block[titled:]]
    counts = {len(own[1]) for own in scores if own}
    # `seeds: 0, 1, 2` and `lr: 0.1, 0.2, 0.3` of a remark are no scores.
    about = any(
        kind(name) or names_setting(name) or names_runs(name.removesuffix("s")) for name, _ in filter(None, scores)
    )
    whole = all(scores) and len(scores) > 1 and len(counts) == 1 and not about
    return [line for block in lists for line in [*block, ""]] if whole else list(lines)


def places_of_blocks(lines: Sequence[str]) -> list[range]:
    """Return the places of the lines between empty ones."""
    edges = [-1, *(at for at, line in enumerate(lines) if not line.strip()), len(lines)]
    return [range(before + 1, after) for before, after in pairwise(edges) if after > before + 1]


def _blocks_of(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines between empty ones, with a heading alone above the scores below it."""
    blocks: list[list[str]] = []
    for block in ([lines[at] for at in places] for places in places_of_blocks(lines)):
        headed = bool(blocks) and len(blocks[-1]) == 1 and HEADING.fullmatch(blocks[-1][0]) and any(map(list_in, block))
        blocks += [[*blocks.pop(), *block] if headed else block]
    return blocks


NUMBERED = regex(r"\b(?:seeds?|runs?):? \d{1,5}(?: ?(?:to|and|-|\u2013|,) ?\d{1,5})+\.?$")


def may_be_a_row(line: str) -> bool:
    """Return whether a line beside scores ends with a number, as a row of scores does, and must not be left out; `seeds 0 to 4` are none."""
    return (
        len(line.split()) > 1
        and (says_means(line) or not NUMBERED.search(line))
        and parsed(line.split()[-1].strip("[](){}|,;")) is not None
    )


def title_of(line: str) -> str:
    """Return the title that a line of text may be of the table below it: a heading, or a few words."""
    if match := HEADING.fullmatch(line):
        return match[1]
    return line.strip(" :") if 0 < len(line.split()) <= LONGEST_TITLE and not line.startswith("#+") else ""


def title_of_list(line: str) -> str:
    """Return the title that a line may be of the lists of scores below it, without the word for what it names (`Environment Pong`)."""
    title = title_of(line).strip("[]=* ")
    word, _, rest = title.partition(" ")
    return rest if rest and roles_of(word, NAMED[:2]) else title
