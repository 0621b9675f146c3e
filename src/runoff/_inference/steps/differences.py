"""Two algorithms at every step: differences of means, each by the law of the pair, and all steps together.

At a step the p-value and the interval are those of `PairData.law`. All steps together are judged as a band of one algorithm is
(`bootstrap.along`): by the laws of steadied variances, at the level at which all of them hold. The null is that means are equal, whatever
else differs. Success rates have p-values and intervals of their own, at one step and, at the level of all, together. (Relabelling whole
runs asks whether anything differs: of real algorithms whose means had been made equal it found 12 to 48 % to differ.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import copysign, floor, inf
from types import MappingProxyType

import numpy as np

from runoff._inference import bootstrap
from runoff._inference.family import CORRECTIONS, OF_PVALUES, adjust
from runoff._inference.pairs import (
    NEVER,
    Book,
    PairData,
    PairLaw,
    about_test,
    chosen_test,
    counted_tasks,
    in_both,
    with_book,
)
from runoff._inference.steps.align import Aligned
from runoff.answer.curves import Stretch
from runoff.base.arrays import Floats
from runoff.base.random import IntervalOptions
from runoff.base.validate import check_choice
from runoff.errors import OptionError
from runoff.words.numbers import exactly, joined, step_text


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTests:
    """One pair: at every step the law of the difference of means (a − b), that of the records, and that of steadied records; all together.

    rates: means are success rates, whose law is Miettinen and Nurminen's score.
    """

    laws: Sequence[PairLaw]
    plain: Sequence[bootstrap.Law]
    steady: Sequence[bootstrap.Law]
    largest: bootstrap.Largest
    rates: bool

    @property
    def estimates(self) -> Floats:
        return np.array([law.value for law in self.laws])

    @property
    def statistics(self) -> list[float]:
        """Return differences over their errors; ±∞ where no run varies."""
        return [
            law.value / law.error if law.error else copysign(inf, law.value) if law.value else 0.0 for law in self.plain
        ]

    @property
    def pvalues(self) -> Floats:
        """Return the p-value of each step; where no run varies at it, by what the runs vary at the others."""
        laws = zip(self.laws, self.steady, strict=True)
        # Any law with spread has an interval at one half: None says that no run varies at this step.
        return np.array([law.pvalue() if law.interval(0.5) else steady.pvalue() for law, steady in laws])

    @property
    def adjusted(self) -> Floats:
        """Return the p-values of all steps together."""
        own = self.pvalues
        # A step without a law, 0 here, is left to its own p-value by the maximum.
        steady = own if self.rates else np.array([law.pvalue() if law.laws else 0.0 for law in self.steady])
        return np.maximum(self.largest.adjusted(steady), own)

    def pointwise(self, level: float) -> list[bootstrap.Ends | None]:
        return [law.interval(level) for law in self.laws]

    def band(self, level: float, n_pairs: int) -> list[bootstrap.Ends | None]:
        """Return the intervals that hold at all steps of so many pairs: of rates their own, else none lies within the pointwise one."""
        # Bonferroni over pairs, the law of the largest over steps.
        joint = 1 - self.largest.critical((1 - level) / n_pairs)
        if self.rates:
            return self.pointwise(joint)
        steady = [law.interval(joint) for law in self.steady]
        return [bootstrap.wider(*both) for both in zip(steady, self.pointwise(level), strict=True)]


def pairs_along(aligned: Aligned, chosen: Sequence[tuple[int, int]]) -> list[list[PairData]]:
    """Return each pair of positions at one step after another, on the tasks that count in its mean; the pairs of a step have one book."""
    end, books = aligned.last, [Book() for _ in aligned.steps]
    binary = aligned.binary
    cells = cache(lambda a, t: list(np.ascontiguousarray(aligned.rows(a, t).T)))
    pairs = []
    for a, b in chosen:
        tasks = counted_tasks(end, a, b, "mean")
        x, y = (zip(*(cells(side, t) for t in tasks), strict=True) for side in (a, b))
        # Relabelled at a hundred steps it would take a hundred times as long.
        facts = replace(PairData.of(end, a, b, "mean"), relabelling=NEVER)
        pairs.append(
            [
                with_book(replace(facts, x=first, y=second, binary=binary, rates=binary and not facts.shared), book)
                for first, second, book in zip(x, y, books, strict=True)
            ]
        )
    return pairs


def differences(pairs: Sequence[Sequence[PairData]], drawing: IntervalOptions) -> list[StepTests]:
    """Return the tests of each pair, given at one step after another."""
    both = [[cells.records(bootstrap.parse_metric("mean")) for cells in pair] for pair in pairs]
    rows = [[np.concatenate([a.rows, b.rows]) for a, b in own] for own in both]
    largest = bootstrap.largest_of(rows, drawing, every=pairs[0][0].rates)
    return [_tests(*facts) for facts in zip(pairs, both, largest, strict=True)]


def _tests(
    pair: Sequence[PairData],
    both: Sequence[tuple[bootstrap.MetricEstimate, bootstrap.MetricEstimate]],
    largest: bootstrap.Largest,
) -> StepTests:
    laws, steady = [cells.law("mean") for cells in pair], map(bootstrap.steadied, zip(*both, strict=True))
    return StepTests(
        laws=laws,
        plain=[law if isinstance(law, bootstrap.Law) else a.minus(b) for law, (a, b) in zip(laws, both, strict=True)],
        steady=[
            replace(a.minus(b), range=(-1.0, 1.0)) if pair[0].binary else a.minus(b)
            for a, b in zip(*steady, strict=True)
        ],
        largest=largest,
        rates=pair[0].rates,
    )


# ── at which steps, under each correction, and in words ──────────


Adjust = Callable[[Sequence[StepTests], float], list[Floats]]
"""p-values (n_steps,) of every pair, adjusted; the second argument is the share of steps of the criterion."""


def _of_pvalues(name: str) -> Adjust:
    def adjusted(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
        del criterion
        every = adjust(np.concatenate([pair.pvalues for pair in tested]), name)
        return [np.asarray(part) for part in np.split(every, len(tested))]

    return adjusted


def _max_t(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return the p-values of all steps of a pair together, times the number of pairs (Bonferroni)."""
    del criterion
    return [np.minimum(pair.adjusted * len(tested), 1.0) for pair in tested]


