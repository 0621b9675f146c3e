"""Figures drawn by a second process, beside the one that computes: the same bytes, sooner.

matplotlib draws on one core. The command line starts the second process before it reads the data, so that both import at the same time; once
there are answers they share the figures, each taking the next that neither has. Where the second process cannot be started, or ends before its
time, the first draws all. A call from Python draws by itself: processes are started by who owns the first one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, Any

from runoff.base.random import n_threads

if TYPE_CHECKING:
    from runoff.report.answers.all import Answers
    from runoff.report.page.drawing import Drawing

LONGEST = 60.0
"""Seconds that are waited for the second process, once there is nothing else to draw."""
SERVE = "import gc; gc.set_threshold(100_000); from runoff.report.files.aside import serve; serve()"
_helper: ContextVar[subprocess.Popen[bytes] | None] = ContextVar("helper", default=None)


@contextmanager
def second_process() -> Iterator[None]:
    """Let the figures of reports that are written within be drawn by two processes, where there are two cores."""
    helper = _started() if n_threads() > 1 else None
    if helper is None:
        yield
        return
    token = _helper.set(helper)
    try:
        yield
    finally:
        _helper.reset(token)
        helper.kill()
        helper.wait()
        for pipe in (helper.stdin, helper.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _started() -> subprocess.Popen[bytes] | None:
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        return None


class Figures:
    """The figures of a report; where there is a second process, it begins to draw them at once."""

    def __init__(self, answers: Answers) -> None:
        self._found: dict[str, Drawing] = {}
        self._taken: set[str] = set()
        self._lock = Lock()
        self._early = answers
        self._thread: Thread | None = None
        helper = _helper.get()
        if helper is not None:
            self._thread = Thread(target=self._hand_over, args=(helper,), daemon=True)
            self._thread.start()

    def drawn(self, answers: Answers) -> tuple[Drawing, ...]:
        """Return the figures of the answers, which may have grown by those about curves."""
        from runoff.report.page.drawing import drawn, plain_style, plans

        planned = plans(answers)
        begun = {plan.name for plan in plans(replace(answers, curves=self._early.curves))}
        with plain_style():
            mine = [plan for plan in planned if plan.name not in begun]
            shared = [plan for plan in planned if plan.name in begun]
            for plan in (*mine, *reversed(shared)):  # the second process goes through them from the other end
                if self._claimed(plan.name):
                    self._found[plan.name] = drawn(plan)
            if self._thread is not None and len(self._found) < len(planned):
                self._thread.join(LONGEST)
            return tuple(self._found.get(plan.name) or drawn(plan) for plan in planned)

    def _claimed(self, name: str) -> bool:
        with self._lock:
            new = name not in self._taken
            self._taken.add(name)
        return new

    def _hand_over(self, helper: subprocess.Popen[bytes]) -> None:
        """Send the answers, then one name after another; what does not come back is drawn here."""
        assert helper.stdin is not None
        assert helper.stdout is not None
        with suppress(OSError, EOFError, ValueError, pickle.PickleError):
            _send(helper.stdin, self._early)
            for name in _received(helper.stdout):
                if self._claimed(name):
                    _send(helper.stdin, name)
                    self._found[name] = _received(helper.stdout)


def serve() -> None:
    """Be the second process: read answers, tell the names of their figures, and draw those that are asked for."""
    from matplotlib.figure import Figure

    from runoff.report.page.drawing import FORMATS, drawn, plain_style, plans, render

    with plain_style():  # what writes each format is loaded while the other process computes
        for kind in FORMATS:
            figure = Figure(figsize=(1, 1))
            figure.text(0.5, 0.5, "0")
            render(figure, kind)
    given, back = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    planned = {plan.name: plan for plan in plans(_received(given))}
    _send(back, tuple(planned))
    with plain_style(), suppress(EOFError):
        while True:
            _send(back, drawn(planned[_received(given)]))


def _send(to: IO[bytes], what: object) -> None:
    pickle.dump(what, to, protocol=pickle.HIGHEST_PROTOCOL)
    to.flush()


def _received(of: IO[bytes]) -> Any:
    return pickle.load(of)  # noqa: S301  what our own process wrote into our own pipe
