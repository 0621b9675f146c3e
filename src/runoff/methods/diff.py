"""What changed between two results: which verdicts, leaders, intervals and cautions, and what differs that may be why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from runoff.answer.changes import cautions_that_differ, one_sided, pairs_that_differ, runs_that_differ
from runoff.answer.comparison import ComparisonResult
from runoff.answer.diff import TEST, VERSION, DiffOption, DiffResult, diff_words
from runoff.answer.saved import RunCell, SavedComparison, SavedData, saved, saved_at
from runoff.data.baseline import Baseline, read_baseline
from runoff.data.given import ScoresLike, as_scores
from runoff.data.provenance import NEGATED, OF_CURVES
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError
from runoff.methods.compare import compare
from runoff.references import registered
from runoff.words.numbers import digits, exactly, joined
from runoff.words.speech import Sentence, choice, neutral

if TYPE_CHECKING:
    DiffSide: TypeAlias = ScoresLike | ComparisonResult
else:
    DiffSide = Any

BY_DESIGN = frozenset(
    {"jackknife", "miettinen_nurminen", "mann_whitney", "signed_rank", "paired_t", "tango", "scaled_score", "mover"}
)
"""Tests that `compare` chooses by the design; others were named."""
OF_SCORES = ("normalize", "score", "negated")
"""Options that change the scores themselves: where one differs, scores of the two sides say nothing of which runs they are."""


def diff(old: DiffSide, new: DiffSide) -> DiffResult:
    """What changed between two results: which verdicts, leaders, intervals and cautions, and why?

    Parameters
    ----------
    old, new : path, Scores, data frame, dictionary or ComparisonResult
        A path is results.json of a report, its folder, what `runoff compare --json` printed, a baseline of the gate, or runs. Runs are
        compared by the options of the other side where that is a saved result: its measure, sample, test by name, correction, control or
        pairs, margin, error rate, level, seed and resamples, and its reference scores if they are registered. Two sets of runs are compared by
        the defaults.

    Returns
    -------
    DiffResult
        A row for each pair that changed, caution that came or went, option that differs, and cell whose runs differ; `sentence` says it in
        words. `why` of a pair names what differs and concerns it: where several things do, a result cannot tell which of them did it.

    Raises
    ------
    DataError
        A file that is damaged, of another schema, or neither a result nor runs.
    DesignError
        Runs that cannot be compared as the other side was.

    Notes
    -----
    Pairs are matched by their two names, whichever comes first. A number has changed if it differs by more than 1e-9 of the largest of its
    pair. Runs are matched by their scores: what is left over on both sides under one label has another score, the rest was added or removed.
    Reports before 0.3 hold no scores, so that of their runs the counts are compared, and the digest of the file.

    Examples
    --------
    >>> import runoff as ro
    >>> runs = {"A": [5.0, 6.0, 7.0, 6.5, 5.5], "B": [4.0, 5.5, 6.2, 4.5, 5.1]}
    >>> result = ro.diff(runs, runs | {"A": [*runs["A"], 7.1, 6.8]})
    >>> print(result.sentence)
    The one verdict on both sides changed: A and B (no difference found, now A better), because 2 runs were added.
    """
    given = [_given(side) for side in (old, new)]
    before, after, notes = _answered(*given)
    options, untold = _options_that_differ(before, after)
    alike = not any(changed.option in OF_SCORES for changed in options)
    runs, hidden = runs_that_differ(before, after, alike=alike)
    pairs = pairs_that_differ(before, after, options, runs)
    cautions, unseen = cautions_that_differ(before, after)
    n_verdicts = len({pair.names for pair in before.pairs} & {pair.names for pair in after.pairs})
    complete = not (untold or hidden)
    result = DiffResult(
        pairs=pairs,
        cautions=cautions,
        options=options,
        runs=runs,
        old_leader=before.leader,
        new_leader=after.leader,
        n_verdicts=n_verdicts,
        sentence="",
        notes=tuple(map(Sentence, [*notes, *one_sided(before, after), *untold, *hidden, *unseen])),
    )
    led = before.led and after.led
    return replace(result, sentence=diff_words(result, led=led, complete=complete)).with_origin(new)


# ── the two sides ──────────


def _given(side: DiffSide) -> SavedComparison | Scores | Baseline:
    if isinstance(side, SavedComparison | Scores | Baseline):
        return side
    if isinstance(side, ComparisonResult):
        return replace(saved(side), version=version("runoff"))
    if not isinstance(side, str | Path):
        return as_scores(side)
    result = result_at(side)
    if result is not None:
        return result
    with no_result(side):
        return as_scores(side)


def result_at(path: str | Path) -> SavedComparison | Baseline | None:
    """Return the result, or the baseline, that a path names; None where it names runs."""
    return saved_at(path) or read_baseline(path)


@contextmanager
def no_result(path: str | Path) -> Iterator[None]:
    """Read runs, and say of a file of JSON that holds none that it is no result either."""
    try:
        yield
    except DataError as error:
        if Path(path).suffix.casefold() != ".json" or not Path(path).is_file():
            raise
        message = f"{neutral(error).rstrip('.')}; nor is it a comparison: results.json of runoff report, or what runoff compare --json prints."
        raise DataError(message) from error


def _answered(
    old: SavedComparison | Scores | Baseline, new: SavedComparison | Scores | Baseline
) -> tuple[SavedComparison, SavedComparison, list[str]]:
    """Return both sides as results, and what was done to runs."""
    notes: list[str] = []

    def answered(given: SavedComparison | Scores | Baseline, other: object, called: str) -> SavedComparison:
        if isinstance(given, SavedComparison):
            return given
        like = other if isinstance(other, SavedComparison) and other.pairs else SavedComparison()
        scores = given.scores if isinstance(given, Baseline) else given
        if like.data.reference and scores.provenance.reference is None:
            scores = _normalized(scores, like.data.reference, called)
            notes.append(
                f"the {called} runs are normalised by {_short(like.data.reference)}, as those of the other side"
            )
        how, side = _as_in(scores, like), SavedComparison()
        if scores.n_algorithms < 2:
            notes.append(f"the {called} runs are of one algorithm, {scores.algorithms[0]}: no verdict is of them")
        elif how is not None:
            side = saved(compare(scores, **how))
            notes.extend([f"the {called} runs are compared as the other side was: {_told(how)}"] if how else [])
        settings = {**side.settings, **_of_baseline(given)}
        return replace(
            side, version=version("runoff"), settings=settings, data=_data(scores), scores=runs_by_cell(scores)
        )

    return answered(old, new, "old"), answered(new, old, "new"), notes


def _of_baseline(given: Scores | Baseline) -> dict[str, Any]:
    return {"alpha": given.alpha, "margin": given.margin} if isinstance(given, Baseline) else {}


def _normalized(scores: Scores, reference: str, called: str) -> Scores:
    name = _short(reference)
    if name not in registered():
        raise DesignError(
            f"the other side is of scores normalised by {name}, and the {called} runs are not normalised: normalise them alike "
            f"({choice('scores.normalize(…)', '--normalize FILE')})."
        )
    return scores.normalize(name)


def _as_in(scores: Scores, like: SavedComparison) -> dict[str, Any] | None:
    """Return the options of `compare` by which another side was compared; None where none of its pairs is there."""
    if not like.pairs:
        return {}
    first, tests = like.pairs[0], {pair.test for pair in like.pairs}
    how = {key: like.settings[key] for key in ("alpha", "n_resamples") if key in like.settings}
    how |= {"rng": like.settings["seed"]} if "seed" in like.settings else {}
    # Shaffer's levels are the default's where they are right, and are refused elsewhere.
    if like.settings.get("correction", "shaffer") != "shaffer":
        how["correction"] = like.settings["correction"]
    if first.margin is not None:
        how["margin"] = first.margin
    named = sorted(tests - BY_DESIGN)
    # R029 is given where the design chose the measure, and asks about it.
    advice = (*(like.advice or ()), *(like.report or ()))
    by_design = any(item.code == "R029" for item in advice)
    how |= {"test": named[0]} if named else {"measure": "auto" if by_design else first.measure}
    if first.over != "runs":
        how["over"] = first.over
    compared = {name for pair in like.pairs for name in (pair.a, pair.b)}
    # Named as opponents there, or an algorithm with one value a task would be left out here.
    how |= {"single_value": "tested"} if compared.intersection(scores.single_valued) else {}
    if like.settings.get("control") is not None:
        return how | {"control": like.settings["control"]}
    # R021 and R027 name those that may not be tested; others without a pair were not asked about.
    untested = {name for item in advice if item.code in ("R021", "R027") for name in item.subjects}
    # A result that is not of a file does not tell its algorithms: without a pair is then who has none of those that are here.
    whole = set(like.data.algorithms or scores.algorithms) <= compared | untested
    if whole and len(like.pairs) == len(compared) * (len(compared) - 1) // 2:
        return how
    there = [(pair.a, pair.b) for pair in like.pairs if {pair.a, pair.b} <= set(scores.algorithms)]
    return how | {"pairs": there} if there else None


def _told(how: Mapping[str, Any]) -> str:
    called = {"rng": "seed"}
    texts = [f"{called.get(key, key)} {_told_of(value)}" for key, value in how.items() if key != "pairs"]
    return ", ".join([*texts, *(f"{len(value)} pairs" for key, value in how.items() if key == "pairs")])


def _data(scores: Scores) -> SavedData:
    origin = scores.provenance
    return SavedData(
        algorithms=scores.algorithms,
        tasks=scores.tasks,
        n_runs=tuple(map(tuple, scores.n_runs.tolist())),
        path=origin.path,
        sha256=origin.sha256,
        incomplete=origin.incomplete,
        reference=origin.reference,
        notes=origin.notes,
    )


def runs_by_cell(scores: Scores) -> dict[RunCell, dict[str, float]]:
    """Return the score of each run by (algorithm, task)."""
    return {
        (algorithm, task): dict(zip(labels, values.tolist(), strict=True))
        for a, algorithm in enumerate(scores.algorithms)
        for t, task in enumerate(scores.tasks)
        for labels, values in [scores.labelled(a, t)]
        if labels
    }


# ── what differs ──────────


def _options_that_differ(before: SavedComparison, after: SavedComparison) -> tuple[tuple[DiffOption, ...], list[str]]:
    """Return the options that are not the same, and what one side does not tell."""
    old, new = _options(before), _options(after)
    differ = [(name, old[name], new[name]) for name in old if name in new and old[name] != new[name]]
    rows = tuple(DiffOption(option=name, old=_told_of(x), new=_told_of(y)) for name, x, y in differ)
    lacking = {"old": [name for name in new if name not in old], "new": [name for name in old if name not in new]}
    return rows, [f"the {side} side does not state its {joined(names)}" for side, names in lacking.items() if names]


def _options(side: SavedComparison) -> dict[str, Any]:
    """Return the options of a side, as far as they are known."""
    own: dict[str, Any] = {} if side.version is None else {VERSION: side.version}
    # The level of intervals is 1 − alpha, which says it.
    own |= {key: value for key, value in side.settings.items() if key != "confidence_level"}
    if side.pairs:
        tests = sorted({pair.test for pair in side.pairs})
        first = side.pairs[0]
        own |= {"over": first.over, TEST: ", ".join(tests), "margin": first.margin}
        own |= {"unit": "episode" if first.episodes else "run"}
        own["weights of strata"] = ", ".join(f"{name} {digits(weight)}" for name, weight in first.weights) or None
    if side.data.algorithms:
        ends = [note.removeprefix(OF_CURVES) for note in side.data.notes if note.startswith(OF_CURVES)]
        own |= {"normalize": side.data.reference, "score": ends[-1] if ends else None}
        own["negated"] = NEGATED in side.data.notes
        own |= {} if side.data.incomplete == "" else {"incomplete": side.data.incomplete}
    return own


def _told_of(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return exactly(value) if isinstance(value, float) else str(value)


def _short(reference: str) -> str:
    """Return the name of reference scores."""
    return reference.partition(": ")[0].partition(" (")[0]
