"""Messages on stderr: a warning is a line, not a source position."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from unicodedata import category

from runoff.cli.told import listening
from runoff.errors import RunoffWarning


def plain(text: str) -> str:
    """Return a text without control characters, which could drive the terminal: they are spelled out."""
    return "".join(c.encode("unicode_escape").decode() if _drives(c) else c for c in text)


def _drives(character: str) -> bool:
    return category(character) in ("Cc", "Cf", "Cs") and character not in ("\n", "\N{ZERO WIDTH JOINER}")


def write_line(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(plain(text) + "\n")
    sys.stderr.flush()


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Show each warning of runoff as one line."""

    def show(message: Warning | str, *_rest: object, **_more: object) -> None:
        told.warnings.append(str(message))
        write_line(f"warning: {message}")

    with listening() as told, warnings.catch_warnings():
        warnings.simplefilter("always", RunoffWarning)
        warnings.showwarning = show
        yield
