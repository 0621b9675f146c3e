"""What changed between two results: which verdicts, leaders, intervals and cautions, and what differs that may be why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from runoff.data.baseline import Baseline, read_baseline
from runoff.data.given import ScoresLike, as_scores
from runoff.data.provenance import NEGATED, OF_CURVES
from runoff.data.scores import Scores
from runoff.errors import DataError, DesignError
from runoff.methods.compare import compare
from runoff.references import registered
from runoff.results.base import SEVERITIES, Advice
from runoff.results.comparison import ComparisonResult
from runoff.results.diff import (
    CHANGES,
    VERSION,
    Cause,
    DiffCaution,
    DiffOption,
    DiffPair,
    DiffResult,
    DiffRuns,
    PairChangeName,
    diff_words,
)
from runoff.results.saved import SavedComparison, SavedData, SavedPair, saved, saved_at
from runoff.words.numbers import exactly, joined, listed
from runoff.words.speech import Sentence, choice, neutral, option

if TYPE_CHECKING:
    Compared: TypeAlias = ScoresLike | ComparisonResult
else:
    Compared = Any

BY_DESIGN = frozenset({"jackknife", "boschloo", "newcombe", "mann_whitney", "signed_rank", "paired_t"})
"""Tests that `compare` chooses by the design; others were named."""
ROUNDING = 1e-9
"""Numbers of a pair that differ by less than this share of the largest of them are equal: another machine may add up in another order."""
NUMBERS = ("estimate", "low", "high", "decided_low", "decided_high", "pvalue_adjusted")
OF_SCORES = ("normalize", "score", "negated")
"""Options that change the scores themselves: where one differs, scores of the two sides say nothing of which runs they are."""
RunCell: TypeAlias = tuple[str, str]


def diff(old: Compared, new: Compared) -> DiffResult:
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
    >>> print(result)
    1 of 1 verdict changed: A and B (no difference found, now A better); of the cautions 1 came, because 2 runs were added.
    """
    given = [_given(side) for side in (old, new)]
    before, after, notes = _answered(*given)
    options, untold = _options_that_differ(before, after)
    alike = not any(changed.option in OF_SCORES for changed in options)
    runs, hidden = _runs_that_differ(before, after, alike=alike)
    pairs = _pairs_that_differ(before, after, options, runs)
    cautions, unseen = _cautions_that_differ(before, after)
    n_verdicts = len({_key(pair) for pair in before.pairs} & {_key(pair) for pair in after.pairs})
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
        notes=tuple(map(Sentence, [*notes, *_one_sided(before, after), *untold, *hidden, *unseen])),
    )
    led = before.led and after.led
    return replace(result, sentence=diff_words(result, led=led, complete=complete)).with_origin(new)


# ── the two sides ──────────


def _given(side: Compared) -> SavedComparison | Scores | Baseline:
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
        message = f"{neutral(error).rstrip('.')}; nor is it a result: results.json of runoff report, or what runoff compare --json prints."
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
    how = {key: like.settings[key] for key in ("alpha", "confidence_level", "n_resamples") if key in like.settings}
    how |= {"rng": like.settings["seed"]} if "seed" in like.settings else {}
    # Shaffer's levels are the default's where they are right, and are refused elsewhere.
    if like.settings.get("correction", "shaffer") != "shaffer":
        how["correction"] = like.settings["correction"]
    if first.margin is not None:
        how["margin"] = first.margin
    named = sorted(tests - BY_DESIGN)
    # R029 is given where the design chose the measure, and asks about it.
    by_design = any(item.code == "R029" for item in (*(like.advice or ()), *(like.report or ())))
    how |= {"test": named[0]} if named else {"measure": "auto" if by_design else first.measure}
    if first.over != "runs":
        how["over"] = first.over
    compared = {name for pair in like.pairs for name in (pair.a, pair.b)}
    # Named as opponents there, or an algorithm with one value a task would be left out here.
    how |= {"single": "opponent"} if compared.intersection(scores.single_valued) else {}
    if like.settings.get("control") is not None:
        return how | {"control": like.settings["control"]}
    if len(like.pairs) == len(compared) * (len(compared) - 1) // 2:
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
    return rows, [f"the {side} side does not tell its {joined(names)}" for side, names in lacking.items() if names]


def _options(side: SavedComparison) -> dict[str, Any]:
    """Return the options of a side, as far as they are known."""
    own: dict[str, Any] = {} if side.version is None else {VERSION: side.version}
    own |= side.settings
    if side.pairs:
        tests = sorted({pair.test for pair in side.pairs})
        first = side.pairs[0]
        own |= {"over": first.over, "test": ", ".join(tests), "margin": first.margin}
        own |= {"unit": "episode" if first.episodes else "run"}
    if side.data.algorithms:
        ends = [note.removeprefix(OF_CURVES) for note in side.data.notes if note.startswith(OF_CURVES)]
        own |= {"normalize": side.data.reference, "score": ends[-1] if ends else None}
        own["negated"] = NEGATED in side.data.notes
    return own


