"""Advice by code: one entry, with whom it concerns."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from runoff.answer.base import SEVERITIES, Advice
from runoff.page import build
from runoff.page.words.advice import grouped
from tests.report.made import answers, answers_of, scores


def advice(text: str, *subjects: str) -> Advice:
    return Advice(code="R900", severity="caution", text=text, source="x", subjects=subjects)


def given(*notes: Advice | None):
    """Return the comparison of PPO, A2C and SAC with this advice on its pairs, one for each pair."""
    comparison = answers().comparison
    pairs = tuple(
        replace(p, advice=() if note is None else (note,)) for p, note in zip(comparison.pairs, notes, strict=True)
    )
    return replace(comparison, pairs=pairs)


def scope_of(comparison, *more: Advice) -> str:
    (group,) = grouped([*(item for pair in comparison.pairs for item in pair.advice), *more], comparison)
    return group.scope


def test_a_text_that_every_pair_has_concerns_all_pairs():
    assert scope_of(given(*[advice("few runs")] * 3)) == "This applies to all 3 pairs."


def test_texts_that_name_their_pair_are_one_entry_and_the_pairs_are_named():
    comparison = given(advice("they differ", "PPO", "A2C"), advice("they differ", "PPO", "SAC"), None)
    assert scope_of(comparison) == "This applies to 2 of 3 pairs: PPO – A2C, SAC."


def test_texts_about_one_algorithm_each_name_the_algorithms():
    skewed = [advice(f"{name!r} is skewed", name) for name in ("PPO", "PPO", "SAC")]
    assert scope_of(given(*skewed)) == "This applies to 2 of 3 algorithms: PPO, SAC."


def test_names_inside_the_prose_are_not_searched():
    assert (
        scope_of(given(advice("a word like 'PPO' in the prose"), None, None))
        == "This applies to 1 of 3 pairs: PPO – A2C."
    )


def test_a_single_text_that_says_whom_it_concerns_needs_no_more():
    skewed = advice("'PPO' is skewed", "PPO")
    assert scope_of(given(skewed, skewed, None)) == ""
    assert scope_of(given(None, None, None), advice("in general")) == ""


def test_the_most_severe_comes_first_wherever_it_was_given():
    codes = zip(("R003", "R002", "R001"), SEVERITIES, strict=True)
    notes = [replace(advice("x"), code=code, severity=severity) for code, severity in codes]
    for order in permutations(notes):
        assert [group.first.severity for group in grouped(order)] == [*SEVERITIES]


@pytest.mark.slow
def test_many_pairs_are_counted():
    comparison = answers_of(scores(tuple("ABCDEFG"), n_runs=2)).comparison
    some = replace(
        comparison,
        pairs=tuple(replace(p, advice=(advice("x"),) if i else ()) for i, p in enumerate(comparison.pairs)),
    )
    assert scope_of(some).startswith("This applies to 20 of 21 pairs: A – C, D")
    assert scope_of(some).endswith("and 8 more.")


LEADING = ("SAC", "A2C", "PPO")


def test_the_leader_is_named_first_among_pairs_and_among_algorithms():
    differ = [advice("they differ", *names) for names in (("PPO", "A2C"), ("PPO", "SAC"))]
    skewed = [advice(f"{name!r} is skewed", name) for name in ("PPO", "PPO", "SAC")]
    assert (
        grouped(differ, given(*differ, None), LEADING)[0].scope == "This applies to 2 of 3 pairs: SAC – PPO; A2C – PPO."
    )
    assert grouped(skewed, given(*skewed), LEADING)[0].scope == "This applies to 2 of 3 algorithms: SAC, PPO."


def test_a_text_that_names_some_and_counts_the_rest_is_followed_by_all_of_them():
    cut = advice("'PPO' and 1 more fall apart", "PPO", "SAC")
    assert grouped([cut], given(cut, None, None), LEADING)[0].scope == "This applies to 2 of 3 algorithms: SAC, PPO."


def test_the_page_has_one_entry_a_code():
    results = answers_of(scores(n_runs=3))
    page = build(results)
    for code in {item.code for item in results.advice}:
        assert page.count(f"<code>{code}</code>") == 1
