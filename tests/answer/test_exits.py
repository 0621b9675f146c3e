"""One table, read from what people see: terminal, notebook, page, LaTeX and Markdown show the same cells, of every method."""

from __future__ import annotations

import io
import re
import warnings
from html import unescape

import numpy as np
import pytest
from rich.console import Console

import runoff as ro
from runoff.answer import Estimate, Name, PValue, Table, html_of, markdown_of
from runoff.answer.text import joined, parts_of
from runoff.cli.terminal import sheet_of
from runoff.errors import DesignError, RunoffWarning
from runoff.latex.table import LatexCell
from runoff.latex.tables import latex_table
from runoff.report import build
from runoff.report.tables import paper_tables, ranks_table
from runoff.results.comparison import pairs_table
from tests.amount import examples
from tests.report.made import answers_of

MINUS = "−"
METHODS = {
    "the data": lambda scores: scores,
    "the data along training": lambda scores: learning(scores),
    "the sets of the archive": lambda scores: ro.archive.list(),
    "compare": ro.compare,
    "compare by names of tests": lambda scores: ro.compare(
        scores, test="welch" if scores.n_tasks == 1 else "permutation"
    ),
    "compare with a margin": lambda scores: ro.compare(scores, margin=0.25),
    "aggregate": ro.aggregate,
    "task_means": ro.task_means,
    "effect_sizes": ro.effect_sizes,
    "where": lambda scores: ro.where(scores, *scores.algorithms[:2]),
    "rank_test": ro.rank_test,
    "rank_intervals": ro.rank_intervals,
    "probability_of_improvement": ro.probability_of_improvement,
    "describe": ro.describe,
    "anytime": lambda scores: ro.anytime([even(scores)], n_resamples=200),
    "sequential": lambda scores: ro.sequential(
        even(scores), design=ro.SequentialDesign(looks=(2, 40), n_resamples=100)
    ),
    "claims": lambda scores: ro.claims(printed(scores), n=5 if scores.n_tasks % 2 else None, accept_wide=True),
    "gate": lambda scores: ro.gate(*sides(scores), margin=margins(scores), n_resamples=500),
    "tuning": lambda scores: ro.tuning(configured(scores)),
    "runs_needed": lambda scores: ro.runs_needed(effect=[1.0, 2.5], std=(1.5, 1.0), ratio=scores.n_tasks),
    "plan": lambda scores: ro.plan(scores, effect=1.0, unit="std"),
    "plan without an effect": ro.plan,
    "next_runs": lambda scores: ro.next_runs(scores, budget=10),
    "sample_efficiency": lambda scores: ro.sample_efficiency(learning(scores)),
    "time_to_threshold": lambda scores: ro.time_to_threshold(learning(scores), float(np.median(scores.values))),
    "reliability": lambda scores: ro.reliability(learning(scores)),
    "false_positive_rate": lambda scores: ro.false_positive_rate(
        scores, tests=["auto", "van_elteren"] if scores.n_tasks > 1 else ["welch"], n_repeats=10, n_resamples=100
    ),
    "coverage": lambda scores: ro.coverage(scores, metric="mean", intervals=["t"], n_repeats=10, n_resamples=100),
    "reproduce": lambda scores: ro.reproduce(published(scores), "atari_100k:SPR", protocol={"unit": "raw return"}),
}
PUBLISHED = ("Alien", "Qbert", "Seaquest")


def design(seed: int) -> ro.Scores:
    """Return a few algorithms, tasks and runs, with scores of any size, ties and gaps."""
    rng = np.random.default_rng(seed)
    n_algorithms, n_tasks, size = rng.integers(2, 5), rng.integers(1, 7), 10.0 ** rng.integers(-3, 5)
    cells = {}
    for a in range(n_algorithms):
        runs = {f"task {t}": rng.normal(a, rng.choice([0.2, 1, 3]), rng.integers(2, 7)) for t in range(n_tasks)}
        cells[f"algo_{a} & co"] = {t: (np.round(r, 1) if seed % 3 == 0 else r) * size for t, r in runs.items()}
    if seed % 4 == 0 and n_tasks > 2:
        del cells["algo_0 & co"]["task 1"]
    return ro.Scores.from_dict(cells)


def configured(scores: ro.Scores) -> dict[str, list]:
    """Return a sweep on one task: each run is a configuration, which has three."""
    cells = {name: scores.cell(name, scores.tasks[0]) for name in scores.algorithms}
    rows = [
        (name, "t", f"c{c}", str(run), value * (1 + 0.01 * run * (-1) ** c))
        for name, values in cells.items()
        for c, value in enumerate(values)
        for run in range(3)
    ]
    return dict(zip(("algorithm", "task", "config", "seed", "score"), map(list, zip(*rows, strict=True)), strict=True))


def even(scores: ro.Scores) -> ro.Scores:
    """Return two runs of each algorithm on the tasks that all have."""
    tasks = [task for task, counts in zip(scores.tasks, scores.n_runs.T, strict=True) if counts.all()]
    return ro.Scores.from_dict({a: {task: scores.cell(a, task)[:2] for task in tasks} for a in scores.algorithms})


def sides(scores: ro.Scores) -> list[dict[str, dict]]:
    """Return the first two algorithms, each by itself, on the tasks that all have."""
    return [{name: tasks} for name, tasks in list(even(scores).to_dict().items())[:2]]


def margins(scores: ro.Scores) -> dict[str, float]:
    """Return a margin for each task that all have."""
    return {task: (k + 1) * np.ptp(scores.values) / 9 for k, task in enumerate(even(scores).tasks)}


