"""An answer is a sequence of its rows, by place and by name; it draws itself and is JSON."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass

import numpy as np
import pytest

import runoff as ro
from runoff.answer.base import filled
from runoff.plots import PLOTS

RNG = np.random.default_rng(0)
CELLS = {name: {task: RNG.normal(at, 1, 5) for task in "xyz"} for at, name in enumerate("ABC")}
RUNS = ro.Scores.from_dict(CELLS, score_unit="shared")
COMPARED = ro.compare(RUNS)


def test_a_comparison_is_the_sequence_of_its_pairs():
    assert list(COMPARED) == list(COMPARED.pairs)
    assert (len(COMPARED), COMPARED[0], COMPARED[-1]) == (3, COMPARED.pairs[0], COMPARED.pairs[2])
    assert COMPARED[1:] == COMPARED.pairs[1:]


def test_a_pair_is_seen_from_the_side_that_is_named_first():
    assert COMPARED["B", "A"] == COMPARED["A", "B"].turned()
    assert [(pair.a, pair.b) for pair in COMPARED["B"]] == [("B", "A"), ("B", "C")]
    assert COMPARED["B"][0].estimate == -COMPARED["A", "B"].estimate
    for names in (("A", "D"), "D", ("A", "A"), ("A", "B", "C"), (), ["A", "B"]):
        with pytest.raises(KeyError, match=r"there is no|was not compared|no row is of"):
            COMPARED[names]


def test_one_pair_has_the_p_value_of_the_answer_and_several_have_none():
    two = ro.compare(RUNS.select(algorithms=["A", "C"]))
    assert two.pvalue == two.pairs[0].pvalue
    with pytest.raises(AttributeError, match="3 pairs, each with a p-value"):
        COMPARED.pvalue  # noqa: B018


def test_rows_are_named_in_any_order_and_what_tells_nothing_is_left_out():
    means = ro.aggregate(RUNS, by="task")
    assert means["A", "x"] is means["x", "A"] is means["A", "mean", "x"]
    assert means["A"] == tuple(row for row in means if row.algorithm == "A")
    assert len(means["x"]) == 3
    assert ro.aggregate(RUNS, measure=["mean"])["B"].algorithm == "B"


def test_the_sides_of_a_row_that_does_not_turn_keep_their_order():
    sizes = ro.effect_sizes(RUNS, effect_size=["hedges_g"])
    assert sizes["A", "B"].estimate == sizes["A", "B", "hedges_g"].estimate
    with pytest.raises(KeyError, match="no row is of 'B', 'A'"):
        sizes["B", "A"]


@pytest.mark.parametrize(
    ("names", "words"), [("meam", "Did you mean 'mean'"), (("A", ["x"]), "no row is of"), ((), "no row is of")]
)
def test_a_name_that_is_not_there_is_answered_with_those_that_are(names, words):
    with pytest.raises(KeyError, match=words):
        ro.aggregate(RUNS, by="task")[names]


def test_an_answer_about_algorithms_says_of_two_what_it_knows_of_them():
    profile = ro.performance_profile(RUNS)
    assert profile["A", "B"] is profile["B", "A"] is profile.orders[0]
    assert {row.algorithm for row in profile["A"]} == {"A"}


def test_json_has_the_rows_as_records_and_the_other_fields_by_their_names():
    content = json.loads(COMPARED.to_json())
    assert content["records"] == json.loads(json.dumps(COMPARED.to_records()))
    assert (content["measure"], content["alpha"]) == ("mean", 0.05)
    assert "pairs" not in content
    assert json.loads(ro.power(effect=1.0, std=1.0, n_runs=5).to_json())["power"] > 0.2


def test_an_answer_is_drawn_by_the_first_figure_of_its_kind_or_by_the_one_that_is_named():
    first = next(name for name, plot in PLOTS.items() if plot.of == "ComparisonResult")
    for figure in (None, "pairs"):
        file = io.BytesIO()
        COMPARED.plot(figure).savefig(file, format="svg")
        assert b"<svg" in file.getvalue()
    assert first == "measures"
    with pytest.raises(ro.OptionError, match=r"figure must be one of measures, improvement.* Did you mean 'pairs'"):
        COMPARED.plot("forest")
    with pytest.raises(
        ro.OptionError,
        match=r"ro\.performance_profile\(data\)\.plot\('profiles'\)\.savefig\('profiles\.pdf'\) draws it",
    ):
        COMPARED.plot("profile")
    with pytest.raises(
        ro.OptionError, match=r"but of other answers: ro\.aggregate\(data\)\.plot\('aggregates'\)\.savefig"
    ):
        COMPARED.plot("aggregates")
    with pytest.raises(ro.OptionError, match="there is no figure of a VarianceResult"):
        ro.variance(ro.Scores.from_dict({"A": RNG.normal(size=(4, 3))}, runs="shared")).plot()


def test_an_algorithm_that_is_called_as_a_task_or_a_measure_has_its_own_rows():
    means = ro.aggregate(
        {name: {task: RNG.normal(size=3) for task in ("mean", "x")} for name in ("mean", "x")}, by="task"
    )
    assert [(row.algorithm, row.task) for row in means["mean"]] == [("mean", "mean"), ("mean", "x")]
    assert (means["mean", "x"].algorithm, means["mean", "x"].task) == ("mean", "x")
    assert means[np.int64(1)] is means[1]


def test_a_row_says_what_it_calls_what_others_call_so():
    for name, words in (
        ("p_value", "ask for pvalue"),
        ("ci", "ask for confidence_interval"),
        ("call", "ask for verdict"),
    ):
        with pytest.raises(AttributeError, match=f"'Pair' object has no attribute '{name}'; {words}"):
            getattr(COMPARED[0], name)
    with pytest.raises(AttributeError, match=r"has no attribute 'qqq'$"):
        COMPARED[0].qqq  # noqa: B018


@dataclass(frozen=True)
class OfThree:
    a: int
    b: int = 0
    c: int = 0


@dataclass(frozen=True)
class OfTwo:
    b: int
    c: int


def test_a_record_takes_its_own_fields_then_those_of_the_last_source_that_has_them():
    first, last = OfThree(1, 1, 1), OfTwo(2, 2)
    assert filled(OfThree, first, last, c=3) == OfThree(1, 2, 3)
    assert filled(OfThree, last, first, c=3) == OfThree(1, 1, 3)
