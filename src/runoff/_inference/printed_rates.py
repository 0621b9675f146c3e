"""Two printed rates with a number of items or episodes: their tests, and what a claim about them rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from runoff._inference.family import adjust
from runoff._inference.pairs import ItemLaw, MoverLaw, RateLaw
from runoff._inference.summaries import OF_ITEMS, Contrast, reading_of
from runoff.answer.claims import ClaimReading, PublishedCell, Supported

READINGS: Mapping[str, tuple[str, ...]] = MappingProxyType({"item": OF_ITEMS, "episode": ("independent",)})
"""What is counted -> how the successes of two may fall together. Episodes are independent; of items the table does not say."""
EXACT_TO, EXACT_AVERAGE = 1_000, 200
"""So many items have their exact distribution, on one task and in an average, whose search takes hundreds of tails; more the normal one: a
table has thousands of pairs and tasks."""
SharedCounts = tuple[int, int, int]
"""Successes of the first, of the second, and the number of items."""


def rate_answers(family: Sequence[Contrast], reading: str, alpha: float) -> list[ClaimReading]:
    """Return the test of each contrast of a family if successes fall together so; every cell has its counts.

    independent: Miettinen and Nurminen's score. Of the same items b are won and c are lost; b − c = d is known and b + c is not. "alike" is as
    few as there can be, |d|, and "opposed" as many, the smaller of the successes and the failures of both; the paired score of either.
    """
    laws = [_law(contrast, reading, worst=False) for contrast in family]
    pvalues = [law.pvalue(0.0) for law in laws]
    rounded = [_rounded(contrast, reading) for contrast in family]
    rows = zip(laws, pvalues, adjust(pvalues).tolist(), adjust(rounded).tolist(), strict=True)
    return [
        reading_of(reading, None if isinstance(law, MoverLaw) else law.statistic, None, own, alpha)
        for law, *own in rows
    ]


def supported(readings: Sequence[ClaimReading]) -> Supported:
    """Return what a claim about rates rests on: supported however successes fall together, in no way, or in some."""
    carried = [reading.carried for reading in readings]
    if carried[0]:
        return "yes"
    if carried[-1] is False:
        return "no"
    # Nothing is said of items where the digits alone leave it open.
    return "cannot_be_said" if None in (carried[0], carried[-1]) else "depends_on_items"


LIMITS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "item": (
            "Which items each model answered is not in it. Models that fail on the same items differ more clearly than these numbers show: the "
            "results by item decide what depends on them.",
            "Items are taken as a sample, one by one, and answered once: groups of items (a passage, a repository) vary together, and answers "
            "drawn at a temperature differ from run to run.",
        ),
        "episode": (
            "Episodes are those of the policies that were rolled out: nothing follows about training them again.",
            "Episodes are taken as independent: the same start states for both policies, or groups of episodes, are not in the table.",
        ),
    }
)
AVERAGE = "Averages over tasks weight all tasks equally, so that those with few {}s decide how certain they are."


def limits(unit: str, *, average: bool) -> tuple[str, ...]:
    """Return notes on what cannot follow from a table of rates."""
    first = "Not supported does not mean equal: the table says nothing of differences that it is too small to show."
    return (first, *LIMITS[unit], *((AVERAGE.format(unit),) if average else ()))


def _rounded(contrast: Contrast, reading: str) -> float:
    """Return the p-value where rounding went against the one ahead; 1 where the other may be ahead."""
    law = _law(contrast, reading, worst=True)
    return law.pvalue(0.0) if law.value * contrast.difference > 0 else 1.0


def _law(contrast: Contrast, reading: str, *, worst: bool) -> ItemLaw | RateLaw | MoverLaw:
    """Return the law of a contrast, seen from its first; at worst its successes are as near as rounding lets them be."""
    sides = zip(contrast.x, contrast.y, contrast.signs, strict=True)
    # The place of fewest, nearest and most successes: of the one ahead the fewest count at worst, of the other the most.
    first, second = (1, 1) if not worst else (0, 2) if contrast.difference > 0 else (2, 0)
    counts = [(_won(x, sign)[first], _won(y, sign)[second], x.n or 0, y.n or 0) for x, y, sign in sides]
    if reading == "independent":
        won, lost, m, n = (tuple(map(float, column)) for column in zip(*counts, strict=True))
        return RateLaw(won, m, lost, n)
    most = EXACT_AVERAGE if contrast.joint else EXACT_TO
    laws = [_paired((x, y, n), reading, exact=n <= most) for x, y, n, _ in counts]
    return MoverLaw(tuple(laws), (1 / len(laws),) * len(laws)) if contrast.joint else laws[0]


def _won(cell: PublishedCell, sign: int) -> tuple[int, int, int]:
    """Return the fewest, nearest and most successes of a cell; where lower is better, failures."""
    low, near, high = cell.counts or (0, 0, 0)
    n = cell.n or 0
    return (low, near, high) if sign > 0 else (n - high, n - near, n - low)


def _paired(counts: SharedCounts, reading: str, *, exact: bool) -> ItemLaw:
    x, y, n = counts
    lead = x - y
    differ = abs(lead) if reading == "alike" else min(x + y, 2 * n - x - y)
    return ItemLaw((differ + lead) / 2, (differ - lead) / 2, n, counts=exact)
