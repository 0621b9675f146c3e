"""What a type checker says of misspelt options: `make check` runs mypy on this file, where an ignore that is not needed is an error."""

from __future__ import annotations

import runoff as ro
from runoff import lab


def misspelt(scores: ro.Scores) -> None:
    """Never called."""
    ro.compare(scores, test="welchh")  # type: ignore[arg-type]
    ro.compare(scores, correction="holmes")  # type: ignore[arg-type]
    ro.compare(scores, pairs="some")  # type: ignore[arg-type]
    ro.aggregate(scores, interval="bcaa")  # type: ignore[arg-type]
    ro.aggregate(scores, over="task")  # type: ignore[arg-type]
    lab.coverage(scores, interval=["bcaa"])  # type: ignore[list-item]
    ro.plots.effect_sizes(ro.effect_sizes(scores), effect_size="hedges")  # type: ignore[arg-type]
    ro.plots.inferential_intervals(ro.inferential_intervals(scores), widht=3.0)  # type: ignore[call-arg]
    ro.rank_test(scores, test="friedmann")  # type: ignore[arg-type]
    ro.rank_test(scores, method="exakt")  # type: ignore[arg-type]
    ro.two_sample_test([1.0], [2.0], test="ttest")  # type: ignore[arg-type]
    ro.two_sample_test([1.0], [2.0], alternative="bigger")  # type: ignore[arg-type]
    ro.inferential_intervals(scores, formula="modern")  # type: ignore[arg-type]
    ro.effect_sizes(scores, effect_size=["cohens_d"])  # type: ignore[list-item]
    ro.power(effect=1.0, std=1.0, n_runs=5, test="mann_whitney")  # type: ignore[arg-type]
    ro.runs_needed(effect=1.0, std=1.0, formula="colas")  # type: ignore[call-overload]
    ro.runs_needed(effect=1.0, std=1.0, effect_unit="sigma")  # type: ignore[call-overload]
    ro.SequentialDesign(looks=(5, 10), spending="haybittle")  # type: ignore[arg-type]
    ro.read_scores("runs.csv", format="exel")  # type: ignore[arg-type]


def right(scores: ro.Scores) -> None:
    """Never called."""
    ro.compare(scores, test="welch", correction="hommel", pairs=[("A", "B")])
    ro.aggregate(scores, interval="bca", over="runs", measure=["iqm", "trimmed_mean_12"])
    ro.rank_test(scores, test="friedman", method="exact")
    ro.effect_sizes(scores, effect_size=["difference", "hedges_g"])
    ro.runs_needed(effect=[1.0, 2.0], std=(1.0, 2.0), formula="exact", cost_per_run=(1, 5))
    ro.sequential(scores, design=ro.SequentialDesign(looks=(5, 10), spending="obrien_fleming"))
    ro.read_scores("runs.csv", format="csv")
