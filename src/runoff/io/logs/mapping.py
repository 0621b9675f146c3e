"""What the user says of runs that no rule can know: a pattern of paths, or a TOML file; it wins over all else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any

from runoff.errors import DataError, OptionError, nearest

ROLES = ("algorithm", "task", "run")
FIELD = re.compile(r"\{([^{}]*)\}|\*|[^{}*]+")
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

        Raises
        ------
        DataError
            The pattern does not fit it.
        """
        found = {} if self.pattern is None else _fitted(self.pattern, path)
        for glob, names in self.runs.items():
            if fnmatchcase(path, glob) or fnmatchcase(path, f"*/{glob}"):
                found |= names
        return found

    def leaves_out(self, path: str) -> bool:
        """Return whether the user leaves out the run at a path."""
        return any(fnmatchcase(path, glob) or fnmatchcase(path, f"{glob}/*") for glob in self.leave_out)


def mapping(pattern: str | Path | None) -> Mapped:
    """Return what a pattern says, or the TOML file that it names.

    A pattern is a path with {algorithm}, {task}, {run} and * for what changes: `{algorithm}/{task}_s{run}`. It fits the last folders of a
    path, or those before them. A TOML file has `pattern`, `leave_out` (a list of globs), [runs."GLOB"] tables with algorithm, task and run,
    and tables [algorithm] and [task] of other names.

    Raises
    ------
    OptionError
        The pattern has no field, or one that is not known.
    DataError
        The TOML file cannot be read.
    """
    if pattern is None:
        return Mapped()
    if str(pattern).casefold().endswith(".toml"):
        return _of_file(Path(pattern))
    _compiled(str(pattern))
    return Mapped(pattern=str(pattern))


def _fitted(pattern: str, path: str) -> dict[str, str]:
    expression = _compiled(pattern)
    pieces = path.split("/")
    n = pattern.count("/") + 1
    for end in range(len(pieces), n - 1, -1):
        found = expression.fullmatch("/".join(pieces[end - n : end]))
        if found:
            return {role: name for role, name in found.groupdict().items() if name}
    raise DataError(
        f"{path[:200]}: the pattern {pattern!r} does not fit this path; use * for what may be anything, or a TOML file."
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    fields = [name for name in re.findall(r"\{([^{}]*)\}", pattern) if name != "*"]
    for name in fields:
        if name not in ROLES:
            raise OptionError(
                f"pattern= knows {{algorithm}}, {{task}}, {{run}} and *, not {{{name}}}.{nearest(name, ROLES)}"
            )
    if not fields or len(set(fields)) < len(fields) or re.sub(r"\{[^{}]*\}", "", pattern).count("{"):
        raise OptionError(
            f"pattern= needs one or more of {{algorithm}}, {{task}} and {{run}}, each once, not {pattern!r}."
        )
    return re.compile("".join(_piece(match) for match in FIELD.finditer(pattern)))


def _piece(match: re.Match[str]) -> str:
    if match.group() == "*":
        return "[^/]*"
    return f"(?P<{match.group(1)}>[^/]+)" if match.group(1) else re.escape(match.group())


def _of_file(path: Path) -> Mapped:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: this TOML file cannot be read: {error}.") from error
    unknown = [key for key in content if key not in KEYS]
    if unknown:
        raise DataError(
            f"{path}: the key {unknown[0]!r} is not known; there are {', '.join(KEYS)}.{nearest(unknown[0], KEYS)}"
        )
    pattern = content.get("pattern")
    if pattern is not None:
        _compiled(str(pattern))
    runs = {glob: _names(path, glob, names) for glob, names in _table(path, content, "runs").items()}
    renamed = {role: _texts(path, role, _table(path, content, role)) for role in ("algorithm", "task")}
    globs = content.get("leave_out", [])
    if not isinstance(globs, list) or not all(isinstance(glob, str) for glob in globs):
        raise DataError(f"{path}: leave_out must be a list of globs, not {globs!r}.")
    return Mapped(
        pattern=None if pattern is None else str(pattern),
        runs=MappingProxyType(runs),
        renamed=MappingProxyType(renamed),
        leave_out=tuple(globs),
    )


def _table(path: Path, content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise DataError(f"{path}: {key} must be a table, not {found!r}.")
    return found


def _names(path: Path, glob: str, names: Any) -> dict[str, str]:
    if not isinstance(names, dict) or not set(names) <= set(ROLES):
        raise DataError(f"{path}: runs.{glob!r} must be a table of algorithm, task and run, not {names!r}.")
    return _texts(path, glob, names)


def _texts(path: Path, where: str, table: Mapping[str, Any]) -> dict[str, str]:
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise DataError(f"{path}: {where}.{key} must be a name, not {value!r}.")
    return {key: str(value).strip() for key, value in table.items()}
