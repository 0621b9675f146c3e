"""The score of every run: one series for all runs of a tool, made clean; runs without it are told and left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runoff.errors import DataError
from runoff.io.logs.base import Happening, Log, Series, Wish
from runoff.io.logs.collect import Collected, Happened
from runoff.io.logs.metric import Choice, choose, order, unknown_metric
from runoff.io.logs.naming import Named
from runoff.io.logs.series import clean
from runoff.io.logs.tools import TOOLS
from runoff.io.logs.words import matches
from runoff.words.names import UnitName
from runoff.words.speech import series_option


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A run with the series that is its score, clean."""

    named: Named
    metric: str
    series: Series


def wish_for(metric: str | None, axis: str | None, unit: UnitName = "run") -> Wish:
    """Return what readers keep: the series asked for, or all that may be the score."""
    if metric is not None:
        return Wish(keep=lambda name: matches(metric, name), axis=axis, unit=unit)
    return Wish(keep=lambda name: order(name) is not None, axis=axis, unit=unit)


def choices(collected: Collected, metric: str | None) -> dict[str, Choice]:
    """Return the choice of every tool.

    Raises
    ------
    OptionError
        No run has the series asked for.
    DataError
        No series that may be the score is in all runs of a tool.
    """
    found = {
        tool: choose(TOOLS[tool].title, [one.log.extents for one in logs], metric)
        for tool, logs in collected.by_tool().items()
    }
    if metric is not None and all(choice.name is None for choice in found.values()):
        raise unknown_metric(metric, (name for one in collected.named for name in one.log.extents))
    mixed = [choice.mixed for choice in found.values() if choice.mixed]
    if mixed:
        raise DataError(
            f"{collected.tree.place}: {mixed[0]}; name one with {series_option()}, or read the folders one by one."
        )
    return found


def scores(collected: Collected, chosen: dict[str, Choice]) -> tuple[list[Scored], list[Happened]]:
    """Return the runs that have a score, and what happened.

    Raises
    ------
    DataError
        No run has one.
    """
    scored: list[Scored] = []
    happened: list[Happened] = []
    for one in collected.named:
        choice = chosen[one.log.claim.tool]
        series = one.log.series.get(choice.name or "")
        if series is None or choice.name is None:
            happened.append((one.log.place, Happening(policy="without_metric", where=_instead(one.log))))
            continue
        made, what = clean(series)
        happened += [(one.log.place, each) for each in what]
        if made.step.size:
            scored.append(Scored(named=one, metric=choice.name, series=made))
        else:
            happened.append((one.log.place, Happening(policy="without_values")))
    if not scored:
        raise _nothing(collected)
    return scored, happened


def _instead(log: Log) -> str:
    names = sorted(log.extents)
    return f"it has {', '.join(names[:3])}{' …' if len(names) > 3 else ''}" if names else "it has no series at all"


def _nothing(collected: Collected) -> DataError:
    names = sorted({name for one in collected.named for name in one.log.extents})
    listed = ", ".join(repr(name) for name in names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    there = f"the series there are {listed}" if names else "they hold no numbers at all"
    return DataError(
        f"{collected.tree.place}: none of {len(collected.named)} run(s) has a series that looks like a score; {there}; name one with "
        f"{series_option()}."
    )


def without_copies(scored: Sequence[Scored]) -> tuple[list[Scored], list[Happened]]:
    """Return the runs without those that a second tool logged, too: the same names, and the same values."""
    rank = {tool: i for i, tool in enumerate(TOOLS)}
    kept: dict[tuple[str, str, str], list[Scored]] = {}
    happened: list[Happened] = []
    for one in sorted(scored, key=lambda one: rank[one.named.log.claim.tool]):
        before = kept.setdefault(one.named.key, [])
        if any(_same(one, other) for other in before):
            happened.append(
                (one.named.log.place, Happening(policy="other_tool", where=TOOLS[one.named.log.claim.tool].title))
            )
        else:
            before.append(one)
    return [one for group in kept.values() for one in group], happened


def _same(one: Scored, other: Scored) -> bool:
    """Return whether two tools tell one value at the last step that both know, to the precision of a binary32."""
    if one.named.log.claim.tool == other.named.log.claim.tool:
        return False
    shared = sorted(set(one.series.step) & set(other.series.step))
    if not shared:
        return False
    a, b = (_value_at(each, shared[-1]) for each in (one, other))
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def _value_at(one: Scored, step: float) -> float:
    return float(one.series.value[int(one.series.step.searchsorted(step))])


def in_one_order(scored: Iterable[Scored]) -> list[Scored]:
    """Return the runs sorted by their names and places, so that the order of files changes nothing."""
    return sorted(scored, key=lambda one: (*one.named.key, one.named.log.place))
