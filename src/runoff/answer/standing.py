"""The leader, the algorithms over which its lead is established, and those from which no difference was found, by the verdicts of the pairs
and in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from typing import Literal

from runoff.answer.pair import Finding, Pair, contrary, contrary_words, few_words, lead_words
from runoff.words.measures import OF_TASKS, lead_of, strata_words
from runoff.words.names import LOWER_IS_BETTER, best_of, capital, chance_words, measure_words
from runoff.words.numbers import counted, exactly, indefinite, listed
from runoff.words.speech import with_clause

EQUAL = 1e-12
"""Values that differ by less than this share are equal up to rounding error."""
Place = Literal["leader", "no difference found", "equivalent", "behind", "ahead", "no verdict", "not compared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Every algorithm's place relative to the leader, which has the highest value among those that no test finds below another.

    Attributes
    ----------
    order : tuple of str
        All algorithms, the best by the measure first.
    leader : str
        The leader; if each algorithm was found below another, so that there is none, the one with the highest value.
    places : mapping of algorithm to Place
    pairs : tuple of Pair
        The pairs, each with its winner first or, without one, the algorithm that is first in the order; sorted by the order.
    """

    order: tuple[str, ...]
    leader: str
    places: Mapping[str, Place]
    pairs: tuple[Pair, ...]

    def those(self, *places: Place) -> tuple[str, ...]:
        """Return the algorithms with one of these places, in `order`."""
        return tuple(name for name in self.order if self.places[name] in places)

    @property
    def best(self) -> frozenset[str]:
        """The leader and all algorithms above which it was not found; empty if no pair of the leader has a verdict."""
        return frozenset({self.leader, *self.rivals}) if self.judged else frozenset()

    @property
    def rivals(self) -> tuple[str, ...]:
        """The algorithms above which the leader was not found."""
        return self.those("no difference found", "equivalent", "ahead")

    @property
    def judged(self) -> bool:
        """Whether any pair of the leader has a verdict."""
        return any(not pair.unjudged for pair in self.own)

    @property
    def leading(self) -> tuple[str, ...]:
        """All algorithms: the leader, those above which it was not found, and the rest, each group in `order`."""
        return tuple(dict.fromkeys((self.leader, *self.rivals, *self.order)))

    @property
    def own(self) -> tuple[Pair, ...]:
        """The pairs of the leader, with the leader first, in the order of the others."""
        beside = {
            pair.b if pair.a == self.leader else pair.a: pair for pair in self.pairs if self.leader in (pair.a, pair.b)
        }
        own = (beside[name] for name in self.order if name in beside)
        return tuple(pair if pair.a == self.leader else pair.turned() for pair in own)

    def beside(self, name: str) -> Pair | None:
        """Return the pair of the leader and another algorithm, the leader first; None if they were not compared."""
        beside = next((pair for pair in self.pairs if {pair.a, pair.b} == {self.leader, name}), None)
        return beside if beside is None or beside.a == self.leader else beside.turned()


def in_order(names: Sequence[str], findings: Collection[tuple[str, str]]) -> list[str]:
    """Return the names, best first, with no name before one that was found above it, unless the `findings` (winner, loser) form a circle.

    >>> in_order(["A", "B", "C"], {("C", "A")})
    ['B', 'C', 'A']
    """
    left, order = list(names), []
    while left:
        # A topological order that stays as near to the given one as findings allow; in a circle somebody has to go
        # first: who has the best value.
        order.append(next((name for name in left if not any((other, name) in findings for other in left)), left[0]))
        left.remove(order[-1])
    return order


def standing_of(order: Sequence[str], pairs: Sequence[Pair]) -> Standing:
    """Return the leader and the places of the others; `order` lists algorithms by the measure, best first."""
    beaten = {pair.b if winner == pair.a else pair.a for pair in pairs if (winner := pair.winner) is not None}
    compared = {name for pair in pairs for name in (pair.a, pair.b)}
    # Where each was found below another (a circle of chances to beat), the first by the measure stands in, and
    # `leader` of the result is None.
    leader = next((name for name in order if name in compared and name not in beaten), order[0])
    own = {pair.b if pair.a == leader else pair.a: pair for pair in pairs if leader in (pair.a, pair.b)}
    place = {name: at for at, name in enumerate(order)}
    firsts = [pair.winner or min(pair.a, pair.b, key=place.__getitem__) for pair in pairs]
    turned = [pair if pair.a == first else pair.turned() for pair, first in zip(pairs, firsts, strict=True)]
    return Standing(
        order=tuple(order),
        leader=leader,
        places={name: _place(name, leader, own.get(name)) for name in order},
        pairs=tuple(sorted(turned, key=lambda pair: (place[pair.a], place[pair.b]))),
    )


