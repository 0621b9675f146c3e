"""The page's own drawings of results: profiles, a metric against steps, and each task's curves and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from runoff._inference.bootstrap import parse_metric
from runoff.plots import caption
from runoff.plots._caption import along_words
from runoff.plots._text import score_words
from runoff.report.answers.all import Answers
from runoff.report.page.charts import Line, chart
from runoff.report.page.heat import Column
from runoff.report.page.strips import runs_are_drawn, strips

MOST_CELLS = 600
"""Beyond so many cells the learning curves of tasks are left to their figure."""

Drawn = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What all drawings share: the order of the algorithms, their labels, short enough for a drawing, their colours and their markers."""

    order: Sequence[str]
    labels: Mapping[str, str]
    classes: Mapping[str, str]
    shaped: Mapping[str, str]


def drawings(answers: Answers, columns: Sequence[Column], hand: Hand) -> dict[str, Any]:
    """Return the page's drawings by name, those by task as lists; nothing where there is nothing to draw."""
    return {
        "runs": _runs(answers, columns, hand),
        "profiles": _profiles(answers, hand),
        "efficiency": _efficiency(answers, hand),
        "curves": _curves(answers, hand),
    }


def _runs(answers: Answers, columns: Sequence[Column], hand: Hand) -> Drawn:
    scores = answers.scores.select(algorithms=list(hand.order))
    below = caption(scores)
    if not runs_are_drawn(scores):
        below = below.replace(
            "Points: runs, spread vertically only to tell them apart.", "Thin bars: all runs; thick: the middle half."
        )
    return {
        "caption": below,
        "all": runs_are_drawn(scores),
        "tasks": [strips(scores, column.place, column.cells, hand.labels, hand.classes) for column in columns],
    }


def _profiles(answers: Answers, hand: Hand) -> Drawn | None:
    profile = answers.profiles.result
    if profile is None:
        return None
    points: dict[str, list[Any]] = {}
    for r in profile.records:
        points.setdefault(r.algorithm, []).append((r.threshold, r.estimate, r.low, r.high))
    what = "runs" if profile.kind == "run_scores" else "task means"
    drawn = chart(
        _lines(points, hand),
        title="Share of runs above each score",
        across=f"{score_words(profile.reference)} τ",
        up=f"share of {what} above τ",
        log=profile.scale == "log",
        within=(0.0, 1.0),
        legend=True,
    )
    return {"svg": drawn, "caption": caption(profile)}


def _efficiency(answers: Answers, hand: Hand) -> Drawn | None:
    if answers.curves is None:
        return None
    efficiency = answers.curves.efficiency
    points: dict[str, list[Any]] = {}
    for r in efficiency.records:
        points.setdefault(r.algorithm, []).append((r.step, r.estimate, r.low, r.high))
    across, up = along_words(efficiency.axis), parse_metric(efficiency.records[0].metric).title
    drawn = chart(_lines(points, hand), title="Scores against steps", across=across, up=up)
    return {"svg": drawn, "caption": caption(efficiency)}


def _curves(answers: Answers, hand: Hand) -> Drawn | None:
    """Return the curves of each task; of very many cells none."""
    if answers.curves is None:
        return None
    summary = answers.curves.summary
    many = len(summary.algorithms) * len(summary.tasks) > MOST_CELLS
    points: dict[str, dict[str, list[Any]]] = {}
    for r in summary.records:
        points.setdefault(r.task, {}).setdefault(r.algorithm, []).append((r.step, r.centre, r.low, r.high))
    place = {task: t for t, task in enumerate(answers.scores.tasks)}
    drawn = (
        [] if many else [(place[task], task, _panel(task, points[task], summary.axis, hand)) for task in summary.tasks]
    )
    return {"caption": caption(replace(summary, runs=())), "tasks": drawn}


def _panel(task: str, points: Mapping[str, list[Any]], axis: str, hand: Hand) -> Markup:
    return chart(_lines(points, hand), title=f"Learning curves on {task}", across=along_words(axis), up="score")


def _lines(points: Mapping[str, list[Any]], hand: Hand) -> list[Line]:
    """Return a line for each algorithm, in the order."""
    return [
        Line(
            colour=hand.classes[name],
            shape=hand.shaped[name],
            label=hand.labels[name],
            points=points[name],
            place=place,
        )
        for place, name in enumerate(hand.order)
        if name in points
    ]
