"""Which mutants are tried: so many of each package, drawn by a seed, no place twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from tools.mutants.mutant import Mutant

LEAST = 40
"""At least so many from each package, as far as the whole number allows."""


def quotas(places: Mapping[str, int], n: int, least: int = LEAST) -> dict[str, int]:
    """Return how many of each package: by its share of the places, but at least `least` (or n / packages)."""
    floor = min(least, n // max(1, len(places)))
    fixed: dict[str, int] = {}
    while True:
        rest = {name: count for name, count in places.items() if name not in fixed}
        left, total = n - sum(fixed.values()), sum(rest.values())
        low = {name: min(floor, count) for name, count in rest.items() if left * count <= floor * total}
        if not low:
            return fixed | _in_proportion(rest, left)
        fixed |= low


def _in_proportion(places: Mapping[str, int], n: int) -> dict[str, int]:
    """Return whole numbers with the sum n, by largest remainders; none is more than there are places."""
    exact = {name: n * count / sum(places.values()) for name, count in places.items()}
    whole = {name: int(share) for name, share in exact.items()}
    for name in sorted(places, key=lambda name: whole[name] - exact[name])[: n - sum(whole.values())]:
        whole[name] += 1
    return {name: min(count, places[name]) for name, count in whole.items()}


def sample(mutants: Mapping[str, Sequence[Mutant]], n: int, seed: int, valid: Callable[[Mutant], bool]) -> list[Mutant]:
    """Return n mutants of the packages in an order drawn by the seed."""
    sizes = quotas({name: len({mutant.place for mutant in found}) for name, found in mutants.items()}, n)
    return drawn([one for name, size in sizes.items() for one in _first(drawn(mutants[name], seed), size, valid)], seed)


def drawn(mutants: Sequence[Mutant], seed: int) -> list[Mutant]:
    """Return the mutants in the order of a hash of seed and key: a change of one file redraws little of the others."""
    return sorted(mutants, key=lambda mutant: sha256(f"{seed}:{mutant.key}".encode()).digest())


def _first(mutants: Sequence[Mutant], n: int, valid: Callable[[Mutant], bool]) -> list[Mutant]:
    taken: dict[tuple[str, int, int], Mutant] = {}
    for mutant in mutants:
        if len(taken) == n:
            break
        if mutant.place not in taken and valid(mutant):
            taken[mutant.place] = mutant
    return list(taken.values())
