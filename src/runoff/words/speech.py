"""How an option is called: `columns={'score': 'return'}` in Python, `--columns score=return` on the command line.

Whoever writes a sentence does not know who reads it. So an option is a part of a text that has both voices, and the text is *neutral* until
an exit speaks it: `Sentence` for Python and for all that is kept, `in_shell` for the streams of the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Self

# Private use, at the end of the last plane: fonts of icons, which names may be written in, have theirs elsewhere.
OPEN, BETWEEN, CLOSE = "\U0010fff0", "\U0010fff1", "\U0010fff2"
_PART = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){BETWEEN}([^{OPEN}{CLOSE}]*){CLOSE}")
_MARK = re.compile(f"[{OPEN}{BETWEEN}{CLOSE}]")


class Sentence(str):
    """A text in Python's voice, which keeps the command line's; what is made of it with other texts forgets that, unless of `neutral`.

    >>> sentence = Sentence(f"say {option('unit', 'episode')}.")
    >>> print(sentence, in_shell(sentence))
    say unit='episode'. say --unit episode.
    """

    __slots__ = ("shell",)
    shell: str

    def __new__(cls, text: str = "", shell: str | None = None) -> Self:
        sentence = super().__new__(cls, in_python(text))
        sentence.shell = in_shell(text if shell is None else shell)
        return sentence

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]  # str has one
        return str(self), self.shell


Voice = Callable[[str], str]
"""How an exit speaks: `in_python` or `in_shell`."""


def in_python(text: str) -> str:
    """Return a text as Python says it."""
    return _spoken(r"\1", text) if _MARK.search(text) else str(text)


def in_shell(text: str) -> str:
    """Return a text as the command line says it."""
    if isinstance(text, Sentence):
        return text.shell
    return _spoken(r"\2", text) if _MARK.search(text) else text


def _spoken(voice: str, text: str) -> str:
    return _MARK.sub("", _PART.sub(voice, text))  # of a part that was cut no mark is left


def neutral(sentence: str | Exception) -> str:
    """Return a sentence, or that of an error, as a part of a longer one.

    >>> in_shell(f"{neutral(Sentence(option('unit')))} is needed")
    '--unit is needed'
    """
    text = sentence if isinstance(sentence, str) else sentence.args[0] if sentence.args else ""
    return choice(text, text) if isinstance(text, Sentence) and text.shell != text else str(text)


def in_both(change: Callable[[str], str], sentence: str) -> Sentence:
    """Return a sentence that is changed in the same way in both voices."""
    return Sentence(change(in_python(sentence)), change(in_shell(sentence)))


def choice(python: str, shell: str) -> str:
    """Return a part of a text that Python and the command line say in words of their own."""
    return f"{OPEN}{in_python(python)}{BETWEEN}{in_shell(shell)}{CLOSE}"


def option(name: str, value: str | None = None) -> str:
    """Return an option, as a part of a text.

    >>> in_python(option("format", "csv")), in_shell(option("format", "csv"))
    ("format='csv'", '--format csv')
    """
    if value is None:
        return choice(f"{name}=", f"--{name.replace('_', '-')}")
    return choice(f"{name}={in_python(value)!r}", f"--{name.replace('_', '-')} {_quoted(in_shell(value))}")


def call(verb: str, **options: str) -> str:
    """Return a call that answers another question, as a part of a text.

    >>> in_python(call("compare", test="welch")), in_shell(call("compare", test="welch"))
    ("compare(test='welch')", 'runoff compare --test welch')
    """
    given = [option(name, value) for name, value in options.items()]
    return choice(f"{verb}({', '.join(given)})", " ".join(["runoff", verb, *given]))


def column(role: str, name: str = "NAME") -> str:
    """Return the option that names the column of a role, as a part of a text.

    >>> in_python(column("score", "return")), in_shell(column("score", "return"))
    ("columns={'score': 'return'}", '--columns score=return')
    """
    return choice(f"columns={{{role!r}: {name!r}}}", option("columns", f"{role}={name}"))


def series_option() -> str:
    """Return the option that names the series of logs, or the column, which is the score, as a part of a text."""
    return choice("metric=", "--columns score=")


def of_unit(text: str, unit: str) -> str:
    """Return a text about runs, in which no names stand, with what a row is of in their place: a run, or an episode.

    >>> of_unit("a run of these runs (--runs shared)", "episode")
    'an episode of these episodes (--runs shared)'
    """
    if unit == "run":
        return text
    text = re.sub(r"\bRun(?=s?\b)", unit.capitalize(), re.sub(r"\ba run\b", f"an {unit}", text))
    return re.sub(r"(?<!-)\brun(?=s?\b(?!=))", unit, text)


def _quoted(value: str) -> str:
    plain = all(c.isalnum() or c in "_-=./,:+@%" for c in value)
    return value if plain else '"' + value.replace('"', '\\"') + '"'
