"""The origin of data: their source, their sampling and their treatment, as reports and notebooks state them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from runoff.base.validate import check_choice
from runoff.errors import DataError, DesignError, OptionError
from runoff.tables.frames import Origin
from runoff.tables.naming import Relabelled
from runoff.words.names import RunsName, UnitName
from runoff.words.numbers import indefinite
from runoff.words.speech import Sentence, option

NEGATED = "scores are negated: lower was better in the file, higher is better here"
COUNTED = "counts successes: each attempt is taken as a row of 1 or 0"
"""The end of a note on rows that the file gave as counts, so that they have no order."""
ONE_POLICY = "each row is an episode of one trained policy: the answers are about these policies, and say nothing of training them again"
OF_CURVES = "the score of a run is "
"""The beginning of a note on the scores of learning curves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caveat:
    """A property of the data that may change an answer: every answer repeats it as advice.

    Attributes
    ----------
    code : str
        A code of docs/advice.md.
    severity : "warning", "caution" or "info"
    text : str
    subjects : tuple of str
        The algorithms that the text names.
    treatment : str
        The treatment of scores that follows from it, as a clause; "" if there is none.
    """

    code: str
    severity: Literal["info", "caution", "warning"]
    text: str
    subjects: tuple[str, ...] = ()
    treatment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", Sentence(self.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of `Scores` or `Curves`.

    Attributes
    ----------
    path, sha256, format : str or None
        The file or folder, the digest of its bytes, and the format in which it was read.
    columns : tuple of (role, column)
        The column of each role.
    parts : tuple of (role, part of the path)
        The parts of paths from which names were taken.
    steps : tuple of (algorithm, words)
        The steps of learning curves, by algorithm.
    notes : tuple of str
        One sentence for each step of reading or conversion that the user should know.
    score : str or None
        The definition of a run's score, such as "the last evaluation of its learning curve"; None if scores were given directly.
    trained : tuple of (task, step)
        The step of a task's learning curves at which its scores count.
    windows : tuple of (task, steps)
        How many steps the last evaluations span that are a run's score, where their number was chosen.
    incomplete : str or None
        The treatment of runs that ended early: "drop", "carry" or "worst"; None if no run did.
    treatment : tuple of str
        The treatments of all scores that a paper has to report, a clause each.
    reference : str or None
        The reference scores by which the data are normalised, with their source.
    caveats : tuple of Caveat
        Caveats that every answer repeats.
    published : tuple of (algorithm, why it is not tested)
        Algorithms from the archive, each with the reason why it is not tested; "" if it may be tested.
    protocol : tuple of (key, value)
        The settings of the runs that logs record, by the keys of the archive's protocols.
    origin : Origin
        The kind of frame that was passed in, and all algorithms that it contained.
    """

    path: str | None = None
    sha256: str | None = None
    format: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    score: str | None = None
    trained: tuple[tuple[str, float], ...] = ()
    windows: tuple[tuple[str, float], ...] = ()
    incomplete: str | None = None
    treatment: tuple[str, ...] = ()
    reference: str | None = None
    caveats: tuple[Caveat, ...] = ()
    published: tuple[tuple[str, str], ...] = ()
    protocol: tuple[tuple[str, str], ...] = ()
    origin: Origin = field(default_factory=Origin)

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(map(Sentence, self.notes)))
        object.__setattr__(self, "published", tuple((name, Sentence(why)) for name, why in self.published))

    def noting(self, *notes: str) -> Provenance:
        """Return the same origin with more notes."""
        return replace(self, notes=self.notes + tuple(note for note in map(Sentence, notes) if note not in self.notes))

    def scored(self, what: str) -> Provenance:
        """Return the same origin with a definition of a run's score."""
        return replace(self, score=what).noting(OF_CURVES + what)

    @property
    def of_costs(self) -> bool:
        """Whether the scores are negated costs."""
        return NEGATED in self.notes

    def negated(self) -> Provenance:
        """Return the same origin with the note that scores were negated costs."""
        return self.noting(NEGATED).treating("scores are costs and were negated, so that higher is better")

    def treating(self, *clauses: str) -> Provenance:
        """Return the same origin with more treatments of all scores."""
        return replace(self, treatment=tuple(dict.fromkeys((*self.treatment, *clauses))))

    def treatments(self) -> tuple[str, ...]:
        """Return all treatments of scores, a clause each: first of single runs, then of all."""
        return (*(caveat.treatment for caveat in self.caveats if caveat.treatment), *self.treatment)

    def score_words(self, unit: str) -> str:
        """Return the definition and the treatment of a score in the words that methods, captions, page and results.json share; "" if nothing
        is known."""
        column = dict(self.columns).get("score")
        if self.score:
            what = self.score + (f" (column {column!r})" if column else "")
        elif column and any(note.endswith(COUNTED) for note in self.notes):
            what = f"1 or 0, by the counts in the column {column!r}"
        elif column:
            what = f"its value in the column {column!r}"
        elif self.path or self.format == "archive":
            # A cell of a wide table, a line of a text: no column has a name that says more.
            what = "its published score" if self.format == "archive" else "the number that the file has for it"
        elif self.treatments():
            what = "the value that was given for it"
        else:  # alone that says nothing
            return ""
        return "; ".join([f"The score of {indefinite(unit)} is {what}", *self.treatments()]) + "."

    def warning_of(self, *caveats: Caveat) -> Provenance:
        """Return the same origin with more caveats."""
        return replace(self, caveats=tuple(dict.fromkeys((*self.caveats, *caveats))))

    def relabelled(
        self, before: Sequence[str], algorithms: Relabelled, tasks_before: Sequence[str], tasks: Relabelled
    ) -> Provenance:
        """Return the same origin under new names, without the caveats that name only algorithms which were left out."""
        new = {name: algorithms.names[at] for name, at in zip(before, algorithms.places, strict=True) if at is not None}
        steps: dict[str, list[str]] = {}
        for name, words in self.steps:
            if name in new:
                steps.setdefault(new[name], []).append(words)
        now = {name: tasks.names[at] for name, at in zip(tasks_before, tasks.places, strict=True) if at is not None}
        # Figures colour an algorithm by its place among all that were read, so that a selection keeps its colours.
        whole = self.origin.whole or (before if None in algorithms.places else ())
        return (
            replace(
                self,
                origin=replace(self.origin, whole=tuple(new.get(name, name) for name in whole)),
                trained=tuple((now[task], step) for task, step in self.trained if task in now),
                windows=tuple((now[task], steps) for task, steps in self.windows if task in now),
                steps=tuple((name, "; ".join(dict.fromkeys(words))) for name, words in steps.items()),
                published=tuple((new[name], why) for name, why in self.published if name in new),
                caveats=tuple(
                    replace(caveat, subjects=tuple(dict.fromkeys(new[name] for name in caveat.subjects if name in new)))
                    for caveat in self.caveats
                    if not caveat.subjects or set(caveat.subjects) & set(new)
                ),
            )
            .noting(*algorithms.notes, *tasks.notes)
            .treating(*algorithms.treatment, *tasks.treatment)
        )


