"""`joined`: published runs beside one's own, on shared tasks and in one unit; and whether their protocols let them be tested.

What may not be tested is joined all the same, with the reason: estimates stand side by side, and whoever tests refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runoff.archive.load import equal_runs, load, table
from runoff.archive.sets import KINDS, PROTOCOL, UNKNOWN, ArchiveSet, info, matched
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.numbers import counted
from runoff.words.speech import choice, option

if TYPE_CHECKING:
    from runoff.data.provenance import Provenance
    from runoff.data.scores import Scores

FEW = 6
"""The most tasks that a sentence names."""
RAW, SMALL = 100.0, 2.0
"""Published scores of a task whose medians are at least RAW are in raw units; normalised ones lie mostly within ±SMALL."""
ASSUMED = " (protocol assumed)"
"""The end of the name of a published algorithm whose protocol is assumed to be that of the user's runs: so every sentence says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Runs of one set, under the names that they have beside one's own.

    untested: of each algorithm, by that name, why it is not tested; "" where it may be. keys: of each, the keys of its runs.
    """

    card: ArchiveSet
    scores: Scores
    untested: Mapping[str, str]
    keys: Mapping[str, frozenset[int]]
    notes: tuple[str, ...]


def joined(
    mine: Scores,
    against: str | Sequence[str],
    *,
    protocol: Mapping[str, str] | None = None,
    assume_same_protocol: bool = False,
    check_units: bool = True,
) -> Scores:
    """How do these runs stand beside published ones?

    Parameters
    ----------
    mine : Scores
        Raw, or normalised by a registered reference, by which the published scores are then normalised too.
    against : str or sequence of str
        Sets of `archive.list()`, each with the algorithms to take where not all are: "atari_100k:SPR,DrQ".
    protocol : mapping, optional
        How these runs were made, by the keys of `archive.info(set).protocol()`: {"action_repeat": "2"}.
    assume_same_protocol : bool
        Take what `protocol` does not tell to be as in the set; the names of the published algorithms then say so.
    check_units : bool
        Refuse scores that look normalised already beside raw ones.

    Returns
    -------
    Scores
        Own algorithms first, then the published ones as "atari_100k:SPR", on the tasks that both have. What is tested of them (`compare`)
        needs the same protocol on every key that the set tells; `aggregate` shows them side by side whatever it is.

    Raises
    ------
    OptionError
        An unknown set, algorithm or key of a protocol.
    DesignError
        No shared task, runs that are copies of the published ones, two sets that hold the same runs, a sweep.
    DataError
        Scores in other units than the published ones.

    Examples
    --------
    >>> import runoff as ro
    >>> mine = ro.Scores.from_dict({"ours": {"ALE/Pong-v5": [3.0, 9.0, 6.0], "Tetris": [1.0, 2.0, 3.0]}})
    >>> scores = ro.archive.joined(mine, "atari_100k:SPR,DrQ")
    >>> scores.algorithms, scores.tasks
    (('ours', 'atari_100k:DrQ', 'atari_100k:SPR'), ('ALE/Pong-v5',))
    """
    from runoff.data.scores import Scores

    if mine.sampling.unit == "episode" or mine.sampling.shared:
        how = option("unit", "episode") if mine.sampling.unit == "episode" else option("runs", "shared")
        raise DesignError(
            f"published scores are of training runs, each of one task: scores read with {how} cannot stand beside them."
        )
    own = _protocol(protocol or {})
    specs = [against] if isinstance(against, str) else [*against]
    parts = [_published(text, mine, own, assumed=assume_same_protocol, check_units=check_units) for text in specs]
    _refuse_twice(parts)
    every = [mine, *(part.scores for part in parts)]
    tasks = [task for task in mine.tasks if any(task in part.scores.tasks for part in parts)]
    names = [name for scores in every for name in scores.algorithms]
    grid = {
        (names.index(name), tasks.index(task)): scores.labelled(a, t)
        for scores in every
        for a, name in enumerate(scores.algorithms)
        for t, task in enumerate(scores.tasks)
        if task in tasks and scores.cell(a, t).size
    }
    for a, name in enumerate(mine.algorithms):
        if names.count(name) > 1:
            raise DesignError(
                f"two algorithms are called {name!r}, of these runs and of the archive; rename the own one."
            )
        if not any((a, t) in grid for t in range(len(tasks))):
            raise DesignError(f"algorithm {name!r} has runs on none of the tasks of {', '.join(specs)}; leave it out.")
    return Scores.from_grid(names, tasks, grid, _origin(mine, parts), mine.sampling)


def _published(text: str, mine: Scores, own: Mapping[str, str], *, assumed: bool, check_units: bool) -> Published:
    """Return the runs that a text like "atari_100k:SPR,DrQ" names, on the tasks of `mine`, in its unit."""
    card, algorithms = _spec(text)
    if card.kind == "tuning":
        raise DesignError(f"set {card.name!r} is {KINDS[card.kind]}; name another set.")
    loaded = load(card.name, algorithms=algorithms)
    meant = _meant(mine, card, loaded)
    runs = loaded.select(tasks=list(meant.values())) if algorithms else _having(loaded, list(meant.values()))
    untested = _untested(card, runs.algorithms, own, assumed=assumed)
    labels = {
        a: f"{card.name}:{a}" + ASSUMED * (assumed and not untested[a] and bool(_lacking(card, a, own)))
        for a in runs.algorithms
    }
    names = runs.rename(algorithms=labels, tasks={theirs: task for task, theirs in meant.items()})
    scores = _in_unit(names, mine, card, check_units=check_units)
    rows = table(card).filter(series="score").select("algorithm", "task", "key").iter_rows()
    keys: dict[str, set[int]] = {name: set() for name in labels.values()}
    for algorithm, task, key in rows:
        if algorithm in labels and task in meant.values():
            keys[labels[algorithm]].add(key)
    return Published(
        card=card,
        scores=scores,
        untested={labels[a]: why for a, why in untested.items()},
        keys={name: frozenset(own_keys) for name, own_keys in keys.items()},
        notes=(*_notes(mine, card, meant, labels), *(f"{card.name}: {note}" for note in loaded.provenance.notes)),
    )


def _spec(text: str) -> tuple[ArchiveSet, list[str] | None]:
    """Return the set of a text, and the algorithms that it names; a name of the set may contain commas."""
    name, _, algorithms = text.partition(":")
    card = info(name.strip())
    if not algorithms.strip():
        return card, None
    own = algorithms.strip()
    return card, [own] if own in card.algorithms else [part.strip() for part in own.split(",") if part.strip()]


def _having(runs: Scores, tasks: list[str]) -> Scores:
    """Return the algorithms that have runs on some of these tasks."""
    columns = [runs.tasks.index(task) for task in tasks]
    counts = zip(runs.algorithms, runs.n_runs[:, columns].sum(axis=1).tolist(), strict=True)
    return runs.select(algorithms=[name for name, n in counts if n], tasks=tasks)


# ── names of tasks ──────────


def _meant(mine: Scores, card: ArchiveSet, runs: Scores) -> dict[str, str]:
    """Return the task of the runs that each own task means; refuse two names of one task, and none that is shared."""
    meant = {task: theirs for task, theirs in matched(mine.tasks, card).items() if theirs in runs.tasks}
    if not meant:
        of = f" ({runs.algorithms[0]})" if runs.n_algorithms == 1 else ""
        message = f"set {card.name!r}{of} has none of these tasks: {_others(mine.tasks, card)}."
        raise DesignError(message)
    pairs = {theirs: task for task, theirs in meant.items()}
    for task, theirs in meant.items():
        if pairs[theirs] != task:
            raise DesignError(
                f"tasks {task!r} and {pairs[theirs]!r} are both {theirs!r} in set {card.name!r}; give them one name "
                f"({choice('rename with merge=True', '--rename OLD=NEW --merge')}) or leave one out."
            )
    return meant


def _others(tasks: Sequence[str], card: ArchiveSet) -> str:
    """Return tasks that a set does not have, each with the name that is near, or the version that it has."""
    words = []
    for task in tasks[:FEW]:
        bare = re.sub(r"-v\d+$", "", task)
        version = matched([bare], card)[bare] if bare != task else None
        near = nearest(task, card.tasks).strip()
        words.append(
            f"{task!r}" + (f" (it has {version!r}, another version)" if version else f" ({near})" if near else "")
        )
    return ", ".join(words) + (f" and {len(tasks) - FEW} more" if len(tasks) > FEW else "")


def _notes(mine: Scores, card: ArchiveSet, meant: Mapping[str, str], labels: Mapping[str, str]) -> tuple[str, ...]:
    spelled = [f"{task} is {theirs}" for task, theirs in meant.items() if task != theirs]
    missing = [task for task in mine.tasks if task not in meant]
    assumed = [a for a, name in labels.items() if name.endswith(ASSUMED)]
    return (
        *(
            [f"it was assumed that these runs have the protocol of {card.name} ({', '.join(assumed)})"]
            if assumed
            else []
        ),
        *([f"tasks of set {card.name} by other names here: {'; '.join(spelled)}"] if spelled else []),
        *([f"not in set {card.name}, and not compared with it: {_others(missing, card)}"] if missing else []),
    )


# ── protocols ──────────


def _protocol(given: Mapping[str, str]) -> dict[str, str]:
    """Return a protocol by its keys, which may have hyphens."""
    own = {}
    for text, value in given.items():
        key = str(text).strip().replace("-", "_")
        if key not in PROTOCOL:
            raise OptionError(
                f"a protocol has no key {text!r}; its keys are {', '.join(PROTOCOL)}.{nearest(key, PROTOCOL)}"
            )
        own[key] = str(value).strip()
    return own


def _told(card: ArchiveSet, algorithm: str) -> dict[str, str]:
    return {key: value for key, value in card.protocol(algorithm).items() if value != UNKNOWN}


def _lacking(card: ArchiveSet, algorithm: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return what the set tells of an algorithm and nobody of the own runs."""
    return {key: value for key, value in _told(card, algorithm).items() if key not in own}


