"""The properties of scores in which two sets must agree to be compared: units, column, direction, end of the curve, normalisation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from runoff.data.ends import TENTH
from runoff.data.reference import stem
from runoff.data.scores import Scores
from runoff.data.windows import are_unequal
from runoff.errors import DesignError
from runoff.tables.columns import listed
from runoff.words.speech import choice, column, option

SAME_LENGTH = 0.01
"""Training lengths that differ by at most this share count as equal, as for runs that ended early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How scores were obtained; a field is None if unknown.

    `runs` and `unit` are those of `Scores.sampling`. The scores are normalised by `reference` and come from `column`; `negated` says that
    lower was better in the file. `score` names the part of a learning curve that gives the score, None if scores were given directly, `steps`
    the step at which each task's scores count, and `windows` how many steps the last evaluations span that are the score, if known.
    """

    runs: str
    unit: str
    reference: str | None
    column: str | None
    negated: bool
    score: str | None
    steps: tuple[tuple[str, float], ...]
    windows: tuple[tuple[str, float], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSpans:
    """The step at which each task's scores count, and how many steps the last evaluations span that are the score, as in `Protocol`."""

    steps: tuple[tuple[str, float], ...] = ()
    windows: tuple[tuple[str, float], ...] = ()


def spans_of_training(scores: Scores) -> TrainingSpans:
    """Return which part of training the scores of all algorithms are of."""
    return TrainingSpans(steps=scores.provenance.trained, windows=scores.provenance.windows)


def protocol_of(scores: Scores) -> Protocol:
    """Return the protocol of one algorithm's scores."""
    origin = scores.provenance
    return Protocol(
        runs=scores.sampling.runs if scores.n_tasks > 1 else "per_task",
        unit=scores.sampling.unit,
        reference=origin.reference,
        column=dict(origin.columns).get("score"),
        negated=origin.of_costs,
        score=origin.score,
        steps=tuple((task, step) for task, step in origin.trained if task in scores.tasks),
        windows=origin.windows,
    )


