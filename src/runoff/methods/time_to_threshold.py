"""How long until a score is reached? Runs that never reach it are censored, not left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import ceil
from typing import Unpack

import numpy as np

from runoff._inference import advice as rules
from runoff._inference.family import adjust
from runoff._inference.steps import REACH_TESTS, Logrank, Times, logrank, looks_of, looks_words, reach_words, times_of
from runoff.answer.curves import ReachCurve, ReachPair, ReachResult, ReachRow
from runoff.base.random import RNG, streams
from runoff.base.validate import check_alpha, check_choice, check_resamples, check_score
from runoff.data.curves import Curves
from runoff.data.given import DataOptions
from runoff.data.given_curves import CurvesLike, as_curves
from runoff.data.scores import Scores
from runoff.errors import OptionError, nearest
from runoff.words.names import AxisName, PvalueCorrection, ReachTestName
from runoff.words.numbers import exactly


def time_to_threshold(
    data: CurvesLike,
    threshold: float | Mapping[str, float],
    *,
    along: AxisName = "step",
    test: ReachTestName = "logrank_permutation",
    correction: PvalueCorrection = "holm",
    alpha: float = 0.05,
    n_resamples: int = 10_000,
    rng: RNG = 0,
    **of_data: Unpack[DataOptions],
) -> ReachResult:
    """After how many steps does a run of each algorithm first reach a score?

    Parameters
    ----------
    data : Curves, data frame with a step column, or path
    threshold : float, or mapping of task to float
        In units of the scores; of costs, whose scores are negated, the cost.
    along : "step", "time" or "episodes"
    test : "logrank_permutation" or "logrank"
        The log-rank statistic with its permutation distribution, or with its large-sample distribution.
    correction : str
        The correction of the tests, over all pairs and tasks.
    alpha : float
        False positive rate over all tests; the interval of each median is at 1 − alpha.
    n_resamples, rng
        Permutations are drawn where there are more than 200,000; at least ten for each test and α.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    ReachResult
        Medians by algorithm and task, and the log-rank tests of all pairs.

    Raises
    ------
    OptionError
        A threshold is not a finite number, or a task has none.

    Notes
    -----
    The time of a run is its first evaluation at the threshold or above; a run that never gets there is censored at its last evaluation, so
    runs that end early need no policy. Where runs of a task were evaluated at different steps, each is looked at as often as the others, for
    else whoever is evaluated more often is sooner: from the latest first evaluation on, at the steps by which every run was evaluated anew,
    by its nearest evaluation. The median is Kaplan & Meier's (1958), its interval the log-log one with Greenwood's variance, as in
    `scipy.stats.ecdf`; it is a large-sample interval, and has no upper end where runs are few. The test is the log-rank test (Mantel 1966).
    Its permutation distribution is exact where the runs of both algorithms are censored alike. The large-sample distribution
    (`scipy.stats.logrank`) rejects 6 % of true nulls at 5 % with 10 runs of each, 10 % with 3.

    Examples
    --------
    >>> import runoff as ro
    >>> curves = ro.load_example("classic_control").select(algorithms=["CEM", "Sarsa(λ)"], tasks=["CartPole-v1"])
    >>> print(ro.time_to_threshold(curves, 475))
    CEM reaches a score of 475 on CartPole-v1 sooner than Sarsa(λ) (the log-rank permutation test, p <
      0.001, Holm correction, α = 0.05). Half of the runs reach a score of 475 in 2 of 2 cells. Too few
      runs of Sarsa(λ) reach it to bound the median from above (∞).
    <BLANKLINE>
    Task         Algorithm           Median step  Reached by
    CartPole-v1  CEM        4 900 [4 200, 7 000]    46 of 50
    CartPole-v1  Sarsa(λ)     13 300 [11 200, ∞]    31 of 50
    """
    curves = as_curves(data, **of_data).along(along)
    if isinstance(threshold, Mapping):
        unknown = [str(task) for task in threshold if task not in curves.tasks]
        if unknown:
            message = f"threshold names the task {unknown[0]!r}, which is not there.{nearest(unknown[0], curves.tasks)}"
            raise OptionError(message)
    at, turned = _as_scores(curves, {task: _threshold(threshold, task) for task in curves.tasks})
    check_alpha(alpha)
    check_choice("test", test, REACH_TESTS)
    check_resamples(n_resamples)
    family = streams(rng)
    looks = [looks_of(curves, t) for t in range(len(curves.tasks))]
    reached = {
        (name, task): times
        for a, name in enumerate(curves.algorithms)
        for t, task in enumerate(curves.tasks)
        if (times := times_of(curves, a, t, at[task], looks[t])) is not None
    }
    cells = [(a, b, task) for task in curves.tasks for a, b in combinations(rules.testable(curves).algorithms, 2)]
    both = [(a, b, task) for a, b, task in cells if (a, task) in reached and (b, task) in reached]
    # The smallest p-value of so many draws has to pass a correction over all tests.
    draws = max(n_resamples, ceil(10 * len(both) / alpha))
    ask = partial(logrank, exact=test == "logrank_permutation", streams=family, n_resamples=draws)
    tests = {(a, b, task): ask(reached[a, task], reached[b, task]) for a, b, task in both}
    counts = [(name, int(n[n > 0].min())) for name, n in zip(curves.algorithms, curves.n_runs, strict=True)]
    few = [rules.few_runs([least], rules.algorithm(name)) for name, least in counts]
    return ReachResult(
        rows=tuple(_record(*cell, at[cell[1]], times, 1 - alpha) for cell, times in reached.items()),
        curves=tuple(_curve(*cell, times) for cell, times in reached.items()),
        pairs=_pairs(tests, at, test, correction, alpha),
        along=curves.axis,
        unit=curves.sampling.unit,
        test=test,
        correction=correction,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=family.seed,
        notes=(*turned, *looks_words(curves, looks)),
        advice=rules.collected(*few, *rules.about_data(_ends(curves))),
    ).with_origin(curves)


def _ends(curves: Curves) -> Scores:
    """Return the last scores without the notes on runs that ended early, because here they are censored and not carried forward."""
    end = curves.final(1, incomplete="carry")
    return replace(end, provenance=curves.provenance.warning_of(*curves.twins()))


def _threshold(threshold: float | Mapping[str, float], task: str) -> float:
    if isinstance(threshold, Mapping):
        if task not in threshold:
            raise OptionError(f"threshold names no score for task {task!r}.")
        threshold = threshold[task]
    return check_score("threshold", threshold)


def _as_scores(curves: Curves, at: Mapping[str, float]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the thresholds in units of the scores, and a note on each that was given as a cost where scores are negated costs.

    A threshold on the other side of 0 than all scores of its task is one: a loss of 2, where losses of 0 to 10 are scores of −10 to 0.
    """
    origin = curves.provenance
    if not origin.of_costs or origin.reference is not None:
        return dict(at), ()
    tasks = np.repeat(curves.cells() % len(curves.tasks), np.diff(curves.run_offsets))
    costs = [
        task for t, task in enumerate(curves.tasks) if at[task] and (at[task] * curves.values[tasks == t] <= 0).all()
    ]
    notes = [
        f"scores are negated costs: a cost of {exactly(at[task])} is a score of {exactly(-at[task])}" for task in costs
    ]
    return {**at, **{task: -at[task] for task in costs}}, tuple(dict.fromkeys(notes))