def _untested(card: ArchiveSet, algorithms: Sequence[str], own: Mapping[str, str], *, assumed: bool) -> dict[str, str]:
    """Return why each of these algorithms is not tested, "" where it may be."""
    between: dict[str, set[str]] = {}
    for a in algorithms:
        for key, value in _lacking(card, a, own).items():
            between.setdefault(key, set()).add(value)
    several = [key for key, values in between.items() if len(values) > 1]
    reasons = {}
    for a in algorithms:
        name, lacking = f"{card.name}:{a}", _lacking(card, a, own)
        other = {key: value for key, value in _told(card, a).items() if key in own and not _same(own[key], value)}
        differing = "; ".join(f"{PROTOCOL[key]}: {own[key]} here, {value} there" for key, value in other.items())
        tell = choice("protocol={key: value}", "--protocol KEY=VALUE")
        untold = "; ".join(f"{key}={value}" for key, value in lacking.items())
        if card.kind == "single":
            reasons[a] = f"{name} is {KINDS[card.kind]}"
        elif other:
            reasons[a] = f"{name} has another protocol ({differing})"
        elif lacking and assumed and (apart_by := [key for key in several if key in lacking]):
            words = ", ".join(apart_by)
            reasons[a] = (
                f"algorithms of {card.name} have several protocols ({words}), and these runs have one: name those of one, or tell it ({tell})"
            )
        elif lacking and not assumed:
            how = f"tell it ({tell}), or assume it ({choice('assume_same_protocol=True', '--assume-same-protocol')})"
            reasons[a] = f"it is not known whether these runs have the protocol of {name} ({untold}): {how}"
        else:
            reasons[a] = ""
    return reasons


