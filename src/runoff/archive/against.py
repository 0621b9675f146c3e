"""Joining published runs with your own, on shared tasks and in one unit, and deciding whether their protocols allow a test.

Algorithms that may not be tested are joined all the same, with the reason: their estimates are shown, and tests refuse them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from runoff.archive.load import equal_curves, equal_scores, load, table
from runoff.archive.protocol import at_step, lacking, number, protocol_of, protocols_of, untested
from runoff.archive.sets import KINDS, ArchiveSet, info, matched
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.names import ASSUMED
from runoff.words.numbers import counted
from runoff.words.speech import choice, neutral, option

if TYPE_CHECKING:
    from runoff.base.arrays import Floats
    from runoff.data.curves import Curves
    from runoff.data.provenance import Provenance
    from runoff.data.scores import Scores

JoinedRuns = TypeVar("JoinedRuns", "Scores", "Curves")

FEW = 6
"""The largest number of tasks that a sentence names."""
TOLD = 2
"""The largest number of reasons that advice gives."""
RAW, SMALL = 100.0, 2.0
"""Published scores on a task are in raw units if their medians are at least RAW; normalised scores lie mostly within ±SMALL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Runs of one set under their names in the comparison; untested: the reason why each may not be tested, or ""; keys: the keys of each
    one's runs."""

    runs: Any
    untested: Mapping[str, str]
    keys: Mapping[str, frozenset[int]]
    notes: tuple[str, ...]

    def has(self, a: int, t: int) -> bool:
        """Return whether algorithm a is compared on task t; a single run is not, unless the algorithm has nothing else."""
        counts = self.runs.n_runs[a]
        # More than one run where the algorithm has several anywhere, else more than none.
        return bool(counts[t] > (counts.max() > 1))

    @property
    def tasks(self) -> list[str]:
        every = range(len(self.runs.algorithms))
        return [task for t, task in enumerate(self.runs.tasks) if any(self.has(a, t) for a in every)]


def joined(
    mine: JoinedRuns,
    against: str | Sequence[str],
    *,
    protocol: Mapping[str, str] | None = None,
    assume_same_protocol: bool = False,
    assume_raw: bool = False,
) -> JoinedRuns:
    """Return these runs with published ones, as described in `Scores.beside`."""
    if mine.sampling.unit == "episode" or mine.sampling.shared:
        how = option("unit", "episode") if mine.sampling.unit == "episode" else option("runs", "shared")
        raise DesignError(
            f"published scores are those of training runs on single tasks, and cannot be compared with scores read with {how}."
        )
    specs = [against] if isinstance(against, str) else [*against] if isinstance(against, Sequence) else []
    if not specs or not all(isinstance(spec, str) for spec in specs):
        raise OptionError(
            f"{option('against')} must name a set, such as 'atari_100k:SPR', or several, not {against!r}."
        )
    if not isinstance(protocol, Mapping | None):
        raise OptionError(
            f"{option('protocol')} must be a mapping, such as {{'action_repeat': '2'}}, not {protocol!r}."
        )
    own = protocol_of(mine, protocol or {})
    parts: list[Published] = [
        _published(text, mine, own, assumed=assume_same_protocol, assume_raw=assume_raw) for text in specs
    ]
    _refuse_twice(parts)
    tasks = [task for task in mine.tasks if any(task in part.tasks for part in parts)]
    # Own algorithms first: figures and tables begin with them.
    names = [name for runs in (mine, *(part.runs for part in parts)) for name in runs.algorithms]
    columns = [mine.tasks.index(task) for task in tasks]
    for name, n in zip(mine.algorithms, mine.n_runs[:, columns].sum(axis=1).tolist(), strict=True):
        if names.count(name) > 1:
            raise DesignError(
                f"two algorithms are called {name!r}, one of your runs and one of the archive; rename yours."
            )
        if not n:
            raise DesignError(f"algorithm {name!r} has runs on none of the tasks of {', '.join(specs)}; leave it out.")
    return _together(mine, parts, names, tasks)  # type: ignore[no-any-return]


def _together(mine: Scores | Curves, parts: Sequence[Published], names: Sequence[str], tasks: Sequence[str]) -> Any:
    """Return your own and the published runs, in the order of these names and tasks."""
    from runoff.data.scores import Scores

    origin = _origin(mine, parts)
    every: list[tuple[Any, Callable[[int, int], bool]]] = [(mine, lambda a, t: bool(mine.n_runs[a, t]))]
    cells = {
        (names.index(name), tasks.index(task)): (runs, a, t)
        for runs, has in [*every, *((part.runs, part.has) for part in parts)]
        for a, name in enumerate(runs.algorithms)
        for t, task in enumerate(runs.tasks)
        if task in tasks and has(a, t)
    }
    if isinstance(mine, Scores):
        grid = {cell: runs.labelled(a, t) for cell, (runs, a, t) in cells.items()}
        return Scores.from_grid(names, tasks, grid, origin, mine.sampling)
    return _curves_of(cells, mine, names, tasks, origin)


