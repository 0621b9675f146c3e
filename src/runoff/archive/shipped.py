"""Runs that come with runoff, by name alone: a set of the archive, or the example. A file of that name goes first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from runoff.base.ports import reading
from runoff.errors import DesignError

if TYPE_CHECKING:
    from runoff.data.curves import Curves
    from runoff.data.scores import Scores

EXAMPLE = "classic_control"
"""The data set that comes with runoff in addition to the archive."""


def shipped(name: str, *, curves: bool | None) -> Scores | Curves | None:
    """Return the runs of the shipped set with this name, if no file has it; curves or end scores, by default (None) as there are."""
    if os.path.lexists(name):
        return None
    if name == EXAMPLE:
        example: Curves = reading().load_example(name)
        return example
    # The list of sets needs nothing that computes.
    from runoff.archive.load import load
    from runoff.archive.sets import listed

    if name not in {card.name for card in listed()}:
        return None
    if curves is False:
        return load(name)
    try:
        return load(name, curves=True)
    except DesignError:
        if curves is None:
            return load(name)
        raise
