"""The methods paragraph, made of the results, and the references it cites: ready to paste into a paper."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runoff.plots._words import INTERVALS, METRICS
from runoff.report.answers.all import Answers

REFERENCES = {
    "Agarwal et al. 2021": "Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. & Bellemare, M. G. (2021). Deep reinforcement "
    "learning at the edge of the statistical precipice. Advances in Neural Information Processing Systems 34.",
    "Casesa 2024": "Casesa, R. (2024). Statistical methods for reinforcement learning policy comparison. PhD thesis, Università degli "
    "Studi di Brescia.",
    "Colas et al. 2019": "Colas, C., Sigaud, O. & Oudeyer, P.-Y. (2019). A hitchhiker's guide to statistical comparisons of "
    "reinforcement learning algorithms. arXiv:1904.06979.",
    "Demšar 2006": "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning "
    "Research 7, 1–30.",
    "Holm 1979": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65–70.",
    "Mack & Skillings 1980": "Mack, G. A. & Skillings, J. H. (1980). A Friedman-type rank test for main effects in a two-factor ANOVA. "
    "Journal of the American Statistical Association 75, 947–951. doi:10.1080/01621459.1980.10477577.",
    "Piepho 2004": "Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. Journal of "
    "Computational and Graphical Statistics 13, 456–466. doi:10.1198/1061860043515.",
    "Satterthwaite 1946": "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics "
    "Bulletin 2, 110–114. doi:10.2307/3002019.",
    "Welch 1947": "Welch, B. L. (1947). The generalization of 'Student's' problem when several different population variances are "
    "involved. Biometrika 34, 28–35. doi:10.1093/biomet/34.1-2.28.",
}

TESTS = {
    "welch": "Welch's t-test (Welch 1947)",
    "student": "Student's t-test",
    "mann_whitney": "the Mann-Whitney U test",
    "permutation": "a permutation test of the difference of means",
    "ranked_t": "Student's t-test on ranks",
    "bootstrap": "a bootstrap test of the difference of means (Colas et al. 2019)",
    "van_elteren": "the van Elteren rank test with tasks as strata",
    "stratified_permutation": "a permutation test of the difference of means, stratified by task",
    "mack_skillings": "the Mack-Skillings rank test with tasks as blocks (Mack & Skillings 1980; Casesa 2024)",
}

CORRECTIONS = {
    "holm": "Holm's step-down procedure (Holm 1979)",
    "bonferroni": "Bonferroni's inequality",
    "hochberg": "Hochberg's step-up procedure",
    "hommel": "Hommel's procedure",
    "bh": "the Benjamini-Hochberg procedure (false discovery rate)",
    "max_t": "the step-down maximum of the statistics over synchronised within-task permutations (max-T)",
    "by": "the Benjamini-Yekutieli procedure (false discovery rate)",
}


FAMILYWISE = ("holm", "bonferroni", "hochberg", "hommel", "max_t")


@dataclass(frozen=True, slots=True, kw_only=True)
class Methods:
    """The paragraph and the references it cites."""

    text: str
    references: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([self.text, "", *self.references])


def methods_of(answers: Answers) -> Methods:
    """Return what was done, from what the results say was done."""
    parts = [
        _data(answers),
        _aggregates(answers),
        _tests(answers),
        _effects(answers),
        _ranks(answers),
        _engine(answers),
    ]
    text = " ".join(part for part in parts if part)
    cited = [full for key, full in REFERENCES.items() if re.search(re.escape(key), text)]
    return Methods(text=text, references=tuple(cited))


def _data(answers: Answers) -> str:
    scores = answers.scores
    counts = scores.n_runs[scores.n_runs > 0]
    runs = _span(int(counts.min()), int(counts.max()), "independent run")
    missing = int((scores.n_runs == 0).sum())
    gaps = f"; {missing} combination(s) had no runs" if missing else ""
    brief = (scores.provenance.reference or "").split(";")[0]
    scale = _sentence(f"Scores were normalised task by task with reference scores: {brief}")
    scale = scale if scores.provenance.reference else "Scores were analysed as recorded, without normalisation."
    tasks = _span(scores.n_tasks, scores.n_tasks, "task")
    return f"We compared {scores.n_algorithms} algorithms on {tasks}, with {runs} of each algorithm on each task{gaps}. {scale}"


def _aggregates(answers: Answers) -> str:
    result = answers.aggregates
    records = [record for record in result.records if record.interval]
    metrics = [_metric(metric, result.gamma) for metric in result.metrics]
    listed = f"{', '.join(metrics[:-1])} and {metrics[-1]}" if len(metrics) > 1 else metrics[0]
    lead = f"Performance over tasks was summarised by {listed} (Agarwal et al. 2021)"
    if not records:
        return f"{lead}; with single runs, no intervals exist."
    first = records[0]
    kind = INTERVALS.get(first.interval or "", str(first.interval))
    draws = (
        f", {first.n_resamples:,} resamples of {first.over.replace('_', ' ')} stratified by task"
        if first.n_resamples
        else ""
    )
    return f"{lead}, with {100 * first.confidence_level:g}\u00a0% {kind} intervals{draws}."


def _tests(answers: Answers) -> str:
    comparison = answers.comparison
    kinds = dict.fromkeys((pair.test, pair.method) for pair in comparison.pairs)
    tests = "; ".join(f"{TESTS.get(test, test.replace('_', ' '))}, {_how(method)}" for test, method in kinds)
    m = len(comparison.pairs)
    against = f"against the control {comparison.control}" if comparison.control else "of algorithms"
    family = CORRECTIONS.get(comparison.correction, comparison.correction)
    if m == 1:
        adjusted = "one pair was tested, so p-values needed no correction"
    elif comparison.correction == "none":
        adjusted = f"p-values of the {m} pairs were not corrected"
    else:
        adjusted = f"p-values were corrected over the {m} pairs by {family}"
    return f"Pairs {against} were compared by two-sided tests: {tests}; {adjusted}, and α = {comparison.alpha:g}."


def _effects(answers: Answers) -> str:
    comparison = answers.comparison
    level = f"{100 * comparison.confidence_level:g}\u00a0%"
    several = len(comparison.pairs) > 1 and comparison.correction in FAMILYWISE
    step = f" at α = {comparison.alpha:g}/{len(comparison.pairs)}" if several else ""
    return (
        f"Differences of means weight tasks equally and have {level} t intervals with Welch-Satterthwaite degrees of freedom "
        f"(Satterthwaite 1946; Welch 1947); the probability of improvement (Agarwal et al. 2021) has {level} stratified bootstrap intervals "
        f"({comparison.n_resamples:,} resamples); these intervals hold one at a time, not jointly. Where no difference was found we report the "
        f"smallest difference of means that a two-sided t test at this standard error would find with 80\u00a0% power{step} "
        "(Colas et al. 2019), and make no claim of equality."
    )


def _ranks(answers: Answers) -> str:
    """Return what was done with all algorithms at once; nothing for two, where the pair says it."""
    omnibus, apart, intervals = answers.ranking.omnibus, answers.ranking.apart, answers.ranking.intervals
    if answers.scores.n_algorithms < 3 or omnibus is None:
        return ""
    how = _how(omnibus.method)
    parts = [
        f"Whether the algorithms differ at all was tested by the Mack-Skillings rank test with tasks as blocks (Mack & Skillings 1980; "
        f"Casesa 2024), {how}."
    ]
    if apart is not None:
        parts.append(
            f"Mean ranks were compared by their critical difference at α = {apart.alpha:g} (Casesa 2024, eq. 2.23; diagram after Demšar 2006), "
            "with a compact letter display (Piepho 2004)."
        )
    if intervals is not None and any(record.factor is not None for record in intervals.records):
        metric = METRICS.get(intervals.metric, intervals.metric)
        parts.append(
            f"For reading by eye, the descriptive intervals of the {metric} were scaled about their estimates, by one factor an algorithm, so "
            "that two overlap if and only if the test of the pair does not reject (Casesa 2024, §2.4, extended to more than two algorithms by "
            "linear programming)."
        )
    return " ".join(parts)


def _engine(answers: Answers) -> str:
    known = dict(answers.versions)
    name = f"runoff {known['runoff']}" if "runoff" in known else "runoff"
    return f"Computed with {name}, random seed {answers.comparison.seed}."


def _metric(metric: str, gamma: float) -> str:
    words = {
        "iqm": "the interquartile mean",
        "mean": "the mean",
        "median": "the median of task means",
        "optimality_gap": f"the optimality gap (γ = {gamma:g})",
    }
    return words.get(metric, f"the {METRICS.get(metric, metric).replace('_', ' ')}")


def _how(method: str) -> str:
    words = {
        "exact": "exact null distribution",
        "asymptotic": "asymptotic null distribution",
        "monte_carlo": "Monte Carlo p-values",
    }
    return words.get(method, method)


def _span(low: int, high: int, noun: str) -> str:
    number = f"{low}" if low == high else f"{low} to {high}"
    return f"{number} {noun}{'' if high == 1 else 's'}"


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
