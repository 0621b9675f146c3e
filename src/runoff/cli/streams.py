"""What both streams can show: control characters are spelled out, and what an encoding lacks is written as its code."""

from __future__ import annotations

import sys
import unicodedata


def speak_to_terminal() -> None:
    """Have both streams write the code of a letter that their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def plain(text: str) -> str:
    """Return a text without control characters, which could drive the terminal: they are spelled out."""
    driving = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n", "\N{ZERO WIDTH JOINER}"}
    return "".join(c.encode("unicode_escape").decode() if c in driving else c for c in text)


def write_line(text: str) -> None:
    sys.stderr.write(plain(text) + "\n")
    sys.stderr.flush()
