"""Rules about learning curves (R404, R405)."""

from __future__ import annotations

from runoff._inference.advice.codes import advise
from runoff.answer.base import Advice
from runoff.words.speech import RUN


def risks_described(least: int) -> Advice:
    """R404: risks of training rest on falls that the runs at hand need not show."""
    # 5 % of 20 runs is one.
    few = f"the worst {RUN}" if least <= 20 else "few"
    worst = f", and the worst 5 % of {least} {RUN}s are {few}" if least > 1 else ""
    text = (
        f"read the three risks as descriptions of these {RUN}s: they rest on rare falls, which other {RUN}s may show and these not, so no "
        f"interval holds (those by t, measured on real curves: 48 to 96 %){worst}."
    )
    return advise("R404", text)


def one_task_curves(n_tasks: int, n_runs: int, band: str) -> Advice | None:
    """R405: on one task, few runs need not show what other runs would do, and nothing in these runs indicates whether they do."""
    if n_tasks > 1 or not 1 < n_runs <= MEASURED_RUNS:
        return None
    share = "79 to 92" if band == "pointwise" else "88 to 96"
    text = (
        f"add tasks or {RUN}s, or read the {band} intervals as too narrow: on one task, those of 95 % held {share} % of real curves of 5 to "
        f"{MEASURED_RUNS} {RUN}s, because rare {RUN}s that fail or succeed are often not among few."
    )
    return advise("R405", text)


MEASURED_RUNS = 20
"""Runs of one task up to which intervals of real curves were measured."""
