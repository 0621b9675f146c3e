"""The mean of each algorithm on each task."""

from __future__ import annotations

from runoff.report.answers.all import Answers
from runoff.report.answers.standing import standing_of
from runoff.report.latex.captions import bold_words, interval_words, runs_words
from runoff.report.latex.glyphs import natural_order, shown_names, stand_ins
from runoff.report.latex.table import Cell, Column, Table, column, estimate
from runoff.report.words.numbers import decimals

UNTESTED = " No test was made for each task, so nothing is bold."


def tasks_table(answers: Answers) -> Table:
    """Return one row per task and one column per algorithm; bold where the pairs were compared on this task alone."""
    scores = answers.scores
    best = standing_of(answers).best if scores.n_tasks == 1 else frozenset[str]()
    algorithms = shown_names(scores.algorithms, "Algorithm")
    tasks = shown_names(scores.tasks, "Task")
    rows = natural_order(scores.tasks)
    places = {task: decimals(r for r in answers.task_means.records if r.task == task) for task in rows}
    return Table(
        name="tasks",
        caption=_caption(answers) + (bold_words(answers, best) if scores.n_tasks == 1 else UNTESTED),
        names=(column("Task", [tasks[task] for task in rows], right=False),),
        values=tuple(
            Column(head=algorithms[name], cells=_cells(answers, name, places, bold=name in best))
            for name in natural_order(scores.algorithms)
        ),
        stands=(*stand_ins(algorithms), *stand_ins(tasks)),
    )


def _cells(answers: Answers, algorithm: str, places: dict[str, int], *, bold: bool) -> tuple[Cell, ...]:
    by_task = {r.task: r for r in answers.task_means.records if r.algorithm == algorithm}
    return tuple(
        estimate(r.estimate, r.low, r.high, digits, bold=bold)
        if (r := by_task.get(task)) is not None
        else Cell(text="–")
        for task, digits in places.items()
    )


def _caption(answers: Answers) -> str:
    gaps = bool((answers.scores.n_runs == 0).any()) or any(r.interval is None for r in answers.task_means.records)
    dash = " –: no runs, or no interval." if gaps else ""
    return f"Mean score by task, {interval_words(answers.task_means.records)}; {runs_words(answers)}.{dash}"
