"""The pure part of the page's script, run by V8 without a browser: rows sorted, pairs filtered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from py_mini_racer import MiniRacer

from runoff.page.sheet.build import page_script
from runoff.page.sheet.frame import packaged

Run = Callable[..., Any]
NAMES = ["DQN", "PPO", "SAC"]


@pytest.fixture(scope="module")
def js() -> Iterator[Run]:
    """Call a function of the script with values that JSON knows."""
    with MiniRacer() as engine:  # left open, its threads would keep the interpreter from ending
        engine.eval(f"() => {{{page_script()}}}")  # compiled, though not run: there is no page here
        engine.eval(packaged("pure.js"))

        def run(name: str, *arguments: Any) -> Any:
            return json.loads(engine.eval(f"JSON.stringify({name}({', '.join(map(json.dumps, arguments))}))"))

        yield run


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
    pairs = [[0, 1, 1], [1, 2, 2], [0, 2, 0], [0, 1, 3]]
    assert [k for k, pair in enumerate(pairs) if js("matches", pair, NAMES, text, kind)] == shown


def test_numbers_are_read_as_they_are_shown(js):
    assert js("numbers", "−1\u202f234.5 [−2e-7, 3,000]") == [-1234.5, -2e-7, 3000]


def test_tables_sort_numbers_before_texts_and_bounds_beside_their_number(js):
    texts = ["b", "−2", "> 1000", "0.5", "a", "1\u202f000", "< 0.5"]
    ordered = js("((texts) => texts.map(keyOf).sort(compared).map((key) => key[1]))", texts)
    assert ordered == ["−2", "< 0.5", "0.5", "1\u202f000", "> 1000", "a", "b"]


AS_IT_IS = {"of": 1, "by": 0, "sort": "", "show": "", "tasks": ""}  # PPO leads
OF_A_PAGE = (1, NAMES, ["chance", "mean"])


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"of": 0},
        {"of": 2},
        {"by": 1},
        {"sort": "2 ascending"},
        {"show": "S"},
        {"tasks": "t"},
        {"of": 0, "by": 1, "show": "x"},
    ],
)
def test_a_link_shows_what_its_sender_chose_and_names_nothing_else(js, chosen):
    link = js("linked", AS_IT_IS | chosen, *OF_A_PAGE)
    assert set(link) == set(chosen)
    assert js("followed", link, *OF_A_PAGE) == AS_IT_IS | chosen


def test_a_link_that_names_what_is_not_here_leaves_the_page_as_it_is(js):
    assert js("followed", {"of": "A2C", "by": "median"}, *OF_A_PAGE) == AS_IT_IS
