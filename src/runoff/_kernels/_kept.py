"""Compiled kernels on disk. What lies there never stops a call and never changes an answer: whatever is not whole and of today is compiled anew.

numba's own cache unpickles any file under a kernel's name, ends the call where it cannot write, and knows the source of a kernel, but not
those of the kernels that it has inlined. Here a file is two digests and what numba makes of a compiled kernel. The first digest tells what it
was compiled from, the second which kernel it should hold and what of it, and both are compared before anything is unpickled.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from runoff.base.writing import write_whole
from runoff.errors import OutputError

KERNELS = Path(__file__).parent
SUFFIX = ".kernel"
DIGEST = sha256().digest_size


@cache
def origin() -> bytes:
    """Return a digest of all that decides what a kernel is compiled to: the source of every kernel, and the compiler."""
    import numba

    # All kernels, for one may be inlined in any other; numba itself looks at the file of the one alone.
    total = sha256(repr((numba.__version__, np.__version__, sys.version_info)).encode())
    for path in sorted(KERNELS.rglob("*.py")):
        total.update(sha256(path.read_bytes()).digest())
    return total.digest()


def any_kept() -> bool:
    """Return whether an earlier call has left compiled kernels on disk."""
    from numba.core import config

    folder = Path(getattr(config, "CACHE_DIR", "") or KERNELS)
    return next(folder.rglob(f"*{SUFFIX}"), None) is not None


def folder() -> Path | None:
    """Return where kernels are kept, None if no folder can be written; those of a room of kernels lie beside its modules."""
    from numba.core.caching import CompileResultCacheImpl

    try:
        return Path(CompileResultCacheImpl(folder).locator.get_cache_path())
    except (RuntimeError, OSError):
        return None


def digest_in(file: Path, payload: bytes) -> bytes:
    """Return a digest of a compiled kernel under its name: a file that was renamed holds another kernel than its name says."""
    return sha256(file.name.encode() + b"\0" + payload).digest()


def caching(dispatcher: Any) -> Any:
    """Return numba's dispatcher of a kernel, which now keeps on disk what it compiles, where there is a folder for it."""
    from numba.core.caching import CompileResultCacheImpl

    with suppress(RuntimeError, OSError):  # no folder can be written, or no source can be read
        dispatcher._cache = KernelStore(CompileResultCacheImpl(dispatcher.py_func), dispatcher.py_func, origin())
    return dispatcher


class KernelStore:
    """The compiled forms of one kernel on disk, one file for each signature, as a dispatcher of numba asks for them.

    form : numba's way to take a compiled kernel apart and to put it together, which also knows the folder
    """

    def __init__(self, form: Any, function: Callable[..., object], source: bytes) -> None:
        self.form, self.function, self.source = form, function, source

    @property
    def cache_path(self) -> str:
        return str(self.form.locator.get_cache_path())

    def file(self, signature: object, codegen: Any) -> Path:
        """Return where the kernel lies, compiled for types of arguments, for a processor, by a Python."""
        target = repr((str(signature), codegen.magic_tuple(), sys.implementation.cache_tag))
        name = f"{self.function.__module__}.{self.function.__qualname__}-{sha256(target.encode()).hexdigest()[:16]}"
        return Path(self.cache_path) / f"{name}{SUFFIX}"

    def load_overload(self, signature: object, target: Any) -> Any:
        """Return the compiled kernel, None where it has to be compiled."""
        # Declarations that came since this target was made have to be known before code is linked into it.
        target.refresh()
        file = self.file(signature, target.codegen())
        try:
            content = file.read_bytes()
        except OSError:
            return None
        source, digest, payload = content[:DIGEST], content[DIGEST : 2 * DIGEST], content[2 * DIGEST :]
        # Of another version, cut off, or changed: compiled anew. Nothing that was not written here is unpickled.
        if source != self.source or digest != digest_in(file, payload):
            return None
        return self.form.rebuild(target, pickle.loads(payload))  # noqa: S301 (whole, and of this very package and compiler)

    def save_overload(self, signature: object, compiled: Any) -> None:
        """Keep a compiled kernel for the next process; where that cannot be done, the next process compiles it again."""
        from numba.core.serialize import dumps

        if self.form.check_cachable(compiled):
            payload = dumps(self.form.reduce(compiled))
            file = self.file(signature, compiled.codegen)
            content = self.source + digest_in(file, payload) + payload
            with suppress(OutputError):
                write_whole(file, content, "compiled kernel", folders=True, answer=False)

    def flush(self) -> None:
        """Take the kept files away."""
        for path in Path(self.cache_path).glob(f"{self.function.__module__}.{self.function.__qualname__}-*{SUFFIX}"):
            path.unlink(missing_ok=True)
