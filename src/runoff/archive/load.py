"""`load`: the runs of a set as `Scores` or `Curves`. What computes is imported when a set is loaded: the list of sets needs none of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, overload

from runoff.archive.sets import DIFFERS, FILE, KINDS, PROTOCOL, ROOM, UNKNOWN, ArchiveSet, info, length_of
from runoff.errors import DesignError, OptionError, nearest
from runoff.words.numbers import counted
from runoff.words.speech import choice

if TYPE_CHECKING:
    import polars as pl

    from runoff.base.arrays import Floats
    from runoff.data.curves import Curves
    from runoff.data.provenance import Provenance, Sampling
    from runoff.data.scores import Scores


EQUAL = 5
"""The least number of distinct scores that distinguish a copy from chance."""
NEAR, CHANCE = ((0.0, 0.01), (0.05, 0.1)), 1e-4
"""The distance of a copy, in usual gaps between published scores, each with the least share due to chance; and the probability below which
chance is ruled out."""
DIGITS = 5
"""The number of significant digits in which equal scores agree: the archive has single precision, and both sides may be normalised."""
WHOLE = 0.9
"""Runs with less than this share of the median steps of their algorithm on the task stopped early."""
AT_STEP = "its learning curve at step {:.10g}"
OPENING = 2
"""The number of notes at the beginning of every set's origin: licence and kind, protocol."""


@overload
def load(
    set: str,
    *,
    algorithms: str | Sequence[str] | None = ...,
    tasks: str | Sequence[str] | None = ...,
    series: str = ...,
    at: float | None = ...,
    curves: Literal[False] = ...,
) -> Scores: ...
@overload
def load(
    set: str,
    *,
    algorithms: str | Sequence[str] | None = ...,
    tasks: str | Sequence[str] | None = ...,
    series: str = ...,
    curves: Literal[True],
) -> Curves: ...
def load(
    set: str,
    *,
    algorithms: str | Sequence[str] | None = None,
    tasks: str | Sequence[str] | None = None,
    series: str = "score",
    at: float | None = None,
    curves: bool = False,
) -> Scores | Curves:
    """Which scores did the runs of a published set reach?

    Parameters
    ----------
    set : str
        A name of `archive.list()`.
    algorithms, tasks : str or sequence of str, optional
        The algorithms and tasks to load, by the names of the set; None loads all.
    series : str
        The logged quantity: "score", or another of the set's `series`, such as "success".
    at : float, optional
        Take scores at this step, linearly interpolated between evaluations, of the runs that reached at least 90 % of it. None takes the
        last evaluation of each run, without runs that stopped before 90 % of the steps that the runs of their algorithm have on the task.
        Algorithms of a set may have been trained for different numbers of steps.
    curves : bool
        Whether to load learning curves, of at most 50 points per run, instead of end scores.

    Returns
    -------
    Scores or Curves
        The runs with their origin: the set, its protocol, the citation, and its known problems.

    Raises
    ------
    OptionError
        There is no such set, algorithm, task or series; the nearest name is suggested.
    DesignError
        The set has no learning curves, or none of its runs reached the step.

    Examples
    --------
    >>> import runoff as ro
    >>> scores = ro.archive.load("atari_100k", algorithms=["SPR", "DrQ"])
    >>> scores.cell("SPR", "Pong").size
    100
    """
    card = info(set)
    algorithms, tasks = ([names] if isinstance(names, str) else names for names in (algorithms, tasks))
    if curves and at is not None:
        raise OptionError("at selects one step of the scores, and curves keep all steps; leave out one of the two.")
    if at is not None and not (isinstance(at, int | float) and 0 < at < float("inf")):
        raise OptionError(f"at must be a number of steps above 0, not {at!r}.")
    frame = table(card, "steps", "values", *["config"] * (card.kind == "tuning"))
    _chosen(frame, "series", [series], card)
    for column, names in (("algorithm", algorithms), ("task", tasks)):
        frame = _chosen(frame, column, names, card)
    own = frame.filter(series=series)
    for column, names in (("algorithm", algorithms), ("task", tasks)):
        for name in names or ():
            if name in frame[column] and name not in own[column]:
                _refuse_series(frame, column, name, series, card)
    others = without(frame, series) if series == "score" else []
    if curves:
        return _curves(own, card, others)
    kept, what, notes = _ended(own) if at is None else _at(own, float(at), card)
    origin = _origin(card, kept, others, at)
    origin = (origin.scored(what) if what else origin).noting(*notes).treating(*notes)
    return _scores(kept, origin)


