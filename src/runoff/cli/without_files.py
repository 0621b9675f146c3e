"""Paths that are not files: counts of episodes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runoff.errors import OptionError
from runoff.words.patterns import regex

if TYPE_CHECKING:
    from runoff.data.scores import Scores

COUNTS = regex(r"(?P<name>[^=]+)=(?P<won>\d{1,7})/(?P<n>\d{1,7})")
"""The successes of one policy in place of a file: `ours=17/20`."""


def counts_of(paths: Sequence[str]) -> Scores | None:
    """Return the episodes that are given as counts, one count per policy; None for other paths."""
    counts = [COUNTS.fullmatch(path) for path in paths]
    if not all(counts) or any(map(os.path.lexists, paths)):
        return None
    from runoff.data.provenance import COUNTED as COUNTED_AS
    from runoff.data.scores import Scores

    runs: dict[str, list[float]] = {}
    for count in filter(None, counts):
        won, n = int(count["won"]), int(count["n"])
        wrong = (
            "is a second count of one policy"
            if count["name"] in runs
            else "counts no episode"
            if n == 0
            else "has more successes than episodes"
        )
        if won > n or n == 0 or count["name"] in runs:
            raise OptionError(
                f"{count[0]} {wrong}; give each policy once, as NAME=SUCCESSES/EPISODES, such as A=17/20."
            )
        runs[count["name"]] = [1.0] * won + [0.0] * (n - won)
    scores = Scores.from_dict(runs, unit="episode")
    # Successes stand before failures because they were counted, not because the rows are in the order of a training.
    return replace(scores, provenance=scores.provenance.noting(f"the command line {COUNTED_AS}"))
