"""Published studies as data files: `AUTHORYEAR/NAME.toml`, each with its source and the values that it printed."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from runoff.errors import OptionError, nearest
from runoff.lab.spec import Entry, parse_study
from runoff.lab.worlds.real import RealData


def names() -> list[str]:
    """Return the names of all studies of the catalogue."""
    folders = [folder for folder in files(__name__).iterdir() if folder.is_dir()]
    entries = ((f.name, file.name) for f in folders for file in f.iterdir() if file.name.endswith(".toml"))
    return sorted(f"{folder}/{name.removesuffix('.toml')}" for folder, name in entries)


def title(name: str) -> str:
    """Return the title of a study of the catalogue, without its data."""
    return str(tomllib.loads(_text(name))["title"])


def load(name: str, *, data: RealData = None) -> Entry:
    """Return a study of the catalogue; refuse an unknown name (suggesting the nearest), and a study of real runs that were not given."""
    full_names = {_bare(full): full for full in names()}
    if _bare(name) not in full_names:
        near = nearest(name, full_names.values())
        raise OptionError(f"there is no study {name!r} in the catalogue; runoff check list shows it.{near}")
    name = full_names[_bare(name)]
    return parse_study(_text(name), name, name=name, data=data)


def _bare(name: str) -> str:
    """Return a name without leading zeros in its numbers, so that table2 matches table02."""
    return re.sub(r"(?<=\D)0+(?=\d)", "", name)


def _text(name: str) -> str:
    folder, file = name.split("/")
    return (files(__name__) / folder / f"{file}.toml").read_text(encoding="utf-8")
