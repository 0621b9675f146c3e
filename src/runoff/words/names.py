"""The names of public options, as types (an editor completes them, a type checker refuses the others), and as sentences have them.

Each registry has exactly these keys (`tests/contracts/test_registries.py`), so a new name starts here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal

from runoff.words.nouns import OF_RUNS, Nouns
from runoff.words.speech import choice, option

WinnerTest = Literal[
    "student",
    "welch",
    "yuen",
    "mann_whitney",
    "ranked_t",
    "brunner_munzel",
    "permutation",
    "studentized_permutation",
    "bootstrap",
]
"""Two-sample tests that say which of two is better."""
TwoSampleTestName = Literal[WinnerTest, "kolmogorov_smirnov"]
PairwiseBlockedTest = Literal["mack_skillings", "van_elteren", "stratified_permutation"]
"""Tests over tasks that are offered for a pair."""
BlockedTestName = Literal[
    "mack_skillings", "skillings_mack", "friedman", "iman_davenport", "van_elteren", "stratified_permutation"
]
PairTestName = Literal["auto", "jackknife", PairwiseBlockedTest, WinnerTest, "boschloo", "miettinen_nurminen"]
MeasureName = (
    Literal["auto", "improvement", "mean", "iqm", "iqm_whole", "median", "optimality_gap", "hodges_lehmann"] | str
)
"""What a pair is judged by: "auto" goes by the design; "trimmed_mean_P" too."""
OverName = Literal["auto", "runs", "tasks"]
"""What is the sample: the runs of these tasks, or the tasks; "auto": the tasks where each is an item that was attempted once."""
StratumWeights = Literal["equal", "tasks"]
"""What strata weigh: as much as each other, or as their tasks."""

RunsName = Literal["per_task", "shared"]
"""Whether every task has runs of its own, or each run is scored on all tasks."""
UnitName = Literal["run", "episode"]
"""What a row of scores is."""

Alternative = Literal["two-sided", "less", "greater"]
NullMethod = Literal["auto", "exact", "monte_carlo", "asymptotic"]
"""How a null distribution is found."""
BootstrapTestInterval = Literal["studentized", "basic", "percentile"]

LatexLayout = Literal["column", "wide", "long"]
FixedMetric = Literal["iqm", "iqm_whole", "mean", "median", "optimality_gap"]
MetricName = FixedMetric | str
"""A fixed metric, or "trimmed_mean_P" with P per cent cut from each end: `parse_metric` refuses other names."""
ThresholdsName = Literal["linear", "log"]
"""How the scores at which a profile is read are spaced."""

IntervalName = Literal["auto", "t", "percentile", "basic", "bca"]
Resampled = Literal["runs", "runs_and_tasks", "tasks"]
ProfileKind = Literal["run_scores", "average_scores"]
ProfileBand = Literal["exact", "wilson", "bootstrap", "simultaneous"]

PvalueCorrection = Literal["bonferroni", "holm", "hochberg", "hommel", "bh", "by", "none"]
"""Corrections that need the p-values alone."""
CorrectionName = Literal["auto", PvalueCorrection, "shaffer"]

"""Tests of two algorithms at every step of training."""
StepCorrectionName = Literal[PvalueCorrection, "max_t", "colas2019"]
ReachTestName = Literal["logrank_permutation", "logrank"]
"""Tests of two algorithms' times to a score."""
CentreName = Literal["mean", "median", "iqm", "iqm_whole"]
SpreadName = Literal["sd", "se", "interval", "percentiles", "tolerance"]
"""What is drawn of the runs at every step."""
DeviationName = Literal["interval", "sd"]
"""What stands behind the mean of a task: its interval, or the standard deviation of its runs."""
CurveBandName = Literal["pointwise", "simultaneous"]
"""Whether intervals hold at each step on its own, or at all steps at once."""

