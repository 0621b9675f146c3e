"""Welch's test of summaries, Holm over the family and the smallest n, against slow twins."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff._inference.summaries import MOST_RUNS, READ_AS, SPREADS, Contrast, answers, smallest_runs
from runoff.answer.claims import PublishedCell
from tests.reference import summaries as twin

RNG = np.random.default_rng(5)


def cell(algorithm, task, mean, width, n, unit=1e-12):
    return PublishedCell(
        algorithm=algorithm, task=task, mean=mean, spread=width, mean_unit=unit, spread_unit=unit, n=n, bold=False, text="", line=1, column=1
    )  # fmt: skip


def drawn(n_pairs, n=None):
    """Return pairs of cells as (mean, ±, n)."""
    return [
        tuple((RNG.normal(10, 2), RNG.uniform(0.5, 4), n or int(RNG.integers(2, 20))) for _ in "ab")
        for _ in range(n_pairs)
    ]


def contrasts(pairs, unit=1e-12):
    return [
        Contrast(a="A", b="B", x=(cell("A", f"t{i}", *x, unit),), y=(cell("B", f"t{i}", *y, unit),), signs=(1,))
        for i, (x, y) in enumerate(pairs)
    ]


@pytest.mark.parametrize("kind", SPREADS)
def test_every_kind_of_spread_has_scipys_pvalue_and_holms_adjustment(kind):
    pairs = drawn(40)
    tested = answers(contrasts(pairs), kind, 0.05)
    expected = [twin.welch(x, y, kind) for x, y in pairs]
    assert [answer.pvalue for answer in tested] == pytest.approx(expected, rel=1e-9)
    assert [answer.pvalue_adjusted for answer in tested] == pytest.approx(twin.holm(expected), rel=1e-9)


def test_a_standard_deviation_has_the_pvalue_of_the_test_from_summaries():
    for (x, y), answer in zip(pairs := drawn(10), answers(contrasts(pairs), "sd", 0.05), strict=True):
        result = ro.test_from_summary(mean_x=x[0], std_x=x[1], n_x=x[2], mean_y=y[0], std_y=y[1], n_y=y[2])
        assert (answer.pvalue, answer.statistic, answer.df) == pytest.approx(
            (result.pvalue, result.statistic, result.df)
        )


@pytest.mark.parametrize("kind", SPREADS)
def test_an_average_over_tasks_has_the_degrees_of_freedom_of_all_cells(kind):
    pairs = drawn(6)
    contrast = Contrast(
        a="A",
        b="B",
        x=tuple(cell("A", f"t{i}", *x) for i, (x, _) in enumerate(pairs)),
        y=tuple(cell("B", f"t{i}", *y) for i, (_, y) in enumerate(pairs)),
        signs=(1,) * 6,
        joint=True,
    )
    assert answers([contrast], kind, 0.05)[0].pvalue == pytest.approx(twin.welch_over(pairs, kind), rel=1e-9)


@pytest.mark.parametrize("kind", ["sd", "population_sd", "se", "ci95_normal"])
def test_the_smallest_n_is_that_of_trying_each(kind):
    pairs = [((10.0, 1.0, 0), (13.0, 2.0, 0)), ((10.0, 1.0, 0), (11.0, 2.0, 0)), ((5.0, 1.0, 0), (5.1, 0.2, 0))]
    expected = [twin.smallest_n(pairs, at, kind, 0.05, 60) for at in range(2)]
    assert smallest_runs(contrasts(pairs), kind, 0.05)[:2] == expected
    assert expected != [None, None] or kind in ("se", "ci95_normal")


def test_no_n_carries_a_difference_of_less_than_two_standard_errors():
    pairs = [((10.0, 1.0, 0), (12.0, 1.0, 0)), ((10.0, 1.0, 0), (13.5, 1.0, 0))]
    assert smallest_runs(contrasts(pairs[:1]), "se", 0.05) == [None]
    (needed,) = smallest_runs(contrasts(pairs[1:]), "se", 0.05)
    assert needed == twin.smallest_n(pairs[1:], 0, "se", 0.05, 40)
    assert MOST_RUNS == 100_000


@pytest.mark.parametrize("kind", ["sd", "se"])
def test_no_adjusted_pvalue_grows_with_n(kind):
    pairs = drawn(8)
    pvalues = [
        [
            answer.pvalue_adjusted
            for answer in answers(contrasts([((*x[:2], n), (*y[:2], n)) for x, y in pairs]), kind, 0.05)
        ]
        for n in (2, 3, 5, 10, 100)
    ]
    assert all(np.all(np.array(more) <= np.array(less) + 1e-12) for less, more in itertools.pairwise(pvalues))


def test_rounding_is_counted_where_it_hurts_most():
    (answer,) = answers(contrasts([((10.0, 1.0, 5), (12.0, 1.0, 5))], unit=0.5), "sd", 0.05)
    assert answer.pvalue_rounded == pytest.approx(twin.welch((10.0, 1.25, 5), (11.5, 1.25, 5), "sd"))
    assert answer.pvalue == pytest.approx(twin.welch((10.0, 1.0, 5), (12.0, 1.0, 5), "sd"))


def test_means_that_rounding_could_make_equal_are_not_apart():
    (answer,) = answers(contrasts([((10.0, 0.0, 5), (11.0, 0.0, 5))], unit=1.0), "sd", 0.05)
    assert answer.pvalue == pytest.approx(2 / 252)
    assert answer.pvalue_rounded == 1.0


def test_an_average_without_any_spread_is_worth_complete_separation_of_one_task():
    x, y = ((cell(name, "t", m, 0.0, 3), cell(name, "u", m, 0.0, 4)) for name, m in (("A", 1.0), ("B", 2.0)))
    family = [Contrast(a="A", b="B", x=x, y=y, signs=(1, 1), joint=True)]
    assert answers(family, "sd", 0.05)[0].pvalue == pytest.approx(2 / 20)
    assert smallest_runs(family, "sd", 0.05, worst=False) == [4]  # 2 / C(8, 4)
    assert answers([replace(family[0], y=x)], "sd", 0.05)[0].pvalue == 1.0
    assert smallest_runs(family, "sd", 1e-300, worst=False) == [502]  # more labellings than a float holds


def test_whatever_may_be_said_of_a_spread_is_answered_by_known_kinds():
    assert {kind for kinds in READ_AS.values() for kind in kinds} == set(SPREADS)
    assert READ_AS["unknown"] == ("sd", "se")
