"""Which source names a role of each run: the user, the tool, the configuration, or the folders; and folders that tell variants apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runoff.io.logs.words import canonical

PATTERN, CONFIGURATION, FOLDERS, LAST = "pattern", "configuration", "folders", "one name"
SOURCES = (PATTERN, "tool", CONFIGURATION, FOLDERS, LAST)
"""In order of precedence."""
BySource = Mapping[str, Mapping[str, str]]
"""Of a run: source -> {role: name}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The name of each run in one role, its source, and the runs that lack what names the others."""

    names: tuple[str, ...]
    sources: tuple[str, ...]
    lacking: frozenset[int] = frozenset()


def taken(role: str, runs: Sequence[BySource]) -> Taken:
    """Return the names of all runs of a tool, of one source: the first that names most of them.

    Where it does not name all, a later source that names all counts if the two agree on which runs have one name. Else the runs without it have
    the name that the next source gives them, and lack one if the others do not have that name too. What the user says counts for each run alone.
    """
    given = {source: [run[source].get(role) for run in runs] for source in SOURCES[1:-1]}
    most = [source for source, names in given.items() if 2 * sum(map(bool, names)) > len(runs)]
    first = most[0] if most else None
    if first is not None and not all(given[first]):
        agreeing = (one for one in most[1:] if all(given[one]) and _agree(given[first], given[one]))
        first = next(agreeing, first)
    order = (PATTERN, *((first,) if first is not None else ()), *SOURCES)
    sources = [next(source for source in order if run[source].get(role)) for run in runs]
    names = [run[source][role] for run, source in zip(runs, sources, strict=True)]
    known = {name for name, source in zip(names, sources, strict=True) if source in (PATTERN, first)}
    lacking = [i for i, (name, source) in enumerate(zip(names, sources, strict=True)) if source not in (PATTERN, first)]
    return Taken(
        names=tuple(names),
        sources=tuple(sources),
        lacking=frozenset(i for i in lacking if first is not None and names[i] not in known),
    )


def _agree(some: Sequence[str | None], every: Sequence[str | None]) -> bool:
    """Return whether runs have one name of one source where they have one of the other."""
    pairs = {(a, b) for a, b in zip(some, every, strict=True) if a}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def refined(algorithms: Taken, tasks: Taken, runs: Sequence[BySource]) -> Taken:
    """Return the algorithms, those of a configuration under the names of folders where these tell variants apart.

    They do where runs of one algorithm and task lie in folders of several names, one of which has several runs.
    """
    cells: dict[tuple[str, str], Counter[str]] = {}
    for i, run in enumerate(runs):
        if algorithms.sources[i] == CONFIGURATION:
            folder = run[FOLDERS].get("algorithm", "")
            cells.setdefault((algorithms.names[i], tasks.names[i]), Counter())[folder] += 1
    several = {name for (name, _), counts in cells.items() if len(counts) > 1 and max(counts.values()) > 1}
    names, sources = list(algorithms.names), list(algorithms.sources)
    for i, run in enumerate(runs):
        folder = run[FOLDERS].get("algorithm", "")
        if algorithms.sources[i] == CONFIGURATION and names[i] in several and folder:
            names[i] = folder if canonical(names[i]) in canonical(folder) else f"{names[i]} {folder}"
            sources[i] = FOLDERS
    return Taken(names=tuple(names), sources=tuple(sources), lacking=algorithms.lacking)
