"""The tests of `two_sample_test`; with several tasks, all runs of an algorithm are pooled, as Casesa (2024) appendix B.2 does."""

from __future__ import annotations

from math import comb
from typing import Any

from runoff._arrays import Bools, Floats
from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import Decide, method

LABELS = {
    "student": "t-test",
    "welch": "Welch",
    "yuen": "Yuen",
    "mann_whitney": "Mann-Whitney",
    "ranked_t": "ranked t-test",
    "brunner_munzel": "Brunner-Munzel",
    "permutation": "permutation",
    "studentized_permutation": "studentized permutation",
    "bootstrap": "bootstrap (studentized)",
    "kolmogorov_smirnov": "Kolmogorov-Smirnov",
}
MEDIAN_TESTS = ("mann_whitney", "ranked_t", "brunner_munzel")
"""Colas (2019) section 4.1 centres the worlds of rank tests on the median."""


def pvalues(batch: Batch, name: str, **options: Any) -> Floats:
    """Return the p-values (n_batch,) of a two-sample test of the last algorithm against the first, tasks pooled."""
    outcome = run_two_sample(
        name,
        batch.pooled(1),
        batch.pooled(0),
        streams=batch.streams,
        key=batch.stream_key(f"{name} {sorted(options.items())}"),
        n_resamples=batch.n_resamples,
        threads=1,
        **options,
    )
    return outcome.pvalue


def affordable(name: str, n: int, n_resamples: int) -> str:
    """Return the method that costs no more than the resamples asked for: enumeration for few relabelings, else drawing."""
    if "monte_carlo" not in TWO_SAMPLE[name].methods or name == "bootstrap":
        return "auto"
    n_relabelings = comb(2 * n, n)
    if name == "brunner_munzel" and n_relabelings > 200_000:
        return "asymptotic"
    return "exact" if n_relabelings <= n_resamples else "monte_carlo"


def decision(name: str, **options: Any) -> Decide:
    """Return the decision p ≤ α of a test."""

    def decide(batch: Batch) -> Bools:
        chosen = {"method": affordable(name, batch.pooled(0).shape[1], batch.n_resamples)} | options
        return pvalues(batch, name, **chosen) <= batch.alpha

    return decide


for _name in TWO_SAMPLE:
    method(
        _name,
        label=LABELS.get(_name, _name),
        target="median" if _name in MEDIAN_TESTS else "mean",
        signed=_name != "kolmogorov_smirnov",
    )(decision(_name))

method("bootstrap_basic", label="bootstrap (basic)")(decision("bootstrap", interval="basic"))
method("bootstrap_percentile", label="bootstrap (percentile)")(decision("bootstrap", interval="percentile"))
method("mann_whitney_normal", label="Mann-Whitney (normal)", target="median")(
    decision("mann_whitney", method="asymptotic")
)
method("welch_one_sided", label="Welch, one-sided")(decision("welch", alternative="greater"))
