"""What is computed once of an answer, and its rows by their names."""

import pickle
from dataclasses import dataclass, replace

import pytest

import runoff as ro
from runoff.base.lasting import Lasting, once

COMPARISON = ro.compare({"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0], "C": [1.0, 4.0, 4.0]})


@dataclass(frozen=True, slots=True)
class Thing(Lasting):
    calls: list[str]


@once
def spoken(thing: Thing) -> str:
    thing.calls.append("called")
    return "words"


def test_a_thing_is_computed_once_and_a_copy_computes_anew():
    thing = Thing([])
    assert [spoken(thing), spoken(thing), len(thing.calls)] == ["words", "words", 1]
    spoken(replace(thing))
    assert len(thing.calls) == 2


def test_an_answer_that_keeps_something_is_equal_to_its_copy_that_does_not():
    assert COMPARISON.standing is COMPARISON.standing
    copy = pickle.loads(pickle.dumps(COMPARISON))  # noqa: S301  # made here
    assert copy == COMPARISON
    assert copy.standing == COMPARISON.standing


@pytest.mark.parametrize("name", ["D", None, ["A"]])
def test_a_row_that_is_not_there_is_refused_by_name(name):
    result = ro.aggregate({"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0]}, measure=["mean"], n_resamples=100)
    assert result["A", "mean"].algorithm == "A"
    with pytest.raises(KeyError):
        result[name, "mean"]
