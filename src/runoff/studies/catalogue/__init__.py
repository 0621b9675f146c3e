"""Published studies as data files: `AUTHORYEAR/NAME.toml`, each with its source and the values it printed."""

from __future__ import annotations

from importlib.resources import files

from runoff._validate import check_choice
from runoff.studies.files import Entry, parse_study
from runoff.studies.worlds.sources import Data


def names() -> list[str]:
    """Return the names of all studies of the catalogue."""
    folders = [folder for folder in files(__name__).iterdir() if folder.is_dir()]
    return sorted(
        f"{f.name}/{file.name.removesuffix('.toml')}"
        for f in folders
        for file in f.iterdir()
        if file.name.endswith(".toml")
    )


def load(name: str, *, data: Data = None) -> Entry:
    """Return a study of the catalogue.

    Raises
    ------
    OptionError
        An unknown name (the nearest is suggested), or a study of real runs that were not given.
    """
    check_choice("study", name, names())
    folder, file = name.split("/")
    return parse_study(
        (files(__name__) / folder / f"{file}.toml").read_text(encoding="utf-8"), name, name=name, data=data
    )
