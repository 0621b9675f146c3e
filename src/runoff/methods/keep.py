"""Keep this change, discard it, or run it again? The judge inside a search, and its ledger."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from runoff._inference.search import LAWS, Ended, Reign, SearchState, Step, new_runs
from runoff.answer.keep import (
    GreedyStep,
    KeepProposal,
    KeepResult,
    KeepStep,
    answer_words,
    promise_of,
    record_words,
)
from runoff.base.ports import reading
from runoff.base.validate import check_alpha, check_choice, check_count, check_sample
from runoff.data.given import ScoresLike, as_scores, is_path
from runoff.data.ledger import LedgerCall, LedgerFile, LedgerRun, LedgerSettings, open_ledger, read_ledger
from runoff.data.protocol import TrainingSpans, refuse_other_spans, spans_of_training
from runoff.data.provenance import NEGATED
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError, OptionError, nearest
from runoff.words.names import KeepMode
from runoff.words.speech import choice, option

MODES = tuple(LAWS)
TASK = "task"
"""What the reader calls the one task of runs that name none."""
THE_CHAMPION = ""
"""The name of numbers that stand beside a candidate as the champion's."""
LEAVE_OUT = choice("scores.select(tasks=…)", "--tasks")
LEAST_BUDGET = 20
"""Runs of a budget in which a search can decide anything: those of the first champion, and one confirmation."""


@dataclass(frozen=True, slots=True)
class GivenRuns:
    """Runs of one algorithm, as a call brought them: by task, and how their scores were read; no tasks: numbers, on the task of the ledger."""

    name: str
    tasks: tuple[str, ...]
    runs: tuple[LedgerRun, ...]
    read_as: tuple[str, ...] = ()
    negated: bool = False
    training: TrainingSpans = field(default_factory=TrainingSpans)


