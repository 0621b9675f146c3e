"""Under which name work is recorded: a test, or work that several tests share and only the first of them does.

Shared are the import of a test file, fixtures of a wider scope, and what `functools.cache` keeps. Each is recorded under a name of
its own, and who uses it is written down, so that all of its users are credited with its lines.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tools.mutants.names import Kernel

IMPORT = ""
"""The name of what is recorded outside of any test."""


@dataclass(slots=True)
class Contexts:
    """The names of work, who uses whom, how long it took and what it called.

    `switch` tells the recorder of lines what follows; `clock` is in seconds.
    """

    switch: Callable[[str], None]
    clock: Callable[[], float]
    current: str = IMPORT
    since: float = 0.0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    uses: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    kernels: dict[str, set[Kernel]] = field(default_factory=lambda: defaultdict(set))

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """Record under a name what happens inside."""
        before = self.current
        self._go_on_as(name)
        try:
            yield
        finally:
            self._go_on_as(before)

    def share(self, name: str) -> None:
        """Write down that the current work uses that of another name."""
        self.uses[self.current].add(name)

    def call(self, kernel: Kernel) -> None:
        """Write down that the current work calls a kernel."""
        self.kernels[self.current].add(kernel)

    def reachable(self, name: str) -> set[str]:
        """Return the name and all whose work it uses, directly or through others."""
        found, stack = {name}, [name]
        while stack:
            fresh = self.uses.get(stack.pop(), set()) - found
            found |= fresh
            stack += fresh
        return found

    def _go_on_as(self, name: str) -> None:
        now = self.clock()
        self.seconds[self.current] += now - self.since
        self.current, self.since = name, now
        self.switch(name)


def recording_cache(contexts: Contexts, ours: Callable[[str], bool]) -> Callable[..., Any]:
    """Return a `functools.lru_cache` that records the work it keeps, for functions of files that are `ours`."""
    plain = functools.lru_cache

    def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
        if not callable(maxsize):
            return functools.partial(_kept, contexts, ours, plain(maxsize, typed))
        return _kept(contexts, ours, plain(), maxsize)

    return lru_cache


def _kept(contexts: Contexts, ours: Callable[[str], bool], keep: Callable[..., Any], function: Any) -> Any:
    code = getattr(function, "__code__", None)
    if code is None or not ours(code.co_filename):
        return keep(function)
    name = f"cache:{code.co_filename}:{function.__qualname__}"

    def work(*args: Any, **options: Any) -> Any:
        with contexts.inside(name):
            return function(*args, **options)

    kept = keep(work)

    @functools.wraps(function)
    def shared(*args: Any, **options: Any) -> Any:
        contexts.share(name)
        return kept(*args, **options)

    shared.cache_clear, shared.cache_info = kept.cache_clear, kept.cache_info  # type: ignore[attr-defined]
    return shared
