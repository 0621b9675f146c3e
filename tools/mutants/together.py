"""The survivors put to all other tests, many at once: where a test passes with a hundred faults in place, it notices none of them.

This is as sure as trying each alone, but for faults that hide each other; so no two of one function are tried together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tools.mutants.mutant import Mutant
from tools.mutants.selection import Chosen
from tools.mutants.trial import SURVIVED, Bench, Verdict


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that the tests tried so far have not noticed."""

    mutant: Mutant
    chosen: Chosen
    verdict: Verdict

    def left(self, bench: Bench) -> set[str]:
        """Return the tests that run it or touch its file and have not been tried."""
        first = bench.tests.cheapest_first(self.chosen.first)[self.verdict.n_alone :]
        return {*first, *bench.tests.cheapest_first(self.chosen.others)}


def groups(survivors: Iterable[Survivor]) -> list[list[Survivor]]:
    """Return the survivors in groups, in none of which two stand in one function."""
    found: list[list[Survivor]] = []
    seen = Counter[tuple[str, str]]()
    for one in survivors:
        place = (one.mutant.path, one.mutant.qualname)
        found += [[]] if seen[place] == len(found) else []
        found[seen[place]].append(one)
        seen[place] += 1
    return found


def tried_together(bench: Bench, group: Sequence[Survivor]) -> Iterator[tuple[Mutant, Verdict]]:
    """Yield the verdict of each of a group after all tests left to it."""
    left = {one.mutant.key: one.left(bench) for one in group}
    names = set().union(*left.values())
    while group and (names := _failing(bench, group, names)):
        killed = {
            one.mutant.key: verdict for one in group if (verdict := _alone(bench, one, names & left[one.mutant.key]))
        }
        yield from ((one.mutant, killed[one.mutant.key]) for one in group if one.mutant.key in killed)
        group = [one for one in group if one.mutant.key not in killed]
        if not killed:  # only together are they noticed
            break
    for one in group:
        yield one.mutant, replace(one.verdict, n_together=len(left[one.mutant.key]))


def _failing(bench: Bench, group: Sequence[Survivor], names: Iterable[str]) -> set[str]:
    stale = frozenset().union(*(one.chosen.stale for one in group))
    ordered = sorted(names, key=bench.tests.seconds)
    return set(bench.failures(ordered, [one.mutant for one in group], stale)) & set(bench.tests.work)


def _alone(bench: Bench, one: Survivor, names: Iterable[str]) -> Verdict | None:
    """Return the verdict of the tests on one mutant alone, if they notice it."""
    ordered = sorted(names, key=bench.tests.seconds)
    state, by = bench.try_alone(one.mutant, one.chosen.stale, ordered)
    known = set(bench.tests.cheapest_first(one.chosen.first))
    return replace(one.verdict, state=state, by=by, expected=by in known) if state != SURVIVED else None