def _same(own: str, theirs: str) -> bool:
    """Return whether two values are equal, as numbers where they are."""
    try:
        return float(own.replace("_", "").replace(",", "")) == float(theirs)
    except ValueError:
        return own.casefold() == theirs.casefold()


# ── units, copies, origin ──────────


def _in_unit(published: Scores, mine: Scores, card: ArchiveSet, *, check_units: bool) -> Scores:
    """Return published scores in the unit of one's own."""
    from runoff.data.provenance import NEGATED
    from runoff.references import load_reference, registered

    reference = mine.provenance.reference
    if NEGATED in mine.provenance.notes:
        raise DataError(
            f"of these scores lower was better, and of those of set {card.name!r} higher is: they measure other things."
        )
    if card.normalised:
        if reference is None or not reference.startswith("atari "):
            how = choice("scores.normalize('atari')", "--normalize atari")
            raise DataError(
                f"the scores of set {card.name!r} are normalised by {card.normalised}, and these are not: {how}."
            )
        return published
    if reference is None:
        if check_units:
            _refuse_normalised(published, mine, card)
        return published
    scale = next((scale for name in registered() if str(scale := load_reference(name)) == reference), None)
    if scale is None:
        raise DataError(
            f"these scores are normalised by {reference}, and those of set {card.name!r} are raw: give scores, or normalise by registered "
            f"references ({', '.join(registered())})."
        )
    return published.normalize(scale)


