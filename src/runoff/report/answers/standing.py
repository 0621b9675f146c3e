"""Who leads, over whom that is established, and whom these runs cannot tell from the leader: one verdict, that of the pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from runoff._inference.bootstrap import best_first
from runoff.report.answers.all import Answers
from runoff.results.aggregate import AggregateRecord
from runoff.results.base import Advice, most_severe_first
from runoff.results.comparison import Pair

Place = Literal["leader", "not told apart", "equivalent", "behind", "ahead", "not compared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Every algorithm's place, seen from the leader: the best estimate of those that no test finds worse than another.

    Attributes
    ----------
    order : tuple of str
        All algorithms by the first metric, best first.
    leader : str
    places : mapping of algorithm to Place
    pairs : tuple of Pair
        Each with the better one first where one was found, else the one first in the order; sorted by the order.
    """

    order: tuple[str, ...]
    leader: str
    places: dict[str, Place]
    pairs: tuple[Pair, ...]

    def those(self, *places: Place) -> tuple[str, ...]:
        """Return the algorithms with one of these places, in the order."""
        return tuple(name for name in self.order if self.places[name] in places)

    @property
    def best(self) -> frozenset[str]:
        """The leader and all that it was not found better than; empty where nothing was compared."""
        rivals = self.those("not told apart", "equivalent", "ahead")
        return frozenset({self.leader, *rivals}) if self.pairs else frozenset()

    @property
    def leading(self) -> tuple[str, ...]:
        """All algorithms: the leader, those that it was not found better than, and the rest, each in the order."""
        rivals = self.those("not told apart", "equivalent", "ahead")
        return tuple(dict.fromkeys((self.leader, *rivals, *self.order)))

    def beside(self, name: str) -> Pair | None:
        """Return the pair of the leader and another algorithm, the leader first; None where they were not compared."""
        beside = next((pair for pair in self.pairs if {pair.a, pair.b} == {self.leader, name}), None)
        return beside if beside is None or beside.a == self.leader else beside.turned()


def ranked(answers: Answers) -> list[AggregateRecord]:
    """Return the measure that decides, of each algorithm, the best first; what was not compared last."""
    metric = answers.comparison.measure
    records = best_first((r for r in answers.aggregates.records if r.task is None), answers.aggregates.metrics[0])
    names = list(dict.fromkeys(record.algorithm for record in records))
    place = {name: at for at, (name, _) in enumerate(answers.comparison.values)}
    names.sort(key=lambda name: place.get(name, len(place)))
    return [answers.aggregates.record(name, metric) for name in names]


def winner(pair: Pair) -> str | None:
    """Return the algorithm that the test finds better."""
    return {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)


def standing_of(answers: Answers) -> Standing:
    """Return who leads and how the others stand to it."""
    order = tuple(record.algorithm for record in ranked(answers))
    pairs = answers.comparison.pairs
    beaten = {pair.b if better == pair.a else pair.a for pair in pairs if (better := winner(pair)) is not None}
    compared = {name for pair in pairs for name in (pair.a, pair.b)}
    leader = next((name for name in order if name in compared and name not in beaten), order[0])
    places = {name: _place(name, leader, pairs) for name in order}
    place = {name: at for at, name in enumerate(order)}
    firsts = [winner(pair) or min(pair.a, pair.b, key=place.__getitem__) for pair in pairs]
    turned = [pair if pair.a == first else pair.turned() for pair, first in zip(pairs, firsts, strict=True)]
    sorted_pairs = tuple(sorted(turned, key=lambda pair: (place[pair.a], place[pair.b])))
    return Standing(order=order, leader=leader, places=places, pairs=sorted_pairs)


def leaders_first(advice: Iterable[Advice], standing: Standing) -> tuple[Advice, ...]:
    """Return advice by severity and code, of one code what concerns the leader and those not told apart from it first."""
    place = {name: at for at, name in enumerate(standing.leading)}

    def places_of(item: Advice) -> list[int]:
        """Return places, best first; a pair is told before one of its algorithms alone."""
        return [*sorted(place.get(name, len(place)) for name in item.subjects), *[len(place)] * bool(item.subjects)]

    return most_severe_first(sorted(advice, key=places_of))


def _place(name: str, leader: str, pairs: Sequence[Pair]) -> Place:
    if name == leader:
        return "leader"
    pair = next((pair for pair in pairs if {pair.a, pair.b} == {name, leader}), None)
    if pair is None:
        return "not compared"
    if pair.verdict == "equivalent":
        return "equivalent"
    better = winner(pair)
    return "not told apart" if better is None else "behind" if better == leader else "ahead"
