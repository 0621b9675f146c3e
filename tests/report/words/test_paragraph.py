"""The methods paragraph and the numbers of a page say what the results say, and never that things are equal."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.base import Advice
from runoff.methods.ranking import omnibus_words
from runoff.page.words.paragraph import methods_paragraph
from runoff.page.words.references import REFERENCES
from runoff.words.numbers import decimals_of, digits, interval, number, p_equals, pvalue
from tests.report.made import answers, answers_of, by_chance, scores


def test_advice_is_told_once_and_the_gravest_first():
    results = answers()
    low, high = (Advice(code=c, severity=s, text="t", source="s") for c, s in (("R1", "info"), ("R2", "warning")))
    results = replace(results, comparison=replace(results.comparison, advice=(low, high, low)))
    assert results.advice[0] == high
    assert results.advice.count(low) == 1


def test_the_methods_paragraph_names_what_was_done_and_cites_it():
    methods = methods_paragraph(answers())
    for words in (
        "3 algorithms on 2 tasks",
        "6 independent runs",
        "Shaffer's procedure",
        "by the difference of means over tasks (an interquartile mean takes four tasks or more: of fewer, leaving runs out does not show its "
        "error), in two-sided tests: the jackknife t test, with leave-one-run-out errors",
        "Each run was left out in turn within its task, to estimate the error of the mean; the wider of Welch's and Student's interval",
        "random seed 0",
    ):
        assert words in methods.text
    assert REFERENCES["Shaffer 1986"] in methods.references
    for key in ("Mack & Skillings 1980", "Welch 1947", "Tukey 1958"):
        assert REFERENCES[key] in methods.references
    assert "equal performance" not in methods.text


def test_why_means_are_compared_is_said_where_the_design_chose_them_alone():
    why = "an interquartile mean takes four tasks or more"
    two, four = scores(), ro.Scores.from_dict({a: np.random.default_rng(1).random((5, 4)) for a in "AB"})
    assert why in methods_paragraph(answers_of(two)).text
    assert why not in methods_paragraph(answers_of(two, measure="mean")).text
    assert why not in methods_paragraph(answers_of(four)).text
    assert why not in methods_paragraph(answers_of(two.select(tasks=two.tasks[:1]))).text


def test_possible_ranks_are_by_the_correction_of_the_pairs_and_a_test_is_cited_once():
    results = answers()
    text = methods_paragraph(results).text
    assert "from the tests of all pairs by Shaffer's procedure for three algorithms (Shaffer 1986)." in text
    first, *rest = results.comparison.pairs
    pairs = (replace(first, method="exact"), *(replace(pair, method="monte_carlo") for pair in rest))
    text = methods_paragraph(replace(results, comparison=replace(results.comparison, pairs=pairs))).text
    assert text.count("the jackknife t test, with leave-one-run-out errors") == 1
    assert "within tasks (Chung & Romano 2013), with all permutations or with 9,999 permutations; " in text
    cited = re.findall(r"[(;] ?([A-Z][^();,]* \d{4})", text)
    assert "Chung & Romano 2013" in cited
    assert set(cited) <= REFERENCES.keys()


def test_the_methods_follow_the_results():
    single = methods_paragraph(answers_of(scores(("A", "B"), n_tasks=1, n_runs=3)))
    assert "compared by the difference of means, in two-sided tests" in single.text
    assert "invert the Mann-Whitney test" in single.text
    assert "needed no correction" in single.text
    assert REFERENCES["Shaffer 1986"] not in single.references


def test_the_methods_of_tasks_in_units_of_their_own_are_those_of_the_improvement():
    methods = methods_paragraph(by_chance())
    assert (
        "compared by the probability of improvement, averaged over tasks (Agarwal et al. 2021), in two-sided"
        in methods.text
    )
    assert "true probability of improvement that new runs" in methods.text
    assert "difference of" not in methods.text
    assert "leave-one-run-out" not in methods.text
    assert REFERENCES["Hanley & McNeil 1982"] in methods.references


def test_runs_that_are_shared_by_tasks_are_left_out_of_all_of_them():
    runs = {"A": {"x": [0.1, 0.2, 0.4], "y": [0.2, 0.3, 0.5]}, "B": {"x": [0.5, 0.7, 0.6], "y": [0.4, 0.8, 0.6]}}
    text = methods_paragraph(answers_of(ro.Scores.from_dict(runs, runs="shared"))).text
    assert "Each run was left out in turn from all tasks at once, to estimate" in text


def test_chances_of_shared_runs_have_errors_of_whole_runs():
    rng = np.random.default_rng(0)
    runs = {name: {f"t{t}": rng.normal(50 * a, 20, 5).tolist() for t in range(3)} for a, name in enumerate("AB")}
    text = methods_paragraph(answers_of(ro.Scores.from_dict(runs, runs="shared"))).text
    assert (
        "the jackknife t test of the chance to beat, with errors of whole runs (DeLong et al. 1988), and of the permutation test"
        in text
    )
    assert "added over tasks, with all permutations" in text
    assert "studentised" not in text
    assert "that both tests leave: t intervals, whose variance is that of the placements of runs" in text
    assert "Hanley" not in text


def test_numbers_are_aligned_and_minus_is_minus():
    assert number(-0.104, 2) == "−0.10"
    assert number(-0.001, 2) == "0.00"
    assert number(12345.6, 0) == "12\u202f346"
    assert number(None, 2) == "–"
    assert interval(None, None, 2) == "–"
    assert (pvalue(0.00001), pvalue(0.0312), p_equals(1e-9)) == ("< 0.001", "0.031", "p < 0.001")


@pytest.mark.parametrize("key", REFERENCES)
def test_a_reference_names_the_authors_and_the_year_of_its_citation(key):
    authors, year = key.removesuffix(" et al.").rsplit(" ", 1)
    full = REFERENCES[key]
    assert all(name in full for name in re.split(r" & |, ", authors.removesuffix(" et al.")))
    assert f"({year})" in full


def test_the_methods_of_one_metric_name_it_alone():
    results = replace(answers(), aggregates=ro.aggregate(scores(), measure=["iqm"], n_resamples=200))
    text = methods_paragraph(results).text
    assert "was summarised by the interquartile mean (Agarwal et al. 2021)" in text


def test_the_methods_of_two_metrics_join_them_by_and():
    results = replace(answers(), aggregates=ro.aggregate(scores(), measure=["iqm", "mean"], n_resamples=200))
    assert "by the interquartile mean and the mean (" in methods_paragraph(results).text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.01234, "0.0123"),
        (999.4, "999"),
        (1000.4, "1\u202f000"),
        (1315.6, "1\u202f316"),
        (1e9, "1e+09"),
        (-2e9, "−2e+09"),
    ],
)
def test_a_number_in_a_sentence_has_three_digits_and_all_before_the_point(value, shown):
    assert digits(value) == shown


@pytest.mark.parametrize(("p", "shown"), [(0.00049, "< 0.001"), (0.0005, "0.001"), (0.0123, "0.012"), (1.0, "1.000")])
def test_a_p_value_of_a_table_has_three_decimals_or_is_below_the_last(p, shown):
    assert pvalue(p) == shown


def test_numbers_without_size_are_shown_with_two_decimals():
    assert decimals_of([0.0]) == decimals_of([float("inf")]) == 2


def test_a_p_value_at_alpha_rejects():
    result = answers().ranking.omnibus
    assert "rejects, at" in omnibus_words(replace(result, pvalue=0.05), 0.05)
