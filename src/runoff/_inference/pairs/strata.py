"""Several benchmarks, or suites of tasks, as strata: each is a line of its own, and the weighted mean of all is made of these."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite
from typing import Any

import numpy as np

from runoff._inference.bootstrap import Metric, estimate_of, parse_metric
from runoff._inference.pairs.measure import IMPROVEMENT
from runoff._inference.pairs.mover import MoverLaw
from runoff._inference.pairs.over_tasks import TaskPair
from runoff._inference.pairs.pair import PairData, all_pairs, values_of
from runoff.base.arrays import Floats
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
        links = links_of(self.within, measure) if self.shared and self.over == "runs" else None
        return MoverLaw(tuple(part.law(measure) for part in self.within), self.weights, links)

    def has_error(self, measure: str) -> bool:
        return all(part.has_error(measure) for part in self.within)

    def largest(self, measure: str, level: float) -> tuple[str, int, float]:
        """Return the stratum that most of the width is of, its number of tasks, and its share of the squared width."""
        law = self.law(measure)
        assert isinstance(law, MoverLaw)
        at, share = max(enumerate(law.shares(level)), key=lambda item: item[1])
        return self.strata[at], len(self.within[at].tasks), share


def links_of(within: Sequence[PairData], measure: str) -> Floats:
    """Return the correlations of the errors of strata that share runs, (n_strata, n_strata): of what each run adds to every stratum."""
    chance = measure == IMPROVEMENT
    x, y = (
        [
            _beaten(part.x, part.y, side) if chance else without_each(getattr(part, side), parse_metric(measure))
            for part in within
        ]
        for side in "xy"
    )
    return correlations(x, y)


def links_of_one(parts: Sequence[Scores], name: str, measure: str) -> Floats | None:
    """Return the correlations of the errors of an algorithm in strata that share runs, None of others; of a chance to beat others they are not
    above 1."""
    if not any(part.sampling.shared for part in parts):
        return None
    if measure == IMPROVEMENT:
        return np.ones((len(parts), len(parts)))
    cells = [[cell for cell in part.cells(part.algorithms.index(name)) if cell.size] for part in parts]
    return correlations([without_each(own, parse_metric(measure)) for own in cells])


def _beaten(x: Sequence[Floats], y: Sequence[Floats], side: str) -> Floats:
    """Return what the chance of a is without each run of a side, but for a constant: minus the run's own chance."""
    axis = 1 if side == "x" else 0
    own = [((a[:, None] > b) + 0.5 * (a[:, None] == b)).mean(axis=axis) for a, b in zip(x, y, strict=True)]
    return np.asarray(np.mean(own, axis=0)) / -max(len(own[0]) - 1, 1)


def without_each(cells: Sequence[Floats], metric: Metric) -> Floats:
    """Return a metric of shared runs without each of these, (n_runs,)."""
    kept = [np.arange(cells[0].size) != run for run in range(cells[0].size)]
    return np.array([estimate_of([cell[rows] for cell in cells], metric, shared=len(cells) > 1).value for rows in kept])


def correlations(*sides: Sequence[Floats]) -> Floats:
    """Return the correlations of strata by the jackknife over the runs of each side, of values without each run; 0 where one does not vary."""
    several = [np.array(side) for side in sides if len(side[0]) > 1] or [np.zeros((len(sides[0]), 2))]
    covariance = np.sum([np.cov(side) * (side.shape[1] - 1) ** 2 / side.shape[1] for side in several], axis=0)
    errors = np.sqrt(np.diag(covariance))
    scale = np.outer(errors, errors)
    links: Floats = np.divide(covariance, scale, out=np.zeros_like(covariance), where=scale > 0)
    np.fill_diagonal(links, 1.0)
    return links


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
    firsts = [of_stratum[0] for of_stratum in parts]
    refuse_crossed(names, [{*(pair.clusters or ())} if isinstance(pair, TaskPair) else set() for pair in firsts])
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


def refuse_crossed(names: Sequence[str], clusters: Sequence[Collection[str]]) -> None:
    """Refuse clusters with tasks in several strata, whose errors then go together, while strata are taken for samples of their own."""
    home: dict[str, str] = {}
    for name, own in zip(names, clusters, strict=True):
        for cluster in sorted(own):
            if (other := home.setdefault(cluster, name)) != name:
                raise DesignError(
                    f"cluster {cluster!r} has tasks in strata {other!r} and {name!r}, which are samples of their own: leave out "
                    f"{option('strata')}, or name clusters within strata."
                )


def split(
    scores: Scores,
    strata: Mapping[str, str],
    weights: StratumWeights | Mapping[str, float],
    *,
    least: int = 2,
    cluster: Mapping[str, str] | None = None,
) -> tuple[tuple[str, ...], list[Scores], tuple[float, ...]]:
    """Return the names of the strata, and the scores and the weight of each; least: the fewest strata there may be; cluster: of each task."""
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
    if cluster is not None:
        refuse_crossed(names, [{str(cluster.get(task)) for task in part.tasks} for part in parts])
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
