"""The report's tables for a paper: what those hold that no single answer makes, and the files of all.

`latex_files` yields each table as it fits a column, the text width or many pages. The words that captions share stand at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from runoff._inference.bootstrap import cited
from runoff.answer.aggregate import aggregates_table, strata_table, task_means_table
from runoff.answer.base import compared_at
from runoff.answer.comparison import flips_table, lines_table, pairs_table, tested_words
from runoff.answer.describe import ProfileOrder
from runoff.answer.rank import says_best
from runoff.cells import Cell, Column, Name, Table
from runoff.exits.latex.glyphs import natural_order, shown_names
from runoff.exits.latex.render import latex_of
from runoff.exits.latex.table import LatexTable
from runoff.exits.latex.tables import latex_table
from runoff.page.answers.all import Answers, ranked, standing_of, untested_words
from runoff.page.words.paper import score_words
from runoff.words.names import LOWER_IS_BETTER, LatexLayout, metric_words
from runoff.words.numbers import counted, digits, listed, number, span

LONG = 20
"""A table of more rows than this comes as a longtable too."""
CROSSINGS = 3
"""The most crossings that stand in a cell."""


def latex_files(answers: Answers) -> Iterator[tuple[str, str]]:
    """Yield (file name, text): NAME_column.tex and NAME_wide.tex of each table, and NAME_long.tex of long ones."""
    for table in latex_tables(answers):
        layouts: tuple[LatexLayout, ...] = ("column", "wide", "long") if table.n_rows > LONG else ("column", "wide")
        for layout in layouts:
            yield f"{table.name}_{layout}.tex", latex_of(table, layout)


def latex_tables(answers: Answers) -> Iterator[LatexTable]:
    """Yield the same tables as LaTeX sets them."""
    return map(latex_table, paper_tables(answers))


def paper_tables(answers: Answers) -> Iterator[Table]:
    """Yield the tables that a paper may show: aggregates, tasks, pairs, items that flipped, ranks, profiles of pairs."""
    pairs = pairs_table(answers.comparison) if answers.comparison.pairs else None
    flips, lines = (
        make(answers.comparison) if answers.comparison.pairs else None for make in (flips_table, lines_table)
    )
    strata = strata_table(answers.aggregates, standing_of(answers).order)
    tables = (
        aggregates(answers),
        strata,
        tasks_table(answers),
        pairs,
        lines,
        flips,
        ranks_table(answers),
        profile_pairs_table(answers),
    )
    for table in tables:
        if table is not None and table.n_rows:
            yield replace(table, caption=f"{table.caption} {score_words(answers)}".rstrip())


def aggregates(answers: Answers) -> Table:
    """Return one row per algorithm; the judged metric of the best set is bold, or their names if no column has it."""
    order, best = standing_of(answers).order, best_of(answers)
    n_scores = [row.n_scores for row in answers.aggregates.rows]
    notes = f"; {runs_words(answers, n_scores)}.{bold_words(answers, best)}"
    return aggregates_table(answers.aggregates, order, best=best, judged=answers.comparison.measure, notes=notes)


UNTESTED = " Nothing is bold, for tests are over all {}."


def tasks_table(answers: Answers) -> Table:
    """Return one row per task and one column per algorithm; bold where the pairs were compared on this task alone."""
    scores, records = answers.scores, answers.task_means.rows
    best = best_of(answers) if scores.n_tasks == 1 else frozenset[str]()
    gaps = bool((scores.n_runs == 0).any()) or any(record.interval is None for record in records)
    dash = f" –: no {answers.nouns.runs}, or no interval." if gaps else ""
    untested = UNTESTED.format(answers.nouns.tasks)
    notes = f"; {runs_words(answers)}.{dash}{bold_words(answers, best) if scores.n_tasks == 1 else untested}"
    names, tasks = natural_order(scores.algorithms), natural_order(scores.tasks)
    return task_means_table(answers.task_means, names, tasks, best=best, notes=notes, of=answers.nouns)


def ranks_table(answers: Answers) -> Table | None:
    """Return one row per algorithm; None for two algorithms."""
    ranking = answers.ranking
    if ranking.omnibus is None or answers.scores.n_algorithms < 3:
        return None
    return ranking.table(_ranks_caption(answers))


def _ranks_caption(answers: Answers) -> str:
    critical, places = answers.ranking.critical, answers.ranking.places
    parts = [f"Average ranks over {counted([answers.scores.n_tasks], 'task')}, lower is better; {runs_words(answers)}."]
    if critical is not None:
        rule = "Algorithms that share a letter do not differ by the critical difference at"
        parts.append(f"{rule} α = {critical.alpha:g}.")
    if places is not None:
        level = f"{100 * places.confidence_level:g}\u00a0%"
        best = "; P(best): share of draws in which the algorithm is best" if says_best(places) else ""
        parts.append(
            f"Possible ranks by {cited(places.measure)}: {level} confidence sets of all algorithms at once{best}."
        )
    return " ".join(parts)


def profile_pairs_table(answers: Answers) -> Table | None:
    """Return one row per pair that shares a task; None where there are no profiles of pairs."""
    profile = answers.profiles.result
    if profile is None or not profile.orders:
        return None
    orders = profile.orders
    caption = (
        "How the profiles of each pair, the shares of scores above each τ, lie in these data; this describes them and is no test; "
        f"{runs_words(answers)}."
    )
    # A lead of 0 is none, and a dash says so.
    leads = [[number(lead or None, 2) for lead in (order.a_lead, order.b_lead)] for order in orders]
    columns = (
        Column(key="a", head="First", cells=[Name(order.a) for order in orders]),
        Column(key="b", head="Second", cells=[Name(order.b) for order in orders]),
        Column(key="above", head="Above everywhere", cells=[*map(_above, orders)]),
        Column(key="crossings", head="Crossings at τ", cells=[*map(_crossings, orders)], numeric=True),
        Column(key="a_lead", head="Largest lead of first", cells=[first for first, _ in leads], numeric=True),
        Column(key="b_lead", head="of second", cells=[second for _, second in leads], numeric=True),
    )
    return Table(role="profile_pairs", title="Profiles of pairs", caption=caption, columns=columns)


def _above(order: ProfileOrder) -> Cell:
    """Return whose profile is nowhere below the other's."""
    words = {"cross": "neither: they cross", "equal": "neither: they are equal"}
    if order.order in words:
        return words[order.order]
    return Name(order.a if order.order == "a_dominates" else order.b)


