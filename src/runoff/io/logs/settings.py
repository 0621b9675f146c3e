"""Do the runs of one algorithm on one task have one configuration? Runs of several settings are no runs of one algorithm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runoff.io.logs.base import Happening
from runoff.io.logs.naming import Named
from runoff.io.logs.words import words
from runoff.words.words import vocabulary

OF_ONE_RUN = vocabulary(
    "seed id uid uuid dir directory folder path file name date time timestamp start host hostname node gpu gpus device devices cuda pid port "
    "commit hash git version log logs logger logging wandb track user group tag tags note notes job trial run worker workers rank key keys"
)
"""Words of settings that may differ between runs of one algorithm."""
SHOWN = 3


def differing(named: Sequence[Named]) -> list[tuple[str, Happening]]:
    """Return what happened to runs of one algorithm and task whose settings differ: two values at least, each of which several runs have."""
    cells: dict[tuple[str, str], list[Named]] = {}
    for one in named:
        cells.setdefault((one.algorithm, one.task), []).append(one)
    happened = []
    for (algorithm, _), runs in cells.items():
        said = list(_differing([one.log.config for one in runs]))
        if said:
            more = f" and {len(said) - SHOWN} more settings" if len(said) > SHOWN else ""
            what = Happening(policy="settings_differ", count=len(runs), where="; ".join(said[:SHOWN]) + more)
            happened.append((algorithm, what))
    return happened


def _differing(configs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(configs) < 4:
        return
    for name in configs[0]:
        if OF_ONE_RUN.intersection(words(name)) or not all(name in config for config in configs):
            continue
        counts = Counter(repr(config[name]) for config in configs)
        if len(counts) > 1 and min(counts.values()) > 1:
            yield f"{name} is " + ", ".join(f"{value[:30]} in {n}" for value, n in sorted(counts.items())[:4])


def different(first: Mapping[str, Any], second: Mapping[str, Any], most: int = 3) -> list[str]:
    """Return the settings in which two configurations differ, but for those that runs of one algorithm differ in."""
    shared = (name for name in first if name in second and not OF_ONE_RUN.intersection(words(name)))
    return [f"{name}: {first[name]!r:.30} and {second[name]!r:.30}" for name in shared if first[name] != second[name]][
        :most
    ]
