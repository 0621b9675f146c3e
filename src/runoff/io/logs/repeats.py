"""Two runs with one name: which they are, and what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.errors import DataError
from runoff.io.logs.naming import Named, path_of, short
from runoff.io.logs.settings import different
from runoff.words.speech import option


def refuse_repeats(named: Sequence[Named], root: str) -> None:
    """Refuse two runs with one algorithm, task and run.

    Raises
    ------
    DataError
        With both places and the repair.
    """
    twice = repeats(named)
    if twice:
        raise DataError(f"{short(root)}: {repeated(*twice[0], named)}")


def repeats(named: Sequence[Named]) -> list[tuple[Named, Named]]:
    """Return the pairs of runs with one algorithm, task and run: the first of that name, and each further one."""
    seen: dict[tuple[str, str, str], Named] = {}
    return [(seen[one.key], one) for one in named if seen.setdefault(one.key, one) is not one]


def repeated(first: Named, second: Named, named: Sequence[Named]) -> str:
    """Return the sentence for two runs with one name, with the repair that tells all of `named` apart."""
    a, t, r = (name if len(name) <= 60 else f"{name[:28]}…{name[-28:]}" for name in first.key)
    lead = f"two runs are named algorithm {a!r}, task {t!r}, run {r!r}: {short(first.log.place)} and {short(second.log.place)}"
    by_glob = f"by globs of their paths in a TOML file, {option('pattern', 'runs.toml')} (docs/guides/logs/hydra.md)"
    settings = different(first.log.config, second.log.config)
    if settings:
        return f"{lead}; their settings differ ({'; '.join(settings)}): if these are variants, name the algorithm of each {by_glob}."
    apart = _pattern_apart([path_of(one.log).split("/") for one in named], [one.algorithm for one in named])
    repair = f"by their folders, {option('pattern', apart)}" if apart else by_glob
    return f"{lead}; if both count, tell them apart {repair}; if one is a copy or a restart, leave it out."


def _pattern_apart(paths: Sequence[Sequence[str]], algorithms: Sequence[str]) -> str:
    """Return a pattern that names all runs by one level of their folders, and the algorithms by the first; "" if none tells all apart.

    A single algorithm needs no level: whatever names it still does.
    """
    depth, several = min(map(len, paths)), len(set(algorithms)) > 1
    if several and len({*zip((path[0] for path in paths), algorithms, strict=True)}) != len(set(algorithms)):
        return ""
    for back in range(1, depth + (not several)):
        if len({(*path[: int(several)], path[-back]) for path in paths}) == len(paths):
            above = ["{algorithm}"] if several else ["*"][: depth - back]
            return "/".join([*above, *["*"] * (depth - back - 1), "{run}", *["*"] * (back - 1)])
    return ""
