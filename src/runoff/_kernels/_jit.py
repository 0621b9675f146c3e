"""The one decorator of every compiled kernel: nopython, without the GIL, cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on its first call; the typed signature stays that of the Python source."""
    return cast("Callable[P, R]", numba.njit(nogil=True, cache=True, error_model="numpy")(function))
