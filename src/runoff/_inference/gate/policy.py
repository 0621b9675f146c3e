"""A release decision: each benchmark by its rule and by itself at the whole level, and all of them for a pass.

A pass says that all rules hold, and its null is that at least one does not: an intersection–union test (Berger 1982). Whichever rule is broken,
its own test lets it through with a chance of at most alpha, and a pass takes that test too; so a false pass has a chance of at most alpha
whatever the others show, and no correction is needed. It takes one to say which single rules hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from runoff._inference.gate.calls import call_alone, drop_words, end_words, needed_words, numbers_words
from runoff._inference.gate.laws import calls_by_law
from runoff._inference.gate.margins import margins_of
from runoff._inference.gate.reach import ROUNDING
from runoff._inference.gate.unit import Terms, UnitCall
from runoff._inference.pairs import PairData
from runoff.data.policy import Policy, Rule
from runoff.errors import OptionError, RunoffError
from runoff.words.numbers import counted, listed, margin_text, p_equals
from runoff.words.speech import neutral


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A benchmark by its rule: the numbers of its unit, and whether the rule is shown to hold."""

    name: str
    rule: Rule
    call: UnitCall
    holds: bool

    @property
    def words(self) -> str:
        """Return whether the rule holds, in a sentence."""
        call, lost = self.call, ""
        numbers = f"{drop_words(call)} ({numbers_words(call)}{end_words(call)})"
        where = call.speech.place or f"On {self.name!r}"
        if self.rule.rule == "must win":
            claim = "the candidate wins" if self.holds else "the candidate must win, and no gain is established"
        elif self.holds:
            claim = f"the candidate does not lose {margin_text(call.margin)} or more"
        else:
            claim = f"a loss of {margin_text(call.margin)} or more is not ruled out"
        if not self.holds:
            lost = f"; it is lower ({p_equals(call.pvalue)})" if call.dropped else needed_words(call)
            lost += f"; {call.unjudged}" if call.unjudged else ""
        return f"{where} {claim}: {numbers}{lost}."


def rulings_of(
    benchmarks: Mapping[str, PairData], policy: Policy, terms: Callable[..., Terms], *, by_law: bool
) -> tuple[Ruling, ...]:
    """Return each benchmark by its rule; by_law: of items and success rates, whose law `compare` has, else by the tests of the gate."""
    rulings = []
    for name, rule in policy.rules.items():
        pair = benchmarks[name]
        options = terms(alpha=policy.alpha, margin=_margin(rule, name, pair, by_law=by_law))
        try:
            call = calls_by_law([(name, pair)], options)[0] if by_law else call_alone(pair, options)
        except RunoffError as error:
            raise type(error)(f"benchmark {name!r}: {neutral(error)}") from error
        holds = call.pvalue_held <= policy.alpha * (1 + ROUNDING)
        rulings.append(Ruling(name=name, rule=rule, call=replace(call, task=name), holds=holds))
    return tuple(rulings)


def _margin(rule: Rule, name: str, pair: PairData, *, by_law: bool) -> float:
    """Return the margin of a rule, in units of the scores: who must win has none, so that a loss of 0 or more is to be ruled out."""
    if rule.margin is None:
        return 0.0
    if isinstance(rule.margin, str) and (by_law or len(pair.tasks) > 1):
        raise OptionError(f"the policy's margin on {name!r} is a number in units of the scores, not {rule.margin!r}.")
    margin = margins_of(rule.margin, pair.tasks, list(pair.x))
    assert isinstance(margin, float)  # one number for all tasks, or the margin of the only one
    if pair.binary and margin >= 1:
        raise OptionError(
            f"the policy's margin on {name!r} is {margin_text(margin)}, and a share drops by 1 at most: two points are 0.02."
        )
    return margin


def policy_words(rulings: Sequence[Ruling]) -> str:
    """Return the decision, and the rules that are not shown to hold."""
    failed = [ruling for ruling in rulings if not ruling.holds]
    if failed:
        broken = listed([f"{ruling.name} {ruling.rule.rule}" for ruling in failed])
        of = f"{len(failed)} of {counted([len(rulings)], 'rule')}"
        return f"The candidate fails: {of} {'is' if len(failed) == 1 else 'are'} not shown to hold ({broken}). {failed[0].words}"
    by_rule: dict[str, list[str]] = {}
    for ruling in rulings:
        by_rule.setdefault(ruling.rule.rule, []).append(ruling.name)
    demands = "; ".join(f"{listed(names)} {rule}" for rule, names in by_rule.items())
    hold = "the rule holds" if len(rulings) == 1 else f"all {len(rulings)} rules hold"
    return f"The candidate passes: {hold} ({demands})."
