"""runoff: from a handful of reinforcement-learning runs to a claim that survives review.

The table of contents is `__init__.pyi`, for type checkers and for this file alike; each name is loaded when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the command line starts here, and what is imported here Ctrl-C interrupts with a traceback
if TYPE_CHECKING:
    from typing import Any

PORTS = {
    "reading": "runoff.reading",
    "published": "runoff.reading.published.read",
    "archive": "runoff.archive.against",
    "shipped": "runoff.archive.shipped",
    "plots": "runoff.plots",
    "exits": "runoff.exits",
    "door": "runoff.door",
    "references": "runoff.references",
    "hints": "runoff.hints",
}
"""Which module answers at each door of `runoff.base.ports`."""
_HOMES: dict[str, str] = {}
_CALLS: dict[Any, Any] = {}


def _homes() -> dict[str, str]:
    """Return the module of each public name."""
    if not _HOMES:
        import re
        from pathlib import Path

        contents = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        names = re.findall(r"^from (\S+) import (\w+) as", contents, flags=re.MULTILINE)
        _HOMES.update({name: home for home, name in names})
    return _HOMES


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [*_homes(), "__version__"]
    if name == "__version__":
        from importlib.metadata import version

        return version("runoff")
    home = None if name.startswith("_") else _homes().get(name)
    if home is None:
        from runoff.hints.words import attribute_hint

        # Names with an underscore are asked for by tools, thousands of times.
        hint = "" if name.startswith("_") else attribute_hint(name, _homes())
        # With `obj` Python would add a guess of its own.
        raise AttributeError(f"module 'runoff' has no attribute {name!r}{hint}", name=name, obj=None)
    from importlib import import_module

    if home == "runoff":  # a room, not a name in one
        return import_module(f"runoff.{name}")
    value = getattr(import_module(home), name)
    return _hinting(value) if type(value).__name__ == "function" else value


def _hinting(function: Any) -> Any:
    """Return a function that says of an argument that it does not have what it is called here."""
    if function not in _CALLS:
        from runoff.errors import warn
        from runoff.hints import hinted

        call = hinted(function, lambda name: __getattr__(name) if name in _homes() else None, warn)
        call.__module__ = __name__  # where pickle finds it again
        _CALLS[function] = call
    return _CALLS[function]


def __dir__() -> list[str]:
    return sorted([*_homes(), "__version__"])
