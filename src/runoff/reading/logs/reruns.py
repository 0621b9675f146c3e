"""Words in the paths of logs that only number or repeat a job (`job_105_retry`, `completed/`, `aca2`), which are no part of an algorithm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runoff.reading._known import SEPARATORS, beyond_noise
from runoff.reading._names import clues
from runoff.reading.logs.settings import OF_ONE_PLACE, of_one_run
from runoff.words.patterns import regex
from runoff.words.words import canonical, vocabulary, words

LogNames = tuple[str, ...]
"""The names on the path to a run."""
REPEATED = vocabulary(
    "retry retried rerun fix fixed redo redone again restart restarted resume resumed repeat repeated complete completed running done "
    "finished old backup bak copy crashed crash failed aborted killed interrupted requeue requeued prev previous"
)
"""Words for what became of a job, or of an earlier one."""
REPEATS = regex(rf"(?<![^\W_])(?:{'|'.join(sorted(REPEATED))})\d{{0,2}}(?![^\W_])", re.IGNORECASE)
EMPTY = regex(r"\(\s*\)|\[\s*\]")
BEFORE_ID = r"(?:(?:slurm|sbatch|pbs|job|task|id|run|exp|trial)[\s_.-]*)?"
COUNTED = regex(rf"{BEFORE_ID}(?:\d+|[0-9a-f]{{4,}})", re.IGNORECASE)
"""A name that is a number or a hexadecimal id."""
ODD_ID = regex(rf"{BEFORE_ID}(?:\d+[a-z]|\d{{13,}}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{{4,}})", re.IGNORECASE)
"""The same with letters, `aca2` or `5b`, which names something unless those beside it are ids."""
ONLY_LETTERS = regex(r"[a-f]{4,}", re.IGNORECASE)
NOTHING = "run"
"""A name without meaning."""


def without_repeats(part: str) -> str:
    """Return a name without the words for what became of a job."""
    return EMPTY.sub("", REPEATS.sub("", part)).strip(SEPARATORS)


def without_reruns(paths: Sequence[LogNames], algorithms: Sequence[str]) -> list[LogNames]:
    """Return the names on paths without words that repeat a job, where these names stand on other paths without such words, and without ids
    among ids. Each path has the algorithm that its configuration names.

    >>> without_reruns([("1", "ppo_retry"), ("2", "ppo")], ["ppo", "ppo"]), without_reruns([("5b",), ("6",), ("7",)], ["a", "a", "a"])
    ([('1', 'ppo'), ('2', 'ppo')], [('run',), ('6',), ('7',)])
    """
    result = [list(path) for path in paths]
    for back in range(1, max(map(len, paths), default=0) + 1):
        level = [path[-back] if len(path) >= back else "" for path in paths]
        for i, name in enumerate(_level_without_reruns(level, algorithms)):
            if name != level[i]:
                result[i][-back] = name
    return [tuple(path) for path in result]


def _level_without_reruns(level: Sequence[str], algorithms: Sequence[str]) -> list[str]:
    bare = list(map(without_repeats, level))
    rests = [_rest(part, algorithm) for part, algorithm in zip(bare, algorithms, strict=True)]
    # Names with such a word say what those without it say: `ppo_fixed` beside `ppo`, but not `maze_fixed` beside
    # `maze_random`; or all are such words, `completed` and `running`.
    plain = {rest for rest, part in zip(rests, level, strict=True) if REPEATS.search(part) is None}
    states = not any(own for part, own in zip(level, bare, strict=True) if part)
    distinct = {*level} - {""}
    ids = {part for part in distinct if COUNTED.fullmatch(part) or not beyond_noise(part)}
    # `beef` is an id beside `1f3a`, and a word beside 2817
    lengths = {len(part) for part in ids if ODD_ID.fullmatch(part)}
    names = []
    for part, own, rest in zip(level, bare, rests, strict=True):
        if REPEATS.search(part) is not None:
            names.append((own or NOTHING) if rest in plain or states else part)
        else:
            like_id = ODD_ID.fullmatch(part) or (ONLY_LETTERS.fullmatch(part) and len(part) in lengths)
            among_ids = 2 * len(ids - {part}) > len(distinct) - 1
            names.append(NOTHING if like_id and among_ids and beyond_noise(part) else part)
    return names


def _rest(part: str, algorithm: str) -> str:
    """Return what a name says beside a run and the algorithm, in canonical form."""
    rest = canonical(clues((part,)).text(1)) if part else ""
    return "" if rest == canonical(algorithm) else rest


# ── algorithms that only paths tell from each other ──────────


def alike_configured(configs: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield pairs of algorithms, {name: configuration of a run}, whose configurations are equal in everything but what is of one run, and name
    neither."""
    (first, own), *others = sorted(configs.items(), key=lambda item: item[0])
    for name, config in others:
        if _settings(own) == _settings(config) and not (_named(first, name, own) or _named(name, first, config)):
            yield first, name


def _settings(config: Mapping[str, Any]) -> dict[str, str]:
    values = {name: str(value) for name, value in config.items() if not of_one_run(name)}
    return {name: value for name, value in values.items() if not OF_ONE_PLACE.search(value)}


def _named(name: str, other: str, config: Mapping[str, Any]) -> bool:
    """Return whether a configuration has a word of one name that the other lacks, as an experiment's name."""
    own = set(words(name)) - set(words(other))
    texts = (value for value in config.values() if isinstance(value, str) and "/" not in value)
    return any(own.intersection(words(text)) for text in texts)
