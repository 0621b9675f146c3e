"""Tasks or items as the sample: the law of a pair is that of its differences task by task, and speaks of tasks like these (Miller 2024).

The runs of a cell, one or more, are averaged; their noise is a part of the spread of the differences over tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np

from runoff._inference.bootstrap import Ends, Law
from runoff._inference.pairs.cells import means_of, refuse_constant
from runoff._inference.pairs.chance import EVEN
from runoff._inference.pairs.items import clusters_of, item_law, mcnemar, names_of
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.measure import (
    HODGES_LEHMANN,
    IMPROVEMENT,
    make_one_unit,
    one_unit,
    other_measures,
    refuse_pass,
)
from runoff._inference.pairs.pair import (
    PairData,
    all_pairs,
)
from runoff._inference.pairs.rates import ROUNDING
from runoff._inference.pairs.signed_rank import MOST_TASKS, signed_rank_law
from runoff._inference.pairs.small import Relabelling
from runoff._inference.pairs.tests import BY_SPREAD, measure_by
from runoff._inference.pairs.where import task_leads
from runoff.base.arrays import BESIDE, SMALLEST, Floats, of_shares
from runoff.base.validate import check_choice, check_over
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.measures import FOR_IMPROVEMENT, MANY_TASKS, even_of
from runoff.words.names import OverName, measure_words
from runoff.words.numbers import counted
from runoff.words.speech import call, option

OVER: tuple[OverName, ...] = ("auto", "runs", "tasks")
FOR_MEAN = 10
"""From so many tasks on a t interval over tasks misses the true mean of scores in [0, 1] in at most .065 of samples. Means of unbounded scores
miss it in .09 to .23 (docs/calibration.md)."""


@dataclass(frozen=True, kw_only=True)
class TaskPair(PairData):
    """A pair whose tasks are the sample.

    bounded: all scores of all algorithms are shares of 1 (`of_shares`). clusters: of each task, the cluster that it was drawn with.
    """

    bounded: bool
    clusters: Sequence[str] | None = None

    over = "tasks"

    @property
    def flips(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the items that only the first, and only the second, solved; None but of items answered yes or no once."""
        if not self.binary or max(cell.size for cell in self.cells) > 1:
            return None
        leads = self.leads("mean")
        first, second = (tuple(self.tasks[t] for t in np.flatnonzero(side).tolist()) for side in (leads > 0, leads < 0))
        return first, second

    @property
    def once(self) -> bool:
        """Return whether each task was attempted once and drawn by itself, so that each is won, even or lost."""
        alone = self.clusters is None or names_of(self.clusters) is None
        return alone and max(cell.size for cell in self.cells) == 1

    @property
    def single(self) -> bool:
        """Return whether these are items answered yes or no, one attempt each, every item drawn by itself."""
        return self.binary and self.once

    @property
    def tied(self) -> float:
        """Return the share of pairs of tasks on which the two differ by the same amount, as they do where scores are ratings."""
        leads = np.abs(self.leads("mean"))
        # Of two differences that should be equal one may be another in its last digits.
        sizes = np.unique(np.round(leads[leads > 0] / max(leads.max(), SMALLEST), 9), return_counts=True)[1]
        return float((sizes * (sizes - 1)).sum() / (leads.size * (leads.size - 1)))

    def leads(self, measure: str) -> Floats:
        """Return by how much a is ahead on each task, (n_tasks,): by its mean, or by its chance less ½."""
        if measure == IMPROVEMENT:
            chances = task_leads(self, measure)
            return np.where(np.abs(chances) <= ROUNDING, 0.0, chances)
        *sides, middles = self.centred()
        x, y = map(means_of, sides)
        leads = x - y
        # A difference that is rounding would count as a lead where signs are counted: in the rarest labelling, and in signed ranks.
        leads[np.abs(leads) <= ROUNDING * np.maximum(np.abs(x + middles), np.abs(y + middles))] = 0.0
        return np.asarray(leads)

    def n_differing(self, measure: str) -> int:
        """Return how many tasks, or clusters with a task, are not even."""
        leads = self.leads(measure)
        codes = np.arange(leads.size) if self.clusters is None else np.asarray(self.clusters)
        return int(np.unique(codes[leads != 0]).size)

    @property
    def n_clusters(self) -> int | None:
        """Return how many clusters the tasks are of; None where each is drawn by itself."""
        return None if self.clusters is None else len(set(self.clusters))

    def further(self, measure: str) -> Ends | None:
        """Return the lowest and highest value of a task, between which that of a further task lies with chance (T − 1)/(T + 1).

        None where tasks come in clusters, for a task of a new one is not drawn as these; and where one attempt each is won, even or lost.
        """
        leads, single = self.leads(measure), max(cell.size for cell in self.cells) == 1
        if self.clusters is not None or (single and (self.binary or measure == IMPROVEMENT)):
            return None
        even = even_of(measure)
        return even + float(leads.min()), even + float(leads.max())

    def _law(self, measure: str) -> PairLaw:
        """Return the law of a measure over tasks like these; without an interval where its error is not known to hold."""
        leads = self.leads(measure)
        if measure == HODGES_LEHMANN:
            return signed_rank_law(leads)
        chance = measure == IMPROVEMENT
        codes = None if self.clusters is None else names_of(self.clusters)
        # A task that was attempted once is won, even or lost, as an item is that one of the two solved.
        won = chance and self.once
        if self.binary or codes is not None or won:
            attempts = np.array([cell.size for cell in self.cells], np.float64) if self.binary or won else None
            return item_law(2 * leads if chance else leads, codes, attempts=attempts, chance=chance)
        least, even = (FOR_IMPROVEMENT, EVEN) if chance else (FOR_MEAN, 0.0)
        if len(leads) < least or not (self.bounded or even):
            return Law(even + fsum(leads) / len(leads), ())
        runs = np.concatenate(self.cells)
        # Shares of 1 may lie a little outside [0, 1] (`of_shares`), and a difference of two of them then goes a little beyond 1.
        strict = runs.min() >= 0 and runs.max() <= 1
        return t_over_tasks(leads, even, most=1.0 if strict else 1 + 2 * BESIDE)


