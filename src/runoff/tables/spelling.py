"""Names that look alike: characters that a terminal obeys are spelled out, and spellings that are surely of one name are joined."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from runoff.errors import RunoffWarning
from runoff.tables.tidy import Tidy

WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Letters and signs of full width -> those of ASCII."""
TWINS = str.maketrans("АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXo")
"""Letters of Cyrillic and Greek -> those of Latin that look like them."""


def plain(name: str) -> str:
    """Return a name in one Unicode form, without the width of its letters and without characters that cannot be seen.

    >>> plain("Cafe\\u0301") == "Caf\\u00e9", plain("\\uff30PO"), plain("PPO\\u200b")
    (True, 'PPO', 'PPO')
    """
    seen = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")
    return seen.translate(WIDE).strip() or name


def one_spelling(data: Tidy, place: str) -> Tidy:
    """Return the columns with one spelling of each name, with a warning about those that are joined.

    Unicode forms are joined always, capital letters where nothing is there twice.
    """
    notes = []
    for role in ("algorithm", "task"):
        for key in (plain, lambda name: plain(name).casefold()):
            new = _joined(data, role, key)
            if not new:
                continue
            labels = data.labels[role].mapped(partial(_renamed, new))
            data = replace(data, labels={**data.labels, role: labels})
            notes += [
                f"the {role} {old!a} is {to!a}, spelled in another way: they are taken as one"
                for old, to in new.items()
            ]
    for note in notes:
        warnings.warn(f"{place}: {note}", RunoffWarning, stacklevel=4)
    return replace(data, notes=(*data.notes, *notes)) if notes else data


def _renamed(new: Mapping[str, str], name: str) -> str:
    return new.get(name, name)


def _joined(data: Tidy, role: str, key: Callable[[str], str]) -> dict[str, str]:
    """Return {spelling: the one in its place}."""
    labels = data.labels[role]
    spellings: dict[str, list[str]] = {}
    for name in labels.names:
        spellings.setdefault(key(name), []).append(name)
    groups = {of_all: names for of_all, names in spellings.items() if len(names) > 1}
    if not groups:
        return {}
    counts = dict(zip(labels.names, np.bincount(labels.codes, minlength=len(labels.names)).tolist(), strict=True))
    new: dict[str, str] = {}
    for of_all, names in groups.items():
        if key is not plain and not _apart(data, role, set(names)):
            continue
        best = of_all if key is plain else max(names, key=lambda name: (counts[name], name))
        new |= {name: best for name in names if name != best}
    return new


def _apart(data: Tidy, role: str, names: set[str]) -> bool:
    """Return whether spellings never meet: no run is there in two."""
    others = ("algorithm", "run") if role == "task" else ("task", "run")
    spelled: dict[tuple[str, ...], str] = {}
    rows = zip(data.labels[role], zip(*(data.labels[other] for other in others), strict=True), strict=True)
    return all(spelled.setdefault(place, name) == name for name, place in rows if name in names)