def printed(scores: ro.Scores) -> str:
    """Return means and standard deviations of an even part of the scores as a published table."""
    cells = even(scores).to_dict()
    tasks = list(cells[scores.algorithms[0]])
    rows = [[name, *(f"{np.mean(x):.6f} ± {np.std(x, ddof=1):.6f}" for x in of.values())] for name, of in cells.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [["Method", *tasks], ["---"] * (len(tasks) + 1), *rows])


def learning(scores: ro.Scores) -> ro.Curves:
    """Return two curves of each algorithm on the tasks that all have, which end near its scores."""
    rows = [
        (name, task, run, step, float(value * (1 - 0.8**step) + 0.1 * value * np.sin(step)))
        for name, tasks in even(scores).to_dict().items()
        for task, values in tasks.items()
        for run, value in enumerate(values)
        for step in range(8)
    ]
    heads = ("algorithm", "task", "run", "step", "score")
    return ro.Curves.from_frame(dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True)))


def published(scores: ro.Scores) -> ro.Scores:
    """Return the runs of the first algorithm, as if they were on published tasks."""
    largest = abs(scores.values).max()
    runs = [[1000 * x / largest for x in cell] for cell in scores.to_dict()[scores.algorithms[0]].values()]
    return ro.Scores.from_dict({"mine": dict(zip(PUBLISHED, runs, strict=False))})


def texts_of(table: Table, width: str) -> list[list[str]]:
    """Return what each row says, joined: names, values and intervals."""
    columns = table.shown(width)
    return [[joined(parts) for parts in row] for row in table.rows(columns)]


def terminal(table: Table) -> list[list[str]]:
    stream = io.StringIO()
    Console(file=stream, width=5000, highlight=False).print(sheet_of(table))
    _, *rows = stream.getvalue().rstrip("\n").split("\n")
    return [re.split(r"\s{2,}", row.strip()) for row in rows]


def cells_of(html: str) -> list[list[str]]:
    """Return the visible text of each row of a table."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [[" ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split()) for cell in row] for row in cells]


def markdown(table: Table) -> list[list[str]]:
    rows = [line for line in markdown_of(table).splitlines() if line.startswith("|")][2:]
    return [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def latex(table: Table) -> list[list[str]]:
    sheet = latex_table(table)
    rows = [*zip(*(column.cells for column in (*sheet.names, *sheet.values)), strict=True)]
    if len(rows) != table.n_rows:  # it is set upright
        rows = [*zip(*(column.cells for column in sheet.values), strict=True)]
        named = [LatexCell(text=column.head) for column in sheet.values]
        rows = [(name, *cells) for name, cells in zip(named, zip(*rows, strict=True), strict=True)]
    return [[cell.joint.join(part for part in (cell.text, cell.below) if part) for cell in row] for row in rows]


def pieces(rows: list[list[str]]) -> list[list[str]]:
    """Return the words and numbers of each row, whatever stands between cells; dashes and powers of ten are another way to write a cell."""
    return [re.findall(r"[^\s\[\],–]+", " ".join(" ".join(row).split())) for row in rows]


@pytest.mark.parametrize("seed", range(examples(200)))
def test_every_exit_shows_the_same_cells(seed):
    scores = design(seed)
    for name, method in list(METHODS.items())[seed % 4 :: 4]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunoffWarning)
            try:
                result = method(scores)
            except DesignError:  # such as ranks of tasks that not all have
                continue
        for table in result.tables():
            screen, paper = texts_of(table, "screen"), texts_of(table, "paper")
            assert pieces(terminal(table)) == pieces(screen), name
            assert pieces(cells_of(html_of([table]))[1:]) == pieces(screen[:60]), name
            assert pieces(markdown(table)) == pieces(paper), name
            written = pieces(latex(table))
            if not any("×" in "".join(row) for row in written):
                assert written == pieces(paper), name


@pytest.mark.parametrize("seed", range(examples(200, 10)))
def test_the_page_shows_the_cells_of_the_table_of_pairs(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        results = answers_of(design(seed))
    page = build(results)
    from runoff.report.answers.all import standing_of

    tables = [(pairs_table(results.comparison, standing_of(results)), "c-pairs")]
    tables += [(table, "c-ranks") for table in [ranks_table(results)] if table is not None]
    for table, label in tables:
        shown = page[page.index(f'aria-labelledby="{label}"') :].partition("</table>")[0]
        drawn = {k for k, column in enumerate(table.columns) if isinstance(column.cells[0], PValue)}
        rows = [
            [
                joined(parts) if k not in drawn else joined((parts[0], parts_of(PValue(column.cells[i].raw))[0]))
                for k, (parts, column) in enumerate(zip(row, table.columns, strict=True))
            ]
            for i, row in enumerate(table.rows(table.columns))
        ]
        body = shown[shown.index("<tbody") :] if "<tbody" in shown else shown
        assert pieces(visible(body)) == pieces(rows)


def visible(body: str) -> list[list[str]]:
    """Return the text of each row of the page, whose end tags are implied; what is drawn is no text."""
    body = re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL)
    rows = re.split(r"<tr[^>]*>", body)[1:]
    return [[unescape(re.sub(r"<[^>]+>", " ", row))] for row in rows]


def test_the_tables_of_a_report_are_those_of_its_answers():
    results = answers_of(design(1))
    roles = [table.role for table in paper_tables(results)]
    assert roles[:3] == ["aggregates", "tasks", "pairs"]


def test_columns_of_unlike_length_are_refused():
    from runoff.answer import Column

    columns = (
        Column(key="a", head="A", cells=[Name("x")]),
        Column(key="b", head="B", cells=[Estimate(1.0), Estimate(2.0)]),
    )
    with pytest.raises(ValueError, match="differ in length"):
        Table(role="t", title="", caption="", columns=columns)