FormulaName = Literal["modified", "marasini", "goldstein_healy"]
EffectName = Literal["difference", "iqm_difference", "ratio", "hedges_g", "cliffs_delta", "improvement"]
AnswerFormat = Literal["latex", "markdown", "csv"]
JobsName = Literal["commands", "slurm", "hydra"]
DuplicatesName = Literal["auto", "last", "first", "mean", "error"]
FormatName = Literal[
    "auto",
    "parquet",
    "feather",
    "npz",
    "npy",
    "ndjson",
    "notebook",
    "html_table",
    "latex_table",
    "json",
    "text",
    "csv",
    "tsv",
    "excel",
    "sqlite",
    "hdf5",
    "mat",
    "markdown",
    "spaced",
    "yaml",
    "toml",
    "netcdf",
]
DecimalName = Literal["auto", "point", "comma"]
"""How the decimals of numbers in a text are parted; the other mark parts thousands."""

FigureFormat = Literal["svg", "pdf", "png", "all"]
Incomplete = Literal["auto", "error", "drop", "carry", "worst", "complete", "carry_forward"]
"""What is done with runs that end before the others of their task."""
AxisName = Literal["step", "time", "episodes"]
"""What the steps of learning curves count."""
Unreferenced = Literal["error", "drop"]
"""What is done with tasks that have no reference scores."""
SingleValue = Literal["line", "tested"]
"""What an algorithm with a single value per task is beside runs: a line to be read, or one more to be tested."""

PowerTestName = Literal["welch", "student", "one_sample"]
"""Tests whose power is known in closed form."""
PowerFormulaName = Literal["noncentral", "exact", "colas2018"]
EffectUnit = Literal["raw", "sd", "improvement"]
"""In what a true difference is stated."""

SpendingName = Literal["pocock", "obrien_fleming", "pocock_1977", "obrien_fleming_1979", "quadratic", "open"]
"""How the error rate of a sequential test is spent over its looks."""
SequentialTestName = Literal["studentized_permutation"]
PlanUnit = Literal[EffectUnit, "lift"]
PublishedSpread = Literal[
    "unknown", "sd", "population_sd", "se", "ci95", "ci95_t", "ci95_normal", "ci95_bootstrap",
    "ci90", "ci90_t", "ci90_normal", "ci90_bootstrap", "ci99", "ci99_t", "ci99_normal", "ci99_bootstrap",
]  # fmt: skip
"""What the number behind ± of a published table may be."""

VenueName = Literal["neurips", "iclr", "icml", "jmlr", "tmlr", "aaai", "ieee", "acm", "article"]
"""Venues whose text a figure can be as wide as."""

TuningView = Literal["equal", "one_setting", "sensitivity", "importance"]
"""What is asked of a sweep."""
ScaleName = Literal["auto", "none", "percentile", "cdf"]
"""How the tasks of a sweep come to one unit."""
KeepMode = Literal["strict", "gain"]
GateCall = Literal["regressed", "suspect", "held", "improved", "underpowered"]
"""What the gate says of a task, and of all."""
GateVerdict = Literal[GateCall, "passed", "failed"]
"""The calls, and what a gate with a policy says of a benchmark, and of all of them."""
BLOCKING: tuple[GateVerdict, ...] = ("regressed", "failed")
"""Verdicts that always fail."""
FAILING: tuple[GateCall, ...] = ("suspect", "underpowered")
"""Calls that may fail beside these."""
RuleName = Literal["must not lose", "must win"]
"""What a policy asks of a benchmark."""


# ── in sentences ──────────


