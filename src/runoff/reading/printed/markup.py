"""Conversion of the LaTeX, Markdown and HTML of one cell to the text that a reader sees, and whether its digits are bold."""

from __future__ import annotations

import html
import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType

from runoff.errors import DataError
from runoff.words.patterns import regex
from runoff.words.words import vocabulary

_LATEX = tomllib.loads(files("runoff.reading.printed").joinpath("latex.toml").read_text(encoding="utf-8"))
SYMBOLS: Mapping[str, str] = MappingProxyType(_LATEX["symbols"])
"""Command -> the text that it prints; most spacing and layout commands print nothing."""
BOLD, BOLD_FROM_HERE = vocabulary(_LATEX["bold"]), vocabulary(_LATEX["bold_from_here"])
UNPRINTED: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(vocabulary(_LATEX["transparent"]), 0)
    | dict.fromkeys(vocabulary(f"{_LATEX['transparent_behind_one']} {_LATEX['unseen']}"), 1)
)
"""Command -> the number of its arguments that are not printed, before the one that is, if there is one."""
ACCENTS: Mapping[str, str] = MappingProxyType(_LATEX["accents"])
"""Command -> the combining character of the accent on the letter behind it."""
ACCENTED = regex(r"\s*(?P<brace>\{)?\s*(?:\\(?=[ij](?![A-Za-z])))?(?P<letter>[A-Za-z])\s*(?(brace)\})")
"""The letter that bears an accent, alone or in braces; the dotless ones are commands: `\\'e`, `\\c{c}`, `\\'{\\i}`."""
COMMAND = regex(r"\\([A-Za-z]+)\*?|\\(.)", re.DOTALL)
ENVIRONMENT = regex(r"\\(?:begin|end)\{(?:tabular|array|minipage|center)\}(?:\[\w*\])?(?:\{[^{}]*(?:\{\}[^{}]*)*\})?")
BRACE = regex(r"\\.|[{}]", re.DOTALL)
"""A brace, or a backslash with the character that it escapes: so an escaped brace is skipped, but one behind a line break (\\\\) counts."""
SUBSCRIPT = regex(r"\\textsubscript\s*\{")
DIGITS = regex(r"[\d.,%kKM\s\u202f]*\d[\d.,%kKM\s\u202f]*")
SCRIPTED = regex(r"[_^]\s*\{?\s*(?:\\[A-Za-z]+\s*\{?\s*)*\\pm")


def plain_of_latex(source: str, where: str) -> tuple[str, bool | None]:
    """Return what LaTeX prints as plain text, and whether its first digit is bold; None if only a later one is.

    Digits that markup parts (12{\\tiny 4}, 12\\textsuperscript{4}) stay apart: together they would be another number.

    >>> plain_of_latex(r"$\\mathbf{12.3}_{\\pm 0.4}$", "")
    ('12.3 ± 0.4', True)
    >>> plain_of_latex(r"$2410_{320}$", ""), plain_of_latex(r"Fran\\c{c}ais \\'et\\'e", "")[0]
    (('2410_{320}', False), 'Français été')
    """
    return _Walk(ENVIRONMENT.sub(" ", source), where).plain()


