"""What the script draws from is what the page shows."""

from __future__ import annotations

import re
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import runoff as ro
from runoff.page import build
from runoff.page.answers.all import Answers, standing_of
from runoff.page.sheet.build import page_script
from runoff.page.sheet.data import _runs
from runoff.words.names import measure_words
from runoff.words.numbers import digits, p_equals
from tests.report.made import HOSTILE, answers, answers_of, hostile, page_content, scores


@cache
def content_of(design: str = "plain") -> dict:
    return page_content(build(MADE[design]()))


MADE = {"plain": answers, "hostile": hostile, "many runs": lambda: answers_of(scores(n_runs=12))}


def test_names_are_whole_whatever_they_are():
    assert set(content_of("hostile")["names"]) == set(HOSTILE)


@pytest.mark.parametrize("design", ["plain", "many runs"])
def test_runs_are_the_scores_rounded_and_called_by_their_names(design):
    content, data = content_of(design), MADE[design]().scores
    for a, name in enumerate(content["names"]):
        for t, task in enumerate(content["tasks"]):
            shown = np.array(content["runs"][a][t]) / 10 ** content["places"][t]
            assert shown == pytest.approx(data.cell(name, task), abs=0.5000001 / 10 ** content["places"][t])
    assert content["run_names"] == [data.n_runs.max()]
    assert set(content["called"]) == {0}


def test_pairs_are_those_of_the_table_in_its_order_with_the_better_one_first():
    standing = standing_of(answers())
    for shown, pair in zip(content_of()["pairs"], standing.pairs, strict=True):
        assert [content_of()["names"][i] for i in shown[:2]] == [pair.a, pair.b]
        assert shown[2:] == [{"a_better": 1, "no_difference_found": 0}[pair.verdict], pair.sentence]


def test_sentences_for_the_paper_are_those_of_the_results_by_each_measure():
    results, rows = answers(), content_of()["sentences"]
    own = standing_of(results).own
    assert rows[0] == ["", "mean", results.comparison.sentence]
    assert [against for against, *_ in rows[1:]] == [
        pair.b for pair in own for _ in range(1 + len(pair.other_readings))
    ]
    reading = own[0].other_readings[0]
    (text,) = (text for *which, text in rows if which == [own[0].b, measure_words(reading.measure)])
    assert p_equals(reading.pvalue_adjusted) in text
    assert digits(abs(reading.estimate)) in text
    assert ("No difference" in text) == (reading.verdict == "no_difference_found")
    ahead = [(pair, reading) for pair in own for reading in pair.other_readings if reading.verdict == "a_better"]
    for pair, reading in [(pair, reading) for pair, reading in ahead if reading.measure != "improvement"]:
        words = f"By the {measure_words(reading.measure)} {pair.a} scores better than {pair.b}:"
        assert sum(text.startswith(words) for *_, text in rows) == 1
    assert ahead


def test_runs_with_tiny_scores_are_told_apart():
    results = answers_of(
        ro.Scores.from_dict({"A": {"t": [1.1e-9, 1.3e-9, 1.2e-9]}, "B": {"t": [2.1e-9, 2.4e-9, 2.2e-9]}})
    )
    content = page_content(build(results))
    shown = {round(v / 10 ** content["places"][0], 15) for a in range(2) for v in content["runs"][a][0]}
    assert shown == {1.1e-9, 1.3e-9, 1.2e-9, 2.1e-9, 2.4e-9, 2.2e-9}


def test_the_block_cannot_end_its_element():
    page = build(hostile())
    assert len(re.findall("</script>", page)) == 2
    assert "<script>alert(1)</script>" in content_of("hostile")["names"]


def test_the_script_is_small_and_loads_and_evaluates_nothing():
    script = page_script()
    assert len(script.encode()) <= 25_000
    assert not re.search(
        r"\beval\b|new Function|import\(|fetch|XMLHttpRequest|https?://(?!www\.w3\.org/2000/svg)|document\.write",
        script,
    )


def size_of(results: Answers) -> int:
    return len(build(results).encode())


def test_a_page_grows_by_few_bytes_a_run():
    few, many = (answers_of(scores(("A", "B"), n_tasks=2, n_runs=n)) for n in (10, 110))
    assert (size_of(many) - size_of(few)) / 400 < 20


def test_runs_of_cells_of_different_sizes_are_called_by_their_own_names():
    sizes = {
        ("A", "t"): "abcd",
        ("A", "u"): "be",
        ("B", "t"): "cd",
        ("B", "u"): "aef",
        ("C", "t"): "xy",
        ("C", "u"): "wyz",
    }
    rows = [(a, task, run, ord(run) / 7 + ord(a)) for (a, task), runs in sizes.items() for run in runs]
    columns = zip(("algorithm", "task", "run", "score"), map(list, zip(*rows, strict=True)), strict=True)
    content = page_content(build(answers_of(ro.Scores.from_frame(dict(columns), score_unit="shared"))))
    lists = [content["run_names"][at] for at in content["called"]]
    cells = [(name, task) for name in content["names"] for task in content["tasks"]]
    assert dict(zip(cells, map("".join, lists), strict=True)) == sizes


@pytest.mark.parametrize("n_runs", [8, 9, 10, 11])
def test_runs_have_a_decimal_more_than_their_mean_where_they_are_fewer_than_ten(n_runs):
    own, columns = SimpleNamespace(scores=scores(n_runs=n_runs)), [SimpleNamespace(places=2)] * 2
    assert _runs(own, columns, own.scores.algorithms)["places"] == [2 + (n_runs < 10)] * 2