class Ledger:
    """Keep this change, discard it, or run it again?

    A ledger is a JSONL file to which a search adds lines: the runs of the champion, those of each candidate, and the decisions. Several
    processes may use it at once.

    Parameters
    ----------
    path : path
        The file; the first runs of the champion create it.
    mode : "strict" or "gain"
        "strict" (default): at most `alpha` of searches have any false keep, whenever they stop and in whatever order candidates come.
        "gain": the highest level for the runs spent, without a guarantee.
    alpha : float
        For strict; 0.1 by default.
    budget : int, optional
        The number of runs in the whole search; gain spreads them over the proposals.
    proposals : int, optional
        For gain: the number of candidates you expect; by default a third of the budget.
    renew : bool
        For strict: each keep gives alpha back, so that on average there are at most alpha (1 + true keeps) false keeps.
    beside : bool
        For strict, on a machine that drifts: the champion is run again beside each confirmation, and only these runs of it count.
    lower_is_better : bool
        The scores are costs, and are negated.

    Notes
    -----
    All options are decided before the first run and kept in the file; an existing ledger needs only its path.

    Strict: two runs screen a candidate, and up to 16 fresh runs confirm it at a level that is reserved before the first of them; t tests
    follow after 8 and 16, with the pooled variance or the candidate's own, whichever is larger. Gain: the distribution of gains is learnt
    during the search, and a candidate is kept where its expected gain exceeds a tenth of a standard deviation times the chance that it gains
    nothing. docs/calibration.md has simulated error rates, levels, and how much a record overstates.

    Several tasks: a run's score is the mean of (score − start) / spread, with start and spread frozen at the start; scores 0 and 1 of
    several tasks are items, and a run's score is the share solved. Checked, decision by decision, against a slow twin and against the
    reference implementation of the rule.

    References
    ----------
    Newton 2002, "On a nonparametric recursive estimator of the mixing distribution" (gain).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import runoff as ro
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = ro.Ledger(pathlib.Path(folder.name, "night.jsonl"))
    >>> ledger.champion([1.31], name="base").sentence
    'Run 7 more of the champion base: its level needs runs that did not choose it.'
    >>> _ = ledger.champion([1.31, 0.92, 1.44, 1.05, 0.71, 1.12, 1.27, 0.88], name="base")
    >>> answer = ledger.propose([0.64], name="wider")
    >>> answer.decision, answer.lead < 0
    ('discard', True)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | Path,
        *,
        mode: KeepMode | None = None,
        alpha: float | None = None,
        budget: int | None = None,
        proposals: int | None = None,
        renew: bool | None = None,
        beside: bool | None = None,
        lower_is_better: bool | None = None,
    ) -> None:
        self.path = Path(path)
        wanted = {
            "mode": mode,
            "alpha": alpha,
            "budget": budget,
            "proposals": proposals,
            "renew": renew,
            "beside": beside,
            "lower_is_better": lower_is_better,
        }
        self._wanted: dict[str, Any] = {key: value for key, value in wanted.items() if value is not None}
        _check(self._wanted)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"

    def champion(self, runs: ScoresLike | Sequence[float], *, name: str | None = None) -> KeepResult:
        """Give runs of the champion, all so far or the new ones; the first runs create the ledger.

        Parameters
        ----------
        runs : list of numbers, Scores, data frame, dictionary or path
            Numbers are successive runs on one task: a longer list continues where the last ended.
        name : str, optional
            The champion's name, where `runs` has none.

        Returns
        -------
        KeepResult
            The runs that the champion lacks, and the record of the search.

        Raises
        ------
        DataError, DesignError
            Runs are of another algorithm, on other tasks, of another length, given twice, or without spread; the ledger was changed.
        OptionError
            Options differ from those of the ledger.
        """
        given = _given(runs, name)
        with open_ledger(self.path) as ledger:
            settings = self._settings(ledger, given)
            state = SearchState.fold(ledger, settings)
            new = new_runs(state, state.champion, _arranged(given, settings, state.champion))
            return _answer(ledger, state, LedgerCall(champion=new))

    def propose(
        self,
        runs: ScoresLike | Sequence[float],
        *,
        name: str | None = None,
        champion: ScoresLike | Sequence[float] | None = None,
        settings: Mapping[str, Any] | str | None = None,
    ) -> KeepResult:
        """Keep this candidate, discard it, or run it again?

        Parameters
        ----------
        runs : list of numbers, Scores, data frame, dictionary or path
            The candidate's runs, in order: all so far, or the new ones. Runs after a decision propose it again.
        name : str, optional
            The candidate's name, where `runs` has none.
        champion : the same, optional
            Runs of the champion that came with them.
        settings : mapping or str, optional
            The settings of the candidate: while it is on trial, its runs must agree in them.

        Returns
        -------
        KeepResult
            `decision` "keep", "discard" or "run_more", with `n_candidate` and `n_champion`.

        Raises
        ------
        DataError, DesignError, OptionError
            As in `champion`; or the settings changed.
        """
        given = _given(runs, name)
        beside = None if champion is None else _given(champion, THE_CHAMPION)
        with open_ledger(self.path) as ledger:
            if ledger.settings is None:
                here = choice("ledger.champion(runs)", f"runoff keep {self.path} --champion RUNS")
                raise DesignError(f"{self.path} has no champion yet: give its runs first, {here}.")
            agreed = self._settings(ledger, given)
            state = SearchState.fold(ledger, agreed)
            fresh = () if beside is None else new_runs(state, state.champion, _arranged(beside, agreed, state.champion))
            runs_given = _arranged(given, agreed, None)
            if given.name == state.champion:
                new = new_runs(state, given.name, runs_given)
                return _answer(ledger, state, LedgerCall(champion=(*fresh, *new)), given.name)
            digest = _digest(settings)
            _refuse_changed(state, given.name, digest)
            new = new_runs(state, given.name, runs_given)
            call = LedgerCall(champion=fresh, candidate=given.name, runs=new, settings=digest)
            return _answer(ledger, state, call, given.name)

    def record(self) -> KeepResult:
        """Return what can be claimed so far and which candidates deserve more runs; nothing is written.

        Raises
        ------
        DataError
            The ledger does not exist, or it was changed.
        """
        ledger = read_ledger(self.path)
        if ledger.settings is None:
            raise DataError(f"there is no ledger {self.path}: the first runs of the champion make it.")
        return _result(SearchState.fold(ledger, ledger.settings), None)

    def _settings(self, ledger: LedgerFile, given: GivenRuns) -> LedgerSettings:
        """Return the settings of the ledger, of a new one as they were asked for; refuse others than it has."""
        settings = ledger.settings
        if settings is None:
            tasks = given.tasks or (TASK,)
            # What the first runs are, costs or not, holds for all of the search.
            wanted = {"lower_is_better": given.negated} | self._wanted
            read_as, training = given.read_as, given.training
            return LedgerSettings(**wanted, champion=given.name, tasks=tasks, read_as=read_as, training=training)
        for key, value in self._wanted.items():
            if getattr(settings, key) != value:
                raise OptionError(
                    f"the ledger {self.path} has {key} {getattr(settings, key)!r}, not {value!r}: what a search promises is decided "
                    "before its first run; leave the option out, or begin another ledger."
                )
        return settings


def _check(wanted: Mapping[str, Any]) -> None:
    """Refuse options that no search has."""
    if "mode" in wanted:
        check_choice("mode", wanted["mode"], MODES)
    if "alpha" in wanted:
        check_alpha(wanted["alpha"])
    if "budget" in wanted:
        check_count("budget", wanted["budget"], LEAST_BUDGET)
    if "proposals" in wanted:
        check_count("proposals", wanted["proposals"])
    if wanted.get("mode") == "gain":
        for key in ("alpha", "renew", "beside"):
            if wanted.get(key):
                raise OptionError(f"{option(key)} belongs to the mode 'strict': gain bounds no false keeps.")
    elif "proposals" in wanted:
        raise OptionError(f"{option('proposals')} belongs to the mode 'gain', which spreads its budget over them.")


# ── what a call brings ──────────


def _given(runs: Any, name: str | None) -> GivenRuns:
    """Return the runs of one algorithm."""
    if isinstance(runs, list | tuple | np.ndarray) and not is_path(runs):
        if name is None:
            raise OptionError(f"nothing says whose numbers these are: use {option('name')}.")
        values = check_sample("runs", runs).tolist() if len(runs) else []
        return GivenRuns(name, (), tuple(LedgerRun(run=str(k), scores=(x,)) for k, x in enumerate(values, start=1)))
    scores = as_scores((reading().read_search(runs) if is_path(runs) else None) or runs)
    if scores.n_algorithms > 1:
        listed = ", ".join(map(repr, scores.algorithms))
        raise DesignError(
            f"these are runs of {scores.n_algorithms} algorithms ({listed}), and a call is about one candidate: choose it, "
            f"{choice('scores.select(algorithms=[NAME])', '--algorithms NAME')}."
        )
    return runs_of(scores, 0, name or None)


def runs_of(scores: Scores, a: int, name: str | None = None) -> GivenRuns:
    """Return the runs of an algorithm; refuse one that lacks a task."""
    algorithm = scores.algorithms[a]
    cells = [dict(zip(*scores.labelled(a, t), strict=True)) for t in range(scores.n_tasks)]
    labels = list(dict.fromkeys(label for cell in cells for label in cell))
    for label in labels:
        for task, cell in zip(scores.tasks, cells, strict=True):
            if label not in cell:
                raise DesignError(
                    f"run {label!r} of {algorithm!r} lacks task {task!r}, and a run of a search is scored on every task: run it there, or leave "
                    f"the task out ({LEAVE_OUT})."
                )
    runs = tuple(LedgerRun(run=label, scores=tuple(float(cell[label]) for cell in cells)) for label in labels)
    origin = scores.provenance
    reference = [f"normalised by {origin.reference}"] if origin.reference else []
    read_as = (*([origin.score] if origin.score else []), *reference)
    return GivenRuns(name or algorithm, scores.tasks, runs, read_as, origin.of_costs, spans_of_training(scores))


def _arranged(given: GivenRuns, settings: LedgerSettings, champion: str | None) -> list[LedgerRun]:
    """Return runs with their scores in the order of the ledger's tasks, higher being better; refuse runs that are not of this search."""
    if champion is not None and given.name not in (champion, THE_CHAMPION):
        raise DesignError(
            f"these are runs of {given.name!r}, and the champion is {champion!r}: give runs of the champion, or say that they are, "
            f"{option('name', champion)}."
        )
    _refuse_unlike(given, settings)
    # A reader that was told of costs has turned their signs.
    sign = -1.0 if settings.lower_is_better and not given.negated else 1.0
    order = [given.tasks.index(task) for task in settings.tasks] if given.tasks else [0]
    return [LedgerRun(run=run.run, scores=tuple(sign * run.scores[t] for t in order)) for run in given.runs]