# ── how scores were drawn ──────────


RUNS: tuple[RunsName, ...] = ("per_task", "shared")
UNITS: tuple[UnitName, ...] = ("run", "episode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The sampling design of scores: what a row is, and whether runs are shared by tasks.

    Attributes
    ----------
    runs : "per_task" or "shared"
        Whether every task has runs of its own, or each run is scored on all tasks, so that its scores are correlated.
    unit : "run" or "episode"
        Whether a row is a training run, which is evidence about the algorithm, or an episode of one policy, which is evidence about that
        policy only.
    score_unit : "per_task" or "shared"
        Whether the scores of all tasks are declared to be in one unit, so that they may be averaged without normalisation.
    configs : tuple of (run, configuration)
        The hyperparameter configuration of each run, if an algorithm has several on a task; only `tuning` accepts such runs.
    settings : tuple of (configuration, tuple of (name, value))
        The settings of each configuration, as far as they are known.
    """

    runs: RunsName = "per_task"
    unit: UnitName = "run"
    score_unit: RunsName = "per_task"
    configs: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def __post_init__(self) -> None:
        if str(self.runs).isdecimal():
            raise OptionError(
                f"{option('runs')} takes {' or '.join(RUNS)}, whether a run is scored on all tasks, and {self.runs} is neither: leave it out; a "
                "plan computes how many runs it takes, with the power of other numbers in its table."
            )
        check_choice("runs", self.runs, RUNS)
        check_choice("unit", self.unit, UNITS)
        check_choice("score_unit", self.score_unit, RUNS)

    def of_configs(self, configs: Mapping[str, str], settings: Mapping[str, Mapping[str, str]]) -> Sampling:
        """Return the same sampling with the configuration of each run and the settings of each configuration."""
        there = {*configs.values()}
        own = tuple((config, tuple(values.items())) for config, values in settings.items() if config in there)
        return replace(self, configs=tuple(configs.items()), settings=own) if configs else self

    def settings_of(self, config: str) -> dict[str, str]:
        """Return the settings of a configuration, {name: value}; empty if only its label is known."""
        return dict(dict(self.settings).get(config, ()))

    @property
    def shared(self) -> bool:
        """Whether each run is scored on all tasks."""
        return self.runs == "shared"


def unnamed(place: str) -> DataError:
    """Return the refusal of shared runs without a column that names them."""
    needed = "needs a column that names the runs, for rows of one run have to be recognised on every task."
    return DataError(f"{place}: {option('runs', 'shared')} {needed}")


def refuse_lacking(algorithm: str, tasks: Sequence[str], labels: Sequence[Sequence[str]]) -> None:
    """Refuse shared runs that lack a score on a task where others of their algorithm have one; `labels` are the runs of each task."""
    everywhere = {label for cell in labels for label in cell}
    for task, cell in zip(tasks, labels, strict=True):
        missing = sorted(everywhere.difference(cell)) if cell else []
        if missing:
            raise DesignError(
                f"run {missing[0]!r} of algorithm {algorithm!r} has no score on task {task!r}, but {option('runs', 'shared')} says that every "
                f"run is scored on all tasks; leave out the run or the task, or use {option('runs', 'per_task')}."
            )
    if len({tuple(cell) for cell in labels if cell}) > 1:
        raise DesignError(f"the shared runs of algorithm {algorithm!r} stand in another order from task to task.")


# ── what people read of data ──────────
