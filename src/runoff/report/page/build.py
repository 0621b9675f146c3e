"""`build`: the report as one HTML file, a pure function of the answers.

Everything that comes from the user passes through autoescape; only what this package drew itself is marked as safe.
What the page may load and run, its own styles and its own script, is listed by their hashes in its content policy.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files as files_of
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import IMPROVEMENT, unit_words
from runoff.plots import marks
from runoff.report.answers.all import Answers, leaders_first, standing_of
from runoff.report.page.charts import Hand, drawings
from runoff.report.page.data import block
from runoff.report.page.drawing import Drawing
from runoff.report.page.rows import MANY_PAIRS, axis_words, first_rows, pair_rows, ranks, survived
from runoff.report.page.svg import Look, look_of
from runoff.report.page.tasks import SHADES, blocks, columns
from runoff.report.words.advice import grouped
from runoff.report.words.headline import headline
from runoff.report.words.paragraph import bibtex, compared, difference_head, methods_paragraph, tests_cited
from runoff.report.words.ranks import profile_rows
from runoff.report.words.terms import terms_of
from runoff.results.aggregate import AggregateRecord, decimals
from runoff.results.standing import Standing
from runoff.words.names import metric_head
from runoff.words.numbers import counted, interval, number, span
from runoff.words.shorten import isolated_in, short_names


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page with this style sheet and this script.

    >>> policy("", "").split("; ")[0]
    "default-src 'none'"
    """
    return (
        f"default-src 'none'; style-src '{hashed(style)}'; script-src '{hashed(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def hashed(text: str) -> str:
    """Return the hash of an element's text as a policy names it.

    >>> hashed("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


LONGEST = 28
"""The most characters of a name in a table; its title and the table of algorithms have it in full."""
SHORT = 17
"""The most characters of a name in a drawing, and of a task above its column."""

OPERATOR = re.compile(r" (=>|===|&&|\|\||\?\?|=) ")
"""Operators whose spaces `packaged` removes; none of them stands in a text of the script."""

Row = dict[str, Any]


def build(
    answers: Answers, *, title: str | None = None, figures: Sequence[Drawing] = (), files: Sequence[str] = ()
) -> str:
    """What do these results say, as one HTML page?

    Parameters
    ----------
    answers : Answers
    title : str, optional
    figures : sequence of Drawing
        The figures that lie beside the page in ``figures/``: it links to them.
    files : sequence of str
        Other files that it links to, as paths from the page.

    Returns
    -------
    str
        A self-contained page: no network, light and dark, printable, complete without its script; the same answers give the same text.
    """
    standing = standing_of(answers)
    look, order = look_of(marks(answers.scores.algorithms)), standing.order
    style, script = packaged("page.css") + look.rules, page_script()
    view = {
        "title": title or "",
        "style": Markup(style),
        "script": Markup(script),
        "policy": policy(style, script),
        "answers": answers,
        "terms": terms_of(answers.scores.sampling.unit),
        "mark": look.drawn,
        "shapes": look.shapes,
        "label": short_names(answers.scores.algorithms, LONGEST),
        "task_label": short_names(answers.scores.tasks, LONGEST),
        "task_short": short_names(answers.scores.tasks, SHORT),
        "figures": {drawing.name: drawing for drawing in figures},
        "files": files,
        "data": _data(answers),
        **_first(answers, standing),
        **_pairs(answers, standing),
        **_tasks(answers, standing, look),
        "ranks": ranks(answers),
        "survived": survived(answers, order),
        "advice": grouped(leaders_first(answers.advice, standing), answers.comparison, standing.leading),
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


def page_script() -> str:
    """Return the script: what it works out, which tests run by itself, and what it does to the page."""
    return f"{packaged('pure.js')}\n{packaged('report.js')}"


@cache
def packaged(name: str) -> str:
    """Return a file of this package without what a browser does not need: indentation, line ends of CSS, whole lines of comment, spaces."""
    text = files_of("runoff.report.page").joinpath(name).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    if name.endswith(".css"):
        return re.sub(r" ?([{};]|: ) ?", lambda match: match[1].strip(), "".join(lines)).replace(";}", "}")
    script = "\n".join(line for line in lines if line and not line.startswith("//"))
    return OPERATOR.sub(r"\1", script)


def _isolated(value: object) -> object:
    """Return what the page prints: names that are written from right to left turn nothing around them."""
    return isolated_in(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _first(answers: Answers, standing: Standing) -> Row:
    comparison = answers.comparison
    return {
        "headline": headline(answers, standing),
        "first": first_rows(answers, standing),
        "axis": axis_words(answers),
        "leader": standing.leader,
        "measure": metric_head(comparison.measure),
        "compared": compared(comparison),
        "by_chance": comparison.measure == IMPROVEMENT,
        "difference_head": difference_head(comparison),
        "level": f"{100 * comparison.confidence_level:g}",
        "correction": CORRECTIONS[comparison.correction].label,
    }


def _pairs(answers: Answers, standing: Standing) -> Row:
    rows, methods = pair_rows(standing), methods_paragraph(answers)
    profiles = profile_rows(answers)
    return {
        "pairs": rows,
        "undecided": any(not row["better"] for row in rows),
        "times": any("×" in row["needed"] for row in rows),
        "tests": tests_cited(answers.comparison),
        "profiles": profiles if len(profiles) <= MANY_PAIRS else [],
        "n_profiles": len(profiles),
        "methods": methods,
        "bibtex": bibtex(methods.references),
    }


def _tasks(answers: Answers, standing: Standing, look: Look) -> Row:
    heat, table = columns(answers, standing.order), _aggregates(answers, standing.order)
    hand = Hand(
        order=standing.order,
        labels=short_names(answers.scores.algorithms, SHORT),
        classes=look.classes,
        shaped=look.shaped,
    )
    return {
        "heat": blocks(heat),
        "shades": SHADES,
        "order": standing.order,
        "drawn": drawings(answers, heat, hand),
        "aggregates": table,
        "data_block": block(answers, standing, heat, table),
    }


def _data(answers: Answers) -> Row:
    scores = answers.scores
    counts = scores.n_runs
    present, steps = counts[counts > 0], dict(scores.provenance.steps)
    algorithms = [
        {"name": name, "tasks": own.size, "runs": span(own), "total": int(own.sum()), "steps": steps.get(name, "")}
        for name, own in zip(scores.algorithms, (row[row > 0] for row in counts), strict=True)
    ]
    return {
        "shape": f"{scores.n_algorithms} algorithms × {counted([scores.n_tasks], 'task')}",
        "runs": counted(present, scores.sampling.unit),
        "row": scores.sampling.unit,
        "missing": int((counts == 0).sum()),
        "total": int(counts.sum()),
        "ragged": bool(counts.min() != counts.max()),
        "algorithms": algorithms,
        "rows": [(task, counts[:, t].tolist()) for t, task in enumerate(scores.tasks)],
        "provenance": scores.provenance,
        "unit": scores.provenance.reference or unit_words(scores),
    }


def _aggregates(answers: Answers, order: Sequence[str]) -> Row:
    result = answers.aggregates
    columns = [[r for r in result.records if r.metric == metric] for metric in result.metrics]
    places = [decimals(records) for records in columns]
    rows = [
        (name, [_cell(result.record(name, m), d) for m, d in zip(result.metrics, places, strict=True)])
        for name in order
    ]
    return {"names": result.metrics, "heads": [metric_head(metric) for metric in result.metrics], "rows": rows}


def _cell(record: AggregateRecord, places: int) -> Row:
    return {"estimate": number(record.estimate, places), "interval": interval(record.low, record.high, places)}
