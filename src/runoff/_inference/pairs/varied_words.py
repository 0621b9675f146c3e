"""What an order survives, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runoff.results.robustness import RobustnessRecord
from runoff.words.numbers import counted

MOST = 3
"""So many pairs, or variations, are named; the rest is counted."""
TRIED = {
    "metric": "other aggregate",
    "reference": "other reference",
    "window": "other window",
    "task": "task left out",
    "run": "run left out",
}
"""One variation of each kind; several add an s to the noun."""
PLAIN = "This describes these runs, and is no test: whether two algorithms differ is decided by the test named before."


def robustness_words(records: Sequence[RobustnessRecord], metric: str) -> str:
    """Return the sentence of the whole grid; metric in words, "the mean"."""
    by_pair: dict[tuple[str, str], list[RobustnessRecord]] = {}
    for record in records:
        by_pair.setdefault((record.a, record.b), []).append(record)
    told = list(by_pair.values())
    if len(told) == 1:
        return f"By {metric}, {_one(told[0])}. {PLAIN}"
    firm = [cells for cells in told if _firm(cells)]
    weak = sorted((cells for cells in told if not _firm(cells)), key=_share_kept)
    tried = _listed(_range(kind, [cells[i].n for cells in told]) for i, kind in enumerate(r.kind for r in told[0]))
    lead = f"By {metric}, the order of {len(firm)} of {len(told)} pairs is the same under all that was tried (for a pair: {tried})"
    named = [_turned(cells) for cells in weak[:MOST]]
    if len(weak) > MOST:
        named.append(f"and so for {counted([len(weak) - MOST], 'other pair')}")
    return f"{'; '.join([lead, *named])}. {PLAIN}"


def _firm(cells: Sequence[RobustnessRecord]) -> bool:
    return all(cell.kept == cell.n for cell in cells) and cells[0].ahead is not None


def _share_kept(cells: Sequence[RobustnessRecord]) -> float:
    return sum(cell.kept for cell in cells) / max(1, sum(cell.n for cell in cells))


def _one(cells: Sequence[RobustnessRecord]) -> str:
    """Return what is known about one pair."""
    first = cells[0]
    if first.ahead is None:
        return f"{first.a} and {first.b} are level"
    behind = first.b if first.ahead == first.a else first.a
    parts = [_kept(cell) for cell in cells if cell.n]
    if not parts:
        return f"{first.ahead} is ahead of {behind}, and nothing could be varied"
    return f"{first.ahead} is ahead of {behind}, and stays so under {_listed(parts)}"


def _turned(cells: Sequence[RobustnessRecord]) -> str:
    """Return what an order of many does not survive."""
    first = cells[0]
    if first.ahead is None:
        return f"{first.a} and {first.b} are level"
    behind = first.b if first.ahead == first.a else first.a
    return f"{first.ahead} before {behind} is not kept {', '.join(_lost(cell) for cell in cells if cell.against)}"


def _lost(cell: RobustnessRecord) -> str:
    more = len(cell.against) - MOST
    return _joined(_listed([*cell.against[:MOST], *([f"{more} more"] if more > 0 else [])]), cell.kind)


def _kept(cell: RobustnessRecord) -> str:
    many = _range(cell.kind, [cell.n])
    if cell.kept == cell.n:
        return f"{'each of ' if cell.n > 1 else ''}{many}"
    return f"{cell.kept} of {many} (not {_lost(cell)})"


def _joined(words: str, kind: str) -> str:
    return f"by {words}" if kind in ("metric", "reference", "window") else words


def _range(kind: str, counts: Iterable[int]) -> str:
    """Return "3 other aggregates", "6 to 8 tasks left out", or nothing where nothing was varied."""
    seen = sorted({n for n in counts if n})
    if not seen:
        return ""
    noun = TRIED[kind]
    plural = noun + "s" if noun.startswith("other") else noun.replace(" left", "s left")
    shown = f"{seen[0]}" if len(seen) == 1 else f"{seen[0]} to {seen[-1]}"
    return f"{shown} {noun if seen[-1] == 1 else plural}"


def _listed(parts: Iterable[str]) -> str:
    told = [part for part in parts if part]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else "nothing"
