"""Rows and columns that are neither algorithms nor tasks: sums of the others, comparisons of them, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.words.speech import option
from runoff.words.words import vocabulary, words

SUMS = vocabulary(
    "average avg mean overall total sum median iqm aggregate geomean rank wins normalized normalised norm hns"
)
OF_SUMS = vocabulary(
    "score scores human over all tasks games return returns performance optimality gap the of per environments settings"
)
COMPARED = vocabulary(
    "improvement improvements gain gains delta δ ∆ diff difference uplift speedup pvalue significance significant"
)
OF_COMPARED = vocabulary(
    "p value relative rel abs absolute over vs best baseline ours score scores mean average avg in percent of the and"
)
COSTS = vocabulary(
    "time times runtime walltime wallclock wall hours hour hrs minutes seconds mem ram vram params param parameters flops gflops macs fps sps "
    "throughput latency energy steps timesteps frames samples episodes epochs step"
)
OF_COSTS = vocabulary(
    "memory usage gpu cpu gb mb kb h hr min mins sec secs s ms m k million total train training inference clock number num no of per env "
    "environment frame the in taken run seed each day days peak model"
)
UNITS = vocabulary("gb mb kb usage gpu cpu peak")


def is_sum(name: str) -> bool:
    """Return whether a row or column of this name sums up the others: Average, Mean HNS, Norm. score.

    >>> is_sum("Average"), is_sum("Norm. score"), is_sum("Hopper")
    (True, True, False)
    """
    return _speaks_of(name, SUMS, OF_SUMS)


def is_compared(name: str) -> bool:
    """Return whether a row or column of this name compares the others: Improvement, Δ, p-value.

    >>> is_compared("Improvement (%)"), is_compared("Δ"), is_compared("p-value"), is_compared("p"), is_compared("PPO")
    (True, True, True, True, False)
    """
    parts = set(words(name))
    return (
        _speaks_of(name, COMPARED, OF_COMPARED)
        or "Δ" in name
        or "∆" in name
        or ("p" in parts and parts <= {"p", "value", "values", "val"})
    )


def is_cost(name: str) -> bool:
    """Return whether a row or column of this name holds time, steps, memory, speed or size.

    >>> is_cost("Time (h)"), is_cost("#params"), is_cost("GPU memory"), is_cost("Memory"), is_cost("Time Pilot")
    (True, True, True, False, False)
    """
    parts = set(words(name))
    return _speaks_of(name, COSTS, OF_COSTS) or (
        "memory" in parts and bool(parts & UNITS) and OF_COSTS.issuperset(parts)
    )


def _speaks_of(name: str, core: frozenset[str], beside: frozenset[str]) -> bool:
    parts = [word for word in words(name) if not word.isdigit()]
    return bool(core.intersection(parts)) and (core | beside).issuperset(parts)


def without_derived(
    algorithms: Iterable[str], tasks: Iterable[str], directed: Sequence[str]
) -> tuple[set[str], list[str]]:
    """Return the names that are left out, and notes that say why; `directed` are the tasks of which a direction is told.

    Tasks that are all sums, or all costs, are kept.
    """
    algorithms, tasks = list(dict.fromkeys(algorithms)), list(dict.fromkeys(tasks))
    both = [*algorithms, *tasks]
    compared = [name for name in both if is_compared(name)]
    sums, costs = ([name for name in both if of(name) and name not in compared] for of in (is_sum, is_cost))
    costs = [name for name in costs if name in algorithms or name not in directed]
    if not set(tasks).difference(compared, sums, costs):
        kept = {name for name in (sums if set(sums).intersection(tasks) else costs) if name in tasks}
        sums, costs = ([name for name in names if name not in kept] for names in (sums, costs))
    notes = []
    if sums:
        notes.append(f"Left out, since {_they(sums, 'sums', 'sum')} up the others: {', '.join(sums)}.")
    if compared:
        notes.append(f"Left out, since {_they(compared, 'compares', 'compare')} the others: {', '.join(compared)}.")
    if costs:
        notes.append(
            f"Left out, since {_they(costs, 'is', 'are')} no score, and no arrow says which direction is better: {', '.join(costs)}; "
            f"{option('lower')} names those where lower is better."
        )
    return {*sums, *compared, *costs}, notes


def _they(names: Sequence[str], singular: str, several: str) -> str:
    return f"it {singular}" if len(names) == 1 else f"they {several}"
