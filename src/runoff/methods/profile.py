"""What share of an algorithm's runs is better than a threshold? Performance profiles with bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from runoff._inference import advice as rules
from runoff._inference import bootstrap
from runoff._inference import pairs as pairing
from runoff._inference.pairs import profile_orders
from runoff.answer.base import Advice, filled
from runoff.answer.describe import ProfileResult, ProfileRow, ProfileSummary
from runoff.base.arrays import Floats
from runoff.base.random import RNG, IntervalOptions, streams
from runoff.base.validate import check_choice, check_confidence, check_resamples, check_score
from runoff.data.given import DataOptions, ScoresLike, as_scores
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.words.names import ProfileBand, ProfileKind, ThresholdsName

READ = tuple(bootstrap.parse_metric(name) for name in ("iqm", "mean", "optimality_gap"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProfilePlan(IntervalOptions):
    thresholds: bootstrap.Thresholds
    kind: str
    band: str
    gamma: float


def performance_profile(
    data: ScoresLike,
    *,
    thresholds: ArrayLike | ThresholdsName | None = None,
    kind: ProfileKind = "run_scores",
    band: ProfileBand = "wilson",
    gamma: float = 1.0,
    n_resamples: int = 50_000,
    confidence_level: float = 0.95,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> ProfileResult:
    """What share of an algorithm's runs is above a threshold τ, for every τ?

    Parameters
    ----------
    data : Scores, data frame, dictionary or path
        Normalise first if tasks have different units.
    thresholds : sequence of float, "linear" or "log", optional
        Strictly increasing values of τ, in units of the scores. None takes every score, or 200 evenly by rank where there are more, up to the
        97.5th percentile of the algorithm that reaches furthest; "linear" and "log" take 81 over the scores without the hundredth of each
        algorithm that is farthest out at either end, evenly spaced or, of the positive ones, with evenly spaced logarithms.
    kind : "run_scores" or "average_scores"
        Runs are counted, every task weighing the same, or tasks by the mean of their runs.
    band : "wilson", "exact", "bootstrap" or "simultaneous"
        The first three hold their level at each τ on its own, the last for all τ together, of one algorithm. Run scores have "wilson", "exact"
        and "simultaneous", average scores "bootstrap" and "simultaneous".
    gamma : float
        Threshold of the optimality gap that is read off.
    n_resamples : int
        Of "bootstrap" and "simultaneous"; the others draw nothing.
    confidence_level : float
    rng, threads
        As in `compare`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    ProfileResult
        `rows` by algorithm and threshold; `summaries`: IQM, median, mean and optimality gap as they are read off; `orders`: which of each
        pair dominates, or where the two profiles cross. Ends are None with a cell of one run.

    Raises
    ------
    OptionError
        Thresholds that do not increase strictly, are not finite, or are none; an unknown kind or band, or a band that the kind does not have.

    Warns
    -----
    RunoffWarning
        A cell of a single run, or an algorithm that lacks tasks.

    Notes
    -----
    F̂(τ) = (1/T) Σ_t (1/c_t) Σ_i 1[x_ti > τ], and (1/T) Σ_t 1[x̄_t > τ] (Agarwal et al. 2021, eqs. 1 and 2).

    **exact**: the percentile interval of the stratified bootstrap with infinitely many resamples, by convolution: with k_t of c_t runs above, a
    resample has Binomial(c_t, k_t / c_t) of them (of shared runs, whole rows are drawn). Where every task has all its runs above or none, no
    resample differs: there the interval is Clopper and Pearson's of the pooled runs, which covers whatever the tasks are (Hoeffding 1956,
    theorem 5), and `interval` of the record says so.
    **wilson**: Wilson's interval of the share, from the number of runs of one task that would have its variance (docs/estimates.md).
    **bootstrap**: the percentile interval of `n_resamples` resamples. **simultaneous**: the estimate ± the quantile of the
    largest deviation of a resampled profile over all τ; resamples are of c_t − 1 runs (Rao & Wu 1988), widened by Student's t over the normal
    quantile, and no further than Kolmogorov's statistic of as many runs of one task.

    Coverage of each, with 3 to 10 runs: docs/guides/comparing-on-a-benchmark.md.

    References
    ----------
    Agarwal et al. 2021, "Deep RL at the Edge of the Statistical Precipice", §4.2. Dolan & Moré 2002. Clopper & Pearson 1934. Wilson 1927.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [[0.1, 0.4], [0.2, 0.6], [0.3, 0.8]], "B": [[0.0, 0.3], [0.1, 0.5], [0.2, 0.9]]})
    >>> profile = ro.performance_profile(scores, thresholds=[0.0, 0.25, 0.5])
    >>> [(r.threshold, round(r.estimate, 3), round(r.low, 3), round(r.high, 3)) for r in profile["A"]]
    [(0.0, 1.0, 0.53, 1.0), (0.25, 0.667, 0.265, 0.917), (0.5, 0.333, 0.083, 0.735)]
    >>> profile["A", "B"].order, profile["A", "B"].crossings
    ('cross', (0.8,))
    """
    scores = as_scores(data, **of_data)
    _check_band(kind, band)
    gamma, draws = check_score("gamma", gamma), check_resamples(n_resamples)
    plan = _ProfilePlan(
        thresholds=bootstrap.thresholds_of(
            thresholds, [np.concatenate(scores.cells(a)) for a in range(scores.n_algorithms)]
        ),
        kind=kind,
        band=band,
        n_resamples=draws if bootstrap.BANDS[band].draws else 0,
        confidence_level=check_confidence(confidence_level),
        gamma=gamma,
        streams=streams(rng),
        threads=threads,
    )
    records: list[ProfileRow] = []
    summaries: list[ProfileSummary] = []
    advice = [rules.missing(scores), *rules.about_data(scores)]
    for a in range(scores.n_algorithms):
        cells = [cell for cell in scores.cells(a) if cell.size]
        pool = bootstrap.prepare(cells, READ, gamma=plan.gamma, shared=scores.sampling.shared)
        records.extend(_band(scores.algorithms[a], pool, plan))
        summaries.append(_summary(scores.algorithms[a], pool, plan))
        advice.extend(_advice(scores, a, plan))
    if not pairing.one_unit(scores):
        advice.append(rules.profile_of_units(scores, pairing.make_one_unit()))
    caveats = rules.collected(*advice, unit=scores.sampling.unit)
    rules.warn_of(caveats)
    return filled(
        ProfileResult,
        plan,
        rows=tuple(records),
        summaries=tuple(summaries),
        orders=profile_orders(scores, kind),
        scale=plan.thresholds.scale,
        seed=plan.streams.seed,
        shared=scores.sampling.shared and scores.n_tasks > 1,
        advice=caveats,
        reference=scores.provenance.reference,
    ).with_origin(scores)


def _check_band(kind: str, band: str) -> None:
    check_choice("kind", kind, bootstrap.KINDS)
    if kind not in bootstrap.BANDS[check_choice("band", band, bootstrap.BANDS)].kinds:
        others = [repr(name) for name, other in bootstrap.BANDS.items() if kind in other.kinds]
        raise OptionError(f"band={band!r} is not made of kind={kind!r}; use band={' or '.join(others)}.")


def _band(algorithm: str, pool: bootstrap.Pool, plan: _ProfilePlan) -> list[ProfileRow]:
    thresholds = plan.thresholds.values
    shares = bootstrap.KINDS[plan.kind].shares(pool, thresholds)
    low = high = [None] * thresholds.size
    interval: list[str | None] = [None] * thresholds.size
    # One run a task shows no spread, and a band from its tasks alone would be too narrow: such a profile has none.
    if int(pool.n_runs.min()) > 1:
        ends = bootstrap.BANDS[plan.band].build(
            filled(bootstrap.BandWanted, plan, pool=pool, thresholds=thresholds, estimate=shares)
        )
        # NaN is an end that is not there.
        low, high = ([None if end != end else end for end in side.tolist()] for side in (ends.low, ends.high))
        kinds = ["clopper_pearson" if other else plan.band for other in ends.replaced.tolist()]
        interval = [None if end is None else how for end, how in zip(low, kinds, strict=True)]
    return [
        ProfileRow(algorithm=algorithm, threshold=at, estimate=share, low=below, high=above, interval=how)
        for at, share, below, above, how in zip(thresholds.tolist(), shares.tolist(), low, high, interval, strict=True)
    ]


def _summary(algorithm: str, pool: bootstrap.Pool, plan: _ProfilePlan) -> ProfileSummary:
    counted = pool
    if plan.kind == "average_scores":
        # The profile of task means is that of a single task whose runs they are.
        counted = bootstrap.prepare(list(bootstrap.ascending_means(pool)[:, None]), READ, gamma=plan.gamma)
    values = bootstrap.estimates(counted)
    iqm, mean, gap = (
        float(values[counted.column(bootstrap.parse_metric(name))]) for name in ("iqm", "mean", "optimality_gap")
    )
    below = np.cumsum(counted.weights) / counted.values.size
    # Weighted median: the middle of the stretch of scores at which the share of weight below is ½; sums of weights
    # are off by rounding, hence 1e-12.
    first, last = (int(np.searchsorted(below, 0.5 + side)) for side in (-1e-12, 1e-12))  # the stretch that lies on ½
    return ProfileSummary(
        algorithm=algorithm,
        iqm=iqm,
        median=float((counted.ranked[first] + counted.ranked[last]) / 2),
        mean=mean,
        optimality_gap=gap,
        gamma=plan.gamma,
        n_tasks=pool.n_tasks,
        n_scores=pool.values.size,
        fewest=int(pool.n_runs.min()),
        most=int(pool.n_runs.max()),
    )


def _advice(scores: Scores, a: int, plan: _ProfilePlan) -> list[Advice | None]:
    who = rules.algorithm(scores.algorithms[a])
    counts: Floats = scores.n_runs[a]
    least = int(counts[counts > 0].min())
    narrow = rules.narrow_band(least) if bootstrap.BANDS[plan.band].narrow and plan.kind == "run_scores" else None
    lonely = rules.one_run(rules.single_runs(scores, a), who, published=scores.algorithms[a] in scores.single_valued)
    return [lonely, rules.few_runs(rules.runs_of(scores, scores.algorithms[a]), who), narrow]
