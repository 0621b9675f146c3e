"""Regular expressions that are compiled where they are first used: three hundred at once would take a tenth of each first call."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Late:
    """A regular expression that is not compiled before one of its methods is asked for; it has them as attributes from then on."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there yet. Names of Python's own are not: `copy` and `pickle` look for some before there is a text.
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update((method, getattr(compiled, method)) for method in METHODS)
        return getattr(compiled, name)


METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""Return a regular expression, as `re.compile` does, that is compiled with its first use.

    One that is wrong is refused then, by `re.error`.

    >>> number = regex(r"\d+")
    >>> number.findall("3 of 10"), number.pattern
    (['3', '10'], '\\d+')
    """
    return cast("re.Pattern[AnyStr]", _Late(text, flags))