def table(card: ArchiveSet, *more: str) -> pl.DataFrame:
    """Return the runs of a set, sorted: algorithm, task, run, series, score, key, and `more` columns of the file; equal keys mark the same
    run."""
    import polars as pl

    names = ["algorithm", "task", "run", "series", "score", "key", *more]
    return pl.read_parquet(ROOM / card.name / FILE, columns=names)


def equal_curves(own: pl.DataFrame, published: pl.DataFrame) -> dict[str, str]:
    """Return the published algorithm whose curves an own algorithm's curves copy: most points of the shorter side agree at their step."""
    import polars as pl

    # A curve that was copied has each of its points; by chance five distinct values at their steps do not meet.
    score = pl.col("score").round_sig_figs(DIGITS)
    mine, theirs = (frame.select("algorithm", "task", "step", score).unique() for frame in (own, published))
    n, n_theirs = (dict(frame.group_by("algorithm").len().iter_rows()) for frame in (mine, theirs))
    both = mine.rename({"algorithm": "own"}).join(theirs, on=["task", "step", "score"])
    pairs = both.group_by("own", "algorithm").agg(pl.len(), values=pl.col("score").n_unique())
    return {
        a: other
        for a, other, n_equal, n_values in pairs.sort("own", "len", "algorithm").iter_rows()
        if n_values >= EQUAL and 2 * n_equal > min(n[a], n_theirs[other])
    }


def equal_scores(own: Scores, published: Scores) -> dict[str, str]:
    """Return the published algorithm whose scores an own algorithm's scores copy, at least in part, exactly or rounded.

    Own scores within a twentieth of the usual gap of a published score are a copy if there are more than chance explains. Chance is
    estimated by the share of published scores that are as close to another, at least a tenth; for agreement to six digits it is at least a
    hundredth.
    """
    tasks = [task for task in own.tasks if task in published.tasks]
    copies = {}
    for (a, name), (b, other) in product(enumerate(own.algorithms), enumerate(published.algorithms)):
        cells = [(own.cell(a, task), published.cell(b, task)) for task in tasks]
        if any(_copied([pair for pair in cells if all(cell.size for cell in pair)], *rule) for rule in NEAR):
            copies[name] = other
    return copies


def _copied(cells: Sequence[tuple[Floats, Floats]], gaps: float, least: float) -> bool:
    """Return whether more own scores lie within `gaps` usual gaps of published ones than chance (at least `least`) explains."""
    import numpy as np
    from scipy.stats import binom

    n, n_near, expected, values = 0, 0, 0.0, set[float]()
    for own, theirs in cells:
        places = np.unique(theirs)
        # Three digits or fewer in most values.
        if places.size < 3 or np.mean([float(f"{x:.2e}") == x for x in places.tolist()]) > 0.5:
            continue  # of scores in coarse steps, as success rates, many are equal by chance
        reach = max(gaps * float(np.median(np.diff(places))), 10.0**-DIGITS * float(np.abs(places).max()))
        near = np.abs(own[:, None] - theirs).min(axis=1) <= reach
        # The set itself says how often independent runs come as near to one another: that share is the chance of an
        # own run.
        alike = (np.abs(theirs[:, None] - theirs) <= reach).sum(axis=1) > 1
        n, n_near, expected = n + own.size, n_near + int(near.sum()), expected + own.size * max(alike.mean(), least)
        values.update(own[near].tolist())
    # Some distinct values, a quarter of the runs, and more than chance: each alone is met by honest data.
    return len(values) >= EQUAL and 4 * n_near >= n and float(binom.sf(n_near - 1, n, min(expected / n, 1.0))) < CHANCE


