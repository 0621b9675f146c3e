"""What stands for a name: one text for each, told in the file."""

from __future__ import annotations

import re

import pytest

from runoff.exits.latex.glyphs import LONGEST, natural_order, printable, shown_names, stand_ins, tex
from tests.exits.latex.made import STRANGE, files, strange
from tests.report.made import HOSTILE, hostile


def test_names_that_print_stand_for_themselves():
    names = ["PPO", "Q(λ)", "Déjà-vu", "x_1 & 50 %"]
    assert shown_names(names, "Algorithm") == {name: name for name in names}
    assert stand_ins(shown_names(names, "Algorithm")) == ()


def test_no_two_names_print_alike():
    names = dict.fromkeys([*STRANGE, *HOSTILE, "long " * 100 + "game", "Algorithm 3"])
    shown = shown_names(names, "Algorithm")
    printed = [tex(text) for text in shown.values()]
    assert len(set(printed)) == len(shown) == len(names)
    assert all(printable(text) == text for text in shown.values())
    assert all(0 < len(text) <= LONGEST + len(" (2)") for text in shown.values())


def test_a_name_of_which_nothing_prints_is_numbered_and_a_name_keeps_its_own_text():
    shown = shown_names(["日本語", "🚀 rocket", "rocket", "Task 1"], "Task")
    assert shown == {"日本語": "Task 1 (2)", "🚀 rocket": "rocket (2)", "rocket": "rocket", "Task 1": "Task 1"}


@pytest.mark.slow
def test_every_stand_in_is_told_at_the_top_of_every_file():
    for name, text in files(hostile()).items():
        assert "% rocket stands for '🚀 rocket'\n" in text, name
    assert "% Task 3 stands for '日本語'\n" in files(strange())["tasks_wide.tex"]


def test_a_comment_is_one_line_whatever_the_name_holds():
    shown = shown_names(["evil\n\\input{x}", "evil\u2028\rtwo"], "Algorithm")
    assert all("\n" not in text and "\r" not in text for text in shown.values())
    for text in files(hostile()).values():
        comments = re.findall(r"^%.*stands for '.*'$", text, flags=re.MULTILINE)
        assert len(comments) == text.count(" stands for ")


def test_names_in_the_order_of_the_alphabet_are_sorted_by_their_numbers():
    assert natural_order(["Algo1", "Algo10", "Algo2"]) == ["Algo1", "Algo2", "Algo10"]
    assert natural_order(["PPO", "Algo10", "Algo2"]) == ["PPO", "Algo10", "Algo2"]
    assert natural_order(["10", "9", "a"]) == ["9", "10", "a"]
