"""Compiled functions are not traced: numba's dispatchers tell themselves when Python calls them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.mutants.names import Kernel


class Compilation:
    """The seconds spent in compiling so far."""

    def __init__(self) -> None:
        from numba.core import event

        self.timer = event.TimingListener()
        event.register("numba:compile", self.timer)

    @property
    def seconds(self) -> float:
        """All of them, from the start."""
        return float(self.timer.duration) if self.timer.done else 0.0


def record_kernels(tree: Path, called: Callable[[Kernel], object]) -> set[Kernel]:
    """Tell `called` each kernel that Python calls or passes to one; return the set into which every kernel made is put."""
    from numba.core.dispatcher import Dispatcher

    made: set[Kernel] = set()
    make, call = Dispatcher.__init__, Dispatcher.__call__

    def init(self: Any, py_func: Any, *args: Any, **options: Any) -> None:
        made.update(_kernel(tree, py_func))
        make(self, py_func, *args, **options)

    def record(self: Any, *args: Any, **options: Any) -> Any:
        for one in (self, *args):
            if isinstance(one, Dispatcher):
                for kernel in _kernel(tree, one.py_func):
                    called(kernel)
        return call(self, *args, **options)

    Dispatcher.__init__, Dispatcher.__call__ = init, record
    return made


def _kernel(tree: Path, function: Any) -> list[Kernel]:
    """Return the name of a function of ours; none of those that libraries compile."""
    path = Path(function.__code__.co_filename)
    return [(str(path.relative_to(tree)), function.__qualname__)] if path.is_relative_to(tree) else []
