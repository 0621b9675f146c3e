"""The methods paragraph, made of the results, and the references it cites: ready to paste into a paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from runoff._inference.bootstrap import BANDS, cited, parse_metric, value_of
from runoff._inference.family import CORRECTIONS, OF_PVALUES, first_level
from runoff._inference.pairs import DRAWS, IMPROVEMENT, JACKKNIFE, about_test, one_unit, unit_words
from runoff.answer.aggregate import MeasureRow, cell_of
from runoff.answer.base import compared_at
from runoff.answer.comparison import ComparisonResult, why_means
from runoff.archive.sets import UNKNOWN
from runoff.exits.text import shared_decimals
from runoff.page.answers.all import Answers
from runoff.page.words.items import accuracy_words, data_of_items, effects_of_items, lines_words
from runoff.page.words.paper import clauses, score_words
from runoff.page.words.published import published_words, sets_of
from runoff.page.words.references import REFERENCES
from runoff.words.measures import differences_words, strata_words
from runoff.words.names import INTERVAL_TITLES, known_measure, measure_words
from runoff.words.nouns import OF_ITEMS
from runoff.words.numbers import MOST, counted, exactly, listed, rounded, span


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsParagraph:
    """The text, the references that it cites, and the BibTeX entries of published runs."""

    text: str
    references: tuple[str, ...]
    entries: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([self.text, "", *self.references])


def methods_paragraph(answers: Answers) -> MethodsParagraph:
    """Return what was done, from what the results say was done."""
    version = dict(answers.versions)["runoff"]
    tested = answers.comparison.pairs
    reasons = dict.fromkeys(pair.unjudged for pair in tested)
    items = answers.nouns == OF_ITEMS
    pairs: list[str] = []
    if tested and not all(reasons):
        effects = effects_of_items(answers) if items else _effects(answers)
        pairs = [_tests(answers), _jackknife(answers), effects, _equivalence(answers)]
    if tested and all(reasons):
        pairs = [f"No verdict is given on any pair of {answers.nouns.algorithms}, because {' or '.join(reasons)}."]
    parts = [
        data_of_items(answers) if items else _data(answers),
        compared_at(answers.comparison.advice),
        published_words(answers.scores),
        accuracy_words(answers) if items else _aggregates(answers),
        *pairs,
        _ranks(answers),
        _profiles(answers),
        _curves(answers),
        f"Computed with runoff {version}, random seed {answers.comparison.seed}.",
    ]
    text = " ".join(part for part in parts if part)
    # A citation in the text brings its reference along: none is missing, and none is left over.
    cited = [full for key, full in REFERENCES.items() if re.search(re.escape(key), text)]
    entries = tuple(card.citation for card, _ in sets_of(answers.scores) if card.citation != UNKNOWN)
    return MethodsParagraph(text=text, references=tuple(cited), entries=entries)


def _data(answers: Answers) -> str:
    scores = answers.scores
    episodes = scores.sampling.unit == "episode"
    runs = counted(scores.n_runs[scores.n_runs > 0], "episode" if episodes else "independent run")
    missing = int((scores.n_runs == 0).sum())
    gaps = (
        f"; {counted([missing], 'combination')} of algorithm and task had no {scores.sampling.unit}s" if missing else ""
    )
    brief = (scores.provenance.reference or "").split(";")[0].removesuffix(".").removeprefix("given reference scores: ")
    scale = f"Scores were normalised task by task with reference scores: {brief}."
    if scores.provenance.reference is None:
        unit = unit_words(scores) if one_unit(scores) else "not normalised, and each task has a unit of its own"
        scale = f"Scores were {unit}."
    tasks = f"{counted([scores.n_tasks], 'task')}{strata_words(answers.aggregates.weights)}"
    what, of = ("one policy of each of ", "each policy") if episodes else ("", "each algorithm")
    together = "; every run was scored on all tasks" if scores.sampling.shared and scores.n_tasks > 1 else ""
    lead = f"We compared {what}{scores.n_algorithms} algorithms on {tasks}, with {runs} of {of} on each task{together}{gaps}."
    about = " All statements are about these policies, not about how they were trained." if episodes else ""
    score = score_words(answers) or f"The scores of {scores.sampling.unit}s were taken as given."
    return f"{lead}{about} {score} {scale}"


def _aggregates(answers: Answers) -> str:
    result = answers.aggregates
    records = [record for record in result.rows if record.interval]
    metrics = [
        cited(metric) + (f" (γ = {result.gamma:g})" if metric == "optimality_gap" else "") for metric in result.measures
    ]
    over = " over tasks" if answers.scores.n_tasks > 1 else ""
    over = ", the weighted mean of the strata," if result.weights else over
    lead = f"Performance{over} was summarised by {listed(metrics)} (Agarwal et al. 2021)"
    if not records:
        return f"{lead}, without intervals, which take several {answers.scores.sampling.unit}s that are not all equal."
    first = records[0]
    if result.weights:
        return f"{lead}, with {100 * first.confidence_level:g}\u00a0% intervals made of those of the strata (MOVER; Zou & Donner 2008)."
    kind = INTERVAL_TITLES[first.interval] if first.interval else ""
    draws = (
        " from the jackknife of whole runs"
        if whole_runs(answers)
        else f" ({first.n_resamples:,} resamples of {first.over}, stratified by task)"
        if first.n_resamples
        else ""
    )
    return f"{lead}, with {100 * first.confidence_level:g}\u00a0% {kind} intervals{draws}.{_cuts(answers)}"


def _cuts(answers: Answers) -> str:
    """Return the IQM by the other cut where quarters of the runs are no whole runs; "" where they are, and where both stand in the tables."""
    scores, metrics = answers.scores, answers.aggregates.measures
    sizes = scores.n_runs.sum(axis=1)
    if "iqm" not in metrics or "iqm_whole" in metrics or not (sizes % 4).any():
        return ""
    records = [answers.aggregates[name, "iqm"] for name in scores.algorithms]
    places, whole = decimals(records), parse_metric("iqm_whole")
    changed: list[tuple[float, str]] = []
    for record in records:
        value = value_of([cell for cell in scores.cells(record.algorithm) if cell.size], whole)
        texts = rounded(value, places), rounded(record.estimate, places)
        if texts[0] != texts[1]:
            changed.append((abs(value - record.estimate), f"{texts[0]} in place of {texts[1]} for {record.algorithm}"))
    unit = scores.sampling.unit
    lead = f" The interquartile mean cuts exactly a quarter of the {unit}s from each end; with whole {unit}s cut, int(N / 4) of N {unit}s,"
    if not changed:
        return f"{lead} no digit that is printed differs."
    if len(changed) <= MOST_CUTS:
        return f"{lead} it is {listed([text for _, text in changed])}."
    return f"{lead} printed digits differ for {len(changed)} of {len(records)} algorithms, most with {max(changed)[1]}."


def _tests(answers: Answers) -> str:
    comparison = answers.comparison
    names = dict.fromkeys(pair.test for pair in comparison.pairs)
    cited = zip(names, tests_cited(answers), strict=True)
    tests = "; ".join(f"{words}{_how(test, comparison)}" for test, words in cited)
    m = len(comparison.pairs)
    family = CORRECTIONS[comparison.correction].cited
    adjusted = f"p-values were corrected over the {m} pairs by {family}"
    adjusted = "one pair was tested, so p-values needed no correction" if m == 1 else adjusted
    measure = f"the {difference_words(comparison)}"
    if comparison.measure == IMPROVEMENT:
        measure += ", averaged over tasks (Agarwal et al. 2021)"
    elif any(pair.n_tasks > 1 for pair in comparison.pairs):
        measure += f" over {answers.nouns.tasks}"
    why = why_means(comparison, answers.measure)
    measure += f" ({why})" if why else ""
    return (
        f"Pairs of {answers.nouns.algorithms} were compared by {measure}, in two-sided tests: {tests}; {adjusted}, "
        f"with α = {comparison.alpha:g}.{_left_out(answers)}"
    )


def _how(test: str, comparison: ComparisonResult) -> str:
    """Return how the p-values of a test were found, over all pairs that it decided."""
    few = test == JACKKNIFE
    methods = dict.fromkeys(pair.method for pair in comparison.pairs if pair.test == test)
    ways = [way for method in methods if (way := (HOW_FEW if few else HOW).get(method))]
    relabelling = f", {RELABELLING}" if few and ways and comparison.measure != IMPROVEMENT else ""
    return f"{relabelling}{', ' if ways else ''}{' or '.join(ways)}"


def _left_out(answers: Answers) -> str:
    """Return on how many tasks pairs were compared where these were not all, and why."""
    pairs, n_tasks = answers.comparison.pairs, answers.scores.n_tasks
    if all(pair.n_tasks == n_tasks for pair in pairs):
        return ""
    of = answers.nouns
    which = f"on which both have two {of.runs} or more" if any(pair.left_out for pair in pairs) else "that both have"
    return f" Each pair was compared on the {of.tasks} {which}: {span([pair.n_tasks for pair in pairs])} of {n_tasks}."


def _jackknife(answers: Answers) -> str:
    """Return where the errors of the jackknife t test come from; of the improvement, which has errors of its own, `_effects` says it."""
    comparison, unit = answers.comparison, answers.scores.sampling.unit
    if comparison.measure == IMPROVEMENT or all(pair.test != JACKKNIFE for pair in comparison.pairs):
        return ""
    where = "from all tasks at once" if whole_runs(answers) else "within its task"
    # A user's function is of the runs that are there, so that their number may have a say.
    twice = (
        ""
        if known_measure(comparison.measure)
        else ", and left out with the others in its place (the larger error counts)"
    )
    return (
        f"Each {unit} was left out in turn {where}{twice}, to estimate the error of the {measure_words(comparison.measure)}; the wider of "
        "Welch's and Student's interval and the larger p-value count, so that p is at most α exactly where the interval at 1 − α leaves 0 out."
    )


def _effects(answers: Answers) -> str:
    comparison = answers.comparison
    level = f"{100 * comparison.confidence_level:g}\u00a0%"
    if comparison.by_stratum:
        lead = f"{lines_words(comparison)}The {difference_words(comparison)} has the {level} interval that is made of those of the strata"
    elif answers.scores.rates:
        lead = (
            f"Differences of success rates weight tasks equally and have {level} intervals that invert the score (Miettinen & Nurminen 1985), "
            "and so has the probability of improvement (Agarwal et al. 2021)"
        )
    else:
        words = difference_words(comparison)
        few = any(pair.test == JACKKNIFE and pair.method != "asymptotic" for pair in comparison.pairs)
        kind = "intervals that both tests leave, by inversion" if few else "t intervals of the same errors"
        kind = "intervals that invert the test" if comparison.over == "tasks" else kind
        own = f"The {words} has {level} {kind}, and t" if comparison.measure != IMPROVEMENT else "T"
        law = (
            "t intervals, whose variance is half that of the placements and half that of a smooth distribution, which is never 0 (DeLong et al. "
            "1988; Hanley & McNeil 1982)"
        )
        if answers.scores.n_tasks == 1:
            law = (
                "intervals that invert the Mann-Whitney test, in the form of Wilson (Mann & Whitney 1947; Wilson 1927)"
            )
        if whole_runs(answers):
            law = (
                "intervals that both tests leave: t intervals, whose variance is that of the placements of runs, averaged over tasks (DeLong et "
                "al. 1988), and those of the permutation test, in the form of Wilson (Wilson 1927)"
            )
        bounded = any(pair.improvement_low is not None for pair in comparison.pairs)
        why = f"cells of one {answers.scores.sampling.unit} show no spread"
        why = f"the {answers.nouns.tasks} are the sample" if comparison.over == "tasks" else why
        has = f"has {level} {law}" if bounded else f"has no interval, for {why}"
        lead = f"{own}he probability of improvement (Agarwal et al. 2021) {has}"
    return (
        f"{lead}; each interval holds on its own, not jointly with the others. "
        f"Where no difference was found, {_power(comparison)} make no claim of equality."
    )


def _equivalence(answers: Answers) -> str:
    """Return how equivalence was tested, where a margin was named."""
    comparison = answers.comparison
    if (margin := comparison.pairs[0].margin) is None:
        return ""
    # Shaffer's procedure is of equality, which is no null of equivalence.
    family = CORRECTIONS[comparison.correction if comparison.correction in OF_PVALUES else "holm"]
    alone = len(comparison.pairs) == 1
    near = "nearer to 50\u00a0%" if comparison.measure == IMPROVEMENT else "smaller"
    return (
        f"Two algorithms were called equivalent where no difference was found and two one-sided tests (Schuirmann 1987) showed the "
        f"{difference_words(comparison)} to be {near} than the margin of {exactly(margin)}, at α = {comparison.alpha:g}"
        f"{'' if alone else f', corrected over the pairs by {family.cited}'}."
    )


def _power(comparison: ComparisonResult) -> str:
    if all(pair.detectable_difference is None for pair in comparison.pairs):
        return "we"
    first = first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    step = f" at the level of the family's first step, {first:.2g}" if first < comparison.alpha else ""
    what = f"the true {difference_words(comparison)} that new {comparison.pairs[0].unit}s"
    return (
        f"we report {what} of this design would find with 80\u00a0% power by a "
        f"two-sided t test{step}, allowing for the error of the standard error, and"
    )


def _ranks(answers: Answers) -> str:
    """Return what was done with all algorithms at once; nothing for two, where the pair says it."""
    omnibus, critical = answers.ranking.omnibus, answers.ranking.critical
    if answers.scores.n_algorithms < 3 or omnibus is None:
        return ""
    how = HOW.get(omnibus.method, omnibus.method)
    parts = [f"Whether the algorithms differ at all was tested by {about_test(omnibus.test).cited}, {how}."]
    if critical is not None:
        parts.append(
            f"Average ranks were compared by their critical difference at α = {critical.alpha:g} (Casesa 2024, eq. 2.23; diagram after Demšar "
            "2006), with a compact letter display (Piepho 2004)."
        )
    places = answers.ranking.places
    if places is not None:
        parts.append(
            f"Possible ranks by {cited(places.measure)} are {100 * places.confidence_level:g}\u00a0% confidence sets for ranks (Mogstad et al. "
            f"2024), from the tests of all pairs by {CORRECTIONS[answers.comparison.correction].cited}."
        )
    return " ".join(parts)


def _profiles(answers: Answers) -> str:
    profile = answers.profiles.result
    if profile is None or not any(record.interval for record in profile.rows):
        return ""
    unit = answers.scores.sampling.unit
    return (
        f"Performance profiles, the share of {unit}s above each score with every task weighing the same (Agarwal et al. 2021), have "
        f"{100 * profile.confidence_level:g}\u00a0% {BANDS[profile.band].title} intervals (Wilson 1927) at each score on its own, from the "
        f"number of {unit}s of one task that would have the same variance."
    )


def _curves(answers: Answers) -> str:
    if answers.curves is None:
        return ""
    efficiency, pairs = answers.curves.efficiency, answers.curves.comparison
    metric = parse_metric(efficiency.rows[0].measure).cited
    axis = "steps" if efficiency.along == "step" else efficiency.along
    level = f"{100 * efficiency.confidence_level:g}\u00a0%"
    validity = "at each step on its own" if efficiency.band == "pointwise" else "for all steps at once"
    lead = (
        f"Learning curves were aligned by {axis}, interpolated linearly within runs; {metric} along training has "
        f"{level} t intervals {validity}, with leave-one-run-out errors."
    )
    if not one_unit(answers.scores):
        lead += " It is of scores as they are, though each task has a unit of its own, so that tasks with large scores weigh most."
    # What was done to the runs whose ends are the scores is said of the scores.
    ends = answers.scores.provenance.treatments()
    more = clauses(clause for clause in answers.curves.treatments if clause not in ends)
    step = compared_at(answers.curves.advice)
    lead = " ".join(filter(None, [lead, more, step if step != compared_at(answers.comparison.advice) else ""]))
    if pairs is None:
        return lead
    together = (
        "adjusted over all steps by max-T (Westfall & Young 1993), with variances that were shrunk towards their means along training (Smyth "
        "2004), and over the pairs by Bonferroni's inequality"
    )
    return f"{lead} Pairs were compared at each step by {about_test(JACKKNIFE).cited}, {together}, with α = {pairs.alpha:g} (Colas et al. 2019)."


MOST_CUTS = 3
"""The largest number of algorithms whose IQMs by both cuts are listed one by one."""
HOW = {
    "exact": "with its exact null distribution",
    "asymptotic": "with its asymptotic null distribution",
    "monte_carlo": "with Monte Carlo p-values",
}


RELABELLING = "and of few runs the larger of its p-value and that of the studentised permutation test within tasks (Chung & Romano 2013)"
HOW_FEW = {
    "exact": "with all permutations",
    "monte_carlo": f"with {DRAWS:,} permutations",
}
"""What became of the jackknife t test where runs are few."""


OF_CHANCES = (
    "the jackknife t test of the chance to beat, with errors task by task (DeLong et al. 1988; Hanley & McNeil 1982)"
)
OF_WHOLE_RUNS = (
    "the larger p-value of two, those of the jackknife t test of the chance to beat, with errors of whole runs (DeLong et al. 1988), and of the "
    "permutation test of their ranks, added over tasks"
)
"""The test of the improvement: of runs on each task, and of runs that were scored on all tasks."""


def difference_words(comparison: ComparisonResult) -> str:
    """Return what pairs are compared by, inside a sentence: "difference of IQMs", "probability of improvement"."""
    return differences_words(comparison.measure, binary=any(pair.rates for pair in comparison.pairs))


def tests_cited(answers: Answers) -> list[str]:
    """Return the tests of the pairs with their sources, each once; the t test of the improvement has a law of its own."""
    own = answers.comparison.measure == IMPROVEMENT
    of_chances = OF_WHOLE_RUNS if whole_runs(answers) else OF_CHANCES
    names = dict.fromkeys(pair.test for pair in answers.comparison.pairs)
    return [of_chances if own and name == JACKKNIFE else about_test(name).cited for name in names]


def whole_runs(answers: Answers) -> bool:
    """Return whether a run was scored on several tasks, so that it varies as a whole."""
    return answers.scores.sampling.shared and answers.scores.n_tasks > 1


def decimals(records: Iterable[MeasureRow]) -> int:
    """Return the number of decimals for a column of these estimates."""
    shared = shared_decimals([cell_of(record) for record in records])
    # Where no number of decimals fits all, each has its own in a table; a caller that needs one number takes the most.
    return MOST if shared is None else shared
