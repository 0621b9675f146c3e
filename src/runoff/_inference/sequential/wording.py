"""What a sequential comparison says: a pair at a look, and the whole experiment."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.judge import LookFinding
from runoff.words.numbers import counted, digits, exactly, p_equals
from runoff.words.speech import call

FEW_WORDS = "; runs with at most two different scores on a task show no equivalence"


def pair_words(finding: LookFinding, names: tuple[str, str], design: SequentialDesign) -> str:
    a, b = names
    at = f"at look {finding.look + 1} of {design.n_looks}, with {design.looks[finding.look]} runs per task"
    difference = -finding.difference if finding.decision == "b_better" else finding.difference
    size = f"difference of means {digits(difference)}, standard error {digits(finding.error)}"
    if finding.decision in ("a_better", "b_better"):
        first, second = (a, b) if finding.decision == "a_better" else (b, a)
        return f"{first} has a higher mean score than {second}: decided {at} ({size})."
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
    bound = f"statistic {digits(finding.statistic)}, which would have to exceed ±{digits(finding.critical)}"
    if finding.crossed:
        bound = f"statistic {digits(finding.statistic)}, beyond its bound, but {call('compare')} finds no difference in these runs, adjusted {p}"
    elif finding.critical == inf:
        bound = "at this look no relabelling is rare enough"
    return f"{a} and {b}: not decided yet {at} ({size}; {bound}){few}."


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
