"""A pair of algorithms: the laws of its measures, and the estimates that follow from its cells."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from statistics import fmean
from typing import Any, TypeVar

import numpy as np
from scipy import special

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
from runoff._inference.pairs.cells import BothCells, means_of, run_means
from runoff._inference.pairs.chance import (
    Placements,
    detectable_lead,
    error_of_parts,
    improvement_law,
    improvement_parts,
    placements,
    placements_of,
)
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.measure import IMPROVEMENT, OF_PAIRS, check_margin, check_margin_of
from runoff._inference.pairs.rates import ROUNDING, rate_law
from runoff._inference.pairs.small import Relabelling, SmallLaw, small_law
from runoff._inference.pairs.whole import whole_law
from runoff.base.arrays import Floats, Ints, median_of, medians_of
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.measures import even_of
from runoff.words.names import measure_words
from runoff.words.numbers import some
from runoff.words.patterns import regex
from runoff.words.speech import choice, option

T = TypeVar("T")
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


Book = dict[tuple[str, ...], dict[tuple[Hashable, str], Any]]


@dataclass(frozen=True, kw_only=True)
class PairData(BothCells):
    """The cells of a pair, and the laws of its measures."""

    relabelling: Relabelling = field(default_factory=Relabelling)
    book: Book = field(default_factory=dict, init=False, compare=False)
    """Records by tasks, metric and algorithm, and what else is computed of one algorithm's cells: the pairs of one analysis have one book, a
    changed copy its own."""
    laws: dict[str, PairLaw] = field(default_factory=dict, init=False, compare=False)
    """The law of each measure that was needed."""

    @cached_property
    def difference(self) -> Mean:
        """Return the difference of means, every task weighing the same; computed once, for every sentence and every rule needs it."""
        x, y, _ = self.centred()
        return replace(self, x=x, y=y).combined(1.0, -1.0)

    def centred(self) -> tuple[list[Floats], list[Floats], Floats]:
        """Return the cells of a and of b less the middle of their task, (n_tasks,): large scores lose no digit in such differences."""
        sizes = {(x.size, y.size) for x, y in zip(self.x, self.y, strict=True)}
        if len(sizes) == 1:  # the same at once: thousands of items are centred for each pair of models
            middles = medians_of(np.hstack([np.array(self.x), np.array(self.y)]))
            x, y = (list(np.array(side) - middles[:, None]) for side in (self.x, self.y))
        else:
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
        means = np.array(self.by_side(means_of, means_of))
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
            law_of = whole_law if self.shared else improvement_law
            return law_of(self.x, self.y, placed=self.placed)
        metric = parse_metric(measure)
        first, second = self.records(metric)
        if not self.shared and measure in OF_FEW_RUNS:
            x, y = (seen(side, metric) for side in (self.x, self.y))
            n_x, n_y = int(first.n_runs.sum()), int(second.n_runs.sum())
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
            first, second = improvement_parts(self.placed, shared=self.shared).T
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
        n, m = (now if then is None else then + np.zeros_like(now) for now, then in zip(own, (n_a, n_b), strict=True))
        if self.least < 2 or not parts.sum() > 0:
            return Law(0.0, ())
        # A part is a variance over a number of runs, so other numbers scale it.
        then = parts * own.T / np.stack([n, m], axis=1)
        return Law(0.0, (error_of_parts(then, n, m, shared=self.shared),))

    def lead_found(
        self, measure: str, level: float, power: float = 0.8, sizes: Iterable[tuple[int, int]] | None = None
    ) -> tuple[float, float] | None:
        """Return the mean lead over ½ that so many runs of a and of b on each task find, or those there are, and its df; None of what is no
        chance of several tasks whose runs are drawn one by one, and where it has no spread."""
        if measure != IMPROVEMENT or self.rates or self.shared or len(self.tasks) < 2 or self.least < 2:
            return None
        a, b = self.records(parse_metric("mean"))
        still = (a.parts == 0) & (b.parts == 0)
        return detectable_lead(tuple(self.sizes if sizes is None else sizes), level, power, tuple(still.tolist()))

    def records(self, metric: Metric) -> tuple[MetricEstimate, MetricEstimate]:
        """Return the records of both."""
        return self.by_side(metric.name, lambda cells: estimate_of(cells, metric, shared=self.shared))

    def moved_by(self, measure: str) -> list[tuple[int, int]]:
        """Return of both on how many tasks a user's function moves without a run, and on how many runs vary; nothing of other measures."""
        if not isinstance(measure, OwnMeasure):
            return []
        sides = zip(self.records(parse_metric(measure)), (self.x, self.y), strict=True)
        return [moved_by(record, cells, measure) for record, cells in sides]

    def by_side(self, what: Hashable, compute: Callable[[Sequence[Floats]], T]) -> tuple[T, T]:
        """Return what is computed of the cells of a and of those of b; what: its name, or the function itself."""
        book, first, second = self._own_book, (what, self.a), (what, self.b)
        for key, cells in ((first, self.x), (second, self.y)):
            if key not in book:
                book[key] = compute(cells)
        return book[first], book[second]

    @cached_property
    def _own_book(self) -> dict[tuple[Hashable, str], Any]:
        # An algorithm has other records in a pair that shares fewer tasks.
        return self.book.setdefault(tuple(self.tasks), {})

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


def all_pairs(
    scores: Scores,
    chosen: Sequence[tuple[int, int]],
    measure: str | None = None,
    relabelling: Relabelling | None = None,
) -> list[PairData]:
    """Return the pairs at these positions, with one book; measure: as for `BothCells.of`."""
    book: Book = {}
    how = relabelling or Relabelling()
    return [with_book(pair, book) for pair in PairData.all_of(scores, chosen, measure, relabelling=how)]


