"""Advice by code: one entry per code, with the pairs or algorithms it concerns named compactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runoff.results.advice import Advice
from runoff.results.comparison import ComparisonResult, Pair

NAMED = 12
"""At most this many pairs or algorithms are named; the rest are counted, and listed in results.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceGroup:
    """All advice of one code.

    Attributes
    ----------
    first : Advice
        The most serious; its text stands for all.
    count : int
    whom : str
        A sentence, such as "This applies to 3 of 21 pairs: A – B, C; B – C."; empty where the text itself says whom it concerns.
    """

    first: Advice
    count: int
    whom: str


def grouped(advice: Iterable[Advice], comparison: ComparisonResult | None = None) -> tuple[AdviceGroup, ...]:
    """Return the advice by code, in the order of the codes' first appearance."""
    by_code: dict[str, list[Advice]] = {}
    for one in dict.fromkeys(advice):
        by_code.setdefault(one.code, []).append(one)
    return tuple(AdviceGroup(first=kept[0], count=len(kept), whom=_whom(kept, comparison)) for kept in by_code.values())


def _whom(kept: Sequence[Advice], comparison: ComparisonResult | None) -> str:
    if comparison is None:
        names = list(dict.fromkeys(name for one in kept for name in one.subjects))
        return f"This applies to {', '.join(names[:NAMED])}{_more(len(names))}." if len(kept) > 1 and names else ""
    everyone = tuple(dict.fromkeys(name for pair in comparison.pairs for name in (pair.a, pair.b)))
    named = [one.subjects for one in kept]
    if len(kept) == 1 and named[0]:
        return ""
    about = [one for one, names in zip(kept, named, strict=True) if len(names) != 1]
    pairs = [pair for pair in comparison.pairs if any(one in pair.advice for one in about)]
    if pairs:
        return _of_pairs(pairs, comparison)
    alone = [names[0] for names in named if len(names) == 1]
    return _of_algorithms([name for name in everyone if name in alone], len(everyone))


def _of_pairs(pairs: Sequence[Pair], comparison: ComparisonResult) -> str:
    n, m = len(comparison.pairs), len(pairs)
    if n == 1:
        return ""
    if m == n:
        return f"This applies to all {n} pairs."
    others: dict[str, list[str]] = {}
    for pair in pairs[:NAMED]:
        others.setdefault(pair.a, []).append(pair.b)
    told = "; ".join(f"{a} – {', '.join(rest)}" for a, rest in others.items())
    return f"This applies to {m} of {n} pairs: {told}{_more(m)}."


def _of_algorithms(names: Sequence[str], n: int) -> str:
    if not names:
        return ""
    if len(names) == n:
        return f"This applies to {'both' if n == 2 else f'all {n}'} algorithms."
    return f"This applies to {', '.join(names[:NAMED])}{_more(len(names))}."


def _more(count: int) -> str:
    return f" and {count - NAMED} more" if count > NAMED else ""