def t_over_tasks(leads: Floats, even: float, most: float = 1.0) -> Law:
    """Return the t law of the mean of leads, (n_tasks,): that of the paired t test.

    Nothing is claimed at levels below the rarest signs of k leads, 2^(1 − k). Where all lead alike, the error is as if one of them had no
    lead; where all are even there is no law. most: the largest difference of means that such scores can have.
    """
    n, value = leads.size, fsum(leads) / leads.size
    bounds = (-most, most) if even == 0 else (0.0, 1.0)
    squared = fsum(np.square(leads - value)) / (n * (n - 1))
    if squared <= ROUNDING**2:
        # n − 1 of n leads at v and one at 0 have s² = v²/n, and so the squared error s²/n = (v/n)².
        squared = (value / n) ** 2
    if abs(value) <= ROUNDING and squared <= ROUNDING**2:
        return Law(even, (), range=bounds)
    rarest = max(2.0 ** (1 - int((leads != 0).sum())), SMALLEST)  # which is 0 for a thousand tasks
    return Law(even + value, ((sqrt(squared), n - 1),), least=rarest, range=bounds)


def flips_of(pair: PairData) -> dict[str, Any]:
    """Return the items that only one of the two solved, as a `Pair` has them, and the p-value of McNemar's exact test of their numbers."""
    flips = pair.flips if isinstance(pair, TaskPair) else None
    if not isinstance(pair, TaskPair) or flips is None:
        return {}
    # Items of one cluster are won and lost together, of which that test knows nothing.
    p = mcnemar(len(flips[0]), len(flips[1])) if pair.clusters is None else None
    return {"won_tasks": flips[0], "lost_tasks": flips[1], "pvalue_mcnemar": p}


# ── which tasks, and which measure ──────────


def tasks_as_sample(
    scores: Scores, pairs: Sequence[PairData], cluster: Mapping[str, str] | None = None
) -> list[TaskPair]:
    """Return the pairs with their tasks as the sample.

    Raises
    ------
    DesignError
        A pair shares one task, or tasks of one cluster.
    DataError
        A task without a cluster.
    OptionError
        `cluster` is no mapping.
    """
    given: object = cluster
    if given is not None and not isinstance(given, Mapping):
        how = f"dict(zip(table['question'], table[{given!r}]))" if isinstance(given, str) else "{task: cluster}"
        raise OptionError(
            f"{option('cluster')} takes the cluster of each task, {{task: cluster}}, not {given!r}: give {how}, with tasks as in data.tasks."
        )
    unit_interval = of_shares(scores.values)
    return [_task_pair(pair, cluster, unit_interval=unit_interval) for pair in pairs]


