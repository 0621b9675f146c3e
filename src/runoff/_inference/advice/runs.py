"""Caveats about what the rows of a table are: are they the independent runs that every method takes them for?"""

from __future__ import annotations

import numpy as np

from runoff._arrays import Floats
from runoff._inference.advice.codes import advise
from runoff._inference.shape import together
from runoff.results.advice import Advice
from runoff.scores import Scores

TOGETHER_LEVEL = 0.01


def moving_together(scores: Scores) -> Advice | None:
    """R022: runs of one label move together over tasks, though every task is taken to have runs of its own."""
    matrices = [] if scores.sampling.shared else [_by_label(scores, a) for a in range(scores.n_algorithms)]
    used = [matrix for matrix in matrices if min(matrix.shape) >= 2]
    if not used:
        return None
    found = together(used)
    if found.pvalue >= TOGETHER_LEVEL:
        return None
    text = (
        f"runs with one label move together over tasks (mean correlation {found.correlation:.2f}, p = {found.pvalue:.2g} if labels meant "
        "nothing), as scores of one run on several tasks do: intervals are then too narrow and tests err too often; if a run was scored on "
        "all tasks, say so (runs='shared', --runs shared)."
    )
    return advise("R022", text)


def _by_label(scores: Scores, a: int) -> Floats:
    """Return the scores (n_runs, n_tasks) of the runs whose label all tasks of an algorithm have."""
    cells = [scores.labelled(a, t) for t in range(scores.n_tasks)]
    by_label = [dict(zip(labels, values.tolist(), strict=True)) for labels, values in cells if labels]
    common = [label for label in by_label[0] if all(label in cell for cell in by_label)]
    return np.array([[cell[label] for cell in by_label] for label in common]).reshape(len(common), len(by_label))
