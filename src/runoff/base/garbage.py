"""The search for cyclic garbage, put off while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def uncollected(work: Callable[P, T]) -> Callable[P, T]:
    """Return a function that works without collections: with 10,000 runs, each of them looks through all that was read so far."""

    @wraps(work)
    def quiet(*args: P.args, **kwargs: P.kwargs) -> T:
        on = gc.isenabled()
        gc.disable()
        try:
            return work(*args, **kwargs)
        finally:
            if on:
                gc.enable()

    return quiet