WITH_PERMUTATIONS = " with permutations"
"""What the name of the jackknife t test adds where runs are few, and permutations have a say."""
OVER_ALL_RESULTS = " (exact)"
"""What the name of the score test of rates adds on one task, where its tail is summed over all results."""
TESTS: Mapping[str, str] = MappingProxyType(
    {
        "student": "Student's t test",
        "welch": "Welch's t test",
        "yuen": "Yuen's test",
        "mann_whitney": "the Mann-Whitney test",
        "ranked_t": "the ranked t test",
        "brunner_munzel": "the Brunner-Munzel test",
        "permutation": "the permutation test",
        "studentized_permutation": "the studentised permutation test",
        "bootstrap": "the bootstrap test",
        "kolmogorov_smirnov": "the Kolmogorov-Smirnov test",
        "jackknife": "the jackknife t test",
        "signed_rank": "Wilcoxon's signed-rank test",
        "paired_t": "the paired t test",
        "tango": "Tango's score test",
        "scaled_score": "the scaled score test",
        "mover": "the weighted mean of the strata",
        "boschloo": "Boschloo's test",
        "miettinen_nurminen": "the Miettinen-Nurminen score test",
        "mack_skillings": "the Mack-Skillings test",
        "skillings_mack": "the Skillings-Mack test",
        "friedman": "the Friedman test",
        "iman_davenport": "the Iman-Davenport test",
        "van_elteren": "van Elteren's test",
        "stratified_permutation": "the stratified permutation test",
    }
)
"""Tests as they stand inside a sentence, with their article."""

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "iqm": "IQM",
        "iqm_whole": "Whole-run IQM",
        "mean": "Mean",
        "median": "Median",
        "optimality_gap": "Optimality gap",
        "hodges_lehmann": "Hodges-Lehmann difference",
        "improvement": "Chance to beat others",
    }
)
"""Titles of columns and panels; of one algorithm the improvement is its average chance to beat a run of another."""
LOWER_IS_BETTER = frozenset({"optimality_gap"})
IQMS = frozenset({"iqm", "iqm_whole"})
"""The interquartile mean by both cuts: a quarter of the runs from each end, or the whole runs in it."""

INTERVAL_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "t": "t",
        "percentile": "percentile bootstrap",
        "basic": "basic bootstrap",
        "bca": "BCa bootstrap",
        "wilson": "Wilson",
        "clopper_pearson": "Clopper-Pearson",
        "mann_whitney": "Mann-Whitney",
        "score": "score",
        "mover": "MOVER",
    }
)
"""Kinds of intervals, as they stand before the word."""

CORRECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "bonferroni": "Bonferroni",
        "holm": "Holm",
        "shaffer": "Shaffer",
        "hochberg": "Hochberg",
        "hommel": "Hommel",
        "bh": "Benjamini-Hochberg",
        "by": "Benjamini-Yekutieli",
        "none": "no",
    }
)
"""Corrections as they stand before the word "correction"."""

EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        "difference": "Difference of means",
        "iqm_difference": "Difference of IQMs",
        "ratio": "Ratio of means",
        "hedges_g": "Hedges' g",
        "cliffs_delta": "Cliff's δ",
        "improvement": "Probability of improvement",
    }
)
"""Titles of panels of effect sizes."""

METHODS: Mapping[str, str] = MappingProxyType(
    {"exact": "exact", "asymptotic": "asymptotic", "monte_carlo": "Monte Carlo"}
)
"""Ways to a p-value."""


def metric_title(name: str) -> str:
    """Return what stands above a column of a metric; a name that is no metric, as words.

    >>> metric_title("iqm"), metric_title("trimmed_mean_10"), metric_title("dispersion_across_time")
    ('IQM', 'Trimmed mean (10\\xa0%)', 'Dispersion across time')
    """
    trimmed = re.fullmatch(r"trimmed_mean_(\d{1,2})", name)
    if trimmed:
        return f"Trimmed mean ({int(trimmed[1])}\u00a0%)"
    return METRICS.get(name) or capital(name.replace("_", " "))


def metric_head(name: str, nouns: Nouns = OF_RUNS) -> str:
    """Return what stands above a column, with an arrow if lower is better; the mean of items is a success rate.

    >>> from runoff.words.nouns import nouns_of
    >>> metric_head("optimality_gap"), metric_head("mean", nouns_of("run", items=True))
    ('Optimality gap ↓', 'Success rate')
    """
    return capital(nouns.mean) if name == "mean" else metric_title(name) + (" ↓" if name in LOWER_IS_BETTER else "")


