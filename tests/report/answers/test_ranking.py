"""Ranks: given where the design allows them, left out with a sentence where not."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.methods.ranking import critical_words, omnibus_words
from runoff.page import build
from runoff.page.files.records import json_text, tables
from runoff.page.sheet.drawing import plans
from runoff.page.sheet.rows import survived
from runoff.page.tables import paper_tables
from runoff.page.words.paragraph import methods_paragraph
from runoff.page.words.references import REFERENCES
from tests.report.made import answers, answers_of, hostile, scores

RAGGED = ro.Scores.from_dict({"A": {"t": [1.0, 2, 3]}, "B": {"t": [2.0, 3, 5, 4]}, "C": {"t": [4.0, 4.5, 9]}})
GAPS = ro.Scores.from_dict(
    {"A": {"t": [1.0, 2, 3], "u": [1.0, 3, 4]}, "B": {"t": [2.0, 4, 6], "u": [0.0, 2, 5]}, "C": {"t": [2.5, 4.5, 5]}}
)
APART = ro.Scores.from_dict(
    {"A": {"t": [1.0, 2, 3]}, "B": {"t": [2.0, 3, 5], "u": [1.0, 2, 4]}, "C": {"u": [3.0, 4, 5]}}
)
FLAT = ro.Scores.from_dict({name: {"t": [float(level)] * 3} for level, name in enumerate("ABC")})
DATA = {"ragged": RAGGED, "gaps": GAPS, "flat": FLAT, "one task": scores(n_tasks=1), "two": scores(("A", "B"))}


def names(results):
    """The figures of a report, which need not be drawn for that."""
    return {plan.name for plan in plans(results)}


def test_three_algorithms_have_all_three_answers():
    ranks = answers().ranking
    assert ranks.omnibus.test == "mack_skillings"
    assert ranks.critical.alpha == answers().comparison.alpha
    assert ranks.left_out == ()
    assert names(answers()) == {
        "measures",
        "where",
        "aggregates",
        "improvement",
        "tasks",
        "pairs",
        "places",
        "ranks",
        "robustness",
        "profiles",
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())
def test_every_design_gets_a_page_and_a_test_of_all(data):
    results = answers_of(data)
    assert results.ranking.omnibus is not None
    assert 'id="ranks"' in build(results)
    assert json.loads(json_text(results))["rank"]["omnibus"]["pvalue"] <= 1


@pytest.mark.parametrize("data", [RAGGED, GAPS])
def test_unequal_runs_leave_the_critical_difference_out_and_say_so(data):
    results = answers_of(data)
    assert results.ranking.critical is None
    assert "No critical difference is given" in build(results)
    assert "ranks" not in names(results)
    assert "critical difference" not in methods_paragraph(results).text


def test_two_algorithms_have_sentences_and_no_figures_of_their_own():
    results = answers_of(scores(("A", "B")))
    assert names(results) == {"measures", "where", "aggregates", "improvement", "tasks", "robustness", "profiles"}
    assert "ranks.csv" not in dict(tables(results))


def test_no_rejection_is_not_worded_as_equality():
    result = replace(answers().ranking.omnibus, pvalue=0.4)
    assert omnibus_words(result, 0.05).endswith("no difference was found, which does not make them equal.")


def test_the_table_of_ranks_is_best_first_with_letters_and_possible_ranks():
    rows = list(csv.DictReader(io.StringIO(dict(tables(answers()))["ranks.csv"])))
    ranks = [float(row["average_rank"]) for row in rows]
    assert ranks == sorted(ranks)
    assert all(row["letters"] and row["low"] and row["p_best"] for row in rows)


def test_the_table_of_ranks_escapes_names_for_latex():
    text = dict(tables(hostile()))["ranks_wide.tex"]
    assert r"\$x\_1\$" in text


def test_the_methods_cite_what_was_used():
    methods = methods_paragraph(answers())
    for key in ("Demšar 2006", "Piepho 2004", "Casesa 2024"):
        assert REFERENCES[key] in methods.references


def test_advice_on_ranks_is_listed_but_is_no_reservation_about_the_answer():
    runs = np.random.default_rng(0).normal(size=(4, 4, 4)) + 0.35 * np.arange(4)[:, None, None]
    results = answers_of(ro.Scores.from_dict(dict(zip("ABCD", runs, strict=True))))
    assert "R206" in {advice.code for advice in results.advice}
    assert "R206" not in {advice.code for advice in results.reservations}


@pytest.mark.parametrize(("pvalue", "words"), [(0.0006, "p < 0.001 ± 0.0002"), (0.0004, "p < 0.001, Monte")])
def test_the_monte_carlo_error_is_told_where_the_p_value_is(pvalue, words):
    result = replace(answers().ranking.omnibus, pvalue=pvalue, pvalue_error=0.0002, method="monte_carlo")
    assert words.replace("p < 0.001 ±", "p = 0.001 ±") in omnibus_words(result, 0.05)


@pytest.mark.parametrize(("names", "begin"), [("AB", "0 of 1 pair differs"), ("ABC", "None of 3 pairs differs")])
def test_no_pair_that_differs_is_counted_as_one_says_it(names, begin):
    runs = {name: {f"t{t}": [k + t, t - k, t + 0.5 * k] for t in range(4)} for k, name in enumerate(names, 1)}
    assert critical_words(ro.critical_difference(runs)).startswith(begin)


TIED = [[1.0, 2.0, 3.0, 7.0], [9.0, 8.0, 5.0, 6.0], [3.0, 1.0, 2.0, 2.5]]


def tied():
    """Answers of A and B, which have the same scores in other runs, and of C, which is behind both."""
    data = {"A": TIED, "B": [cell[::-1] for cell in TIED], "C": [[score - 20 for score in cell] for cell in TIED]}
    return answers_of(
        ro.Scores.from_dict({name: {f"t{k}": cell for k, cell in enumerate(of)} for name, of in data.items()})
    )


def test_average_ranks_that_are_equal_are_best_together_in_the_sentence_and_on_the_page():
    results = tied()
    assert (
        results.ranking.sentence
        == "A and B have the best average rank, 1.5; that of C differs from it by the critical difference."
    )
    assert "A and B have the best average rank" in build(results)


def test_means_that_differ_by_the_order_of_their_runs_are_shared():
    cell = [0.1, 0.2, 0.3]
    assert sum(cell) != sum(reversed(cell))
    results = answers_of(ro.Scores.from_dict({"A": {"t": cell, "u": cell}, "B": {"t": cell[::-1], "u": cell[::-1]}}))
    page = build(results)
    assert "neither algorithm has the higher mean on any of 2 tasks" in page
    assert "A and B have the same average rank" in page
    assert "nobody is ahead" in page


def test_of_two_that_are_level_no_order_is_said_to_be_kept_or_lost():
    results = tied()
    rows = {(a, b): [cell["words"] for cell in cells] for a, b, cells in survived(results, ["A", "B", "C"])["rows"]}
    assert {*rows["A", "B"]} == {"level"}
    assert "level" not in rows["A", "C"]
    assert survived(results, ["A", "B", "C"])["result"] == "2 of 2 orders hold under every variation tried"


@pytest.mark.parametrize(("n_runs", "runs"), [(1, "its own; N = 12 scores"), (4, "its own; 4 runs per")])
def test_a_table_over_fewer_tasks_counts_their_scores_alone(n_runs, runs):
    sizes = [4, 4, 4, n_runs, n_runs]
    cells = [{f"t{k}": np.arange(float(n)) + shift for k, n in enumerate(sizes)} for shift in (1, 0)]
    table = next(paper_tables(answers_of(ro.Scores.from_dict(dict(zip("AB", cells, strict=True))))))
    assert runs in table.caption
