"""What is decided at each look: closed testing over all partitions of the algorithms into equal ones, in the order of the looks.

Each partition is a null of its own, tested over the looks by the largest statistic of the pairs within its classes, at the full alpha. A pair
is found different at the first look by which every partition that puts the two together is rejected, so the false positive rate is at most
alpha whichever algorithms are equal (Marcus, Peritz & Gabriel 1976; over looks: Tang & Geller 1999).

The runs of a class of algorithms, equal under the null, are relabelled within every task of every look. The path of the data and the drawn
ones are then exchangeable. At look k, of the paths that have not crossed, the highest cross: so many that at most a share `spent[k]` of all
paths has crossed by then. This treats all paths alike, so the path of the data is among those that ever cross with a chance of at most
`spent[-1]`: exactly so, whatever the number of draws, for equal distributions.

What has crossed is claimed only where `compare` finds it too, by the means of all runs so far at the full alpha, so that no claim is denied by
the comparison that a reader makes of the same runs; and a design of a single look is that comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, isfinite
from typing import Literal, NamedTuple

import numpy as np

from runoff._inference.bootstrap import MetricEstimate, estimate_of, parse_metric
from runoff._inference.family import THREE, adjust, decided_levels
from runoff._inference.pairs import Book, PairData, PairLaw, with_book
from runoff._inference.sequential.crossings import NOT_YET, Crossings, above, crossings
from runoff._inference.sequential.design import SEQUENTIAL_TESTS, SequentialDesign, Statistic
from runoff._inference.sequential.futility import conditional_power
from runoff._kernels.blocked.stratified import add_relabelled
from runoff.answer.sequential import Decision, Reason
from runoff.base.arrays import Floats, GroupMask, Ints, Words
from runoff.base.random import Streams, in_blocks

PooledCells = dict[tuple[int, int], Floats]
"""The scores that came with a look, by (algorithm, task)."""
CellReduction = Callable[[Floats], Floats]
FEW = 2
"""Different scores, or fewer, that a shift by the margin does not describe: five successes of five do not rule out a rate of 0.9."""
MEAN = parse_metric("mean")
Class = tuple[int, ...]
PairPositions = tuple[int, int]


def partitions(members: list[int]) -> Iterator[list[Class]]:
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for size in range(len(rest) + 1):
        for mates in combinations(rest, size):
            left = [m for m in rest if m not in mates]
            for others in partitions(left):
                yield [(first, *mates), *others]


class Closed:
    """The tests of all partitions on the runs of the looks so far."""

    def __init__(self, design: SequentialDesign, looks: Sequence[PooledCells], n_algorithms: int, n_tasks: int) -> None:
        self.design, self.looks, self.n_tasks = design, looks, n_tasks
        self.pairs: list[PairPositions] = list(combinations(range(n_algorithms), 2))
        every = (tuple(group for group in part if len(group) > 1) for part in partitions(list(range(n_algorithms))))
        # The largest classes first: what `needed` finds by them it need not ask of smaller ones.
        self.partitions = sorted(filter(None, every), key=lambda classes: -max(map(len, classes)))
        self._paths = self._drawn() if design.n_looks > 1 else {}
        self._observed = {pair: self._own(pair) for pair in self.pairs}
        self._tested: dict[int, Crossings] = {}
        self._laws: dict[tuple[int, int], MetricEstimate] = {}

    def _drawn(self) -> dict[tuple[Class, str], Floats]:
        """Return the paths of all nulls: of each class of equal ones, and of each pair at the margin."""
        # A partition of several classes has the largest of their paths, so that each class is drawn once.
        single = [classes[0] for classes in self.partitions if len(classes) == 1]
        nulls: dict[tuple[Class, str], Null] = {(group, "equal"): self._null(group, largest) for group in single}
        if self.design.margin is not None:
            for pair in self.pairs:
                nulls[pair, "higher"] = self._null(pair, first_over_second, self.design.margin)
                nulls[pair, "lower"] = self._null(pair, second_over_first, -self.design.margin)
        drawn = paths(self.looks, list(nulls.values()), Streams(self.design.seed), self.design.n_resamples)
        return dict(zip(nulls, drawn, strict=True))

    def _null(self, members: Class, reduce: CellReduction, shift: float = 0.0) -> Null:
        statistic = SEQUENTIAL_TESTS[self.design.test].statistic
        return null(self.looks, members, self.n_tasks, statistic=statistic, reduce=reduce, shift=shift)

    def _own(self, pair: PairPositions) -> Floats:
        return self._null(pair, first_over_second).own

    def first(self, i: int) -> int:
        """Return the look at which a partition was rejected, counted from 0; -1: not yet."""
        return self.tested(i).look

    def rejected(self, i: int, look: int) -> bool:
        """Return whether a partition has been rejected by a look."""
        return NOT_YET < self.first(i) <= look

    def interval(self, finding: LookFinding) -> tuple[float | None, float | None]:
        """Return the interval of a pair that has ended; success counts alone have another than that of the finding."""
        return finding.low, finding.high

    def differ(self, pair: PairPositions, look: int) -> bool:
        """Return whether a pair has crossed in every partition that holds it, to the side on which it is now; a single look has no bounds."""
        if self.design.n_looks == 1:
            return True
        # A pair that has turned since its own test crossed is not claimed, whoever is ahead now.
        side = self.direction(pair) == np.sign(self.observed(pair)[look])
        return bool(side and all(self.rejected(i, look) for i in self._holding(pair)))

    def compared(self, look: int) -> dict[PairPositions, ComparedMeans]:
        """Return what `compare` says of the means of each pair on all runs by a look."""
        laws, alpha, margin = self.compared_laws(look), self.design.alpha, self.design.margin
        raw, steps = [law.pvalue(0.0) for law in laws], "shaffer" if len(laws) == THREE else "holm"
        differ = adjust(raw, steps).tolist()
        alike = adjust([1.0 if margin is None else law.equivalence_pvalue(margin, 0.0) for law in laws], "holm")
        # Where looks share alpha, no interval of compare agrees with what relabelling finds.
        levels = decided_levels(raw, differ, steps, alpha) if self.design.n_looks == 1 else ()
        ends = [law.interval(1 - level) for law, level in zip(laws, levels, strict=False)] or [None] * len(laws)
        return dict(zip(self.pairs, map(ComparedMeans, differ, alike.tolist(), ends), strict=True))

    def compared_laws(self, look: int) -> list[PairLaw]:
        """Return what `compare` decides the means of each pair by, on all runs by a look."""
        seen, tasks = self.looks[: look + 1], range(self.n_tasks)
        runs = {at: np.concatenate([cells[at] for cells in seen if at in cells]) for at in self.looks[0]}
        binary, book = bool(np.isin(np.concatenate(list(runs.values())), (0.0, 1.0)).all()), Book()
        laws = []
        for a, b in self.pairs:
            x, y = ([runs[side, t] for t in tasks] for side in (a, b))
            data = PairData(a=str(a), b=str(b), x=x, y=y, tasks=[str(t) for t in tasks], binary=binary, rates=binary)
            laws.append(with_book(data, book).law("mean"))
        return laws

    def direction(self, pair: PairPositions) -> float:
        """Return the sign of a pair's statistic at the look at which its own test crossed; 0: it has not."""
        own = next(i for i, classes in enumerate(self.partitions) if classes == (pair,))
        crossed = self.first(own)
        return float(np.sign(self.observed(pair)[crossed])) if crossed > NOT_YET else 0.0

    def critical(self, pair: PairPositions, look: int) -> float:
        """Return the bound above which a pair's own statistic is enough at a look, as the other pairs are; inf at a single look.

        It is the largest of those partitions that no earlier look and no other pair has rejected, so that a pair crosses exactly where it
        is above. 0: nothing is left to exceed.
        """
        if self.design.n_looks == 1:
            return inf
        return max(
            (self._bound(i, pair, look) for i in self._holding(pair) if not self._met(i, pair, look)), default=0.0
        )

    def _met(self, i: int, pair: PairPositions, look: int) -> bool:
        """Return whether a partition is rejected whatever one of its pairs is: by an earlier look, or at this one by another pair."""
        if self.rejected(i, look - 1):
            return True
        return any(self._crosses(i, other, look) for other in pairs_of(self.partitions[i]) if other != pair)

    def _bound(self, i: int, pair: PairPositions, look: int) -> float:  # noqa: ARG002
        """Return what a pair of a partition has to exceed at a look; here it is the same for all its pairs."""
        return float(self.tested(i).critical[look])

    def _crosses(self, i: int, pair: PairPositions, look: int) -> bool:
        """Return whether a pair by itself rejects a partition at a look, if it is not rejected yet."""
        return bool(abs(self.observed(pair)[look]) > above(self._bound(i, pair, look)))

    def needed(self, undecided: set[PairPositions], look: int) -> tuple[int, ...]:
        """Return the algorithms that have to go on: all that a partition not yet rejected groups, if it groups an undecided pair.

        An algorithm leaves only when no such partition holds it, so every test that is still needed has all of its runs.
        """
        needed: set[int] = set()
        for i, classes in enumerate(self.partitions):
            members = {a for group in classes for a in group}
            if not members <= needed and undecided & set(pairs_of(classes)) and not self.rejected(i, look):
                needed |= members
        return tuple(sorted(needed))

    def tested(self, i: int) -> Crossings:
        if i not in self._tested:
            drawn = [self._paths[group, "equal"] for group in self.partitions[i]]
            shortest = min(draws.shape[1] for draws in drawn)
            # At the looks at which all of its classes ran.
            joint = np.maximum.reduce([draws[:, :shortest] for draws in drawn])
            self._tested[i] = crossings(joint, self.design.spent)
        return self._tested[i]

    def alike(self, pair: PairPositions, look: int) -> bool:
        """Return whether both one-sided tests say by a look that a pair differs by less than the margin; a single look has no bounds."""
        if self.design.margin is None or not self.varied(pair, look):
            return False
        if self.design.n_looks == 1:
            return True
        # Bonferroni over the pairs: no partition of algorithms holds for a margin.
        spent = self.design.spent_of(self.design.alpha / len(self.pairs))
        sides = [crossings(self._paths[pair, side], spent).look for side in ("higher", "lower")]
        return NOT_YET < min(sides) <= max(sides) <= look and self.varied(pair, min(sides))

    def varied(self, pair: PairPositions, look: int) -> bool:
        """Return whether a pair has more than two scores on every task by a look; if not, its runs do not move as a whole."""
        runs = [[cells[a, t] for cells in self.looks[: look + 1] for a in pair] for t in range(self.n_tasks)]
        return all(np.unique(np.concatenate(cells)).size > FEW for cells in runs)

    def observed(self, pair: PairPositions) -> Floats:
        """Return the statistic of the data at each look, positive where the first of the pair is higher."""
        return self._observed[pair]

    def law(self, a: int, look: int) -> MetricEstimate:
        """Return the mean of an algorithm by a look, with its error."""
        if (a, look) not in self._laws:
            cells = [np.concatenate([cells[a, t] for cells in self.looks[: look + 1]]) for t in range(self.n_tasks)]
            self._laws[a, look] = estimate_of(cells, MEAN)
        return self._laws[a, look]

    def _holding(self, pair: PairPositions) -> Iterator[int]:
        return (i for i, classes in enumerate(self.partitions) if pair in pairs_of(classes))


