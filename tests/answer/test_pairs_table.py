"""The table of pairs has what the pairs have: each cell against the field that it shows."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import runoff as ro
from runoff.answer.comparison import pairs_table
from runoff.cells import Chance, Estimate, PValue, Share
from runoff.errors import DesignError, RunoffWarning
from tests.amount import examples
from tests.exits.methods import design

WAYS = ({}, {"margin": 0.25}, {"measure": "improvement"}, {"test": "mack_skillings"}, {"correction": "none"})


def rows_of(comparison):
    """Return each pair of the standing with its cells by key."""
    table = pairs_table(comparison)
    cells = zip(*(column.cells for column in table.columns), strict=True)
    keys = [column.key for column in table.columns]
    return [
        (pair, dict(zip(keys, row, strict=True))) for pair, row in zip(comparison.standing.pairs, cells, strict=True)
    ]


KINDS = {"a_better": "higher", "b_better": "lower", "equivalent": "equivalent", "no_verdict": "not_tested"}


def cells_of(pair, *, by_chance, some):
    """Return what a row has to hold: each cell from the fields of its pair."""
    ends = pair.spoken
    own = (None, None) if pair.unjudged else (pair.improvement_low, pair.improvement_high)
    p = PValue(None) if pair.unjudged else PValue(pair.pvalue_adjusted, pair.pvalue)
    return {
        **({} if by_chance else {"difference": Estimate(pair.estimate, *ends)}),
        "chance": Chance(pair.improvement, *(ends if by_chance else own)),
        "tally": f"{pair.wins}/{pair.ties}/{pair.losses}",
        **({"p_adjusted": p} if some else {}),
    }


@pytest.mark.usefixtures("few_relabellings")
@pytest.mark.parametrize("seed", range(examples(100, 10)))
def test_each_cell_is_the_field_that_it_shows(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunoffWarning)
        try:
            comparison = ro.compare(design(seed), n_resamples=200, **WAYS[seed % len(WAYS)])
        except DesignError:  # as Mack-Skillings of tasks that not all have
            return
    by_chance, some = comparison.measure == "improvement", any(not pair.unjudged for pair in comparison.pairs)
    for pair, row in rows_of(comparison):
        assert (row["a"].text, row["b"].text) == (pair.a, pair.b)
        assert row["verdict"].kind == KINDS.get(pair.verdict, "not_found")
        expected = cells_of(pair, by_chance=by_chance, some=some)
        assert {key: row[key] for key in row.keys() & {*expected, "difference", "p_adjusted"}} == expected


def test_no_interval_denies_the_verdict_beside_it():
    pair = ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [1.5, 2.5, 3.5, 5.0]}).pairs[0]
    comparison = replace(ro.compare({"A": [1.0, 2.0, 3.0, 4.0], "B": [1.5, 2.5, 3.5, 5.0]}), pairs=(pair,))
    denying = replace(pair, own_low=-0.9, own_high=-0.1, low=None, high=None)
    ((_, row),) = rows_of(replace(comparison, pairs=(denying,)))
    assert (row["difference"].low, row["verdict"].kind) == (None, "not_found")
    ((_, row),) = rows_of(replace(comparison, pairs=(replace(denying, verdict="equivalent"),)))
    assert (row["difference"].low, row["verdict"].kind) == (
        None,
        "equivalent",
    )  # as its sentence: no difference was found


def test_a_table_with_a_margin_names_it_and_the_p_values_of_equivalence():
    data = {name: [[at, at + 0.1, at + 0.2, at + 0.3]] * 3 for name, at in (("A", 0.0), ("B", 0.01), ("C", 9.0))}
    runs = {name: np.array(tasks).T + np.arange(3) for name, tasks in data.items()}
    near, none = (ro.compare(runs, measure="mean", margin=margin) for margin in (2.5, 0.001))
    ((_, first), *_, (_, last)) = rows_of(near)
    (alike,) = (pair for pair in near.pairs if pair.verdict == "equivalent")
    assert PValue(alike.pvalue_equivalence_adjusted, alike.pvalue_equivalence) == last["p_equivalence"]
    assert first["p_equivalence"].adjusted > 0.9
    assert "smaller than the margin of 2.5: those whose p of equivalence is at most" in near.tables()[0].caption
    assert "margin of 0.001: no pair was found equivalent" in none.tables()[0].caption
    pair = none[rows_of(none)[0][1]["a"].text, rows_of(none)[0][1]["b"].text]
    assert rows_of(none)[0][1]["p_equivalence"] == PValue(pair.pvalue_equivalence_adjusted, pair.pvalue_equivalence)
    assert "p_equivalence" not in rows_of(ro.compare(runs, measure="mean"))[0][1]


def test_head_detectable_and_runs_needed():
    comparison = ro.compare({name: [at, at + 1.0, at + 3] for name, at in (("A", 0.0), ("B", 0.4), ("C", 0.9))})
    table = {column.key: column for column in pairs_table(comparison).columns}
    assert table["p_adjusted"].head == "Adjusted p"
    assert table["verdict"].narrowest == "screen"
    (two,) = (ro.compare({"A": [0.0, 1.0, 3.0], "B": [0.4, 1.4, 3.4]}),)
    assert {column.key: column.head for column in pairs_table(two).columns}["p_adjusted"] == "p"
    pair = two.pairs[0]
    chance = replace(pair, measure="improvement", detectable_difference=0.2)
    open_pair, none = replace(pair, needed_runs=8), replace(pair, outlook="ruled_out", needed_runs=None)
    expectations = ((chance, "detectable", Share(0.7, 3)), (open_pair, "needed", "8"), (none, "needed", "ruled out"))
    for changed, key, expected in expectations:
        ((_, row),) = rows_of(replace(two, pairs=(changed,), measure=changed.measure))
        assert row[key] == expected
    alike = pairs_table(replace(two, pairs=(replace(pair, verdict="equivalent"),)))
    assert {column.key: column.narrowest for column in alike.columns}["verdict"] == "paper"
