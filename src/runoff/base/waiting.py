"""Progress of reading files, reported to a listener if there is one: the command line, which draws a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

Tell = Callable[[str, float], None]
"""What is done, and the share of it that is done."""
_LISTENER: ContextVar[Tell | None] = ContextVar("_LISTENER", default=None)
STEPS = 200
"""The largest number of reports during a long reading."""


@contextmanager
def listening(tell: Tell) -> Iterator[None]:
    """Tell of what is read, as long as the block lasts."""
    token = _LISTENER.set(tell)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def is_heard() -> bool:
    """Return whether there is a listener."""
    return _LISTENER.get() is not None


def ticking(what: str, n: int) -> Callable[[], None]:
    """Return what is called once for each of n things, from any thread."""
    # A thread of a pool has no listener of its own: the one of the caller is kept.
    tell = _LISTENER.get()
    if tell is None or n < 2:
        return lambda: None
    done, stride = count(1), max(1, n // STEPS)

    def tick() -> None:
        i = next(done)
        if i % stride == 0 or i == n:
            tell(f"{what}, {i} of {n}", i / n)

    return tick
