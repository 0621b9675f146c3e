"""Settings in names of folders, as Hydra and scripts write them: `algo=td3,env=Hopper-v4,seed=1`, `lr=0.1_env=Maze_U_method=td3_seed=1`."""

from __future__ import annotations

import re

from runoff.reading._known import KEYS_OF_RUNS, beyond_noise
from runoff.words.labels import SETTINGS
from runoff.words.patterns import regex

OVERRIDE = regex(r"[\w./-]+=[^,=]+")
"""A setting in the name of a folder that lists some by commas, as Hydra's `override_dirname` does: `algo=td3,env=Hopper-v4,seed=1`."""
RUN_BEFORE = regex(r"-?\d+(?=[-_.;&])")
"""A run with other names behind it, `2_hex7`."""
KEY_BEHIND = regex(
    rf"(?P<value>.+?)(?:__|[_;&-])(?P<key>(?<=[;&])[\w.]+|{'|'.join(key for keys in KEYS_OF_RUNS.values() for key in keys)}"
    rf"|(?:(?:n|num|learning|weight|{'|'.join(sorted(SETTINGS))})_)*[A-Za-z][A-Za-z\d]*)",
    re.IGNORECASE,
)
"""A value, which may hold marks, with the key of the next setting behind it: `AntMaze_U_method`, `1_hidden_size`."""


def overrides_in(name: str) -> list[tuple[str, str]]:
    """Return the settings listed in the name of a folder, each with the role of its key; nothing for other names.

    >>> overrides_in("algo=td3,env=Hopper-v4,lr=0.1")
    [('algorithm', 'algo=td3'), ('task', 'env=Hopper-v4'), ('', 'lr=0.1')]
    """
    bare = re.sub(r"^\d{6}_", "", beyond_noise(name))  # a time of the day may stand before them
    pieces = bare.split(",")
    keyed = [piece for piece in pieces if OVERRIDE.fullmatch(piece)]
    listed = len(keyed) == len(pieces) or (len(keyed) > 1 and all("=" not in piece for piece in {*pieces} - {*keyed}))
    settings = pieces if listed else _settings_joined(bare)
    parts = [part for setting in settings for part in _without_names_behind(setting)]
    named = [(_role_of_key(part.partition("=")[0]) if "=" in part else "", part) for part in parts]
    # `seed=2-hex7-ppo` alone is a run with names behind it, which are read as others are.
    return named if len(parts) == len(settings) or len(settings) > 1 else []


def _without_names_behind(setting: str) -> list[str]:
    """Return the setting of a run, and the names behind it: `seed=2_bs256`; another setting as it is."""
    key, _, value = setting.partition("=")
    match = RUN_BEFORE.match(value) if _role_of_key(key) == "run" else None
    return [f"{key}={match[0]}", value[match.end() + 1 :]] if match else [setting]


def _role_of_key(key: str) -> str:
    """Return the role of what a key of a setting names: `agent.name`, `env_id`; "" for another."""
    bare = re.split(r"[./]", key.casefold())[-1]
    return next((role for role, usual in KEYS_OF_RUNS.items() if bare in usual), "")


def _settings_joined(name: str) -> list[str]:
    """Return the settings in a name that joins them by a mark which values hold as well, and what stands before the first; nothing for others.

    >>> _settings_joined("lr=0.1_env=Maze_U_algo=td3"), _settings_joined("mine_env=Maze_seed=1")
    (['lr=0.1', 'env=Maze_U', 'algo=td3'], ['mine', 'env=Maze', 'seed=1'])
    """
    first, *others = name.split("=")
    between = [KEY_BEHIND.fullmatch(piece) for piece in others[:-1]]
    if "," in name or not between or not others[-1] or not first or not all(between):
        return []
    before = None if _role_of_key(first) else KEY_BEHIND.fullmatch(first)
    head = before if before and _role_of_key(before["key"]) else None
    keys = [head["key"] if head else first, *(match["key"] for match in between if match)]
    values = [*(match["value"] for match in between if match), others[-1]]
    settings = [f"{key}={value}" for key, value in zip(keys, values, strict=True)]
    return [head["value"], *settings] if head else settings
