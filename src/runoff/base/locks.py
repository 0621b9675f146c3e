"""One call at a time: whoever reads a file, changes it and writes it again holds its lock meanwhile, so that no change is lost."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from runoff.base.interrupts import unfinished
from runoff.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows
    SYSTEM_LOCKS = False
else:
    SYSTEM_LOCKS = True

PATIENCE = 60.0
"""Seconds that a call waits for another one."""
PAUSE = 0.02
STALE = 600.0
"""Seconds after which a lock that the system does not release is taken for one of a call that was killed."""
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)
"""What file systems without locks answer."""


@contextmanager
def locked(path: Path, noun: str) -> Iterator[None]:
    """Hold the lock of a file or folder, a hidden file beside it; wait for another call, and refuse after `PATIENCE`.

    Raises
    ------
    OutputError
        Another call holds the lock for too long, or no file can be made beside `path`.
    """
    # Two names of one file, one of them through a linked folder, have to meet at one lock.
    place = path.resolve()
    name = place.with_name(f".{place.name}.lock")
    deadline = time.monotonic() + PATIENCE
    try:
        while (lock := _taken(name)) is None:
            if time.monotonic() > deadline:
                raise OutputError(
                    f"another call of runoff is changing the {noun} {path}; nothing was written: run this call again when that one has ended."
                )
            time.sleep(PAUSE)
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"the {noun} {path} cannot be written: {error.strerror or error}.") from error
    try:
        with unfinished(lock.file):
            yield
    finally:
        os.close(lock.descriptor)


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that this call holds: its file, open."""

    file: Path
    descriptor: int


def _taken(file: Path) -> Lock | None:
    """Return a lock that is ours now; None while another call has it."""
    if not SYSTEM_LOCKS:
        return _made(file)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    ours = False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Between the opening and the lock the holder may have removed the file: then this lock is of a file that
        # nobody else will open.
        ours = _same(file, descriptor)
    except BlockingIOError:
        return None
    except OSError as error:
        if error.errno not in WITHOUT_LOCKS:
            raise
        # A file system without locks: the existence of a file is the lock, under another name, which a caller with
        # system locks does not take.
        file.unlink(missing_ok=True)
        return _made(file.with_suffix(".held"))
    finally:
        if not ours:
            os.close(descriptor)
    return Lock(file, descriptor) if ours else None


def _same(file: Path, descriptor: int) -> bool:
    """Return whether a file still exists under its name; the previous holder of the lock may have removed it meanwhile."""
    try:
        return os.path.samestat(os.stat(file), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _made(file: Path) -> Lock | None:
    """Return a lock that lasts as long as its file exists; the file of a killed call is removed after a while."""
    try:
        return Lock(file, os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        with suppress(FileNotFoundError):
            if time.time() - file.stat().st_mtime > STALE:
                file.unlink()
        return None
