"""A forked child that works and tells, watched by a parent that ends it when it is silent for too long."""

from __future__ import annotations

import os
import select
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

Tell = Callable[[str], None]
DONE, TIMEOUT, CRASH = "done", "timeout", "crash"


def in_child(work: Callable[[Tell], object], log: Path, patience: Callable[[str], float]) -> list[str]:
    """Return the lines the child told; the last is "done …", "timeout" or "crash".

    `patience` says how many seconds the child may be silent after a line, and "" at the start.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        _be_child(work, log, writer)
    os.close(writer)
    try:
        return _heard(reader, patience)
    finally:
        os.close(reader)
        _end(pid)


def _be_child(work: Callable[[Tell], object], log: Path, writer: int) -> None:
    """Work in a session of its own, so that all it starts can be ended with it; never return."""
    try:
        os.setsid()
        with log.open("w") as file, open(os.devnull) as nothing:
            for stream, number in ((nothing, 0), (file, 1), (file, 2)):
                os.dup2(stream.fileno(), number)
        tell = _teller(writer)
        tell(f"{DONE} {work(tell)}")
    except BaseException:
        traceback.print_exc()
    finally:
        # Neither the parent's exit handlers nor a thread that hangs.
        os._exit(0)


def _teller(writer: int) -> Tell:
    return lambda line: _write_all(writer, line.encode("unicode_escape") + b"\n")


def _write_all(writer: int, data: bytes) -> None:
    while data:
        data = data[os.write(writer, data) :]


def _heard(reader: int, patience: Callable[[str], float]) -> list[str]:
    lines: list[str] = []
    rest, end = b"", monotonic() + patience("")
    while not (lines and lines[-1].startswith(DONE)):
        if not select.select([reader], [], [], max(0.0, end - monotonic()))[0]:
            return [*lines, TIMEOUT]
        data = os.read(reader, 1 << 16)
        if not data:
            return [*lines, CRASH]
        *whole, rest = (rest + data).split(b"\n")
        lines += [line.decode("unicode_escape") for line in whole]
        if whole:
            end = monotonic() + patience(lines[-1])
    return lines


def _end(pid: int) -> None:
    for _ in range(2):  # the child itself may not have made its session yet
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
