"""A pair of algorithms: its cells on the tasks that both have, the estimates that follow from them, and which pairs a question is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import fsum
from statistics import fmean
from typing import ClassVar

import numpy as np

from runoff._inference.bootstrap import (
    Ends,
    Law,
    Mean,
    Metric,
    MetricEstimate,
    OwnMeasure,
    estimate_of,
    moved_by,
    parse_metric,
    seen,
    stratified_mean,
)
from runoff._inference.pairs.chance import (
    Placements,
    error_of_parts,
    improvement_law,
    improvement_parts,
    placements,
)
from runoff._inference.pairs.measure import IMPROVEMENT, OF_PAIRS
from runoff._inference.pairs.mover import MoverLaw, StratumLaw
from runoff._inference.pairs.rates import ROUNDING, rate_law
from runoff._inference.pairs.small import Relabelling, SmallLaw, small_law
from runoff.base.arrays import Floats, Ints, median_of
from runoff.base.bounds import refuse_beyond
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError, nearest
from runoff.references import stem
from runoff.words.measures import even_of
from runoff.words.names import OverName
from runoff.words.numbers import some
from runoff.words.speech import call

OF_FEW_RUNS = ("mean", "iqm", "iqm_whole", "optimality_gap")
"""The measures whose law, where runs are few, relabelling has a say in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measure of two algorithms with its interval, and how that was made; None for both where it has none."""

    estimate: float
    ends: Ends | None
    interval: str | None

    @classmethod
    def of(cls, estimate: float, ends: Ends | None, interval: str) -> Measured:
        return cls(estimate=estimate, ends=ends, interval=interval if ends else None)


def t_law_of(law: PairLaw) -> PairLaw:
    """Return the law without relabelling, whose interval is no wider and known at once."""
    return Law(law.value, law.laws) if isinstance(law, SmallLaw) else law


PairLaw = StratumLaw | MoverLaw
Book = dict[tuple[str, str, tuple[str, ...]], MetricEstimate]


@dataclass(frozen=True, kw_only=True)
class PairData:
    """Cells of a and b on the tasks they share.

    shared: several tasks, and run i of an algorithm is the same in each of its cells. episodes: runs are episodes of one policy. binary: all
    scores of all algorithms are 0 or 1, so that means are success rates; rates: and runs are not shared, so that sums are binomial.
    n_all: how many tasks the data have, where these are some of them; 0 elsewhere. left_out: tasks of a single run, which do not count.
    """

    a: str
    b: str
    x: Sequence[Floats]
    y: Sequence[Floats]
    tasks: Sequence[str]
    shared: bool = False
    episodes: bool = False
    binary: bool = False
    rates: bool = False
    n_all: int = 0
    left_out: tuple[str, ...] = ()
    over: ClassVar[OverName] = "runs"
    """What is the sample."""
    relabelling: Relabelling = field(default_factory=Relabelling)
    book: Book = field(default_factory=dict, init=False, compare=False)
    """Records by metric, algorithm and tasks: the pairs of one analysis have one book, a changed copy its own."""
    laws: dict[str, PairLaw] = field(default_factory=dict, init=False, compare=False)
    """The law of each measure that was needed."""

    @property
    def items(self) -> bool:
        """Return whether the sample are items, answered yes or no."""
        return self.over == "tasks" and self.binary

    @property
    def unit(self) -> str:
        return "episode" if self.episodes else "run"

    @property
    def cells(self) -> list[Floats]:
        return [*self.x, *self.y]

    @property
    def least(self) -> int:
        return min(cell.size for cell in self.cells)

    @property
    def n_runs_a(self) -> tuple[int, int]:
        return min(cell.size for cell in self.x), max(cell.size for cell in self.x)

    @property
    def n_runs_b(self) -> tuple[int, int]:
        return min(cell.size for cell in self.y), max(cell.size for cell in self.y)

    @property
    def single_runs(self) -> list[str]:
        return [task for x, y, task in zip(self.x, self.y, self.tasks, strict=True) if min(x.size, y.size) == 1]

    @property
    def lonely(self) -> list[str]:
        """Return the tasks of a single run that do not count over runs; of success rates all count."""
        return [*self.left_out] if self.left_out or self.rates else self.single_runs

    @property
    def n_counted(self) -> int:
        """Return how many tasks count over runs."""
        return len(self.tasks) if self.left_out or self.rates else len(self.tasks) - len(self.single_runs)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Return how many runs of a and b are relabelled together: those of each task, or whole runs."""
        sizes = [(x.size, y.size) for x, y in zip(self.x, self.y, strict=True)]
        return sizes[:1] if self.shared else sizes

    @cached_property
    def difference(self) -> Mean:
        """Return the difference of means, every task weighing the same; computed once, for every sentence and every rule needs it."""
        x, y, _ = self.centred()
        return replace(self, x=x, y=y).combined(1.0, -1.0)

    def centred(self) -> tuple[list[Floats], list[Floats], Floats]:
        """Return the cells of a and of b less the middle of their task, (n_tasks,): large scores lose no digit in such differences."""
        middles = np.array([median_of(np.concatenate(both)) for both in zip(self.x, self.y, strict=True)])
        x, y = ([cell - middle for cell, middle in zip(side, middles, strict=True)] for side in (self.x, self.y))
        return x, y, middles

    @cached_property
    def placed(self) -> Placements:
        """Return the placements of the runs, which the law of the improvement, its parts and the leads of tasks are made of."""
        return placements(self.x, self.y)

    @property
    def tally(self) -> tuple[int, int, int]:
        """Return on how many tasks the mean of a is higher, equal up to rounding, and lower."""
        means = np.array([means_of(self.x), means_of(self.y)])
        lead = means[0] - means[1]
        lead[np.abs(lead) <= ROUNDING * np.abs(means).max(axis=0)] = 0.0
        return int((lead > 0).sum()), int((lead == 0).sum()), int((lead < 0).sum())

    def law(self, measure: str) -> PairLaw:
        """Return the law of a measure of the pair: a's minus b's, or the probability that a run of a beats one of b."""
        if measure not in self.laws:
            self.laws[measure] = self._law(measure)
        return self.laws[measure]

    def _law(self, measure: str) -> PairLaw:
        chance = measure == IMPROVEMENT
        # Rates first: their variance follows from the rate, so that equal runs, and a single one, have a law too.
        if self.rates and (chance or measure == "mean"):
            return rate_law(self.x, self.y, chance=chance)
        if chance:
            return improvement_law(self.x, self.y, shared=self.shared, placed=self.placed)
        metric = parse_metric(measure)
        first, second = self.records(metric)
        if not self.shared and measure in OF_FEW_RUNS:
            x, y = (seen(side, metric) for side in (self.x, self.y))
            n_x, n_y = (sum(cell.size for cell in side) for side in (x, y))
            cuts = metric.cut(n_x) / n_x, metric.cut(n_y) / n_y
            if (small := small_law((first, second), x, y, cuts=cuts, relabelling=self.relabelling)) is not None:
                return small
        law = first.minus(second)
        return replace(law, range=(-1.0, 1.0)) if self.binary and metric.own is None else law

    def has_error(self, measure: str) -> bool:
        """Return whether a measure has a standard error; that of the improvement is bounded where no run differs from another."""
        law = self.law(measure)
        return measure == IMPROVEMENT or self.over == "tasks" or not isinstance(law, Law) or bool(law.laws)

    def parts(self, measure: str) -> tuple[Floats, Floats]:
        """Return what the runs of a, and of b, on each task add to the squared error of a measure; whole runs are one stratum."""
        if measure == IMPROVEMENT:
            first, second = improvement_parts(self.x, self.y, shared=self.shared, placed=self.placed)[1].T
            return first, second
        a, b = self.records(parse_metric(measure))
        return a.parts, b.parts

    def law_at(self, measure: str, n_a: Ints | float | None = None, n_b: Ints | float | None = None) -> Law:
        """Return the t law of a measure by which power is known, as so many runs of a and of b on each task would have it, or those there are.

        Of success rates it is that of their variances. Without spread, it has no laws.
        """
        of_rates = self.rates and measure in ("mean", IMPROVEMENT)
        if measure != IMPROVEMENT or of_rates:
            a, b = self.records(parse_metric("mean" if of_rates else measure))
            law = (a if n_a is None else a.at(n_a)).minus(b if n_b is None else b.at(n_b))
            share = 0.5 if measure == IMPROVEMENT else 1.0
            return replace(law, laws=tuple((share * error, df) for error, df in law.laws))
        parts = np.stack(self.parts(measure), axis=1)
        own = np.array(self.sizes, np.float64).T
        n, m = (
            np.broadcast_to(now if then is None else then, now.shape) for now, then in zip(own, (n_a, n_b), strict=True)
        )
        if self.least < 2 or not parts.sum() > 0:
            return Law(0.0, ())
        # A part is a variance over a number of runs, so other numbers scale it.
        then = parts * own.T / np.stack([n, m], axis=1)
        return Law(0.0, (error_of_parts(then, n, m, shared=self.shared),))

    def records(self, metric: Metric) -> tuple[MetricEstimate, MetricEstimate]:
        """Return the records of both."""
        return self._record(self.a, self.x, metric), self._record(self.b, self.y, metric)

    def moved_by(self, measure: str) -> list[tuple[int, int]]:
        """Return of both on how many tasks a user's function moves without a run, and on how many runs vary; nothing of other measures."""
        if not isinstance(measure, OwnMeasure):
            return []
        sides = zip(self.records(parse_metric(measure)), (self.x, self.y), strict=True)
        return [moved_by(record, cells, measure) for record, cells in sides]

    def _record(self, name: str, cells: Sequence[Floats], metric: Metric) -> MetricEstimate:
        # With its tasks: an algorithm has another record in a pair that shares fewer of them.
        key = metric.name, name, tuple(self.tasks)
        if key not in self.book:
            self.book[key] = estimate_of(cells, metric, shared=self.shared)
        return self.book[key]

    def measured(self, measure: str, confidence_level: float) -> Measured:
        """Return a measure of the pair with its interval by its law; without spread, or with single runs, it has none."""
        law = self.law(measure)
        return Measured.of(law.value, law.interval(confidence_level), law.kind)

    def combined(self, weight_a: float, weight_b: float) -> Mean:
        """Return weight_a · mean of a + weight_b · mean of b, every task weighing the same; a side of weight 0 is left out."""
        n, parts = len(self.tasks), [(self.x, weight_a), (self.y, weight_b)]
        used = [(cells, weight) for cells, weight in parts if weight]
        if self.shared:
            return stratified_mean([run_means(cells) for cells, _ in used], [weight for _, weight in used])
        return stratified_mean(
            [cell for cells, _ in used for cell in cells], [weight / n for _, weight in used for _ in range(n)]
        )

    def as_one_task(self) -> PairData:
        """Return the pair with the mean of each shared run in place of its scores."""
        x, y = ([run_means(cells)] for cells in (self.x, self.y))
        return PairData(a=self.a, b=self.b, x=x, y=y, tasks=[f"the mean of {len(self.tasks)} tasks"])


