"""Advice by code: one entry per code, with the pairs or algorithms it concerns named compactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runoff.answer.base import Advice, most_severe_first
from runoff.answer.comparison import ComparisonResult
from runoff.answer.pair import Pair
from runoff.words.nouns import OF_RUNS

NAMED = 12
"""The most pairs or algorithms that are named; the rest are counted here and listed in results.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceGroup:
    """All advice of one code.

    Attributes
    ----------
    first : Advice
        The most serious; its text stands for all.
    count : int
    scope : str
        A sentence, such as "This applies to 3 of 21 pairs: A – B, C; B – C."; empty where the text itself names all that it concerns.
    """

    first: Advice
    count: int
    scope: str


def grouped(
    advice: Iterable[Advice], comparison: ComparisonResult | None = None, leading: Sequence[str] = ()
) -> tuple[AdviceGroup, ...]:
    """Return the advice by code, the most severe first; algorithms are named in the order of `leading`."""
    by_code: dict[str, list[Advice]] = {}
    for item in most_severe_first(advice):
        by_code.setdefault(item.code, []).append(item)
    return tuple(
        AdviceGroup(first=kept[0], count=len(kept), scope=_scope(kept, comparison, leading))
        for kept in by_code.values()
    )


def _scope(kept: Sequence[Advice], comparison: ComparisonResult | None, leading: Sequence[str]) -> str:
    if comparison is None:
        names = list(dict.fromkeys(name for item in kept for name in item.subjects))
        return f"This applies to {', '.join(names[:NAMED])}{_more(len(names))}." if len(kept) > 1 and names else ""
    compared = (name for pair in comparison.pairs for name in (pair.a, pair.b))
    everyone = tuple(dict.fromkeys((*leading, *compared)))
    called = (comparison.pairs[0].nouns if comparison.pairs else OF_RUNS).algorithms
    named = [item.subjects for item in kept]
    if len(kept) == 1 and named[0]:
        # A text that names all whom it concerns needs no second list.
        cut = any(repr(name) not in kept[0].text for name in named[0])
        return _of_algorithms([name for name in everyone if name in named[0]], len(everyone), called) if cut else ""
    about = [item for item, names in zip(kept, named, strict=True) if len(names) != 1]
    pairs = [pair for pair in comparison.pairs if any(item in pair.advice for item in about)]
    if pairs:
        return _of_pairs(pairs, comparison, leading)
    alone = [names[0] for names in named if len(names) == 1]
    return _of_algorithms([name for name in everyone if name in alone], len(everyone), called)


def _of_pairs(pairs: Sequence[Pair], comparison: ComparisonResult, leading: Sequence[str]) -> str:
    n, m = len(comparison.pairs), len(pairs)
    if n == 1:
        return ""
    if m == n:
        return f"This applies to all {n} pairs."
    others: dict[str, list[str]] = {}
    named = [(pair.a, pair.b) for pair in pairs]
    if leading:
        place = {name: at for at, name in enumerate(leading)}
        turned = [(a, b) if place[a] <= place[b] else (b, a) for a, b in named]
        named = sorted(turned, key=lambda both: (place[both[0]], place[both[1]]))
    for first, second in named[:NAMED]:
        others.setdefault(first, []).append(second)
    listed = "; ".join(f"{a} – {', '.join(rest)}" for a, rest in others.items())
    return f"This applies to {m} of {n} pairs: {listed}{_more(m)}."


def _of_algorithms(names: Sequence[str], n: int, called: str) -> str:
    if not names:
        return ""
    if len(names) == n:
        return f"This applies to {'both' if n == 2 else f'all {n}'} {called}."
    return f"This applies to {len(names)} of {n} {called}: {', '.join(names[:NAMED])}{_more(len(names))}."


def _more(count: int) -> str:
    return f" and {count - NAMED} more" if count > NAMED else ""
