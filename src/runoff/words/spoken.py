"""What tests, metrics and corrections are called in sentences; the registries take their names from here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

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
        "boschloo": "Boschloo's test",
        "mack_skillings": "the Mack-Skillings test",
        "skillings_mack": "the Skillings-Mack test",
        "friedman": "the Friedman test",
        "iman_davenport": "the Iman-Davenport test",
        "van_elteren": "van Elteren's test",
        "stratified_permutation": "the stratified permutation test",
    }
)
"""Inside a sentence, with its article."""

METRICS: Mapping[str, str] = MappingProxyType(
    {"iqm": "IQM", "mean": "Mean", "median": "Median", "optimality_gap": "Optimality gap"}
)
"""Above columns and panels."""

CORRECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "bonferroni": "Bonferroni",
        "holm": "Holm",
        "hochberg": "Hochberg",
        "hommel": "Hommel",
        "bh": "Benjamini-Hochberg",
        "by": "Benjamini-Yekutieli",
        "none": "no",
        "max_t": "max-T",
    }
)
"""Before the word "correction"."""

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
"""Above panels of effect sizes."""

METHODS: Mapping[str, str] = MappingProxyType(
    {"exact": "exact", "asymptotic": "asymptotic", "monte_carlo": "Monte Carlo"}
)
"""How a p-value was found."""


def metric_title(name: str) -> str:
    """Return what stands above a column of a metric; a name that is no metric, as words.

    >>> metric_title("iqm"), metric_title("trimmed_mean_10"), metric_title("dispersion_across_time")
    ('IQM', 'Trimmed mean (10\\xa0%)', 'Dispersion across time')
    """
    trimmed = re.fullmatch(r"trimmed_mean_(\d{1,2})", name)
    if trimmed:
        return f"Trimmed mean ({int(trimmed[1])}\u00a0%)"
    return METRICS.get(name) or capital(name.replace("_", " "))


def metric_words(name: str) -> str:
    """Return a metric inside a sentence.

    >>> metric_words("iqm"), metric_words("optimality_gap")
    ('IQM', 'optimality gap')
    """
    title = metric_title(name)
    return title if title.isupper() else decapital(title)


def decapital(text: str) -> str:
    """Return a title inside a sentence; a name of a person keeps its capital.

    >>> decapital("Difference of IQMs"), decapital("Hedges' g")
    ('difference of IQMs', "Hedges' g")
    """
    return text if "'" in text.split()[0] else text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """Return a text that begins a sentence."""
    return text[:1].upper() + text[1:]