def means_of(cells: Sequence[Floats]) -> Floats:
    sizes = np.array([cell.size for cell in cells])
    return np.asarray(np.add.reduceat(np.concatenate(cells), np.cumsum(sizes) - sizes) / sizes)


def run_means(cells: Sequence[Floats]) -> Floats:
    """Return the mean over tasks of each run, (n_runs,), the same bits whatever the order of tasks; run i is the same in every cell."""
    return np.array([fsum(scores) / len(cells) for scores in np.transpose(cells).tolist()])


def chosen_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs of positions to compare: all, those named, or each other algorithm against the control.

    All are those with an algorithm of one's own, where others are published: what those say of each other is no question about these runs.
    """
    if scores.n_algorithms < 2:
        alone = f"the data have one, {scores.algorithms[0]!r}: {call('aggregate')} says how good it is"
        raise DesignError(f"a comparison needs two algorithms; {alone}.")
    if isinstance(pairs, str) and pairs == "all":
        k = scores.n_algorithms
        if control is not None:
            at = _position(scores, control)
            return [(a, at) for a in range(k) if a != at]
        refuse_beyond("pairs", k * (k - 1) // 2, f"{k} algorithms make {k * (k - 1) // 2} pairs")
        published = {name for name, _ in scores.provenance.published}
        # Where all are published, all are asked about.
        own = [a for a, name in enumerate(scores.algorithms) if name not in published] or range(k)
        return [(a, b) for a, b in combinations(range(k), 2) if a in own or b in own]
    if control is not None:
        raise OptionError("name either pairs or a control, not both.")
    if not isinstance(pairs, str) and isinstance(pairs, Sequence) and pairs:
        return [_named_pair(scores, pair) for pair in pairs]
    raise OptionError(f"pairs must be 'all' or a sequence of pairs of names, not {pairs!r}.")


def tested_pairs(scores: Scores, pairs: str | Sequence[tuple[str, str]], control: str | None) -> list[tuple[int, int]]:
    """Return the pairs to test: as `chosen_pairs`, each once, for a correction counts them."""
    chosen = chosen_pairs(scores, pairs, control)
    for both, count in Counter(map(frozenset, chosen)).items():
        if count > 1:
            # In the order in which the second of the two was written, which is the one to take out.
            a, b = (scores.algorithms[i] for i in next(pair for pair in reversed(chosen) if both == set(pair)))
            raise OptionError(f"the pair of {a!r} and {b!r} is named twice; a correction would count it twice.")
    return chosen


def all_pairs(
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    measure: str | None = None,
    relabelling: Relabelling | None = None,
) -> list[PairData]:
    """Return the pairs at these positions, with one book; measure: as for `pair_data`."""
    book: Book = {}
    pairs = [replace(pair_data(scores, a, b, measure), relabelling=relabelling or Relabelling()) for a, b in chosen]
    return [with_book(pair, book) for pair in pairs]


def with_book(pair: PairData, book: Book) -> PairData:
    """Return the pair, whose records are looked up in a book, and kept there."""
    # `replace` gives a copy a new book, for the fields are not among the arguments; this is the one way to share it.
    object.__setattr__(pair, "book", book)
    return pair


def values_of(scores: Scores, pairs: Sequence[PairData], measure: str) -> dict[str, float]:
    """Return the measure of each algorithm of these pairs: of all its own runs, or of a measure of pairs the average of its pairs."""
    names = [name for name in scores.algorithms if any(name in (pair.a, pair.b) for pair in pairs)]
    if measure in OF_PAIRS:
        # Seen from b a measure is `whole` less it: 1 − P(a > b), or the difference with its sign turned.
        whole = 2 * even_of(measure)
        of_a = [(pair, pair.law(measure).value) for pair in pairs]
        return {
            name: fmean(own if name == pair.a else whole - own for pair, own in of_a if name in (pair.a, pair.b))
            for name in names
        }
    metric, shared, values, book = parse_metric(measure), scores.sampling.shared, {}, pairs[0].book
    for name in names:
        cells = {task: cell for task, cell in zip(scores.tasks, scores.cells(name), strict=True) if cell.size}
        record = book.get((metric.name, name, tuple(cells)))
        values[name] = (record or estimate_of(list(cells.values()), metric, shared=shared)).value
    return values


def pair_data(scores: Scores, a: int, b: int, measure: str | None = None) -> PairData:
    """Return the cells of two algorithms on the tasks that both have, or on those that count in a measure over runs (`counted_tasks`)."""
    shared = shared_tasks(scores, a, b)
    tasks = shared if measure is None else counted_tasks(scores, a, b, measure)
    return PairData(
        a=scores.algorithms[a],
        b=scores.algorithms[b],
        x=[scores.cell(a, t) for t in tasks],
        y=[scores.cell(b, t) for t in tasks],
        tasks=[scores.tasks[t] for t in tasks],
        # On one task whole runs are runs like any others, and the tests of one task apply.
        shared=scores.sampling.shared and len(tasks) > 1,
        episodes=scores.sampling.unit == "episode",
        binary=scores.binary,
        rates=scores.rates,
        n_all=scores.n_tasks if len(tasks) < scores.n_tasks else 0,
        left_out=tuple(scores.tasks[t] for t in shared if t not in tasks),
    )


def counted_tasks(scores: Scores, a: int, b: int, measure: str) -> tuple[int, ...]:
    """Return the positions of the tasks that count in a measure of a pair over runs: those on which both have two runs or more.

    A single run shows no spread. Of a success rate the spread follows from the rate, so there all shared tasks count; and where no task would
    be left they all stay, without a law.
    """
    shared = shared_tasks(scores, a, b)
    several = tuple(np.flatnonzero((scores.n_runs[[a, b]] > 1).all(axis=0)).tolist())
    return shared if scores.rates and measure in ("mean", IMPROVEMENT) else several or shared


def shared_tasks(scores: Scores, a: int, b: int) -> tuple[int, ...]:
    """Return the positions of the tasks on which both have runs; DesignError if there are none."""
    shared = tuple(np.flatnonzero(scores.n_runs[[a, b]].all(axis=0)).tolist())
    if not shared:
        first, second = scores.algorithms[a], scores.algorithms[b]
        own, others = ([task for t, task in enumerate(scores.tasks) if scores.cell(i, t).size] for i in (a, b))
        raise DesignError(
            f"algorithms {first!r} and {second!r} have no task in common ({first!r} has {some(map(repr, own), 1)}); "
            f"a pair is compared on shared tasks only.{_one_task(own, others)}"
        )
    return shared


def _one_task(own: Sequence[str], others: Sequence[str]) -> str:
    spelled = {stem(task): task for task in others}
    for task in own:
        if stem(task) in spelled:
            return f" Are {task!r} and {spelled[stem(task)]!r} one task? Then rename one of them (rename, --rename OLD=NEW --merge)."
    return ""


def refuse_constant(scores: Scores) -> None:
    """Refuse data in which every run of a task has the same score, on every task; not success rates, whose intervals need no spread."""
    if scores.binary:
        return
    runs = (np.concatenate([scores.cell(a, t) for a in range(scores.n_algorithms)]) for t in range(scores.n_tasks))
    if any(np.ptp(cells) > 0 for cells in runs):
        return
    raise DesignError(
        f"all {scores.values.size} scores are equal on each of the {scores.n_tasks} task(s) (for example {scores.values[0]:g} on "
        f"{scores.tasks[0]!r}); there is nothing to compare. Is the score column the right one?"
    )


def _named_pair(scores: Scores, pair: Sequence[str]) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] == pair[1]:
        raise OptionError(f"a pair is two different names, not {pair!r}.")
    return _position(scores, pair[0]), _position(scores, pair[1])


def _position(scores: Scores, name: str) -> int:
    if not isinstance(name, str):
        raise OptionError(f"an algorithm is given by its name, not {name!r}.")
    if name not in scores.algorithms:
        listed = ", ".join(repr(a) for a in scores.algorithms[:8])
        message = f"there is no algorithm {name!r} to compare; found {listed}.{nearest(name, scores.algorithms)}"
        raise DesignError(message)
    return scores.algorithms.index(name)