def _crossings(order: ProfileOrder) -> str:
    named = ", ".join(map(digits, order.crossings[:CROSSINGS]))
    more = len(order.crossings) - CROSSINGS
    return (f"{named} and {more} more" if more > 0 else named) or "–"


def runs_words(answers: Answers, n_scores: Sequence[int] = ()) -> str:
    """Return "5 runs per algorithm and task (N = 35 scores per algorithm)", and at which step where training was unequal.

    n_scores: what a table counts of each algorithm, where it may leave tasks out: it is then of no other task's runs.
    """
    counts = answers.scores.n_runs
    of, all_scores = answers.nouns, counts.sum(axis=1).tolist()
    size = f"N = {span(n_scores or all_scores)} {of.score}s per {of.algorithm}"
    if not n_scores or {*n_scores} == {*all_scores}:
        size = f"{counted(counts[counts > 0].tolist(), of.run)} per {of.algorithm} and {of.task} ({size})"
    step = compared_at(answers.comparison.advice).rstrip(".")
    return size + (f". {step}" if step else "")


def best_of(answers: Answers) -> frozenset[str]:
    """Return the algorithms in bold: the leader and all those above which it was not found, but none that lacks tasks, whose values are of
    others; none if there is no verdict."""
    return standing_of(answers).best - _without_tasks(answers)


def _without_tasks(answers: Answers) -> frozenset[str]:
    scores = answers.scores
    return frozenset(name for name, own in zip(scores.algorithms, scores.n_runs, strict=True) if (own == 0).any())


def bold_words(answers: Answers, best: frozenset[str]) -> str:
    """Return what bold means; nothing where nothing is bold."""
    if not best:
        return ""
    measure = answers.comparison.measure
    metric = answers.nouns.mean if measure == "mean" else metric_words(measure)
    whole = (
        f" of {answers.nouns.algorithm}s with all tasks" if standing_of(answers).best & _without_tasks(answers) else ""
    )
    bold = f" Bold: the best {metric}{whole} that no test of pairs finds worse than another, and all that are not found worse than it"
    return f"{bold} ({tested_words(answers.comparison)}).{_reversed(answers)}"


def _reversed(answers: Answers) -> str:
    """Return which algorithms have a better value than the leader, and why they do not lead all the same."""
    standing = standing_of(answers)
    shown = shown_names(answers.scores.algorithms, "Algorithm")
    sign = -1 if answers.comparison.measure in LOWER_IS_BETTER else 1
    values = {record.algorithm: sign * record.estimate for record in ranked(answers)}
    before = [name for name in standing.order if values[name] > values[standing.leader]]
    lines = [name for name in before if standing.places[name] == "not compared"]
    scores = answers.scores
    lacking = {name for name, counts in zip(scores.algorithms, scores.n_runs, strict=True) if counts.min() < 2}
    worse = [name for name in before if name not in standing.best and name not in lines]
    fewer, other = ([shown[name] for name in worse if (name in lacking) is wanted] for wanted in (True, False))
    clauses = (
        *(([shown[name] for name in names], words) for names, words in untested_words(answers, lines)),
        (
            fewer,
            f"{_verb(fewer, 'lacks', 'lack')} tasks or runs, and {_verb(fewer)} found worse on the tasks where both have them",
        ),
        (other, f"{_verb(other)} found worse: the order depends on the measure"),
    )
    return "".join(f" {listed(names)} {words}." for names, words in clauses if names)


def _verb(names: Sequence[str], of_one: str = "is", of_many: str = "are") -> str:
    return of_one if len(names) == 1 else of_many
