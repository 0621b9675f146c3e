"""What is decided at each look, in the order of the looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, sqrt
from typing import Literal

import numpy as np

from runoff._inference.sequential.boundaries import exits
from runoff._inference.sequential.closed import Cells, Closed, Pair
from runoff._inference.sequential.design import SequentialDesign
from runoff.base.arrays import Floats
from runoff.results.sequential import Decision, Reason
from runoff.words.numbers import counted, digits, exactly

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
    """The decisions of one look: a finding for each pair that was open, and the algorithms that run until the next look, none after the end."""

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
    first, second = (
        [np.concatenate([cells[a, t] for cells in looks[: look + 1]]) for t in range(closed.n_tasks)] for a in pair
    )
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


def finite_bound(critical: float) -> float | None:
    """Return a bound, or None where no scores are enough."""
    return critical if isfinite(critical) else None


# ── futility ──────────


def conditional_power(design: SequentialDesign, look: int, difference: float, error: float) -> float | None:
    """Return the chance that a pair is told apart by the last look if the true difference is `design.effect`, given the difference so far.

    The effect is taken in the direction that is more likely to be found; `error` is the standard error of the difference. The law is that of
    one pair of normal means of known spread, at the boundaries of the design: a family of pairs has less. None where no effect was named, no
    look is left, or the error is 0.
    """
    if design.effect is None or look + 1 >= design.n_looks or error == 0.0:
        return None
    now, left = design.information[look], design.information[look + 1 :]
    at_end = error * sqrt(now)
    so_far = (now, difference / error * sqrt(now))
    bounds = design.boundaries[look + 1 :]
    chances = []
    for effect in (design.effect, -design.effect):
        leaving = exits(bounds, [-b for b in bounds], left, drift=effect / at_end, start=so_far)
        chances.append(float((leaving.above if effect > 0 else leaving.below).sum()))
    return max(chances)


def standard_error(first: list[Floats], second: list[Floats]) -> float:
    """Return the standard error of the difference of two means over tasks; the scores of each task."""
    variances = [np.var(cell, ddof=1) / cell.size for cell in (*first, *second)]
    return float(np.sqrt(np.sum(variances))) / len(first)


# ── in sentences ──────────


def pair_words(finding: Finding, names: tuple[str, str], design: SequentialDesign) -> str:
    a, b = names
    at = f"at look {finding.look + 1} of {design.n_looks}, with {design.looks[finding.look]} runs per task"
    difference = -finding.difference if finding.decision == "b_better" else finding.difference
    size = f"difference {digits(difference)}, standard error {digits(finding.error)}"
    if finding.decision in ("a_better", "b_better"):
        first, second = (a, b) if finding.decision == "a_better" else (b, a)
        return f"{first} has a higher mean score than {second}: decided {at} ({size})."
    if finding.decision == "equivalent":
        return f"{a} and {b} are equivalent within a margin of {exactly(design.margin)}: decided {at} ({size})."
    if finding.decision == "inconclusive":
        return f"{a} and {b}: no difference was found, {_why(finding, design)} ({size}); that does not make them equal."
    bound = f"statistic {digits(finding.statistic)}, which would have to exceed ±{digits(finding.critical)}"
    if finding.critical == inf:
        bound = "at this look no scores are enough"
    return f"{a} and {b}: not decided yet {at} ({size}; {bound})."


def _why(finding: Finding, design: SequentialDesign) -> str:
    if finding.reason == "futility":
        return (
            f"and one of {exactly(design.effect)} would be found by the last look with a chance of "
            f"{digits(100 * (finding.conditional_power or 0), 2)} % only, "
            f"so the pair stops at look {finding.look + 1}"
        )
    if finding.reason == "budget":
        return f"and the budget of {exactly(design.budget)} does not pay for look {finding.look + 2}"
    return f"and look {finding.look + 1} was the last"


def answer_words(
    design: SequentialDesign, look: int, decisions: Sequence[tuple[str, str, str]], needed: Sequence[str], n_tasks: int
) -> str:
    if not look:
        who = f" of {', '.join(needed)}" if needed else " of each algorithm"
        return f"Nothing has been seen yet: the first look takes {counted([design.looks[0]], 'run')} per task{who}."
    where = f"After look {look} of {design.n_looks} ({design.looks[look - 1]} runs per task)"
    claims = [_claim(*claim) for claim in decisions if claim[2] != "go_on"]
    if not needed:
        return f"{where} the experiment has ended: {'; '.join(claims)}."
    n_open = sum(decision == "go_on" for *_, decision in decisions)
    on = "it goes on" if len(decisions) == 1 else "1 pair goes on" if n_open == 1 else f"{n_open} pairs go on"
    more = counted([design.looks[look] - design.looks[look - 1]], "more run")
    tasks = "the task" if n_tasks == 1 else f"each of {n_tasks} tasks"
    goes_on = f"{on}: the next look takes {more} of {', '.join(needed)} on {tasks}"
    return f"{where} {'; '.join([*claims, goes_on])}."


def _claim(a: str, b: str, decision: str) -> str:
    return {
        "a_better": f"{a} is better than {b}",
        "b_better": f"{b} is better than {a}",
        "equivalent": f"{a} and {b} are equivalent",
        "inconclusive": f"between {a} and {b} no difference was found",
    }[decision]