def _curves_of(
    cells: Mapping[tuple[int, int], tuple[Curves, int, int]],
    mine: Curves,
    names: Sequence[str],
    tasks: Sequence[str],
    origin: Provenance,
) -> Curves:
    """Return the curves of these cells, cut on each task at the step at which the shorter side ends."""
    import numpy as np

    from runoff.base.arrays import read_only

    spans = {
        key: range(*runs.cell_offsets[(c := a * len(runs.tasks) + t) : c + 2]) for key, (runs, a, t) in cells.items()
    }
    # The longest run of a cell, for single runs that crashed must not cut those of all others.
    ends = {(a, t): max(runs.curve(i)[0][-1] for i in spans[a, t]) for (a, t), (runs, _, _) in cells.items()}
    # On a task, curves end where that own algorithm ends that was trained longest, or sooner, with the first of the
    # published ones: beyond it nothing can be compared.
    limits, cut = [], []
    for t, task in enumerate(tasks):
        of_task = {a: end for (a, at), end in ends.items() if at == t}
        own = max(end for a, end in of_task.items() if cells[a, t][0] is mine)
        limits.append(min([own, *(end for a, end in of_task.items() if cells[a, t][0] is not mine)]))
        if max(of_task.values()) > limits[t]:
            cut.append(f"{task} {limits[t]:g}")
    keys = list(product(range(len(names)), range(len(tasks))))
    whole = [(cells[key][0], key[1], i) for key in keys for i in spans.get(key, ())]
    points = [_up_to(runs, i, limits[t]) for runs, t, i in whole]
    note = f"curves are cut where the shorter side ends, at step: {', '.join(cut[:FEW])}{', …' * (len(cut) > FEW)}"
    counts = [len(spans.get(key, ())) for key in keys]
    return replace(
        mine,
        algorithms=tuple(names),
        tasks=tuple(tasks),
        steps=read_only(np.concatenate([steps for steps, _ in points])),
        values=read_only(np.concatenate([values for _, values in points])),
        run_offsets=read_only(np.cumsum([0, *(steps.size for steps, _ in points)])),
        cell_offsets=read_only(np.cumsum([0, *counts])),
        run_labels=tuple(runs.run_labels[i] for runs, _, i in whole),
        provenance=origin.noting(*[note] * bool(cut)),
        time=None,
        episodes=None,
    )


def _up_to(runs: Curves, i: int, limit: float) -> tuple[Floats, Floats]:
    """Return the steps and scores of a curve up to a step; refuse one that begins after it."""
    steps, values = runs.curve(i)
    if steps[0] > limit:
        raise DesignError(
            f"{runs.named(i)} begins at step {steps[0]:.10g}, and the curves compared with it end at {limit:.10g}: are their steps in one unit?"
        )
    return steps[steps <= limit], values[steps <= limit]


def _published(
    text: str, mine: Scores | Curves, own: Mapping[str, str], *, assumed: bool, assume_raw: bool
) -> Published:
    """Return the runs named by a text such as "atari_100k:SPR,DrQ", on the tasks and in the unit of `mine`."""
    from runoff.data.curves import Curves

    card, at, algorithms = _spec(text)
    if card.kind == "tuning":
        raise DesignError(f"set {card.name!r} is {KINDS[card.kind]}; name another set.")
    of_set = card.name if at is None else at_step(card, at)
    of_curves = isinstance(mine, Curves)
    if of_curves and at is not None:
        raise OptionError(f"curves are compared step by step: leave out the step of {text!r}.")
    runs, meant = _loaded(mine, card, algorithms, at=at, curves=of_curves)
    protocols = protocols_of(card, runs.algorithms, meant, at, curves=of_curves)
    # Why an algorithm is not tested stands beside its estimates; the first reason that is found is enough.
    reasons = untested(card, protocols, own, assumed=assumed)
    single = []
    for a, counts in zip(runs.algorithms, runs.n_runs.tolist(), strict=True):
        single += [(a, t) for t, n in zip(runs.tasks, counts, strict=True) if n == 1 < max(counts)]
        if max(counts) == 1:
            reasons[a] = f"{of_set}:{a} has a single run on each of these tasks and cannot be tested against"
    labels = {
        a: f"{of_set}:{a}" + ASSUMED * (assumed and not reasons[a] and bool(lacking(protocols[a], own)))
        for a in runs.algorithms
    }
    # Own spellings of tasks, so that both sides meet in one column.
    names = runs.rename(algorithms=labels, tasks={theirs: task for task, theirs in meant.items()})
    rows = table(card).filter(series="score").select("algorithm", "task", "key").iter_rows()
    keys: dict[str, set[int]] = {name: set() for name in labels.values()}
    for algorithm, task, key in rows:
        if algorithm in labels and task in meant.values():
            keys[labels[algorithm]].add(key)
    return Published(
        runs=_in_unit(names, mine, card, assume_raw=assume_raw),
        untested={labels[a]: why for a, why in reasons.items()},
        keys={name: frozenset(own_keys) for name, own_keys in keys.items()},
        notes=(
            *_notes(mine, card, meant, labels),
            *_single(card, single),
            *(f"{card.name}: {neutral(note)}" for note in runs.provenance.notes),
        ),
    )


