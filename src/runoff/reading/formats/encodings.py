"""Conversion of texts to UTF-8: by their byte order mark, or by a guess that is noted."""

from __future__ import annotations

import codecs
import re

from runoff.errors import DataError

MARKED = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""First bytes -> encoding; UTF-32's little-endian mark begins as that of UTF-16."""


_COLOUR = r"\x1b\[[0-9;?]{0,40}[A-Za-z]"
"""What a script prints to colour a text, or to erase a line of the terminal."""
_COLOURED, _COLOURED_BYTES = re.compile(_COLOUR), re.compile(_COLOUR.encode())


def without_colours(text: str) -> str:
    """Return a text without the colours of a terminal."""
    return _COLOURED.sub("", text)


def as_utf8(data: bytes, place: str) -> bytes:
    """Return a text that begins with the mark of UTF-16 or UTF-32, as Excel and PowerShell write, in UTF-8, and one with colours of a terminal
    without them; other bytes as they are."""
    encoding = next((name for mark, name in MARKED.items() if data.startswith(mark)), None)
    if encoding is None:
        return _COLOURED_BYTES.sub(b"", data) if b"\x1b[" in data and b"\0" not in data else data
    try:
        return data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: the text is marked as {encoding.upper()}, but is not: {error.reason}.") from error


def guessed(data: bytes) -> tuple[bytes, str]:
    """Return a text that is not UTF-8 decoded as the encoding of Windows and old Unix for Western languages, with a note; leave others as
    they are."""
    if data.isascii() or b"\0" in data:
        return data, ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        # A text that is UTF-8 elsewhere is damaged here, and of no other encoding.
        if set(data.decode("utf-8", "replace")) - {"\ufffd"} - set(map(chr, range(128))):
            return data, ""
        # The five bytes that Windows-1252 lacks are controls in Latin-1.
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            return data, ""
        letters = text[max(0, error.start - 12) : error.start + 12].split("\n")
        shown = next((part for part in letters if not part.isascii()), "").strip()
        return (
            text.encode(),
            f"the text is not UTF-8 (line {line}), and is read as Windows-1252; save it as UTF-8 if {shown!r} is misspelled",
        )
    return data, ""
