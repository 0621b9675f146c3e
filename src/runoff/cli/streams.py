"""What both streams can show: control characters spelled out, and ASCII in place of other letters where a terminal knows nothing else.

A minus stays a minus, alpha becomes "alpha", accents are left out; nothing becomes a question mark.
"""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Mapping

HANDLER = "runoff.ascii"
_PAIRS = '− - – - — - … ... “ " ” " × x · * ± +/- ≤ <= ≥ >= ≠ != ≈ ~ ∞ inf √ sqrt → -> ½ 1/2 ß ss æ ae ø o ł l ● * ○ o ━ - ╸ - ╺ -'
SIGNS = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True)) | dict.fromkeys("‘’", "'")
SIGNS |= {"\u00a0": " ", "\u2009": " "} | dict.fromkeys("\u202f\u2066\u2067\u2068\u2069\u200d", "")
"""By sign; letters of other alphabets are spelled out by name (Greek), or as their code."""


def spelled(text: str) -> str:
    """Return a text in ASCII.

    >>> spelled("Q(λ) at α = 0.05: −1 ± 2"), spelled("Péter 中")
    ('Q(lambda) at alpha = 0.05: -1 +/- 2', 'Peter \\\\u4e2d')
    """
    return "".join(character if character.isascii() else _stand_in(character) for character in text)


def _stand_in(letter: str) -> str:
    if letter in SIGNS:
        return SIGNS[letter]
    name = unicodedata.name(letter, "").split()
    if name[:2] in (["GREEK", "SMALL"], ["GREEK", "CAPITAL"]) and len(name) > 3:
        greek = name[3].lower().replace("lamda", "lambda")
        return greek if name[1] == "SMALL" else greek.capitalize()
    if unicodedata.combining(letter):
        return ""
    plain = "".join(c for c in unicodedata.normalize("NFKD", letter) if c.isascii())
    return plain or letter.encode("unicode_escape").decode("ascii")


def only_ascii(environment: Mapping[str, str]) -> bool:
    """Return whether the locale that the user chose knows ASCII only; Python writes UTF-8 there all the same.

    >>> only_ascii({"LC_ALL": "C"}), only_ascii({"LANG": "C.UTF-8"}), only_ascii({"LC_ALL": "en_US.UTF-8", "LANG": "C"}), only_ascii({})
    (True, False, False, False)
    """
    chosen = next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "")
    return chosen in ("C", "POSIX") and environment.get("PYTHONIOENCODING", "").partition(":")[0] == ""


def speak_to_terminal() -> None:
    """Have both streams show a stand-in for what they cannot."""
    codecs.register_error(HANDLER, _instead)
    encoding = "ascii" if only_ascii(os.environ) else None
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=encoding, errors=HANDLER)


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelled(error.object[error.start : error.end]), error.end


def plain(text: str) -> str:
    """Return a text without control characters, which could drive the terminal: they are spelled out."""
    driving = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n", "\N{ZERO WIDTH JOINER}"}
    return "".join(c.encode("unicode_escape").decode() if c in driving else c for c in text)


def write_line(text: str) -> None:
    sys.stderr.write(plain(text) + "\n")
    sys.stderr.flush()
