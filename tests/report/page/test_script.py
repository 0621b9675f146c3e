"""The pure part of the page's script, run by V8 without a browser: pairs turned, rows sorted, pairs filtered, words of the slider."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py_mini_racer import MiniRacer

from runoff.report.page.build import OPERATOR, packaged
from runoff.report.page.svg import bar
from tests.places import SOURCE
from tests.report.page.test_data import content_of

Run = Callable[..., Any]
PERCENT = st.integers(0, 100)
PAIR = st.tuples(st.none() | PERCENT, PERCENT, st.none() | PERCENT, st.integers(0, 3))
NAMES = ["DQN", "PPO", "SAC"]


@pytest.fixture(scope="module")
def js() -> Iterator[Run]:
    """Call a function of the script with values that JSON knows."""
    with MiniRacer() as engine:  # left open, its threads would keep the interpreter from ending
        engine.eval(packaged("pure.js"))

        def run(name: str, *arguments: Any) -> Any:
            return json.loads(engine.eval(f"JSON.stringify({name}({', '.join(map(json.dumps, arguments))}))"))

        yield run


@given(PAIR)
def test_a_pair_that_is_turned_twice_is_itself(js, pair):
    *chance, verdict = pair
    whole = {"chance": chance, "verdict": verdict}
    assert js("turned", js("turned", whole)) == whole


@given(PAIR)
def test_a_turned_pair_has_the_rest_of_a_hundred_and_the_other_verdict(js, pair):
    low, middle, high, verdict = pair
    turned = js("turned", {"chance": [low, middle, high], "verdict": verdict})
    assert turned["chance"][1] == 100 - middle
    assert turned["chance"][0] == (None if high is None else 100 - high)
    assert turned["chance"][2] == (None if low is None else 100 - low)
    assert turned["verdict"] == {0: 0, 1: 2, 2: 1, 3: 3}[verdict]


def test_pairs_are_there_both_ways(js):
    pairs = dict(js("((listed) => [...bothWays(listed)])", [[0, 1, 60, 70, 80, 1]]))
    assert pairs == {
        "0 1": {"chance": [60, 70, 80], "verdict": 1},
        "1 0": {"chance": [20, 30, 40], "verdict": 2},
    }


@pytest.mark.parametrize(
    ("row", "pair", "words"),
    [
        (0, None, ["leader", "leads"]),
        (2, None, ["not tested", "off"]),
        (2, {"verdict": 0}, ["not told apart", "near"]),
        (2, {"verdict": 1}, ["behind", "off"]),
        (2, {"verdict": 2}, ["ahead of it", "near"]),
        (2, {"verdict": 3}, ["equivalent", "near"]),
    ],
)
def test_the_place_beside_the_leader_is_the_verdict_of_the_pair(js, row, pair, words):
    assert js("placeOf", row, 0, 0, pair) == words


def test_a_partner_that_does_not_lead_is_said_to_be_compared_with(js):
    assert js("placeOf", 1, 1, 0, None) == ["compared with", "leads"]


@pytest.mark.parametrize(("up", "best_first"), [(True, [1, 2, 0]), (False, [0, 2, 1])])
def test_rows_are_sorted_best_first_whichever_way_is_better(js, up, best_first):
    measure = {"up": up, "cells": [["−1.5", "–"], ["1\u202f200", "[1\u202f000, 1\u202f400]"], ["0.3", "[0.1, 0.5]"]]}
    assert js("orderOf", "score", measure, NAMES, [None, 1, 2]) == best_first


def test_rows_are_sorted_by_name_and_by_chance_with_the_untested_first(js):
    measure = {"up": True, "cells": [["1", "–"]] * 3}
    assert js("orderOf", "name", measure, ["b", "C", "a"], []) == [2, 0, 1]
    assert js("orderOf", "chance", measure, NAMES, [30, None, 5]) == [1, 2, 0]


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("", "", [0, 1, 2, 3]),
        (" sac ", "", [1, 2]),
        ("", "found", [0, 1]),
        ("", "none", [2, 3]),
        ("dqn", "none", [2, 3]),
        ("x", "", []),
    ],
)
def test_pairs_are_filtered_by_name_and_verdict(js, text, kind, shown):
    pairs = [[0, 1, 1, 1, 1, 1], [1, 2, 1, 1, 1, 2], [0, 2, 1, 1, 1, 0], [0, 1, 1, 1, 1, 3]]
    assert [k for k, pair in enumerate(pairs) if js("matches", pair, NAMES, text, kind)] == shown


def test_the_chance_is_told_with_its_interval_or_alone(js):
    assert js("chanceWords", [5, 62, 100]) == "0.62 [0.05, 1.00]"
    assert js("chanceWords", [None, 62, None]) == "0.62"


def test_numbers_are_read_as_they_are_shown(js):
    assert js("numbers", "−1\u202f234.5 [−2e-7, 3,000]") == [-1234.5, -2e-7, 3000]
    assert js("scoreOf", ["0.5", "–"]) == [None, 0.5, None]


def test_the_axis_ends_at_the_lowest_and_the_highest_number_shown(js):
    ends = js("endsOf", [["2", "[−1, 30]"], ["4", "–"]])
    assert ends == {"words": ["−1", "30"], "at": [-1, 30], "apart": True}
    assert js("endsOf", [["2", "–"]]) == {"words": ["2", "2"], "at": [1.5, 2.5], "apart": False}


def test_tables_sort_numbers_before_texts_and_bounds_beside_their_number(js):
    texts = ["b", "−2", "> 1000", "0.5", "a", "1\u202f000", "< 0.5"]
    ordered = js("((texts) => texts.map(keyOf).sort(compared).map((key) => key[1]))", texts)
    assert ordered == ["−2", "< 0.5", "0.5", "1\u202f000", "> 1000", "a", "b"]


def test_the_slider_says_what_a_difference_needs_and_what_a_tie_allows(js):
    more = {
        "sizes": ["0.1", "0.2"],
        "needs": ["40 runs", "10 runs"],
        "ties": [2, 0],
        "tie": ["no {d}", "", "yes {d}, {d}"],
    }
    assert js("sliderAt", more, 0) == {"needs": "0.1 → 40 runs", "label": "0.1: 40 runs", "tie": "yes 0.1, 0.1"}
    assert js("sliderAt", more, 1)["tie"] == "no 0.2"


def test_a_bar_is_drawn_as_the_page_draws_it(js):
    numbers = [
        [float(n) for n in re.findall(r"[\d.]+", " ".join(re.findall(r' d="(.*?)"', drawn)))]
        for drawn in (
            js("bar", [0.2, 0.5, 0.75], [0, 1], "near", 0.5),
            bar((0.2, 0.5, 0.75), (0, 1), "near", middle=0.5),
        )
    ]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.06)


LEFT, RIGHT = ("out", "M9 4L1 10L9 16"), ("out", "M231 4L239 10L231 16")
MIDDLE = ("e", "M120.0 2V18")


@pytest.mark.parametrize(
    ("values", "half", "parts"),
    [
        ([0.2, 0.5, 0.75], None, [("i", "M51.6 10H177"), MIDDLE]),
        ([0.5, 0.5, 0.5], 0.5, [("", "M120.0 0V20"), ("i", "M120.0 10H120.8"), MIDDLE]),
        ([-0.5, 0.5, 0.75], None, [("i", "M6.0 10H177"), LEFT, MIDDLE]),
        ([0.2, 0.5, 1.5], None, [("i", "M51.6 10H234"), RIGHT, MIDDLE]),
        ([-3, -2, -1], None, [LEFT]),
        ([2, 3, 4], None, [RIGHT]),
        ([None, 0.5, None], None, [MIDDLE]),
        ([None, -1, None], None, [LEFT]),
        ([None, 2, None], None, [RIGHT]),
    ],
)
def test_a_bar_ends_at_the_axis_and_a_mark_tells_what_lies_beyond(js, values, half, parts):
    drawn = js("bar", values, [0, 1], "near", *([] if half is None else [half]))
    assert re.findall(r'<path class="(.*?)" d="(.*?)"/>', drawn) == parts


def test_a_pair_of_the_report_shows_both_ways_what_adds_up_to_one(js):
    pairs = dict(js("((listed) => [...bothWays(listed)])", content_of()["pairs"]))
    assert len(pairs) == 2 * len(content_of()["pairs"])
    assert all(
        pair["chance"][1] + pairs[" ".join(key.split()[::-1])]["chance"][1] == 100 for key, pair in pairs.items()
    )


@pytest.mark.parametrize("name", ["pure.js", "report.js"])
def test_no_text_of_the_script_holds_an_operator_that_loses_its_spaces(name):
    source = (SOURCE / "report" / "page" / name).read_text(encoding="utf-8")
    texts = re.findall(r'"([^"\n]*)"', source)
    assert len(texts) > 20
    assert [text for text in texts if OPERATOR.search(text)] == []