def best_of(name: str, n: int) -> str:
    """Return the word for the best value of a metric among so many.

    >>> best_of("iqm", 3), best_of("iqm", 2), best_of("optimality_gap", 2)
    ('highest', 'higher', 'lower')
    """
    lower = name in LOWER_IS_BETTER
    return ("lower" if lower else "higher") if n == 2 else "lowest" if lower else "highest"


def chance_words(n: int) -> str:
    """Return the words for the chance of one algorithm of so many to beat others."""
    return f"chance to beat a run of {'the other' if n == 2 else 'another'}"


def metric_words(name: str) -> str:
    """Return a metric inside a sentence; the name of a user's function keeps its capitals.

    >>> metric_words("iqm"), metric_words("optimality_gap"), metric_words("my_IQM")
    ('IQM', 'optimality gap', 'my IQM')
    """
    title = metric_title(name)
    return title if title.isupper() else decapital(title) if known_measure(name) else name.replace("_", " ")


def known_measure(name: str) -> bool:
    """Return whether a name is that of a measure of runoff, and not of a user's function."""
    return name in METRICS or name.startswith("trimmed_mean_")


def measure_words(measure: str) -> str:
    """Return a measure inside a sentence: "IQM", "mean", "probability of improvement"."""
    return "probability of improvement" if measure == "improvement" else metric_words(measure)


def measures_words(measure: str) -> str:
    """Return the values of a measure inside a sentence.

    >>> measures_words("iqm"), measures_words("trimmed_mean_10"), measures_words("worst_task")
    ('IQMs', 'trimmed means (10\\xa0%)', 'worst task values')
    """
    # The plural belongs to the name, before the share that is cut: "trimmed means (10 %)".
    head, space, share = measure_words(measure).partition(" (")
    return f"{head}s{space}{share}" if known_measure(measure) else f"{head} values"


def decapital(text: str) -> str:
    """Return a title inside a sentence; a name of a person keeps its capital.

    >>> decapital("Difference of IQMs"), decapital("Hedges' g")
    ('difference of IQMs', "Hedges' g")
    """
    name = "'" in text.split()[0] or re.match(r"\w+-[A-Z]", text)
    return text if name else text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """Return a text that begins a sentence."""
    return text[:1].upper() + text[1:]


ASSUMED = " (protocol assumed)"
"""The suffix of a published algorithm whose protocol is assumed to match the user's runs, so that every sentence shows it."""


VALUES = """
percentile: bootstrap percentile_bootstrap
bh: fdr fdr_bh benjamini_hochberg
welch: ttest t_test ttest_ind t
mann_whitney: mannwhitneyu wilcoxon ranksums utest mwu
mean: average avg
atari: atari_human human human_normalized hns
"""
"""A value, a colon, and what it is called elsewhere."""


def value_here(value: str, values: Collection[str]) -> str | None:
    """Return which of these values means what another does elsewhere."""
    lines = [line.split(": ") for line in VALUES.strip().splitlines()]
    return next((meant for meant, others in lines if meant in values and value in others.split()), None)


AREAS = frozenset({"auc", "area", "aulc", "area_under_curve"})


def area_hint(name: object) -> str:
    """Return how the mean of learning curves is asked for where it was taken for a column or a measure; "" for other names."""
    if not isinstance(name, str) or name.casefold() not in AREAS:
        return ""
    area = choice("ro.load(data).auc()", "ro.load(data).auc() in Python")
    return (
        f" Of learning curves {option('last', '100%')} takes the mean of all evaluations, however far apart, and {area} the area under each "
        "curve divided by its steps: another number, in which an evaluation counts by the steps around it."
    )


NO_SINGLE_RUNS = (
    "algorithms and tasks are chosen here, and single runs never: which of them count is decided before they are seen. Take the rows out of "
    "the data, and say so"
)
"""Why some of the runs are chosen nowhere."""
