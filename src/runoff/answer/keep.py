"""The answer to "keep this change, discard it, or run it again?", and the record of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff.answer.base import Record, Result, plain
from runoff.cells import ColumnsOf, Estimate, Name, Number, PValue, Table
from runoff.words.names import KeepMode
from runoff.words.numbers import counted, digits, estimated, exactly, p_equals, percent
from runoff.words.speech import Sentence

KeepDecision = Literal["keep", "discard", "run_more"]
KeepReason = Literal[
    "level",
    "first_run",
    "screening",
    "confirming",
    "worth_a_run",
    "screened",
    "futility",
    "shown",
    "not_shown",
    "gain",
    "budget",
    "superseded",
]
REASONS: dict[KeepReason, str] = {
    "level": "waits for the champion",
    "first_run": "not run yet",
    "screening": "screened",
    "confirming": "being confirmed",
    "worth_a_run": "another run is worth it",
    "screened": "not ahead in the screening",
    "futility": "too little ahead to be shown",
    "shown": "shown on fresh runs",
    "not_shown": "not shown in 16 fresh runs",
    "gain": "expected gain",
    "budget": "the budget was spent",
    "superseded": "another change was kept meanwhile",
}
"""The table's words for reasons; `level`: the champion needs more runs, `superseded`: another candidate became the champion meanwhile."""
VERBS: dict[KeepDecision, str] = {"keep": "Keep", "discard": "Discard", "run_more": "Run more of"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepProposal:
    """One proposal of a candidate.

    Attributes
    ----------
    turn : int
        1 for the first time that the candidate was proposed, and so on.
    lead, pvalue : float or None
        Its mean minus the champion's level at the decision, and the p-value of the test; in mode "gain", the expected gain and the
        probability of no gain.
    confirmation, level : int, float
        The number of its confirmation, and the share of alpha that this reserved; 0 without one.
    """

    candidate: str
    turn: int
    decision: KeepDecision
    reason: KeepReason
    n_runs: int
    lead: float | None
    pvalue: float | None
    confirmation: int
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepStep:
    """A champion of the search: the number of runs before it was kept, its level by runs that did not select it, and its gain over the start."""

    champion: str
    n_before: int
    n_runs: int
    estimate: float | None
    gain: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyStep:
    """A candidate whose first run scored higher than all before it: the number of runs of the search before it, and the gain that would be
    claimed for it."""

    candidate: str
    n_before: int
    gain: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepResult(Result):
    """The next thing to do in a search, and its record.

    Attributes
    ----------
    candidate : str or None
        The candidate that the answer is about; None if it is about the champion only.
    decision : "keep", "discard", "run_more" or None
        None if the champion has its runs and a candidate should be proposed.
    n_candidate, n_champion : int
        The number of runs to make before the next call.
    lead, pvalue : float or None
        As in `KeepProposal`.
    promise : str
        What the mode guarantees.
    champion : str
    record_level, n_record : float or None, int
        The champion's level by runs that did not select it (in mode "gain", runs that decided nothing), and their number.
    gain, low, high : float or None
        The champion's gain over the start, with its 95 % interval; None for the first champion.
    greedy_kept, greedy_gain : int, float or None
        The number of candidates that a greedy rule, keeping whatever scores higher in one run, would have kept, and the gain that it would
        have claimed.
    greedy_steps : tuple of GreedyStep
        The steps of the greedy rule, beginning with the first run of the start.
    alpha_spent : float
        The part of alpha that the confirmations begun so far have spent.
    again : tuple of str
        Discarded candidates that merit more runs, the most promising first.
    score_unit : str
        The unit of levels and gains.
    """

    proposals: tuple[KeepProposal, ...]
    steps: tuple[KeepStep, ...]
    candidate: str | None
    decision: KeepDecision | None
    reason: KeepReason | None
    n_candidate: int
    n_champion: int
    lead: float | None
    pvalue: float | None
    mode: KeepMode
    promise: str
    alpha: float
    alpha_spent: float
    champion: str
    n_runs: int
    budget: int | None
    record_level: float | None
    n_record: int
    gain: float | None
    low: float | None
    high: float | None
    greedy_kept: int
    greedy_gain: float | None
    greedy_steps: tuple[GreedyStep, ...]
    again: tuple[str, ...]
    score_unit: str
    sentence: str
    record_sentence: str
    notes: tuple[str, ...] = ()
    _table: ClassVar[str | None] = "proposals"

    def to_records(self) -> list[Record]:
        """Return the proposals."""
        return [plain(row) for row in self.proposals]

    def __bool__(self) -> bool:
        """Refuse to be yes or no: as a condition every answer would be a yes, a regression too."""
        raise TypeError(f"this answer is no yes or no: ask for result.decision, which is {self.decision!r}.")

    def tables(self) -> tuple[Table, ...]:
        """Return the table of proposals, if there are any, and that of champions, if the first champion has its runs."""
        return (
            *([self._proposals_table()] if self.proposals else []),
            *([self._steps_table()] if self.steps else []),
        )

    def _proposals_table(self) -> Table:
        column = ColumnsOf(self.proposals)
        columns = (
            column("candidate", "Candidate", lambda row: Name(row.candidate)),
            column("decision", "Decision", lambda row: row.decision.replace("_", " ")),
            column("reason", "Why", lambda row: REASONS[row.reason]),
            column("n_runs", "Runs"),
            column("lead", "Lead", lambda row: Number(row.lead)),
            column("pvalue", "p" if self.mode == "strict" else "Chance of no gain", lambda row: PValue(row.pvalue)),
            column("level", "Share of α", lambda row: Number(row.level or None, 2)),
        )
        unit = f", in {self.score_unit}" if self.score_unit != "scores" else ""
        caption = (
            f"Each candidate as often as it was proposed, with its lead over the champion's level{unit}; α = {exactly(self.alpha)}, spent "
            f"so far {digits(self.alpha_spent, 2)}."
            if self.mode == "strict"
            else f"Each candidate as often as it was proposed, with the gain that is expected of it{unit}."
        )
        return Table(role="proposals", title="Proposals", caption=caption, columns=columns)

    def _steps_table(self) -> Table:
        column = ColumnsOf(self.steps)
        columns = (
            column("champion", "Champion", lambda step: Name(step.champion)),
            column("n_before", "Kept after"),
            column("n_runs", "Runs that did not choose it"),
            column("estimate", "Level", lambda step: Number(step.estimate, 4)),
            column("gain", "Gain over the start", lambda step: _gain_cell(step)),
        )
        caption = f"Champions by runs that did not choose them, with 95{chr(160)}% intervals of the gain, in {self.score_unit}."
        return Table(role="champions", title="Champions", caption=caption, columns=columns)


def _gain_cell(step: KeepStep) -> Estimate | Number:
    if step.gain is None:
        return Number(None)
    return Estimate(step.gain, step.low, step.high)


# ── sentences ──────────


def promise_of(mode: str, alpha: float, *, renew: bool) -> str:
    """Return the guarantee of a mode."""
    if mode == "gain":
        return "Gain: the highest level at equal runs; it guarantees nothing of a single keep."
    if renew:
        return f"Strict, renewed: on average at most {exactly(alpha)} × (1 + true keeps) false keeps."
    return f"Strict: any false keep in at most {percent(alpha)} of searches, whenever one stops."


def answer_words(result: KeepResult, spread: float | None, n_fresh: int) -> Sentence:
    """Return the decision on the candidate with its reason and the guarantee of the mode; spread: the standard deviation of a run; n_fresh: the
    runs of its confirmation that decided."""
    if result.candidate is None and result.n_champion:
        why = "its level needs runs that did not choose it"
        return Sentence(f"Run {result.n_champion} more of the champion {result.champion}: {why}.")
    if result.candidate is None:
        return Sentence(f"The champion {result.champion} has its runs: propose a candidate. {result.promise}")
    then = f" Before the next candidate run {result.candidate} {result.n_champion} times more."
    crowned = then if result.decision == "keep" and result.n_champion else ""
    return Sentence(f"{_decided(result)}: {_because(result, spread, n_fresh)}.{crowned} {result.promise}")


def _decided(result: KeepResult) -> str:
    if result.decision != "run_more":
        return f"{VERBS[result.decision or 'discard']} {result.candidate}"
    own = [f"{result.n_candidate} more of {result.candidate}"] * (result.n_candidate > 0)
    champion = [f"{result.n_champion} {'more ' * (not own)}of the champion {result.champion}"] * (result.n_champion > 0)
    return f"Run {' and '.join([*own, *champion])}"


def _because(result: KeepResult, spread: float | None, n_fresh: int) -> str:
    """Return the reason for the decision, as a clause."""
    row = next((row for row in reversed(result.proposals) if row.candidate == result.candidate), None)
    # Two runs screen; of those beyond the sixteenth none is looked at, nor of those that were made beyond a decision.
    there = min(max((row.n_runs if row is not None else 0) - 2, 0), 16)
    ahead = "" if result.lead is None else _ahead(result.lead)
    half = "" if spread is None else f" ({digits(spread / 2)})"
    p = "" if result.pvalue is None else p_equals(result.pvalue)
    level = "" if row is None else f"confirmation {row.confirmation} may spend {digits(row.level, 2)}"
    expected = f"the gain that is expected of it is {digits(result.lead)}"
    clauses: dict[KeepReason, str] = {
        "level": "the champion's level needs runs that did not choose it",
        "first_run": "it has no run that counts yet",
        "screening": f"it is {ahead} in its first run, and two screen it",
        "confirming": f"{ahead and f'it is {ahead}; '}{there} of at most 16 fresh runs are there; {level}",
        "worth_a_run": f"{expected}, and another run is worth its price",
        "screened": f"it is {ahead} in the screening, which takes a lead of half a standard deviation{half}",
        "futility": f"it is {ahead} on {counted([n_fresh], 'fresh run')}, too little to be shown within 16",
        "shown": f"it is {ahead} on {n_fresh} fresh runs, {p}; {level}",
        "not_shown": f"it is {ahead} on 16 fresh runs, {p}; {level}",
        "gain": f"{expected}, with a chance of {percent(result.pvalue, 2)} that it gains nothing",
        "budget": f"the budget of {result.budget} runs is spent, and nothing was shown of it",
        "superseded": f"{result.champion} became the champion meanwhile; build the change on it and propose it again",
    }
    return clauses[result.reason or "level"]


def _ahead(lead: float) -> str:
    return f"{digits(abs(lead))} {'ahead of' if lead >= 0 else 'behind'} the champion"


def record_words(result: KeepResult) -> Sentence:
    """Return the gain that can be claimed so far, and the gain that a greedy rule would have claimed."""
    if not result.steps:
        return Sentence(f"The champion {result.champion} has too few runs for a level.")
    # In gain its runs before the last decision did not choose it either, but they decided on others.
    strict = result.mode == "strict"
    if result.record_level is None:
        none = (
            "No run of the champion {} did not choose it"
            if strict
            else "Each run of the champion {} was used by a decision"
        )
        return Sentence(f"{none.format(result.champion)}: run some for its record.")
    runs = f"{counted([result.n_record], 'run')} that {'did not choose it' if strict else 'no decision has used'}"
    level = f"The champion {result.champion} has a level of {digits(result.record_level, 4)}, by {runs}"
    over = "" if result.gain is None else estimated(result.gain, result.low, result.high)
    gained = f"it gained {over} over the start" if over else "nothing was kept yet"
    greedy = ""
    if result.greedy_gain is not None and result.proposals:
        kept = counted([result.greedy_kept], "change")
        greedy = f" A greedy rule would have kept {kept} and claimed a gain of {digits(result.greedy_gain)}."
    return Sentence(f"{level}; {gained}.{greedy}")
