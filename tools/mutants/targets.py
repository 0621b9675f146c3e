"""The code that is mutated, by package."""

from __future__ import annotations

from pathlib import Path

from tools.mutants.mutant import Mutant, mutants

SOURCE = "src/runoff"
PACKAGES = ("_inference", "_kernels", "report", "io")


def all_mutants(root: Path, only: str = "") -> dict[str, list[Mutant]]:
    """Return all mutants of each package, of files whose path begins with `only`."""
    return {name: [one for path in _files(root, name, only) for one in _of(root, path)] for name in PACKAGES}


def source_files(root: Path) -> dict[str, bytes]:
    """Return all Python files of the library."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted((root / SOURCE).rglob("*.py"))}


def package_of(mutant: Mutant) -> str:
    """Return the package of a mutant."""
    return next(name for name in PACKAGES if mutant.path.startswith((f"{SOURCE}/{name}/", f"{SOURCE}/{name}.py")))


def _files(root: Path, package: str, only: str) -> list[str]:
    """Return the files of a package, which may be a module."""
    found = [*(root / SOURCE / package).rglob("*.py"), *(root / SOURCE).glob(f"{package}.py")]
    if not found:
        raise SystemExit(f"There is no {SOURCE}/{package} to mutate; the packages stand in {__file__}.")
    return sorted(path for file in found if (path := str(file.relative_to(root))).startswith(only))


def _of(root: Path, path: str) -> list[Mutant]:
    return mutants(path, (root / path).read_bytes())
