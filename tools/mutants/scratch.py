"""A copy of the tree in which mutants live, and the caches of numba that belong to it.

Numba keys its cache by the stamp of the file of a kernel, so it neither sees that a called kernel in another file has changed nor
that a constant has. Here the rule is turned round: all files keep one size and one time, so that nothing is compiled anew
but what `without` throws out.
"""

from __future__ import annotations

import os
import py_compile
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from tools.mutants.edits import all_applied
from tools.mutants.mutant import Mutant
from tools.mutants.names import Kernel

STAMP = 1_600_000_000
ROOM = 1024
"""So many bytes the mutants of a file may be longer than the original."""
FORMAT = 2
"""Of the map of the tests; another one makes the old maps void."""
SOURCE = "src/"
APART = ("tools/mutants/", "tests/tools/", "docs/design/mutants_justified.txt")
"""Changes here change no mutant and no other test."""
OWN_TESTS = "tests/tools/"
"""Of this driver: they do not go into the copy, for no mutant is in what they test."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """A copy of the tree, one of several in the folder of a state of the tree; `warm` is the cache of its unchanged kernels."""

    root: Path
    folder: Path
    number: int = 0

    @property
    def tree(self) -> Path:
        """The root of the copy."""
        return self.folder / f"tree{self.number}"

    @property
    def warm(self) -> Path:
        """The cache of compiled kernels; those of each copy lie in folders of their own, by which numba tells them apart."""
        return self.folder / "numba"

    @property
    def original(self) -> Path:
        """The code as it was when the run began: whoever edits the tree meanwhile changes no mutant."""
        return self.folder / f"original{self.number}"

    @property
    def temporary(self) -> Path:
        """Where the tests of this copy write."""
        return self.folder / f"tmp{self.number}"

    @contextmanager
    def changed(self, mutants: Collection[Mutant]) -> Iterator[None]:
        """Hold mutants in the copy, all at once."""
        paths = sorted({mutant.path for mutant in mutants})
        codes = {path: (self.original / path).read_bytes() for path in paths}
        try:
            for path, code in codes.items():
                edits = [mutant.edit for mutant in mutants if mutant.path == path]
                self._put(path, all_applied(edits, code), len(code) + ROOM)
            yield
        finally:
            for path, code in codes.items():
                self._put(path, code, len(code) + ROOM)

    def without(self, kernels: Iterable[Kernel]) -> Path:
        """Return a cache in which the kernels are not compiled; the warm one itself where there are none."""
        stems = tuple(_stem(kernel) for kernel in kernels)
        if not stems:
            return self.warm
        cold = self.folder / f"numba{self.number}"
        shutil.rmtree(cold, ignore_errors=True)
        cold.mkdir()
        stale = {path for path in self.warm.rglob("*.nb?") if path.name.startswith(stems)}
        # No entry of any: numba names its files otherwise than we think, so none can be trusted.
        for path in self.warm.rglob("*.nb?") if stale else ():
            if path not in stale:
                _link(path, cold / path.relative_to(self.warm))
        return cold

    def fill(self) -> None:
        """Copy the tree, and link what lies beside it and what the first copy has compiled."""
        for path in files(self.root):
            if not path.startswith(OWN_TESTS):
                self._copy(path)
        beside = self.root.parent / "shared"
        # Tests on real runs look for them beside the checkout.
        if beside.exists() and not (self.folder / "shared").exists():
            (self.folder / "shared").symlink_to(beside)
        if self.number:
            self._take_cache(Scratch(self.root, self.folder))

    def _copy(self, path: str) -> None:
        target = self.tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.startswith(SOURCE) and path.endswith(".py"):
            code = (self.root / path).read_bytes()
            original = self.original / path
            original.parent.mkdir(parents=True, exist_ok=True)
            original.write_bytes(code)
            self._put(path, code, len(code) + ROOM)
        else:
            shutil.copy2(self.root / path, target)

    def _put(self, path: str, code: bytes, size: int) -> None:
        """Write a source file with the size and time that all its variants have, and its byte code, which is kept by these."""
        target = self.tree / path
        target.write_bytes(_filled(code, size))
        os.utime(target, (STAMP, STAMP))
        py_compile.compile(str(target), quiet=2, invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)

    def _take_cache(self, first: Scratch) -> None:
        from numba.core.caching import _CacheLocator

        for path in sorted(first.tree.rglob("*.py")):
            mine = self.tree / path.relative_to(first.tree)
            source, target = (_CacheLocator.get_suitable_cache_subpath(str(file)) for file in (path, mine))
            for entry in (self.warm / source).glob(f"{path.stem}.*"):
                _link(entry, self.warm / target / entry.name)


def prepared(root: Path, build: Path) -> Scratch:
    """Return the first copy of this state of the tree; those of other states go."""
    scratch = Scratch(root, build / digest(root))
    for old in build.glob("*/tree0"):
        if old.parent != scratch.folder:
            shutil.rmtree(old.parent)
    scratch.fill()
    return scratch


def digest(root: Path) -> str:
    """Return a name of the state of the tree and of the libraries that compile it."""
    found = sha256(f"{FORMAT} {python_version()} {version('numba')} {version('numpy')} {root}".encode())
    for path in files(root):
        if not path.startswith(APART):
            found.update(path.encode() + b"\0" + sha256((root / path).read_bytes()).digest())
    return found.hexdigest()[:12]


def files(root: Path) -> list[str]:
    """Return the files of the tree that git knows or would know."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout.decode().split("\0")
    return sorted({path for path in found if path and (root / path).is_file()})


def _filled(code: bytes, size: int) -> bytes:
    missing = size - len(code)
    return code + (b"#" * 99 + b"\n") * (missing // 100) + b"#" * (missing % 100)


def _stem(kernel: Kernel) -> str:
    """Return how numba begins the names of a kernel's files."""
    path, qualname = kernel
    return f"{Path(path).stem}.{qualname}-".replace("<", "").replace(">", "")


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        os.link(source, target)
