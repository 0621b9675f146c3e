"""Several benchmarks, or suites of tasks, as strata: each is a line of its own, and the weighted mean of all is made of these."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any

import numpy as np

from runoff._inference.pairs.measure import IMPROVEMENT
from runoff._inference.pairs.mover import MoverLaw
from runoff._inference.pairs.pair import PairData, all_pairs, values_of
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError, OptionError, RunoffError, nearest
from runoff.tables.naming import natural
from runoff.words.names import OverName, StratumWeights, measures_words
from runoff.words.numbers import listed
from runoff.words.speech import neutral, option

WEIGHTS: tuple[StratumWeights, ...] = ("equal", "tasks")
OfStratum = Callable[[Scores, str], tuple[Sequence[PairData], str]]
"""A function that returns the pairs of the scores of one stratum by a measure, or that of their design, and this measure."""


@dataclass(frozen=True, kw_only=True)
class StratifiedPair(PairData):
    """A pair over all strata, in each of which it is a pair of its own; its measure is their weighted mean."""

    strata: tuple[str, ...]
    within: tuple[PairData, ...]
    weights: tuple[float, ...]

    @property
    def over(self) -> OverName:  # type: ignore[override]
        """What is the sample in each stratum."""
        return self.within[0].over

    def _law(self, measure: str) -> MoverLaw:
        return MoverLaw(tuple(part.law(measure) for part in self.within), self.weights)

    def has_error(self, measure: str) -> bool:
        return all(part.has_error(measure) for part in self.within)

    def largest(self, measure: str, level: float) -> tuple[str, int, float]:
        """Return the stratum that most of the width is of, its number of tasks, and its share of the squared width."""
        law = self.law(measure)
        assert isinstance(law, MoverLaw)
        at, share = max(enumerate(law.shares(level)), key=lambda item: item[1])
        return self.strata[at], len(self.within[at].tasks), share


def weights_of(pair: PairData) -> tuple[tuple[str, float], ...]:
    """Return the weight of each stratum by its name; none of a pair that is in none."""
    return tuple(zip(pair.strata, pair.weights, strict=True)) if isinstance(pair, StratifiedPair) else ()


@dataclass(frozen=True, kw_only=True)
class Strata:
    """The pairs over all strata, and within each, by the measure that all are compared by."""

    pairs: Sequence[StratifiedPair]
    measure: str
    names: tuple[str, ...]
    weights: tuple[float, ...]
    scores: Sequence[Scores]

    @property
    def lines(self) -> list[tuple[str, PairData]]:
        """Each stratum's pairs, stratum by stratum."""
        return [(name, pair.within[at]) for at, name in enumerate(self.names) for pair in self.pairs]

    def values(self, measure: str) -> dict[str, float]:
        """Return the measure of each algorithm: the weighted mean of those of the strata."""
        own = [
            values_of(scores, [pair.within[at] for pair in self.pairs], measure)
            for at, scores in enumerate(self.scores)
        ]
        return {name: fsum(w * by[name] for w, by in zip(self.weights, own, strict=True)) for name in own[0]}


def in_strata(
    scores: Scores,
    strata: Mapping[str, str],
    weights: StratumWeights | Mapping[str, float],
    *,
    measure: str,
    pairs_of: OfStratum,
    chosen: Sequence[tuple[int, int]],
) -> Strata:
    """Return the pairs at these positions in strata.

    Raises
    ------
    OptionError
        `strata` is no mapping; weights of strata that there are not, or that are not above 0.
    DataError
        A task without a stratum.
    DesignError
        All tasks are in one stratum; in one of them a pair cannot be compared, or only by another measure than in the others.
    """
    names, own, shares = split(scores, strata, weights)
    measure, parts = _by_one_measure(names, own, measure, pairs_of)
    kept = ("a", "b", "x", "y", "tasks", "shared", "episodes", "binary", "rates", "n_all", "left_out")
    of_pairs: list[dict[str, Any]] = [
        {name: getattr(pair, name) for name in kept} for pair in all_pairs(scores, chosen)
    ]
    pairs = [
        StratifiedPair(
            **own_fields,
            strata=names,
            within=tuple(of_stratum[at] for of_stratum in parts),
            weights=shares,
        )
        for at, own_fields in enumerate(of_pairs)
    ]
    return Strata(pairs=pairs, measure=measure, names=names, weights=shares, scores=own)