def _chosen(frame: pl.DataFrame, column: str, names: Sequence[str] | None, card: ArchiveSet) -> pl.DataFrame:
    import polars as pl

    if names is None:
        return frame
    present = frame[column].unique(maintain_order=True).to_list()
    for name in names:
        if name not in present:
            lists = choice(f"archive.info({card.name!r})", f"runoff archive {card.name}")
            message = f"set {card.name!r} has no {column} {name!r}; {lists} lists what it has.{nearest(name, present)}"
            raise OptionError(message)
    return frame.filter(pl.col(column).is_in(names))


def without(frame: pl.DataFrame, series: str) -> list[str]:
    """Return the note on runs that have other series but not this one."""
    import polars as pl

    run = ["algorithm", "task", "run"]
    others = frame.join(frame.filter(series=series), on=run, how="anti")
    rows = (
        others.group_by("algorithm", maintain_order=True).agg(pl.struct("task", "run").n_unique(), "series").iter_rows()
    )
    words = [f"{counted([n], 'run')} of {a} ({', '.join(dict.fromkeys(own))})" for a, n, own in rows]
    return [f"runs left out because they have other series but no {series}: {', '.join(words)}"] if words else []


def _refuse_series(frame: pl.DataFrame, column: str, name: str, series: str, card: ArchiveSet) -> None:
    """Refuse an algorithm or a task that has only other series."""
    own = frame.filter(frame[column] == name)["series"].unique().sort().to_list()
    how = choice(f"archive.load({card.name!r}, series={own[0]!r})", f"runoff archive {card.name} --series {own[0]}")
    raise OptionError(
        f"{column} {name!r} of set {card.name!r} has no series {series!r} here, but {', '.join(map(repr, own))}: {how}."
    )


def _ended(frame: pl.DataFrame) -> tuple[pl.DataFrame, str, list[str]]:
    """Return the runs that did not stop early, the definition of their score ("" if the source gives scores), and notes."""
    import polars as pl

    last = pl.col("steps").list.last()
    # By the median, for sets have single runs that were trained far longer; rows without steps stay.
    kept = frame.filter((last >= WHOLE * last.median().over("algorithm", "task")).fill_null(value=True))
    early = frame.height - kept.height
    those = "the steps that the runs of their algorithm have on the task"
    note = f"{early} of {frame.height} runs are left out because they stopped before {WHOLE:.0%} of {those}"
    what = "the last evaluation of its learning curve" if kept["steps"].list.len().sum() else ""
    return kept, what, [note] * bool(early)


def _at(frame: pl.DataFrame, step: float, card: ArchiveSet) -> tuple[pl.DataFrame, str, list[str]]:
    """Return the runs that reached a step with their scores there, the definition of these scores, and notes."""
    import numpy as np
    import polars as pl

    reached = frame.filter(pl.col("steps").list.first() <= step, pl.col("steps").list.last() >= WHOLE * step)
    if reached.is_empty():
        raise DesignError(f"set {card.name!r} has no run that was evaluated up to step {step:.10g}; leave out at.")
    rows = zip(reached["steps"], reached["values"], strict=True)
    scores = [float(np.interp(step, steps.to_numpy(), values.to_numpy())) for steps, values in rows]
    note = f"{frame.height - reached.height} of {frame.height} runs are left out because they did not reach step {step:.10g}"
    what = f"{AT_STEP.format(step)}, interpolated linearly, or its last evaluation from {WHOLE:.0%} of that on"
    return reached.with_columns(score=pl.Series(scores)), what, [note] * (reached.height < frame.height)


def _scores(frame: pl.DataFrame, origin: Provenance) -> Scores:
    from runoff.data.scores import Scores

    labels, offsets = _cells(frame)
    values = _floats(frame["score"])
    return Scores(**labels, offsets=offsets, values=values, provenance=origin, sampling=_sampling(frame))


def _curves(frame: pl.DataFrame, card: ArchiveSet, others: Sequence[str]) -> Curves:
    import numpy as np
    import polars as pl

    from runoff.base.arrays import read_only
    from runoff.data.curves import Curves

    n = frame.height
    frame = frame.filter(pl.col("values").list.len() > 0)
    if frame.is_empty():
        raise DesignError(f"set {card.name!r} has end scores and no learning curves; take its end scores.")
    labels, offsets = _cells(frame)
    lengths = frame["values"].list.len().to_numpy()
    left = n - frame.height
    notes = [*others, *[f"{counted([left], 'run')} without a learning curve left out"] * bool(left)]
    return Curves(
        **labels,
        steps=read_only(frame["steps"].explode().to_numpy().astype(np.float64)),
        values=_floats(frame["values"].explode()),
        run_offsets=read_only(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)),
        cell_offsets=offsets,
        provenance=_origin(card, frame, notes),
        sampling=_sampling(frame),
    )