def _place(name: str, leader: str, pair: Pair | None) -> Place:
    """Return the place of an algorithm from its pair with the leader."""
    if name == leader:
        return "leader"
    if pair is None:
        return "not compared"
    if pair.verdict == "equivalent":
        return "equivalent"
    if pair.unjudged:
        return "no verdict"
    return "no difference found" if pair.winner is None else "behind" if pair.winner == leader else "ahead"


# ── the lead in words ──────────


def lead(standing: Standing, values: Sequence[tuple[str, float]], *, lacking: Collection[str], partly: bool) -> Finding:
    """Return whether the leader was found above all others, and above which; lacking: algorithms without some tasks; partly: some pairs are
    not tested."""
    finding, open_pairs = (
        _lead(standing, values, lacking=lacking, partly=partly),
        [pair for pair in standing.own if pair.unjudged],
    )
    if not open_pairs:
        return finding
    against = listed([pair.b for pair in open_pairs])
    why = f"against {against} no verdict is given because {open_pairs[0].unjudged}"
    sentence = with_clause(finding.sentence, why)
    return Finding(holds=None if finding.holds else finding.holds, sentence=sentence)


def _lead(
    standing: Standing, values: Sequence[tuple[str, float]], *, lacking: Collection[str], partly: bool
) -> Finding:
    """Return the finding on the lead from the existing verdicts."""
    leader, alike, behind = (
        standing.leader,
        standing.those("no difference found", "equivalent"),
        standing.those("behind"),
    )
    # Lines and runs of another protocol stand in the figures with values that may be higher.
    best = best_words(standing) + " of those tested" * partly
    extreme = min if standing.pairs[0].measure in LOWER_IS_BETTER else max
    first = extreme(values, key=lambda item: item[1])[0]
    if first != leader:
        return _below(standing, first, best, lacking)
    if standing.those("ahead"):
        return Finding(holds=False, sentence=f"Nobody leads: {listed(_circle(standing))}. {leader} has the {best}.")
    if not behind and len(standing.those("equivalent")) == len(alike):
        by = f"by the {measure_words(standing.own[0].measure)}, {_within(standing)}"
        return Finding(holds=False, sentence=f"{listed([leader, *alike])} are equivalent {by}.")
    # Lines that were never opponents are not "not tested": only those that have pairs with others are.
    elsewhere = {name for pair in standing.pairs for name in (pair.a, pair.b)}
    if not alike and (untested := [name for name in standing.those("not compared") if name in elsewhere]):
        return Finding(holds=None, sentence=_lead_of_tested(standing, best, dict(values), untested))
    if not alike:
        return Finding(holds=True, sentence=_lead_over(standing, best))
    level = [name for name, value in values if name in (leader, *alike) and isclose(value, values[0][1], rel_tol=EQUAL)]
    runs = standing.pairs[0].sampled
    if len(level) == len((leader, *alike)) and not behind:
        same = f"{listed(level)} have the same {value_words(standing)}"
        these = f"{'On' if runs in ('tasks', 'items') else 'In'} these {runs}"
        return Finding(holds=None, sentence=f"{these} {same}; no difference was found, which does not make them equal.")
    equivalent = [name for name in standing.those("equivalent") if name not in level]
    others = [name for name in alike if name not in (*level, *equivalent)]
    has, it, its, are = ("has", "it", "its", "is") if len(level) == 1 else ("have", "them", "their", "are")
    equal = f" and {are} equivalent to {listed(equivalent)} {_within(standing)}" if equivalent else ""
    own = f" over {its} own tasks" if _over_own_tasks(standing, lacking) else ""
    untold = f", but these {runs} cannot tell {it} from {listed(others)}" if others else ""
    strata = strata_words(standing.pairs[0].weights)
    return Finding(holds=None, sentence=f"{listed(level)} {has} the {best}{own}{strata}{equal}{untold}.")


def _lead_of_tested(standing: Standing, best: str, values: Mapping[str, float], untested: Sequence[str]) -> str:
    """Return the lead over all with which the leader was compared, and the others, of which some may have the same value."""
    against = listed(untested) if len(untested) < 4 else f"the other {len(untested)}"
    leader, over = standing.leader, _lead_over(standing, best)
    if tied := [name for name in untested if isclose(values[name], values[leader], rel_tol=EQUAL)]:
        over = over.replace(f"{leader} has", f"{listed([leader, *tied])} have", 1)
        return with_clause(over, f"{leader} was not tested against {against}")
    return with_clause(over, f"against {against} it was not tested")


