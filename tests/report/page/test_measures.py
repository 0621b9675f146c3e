"""The first picture: where bars lie, and which colour says what."""

from __future__ import annotations

import re

import pytest

import runoff as ro
from runoff.page import build
from runoff.page.answers.all import standing_of
from runoff.page.sheet import measures
from tests.report.designs import DESIGNS, answers
from tests.report.made import answers_of

EVERY = pytest.mark.parametrize("design", DESIGNS)
COLOURS = {"a_better": "off", "b_better": "over", "no_difference_found": "near"}


def columns_of(design):
    results = answers(design)
    standing = standing_of(results)
    return results, standing, measures.table(results, standing)["columns"]


@EVERY
def test_a_bar_of_another_measure_has_the_colour_of_what_that_measure_says_of_it_and_the_leader(design):
    results, standing, (_, *others) = columns_of(design)
    read = [
        name for name in results.aggregates.measures[1:] if name in {r.measure for r in standing.own[0].other_readings}
    ]
    for measure, column in zip(read, others, strict=False):
        for name, cell in zip(standing.order, column.cells, strict=True):
            pair = standing.beside(name)
            verdicts = [r.verdict for r in pair.other_readings if r.measure == measure] if pair else []
            expected = "leads" if name == standing.leader else COLOURS[verdicts[0]] if verdicts else "near"
            assert f'class="bar {expected}"' in cell


def test_the_stripe_of_a_column_is_the_interval_of_the_leader():
    _, standing, (_, column, *_) = columns_of("four_with_ties")
    stripe = re.search(r'class="s" x="([\d.]+)%" width="([\d.]+)%"', column.ground).groups()
    own = re.search(r'class="i" x="([\d.]+)%" width="([\d.]+)%"', column.cells[standing.order.index(standing.leader)])
    assert stripe == own.groups()


def test_a_chance_to_win_and_what_is_left_of_a_hundred_are_those_of_the_pair():
    _, standing, columns = columns_of("four_with_ties")
    assert columns[-1].head == "Wins"
    for name, words in zip(standing.order, columns[-1].words, strict=True):
        pair = standing.beside(name)
        ends = pair and [100 * (1 - end) for end in (pair.improvement, pair.improvement_high, pair.improvement_low)]
        assert words == ("" if pair is None else "{:.0f} of 100 [{:.0f}, {:.0f}]".format(*ends))


def test_the_key_of_the_bars_has_the_colours_that_are_drawn_and_no_others():
    first = measures.table(answers("four_with_ties"), standing_of(answers("four_with_ties")))
    drawn = "".join(cell for column in first["columns"] for cell in column.cells)
    assert [kind for kind, _ in first["key"]] == [c for c in ("leads", "near", "off", "over") if f'"bar {c}"' in drawn]
    assert [kind for kind, _ in first["key"]][:2] == ["leads", "near"]


def test_the_key_and_the_caption_name_no_interval_of_the_leader_where_none_is_drawn():
    results = answers_of(ro.Scores.from_dict({"ours": [63.2, 65.8], "baseline": [65.4, 57.2]}))
    first = measures.table(results, standing_of(results))
    assert ([kind for kind, _ in first["key"]], first["own"], first["wins"]) == (["near"], [], True)
    html = build(results)
    assert "the stripe that of" not in html
    assert "Under <em>Wins</em> a bar is the interval of the chance to beat <bdi>ours</bdi>" in html


def test_an_axis_has_two_numbers_at_least():
    assert measures._ticks(measures.Scale(low=45.5, high=54.4)) == [47.5, 50.0, 52.5]
