"""What the user says of names, which wins over all else: a pattern of paths ('{algorithm}/{task}_s{run}'), or for training logs a TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from runoff.errors import DataError, OptionError, nearest
from runoff.words.speech import option

FIELDS = ("algorithm", "task", "run")


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the expression of a pattern; it is to match the end of a path without its suffix, from the beginning of a name.

    A field that does not exist or comes twice is refused, and an unclosed brace.
    """
    parts = re.split(r"(\{[^{}]*\}|\*\*/|\*)", pattern.strip("/"))
    expressions = [_expression(part, pattern) for part in parts]
    fields = [part[1:-1] for part in parts if part.startswith("{")]
    if not fields:
        message = f"{option('pattern', pattern)} names nothing; it looks like '{{algorithm}}/{{task}}_s{{run}}'."
        raise OptionError(message)
    twice = next((field for i, field in enumerate(fields) if field in fields[:i]), None)
    if twice is not None:
        raise OptionError(f"{option('pattern', pattern)} has {{{twice}}} twice; each part of a path has one meaning.")
    return re.compile(rf"(?:.*/)?{''.join(expressions)}")


def _expression(part: str, pattern: str) -> str:
    if part.startswith("{") and part.endswith("}"):
        field = part[1:-1]
        if field not in FIELDS:
            message = f"{option('pattern', pattern)}: the fields are {{algorithm}}, {{task}} and {{run}}, not {part}.{nearest(field, FIELDS)}"
            raise OptionError(message)
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
    match = expression.fullmatch(path)
    return None if match is None else match.groupdict()


# ── patterns and TOML files of training logs ──────────


KEYS = ("pattern", "leave_out", "runs", "algorithm", "task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """What a user said: a pattern, names by glob of paths, other names for names, and globs of paths to leave out."""

    pattern: str | None = None
    runs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    leave_out: tuple[str, ...] = ()

    def names(self, path: str) -> dict[str, str]:
        """Return the names that the user gives to the run at a path (relative to the root, with slashes).

        A path that the pattern does not fit is refused.
        """
        names_given = {} if self.pattern is None else _fitted(self.pattern, path)
        for glob, names in self.runs.items():
            if _fits(path, glob):
                names_given |= names
        return names_given

    def leaves_out(self, path: str) -> bool:
        """Return whether the user leaves out the run at a path."""
        return any(_fits(path, glob) for glob in self.leave_out)

    def refuse_unused(self, paths: Sequence[str]) -> None:
        """Refuse a glob that fits no path of a run."""
        for key, globs in (("leave_out", self.leave_out), ("runs", tuple(self.runs))):
            unused = next((glob for glob in globs if not any(_fits(path, glob) for path in paths)), None)
            if unused is not None:
                raise OptionError(f"{key}: no run lies at {unused!r}; the paths of runs look like {paths[0]!r}.")

    def refuse_unknown(self, names: Mapping[str, Collection[str]]) -> None:
        """Refuse another name for what no run is called."""
        for role, others in self.renamed.items():
            unknown = next((name for name in others if name not in names[role]), None)
            if unknown is not None:
                raise OptionError(f"[{role}]: no run has the {role} {unknown!r}.{nearest(unknown, names[role])}")


def _fits(path: str, glob: str) -> bool:
    pieces = path.split("/")
    above = ("/".join(pieces[:end]) for end in range(len(pieces), 0, -1))
    return any(fnmatchcase(place, glob) or fnmatchcase(place, f"*/{glob}") for place in above)


def mapping(pattern: str | Path | None) -> Mapped:
    """Return what a pattern says, or the TOML file that it names.

    A pattern is a path with {algorithm}, {task}, {run} and * for what changes: `{algorithm}/{task}_s{run}`. It fits the last folders of a
    path, or those before them. A TOML file has `pattern`, `leave_out` (a list of globs), [runs."GLOB"] tables with algorithm, task and run,
    and tables [algorithm] and [task] of other names.
    """
    if pattern is None:
        return Mapped()
    if str(pattern).casefold().endswith(".toml"):
        return _of_file(Path(pattern))
    compiled(str(pattern))
    return Mapped(pattern=str(pattern))


def _fitted(pattern: str, path: str) -> dict[str, str]:
    expression, pieces = compiled(pattern), path.split("/")
    for end in range(len(pieces), 0, -1):
        fields = matched(expression, "/".join(pieces[:end]))
        if fields is not None:
            return {role: name for role, name in fields.items() if name}
    message = f"{path[:200]}: {option('pattern', pattern)} does not fit this path; use * for what may be anything, or a TOML file."
    raise DataError(message)


def _of_file(path: Path) -> Mapped:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: this TOML file cannot be read: {error}.") from error
    unknown = [key for key in content if key not in KEYS]
    if unknown:
        what = f"{path}: the key {unknown[0]!r} is not known; there are {', '.join(KEYS)}.{nearest(unknown[0], KEYS)}"
        raise DataError(what)
    pattern = content.get("pattern")
    if pattern is not None:
        compiled(str(pattern))
    runs = {}
    for glob, names in _table(path, content, "runs").items():
        if not isinstance(names, dict) or not set(names) <= set(FIELDS):
            raise DataError(f"{path}: runs.{glob!r} must be a table of algorithm, task and run, not {names!r}.")
        runs[glob] = _texts(path, glob, names)
    renamed = {role: _texts(path, role, _table(path, content, role)) for role in ("algorithm", "task")}
    globs = content.get("leave_out", [])
    if not isinstance(globs, list) or not all(isinstance(glob, str) for glob in globs):
        raise DataError(f"{path}: leave_out must be a list of globs, not {globs!r}.")
    return Mapped(pattern=pattern and str(pattern), runs=runs, renamed=renamed, leave_out=tuple(globs))


def _table(path: Path, content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = content.get(key, {})
    if not isinstance(table, dict):
        raise DataError(f"{path}: {key} must be a table, not {table!r}.")
    return table


def _texts(path: Path, where: str, table: Mapping[str, Any]) -> dict[str, str]:
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise DataError(f"{path}: {where}.{key} must be a name, not {value!r}.")
    return {key: str(value).strip() for key, value in table.items()}
