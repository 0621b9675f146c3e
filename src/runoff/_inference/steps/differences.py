"""Two algorithms at every step: differences of means, their tests, and the largest of them under relabelling of whole runs.

The null of max-T is that whole learning curves of a and b have one distribution, task by task: runs change sides with all their steps,
which keeps the dependence between steps. Steps are made comparable by the p-value of Welch's t, each relabelling with its own degrees
of freedom (min-P; Westfall & Young 1993 §2.3): a large t of a side of few runs that vary much is no rare thing, and |t| itself would take it
for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, floor, prod
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff._inference.about import SMALLEST
from runoff._inference.blocked import TOLERANCE
from runoff._inference.bootstrap import Ends, Mean
from runoff._inference.family import CORRECTIONS, OF_PVALUES, adjust
from runoff._inference.pairs import PairData
from runoff._kernels.blocked import permute
from runoff._kernels.blocked.stratified import all_labels, farthest, step_t
from runoff.base.arrays import Floats, Ints, Labels
from runoff.base.random import Streams, for_each_block
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.results.curves import Stretch
from runoff.words.numbers import exactly, step_text

BLOCK = 256
"""Relabellings that are reduced together."""
COLUMNS = 256
"""Steps of pairs that are reduced side by side: as many as stay near the core."""
STEP_TESTS: Mapping[str, str] = MappingProxyType(
    {"welch": "Welch's t test", "permutation": "the permutation test of Welch's t, whole runs relabelled"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Differences of means (a − b) at every step, every task weighing the same, with Welch's errors and p-values."""

    means: tuple[Mean, ...]
    pvalues: Floats

    @property
    def estimates(self) -> Floats:
        return np.array([mean.estimate for mean in self.means])

    def pointwise(self, confidence_level: float) -> list[Ends | None]:
        return [mean.interval(confidence_level) for mean in self.means]

    def band(self, critical: float, confidence_level: float) -> list[Ends | None]:
        """Return the intervals at level 1 − critical, at most that of the pointwise ones; none where critical is 0."""
        level = max(1.0 - critical, confidence_level)
        return self.pointwise(level) if critical > 0 else [None] * len(self.means)


def differences(pairs: Sequence[PairData]) -> Differences:
    """Return the differences of one pair, its cells at one step after another; p-values of Welch's t, two-sided."""
    means = tuple(pair.difference for pair in pairs)
    return Differences(
        means=means, pvalues=np.array([_welch(mean, pair) for mean, pair in zip(means, pairs, strict=True)])
    )


