"""How many runs does an experiment take, given these pilot runs?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack, overload

from runoff._inference import advice as rules
from runoff._inference import planning
from runoff._inference.pairs import PairData, chosen_test, measure_by
from runoff._inference.power import LEAST, percent, required_power
from runoff.answer.base import compared_at, filled
from runoff.answer.plan import NestedPlan, PlanPoint, PlanResult, PlanTable
from runoff.base import validate
from runoff.base.arrays import of_shares
from runoff.base.random import RNG, streams
from runoff.data.given import DataOptions, ScoresLike, pilot_scores
from runoff.data.scores import Scores
from runoff.errors import DesignError, OptionError
from runoff.words.names import MeasureName, PairTestName, PlanUnit
from runoff.words.numbers import digits
from runoff.words.speech import Sentence, choice, neutral, option

MOST_REPEATS = 1_000_000


class SharedPlanOptions(DataOptions, total=False):
    """What every plan takes."""

    power: float
    alpha: float
    cost_per_run: float | None


class RunPlanOptions(SharedPlanOptions, total=False):
    """What a plan for runs takes as well."""

    measure: MeasureName
    test: PairTestName
    assurance: float
    hours_per_run: float | None
    n_repeats: int
    n_resamples: int
    rng: RNG
    threads: int | None


@overload
def plan(
    pilot: ScoresLike | Sequence[Any],
    *,
    effect: float | str,
    effect_unit: PlanUnit = "raw",
    curve_to: int | None = None,
    **options: Unpack[RunPlanOptions],
) -> PlanResult: ...
@overload
def plan(
    pilot: ScoresLike | Sequence[Any],
    *,
    effect: float | str,
    over: Literal["tasks"],
    cost_per_task: float | None = None,
    **options: Unpack[SharedPlanOptions],
) -> NestedPlan: ...
@overload
def plan(
    pilot: ScoresLike | Sequence[Any],
    *,
    effect: float | str,
    rollouts: int,
    cost_per_rollout: float | None = None,
    **options: Unpack[SharedPlanOptions],
) -> NestedPlan: ...
@overload
def plan(pilot: ScoresLike | Sequence[Any], *, effect: None = None, **options: Unpack[RunPlanOptions]) -> PlanTable: ...
def plan(
    pilot: ScoresLike | Sequence[Any],
    *,
    effect: float | str | None = None,
    effect_unit: PlanUnit = "raw",
    power: float = 0.8,
    measure: MeasureName = "auto",
    test: PairTestName = "auto",
    assurance: float = 0.9,
    alpha: float = 0.05,
    hours_per_run: float | None = None,
    cost_per_run: float | None = None,
    curve_to: int | None = None,
    over: Literal["runs", "tasks"] = "runs",
    rollouts: int | None = None,
    cost_per_task: float | None = None,
    cost_per_rollout: float | None = None,
    n_repeats: int = 2_000,
    n_resamples: int = 2_000,
    rng: RNG = 0,
    threads: int | None = None,
    **of_data: Unpack[DataOptions],
) -> PlanResult | PlanTable | NestedPlan:
    """How many runs does it take to find a true difference of this size, given pilot runs?

    Parameters
    ----------
    pilot : Scores, or whatever `compare` takes; numbers; a pair of lists of numbers
        Two algorithms, or one that stands for both; with more than two, the leader by the measure and its nearest rival are taken.
        Recommended: 20 runs in each cell.
    effect : float or str, optional
        The true difference of the measure that is worth finding, second − first; not 0. "10%" is a lift. None: a table of the differences
        that a reader of the pilot would ask about, each with its runs: a tenth of the range, 5, 10 and 20 % of the leader, and the smallest
        difference that the pilot can show.
    effect_unit : "raw", "sd", "improvement" or "lift"
        Units of the scores; standard deviations of each task; the probability that a run of the second beats a run of the first; or a share
        of the leader's mean on each task, whichever of the two comes first.
    power : float
        Required; above alpha.
    measure : str
        The measure to plan for: "auto" is the one by which `compare` judges such runs.
    test : str
        Any test of `compare`; "auto" is the one that it takes for the measure.
    assurance : float
        The chance, over pilots like this one, that the planned runs really have the power; 0.5 or more.
    alpha : float
        Level of the test. With more than two algorithms it holds over all their pairs, and the plan is for the first step of the correction
        in `compare`.
    hours_per_run, cost_per_run : float, optional
        Adds the price to the plan.
    curve_to : int, optional
        Number of runs at which the curves end; None: a little beyond the answer.
    over : "runs" or "tasks"
        "tasks": the tasks are items that both models answer, the pilot has several attempts at each, and the answer is how many items to
        take, with how many attempts at each. Then `cost_per_run` is the cost of an attempt, and `cost_per_task` that of a new item.
    rollouts : int, optional
        Each score of the pilot is the success rate of a training in this many rollouts, and the answer is how many trainings to take, with
        how many rollouts of each. Then `cost_per_run` is the cost of a training, and `cost_per_rollout` that of a rollout.
    cost_per_task, cost_per_rollout : float, optional
    n_repeats, n_resamples : int
        Where the test is simulated: the number of simulated experiments at each number of runs near the answer (a fifth of it elsewhere),
        and the largest number of draws in each, for a test that draws.
    rng, threads
        As in `compare`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), what is kept of them
        (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`), which score of a run counts (`last`, `at`), and `normalize`.

    Returns
    -------
    PlanResult, PlanTable or NestedPlan
        `n_runs` with assurance, `n_runs_naive` with the spread of the pilot, `n_runs_average` between them, and both curves; without an
        effect a table whose `rows` have these three numbers for each difference. Over tasks, and with rollouts, a row for each number of
        attempts.

    Raises
    ------
    DesignError
        `compare` gives no verdict on such scores (R020, R031, R032), a cell has one run, the runs do not vary, the design does not allow the
        test, or the answer is beyond the largest number of runs that is tried.
    OptionError
        The effect is 0, or a value is not valid here.

    Notes
    -----
    **The default test** has the distribution of `compare`: the pilot's standard error shrinks with √n, and power is that of a noncentral t.
    `n_runs_average` averages power over what the true error may be. `needed_runs` of `compare`, after which the interval is no wider than
    the lead that matters, is the plan for that effect with a power of 1 − alpha/2 and the spread of the pilot. An effect in another unit
    than the measure's shifts every task.

    **Tests by name** On one task, power is exact for Welch's, Student's, Boschloo's and the score test; any other test is simulated. Each
    cell is a smoothed bootstrap: a pilot run plus normal noise of Silverman's bandwidth, shrunk so that the variance is the cell's unbiased
    variance (Silverman & Young 1987). The second algorithm is shifted by the effect, and the test itself decides each experiment. Both
    algorithms have the means of the first. A lift multiplies the scores where the pilot has one algorithm (Agarwal et al. 2021, figure 4);
    where it has two, it shifts the second. Shared runs are drawn whole. Success rates are moved by one step in log-odds.

    **Assurance** `n_runs` takes the variance of the difference at its upper confidence limit: for one variance by χ², for two by the
    modified large-sample limit (Graybill & Wang 1980), for more by the same limit of the largest and the rest; success rates at their
    Clopper-Pearson limits. For normal runs an assurance of 90 % holds in 90 to 99 % of pilots; for skewed runs, in fewer.

    **A run that makes most of the spread** A run with more than half of the squared error is named (`outlying`), and `n_runs_pooled` takes
    its algorithm's mean variance on the other tasks in place of its cell's. This starts at 3 tasks and 20 degrees of freedom, where at most
    .03 of pilots with normal runs have such a run.

    **Items × attempts** (`over="tasks"`) The variance of the mean difference is (ω² + w/k)/n: ω² is that of the items' true differences, w
    that of an attempt by both models. ω² and w are taken from the pilot as they are; with n items no number of attempts finds a difference
    below 2.8 ω/√n. A budget buys most at k = √(w · cost of an item / (ω² · cost of the attempts at it)). **Trainings × rollouts**
    (`rollouts=`) The same formula, with the variance τ² of each algorithm's trainings, for Welch's test, averaged over what the
    variances of so many trainings may come out as.

    References
    ----------
    Miller 2024; Colas et al. 2018, section 5.2; Agarwal et al. 2021; Silverman & Young 1987; Graybill & Wang 1980.

    Examples
    --------
    Five pilot runs may look far too alike. If their spread were the true one, 5 runs would do; nine times in ten, 13 are enough.

    >>> import runoff as ro
    >>> plan = ro.plan([10.1, 11.0, 9.2, 10.4, 9.8], effect=1.5)
    >>> plan.n_runs_naive, plan.n_runs
    (5, 13)
    """
    scores = rules.comparable(pilot_scores(pilot, **of_data))
    prices_of = {"cost_per_task": cost_per_task, "cost_per_rollout": cost_per_rollout}
    if over != "runs" or rollouts is not None:
        named = {"test": test, "effect_unit": effect_unit, "curve_to": curve_to, "hours_per_run": hours_per_run}
        _refuse_others(named | {"assurance": assurance, "measure": measure}, nested=True)
        return _nested(
            scores, effect, over, rollouts, prices_of | {"cost_per_run": cost_per_run}, power=power, alpha=alpha
        )
    _refuse_others(prices_of, nested=False)
    validate.check_choice("test", test, planning.PLAN_TESTS)
    kind = measure_by(scores, measure, test)
    validate.check_alpha(alpha)
    wanted = None if effect is None else planning.parsed_effect(effect, effect_unit)
    # A lift is a share of the score of one of both, so that it has to be settled which: the leader's.
    given = planning.pilot_of(scores, kind, leader_first=wanted is None or wanted.unit == "lift")
    # The experiment that is planned will be judged by `compare` over all pairs of the pilot: the plan is for the
    # level of its first step.
    level, n_pairs = planning.family_level(scores, alpha)
    # What `compare` will take by the design, so that the plan is for the test that judges.
    judge = chosen_test(given.pair, kind) if test == "auto" else str(test)
    options = _options(
        wanted or planning.margin_effect(given), judge, level, n_repeats, n_resamples, rng=rng, threads=threads
    )
    needed = planning.Needed(power=required_power(power, level), assurance=_assurance(assurance))
    end = None if curve_to is None else validate.check_count("curve_to", curve_to, least=LEAST + 1)
    prices = _price("hours_per_run", hours_per_run), _price("cost_per_run", cost_per_run)
    advice = rules.collected(rules.missing(scores), *rules.about_data(scores))
    if effect is not None:
        answer = _result(given, options, needed, end, n_pairs=n_pairs, prices=prices)
        sentence = Sentence(f"{compared_at(advice)} {neutral(answer.sentence)}".strip())
        return replace(answer, sentence=sentence, advice=advice).with_origin(scores)
    if end is not None or effect_unit != "raw":
        name, value = ("curve_to", curve_to) if end is not None else ("effect_unit", effect_unit)
        size = {"sd": "0.5", "improvement": "0.7"}.get(effect_unit, "10%")
        stated = choice(f"{name}={value!r}", option(name, str(value)))
        raise OptionError(f"{stated} belongs to one effect: state it ({option('effect', size)}).")
    table = planning.table_of(given, options, needed, n_pairs=n_pairs, prices=prices, advice=advice)
    return table.with_origin(scores)


def _options(
    effect: Any, test: str, alpha: float, n_repeats: int, n_resamples: int, *, rng: RNG, threads: int | None
) -> planning.PlanOptions:
    repeats = validate.check_count("n_repeats", n_repeats, least=100)
    if repeats > MOST_REPEATS:
        raise OptionError(f"n_repeats must be at most {MOST_REPEATS:,}, not {n_repeats!r}.")
    return planning.PlanOptions(
        effect=effect,
        test=test,
        alpha=alpha,
        n_repeats=repeats,
        n_resamples=validate.check_resamples(n_resamples),
        streams=streams(rng),
        threads=threads,
    )


DEFAULTS = {"test": "auto", "effect_unit": "raw", "assurance": 0.9, "measure": ("auto", "mean")}


def _refuse_others(options: Mapping[str, Any], *, nested: bool) -> None:
    """Refuse options of runs in a plan of items or rollouts, and the other way round."""
    for name, value in options.items():
        default = DEFAULTS.get(name)
        if value is None or value == default or (isinstance(default, tuple) and value in default):
            continue
        where = f"{option('over', 'tasks')} or {option('rollouts')}"
        raise OptionError(f"{option(name)} means nothing {'with' if nested else 'without'} {where}; leave it out.")


def _nested(
    scores: Scores,
    effect: float | str | None,
    over: str,
    rollouts: int | None,
    prices: Mapping[str, Any],
    **level: float,
) -> NestedPlan:
    """Return how many items, or trainings, it takes, by the attempts at each."""
    validate.check_over(over, ("runs", "tasks"))
    if rollouts is not None and over == "tasks":
        raise OptionError(
            f"plan for items ({option('over', 'tasks')}) or for trainings ({option('rollouts')}), not for both at once."
        )
    # As `compare` will judge: over all pairs of the pilot, at the level of their first step.
    alpha, n_pairs = planning.family_level(scores, validate.check_alpha(level["alpha"]))
    pair, model, n_pilot = _nested_pilot(scores, rollouts)
    question = planning.NestedQuestion(
        pair=pair,
        model=model,
        costs=_nested_costs(prices, of_items=rollouts is None),
        n_pilot=n_pilot,
        n_pilot_repeats=min(cell.size for cell in pair.cells) if rollouts is None else rollouts,
        effect=_share(effect),
        alpha=alpha,
        power=required_power(level["power"], alpha),
    )
    rows = question.rows()
    return filled(
        NestedPlan,
        pair,
        question,
        rows=rows,
        units="items" if rollouts is None else "trainings",
        n_units=question.chosen(rows).n_units,
        n_repeats=question.chosen(rows).n_repeats,
        between=sum(model.between),
        within=sum(model.within) if model.separate else None,
        sentence=question.sentence(rows),
        notes=(*question.notes(), *map(Sentence, planning.family_notes(pair, alpha, n_pairs))),
        advice=rules.collected(
            rules.missing(scores),
            rules.benchmarks_as_one(scores, planned=True) if rollouts is None else None,
            *rules.about_data(scores),
        ),
    ).with_origin(scores)


def _nested_costs(prices: Mapping[str, Any], *, of_items: bool) -> planning.NestedCosts:
    names = ("cost_per_task", "cost_per_run") if of_items else ("cost_per_run", "cost_per_rollout")
    stranger = next((name for name, price in prices.items() if price is not None and name not in names), None)
    if stranger is not None:
        what = "items and attempts" if of_items else "trainings and rollouts"
        raise OptionError(f"{option(stranger)} is no cost of {what}: give {option(names[0])} and {option(names[1])}.")
    unit, attempt = (_price(name, prices[name]) for name in names)
    return planning.NestedCosts(unit, attempt, of_items=of_items)


def _share(effect: float | str | None) -> float:
    try:
        size = abs(float(effect)) if isinstance(effect, str | int | float) else 0.0
    except ValueError:
        size = 0.0
    if not 0 < size < 1:
        raise OptionError(
            f"{option('effect')} is a true difference of success rates or of means in [0, 1] here, such as 0.05, not {effect!r}."
        )
    return size


def _nested_pilot(scores: Scores, rollouts: int | None) -> tuple[PairData, planning.Nested, int]:
    """Return the pair of a pilot, the variances that it shows, and how many items, or trainings of a side, it has."""
    if scores.n_algorithms < 2:
        raise DesignError(
            f"the pilot has one algorithm, {scores.algorithms[0]!r}: the plan is for the difference of two; add the other."
        )
    if not of_shares(scores.values):
        raise DesignError("items and rollouts have scores in [0, 1], and these have not.")
    a, b = planning.leading(scores, "mean") if scores.n_algorithms > 2 else (0, 1)
    pair = PairData.of(scores, a, b)
    if rollouts is None:
        if len(pair.tasks) < 2:
            raise DesignError(f"{pair.a!r} and {pair.b!r} share one item, which shows no spread: add items.")
        return pair, planning.of_items(pair.x, pair.y), len(pair.tasks)
    validate.check_count("rollouts", rollouts, least=2)
    if scores.sampling.unit == "episode":
        raise DesignError(
            f"{option('rollouts')} plans for trainings, and the pilot has episodes of one policy for each algorithm, which show no spread of "
            "trainings: give the success rate of each training, two or more for each algorithm."
        )
    if len(pair.tasks) > 1:
        raise DesignError(
            f"trainings are planned for one task at a time, and the pilot has {len(pair.tasks)}: choose one "
            f"({choice(f'data.select(tasks=[{pair.tasks[0]!r}])', f'--tasks {pair.tasks[0]}')})."
        )
    if pair.least < 2:
        raise DesignError(
            "the pilot has a single training of an algorithm, which shows no spread: train at least two of each."
        )
    return pair, planning.of_trainings(pair.x[0], pair.y[0], rollouts), pair.least


def _result(
    given: planning.Pilot,
    options: planning.PlanOptions,
    needed: planning.Needed,
    curve_to: int | None,
    *,
    n_pairs: int,
    prices: tuple[float | None, float | None],
) -> PlanResult:
    """Return the plan for an effect, without advice on the pilot."""
    pilot, effect = planning.as_planned(given, options.test), options.effect
    runs = planning.runs_of(pilot, options, needed)
    after = planning.after_more(pilot, options, needed, runs)
    total = 2 * runs.n_runs * (1 if pilot.pair.shared else pilot.n_tasks)
    hours, cost = (None if price is None else price * total for price in prices)
    chance = runs.upper.chance(runs.n_runs)
    return filled(
        PlanResult,
        given.pair,
        given,
        options,
        runs,
        required=needed.power,
        assurance=needed.assurance,
        effect_in_unit=effect.value,
        effect_unit=effect.unit,
        n_pilot=given.sizes[0],
        n_pilot_most=given.sizes[1],
        seed=options.streams.seed,
        **{f"n_runs_{name}": getattr(runs, name) for name in ("naive", "average", "low", "pooled")},
        n_runs_after_20=after,
        power=chance.power,
        power_low=chance.low,
        power_high=chance.high,
        power_as_seen=runs.seen.chance(runs.n_runs).power,
        effect=runs.seen.effect,
        title=planning.PLAN_TESTS[options.test].title,
        method=runs.seen.method,
        inflation=None if pilot.binary else needed.margin.inflation(pilot, effect),
        total_runs=total,
        hours=hours,
        cost=cost,
        curve=_curve(runs, needed.power, curve_to),
        sentence=_words(runs, given, options, needed, planning.cost_words(total, hours, cost, given.pair.unit)),
        notes=_notes(runs, given, options, after, n_pairs),
        advice=(),
    )


def _notes(
    runs: planning.NeededRuns, given: planning.Pilot, options: planning.PlanOptions, after: int | None, n_pairs: int
) -> tuple[str, ...]:
    own = planning.plan_notes(given, options, method=runs.seen.method, n_runs=runs.n_runs, after=after, low=runs.low)
    return (*own, *map(Sentence, planning.family_notes(given.pair, options.alpha, n_pairs)))


def _words(
    runs: planning.NeededRuns,
    given: planning.Pilot,
    options: planning.PlanOptions,
    needed: planning.Needed,
    costs: str,
) -> str:
    where = planning.where_words(given.pair.shared, given.n_tasks)
    effect = planning.effect_words(options.effect, runs.seen.effect, given)
    test = planning.PLAN_TESTS[options.test].title
    assured = f"with {percent(needed.assurance)} assurance against a pilot that spread too little by luck"
    span = "" if runs.low is None else f"; the true spread may ask for {runs.low} to {runs.n_runs}"
    luck = f"{assured}{span}"
    if options.effect.relative:
        luck = planning.unassured_words(runs.average)
        luck += "" if runs.n_runs == runs.naive else f"; taken for the truth, its spread asks for {runs.naive}"
    elif runs.n_runs == runs.naive:
        luck = f"also {assured}"
    calm = planning.pooled_words(runs.outlying, runs.pooled)
    return (
        f"It takes {runs.n_runs} {given.pair.unit}s {where} to find {effect} with {percent(needed.power)} power by {test} "
        f"(two-sided, α = {digits(options.alpha)}), {luck}.{costs}{calm and ' ' + calm}"
    )


def _curve(runs: planning.NeededRuns, power: float, curve_to: int | None) -> tuple[PlanPoint, ...]:
    end = min(curve_to or planning.beyond(max(runs.n_runs, runs.naive)), runs.seen.most)
    for search in (runs.seen, runs.upper):  # what the answer reads is simulated here, once
        search.chance(runs.naive)
        search.chance(runs.n_runs)
    return tuple(
        PlanPoint(assumed_spread=spread, n_runs=n, power=chance.power, low=chance.low, high=chance.high)
        for spread, search in (("pilot", runs.seen), ("upper", runs.upper))
        for n, chance in search.curve(end, power).items()
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
