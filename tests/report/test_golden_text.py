"""What the report says of five designs, word for word, and that its numbers are those of the results.

After an intended change of words: `python -m tests.report.designs --write`, and look at the difference.
"""

from __future__ import annotations

import re
from math import floor, log10

import pytest

from runoff.page.answers.all import standing_of
from runoff.page.sheet import versus
from runoff.page.words.headline import headline
from runoff.page.words.paragraph import methods_paragraph
from runoff.words.measures import even_of
from runoff.words.numbers import pvalue
from tests.report.designs import DESIGNS, FOLDER, answers, golden, page_text

EVERY = pytest.mark.parametrize("design", DESIGNS)


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
    return [float(number) for number in shown(text)]


def places(number):
    """The decimals of a number as it stands."""
    return len(number.partition(".")[2])


def rounded(value, digits=3):
    """A value at so many significant digits, and all digits before the point."""
    if not value:
        return 0.0
    return round(value, max(digits - 1 - floor(log10(abs(value))), 0 if abs(value) >= 1000 else -9))


def winners_view(pair):
    """The measure and the improvement, each with the ends it has, as the better algorithm (else the first) sees them; one where both are one."""
    difference = [pair.estimate, *pair.spoken]
    own = (pair.improvement_low, pair.improvement_high)
    improvement = [pair.improvement, *(pair.spoken if pair.measure == "improvement" else own)]
    if pair.verdict == "b_better":
        difference = [None if v is None else -v for v in (difference[0], difference[2], difference[1])]
        improvement = [None if v is None else 1 - v for v in (improvement[0], improvement[2], improvement[1])]
    # Chances are said in percent.
    in_percent = [None if v is None else 100 * v for v in improvement]
    both = [in_percent] if pair.measure == "improvement" else [difference, in_percent]
    return [[v for v in part if v is not None] for part in both]


def of_tasks(pair, n_all):
    """The numbers of tasks that a sentence names: those of the pair, and all where they are more."""
    return [pair.n_tasks, *[n_all] * (pair.n_tasks < n_all)] if pair.n_tasks > 1 else []


def facts(pair, n_all):
    """The numbers that the sentence of a pair must hold, in its order."""
    ps = {pvalue(p): p_shown(p) for p in (pair.pvalue, pair.pvalue_adjusted)}.values()
    missed = pair.verdict == "no_difference_found" and pair.detectable_difference is not None
    return [
        *of_tasks(pair, n_all),
        *(v for part in winners_view(pair) for v in part),
        *ps,
        *([rounded(pair.detectable_difference), 80] if missed else []),
        *([rounded(even_of(pair.measure) + pair.planning_margin, 2)] if pair.outlook else []),
        *([pair.needed_runs] if pair.needed_runs else []),
    ]


def p_shown(p):
    """A p-value as it stands: three decimals, or the bound that it is below."""
    return 0.001 if p < 0.0005 else round(p, 3)


@EVERY
def test_every_number_in_a_pairs_sentence_is_the_results_rounded_as_it_stands(design):
    for pair in answers(design).comparison.pairs:
        numbers_shown, expected = shown(pair.sentence), facts(pair, answers(design).scores.n_tasks)
        assert len(numbers_shown) == len(expected)
        # Within half a unit of the last place: half a percent is a tie that binary fractions break either way.
        assert all(
            abs(float(number) - v) <= 0.5 * 10 ** -places(number) * (1 + 1e-9)
            for number, v in zip(numbers_shown, expected, strict=True)
        )


@EVERY
def test_a_difference_has_the_decimals_that_show_two_digits_of_half_its_interval(design):
    for pair in answers(design).comparison.pairs:
        seen = winners_view(pair)[0]
        numbers_shown = shown(pair.sentence)[len(of_tasks(pair, answers(design).scores.n_tasks)) :][: len(seen)]
        assert len({places(number) for number in numbers_shown}) == 1
        if pair.measure == "improvement":
            near = any(0 < abs(v - 50) < 0.5 for v in seen)
            assert (places(numbers_shown[0]) == 0) != near
        elif len(seen) == 3:
            assert (
                round((seen[2] - seen[1]) / 2 * 10 ** places(numbers_shown[0]), 6) >= 10
                or places(numbers_shown[0]) == 6
            )


@EVERY
def test_a_pairs_sentence_names_the_better_one_first(design):
    for pair in answers(design).comparison.pairs:
        first, second = (pair.b, pair.a) if pair.verdict == "b_better" else (pair.a, pair.b)
        assert pair.sentence.index(first) < pair.sentence.index(second)


@EVERY
def test_the_lead_is_told_by_the_chance_of_its_nearest_pair(design):
    results = answers(design)
    standing = standing_of(results)
    by_chance = results.comparison.measure == "improvement"
    words, behind = headline(results, standing), standing.those("behind")
    told_numbers = numbers(
        words.answer.partition("% ")[0][-4:] + words.answer.partition("% ")[2]
        if by_chance
        else words.beaten.partition("a run of it")[2]
    )
    if behind:
        pair = standing.beside(behind[0])
        own = (pair.improvement_low, pair.improvement_high)
        ends = [end for end in (deciding(pair) if by_chance else own) if end is not None]
        expected = [100 * pair.improvement, *(100 * end for end in ends)]
        assert told_numbers[: len(expected)] == pytest.approx(expected, abs=0.5)
    assert bool(told_numbers) == bool(behind)


def deciding(pair):
    """The ends of the interval that decided a pair."""
    return (pair.own_low, pair.own_high) if pair.low is None else (pair.low, pair.high)


@EVERY
def test_a_bar_of_the_first_picture_leaves_out_the_line_of_the_leader_where_a_difference_was_found(design):
    results, standing = answers(design), standing_of(answers(design))
    view = versus.picture(results, standing)["view"]
    for row in view.rows:
        pair = standing.beside(standing.order[row.other])
        if pair is not None and row.x:
            start, width = float(row.x), float(row.width)
            inside = start - 0.06 <= float(view.zero) <= start + width + 0.06
            assert inside == (pair.winner is None) or min(map(abs, deciding(pair))) < 0.01


@EVERY
def test_what_next_has_the_lead_that_matters_and_the_runs_that_tell_it_for_the_nearest_rival(design):
    results = answers(design)
    standing = standing_of(results)
    rivals = standing.those("no difference found")
    in_steps = numbers(" ".join(f"{step.act} {step.why}" for step in headline(results, standing).steps))
    pair = standing.beside(rivals[0]) if rivals else None
    if pair is not None and pair.outlook:
        assert rounded(even_of(pair.measure) + pair.planning_margin, 2) in in_steps
        assert (pair.needed_runs or in_steps[0]) in in_steps


@EVERY
def test_the_methods_begin_with_the_counts_of_algorithms_tasks_runs_and_cells_without_runs(design):
    counts, in_text = answers(design).scores.n_runs, numbers(methods_paragraph(answers(design)).text)
    span = dict.fromkeys((counts[counts > 0].min(), counts.max()))
    gaps = [(counts == 0).sum()] if (counts == 0).any() else []
    expected = [*counts.shape, *span, *gaps]
    assert in_text[: len(expected)] == expected


@EVERY
def test_the_methods_have_the_level_the_pairs_and_the_seed_of_the_results(design):
    comparison, in_text = answers(design).comparison, numbers(methods_paragraph(answers(design)).text)
    intervals = any(record.low is not None for record in answers(design).aggregates.rows)
    expected = {comparison.alpha, comparison.seed} | ({100 * comparison.confidence_level} if intervals else set())
    several = {len(comparison.pairs)} - {1}
    assert expected | several <= set(in_text)
