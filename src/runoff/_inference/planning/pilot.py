"""Pilot runs: the cells of two algorithms, what their spread may be in truth, and a single run that makes most of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import CONSTANT, parse_metric
from runoff._inference.pairs import (
    IMPROVEMENT,
    OF_PAIRS,
    PairData,
    all_pairs,
    chosen_pairs,
    values_of,
    widest,
)
from runoff.answer.plan import OutlyingRun
from runoff.answer.standing import in_order
from runoff.base.arrays import Bools, Floats
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.measures import even_of
from runoff.words.names import LOWER_IS_BETTER, measure_words
from runoff.words.speech import choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """The cells of a pair; where `alike`, both sides are the same runs of one algorithm. measure: what is planned for."""

    pair: PairData
    alike: bool
    measure: str = "mean"

    @property
    def n_tasks(self) -> int:
        return len(self.pair.tasks)

    @property
    def binary(self) -> bool:
        """Whether scores are successes and failures that are drawn task by task."""
        return self.pair.rates

    @property
    def without_unit(self) -> bool:
        """Whether the measure is a chance of scores that may have any unit; of successes it is half a difference of rates."""
        return self.measure == IMPROVEMENT and not self.binary

    @property
    def of_whole_runs(self) -> bool:
        """Whether the measure is a chance of runs that are scored on all tasks."""
        return self.without_unit and self.pair.shared

    @property
    def cells(self) -> list[Floats]:
        return list(self.pair.x) if self.alike else self.pair.cells

    @property
    def sizes(self) -> tuple[int, int]:
        sizes = [cell.size for cell in self.cells]
        return min(sizes), max(sizes)

    @property
    def means(self) -> Floats:
        return np.array([float(cell.mean()) for cell in self.pair.x])

    @property
    def variances(self) -> Floats:
        return np.array([[_variance(cell) for cell in side] for side in (self.pair.x, self.pair.y)])

    @property
    def varying(self) -> Bools:
        """Return on which tasks the runs of one side at least vary, (n_tasks,)."""
        return np.asarray(self.variances.any(axis=0))

    @property
    def most_lead(self) -> float:
        """Return the largest mean lead over ½ that chances have where only tasks lead whose runs vary."""
        return float(self.varying.mean()) / 2

    def as_one_task(self) -> Pilot:
        """Return the pilot with the mean of each shared run in place of its scores."""
        means = replace(self, pair=self.pair.as_one_task(), measure="mean")
        _refuse_unknown_spread(means)
        return replace(means, pair=replace(means.pair, episodes=self.pair.episodes))

    def terms(self, stretch: float = 1.0) -> list[VarianceTerm]:
        """Return the variances that add up to that of the difference of one run of each, with their degrees of freedom.

        Of the improvement, whose tasks have units of their own, the cells count alike; of success rates, which have one unit, as in their
        mean. stretch: how much further the second spreads.
        """
        first, second = self.pair.records(parse_metric("mean" if self.measure == IMPROVEMENT else self.measure))
        # Where one algorithm stands for both its variance counts for both, but is estimated once.
        sides = [(first, 1.0 + stretch**2)] if self.alike else [(first, 1.0), (second, stretch**2)]
        return [
            # `part` is what all n runs add to the squared error: n times as much is one run's.
            VarianceTerm(variance=weight * (1.0 if self.without_unit else part * n), df=n - 1.0)
            for record, weight in sides
            for part, n in zip(record.parts.tolist(), record.n_runs.tolist(), strict=True)
        ]

    def spread(self, alpha: float, stretch: float = 1.0) -> ErrorByRuns:
        """Return the standard error of the difference by the law of `compare`, as if every cell had one number of runs."""
        pair, n = self.pair, self.sizes[0]
        if stretch != 1.0:
            pair = replace(pair, y=[cell.mean() + stretch * (cell - cell.mean()) for cell in pair.y])
        error, df = widest(pair.law_at(self.measure, n, n), 1 - alpha)
        if df is None:
            if all(flat(cell) for cell in self.cells):
                raise DesignError(
                    "the pilot's runs do not vary, so no number of runs can be computed; run more of each."
                )
            what = measure_words(self.measure)
            raise DesignError(
                f"the pilot's runs do not vary in their {what}: plan for another ({choice('measure=', '--measure')})."
            )
        return ErrorByRuns(error=error, df=df, own_df=df / 2 if self.alike else df, n_runs=n)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorByRuns:
    """A standard error with n_runs of each, the degrees of freedom of a test by it, and its own as an estimate."""

    error: float
    df: float
    own_df: float
    n_runs: int


def pilot_of(scores: Scores, measure: str = "mean", *, leader_first: bool = False, control: str | None = None) -> Pilot:
    """Return the pilot of one algorithm or two, of more that of the leader and its nearest rival by the measure, the leader first.

    leader_first: also of two. control: of it and the algorithm that differs from it least, the better one first.
    A cell with one run and runs that do not vary are refused.
    """
    alike = scores.n_algorithms == 1
    if control is not None:
        a, b = beside(scores, measure, control)
    else:
        a, b = leading(scores, measure) if scores.n_algorithms > (1 if leader_first else 2) else (0, 0 if alike else 1)
    pair = PairData.of(scores, a, b)
    pair = replace(pair, b=f"an algorithm like {pair.a}") if alike else pair
    pilot = Pilot(pair=pair, alike=alike, measure=measure)
    _refuse_unknown_spread(pilot)
    return pilot


def pilot_between(scores: Scores, a: str, b: str, measure: str) -> Pilot:
    """Return two algorithms of several as a pilot, as `compare` sees them."""
    at = scores.algorithms.index
    return Pilot(pair=PairData.of(scores, at(a), at(b), measure), alike=False, measure=measure)


def leading(scores: Scores, measure: str) -> tuple[int, int]:
    """Return the positions of the two algorithms with the best values of the measure, as `compare` orders them, the better one first.

    Where tasks lack, values are of other tasks: nobody stands before one that is ahead on the tasks that both have.
    """
    pairs = all_pairs(scores, chosen_pairs(scores, "all", None))
    values, best = values_of(scores, pairs, measure), -1 if measure in LOWER_IS_BETTER else 1
    order = sorted(values, key=lambda name: -best * values[name])
    if measure not in OF_PAIRS:
        partly = (turned(pair, measure) for pair in pairs if pair.n_all)
        order = in_order(order, {(a, b) for a, b, lead in partly if lead > 0})
    # The order of values may turn for the pair itself, whose values are of the tasks that both have: the lead on these decides who is first.
    first, second, *_ = order
    ahead = turned(next(pair for pair in pairs if {pair.a, pair.b} == {first, second}), measure)
    a, b, _ = ahead if ahead[2] > 0 else (first, second, 0.0)
    return scores.algorithms.index(a), scores.algorithms.index(b)


def turned(pair: PairData, measure: str) -> tuple[str, str, float]:
    """Return the better one of a pair by the measure, the other, and by how much it leads."""
    lead = pair.law(measure).value - even_of(measure)
    a, b = (pair.a, pair.b) if (lead >= 0) != (measure in LOWER_IS_BETTER) else (pair.b, pair.a)
    return a, b, abs(lead)


def beside(scores: Scores, measure: str, control: str) -> tuple[int, int]:
    """Return the positions of the control and of the algorithm that differs from it least in the measure, the better one first."""
    pairs = all_pairs(scores, chosen_pairs(scores, "all", control))
    a, b, _ = min((turned(pair, measure) for pair in pairs), key=lambda ahead: ahead[2])
    return scores.algorithms.index(a), scores.algorithms.index(b)


def _refuse_unknown_spread(pilot: Pilot) -> None:
    pair = pilot.pair
    for name, side in ((pair.a, pair.x), (pair.b, pair.y)):
        for task, cell in zip(pair.tasks, side, strict=True):
            if cell.size < 2:
                raise DesignError(
                    f"the pilot has one run of {name!r} on task {task!r}: one run shows no spread; run at least 2 (better 20) of each, or "
                    f"state a standard deviation you would defend ({choice('runs_needed(effect=…, std=…)', '--std')})."
                )
    if not pilot.binary and all(flat(cell) for cell in pilot.cells):
        raise DesignError(
            "the pilot's runs do not vary on any task: where runs are all alike one run of each shows the difference. Is the score column "
            "the right one?"
        )


def flat(cell: Floats) -> bool:
    """Return whether the runs of a cell are equal up to rounding, as `compare` takes them."""
    return float(np.ptp(cell)) <= CONSTANT * float(np.abs(cell).max())


def _variance(cell: Floats) -> float:
    return 0.0 if flat(cell) else float(cell.var(ddof=1))


# ── a run that makes most of the spread ──────────


MOST, FEWEST_TASKS, FEWEST_DF = 0.5, 3, 20
"""A run with more than this share of the squared error is named; in smaller pilots normal runs have such one by chance: in .047 to .22 of pilots
of 3 or 4 tasks × 3 runs, and in .033 or fewer of those that are large enough (150 pilots each)."""


def outlying(pilot: Pilot) -> OutlyingRun | None:
    """Return the run that makes more than half of the squared error of the difference of the measure, if one does.

    Without run j of n the spread of its cell is that of the others, (Σ r² − r_j² n/(n − 1)) / (n − 2) instead of Σ r² / (n − 1) where r_j is
    what it adds to the error. Of two runs none is further off than the other, a chance has no such run, and shared runs no such cell.
    """
    pair = pilot.pair
    of_cells = pilot.measure != IMPROVEMENT and not pair.rates and not pair.shared
    if not of_cells or pilot.n_tasks < FEWEST_TASKS or sum(cell.size - 1 for cell in pilot.cells) < FEWEST_DF:
        return None
    records = pair.records(parse_metric(pilot.measure))
    total = float(sum(record.parts.sum() for record in records)) / (2.0 if pilot.alike else 1.0)
    for name, side, record in zip((pair.a, pair.b), (pair.x, pair.y), records, strict=True):
        t = int(np.argmax(record.parts))
        n, part = side[t].size, float(record.parts[t])
        rows = np.split(np.square(record.rows), np.cumsum(record.n_runs)[:-1])[t]
        run = int(np.argmax(rows))
        if n > 2 and part > MOST * total:
            # Of n deviations r that add up to 0, those without the j-th have the squares Σ r² − r_j² n/(n − 1) about their own mean.
            others = max(float(rows.sum() - rows[run] * n / (n - 1.0)) / float(rows.sum()), 0.0) * (n - 1.0) / (n - 2.0)
            share = part * (1.0 - others) / total
            if share > MOST:
                return OutlyingRun(algorithm=name, task=pair.tasks[t], score=float(side[t][run]), share=share)
    return None


def pooled(pilot: Pilot, run: OutlyingRun) -> Pilot:
    """Return the pilot, the cell of a run with the mean variance of the other cells of its algorithm in place of its own."""
    pair = pilot.pair
    t = pair.tasks.index(run.task)

    def calmed(side: Sequence[Floats]) -> list[Floats]:
        # Deviations are stretched about the cell's own mean: the difference that the pilot shows stays what it is.
        rest = np.mean([cell.var(ddof=1) for i, cell in enumerate(side) if i != t])
        cell = side[t]
        return [*side[:t], cell.mean() + sqrt(float(rest / cell.var(ddof=1))) * (cell - cell.mean()), *side[t + 1 :]]

    x = calmed(pair.x) if pilot.alike or run.algorithm == pair.a else pair.x
    y = calmed(pair.y) if pilot.alike or run.algorithm == pair.b else pair.y
    return replace(pilot, pair=replace(pair, x=x, y=y))


# ── what a difference of means may have for its true variance ──────────


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceTerm:
    """An estimated variance that adds to the sum, with the degrees of freedom of its estimate."""

    variance: float
    df: float


def limit_factor(terms: Sequence[VarianceTerm], assurance: float) -> float:
    """Return by how much the estimate of a sum of variances has to be multiplied so that the truth is below with this assurance, ½ or more, or
    with one below ½ seldom, at the lower limit of the same construction.

    One variance: ν / χ²_{1−γ}(ν), exact for normal runs. Two: the modified large-sample limit of Graybill & Wang (1980), V + √Σ (H_i v_i)² with
    H_i = ν_i / χ²_{1−γ}(ν_i) − 1, which is exact where one of them is 0. More: the same limit of two terms, the one that weighs most in it and
    all others together, whose sum is taken for a χ² with Satterthwaite's degrees of freedom. Satterthwaite's approximation of everything
    falls to 0.78 instead of 0.9 where a variance with few runs dominates; limits of each at once are up to 30 times too wide.
    """
    variances, df = (np.array([getattr(term, name) for term in terms], np.float64) for name in ("variance", "df"))
    if not variances.any():
        return 1.0  # of runs that do not vary no estimate is known to be too small
    shares = variances / variances.sum()
    # The term that reaches furthest stands alone: joined with the others its few degrees of freedom would be lost in theirs.
    reaches = shares * np.abs(_excess(df, assurance))
    most = int(np.argmax(reaches))
    reach = float(reaches[most])
    others = np.delete(shares, most)
    rest = float(others.sum())
    if rest > 0:
        together = rest**2 / float((others**2 / np.delete(df, most)).sum())
        reach = sqrt(reach**2 + (rest * float(_excess(np.array(together), assurance))) ** 2)
    return 1.0 + reach if assurance >= 0.5 else max(1.0 - reach, 0.0)


def _excess(df: Floats, assurance: float) -> Floats:
    """Return H = ν / χ²_{1−γ}(ν) − 1."""
    return np.asarray(df / special.chdtri(df, assurance) - 1.0)
