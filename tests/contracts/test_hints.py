"""Names that people know from elsewhere are answered with what does it here, and every call that a hint names works."""

from __future__ import annotations

import pickle
import warnings
from inspect import signature

import pytest

import runoff as ro
from runoff.cli.app import command
from runoff.words.hints import ARGUMENTS, FIGURES, argument_hint, hints

RUNS = {"A": [1.0, 2.0, 3.0, 4.0], "B": [3.0, 5.0, 6.0, 9.0]}


@pytest.mark.parametrize("name", hints())
def test_a_hint_names_a_call_that_works(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.csv").write_text("algorithm,score\nA,1\nA,2\nB,4\n")
    with pytest.raises(AttributeError) as caught:
        getattr(ro, name)
    call = hints()[name]
    assert call in str(caught.value)
    given = {"x": RUNS["A"], "y": RUNS["B"], "runs": RUNS}
    assert eval(call, {"ro": ro, **given}) is not None  # noqa: S307  # data of this package


def test_a_misspelt_name_has_the_nearest_and_an_unknown_one_has_none():
    with pytest.raises(AttributeError, match="Did you mean 'compare'"):
        ro.comparee  # noqa: B018
    for name in ("qqq", "_compare"):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}'$"):
            getattr(ro, name)


@pytest.mark.parametrize(
    ("call", "options", "words"),
    [
        (ro.compare, {"seed": 1}, "compare() got an unexpected keyword argument 'seed'; it is called rng= here."),
        (ro.compare, {"baseline": "A"}, "it is called control= here."),
        (ro.aggregate, {"confidence": 0.9}, "it is called confidence_level= here."),
        (ro.compare, {"normalize": "atari"}, "normalise the data: ro.load(…).normalize"),
        (ro.compare, {"confidence": 0.9}, "; alpha=0.1 gives 90\xa0% intervals."),
        (ro.equivalence, {"ci": 99, "margin": 1.0}, "; alpha=0.01 gives 99\xa0% intervals."),
        (ro.rank, {"confidence_level": "high"}, "; alpha=0.1 gives 90\xa0% intervals."),
        (ro.compare, {"alphaa": 0.1}, "Did you mean alpha=?"),
    ],
)
def test_an_argument_of_another_name_is_answered_with_what_it_is_called(call, options, words):
    with pytest.raises(TypeError) as refusal:
        call(RUNS, **options)
    assert words in str(refusal.value)


def test_other_type_errors_stay_as_they_are():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'data'"):
        ro.compare()
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'qqq'$"):
        ro.compare(RUNS, qqq=1)


def test_every_argument_that_a_hint_names_is_one_of_a_public_function_or_an_option():
    functions = [value for name in dir(ro) if type(value := getattr(ro, name)).__name__ == "function"]
    there = {name for function in functions for name in signature(function).parameters}
    lines = [line.split(": ") for line in ARGUMENTS.strip().splitlines()]
    options = {p.name for verb in command().commands.values() for p in verb.params}
    assert {role for role, _ in lines} <= there | options
    # Nothing is called by a name that the function has itself.
    for function in functions:
        own = list(signature(function).parameters)
        assert all(
            argument_hint(name, own)
            for role, names in lines
            if role in own
            for name in names.split()
            if name not in own
        )


def test_a_call_is_found_again_by_pickle_and_keeps_its_signature():
    assert pickle.loads(pickle.dumps(ro.compare)) is ro.compare  # noqa: S301
    assert list(signature(ro.compare).parameters)[:2] == ["data", "y"]


def test_warnings_name_the_line_of_the_caller_however_deep_they_are():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ro.aggregate({"A": [1.0], "B": [2.0]})
        ro.load(
            {"algorithm": ["A"] * 6, "step": [1, 2, 3] * 2, "run": [0, 0, 0, 1, 1, 1], "score": [1.0, 2, 3, 1, 2, 4]}
        )
        ro.compare(
            {
                "algorithm": ["A"] * 5 + ["B"] * 6,
                "step": [1, 20, 1, 20, 15, *[1, 20] * 3],
                "run": [0, 0, 1, 1, 2, *"001122"],
                "score": range(11),
            }
        )
    assert {warning.filename for warning in caught} == {__file__}
    assert len(caught) >= 2


@pytest.mark.parametrize(
    ("thing", "name", "words"),
    [
        ("answer", "to_dataframe", "ask for to_frame()."),
        ("answer", "summary", "ask for to_markdown(), or print it."),
        ("answer", "pair", 'ask for result["A", "B"].'),
        ("answer", "p_value", "ask for pvalue."),
        ("answer", "leade", "Did you mean 'leader'?"),
        ("data", "drop", "ask for select(algorithms=, tasks=)."),
        ("data", "tsks", "Did you mean 'tasks'?"),
    ],
)
def test_what_an_answer_or_data_do_not_have_is_answered_with_what_does_it(thing, name, words):
    given = {"answer": ro.compare(RUNS), "data": ro.load(RUNS)}[thing]
    with pytest.raises(AttributeError) as refusal:
        getattr(given, name)
    assert str(refusal.value).endswith(words)


def test_nothing_else_is_said_where_nothing_is_known():
    for given, name in (
        (ro.compare(RUNS), "drop"),
        (ro.load(RUNS), "qqq"),
        (ro.plots, "qqq"),
    ):
        with pytest.raises(AttributeError, match=f"'{name}'$"):
            getattr(given, name)
    assert not hasattr(ro.load(RUNS), "_qqq")


@pytest.mark.parametrize("line", FIGURES.strip().splitlines())
def test_a_figure_of_another_name_is_answered_with_its_name_here(line):
    names, figure = line.split(": ")
    assert figure in ro.plots.PLOTS
    for name in names.split():
        with pytest.raises(AttributeError, match=f"Did you mean '{figure}'"):
            getattr(ro.plots, name)


def test_where_a_call_decides_alpha_is_its_one_level():
    functions = {name: signature(getattr(ro, name)).parameters for name in dir(ro) if callable(getattr(ro, name))}
    both = {name for name, own in functions.items() if {"alpha", "confidence_level"} <= set(own)}
    assert both == {"check", "inferential_intervals"}  # their intervals are not those of what is decided
