"""All intervals of a page have one level, that at which its pairs are decided."""

from __future__ import annotations

import warnings
from html import unescape

import pytest

import runoff as ro
from runoff.page import build
from runoff.page.answers.all import answer
from tests.report.made import scores


def ordinary() -> ro.Scores:
    return scores()


def items() -> ro.Scores:
    return ro.Scores.from_dict({a: {f"q{i}": [float((i + len(a)) % 3 > 0)] for i in range(30)} for a in ("A", "BB")})


@pytest.mark.parametrize("data", [ordinary, items])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_every_interval_of_a_page_has_the_level_of_its_differences(data, alpha):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        own = answer(data(), alpha=alpha, seed=0, n_resamples=200, command="runoff report runs.csv")
    rows = [*own.aggregates.rows, *own.task_means.rows]
    levels = {row.confidence_level for row in rows} | {own.comparison.confidence_level}
    profiles = own.profiles.result
    assert levels | ({profiles.confidence_level} if profiles else set()) == {1 - alpha}
    assert f"made like this, {100 - 100 * alpha:.0f}\xa0% of such intervals" in unescape(build(own))
