"""The table of all pairs: each once, the better one first, in the order of the algorithms; and what the order of each survives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff.report.answers.all import Answers
from runoff.report.answers.standing import Standing
from runoff.report.page.svg import bar
from runoff.report.words.more_runs import needed_text
from runoff.report.words.numbers import pvalue
from runoff.results.comparison import Pair
from runoff.results.robustness import RobustnessRecord
from runoff.words.numbers import chances as shown_chances
from runoff.words.numbers import digits, estimated

UNDECIDED = {"no_difference_found": "no difference found", "equivalent": "equivalent"}
"""What the table says where neither is better."""
MANY = 120
"""More pairs than this have no sentences on the page, and no tables beside that of the pairs: the files have them."""
HEADS = {
    "metric": "Other measures",
    "reference": "Other references",
    "window": "Other windows",
    "task": "Without one task",
    "run": "Without one run",
}

Row = dict[str, Any]


def pair_rows(standing: Standing) -> list[Row]:
    """Return a row for each pair."""
    many = len(standing.pairs) > MANY
    return [_row(pair, "" if many else pair.sentence) for pair in standing.pairs]


def _row(pair: Pair, sentence: str) -> Row:
    """Return a row, with the digits of its sentence."""
    chances = (pair.improvement_low, pair.improvement, pair.improvement_high)
    better = {"a_better": pair.a, "b_better": pair.b}.get(pair.verdict)
    return {
        "pair": pair,
        "better": better,
        "verdict": UNDECIDED.get(pair.verdict),
        "difference": _parts(estimated(pair.difference, pair.difference_low, pair.difference_high)),
        "improvement": _parts(shown_chances(pair.improvement, pair.improvement_low, pair.improvement_high)),
        "bar": bar(chances, (0.0, 1.0), "leads" if better else "off", middle=0.5),
        "p": pvalue(pair.pvalue),
        "p_adjusted": pvalue(pair.pvalue_adjusted),
        "detectable": digits(pair.detectable_difference),
        "needed": needed_text(pair, pair.needed_multiple),
        "sentence": sentence,
    }


def _parts(sentence: str) -> tuple[str, str]:
    """Return an estimate, and its interval or a dash."""
    estimate, _, ends = sentence.partition(" ")
    return estimate, ends or "–"


def survived(answers: Answers, order: Sequence[str]) -> Row | None:
    """Return the grid of variations: its heads, and for each pair the one ahead, the one behind and what keeps that; None without any."""
    robustness = answers.robustness
    if robustness is None or not robustness.kinds:
        return None
    place = {name: at for at, name in enumerate(order)}
    by_pair: dict[tuple[str, str], list[RobustnessRecord]] = {}
    for record in robustness.records:
        if record.kind in robustness.kinds:
            by_pair.setdefault(_ahead(record), []).append(record)
    rows = [
        (*pair, [_kept(record) for record in records])
        for pair, records in sorted(by_pair.items(), key=lambda item: tuple(place[name] for name in item[0]))
    ]
    return {
        "heads": [HEADS[kind] for kind in robustness.kinds],
        "rows": rows if len(rows) <= MANY else [],
        "sentence": robustness.sentence,
    }


def _ahead(record: RobustnessRecord) -> tuple[str, str]:
    return (record.b, record.a) if record.ahead == record.b else (record.a, record.b)


def _kept(record: RobustnessRecord) -> Row:
    return {"words": f"{record.kept} of {record.n}" if record.n else "–", "all": record.kept == record.n}