class _Walk:
    """One pass over the source: a stack of groups, each bold or not."""

    def __init__(self, source: str, where: str) -> None:
        self.source, self.where = source, where
        self.out: list[str] = []
        self.groups = [False]
        self.next_bold = self.parted = False
        self.bolds: list[bool] = []

    def plain(self) -> tuple[str, bool | None]:
        i = 0
        while i < len(self.source):
            i = self._step(i)
        if len(self.groups) != 1:
            raise DataError(f"{self.where}: a brace is not closed in {self.source.strip()!r}.")
        return tidy("".join(self.out)), _of_first(self.bolds)

    def _step(self, i: int) -> int:
        character = self.source[i]
        if character == "\\":
            self.parted = True
            return self._below(i, self.source.find("{", i)) if SUBSCRIPT.match(self.source, i) else self._command(i)
        if character in "{}$":
            self.parted = True
        if character == "{":
            self.groups.append(self.groups[-1] or self.next_bold)
            self.next_bold = False
        elif character == "}":
            self.groups.pop()
            if not self.groups:
                raise DataError(f"{self.where}: a closing brace has no opening brace in {self.source.strip()!r}.")
        elif character == "~" or (character in "_^" and SCRIPTED.match(self.source, i)):
            self._print(" ")
        elif character == "_" and argument(self.source, i + 1) is not None:
            return self._below(i, i + 1)
        elif character != "$":
            self._print(character)
        return i + 1

    def _below(self, i: int, begin: int) -> int:
        """Print a subscript that begins at `begin`: that of a number, if it is a number itself, keeps its sign and braces."""
        end = argument(self.source, begin)
        if end is not None and (self.out or [""])[-1][-1:].isdigit():
            inside, _ = plain_of_latex(self.source[begin:end], self.where)
            if DIGITS.fullmatch(inside):
                self.out.append(f"_{{{inside}}}")
                return end
        if self.source[i] == "\\":
            return self._command(i)
        self._print("_")
        return i + 1

    def _print(self, text: str) -> None:
        if text.isdigit():
            self.bolds.append(self.groups[-1] or self.next_bold)
            if self.parted and self.out and self.out[-1][-1:].isdigit():
                self.out.append(" ")
        self.out.append(text)
        self.next_bold = self.parted = False

    def _command(self, i: int) -> int:
        match = COMMAND.match(self.source, i)
        name = "" if match is None else (match[1] or match[2])
        end = i + 1 if match is None else match.end()
        if name in BOLD:
            self.next_bold = True
        elif name in BOLD_FROM_HERE:
            self.groups[-1] = True
        elif name in SYMBOLS:
            self._print(SYMBOLS[name])
            # The blank behind the command of a letter ends its name: `Malm\o y` is one word.
            return end + (SYMBOLS[name].isalpha() and self.source[end : end + 1] == " ")
        elif name in ACCENTS and (letter := ACCENTED.match(self.source, end)):
            self._print(unicodedata.normalize("NFC", letter["letter"] + ACCENTS[name]))
            return letter.end()
        elif name in UNPRINTED:
            return self._skip(end, UNPRINTED[name])
        else:
            raise DataError(f"{self.where}: what \\{name} prints is unknown; write the number or the name itself.")
        return end

    def _skip(self, i: int, n: int) -> int:
        """Return where the next n arguments end, with the options in brackets before them."""
        while i < len(self.source) and self.source[i] == "[" and "]" in self.source[i:]:
            i = self.source.index("]", i) + 1
        for _ in range(n):
            end = argument(self.source, i)
            i = i if end is None else end
        return i


def argument(source: str, i: int) -> int | None:
    """Return where the argument in braces that begins at i ends, None if none begins there."""
    while i < len(source) and source[i].isspace():
        i += 1
    if i >= len(source) or source[i] != "{":
        return None
    depth = 0
    for brace in BRACE.finditer(source, i):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return brace.end()
    return None


def _of_first(bolds: Sequence[bool]) -> bool | None:
    """Return whether the first of some digits is bold, None if only a later one is."""
    return None if any(bolds) and not bolds[0] else any(bolds)


TAG = regex(r"</?(?:b|strong|i|em|sub|sup|br|span|u|small|font|code)\b[^>]*/?>", re.IGNORECASE)
SUB_TAG = regex(rf"(?<=\d)\s*<sub>\s*({DIGITS.pattern})\s*</sub>", re.IGNORECASE)
BOLD_TEXT = regex(r"\*\*(.+?)\*\*|__(.+?)__|<(?:b|strong)>(.+?)</(?:b|strong)>", re.IGNORECASE)


def plain_of_markdown(source: str, where: str) -> tuple[str, bool | None]:
    """Return what Markdown prints as plain text, and whether its first digit is bold; None if only a later one is.

    LaTeX between dollars, or with commands, is read as LaTeX.

    >>> plain_of_markdown("**12.3** ± 0.4", "")
    ('12.3 ± 0.4', True)
    """
    text = html.unescape(source)
    spans = [bold_part.span() for bold_part in BOLD_TEXT.finditer(text)]
    bold = _of_first([any(a <= i < b for a, b in spans) for i, c in enumerate(text) if c.isdigit()])
    text = BOLD_TEXT.sub(
        lambda bold_part: "".join(filter(None, bold_part.groups())), re.sub(r"(?<=\d)(\*\*|__)(?=\d)", r" \1 ", text)
    )
    text = SUB_TAG.sub(r"_{\1}", text)
    if "**" in text:
        raise DataError(f"{where}: bold text is not closed in {source.strip()!r}.")
    text = re.sub(
        r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])|`([^`]*)`", lambda m: m[1] or m[2] or "", TAG.sub(" ", text)
    )
    if "\\" in text or "$" in text:
        plain, bold_math = plain_of_latex(text, where)
        return plain, bold or bold_math
    return tidy(text), bold


UNSEEN_CHARACTERS = regex("[\u200b-\u200f\u2060\ufeff\u00ad]")
"""Characters without width, which separate nothing."""
HYPHENS = regex("[\u2010\u2011\ufe63\uff0d]")


def tidy(text: str) -> str:
    """Return a text with single spaces; a thin or fixed space between digits separates thousands and is kept as a thin one.

    >>> tidy("2\u00a0410 \u00b1\u20091\u2009320")
    '2\u202f410 ± 1\u202f320'
    """
    text = HYPHENS.sub("-", UNSEEN_CHARACTERS.sub("", text))
    text = re.sub(r"(?<=\d)[\u2009\u00a0\u2007](?=\d{3}(?!\d))", "\u202f", text)
    return re.sub(r"[^\S\u202f]+", " ", text).strip()
