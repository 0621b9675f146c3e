"""The answer in three sentences: who leads, what was found among the pairs, what these runs could not show."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runoff._inference.advice import CODES
from runoff._inference.bootstrap import best_first, parse_metric
from runoff._inference.family import CORRECTIONS
from runoff.report.answers.all import Answers, about
from runoff.report.words.numbers import decimals, decimals_of, interval, number, p_equals
from runoff.results.advice import SEVERITIES, Advice
from runoff.results.aggregate import AggregateRecord
from runoff.results.comparison import Pair

NAMED = 5
"""At most this many pairs are named in a sentence; the table has them all."""
OF_DATA = frozenset(code for code, known in CODES.items() if known.topic == "data")
MANY_PAIRS = 15
"""If there are more pairs than this, those that differ are reported first; the rest are counted or folded away."""


def sentences(answers: Answers) -> tuple[str, str, str]:
    """Return the answer in three sentences, made of the results alone."""
    return _leader(answers), _found(answers), _unseen(answers)


def ranked(answers: Answers) -> list[AggregateRecord]:
    """Return the records of the first metric, best first."""
    metric = answers.aggregates.metrics[0]
    return best_first((r for r in answers.aggregates.records if r.metric == metric and r.task is None), metric)


def _leader(answers: Answers) -> str:
    order = ranked(answers)
    places = decimals(order)
    metric = parse_metric(order[0].metric).title
    best = f"{order[0].algorithm} has the best {metric}, {_with_interval(order[0], places)}"
    if len(order) == 1:
        return f"{best}; there is nothing to compare it with."
    second = order[1]
    return (
        f"{best}, ahead of {second.algorithm}, {_with_interval(second, places)}; {_apart(answers, order[0], second)}."
    )


def _apart(answers: Answers, best: AggregateRecord, second: AggregateRecord) -> str:
    pair = next((p for p in answers.comparison.pairs if {p.a, p.b} == {best.algorithm, second.algorithm}), None)
    if pair is None:
        compared = {name for p in answers.comparison.pairs for name in (p.a, p.b)}
        single = next((r.algorithm for r in (best, second) if r.algorithm not in compared), None)
        return f"{single} has single values, which are not tested" if single else "the two were not compared"
    p = f"adjusted {p_equals(pair.pvalue_adjusted)}"
    winner = _winner(pair)
    if winner == best.algorithm:
        return f"the test of this pair finds {winner} better ({p})"
    if winner is not None:
        return f"yet the test of this pair finds {winner} better ({p}), so the order depends on the measure"
    if pair.verdict == "equivalent":
        return f"within the margin given, the two are equivalent ({p})"
    return f"the test of this pair finds no difference ({p}), so first place is not settled"


def _found(answers: Answers) -> str:
    comparison = answers.comparison
    found = [(winner, _loser(pair)) for pair in comparison.pairs if (winner := _winner(pair)) is not None]
    n, m = len(found), len(comparison.pairs)
    level = f"at α = {comparison.alpha:g}{_corrected(comparison.correction, m)}"
    none = m - n
    rest = f"; for the remaining {none} no difference was found, which does not make them equal" if n and none else ""
    rest = rest or ("; that does not make them equal" if none else "")
    return f"{_differ(n, m)} {level}{_named(found)}{rest}."


def _differ(found: int, pairs: int) -> str:
    if pairs == 1:
        return "The only pair differs" if found else "The only pair does not differ detectably"
    return f"Of {pairs} pairs, {found or 'none'} {'differs' if found == 1 else 'differ'}"


def _unseen(answers: Answers) -> str:
    open_pairs = [p for p in answers.comparison.pairs if p.verdict == "no_difference_found"]
    chosen = open_pairs or list(answers.comparison.pairs)
    sizes = sorted(p.detectable_difference for p in chosen if p.detectable_difference is not None)
    worst = _worst(answers.reservations)
    caution = f"the most serious caveat is {_reservation(answers, worst)}" if worst is not None else ""
    if not sizes:
        lead = "These runs cannot tell how large a difference would have been detected"
    else:
        places = decimals_of(sizes, 2)
        low, high = number(sizes[0], places), number(sizes[-1], places)
        span = low if low == high else f"{low} to {high}, depending on the pair"
        whose = (
            "Where no difference was found"
            if open_pairs and len(open_pairs) < len(answers.comparison.pairs)
            else "In this design"
        )
        lead = f"{whose}, the smallest difference of means detectable with 80\u00a0% power is {span}"
    return f"{lead}; {caution}." if caution else f"{lead}."


def _worst(reservations: Sequence[Advice]) -> Advice | None:
    """Return the most serious caveat; of equally serious ones, that on the data, which all the others rest on."""
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    serious = [one for one in reservations if one.severity != "info"]
    return min(serious, key=lambda one: (order[one.severity], one.code not in OF_DATA), default=None)


def _reservation(answers: Answers, advice: Advice) -> str:
    pair = about(answers.comparison, advice)
    count = sum(other.code == advice.code for other in answers.reservations)
    which = [part for part in (pair, f"the first of {count}" if count > 1 else "") if part]
    whose = f" ({', '.join(which)})" if which else ""
    return f"{advice.code}{whose}: {_first(advice.text)}"


def told_first(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs whose sentences are shown, and those that are folded away: of many, those without a difference and the excess."""
    if len(pairs) <= MANY_PAIRS:
        return list(pairs), []
    differ = [pair for pair in pairs if pair.verdict != "no_difference_found"]
    alike = [pair for pair in pairs if pair.verdict == "no_difference_found"]
    return differ[:MANY_PAIRS], differ[MANY_PAIRS:] + alike


def _with_interval(record: AggregateRecord, places: int) -> str:
    if record.low is None:
        return f"{number(record.estimate, places)} (no interval)"
    level = f"{100 * record.confidence_level:g}\u00a0%"
    return f"{number(record.estimate, places)} ({level} interval {interval(record.low, record.high, places)})"


def _winner(pair: Pair) -> str | None:
    return {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)


def _loser(pair: Pair) -> str:
    return pair.b if pair.verdict == "a_better" else pair.a


def _named(found: Sequence[tuple[str, str]]) -> str:
    if not found:
        return ""
    shown = [f"{better} over {worse}" for better, worse in found[:NAMED]]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return f": {', '.join(shown)}{more}"


def _corrected(correction: str, n_pairs: int) -> str:
    if n_pairs == 1:
        return ""
    return (
        " without correction for multiple comparisons"
        if correction == "none"
        else f" after {CORRECTIONS[correction].label} correction"
    )


def _first(text: str) -> str:
    """Return the first clause of an advice text, to stand inside another sentence."""
    head = re.split(r"[.;] ", text)[0].rstrip(".")
    return head[:1].lower() + head[1:] if head[1:2].islower() else head
