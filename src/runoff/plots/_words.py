"""Captions and axes of the pictures that the page draws itself, which are those of the figures. Needs no matplotlib."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Set

from runoff._inference.bootstrap import BANDS, KINDS, parse_metric
from runoff.answer.curves import CurveComparisonResult, CurveSummaryResult, EfficiencyResult
from runoff.answer.describe import ProfileResult
from runoff.data.scores import Scores
from runoff.plots._ticks import score_words
from runoff.words.names import INTERVAL_TITLES, metric_words
from runoff.words.nouns import Nouns
from runoff.words.numbers import counted, digits, percent

ALL, NAMED = 12, 8
"""The most profiles that all have colours, and how many have where there are more."""
MOST_BINS = 100
"""The most points of a line along training."""
BARE = " A line without a band has no interval: one run cannot show how runs vary, nor can runs without spread."
GREY_LINES = f"Grey lines: all but the first {NAMED} algorithms. "


def axes_words(result: ProfileResult) -> tuple[str, str]:
    """Return the words of the axis of scores, and of that of shares."""
    what = "scores" if result.kind == "run_scores" else "task means"
    return f"{score_words(result.reference)} τ", f"share of {what} above τ"


def strips_words(scores: Scores, drawn: str, of: Nouns) -> str:
    """Return what a strip of each task shows; drawn: what is drawn of its runs."""
    cells = counted(scores.n_runs[scores.n_runs > 0].tolist(), of.run)
    return f"Scores of individual {of.runs} by {of.task} ({cells} per cell), each {of.task} on its own scale. {drawn} Vertical bars: means."


def along_words(axis: str) -> str:
    """Return what the steps of curves count, in words."""
    return {"step": "steps", "time": "seconds of training", "episodes": "episodes"}[axis]


def profiles_words(result: ProfileResult) -> str:
    band = BANDS[result.band]
    drawn = [record for record in result.rows if record.interval]
    other = any(record.interval == "clopper_pearson" for record in drawn)
    bands_words = f"{100 * result.confidence_level:g}\u00a0% {band.title} intervals"
    bands_words += f", {result.n_resamples:,} resamples" if result.n_resamples else ""
    bands_words += " (Clopper-Pearson where that has no width)" if other else ""
    holds = "at each τ on its own" if band.pointwise else "for all τ of one algorithm together"
    scores = counted([n for s in result.summaries for n in (s.fewest, s.most)], "score")
    tasks = counted([summary.n_tasks for summary in result.summaries], "task")
    per = "every run on all tasks" if result.shared else "per task"
    bands = f"Bands: {bands_words}, {holds}." if drawn else "No bands: a cell of one score cannot show how scores vary."
    last = max(result._rows(algorithm=name)[-1].estimate for name in result.algorithms)
    end = f"The axis ends at {digits(result.thresholds[-1])}, above which an algorithm has at most {percent(last)} of them. "
    return (
        f"Share of {KINDS[result.kind].counts} above τ, every task weighing the same ({tasks}, {scores} {per}). {end if last else ''}{bands} "
        "On a linear axis the IQM is twice the area left of a profile between the shares ¼ and ¾, and the optimality gap the area above it, "
        f"left of γ = {result.summaries[0].gamma:g}. {GREY_LINES * (len(result.algorithms) > ALL)}Whether two algorithms differ is decided by "
        "the test of the pair, not by the overlap of their bands."
    )


def efficiency_words(result: EfficiencyResult, *, comparison: CurveComparisonResult | None = None) -> str:
    first = result.rows[0]
    kinds = dict.fromkeys(INTERVAL_TITLES[record.interval] for record in result.rows if record.interval)
    level = f"{100 * result.confidence_level:g}\u00a0%"
    how = "at each step on its own" if result.band == "pointwise" else "for the whole curve of an algorithm"
    bands = f"{level} {' or '.join(kinds)} intervals, {how}, from whole {result.unit}s" if kinds else "none"
    strips = " Strips under the axes: where one of a pair is found above the other, in its colour."
    return (
        f"{parse_metric(first.measure).title} against {along_words(result.along)}, over {counted([r.n_tasks for r in result.rows], 'task')} "
        f"({counted([r.n_scores for r in result.rows], result.unit)} per algorithm). Bands: {bands}."
        + _bare({(r.algorithm, r.low is not None) for r in result.rows})
        + (strips if comparison is not None else "")
    )


def _bare(lines: Set[tuple[Hashable, bool]]) -> str:
    """Return why some lines have no band where others have; of each line, whether some step of it has an interval."""
    banded = {line for line, has in lines if has}
    return BARE if banded and any(line not in banded for line, _ in lines) else ""


def curves_words(result: CurveSummaryResult) -> str:
    runs = counted([record.n_runs for record in result.rows], result.unit)
    # The caption says where there are thin lines, if some cells have them and others have not.
    drawn, cells = ({(row.algorithm, row.task) for row in rows} for rows in (result.run_curves, result.rows))
    where = "" if drawn == cells else ", where an algorithm has fewer than ten on a task"
    thin = f" Thin lines: single {result.unit}s{where}." if drawn else ""
    bands = result.spread_words if any(record.low is not None for record in result.rows) else "none"
    bare = _bare({((r.algorithm, r.task), r.low is not None) for r in result.rows})
    steps = Counter((record.algorithm, record.task) for record in result.rows)
    binned = f" Points are means of a hundredth of a line's steps each, of more than {MOST_BINS}."
    means = binned if max(steps.values()) > MOST_BINS else ""
    return (
        f"Scores against {along_words(result.along)}, task by task ({runs} per algorithm and task). "
        f"Lines: {metric_words(result.measure)} of the {result.unit}s. Bands: {bands}.{bare}{thin}{means}"
    )
