"""What the results of a study say in one line."""

from __future__ import annotations

import pytest

from runoff.answer.study import PrintedComparison, PrintedRate, StatementRow, Statements


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ((), "0 statement(s) of the source, none checked."),
        (("confirmed",), "1 statement(s) of the source, 1 confirmed."),
        (("confirmed", "undecided", "confirmed"), "3 statement(s) of the source, 2 confirmed, 1 undecided."),
    ],
)
def test_statements_are_counted_by_their_verdicts(verdicts, words):
    records = tuple(StatementRow(statement="s", where="§1", verdict=verdict, evidence="") for verdict in verdicts)
    assert Statements(name="colas", rows=records).sentence == f"colas: {words}"


def test_the_furthest_printed_cell_may_lie_below_ours():
    cell = {"what": "t", "world": "w", "effect": 0.5, "printed": 0.1, "rate": 0.1, "difference": 0.0, "error": 0.01}
    rows = [
        PrintedRate(**cell, contender=name, n_runs=n, distance=d)
        for name, n, d in (("welch", 5, 2.0), ("ranks", 9, -6.0))
    ]
    assert "the furthest, ranks at 9 runs" in PrintedComparison(name="t", rows=tuple(rows)).sentence
