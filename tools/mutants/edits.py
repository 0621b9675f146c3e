"""An edit: bytes of a file that become others, and what that is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes [start, end) of a file by `text`."""

    start: int
    end: int
    text: str
    what: str

    def apply(self, code: bytes) -> bytes:
        """Return the code with the edit made."""
        return code[: self.start] + self.text.encode() + code[self.end :]


def all_applied(edits: Iterable[Edit], code: bytes) -> bytes:
    """Return the code with all edits made; they must not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        code = edit.apply(code)
    return code
