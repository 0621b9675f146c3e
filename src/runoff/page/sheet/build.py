"""`build`: the report as one HTML file, a pure function of the answers.

Everything that comes from the user passes through autoescape; only what this package drew itself is marked as safe.
What the page may load and run, its own styles and its own script, is listed by their hashes in its content policy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isclose
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from runoff._inference.family import CORRECTIONS
from runoff._inference.pairs import IMPROVEMENT, unit_words
from runoff.answer.aggregate import AggregateRow, aggregates_table, strata_table
from runoff.answer.comparison import flips_table, lines_table, pairs_table
from runoff.answer.outlook import margin_words
from runoff.answer.rank import ROUNDING, foremost, ranked_everywhere
from runoff.answer.standing import Standing
from runoff.exits.latex.render import latex_of
from runoff.page.answers.all import Answers, leaders_first, level_of, standing_of
from runoff.page.sheet.charts import Hand, drawings
from runoff.page.sheet.data import block, lead_shown
from runoff.page.sheet.frame import packaged, policy, templates
from runoff.page.sheet.rows import MANY_PAIRS, matrix, ranks, survived
from runoff.page.sheet.svg import AlgorithmStyle, look_of
from runoff.page.sheet.tables import view_of
from runoff.page.sheet.tasks import SHADES, columns
from runoff.page.sheet.versus import KINDS, picture
from runoff.page.tables import latex_tables
from runoff.page.words.advice import grouped
from runoff.page.words.headline import headline
from runoff.page.words.next_steps import next_steps
from runoff.page.words.paper import formats_words, score_words
from runoff.page.words.paragraph import methods_paragraph, tests_cited
from runoff.page.words.published import reference_of, sets_of
from runoff.page.words.references import bibtex
from runoff.page.words.terms import terms_of
from runoff.page.words.tiles import tiles
from runoff.plots import marks
from runoff.words.names import best_of, measure_words, metric_head, metric_words
from runoff.words.nouns import OF_ITEMS
from runoff.words.numbers import counted, estimated, indefinite, listed, span, step_text
from runoff.words.shorten import short_names
from runoff.words.speech import Voice, in_python, in_shell

if TYPE_CHECKING:
    from runoff.page.sheet.drawing import Drawing


LONGEST = 34
"""The most characters of a name in a table; its title and the table of algorithms have it in full."""
SHORT = 17
"""The most characters of an algorithm in a drawing."""

HEADINGS = {
    "measures": "Who leads",
    "where": "Where the lead comes from",
    "pairs": "All comparisons",
    "next": "What to do next",
    "copy": "Copy for the paper",
    "evidence": "Evidence",
}
"""The open sections of the page, which are its menu."""

ViewRow = dict[str, Any]


def build(
    answers: Answers,
    *,
    title: str | None = None,
    figures: Sequence[Drawing] = (),
    files: Sequence[str] = (),
    alone: bool = False,
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
    alone : bool
        There are no files beside it, and it names none.

    Returns
    -------
    str
        A self-contained page: no network, light and dark, printable, complete without its script; the same answers give the same text.
    """
    standing, speak = standing_of(answers), voice_of(answers.command)
    look, order = look_of(marks(answers.scores.algorithms, whole=answers.scores.origin.whole)), standing.order
    # The policy lists both by their hashes, so both are whole before it is written.
    style, script = packaged("page.css") + look.rules, page_script()
    view = {
        "title": title or "",
        "style": Markup(style),
        "script": Markup(script),
        "policy": policy(style, script),
        "answers": answers,
        "terms": terms_of(answers.nouns, level_of(answers.comparison.alpha)),
        "of": answers.nouns,
        "a_row": indefinite(answers.nouns.run),
        "items": answers.nouns == OF_ITEMS,
        "mark": look.drawn,
        "shapes": look.shapes,
        "label": short_names(answers.scores.algorithms, LONGEST),
        "task_label": short_names(answers.scores.tasks, LONGEST),
        "figures": {drawing.name: drawing for drawing in figures},
        "files": files,
        "alone": alone,
        "formats": formats_words(figures[0].files if figures else ()),
        "figures_call": figures_call(answers.command),
        "data": _data(answers),
        **_first(answers, standing),
        **_pairs(answers, standing),
        **_tasks(answers, standing, look),
        "ranks": ranks(answers),
        "survived": survived(answers, order),
        "advice": grouped(leaders_first(answers.advice, standing), answers.comparison, standing.leading),
    }
    view["versus"] = picture(answers, standing)
    view["data_block"] = block(answers, standing, view["heat"], speak, view["versus"])
    view["results"] = _results(answers, view)
    view["headings"] = HEADINGS if standing.pairs else {**HEADINGS, "measures": "Side by side"}
    there = {"where": view["lead"], "pairs": view["pairs"], "next": view["pairs"]}
    view["contents"] = [(key, heading) for key, heading in view["headings"].items() if there.get(key, True)]
    return templates(speak).get_template("page.html.j2").render(view)