def _within(standing: Standing) -> str:
    return f"within a margin of {exactly(standing.own[0].margin or 0.0)}"


def _over_own_tasks(standing: Standing, lacking: Collection[str]) -> bool:
    """Return whether the leader's value is over other tasks than its pairs: it lacks tasks, or is behind on the tasks that count in a pair."""
    leader, measure = standing.leader, standing.pairs[0].measure
    partly = [pair for pair in standing.own if pair.left_out or pair.b in lacking]
    behind = any(lead_of(measure, pair.estimate) < 0 for pair in partly)
    return measure not in ("improvement", "hodges_lehmann") and (leader in lacking or behind)


def _below(standing: Standing, first: str, best: str, lacking: Collection[str]) -> Finding:
    """Return the words that the algorithm with the best value was found below others on the tasks that both have."""
    above = [pair for pair in standing.pairs if pair.b == first and pair.winner]
    names = [pair.a for pair in above]
    own, shared = " over its own tasks", ""
    if any(pair.left_out for pair in above):
        shared = f", on the tasks on which both have two {above[0].unit}s or more"
    elif {first, *names}.intersection(lacking):
        shared = f", on the {standing.pairs[0].nouns.tasks} that both have"
    # Nobody found ahead of the leader and nobody open: the leader's lead holds, though another has the best value of
    # its own.
    open_ = standing.those("no difference found", "equivalent", "not compared")
    return Finding(
        holds=False if standing.those("ahead") else None if open_ else True,
        sentence=f"{first} has the {best}{own if shared else ''}, yet was found below {listed(names)}{shared}.",
    )


def _lead_over(standing: Standing, best: str) -> str:
    own = [pair for pair in standing.own if not pair.unjudged]
    pair, n, tested = own[0], len(own), best.endswith("tested")
    n_tasks = counted([pair.n_tasks], "task")
    over = f", over {n_tasks}" if pair.n_tasks > 1 else ""
    over = f", over the {n_tasks} on which both have two {pair.unit}s or more" if pair.left_out else over
    over = f", over {pair.nouns.tasks} like these {pair.n_tasks}" if pair.over == "tasks" else over
    over += strata_words(pair.weights)
    if pair.measure == "improvement":
        unit = indefinite(pair.unit)
        nearest = ", the nearest of those tested," if tested else f", the nearest of {n} others," if n > 1 else ""
        return f"{capital(unit)} of {pair.a} beats {unit} of {pair.b}{nearest} {lead_words(pair)}{over}."
    of, nearest = ("", "") if n == 1 else ("" if tested else f" of {n + 1}", ", the nearest")
    return f"{pair.a} has the {best}{of}{lead_words(pair)}{nearest}{over}."


def _circle(standing: Standing) -> list[str]:
    """Return verdicts that form a circle: if each algorithm was found below another, following winners leads back to the start."""
    # Each on the path was found below the next; with finitely many names it comes back, and from there on it is the
    # circle.
    path = [standing.leader]
    while path[-1] not in path[:-1]:
        path.append(next(pair.a for pair in standing.pairs if pair.b == path[-1] and pair.winner))
    circle = path[path.index(path[-1]) :]
    return [f"{a} beats {b}" for b, a in pairwise(circle)][::-1]


def best_words(standing: Standing) -> str:
    """Return the words for the leader's value: "highest IQM"."""
    return f"{best_of(standing.pairs[0].measure, len(standing.order))} {value_words(standing)}"


def value_words(standing: Standing) -> str:
    """Return one algorithm's value of the measure in words."""
    measure, rates = standing.pairs[0].measure, any(pair.rates for pair in standing.pairs)
    if measure == "improvement":
        return chance_words(len(standing.order))
    if measure == "hodges_lehmann":
        return "average Hodges-Lehmann lead"
    return "success rate" if rates and measure == "mean" else measure_words(measure)


def reservations(standing: Standing, *, real: bool) -> tuple[str, str]:
    """Return the algorithm that is ahead by another measure, and the few tasks that account for the lead over the nearest algorithm; "" if
    there is neither.

    If the lead is not established, another algorithm is named only if it was found ahead.
    """
    against = contrary(standing.own)
    clauses = [
        contrary_words(*key, measures, standing.own[0].sampled) for key, measures in against.items() if key[1] or real
    ]
    behind = [pair for pair in standing.own if pair.winner == pair.a]
    few = few_words(behind[0]) if behind and behind[0].measure in OF_TASKS else ""
    return "; ".join(clauses), few
