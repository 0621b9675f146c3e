"""What a test looks like: short, with a sentence for a name, and able to fail."""

from __future__ import annotations

import ast
from functools import cache

import numpy as np
import pytest

from tests.contracts.syntax import calls_of, functions_of, lines_of
from tests.places import ROOT

LONGEST = 20
"""Lines of a test's body, its docstring aside."""
FEWEST_WORDS = 3
FAILS = ("raises", "warns", "fail")
"""What makes a test fail in pytest, beside an assertion."""


@cache
def all_tests() -> dict[str, ast.FunctionDef]:
    """Return the functions of all tests by their names."""
    return {
        f"{path.relative_to(ROOT)}::{function.name}": function
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for function in functions_of(path)
        if function.name.startswith("test_")
    }


def can_fail(function: ast.FunctionDef) -> bool:
    """Return whether the test asserts, expects a refusal, or calls a helper whose name says that it asserts."""
    asserts = any(isinstance(node, ast.Assert) for node in ast.walk(function))
    return asserts or any(name in FAILS or name.startswith("assert_") for name, _ in calls_of(function))


def test_no_test_is_long():
    assert [name for name, test in all_tests().items() if lines_of(test) > LONGEST] == []


def test_the_name_of_every_test_is_a_sentence():
    assert [name for name, test in all_tests().items() if len(test.name.split("_")) <= FEWEST_WORDS] == []


def test_every_test_can_fail():
    assert [name for name, test in all_tests().items() if not can_fail(test)] == []


HELD = np.random.default_rng(5)


@pytest.mark.parametrize("times_before", [0, 1])
def test_a_generator_of_a_module_draws_the_same_numbers_whichever_tests_ran_before(times_before):
    assert HELD.random() == np.random.default_rng(5).random(), times_before
