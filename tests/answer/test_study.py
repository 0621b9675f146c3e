"""What the results of a study say in one line."""

from __future__ import annotations

import pytest

from runoff.answer.study import StatementRow, Statements


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
