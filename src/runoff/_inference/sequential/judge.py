"""What is decided at each look, in the order of the looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

import numpy as np

from runoff._inference.sequential.closed import Closed, Pair
from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.futility import conditional_power, standard_error
from runoff._inference.sequential.paths import Cells
from runoff.base.arrays import Floats
from runoff.results.sequential import Decision, Reason

GO_ON: Literal["go_on"] = "go_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A pair at a look: a and b by position, the first higher where statistic and difference are positive.

    critical: what |statistic| alone has to exceed, inf where no scores are enough. decision: final, or "go_on". reason: of "inconclusive".
    """

    pair: Pair
    look: int
    statistic: float
    critical: float
    difference: float
    error: float
    conditional_power: float | None
    decision: Decision = GO_ON
    reason: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One look: the pairs that were open at it, and the algorithms that run until the next (none: the experiment has ended)."""

    findings: tuple[Finding, ...]
    needed: tuple[int, ...]


def judge(design: SequentialDesign, looks: Sequence[Cells], n_algorithms: int, n_tasks: int) -> tuple[Judged, ...]:
    """Return what is decided at each look on the runs so far; looks: the scores of the runs that came with each, by (algorithm, task)."""
    closed = Closed(design, looks, n_algorithms, n_tasks)
    open_pairs, judged, n_runs = list(closed.pairs), [], 0
    for j, cells in enumerate(looks):
        n_runs += sum(cell.size for cell in cells.values())
        findings = [_finding(design, closed, looks, pair, j) for pair in open_pairs]
        going = {finding.pair for finding in findings if finding.decision == GO_ON}
        needed = tuple(sorted({*closed.needed(going, j), *(a for pair in going for a in pair)})) if going else ()
        ended = _ended(design, j, n_runs, len(needed) * n_tasks)
        if ended is not None:
            findings = [
                replace(finding, decision="inconclusive", reason=ended) if finding.decision == GO_ON else finding
                for finding in findings
            ]
            going, needed = set(), ()
        open_pairs = [pair for pair in open_pairs if pair in going]
        judged.append(Judged(findings=tuple(findings), needed=needed))
    return tuple(judged)


def _ended(design: SequentialDesign, look: int, n_runs: int, cells: int) -> Reason | None:
    """Return why nothing can go on after a look, or None."""
    if look + 1 == design.n_looks:
        return "last_look"
    more = cells * (design.looks[look + 1] - design.looks[look])
    if design.budget is not None and design.cost(n_runs + more) > design.budget:
        return "budget"
    return None


def _finding(design: SequentialDesign, closed: Closed, looks: Sequence[Cells], pair: Pair, look: int) -> Finding:
    first, second = ([_cell(looks, a, t, look) for t in range(closed.n_tasks)] for a in pair)
    difference = float(np.mean([x.mean() - y.mean() for x, y in zip(first, second, strict=True)]))
    error = standard_error(first, second)
    finding = Finding(
        pair=pair,
        look=look,
        statistic=float(closed.observed(pair)[look]),
        critical=closed.critical(pair, look),
        difference=difference,
        error=error,
        conditional_power=conditional_power(design, look, difference, error),
    )
    alike = closed.alike(pair, design.margin) if design.margin is not None else None
    # What earlier looks showed is claimed only as far as the runs of all looks still show it.
    if alike is not None and alike <= look and design.margin is not None and abs(difference) < design.margin:
        return replace(finding, decision="equivalent")
    if closed.differ(pair, look) and closed.direction(pair) == np.sign(finding.statistic):
        return replace(finding, decision="a_better" if finding.statistic > 0 else "b_better")
    if finding.conditional_power is not None and finding.conditional_power < design.futility:
        return replace(finding, decision="inconclusive", reason="futility")
    return finding


def _cell(looks: Sequence[Cells], a: int, t: int, look: int) -> Floats:
    return np.concatenate([cells[a, t] for cells in looks[: look + 1]])


def finite_bound(critical: float) -> float | None:
    """Return a bound, or None where no scores are enough."""
    return critical if isfinite(critical) else None
