"""How an option is called: `columns={'score': 'return'}` in Python, `--columns score=return` on the command line.

Whoever writes a sentence does not know who reads it. So a text has *parts* that are worded in two ways: an option, as Python and as the command
line write it; what is said of a pair, as each side sees it; what a row is of, a run or an episode. Until an exit speaks it such a text is
*neutral*: marks of private use delimit the parts, so that f-strings make longer texts of it. What is kept is a `Sentence`, which reads as
Python says it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import NoReturn, Self

from runoff.words.patterns import regex


class _Wording:
    """One reason for which parts of a text have two wordings."""

    def __init__(self, first: int) -> None:
        self.begin, self.between, self.end = (chr(first + at) for at in range(3))
        own = f"[^{self.begin}{self.end}]*"
        self.part = re.compile(f"{self.begin}({own}){self.between}({own}){self.end}")

    def of(self, first: str, second: str) -> str:
        return f"{self.begin}{first}{self.between}{second}{self.end}"

    def turned(self, text: str) -> str:
        return self.part.sub(lambda part: self.of(part[2], part[1]), text)


# Private use, at the end of the last plane: fonts of icons, which names may be written in, have theirs elsewhere.
FIRST_MARK = 0x10FFF0
_VOICES, _SIDES, _UNITS = (_Wording(FIRST_MARK + 3 * at) for at in range(3))
_FACT = chr(FIRST_MARK + 9)
_MARK = regex(f"([{_VOICES.begin}-{_FACT}])")


class Sentence(str):
    """A text in Python's voice, which keeps its parts; what is made of it with other texts has lost them, unless it is made of `neutral`.

    >>> sentence = Sentence(f"use {option('unit', 'episode')}.")
    >>> print(sentence, in_shell(sentence))
    use unit='episode'. use --unit episode.
    """

    __slots__ = ("_neutral",)
    _neutral: str

    def __new__(cls, text: str = "") -> Self:
        if type(text) is cls:
            return text
        sentence = super().__new__(cls, in_python(text))
        sentence._neutral = neutral(text)
        return sentence

    def __call__(self, *_args: object) -> NoReturn:
        raise TypeError("a sentence is a text already: leave out the parentheses behind its name.")

    def __reduce__(self) -> tuple[Callable[..., Sentence], tuple[str | int, ...]]:
        return _restored, tuple(ord(part) if _MARK.fullmatch(part) else part for part in _MARK.split(self._neutral))


def _restored(*parts: str | int) -> Sentence:
    return Sentence("".join(chr(part) if isinstance(part, int) else part for part in parts))


Voice = Callable[[str], str]
"""How an exit speaks: `in_python` or `in_shell`."""


def in_python(text: str) -> str:
    """Return a text as Python says it."""
    return str(text) if isinstance(text, Sentence) else _spoken(r"\1", text)


def in_shell(text: str) -> str:
    """Return a text as the command line says it."""
    return _spoken(r"\2", neutral(text))


def _spoken(voice: str, text: str) -> str:
    if _MARK.search(text) is None:
        return text
    # The marks of a part that was cut are no part of the text.
    return _MARK.sub("", _VOICES.part.sub(voice, _SIDES.part.sub(r"\1", _UNITS.part.sub(r"\1", text))))


def shell_parts(text: str) -> list[str]:
    """Return the parts of a text that name an option with its value, or a call, as the command line says them.

    >>> shell_parts(f"use {option('unit', 'episode')}, or {call('rank')}; {option('margin')} is none")
    ['--unit episode', 'runoff rank']
    """
    parts = (part[2] for part in _VOICES.part.finditer(neutral(text)))
    return [part for part in parts if re.fullmatch(r"(?:runoff|--[\w-]+) \S.*", part)]


def neutral(sentence: str | Exception) -> str:
    """Return a sentence, or that of an error, with its parts, as a longer one is made of it.

    >>> in_shell(f"{neutral(Sentence(option('unit')))} is needed")
    '--unit is needed'
    """
    text = sentence if isinstance(sentence, str) else sentence.args[0] if sentence.args else ""
    return text._neutral if isinstance(text, Sentence) else str(text)


def in_both(change: Callable[[str], str], sentence: str) -> Sentence:
    """Return a sentence that is changed in the same way in both voices."""
    before = in_python(sentence), in_shell(sentence)
    python, shell = map(change, before)
    if (python, shell) == before:
        return Sentence(sentence)
    return Sentence(python if python == shell else choice(python, shell))


def sided(here: str, there: str) -> str:
    """Return a part of a sentence about a pair in two wordings, from the first's side and from the second's.

    >>> both = Sentence(f"between {sided('A and B', 'B and A')}")
    >>> print(both, "/", seen_from_there(both))
    between A and B / between B and A
    """
    return _SIDES.of(here, there)


def both_words(a: str, b: str) -> str:
    """Return two names in a sentence, in the same order from whichever side the pair is seen."""
    return sided(f"{a} and {b}", f"{b} and {a}")


def seen_from_there(sentence: str) -> Sentence:
    """Return a sentence about a pair from its other side."""
    return Sentence(_SIDES.turned(neutral(sentence)))


def with_clause(sentence: str, clause: str) -> Sentence:
    """Return a sentence with another clause, if there is one, before its full stop."""
    return Sentence(f"{neutral(sentence).removesuffix('.')}; {neutral(clause)}." if clause else sentence)


def advised(repair: str, fact: str) -> str:
    """Return advice: what can be done about a fact, and the fact, a sentence."""
    return f"{repair}: {_FACT}{fact}"


def fact_of(advice: str) -> Sentence:
    """Return what advice has found, without what to do about it.

    >>> fact_of(advised("finish such runs", "1 of 8 runs ended early."))
    '1 of 8 runs ended early.'
    """
    return Sentence(neutral(advice).partition(_FACT)[2])


RUN, A_RUN = _UNITS.of("run", "episode"), _UNITS.of("a run", "an episode")
"""What a row is of, as a part of a text: "run" unless `of_unit` says otherwise. An s after it makes the plural."""


def of_unit(text: str, unit: str) -> str:
    """Return a text in which rows are runs, or episodes.

    >>> in_python(of_unit(f"{A_RUN} of these {RUN}s", "episode"))
    'an episode of these episodes'
    """
    return _UNITS.part.sub(r"\2" if unit == "episode" else r"\1", neutral(text))


def choice(python: str, shell: str) -> str:
    """Return a part of a text that Python and the command line say in words of their own."""
    return _VOICES.of(in_python(python), in_shell(shell))


WITHOUT = " without "
"""What stands between an option and one that it takes the place of."""


def without(repair: str, other: str) -> str:
    """Return an option in place of another, as one part of a text.

    >>> in_shell(without(option("duplicates", "mean"), option("unit", "episode")))
    '--duplicates mean without --unit episode'
    """
    return choice(*(f"{in_voice(repair)}{WITHOUT}{in_voice(other)}" for in_voice in (in_python, in_shell)))


def option(name: str, value: str | None = None) -> str:
    """Return an option, as a part of a text.

    >>> in_python(option("format", "csv")), in_shell(option("format", "csv"))
    ("format='csv'", '--format csv')
    """
    if value is None:
        return choice(f"{name}=", f"--{name.replace('_', '-')}")
    return choice(f"{name}={in_python(value)!r}", f"--{name.replace('_', '-')} {_quoted(in_shell(value))}")


LESS_IS_BETTER = choice("lower_is_better=True", "--lower-is-better")
"""The option that says that the scores are costs, as a part of a text."""


def call(verb: str, **options: str) -> str:
    """Return a call that answers another question, as a part of a text.

    >>> in_python(call("compare", test="welch")), in_shell(call("compare", test="welch"))
    ("compare(test='welch')", 'runoff compare --test welch')
    """
    given = [option(name, value) for name, value in options.items()]
    return choice(f"{verb}({', '.join(given)})", " ".join(["runoff", verb, *given]))


def claims_of(place: str) -> str:
    """Return the call that judges what a table of means claims, as a part of a text."""
    return choice("claims", f"runoff claims {place}")


BLANK = "Unnamed: 0"
"""What pandas calls a blank head, which no option could name."""


def column(role: str, name: str = "NAME") -> str:
    """Return the option that names the column of a role, as a part of a text.

    >>> in_python(column("score", "return")), in_shell(column("score", "return"))
    ("columns={'score': 'return'}", '--columns score=return')
    """
    return choice(f"columns={{{role!r}: {name or BLANK!r}}}", option("columns", f"{role}={name or BLANK}"))


def series_option() -> str:
    """Return the option that names the series of logs, or the column, which is the score, as a part of a text."""
    return choice("series=", "--columns score=")


def _quoted(value: str) -> str:
    if all(c.isalnum() or c in "_-=./,:+@%" for c in value):
        return value
    # Within double quotes a shell goes on reading these: `a$b` would be what it calls b.
    return shlex.quote(value) if set(value) & set('"$`\\!') else f'"{value}"'
