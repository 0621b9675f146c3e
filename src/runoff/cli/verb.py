"""A verb: a function whose shared options are objects.

Typer reads a flat signature. `verb` makes one: a parameter whose type is a dataclass of options is replaced by the fields of that
dataclass, and the function is called with the object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from runoff.errors import RunoffError


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function as a verb: its option objects spread out for Typer, which `app` registers."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    flat = [part for given in signature(function).parameters.values() for part in _spread(given, hints)]
    if len({part.name for part in flat}) < len(flat):
        raise RunoffError(f"two options of {function.__name__} have one name")

    @wraps(function)
    def call(**given: Any) -> None:
        objects = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in groups.items()}
        function(**objects, **given)

    call.__signature__ = Signature(flat)  # type: ignore[attr-defined]
    call.__annotations__ = {part.name: part.annotation for part in flat}
    return call


def _spread(given: Parameter, hints: dict[str, Any]) -> list[Parameter]:
    kind = hints[given.name]
    if not (is_dataclass(kind) and isinstance(kind, type)):
        return [given.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY)]
    own = get_type_hints(kind, include_extras=True)
    return [
        Parameter(
            f.name,
            Parameter.KEYWORD_ONLY,
            annotation=own[f.name],
            default=Parameter.empty if f.default is MISSING else f.default,
        )
        for f in fields(kind)
    ]
