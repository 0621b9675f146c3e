"""sequential.json: boundaries of group sequential designs, the errors that they spend, and their power, of rpact."""

from __future__ import annotations

from tests.golden.tools import Golden, inputs, run_r


def make() -> Golden:
    """Return sequential.json."""
    cases = inputs("sequential")
    software, answers = run_r("sequential.R", cases)
    return Golden(software, [case | answer for case, answer in zip(cases, answers, strict=True)])
