"""How many runs does an experiment take, given these pilot runs?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import planning
from runoff._inference.pairs import JACKKNIFE, chosen_test, measure_by
from runoff._inference.power import LEAST, POWER_TESTS, percent, required_power
from runoff.base import validate
from runoff.base.random import RNG, streams
from runoff.data.scores import Scores
from runoff.errors import OptionError
from runoff.io.given import ScoresLike, as_scores
from runoff.results.base import filled
from runoff.results.power import PlanPoint, PlanResult
from runoff.words.names import MeasureName, PairTestName, PlanUnit
from runoff.words.numbers import exactly

MOST_REPEATS = 1_000_000


def plan(
    pilot: ScoresLike | Sequence[Any],
    *,
    effect: float | str,
    unit: PlanUnit = "raw",
    power: float = 0.8,
    measure: MeasureName = "auto",
    test: PairTestName = "auto",
    assurance: float = 0.9,
    alpha: float = 0.05,
    hours_per_run: float | None = None,
    cost_per_run: float | None = None,
    curve_to: int | None = None,
    n_repeats: int = 2_000,
    n_resamples: int = 2_000,
    rng: RNG = 0,
    threads: int | None = None,
) -> PlanResult:
    """How many runs does it take to see a true difference of this size, given pilot runs?

    Parameters
    ----------
    pilot : Scores, or whatever `compare` takes; numbers; a pair of lists of numbers
        Two algorithms, or one that stands for both. Recommended: 20 runs in each cell.
    effect : float or str
        The true difference of the measure that is worth finding, second − first; not 0. "10%" is a lift.
    unit : "raw", "std", "improvement" or "lift"
        Units of the scores; standard deviations of each task; the probability that a run of the second beats one of the first; or a share
        of the first's mean on each task.
    power : float
        Required; above alpha.
    measure : str
        What is planned for: "auto" is the measure by which `compare` judges such runs.
    test : str
        Any test of `compare`; "auto" is the one that it takes for the measure.
    assurance : float
        The chance, over pilots like this one, that the planned runs really have the power; 0.5 or more.
    alpha : float
        Level of the test: in a family of pairs, that of its first step.
    hours_per_run, cost_per_run : float, optional
        Price the plan.
    curve_to : int, optional
        Number of runs at which the curves end; None: somewhat beyond the answer.
    n_repeats, n_resamples : int
        Simulated experiments for each number of runs, where the test is simulated, and in each the draws, at most, of a test that draws.
    rng, threads
        As in `compare`.

    Returns
    -------
    PlanResult
        `n_runs` with assurance, `n_runs_naive` as the pilot spread, `n_runs_average` between them, and both curves.

    Raises
    ------
    DesignError
        More than two algorithms, a cell with one run, no spread, a test that the design does not allow, or more runs needed than are tried.
    OptionError
        An effect of 0, or a value that means nothing here.

    Notes
    -----
    **The default test** Its law is that of `compare`: the pilot's standard error shrinks with √n, and power is that of a noncentral t.
    `n_runs_average` averages it over what the true error may be: it is the pilot's runs times the `needed_multiple` of `compare`. An effect in
    another unit than the measure's shifts every task.

    **Tests by name** On one task the exact power of Welch's, Student's or Boschloo's test; any other is simulated. Each cell is a smoothed
    bootstrap: a pilot run plus normal noise of Silverman's bandwidth, shrunk so that the variance is the unbiased one of the cell (Silverman
    & Young 1987). The second is shifted by the effect, and the test itself decides each experiment. Both algorithms have the means of the
    first. A lift multiplies the scores of a pilot's only algorithm (Agarwal et al. 2021, figure 4); of two, it shifts the second. Shared
    runs are drawn whole. Success rates are moved by one step in log-odds.

    **Assurance** `n_runs` takes the variance of the difference at its upper confidence limit: for one variance by χ², for two by the modified
    large-sample limit (Graybill & Wang 1980), for more by the same limit of the heaviest and the rest; success rates at their limits of
    Clopper & Pearson. For normal runs an assurance of 90 % holds in 90 to 99 % of pilots; with long tails in fewer.

    References
    ----------
    Colas et al. 2018, section 5.2; Agarwal et al. 2021; Silverman & Young 1987; Graybill & Wang 1980.

    Examples
    --------
    Five pilot runs may look far too alike. Taken for the truth they ask for 5 runs; nine times in ten, 13 are enough.

    >>> import runoff as ro
    >>> plan = ro.plan([10.1, 11.0, 9.2, 10.4, 9.8], effect=1.5)
    >>> plan.n_runs_naive, plan.n_runs
    (5, 13)
    """
    scores = pilot_scores(pilot)
    validate.check_choice("test", test, planning.PLAN_TESTS)
    kind = measure_by(scores, measure, test)
    given = planning.pilot_of(scores, kind)
    decides = chosen_test(given.pair, kind) if test == "auto" else str(test)
    options = planning.PlanOptions(
        effect=planning.parsed_effect(effect, unit),
        test=decides,
        alpha=validate.check_alpha(alpha),
        n_repeats=validate.check_count("n_repeats", n_repeats, least=100),
        n_resamples=validate.check_resamples(n_resamples),
        streams=streams(rng),
        threads=threads,
    )
    if options.n_repeats > MOST_REPEATS:
        raise OptionError(f"n_repeats must be at most {MOST_REPEATS:,}, not {n_repeats!r}.")
    needed = _Needed(
        power=required_power(power, options.alpha),
        assurance=_assurance(assurance),
        end=None if curve_to is None else validate.check_count("curve_to", curve_to, least=LEAST + 1),
    )
    prices = _price("hours_per_run", hours_per_run), _price("cost_per_run", cost_per_run)
    # A test that looks at nothing but the means of shared runs sees one task.
    means = given.pair.shared and decides in ("studentized_permutation", *POWER_TESTS)
    plan = _planned(given.as_one_task() if means else given, options, needed)
    return _result(plan, given, options, needed=needed, prices=prices, scores=scores).with_origin(scores)


def pilot_scores(pilot: Any) -> Scores:
    """Return the scores of a pilot: numbers of one algorithm, a pair of them, or whatever `as_scores` takes."""
    if isinstance(pilot, np.ndarray | list | tuple) and len(pilot) and not isinstance(pilot[0], str):
        if np.ndim(pilot[0]) == 0 and not hasattr(pilot[0], "__fspath__"):
            return Scores.from_dict({"the pilot": {"the task": validate.check_sample("pilot", pilot)}})
        if len(pilot) == 2 and not isinstance(pilot, np.ndarray):
            both = {
                name: {"the task": validate.check_sample(name, sample)}
                for name, sample in zip(("first", "second"), pilot, strict=True)
            }
            return Scores.from_dict(both)
    return as_scores(pilot)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needed:
    """The power and the assurance that a plan has to reach, and the end of its curves."""

    power: float
    assurance: float
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    seen: planning.Search
    upper: planning.Search
    n_runs: int
    naive: int
    average: int | None
    after: int | None
    inflation: float | None


def _planned(pilot: planning.Pilot, options: planning.PlanOptions, needed: _Needed) -> _Plan:
    seen = planning.search_of(pilot, options, planning.AS_SEEN)
    naive = seen.fewest(needed.power)
    margin = planning.Margin(assurance=needed.assurance)
    fixed = options.effect is not None and options.effect.relative
    upper = seen if fixed else planning.search_of(pilot, options, margin)
    average = None
    if options.test == JACKKNIFE:
        average = planning.search_of(pilot, options, planning.Margin(average=True)).fewest(needed.power)
    n_runs = max(naive, upper.fewest(needed.power), average or 0)  # where both are simulated, chance may turn them
    after = None
    if not fixed and not pilot.binary and pilot.sizes[0] < planning.RECOMMENDED:
        larger = planning.Margin(assurance=needed.assurance, runs=planning.RECOMMENDED)
        after = planning.search_of(pilot, options, larger).fewest(needed.power)
    end = min(needed.end or planning.beyond(max(n_runs, naive)), seen.most)
    for search in (seen, upper):  # what the answer and its curve read is simulated here, once
        search.curve(end)
        search.chance(naive)
        search.chance(n_runs)
    inflation = None if pilot.binary else margin.inflation(pilot, options.effect)
    return _Plan(seen=seen, upper=upper, n_runs=n_runs, naive=naive, average=average, after=after, inflation=inflation)


def _result(
    plan: _Plan,
    given: planning.Pilot,
    options: planning.PlanOptions,
    *,
    needed: _Needed,
    prices: tuple[float | None, float | None],
    scores: Scores,
) -> PlanResult:
    assert options.effect is not None
    shared, route = given.pair.shared, plan.seen
    total = 2 * plan.n_runs * (1 if shared else given.n_tasks)
    hours, cost = (None if price is None else price * total for price in prices)
    chance = plan.upper.chance(plan.n_runs)
    return filled(
        PlanResult,
        given.pair,
        given,
        options,
        plan,
        required=needed.power,
        assurance=needed.assurance,
        effect_in_unit=options.effect.value,
        unit=options.effect.unit,
        n_pilot=given.sizes[0],
        n_pilot_most=given.sizes[1],
        seed=options.streams.seed,
        n_runs_naive=plan.naive,
        n_runs_average=plan.average,
        measure=given.measure,
        n_runs_after_20=plan.after,
        power=chance.power,
        power_low=chance.low,
        power_high=chance.high,
        power_as_seen=plan.seen.chance(plan.n_runs).power,
        effect=route.effect,
        test=route.test,
        title=planning.PLAN_TESTS[route.test].title,
        method=route.method,
        total_runs=total,
        hours=hours,
        cost=cost,
        curve=_curve(plan, needed),
        sentence=_words(plan, given, options, needed) + planning.cost_words(total, hours, cost, given.pair.unit),
        notes=planning.plan_notes(given, options, method=route.method, n_runs=plan.n_runs, after=plan.after),
        advice=rules.collected(rules.missing(scores), *rules.about_data(scores)),
    )


def _words(plan: _Plan, given: planning.Pilot, options: planning.PlanOptions, needed: _Needed) -> str:
    assert options.effect is not None
    where = planning.where_words(given.pair.shared, given.n_tasks)
    effect = planning.effect_words(options.effect, plan.seen.effect, given)
    test = planning.PLAN_TESTS[plan.seen.test].title
    assured = f"with {percent(needed.assurance)} assurance against a pilot that spread too little by luck"
    mean = "" if plan.average is None else f"{plan.average} on average over such luck, as compare says; "
    luck = f"{assured}; {mean}taken for the truth, its spread asks for {plan.naive}"
    if plan.n_runs == plan.naive:
        luck = f"also {assured}"
    return (
        f"It takes {plan.n_runs} {given.pair.unit}s {where} to find {effect} with {percent(needed.power)} power by {test} "
        f"(two-sided, α = {exactly(options.alpha)}), {luck}."
    )


def _curve(plan: _Plan, needed: _Needed) -> tuple[PlanPoint, ...]:
    end = min(needed.end or planning.beyond(max(plan.n_runs, plan.naive)), plan.seen.most)
    return tuple(
        PlanPoint(spread=spread, n_runs=n, power=chance.power, low=chance.low, high=chance.high)
        for spread, search in (("pilot", plan.seen), ("upper", plan.upper))
        for n in search.curve(end)
        for chance in (search.chance(n),)
    )


def _assurance(assurance: float) -> float:
    if validate.check_open_unit("assurance", assurance) < 0.5:
        message = f"assurance must be 0.5 or more, not {assurance!r}: below, a plan would fail more often than not."
        raise OptionError(message)
    return float(assurance)


def _price(name: str, price: Any) -> float | None:
    if price is None:
        return None
    if not validate.is_number(price) or price <= 0:
        raise OptionError(f"{name} must be a number above 0, not {price!r}.")
    return float(price)
