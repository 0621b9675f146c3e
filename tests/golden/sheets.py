"""What a page says, part by part: its words, its drawings as tags, and what its script draws from."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import runoff as ro
from runoff.page.answers.all import Answers, answer, standing_of
from runoff.page.answers.curves import answer_curves
from runoff.page.sheet.build import build
from runoff.page.sheet.drawing import _score_words, plans
from runoff.page.words.advice import grouped
from runoff.page.words.headline import headline
from runoff.page.words.next_steps import next_steps
from runoff.page.words.paper import paper_sentences
from runoff.page.words.paragraph import methods_paragraph
from runoff.page.words.tiles import tiles
from runoff.words.speech import in_shell
from tests.golden.shown import shown
from tests.golden.transcripts import narrow
from tests.report.made import page_content

__all__ = ["drawings", "figures", "script_data", "sheet", "tags", "words"]


def sheet(data: Any, *, along: ro.Curves | None = None, **options: Any) -> Answers:
    """Return the answers of a page, with few resamples."""
    settings = {"alpha": 0.05, "seed": 0, "n_resamples": 200, "command": "runoff report runs.csv"} | options
    scores = data if isinstance(data, ro.Scores) else ro.Scores.from_dict(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ro.RunoffWarning)
        answers = answer(scores, **settings)
        return answers if along is None else replace(answers, curves=answer_curves(along, alpha=0.05, seed=0))


def _headline(answers: Answers) -> list[str]:
    first = headline(answers, standing_of(answers))
    return [first.answer, first.beaten, first.sure, first.caution]


def _tiles(answers: Answers) -> list[str]:
    shown_tiles = tiles(answers, standing_of(answers))
    return [f"{tile.question} {tile.answer} ({tile.tone}, to {tile.to}). {tile.why}" for tile in shown_tiles]


def _steps(answers: Answers) -> list[str]:
    steps = next_steps(answers, standing_of(answers))
    return [f"{step.act} | {step.why} {', '.join(sorted(step.runs_of))}" for step in steps]


def _advice(answers: Answers) -> list[str]:
    groups = grouped(answers.advice, answers.comparison, standing_of(answers).leading)
    return [f"{group.first.code} {group.first.severity} {group.count}: {group.scope}" for group in groups]


PARTS: dict[str, Callable[[Answers], list[str]]] = {
    "headline": _headline,
    "tiles": _tiles,
    "steps": _steps,
    "advice": _advice,
    "methods": lambda answers: [str(methods_paragraph(answers).text)],
    "paper": lambda answers: [" | ".join(row) for row in paper_sentences(answers, standing_of(answers))],
}


def words(answers: Answers, *parts: str) -> str:
    """Return what a page says in these parts, or in its first screen; of "methods WORD" the sentences with that word."""
    rows = []
    for part, _, word in (part.partition(" ") for part in parts or ("headline", "tiles", "steps")):
        texts = [in_shell(row) for row in PARTS[part](answers)]
        texts = (
            [own for text in texts for own in re.split(r"(?<=\.) (?=[A-Z])", text) if word in own] if word else texts
        )
        rows += [f"{part}: {text}" for text in texts]
    return "\n".join(row.strip() for row in rows if not row.endswith(": "))


def figures(answers: Answers, *drawn: str, width: float | str | None = None) -> str:
    """Return the figures of a report by name, title and caption; of those that are named the pictures too."""
    lines = []
    for plan in (plan for plan in plans(answers, width) if not drawn or plan.name in drawn):
        lines.append(f"{plan.name}: {plan.title}. {plan.tell()} {_score_words(answers, plan.name)}".rstrip())
        lines += [shown(plan.show())] if plan.name in drawn else []
    return "\n".join(lines)


def drawings(answers: Answers, *labels: str) -> str:
    """Return the drawings of a page, or those whose labels begin so, a line for each tag; those of a marker alone are left out."""
    page = re.sub("<script.*?</script>", "", build(answers), flags=re.DOTALL)
    own = [svg for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL) if len(svg) > 100 and "<symbol" not in svg]
    own = [svg for svg in own if not labels or any(f'aria-label="{label}' in svg for label in labels)]
    return "\n".join(map(tags, own))


def tags(svg: str) -> str:
    """Return a drawing, a line for each tag."""
    return re.sub(r"(?<=>)\s*(?=<)", "\n", svg).replace("\n</", "</")


def script_data(answers: Answers, *keys: str) -> str:
    """Return what the script of a page draws from, or these parts of it."""
    content = page_content(build(answers))
    return narrow({key: content[key] for key in keys or content})