DUELS = 2**18
"""So many pairs of runs at most are looked at together: two megabytes an array."""


def place(pairs: Sequence[PairData]) -> Sequence[PairData]:
    """Return the pairs, those that compare runs with their placements, which are computed together; strata and tasks have laws of their own."""
    of_runs = [pair for pair in pairs if type(pair) is PairData and not pair.rates and "placed" not in vars(pair)]
    duels = np.cumsum([sum(x.size * y.size for x, y in zip(pair.x, pair.y, strict=True)) for pair in of_runs])
    for _, block in groupby(zip(duels.tolist(), of_runs, strict=True), key=lambda entry: entry[0] // DUELS):
        together = [pair for _, pair in block]
        for pair, placed in zip(together, placements_of([(pair.x, pair.y) for pair in together]), strict=True):
            # What `cached_property` would keep there.
            vars(pair)["placed"] = placed
    return pairs


def with_book(pair: PairData, book: Book) -> PairData:
    """Return the pair, whose records are looked up in a book, and kept there."""
    # `replace` gives a copy a new book, for the fields are not among the arguments; this is the one way to share it.
    object.__setattr__(pair, "book", book)
    return pair


def values_of(scores: Scores, pairs: Sequence[PairData], measure: str) -> dict[str, float]:
    """Return the measure of each algorithm of these pairs: of all its own runs, or of a measure of pairs the average of its pairs."""
    compared = {name for pair in pairs for name in (pair.a, pair.b)}
    names = [name for name in scores.algorithms if name in compared]
    if measure in OF_PAIRS:
        # Seen from b a measure is `whole` less it: 1 − P(a > b), or the difference with its sign turned.
        whole = 2 * even_of(measure)
        chances: dict[str, list[float]] = {name: [] for name in names}
        for pair in pairs:
            of_a = pair.law(measure).value
            chances[pair.a].append(of_a)
            chances[pair.b].append(whole - of_a)
        return {name: fmean(own) for name, own in chances.items()}
    metric, shared, values, book = parse_metric(measure), scores.sampling.shared, {}, pairs[0].book
    for name in names:
        cells = {task: cell for task, cell in zip(scores.tasks, scores.cells(name), strict=True) if cell.size}
        record = book.get(tuple(cells), {}).get((metric.name, name))
        values[name] = (record or estimate_of(list(cells.values()), metric, shared=shared)).value
    return values


# ── margins ──────────

SHARE = regex(r"(\d+\.?\d*|\.\d+) ?%")
"""A share of a mean, as the gate takes it for a margin."""


def check_pair_margin(
    scores: Scores, pairs: Sequence[PairData], measure: str, margin: float | str | None, control: str | None
) -> None:
    """Refuse a margin that is none; of a share of a mean, "5%", with the number that it is, for runs of both would move it."""
    share = SHARE.fullmatch(margin.strip()) if isinstance(margin, str) else None
    if share is None:
        check_margin_of(measure, margin, rates=measure != IMPROVEMENT and isinstance(measure, str) and scores.binary)
        return
    of_means = measure_of_means(measure)
    values = values_of(scores, pairs, of_means)
    reference = control or (pairs[0].b if len(pairs) == 1 else None)
    values, margin = values if reference is None else {reference: values[reference]}, f"{share[1]}%"
    margins = {name: f"{float(share[1]) / 100 * abs(value):.3g}" for name, value in values.items() if value}
    if not margins or not float(share[1]):
        check_margin(margin)
    own = {"measure": of_means} if measure == IMPROVEMENT else {}
    takes = [_options(margin=number, **own) for number in margins.values()]
    what = f"margin, the smallest difference that matters, is a number in units of the scores, not {margin!r}"
    numbers = [f"{number} for {name!r}" for name, number in margins.items()]
    which = f"take {takes[0]}" if len(takes) == 1 else f"take the one that matters, such as {takes[0]}"
    points = f", or {_options(margin=f'{float(share[1]) / 100:g}')} for as many points" if pairs[0].rates else ""
    one_sided = f"That an algorithm is not worse by {margin} of a mean is one-sided: {_gate(pairs[0], margin)}."
    raise OptionError(
        f"{what}: {margin} of the {measure_words(of_means)} is {some(numbers)}; {which}{points}. {one_sided}"
    )


def measure_of_means(measure: str) -> str:
    """Return the measure in units of the scores in which a share is counted, the mean where the measure is one of pairs."""
    return "mean" if measure in OF_PAIRS else measure


def _options(**values: str) -> str:
    """Return options as one part of a text: numbers as Python writes them."""
    python = ", ".join(f"{name}={value if name == 'margin' else repr(value)}" for name, value in values.items())
    return choice(python, " ".join(f"--{name} {value}" for name, value in values.items()))


def _gate(pair: PairData, margin: str) -> str:
    """Return the call that shows that the first algorithm of a pair is not worse than the second by a margin."""
    names = option("algorithm", pair.b), option("candidate_algorithm", pair.a), option("margin", margin)
    return choice(f"gate(data, data, {', '.join(names)})", f"runoff gate RUNS RUNS {' '.join(names)}")


def widest(law: PairLaw, level: float) -> tuple[float, float | None]:
    """Return the standard error and the degrees of freedom of the law that decides at a level; 0 and None where there is none."""
    laws: Sequence[tuple[float, float]] = law.laws
    # The wider interval, not the larger error: with few degrees of freedom the smaller error can reach further.
    if len(laws) == 1:
        return laws[0]
    return max(laws, key=lambda law: law[0] * float(special.stdtrit(law[1], (1 + level) / 2)), default=(0.0, None))
