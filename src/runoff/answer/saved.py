"""Saved comparisons: the verdicts in results.json and in the output of `compare --json`, with the facts that can explain later why they changed.

A file of an older version contains less; missing facts are None or absent, and never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from runoff.answer.base import Advice, Record, filled, plain, seen_from_b
from runoff.answer.comparison import ComparisonResult
from runoff.answer.pair import PairVerdict, agreeing
from runoff.base.bounds import limit
from runoff.base.signed import read_json
from runoff.base.validate import typed
from runoff.errors import DataError
from runoff.words.measures import even_of
from runoff.words.patterns import regex
from runoff.words.speech import neutral

COMPARE = "runoff.compare/1"
"""The name and the version of the output of `compare --json`."""
READABLE = ("runoff.report/2", "runoff.report/3", COMPARE)
"""The schemas that can be read."""
FAMILY = regex(r"runoff\.(report|compare)/")
MARK = regex(rb'"schema"\s*:\s*"runoff\.(report|compare)/')
"""The text by which a saved comparison is recognised, wherever in the file it stands."""
UNMARKED = frozenset({"records", "data", "notes", "warnings", "advice"})
"""The keys of `compare --json` from the time before it named its schema; `to_json` has those of `SETTINGS`."""
BEFORE_03 = MappingProxyType(
    {"low": "own_low", "high": "own_high", "decided_low": "low", "decided_high": "high"},
)
"""Names of a pair's interval ends before version 0.3, when `low` and `high` were the pair's own interval, each with today's name."""
IN_FOLDER = "results.json"
SETTINGS: Mapping[str, Any] = {
    "measure": str,
    "correction": str,
    "control": str | None,
    "alpha": float,
    "confidence_level": float,
    "seed": int,
    "n_resamples": int,
}
"""The settings of a comparison: keys of a saved comparison that are fields of `ComparisonResult`. Each pair records the other settings."""
RunCell: TypeAlias = tuple[str, str]
Cells = Mapping[RunCell, Mapping[str, float]]
"""(algorithm, task) -> run -> score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPair:
    """The part of a pair that is compared with another result; the fields are those of `Pair`."""

    a: str
    b: str
    verdict: PairVerdict
    measure: str
    estimate: float
    test: str
    own_low: float | None = None
    own_high: float | None = None
    low: float | None = None
    high: float | None = None
    pvalue_adjusted: float | None = None
    margin: float | None = None
    over: str = "runs"
    episodes: bool = False
    unjudged: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    advice: tuple[Advice, ...] = ()

    def turned(self) -> SavedPair:
        whole = 2 * even_of(self.measure)
        return seen_from_b(self, {"estimate": whole, "own": whole})

    @property
    def names(self) -> frozenset[str]:
        """The two algorithms, in either order."""
        return frozenset((self.a, self.b))

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The ends of the deciding interval, or of the pair's own; none if they contradict the verdict."""
        own = self.low is None or bool(self.unjudged)
        ends = (self.own_low, self.own_high) if own else (self.low, self.high)
        return ends if self.unjudged else agreeing(ends, self.verdict, self.measure)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedData:
    """The known facts about the data; the fields are those of `data` in results.json. `incomplete` is "" if a file does not record it."""

    algorithms: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    n_runs: tuple[tuple[int, ...], ...] = ()
    path: str | None = None
    sha256: str | None = None
    incomplete: str | None = ""
    reference: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedComparison:
    """One side of a diff.

    Attributes
    ----------
    version : str or None
        The version of runoff, if known.
    pairs : tuple of SavedPair
    settings : mapping
        The known settings among `SETTINGS`.
    leader : str or None
        The leader; None if there is none, or if it is not known (`led`).
    data : SavedData
    scores : mapping or None
        The score of each run by (algorithm, task), if known.
    advice : tuple of Advice or None
        Advice on the comparison as a whole; None if it cannot be separated from that of a report.
    report : tuple of Advice or None
        All advice in a report.
    """

    version: str | None = None
    pairs: tuple[SavedPair, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    leader: str | None = None
    led: bool = False
    data: SavedData = field(default_factory=SavedData)
    scores: Cells | None = None
    advice: tuple[Advice, ...] | None = None
    report: tuple[Advice, ...] | None = None


def comparison_record(comparison: ComparisonResult) -> Record:
    """Return what is saved with the pairs of a comparison: its settings, the leader, and the standing of the others relative to the leader."""
    record = {key: getattr(comparison, key) for key in SETTINGS}
    return record | _of_leader(comparison) | {"family_advice": plain(comparison.advice)}


def saved(comparison: ComparisonResult) -> SavedComparison:
    """Return a comparison in the form in which it would be read from a file, without facts about its data."""
    return SavedComparison(
        pairs=tuple(filled(SavedPair, pair) for pair in comparison.pairs),
        settings={key: getattr(comparison, key) for key in SETTINGS},
        leader=comparison.leader if comparison.pairs else None,
        led=bool(comparison.pairs),
        advice=comparison.advice,
    )


def _of_leader(comparison: ComparisonResult) -> Record:
    if not comparison.pairs:
        return {}
    # A place needs a verdict. The key stays, so that a program need not ask whether there is one.
    if not comparison.standing.judged:
        return {"leader": None, "real": plain(comparison.real)}
    questions = ("real", "across_tasks", "other_measures")
    return {
        "leader": comparison.leader,
        "standing": dict(comparison.standing.places),
        **{question: plain(getattr(comparison, question)) for question in questions},
    }


# ── reading ──────────


def saved_at(path: str | Path) -> SavedComparison | None:
    """Return the comparison in a file, or in results.json of a folder; None if it is something else, such as runs."""
    where = Path(path)
    where = where / IN_FOLDER if where.is_dir() else where
    try:
        if where.suffix.casefold() != ".json" or not where.is_file() or where.stat().st_size > limit("bytes"):
            return None
        marked = MARK.search(where.read_bytes()) is not None
    except OSError:
        return None
    try:
        content = read_json(where, "result")
    except DataError:
        # Without the mark it may be runs, whose reader says what is wrong with them.
        if marked:
            raise
        return None
    if not isinstance(content, dict) or not (marked or _unmarked(content)):
        return None
    return saved_of(content, str(where))


def _unmarked(content: Record) -> bool:
    rows = content.get("records")
    ours = content.keys() >= UNMARKED or content.keys() >= SETTINGS.keys()
    return ours and isinstance(rows, list) and all(_of_pair(row) for row in rows)


def _of_pair(row: Any) -> bool:
    return isinstance(row, dict) and row.keys() >= {"a", "b", "verdict", "measure"}


def saved_of(content: Record, place: str) -> SavedComparison:
    """Return a saved comparison; refuse another schema, and content that runoff does not write."""
    schema = content.get("schema", COMPARE)
    if schema not in READABLE:
        newer = "; install the version of runoff that wrote it, or a later one" if FAMILY.match(str(schema)) else ""
        raise DataError(f"{place}: its schema is {schema!r}, and {', '.join(READABLE)} are read{newer}.")
    try:
        return _read(content, place, report=schema != COMPARE)
    except DataError as error:
        message = f"{neutral(error).rstrip('.')}; take a copy that is whole, or make the result again."
        raise DataError(message) from error


def _read(content: Record, place: str, *, report: bool) -> SavedComparison:
    data = SavedData() if content.get("data") is None else _fields(SavedData, content["data"], f"{place}: data")
    if [len(row) for row in data.n_runs] != [len(data.tasks)] * len(data.algorithms):
        raise DataError(f"{place}: data, n_runs has no number for each algorithm and task.")
    # `compare --json` has the notes of the data among its own.
    data = replace(data, notes=(*data.notes, *typed(tuple[str, ...], content.get("notes", []), f"{place}: notes")))
    # The pairs of a report were its `comparisons` until 0.3.
    rows = content.get("pairs", content.get("comparisons")) if report else content.get("records")
    if not isinstance(rows, list):
        raise DataError(f"{place} holds no pairs.")
    rows = [_named_as_today(row) for row in rows]
    advice = typed(tuple[Advice, ...], content.get("advice", []), f"{place}: advice")
    family = content.get("family_advice")
    return SavedComparison(
        version=typed(str | None, content.get("version"), f"{place}: version"),
        pairs=_pairs([_fields(SavedPair, row, f"{place}: pair {at}") for at, row in enumerate(rows, 1)], place),
        settings={
            key: typed(kind, content[key], f"{place}: {key}") for key, kind in SETTINGS.items() if key in content
        },
        leader=typed(str | None, content.get("leader"), f"{place}: leader"),
        led="leader" in content,
        data=data,
        scores=_scores(content.get("scores"), f"{place}: scores"),
        advice=typed(tuple[Advice, ...], family, f"{place}: family_advice")
        if family is not None
        else None
        if report
        else advice,
        report=advice if report else None,
    )


def _named_as_today(row: Any) -> Any:
    old = isinstance(row, dict) and "decided_low" in row
    return {BEFORE_03.get(key, key): value for key, value in row.items()} if old else row


def _fields(kind: Any, value: Any, place: str) -> Any:
    """Return a record of `kind`; other fields in the file are ignored."""
    names = {f.name for f in fields(kind)}
    return typed(kind, {k: v for k, v in value.items() if k in names} if isinstance(value, dict) else value, place)


def _pairs(pairs: list[SavedPair], place: str) -> tuple[SavedPair, ...]:
    places: dict[frozenset[str], int] = {}
    for at, pair in enumerate(pairs, 1):
        first = places.setdefault(pair.names, at)
        if first != at or pair.a == pair.b:
            raise DataError(f"{place}: pair {at} is of {pair.a!r} and {pair.b!r}, as pair {first} is.")
    return tuple(pairs)


def _scores(value: Any, place: str) -> Cells | None:
    if value is None:
        return None
    cells = {}
    try:
        for algorithm, tasks in value.items():
            for task, runs in tasks.items():
                cells[algorithm, task] = {
                    run: typed(float, score, f"{place} of {algorithm} on {task}") for run, score in runs.items()
                }
    except AttributeError:
        raise DataError(f"{place} are not what runoff writes there: {repr(value)[:60]}.") from None
    return cells