def _record(algorithm: str, task: str, threshold: float, times: Times, level: float) -> ReachRow:
    estimate, low, high = times.median(level)
    return ReachRow(
        algorithm=algorithm,
        task=task,
        threshold=threshold,
        n_runs=int(times.times.size),
        n_reached=int(times.reached.sum()),
        estimate=estimate,
        low=low,
        high=high,
        confidence_level=level,
    )


def _curve(algorithm: str, task: str, times: Times) -> ReachCurve:
    steps, shares = times.share_reached()
    return ReachCurve(
        algorithm=algorithm,
        task=task,
        steps=steps,
        shares=shares,
        ended=tuple(sorted(times.times[~times.reached].tolist())),
    )


def _pairs(
    tests: Mapping[tuple[str, str, str], Logrank], at: Mapping[str, float], test: str, correction: str, alpha: float
) -> tuple[ReachPair, ...]:
    adjusted = adjust([test.pvalue for test in tests.values()], correction).tolist()
    return tuple(
        ReachPair(
            a=a,
            b=b,
            task=task,
            method=outcome.method,
            pvalue=outcome.pvalue,
            pvalue_adjusted=q,
            rejected=q <= alpha,
            # The excess is observed minus expected events of a: more runs of a reached the score, each at its time,
            # than equal hazards would have.
            sooner=(a if outcome.excess > 0 else b) if q <= alpha else None,
            sentence=reach_words(
                (a, b),
                outcome,
                q,
                where=f"a score of {exactly(at[task])} on {task}",
                test=test,
                correction=correction,
                alpha=alpha,
            ),
        )
        for ((a, b, task), outcome), q in zip(tests.items(), adjusted, strict=True)
    )