def _refuse_normalised(published: Scores, mine: Scores, card: ArchiveSet) -> None:
    """Refuse own scores that look normalised on most of the tasks on which all published algorithms have large ones."""
    large = {}
    for task in published.tasks:
        theirs = [sorted(abs(cell)) for a in range(published.n_algorithms) if (cell := published.cell(a, task)).size]
        own = [abs(cell).max() for a in range(mine.n_algorithms) if (cell := mine.cell(a, task)).any()]
        if own and min(cell[len(cell) // 2] for cell in theirs) >= RAW:
            large[task] = max(own)
    small = [task for task, most in large.items() if most <= SMALL]
    if 2 * len(small) > len(large):
        raise DataError(
            f"these scores look normalised already (on {small[0]} up to {large[small[0]]:.3g}), and those of set {card.name!r} are raw: give "
            f"raw scores; if these are raw, {choice('archive.joined(scores, set, check_units=False)', '--assume-raw')} says so."
        )


def _refuse_twice(parts: Sequence[Published]) -> None:
    """Refuse published runs that two of the names stand for."""
    before: dict[str, frozenset[int]] = {}
    for part in parts:
        for name, keys in part.keys.items():
            for other, own in before.items():
                if n := len(own & keys):
                    raise DesignError(
                        f"{other} and {name} are in part the same runs ({counted([n], 'run')}); name one of them."
                    )
        before |= part.keys


def _origin(mine: Scores, parts: Sequence[Published]) -> Provenance:
    """Return the origin of one's own runs, with that of the published ones: what was assumed first."""
    untested = {name: why for part in parts for name, why in part.untested.items()}
    notes = [note for part in parts for note in part.notes]
    for part in parts:
        copies = equal_runs(mine.to_polars(), part.scores.to_polars())
        for own, name in copies.items():
            untested[name] = (
                f"scores of {own!r} are those of {name} to the last digit: a copy of published runs is no second set of runs"
            )
            notes.append(untested[name])
    first = [note for note in notes if note.startswith("it was assumed")]
    origin = replace(mine.provenance, notes=(*first, *mine.provenance.notes), published=tuple(untested.items()))
    return origin.noting(*notes)
