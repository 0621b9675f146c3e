"""What is refused of numbers, and where it is said to stand."""

from __future__ import annotations

import numpy as np
import pytest

from runoff.base.validate import check_choice, check_finite
from runoff.errors import DataError, OptionError
from runoff.words.speech import in_python, in_shell, neutral


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0, 2.0, np.inf], r"1 value\(s\) .* the first being inf at index 2;"),
        ([[1.0, 2.0], [np.nan, np.nan]], r"2 value\(s\) .* the first being nan at index \(1, 0\);"),
    ],
)
def test_a_number_that_is_not_finite_is_refused_with_its_place(values, words):
    with pytest.raises(DataError, match=words):
        check_finite("scores", np.array(values))


@pytest.mark.parametrize(
    ("name", "python", "shell"),
    [
        ("test", "test", "--test"),
        ("effect_unit", "effect_unit", "--effect-unit"),
        ("method of welch", "method of welch", "method of welch"),
    ],
)
def test_a_choice_names_the_option_as_python_and_as_the_command_line_call_it(name, python, shell):
    with pytest.raises(OptionError) as refusal:
        check_choice(name, "x", ["a", "b"])
    words = {voice(neutral(refusal.value)).partition(" must be")[0] for voice in (in_python, in_shell)}
    assert words == {python, shell}