def _told_of(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return exactly(value) if isinstance(value, float) else str(value)


def _runs_that_differ(
    before: SavedComparison, after: SavedComparison, *, alike: bool
) -> tuple[tuple[DiffRuns, ...], list[str]]:
    """Return the cells whose runs differ, and what cannot be known of runs; alike: whether scores of both sides are the same kind of number."""
    silent = [called for called, side in (("old", before), ("new", after)) if not side.data.algorithms]
    if silent:
        return (), [f"nothing is known of the runs of the {side} side" for side in silent]
    scored = alike and before.scores is not None and after.scores is not None
    counts = [_counts(side.data) for side in (before, after)]
    rows = []
    for cell in dict.fromkeys([*counts[0], *counts[1]]):
        old, new = counts[0].get(cell, 0), counts[1].get(cell, 0)
        runs = [dict((side.scores or {}).get(cell, {})) for side in (before, after)]
        tally = _tally(*runs) if scored else (None, None, None)
        if any(tally) or old != new:
            means = [sum(own.values()) / len(own) if own else None for own in runs]
            rows.append(_row(cell, (old, new), tally, means))
    same_file = before.data.sha256 is not None and before.data.sha256 == after.data.sha256
    if scored or (same_file and alike):
        return tuple(rows), []
    lacking = [called for called, side in (("old", before), ("new", after)) if side.scores is None]
    why = (
        "scores of the two sides are other numbers"
        if not alike
        else f"the {' and the '.join(lacking)} side holds no scores"
    )
    return tuple(rows), [f"whether runs of one number are the same is not known: {why}"]


def _row(
    cell: RunCell, counts: tuple[int, int], tally: tuple[int | None, ...], means: Sequence[float | None]
) -> DiffRuns:
    added, removed, rescored = tally
    return DiffRuns(
        algorithm=cell[0],
        task=cell[1],
        old_runs=counts[0],
        new_runs=counts[1],
        added=added,
        removed=removed,
        rescored=rescored,
        old_mean=means[0],
        new_mean=means[1],
    )


def _counts(data: SavedData) -> dict[RunCell, int]:
    return {
        (algorithm, task): n
        for algorithm, row in zip(data.algorithms, data.n_runs, strict=True)
        for task, n in zip(data.tasks, row, strict=True)
        if n
    }


def _tally(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[int, int, int]:
    """Return how many runs were added, how many removed, and how many of one label have another score.

    >>> _tally({"0": 1.0, "1": 2.0, "2": 3.0}, {"0": 3.0, "1": 4.0, "2": 1.0, "3": 5.0})
    (1, 0, 1)
    """
    gone, come = _rest(old, new), _rest(new, old)
    rescored = len(gone & come)
    return len(come) - rescored, len(gone) - rescored, rescored


def _rest(runs: Mapping[str, float], others: Mapping[str, float]) -> set[str]:
    """Return the labels of runs whose scores the others have not; each score of these stands for one run."""
    there = Counter(others.values())
    labels = set()
    # Of equal scores the run of the same label is the same run.
    for label, score in sorted(runs.items(), key=lambda run: others.get(run[0]) != run[1]):
        if there[score]:
            there[score] -= 1
        else:
            labels.add(label)
    return labels


def _key(pair: SavedPair) -> frozenset[str]:
    return frozenset((pair.a, pair.b))


def _pairs_that_differ(
    before: SavedComparison, after: SavedComparison, options: Sequence[DiffOption], runs: Sequence[DiffRuns]
) -> tuple[DiffPair, ...]:
    """Return the pairs of which something changed, those with another verdict first."""
    old, new = ({_key(pair): pair for pair in side.pairs} for side in (before, after))
    changed = {row.algorithm for row in runs}
    corrected = len(old) > 1 and "none" not in (side.settings.get("correction") for side in (before, after))
    rows = []
    for key in dict.fromkeys([*old, *new]):
        x, y = old.get(key), new.get(key)
        change = _change(x, y if x is None or y is None or y.a == x.a else y.turned())
        if change is None:
            continue
        why: list[Cause] = ["runs"] if changed & key else []
        why += ["family"] if corrected and (old.keys() != new.keys() or changed - key) else []
        why += ["options"] if any(row.option != VERSION for row in options) else []
        why += ["version"] if any(row.option == VERSION for row in options) else []
        causes: tuple[Cause, ...] = () if x is None or y is None else tuple(why or ["unknown"])
        rows.append(_pair(x, y, change, causes))
    order = list(CHANGES)
    return tuple(sorted(rows, key=lambda row: order.index(row.change)))


def _change(old: SavedPair | None, new: SavedPair | None) -> PairChangeName | None:
    """Return what changed of a pair that is seen from the same side in both; None: nothing."""
    if old is None or new is None:
        return "only_new" if old is None else "only_old"
    if old.verdict != new.verdict:
        return "verdict"
    numbers = [(getattr(old, name), getattr(new, name)) for name in NUMBERS]
    present = [abs(number) for both in numbers for number in both if number is not None]
    same = old.measure == new.measure and all(_equal(x, y, ROUNDING * max(present)) for x, y in numbers)
    return None if same else "numbers"


def _equal(x: float | None, y: float | None, rounding: float) -> bool:
    return x is y if x is None or y is None else isclose(x, y, rel_tol=0.0, abs_tol=rounding)


def _pair(old: SavedPair | None, new: SavedPair | None, change: PairChangeName, why: tuple[Cause, ...]) -> DiffPair:
    first = old or new
    assert first is not None
    if new is not None and new.a != first.a:
        new = new.turned()
    sides: dict[str, Any] = {}
    for called, pair in (("old", old), ("new", new)):
        ends = (None, None) if pair is None else pair.ends
        own = {} if pair is None else {"verdict": pair.verdict, "measure": pair.measure, "estimate": pair.estimate}
        own |= {"low": ends[0], "high": ends[1], "pvalue": None if pair is None else pair.pvalue_adjusted}
        sides |= {
            f"{called}_{name}": own.get(name) for name in ("verdict", "measure", "estimate", "low", "high", "pvalue")
        }
    return DiffPair(a=first.a, b=first.b, change=change, why=why, **sides)


CautionKey: TypeAlias = tuple[str, tuple[str, ...]]


def _cautions_that_differ(before: SavedComparison, after: SavedComparison) -> tuple[tuple[DiffCaution, ...], list[str]]:
    """Return the advice that one side has, or has with another severity, by code; and what of it cannot be compared."""
    notes: list[str] = []
    whole: list[Sequence[Advice]] = [side.report or () for side in (before, after)]
    if before.report is None or after.report is None:
        # A report has advice on what a comparison does not answer.
        own = [side.advice for side in (before, after)]
        whole = [advice or () for advice in own] if None not in own else [(), ()]
        notes = [
            "one side does not say which cautions are of its pairs together: those of single pairs are compared"
        ] * (None in own)
    old, new = (_by_subject(side, advice) for side, advice in zip((before, after), whole, strict=True))
    rows: dict[tuple[Any, ...], list[tuple[CautionKey, str]]] = {}
    for subject in dict.fromkeys([*old, *new]):
        both = [side[subject].severity if subject in side else None for side in (old, new)]
        if both[0] != both[1]:
            item = new.get(subject, old.get(subject))
            rows.setdefault((subject[0], *both), []).append((subject, item.text if item else ""))
    cautions = [
        DiffCaution(
            code=code,
            old_severity=x,
            new_severity=y,
            subjects=tuple(" – ".join(names) for (_, names), _ in of if names),
            text=of[0][1],
        )
        for (code, x, y), of in rows.items()
    ]
    rank = {severity: place for place, severity in enumerate(SEVERITIES)}
    cautions.sort(key=lambda row: (min(rank[s] for s in (row.old_severity, row.new_severity) if s), row.code))
    return tuple(cautions), notes


def _by_subject(side: SavedComparison, whole: Sequence[Advice]) -> dict[CautionKey, Advice]:
    """Return the advice of a side by its code and whom it is about; of several the most severe."""
    of_pairs = [(item, item.subjects or (pair.a, pair.b)) for pair in side.pairs for item in pair.advice]
    single = {item for item, _ in of_pairs}
    every = [*of_pairs, *((item, item.subjects) for item in whole if item not in single)]
    by_subject: dict[CautionKey, Advice] = {}
    for item, names in sorted(every, key=lambda about: SEVERITIES.index(about[0].severity)):
        by_subject.setdefault((item.code, tuple(sorted(names))), item)
    return by_subject


def _one_sided(before: SavedComparison, after: SavedComparison) -> Iterator[str]:
    """Yield which algorithms and tasks one side has alone, and which seem to be called otherwise."""
    if not (before.data.algorithms and after.data.algorithms):
        return
    for at, noun in enumerate(("algorithm", "task")):
        old, new = (getattr(side.data, f"{noun}s") for side in (before, after))
        gone, come = [name for name in old if name not in new], [name for name in new if name not in old]
        for called, names in (("old", gone), ("new", come)):
            if names:
                yield f"only the {called} side has the {noun}{'s' * (len(names) > 1)} {listed(names)}"
        had = {name: _scores_of(before, at, name) for name in gone}
        for name in come:
            scores = _scores_of(after, at, name)
            was = next((other for other, own in had.items() if own and own == scores), None)
            if was is not None:
                rename = option("rename", f"{was}={name}")
                yield f"{name} has the scores of {was}: if it is the same {noun}, call both alike ({rename})"


def _scores_of(side: SavedComparison, at: int, name: str) -> dict[str, list[float]]:
    """Return the scores of an algorithm (at 0) by task, or of a task (at 1) by algorithm."""
    return {cell[1 - at]: sorted(runs.values()) for cell, runs in (side.scores or {}).items() if cell[at] == name}


def _short(reference: str) -> str:
    """Return the name of reference scores."""
    return reference.partition(" (")[0]
