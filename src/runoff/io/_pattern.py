"""A pattern of paths: '{algorithm}/{task}_s{run}' says what the names of folders and files are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runoff.errors import OptionError, nearest
from runoff.words.speech import option

FIELDS = ("algorithm", "task", "run")


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the expression of a pattern; it is to match the end of a path without its suffix, from the beginning of a name.

    Raises
    ------
    OptionError
        A field that there is not, a field twice, or an unclosed brace.
    """
    parts = re.split(r"(\{[^{}]*\}|\*\*/|\*)", pattern.strip("/"))
    found: list[str] = []
    for part in parts:
        found.append(_expression(part, pattern))
    fields = [part[1:-1] for part in parts if part.startswith("{")]
    if not fields:
        raise OptionError(
            f"{option('pattern', pattern)} names nothing; it looks like '{{algorithm}}/{{task}}_s{{run}}'."
        )
    twice = next((field for i, field in enumerate(fields) if field in fields[:i]), None)
    if twice is not None:
        raise OptionError(f"{option('pattern', pattern)} has {{{twice}}} twice; each part of a path has one meaning.")
    return re.compile(rf"(?:.*/)?{''.join(found)}")


def _expression(part: str, pattern: str) -> str:
    if part.startswith("{") and part.endswith("}"):
        field = part[1:-1]
        if field not in FIELDS:
            raise OptionError(
                f"{option('pattern', pattern)}: the fields are {{algorithm}}, {{task}} and {{run}}, not {part}.{nearest(field, FIELDS)}"
            )
        return rf"(?P<{field}>[^/]+?)"
    if part == "**/":
        return "(?:.*/)?"
    if part == "*":
        return "[^/]*?"
    if "{" in part or "}" in part:
        raise OptionError(f"{option('pattern', pattern)}: a brace is not closed; fields look like {{algorithm}}.")
    return re.escape(part)


def matched(expression: re.Pattern[str], path: str) -> Mapping[str, str] | None:
    """Return the fields of a path ("PPO/Hopper_s3"), None if the pattern does not fit.

    >>> matched(compiled("{algorithm}/{task}_s{run}"), "runs/PPO/Hopper_s3")
    {'algorithm': 'PPO', 'task': 'Hopper', 'run': '3'}
    """
    found = expression.fullmatch(path)
    return None if found is None else found.groupdict()
