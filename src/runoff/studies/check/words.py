"""What is said of tests and intervals on one's own runs: about one number of runs, the worst algorithm deciding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from scipy import special

from runoff._inference.bootstrap import AUTO as AUTO_INTERVAL
from runoff._inference.bootstrap import INTERVALS, parse_metric
from runoff.results.check import CoverageRecord, FalsePositiveRecord
from runoff.studies.check.runs import FEW
from runoff.studies.check.tests import AUTO, label_of
from runoff.words.numbers import counted, percent

USUAL = 5
"""The number of runs that is spoken of, if it is among those tried."""
CHANCE = 0.01
"""Of calling any test or interval too liberal that is not."""
FIELD_STANDARD = "percentile"


def usual(sizes: Iterable[int]) -> int:
    """Return the number of runs to speak of: 5, else the largest below, else the smallest."""
    tried = sorted(set(sizes))
    return max((n for n in tried if n <= USUAL), default=tried[0])


def beyond_chance(level: float, n_repeats: int, n_looks: int) -> float:
    """Return how far a rate may lie from its level by chance, in one direction, in so many looks."""
    return float(-special.ndtri(CHANCE / n_looks)) * sqrt(level * (1.0 - level) / n_repeats)


def per_cent(rates: Sequence[float]) -> str:
    """Return "4.8 %", or "3.9 to 5.2 %"."""
    low, high = (f"{100 * rate:.1f}" for rate in (min(rates), max(rates)))
    return f"{low}\u00a0%" if low == high else f"{low} to {high}\u00a0%"


def too_few(records: Sequence[FalsePositiveRecord | CoverageRecord]) -> str:
    """Return the sentence of runs that are too few to judge by."""
    most = max(record.n_all for record in records)
    sizes = sorted({record.n_runs for record in records})
    return (
        f"These runs are too few to judge by: {counted([most], 'run')} of an algorithm at most, where {FEW} are the least and 20 are better; "
        f"groups of {' or '.join(map(str, sizes)) if len(sizes) < 3 else f'{sizes[0]} to {sizes[-1]}'} runs can be drawn, and are in the table."
    )


# ── tests ──────────


def about_rates(records: Sequence[FalsePositiveRecord], alpha: float) -> str:
    """Return what the tests do, and which to use."""
    judged = [record for record in records if record.n_all >= FEW]
    if not judged:
        return too_few(records)
    n = usual(record.n_runs for record in judged)
    here = [record for record in judged if record.n_runs == n]
    rates = {name: [r.rate for r in here if r.test == name] for name in dict.fromkeys(r.test for r in here)}
    liberal = [name for name in rates if _liberal([r for r in here if r.test == name], alpha, len(here))]
    spoken = AUTO if AUTO in rates else next(iter(rates))
    said = [
        f"With {n} runs, {_called(spoken, here)} finds a difference that is not there in {per_cent(rates[spoken])} of the splits{_of(here)}, "
        f"at \u03b1 = {percent(alpha)}."
    ]
    others = [name for name in liberal if name != spoken]
    if others:
        listed = ", ".join(f"{label_of(name)} ({per_cent(rates[name])})" for name in others)
        said.append(f"Too often do: {listed}.")
    return " ".join([*said, _test_to_use(spoken, liberal, rates, here)])


def _liberal(records: Sequence[FalsePositiveRecord], alpha: float, n_looks: int) -> bool:
    return any(r.rate > alpha + beyond_chance(alpha, r.n_repeats, n_looks) for r in records)


def _called(name: str, here: Sequence[FalsePositiveRecord]) -> str:
    if name != AUTO:
        return label_of(name)
    taken = dict.fromkeys(label_of(record.taken) for record in here if record.test == name)
    return f"the test that compare takes ({' or '.join(taken)})"


def _of(records: Sequence[FalsePositiveRecord | CoverageRecord]) -> str:
    n = len({record.algorithm for record in records})
    return "" if n == 1 else f" of {n} algorithms"


def _test_to_use(
    spoken: str, liberal: Sequence[str], rates: dict[str, list[float]], here: Sequence[FalsePositiveRecord]
) -> str:
    sound = [name for name in rates if name not in liberal and max(rates[name]) > 0.0]
    if spoken not in liberal and max(rates[spoken]) > 0.0:
        return f"Use {_called(spoken, here)}."
    if not sound:
        return "None of the tests tried both keeps its level and can reject: train more runs."
    best = max(sound, key=lambda name: min(rates[name]))
    why = "rejected in no group" if spoken not in liberal else "rejects too often"
    return f"It {why}: use {label_of(best)} ({per_cent(rates[best])})."


# ── intervals ──────────


def about_coverage(records: Sequence[CoverageRecord], level: float) -> str:
    """Return what the intervals of each metric cover, and which to use."""
    judged = [record for record in records if record.n_all >= FEW]
    if not judged:
        return too_few(records)
    n = usual(record.n_runs for record in judged)
    here = [record for record in judged if record.n_runs == n]
    metrics = dict.fromkeys(record.metric for record in here)
    return " ".join(_of_metric([r for r in here if r.metric == metric], level, n, len(here)) for metric in metrics)


def _of_metric(here: Sequence[CoverageRecord], level: float, n: int, n_looks: int) -> str:
    by_name = {name: [r for r in here if r.interval == name] for name in dict.fromkeys(r.interval for r in here)}
    covered = {name: [r.coverage for r in found] for name, found in by_name.items()}
    short = [name for name, found in by_name.items() if _short(found, level, n_looks)]
    spoken = FIELD_STANDARD if FIELD_STANDARD in covered else next(iter(covered))
    cited = parse_metric(here[0].metric).cited
    promise = f", not {percent(level)}" if spoken in short else f" ({percent(level)} promised)"
    head = f"With {n} runs your {INTERVALS[spoken].label} intervals for {cited} cover {per_cent(covered[spoken])}{_over(here)}{promise}"
    sound = [name for name in covered if name not in short]
    if not sound:
        best = max(covered, key=lambda name: min(covered[name]))
        nearest = "no other comes nearer" if best == spoken else f"{_named(best, covered)} comes nearest"
        return f"{head}; no interval that was tried reaches its level, {nearest}."
    best = AUTO_INTERVAL if AUTO_INTERVAL in sound else min(sound, key=lambda name: _width(by_name[name]))
    if spoken in sound:
        return f"{head}; use them" + ("." if best == spoken else f", or {_named(best, covered)}.")
    return f"{head}; use {_named(best, covered)}."


def _named(name: str, covered: dict[str, list[float]]) -> str:
    return f"{INTERVALS[name].label} ({per_cent(covered[name])})"


def _over(here: Sequence[CoverageRecord]) -> str:
    n = len({record.algorithm for record in here})
    return "" if n == 1 else f" over {n} algorithms"


def _short(records: Sequence[CoverageRecord], level: float, n_looks: int) -> bool:
    return any(r.coverage < level - beyond_chance(level, r.n_repeats, n_looks) for r in records)


def _width(records: Sequence[CoverageRecord]) -> float:
    return max(record.mean_width or 0.0 for record in records)
