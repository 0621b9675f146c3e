"""Sequential decisions in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from runoff._inference.sequential.design import SequentialDesign
from runoff._inference.sequential.judge import Finding
from runoff.words.numbers import counted, digits, exactly


def pair_words(found: Finding, names: tuple[str, str], design: SequentialDesign) -> str:
    """Return what is decided about a pair, in a sentence."""
    a, b = names
    at = f"at look {found.look + 1} of {design.n_looks}, with {design.looks[found.look]} runs per task"
    difference = -found.difference if found.decision == "b_better" else found.difference
    size = f"difference {digits(difference)}, standard error {digits(found.error)}"
    if found.decision in ("a_better", "b_better"):
        first, second = (a, b) if found.decision == "a_better" else (b, a)
        return f"{first} has a higher mean score than {second}: decided {at} ({size})."
    if found.decision == "equivalent":
        return f"{a} and {b} are equivalent within a margin of {exactly(design.margin)}: decided {at} ({size})."
    if found.decision == "inconclusive":
        return f"{a} and {b}: no difference was found, {_why(found, design)} ({size}); that does not make them equal."
    return f"{a} and {b}: not decided yet {at} ({size}; {_bound(found)})."


def _bound(found: Finding) -> str:
    if found.critical == float("inf"):
        return "at this look no scores are enough"
    return f"statistic {digits(found.statistic)}, which would have to exceed ±{digits(found.critical)}"


def _why(found: Finding, design: SequentialDesign) -> str:
    if found.reason == "futility":
        return (
            f"and one of {exactly(design.effect)} would be found by the last look with a chance of "
            f"{digits(100 * (found.conditional_power or 0), 2)} % only, "
            f"so the pair stops at look {found.look + 1}"
        )
    if found.reason == "budget":
        return f"and the budget of {exactly(design.budget)} does not pay for look {found.look + 2}"
    return f"and look {found.look + 1} was the last"


def answer_words(
    design: SequentialDesign,
    look: int,
    decisions: Sequence[tuple[str, str, str]],
    needed: Sequence[str],
    n_tasks: int,
) -> str:
    """Return the outcome so far, in a sentence."""
    if not look:
        who = f" of {', '.join(needed)}" if needed else " of each algorithm"
        return f"Nothing has been seen yet: the first look takes {counted([design.looks[0]], 'run')} per task{who}."
    where = f"After look {look} of {design.n_looks} ({design.looks[look - 1]} runs per task)"
    claims = [_claim(*one) for one in decisions if one[2] != "go_on"]
    if not needed:
        return f"{where} the experiment has ended: {'; '.join(claims)}."
    n_open = sum(told == "go_on" for *_, told in decisions)
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