def _task_pair(pair: PairData, cluster: Mapping[str, str] | None, *, unit_interval: bool) -> TaskPair:
    over = option("over", "tasks")
    if len(pair.tasks) == 1:
        raise DesignError(
            f"{over} takes the tasks as the sample, but {pair.a!r} and {pair.b!r} share one, {pair.tasks[0]!r}: add tasks, or ask about its "
            f"runs ({option('over', 'runs')})."
        )
    clusters = None if cluster is None else clusters_of(pair.tasks, cluster, f"{pair.a!r} and {pair.b!r}")
    kept = {
        name: getattr(pair, name) for name in ("a", "b", "x", "y", "tasks", "shared", "episodes", "binary", "n_all")
    }
    return TaskPair(**kept, bounded=unit_interval, clusters=clusters)


def offered_over_tasks(scores: Scores, pairs: Sequence[TaskPair]) -> dict[str, bool]:
    """Return the measures that tasks as a sample may have, and whether these tasks have an interval of each that holds."""
    n, first = min(len(pair.tasks) for pair in pairs), pairs[0]
    return {
        "mean": first.bounded and (n >= FOR_MEAN or all(pair.single for pair in pairs)),
        HODGES_LEHMANN: first.clusters is None and one_unit(scores) and n <= MOST_TASKS,
        IMPROVEMENT: has_improvement(pairs),
    }


def has_improvement(pairs: Sequence[TaskPair]) -> bool:
    """Return whether the improvement over tasks of all pairs has an interval that holds."""
    n = min(len(pair.tasks) for pair in pairs)
    return n >= FOR_IMPROVEMENT or (n >= FOR_MEAN and all(pair.once for pair in pairs))


def measure_over_tasks(
    scores: Scores, pairs: Sequence[TaskPair], measure: str = "auto", *, in_units: bool = False
) -> str:
    """Return the measure that is compared over tasks: by the design and the unit alone. in_units: a margin is given, which of scores in one unit
    is in this.

    The mean, where all scores are in [0, 1] and there are ten tasks or more, or items answered yes or no once; else, in one unit, the
    Hodges-Lehmann difference of up to a thousand tasks; in units of their own, of more tasks, and of ratings, whose differences are often equal,
    the improvement, from 26 tasks on, of one attempt each from ten.

    Raises
    ------
    DesignError
        No measure has an interval that holds for such tasks.
    OptionError
        This measure has none, or is not known.
    """
    over, n, holds = option("over", "tasks"), min(len(pair.tasks) for pair in pairs), offered_over_tasks(scores, pairs)
    if measure != "auto":
        refuse_pass(measure)
        check_choice("measure", measure, ("auto", *holds))
        if holds[measure]:
            return measure
        raise OptionError(f"{over} does not offer the {measure_words(measure)} of these scores: {LACKING[measure]}.")
    if chosen := _by_design(scores, pairs, holds, in_units=in_units):
        return chosen
    if one_unit(scores):
        raise DesignError(
            f"{option('cluster')} needs ten tasks with scores in [0, 1], or 26 tasks of any kind; here are {n}."
        )
    # No option is named, or the command line would offer the one that was refused.
    raise DesignError(
        f"{counted([n], 'task')} in units of their own are no sample, for the probability of improvement needs {FOR_IMPROVEMENT} of them, "
        f"{FOR_MEAN} where each was attempted once: "
        f"{make_one_unit()}, or add tasks."
    )


TIED = 0.05
"""From such a share of equal differences on the improvement stands for the Hodges-Lehmann difference, of which those that cancel count for
neither side: of 80 ratings from 1 to 10 a fifth is equal, of scores from 0 to 100 a fiftieth. It is a matter of sizes, not of who is ahead, and
so of neither error rate."""


