"""Exits stand above answers: a method loads none, and an answer finds them wherever it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

CALLS = {
    "print": "str(result)",
    "latex": "result.to_latex()",
    "markdown": "result.to_markdown()",
    "notebook": "result._repr_html_()",
}
ANSWER = "result = compare({'A': [1.0, 2.0, 3.0, 4.0], 'B': [6.0, 7.0, 8.0, 9.0]}); import sys, pickle;"


def python(code: str, given: bytes = b"") -> bytes:
    """Return what code prints in an interpreter of its own."""
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], input=given, capture_output=True, check=True, timeout=120
    )
    return answer.stdout


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_answer_loads_its_exit_when_it_is_asked(call: str) -> None:
    # By the module of the method alone, as pickle and workers import it.
    code = (
        f"from runoff.methods.compare import compare; {ANSWER} "
        "print([name for name in sys.modules if name.startswith('runoff.exits')]); "
        f"text = {call}; result = pickle.loads(pickle.dumps(result)); print(text == {call} and 'B' in text)"
    )
    assert python(code).split() == [b"[]", b"True"]


def test_an_answer_that_another_process_reads_has_its_exits() -> None:
    pickled = python(f"import runoff; compare = runoff.compare; {ANSWER} sys.stdout.buffer.write(pickle.dumps(result))")
    latex = python("import pickle, sys; print(pickle.load(sys.stdin.buffer).to_latex())", pickled)
    assert b"\\toprule" in latex
