"""Conversion of texts to UTF-8: by their byte order mark, or by a guess that is noted."""

from __future__ import annotations

import codecs
import re

from runoff.errors import DataError
from runoff.tables.columns import listed, roles_of
from runoff.words.labels import is_summary
from runoff.words.patterns import regex
from runoff.words.words import kind

MARKED = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""First bytes -> encoding; UTF-32's little-endian mark begins as that of UTF-16."""


_COLOUR = r"\x1b(?:\[[0-9;?]{0,40}[A-Za-z]|\(B)"
"""What a script prints to colour a text, or to erase a line of the terminal."""
_COLOURED, _COLOURED_BYTES = regex(_COLOUR), regex(_COLOUR.encode())


_BAR = regex(
    rb"(?:[^\r\n|%]{0,80}: ?)?[ \t]{0,3}\d{1,3}%\|[^|\r\n]{0,400}\| [\d.]{1,20}[kMGT]?/[\d.]{1,20}[kMGT]? \[[^\]\r\n]{1,300}\]"
)
"""A progress bar of tqdm, which it prints again and again over itself, between the lines of a script."""


def without_colours(text: str) -> str:
    """Return a text without the colours of a terminal."""
    return _COLOURED.sub("", text)


def as_utf8(data: bytes, place: str) -> bytes:
    """Return a text that begins with the mark of UTF-16 or UTF-32, as Excel and PowerShell write, in UTF-8, and one with colours of a terminal
    or bars of tqdm without them; other bytes as they are."""
    encoding = next((name for mark, name in MARKED.items() if data.startswith(mark)), None)
    if encoding is None:
        data = _COLOURED_BYTES.sub(b"", data) if b"\x1b[" in data and b"\0" not in data else data
        # A bar ends with the return of the carriage, behind which another line may begin.
        others = _BAR.sub(b"", data) if b"%|" in data and b"\0" not in data else data
        return re.sub(rb"\r+\n?", b"\n", others) if others != data and others.strip() else data
    try:
        return data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: the text is marked as {encoding.upper()}, but is not: {error.reason}.") from error


_EAST = {"Shift-JIS": "cp932", "EUC-JP": "euc_jp", "GBK": "gbk", "EUC-KR": "euc_kr"}
"""Encodings of spreadsheets of East Asia by their names for readers. Texts of one decode in others too, as letters that nobody uses."""
_CYRILLIC = {"Windows-1251": "cp1251", "KOI8-R": "koi8_r"}
"""Encodings of which any bytes are letters: a text is of one where its heads are words."""
_KANA, _HALF_WIDE = regex("[\u3041-\u30f6]"), regex("[\uff61-\uff9f]")
FEWEST_KANA = 3
"""The number of kana that show a text to be Shift-JIS, of whose bytes other texts have few."""
HEADS_LOOKED_AT = 20
"""The number of first lines of a text in which heads show its encoding."""
_CELL = regex(r"[,;:\t|\"{}\[\]\r]+")
_ABOVE_ASCII = regex("[^\0-\x7f]+")
_LETTERS = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e"
_MARKS = "\u00a0-\u00bf\u00d7\u00f7\u2013-\u203a\u20ac\u2122"
_WESTERN = regex(
    rf"[{_MARKS}]+|[A-Za-z]?[^\u0192][A-Za-z]?|[A-Za-z][{_LETTERS}]{{1,2}}[{_MARKS}]*[A-Za-z]?|[A-Za-z]?[{_MARKS}]*[{_LETTERS}]{{1,2}}[A-Za-z]"
)
"""One letter alone, two letters or fewer beside one of ASCII, and marks: what words of Western languages have; no katakana (\u0192)."""


def guessed(data: bytes, place: str) -> tuple[bytes, str]:
    """Return a text that is not UTF-8 decoded as an encoding of East Asia or of Cyrillic letters, if its heads show which, or as that of Windows
    and old Unix for Western languages, with a note; leave others as they are, and refuse one that may be several."""
    if data.isascii() or b"\0" in data:
        return data, ""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", data[: error.start])) + 1
        name, text = _decoded(data, place)
        if not name:
            return data, ""
        shown = next((part for part in re.split(r"\r\n|\r|\n", text)[line - 1 :] if not part.isascii()), "")
        at = next(i for i, letter in enumerate(shown) if not letter.isascii())
        shown = shown[max(0, at - 12) : at + 12].strip()
        return (
            text.encode(),
            f"the text is not UTF-8 (line {line}), and is read as {name}; save it as UTF-8 if {shown!r} is misspelled",
        )
    return data, ""


def _decoded(data: bytes, place: str) -> tuple[str, str]:
    """Return the name of the encoding of a text that is not UTF-8, and the text; "" where none is likely."""
    east = {name: text for name, codec in _EAST.items() if (text := _strictly(data, codec)) is not None}
    # GBK has kana too, where those of EUC-JP are.
    if _KANA.search(east.get("GBK", "")):
        del east["GBK"]
    several = east | {name: text for name, codec in _CYRILLIC.items() if (text := _strictly(data, codec)) is not None}
    shown = [name for name, text in several.items() if _has_known_heads(text)]
    if len(shown) == 1:
        return shown[0], several[shown[0]]
    # A text that is UTF-8 elsewhere is damaged here, and of no other encoding.
    if set(data.decode("utf-8", "replace")) - {"\ufffd"} - set(map(chr, range(128))):
        return "", ""
    western = _strictly(data, "cp1252")
    if western is None or not _is_western(western):
        if len(_KANA.findall(east.get("Shift-JIS", ""))) >= FEWEST_KANA:
            return "Shift-JIS", east["Shift-JIS"]
        # Any bytes are Shift-JIS's kana of half a width.
        if east := {name: own for name, own in east.items() if not _HALF_WIDE.search(own)}:
            may_be = listed(["Windows-1252"] * (western is not None) + list(east))
            raise DataError(
                f"{place}: the text is not UTF-8, and may be of several encodings ({may_be}); save it as UTF-8."
            )
    # The five bytes that Windows-1252 lacks are controls in Latin-1.
    return ("", "") if western is None else ("Windows-1252", western)


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _is_western(text: str) -> bool:
    """Return whether marks and letters with accents are where Western languages have them."""
    around = (text[max(0, run.start() - 1) : run.end() + 1] for run in _ABOVE_ASCII.finditer(text))
    return all(_WESTERN.fullmatch(re.sub("^[\0-@]|[\0-@]$", "", own)) is not None for own in around)


def _has_known_heads(text: str) -> bool:
    """Return whether a cell of the first lines is a word for a role, a score or a summary in other letters than those of ASCII."""
    lines = text.split("\n", HEADS_LOOKED_AT)[:HEADS_LOOKED_AT]
    cells = {cell.strip().rstrip("0123456789") for line in lines for cell in _CELL.split(line)}
    foreign = [cell for cell in cells if len(cell) > 1 and not re.search("[\0-\x7f]", cell)]
    roles = (cell for cell in foreign if roles_of(cell))
    return any(roles) or any(kind(cell) is not None or is_summary(cell) for cell in foreign)
