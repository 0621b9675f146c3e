"""A search as recorded in its ledger: trials of several candidates against one champion, the decisions, and the claims that can be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from types import MappingProxyType

from runoff._inference.search import gain, strict
from runoff._inference.search.gain import Gain
from runoff._inference.search.strict import Strict
from runoff._inference.search.trial import UNLIMITED, Moments, RecordClaim, Step, Trial, discard, lead_over
from runoff.data.copies import copied, shown
from runoff.data.ledger import LedgerCall, LedgerFile, LedgerRun, LedgerSettings
from runoff.errors import DataError, DesignError
from runoff.words.names import KeepMode
from runoff.words.speech import choice

LAWS: Mapping[KeepMode, Callable[[LedgerSettings], Strict | Gain]] = MappingProxyType(
    {
        "strict": lambda settings: Strict(settings.alpha, settings.renew, settings.beside),
        "gain": lambda settings: Gain(settings.proposals or max(1, (settings.budget or 300) // RUNS_EACH)),
    }
)
"""The laws of a search by name."""
RUNS_EACH = 3
"""The runs of a budget for each candidate, if the expected number of candidates was not given."""
TELLING = 9
"""Digits of a score that never comes again by chance, whatever the others are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A trial that is over, or still runs (its decision is run_more).

    Attributes
    ----------
    turn : int
        How often the candidate was proposed by then.
    n_fresh : int
        Runs of its confirmation at which the law has looked; `n_runs` are all that were made.
    first : float
        Its first run.
    """

    candidate: str
    turn: int
    step: Step
    n_runs: int
    n_fresh: int
    first: float | None
    mean: float | None
    number: int
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reign:
    """A champion: its name, the runs of the search before it, and what its fresh runs say of it and of its gain over the start."""

    champion: str
    n_before: int
    claim: RecordClaim


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScale:
    """How the scores of a run on all tasks become one number: frozen once the first champion has its runs."""

    means: tuple[float, ...] = (0.0,)
    spreads: tuple[float, ...] = (1.0,)

    def of(self, scores: Sequence[float]) -> float:
        """Return the mean over tasks of (score − start) / spread."""
        rows = zip(scores, self.means, self.spreads, strict=True)
        return sum((score - mean) / spread for score, mean, spread in rows) / len(self.means)


def scale_of(tasks: Sequence[str], runs: Sequence[Sequence[float]]) -> RunScale:
    """Return the scale of the first champion's runs; refuse runs that do not vary."""
    columns = [Moments.of(column) for column in zip(*runs, strict=True)]
    items = len(tasks) > 1 and all(score in (0.0, 1.0) for row in runs for score in row)
    if items or len(tasks) == 1:
        scale = RunScale(means=(0.0,) * len(tasks), spreads=(1.0,) * len(tasks))
        if len({scale.of(row) for row in runs}) == 1:
            raise DesignError(
                f"the {len(runs)} runs of the champion all have the score {scale.of(runs[0]):g}, so nothing says how far chance reaches: "
                "give runs of different seeds; scores without noise need no judge."
            )
        return scale
    for task, column in zip(tasks, columns, strict=True):
        if column.squares == 0:
            raise DesignError(
                f"the {len(runs)} runs of the champion all have the score {column.mean:g} on task {task!r}, so nothing scales it: leave that "
                f"task out ({choice('data.select(tasks=…)', '--tasks')}), or give runs of different seeds."
            )
    spreads = tuple(sqrt(column.squares / (column.n - 1)) for column in columns)
    return RunScale(means=tuple(column.mean for column in columns), spreads=spreads)


