"""Print the tables of docs/guides/comparing-learning-curves.md: error rates of corrections over steps, coverage of bands, simulated.

`python docs/make_curves.py`, some minutes. Curves are AR(1) over 20 steps: neighbouring evaluations of a run are correlated by `rho`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from math import sqrt

import numpy as np

from runoff._inference.bootstrap import AlongSteps, along_steps, parse_metric
from runoff._inference.pairs import PairData
from runoff._inference.steps import STEP_CORRECTIONS, StepTests, differences, relabelled_together
from runoff.base.arrays import Floats
from runoff.base.random import streams

N_STEPS, ALPHA = 20, 0.05
CORRECTIONS = ("none", "max_t", "holm", "bh", "colas2019")


@dataclass(frozen=True, kw_only=True)
class Case:
    """Two algorithms with equal means: runs of each, correlation of neighbouring steps, noise, and how much more b varies."""

    words: str
    n_a: int = 10
    n_b: int = 10
    rho: float = 0.9
    skewed: bool = False
    spread: float = 1.0


CASES = (
    Case(words="normal", n_a=5, n_b=5),
    Case(words="normal"),
    Case(words="normal, nearly constant along training", rho=0.99),
    Case(words="normal, hardly correlated", n_a=5, n_b=5, rho=0.5),
    Case(words="exponential", skewed=True),
    Case(words="one varies twice as much", spread=2.0),
    Case(words="the one with more runs varies twice as much", n_a=5, spread=2.0),
    Case(words="the one with fewer runs varies twice as much", n_b=5, spread=2.0),
)


def curves(rng: np.random.Generator, n: int, rho: float, skewed: bool) -> Floats:
    """Return runs (n, N_STEPS) with mean 0 and variance 1 at every step."""
    noise = rng.exponential(size=(n, N_STEPS)) - 1 if skewed else rng.normal(size=(n, N_STEPS))
    walks = noise.copy()
    for s in range(1, N_STEPS):
        walks[:, s] = rho * walks[:, s - 1] + sqrt(1 - rho**2) * noise[:, s]
    return walks


def wrong_claims(case: Case, n_repeats: int, n_resamples: int = 1000, seed: int = 0) -> dict[str, float]:
    """Return how often some step of two algorithms with equal means is rejected, by correction (Welch's t at every step)."""
    rng, wrong = np.random.default_rng(seed), dict.fromkeys(CORRECTIONS, 0)
    for repeat in range(n_repeats):
        x = curves(rng, case.n_a, case.rho, case.skewed)
        y = case.spread * curves(rng, case.n_b, case.rho, case.skewed)
        records = differences([PairData(a="a", b="b", x=[x[:, s]], y=[y[:, s]], tasks=["t"]) for s in range(N_STEPS)])
        (drawn,) = relabelled_together(
            [([x], [y])], by_step=True, streams=streams(repeat), n_resamples=n_resamples, threads=1
        )
        tested = [StepTests(differences=records, pvalues=records.pvalues, relabelled=drawn)]
        for name in CORRECTIONS:
            wrong[name] += int(STEP_CORRECTIONS[name](tested, 0.5)[0].min() <= ALPHA)
    return {name: count / n_repeats for name, count in wrong.items()}


def coverage(
    n_runs: int, n_tasks: int, metric: str, interval: str, n_repeats: int, *, skewed: bool = False, seed: int = 0
) -> tuple[float, float]:
    """Return how often an interval holds the truth, at a step (mean over steps) and at all steps at once by the simultaneous band."""
    rng, wanted = np.random.default_rng(seed), parse_metric(metric)
    truth = np.zeros(N_STEPS) if not skewed or metric == "mean" else _iqm_of_many(skewed)
    at_a_step, at_all = 0.0, 0
    for repeat in range(n_repeats):
        cells = [curves(rng, n_runs, 0.9, skewed) for _ in range(n_tasks)]
        for band in ("pointwise", "simultaneous"):
            bands = AlongSteps(
                metric=wanted,
                interval=interval,
                band=band,
                confidence_level=1 - ALPHA,
                n_resamples=1000,
                streams=streams(repeat),
                threads=1,
            )
            ends = np.array(along_steps(cells, bands).ends, np.float64)
            covered = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
            at_a_step, at_all = (
                (at_a_step + covered.mean(), at_all) if band == "pointwise" else (at_a_step, at_all + covered.all())
            )
    return at_a_step / n_repeats, at_all / n_repeats


def _iqm_of_many(skewed: bool) -> Floats:
    """Return the IQM of the distribution at every step, from a million runs."""
    ranked = np.sort(curves(np.random.default_rng(1), 1_000_000, 0.9, skewed), axis=0)
    return ranked[250_000:750_000].mean(axis=0)


def rows_of_claims(n_repeats: int) -> Iterator[str]:
    """Yield the table of wrong claims."""
    yield "| runs | curves | none | `max_t` | `holm` | `bh` | `colas2019` |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for case in CASES:
        rates = wrong_claims(case, n_repeats)
        yield f"| {case.n_a} + {case.n_b} | {case.words} | {' | '.join(f'{100 * rates[name]:.1f}' for name in CORRECTIONS)} |"


def rows_of_coverage(n_repeats: int) -> Iterator[str]:
    """Yield the table of coverage."""
    yield "| runs | tasks | noise | metric | interval | at a step | all steps |"
    yield "| ---: | ---: | --- | --- | --- | ---: | ---: |"
    for n_runs, n_tasks in ((3, 6), (5, 1), (5, 6), (10, 1), (10, 6)):
        for metric, interval, skewed in (
            ("mean", "t", False),
            ("iqm", "t", False),
            ("iqm", "t", True),
            ("iqm", "percentile", False),
        ):
            point, band = coverage(n_runs, n_tasks, metric, interval, n_repeats, skewed=skewed)
            noise = "exponential" if skewed else "normal"
            yield f"| {n_runs} | {n_tasks} | {noise} | {metric} | {interval} | {100 * point:.1f} | {100 * band:.1f} |"


if __name__ == "__main__":
    for line in chain(rows_of_claims(2000), [""], rows_of_coverage(500)):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