def _welch(mean: Mean, pair: PairData) -> float:
    if mean.df is not None:
        return max(2.0 * float(special.stdtr(mean.df, -abs(mean.estimate) / mean.error)), SMALLEST)
    # A t test would say 0 or NaN: what complete separation of so many runs is worth, or nothing.
    if mean.estimate == 0:
        return 1.0
    return max(min(1.0, 2.0 / prod(comb(n + m, n) for n, m in pair.sizes)), SMALLEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """What relabelling whole runs gives.

    observed, pvalues: (n_steps,) p-values of Welch's t, and the share of relabellings that have as small a one at that step (None where it was
    not asked for); smallest: (n_draws,) sorted, the smallest of any step in each relabelling; exact: whether these are all relabellings.
    """

    observed: Floats
    pvalues: Floats | None
    smallest: Floats
    exact: bool

    @property
    def adjusted(self) -> Floats:
        """Return max-T p-values (n_steps,): the share of relabellings in which some step is as far out."""
        hits = np.searchsorted(self.smallest, self.observed * (1.0 + TOLERANCE), side="right")
        return _share(hits, self.smallest.size, self.exact)

    def critical(self, alpha: float) -> float:
        """Return the p-value of a step below which the adjusted one is at most alpha; 0 where relabellings are too few."""
        n = self.smallest.size
        allowed = floor(alpha * n + 1e-9) if self.exact else floor(alpha * (n + 1) + 1e-9) - 1
        if allowed < 1:
            return 0.0
        critical = float(self.smallest[allowed])
        # The observed runs are one of all relabellings: none is farther out than the first of them.
        return 0.0 if self.exact and critical <= self.smallest[0] * (1.0 + TOLERANCE) else critical


def _share(hits: Ints, n: int, exact: bool) -> Floats:
    extra = 0.0 if exact else 1.0
    return np.asarray((extra + hits) / (extra + n), np.float64)


def relabelled_together(
    many: Sequence[tuple[Sequence[Floats], Sequence[Floats]]],
    *,
    by_step: bool,
    streams: Streams,
    n_resamples: int,
    threads: int | None = None,
) -> list[Relabelled]:
    """Return what relabelling whole runs (n_runs, n_steps) of x and y within each task gives for each pair: all relabellings, or so many.

    Pairs of one design, the numbers of runs task by task, have the same relabellings, which are then made once for all of them.
    """
    counts = [np.array([(len(a), len(b)) for a, b in zip(x, y, strict=True)], np.int64) for x, y in many]
    alike: dict[tuple[bytes, int], list[int]] = {}
    for i, (own, (x, _)) in enumerate(zip(counts, many, strict=True)):
        alike.setdefault((own.tobytes(), x[0].shape[1]), []).append(i)
    results: dict[int, Relabelled] = {}
    for places in alike.values():
        values = [_about_middle(*many[i]) for i in places]
        of_design = _of_one_design(
            values, counts[places[0]], by_step=by_step, streams=streams, n_resamples=n_resamples, threads=threads
        )
        results |= dict(zip(places, of_design, strict=True))
    return [results[i] for i in range(len(many))]


def _of_one_design(
    many: Sequence[Floats], counts: Ints, *, by_step: bool, streams: Streams, n_resamples: int, threads: int | None
) -> Iterator[Relabelled]:
    """Yield what relabelling gives for pairs of the same numbers of runs, `counts` (n_tasks, 2), from the same relabellings."""
    starts, n_steps = np.concatenate([[0], np.cumsum(counts.sum(axis=1))]), many[0].shape[1]
    side = max(1, COLUMNS // n_steps)
    parts = [np.hstack(many[at : at + side]) for at in range(0, len(many), side)]
    own = np.concatenate([np.repeat(np.arange(2, dtype=np.int8), pair) for pair in counts])[None, :]
    observed = np.vstack([_pvalues(*_by_pair(part, starts, own, n_steps))[:, 0] for part in parts])
    n_all = prod(comb(int(pair.sum()), int(pair[0])) for pair in counts)
    exact = n_all <= n_resamples
    n = n_all if exact else n_resamples
    every, n_blocks = all_labels(starts, counts, n) if exact else None, -(-n // BLOCK)
    smallest, hits = np.empty((len(many), n)), np.zeros((n_blocks, *observed.shape), np.int64)

    def reduce(b: int) -> None:
        rows = slice(b * BLOCK, min((b + 1) * BLOCK, n))
        n_rows = rows.stop - rows.start
        labels = (
            permute.drawn_labels(streams.block("curves", b), starts, counts, n_rows) if every is None else every[rows]
        )
        for i, part in enumerate(parts):
            pairs, drawn = slice(i * side, (i + 1) * side), _by_pair(part, starts, labels, n_steps)
            if by_step:
                p = _pvalues(*drawn)
                hits[b, pairs] = (p <= observed[pairs, None] * (1.0 + TOLERANCE)).sum(axis=1)
                smallest[pairs, rows] = p.min(axis=2)
            else:
                smallest[pairs, rows] = _smallest(*drawn)

    for_each_block(reduce, range(n_blocks), threads)
    shares = _share(hits.sum(axis=0), n, exact) if by_step else [None] * len(many)
    for pvalues, steps, least in zip(shares, observed, smallest, strict=True):
        yield Relabelled(observed=steps, pvalues=pvalues, smallest=np.sort(least), exact=exact)


def _by_pair(values: Floats, starts: Ints, labels: Labels, n_steps: int) -> tuple[Floats, Floats]:
    """Return Welch's t and its degrees of freedom, (n_pairs, n_rows, n_steps) each, of the steps of several pairs side by side."""
    t, df = step_t(values, starts, labels)
    shape = len(labels), -1, n_steps
    return np.swapaxes(t.reshape(shape), 0, 1), np.swapaxes(df.reshape(shape), 0, 1)


def _pvalues(t: Floats, df: Floats) -> Floats:
    return np.asarray(np.maximum(2.0 * special.stdtr(df, -np.abs(t)), SMALLEST))


def _smallest(t: Floats, df: Floats) -> Floats:
    """Return the smallest p-value over the steps, (n_pairs, n_rows); only of the steps that may have it, for they are dear."""
    flat = t.reshape(-1, t.shape[-1]), df.reshape(-1, t.shape[-1])
    kept = farthest(*flat)
    pvalues = _pvalues(flat[0][kept], flat[1][kept])
    firsts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))[:-1]])
    return np.asarray(np.minimum.reduceat(pvalues, firsts).reshape(t.shape[:-1]))


def _about_middle(x: Sequence[Floats], y: Sequence[Floats]) -> Floats:
    """Return the runs of all tasks (total, n_steps), at each step below 1 in size and about the mean of their task."""
    tasks = [np.concatenate([first, other]) for first, other in zip(x, y, strict=True)]
    size = np.max([np.abs(runs).max(axis=0) for runs in tasks], axis=0)
    scaled = [np.ldexp(runs, -np.frexp(size)[1]) for runs in tasks]
    about = [runs - runs.mean(axis=0) for runs in scaled]
    spread = np.max([np.abs(runs).max(axis=0) for runs in about], axis=0)
    return np.ascontiguousarray(np.concatenate([np.ldexp(runs, -np.frexp(spread)[1]) for runs in about]))


# ── at which steps, under each correction, and in words ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTests:
    """One pair: its differences, the p-values of the test, and what relabelling gave (None where nothing was relabelled)."""

    differences: Differences
    pvalues: Floats
    relabelled: Relabelled | None


