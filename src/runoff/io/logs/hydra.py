"""Hydra: `.hydra` in the folder of a job (config, overrides, choices) names the run of whatever log lies inside, however deep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from runoff.errors import DataError
from runoff.io.logs.config import flat, read_config
from runoff.io.logs.naming import TASK_KEYS

HIDDEN = ".hydra"
FILES = ("overrides.yaml", "hydra.yaml")
OVERRIDE = re.compile(r"^\+{0,2}([\w./-]+)=(.*)$")
"""`key=value`, `+key=value`, `group/inner=choice`; a `~key` names nothing."""


def job(folder: Path, levels: int) -> Iterator[Path]:
    """Yield the nearest folder of a job: this one, or one at most `levels` above it; nothing where there is none."""
    places = (place for place in (folder, *folder.parents[:levels]) if (place / HIDDEN).is_dir())
    yield from islice(places, 1)


def chosen(folders: Iterable[Path], config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the choices of groups (`algo=ppo`) that a configuration spells out but does not name, and the files that cannot be read.

    The choice of a group of tasks is kept only if the configuration names no task: it may be the name of a suite.
    """
    found: dict[str, Any] = {}
    unread: list[str] = []
    for path in (folder / HIDDEN / name for folder in dict.fromkeys(folders) for name in FILES):
        if path.is_file():
            try:
                found = {**dict(_said(read_config(path))), **found}
            except DataError as refusal:
                unread.append(str(refusal))
    tasks = any(_last(name) in (*TASK_KEYS, "id", "name") for name in config)
    kept = {key: value for key, value in found.items() if key not in config and not (tasks and _last(key) in TASK_KEYS)}
    return kept, unread


def _last(name: str) -> str:
    return name.rpartition(".")[2].casefold()


def _said(content: Any) -> Iterator[tuple[str, str]]:
    """Yield the overrides of a list, or the choices in Hydra's own configuration, those of defaults too."""
    if isinstance(content, list):
        found = [OVERRIDE.match(entry) for entry in content if isinstance(entry, str)]
        yield from ((one[1].replace("/", "."), one[2].strip("'\"")) for one in found if one and "${" not in one[2])
        return
    prefix = "hydra.runtime.choices."
    for name, value in flat(content).items():
        if name.startswith(prefix) and "hydra/" not in name and isinstance(value, str):
            yield name.removeprefix(prefix).replace("/", "."), value
