"""The patterns of paths: what a pattern says of one path, and of all together, for marks stand within names as well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from types import MappingProxyType

from runoff.base.grouping import distinct
from runoff.errors import OptionError, nearest
from runoff.reading._known import beyond_noise, is_algorithm, is_task
from runoff.tables.columns import NAMED
from runoff.words.patterns import regex
from runoff.words.speech import option

DOT = "__DOT__"
"""The replacement of the dot in `{config.lr}` in the name of a group, which must be a Python name."""


def compiled(pattern: str, configured: Mapping[str, str] = MappingProxyType({})) -> re.Pattern[str]:
    """Return the expression of a pattern, for the end of a path without suffix; refuse an unknown or repeated field, and an unclosed brace.
    configured: names that fields stand for, {role: name}."""
    parts = [part for part in re.split(r"(\{[^{}]*\}|\*\*/|\*)", pattern.strip("/")) if part]
    expressions = [
        f"(?P<{part[1:-1]}>{re.escape(configured[part[1:-1]])})"
        if part[1:-1] in configured
        else _expression(part, pattern)
        for part in parts
    ]
    # Before what may be anything a name ends at a mark: `{task}*` of `balance_mlp` is `balance`, not `b`.
    for i, (part, following) in enumerate(pairwise(parts)):
        expressions[i] += r"(?![^\W_])" if part.startswith("{") and following == "*" else ""
    fields = [part[1:-1] for part in parts if part.startswith("{")]
    if not fields:
        message = f"{option('pattern', pattern)} has no field; a pattern looks like '{{algorithm}}/{{task}}_s{{run}}'."
        raise OptionError(message)
    twice = next((field for i, field in enumerate(fields) if field in fields[:i]), None)
    if twice is not None:
        raise OptionError(f"{option('pattern', pattern)} has {{{twice}}} twice; each field may stand only once.")
    return re.compile(rf"(?:.*/)?{''.join(expressions)}")


def _expression(part: str, pattern: str) -> str:
    if part.startswith("{") and part.endswith("}"):
        field = part[1:-1]
        if field not in NAMED and not re.fullmatch(r"config(\.[A-Za-z_]\w*)?", field):
            message = (
                f"{option('pattern', pattern)}: the fields are {{algorithm}}, {{task}}, {{run}} and, for a setting, {{config.lr}}, not "
                f"{part}.{nearest(field, NAMED)}"
            )
            raise OptionError(message)
        # Not greedy: `{algorithm}_{task}` parts a name at its first mark, and a name of the task may hold more.
        return rf"(?P<{field.replace('.', DOT)}>[^/]+?)"
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
    match = expression.fullmatch(path)
    return None if match is None else {name.replace(DOT, "."): value for name, value in match.groupdict().items()}


# ── all paths together ──────────

FIELDS = regex(r"(\{[^{}]*\}|\*)")
VERSION = regex(r"v\d")
NAMES = ("{algorithm}", "{task}")
MOST_WAYS = 512
"""The largest number of ways to part one name that are looked at."""


def matched_together(pattern: str, paths: Sequence[str]) -> list[Mapping[str, str] | None]:
    """Return the fields of paths, None of one that the pattern does not fit: names with several fields are parted as those of all paths
    suggest.

    >>> matched_together("{algorithm}_{task}", ["x/dr_grpo_door", "x/dr_grpo_lift", "x/grpo_door", "x/grpo_lift"])[0]
    {'algorithm': 'dr_grpo', 'task': 'door'}
    """
    expression = compiled(pattern)
    fields = [matched(expression, path) for path in paths]
    levels = pattern.strip("/").split("/")
    for back, template in enumerate(reversed(levels), start=1):
        if "**" in pattern or len(FIELDS.findall(template)) < 2:
            continue
        fitting = [i for i, own in enumerate(fields) if own is not None]
        parted = parted_names(template, [paths[i].split("/")[-back] for i in fitting])
        for i, own in zip(fitting, parted, strict=True):
            fields[i] = {**(fields[i] or {}), **own} if own else fields[i]
    return fields


Way = tuple[dict[str, str], int]
"""The fields of a name, and how many of them are dates, or names that are numbers, and wildcards none of these."""


def parted_names(template: str, names: Sequence[str]) -> list[Mapping[str, str] | None]:
    """Return the fields of the names at one level, None of a name that the template does not fit. Of several ways to part a name that counts
    whose fields stand in most others, so that names which are a grid are parted as one, and then that with the shortest first field."""
    pieces = [piece for piece in FIELDS.split(template) if piece]
    ways = {name: _likeliest(list(islice(_ways(pieces, name), MOST_WAYS))) for name in dict.fromkeys(names)}
    within = distinct((field, name) for name, own in ways.items() for way in own for field in way.items())

    def shared(way: Mapping[str, str]) -> tuple[list[int], int]:
        # Of `Hopper-v4-ppo` as many names share `Hopper` as `Hopper-v4`, and no algorithm begins with a version.
        algorithm = way.get("algorithm", "")
        sure = is_algorithm(algorithm) + is_task(way.get("task", "")) - (VERSION.match(algorithm) is not None)
        return sorted(len(within[field]) for field in way.items()), sure

    best = {name: max(own, key=shared, default=None) for name, own in ways.items()}
    return [best[name] for name in names]


def _likeliest(ways: Sequence[Way]) -> list[dict[str, str]]:
    least = min((strange for _, strange in ways), default=0)
    return [way for way, strange in ways if strange == least]


def _ways(pieces: Sequence[str], text: str) -> Iterator[Way]:
    """Yield the ways to part a text, those with short fields first; a field before `*` ends with a word."""
    if not pieces:
        yield from () if text else (({}, 0),)
    elif not FIELDS.fullmatch(pieces[0]):
        yield from _ways(pieces[1:], text[len(pieces[0]) :]) if text.startswith(pieces[0]) else ()
    else:
        wild, rest = pieces[0] == "*", pieces[1:]
        for end in range(0 if wild else 1, len(text) + 1) if rest else [len(text)]:
            word = not wild and rest[:1] == ["*"] and text[end - 1 : end].isalnum() and text[end : end + 1].isalnum()
            for way, strange in () if word or not (text or wild) else _ways(rest, text[end:]):
                own = {} if wild else {pieces[0][1:-1]: text[:end]}
                named = beyond_noise(text[:end]) != "" and not (text[:end].isdecimal() and pieces[0] in NAMES)
                yield {**own, **way}, strange + (wild == named)