def _results(answers: Answers, view: ViewRow) -> ViewRow:
    """Return what each folded section has found, for the line that opens it."""
    tasks = _best_of_tasks(answers)
    severe = Counter(group.first.severity == "info" for group in view["advice"])
    profiles, curves = answers.profiles, answers.curves
    return {
        "tasks": tasks,
        "aggregates": ", ".join(
            answers.nouns.mean if m == "mean" else metric_words(m) for m in answers.aggregates.measures
        ),
        "profiles": f"share of {answers.scores.sampling.unit}s above each score"
        if profiles.result
        else "not given for these scores",
        "curves": "" if curves is None else _ends_at(answers),
        "ranks": _of_ranks(answers),
        "advice": ", ".join(
            counted([severe[kind]], word) for kind, word in ((False, "caution"), (True, "note")) if severe[kind]
        )
        or "none",
        "data": counted([int(answers.scores.n_runs.sum())], answers.nouns.score),
        "reproduce": f"seed {answers.comparison.seed}, runoff {dict(answers.versions)['runoff']}",
        "files": counted([len(view["figures"])], "figure")
        if view["figures"]
        else counted([len(view["files"])], "file")
        if view["files"]
        else "",
    }


def _of_ranks(answers: Answers) -> str:
    """Return who has the best average rank, for the title of the fold."""
    n, best = len(ranked_everywhere(answers.ranking)), foremost(answers.ranking)
    if n < 2:
        return ""
    if len(best) == n:
        return f"{listed(best)} have the same average rank"
    return f"{listed(best)} {'has' if len(best) == 1 else 'have'} the {'better' if n == 2 else 'best'} average rank"


def _best_of_tasks(answers: Answers) -> str:
    """Return the algorithm with the highest mean on the most tasks, for the title of the fold; the tests above decide which is better."""
    means: dict[str | None, list[AggregateRow]] = {}
    for row in answers.task_means.rows:
        means.setdefault(row.task, []).append(row)
    highest = {task: max(row.estimate for row in rows) for task, rows in means.items()}
    first = {
        task: [row.algorithm for row in rows if isclose(row.estimate, highest[task], rel_tol=ROUNDING)]
        for task, rows in means.items()
    }
    # A task on which several share the highest mean is nobody's.
    best = Counter(names[0] for names in first.values() if len(names) == 1)
    most, shared = max(best.values(), default=0), sum(len(names) > 1 for names in first.values())
    own = [name for name in best if best[name] == most]
    of = answers.nouns
    n, several = counted([len(first)], of.task), len(own) > 1
    most_of = best_of("mean", len(answers.scores.algorithms))
    if not own:
        nobody, alone = ("neither", "") if most_of == "higher" else ("no", " alone")
        return f"{nobody} {of.algorithm} has the {most_of} {of.mean}{alone} on any of {n}"
    level = f"; {shared} {'is' if shared == 1 else 'are'} shared" if shared else ""
    return f"{listed(own)} {'have' if several else 'has'} the {most_of} {of.mean} {'each ' * several}on {most} of {n}{level}"


def _ends_at(answers: Answers) -> str:
    assert answers.curves is not None
    steps = answers.curves.efficiency.rows
    last = step_text(max(record.step for record in steps))
    return f"to {last} {'steps' if answers.curves.efficiency.along == 'step' else answers.curves.efficiency.along}"


def voice_of(command: str) -> Voice:
    """Return the voice of a page that shows this command: that of the command."""
    return in_shell if command.startswith("runoff ") else in_python


def figures_call(command: str) -> str:
    """Return the call that makes the report with figures for a paper.

    >>> figures_call("runoff report runs.csv"), figures_call("runoff.report('runs.csv', out)")
    ('runoff report runs.csv --figures pdf', "runoff.report('runs.csv', out, figures='pdf')")
    """
    if command.startswith("runoff "):
        return f"{command} --figures pdf"
    return f"{command.removesuffix(')')}, figures='pdf')" if command.endswith(")") else command


