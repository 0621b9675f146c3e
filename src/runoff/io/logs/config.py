"""The configuration beside a log: JSON and YAML files of usual names, flat, as far as they name anything. Never an object of Python's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from runoff.errors import DataError

NAMES = (
    *("config.json", "params.json", "args.json", "variant.json", "hyperparameters.json", "flags.json", "cfg.json"),
    *("args.yml", "args.yaml", "config.yml", "config.yaml", "params.yml", "params.yaml", "hparams.yaml", "cfg.yaml"),
)
"""Files of a run's folder, in order of precedence."""
WITHIN = ("", ".hydra", "config", "params")
"""Folders inside the run's, where they may lie."""
LARGEST = 1 << 20
MOST_ENTRIES = 20_000
DEEPEST = 12


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's safe loader, which reads an object of Python's as the plain list or mapping that it is written as."""


def _plain(loader: yaml.SafeLoader, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return None


_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _plain)
_Loader.add_multi_constructor("!", _plain)


def configuration(folders: Iterable[Path]) -> tuple[dict[str, Any], list[str]]:
    """Return the flat configuration that lies in folders, the first file to name a key winning, and the files that cannot be read."""
    found: dict[str, Any] = {}
    unread: list[str] = []
    for path in _files(folders):
        try:
            found = {**flat(read_config(path)), **found}
        except DataError as refusal:
            unread.append(str(refusal))
    return found, unread


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in dict.fromkeys(folders):
        there = _listed(folder)
        for within in WITHIN:
            if not within or within in there:
                inside = _listed(folder / within) if within else there
                yield from (
                    folder / within / name for name in NAMES if name in inside and (folder / within / name).is_file()
                )


def _listed(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def read_config(path: Path) -> Any:
    """Return the content of a JSON or YAML file.

    Raises
    ------
    DataError
        It is larger than 1 MB, or not well-formed.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise DataError(f"{path}: a configuration of more than {LARGEST >> 20} MB is not read.")
        text = path.read_text(encoding="utf-8-sig")
        return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    except (OSError, ValueError, yaml.YAMLError, RecursionError, TypeError) as error:
        if isinstance(error, DataError):
            raise
        reason = " ".join(str(error).split())[:120]
        raise DataError(f"{path}: this configuration cannot be read: {reason}.") from error


def flat(content: Any) -> dict[str, Any]:
    """Return the scalars of nested mappings by their dotted names, without unresolved "${…}"; a list of pairs is a mapping, too."""
    found: dict[str, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", content, 0)]
    while waiting and len(found) < MOST_ENTRIES:
        name, value, depth = waiting.pop()
        inner = _as_mapping(value)
        if inner is None:
            if name and (value is None or isinstance(value, str | int | float | bool)) and "${" not in str(value):
                found.setdefault(name, value)
        elif depth < DEEPEST:
            waiting += [(f"{name}.{key}" if name else str(key), inner[key], depth + 1) for key in inner][
                : MOST_ENTRIES - len(waiting)
            ]
    return found


def _as_mapping(value: Any) -> dict[Any, Any] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    pairs = (
        isinstance(value, list)
        and value
        and all(isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) for entry in value)
    )
    return dict(value) if pairs else None