def _refuse_unlike(given: GivenRuns, settings: LedgerSettings) -> None:
    if not given.tasks and len(settings.tasks) > 1:
        raise DesignError(
            f"a run of this ledger has scores on {len(settings.tasks)} tasks: give {{name: {{task: scores}}}}."
        )
    for task in given.tasks:
        if task not in settings.tasks:
            raise DesignError(
                f"task {task!r} is not of this ledger.{nearest(task, settings.tasks)} Leave it out ({LEAVE_OUT})."
            )
    for task in settings.tasks if given.tasks else ():
        if task not in given.tasks:
            raise DesignError(
                f"the runs of {given.name!r} lack task {task!r}, on which the champion was run: run them there."
            )
    if given.negated and not settings.lower_is_better:
        raise DesignError(
            f"scores of this ledger are no costs, and those of {given.name!r} are read as costs, by {option('lower_is_better')} or by the name "
            "of their column: leave the option out, or rename the column."
        )
    if given.read_as != settings.read_as and given.tasks:
        before, now = ("; ".join(words) or "as they were given" for words in (settings.read_as, given.read_as))
        raise DesignError(
            f"the champion's scores are {before}, those of {given.name!r} {now}: runs of one search are read alike."
        )
    sides, both = ("the champion", f"{given.name or settings.champion!r}"), (settings.training, given.training)
    refuse_other_spans(sides, both, "from the first run of another ledger on")