def digest(scores: Scores) -> str:
    """Return a digest of one algorithm's scores that does not depend on the order or the names of its runs."""
    # hex() has every bit, where a decimal text could round two scores to one.
    cells = {task: sorted(float(score).hex() for score in scores.cell(0, t)) for t, task in enumerate(scores.tasks)}
    return sha256(json.dumps(cells, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def refuse_other_tasks(baseline: Sequence[str], candidate: Sequence[str]) -> None:
    """Refuse a candidate whose tasks differ from the baseline's, naming a task of each."""
    lacks, new = (
        [task for task in own if task not in other] for own, other in ((baseline, candidate), (candidate, baseline))
    )
    if not lacks and not new:
        return
    alike = {stem(task): task for task in new}
    same = next(((task, alike[stem(task)]) for task in lacks if stem(task) in alike), None)
    if same is not None:
        raise DesignError(
            f"the baseline has the task {same[0]!r}, the candidate {same[1]!r}: if they are one task, rename it "
            f"({choice('rename', '--rename OLD=NEW')}); a candidate is judged on the tasks of its baseline."
        )
    differences = [f"lacks {listed(lacks, 3)} of the baseline"] if lacks else []
    differences += [f"has {listed(new, 3)}, which the baseline has not"] if new else []
    raise DesignError(
        f"the candidate {' and '.join(differences)}: a candidate is judged on all tasks of its baseline and on no other; choose the tasks "
        f"({choice('data.select(tasks=…)', '--tasks')}), or save another baseline."
    )


def refuse_other_protocol(baseline: Protocol, candidate: Protocol) -> None:
    """Refuse a candidate whose scores were obtained in another way than the baseline's, naming both ways."""
    for field, (subject, predicate, repair) in ASPECTS.items():
        before, now = getattr(baseline, field), getattr(candidate, field)
        # A field that one side does not tell says nothing, unless None itself is an answer (not normalised).
        if before == now or (field in IF_KNOWN and None in (before, now)):
            continue
        if field in BY_TASK:
            unlike = _unlike(field, baseline, candidate)
            if unlike is None:
                continue
            before, now = unlike
        raise DesignError(
            f"{subject} of the baseline {predicate(before)}, of the candidate {predicate(now)}: they cannot be compared; {repair()}."
        )


def refuse_other_spans(sides: tuple[str, str], spans: tuple[TrainingSpans, TrainingSpans], anew: str) -> None:
    """Refuse scores of another part of training than others; `anew`: where all would be read anew, "" where this call reads them."""
    for field in BY_TASK:
        unlike = _unlike(field, *spans)
        if unlike is not None:
            subject, predicate, repair = ASPECTS[field]
            first, second = (f"{side} {predicate(own)}" for side, own in zip(sides, unlike, strict=True))
            # Runs that are there already were read as they are: an option would be refused for these alone.
            way = f"{FOR_ALL[field]}, {anew}" if anew else repair().removesuffix(ANEW)
            raise DesignError(f"{subject} of {first}, of {second}: they are no runs of one experiment; {way}.")


def _unlike(
    field: str, first: Protocol | TrainingSpans, second: Protocol | TrainingSpans
) -> tuple[tuple[str, float], tuple[str, float]] | None:
    """Return the first task on which two sides differ in a number of steps, with both numbers."""
    training, differs = dict(first.steps), BY_TASK[field]
    pairs = [(own, other) for own in getattr(first, field) for other in getattr(second, field) if own[0] == other[0]]
    return next((both for both in pairs if differs(both[0][1], both[1][1], training.get(both[0][0], 0.0))), None)


IF_KNOWN = frozenset({"column"})
"""Fields that are compared only if both sides know them."""
BY_TASK: Mapping[str, Callable[[float, float, float], bool]] = MappingProxyType(
    {"steps": lambda own, other, _: abs(own - other) > SAME_LENGTH * max(own, other), "windows": are_unequal}
)
"""Fields that are compared task by task, with the rule by which two numbers of steps differ beside the training of the baseline."""
ANEW = ", or save another baseline"
FOR_ALL: Mapping[str, str] = MappingProxyType(
    {
        "steps": "train as long, or take the score of every run at one step",
        "windows": f"evaluate as often, or take the mean over the last {TENTH} of training of every run",
    }
)
"""How runs of another part of training are made like the others, without options, for those that are there were read as they are."""
ASPECTS: Mapping[str, tuple[str, Callable[[Any], str], Callable[[], str]]] = MappingProxyType(
    {
        "runs": (
            "the runs",
            lambda runs: "are scored on all tasks" if runs == "shared" else "are of one task each",
            lambda: f"read both with the same {option('runs')}",
        ),
        "unit": ("the rows", lambda unit: f"are {unit}s", lambda: f"read both with the same {option('unit')}"),
        "reference": (
            "the scores",
            lambda by: "are not normalised" if by is None else f"are normalised by {by.split(';')[0]}",
            lambda: f"normalise both alike ({choice('normalize', '--normalize')}){ANEW}",
        ),
        "negated": (
            "the scores",
            lambda negated: "are negated costs" if negated else "are taken as they are",
            lambda: f"read both with the same {option('lower_is_better')}{ANEW}",
        ),
        "column": ("the scores", "are the column {!r}".format, lambda: f"name the column ({column('score')}){ANEW}"),
        "score": (
            "the score of a run",
            lambda part: f"is {part or 'as it was given, not known to be of a learning curve'}",
            lambda: (
                f"take the same of both, from the same kind of file ({choice('read_scores, final, at', '--last, --at')}){ANEW}"
            ),
        ),
        "steps": (
            "the training",
            lambda end: f"ends at step {end[1]:g} on task {end[0]!r}",
            lambda: f"train as long, or compare both at one step ({choice('curves.at', '--at STEP')})",
        ),
        "windows": (
            "the score",
            lambda window: f"is of evaluations over the last {window[1]:g} steps on task {window[0]!r}",
            lambda: (
                f"take the same part of training of both ({choice(f'curves.final(last={TENTH!r})', option('last', TENTH))}){ANEW}"
            ),
        ),
    }
)
"""Field -> the subject of its refusal, the predicate for one side, and the repair, in the order in which two protocols are compared."""
