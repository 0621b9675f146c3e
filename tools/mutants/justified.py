"""Mutants that change no behaviour, each with its reason: lines "key | reason" of a file that people write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

PLACE = Path("docs/design/mutants_justified.txt")


def read(root: Path) -> dict[str, str]:
    """Return the reason of each key; nothing where there is no file. Empty lines and those that begin with # are skipped."""
    path = root / PLACE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(_parted(line) for line in lines if line.strip() and not line.startswith("#"))


def unknown(reasons: Iterable[str], keys: Iterable[str]) -> list[str]:
    """Return the keys of reasons that name no mutant: the code has changed, so the reason must be thought over."""
    return sorted(set(reasons) - set(keys))


def _parted(line: str) -> tuple[str, str]:
    key, bar, reason = line.rpartition(" | ")
    if not (bar and key.strip() and reason.strip()):
        raise SystemExit(f"{PLACE}: a line is 'key | reason', not {line!r}.")
    return key.strip(), reason.strip()
