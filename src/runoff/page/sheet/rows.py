"""The page's grids, as texts: `matrix` has a cell for each pair, `survived` what the order of each pair survives; and `ranks`, the appendix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff._inference.pairs import IMPROVEMENT
from runoff.answer.pair import Pair
from runoff.answer.rank import says_best
from runoff.answer.robustness import RobustnessRow, ahead_first
from runoff.answer.standing import Standing
from runoff.page.answers.all import Answers
from runoff.page.sheet.tables import view_of
from runoff.page.tables import ranks_table
from runoff.words.measures import EVEN
from runoff.words.names import measure_words
from runoff.words.numbers import chance_parts

PageRow = dict[str, Any]
MANY_PAIRS = 120
"""More pairs than this have no sentences on the page, and no grid of what their order survives: the files have them."""
MATRIX_KEY = {
    "r odd": "row found so, yet it does not win more often",
    "c odd": "column found so, yet it does not win more often",
    "e": "equivalent",
    "u": "no difference found",
}
HEADS = {
    "measure": "Other measures",
    "reference": "Other references",
    "last": "Other windows",
    "task": "Without one task",
    "run": "Without one {}",
}


def matrix(standing: Standing) -> PageRow | None:
    """Return the cells of all comparisons, a row for each algorithm but the last; None for two, which are one sentence.

    A cell has its pair's place in the table, how often a run of the row beats one of the column in 100, and a class: "r" the row was found
    ahead, "c" the column, "e" equivalent, "u" nothing found, or no verdict given; "odd" where wins and the measure disagree; None where there is
    no pair.
    """
    # Published algorithms that may not be tested have no cell, and would be empty rows.
    tested = {name for pair in standing.pairs for name in (pair.a, pair.b)}
    names = [name for name in standing.order if name in tested]
    # Two algorithms are one cell, which is the first sentence of the page.
    if len(names) < 3:
        return None
    at = {(pair.a, pair.b): (place, pair) for place, pair in enumerate(standing.pairs)}
    rows: list[PageRow] = []
    # Only above the diagonal: the other half would be the same numbers taken from 100.
    for row, name in enumerate(names[:-1]):
        cells = [_matrix_cell(at, name, other) for other in names[row + 1 :]]
        rows.append({"name": name, "empty": row, "cells": cells})
    drawn = {cell["kind"] for row in rows for cell in row["cells"] if cell}
    measure = standing.pairs[0].measure
    words = "ahead" if measure == IMPROVEMENT else f"better by the {measure_words(measure)}"
    # The order of the key; kinds that no cell has are left out of it.
    means = {"r": f"row found {words}", "c": f"column found {words}", **MATRIX_KEY}
    if any(pair.unjudged for pair in standing.pairs):
        means["u"] += ", or no verdict"
    key = [(kind, means[kind]) for kind in means if kind in drawn]
    return {"heads": names[1:], "rows": rows, "untested": len(standing.order) - len(names), "key": key}


def _matrix_cell(at: dict[tuple[str, str], tuple[int, Pair]], row: str, column: str) -> PageRow | None:
    place, pair = at.get((row, column)) or at.get((column, row)) or (-1, None)
    if pair is None:
        return None
    pair = pair if pair.a == row else pair.turned()
    kind = {"a_better": "r", "b_better": "c", "equivalent": "e"}.get(pair.verdict, "u")
    # By the IQM one can be better and yet win fewer than half of the times: the colour says the verdict, the
    # number the wins, and "odd" that they differ.
    against = (pair.improvement < EVEN and kind == "r") or (pair.improvement > EVEN and kind == "c")
    return {
        "place": place,
        "wins": chance_parts(pair.improvement, None, None)[0].split()[0],
        "kind": f"{kind} odd" if against else kind,
    }


def survived(answers: Answers, order: Sequence[str]) -> PageRow | None:
    """Return the grid of variations: its heads, and for each pair the one ahead, the one behind and what keeps that; None without any."""
    robustness = answers.robustness
    if robustness is None or not robustness.kinds:
        return None
    place = {name: at for at, name in enumerate(order)}
    by_pair: dict[tuple[str, str], list[RobustnessRow]] = {}
    for record in robustness.rows:
        if record.kind in robustness.kinds:
            by_pair.setdefault(ahead_first(record), []).append(record)
    rows = [
        (
            *pair,
            [
                # Of two that are level nobody is ahead, and there is no order to keep.
                {
                    "words": "–" if not r.n_variations else f"{r.kept} of {r.n_variations}" if r.ahead else LEVEL,
                    "all": r.kept == r.n_variations,
                }
                for r in records
            ],
        )
        for pair, records in sorted(by_pair.items(), key=lambda item: tuple(place[name] for name in item[0]))
    ]
    kept = [
        all(cell["all"] for cell in cells) for _, _, cells in rows if not any(cell["words"] == LEVEL for cell in cells)
    ]
    n, of = sum(kept), len(kept)
    orders = (
        f"{n} of {of} order{'' if of == 1 else 's'} {'holds' if 1 in (n, of) else 'hold'} under every variation tried"
        if kept
        else "nobody is ahead"
    )
    return {
        "heads": [HEADS[kind].format(answers.scores.sampling.unit) for kind in robustness.kinds],
        "rows": rows if len(rows) <= MANY_PAIRS else [],
        "sentence": robustness.sentence,
        "result": orders,
    }


LEVEL = "level"


def ranks(answers: Answers) -> dict[str, Any]:
    """Return what the section on ranks says: sentences, and the table."""
    table = ranks_table(answers)
    words = [*answers.ranking.sentences, *answers.ranking.left_out]
    places = answers.ranking.places
    best = places is not None and says_best(places)
    return {"words": words, "table": view_of(table) if table else None, "best": best}
