"""What the report says of five designs, word for word, and that its numbers are those of the results.

After an intended change of words: `python -m tests.report.designs --write`, and look at the difference.
"""

from __future__ import annotations

import re
from math import floor, log10

import pytest

from runoff.report.words.paragraph import methods_paragraph
from runoff.report.words.verdict import ranked, sentences
from tests.report.designs import DESIGNS, FOLDER, answers, golden, page_text

EVERY = pytest.mark.parametrize("design", DESIGNS)
SMALLEST_SHOWN = 1e-4


@EVERY
def test_the_page_reads_as_the_text_that_is_kept(design):
    assert page_text(design).splitlines() == golden(design).read_text(encoding="utf-8").splitlines()


def test_a_text_is_kept_of_every_design_and_of_nothing_else():
    assert {path.stem for path in FOLDER.iterdir()} == set(DESIGNS)


# ── the numbers in it ──────────


def shown(text):
    """All numbers of a text as they stand, in order; a true minus is a minus, and what parts thousands is left out."""
    plain = re.sub(r"[\u202f,](?=\d{3})", "", text).replace("\N{MINUS SIGN}", "-")
    return re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", plain)


def numbers(text):
    """The same as numbers."""
    return [float(one) for one in shown(text)]


def places(number):
    """The decimals of a number as it stands."""
    return len(number.partition(".")[2])


def rounded(value, digits=3):
    """A value at so many significant digits, and all digits before the point."""
    if not value:
        return 0.0
    return round(value, max(digits - 1 - floor(log10(abs(value))), 0 if abs(value) >= 1000 else -9))


def winners_view(pair):
    """Difference and improvement with their ends, as the better algorithm (else the first) sees them."""
    difference = [pair.difference, pair.difference_low, pair.difference_high]
    improvement = [pair.improvement, pair.improvement_low, pair.improvement_high]
    if pair.verdict == "b_better":
        difference = [None if v is None else -v for v in (difference[0], difference[2], difference[1])]
        improvement = [None if v is None else 1 - v for v in (improvement[0], improvement[2], improvement[1])]
    return [rounded(v) for v in (*difference, *improvement) if v is not None]


def facts(pair):
    """The numbers that the sentence of a pair must hold, in its order."""
    ps = dict.fromkeys((pair.pvalue, pair.pvalue_adjusted))
    shown = [SMALLEST_SHOWN if p < SMALLEST_SHOWN else rounded(p, 2) for p in ps]
    tasks = [pair.n_tasks] if pair.n_tasks > 1 else []
    missed = pair.verdict == "no_difference_found" and pair.detectable_difference is not None
    return [*tasks, *winners_view(pair), *shown, *([rounded(pair.detectable_difference), 80] if missed else [])]


@EVERY
def test_every_number_in_a_pairs_sentence_is_the_results_rounded_to_three_digits_and_its_ps_to_two(design):
    for pair in answers(design).comparison.pairs:
        assert numbers(pair.sentence) == facts(pair)


@EVERY
def test_a_pairs_sentence_names_the_better_one_first(design):
    for pair in answers(design).comparison.pairs:
        first, second = (pair.b, pair.a) if pair.verdict == "b_better" else (pair.a, pair.b)
        assert pair.sentence.index(first) < pair.sentence.index(second)


@EVERY
def test_the_first_sentence_has_the_two_best_with_their_intervals_and_the_p_value_of_the_two(design):
    made, (best, second, *_) = answers(design), ranked(answers(design))
    pair = next(p for p in made.comparison.pairs if {p.a, p.b} == {best.algorithm, second.algorithm})
    expected = []
    for record in (best, second):
        expected += [record.estimate] if record.low is None else [record.estimate, 95, record.low, record.high]
    found = shown(sentences(made)[0])
    expected.append(pair.pvalue_adjusted)
    assert numbers(" ".join(found)) == [round(e, places(f)) for e, f in zip(expected, found, strict=True)]


@EVERY
def test_its_intervals_have_as_many_decimals_as_give_half_a_narrow_width_two_digits(design):
    made = answers(design)
    _, _, low, high, *_ = shown(sentences(made)[0])
    narrowest = sorted(r.high - r.low for r in ranked(made) if r.low is not None)[:2]
    assert places(low) == places(high)
    halves = [width / 2 * 10 ** places(low) for width in narrowest]
    assert any(10 <= half < 100 for half in halves) or (places(low) == 0 and min(halves) >= 100)


@EVERY
def test_the_third_sentence_spans_the_smallest_to_the_largest_detectable_difference_of_the_open_pairs(design):
    made, found = answers(design), numbers(sentences(answers(design))[2])
    open_pairs = [p for p in made.comparison.pairs if p.verdict == "no_difference_found"] or made.comparison.pairs
    sizes = [p.detectable_difference for p in open_pairs if p.detectable_difference is not None]
    digits = 1 - floor(log10(max(sizes, default=1.0)))
    expected = [80, *dict.fromkeys([round(min(sizes), digits), round(max(sizes), digits)])] if sizes else []
    assert found[: len(expected)] == expected
    assert (80 in found) == bool(sizes)


@EVERY
def test_the_methods_begin_with_the_counts_of_algorithms_tasks_runs_and_cells_without_runs(design):
    counts, found = answers(design).scores.n_runs, numbers(methods_paragraph(answers(design)).text)
    span = dict.fromkeys((counts[counts > 0].min(), counts.max()))
    gaps = [(counts == 0).sum()] if (counts == 0).any() else []
    expected = [*counts.shape, *span, *gaps]
    assert found[: len(expected)] == expected


@EVERY
def test_the_methods_have_the_level_the_resamples_the_pairs_and_the_seed_of_the_results(design):
    comparison, found = answers(design).comparison, numbers(methods_paragraph(answers(design)).text)
    told = {comparison.n_resamples, 100 * comparison.confidence_level, comparison.alpha, comparison.seed}
    several = {len(comparison.pairs)} - {1}
    assert told | several <= set(found)
