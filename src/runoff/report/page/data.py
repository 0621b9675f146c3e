"""What the script of the page draws from: an inert block of JSON, with numbers rounded as they are shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import floor, log10
from typing import Any

import numpy as np
from markupsafe import Markup

from runoff.data.scores import Scores
from runoff.report.answers.all import Answers
from runoff.report.page.rows import MANY_PAIRS
from runoff.report.page.tasks import Column, runs_are_drawn
from runoff.report.words.more_runs import more_runs, slider_words
from runoff.report.words.paper import paper_sentences
from runoff.results.pair import Pair
from runoff.results.standing import Standing
from runoff.words.numbers import MOST

VERDICTS = {"a_better": 1, "b_better": 2, "equivalent": 3, "no_difference_found": 0}
MOST_PLACES = 300
"""The most decimals that are shown: 10 to this power is still a finite number."""
FEW = 10
"""The runs of smaller cells have one decimal more than their mean; of larger ones the mean is known well enough to say how runs differ."""


def block(answers: Answers, standing: Standing, columns: Sequence[Column]) -> Markup:
    """Return the JSON as it stands in an element `script`: without characters that could end it."""
    plan = more_runs(answers, standing)
    content = {
        "names": list(standing.order),
        "tasks": list(answers.scores.tasks),
        "leader": standing.order.index(standing.leader),
        "pairs": [_pair(pair, standing) for pair in standing.pairs],
        "more": None if plan is None else slider_words(plan),
        "sentences": paper_sentences(answers, standing),
        **_runs(answers, columns, standing.order),
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _pair(pair: Pair, standing: Standing) -> list[Any]:
    """Return both places in the order, who is better (1, 2, 0; 3: equivalent), and the sentence: of many pairs those of the leader."""
    places = [standing.order.index(name) for name in (pair.a, pair.b)]
    spoken = len(standing.pairs) <= MANY_PAIRS or standing.leader in (pair.a, pair.b)
    sentence = [pair.sentence] if spoken else []
    return [*places, VERDICTS[pair.verdict], *sentence]


def _runs(answers: Answers, columns: Sequence[Column], order: Sequence[str]) -> dict[str, Any]:
    """Return the scores of the runs as whole numbers of the last decimal, by algorithm and task, and what the runs are called."""
    if not runs_are_drawn(answers.scores):
        return {"runs": None}
    by_rank = answers.scores.select(algorithms=list(order))
    finer = int(by_rank.n_runs.max() < FEW)
    places = [_places(by_rank, t, column.places + finer) for t, column in enumerate(columns)]
    lists: dict[tuple[str, ...], int] = {}
    values, named, start = [], [], 0
    for a in range(by_rank.n_algorithms):
        cells = by_rank.cells(a)
        values.append([[round(v * 10**p) for v in cell.tolist()] for cell, p in zip(cells, places, strict=True)])
        for cell in cells:
            names = tuple(by_rank.runs[start : start + cell.size])
            named.append(lists.setdefault(names, len(lists)))
            start += cell.size
    # Names that count from 0 need not be listed: how many there are says it.
    run_names = [len(n) if n == tuple(map(str, range(len(n)))) else list(n) for n in lists]
    return {"places": places, "runs": values, "called": named, "run_names": run_names}


def _places(scores: Scores, task: int, places: int) -> int:
    """Return these decimals; beyond the most that texts have, as many as show the spread of the runs with three digits."""
    if places < MOST:
        return places
    runs = np.concatenate([scores.cell(a, task) for a in range(scores.n_algorithms)])
    spread = float(np.ptp(runs) or np.abs(runs).max())
    return max(places, min(MOST_PLACES, 2 - floor(log10(spread)))) if spread else places
