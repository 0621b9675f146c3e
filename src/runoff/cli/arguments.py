"""Arguments of the library's functions as options: type, default and values are those of the signature, and a verb adds a sentence.

A signature is read from the text of its module: an import would load NumPy and SciPy, which help and refusals can do without.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import GenericAlias
from typing import Any, NamedTuple, get_args

from runoff.words import names

GivenOptions = dict[str, Any]
"""The given options of a verb by the names of the arguments that they are."""
ALSO: Mapping[str, str] = {"seed": "rng"}
"""Option -> the argument, where it has another name."""
KINDS: Mapping[str, Any] = {"Mapping": str, "bool": bool, "float": float, "int": int, "RNG": int}
"""Word of an annotation -> the type of the option; the first that the annotation has counts, and other options are texts."""


def option_of(argument: str) -> str:
    """Return the name of the option that an argument is."""
    return next((option for option, name in ALSO.items() if name == argument), argument)


class Asks(NamedTuple):
    """The arguments of a function that are options of a verb."""

    function: str
    options: tuple[str, ...]

    def of(self, values: Mapping[str, Any]) -> GivenOptions:
        """Return the options that were given among these, by the names of their arguments."""
        return {self.argument(name): values[name] for name in self.options if is_given(values[name])}

    def argument(self, option: str) -> str:
        """Return the name of the argument that an option is."""
        return option if option in arguments_of(self.function) else ALSO[option]


def is_given(value: Any) -> bool:
    """Return whether an option was given: one that was not is None, False or an empty list, and 0 is none of these."""
    return value is not None and value is not False and value != []


def asks(function: str, options: str) -> Any:
    """Return the default of a parameter of a verb that stands for these options, which are arguments of `function`."""
    return Asks(function, tuple(options.split()))


class Argument(NamedTuple):
    """An argument of a function: its type as an option, its default, and the values that its types name."""

    kind: Any
    default: Any
    values: tuple[str, ...]


@cache
def arguments_of(function: str) -> dict[str, Argument]:
    """Return the keyword arguments of a function, `methods.ranking.rank`, or the fields of a data class that have a default, by name.

    >>> arguments_of("methods.ranking.rank")["alpha"]
    Argument(kind=<class 'float'>, default=0.05, values=())
    """
    *module, name = function.split(".")
    source = Path(__file__).parents[1].joinpath(*module).with_suffix(".py").read_text(encoding="utf-8")
    if f"\nclass {name}:" in source:
        kind = next(part for part in ast.parse(source).body if isinstance(part, ast.ClassDef) and part.name == name)
        rows = [part for part in kind.body if isinstance(part, ast.AnnAssign) and part.value is not None]
        return {ast.unparse(part.target): _argument(part.annotation, part.value) for part in rows}
    # The last definition is the one that is called: those before it are overloads.
    start = source.rindex(f"\ndef {name}(")
    head = source[start : re.compile(r"^\) -> .*:$", re.MULTILINE).search(source, start).end()]  # type: ignore[union-attr]
    definition = ast.parse(f"{head} ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    pairs = zip(definition.args.kwonlyargs, definition.args.kw_defaults, strict=True)
    return {part.arg: _argument(part.annotation, default) for part, default in pairs}


def _argument(annotation: ast.expr | None, default: ast.expr | None) -> Argument:
    parts = [] if annotation is None else list(ast.walk(annotation))
    words = [part.id for part in parts if isinstance(part, ast.Name)]
    kind: Any = next((KINDS[word] for word in KINDS if word in words), str)
    # A text in an annotation is a value of Literal; a type of `names` has its values there.
    values = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    values += [value for word in words for value in get_args(getattr(names, word, None)) if isinstance(value, str)]
    usual = None if default is None else ast.literal_eval(default)
    return Argument(GenericAlias(list, (kind,)) if "Sequence" in words else kind, usual, tuple(dict.fromkeys(values)))


def filled(words: str, option: str, functions: Iterable[str]) -> str:
    """Return the words about an option with default and values as the first of these functions has them that takes it."""
    arguments = (arguments_of(function) for function in functions)
    argument = next((own[name] for own in arguments for name in (option, ALSO.get(option)) if name in own), None)
    if argument is None:
        return words
    return words.replace("{default}", str(argument.default)).replace("{values}", ", ".join(argument.values))
