"""The answer to "what changed between two results?": verdicts, leaders, intervals and cautions, with the possible causes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runoff.answer.base import Result, Severity
from runoff.answer.pair import PairVerdict
from runoff.cells import Cell, Chance, ColumnsOf, Estimate, Name, Number, PValue, Table, Verdict, VerdictKind
from runoff.words.names import capital
from runoff.words.numbers import counted, joined, some

PairChangeName = Literal["verdict", "numbers", "only_old", "only_new"]
Cause = Literal["runs", "test", "family", "options", "version", "unknown"]
CHANGES: Mapping[PairChangeName, str] = {
    "verdict": "verdict",
    "numbers": "numbers",
    "only_old": "only in the old",
    "only_new": "only in the new",
}
CAUSES: Mapping[Cause, str] = {
    "runs": "its runs",
    "test": "its test",
    "family": "the other pairs",
    "options": "options",
    "version": "version",
    "unknown": "not known",
}
"""The table's words for the possible causes of a change."""
TEST, VERSION = "test", "version"
"""Causes that are listed as options although they are none: the pairs' tests and the version of runoff."""
VERDICTS: Mapping[PairVerdict, tuple[VerdictKind, str]] = {
    "a_better": ("higher", "first better"),
    "b_better": ("lower", "second better"),
    "no_difference_found": ("not_found", "no difference found"),
    "equivalent": ("equivalent", "equivalent"),
    "no_verdict": ("not_tested", "no verdict"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPair:
    """A pair that changed; both sides are given as a − b, in the order of the old result.

    Attributes
    ----------
    a, b : str
    change : "verdict", "numbers", "only_old" or "only_new"
        "numbers": the verdict is the same, and the estimate, an end of an interval or the adjusted p-value differs by more than rounding.
    old_verdict, new_verdict : str or None
        The verdict as in `compare`; None if the pair was not compared.
    old_measure, new_measure : str or None
        The measure that the estimates are of.
    old_estimate, old_low, old_high, old_pvalue : float or None
        The estimate, the ends of the deciding interval (if they agree with the verdict), and the adjusted p-value.
    new_estimate, new_low, new_high, new_pvalue : float or None
    why : tuple of "runs", "test", "family", "options", "version" or "unknown"
        The differences between the two results that concern the pair: its own runs; its test; the family, meaning runs or tests of other
        pairs, or the set of pairs; an option; the version of runoff. "unknown": no known difference. Empty for pairs that only one side has.
    """

    a: str
    b: str
    change: PairChangeName
    old_verdict: PairVerdict | None
    new_verdict: PairVerdict | None
    old_measure: str | None
    new_measure: str | None
    old_estimate: float | None
    old_low: float | None
    old_high: float | None
    new_estimate: float | None
    new_low: float | None
    new_high: float | None
    old_pvalue: float | None
    new_pvalue: float | None
    why: tuple[Cause, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCaution:
    """Advice that only one side has, or that the two sides have with different severities.

    Attributes
    ----------
    code : str
    old_severity, new_severity : "warning", "caution", "info" or None
        None if that side does not give the advice.
    subjects : tuple of str
        The algorithms, or pairs as "A – B", to which it applies; empty if it applies to all.
    text : str
        The text for the first of them.
    """

    code: str
    old_severity: Severity | None
    new_severity: Severity | None
    subjects: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOption:
    """An option, or the version, that differs; each side is a text, None if it has no such option."""

    option: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRuns:
    """The runs of an algorithm on a task, if they differ.

    Attributes
    ----------
    algorithm, task : str
    old_runs, new_runs : int
        The number of runs.
    added, removed, rescored : int or None
        The number of runs that only one side has, and of runs with the same label but another score; None if a side does not contain its scores.
    old_mean, new_mean : float or None
        Mean scores; None without runs, or if scores are not known.
    """

    algorithm: str
    task: str
    old_runs: int
    new_runs: int
    added: int | None
    removed: int | None
    rescored: int | None
    old_mean: float | None
    new_mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffResult(Result):
    """The changes between two results; whatever is the same on both sides has no row.

    Attributes
    ----------
    pairs : tuple of DiffPair
        Pairs with another verdict first, then those with other numbers, then those of one side only.
    cautions : tuple of DiffCaution
    options : tuple of DiffOption
        Options and the version of runoff that differ, as far as both sides record them.
    runs : tuple of DiffRuns
    old_leader, new_leader : str or None
        The leader; None if there is none, or if a file does not name it.
    n_verdicts : int
        The number of pairs that both sides have.
    notes : tuple of str
        Notes on how the two were matched, on what only one side has, and on what cannot be known.
    """

    _table = "pairs"

    pairs: tuple[DiffPair, ...]
    cautions: tuple[DiffCaution, ...]
    options: tuple[DiffOption, ...]
    runs: tuple[DiffRuns, ...]
    old_leader: str | None
    new_leader: str | None
    n_verdicts: int
    sentence: str
    notes: tuple[str, ...] = ()

    @property
    def n_changed(self) -> int:
        """The number of pairs, among those that both sides have, with another verdict."""
        return sum(pair.change == "verdict" for pair in self.pairs)

    def tables(self) -> tuple[Table, ...]:
        """Return tables of changed pairs, of cautions that appeared or disappeared, of leaders and options, and of runs; only the third is
        always there.
        """
        changed = (_pairs_table(self) if self.pairs else None, _cautions_table(self) if self.cautions else None)
        beside = (_sides_table(self), _runs_table(self) if self.runs else None)
        return tuple(table for table in (*changed, *beside) if table is not None)


def _pairs_table(result: DiffResult) -> Table:
    column = ColumnsOf(result.pairs)
    columns = (
        column("a", "First", lambda pair: Name(pair.a)),
        column("b", "Second", lambda pair: Name(pair.b)),
        column("change", "Changed", lambda pair: CHANGES[pair.change], narrowest="screen"),
        column("old_verdict", "Old verdict", lambda pair: _verdict(pair.old_verdict)),
        column("new_verdict", "New verdict", lambda pair: _verdict(pair.new_verdict)),
        column("old", "Old", lambda p: _estimate(p.old_measure, p.old_estimate, p.old_low, p.old_high)),
        column("new", "New", lambda p: _estimate(p.new_measure, p.new_estimate, p.new_low, p.new_high)),
        column("old_pvalue", "Old p", lambda pair: PValue(pair.old_pvalue)),
        column("new_pvalue", "New p", lambda pair: PValue(pair.new_pvalue)),
        column("why", "What differs", lambda pair: ", ".join(map(CAUSES.__getitem__, pair.why)), narrowest="screen"),
    )
    return Table(
        role="changed_pairs",
        title=capital(_verdicts_words(result.n_changed, result.n_verdicts))
        if result.n_verdicts
        else "No pair is on both sides",
        caption=(
            "Pairs with another verdict, then those with other numbers, then those that one side alone has. Old and new: the measure of the "
            "pair, first − second (or the chance that the first scores higher), with the interval at the level of the test; p is adjusted."
        ),
        columns=columns,
    )


def _verdict(verdict: PairVerdict | None) -> Cell:
    return Verdict("not_tested", "not compared") if verdict is None else Verdict(*VERDICTS[verdict])


def _estimate(measure: str | None, *numbers: float | None) -> Cell:
    return (Chance if measure == "improvement" else Estimate)(*numbers)


def _cautions_table(result: DiffResult) -> Table:
    column = ColumnsOf(result.cautions)
    columns = (
        column("code", "Code", lambda caution: Name(caution.code, "other")),
        column("old_severity", "Old", lambda caution: caution.old_severity or "–"),
        column("new_severity", "New", lambda caution: caution.new_severity or "–"),
        column("subjects", "Of", lambda caution: ", ".join(caution.subjects) or "all"),
        column("text", "Text", narrowest="page"),
    )
    title = "Cautions that came or went"
    return Table(role="changed_cautions", title=title, caption="How severe each is on either side.", columns=columns)


def _sides_table(result: DiffResult) -> Table:
    rows = [("leader", result.old_leader or "–", result.new_leader or "–")]
    rows += [(option.option, option.old or "–", option.new or "–") for option in result.options]
    column = ColumnsOf(rows)
    columns = (
        column("option", "", lambda row: Name(row[0], "other")),
        column("old", "Old", lambda row: row[1]),
        column("new", "New", lambda row: row[2]),
    )
    caption = "The leader, and of options and the version of runoff those that differ."
    return Table(role="old_and_new", title="Old and new", caption=caption, columns=columns)


def _runs_table(result: DiffResult) -> Table:
    column = ColumnsOf(result.runs)
    columns = (
        column("algorithm", "Algorithm", lambda row: Name(row.algorithm)),
        column("task", "Task", lambda row: Name(row.task, "task")),
        column("old_runs", "Old runs"),
        column("new_runs", "New runs"),
        column("added", "Added"),
        column("removed", "Removed"),
        column("rescored", "Other score"),
        column("old_mean", "Old mean", lambda row: Number(row.old_mean)),
        column("new_mean", "New mean", lambda row: Number(row.new_mean)),
    )
    caption = (
        "Runs of each algorithm and task that are not the same on both sides; a dash marks what a side does not state."
    )
    return Table(role="changed_runs", title="Runs that differ", caption=caption, columns=columns)


# ── in words ──────────


NAMED = 2
"""The largest number of options that the sentence names; more are counted."""


def diff_words(result: DiffResult, *, led: bool, complete: bool) -> str:
    """Return the changes and their possible causes as a sentence; led: both sides name their leader; complete: both sides record everything
    that may be a cause."""
    changes, causes = _change_words(result, led=led), list(_cause_words(result))
    nothing = "no verdict changed" if causes else "nothing changed"
    text = capital("; ".join(changes or [nothing if result.n_verdicts else "no pair is on both sides"]))
    if not causes:
        same = f"runs, options and version are the same{'' if complete else ', as far as both sides record them'}"
        unexplained = complete and any(pair.why == ("unknown",) for pair in result.pairs)
        elsewhere = ", so that it is another build of runoff, or another machine" if unexplained else ""
        return f"{text}{';' if changes else ':'} {same}{elsewhere}."
    if not changes:
        return f"{text}{', although' if result.n_verdicts else '; between the two'} {joined(causes)}."
    return (
        f"{text}, because {causes[0]}."
        if complete and len(causes) == 1
        else f"{text}; between the two {joined(causes)}."
    )


def _change_words(result: DiffResult, *, led: bool) -> list[str]:
    """Return a clause for each kind of change that occurred."""
    of = {change: [pair for pair in result.pairs if pair.change == change] for change in CHANGES}
    verdicts = _verdicts_words(result.n_changed, result.n_verdicts)
    clauses = []
    if of["verdict"]:
        clauses.append(f"{verdicts}: {some(map(_pair_words, of['verdict']))}")
    elif result.n_verdicts and (result.pairs or result.cautions):
        clauses.append(verdicts)
    if of["numbers"]:
        clauses.append(
            f"{counted([len(of['numbers'])], 'pair')} of the same verdict {_verb('has', of['numbers'])} other numbers"
        )
    clauses += [
        f"{counted([len(of[side])], 'pair')} {_verb('is', of[side])} {CHANGES[side]} result"
        for side in ("only_old", "only_new")
        if of[side]
    ]
    if led and result.old_leader != result.new_leader:
        clauses.append(f"the leader was {result.old_leader or 'nobody'} and is {result.new_leader or 'nobody'}")
    if result.cautions:
        came = sum(row.old_severity is None for row in result.cautions)
        went = sum(row.new_severity is None for row in result.cautions)
        moved = len(result.cautions) - came - went
        words = [f"{n} {what}" for n, what in ((came, "came"), (went, "went"), (moved, "changed in severity")) if n]
        clauses.append(f"of the cautions {joined(words)}")
    return clauses


def _pair_words(pair: DiffPair) -> str:
    old, new = (_verdict_words(pair, verdict) for verdict in (pair.old_verdict, pair.new_verdict))
    return f"{pair.a} and {pair.b} ({old}, now {new})"


def _verdicts_words(n_changed: int, n: int) -> str:
    """Return how many of the verdicts that both sides have changed."""
    if n == 1:
        return f"the one verdict on both sides {'changed' if n_changed else 'did not change'}"
    return f"{n_changed or 'none'} of {n} verdicts changed"


def _verdict_words(pair: DiffPair, verdict: PairVerdict | None) -> str:
    winner = {"a_better": pair.a, "b_better": pair.b}.get(str(verdict))
    return f"{winner} better" if winner else str(verdict).replace("_", " ")


def _verb(verb: Literal["has", "is"], rows: Sequence[object]) -> str:
    return verb if len(rows) == 1 else {"has": "have", "is": "are"}[verb]


def _cause_words(result: DiffResult) -> Iterator[str]:
    """Yield a clause for each kind of possible cause: runs, version, options."""
    tallied = [row for row in result.runs if row.added is not None]
    if tallied:
        kinds = (("added", "added"), ("removed", "removed"), ("rescored", "given another score"))
        counts = [(sum(getattr(row, key) for row in tallied), words) for key, words in kinds]
        some_runs = [(n, words) for n, words in counts if n]
        n, words = some_runs[0]
        rest = [f"{more} {done}" for more, done in some_runs[1:]]
        yield joined([f"{counted([n], 'run')} {'was' if n == 1 else 'were'} {words}", *rest])
    elif result.runs:
        yield f"the number of runs differs in {counted([len(result.runs)], 'cell')}"
    options = [row for row in result.options if row.option != VERSION]
    for row in result.options:
        if row.option == VERSION:
            yield f"runoff {row.old} became {row.new}"
    if len(options) > NAMED:
        yield f"{len(options)} options differ"
    elif options:
        yield joined([f"{row.option} was {row.old or 'none'} and is {row.new or 'none'}" for row in options])
