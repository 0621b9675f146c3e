"""Settings in names of folders, as Hydra and scripts write them: `algo=td3,env=Hopper-v4,seed=1`, `lr=0.1_env=Maze_U_method=td3_seed=1`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from runoff.base.grouping import distinct
from runoff.reading._known import BARE, KEYS_OF_RUNS, beyond_noise
from runoff.tables.columns import NAMED
from runoff.words.labels import SETTINGS, run_of
from runoff.words.patterns import regex

STRONG = regex(r"[_-]?\x02+[_-]?|__|[,;& ]")
"""Marks between settings that stand in no key, and in few values; \\x02 stands for dates and hashes."""
KEYS = "|".join(key for keys in KEYS_OF_RUNS.values() for key in keys)
FIRST_WORDS = "|".join(("n", "num", "learning", "weight", *sorted(SETTINGS)))
# `ppo_clip_lr` is an algorithm and a key, though `clip_range` is one key.
ALONE = rf"(?!.*_(?:{KEYS}|lr|bs|gamma|tau|alpha|beta)$)"
KEY_BEHIND = regex(
    rf"(?P<value>.+?)[_-](?P<key>{KEYS}|{ALONE}(?:[a-z][a-z\d]*\.)*(?:(?:{FIRST_WORDS})_)*[A-Za-z][A-Za-z\d.]*)",
    re.IGNORECASE,
)
"""A value, which may hold marks, with the key of the next setting behind it: `AntMaze_U_method`, `1_hidden_size`."""
SHORT = regex(
    rf"(?<![^\W_])(?P<key>(?:(?:{FIRST_WORDS})_)*(?:{'|'.join(sorted(SETTINGS))}))[_-]?(?P<value>\d[\d.]*(?:e-?\d+)?)(?![^\W_])",
    re.IGNORECASE,
)
"""A setting with its value behind it: `lr0.1`, `batch_size_32`."""
AFTER_DASH = regex(r"(?P<value>.+)-(?P<key>(?!v\d)[A-Za-z][\w.]*)")
"""A name with a key behind it that only a dash parts, for keys hold `_`: `ours-use_her`."""
NUMBER_FIRST = regex(r"(?P<value>-?\d[\d.]*(?:e[-+]?\d+)?|true|false|none)[_.-](?P<rest>[^\W\d].*)", re.IGNORECASE)
"""A value that ends at a mark, and what stands behind it: `0.1_lift`."""
RUN_LAST = regex(r"(?P<value>.+?)[_-](?P<rest>(?:seed|run|rs|s)[_-]?\d+)", re.IGNORECASE)
"""A value with the run of its path behind it: `Maze_U_s1`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A setting in a name, or another name beside some, whose key is ""; `role` is what it names of a run, "" for nothing."""

    key: str = ""
    value: str

    @property
    def role(self) -> str:
        if not self.key:
            return "run" if self.value.isdigit() or run_of(self.value) is not None else ""
        bare = re.split(r"[./]", self.key.casefold())[-1]
        return next((role for role, usual in KEYS_OF_RUNS.items() if bare in usual), "")

    @property
    def text(self) -> str:
        return f"{self.key}={self.value}" if self.key else self.value


def overrides_in(name: str) -> list[Override]:
    """Return the settings in the name of a folder by their keys, with other names beside them; nothing for other names.

    >>> [(setting.role, setting.text) for setting in overrides_in("algo=td3,env=Hopper-v4,lr=0.1")]
    [('algorithm', 'algo=td3'), ('task', 'env=Hopper-v4'), ('', 'lr=0.1')]
    >>> [setting.text for setting in overrides_in("lr=0.1_env=Maze_U_algo=td3")]
    ['lr=0.1', 'env=Maze_U', 'algo=td3']
    """
    bare = re.sub(r"^\d{6}_", "", beyond_noise(name))  # a time of the day may stand before them
    pieces = list(filter(None, STRONG.split(bare))) if "=" in bare else []
    return [setting for piece in pieces for setting in (_joined(piece) if len(pieces) == 1 else _alone(piece))]


def _alone(piece: str) -> list[Override]:
    """Return the setting between two marks that part settings alone, several of them, or a name."""
    key, mark, value = piece.partition("=")
    behind = KEY_BEHIND.fullmatch(key)
    several = "=" in value or (behind and Override(key=behind["key"], value="").role)
    return _joined(piece) if several else [Override(key=key, value=value) if mark else Override(value=piece)]


def _joined(piece: str) -> list[Override]:
    """Return the settings that a mark joins which keys and values hold as well, and the names before and behind them."""
    first, *others = piece.split("=")
    if not others or not first or not all(others):
        return [Override(value=piece)]
    name, key = _key_behind(first)
    settings = [Override(value=name)] if name else []
    for text in others[:-1]:
        number = NUMBER_FIRST.fullmatch(text)
        value, rest = (number["value"], number["rest"]) if number else ("", text)
        behind, following = _key_behind(rest) if number else _parted(KEY_BEHIND.fullmatch(rest), rest)
        if not (value or behind):
            return [Override(value=piece)]
        settings += [Override(key=key, value=value or behind), *([Override(value=behind)] if value and behind else [])]
        key = following
    return [*settings, *_last(Override(key=key, value=others[-1]))]


def _key_behind(text: str) -> tuple[str, str]:
    """Return the name before a key, and the key: `use_her` is one, but for `ours_lr`, `mine_env` and `ours-use_her`."""
    if Override(key=text, value="").role or {*re.split(r"_", text.casefold().rpartition(".")[2])} <= SETTINGS:
        return "", text
    match = KEY_BEHIND.fullmatch(text)
    return _parted(match if match and _is_usual(match["key"]) else AFTER_DASH.fullmatch(text), text)


def _parted(match: re.Match[str] | None, text: str) -> tuple[str, str]:
    return (match["value"], match["key"]) if match else ("", text)


def _is_usual(key: str) -> bool:
    return Override(key=key, value="").role != "" or not SETTINGS.isdisjoint(re.split(r"[_.]", key.casefold()))


def _last(setting: Override) -> list[Override]:
    """Return the last of some settings, and the names behind it: `0.1_lift-s1`, `2-bs256`."""
    match = NUMBER_FIRST.fullmatch(setting.value) or RUN_LAST.fullmatch(setting.value)
    return [replace(setting, value=match["value"]), Override(value=match["rest"])] if match else [setting]


# ── all names ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingPlace:
    """Where a setting stands in a name: its field in a pattern, where its key and its value begin, and where it ends."""

    field: str
    key: int
    value: int
    end: int


def places_of_settings(names: Sequence[str]) -> list[list[SettingPlace]]:
    """Return where the settings in names stand; nothing where these have other keys. Before the first key, and behind the last value, names may
    stand that only all together show.

    >>> [place.field for place in places_of_settings(["ours_lr=0.1_lift-s1", "base_lr=1_lift-s2"])[0]]
    ['config.lr']
    """
    places = [_places(name) for name in names]
    firsts = [name[own[0].key : own[0].value] for name, own in zip(names, places, strict=True) if own]
    if len(firsts) < len(names):
        return []
    if len({*firsts}) > 1:
        shared = _shared_key(firsts)
        for own in places if shared.strip("=") else ():
            own[0] = replace(own[0], field=_field(shared.strip("=")), key=own[0].value - len(shared))
    if len({*map(len, places)}) > 1:
        return []
    for at, fields in enumerate(zip(*([place.field for place in own] for own in places), strict=True)):
        # Where each algorithm has a setting of its own, `clip=0.1` and `alpha=0.2`, its key is a part of the configuration.
        for own in places if len({*fields}) > 1 else ():
            own[at] = replace(own[at], field="config", value=own[at].key)
    several = len({place.field for place in places[0]}) == len(places[0])
    return _without_runs_behind(names, places) if several else []


def _places(name: str) -> list[SettingPlace]:
    """Return where settings stand in one name: those with `=`, and between them others with their value behind, `lr0.1`."""
    places: list[SettingPlace] = []
    for setting in overrides_in(name):
        if setting.key:
            begin = name.index(setting.text, places[-1].end if places else 0)
            value = begin + len(setting.key) + 1
            places.append(
                SettingPlace(field=_field(setting.key), key=begin, value=value, end=begin + len(setting.text))
            )
    short = [
        SettingPlace(field=_field(match["key"]), key=match.start(), value=match.start("value"), end=match.end())
        for match in SHORT.finditer(name)
        if all(match.end() <= place.key or match.start() >= place.end for place in places)
    ]
    return sorted([*places, *short], key=lambda place: place.key)


def _field(key: str) -> str:
    return Override(key=key, value="").role or f"config.{re.sub(r'[^A-Za-z0-9_]', '_', re.split(r'[./]', key)[-1])}"


def _shared_key(keys: Sequence[str]) -> str:
    """Return what keys with other names before them end with: `use_her` of `ours_lift_use_her` and `base_lift_use_her`."""
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*(key[::-1] for key in keys), strict=False))
    return re.sub(r"^[^_.-]*[_.-]", "", "".join(letters[0] for letters in alike)[::-1])


def _without_runs_behind(names: Sequence[str], places: list[list[SettingPlace]]) -> list[list[SettingPlace]]:
    """Return the places of settings without the numbers behind the last values, where each value has the same several of them: `env=Maze_1`."""
    values = [name[own[-1].value : own[-1].end] for name, own in zip(names, places, strict=True)]
    parted = [match for value in values if (match := re.fullmatch(r"(.+)([_-]\d+)", value))]
    runs = distinct((match[1], match[2]) for match in parted)
    crossed = len(runs) > 1 and len({frozenset(own) for own in runs.values()}) == 1 and min(map(len, runs.values())) > 1
    if len(parted) < len(values) or not crossed or any(place.field == "run" for place in places[0]):
        return places
    return [
        [*own[:-1], replace(own[-1], end=own[-1].end - len(match[2]))]
        for own, match in zip(places, parted, strict=True)
    ]


def is_setting_alone(name: str) -> bool:
    """Return whether a name is one setting and nothing else: `lr=0.1`, `lr0.1`, but not `ours_lr=0.1`."""
    places = _places(name)
    return [(place.key, place.end) for place in places] == [(0, len(name))] and bool(BARE.fullmatch(name))


def swept_by(paths: Collection[Sequence[str]], fewest: int = 2) -> str:
    """Return the setting that has several values, in names of paths, for at least two (`fewest`) algorithms or tasks; "" for none.

    With a single algorithm the values are variants to be compared.

    >>> swept_by([["ppo_lr1"], ["ppo_lr2"], ["sac_lr1"], ["sac_lr2"]]), swept_by([["ppo_lr1"], ["ppo_lr2"], ["sac_lr1"]])
    ('lr', '')
    """
    values: dict[tuple[object, ...], dict[tuple[int, str], set[str]]] = {}
    for path in paths:
        placed = [_places(name) for name in path]
        # What is left without settings is an algorithm, a task or both.
        rest = tuple(_without(name, places) for name, places in zip(path, placed, strict=True))
        for at, (name, places) in enumerate(zip(path, placed, strict=True)):
            for place in places:
                own = values.setdefault(rest, {}).setdefault((at, place.field), set())
                own.add(name[place.value : place.end])
    swept = [
        [field.removeprefix("config.") for (_, field), own in settings.items() if len(own) > 1 and field not in NAMED]
        for settings in values.values()
    ]
    several = [fields[0] for fields in swept if fields]
    return several[0] if len(several) >= fewest else ""


def _without(name: str, places: Sequence[SettingPlace]) -> str:
    """Return what stands around settings in a name."""
    ends = [0, *(place.end for place in places)]
    starts = [*(place.key for place in places), len(name)]
    return "".join(name[end:start] for end, start in zip(ends, starts, strict=True))
