"""`["B", "A"]` is what a comparison of B with A would have said."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import get_args

import numpy as np
import pytest

import runoff as ro
from runoff.words.names import PairTestName

NAMED_IN_ORDER = ("advice",)
"""Texts that name a pair in the order in which it was compared; they say the same in either."""
DRAWN_IN_ORDER = ("pvalue", "pvalue_error", "pvalue_adjusted", "low", "high", "own_low", "own_high")
"""The bootstrap test draws for x, then for y."""


def runs(shift, n_tasks, *, rates=False):
    draw = np.random.default_rng(1)
    sides = [[draw.normal(mean, 1.0, 6 - side) for _ in range(n_tasks)] for side, mean in enumerate((0.0, shift))]
    cells = [[(cell > 0.5).astype(float) if rates else cell for cell in side] for side in sides]
    return {name: {f"t{i}": cell for i, cell in enumerate(side)} for name, side in zip("AB", cells, strict=True)}


def facts(pair, *, without=()):
    of_pair = {
        key: value for key, value in asdict(pair).items() if key not in (*NAMED_IN_ORDER, *without, "other_readings")
    }
    return of_pair | {
        f"{r['measure']} {key}": value for r in asdict(pair)["other_readings"] for key, value in r.items()
    }


@pytest.mark.sampled(16)
@pytest.mark.parametrize(
    ("n_tasks", "shift"),
    [(1, 0.0), (2, 2.5), *(pytest.param(*at, marks=pytest.mark.slow) for at in ((1, 2.5), (2, 0.0)))],
)
@pytest.mark.parametrize("test", get_args(PairTestName))
def test_a_turned_pair_is_the_comparison_made_the_other_way(test, n_tasks, shift):
    given = runs(shift, n_tasks, rates=test in ("boschloo", "miettinen_nurminen"))
    try:
        result, other = (
            ro.compare(given, test=test, pairs=[pair], n_resamples=500) for pair in (("A", "B"), ("B", "A"))
        )
    except ro.DesignError:
        assert n_tasks == 2  # a test of one task
        return
    without = (*DRAWN_IN_ORDER, "sentence") if test == "bootstrap" else ()
    facts_of, expected = (facts(comparison, without=without) for comparison in (result["B", "A"], other.pairs[0]))
    assert facts_of == {
        k: pytest.approx(v, rel=1e-9, abs=1e-12) if isinstance(v, float) else v for k, v in expected.items()
    }


WORDS = {"mean": "difference of means", "iqm": "difference of IQMs", "improvement": "probability of improvement"}


@pytest.mark.parametrize("measure", WORDS)
def test_the_sentence_of_a_turned_pair_says_its_numbers(measure):
    pair = ro.compare(runs(0.5, 2), measure=measure)["B", "A"]
    assert pair.sentence.startswith(f"No difference was found between B and A over 2 tasks ({WORDS[measure]} ")
    assert f"({pair.numbers};" in pair.sentence


@pytest.mark.parametrize("measure", WORDS)
@pytest.mark.parametrize("given", [{"margin": 0.45}, {"unit": "episode"}, {"alpha": 0.2}], ids=str)
def test_margins_policies_and_levels_are_turned_too(given, measure):
    scores = ro.Scores.from_dict(runs(0.5, 2), unit=given.get("unit", "run"))
    options = {"measure": measure, "margin": given.get("margin"), "alpha": given.get("alpha", 0.05)}
    result, other = (ro.compare(scores, pairs=[pair], **options) for pair in (("A", "B"), ("B", "A")))
    assert result["B", "A"].numbers == other.pairs[0].numbers
    assert result["B", "A"].numbers in result["B", "A"].sentence
    assert result["B", "A"].sentence == other.pairs[0].sentence


def test_the_improvement_is_turned_too():
    given = runs(0.4, 2)
    improved = ro.probability_of_improvement(given)
    turned, record = improved["B", "A"], improved.rows[0]
    assert (turned.estimate, turned.low, turned.high) == pytest.approx(
        (1 - record.estimate, 1 - record.high, 1 - record.low)
    )


def test_twice_turned_is_the_pair_itself():
    pair = ro.compare(runs(0.3, 2)).pairs[0]
    again = pair.turned().turned()
    assert (again.sentence, again.verdict, again.n_runs_a) == (pair.sentence, pair.verdict, pair.n_runs_a)
    assert [again.difference_low, again.improvement_high] == pytest.approx([pair.difference_low, pair.improvement_high])


def test_a_name_that_is_not_there_is_named():
    with pytest.raises(KeyError, match=r"there is no 'Aa' in this comparison, of 'A', 'B'\. Did you mean 'A'\?"):
        ro.compare(runs(0.0, 1))["B", "Aa"]


def test_a_pair_with_a_published_value_says_why_it_was_not_tested():
    result = ro.compare({**runs(0.0, 1), "Paper": {"t0": [1.0]}})
    with pytest.raises(
        KeyError, match=r"'Paper' was not compared with 'A' \(R021\): .*single value.*single_value='tested'"
    ):
        result["Paper", "A"]


def test_a_notebook_shows_the_main_columns_rounded_under_one_sentence():
    result = ro.compare(runs(0.0, 1))
    shown = result._repr_html_()
    assert re.findall("<th>(.*?)</th>", shown) == [
        "First", "Second", "Difference", "Chance", "p", "Verdict", "Detectable (80\u00a0% power)",
    ]  # fmt: skip
    assert re.search("<caption>(.*?)</caption>", shown)[1] == result.sentence
    numbers = result.pairs[0].numbers.removeprefix("difference of means ")
    assert all(part in shown for part in numbers.split(", probability of improvement "))


def test_a_pair_that_was_not_compared_says_which_were():
    three = {**runs(0.0, 1), "C": {"t0": [1.0, 2.0, 3.0]}}
    with pytest.raises(KeyError, match=r"'B' was not compared with 'C'; there are \('B', 'A'\), \('C', 'A'\)"):
        ro.compare(three, control="A")["B", "C"]