@dataclass(slots=True)
class SearchState:
    """A search, made of the lines of its ledger (`fold`)."""

    settings: LedgerSettings
    law: Strict | Gain
    champion: str
    scale: RunScale | None = None
    waiting: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    runs: dict[tuple[str, str], tuple[float, ...]] = field(default_factory=dict)
    configs: dict[str, str] = field(default_factory=dict)
    trials: dict[str, Trial] = field(default_factory=dict)
    ended: list[Ended] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    superseded: set[str] = field(default_factory=set)
    steps: dict[str, Step] = field(default_factory=dict)
    reigns: list[Reign] = field(default_factory=list)
    n_runs: int = 0
    n_champion: int = 0
    crowned_at: int = 0
    spent: float = 0.0
    firsts: dict[str, tuple[int, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: LedgerSettings) -> SearchState:
        """Return a search before its first run."""
        return cls(settings, LAWS[settings.mode](settings), settings.champion)

    @classmethod
    def fold(cls, ledger: LedgerFile, settings: LedgerSettings) -> SearchState:
        """Return the search of a ledger; refuse one whose answers do not follow from its runs."""
        state = cls.of(settings)
        for number, call in enumerate(ledger.calls, start=2):
            if state.answered(call) != call:
                raise DataError(
                    f"the answer on line {number} of the ledger {ledger.path} does not follow from its runs: another version of runoff wrote "
                    "it; go on with that version, or begin another ledger."
                )
        return state

    @property
    def left(self) -> float:
        """Runs of the budget that are not made yet."""
        return UNLIMITED if self.settings.budget is None else self.settings.budget - self.n_runs

    @property
    def start(self) -> int:
        """Runs of the first champion before anything is judged."""
        return strict.START if self.settings.mode == "strict" else gain.START

    @property
    def n_short(self) -> int:
        """Runs of the champion that are needed before a candidate is judged."""
        return self.start - len(self.waiting) if self.scale is None else self.law.n_short

    # ── a call ──────────

    def answered(self, call: LedgerCall) -> LedgerCall:
        """Take the runs of a call, and return it with its answer."""
        for run in call.champion:
            self._champion_run(run)
        if call.candidate is None:
            return replace(call, decision=None, reason=None, n_champion=self.n_short)
        if call.settings is not None:
            self.configs[call.candidate] = call.settings
        step, trial = self._judged(call.candidate, call.runs)
        self.steps[call.candidate] = step
        number, level = (trial.number, trial.level) if trial is not None else (0, 0.0)
        return replace(
            call,
            decision=step.decision,
            reason=step.reason,
            n_candidate=step.n_candidate,
            n_champion=step.n_champion,
            number=number,
            level=level,
        )

    def _champion_run(self, run: LedgerRun) -> None:
        self.n_runs += 1
        self.n_champion += 1
        self.runs[self.champion, run.run] = run.scores
        if self.scale is not None:
            self.law.champion_run(self.scale.of(run.scores), run.run)
            return
        self.waiting.append((run.run, run.scores))
        if len(self.waiting) >= self.start:
            self.scale = scale_of(self.settings.tasks, [scores for _, scores in self.waiting])
            for label, scores in self.waiting:
                self.law.champion_run(self.scale.of(scores), label)
            self.firsts[self.champion] = 0, self.scale.of(self.waiting[0][1])

    def _judged(self, name: str, runs: Sequence[LedgerRun]) -> tuple[Step, Trial | None]:
        for run in runs:
            self.n_runs += 1
            self.runs[name, run.run] = run.scores
        if name in self.superseded:
            # It ran on beside the old champion while another took its place, and hears of it now.
            self.superseded.discard(name)
            return discard("superseded"), None
        trial = self.trials.get(name)
        if trial is None and not runs:
            last = self.last_step(name)
            # A decision is told again; of a candidate without a run what is asked for depends on the champion's runs by now.
            return last if last is not None and last.decision != "run_more" else self._first_step(name), None
        if trial is None:
            self.turns[name] = self.turns.get(name, 0) + 1
            trial = self.trials[name] = Trial(name, self.turns[name])
        trial.raw += [run.scores for run in runs]
        trial.labels += [run.run for run in runs]
        return self._advanced(trial), trial

    def _first_step(self, name: str) -> Step:
        """Return what to do with a candidate that has no run."""
        step = first_run(self.n_short) if self.n_short else self.law.step(Trial(name), self.left)
        return discard("budget") if step.n_candidate + step.n_champion > self.left else step

    def _advanced(self, trial: Trial) -> Step:
        if self.scale is None:
            return Step(decision="run_more", reason="level", n_champion=self.n_short)
        trial.values += [self.scale.of(scores) for scores in trial.raw[len(trial.values) :]]
        self.firsts.setdefault(trial.name, (self.n_runs - len(trial.raw), trial.values[0]))
        before = trial.number
        while True:
            step = self.law.step(trial, self.left)
            if not (step.n_candidate and trial.n_pending):
                break
            self.law.use(trial)
        if trial.number != before:
            self.spent += trial.level
        if step.decision == "run_more" and step.n_candidate + step.n_champion > self.left:
            step = discard("budget", step.lead)
        if step.decision != "run_more":
            self._end(trial, step)
        return step

    def _end(self, trial: Trial, step: Step) -> None:
        if step.decision == "keep":
            for other in [other for other in self.trials.values() if other is not trial]:
                self._close(other, discard("superseded"))
                self.superseded.add(other.name)
            self.reigns.append(self.reign)
        self._close(trial, step)
        if step.decision == "keep":
            self.champion, self.crowned_at = trial.name, self.n_runs
            if self.settings.renew:
                self.spent = 0.0

    def _close(self, trial: Trial, step: Step) -> None:
        self.ended.append(ended(trial, step))
        self.law.close(trial, step, self.left)
        del self.trials[trial.name]

    def last_step(self, name: str | None) -> Step | None:
        """Return the last answer about a candidate."""
        return None if name is None else self.steps.get(name)

    def marks(self, name: str | None) -> tuple[object, ...]:
        """Return what a call about a candidate may change besides its runs."""
        trial = self.trials.get(name or "")
        return len(self.ended), name in self.superseded, trial is not None and (trial.n_used, trial.number)

    # ── what can be claimed ──────────

    @property
    def claim(self) -> RecordClaim:
        """What is claimed of the champion."""
        return self.law.record if self.scale is not None else RecordClaim(n=0, level=None)

    @property
    def unit(self) -> str:
        """The unit of levels and gains."""
        n = len(self.settings.tasks)
        if n == 1 or self.scale is None:
            return "scores"
        if set(self.scale.spreads) == {1.0}:
            return f"shares of {n} items"
        return f"standard deviations of the start, mean of {n} tasks"

    @property
    def proposals(self) -> list[Ended]:
        """All trials, those that are over first."""
        running = [ended(trial, self.steps.get(trial.name) or first_run()) for trial in self.trials.values()]
        return [*self.ended, *running]

    @property
    def reign(self) -> Reign:
        """The champion's reign so far, by its runs that did not choose it."""
        law = self.law
        claim = lead_over(law.fresh, law.start, law.noise.beside(law.fresh))
        return Reign(champion=self.champion, n_before=self.crowned_at, claim=claim)

    @property
    def again(self) -> list[str]:
        """Discarded candidates that deserve more runs, the most promising first."""
        return [] if self.scale is None else self.law.again()

    @property
    def greedy(self) -> list[tuple[str, int, float]]:
        """The steps of a rule that keeps whatever scores higher in one run: candidate, runs before it, and the gain that it claims."""
        steps: list[tuple[str, int, float]] = []
        for name, (n_before, first) in self.firsts.items():
            start = first if not steps else next(iter(self.firsts.values()))[1]
            if not steps or first - start > steps[-1][2]:
                steps.append((name, n_before, first - start))
        return steps


def first_run(n_champion: int = 0) -> Step:
    """Return the step of a candidate without a run."""
    return Step(decision="run_more", reason="first_run", n_candidate=1, n_champion=n_champion)


def ended(trial: Trial, step: Step) -> Ended:
    """Return a trial as it is remembered."""
    return Ended(
        candidate=trial.name,
        turn=trial.turn,
        step=step,
        n_runs=len(trial.raw),
        n_fresh=trial.confirmation.n,
        first=trial.values[0] if trial.values else None,
        mean=trial.mean if trial.n_used else None,
        number=trial.number,
        level=trial.level,
    )


# ── what is refused ──────────


def new_runs(state: SearchState, name: str, runs: Sequence[LedgerRun]) -> tuple[LedgerRun, ...]:
    """Return the runs that the ledger does not have; refuse one with another score than before, and one that is a copy of another."""
    new: list[LedgerRun] = []
    for run in runs:
        before = state.runs.get((name, run.run))
        if before is not None and before != run.scores:
            raise DataError(
                f"run {run.run!r} of {name!r} had the score {before[0]!r} and has {run.scores[0]!r} now: a run that was made again gets another "
                "name (seed), and a changed candidate too."
            )
        if before is None:
            _refuse_copy(state, name, run, new)
            new.append(run)
    return tuple(new)


def _refuse_copy(state: SearchState, name: str, run: LedgerRun, new: Sequence[LedgerRun]) -> None:
    others = [*state.runs.items(), *(((name, other.run), other.scores) for other in new)]
    same = [key for key, scores in others if scores == run.scores]
    if not same or not any(_only_a_copy(t, run, others) for t in range(len(run.scores))):
        return
    whose, label = same[0]
    raise DataError(
        f"run {run.run!r} of {name!r} has the score of run {label!r} of {whose!r}, {run.scores[0]!r}, to the last digit, as if it were given "
        "twice or had the same seed; a run counts once: run it anew with another seed. If they are two runs, write the score with fewer digits."
    )


def _only_a_copy(t: int, run: LedgerRun, others: Sequence[tuple[tuple[str, str], tuple[float, ...]]]) -> bool:
    """Return whether chance does not explain that a run has the score of another on a task."""
    if shown(run.scores[t])[0] >= TELLING:
        return True
    scores = [scores[t] for _, scores in others] + [run.scores[t]]
    return copied([run.scores[t]], scores, len(others)) is not None