def pairs_of(classes: tuple[Class, ...]) -> list[PairPositions]:
    """Return the pairs that a partition puts together."""
    return [pair for group in classes for pair in combinations(group, 2)]


# ── paths: the statistic of all looks under many labellings ──────────


def largest(statistics: Floats) -> Floats:
    """Return the largest |statistic| of all pairs: (n_pairs, n_draws) -> (n_draws,)."""
    return np.asarray(np.abs(statistics).max(axis=0))


def first_over_second(statistics: Floats) -> Floats:
    """Return the statistic of two algorithms, positive where the first is higher."""
    return np.asarray(statistics[0])


def second_over_first(statistics: Floats) -> Floats:
    """Return the statistic of two algorithms, positive where the second is higher."""
    return np.asarray(-statistics[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRuns:
    """The pooled runs of a look or a batch, task after task, sorted within tasks, and whose they are."""

    values: Floats
    labels: GroupMask
    starts: Ints
    counts: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    """That some algorithms are equal, and the runs of each look at which all of them ran, as many in each cell: (n_tasks, k · n_runs)."""

    members: Class
    looks: list[PooledRuns]
    statistic: Statistic
    reduce: CellReduction

    @property
    def own(self) -> Floats:
        """The path of the data, (n_looks,)."""
        k = len(self.members)
        return np.asarray(self.along([own_words(look, k) for look in self.looks], [np.arange(k)] * len(self.looks))[0])

    def along(self, words: Sequence[Words], at: Sequence[Ints]) -> Floats:
        """Return the statistic at every look, (n_draws, n_looks), of relabellings by the words of each look; at: the members among them."""
        n_tasks, k, n_draws = len(self.looks[0].counts), len(self.members), words[0].shape[-1]
        moments, n_runs, scale, values = np.zeros((n_tasks, k, 2, n_draws)), 0, 0.0, []
        for look, drawn, where in zip(self.looks, words, at, strict=False):
            # Moments add up over the looks, so that a path is one pass over the runs.
            add_relabelled(look.values.reshape(n_tasks, -1), where, drawn, moments)
            n_runs, scale = n_runs + int(look.counts[0, 0]), max(scale, float(np.abs(look.values).max()))
            values.append(self.reduce(self.statistic(moments, n_runs, scale)))
        return np.stack(values, axis=1)


def null(
    looks: Sequence[PooledCells],
    members: Class,
    n_tasks: int,
    *,
    statistic: Statistic,
    reduce: CellReduction,
    shift: float = 0.0,
) -> Null:
    """Return the null that members are equal once `shift` is added to the first."""
    pooled = [pooled_runs(cells, members, n_tasks, shift) for cells in looks if all((a, 0) in cells for a in members)]
    return Null(members=members, looks=_about_first(pooled), statistic=statistic, reduce=reduce)


def paths(looks: Sequence[PooledCells], nulls: Sequence[Null], streams: Streams, n_resamples: int) -> list[Floats]:
    """Return the statistic of every labelling at every look under each null, (1 + n_resamples, n_looks); the first row is that of the data.

    The words of an algorithm serve all nulls that hold it: those of disjoint classes are independent, so that they can be tested together.
    """
    present = [sorted({a for a, _ in cells}) for cells in looks]
    shapes = [(max(t for _, t in cells) + 1, next(iter(cells.values())).size) for cells in looks]
    at = [[np.searchsorted(names, null.members) for names in present] for null in nulls]

    def draw(b: int, rows: int) -> Floats:
        words = []
        for j, names in enumerate(present):
            of_look = np.empty((len(names), *shapes[j], rows), np.uint32)
            for i, a in enumerate(names):
                of_look[i] = streams.block("sequential", a, j, b).integers(0, 2**32, of_look.shape[1:], np.uint32)
            words.append(of_look)
        drawn = np.zeros((rows, len(nulls), len(looks)))
        for i, null in enumerate(nulls):
            drawn[:, i, : len(null.looks)] = null.along(words, at[i])
        return drawn

    drawn = in_blocks(n_resamples, draw)
    return [np.concatenate([null.own[None], drawn[:, i, : len(null.looks)]]) for i, null in enumerate(nulls)]


def own_words(look: PooledRuns, k: int) -> Words:
    """Return the words, (k, n_tasks, n_runs, 1), by which `add_relabelled` gives every run to its own algorithm."""
    labels = look.labels.reshape(len(look.counts), -1)
    n_tasks, size = labels.shape
    before = (labels[:, None, :] < labels[:, :, None]) & np.triu(np.ones((size, size), np.bool_))
    # The least word w with w · left >> 32 at the first place of its own, among those still free.
    words = -(-(before.sum(axis=2) << 32) // np.arange(size, 0, -1))
    return np.ascontiguousarray(words.astype(np.uint32).reshape(n_tasks, k, -1).transpose(1, 0, 2)[..., None])


def pooled_runs(cells: PooledCells, members: Sequence[int], n_tasks: int, shift: float) -> PooledRuns:
    values, labels, counts = [], [], np.zeros((n_tasks, len(members)), np.int64)
    for t in range(n_tasks):
        mine = [cells[a, t] + (shift if i == 0 else 0.0) for i, a in enumerate(members)]
        counts[t] = [cell.size for cell in mine]
        own = np.repeat(np.arange(len(members), dtype=np.int8), counts[t])
        flat = np.concatenate(mine)
        # By score, then by whose it is: the order of rows shows nowhere.
        order = np.lexsort((own, flat))
        values.append(flat[order])
        labels.append(own[order])
    return PooledRuns(
        values=np.concatenate(values),
        labels=np.concatenate(labels),
        starts=np.concatenate([[0], np.cumsum(counts.sum(axis=1))]).astype(np.int64),
        counts=counts,
    )


def _about_first(looks: Sequence[PooledRuns]) -> list[PooledRuns]:
    """Return the looks with scores about the medians of the first, task by task, scaled so that squares are doubles."""
    # Of the first look: a later one must not move the numbers of an earlier one. The scale is a power of two, which rounds nothing.
    middles = [np.median(task) for task in np.split(looks[0].values, looks[0].starts[1:-1])]
    about = [look.values - np.repeat(middles, np.diff(look.starts)) for look in looks]
    scale = -int(np.frexp(max(np.abs(values).max(initial=0.0) for values in about))[1])
    return [replace(look, values=np.ldexp(values, scale)) for look, values in zip(looks, about, strict=True)]


GO_ON: Literal["go_on"] = "go_on"


class ComparedMeans(NamedTuple):
    """What `compare` says of a pair: the adjusted p-values of no difference and of the margin, and at a single look the deciding interval."""

    differ: float
    alike: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookFinding:
    """A pair at a look: a and b by position, the first higher where statistic and difference are positive.

    critical: what |statistic| has to exceed beside the other pairs, inf where no labelling is rare enough. crossed: whether the looks allow a
    claim; pvalue: that of `compare`, adjusted. decision: final, or "go_on". reason: of "inconclusive". varied: whether the runs may show
    equivalence. low, high: the interval of the difference at the end of success counts, whose statistic is the lead in successes, which has to
    reach critical, and of a single look, which is that of `compare`.
    """

    pair: PairPositions
    look: int
    statistic: float
    critical: float
    difference: float
    error: float
    conditional_power: float | None
    pvalue: float = 1.0
    crossed: bool = False
    decision: Decision = GO_ON
    reason: Reason | None = None
    varied: bool = True
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The decisions of one look: a finding for each pair that was open, and the algorithms that run until the next look, none after the end."""

    findings: tuple[LookFinding, ...]
    needed: tuple[int, ...]


def judge(
    design: SequentialDesign, looks: Sequence[PooledCells], n_algorithms: int, n_tasks: int, by: type[Closed] = Closed
) -> tuple[Judged, ...]:
    """Return what is decided at each look on the runs so far; looks: the scores of the runs that came with each, by (algorithm, task)."""
    if not looks:
        return ()
    closed = by(design, looks, n_algorithms, n_tasks)
    open_pairs, judged, n_runs = list(closed.pairs), [], 0
    for j, cells in enumerate(looks):
        n_runs += sum(cell.size for cell in cells.values())
        compared = closed.compared(j)
        findings = [_finding(design, closed, pair, j, compared[pair]) for pair in open_pairs]
        going = {finding.pair for finding in findings if finding.decision == GO_ON}
        # An algorithm goes on for its own open pairs, and for any test that those still need.
        on = going if j + 1 < design.n_looks else set()
        needed = tuple(sorted({*closed.needed(on, j), *(a for pair in on for a in pair)})) if on else ()
        ended = _ended(design, j, n_runs, len(needed) * n_tasks)
        if ended is not None:
            findings = [
                replace(finding, decision="inconclusive", reason=ended) if finding.decision == GO_ON else finding
                for finding in findings
            ]
            going, needed = set(), ()
        ends = map(closed.interval, findings)
        findings = [replace(finding, low=low, high=high) for finding, (low, high) in zip(findings, ends, strict=True)]
        open_pairs = [pair for pair in open_pairs if pair in going]
        judged.append(Judged(findings=tuple(findings), needed=needed))
    return tuple(judged)


def _ended(design: SequentialDesign, look: int, n_runs: int, cells: int) -> Reason | None:
    if look + 1 == design.n_looks:
        return "last_look"
    more = cells * (design.looks[look + 1] - design.looks[look])
    if design.budget is not None and design.cost(n_runs + more) > design.budget:
        return "budget"
    return None


def _finding(
    design: SequentialDesign, closed: Closed, pair: PairPositions, look: int, compared: ComparedMeans
) -> LookFinding:
    low, high = compared.ends or (None, None)
    law = closed.law(pair[0], look).minus(closed.law(pair[1], look))
    difference, error = law.value, law.error
    finding = LookFinding(
        pair=pair,
        look=look,
        statistic=float(closed.observed(pair)[look]),
        critical=closed.critical(pair, look),
        difference=difference,
        error=error,
        conditional_power=conditional_power(design, look, difference, error),
        pvalue=compared.differ,
        crossed=closed.differ(pair, look),
        varied=closed.varied(pair, look),
        low=low,
        high=high,
    )
    # What earlier looks showed is claimed only as far as the runs of all looks still show it.
    if compared.alike <= design.alpha and closed.alike(pair, look):
        return replace(finding, decision="equivalent")
    if finding.crossed and finding.pvalue <= design.alpha:
        return replace(finding, decision="a_better" if finding.statistic > 0 else "b_better")
    if finding.conditional_power is not None and finding.conditional_power < design.futility:
        return replace(finding, decision="inconclusive", reason="futility")
    return finding


def finite_bound(critical: float) -> float | None:
    """Return a bound, or None where no labelling is rare enough."""
    return critical if isfinite(critical) else None
