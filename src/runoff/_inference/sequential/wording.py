"""What a sequential comparison says: a pair at a look, and the whole experiment."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.judge import LookFinding
from runoff.words.numbers import counted as number_of
from runoff.words.numbers import digits, exactly, joined, p_equals, percent
from runoff.words.speech import call

FEW_WORDS = "; runs with at most two different scores on a task show no equivalence"


def pair_words(finding: LookFinding, names: tuple[str, str], design: SequentialDesign, *, counted: bool) -> str:
    """Say what was decided about a pair; counted: by its success counts."""
    a, b = names
    at = f"at look {finding.look + 1} of {design.n_looks}, with {_each(design.looks[finding.look], counted)}"
    size = _size(finding, design.alpha, counted)
    if finding.decision in ("a_better", "b_better"):
        first, second = (a, b) if finding.decision == "a_better" else (b, a)
        return (
            f"{first} has a higher {'success rate' if counted else 'mean score'} than {second}: decided {at} ({size})."
        )
    if finding.decision == "equivalent":
        return f"{a} and {b} are equivalent within a margin of {exactly(design.margin)}: decided {at} ({size})."
    few = "" if finding.varied or design.margin is None else FEW_WORDS
    p = p_equals(finding.pvalue)
    if finding.decision == "inconclusive":
        once = ""
        # The reader will ask `compare` too, and has to know why it says more.
        if finding.reason == "last_look" and finding.pvalue <= design.alpha:
            once = f"; asked once, at the end, {call('compare')} would find one (adjusted {p}), but earlier looks have spent of α"
        return f"{a} and {b}: no difference was found, {_why(finding, design)} ({size}){once}; that does not make them equal{few}."
    return f"{a} and {b}: not decided yet {at} ({size}; {_bound(finding, p, counted)}){few}."


def _bound(finding: LookFinding, p: str, counted: bool) -> str:
    # A lead in successes is a whole number; the statistic of runs without spread is infinite.
    lead = f"a lead of {exactly(abs(finding.statistic))} success{'' if abs(finding.statistic) == 1 else 'es'}"
    so_far = lead if counted else f"statistic {digits(finding.statistic)}"
    if finding.crossed:
        return f"{so_far}, beyond its bound, but {call('compare')} finds no difference in these runs, adjusted {p}"
    if finding.critical == inf:
        return (
            f"{lead}; with so many successes of both none is enough yet"
            if counted
            else "at this look there are too few permutations"
        )
    if counted:
        return f"{lead}, and {exactly(finding.critical)} would be enough"
    return f"{so_far}, which would have to exceed ±{digits(finding.critical)}"


def _each(n: int, counted: bool) -> str:
    return f"{number_of([n], 'episode')} of each" if counted else f"{n} runs per task"


def _size(finding: LookFinding, alpha: float, counted: bool) -> str:
    sign = -1 if finding.decision == "b_better" else 1
    difference = digits(sign * finding.difference)
    size = f"difference of {'success rates' if counted else 'means'} {difference}"
    size += "" if counted else f", standard error {digits(finding.error)}"
    if finding.low is None or finding.high is None:
        return size
    low, high = sorted((sign * finding.low, sign * finding.high))
    # That of a single look is the one that decided in its family, at a level of its own.
    level = f"{percent(1 - alpha)} interval" if counted else "interval"
    return f"{size}, {level} {digits(low)} to {digits(high)}"


def _why(finding: LookFinding, design: SequentialDesign) -> str:
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
    design: SequentialDesign,
    look: int,
    decisions: Sequence[tuple[str, str, str]],
    needed: Sequence[str],
    n_tasks: int,
    *,
    counted: bool,
) -> str:
    """Say what was decided by a look, and what the next takes."""
    if not look:
        who = f" of {joined(needed)}" if needed else " of each algorithm"
        return f"Nothing has been seen yet: the first look takes {number_of([design.looks[0]], 'run')} per task{who}."
    where = f"After look {look} of {design.n_looks} ({_each(design.looks[look - 1], counted)})"
    claims = [_claim(*claim) for claim in decisions if claim[2] != "go_on"]
    if not needed:
        return f"{where} the experiment has ended: {'; '.join(claims)}."
    n_open = sum(decision == "go_on" for *_, decision in decisions)
    on = "it goes on" if len(decisions) == 1 else "1 pair goes on" if n_open == 1 else f"{n_open} pairs go on"
    more = number_of([design.looks[look] - design.looks[look - 1]], "more episode" if counted else "more run")
    tasks = "the task" if n_tasks == 1 else f"each of {n_tasks} tasks"
    goes_on = f"{on}: the next look takes {more} of {joined(needed)} on {tasks}"
    return f"{where} {'; '.join([*claims, goes_on])}."


def _claim(a: str, b: str, decision: str) -> str:
    return {
        "a_better": f"{a} is better than {b}",
        "b_better": f"{b} is better than {a}",
        "equivalent": f"{a} and {b} are equivalent",
        "inconclusive": f"between {a} and {b} no difference was found",
    }[decision]
