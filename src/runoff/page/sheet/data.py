"""What the script of the page draws from: JSON with numbers rounded as they are shown, deflated, as base64."""

from __future__ import annotations

import json
import shlex
import zlib
from base64 import b64encode
from collections.abc import Sequence
from math import floor, log10
from typing import Any

import numpy as np
from markupsafe import Markup

from runoff.answer.pair import Pair
from runoff.answer.standing import Standing
from runoff.data.scores import Scores
from runoff.page.answers.all import Answers
from runoff.page.sheet.lead import Lead, lead_of, moved
from runoff.page.sheet.rows import MANY_PAIRS
from runoff.page.sheet.tasks import TaskRow, runs_are_drawn
from runoff.page.sheet.versus import block as versus_block
from runoff.page.words.more_runs import more_runs, slider_words
from runoff.page.words.paper import paper_sentences
from runoff.words.numbers import MOST
from runoff.words.shorten import isolated_in, short_names
from runoff.words.speech import Voice

VERDICTS = {"a_better": 1, "b_better": 2, "equivalent": 3, "no_difference_found": 0, "no_verdict": 0}
EXAMPLE = "classic_control"
"""The data of `runoff demo`."""
CHOSEN = ("algorithms", "tasks")
"""What the page narrows: names of options, and of arguments of `select`."""
MIDDLE = 22
"""The most characters of a task in a drawing."""
MOST_PLACES = 300
"""The most decimals that are shown: 10 to this power is still a finite number."""
FEW = 10
"""The runs of smaller cells have one decimal more than their mean; of larger ones the mean is known well enough to say how runs differ."""


def block(
    answers: Answers,
    standing: Standing,
    columns: Sequence[TaskRow],
    speak: Voice,
    versus: dict[str, Any] | None = None,
) -> Markup:
    """Return what stands in an inert element `script`: JSON, deflated, as base64."""
    # Keys are short and numbers rounded as they are shown: the block is most of the page where there are many
    # runs.
    plan = more_runs(answers, standing)
    content = {
        "names": list(standing.order),
        "tasks": list(answers.scores.tasks),
        "leader": standing.order.index(standing.leader),
        "pairs": [_pair(pair, standing, speak) for pair in standing.pairs],
        "versus": versus_block(versus, standing.order),
        **_narrowing(answers.command),
        "more": None if plan is None else slider_words(plan),
        "sentences": [(*about, isolated_in(speak(words))) for *about, words in paper_sentences(answers, standing)],
        **_leads(answers, standing),
        **_runs(answers, columns, standing.order),
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    # Base64 has no sign that ends an element of a page, and browsers inflate by themselves
    # (DecompressionStream).
    return Markup(b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), 9)).decode())


def _narrowing(command: str) -> dict[str, Any]:
    """Return the calls that judge some algorithms, or tasks, alone, with a place for their names, and whether they are of the shell."""
    if not command.startswith("runoff "):
        return {"shell": False, "narrow": {kind: f"scores.select({kind}=[{{}}])" for kind in CHOSEN}}
    # The demo takes its data by itself, and has no option that narrows them.
    words = shlex.split(command.replace("runoff demo", f"runoff report {EXAMPLE} --normalize {EXAMPLE}", 1))
    # The option adds names to those it has, so that the one of the command gives way.
    return {
        "shell": True,
        "narrow": {kind: f"{shlex.join(_without(words, f'--{kind}'))} --{kind} {{}}" for kind in CHOSEN},
    }


def _without(words: list[str], option: str) -> list[str]:
    """Return the words of a command without an option and its value."""
    return [word for k, word in enumerate(words) if word != option and (not k or words[k - 1] != option)]


def has_lead(answers: Answers) -> bool:
    """Return whether the pair of the headline is drawn: not on one task, where the lead is that task's, nor where nobody is named."""
    return bool(answers.leads) and len(answers.leads[0].rows) > 1


def lead_shown(answers: Answers) -> Lead | None:
    """Return the drawings of the pair of the headline; None where it is not drawn."""
    if not has_lead(answers):
        return None
    places = {task: place for place, task in enumerate(answers.scores.tasks)}
    return lead_of(answers.leads[0], places, short_names(answers.scores.tasks, MIDDLE))


def _leads(answers: Answers, standing: Standing) -> dict[str, Any]:
    """Return the pairs whose tasks are shown, that of the headline first, and the places of the dots of the others."""
    if not has_lead(answers):
        return {"leads": [], "moved": []}
    others = [result for result in (*answers.leads[1:], *answers.dots) if len(result.rows) > 1]
    shown = (answers.leads[0], *others)
    pairs = [[standing.order.index(name) for name in (pair.a, pair.b)] for pair in shown]
    return {"leads": pairs, **moved(others, answers.scores.tasks, short_names(answers.scores.tasks, MIDDLE))}


def _pair(pair: Pair, standing: Standing, speak: Voice) -> list[Any]:
    """Return both places in the order, the better one (1, 2, 0 for neither, 3 for equivalent), and the sentence; with many pairs, only the
    leader's have one."""
    places = [standing.order.index(name) for name in (pair.a, pair.b)]
    # Sentences are most of the bytes, and nobody reads 435 of them on a page; results.json has all.
    spoken = len(standing.pairs) <= MANY_PAIRS or standing.leader in (pair.a, pair.b)
    sentence = [isolated_in(speak(pair.sentence))] if spoken else []
    return [*places, VERDICTS[pair.verdict], *sentence]


def _runs(answers: Answers, columns: Sequence[TaskRow], order: Sequence[str]) -> dict[str, Any]:
    """Return the scores of the runs by algorithm and task, as whole numbers of the last decimal, and what the runs are called."""
    if not runs_are_drawn(answers.scores):
        return {"runs": None}
    by_rank = answers.scores.select(algorithms=list(order))
    # The mean of few runs is rounded as its interval is, which would make runs that differ look alike.
    finer = int(by_rank.n_runs.max() < FEW)
    places = [_places(by_rank, t, column.places + finer) for t, column in enumerate(columns)]
    # Cells mostly share the names of their runs (0, 1, 2, …): each list is kept once, cells have its place.
    lists: dict[tuple[str, ...], int] = {}
    values, named, start = [], [], 0
    for a in range(by_rank.n_algorithms):
        cells = by_rank.cells(a)
        values.append([[round(v * 10**p) for v in cell.tolist()] for cell, p in zip(cells, places, strict=True)])
        for cell in cells:
            names = tuple(by_rank.run_labels[start : start + cell.size])
            named.append(lists.setdefault(names, len(lists)))
            start += cell.size
    # Names that count from 0 need not be listed: how many there are says it.
    run_names = [len(n) if n == tuple(map(str, range(len(n)))) else list(n) for n in lists]
    return {"places": places, "runs": values, "called": named, "run_names": run_names}


def _places(scores: Scores, task: int, places: int) -> int:
    """Return these decimals; beyond the most that texts have, as many as show the spread of the runs with three digits."""
    # Six decimals show nothing of runs that differ in the eighth: then as many as show their spread.
    if places < MOST:
        return places
    runs = np.concatenate([scores.cell(a, task) for a in range(scores.n_algorithms)])
    spread = float(np.ptp(runs) or np.abs(runs).max())
    return max(places, min(MOST_PLACES, 2 - floor(log10(spread)))) if spread else places