def _digest(settings: Mapping[str, Any] | str | None) -> str | None:
    if settings is None:
        return None
    text = settings if isinstance(settings, str) else json.dumps(settings, sort_keys=True, default=str)
    return sha256(text.encode()).hexdigest()[:16]


def _refuse_changed(state: SearchState, name: str, digest: str | None) -> None:
    """Refuse a candidate whose settings changed while it is on trial."""
    before = state.configs.get(name)
    if name in state.trials and None not in (before, digest) and before != digest:
        raise DataError(
            f"the settings of {name!r} changed between its runs, which then are runs of two candidates: give the changed one a name of its own."
        )


# ── the answer ──────────


def _answer(ledger: LedgerFile, state: SearchState, call: LedgerCall, candidate: str | None = None) -> KeepResult:
    """Return the answer to a call, which stands in the ledger before anybody hears it."""
    before = state.marks(call.candidate)
    answered = state.answered(call)
    # A call that brings nothing new and changes nothing is a question alone.
    if answered.champion or answered.runs or state.marks(call.candidate) != before:
        ledger.add(answered, state.settings)
    return _result(state, candidate)


def _result(state: SearchState, candidate: str | None) -> KeepResult:
    settings, claim = state.settings, state.claim
    step = state.last_step(candidate)
    waits = state.n_short if candidate is None or (step is not None and step.decision == "keep") else 0
    rows = [_row(row) for row in state.proposals]
    reigns = [*state.reigns, state.reign] if state.scale is not None else []
    greedy = [GreedyStep(candidate=name, n_before=n, gain=gain) for name, n, gain in state.greedy]
    result = KeepResult(
        proposals=tuple(rows),
        steps=tuple(_step(reign) for reign in reigns),
        candidate=candidate if step is not None else None,
        decision=step.decision if step is not None else "run_more" if waits else None,
        reason=step.reason if step is not None else "level" if waits else None,
        n_candidate=step.n_candidate if step is not None else 0,
        n_champion=max(waits, step.n_champion if step is not None else 0),
        lead=_plain(step.lead) if step is not None else None,
        pvalue=_plain(step.pvalue) if step is not None else None,
        mode=settings.mode,
        promise=promise_of(settings.mode, settings.alpha, renew=settings.renew),
        alpha=settings.alpha,
        alpha_spent=state.spent,
        champion=state.champion,
        n_runs=state.n_runs,
        budget=settings.budget,
        record_level=_plain(claim.level),
        n_record=claim.n,
        gain=_plain(claim.gain),
        low=_plain(claim.low),
        high=_plain(claim.high),
        greedy_kept=max(0, len(greedy) - 1),
        greedy_gain=greedy[-1].gain if greedy else None,
        greedy_steps=tuple(greedy),
        again=tuple(state.again),
        score_unit=state.unit,
        sentence="",
        record_sentence="",
        notes=(NEGATED,) if settings.lower_is_better else (),
    )
    spread = state.law.spread if state.scale is not None else None
    fresh = next((row.n_fresh for row in reversed(state.proposals) if row.candidate == candidate), 0)
    return replace(result, sentence=answer_words(result, spread, fresh), record_sentence=record_words(result))


def _plain(value: float | None) -> float | None:
    return None if value is None else float(value)


def _row(row: Ended) -> KeepProposal:
    step: Step = row.step
    return KeepProposal(
        candidate=row.candidate,
        turn=row.turn,
        decision=step.decision,
        reason=step.reason,
        n_runs=row.n_runs,
        lead=_plain(step.lead),
        pvalue=_plain(step.pvalue),
        confirmation=row.number,
        level=row.level,
    )


def _step(reign: Reign) -> KeepStep:
    claim = reign.claim
    return KeepStep(
        champion=reign.champion,
        n_before=reign.n_before,
        n_runs=claim.n,
        estimate=_plain(claim.level),
        gain=_plain(claim.gain),
        low=_plain(claim.low),
        high=_plain(claim.high),
    )
