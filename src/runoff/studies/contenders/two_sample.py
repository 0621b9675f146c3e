"""The tests of `two_sample_test`; with several tasks, all runs of an algorithm are pooled, as Casesa (2024) appendix B.2 does."""

from __future__ import annotations

from math import comb
from typing import Any

from runoff._inference.two_sample import TWO_SAMPLE, run_two_sample
from runoff.base.arrays import Bools, Floats
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import Decide, contender


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
    """Return the method that costs no more than the resamples asked for: enumeration for few relabellings, else drawing."""
    if "monte_carlo" not in TWO_SAMPLE[name].methods or name == "bootstrap":
        return "auto"
    n_relabellings = comb(2 * n, n)
    if name == "brunner_munzel" and n_relabellings > 200_000:
        return "asymptotic"
    return "exact" if n_relabellings <= n_resamples else "monte_carlo"


def decision(name: str, **options: Any) -> Decide:
    """Return the decision p ≤ α of a test."""

    def decide(batch: Batch) -> Bools:
        chosen = {"method": affordable(name, batch.pooled(0).shape[1], batch.n_resamples)} | options
        return pvalues(batch, name, **chosen) <= batch.alpha

    return decide


for _name, _test in TWO_SAMPLE.items():
    contender(_name, label=_test.about.label, target=_test.about.target, signed=_test.about.claim is not None)(
        decision(_name)
    )

contender("bootstrap_basic", label="bootstrap (basic)")(decision("bootstrap", interval="basic"))
contender("bootstrap_percentile", label="bootstrap (percentile)")(decision("bootstrap", interval="percentile"))
contender("mann_whitney_normal", label="Mann-Whitney (normal)", target="median")(
    decision("mann_whitney", method="asymptotic")
)
contender("welch_one_sided", label="Welch, one-sided")(decision("welch", alternative="greater"))
