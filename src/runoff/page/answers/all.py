"""What a report is made of: the data, the results about them, and what is known of each algorithm's rank as rows."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from runoff._inference.bootstrap import best_first
from runoff._inference.pairs import HODGES_LEHMANN, IMPROVEMENT, make_one_unit, measure_of, metrics_of, one_unit
from runoff.answer import standing as standings
from runoff.answer.aggregate import AggregateResult, AggregateRow
from runoff.answer.base import Advice, most_severe_first, plain
from runoff.answer.comparison import ComparisonResult
from runoff.answer.describe import ProfileResult
from runoff.answer.rank import RankingResult
from runoff.answer.robustness import RobustnessResult
from runoff.answer.standing import Standing
from runoff.answer.unjudged import SAME_RUNS
from runoff.answer.where import WhereResult
from runoff.base.lasting import Lasting, once
from runoff.data.scores import Scores
from runoff.errors import RunoffWarning
from runoff.page.answers.curves import CurveAnswers
from runoff.words.names import MeasureName, OverName, ProfileBand, SingleValue, StratumWeights
from runoff.words.nouns import Nouns, nouns_of
from runoff.words.speech import Sentence, advised, fact_of, neutral

BAND: ProfileBand = "wilson"
"""The band of the page's profiles: with few runs its coverage is the nearest to its level."""
MOST_MARKS = 2_000
"""The most tasks of all pairs together whose places the page knows."""
MOST_LEADS, MOST_DOTS = 3, 200
"""The most pairs of the leader of which the tasks are shown one by one, and the most tasks of all of them together; one is always shown."""
DRAWS_OF_Q = 1_000
"""Relabellings for the heterogeneity of a pair, which the page does not show."""
Progress = Callable[[str, float], None]
"""A function that is called with what is being done and with the share of the whole that is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """The profiles of all algorithms; None where they would say nothing, and `left_out` says why."""

    result: ProfileResult | None = None
    left_out: str = ""

    @property
    def advice(self) -> tuple[Advice, ...]:
        return self.result.advice if self.result else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Lasting):
    """The data and every result that the report shows.

    Attributes
    ----------
    scores : Scores
        The scores as they were analysed: normalised, if reference scores were given.
    aggregates : AggregateResult
        Aggregates over all tasks.
    task_means : AggregateResult
        One record for each algorithm and task.
    comparison : ComparisonResult
    ranking : RankingResult
        Results about all algorithms at once; empty where nobody asked for them.
    profiles : Profiles
        The share of runs above each score; empty where nobody asked for it.
    robustness : RobustnessResult or None
        The variations of the analysis that the order of each pair survives.
    leads : tuple of WhereResult
        The tasks of the leader's pairs one by one: first that of the headline, then the others in their order, at most `MOST_LEADS`.
    dots : tuple of WhereResult
        The tasks of the other pairs, for the page alone: those of the leader first, of at most `MOST_MARKS` tasks of all of them together.
    curves : CurveAnswers or None
        Answers about whole learning curves, where the data are curves.
    command : str
        The call that makes this report again, without the place it was written to.
    versions : tuple of (name, version)
    measure : str
        The measure that was asked for; "auto" is that of the design.
    """

    scores: Scores
    aggregates: AggregateResult
    task_means: AggregateResult
    comparison: ComparisonResult
    command: str
    ranking: RankingResult = field(default_factory=RankingResult)
    profiles: Profiles = field(default_factory=Profiles)
    robustness: RobustnessResult | None = None
    leads: tuple[WhereResult, ...] = ()
    dots: tuple[WhereResult, ...] = ()
    curves: CurveAnswers | None = None
    versions: tuple[tuple[str, str], ...] = ()
    measure: MeasureName = "auto"

    @property
    def nouns(self) -> Nouns:
        """What the report is about: algorithms, tasks and runs, or models, items and attempts."""
        items = self.comparison.over == "tasks" and self.scores.binary
        return nouns_of(self.scores.sampling.unit, items=items)

    @property
    @once
    def advice(self) -> tuple[Advice, ...]:
        """All advice, each text once, the most severe first."""
        # Every pair of single runs has R016 of its own; then the test of ranks is as blind as they are, and its
        # caution stands as it is.
        along = () if self.curves is None else self.curves.advice
        able = any("R016" not in {item.code for item in pair.advice} for pair in self.comparison.pairs)
        ranks = [_of_ranks(item) if able and item.code == "R016" else item for item in self.ranking.advice]
        return most_severe_first([*self.reservations, *ranks, *self.profiles.advice, *along])

    @property
    @once
    def reservations(self) -> tuple[Advice, ...]:
        """The advice on aggregates and pairs, which the answer rests on; the most severe first."""
        # The order is that of what the answer rests on: of the same severity and code, what concerns the
        # verdict comes first.
        given = [
            *self.comparison.advice,
            *(advice for pair in (*self.comparison.pairs, *self.comparison.by_stratum) for advice in pair.advice),
            *self.aggregates.advice,
            *self.task_means.advice,
        ]
        return most_severe_first(given)


def level_of(alpha: float) -> float:
    """Return the level of all intervals of a page: that of the differences that are decided at alpha."""
    return round(1 - alpha, 12)


def _of_ranks(advice: Advice) -> Advice:
    """Return R016 of the test of ranks beside pairs whose own tests can find a difference: it takes nothing from their verdicts."""
    # What is to be done is another thing here, the fact behind it is the same.
    text = advised("leave out the test of average ranks, which decides no pair", neutral(fact_of(advice.text)))
    return replace(advice, severity="info", text=text)


def answer(
    scores: Scores,
    *,
    alpha: float,
    seed: int,
    n_resamples: int,
    command: str,
    measure: MeasureName = "auto",
    over: OverName = "auto",
    cluster: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    weights: StratumWeights | Mapping[str, float] = "equal",
    single_value: SingleValue = "line",
    margin: float | None = None,
    progress: Progress | None = None,
) -> Answers:
    from runoff._inference.advice import opponents, testable
    from runoff.methods.aggregate import task_means
    from runoff.methods.ranking import ranking
    from runoff.methods.robustness import robustness

    say = progress or (lambda _what, _share: None)
    say("comparing the pairs", 0.05)  # first: it refuses what cannot be compared, before anything is warned of
    tested = testable(scores)
    of_items = {"cluster": cluster, "strata": strata, "weights": weights}
    numbers: Any = {"alpha": alpha, "n_resamples": n_resamples, "seed": seed, "over": over, **of_items}
    comparison = _compared(scores, tested, measure, single_value, margin, **numbers)
    # Ranks and variations are of the same algorithms as the pairs, without single values that were left out of these.
    tested = opponents(tested, single_value, judged=False)[0] if comparison.pairs else tested
    say("aggregates and their intervals", 0.3)
    compared = [] if comparison.incomparable else [(pair.a, pair.b) for pair in comparison.pairs]
    if comparison.over == "tasks" or comparison.by_stratum:
        return _without_ranks(scores, comparison, command, measure, numbers)
    level: Any = {"confidence_level": level_of(alpha)}
    aggregates = _aggregated(scores, comparison.measure, n_resamples=n_resamples, rng=seed, **level)
    say("ranks", 0.42)
    ranks = ranking(tested, comparison) if compared else RankingResult()
    say("what the order survives", 0.46)
    # Without a verdict there is no order whose survival could be asked for.
    survived = robustness(tested, measure=comparison.measure, pairs=compared) if compared else None
    say("where the lead comes from", 0.48)
    leads = leads_of(scores, comparison)
    return Answers(
        scores=scores,
        leads=leads,
        dots=dots_of(scores, comparison, leads),
        aggregates=aggregates,
        task_means=task_means(scores, **level),
        comparison=comparison,
        ranking=ranks,
        profiles=profiles_of(scores, seed, **level),
        robustness=survived,
        command=command,
        versions=versions(),
        measure=measure,
    )


def _aggregated(scores: Scores, measure: str, **how: Any) -> AggregateResult:
    """Return the measures of each algorithm that belong to the one that pairs are compared by."""
    from runoff.methods.aggregate import aggregate

    return aggregate(scores, measure=metrics_of(scores, measure), **how)


def _without_ranks(
    scores: Scores, comparison: ComparisonResult, command: str, measure: MeasureName, options: Mapping[str, Any]
) -> Answers:
    """Return the answers where tasks are the sample, or in strata: aggregates and pairs. What weighs each task alike, ranks by task, profiles
    and what runs survive, does not apply.
    """
    from runoff.methods.aggregate import aggregate, task_means

    of_items = comparison.over == "tasks"
    bounded = of_items and scores.values.min() >= 0 and scores.values.max() <= 1
    others = (
        {}
        if of_items
        else {name: options[name] for name in ("strata", "weights", "n_resamples")} | {"rng": options["seed"]}
    )
    level: Any = {"confidence_level": level_of(options["alpha"])}
    # Of pairs alone: a single algorithm has a mean.
    measure_of_each = "mean" if comparison.measure == HODGES_LEHMANN else comparison.measure
    how: Any = (
        {name: options[name] for name in ("cluster", "strata", "weights")} | {"over": "tasks"} if bounded else others
    )
    why = (
        "tasks are the sample"
        if of_items
        else "strata have weights of their own, and a profile weighs every task alike"
    )
    return Answers(
        scores=scores,
        aggregates=aggregate(
            scores, measure=["mean"] if bounded else metrics_of(scores, measure_of_each), **how, **level
        ),
        task_means=task_means(scores, **level),
        comparison=comparison,
        profiles=Profiles(left_out=f"No profiles are given: {why}."),
        command=command,
        versions=versions(),
        measure=measure,
    )


def _compared(
    scores: Scores,
    tested: Scores,
    measure: MeasureName,
    single_value: SingleValue,
    margin: float | None,
    *,
    seed: int,
    **settings: Any,
) -> ComparisonResult:
    """Return the comparison of those that may be tested; without a pair where one algorithm stands beside published ones that may not be."""
    from runoff._inference.advice import about_data
    from runoff.methods.compare import compare

    untested = tuple(advice for advice in about_data(scores) if advice.code == "R027")
    # Where nothing was left out, a single algorithm goes to `compare` too, which refuses it in its own words.
    if tested.n_algorithms > 1 or tested is scores:
        result = compare(tested, measure=measure, rng=seed, single_value=single_value, margin=margin, **settings)
        return replace(result, advice=(*result.advice, *untested)).with_origin(scores)
    # An answer without pairs, so that the page has aggregates and tasks, and says that nothing was tested.
    end: Any = {"confidence_level": level_of(settings["alpha"]), "correction": "none", "control": None, "seed": seed}
    end |= {name: settings[name] for name in ("alpha", "n_resamples")}
    kind = measure_of(scores, measure)
    return ComparisonResult(pairs=(), measure=kind, values=(), advice=untested, **end)


def untested_words(answers: Answers, names: Iterable[str]) -> list[tuple[list[str], str]]:
    """Return algorithms that were not compared with the leader, each with those of its kind and with why they were not."""
    published = dict(answers.scores.provenance.published)
    # `published` has "" for what may be tested against one's own runs, why not for the others, and nothing of
    # one's own.
    kinds = (
        (lambda why: why is None, ("has", "have"), "single values, which are not tested"),
        (lambda why: why, ("is", "are"), "published, and shown without a test"),
        (lambda why: why == "", ("is", "are"), "published, and not tested against other published ones"),
    )
    rows = (([name for name in names if fits(published.get(name))], verbs, words) for fits, verbs, words in kinds)
    return [(own, f"{verbs[len(own) > 1]} {words}") for own, verbs, words in rows if own]


def leads_of(scores: Scores, comparison: ComparisonResult) -> tuple[WhereResult, ...]:
    """Return where the leads of the leader come from; nothing on one task, and where there are no pairs or no verdicts.

    A pair of the same runs has no lead.
    """
    from runoff.methods.where import where

    judged = comparison.pairs and not comparison.incomparable
    # On one task the lead is that task's, and there is nothing to split.
    own = comparison.standing.own if judged and scores.n_tasks > 1 else ()
    own = tuple(pair for pair in own if pair.unjudged != SAME_RUNS)
    # The pair that the page asks about comes first.
    rivals = sorted((pair.b for pair in own), key=lambda name: name != comparison.nearest.b)
    options: Any = {"measure": _by_task(comparison), "alpha": comparison.alpha, "rng": comparison.seed}
    return tuple(
        where(scores, own[0].a, rival, n_resamples=DRAWS_OF_Q, **options)
        # One pair at least, however many tasks: the page is about it.
        for rival in rivals[: max(1, min(MOST_LEADS, MOST_DOTS // scores.n_tasks))]
    )


def _by_task(comparison: ComparisonResult) -> Literal["mean", "improvement"]:
    return "improvement" if comparison.measure == IMPROVEMENT else "mean"


def dots_of(scores: Scores, comparison: ComparisonResult, leads: Sequence[WhereResult]) -> tuple[WhereResult, ...]:
    """Return the tasks of pairs that are not among the leads: of all, or where they are too many of those of the leader alone."""
    from runoff.methods.where import tasks_of

    if not leads:
        return ()
    standing, shown = comparison.standing, {(lead.a, lead.b) for lead in leads}
    own = [pair for pair in standing.own if (pair.a, pair.b) not in shown]
    others = [pair for pair in standing.pairs if standing.leader not in (pair.a, pair.b)]
    # All pairs, or those of the leader alone, or none: some of the others would be an arbitrary choice.
    fits = [pairs for pairs in ([*own, *others], own) if len(pairs) * scores.n_tasks <= MOST_MARKS]
    pairs = fits[0] if fits else []
    return tasks_of(scores, [(p.a, p.b) for p in pairs], measure=_by_task(comparison), alpha=comparison.alpha)


def versions() -> tuple[tuple[str, str], ...]:
    packages = ("runoff", "numpy", "scipy", "numba", "matplotlib")
    return (("python", platform.python_version()), *((name, version_of(name)) for name in packages))


@cache  # what is installed is looked for among all files of all packages
def version_of(package: str) -> str:
    """Return the version of an installed package; numba is absent where its loops are interpreted."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def profiles_of(scores: Scores, seed: int, confidence_level: float = 0.95) -> Profiles:
    """Return the profiles of all algorithms over a grid of all scores."""
    from runoff.methods.profile import performance_profile

    # A profile of scores 0 and 1 is a step at each, whose height between is the rate.
    if scores.rates:
        return Profiles(
            left_out="No profiles are given: all scores are 0 or 1, and the share above is the success rate."
        )
    if not one_unit(scores):
        return Profiles(
            left_out=Sentence(
                "No profiles are given: they count runs of all tasks above one score, and these tasks have different units; "
                f"{make_one_unit()}."
            )
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)  # the aggregates have reported it
        return Profiles(result=performance_profile(scores, band=BAND, rng=seed, confidence_level=confidence_level))