def _by_design(
    scores: Scores, pairs: Sequence[TaskPair], holds: Mapping[str, bool], *, in_units: bool = False
) -> str | None:
    rated = holds[IMPROVEMENT] and not in_units and any(pair.tied > TIED for pair in pairs)
    offered = [name for name in holds if holds[name] and not (rated and name == HODGES_LEHMANN)]
    return next((name for name in offered if one_unit(scores) or name == IMPROVEMENT), None)


def sample_beside(scores: Scores, pairs: Sequence[PairData], measure: str) -> tuple[Sequence[TaskPair], str | None]:
    """Return the tasks of pairs as a sample beside their runs, and its measure: that of the runs where it is offered, else that of the design.

    None where no measure has an interval that holds for such tasks.
    """
    sample = tasks_as_sample(scores, pairs)
    holds = offered_over_tasks(scores, sample)
    return sample, measure if holds.get(measure) else _by_design(scores, sample, holds)


LACKING = {
    "mean": f"it needs {FOR_MEAN} tasks or more and scores in [0, 1], for otherwise its interval misses the true mean in 11 to 23 % of samples; "
    "take hodges_lehmann",
    HODGES_LEHMANN: f"it needs scores in one unit, at most {MOST_TASKS:,} tasks, and none in clusters",
    IMPROVEMENT: f"it needs {FOR_IMPROVEMENT} tasks or more, {FOR_MEAN} where each was attempted once, for with 10 its interval misses the true "
    "chance of several attempts in 11 % of samples",
}
"""What a measure needs, where it is not offered."""


# ── what is the sample ──────────


def sample_over(
    scores: Scores, over: OverName, test: str, *, cluster: object, strata: object = None, weights: object = "equal"
) -> OverName:
    """Return what is the sample; refuse what is none, and options of runs with tasks as the sample, or of no strata.

    "auto": the tasks where each is an item that was attempted once, six or more, and where clusters of tasks are named; else the runs.
    """
    check_over(over, OVER)
    if over == "auto":
        items = scores.of_items and scores.n_tasks >= MANY_TASKS and test == "auto"
        over = "tasks" if items or cluster is not None else "runs"
    if over == "runs" and cluster is not None:
        raise OptionError(
            f"{option('cluster')} says which tasks were drawn together: use {option('over', 'tasks')} with it."
        )
    if over == "tasks" and test != "auto":
        message = f"{option('test', test)} is about runs, and {option('over', over)} takes tasks as the sample: leave one of them out."
        raise OptionError(message)
    if strata is not None and test != "auto":
        raise OptionError(f"each stratum has the test of its design: leave out {option('test', test)}.")
    if strata is None and weights != "equal":
        raise OptionError(f"{option('weights')} are those of strata: use {option('strata')} with them.")
    return over


def refuse_items(scores: Scores) -> None:
    """Refuse to compare runs where each item was attempted once: nothing says how another attempt, or training, would end."""
    if scores.of_items:
        few = (
            f"repeat the attempts, or add tasks to have {MANY_TASKS} or more and "
            if scores.n_tasks < MANY_TASKS
            else ""
        )
        raise DesignError(
            f"each algorithm attempted each of the {scores.n_tasks} tasks once, so there are no repeated runs to compare; "
            f"{few}compare over tasks like these, paired task by task: {call('compare', over='tasks')}."
        )


def sample_of(
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    measure: str,
    test: str,
    *,
    tasks: bool,
    cluster: Mapping[str, str] | None,
    relabelling: Relabelling,
    margin: float | None,
) -> tuple[Sequence[PairData], str, Sequence[str]]:
    """Return the pairs, with their runs or their tasks as the sample, the measure that they are compared by, and the others."""
    if tasks:
        sample = tasks_as_sample(scores, all_pairs(scores, chosen), cluster)
        kind = measure_over_tasks(scores, sample, measure, in_units=margin is not None)
        others = [name for name, holds in offered_over_tasks(scores, sample).items() if holds and name != kind]
        return sample, kind, [] if scores.binary else others
    if test == "auto":
        refuse_items(scores)
    kind = measure_by(scores, measure, test)
    refuse_constant(scores)
    pairs = all_pairs(scores, chosen, kind if test in BY_SPREAD else None, relabelling)
    return pairs, kind, other_measures(scores, kind)