def page_script() -> str:
    """Return the script: what it works out, which tests run by itself, and what it does to the page."""
    return f"{packaged('pure.js')}{packaged('report.js')}"


def _first(answers: Answers, standing: Standing) -> ViewRow:
    comparison, of_tasks = answers.comparison, answers.leads[0].rows if answers.leads else ()
    return {
        "headline": headline(answers, standing),
        "tiles": tiles(answers, standing),
        "kinds": KINDS,
        "lead": lead_shown(answers),
        "n_leads": len(answers.leads) + len(answers.dots),
        "matrix": matrix(standing),
        "steps": next_steps(answers, standing),
        "nearest": comparison.nearest.b if standing.pairs else "",
        "task_leads": {r.task: estimated(r.estimate, r.joint_low, r.joint_high) for r in of_tasks},
        "leader": standing.leader,
        "measure": metric_head(comparison.measure, answers.nouns),
        "measure_words": measure_words(comparison.measure),
        "by_chance": comparison.measure == IMPROVEMENT,
        "level": f"{100 * comparison.confidence_level:g}",
        "correction": CORRECTIONS[comparison.correction].label,
        "latex": latex_of(next(latex_tables(answers)), "column") if standing.pairs else "",
    }


def _pairs(answers: Answers, standing: Standing) -> ViewRow:
    methods, pairs = methods_paragraph(answers), standing.pairs
    # Of thirty algorithms there are 435 pairs: the page has those of the leader, the files have all.
    own = [at for at, pair in enumerate(pairs) if standing.leader in (pair.a, pair.b)]
    rows = own if len(pairs) > MANY_PAIRS else range(len(pairs))
    return {
        "pairs": pairs,
        "pairs_view": view_of(pairs_table(answers.comparison, standing), rows) if pairs else None,
        "flips_view": None if (flips := flips_table(answers.comparison)) is None else view_of(flips),
        "lines_view": None if (lines := lines_table(answers.comparison)) is None else view_of(lines),
        "over_tasks": answers.comparison.over == "tasks",
        "judged": standing.judged,
        "matters": next((f", {margin_words(pair)}" for pair in pairs if pair.outlook), ""),
        "tests": tests_cited(answers),
        "methods": methods,
        "bibtex": "\n\n".join([bibtex(methods.references), *methods.entries]),
    }


def _tasks(answers: Answers, standing: Standing, look: AlgorithmStyle) -> ViewRow:
    heat = columns(answers, standing.order)
    hand = Hand(
        order=standing.order,
        labels=short_names(answers.scores.algorithms, SHORT),
        classes=look.classes,
        shaped=look.shaped,
    )
    return {
        "heat": heat,
        "shades": SHADES,
        "order": standing.order,
        "drawn": drawings(answers, heat, hand),
        # Without bars, which would be as wide again as their numbers, and stand in the first picture.
        "aggregates": view_of(aggregates_table(answers.aggregates, standing.order), bars=False),
        "strata_view": None
        if (strata := strata_table(answers.aggregates, standing.order)) is None
        else view_of(strata, bars=False),
    }


def _data(answers: Answers) -> ViewRow:
    scores, of = answers.scores, answers.nouns
    counts = scores.n_runs
    # A cell without runs is counted as missing, not as one of 0 runs: "0 to 5 runs" would be read as a range.
    present, steps = counts[counts > 0], dict(scores.provenance.steps)
    algorithms = [
        {"name": name, "tasks": own.size, "runs": span(own), "total": int(own.sum()), "steps": steps.get(name, "")}
        for name, own in zip(scores.algorithms, (row[row > 0] for row in counts), strict=True)
    ]
    return {
        "shape": f"{counted([scores.n_algorithms], of.algorithm)} × {counted([scores.n_tasks], of.task)}",
        "runs": counted(present, of.run),
        "score": score_words(answers),
        "row": of.run,
        "missing": int((counts == 0).sum()),
        "total": int(counts.sum()),
        # Where all cells have as many runs, the line above the table has said it.
        "ragged": bool(counts.min() != counts.max()),
        "algorithms": algorithms,
        "rows": [(task, counts[:, t].tolist()) for t, task in enumerate(scores.tasks)],
        "provenance": scores.provenance,
        "published": [(card, reference_of(card), names) for card, names in sets_of(scores)],
        "unit": scores.provenance.reference or unit_words(scores),
    }
