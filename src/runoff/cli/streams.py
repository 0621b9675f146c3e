"""stdout and stderr: the characters that they can show, and the handling of closed or full streams.

Control characters are escaped, and ASCII replaces other letters on a terminal that knows only ASCII: a minus stays a minus, alpha becomes
"alpha", accents are dropped; nothing becomes a question mark.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from runoff.errors import RunoffError
from runoff.words.speech import in_shell

UNDELIVERED = 74
"""The exit code if the answer could not be written to standard output (EX_IOERR of sysexits.h)."""

HANDLER = "runoff.ascii"
_PAIRS = '− - – - — - … ... “ " ” " × x · * ± +/- ≤ <= ≥ >= ≠ != ≈ ~ ∞ inf √ sqrt → -> ½ 1/2 ß ss æ ae ø o ł l ● * ○ o ━ - ╸ - ╺ -'
SIGNS = dict(zip(_PAIRS.split()[::2], _PAIRS.split()[1::2], strict=True)) | dict.fromkeys("‘’", "'")
SIGNS |= {"\u00a0": " ", "\u2009": " "} | dict.fromkeys("\u202f\u2066\u2067\u2068\u2069\u200d", "")
"""Sign -> ASCII text; letters of other alphabets are spelled by name (Greek), or as their code."""


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
    # NFKD parts a letter from its accents, of which ASCII keeps the letter alone.
    plain = "".join(c for c in unicodedata.normalize("NFKD", letter) if c.isascii())
    return plain or letter.encode("unicode_escape").decode("ascii")


def only_ascii(environment: Mapping[str, str]) -> bool:
    """Return whether the user's locale is ASCII only, in which Python would still write UTF-8.

    >>> only_ascii({"LC_ALL": "C"}), only_ascii({"LANG": "C.UTF-8"}), only_ascii({"LC_ALL": "en_US.UTF-8", "LANG": "C"}), only_ascii({})
    (True, False, False, False)
    """
    # The order in which POSIX asks them; a variable that is empty counts as not there.
    chosen = next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "")
    return chosen in ("C", "POSIX") and environment.get("PYTHONIOENCODING", "").partition(":")[0] == ""


def speak_to_terminal() -> None:
    """Make both streams show a replacement for characters that they cannot show."""
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
    """Return a text with control characters escaped, because they could control the terminal."""
    # The joiner makes one emoji of several, and moves no cursor.
    driving = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n", "\N{ZERO WIDTH JOINER}"}
    return "".join(c.encode("unicode_escape").decode() if c in driving else c for c in text)


def write_line(text: str) -> None:
    sys.stderr.write(plain(in_shell(text)) + "\n")
    sys.stderr.flush()


# ── streams that take no more ──────────


class Undelivered(RunoffError):
    """Raised if the answer cannot be written to standard output."""


class Outlet(io.RawIOBase):
    """The raw output of a stream. If a reader closes the pipe, further output is dropped, and the call ends as it would have.

    Any other failure raises `Undelivered` on stdout; on stderr the remaining output is lost, and the exit code shows how the call ended.
    """

    def __init__(self, stream: TextIO | None, *, answer: bool) -> None:
        buffer: Any = None if stream is None else stream.buffer
        self.raw, self.answer, self.deaf = getattr(buffer, "raw", buffer), answer, False

    def write(self, data: Any) -> int:
        if self.deaf:
            return len(data)
        try:
            return self._written(data)
        except BrokenPipeError:
            self.deaf = True
        except OSError as error:
            self.deaf = True
            if self.answer:
                reason = error.strerror or error
                raise Undelivered(f"the answer cannot be written to standard output: {reason}.") from error
        return len(data)

    def _written(self, data: Any) -> int:
        if self.raw is None:
            raise OSError("it is closed")
        size: int | None = self.raw.write(data)
        # A pipe that does not block takes nothing while it is full; to try again at once would spin.
        if size is None:
            raise OSError("it takes no more without being waited for")
        return size

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.raw is not None and bool(self.raw.isatty())

    def fileno(self) -> int:
        return super().fileno() if self.raw is None else int(self.raw.fileno())


@contextmanager
def own_streams() -> Iterator[None]:
    """Make both streams end in an `Outlet`, and prevent a data file from taking the descriptor of a closed stream."""
    for number in range(3):
        _fill(number)
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _ending(sys.stdout, answer=True), _ending(sys.stderr, answer=False)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Undelivered):  # said already, or less grave than what ended the call
                stream.flush()
        sys.stdout, sys.stderr = before


def _fill(number: int) -> None:
    """Open the null device on the descriptor of a closed stream; otherwise the next file would be opened there, and written to."""
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, number)
        if null != number:
            os.close(null)
        os.set_inheritable(number, True)  # processes of a study would open their own pipes there, and die


def _ending(stream: TextIO | None, *, answer: bool) -> TextIO:
    buffered = io.BufferedWriter(Outlet(stream, answer=answer))
    if stream is None:
        return io.TextIOWrapper(buffered, encoding="utf-8", errors="backslashreplace")
    by_line = bool(getattr(stream, "line_buffering", False) or getattr(stream, "write_through", False))
    return io.TextIOWrapper(buffered, encoding=stream.encoding, errors=stream.errors, line_buffering=by_line)
