"""What is computed once of a thing that never changes, and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar


class Lasting:
    """What never changes, and so keeps what was computed of it (`once`); a copy made by pickle or `replace` has forgotten that."""

    __slots__ = ("_memo",)


S = TypeVar("S", bound=Lasting)
T = TypeVar("T")


def memo_of(answer: Lasting) -> dict[object, Any]:
    """Return what an answer keeps."""
    memo: dict[object, Any] | None = getattr(answer, "_memo", None)
    if memo is None:
        memo = {}
        # Frozen for its readers; what is kept here follows from its fields, so that nobody can see the change.
        object.__setattr__(answer, "_memo", memo)
    return memo


def once(compute: Callable[[S], T]) -> Callable[[S], T]:
    """Return a function of an answer that computes once for each answer."""

    @wraps(compute)
    def remembered(answer: S) -> T:
        memo = memo_of(answer)
        if compute not in memo:
            memo[compute] = compute(answer)
        return memo[compute]  # type: ignore[no-any-return]

    return remembered
