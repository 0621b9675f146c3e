"""Does the order of two algorithms survive other choices?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from runoff._inference import advice as rules
from runoff._inference import pairs as pairing
from runoff._inference.bootstrap import OwnFunction, cited, named_measure, named_measures, parse_metric
from runoff.answer.base import filled
from runoff.answer.robustness import KINDS, RobustnessResult, RobustnessRow
from runoff.base.arrays import Floats
from runoff.base.ports import door
from runoff.base.validate import check_count
from runoff.data.curves import Curves
from runoff.data.given import DataReading, ScoresLike, as_scores
from runoff.data.given_curves import as_curves
from runoff.data.reference import LowHigh, Reference, ReferenceLike
from runoff.data.scores import Scores
from runoff.errors import DataError, OptionError
from runoff.references import load_reference, registered
from runoff.words.names import MeasureName, MetricName, SingleValue

VariedLead = tuple[Callable[[], str] | str, float, float]
WINDOWS = (1, 2, 5, 10)
RANGE, RAW = "range", "none"
"""Names of two references without a table: the lowest and highest run of the pair on each task, and the units of the scores."""
ReferencesOfPairs = dict[str, tuple[LowHigh, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _RobustnessOptions:
    """The checked variations of one call.

    measure: that of the order; others: the other ones; maps: name → for each task (low, high) of another
    reference, empty for the range of the pair's runs; windows: name → the scores of another final window.
    """

    scores: Scores
    measure: str
    others: tuple[str, ...]
    maps: ReferencesOfPairs
    windows: dict[str, Scores]


def robustness(
    data: ScoresLike | Curves,
    *,
    measure: MeasureName | OwnFunction = "auto",
    other_measures: Sequence[MetricName | OwnFunction] | None = None,
    other_references: Sequence[ReferenceLike] | None = None,
    normalize: ReferenceLike | None = None,
    last: int | str | None = None,
    other_last: Sequence[int] | None = None,
    pairs: Literal["all"] | Sequence[tuple[str, str]] = "all",
    control: str | None = None,
    single_value: SingleValue = "line",
    **of_data: Unpack[DataReading],
) -> RobustnessResult:
    """Does the order of two algorithms survive another measure, other reference scores, a task or a run left out, another final window?

    Parameters
    ----------
    data : Scores or Curves
        Or a data frame, a dictionary or a path of which `Scores` can be made.
    measure : str or function
        What orders, as for `compare`: "auto", "mean", "iqm", "iqm_whole", "median", "optimality_gap", "trimmed_mean_P",
        "improvement" or a function.
    other_measures : sequence of str or function, optional
        The other measures; None: those of which `compare` says whether they agree (`ComparisonResult.other_measures`).
    other_references : sequence of registered names, files or {task: (low, high)}, optional
        Other reference scores; "none" are the units of the scores, "range" maps the lowest and the highest run of the pair on each task to 0
        and 1. None: the registered tables that know all tasks, "none" and "range", other than what the scores are normalised by; none for the
        improvement, which no unit changes.
    normalize : registered name, file or {task: (low, high)}, optional
        Normalise first: so that references can be changed, and for curves.
    last : int or str, optional
        Of curves: evaluations that are averaged, or the part of training, as in `Curves.final`.
    other_last : sequence of int, optional
        Other final windows, of curves only; None: 1, 2, 5 and 10 evaluations, as far as every run has them.
    pairs : "all" or sequence of (a, b)
    control, single_value
        As in `compare`.
    **of_data
        How `data` are read (`score="return"`, `algorithm`, `task`, `run`, `step`, `unit`, `lower_is_better`, … of `load`), and what is kept of
        them (`algorithms=["A", "B"]`, `tasks`, `exclude`; `rename`).

    Returns
    -------
    RobustnessResult
        One record for each pair and kind of variation, and one sentence.

    Raises
    ------
    DesignError
        Fewer than two algorithms, a pair without a shared task, a window that runs do not have.
    DataError
        A reference that lacks a task, or scores whose normalisation cannot be undone.
    OptionError
        An unknown measure or reference, or windows for data that are not curves.

    Notes
    -----
    "Kept" says that the better estimate stays the better one; whether two algorithms differ is decided by `compare`. An order that turns
    without one run, or with another measure, is a reason to doubt a difference that was found. An order that never turns is no evidence for
    one, since with many runs even a lead by chance survives each of them. The lead of a tie, within rounding, is not kept. The only run of a
    cell cannot be left out; runs shared by tasks (`scores.sampling`) are left out as a whole.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.Scores.from_dict({"A": [[1.0, 5.0], [2.0, 9.0], [3.0, 7.0]], "B": [[2.0, 4.0], [2.5, 3.0], [3.0, 5.0]]})
    >>> result = ro.robustness(scores, measure="mean")
    >>> [(r.kind, r.kept, r.n_variations, r.reversed_by) for r in result.rows if r.n_variations]
    [('measure', 1, 1, ()), ('reference', 1, 1, ()), ('task', 1, 2, ("without 'task 2'",)), ('run', 12, 12, ())]
    """
    # A path or a frame may hold learning curves, whose last evaluations are asked for.
    runs: Any = data if isinstance(data, Scores | Curves) and not of_data else door().runs_of(data, **of_data)
    curves = as_curves(runs) if isinstance(runs, Curves) else None
    if other_last is not None and curves is None:
        raise OptionError("windows are of learning curves; give Curves, not final scores.")
    given = curves.final(last) if curves is not None else as_scores(runs)
    base = given if normalize is None else given.normalize(normalize)
    advice = rules.about_data(base)
    base, left_out = rules.opponents(base, single_value, named=control if isinstance(pairs, str) else pairs)
    kind = pairing.measure_of(base, named_measure(measure))
    options = _RobustnessOptions(
        scores=base,
        measure=kind,
        others=tuple(name for name in _metrics(base, other_measures, kind) if name != kind),
        maps={} if kind == pairing.IMPROVEMENT and other_references is None else _maps(base, other_references),
        windows={} if curves is None else _windows(curves, last, other_last, normalize),
    )
    cache: dict[tuple[int, tuple[int, ...]], pairing.Varied] = {}
    chosen = pairing.chosen_pairs(base, pairs, control)
    records = [record for a, b in chosen for record in _pair(options, a, b, cache)]
    tried = {
        "measure": options.others,
        "reference": tuple(options.maps),
        "last": tuple(options.windows),
    }
    return RobustnessResult(
        rows=tuple(records),
        measure=kind,
        variations=tuple((kind, some) for kind, some in tried.items() if some),
        sentence=pairing.robustness_words(records, cited(kind), base.sampling.unit),
        advice=rules.collected(
            *(
                rules.one_run(pair.left_out, rules.pair(pair.a, pair.b), others=len(pair.tasks))
                for pair in pairing.all_pairs(base, chosen, kind)
            ),
            rules.missing(base),
            left_out,
            *advice,
        ),
    ).with_origin(given)


# ── what is varied ──────────


def _metrics(scores: Scores, metrics: Sequence[str | OwnFunction] | None, measure: str) -> Sequence[str]:
    if metrics is None:
        return pairing.other_measures(scores, measure)
    if isinstance(metrics, str):
        raise OptionError(f"metrics must be a sequence of names, not {metrics!r}.")
    names = named_measures(metrics) if metrics else ()
    return [name if name == pairing.IMPROVEMENT else parse_metric(name).name for name in names]


def _maps(scores: Scores, references: Sequence[ReferenceLike] | None) -> ReferencesOfPairs:
    """Return for each other reference (low, high) of every task in the units that the scores have now."""
    if references is None and scores.n_tasks == 1:
        return {}  # one task: every reference keeps the order
    now = _present(scores)
    if references is not None:
        if not isinstance(references, list | tuple):
            raise OptionError(f"references must be a sequence, for example [{references!r}].")
        maps: dict[str, tuple[LowHigh, ...]] = {}
        for reference in references:
            name, ends = _map(scores, reference, now)
            same = sum(other == name or other.startswith(f"{name} (") for other in maps)
            maps[f"{name} ({same + 1})" if same else name] = ends
        return maps
    # Scores whose reference is not known any more cannot be taken back to their units, and so to no other reference.
    # By those that are registered more is better, and costs have no place on their scales.
    own = [] if now is None or scores.provenance.of_costs else [n for n in registered() if n != now.name]
    names = [name for name in own if _knows(name, scores.tasks)]
    raw = [RAW] if now is not None and now.name != RAW else []
    return dict(_map(scores, reference, now) for reference in [*names, *raw, RANGE])


def _present(scores: Scores) -> Reference | None:
    """Return the reference that the scores are normalised by, None if it is not known any more."""
    if scores.provenance.reference is None:
        return Reference(name=RAW, title="", low="", high="", source="", unit="", scores={}, every_task=(0.0, 1.0))
    return next(
        (load_reference(n) for n in registered() if str(load_reference(n)) == scores.provenance.reference), None
    )


def _knows(name: str, tasks: Sequence[str]) -> bool:
    """Return whether a table has every task, each with a pair of its own; one pair for all keeps every order."""
    reference = load_reference(name)
    try:
        return reference.every_task is None and len([reference.pair(task) for task in tasks]) > 1
    except DataError:
        return False


def _map(scores: Scores, reference: ReferenceLike, now: Reference | None) -> tuple[str, tuple[LowHigh, ...]]:
    name = reference if isinstance(reference, str) else None
    if name == RANGE:
        return "range of the scores", ()
    if now is None:
        raise DataError(
            f"these scores are normalised by {scores.provenance.reference}, which is no registered table and cannot be undone; give raw "
            "scores, and that table as normalize=..."
        )
    negated = scores.provenance.of_costs
    wanted = None if name == RAW else load_reference(reference).facing(scores.tasks, negated=negated)
    ends = []
    for task in scores.tasks:
        low, high = now.pair(task)
        # Where the 0 and the 1 of the other reference lie in the present units.
        new = (0.0, 1.0) if wanted is None else wanted.pair(task)
        ends.append(((new[0] - low) / (high - low), (new[1] - low) / (high - low)))
    return "no reference" if wanted is None else wanted.name, tuple(ends)


def _windows(
    curves: Curves, last: int | str | None, windows: Sequence[int] | None, normalize: ReferenceLike | None
) -> dict[str, Scores]:
    shortest = int(np.diff(curves.run_offsets).min())
    if isinstance(windows, int):
        raise OptionError(f"windows must be a sequence of numbers of evaluations, for example [{windows}].")
    wanted = [n for n in WINDOWS if n <= shortest] if windows is None else [check_count("windows", n) for n in windows]
    own, noun = curves.window(last), "training return" if curves.of_training else "evaluation"
    others = {n: curves.final(n) for n in dict.fromkeys(wanted) if n != own}
    return {
        f"the last {n} {noun}s" if n > 1 else f"the last {noun}": scores
        if normalize is None
        else scores.normalize(normalize)
        for n, scores in others.items()
    }


# ── one pair ──────────


def _pair(
    options: _RobustnessOptions, a: int, b: int, cache: dict[tuple[int, tuple[int, ...]], pairing.Varied]
) -> Iterator[RobustnessRow]:
    scores = options.scores
    tasks = pairing.counted_tasks(scores, a, b, options.measure)
    if options.measure == pairing.IMPROVEMENT:
        x, y = ([scores.cell(algorithm, t) for t in tasks] for algorithm in (a, b))
        sides = pairing.varied_chances(x, y, shared=scores.sampling.shared)
    else:
        sides = _side(options, a, tasks, cache), _side(options, b, tasks, cache)
    lead = sides[0].value - sides[1].value
    size = max(side.size for side in sides)
    # A lead of rounding alone is none: it is compared with the size of what is summed and subtracted.
    clear = pairing.kept([("", abs(lead), size)]).kept == 1
    # Variations are counted from the side of the leader; where nobody leads no order can be kept.
    sign = (1.0 if lead > 0 else -1.0) if clear else 0.0
    outcomes = dict.fromkeys(KINDS, pairing.kept(()))
    for kind, leads in _leads(options, (a, b), tasks, sides):
        outcomes[kind] = pairing.kept([(label, sign * value, size) for label, value, size in leads])
    first, second = scores.algorithms[a], scores.algorithms[b]
    ahead = (first if lead > 0 else second) if clear else None
    return (
        filled(RobustnessRow, outcome, a=first, b=second, ahead=ahead, difference=lead, kind=kind)
        for kind, outcome in outcomes.items()
    )


def _side(
    options: _RobustnessOptions,
    a: int,
    tasks: tuple[int, ...],
    cache: dict[tuple[int, tuple[int, ...]], pairing.Varied],
) -> pairing.Varied:
    # Leaving each run out in turn is the work of this method, and an algorithm is in k − 1 pairs, mostly on the same
    # tasks.
    if (a, tasks) not in cache:
        cells, shared = [options.scores.cell(a, t) for t in tasks], options.scores.sampling.shared
        cache[a, tasks] = pairing.varied(cells, parse_metric(options.measure), shared=shared)
    return cache[a, tasks]


def _leads(
    options: _RobustnessOptions,
    pair: tuple[int, int],
    tasks: tuple[int, ...],
    sides: tuple[pairing.Varied, pairing.Varied],
) -> Iterator[tuple[str, list[VariedLead]]]:
    (x, y), size = sides, max(side.size for side in sides)
    cells = [[options.scores.cell(algorithm, t) for t in tasks] for algorithm in pair]
    yield "measure", [_lead(name, cells, name) for name in options.others]
    labels = [f"without {options.scores.tasks[t]!r}" for t in tasks] if len(tasks) > 1 else []
    yield "task", _each(labels, x.without_task, y.without_task, size)
    runs = [
        *_each([partial(_run, options.scores, pair[0], tasks, at) for at in x.which], x.without_run, y.value, size),
        *_each([partial(_run, options.scores, pair[1], tasks, at) for at in y.which], x.value, y.without_run, size),
    ]
    yield "run", runs
    scales = {name: [ends[t] for t in tasks] if ends else _ranges(*cells) for name, ends in options.maps.items()}
    yield "reference", [_under(name, ends, cells, options.measure) for name, ends in scales.items()]
    yield "last", [_at(name, scores, pair, options) for name, scores in options.windows.items()]


def _each(
    labels: Sequence[Callable[[], str] | str], x: Floats | float, y: Floats | float, size: float
) -> list[VariedLead]:
    leads = np.subtract(x, y).tolist()
    return [(label, lead, size) for label, lead in zip(labels, leads, strict=True)]


def _run(scores: Scores, a: int, tasks: tuple[int, ...], at: tuple[int | None, int]) -> str:
    task, place = at
    # Without a task the run is shared by all, under one name.
    run = scores.labelled(a, tasks[task or 0])[0][place]
    where = f" on {scores.tasks[tasks[task]]!r}" if task is not None and scores.n_tasks > 1 else ""
    return f"without run {run!r} of {scores.algorithms[a]!r}{where}"


def _ranges(x: pairing.VariedCells, y: pairing.VariedCells) -> list[LowHigh]:
    """Return the lowest and the highest run of both on each task; where all are equal, any other end will do."""
    both = [np.concatenate(cells) for cells in zip(x, y, strict=True)]
    ends = [(float(cell.min()), float(cell.max())) for cell in both]
    return [(low, high if high > low else low + max(1.0, abs(low))) for low, high in ends]


def _under(name: str, ends: Sequence[LowHigh], cells: Sequence[pairing.VariedCells], measure: str) -> VariedLead:
    scaled = [[(cell - low) / (high - low) for cell, (low, high) in zip(some, ends, strict=True)] for some in cells]
    return _lead(name, scaled, measure)


def _at(name: str, scores: Scores, pair: tuple[int, int], options: _RobustnessOptions) -> VariedLead:
    a, b = (scores.algorithms.index(options.scores.algorithms[algorithm]) for algorithm in pair)
    tasks = pairing.counted_tasks(scores, a, b, options.measure)
    return _lead(name, [[scores.cell(algorithm, t) for t in tasks] for algorithm in (a, b)], options.measure)


def _lead(name: str, cells: Sequence[pairing.VariedCells], measure: str) -> VariedLead:
    """Return the lead of the first by a measure; of the improvement that of the chance over ½."""
    x, y = cells
    if measure == pairing.IMPROVEMENT:
        return name, pairing.improvement_law(x, y).value - pairing.EVEN, 1.0
    metric = parse_metric(measure)
    first, second = (pairing.aggregate(side, metric) for side in cells)
    return name, first - second, max(pairing.size_of(side, metric) for side in cells)