def record_of_profiles(profiles: Profiles) -> dict[str, Any]:
    """Return the profiles as JSON knows them; `result` is null where there are none."""
    return {"result": plain(profiles.result), "left_out": profiles.left_out}


@once
def ranked(answers: Answers) -> tuple[AggregateRow, ...]:
    """Return the measure that decides, of each algorithm, the best first; what was not compared last."""
    metric = answers.comparison.measure
    first = answers.aggregates.measures[0]
    records = best_first((r for r in answers.aggregates.rows if r.measure == first), first)
    # The order is that of the comparison, whose verdicts the page shows; those that were not compared follow in
    # the order of the aggregates. Sorting is stable.
    names = list(dict.fromkeys(record.algorithm for record in records))
    place = {name: at for at, (name, _) in enumerate(answers.comparison.values)}
    names.sort(key=lambda name: place.get(name, len(place)))
    if metric in answers.aggregates.measures:
        return tuple(answers.aggregates[name, metric] for name in names)
    # The Hodges-Lehmann difference is of pairs alone: what an algorithm has of it is its average lead.
    leads, bare = dict(answers.comparison.values), {"measure": metric, "low": None, "high": None, "interval": None}
    own = [answers.aggregates[name, first] for name in names if name in leads]
    return tuple(replace(row, estimate=leads[row.algorithm], n_resamples=0, **bare) for row in own)


@once
def standing_of(answers: Answers) -> Standing:
    """Return the leader and the standing of the others relative to it, including those that were not compared."""
    order, comparison = [value.algorithm for value in ranked(answers)], answers.comparison
    # The comparison has its own standing, kept once computed; another is needed only where algorithms stand on
    # the page that were not compared.
    if order == [name for name, _ in comparison.values]:
        return comparison.standing
    return standings.standing_of(order, comparison.pairs)


def leaders_first(advice: Iterable[Advice], standing: Standing) -> tuple[Advice, ...]:
    """Return advice by severity and weight, of one code what concerns the leader and those beside which no difference was found first."""
    place = {name: at for at, name in enumerate(standing.leading)}

    def places_of(item: Advice) -> list[int]:
        """Return places, best first; a pair is told before one of its algorithms alone."""
        return [*sorted(place.get(name, len(place)) for name in item.subjects), *[len(place)] * bool(item.subjects)]

    return most_severe_first(sorted(advice, key=places_of))