def _sampling(frame: pl.DataFrame) -> Sampling:
    """Return the sampling of runs; in a sweep, with the configuration of each."""
    from runoff.data.provenance import Sampling

    pairs = frame.select("run", "config").unique(maintain_order=True).iter_rows() if "config" in frame.columns else ()
    return Sampling(configs=tuple((run, str(config)) for run, config in pairs))


def _cells(frame: pl.DataFrame) -> tuple[dict[str, Any], Any]:
    """Return names and runs of sorted rows, and the start of each cell."""
    import numpy as np

    from runoff.base.arrays import read_only

    names = {role: frame[role].unique(maintain_order=True).to_list() for role in ("algorithm", "task")}
    # Tasks by their names, whatever the case, as papers list games; algorithms keep the order of the set.
    names["task"].sort(key=str.casefold)
    codes = {
        role: frame[role].replace_strict(own, range(len(own)), return_dtype=None).to_numpy()
        for role, own in names.items()
    }
    n_tasks = len(names["task"])
    cells = codes["algorithm"].astype(np.int64) * n_tasks + codes["task"]
    offsets = np.searchsorted(cells, np.arange(len(names["algorithm"]) * n_tasks + 1)).astype(np.int64)
    labels = {"algorithms": tuple(names["algorithm"]), "tasks": tuple(names["task"]), "run_labels": tuple(frame["run"])}
    return labels, read_only(offsets)


def _floats(column: pl.Series) -> Any:
    """Return numbers as the source wrote them: 714.3 for the float32 714.2999878."""
    import polars as pl

    from runoff.base.arrays import read_only

    return read_only(column.cast(pl.String).cast(pl.Float64).to_numpy())


def ends_of(frame: pl.DataFrame) -> dict[str, list[float]]:
    """Return the last step of these runs, by algorithm and task, for algorithms with steps."""
    import polars as pl

    lasts = frame.group_by("algorithm", "task").agg(last=pl.col("steps").list.max().max()).drop_nulls()
    return dict(lasts.group_by("algorithm").agg(pl.col("last").cast(pl.Float64)).iter_rows())


def _protocol(
    card: ArchiveSet, algorithms: Sequence[str], ends: Mapping[str, Sequence[float]], at: float | None
) -> dict[str, str]:
    """Return what the set states about these algorithms, with the length of training of runs that end at these steps."""
    own = dict(card.protocol(*algorithms))
    lengths = dict.fromkeys(length_of(ends[a]) if a in ends else "" for a in algorithms)
    # Lengths are those of the runs that were loaded, on the tasks that were chosen.
    if own["budget"] != UNKNOWN and all(lengths):
        own["budget"] = "".join(lengths) if len(lengths) == 1 else DIFFERS
    own |= {} if at is None else {"budget": f"{at:.10g}", "final": AT_STEP.format(at)}
    return {PROTOCOL[key]: value for key, value in own.items() if value != UNKNOWN}


def _origin(card: ArchiveSet, frame: pl.DataFrame, notes: Sequence[str], at: float | None = None) -> Provenance:
    from runoff.data.provenance import Provenance

    algorithms = frame["algorithm"].unique(maintain_order=True).to_list()
    ends = ends_of(frame)
    protocol = _protocol(card, algorithms, ends, at)
    sentences = [
        f"published runs of {card.repository}, licence {card.license}: {KINDS[card.kind]}",
        f"protocol, as far as the source states it: {', '.join(f'{key}: {value}' for key, value in protocol.items())}",
        *card.notes(algorithms),
        *notes,
    ]
    return Provenance(
        path=f"runoff/archive/{card.name}/{FILE}",
        sha256=card.sha256,
        format="archive",
        steps=tuple((a, f"to {max(ends[a]) if at is None else at:g}") for a in algorithms if a in ends),
        notes=tuple(sentences),
        reference=card.normalized,
    )
