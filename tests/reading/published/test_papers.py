"""Tables in the ways of papers give the answers that follow from the numbers which a reader copies from them, or are refused."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import runoff as ro
from runoff.errors import RunoffError
from tests.reference import summaries as twin

TABLES = tomllib.loads(Path(__file__).with_name("papers.toml").read_text(encoding="utf-8"))["table"]
READ, REFUSED = ([table for table in TABLES if ("cells" in table) is is_read] for is_read in (True, False))


def claims_of(table):
    options = {"n_runs": 5, **table.get("options", {})}
    if options["n_runs"] == 0 or "(n=" in table["text"]:
        del options["n_runs"]
    return ro.claims(table["text"], **options)


def copied(table):
    """Return {(algorithm, task): (mean, ±, n)} and the bold keys, as typed."""
    cells, bold = {}, set()
    for line in table["cells"].strip().splitlines():
        algorithm, task, mean, spread, *more = (part.strip() for part in line.split("|"))
        bold |= {(algorithm, task)} if "*" in more else set()
        cells[algorithm, task] = (float(mean), float(spread), next((int(n) for n in more if n.isdigit()), 5))
    return cells, bold


def family_of(table, cells):
    """Return the comparisons of a table: {(a, b, task)} -> both cells on each of its tasks; None is all tasks."""
    algorithms, tasks = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
    family = {}
    for a, b in combinations(algorithms, 2):
        shared = [task for task in tasks if (a, task) in cells and (b, task) in cells]
        family |= {(a, b, task): [(cells[a, task], cells[b, task])] for task in shared}
        if 1 < len(shared) == len(tasks) and table.get("average", True):
            family[a, b, None] = [(cells[a, task], cells[b, task]) for task in shared]
    return family


def adjusted(family, kind):
    """Return Holm's p-value of each comparison by SciPy's test, in either direction."""
    raw = [twin.welch(*pairs[0], kind) if key[2] else twin.welch_over(pairs, kind) for key, pairs in family.items()]
    return {frozenset(map(str, key)): p for key, p in zip(family, twin.holm(raw), strict=True)}


def winners(table, cells, bold):
    """Return the claims on single tasks: of what is bold or best against the rest."""
    for task in dict.fromkeys(key[1] for key in cells):
        sign = -1 if task in table.get("lower", ()) else 1
        own = {a: sign * mean for (a, on), (mean, *_) in cells.items() if on == task}
        first = [a for a in own if (a, task) in bold] if bold else [max(own, key=own.__getitem__)]
        yield from ((a, b, task) for a in first for b in own if b not in first)


def answer_of(pvalues):
    answers = {p <= 0.05 for p in pvalues}
    return "depends_on_spread" if len(answers) == 2 else "yes" if answers == {True} else "no"


def test_there_are_sixty_tables_and_no_two_have_one_name():
    assert len(READ) >= 45
    assert len(REFUSED) >= 15
    assert len({table["name"] for table in TABLES}) == len(TABLES) >= 60


@pytest.mark.parametrize("table", READ, ids=lambda table: table["name"])
def test_a_table_is_read_as_a_reader_copies_it(table):
    read = claims_of(table).table
    cells, bold = copied(table)
    assert {(c.algorithm, c.task): (c.mean, c.spread, c.n) for c in read.cells} == {
        key: pytest.approx(numbers) for key, numbers in cells.items()
    }
    assert {(c.algorithm, c.task) for c in read.cells if c.bold} == bold
    assert read.lower == tuple(table.get("lower", ()))


@pytest.mark.parametrize("table", READ, ids=lambda table: table["name"])
def test_the_claims_of_a_table_are_answered_as_scipy_and_holm_answer_them(table):
    result, (cells, bold) = claims_of(table), copied(table)
    kinds = table.get("kinds", ["sd", "se"])
    family = family_of(table, cells)
    expected = {kind: adjusted(family, kind) for kind in kinds}
    assert (result.spreads, result.n_compared) == (tuple(kinds), len(family))
    assert [(c.a, c.b, c.task) for c in result.claims if c.task] == list(winners(table, cells, bold))
    for claim in result.claims:
        pvalues = [expected[kind][frozenset(map(str, (claim.a, claim.b, claim.task)))] for kind in kinds]
        assert [reading.pvalue_adjusted for reading in claim.readings] == pytest.approx(pvalues, rel=1e-9)
        assert claim.verdict == answer_of(pvalues)


@pytest.mark.parametrize("table", READ, ids=lambda table: table["name"])
def test_what_was_decided_about_a_table_is_said(table):
    result = claims_of(table)
    notes = [*result.table.notes, *result.notes]
    for sentence in table.get("notes", ()):
        assert any(sentence in note for note in notes), notes


@pytest.mark.parametrize("table", REFUSED, ids=lambda table: table["name"])
def test_a_table_that_cannot_be_read_in_one_way_is_refused_in_one_sentence(table):
    with pytest.raises(RunoffError) as refusal:
        claims_of(table)
    assert table["refused"] in str(refusal.value)
    assert "\n" not in str(refusal.value)
