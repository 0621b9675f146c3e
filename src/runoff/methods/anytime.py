"""Who is better, however often we look?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import exp, log

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import sequential as looks
from runoff._inference.pairs import check_margin_of, one_unit, refuse_other_than_means
from runoff._inference.sequential import batch
from runoff.answer.base import compared_at, filled
from runoff.answer.sequential import AnytimeDecision, AnytimePair, AnytimePoint, AnytimeResult
from runoff.answer.unjudged import SAME_RUNS, unjudged_words
from runoff.base.arrays import Floats
from runoff.base.random import RNG, Streams, streams
from runoff.base.validate import check_alpha, check_resamples
from runoff.data.given import ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.names import MeasureName
from runoff.words.speech import Sentence, choice

__all__ = ["anytime"]

PRICE = (
    "Planned looks ({}) find more with the same runs: a difference of one standard deviation in {} of experiments of at most 20 runs per task, "
    "against {} at any time, in batches of 5. Where looks can be planned, plan them."
)
NO_INTERVAL = (
    "{} and {} have no interval and no equivalence: on a task, or in a batch, their runs have at most two different scores, and such runs do "
    "not rule out a rare other score."
)
PRICE_OF_RATES = (
    "Planned looks ({}) find more with the same episodes: success rates of 0.5 and 0.8 of one task in {} of experiments of at most 50 episodes "
    "of each, and in {} where no limit is named, against {} at any time. Where looks can be planned, plan them."
)
FOUND_RATES = 0.86, 0.78, 0.60
"""Planned looks by enumeration, and looks at any time by 1,000 experiments: docs/evidence/looks.md."""
FOUND = 0.76, 0.47
"""Planned looks, and looks at any time: docs/guides/when-to-stop.md, 1,000 and 500 experiments."""
PLANNED = choice("ro.SequentialDesign(looks=(5, 10, 15, 20))", "runoff sequential design.toml --new --looks 5,10,15,20")
MOST = 700.0
"""The largest logarithm of evidence whose exponential a double holds."""


def anytime(
    batches: Sequence[ScoresLike],
    *,
    measure: MeasureName = "auto",
    alpha: float = 0.05,
    margin: float | None = None,
    n_resamples: int = 5_000,
    rng: RNG = 0,
) -> AnytimeResult:
    """Which algorithm is better so far, by a claim that holds however often you look and whenever you stop?

    Parameters
    ----------
    batches : sequence of Scores, frames, dictionaries or paths
        The runs in the order in which they came, one item for each batch; a batch is decided before its runs are seen. At least two
        algorithms, with equally many runs on a task; an algorithm may be left out of a batch. Two that have the same runs in a batch are not
        judged.
    measure : "auto" or "mean"
        The evidence is about means, whatever the tasks are. `compare` judges other measures, once, when all runs are there.
    alpha : float
        In (0, 1): the chance that any claim about any pair, or any interval, is ever wrong.
    margin : float, optional
        Mean scores that differ by less are equivalent.
    n_resamples : int
        How many permutations of a batch are drawn where it has more.
    rng : int or numpy.random.Generator
        Choose it before the first batch, and keep it.

    Raises
    ------
    DesignError
        There is no batch, or a batch has a single algorithm, other tasks, unequal numbers of runs on a task, or scores in another unit.
    DataError
        A run is in two batches, or the batches were read in different ways.
    OptionError
        `alpha` is outside (0, 1), `margin` is not above 0, or not below 1 where all scores are 0 or 1.

    Notes
    -----
    Plan looks with `sequential` where you can: it finds the same difference with fewer runs. Within 20 runs it finds a difference of one
    standard deviation in 0.76 of experiments; `anytime`, in batches of 5, in 0.47. Here batches may have any size and any number.

    `more_batches` carries the present difference and spread on: each later batch brings what those so far bring on average. For a difference
    of one standard deviation in batches of 5 its median is right within a batch or two, and half of these numbers are off by a factor of
    two. Between equal algorithms, too, chance can make a difference look within reach.

    Where two algorithms have the same distribution on every task, the runs of a batch carry their labels by chance. Z is the difference of
    means, averaged over tasks, divided by its standard deviation under permutation. A bet pays exp(λZ) divided by its mean over all
    permutations, so it pays 1 on average whatever was seen before; the product over batches is a nonnegative martingale under the null, and
    the chance that it ever exceeds 1/α is at most α (Ville's inequality; Ramdas, Grünwald, Vovk & Shafer 2023). In each direction equal
    parts are bet on seven sizes of effect. A pair differs when the evidence for a direction has reached 2 m / α, for m pairs (Bonferroni, so
    that interval and decision say the same). The interval holds the shifts of an algorithm's scores under which neither direction has ever
    reached that.

    The level is exact where distributions differ at most by a shift, for any number of runs or draws; where means are equal and spreads are
    not, it is approximate (11 % instead of 5 % for lognormal runs with spreads of 1 and 3).

    A shift does not describe runs with only two scores: five successes in five runs do not rule out a rate of 0.9. Where all scores are 0 or
    1, the interval is the one for any scores in [0, 1] (a mixture of bets on their difference, Robbins 1970), at half of the error rate, cut
    at 0 where a direction is found. Where a task otherwise has at most two scores, or every task has at most two in a single batch, there is
    no interval and no equivalence.

    References
    ----------
    Ville 1939. Robbins 1970, Annals of Mathematical Statistics 41, 1397-1409.
    Ramdas, Grünwald, Vovk & Shafer 2023, Statistical Science 38, 576-601. Koning 2024 (tests of groups as e-values).

    Examples
    --------
    >>> import numpy as np, runoff as ro
    >>> runs = np.random.default_rng(1)
    >>> batches = [{"PPO": runs.normal(0, 1, 5), "SAC": runs.normal(1.5, 1, 5)} for _ in range(4)]
    >>> print(ro.anytime(batches[:1]).sentence)
    After 1 batch nothing is decided yet: if differences and spreads stay as they are, about 1 further batch would decide.
    >>> print(ro.anytime(batches).sentence)
    After 4 batches SAC is better than PPO.
    """
    refuse_other_than_means(measure, "anytime evidence")
    check_alpha(alpha)
    check_resamples(n_resamples)
    every = [rules.comparable(as_scores(scores)) for scores in _listed(batches)]
    check_margin_of("mean", margin, rates=all(scores.binary for scores in every))
    looks.refuse_unlike(every)
    looks.refuse_unlike_tasks(every[0])  # what later batches hold turns no answer into a refusal
    met = _met(every)
    options = _AnytimeOptions(
        n_pairs=len(met),
        alpha=alpha,
        margin=margin,
        n_resamples=n_resamples,
        streams=streams(rng),
        n_batches=len(every),
    )
    # Two that had the same runs in a batch make no claim, and count all the same: who leaves the family must not depend on scores.
    same = {pair for scores in every for pair in rules.of_same_runs(scores)}
    answers = [_pair(options, pair, batches) for pair, batches in met.items() if frozenset(pair) not in same]
    pairs = tuple(pair for pair, _, _ in answers)
    answered = [_answer(pairs, len(every))] if pairs else []
    unjudged = [Sentence(f"{unjudged_words(*pair, SAME_RUNS)}.") for pair in met if frozenset(pair) in same]
    few, notes = [pair for pair, _, without in answers if without], [rules.about_data(scores) for scores in every]
    return AnytimeResult(
        pairs=pairs,
        trajectory=tuple(point for _, points, _ in answers for point in points),
        n_batches=len(every),
        alpha=alpha,
        margin=margin,
        n_resamples=n_resamples,
        advice=rules.collected(*chain.from_iterable(notes)),
        sentence=" ".join([*filter(None, dict.fromkeys(map(compared_at, notes))), *answered, *unjudged]),
        notes=(
            *looks.unit_notes(one_unit(every[0])),
            *(NO_INTERVAL.format(pair.a, pair.b) for pair in few[:1]),
            *(Sentence(_price(every)) for _ in [pair for pair in pairs if pair.decision == "go_on"][:1]),
        ),
    ).with_origin(every[0])


def _met(every: Sequence[Scores]) -> dict[tuple[str, str], dict[int, Scores]]:
    """Return the batches of the pairs that met, by number. Only these are corrected for: one without a batch in common makes no claim."""
    names = list(dict.fromkeys(name for scores in every for name in scores.algorithms))
    both = {
        pair: {k: scores for k, scores in enumerate(every) if set(pair) <= set(scores.algorithms)}
        for pair in combinations(names, 2)
    }
    return {pair: batches for pair, batches in both.items() if batches}


def _price(batches: Sequence[Scores]) -> str:
    """Return what looking at any time costs; of success rates of one task, which have a boundary of their own, in their numbers."""
    here = {(scores.sampling.unit, scores.n_tasks) for scores in batches}
    rates = here == {("episode", 1)} and all(np.isin(scores.values, (0.0, 1.0)).all() for scores in batches)
    return PRICE_OF_RATES.format(PLANNED, *FOUND_RATES) if rates else PRICE.format(PLANNED, *FOUND)


def _listed(batches: Sequence[ScoresLike]) -> Sequence[ScoresLike]:
    """Return the batches; refuse the scores of one, whose names or characters would be taken for batches."""
    if isinstance(batches, Scores | Mapping | str) or hasattr(batches, "columns") or not isinstance(batches, Iterable):
        raise OptionError(
            f"batches must be a list, each like the scores of compare, not {type(batches).__name__}; of one: [scores]."
        )
    return batches


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnytimeOptions:
    n_pairs: int
    n_batches: int
    alpha: float
    margin: float | None
    n_resamples: int
    streams: Streams

    @property
    def bound(self) -> float:
        """The logarithm that the evidence of one direction has to reach."""
        # Ville: P(evidence ever ≥ 1/α') ≤ α'. Bonferroni over m pairs and two directions gives α' = α / (2m).
        return log(2 * self.n_pairs / self.alpha)


def _pair(
    options: _AnytimeOptions, names: tuple[str, str], by_batch: Mapping[int, Scores]
) -> tuple[AnytimePair, list[AnytimePoint], bool]:
    tasks = next(iter(by_batch.values())).tasks
    runs = {k: [looks.cells_of(scores, name, tasks) for name in names] for k, scores in by_batch.items()}
    # A batch draws from the stream of its number, so that its evidence is the same when later batches come.
    batches = [
        batch(a, b, streams=options.streams, key=k, n_resamples=options.n_resamples) for k, (a, b) in runs.items()
    ]
    a, b = ([np.concatenate(cell) for cell in zip(*(pair[i] for pair in runs.values()), strict=True)] for i in (0, 1))
    ahead, behind = looks.log_e(batches, 0.0, 1), looks.log_e(batches, 0.0, -1)
    # The mean of the evidence of both directions is evidence itself; the interval and the p-value pay for two directions instead.
    either = np.logaddexp(ahead, behind) - log(2)
    difference = float(np.mean([x.mean() - y.mean() for x, y in zip(a, b, strict=True)]))
    interval = _interval(batches, list(runs.values()), options.bound, by_batch.values(), names).around(difference)
    # The running largest evidence E is never undone by later batches, so 1/E is a p-value at any time; twice, for two
    # directions.
    pvalues = np.minimum(1.0, 2 * np.exp(-np.maximum.accumulate(np.maximum(ahead, behind)))).tolist()
    decision = _decision(options, interval, float(ahead.max()), float(behind.max()))
    pair = filled(
        AnytimePair,
        options,
        interval,
        a=names[0],
        b=names[1],
        decision=decision,
        more_batches=looks.batches_left(batches, options.bound) if decision == "go_on" and not interval.empty else None,
        n_batches=len(batches),
        n_runs_a=min(cell.size for cell in a),
        n_runs_b=min(cell.size for cell in b),
        difference=difference,
        # Whoever bets nothing keeps a stake of 1, so evidence below 1 counts as 1.
        e_value=exp(min(MOST, max(0.0, float(either.max())))),
        pvalue=pvalues[-1],
        pvalue_adjusted=min(1.0, options.n_pairs * pvalues[-1]),
        sentence="",
    )
    points = [
        AnytimePoint(a=names[0], b=names[1], batch=k + 1, e_value=exp(min(MOST, e)), pvalue=p)
        for k, e, p in zip(runs, either.tolist(), pvalues, strict=True)
    ]
    return pair.with_sentence(), points, interval.few


def _interval(
    batches: Sequence[looks.BatchEvidence],
    runs: Sequence[Sequence[Sequence[Floats]]],
    bound: float,
    every: Iterable[Scores],
    names: tuple[str, str],
) -> looks.ShiftEnds:
    """Return the interval that suits the scores: a shift of all runs explains no success in place of a failure."""
    if all(
        np.isin(cell, (0, 1)).all()
        for scores in every
        for a in names
        for cell in scores.cells(scores.algorithms.index(a))
    ):
        return looks.ends_of_few(batches, bound, bounded=True)
    if _few(runs):
        return looks.ends_of_few(batches, bound, bounded=False)
    # How far ends are searched goes by the widest range of a task's scores, so that the unit of the scores does not
    # matter.
    both = (np.concatenate([*chain(*cells)]) for cells in zip(*(zip(a, b, strict=True) for a, b in runs), strict=True))
    return looks.ends(batches, bound, max(float(np.ptp(cell)) for cell in both))


def _few(batches: Sequence[Sequence[Sequence[Floats]]]) -> bool:
    """Return whether runs of two do not move as a whole: few scores on a task in all batches, or on all tasks of a batch."""

    def few(cells: Sequence[Floats]) -> bool:
        return np.unique(np.concatenate(cells)).size <= looks.FEW

    tasks = [list(zip(a, b, strict=True)) for a, b in batches]
    return any(few([*chain(*cells)]) for cells in zip(*tasks, strict=True)) or any(
        all(few(cells) for cells in batch) for batch in tasks if min(map(len, chain(*batch))) > 1
    )


def _decision(options: _AnytimeOptions, interval: looks.ShiftEnds, ahead: float, behind: float) -> AnytimeDecision:
    if options.margin is not None and interval.within(options.margin):
        return "equivalent"
    # The interval and the evidence say the same but for rounding, and but for runs of few scores, whose interval
    # rests on other bets: a verdict needs both.
    if interval.low is not None and interval.low >= 0 and ahead >= options.bound:
        return "a_better"
    if interval.high is not None and interval.high <= 0 and behind >= options.bound:
        return "b_better"
    return "go_on"


def _answer(pairs: Sequence[AnytimePair], n_batches: int) -> str:
    claims = [f"{p.a} is better than {p.b}" for p in pairs if p.decision == "a_better"]
    claims += [f"{p.b} is better than {p.a}" for p in pairs if p.decision == "b_better"]
    claims += [f"{p.a} and {p.b} are equivalent" for p in pairs if p.decision == "equivalent"]
    going = [p.more_batches for p in pairs if p.decision == "go_on"]
    if going:
        is_open = f"{len(going)} pair{'s are' if len(going) > 1 else ' is'} not decided yet"
        claims.append(f"{is_open if claims else 'nothing is decided yet'}: {_projection(going)}")
    return f"After {n_batches} batch{'es' if n_batches > 1 else ''} {'; '.join(claims)}."


def _projection(more: Sequence[int | None]) -> str:
    """Return in words how many batches like those so far would decide."""
    numbers = sorted(looks.MOST_BATCHES + 1 if n is None else n for n in more)
    least, most = (
        f"over {looks.MOST_BATCHES}" if n > looks.MOST_BATCHES else f"about {n}" for n in (numbers[0], numbers[-1])
    )
    batches = "batch" if numbers[0] == 1 else "batches"
    which = "" if least == most else f" the nearest pair, and {most} the farthest"
    return f"if differences and spreads stay as they are, {least} further {batches} would decide{which}"