def split(
    scores: Scores, strata: Mapping[str, str], weights: StratumWeights | Mapping[str, float], *, least: int = 2
) -> tuple[tuple[str, ...], list[Scores], tuple[float, ...]]:
    """Return the names of the strata, and the scores and the weight of each; least: the fewest strata there may be."""
    given: object = strata
    if not isinstance(given, Mapping):
        how = f"dict(zip(table['question'], table[{given!r}]))" if isinstance(given, str) else "{task: stratum}"
        raise OptionError(
            f"{option('strata')} takes the stratum of each task, {{task: stratum}}, not {given!r}: give {how}, with tasks as in data.tasks."
        )
    missing = [task for task in scores.tasks if str(strata.get(task, "")).strip() in ("", "None", "nan")]
    if missing:
        message = f"task {missing[0]!r} has no stratum in {option('strata')}; every task needs one.{nearest(missing[0], strata)}"
        raise DataError(message)
    names = tuple(sorted({str(strata[task]) for task in scores.tasks}, key=natural))
    if len(names) < least:
        raise DesignError(f"all {scores.n_tasks} tasks are in one stratum, {names[0]!r}: leave out {option('strata')}.")
    of = np.array([names.index(str(strata[task])) for task in scores.tasks])
    for at, name in enumerate(names):
        lacking = np.flatnonzero(~scores.n_runs[:, of == at].any(axis=1))
        if lacking.size:
            own = scores.algorithms[lacking[0]]
            raise DesignError(f"{own!r} has no scores in stratum {name!r}: add them, or compare the others.")
    parts = [scores.select(tasks=np.array(scores.tasks)[of == at].tolist()) for at in range(len(names))]
    return names, parts, _weights(weights, {name: part.n_tasks for name, part in zip(names, parts, strict=True)})


def _by_one_measure(
    names: Sequence[str], scores: Sequence[Scores], measure: str, pairs_of: OfStratum
) -> tuple[str, list[Sequence[PairData]]]:
    """Return the pairs of each stratum by the measure that all of them can have: of few tasks by the design, means where others have IQMs."""
    by_design = [_named(name, own, measure, pairs_of) for name, own in zip(names, scores, strict=True)]
    kinds = {kind: name for name, (_, kind) in zip(names, by_design, strict=True)}
    if len(kinds) == 1:
        return next(iter(kinds)), [pairs for pairs, _ in by_design]
    common = common_measure(kinds)
    if common is None:
        own = listed([f"{measures_words(kind)} in {name!r}" for kind, name in kinds.items()])
        raise DesignError(
            f"the strata would be compared by different measures ({own}), whose mean says nothing: name one ({option('measure', 'MEASURE')})."
        )
    return common, [_named(name, own, common, pairs_of)[0] for name, own in zip(names, scores, strict=True)]


def common_measure(kinds: Collection[str]) -> str | None:
    """Return the measure that strata can share where their designs have these: means where some have IQMs; None: there is none."""
    if len({*kinds}) == 1:
        return next(iter(kinds))
    return IMPROVEMENT if IMPROVEMENT in kinds else "mean" if {*kinds} == {"mean", "iqm"} else None


def _named(name: str, scores: Scores, measure: str, pairs_of: OfStratum) -> tuple[Sequence[PairData], str]:
    try:
        return pairs_of(scores, measure)
    except RunoffError as error:
        raise type(error)(f"stratum {name!r}: {neutral(error)}") from error


def _weights(weights: StratumWeights | Mapping[str, float], sizes: Mapping[str, int]) -> tuple[float, ...]:
    """Return the weight of each stratum, adding up to 1."""
    if isinstance(weights, Mapping):
        stranger = next((name for name in weights if name not in sizes), None)
        lacking = next((name for name in sizes if name not in weights), None)
        if stranger is not None or lacking is not None:
            what = f"there is no stratum {stranger!r}" if stranger is not None else f"stratum {lacking!r} has no weight"
            near = nearest(stranger, sizes) if stranger is not None else ""
            raise OptionError(f"{option('weights')}: {what}; the strata are {listed(list(sizes))}.{near}")
        given = {name: weights[name] for name in sizes}
    elif weights in WEIGHTS:
        given = {name: 1.0 if weights == "equal" else float(size) for name, size in sizes.items()}
    else:
        raise OptionError(f"{option('weights')} is 'equal', 'tasks' or {{stratum: weight}}, not {weights!r}.")
    bad = next((w for w in given.values() if isinstance(w, bool | str) or not isfinite(w) or w <= 0), None)
    if bad is not None:
        raise OptionError(f"{option('weights')}: a weight is a finite number above 0, not {bad!r}.")
    total = fsum(given.values())
    return tuple(weight / total for weight in given.values())