Adjust = Callable[[Sequence[StepTests], float], list[Floats]]
"""p-values (n_steps,) of every pair, adjusted; the second argument is the share of steps of the criterion."""


def _of_pvalues(name: str) -> Adjust:
    def adjusted(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
        del criterion
        every = adjust(np.concatenate([pair.pvalues for pair in tested]), name)
        return [np.asarray(part) for part in np.split(every, len(tested))]

    return adjusted


def _max_t(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return the max-T p-values over the steps of a pair, times the number of pairs (Bonferroni)."""
    del criterion
    adjusted = []
    for pair in tested:
        assert pair.relabelled is not None
        adjusted.append(np.minimum(np.maximum(pair.pvalues, pair.relabelled.adjusted) * len(tested), 1.0))
    return adjusted


def _colas(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return p N_c / N_crit of each step, or, if that is larger, of the step by which more than N_crit of one direction reject.

    Colas et al. 2019 §7.2.
    """
    adjusted = []
    for pair in tested:
        n = pair.pvalues.size
        # N_crit: more rejections than this in one direction, of N_c steps, decide.
        needed = max(1, floor(criterion * n + 1e-9))
        scaled = np.minimum(pair.pvalues * (n / needed) * len(tested), 1.0)
        whole = np.ones(n)
        for sign in (1.0, -1.0):
            same = np.sign(pair.differences.estimates) == sign
            if same.sum() > needed:
                whole[same] = np.sort(scaled[same])[needed]
        adjusted.append(np.maximum(scaled, whole))
    return adjusted


STEP_CORRECTIONS: Mapping[str, Adjust] = MappingProxyType(
    {name: _of_pvalues(name) for name in OF_PVALUES} | {"max_t": _max_t, "colas2019": _colas}
)


def check_step_correction(correction: str, criterion: float) -> None:
    """Refuse an unknown correction, and a criterion that is no share of the steps."""
    check_choice("correction", correction, STEP_CORRECTIONS)
    if isinstance(criterion, bool) or not isinstance(criterion, int | float) or not 0 < criterion < 1:
        raise OptionError(f"criterion is the share of steps that have to reject, between 0 and 1, not {criterion!r}.")


def stretches(a: str, b: str, steps: Floats, differences: Floats, rejected: Sequence[bool]) -> tuple[Stretch, ...]:
    """Return the runs of neighbouring steps at which one of the two is found ahead."""
    ahead = np.where(rejected, np.sign(differences), 0.0).astype(np.int64)
    edges = np.flatnonzero(np.diff(ahead)) + 1
    stretches_of_pair = []
    for part in np.split(np.arange(steps.size), edges):
        if ahead[part[0]]:
            winner, other = (a, b) if ahead[part[0]] > 0 else (b, a)
            first, last = float(steps[part[0]]), float(steps[part[-1]])
            stretches_of_pair.append(
                Stretch(a=a, b=b, ahead=winner, behind=other, first=first, last=last, n_steps=int(part.size))
            )
    return tuple(stretches_of_pair)


def pair_words(
    a: str,
    b: str,
    stretches_of_pair: Sequence[Stretch],
    *,
    n_steps: int,
    axis: str,
    test: str,
    correction: str,
    alpha: float,
) -> str:
    how = f"{STEP_TESTS[test]}, {_corrected(correction)}, α = {exactly(alpha)}"
    noun = {"step": "step", "time": "second", "episodes": "episode"}[axis]
    if not stretches_of_pair:
        return f"No difference between the means of {a} and {b} was found at any of {n_steps} steps ({how}), which does not make them equal."
    if correction == "colas2019":
        first, count = stretches_of_pair[0], sum(stretch.n_steps for stretch in stretches_of_pair)
        return (
            f"The mean of {first.ahead} is above that of {first.behind}: {count} of {n_steps} steps reject, more than the criterion asks for "
            f"({how}), which is one claim about the pair, and none about a single step."
        )
    clauses = []
    for winner in dict.fromkeys(stretch.ahead for stretch in stretches_of_pair):
        own = [stretch for stretch in stretches_of_pair if stretch.ahead == winner]
        where = [
            f"at {noun} {step_text(stretch.first)}"
            if stretch.n_steps == 1
            else f"from {noun} {step_text(stretch.first)} to {step_text(stretch.last)}"
            for stretch in own
        ]
        count = sum(stretch.n_steps for stretch in own)
        clauses.append(
            f"the mean of {winner} is above that of {own[0].behind} {_joined(where)} ({count} of {n_steps} steps)"
        )
    sentence = "; ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}: {how}."


def _joined(texts: Sequence[str], most: int = 4) -> str:
    shown = list(texts[:most]) + ([f"on {len(texts) - most} more stretches"] if len(texts) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _corrected(correction: str) -> str:
    if correction == "colas2019":
        return "the criterion of Colas et al. 2019 §7.2 over the steps"
    return (
        "max-T over the steps"
        if correction == "max_t"
        else f"{CORRECTIONS[correction].label} correction over the steps"
    )