def _loaded(
    mine: Scores | Curves, card: ArchiveSet, algorithms: list[str] | None, **settings: Any
) -> tuple[Any, dict[str, str]]:
    """Return the runs on shared tasks, with notes on these only, and the set's task for each of the user's."""
    every = load(card.name, algorithms=algorithms, **settings)
    meant = _meant(mine, card, every)
    # The first reading says which tasks there are, the second is of the shared ones alone.
    runs = load(card.name, algorithms=algorithms, tasks=list(meant.values()), **settings)
    for a in every.algorithms if algorithms else ():
        if a not in runs.algorithms:
            raise DesignError(f"algorithm {a!r} of set {card.name!r} has runs on none of these tasks; leave it out.")
    return runs, meant


def _single(card: ArchiveSet, cells: Sequence[tuple[str, str]]) -> list[str]:
    """Return the note on single runs that are left out, of algorithms that have several runs elsewhere."""
    names = [f"{a} on {t}" for a, t in cells[:FEW]] + ["…"] * (len(cells) > FEW)
    return (
        [f"single runs of set {card.name} cannot be tested against and are left out: {', '.join(names)}"]
        if cells
        else []
    )


def _spec(text: str) -> tuple[ArchiveSet, float | None, list[str] | None]:
    """Return the set, the step and the algorithms in a text such as "simbav2@1e6:sac,bro"; a name in the set may contain commas."""
    name, _, algorithms = text.partition(":")
    name, _, step = name.partition("@")
    card = info(name.strip())
    at = number(step)
    if step and not (at and 0 < at < float("inf")):
        raise OptionError(f"the step of {text!r} must be a number above 0, as in {name}@1e6.")
    own = algorithms.strip()
    if not own:
        return card, at, None
    # Some published names hold a comma themselves.
    names = [own] if own in card.algorithms else [part.strip() for part in own.split(",") if part.strip()]
    return card, at, [_spelled(name, card.algorithms) for name in names]


def _spelled(name: str, names: Collection[str]) -> str:
    """Return the name as the set spells it, where only one differs from it in nothing but capital letters."""
    alike = [own for own in names if own.casefold() == name.casefold()]
    return name if name in names or len(alike) != 1 else alike[0]


# ── names of tasks ──────────


def _meant(mine: Scores | Curves, card: ArchiveSet, runs: Any) -> dict[str, str]:
    """Return the set's task for each of the user's tasks; refuse two names of the same task, and data without a shared task."""
    meant = {task: theirs for task, theirs in matched(mine.tasks, card).items() if theirs and theirs in runs.tasks}
    if not meant:
        of = f" ({runs.algorithms[0]})" if len(runs.algorithms) == 1 else ""
        message = f"set {card.name!r}{of} has none of these tasks: {_others(mine.tasks, card, runs.tasks)}."
        raise DesignError(message)
    pairs = {theirs: task for task, theirs in meant.items()}
    for task, theirs in meant.items():
        if pairs[theirs] != task:
            raise DesignError(
                f"tasks {task!r} and {pairs[theirs]!r} are both {theirs!r} in set {card.name!r}; give them one name "
                f"({choice('rename with merge=True', '--rename OLD=NEW --merge')}) or leave one out."
            )
    return meant


def _others(tasks: Sequence[str], card: ArchiveSet, there: Collection[str]) -> str:
    """Return tasks that a set lacks, each with the nearest name, the version that the set has, or that only its other algorithms have it."""
    words = []
    for task in tasks[:FEW]:
        bare = re.sub(r"-v\d+$", "", task)
        version = matched([bare], card)[bare] if bare != task else None
        near = nearest(task, there).strip()
        of_others = matched([task], card)[task]
        why = "only other algorithms of the set have it" if of_others else near
        words.append(
            f"{task!r}" + f" ({f'it has {version!r}, another version' if version else why})" * bool(version or why)
        )
    return ", ".join(words) + (f" and {len(tasks) - FEW} more" if len(tasks) > FEW else "")


def _notes(
    mine: Scores | Curves, card: ArchiveSet, meant: Mapping[str, str], labels: Mapping[str, str]
) -> tuple[str, ...]:
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
        *(
            [f"not in set {card.name}, and not compared with it: {_others(missing, card, card.tasks)}"]
            if missing
            else []
        ),
    )


