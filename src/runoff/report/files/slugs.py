"""File names from names: safe on every system, stable, unique."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 60
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))})


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a file name, without suffix, for each name.

    Letters, digits and `_.-` stay; whatever else is lost is made up for by eight digits of the name's SHA-256, which also distinguish names
    that differ only in case.
    """
    distinct = list(dict.fromkeys(names))
    folded = Counter(name.casefold() for name in distinct)
    return {name: _slug(name, alone=folded[name.casefold()] == 1) for name in distinct}


def _slug(name: str, *, alone: bool) -> str:
    safe = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)[:LONGEST].strip("-.")
    if safe == name and alone and safe.casefold().split(".")[0] not in RESERVED:
        return safe
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe}-{digest}" if safe else f"name-{digest}"