def _colas(tested: Sequence[StepTests], criterion: float) -> list[Floats]:
    """Return p N_c / N_crit of each step (Colas et al. 2019 §7.2), or, if larger, of the step by which over N_crit of one direction reject."""
    adjusted = []
    for pair in tested:
        n = pair.pvalues.size
        # N_crit: more rejections than this in one direction, of N_c steps, decide.
        needed = max(1, floor(criterion * n + 1e-9))
        scaled = np.minimum(pair.pvalues * (n / needed) * len(tested), 1.0)
        whole = np.ones(n)
        for sign in (1.0, -1.0):
            same = np.sign(pair.estimates) == sign
            if same.sum() > needed:
                # More than N_crit steps reject where the (N_crit + 1)-th smallest p-value does: the claim about the pair has that one.
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


def stretches(
    a: str, b: str, steps: Floats, differences: Sequence[float], rejected: Sequence[bool]
) -> tuple[Stretch, ...]:
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


MOST_STRETCHES = 4
"""The most stretches of an algorithm that a sentence names."""


def pair_words(
    pair: PairData,
    stretches_of_pair: Sequence[Stretch],
    *,
    n_steps: int,
    axis: str,
    correction: str,
) -> str:
    """Return where along training one of a pair is ahead, in a sentence, and a second one where tasks were left out for single runs."""
    words = _ahead_words(pair, stretches_of_pair, n_steps=n_steps, axis=axis, correction=correction)
    return f"{words} The two were compared over {in_both(pair)}." if pair.left_out else words


def _ahead_words(
    pair: PairData, stretches_of_pair: Sequence[Stretch], *, n_steps: int, axis: str, correction: str
) -> str:
    what = "success rate" if pair.binary else "mean"
    noun = {"step": "step", "time": "second", "episodes": "episode"}[axis]
    if not stretches_of_pair:
        which = f"the {what}s of {pair.a} and {pair.b}"
        return f"No difference between {which} was found at any of {n_steps} steps, which does not make them equal."
    if correction == "colas2019":
        first, count = stretches_of_pair[0], sum(stretch.n_steps for stretch in stretches_of_pair)
        return (
            f"The {what} of {first.ahead} is above that of {first.behind}: {count} of {n_steps} steps reject, more than the criterion asks for, "
            f"which is one claim about the pair, and none about a single step."
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
            f"the {what} of {winner} is above that of {own[0].behind} {_places(where)} ({count} of {n_steps} steps)"
        )
    sentence = "; ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}."


def how_words(pairs: Sequence[PairData], correction: str, alpha: float) -> str:
    """Return how all pairs were compared, in a sentence."""
    tests = dict.fromkeys(about_test(chosen_test(pair)).title for pair in pairs)
    return f"Pairs were compared at each step by {' and '.join(tests)}, {_corrected(correction)}, α = {exactly(alpha)}."


def _places(texts: Sequence[str]) -> str:
    n = len(texts) - MOST_STRETCHES
    more = [f"on {n} more {'stretch' if n == 1 else 'stretches'}"] if n > 0 else []
    return joined([*texts[:MOST_STRETCHES], *more])


def _corrected(correction: str) -> str:
    if correction == "colas2019":
        return "the criterion of Colas et al. 2019 §7.2 over the steps"
    return (
        "max-T over the steps"
        if correction == "max_t"
        else f"{CORRECTIONS[correction].label} correction over the steps"
    )
