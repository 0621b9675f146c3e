"""Does a random run of one algorithm beat a random run of another?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from runoff._inference import advice as rules
from runoff._inference.bootstrap import OVER, Improvement, improvement_over_tasks, resampled_improvements
from runoff._inference.pairs import PairData, chosen_pairs, pair_data
from runoff.base.random import RNG, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples
from runoff.io.given import ScoresLike, as_scores
from runoff.results.advice import Advice
from runoff.results.improvement import ImprovementRecord, ImprovementResult
from runoff.words.names import ImprovementInterval, Resampled

AUTO = "t"
INTERVALS = (AUTO, "percentile")


def probability_of_improvement(
    scores: ScoresLike,
    *,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    interval: ImprovementInterval = "auto",
    over: Resampled = "runs",
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    rng: RNG = 0,
    threads: int | None = None,
) -> ImprovementResult:
    """Does a random run of a beat a random run of b?

    Parameters
    ----------
    scores : Scores
        Or a data frame, a dictionary or a path of which `Scores` can be made.
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm with this one instead.
    interval : "auto", "t" or "percentile"
        "auto" is "t".
    over : "runs" or "runs_and_tasks"
        What an interval allows for: other runs on these tasks, or other tasks as well, of which these are a sample.
    n_resamples : int
        Of percentile intervals.
    confidence_level : float
    rng : int or numpy.random.Generator
    threads : int, optional
        Changes the time only.

    Returns
    -------
    ImprovementResult
        `estimate` is the mean over shared tasks of P(a > b) + P(a = b) / 2.

    Raises
    ------
    DesignError
        Fewer than two algorithms, an unknown name, or a pair without a shared task.
    OptionError
        An unknown interval or `over`.

    Notes
    -----
    The Mann-Whitney statistic over n_a n_b, averaged over tasks (Agarwal et al. 2021 §4.3); invariant under any increasing map of a task's
    scores, so it needs no normalisation.

    **t** excludes θ if |θ̂ − θ| > t s √(θ (1 − θ) / (θ̂ (1 − θ̂))), where s comes from the variance of the runs' placements (DeLong et al. 1988;
    Brunner & Munzel 2000) and t has Welch-Satterthwaite degrees of freedom. It stays within [0, 1], and has width where one side is always
    ahead. Over tasks: s² is the variance of the tasks' own probabilities over T, with T − 1 degrees of freedom. docs/estimates.md has
    coverage, and how often ½ is wrongly left out.

    **percentile** is the interval of the stratified bootstrap with both sides redrawn; it is too narrow with few runs (advice R003). Where
    all runs of one side are ahead, which leaves the bootstrap no spread, it is the score interval of Newcombe (2006, method 5). Over tasks,
    both sides have the same drawn tasks, and the runs of each are redrawn. Runs that are shared by tasks (`scores.sampling`) are redrawn as
    a whole.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [3.0, 4.0, 5.0], "B": [1.0, 2.0, 4.0]})
    >>> ro.probability_of_improvement(scores).records[0].estimate
    0.8333333333333334
    """
    scores = as_scores(scores)
    family = streams(rng)
    chosen = AUTO if check_choice("interval", interval, ("auto", *INTERVALS)) == "auto" else interval
    check_resamples(n_resamples)
    check_confidence(confidence_level)

    check_choice("over", over, OVER)
    data = [pair_data(scores, a, b) for a, b in chosen_pairs(scores, pairs, control)]
    if chosen == AUTO:
        answers = [_by_t(pair, confidence_level, over) for pair in data]
    else:
        answers = resampled_improvements(
            [(pair.x, pair.y) for pair in data],
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            streams=family,
            threads=threads,
            shared=[pair.shared for pair in data],
            over=over,
        )
    return ImprovementResult(
        records=tuple(
            _record(pair, answer, confidence_level, n_resamples, over)
            for pair, answer in zip(data, answers, strict=True)
        ),
        seed=family.seed,
        advice=rules.collected(*(note for p, a in zip(data, answers, strict=True) for note in _advice(p, a, over))),
    )


def _by_t(pair: PairData, confidence_level: float, over: str) -> Improvement:
    if over == "runs":
        return pair.improvement(confidence_level)
    return improvement_over_tasks(pair.x, pair.y, confidence_level=confidence_level, shared=pair.shared)


def _record(
    pair: PairData, chance: Improvement, confidence_level: float, n_resamples: int, over: str
) -> ImprovementRecord:
    low, high = chance.ends or (None, None)
    return ImprovementRecord(
        a=pair.a,
        b=pair.b,
        estimate=chance.estimate,
        low=low,
        high=high,
        interval=chance.interval,
        confidence_level=confidence_level,
        over=over,
        n_tasks=len(pair.tasks),
        n_resamples=n_resamples if chance.interval == "percentile" else 0,
    )


def _advice(pair: PairData, chance: Improvement, over: str) -> list[Advice | None]:
    both, single = rules.pair(pair.a, pair.b), pair.single_runs
    alone = rules.one_task(len(pair.tasks), over, both)
    return [
        rules.one_run(single, both),
        alone,
        rules.bootstrap_runs(pair.least, len(pair.tasks)) if chance.interval == "percentile" else None,
        rules.no_interval_of_improvement(both) if not (single or alone) and chance.ends is None else None,
    ]
