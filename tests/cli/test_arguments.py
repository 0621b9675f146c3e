"""Options that are arguments of the library's functions have their types, defaults and values."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from importlib import import_module
from typing import get_args

import pytest

from runoff.cli.app import command
from runoff.cli.arguments import arguments_of
from runoff.methods.sequential import SequentialDesign
from runoff.words.names import BlockedTestName, SpendingName

FUNCTIONS = [
    "lab.own_runs.both.check",
    "methods.aggregate.aggregate",
    "methods.claims.claims",
    "methods.compare.compare",
    "methods.ranking.rank",
    "methods.plan.plan",
    "methods.power.runs_needed",
    "methods.tuning.tuning",
    "page.answers.curves.answer_curves",
    "page.files.write.report",
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_signature_that_is_read_from_its_text_is_that_of_the_function(function):
    module, _, name = function.rpartition(".")
    parts = inspect.signature(getattr(import_module(f"runoff.{module}"), name)).parameters.values()
    own = {part.name: part.default for part in parts if part.kind is part.KEYWORD_ONLY}
    assert {name: argument.default for name, argument in arguments_of(function).items()} == own


def test_the_type_of_an_option_is_that_of_the_argument():
    kinds = {name: argument.kind for name, argument in arguments_of("lab.own_runs.both.check").items()}
    assert [kinds[name] for name in ("test", "n_runs", "alpha", "n_repeats", "rng")] == [
        list[str],
        list[int],
        float,
        int,
        int,
    ]
    assert arguments_of("methods.claims.claims")["accept_wide"].kind is bool
    # Weights are a word or numbers of several strata, which the verb takes from one text.
    assert arguments_of("methods.compare.compare")["weights"].kind is str


def test_the_help_has_the_values_of_the_type_and_the_default_of_each_function():
    about = {
        verb: {option.name: option.help for option in command().commands[verb].params} for verb in ("rank", "compare")
    }
    assert ", ".join(get_args(BlockedTestName)) in about["rank"]["test"]
    assert [about[verb]["test"].rpartition("(default ")[2] for verb in about] == ["mack_skillings).", "auto)."]


def test_the_fields_of_a_data_class_are_arguments_with_their_defaults():
    design = arguments_of("_inference.sequential.design.SequentialDesign")
    own = {part.name: part.default for part in fields(SequentialDesign) if part.default is not MISSING}
    assert {name: argument.default for name, argument in design.items()} == own
    assert design["spending"].values == get_args(SpendingName)
