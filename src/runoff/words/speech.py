"""How an option is called: `columns={'score': 'return'}` in Python, `--columns score=return` on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_IN_SHELL: ContextVar[bool] = ContextVar("_IN_SHELL", default=False)


@contextmanager
def speaking_shell() -> Iterator[None]:
    """Have messages name options as the command line does."""
    token = _IN_SHELL.set(True)
    try:
        yield
    finally:
        _IN_SHELL.reset(token)


def option(name: str, value: str | None = None) -> str:
    """Return an option in the words of whoever is spoken to.

    >>> option("format", "csv")
    "format='csv'"
    >>> with speaking_shell():
    ...     option("format", "csv")
    '--format csv'
    """
    if _IN_SHELL.get():
        return f"--{name.replace('_', '-')}" + ("" if value is None else f" {_quoted(value)}")
    return f"{name}=" + ("" if value is None else repr(value))


def of_unit(text: str, unit: str) -> str:
    """Return a text about runs, in which no names stand, with what a row is of in their place: a run, or an episode.

    >>> of_unit("a run of these runs (--runs shared)", "episode")
    'an episode of these episodes (--runs shared)'
    """
    if unit == "run":
        return text
    text = re.sub(r"\bRun(?=s?\b)", unit.capitalize(), re.sub(r"\ba run\b", f"an {unit}", text))
    return re.sub(r"(?<!-)\brun(?=s?\b(?!=))", unit, text)


def call(verb: str, **options: str) -> str:
    """Return a call that answers another question.

    >>> call("compare", test="welch")
    "compare(test='welch')"
    >>> with speaking_shell():
    ...     call("compare", test="welch")
    'runoff compare --test welch'
    """
    given = [option(name, value) for name, value in options.items()]
    return " ".join(["runoff", verb, *given]) if _IN_SHELL.get() else f"{verb}({', '.join(given)})"


def column(role: str, name: str = "NAME") -> str:
    """Return the option that names the column of a role.

    >>> column("score", "return")
    "columns={'score': 'return'}"
    """
    if _IN_SHELL.get():
        return option("columns", f"{role}={name}")
    return f"columns={{{role!r}: {name!r}}}"


def series_option() -> str:
    """Return the option that names the series of logs, or the column, which is the score.

    >>> series_option()
    'metric='
    """
    return choice("metric=", "--columns score=")


def choice(in_python: str, in_shell: str) -> str:
    """Return the words for whoever is spoken to."""
    return in_shell if _IN_SHELL.get() else in_python


def _quoted(value: str) -> str:
    plain = all(c.isalnum() or c in "_-=./,:+@%" for c in value)
    return value if plain else '"' + value.replace('"', '\\"') + '"'
