"""The methods paragraph, made of the results, and the references it cites: ready to paste into a paper."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runoff._inference.bootstrap import BANDS, interval_title, parse_metric
from runoff._inference.family import CORRECTIONS, first_level
from runoff._inference.pairs import about_test
from runoff.report.answers.all import Answers
from runoff.report.words.bibtex import REFERENCES
from runoff.results.comparison import ComparisonResult
from runoff.words.numbers import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodsParagraph:
    text: str
    references: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.text, "", *self.references])


def methods_paragraph(answers: Answers) -> MethodsParagraph:
    """Return what was done, from what the results say was done."""
    version = dict(answers.versions).get("runoff", "")
    parts = [
        _data(answers),
        _aggregates(answers),
        _tests(answers),
        _effects(answers),
        _ranks(answers),
        _profiles(answers),
        _curves(answers),
        f"Computed with runoff {version}".rstrip() + f", random seed {answers.comparison.seed}.",
    ]
    text = " ".join(part for part in parts if part)
    cited = [full for key, full in REFERENCES.items() if re.search(re.escape(key), text)]
    return MethodsParagraph(text=text, references=tuple(cited))


def _data(answers: Answers) -> str:
    scores = answers.scores
    counts = scores.n_runs[scores.n_runs > 0]
    episodes = scores.sampling.unit == "episode"
    runs = counted(counts, "episode" if episodes else "independent run")
    missing = int((scores.n_runs == 0).sum())
    gaps = f"; {counted([missing], 'combination')} of algorithm and task had no runs" if missing else ""
    brief = (scores.provenance.reference or "").split(";")[0]
    scale = f"Scores were normalised task by task with reference scores: {brief.removesuffix('.')}."
    scale = scale if scores.provenance.reference else "Scores were analysed as recorded, without normalisation."
    tasks = counted([scores.n_tasks], "task")
    what = "one policy of each of" if episodes else ""
    of = "each policy" if episodes else "each algorithm"
    together = "; every run was scored on all tasks" if scores.sampling.shared and scores.n_tasks > 1 else ""
    lead = f"We compared {what} {scores.n_algorithms} algorithms on {tasks}, with {runs} of {of} on each task{together}{gaps}."
    about = " All statements are about these policies, not about how they were trained." if episodes else ""
    return f"{lead.replace('  ', ' ')}{about} {scale}"


def _aggregates(answers: Answers) -> str:
    result = answers.aggregates
    records = [record for record in result.records if record.interval]
    metrics = [
        parse_metric(metric).cited + (f" (γ = {result.gamma:g})" if metric == "optimality_gap" else "")
        for metric in result.metrics
    ]
    listed = f"{', '.join(metrics[:-1])} and {metrics[-1]}" if len(metrics) > 1 else metrics[0]
    lead = f"Performance over tasks was summarised by {listed} (Agarwal et al. 2021)"
    if not records:
        return f"{lead}, without intervals, which cannot be computed from single runs."
    first = records[0]
    kind = interval_title(first.interval) if first.interval else ""
    draws = (
        " from the jackknife of whole runs"
        if answers.scores.sampling.shared and answers.scores.n_tasks > 1
        else f" ({first.n_resamples:,} resamples of {first.over.replace('_', ' ')}, stratified by task)"
        if first.n_resamples
        else ""
    )
    return f"{lead}, with {100 * first.confidence_level:g}\u00a0% {kind} intervals{draws}."


def _tests(answers: Answers) -> str:
    comparison = answers.comparison
    kinds = dict.fromkeys((pair.test, pair.method) for pair in comparison.pairs)
    tests = "; ".join(f"{about_test(test).cited}, {HOW.get(method, method)}" for test, method in kinds)
    m = len(comparison.pairs)
    against = f"against the control {comparison.control}" if comparison.control else "of algorithms"
    family = CORRECTIONS[comparison.correction].cited
    if m == 1:
        adjusted = "one pair was tested, so p-values needed no correction"
    elif comparison.correction == "none":
        adjusted = f"p-values of the {m} pairs were not corrected"
    else:
        adjusted = f"p-values were corrected over the {m} pairs by {family}"
    return f"Pairs {against} were compared by two-sided tests: {tests}; {adjusted}, with α = {comparison.alpha:g}."


def _effects(answers: Answers) -> str:
    comparison = answers.comparison
    level = f"{100 * comparison.confidence_level:g}\u00a0%"
    lead = (
        f"Differences of success rates weight tasks equally and have {level} score intervals (Newcombe 1998), and so has the probability of "
        "improvement (Agarwal et al. 2021)"
        if answers.scores.rates
        else f"Differences of means weight tasks equally and have {level} t intervals with Welch-Satterthwaite degrees of freedom "
        f"(Satterthwaite 1946; Welch 1947); the probability of improvement (Agarwal et al. 2021) has {level} t intervals of its "
        "placements (DeLong et al. 1988; Brunner & Munzel 2000)"
    )
    return (
        f"{lead}; each interval holds on its own, not jointly with the others. "
        f"Where no difference was found, {_power(comparison)} make no claim of equality."
    )


def _power(comparison: ComparisonResult) -> str:
    """Return what is said of differences that were not found, where it is known."""
    if all(pair.detectable_difference is None for pair in comparison.pairs):
        return "we"
    first = first_level(comparison.alpha, len(comparison.pairs), comparison.correction)
    step = f" at the level of the family's first step, {first:.2g}" if first < comparison.alpha else ""
    return (
        "we report the true difference of means that new runs of this design would find with 80\u00a0% power by a two-sided t test"
        f"{step}, allowing for the error of the standard error, and"
    )


def _ranks(answers: Answers) -> str:
    """Return what was done with all algorithms at once; nothing for two, where the pair says it."""
    omnibus, critical, intervals = answers.ranking.omnibus, answers.ranking.critical, answers.ranking.intervals
    if answers.scores.n_algorithms < 3 or omnibus is None:
        return ""
    how = HOW.get(omnibus.method, omnibus.method)
    parts = [f"Whether the algorithms differ at all was tested by {about_test(omnibus.test).cited}, {how}."]
    if critical is not None:
        parts.append(
            f"Average ranks were compared by their critical difference at α = {critical.alpha:g} (Casesa 2024, eq. 2.23; diagram after Demšar "
            "2006), with a compact letter display (Piepho 2004)."
        )
    if intervals is not None and any(record.factor is not None for record in intervals.records):
        metric = parse_metric(intervals.metric).title
        parts.append(
            f"To be compared by eye, the descriptive intervals of the {metric} were scaled about their estimates, by one factor per algorithm, "
            "so that two overlap if and only if the test of the pair does not reject (Casesa 2024, §2.4, extended to more than two algorithms "
            "by linear programming)."
        )
    places = answers.ranking.places
    if places is not None:
        parts.append(
            f"Which places by {parse_metric(places.metric).cited} are possible was found by {100 * places.confidence_level:g}\u00a0% confidence "
            "sets for ranks by step-down (Mogstad et al. 2024), the law of the studentised differences being drawn with the degrees of freedom "
            "of each algorithm."
        )
    return " ".join(parts)


def _profiles(answers: Answers) -> str:
    profile = answers.profiles.result
    if profile is None or not any(record.interval for record in profile.records):
        return ""
    return (
        "Performance profiles, the share of runs above each score with every task weighing the same (Agarwal et al. 2021), have "
        f"{100 * profile.confidence_level:g}\u00a0% {BANDS[profile.band].title} intervals (Wilson 1927) at each score on its own, from the "
        "number of runs of one task that would have the same variance."
    )


def _curves(answers: Answers) -> str:
    """Return how learning curves were summarised and compared."""
    if answers.curves is None:
        return ""
    efficiency, pairs = answers.curves.efficiency, answers.curves.comparison
    metric = parse_metric(efficiency.records[0].metric).cited
    axis = "steps" if efficiency.axis == "step" else efficiency.axis
    level = f"{100 * efficiency.confidence_level:g}\u00a0%"
    validity = "at each step on its own" if efficiency.band == "pointwise" else "for all steps at once"
    lead = (
        f"Learning curves were aligned by {axis}, interpolated linearly within runs; {metric} along training has "
        f"{level} intervals {validity}, whole runs being resampled."
    )
    if pairs is None:
        return lead
    together = (
        "adjusted over all steps by max-T, whole runs being relabelled (Westfall & Young 1993), and over the pairs by Bonferroni's inequality"
        if pairs.correction == "max_t"
        else f"adjusted over all steps and pairs ({pairs.correction})"
    )
    return f"{lead} Pairs were compared at each step by Welch's t test (Welch 1947), {together}, with α = {pairs.alpha:g} (Colas et al. 2019)."


HOW = {
    "exact": "with its exact null distribution",
    "asymptotic": "with its asymptotic null distribution",
    "monte_carlo": "with Monte Carlo p-values",
}
