"""Does a random run of one algorithm beat a random run of another?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from runoff._inference.bootstrap import improvement_of
from runoff._inference.pairs import chosen_pairs, pair_data
from runoff._random import RNG, streams
from runoff._validate import check_confidence, check_resamples
from runoff.results.improvement import ImprovementRecord, ImprovementResult
from runoff.scores import Scores


def probability_of_improvement(
    scores: Scores,
    *,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    rng: RNG = 0,
    threads: int | None = None,
) -> ImprovementResult:
    """Does a random run of a beat a random run of b?

    Parameters
    ----------
    scores : Scores
    pairs : "all" or sequence of (a, b)
    control : str, optional
        Compare each other algorithm with this one instead.
    n_resamples : int
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

    Notes
    -----
    The Mann-Whitney statistic over n_a n_b, averaged over tasks (Agarwal et al. 2021 §4.3); invariant under any increasing map of a task's
    scores, so it needs no normalisation. Percentile interval of the stratified bootstrap, both sides redrawn; where all runs of one side
    are ahead, which leaves the bootstrap no spread, the score interval of Newcombe (2006, method 5).

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [3.0, 4.0, 5.0], "B": [1.0, 2.0, 4.0]})
    >>> ro.probability_of_improvement(scores).records[0].estimate
    0.8333333333333334
    """
    family = streams(rng)
    check_resamples(n_resamples)
    check_confidence(confidence_level)
    records = []
    for a, b in chosen_pairs(scores, pairs, control):
        pair = pair_data(scores, a, b)
        found = improvement_of(
            pair.x,
            pair.y,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            streams=family,
            threads=threads,
        )
        low, high = found.ends or (None, None)
        records.append(
            ImprovementRecord(
                a=pair.a,
                b=pair.b,
                estimate=found.estimate,
                low=low,
                high=high,
                interval=found.interval,
                confidence_level=confidence_level,
                n_tasks=len(pair.tasks),
                n_resamples=n_resamples if found.interval == "percentile" else 0,
            )
        )
    return ImprovementResult(records=tuple(records), seed=family.seed)
