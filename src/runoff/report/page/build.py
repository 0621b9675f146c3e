"""`build`: the report as one HTML file, a pure function of the answers.

Everything that comes from the user passes through autoescape; only the drawings of `inline` are marked as safe: matplotlib escapes text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from runoff._arrays import Ints
from runoff._bidi import isolated_in
from runoff._counts import counted, span
from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import about_test
from runoff._shorten import short_names
from runoff.plots import marks
from runoff.plots._text import metric_head
from runoff.report.answers.all import Answers
from runoff.report.answers.rank_rows import rank_rows
from runoff.report.answers.standing import ranked, standing
from runoff.report.page.drawing import Drawing, draw
from runoff.report.page.first import axis_words, first_rows
from runoff.report.page.inline import inline_marker, inline_svg, width_of_svg
from runoff.report.words.advice import grouped
from runoff.report.words.headline import headline, told_first
from runoff.report.words.numbers import (
    chance,
    decimals,
    decimals_of,
    decimals_of_differences,
    interval,
    number,
    places_text,
    pvalue,
)
from runoff.report.words.paragraph import methods_paragraph
from runoff.report.words.profiles import profile_rows
from runoff.report.words.ranks import disagreement_words, intervals_words, pair_words, ranking_words
from runoff.results.aggregate import AggregateRecord
from runoff.results.base import Record
from runoff.results.comparison import Pair
from runoff.scores import Scores

MOST_RUNS = 1000
"""Beyond so many runs a number would be no plan."""
LONGEST = 28
"""Characters of a name in a table; its title and the first table have it in full."""
NARROW = 300
"""Points: a narrower drawing is made for one column, and is shown in one."""
UNDECIDED = {"no_difference_found": "no difference found", "equivalent": "equivalent"}
"""What the table says where neither is better."""

Row = dict[str, Any]


def build(answers: Answers, *, title: str | None = None, figures: Sequence[Drawing] | None = None) -> str:
    """What do these results say, as one HTML page?

    Parameters
    ----------
    answers : Answers
    title : str, optional
    figures : sequence of Drawing, optional
        Drawn from `answers` if None; each needs its SVG.

    Returns
    -------
    str
        A self-contained page: no scripts, no network, light and dark, printable; the same answers give the same text.
    """
    drawn = draw(answers, ("svg",)) if figures is None else figures
    places, found = decimals_of_differences(answers.comparison.pairs), standing(answers)
    methods = methods_paragraph(answers)
    view = {
        "title": title or "",
        "style": Markup(files("runoff.report.page").joinpath("page.css").read_text(encoding="utf-8")),
        "headline": headline(answers, found),
        "first": first_rows(answers, found),
        "axis": axis_words(answers),
        "leader": found.leader,
        "of_means": all(about_test(pair.test).compares == "means" for pair in found.pairs),
        "measure": metric_head(answers.aggregates.metrics[0]),
        "data": _data(answers),
        "aggregates": _aggregates(answers),
        "pairs": [_pair(pair, places) for pair in found.pairs],
        "told": told_first(found.pairs),
        "ranks": _ranks(answers),
        "profiles": profile_rows(answers),
        "comparison": answers.comparison,
        "correction": CORRECTIONS[answers.comparison.correction].label,
        "tests": [about_test(test).cited for test in dict.fromkeys(pair.test for pair in answers.comparison.pairs)],
        "tasks": _task_rows(answers),
        "advice": grouped(answers.advice, answers.comparison),
        "methods": methods,
        "answers": answers,
        "mark": _markers(answers),
        "label": short_names(answers.scores.algorithms, LONGEST),
        "task_label": short_names(answers.scores.tasks, LONGEST),
        "figures": {d.name: _figure(d) for d in drawn},
    }
    return _template().render(view)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("runoff.report.page", "."),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_isolated,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")


def _isolated(value: object) -> object:
    """Return what the page prints: names that are written from right to left turn nothing around them."""
    return isolated_in(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _markers(answers: Answers) -> Mapping[str, Markup]:
    return {name: Markup(inline_marker(m.marker, m.color)) for name, m in marks(answers.scores.algorithms).items()}


def _figure(drawing: Drawing) -> Row:
    drawn = drawing.files["svg"]
    svg = inline_svg(drawn, name=f"fig-{drawing.name}", title=drawing.title)
    return {
        "name": drawing.name,
        "svg": Markup(svg),
        "caption": drawing.caption,
        "narrow": width_of_svg(drawn) < NARROW,
    }


def _data(answers: Answers) -> Row:
    scores = answers.scores
    counts = scores.n_runs
    present = counts[counts > 0]
    return {
        "shape": f"{scores.n_algorithms} algorithms × {counted([scores.n_tasks], 'task')}",
        "runs": counted(present, "run"),
        "missing": int((counts == 0).sum()),
        "total": int(counts.sum()),
        "ragged": bool(counts.min() != counts.max()),
        "algorithms": [_algorithm(scores, a, counts[a][counts[a] > 0]) for a in range(scores.n_algorithms)],
        "rows": [(task, counts[:, t].tolist()) for t, task in enumerate(scores.tasks)],
        "provenance": scores.provenance,
    }


def _algorithm(scores: Scores, a: int, counts: Ints) -> Row:
    name = scores.algorithms[a]
    steps = dict(scores.provenance.steps).get(name, "")
    return {"name": name, "tasks": counts.size, "runs": span(counts), "total": int(counts.sum()), "steps": steps}


def _aggregates(answers: Answers) -> Row:
    result = answers.aggregates
    columns = [[r for r in result.records if r.metric == metric] for metric in result.metrics]
    places = [decimals(records) for records in columns]
    order = [record.algorithm for record in ranked(answers)]
    rows = [
        (name, [_cell(result.record(name, m), d) for m, d in zip(result.metrics, places, strict=True)])
        for name in order
    ]
    return {"heads": [metric_head(metric) for metric in result.metrics], "rows": rows}


def _cell(record: AggregateRecord, places: int) -> Row:
    return {"estimate": number(record.estimate, places), "interval": interval(record.low, record.high, places)}


def _pair(pair: Pair, places: int) -> Row:
    return {
        "pair": pair,
        "better": {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict),
        "verdict": UNDECIDED.get(pair.verdict),
        "difference": number(pair.difference, places),
        "difference_interval": interval(pair.difference_low, pair.difference_high, places),
        "improvement": number(pair.improvement, 2),
        "improvement_interval": interval(pair.improvement_low, pair.improvement_high, 2),
        "p": pvalue(pair.pvalue),
        "p_adjusted": pvalue(pair.pvalue_adjusted),
        "detectable": number(pair.detectable_difference, places),
        "needed": _needed(pair),
    }


def _needed(pair: Pair) -> str:
    """Return the runs of each cell that would find a difference as large as that seen: "23", "> 1000", or "×2.4" where cells differ."""
    multiple, runs = pair.needed_multiple, {*pair.n_runs_a, *pair.n_runs_b}
    if multiple is None:
        return "–"
    if len(runs) > 1:
        return f"×{multiple:.1f}" if multiple < MOST_RUNS else f"> ×{MOST_RUNS}"
    needed = multiple * min(runs)
    return f"{ceil(needed)}" if needed <= MOST_RUNS else f"> {MOST_RUNS}"


def _ranks(answers: Answers) -> Row:
    intervals = answers.ranking.intervals
    records = [r for r in answers.aggregates.records if r.metric == answers.aggregates.metrics[0]]
    rows, places = rank_rows(answers), decimals(records)
    digits = decimals_of([row["average_rank"] for row in rows], 4)
    reading = ""
    if intervals is not None:
        reading = intervals_words(intervals) if rows else pair_words(intervals, places)
    return {
        "words": ranking_words(answers.ranking, answers.comparison.alpha),
        "reading": reading,
        "disagreements": disagreement_words(intervals) if intervals is not None else [],
        "metric": metric_head(records[0].metric),
        "rows": [_rank_row(row, digits, places) for row in rows],
    }


def _rank_row(row: Record, digits: int, places: int) -> Row:
    shown = {"estimate": number(row["estimate"], places), "interval": interval(row["low"], row["high"], places)}
    return {
        "algorithm": row["algorithm"],
        "average_rank": number(row["average_rank"], digits),
        "letters": row["letters"] or "–",
        "places": places_text(row["place_low"], row["place_high"]),
        "at_once": places_text(row["place_joint_low"], row["place_joint_high"]),
        "p_best": chance(row["p_best"]),
        "inferential": shown,
        "descriptive": interval(row["descriptive_low"], row["descriptive_high"], places),
        "factor": number(row["factor"], 2),
    }


def _task_rows(answers: Answers) -> list[tuple[str, list[Row | None]]]:
    by_task: dict[str | None, dict[str, AggregateRecord]] = {}
    for record in answers.task_means.records:
        by_task.setdefault(record.task, {})[record.algorithm] = record
    rows: list[tuple[str, list[Row | None]]] = []
    for task in answers.scores.tasks:
        found = by_task.get(task, {})
        places = decimals(found.values())
        cells = [found.get(name) for name in answers.scores.algorithms]
        rows.append((task, [None if record is None else _cell(record, places) for record in cells]))
    return rows
