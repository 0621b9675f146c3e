"""Which ranks are possible, and how sure is it who is best?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Unpack

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import Mean, OwnFunction, estimate_of, guarded_rate, named_measure, parse_metric
from runoff._inference.family import correction_of, first_level
from runoff._inference.rank_sets import Sets, drawn_shares, sets_of_pairs
from runoff.answer.base import Advice
from runoff.answer.rank import RankIntervalRow, RankIntervalsResult
from runoff.answer.standing import in_order
from runoff.base.arrays import Floats
from runoff.base.random import RNG, streams
from runoff.base.validate import check_confidence, check_resamples
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError
from runoff.words.names import LOWER_IS_BETTER, MeasureName, SingleValue
from runoff.words.speech import choice

OF_RATES = ("mean", "optimality_gap")
"""Metrics that are a success rate, or its complement, where all scores are 0 or 1."""


def rank_intervals(
    data: ScoresLike,
    *,
    measure: MeasureName | OwnFunction = "auto",
    single_value: SingleValue = "line",
    confidence_level: float = 0.95,
    n_resamples: int = 50_000,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> RankIntervalsResult:
    """Which ranks are possible, and what is the chance to be best?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        All algorithms on the same tasks.
    measure : str or function
        What ranks are by, as for `compare`: "auto", "mean", "iqm", "iqm_whole", "median", "optimality_gap", "trimmed_mean_P",
        "improvement" or a function.
    single_value : "line" or "tested"
        As for `compare`; an opponent with one run takes any rank.
    confidence_level : float
        In (0, 1). `low` and `high` hold for one algorithm at a time, `joint_low` and `joint_high` for all at once.
    n_resamples, rng, threads
        As in `compare`; `p_best` is drawn too.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    RankIntervalsResult
        Records in the order of `scores.algorithms`. No chance to be best by "improvement", and where a cell has a single run, whose task its
        pairs leave out as in `compare`.

    Raises
    ------
    DesignError
        Fewer than two algorithms, or one that lacks a task.
    OptionError
        An unknown measure, a level outside (0, 1).

    Notes
    -----
    The rank of an algorithm is one more than the number of those with a higher true measure. Every pair has the p-value of `compare`; an
    algorithm ranks below those found better and above those found worse. `joint_low` and `joint_high` have the findings of `compare`, `low` and
    `high` those of Holm's correction over the pairs of one algorithm. With probability `confidence_level` the findings are all right, so every
    rank in between is possible, and where true measures are equal all of their ranks are covered (Mogstad, Romano, Shaikh & Wilhelm
    2024; their bootstrap has a wrong distribution with few runs). docs/ranks.md has coverage with 3 to 10 runs.

    `p_best` is the share of draws, estimates plus t errors (of success rates normal ones, with one success and one failure more, Agresti &
    Caffo 2000), in which the algorithm is best, ties sharing. It is no p-value: one of two equal algorithms has a
    p_best above .95 in up to a tenth of all experiments.

    Ranks are among the algorithms given: adding one changes them. What is said of a pair alone does not change (`compare`).

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm 2024, Review of Economic Studies 91, 476-518. Holm 1979. Agresti & Caffo 2000.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [5.0, 6.0, 7.0, 6.5], "B": [5.1, 6.1, 6.9, 7.2], "C": [1.0, 2.0, 3.0, 2.5]})
    >>> [(r.algorithm, r.low, r.high) for r in ro.rank_intervals(scores).rows]
    [('A', 1, 2), ('B', 1, 2), ('C', 3, 3)]
    """
    scores = as_scores(data, **of_data)
    check_resamples(n_resamples)
    advice = rules.about_data(scores)
    scores, left_out = rules.opponents(scores, single_value)
    kind = pairing.measure_of(scores, named_measure(measure))
    alpha = round(1.0 - check_confidence(confidence_level), 12)  # of 0.9 it is 0.1, as in `compare`
    options = pairing.PairOptions(measure=kind, n_resamples=n_resamples, streams=streams(rng))
    _refuse_other_tasks(scores)
    chosen = list(combinations(range(scores.n_algorithms), 2))
    how = pairing.Relabelling(level=first_level(alpha, len(chosen), "auto"), streams=options.streams)
    pairs = pairing.all_pairs(scores, chosen, kind, how)
    points = np.array(list(pairing.values_of(scores, pairs, kind).values()))
    sets = _sets(scores, pairs, alpha, options, threads)
    places = _places(scores.algorithms, _sign(kind) * points, sets)
    return RankIntervalsResult(
        rows=tuple(_record(name, float(points[a]), places[name], a, sets) for a, name in enumerate(scores.algorithms)),
        measure=kind,
        method="stepdown",
        confidence_level=confidence_level,
        n_tasks=scores.n_tasks,
        n_resamples=n_resamples,
        seed=options.streams.seed,
        advice=rules.collected(*_advice(scores, pairs, kind), left_out, *advice, unit=scores.sampling.unit),
    ).with_origin(scores)


def _refuse_other_tasks(scores: Scores) -> None:
    if scores.n_algorithms < 2:
        raise DesignError(f"ranks need two algorithms; the data have one, {scores.algorithms[0]!r}.")
    lacking = np.argwhere(scores.n_runs == 0)
    if lacking.size:
        a, t = lacking[0].tolist()
        n = int((scores.n_runs > 0).all(axis=0).sum())
        repair = (
            f"select the {n} task(s) that all have ({choice('scores.select(tasks=...)', '--tasks')})"
            if n
            else "leave out an algorithm"
        )
        raise DesignError(
            f"ranks are among algorithms on the same tasks, but {scores.algorithms[a]!r} has no scores on {scores.tasks[t]!r}; {repair}, or "
            "compare the pairs, each on the tasks that both have (compare)."
        )


def _sign(measure: str) -> float:
    return -1.0 if measure in LOWER_IS_BETTER else 1.0


def _sets(
    scores: Scores, pairs: Sequence[pairing.PairData], alpha: float, options: pairing.PairOptions, threads: int | None
) -> Sets:
    k = scores.n_algorithms
    pvalues, ahead = np.ones((k, k)), np.zeros((k, k), np.bool_)
    outcomes = pairing.run_pairs("auto", pairs, options, threads)
    for (a, b), outcome in zip(combinations(range(k), 2), outcomes, strict=True):
        pvalues[a, b] = pvalues[b, a] = outcome.pvalue
        ahead[a, b], ahead[b, a] = outcome.direction > 0, outcome.direction < 0
    adjusting = correction_of("auto", scores, len(pairs), values=pairing.of_values(options.measure, pairs, outcomes))
    return sets_of_pairs(pvalues, ahead, alpha, _shares(scores, options), adjusting)


def _shares(scores: Scores, options: pairing.PairOptions) -> Floats | None:
    """Return how often each algorithm takes which place where estimates err by their laws; None of chances, and with single runs."""
    if options.measure == pairing.IMPROVEMENT or scores.n_runs.min() < 2:
        return None
    laws = [_with_error(scores, a, options.measure) for a in range(scores.n_algorithms)]
    drawn = np.empty((options.n_resamples, len(laws)))
    # They draw in alphabetical order, so that the order of the data changes nothing.
    for place, a in enumerate(np.argsort(np.array(scores.algorithms, dtype=object)).tolist()):
        law, rng = laws[a], options.streams.block("rank sets", place)
        errors = rng.standard_normal(len(drawn)) if law.df == np.inf else rng.standard_t(law.df or 1.0, len(drawn))
        # A parametric draw of each estimate from its own t distribution: shares of places are described by it, the
        # possible ranks are not.
        drawn[:, a] = _sign(options.measure) * law.estimate + law.error * errors
    return drawn_shares(drawn)


def _with_error(scores: Scores, a: int, measure: str) -> Mean:
    cells = scores.cells(a)
    if scores.rates and measure in OF_RATES:
        rate = guarded_rate(cells)
        return rate if measure == "mean" else Mean(1.0 - rate.estimate, rate.error, rate.df)
    law = estimate_of(cells, parse_metric(measure), shared=scores.sampling.shared).law()
    error, df = law.laws[0] if law.laws else (0.0, None)
    return Mean(law.value, error, df)


def _places(algorithms: Sequence[str], values: Floats, sets: Sets) -> dict[str, int]:
    """Return the place of each algorithm by its value, larger being better: behind those that were found above it, equal values sharing one."""
    findings = {(algorithms[a], algorithms[b]) for a, b in np.argwhere(sets.findings).tolist()}
    own = dict(zip(algorithms, values.tolist(), strict=True))
    # `sorted` is stable: of equal values the one that comes first in the data stands first, and shares its place with
    # the next.
    order = in_order(sorted(algorithms, key=lambda name: -own[name]), findings)
    places = {order[0]: 1}
    for place, (before, name) in enumerate(pairwise(order), start=2):
        places[name] = places[before] if own[name] == own[before] and (before, name) not in findings else place
    return places


def _record(algorithm: str, estimate: float, place: int, a: int, sets: Sets) -> RankIntervalRow:
    shares = None if sets.shares is None else tuple(sets.shares[a].tolist())
    return RankIntervalRow(
        algorithm=algorithm,
        estimate=estimate,
        place=place,
        low=int(sets.low[a]),
        high=int(sets.high[a]),
        joint_low=int(sets.joint_low[a]),
        joint_high=int(sets.joint_high[a]),
        p_best=None if shares is None else shares[0],
        p_places=shares,
    )


def _advice(scores: Scores, pairs: Sequence[pairing.PairData], measure: str) -> Sequence[Advice | None]:
    least = int(scores.n_runs.min())
    still = [
        name
        for a, name in enumerate(scores.algorithms)
        if scores.n_runs[a].min() > 1 and all(np.ptp(cell) == 0 for cell in scores.cells(a))
    ]
    rates = scores.rates and measure in OF_RATES
    fewest = scores.algorithms[int(scores.n_runs.min(axis=1).argmin())]
    return [
        *(rules.one_run(pair.lonely, rules.pair(pair.a, pair.b), others=pair.n_counted) for pair in pairs),
        *(rules.moved_by_few(measure, pair.moved_by(measure)) for pair in pairs),
        *(rules.no_spread(["the rank"], rules.algorithm(name)) for name in still if not rates),
        rules.few_runs(rules.runs_of(scores, fewest), rules.algorithm(fewest)),
        rules.approximate([measure], least, scores.n_tasks, binary=scores.binary) if not rates else None,
    ]
