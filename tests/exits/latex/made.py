"""Answers about designs of many sizes, made once."""

from __future__ import annotations

from functools import cache

import numpy as np

import runoff as ro
from runoff.exits.latex.table import LatexCell, LatexColumn
from runoff.page.answers.all import Answers
from runoff.page.tables import latex_files
from tests.report.made import answers_of

STRANGE = (
    "Q(λ)",
    "Sarsa(λ) twin",
    "日本語",
    "日本",
    "🚀 rocket",
    "rocket",
    "Déjà-vu ₂",
    "naïve×10³",
    "µ",
    "μ",
    "ąę",
    "الف",
)
"""Names in Greek, with accents, in other scripts, and two pairs that look alike."""


@cache
def grid(n_algorithms: int, n_tasks: int, n_runs: int, scale: float = 1.0) -> Answers:
    """Algorithms Algo0, Algo1 … of which each is a little better than the one before."""
    rng = np.random.default_rng(1)
    return answers_of(
        ro.Scores.from_dict(
            {
                f"Algo{a}": {f"Task{t}": scale * rng.normal(0.2 * a, 1.0, n_runs) for t in range(n_tasks)}
                for a in range(n_algorithms)
            },
            score_unit="shared",
        )
    )


@cache
def strange() -> Answers:
    """Algorithms and tasks with strange names."""
    rng = np.random.default_rng(2)
    return answers_of(
        ro.Scores.from_dict({name: {task: rng.normal(size=4) for task in STRANGE[:4]} for name in STRANGE})
    )


@cache
def demo() -> Answers:
    """The shipped data."""
    return answers_of(ro.load_example("classic_control").normalize("classic_control").final())


def files(answers: Answers) -> dict[str, str]:
    """The LaTeX files by name."""
    return dict(latex_files(answers))


def column(head: str, texts: list[str], *, right: bool = True) -> LatexColumn:
    """Return a column of plain cells."""
    return LatexColumn(head=head, cells=tuple(LatexCell(text=text) for text in texts), right=right)
