"""Defaults of a project, in runoff's own TOML file or in pyproject.toml. An explicit option takes precedence, and every answer names the
defaults that applied.

The nearest file counts, from the folder of the runs upward, otherwise from the working folder upward; in the same folder, runoff's own file
takes precedence.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runoff.errors import OptionError, nearest

SETTINGS: Mapping[str, tuple[type, ...]] = {"normalize": (str,), "control": (str,), "alpha": (float, int)}
"""Key in a file -> the types of its value; the option has the same name."""
FILES = ("runoff.toml", "pyproject.toml")
"""The first is runoff's own file; in the second the table `[tool.runoff]` counts."""
NONE = "none"
"""The value of --normalize and --control that cancels a file's default."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The defaults in a file."""

    path: Path
    values: Mapping[str, Any]

    def __str__(self) -> str:
        return self.named(self.values)

    def named(self, values: Mapping[str, Any]) -> str:
        """Return the file and these options in words: "pyproject.toml: --alpha 0.01"."""
        options = ", ".join(f"--{name} {value}" for name, value in values.items())
        return f"{os.path.relpath(self.path)}: {options or 'no defaults'}"


def settings_near(paths: list[str]) -> Settings | None:
    """Return the defaults that apply to these runs, None if no file sets any."""
    there = [Path(path) for path in paths if os.path.exists(path)][:1]
    starts = [*(path if path.is_dir() else path.parent for path in there), Path()]
    folders = (folder for start in starts for folder in [start.resolve(), *start.resolve().parents])
    nearest_first = (settings for folder in folders for name in FILES if (settings := _read(folder / name)) is not None)
    return next(nearest_first, None)


def _read(path: Path) -> Settings | None:
    """Return the defaults in a file; None if it does not exist, or sets none for runoff."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    own = path.name == FILES[0]
    # A pyproject.toml of others may be anything: only one that names runoff has to be sound.
    if not own and "tool.runoff" not in text:
        return None
    place = os.path.relpath(path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{place}: this TOML file cannot be read: {error}.") from error
    values = content if own else content.get("tool", {}).get("runoff", {})
    for key, value in values.items():
        _check(place, key, value)
    reference = values.get("normalize", "")
    if reference and (path.parent / reference).is_file():  # as ruff has it: a path is of the folder of the file
        values = {**values, "normalize": os.path.relpath(path.parent / reference)}
    return Settings(path, values)


def _check(place: str, key: str, value: object) -> None:
    if key not in SETTINGS:
        raise OptionError(
            f"{place}: there is no setting {key!r}; known are {', '.join(SETTINGS)}.{nearest(key, SETTINGS)}"
        )
    if not isinstance(value, SETTINGS[key]) or isinstance(value, bool):
        kind = "a text" if SETTINGS[key] == (str,) else "a number"
        raise OptionError(f"{place}: {key} is {kind}, not {value!r}.")


# ── where a default means nothing ──────────


def _without_pilot(options: dict[str, Any]) -> bool:
    from runoff.cli.power import Question

    return not (options["next_runs"] or Question(more=options["more"], std=options["std"]).names_a_pilot)


def _saved_level(options: dict[str, Any]) -> bool:
    from runoff.data.baseline import read_baseline

    # What was named before the candidate was seen goes before what a file says today; a policy has a level of its own.
    if options["policy"] is not None:
        return True
    saved = read_baseline(options["path"][0]) if options["path"] else None
    return saved is not None and saved.alpha is not None


def _of_a_study(options: dict[str, Any]) -> bool:
    from runoff.cli.study import is_study

    return len(options["path"]) == 1 and is_study(options["path"][0])


def _beside_result(options: dict[str, Any]) -> bool:
    from runoff.methods.diff import result_at

    return any(result_at(path) is not None for path in options["path"])


UNLESS: Mapping[tuple[str, str], Callable[[dict[str, Any]], bool]] = {
    ("compare", "control"): lambda options: options["where"] is not None,
    ("plan", "control"): lambda options: not options["next_runs"],
    ("plan", "normalize"): _without_pilot,
    ("sequential", "alpha"): lambda options: options["path"][0].endswith(".toml") and not options["new"],
    ("sequential", "normalize"): lambda options: options["path"][0].endswith(".toml") and not options["path"][1:],
    ("check", "alpha"): _of_a_study,
    ("check", "normalize"): _of_a_study,
    ("gate", "alpha"): _saved_level,
    ("keep", "alpha"): lambda _options: True,  # a level of a whole search, which its ledger keeps
    ("diff", "normalize"): _beside_result,
}
"""Verb and option -> the calls in which the option is refused, or decided by something else, so that a default is left out."""


@dataclass(frozen=True, slots=True)
class Filled:
    """The options of a call with the defaults that apply to it; applied: a line on these; overruled: options that cancel a default."""

    options: dict[str, Any]
    applied: str = ""
    overruled: tuple[str, ...] = ()


def with_defaults(verb: str, options: dict[str, Any]) -> Filled:
    """Return the options of a call of a verb, completed by the defaults of a file."""
    names = [name for name in SETTINGS if name in options]
    settings = settings_near(list(paths_of(options))) if names else None
    values = {} if settings is None else {name: settings.values[name] for name in names if name in settings.values}
    # No reference has the name none; an algorithm may have it, unless a file says who is the control.
    left_out = [n for n in names if options[n] == NONE and (n == "normalize" or n in values)]
    options = options | dict.fromkeys(left_out)
    lacking = [name for name in values if options[name] is None and name not in left_out]
    refused = {name for of, name in UNLESS if of == verb and name in lacking and UNLESS[verb, name](options)}
    applied = {name: values[name] for name in lacking if name not in refused}
    overruled = tuple(word for name in left_out if name in values for word in (f"--{name}", NONE))
    if settings is None or not applied:
        return Filled(options, overruled=overruled)
    return Filled(options | applied, settings.named(applied), overruled)


def paths_of(options: dict[str, Any]) -> Iterator[str]:
    """Yield the names of files that a call reads."""
    for name in ("path", "more", "next_runs", "table"):
        value = options.get(name)
        yield from [value] if isinstance(value, str) else value or []