# ── units, copies, origin ──────────


def _in_unit(published: Any, mine: Scores | Curves, card: ArchiveSet, *, assume_raw: bool) -> Any:
    """Return published scores in the unit of the user's own."""
    from runoff.references import load_reference, registered

    reference = mine.provenance.reference
    if mine.provenance.of_costs:
        raise DataError(
            f"lower is better for these scores, but higher for those of set {card.name!r}: they measure different things."
        )
    if card.normalized:
        if reference is None or not reference.startswith("atari "):
            how = choice("scores.normalize('atari')", "--normalize atari")
            raise DataError(
                f"the scores of set {card.name!r} are normalised by {card.normalized}, but these scores are not: {how}."
            )
        return published
    if reference is None:
        if not assume_raw:
            _refuse_normalised(_ends(published), _ends(mine), card)
        return published
    scale = next((scale for name in registered() if str(scale := load_reference(name)) == reference), None)
    if scale is None:
        raise DataError(
            f"these scores are normalised by {reference}, and those of set {card.name!r} are raw: give scores, or normalise by registered "
            f"references ({', '.join(registered())})."
        )
    return published.normalize(scale)


def _ends(runs: Scores | Curves) -> Scores:
    from runoff.data.curves import Curves

    return runs.final(1, incomplete="carry") if isinstance(runs, Curves) else runs


def _refuse_normalised(published: Scores, mine: Scores, card: ArchiveSet) -> None:
    """Refuse own scores that look normalised on most of the tasks on which all published algorithms have large scores."""
    large = {}
    for task in published.tasks:
        # The median of |score|, which no single broken run moves.
        theirs = [sorted(abs(cell)) for a in range(published.n_algorithms) if (cell := published.cell(a, task)).size]
        own = [abs(cell).max() for a in range(mine.n_algorithms) if (cell := mine.cell(a, task)).any()]
        if own and min(cell[len(cell) // 2] for cell in theirs) >= RAW:
            large[task] = max(own)
    small = [task for task, most in large.items() if most <= SMALL]
    # On most of the tasks that can tell: a new algorithm may fail on some of them.
    if 2 * len(small) > len(large):
        raise DataError(
            f"these scores look normalised already (on {small[0]} up to {large[small[0]]:.3g}), and those of set {card.name!r} are raw: give "
            f"raw scores; if these are raw, {choice('scores.beside(set, assume_raw=True)', '--assume-raw')} says so."
        )


def _refuse_twice(parts: Sequence[Published]) -> None:
    """Refuse published runs that belong to two of the names."""
    before: dict[str, frozenset[int]] = {}
    for part in parts:
        for name, keys in part.keys.items():
            for other, own in before.items():
                if name == other:
                    raise DesignError(f"{name} is named twice; name it once.")
                if n := len(own & keys):
                    raise DesignError(f"{other} and {name} share {counted([n], 'run')}; name one of them.")
        before |= part.keys


def _origin(mine: Scores | Curves, parts: Sequence[Published]) -> Provenance:
    """Return the origin of the user's own runs, with that of the published ones; assumptions come first."""
    from runoff.data.provenance import Caveat

    reasons = {name: why for part in parts for name, why in part.untested.items()}
    notes = [note for part in parts for note in part.notes]
    for part in parts:
        for own, name in _copies(mine, part.runs).items():
            reasons[name] = (
                f"scores of {own!r} are those of {name}, exactly or rounded, at least in part: a copy of published runs is not a second "
                "set of runs"
            )
            notes.append(reasons[name])
    # Readers stop early; what was assumed without being known goes first.
    first = [note for note in notes if note.startswith("it was assumed")]
    origin = replace(mine.provenance, notes=(*first, *mine.provenance.notes), published=tuple(reasons.items()))
    shown = {name: why for name, why in reasons.items() if why}
    if shown:
        every = list(dict.fromkeys(shown.values()))
        more = f"; and {len(every) - TOLD} more" if len(every) > TOLD else ""
        text = f"read no verdict into published runs that are not tested: {'; '.join(every[:TOLD])}{more}."
        origin = origin.warning_of(Caveat(code="R027", severity="caution", text=text, subjects=tuple(shown)))
    lacked = [task for task in mine.tasks if not any(task in part.tasks for part in parts)]
    clause = f"{len(lacked)} of {len(mine.tasks)} tasks without published runs are left out"
    return origin.noting(*notes).treating(*[clause] * bool(lacked))


def _copies(mine: Scores | Curves, published: Any) -> dict[str, str]:
    from runoff.data.scores import Scores

    if isinstance(mine, Scores):
        return equal_scores(mine, published)
    return equal_curves(mine.to_polars(), published.to_polars())
